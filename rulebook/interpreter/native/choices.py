"""Choices and windows, printed.

In: statements that ask somebody. Out: for each choice, functions that say what is offered and what is allowed, and in
its script the lines that ask. Never: says which answers are equal, or what is chosen without asking; the engine does.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter import ops as p
from rulebook.interpreter.compiled.sources import are_apart, holds_cards, is_distinct, is_plain, wherever
from rulebook.interpreter.native import sets
from rulebook.interpreter.native.acts import Acts
from rulebook.interpreter.native.built_ins import BuiltIns
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Plan

Asked = tuple[ir.Pick, ...] | tuple[ir.Option, ...]
CARDS = frozenset({"card", "object"})
"""The sorts of values among which are cards."""


class Offers:
    """Prints what one choice offers: `number` is that of its script and of its op."""

    def __init__(self, plan: Plan, name: str, number: str, op: p.Choose, who: ir.Expr | None) -> None:
        self.plan, self.name, self.number, self.op, self.put = plan, name, number, op, plan.paper.put
        self.who = who
        self.sure = True
        """Whether it asks nothing of nothing."""

    def print(self, picks: Asked) -> None:
        """The choice: its picks, what each offers, and what each allows."""
        op, number, paper = self.op, self.number, self.plan.paper
        self.plan.most_picks = max(self.plan.most_picks, len(op.picks))
        given = "S *s, V *v, int which, V seat, const V *picked"
        with paper.inside(f"static V o{number}({given}, V *values, V *least, V *most)"):
            self.put("V count = 0;")
            self.whiches(picks, self.offer, "return -1;")
        tested = any(pick.so_that is not None for pick in op.picks)
        if tested:
            with paper.inside(f"static int t{number}({given}, V chosen)"):
                self.whiches(picks, self.allows, "return 0;")
        given_picks = [None if isinstance(one, ir.Option) else one for one in picks]
        flags = ", ".join(self.flags(pick, one) for pick, one in zip(op.picks, given_picks, strict=False))
        self.put(f"static const Pick p{number}[] = {{{flags}}};")
        allows = f"t{number}" if tested else "NULL"
        head = f"{len(op.picks)}, {int(op.may)}, {int(op.sealed)}, p{number}"
        self.put(f"static const Choice c{number} = {{{head}, o{number}, {allows}}};")

    def flags(self, pick: p.Pick, source: ir.Pick | None) -> str:
        """What the engine must know about a pick, in the order of its `Pick`."""
        sorts = {source.sort for source in pick.sources}
        cards = bool(sorts & CARDS)
        shown = {source.shown for source in pick.sources if source.sort in CARDS}
        if (cards and sorts - {*CARDS, "action"}) or len(shown) > 1:
            raise CannotPrint("a choice among cards and other things")
        book, script = self.plan.book, self.plan.tables.rulebook.scripts[self.name]
        lists = [] if source is None else source.sources
        apart = all(one.sort not in CARDS or are_apart(book, script, given)
                    for one, given in zip(pick.sources, lists, strict=False))
        if self.who is not None and source is not None and is_plain(book, self.name, self.who, (source,)):
            shown.add(True)
        lie = [one.kept for given in lists if holds_cards(given) for one in wherever(book, script, given)]
        loose = cards and (source is None or not {"bag", "loose", "pool"}.isdisjoint(lie))
        flags = (pick.many, pick.ordered, pick.so_that is not None, loose, apart, True in shown)
        return f"{{{', '.join(map(str, [pick.slot, *map(int, flags)]))}}}"

    def whiches(self, picks: Any, print_one: Any, lacks: str) -> None:
        several = [picks] if picks and isinstance(picks[0], ir.Option) else list(picks)
        for which, pick in enumerate(several):
            asks = BuiltIns(self.plan, self.name, lacks)
            if self.op.decider is not None:
                asks.names[self.op.decider] = "seat"
            for earlier in range(which):
                asks.names[self.op.picks[earlier].slot] = f"picked[{earlier}]"
            with self.plan.paper.inside(f"if (which == {which})"):
                print_one(asks, pick)
            self.sure = self.sure and not asks.lacking
        self.put("return 0;")

    def offer(self, asks: BuiltIns, pick: ir.Pick | tuple[ir.Option, ...]) -> None:
        if isinstance(pick, tuple):
            for number, option in enumerate(pick):
                asked = "1" if option.condition is None else asks.truth(option.condition)
                self.put(f"if ({asked}) count = offer(s, values, count, {number});")
            self.put("return count;")
            return
        sorts = {"card" if source.sort in CARDS else source.sort for source in pick.sources}
        distinct = len(sorts) == len(pick.sources) and sorts <= {"card", "action", pick.sources[0].sort}
        distinct = distinct and all(is_distinct(self.plan.book, source.list) for source in pick.sources)
        add = f"count = {'offer' if distinct else 'offer_once'}(s, values, count, {{}});"
        for source in pick.sources:
            part = sets.part_of(asks, source.list) if distinct else None
            if part is not None and not part.conditions:
                for chunk, mask in part.masks().items():
                    self.put(f"count = offer_set(s, values, count, {64 * chunk}, {part.of(chunk, mask)});")
                continue
            asks.through(source.list, lambda one: self.put(add.format(one)))
        if pick.many:
            self.put(f"*least = {asks.sure(pick.least)};")
            if not _is_count(pick.least):
                self.put("if (*least < 0) *least = 0;")
            self.put(f"*most = {'NOTHING' if pick.most is None else asks.sure(pick.most)};")
        self.put("return count;")

    def allows(self, asks: BuiltIns, pick: ir.Pick) -> None:
        asks.names[pick.slot] = "chosen"
        self.put("return 1;" if pick.so_that is None else f"return {asks.truth(pick.so_that)};")


class Choices(Acts):
    """Prints what players decide, in one script."""

    def offers(self, number: str, op: p.Choose, picks: Asked, who: ir.Expr | None) -> Offers:
        """What a choice offers: functions that stand before those of the script."""
        offers = Offers(self.plan, self.name, number, op, who)
        with self.paper.apart() as lines:
            offers.print(picks)
        self.plan.offers += lines
        return offers

    def ask(self, who: str | ir.Expr, offers: Offers, pc: int, missing: str) -> None:
        """A decision: everybody answers, unless nobody is asked; `missing` is where it goes when nothing is chosen."""
        choice, picks = f"c{offers.number}", offers.op.picks
        self.put("int became = WAITS;")
        with self.paper.inside("if (!s->asked)"):
            self.put("tidy(s);")
            self.put(f"V who = {who if isinstance(who, str) else self.expr(who)};")
            asked = f"ask(s, v, &{choice}, who)"
            one = isinstance(who, str) or t.surely(who.type) == t.PLAYER
            if not any(pick.many or pick.so_that is not None for pick in picks):
                if one and len(picks) == 1 and not offers.op.sealed:
                    self.put("int64_t used = s->used;")
                    found = f"is_alive(s, who) ? o{offers.number}(s, v, 0, who, NULL, s->offers, NULL, NULL) : -1"
                    asked = f"at_once(s) ? ask_one(s, v, &{choice}, who, {found}, used) : {asked}"
                elif offers.sure:
                    asked = f"at_once(s) ? ask_each(s, v, &{choice}, who) : {asked}"
            self.put(f"became = {asked};")
            self.put("if (became == OVER) return 0;")
            self.put(f"if (became == SKIPPED) {self.lacks}")
        self.put(f"if (became == WAITS) became = decide(s, v, &{choice});")
        with self.paper.inside("if (became == STAYS)"):
            self.put(f"s->stack[base + PC] = {pc};")
            self.put("return 0;")
        self.put(f"if (became == MISSED) goto {missing};")


def _is_count(number: ir.Expr) -> bool:
    """Whether a number is never below zero, because it is written or counted."""
    match number:
        case ir.Const(int(value)):
            return value >= 0
        case ir.Pieces() | ir.BuiltIn("count"):
            return True
    return False
