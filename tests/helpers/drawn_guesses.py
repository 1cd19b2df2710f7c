"""Drawn games in which a bot is asked, at moments that its seat cannot tell apart.

In: a random number. Out: `draw_game`, a script of sealed, secret and quiet choices, loops, windows and rules that hang
on hidden cards, with the rulebook around it; `compare_guesses`, a sentence about a bot that answers otherwise because
of what its seat may not know. `Compared` counts what was compared.

A game is begun several times with other hidden cards, other hidden memory and other seeds, so that one seat has been
sent the same. It is played on: this seat gives the same answers, the others what they like. Wherever the seat is asked
and has been sent the same so far, the same must be imagined there, and its bots must answer the same, by the machine
and in the core.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from random import Random
from unittest.mock import patch

from attrs import define, field
from bot_kinds import list_bots

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.examples import of_its_own
from rulebook.interpreter.core.door import Table
from rulebook.interpreter.core.imagining import Stopped
from rulebook.interpreter.decisions import Ask, RuleError
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.game import Game
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots import by_core, make_bot, thinking

NAMES = ("Ana", "Ben", "Cleo")
BOTS = (*list_bots(6), "greedy:never=Yes", "flat:6:epsilon=0.5")
MOST_ASKED = 12

GAME = """\
format: 1
name: Drawn guesses
players: 3..3
kinds: {stone: {has: {gem: yes_no}, state: {mark: {type: yes_no, default: no, seen: with_face}}}}
places:
  table:
    sack: {holds: stone, kept: bag, seen_by: nobody}
    market: {holds: stone, kept: row, seen_by: everyone}
  player:
    hand: {holds: stone, kept: loose, seen_by: owner}
    cellar: {holds: stone, kept: row, seen_by: owner}
    purse: {holds: stone, kept: loose, seen_by: owner, counted: owner}
memory:
  table: {total: {type: number, default: 0, seen_by: nobody}}
  player:
    gain: {type: number, default: 0, seen_by: nobody}
    plan: {type: 0..3, default: 1, seen_by: owner}
    deed: {type: number, default: 0, seen_by: owner}
    friend: {type: player, seen_by: owner}
values:
  gems(p): count(p.hand where gem)
  worth(p): p.gain + 2 * gems(p) + count(p.purse where mark)
result: {rank: most worth}
cards:
  ruby: {kind: stone, gem: yes, copies: 3}
  coal: {kind: stone, gem: no, copies: 9}
rules:
  game: |
    move cards to sack
    draw 2 from sack to market
    deal 1 from sack to each hand
    deal 1 from sack to each cellar
    each p in players:
      set p.plan = gems(p)
    do agree(last(players))
    do act(first(players))
    do agree(last(players))
    each p in players:
      add p.deed to p.gain
  agree(me): |
    choose one "Shall we go on?":
      "Yes"
      "Surely"
  guess(me, number n): |
    choose a from 1..3
    if a is n:
      add 5 to me.gain
  act(me): |
