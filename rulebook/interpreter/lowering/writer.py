"""A code that is being written: steps, labels, registers.

In: steps, one after the other, and pieces that are run on their own, which come behind them. Out: a `Code`. Never:
knows what a step means; the kinds of its operands in the table of ops say which of them are registers.

Locals are numbered from 0 and may still become more while a code is written, so registers behind them have numbers from
`WORK` and constants from `CONSTANTS` on until all is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, evolve, fields

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.interpreter.lowering.reading import may_read
from rulebook.interpreter.lowering.tables import Tables, holds_cards
from rulebook.interpreter.op_table import OPS, Op, Step
from rulebook.interpreter.ops import values
from rulebook.interpreter.program import Choice, Code, Pick, Source, StageCode, Unknown, Window

WORK = 1 << 16
CONSTANTS = 1 << 17
_REGISTERS = frozenset({"In", "Out", "First", "In | None", "Out | None"})
_WITHOUT_LABELS = frozenset({"Printed", "Objects", "Places", "Definitions", "Questions", "Codes"})
"""Kinds of operands that may be as long as there are cards."""


_JUMPS: dict[tuple[Any, bool], Callable[..., int | None]] = {
    (values.equal, True): values.jump_if_equal,
    (values.equal, False): values.jump_unless_equal,
    (values.unequal, True): values.jump_unless_equal,
    (values.unequal, False): values.jump_if_equal,
    (values.is_one_of, True): values.jump_if_one_of,
    (values.is_one_of, False): values.jump_unless_one_of,
}
"""By a step that finds yes or no, and which of these leads elsewhere, the step that does both."""


@define(eq=False)
class Label:
    """A place in the code that is being written; known once the code is complete."""

    pc: int = -1


NOBODY = Label(-1)
"""The label of no place: a piece that asks something of nothing goes on wherever its caller says."""


@frozen(eq=False)
class _Written:
    """A step, and where it stands."""

    op: Op
    operands: tuple[Any, ...]
    stages: tuple[int, ...]
    trap: Label
    at: Any
    is_public: bool


class Writer:
    """One script, question or formula that is being written.

    `inlined` are the registers of the locals of a question that is written in place of its call, and `inlining` the
    names of those that are.

    `sure` are the locals that cannot be absent in what is written now: its sentence would be skipped. `trap` is where
    it goes on if something is asked of nothing.
    """

    def __init__(self, tables: Tables, slots: ir.Slots, parameters: int, unsure: frozenset[int] = frozenset()) -> None:
        self.tables, self.layout = tables, tables.layout
        self.names, self.parameters, self.size = slots.names, parameters, len(slots.names)
        self.card_slots = [slot for slot, of in enumerate(slots.types) if holds_cards(of)]
        self.unsure, self.sure = unsure, frozenset[int]()
        self.steps: list[_Written] = []
        self.marked = 0
        """The place at which a label was marked last: steps may lead there."""
        self.unknown: dict[int, Unknown] = {}
        self.stages: tuple[int, ...] = ()
        self.trap = NOBODY
        self.at: Any = None
        self.is_public = False
        self.pieces: list[tuple[Label, Callable[[], int], Any, frozenset[int]]] = []
        self.constants: dict[Any, tuple[int, Any]] = {}
        self.choices: dict[int, Choice] = {}
        """By the id of a choice, the same with the numbers of its labels, for all steps that speak of it."""
        self.top = self.width = 0
        self.through: tuple[tuple[int, int], ...] = ()
        """Of each list that is gone through, the register of its members, and from which on others are of this loop."""
        self.keeps = False
        """True where answers are kept outside of lists that are gone through, too: what is written is asked often."""
        self.kept_in = 0
        """The loops that are outside of the answer that is kept, where one is written."""
        self.inlined: dict[int, int] | None = None
        self.inlining: tuple[str, ...] = ()
        self.makes_texts = self.tells_texts_apart = False

    # ── steps ──

    def emit(self, do: Callable[..., int | None], *operands: Any) -> None:
        """Write a step."""
        op = OPS[do.__name__]
        assert len(operands) == len(op.operands), f"{op.name} has {len(op.operands)} operands"
        trap = self.trap if op.lacks else NOBODY
        self.steps.append(_Written(op, operands, self.stages, trap, self.at, self.is_public))

    def emit_jump(self, register: int, is_met: bool, to: Label) -> None:
        """Go on elsewhere by what a register holds that nothing else reads; the step that found it jumps, if it can."""
        before = self.steps[-1] if self.steps and self.marked < len(self.steps) else None
        jump = None if before is None or before.operands[0] != register else _JUMPS.get((before.op.do, is_met))
        if before is None or jump is None or register < WORK:
            self.emit(values.jump_if if is_met else values.jump_unless, register, to)
        else:
            self.steps.pop()
            self.emit(jump, *before.operands[1:], to)

    def place_labels(self, *labels: Label) -> None:
        """Say where labels are: here."""
        self.marked = len(self.steps)
        for label in labels:
            label.pc = len(self.steps)

    def label_here(self) -> Label:
        """A label for here."""
        self.marked = len(self.steps)
        return Label(len(self.steps))

    def add_piece(self, write: Callable[[], int]) -> Any:
        """Write a piece later that is run on its own; `write` answers with the register of its value. It is a label
        until the code is complete, and then an entry.
        """
        label = Label()
        self.pieces.append((label, write, self.at, self.sure))
        return label

    # ── registers ──

    def add_hidden(self, cards: bool = False) -> int:
        """A new local that no script can name."""
        self.size += 1
        if cards:
            self.card_slots.append(self.size - 1)
        return self.size - 1

    def add_registers(self, count: int = 1) -> int:
        """The first of so many registers in a row, until the sentence ends or what they were for is done."""
        first, self.top = self.top, self.top + count
        self.width = max(self.width, self.top)
        return WORK + first

    def find_register(self, slot: int) -> int:
        """The register of a local: its own, or one of this code's where a question is written in place of its call."""
        if self.inlined is None:
            return slot
        if slot not in self.inlined:
            self.inlined[slot] = self.add_registers()
        return self.inlined[slot]

    def constant(self, value: Any) -> int:
        """The register of a constant."""
        key = tuple(map(type, value)) if isinstance(value, tuple) else type(value), value
        return self.constants.setdefault(key, (CONSTANTS + len(self.constants), value))[0]

    # ── the whole ──

    def finish(
        self,
        name: str,
        *,
        asks_stages: bool = False,
        stage_table: Sequence[tuple[str, Label | None, Label | None, Label, tuple[int, ...]]] = (),
        scratch: Sequence[int] = (),
    ) -> Code:
        """The code, with all pieces and labels."""
        self.stages, self.trap = (), NOBODY
        for label, write, at, sure in self.pieces:  # a piece may add further ones
            self.at, self.sure = at, sure
            self.place_labels(label)
            self.top = 0
            self.emit(values.answer, write())
        pcs = [[_pc(label) for label in (title, until, exit)] for _, title, until, exit, _ in stage_table]
        code = Code(
            name=name,
            parameters=self.parameters,
            size=self.size,
            width=self.width,
            constants=tuple(value for _, value in self.constants.values()),
            asks_stages=asks_stages,
            steps=tuple(
                Step(line.op, tuple(map(self._settle_operand, line.op.operands.values(), line.operands)))
                for line in self.steps
            ),
            traps=tuple(step.trap.pc for step in self.steps),
            stages=tuple(step.stages for step in self.steps),
            stage_table=tuple(
                StageCode(name, title, until, exit or 0, kept)
                for (name, *_, kept), (title, until, exit) in zip(stage_table, pcs, strict=True)
            ),
            names=self.names,
            card_slots=tuple(self.card_slots),
            scratch=tuple(scratch),
            ats=tuple(step.at for step in self.steps),
            public=tuple(step.is_public for step in self.steps),
            makes_texts=self.makes_texts,
            tells_texts_apart=self.tells_texts_apart,
        )
        for pc, unknown in self.unknown.items():
            code.unknown[pc] = Unknown(
                tuple(local for local in unknown.locals if may_read(code, pc, local[0])),
                tuple(
                    evolve(walk, anew=_resolve(walk.anew)) for walk in unknown.walks if may_read(code, pc, walk.several)
                ),
                unknown.named,
            )
        return code

    def _settle_operand(self, kind: str, operand: Any) -> Any:
        """Settle an operand, now that all registers and labels are known; one that leads to a jump leads where that
        does.
        """
        if kind == "Target":
            for _ in self.steps:
                step = self.steps[operand.pc]
                if step.op.do != values.jump:
                    break
                (operand,) = step.operands
        if kind in _REGISTERS and operand is not None:
            if operand >= CONSTANTS:
                return operand - CONSTANTS + self.size + self.width
            return operand - WORK + self.size if operand >= WORK else operand
        if kind == "Choice":
            return self.choices.setdefault(id(operand), _resolve(operand))
        return operand if kind in _WITHOUT_LABELS else _resolve(operand)


def _pc(label: Label | None) -> int | None:
    return None if label is None else label.pc


def _resolve(operand: Any) -> Any:
    """An operand with the numbers of the labels within it."""
    if isinstance(operand, Label):
        return operand.pc
    if isinstance(operand, tuple):
        return tuple(map(_resolve, operand))
    if isinstance(operand, Choice | Pick | Source | Window):
        return evolve(operand, **{item.name: _resolve(getattr(operand, item.name)) for item in fields(type(operand))})
    return operand
