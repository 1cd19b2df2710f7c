"""Compile time: from the files of a folder to checked IR. `passes` has the stages in order."""
