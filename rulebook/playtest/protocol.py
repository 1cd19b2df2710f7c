"""The protocol of lines of JSON with a program that takes part in a game: one form for a program that plays in a seat
and for one that shows a game to people (docs/protocol.md).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.interpreter.decisions import Ask, Refused
from rulebook.interpreter.events import Event
from rulebook.interpreter.game import Game
from rulebook.interpreter.results import name_teams
from rulebook.printing import dump_json

PROTOCOL = 1
LONGEST = 1_000_000
"""Bytes that one line may have which a program sends."""
_BREATH = 0.01  # seconds between two pieces of a line that is read only to be forgotten


Check: TypeAlias = "Callable[[Any], bool]"


@frozen
class Form:
    """A form of a message: the fields that it has, and those that it may have."""

    needed: Mapping[str, Check]
    more: Mapping[str, Check] = field(factory=dict)

    def fits(self, sent: Mapping[str, Any]) -> bool:
        checks = {**self.more, **self.needed}
        return self.needed.keys() <= sent.keys() and all(name in checks and checks[name](sent[name]) for name in sent)


def _may_be_anything(value: Any) -> bool:
    return True


_OF_A_SEAT: Mapping[str, Check] = {"seat": _may_be_anything}
"""The seat that something is said of; whoever reads it says what is wrong with it."""
FORMS: Mapping[str, tuple[Form, str]] = {
    "resync": (Form({"resync": lambda value: value is True}, _OF_A_SEAT), "`resync` is true"),
    "scores": (Form({"scores": lambda value: value is True}, _OF_A_SEAT), "`scores` is true"),
    "agree": (Form({"agree": lambda value: isinstance(value, bool)}, _OF_A_SEAT), "`agree` is true or false"),
    "undo": (Form({"undo": lambda value: value is True or value == "all"}, _OF_A_SEAT), '`undo` is true or "all"'),
    "keys": (
        Form({"keys": _may_be_anything}, {**_OF_A_SEAT, "number": _may_be_anything}),
        "an answer has `keys`, and the `number` of the decision",
    ),
}
"""The messages of a program that shows a game to people, by the word that each of them has, and what they look like."""


def hello(game: Game, seat: int) -> dict[str, Any]:
    """The first message: where this seat sits."""
    return {
        "game": game.program.id,
        "you": game.names[seat],
        "players": list(game.names),
        "protocol": PROTOCOL,
    }


class Lines:
    """The lines that a program sends, of which each is kept only as far as it may be long."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._is_cut = False

    def next(self) -> str | None:
        """Read the next line; None at the end. What is too long comes without its end, and `said` refuses it."""
        while self._is_cut:
            self._is_cut = _is_piece(self._stream.readline(LONGEST))
            time.sleep(_BREATH)
        line = self._stream.readline(LONGEST)
        self._is_cut = _is_piece(line)
        return line.decode("utf-8", "replace") if line else None


def _is_piece(line: bytes) -> bool:
    return len(line) == LONGEST and not line.endswith(b"\n")


class News:
    """The events and the view that one seat has been sent, and what is new beside them."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self._sent: list[Event] = []
        self._view: Mapping[str, Any] = {}

    def next(self) -> dict[str, Any]:
        """The view of the seat as it is now, and its events since the last message."""
        return self.message(self.game.view(self.seat).facts, self.game.events(self.seat))

    def message(self, view: Mapping[str, Any], events: Sequence[Event]) -> dict[str, Any]:
        """This view, and those of the events that have not been sent; of what was taken back, how many there were."""
        same = self._count_sent(events)
        taken_back, self._sent, self._view = len(self._sent) - same, list(events), view
        news: dict[str, Any] = {"view": view}
        if taken_back:
            news["taken_back"] = taken_back
        return {**news, "events": [event.to_json() for event in events[same:]]}

    def is_new(self, view: Mapping[str, Any], events: Sequence[Event]) -> bool:
        """True if this view or these events are others than those that have been sent."""
        return view != self._view or not len(events) == len(self._sent) == self._count_sent(events)

    @property
    def events(self) -> Sequence[Event]:
        """All events that have been sent."""
        return self._sent

    @property
    def view(self) -> Mapping[str, Any]:
        """The view that was sent last; empty before the first one."""
        return self._view

    def again(self) -> dict[str, Any]:
        """All that has been sent, in one message."""
        return {"view": self._view, "events": [event.to_json() for event in self._sent]}

    def _count_sent(self, events: Sequence[Event]) -> int:
        """Count the events at the beginning that have been sent."""
        pairs = list(zip(self._sent, events, strict=False))
        return next((at for at, (sent, event) in enumerate(pairs) if sent is not event), len(pairs))


def over(game: Game) -> dict[str, Any]:
    outcome, names = game.outcome, game.names
    return {
        "winners": [names[seat] for seat in outcome.winners],
        "ranks": dict(zip(names, outcome.places, strict=True)),
        "scores": dict(zip(names, outcome.scores, strict=True)),
        **name_teams(game.program, outcome, names),
    }


def as_line(message: Mapping[str, Any]) -> str:
    return dump_json(message, encoding="utf-8", separators=(",", ":")) + "\n"


def said(line: str) -> dict[str, Any]:
    """The object in a line that a program sent. Raises Refused."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        length = f" of at most {LONGEST:,} bytes" if len(line) >= LONGEST // 4 else ""
        raise Refused(f"An answer is one JSON object on a line of its own{length}.") from None
    return message if isinstance(message, dict) else {}


def find_form(message: Mapping[str, Any]) -> str:
    """Find the one form that a message has. Raises Refused if it is of several, or holds anything else."""
    words = [word for word in FORMS if word in message] or ["keys"]
    if len(words) > 1:
        raise Refused(f"A message says one thing: `{words[0]}` and `{words[1]}` do not go together.")
    form, looks = FORMS[words[0]]
    if not form.fits({"keys": None, **message} if words == ["keys"] else message):
        raise Refused(f"There is no such message: {looks}, and nothing else stands beside it but the `seat`.")
    return words[0]


def answered(message: Mapping[str, Any], ask: Ask) -> tuple[list[str], int]:
    """The keys of an answer, and the decision that it is for. Raises Refused."""
    keys = message.get("keys")
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise Refused('An answer looks like {"seat": 0, "number": 1, "keys": ["pass"]}; this one has no list of keys.')
    seat, number = message.get("seat", ask.seat), message.get("number", ask.number)
    if seat != ask.seat:
        raise Refused(f"You play for seat {ask.seat}, and for no other.")
    if not isinstance(number, int):
        raise Refused("The number of an answer is the one of the decision.")
    return keys, number
