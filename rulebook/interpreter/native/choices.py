"""Choices and windows, printed.

In: statements that ask somebody. Out: for each choice, functions that say what is offered and what is allowed, and in
its script the lines that ask. Never: says which answers are equal, or what is chosen without asking; the engine does.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.interpreter import ops as p
from rulebook.interpreter.compiled.sources import is_distinct
from rulebook.interpreter.native.acts import Acts
from rulebook.interpreter.native.built_ins import BuiltIns
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Plan


class Offers:
    """Prints what one choice offers: `number` is that of its script and of its op."""

    def __init__(self, plan: Plan, name: str, number: str, op: p.Choose) -> None:
        self.plan, self.name, self.number, self.op, self.put = plan, name, number, op, plan.paper.put

    def print(self, picks: tuple[ir.Pick, ...] | tuple[ir.Option, ...]) -> None:
        """The choice: its picks, what each offers, and what each allows."""
        op, number, paper = self.op, self.number, self.plan.paper
        self.plan.most_picks = max(self.plan.most_picks, len(op.picks))
        given = "S *s, V *v, int which, V seat, const V *picked"
        with paper.inside(f"static int o{number}({given}, V **values, V *least, V *most)"):
            self.whiches(picks, self.offer)
        tested = any(pick.so_that is not None for pick in op.picks)
        if tested:
            with paper.inside(f"static int t{number}({given}, V chosen)"):
                self.whiches(picks, self.allows)
        flags = ", ".join(self.flags(pick) for pick in op.picks)
        self.put(f"static const Pick p{number}[] = {{{flags}}};")
        allows = f"t{number}" if tested else "NULL"
        head = f"{len(op.picks)}, {int(op.may)}, {int(op.sealed)}, p{number}"
        self.put(f"static const Choice c{number} = {{{head}, o{number}, {allows}}};")

    def flags(self, pick: p.Pick) -> str:
        """What the engine must know about a pick."""
        sorts = {source.sort for source in pick.sources}
        cards = bool(sorts & {"card", "object"})
        shown = {source.shown for source in pick.sources if source.sort in ("card", "object")}
        if (cards and sorts - {"card", "object", "action"}) or len(shown) > 1:
            raise CannotPrint("a choice among cards and other things")
        flags = (pick.many, pick.ordered, cards, True in shown, pick.so_that is not None)
        return f"{{{', '.join(map(str, [pick.slot, *map(int, flags)]))}}}"

    def whiches(self, picks: Any, print_one: Any) -> None:
        several = [picks] if picks and isinstance(picks[0], ir.Option) else list(picks)
        for which, pick in enumerate(several):
            asks = BuiltIns(self.plan, self.name, "return 0;")
            if self.op.decider is not None:
                asks.names[self.op.decider] = "seat"
            for earlier in range(which):
                asks.names[self.op.picks[earlier].slot] = f"picked[{earlier}]"
            with self.plan.paper.inside(f"if (which == {which})"):
                print_one(asks, pick)
        self.put("return 0;")

    def offer(self, asks: BuiltIns, pick: ir.Pick | tuple[ir.Option, ...]) -> None:
        if isinstance(pick, tuple):
            for number, option in enumerate(pick):
                asked = "1" if option.condition is None else asks.truth(option.condition)
                self.put(f"if ({asked}) push(s, values, {number});")
            self.put("return 1;")
            return
        apart = len(pick.sources) == 1 and is_distinct(self.plan.book, pick.sources[0].list)
        add = "push(s, values, {});" if apart else "offer_once(s, values, {});"
        for source in pick.sources:
            asks.through(source.list, lambda one: self.put(add.format(one)))
        if pick.many:
            self.put(f"*least = {asks.sure(pick.least)};")
            self.put(f"*most = {'NOTHING' if pick.most is None else asks.sure(pick.most)};")
        self.put("return 1;")

    def allows(self, asks: BuiltIns, pick: ir.Pick) -> None:
        asks.names[pick.slot] = "chosen"
        self.put("return 1;" if pick.so_that is None else f"return {asks.truth(pick.so_that)};")


class Choices(Acts):
    """Prints what players decide, in one script."""

    def offers(self, op: p.Choose, pc: int, picks: tuple[ir.Pick, ...] | tuple[ir.Option, ...]) -> str:
        """The name of a choice, whose functions stand before those of the script."""
        number = f"{self.plan.scripts[self.name]}_{pc}"
        with self.paper.elsewhere() as lines:
            depth, self.paper.depth = self.paper.depth, 0
            Offers(self.plan, self.name, number, op).print(picks)
            self.paper.depth = depth
        self.plan.offers += lines
        return f"c{number}"

    def ask(self, who: str | ir.Expr, op: p.Choose, pc: int, missing: str) -> None:
        """A decision: everybody answers, unless nobody is asked; `missing` is where it goes when nothing is chosen."""
        choice = f"c{self.plan.scripts[self.name]}_{pc}"
        self.put("tidy(s);")
        self.put("int became = WAITS;")
        with self.paper.inside("if (!s->asked)"):
            seats = who if isinstance(who, str) else self.expr(who)
            self.put(f"became = ask(s, v, &{choice}, {seats});")
            self.put("if (became == OVER) return;")
            self.put(f"if (became == SKIPPED) {self.lacks}")
        self.put(f"if (became == WAITS) became = decide(s, v, &{choice});")
        self.put(f"if (became == MISSED) goto {missing};")
