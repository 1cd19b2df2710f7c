"""Games as games of OpenSpiel: its own simulations and playthroughs pass, its algorithms find an equilibrium."""

import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from cores import has_core

import rulebook
from rulebook import library
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.small_games.counting import count_tree

try:
    import pyspiel
except ImportError:
    pyspiel = None
pytestmark = pytest.mark.extra("openspiel", "pyspiel")

GAMES = [folder.name for folder in library.find_games()]
SHORT = {"cheat": {"laps": 8}, "hearts": {"limit": 20}}
"""House rules by which long games are over sooner."""
LONG = ("cheat", "craft_fair", "crazy_eights", "fruit_garden", "hearts")
"""Games with so many answers that to come again from each of them, as a save is read, takes long."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_simulations_of_openspiel(name: str) -> None:
    game = rulebook.openspiel(name, options=SHORT.get(name))
    pyspiel.random_sim_test(game, num_sims=1, serialize=name not in LONG, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "tic_tac_toe", "goofspiel", "liars_dice", "fireworks"])
def test_a_playthrough_comes_again(name: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    text = str(rulebook.openspiel(name))
    first = generate_playthrough.playthrough(text, None, seed=1)
    actions = [int(number) for number in first.rpartition("History() = [")[2].partition("]")[0].split(",")]
    assert generate_playthrough.playthrough(text, actions) == generate_playthrough.playthrough(text, actions)
    assert f"game: {text}" in first


@pytest.mark.slow
def test_cfr_finds_the_equilibrium_of_kuhn_poker() -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game = rulebook.openspiel("kuhn_poker", payoffs=(-2, 2))
    solver = cfr.CFRSolver(game)
    for _ in range(110):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.01


def walk(game: Any) -> dict[str, Any]:
    """Count the histories of a game, those that end, and the information states of each player."""
    found: dict[str, Any] = {"histories": 0, "terminal": 0, "states": [set() for _ in range(game.num_players())]}
    ahead = [game.new_initial_state()]
    while ahead:
        state = ahead.pop()
        found["histories"] += 1
        if state.is_terminal():
            found["terminal"] += 1
        elif state.is_chance_node():
            ahead += [state.child(outcome) for outcome, _ in state.chance_outcomes()]
        else:
            player = state.current_player()
            found["states"][player].add(state.information_state_string(player))
            ahead += [state.child(action) for action in state.legal_actions()]
    return {**found, "states": tuple(map(len, found["states"]))}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "given"), [("kuhn_poker", {}), ("leduc_poker", {}), ("goofspiel", {"cards": "3"})])
def test_the_tree_is_the_one_that_is_counted_here(name: str, given: dict[str, str]) -> None:
    rules = load(library.find_game(name)).rulebook
    assert rules is not None
    tree = count_tree(lower(rules, 2, settle_options(rules.options, given, rules.units)[0]))
    asked = tuple(all_ - alone for all_, alone in zip(tree.states, tree.forced_states, strict=True))
    found = walk(rulebook.openspiel(name, options=given))
    assert found == {"histories": tree.histories - tree.forced, "terminal": tree.terminal, "states": asked}


def test_who_decides_at_the_same_time_knows_nothing_of_the_others() -> None:
    game = rulebook.openspiel("goofspiel", options={"cards": 3})
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    first = state.current_player()
    told = set()
    for action in state.legal_actions():
        child = state.child(action)
        assert child.current_player() == 1 - first
        told.add(child.information_state_string(1 - first))
    assert len(told) == 1


def test_a_game_comes_again_from_its_text() -> None:
    game = rulebook.openspiel("wallet", 3, variants=["hard_cash"], options={"rounds": 2})
    again = pyspiel.load_game(str(game))
    assert (str(again), again.num_players()) == (str(game), 3)
    state = game.new_initial_state()
    for _ in range(40):
        state.apply_action(state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[0])
    _, came = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert came.history() == state.history()
    assert [came.information_state_string(seat) for seat in range(3)] == [
        state.information_state_string(seat) for seat in range(3)
    ]


def test_what_kind_of_game_it_is() -> None:
    of = pyspiel.GameType
    open_game, poker, team = (
        rulebook.openspiel(name).get_type() for name in ("tic_tac_toe", "kuhn_poker", "fireworks")
    )
    assert (open_game.information, open_game.chance_mode) == (
        of.Information.PERFECT_INFORMATION,
        of.ChanceMode.DETERMINISTIC,
    )
    assert (poker.information, poker.chance_mode) == (
        of.Information.IMPERFECT_INFORMATION,
        of.ChanceMode.EXPLICIT_STOCHASTIC,
    )
    assert (poker.utility, team.utility) == (of.Utility.ZERO_SUM, of.Utility.GENERAL_SUM)
    assert poker.provides_observation_tensor == has_core()
    hidden = [name for name in GAMES if name != "tic_tac_toe"]
    kinds = {rulebook.openspiel(name).get_type().information for name in hidden}
    assert kinds == {of.Information.IMPERFECT_INFORMATION}


def test_minimax_of_openspiel_knows_who_wins_nothing(tmp_path: Path) -> None:
    from open_spiel.python.algorithms import minimax

    (tmp_path / "rulebook.yaml").write_text(NIM, "utf-8")
    value, action = minimax.alpha_beta_search(rulebook.openspiel(tmp_path))
    assert (value, action) == (1, 2)


NIM = """
format: 1
name: Sticks
players: 2..2
memory: {table: {left: 7}}
rules:
  game: |
    loop:
      each me in players:
        choose many from 1..3 where it <= left "How many sticks?"
        set left = left - many
        if left is 0:
          win me
