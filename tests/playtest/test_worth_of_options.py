"""What an option is worth: games in which a seat never chooses it are the same games in core and machine, what is known
is found, and people read it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from bot_kinds import list_bots
from click.testing import CliRunner, Result
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.playtest.options import NoSuchOption, find_option, list_options
from rulebook.playtest.pieces import cut
from rulebook.playtest.series.branching import ALWAYS, NEVER, ONCE, Asked, Branched, branch
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.table import Table
from rulebook.playtest.sharing import in_order

pytestmark = pytest.mark.slow

ODDS, ALIKE, SAVING = (DATA / "series" / name for name in ("worth", "alike", "saving"))
EXACT = {"gold": 1 / 16, "silver": 0.0, "lead": -1 / 16}
"""Who bets wins a half; three quarters, a half or a quarter with one of three, so 3/8, 1/2, 5/8 without it. In each
game one of two players bets."""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@cache
def plan_for(game: str, players: int, bots: tuple[str, ...] = ("random",)) -> Plan:
    folder = ODDS if game == "odds" else library.find_game(game)
    return plan_of(load_game(folder), players, 1, bots=bots)


@cache
def program_of(game: str, players: int) -> Program:
    return Table(plan_for(game, players)).program


def branched(plan: Plan, games: int, words: tuple[str, ...] = ()) -> Branched:
    """Play branches in all ways; where they were asked has another name in core and machine."""
    program = program_of(plan.rulebook.id, plan.players)
    options = tuple(find_option(program, word) for word in words) or tuple(list_options(program).values())
    found = branch(Asked(plan, options, (NEVER | ALWAYS | ONCE,) * len(options)))(range(games))
    return evolve(found, noted=list(found.noted), branches=[evolve(one, asked=0) for one in found.branches])


GAMES = {
    "kuhn_poker": (2, 12, ()),
    "leduc_poker": (2, 8, ()),
    "goofspiel": (2, 2, ()),
    "liars_dice": (2, 3, ()),
    "wallet": (3, 1, ("buy", "pass", "note_50", "Keep it")),
}


@pytest.mark.parametrize("game", GAMES)
def test_core_and_machine_play_the_same_branches(game: str) -> None:
    players, games, words = GAMES[game]
    plan = plan_for(game, players)
    fast = branched(plan, games, words)
    assert fast.branches and fast == branched(evolve(plan, tier="machine"), games, words)


def test_who_never_does_it_plays_the_same_game_until_it_would(tmp_path: Path) -> None:
    plan = plan_for("odds", 2)
    [gold] = [find_option(program_of("odds", 2), "gold")]
    found = branch(Asked(plan, (gold,), (NEVER,)))(range(40))
    changed = {(one.game, one.seat): one.more for one in found.branches}
    assert 5 < len(changed) < 30
    for game in range(40):
        base = Table(plan).game(game)
        for seat in range(2):
            bots = tuple("random:never=Gold" if one == seat else "random" for one in range(2))
            other = Table(evolve(plan, bots=bots)).game(game)
            assert other.shares[seat] - base.shares[seat] == changed.get((game, seat), 0.0)
            assert (game, seat) in changed or other == base


@cache
def report(*words: str) -> dict[str, Any]:
    done = run("simulate", str(ODDS), "--games", "1000", "--seed", "2", *words, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_is_known_is_found() -> None:
    rows = {row["about"].partition(":")[2]: row for row in report("--each-card")["worth"]}
    assert set(rows) == {"gold", "silver", "lead", "Red", "Blue, or not"}
    for name, row in rows.items():
        truth = EXACT.get(name, 0.0)
        assert row["sure_low"] <= row["low"] <= row["value"] <= row["high"] <= row["sure_high"]
        assert row["sure_low"] <= truth <= row["sure_high"] and abs(row["value"] - truth) < 0.02
        assert row["mark"] == ("look" if truth else "fine")
        assert row["deals"] == 1000 and row["restricted"] == pytest.approx(row["free"] - row["value"])
    assert [rows[name]["choice"] for name in EXACT] == ["always", "", "never"]
    assert [one["name"] for one in rows["gold"]["instead"]] == ["Lead", "Silver"]


def test_two_processes_say_the_same_as_one() -> None:
    asked = Asked(plan_for("odds", 2), tuple(list_options(program_of("odds", 2)).values()), (NEVER,) * 5)
    one, two = ([*in_order(branch, asked, cut(range(40), 10), jobs)] for jobs in (1, 2))
    assert one == two


def test_always_is_against_who_is_free() -> None:
    [row] = report("--always", "lead")["worth"]
    assert row["way"] == "always" and abs(row["value"] + 1 / 8) < 0.03
    assert row["restricted"] == pytest.approx(row["free"] + row["value"])


def test_people_read_what_it_is_worth() -> None:
    shown = run("simulate", str(ODDS), "--games", "1000", "--seed", "2", "--each-card").stdout
    told = " ".join(shown.split())
    assert "LOOK Strong? Gold chosen wherever it is offered wins" in told
    assert "Gold is worth" in told and "It is always best where it is offered: it is no choice." in told
    assert "Lead costs who does it" in told and "It is never worth choosing." in told
    assert "3 others that can be chosen do too little to notice" in told
    alone = " ".join(run("simulate", str(ODDS), "--games", "1000", "--seed", "2", "--never", "red").stdout.split())
    assert "Red is worth less than 4.0 games of 100" in alone
    open_yet = " ".join(run("simulate", str(ODDS), "--games", "40", "--seed", "2", "--never", "red").stdout.split())
    assert "Red is open: up to" in open_yet
    assert "more games would show whether a difference as large as this is more than chance." in open_yet


def test_a_game_can_be_watched_again() -> None:
    told = run("simulate", str(ALIKE), "--games", "20", "--seed", "2", "--each-card", "--json")
    row = next(row for row in json.loads(told.stdout)["worth"] if row["about"] == "label:Right, or back")
    [spec] = [word for word in row["shown"]["replay"].split("'") if "never=" in word]
    assert "never=label:Right%2C or back" in spec
    again = run("play", str(ALIKE), "--players", "2", "--bots", spec, "--seed", str(row["shown"]["seed"]))
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize("seed", range(20))
def test_of_two_options_that_do_the_same_neither_is_better(seed: int) -> None:
    """What comes instead says nothing of what is answered next."""
    done = run("simulate", str(ALIKE), "--games", "400", "--seed", str(seed), "--each-card", "--json")
    rows = {row["about"]: row for row in json.loads(done.stdout)["worth"] if row["way"] == "never"}
    for one, other in (("bake", "brew"), ("brew", "bake")):
        row = rows[f"action:{one}"]
        assert row["choice"] == ""
        assert {instead["about"]: instead["value"] for instead in row["instead"]}[f"action:{other}"] == 0.0
    assert rows["action:burn"]["choice"] == "never"
    assert rows["label:Left"]["choice"] == "always"


def test_what_pays_only_who_always_does_it_is_worth_choosing() -> None:
    words = ("simulate", str(SAVING), "--games", "1000", "--seed", "1", "--each-card")
    rows = {(row["about"], row["way"]): row for row in json.loads(run(*words, "--json").stdout)["worth"]}
    once, always = rows["action:save", "never"], rows["action:save", "always"]
    assert once["value"] < -0.1 and always["value"] > 0.3
    assert not any(row["choice"] for row in rows.values()), "spending now and then is no better"
    told = " ".join(run(*words).stdout.split())
    assert "never worth choosing" not in told and "Save chosen wherever it is offered wins" in told


@pytest.mark.parametrize("bot", [*list_bots(4), "ismcts:4:epsilon=1"])
def test_every_bot_can_be_kept_from_it(bot: str) -> None:
    [gold, red] = [find_option(program_of("odds", 2), word) for word in ("gold", "red")]
    for way, chosen in (("never=gold", {0}), ("always=gold", {1})):
        plan = evolve(plan_for("odds", 2), bots=(f"{bot}:{way}",) * 2)
        found = branch(Asked(plan, (gold, red), (0, 0)))(range(6))
        assert {found.noted[at + 1] for at in range(0, len(found.noted), 4)} == chosen


def test_things_are_found_as_people_call_them() -> None:
    program = lower(load_game(library.find_game("wallet")), 3)
    for word in ("action:buy", "buy", "Buy an ID", "buy an"):
        assert find_option(program, word).about == "action:buy"
    assert find_option(program, "note_20").about == "card:note_20" and len(find_option(program, "note_20").keys) == 4
    assert find_option(program, "pass").keys == ("pass",)
    with pytest.raises(NoSuchOption, match=r"Did you mean `[Pp]earls`"):
        find_option(program, "perls")
    with pytest.raises(NoSuchOption, match=r"Say which: card:note_100\.dollar or"):
        find_option(program, "100")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--never", "goldd"), "Did you mean"),
        (("--bots", "random:never=goldd"), "A bot shall never do that."),
        (("--bots", "random:never="), "does not say what is never done"),
        (("--bots", "exec:cat", "--each-card"), "Programs cannot be told what never to choose"),
        (("--lens", "1", "--never", "gold"), "leave out --lens, and say which, as in --bots greedy --never."),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[str, ...], said: str) -> None:
    done = run("simulate", str(ODDS), "--games", "5", "--seed", "1", *words)
    assert done.exit_code == 2 and said in " ".join(done.output.split())


def test_where_nothing_can_be_forbidden_nothing_is_measured() -> None:
    """In tic-tac-toe there is nothing to choose but places, which nobody always has."""
    done = run("simulate", "tic_tac_toe", "--games", "4", "--seed", "1", "--each-card", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["worth"] == []


# ── pairs ──

PAIRS = DATA / "series" / "pairs"


def test_what_two_things_are_worth_together_is_found() -> None:
    """One seat in two is offered things, one time in two these: all is a quarter of what it is for who has both."""
    words = ["simulate", str(PAIRS), "--games", "1500", "--seed", "3"]
    words += ["--pair", "hammer,nail", "--pair", "Sword, Shield", "--pair", "hammer,sword"]
    rows = json.loads(run(*words, "--json").stdout)["pairs"]
    exact = [(0, 0, 1 / 4), (1 / 2, 1 / 2, 3 / 4), (1 / 4, 1 / 2, 3 / 4)]
    for row, (first, second, together) in zip(rows, exact, strict=True):
        assert row["value"] == pytest.approx(row["together"] - row["first_alone"] - row["second_alone"])
        assert row["sure_low"] <= (together - first - second) / 4 <= row["sure_high"]
        assert row["sure_low"] < row["low"] and row["high"] < row["sure_high"]
    assert [(row["mark"], row["value"] > 0) for row in rows[:2]] == [("look", True), ("look", False)]
    assert rows[2]["mark"] == "fine"
    # A half of two choices each is as often as one that is always made, and there is something else to choose.
    for seed in range(12):
        few = ["simulate", str(PAIRS), "--games", "12", "--seed", str(seed), "--pair", "sword,shield"]
        assert json.loads(run(*few, "--json").stdout)["pairs"][0]["mark"] != "fact"
    said = " ".join(run(*words).stdout.split())
    assert "Hammer and Nail go together: both are worth " in said
    assert "Sword and Shield stand in for each other: both are worth " in said
    assert "Hammer and Sword do not need each other: both are worth what the two alone are" in said


def test_core_and_machine_find_the_same_of_two_things() -> None:
    words = ["simulate", str(PAIRS), "--games", "60", "--seed", "3", "--pair", "hammer,nail", "--pair", "sword,shield"]
    by_core, by_machine = (
        json.loads(run(*words, "--tier", tier, "--json").stdout)["pairs"] for tier in ("core", "machine")
    )
    assert len(by_core) == 2 and by_core == by_machine


def test_pairs_of_what_matters_most_are_asked_by_themselves() -> None:
    words = ("simulate", str(PAIRS), "--games", "600", "--seed", "1", "--each-card", "--json")
    found = json.loads(run(*words).stdout)
    shown = {row["about"] for row in found["worth"] if row["mark"] == "look" and row["way"] == "never"}
    assert len(shown) > 3 and len(found["pairs"]) == 3, "those of the three that matter most"
    assert all({row["first"], row["second"]} <= shown for row in found["pairs"])
    # Who always takes what wins, wins more: that is a plan.
    plans = {row["about"] for row in found["worth"] if row["way"] == "always"}
    assert "word:sword" in plans and all(row["value"] > 0 for row in found["worth"] if row["way"] == "always")


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("hammer", "is two things with a comma"),
        ("hammer,hammer", "the same thing twice"),
        ("hammer,nial", "Did you mean `Nail`"),
    ],
)
def test_what_is_no_pair_is_refused(pair: str, said: str) -> None:
    refused = run("simulate", str(PAIRS), "--pair", pair)
    assert refused.exit_code == 2 and said in " ".join(refused.stderr.split())
