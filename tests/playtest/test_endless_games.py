"""Drawn games with and without an end: those that never end are an error soon, and those that can end are none."""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Iterator

import pytest

from rulebook.examples import of_its_own
from rulebook.interpreter.core.door import WORK, Core, core_of
from rulebook.interpreter.decisions import Endless, RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.run import Run
from rulebook.playtest.hunting.endless import find_lost
from rulebook.playtest.hunting.hunt import Lost, Programs, hunt
from rulebook.playtest.hunting.verdicts import play_through
from rulebook.playtest.settings import Setting

TOP = """format: 1
name: Ends
players: {players}
kinds: {{stone: {{}}}}
places:
  table: {{heap: {{holds: stone, kept: pile, seen_by: everyone}}}}
  player: {{hand: {{holds: stone, kept: loose, seen_by: everyone}}}}
memory: {{table: {{laps: 0, work: 0}}, player: {{ready: no}}}}
cards: {{gem: {{kind: stone}}, pebble: {{kind: stone, copies: {pebbles}}}}}
rules:
  game: |
    move cards to heap
    shuffle heap
    deal 3 from heap to each hand
    loop:
      each p in players:
{turn}
      add 1 to laps
      if {end}:
        win players
"""
TURNS = {
    "wait": "p chooses one:\n  \"Wait\":\n    set p.ready = no\n  \"Rest\":\n    set p.ready = no",
    "decline": "p may choose taken from p.hand:\n  move taken to heap\n  draw 1 from heap to p.hand",
    "ping-pong": "p may choose taken from p.hand:\n  move taken to first(players where it is not p).hand",
    "count": "p chooses n from 1..9\nadd n to work",
    "many ways": "p may choose any number of taken from p.hand:\n  move taken to heap\n  draw 3 from heap to p.hand",
    "toil": "repeat {toil}:\n  add 1 to work\np chooses n from 1..2",
}
NEVER = ("laps < 0", "all(p.ready for p in players)", "work is -1 and laps > 5")
SOON, LATER = "laps >= {laps}", "laps >= {laps} and work >= 0"
ALL_SAID = """format: 1
name: All of them
players: 2..2
kinds: {{word: {{has: {{number: 1..40}}, state: {{said: no}}}}}}
places: {{table: {{list: {{holds: word, kept: row, seen_by: everyone}}}}}}
memory: {{table: {{tries: 0}}}}
cards: {{syllable: {{kind: word, each: {{number: 1..40}}}}}}
rules:
  game: |
    move cards to list
    loop:
      each p in players:
        p chooses w from list
        set w.said = yes
        add 1 to tries
        if all(w.said for w in list):
          win p
        if tries is {tries}:
          set tries = 0
          each other in list:
            set other.said = no
"""
"""A game that ends when all words are said within so many tries."""


def draw(chance: random.Random) -> tuple[str, bool, str]:
    """A game, whether it can end, and how it was drawn."""
    sort = chance.choice(list(TURNS))
    ends = chance.random() < 0.5
    laps = chance.choice((1, 20, 200, 1_000, 2_400, 6_000))
    end = chance.choice((SOON, LATER)).format(laps=laps) if ends else chance.choice(NEVER)
    turn = TURNS[sort].replace("{toil}", str(chance.choice((10, 300, 3_000))))
    turn = "\n".join("        " + line for line in turn.split("\n"))
    players = chance.choice(("2..2", "2..4"))
    pebbles = chance.choice((12, 60))
    return TOP.format(players=players, pebbles=pebbles, turn=turn, end=end), ends, f"{sort} {end} {players}"


def drawn(seed: int, many: int) -> Iterator[tuple[str, bool, str]]:
    chance = random.Random(seed)
    for _ in range(many):
        yield draw(chance)


