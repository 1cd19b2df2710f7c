"""Beside a mistake only secrets are told that come out whatever the wrong script says (`leaks/beside.yaml`)."""

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

FILE = yaml.safe_load((DATA / "leaks" / "beside.yaml").read_text("utf-8"))


def write_game(case: dict[str, Any]) -> str:
    rules = "".join(f"{name}: |\n{indent(script.rstrip(), '  ')}\n" for name, script in case["rules"].items())
    return str(FILE["base"]) + case.get("more", "") + "rules:\n" + indent(rules, "  ")


@pytest.mark.parametrize("title", FILE["cases"])
def test_case(title: str) -> None:
    case = FILE["cases"][title]
    text, marks = unmarked(write_game(case))
    done = Checked(text, *of_its_own(text))
    assert done.places() == [(code, *mark) for code, mark in zip(case["gives"], marks, strict=True)], done.report()


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
