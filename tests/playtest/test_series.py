"""Series of games: nothing is lost or there twice, nothing depends on who played, and what is said of them is true."""

import csv
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.dsl import ir
from rulebook.dsl.settling.options import settle_options
from rulebook.loading import load
from rulebook.playtest.series.about import Seat
from rulebook.playtest.series.bulk import Bulk
from rulebook.playtest.series.measured import BadQuestion, columns, measures, question
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.record import Played
from rulebook.playtest.series.store import BadStore, Store
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.reporting.changes import answer_changes
from rulebook.reporting.comparing import compared
from rulebook.reporting.page import write_pages
from rulebook.reporting.records import Measured
from rulebook.reporting.report import report_of, worded_points
from rulebook.statistics.intervals import Sample, wilson
from rulebook.statistics.verdicts import LOOK

pytestmark = pytest.mark.slow

ODDS = DATA / "series" / "odds"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture(scope="module")
def wallet() -> ir.Rulebook:
    return load_game(library.find_game("wallet"))


@pytest.fixture(scope="module")
def odds() -> ir.Rulebook:
    rulebook = load(ODDS).rulebook
    assert rulebook is not None
    return rulebook


@pytest.fixture
def unsampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play no games once more for a report, where nobody looks at what that gives."""
    monkeypatch.setattr("rulebook.reporting.report.sampled", lambda *_: None)


def settled(rulebook: ir.Rulebook, **wanted: str) -> dict[str, Any]:
    options, problems = settle_options(rulebook.options, wanted, rulebook.units)
    assert not problems
    return options


def plan(rulebook: ir.Rulebook, seed: int = 1, **named: Any) -> Plan:
    return plan_of(rulebook, named.pop("players", 2), seed, settled(rulebook, **named.pop("rules", {})), **named)


# ── who plays what ──


def test_rotation_gives_every_bot_every_seat_on_the_same_deal(wallet: ir.Rulebook) -> None:
    three = plan(wallet, players=3, bots=("first", "random", "random"), rotate=True)
    assert three.rotations == 3
    assert [three.seated(number) for number in range(3)] == [
        ("first", "random", "random"),
        ("random", "first", "random"),
        ("random", "random", "first"),
    ]
    assert len({three.seed_of(number) for number in range(3)}) == 1
    assert three.seed_of(3) != three.seed_of(2)
    for number in range(6):
        assert [three.bots[three.bot_at(number, seat)] for seat in range(3)] == list(three.seated(number))
    assert plan(wallet, players=3, rotate=True).rotations == 1
    assert plan(wallet, players=4, bots=("first", "random"), rotate=True).rotations == 2


def test_an_incomplete_deal_is_completed(wallet: ir.Rulebook) -> None:
    assert play(plan(wallet, bots=("first", "random"), rotate=True), 5).games == 6


def test_what_a_bot_wins_is_known_wherever_it_sat(odds: ir.Rulebook) -> None:
    rotated = play(plan(odds, bots=("first", "random"), rotate=True), 400)
    tally = Tally.of(rotated.plan, rotated.played())
    report = report_of(tally, rotated.table.program)
    # The first seat wins six of ten, whoever sits there; so both bots win exactly half of each deal.
    assert [(one.bot, one.share) for one in report.by_bot] == [("first", 0.5), ("random", 0.5)]
    assert [one.share for one in report.seats] == pytest.approx([0.6, 0.4], abs=0.08)


# ── the same games, whoever plays them and wherever they lie ──


def test_records_do_not_depend_on_processes_or_files(wallet: ir.Rulebook, tmp_path: Path) -> None:
    watched = plan(wallet, players=3, watched=True)
    alone = list(play(watched, 60).played())
    assert [one.number for one in alone] == list(range(60))
    with Store(tmp_path / "a.sqlite") as store:
        assert list(play(watched, 60, jobs=2, store=store).played()) == alone
    # Who looks on changes nothing but what is seen.
    plain = play(plan(wallet, players=3), 60).played()
    assert [(one.winners, one.scores, one.decisions) for one in plain] == [
        (one.winners, one.scores, one.decisions) for one in alone
    ]


def test_a_series_goes_on_where_it_was_interrupted(odds: ir.Rulebook, tmp_path: Path) -> None:
    watched = plan(odds, watched=True)
    whole = list(play(watched, 130).played())
    played = []
    with Store(tmp_path / "a.sqlite") as store:

        def stop(done: int, _: int) -> None:
            played.append(done)
            if len(played) == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            play(watched, 130, store=store, on_progress=stop)
        series = store.series(watched, play(watched, 1).table.program)
        assert 25 <= len(store.wins(series, 1000)) < 130
        # A hole in the middle, as from a file that somebody edited.
        with sqlite3.connect(tmp_path / "a.sqlite") as file:
            file.execute("DELETE FROM games WHERE number BETWEEN 3 AND 7")
        assert list(play(watched, 130, store=store).played()) == whole
        assert list(play(watched, 130, jobs=2, store=store).played()) == whole
        # More games begin with the same ones; fewer are the first of them.
        assert list(play(watched, 150, store=store).played())[:130] == whole
        assert list(play(watched, 10, store=store).played()) == whole[:10]
        assert len(store.wins(series, 1000)) == 150


def test_other_rules_are_another_series(odds: ir.Rulebook, tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        for one in (plan(odds), plan(odds, seed=2), plan(odds, rules={"low": "5"}), plan(odds, watched=True)):
            play(one, 5, store=store)
            play(one, 5, store=store)
        assert len(store.all_series()) == 4
        assert len(list(store.rows())) == 20


def test_a_tally_is_the_same_from_a_file(
    wallet: ir.Rulebook, odds: ir.Rulebook, unsampled: None, tmp_path: Path
) -> None:
    for watched in (
        plan(wallet, watched=True),
        plan(odds, bots=("first", "random"), rotate=True, watched=True),
    ):
        streamed = play(watched, 40)
        with Store(tmp_path / "a.sqlite") as store:
            kept = play(watched, 40, store=store)
            tallies = [Tally.of(watched, one.played()) for one in (streamed, kept)]
        assert tallies[0] == tallies[1]
        assert report_of(tallies[0], streamed.table.program) == report_of(tallies[1], streamed.table.program)


@pytest.mark.parametrize("jobs", [1, 2])
def test_enough_is_enough_at_the_same_game(odds: ir.Rulebook, jobs: int, tmp_path: Path) -> None:
    found = play(plan(odds), 100_000, jobs=jobs, until=0.08)
    assert found.games == play(plan(odds), 100_000, until=0.08).games < 600
    assert all(running.interval.half_width <= 0.08 for running in found.running)
    with Store(tmp_path / "a.sqlite") as store:
        play(plan(odds), 1000, store=store)
        assert play(plan(odds), 100_000, jobs=jobs, until=0.08, store=store).games == found.games
    assert play(plan(odds), 50, until=0.08).games == 50


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.sqlite") as file:
        file.execute("CREATE TABLE addresses (street TEXT)")
    (tmp_path / "text.sqlite").write_text("no database, whatever it is called" * 50)
    for name in ("other", "text"):
        with pytest.raises(BadStore, match="Name a new file"):
            Store(tmp_path / f"{name}.sqlite")


# ── what is seen of a game ──


def test_cards_are_counted_where_they_are(odds: ir.Rulebook) -> None:
    for one in play(plan(odds, watched=True), 20).played():
        assert one.seen is not None
        king = one.seen.cards["crown"].index(1) // 3
        # Got once, never played, held to the end; and the other one has the cap.
        assert one.seen.cards["crown"] == ((1, 0, 1, 0, 0, 0) if king == 0 else (0, 0, 0, 1, 0, 1))
        assert one.seen.roles[king] == {"head": "crown"}
        assert one.seen.roles[1 - king] == {"head": "cap"}
        calls = one.seen.options
        assert calls["word:heads"][0] == calls["word:tails"][0] == one.length
        assert calls["word:heads"][1] + calls["word:tails"][1] == one.length
        assert one.seen.offered == 2 * one.length


# Everything that can be offered stands in one list of options here, or in one choice with others.
MIXED = """
format: 1
name: Mixed
players: 2..2
units: {crown: 1}
words:
  side: {heads: Heads, tails: Tails}
