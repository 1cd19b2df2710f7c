"""Leaks that are planted, each in the engine or in a small game, and what the leak tests must say about it.

In: pytest's `monkeypatch`, to break the engine. Out: one table, `PLANTS`: each leak, the game in which it shows, and a
piece of the complaint. `HONEST` are the same games without a leak. Never: tells the leak tests where to look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from attrs import evolve, frozen
from ir_samples import small_game
from secret_game import secret_game

from rulebook.examples import of_its_own
from rulebook.interpreter import choosing, knowledge, machine, views
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import Ask, Refused
from rulebook.interpreter.determinize import hidden_cards
from rulebook.interpreter.events import EventKind
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import CLOCK, KNOWN, PENDING
from rulebook.interpreter.lower import lower
from rulebook.interpreter.ops import asking, chance
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import find_outcome, find_teams
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State
from rulebook.interpreter.wording import is_table
from rulebook.playtest import protocol
from rulebook.playtest.bots import thinking
from rulebook.playtest.bots.by_machine import answers

# ── games ────────────────────────────────────────────────────────────────────────────────────────

SMALL = lower(small_game(), 3)
SECRET = lower(secret_game(noted=False), 3)
NOTED = lower(secret_game(), 3)
LEAVING = lower(secret_game(leaving=True), 3)

GEMS = """
format: 1
name: Gems
players: 3..3
kinds: {gem: {}, token: {}, die: {state: {pips: {type: 1..6, seen: with_face}}}}
cards: {ruby: {kind: gem}, opal: {kind: gem, copies: 14}, chip: {kind: token, copies: 9}, cube: {kind: die, copies: 6}}
places:
  table:
    stock: {holds: gem, kept: pile, seen_by: nobody}
    supply: {holds: token, kept: pool, seen_by: everyone}
  player:
    hand: {holds: gem, kept: loose, seen_by: owner}
    purse: {holds: gem, kept: loose, seen_by: owner, counted: owner}
    cup: {holds: die, kept: loose, seen_by: owner}
    stash: {holds: token, kept: pool, seen_by: everyone}
words: {hue: [red, blue]}
memory:
  table: {holder: player, turns: 0, marks: {type: 0..2 by player, seen_by: nobody}}
  player:
    score: 0
    marked: {type: yes_no, default: no, seen_by: nobody}
    hoard: {type: 0..3 by hue, seen_by: owner}
rules:
  game: |
    move cards where it is gem to stock
    move cards where it is token to supply
    shuffle stock
    deal 2 from stock to each hand
    deal 1 from stock to each purse
    each p in players:
      move first(box where it is die) to p.cup
      move first(box where it is die) to p.cup
      set p.hoard[red] = count(p.hand where it is ruby)
      set marks[p] = p.hoard[red]
    repeat 2:
      each me in players:
        me chooses one:
          "Wait":
            add 1 to turns
          "Roll":
            roll me.cup
        do trace(me)
  trace(me): |
    LEAK
  trace_of(p): add 1 to p.score
result: {rank: most score}
"""


@cache
def gems(leak: str = "add 1 to turns") -> Program:
    """The game of gems, in which this happens after each turn."""
    rulebook, found = of_its_own(GEMS.replace("LEAK", leak.replace("\n", "\n    ")))
    assert rulebook is not None, found
    return lower(rulebook, 3)


# ── the engine, broken ───────────────────────────────────────────────────────────────────────────


def secret_of(run: Run, seat: int) -> str:
    """The name of a card in the next player's hand that the seat does not know."""
    held = run.state[run.layout.find_place_of("hand", (seat + 1) % 3).slot]
    hidden = set(hidden_cards(run.program, run.state, seat)).intersection(held)
    return run.program.names[min(hidden)] if hidden else ""


def instance_number_in_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Choices._make_key

    def leaking(self: Choices, index: int) -> str:
        return f"{true(self, index)}#{self.values[index]}"

    monkeypatch.setattr(Choices, "_make_key", leaking)


def instance_number_in_a_label(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Choices._make_label

    def leaking(self: Choices, index: int) -> str:
        return f"{true(self, index)} {self.values[index]}"

    monkeypatch.setattr(Choices, "_make_label", leaking)


def slot_order_in_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_ids", lambda program, cards: [program.definition[card] for card in cards][::-1])


def change_ask(monkeypatch: pytest.MonkeyPatch, change: Callable[[Run, Ask], Ask]) -> None:
    true = choosing.make_ask
    monkeypatch.setattr(machine, "make_ask", lambda run, op, entry: change(run, true(run, op, entry)))


def card_in_a_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(run: Run, asked: Ask) -> Ask:
        return evolve(asked, prompt=f"{asked.prompt} Not {secret_of(run, asked.seat)}!")

    change_ask(monkeypatch, leaking)


def decision_number(monkeypatch: pytest.MonkeyPatch) -> None:
    change_ask(monkeypatch, lambda run, asked: evolve(asked, number=run.state[CLOCK] + 1))


def decider_of_a_quiet_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "is_quiet", lambda program, state: False)


