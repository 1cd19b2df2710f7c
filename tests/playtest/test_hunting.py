"""What random games find: planted mistakes that no other check can see, each made as small as it gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from paths import DATA

from rulebook.cli import main
from rulebook.commands.console import Progress
from rulebook.diagnostics import template
from rulebook.diagnostics.registry import unmarked
from rulebook.dsl import ir
from rulebook.dsl.structuring.leaves import MOST_PLAYERS
from rulebook.examples import of_its_own
from rulebook.interpreter import invariants
from rulebook.interpreter import run as running
from rulebook.interpreter.journal import read_journal
from rulebook.interpreter.layout import COUNTS
from rulebook.loading import load
from rulebook.playtest.failures import FAILURES
from rulebook.playtest.hunting import inspection
from rulebook.playtest.hunting.endless import find_lost
from rulebook.playtest.hunting.hunt import Lost, Programs, hunt, planned
from rulebook.playtest.hunting.shrinking import Shrunk, shrink
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run
from rulebook.playtest.settings import NAMES, Setting, changed

pytestmark = pytest.mark.slow

PLANTED: dict[str, dict[str, Any]] = yaml.safe_load((DATA / "play.yaml").read_text("utf-8"))
TOP = "format: 1\nname: Planted\nplayers: 2..4\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    # As many steps as a game may take between two decisions take a second or two.
    monkeypatch.setattr(running, "MOST_LOOKED_AT", 12_000)
    monkeypatch.setattr(inspection, "_PATIENCE", 3_000)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(title: str) -> tuple[Path, tuple[int, int]]:
    """The planted game in a folder, and where its mistake is marked in its file."""
    text, places = unmarked(TOP + PLANTED[title]["rules"])
    game = Path("planted")
    game.mkdir()
    (game / "rulebook.yaml").write_text(text, "utf-8")
    return game, places[0]


def words(title: str) -> list[str]:
    planted = PLANTED[title]
    return ["--play", str(planted["games"]), *(["--vary"] if planted.get("vary") else [])]


def rulebook(*said: str) -> Result:
    return CliRunner().invoke(main, said, env={"COLUMNS": "80"})


def found(*said: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(rulebook("validate", "planted", "--format", "json", *said).stdout)[
        "diagnostics"
    ]
    return listed


def shrunk(title: str) -> tuple[ir.Rulebook, list[Shrunk]]:
    book = load(written(title)[0]).rulebook
    assert book is not None
    hunted = hunt(Programs(book), PLANTED[title]["games"], vary=bool(PLANTED[title].get("vary")))
    small = [shrink(Programs(book), one) for one in hunted.sightings]
    return book, [one for one in small if one is not None]


# Found, and made small


@pytest.mark.parametrize("title", PLANTED)
def test_it_is_seen_only_in_play(title: str) -> None:
    game, (start, end) = written(title)
    assert found() == []
    (one,) = found(*words(title))
    assert one["code"] == PLANTED[title]["code"]
    text = (game / "rulebook.yaml").read_text("utf-8")
    line = text.count("\n", 0, start) + 1
    assert (one["line"], one["column"]) == (line, start - text.rindex("\n", 0, start))
    last = text.count("\n", 0, end) + 1
    assert one["end_line"] == last


@pytest.mark.parametrize("title", PLANTED)
def test_it_is_made_as_small_as_it_gets(title: str) -> None:
    book, (one,) = shrunk(title)
    planted = PLANTED[title]
    options = {name: "yes" if value is True else value for name, value in planted.get("options", {}).items()}
    assert (one.setting.players, changed(book, one.setting.options)) == (planted["players"], options)
    assert one.course.by_hand == planted["by_hand"]


@pytest.mark.parametrize("title", PLANTED)
def test_the_files_show_it_again(title: str) -> None:
    game, _ = written(title)
    (one,) = found(*words(title))
    scenario, save = sorted((game / FAILURES).iterdir(), key=lambda path: path.suffix, reverse=True)
    assert scenario.as_posix() in one["help"]
    (read_again,), mistakes = load_scenarios(game, scenario)
    assert mistakes == []
    (failure,) = run(read_again).failures
    assert failure.instead.split(" (in ")[0] in one["message"] or one["message"].endswith("…")
    tested = rulebook("test", str(scenario))
    assert tested.exit_code == 1 and "1 failed" in tested.stdout
    if PLANTED[title]["code"] != "RB703":  # where nothing stops the game
        resumed = rulebook("play", "--resume", str(save), "--bots", "first")
        assert resumed.exit_code == 1 and "The rules went wrong" in resumed.stderr


def test_a_scenario_of_mended_rules_passes() -> None:
    title = "a stage ends that the game is not in"
    game, _ = written(title)
    found(*words(title))
    rules = game / "rulebook.yaml"
    rules.write_text(rules.read_text("utf-8").replace("end bidding", "set late = no"), "utf-8")
    (scenario,) = (game / FAILURES).glob("*.yaml")
    assert rulebook("test", str(scenario)).exit_code == 0


# The command


def test_every_form_has_it() -> None:
    title = "a stage ends that the game is not in"
    written(title)
    shown = {form: rulebook("validate", "planted", "--play", "20", "--format", form) for form in ("text", "sarif")}
    assert {result.exit_code for result in shown.values()} == {1}
    assert "error[RB701]: In play, this went wrong" in shown["text"].stdout
    assert json.loads(shown["sarif"].stdout)["runs"][0]["results"][0]["ruleId"] == "RB701"
    assert "Planted: 60 games played, 2 to 4 players." in shown["text"].stderr


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (("--play", "20"), 1),
        (("--play", "20", "--ignore", "RB7"), 0),
        (("--play", "20", "--select", "RB702"), 0),
        (("--play", "0"), 2),
        (("--play", "20", "--watch"), 2),
        (("--play", "20", "--diff"), 2),
        (("--vary",), 2),
        (("--jobs", "2"), 2),
    ],
)
def test_it_ends_with_the_code_it_should(said: tuple[str, ...], code: int) -> None:
    written("a stage ends that the game is not in")
    assert rulebook("validate", "planted", *said).exit_code == code


def test_a_baseline_knows_it_whatever_the_seed() -> None:
    written("a stage ends that the game is not in")
    assert rulebook("validate", "planted", "--play", "20", "--write-baseline", "known.json").exit_code == 0
    again = rulebook("validate", "planted", "--play", "30", "--seed", "500", "--baseline", "known.json")
    assert again.exit_code == 0, again.stdout


def test_what_is_broken_is_not_played() -> None:
    game, _ = written("a stage ends that the game is not in")
    (game / "more.yaml").write_text("rules:\n  more: drw 2\n", "utf-8")
    result = rulebook("validate", "planted", "--play", "1")
    assert result.exit_code == 1 and "not played, before its errors are put right" in result.stderr


def test_several_processes_find_the_same() -> None:
    title = "a stage ends that the game is not in"
    written(title)
    book = load(Path("planted")).rulebook
    assert book is not None
    assert hunt(Programs(book), 20, jobs=2) == hunt(Programs(book), 20)


def test_core_and_machine_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for title in PLANTED:
        book, found = of_its_own(unmarked(TOP + PLANTED[title]["rules"])[0])
        assert book is not None, found
        by_core = hunt(Programs(book), PLANTED[title]["games"])
        with monkeypatch.context() as without:
            without.setattr(inspection, "core_of", lambda program: "There is none.")
            by_machine = hunt(Programs(book), PLANTED[title]["games"])
        assert (by_core.sightings, by_core.endless) == (by_machine.sightings, by_machine.endless)


ENDLESS = """\
memory: {table: {left: {type: -9999..9, default: 5}}}
rules:
  game: |
    repeat 2:
      say "It begins."
    loop:
      do lap()
      if left is 0:
        win players
  lap: |
    each p in players:
      p chooses one:
        "Wait":
          add -2 to left
        "Rest":
          say "They rest."
