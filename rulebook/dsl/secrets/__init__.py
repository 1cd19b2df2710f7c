"""Taint analysis: who may learn what, followed through the scripts."""
