"""The chances of small games are what can be reckoned, and noise decides nothing."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import comb, sqrt
from pathlib import Path
from statistics import fmean, median_high

import pytest
from attrs import evolve
from click.testing import CliRunner
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.commands.series import tell_account
from rulebook.dsl import ir
from rulebook.examples import of_its_own
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.options import list_options
from rulebook.playtest.series import course
from rulebook.playtest.series.bulk import Bulk
from rulebook.playtest.series.course import (
    Effort,
    FollowedGame,
    Told,
    Weighed,
    follow,
    follow_games,
    tell_course,
    weigh,
)
from rulebook.playtest.series.forking import Shares, Stop, draw_seeds, stop_at, visit
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.table import Table
from rulebook.reporting.course import (
    _join_news,
    _tell_steps,
    classify,
    find_unasked,
    report_course,
    report_stakes,
    sample_dull,
)
from rulebook.reporting.course_words import word_leaders
from rulebook.reporting.figures import draw_course
from rulebook.statistics.chances import (
    Moment,
    count_lead_changes,
    find_decided,
    is_comeback,
    is_never_behind,
    measure_drama,
    measure_largest_step,
    measure_uncertainty,
)
from rulebook.statistics.spreads import find_range_reach, measure_spread

pytestmark = pytest.mark.slow

# A race to three points. A coin decides who has the next one, whatever is called.
RACE = """
format: 1
name: A race
players: 2..2
memory: {player: {points: 0}}
rules:
  game: |
    loop:
      each me in players:
        me chooses one "Call it.":
          "Heads":
            add 0 to me.points
          "Tails":
            add 0 to me.points
        do toss(me)
  toss(me): |
    pick side from 1..2 at random
    if side is 1:
      do score(me)
    else:
      each other in players where other is not me:
        do score(other)
  score(p): |
    add 1 to p.points
    if p.points >= 3:
      win p
"""
# The same, where each call has a coin of its own.
COINS = RACE.replace("        do toss(me)\n", "")
COINS = COINS.replace("add 0 to me.points", "do heads(me)", 1).replace("add 0 to me.points", "do tails(me)")
COINS = COINS.replace("toss(me)", "heads(me)")
COINS += (
    COINS[COINS.index("  heads(me): |") : COINS.index("  score(p)")].replace("heads", "tails").replace("side", "face")
)
# One decision settles everything; three others settle nothing.
DUEL = """
format: 1
name: A duel
players: 2..2
memory: {player: {points: 0}}
rules:
  game: |
    each me in players where me is not first(players):
      repeat 3:
        me chooses one "Say something.":
          "Yes":
            add 0 to me.points
          "No":
            add 0 to me.points
    each me in players:
      me chooses one "Which cup?":
        "Poison":
          each other in players where other is not me:
            win other
        "Water":
          win me
"""
PRESS = """each me in players:
      me chooses one "Ready?":
        "Go"
"""
# One answer is better than the other by so many games of a hundred.
ODDS = """
format: 1
name: Odds
players: 2..2
rules:
  game: |
    each me in players:
      me chooses one "Which one?":
        "Good":
          do good(me)
        "Bad":
          do bad(me)
  good(me): |
    pick number from 1..100 at random
    if number <= 50 + GAIN:
      win me
    do lose(me)
  bad(me): |
    pick number from 1..100 at random
    if number <= 50:
      win me
    do lose(me)
  lose(me): |
    each other in players where other is not me:
      win other