kinds:
  stone: {}
places:
  table: {heap: {holds: stone, kept: loose, seen_by: everyone}}
cards:
  red: {kind: stone, name: Red, copies: 4}
  blue: {kind: stone, name: Blue, copies: 2}
actions:
  rest:
    name: Rest
    effect: say "Somebody rests."
rules:
  game: |
    move cards where it is stone to heap
    each me in players:
      choose deed from heap, actions
      choose size from 1..3, every side
      choose whom from players
      me may choose price from [5 crown, 7 crown]
      me chooses one:
        "Stay":
          say "{me} stays."
        "Leave":
          say "{me} leaves."
result: {rank: most 1}
"""


def test_every_option_is_counted_whatever_it_is_offered_with(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(MIXED, "utf-8")
    loaded = load(tmp_path)
    assert loaded.rulebook is not None, loaded.messages
    for one in play(plan(loaded.rulebook, watched=True), 10).played():
        assert one.seen is not None
        assert {key: offered for key, (offered, _) in one.seen.options.items()} == {
            "card:red": 2, "card:blue": 2, "action:rest": 2, "number:1": 2, "number:2": 2, "number:3": 2,
            "word:heads": 2, "word:tails": 2, "player:Player 1": 2, "player:Player 2": 2, "amount:5": 2, "amount:7": 2,
            "pass": 2, "label:Stay": 2, "label:Leave": 2,
        }  # fmt: skip
        assert sum(chosen for _, chosen in one.seen.options.values()) == one.length == 10


@pytest.mark.parametrize("game", ["wallet", "crazy_eights", "liars_dice", "tic_tac_toe", "exposed"])
def test_every_decision_has_an_option_that_was_chosen(game: str) -> None:
    for one in play(plan(load_game(library.find_game(game)), watched=True), 4).played():
        assert one.seen is not None
        chosen = sum(chosen for _, chosen in one.seen.options.values())
        # Where several are chosen at once, each of them was.
        assert chosen == one.length if game not in ("wallet", "exposed") else chosen >= one.length * 0.9


def test_cards_that_are_played_agree_with_events(wallet: ir.Rulebook) -> None:
    found = play(plan(wallet, players=3, watched=True), 6)
    for one in found.played():
        assert one.seen is not None
        game = found.table.told(one.number)
        state = game.state
        held = dict.fromkeys(found.table.program.definitions, 0)
        for place in game.program.layout.places:
            if place.owned_by == "player" and place.kept != "pool":
                for card in state[place.slot]:
                    held[game.program.definition[card]] += 1
        assert held == {id: sum(one.seen.cards.get(id, ())[2::3]) for id in held}
        assert sum(counts[0] for counts in one.seen.options.values()) > one.length


def test_the_rulebook_measures_itself(odds: ir.Rulebook, tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        found = play(plan(odds), 20, store=store)
        for one in found.played():
            assert sorted(one.measures["has the crown"]) == [0.0, 1.0]
            assert one.measures["hats"] == (2.0,)
        report = report_of(Tally.of(found.plan, found.played()), found.table.program)
        again = compared(found, play(plan(odds, rules={"low": "5"}), 20))
    assert report.measures == [
        Measured("has the crown", 40, 0.5, 0.0, 1.0),
        Measured("hats", 20, 2.0, 2.0, 2.0),
    ]
    assert again.measured["hats"] == again.measured["base.has_the_crown"] * 4 == 2.0
    assert [one.base for one in again.measures if one.name == "hats"] == [2.0]


SELDOM = """
format: 1
name: Seldom
players: 2
memory: {table: {built_in: number, burnt_in: number}}
options: {lowest: {type: 1..4, default: 3, text: From which roll on somebody builds}}
rules:
  game: |
    pick roll from 1..4 at random
    if roll >= options.lowest:
      set built_in = roll + 4
    if roll > 5:
      set burnt_in = roll
    win first(players)
