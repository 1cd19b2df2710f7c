"""Run time: a checked rulebook is lowered to a program, and a machine runs its states.

lower → program → machine (ops, choosing, knowledge) ⇄ state → decisions, events → game, views
"""