"""


@cache
def table_of(text: str, tier: str = "core", seed: int = 1) -> Table:
    rulebook, found = of_its_own(text)
    assert rulebook is not None, found
    return Table(plan_of(rulebook, rulebook.players[0], seed, {}, tier=tier))


@cache
def table_for(game: str, players: int, tier: str = "core", bots: tuple[str, ...] = ("random",)) -> Table:
    rulebook = load_game(library.find_game(game))
    options = {name: option.default for name, option in rulebook.options.items()}
    return Table(plan_of(rulebook, players, 1, options, bots, tier=tier))


def look_at(table: Table, number: int, games: int) -> list[tuple[State, Shares]]:
    """Every decision of a game, and the chances there."""

    def look(stop: Stop) -> tuple[State, Shares]:
        shares = stop.play_on(draw_seeds(7, f"{number}:{stop.at}", games), None)
        return stop.find_state(), tuple(map(fmean, zip(*shares, strict=True)))

    return visit(table, number, range, look).seen


def is_near(chance: float, true: float, games: int) -> bool:
    """Four deviations are too far, and of what is sure any."""
    return abs(chance - true) <= 4 * sqrt(true * (1 - true) / games)


def reckon_race(mine: int, yours: int) -> float:
    """The chance of who needs so many points more than the other needs."""
    tosses = mine + yours - 1
    return sum(comb(tosses, heads) for heads in range(mine, tosses + 1)) / 2**tosses


# ── chances ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("tier", ["core", "machine"])
def test_chances_in_a_race_are_what_is_reckoned(tier: str) -> None:
    table, games = table_of(RACE, tier), 4000 if tier == "core" else 300
    points = table.program.layout.player_memory["points"].slot
    seen = [one for number in range(4) for one in look_at(table, number, games)]
    assert len({(state[points], state[points + 1]) for state, _ in seen}) > 5
    for state, (mine, yours) in seen:
        true = reckon_race(3 - state[points], 3 - state[points + 1])
        assert is_near(mine, true, games) and is_near(yours, 1 - true, games), (state[points : points + 2], mine)


def reckon(machine: Machine, state: State) -> list[float]:
    """The chances of all seats where nothing is left to chance but what is answered at random."""
    here = state[:]
    if machine.advance(here) is None:
        won = find_outcome(machine.program, here).winners
        return [(seat in won) / max(1, len(won)) for seat in range(machine.program.players)]
    [seat] = machine.find_waiting(here)
    found = machine.find_choices(here, seat)
    after = []
    for value in found.values:
        one = here[:]
        machine.answer_value(one, seat, value)
        after.append(reckon(machine, one))
    return list(map(fmean, zip(*after, strict=True)))


def test_chances_at_the_end_of_tic_tac_toe_are_what_is_reckoned() -> None:
    table, games = table_for("tic_tac_toe", 2), 4000
    for number in range(4):
        for state, chances in look_at(table, number, games)[4:]:
            true = reckon(table.machine, state)
            assert all(is_near(one, other, games) for one, other in zip(chances, true, strict=True))


def test_chance_that_has_come_stays_and_chance_to_come_is_new() -> None:
    """Whoever goes on from one state with two seeds meets the same cards, and other coins."""
    [state, *_] = [state for state, _ in look_at(table_of(RACE), 0, 1)]
    won = stop_at(table_of(RACE), state, 0, 0).play_on(draw_seeds(1, "some", 200), None)
    assert 0.3 < fmean(first for first, _ in won) < 0.7
    seeds = array("Q", [5] * 20)
    assert len(set(stop_at(table_of(RACE), state, 0, 0).play_on(seeds, None))) == 1


# ── the same digits ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("game", "players", "bots"),
    [("wallet", 4, ("random",)), ("wrong_party", 4, ("random",)), ("kuhn_poker", 2, ("greedy", "random"))],
)
def test_core_and_machine_see_the_same(
    game: str, players: int, bots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("PLAYOUTS", 4), ("TRIES", 4), ("ANSWERS", 3)):
        monkeypatch.setattr(course, name, value)
    found = [list(follow(table_for(game, players, tier, bots), 2, Effort(2, 2))) for tier in ("core", "machine")]
    assert table_for(game, players, "core", bots).core is not None
    assert found[0] == found[1] != []
    assert found[0][0].weighed


def test_a_game_is_the_same_among_more_games_and_whoever_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_for("tic_tac_toe", 2)
    few = list(follow_games(table, 2))
    assert few == list(follow_games(table, 4, jobs=2))[:2]
    # What a game cost is known from the game, so it is the same games that are cheap enough, whoever plays them.
    monkeypatch.setattr(course, "_BUDGET", 50_000)
    cheap = list(follow_games(table, 4))
    assert 1 < len(cheap) < 4 and cheap == list(follow_games(table, 4, jobs=2))


# ── stakes ───────────────────────────────────────────────────────────────────────────────────────


def weigh_all(table: Table, games: int) -> list[Weighed]:
    """Every decision of some games, weighed."""
    return [
        one
        for number in range(games)
        for one in visit(table, number, range, lambda stop: weigh(table, stop, table.plan.seed_of(number))).seen  # noqa: B023
    ]


def test_where_all_answers_are_alike_noise_makes_none_interesting() -> None:
    weighed = weigh_all(table_of(COINS), 60)
    assert len(weighed) > 200
    kinds = [classify(one) for one in weighed]
    assert kinds.count("indifferent") >= 0.97 * len(kinds)
    sizes = [one.spread.size for one in weighed if one.spread is not None]
    assert any(sizes), "the answers did not share all of their chance"
    assert abs(fmean(sizes)) < 0.02, "who is chosen for being far apart is measured anew"


def test_what_decides_is_decisive_and_the_rest_is_not() -> None:
    weighed = weigh_all(table_of(DUEL), 10)
    found = {one.prompt: {classify(other) for other in weighed if other.prompt == one.prompt} for one in weighed}
    assert found == {"Say something.": {"indifferent"}, "Which cup?": {"decisive"}}
    assert {one.spread.size for one in weighed if one.prompt == "Which cup?" and one.spread} == {1.0}


@pytest.mark.parametrize(("gain", "wanted"), [(0, "indifferent"), (18, "interesting"), (45, "decisive")])
def test_sizes_are_told_apart(gain: int, wanted: str) -> None:
    table = table_of(ODDS.replace("GAIN", str(gain)))
    weighed = weigh_all(table, 40)
    kinds = [classify(one) for one in weighed]
    # Of those of 18 games of 100 a few are not seen, and a few look like 25.
    assert kinds.count(wanted) >= (28 if wanted == "interesting" else 36), kinds
    spreads = [one.spread for one in weighed if one.spread is not None]
    assert fmean(one.size for one in spreads) == pytest.approx(gain / 100, abs=0.04)
    assert 0.15 < fmean(one.seen for one in spreads) < 0.25


def test_a_difference_as_large_as_would_be_seen_is_seen() -> None:
    seen = weigh_all(table_of(ODDS.replace("GAIN", "0")), 20)
    size = fmean(one.spread.seen for one in seen if one.spread is not None)
    weighed = weigh_all(table_of(ODDS.replace("GAIN", str(round(100 * size)))), 100)
    assert 80 <= sum(classify(one) != "indifferent" for one in weighed) <= 97


def test_the_range_of_many_is_that_of_the_tables() -> None:
    # H. L. Harter, Tables of range and studentized range, Ann. Math. Statist. 31 (1960).
    for many, wrong, table in ((2, 0.05, 2.772), (3, 0.05, 3.314), (10, 0.05, 4.474), (5, 0.01, 4.603)):
        assert find_range_reach(many, wrong) * sqrt(2) == pytest.approx(table, abs=0.002)


def test_what_never_differs_is_not_sure_to_differ_for_one_case() -> None:
    same = [1.0, 0.0] * 50
    assert not measure_spread([same, same]).is_shown
    assert not measure_spread([same, [0.0, *same[1:]]]).is_shown
    assert measure_spread([[1.0] * 100, [0.0] * 100]).is_shown


def test_rows_add_up_to_all_decisions() -> None:
    courses = [one for number in range(6) for one in follow(table_of(DUEL), number)]
    total, *rows = report_stakes(courses)
    assert total.total and total.decisions == sum(row.decisions for row in rows) == 24
    assert [row.name for row in rows] == ["Which cup?", "Say something."]
    assert (total.decisive, total.indifferent, total.forced) == (0.25, 0.75, 0.0)
    assert [row.a_game for row in rows] == [1.0, 3.0] and total.a_game == 4
    assert find_unasked(courses) == 0
    assert sample_dull(courses).value == 0.75
    silent = [evolve(one, unasked=4) for one in courses]
    assert find_unasked(silent) == 0.5 and sample_dull(silent).value == 0.875
    assert report_stakes(silent)[0].forced == 0.5


def test_who_presses_a_button_decides_nothing() -> None:
    asked = "    each me in players:\n      me chooses"
    pressed = DUEL.replace(asked, f"    {PRESS}\n{asked}")
    table = table_of(pressed)
    courses = [one for number in range(6) for one in follow(table, number)]
    assert [one.decisions for one in courses] == [6] * 6 and sum(one.buttons for one in courses) == 12
    total, *rows = report_stakes(courses)
    assert [row.name for row in rows] == ["Which cup?", "Say something."] and total.forced == 0
    assert [row.a_game for row in rows] == pytest.approx([1, 3]) and total.a_game == pytest.approx(4)
    assert find_unasked(courses) == 0
    events = [table.noticed(0)[seat] for seat in range(2)]
    assert sum("button" in event.facts for noticed in events for event in noticed) == 4  # two, told to both
    assert not {one for one in list_options(table.program) if "Go" in one}


# ── the course ───────────────────────────────────────────────────────────────────────────────────


def moments_of(*chances: float, games: int = 400) -> list[Moment]:
    """The course of a game of two, by the chance of the first seat, which wins."""
    found = [Moment(at / len(chances), (one, 1 - one), (one, 1 - one), games) for at, one in enumerate(chances)]
    return [*found, Moment(1.0, (1.0, 0.0), (1.0, 0.0), 0)]


def test_a_game_is_decided_when_its_winner_is_ahead_and_stays_the_favourite() -> None:
    assert find_decided(moments_of(0.5, 0.3, 0.7, 0.2, 0.9), 0) == 0.8
    assert find_decided(moments_of(0.5, 0.7, 0.8, 0.6, 0.9), 0) == 0.2
    # What may be noise is no lead.
    assert find_decided(moments_of(0.5, 0.51, 0.55, 0.53, 0.9), 0) == 0.8
    assert find_decided(moments_of(0.5, 0.7, 0.49, 0.6, 0.9), 0) == 0.6
    assert find_decided(moments_of(0.5, 0.5), 0) == 1.0
    assert is_never_behind(moments_of(0.5, 0.49, 0.7), 0) and not is_never_behind(moments_of(0.5, 0.3, 0.7), 0)


# Nothing that is said matters; what comes before or behind it does.
TALK = """
format: 1
name: Talk
players: 3..4
memory: {player: {said: 0}}
rules:
  game: |
    repeat 3:
      each me in players:
        me chooses one "Say something.":
          "Yes":
            add 1 to me.said
          "No":
            add 0 to me.said
