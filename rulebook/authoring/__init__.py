"""Help for people who write games in an editor: the JSON Schema of a game's files, and new files to begin with."""
