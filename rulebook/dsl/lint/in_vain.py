"""Lint: sentences for which those before them leave nothing to do, and those that only the first round needs.

Bad: `move deck to pile`, then `shuffle deck`. Good: `shuffle pile`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl import ir
from rulebook.dsl.checking.scope import bare
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.walk import blocks, everything, statements

_MOVED_AGAIN = "The line above has moved the same card: only one of the two counts."
_EMPTIED = "The line above has moved away all that lay there."
_TAKEN_BACK = "Together with the line marked above, `{target}` stays as it was: the same is added and taken away."
_STEADY = (ir.Const, ir.Local, ir.OptionValue, ir.Seats, ir.Arithmetic)
"""Values that no sentence of a loop changes while everybody who plays goes on playing."""


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
            yield from _find_taken_back(book, home, block)
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


def _find_taken_back(book: Book, home: Home, block: ir.Block) -> Iterator[Diagnostic]:
    """Every sum that takes away what one before it has added, or the other way round, if none between asks for it."""
    sums: list[tuple[ir.Assign, ir.Expr, ir.Expr, bool]] = []
    for sentence in block:
        if not isinstance(sentence, ir.Assign | ir.Say):
            sums.clear()
            continue
        here = _find_sum(sentence) if isinstance(sentence, ir.Assign) else None
        # Sums may change their order, whosever they are: of one only how much it adds is read.
        read = _find_memories(here[1] if here else sentence)
        for before, target, amount, is_more in sums:
            if here is not None and here[:2] == (target, amount) and here[2] is not is_more and before.at is not None:
                labels = [Label(before.at.span, "this one")]
                why = _TAKEN_BACK.format(target=words(before.target))
                yield from book.report("RB508", home, sentence.at, why=why, labels=labels)
        sums = [each for each in sums if each[0].target.name not in read]
        if isinstance(sentence, ir.Assign):
            sums = [each for each in sums if sentence.target.name not in _find_memories(each[2])]
            sums += [(sentence, *here)] if here is not None else []


def _find_memories(*parts: Any) -> set[str]:
    return {part.name for part in everything(*parts) if isinstance(part, ir.TableMemory | ir.PlayerMemory | ir.State)}


def _find_sum(sentence: ir.Assign) -> tuple[ir.Expr, ir.Expr, bool] | None:
    """Return what a sentence adds to, or takes from, how much, and whether it adds; None if it reckons otherwise, or by
    what it changes.
    """
    target, value = ir.find_change(sentence.target, sentence.value)
    match value:
        case ir.Arithmetic("+" | "-" as operator, left, more) if bare(left) == bare(target):
            is_more = operator == "+"
        case _:
            return None
    match more:
        case ir.Arithmetic("-", ir.Const(0), amount) | ir.Arithmetic("*", amount, ir.Const(-1)):
            more, is_more = amount, not is_more
        case ir.Const(int(number)) if number < 0:
            more, is_more = evolve(more, value=-number), not is_more
    return (bare(target), bare(more), is_more) if sentence.target.name not in _find_memories(more) else None


def _find_emptied(sentence: ir.Sentence) -> ir.PlaceOf | None:
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
            case ir.Assign(target, value) if (
                _is_steady(value, inside)
                and not _speaks_of(target, own)
                and not _speaks_of(value, own)
                and not _is_set_beside(statement, inside, loop)
            ):
                yield statement


def _is_steady(value: ir.Expr, inside: list[ir.Statement]) -> bool:
    """Tell whether a value is the same in each round."""
    for part in everything(value):
        if not isinstance(part, _STEADY) and not (isinstance(part, ir.BuiltIn) and part.name == "count"):
            return False
    return isinstance(value, ir.Const) or not any(isinstance(other, ir.Eliminate) for other in inside)


def _is_set_beside(here: ir.Assign, inside: list[ir.Statement], loop: ir.ForEach) -> bool:
    return any(
        isinstance(other, ir.Assign)
        and other is not here
        and other.target.name == here.target.name
        and not _is_of_others(other.target, here.target, loop)
        for other in inside
    )


def _is_of_others(target: ir.Expr, mine: ir.Expr, loop: ir.ForEach) -> bool:
    """Tell whether a target belongs to the one of a loop, who is never the one that the other belongs to."""
    gone_through = loop.list
    while isinstance(gone_through, ir.Filter):
        gone_through = gone_through.list
    match target, mine, gone_through:
        case ir.PlayerMemory(_, ir.Local(slot)), ir.PlayerMemory(_, owner), ir.Clockwise(start, after=True):
            return slot == loop.slot and bare(owner) == bare(start)
    return False


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
