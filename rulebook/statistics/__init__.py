"""Statistics of many games: intervals, tests, family-wise verdicts, and rules for stopping.

Results are the same on every machine: each bootstrap and each drawn sample has a seed.
"""
