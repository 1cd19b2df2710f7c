"""Variants: a game, and files that change it, as one game."""
