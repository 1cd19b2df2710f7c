"""Scripts do what they say: small games that note in a list what was done, on the machine and in the core alike."""

from __future__ import annotations

import textwrap
from array import array
from contextlib import suppress

import pytest
from cores import play_both

from rulebook.examples import of_its_own
from rulebook.interpreter.core.door import Core, core_of
from rulebook.interpreter.core.library import NoCore
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.decisions import Endless
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import cards_in
from rulebook.playtest.series.bulk import Bulk

GAME = """\
format: 1
name: Notes
players: 2..3
kinds:
  token: {}
places:
  table: {board: {holds: token, kept: grid, size: [2, 1], seen_by: everyone}}
memory:
  table: {noted: set of number, clock: 0, spot: cell}
  player: {points: 0}
cards:
  chip: {kind: token}
rules:
  game: |
    do act(first(players))
  act(me): |
{script}
  tick(number more): |
    add more to clock
    add 0 to clock
  note(number what): set noted = noted + [what]
  next(number what): return what + 1
  both(number what, p): do note(what)
  deep: |
    do note(3)
    do tick(1)
    do note(4)
values:
  doubled(number times): |
    let grown = 1
    repeat times:
      set grown = grown * 2
    return grown
  summed(number times): |
    let sum_of = 0
    repeat times as i:
      repeat i:
        add i to sum_of
      if i is 4:
        return 0 - sum_of
    return sum_of
actions:
  strike:
    effect: |
      do tick(1)
      do note(9)
result: {rank: most points}
"""


def program(script: str) -> Program:
    """A game of one script, which must have no mistakes."""
    rulebook, found = of_its_own(GAME.replace("{script}", textwrap.indent(script, "    ")))
    assert rulebook is not None, found
    return lower(rulebook, 3)


