"""Sentences that change nothing: `set x = x`, `add 0 to x`, a card that is moved to where it lies.

In: the book. Out: a message at each. Never: follows the flow; these say nothing wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.meaning.book import Book
from rulebook.dsl.meaning.uses import Mentions

_SORTS = frozenset(
    {ir.Assign, ir.Let, ir.Move, ir.Draw, ir.Deal, ir.MovePieces, ir.Repeat, ir.Shuffle, ir.If, ir.IfElse, ir.Menu}
    | {ir.Swap}
)
"""What can be idle."""
_UNORDERED = ("loose", "bag", "slot", "pool")


def idle_sentences(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """Every sentence without an effect."""
    for home in book.own:
        for one in home.of(_SORTS):
            why = _why(book, one, mentions.read)
            if why:
                yield from book.report("RB508", home, one.at, why=why)


def _why(book: Book, one: Any, read: set[tuple[str, str]]) -> str:
    """What is idle about it, or nothing."""
    match one:
        case ir.Assign(target, value) if _same(target, value):
            return "It sets a thing to what it is already."
        case ir.Let(slot, value) if _same_slot(slot, value):
            return "It sets a thing to what it is already."
        case ir.Move(cards, ir.PlaceOf(name) as goal, "", ""):
            if (name == "box" or book.rulebook.places[name].kept in _UNORDERED) and _lies_in(cards, goal):
                return "It moves cards to where they lie already."
        case ir.Draw(_, source, goal, "", "") | ir.MovePieces(_, source, goal) if source == goal:
            return "It moves cards to where they lie already."
        case ir.Draw(count=ir.Const(0)) | ir.Deal(count=ir.Const(0)) | ir.MovePieces(count=ir.Const(0)):
            return "It moves no cards."
        case ir.Repeat(ir.Const(0)):
            return "It is done no times."
        case ir.Shuffle(ir.PlaceOf(name)) if ("places", name) not in read:
            return f"Nothing is ever taken from `{name}`, or asked about it."
        case ir.If(_, then, otherwise) if then == otherwise:
            return "Both ways do the same."
        case ir.IfElse(_, then, otherwise) if then == otherwise:
            return "Both ways are the same."
        case ir.Menu(options=options) if len(options) > 1 and _alike([option.body for option in options]):
            return "All answers do the same."
        case ir.Swap(first, second) if first == second:
            return "It swaps a thing with itself."
    return ""


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
        case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Best(inner, _, _):
            return _lies_in(inner, goal)
        case ir.BuiltIn("first" | "last", (inner, *_)):
            return _lies_in(inner, goal)
    return False


def _alike(blocks: list[ir.Block]) -> bool:
    return bool(blocks[0]) and all(block == blocks[0] for block in blocks)
