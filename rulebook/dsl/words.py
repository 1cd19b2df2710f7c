"""The few English words that checking needs: ids as people read them, the verbs of clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulebook.dsl.naming.layer_names import is_beneath, name_plainly

MODAL = ("can", "may", "must", "need", "will")
VERBS = ("is", "are", "has", "have", *MODAL)
"""The verbs of clauses that somebody wrote."""

NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip



def word_players(numbers: Sequence[int]) -> str:
    """Say how many can play, of numbers in order: "4", "2 to 7", "2 or 4", "2 to 4 or 6"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 2 else texts)


def name_with_variants(game: str, variants: Sequence[str]) -> str:
    """Name a game with its variants, `Market with Thieves`; a variant's name that begins with the game's says it once.
    """
    if len(variants) == 1 and variants[0] != game and re.match(rf"{re.escape(game)}\b", variants[0], re.IGNORECASE):
        return variants[0]
    again = re.compile(rf"^{re.escape(game)}\W+with +(?=\S)", re.IGNORECASE)
    return f"{game} with {' and '.join(again.sub('', name, count=1) for name in variants)}" if variants else game


def is_clause(text: str) -> bool:
    """Find a verb behind a subject: "hearts are broken" is a clause."""
    return any(word in VERBS for word in text.split(" ")[1:])


def readable(id: str) -> str:
    """Write an id as people read it: `special_deck` is "special deck"; a script below a variant's is "… as it was"."""
    text = " ".join(name_plainly(id).replace("_", " ").replace(".", " ").split())
    return f"{text} as it was" if is_beneath(id) else text
