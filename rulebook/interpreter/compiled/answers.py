"""What printed questions ask of the engine: the few things that are no single expression of Python.

In: values of the machine. Out: values of the machine, the same that the formulas of lowering answer with. Never:
changes a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulebook.interpreter.lowering import builtins, expressions
from rulebook.interpreter.lowering.builtins import card_at
from rulebook.interpreter.run import NotThere, Run, there
from rulebook.interpreter.state import State, cards_in, count_in

Value = Callable[[Any], Any]

ABSENCES = (NotThere, TypeError, IndexError)
"""What is raised where something is asked of nothing: Python adds no number to None, and an empty slot has no card."""


def listed(several: Any) -> tuple[Any, ...]:
    """The members of lists that stand in a list, those that are no list themselves, and nothing left out."""
    found: list[Any] = []
    for value in several:
        found.extend(value if isinstance(value, tuple) else () if value is None else (value,))
    return tuple(found)


def ask(table: Sequence[Callable[..., Any]], r: Run, s: State, of: int, *arguments: Any) -> Any:
    """What an object answers."""
    return table[of](r, s, of, *arguments)


def first(several: Sequence[Any]) -> Any:
    """The first of a list, or nothing."""
    return several[0] if several else None


def best(several: Iterable[Any], key: Value) -> tuple[Any, ...]:
    """All that have the most of a key."""
    found = [(key(one), one) for one in several]
    top = max((value for value, _ in found), default=None)
    return tuple([one for value, one in found if value == top])


def clockwise(alive: tuple[int, ...], start: int, after: bool) -> tuple[int, ...]:
    """The players from a seat on."""
    later = tuple([seat for seat in alive if seat > start])
    earlier = tuple([seat for seat in alive if seat < start])
    return later + earlier if after or start not in alive else (start, *later, *earlier)


def neighbour(alive: tuple[int, ...], seat: int, step: int, players: int) -> int:
    """The next player in a direction; oneself if nobody else plays."""
    others = sorted(alive, key=lambda other: ((other - seat) * step - 1) % players)
    return others[0] if others else seat


def at_step(steps: Sequence[tuple[int, Any]], reached: int) -> Any:
    """The value of the last step, from the highest down, that is reached."""
    return next((value for least, value in steps if least <= reached), 0)


def cards_of(r: Run, ordinal: int) -> tuple[int, ...]:
    """The cards in a place, whichever it is."""
    return cards_in(r.layout, r.state, r.layout.places[ordinal])


def count_of(r: Run, ordinal: int) -> int:
    """How many cards or pieces lie in a place."""
    return count_in(r.layout, r.state, r.layout.places[ordinal])


def is_free(r: Run, cell: Any) -> bool:
    """Whether a cell (or a card that may be nothing) is nothing."""
    return cell is None or card_at(r, cell) is None


def same_cards(definition: Sequence[str], cards: Any, wanted: Sequence[str], ordered: bool) -> bool:
    """Whether a list of cards is a list of definitions."""
    several = (cards,) if isinstance(cards, int) else cards or ()
    found = [definition[card] for card in several]
    return (found if ordered else sorted(found)) == list(wanted)


NAMES: dict[str, Any] = {
    "there": there,
    "bounded": builtins.bounded,
    "bounded_list": builtins.listed,
    "ask": ask,
    "listed": listed,
    "first": first,
    "best": best,
    "clockwise": clockwise,
    "neighbour": neighbour,
    "at_step": at_step,
    "cards_of": cards_of,
    "count_of": count_of,
    "is_free": is_free,
    "same_cards": same_cards,
    "divide": expressions.ARITHMETIC["/"],
    "rest_of": expressions.ARITHMETIC["%"],
    "Lacks": ABSENCES,
}
"""What printed text may call."""
