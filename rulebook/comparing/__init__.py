"""Two forms of a game, compared: what a variant makes of it."""
