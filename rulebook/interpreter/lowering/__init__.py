"""The passes from the IR to code, which `rulebook.interpreter.lower` puts together."""
