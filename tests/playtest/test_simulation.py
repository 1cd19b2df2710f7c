"""Many games: the same numbers however the work is shared, and a game that crashes can be seen again."""

import os
from pathlib import Path

import pytest
from dying import Large, always_killed, doubled, killed_once
from shipped import load_game
from simulating import Crashed, simulate

from rulebook import library
from rulebook.dsl import ir
from rulebook.interpreter.decisions import BadSetup, Decision
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import find_outcome
from rulebook.loading import load
from rulebook.playtest.bots import BadSpec, make_bot
from rulebook.playtest.pieces import Killed
from rulebook.playtest.series.plan import game_seed, plan_of
from rulebook.playtest.series.table import Table
from rulebook.playtest.sharing import in_order

pytestmark = pytest.mark.slow

# A game for two that goes round for ever when somebody has the black ball.
FAULTY = """
format: 1
name: Faulty
players: 2..2
kinds:
  ball: {has: {worth: number}}
places:
  table: {urn: {holds: ball, kept: bag, seen_by: nobody}}
  player: {hand: {holds: ball, kept: loose, seen_by: owner}}
cards:
  white: {kind: ball, name: White, worth: 1, copies: 20}
  black: {kind: ball, name: Black, worth: 0, copies: 1}
rules:
  game: |
    move cards where it is ball to urn
    shuffle urn
    deal 1 from urn to each hand
    loop:
      if not any((hand of players) where it is black):
        stop
result: {rank: most sum(worth of it.hand)}
"""


@pytest.fixture(scope="module")
def wallet() -> ir.Rulebook:
    return load_game(library.find_game("wallet"))


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    folder = tmp_path / "faulty"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(FAULTY, encoding="utf-8")
    return folder


def test_the_numbers_do_not_depend_on_the_number_of_processes(wallet: ir.Rulebook) -> None:
    alone = simulate(wallet, 3, 30, 7)
    assert simulate(wallet, 3, 30, 7) == alone
    assert simulate(wallet, 3, 30, 7, jobs=3) == alone
    assert simulate(wallet, 3, 30, 8) != alone


def test_the_first_games_of_a_longer_simulation_are_those_of_a_shorter_one() -> None:
    assert [game_seed(7, number) for number in range(3)] == [game_seed(7, number) for number in range(3)]
    assert len({game_seed(seed, number) for seed in range(50) for number in range(50)}) == 2500


def test_what_is_counted_agrees_with_games_played_one_by_one(wallet: ir.Rulebook) -> None:
    program = lower(wallet, 2, {})
    machine = Machine(program)
    decisions, wins = [], [0.0, 0.0]
    for number in range(6):
        seed = game_seed(3, number)
        bots = [make_bot("random", seed, seat) for seat in range(2)]
        state, asked = machine.new_state(seed), set()
        while isinstance(decision := machine.advance(state), Decision):
            asked |= {(ask.seat, ask.number) for ask in decision.asks}
            ask = decision.asks[0]
            machine.answer(state, ask.seat, bots[ask.seat].answer(machine, state, ask))
        decisions.append(len(asked))
        first = find_outcome(program, state).winners
        for seat in first:
            wins[seat] += 1 / len(first)
    summary = simulate(wallet, 2, 6, 3)
    assert summary["decisions"] == sum(decisions)
    assert (summary["length"]["min"], summary["length"]["max"]) == (min(decisions), max(decisions))
    assert summary["wins"] == pytest.approx(wins)
    assert sum(summary["wins"]) == pytest.approx(6)


def test_options_and_bots_reach_the_games(wallet: ir.Rulebook) -> None:
    short = simulate(wallet, 2, 4, 3, {"rounds": 1})
    assert short["decisions"] < simulate(wallet, 2, 4, 3)["decisions"]
    mixed = simulate(wallet, 2, 4, 3, bots=["first", "random"])
    assert mixed["bots"] == ["first", "random"]
    assert mixed["decisions"] != simulate(wallet, 2, 4, 3)["decisions"]


def test_progress_is_told_up_to_the_end(wallet: ir.Rulebook) -> None:
    told: list[tuple[int, int]] = []
    simulate(wallet, 2, 5, 1, {"rounds": 1}, on_progress=lambda done, games: told.append((done, games)))
    assert told == sorted(told)
    assert told[-1] == (5, 5)


def test_json_is_plain_and_complete(wallet: ir.Rulebook) -> None:
    found = simulate(wallet, 2, 2, 1, {"rounds": 1})
    assert list(found)[:9] == [
        "game", "variants", "players", "games", "seed", "decisions", "seconds", "wins", "length",
    ]  # fmt: skip
    assert list(found["length"]) == ["min", "median", "mean", "max"]
    assert all(isinstance(won, float) for won in found["wins"])
    assert (found["game"], found["variants"], found["players"], found["games"]) == ("wallet", [], 2, 2)


