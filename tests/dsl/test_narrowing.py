"""What has been asked about a value is known of it wherever it is read or added to, however it was asked."""

from __future__ import annotations

from textwrap import indent

import pytest
from checking import alone

from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import find_outcome

GAME = """
kinds: {tile: {state: {n: number}}}
places: {table: {line: {holds: tile, kept: row, seen_by: everyone}}}
cards: {plot: {kind: tile, copies: 2}}
memory: {table: {left: number}, player: {score: number}}
rules:
  game: |
    move cards to line
    let best = max(score of players)
    each p in players:
      each c in line:
"""
TARGETS = ["left", "p.score", "c.n", "best", "p.left.score"]
KNOWN = [
    "if X is something:\n  add 1 to X\n  if X > 3:\n    add 1 to X",
    "if X is nothing:\n  set X = 3\nelse:\n  add 1 to X",
    "if X is nothing:\n  set X = 3\nadd 1 to X",
    "if X is nothing:\n  if count(players) > 2:\n    return\n  else:\n    set X = 1\nelse:\n  add 1 to X\nadd 1 to X",
    "if X is nothing:\n  return\nadd 1 to X\nadd X to X",
    "if X is nothing:\n  skip\nadd 1 to X",
    "if count(players) > 2 and X is something and X > 2:\n  add -X to X",
    "if not (X is nothing or count(players) > 3):\n  add -1 to X",
    "if X is 3:\n  add -1 to X",
    "if 3 is X:\n  add -1 to X",
    "if X in [1, 2]:\n  add 1 to X",
    "set X = 3\nadd 1 to X\nif X > 2:\n  add 1 to X",
    "if X is not nothing:\n  repeat 2:\n    if X is something:\n      add 1 to X",
]
UNKNOWN = [
    "add 1 to X",
    "if X is nothing:\n  add 1 to X",
    "if X is something:\n  set X = nothing\n  add 1 to X",
    "if X is something or count(players) > 2:\n  add 1 to X",
    "if count(players) > 2:\n  set X = 3\nadd 1 to X",
    "if X is nothing:\n  set X = 3\nelse:\n  set X = nothing\nadd 1 to X",
    "if X is something:\n  if count(players) > 2:\n    set X = nothing\n  add 1 to X",
    "if X is something:\n  repeat 2:\n    add 1 to X\n    set X = nothing",
    "if X not in [1, 2]:\n  add 1 to X",
]


def codes(script: str) -> list[str]:
    return [one.code for one in alone(GAME + indent(script, " " * 8)).found]


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_asked_is_known_of_what_is_added_to(target: str) -> None:
    assert {form: found for form in KNOWN if (found := codes(form.replace("X", target)))} == {}


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_not_asked_is_not(target: str) -> None:
    assert {form: found for form in UNKNOWN if (found := codes(form.replace("X", target))) != ["RB404"]} == {}


ELSEWHERE = """
kinds: {tile: {has: {n: 1..9}, state: {on: tile, lent: {type: tile, lasts: day}}}}
places: {table: {line: {holds: tile, kept: row, seen_by: everyone}}}
cards: {plot: {kind: tile, n: 1, copies: 2}}
memory:
  table: {sum: 0, other: 0, held: tile, kept: {type: tile, lasts: day}}
values: {much: sum > 3}
whenever:
  much: |
    WHENEVER
rules:
  away: shuffle line
  game: |
    stage day:
      move cards to line
    each c in line:
      set held = c
      set kept = c
      set c.on = c
      set c.lent = c
      if held is something and kept is something and c.on is something and c.lent is something:
        DO
        add X.n to sum
    win players where sum > 3
"""


@pytest.mark.parametrize(
    ("happens", "do", "lost"),
    [
        ("say \"x\"", "add 1 to sum", []),
        ("say \"x\"", "stage day:\n          add 1 to sum", ["kept", "c.lent"]),
        ("say \"x\"", "stage night:\n          add 1 to sum", []),
        ("set held = nothing", "add 1 to sum", ["held"]),
        ("set held = nothing", "say \"y\"", []),
        ("set held = nothing", "shuffle line", ["held"]),
        ("each c in line:\n      set c.on = nothing", "add 1 to sum", ["c.on"]),
        ("do away", "add 1 to sum", ["held", "kept", "c.on", "c.lent"]),
    ],
)
def test_what_may_have_changed_meanwhile_is_not_known(happens: str, do: str, lost: list[str]) -> None:
    """A stage that ends and what `whenever` does change values behind the back of a script."""
    for name in ("held", "kept", "c.on", "c.lent"):
        text = ELSEWHERE.replace("WHENEVER", happens).replace("DO", do).replace("X.n", f"{name}.n")
        assert [one.code for one in alone(text).found] == ["RB404"] * (name in lost), name


