"""Where people play: the terminal, what it shows of a game, and saves.

In: a `Game`, and what people type. Out: what each person may see, in words, and answers to the game. Never:
reads a rulebook, decides what is legal, or shows a person what another one may know.
"""
