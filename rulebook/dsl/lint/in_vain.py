"""Lint: sentences for which those before them leave nothing to do, and those that only the first round needs.

Bad: `move deck to pile`, then `shuffle deck`. Good: `shuffle pile`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl import ir
from rulebook.dsl.checking.scope import bare
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.walk import blocks, everything, statements

_MOVED_AGAIN = "The line above has moved the same card: only one of the two counts."
_EMPTIED = "The line above has moved away all that lay there."


def sentences_in_vain(book: Book) -> Iterator[Diagnostic]:
    """Every sentence that changes nothing, as what was done before it has done it or undone it."""
    for home in book.homes.values():
        if not isinstance(home.root, ir.Script):
            continue
        for block in (home.root.body, *(inner for statement in home.of(ir.Sentence) for inner in blocks(statement))):
            for before, behind in pairwise(block):
                why = _find_why(book, before, behind)
                if why:
                    labels = [Label(before.at.span, "the line above")] if before.at is not None else []
                    yield from book.report("RB508", home, behind.at, why=why, labels=labels)
        for loop in home.of(ir.ForEach):
            for statement in _find_for_the_first_round(loop):
                why = f"Only the first round needs it, as it says nothing of `{home.slots.names[loop.slot]}`."
                yield from book.report("RB508", home, statement.at, why=why)
        yield from _find_given_again(book, home)


def _find_why(book: Book, before: ir.Sentence, sentence: ir.Sentence) -> str:
    match before, sentence:
        case ir.Move(cards=ir.Local() | ir.Entry() as moved), ir.Move(cards=again) if bare(moved) == bare(
            again
        ):
            return _MOVED_AGAIN
    emptied = _find_emptied(before)
    match sentence:
        case ir.Mixing() if emptied is not None and ir.find_mixed(sentence) == emptied:
            return _EMPTIED
        case ir.MovePieces(_, place) if emptied is not None and place == emptied:
            return _EMPTIED
        case ir.Drawing(source=ir.PlaceOf(name) as place) if emptied is not None and place == emptied:
            return "" if book.rulebook.places[name].refill else _EMPTIED
    return _EMPTIED if emptied is not None and _find_emptied(sentence) == emptied else ""


def _find_emptied(sentence: ir.Sentence) -> ir.Expr | None:
    """Find the place of which a sentence takes all that lies there."""
    match sentence:
        case ir.Move(cards=ir.Cards(ir.PlaceOf() as place), goal=goal) | ir.MovePieces(
            None, ir.PlaceOf() as place, goal
        ):
            return place if goal != place else None
    return None


def _find_for_the_first_round(loop: ir.ForEach) -> Iterator[ir.Sentence]:
    """Find sentences of a loop that do without its name, and that a second round finds done."""
    inside = statements(loop.body)
    if any(isinstance(statement, ir.Leave | ir.DoRule | ir.DoHook) for statement in inside):
        return
    own = {loop.slot, loop.index, *(slot for statement in inside for slot in ir.find_bound(statement))}
    named = (ir.Through, ir.ForEach, ir.Offer, ir.Pick)
    own |= {part.slot for part in everything(*loop.body) if isinstance(part, named)}
    for statement in loop.body:
        place = _find_emptied(statement)
        # What goes to whom the round is for may well go to the first, where it is the only one.
        if isinstance(place, ir.PlaceOf) and not _speaks_of(statement, own) and not _is_filled(place.name, inside):
            yield statement
        match statement:
            case ir.Assign(target, ir.Const()) if not _speaks_of(target, own) and not _is_set_beside(statement, inside):
                yield statement


def _is_set_beside(here: ir.Assign, inside: list[ir.Statement]) -> bool:
    return any(
        isinstance(other, ir.Assign) and other is not here and other.target.name == here.target.name for other in inside
    )


def _speaks_of(node: ir.Expr | ir.Sentence, slots: set[int | None]) -> bool:
    return any(isinstance(part, ir.Local) and part.slot in slots for part in everything(node))


def _is_filled(place: str, inside: list[ir.Statement]) -> bool:
    for sentence in inside:
        if isinstance(sentence, ir.Deal | ir.Pass) and sentence.place == place:
            return True
        goals = ir.find_goals(sentence) if isinstance(sentence, ir.Moving) else ()
        if any(not isinstance(goal, ir.PlaceOf) or goal.name == place for goal in goals):
            return True
    return False


def _find_given_again(book: Book, home: Home) -> Iterator[Diagnostic]:
    """Every `set` of a name to what it was given first, if it is never given anything else."""
    lets: dict[int, list[ir.Let]] = {}
    for let in home.of(ir.Let):
        lets.setdefault(let.slot, []).append(let)
    bound = [slot for part in home.of(ir.Sentence) if not isinstance(part, ir.Let) for slot in ir.find_bound(part)]
    fixed = set(range(home.parameters)) - set(bound) - lets.keys()
    for slot, (first, *later) in lets.items():
        value = first.value
        is_fixed = isinstance(value, ir.Const) or (isinstance(value, ir.Local) and value.slot in fixed)
        if later and is_fixed and slot not in bound and all(bare(again.value) == bare(value) for again in later):
            why = f"`{home.slots.names[slot]}` is never given anything else than `{words(value)}`."
            for again in later:
                yield from book.report("RB508", home, again.at, why=why)
