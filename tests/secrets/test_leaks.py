"""No seat is told what it may not know; and the checker that says so finds every leak that is planted."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from leaks import Below, ListenedGame, answer_at_random, leaks, look_alike, overheard, quiet
from planted import (
    HONEST,
    LEAVING,
    NEXT,
    NOTED,
    PLANTS,
    SECRET,
    SMALL,
    TRACES,
    Plant,
    card_in_a_prompt,
    decider_of_a_quiet_choice,
    decision_number,
    error_text,
    gems,
    instance_number_in_an_option,
    log_line,
    memory_of_who_left,
    places_of_who_left,
    slot_order_in_a_hand,
    what_who_left_knew,
)
from shipped import list_some_tables, lower_game
from traces import look

from rulebook import library
from rulebook.interpreter import invariants, views
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.determinize import hidden_cards
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome
from rulebook.loading import load

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")


def complaints(program: Program, seeds: range, one_in: int = 1) -> Iterator[str]:
    """What the checker says about games played at random, asked for every seat at one decision of so many."""
    for game, below in moments(program, seeds, one_in):
        for seat in range(program.players):
            yield from leaks(game, seat, below)


def moments(program: Program, seeds: range, one_in: int) -> Iterator[tuple[ListenedGame, Below]]:
    """Games played at random, as they stand at some decisions and at their end; in long games ever fewer."""
    for seed in seeds:
        below = Source(seed, "test").below
        game = ListenedGame(program, seed, NAMES[: program.players])
        found = 0
        while not game.over:
            if below(one_in + (one_in - 1) * (found // 5)) == 0:
                found += 1
                yield game, below
            answer_at_random(game, below)
        yield game, below


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "games"),
    [(SMALL, 6), (SECRET, 3), (NOTED, 3), (LEAVING, 3)],  # of each planted leak, the first game tells but for one
    ids=["small", "secret", "noted", "leaving"],
)
def test_games_do_not_leak(program: Program, games: int) -> None:
    assert list(complaints(program, range(games))) == []


@pytest.mark.parametrize(
    ("program", "games"),
    [(SMALL, 4), (SECRET, 2), (NOTED, 2), (LEAVING, 2)],
    ids=["small", "secret", "noted", "leaving"],
)
def test_no_event_names_a_card_that_nobody_is_reminded_of(program: Program, games: int) -> None:
    """The same games where some places, drawn anew for each game, are not recalled."""
    for seed in range(games):
        assert list(names_too_much(forgetful(program, seed), seed)) == []


@pytest.mark.slow
@pytest.mark.parametrize("table", [*list_some_tables()])
def test_no_event_of_a_bundled_game_does_so(table: tuple[Path, int]) -> None:
    assert list(names_too_much(forgetful(lower_game(*table), 1), 1)) == []


def forgetful(program: Program, seed: int) -> Program:
    """The same program, with places that are not recalled."""
    below = Source(seed, "forgetful").below
    kept = {name: below(3) == 0 for name in sorted({place.name for place in program.layout.places})}
    places = tuple(evolve(place, recall=place.recall and kept[place.name]) for place in program.layout.places)
    return evolve(program, layout=evolve(program.layout, places=places))


def names_too_much(program: Program, seed: int) -> Iterator[str]:
    game, below = ListenedGame(program, seed, NAMES[: program.players]), Source(seed, "test").below
    while not game.over:
        answer_at_random(game, below)
    for seat in range(program.players):
        yield from overheard(game, seat)


def test_the_games_have_what_could_leak() -> None:
    """Else the test above could pass by finding nothing to hide."""
    was_quiet = hidden = 0
    for seed in range(6):
        below = Source(seed, "test").below
        game = ListenedGame(SECRET, seed, NAMES[:3])
        while not game.over:
            was_quiet += quiet(game.program, game.state)
            hidden += len(hidden_cards(game.program, game.state, 0)) > 5
            answer_at_random(game, below)
    assert was_quiet > 3
    assert hidden > 50


# ── bundled games ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("table", [*list_some_tables()])
def test_bundled_games_do_not_leak(table: tuple[Path, int]) -> None:
    """`bench/games.py` looks at many games, with every number of players."""
    assert list(complaints(lower_game(*table), range(1), one_in=24)) == []


@pytest.mark.slow
@pytest.mark.parametrize("table", [*list_some_tables()])
def test_what_could_be_is_a_game_that_looks_the_same(table: tuple[Path, int]) -> None:
    program = lower_game(*table)
    for game, below in moments(program, range(1), one_in=12):
        for seat in range(program.players):
            twin = look_alike(program, game.state, seat, below)
            invariants.check_state(program, twin, through_json=True)
            assert views.collect_facts(program, game.names, twin, seat) == views.collect_facts(
                program, game.names, game.state, seat
            )
            other = game.fork(twin)
            assert other.view(seat).ask == game.view(seat).ask
            for _ in range(10):
                if not other.over:
                    answer_at_random(other, below)
                    invariants.check_state(program, other.state)


@pytest.mark.slow
@pytest.mark.parametrize("table", [*list_some_tables()])
def test_what_could_be_can_be_played_to_its_end(table: tuple[Path, int]) -> None:
    program = lower_game(*table)
    player = Machine(program, NAMES[: program.players])
    for game, below in moments(program, range(1), one_in=40):
        state = look_alike(program, game.state, below(program.players), below)
        while isinstance(player.advance(state), Decision):
            seat = player.find_waiting(state)[0]
            player.answer_value(state, seat, player.random_value(state, seat, below))
        invariants.check_state(program, state)
        assert find_outcome(program, state, player.names).finished


# ── planted leaks ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    planted = PLANTS[plant]
    assert any(re.search(planted.says, complaint) for complaint in complaints(planted.program, range(6)))


@pytest.mark.parametrize("trace", TRACES)
def test_a_trace_of_a_hidden_question_is_found(trace: str) -> None:
    assert any(NEXT in complaint for complaint in complaints(gems(TRACES[trace]), range(6)))


@pytest.mark.slow
@pytest.mark.parametrize("cards", [False, True])
def test_what_drawn_games_tell_is_warned_of(cards: bool) -> None:
    """`bench/drawn_traces.py` looks at many more."""
    looked = [look(seed, games=2, cards=cards) for seed in range(24)]
    assert [script for script, codes, seen in looked if seen and not codes & {"RB601", "RB605"}] == []
    assert sum(bool(seen) for _, _, seen in looked) > 3


@pytest.mark.slow
@pytest.mark.parametrize("game", HONEST)
def test_without_a_plant_nothing_is_found(game: str) -> None:
    assert list(complaints(HONEST[game], range(3))) == []


LEFT: dict[Plant, str] = {
    what_who_left_knew: "is shown what .* is not: in ",
    places_of_who_left: "is shown what .* is not: in ",
    memory_of_who_left: "is shown what .* is not: the memory",
}


@pytest.mark.slow
@pytest.mark.parametrize("plant", LEFT, ids=lambda plant: plant.__name__)
def test_a_planted_leak_to_who_was_eliminated_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert any(re.search(LEFT[plant], complaint) for complaint in complaints(LEAVING, range(6)))


SEVEN = [
    instance_number_in_an_option,
    slot_order_in_a_hand,
    card_in_a_prompt,
    decision_number,
    decider_of_a_quiet_choice,
    log_line,
    error_text,
]
"""One of each sort, for a game that people play."""


@pytest.mark.parametrize("plant", SEVEN, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found_in_a_bundled_game(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    found = complaints(lower_game(library.find_game("wallet"), 3), range(6), one_in=3)
    assert any(re.search(PLANTS[plant].says, complaint) for complaint in found)


CELLAR = """\
format: 1
name: Cellar
players: 2..2
kinds: {bottle: {has: {year: 1..4}}}
places:
  table: {away: {holds: bottle, kept: row, seen_by: nobody, recall: no}}
  player:
    hand: {holds: bottle, kept: loose, seen_by: owner}
    cellar: {holds: bottle, kept: row, seen_by: nobody, recall: no}
cards: {wine: {kind: bottle, each: {year: 1..4}}}
rules:
  game: |
    deal 2 from box to each hand
    each me in players:
      let held = me.hand
      move held to me.cellar
    each me in players:
      move me.cellar to away
"""


def test_who_puts_cards_away_is_told_once_which_they_were(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(CELLAR, "utf-8")
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None
    game = ListenedGame(lower(rulebook, 2), 1, NAMES[:2])
    moved = [event.facts for event in game.events(0) if event.kind == "moved" and "Ana" in event.facts["from"]]
    assert [("cards" in facts, facts.get("count")) for facts in moved] == [(True, None), (False, 2)]
