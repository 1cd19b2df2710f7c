"""The commands, one module each; `rulebook.cli` finds them by name and imports the one that is asked for.

A module imports what every run of its command needs. What only some runs need, and is slow to import (all that reads
and checks rules), is imported by the function that needs it; so is the IR in `validate`, which keeps what it said.
"""
