"""What numbers from many games say, and how sure that is: intervals, tests, and when enough has been played.

In: plain numbers. Out: plain numbers, the same on every machine. Never: knows a game; draws from chance that is not
seeded.
"""
