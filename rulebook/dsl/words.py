"""The few English words that checking needs: ids as people read them, plurals, the verbs of clauses."""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.dsl.naming.layer_names import is_beneath, name_plainly

MODAL = ("can", "may", "must", "need", "will")
VERBS = ("is", "are", "has", "have", *MODAL)
"""The verbs of clauses that somebody wrote."""

NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip

_MANY = {"die": "dice", "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet"}
_IRREGULAR = frozenset(_MANY.values())
_SINGULAR = ("ss", "us", "is")


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


def is_clause(text: str) -> bool:
    """Find a verb behind a subject: "hearts are broken" is a clause."""
    return any(word in VERBS for word in text.split(" ")[1:])


def readable(id: str) -> str:
    """Write an id as people read it: `special_deck` is "special deck"; a script below a variant's is "… as it was"."""
    text = " ".join(name_plainly(id).replace("_", " ").replace(".", " ").split())
    return f"{text} as it was" if is_beneath(id) else text


def plural(words: str) -> str:
    """Form the plural; the last word changes, or the one before "of": "pieces of silver". What is one stays: "gems"."""
    head, of, rest = words.partition(" of ")
    *before, noun = head.split(" ")
    if is_plural(noun):
        return words
    return " ".join([*before, _MANY.get(noun) or add_s(noun)]) + of + rest


def is_plural(words: str) -> bool:
    """Recognize a name that reads as several: "coins", "dice", "cards set aside"."""
    head, *rest = words.split(" of ")[0].split(" ")
    ends = (head, *rest[-1:])
    return any(word in _IRREGULAR or (word.endswith("s") and not word.endswith(_SINGULAR)) for word in ends)


def add_s(word: str) -> str:
    """Form the plural of a noun or the third person of a verb: `cards`, `boxes`, `carries`."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
