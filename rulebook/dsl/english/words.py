"""English words: plurals, articles, the forms of a verb, lists, ids as people read them.

In: words. Out: words. Never: knows what they are about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from rulebook.dsl.naming.layer_names import is_beneath, plain

Agreement: TypeAlias = Literal["you", "one", "many"]
"""What a verb agrees with: you draw, that player draws, all players draw."""

_MANY = {"die": "dice", "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet"}
_ONE = {many: one for one, many in _MANY.items()}
_SINGULAR = ("ss", "us", "is")
_VOWEL_SOUND = ("hour", "honest", "honour", "heir")
_CONSONANT_SOUND = ("uni", "use", "usu", "eu", "one", "once")
_OF_BE = {"you": "are", "one": "is", "many": "are"}
MODAL = ("can", "may", "must", "need", "will")
VERBS = ("is", "are", "has", "have", *MODAL)
"""The verbs of clauses that somebody wrote."""
_TIMES = {1: "once", 2: "twice"}


def is_clause(text: str) -> bool:
    """Whether somebody wrote a clause, with a subject before its verb: "hearts are broken"."""
    return any(word in VERBS for word in text.split(" ")[1:])


def bare(name: str) -> str:
    """The name of a script or question without its section: `values.money` is `money`."""
    return name.partition(".")[2]


def readable(id: str) -> str:
    """An id as people read it: `special_deck` is "special deck"; below a variant's script lies the same "as it was"."""
    text = " ".join(plain(id).replace("_", " ").replace(".", " ").split())
    return f"{text} as it was" if is_beneath(id) else text


def titled(id: str) -> str:
    """An id as the name of something: `end_of_round` is "End of round"."""
    return capital(readable(id))


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def plural(words: str) -> str:
    """Many of what a noun names; its last word is what changes, or the one before "of": "pieces of silver"."""
    head, of, rest = words.partition(" of ")
    *before, noun = head.split(" ")
    return " ".join([*before, _MANY.get(noun) or _with_s(noun)]) + of + rest


def is_plural(words: str) -> bool:
    """Whether a name reads as several: "coins", "dice", "cards set aside"."""
    head, *rest = words.split(" of ")[0].split(" ")
    return any(word in _ONE or (word.endswith("s") and not word.endswith(_SINGULAR)) for word in (head, *rest[-1:]))


def article(words: str) -> str:
    """`a card`, `an event`, `a unicorn`, `an hour`."""
    low = words.lower()
    vowel = low[:1] in "aeiou" and not low.startswith(_CONSONANT_SOUND)
    spelt = words[:1] in "FHLMNRSX" and words[:2].isupper()
    eight = low.startswith(("8", "11 ", "18 "))
    return f"an {words}" if vowel or spelt or eight or low.startswith(_VOWEL_SOUND) else f"a {words}"


def verb(base: str, agrees: Agreement) -> str:
    """The form of a verb for who does it; further words stay: "put back", "puts back"."""
    head, blank, rest = base.partition(" ")
    if head == "be":
        return _OF_BE[agrees] + blank + rest
    if agrees != "one":
        return base
    return ({"have": "has", "do": "does", "go": "goes"}.get(head) or _with_s(head)) + blank + rest


def _with_s(word: str) -> str:
    """Many of a noun, or what one does of a verb: `cards`, `boxes`, `carries`."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def base_form(form: str) -> str:
    """The verb that `draws`, `is`, `carries` are forms of."""
    known = {"is": "be", "are": "be", "has": "have", "does": "do", "goes": "go"}
    if form in known:
        return known[form]
    if form.endswith("ies"):
        return form[:-3] + "y"
    if form.endswith(("sses", "xes", "ches", "shes", "oes")):
        return form[:-2]
    return form[:-1] if form.endswith("s") and not form.endswith("ss") else form


def listed(items: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b, and c`."""
    if len(items) < 3:
        return f" {word} ".join(items)
    return f"{', '.join(items[:-1])}, {word} {items[-1]}"


def often(number: int) -> str:
    """`once`, `twice`, `3 times`."""
    return _TIMES.get(number, f"{number} times")


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(index: int) -> str:
    """Which one of several, from 0: `first`, `second`."""
    return _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