@pytest.mark.parametrize(
    ("gold", "most", "found"),
    [
        ("{type: 0..99, default: 3}", "p.gold", []),
        ("{type: 1..9, default: 3}", "p.gold + 1", []),
        ("3", "max(p.gold, 0)", []),
        ("{type: 0..99, default: 3}", "min(p.gold, 5)", []),
        ("3", "p.gold", ["RB404", "RB404"]),
        ("3", "min(p.gold, 5)", ["RB404", "RB404"]),
        ("{type: -3..99, default: 3}", "p.gold", ["RB404", "RB404"]),
    ],
)
def test_between_nothing_and_what_one_has_there_is_always_a_number(gold: str, most: str, found: list[str]) -> None:
    text = f"""
memory: {{table: {{best: 0}}, player: {{gold: {gold}}}}}
rules:
  game: |
    each p in players chooses bid from 0..{most}
    each p in players:
      if bid[p] > best:
        set best = bid[p]
      set p.gold = 2
    win players where gold > best
"""
    told = alone(text).found
    assert [one.code for one in told] == found
    bounded = "`gold: {type: 0..99, default: 3}`"
    assert all((bounded in one.help) == (gold == "3") for one in told)


def test_a_name_for_the_most_of_such_numbers_has_the_same_cause() -> None:
    (found,) = alone(
        "memory: {player: {gold: 3}}\nrules:\n  game: |\n    each p in players chooses bid from 0..p.gold\n"
        "    let best = max(bid[p] for p in players)\n    add -best to first(players).gold\n"
    ).found
    assert found.code == "RB404" and found.span is not None and found.span.text == "best"
    assert "`gold: {type: 0..99, default: 3}`" in found.help


@pytest.mark.parametrize("script", ["add worn to sum", "let now = worn\n    add now to sum"])
def test_a_memory_that_begins_with_nothing_is_named(script: str) -> None:
    text = f"memory: {{table: {{worn: 0..9, sum: 0}}}}\nrules:\n  game: |\n    {script}\n    set worn = 3\n"
    (found,) = alone(f"{text}    win players where sum > 3\n").found
    assert found.code == "RB404" and "let `worn` begin with a number" in found.help


DRAWN = """
kinds: {tile: {has: {n: 1..9}}}
places: {table: {bag: {holds: tile, kept: bag, seen_by: nobody}, line: {holds: tile, kept: row, seen_by: everyone}}}
cards: {plot: {kind: tile, n: 3, copies: 9}}
memory: {table: {sum: 0}}
rules:
  game: |
    move box to bag
    repeat 20:
"""


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("if bag is empty:\n  return\ndraw 1 from bag to line as tile_drawn\nadd tile_drawn.n to sum", []),
        ("if count(bag) > 2:\n  draw 1 from bag to line as tile_drawn\n  add tile_drawn.n to sum", []),
        ("draw 1 from bag to line as tile_drawn\nadd tile_drawn.n to sum", ["RB404"]),
        ("if line is empty:\n  return\ndraw 1 from bag to line as tile_drawn\nadd tile_drawn.n to sum", ["RB404"]),
        (
            "if bag is empty:\n  return\nmove last(bag) to line\n"
            "draw 1 from bag to line as tile_drawn\nadd tile_drawn.n to sum",
            ["RB404"],
        ),
    ],
)
def test_of_a_place_in_which_something_lies_something_is_drawn(script: str, found: list[str]) -> None:
    told = alone(DRAWN + indent(script, " " * 6) + "\n    win players where sum > 3\n").found
    assert [one.code for one in told if one.code == "RB404"] == found


MIXED = """
words: {{good: {{fish: Fish, silk: Silk}}}}
kinds: {{tile: {{state: {{n: 0}}}}, stone: {{}}}}
places: {{table: {{line: {{holds: [tile, stone], kept: row, seen_by: everyone}}}}}}
cards: {{plot: {{kind: tile, copies: 2}}, rock: {{kind: stone, copies: 2}}}}
memory: {{table: {{tiles: 0, stones: 0, rests: 0, goods: 0}}}}
rules:
  game: |
    move cards to line
    repeat 30:
      each me in players:
        choose picked from ["Rest"], {more}line
        if picked is tile:
          set picked.n = picked.n + 1
          add 1 to tiles
        else if picked is rock:
          add 1 to stones
        else if picked is "Rest":
          add 1 to rests
        else:
          add 1 to goods
    win players where tiles is sum(n of (line where it is tile)) and stones > 0 and rests > 0
"""


