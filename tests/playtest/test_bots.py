"""Bots: legal answers, their own stream of chance, one sentence for a word nobody knows."""

from collections import Counter

import pytest
from bot_kinds import list_bots, list_thinkers
from cores import has_core
from shipped import load_game

from rulebook import library
from rulebook.examples import of_its_own
from rulebook.interpreter.core.door import Core, core_of
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.layout import CLOCK, COUNTS, RESULT
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State
from rulebook.playtest.bots import KINDS, BadSpec, by_core, check_spec, make_bot
from rulebook.playtest.series.bulk import Bulk
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally


@pytest.fixture(scope="module")
def program() -> Program:
    rulebook = load_game(library.find_game("wallet"))
    return lower(rulebook, 3)


def played(program: Program, seed: int, specs: list[str]) -> State:
    """A whole game, answered with keys as people answer."""
    machine = Machine(program)
    bots = [make_bot(spec, seed, seat) for seat, spec in enumerate(specs)]
    state = machine.new_state(seed)
    while isinstance(decision := machine.advance(state), Decision):
        ask = decision.asks[0]
        machine.answer(state, ask.seat, bots[ask.seat].answer(machine, state, ask))
    return state


def played_by_value(program: Program, seed: int, specs: list[str]) -> State:
    """The same game, answered with the machine's own values."""
    machine = Machine(program)
    bots = [make_bot(spec, seed, seat) for seat, spec in enumerate(specs)]
    state = machine.new_state(seed)
    while isinstance(machine.advance(state), Decision):
        seat = machine.find_waiting(state)[0]
        machine.answer_value(state, seat, bots[seat].value(machine, state, seat))
    return state


@pytest.mark.slow
@pytest.mark.parametrize(
    "specs", [["random"] * 3, ["first"] * 3, ["first", "random", "random"], ["greedy"] * 3], ids=" ".join
)
def test_the_same_seed_and_bots_play_the_same_game(program: Program, specs: list[str]) -> None:
    for seed in range(3):
        assert played(program, seed, specs) == played(program, seed, specs)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["random", "first", "greedy"])
def test_keys_and_values_are_the_same_answers(program: Program, spec: str) -> None:
    for seed in range(5):
        one, other = played(program, seed, [spec] * 3), played_by_value(program, seed, [spec] * 3)
        # Which of several equal cards was taken may differ, and nothing else.
        assert [one[slot] for slot in (COUNTS, CLOCK, RESULT)] == [other[slot] for slot in (COUNTS, CLOCK, RESULT)]
        assert find_outcome(program, one) == find_outcome(program, other)


def list_specs() -> list[str]:
    """Every kind of bot, free, restricted, and answering at random now and then if it thinks."""
    specs = []
    for word in list_bots(4):
        specs += [word, f"{word}:never=Raise", *([f"{word}:epsilon=0.5"] if word in list_thinkers(4) else [])]
    return specs


SETS = """format: 1
name: Sets
players: 2..2
kinds: {gem: {has: {worth: 0..15}}}
places: {player: {hand: {holds: gem, kept: loose, seen_by: owner}}}
memory: {player: {points: 0}}
cards: {jewel: {kind: gem, each: {worth: 1..13}, copies: 2}}
rules:
  game: |
    each me in players:
      pick 13 mine from box at random
      move mine to me.hand
    each me in players:
      me may choose a from me.hand where worth < 4
      move a to box
      choose up to 13 gems from me.hand
      add count(gems where worth > 9) to me.points publicly
      move gems to box
      may "Raise":
        add 1 to me.points
result: {rank: most points}
"""
"""A game in which somebody may pass, and chooses one of thousands of sets."""


def find_program(game: str) -> Program:
    rulebook = of_its_own(SETS)[0] if game == "sets" else load_game(library.find_game(game))
    assert rulebook is not None
    return lower(rulebook, 2)


