"""Scripts, printed: what each sentence of the language becomes.

In: statements, by way of their `Printer`. Out: text. Never: leaves a sentence out; one without a case here is an error
of the type checker.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, assert_never

from rulebook.dsl import ir
from rulebook.dsl.walk import nodes
from rulebook.interpreter.compiled.acts import ActPrinter
from rulebook.interpreter.compiled.choices import ChoicePrinter
from rulebook.interpreter.compiled.paper import LACKS
from rulebook.interpreter.compiled.printer import Spot
from rulebook.interpreter.layout import ALIVE
from rulebook.interpreter.ops import Op

LONGEST = 40
"""How long the conditions of stages may be that are asked where a hook comes back, and not in a function."""


class ScriptPrinter(ActPrinter, ChoicePrinter):
    """Prints one script, sentence by sentence."""

    def sentence(self, spot: Spot) -> None:
        """One sentence, which is left out if it speaks of somebody absent."""
        statement = spot.statement
        looks, begin = self.code.begins[id(statement)]
        op = self.code.ops[begin]
        guards = [slot for slot in statement.guards if slot not in self.present]
        if guards and not isinstance(statement, ir.Return | ir.Leave):
            with self.paper.inside(f"if {' or '.join(f'v{slot} == A' for slot in guards)}:"):
                self.name_all(op.binds, "A")
            before = self.present
            self.present = before | {slot for slot in guards if slot not in op.binds}
            with self.paper.inside("else:"):
                self.write(spot, op, looks, begin)
            self.present = before
        else:
            self.write(spot, op, looks, begin)

    def write(self, spot: Spot, op: Any, looks: int, begin: int) -> None:
        if looks < begin:
            self.settle(spot.statement, self.code.ops[looks:begin])
        statement = spot.statement
        match statement:
            case (
                ir.Let() | ir.Assign() | ir.Move() | ir.MovePieces() | ir.Draw() | ir.Deal() | ir.Pass() | ir.Shuffle()
                | ir.Roll() | ir.Swap() | ir.PickRandom() | ir.Reveal() | ir.Cover() | ir.Show() | ir.Tell() | ir.Say()
                | ir.Eliminate()
            ):  # fmt: skip
                self.act(statement, op, begin)
            case ir.Choose() | ir.ChooseEach():
                taken = statement.taken if isinstance(statement, ir.Choose) else None
                self.choice(spot, begin, partial(self.block, taken or (), "plain", spot), statement.otherwise)
            case ir.Arrange():
                arranged = self.code.ops[begin + 1]
                self.choice(spot, begin, partial(self.by_machine, [arranged], ()), None)
            case ir.Menu():
                self.choice(spot, begin, partial(self.blocks, spot, begin, "plain"), statement.otherwise)
            case ir.Offer():
                self.head(op, [self.walk(statement.players, op)], partial(self.around, spot, False))
            case ir.If(condition, then, otherwise):
                self.when(spot, op, condition, then, otherwise)
            case ir.ForEach():
                self.each(spot, statement, op)
            case ir.Repeat():
                count = "None" if statement.count is None else self.sure(statement.count)
                self.head(op, [f"v{op.limit}, v{op.at} = {count}, 0"], partial(self.around, spot, False))
            case ir.Stage():
                self.stage(spot, statement)
            case ir.Leave(skip, depth):
                self.leave_loop(spot, skip, depth)
            case ir.EndStage():
                self.put(f"return end(r, s, {self.frame(begin + 1)}, {self.constant(op)})")
            case ir.Return(value):
                answer = "None" if value is None else self.expr(value)
                self.head(op, [f"x = {answer}"], partial(self.answer, spot))
            case ir.DoRule(script, arguments, slot):
                self.call(spot, op, script, arguments, slot)
            case ir.DoHook():
                self.hook(spot, op, statement)
            case ir.Win():
                self.by_machine([op], ())
                self.put("if r.halted: return W")
            case _:
                assert_never(statement)

    # ── flow ──

    def when(self, spot: Spot, op: Op, condition: ir.Expr, then: ir.Block, otherwise: ir.Block) -> None:
        asked = self.true(condition)
        if self.paper.can_fail(asked):
            self.head(op, [f"t = {asked}"], lambda: self.branch(spot, "t", then, otherwise))
        else:
            self.branch(spot, asked, then, otherwise)

    def branch(self, spot: Spot, asked: str, then: ir.Block, otherwise: ir.Block) -> None:
        if asked in ("True", "False"):
            self.block(then if asked == "True" else otherwise, "plain", spot)
            return
        with self.paper.inside(f"if {asked}:"):
            self.block(then, "plain", spot)
        if otherwise:
            with self.paper.inside("else:"):
                self.block(otherwise, "plain", spot)

    def walk(self, several: ir.Expr, op: Any) -> str:
        return f"v{op.items}, v{op.at} = {self.sure(several)}, 0; r.look_at(len(v{op.items}))"

    def each(self, spot: Spot, statement: ir.ForEach, op: Any) -> None:
        body = statement.body
        if self.waits and (self.waiting.within(body) or _stops(body)):
            self.head(op, [self.walk(statement.list, op)], partial(self.around, spot, False))
            return
        several, name = f"t{self.begins(statement)}", f"v{statement.slot}"
        skips = statement.players and self.book.eliminates
        head = f"{'o' if skips else name} in {several}"
        if statement.index is not None:
            head = f"v{statement.index}, {'o' if skips else name} in enumerate({several}, 1)"

        def rounds() -> None:
            with self.paper.inside(f"for {head}:"):
                if skips:
                    self.put(f"if o not in s[{ALIVE}]: continue")
                    self.put(f"{name} = o")
                self.round(spot, statement)

        listed = self.sure_raw(statement.list)
        if listed.removeprefix(LACKS).startswith("s["):
            listed = f"{LACKS}tuple({listed.removeprefix(LACKS)})"  # what lies there may change on the way
        few = isinstance(statement.list, ir.Seats | ir.Clockwise)
        looked = "" if few else f"; r.look_at(len({several}))"
        self.head(op, [f"{several} = {listed}{looked}"], rounds)

    def round(self, spot: Spot, loop: ir.ForEach | ir.Repeat) -> None:
        self.natural.append(loop)
        self.block(loop.body, "loop", spot)
        self.natural.pop()

    def around(self, spot: Spot, resumed: bool = True) -> None:
        """A loop from its head; when it is resumed there, also what stands behind it."""
        statement = spot.statement
        match statement:
            case ir.ForEach() | ir.Repeat():
                self.loop(spot, statement)
            case ir.Offer(together=False):
                self.window(spot, statement)
            case ir.Offer() if resumed:
                self.window_together(spot, statement)
            case ir.Offer():
                begin = self.begins(statement) + 1
                self.choice(spot, begin, partial(self.window_together, spot, statement), statement.otherwise)
            case _:
                raise TypeError(f"no loop: {type(statement).__name__}")
        if resumed:
            self.rest(spot)

    def loop(self, spot: Spot, statement: ir.ForEach | ir.Repeat) -> None:
        begin = self.begins(statement)
        op: Any = self.code.ops[begin]
        if isinstance(statement, ir.ForEach):
            with self.next_item(op, self.code.ops[begin + 1]):
                self.round(spot, statement)
            hidden = (op.items, op.at)
        else:
            endless = statement.count is None
            with self.paper.inside("while True:" if endless else f"while v{op.at} < v{op.limit}:"):
                self.put(f"v{op.at} += 1; r.look_at(1)")
                if statement.index is not None:
                    self.put(f"v{statement.index} = v{op.at}")
                self.round(spot, statement)
            hidden = (op.limit, op.at)
            if endless:
                return
        with self.paper.inside("else:"):
            self.name_all(hidden, "None")

    def leave_loop(self, spot: Spot, skip: bool, depth: int) -> None:
        at: Spot | None = spot
        while at is not None:
            if at.kind == "stage" and at.outer is not None:
                self.leave_stage(at.outer)
            if at.kind in ("loop", "window"):
                depth -= 1
                if depth < 0:
                    break
            at = at.outer
        assert at is not None and at.outer is not None, "who leaves a loop is in it"
        loop = at.outer.statement
        if self.natural and self.natural[-1] is loop:
            self.put("continue" if skip else "break")
            return
        # Out of a loop of this text that is not the innermost there is no way but through the frame.
        go = self.jump if any(one is loop for one in self.natural) else self.go_on
        if skip:
            go(self.head_of(at.outer), partial(self.around, at.outer))
        else:
            go(self.exit_of(at.outer), partial(self.rest, at.outer))

    def exit_of(self, spot: Spot) -> int:
        statement = spot.statement
        head: Any = self.code.ops[self.head_of(spot)]
        if isinstance(statement, ir.Offer) and not statement.together:
            asked: Any = self.code.ops[self.begins(statement) + 2]
            behind: Any = self.code.ops[asked.otherwise - 1]
            return int(behind.target)
        return int(head.exit)

    # ── stages ──

    def stage(self, spot: Spot, statement: ir.Stage) -> None:
        op: Any = self.code.ops[self.begins(statement)]
        stage = self.code.stage_table[op.stage]
        if self.waits:
            self.want(stage.exit, partial(self.rest, spot))

        def through() -> None:
            if self.book.watched:
                self.put(f"{self.env()}; began(r, {self.constant(stage)})")
            self.block(statement.body, "stage", spot)
            self.leave_stage(spot)

        if statement.until is None:
            through()
            return
        holds = self.holds(statement.until, stage.until)
        with self.paper.inside(f"if not {holds}:"):
            through()

    def holds(self, condition: ir.Expr, formula: Any) -> str:
        """Whether a condition is true, for the line that comes next."""
        text = self.expr(condition)
        if not self.paper.can_fail(text):
            return text
        if self.book.watched:
            # What is watched is read by its formula.
            return f"r.holds({self.constant(formula)}, {self.locals()})"
        with self.paper.inside("try:"):
            self.put(f"t = {text}")
        with self.paper.inside("except Lacks:"):
            self.put("t = False")
        return "t"

    def ask_until(self, spot: Spot) -> None:
        assert spot.outer is not None
        stage = spot.outer.statement
        assert isinstance(stage, ir.Stage)
        if stage.until is not None:
            op: Any = self.code.ops[self.begins(stage)]
            code = self.code.stage_table[op.stage]
            holds = self.holds(stage.until, code.until)
            with self.paper.inside(f"if {holds}:"):
                self.leave_stage(spot.outer)
                self.jump(code.exit, partial(self.rest, spot.outer))

    def leave_stage(self, spot: Spot) -> None:
        stage = spot.statement
        assert isinstance(stage, ir.Stage)
        lasting = self.book.program.lasting.get(stage.name)
        if self.book.watched or (lasting is not None and (lasting.memories or lasting.states)):
            self.put(f"r.leave_stage({self.constant(stage.name)})")

    def answer(self, spot: Spot) -> None:
        at: Spot | None = spot
        while at is not None:
            if at.kind == "stage" and at.outer is not None:
                self.leave_stage(at.outer)
            at = at.outer
        self.put("return x")

    # ── calls ──

    def call(self, spot: Spot, op: Op, name: str, arguments: tuple[ir.Expr, ...], slot: int | None) -> None:
        entry, given = self.entry(name), self.given(arguments)
        pc = self.begins(spot.statement) + 1
        if name in self.book.stops.scripts:
            self.want(pc, partial(self.rest, spot))
        if entry[0] == "q":
            self.head(op, [f"x = {entry}(r, s{given})"], partial(self.bind, slot))
            return
        self.head(op, [f"x = {entry}(r, s, {self.frame(pc)}{given})"], partial(self.returned, slot))

    def returned(self, slot: int | None) -> None:
        self.put("if x is W: return W")
        self.bind(slot)

    def bind(self, slot: int | None) -> None:
        if slot is not None:
            self.put(f"v{slot} = None if x == A else x")

    def hook(self, spot: Spot, op: Op, statement: ir.DoHook) -> None:
        slot, pc = statement.slot, self.begins(statement) + 1
        called = set(self.waiting.rulebook.hooks.get(statement.hook, {}).values())
        framed = not called.isdisjoint(self.waiting.scripts)
        this = "o" if statement.stand_in is None else self.expr(statement.stand_in)
        parent = f"{self.frame(pc)}, " if framed else ""
        lines = [
            f"o = {self.sure(statement.target)}",
            f"h = {self.book.hook(statement.hook)}[o]",
            f"x = None if h is None else h(r, s, {parent}{this}{self.given(statement.arguments)})",
        ]

        def then() -> None:
            if framed:
                self.put("if x is W: return W")
            self.bind(slot)
            if self.waiting.untils:
                self.put(f"if h is not None and {self.may_end()} and ends(r, s, {self.frame(pc)}): return W")

        if self.book.stops.at(statement):
            self.want(pc, partial(self.rest, spot))
        self.head(op, lines, then)

    def may_end(self) -> str:
        """Whether any stage may end now, which is asked when a hook comes back."""
        texts = {re.sub(r"\bi\d+", "i", text): text for text in map(self.expr, self.waiting.untils)}
        if any(re.search(r"\bv\d", text) for text in texts):
            return "True"
        if any(map(self.paper.can_fail, texts)) or len("".join(texts)) > LONGEST:
            self.book.ends = [*texts.values()]
            return "may_end(r, s)"
        return f"({' or '.join(texts)})"


def _stops(body: ir.Block) -> bool:
    """Whether a loop with this body may be left early, so that a frame shows how far it came."""
    return any(isinstance(node, ir.Leave) for node in nodes(body))
