"""A report calls out what is broken, first and wherever one reads it, and nothing where nothing is."""

import json
import re
from copy import deepcopy
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.commands.numbers import result_lines
from rulebook.interpreter.program import Program
from rulebook.loading import load
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import judge_series
from rulebook.reporting import report
from rulebook.reporting.answering import answer_questions, find_headline, word_apart
from rulebook.reporting.page import write_pages
from rulebook.reporting.records import Report
from rulebook.reporting.report import report_of
from rulebook.reporting.standing_out import standing_out, word_wins

PLANTED = DATA / "series" / "planted"
AGENTS = str(PLANTED / "agents")

PLANTS = {
    "always wins": ("wallet", 3, 120, "wallet/lucky_charm", "Lucky Charm: a player dealt it won "),
    "cannot be played": ("wallet", 3, 80, "wallet/sealed_letter", "Sealed Letter: came to players"),
    "is always guilty": ("wallet", 3, 150, "wallet/ghost", "Ghost: never innocent for whoever held it at the end"),
    "always loses, dealt as a card": ("exposed", 2, 200, "exposed/stowaway", "Mayor: a player dealt it won 0.0 of 100"),
    "loses, kept in memory": (AGENTS, 3, 200, "agents/variants/clumsy", "Role: Cook: a player who began with it won "),
}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "games", "variant", "said"), PLANTS.values(), ids=PLANTS)
def test_what_is_planted_is_the_first_line(
    game: str, players: int, games: int, variant: str, said: str, tmp_path: Path
) -> None:
    page, file = tmp_path / "page.html", str(PLANTED / f"{variant}.yaml")
    words = ["simulate", game, "--variant", file, "--players", str(players), "--games", str(games), "--seed", "1"]
    shown = CliRunner().invoke(main, [*words, "--no-course", "--report", str(page)])
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.splitlines()
    assert lines[1].startswith(said)
    [report] = json.loads(page.with_suffix(".json").read_text("utf-8"))
    first, *others = report["stands_out"]
    assert f"{first['name']}: {first['what']}".lower().startswith(said.lower())
    # Who has another role wins more than its share where the cook does not.
    assert {one["about"].partition(":")[0] for one in others} <= {"role"}
    html = page.read_text("utf-8").replace("<strong>", "").replace("</strong>", "")
    assert unescape(html.partition("<h1>")[2]).startswith(said)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "games", "seed"),
    [
        ("wallet", 3, 150, 1),
        *(("exposed", 2, 200, seed) for seed in (1, 2)),
        *(("wrong_party", 2, 60, seed) for seed in (1, 2, 3)),
        *((AGENTS, 3, 200, seed) for seed in (1, 2, 3)),
    ],
)
def test_nothing_stands_out_of_a_game_in_which_nothing_does(game: str, players: int, games: int, seed: int) -> None:
    tally, program = played(game, players, games, seed)
    # Without games that are played once more it knows less, and would rather say something.
    assert standing_out(tally, program, None, judge_series(tally, program), word_wins) == []


@cache
def played(game: str, players: int, games: int, seed: int) -> tuple[Tally, Program]:
    rulebook = load_game(library.find_game(game))
    options = {name: option.default for name, option in rulebook.options.items()}
    plan = plan_of(rulebook, players, seed, options, watched=True)
    found = play(plan, games)
    return Tally.of(plan, found.played()), found.table.program


@cache
def reported(game: str, players: int, games: int, seed: int) -> Report:
    """What a report says of these games; it plays some of them once more."""
    return report_of(*played(game, players, games, seed))


@pytest.mark.slow
def test_identities_that_lie_apart_are_told() -> None:
    report = reported("wallet", 3, 150, 1)
    strong = next(one for one in answer_questions(report, str) if one.question == "Strong?")
    said = r"Secret Agent says “innocent” of \S+ of 100 players who have it at the end \(.*\), Millionaire of only \S+ "
    said += r"\(.*\)\."
    assert [line for line in strong.lines if re.fullmatch(said, line)]
    assert report.details is not None
    told = next(word_apart(report.details, "learned"))
    assert told.endswith(") among players who learned.")
    # Where ranges overlap, it may be chance.
    vague = [evolve(one, low=0.0, high=1.0) for one in report.details.answers]
    assert not [*word_apart(evolve(report.details, answers=vague), "")]
    assert find_headline(report, str).startswith("Not known yet ")


