"""Determinized states: the same facts for the seat, whole, playable, and otherwise as free as can be."""

from collections import Counter

import ir_samples as s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds_game import kinds_game
from leaks import answer_at_random
from paths import DATA
from secret_game import secret_game

from rulebook.examples import of_its_own
from rulebook.interpreter.determinize import determinize, hidden_cards
from rulebook.interpreter.game import Game
from rulebook.interpreter.invariants import check_state
from rulebook.interpreter.layout import BOX, KNOWN, PENDING, SEED, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_facts

NAMES = ("Ana", "Ben", "Cleo")
SMALL = lower(s.small_game(), 3)
SECRET = lower(secret_game(), 3)
LEAVING = lower(secret_game(leaving=True), 3)
WINDOWS, _ = of_its_own((DATA / "tiers" / "thrown_in.yaml").read_text("utf-8"))
assert WINDOWS is not None
THROWN_IN = lower(WINDOWS, 3)


def a_moment(program: Program, seed: int, answers: int) -> Game:
    """A game at some decision."""
    game = Game(program, seed, NAMES, watch=False)
    below = Source(seed, "test").below
    for _ in range(answers):
        if not game.over:
            answer_at_random(game, below)
    return game


programs = st.sampled_from([SMALL, SECRET, LEAVING, THROWN_IN])
moments = st.builds(a_moment, programs, st.integers(0, 2**32), st.integers(0, 30))
seats = st.integers(0, 2)
sources = st.integers(0, 2**32).map(lambda seed: Source(seed, "twin"))


@pytest.mark.slow
@given(moments, seats, sources)
@settings(deadline=None)
def test_the_seat_sees_no_difference(game: Game, seat: int, source: Source) -> None:
    before = game.state[:]
    twin = determinize(game.program, game.state, seat, source.below)
    assert game.state == before
    assert collect_facts(game.program, NAMES, twin, seat) == collect_facts(game.program, NAMES, game.state, seat)
    assert game.fork(twin).view(seat).ask == game.view(seat).ask


@pytest.mark.slow
@given(moments, seats, sources)
@settings(deadline=None)
def test_it_is_a_whole_state_in_which_the_same_seats_know_as_much(game: Game, seat: int, source: Source) -> None:
    twin = determinize(game.program, game.state, seat, source.below)
    check_state(game.program, twin, through_json=True)
    for what in (WHERE, KNOWN):
        assert Counter(twin[what]) == Counter(game.state[what])


@pytest.mark.slow
@given(moments, seats, sources)
@settings(deadline=None)
def test_it_can_be_played_to_its_end(game: Game, seat: int, source: Source) -> None:
    fork = game.fork(determinize(game.program, game.state, seat, source.below))
    while not fork.over:
        answer_at_random(fork, source.below)
        check_state(game.program, fork.state)


@pytest.mark.slow
@given(moments, seats, sources)
@settings(deadline=None)
def test_it_is_determinized_again_as_well_as_the_true_one(game: Game, seat: int, source: Source) -> None:
    twin = determinize(game.program, game.state, seat, source.below)
    assert hidden_cards(game.program, twin, seat) == hidden_cards(game.program, game.state, seat)


@pytest.mark.slow
@given(moments, seats, sources, st.integers(0, 2**32))
@settings(deadline=None)
def test_the_same_numbers_give_the_same_state_whatever_the_truth(
    game: Game, seat: int, source: Source, seed: int
) -> None:
    """What is hidden has no part in what is drawn, so that nobody who imagines states can learn of it."""
    twin = determinize(game.program, game.state, seat, source.below)
    drawn = [determinize(game.program, state, seat, Source(seed, "drawn").below) for state in (game.state, twin)]
    assert drawn[0] == drawn[1]


@pytest.mark.slow
def test_every_hidden_card_comes_to_lie_in_every_hidden_hole() -> None:
    game = a_moment(SMALL, 1, 0)
    hidden = hidden_cards(SMALL, game.state, 0)
    assert len(hidden) == 7
    source = Source(1, "twin")
    met = {(card, determinize(SMALL, game.state, 0, source.below)[WHERE][card]) for _ in range(300) for card in hidden}
    assert len(met) == len(hidden) * len({game.state[WHERE][card] for card in hidden})


