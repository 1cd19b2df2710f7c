"""How the command is called where it was started: `rulebook`, or what stands before its words in a checkout.

In: RULEBOOK_COMMAND, which `run.py` sets. Out: the words with which to start it again. Never: runs anything.
"""

import os
import re


def command() -> str:
    """What a person types to start this command."""
    return os.environ.get("RULEBOOK_COMMAND") or "rulebook"


def in_words(text: str) -> str:
    """A help text, with its examples as they are to be typed here."""
    return re.sub(r"(?m)^( +)rulebook (?=[a-z]+ )", lambda found: f"{found[1]}{command()} ", text)
