"""The published games once more, written by hand: what the interpreter is measured against and compared with.

Each game is a module of its own, written from the rules of the game and not from its YAML. It knows no engine: state is
lists and numbers, and a decision is a call of a player who answers at once, so that nothing can be stopped, saved, seen
or undone. It draws from the same random streams in the same order as the interpreter, and asks the same questions with
the same options in the same order; `check.py` holds one against the other.
"""
