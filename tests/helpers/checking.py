"""Snippets of rulebooks, checked inside a small game: what the tests of the checker share.

A snippet marks what a message must point at: `move this to «discrads»`. The marks are taken out before anything is
read, so their places are the exact start and end that a message must have.
"""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import yaml
from attrs import frozen
from paths import DATA

from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.registry import unmarked
from rulebook.diagnostics.render import render_text
from rulebook.dsl import ir
from rulebook.examples import in_market, of_its_own

FILES = DATA / "checker"


@frozen
class Slot:
    """Where a snippet stands: the YAML around it. `script` and `ask` are texts of rules and values."""

    before: str
    indent: int


SLOTS = {
    "script": Slot("rules:\n  act(me): |\n", 4),
    "nobody": Slot("rules:\n  act: |\n", 4),
    "effect": Slot("cards:\n  imp:\n    kind: trick\n    timing: late\n    effect: |\n", 6),
    "pure": Slot("values:\n  answer(me): |\n", 4),
    "ask": Slot("values:\n  answer(me): ", 0),
    "more": Slot("", 0),
}
"""`script`: a rule of a player; `nobody`: a rule of nobody; `effect`: what a card does; `ask`: a value of one line;
`pure`: a value of several lines; `more`: a file of the rulebook."""


@frozen
class Checked:
    """A snippet after its check."""

    text: str
    rulebook: ir.Rulebook | None
    found: list[Diagnostic]

    def in_order(self) -> list[Diagnostic]:
        """The messages in the order of the text."""
        return sorted(self.found, key=lambda one: (one.span.start, one.span.end) if one.span else (-1, -1))

    def places(self) -> list[tuple[str, int, int]]:
        """Code, start and end of each message, in the order of the text."""
        spans = [(one.code, one.span) for one in self.in_order()]
        return [(code, span.start, span.end) if span else (code, -1, -1) for code, span in spans]

    def report(self) -> str:
        """All messages as an author reads them."""
        return "\n" + render_text(self.found)


def cases(*files: str) -> list[Any]:
    """The snippets of some data files, each with its slot and what it gives, as parameters of a test."""
    found = []
    for file in files:
        for title, case in yaml.safe_load((FILES / f"{file}.yaml").read_text("utf-8")).items():
            (slot,) = set(case) - {"gives"}
            gives = case.get("gives", [])
            listed = gives if isinstance(gives, list) else [gives]
            found.append(pytest.param(slot, str(case[slot]), listed, id=f"{file}: {title}"))
    return found


def told(slot: str, snippet: str, gives: list[str]) -> None:
    """Assert that a snippet gives these messages, and nothing else, at its marks: `RB301 a piece of the message`."""
    text, marks = unmarked(placed(snippet, slot))
    done = checked(text)
    assert len(marks) == len(gives), "each message has its mark"
    wanted = [(one.split()[0], *mark) for one, mark in zip(gives, marks, strict=True)]
    assert done.places() == wanted, done.report()
    for one, found in zip(gives, done.in_order(), strict=True):
        piece = one.partition(" ")[2]
        assert piece in f"{found.message} {found.help}", done.report()


def placed(snippet: str, slot: str) -> str:
    """A snippet in its YAML."""
    around = SLOTS[slot]
    return around.before + textwrap.indent(snippet.rstrip("\n"), " " * around.indent) + "\n"


def checked(text: str) -> Checked:
    """A file of YAML as a part of the small game."""
    rulebook, found = in_market(text, "case.yaml")
    return Checked(text, rulebook, found)


def alone(text: str) -> Checked:
    """A rulebook of its own, below the three lines that every rulebook has."""
    whole = f"format: 1\nname: Alone\nplayers: 2..4\n{text}"
    rulebook, found = of_its_own(whole, "case.yaml")
    return Checked(whole, rulebook, found)


def rule(script: str, slot: str = "script") -> ir.Script:
    """The IR of a good script."""
    done = checked(placed(script, slot))
    assert done.found == [], done.found
    assert done.rulebook is not None
    return done.rulebook.scripts["cards.imp.effect" if slot == "effect" else "rules.act"]


def question(text: str) -> ir.Function:
    """The IR of a good value."""
    slot = "pure" if "\n" in text.strip() else "ask"
    done = checked(placed(text, slot))
    assert done.found == [], done.found
    assert done.rulebook is not None
    return done.rulebook.functions["values.answer"]
