"""When names are read, and what has changed until then.

In: blocks. Out: whether a name can be told where it is first read as what it was when it was named. Never: a yes where
that is not certain.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.dsl import ir
from rulebook.dsl.walk import everything

_LOOKS = (ir.Let, ir.Tell, ir.Say, ir.Show, ir.Return, ir.Leave, ir.EndStage)
"""Sentences after which everything lies as it lay before."""


def is_slot(expr: object, slot: int) -> bool:
    """Whether this is the name in a slot."""
    return isinstance(expr, ir.Local) and expr.slot == slot


def slots_read(*records: object) -> set[int]:
    """The slots that these records read."""
    return {one.slot for one in everything(*records) if isinstance(one, ir.Local)}


def inner_blocks(one: ir.Statement) -> list[ir.Block]:
    """The blocks that a statement holds itself."""
    match one:
        case ir.If(then=then, otherwise=otherwise):
            return [then, otherwise]
        case ir.ForEach(body=body) | ir.Repeat(body=body) | ir.Stage(body=body):
            return [body]
        case ir.Choose(taken=taken, otherwise=otherwise):
            return [taken or (), otherwise or ()]
        case ir.ChooseEach(otherwise=otherwise):
            return [otherwise or ()]
        case ir.Menu(options=options, otherwise=otherwise) | ir.Offer(options=options, otherwise=otherwise):
            return [*(option.body for option in options), otherwise or ()]
    return []


def blocks_of(block: ir.Block) -> Iterator[ir.Block]:
    """A block and all inside it."""
    yield block
    for one in block:
        for inner in inner_blocks(one):
            yield from blocks_of(inner)


def described_in_time(slot: int, rest: ir.Block) -> bool:
    """Whether a name can be told where it is first read: nothing has changed until there, and all else that reads it
    comes after that, if it is done at all.
    """
    for index, one in enumerate(rest):
        if slot not in slots_read(one):
            if not isinstance(one, (*_LOOKS, ir.Choose, ir.ChooseEach)) or any(inner_blocks(one)):
                return False
            continue
        inner = inner_blocks(one)
        nested = {id(each) for part in inner for each in everything(*part)}
        if any(is_slot(each, slot) and id(each) not in nested for each in everything(one)):
            return True
        if any(slot in slots_read(each) for each in rest[index + 1 :]):
            return False
        if isinstance(one, ir.ForEach | ir.Repeat | ir.Offer | ir.Stage):
            return all(_only_looks(part) for part in inner)
        return all(described_in_time(slot, part) for part in inner)
    return True


def _only_looks(block: ir.Block) -> bool:
    return all(isinstance(one, (*_LOOKS, ir.If)) for part in blocks_of(block) for one in part)
