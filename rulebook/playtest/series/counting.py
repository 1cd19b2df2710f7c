"""The plan by which the core counts what is in a game, and the counts of a game as it tells them.

In: a core, and keys of options. Out: which options are one, which cards have one name, whose each place is; then, of a
game, the same counts as `watching` makes of the states of the machine. Apart, since `watching` knows one game and this
the numbers of a program.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from rulebook.classes import frozen
from rulebook.interpreter.core.door import Core, Counts
from rulebook.interpreter.core.encode import WORD
from rulebook.interpreter.decisions import PASS
from rulebook.interpreter.layout import WHERE
from rulebook.interpreter.program import Pick, Source
from rulebook.playtest.series.naming import UNNAMED

_NUMBERED = 256
"""Numbers and amounts below this are options with a number of their own."""
_NEITHER, _CARD, _CARDS = range(3)
"""Sorts of what a source offers, as `counting.c` has them."""

Key = Callable[[Source, Any], str]


@frozen
class Counted:
    """The counts of a game: how many options and decisions there were; where somebody else was asked than before, the
    number of the decision and masks of who is first and last; by name how often stages began; by card got, played and
    held, of each seat; by option offered and chosen; by some of them what was beyond chance, in millionths, as in
    `Seen`.
    """

    offered: int
    asked: int
    stands: list[tuple[int, int, int]]
    stages: dict[str, int]
    cards: dict[str, tuple[int, ...]]
    options: dict[str, list[int]]
    beyond: dict[str, tuple[int, ...]]


class Counting:
    """The numbers that options and cards of one program have in counts."""

    def __init__(self, core: Core, owners: Sequence[int | None], key: Key) -> None:
        self._core, self._key = core, key
        program = core.program
        self._ids = [*dict.fromkeys(program.definition)]
        self._keys: dict[str, int] = {PASS: 0}
        self._sources = [source for pick in core.picks for source in pick.sources]
        known: dict[tuple[str, tuple[str, ...]], tuple[int, ...]] = {}
        numbers, sources = list[int](), list[int]()
        for source in self._sources:
            sort = source.sort, source.written
            if sort not in known:
                low, values = self._list_numbered(source)
                known[sort] = low, len(values), len(numbers)
                numbers += [self._keys.setdefault(key(source, value), len(self._keys)) for value in values]
            what = _CARD if source.sort in ("card", "object") else _CARDS if source.sort == "list of card" else _NEITHER
            sources += (what, *known[sort])
        names, picks = {id: name for name, id in enumerate(self._ids)}, core.picks
        self._called = [*self._keys]
        self.plan = array(
            "q",
            chain(
                (len(self._keys), self._keys[PASS], len(names), len(picks), len(self._sources)),
                (names[id] for id in program.definition),
                program.layout.start[WHERE],
                (-1 if owner is None else owner for owner in owners),
                map(_is_button, picks),
                (pick.many for pick in picks),
                sources,
                (named.partition(":")[0] not in UNNAMED for named in self._called),
                numbers,
            ),
        )

    def _list_numbered(self, source: Source) -> tuple[int, Sequence[Any]]:
        """List the values that have numbers, as they follow each other in the core, and the first of them there."""
        program, sort = self._core.program, source.sort
        if sort.startswith("word ") or sort in ("text", "any"):
            return WORD, self._core.words
        ranges: dict[str, Sequence[Any]] = {
            "label": range(len(source.written)),
            "card": range(program.cards),
            "action": range(program.cards, program.cards + len(program.actions)),
            "object": range(program.cards + len(program.actions)),
            "player": range(program.players),
            "place": range(len(program.layout.places)),
            "yes_no": (False, True),
            "number": range(_NUMBERED),
            "amount": range(_NUMBERED),
        }
        values = ranges.get(sort, ())
        return (int(values[0]) if values else 0), values

    def read(self, counts: Counts) -> Counted:
        """Read the counts of a game."""
        told, players = iter(counts[0]), self._core.program.players
        offered, asked, begun = (next(told) for _ in range(3))
        stands = [(next(told), next(told), next(told)) for _ in range(begun)]
        stages = {name: next(told) for name in self._core.program.stages}
        cards = {self._ids[next(told)]: _take(told, 3 * players) for _ in range(next(told))}
        options, beyond = dict[str, list[int]](), dict[str, tuple[int, ...]]()
        for _ in range(next(told)):
            key, many, chosen, has_beyond = self._called[next(told)], next(told), next(told), next(told)
            options[key] = [many, chosen]
            if has_beyond:
                beyond[key] = _take(told, 2 * players)
        self._add_rest(iter(counts[1]), options)
        return Counted(offered, asked, stands, stages, cards, options, beyond)

    def _add_rest(self, rest: Iterator[int], options: dict[str, list[int]]) -> None:
        """Add what has no number: in each decision every key once."""
        for many in rest:
            taken = dict[str, bool]()
            for _ in range(many):
                is_chosen, source = next(rest), self._sources[next(rest)]
                key = self._key(source, self._core.read_option(rest, source))
                taken[key] = taken.get(key, False) or bool(is_chosen)
            for key, is_taken in taken.items():
                counted = options.setdefault(key, [0, 0])
                counted[0] += 1
                counted[1] += is_taken


def _is_button(pick: Pick) -> bool:
    return pick.is_button


def _take(numbers: Iterator[int], many: int) -> tuple[int, ...]:
    return tuple(next(numbers) for _ in range(many))
