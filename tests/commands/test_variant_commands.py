"""`--variant` and `--set` in every command, `list --variants`, `show --resolved` and `rulebook diff`: what people read.

What is printed stands in files in `data/variants`. One that is changed on purpose is written anew with
`UPDATE_SCREENS=1`; then look at what became of it.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from paths import DATA

from rulebook import library
from rulebook.cli import COMMANDS, main
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import read_journal
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.widths import width

FILES = DATA / "variants"


@pytest.fixture(autouse=True)
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game of the data, in the folder where one stands."""
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "RULEBOOK_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    shutil.copytree(FILES / "fair", "fair")
    return Path("fair")


def run(*words: str, columns: int = 80, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed, env={"COLUMNS": str(columns)})


SHOWN = {
    "diff-long_day": ("diff", "./fair", "long_day"),
    "diff-small_fair": ("diff", "./fair", "small_fair"),
    "diff-two": ("diff", "./fair", "long_day", "sober"),
    "diff-from": ("diff", "./fair", "long_day", "sober", "--from", "long_day"),
    "show": ("show", "./fair", "--variant", "long_day"),
    "list": ("list", "--variants"),
}
AS_IT_IS = {
    "patch": ("diff", "./fair", "long_day", "--patch"),
    "resolved": ("show", "./fair", "--resolved", "--variant", "long_day", "--variant", "sober"),
    "resolved-work": ("show", "./fair", "work", "--resolved", "--variant", "long_day"),
    "resolved-carousel": ("show", "./fair", "Carousel", "--resolved", "--variant", "long_day"),
    "resolved-lottery": ("show", "./fair", "lottery", "--resolved", "--variant", "long_day"),
    "paths": ("show", "./fair", "set_up", "--paths"),
    "resolved-path": ("show", "./fair", "cards.rifle_range.open", "--resolved", "--variant", "long_day"),
}
"""Code and places in files, which are as wide as they are."""


def test_what_has_no_sentences_says_so() -> None:
    answer, place, nothing = (run("show", "exposed", name, "--paths") for name in ("is_decided", "board", "bord"))
    assert answer.exit_code == 0 and answer.stdout.startswith("values.is_decided\n  One answer.")
    assert place.exit_code == 2 and "'board' has no script" in place.stderr
    assert nothing.exit_code == 2 and "There is nothing called 'bord'" in nothing.stderr


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown(name: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "bundled", Path)
    result = run(*SHOWN[name], columns=columns)
    assert result.exit_code == 0, result.output
    compared(f"{name}-{columns}", result.stdout)
    code = [line for line in result.stdout.splitlines() if width(line) >= columns]
    assert all(line.startswith("    ") for line in code), "only scripts may be wider"


@pytest.mark.parametrize("name", AS_IT_IS)
def test_what_is_shown_as_it_is(name: str) -> None:
    result = run(*AS_IT_IS[name])
    assert result.exit_code == 0, result.output
    compared(name, result.stdout)


def test_what_is_shown_of_a_variant_that_changes_lines() -> None:
    shutil.copyfile(FILES / "by_line.yaml", "fair/variants/by_line.yaml")
    words = [("diff", "./fair", "by_line"), ("diff", "./fair", "by_line", "--patch")]
    words += [("show", "./fair", about, "--resolved", "--variant", "by_line") for about in ("set_up", "turn")]
    results = [run(*asked) for asked in words]
    assert not any(result.exit_code for result in results), [result.output for result in results]
    compared("by_line", "\n".join(result.stdout for result in results))


