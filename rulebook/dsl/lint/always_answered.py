"""Lint: questions with one answer, as what is asked about may only be what was chosen from, counted or printed.

Bad: `if way is "Sty"` below `choose way from ["Stay", "Leave"]`, `if n is 4` below `repeat 3 as n`.
Good: `if way is "Stay"`, `if n is 3`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.spelling import nearest
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, Home, words

_ASKED = {
    "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_MOST = 100
"""A longer list of numbers is not gone through."""
_THINGS = frozenset(("card", "player", "action", "place"))
"""Sorts of options that are neither a number nor a text."""


@frozen
class _Written:
    """All numbers and texts that something may be; `and_more`: it may also be what is neither."""

    values: frozenset[int | str]
    and_more: bool = False


def find_always_answered(book: Book) -> Iterator[Diagnostic]:
    """Report each comparison with a constant whose answer is the same for all that may stand there."""
    for home in book.homes.values():
        questions = home.of(ir.Compare)
        named = _collect_named(book, home) if questions else {}
        for question in questions:
            left, right = question.left, question.right
            for asked, side, sign in ((left, right, question.operator), (right, left, _turn(question.operator))):
                value = ir.plain_constant(side)
                written = _find_written(book, named, asked) if value is not None else None
                if written is not None and value is not None and not _may_differ(asked, written, sign, value):
                    yield from _report(book, home, question, asked, value, written)


def _turn(sign: str) -> str:
    return ir.TURNED.get(sign, sign)


def _may_differ(asked: ir.Expr, written: _Written, sign: str, value: int | str) -> bool:
    """Tell whether the answer is yes for some of these and no for others, nothing included where it may be that."""
    answers = {_ASKED[sign](possible, value) for possible in written.values}
    if written.and_more or t.may_be_nothing(asked.type):
        answers.add(sign == "!=")
    return len(answers) > 1


def _report(
    book: Book, home: Home, question: ir.Compare, asked: ir.Expr, value: int | str, written: _Written
) -> Iterator[Diagnostic]:
    near = nearest(value, map(str, written.values)) if isinstance(value, str) else None
    help = f'Did you mean "{near}"?' if near else None
    yield from book.report("RB529", home, question.at, name=words(asked), values=_word_written(written), help=help)


def _word_written(written: _Written) -> str:
    """Word what may stand there: `1 to 3`, `"Pass", or no text`."""
    numbers = sorted(value for value in written.values if isinstance(value, int))
    if len(numbers) > 2 and len(numbers) == numbers[-1] - numbers[0] + 1:
        words = f"{numbers[0]} to {numbers[-1]}"
    else:
        texts = sorted(value for value in written.values if isinstance(value, str))
        words = " or ".join([*map(str, numbers), *(f'"{text}"' for text in texts)])
    return words + (f", or no {'number' if numbers else 'text'}" if written.and_more else "")


def _collect_named(book: Book, home: Home) -> dict[int, _Written]:
    """Collect what names of a script may stand for, where all of it is written down."""
    bound = [*_list_bound(book, home)]
    named = dict(bound)
    for slot, written in bound:  # a name may be given again, and mean something else then
        named[slot] = _join((named[slot], written))
    return {slot: written for slot, written in named.items() if written is not None and written.values}


def _list_bound(book: Book, home: Home) -> Iterator[tuple[int, _Written | None]]:
    """Yield each name where it gets a meaning, with all that it may be there; None if that is not written down."""
    for record in home.records:
        match record:
            case ir.Choose(picks=picks) | ir.ChooseEach(picks=picks) | ir.Offer(picks=picks):
                for pick in picks:
                    lists = [source.list for source in pick.sources if source.sort not in _THINGS]
                    listed = None if pick.many else _join(_list(book, each) for each in lists)
                    yield pick.slot, listed and evolve(listed, and_more=len(lists) < len(pick.sources))
            case ir.ForEach(slot, listed) | ir.PickRandom((slot,), listed, count=None):
                yield slot, _list(book, listed)
            case ir.Repeat(ir.Node() as count, int(index)):
                times = _read_written(book, count)
                yield index, times and _list_numbers(frozenset({1}), times.values)
            case ir.Let(slot, value):
                yield slot, _read_written(book, value)
            case ir.Sentence():
                yield from ((slot, None) for slot in ir.find_bound(record))


def _join(lists: Iterable[_Written | None]) -> _Written | None:
    """Join what comes from several lists; None if of one of them it is not known."""
    values, and_more = frozenset[int | str](), False
    for listed in lists:
        if listed is None:
            return None
        values, and_more = values | listed.values, and_more or listed.and_more
    return _Written(values, and_more)


def _list(book: Book, listed: ir.Expr) -> _Written | None:
    """List the numbers or texts of a list; None if they are not written down."""
    match listed:
        case ir.Listed(items):
            return _join(_read_written(book, item) for item in items)
        case ir.Span():
            low, high = _read_written(book, listed.first), _read_written(book, listed.last)
            return _list_numbers(low.values, high.values) if low and high else None
        case ir.Filter() | ir.Sorted():
            return _list(book, listed.list)
    return None


def _list_numbers(lows: Iterable[int | str], highs: Iterable[int | str]) -> _Written | None:
    numbers = [number for number in (*lows, *highs) if isinstance(number, int)]
    low, high = min(numbers), max(number for number in highs if isinstance(number, int))
    return _Written(frozenset(range(low, high + 1))) if high - low < _MOST else None


def _read_written(book: Book, value: ir.Expr) -> _Written | None:
    """Read what a number or text may be, with every setting of an option; None if it is worked out."""
    match value:
        case ir.OptionValue(name, None):
            option = book.rulebook.options[name]
            if option.low is not None and option.high is not None:
                return _list_numbers({option.low}, {option.high})
            plain = [choice for choice in option.choices or () if isinstance(choice, int) and choice is not True]
            return _Written(frozenset(plain)) if plain and len(plain) == len(option.choices or ()) else None
        case ir.ByOption(_, cases):
            return _join(_read_written(book, case) for _, case in cases)
    constant = ir.plain_constant(value)
    return None if constant is None else _Written(frozenset({constant}))


def _find_written(book: Book, named: Mapping[int, _Written], asked: ir.Expr) -> _Written | None:
    match asked:
        case ir.Local(slot):
            return named.get(slot)
        case ir.Entry(ir.Local(slot), key) if t.surely(key.type) == t.PLAYER:
            return named.get(slot)
        case ir.Attribute():
            return _list_printed(book, asked.name, t.kinds_of(asked.card.type))
    return None


def _list_printed(book: Book, attribute: str, kinds: frozenset[str]) -> _Written | None:
    """List what cards of these kinds print; None if one of them prints nothing there, or what is worked out."""
    cards = [card for card in book.rulebook.cards.values() if card.kind in kinds]
    printed = [
        {**card.attributes, **group}.get(attribute)
        for card in cards
        for group in [differing for _, differing in card.copies] or [{}]
    ]
    found = _join(None if value is None else _read_written(book, value) for value in printed)
    return found if found is not None and found.values else None