result: {rank: most seat(it)}
"""


def test_a_game_whose_files_have_changed_is_another_one(tmp_path: Path) -> None:
    for left in (7, 2):
        (tmp_path / "rulebook.yaml").write_text(NIM.replace("left: 7", f"left: {left}"), "utf-8")
        state = rulebook.openspiel(tmp_path).new_initial_state()
        assert len(state.legal_actions()) == min(3, left)


def test_what_has_bounds_of_payoffs_comes_again(tmp_path: Path) -> None:
    game = rulebook.openspiel("kuhn_poker", payoffs=(-2, 2.5))
    state = game.new_initial_state()
    state.apply_action(0)
    again = [
        pyspiel.load_game(str(game)),
        pickle.loads(pickle.dumps(game)),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[0],
        pickle.loads(pickle.dumps(state)).get_game(),
    ]
    assert [(str(one), one.min_utility(), one.max_utility()) for one in again] == [(str(game), -2, 2.5)] * 4
    assert pyspiel.load_game(str(rulebook.openspiel("kuhn_poker", payoffs=(0, 2)))).min_utility() == 0


@pytest.mark.parametrize("payoffs", [5, (1,), (2, -2), (1, 1), ("a", "b"), (float("-inf"), 2), "12"])
def test_what_is_no_bounds_is_refused(payoffs: Any) -> None:
    with pytest.raises(rulebook.BadArgument, match=r"`payoffs` are the least and the most, such as \(-2, 2\)"):
        rulebook.openspiel("kuhn_poker", payoffs=payoffs)


def test_bounds_that_are_too_narrow_are_told_as_soon_as_that_shows() -> None:
    with pytest.raises(rulebook.BadArgument, match=r"\(-1, 1\), and in this game a player may get -3 to 3"):
        rulebook.openspiel("hearts", 4, payoffs=(-1, 1))
    state = rulebook.openspiel("kuhn_poker", payoffs=(-1, 1)).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(rulebook.BadArgument, match=r"payoffs .*2, and `payoffs` says that they are -1 to 1"):
        state.returns()


def test_payoffs_have_bounds() -> None:
    assert rulebook.openspiel("kuhn_poker").max_utility() == float("inf")
    bounded = rulebook.openspiel("kuhn_poker", payoffs=(-2, 2))
    assert (bounded.min_utility(), bounded.max_utility(), bounded.utility_sum()) == (-2, 2, 0)
    assert rulebook.openspiel("hearts").max_utility() == 3


def test_chance_has_no_more_outcomes_than_there_is_room_for(tmp_path: Path) -> None:
    text = NIM.replace("    loop:", "    pick lot from 1..70 at random\n    loop:")
    (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
    with pytest.raises(rulebook.CannotNumber, match=r"70 outcomes here, and there is room for 64.*larger `room`"):
        rulebook.openspiel(tmp_path).new_initial_state().chance_outcomes()
    outcomes = rulebook.openspiel(tmp_path, room=70).new_initial_state().chance_outcomes()
    assert sum(odds for _, odds in outcomes) == pytest.approx(1)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, door, extra in (
        ("rulebook.agents.spiel", rulebook.openspiel, "openspiel"),
        ("rulebook.agents.environment", rulebook.pettingzoo, "pettingzoo"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(rulebook.MissingExtra, match=rf"pip install 'tabletop-rulebook\[{extra}\]'"):
            door("tic_tac_toe")
