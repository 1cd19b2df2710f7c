"""Files: the bytes of YAML, and a folder of it, as nodes with their places."""
