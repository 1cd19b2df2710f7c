"""The programs of `bench/`, which take too long for a test: that each begins, and that slips are made and found."""

from __future__ import annotations

import os
import random
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from paths import BENCH, HELPERS

from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_machine import ByMachine
from rulebook.playtest.bots.small import LOOKED_AT, played_whole

NEEDS = {"others.py": pytest.mark.extra("rlcard", "rlcard")}
"""What a program compares with, or plays on, that tests can do without."""
PROGRAMS = sorted(file.name for file in BENCH.glob("*.py") if '__name__ == "__main__"' in file.read_text("utf-8"))


@pytest.mark.parametrize("name", [pytest.param(name, marks=NEEDS.get(name, ())) for name in PROGRAMS])
def test_it_begins(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In this process, as the program that Python is started with: it finds its neighbours in its own folder."""
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    for module, found in [*sys.modules.items()]:
        if stands_in_our_folders(found):  # some have the same name here and there
            monkeypatch.delitem(sys.modules, module)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(BENCH / name), run_name="__main__")
    assert not ended.value.code
    assert "usage:" in capsys.readouterr().out


def stands_in_our_folders(module: ModuleType) -> bool:
    file = getattr(module, "__file__", None) or ""
    return Path(file).parent in (BENCH, BENCH / "reference", HELPERS)


@pytest.mark.slow
def test_slips_are_made_and_found() -> None:
    # It finds its neighbours in its own folder, which a safe path would leave out.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    line = [sys.executable, "bench/mutations.py", "--sample", "3", "kuhn_poker"]
    done = subprocess.run(line, cwd=BENCH.parent, capture_output=True, text=True, timeout=120, env=environ)
    assert done.returncode == 0, done.stderr
    assert "found 100.00%" in done.stdout


@pytest.mark.slow
def test_ten_mistakes_are_named_in_one_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    program = runpy.run_path(str(BENCH / "ten_mistakes.py"))
    drawn = program["try_out"](program["draw"](random.Random(3), tmp_path), tmp_path)
    assert drawn.named >= 9, drawn.missed
    assert drawn.followed == ()


@pytest.mark.slow
def test_nothing_is_gained_from_an_equilibrium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    program = runpy.run_path(str(BENCH / "kuhn.py"))
    rulebook = program["load"](program["library"].find_game("kuhn_poker")).rulebook
    machine, tables = program["Machine"](program["lower"](rulebook, 2)), program["Equilibrium"]

    def exploit(queen: float) -> float:
        """Who calls with the queen so often, and else plays as an equilibrium; a sixth is the smallest share of one."""
        calls = tables.CALLS[0], (0.0, queen, 1.0)
        gained = 0.0
        for seat, asked in enumerate((("B?", "C?CB"), ("B?C", "C?B"))):
            shares = {
                (card, one): table[rank]
                for one, table in zip(asked, (tables.BETS[seat], calls[seat]), strict=True)
                for rank, card in enumerate(program["RANKS"])
            }
            sixths = [
                SimpleNamespace(answered={at: 6 * one > part + 0.5 for at, one in shares.items()}) for part in range(6)
            ]
            gained += program["exploit"](machine, seat, sixths) / 2
        return gained

    assert exploit(1 / 3) == pytest.approx(0, abs=1e-9)
    assert exploit(1) == pytest.approx(1 / 18, abs=0.03) and exploit(1) > 0.02


@pytest.mark.slow
def test_nobody_gains_from_a_small_game_that_is_looked_at_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly: by the shares in which `ismcts:200` draws its answers, not by what it drew."""
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    program = runpy.run_path(str(BENCH / "kuhn.py"))
    rulebook = program["load"](program["library"].find_game("kuhn_poker")).rulebook
    machine, gained = program["Machine"](program["lower"](rulebook, 2)), 0.0
    for seat in range(2):
        shares: dict[tuple[str, str], float] = {}

        def note(
            at: int,
            state: State,
            card: str,
            asked: str,
            _: str,
            seat: int = seat,
            shares: dict[tuple[str, str], float] = shares,
        ) -> float:
            if at == seat:
                imagined = ByMachine(machine, state, seat, Source(1, "test").below, at_random=False)
                often = played_whole(imagined, LOOKED_AT * 200)
                assert often is not None
                shares[card, asked] = often.get(imagined.legal[1], 0.0)
            return 0.5

        program["reckon"](machine, machine.new_state(1), note)
        gained += program["exploit"](machine, seat, [SimpleNamespace(answered=shares)]) / 2
    assert gained < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bot", "games", "most"),
    [("nim", "ismcts:1000", 3, 0), ("pig", "ismcts:1000", 24, 0.01), ("blackjack", "ismcts:1000", 30, 0.03)],
)
def test_the_best_bot_plays_what_is_solved(
    game: str, bot: str, games: int, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reckoned by programs that know nothing of the engine; random players lose far more."""
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    program = runpy.run_path(str(BENCH / "solved.py"))
    machine = program["make_machine"](game)
    losses = {
        spec: sum(sum(one.losses) for one in program["play_games"](game, machine, spec, games)) / games
        for spec in (bot, "random")
    }
    assert losses[bot] <= most and losses["random"] > 0.1


@pytest.mark.slow
def test_the_best_bot_loses_no_game_that_need_not_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games; the program plays 200."""
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    program = runpy.run_path(str(BENCH / "solved.py"))
    machine = program["make_machine"]("tic_tac_toe")
    assert program["count_lost"](machine, "ismcts:200", "greedy", 2) == 0
    # What loses is seen.
    assert program["count_lost"](machine, "random", "greedy", 10) > 0
    assert program["worth_square"]("X.......O", 2) == 1 and program["worth_square"]("X........", 1) == 0


@pytest.mark.slow
def test_an_expert_beats_who_does_not_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    program = runpy.run_path(str(BENCH / "expert.py"))
    worker = program["ready"](("greedy", 1))
    assert sum(won for won, _, _ in worker(range(4))) <= 1


@pytest.mark.slow
def test_reports_say_what_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small part of what the program counts; it has 2,000 series of each case."""
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    program = runpy.run_path(str(BENCH / "verdicts.py"))
    cases, found = dict(program["find_cases"](200)), {}
    for name in ("fair", "card", "dominated option", "alike", "ties grow", "levels, fair", "levels, a seat"):
        found[name] = program["count_case"](cases[name], 15 if name.startswith("levels") else 40)
    fair = found["fair"]
    assert fair["LOOK anywhere"] <= 6 and fair["a seat or who begins called unfair"] <= 5
    held, lines = (sum(counted for name, counted in fair.items() if word in name) for word in (" line held", "lines "))
    assert 0.92 <= held / lines <= 0.98
    assert all(found[name]["found"] >= 30 for name in ("card", "dominated option", "ties grow"))
    # On three levels each series is played three times. One of 20 fair ones may say LOOK, and 9 of 10 find the seat.
    assert found["levels, fair"]["LOOK in an answer"] <= 5 and found["levels, a seat"]["found"] >= 8
    bets = program["count_case"](cases["worth, dominated option"], 80)
    assert bets["found"] >= 64 and bets["said never to be worth choosing"] >= 56
    assert 0.88 <= bets["worth line held"] / bets["lines worth"] <= 0.99
    for edge in (0, 10):
        words = program["count_case"](cases[f"words, a seat {edge} of 100 ahead"], 15)
        assert not words["a size that is too small"] and not words["fair, though it is not"]
        assert words["LOOK"] <= 1 if edge == 0 else words["LOOK"] + words["Not known yet"] >= 14
    assert found["alike"]["a star"] <= 6 and found["ties grow"]["a seat said to gain"] <= 6
