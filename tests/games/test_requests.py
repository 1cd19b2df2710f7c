"""Games and variants that designers asked for, written by others from the docs alone: they are read, tested and played.

A folder of `tests/data/requests` is one request, with its text. Beside it lies a whole game with its scenarios, or a
variant of a shipped game with scenarios of its own.
"""

from __future__ import annotations

import re
import shutil
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


def lay_out(asked: Path, here: Path) -> tuple[Path, list[Path]]:
    """Lay a request out as a game: its folder, and the variants with which it is played."""
    if (asked / "rulebook.yaml").exists():
        folder = here / asked.name
        shutil.copytree(asked, folder)
        return folder, []
    found = re.search(r"^extends: (\w+)", (asked / "variant.yaml").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    folder = here / found[1]
    shutil.copytree(library.find_game(found[1]), folder)
    shutil.rmtree(folder / "scenarios")
    shutil.rmtree(folder / "variants", ignore_errors=True)
    for name in ("variants", "scenarios"):
        (folder / name).mkdir()
    variant = folder / "variants" / f"{asked.name}.yaml"
    shutil.copy(asked / "variant.yaml", variant)
    shutil.copy(asked / "scenarios.yaml", folder / "scenarios" / "situations.yaml")
    return folder, [variant]


@pytest.mark.slow
def test_its_situations_come_out_as_they_were_asked_for(request_folder: Path, tmp_path: Path) -> None:
    folder, _ = lay_out(request_folder, tmp_path)
    result = CliRunner().invoke(main, ["test", str(folder)])
    assert (result.exit_code, "0 failed" in result.output) == (0, True), result.output


@pytest.mark.slow
def test_it_is_played_alike_on_both_for_few_and_for_many(request_folder: Path, tmp_path: Path) -> None:
    folder, variants = lay_out(request_folder, tmp_path)
    rulebook = load(folder, variants).rulebook
    assert rulebook is not None
    numbers = list_numbers(rulebook, {id: option.default for id, option in rulebook.options.items()})
    for players in {min(numbers), max(numbers)}:
        program = lower(rulebook, players)
        core = core_of(program)
        if isinstance(core, str):
            assert core == "Its rules make texts, and ask which of them are the same."
        else:
            assert play_both(program, seed=players, most=200, core=core) > 0
