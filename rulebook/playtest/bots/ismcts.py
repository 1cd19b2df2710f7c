"""The bot `ismcts:N`: information-set Monte Carlo tree search.

In: imagined tables. Out: the answer that was tried most often in N imagined games. Never: lets a seat use in a game
what it would not know there.

Each game begins at an imagined table and goes down a tree whose nodes are what the player who is asked knows: all that
this seat noticed and answered since the decision, and which of the cards hidden from us it knows. Whoever is asked, we
or another, takes there what went best for *that* seat so far, or what was tried too little (upper confidence bounds,
counted over the games in which the answer was legal). At the first answer that is new the game is played on at random.
So every seat learns to play for itself, for any number of players; answers of one sealed decision know nothing of each
other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from math import inf, log, sqrt
from typing import Any

from rulebook.interpreter.compiled.tier import CompiledMachine
from rulebook.interpreter.decisions import Refused
from rulebook.interpreter.determinize import hidden_cards
from rulebook.interpreter.events import Sink
from rulebook.interpreter.knowledge import likeness
from rulebook.interpreter.layout import ALIVE, KNOWN, WHERE, MemorySlot
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State, position
from rulebook.interpreter.views import sees_memory
from rulebook.playtest.bots.playouts import Payoffs, playouts
from rulebook.playtest.bots.thinking import Imagined, Keys, Thinking, answers

CURIOSITY = 0.7
"""How much an answer that was tried seldom is worth trying, in shares of the difference between best and worst game."""


class Arm:
    """An answer at a node: how often it was legal and taken there, and what the seat got in all."""

    def __init__(self) -> None:
        self.legal = self.taken = 0
        self.total = 0.0


Node = dict[Keys, Arm]


class Ismcts(Thinking):
    """Searches a tree of what players know."""

    def think(self, imagined: Imagined, legal: dict[Keys, Any]) -> Keys:
        """The answer that was taken most often; of equal ones the one that went better."""
        nodes: dict[Any, Node] = {}
        least, most = inf, -inf
        engine, below = playouts(imagined.program), imagined.below
        for _ in range(self.budget):
            game = _Game(imagined)
            path: list[tuple[int, Arm]] = []
            while (seat := game.asked()) is not None:
                node, may = nodes.setdefault(game.known(seat), {}), game.answers(seat, legal if not path else None)
                if not may:
                    break
                keys = _chosen(node, may, CURIOSITY * max(most - least, 0.0), below)
                path.append((seat, node[keys]))
                game.answer(seat, keys, may[keys])
                if node[keys].taken == 0:
                    break
            payoffs: Payoffs = engine.play([game.state], below)[0]
            least, most = min(least, *payoffs), max(most, *payoffs)
            for seat, arm in path:
                arm.taken += 1
                arm.total += payoffs[seat]
        root = next(iter(nodes.values())) or dict.fromkeys(legal, Arm())
        return max(root, key=lambda keys: (root[keys].taken, root[keys].total))


def _chosen(node: Node, may: dict[Keys, Any], curiosity: float, below: Below) -> Keys:
    """What is taken at a node: something new at random, else what promises most."""
    arms = {keys: node.setdefault(keys, Arm()) for keys in may}
    for arm in arms.values():
        arm.legal += 1
    new = [keys for keys, arm in arms.items() if not arm.taken]
    if new:
        return new[below(len(new))]
    return max(arms, key=lambda keys: _promise(arms[keys], curiosity))


def _promise(arm: Arm, curiosity: float) -> float:
    return arm.total / arm.taken + curiosity * sqrt(log(arm.legal) / arm.taken)


class _Game:
    """One imagined game on its way down the tree, and what each seat notices."""

    def __init__(self, imagined: Imagined) -> None:
        self.imagined, self.state = imagined, imagined.table()
        self.machine = _watched(imagined.program)
        self._events: Sink = [[] for _ in range(imagined.program.players)]
        self._trails = ["" for _ in self._events]
        self._start = self.state[:]
        self._held: dict[int, Any] = {imagined.seat: ()}

    def asked(self) -> int | None:
        """The seat that is asked next; None if the game is over."""
        self.machine.advance(self.state, self._events)
        return next(iter(self.machine.waiting(self.state)), None)

    def known(self, seat: int) -> Any:
        """What tells this seat's situation from others: what it holds that we do not see, noticed, and answered."""
        if seat not in self._held:
            self._held[seat] = _private(self.imagined.program, self._start, self.imagined.seat, seat)
        told = self._events[seat]
        self._trails[seat] += "".join(f"{event.kind}{event.facts!r}" for event in told)
        told.clear()
        return seat, self._held[seat], self._trails[seat]

    def answers(self, seat: int, wanted: dict[Keys, Any] | None) -> dict[Keys, Any]:
        """What a seat may answer; of what is `wanted`, if that is said."""
        found = self.machine.choices(self.state, seat)
        if wanted is None:
            return answers(found, self.imagined.below)
        may: dict[Keys, Any] = {}
        for keys in wanted:
            with suppress(Refused):
                may[keys] = found.read(keys)
        return may

    def answer(self, seat: int, keys: Keys, value: Any) -> None:
        """Take an answer."""
        self._trails[seat] += f"{keys}"
        self.machine.answer_value(self.state, seat, value, self._events)


def _private(program: Program, state: State, ours: int, seat: int) -> Any:
    """What a seat knows and we do not, at a table: its cards and where they lie, what is written down for it."""
    places, where, known = program.layout.places, state[WHERE], state[KNOWN]
    cards = sorted(
        (where[card], position(state, places[where[card]], card) if places[where[card]].ordered else -1, repr(like))
        for card in hidden_cards(program, state, ours)
        if known[card] >> seat & 1
        for like in [likeness(program, state, card)]
    )
    return tuple(cards), tuple(_written(program, state, ours, seat))


def _written(program: Program, state: State, ours: int, seat: int) -> Iterator[Any]:
    for memory, owner in _owned(program):
        theirs = seat in state[ALIVE] and sees_memory(state, memory, owner, seat)
        if theirs and not sees_memory(state, memory, owner, ours):
            yield state[memory.slot + (owner or 0)]


def _owned(program: Program) -> Iterator[tuple[MemorySlot, int | None]]:
    for memory in program.layout.memory.values():
        yield memory, None
    for memory in program.layout.player_memory.values():
        for owner in range(program.players):
            yield memory, owner


@lru_cache(maxsize=4)
def _watched(program: Program) -> CompiledMachine:
    return CompiledMachine(program)
