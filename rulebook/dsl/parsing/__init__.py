"""Scripts: from a text to the tree as its author wrote it, and back."""
