"""Writing code op by op: labels, loops, stages and hidden locals of one script.

In: the tables and an `ir.Script`. Out: lists of ops that are complete when the last one is written. Never: knows what a
sentence means; the writers of cards, choices and flow do.

Where an op must know a place further down it holds a `Label`, which has its number when the script is complete: so ops
are written as functions that make them in the end.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from attrs import define, frozen

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.syntax import At
from rulebook.interpreter import ops as p
from rulebook.interpreter.layout import Layout
from rulebook.interpreter.lowering.expressions import formula, label_of
from rulebook.interpreter.lowering.probes import Count
from rulebook.interpreter.lowering.shown import shown_of
from rulebook.interpreter.lowering.tables import Tables, holds_cards
from rulebook.interpreter.ops import Formula, Op


@define(eq=False)
class Label:
    """A place in the code that is being written."""

    pc: int = -1


@frozen(eq=False)
class Loop:
    """An `each`, `repeat`, `loop` or `offer` around what is being written, and how many stages were open outside it."""

    again: Label
    exit: Label
    stages: int


@frozen(eq=False)
class Guard:
    """What an op needs to know when its sentence is skipped."""

    slots: tuple[int, ...]
    end: Label
    binds: tuple[int, ...]

    def __call__(self) -> dict[str, Any]:
        return {"guards": self.slots, "skip": self.end.pc, "binds": self.binds}


class Writer:
    """One script that is being written."""

    def __init__(self, tables: Tables, script: ir.Script, indexes: dict[str, int]) -> None:
        self.tables, self.script, self.indexes = tables, script, indexes
        self.layout: Layout = tables.layout
        self.size = len(script.slots.names)
        self.card_slots = [slot for slot, of in enumerate(script.slots.types) if holds_cards(of)]
        self.ops: list[Callable[[], Op]] = []
        self.stages_at: list[tuple[int, ...]] = []
        self.ats: list[Any] = []
        self.begins: dict[int, tuple[int, int]] = {}
        self.stage_table: list[tuple[ir.Stage, Label]] = []
        self.stages: list[int] = []
        self.loops: list[Loop] = []
        self.at: Any = script.at

    def emit(self, op: Callable[[], Op]) -> None:
        self.ops.append(op)
        self.stages_at.append(tuple(self.stages))
        self.ats.append(self.at)

    def mark(self, label: Label) -> None:
        label.pc = len(self.ops)

    def here(self) -> Label:
        return Label(len(self.ops))

    def hidden(self, cards: bool = False) -> int:
        """A new local that no script can name."""
        self.size += 1
        if cards:
            self.card_slots.append(self.size - 1)
        return self.size - 1

    # ── who looks on ──

    def count(self, what: str, text: str = "", block: ir.Block = (), at: At | None = None) -> Count | None:
        """What to call when this happens at the sentence that is being written, if anybody wants to know."""
        probes = self.tables.probes
        return None if probes is None else probes.point(at or self.at, what, text, block)

    def tell(self, count: Count | None) -> None:
        """Call that, here."""
        if count is not None:
            told = count
            self.emit(lambda: p.Probe(look=lambda run, env: told()))

    def skipped(self, end: Label) -> None:
        """Tell, aside from what is written, that the sentence was skipped: `end` is where that goes."""
        count, behind = self.count("skipped"), Label()
        if count is not None:
            self.emit(lambda: p.Jump(target=behind.pc))
        self.mark(end)
        self.tell(count)
        self.mark(behind)

    # ── formulas ──

    def formula(self, expr: ir.Expr) -> Formula:
        return formula(self.tables, expr)

    def maybe(self, expr: ir.Expr | None) -> Formula | None:
        return None if expr is None else self.formula(expr)

    def several(self, exprs: tuple[ir.Expr, ...]) -> tuple[Formula, ...]:
        return tuple(self.formula(expr) for expr in exprs)

    def text(self, expr: ir.Expr) -> Formula:
        """What is said; the sentence is left out if it asks something of nothing."""
        return label_of(self.tables, expr)

    def shown(self, expr: ir.Expr) -> Formula:
        """What people read beside what happens: a question, the label of an option, the title of a stage."""
        return shown_of(self.tables, expr)

    def block(self, block: ir.Block) -> None:
        for statement in block:
            self.sentence(statement)

    @abstractmethod
    def sentence(self, statement: ir.Statement) -> None:
        """Write one statement, with its blocks."""


def item_of(of: t.Type) -> t.Type:
    """The type of what stands in a list."""
    of = t.surely(of)
    return of.item if isinstance(of, t.ListOf | t.PerPlayer) else of
