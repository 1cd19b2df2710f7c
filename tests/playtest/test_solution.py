"""Small games that are solved: what the first of two gets where nobody errs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.playtest.bots import make_bot
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.small_games.solution import MOST_SOLVED, Solution, solve_game
from rulebook.reporting.answering import answer_questions, find_headline
from rulebook.reporting.joining import join_reports
from rulebook.reporting.records import Level, Report, Seat
from rulebook.reporting.report import report_of
from rulebook.statistics.verdicts import FINE, LOOK

NIM, PIG = DATA / "solved" / "nim", DATA / "solved" / "pig"


def program_of(folder: Path, **options: int) -> Program:
    rulebook = load_game(folder)
    return lower(rulebook, 2, {name: option.default for name, option in rulebook.options.items()} | options)


@pytest.mark.parametrize("stones", range(1, 10))
def test_nim_is_won_by_who_does_not_begin_at_a_multiple_of_four(stones: int) -> None:
    found = solve_game(program_of(NIM, stones=stones), MOST_SOLVED)
    share = 1.0 if stones % 4 else 0.0
    assert found == Solution(share, share, 0.5)


def win_at_pig(goal: int) -> float:
    """How often the first of two wins pig, by its textbook equations."""

    @cache
    def list_tables() -> list[tuple[int, int, int]]:
        sums = range(goal)
        return [(mine, theirs, kitty) for mine in sums for theirs in sums for kitty in range(goal - mine)]

    wins = dict.fromkeys(list_tables(), 0.5)
    for _ in range(400):
        for mine, theirs, kitty in list_tables():
            roll = (1 - wins[theirs, mine, 0]) / 6
            for rolled in range(2, 7):
                reached = kitty + rolled
                roll += (1.0 if mine + reached >= goal else wins[mine, theirs, reached]) / 6
            # Whose turn begins must roll.
            wins[mine, theirs, kitty] = max(roll, 1 - wins[theirs, mine + kitty, 0]) if kitty else roll
    return wins[0, 0, 0]


@pytest.mark.parametrize("goal", [3, 7])
def test_chance_is_weighed_and_tables_come_again(goal: int) -> None:
    found = solve_game(program_of(PIG, goal=goal), MOST_SOLVED)
    assert found is not None and found.low <= win_at_pig(goal) <= found.high < found.low + 1e-3


def test_what_is_hidden_is_solved_by_what_both_learn() -> None:
    """Who begins in Kuhn poker loses one chip in eighteen games."""
    found = solve_game(program_of(library.find_game("kuhn_poker")), MOST_SOLVED)
    assert found is not None and found.low <= -1 / 18 <= found.high < found.low + 1e-3 and found.fair == 0


SEALED = """
format: 1
name: Bid
players: 2
rules:
  game: |
    each p in players chooses bid from 0..4 "Bid?"
    let best = max(bid[p] for p in players)
    win players where bid[it] is best
"""


def test_two_who_know_the_same_are_still_two(tmp_path: Path) -> None:
    """Both know nothing but the rules, and may answer the same: the question is another one all the same."""
    (tmp_path / "rulebook.yaml").write_text(SEALED, encoding="utf-8")
    program = program_of(tmp_path)
    found = solve_game(program, MOST_SOLVED)
    assert found is not None and found.low <= 0.5 <= found.high < found.low + 1e-3
    game = Game(program, 1, watch=False)
    assert game.decision is not None
    for ask in game.decision.asks:
        for seed in range(4):
            bot = make_bot("ismcts:50", seed, ask.seat)
            assert bot.answer(game.machine, game.state, ask) == [ask.keys[4]]


@pytest.mark.slow
def test_tic_tac_toe_is_drawn() -> None:
    assert solve_game(program_of(library.find_game("tic_tac_toe")), MOST_SOLVED) == Solution(0.5, 0.5, 0.5)


@pytest.mark.parametrize("game", ["wallet", "leduc_poker", "goofspiel"])
def test_what_is_too_large_is_not_solved(game: str) -> None:
    assert solve_game(program_of(library.find_game(game)), MOST_SOLVED) is None
    assert solve_game(program_of(NIM, stones=40), 20) is None


def test_a_game_that_need_not_end_is_not_solved(tmp_path: Path) -> None:
    """Who ends it loses, so nobody does."""
    rules = """
format: 1
name: Waiting
players: 2..2
memory: {table: {waited: no}}
rules:
  game: |
    loop:
      each me in players:
        choose one:
          "Wait":
            set waited = yes
          "Lose":
            win me.left
"""
    (tmp_path / "rulebook.yaml").write_text(rules, encoding="utf-8")
    assert solve_game(program_of(tmp_path), MOST_SOLVED) is None


def join(solution: Solution | None) -> Report:
    """A report of two levels, of which the better one shows that the first seat wins 60.5 of 100."""
    plan = plan_of(load_game(NIM), 2, 1, {"stones": 12})
    result = play(plan, 60)
    report = report_of(Tally.of(plan, result.told()), result.table.program)
    first = next(line for line in report.lines if line.about == Seat(1))
    shown = evolve(first, mark=LOOK, won=0.605, won_low=0.57, won_high=0.64, fair=0.5)
    lines = [evolve(shown, value=0.105, low=0.08, high=0.13, sure_low=0.07, sure_high=0.14)]
    better = evolve(report, lines=lines)
    levels = [Level(name, name, 60, 1.0, "", one) for name, one in (("random", report), ("search", better))]
    return join_reports(levels, [], str, solution=solution)


def test_the_solution_has_the_last_word() -> None:
    """Where search errs, what it wins says nothing of best play."""
    assert "Among the best players, seat 1 wins too often: 61 of 100" in find_headline(join(None), str)
    solved = join(Solution(0.4985, 0.4995, 0.5))
    said = "This game is solved: if nobody errs seat 1 wins 49.9 of 100, where 50.0 would be fair"
    assert find_headline(solved, str).startswith(said)
    fair = next(answer_questions(solved, str))
    assert fair.mark == FINE and fair.lines[0].startswith(said)
    assert fair.lines[1].startswith("Only among players who search seat 1 wins too often: 60.5 of 100")


def test_an_unfair_game_is_said_to_be_one() -> None:
    """Those who play badly need not show it."""
    solved = join(Solution(0.7, 0.7, 0.5))
    fair = next(answer_questions(solved, str))
    assert fair.mark == LOOK and "70.0 of 100, where 50.0 would be fair" in find_headline(solved, str)
