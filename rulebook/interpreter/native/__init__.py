"""The native tier: a program printed as C, for very many games that nobody watches.

In: a program, and a compiler of C on this computer. Out: games of players who answer at random, playouts of one state,
and games decision by decision, with the same decisions, states and results as the blind tier. Never: needed; a silent
difference. What cannot be printed is refused by its name and place, and another tier plays it.
"""