@pytest.mark.parametrize("tier", ["core", "machine"])
def test_all_tiers_play_the_same_games(wallet: ir.Rulebook, tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for jobs in (1, 2):
        assert simulate(wallet, 3, 8, 7, jobs=jobs, tier=tier) == simulate(wallet, 3, 8, 7)


def test_records_are_the_same_too(wallet: ir.Rulebook, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [list(Table(plan_of(wallet, 4, 3, tier=tier)).here(range(5))[0]) for tier in ("core", "machine")]
    assert all(one == told[0] for one in told)


def test_a_crash_is_the_same_on_all_tiers(faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    rulebook = load(faulty).rulebook
    assert rulebook is not None
    for tier in ("core", "machine"):
        with pytest.raises(Crashed) as crashed:
            simulate(rulebook, 2, 60, 1, tier=tier)
        told.append(str(crashed.value))
    assert "without end" in told[0]
    assert len(set(told)) == 1


def test_a_piece_is_not_played_on_after_as_many_crashes_as_end_a_series(faulty: Path) -> None:
    rulebook = load(faulty).rulebook
    assert rulebook is not None
    whole, _ = Table(plan_of(rulebook, 2, 1)).here(range(40))
    ends = [number for number, one in enumerate(whole) if not one.counts]
    for crashes in (1, 2):
        played, _ = Table(plan_of(rulebook, 2, 1), crashes=crashes).here(range(40))
        assert list(played) == list(whole)[: ends[crashes - 1] + 1]


ANSWERED = """
format: 1
name: Answered
players: 2..2
memory: {table: {left: {type: number, default: 0}}}
rules:
  game: |
    each me in players:
      choose n from 1..3
      choose k from 1..2
      add n * k to left
    loop:
      add 1 to left
result: {rank: most 1}
"""


@pytest.mark.parametrize("begin", ["each me", "loop"], ids=["behind answers", "before any"])
def test_a_crash_is_saved_alike_by_who_met_it_and_who_did_not(
    begin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulebook.interpreter.run.MOST_LOOKED_AT", 5000)
    before, (_, loop) = ANSWERED.split("    each me")[0], ANSWERED.split("    loop")
    text = ANSWERED if begin == "each me" else f"{before}    loop{loop}"
    (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None, load(tmp_path).messages
    met = Table(plan_of(rulebook, 2, 1))
    assert met.game(0).error
    saved = met.save(0)
    assert len(saved.entries) == (4 if begin == "each me" else 0)
    assert saved == Table(plan_of(rulebook, 2, 1)).save(0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_crash_names_its_seed_and_how_to_see_it_again(faulty: Path, jobs: int) -> None:
    rulebook = load(faulty).rulebook
    assert rulebook is not None
    with pytest.raises(Crashed) as crashed:
        simulate(rulebook, 2, 60, 1, bots=["first", "random"], jobs=jobs)
    seed, _, replay = crashed.value.args
    assert f"rulebook play faulty --players 2 --bots first,random --seed {seed}" in replay
    seeds = [game_seed(1, number) for number in range(60)]
    # It is the first one that crashes, whatever the number of processes, and its seed is enough to see it.
    before = seeds.index(seed)
    assert simulate(rulebook, 2, before, 1, bots=["first", "random"])["games"] == before
    with pytest.raises(Crashed, match=str(seed)):
        simulate(rulebook, 2, before + 1, 1, bots=["first", "random"])


def test_what_cannot_be_played_is_refused_before_the_first_game(wallet: ir.Rulebook) -> None:
    with pytest.raises(BadSetup):
        simulate(wallet, 8, 1, 1)
    with pytest.raises(BadSpec):
        simulate(wallet, 2, 1, 1, bots=["clever"])


# Processes that are killed


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_that_is_killed_changes_no_number(tmp_path: Path) -> None:
    pieces = [range(start, start + 5) for start in range(0, 50, 5)]
    found = list(in_order(killed_once, str(tmp_path), pieces, 2))
    assert [number for some in found for number in some] == [number * number for number in range(50)]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_games_that_kill_every_process_are_named() -> None:
    pieces = [range(start, start + 5) for start in range(0, 30, 5)]
    found = []
    with pytest.raises(Killed, match="the games 10 to 14"):
        for some in in_order(always_killed, 10, pieces, 2):
            found += some
    assert found == list(range(10))


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_that_is_killed_while_it_starts_is_missed(tmp_path: Path) -> None:
    pieces = [range(start, start + 5) for start in range(0, 30, 5)]
    found = list(in_order(doubled, Large(str(tmp_path)), pieces, 2))
    assert [number for some in found for number in some] == [2 * number for number in range(30)]
    assert (tmp_path / "killed").exists()
