"""New games, cards and scenarios: they validate as they stand, and nothing is ever replaced."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulebook import library
from rulebook.authoring.beginnings import begin_card
from rulebook.authoring.schema import find_schema_path
from rulebook.cli import main
from rulebook.diagnostics.render import render_text
from rulebook.dsl.passes import check_rulebook
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.structuring.structure import structure
from rulebook.library import find_games, find_variant, sheet_files, variants_of
from rulebook.loading import load
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.validation import find_problems

CRAZY_EIGHTS = library.find_game("crazy_eights")
MODELINE = "# yaml-language-server: $schema="


def run(*words: str) -> Any:
    return CliRunner().invoke(main, list(words))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    result = run("new", "game", "tower_of_gems")
    assert result.exit_code == 0, result.output
    assert "rulebook play ./tower_of_gems" in result.output
    return Path("tower_of_gems")


@pytest.mark.slow
def test_a_new_game_is_right_passes_and_can_be_played(begun: Path) -> None:
    assert find_problems(begun) == []
    assert run("validate", str(begun), "--fail-on", "tip").exit_code == 0
    tested = run("test", "./tower_of_gems")
    assert tested.exit_code == 0 and "2 scenarios: 2 passed" in tested.output, tested.output
    played = run("play", "./tower_of_gems", "--seats", "bot,bot,bot", "--seed", "3")
    assert played.exit_code == 0 and "Tower of gems" in played.output, played.output
    assert find_schema_path(begun).is_file()
    for file in begun.rglob("*.yaml"):
        first = file.read_text("utf-8").split("\n")[0]
        assert first.startswith(MODELINE)
        assert (file.parent / first.removeprefix(MODELINE)).samefile(find_schema_path(begun))


@pytest.mark.parametrize("name", ["./a b-c", "deep/er/game", "Ümlaut", "true", "7"])
def test_a_game_may_be_called_anything(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun = run("new", "game", name)
    assert begun.exit_code == 0
    assert Path(shlex.split(begun.output)[-1]) == Path(name)  # as a shell reads it
    assert find_problems(Path(name)) == []


COPIED = [game for game in find_games() if game.name == "exposed" or not variants_of(game)]
"""One with variants shows what becomes of these; the others are copied, each under one, in `test_own_game.py`."""


@pytest.mark.slow
@pytest.mark.parametrize("game", COPIED, ids=lambda game: game.name)
def test_a_copy_of_a_game_is_as_right_as_the_game(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = "./My copy's 2nd!"
    done = run("new", "game", folder, "--from", game.name)
    assert done.exit_code == 0, done.output
    written, copied = ({file.relative_to(of) for file in of.rglob("*.yaml")} for of in (game, tmp_path / folder))
    assert copied == {file for file in written if "failures" not in file.parts}
    for file in variants_of(tmp_path / folder)[2:]:  # each takes as long again, and says no more
        file.unlink()
        (tmp_path / folder / "scenarios" / file.name).unlink()
    assert run("validate", folder).exit_code == 0
    assert run("test", folder).exit_code == 0
    assert run("new", "game", folder, "--from", game.name).exit_code == 2


def test_nothing_is_replaced(begun: Path) -> None:
    assert run("new", "card", "./tower_of_gems", "opal", "--kind", "gem").exit_code == 0
    assert run("new", "scenario", "./tower_of_gems", "A test").exit_code == 0
    assert run("new", "variant", "./tower_of_gems", "quick").exit_code == 0
    (begun / "amber.yaml").write_text("# of its author\n", "utf-8")
    (begun / "emptied").mkdir()
    before = tree(begun)
    for words in (
        ("game", "tower_of_gems"),
        ("card", "./tower_of_gems", "opal", "--kind", "gem"),
        ("card", "./tower_of_gems", "amber", "--kind", "gem"),
        ("card", "./tower_of_gems", "keep", "--kind", "gem"),
        ("scenario", "./tower_of_gems", "A test"),
        ("scenario", "./tower_of_gems", "a-test"),
        ("variant", "./tower_of_gems", "quick"),
    ):
        result = run("new", *words)
        assert result.exit_code == 2, words
        assert "is there already" in result.output and "Nothing was written." in result.output, words
    assert tree(begun) == before
    assert run("new", "game", "tower_of_gems/emptied").exit_code == 0, "an empty folder is no game"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("card", "./tower_of_gems", "opal", "--kind", "gme"), "Did you mean gem?"),
        (("card", "./tower_of_gems", "Opal", "--kind", "gem"), "small letters"),
        (("card", "./tower_of_gems", "with", "--kind", "gem"), "no word of the language"),
        (("card", "./tower_of_gems", "../x", "--kind", "gem"), "small letters"),
        (("card", "./tower_of_gems", "opal"), "Say with --kind what opal is. The kinds are: gem"),
        (("card", "./tower", "opal", "--kind", "gem"), "rulebook.yaml"),
        (("scenario", "./tower_of_gems", " "), "title"),
        (("variant", "./tower_of_gems", "Quick"), "small letters"),
        (("variant", "./tower", "quick"), "rulebook.yaml"),
        (("verdict", "./tower_of_gems", "quick"), "verdict"),
    ],
)
def test_what_cannot_be_begun(words: tuple[str, ...], said: str, begun: Path) -> None:
    before = tree(begun)
    result = run("new", *words)
    assert result.exit_code == 2 and said in result.output, result.output
    assert tree(begun) == before


def test_a_game_with_mistakes_is_not_added_to(begun: Path) -> None:
    rules = begun / "rulebook.yaml"
    rules.write_text(rules.read_text("utf-8").replace("kept: bag", "kept: bga"), "utf-8")
    result = run("new", "card", "./tower_of_gems", "opal", "--kind", "gem")
    assert result.exit_code == 1 and "RB411" in result.output
    assert not (begun / "opal.yaml").exists()


def test_a_new_scenario_passes(begun: Path) -> None:
    for title in ('It\'s "this": a test, with #signs', "no", "Ärger", "Plain words"):
        result = run("new", "scenario", "./tower_of_gems", title)
        assert result.exit_code == 0, result.output
    assert find_problems(begun) == []
    assert {one.title for one in load_scenarios(begun)[0]} >= {'It\'s "this": a test, with #signs', "no", "Ärger"}
    assert run("test", "./tower_of_gems").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", find_games(), ids=lambda one: one.name)
def test_a_new_variant_of_every_game_is_another_game(game: Path, tmp_path: Path) -> None:
    folder = copied(game, tmp_path / game.name)
    result = run("new", "variant", str(folder), "long_night")
    assert result.exit_code == 0 and "--variant long_night" in result.output, result.output
    file = find_variant(folder, "long_night")
    loaded = load(folder, [file], meant=True)
    under, found = loaded.rulebook, loaded.messages
    loaded = load(folder, meant=True)
    alone, before = loaded.rulebook, loaded.messages
    assert under is not None and alone is not None and under != alone
    assert len(found) == len(before), render_text(found)


def test_the_schema_knows_the_new_card(begun: Path) -> None:
    assert run("new", "card", "./tower_of_gems", "opal", "--kind", "gem").exit_code == 0
    assert '"opal"' in find_schema_path(begun).read_text("utf-8")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game inside the package, as pip puts it there, and an empty folder to be in."""
    package = tmp_path / "rulebook"
    (package / "cards").mkdir(parents=True)
    monkeypatch.setattr(library, "__file__", str(package / "library.py"))
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")
    return copied(CRAZY_EIGHTS, package / "cards" / "crazy_eights")