def test_an_answer_that_may_be_a_card_or_a_word_is_told_apart() -> None:
    rulebook = alone(MIXED.format(more="every good, ")).rulebook
    assert rulebook is not None
    program = lower(rulebook, 2)
    machine, below, state = Machine(program), Source(1, "mixed").below, Machine(program).new_state(1)
    chosen = []
    while machine.advance(state) is not None:
        seat = machine.find_waiting(state)[0]
        chosen.append(machine.random_value(state, seat, below))
        machine.answer_value(state, seat, chosen[-1])
    counts = [state[program.layout.memory[name].slot] for name in ("tiles", "stones", "rests", "goods")]
    cards = [one for one in chosen if isinstance(one, int)]
    rests = [one for one in chosen if one == "Rest"]
    assert [counts[0] + counts[1], counts[2], counts[3]] == [
        len(cards),
        len(rests),
        len(chosen) - len(cards) - len(rests),
    ]
    assert min(counts) > 0


def test_a_card_is_not_told_from_a_number() -> None:
    assert "RB308" in {one.code for one in alone(MIXED.format(more="1..3, ")).found}


WORDED = """
memory: {table: {rests: 0}, player: {points: 0}}
rules:
  game: |
    repeat 20:
      each me in players:
        choose high from ["Rest"], 1..3
        if high in 1..3:
          add high to me.points
        else:
          add 1 to rests
        choose low from 2..4, ["Rest"]
        if low is 2:
          add low to me.points
        else if low is "Rest":
          say "{me}: {low}"
          add 1 to rests
        choose whom from ["Nobody"], players
        if whom in players:
          add 10 to whom.points
        else:
          add 1 to rests
    win players where points > 30 and rests > 10
"""


def test_an_answer_that_may_be_a_number_or_a_player_or_a_text_is_told_apart() -> None:
    rulebook = alone(WORDED).rulebook
    assert rulebook is not None, alone(WORDED).found
    program = lower(rulebook, 2)
    machine, below, state = Machine(program), Source(1, "worded").below, Machine(program).new_state(1)
    while machine.advance(state) is not None:
        seat = machine.find_waiting(state)[0]
        machine.answer_value(state, seat, machine.random_value(state, seat, below))
    assert len(find_outcome(program, state).winners) == 2


def test_cards_and_numbers_in_one_answer_are_told_to_be_chosen_apart() -> None:
    mixed = MIXED.format(more="1..3, players, ")
    [first, *_] = alone(mixed).found
    assert first.code == "RB308" and "Choose them one after the other" in str(first.help), first


def test_where_somebody_may_be_out_the_message_points_to_what_does_it() -> None:
    (found,) = alone(
        "memory: {player: {score: 0}}\nrules:\n  game: |\n    do leave(last(seats))\n"
        "    add max(score of players) to first(seats).score\n  leave(p): eliminate p\n"
    ).found
    assert found.code == "RB404" and found.span is not None and found.span.text == "max(score of players)"
    assert [label.span.text for label in found.labels] == ["eliminate"]


ON_GRID = """
options: {{rows: {{type: [3, 4], default: 3}}, far: {{type: 1..9, default: 3}}}}
kinds: {{tile: {{has: {{down: 1..3, across: 1..3}}}}}}
places: {{table: {{board: {{holds: tile, kept: grid, size: {size}, seen_by: everyone}}}}}}
cards: {{tile_at: {{kind: tile, {prints}}}}}
rules: {{game: "win nobody"}}
values: {{asked(tile t): "row_number(cell(board, {asked}))"}}
"""
EACH = "each: {down: 1..3, across: 1..3}"


@pytest.mark.parametrize(
    ("size", "prints", "asked", "sure"),
    [
        ("[3, 3]", EACH, "t.down, t.across", True),
        ("[3, 3]", EACH, "1, 3", True),
        ("[3, 3]", EACH, "4 - t.down, 2 if t.down > 1 else t.across", True),
        ("[3, 3]", "down: 1, across: 2", "t.down, t.across + 1", True),
        ("[3, 3]", EACH, "t.down, t.across + 1", False),
        ("[3, 3]", EACH, "t.down - 1, t.across", False),
        ("[2, 3]", EACH, "t.down, t.across", False),
        ("[3, 2]", EACH, "t.down, t.across", False),
        ("[options.rows, 3]", EACH, "t.down, t.across", True),
        ("[options.rows, 3]", EACH, "options.rows, 1", False),
        ("[4, 3]", EACH, "options.rows, 1", True),
        ("[3, 3]", "down: options.far, across: 1", "t.down, t.across", False),
        ("[3, 3]", "down: {by: options.rows, 3: 2, 4: 3}, across: 1", "t.down, t.across", True),
        ("[2, 3]", "down: {by: options.rows, 3: 2, 4: 3}, across: 1", "t.down, t.across", False),
        ("[options.far, 3]", EACH, "t.down, t.across", False),
        ("[3, 3]", EACH, "count(board), 1", False),
    ],
)
def test_a_position_that_is_surely_on_the_grid_is_there(size: str, prints: str, asked: str, sure: bool) -> None:
    text = ON_GRID.format(size=size, prints=prints, asked=asked)
    assert [one.code for one in alone(text).found if one.severity == "error"] == ([] if sure else ["RB404"])
