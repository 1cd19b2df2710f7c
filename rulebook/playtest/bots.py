"""Players that need nobody: what `bot:random` and the like stand for, and which words are such a player.

In: a word, the seed of a game, a seat. Out: a `Bot`, which answers what its seat is asked. Each bot has a
random stream of its own, outside of the game's, so the same seed and the same bots play the same game. Never:
uses what its seat may not know.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from typing import Any, Protocol

from rulebook.diagnostics import did_you_mean
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import State

__all__ = ["EXEC", "SPECS", "BadSpec", "Bot", "check_spec", "command_of", "is_command", "make_bot"]


class BadSpec(ValueError):
    """No bot is called that; the sentence says which ones there are."""


class Bot(Protocol):
    """Answers for one seat."""

    spec: str

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The same as a value for `Machine.answer_value`, for who plays very many games."""


class _Drawing:
    """Answers by drawing numbers below a bound."""

    def __init__(self, spec: str, below: Callable[[int], int]) -> None:
        self.spec, self._below = spec, below

    def answer(self, machine: Machine, state: State, ask: Ask) -> list[str]:
        """The keys of a legal answer."""
        return machine.random_answer(state, ask, self._below)

    def value(self, machine: Machine, state: State, seat: int) -> Any:
        """The same as a value of the machine."""
        return machine.random_value(state, seat, self._below)


def _random(seed: int, seat: int) -> Bot:
    return _Drawing("random", Source(seed, f"bot:{seat}").below)


def _first(seed: int, seat: int) -> Bot:
    # The first of every list: the first option, the smallest set. Where that set is not allowed, the first that is.
    return _Drawing("first", lambda bound: 0)


_MAKERS: dict[str, Callable[[int, int], Bot]] = {"random": _random, "first": _first}

SPECS: dict[str, str] = {
    "random": "every legal answer is as likely as any other; equal cards count one by one",
    "first": "always the first option",
}
"""The words for bots, and what such a bot does."""


EXEC = "exec:"
"""What stands before a command that plays; `partners` starts it."""


def is_command(spec: str) -> bool:
    """Whether a program of somebody else's plays."""
    return spec.startswith(EXEC)


def command_of(spec: str) -> list[str]:
    """The words of a command, which exists. Raises BadSpec."""
    command = spec.removeprefix(EXEC)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadSpec(f"The command in `{spec}` cannot be read: {error}.") from None
    if not words:
        raise BadSpec(f"`{spec}` has no command. Write one behind the colon: exec:python3 my_bot.py")
    if shutil.which(words[0]) is None:
        raise BadSpec(f"There is no program `{words[0]}` that could be started.")
    return words


def check_spec(spec: str) -> None:
    """Raise BadSpec if there is no such bot."""
    if is_command(spec):
        command_of(spec)
    elif spec not in _MAKERS:
        help = did_you_mean(spec, SPECS)
        raise BadSpec(f"There is no bot called `{spec}`. {help}{'' if help.endswith('?') else '.'}")


def make_bot(spec: str, seed: int, seat: int) -> Bot:
    """The bot of a seat in the game with that seed; BadSpec if there is no such bot. Commands are not made here."""
    if is_command(spec):
        raise BadSpec(f"`{spec}` is a program, which needs a game to play in.")
    check_spec(spec)
    return _MAKERS[spec](seed, seat)