@pytest.mark.slow
def test_what_never_ends_is_told_soon_and_what_ends_is_not() -> None:
    for text, ends, how in drawn(5, 9):
        book, found = of_its_own(text)
        assert book is not None, (how, found)
        begun = time.process_time()
        verdict = play_through(book, None, 20)
        codes = {one.code for one in verdict.found} & {"RB705", "RB706", "RB707"}
        assert not verdict.bugs, how
        if ends:
            assert "RB705" not in codes, how
        else:
            assert codes in ({"RB705"}, {"RB707"}), how
            assert verdict.left_out, how
        assert time.process_time() - begun < 20, how  # a second or two; the machine may be busy


@pytest.mark.slow
def test_what_goes_round_without_a_question_is_told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of players, and after many answers, so that the smallest game has to be looked for."""
    steps, run_step = 0, Machine._run_step

    def count(self: Machine, run: Run) -> None:
        nonlocal steps
        steps += 1
        run_step(self, run)

    monkeypatch.setattr(Machine, "_run_step", count)
    turn = """        p chooses n from 1..2
        add n to work
        if work > {work}:
          loop:
            each q in players:
              add 1 to laps
              q chooses one "What now?":
                "Go" if count(cards where it in q.hand and it in heap) > 0:
                  add 1 to laps
                "Stay" if count(cards where it in q.hand and it in heap) > 1:
                  add 1 to laps"""
    for work in (12, 80):
        text = TOP.format(players="2..6", pebbles=60, turn=turn.format(work=work), end="laps < 0")
        book, found = of_its_own(text)
        assert book is not None, found
        steps = 0
        verdict = play_through(book, None, 3)
        assert [one.code for one in verdict.found] == ["RB702"]
        assert "go round in rules.game lines" in verdict.found[0].message
        assert steps < 60_000, work


LARGE = """format: 1
name: Large
players: 2..2
kinds: {{gem: {{}}, coin: {{}}}}
places:
  table:
    bag: {{holds: gem, kept: bag, seen_by: nobody, refill: heap}}
    heap: {{holds: gem, kept: pile, seen_by: nobody, refill: bag}}
    bank: {{holds: coin, kept: pool, seen_by: everyone}}
    row: {{holds: gem, kept: row, seen_by: everyone}}
  player:
    hand: {{holds: gem, kept: loose, seen_by: everyone}}
    purse: {{holds: coin, kept: pool, seen_by: everyone}}
memory: {{table: {{many: 0}}}}
cards: {{ruby: {{kind: gem, copies: 9}}, cent: {{kind: coin, copies: 20}}}}
rules:
  game: |
    move cards where it is gem to bag
    move cards where it is coin to bank
    draw 3 from bag to heap
    set many = {number}
    {sentence}
    win players
"""
SENTENCES = (
    "draw many from bag to bag", "draw many from bag to heap", "draw many from heap to heap",
    "deal many from bag to each hand", "draw many from heap to bag as seen", "move many from bank to bank",
    "deal many from bank to each purse", "move first(bag, many) to heap", "pick (many) lost from players at random",
    "repeat many:\n      shuffle bag", "repeat many:\n      draw 1 from bag to bag", "let all_numbers = 1..many",
)  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES)
def test_large_numbers_are_done_or_stopped_soon(sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the machine, which has a smaller budget here, and by the core alike."""
    monkeypatch.setattr("rulebook.interpreter.run.MOST_LOOKED_AT", 20_000)
    for number in (300, 2_000_000_000):
        book, found = of_its_own(LARGE.format(number=number, sentence=sentence))
        assert book is not None, found
        program = lower(book, 2)
        machine, core = Machine(program, ("Ana", "Ben")), core_of(program)
        state, reason = machine.new_state(1), ""
        begun = time.process_time()
        try:
            machine.advance(state)
        except RuleError as error:
            reason = error.message
        assert time.process_time() - begun < 10, number  # less than a second; the machine may be busy
        assert number > 300 or not reason
        if isinstance(core, Core):
            assert bool(core.new_table(1).advance()) == bool(reason)


LONG = """format: 1
name: Long
players: 2..2
kinds: {stone: {}}
places: {table: {board: {holds: stone, kept: grid, size: [100, 100], seen_by: everyone}}}
memory: {table: {many: 0}}
cards: {pebble: {kind: stone, copies: 3}}
rules:
  game: |
    each me in players:
      """
