"""The bundled games: each loaded once in a process, and lowered once for each number of players.

Nobody may change what these functions return: other tests get the same.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulebook import library
from rulebook.dsl.ir import Rulebook
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.loading import load


@cache
def load_game(folder: Path) -> Rulebook:
    loaded = load(folder)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    return rulebook


@cache
def lower_game(folder: Path, players: int) -> Program:
    return lower(load_game(folder), players)


def list_outer_tables() -> Iterator[Any]:
    """Every bundled game with the fewest players and with the most: what lies between shows nothing new."""
    for folder in library.find_games():
        numbers = load_game(folder).players
        yield from (_name_table(folder, players) for players in sorted({numbers[0], numbers[-1]}))


def list_some_tables() -> Iterator[Any]:
    """Every bundled game once, by turns with the fewest players and with the most."""
    for number, folder in enumerate(library.find_games()):
        numbers = load_game(folder).players
        yield _name_table(folder, numbers[0] if number % 2 else numbers[-1])


def _name_table(folder: Path, players: int) -> Any:
    return pytest.param((folder, players), id=f"{folder.name}-{players}")
