"""Games and variants that designers asked for, written by others from the docs alone: they are read, tested and played.

A folder of `tests/data/requests` is one request, with its text. Beside it lies a whole game with its scenarios, or a
variant of a shipped game with scenarios of its own.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from cores import play_both
from paths import DATA

from rulebook import library
from rulebook.cli import main
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.interpreter.core.door import core_of
from rulebook.interpreter.lower import lower
from rulebook.loading import load

REQUESTS = sorted(path for path in (DATA / "requests").iterdir() if path.is_dir())


@pytest.fixture(params=REQUESTS, ids=lambda path: path.name)
def request_folder(request: pytest.FixtureRequest) -> Path:
    assert isinstance(request.param, Path)
    return request.param


def find_game_of(asked: Path) -> tuple[Path, list[Path]]:
    """Find the game that a request makes: its folder, and the variants with which it is played."""
    if (asked / "rulebook.yaml").exists():
        return asked, []
    found = re.search(r"^extends: (\w+)", (asked / "variant.yaml").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return library.find_game(found[1]), [asked / "variant.yaml"]


@pytest.mark.slow
def test_its_situations_come_out_as_they_were_asked_for(request_folder: Path) -> None:
    beside = request_folder / "scenarios.yaml"
    result = CliRunner().invoke(main, ["test", str(beside if beside.exists() else request_folder)])
    assert (result.exit_code, "0 failed" in result.output) == (0, True), result.output


@pytest.mark.slow
def test_it_is_played_alike_on_both(request_folder: Path) -> None:
    """By turns with the fewest players and with the most."""
    folder, variants = find_game_of(request_folder)
    rulebook = load(folder, variants, use_cache=True).rulebook
    assert rulebook is not None
    numbers = list_numbers(rulebook, {id: option.default for id, option in rulebook.options.items()})
    players = min(numbers) if REQUESTS.index(request_folder) % 2 else max(numbers)
    program = lower(rulebook, players)
    core = core_of(program)
    if isinstance(core, str):
        assert core == "Its rules make texts, and ask which of them are the same."
    else:
        assert play_both(program, seed=players, most=200, core=core) > 0
