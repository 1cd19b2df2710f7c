"""What variants hang on scripts: `before`, `after`, `instead of`, and `original`.

Nearly all of it is data. `data/layers/cases.yaml` holds variants of one small game, with the same written by hand; both
are the same game, event for event.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rulebook.diagnostics.render import render_text
from rulebook.dsl import ir
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.loading import load

DATA = Path(__file__).parent / "data" / "layers"
GAME = DATA / "orchard"
CASES: dict[str, dict[str, Any]] = yaml.load((DATA / "cases.yaml").read_text("utf-8"), yaml.BaseLoader)
NAMES = ("Ana", "Ben", "Cleo")
SEEDS = 12


class _Blocks(yaml.SafeDumper):
    """Writes a script of several lines below a `|`."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Blocks.add_representer(str, _text)


def varied(folder: Path, variants: list[dict[str, Any]]) -> ir.Rulebook:
    """The small game with variants laid over it, which are called `one`, `two`, `three`."""
    files = []
    for id, variant in zip(("one", "two", "three"), variants, strict=False):
        files.append(folder / f"{id}.yaml")
        head = {"variant": id, "name": id.title(), "extends": GAME.name}
        files[-1].write_text(yaml.dump(head | variant, Dumper=_Blocks, sort_keys=False), "utf-8")
    rulebook, found = load(GAME, files)
    assert rulebook is not None and found == [], render_text(found)
    return rulebook


def played(rulebook: ir.Rulebook, seed: int) -> Game:
    """A game at random, to its end."""
    game = Game(lower(rulebook, len(NAMES)), seed, NAMES)
    below = Source(seed, "test").below
    while not game.over:
        assert game.decision is not None
        asked = game.decision.asks[0]
        game.answer(asked.seat, game.machine.random_answer(game.state, asked, below), asked.number)
    return game


def told(game: Game) -> list[str]:
    """All that everybody notices, one after another, and how it ends."""
    events = [str(event.to_json()) for seat in range(len(NAMES)) for event in game.events(seat)]
    return [*events, str(game.outcome)]


@pytest.mark.parametrize("title", CASES)
def test_layers_make_the_game_that_is_written_by_hand(title: str, tmp_path: Path) -> None:
    case = CASES[title]
    assert set(case) <= {"variants", "merged", "says"}
    layered, merged = (varied(tmp_path, variants) for variants in (case["variants"], [case["merged"]]))
    plain, found = load(GAME)
    assert plain is not None and found == []
    changed, said = False, False
    for seed in range(SEEDS):
        here = told(played(layered, seed))
        assert here == told(played(merged, seed))
        changed = changed or here != told(played(plain, seed))
        said = said or any(case.get("says", "") in line for line in here)
    assert changed and said
