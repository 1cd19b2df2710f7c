"""Sets that are chosen: nobody is passed over because a search found none, and none is taken for the only one.

`bench/sets.py` draws many more.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest
from drawn_sets import Asked, Sum, build_program, compare_asked, draw_asked

from rulebook.examples import of_its_own
from rulebook.interpreter import sets
from rulebook.interpreter.choosing import NOTHING_FITS, TooManySets
from rulebook.interpreter.core.door import Core
from rulebook.interpreter.decisions import Refused
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.interpreter.totals import SUM, Kind, find_totals
from rulebook.playtest.small_games.counting import count_tree
from rulebook.playtest.small_games.game_tree import TooLarge
from rulebook.table.answers import parse_answer, word_question

NOTES = tuple((n, 0, 1) for n in range(1, 15))
ALL_OF_THEM = 105
JEWELS = tuple((n, 0, 1) for n in (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71))


def asked_of(
    cards: tuple[tuple[int, int, int], ...], condition: str, price: int = 0, *, is_exact: bool = True
) -> Asked:
    return Asked(cards, "any number of", 0, len(cards), condition, lambda s: s.a >= price, price, is_exact)


def begin(program: Program, seed: int = 1) -> tuple[Machine, State]:
    machine = Machine(program)
    state = machine.new_state(seed)
    machine.advance(state)
    return machine, state


def answered(program: Program, state: State) -> int:
    value = state[program.layout.memory["answered"].slot]
    assert isinstance(value, int)
    return value


# ── what is found beyond the bound of the search ─────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cards", "price", "legal", "is_asked"),
    [
        (NOTES, 90, 2, True),
        (NOTES, ALL_OF_THEM - 1, 2, True),
        (NOTES, ALL_OF_THEM, 1, False),
        (NOTES, ALL_OF_THEM + 1, 0, False),
        (JEWELS, 500, 2, True),
        (JEWELS, sum(n for n, *_ in JEWELS) + 1, 0, False),
    ],
)
def test_who_may_pay_in_several_ways_is_asked(cards: object, price: int, legal: int, is_asked: bool) -> None:
    assert isinstance(cards, tuple)
    found = compare_asked(asked_of(cards, f"sum(a of x) >= {price}", price))
    assert (found.legal, found.is_asked, found.is_undecided, found.wrong) == (legal, is_asked, False, "")


def test_what_is_answered_is_checked_when_it_is_given() -> None:
    program = build_program(asked_of(NOTES, "sum(a of x) >= 90"))
    machine, state = begin(program)
    with pytest.raises(Refused, match="at least 90 needed"):
        machine.answer(state, 0, ["card:c0", "card:c13"])
    machine.answer(state, 0, [f"card:c{number}" for number in range(13) if number != 0])
    machine.advance(state)
    assert answered(program, state) == 1


@pytest.mark.parametrize("seed", range(40))
def test_drawn_sets(seed: int) -> None:
    asked = draw_asked(Random(seed), most=10)
    found = compare_asked(asked, seed)
    assert not found.wrong, (found, asked)


@pytest.mark.parametrize("seed", range(500, 508))
def test_drawn_sets_of_many(seed: int) -> None:
    asked = draw_asked(Random(seed), most=16, least=14)
    found = compare_asked(asked, seed)
    assert not found.wrong, (found, asked)


# ── where nobody knows ───────────────────────────────────────────────────────────────────────────

IN_VAIN = "all(c.a > sum(a of first(x, 1)) for c in x) and count(x) > 3"
"""No set meets this, but only who tries all of them knows: it hangs on the order."""


def test_who_is_asked_where_nobody_knows_may_say_that_nothing_fits() -> None:
    program = build_program(asked_of(NOTES, IN_VAIN))
    machine, state = begin(program)
    (ask,) = machine.decision(state).asks
    assert ask.options[-1].label == NOTHING_FITS
    assert word_question(ask) == "Choose any number of cards, or say that nothing fits."
    for typed in ("nothing fits", "pass", "15"):
        assert parse_answer(ask, typed) == ["pass"]
    with pytest.raises(Refused):
        machine.answer(state, 0, ["card:c0"])
    machine.answer(state, 0, ["pass"])
    machine.advance(state)
    assert machine.is_over(state)
    assert answered(program, state) == 0  # `else return`


def test_who_answers_at_random_says_so_after_so_many_tries() -> None:
    asked = asked_of(NOTES, IN_VAIN, ALL_OF_THEM + 1, is_exact=False)
    found = compare_asked(asked)
    assert (found.is_asked, found.is_undecided, found.wrong) == (True, True, "")
    machine, state = begin(build_program(asked))
    assert machine.find_choices(state, 0).random(Source(1, "").below) is None


def test_a_set_that_was_found_is_not_taken_for_the_only_one() -> None:
    # Sets of one card and of two are tried first, and they are too small; all together they are too many.
    condition = "count(x) > 5 and sum(a of first(x, 1)) > 0 and count(x) < 14"
    found = compare_asked(Asked(NOTES, "any number of", 0, 14, condition, lambda s: 5 < s.count < 14, 0, False))
    assert (found.is_asked, found.wrong) == (True, "")


TWO_PICKS = """\
format: 1
name: Two
players: 1..1
kinds: {chip: {has: {a: 0..99}}}
places:
  player: {hand: {holds: chip, kept: loose, seen_by: owner}}
  table: {till: {holds: chip, kept: row, seen_by: everyone}}
memory: {table: {firsts: 0, seconds: 0}}
cards: {note: {kind: chip, each: {a: 1..15}}}
rules:
  game: |
    each me in players:
      move box to me.hand
      each p in players chooses:
        kept from p.hand
        any number of x from p.hand so that CONDITION
      if kept[me] is something:
        set firsts = 1
      if x[me] is something:
        set seconds = 1
