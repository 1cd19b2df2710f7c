"""Several levels of play are one page: what holds at all, what only under good play, and how good the players are."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner
from learning_little import learn_little
from paths import DATA
from shipped import load_game
from simulating import make_line, make_rung

from rulebook import library
from rulebook.cli import main
from rulebook.commands import series
from rulebook.interpreter.lower import lower
from rulebook.playtest.bots.knowledge import Standing
from rulebook.playtest.bots.small import play_search
from rulebook.playtest.series import levels
from rulebook.playtest.series.levels import (
    NAMES,
    SKILLS,
    BestResponse,
    find_worthy,
    join_ladders,
    list_parts,
    play_parts,
)
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import find_visible_sizes, judge_series
from rulebook.playtest.small_games.best_response import Strategy, find_gain, play_random
from rulebook.reporting.merging import merge_rows, word_merged
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _learn_little(monkeypatch: pytest.MonkeyPatch) -> None:
    learn_little(monkeypatch, 200)


ODDS = str(DATA / "series" / "odds")
NIM = str(DATA / "solved" / "nim")
KUHN, LEDUC, WALLET = map(library.find_game, ("kuhn_poker", "leduc_poker", "wallet"))


MERGED = {
    "everywhere": (
        (LOOK, LOOK, LOOK),
        (0.1, 0.2, 0.3),
        NAMES[1:],
        LOOK,
        "It is so, at every level of play asked: +30 among",
    ),
    "good play": (
        (FINE, FINE, LOOK),
        (0.0, 0.0, 0.3),
        NAMES[1:],
        LOOK,
        "Only among the best players, it is so: +30 among",
    ),
    "open below": (
        (OPEN, OPEN, LOOK),
        (0.0, 0.0, 0.3),
        NAMES[1:],
        LOOK,
        "Among the best players, it is so: +30 among",
    ),
    "random only": (
        (LOOK, FINE, FINE),
        (0.3, 0.0, 0.0),
        NAMES[1:],
        FINE,
        "Only among random players it is so: +30; not",
    ),
    "random most": (
        (LOOK, FINE, FINE),
        (0.3, 0.0, 0.1),
        NAMES[1:],
        FINE,
        "Enough to notice only among random players, it is so: +30; +10 among those who search",
    ),
    "random, greedy": ((LOOK, LOOK, FINE), (0.3, 0.3, 0.0), NAMES[1:], FINE, "Only among greedy players it is so: +30"),
    "search is open": ((LOOK, LOOK, OPEN), (0.3, 0.2, 0.1), NAMES[1:], LOOK, "It is so: +20 among greedy players; +30"),
    "good is open": ((LOOK, OPEN, OPEN), (0.3, 0.2, 0.1), NAMES[1:], OPEN, "Among random players it is so: +30; +10"),
    "nobody is good": ((LOOK, FINE, FINE), (0.3, 0.0, 0.0), (), OPEN, "Among random players it is so: +30; +0 among"),
    "greedy is no good": (
        (FINE, LOOK, FINE),
        (0.0, 0.3, 0.0),
        ("search",),
        FINE,
        "Only among greedy players it is so",
    ),
    "turns": ((LOOK, FINE, LOOK), (0.3, 0.0, -0.2), NAMES[1:], LOOK, "It turns with skill. Among random players it is"),
    "nothing": ((FINE, FINE, FINE), (0.0, 0.0, 0.0), NAMES[1:], FINE, ""),
    "good is nothing": ((OPEN, OPEN, FINE), (0.0, 0.0, 0.0), NAMES[1:], FINE, ""),
    "open": ((FINE, FINE, OPEN), (0.0, 0.0, 0.0), NAMES[1:], OPEN, ""),
    "facts": ((FACT, FACT, FACT), (0.3, 0.3, 0.3), NAMES[1:], FACT, ""),
}


@pytest.mark.parametrize(("marks", "values", "worthy", "mark", "said"), MERGED.values(), ids=MERGED)
def test_good_players_have_the_last_word(
    marks: tuple[str, ...], values: tuple[float, ...], worthy: tuple[str, ...], mark: str, said: str
) -> None:
    rows = {name: make_line(*both) for name, both in zip(NAMES, zip(marks, values, strict=True), strict=True)}
    found = merge_rows(rows, worthy)
    assert found.mark == mark
    if said:
        sentence = word_merged(found, rows, lambda _: "it is so", lambda one: f"{100 * one.value:+.0f}", "")
        assert sentence.startswith(said) and sentence.endswith(".")


def test_what_only_random_players_show_is_never_a_look() -> None:
    assert merge_rows({"random": make_line(LOOK)}, ()).mark == OPEN
    for other in (OPEN, FINE):
        assert merge_rows({"random": make_line(LOOK), "greedy": make_line(other, 0.0)}, ("greedy",)).mark != LOOK


def lens(*words: str) -> dict[str, Any]:
    ran = CliRunner().invoke(main, [*words, "--seed", "1", "--jobs", "1", "--json"])
    assert ran.exit_code == 0, ran.output
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_the_time_settles_only_how_many() -> None:
    """At each level the games are those of `--bots`, and its command gives them again."""
    found = lens("simulate", "kuhn_poker", "--lens", "100", "--games", "40")
    assert [one["games"] for one in found["levels"]] == [40, 40, 40]
    greedy = found["levels"][1]["report"]
    again = lens(*greedy["command"].replace("rulebook ", "").replace(" --seed 1", "").split())
    assert (again["wins"], again["length"]) == (greedy["wins"], greedy["length"])


def test_pieces_change_nothing() -> None:
    plan = plan_of(load_game(KUHN), 2, 1, bots=("greedy", "random"))
    assert [*play(plan, 10, piece=3).played()] == [*play(plan, 10).played()]


def say(*words: str) -> str:
    ran = CliRunner().invoke(main, [*words, "--seed", "1", "--jobs", "1"])
    assert ran.exit_code == 0, ran.output
    assert all(len(line) < 80 for line in ran.stdout.splitlines() if "rulebook" not in line)
    return " ".join(ran.stdout.split())


def test_what_is_chance_holds_however_well_it_is_played() -> None:
    said = say("compare", ODDS, "--set", "low=9", "--lens", "600", "--games", "100")
    assert said.startswith(
        "Odds as it is and with low=9: 2 players, seed 1 100 deals of random players (they take any answer), 100 of "
        "greedy players (they take what looks best at once), 100 of players who search (ismcts:200; they try "
        "answers out in imagined games). "
    )
    assert (
        "With how many numbers of ten the favourite wins. As it is: 6. Changed: 9. "
        "CHANGE Wins? Seat 1 wins more among players who search: from 58.0 to 85.0 of 100, and so at all levels of "
        "play. "
    ) in said
    assert "Wins? Seat 1 wins, players who search: from 58.0 to 85.0 of 100, +27.0 (+13.1 to +39.8)." in said
    assert f"rulebook compare {ODDS} --players 2 --set low=9 --seed 1 --lens 600 --games 100" in said
    assert "too few games to show that it plays better." in said
    assert f"rulebook compare {ODDS} --players 2 --bots greedy --set low=9 --seed 1 --games 100" in said


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small games are not solved: they stand for larger ones."""
    monkeypatch.setattr(series, "solve_game", lambda *_: None)