@pytest.mark.slow
def test_identities_are_told_with_their_conditions() -> None:
    answers = {one.id: one for one in reported("wallet", 3, 150, 1).details.answers}
    agent = answers["secret_agent"]
    assert agent.question == "innocent" and 0 < agent.low < agent.share < agent.high < 1
    # Who is innocent has met all conditions, so each alone is met at least as often.
    for one in answers.values():
        assert one.conditions and all(
            line.met >= one.share * one.asked - 1e-6 for line in one.conditions
        )
        assert 0 <= one.wins.low <= one.wins.share <= one.wins.high <= 1


def test_the_deal_decides_what_it_does() -> None:
    odds = load(PLANTED.parent / "odds").rulebook
    assert odds is not None
    options = {name: option.default for name, option in odds.options.items()}
    rotated = play(plan_of(odds, 2, 1, options, ["first", "random"], rotate=True), 60)
    # The number that is drawn decides, and what players choose does nothing.
    luck = Tally.of(rotated.plan, rotated.played()).luck()
    assert luck is not None and luck.value == luck.low == luck.high == 1
    alone = play(plan_of(odds, 2, 1, options), 20)
    assert Tally.of(alone.plan, alone.played()).luck() is None


def test_what_is_held_or_remembered_is_counted() -> None:
    roles = {one.id: one for one in reported(AGENTS, 3, 200, 1).details.at_the_start}
    assert {id: (one.name, one.seats) for id, one in roles.items()} == {
        "cook": ("Cook", 200), "guard": ("Guard", 200), "spy": ("Spy", 200),
    }  # fmt: skip


@pytest.mark.slow
def test_options_are_told_by_what_is_written_and_cards_by_their_kinds() -> None:
    told = reported("exposed", 3, 60, 1)
    rows = {one.name: one for one in told.details.choices}
    assert rows["Use the … of …"].chosen > 0 and "guest (25 cards)" in rows
    assert [one.offered for one in rows.values()] == sorted((one.offered for one in rows.values()), reverse=True)
    each = told.details.options
    for name in ("offered", "chosen"):
        assert sum(getattr(one, name) for one in rows.values()) == sum(getattr(one, name) for one in each)
    guests = [one for one in each if one.option.endswith(".tile")]
    assert rows["guest (25 cards)"].offered == sum(one.offered for one in guests)
    # An identity has the name of its guest.
    assert {"Paramedic (guest)", "Paramedic (identity)", "Nurse"} <= {one.name for one in each}


@pytest.mark.slow
def test_the_table_of_options_says_how_many_more_there_are() -> None:
    told = reported("wallet", 3, 150, 1)
    more = len(told.details.choices) - 15
    shown = list(result_lines(told, str))
    start = shown.index("  options: offered, chosen")
    assert more > 0 and shown[start + 17] == f"  and {more} more, offered less often (--json lists them)"
    html = write_pages([told], str, "1")
    assert "<summary>Options: offered, chosen</summary>" in html and f"And {more} more" in html


@pytest.mark.slow
def test_what_nobody_had_or_played_says_nothing_of_what_was_not_in_the_game() -> None:
    for players, games in ((2, 200), (3, 60)):
        details = reported("exposed", players, games, 1).details
        assert details.never_seen == details.never_played == []


@pytest.mark.slow
def test_what_nobody_had_was_in_the_game() -> None:
    tally, program = played("exposed", 3, 2, 1)
    named = {one.id for one in report_of(tally, program).details.never_seen}
    kinds = dict(zip(program.definition, program.kind, strict=True))
    assert named and named < tally.there and {kinds[id] for id in named} == {"identity"}


@pytest.mark.slow
def test_what_nobody_played_is_of_a_kind_that_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "sampled", lambda *_: None)  # no game is played once more
    tally, program = played("wallet", 3, 150, 1)
    assert report_of(tally, program).details.never_played == []
    tally = deepcopy(tally)
    tally.played["pearls"] = 0
    tally.choices["card:pearls"] = [9, 0]
    assert [one.id for one in report_of(tally, program).details.never_played] == ["pearls"]
    # Nobody ever played anything: the rules would let them, but not with coins.
    tally.played.clear()
    tally.choices.clear()
    kinds = dict(zip(program.definition, program.kind, strict=True))
    never = {kinds[one.id] for one in report_of(tally, program).details.never_played}
    assert {"jewelry", "note"} <= never and "coin" not in never