"""


def test_games_without_an_end_are_an_error_at_their_loop() -> None:
    Path("planted").mkdir()
    Path("planted/rulebook.yaml").write_text(TOP + ENDLESS, "utf-8")
    result = rulebook("validate", "planted", "--play", "2", "--format", "json")
    assert result.exit_code == 1
    (one,) = [one for one in json.loads(result.stdout)["diagnostics"] if one["code"] == "RB705"]
    assert (one["severity"], one["line"], one["column"]) == ("error", 9, 5)
    assert one["message"].startswith("2 of 2 random games with 2 players came to no end")
    Path("planted/rulebook.yaml").write_text(TOP + ENDLESS.replace("left is 0", "left <= 0"), "utf-8")
    assert rulebook("validate", "planted", "--play", "2").exit_code == 0


def test_a_few_long_games_are_no_error() -> None:
    book, found = of_its_own(TOP + ENDLESS.replace("left is 0", "left < -9000"))
    assert book is not None, found
    setting = Setting(2, {})
    assert not [*find_lost(Programs(book), [Lost(setting, 10, 8, 0)])]
    # It ends, if it is played farther than games go.
    assert [one.code for one in find_lost(Programs(book), [Lost(setting, 10, 9, 0)])] == ["RB706"]
    book, found = of_its_own(TOP + ENDLESS)
    assert book is not None, found
    assert [one.code for one in find_lost(Programs(book), [Lost(setting, 10, 9, 0)])] == ["RB705"]


def test_other_house_rules_get_games_with_every_number_of_players() -> None:
    written("a number leaves its range with three players and one house rule")
    book = load(Path("planted")).rulebook
    assert book is not None
    assert planned(book, 10, vary=False) == 30
    assert planned(book, 10, vary=True) == 30 + 2 * 10


def test_our_own_bug_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = written("a stage ends that the game is not in")
    check = invariants.find_problems

    def planted(program: Any, state: Any) -> Any:
        yield from check(program, state)
        if sum(state[COUNTS]) > 3:
            yield "A fourth decision has gone missing."

    monkeypatch.setattr(invariants, "find_problems", planted)
    result = rulebook("validate", "planted", "--play", "2")
    assert result.exit_code == 3
    assert "this is our bug, not yours: Planted, 2 players" in result.stderr
    (save,) = (game / FAILURES).glob("ours*.jsonl")
    assert len(read_journal(save).entries) == 3


def test_ctrl_c_says_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    written("a stage ends that the game is not in")

    class Interrupted(Progress):
        def __call__(self, done: int, games: int) -> None:
            super().__call__(done, games)
            if done >= 10:
                raise KeyboardInterrupt

    monkeypatch.setattr("rulebook.commands.validate.Progress", Interrupted)
    result = rulebook("validate", "planted", "--play", "20")
    assert result.exit_code == 130
    assert "Planted: stopped after 10 of 60 games" in result.stderr


def test_there_are_names_for_the_most_players() -> None:
    assert len(set(NAMES)) == MOST_PLAYERS


def test_the_codes_are_about_play() -> None:
    assert {template(one["code"]).bad[0].kind for one in PLANTED.values()} == {"play"}


# What never came about

NEVER = """\
memory: {player: {mana: {type: 0..9, default: 0}}}
actions:
  rest: {name: Rest, effect: "if me.mana < 3:\\n  add 1 to me.mana"}
  storm: {name: Storm, possible: me.mana > 4, effect: win me}