def compared(name: str, text: str) -> None:
    file = FILES / f"{name}.txt"
    if os.environ.get("UPDATE_SCREENS"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


# ── diff ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_numbers_of_players_that_can_play_are_named() -> None:
    file = Path("fair/rulebook.yaml")
    text = file.read_text("utf-8").replace("players: 2..4", "players: [2, 4]")
    file.write_text(text.replace("copies: count(players) + 2", "copies: 4"), "utf-8")
    assert "  2 or 4 players: 12 → 13\n" in run("diff", "./fair", "long_day").stdout


def test_a_copy_that_somebody_changed_is_compared_as_a_whole() -> None:
    shutil.copytree("fair", "theirs")
    assert "\nNothing is different.\n" in run("diff", "./fair", "./theirs").stdout
    file = Path("theirs/rulebook.yaml")
    file.write_text(file.read_text("utf-8").replace("copies: count(players) + 2", "copies: 4"), "utf-8")
    head, _, rest = run("diff", "./fair", "./theirs", columns=120).stdout.partition("\n")
    patch = run("diff", "./fair", "./theirs", "--patch").stdout
    assert head.endswith("(./theirs), compared with Fair (./fair)"), head
    assert "copies: count(players) + 2 → 4" in rest
    assert "fair/rulebook.yaml:" in patch and "theirs/rulebook.yaml:" in patch
    refused = run("diff", "./fair", "./theirs", "long_day")
    assert refused.exit_code == 2


def test_a_variant_that_is_named_twice_is_told_once() -> None:
    refused = run("simulate", "./fair", "--games", "1", "--variant", "long_day", "--variant", "long_day")
    assert refused.exit_code == 1
    assert "There are two things called `long_day`" in refused.stderr and "1 error in 1 file" in refused.stderr


def test_a_diff_for_programs() -> None:
    found = json.loads(run("diff", "./fair", "long_day", "--json").stdout)
    assert (found["game"], found["from"], found["variants"]) == ("fair", [], ["long_day"])
    assert found["cards"] == {str(n): {"before": 8 + 2 * n, "after": 9 + 2 * n} for n in (2, 3, 4)}
    by_path = {one["path"]: one for one in found["changes"]}
    assert {path: one["what"] for path, one in by_path.items()} == {
        "options.days.default": "changed",
        "options.entry.default": "changed",
        "cards.prize.copies": "changed",
        "cards.rifle_range.open.money": "changed",
        "cards.lottery": "removed",
        "cards.carousel": "added",
        "values.rich(p)": "added",
        "rules.turn(me)": "hung",
        "actions.work.effect": "hung",
        "actions.rest": "added",
    }
    money = by_path["cards.rifle_range.open.money"]
    assert (money["before"], money["after"]) == ("me.purse >= 3 penny", "me.purse >= 5 penny")
    assert money["was"] == {"file": "fair/rulebook.yaml", "line": 44}
    verb = {"variant": "long_day", "verb": "change", "file": "fair/variants/long_day.yaml", "line": 7}
    assert money["by"] == [verb]
    assert by_path["cards.carousel"]["was"] is None and len(by_path["cards.carousel"]["by"]) == 2


def test_a_variant_back_to_the_game_itself() -> None:
    # What one variant does and another takes back is no difference.
    Path("fair/variants/as_ever.yaml").write_text(
        "variant: as_ever\nname: As ever\nextends: fair\nfollows: small_fair\n"
        "set: {days: 2}\nchange: {players: 2..4, name: Fair, places.player.hand.seen_by: owner}\n"
    )
    text = run("diff", "./fair", "small_fair", "as_ever").stdout
    assert "Days at the fair" not in text and "Players:" not in text and "seen_by" not in text
    assert "Removed: Rifle range, 1 card [small_fair]" in text
    Path("fair/variants/none.yaml").write_text("variant: none\nname: None\nextends: fair\nset: {days: 2}\n")
    assert run("diff", "./fair", "none").stdout.endswith("\nNothing is different.\n")


def test_from_one_variant_to_another() -> None:
    text = run("diff", "./fair", "small_fair", "--from", "long_day").stdout
    assert text.startswith("Village fair with A small fair, compared with Fair with A long day\n")
    assert "Days at the fair: 4 → 1" in text
    assert "Removed: Carousel, 1 card" in text and "New card: Lottery, 1 card" in text
    assert "The rule turn" in text, "what hung on it is gone with it"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("./fair",), 2, "Missing argument 'VARIANT"),
        (("./fair", "log_day"), 2, "There is no variant “log_day” of fair. Did you mean long_day?"),
        (("./nowhere", "long_day"), 2, "There is no rulebook.yaml in ./nowhere."),
        (("./fair", "small_fair", "sober"), 1, "Nobody is sober at a small fair."),
        (("./fair", "long_day", "--patch", "--json"), 2, "--patch and --json cannot be given together."),
    ],
)
def test_what_cannot_be_compared(words: tuple[str, ...], code: int, said: str) -> None:
    result = run("diff", *words)
    assert result.exit_code == code
    assert said in " ".join(result.stderr.split())


# ── every command ────────────────────────────────────────────────────────────────────────────────────────────────────

EVERY = {
    "play": ("play", "./fair", "--bots", "random", "--seed", "1"),
    "simulate": ("simulate", "./fair", "--games", "1", "--seed", "1"),
    "tree": ("tree", "./fair"),
    "show": ("show", "./fair"),
    "validate": ("validate", "./fair", "--play", "1"),
    "test": ("test", "./fair/scenarios/long_day.yaml"),
    "leaks": ("leaks", "./fair", "--games", "1"),
    "dis": ("dis", "./fair", "game"),
    "print": ("print", "./fair", "--for", "nandeck", "--to", "cards.csv"),
}
OTHERWISE = {"serve", "compare", "tune"}
"""Commands that have both options, and wait, or say by them what is compared or searched."""


