"""What helps people who write games in an editor: the JSON Schema of a game's files, and new files to begin with.

In: a game, or nothing. Out: a schema, and texts of files that validate. Never: finds mistakes (that is `validation`),
plays, or prints.
"""
