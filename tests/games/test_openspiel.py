"""The classics against OpenSpiel, which has games of the same names: the same counts, the same values.

Where OpenSpiel walks a game otherwise, the difference is said here, and taken into account on this side of the
comparison; the trees that are compared are whole.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rulebook import library
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.state import State, clone
from rulebook.loading import load
from rulebook.playtest.small_games.counting import Tree, count_tree

try:
    import pyspiel
except ImportError:
    pyspiel = None
pytestmark = pytest.mark.extra("openspiel", "pyspiel")


def theirs(name: str, information: Callable[[Any, int], Any] | None = None) -> dict[str, Any]:
    """Every history of a game of OpenSpiel, and uniform random play in it."""
    game = pyspiel.load_game(name)
    seats = range(game.num_players())
    found: dict[str, Any] = {"histories": 0, "terminal": 0, "chance": 0, "draws": 0}
    values, wins = [0.0 for _ in seats], [0 for _ in seats]
    states: list[set[Any]] = [set() for _ in seats]
    ahead = [(game.new_initial_state(), 1.0)]
    while ahead:
        state, probability = ahead.pop()
        found["histories"] += 1
        if state.is_terminal():
            found["terminal"] += 1
            returns = state.returns()
            best = [seat for seat in seats if returns[seat] == max(returns)]
            if len(best) == 1:
                wins[best[0]] += 1
            else:
                found["draws"] += 1
            for seat in seats:
                values[seat] += probability * returns[seat]
        elif state.is_chance_node():
            found["chance"] += 1
            ahead += [(state.child(action), probability * odds) for action, odds in state.chance_outcomes()]
        else:
            player, actions = state.current_player(), state.legal_actions()
            told = state.information_state_string(player) if information is None else information(state, player)
            states[player].add(told)
            ahead += [(state.child(action), probability / len(actions)) for action in actions]
    return {**found, "values": values, "wins": tuple(wins), "states": tuple(map(len, states))}


def ours(game: str, **given: str) -> Tree:
    loaded = load(library.find_game(game))
    rulebook, problems = loaded.rulebook, loaded.messages
    assert rulebook is not None, problems
    options, refused = settle_options(rulebook.options, given, rulebook.units)
    assert not refused
    return count_tree(lower(rulebook, 2, options))


def compare(tree: Tree, other: dict[str, Any]) -> None:
    """The same tree, but for choices with one answer: OpenSpiel makes some of them by itself.

    Such a choice is one history more with one more behind it, so it adds to histories and to nothing else.
    """
    assert tree.histories - tree.forced == other["histories"]
    assert (tree.terminal, tree.chance) == (other["terminal"], other["chance"])
    assert (tree.wins, tree.draws) == (other["wins"], other["draws"])
    asked = tuple(all_ - alone for all_, alone in zip(tree.states, tree.forced_states, strict=True))
    assert asked == other["states"]
    assert [float(value) for value in tree.values] == pytest.approx(other["values"], abs=1e-9)


def test_kuhn_poker() -> None:
    compare(ours("kuhn_poker"), theirs("kuhn_poker"))


def test_leduc_poker() -> None:
    # OpenSpiel tells the two suits of a rank apart unless it is asked not to. Here equal copies are one outcome, which
    # is as likely as both together.
    tree = ours("leduc_poker")
    compare(tree, theirs("leduc_poker(suit_isomorphism=True)"))
    # With suits there are more histories, but the game is worth the same.
    apart = theirs("leduc_poker")
    assert apart["terminal"] == 5520
    assert [float(value) for value in tree.values] == pytest.approx(apart["values"], abs=1e-9)
    assert tree.values[0] == Fraction(-5, 64)


def public(state: Any, player: int) -> tuple[int, ...]:
    """All that was played before this trick, and what is offered in it.

    In OpenSpiel's game of full information, its own information states forget in which trick a bid was made, so that it
    has fewer of them from four cards on. A player who forgets nothing knows every earlier action, but not a bid that is
    made at the same time: where the second player is next, the last action is such a bid.
    """
    return tuple(state.history()[:-1] if player == 1 else state.history())


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "prizes"), [(3, "descending"), (3, "random"), (4, "descending")])
def test_goofspiel(cards: int, prizes: str) -> None:
    # In OpenSpiel bids are made at the same time; it can put them one after the other, in seat order, as is done here.
    # The last bid, which nobody has to think about, it makes by itself, and reveals the last prize with it.
    inner = f"goofspiel(num_cards={cards},points_order={prizes},imp_info=False,returns_type=win_loss)"
    name = f"turn_based_simultaneous_game(game={inner})"
    other = theirs(name, public)
    compare(ours("goofspiel", cards=str(cards), prizes=prizes), other)
    if cards == 3:
        assert theirs(name)["states"] == other["states"]


def test_tic_tac_toe_on_the_way_to_its_end() -> None:
    # The whole tree is walked by bench/tree.py; here the games behind seven marks, of which none makes a line.
    opening = (0, 1, 2, 4, 3, 5, 7)
    loaded = load(library.find_game("tic_tac_toe"))
    rulebook, problems = loaded.rulebook, loaded.messages
    assert rulebook is not None, problems
    machine = Machine(lower(rulebook, 2), exhaustive=True)
    state = machine.new_state(0)
    other = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for square in opening:
        same_end(machine, state, other)
        machine.answer(state, other.current_player(), [f"cell:board.{square + 1}"])
        other.apply_action(square)
    same_end(machine, state, other)


def same_end(machine: Machine, state: State, other: Any) -> None:
    """The same moves are open, and each of the next two of them leads to the same."""
    over = machine.advance(state) is None
    assert over == other.is_terminal()
    if over:
        assert list(find_outcome(machine.program, state).payoffs) == other.returns()
        return
    (seat,) = machine.find_waiting(state)
    assert seat == other.current_player()
    cells = [cell for _, cell in machine.find_choices(state, seat).find_answers()]
    assert cells == other.legal_actions()
    if len(cells) > 2:
        return
    for cell in cells:
        after, theirs_after = clone(state), other.child(cell)
        machine.answer(after, seat, [f"cell:board.{cell + 1}"])
        same_end(machine, after, theirs_after)
