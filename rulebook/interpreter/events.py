"""Events as each player may know them: one `Event` in the list of each seat that noticed it.

Facts name players by their names, cards by the ids of their definitions, places and options by their keys:

stage_began {stage, title}            stage_ended {stage}
chose {player, what: [keys], count: how many hidden cards, forced, button}   passed {player}
picked {what: [keys] or count: n, name: what the rules call it, player: whoever does it}
moved {from, to, how, face, cards: [ids known to this seat], count: how many others}
pieces {count, from, to}              shuffled {place}
rolled {place, dice: [[id, value] …], count}   revealed {cards, place}       covered {place, cards, count}
uncovered {cards, place}: the top card of a pile that all see now, because the one above it left or an order was made
shown {to: [names], place, cards, count}       told {to: [names], question, answer}      said {text}
set {what, value}                     because {what, value, lines: [groups]}
opened {cards, place}: what lay in a place that opens at the end
eliminated {players}                  won {players, behind, together}
over {ranks, scores, teams}

A group is {card, name, lines: [[name, value] …]}: the named lines of one question, of a card (its id) or of no card.

A fact that is not there (no `cards`, no `count`) does not apply: a seat that knows all cards has no `count`.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal, assert_never

from attrs import field

from rulebook.classes import frozen

EventKind = Literal[
    "stage_began", "stage_ended", "chose", "passed", "picked", "moved", "pieces", "shuffled", "rolled", "revealed",
    "covered", "uncovered", "shown", "told", "said", "set", "because", "opened", "eliminated", "won", "over",
]  # fmt: skip


class How(Enum):
    """The ways in which cards move, by the statement that does it: the fact `how` of a `moved` event."""

    MOVE = "move"
    DRAW = "draw"
    DEAL = "deal"
    PASS = "pass"
    SWAP = "swap"

    @property
    def is_drawn(self) -> bool:
        """The cards were taken as they lay in the source; nobody said which."""
        match self:
            case How.DRAW | How.DEAL:
                return True
            case How.MOVE | How.PASS | How.SWAP:
                return False
        assert_never(self)


@frozen
class Event:
    """One thing that one seat noticed. `aside`: by the rules it was for a few, whoever else was among them."""

    kind: EventKind
    facts: dict[str, Any]
    aside: bool = field(default=False, eq=False)

    @property
    def how(self) -> How | None:
        """The way in which cards moved; None of what is no move of cards."""
        return How(self.facts["how"]) if self.kind == "moved" else None

    def to_json(self) -> dict[str, Any]:
        """The event as one flat object."""
        return {"kind": self.kind, **self.facts}


Sink = list[list[Event]]
"""A list of events for each seat, in seat order."""
