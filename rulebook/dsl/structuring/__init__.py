"""Records: the map of a rulebook as what authors may write, every key known and every mistake in place."""