@pytest.mark.usefixtures("unsolved")
def test_what_is_skill_holds_only_under_good_play() -> None:
    """Who begins with eight stones has lost, if the other one knows how to play."""
    said = say("simulate", NIM, "--set", "stones=8", "--lens", str(levels.LEARNING_PAYS - 1), "--games", "20")
    shown = "Among the best players, seat 2 wins too often: 100.0 of 100 (64.0 to 100.0) among players who search"
    assert shown in said
    assert "too few games among random ones" in said


def test_those_who_learned_speak_where_they_play_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card is strong for who keeps it to the end; where nothing is to be learned nobody who learned is asked."""
    monkeypatch.setattr(levels, "_SHARES", {name: one for name, one in levels._SHARES.items() if "search" not in name})
    late = DATA / "learning" / "late"
    said = say("simulate", str(late), "--players", "4", "--lens", "600", "--details", "--games", "400")
    assert "Among the best players, a player dealt Phoenix wins too often: " in said
    assert " among players who learned" in said and "A player who learned among greedy ones wins " in said
    assert "who learned" not in say("simulate", ODDS, "--lens", "600", "--games", "20")


def test_skill_is_compared_by_both_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins with one stone takes it, and wins, however they play."""
    monkeypatch.setattr(levels, "_SHARES", {name: one for name, one in levels._SHARES.items() if "search" not in name})
    words = "compare", NIM, "--set", "stones=1", "--lens", "600", "--games", "100"
    greedy = next(one for one in lens(*words)["ladder"] if one["level"] == "greedy")
    assert greedy["games"] == 100 and greedy["difference"]["high"] < 0
    said = say(*words)
    assert "CHANGE Skill?" in said and "with the change 50.0, −31.0 (" in said


@pytest.mark.usefixtures("unsolved")
def test_each_level_says_what_it_can() -> None:
    """Of a few games a range would say nothing, and no more is said of them."""
    said = say("simulate", KUHN.name, "--lens", "600", "--games", "30")
    assert (
        "30 games at each level of play are too few to say of a seat." in said
        and "would still fit" not in said
        and "OPEN Fair? Not known yet whether it is fair: 30 games are too few to say." in said
    )
    more = say("simulate", ODDS, "--set", "low=5", "--lens", "600", "--games", "300")
    assert (
        "OPEN Fair? Not known yet whether it is fair: a seat could be off by up to 10" in more
        and "No seat stands out: each may still be off its share by up to 9.1 of 100 at each level of play." in more
    )
    assert "With about 1,100 more games of players who search this would be known to ±4.0." in more
    assert "no better: greedy players are no evidence of good play" in more


