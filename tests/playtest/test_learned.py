"""The bot that learns: the same whenever and wherever, from what its seat may know, and better than who does not."""

import os
import random
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from cores import has_core
from leaks import answer_at_random
from paths import ROOT
from secret_game import secret_game
from shipped import load_game

from rulebook import cache as files
from rulebook import library
from rulebook.interpreter.core.imagining import Ended, Stopped
from rulebook.interpreter.core.learning import add_products, solve_ridge
from rulebook.interpreter.decisions import Decision
from rulebook.interpreter.determinize import Twins, determinize
from rulebook.interpreter.features import find_features
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State
from rulebook.playtest.bots import by_core, make_bot, ready_bots, self_play
from rulebook.playtest.bots.by_core import ByCore, loaded
from rulebook.playtest.bots.by_machine import ByMachine
from rulebook.playtest.bots.knowledge import (
    HEAVIEST,
    Knowledge,
    Member,
    Scale,
    Standing,
    read_knowledge,
    word_standings,
    write_knowledge,
)
from rulebook.playtest.bots.learned import Learned
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.table import Table

LATE = ROOT / "tests" / "data" / "learning" / "late"
NO_CORE = "there is no core here: a C compiler builds it when rulebook is installed"


@cache
def program(name: str, players: int = 0) -> Program:
    if name == "secret":
        return lower(secret_game(), 3)
    rulebook = load_game(LATE if name == "late" else library.find_game(name))
    return lower(rulebook, players or rulebook.players[0])


def list_shipped() -> list[tuple[str, int]]:
    return [
        (folder.name, players)
        for folder in library.find_games()
        for players in {load_game(folder).players[0], load_game(folder).players[-1]}
    ]


def moments(game: Program, seed: int, most: int = 400, every: int = 4) -> Iterator[tuple[Machine, State, int]]:
    """Some moments of a game that is played at random."""
    machine, below = Machine(game), Source(seed, "test").below
    state = machine.new_state(seed)
    for number in range(most):
        if not isinstance(machine.advance(state), Decision):
            return
        seat = machine.find_waiting(state)[0]
        if number % every == 1:
            yield machine, state, seat
        machine.answer_value(state, seat, machine.random_value(state, seat, below))


