"""Compiled tiers: a program printed as Python, which goes from state to state as the machine does, faster.

In: a program, and the checked rulebook that its lowering keeps. Out: a machine that has the same states, asks the same
and answers the same. Never: a rule of its own about what happens; what is not printed is done by the machine.
"""