def test_a_variant_of_an_installed_game_is_written_here_and_says_how_it_is_played(installed: Path) -> None:
    before = tree(installed)
    done = run("new", "variant", "crazy_eights", "refill_four")
    assert done.exit_code == 0 and tree(installed) == before, done.output
    assert [file.name for file in Path().iterdir()] == ["refill_four.yaml"]
    command = done.output.splitlines()[-1].removeprefix("Play it: ")
    assert command == "rulebook play crazy_eights --variant ./refill_four.yaml"
    played = run(*shlex.split(command)[1:], "--seats", "bot,bot", "--seed", "3")
    assert played.exit_code == 0 and "Refill four" in played.output, played.output
    assert run("new", "variant", "crazy_eights", "refill_four").exit_code == 2


@pytest.mark.parametrize(
    "words", [("new", "card", "crazy_eights", "joker", "--kind", "card"), ("new", "scenario", "crazy_eights", "A test")]
)
def test_nothing_is_written_into_an_installed_game(words: tuple[str, ...], installed: Path) -> None:
    before = tree(installed)
    done = run(*words)
    assert done.exit_code == 2 and tree(installed) == before
    assert "rulebook new game ./crazy_eights --from crazy_eights" in " ".join(done.output.split())
    assert run("schema", "crazy_eights").exit_code == 2 and tree(installed) == before


