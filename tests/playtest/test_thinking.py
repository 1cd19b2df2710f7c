"""Bots that think: they cheat nobody, answer what may be answered, and see what one answer ahead is to be seen."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import ir_samples as s
import pytest
from bot_kinds import list_thinkers
from leaks import answer_at_random
from secret_game import secret_game
from shipped import load_game

from rulebook import library
from rulebook.interpreter.core.imagining import STREAM
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.determinize import Twins, determinize
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import CLOCK
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import Outcome, find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.bots import BadSpec, check_spec, learns, looks, make_bot
from rulebook.playtest.bots.by_machine import MOST_SETS, ByMachine, answers, keys_of, margin, play_on
from rulebook.playtest.bots.small import learn_game

pytestmark = pytest.mark.slow

ALL = list_thinkers(8)
LARGE = ("wallet", "wrong_party")


@cache
def program(name: str) -> Program:
    if name == "small":
        return lower(s.small_game(), 3)
    if name == "secret":
        return lower(secret_game(), 3)
    rulebook = load_game(library.find_game(name))
    return lower(rulebook, rulebook.players[0])


def moments(name: str, seed: int, most: int = 30) -> Iterator[Game]:
    """A game at each of its decisions, answered at random."""
    game, below = Game(program(name), seed, watch=False), Source(seed, "test").below
    for _ in range(most):
        if game.over:
            return
        yield game
        answer_at_random(game, below)


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        *product(
            ("small", "secret", "kuhn_poker", "leduc_poker", "goofspiel"),
            (*ALL, "greedy:epsilon=0.5", "ismcts:12:epsilon=0.5"),
        ),
        # Who errs now and then errs in a large game as in a small one.
        *product(LARGE, ALL),
    ],
)
def test_what_a_bot_cannot_know_does_not_change_its_answer(name: str, spec: str) -> None:
    """Other hidden cards, other streams, other sealed answers: the same view, the same answer."""
    below = Source(3, "twin").below
    for game in moments(name, 5, most=5 if name in LARGE else 9):
        assert game.decision is not None
        for ask in game.decision.asks:
            twin = determinize(game.program, game.state, ask.seat, below)
            found = [make_bot(spec, 9, ask.seat).answer(game.machine, one, ask) for one in (game.state, twin)]
            assert found[0] == found[1]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize("spec", ALL)
def test_games_that_look_the_same_to_a_player_are_played_the_same(name: str, spec: str) -> None:
    """The same, found by playing many deals: whoever noticed the same and is asked the same gives the same answer."""
    given: dict[str, list[str]] = {}
    met = 0
    for seed in range(20):
        game, below = Game(program(name), seed), Source(seed % 2, "test").below
        while game.decision is not None:
            ask = game.decision.asks[0]
            answer = make_bot(spec, 1, ask.seat).answer(game.machine, game.state, ask)
            seen = repr(game.view(ask.seat).to_json())
            met += seen in given
            assert given.setdefault(seen, answer) == answer
            game.answer(ask.seat, game.machine.random_answer(game.state, ask, below), ask.number)
    assert met > 10


@pytest.mark.parametrize("spec", list_thinkers(4))
@pytest.mark.parametrize("name", ["goofspiel", "wallet", "liars_dice"])
def test_answers_are_legal_and_values_are_the_same_answers(name: str, spec: str) -> None:
    for game in moments(name, 2, most=12):
        assert game.decision is not None
        ask = game.decision.asks[-1]
        keys = make_bot(spec, 4, ask.seat).answer(game.machine, game.state, ask)
        value = make_bot(spec, 4, ask.seat).value(game.machine, game.state, ask.seat)
        assert game.machine.find_choices(game.state, ask.seat).read_answer(keys) == value


def test_it_does_not_matter_who_answers_a_sealed_decision_first() -> None:
    game = Game(program("goofspiel"), 1, watch=False)
    assert game.decision is not None
    first, last = game.decision.asks[0], game.decision.asks[-1]
    assert first.seat != last.seat
    for spec in list_thinkers(10):
        before = make_bot(spec, 1, last.seat).answer(game.machine, game.state, last)
        fork = game.fork()
        fork.answer(first.seat, [first.keys[3]], first.number)
        assert fork.decision is not None and fork.decision.find_ask(last.seat) is not None
        assert make_bot(spec, 1, last.seat).answer(fork.machine, fork.state, last) == before


def test_of_a_sealed_decision_each_seat_thinks_about_its_own_answer() -> None:
    """The second player may answer with what the first one has no more."""
    game = Game(program("goofspiel"), 1, watch=False)
    for picks in (-1, 0):
        assert game.decision is not None
        ask = game.decision.asks[0]
        game.answer(ask.seat, [ask.keys[picks]], ask.number)
    assert game.decision is not None
    first, last = game.decision.asks
    (gone,) = set(last.keys) - set(first.keys)
    bots = [make_bot("ismcts:24", seed, last.seat) for seed in range(8)]
    assert gone in {bot.answer(game.machine, game.state, last)[0] for bot in bots}


def in_a_row(spec: str, seat: int, turns: list[int]) -> list[str]:
    """What a bot answers at a board on which these positions were taken in turn."""
    game = Game(program("tic_tac_toe"), 1, watch=False)
    for number in turns:
        assert game.decision is not None
        ask = game.decision.asks[0]
        game.answer(ask.seat, [key for key in ask.keys if key.endswith(str(number))][:1], ask.number)
    assert game.decision is not None
    return make_bot(spec, 1, seat).answer(game.machine, game.state, game.decision.asks[0])


@pytest.mark.parametrize("spec", ["greedy", "flat:60", "ismcts:100"])
def test_a_win_in_reach_is_taken(spec: str) -> None:
    assert in_a_row(spec, 0, [1, 4, 2, 5])[0].endswith("3")


@pytest.mark.parametrize("spec", ["flat:200", "ismcts:200"])
def test_a_loss_in_sight_is_prevented(spec: str) -> None:
    assert in_a_row(spec, 0, [1, 5, 9, 4])[0].endswith("6")


@pytest.mark.parametrize("seed", range(6))
def test_who_searches_never_folds_the_best_card_nor_calls_with_the_worst(seed: int) -> None:
    """Whatever the other one holds, this is so: a search that mixes up what players know would miss it."""
    for deal in range(6):
        game = Game(program("kuhn_poker"), deal, watch=False)
        assert game.decision is not None
        first = game.decision.asks[0]
        game.answer(first.seat, [key for key in first.keys if "Bet" in key])
        assert game.decision is not None
        ask = game.decision.asks[0]
        held = game.view(ask.seat).facts["places"][f"{game.names[ask.seat]}.hand"]["cards"]
        answer = make_bot("ismcts:200", seed, ask.seat).answer(game.machine, game.state, ask)[0]
        assert held != ["king"] or "Call" in answer
        assert held != ["jack"] or "Fold" in answer


@pytest.mark.parametrize("spec", [spec for spec in list_thinkers(1000) if ":" in spec and not learns(spec)])
def test_who_imagines_many_games_asks_whether_somebody_waits(spec: str) -> None:
    game = Game(program("wallet"), 1, watch=False)
    assert game.decision is not None
    ask, asked = game.decision.asks[0], list[bool]()

    def is_hurried() -> bool:
        asked.append(True)
        return True

    make_bot(spec, 1, ask.seat, is_hurried).answer(game.machine, game.state, ask)
    assert asked


def test_who_errs_always_answers_like_random() -> None:
    game = Game(program("tic_tac_toe"), 1, watch=False)
    assert game.decision is not None
    ask = game.decision.asks[0]
    given = {make_bot("greedy:epsilon=1", seed, 0).answer(game.machine, game.state, ask)[0] for seed in range(60)}
    assert len(given) == 9


def test_of_very_many_sets_some_are_thought_about() -> None:
    sizes = set()
    for game in moments("wallet", 3, most=60):
        assert game.decision is not None
        ask = game.decision.asks[0]
        below = Source(1, "sets").below
        table = Twins(game.program, game.state, ask.seat).draw_state(below, answered=False)
        assert table is not None
        found = game.machine.find_choices(table, ask.seat)
        legal = answers(found, below, most=3)
        assert {key for value in legal.values() for key in keys_of(found, value)} <= set(ask.keys)
        sizes.add((found.pick.many, len(legal) <= 3))
        assert len(answers(found, below)) <= max(MOST_SETS, len(ask.options))
    assert (True, True) in sizes and (True, False) not in sizes


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "greedy:3",
            "`greedy:3` says more than there is to say: write `greedy`, or `greedy:epsilon=0.1` for one that answers "
            "at random one time in ten.",
        ),
        (
            "flat:many",
            "In `flat:many`, `many` is no number of games from 1 to 1,000,000: write `flat:100`, or "
            "`flat:100:epsilon=0.1` for one that answers at random one time in ten.",
        ),
        ("ismcts:0", "In `ismcts:0`, `0` is no number of games from 1 to 1,000,000: "),
        ("ismcts:9:epsilon=2", "In `ismcts:9:epsilon=2`, epsilon is a share from 0 to 1, such as epsilon=0.1."),
        ("random:5", "`random:5` says more than there is to say: the bot is called `random` and nothing else."),
        ("ismct:200", "There is no bot called `ismct:200`. Did you mean `ismcts`?"),
    ],
)
def test_a_word_that_says_too_much_is_refused_with_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(BadSpec) as refused:
        check_spec(spec)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("name", ["leduc_poker", "goofspiel", "wallet"])
def test_imagined_games_end_as_those_that_bots_play(name: str) -> None:
    """From states that wait, from a sealed decision that some have answered, and right behind an answer."""
    machine = Machine(program(name))
    ends = set()
    for number, game in enumerate(moments(name, 7, most=8)):
        assert game.decision is not None
        ask = game.decision.asks[-1]
        below = Source(number, "table").below
        waiting = Twins(game.program, game.state, ask.seat).draw_state(below, answered=False)
        answered = waiting[:]
        machine.answer_value(answered, ask.seat, machine.random_value(answered, ask.seat, below))
        for state, most, seed in product((waiting, answered), (5, 20_000), (1, 2)):
            before = state[:]
            found = play_on(machine, state, seed, most)
            assert state == before
            assert found == ended(machine, state, seed, most)
            ends.add(found)
    assert len({end.payoffs for end in ends}) > 1
    assert name == "leduc_poker" or not all(end.finished for end in ends), "five answers end no game but a short one"


@pytest.mark.parametrize("name", ["leduc_poker", "goofspiel", "wallet"])
def test_what_seats_get_is_told_of_all_games_together(name: str) -> None:
    for number, game in enumerate(moments(name, 7, most=4)):
        assert game.decision is not None
        ask, below = game.decision.asks[-1], Source(number, "bot").below
        imagined = ByMachine(game.machine, game.state, ask.seat, below, at_random=False)
        # Its first table is drawn with the first of its bot's numbers, and so are the seeds of games at it.
        numbers = Source(Source(number, "bot").below(1 << 62), STREAM).below
        table = Twins(game.program, game.state, ask.seat).draw_state(numbers, answered=False)
        if len(imagined.legal) > MOST_SETS // 2:
            continue
        assert table is not None
        ends = [ended(game.machine, table, numbers(1 << 62), 30) for _ in range(3)]
        payoffs, margins = imagined.play_on(3, 30)
        assert payoffs == [sum(end.payoffs[seat] for end in ends) for seat in range(game.program.players)]
        assert margins == [sum(margin(game.program, end, seat) for end in ends) for seat in range(game.program.players)]


def ended(machine: Machine, before: State, seed: int, most: int) -> Outcome:
    """How a game ends in which `random` sits in every seat, after so many answers at most."""
    state = before[:]
    state[CLOCK] = max(state[CLOCK], MOST_ANSWERS - most)
    bots = [make_bot("random", seed, seat) for seat in range(machine.program.players)]
    while isinstance(decision := machine.advance(state), Decision):
        ask = decision.asks[0]
        machine.answer(state, ask.seat, bots[ask.seat].answer(machine, state, ask))
    return find_outcome(machine.program, state)


@pytest.mark.parametrize("seat", range(2))
def test_what_is_small_is_played_as_in_an_equilibrium(seat: int) -> None:
    """In Kuhn poker: the queen never bets, the jack bluffs now and then, the second player always bets the king."""
    bold: dict[str, set[bool]] = {}
    for deal, seed in product(range(12), range(16)):
        game = Game(program("kuhn_poker"), deal, watch=False)
        if seat:
            assert game.decision is not None
            game.answer(0, game.decision.asks[0].keys[:1])
        assert game.decision is not None
        ask = game.decision.asks[0]
        assert ask.seat == seat
        (held,) = game.view(seat).facts["places"][f"{game.names[seat]}.hand"]["cards"]
        answer = make_bot("ismcts:200", seed, seat).answer(game.machine, game.state, ask)
        bold.setdefault(held, set()).add("Bet" in answer[0])
    assert bold["queen"] == {False}
    assert bold["jack"] == {True, False}
    assert bold["king"] == ({True} if seat else {True, False})


def test_what_was_learned_before_changes_no_answer() -> None:
    """What was learned is kept for the next who asks the same: not asked before, asked before, and asked by others."""
    given: list[list[str]] = []
    for again in range(2):
        for game in moments("kuhn_poker", 4):
            if not again:
                learn_game.cache_clear()
            assert game.decision is not None
            ask = game.decision.asks[0]
            given.append(make_bot("ismcts:200", 3, ask.seat).answer(game.machine, game.state, ask))
    assert given[: len(given) // 2] == given[len(given) // 2 :]
    assert learn_game.cache_info().hits > 0


def test_only_who_thinks_looks() -> None:
    assert [spec for spec in ("random", "first", "exec:true", *ALL) if looks(spec)] == ALL