"""


def test_what_was_picked_before_stays() -> None:
    text = TWO_PICKS.replace("CONDITION", IN_VAIN)
    rulebook, found = of_its_own(text)
    assert rulebook is not None, found
    program = lower(rulebook, 1)
    machine, state = begin(program)
    table = Core(program).load_state(state)
    for value in (machine.find_choices(state, 0).values[3], None):
        numbers = None if value is None else [3]
        machine.answer_value(state, 0, value)
        machine.advance(state)
        assert table.answer(0, numbers) == 0
        assert table.state(state) == state
    memory = program.layout.memory
    assert machine.is_over(state)
    assert [state[memory[name].slot] for name in ("firsts", "seconds")] == [1, 0]


def test_a_tree_says_that_it_cannot_list_so_many() -> None:
    program = build_program(asked_of(NOTES, IN_VAIN))
    with pytest.raises(TooLarge, match="More than 500 sets have to be tried"):
        count_tree(program, 500)
    # If it may try them all it knows that nothing fits.
    tree = count_tree(program, 20_000)
    assert (tree.histories, tree.terminal, tree.forced) == (2, 1, 1)


def test_all_answers_are_found_or_it_is_said_that_they_are_not() -> None:
    machine, state = begin(build_program(asked_of(NOTES, "sum(a of x) >= 90")))
    found = machine.find_choices(state, 0)
    numbers = range(1, 15)
    legal = sum(sum(chosen) >= 90 for size in range(15) for chosen in combinations(numbers, size))
    assert len(list(found.find_answers())) == legal
    with pytest.raises(TooManySets):
        list(found.find_answers(100))


# ── an order ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("price", "is_asked"), [(3, True), (4, False)])
def test_another_order_may_be_legal(price: int, is_asked: bool) -> None:
    cards = ((1, 0, 1), (2, 0, 1), (3, 0, 1))
    condition = f"sum(a of first(x, 1)) >= {price}"
    program = build_program(Asked(cards, "order", 3, 3, condition, lambda s: s.first >= price, price, False))
    machine, state = begin(program)
    table = Core(program).load_state(state)
    table.advance()
    assert table.state(state) == state
    assert machine.is_over(state) is not is_asked
    if is_asked:
        values = [machine.find_choices(state, 0).random(Source(seed, "").below) for seed in range(30)]
        assert {value[0] for value in values} == {2}


def test_what_is_drawn_is_legal_in_the_order_in_which_it_is_taken() -> None:
    cards = ((5, 0, 1), (1, 0, 1), (3, 0, 1), (4, 0, 2))
    asked = Asked(cards, "2", 2, 2, "sum(a of first(x, 1)) > 4", lambda s: s.first > 4, 0, False)
    for seed in range(20):
        assert not compare_asked(asked, seed).wrong
    machine, state = begin(build_program(asked))
    machine.answer(state, 0, ["card:c1", "card:c0"])  # whatever is named first


# ── how sets are gone through ────────────────────────────────────────────────────────────────────


def test_equal_sets_come_once_and_in_order() -> None:
    random = Random(1)
    for _ in range(200):
        alike = [random.randrange(4) for _ in range(random.randrange(7))]
        size, is_ordered = random.randint(0, len(alike)), random.random() < 0.5
        wanted, met = [], set()
        for indexes in (permutations if is_ordered else combinations)(range(len(alike)), size):
            kinds = [alike[index] for index in indexes]
            mark = tuple(kinds if is_ordered else sorted(kinds))
            wanted += [indexes] if mark not in met else []
            met.add(mark)
        assert list(sets.arrange(sets.find_copies_before(alike), size, is_ordered)) == wanted


def test_each_way_to_take_a_set_is_drawn_as_often() -> None:
    kinds = [Kind(1, (3,)), Kind(2, (2,)), Kind(1, (4,))]
    totals = find_totals(kinds, [SUM], 0, 4)
    assert totals is not None

    def allows(taken: tuple[int, ...]) -> bool:
        return sum(many * (kind.adds[0] or 0) for many, kind in zip(taken, kinds, strict=True)) >= 6

    below = Source(1, "").below
    drawn = Counter(totals.draw(allows, 1, below) for _ in range(4000))
    # Both copies of the second are told apart.
    ways = {(1, 1, 1): 2, (1, 2, 0): 1, (1, 2, 1): 1, (1, 0, 1): 1, (0, 1, 1): 2, (0, 2, 1): 1, None: 1}
    assert set(drawn) == set(ways)
    each = 4000 / sum(ways.values())
    assert all(abs(drawn[taken] - many * each) < 5 * (many * each) ** 0.5 for taken, many in ways.items())


def test_all_that_are_legal_are_drawn() -> None:
    program = build_program(asked_of(NOTES, "sum(a of x) >= 104"))
    machine, state = begin(program)
    found = machine.find_choices(state, 0)
    below = Source(3, "").below
    drawn = {found.random(below) for _ in range(10)}
    assert drawn == set(found.find_answers())


def test_a_large_price_is_looked_for_in_no_time_of_the_game() -> None:
    """A search is no part of the rules: it never stops a game as one that goes round."""
    text = TWO_PICKS.replace("CONDITION", "sum(a of x) > 1000").replace("1..15", "1..40")
    rulebook, found = of_its_own(text)
    assert rulebook is not None, found
    machine, state = begin(lower(rulebook, 1))
    machine.answer_value(state, 0, machine.find_choices(state, 0).values[0])
    assert machine.advance(state) is None


def test_sums_are_added_up_once_for_what_looks_alike() -> None:
    assert Sum().and_more(3, 1).and_more(3, 4) == Sum(2, 6, 5, 3, 3, 8, 3, 1)
