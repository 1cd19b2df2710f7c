"""What variants hang on scripts: `before`, `after`, `instead of`, and `original`.

Nearly all of it is data. `data/layers/cases.yaml` holds variants of one small game, with the same written by hand; both
are the same game, event for event.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from paths import DATA

from rulebook.authoring.own_game import CannotWriteOut, write_rules
from rulebook.diagnostics.render import render_text
from rulebook.dsl import ir
from rulebook.dsl.document import Mapping
from rulebook.dsl.overlay.variant import read_variant
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.walk import statements
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.library import bundled
from rulebook.loading import load

FILES = DATA / "layers"
GAME = FILES / "orchard"
CASES: dict[str, dict[str, Any]] = yaml.load((FILES / "cases.yaml").read_text("utf-8"), yaml.BaseLoader)
NAMES = ("Ana", "Ben", "Cleo")
SEEDS = range(12)
ENOUGH = 3


class _Blocks(yaml.SafeDumper):
    """Writes a script of several lines below a `|`."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Blocks.add_representer(str, _text)


def written(folder: Path, id: str, variant: dict[str, Any], game: str) -> Path:
    """The file of a variant."""
    file = folder / f"{id}.yaml"
    head = {"variant": id, "name": id.title(), "extends": game}
    file.write_text(yaml.dump(head | variant, Dumper=_Blocks, sort_keys=False), "utf-8")
    return file


def varied(folder: Path, variants: list[dict[str, Any]]) -> ir.Rulebook:
    """The small game with variants laid over it, which are called `one`, `two`, `three`."""
    ids = ("one", "two", "three")
    files = [written(folder, id, one, GAME.name) for id, one in zip(ids, variants, strict=False)]
    loaded = load(GAME, files)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None and found == [], render_text(found)
    return rulebook


def played(rulebook: ir.Rulebook, seed: int, answers: int = 10_000) -> Game:
    """A game at random, to its end or for so many answers."""
    game = Game(lower(rulebook, len(NAMES)), seed, NAMES)
    below = Source(seed, "test").below
    for _ in range(answers):
        if game.over:
            break
        assert game.decision is not None
        asked = game.decision.asks[0]
        game.answer(asked.seat, game.machine.random_answer(game.state, asked, below), asked.number)
    return game


def told(game: Game) -> list[str]:
    """All that everybody notices, one after another, and how it ends."""
    events = [str(event.to_json()) for seat in range(len(NAMES)) for event in game.events(seat)]
    return [*events, str(game.outcome if game.over else game.decision)]


@pytest.mark.slow
@pytest.mark.parametrize("title", CASES)
def test_layers_make_the_game_that_is_written_by_hand(title: str, tmp_path: Path) -> None:
    case = CASES[title]
    assert set(case) <= {"variants", "merged", "says"}
    layered, merged = (varied(tmp_path, variants) for variants in (case["variants"], [case["merged"]]))
    loaded = load(GAME)
    plain, found = loaded.rulebook, loaded.messages
    assert plain is not None and found == []
    changed, said = False, False
    for seed in SEEDS:
        here = told(played(layered, seed))
        assert here == told(played(merged, seed))
        changed = changed or here != told(played(plain, seed))
        said = said or any(case.get("says", "") in line for line in here)
        if changed and said and seed + 1 >= ENOUGH:
            break
    assert changed and said


CANNOT_BE_ONE = {
    "instead of a rule, inside an if",
    "three layers on one rule",
    "original stands in a loop",
    "after keeps the answer",
    "after may give back something else",
    "before may give back something else and leave the original out",
    "instead of gives back what the original gave, unless it says otherwise",
    "the original's answer has a name",
    "what a layer calls me is another thing than what it was given",
    "conditions of one card",
    "what a card does",
    "when an action is possible, and what it does",
    "a stage is ended in a layer",
    "instead of a sentence about what nobody could choose",
}
"""Cases that no script says without `original`; whoever wants them written out is told so."""


