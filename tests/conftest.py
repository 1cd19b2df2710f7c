"""Every scenario of every bundled game is one test: whoever asks for a `scenario` gets them one by one.

What the program remembers between two starts stands in a folder of its own while tests run.
"""

import os
import tempfile
from functools import cache
from pathlib import Path

import pytest

from rulebook import library
from rulebook.diagnostics import Diagnostic
from rulebook.playtest.scenarios.reading import Scenario, load_scenarios


@cache
def loaded(game: Path) -> tuple[list[Scenario], list[Diagnostic]]:
    return load_scenarios(game)


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="rulebook-")
    config.add_cleanup(folder.cleanup)
    os.environ["RULEBOOK_CACHE"] = folder.name


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "scenario" in metafunc.fixturenames:
        scenarios = {
            f"{game.name}/{Path(one.file).stem}::{one.title}": one
            for game in library.games()
            for one in loaded(game)[0]
        }
        metafunc.parametrize("scenario", scenarios.values(), ids=scenarios.keys())
    if "bundled_game" in metafunc.fixturenames:
        games = library.games()
        metafunc.parametrize("bundled_game", games, ids=[game.name for game in games])


@pytest.fixture
def messages(bundled_game: Path) -> list[Diagnostic]:
    """All that is wrong with a bundled game and its scenarios."""
    return loaded(bundled_game)[1]
