"""Scenarios: the tests that designers write beside their game, read, run, and recorded from games that were played."""
