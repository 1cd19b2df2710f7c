"""What is the same for all scripts and questions of one program, and how printed functions are called.

In: a program, the paper. Out: the `Book`. Never: prints a sentence or an expression.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter import knowledge
from rulebook.interpreter.compiled.absence import Absence
from rulebook.interpreter.compiled.paper import Paper
from rulebook.interpreter.compiled.waiting import Waiting
from rulebook.interpreter.lowering.tables import Tables
from rulebook.interpreter.program import Program


class Book:
    """What is the same for all scripts and questions of one program, and how printed functions are called.

    `watched`: events and knowledge are kept. `inline`: a choice calls a player, and nothing waits for an answer.
    """

    def __init__(self, program: Program, paper: Paper, watched: bool = False, inline: bool = False) -> None:
        tables: Tables = program.lowering.tables
        self.watched, self.inline = watched, inline
        self.stops = Waiting(tables.rulebook, asks=True)
        """Which scripts may be entered in their midst, since somebody may be asked there."""
        self.waiting = Waiting(tables.rulebook, asks=False) if inline else self.stops
        """Which scripts may wait in this text."""
        self.program, self.tables, self.paper, self.layout = program, tables, paper, program.layout
        self.absence = Absence(tables)
        self.functions = {name: f"f{number}" for number, name in enumerate(tables.rulebook.functions)}
        self.asks: dict[str, str] = {}
        self.hooks: dict[str, str] = {}
        self.ways: dict[tuple[str, str, str, str], str] = {}
        """By where a card comes from and goes to, the end and the face: how the function is called that brings it."""
        self.ends: list[str] = []
        """The conditions under which a stage may end, if the text asks them by a function."""
        self.attributes: dict[str, str] = {}
        """How the text calls the values of an attribute, by object, as far as it speaks of them."""
        self.bodies: dict[str, ir.Expr | None] = {}
        """By the name of a question, its answer as one expression, if it can be; as far as that was asked."""
        self.inside: dict[str, list[int] | None] = {}
        """By the name of a question, the locals that its answer names; None if it is too large to stand elsewhere."""
        self.reads: dict[int, tuple[ir.Expr, dict[int, ir.Local] | None]] = {}
        """By its identity, an expression and the locals that it reads; None if it reads the state."""
        self.objects: dict[t.Type, list[int] | None] = {}
        """By type, the cards and actions that are of it, as far as that was asked; None if something else may be."""
        self.lasting: dict[str, bool] = {}
        """By the name of a question, whether it reads nothing that changes, as far as that was asked."""
        self.settled: dict[int, tuple[ir.Expr, Any]] = {}
        """By its identity, an expression and its value for the whole game, as far as that was asked."""
        self.by_object: dict[int, tuple[ir.Expr, tuple[int, dict[int, Any]] | None]] = {}
        """By its identity, an expression and what it answers about each card or action, as far as that was asked."""
        self.remembers: dict[str, bool] = {}
        """By the name of a script, whether who chooses in it may have to remember a card, as far as that was asked."""
        inside = [node for script in tables.rulebook.scripts.values() for node in nodes(script.body)]
        first = likeness(program)
        self.likeness = paper.constant(bytes([*first, *range(len(first), 256)]) if len(first) <= 256 else first)
        """What equal objects share while all states of cards are as they began: bytes if these numbers fit."""
        self.eliminates = any(isinstance(node, ir.Eliminate) for node in inside)

    def way(self, way: tuple[str, str, str, str]) -> str:
        """How the text calls what brings one card to a place."""
        return self.ways.setdefault(way, f"m{len(self.ways)}")

    def asked(self, hook: str) -> str:
        """How the text calls the table of what each object answers for a hook."""
        table = self.asks.setdefault(hook, f"a{len(self.asks)}")
        answers = self.tables.rulebook.hooks.get(hook, {}).values()
        if all(f"{self.functions[name]}(" in self.paper.safe for name in answers):
            self.paper.safe.add(f"{table}[")
        return table

    def hook(self, hook: str) -> str:
        """How the text calls the table of what each object does for a hook."""
        return self.hooks.setdefault(hook, f"h{len(self.hooks)}")

    def attribute(self, name: str) -> str:
        """How the text calls the values of an attribute, by object."""
        if name not in self.attributes:
            self.attributes[name] = self.paper.constant(tuple(self.tables.attributes[name]))
        return self.attributes[name]

    def print_ends(self) -> None:
        """Whether any stage may end now; of somebody who is not there, nothing is true."""
        with self.paper.inside("def may_end(r, s):"):
            for condition in self.ends:
                if not self.paper.can_fail(condition):
                    self.paper.put(f"if {condition}: return True")
                    continue
                with self.paper.inside("try:"):
                    self.paper.put(f"if {condition}: return True")
                with self.paper.inside("except Lacks:"):
                    pass
            self.paper.put("return False")

    def print_tables(self) -> None:
        """One table for each hook that is asked; who is asked for nothing it has: a card says no, an action yes."""
        put, done = self.paper.put, 0
        put("def no(*_): return False")
        put("def yes(*_): return True")
        while done < len(self.asks):
            hook, table = list(self.asks.items())[done]
            silent = ["no" if one < self.tables.cards else "yes" for one in range(self.tables.objects)]
            names = [self.functions.get(name or "") for name in self.tables.by_object(hook)]
            put(f"{table} = ({', '.join(name or other for name, other in zip(names, silent, strict=True))},)")
            done += 1


def likeness(program: Program) -> tuple[int, ...]:
    """By object, the first that is equal to it as long as no state of a card has changed."""
    seen: dict[Any, int] = {}
    start = list(program.layout.start)
    first = [seen.setdefault(knowledge.likeness(program, start, card), card) for card in range(program.cards)]
    return (*first, *range(program.cards, len(program.names)))
