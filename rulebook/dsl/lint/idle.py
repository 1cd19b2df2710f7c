"""Lint: sentences that change nothing: an idle assignment or sum, a card that is moved to where it lies.

Bad: `set me.gold = me.gold`. Good: `set me.gold = me.gold + 1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.checking.scope import bare
from rulebook.dsl.document import At
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.lint.uses import Mentions

_UNORDERED = ("loose", "bag", "slot", "pool")
_SET_ALREADY = "It sets a thing to what it is already."
_THERE_ALREADY = "It moves cards to where they lie already."

_SO_ALREADY = "It sets a thing to what the `if` above says that it is."
_CHOSEN_THERE = "It moves what was chosen to where it was chosen from."


def idle_sentences(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    for home in book.homes.values():
        for record in home.of(ir.Sentence, ir.IfElse, ir.And, ir.Or, ir.Compare, ir.BuiltIn, ir.Neighbour):
            why = _find_why(book, mentions, home, record)
            if why:
                yield from book.report("RB508", home, record.at, why=why)
        for loop in home.of(ir.Iterate):
            match loop.next:
                case ir.Local(slot, name, at=at) if slot == loop.slot:
                    yield from book.report("RB508", home, at, why=f"After `{name}` comes `{name}` again, for ever.")
        for record in home.of(ir.If):
            for at in _find_so_already(record):
                yield from book.report("RB508", home, at, why=_SO_ALREADY)
        for at in _find_returned(book, home):
            yield from book.report("RB508", home, at, why=_CHOSEN_THERE)


def _find_returned(book: Book, home: Home) -> Iterator[At]:
    """Moves of a chosen card to where it was chosen from, if that place has no order and nothing moved in between."""
    chosen: dict[int, tuple[ir.Expr, ...]] = {}
    deciders: dict[int, int] = {}
    for node in home.records:
        match node:
            case ir.ChooseEach(decider, picks=picks):
                deciders |= {pick.slot: decider for pick in picks}
            case ir.Pick():
                chosen[node.slot] = tuple(source.list for source in node.sources)
            case ir.PickRandom(slots, source):
                chosen |= dict.fromkeys(slots, (source,))
            case ir.Move(ir.Local(slot), ir.PlaceOf(name) as goal, "", "") if slot in chosen:
                if _is_unordered(book, name) and len(chosen[slot]) == 1 and _lies_in(chosen[slot][0], goal) and node.at:
                    yield node.at
            case ir.Move(ir.Entry(ir.Local(slot), player), ir.PlaceOf(name, owner), "", "") if (
                slot in deciders and slot in chosen and owner == player and _is_unordered(book, name) and node.at
            ):
                own = ir.Local(deciders[slot], home.slots.names[deciders[slot]], type=t.PLAYER)
                there = ir.PlaceOf(name, own, type=node.goal.type)
                if len(chosen[slot]) == 1 and _lies_in(chosen[slot][0], there):
                    yield node.at
        if isinstance(node, ir.Moving | ir.DoRule | ir.DoHook):
            chosen.clear()


def _find_so_already(branch: ir.If) -> Iterator[At]:
    """Find what is set first in a block, to what the condition says that it is already."""
    for block, holds in ((branch.then, True), (branch.otherwise, False)):
        match block[0] if block else None:
            case ir.Assign(target, ir.Const(value), at=at) if at is not None and _says(
                branch.condition, holds, target, value
            ):
                yield at


def _says(condition: ir.Expr, holds: bool, target: ir.Expr, value: object) -> bool:
    """Tell whether a condition that came out so says that the target has this value."""
    match condition:
        case ir.Not():
            return _says(condition.value, not holds, target, value)
        case ir.And() if holds:
            return _says(condition.left, holds, target, value) or _says(condition.right, holds, target, value)
        case ir.Or() if not holds:
            return _says(condition.left, holds, target, value) or _says(condition.right, holds, target, value)
        case ir.IsNothing():
            return holds and value is None and bare(condition.value) == bare(target)
        case ir.Compare(operator, left, ir.Const(known)):
            same = type(known) is type(value) and known == value and bare(left) == bare(target)
            return same and operator == ("==" if holds else "!=")
        case ir.TableMemory() | ir.PlayerMemory() | ir.State():
            return value is holds and bare(condition) == bare(target)
    return False


def _is_unordered(book: Book, place: str) -> bool:
    return place == "box" or book.rulebook.places[place].kept in _UNORDERED


def _find_why(book: Book, mentions: Mentions, home: Home, node: Any) -> str:
    """Find why a sentence or a choice of two values has no effect; empty if it has one."""
    match node:
        case ir.Assign(target, value) if _is_unchanged(target, value):
            return _SET_ALREADY
        case ir.Let(slot, value) if _is_unchanged(ir.Local(slot, home.slots.names[slot], type=value.type), value):
            return _SET_ALREADY
        case ir.Move(cards, ir.PlaceOf(name) as goal, "", "") if _lies_in(cards, goal):
            whole = isinstance(cards, ir.Cards | ir.TheCard)
            return _THERE_ALREADY if whole or _is_unordered(book, name) else ""
        case ir.Drawing(count, source) | ir.MovePieces(count, source):
            if ir.find_goals(node) == (source,) and not getattr(node, "end", "") and not getattr(node, "face", ""):
                return _THERE_ALREADY
            return "It moves no cards." if isinstance(count, ir.Const) and count.value == 0 else ""
        case ir.Repeat(ir.Const(0)):
            return "It is done no times."
        case ir.Mixing():
            place = ir.find_mixed(node)
            if isinstance(place, ir.PlaceOf) and ("places", place.name) not in mentions.read:
                return f"Nothing is ever taken from `{place.name}`, or asked about it."
        case ir.If(_, then, otherwise) if then == otherwise:
            return "Both ways do the same."
        case ir.IfElse() if ir.are_same(node.then, node.otherwise):
            return "Both ways are the same."
        case ir.And(left, right) | ir.Or(left, right) | ir.BuiltIn("min" | "max", (left, right)) if (
            ir.are_same(left, right) and words(left) == words(right)
        ):
            return f"Both sides are `{words(left)}`."
        case ir.Compare(_, left, right) if ir.are_same(left, right) and not isinstance(left, ir.Const):
            return f"It compares `{words(right)}` with itself."
        case ir.Menu(options=(first, second, *more)) if first.body:
            return "All answers do the same." if all(other.body == first.body for other in (second, *more)) else ""
        case ir.Neighbour(ir.Neighbour(player, back), step) if back == -step:
            return f"It comes back to `{words(player)}`."
        case ir.Swap(first, second) if ir.are_same(first, second):
            return "It swaps a thing with itself."
    return ""


def _is_unchanged(target: ir.Expr, value: ir.Expr) -> bool:
    """Tell whether the value is the target's own: `x`, `x + 0`."""
    match value:
        case ir.Arithmetic("+" | "-", left, ir.Const(0)):
            return _is_unchanged(target, left)
        case ir.Arithmetic("+", ir.Const(0), right):
            return _is_unchanged(target, right)
        case ir.Chain(left, ir.Listed(())):
            return _is_unchanged(target, left)
        case ir.WithEntry() if bare(value.table) == bare(target):
            return _is_unchanged(*ir.find_change(value.table, value))
    return bare(target) == bare(value)  # more may be known about one of them


def _lies_in(cards: ir.Expr, goal: ir.PlaceOf) -> bool:
    match cards:
        case ir.Cards() | ir.TheCard():
            return cards.place == goal
        case ir.Filter() | ir.Ordering():
            return _lies_in(cards.list, goal)
        case ir.BuiltIn("first" | "last", (inner, *_)):
            return _lies_in(inner, goal)
    return False