@pytest.mark.slow
@pytest.mark.parametrize("title", CASES)
def test_layers_are_written_out_as_the_same_game_or_not_at_all(title: str, tmp_path: Path) -> None:
    ids = ("one", "two", "three")
    files = [written(tmp_path, id, one, GAME.name) for id, one in zip(ids, CASES[title]["variants"], strict=False)]
    game = load(GAME, files).game
    assert game is not None
    own = tmp_path / GAME.name
    own.mkdir()
    laid = [variant for variant in (read_variant(file)[0] for file in files) if variant is not None]
    if title in CANNOT_BE_ONE:
        with pytest.raises(CannotWriteOut):
            write_rules(GAME, own, game, laid)
        return
    write_rules(GAME, own, game, laid)
    rulebook = load(own).rulebook
    assert rulebook is not None
    for seed in range(ENOUGH):
        assert told(played(rulebook, seed)) == told(played(game.rulebook, seed))


# A layer that only goes on with what it hangs on

WHOLE = [
    ("classics/liars_dice", "instead of"), ("wallet", "instead of"), ("exposed", "before"), ("wrong_party", "after")
]  # fmt: skip
ANSWERS = 40


def hung_everywhere(folder: Path, verb: str, tmp_path: Path) -> Path:
    """A variant that hangs something that does nothing on every script of a game, and `original` on every question."""
    loaded = load(folder).game
    merged, _, _ = read_folder(folder)
    assert loaded is not None and merged is not None
    done = [f"rules.{one.key.text}" for one in loaded.world.authored.rules]
    asked = [f"values.{one.key.text}" for one in loaded.world.authored.values]
    for id, action in loaded.world.authored.actions.items():
        done.append(f"actions.{id}.effect")
        asked += [f"actions.{id}.possible"] if action.possible is not None else []
    cards = merged["cards"]
    assert isinstance(cards, Mapping)
    for id, card in cards.items():
        assert isinstance(card, Mapping)
        for key in card:
            hook = loaded.world.hooks.get(key.partition("(")[0])
            if hook is not None:
                (done if hook.answer is None else asked).append(f"cards.{id}.{key}")
    variant = {"instead of": dict.fromkeys(asked, "original")}
    variant.setdefault(verb, {}).update(dict.fromkeys(done, GOING_ON[verb]))
    return written(tmp_path, "all", variant, folder.name)


GOING_ON = {"instead of": "original", "before": "if 1 > 2:\n  return", "after": "if 1 > 2:\n  return"}


def marked(rulebook: ir.Rulebook) -> set[tuple[str, int, bool, bool, bool]]:
    """The sentences of which not all may know, or that are told line by line, each by its place."""
    found = set()
    for script in rulebook.scripts.values():
        for one in statements(script.body):
            quiet, veiled, explains = (getattr(one, name, False) for name in ("quiet", "veiled", "explains"))
            if (quiet or veiled or explains) and one.at is not None:
                found.add((one.at.span.file.name, one.at.span.start, quiet, veiled, explains))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "verb"), WHOLE)
def test_a_layer_that_only_goes_on_changes_nothing(name: str, verb: str, tmp_path: Path) -> None:
    folder = bundled() / name
    plain = load(folder).rulebook
    loaded = load(folder, [hung_everywhere(folder, verb, tmp_path)], meant=True)
    layered, found = loaded.rulebook, loaded.messages
    assert plain is not None and layered is not None and found == [], render_text(found)
    assert marked(layered) == marked(plain)
    assert told(played(layered, 1, ANSWERS)) == told(played(plain, 1, ANSWERS))


def test_what_may_not_be_chosen_says_the_lines_beneath(tmp_path: Path) -> None:
    cherry = {"kind": "fruit", "worth": "1", "copies": "6", "ripe": "sun > 0", "picked": 'say "…"'}
    hung = {"cards.plum.ripe": "original and me.fine is 0"}
    layered = varied(tmp_path, [{"add": {"cards.cherry": cherry}, "instead of": hung}])
    lines: set[tuple[str, ...]] = set()
    for answers in (1, 4, 7):  # before and after noon
        game = played(layered, 3, answers)
        assert game.decision is not None
        barred = game.barred(game.decision.asks[0].seat)
        lines |= {not_met for option, not_met in barred if option.label == "Plum"}
    assert lines == {("it is noon (the sun is 1)",)}
