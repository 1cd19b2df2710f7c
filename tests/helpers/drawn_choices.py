"""Choices drawn from the grammar, and games that differ only in what an onlooker may not know.

In: a `random.Random`. Out: `draw_script`, sentences in which Ana or Ben chooses something; `build_game`, a rulebook
around them; `compare_twins`, what Cleo, who looks on, can tell apart though she may not.

Ana and Ben get cards that Cleo does not see. The same set-up with other seeds and other hidden memory gives *twins*:
games in which Cleo has been sent the same. Every twin is played through with all answers that can be given. Two ways
of play in which everybody has heard the same answers must look the same to Cleo: what she is sent, who is waited for,
what she hears when she answers out of turn. That the game stands still for somebody unnamed is not compared: that much
everybody may notice.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from random import Random

from attrs import define, field, frozen

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.examples import of_its_own
from rulebook.interpreter.decisions import Decision, Refused
from rulebook.interpreter.events import Event
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import KNOWN, WHERE
from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State, clone
from rulebook.interpreter.views import collect_facts
from rulebook.playtest.leaking.listening import ListeningMachine

NAMES = ("Ana", "Ben", "Cleo")
ONLOOKER = 2
LAST = "Shall we go on?"

GAME = """\
format: 1
name: Drawn choices
players: 3..3
words: {colour: [red, white]}
kinds:
  gem: {has: {value: 1..9, colour: colour}, asks: {wanted(me): {type: yes_no, default: no}}, may_do: {effect(me): }}
places:
  table:
    sack: {holds: gem, kept: bag, seen_by: nobody, counted: owner}
    market: {holds: gem, kept: row, seen_by: everyone}
  player:
    hand: {holds: gem, kept: loose, seen_by: owner}
    shelf: {holds: gem, kept: row, seen_by: owner}
    cellar: {holds: gem, kept: row, seen_by: nobody}
    purse: {holds: gem, kept: loose, seen_by: owner, counted: owner}
    ring: {holds: gem, kept: slot, seen_by: owner, counted: owner}
    shop: {holds: gem, kept: row, seen_by: everyone}
memory:
  table: {turns: 2, secret: {type: 0..3, default: 1, seen_by: nobody}}
  player:
    score: 1
    plan: {type: 0..3, default: 0, seen_by: owner}
    mark: {type: yes_no, default: no, seen_by: owner}
    pledge: {type: gem, seen_by: owner}
    treasure: {type: gem, seen_by: owner}
    friendly: {type: player, seen_by: owner}
cards:
  ruby: {kind: gem, value: 3, colour: red, copies: 4}
  garnet: {kind: gem, value: 1, colour: red, copies: 3, wanted: me.mark, effect: "may choose y from me.shelf"}
  pearl: {kind: gem, value: 3, colour: white, copies: 4}
  opal: {kind: gem, value: 1, colour: white, copies: 3, wanted: yes}
  coral: {kind: gem, value: 2, colour: red, copies: 2}
  jet: {kind: gem, value: 2, colour: white, copies: 3}
values:
  red(p): p.hand where colour is red
  riches(p): sum(value of p.hand)
  best(p): |
    each c in p.hand:
      if c.value > 2:
        return 2
    return 1