def test_what_good_players_do_otherwise() -> None:
    """Who searches always bets on gold, whoever is dealt a king in poker gets more at all levels."""
    said = say("simulate", str(ODDS).replace("odds", "worth"), "--lens", "--details", "--games", "120")
    assert "Chosen of 100 times that it was offered, by players who search and by random ones: Gold 100 and 38" in said
    assert "Red" not in said.partition("Chosen of 100")[2].partition("wins by level")[0]
    assert "times offered times chosen random greedy search" in said
    poker = lens("simulate", "kuhn_poker", "--lens", "--details", "--games", "200")
    [king] = [one for one in poker["lens"] if one["about"] == "dealt:king"]
    assert king["mark"] == "look" and [*king["levels"]] == [*NAMES]
    assert king["says"].startswith("A player dealt King gets too much, at every level of play asked: 1.")


def test_what_only_random_players_do_badly_is_not_weak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who knows how to turn the key wins nearly always; random players never open the door with it."""
    monkeypatch.setattr(levels, "_SHARES", {name: one for name, one in levels._SHARES.items() if "search" not in name})
    words = "simulate", str(DATA / "series" / "key"), "--lens", "600", "--games", "300"
    assert "Key: never opens" in say(*words[:2], "--games", "300", "--details")
    said = say(*words, "--details")
    turns = "It turns with skill. Among random players a player dealt Key wins too seldom: 8.5 of 100 "
    assert turns in said.partition("Fair?")[0]
    assert "; 83 of 100 (" in said.partition("among greedy ones")[0]
    assert "was not counted" not in said
    assert "fact Dead? All that came up often was played, chosen or met. " in said
    assert "All that came up often was played, chosen or met; 12 of 37" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bots", "greedy"], "leave out --bots"),
        (["--assert", "seat_gap < 1"], "so --assert might hold on one computer only: leave out --lens"),
        (["--each-card"], "leave out --lens, and say which, as in --bots greedy --each-card."),
        (["--until", "0.1"], "leave out --until"),
        (["--lens", "soon"], "'soon' is no number of seconds"),
    ],
)
def test_what_has_no_meaning_beside_the_lens(words: list[str], said: str) -> None:
    ran = CliRunner().invoke(main, ["simulate", "kuhn_poker", "--lens", *words])
    assert ran.exit_code == 2 and said in ran.stderr


def test_each_level_has_its_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a game takes too long nothing is played, and that is said; what is left is for the others."""
    plan = plan_of(load_game(KUHN), 2, 1)
    paces = {"random": 0.001, "greedy": 0.01, "search": 500.0}
    monkeypatch.setattr(levels, "_try_out", lambda part, *_: (0.0, paces[part.name.partition(" ")[0]]))
    asked = dict[str, tuple[int, int]]()

    def note(part: levels.Part, _: Any, games: int, jobs: int, ends: float) -> Any:
        asked[part.name] = games, jobs
        return None

    done = list(play_parts(list_parts(plan), 100, 2, 10_000, note, lambda *_: None))
    assert list(asked) == ["random", "greedy", "greedy among random"]
    assert [one.part.name for one in done if not one.played] == ["search among greedy", "search"]
    assert asked["random"] == (5500, 2) and 2000 < asked["greedy"][0] < 4000
    # One with twice the time plays more.
    list(play_parts(list_parts(plan), 200, 2, 10_000, note, lambda *_: None))
    assert asked["random"][0] == 10_000


def test_a_shorter_game_gets_more_thought() -> None:
    budgets = [levels.choose_search(plan_of(load_game(game), 2, 1)) for game in (KUHN, WALLET)]
    assert budgets == ["ismcts:200", "ismcts:20"]


def test_a_bot_that_beats_nobody_is_no_evidence() -> None:
    better = make_rung("", "greedy", "", "", 9, 0.6, 0.5, 0.7, 0.25, 0.04, beats=True)
    worse = evolve(better, level="search", beats=False)
    assert find_worthy(NAMES, [better, worse]) == ["greedy"]
    solved = BestResponse("search", "search", "", 0.04, "wins", 0.003)
    assert find_worthy(NAMES, [better, worse, solved]) == [*NAMES[1:]]
    # Who plays alone beats nobody.
    assert find_worthy(NAMES, []) == [*NAMES[1:]]


