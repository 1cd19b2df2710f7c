"""Tables by words and by players: what scripts do with them, who sees them, and what is told of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cores import has_core, play_both
from paths import DATA

from rulebook.examples import of_its_own
from rulebook.interpreter.account import describe_event
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.determinize import determinize
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_facts
from rulebook.loading import load
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run
from rulebook.playtest.vector import Games

NAMES = ("Ana", "Ben")
GAME = """
format: 1
name: Goods
players: 2..2
units: {cent: 1, CU: 100}
words: {good: {wood: timber, stone: stone, wool: wool}}
kinds: {plan: {has: {cost: 0..9 by good}, state: {paid: number by good}}}
cards: {tower: {kind: plan, cost: {wood: 2, stone: 1}}, hut: {kind: plan}}
places: {table: {street: {holds: plan, kept: row, seen_by: everyone}}}
memory:
  table: {visits: number by player, found: {type: number, default: -1}, is_so: no, chosen: plan by player}
  player:
    goods: {type: 0..9 by good, default: {wood: 3}}
    money: amount by good
    secrets: {type: 0..3 by good, seen_by: owner}
    score: 0
values:
  after(p): |
    let left = p.goods
    add -1 to left[wood]
    return left
rules:
  game: |
    move cards to street
    do act(first(players))
    each p in players:
      p chooses one:
        "Go on":
          add 1 to p.score
  act(me): |
    SCRIPT
