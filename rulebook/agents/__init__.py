"""Doors to the programs of others that learn and search: PettingZoo's environments, OpenSpiel's games.

In: a game of the front door. Out: what those programs know how to play. Never: more than a seat may know, but in what
is said to be the whole truth.
"""
