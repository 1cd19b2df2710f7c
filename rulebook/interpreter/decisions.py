"""Questions that the machine hands out when it needs somebody, and exceptions for an answer or a rule that is wrong.

No card's number is in anything that is sent to people: `Option.values` stays inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from attrs import field

from rulebook.classes import frozen

NAMED_CALLERS = 5
"""The most scripts of a chain of calls that a message names."""
PASS = "pass"
"""The key of the option to decline."""


@frozen
class Option:
    """One thing that may be answered; equal cards are one option with a `count`.

    `values` are the machine's own values, one for each copy; they are never sent.
    """

    key: str
    label: str
    count: int = 1
    values: tuple[Any, ...] = field(default=(), repr=False, eq=False)

    def to_json(self) -> dict[str, Any]:
        """Return the record that people and programs are sent."""
        return {"key": self.key, "label": self.label, "count": self.count}


@frozen
class Ask:
    """A question to one player.

    `number` counts this player's own decisions. Between `at_least` and `at_most` keys are wanted, in order if
    `ordered`; one key where both are 1. `picked` holds the keys of the picks that this decision has had already.
    `quiet`: the others may not learn who is asked. `name` is what the rules call what is chosen, such as `suspect`; a
    menu has none.
    """

    seat: int
    number: int
    prompt: str
    options: tuple[Option, ...]
    at_least: int = 1
    at_most: int = 1
    ordered: bool = False
    picked: tuple[str, ...] = ()
    quiet: bool = False
    name: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(option.key for option in self.options)

    def to_json(self) -> dict[str, Any]:
        """Return the record that this player is sent."""
        return {
            "seat": self.seat,
            "number": self.number,
            "prompt": self.prompt,
            "name": self.name,
            "options": [option.to_json() for option in self.options],
            "at_least": self.at_least,
            "at_most": self.at_most,
            "ordered": self.ordered,
            "picked": list(self.picked),
        }


class Decision:
    """The machine waits for one player, or for several in a sealed decision; who has answered is not in it.

    What is asked is put into words when somebody looks: who plays thousands of games does not.
    """

    def __init__(self, asks: Callable[[], tuple[Ask, ...]]) -> None:
        self._ask = asks

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """The asks of the seats that have not answered, in the order in which they were asked."""
        return self._ask()

    def find_ask(self, seat: int) -> Ask | None:
        """Return the ask of this seat; None if it is not asked."""
        return next((ask for ask in self.asks if ask.seat == seat), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and self.asks == other.asks

    def __hash__(self) -> int:
        return hash(self.asks)

    def __repr__(self) -> str:
        return f"Decision({self.asks!r})"


@frozen
class Chance:
    """The machine waits for an outcome: what may happen, with whole-number weights, and which seats will see it."""

    number: int
    outcomes: tuple[str, ...]
    weights: tuple[int, ...]
    seen_by: tuple[int, ...]


def not_met(lines: Sequence[str]) -> str:
    """Say why something may not be chosen: the lines of the rules that forbid it; nothing if no line does."""
    return f"Not met: {'; '.join(lines)}." if lines else ""


class BadSetup(ValueError):
    """The rulebook cannot be played with so many players, or so many cards; the sentence says why."""


class Refused(Exception):
    """An answer that may not be given; the sentence says why. The state is as it was."""


class NotKept(Refused):
    """Something that could not be written down, and so was not done; it can be tried again."""

    def __init__(self, failure: OSError) -> None:
        super().__init__(f"That could not be kept ({failure.strerror}), and so is not done. Try again.")
        self.reason = failure.strerror


class RuleError(Exception):
    """The rules went wrong while they ran.

    `script` is the name of the script, `at` the sentence (its `span` says where it stands; None if it has none), and
    `chain` the names of the scripts that called, innermost first; of very many `between` are left out in the middle.
    """

    def __init__(
        self, message: str, script: str = "", at: Any = None, chain: tuple[str, ...] = (), between: int = 0
    ) -> None:
        super().__init__(message)
        self.message, self.script, self.at, self.chain, self.between = message, script, at, chain, between

    def __str__(self) -> str:
        if not self.script:
            return self.message
        shown, more = self.chain[:NAMED_CALLERS], len(self.chain) + self.between - NAMED_CALLERS
        callers = "".join(f", called by {name}" for name in shown)
        callers += f", and {more:,} more up to {self.chain[-1]}" if more > 0 else ""
        return f"{self.message} (in {self.script}{callers})"


class Endless(RuleError):
    """The rules run on and on without asking anybody."""


class Unbalanced(RuleError):
    """The payoffs of a finished game do not add up to nothing, and the rules say that they do."""
