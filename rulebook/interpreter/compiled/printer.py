"""Printing one script: its functions, what remains behind a sentence, and what all sentences need.

In: an `ir.Script`, the code that lowering made of it, the `Book`. Out: functions of Python. Never: lays anything out;
slots, hidden locals and numbers of ops are read off the code; knows what a sentence means.

There is one function for the beginning of a script, and one for each op at which it can be resumed. Such a function is
*what remains*: the rest of the block in which its op stands, then of the block around it, and so on to the head of the
loop around it, which is a function of its own. `Spot` says where a sentence stands.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from rulebook.dsl import ir
from rulebook.interpreter import ops as p
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.questions import Questions
from rulebook.interpreter.compiled.sources import keeps_knowledge
from rulebook.interpreter.ops import Op
from rulebook.interpreter.program import Code

Print = Callable[[], None]
Loop = ir.ForEach | ir.Repeat | ir.Offer


@frozen(eq=False)
class Spot:
    """Where a sentence stands: in a block, of what. `outer` is the sentence around it, None for a script's own block.

    `kind` says what comes behind the block: "plain" what stands behind the sentence around it, "stage" the end of that,
    "loop" its next round, "window" what stands behind the window in which it was taken.
    """

    block: ir.Block
    at: int
    kind: str = "plain"
    outer: Spot | None = None

    @property
    def statement(self) -> ir.Statement:
        """The sentence."""
        return self.block[self.at]


class Printer(Questions):
    """Prints one script. `index` is that of its code."""

    def __init__(self, book: Book, script: ir.Script, index: int, code: Code) -> None:
        super().__init__(book, script.name)
        self.waiting, self.script, self.index, self.code = book.waiting, script, index, code
        self.waits = script.name in book.waiting.scripts
        self.stops = script.name in book.stops.scripts
        self.keeps = keeps_knowledge(book)
        self.natural: list[Loop] = []
        self.present: set[int] = set()
        self.wanted: dict[int, Print] = {}
        self.lists: dict[int, Print] = {}
        """By the op of a choice of one thing after the other, what prints the lists from which these are picked."""
        self.printed: set[int] = set()
        self.indexes = {name: number for number, name in enumerate(book.tables.rulebook.scripts)}

    # ── functions ──

    def functions(self) -> set[int]:
        """Print all functions of the script; the numbers of the ops at which it can be resumed."""
        self.entries()
        given = "".join(f", v{slot}" for slot in range(self.code.size))
        for pc, build in self.lists.items():
            with self.paper.inside(f"def l{self.index}_{pc}(r, s{given}):"):
                build()
        return self.printed

    def entries(self) -> None:
        slots = range(self.code.size)
        given = "".join(f", v{slot}" for slot in range(self.code.parameters))
        hidden = "".join(f"v{slot} = " for slot in slots[self.code.parameters :] if slot not in self.code.scratch)
        with self.paper.inside(f"def {self.entry(self.script.name)}(r, s{', p' if self.waits else ''}{given}):"):
            if hidden:
                self.put(f"{hidden}None")
            self.block(self.script.body)
        if not self.stops:
            return
        with self.paper.inside(f"def g{self.index}_0(r, s, f, x):"):
            first = 2 if self.waits else 3
            self.put(f"return {self.entry(self.script.name)}(r, s, *f[{first}:{3 + self.code.parameters}])")
        self.printed.add(0)
        names = "".join(f", {f'v{slot}' if slot not in self.code.scratch else '_'}" for slot in slots)
        while self.wanted:
            pc, build = self.wanted.popitem()
            self.printed.add(pc)
            with self.paper.inside(f"def g{self.index}_{pc}(r, s, f, x):"):
                self.put(f"_, _, p{names} = f")
                self.handed(pc)
                build()

    def handed(self, pc: int) -> None:
        """What a function begins with that is handed an answer: that of whoever was asked, or of a script that was
        called.
        """
        before: Any = self.code.ops[pc - 1]
        if isinstance(before, p.Choose) and len(before.picks) == 1:
            self.put(f"if x is not N: v{before.picks[0].slot} = x")
        elif isinstance(before, p.Call | p.CallHook):
            lines = [] if before.slot is None else [f"v{before.slot} = None if x == A else x"]
            if isinstance(before, p.CallHook) and self.waiting.untils:
                lines.append(f"if {self.may_end()} and ends(r, s, {self.frame(pc)}): return W")
            if lines:
                with self.paper.inside("if x is not N:"):
                    for line in lines:
                        self.put(line)

    @abstractmethod
    def may_end(self) -> str:
        """Whether any stage may end now, which is asked when a hook comes back."""

    def entry(self, name: str) -> str:
        """How the function is called with which a script begins."""
        return f"{'c' if name in self.waiting.scripts else 'q'}{self.indexes[name]}"

    def put(self, line: str) -> None:
        self.paper.put(line)

    def frame(self, pc: int) -> str:
        """The frame that goes on at an op."""
        local = ", ".join("None" if slot in self.code.scratch else f"v{slot}" for slot in range(self.code.size))
        return f"({self.index}, {pc}, p, {local})" if local else f"({self.index}, {pc}, p)"

    def want(self, pc: int, build: Print) -> None:
        """There must be a function for this op."""
        if pc not in self.printed and pc not in self.wanted:
            self.wanted[pc] = build

    def go_on(self, pc: int, build: Print) -> None:
        """Go on as the function of an op."""
        self.want(pc, build)
        self.put(f"return g{self.index}_{pc}(r, s, {self.frame(pc)}, N)")

    def jump(self, pc: int, build: Print) -> None:
        """Go on at an op from anywhere, by way of the loop that runs functions."""
        self.want(pc, build)
        self.put(f"return wait(s, {self.frame(pc)})")

    # ── what remains ──

    def block(self, block: ir.Block, kind: str = "plain", outer: Spot | None = None) -> None:
        """The sentences of a block; behind them, the text goes on below."""
        for at in range(len(block)):
            self.one_of(Spot(block, at, kind, outer))

    def one_of(self, spot: Spot) -> None:
        """One sentence, and the question whether the stage in which it stands ends."""
        self.sentence(spot)
        if spot.kind == "stage" and spot.at + 1 < len(spot.block):
            self.ask_until(spot)

    def rest(self, spot: Spot) -> None:
        """What remains behind a sentence, to the end of the script or to the head of a loop."""
        if spot.kind == "stage" and spot.at + 1 < len(spot.block):
            self.ask_until(spot)
        for at in range(spot.at + 1, len(spot.block)):
            self.one_of(Spot(spot.block, at, spot.kind, spot.outer))
        if spot.outer is None:
            self.put("return None")
        elif spot.kind == "loop":
            self.go_on(self.head_of(spot.outer), partial(self.around, spot.outer))
        else:
            if spot.kind == "stage":
                self.leave_stage(spot.outer)
            self.rest(spot.outer)

    def begins(self, statement: ir.Sentence) -> int:
        return self.code.begins[id(statement)][1]

    @abstractmethod
    def sentence(self, spot: Spot) -> None:
        """One sentence, with its blocks."""

    @abstractmethod
    def around(self, spot: Spot, resumed: bool = True) -> None:
        """A loop from its head; when it is resumed there, also what stands behind it."""

    @abstractmethod
    def ask_until(self, spot: Spot) -> None:
        """Whether the stage in which a sentence stands ends behind it."""

    @abstractmethod
    def leave_stage(self, spot: Spot) -> None:
        """The end of a stage."""

    # ── what sentences need ──

    def head_of(self, spot: Spot) -> int:
        statement = spot.statement
        return self.begins(statement) + (2 if isinstance(statement, ir.Offer) and statement.together else 1)

    def name_all(self, slots: Sequence[int], value: str) -> None:
        if slots:
            self.put(f"{''.join(f'v{slot} = ' for slot in slots)}{value}")

    def head(self, op: Op, lines: Sequence[str], body: Print | None = None, lacks: str = "") -> None:
        """What a sentence reads, and then does; left out if it asks something of nothing, which is noted as `lacks`."""
        if not any(map(self.paper.can_fail, lines)):
            for line in lines:
                self.put(line)
            if body is not None:
                body()
            return
        with self.paper.inside("try:"):
            for line in lines:
                self.put(line)
        with self.paper.inside("except Lacks:"):
            if lacks:
                self.put(lacks)
            self.name_all(op.binds, "None")
        if body is not None:
            with self.paper.inside("else:"):
                body()

    def locals(self) -> str:
        """The locals in a list."""
        slots = range(self.code.size)
        return f"[{', '.join('None' if one in self.code.scratch else f'v{one}' for one in slots)}]"

    def env(self) -> str:
        """The locals as the machine's registers."""
        return f"r.env = e = {self.locals()}"

    def by_machine(self, ops: Sequence[Op], named: Sequence[int]) -> None:
        """Ops that the machine does, with the locals as its registers; `named` are read back."""
        self.put(self.env() if self.book.watched else f"{self.env()}; r.cool(s)")
        if len(ops) == 2 and not isinstance(ops[0], p.BeginSettle):
            self.put(f"if do(r, {self.constant(ops[0])}): do(r, {self.constant(ops[1])})")
        else:
            for op in ops:
                self.put(f"do(r, {self.constant(op)})")
        for slot in named:
            self.put(f"v{slot} = e[{slot}]")