def test_every_command_with_both_options_is_asked() -> None:
    assert isinstance(main, click.Group)
    found = set()
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        if {"--variant", "--set"} <= {word for option in command.params for word in option.opts}:
            found.add(name)
    assert found == {*EVERY, *OTHERWISE}


@pytest.mark.slow
@pytest.mark.parametrize("command", EVERY)
def test_both_options_are_the_same_in_every_command(command: str) -> None:
    words = EVERY[command]
    file = ("--variant", "fair/variants/long_day.yaml")
    assert run(*words, *file, "--set", "days=1", "--set", "hand_size=1").exit_code == 0
    for wrong, said in {
        ("--variant", "long_dy"): "There is no variant “long_dy” of fair. Did you mean long_day?",
        ("--set", "days=9"): "`days` cannot be `9`: it must be a whole number from 1 to 5.",
        ("--set", "dys=2"): "There is no option `dys`. Did you mean `days`?",
        ("--set", "days"): "--set needs NAME=VALUE, for example --set rounds=5; not 'days'.",
    }.items():
        result = run(*words, *wrong)
        assert result.exit_code == 2, (wrong, result.output)
        assert said in result.stderr
    result = run(*words, "--variant", "small_fair", "--variant", "sober")
    assert result.exit_code == 1
    assert "Nobody is sober at a small fair." in " ".join(result.output.split())


def test_what_is_set_beats_what_a_variant_sets() -> None:
    shown = run("show", "./fair", "--variant", "long_day", "--set", "days=3").stdout
    assert "With the variant\n  long_day" in shown
    assert "Days at the fair (3 unless set" in shown
    assert "What it costs to come in (2 crown unless set)" in shown
    assert "(2 unless set" in run("show", "./fair").stdout


def test_simulations_name_their_variants() -> None:
    words = ("simulate", "./fair", "--games", "2", "--seed", "1")
    assert json.loads(run(*words, "--json").stdout)["variants"] == []
    both = run(*words, "--variant", "long_day", "--variant", "sober", "--json").stdout
    assert json.loads(both)["variants"] == ["long_day", "sober"]
    said = run(*words, "--variant", "long_day").stdout
    assert said.startswith("Fair with A long day, 2 players (random), 2 games, seed 1\n")


def test_what_a_variant_sets_is_what_is_set() -> None:
    loaded = load(Path("fair"))
    rulebook, found = loaded.rulebook, loaded.messages
    Path("fair/variants/later.yaml").write_text("variant: later\nname: Later\nextends: fair\nset: {days: 3}\n")
    loaded = load(Path("fair"), [Path("fair/variants/later.yaml")])
    varied, more = loaded.rulebook, loaded.messages
    assert rulebook is not None and varied is not None and found == more == []
    # The rules are the same, and so is a game that was played by them.
    assert lower(varied, 2).rules_hash == lower(rulebook, 2, {"days": 3}).rules_hash != lower(rulebook, 2).rules_hash


@pytest.mark.slow
def test_scenarios_under_a_variant_and_house_rules() -> None:
    assert run("test", "./fair/scenarios/work.yaml").exit_code == 0
    result = run("test", "./fair/scenarios/work.yaml", "--variant", "long_day")
    assert result.exit_code == 1 and "Ana.purse is 2 penny" in result.stdout
    assert "failed under a variant that their files do not name" in result.stdout
    assert "their files do not name" not in run("test", "./fair").stdout
    text = "scenarios:\n  A:\n    given: {players: [Ana, Ben]}\n    expect: options.days is 5\n"
    Path("fair/scenarios/days.yaml").write_text(text)
    assert run("test", "./fair/scenarios/days.yaml").exit_code == 1
    assert run("test", "./fair/scenarios/days.yaml", "--set", "days=5").exit_code == 0
    said = run("test", "./fair/scenarios/work.yaml", "--coverage", "--variant", "long_day").stdout
    assert "Coverage of Fair with A long day" in said and "long_day.yaml" in said
    result = run("validate", "./fair", "--set", "days=5")
    assert result.exit_code == 2 and "are about the games of --play N" in result.stderr
    assert (
        "Fair: 3 games played, 2 to 4 players, days=5."
        in run("validate", "./fair", "--play", "1", "--set", "days=5").stderr
    )


