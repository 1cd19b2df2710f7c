"""What is the same for all that is printed of one program: numbers of memories, states, questions and hooks.

In: a program. Out: the `Plan`. Never: prints a sentence or an expression.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import chain

from attrs import mutable

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.paper import Paper as BlindPaper
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.compiled.sources import keeps_knowledge
from rulebook.interpreter.lowering.tables import Tables
from rulebook.interpreter.native.paper import CannotPrint, Paper
from rulebook.interpreter.program import Program


@mutable
class Asked:
    """A function that answers a question. `lacks`: it may ask something of nothing."""

    name: str
    lacks: bool = True


class Plan:
    """The numbers of one program. `memory` is by the slot of a memory, `states` by name."""

    def __init__(self, program: Program, paper: Paper) -> None:
        tables: Tables = program.lowering.tables
        if tables.probes is not None:
            raise CannotPrint("a report of what ran")
        self.program, self.tables, self.paper, self.layout = program, tables, paper, program.layout
        self.book = Book(program, BlindPaper())
        if keeps_knowledge(self.book):
            raise CannotPrint("a choice among cards that the chooser does not see but may remember")
        layout, self.memory, self.memories = self.layout, dict[int, int](), 0
        for memory in (*layout.memory.values(), *layout.player_memory.values()):
            self.memory[memory.slot] = self.memories
            self.memories += layout.players if memory.owned_by == "player" else 1
        self.states = {name: number for number, name in enumerate(layout.states)}
        self.scripts = {name: number for number, name in enumerate(tables.rulebook.scripts)}
        self.streams = {slot: number for number, slot in enumerate(layout.streams)}
        for word in chain(*tables.rulebook.words.values()):
            paper.constant(word)
        self.most_picks = 1
        self.keeps = 0
        """How many questions keep their answer until something changes."""
        self.heads: list[str] = []
        self.questions: list[str] = []
        """Lines of the questions that are asked anywhere."""
        self.offers: list[str] = []
        """Lines of what is offered at each choice."""

        self.stage_names: dict[str, int] = {}
        self.untils: set[int] = set()
        """The numbers of the stages that end early."""
        self.first_stage = [0]
        for code in program.codes:
            self.first_stage.append(self.first_stage[-1] + len(code.stage_table))

    def stage(self, code: int, index: int) -> int:
        """The number of a stage by its script and its number there."""
        return self.first_stage[code] + index

    def stage_name(self, name: str) -> int:
        """The number of the name of a stage."""
        return self.stage_names.setdefault(name, len(self.stage_names))

    def lasts(self, stage: str) -> bool:
        """Whether anything returns to its start when a stage of that name is left."""
        lasting = self.program.lasting.get(stage)
        return lasting is not None and bool(lasting.memories or lasting.states)

    def body(self, name: str) -> ir.Body:
        """The body of a question; one that only chooses between answers is one expression."""
        function = self.tables.rulebook.functions[name]
        if isinstance(function.body, tuple):
            return self._answer(function.body, function.type) or function.body
        return function.body

    def _answer(self, block: ir.Block, of: t.Type) -> ir.Expr | None:
        match block:
            case ():
                return ir.Const(None, type=of)
            case (ir.Return(value), *_):
                return value or ir.Const(None, type=of)
            case (ir.If(condition, then, otherwise), *rest) if then and isinstance(then[-1], ir.Return):
                if is_settled(self.book, condition):
                    return self._answer(then if settled(self.book, condition) else (*otherwise, *rest), of)
                one, other = self._answer(then, of), self._answer((*otherwise, *rest), of)
                return one and other and ir.IfElse(condition, one, other, type=of)
        return None

    def keep(self) -> int:
        """The number of one more question that keeps its answer."""
        self.keeps += 1
        return self.keeps - 1

    @abstractmethod
    def question(self, name: str) -> Asked:
        """The function of a question with a name."""

    @abstractmethod
    def hook(self, hook: str, given: int) -> Asked:
        """The function that asks any object, with so many values."""
