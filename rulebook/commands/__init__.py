"""The commands, one module each; `rulebook.cli` finds them by name.

In: options and arguments of the command line. Out: text or JSON on stdout, progress and messages on stderr,
an exit code. Never: decides anything about a game. A module here imports click and what lies beside it;
everything heavier is imported by the function that needs it, so that `--help` stays quick.
"""
