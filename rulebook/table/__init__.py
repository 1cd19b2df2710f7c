"""The table where people play: the terminal, what it shows of a game to each person, and saves."""
