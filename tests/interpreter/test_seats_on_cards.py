"""Cards that belong to seats: one for everybody who plays, called after them at the table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from shutil import copyfile

import pytest
from leaks import answer_at_random
from paths import DATA

from rulebook.dsl import ir
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.loading import load
from rulebook.table.faces import make_faces
from rulebook.table.handbook import Handbook

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")


@pytest.fixture(scope="module")
def hat(tmp_path_factory: pytest.TempPathFactory) -> ir.Rulebook:
    folder = tmp_path_factory.mktemp("hat")
    copyfile(DATA / "tiers" / "names_in_a_hat.yaml", folder / "rulebook.yaml")
    rulebook = load(Path(folder)).rulebook
    assert rulebook is not None
    return rulebook


@pytest.mark.parametrize("players", [3, 5])
def test_there_are_as_many_as_players(hat: ir.Rulebook, players: int) -> None:
    program = lower(hat, players)
    gifts = 2 if players < 5 else 1
    wanted = {f"name_slip.{seat}": 1 for seat in range(1, players + 1)}
    wanted |= {f"present.{seat}": gifts for seat in range(1, players + 1)} | {"lump_of_coal": 1}
    assert Counter(program.definition) == wanted
    assert program.attributes["whose"][:players] == tuple(range(players))


@pytest.mark.parametrize("seed", range(6))
def test_nobody_draws_their_own(hat: ir.Rulebook, seed: int) -> None:
    game = Game(lower(hat, 4), seed, NAMES[:4])
    for seat in range(4):
        (slip,) = game.view(seat).facts["places"][f"{NAMES[seat]}.slip"]["cards"]
        assert slip != f"name_slip.{seat + 1}"


def test_they_are_called_after_those_who_sit_there(hat: ir.Rulebook) -> None:
    program = lower(hat, 3)
    for names in (NAMES[:3], NAMES[3:]):
        game = Game(program, 2, names)
        ask = game.view(0).ask
        assert ask is not None and [option.label for option in ask.options] == [f"Gift of {names[0]}"]
        (slip,) = game.view(0).facts["places"][f"{names[0]}.slip"]["cards"]
        assert ask.prompt == f"What do you give to {names[int(slip[-1]) - 1]}?"
        faces = make_faces(hat, game.program, {"present.2": "seat\u00a02 has wrapped it."})
        face = faces["present.2"]
        assert (face.title, face.text) == (f"Gift of {names[1]}", f"{names[1]} has wrapped it.")
        assert faces["name_slip.3"].title == names[2] and faces["name_slip.3"].attributes == ""
        entries = Handbook(hat, game.program, {}).entries
        listed = next(entry.text for entry in entries if (entry.sort, entry.name) == ("kind of cards", "slip"))
        assert listed == f"{names[0]}, {names[1]} and {names[2]}"
    assert program.definitions["present.2"] == "Gift of seat\u00a02"


def test_a_game_with_them_is_played_and_saved(hat: ir.Rulebook, tmp_path: Path) -> None:
    program, below = lower(hat, 3), Source(5, "test").below
    game = Game(program, 5, NAMES[:3])
    game.save(tmp_path / "game", keep=True)
    while not game.over:
        answer_at_random(game, below)
    again = Game.load(tmp_path / "game", lambda header: program)
    assert again.state == game.state and again.program.definitions == game.program.definitions