rules:
  game: |
    repeat 20:
      each p in players:
        p chooses deed from actions where possible(p)
        do deed.effect(p)
result: {rank: most mana}
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_was_asked_in_vain_is_told(jobs: str) -> None:
    Path("planted").mkdir()
    rules = Path("planted/rulebook.yaml")
    rules.write_text(TOP + NEVER, "utf-8")
    one = next(one for one in found("--play", "200", "--jobs", jobs) if one["code"] == "RB704")
    assert one["line"] == 7
    assert "times in 600 random games" in one["help"]
    if jobs != "1":
        return  # what follows does not hang on who has played
    assert rulebook("validate", "planted", "--play", "200", "--fail-on", "warning").exit_code == 0, "it is a guess"
    assert found("--play", "199") == [], "too few games to say so"
    # A label that may often not be chosen is one that sometimes may.
    label = '        p may choose one:\n          "Boast" if p.mana > 2:\n            say "Ha!"\n'
    rules.write_text(TOP + NEVER.replace("mana > 4", "mana > 2").replace("result", label + "result"), "utf-8")
    assert found("--play", "20") == []


SNAILS = """
format: 1
name: Snails
players: 2..2
memory: {player: {steps: 0}}
rules:
  game: |
    loop:
      each me in players:
        choose far from 1..3 "How far?"
        add far to me.steps
        if me.steps is 30:
          win me
"""


def test_many_games_that_surely_never_end_are_told(tmp_path: Path) -> None:
    """Whoever jumps over the goal never wins; that others end is no comfort. Of games that are only long it is not."""
    for rules, told in ((SNAILS, True), (SNAILS.replace("is 30", "is 30 or me.steps > 6000"), False)):
        (tmp_path / "rulebook.yaml").write_text(rules, "utf-8")
        run = CliRunner().invoke(main, ["validate", str(tmp_path), "--play", "60", "--format", "json"])
        codes = [one["code"] for one in json.loads(run.stdout)["diagnostics"]]
        assert ("RB705" in codes) is told, run.stdout
