"""The native tier: a program printed as C, for games in which everybody answers at random.

In: a program, and a compiler of C on this computer. Out: very many games, or playouts of one state, with the same
decisions, answers and results as the blind tier. Never: needed; a silent difference. What cannot be printed is refused
by its name and place, and another tier plays it.
"""
