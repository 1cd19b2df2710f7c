"""Lists of words, printed as masks: a bit for each word of the rulebook, which are numbered first.

In: an `ir.Expr` that is a list of words, and who prints it. Out: its mask, which every list that stands somewhere keeps
beside its length; others are put together without a list. Never: an order; how often a word stands there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.native.paper import MOST_BITS

if TYPE_CHECKING:
    from rulebook.interpreter.native.loops import Loops

STANDS = ir.TableMemory | ir.PlayerMemory | ir.State | ir.Attribute | ir.Local
"""Loops that are never made when they are asked for."""


@frozen
class Mask:
    """Which words are in a list. `once`: none is in it twice."""

    text: str
    once: bool


def has_mask(prints: Loops, expr: ir.Expr) -> bool:
    """Whether a list has only words for which there are bits."""
    of = expr.type
    if not isinstance(of, t.ListOf) or not isinstance(of.item, t.Symbol) or prints.may(expr):
        return False
    return all(prints.paper.words[word] < MOST_BITS for word in prints.tables.rulebook.words[of.item.enumeration])


def mask_of(prints: Loops, expr: ir.Expr) -> Mask:
    """The mask of a list that has one."""
    if is_settled(prints.plan.book, expr):
        words = settled(prints.plan.book, expr)
        return Mask(prints.paper.mask(words), len({*words}) == len(words))
    match expr:
        case ir.BuiltIn("distinct", (list,)):
            return Mask(mask_of(prints, list).text, once=True)
        case ir.Chain(first, second):
            return Mask(f"({mask_of(prints, first).text} | {mask_of(prints, second).text})", once=False)
        case ir.Filter(list, slot, ir.Within(ir.Local(one), other)) if one == slot and is_the_same(prints, slot, other):
            whole = mask_of(prints, list)
            return Mask(f"({whole.text} & {mask_of(prints, other).text})", whole.once)
        case ir.IfElse(condition, then, otherwise):
            once = set[bool]()

            def either(one: ir.Expr) -> str:
                mask = mask_of(prints, one)
                once.add(mask.once)
                return mask.text

            found = prints.either(condition, lambda: either(then), lambda: either(otherwise))
            return Mask(found, once == {True})
        case ir.CallValue(name, arguments) if (there := prints.inside(name, arguments)) is not None:
            mask = mask_of(*there)
            prints.lacking += there[0].lacking
            return mask
        case ir.Filter() | ir.Each():
            found = prints.kept("0")
            prints.through(expr, lambda one: prints.put(f"{found} |= BIT({one});"))
            return Mask(found, once=False)
    alone = isinstance(expr, ir.Attribute) and all(
        len({*words}) == len(words) for words in prints.tables.attributes[expr.name] if isinstance(words, tuple)
    )
    return Mask(f"list_at(s, {prints.sure(expr)})[MASK]", alone)


def is_the_same(prints: Loops, slot: int, expr: ir.Expr) -> bool:
    """Whether a list has one mask whatever is in a local, and asks nothing of nothing for it."""
    if not has_mask(prints, expr) or any(isinstance(one, ir.Local) and one.slot == slot for one in nodes(expr)):
        return False
    before = prints.lacking
    with prints.paper.elsewhere():
        mask_of(prints, expr)
    return prints.lacking == before
