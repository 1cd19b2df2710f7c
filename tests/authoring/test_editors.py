"""A real editor's server with the schema of a game: what it completes, what it refuses, what it shows.

It needs yaml-language-server on the PATH.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import language_server
import pytest
from click.testing import CliRunner
from language_server import LanguageServer

from rulebook.authoring.schema import modeline
from rulebook.cli import main
from rulebook.library import find_games, scenario_files, variants_of

COMMAND = language_server.command()
pytestmark = pytest.mark.needs(
    COMMAND is not None, "there is no yaml-language-server here: npm install --global yaml-language-server"
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games") / "tower_of_gems"
    assert CliRunner().invoke(main, ["new", "game", str(folder)]).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def server(game: Path) -> Iterator[LanguageServer]:
    assert COMMAND is not None
    running = LanguageServer(COMMAND, game)
    yield running
    running.close()


LINE = "# yaml-language-server: $schema=.rulebook/schema.json\n"
BESIDE = "# yaml-language-server: $schema=../.rulebook/schema.json\n"


def said(server: LanguageServer, game: Path, text: str) -> list[tuple[int, str]]:
    """Line, counted from the first below the modeline, and words of each diagnostic."""
    found = server.diagnostics(game / "mine.yaml", LINE + text)
    return [(one["range"]["start"]["line"], one["message"]) for one in found]


def test_the_files_of_the_game_are_right(server: LanguageServer, game: Path) -> None:
    for file in sorted(game.rglob("*.yaml")):
        assert server.diagnostics(file, file.read_text("utf-8")) == [], file


@pytest.mark.parametrize("shipped", find_games(), ids=lambda one: one.name)
def test_nothing_is_said_against_a_shipped_game(shipped: Path, server: LanguageServer, tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    assert CliRunner().invoke(main, ["schema", str(shipped), "--out", str(schema)]).exit_code == 0
    for number, file in enumerate([*sorted(shipped.glob("*.yaml")), *variants_of(shipped), *scenario_files(shipped)]):
        here = tmp_path / f"file_{number}.yaml"
        assert server.diagnostics(here, f"{modeline(here, schema)}\n{file.read_text('utf-8')}") == [], file


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cards:\n  opal:\n    kind: |\n", {"gem"}),
        ("cards:\n  opal:\n    copy: |\n", {"pebble", "crystal", "crown"}),
        ("cards:\n  opal:\n    kind: gem\n    colour: |\n", {"red", "green", "blue"}),
        ("cards:\n  opal:\n    kind: gem\n    |\n", {"colour", "worth", "copies", "text"}),
        ("places:\n  table:\n    pit: {holds: gem, kept: |}\n", {"bag", "pile", "grid"}),
        ("places:\n  table:\n    pit:\n      holds: gem\n      kept: pile\n      refill: |\n", {"sack"}),
        ("memory:\n  table:\n    luck:\n      type: number\n      lasts: |\n", {"round", "turn"}),
        ("|\n", {"cards", "rules", "places"}),
    ],
)
def test_completion(text: str, wanted: set[str], server: LanguageServer, game: Path) -> None:
    found = server.completions(game / "mine.yaml", LINE + text)
    assert wanted <= set(found), found


def test_completion_in_scenarios(server: LanguageServer, game: Path) -> None:
    file = game / "scenarios" / "mine.yaml"
    head = BESIDE + "scenarios:\n  One:\n"
    found = server.completions(file, head + "    given:\n      players: [Ana, Ben]\n      sack: [|]\n    expect: yes\n")
    assert {"crown", "pebble.red"} <= set(found), found
    assert {"given", "expect", "answers"} <= set(server.completions(file, head + "    |\n"))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("cards:\n  opal: {kind: gem, colour: red, worth: 1, colur: red}\n", 2, "colur"),
        ("cards:\n  opal: {kind: gme, colour: red, worth: 1}\n", 2, "gem"),
        ("cards:\n  opal: {kind: gem, colour: rde, worth: 1}\n", 2, "red"),
        ("cards:\n  opal: {kind: gem, colour: red, worth: lots}\n", 2, "integer"),
        ("cards:\n  opal: {kind: gem, colour: red}\n", 2, "worth"),
        ("places:\n  table:\n    pit: {holds: gem, kept: heap}\n", 3, "pile"),
        ("places:\n  table:\n    pit: {holds: gem, kept: pile, sen_by: owner}\n", 3, "sen_by"),
        ("kinds:\n  ring: [gem]\n", 2, "object"),
        ("cads:\n  opal: {kind: gem, colour: red, worth: 1}\n", 1, "cads"),
    ],
)
def test_a_slip_is_shown_in_its_line(text: str, line: int, words: str, server: LanguageServer, game: Path) -> None:
    found = said(server, game, text)
    assert any(at == line and words in message for at, message in found), found


def test_hover(server: LanguageServer, game: Path) -> None:
    text = LINE + "places:\n  table:\n    pit: {|holds: gem, kept: pile}\n"
    assert "what may lie there" in server.hover(game / "mine.yaml", text)
    text = LINE + "cards:\n  opal: {kind: gem, |worth: 1, colour: red}\n"
    assert "number" in server.hover(game / "mine.yaml", text)