TOO_LONG = {
    "straight lines of a large board": "set many = count(lines(board, 3))",
    "numbers": "set many = count(0..many + 10000)",
    "members of two lists": "set many = count((1..9999) + [1, 2])",
    "what may be chosen": "choose spot from cells(board), 1..2",
    "what may be chosen in an order": "choose order spots from cells(board), 1..2",
}


@pytest.mark.parametrize("sentence", TOO_LONG.values(), ids=list(TOO_LONG))
def test_lists_are_too_long_for_both_interpreters(sentence: str) -> None:
    book, found = of_its_own(LONG + sentence + "\n    win players\n")
    assert book is not None, found
    program = lower(book, 2)
    machine, core = Machine(program, ("Ana", "Ben")), core_of(program)
    state = machine.new_state(1)
    with pytest.raises(RuleError, match="more than 10,000"):
        machine.advance(state)
        machine.find_choices(state, 0)
    if isinstance(core, Core):
        assert core.new_table(1).advance()


def test_many_options_get_their_keys_soon() -> None:
    """Each key is told apart from the others in a time that grows with them, not with their pairs."""
    book, found = of_its_own(LONG + "choose spot from cells(board)\n    win players\n")
    assert book is not None, found
    machine = Machine(lower(book, 2), ("Ana", "Ben"))
    state = machine.new_state(1)
    machine.advance(state)
    begun = time.process_time()
    (asked,) = machine.decision(state).asks
    assert len({option.key for option in asked.options}) == 10_000
    assert time.process_time() - begun < 3  # a tenth of a second; it was three


def test_what_is_not_played_is_counted() -> None:
    toil = "        p chooses n from 1..2\n        repeat 3000:\n          add 1 to work"
    book, found = of_its_own(TOP.format(players="2..4", pebbles=12, turn=toil, end="laps < 0"))
    assert book is not None, found
    one = hunt(Programs(book), 20)
    assert one.too_long
    assert one.games + one.left_out == 60


def test_after_two_settings_without_an_end_no_other_is_tried() -> None:
    """The message is about the first of them; to make a program of each number of players would only take time."""
    for end, games in (("laps < 0", 10), ("count(players) > 2 and laps > 9", 5 + 5 * 20)):
        turn = "        p may choose n from 1..9"
        book, found = of_its_own(TOP.format(players="2..7", pebbles=12, turn=turn, end=end))
        assert book is not None, found
        hunted = hunt(Programs(book), 20)
        assert hunted.games == games, end
        assert hunted.endless[:5] == (0, 1, 2, 3, 4)


def test_what_ends_by_answers_that_are_rare_is_a_guess() -> None:
    for tries, code in ((60, "RB706"), (30, "RB705")):
        book, found = of_its_own(ALL_SAID.format(tries=tries))
        assert book is not None, found
        lost = Lost(Setting(2, {}), 10, 10, 0)
        assert [one.code for one in find_lost(Programs(book), [lost])] == [code], tries


@pytest.mark.parametrize("kept", ["pile", "bag", "row"])
def test_a_round_that_shuffles_nothing_is_seen_at_once(kept: str) -> None:
    text = TOP.format(players="2..2", pebbles=1, turn="        shuffle heap", end="laps < 0")
    text = text.replace("kept: pile", f"kept: {kept}").replace("      add 1 to laps\n", "")
    text = text.replace("    move cards to heap\n", "").replace("    deal 3 from heap to each hand\n", "")
    book, found = of_its_own(text)
    assert book is not None, found
    program = lower(book, 2)
    machine = Machine(program, ("Ana", "Ben"))
    events: Sink = [[], []]
    state = machine.new_state(1)
    with pytest.raises(Endless):
        machine.advance(state, events)
    assert len(events[0]) < 100
    core = core_of(program)
    if isinstance(core, Core):
        core.bound_work(1000)
        assert core.play_after(core.load_state(machine.new_state(1)), array("Q", [1]))[WORK] < 100
