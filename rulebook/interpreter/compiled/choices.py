"""Choices and windows, printed.

In: statements that ask somebody. Out: text that asks, waits, and goes on with what was chosen. Never: says what an
option is; `choosing` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter import ops as p
from rulebook.interpreter.compiled.lists import display
from rulebook.interpreter.compiled.paper import LACKS
from rulebook.interpreter.compiled.printer import Print, Printer, Spot
from rulebook.interpreter.compiled.sources import (
    are_apart,
    are_ordered,
    changes_options,
    holds_cards,
    is_distinct,
    is_plain,
    lie_together,
)
from rulebook.interpreter.layout import ALIVE


class ChoicePrinter(Printer):
    """Prints what players decide."""

    def choice(self, spot: Spot, pc: int, chosen: Print, otherwise: ir.Block | None) -> None:
        """A decision at an op: what happens when something was chosen, and when nothing was."""
        op: Any = self.code.ops[pc]
        missed = partial(self.block, otherwise or (), "plain", spot)
        self.want(pc + 1, partial(self.in_turn, chosen, partial(self.rest, spot)))
        self.want(op.otherwise, partial(self.in_turn, missed, partial(self.rest, spot)))
        self.decide(spot.statement, op, pc)
        with self.paper.inside("if t == 1:"):
            chosen()
        if otherwise:
            with self.paper.inside("elif t == 0:"):
                missed()

    def decide(self, statement: ir.Statement, op: p.Choose, pc: int) -> None:
        """Ask, or wait; `t` says what became of it, and the locals of the picks hold what was chosen."""
        if not self.book.watched:
            self.decide_unseen(statement, op, pc)
            return
        with self.paper.inside("if r.events is None:"):
            self.decide_unseen(statement, op, pc)
        with self.paper.inside("else:"):
            self.by_choosing(op, pc)

    def decide_unseen(self, statement: ir.Statement, op: p.Choose, pc: int) -> None:
        """The same where nobody is told what was chosen without being asked."""
        listed = self.listed(statement)
        if listed is None:
            if not self.several_picks(statement, op, pc):
                self.by_choosing(op, pc)
            return
        lines, sources = listed
        same = self.are_same(sources)
        if not same or are_ordered(self.book, sources):
            self.ask(op, pc, lines, sources, same)
            return
        with self.paper.inside(f"if {same}:"):
            self.ask(op, pc, lines, sources)
        with self.paper.inside("else:"):
            # Cards that have become different are told apart, and put in order, by what they are now.
            self.by_choosing(op, pc)

    def are_same(self, sources: Sequence[ir.Source]) -> str:
        """Whether the cards of some sources are told apart as they were before the game; "" if they always are."""
        changing = changes_options(self.book, sources)
        changed = [f"{self.constant(one)}.has_changed(s[{one.slot}])" for one in changing]
        same = [f"s[{one.slot}] is {self.constant(one.starts)}" for one in changing]
        return f"({' and '.join(same)} or not ({' or '.join(changed)}))" if changing else ""

    def several_picks(self, statement: ir.Statement, op: p.Choose, pc: int) -> bool:
        """Ask for one thing after the other, or several players at once; whether that was printed."""
        given, sources = "_" if op.decider is None else f"v{op.decider}", list[ir.Source]()
        picks: tuple[ir.Pick, ...] = ()
        decider: ir.Expr | None = None
        lists: list[str] = []
        match statement:
            case ir.Offer(players=players, options=options):
                seats = self.those_alive(players)
                lists = [f"lambda {given}: {self.open_options(options)}"]
            case ir.Choose(player, picks=picks):
                seats, decider = f"(o := {self.checked(player)},)", player
                if self.book.eliminates:
                    return False
            case ir.ChooseEach(slot, players, picks=picks):
                seats, decider = self.those_alive(players), _decider(slot)
            case _:
                return False
        for one in picks:
            if one.many or decider is None or not is_plain(self.book, self.name, decider, (one,)):
                return False
            lists.append(f"lambda {given}: {self.values(one.sources)}")
            given += f", v{one.slot}"
            sources += one.sources
        # Whether something is missing shows before anybody has answered, or must not happen.
        if any(map(self.paper.can_fail, lists[1:])):
            return False
        fails = LACKS if any(map(self.paper.can_fail, (seats, *lists))) else ""
        self.lists[pc] = partial(self.list_picks, lists, self.mixed(sources))
        self.put(f"x = l{self.index}_{pc}(r, s, *{self.locals()})")
        with self.paper.inside("if x:"):
            asked = f"t, e = {fails}picked(r, s, {seats}, x, {op.may}, {op.sealed})"
            self.head(op, [asked], partial(self.take, op, pc), "t = 3")
        with self.paper.inside("else:"):
            self.by_choosing(op, pc)
        return True

    def take(self, op: p.Choose, pc: int) -> None:
        """What each pick brought, if nobody is asked."""
        self.or_wait(pc)
        for number, pick in enumerate(op.picks):
            self.put(f"v{pick.slot} = e[{number}]")

    def list_picks(self, lists: Sequence[str], sources: Sequence[ir.Source]) -> None:
        """What equal options share, and the list of each pick, of who picks and what was picked so far; nothing while
        cards are told apart in another way than as they were printed.
        """
        if same := self.are_same(sources):
            self.put(f"if not {same}: return None")
        self.put(f"return {self.book.likeness if sources else 'None'}, {', '.join(lists)}")

    def by_choosing(self, op: p.Choose, pc: int) -> None:
        """What the machine offers."""
        self.put(f"{self.env()}; t = choose(r, {self.constant(op)})")
        self.or_wait(pc)
        for pick in op.picks:
            self.put(f"v{pick.slot} = e[{pick.slot}]")

    def or_wait(self, pc: int) -> None:
        """Wait at an op if somebody is asked; a player who is called has answered."""
        if not self.book.inline:
            self.put(f"if t == 2: return wait(s, {self.frame(pc)})")

    def ask(self, op: p.Choose, pc: int, lines: list[str], sources: Sequence[ir.Source], same: str = "") -> None:
        """Choose from a printed list: nobody is asked when it is empty, or when all that is in it is one option.
        `sources` are those whose cards may be one option; `same` says whether these are told apart as before the game.
        """
        name, likeness = f"v{op.picks[0].slot}", self.book.likeness if sources else "None"
        self.put("t = 0")
        self.head(op, lines, lacks="t = 3; x = ()")
        if same:
            self.put(f"n = {likeness} if {same} else told_apart(r, s, x)")
            likeness = "n"
        fails = any(map(self.paper.can_fail, lines))
        if op.picks[0].many:
            # What is skipped asks for none of no values.
            with self.paper.inside("if t != 3:") if fails else nullcontext():
                # Who waits still has what was chosen here before.
                chosen = name if self.book.inline else "x"
                self.put(f"t, {chosen} = several(r, s, o, x, {likeness}, e, {op.may})")
                self.or_wait(pc)
                if chosen != name:
                    self.put(f"{name} = x")
            return
        many, ask = "len(x) > 1", "ask_one(r, s, o, x"
        if sources:
            many, ask = f"not alike(x, {likeness})", f"ask_alike(r, s, o, x, {likeness}"
            if not same and lie_together(self.book, sources):
                many, ask = f"{likeness}[x[0]] != {likeness}[x[-1]]", f"ask_sorted(r, s, o, x, {likeness}"
        if not self.book.inline:
            ask = f"return asks(r, s, {self.frame(pc)}, o, x, {likeness}"
        if op.may and self.book.inline:
            self.put(f"{name} = {ask}, True) if x else None")
            self.put(f"if {name} is not None: t = 1")
        elif op.may:
            self.put(f"if x: {ask}, True)")
            self.put(f"{name} = None")
        else:
            with self.paper.inside("if x:"):
                if self.book.inline:
                    self.put(f"{name} = {ask}, False) if {many} else x[0]")
                else:
                    self.put(f"if {many}: {ask}, False)")
                    self.put(f"{name} = x[0]")
                self.put("t = 1")
            self.put(f"el{'if t == 0' if fails else 'se'}: {name} = A")

    def listed(self, statement: ir.Statement) -> tuple[list[str], Sequence[ir.Source]] | None:
        """What makes `o`, who chooses, and `x`, the values to choose from, and from what these are if cards among them
        may be one option; None if this is no plain choice.
        """
        match statement:
            case ir.Choose(player, picks=picks) if is_plain(self.book, self.name, player, picks):
                sources = picks[0].sources
                lines = [f"x = {self.values(sources)}", *self.bounds(picks[0])]
            case ir.Menu(player, options=options):
                lines, sources = [f"x = {self.open_options(options)}"], ()
            case ir.Offer(together=False, options=options):
                return [f"o = v{statement.slot}", f"x = {self.open_options(options)}"], ()
            case _:
                return None
        alive = [f"if o not in s[{ALIVE}]: there(None)"] if self.book.eliminates else []
        return [f"o = {self.checked(player)}", *alive, *lines], self.mixed(sources)

    def mixed(self, sources: Sequence[ir.Source]) -> Sequence[ir.Source]:
        """These, if among the options from there may be cards that are one option; else none."""
        script = self.book.tables.rulebook.scripts[self.name]
        mixed = any(holds_cards(one) and not are_apart(self.book, script, one) for one in sources)
        return sources if mixed else ()

    def bounds(self, pick: ir.Pick) -> list[str]:
        """How many of a set are wanted at least and at most, and which sets are allowed; nothing for a single thing."""
        if not pick.many:
            return []
        most = "None" if pick.most is None else self.expr(pick.most)
        allows = "None"
        if pick.so_that is not None:
            test = self.expr(pick.so_that)
            allows = f"lambda v{pick.slot}: {f'held(lambda: {test})' if self.paper.can_fail(test) else test}"
        return [f"e = {self.expr(pick.least)}, {most}, {allows}"]

    def values(self, sources: tuple[ir.Source, ...]) -> str:
        """The values of one list after the other, each once."""
        if len(sources) == 1:
            one = self.sure_raw(sources[0].list)
            return one if is_distinct(self.book, sources[0].list) else f"[*dict.fromkeys({one})]"
        chained = "".join(self.members(source.list) for source in sources)
        distinct = all(is_distinct(self.book, source.list) for source in sources)
        apart = len({source.sort for source in sources} & {"card", "action"}) == len(sources)
        return display(chained) if distinct and apart else f"[*dict.fromkeys({display(chained)})]"

    def open_options(self, options: tuple[ir.Option, ...]) -> str:
        """The numbers of the labels that may be chosen."""
        asked = ["True" if one.condition is None else self.true(one.condition) for one in options]
        return display(self.those_of(range(len(options)), asked))

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
            self.decide(statement, asked, begin + 2)
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


def _decider(slot: int) -> ir.Expr:
    """Each of those who decide, while their options are read."""
    return ir.Local(slot, "", type=t.PLAYER)