def noted(script: str) -> list[int]:
    """What is on the list when the game is over."""
    rules = program(script)
    machine = Machine(rules)
    state = machine.new_state(1)
    machine.advance(state)
    assert machine.is_over(state)
    try:
        find_library()
    except NoCore:
        pass
    else:
        play_both(rules, 1)
    return list(state[rules.layout.memory["noted"].slot])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("each me in others:\n  add 1 to me.points\nadd 5 to me.points\nset noted = points of players", [5, 1, 1]),
        ("each n in [1, 2]:\n  each n in [7, 8]:\n    do note(n)\n  do note(n)", [7, 8, 1, 7, 8, 2]),
        ("let n = 4\nrepeat 2 as n:\n  do note(n)\ndo note(n)", [1, 2, 4]),
        ("each x in players as n:\n  do note(n)\neach x in [5]:\n  do note(x)", [1, 2, 3, 5]),
        ("each p in players where points > 0:\n  do note(1)\neach p in players:\n  do note(p.points)", [0, 0, 0]),
    ],
)
def test_a_name_of_a_loop_ends_with_its_block(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


MOVES_ON = {
    "numbers": ("loop n from 1, then n * 2:\n  if n > 20:\n    stop\n  do note(n)", [1, 2, 4, 8, 16]),
    "until there is none": ("loop n from 1, then n + 1 if n < 3 else nothing:\n  do note(n)", [1, 2, 3]),
    "none to begin with": ("loop n from max(noted), then n + 1:\n  do note(n)\ndo note(7)", [7]),
    "nobody is asked who comes next": (
        "let p = first(players where points > 9)\nloop q from me, then p.left:\n  do note(1)\ndo note(2)", [1, 2],
    ),
    "a round that is skipped moves on": (
        "loop n from 1, then n + 1 if n < 4 else nothing:\n  if n is 2:\n    skip\n  do note(n)", [1, 3, 4],
    ),
    "rounds are counted": ("loop n from 5, then n + i if i < 3 else nothing as i:\n  do note(n)", [5, 6, 8]),
    "from what the block made of all else": (
        "loop n from 1, then clock:\n  do tick(2)\n  do note(n)\n  if n > 5:\n    stop", [1, 2, 4, 6],
    ),
    "left by its name from a loop within": (
        "loop n from 1, then n + 1 as lap:\n  each p in players:\n    do note(n)\n    if lap is 2:\n      stop lap",
        [1, 1, 1, 2],
    ),
    "the other way round, once": (
        "set me.right.points = 2\nloop p from me, then nothing if p is me.left else p.right:\n  do note(p.points)",
        [0, 2, 0],
    ),
    "who is out is passed over": (
        "set me.right.points = 3\nlet gone = me.left\neliminate gone\n"
        "loop p from me, then gone if p is me else me if p is last(seats) else last(seats) as i:\n"
        "  if i > 3:\n    stop\n  do note(p.points)",
        [0, 3, 0],
    ),
    "who is out is no first one": (
        "set me.points = 3\nlet gone = me.left\neliminate gone\nloop p from gone, then nothing if p is me else me:\n"
        "  do note(p.points)",
        [3],
    ),
    "who goes out in a round is asked who comes next": (
        "set last(seats).points = 3\nloop p from me, then p.right as i:\n  if i > 2:\n    stop\n"
        "  do note(p.points)\n  if i is 1:\n    eliminate p",
        [0, 3],
    ),
    "only those come who are out": (
        "let gone = me.left\neliminate gone\nloop p from me, then gone:\n  do note(1)\ndo note(2)", [1, 2],
    ),
}


@pytest.mark.parametrize("title", MOVES_ON)
def test_a_loop_whose_name_moves_on(title: str) -> None:
    script, wanted = MOVES_ON[title]
    assert noted(script) == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("let a, b = [3, 4]\ndo note(b)\ndo note(a)", [4, 3]),
        ("let a, b = [1, 2]\nlet a, b = [b, a]\ndo note(a)\ndo note(b)", [2, 1]),
        ("set noted = [5]\nlet a, b, c = noted\ndo note(a)\ndo note(b)\nif c is nothing:\n  do note(9)", [5, 5, 9]),
        ("set noted = [5, 6, 7, 8]\nlet a, b, c = noted\ndo note(c)", [5, 6, 7, 8, 7]),
        ('choose x from noted, ["None"]\nif x is number:\n  do note(x)\nelse:\n  do note(2)', [2]),
        ('choose x from noted, ["None"]\nif x is text:\n  do note(3)', [3]),
        ('choose x from [7], ["None"] where me.points > 0\nif x is text:\n  do note(1)\nelse:\n  do note(x)', [7]),
        ('choose x from [me], ["None"] where me.points > 0\nif x is player:\n  do note(x.points)', [0]),
        ('choose x from cards, ["None"] where me.points > 0\nif x is card:\n  do note(4)', [4]),
        ('choose x from cards where me.points > 0, ["None"]\nif x is not card:\n  do note(5)', [5]),
        ('choose x from noted, ["None"] where me.points > 0\nif x is number:\n  do note(x)\nelse:\n  do note(6)', []),
    ],
)
def test_members_get_names_and_sorts_are_told_apart(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("do note(seat(me))\ndo note(seat(me.left))\ndo note(seat(last(seats)))", [1, 2, 3]),
        ("each c in cells(board):\n  do note(10 * row_number(c) + column_number(c))", [11, 21]),
        ("let c = last(cells(board))\nif c is something:\n  move first(cards) to c\neach c in board:\n"
         "  do note(row_number(c))", [2]),
        ("if cell(board, 2, 1) is last(cells(board)):\n  do note(1)", [1]),
        ("each r in 0..3:\n  each c in 0..2:\n    if cell(board, r, c) is something:\n      do note(10 * r + c)",
         [11, 21]),
        ("let c = cell(board, 2, 1)\nmove first(cards) to c\ndo note(count(column(c) where it is empty))", [1]),
        ("let c = first(cards)\nif c is something:\n  do note(row_number(c))\n  do note(5)", [5]),
    ],
)
def test_rows_columns_and_seats_have_numbers(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


@pytest.mark.slow
def test_a_question_goes_round_so_many_times() -> None:
    asked = ("doubled(0)", "doubled(1)", "doubled(5)", "doubled(clock - 3)", "summed(1)", "summed(3)", "summed(9)")
    assert noted("\n".join(f"do note({one})" for one in asked)) == [1, 2, 32, 1, 1, 14, -30]


def test_what_only_comes_to_itself_never_ends() -> None:
    rules = program("loop p from me, then p:\n  add 0 to clock")
    machine = Machine(rules)
    with pytest.raises(Endless):
        machine.advance(machine.new_state(1))


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("me chooses any number of xs from noted\ndo note(count(xs))", [0]),
        ("may choose any number of xs from noted:\n  do note(1)", []),
        ("may choose up to 2 xs from noted:\n  do note(1)\nelse:\n  do note(2)", [2]),
        ("may choose up to 1 xs from noted else return\ndo note(1)", []),
    ],
)
def test_nobody_is_asked_where_there_is_nothing_to_choose(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("stage day until clock is 1:\n  do tick(1)\n  do note(1)\ndo note(2)", [2]),
        ("stage day until clock is 2:\n  loop as n:\n    add 1 to clock\n    do note(n)", [1]),
        ("stage day until clock is 1:\n  if clock is 0:\n    add 1 to clock\n    do note(1)\n  do note(2)", []),
        ("stage day until clock is 1:\n  each p in players:\n    do tick(1)\n    do note(1)", []),
        ("stage day until clock is 1:\n  do strike.effect(me)\n  do note(1)", []),
        ("stage day until clock > 2:\n  loop:\n    stage hour:\n      do tick(1)\n      do note(clock)", [1, 2]),
        ("stage day until clock > 1:\n  stage hour until clock > 0:\n    do tick(2)\n    do note(1)\n  do note(2)", []),
        (
            "stage day until clock > 1:\n  stage hour until clock > 0:\n    do tick(1)\n    do note(1)\n  do note(2)",
            [2],
        ),
        ("let n = 0\nstage day until n > 1:\n  loop:\n    set n = n + 1\n    do note(n)", [1]),
        ("let n = 0\nstage day until n > 1:\n  repeat 9:\n    do next(n) as n\n    do note(n)", [1]),
        ("stage day until clock is 1:\n  do deep\n  do note(1)", [3]),
    ],
)
def test_until_is_asked_after_each_sentence_and_whatever_is_done(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("let out = players where it is not me\neliminate out\neach p in out:\n  do note(1)", [1, 1]),
        ("let out = others\neliminate out\neach p in out where points is 0 as n:\n  do note(n)", [1, 2]),
        ("eliminate others\neach p in seats as n:\n  do note(n)", [1, 2, 3]),
        ("eliminate others\neach p in players as n:\n  do note(n)", [1]),
        ("each p in [me, me.left]:\n  eliminate me.left\n  do note(1)", [1, 1]),
        ("each p in players:\n  eliminate p.left\n  do note(1)", [1, 1]),
        ("each p in players where points is 0 sorted by most points:\n  eliminate p.left\n  do note(1)", [1, 1]),
        ("each p in clockwise from me if clock is 0 else players:\n  eliminate p.left\n  do note(1)", [1, 1]),
        ("each me in others:\n  eliminate me.left\n  do note(1)", [1]),
        ("let still = players\neach p in still:\n  eliminate p.left\n  do note(1)", [1, 1, 1]),
        ("let out = others\neliminate out\nset noted = [count(out), count(out where points is 0)]", [2, 2]),
        ("let out = others\neliminate out\nset noted = 1 for p in out", [1, 1]),
        ("let out = others\neliminate out\nif any(p.points is 0 for p in out):\n  do note(1)", [1]),
        ("let out = me.left\neliminate out\nout chooses n from 1..3\ndo note(n)\ndo note(4)", [4]),
        ("let out = me.left\neliminate out\nout chooses n from 1..3 else return\nadd n to clock\ndo note(4)", [4]),
        ("let out = me.left\neliminate out\nout may choose n from 1..3:\n  do note(n)\nelse:\n  do note(4)", []),
        ('let out = me.left\neliminate out\nout may "Stay":\n  do note(1)\nelse:\n  do note(4)', []),
        ("let out = others\neliminate out\neach p in out chooses n from 1..3\n"
         "if n[me.left] is nothing and n[me] is nothing:\n  do note(4)", [4]),
        ('let out = others\neliminate out\noffer out in turn as q:\n  "Yes":\n    do note(1)\n'
         "else:\n  do note(4)", [4]),
        ('let out = others\neliminate out\noffer out together as q:\n  "Yes":\n    do note(1)\n'
         "else:\n  do note(4)", [4]),
    ],
)  # fmt: skip
def test_who_is_out_is_in_lists_and_is_not_asked(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("do note(max(p.points for p in players where points > 9))\ndo note(4)", [4]),
        ("do note(max(p.points for p in players))\ndo note(4)", [0, 4]),
        ("do both(2, first(players where points > 9))\ndo both(3, me)\ndo note(4)", [3, 4]),
        ("do next(max(p.points for p in players where points > 9)) as n\nif n is nothing:\n  do note(4)", [4]),
        ("repeat 2 as i:\n  do next(max(p.points for p in players where i is 1)) as n\n"
         "  do note(n if n is something else 9)", [1, 9]),
        ("do strike.effect(first(players where points > 9))\ndo note(4)", [4]),
        ("do strike.effect(me)\ndo note(4)", [9, 4]),
        ("do strike.effect(me) for first(actions where clock > 9)\ndo note(4)", [4]),
        ("let who = first(players where points > 9)\nif who is something:\n  do both(2, who)\nelse:\n"
         "  do both(3, who)\n  do note(4)", [4]),
    ],
)  # fmt: skip
def test_a_rule_that_is_given_nothing_is_not_done(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("each p in players chooses:\n  n from [1]\n  m from [1]\ndo note(n[me] + m[me])", [2]),
        ("each p in players chooses:\n  n from [1]\n  m from [1, 2] where it is not n\ndo note(m[me])", [2]),
        ("each p in players chooses n, m from [1]\nif m[me] is nothing:\n  do note(n[me])", [1]),
        ("each p in players chooses:\n  n from [1]\n  m, k from [1, 1]\nif k[me] is nothing:\n  do note(m[me])", [1]),
    ],
)  # fmt: skip
def test_the_lines_of_a_block_have_lists_of_their_own(script: str, wanted: list[int]) -> None:
    assert noted(script) == wanted


