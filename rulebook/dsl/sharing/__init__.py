"""Shares of a large game: which cards one has, and what they tell each other."""
