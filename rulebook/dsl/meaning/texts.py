"""What a card or an action says in words, against what its scripts do: numbers, and what one is told to do.

In: the book. Out: a message at a text, only likely as a guess may be. Never: reads a text as a person would: what is
found are numbers that nothing in the scripts is, and verbs that nothing in the scripts does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.card_fields import is_told
from rulebook.dsl.meaning.book import Book
from rulebook.source import Span

_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMBER = re.compile(r"(?<![\w+-])(" + "|".join([*_NUMBERS, r"[2-9]", r"1[0-2]"]) + r")(?![\w%-])", re.IGNORECASE)
_MOVES = (ir.Move, ir.MovePieces, ir.Draw, ir.Deal, ir.Pass, ir.Swap)
_DEEDS: dict[str, tuple[type[Any], ...]] = {
    "draw": _MOVES,
    "discard": _MOVES,
    "swap": (*_MOVES, ir.Assign, ir.Arrange),
    "exchange": (*_MOVES, ir.Assign, ir.Arrange),
    "steal": (*_MOVES, ir.Assign),
    "shuffle": (ir.Shuffle, ir.Pass),
    "roll": (ir.Roll, ir.PickRandom),
    "reveal": (ir.Reveal, ir.Move, ir.Draw, ir.Swap, ir.Say, ir.Tell),
}
"""What is told in one word, and the sentences one of which it takes."""
_DEED = re.compile(r"(?:^|[.!:;,]\s+|\b(?:then|and|may|must)\s+)(" + "|".join(_DEEDS) + r")\b", re.IGNORECASE)


def texts_against_scripts(book: Book) -> Iterator[Diagnostic]:
    """Every text that says something which its scripts do not."""
    told: set[tuple[str, int]] = set()
    things: dict[str, ir.CardDef | ir.ActionDef] = {**book.rulebook.cards, **book.rulebook.actions}
    for id, thing in things.items():
        span = _place(book, id)
        if thing.text is None or span is None or (span.file.name, span.start) in told:
            continue
        told.add((span.file.name, span.start))
        names = [table[id] for table in book.rulebook.hooks.values() if id in table]
        scripts = [name for name in names if name in book.rulebook.scripts]
        text = _words(thing.text)
        if scripts and text:
            printed = thing.attributes.values() if isinstance(thing, ir.CardDef) else ()
            yield from _against(book, text, span, names, printed)


def _place(book: Book, id: str) -> Span | None:
    """Where the text stands that somebody wrote for this card or action; that of a kind is about no card's script."""
    authored = book.world.authored
    if id in authored.actions:
        text = authored.actions[id].text
    else:
        entry = authored.cards.get(book.world.cards[id].family)
        text = None if entry is None else entry.fields.get("text")
    return None if text is None or is_told(text) else text.span


def _words(text: ir.Expr) -> str:
    """A text without what is put into it."""
    match text:
        case ir.Const(str(words)):
            return words
        case ir.Joined(parts):
            return " … ".join(part for part in parts if isinstance(part, str))
    return ""


def _against(
    book: Book, text: str, span: Span, names: list[str], printed: Iterable[ir.Expr]
) -> Iterator[Diagnostic]:
    records = [one for name in book.below(*names) if name in book.homes for one in book.homes[name].records]
    does = {type(one) for one in records}
    for deed in dict.fromkeys(found.group(1).lower() for found in _DEED.finditer(text)):
        if not does & set(_DEEDS[deed]):
            yield diagnose("RB801", span, said=deed, why="no script of it does that")
    known = _numbers([*records, *printed], book)
    for word in dict.fromkeys(found.group(1).lower() for found in _NUMBER.finditer(text)):
        number = _NUMBERS.index(word) + 2 if word in _NUMBERS else int(word)
        if number not in known:
            yield diagnose("RB801", span, said=word, why=f"nothing in its scripts is {number}")


def _numbers(records: list[Any], book: Book) -> set[int]:
    """Every number that scripts may mean: written, worked out from two that are written, or done so many times."""
    written: set[int] = set()
    many: dict[type[Any], int] = {}
    for one in records:
        many[type(one)] = many.get(type(one), 0) + 1
        match one:
            case ir.Const(int(value)) if not isinstance(value, bool):
                written.add(value)
                written |= {value // worth for worth in book.rulebook.units.values() if value % worth == 0}
            case ir.OptionValue(name) | ir.ByOption(name):
                written |= _of_option(book.rulebook.options[name])
            case ir.Choose(picks=picks) | ir.ChooseEach(picks=picks):
                written.add(len(picks))
            case ir.PickRandom(slots=slots):
                written.add(len(slots))
            case ir.Listed(items) | ir.Menu(options=items):
                written.add(len(items))
    deeds = sum(count for kind, count in many.items() if issubclass(kind, _MOVES))
    written |= {count for kind, count in many.items() if issubclass(kind, ir.Sentence)} | {deeds}
    written |= {number + step for number in written for step in (-1, 1)} if many.get(ir.Compare) else set()
    return written


def _of_option(option: ir.OptionDef) -> set[int]:
    found = {option.default, *(option.choices or ())}
    if isinstance(option.default, tuple):
        return {number for pair in option.default for number in pair}
    if option.low is not None and option.high is not None and option.high - option.low < 100:
        found |= set(range(option.low, option.high + 1))
    return {one for one in found if isinstance(one, int)}
