"""New files to begin with: a game, a card, a scenario.

In: names; for a card or a scenario, the names of its game. Out: texts by path, which validate as they stand. Never:
writes one.
"""

from __future__ import annotations

import re
from pathlib import Path

from rulebook.authoring.placeholders import entry
from rulebook.authoring.schema import beside, modeline
from rulebook.dsl.world import World
from rulebook.library import RULES
from rulebook.playtest.scenarios import FOLDER

__all__ = ["card", "game", "scenario"]

_START = Path(__file__).parent / "start"
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ]*")


def game(folder: Path) -> dict[Path, str]:
    """A small whole game in a folder that is not there yet, with scenarios that pass."""
    title = " ".join(re.split(r"[\W_]+", folder.resolve().name)).strip().capitalize() or "New game"
    head = f"format: 1\nname: {_text(title)}\n"
    rules, tests = folder / RULES, folder / FOLDER / "first.yaml"
    return {
        rules: _headed(folder, rules, head + _read("rulebook.yaml")),
        tests: _headed(folder, tests, _read("scenarios.yaml")),
    }


def card(world: World, folder: Path, kind: str, id: str) -> dict[Path, str]:
    """A card of a kind, in a file of its own; NoValue if it needs what the game has not."""
    file = folder / f"{id}.yaml"
    return {file: _headed(folder, file, f"cards:\n{entry(world, kind, id)}")}


def scenario(world: World, folder: Path, title: str) -> dict[Path, str]:
    """A scenario of a whole random game, in a file of its own."""
    names = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")[: world.authored.players[0]]
    slug = "_".join(re.findall(r"[a-z0-9]+", title.lower())) or "scenario"
    file = folder / FOLDER / f"{slug}.yaml"
    lines = [
        "scenarios:",
        f"  {_text(title)}:",
        "    about: To be written",
        "    from: start                          # or say below what lies where, and what is done",
        f"    given: {{players: [{', '.join(names)}]}}",
        "    seed: 1",
        "    do: game",
        "    rest: random",
        "    expect:",
        f"      - count(seats) is {len(names)}",
    ]
    return {file: _headed(folder, file, "\n".join(lines) + "\n")}


def _headed(folder: Path, file: Path, text: str) -> str:
    return f"{modeline(file, beside(folder))}\n{text}"


def _read(name: str) -> str:
    return (_START / name).read_text("utf-8")


def _text(words: str) -> str:
    """A text as YAML, in quotes if it holds anything but letters, digits and spaces."""
    if _PLAIN.fullmatch(words) and words.lower() not in ("yes", "no", "true", "false", "null", "on", "off"):
        return words
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
