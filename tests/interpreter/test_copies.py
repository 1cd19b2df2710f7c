"""Cards that a table of copies tells apart: whatever scripts can tell apart, choices and scenarios can too."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from cores import play_both

from rulebook.cli import main
from rulebook.examples import of_its_own
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.loading import load

GAME = """
format: 1
name: Crates
players: 2..2
units: {penny: 1, crown: 12}
words: {good: {fish: Fish, silk: Silk}}
kinds:
  crate: {has: {good: good, rare: no, corner: [2, 3, none], cost: 3 penny}, MORE}
  label: {has: {good: good}}
places:
  player: {hand: {holds: crate, kept: loose, seen_by: owner}, shop: {holds: crate, kept: row}}
cards:
  CARD
rules:
  game: |
    do open_shop(first(players))
  open_shop(me): |
    move cards where it is crate to me.hand
    choose x from me.hand
    move x to me.shop
result: {rank: most count(shop where CONDITION)}
"""


def make(folder: Path, card: str, condition: str = "cost > 2 penny", more: str = "") -> Path:
    text = GAME.replace("CARD", card).replace("CONDITION", condition).replace("{MORE}", "{}")
    (folder / "rulebook.yaml").write_text(text.replace(", MORE", more), "utf-8")
    return folder


def options(folder: Path) -> dict[str, str]:
    """Start the game; what its choice offers, each with its label."""
    rulebook = load(folder, meant=True).rulebook
    assert rulebook is not None
    decision = Game(lower(rulebook, 2), 1, ["Ana", "Ben"]).decision
    return {} if decision is None else {one.key: one.label for one in decision.asks[0].options}


@pytest.mark.parametrize(
    ("card", "told"),
    [
        (
            "stack: {kind: crate, copies: {good: {fish: 2, silk: 1}}}",
            {"card:stack.fish": "Stack Fish", "card:stack.silk": "Stack Silk"},
        ),
        (
            "stack: {kind: crate, name: Box, copies: {good: {fish: 2, silk: 1}}}",
            {"card:stack.fish": "Box (Fish)", "card:stack.silk": "Box (Silk)"},
        ),
        (
            "stack: {kind: crate, good: fish, name: 'Box, rare: {rare}', copies: {rare: {yes: 2, no: 1}}}",
            {"card:stack.yes": "Box, rare: yes", "card:stack.no": "Box, rare: no"},
        ),
        (
            "stack: {kind: crate, good: fish, name: Box, copies: {corner: {2: 2, none: 1}}}",
            {"card:stack.2": "Box (corner 2)", "card:stack.none": "Box (corner none)"},
        ),
        (
            "stack: {kind: crate, good: fish, copies: {cost: {2 penny: 2, 1 crown: 1}}}",
            {"card:stack.2": "Stack 2 pennies", "card:stack.12": "Stack 1 crown"},
        ),
        (
            "stack: {kind: crate, each: {good: [fish]}, copies: {corner: {2: 1, 3: 1}}}",
            {"card:stack.fish.2": "Stack Fish 2", "card:stack.fish.3": "Stack Fish 3"},
        ),
    ],
)
def test_what_is_told_apart_is_chosen_apart(tmp_path: Path, card: str, told: dict[str, str]) -> None:
    assert options(make(tmp_path, card)) == told


def test_what_only_sorts_is_no_choice(tmp_path: Path) -> None:
    card = "stack: {kind: crate, good: fish, copies: {corner: {2: 2, none: 1}}}"
    assert options(make(tmp_path, card, more=", for_set_up: [corner]")) == {}


def test_a_companion_is_told_apart_like_its_owner(tmp_path: Path) -> None:
    card = "stack: {kind: crate, copies: {good: {fish: 2, silk: 1}}}"
    rulebook = load(make(tmp_path, card, more=", comes_with: {tag: label}"), meant=True).rulebook
    assert rulebook is not None
    assert rulebook.families == {
        "stack": ("stack.fish", "stack.silk"),
        "stack.tag": ("stack.fish.tag", "stack.silk.tag"),
    }


@pytest.mark.parametrize(
    "each", ["each: {rare: [yes, no]}", "each: {corner: [2, none]}", "each: {cost: [4 penny, 1 crown]}"]
)
def test_values_of_each_are_what_they_say(tmp_path: Path, each: str) -> None:
    condition = "not rare and (corner is 2 or corner is none) and cost < 1 crown"
    rulebook = load(make(tmp_path, f"stack: {{kind: crate, good: fish, {each}}}", condition), meant=True).rulebook
    assert rulebook is not None
    program = lower(rulebook, 2)
    printed = program.attributes
    assert [(printed["rare"][card], printed["corner"][card], printed["cost"][card]) for card in range(2)] in (
        [(True, None, 3), (False, None, 3)],
        [(False, 2, 3), (False, None, 3)],
        [(False, None, 4), (False, None, 12)],
    )


def test_the_core_tells_them_apart_too(tmp_path: Path) -> None:
    rulebook = load(make(tmp_path, "stack: {kind: crate, copies: {good: {fish: 2, silk: 1}}}")).rulebook
    assert rulebook is not None
    assert play_both(lower(rulebook, 2), 3) == 1


@pytest.mark.slow
def test_a_scenario_names_them(tmp_path: Path) -> None:
    make(tmp_path, "stack: {kind: crate, copies: {good: {fish: 2, silk: 1}}}")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "all.yaml").write_text(SCENARIOS, "utf-8")
    done = CliRunner().invoke(main, ["test", str(tmp_path)])
    assert done.exit_code == 0, done.output


SCENARIOS = """
scenarios:
  Silk is another thing than fish:
    given: {players: [Ana, Ben], Ana.hand: [stack.fish, stack.fish, stack.silk]}
    do: open_shop(Ana)
    answers: [{Ana: stack.silk}]
    expect: ["Ana.shop is [stack.silk]", "count(Ana.hand where good is fish) is 2"]
"""


SUPPLY = """
format: 1
name: Supply
players: 2..2
kinds: {thing: {has: {worth: 1..3}, state: {worn: no}}}
cards: {many: {kind: thing, worth: 1, copies: 9}, rare: {kind: thing, worth: 3}}
places:
  table: {stock: {holds: thing, kept: row, seen_by: everyone, alike: once}}
  player: {deck: {holds: thing, kept: row, seen_by: everyone}}
rules:
  game: |
    move cards to stock
    set first(stock where it is many).worn = yes
    repeat 2:
      each me in players:
        choose x from stock
        move x to me.deck
        choose 2 back from stock where it is many and not worn
        move back to stock
result: {rank: most sum(worth of deck)}
"""


@pytest.mark.parametrize("alike", ["once", "each"])
def test_a_supply_offers_what_is_alike_once(alike: str) -> None:
    rulebook, messages = of_its_own(SUPPLY.replace("alike: once", f"alike: {alike}"))
    assert rulebook is not None, messages
    program = lower(rulebook, 2)
    assert play_both(program, seed=3) > 1
    machine = Machine(program)
    state = machine.new_state(1)
    machine.advance(state)
    choices = machine.find_choices(state, 0)
    # The one that is worn is another thing, and is offered too.
    assert len(choices.values) == (3 if alike == "once" else 10)
    drawn = Counter(program.definition[choices.random(Source(seed, "supply").below)] for seed in range(600))
    assert 150 < drawn["rare"] < 250 if alike == "once" else 30 < drawn["rare"] < 90