def test_a_new_variant_settles_no_house_rule_that_nobody_asked_for(tmp_path: Path) -> None:
    folder = copied(CRAZY_EIGHTS, tmp_path / "eights")
    assert run("new", "variant", str(folder), "quick").exit_code == 0
    lines = (folder / "variants" / "quick.yaml").read_text("utf-8").splitlines()
    assert not any(line.startswith("set:") for line in lines)
    assert any(line.startswith("# set: {") for line in lines)


def test_a_new_variant_may_begin_with_other_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an installed game it stands in a file here, which goes by its name as well."""
    folder = copied(CRAZY_EIGHTS, tmp_path / "eights")
    words = ("--change", "winning_score=200", "--change", "must_play=yes")
    assert run("new", "variant", str(folder), "mended", *words).exit_code == 0
    written = (folder / "variants" / "mended.yaml").read_text("utf-8")
    assert "set:\n  winning_score: 200\n  must_play: yes\n" in written
    assert 'about: "winning_score is 200, must_play is yes."' in written
    exposed = copied(library.find_game("exposed"), tmp_path / "exposed")
    assert run("new", "variant", str(exposed), "rich", "--change", "rules.supply.move 1=2").exit_code == 0
    rich = (exposed / "variants" / "rich.yaml").read_text("utf-8")
    assert 'about: "move 2 from lost_and_found to spot.wallets."' in rich
    refusals = {
        "winning_score=100": "is 100 already",
        "winning_score=200,300": "can have one value",
        "nothing=3": "no house rule",
    }
    for word, why in refusals.items():
        refused = run("new", "variant", str(folder), "again", "--change", word)
        assert refused.exit_code == 2 and why in " ".join(refused.output.split())
    monkeypatch.chdir(tmp_path)
    assert run("show", "crazy_eights", "--variant", "mended").exit_code == 2
    (tmp_path / "mended.yaml").write_text(written.replace("extends: eights", "extends: crazy_eights"), "utf-8")
    assert run("show", "crazy_eights", "--variant", "mended").exit_code == 0


def test_a_name_that_two_games_have_is_said_to_mean_the_bundled_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(CRAZY_EIGHTS, tmp_path / "crazy_eights")
    monkeypatch.chdir(tmp_path)
    told = "`crazy_eights` is the game that comes with rulebook; the one in this folder is `./crazy_eights`."
    assert told in run("show", "crazy_eights").output and told not in run("show", "./crazy_eights").output


def copied(game: Path, goal: Path) -> Path:
    goal.mkdir()
    for file in (*game.glob("*.yaml"), *sheet_files(game)):
        (goal / file.name).write_bytes(file.read_bytes())
    return goal


@pytest.mark.slow
@pytest.mark.parametrize("game", find_games(), ids=lambda one: one.name)
def test_a_card_of_every_kind_of_every_game(game: Path, tmp_path: Path) -> None:
    """All kinds at once: each card is valid, and none takes a place that the others leave."""
    folder = copied(game, tmp_path / game.name)
    merged, source, _ = read_folder(folder)
    assert merged is not None
    authored, _ = structure(merged, game.name, source)
    assert authored is not None
    world = check_rulebook(authored).world
    for kind in world.concrete:
        for file, text in begin_card(world, folder, kind, f"new_{kind}").items():
            file.write_text(text, "utf-8")
    errors = [one for one in find_problems(folder) if one.severity == "error"]
    assert [f"{one.code} {one.message}" for one in errors] == []


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    if os.name == "nt" or os.geteuid() == 0:
        (tmp_path / "file").write_text("", "utf-8")
        result = run("new", "game", str(tmp_path / "file" / "game"))
    else:
        tmp_path.chmod(0o500)
        result = run("new", "game", str(tmp_path / "game"))
    assert result.exit_code == 2 and "cannot be written" in result.output
