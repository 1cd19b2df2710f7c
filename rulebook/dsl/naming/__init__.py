"""Names: all that is declared, gathered before anything is checked."""