@pytest.fixture(autouse=True)
def _kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test has a cache of its own."""
    monkeypatch.setenv(files.SWITCH, str(tmp_path / "cache"))
    self_play.forget_all()
    yield
    self_play.forget_all()


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
@pytest.mark.parametrize(("name", "players"), list_shipped())
def test_core_and_machine_see_the_same_features(name: str, players: int) -> None:
    game, looked = program(name, players), 0
    features = find_features(game)
    draws = Source(1, "weights").below
    weights = array("q", [draws(2001) - 1000 for _ in range(features.width + 1)])
    member = Member(1, 1, Scale(3, 20), weights)
    for number, (machine, state, seat) in enumerate(moments(game, 3, 160, 10)):
        below = Source(number, "numbers")
        try:
            core = ByCore(loaded(game, state), seat, below.below, False)
        except Stopped:
            continue
        here = ByMachine(machine, state, seat, Source(number, "numbers").below, False)
        assert core.is_drawn == here.is_drawn
        for at in range(min(3, len(core.legal)) if core.is_drawn else 0):
            # What is random at a table follows from what was looked at before.
            found, again = core.look_on(at), here.look_on(at)
            assert (found if isinstance(found, Ended) else [*found]) == again
            for seats in ([seat], [*range(players)]):
                assert core.weigh_answer(at, member, seats) == here.weigh_answer(at, member, seats)
            looked += 1
    assert looked


def test_every_feature_has_a_name_of_its_own_sort() -> None:
    for name in ("wallet", "hearts", "late"):
        features = find_features(program(name))
        assert len({*features.names}) > features.width * 0.9
        for _, state, seat in moments(program(name), 1, 12):
            assert len(features.tell(state, seat, (0, 0))) == features.width


def learn_by_machine(game: Program, games: int, monkeypatch: pytest.MonkeyPatch) -> Knowledge:
    with monkeypatch.context() as patch:
        patch.setattr(self_play, "core_of", lambda program: "There is no core here.")
        patch.setattr(self_play, "add_products", lambda *given: None)
        patch.setattr(self_play, "solve_ridge", lambda *given: None)
        patch.setattr(by_core, "_table_of", lambda program: None)
        return self_play.learn_game(game, games)


@pytest.mark.slow
@pytest.mark.needs(has_core(), NO_CORE)
@pytest.mark.parametrize(("name", "options"), [("late", {}), ("leduc_poker", {}), ("goofspiel", {"cards": 4})])
def test_core_and_machine_learn_the_same(name: str, options: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    game = lower(program(name).lowering.tables.rulebook, program(name).players, options)
    one = self_play.learn_game(game, 8)
    other = learn_by_machine(game, 8, monkeypatch)
    assert len(one.members) > 1 and all(any(member.weights) for member in one.members)
    assert write_knowledge(one) == write_knowledge(other)


@pytest.mark.slow
def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _TELL, str(LATE)]
    told = [
        subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": seed, files.SWITCH: "off"}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1] and len(told[0]) > 200


_TELL = """
import sys
from pathlib import Path
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.bots.knowledge import write_knowledge
from rulebook.playtest.bots.self_play import learn_game
print(write_knowledge(learn_game(lower(load(Path(sys.argv[1])).rulebook, 3), 4)))
"""


@pytest.mark.parametrize(("name", "players"), [("late", 3), ("secret", 3), ("leduc_poker", 2), ("tic_tac_toe", 2)])
def test_the_core_plays_whole_games_as_learned_does(name: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bots = ("learned:8", *("greedy",) * (players - 1))
    rulebook = program(name, players).lowering.tables.rulebook
    plan = Plan(rulebook, players, 3, {}, bots, rotate=True, watched=True)
    told = [list(Table(evolve(plan, tier=tier)).here(range(2 * players))[0]) for tier in ("core", "machine")]
    assert told[0] == told[1]
    # Nobody in Python thinks in these games; a table that did not know how `learned` answers would ask.
    monkeypatch.setattr(Learned, "think", None)
    assert list(Table(plan).here(range(2 * players))[0]) == told[0]


def find_different(name: str, players: int, most: int) -> int:
    """Count the answers that are others at twins of the true table, in so many decisions of several games."""
    game, differs = Game(program(name, players), 5, watch=False), 0
    below, draws = Source(5, "test").below, Source(3, "twin").below
    for number in range(most):
        if game.decision is None:
            game = Game(program(name, players), 6 + number, watch=False)
        assert game.decision is not None
        for ask in game.decision.asks:
            twin = determinize(game.program, game.state, ask.seat, draws)
            bots = [make_bot("learned:8", 9, ask.seat) for _ in range(2)]
            found = [bot.answer(game.machine, one, ask) for bot, one in zip(bots, (game.state, twin), strict=True)]
            differs += found[0] != found[1]
        answer_at_random(game, below)
    return differs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"),
    [("secret", 3), ("kuhn_poker", 2), ("leduc_poker", 2), ("goofspiel", 3), ("fireworks", 3), ("liars_dice", 3)],
)
def test_no_answer_differs_between_twins(name: str, players: int) -> None:
    assert find_different(name, players, 25) == 0


@pytest.mark.slow
def test_a_bot_that_looked_at_the_true_table_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Twins.draw_state

    def look(twins: Twins, below: Below, answered: bool = True) -> State | None:
        """The true table, for who thinks; else as it ought to be."""
        return drawn(twins, below, answered) if answered else twins.state[:]

    monkeypatch.setattr(by_core, "_table_of", lambda program: None)
    assert find_different("leduc_poker", 2, 25) == 0
    monkeypatch.setattr(Twins, "draw_state", look)
    assert find_different("leduc_poker", 2, 25) > 0


@pytest.mark.slow
def test_it_learns_what_only_pays_later() -> None:
    """A card is the best if it is played last: greedy players do not see that."""
    late = program("late", 4)
    knowledge = self_play.learn_game(late, 300, jobs=2)
    first, second = knowledge.standings
    assert (first.against, second.against) == ("random", "greedy")
    assert first.is_better and second.is_better
    names = find_features(late).names
    in_hand, done = (names.index(f"card phoenix in {place}") for place in ("hand", "done"))
    assert all(member.weights[in_hand] > 0 > member.weights[done] for member in knowledge.members)


def test_who_wins_together_is_compared_with_others_who_do() -> None:
    together = program("fireworks", 2)
    knowledge = self_play.learn_game(together, 16)
    assert [(one.bot, one.against) for one in knowledge.standings] == [("learned", ""), ("greedy", ""), ("random", "")]
    [played, told] = word_standings(knowledge)
    assert played == "learned is 4 players who have played 64 games, each against itself."
    assert told.startswith("Players like it win ") and told.endswith(": all win or lose together.")


def test_who_is_certainly_worse_among_some_bots_and_better_among_none_does_not_play() -> None:
    def judge(*wins: int) -> Knowledge:
        against = zip(("random", "greedy"), wins, strict=True)
        return Knowledge((), tuple(Standing("learned", bot, 60, 1000 * won, 15_000, 0, False) for bot, won in against))

    good, bad, other = judge(50, 30), judge(25, 28), judge(30, 55)
    assert bad.is_worse_than(good) and bad.is_worse_than(other)
    assert not (good.is_worse_than(other) or other.is_worse_than(good) or good.is_worse_than(bad))
    assert not judge(48, 29).is_worse_than(good), "that may be chance"


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_learned_is_kept_and_said_again() -> None:
    begun: list[str] = []
    told = ready_bots(program("late"), ["greedy", "learned:12", "learned:12"], begun.append)
    assert begun == ["learned plays against itself first, 4 times 12 games at most."]
    assert told[0] == "learned is 4 players who have played 48 games, each against itself."
    self_play.forget_all()
    assert ready_bots(program("late"), ["learned:12"], begun.append) == told
    assert len(begun) == 1
    ready_bots(program("late", 3), ["learned:12"], begun.append)
    assert len(begun) == 2


def spoil_member(data: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Spoil the last of those who learned."""
    *others, last = data["members"]
    return data | {"members": [*others, last | fields]}


