"""Another program shows the game to people: messages out, answers in, a line of JSON each (docs/protocol.md).

In: a sitting, and where lines come from and go to. Out: the game, played. Every seat that is a person's has a stream of
its own among the lines, told apart by `to`, and it is just what a program in that seat would be sent. Never: sends
anything of a seat to another one; stops because of what it is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rulebook.interpreter.decisions import Ask, Refused
from rulebook.playtest import protocol
from rulebook.table.sitting import Sitting
from rulebook.table.undoing import NOTHING, SECRET, must_agree, take_back, undo, undo_agreed

Lines: TypeAlias = "Callable[[], str | None]"
"""The next line, or None at the end of input."""


class Front:
    """A sitting without a screen."""

    def __init__(self, sitting: Sitting, read: Lines, write: Callable[[str], None]) -> None:
        self.sitting, self.read, self.write = sitting, read, write
        self._news: dict[int, protocol.News] = {}
        self._asked: dict[int, Ask] = {}
        self._wish: tuple[int, list[int]] | None = None
        """Who wants to take an answer back, and who has still to agree."""

    def play(self) -> bool:
        """Until the game is over (yes) or input is at its end (no)."""
        game, bots = self.sitting.game, self.sitting.bots
        for seat in self.sitting.persons:
            self._greet(seat)
        while (decision := game.decision) is not None:
            bot = next((ask for ask in decision.asks if ask.seat in bots), None)
            if bot is not None:
                bots[bot.seat](bot)
                continue
            for seat in self.sitting.persons:
                self._tell(seat, decision.of(seat))
            line = self.read()
            if line is None:
                return False
            self._take(line)
        for seat in self.sitting.persons:
            self._send(seat, {**self._news[seat].next(), "over": protocol.over(game)})
        return True

    def failed(self, why: str) -> None:
        """The game cannot go on."""
        self.write(protocol.as_line({"failed": why}))

    # ── out ──

    def _greet(self, seat: int) -> None:
        """What a seat is told first, or again: then all that it was told before is to be forgotten."""
        self._news[seat] = protocol.News(self.sitting.game, seat)
        self._asked.pop(seat, None)
        self._send(seat, protocol.hello(self.sitting.game, seat))

    def _tell(self, seat: int, ask: Ask | None) -> None:
        """What a seat does not know yet; a question is sent once."""
        if ask is not None and self._asked.get(seat) != ask:
            self._asked[seat] = ask
            self._send(seat, {**self._news[seat].next(), "ask": ask.to_json()})
        elif self._news[seat].is_new:
            self._send(seat, self._news[seat].next())

    def _send(self, seat: int, message: Mapping[str, Any]) -> None:
        self.write(protocol.as_line({"to": self.sitting.game.names[seat], **message}))

    # ── in ──

    def _take(self, line: str) -> None:
        """What the other program sends; what cannot be is refused, and the question comes again."""
        seat = None
        try:
            said = protocol.said(line)
            if "resync" in said:
                for one in self._meant(said):
                    self._greet(one)
                return
            (seat,) = self._meant(said) if "seat" in said else self._only()
            if "agree" in said:
                self._agree(seat, said["agree"] is True)
            elif said.get("undo") == "all":
                self._undo_together(seat)
            elif "undo" in said:
                self._undo(seat)
            else:
                self._answer(seat, said)
        except Refused as refused:
            if seat is None:
                # Whose words they were nobody knows.
                self.write(protocol.as_line({"refused": str(refused)}))
                self._asked.clear()
            else:
                self._send(seat, {"refused": str(refused)})
                self._asked.pop(seat, None)

    def _meant(self, said: Mapping[str, Any]) -> list[int]:
        """The seat of which something is said; all persons' if none is named."""
        if "seat" not in said:
            return self.sitting.persons
        seat = said["seat"]
        if type(seat) is not int or seat not in self.sitting.persons:
            persons = ", ".join(f"{one} ({self.sitting.game.names[one]})" for one in self.sitting.persons)
            raise Refused(f"Nobody answers here for that seat; the seats are {persons}.")
        return [seat]

    def _only(self) -> list[int]:
        """The one seat that is asked, if an answer does not say for which it is."""
        decision = self.sitting.game.decision
        asked = [seat for seat in self.sitting.persons if decision is not None and decision.of(seat) is not None]
        if len(asked) != 1:
            raise Refused("Several are asked: say for which `seat` this is.")
        return asked

    def _answer(self, seat: int, said: Mapping[str, Any]) -> None:
        sitting, decision = self.sitting, self.sitting.game.decision
        ask = decision.of(seat) if decision is not None else None
        if ask is None:
            # The game says why.
            sitting.game.answer(seat, [])
            return
        keys, number = protocol.answered(said, ask)
        mark = sitting.mark(seat)
        sitting.game.answer(seat, keys, number)
        sitting.marks.append(mark)
        self._asked.pop(seat, None)
        self._give_up("The game went on.")

    def _undo_together(self, seat: int) -> None:
        """Take back whatever has happened since, if all others agree; each of them is asked."""
        decision = self.sitting.game.decision
        ask = decision.of(seat) if decision is not None else None
        if ask is not None and ask.quiet and self.sitting.is_shared:
            raise Refused(SECRET)
        others = must_agree(self.sitting, seat)
        if others is None:
            raise Refused(NOTHING)
        self._give_up("Somebody else wants to take back an answer.")
        self._wish = seat, others
        for other in others:
            self._send(other, {"undo_wanted_by": self.sitting.game.names[seat]})
        self._undo_if_agreed()

    def _agree(self, seat: int, is_agreed: bool) -> None:
        if self._wish is None or seat not in self._wish[1]:
            raise Refused("You are not asked whether you agree to anything.")
        if is_agreed:
            self._wish[1].remove(seat)
            self._undo_if_agreed()
        else:
            self._give_up(f"{self.sitting.game.names[seat]} does not agree.")

    def _undo_if_agreed(self) -> None:
        if self._wish is not None and not self._wish[1]:
            undo_agreed(self.sitting, self._wish[0])
            self._wish = None
            self._asked.clear()

    def _give_up(self, why: str) -> None:
        """Nothing is taken back; who wanted it is told why."""
        if self._wish is not None:
            seat, self._wish = self._wish[0], None
            self._send(seat, {"refused": why})
            self._asked.pop(seat, None)

    def _undo(self, seat: int) -> None:
        self._give_up("Somebody else has taken back an answer.")
        before = len(self.sitting.game.entries)
        if self.sitting.game.may_take_back(seat):
            take_back(self.sitting, seat)
        else:
            why = undo(self.sitting, seat)
            if len(self.sitting.game.entries) == before:
                raise Refused(why)
        self._asked.clear()