# ── saves ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_save_brings_its_variants() -> None:
    result = run(
        "play", "./fair", "--seats", "Ana,bot", "--seed", "1", "--variant", "long_day", "--set", "days=1", typed="q\n"
    )
    assert result.exit_code == 0, result.output
    (save,) = Path("data/rulebook/saves").iterdir()
    header = read_journal(save).header
    assert header.variants == ("long_day",) and header.options["days"] == 1
    assert header.rules["variants/long_day.yaml"] == Path("fair/variants/long_day.yaml").read_text("utf-8")
    # People read its name, also where no rules are loaded.
    assert "1  fair with A long day  Ana, Bot 1 · 0 answers" in run("play", "--resume").stdout
    assert run("replay", str(save)).stdout.startswith("Fair with A long day\n")
    # It is played on by the rules that it carries, whatever has become of the files.
    Path("fair/variants/long_day.yaml").unlink()
    Path("fair/rulebook.yaml").write_text("nothing")
    resumed = run("play", "--resume", str(save), typed="q\n")
    assert resumed.exit_code == 0, resumed.output
    assert "Fair with A long day" in resumed.stdout
    refused = run("play", "--resume", str(save), "--variant", "sober")
    assert refused.exit_code == 2 and "A saved game brings its rules" in refused.stderr
    rulebook = load(FILES / "fair", [FILES / "fair/variants/long_day.yaml"]).rulebook
    assert rulebook is not None
    assert Game.load(save, lambda one: lower(rulebook, 2, dict(one.options))).program.rules_hash == header.rules_hash


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("long_day", "The variant `long_day` was played, and its text is not there."),
        ("nothing", "The variant `nothing` was played, and its text is not there."),
        ("../../long_day", "`variants` is missing or damaged"),
    ],
)
def test_a_save_names_no_file_of_ours(id: str, words: str) -> None:
    run("play", "./fair", "--seats", "Ana,bot", "--seed", "1", "--variant", "long_day", typed="q\n")
    (save,) = Path("data/rulebook/saves").iterdir()
    lines = save.read_text("utf-8").replace('"variants":["long_day"]', f'"variants":["{id}"]')
    save.write_text(lines.replace("variants/long_day.yaml", "variants/other.yaml"), "utf-8")
    result = run("play", "--resume", str(save), typed="q\n")
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_game_under_a_variant_that_is_called_otherwise_than_its_file_goes_on() -> None:
    Path("stray.yaml").write_text("variant: night\nname: Night\nextends: fair\nadd: {values.owls(): 3}\n", "utf-8")
    begun = run("play", "./fair", "--seats", "Ana,bot", "--seed", "1", "--variant", "./stray.yaml", typed="q\n")
    assert begun.exit_code == 0, begun.stderr
    (save,) = Path("data/rulebook/saves").iterdir()
    result = run("play", "--resume", str(save), typed="q\n")
    assert result.exit_code == 0 and "have changed" not in result.stdout + result.stderr


def test_what_goes_wrong_under_a_variant_comes_again() -> None:
    Path("fair/variants/broken.yaml").write_text(
        "variant: broken\nname: Broken\nextends: fair\n"
        'after: {rules.turn: "set me.purse = 3 penny / (count(me.hand) - count(me.hand))"}\n'
    )
    result = run("validate", "./fair", "--variant", "broken", "--play", "2")
    assert result.exit_code == 1 and "RB701" in result.stdout
    (scenario,) = Path("fair/failures").glob("*.yaml")
    assert "variants: [broken]" in scenario.read_text("utf-8")
    assert run("test", str(scenario)).exit_code == 1
    (save,) = Path("fair/failures").glob("*.jsonl")
    resumed = run("play", "--resume", str(save), "--bots", "first")
    assert resumed.exit_code == 1 and "The rules went wrong" in resumed.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", [("compare", "./fair", "--games", "20"), ("simulate", "./fair", "--games", "20")])
def test_commands_that_are_printed_name_a_file_as_it_was_given_and_can_be_typed(words: tuple[str, ...]) -> None:
    shutil.move("fair/variants/long_day.yaml", "my own.yaml")
    printed = run(*words, "--variant", "./my own.yaml", columns=400).stdout
    commands = [shlex.split(line.strip()) for line in printed.splitlines() if line.strip().startswith("rulebook ")]
    assert any("./my own.yaml" in command for command in commands), printed
    for _, *command in commands:
        done = run(*command)
        assert done.exit_code == 0, (command, done.output)


def test_a_mistake_in_a_variant_is_no_mistake_of_the_game() -> None:
    text = "variant: mine\nname: Mine\nextends: fair\nchange:\n  cards.nobody.copies: 3\n"
    Path("mine.yaml").write_text(text, "utf-8")
    refused = run("diff", "./fair", "./mine.yaml")
    assert refused.exit_code == 1
    assert "Error: The rules in mine.yaml cannot be played before this is put right." in refused.output
