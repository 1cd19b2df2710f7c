"""Two forms of a game, compared: what a variant makes of it.

In: a game as it was loaded, twice. Out: what is different, as records, in plain words, as YAML. Never: loads a game, or
prints.
"""
