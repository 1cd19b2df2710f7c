"""Lint: things asked for that can never be there: a line too long for its grid, an answer of who did not choose, a card
with a number that none has.

Bad: `each p in others chooses gift` and behind it `gift[me]`. Good: `gift[friend]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.lint.possible import Possible
from rulebook.dsl.walk import everything


def never_there(book: Book, possible: Possible) -> Iterator[Diagnostic]:
    """Every expression that is always nothing, or is nothing for some of a list of numbers or words."""
    for home in book.homes.values():
        possible.home = home
        yield from _find_answers_of_nobody(book, home)
        yield from _find_long_lines(book, possible, home)
        yield from _find_gaps(book, possible, home)


def _find_answers_of_nobody(book: Book, home: Home) -> Iterator[Diagnostic]:
    """`gift[me]` behind `each p in others chooses gift`."""
    for choice in home.of(ir.ChooseEach):
        without = _find_left_out(choice.players)
        slots = {pick.slot for pick in choice.picks}
        bound = [slot for statement in home.of(ir.Sentence) for slot in ir.find_bound(statement) if slot in slots]
        if without is None or len(bound) > len(slots):
            continue
        for answer in home.of(ir.PerPlayerAnswer):
            match answer:
                case ir.PerPlayerAnswer(ir.Local(slot), ir.Local(player)) if slot in slots and player == without:
                    missing = f"`{words(choice.players)}` choose it, and `{words(answer.player)}` is none of them"
                    yield from book.report("RB511", home, answer.at, name=words(answer), missing=missing)
                    break


def _find_left_out(players: ir.Expr) -> int | None:
    """Find the one player who is not among these, by slot."""
    match players:
        case ir.Clockwise(ir.Local(slot), after=True):
            return slot
        case ir.Filter(ir.Seats(), it, ir.Not(ir.Compare("==", ir.Local(me), ir.Local(other)))) if it in (me, other):
            return me + other - it
    return None


def _find_long_lines(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    for lines in home.of(ir.BuiltIn):
        if lines.name != "lines" or lines.at is None:
            continue
        grids = [part for part in everything(lines.arguments[0]) if isinstance(part, ir.PlaceOf)]
        size = book.rulebook.places[grids[0].name].size if grids and grids[0].name != "box" else None
        sides = [possible.values(side) for side in size or ()]
        length = possible.values(lines.arguments[1])
        if length is None or not sides or length.low > length.high:
            continue
        longest = max(float("inf") if side is None else side.high for side in sides)
        if length.low > longest:
            name = words(lines)
            missing = f"no row, column or diagonal of `{grids[0].name}` has more than {longest:.0f} positions"
            yield from book.report("RB511", home, lines.at, name=name, missing=missing)


def _find_gaps(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    """A card for each of a list of numbers or words, one of which is printed on none."""
    for each in home.of(ir.Each):
        match each.body:
            case ir.BuiltIn("first", (ir.Filter(listed, it, condition),)):
                pass
            case _:
                continue
        for node in everything(condition):
            match node:
                case ir.Compare("==", ir.Attribute(name, ir.Local(card)) as printed, ir.Local(slot)) if (
                    card == it and slot == each.slot
                ):
                    pass
                case _:
                    continue
            wanted, numbers = possible.values(each.list), possible.values(printed)
            if wanted is None or numbers is None or wanted.few is None or numbers.few is None or numbers.others:
                continue
            lacking = sorted(wanted.few - numbers.few)
            if lacking and wanted.few & numbers.few and isinstance(listed.type, t.ListOf):
                missing = f"no card has the {name} {', '.join(map(str, lacking))}"
                yield from book.report("RB511", home, node.at, name=words(node), missing=missing)