def decider_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(self: Game, seat: int) -> str:
        return f"The game waits for {', '.join(self.names[one] for one in self.machine.find_waiting(self.state))}."

    monkeypatch.setattr(Game, "_why_not", leaking)


def log_line(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Run.emit_cards

    def leaking(self: Run, kind: EventKind, cards: Any, known: Any = None, **facts: Any) -> None:
        true(self, kind, cards, [self.layout.everyone] * len(cards), **facts)

    monkeypatch.setattr(Run, "emit_cards", leaking)


def spoken_log_line(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Run.emit

    def leaking(self: Run, kind: EventKind, to: int = -1, **facts: Any) -> None:
        if kind == "said":
            facts["text"] += f" (she holds {secret_of(self, 1)})"
        true(self, kind, to, **facts)

    monkeypatch.setattr(Run, "emit", leaking)


def error_text(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Choices.read_answer

    def leaking(self: Choices, keys: Any) -> Any:
        try:
            return true(self, keys)
        except Refused as refused:
            raise Refused(f"{refused} Not while {secret_of(self.run, self.seat)} is out.") from None

    monkeypatch.setattr(Choices, "read_answer", leaking)


def hidden_card_in_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "recognises", lambda program, state, seat, card: True)
    monkeypatch.setattr(views, "knowers", lambda program, state, card: -1)


def hidden_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "sees_memory", lambda state, slot, owner, seat: True)


def teams_in_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    true = views.collect_memory

    def leaking(program: Program, names: Any, state: State, seat: int) -> Any:
        return {**true(program, names, state, seat), "teams": str(find_outcome(program, state, names).teams)}

    monkeypatch.setattr(views, "collect_memory", leaking)


def teams_in_a_log_line(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Run.emit_cards

    def leaking(self: Run, kind: EventKind, cards: Any, known: Any = None, **facts: Any) -> None:
        true(self, kind, cards, known, **facts, teams=str(find_teams(self)))

    monkeypatch.setattr(Run, "emit_cards", leaking)


def team_of_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Choices._make_label

    def leaking(self: Choices, index: int) -> str:
        return f"{true(self, index)} {find_teams(self.run)[self.values[index]]}"

    monkeypatch.setattr(Choices, "_make_label", leaking)


def standings_in_a_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(run: Run, asked: Ask) -> Ask:
        return evolve(asked, prompt=f"{asked.prompt} {find_outcome(run.program, run.state, run.names).places}")

    change_ask(monkeypatch, leaking)


def what_who_left_knew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "leave_game", lambda program, state, seats: None)


def places_of_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "watchers", lambda state, place: place.watchers)


def memory_of_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        views, "sees_memory", lambda state, slot, owner, seat: slot.seen_by == "everyone" or owner == seat
    )


def hidden_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    true = views.sees_memory

    def leaking(state: State, slot: Any, owner: int | None, seat: int) -> bool:
        return is_table(slot.sort) or true(state, slot, owner, seat)

    monkeypatch.setattr(views, "sees_memory", leaking)


def all_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    true = chance._tell_rolled

    def leaking(run: Run, dice: Sequence[int], op: Any) -> None:
        known = run.state[KNOWN]
        run.state[KNOWN] = type(known)([run.layout.everyone] * len(known))
        true(run, dice, op)
        run.state[KNOWN] = known

    monkeypatch.setattr(chance, "_tell_rolled", leaking)


def seed_in_a_greeting(monkeypatch: pytest.MonkeyPatch) -> None:
    true = protocol.hello
    monkeypatch.setattr(protocol, "hello", lambda game, seat: {**true(game, seat), "seed": game.seed})


def counts_of_the_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "may_count", lambda state, seat, place: place.counted != "nobody")


def bot_at_the_true_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(self: thinking.Thinking, machine: Any, state: Any, found: Choices) -> Any:
        layout, names = machine.program.layout, machine.program.names
        held = [names[card] for card in state[layout.find_place_of("hand", (found.seat + 1) % 3).slot]]
        return [*answers(found, lambda bound: 0).values()][-1 if "Ruby" in held else 0]

    monkeypatch.setattr(thinking.Thinking, "_value", leaking)


def quietly_asked_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Game._why_not

    def leaking(self: Game, seat: int) -> str:
        if views.is_quiet(self.program, self.state):
            return f"{self.names[self.machine.find_waiting(self.state)[0]]} is asked something."
        return true(self, seat)

    monkeypatch.setattr(Game, "_why_not", leaking)