measures: {castle: built_in, fire: burnt_in}
"""


def test_games_without_an_answer_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "seldom").mkdir()
    (tmp_path / "seldom" / "rulebook.yaml").write_text(SELDOM, "utf-8")
    words = ("simulate", str(tmp_path / "seldom"), "--games", "60")
    assert run(*words, "--assert", "castle > 7", "--assert", "castle < 8").exit_code == 0
    refused = run(*words, "--assert", "fire < 1")
    assert (refused.exit_code, "(fire had an answer in no game)" in refused.stderr) == (1, True)
    rulebook = load(tmp_path / "seldom").rulebook
    assert rulebook is not None
    found = compared(play(plan(rulebook), 60), play(plan(rulebook, rules={"lowest": "4"}), 60))
    assert [(one.name, one.base, one.changed) for one in found.measures if one.name in ("castle", "fire")] == [
        ("castle", 8.0, 8.0)
    ]


def test_what_nobody_was_asked_is_counted_too(wallet: ir.Rulebook) -> None:
    found = play(plan(wallet, players=3, watched=True), 8)
    report = report_of(Tally.of(found.plan, found.played()), found.table.program)
    sample = report.details.sample
    assert sample.games == 8
    assert 0 < sample.forced < sample.decided <= report.decisions
    assert {row.name for row in report.details.stages if row.times.median > 3} >= {"turn"}
    asked = {one.name: one.held + one.failed for one in sample.conditions}
    assert any(0 < one.failed < asked[one.name] for one in sample.conditions)


def test_a_card_that_changes_nothing_is_seldom_said_to(odds: ir.Rulebook, unsampled: None) -> None:
    found = play(plan(odds, watched=True), 6000)
    played = list(found.played())
    alarms = missed = 0
    for start in range(0, 6000, 100):
        report = report_of(Tally.of(found.plan, played[start : start + 100]), found.table.program)
        [crown] = [one for one in report.details.cards if one.id == "crown"]
        alarms += bool(report.stands_out)
        missed += not crown.lift.low <= 0 <= crown.lift.high
    # The first seat wins six of ten, so there is something to see now and then; of the crown in 3 of 60.
    assert missed <= 8
    assert {one.about for one in report.stands_out} <= {Seat(1), Seat(2)}
    crowned = play(plan(odds, watched=True, rules={"crowned": "yes"}), 1000)
    report = report_of(Tally.of(crowned.plan, crowned.played()), crowned.table.program)
    lifts = {one.id: one for one in report.details.cards}
    for id, truth in (("crown", 0.2), ("cap", -0.2)):
        assert lifts[id].lift.low <= truth <= lifts[id].lift.high
        assert lifts[id].sure and not lifts[id].sure_played
        assert lifts[id].lift_played is None
    shares = {one.id: one.share for one in report.details.at_the_start}
    assert shares == {"crown": pytest.approx(0.6, abs=0.05), "cap": pytest.approx(0.4, abs=0.05)}


# ── comparing ──


def test_a_rule_that_changes_nothing_changes_nothing(odds: ir.Rulebook) -> None:
    base = play(plan(odds), 50)
    found = compared(base, play(plan(odds), 50))
    assert found.changed_winners.games == 0
    assert all(one.difference.value == 0 and not one.tells for one in found.measures)
    assert all(one.sure_low >= -1 and one.sure_high <= 1 for one in found.measures if one.is_rate)


def test_a_difference_is_found_on_the_deals_where_it_is(odds: ir.Rulebook) -> None:
    base, changed = play(plan(odds), 300), play(plan(odds, rules={"low": "5"}), 300)
    found = compared(base, changed)
    moved = [(old.seed, old.winners, new.winners) for old, new in zip(base.played(), changed.played(), strict=True)]
    moved = [one for one in moved if one[1] != one[2]]
    # Of ten numbers one changes sides, always to the same one.
    assert 15 <= len(moved) <= 50
    assert all(one[1:] == ((0,), (1,)) for one in moved)
    assert found.changed_winners.seeds == [seed for seed, _, _ in moved]
    seats = {one.name: one for one in found.measures}
    first, second = seats["seat_1"], seats["seat_2"]
    assert (first.gained, first.lost, second.gained) == (0, len(moved), len(moved))
    assert first.mark == second.mark == "look"
    assert seats["seat_1"].tells and seats["seat_1"].difference.value == pytest.approx(-len(moved) / 300)
    assert not seats["length"].tells
    assert set(columns(2)) | {"seat_gap", "crashed", "changed_winners", "base.seat_1"} <= set(found.measured)


EACH, TIMES = 100, 120


@pytest.fixture(scope="module")
def unmeasured(odds: ir.Rulebook) -> ir.Rulebook:
    """The same game, of which many are played at once."""
    return evolve(odds, measures=())


@pytest.fixture(scope="module")
def as_it_is(unmeasured: ir.Rulebook) -> list[Played]:
    return list(play(plan(unmeasured), EACH * TIMES).played())


@pytest.mark.parametrize(
    ("afresh", "difference"), [("no", -0.1), ("yes", 0.2)], ids=["paired in all", "paired in the deal alone"]
)
def test_an_interval_holds_the_truth_as_often_as_it_says(
    unmeasured: ir.Rulebook, as_it_is: list[Played], afresh: str, difference: float
) -> None:
    """Many comparisons of which the truth is known: an interval of 95 % misses it in 6 of 120."""
    rules = {"low": str(round(10 * (0.6 + difference))), "afresh": afresh}
    changed = list(play(plan(unmeasured, rules=rules), EACH * TIMES).played())
    missed = missed_rate = 0
    for start in range(0, EACH * TIMES, EACH):
        old, new = as_it_is[start : start + EACH], changed[start : start + EACH]
        gaps = (after.shares[0] - one.shares[0] for one, after in zip(old, new, strict=True))
        found = Sample(-1.0, 1.0).add_all(gaps).interval()
        missed += not found.low - 1e-9 <= difference <= found.high + 1e-9
        rate = wilson(sum(one.shares[0] for one in new), EACH)
        missed_rate += not rate.low <= 0.6 + difference <= rate.high
    # The standard deviation of such a count is 2.4.
    assert 1 <= missed <= 14
    assert 1 <= missed_rate <= 14


# ── questions ──


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("seat_gap < 0.04", True),
        ("seat_gap<4%", True),
        ("seat_1 >= 52%", False),
        ("length = 3", True),
        ("length>3", False),
    ],
)
def test_questions_about_numbers(text: str, holds: bool) -> None:
    assert question(text).holds({"seat_gap": 0.03, "seat_1": 0.51, "length": 3.0}) is holds


@pytest.mark.parametrize(
    "text", ["", "seat_gap", "seat_gap < high", "0.04 > seat_gap", "seat_gap < 0.04 and length > 3"]
)
def test_what_is_no_question(text: str) -> None:
    with pytest.raises(BadQuestion, match="write one like this"):
        question(text)


def test_a_name_that_is_not_measured() -> None:
    with pytest.raises(BadQuestion, match="Did you mean `seat_gap`"):
        question("seatgap < 3").holds({"seat_gap": 0.0, "length": 1.0})


# ── commands ──

SIMULATE = ("simulate", str(ODDS), "--seed", "1", "--games", "50")


def test_simulate_keeps_exports_and_replays(tmp_path: Path) -> None:
    out, table = tmp_path / "games.sqlite", tmp_path / "games.csv"
    first = run(*SIMULATE, "--out", str(out), "--export", str(table), "--json")
    again = run(*SIMULATE, "--out", str(out), "--jobs", "2", "--json")
    assert (first.exit_code, again.exit_code) == (0, 0), first.output
    found, same = json.loads(first.stdout), json.loads(again.stdout)
    assert {**found, "seconds": 0} == {**same, "seconds": 0}
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["number"]), row["seat"]) for row in rows] == [(game, seat) for game in range(50) for seat in "12"]
    with sqlite3.connect(out) as file_of_games:
        [won] = file_of_games.execute("SELECT sum(won) FROM seats WHERE seat = 1").fetchone()
    assert won == found["wins"][0] == sum(float(row["won"]) for row in rows if row["seat"] == "1")
    [longest] = (tmp_path / "games.games").iterdir()
    told = run("replay", str(longest))
    assert told.exit_code == 0
    assert "Bot 1" in told.stdout and "wins." in told.stdout
    seed = re.findall(r"seed (\d+)", told.stdout)[0]
    number = next(row["number"] for row in rows if row["seed"] == seed)
    assert run("replay", str(out), "--game", number).stdout == told.stdout
    assert run("replay", str(out)).exit_code == 2
    assert run("replay", str(out), "--game", "1", "--series", "2").exit_code == 2
    assert run("replay", str(longest), "--game", "1").exit_code == 2


def test_a_page_holds_everything_and_nothing_of_others(tmp_path: Path) -> None:
    page = tmp_path / "odds.html"
    assert run(*SIMULATE, "--report", str(page)).exit_code == 0
    html = page.read_text("utf-8")
    assert "<script" not in html and "http" not in html and "src=" not in html
    [report] = json.loads((tmp_path / "odds.json").read_text("utf-8"))
    assert report["command"] in html.replace("&#x27;", "'") and "Crown" in html
    # What it names gives the same again.
    again = run(*report["command"].split()[1:], "--json")
    assert {**json.loads(again.stdout), "seconds": 0} == {**report, "seconds": 0}
    assert run("simulate", str(ODDS), "--report", str(tmp_path / "no" / "odds.html")).exit_code == 2


def test_texts_of_a_game_are_escaped(odds: ir.Rulebook) -> None:
    found = play(plan(odds, watched=True), 5)
    report = report_of(Tally.of(found.plan, found.played()), found.table.program)
    assert report.details is not None
    first, *others = report.details.cards
    details = evolve(report.details, cards=[evolve(first, name="<i>"), *others])
    html = write_pages([evolve(report, title="<script>alert(1)</script>", details=details)], str, "<i>")
    assert "<script" not in html and "<i>" not in html
    assert "&lt;script&gt;" in html


def test_a_file_that_is_there_wants_its_seed(tmp_path: Path) -> None:
    out = tmp_path / "games.sqlite"
    assert run(*SIMULATE, "--out", str(out)).exit_code == 0
    refused = run("simulate", str(ODDS), "--games", "5", "--out", str(out))
    assert refused.exit_code == 2
    assert "--seed" in refused.stderr


VALUES = """
format: 1
name: Values
players: 2..3
words: {colour: {red: Red, blue: Blue}}
memory:
  player: {gems: {type: number, default: 0}, coat: {type: colour, default: red}, dyes: {type: number by colour}}