SCRIPT
"""


# ── drawing ──────────────────────────────────────────────────────────────────────────────────────


@define
class Drawer:
    """Draws sentences. `sealed` are the names of sealed choices so far, each with its sort."""

    random: Random
    count: int = 0
    sealed: dict[str, str] = field(factory=dict)
    numbers: list[str] = field(factory=list)

    def pick(self, *ways: str | Callable[[], str]) -> str:
        way = self.random.choice(ways)
        return way if isinstance(way, str) else way()

    def name(self) -> str:
        self.count += 1
        return f"x{self.count}"

    def condition(self, p: str) -> str:
        """A yes or no that hangs on what somebody has, or chose."""
        ways: list[str | Callable[[], str]] = [
            f"any({p}.hand where gem)", f"any({p}.cellar where gem)", f"{p}.plan > 0", f"gems({p}) > 0",
            f"count({p}.purse) > 0", *(f"{name}[{p}] is something" for name in self.sealed),
            lambda: f"not {self.condition(p)}",
        ]  # fmt: skip
        return self.pick(*ways)

    def number(self, p: str) -> str:
        """A number that somebody does not know."""
        chosen = [name for name, sort in self.sealed.items() if sort == "number"]
        return self.pick(
            f"gems({p})", f"count({p}.left.hand where gem)", f"{p}.plan", f"{p}.deed", "total", *self.numbers,
            *(f"({name}[{p}.left] if {name}[{p}.left] is something else 1)" for name in chosen),
        )  # fmt: skip

    def effect(self, p: str, name: str = "", sort: str = "") -> str:
        """What comes of an answer, in secret."""
        ways = [
            f"add {self.number(p)} to {p}.gain",
            f"set total = {self.number(p)}",
            f"set {p}.deed = 2 * {self.number(p)}",
            f"set {p}.plan = 1 if {self.condition(p)} else 2",
        ]
        if sort == "number":
            ways += [f"if {name} is {self.number(p)}:\n  add 4 to {p}.gain", f"add {name} to {p}.deed"] * 2
        if sort == "player":
            ways += [f"if any({name}.hand where gem):\n  add 4 to {p}.gain", f"set {p}.friend = {name}"] * 2
        if sort == "card":
            ways += [f"if {name}.gem:\n  add 4 to {p}.gain", f"set {name}.mark = yes", f"move {name} to {p}.purse"]
        for other, of in self.sealed.items():
            answer = f"{other}[{p}.left]"
            test = {"player": f"any({answer}.hand where gem)", "number": f"{answer} is 2", "card": f"{answer}.gem"}[of]
            ways.append(f"if {answer} is something:\n  if {test}:\n    add 3 to {p}.gain")
        return self.pick(*ways)

    def source(self, p: str) -> tuple[str, str]:
        """A list to choose from, and of what sort its members are."""
        sort = self.pick("number", "number", "player", "player", "card")
        others = f"players where it is not {p}"
        lists = {
            "number": ("1..3", f"1..(1 + gems({p}))", f"(1..3 where it > {p}.plan)"),
            "player": (others, f"{others} and {self.condition(p)}"),
            "card": (f"{p}.hand", f"{p}.hand + {p}.cellar", "market", f"{p}.hand where gem", f"market + {p}.hand"),
        }
        return self.pick(*lists[sort]), sort

    def sealed_choice(self) -> str:
        listed, sort = self.source("p")
        name = self.name()
        verb = self.pick("may choose", "may choose", "chooses", "secretly chooses")
        self.sealed[name] = sort
        return f"each p in players {verb} {name} from {listed}"

    def choice(self, p: str) -> str:
        listed, sort = self.source(p)
        name, verb = self.name(), self.pick("may choose", "chooses", "secretly chooses")
        text = f"{p} {verb} {name} from {listed}"
        effect = self.effect(p, name, sort)
        return f"{text}:\n{textwrap.indent(effect, '  ')}" if verb == "may choose" else f"{text}\n{effect}"

    def loop(self) -> str:
        head = self.pick(
            "each p in players:",
            lambda: f"each p in players where {self.condition('it')}:",
            lambda: f"each p in players with most {self.pick('gems', 'plan')}:",
        )
        body = self.choice("p")
        if self.random.random() < 0.5:
            body = f"if {self.condition('p')}:\n{textwrap.indent(body, '  ')}"
        if self.random.random() < 0.25:
            body = f"do guess(p, {self.number('p')})"
        return f"{head}\n{textwrap.indent(body, '  ')}"

    def window(self) -> str:
        q = self.name()
        body = self.choice(q) if self.random.random() < 0.5 else self.effect(q)
        return (
            f'offer players {self.pick("together", "in turn")} as {q} "Well?":\n  "A" if {self.condition(q)}:\n'
            f'{textwrap.indent(self.effect(q), "    ")}\n  "B":\n{textwrap.indent(body, "    ")}'
        )

    def let(self) -> str:
        value, name = self.number("first(players)"), self.name()
        self.numbers.append(name)
        return f"let {name} = {value}"

    def script(self) -> str:
        several = self.random.choice([2, 2, 3, 4])
        ways = (self.sealed_choice, self.sealed_choice, self.loop, self.loop, self.loop, self.window, self.let)
        return "\n".join(self.pick(*ways, lambda: self.choice("me")) for _ in range(several))


def draw_game(number: int) -> tuple[str, ir.Rulebook | None, list[Diagnostic]]:
    """A script, the rulebook around it, and what is said about that."""
    script = Drawer(Random(number)).script()
    rulebook, found = of_its_own(GAME.replace("SCRIPT", textwrap.indent(script, " " * 4)))
    return script, rulebook, found


# ── comparing ────────────────────────────────────────────────────────────────────────────────────


@define
class Compared:
    """How many moments looked like another one whose true state differs, and at how many of them a bot imagines."""

    alike: int = 0
    imagined: int = 0


@define
class Comparison:
    """One seat of one game: what was imagined and answered at each moment, by all that the seat was sent."""

    program: Program
    seat: int
    bots: Sequence[str]
    counted: Compared
    met: dict[str, tuple[State, object]] = field(factory=dict)

    def play(self, seed: int, hidden: int, own: int) -> str | None:
        """Play a game whose beginning looks as it does with a seed; find a difference."""
        game = Game(self.program, seed, NAMES)
        beginning = Twins(self.program, game.state, self.seat).draw_state(Source(hidden, "hidden").below)
        assert beginning is not None, "at the beginning nothing is remembered"
        game = game.fork(beginning, watch=True)
        ours, theirs = Source(own, "ours").below, Source(hidden, "theirs").below
        for _ in range(MOST_ASKED):
            if game.decision is None:
                break
            asked = game.decision.find_ask(self.seat)
            found = None if asked is None else self.compare(game, asked)
            if found is not None:
                return found
            ask = next((one for one in game.decision.asks if one.seat != self.seat), game.decision.asks[0])
            below = ours if ask.seat == self.seat else theirs
            try:
                game.answer(ask.seat, game.machine.random_answer(game.state, ask, below), ask.number)
            except RuleError:
                break
        return None

    def compare(self, game: Game, ask: Ask) -> str | None:
        """Compare with another moment at which the seat was sent the same, if there was one."""
        seen = json.dumps(game.view(self.seat).to_json())
        tables = imagine(game, self.seat)
        here = tables, answer_all(game, ask, self.bots)
        if seen not in self.met:
            self.met[seen] = game.state[:], here
            return None
        before, there = self.met[seen]
        if before == game.state:
            return None
        self.counted.alike += 1
        self.counted.imagined += tables[1] is not None
        return None if here == there else f"{NAMES[self.seat]}, asked for {list(ask.keys)}"


def compare_guesses(
    program: Program, number: int, counted: Compared, bots: Sequence[str] = (), games: int = 8
) -> str | None:
    """Find a moment at which a bot knows what its seat may not."""
    random = Random(number)
    for seat in range(2):
        comparison = Comparison(program, seat, bots, counted)
        seed, own = random.randrange(1 << 30), random.randrange(1 << 30)
        for _ in range(games):
            found = comparison.play(seed, random.randrange(1 << 30), own)
            if found is not None:
                return found
    return None


def imagine(game: Game, seat: int, tables: int = 16) -> list[object]:
    """Imagine some tables, and how games go on there: the same for all moments that look alike."""
    at = by_core.ByCore(by_core.loaded(game.program, game.state), seat, Source(7, "imagine").below, at_random=False)
    found: list[object] = [at.legal]
    for _ in range(tables):
        marks = at.draw()
        found += [marks, *(at.rate(number) for number in range(len(marks or ())))]
        if marks:
            at.give(0)
            found.append(at.play_on(2, 40))
    return found


def answer_all(game: Game, ask: Ask, bots: Sequence[str]) -> list[list[str]]:
    """What each bot answers in the core, where that can, and by the machine."""
    machine = Machine(game.program, game.names)
    found = []
    for way in (by_core.loaded, _stop):
        with patch.object(thinking, "loaded", way):
            found += [make_bot(spec, 1, ask.seat).answer(machine, game.state[:], ask) for spec in bots]
    return found


def _stop(program: Program, state: State) -> Table:
    raise Stopped
