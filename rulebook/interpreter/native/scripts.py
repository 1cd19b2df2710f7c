"""Scripts, printed: what each sentence of the language becomes.

In: an `ir.Script`, the code that lowering made of it, the plan. Out: a function of C, which begins or goes on at the op
at which its frame stands, and comes back when another script is called or it is done. Never: leaves a sentence out, or
lays anything out: slots, hidden locals, jumps and what a skipped sentence leaves are read off the ops, one after the
other, in the order in which lowering wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, assert_never

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter import ops as p
from rulebook.interpreter.lowering.scripts import item_of, looks
from rulebook.interpreter.native.choices import Asked, Choices
from rulebook.interpreter.native.lists import is_flat
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Plan
from rulebook.interpreter.program import Code


class Scripts(Choices):
    """Prints the script whose code it has."""

    def __init__(self, plan: Plan, script: ir.Script, code: Code) -> None:
        super().__init__(plan, script.name, "")
        self.script, self.code, self.number = script, code, plan.scripts[script.name]
        self.pc = 0
        self.entries = {0}
        """The ops at which it may be resumed."""
        self.wanted: set[int] = set()
        self.left_out: list[str] = []
        """What is done when a sentence is left out, behind everything else."""

    def print(self) -> None:
        """The whole function."""
        with self.paper.elsewhere() as body:
            self.paper.depth += 1
            self.block(self.script.body)
            self.next(p.Return)
            self.leave("NOTHING")
            self.paper.depth -= 1
        if self.pc != len(self.code.ops):
            raise CannotPrint("more ops than sentences", self.script.at)
        used = self.wanted | self.entries
        with self.paper.inside(f"static int s{self.number}(S *s)"):
            self.put("const int64_t base = s->base;")
            self.put("V *const v = locals(s);")
            if "goto G0;" in " ".join(body):
                self.put("G0:")
            with self.paper.inside("switch (s->stack[base + PC])"):
                begun = _all(tuple(range(self.script.parameters, self.code.size)), "NOTHING")
                for pc in sorted(self.entries):
                    self.put(f"case {pc}: {'' if pc else begun}goto L{pc};")
                self.put("default: stop(s, UNKNOWN);")
            labels = ((line, re.fullmatch(r"L(\d+):;", line.strip())) for line in body)
            self.paper.lines += [line for line, label in labels if label is None or int(label[1]) in used]
            for line in self.left_out:
                self.put(line)

    # ── ops, in order ──

    def next(self, kind: type[Any]) -> tuple[int, Any]:
        """The next op, which is of a kind, behind a label with its number."""
        pc, op = self.pc, self.code.ops[self.pc]
        if not isinstance(op, kind):
            raise CannotPrint(f"a sentence that becomes {type(op).__name__}", self.code.ats[pc])
        self.pc += 1
        self.put(f"L{pc}:;")
        return pc, op

    def label(self, pc: int) -> str:
        """The label of an op to which something jumps."""
        self.wanted.add(pc)
        return f"L{pc}"

    def enters(self, pc: int) -> None:
        """The script may be resumed at an op."""
        self.entries.add(pc)

    @contextmanager
    def head(self, kind: type[Any]) -> Iterator[tuple[int, Any]]:
        """What the op does with which a sentence begins; if somebody absent is named, or nothing asked, what is left
        out leaves its locals so.
        """
        pc, op = self.next(kind)
        behind = self.label(op.skip or pc + 1)
        with self.paper.inside(""):
            if op.guards:
                self.put(f"if ({' || '.join(f'v[{slot}] == ABSENT' for slot in op.guards)}) goto A{pc};")
                self.left_out.append(f"A{pc}: {_all(op.binds, 'ABSENT')}goto {behind};")
            self.lacks, before = f"goto N{pc};", self.lacking
            yield pc, op
        # A choice may be left out although nothing that it reads is nothing.
        if self.lacking > before or isinstance(op, p.Choose):
            self.left_out.append(f"N{pc}: {_all(op.binds, 'NOTHING')}goto {behind};")

    def forgetting(self, forgets: bool, act: Callable[[], None]) -> None:
        """Do something; lists that are made for it alone are nowhere afterwards."""
        if forgets:
            self.put("int64_t used = s->used;")
        act()
        if forgets:
            self.put("s->used = used;")

    def block(self, block: ir.Block) -> None:
        """The sentences of a block."""
        for statement in block:
            self.looks(statement)
            try:
                self.sentence(statement)
            except CannotPrint as refused:
                raise CannotPrint(refused.what, refused.at or statement.at) from None

    def looks(self, statement: ir.Statement) -> None:
        """What a sentence looks at in a pile gets its order before, if it has none."""
        for pile, count in looks(statement):
            pc, op = self.next(p.BeginSettle)
            self.pc += 1
            with self.paper.inside(""):
                guards = "".join(f"v[{slot}] == ABSENT || " for slot in op.guards)
                self.lacks = f"goto {self.label(pc + 2)};"
                if guards:
                    self.put(f"if ({guards}0) {self.lacks}")
                place = self.simple(self.place(pile))
                self.put(f"settle(s, {place}, {f's->n[{place}]' if count is None else self.or_none(count)});")

    # ── sentences ──

    def sentence(self, statement: ir.Statement) -> None:
        """One sentence, with its blocks."""
        match statement:
            case (
                ir.Let() | ir.Assign() | ir.Move() | ir.MovePieces() | ir.Draw() | ir.Deal() | ir.Pass() | ir.Shuffle()
                | ir.Roll() | ir.Swap() | ir.PickRandom() | ir.Reveal() | ir.Cover() | ir.Show() | ir.Tell() | ir.Say()
                | ir.Eliminate()
            ):  # fmt: skip
                two = isinstance(statement, ir.Draw | ir.Deal | ir.Shuffle | ir.Roll | ir.PickRandom)
                behind = self.code.ops[self.pc + 1] if two else None
                with self.head(p.Op):
                    self.forgetting(not _keeps_list(statement), lambda: self.act(statement, behind))
                    if not isinstance(statement, ir.Let | ir.Show | ir.Tell | ir.Say):
                        self.put("s->changes++;")
                if two:
                    self.pc += 1
            case ir.Choose(player, picks=picks, taken=taken, otherwise=otherwise):
                self.choose(player, picks, player)
                self.block(taken or ())
                self.otherwise(otherwise)
            case ir.ChooseEach(slot, players=players, picks=picks, otherwise=otherwise):
                self.choose(players, picks, ir.Local(slot, "", type=t.PLAYER))
                self.otherwise(otherwise)
            case ir.Arrange(player, cards):
                self.arrange(player, cards)
            case ir.Menu(player, options=options, otherwise=otherwise):
                self.choose(player, options)
                self.switch(options)
                self.otherwise(otherwise)
            case ir.Offer():
                self.window(statement)
            case ir.If(condition, then, otherwise):
                with self.head(p.Branch) as (_, op):
                    self.put("int asked;")
                    self.forgetting(True, lambda: self.put(f"asked = {self.truth(condition)};"))
                    self.put(f"if (!asked) goto {self.label(op.otherwise)};")
                self.block(then)
                self.otherwise(otherwise)
            case ir.ForEach():
                self.walk(statement.list)
                self.next_item()
                self.block(statement.body)
                self.jump()
            case ir.Repeat():
                self.repeat(statement)
            case ir.Stage():
                self.stage(statement)
            case ir.Leave():
                if isinstance(self.code.ops[self.pc], p.LeaveStages):
                    _, op = self.next(p.LeaveStages)
                    self.leave_stages(op.stages)
                self.jump()
            case ir.EndStage(name):
                with self.head(p.EndStage) as (pc, _):
                    self.put(f"s->stack[base + PC] = {pc + 1};")
                    self.put(f"end_named(s, {self.plan.stage_name(name)});")
                    self.go_on()
            case ir.Return(value):
                with self.head(p.Return) as (_, op):
                    answer = "NOTHING" if value is None else self.kept(self.expr(value))
                    self.leave_stages(op.stages)
                    self.leave(answer)
            case ir.DoRule(script, arguments, slot):
                with self.head(p.Call) as (pc, _):
                    given = [self.simple(self.expr(one)) for one in arguments]
                    self.call(str(self.plan.scripts[script]), given, pc, slot)
                self.enters(pc + 1)
            case ir.DoHook():
                self.hook(statement)
            case ir.Win(players):
                with self.head(p.Win):
                    self.put(f"win(s, {'NOTHING' if players is None else self.sure(players)});")
                    self.put("return 0;")
            case _:
                assert_never(statement)

    # ── choices ──

    def choose(self, who: ir.Expr | str, picks: Asked, chooser: ir.Expr | None = None) -> None:
        """A decision; behind it, something was chosen. `chooser` is each who decides, where the options say so."""
        with self.head(p.Choose) as (pc, op):
            offers = self.offers(f"{self.number}_{pc}", op, picks, chooser)
            self.ask(who, offers, pc, self.label(op.otherwise))
        self.entries |= {pc, pc + 1, op.otherwise}

    def otherwise(self, block: ir.Block | None) -> None:
        """A block behind another one, which jumps over it."""
        if block:
            self.jump()
            self.block(block)

    def switch(self, options: tuple[ir.Option, ...]) -> None:
        """The block of the option that was chosen."""
        _, op = self.next(p.Switch)
        with self.paper.inside(""):
            self.put(f"V chosen = v[{op.slot}];")
            self.put(f"v[{op.slot}] = NOTHING;")
            for number, target in enumerate(op.targets):
                self.put(f"if (chosen == {number}) goto {self.label(target)};")
        for option in options:
            self.block(option.body)
            self.jump()

    def arrange(self, player: ir.Expr, cards: ir.Expr) -> None:
        all_of = ir.BuiltIn("count", (cards,), type=t.NUMBER)
        pick = ir.Pick(0, "", True, all_of, None, True, (ir.Source(cards, "card"),), None)
        self.choose(player, (pick,))
        with self.head(p.Arrange) as (_, op):
            self.put(f"arrange(s, {self.each_once(cards)}, v[{op.order}]);")
            self.put("s->changes++;")

    def window(self, statement: ir.Offer) -> None:
        """Everyone of a list may take an option: one after the other, or all at once."""
        self.walk(statement.players)
        if statement.together:
            walked: Any = self.code.ops[self.pc - 1]
            self.choose(f"v[{walked.items}]", statement.options)
            self.next_item()
            self.taken(statement.options)
            self.switch(statement.options)
            self.jump()
        else:
            self.next_item()
            self.choose(f"v[{statement.slot}]", statement.options)
            self.switch(statement.options)
            self.jump()
            self.jump()
        self.block(statement.otherwise or ())

    def taken(self, options: tuple[ir.Option, ...]) -> None:
        """What a player took in a window for all, if it still may be carried out."""
        _, op = self.next(p.Taken)
        with self.paper.inside(""):
            self.lacks = "stop(s, NOT_THERE);"
            self.put(f"V index = list_at(s, v[{op.answers}])[1 + v[{op.taker}]];")
            self.put(f"if (index == NOTHING) goto {self.label(op.otherwise)};")
            for number, option in enumerate(options):
                if option.condition is not None:
                    with self.paper.inside(f"if (index == {number})"):
                        self.put(f"if (!{self.truth(option.condition)}) goto {self.label(op.otherwise)};")
            self.put(f"v[{op.slot}] = index;")

    # ── loops and jumps ──

    def jump(self) -> None:
        _, op = self.next(p.Jump)
        self.put(f"goto {self.label(op.target)};")

    def walk(self, several: ir.Expr) -> None:
        with self.head(p.Walk) as (_, op):
            self.put(f"v[{op.items}] = {self.sure(several)};")
            self.put(f"v[{op.at}] = 0;")

    def next_item(self) -> None:
        """The next round of a loop through a list, or its end; players who are out are passed over."""
        _, op = self.next(p.NextItem)
        with self.paper.inside(""):
            self.put("tidy(s);")
            self.put("look(s, 1);")
            self.put(f"const V *items = list_at(s, v[{op.items}]);")
            if op.players:
                self.put(f"while (v[{op.at}] < items[0] && !is_alive(s, items[1 + v[{op.at}]])) v[{op.at}]++;")
            with self.paper.inside(f"if (v[{op.at}] >= items[0])"):
                self.put(f"v[{op.items}] = v[{op.at}] = NOTHING;")
                self.put(f"goto {self.label(op.exit)};")
            self.put(f"v[{op.slot}] = items[1 + v[{op.at}]++];")
            if op.index is not None:
                self.put(f"v[{op.index}] = v[{op.at}];")

    def repeat(self, statement: ir.Repeat) -> None:
        with self.head(p.Repeat) as (_, op):
            self.put(f"v[{op.limit}] = {'NOTHING' if statement.count is None else self.sure(statement.count)};")
            self.put(f"v[{op.at}] = 0;")
        _, op = self.next(p.NextRound)
        with self.paper.inside(""):
            self.put("tidy(s);")
            self.put("look(s, 1);")
            if statement.count is not None:
                with self.paper.inside(f"if (v[{op.at}] >= v[{op.limit}])"):
                    self.put(f"v[{op.limit}] = v[{op.at}] = NOTHING;")
                    self.put(f"goto {self.label(op.exit)};")
            self.put(f"v[{op.at}]++;")
            if op.index is not None:
                self.put(f"v[{op.index}] = v[{op.at}];")
        self.block(statement.body)
        self.jump()

    # ── stages and calls ──

    def stage(self, statement: ir.Stage) -> None:
        with self.head(p.EnterStage) as (_, op):
            number = self.plan.stage(self.number, op.stage)
            code = self.code.stage_table[op.stage]
            if statement.until is not None:
                self.until(number, statement.until)
                self.put(f"if (u{number}(s, v)) goto {self.label(code.exit)};")
        self.enters(code.exit)
        for inner in statement.body:
            self.block((inner,))
            if statement.until is not None:
                pc, _ = self.next(p.AskUntil)
                with self.paper.inside(f"if (u{number}(s, v))"):
                    self.put(f"s->stack[base + PC] = {pc + 1};")
                    self.put(f"end_stage(s, base, {number});")
                    self.go_on()
        _, op = self.next(p.LeaveStages)
        self.leave_stages(op.stages)

    def until(self, number: int, condition: ir.Expr) -> None:
        """A function that says whether a stage ends; about somebody who is not there, nothing is."""
        asks = Choices(self.plan, self.name, "return 0;")
        with self.paper.apart() as lines, self.paper.inside(f"static int u{number}(S *s, V *v)"):
            self.put(f"return {asks.truth(condition)};")
        self.plan.offers += lines
        self.plan.untils.add(number)

    def leave_stages(self, stages: tuple[int, ...]) -> None:
        """What lasts as long as these stages returns to its start."""
        for stage in stages:
            if self.plan.lasts(self.code.stage_table[stage].name):
                self.put(f"restart_stage(s, {self.plan.stage(self.number, stage)});")

    def call(self, code: str, given: list[str], pc: int, slot: int | None) -> None:
        """Another script, which runs at once; this one goes on if its frame is the innermost one then."""
        number, size = self.paper.fresh(), str(self.plan.program.codes[int(code)].size) if code.isdigit() else ""
        size, answers = size or f"CODES[{code}].size", -1 if slot is None else slot
        self.put(f"V *w{number} = enter(s, {code}, {size}, {pc + 1}, {answers});")
        for at, one in enumerate(given):
            self.put(f"w{number}[{at}] = {one};")
        run = f"s{code}" if code.isdigit() else f"CODES[{code}].run"
        self.put(f"if ({run}(s)) goto {self.label(pc + 1)};")
        self.go_on()

    def leave(self, answer: str) -> None:
        """The script is done."""
        self.put(f"return leave(s, {answer}, {int(self.script.hook)});")

    def go_on(self) -> None:
        """Go on wherever the frame stands, if it is the innermost one."""
        self.put("if (s->base == base) goto G0;")
        self.put("return 0;")

    def hook(self, statement: ir.DoHook) -> None:
        """What an object does; one that does nothing answers nothing."""
        with self.head(p.CallHook) as (pc, op):
            codes = self.paper.table("int16_t", [-1 if one is None else one for one in op.codes])
            target = self.simple(self.sure(statement.target))
            given = [self.simple(self.expr(one)) for one in statement.arguments]
            this = target if statement.stand_in is None else self.simple(self.expr(statement.stand_in))
            with self.paper.inside(f"if ({codes}[{target}] >= 0)"):
                self.call(f"{codes}[{target}]", [this, *given], pc, statement.slot)
            if statement.slot is not None:
                self.put(f"v[{statement.slot}] = NOTHING;")
        self.enters(pc + 1)


def _keeps_list(statement: ir.Statement) -> bool:
    """Whether a list that a sentence makes may be what it names or writes down."""
    match statement:
        case ir.Let(_, value) | ir.Assign(_, value):
            return not is_flat(value.type)
        case ir.Draw(many=many):
            return many
        case ir.PickRandom(_, source, count):
            return count is not None or not is_flat(item_of(source.type))
    return False


def _all(slots: tuple[int, ...], value: str) -> str:
    return f"{' = '.join([*(f'v[{slot}]' for slot in slots), value])}; " if slots else ""
