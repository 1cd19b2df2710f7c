"""Playtesting: scenarios that designers write, players that need nobody, and many games at once.

In: a rulebook's folder, or a checked rulebook. Out: `scenarios` reads and runs what stands in `scenarios/`,
`bots` makes players from a word like `random`, `series` plays many games and counts, `hunting` looks for games that go
wrong. Never: prints, asks a person, or knows a word of any game.
"""
