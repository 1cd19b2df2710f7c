"""What is said to a program that takes part in a game, and what it answers: the same for one that plays in a seat, and
for one that shows a game to people (docs/protocol.md).

In: a game, a seat; lines of JSON. Out: objects to be sent, and answers, read. Never: puts anything into a message that
its seat may not know, or sends one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rulebook.interpreter.decisions import Ask, Refused
from rulebook.interpreter.events import Event
from rulebook.interpreter.game import Game

__all__ = ["LONGEST", "PROTOCOL", "News", "answered", "as_line", "hello", "over", "said"]

PROTOCOL = 1
LONGEST = 1_000_000
"""Characters that one line may have which a program sends."""


def hello(game: Game, seat: int) -> dict[str, Any]:
    """The first message: where this seat sits."""
    return {
        "game": game.program.id,
        "you": game.names[seat],
        "players": list(game.names),
        "protocol": PROTOCOL,
    }


class News:
    """What one seat has been told, and what there is to tell."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self._told: list[Event] = []
        self._view: Mapping[str, Any] | None = None

    def next(self) -> dict[str, Any]:
        """The view of the seat, and its events since it was last told; of what was taken back, how many there were."""
        events = list(self.game.events(self.seat))
        same = 0
        for told, event in zip(self._told, events, strict=False):
            if told is not event:
                break
            same += 1
        taken_back, self._told, self._view = len(self._told) - same, events, self.game.view(self.seat).facts
        news: dict[str, Any] = {"view": self._view}
        if taken_back:
            news["taken_back"] = taken_back
        return {**news, "events": [event.to_json() for event in events[same:]]}

    @property
    def is_new(self) -> bool:
        """Whether there is anything that the seat has not been told."""
        events = self.game.events(self.seat)
        same = len(events) == len(self._told) and all(map(_is, events, self._told))
        return not same or self.game.view(self.seat).facts != self._view


def _is(one: Event, other: Event) -> bool:
    return one is other


def over(game: Game) -> dict[str, Any]:
    """How the game ended."""
    outcome, names = game.outcome, game.names
    return {
        "winners": [names[seat] for seat in outcome.winners],
        "ranks": dict(zip(names, outcome.places, strict=True)),
        "scores": dict(zip(names, outcome.scores, strict=True)),
    }


def as_line(message: Mapping[str, Any]) -> str:
    """A message as it is sent."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n"


def said(line: str) -> dict[str, Any]:
    """The object in a line that a program sent. Raises Refused."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused("An answer is one JSON object on a line of its own.") from None
    return found if isinstance(found, dict) else {}


def answered(said: Mapping[str, Any], ask: Ask) -> tuple[list[str], int]:
    """The keys of an answer, and the decision that it is for. Raises Refused."""
    keys = said.get("keys")
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise Refused('An answer looks like {"seat": 0, "number": 1, "keys": ["pass"]}; this one has no list of keys.')
    seat, number = said.get("seat", ask.seat), said.get("number", ask.number)
    if seat != ask.seat:
        raise Refused(f"You play for seat {ask.seat}, and for no other.")
    if not isinstance(number, int):
        raise Refused("The number of an answer is the one of the decision.")
    return keys, number
