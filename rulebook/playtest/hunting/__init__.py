"""Random games, each looked at after every step, until one goes wrong; then the smallest that shows it."""
