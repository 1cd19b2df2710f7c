"""From the IR to what runs: all that `rulebook.interpreter.lower` puts together."""