def answer_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    true = asking.take_answer

    def leaking(run: Run, choice: Any, seat: int, value: Any) -> None:
        true(run, choice, seat, value)
        if run.state[PENDING] is not None and run.events is not None:
            run.emit("chose", player=run.names[seat], what=[f"number:{value}"])

    monkeypatch.setattr(asking, "take_answer", leaking)


def secret_answer_told(monkeypatch: pytest.MonkeyPatch) -> None:
    true = asking._tell_picks
    monkeypatch.setattr(
        asking, "_tell_picks", lambda run, choice, entry: true(run, evolve(choice, told="everyone"), entry)
    )


def who_could_throw_one_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "is_quiet", lambda program, state: False)


def thrown_card_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_find_seers", lambda run, pick, value: run.layout.everyone)


# ── the table ────────────────────────────────────────────────────────────────────────────────────

Plant = Callable[[pytest.MonkeyPatch], None]
NEXT = "sees what hangs on hidden cards"
SECRET_IF = "each p in players:\n  if any(p.hand where it is ruby):\n    "
TRACES = {
    "memory": SECRET_IF + "set holder = p",
    "score": SECRET_IF + "add 1 to p.score",
    "words": SECRET_IF + 'say "Aha!"',
    "pieces": SECRET_IF + "move 1 from supply to p.stash",
    "stage": SECRET_IF + "stage secret:\n      shuffle stock",
    "eliminated": SECRET_IF + "eliminate p",
    "else": "if ruby in me.hand:\n  let seen = 1\nelse:\n  add 1 to turns",
    "return": "if ruby in me.hand:\n  return\nadd 1 to turns",
    "stop": "repeat 3:\n  add 1 to turns\n  if ruby in me.hand:\n    stop",
    "rounds": "each c in me.hand where it is ruby:\n  add 1 to turns",
    "where": "each p in players where ruby in hand:\n  move 1 from supply to p.stash",
    "kept": SECRET_IF + "set p.marked = yes\neach p in players:\n  if p.marked:\n    add 1 to p.score",
    "called": SECRET_IF + "do trace_of(p)",
    "an entry of a table": "each p in players:\n  if p.hoard[red] > 0:\n    add 1 to p.score",
    "a hidden table": "if sum(marks) > 0:\n  add 1 to turns",
    "two tables": "each p in players:\n  if not (me.hoard >= p.hoard):\n    add 1 to p.score",
}
"""What leaves a trace below a question about a hidden card."""
MEANT = [
    SECRET_IF + "set holder = p publicly",
    SECRET_IF + "reveal p.hand where it is ruby\n    add 1 to p.score",
    "tell players whether ruby in me.hand\nif ruby in me.hand:\n  add 1 to me.score",
    SECRET_IF + "set p.marked = yes",
    "set me.hoard[blue] = 3\nset marks[me] = 2",
]
"""The same, meant or unseen."""


@frozen
class Planted:
    """A game in which a leak shows, and a piece of what the leak tests say."""

    program: Program
    says: str


THROWN = "offer others together as q to choose thrown from q.hand where it is ruby:\n  move thrown to stock"
"""A hidden card is thrown in, and of the others nobody is told which, nor who could have."""
PLANTS: dict[Plant, Planted] = {
    instance_number_in_a_label: Planted(SECRET, '"label"'),
    card_in_a_prompt: Planted(SECRET, '"prompt"'),
    instance_number_in_an_option: Planted(SECRET, "key that is no card's|counts further|other numbers"),
    slot_order_in_a_hand: Planted(SECRET, "has no order, but shows one"),
    decision_number: Planted(SECRET, "asked more often"),
    decider_of_a_quiet_choice: Planted(SECRET, "may not learn that"),
    decider_in_a_refusal: Planted(SECRET, "names who is quietly asked"),
    log_line: Planted(SECRET, "does not know .*'moved'"),
    spoken_log_line: Planted(SECRET, "does not know .*'said'"),
    error_text: Planted(SECRET, "other hidden cards .*Not while"),
    hidden_card_in_a_place: Planted(SECRET, "other hidden cards"),
    hidden_memory: Planted(SECRET, "other hidden cards"),
    hidden_tables: Planted(gems(), "other hidden cards"),
    all_faces: Planted(gems(), "may not see all these dice"),
    seed_in_a_greeting: Planted(gems(), '"seed"'),
    counts_of_the_owner: Planted(gems(), "uncounted places"),
    bot_at_the_true_table: Planted(gems(), "a bot in the seat of"),
    quietly_asked_in_a_refusal: Planted(SECRET, "names who is quietly asked"),
    who_could_throw_one_in: Planted(gems(THROWN), "may not learn that"),
    thrown_card_told: Planted(gems(THROWN), "does not know .*'chose'"),
}
"""Each leak of the engine."""

HONEST = {"gems": gems(), "thrown in": gems(THROWN)} | {f"meant {n}": gems(leak) for n, leak in enumerate(MEANT)}