@pytest.mark.parametrize(
    ("script", "result", "winners"),
    [
        ("add -3 to me.points", "{payoff(p): p.points}", ()),
        ("add 3 to me.points", "{payoff(p): p.points}", (0,)),
        ("add -3 to me.points", "{rank: most points}", ()),
        ("add -3 to me.points", "{rank: least points}", (0,)),
        ("add -3 to me.points\nwin me", "{payoff(p): p.points}", (0,)),
    ],
)
def test_who_plays_alone_and_loses_has_not_won(script: str, result: str, winners: tuple[int, ...]) -> None:
    text = GAME.replace("2..3", "1..3").replace("{rank: most points}", result)
    rulebook, found = of_its_own(text.replace("{script}", textwrap.indent(script, "    ")))
    assert rulebook is not None, found
    program = lower(rulebook, 1)
    machine = Machine(program)
    state = machine.new_state(1)
    machine.advance(state)
    assert find_outcome(program, state).winners == winners
    if isinstance(core := core_of(program), Core):
        seeds = array("Q", [1])
        [ended] = Bulk(1, 0, seeds, core.play_games(seeds))
        assert ended.winners == winners


CIRCLE = """\
format: 1
name: Neighbours
players: 3..3
kinds: {id: {asks: {innocent(me): conditions}}}
cards:
  clown: {kind: id, copies: 9, innocent: {neighbour: free(me.left)}}
places: {player: {hand: {holds: id, kept: loose}}}
values: {free(p): any(p.hand where innocent(p))}
rules:
  game: |
    each p in players:
      move first(box) to p.hand
    win players where free(it)
result: {rank: most count(hand)}
"""


