"""Leaks of a game, sought by play: twin games (`twins`), and what they show as messages and saves (`messages`)."""
