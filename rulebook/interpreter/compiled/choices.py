"""Choices and windows, printed.

In: statements that ask somebody. Out: text that asks, waits, and goes on with what was chosen. Never: says what an
option is; `choosing` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from rulebook.dsl import ir
from rulebook.interpreter import ops as p
from rulebook.interpreter.compiled.printer import Print, Printer, Spot
from rulebook.interpreter.layout import ALIVE


class ChoicePrinter(Printer):
    """Prints what players decide."""

    def choice(self, spot: Spot, pc: int, chosen: Print, otherwise: ir.Block | None) -> None:
        """A decision at an op: what happens when something was chosen, and when nothing was."""
        op: Any = self.code.ops[pc]
        self.put(f"{self.env()}; t = choose(r, {self.constant(op)})")
        self.put(f"if t == 2: return wait(s, {self.frame(pc)})")
        for pick in op.picks:
            self.put(f"v{pick.slot} = e[{pick.slot}]")
        missed = partial(self.block, otherwise or (), "plain", spot)
        self.want(pc + 1, partial(self.in_turn, chosen, partial(self.rest, spot)))
        self.want(op.otherwise, partial(self.in_turn, missed, partial(self.rest, spot)))
        with self.paper.inside("if t == 1:"):
            chosen()
        if otherwise:
            with self.paper.inside("elif t == 0:"):
                missed()

    @staticmethod
    def in_turn(*pieces: Print) -> None:
        """One piece of text after the other."""
        for piece in pieces:
            piece()

    def blocks(self, spot: Spot, pc: int, kind: str, behind: str = "") -> None:
        """The block of the option that was chosen at an op."""
        statement = spot.statement
        assert isinstance(statement, ir.Menu | ir.Offer)
        switch: Any = self.code.ops[pc + 1]
        self.put(f"t = v{switch.slot}; v{switch.slot} = None")
        for number, option in enumerate(statement.options):
            with self.paper.inside(f"{'el' if number else ''}if t == {number}:"):
                self.block(option.body, kind, spot)
        if behind:
            self.put(behind)

    def window(self, spot: Spot, statement: ir.Offer) -> None:
        """One after the other is asked; behind the window is where somebody took an option."""
        begin = self.begins(statement)
        walk, asked = self.code.ops[begin], self.code.ops[begin + 2]
        assert isinstance(asked, p.Choose)
        self.want(begin + 1, partial(self.around, spot))
        taken = partial(self.blocks, spot, begin + 2, "window")
        self.want(begin + 3, partial(self.in_turn, taken, partial(self.rest, spot)))
        self.want(asked.otherwise, partial(self.around, spot))
        with self.next_item(walk, self.code.ops[begin + 1]):
            self.natural.append(statement)
            self.put(f"{self.env()}; t = choose(r, {self.constant(asked)})")
            self.put(f"if t == 2: return wait(s, {self.frame(begin + 2)})")
            for pick in asked.picks:
                self.put(f"v{pick.slot} = e[{pick.slot}]")
            self.put("if t != 1: continue")
            self.blocks(spot, begin + 2, "window", "break")
            self.natural.pop()
        with self.paper.inside("else:"):
            hidden: Any = walk
            self.name_all((hidden.items, hidden.at), "None")
            self.block(statement.otherwise or (), "plain", spot)

    def window_together(self, spot: Spot, statement: ir.Offer) -> None:
        """The blocks of those who took an option, in order."""
        begin = self.begins(statement)
        walk, taken = self.code.ops[begin], self.code.ops[begin + 3]
        assert isinstance(taken, p.Taken)
        self.want(begin + 2, partial(self.around, spot))
        with self.next_item(walk, self.code.ops[begin + 2]):
            self.natural.append(statement)
            self.put(f"{self.env()}; t = took(r, {self.constant(taken)})")
            self.put("if not t: continue")
            self.put(f"v{taken.slot} = e[{taken.slot}]")
            self.blocks(spot, begin + 3, "loop")
            self.natural.pop()
        with self.paper.inside("else:"):
            hidden: Any = walk
            self.name_all((hidden.items, hidden.at), "None")

    @contextmanager
    def next_item(self, op: Any, next: Any) -> Iterator[None]:
        """The head of a loop through a list, and the first lines of its round."""
        with self.paper.inside(f"while v{op.at} < len(v{op.items}):"):
            skips = next.players and self.book.eliminates
            self.put(f"{'o' if skips else f'v{next.slot}'} = v{op.items}[v{op.at}]")
            self.put(f"v{op.at} += 1")
            if skips:
                self.put(f"if o not in s[{ALIVE}]: continue")
                self.put(f"v{next.slot} = o")
            if next.index is not None:
                self.put(f"v{next.index} = v{op.at}")
            yield
