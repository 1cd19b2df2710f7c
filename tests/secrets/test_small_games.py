"""Secrets of small games: what each of several ways lays open is open behind them (`data/leaks/ways.yaml`); beside a
mistake only those are told that come out whatever the wrong script says (`data/leaks/beside.yaml`).
"""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest
import yaml
from checking import Checked
from drawn_secrets import draw_game
from paths import DATA

from rulebook.diagnostics.registry import unmarked
from rulebook.examples import of_its_own

FILES = {name: yaml.safe_load((DATA / "leaks" / f"{name}.yaml").read_text("utf-8")) for name in ("beside", "ways")}
CASES = [(name, title) for name, file in FILES.items() for title in file["cases"]]


def write_game(base: str, case: dict[str, Any]) -> str:
    rules = "".join(f"{name}: |\n{indent(script.rstrip(), '  ')}\n" for name, script in case["rules"].items())
    return base + case.get("more", "") + "rules:\n" + indent(rules, "  ")


@pytest.mark.parametrize(("name", "title"), CASES)
def test_case(name: str, title: str) -> None:
    case = FILES[name]["cases"][title]
    text, marks = unmarked(write_game(FILES[name]["base"], case))
    done = Checked(text, *of_its_own(text))
    wanted = [(code, *mark) for code, mark in zip(case.get("gives", []), marks, strict=True)]
    assert done.places() == wanted, done.report()


@pytest.mark.slow
def test_no_more_is_told_beside_a_mistake_than_without_it() -> None:
    told = []
    for seed in range(60):
        game = draw_game(seed, is_right=seed % 2 == 0)
        whole, wrong = of_its_own(game.text)[1], of_its_own(_spoil(game.text, seed))[1]
        assert any(not message.code.startswith("RB6") for message in wrong), game.script
        more = {message.code for message in wrong if message.code.startswith("RB6")} - {one.code for one in whole}
        told += [(game.script, more)] if more else []
    assert told == []


def _spoil(text: str, seed: int) -> str:
    """Put a sentence about a name that is nowhere into one of the rules of a drawn game."""
    lines = text.split("\n")
    first = lines.index("rules:")
    places = [number for number, line in enumerate(lines) if number > first and line.endswith(": |")]
    number = places[seed % len(places)] + 1
    depth = len(lines[number]) - len(lines[number].lstrip())
    return "\n".join([*lines[:number], " " * depth + "add 1 to nowhere", *lines[number:]])
