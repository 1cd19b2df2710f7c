"""The cause of a question in words: what its seat noticed last, in this stage, of a card or an action that asks so.

Found from the question that a seat was sent, from its own events, and from the rules, which everybody may read; never
from where the game stands. So it can say nothing that the seat does not know.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any

from attrs import define

from rulebook.dsl import ir
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.walk import statements
from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import Ask
from rulebook.interpreter.events import Event, How
from rulebook.interpreter.game import Game
from rulebook.table import story
from rulebook.table.faces import find_id

_NAMING = ("chose", "moved", "revealed", "picked", "uncovered")
"""Kinds of events after which a card or an action may do something."""


@define(slots=False)
class Causes:
    """The questions that cards and actions of a game ask."""

    rulebook: Rulebook

    @cached_property
    def _questions_by_id(self) -> dict[str, list[tuple[Collection[str], re.Pattern[str] | None]]]:
        """By the id of a card or action: the names of what it lets somebody choose, none for a menu, and how the
        question is worded, if it is.
        """
        asked: dict[str, list[tuple[Collection[str], re.Pattern[str] | None]]] = {}
        for hooked in self.rulebook.hooks.values():
            for id, name in hooked.items():
                for script in self._reach(name):
                    asked.setdefault(id, []).extend(_list_questions(script))
        return asked

    def _reach(self, name: str) -> Iterator[ir.Script]:
        """The script of this name, and the rules that it calls."""
        left, seen = [name], set[str]()
        while left:
            one = self.rulebook.scripts.get(called := left.pop())
            if one is None or called in seen:
                continue
            seen.add(called)
            yield one
            left += [sentence.script for sentence in statements(one.body) if isinstance(sentence, ir.DoRule)]

    def word_cause(self, game: Game, ask: Ask, events: Sequence[Event]) -> str:
        """Say in one sentence what led to a question, from the events that its seat was sent; nothing if that is not
        known.
        """
        start = next((at for at in reversed(range(len(events))) if events[at].kind == "stage_began"), -1) + 1
        for at in reversed(range(start, len(events))):
            id = next((id for id in _list_named(events[at]) if self._asks_so(id, ask)), "")
            if id:
                return _word_event(game, ask.seat, events[at:], id)
        return ""

    def _asks_so(self, id: str, ask: Ask) -> bool:
        return any(
            (ask.name in names if ask.name else not names)
            and (ask.prompt == "" if words is None else words.fullmatch(ask.prompt) is not None)
            for names, words in self._questions_by_id.get(id, ())
        )


def _word_event(game: Game, seat: int, events: Sequence[Event], id: str) -> str:
    """Say that somebody played a card, or chose an action; else name the card."""
    teller = Teller(game.program, tuple(game.names), seat)
    facts = events[0].facts
    if events[0].kind == "chose":
        told = story.sentences(game, seat, events)
        return next((line.text for line in told if not line.is_title and "\n" not in line.text), "")
    owner = teller.find_owner(facts["from"]) if events[0].how is How.MOVE else None
    slot = teller.find_slot(facts["from"]) if owner is not None else None
    if owner is not None and slot is not None and slot.watchers != game.program.layout.everyone:
        who = teller.does([owner], "play")
        return f"{who[0].upper()}{who[1:]} {teller.name_card(id)}."
    return f"Because of {teller.name_card(id)}."


def _list_questions(script: ir.Script) -> Iterator[tuple[Collection[str], re.Pattern[str] | None]]:
    for sentence in statements(script.body):
        if isinstance(sentence, ir.Asking):
            names = {pick.name for pick in getattr(sentence, "picks", ())}
            yield names, _make_pattern(getattr(sentence, "prompt", None))


def _make_pattern(prompt: ir.Expr | None) -> re.Pattern[str] | None:
    """Make a pattern of all that a question may say, whatever the values in it are."""
    match prompt:
        case None:
            return None
        case ir.Const(value=str() as text):
            return re.compile(re.escape(text))
        case ir.Joined(parts=parts):
            return re.compile("".join(re.escape(part) if isinstance(part, str) else ".*" for part in parts))
    return re.compile(".*")


def _list_named(event: Event) -> list[str]:
    """List the ids of cards and actions that an event names."""
    facts: dict[str, Any] = event.facts
    if event.kind not in _NAMING:
        return []
    return [*facts.get("cards", ()), *(id for key in facts.get("what", ()) if (id := find_id(key)))]