@pytest.mark.slow
def test_what_each_card_may_be_is_equally_likely() -> None:
    """Each hand that Ben may have comes up about as often as every other."""
    game = a_moment(SMALL, 1, 0)
    hand = SMALL.layout.find_place_of("hand", 1).slot
    hidden = hidden_cards(SMALL, game.state, 0)
    source, runs = Source(2, "twin"), 2000
    # Hands whose two cards are alike leave nothing to decide, and so cannot be Ben's while he is asked.
    held = Counter(frozenset(determinize(SMALL, game.state, 0, source.below)[hand]) for _ in range(runs))
    pairs = [
        frozenset((one, other))
        for one in hidden
        for other in hidden
        if one < other and SMALL.likeness[one] != SMALL.likeness[other]
    ]
    assert set(held) <= set(pairs)
    assert min(held.values()) > 0.5 * runs / len(pairs)
    assert max(held.values()) < 2 * runs / len(pairs)


def test_random_streams_begin_anew() -> None:
    game = a_moment(SMALL, 1, 3)
    source = Source(1, "twin")
    twins = [determinize(SMALL, game.state, 0, source.below) for _ in range(5)]
    assert len({twin[SEED] for twin in twins} | {game.state[SEED]}) == 6
    assert any(game.state[index] is not None for index in SMALL.layout.streams)
    assert all(twin[index] is None for twin in twins for index in SMALL.layout.streams)


def test_a_sealed_answer_of_another_is_given_again() -> None:
    game = a_moment(SMALL, 1, 0)
    assert game.decision is not None
    asked = game.decision.asks[-1]
    game.answer(asked.seat, [asked.keys[0]])
    source = Source(1, "twin")
    picked = set()
    for _ in range(100):
        twin = determinize(SMALL, game.state, 0, source.below)
        entry = next(entry for entry in twin[PENDING][1] if entry[0] == asked.seat)
        assert entry[3]
        picked.add(SMALL.definition[entry[2][0]])
    assert len(picked) > 1


def test_hidden_memory_and_dice_take_all_their_values() -> None:
    game = a_moment(SECRET, 4, 12)
    source = Source(1, "twin")
    twins = [determinize(SECRET, game.state, 0, source.below) for _ in range(200)]
    vote, marked = SECRET.layout.player_memory["vote"].slot, SECRET.layout.player_memory["marked"].slot
    assert {twin[vote] for twin in twins} == {game.state[vote]}
    assert {twin[vote + 1] for twin in twins} == set(range(6))
    assert {twin[marked] for twin in twins} == {False, True}
    slot, dye = SECRET.layout.find_place_of("secret", 1).slot, SECRET.layout.states["dye"].slot
    shown = {twin[dye][twin[slot][0]] for twin in twins}
    assert game.state[slot][0] in hidden_cards(SECRET, game.state, 0)
    assert shown == {"dark", "light"}


# ── places that hold only some kinds ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "holds",
    [
        {"first": "a", "second": "ab", "third": "abc"},
        {"first": "ab", "second": "bc", "third": "ca"},
        {"first": "ab", "second": "bc", "third": "cd", "fourth": "da"},
        {"first": "abc", "second": "cde", "third": "efa", "fourth": "bdf"},
    ],
)
def test_cards_lie_only_where_they_may(holds: dict[str, str]) -> None:
    """Also where families overlap, so that cards must be handed on along a path."""
    program = lower(kinds_game(holds), 2)
    state = Game(program, 1, watch=False).state
    # Everybody saw what came out of the box; as if that had been long ago.
    state[KNOWN] = bytes(3 if place == BOX else 0 for place in state[WHERE])
    source = Source(1, "twin")
    laid = set()
    for _ in range(200):
        twin = determinize(program, state, 0, source.below)
        check_state(program, twin)
        laid.add(tuple(bytes(twin[place.slot]) for place in program.layout.places))
    assert len(laid) > 5
