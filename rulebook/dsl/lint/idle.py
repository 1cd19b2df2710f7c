"""Sentences that change nothing: `set x = x`, `add 0 to x`, a card that is moved to where it lies.

In: the book. Out: a message at each. Never: follows the flow; these say nothing wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book
from rulebook.dsl.lint.uses import Mentions, Name

_UNORDERED = ("loose", "bag", "slot", "pool")
Names = set[Name]
"""What is asked for."""


def idle_sentences(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """Every sentence without an effect."""
    for home in book.homes.values():
        for one in home.of(*_WHY):
            why = next(find for kind, find in _WHY.items() if isinstance(one, kind))(book, one, mentions.read)
            if why:
                yield from book.report("RB508", home, one.at, why=why)


# ── what is idle about a sentence, or nothing ────────────────────────────────────────────────────────────────────────


def _set(book: Book, one: ir.Assign, read: Names) -> str:
    return "It sets a thing to what it is already." if _same(one.target, one.value) else ""


def _let(book: Book, one: ir.Let, read: Names) -> str:
    return "It sets a thing to what it is already." if _same_slot(one.slot, one.value) else ""


def _move(book: Book, one: ir.Move, read: Names) -> str:
    match one:
        case ir.Move(cards, ir.PlaceOf(name) as goal, "", ""):
            if (name == "box" or book.rulebook.places[name].kept in _UNORDERED) and _lies_in(cards, goal):
                return "It moves cards to where they lie already."
    return ""


def _hand_over(book: Book, one: ir.Drawing | ir.MovePieces, read: Names) -> str:
    if ir.find_goals(one) == (one.source,) and not getattr(one, "end", "") and not getattr(one, "face", ""):
        return "It moves cards to where they lie already."
    return "It moves no cards." if one.count is not None and _is_zero(one.count) else ""


def _repeat(book: Book, one: ir.Repeat, read: Names) -> str:
    return "It is done no times." if one.count is not None and _is_zero(one.count) else ""


def _shuffle(book: Book, one: ir.Shuffle, read: Names) -> str:
    match one.place:
        case ir.PlaceOf(name) if ("places", name) not in read:
            return f"Nothing is ever taken from `{name}`, or asked about it."
    return ""


def _if(book: Book, one: ir.If, read: Names) -> str:
    return "Both ways do the same." if one.then == one.otherwise else ""


def _if_else(book: Book, one: ir.IfElse, read: Names) -> str:
    return "Both ways are the same." if one.then == one.otherwise else ""


def _menu(book: Book, one: ir.Menu, read: Names) -> str:
    alike = len(one.options) > 1 and _alike([option.body for option in one.options])
    return "All answers do the same." if alike else ""


def _swap(book: Book, one: ir.Swap, read: Names) -> str:
    return "It swaps a thing with itself." if one.first == one.second else ""


_WHY: dict[type[Any], Callable[[Book, Any, Names], str]] = {
    ir.Assign: _set,
    ir.Let: _let,
    ir.Move: _move,
    ir.Drawing: _hand_over,
    ir.MovePieces: _hand_over,
    ir.Repeat: _repeat,
    ir.Shuffle: _shuffle,
    ir.If: _if,
    ir.IfElse: _if_else,
    ir.Menu: _menu,
    ir.Swap: _swap,
}
"""What can be idle, and why it is."""

# ── what is the same ─────────────────────────────────────────────────────────────────────────────────────────────────


def _is_zero(count: ir.Expr) -> bool:
    return isinstance(count, ir.Const) and count.value == 0


def _same(target: ir.Expr, value: ir.Expr) -> bool:
    """Whether the value is the target's own: `x`, `x + 0`."""
    match value:
        case ir.Arithmetic("+" | "-", left, ir.Const(0)):
            return _same(target, left)
        case ir.Arithmetic("+", ir.Const(0), right):
            return _same(target, right)
        case ir.Chain(left, ir.Listed(())):
            return _same(target, left)
    return _alike_but_type(target, value)


def _alike_but_type(one: ir.Expr, other: ir.Expr) -> bool:
    """The same thing, though more may be known about one of them."""
    if type(one) is not type(other):
        return False
    match one, other:
        case ir.TableMemory(name), ir.TableMemory(other_name):
            return name == other_name
        case ir.PlayerMemory(name, player), ir.PlayerMemory(other_name, other_player):
            return name == other_name and _alike_but_type(player, other_player)
        case ir.State(name, card), ir.State(other_name, other_card):
            return name == other_name and _alike_but_type(card, other_card)
        case ir.Local(slot, _), ir.Local(other_slot, _):
            return slot == other_slot
    return one == other


def _same_slot(slot: int, value: ir.Expr) -> bool:
    return _same(ir.Local(slot, "", type=value.type), value)


def _lies_in(cards: ir.Expr, goal: ir.PlaceOf) -> bool:
    match cards:
        case ir.Cards(place) | ir.TheCard(place):
            return place == goal
        case ir.Filter(inner) | ir.Ordering(inner):
            return _lies_in(inner, goal)
        case ir.BuiltIn("first" | "last", (inner, *_)):
            return _lies_in(inner, goal)
    return False


def _alike(blocks: list[ir.Block]) -> bool:
    return bool(blocks[0]) and all(block == blocks[0] for block in blocks)