values:
  riches(p): p.gems
  heap: sum(gems of players)
  is_rich(p): p.gems > 1
  dyed(p): p.dyes
display:
  shown: {riches: , heap: , is_rich: , dyed: }
measures:
  gems at the end(p): p.gems
rules:
  game: |
    each me in players:
      choose more from 1..2
      add more to me.gems
      add more to me.dyes[red]
      set me.coat = blue
    eliminate last(players)
"""


def test_a_table_has_a_row_for_each_seat_and_one_value_in_a_cell(tmp_path: Path) -> None:
    folder, table = tmp_path / "values", tmp_path / "games.csv"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(VALUES, "utf-8")
    words = ("simulate", str(folder), "--seed", "1", "--games", "4", "--players", "all", "--export", str(table))
    assert run(*words).exit_code == 0
    rows = list(csv.DictReader(table.open(newline="")))
    assert [row["players"] for row in rows] == ["2"] * 8 + ["3"] * 12
    for row in rows:
        gems = row["measure.gems_at_the_end"]
        assert not any(set(cell) & set("[]{}") for cell in row.values())
        assert (row["start.coat"], row["end.coat"]) == ("red", "blue") and row["value.heap"]
        # Who is out has no value any more.
        shown = [row[f"value.{name}"] for name in ("riches", "is_rich", "dyed")]
        assert shown == (["", "", ""] if row["seat"] == row["players"] else [gems, *_say(int(gems))])
        same = [other for other in rows if (other["players"], other["number"]) == (row["players"], row["number"])]
        assert sum(float(other["won"]) for other in same) == 1 and len({other["seed"] for other in same}) == 1


def _say(gems: int) -> list[str]:
    return ["yes" if gems > 1 else "no", f"red {gems}; blue 0"]


def test_an_export_is_csv(tmp_path: Path) -> None:
    refused = run(*SIMULATE, "--export", str(tmp_path / "games.xlsx"))
    assert refused.exit_code == 2 and "games.xlsx should end in .csv" in refused.stderr


FAULTY = """
format: 1
name: Faulty
players: 2..2
memory: {table: {pot: {type: 0..3, default: 0}}}
rules:
  game: |
    pick bad from 1..10 at random
    each me in players:
      choose more from 0..1
      if bad is 1:
        add 2 * more to pot
