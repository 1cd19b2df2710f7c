"""A table by link: a server on which people play in their browsers (docs/serving.md). Needs the extra `web`."""