SPOILT: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no mapping": lambda data: [*data],
    "a key more": lambda data: data | {"code": "import os"},
    "a key less": lambda data: {"members": data["members"]},
    "nobody": lambda data: data | {"members": []},
    "too many": lambda data: data | {"members": data["members"] * 9},
    "no member": lambda data: data | {"members": [[]]},
    "a key of a member more": lambda data: spoil_member(data, code="import os"),
    "a text for a weight": lambda data: spoil_member(data, weights=[[0, "1"]]),
    "a broken number": lambda data: spoil_member(data, weights=[[0, 1.5]]),
    "a weight of nothing": lambda data: spoil_member(data, weights=[[10**6, 1]]),
    "a weight before the first": lambda data: spoil_member(data, weights=[[-1, 1]]),
    "a weight too heavy": lambda data: spoil_member(data, weights=[[0, HEAVIEST + 1]]),
    "yes for a number": lambda data: spoil_member(data, games=True),
    "a scale below nothing": lambda data: spoil_member(data, scale=[-1, 2]),
    "somebody else": lambda data: data | {"standings": [["\x1b[2J", "greedy", 1, 1, 1, 1, False]]},
    "no games": lambda data: data | {"standings": [["learned", "greedy", 0, 1, 1, 1, False]]},
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_what_is_kept_is_taken_only_as_it_was_written(spoilt: str) -> None:
    knowledge = self_play.learn_game(program("late"), 8)
    data, width = write_knowledge(knowledge), find_features(program("late")).width
    read = read_knowledge(data, width)
    assert read is not None and write_knowledge(read) == data
    assert read_knowledge(SPOILT[spoilt](data), width) is None


def test_a_file_that_somebody_changed_is_learned_anew(tmp_path: Path) -> None:
    before = self_play.find_knowledge(program("late"), 8)
    [kept] = (tmp_path / "cache").glob("learned-*.json")
    kept.write_bytes(kept.read_bytes().replace(b'"games":8', b'"games":9'))
    self_play.forget_all()
    begun: list[int] = []
    after = self_play.find_knowledge(program("late"), 8, lambda: begun.append(1))
    assert begun == [1] and write_knowledge(after) == write_knowledge(before)


@pytest.mark.needs(has_core(), NO_CORE)
def test_sums_of_products_are_those_of_the_core() -> None:
    rows = array("i", [7, 2, 5, 1, 2, 3, -4, 3, 5, 1, 0, -9, 2, 1000000])
    columns = {5: 0, 0: 1, 2: 2}
    assert add_products(rows, columns, 6) == self_play._add_by_hand(rows, columns)


@pytest.mark.needs(has_core(), NO_CORE)
@pytest.mark.parametrize("seed", range(20))
def test_regressions_are_solved_as_in_the_core(seed: int) -> None:
    """Also where a column never varies, where two are the same, and where numbers are large."""
    drawn, rows = random.Random(seed), array("i")
    for _ in range(drawn.randint(2, 60)):
        large = drawn.randint(0, 10**6)
        pairs = (9, 1, 0, 7, 1, large, 2, large, 3, drawn.randint(-3, 3), 4, drawn.randint(0, 1))
        rows.extend((drawn.randint(-1000, 1000), len(pairs) // 2, *pairs))
    columns = {feature: column for column, feature in enumerate((9, 0, 1, 2, 3, 4))}
    sums = self_play._add_by_hand(rows, columns)
    # As many games as nobody plays: more than whole numbers hold.
    times = 1 if seed % 2 else 3000
    products, targets = (array("q", [times * number for number in row]) for row in sums)
    solved = solve_ridge(products, targets, 100.0)
    assert solved is not None and [[*row] for row in solved] == [*self_play._solve_by_hand(products, targets, 100.0)]
    assert solved[0][0] == 0 and any(solved[1])