def test_of_questions_in_a_circle_the_one_that_a_card_asks_is_told() -> None:
    rulebook, found = of_its_own(CIRCLE)
    assert rulebook is not None, found
    machine = Machine(lower(rulebook, 3))
    with pytest.raises(Endless) as stopped:
        machine.advance(machine.new_state(1))
    assert stopped.value.script == "cards.clown.innocent"
    assert stopped.value.at.span.text == "free(me.left)"


OWN_PILES = """\
format: 1
name: Own piles
players: 2..3
kinds:
  tile:
    places:
      lid: {holds: scrap, kept: pile, seen_by: nobody, refill: tray}
      tray: {holds: scrap, kept: pile}
  scrap: {}
places:
  player:
    deck: {holds: tile, kept: pile, seen_by: nobody, refill: heap}
    heap: {holds: tile, kept: bag, seen_by: everyone, refill: deck}
    hand: {holds: [tile, scrap], kept: loose, seen_by: owner}
cards: {oak: {kind: tile, copies: 6}, bit: {kind: scrap, copies: 4}}
rules:
  game: |
    each p in players:
      move first(box where it is tile, 2) to p.heap
    let board = first(first(players).heap)
    move box where it is scrap to board.tray
    each p in players:
      draw 1 from p.deck to p.hand
      draw 1 from p.deck to p.hand
      draw 1 from p.deck to p.hand
    draw 3 from board.lid to first(players).hand
result: {rank: most count(hand)}
"""