@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
@pytest.mark.parametrize("game", ["leduc_poker", "sets"])
@pytest.mark.parametrize("spec", list_specs())
def test_every_kind_of_bot_decides_the_same_in_the_core_and_with_the_machine(
    spec: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = find_program(game)
    core = core_of(program)
    assert isinstance(core, Core), core
    monkeypatch.setattr(by_core, "_table_of", lambda program: None)  # the machine imagines by itself
    machine, decisions = Machine(program), 0
    for seed in range(4 if game == "leduc_poker" else 2):
        state, table = machine.new_state(seed), core.new_table(seed)
        ours, theirs = ([make_bot(spec, seed, seat) for seat in range(2)] for _ in range(2))
        assert table.advance() == 0
        while isinstance(machine.advance(state), Decision):
            seat, asked, picked = table.find_asked()
            assert machine.find_waiting(state)[0] == seat
            machine.answer_value(state, seat, ours[seat].value(machine, state, seat))
            assert theirs[seat].play(table, seat, asked, picked) == 0
            machine.advance(state)
            assert table.machine_state() == state
            decisions += 1
        assert table.find_asked()[0] < 0
    assert decisions > 8


ANSWERS = {"random": (2, 5), "first": (1, 0), "greedy": (1, 6), "learned": (2, 10), "flat": (1, 7), "ismcts": (2, 7)}
"""By kind of bot, what it picks in the first two questions of the game of sets: a worth, and how many."""


@pytest.mark.parametrize("word", KINDS)
def test_each_kind_of_bot_answers_as_it_says(word: str) -> None:
    """A pass, and one of thousands of sets: `first` takes the first of each, and who thinks takes what it gains by."""
    program = find_program("sets")
    machine = Machine(program)
    state, bot = machine.new_state(3), make_bot(f"{word}:4" if KINDS[word].budget else word, 3, 0)
    answers: list[list[str]] = []
    for _ in range(2):
        decision = machine.advance(state)
        assert isinstance(decision, Decision)
        answers.append(bot.answer(machine, state, decision.asks[0]))
        machine.answer(state, 0, answers[-1])
    assert (answers[0], len(answers[1])) == ([f"card:jewel.{ANSWERS[word][0]}"], ANSWERS[word][1])


def test_a_bot_has_a_stream_of_its_own(program: Program) -> None:
    """Neither the other seats' bots nor how often they draw change what a bot draws."""
    machine = Machine(program)
    state = machine.new_state(1)
    decision = machine.advance(state)
    assert isinstance(decision, Decision)
    ask = decision.asks[0]

    def answers(seed: int, seat: int) -> list[list[str]]:
        bot = make_bot("random", seed, seat)
        return [bot.answer(machine, state, ask) for _ in range(20)]

    assert answers(1, 0) == answers(1, 0)
    assert answers(1, 0) != answers(1, 1)
    assert answers(1, 0) != answers(2, 0)


def test_random_is_uniform_over_the_options(program: Program) -> None:
    machine = Machine(program)
    state = machine.new_state(1)
    decision = machine.advance(state)
    assert isinstance(decision, Decision)
    ask = decision.asks[0]
    bot = make_bot("random", 1, 0)
    counts = Counter(key for _ in range(3000) for key in bot.answer(machine, state, ask))
    copies = {option.key: option.count for option in ask.options}
    assert set(counts) == set(copies)
    for key, count in counts.items():
        assert abs(count / 3000 - copies[key] / sum(copies.values())) < 0.05


def test_first_takes_the_first_option(program: Program) -> None:
    machine = Machine(program)
    state = machine.new_state(1)
    decision = machine.advance(state)
    assert isinstance(decision, Decision)
    ask = decision.asks[0]
    assert make_bot("first", 1, ask.seat).answer(machine, state, ask) == [ask.keys[0]]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("randon", "There is no bot called `randon`. Did you mean `random`?"),
        ("clever", "There is no bot called `clever`. Known: `random`, `first`, `greedy`, `learned`, `flat`, `ismcts`."),
        ("", "There is no bot called ``. Known: `random`, `first`, `greedy`, `learned`, `flat`, `ismcts`."),
    ],
)
def test_an_unknown_word_is_refused_with_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(BadSpec) as refused:
        check_spec(spec)
    assert str(refused.value) == sentence
    with pytest.raises(BadSpec):
        make_bot(spec, 1, 0)


@pytest.mark.slow
@pytest.mark.needs(has_core(), "there is no core here: a C compiler builds it when rulebook is installed")
@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("wallet", ["greedy"] * 3),  # here scripts remember what a seat cannot know, and the machine says what may be
        ("exposed", ["greedy", "random"]),
        ("goofspiel", ["greedy", "ismcts:3", "random"]),
        ("hearts", ["greedy", "greedy:epsilon=0.3", "greedy", "first"]),
        ("liars_dice", ["greedy:never=Liar", "greedy"]),
    ],
)
def test_games_that_the_core_plays_whole_are_those_of_one_decision_after_the_other(name: str, bots: list[str]) -> None:
    plan = plan_of(load_game(library.find_game(name)), len(bots), 5, bots=bots, rotate=len(set(bots)) > 1)
    table, numbers = Table(plan), range(2, 2 + 2 * len(bots))
    together = table.here(numbers)[0]
    assert isinstance(together, Bulk)
    assert [*together] == table._one_by_one(numbers)
    assert Tally.of(plan, [together]) == Tally.of(plan, together)
