"""Many games of one kind as data: what is played, what is counted of each game, where that is kept.

See decision 20. `plan` says which games there are, `table` plays them, `watching` counts what shows only on the way,
`record` is what is left of one game, `store` a file of such records.
"""
