"""Did you mean: the word, of those that are legal in one place, that somebody probably wanted.

Nothing is guessed from one letter, and words of very different length are not compared: `slips`, which does both, is
for callers that try out what they are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import islice

_CLOSE = 0.7  # below this ratio a suggestion is more often a distraction than a help
_LONGEST_WORD = 64
_MOST_COMPARED = 1_000
"""The most names that are compared with a slip; to look through more takes longer than a hint is worth."""
_LONGEST_LIST = 8  # how many names a reader takes in at a glance


class Advice(str):
    """Advice about a misspelt word: a sentence like every other, which remembers the word that would take its place.

    `meant` is the one word that is near, or None if there are several.
    """

    word: str
    meant: str | None

    def __new__(cls, text: str, word: str, meant: str | None) -> Advice:
        advice = super().__new__(cls, text)
        advice.word, advice.meant = word, meant
        return advice


def nearest(word: str, legal: Iterable[str]) -> str | None:
    """The legal name that `word` is probably a slip of, or None.

    Capitals do not count; of equally good names the first wins.
    """
    return next(iter(near(word, legal)), None)


def near(word: str, legal: Iterable[str]) -> list[str]:
    """All legal names that `word` is probably a slip of, the most alike first."""
    if not 2 <= len(word) <= _LONGEST_WORD:
        return []
    wanted = word.lower()
    slack = max(1, len(word) // 3)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    scores: dict[str, float] = {}
    names = list(_sort_names(legal))
    for name in names if "." in word else ():
        if name != word and sorted(name.lower().split(".")) == sorted(wanted.split(".")):
            return [name]  # all its parts, in another order
    for name in islice(names, _MOST_COMPARED):
        if name == word or abs(len(name) - len(word)) > slack:
            continue
        candidate = name.lower()
        if candidate == wanted:
            scores[name] = 2.0
        elif _differs_by_a_slip(wanted, candidate):
            # A ratio is unfair to short words (`ot` for `to` is only one half), so one slip beats every
            # ratio.
            scores[name] = 1.0 + SequenceMatcher(None, wanted, candidate, False).ratio() / 2
        else:
            matcher.set_seq1(candidate)
            if matcher.real_quick_ratio() > _CLOSE and matcher.quick_ratio() > _CLOSE and matcher.ratio() > _CLOSE:
                scores[name] = matcher.ratio()
    return sorted(scores, key=lambda name: -scores[name])


def slips(word: str, legal: Iterable[str]) -> list[str]:
    """All legal names that `word` could be a slip of, however short they are; those that are most alike first."""
    names = list(legal)
    typos = [name for name in names if name != word and _is_slip(word.lower(), name.lower())]
    near = nearest(word, names)
    return sorted(
        {*typos, *([near] if near else [])}, key=lambda name: (-SequenceMatcher(None, word, name, False).ratio(), name)
    )


def did_you_mean(word: str, legal: Iterable[str]) -> str:
    """ "Did you mean `x`?", or the names there are if they are few ("Known: `a`, `b`"), or nothing."""
    names = list(dict.fromkeys(_sort_names(legal)))
    meant = near(word, names)
    if meant:
        return perhaps(word, meant)
    if 0 < len(names) <= _LONGEST_LIST:
        return "Known: " + ", ".join(f"`{name}`" for name in names)
    return ""


def perhaps(word: str, names: Sequence[str], more: str = "") -> Advice:
    """ "Did you mean `x`?" of the names that are near a word, the most alike first, and what else there is to say."""
    return Advice(f"Did you mean `{names[0]}`?{more}", word, names[0] if len(names) == 1 else None)


def _sort_names(legal: Iterable[str]) -> Iterable[str]:
    """The names in an order that no hash decides; a set has none of its own."""
    return sorted(legal) if isinstance(legal, set | frozenset) else legal


def _differs_by_a_slip(a: str, b: str) -> bool:
    """Tell whether two words differ by a slip; of two letters one that is wrong leaves too little to go by."""
    return _is_slip(a, b) and not (len(a) == len(b) <= 2 and sorted(a) != sorted(b))


def _is_slip(a: str, b: str) -> bool:
    """Tell whether one letter was left out, added, exchanged for another, or swapped with its neighbour."""
    if len(a) > len(b):
        a, b = b, a
    if len(b) - len(a) > 1:
        return False
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) < len(b):
        return a[at:] == b[at + 1 :]
    if a[at + 1 :] == b[at + 1 :]:
        return len(a) > 1
    return a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :]
