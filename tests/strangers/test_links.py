"""Links in a game's folder: one that leads out of it is told, and nothing of what it leads to is read or quoted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulebook.cli import main
from rulebook.library import leads_out

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links need no rights there")

GAME = "format: 1\nname: Coins\nplayers: 2..3\nrules:\n  game: |\n    win nobody\nresult: {payoff(p): 0}\n"
VARIANT = "variant: rich\nname: Rich\nextends: coins\nchange:\n  name: Rich coins\n"
SCENARIO = """\
scenarios:
  Nothing happens:
    given: {players: [Ana, Ben]}
    do: game
    expect: [count(players) is 2]
"""
SECRET = "PASSWORD=swordfish\0TOKEN: [swordfish\n"
WORD = "swordfish"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with a folder beside it in which nobody has any business."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("RULEBOOK_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "coins"
    for name, text in (("rulebook.yaml", GAME), ("variants/rich.yaml", VARIANT), ("scenarios/some.yaml", SCENARIO)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("secret", "rich.yaml", "some.yaml", "swordfish.yaml"):
        (outside / name).write_text(SECRET, "utf-8")
    (outside / "rulebook.yaml").write_text(GAME.replace("Coins", "Swordfish"), "utf-8")
    return folder


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def into_secret(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("../../outside/secret" if path.parent.name in ("variants", "scenarios") else "../outside/secret")


def into_environment(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/proc/self/environ" if sys.platform == "linux" else "/dev/null")


def through_another(path: Path) -> None:
    path.unlink(missing_ok=True)
    game = path.parent if path.parent.name == "coins" else path.parents[1]
    (path.parent / "between").symlink_to(game.parent / "outside")
    path.symlink_to("between/secret")


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def device(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


ODD: tuple[Callable[[Path], None], ...] = (into_secret, into_environment, through_another, pipe, device)
PLACES = ("cards.yaml", "names.yml", "rulebook.yaml", "variants/rich.yaml", "variants/more.yaml", "scenarios/some.yaml")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("validate", "./coins"),
    ("validate", "./coins", "--format", "json"),
    ("validate", "./coins", "--diff"),
    ("validate", "./coins", "--fix", "--unsafe-fixes"),
    ("test", "./coins"),
    ("fmt", "./coins", "--diff"),
    ("fmt", "./coins"),
    ("play", "./coins", "--bots", "random"),
    ("play", "./coins", "--bots", "random", "--variant", "rich"),
    ("simulate", "./coins", "--games", "1", "--jobs", "1"),
    ("show", "./coins"),
    ("diff", "./coins", "--variant", "rich"),
)


_opened: list[str] | None = None


def _note(event: str, values: tuple[Any, ...]) -> None:
    if _opened is not None and event in ("open", "os.listdir", "os.scandir") and not isinstance(values[0], int):
        _opened.append(os.path.realpath(os.fsdecode(values[0] or ".")))


@pytest.fixture(scope="module")
def noting() -> Iterator[None]:
    """A hook can never be taken away again, so there is one."""
    global _opened
    sys.addaudithook(_note)
    yield
    _opened = None


@pytest.fixture
def opened(noting: None) -> list[str]:
    """The files that are opened, by where they truly lie."""
    global _opened
    _opened = []
    return _opened


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__)
def test_what_leads_out_of_a_game_is_told_and_not_read(
    game: Path, opened: list[str], make: Callable[[Path], None], place: str
) -> None:
    make(game / place)
    outside = (str(game.parent / "outside"), "/proc/", "/dev/zero")
    for words in COMMANDS:
        del opened[:]
        began = time.monotonic()
        result = run(*words)
        assert result.exit_code in (0, 1, 2), (words, result.output)
        assert WORD not in result.output and "PATH=" not in result.output, (words, result.output)
        assert not [path for path in opened if path.startswith(outside)], words
        assert time.monotonic() - began < 20, words
    result = run("validate", "./coins")
    assert result.exit_code in (1, 2), result.output
    if make not in (pipe, device):
        assert f"coins/{place}" in result.output
        assert "leads out of the game's folder" in result.output or place.endswith(".yml"), result.output


@pytest.mark.parametrize("place", ["variants", "scenarios"])
def test_a_folder_that_leads_out_of_a_game_is_told_and_not_listed(game: Path, opened: list[str], place: str) -> None:
    for file in (game / place).iterdir():
        file.unlink()
    (game / place).rmdir()
    (game / place).symlink_to("../outside")
    for words in COMMANDS:
        del opened[:]
        result = run(*words)
        assert result.exit_code in (0, 1, 2), (words, result.output)
        assert WORD not in result.output, (words, result.output)
        assert not [path for path in opened if path.startswith(str(game.parent / "outside"))], words
    said = run("validate", "./coins").output
    assert f"coins/{place}" in said and said.count("leads out of the game's folder") == 1, said


def test_a_game_in_a_folder_of_games_lies_there(game: Path) -> None:
    games = game.parent / "games"
    games.mkdir()
    (games / "other").symlink_to("../outside")
    game.rename(games / "coins")
    assert "1 game" in run("validate", games).output
    assert "wordfish" not in run("validate", games).output
    assert run("validate", games / "other").exit_code == 1, "who names it means it"


def test_links_within_a_game_and_to_a_game_are_followed(game: Path) -> None:
    (game / "parts").mkdir()
    (game / "parts" / "words.yaml").write_text("phrases: {}\n", "utf-8")
    (game / "words.yaml").symlink_to("parts/words.yaml")
    (game / "variants" / "same.yaml").symlink_to("rich.yaml")
    (game.parent / "another").symlink_to("coins")
    assert not leads_out(game / "words.yaml") and not leads_out(game / "variants" / "same.yaml")
    for folder in ("./coins", "./another"):
        result = run("validate", folder)
        assert "leads out" not in result.output and "words.yaml" not in result.output, result.output
        assert run("test", folder).exit_code == 0


def test_who_names_a_file_may_name_a_link(game: Path) -> None:
    (game.parent / "named.yaml").symlink_to("coins/variants/rich.yaml")
    result = run("play", "./coins", "--bots", "random", "--variant", "./named.yaml")
    assert "leads out" not in result.output