"""


def test_a_game_that_crashes_is_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "faulty"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(FAULTY, "utf-8")
    words = ("simulate", str(folder), "--seed", "1", "--games", "200")
    stopped = run(*words)
    assert stopped.exit_code == 1
    assert "rulebook.yaml:" in stopped.stderr
    file = re.findall(r"replay (\S+)", stopped.stderr)[0]
    told = run("replay", file)
    assert told.exit_code == 1
    assert "The rules went wrong" in told.stderr and "Bot 2" not in told.stderr
    assert "Bot 1" in told.stdout
    kept = run(*words, "--out", str(tmp_path / "a.sqlite"), "--json")
    assert kept.exit_code == 1
    report = json.loads(kept.stdout)
    assert report["games"] + report["endings"]["crashed"] == 200
    assert sum(report["wins"]) == pytest.approx(report["games"])
    assert {path.name.split("-")[0] for path in (tmp_path / "a.games").iterdir()} == {"crashed", "longest"}


def test_compare_says_what_is_different() -> None:
    words = ("compare", str(ODDS), "--set", "low=5", "--games", "200")
    found = run(*words, "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(run(*words, "--jobs", "2", "--json").stdout) == json.loads(found.stdout)
    text = run(*words).stdout
    assert "had other winners on the same deal" in text and "games of each" in text
    # The command that it names plays the very game.
    [old, new] = re.findall(r"^ +rulebook (play .*)$", text, re.MULTILINE)
    results = [json.loads(run(*one.split(), "--json").stdout)["winners"] for one in (old, new)]
    assert results == [["Bot 1"], ["Bot 2"]]


def test_a_comparison_says_its_headline_once() -> None:
    lines = run("compare", str(ODDS), "--set", "low=9", "--games", "200").stdout.split("\n\n")
    assert "CHANGE  Wins?     Seat 1 wins more: from 59.5 to 88.5 of 100." in lines[1]
    assert "Seat 1 wins: +29.0 (" in lines[2] and not any("from 59.5" in one for one in (lines[0], *lines[2:]))


def test_differences_are_those_of_what_stands_beside_them() -> None:
    text = run("compare", "wallet", "--set", "hand_size=4", "--games", "90", "--seed", "1").stdout.replace("−", "-")
    rows = re.findall(r"^  .* ([\d.]+)%? +([\d.]+)%? +([-+]?[\d.]+)  ", text, re.MULTILINE)
    assert len(rows) > 4
    assert [f"{float(new) - float(old):.2f}" for old, new, _ in rows] == [f"{float(one):.2f}" for *_, one in rows]


def test_the_headline_is_the_change_that_is_surely_the_largest(odds: ir.Rulebook) -> None:
    found = compared(play(plan(odds), 200), play(plan(odds, rules={"low": "9"}), 200))
    for surely, headline in ((1.1, "Seat 1 wins more"), (50.0, "More decisions a game")):
        longer: dict[str, Any] = {"mark": LOOK, "base": 10.0, "changed": 12.0, "grey": 1.0}
        longer |= {"sure_low": surely, "sure_high": 60.0}
        measures = [evolve(one, **longer) if one.name == "length" else one for one in found.measures]
        assert answer_changes(evolve(found, measures=measures), str).headline.startswith(headline)


def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    text = run("compare", "wallet", "--variant", "hard_cash", "--games", "10").stdout
    assert "Not compared: with the change they are counted in something else." in " ".join(text.split())
    assert "points of a player" not in text
    assert "2 players (random), 10 games of each" in text
    # Nothing in these rules says who wins.
    (tmp_path / "rulebook.yaml").write_text(FAULTY.replace("add 2 * more", "add 0 * more"), "utf-8")
    told = run("simulate", str(tmp_path), "--seed", "1", "--games", "20")
    assert told.exit_code == 0 and "Nothing in the rules says who wins, so nobody can." in told.stdout


def test_draws_make_no_seat_unfair() -> None:
    """Of tic-tac-toe between bots that think all games are drawn, and of random ones an eighth."""
    drawn = json.loads(
        run("simulate", "tic_tac_toe", "--seed", "1", "--games", "6", "--bots", "ismcts:200", "--json").stdout
    )
    assert drawn["nobody"] == 6 and drawn["fair"] == 0 and not any(one["about"] != "tie" for one in drawn["stands_out"])
    found = json.loads(run("simulate", "tic_tac_toe", "--seed", "1", "--games", "300", "--json").stdout)
    assert found["fair"] == pytest.approx((1 - found["nobody"] / 300) / 2)
    assert {one["about"] for one in found["stands_out"]} == {"seat:1", "seat:2"}


AUCTION = """
format: 1
name: Auction
players: 3..3
memory: {player: {bid: 0}}
rules:
  game: |
    FIRST
    each p in players with most p.bid:
      p chooses one "You are the first.":
        "Good":
          do finish(p)
        "Fine":
          do finish(p)
  finish(p): |
    each q in players where it is not p:
      q chooses one "Well?":
        "Yes":
          add 0 to q.bid
        "No":
          add 0 to q.bid
    win p
