"""Games in which people ask to take back what their pages offer, and others agree."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Sitting
from rulebook.web.table import Table

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eve", "Finn", "Gwen", "Hal")
SECRET = ("nobody else", "may have been told")
"""In the sentences that refuse for what a seat may not know beforehand."""


@define
class Tried:
    """How often something was offered and then asked for, and why that was refused."""

    tried: int = 0
    refused: list[str] = field(factory=list)

    @property
    def is_wrong(self) -> list[str]:
        """The refusals that the page could have known."""
        return [why for why in self.refused if not any(words in why for words in SECRET)]


def take_back(program: Program, people: int, seed: int, turns: int = 60) -> Tried:
    """Play at random, and take back now and then; `people` sit there, beside bots."""
    below, found = Source(seed, f"undo {people}").below, Tried()
    game = SharedGame(program, seed, NAMES[: program.players])

    def answer(ask: Any) -> None:
        game.answer(ask.seat, game.machine.random_answer(game.state, ask, below), ask.number)

    sitting = Sitting(game, dict.fromkeys(range(people, program.players), answer), lambda seat: answer)
    offered: dict[int | None, Any] = {}

    def push(seat: int | None, message: dict[str, Any], batch: int | None) -> None:
        found.refused.extend([message["refused"]] if "refused" in message else [])
        offered.update({seat: page["undo"]} if "undo" in (page := message.get("page", message)) else {})

    table = Table(sitting, {}, push)
    table.begin()
    for _ in range(turns):
        if game.decision is None:
            break
        for seat, undo in [*offered.items()]:
            if undo is not None and seat is not None and below(4) == 0:
                found.tried += 1
                persons = {game.names[other] for other in sitting.persons if other != seat}
                is_between = undo["final"] or persons & {*undo["answered"]}
                others = [other for other in sitting.persons if other != seat] if is_between else []
                table.hear(seat, {"undo": "all" if is_between else True})
                for other in others if table.front.wish is not None else ():
                    table.hear(other, {"agree": True})
                break
        else:
            ask = game.decision.asks[below(len(game.decision.asks))]
            keys = game.machine.random_answer(game.state, ask, below)
            chosen = [ask.keys.index(key) for key in keys]
            table.hear(ask.seat, {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen})
    return found
