"""Lint: sentences that are never reached, and loops that never end. Both ways of an `if` are possible here.

Bad: `win me`, then `add 1 to me.gold`. Good: the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile
from operator import is_not
from typing import Any

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, diagnose, nearest
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book, Home
from rulebook.dsl.naming.layer_names import is_beneath, name_plainly
from rulebook.dsl.walk import blocks, everything

_ON = ("on", "")
_BACK = ("return", "")
_OVER = ("win", "")


@frozen
class Does:
    """The effects that a script may have, with all that it calls: it wins, ends these stages, does rules or cards, asks
    somebody, changes these names.
    """

    wins: bool
    ends: frozenset[str]
    calls: bool
    asks: bool
    changes: frozenset[str]


Exit = tuple[str, str | int]
"""A way out of a block: its end is reached, `return`, `win`, `("end", stage)`, `("stop", depth)`, `("skip", depth)`."""


def never_reached(book: Book) -> Iterator[Diagnostic]:
    """Everything without a way in or out."""
    yield from uncalled(book)
    flow = _Flow(book)
    for home in book.homes.values():
        name, script = home.name, home.root
        if not isinstance(script, ir.Script):
            continue
        flow.home = home
        flow.game = name_plainly(name) == ir.GAME
        exits = flow.block(script.body, ())
        if name == ir.GAME and not exits & {_ON, _BACK, _OVER} and not flow.found_endless and not flow.may_win(name):
            yield diagnose("RB506", book.span("rules", "game"))
        yield from flow.messages
        flow.messages = []
    yield from _circles(book)


# ── rules ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def uncalled(book: Book) -> Iterator[Diagnostic]:
    """Rules that no game comes to; of those that call one another, the first. What lies beneath a layer is no rule."""
    rules = [name for name in book.homes if name.startswith("rules.") and not is_beneath(name)]
    lost = [name for name in rules if name not in book.reached]
    callers: dict[str, set[str]] = {name: set() for name in lost}
    for lost_name in book.homes.keys() - book.reached:
        for name in (book.calls[lost_name] & callers.keys()) - {name_plainly(lost_name)}:
            callers[name].add(lost_name)
    called = sorted(name.removeprefix("rules.") for name in rules if name in book.reached)
    done: set[str] = set()
    for name in sorted(lost, key=lambda lost_name: len(callers[lost_name])):
        if name in done:
            continue
        done |= book.below(name)
        rule = name.removeprefix("rules.")
        near = nearest(rule, called)
        help = f"`{near}` is called: did you mean this one there?" if near else None
        yield diagnose("RB507", book.span("rules", rule), sort="rule", name=rule, help=help)


def _circles(book: Book) -> Iterator[Diagnostic]:
    """Rules that always come back to themselves."""
    always: dict[str, tuple[str, Any]] = {}
    for name, script in book.rulebook.scripts.items():
        call = next((line for line in script.body if isinstance(line, ir.DoRule) and not line.guards), None)
        if call is not None and not any(map(_may_leave, takewhile(partial(is_not, call), script.body))):
            always[name] = call.script, call
    for circle in _find_circles({name: callee for name, (callee, _) in always.items()}):
        first, *others = [always[name][1].at for name in circle]
        if first is not None:
            names = " does ".join(f"`{name.removeprefix('rules.')}`" for name in [*circle, circle[0]])
            labels = [Label(at.span, "and on to the next from here") for at in others if at is not None]
            where = book.homes[circle[0]].where
            yield diagnose("RB504", first.span, where=where, what=f"This never ends: {names}", labels=labels)


def _find_circles(after: Mapping[str, str]) -> Iterator[list[str]]:
    """Follow each name to the one after it; a circle begins with the name that comes first in the alphabet."""
    begun_at: dict[str, str] = {}
    for start in after:
        name = start
        while name in after and name not in begun_at:
            begun_at[name] = start
            name = after[name]
        if begun_at.get(name) != start:
            continue
        circle = [name]
        while (name := after[name]) != circle[0]:
            circle.append(name)
        lowest = circle.index(min(circle))
        yield [*circle[lowest:], *circle[:lowest]]


def _may_leave(sentence: ir.Statement) -> bool:
    leaves = (ir.Return, ir.EndStage, ir.Win, ir.Leave, ir.DoRule, ir.DoHook)
    return any(isinstance(node, leaves) for node in everything(sentence) if node is not sentence) or isinstance(
        sentence, (ir.Return, ir.EndStage, ir.Win)
    )


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Flow:
    """The ways out of blocks, by the fields of sentences: only those that steer are known by class."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.home: Home = next(iter(book.homes.values()))
        self.game = False
        self.messages: list[Diagnostic] = []
        self.found_endless = False
        self._does: dict[str, Does] = {}

    def block(self, block: ir.Block, stages: tuple[ir.Stage, ...]) -> set[Exit]:
        """Return the ways in which a block may be left. `stages` are those around it in this script."""
        exits: set[Exit] = {_ON}
        for number, statement in enumerate(block):
            exits.discard(_ON)
            exits |= self.sentence(statement, stages)
            if _ON not in exits:
                if number + 1 < len(block):
                    self._report_unreached(statement, block[number + 1])
                break
        return exits

    def _report_unreached(self, before: ir.Statement, after: ir.Statement) -> None:
        if after.at is not None and after.at.start < after.at.end:
            labels = [Label(before.at.span, "this never goes on")] if before.at is not None else []
            self.messages.append(diagnose("RB502", after.at.span, where=self.home.where, labels=labels))

    def sentence(self, statement: ir.Statement, stages: tuple[ir.Stage, ...]) -> set[Exit]:
        """Return the ways in which a sentence may go on or leave."""
        exits: set[Exit]
        match statement:
            case ir.Leave(skip, depth):
                exits = {("skip" if skip else "stop", depth)}
            case ir.Return():
                exits = {_BACK}
            case ir.EndStage(name):
                exits = {("end", name)}
            case ir.Win():
                exits = {_OVER}
            case ir.Stage(name, _, until, body):
                inner = self.block(body, (*stages, statement))
                exits = inner - {("end", name)}
                if until is not None or ("end", name) in inner or name in self.does_of(body).ends:
                    exits.add(_ON)
            case ir.Loop():
                exits = self._loop(statement, stages)
            case ir.If(_, then, otherwise):
                exits = self.block(then, stages) | self.block(otherwise, stages)
            case _:
                exits = {_ON}
                for body in blocks(statement):
                    exits |= self.block(body, stages)
                exits = self._follow_choice(statement, exits, stages)
        return exits | {_ON} if statement.guards else exits

    def _follow_choice(self, sentence: ir.Statement, exits: set[Exit], stages: tuple[ir.Stage, ...]) -> set[Exit]:
        """Take going on out of the exits of a choice of which every way leaves."""
        match sentence:
            case ir.Choose(taken=taken, otherwise=otherwise) if taken is not None and otherwise is not None:
                ways = [taken, otherwise]
            case ir.Menu(options=options, otherwise=otherwise) if otherwise is not None:
                ways = [*(option.body for option in options), otherwise]
            case _:
                return exits
        quiet = _Flow(self.book)
        quiet.home = self.home
        quiet._does = self._does
        if any(_ON in quiet.block(way, stages) for way in ways):
            return exits
        return exits - {_ON}

    def _loop(self, loop: ir.Statement, stages: tuple[ir.Stage, ...]) -> set[Exit]:
        inner: set[Exit] = set()
        behind = loop.otherwise if isinstance(loop, ir.Offer) else None  # what stands behind a window is out of it
        for body in blocks(loop):
            if body is not behind:
                inner |= self.block(body, stages)
        exits: set[Exit] = self.block(behind, stages) if behind else set()
        for how, what in inner - {_ON}:
            if how in ("stop", "skip") and isinstance(what, int):
                if what > 0:
                    exits.add((how, what - 1))
            else:
                exits.add((how, what))
        endless = ir.goes_on(loop)
        if not endless or ("stop", 0) in inner:
            exits.add(_ON)
        elif not exits and isinstance(loop, ir.Repeat | ir.Iterate) and not self._may_end(loop.body, stages):
            self._endless(loop, stages)
        return exits

    # ── endless loops ────────────────────────────────────────────────────────────────────────────────────────────

    def _may_end(self, body: ir.Block, stages: tuple[ir.Stage, ...]) -> bool:
        """Tell whether something that a loop's body does, or calls, gets out of it."""
        does = self.does_of(body)
        if does.wins or (does.ends & {stage.name for stage in stages}) or (does.ends and not self.game):
            return True
        # Of a stage around the whole script, `until` is asked when what the loop does has done what it does.
        if does.calls and not self.game and any(stage.until for stage in self.book.all(ir.Stage)):
            return True
        return any(stage.until is not None and self._find_dependencies(stage.until) & does.changes for stage in stages)

    def _endless(self, repeat: ir.Repeat | ir.Iterate, stages: tuple[ir.Stage, ...]) -> None:
        self.found_endless = True
        if repeat.at is None:
            return
        labels = [
            Label(stage.until.at.span, "nothing in the loop changes this")
            for stage in stages
            if stage.until is not None and stage.until.at is not None
        ]
        if self.game and self.does_of(repeat.body).asks:
            self.messages.append(diagnose("RB506", repeat.at.span, where=self.home.where, labels=labels))
        else:
            what = "Nothing ends this loop"
            self.messages.append(diagnose("RB504", repeat.at.span, where=self.home.where, what=what, labels=labels))

    def may_win(self, name: str) -> bool:
        """Tell whether a script, or what it calls, ends the game."""
        return self.does_of(self.book.rulebook.scripts[name].body).wins

    def does_of(self, body: ir.Block) -> Does:
        """Sum up what a block does, with all that it calls, and what may happen whenever something becomes so."""
        records = list(everything(*body))
        called = {callee for record in records for callee in self.book.callees(record)}
        deeds = [_own_deeds(records)]
        for name in self.book.below(*called, ir.TRIGGERS):
            if name not in self._does:
                self._does[name] = _own_deeds(self.book.homes[name].records)
            deeds.append(self._does[name])
        return Does(
            any(does.wins for does in deeds),
            frozenset().union(*(does.ends for does in deeds)),
            any(does.calls for does in deeds),
            any(does.asks for does in deeds),
            frozenset().union(*(does.changes for does in deeds)),
        )

    def _find_dependencies(self, question: ir.Expr) -> frozenset[str]:
        """Return what a question depends on, values included, in the words of `changes`."""
        records = list(everything(question))
        called = {callee for record in records for callee in self.book.callees(record)}
        for name in self.book.below(*called):
            records += self.book.homes[name].records
        names: set[str] = set()
        for record in records:
            match record:
                case ir.TableMemory(name) | ir.PlayerMemory(name) | ir.State(name):
                    names.add(name)
                case ir.PlaceOf() | ir.AllCards() | ir.BuiltIn("holder"):
                    names.add("")
                case ir.Seats() | ir.Clockwise() | ir.Neighbour():
                    names.add("players")
        return frozenset(names)


_LYING = (ir.Moving, ir.Mixing, ir.Reveal, ir.Cover, ir.Eliminate)
"""Sentences that may change where and how cards lie."""


def _own_deeds(records: Sequence[Any]) -> Does:
    """Sum up what records do themselves. Cards that come to lie otherwise are the change called ``."""
    changes: set[str] = set()
    ends: set[str] = set()
    for record in records:
        match record:
            case ir.Assign(target):
                changes.add(target.name)
            case ir.Roll(_, state):
                changes.add(state)
            case ir.EndStage(name):
                ends.add(name)
        if isinstance(record, _LYING):
            changes |= {"", "players"} if isinstance(record, ir.Eliminate) else {""}

    def any_of(*kinds: type[Any]) -> bool:
        return any(isinstance(record, kinds) for record in records)

    return Does(any_of(ir.Win), frozenset(ends), any_of(ir.DoRule, ir.DoHook), any_of(ir.Asking), frozenset(changes))