rules:
  game: |
    move cards where it is coral to market
    each p in players:
      pick black from box where it is jet at random
      move black to p.shop
    move box to sack
    each p in players where it is not last(players):
      draw 2 from sack to p.hand
      draw 2 from sack to p.shelf
      draw 1 from sack to p.cellar
      draw 1 from sack to p.purse
      draw 1 from sack to p.ring
      set secret = count(red(p))
    do agree(last(players))
    do act(first(players))
    do agree(last(players))
  agree(me): |
    choose one "Shall we go on?":
      "Yes"
      "Surely"
  ask(me): |
{asked}
  act_with(me, gem card): |
    me may choose y from me.hand where value > card.value
  act(me): |
    let friend = me.left
{script}
"""


# ── drawing ──────────────────────────────────────────────────────────────────────────────────────


@define
class Drawer:
    """Draws sentences. `who` chooses, `names` are what earlier lines have named, by sort."""

    random: Random
    who: str = "me"
    names: dict[str, list[str]] = field(factory=dict)
    count: int = 0

    def pick(self, *ways: str | Callable[[], str]) -> str:
        way = self.random.choice(ways)
        return way if isinstance(way, str) else way()

    def rarely(self, one_in: int = 3) -> bool:
        return self.random.randrange(one_in) == 0

    def name(self) -> str:
        self.count += 1
        return f"x{self.count}"

    def named(self, sort: str) -> list[str]:
        return self.names.get(sort, [])

    # expressions

    def place(self) -> str:
        """A place, most often one that only who chooses sees."""
        p = self.who
        return self.pick(
            f"{p}.hand", f"{p}.hand", f"{p}.shelf", f"{p}.purse", f"{p}.shop", "market",
            lambda: f"{p}.cellar" if self.rarely() else f"{p}.hand",
        )  # fmt: skip

    def cards(self, deep: int = 2) -> str:
        """A list of cards."""
        ways: list[str | Callable[[], str]] = [self.place, *self.named("cards")]
        if deep > 0:
            ways += [
                lambda: f"({self.cards(deep - 1)} where {self.test('it', deep - 1)})",
                lambda: f"({self.place()} where {self.test('it', deep - 1)})",
                lambda: f"({self.place()} + {self.cards(deep - 1)})",
                lambda: f"({self.cards(deep - 1)} sorted by least value)",
                lambda: f"({self.cards(deep - 1)} with most value)",
                lambda: f"first({self.cards(deep - 1)}, {self.number(deep - 1)})",
                lambda: f"({self.cards(0)} if {self.condition(deep - 1)} else {self.cards(0)})",
                f"[{self.who}.pledge]",
                f"[{self.who}.pledge, {self.who}.treasure]",
                lambda: f"red({self.who})",
            ]
        return self.pick(*ways)

    def number(self, deep: int = 1) -> str:
        """A number."""
        ways: list[str | Callable[[], str]] = ["1", "2", f"{self.who}.score", f"{self.who}.plan", *self.named("number")]
        if deep > 0:
            ways += [
                lambda: f"count({self.cards(deep - 1)})",
                lambda: f"sum(value of {self.cards(deep - 1)})",
                lambda: f"riches({self.who})",
                lambda: f"best({self.who})",
                lambda: "secret" if self.rarely() else f"best({self.who})",
                lambda: f"({self.number(0)} + {self.number(0)})",
            ]
        return self.pick(*ways)

    def test(self, card: str, deep: int = 1) -> str:
        """A condition about a card."""
        ways: list[str | Callable[[], str]] = [
            f"{card}.colour is red",
            f"{card}.value > 1",
            f"{card} is ruby",
            f"{card}.wanted({self.who})",
            lambda: f"{card}.value > {self.number(0)}",
        ]
        if deep > 0:
            ways += [
                lambda: f"({self.test(card, 0)} and {self.condition(0)})",
                lambda: f"({self.test(card, 0)} or {self.test(card, 0)})",
                lambda: f"not {self.test(card, 0)}",
                lambda: f"{card}.value < {self.number(deep - 1)}",
            ]
        return self.pick(*ways)

    def condition(self, deep: int = 1) -> str:
        """A yes or no."""
        p = self.who
        ways: list[str | Callable[[], str]] = [
            f"{p}.mark",
            "turns > 1",
            f"{p}.hand is not empty",
            f"{p}.ring is something",
            lambda: f"any({self.place()} where {self.test('it', 0)})",
            lambda: f"{self.number(0)} > {self.number(0)}",
        ]
        if deep > 0:
            ways += [
                lambda: f"({self.condition(0)} and {self.condition(0)})",
                lambda: f"({self.condition(0)} or {self.condition(0)})",
                lambda: f"not {self.condition(0)}",
                lambda: f"{self.number(1)} > {self.number(1)}",
                lambda: f"{self.cards(1)} is empty",
            ]
        return self.pick(*ways)

    def players(self) -> str:
        """A list of players."""
        return self.pick(
            "players",
            f"(players where it is not {self.who})",
            lambda: f"(players where {self.condition(1)})",
            lambda: f"(players where it.score < {self.number(1)})",
            lambda: f"[{self.who}.left, {self.who}.friendly]",
            lambda: f"(players if {self.condition(1)} else [{self.who}])",
        )

    def numbers(self) -> str:
        """A list of numbers."""
        return self.pick(
            "1..3",
            lambda: f"1..{self.number(1)}",
            lambda: f"[{self.number(1)}, {self.number(1)}]",
            lambda: f"(value of {self.cards(1)})",
            lambda: f"(1..3 where it > {self.number(1)})",
        )

    def words(self) -> str:
        """A list of words."""
        return self.pick(
            "every colour",
            lambda: f"(every colour where {self.condition(1)})",
            lambda: f"(colour of {self.cards(1)})",
            lambda: f"(every colour where it in (colour of {self.cards(0)}))",
        )

    # choices

    def choice(self, surely: bool = False) -> str:
        """Draw the words behind `choose`; if `surely`, later sentences may speak of the name."""
        sort = self.random.choice(["card", "card", "card", "card", "number", "player", "word"])
        listed = {"card": self.cards, "number": self.numbers, "player": self.players, "word": self.words}[sort]
        sources = str(listed())
        if self.rarely(4):
            # Behind several lists, a `where` could be about any of them.
            more = {"card": self.place, "number": self.number, "player": lambda: "[me]", "word": lambda: "[red]"}[sort]
            sources += f", [{more()}]" if sort == "number" else f", {more()}"
            sources = sources if " where " not in sources else str(more()) if sort != "number" else f"[{more()}]"
        several = self.rarely(2)
        name = self.name()
        if several:
            count = self.pick(
                "2", "1..2", "up to 2", "any number of", "any number of", "order",
                lambda: f"up to ({self.number()})", lambda: f"({self.number()})", lambda: f"1..({self.number()})",
            )  # fmt: skip
            names = name
        else:
            count = ""
            names = f"{name}, {self.name()}" if self.rarely(5) else name
        so_that = f" so that {self.whole(name, sort, several)}" if self.rarely(2) and "," not in names else ""
        if surely:
            kind = ("cards" if sort == "card" else "several") if several else sort
            self.names.setdefault(kind, []).append(name)
        return f"{count} {names} from {sources}{so_that}".strip()

    def whole(self, name: str, sort: str, several: bool) -> str:
        """Draw the condition of `so that`."""
        if several:
            ways: list[str | Callable[[], str]] = [
                lambda: f"count({name}) > {self.number(0)}",
                lambda: f"count({name}) is not {self.number(0)}",
                self.condition,
            ]
            if sort == "card":
                ways += [
                    lambda: f"sum(value of {name}) >= {self.number(1)}",
                    lambda: f"sum(value of {name}) is {self.number(1)}",
                    lambda: f"any({name} where {self.test('it')})",
                    lambda: f"not any({name} where {self.test('it')})",
                ]
            if sort == "number":
                ways.append(lambda: f"sum({name}) > {self.number(1)}")
            return self.pick(*ways)
        tests: dict[str, Callable[[], str]] = {
            "card": lambda: self.test(name),
            "number": lambda: f"{name} < {self.number(1)}",
            "player": lambda: f"{name} is not {self.who}.friendly",
            "word": lambda: f"any({self.place()} where it.colour is {name})",
        }
        return self.pick(tests[sort], self.condition)

    def block(self, deep: int) -> str:
        """Draw a block."""
        inner = self.sentence(deep - 1) if deep > 0 and self.rarely(2) else self.deed()
        return textwrap.indent(inner, "  ")

    def deed(self) -> str:
        """A sentence that asks nobody itself."""
        cards = self.named("card")
        return self.pick(
            "let unused = 1",
            "return",
            f"set {self.who}.plan = 2",
            f"set {self.who}.plan = {self.who}.score",
            f'say "That is so." to {self.who}',
            "do ask(me)",
            *(f"do {card}.effect({self.who})" for card in cards),
            *(f"do act_with({self.who}, {card})" for card in cards),
            *(f"move {card} to {self.who}.hand" for card in cards),
            lambda: f"if {self.condition(1)}:\n  return",
        )

    def options(self, deep: int) -> str:
        lines = []
        for label in ("Red", "White")[: 1 + self.rarely(2)]:
            condition = f" if {self.condition(1)}" if not self.rarely(4) else ""
            body = f":\n{textwrap.indent(self.block(deep), '  ')}" if self.rarely(3) else ""
            lines.append(f'  "{label}"{condition}{body}')
        return "\n".join(lines)

    def sentence(self, deep: int = 2) -> str:
        """A sentence that asks somebody, or one that it stands in."""
        before = {sort: [*names] for sort, names in self.names.items()}
        text = self.pick(
            self.plain, self.plain, self.plain, self.each, self.each, self.each,
            lambda: self.with_blocks(deep), lambda: self.menu(deep), lambda: self.may_label(deep),
            lambda: self.window(deep), self.arranging, lambda: self.around(deep),
        )  # fmt: skip
        if "\n" in text:
            self.names = before
        return text

    def plain(self) -> str:
        verb = self.pick("choose", "may choose", "secretly chooses")
        who = f"{self.who} " if verb.startswith("secretly") or self.who != "me" else ""
        if who and not verb.startswith("secretly"):
            verb = "chooses" if verb == "choose" else verb
        leave = " else return" if self.rarely(5) else ""
        return f"{who}{verb} {self.choice(surely='may' not in verb)}{leave}"

    def each(self) -> str:
        outer, self.who = self.who, f"p{self.count}"
        names, self.names = self.names, {}
        verb = self.pick("chooses", "may choose", "may choose", "secretly chooses")
        if self.rarely(4):
            choices = "\n".join(f"  {self.choice()}" for _ in range(2))
            text = f"each {self.who} in players {verb}:\n{choices}"
        else:
            text = f"each {self.who} in players {verb} {self.choice()}"
        self.who, self.names = outer, names
        return text

    def with_blocks(self, deep: int) -> str:
        may = self.pick("", "may ")
        verb = f"{may}choose" if self.who == "me" else f"{self.who} {'may choose' if may else 'chooses'}"
        text = f"{verb} {self.choice()}:\n{self.block(deep)}"
        return f"{text}\nelse:\n{self.block(deep)}" if self.rarely(2) else text

    def menu(self, deep: int) -> str:
        may = self.pick("", "may ")
        verb = f"{may}choose" if self.who == "me" else f"{self.who} {'may choose' if may else 'chooses'}"
        return f'{verb} one "Which?":\n{self.options(deep)}'

    def may_label(self, deep: int) -> str:
        who = "" if self.who == "me" else f"{self.who} "
        return f'{who}may "Go on":\n{self.block(deep)}'

    def window(self, deep: int) -> str:
        outer, self.who = self.who, f"q{self.count}"
        names, self.names = self.names, {}
        self.count += 1
        text = f'offer players {self.pick("in turn", "together")} as {self.who} "Well?":\n{self.options(deep)}'
        self.who, self.names = outer, names
        return f"{text}\nelse:\n{self.block(deep)}" if self.rarely(3) else text

    def arranging(self) -> str:
        verb = "arrange" if self.who == "me" else f"{self.who} arranges"
        return f"{verb} {self.who}.shelf"

    def around(self, deep: int) -> str:
        inner = textwrap.indent(self.sentence(deep - 1) if deep > 0 else self.plain(), "  ")
        return self.pick(
            *(f"if {card}.value > 1:\n{inner}" for card in self.named("card")),
            lambda: f"if {self.condition(1)}:\n{inner}",
            lambda: f"if {self.condition(1)}:\n{inner}\nelse:\n{self.block(deep)}",
            lambda: f"repeat {self.number(1)}:\n{inner}",
            lambda: f"each c{self.count} in {self.cards(1)}:\n{inner}",
            lambda: self.rounds(inner),
            lambda: self.rounds(inner),
            lambda: f"if {self.condition(1)}:\n  return\n{textwrap.dedent(inner)}",
            "do ask(me)",
            "do ask(friend)",
            lambda: self.round(deep),
            lambda: self.round(deep),
        )

    def rounds(self, inner: str) -> str:
        """Draw a loop of which something decides whether it goes on."""
        head = self.pick("repeat 2:", "repeat 3:", f"each c{self.count} in {self.cards(0)}:")
        leave = f"  if {self.condition(1)}:\n    {self.pick('stop', 'stop', 'skip', 'return')}"
        behind = self.plain()
        loop = "\n".join([head, *self.random.sample([inner, leave], 2)])
        return f"{loop}\n{behind}" if self.rarely(2) else loop

    def round(self, deep: int) -> str:
        """Everybody is asked in turn."""
        outer, self.who = self.who, f"r{self.count}"
        names, self.names = self.names, {}
        self.count += 1
        only = f" where {self.condition(0)}" if self.rarely() else ""
        text = f"each {self.who} in players{only}:\n{textwrap.indent(self.sentence(deep - 1), '  ')}"
        self.who, self.names = outer, names
        return text


@frozen
class Drawn:
    """A script, and a rule that it may call."""

    script: str
    asked: str


def draw_script(random: Random) -> Drawn:
    """One to three sentences."""
    drawer = Drawer(random, random.choice(["me", "me", "friend"]))
    lines = []
    for _ in range(random.choice([1, 1, 2, 2, 3])):
        if drawer.rarely(4):
            sort = random.choice(["cards", "number"])
            value = str({"cards": drawer.cards, "number": drawer.number}[sort]())
            name = drawer.name()
            lines.append(f"let {name} = {value}")
            drawer.names.setdefault(sort, []).append(name)
        if drawer.rarely(5):
            lines.append(drawer.deed())
        lines.append(drawer.sentence())
    return Drawn("\n".join(lines), Drawer(random).plain())


def build_game(drawn: Drawn) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    """The rulebook around a script, and what is said about it."""
    text = GAME.replace("{script}", textwrap.indent(drawn.script, " " * 4))
    return of_its_own(text.replace("{asked}", textwrap.indent(drawn.asked, " " * 4)))


# ── twins ────────────────────────────────────────────────────────────────────────────────────────


class TooMuch(Exception):
    """There are more ways to play than are gone through."""


MOST_WAYS = 400

Seen = tuple[str, ...]
"""All that the onlooker notices on one way through a game, in order."""


@frozen
class Way:
    """All that was noticed until the next answer was heard, or until the script had `ended`."""

    seen: Seen
    ended: bool


Ways = dict[Seen, set[Way]]
"""By the answers that everybody heard."""


def compare_twins(program: Program, random: Random, twins: int = 6) -> str | None:
    """Find something that Cleo can tell apart and may not. Raises `TooMuch` if there are too many ways."""
    games: dict[str, list[Ways]] = {}
    last = random.random() < 0.5
    for _ in range(twins):
        game = Game(program, random.randrange(10**6), NAMES)
        state = hide_anew(program, game.state, random)
        looks = json.dumps(
            [collect_facts(program, NAMES, state, ONLOOKER), [one.to_json() for one in game.events(ONLOOKER)]]
        )
        games.setdefault(looks, []).append(ways_of(program, state, last))
    for alike in games.values():
        first = alike[0]
        for other in alike[1:]:
            for heard in first.keys() & other.keys():
                found = _apart(first[heard], other[heard]) or _apart(other[heard], first[heard])
                if found is not None:
                    return f"after {list(heard)}: {_difference(*found)}"
    return None


def _apart(here: set[Way], there: set[Way]) -> tuple[Seen, set[Seen]] | None:
    """A way of one game that those of the other, in which the same was heard, have nothing to do with."""
    ended = {way.seen for way in there if way.ended}
    for way in here:
        if way.ended and ended and way.seen not in ended:
            return way.seen, ended
        if not any(_goes_with(way, other) for other in there):
            return way.seen, {other.seen for other in there}
    return None


def _goes_with(way: Way, other: Way) -> bool:
    """Compare two ways as far as both go on without another answer."""
    both = min(len(way.seen), len(other.seen))
    if way.seen[:both] != other.seen[:both]:
        return False
    return not (way.ended and len(other.seen) > both) and not (other.ended and len(way.seen) > both)


def hide_anew(program: Program, before: State, random: Random) -> State:
    """The same state with other hidden memory, where some of what nobody may count has gone back into the sack."""
    state = clone(before)
    layout = program.layout
    for seat in range(len(NAMES)):
        hand = list(state[layout.find_place_of("hand" if seat != ONLOOKER else "shop", seat).slot])
        values = {
            "plan": random.randrange(4),
            "mark": random.random() < 0.5,
            "pledge": random.choice(hand),
            "treasure": random.choice(hand),
            "friendly": random.randrange(len(NAMES)),
        }
        for name, value in values.items():
            own = seat == ONLOOKER and name not in ("pledge", "treasure")
            state[layout.player_memory[name].slot + seat] = 1 if own else value
    for place in (layout.find_place_of(name, seat) for name in ("purse", "ring") for seat in (0, 1)):
        if random.random() < 0.5:
            put_back(program, state, place.slot)
    return state


def put_back(program: Program, state: State, slot: int) -> None:
    """The first card of a place, if there is one, lies in the sack."""
    layout, contents = program.layout, [*state[slot]]
    if contents:
        card, sack = contents.pop(0), layout.find_place("sack")
        state[slot] = layout.pack(contents)
        state[sack.slot] = layout.pack(sorted([*state[sack.slot], card]))
        where, known = bytearray(state[WHERE]), bytearray(state[KNOWN])
        where[card], known[card] = sack.ordinal, 0
        state[WHERE], state[KNOWN] = bytes(where), bytes(known)


def ways_of(program: Program, state: State, last: bool) -> Ways:
    """All ways through a game: by the answers that the onlooker heard or gave, what she noticed. Of several who are
    asked at once the first answers first, or the `last`.
    """
    machine = ListeningMachine(program, NAMES)
    begun = Noticed(machine)
    machine.answer_value(state, ONLOOKER, 0)
    left = [(state, begun)]
    ways = 0
    while left:
        here, noticed = left.pop()
        decision = machine.advance(here, noticed.sink)
        if quietly_asked(machine, here):
            noticed.hear("asked in secret")
        noticed.look(station(program, here))
        if isinstance(decision, Decision) and decision.asks[0].prompt != LAST:
            seat = decision.asks[-1 if last else 0].seat
            for value in machine.find_choices(here, seat).find_answers():
                after, more = clone(here), noticed.fork()
                machine.answer_value(after, seat, value, more.sink)
                left.append((after, more))
            continue
        ways += 1
        if ways + len(left) > MOST_WAYS:
            raise TooMuch
        noticed.end(ended=True)
    return begun.ways


class Noticed(list[Event]):
    """The events that the onlooker notices on one way; `heard` are the answers, each with its place in the rules."""

    def __init__(
        self, machine: ListeningMachine, seen: Seen = (), heard: Seen = (), ways: Ways | None = None, begun: int = 0
    ) -> None:
        super().__init__()
        self.machine, self.seen, self.heard, self.begun = machine, seen, heard, begun
        self.ways: Ways = {} if ways is None else ways
        self.sink: list[list[Event]] = [[], [], self]

    def fork(self) -> Noticed:
        """The same so far."""
        return Noticed(self.machine, self.seen, self.heard, self.ways, self.begun)

    def end(self, ended: bool) -> None:
        """Nothing more is seen, or an answer is heard."""
        self.ways.setdefault(self.heard, set()).add(Way(self.seen, ended))

    def look(self, station: str) -> None:
        """What is sent while the game waits, if it is anything else than before, or an answer was heard since."""
        if station and self.seen[self.begun :][-1:] != (station,):
            self.seen = (*self.seen, station)

    def hear(self, answer: str) -> None:
        """Something is told that may be known."""
        self.end(ended=False)
        self.heard, self.begun = (*self.heard, answer), len(self.seen)

    def append(self, event: Event) -> None:
        run, told = self.machine.at_work, json.dumps(event.to_json())
        if run is not None and is_answer(event):
            self.hear(f"{run.code.name} {run.pc}: {told}")
        else:
            self.seen = (*self.seen, told)


def quietly_asked(machine: ListeningMachine, state: State) -> bool:
    """Tell when the onlooker is asked where nobody else may notice it: so she learns that it has come to that."""
    return ONLOOKER in machine.find_waiting(state) and machine.choosing(state).quiet


def is_answer(event: Event) -> bool:
    """Something that the onlooker may learn from what others answer, or her own answer."""
    return event.kind == "chose" or (event.kind == "passed" and event.facts["player"] == NAMES[ONLOOKER])


def station(program: Program, state: State) -> str:
    """Write down all that the onlooker is sent while the game waits; "" if it waits for who is not named."""
    game = Game(program, 0, NAMES, False, state=state)
    view = game.view(ONLOOKER)
    if view.facts["waiting"] == "quiet":
        return ""
    try:
        game.answer(ONLOOKER, ["nonsense"])
        refused = "taken"
    except Refused as refusal:
        refused = str(refusal)
    return json.dumps([refused, view.to_json()], sort_keys=True)


def _difference(way: Seen, others: set[Seen]) -> str:
    """Show where a way leaves the others."""
    nearest = max(others, key=lambda other: _count_common(way, other))
    at = _count_common(way, nearest)
    one, other = ("".join(seen[at : at + 1]) or "nothing more" for seen in (way, nearest))
    apart = max(_count_common(one, other) - 60, 0)
    return f"…{one[apart : apart + 120]}… or …{other[apart : apart + 120]}…"


def _count_common(one: Sequence[object], other: Sequence[object]) -> int:
    """Count how far two sequences are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (here, there) in pairs if here != there), min(len(one), len(other)))
