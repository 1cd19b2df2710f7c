"""Claims about which card a name stands for, in every order: one that narrows the next changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from rulebook.examples import of_its_own
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine

GAME = """
format: 1
name: Kinds
players: 2..2
kinds:
  main: {has: {worth: 1..4}}
  dish: {is: main}
  helper: {is: main}
places: {table: {pot: {holds: main, kept: row, seen_by: everyone}}}
cards:
  soup: {kind: dish, worth: 1}
  stew: {kind: dish, worth: 2}
  salt: {kind: helper, worth: 3}
  sauce: {kind: helper, worth: 4}
memory: {table: {noted: set of number}}
values:
  VALUES
rules:
  game: |
    each c in cards:
      do look(c)
    win players where count(noted) > 0
  look(main c): |
    LINES
"""
Claim = tuple[str, Callable[[int], bool]]
"""A claim about `c`, and of which worths it is so."""

CLAIMS: tuple[Claim, ...] = (
    ("c is dish", lambda worth: worth < 3),
    ("c is helper", lambda worth: worth > 2),
    ("c is not dish", lambda worth: worth > 2),
    ("c is soup", lambda worth: worth == 1),
    ("c is not salt", lambda worth: worth != 3),
    ("c.worth > 1", lambda worth: worth > 1),
)


def find_noted(claims: list[Claim], before: str, form: str) -> set[int]:
    """Play a game that notes each claim, by its number, of each card of which it is so."""
    lines = [f"if {form.format(number=number, claim=claim)}: |" for number, (claim, _) in enumerate(claims)]
    script = "\n    ".join(
        f"{line[:-2]}\n      set noted = noted + [10 * {number} + c.worth]" for number, line in enumerate(lines)
    )
    values = "\n  ".join(f"claim_{number}(main c): {claim}" for number, (claim, _) in enumerate(claims))
    rulebook, found = of_its_own(GAME.replace("VALUES", values).replace("LINES", before + script))
    assert rulebook is not None, found
    machine = Machine(lower(rulebook, 2))
    state = machine.new_state(1)
    machine.advance(state)
    return {*state[machine.program.layout.memory["noted"].slot]}


@pytest.mark.parametrize("form", ["{claim}", "claim_{number}(c)"])
@pytest.mark.parametrize("joint", ["or", "and"])
def test_a_claim_behind_another(joint: str, form: str) -> None:
    join = any if joint == "or" else all
    claims: list[Claim] = [
        (f"{first} {joint} {second}", lambda worth, one=one, other=other: join((one(worth), other(worth))))
        for (first, one), (second, other) in product(CLAIMS, CLAIMS)
        if first != second
    ]
    wanted = {10 * number + worth for number, (_, holds) in enumerate(claims) for worth in range(1, 5) if holds(worth)}
    assert find_noted(claims, "", form) == wanted
