"""The look of each card: signs in its corner and middle, its picture and its back; said by `display`, or found.

Page, print and virtual tabletops read the same record, so a card looks alike in all of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.ir import CardDef, Rulebook, Sign
from rulebook.glyphs import list_glyphs
from rulebook.plurals import plural, word_amount

_NUMBER = re.compile(r"(?<![\w.,])[-−]?[0-9]+(?![\w]|[.,][0-9])")
_MOST_LETTERS = 4


@frozen
class CardLook:
    """The look of a card beside its words: signs in its corner, from top to bottom, the sign in its middle, its
    picture, and its back. A picture is the path of a file in the game's folder.
    """

    corner: tuple[Sign, ...] = ()
    middle: Sign | None = None
    picture: str = ""
    back: Sign | None = None

    def list_files(self) -> list[str]:
        """The paths of all pictures on it."""
        signs = [sign for sign in (*self.corner, self.middle, self.back) if sign is not None]
        files = [sign.said for sign in signs if sign.form == "file"]
        return [self.picture, *files] if self.picture else files

    def write_fields(self) -> dict[str, object]:
        """All that there is."""
        fields = {
            "corner": [write_sign(sign) for sign in self.corner],
            "middle": None if self.middle is None else write_sign(self.middle),
            "picture": self.picture,
            "back": None if self.back is None else write_sign(self.back),
        }
        return {name: value for name, value in fields.items() if value}


def write_sign(sign: Sign) -> dict[str, str]:
    """`{"glyph": "heart"}`, `{"letters": "J"}` or `{"file": "art/fox.svg"}`."""
    return {sign.form: sign.said}


def find_sign(rulebook: Rulebook, name: str) -> Sign | None:
    """Find the sign of a word, a kind or a card: that of the rulebook, else the glyph that is called like it, or of
    which it is the plural.
    """
    said = rulebook.display.symbols.get(name)
    if said is not None:
        return said
    glyph = _list_names().get(name)
    return None if glyph is None else Sign("glyph", glyph)


@cache
def _list_names() -> dict[str, str]:
    """Glyphs by their names, and by the plurals of these."""
    return {name: glyph for glyph in list_glyphs() for name in (plural(glyph), glyph)}


def make_looks(rulebook: Rulebook, names: Mapping[str, str]) -> dict[str, CardLook]:
    """Make the look of each card, by its id; `names` are what people read."""
    looks, of_kind = dict[str, CardLook](), defaultdict[str, list[str]](list)
    for id in names:
        of_kind[rulebook.cards[id].kind].append(id)
    for ids in of_kind.values():
        found = _find_corners(rulebook, {id: names[id] for id in ids})
        for id in ids:
            looks[id] = _make_look(rulebook, rulebook.cards[id], found[id])
    return {id: looks[id] for id in names}


def _make_look(rulebook: Rulebook, card: CardDef, corner: tuple[Sign, ...]) -> CardLook:
    said = rulebook.display.looks.get(card.id, ir.Look())
    if said.corner is not None:
        corner = tuple(sign for attribute in said.corner for sign in find_signs_of(rulebook, card, attribute))
    middle = said.middle
    if isinstance(middle, str):
        middle = next(iter(find_signs_of(rulebook, card, middle)), None)
    elif middle is None:
        middle = _find_middle(rulebook, card)
    return CardLook(corner, middle, "" if said.picture is None else said.picture.said, said.back)


def _find_middle(rulebook: Rulebook, card: CardDef) -> Sign | None:
    """The sign of the card itself, of the first word on it that has one, or of its kind."""
    names = [card.id, card.id.partition(".")[0], *_words(card), *_kinds(rulebook, card)]
    return next((sign for name in names if (sign := find_sign(rulebook, name)) is not None), None)


def _words(card: CardDef) -> list[str]:
    return [value for printed in card.attributes.values() if isinstance(value := ir.plain_constant(printed), str)]


def _kinds(rulebook: Rulebook, card: CardDef) -> list[str]:
    above = rulebook.kinds[card.kind].ancestors if card.kind in rulebook.kinds else ()
    return [card.kind, *(kind for kind in above if kind != card.kind)]


def find_signs_of(rulebook: Rulebook, card: CardDef, attribute: str) -> list[Sign]:
    """Find the signs for what is printed on a card under one attribute: those of its words or its number, or the number
    itself; none for what has none.
    """
    printed = card.attributes.get(attribute)
    match None if printed is None else ir.as_constant(printed):
        case ir.Const(value=tuple() as members):
            found = [_sign_of_word(rulebook, word) for word in members if isinstance(word, str)]
            return [sign for sign in found if sign is not None]
        case ir.Listed(items=items, type=t.ListOf()):
            listed = [ir.plain_constant(item) for item in items]
            found = [_sign_of_word(rulebook, word) for word in listed if isinstance(word, str)]
            return [sign for sign in found if sign is not None]
        case ir.Const(value=bool() | None):
            return []
        case ir.Const(value=int() as number, type=type):
            said = rulebook.display.numerals.get(attribute, {}).get(number)
            words = word_amount(number, rulebook.units) if t.AMOUNT in t.members(type) else str(number)
            return [said or Sign("letters", re.split(r"[\s\u00a0]", words)[0])]
        case ir.Const(value=str() as word):
            sign = _sign_of_word(rulebook, word)
            return [] if sign is None else [sign]
    return []


def _sign_of_word(rulebook: Rulebook, word: str) -> Sign | None:
    called = next((words[word] for words in rulebook.words.values() if word in words), word)
    return find_sign(rulebook, word) or (Sign("letters", called) if len(called) <= _MOST_LETTERS else None)


def _find_corners(rulebook: Rulebook, names: Mapping[str, str]) -> dict[str, tuple[Sign, ...]]:
    """Find what stands in the corners of cards of one kind of which nothing is said: the number in a card's name, or
    its first letter where that tells all of them apart; below it the sign of its word. `names` go by id.
    """
    letters, signs = dict[str, str](), dict[str, Sign | None]()
    for id, name in names.items():
        card = rulebook.cards[id]
        signs[id] = next((sign for word in _words(card) if (sign := find_sign(rulebook, word)) is not None), None)
        is_counted = any(type(ir.plain_constant(printed)) is int for printed in card.attributes.values())
        number = _NUMBER.search(name) if is_counted else None
        letters[id] = "" if not is_counted else number[0] if number else name[:1].upper()
    titles = defaultdict[tuple[str, Sign | None], set[str]](set)
    for id, name in names.items():
        titles[letters[id], signs[id]].add(name)
    may_initial = all(len(group) == 1 for (letter, _), group in titles.items() if letter and not _is_number(letter))
    return {id: _join(letter if _is_number(letter) or may_initial else "", signs[id]) for id, letter in letters.items()}


def _is_number(letters: str) -> bool:
    return letters[-1:].isdigit()


def _join(letter: str, sign: Sign | None) -> tuple[Sign, ...]:
    return tuple(part for part in (Sign("letters", letter) if letter else None, sign) if part is not None)
