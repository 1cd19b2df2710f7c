"""Nothing that is played or printed depends on the order of sets, which Python mixes anew in each process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from paths import BENCH

sys.path.append(str(BENCH))  # behind the tests: some names are in both
from hash_seeds import BOTS, Command, compare, drawn_games, of_game, of_small_game, on_jobs, slipped_games

from rulebook import library
from rulebook.cli import COMMANDS
from rulebook.dsl import types as t
from rulebook.interpreter.matching import Matching
from rulebook.interpreter.random import Source


def assert_alike(commands: list[Command]) -> None:
    different = compare(commands)
    assert not different, "\n".join(f"{' '.join(one.words)}\n  {one.lines[0]}\n  {one.lines[1]}" for one in different)


NOT_RUN = {"serve", "lsp", "replay", "record", "new", "print", "list", "explain", "tune"}
"""Commands that wait, write files, need a save, or say nothing of a game; and `tune`, which plays like `simulate`."""


@pytest.mark.slow
def test_every_command_prints_the_same_in_every_process(tmp_path: Path) -> None:
    """With every bot; on one process as on two; with a slip of the pen in a game as without."""
    (game,) = drawn_games(tmp_path, 1, seed=3)
    commands = [*of_game(str(game)), *of_small_game(str(game)), *on_jobs(str(game))]
    commands.append(Command(("play", "wallet", "--bots", "greedy", "--seed", "4")))
    commands.append(Command(("diff", "wallet", library.variants_of(library.find_game("wallet"))[0].stem, "--patch")))
    slipped = slipped_games(tmp_path, [library.find_game("kuhn_poker"), library.find_game("goofspiel")], 8, seed=2)
    commands += [Command(("validate", str(one))) for one in slipped]
    assert {word for command in commands for word in command.words} > set(BOTS)
    assert {command.words[0] for command in commands} == set(COMMANDS) - NOT_RUN
    assert_alike(commands)


@pytest.mark.parametrize("sorts", [("cat", "dog", "eel"), ("eel", "cat", "dog")])
def test_hidden_cards_are_drawn_by_their_numbers_alone(sorts: tuple[str, ...]) -> None:
    """Whatever kinds are called, and so whatever order they have in a set: the same numbers lay the same cards."""
    cards = [sorts[number % 3] for number in range(12)]
    laid = Matching(cards, [frozenset([one]) for one in cards]).draw_matching(Source(1, "test").below)
    assert laid == [0, 1, 5, 6, 4, 8, 9, 7, 2, 3, 10, 11]


def test_alternatives_of_a_type_have_one_order() -> None:
    """Each listing is of types whose hashes are addresses, which differ from one process to the next."""
    several: list[t.Type] = [t.Symbol(f"list_{number}") for number in range(6)]
    places: list[t.Type] = [t.Place("pile", frozenset({"a", "b", "c"})), t.Place("row", frozenset({"c", "a"}))]
    both = [*places, t.NOTHING, *several]
    assert t.sort_alternatives(t.either(*both)) == t.sort_alternatives(t.either(*reversed(both)))
    assert [str(one) for one in t.sort_alternatives(t.either(*several))] == [str(one) for one in several]