"""
DRAW, WIN = "    pick lucky from players at random\n", "    win lucky\n"
KING = TALK + """    pick king from players at random
    king chooses heir from players where it is not king "Who shall win?"
    win heir
"""


@pytest.mark.parametrize(
    ("text", "before_half", "in_last_tenth"),
    [(TALK + DRAW + WIN, 0, 1), (TALK.replace("    repeat", f"{DRAW}    repeat") + WIN, 1, 0)],
    ids=["the winner is drawn last", "at the deal"],
)
def test_a_game_is_decided_where_chance_decides_it(text: str, before_half: float, in_last_tenth: float) -> None:
    table = table_of(text)
    report = report_course([one for number in range(40) for one in follow(table, number)], table, tell_account)
    assert (report.before_half.share, report.in_last_tenth.share) == (before_half, in_last_tenth)
    assert report.never.share > 0.9


def test_measures_of_a_course() -> None:
    turned = moments_of(0.5, 0.8, 0.3, 0.48, 0.1, 0.9)
    assert count_lead_changes(turned) == 2
    assert measure_drama(turned, 0) == pytest.approx(0.8)
    assert measure_largest_step(turned) == pytest.approx(0.8)
    assert is_comeback(turned, 0) and not is_comeback(moments_of(0.5, 0.3, 0.9), 0)
    assert measure_uncertainty(moments_of(0.5, 0.5)) == pytest.approx(1.0, abs=0.01)
    assert measure_uncertainty(moments_of(1.0, 1.0)) == 0.0
    lopsided = [Moment(0.0, (0.5, 0.5), (0.1, 0.9), 200), Moment(0.5, (0.2, 0.8), (0.5, 0.5), 200)]
    assert measure_drama(lopsided, 0) == 0.0, "it was farthest behind in the one half, and not in the other"


@pytest.mark.parametrize(
    ("text", "crowned"),
    [
        (KING, 1.0),
        (KING.replace("    win heir\n", DRAW + WIN), 0.0),
        (KING.replace("players where it is not king", "players"), 0.0),
    ],
    ids=["who cannot win decides", "nothing hangs on it", "may take it"],
)
def test_somebody_who_cannot_win_may_decide_who_does(text: str, crowned: float) -> None:
    table = table_of(text)
    courses = [one for number in range(12) for one in follow(table, number)]
    rate = report_course(courses, table, tell_account).crowned
    assert rate is not None and rate.share == crowned
    kinds = {row.name: row for row in report_stakes(courses)}
    assert kinds["Who shall win?"].for_others == crowned and kinds["Say something."].indifferent == 1


def test_a_race_is_never_decided_before_its_last_point_but_one() -> None:
    table = table_of(RACE)
    courses = [one for number in range(30) for one in follow(table, number)]
    report = report_course(courses, table, tell_account)
    assert report.completion == 1 and report.won_alone == report.games == 30
    assert 0.25 <= report.killer_move.value <= 0.5, "from ahead by a point, or from even"
    shown = report.shown
    assert shown is not None
    assert shown.points[-1].chances[shown.winner[0] - 1] == 1.0
    assert [one.at for one in shown.points] == list(range(1, shown.decisions + 2))
    for one in shown.told:
        assert one.text.startswith(f"“Bot {one.decides}: ")
        assert re.search(r" of 100(, and Bot \d is the favourite (now|instead of Bot \d))?\.$", one.text)
        assert abs(one.step) > 0.1
    assert shown.replay.endswith(f"--game {shown.number} --at {shown.told[-1].at}") or shown.told


def test_the_game_that_is_told_is_a_usual_one_and_names_who_leads() -> None:
    table = table_of(RACE)
    courses = [one for number in range(30) for one in follow(table, number)]
    shown = report_course(courses, table, tell_account).shown
    assert shown is not None
    [told] = [one for one in courses if one.number == shown.number]
    changes = [count_lead_changes(one.moments) for one in courses]
    assert count_lead_changes(told.moments) == median_high(changes)
    assert "of 30 games with a single winner it is nearest to the middle. The favourite changes" in shown.why
    lengths = sorted(one.decisions for one in courses)
    assert lengths[7] <= shown.decisions <= lengths[22], "it is in the middle of what games take"
    assert shown.leaders[-1:] == shown.winner and all(a != b for a, b in pairwise(shown.leaders))
    drawn = draw_course(shown)
    assert all(f"Bot {one}" in drawn for one in (1, 2))
    assert word_leaders(evolve(shown, leaders=[2, 4, 1], winner=[1])) == (
        "Bot 2 is ahead first, then Bot 4, then Bot 1, who wins"
    )
    assert word_leaders(evolve(shown, leaders=[2], winner=[1])) == "Bot 2 is ahead, and Bot 1 wins"


def test_what_happened_is_told_in_whole_sentences() -> None:
    news = [
        "  Ana plays Ace.",
        "  Ana is right, because",
        "    met: has an ace",
        "      Ace",
        "  Dealt:",
        "    Ben: King",
        "    Cem: Ten",
    ]
    assert _join_news([*news, "", "Round 2"]) == "Ana plays Ace. Ana is right. Dealt: Ben: King, Cem: Ten."


def test_what_is_asked_has_a_gap_for_whichever_card_came_up() -> None:
    table = table_for("wrong_party", 2)
    assert table.generalize("Which type has Viking Ambassador?") == "Which type has [a card]?"
    assert table.generalize("Whom do you invite?") == "Whom do you invite?"


def test_a_secret_decision_says_who_decided() -> None:
    moments = [Moment(0.5, (0.7, 0.3), (0.7, 0.3), 200), Moment(1.0, (0.0, 1.0), (0.0, 1.0), 0)]
    secret = Told(4, 5, 1, "What do you bid?", "Bid 6", moments[0], "", ())
    [step] = _tell_steps([secret], moments)
    assert step.text == (
        "Bot 2 is asked “What do you bid?”, and answers in secret: “Bid 6”. Bot 1 falls from 70 to 0 of 100, "
        "and Bot 2 is the favourite instead of Bot 1."
    )
    [step] = _tell_steps([evolve(secret, news=("Trick 12 of 13",))], moments)
    assert "and answers: “Bid 6”. “Trick 12 of 13.” Bot 1" in step.text
    [step] = _tell_steps([evolve(secret, news=("Bot 2: Bid 6 → the table",))], moments)
    assert step.text.startswith("“Bot 2: Bid 6 → the table.” Bot 1")


def test_the_command_shows_the_game_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run: Callable[..., str] = lambda *words: CliRunner().invoke(main, list(words)).stdout  # noqa: E731
    words = ["simulate", "tic_tac_toe", "--games", "12", "--seed", "3", "--course"]
    report = json.loads(run(*words, "--json"))
    assert report["stakes"][0]["total"] and report["course"]["games"] == 12
    text = " ".join(run(*words).split())
    assert "of 100 decisions make no difference that could be seen" in text
    assert (
        "before half way, and the favourite from there to the end" in text
        and report["course"]["shown"]["replay"] in text
    )
    keep, replay = (one.split()[1:] for one in report["course"]["shown"]["replay"].split(" && "))
    run(*keep)
    assert f"after {report['course']['shown']['told'][-1]['at']} of" in run(*replay) or "answers" in run(*replay)


def test_dull_decisions_are_the_headline(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(RACE)
    shown = CliRunner().invoke(main, ["simulate", str(tmp_path), "--games", "60", "--seed", "1", "--course"])
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.splitlines()[1].startswith("100 of 100 decisions make no difference that could be seen")
    assert "LOOK  Boring?" in shown.stdout
    (tmp_path / "rulebook.yaml").write_text(DUEL.replace("repeat 3:", "repeat 1:"))
    shown = CliRunner().invoke(main, ["simulate", str(tmp_path), "--games", "60", "--seed", "1", "--course"])
    assert "fact  Boring?   In 50 of 100 decisions the answer was seen to change the" in shown.stdout


def test_without_a_winner_there_is_no_course() -> None:
    rulebook: ir.Rulebook | None
    rulebook, _ = of_its_own(RACE.replace("win p", "set p.points = 0"))
    assert rulebook is not None
    assert not course.has_course(plan_of(rulebook, 2, 1, {}))
    assert not course.has_course(evolve(table_of(RACE).plan, bots=("exec:true", "random")))
    assert course.has_course(table_of(RACE).plan)


def test_courses_can_travel() -> None:
    [one] = follow(table_of(DUEL), 0)
    assert isinstance(one, FollowedGame) and one.winner in (0, 1)


def test_a_decision_is_counted_once_everywhere() -> None:
    """Who picks several cards one after the other makes one decision: games are as long in what is followed, and in the
    one that is told, as in the series."""
    table = table_for("wrong_party", 2)
    played, _ = table.here(range(2))
    lengths = [*played.lengths] if isinstance(played, Bulk) else [one.length for one in played]
    assert len(table.save(0).entries) > lengths[0], "some pick several cards"
    for tier in ("core", "machine"):
        table = table_for("wrong_party", 2, tier)
        stops = visit(table, 0, range, lambda stop: stop.at)
        assert stops.decisions == lengths[0] and stops.seen == [*range(lengths[0])]
    told = tell_course(table_for("wrong_party", 2), 0, tell_account)
    assert [one.number for one in told] == [*range(1, lengths[0] + 1)]
