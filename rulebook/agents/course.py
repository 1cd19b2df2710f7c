"""A play that goes on by numbers: what its seats see, what they may do, and the next step.

In: a game, a number of players. Out: `Numbered`, the rules with all numbers, and `Course`, a play of it. Never: lets
what a seat is told hang on what it may not know.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulebook.agents.numbering import ROOM, Actions, Offer, Taken
from rulebook.interpreter.core.door import Core, core_of
from rulebook.interpreter.decisions import Refused
from rulebook.interpreter.layout import PENDING, MemorySlot
from rulebook.interpreter.op_table import MOST_LISTED, MOST_VALUE
from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State
from rulebook.interpreter.wording import is_of_cards, is_table
from rulebook.playtest.bots.by_machine import keys_of

if TYPE_CHECKING:
    from rulebook.front_door import Game, Play


class Numbered:
    """A game for so many players, with a number for each action. `core` is None where there is no core."""

    def __init__(self, game: Game, players: int | None = None, room: int = ROOM) -> None:
        self.game, self.players = game, game.players[0] if players is None else players
        self.program: Program = game.lower(self.players)
        self.seats = tuple(f"player_{seat}" for seat in range(self.players))
        self.actions = Actions(self.program, self.seats, room)

    @cached_property
    def core(self) -> Core | str:
        """The core, which makes observations; a sentence where there is none."""
        return core_of(self.program)

    @cached_property
    def bounds(self) -> tuple[array[int], array[int]]:
        """The least and the most of each number of an observation."""
        program, layout = self.program, self.program.layout
        places, cards = len(layout.places), program.cards
        rows = [(-1, len(self.actions.questions) - 1)]
        rows += [(0, cards)] * (len(self.actions) if self.actions.takes_several else 0)
        rows += [(0, 1)] * self.players
        rows += [(-1, MOST_VALUE if place.kept == "pool" else cards) for place in layout.places]
        for memory in (*layout.memory.values(), *layout.player_memory.values()):
            rows += self._bound_memory(memory)
        states = [
            (-1, -1) if is_of_cards(slot.sort) else _bound_values(slot.values, slot.sort) for slot in program.changing
        ]
        rows += [(-1, places - 1), (-1, cards), (-1, cards - 1), (-1, 1), *states] * cards
        return array("q", [least for least, _ in rows]), array("q", [most for _, most in rows])

    def _bound_memory(self, memory: MemorySlot) -> list[tuple[int, int]]:
        if is_of_cards(memory.sort):
            return []
        entries = len(memory.start) if is_table(memory.sort) else 1
        owners = self.players if memory.owned_by == "player" else 1
        return [_bound_values(memory.values, memory.sort)] * (entries * owners)

    def start(self, seed: int, *, chance: bool = False) -> Course:
        """Start a play; with `chance`, one that asks what happens."""
        return Course(self, self.game.start(self.seats, seed, chance="ask" if chance else "sample"))


def _bound_values(values: Sequence[Any] | None, sort: str) -> tuple[int, int]:
    """Bound what a value may be as a number: nothing is -1, a word its number, a list how many it holds."""
    if sort.startswith("list "):
        return -1, MOST_LISTED
    numbers = [int(value) for value in values or () if isinstance(value, int)]
    if values is None or len(numbers) < len([value for value in values if value is not None]):
        return -MOST_VALUE, MOST_VALUE
    return min([-1, *numbers]), max([1, *numbers])


class Course:
    """A play; and the actions of the seat that is asked: `taken` of a set, `picked` before that in this decision."""

    def __init__(self, rules: Numbered, play: Play, taken: Taken = (), picked: Taken = ()) -> None:
        self.rules, self.play, self.taken, self.picked = rules, play, taken, picked

    @property
    def state(self) -> State:
        """The state of the machine: the whole truth."""
        return self.play._game.state

    @cached_property
    def offer(self) -> Offer:
        """The actions of the seat that is asked first. Raises Refused where nobody is asked."""
        if self.play.seat is None:
            raise Refused("Nobody is asked.")
        return self._offer_to(self.play.seat, self.taken)

    def _offer_to(self, seat: int, taken: Taken) -> Offer:
        return self.rules.actions.offer(self.play._game.machine.find_choices(self.state, seat), taken)

    def find_offer(self, seat: int) -> Offer | None:
        """Find what a seat may do; None if it is not asked. Of those who decide at the same time all are asked."""
        if seat == self.play.seat:
            return self.offer
        return self._offer_to(seat, ()) if seat in self.play.seats else None

    def list_legal(self, seat: int) -> list[int]:
        """List the actions of a seat, in order; none where it is not asked."""
        offer = self.find_offer(seat)
        return [] if offer is None else list(offer.legal)

    def act(self, action: int, copy: bool = False) -> Course:
        """Go on by an action of who is asked; with `copy` this one stays as it is. Raises Refused."""
        if action not in self.offer.legal:
            names = self.rules.actions.names
            name = names[action] if 0 <= action < len(names) else "none that there is"
            raise Refused(f"Action {action} ({name}) is not legal now.")
        taken, is_whole, value = self.offer.legal[action]
        if not is_whole:
            return Course(self.rules, self.play, taken, self.picked)
        seat, play = self.play.seat, self.play.clone() if copy else self.play
        play.step(keys_of(self.offer.choices, value))
        goes_on = self.rules.actions.takes_several and play.seat == seat and play.ask().picked
        return Course(self.rules, play, picked=(*self.picked, *(taken or (action,))) if goes_on else ())

    def observe(self, seat: int) -> array[int]:
        """Encode what a seat knows: which question it is asked (-1: none), then, where a game has answers of several
        parts, how often each action was taken in this one; then what the core tells. Needs the core.
        """
        core, actions = self.rules.core, self.rules.actions
        assert isinstance(core, Core), core
        offer = self.find_offer(seat)
        row = array("q", [-1 if offer is None else actions.questions[offer.choices.pick]])
        if actions.takes_several:
            taken = (*self.picked, *self.taken) if seat == self.play.seat else ()
            row.extend(map(taken.count, range(len(actions))))
        state = self.state[:]
        if state[PENDING] == ("chance",):
            state[PENDING] = None
        row.extend(core.observe(state, seat))
        return row