"""


@pytest.mark.parametrize(
    ("first", "is_order"),
    [
        ("each p in players chooses bid from 1..9\n    each p in players:\n      set p.bid = bid[p]", False),
        ("pick p from players at random\n    set p.bid = 1", True),
    ],
)
def test_who_is_asked_for_what_they_answered_does_not_begin(tmp_path: Path, first: str, is_order: bool) -> None:
    (tmp_path / "rulebook.yaml").write_text(AUCTION.replace("FIRST", first))
    done = run("simulate", str(tmp_path), "--games", "200", "--seed", "1", "--json")
    abouts = {line["about"] for line in json.loads(done.stdout)["lines"]}
    assert ("order:1" in abouts) == is_order


@pytest.mark.parametrize(("side", "order"), [("left", [0, 100, 0]), ("right", [0, 0, 100])])
def test_turn_order_is_how_they_sit_whoever_is_asked_second(tmp_path: Path, side: str, order: list[int]) -> None:
    text = f"""
format: 1
name: Leap
players: 3..3
rules:
  game: |
    pick begun from players at random
    begun chooses one "Who is next?":
      "Left":
        begun.left chooses number from 1..2
      "Right":
        begun.right chooses number from 1..2
    win begun.{side}
"""
    (tmp_path / "rulebook.yaml").write_text(text)
    done = run("simulate", str(tmp_path), "--games", "200", "--seed", "1", "--json")
    lines = {line["about"]: line for line in json.loads(done.stdout)["lines"]}
    assert [round(100 * lines[f"order:{place}"]["won"]) for place in (1, 2, 3)] == order


def test_compare_keeps_both_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "both.sqlite"
    words = ("compare", str(ODDS), "--set", "low=5", "--games")
    kept = (*words, "50", "--out", str(out), "--json")
    first = run(*kept)
    assert first.exit_code == 0, first.output
    with sqlite3.connect(out) as file:
        assert file.execute("SELECT series, count(*) FROM games GROUP BY series").fetchall() == [(1, 50), (2, 50)]
        file.execute("DELETE FROM games WHERE number % 3 = 0")
    assert run(*kept).stdout == first.stdout == run(*words, "50", "--json").stdout
    # Both have a longest game, perhaps with the same seed; neither is written over the other.
    logs = [*(tmp_path / "both.games").iterdir()]
    assert sorted("-series-2" in file.name for file in logs) == [False, True]
    assert all(run("replay", str(file)).exit_code == 0 for file in logs)
    # A longer one plays what is missing.
    more = (*words, "80", "--json")
    assert run(*more, "--out", str(out)).stdout == run(*more).stdout


@pytest.mark.parametrize(
    ("question", "code"),
    [("seat_gap < 0.2", 0), ("base.seat_gap < 0.01", 1), ("base.seat_1 > 50%", 0), ("seatgap < 1", 2), ("what?", 2)],
)
def test_compare_can_fail_a_build(question: str, code: int) -> None:
    done = run("compare", str(ODDS), "--set", "low=5", "--games", "200", "--assert", question)
    assert done.exit_code == code, done.output
    if code == 1:
        assert "Not so: base.seat_gap < 0.01 (base.seat_gap is" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", str(ODDS), "--assert", "hats = 2", "--assert", "seatgap < 1"),
        ("simulate", str(ODDS), "--assert", "base.seat_gap < 1"),
        ("compare", str(ODDS), "--set", "low=5", "--assert", "difference.seatgap < 1"),
    ],
)
def test_what_is_not_measured_is_refused_before_the_first_game(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object) -> None:
        raise AssertionError("somebody played")

    monkeypatch.setattr("rulebook.playtest.series.playing.play", play)
    refused = run(*words)
    assert refused.exit_code == 2, refused.output
    assert "Nothing called" in refused.stderr


def test_compare_wants_something_to_compare() -> None:
    assert "--variant NAME" in run("compare", str(ODDS)).stderr


def test_played_is_plain() -> None:
    one = Played(0, 1, "ranked", (0, 1), (0, 1), (1, 1), (2, 2), (3, 4), 5)
    assert (one.length, one.shares[0], one.shares[1], one.counts) == (7, 0.5, 0.5, True)


@pytest.mark.parametrize(
    ("game", "worded"), [("kuhn_poker", "-0.25 chips"), ("leduc_poker", "-0.25 chips"), ("goofspiel", "-0.25")]
)
def test_the_mean_of_points_is_not_rounded_away(game: str, worded: str) -> None:
    rulebook = load_game(library.find_game(game))
    points = worded_points(plan_of(rulebook, 2, 1))
    assert (points(-0.25), points(-0.001)[0]) == (worded, "0")


@pytest.mark.parametrize("players", [3, 4])
def test_games_in_bulk_count_as_games_one_by_one(wallet: ir.Rulebook, players: int) -> None:
    found = play(plan(wallet, players=players), 60)  # in three pieces
    told, played = list(found.told()), list(found.played())
    assert [type(one) for one in told] == [Bulk]
    assert [one.number for one in played] == list(range(60))
    assert played == list(play(plan(wallet, players=players, tier="machine"), 60).played())
    assert Tally.of(found.plan, told) == Tally.of(found.plan, played)
    assert measures(told, players) == measures(played, players)
    assert [one.seed for one in played] == [found.plan.seed_of(number) for number in range(60)]


@pytest.mark.parametrize("game", ["wallet", "exposed", "wrong_party", "crazy_eights", "goofspiel", "tic_tac_toe"])
def test_the_core_sees_what_the_machine_sees(game: str) -> None:
    watched = {"players": 3} if game in ("wallet", "exposed") else {}
    both = [
        plan(load_game(library.find_game(game)), watched=True, tier=tier, **watched) for tier in ("core", "machine")
    ]
    assert Table(both[0]).core is not None
    core, machine = (list(play(one, 5).played()) for one in both)
    assert core == machine


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bots"),
    [
        ("wallet", ("greedy", "first", "random")),
        ("exposed", ("greedy", "ismcts:5", "greedy:epsilon=0.5")),
        ("wrong_party", ("greedy",)),
        ("crazy_eights", ("greedy", "greedy:never=pass")),
        ("hearts", ("greedy", "random")),
    ],
)
def test_the_core_sees_what_bots_that_think_do(game: str, bots: tuple[str, ...]) -> None:
    rulebook, players = load_game(library.find_game(game)), 4 if game == "hearts" else 3
    both = [plan(rulebook, players=players, bots=bots, watched=True, tier=tier) for tier in ("core", "machine")]
    assert Table(both[0]).core is not None
    core, machine = (list(play(one, 2).played()) for one in both)
    assert core == machine


def test_yes_is_no_number_in_a_count(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(MIXED.replace("from 1..3, every side", "from [2, yes]"), "utf-8")
    loaded = load(tmp_path)
    assert loaded.rulebook is not None
    found = play(plan(loaded.rulebook, watched=True), 5)
    assert "One choice" in found.table.why_machine
    assert all(one.seen is not None and one.seen.options["word:yes"][0] == 2 for one in found.played())


def test_who_plays_is_said_once_where_it_is_the_machine(tmp_path: Path) -> None:
    words = ("simulate", str(ODDS), "--games", "3", "--seed", "1")
    assert run(*words).stderr == run(*words, "--details").stderr == run(*words, "--tier", "machine").stderr == ""
    (tmp_path / "rulebook.yaml").write_text(MIXED.replace("from 1..3, every side", "from [2, yes]"), "utf-8")
    words = ("simulate", str(tmp_path), "--games", "3", "--seed", "1", "--vary")
    said = "One choice offers yes or no beside numbers, which the core does not tell apart."
    assert run(*words, "--details").stderr == f"Played more slowly, in Python. {said}\n"
    assert run(*words, "--bots", "first").stderr == ""
