"""The ways in which a bot is not free, as the words for bots have them."""

NEVER, ALWAYS, GUESS, HELPS = "never", "always", "guess", "helps"
"""It never, or always, answers with an option; or guesses at a question; or plays for another seat, too."""
