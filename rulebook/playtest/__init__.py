"""Playtesting: scenarios that designers write, bots, many games at once, and the hunt for games that go wrong."""
