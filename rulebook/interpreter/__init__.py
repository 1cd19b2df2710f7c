"""Run time: a checked rulebook is lowered to a program, and a machine runs its states.

In: `ir.Rulebook`. Out: decisions, events, views, results. Never: a word of any game. Only `lower`
and `lowering/` know the language's trees; all others know the program alone.

lower → program → machine (ops, choosing, knowledge) ⇄ state → decisions, events → game, views
"""