result: {rank: most score}
display: {shown: {after: }}
"""


def lower_script(script: str) -> Program:
    rulebook, found = of_its_own(GAME.replace("SCRIPT", script.replace("\n", "\n    ")))
    assert rulebook is not None, found
    return lower(rulebook, 2)


def act(script: str) -> dict[str, Any]:
    """What Ana sees remembered after a script of hers; the core must have come to the same."""
    program = lower_script(script)
    assert play_both(program, seed=1) > 0
    return dict(Game(program, 1, NAMES).view(0).facts["memory"])


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("me.goods[wood]", 3),
        ("tower.cost[wool]", 0),
        ("sum(tower.cost)", 3),
        ("max(tower.cost) - min(tower.cost)", 2),
        ("sum(me.goods + tower.cost)", 6),
        ("(me.goods - tower.cost * 2)[wood]", -1),
        ("sum(-tower.cost)", -3),
        ("(tower.cost / 2)[wood]", 1),
        ("sum(max(me.goods - tower.cost, 0))", 1),
        ("sum(max(me.goods, tower.cost))", 4),
        ("sum(min(me.goods, 1))", 1),
        ("sum(tower.cost * 50 cent) / 1 cent", 150),
        ("sum(after(me))", 2),
        ("max(me.goods[g] for g in every good)", 3),
        ("count(every good where tower.cost[it] > 0)", 2),
        ("visits[me.left] + count(players)", 2),
    ],
)
def test_reckoning(expression: str, number: int) -> None:
    assert act(f"set found = {expression}")["found"] == number


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("me.goods >= tower.cost", False),
        ("me.goods >= hut.cost", True),
        ("tower.cost <= tower.cost * 2", True),
        ("not (tower.cost >= me.goods)", True),
        ("tower.cost is tower.cost * 1", True),
        ("me.goods is not me.left.goods", False),
        ("visits >= visits", True),
    ],
)
def test_comparing(question: str, is_so: bool) -> None:
    assert act(f"if {question}:\n  set is_so = yes")["is_so"] is is_so


def test_one_entry_is_set_and_whole_tables_are_added() -> None:
    seen = act(
        "set me.goods[wool] = 5\nadd 1 to me.goods[stone]\nadd -tower.cost to me.goods\n"
        "set me.money[wood] = 2 CU\nadd 1 to visits[me.left]\nset me.left.goods = tower.cost"
    )
    assert seen["Ana.goods"] == {"wood": 1, "stone": 0, "wool": 5}
    assert seen["Ana.money"] == {"wood": 200, "stone": 0, "wool": 0}
    assert seen["Ben.goods"] == {"wood": 2, "stone": 1, "wool": 0}
    assert seen["visits"] == {"Ana": 0, "Ben": 1}


def test_a_value_that_is_a_table_is_shown() -> None:
    view = Game(lower_script("set me.goods[wool] = 5"), 1, NAMES).view(1)
    assert view.facts["values"]["Ana.after"] == {"wood": 2, "stone": 0, "wool": 5}


def test_what_all_chose_is_kept() -> None:
    seen = act("set chosen[me] = tower\nset found = count(chosen)")
    assert (seen["chosen"], seen["found"]) == ({"Ana": "tower", "Ben": None}, 1)


def test_a_range_holds_for_each_entry() -> None:
    with pytest.raises(RuleError, match="`goods` goes from 0 to 9, and this makes it -1"):
        Game(lower_script("add -tower.cost to me.goods"), 1, NAMES)


def test_a_hidden_table_is_seen_by_its_owner_and_drawn_for_others() -> None:
    program = lower_script("set me.secrets[wool] = 2")
    game = Game(program, 1, NAMES)
    assert game.view(0).facts["memory"]["Ana.secrets"] == {"wood": 0, "stone": 0, "wool": 2}
    assert "Ana.secrets" not in game.view(1).facts["memory"]
    slot = program.layout.player_memory["secrets"].slot
    twins = [determinize(program, game.state, 1, Source(seed, "twin").below) for seed in range(30)]
    assert {len(twin[slot]) for twin in twins} == {3}
    assert {entry for twin in twins for entry in twin[slot]} == {0, 1, 2, 3}
    facts = collect_facts(program, NAMES, game.state, 1)
    assert all(collect_facts(program, NAMES, twin, 1) == facts for twin in twins)


def test_a_change_is_told_in_words_and_taken_back() -> None:
    program = lower_script("add tower.cost to me.goods\nadd 2 to visits[me.left]\nset tower.paid[stone] = 1")
    game = Game(program, 1, NAMES)
    told = [describe_event(program, NAMES, event, 1) for event in game.view(1).events]
    assert "Ana's goods: 5 timber, 1 stone." in told
    assert any("Ben: 2" in line or "you: 2" in line for line in told)
    before = game.state[:]
    game.answer(0, ["label:Go on"])
    game.undo()
    assert game.state == before


VARIANT = """
variant: dear
name: Dear
about: Towers cost more.
extends: towers
change: {cards.tower.cost.wood: original + 1}
add: {cards.tower.cost.wool: 2}
"""


def test_a_variant_changes_an_entry(tmp_path: Path) -> None:
    folder, variant = tmp_path / "towers", tmp_path / "towers" / "variants" / "dear.yaml"
    variant.parent.mkdir(parents=True)
    (folder / "rulebook.yaml").write_bytes((DATA / "tiers" / "tables.yaml").read_bytes())
    variant.write_text(VARIANT, "utf-8")
    loaded = load(folder, [variant])
    assert loaded.rulebook is not None, loaded.messages
    program = lower(loaded.rulebook, 2)
    assert program.attributes["cost"][program.definition.index("tower")] == (3, 1, 2)


@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
def test_programs_that_learn_read_each_entry() -> None:
    games = Games(lower_script("set me.secrets[wool] = 2\nadd 3 to visits[me.left]"), 1)
    games.reset([1])
    first = games.program.players + len(games.program.layout.places)
    told = [games.observations[0, number] for number in range(first, first + 24)]
    assert games.seats[0] == 0
    assert told[:4] == [0, 3, -1, 0]  # visits, found, is_so
    assert told[4:] == [3, 0, 0, 3, 0, 0, *[0] * 6, 0, 0, 2, -1, -1, -1, 0, 0]  # goods, money, secrets, score


def test_scenarios_give_and_expect_tables(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_bytes((DATA / "tiers" / "tables.yaml").read_bytes())
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "building.yaml").write_text(
        """
scenarios:
  Ana builds:
    given:
      players: [Ana, Ben]
      Ana.goods: {wood: 2, stone: 1}
      Ana.money: {wool: 50 cent}
      taken: {Ben: 3}
      plans: [tower]
    do: turn(Ana)
    answers:
      - Ana: wood
      - Ana: tower
    expect:
      - Ana.goods[wood] is 0
      - Ana.goods is Ben.goods
      - taken[Ben] is 3 and taken[Ana] is 0
      - sum(Ana.money) is 50 cent
""",
        "utf-8",
    )
    assert load(tmp_path).rulebook is not None
    scenarios, found = load_scenarios(tmp_path)
    assert not found
    assert [run(one).failures for one in scenarios] == [()]
