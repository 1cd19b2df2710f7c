"""What scripts do, told in English from the IR.

In: a checked rulebook and house rules. Out: sentences. Never: knows a game, or prints a word of the script language.
"""