def test_a_place_is_refilled_from_another_of_its_owner() -> None:
    rulebook, found = of_its_own(OWN_PILES)
    assert rulebook is not None, found
    rules = lower(rulebook, 3)
    machine = Machine(rules)
    state = machine.new_state(1)
    machine.advance(state)
    sizes = [len(cards_in(rules.layout, state, rules.layout.find_place_of("hand", seat))) for seat in range(3)]
    assert sizes == [2 + 3, 2, 2]
    with suppress(NoCore):
        find_library()
        play_both(rules, 1)


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("last(cells(board)) is something", [1, 1]),
        ("last(cells(board)) is not something", [0, 0]),
        ("last(cells(board)) is nothing", [0, 0]),
        ("last(cells(board)) is empty", [1, 0]),
        ("last(cells(board)) is not empty", [0, 1]),
        ("spot is something", [0, 1]),
        ("spot is nothing", [1, 0]),
        ("spot is empty", [1, 0]),
        ("spot is something and spot is not empty", [0, 1]),
        ("any(cells(board) where it is not empty)", [0, 1]),
        ("first(cells(board) where it is not empty) is something", [0, 1]),
        ("first(cells(board) where it is empty) is nothing", [0, 0]),
        ("first(cells(board)) is not empty", [0, 0]),
    ],
)
def test_a_position_that_is_there_is_one_thing_and_a_card_on_it_another(asked: str, wanted: list[int]) -> None:
    by_jump = f"if {asked}:\n  do note(1)\nelse:\n  do note(0)\n"
    by_value = f"do note(1 if {asked} else 0)\n"
    for ask in (by_jump, by_value):
        script = f"{ask}\nset spot = last(cells(board))\nif spot is something:\n  move chip to spot\n{ask}"
        assert noted(script) == wanted
