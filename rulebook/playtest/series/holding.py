"""What players hold and are in a state, and what their cards say of them.

In: a machine and a state. Out: by seat, what lies in slots and stands in memories, and which cards are there; by card
and question, how often its holder was told yes. Never: changes a state; asks a question that needs more than a player.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter import wording
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import WHERE, MemorySlot
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Question
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State, cards_in

__all__ = ["Dealt", "Holding", "Roles"]

Roles = tuple[dict[str, str], ...]
"""By seat, by the name of a slot or a memory, the id of the card or the word."""
Dealt = tuple[tuple[str, ...], ...]
"""By seat, the ids of the cards there, each once."""


@frozen(eq=False)
class _Asked:
    """A question of yes or no that a card answers about a player."""

    key: str
    question: Question


class Holding:
    """What is the same in all games of one program."""

    def __init__(self, machine: Machine, rulebook: ir.Rulebook) -> None:
        self._machine, self._program = machine, machine.program
        layout = self._program.layout
        self._places = [place for place in layout.places if place.owned_by == "player" and place.kept != "pool"]
        self._slots = [place for place in self._places if place.kept == "slot"]
        self._memories = [memory for memory in layout.player_memory.values() if _names_something(memory)]
        self._owner = {place.ordinal: place.owner for place in self._places}
        self._asked = [list(self._asks(rulebook, card)) for card in range(self._program.cards)]

    def _asks(self, rulebook: ir.Rulebook, card: int) -> Iterator[_Asked]:
        id = self._program.definition[card]
        for hook, by_object in rulebook.hooks.items():
            function = rulebook.functions.get(by_object.get(id, ""))
            question = self._program.asks[hook][card]
            if function is None or question is None or not _about_a_player(function):
                continue
            # What a kind says of all its cards says nothing of one of them.
            if function.name.startswith("cards."):
                yield _Asked(f"{id}.{hook}", question)

    def roles(self, state: State) -> Roles:
        """What lies in each seat's slots, and which word, card, yes or no it remembers."""
        found: list[dict[str, str]] = [{} for _ in range(self._program.players)]
        for place in self._slots:
            for card in cards_in(self._program.layout, state, place):
                assert place.owner is not None
                found[place.owner][place.name] = self._program.definition[card]
        for memory in self._memories:
            for seat, roles in enumerate(found):
                value = state[memory.slot + seat]
                if value is not None:
                    # `card:crown`, `word:yes`: what it is, without what sort of thing it is.
                    key = wording.key(self._program, self._machine.names, value, memory.sort)
                    roles[memory.name] = key.partition(":")[2]
        return tuple(found)

    def cards(self, state: State) -> Dealt:
        """The ids of the cards each seat has, each once."""
        found: list[set[str]] = [set() for _ in range(self._program.players)]
        for card, place in enumerate(state[WHERE]):
            owner = self._owner.get(place)
            if owner is not None:
                found[owner].add(self._program.definition[card])
        return tuple(tuple(sorted(ids)) for ids in found)

    def answers(self, state: State) -> dict[str, tuple[int, ...]]:
        """What the cards that players have answer about them: how many were asked, how many said yes, and on how many
        each named condition was met, whether or not the others were."""
        found: dict[str, list[int]] = {}
        run = Run(self._program, self._machine.names, state)
        for card, place in enumerate(state[WHERE]):
            owner = self._owner.get(place)
            if owner is None:
                continue
            for one in self._asked[card]:
                try:
                    said = bool(one.question.answer(run, (card, owner)))
                    env = one.question.begin((card, owner))
                    lines = [run.holds(line, env) for _, line in one.question.lines]
                except (RuleError, NotThere):
                    continue
                counted = found.setdefault(one.key, [0] * (2 + len(lines)))
                for at, met in enumerate([True, said, *lines]):
                    counted[at] += met
        return {key: tuple(counts) for key, counts in sorted(found.items())}


def _names_something(memory: MemorySlot) -> bool:
    return memory.sort in ("yes_no", "card") or memory.sort.startswith("word ")


def _about_a_player(function: ir.Function) -> bool:
    types = function.slots.types[: function.parameters]
    return function.type == t.YES_NO and len(types) == 2 and t.surely(types[1]) == t.PLAYER
