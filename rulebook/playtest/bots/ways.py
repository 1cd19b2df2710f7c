"""The ways in which a bot is not free, as the words for bots have them."""

NEVER, ALWAYS, GUESS = "never", "always", "guess"
"""It never, or always, answers with an option; or guesses at a question."""
