"""Every declared name of a bundled game becomes nonsense, and nothing changes: the engine knows no game."""

import json
from functools import cache
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner, Result
from renaming import Renamed, rename
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.dsl import schema
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.structuring import declarations
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.lsp.occurrences import LANGUAGE, list_pieces_of_file
from rulebook.playtest.scenarios.reading import count_scenarios


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("renamed")


@pytest.fixture
def renamed(bundled_game: Path, folders: Path) -> Renamed:
    return _renamed(bundled_game, folders)


@cache
def _renamed(game: Path, folders: Path) -> Renamed:
    return rename(game, folders)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_every_declared_name_is_another(bundled_game: Path, renamed: Renamed) -> None:
    merged, _, _ = read_folder(bundled_game)
    copy, _, found = read_folder(renamed.folder)
    assert merged is not None and copy is not None, found
    before, after = list(declarations.list_declared(merged)), list(declarations.list_declared(copy))
    assert len(before) == len(after) > 5
    for one, other in zip(before, after, strict=True):
        assert (one.section, renamed.word(one.owner)) == (other.section, other.owner)
        if one.name not in LANGUAGE:
            assert other.name == renamed.names[one.name] != one.name
    # What cannot be renamed: `game`, from which everything starts, `box`, hooks that actions have too, and an option
    # that is called like something that is there already (`options.cards`, and all `cards`).
    kept = {one.name for one in before if one.name in LANGUAGE}
    assert kept <= {"game", "effect", "possible", "cards", "box"}


@pytest.mark.slow
def test_the_copy_has_no_mistakes(bundled_game: Path, renamed: Renamed) -> None:
    result = run("validate", renamed.folder)
    assert (result.exit_code, result.output) == (0, "1 game checked, no problems.\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["exposed", "cheat", "liars_dice"])
def test_the_scenarios_of_the_copy_pass(name: str, folders: Path) -> None:
    """Those of the games themselves pass in `test_coverage.py`; here it is about what reads, plays and judges them."""
    game = library.find_game(name)
    result, many = run("test", _renamed(game, folders).folder), count_scenarios(game)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == f"{many} scenarios: {many} passed, 0 failed."


@pytest.mark.slow
def test_simulations_give_the_same_numbers(bundled_game: Path, renamed: Renamed) -> None:
    words = ("--players", str(load_game(bundled_game).players[-1]), "--games", "8", "--seed", "5", "--json")
    played = [(folder, run("simulate", folder, *words)) for folder in (bundled_game, renamed.folder)]
    assert [result.exit_code for _, result in played] == [0, 0]
    # Commands to see a game again name its folder.
    numbers = [json.loads(result.output.replace(str(folder), "game")) for folder, result in played]
    for one in numbers:
        # The hash is one of the names, too.
        del one["seconds"], one["rules"]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("words", [("--players", "99"), ("--set", "nonsense=1"), ("--bots", "nobody")])
def test_refusals_have_the_same_exit_code(folders: Path, words: tuple[str, ...]) -> None:
    game = library.find_game("liars_dice")
    for folder in (game, _renamed(game, folders).folder):
        assert run("simulate", folder, *words).exit_code == 2


@pytest.mark.slow
def test_games_go_the_same_way(bundled_game: Path, renamed: Renamed) -> None:
    rules, copy = load_game(bundled_game), load_game(renamed.folder)
    players = rules.players[0]  # simulations have the most
    game, twin = Game(lower(rules, players), 0), Game(lower(copy, players), 0)
    source, other = Source(0, "answers"), Source(0, "answers")
    while not game.over:
        asks, asked = _asks(game), _asks(twin)
        assert len(asks) == len(asked)
        for one, two in zip(asks, asked, strict=True):
            assert_same_ask(renamed, one, two)
        assert renamed.same(game.state, twin.state, sorts=False)
        _answer(game, source)
        _answer(twin, other)
    assert twin.over
    assert len(twin.entries) == len(game.entries) > 0
    for entry, theirs in zip(game.entries, twin.entries, strict=True):
        assert (entry.seat, entry.number) == (theirs.seat, theirs.number)
        assert tuple(renamed.word(key) for key in entry.answer) == tuple(renamed.word(key) for key in theirs.answer)
    assert twin.outcome == game.outcome
    for seat in range(players):
        before, after = game.view(seat).to_json(), twin.view(seat).to_json()
        assert len(before["events"]) == len(after["events"])
        for event, theirs in zip(before["events"], after["events"], strict=True):
            assert renamed.same(event, theirs), f"{event} became {theirs}"
        assert renamed.same(before["view"], after["view"])


def _asks(game: Game) -> tuple[Ask, ...]:
    assert game.decision is not None
    return game.decision.asks


def _answer(game: Game, source: Source) -> None:
    asks = _asks(game)
    asked = asks[source.below(len(asks))]
    game.answer(asked.seat, game.machine.random_answer(game.state, asked, source.below), asked.number)


def assert_same_ask(renamed: Renamed, ask: Ask, other: Ask) -> None:
    assert len(ask.options) == len(other.options)
    assert [one.count for one in ask.options] == [one.count for one in other.options]
    for one, two in zip(ask.options, other.options, strict=True):
        # A key holds an id, but for that of a label, which people read.
        assert two.key == (one.key if one.key.startswith("label:") else renamed.word(one.key))
    assert renamed.same(ask.to_json(), other.to_json())


def test_whatever_display_is_kept_by_is_a_name(tmp_path: Path) -> None:
    kept_by = {key.name for key in attrs.fields(schema.Display) if str(key.type).startswith("dict[")}
    (file := tmp_path / "rulebook.yaml").write_text(
        "display:\n" + "".join(f"  {key}: {{probe_{key}: Word}}\n" for key in sorted(kept_by)), "utf-8"
    )
    named = {piece.word.removeprefix("probe_") for piece in list_pieces_of_file(file, ())}
    assert kept_by - named == {"about"}, "whose headings people read"
    assert len(kept_by) > 5
