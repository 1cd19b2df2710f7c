"""What one share of a game tells the others, and what all of them together have said.

In: sets of plain data, cards as bits, values as `Spread`s, each under a name. Out: `Said`, which JSON can hold and
which is the same whoever says it first; and several of them joined into one. Never: knows what any of it is about.

A conversation is a generator: it says something, gets back what all shares have said at this point, itself among them,
and in the end returns what it has found. All shares of a game speak equally often, since each goes on or stops because
of what all have heard.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

from rulebook.dsl import spread
from rulebook.dsl.spread import Spread

__all__ = ["Conversation", "Said", "joined", "of_plain", "said", "sorted_plain", "spread_of", "together"]

_T = TypeVar("_T")
Said: TypeAlias = dict[str, dict[str, Any]]
"""`sets`: lists of plain data in order, without repeats; `bits`: numbers in hexadecimal; `spreads`; `firsts`: of what
has an order the first."""
Conversation: TypeAlias = Generator[Said, Said, _T]


def said(
    sets: Mapping[str, Iterable[Any]] | None = None,
    bits: dict[str, int] | None = None,
    spreads: dict[str, Spread | None] | None = None,
    firsts: dict[str, list[Any]] | None = None,
) -> Said:
    """What is told."""
    return {
        "sets": {name: sorted_plain(some) for name, some in sorted((sets or {}).items(), key=itemgetter(0))},
        "bits": {name: f"{one:x}" for name, one in sorted((bits or {}).items())},
        "spreads": {name: _plain_spread(one) for name, one in sorted((spreads or {}).items(), key=itemgetter(0))},
        "firsts": dict(sorted((firsts or {}).items())),
    }


def joined(several: Sequence[Said]) -> Said:
    """What all have said, as one of them would have said it."""
    sets: dict[str, list[Any]] = {}
    bits: dict[str, int] = {}
    spreads: dict[str, Spread | None] = {}
    firsts: dict[str, list[Any]] = {}
    for one in several:
        for name, some in one["sets"].items():
            sets.setdefault(name, []).extend(some)
        for name, number in one["bits"].items():
            bits[name] = bits.get(name, 0) | int(number, 16)
        for name, values in one["spreads"].items():
            more = spread_of(values)
            spreads[name] = spread.join(spreads[name], more) if name in spreads else more
        for name, first in one["firsts"].items():
            firsts[name] = min(firsts[name], first) if name in firsts else first
    return said(sets, bits, spreads, firsts)


def sorted_plain(values: Any) -> list[Any]:
    """Plain data without repeats, in an order that depends on nothing else."""
    return [json.loads(one) for one in sorted({json.dumps(one) for one in values})]


def together(conversations: Sequence[Conversation[_T]]) -> list[_T]:
    """What shares find that talk with nobody else."""
    heard: Said | None = None
    while True:
        told: list[Said] = []
        found: list[_T] = []
        for one in conversations:
            try:
                told.append(next(one) if heard is None else one.send(heard))
            except StopIteration as end:
                found.append(end.value)
        if not told:
            return found
        assert not found, "some have come to an end, and others go on"
        heard = joined(told)


def of_plain(values: Iterable[Any]) -> list[Any]:
    """Lists as the tuples that they were."""
    return [tuple(of_plain(one)) if isinstance(one, list) else one for one in values]


def _plain_spread(one: Spread | None) -> Any:
    if one is None:
        return None
    few = None if one.few is None else sorted(one.few)
    return [one.low, one.high, few, sorted(one.others, key=lambda other: (str(type(other)), str(other)))]


def spread_of(plain: Any) -> Spread | None:
    """A spread that was told."""
    if plain is None:
        return None
    low, high, few, others = plain
    return Spread(low, high, None if few is None else frozenset(few), frozenset(others))
