"""Sentences and values that say nothing, found by playing each game again with something left out."""
