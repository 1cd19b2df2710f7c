"""What numbers from many games say, and how sure that is: intervals, tests, and when enough has been played.

The same on every machine: what draws from chance has a seed.
"""
