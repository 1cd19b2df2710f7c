"""The plurals of English words, amounts, which are counted in them, and ordinals."""

from __future__ import annotations

from collections.abc import Mapping

_MANY = {"die": "dice", "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet"}
_ONE = {many: one for one, many in _MANY.items()}
_SINGULAR = ("ss", "us", "is")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


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
    return any(word in _ONE or (word.endswith("s") and not word.endswith(_SINGULAR)) for word in ends)


def add_s(word: str) -> str:
    """Form the plural of a noun or the third person of a verb: `cards`, `boxes`, `carries`."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def singular(words: str) -> str:
    """Name one of what is called so: "coin" of "coins"; a name, which has a capital, stays as it is."""
    *before, noun = words.split(" ")
    if not words.islower() or not is_plural(noun):
        return words
    one = _ONE.get(noun, noun[:-1])
    if noun.endswith("ies") and len(noun) > len("pies"):
        one = f"{noun[:-3]}y"
    elif noun.endswith(("sses", "xes", "ches", "shes")):
        one = noun[:-2]
    return " ".join([*before, one])


def count_unit(number: float, unit: str) -> str:
    """Count in a unit: `1 coin`, `0 gold pieces`."""
    return f"{number:g} {name_unit(number, unit)}"


def name_unit(number: float, unit: str) -> str:
    """Name a unit as it stands behind a number; one with a capital is an abbreviation or a name: `CU`."""
    words = unit.replace("_", " ")
    return words if not unit.islower() else singular(words) if number == 1 else plural(words)


def word_amount(amount: int, units: Mapping[str, int]) -> str:
    """Word an amount in the largest unit that divides it, and the rest in smaller ones: `5 CU 1 cent`, `2 chips`."""
    if not units:
        return str(amount)
    parts, rest = [], abs(amount)
    for unit, size in sorted(units.items(), key=lambda item: -item[1]):
        count, rest = divmod(rest, size)
        if count:
            parts.append(count_unit(count, unit))
    return ("-" if amount < 0 else "") + (" ".join(parts) or count_unit(0, min(units, key=units.__getitem__)))


def ordinal(index: int) -> str:
    """Name a position, counted from 0: `first`, `second`."""
    return _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
