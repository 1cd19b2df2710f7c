"""Meaning: what was written, with its names looked up and its types found, becomes IR."""