def test_the_trial_of_who_learned_is_evidence() -> None:
    """It has more games than there is time for otherwise, and need not be asked again."""
    standings = [Standing("learned", against, 120, won, 30_000, won, False) for against, won in TRIAL.items()]
    plan = plan_of(load_game(WALLET), 4, 1)
    trial = [*levels._rank_learned(plan, standings)]
    assert [(rung.name, rung.won, rung.fair, rung.beats) for rung in trial] == [
        ("learned among random", 0.6, 0.25, True),
        ("learned among greedy", 0.3, 0.25, False),
    ]
    few = evolve(trial[1], games=12, won=0.5, low=0.0, high=1.0)
    greedy = evolve(trial[1], name="greedy among random", level="greedy", games=400)
    assert join_ladders(trial, [greedy, few]) == [greedy, *trial]
    assert join_ladders([few], [trial[1]]) == [trial[1]]
    assert find_worthy(SKILLS, join_ladders(trial, [greedy])) == ["learned"]
    assert find_worthy(SKILLS, join_ladders(trial[1:], [greedy])) == []
    names = [part.name for part in list_parts(plan, trial=trial)]
    assert names[-1] == "learned" and "learned among greedy" in names, "that they beat these is not shown yet"
    sure = [trial[0], evolve(trial[1], beats=True)]
    assert "learned among greedy" not in [part.name for part in list_parts(plan, trial=sure)]
    assert "learned among greedy" in [part.name for part in list_parts(plan, plan, trial=sure)], "by both rules"
    paid = [evolve(one, is_paid=True) for one in standings]
    assert not [*levels._rank_learned(plan, paid)], "it counts otherwise there"


TRIAL = {"random": 72_000, "greedy": 36_000}
"""Wins in thousandths, of 120 games of four."""


def test_levels_of_one_page_share_its_error() -> None:
    result = play(plan_of(load_game(KUHN), 2, 1), 100)
    tally = Tally.of(result.plan, result.told())
    sizes = [find_visible_sizes(judge_series(tally, result.table.program, pages), tally.at_stake) for pages in (1, 3)]
    assert sizes[1]["seat"] > 1.05 * sizes[0]["seat"]


@pytest.mark.parametrize(
    ("game", "shares", "gain"),
    # OpenSpiel gives twice as much for uniform play, which is that of both seats: 0.9167 and 4.7472.
    [(KUHN, play_random, 11 / 24), (LEDUC, play_random, 2.373611)],
)
def test_the_best_response_is_exact(game: Path, shares: Strategy, gain: float) -> None:
    found = find_gain(lower(load_game(game), 2), 2000, shares)
    assert found is not None and found == pytest.approx(gain, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "most"), [(KUHN, 0.001), (LEDUC, 0.1)])
def test_who_knows_what_was_learned_gains_little(game: Path, most: float) -> None:
    """In chips, of which a player pays one for each deal. In Leduc poker it is what forgetting who raised costs."""
    found = find_gain(lower(load_game(game), 2), 2000, play_search(200))
    assert found is not None and found < most


MANY_SETS = """
format: 1
name: Ten stones
players: 2..2
kinds: {stone: {}}
places: {table: {heap: {holds: stone, kept: loose, seen_by: everyone}}}
cards: {%s}
rules:
  game: |
    move cards to heap
    do turn(first(players))
  turn(me): |
    choose any number of mine from heap so that count(mine) is 1
    if any(mine where it is stone_7):
      win first(players)
    win last(players)
"""


def test_of_many_sets_the_few_that_may_be_chosen_are_all_known(tmp_path: Path) -> None:
    rules = MANY_SETS % ", ".join(f"stone_{number}: {{kind: stone}}" for number in range(10))
    (tmp_path / "rulebook.yaml").write_text(rules, encoding="utf-8")
    # Who chooses wins for certain, if it knows how; against who chooses at random it is nine times in ten the other.
    assert find_gain(lower(load_game(tmp_path), 2), 2000, play_random) == pytest.approx((1 + 0.8) / 4)


def test_no_best_response_where_there_is_too_much() -> None:
    assert find_gain(lower(load_game(LEDUC), 2), 1000, play_random) is None
    assert find_gain(lower(load_game(WALLET), 3), 1000, play_random) is None


def test_small_games_say_what_can_be_gained() -> None:
    said = say("simulate", "kuhn_poker", "--lens", "--games", "20")
    assert (
        "Who knows how they play gains at best 0.46 chips a game from random, next to nothing from search (ismcts:200)"
        in said
    )


def test_a_table_of_games_has_those_of_all_levels(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    say("simulate", ODDS, "--lens", "29", "--games", "10", "--export", str(table))
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    games = {bot: {row["number"] for row in rows if row["bot"] == bot} for bot in {row["bot"] for row in rows}}
    assert {*games} == {"random", "greedy", "ismcts:200"} and all(len(numbers) == 10 for numbers in games.values())
    # The same deals at each level.
    assert len({(row["number"], row["seed"]) for row in rows}) == 10 and len(rows) == 3 * 2 * 10
