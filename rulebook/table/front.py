"""Another program shows the game to people: messages out, answers in, a line of JSON each (docs/protocol.md).

Every seat that is a person's has a stream of its own among the lines, told apart by `to`. What a seat is sent, or in
how many lines, never depends on what that seat may not know (decision 29); and no line that comes in stops the game.

A *scene* is what all seats may be shown at one point of the game (`table.shared`): with it each seat is sent what it
has not been sent yet. Where somebody is asked quietly there is no scene; who is asked is sent the question and nobody
else anything.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from rulebook.classes import frozen
from rulebook.interpreter import views
from rulebook.interpreter.decisions import Ask, Decision, NotKept, Refused
from rulebook.interpreter.events import Event
from rulebook.playtest import protocol
from rulebook.table.scores import count_rounds, find_scores
from rulebook.table.seeds import seal
from rulebook.table.shared import Point, asks_quietly
from rulebook.table.sitting import Mark, Sitting, lend
from rulebook.table.story import by_everyone
from rulebook.table.undoing import (
    SECRET,
    find_agreed,
    find_open_answer,
    is_behind_a_round,
    must_agree,
    take_back,
    undo_agreed,
    undo_answer,
    why_consent,
    why_never,
)

Lines: TypeAlias = "Callable[[], str | None]"
"""The next line, or None at the end of input."""
Shown: TypeAlias = "tuple[Mapping[str, Any], Sequence[Event]]"
"""The view of a seat, and its events so far."""
Send: TypeAlias = "Callable[[int | None, Mapping[str, Any]], None]"
"""Takes a message to a seat; to nobody in particular where it is None."""

PATIENCE = 60
"""Seconds for which the answer of a bot waits until it can be kept."""
_OF_ALL = {"resync", "scores"}
"""Messages that are of every seat where they name none."""
LATER = "That can be taken back when you are asked again."


def as_lines(names: Sequence[str], write: Callable[[str], None]) -> Send:
    """Send messages as lines of JSON, in which `to` is for whom they are."""

    def send(seat: int | None, message: Mapping[str, Any]) -> None:
        write(protocol.as_line(message if seat is None else {"to": names[seat], **message}))

    return send


class Front:
    """A sitting without a screen.

    With an `onlooker`, each scene is shown to it before anybody else: what all may know, a view and the events so far.
    Where the answer of a bot cannot be kept it is tried again for so many seconds as there is `patience`, in silence:
    that a bot was asked may be a secret. Then NotKept is raised. `rest` is called behind each scene, and behind the
    questions that are asked quietly after it: whoever shows these one after the other sees where one ends.
    """

    def __init__(
        self,
        sitting: Sitting,
        read: Lines,
        send: Send,
        onlooker: Callable[[Mapping[str, Any], Sequence[Event]], None] | None = None,
        patience: int = PATIENCE,
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        self.sitting, self.game, self.read, self._send = sitting, sitting.game, read, send
        self._onlooker, self._course, self._patience, self._rest = onlooker, Course(), patience, rest
        self._common: Shown = {}, ()
        """The part that all know of the scene that was shown last."""
        self._news: dict[int, protocol.News] = {}
        self._asked: dict[int, Ask] = {}
        """The questions that have been sent and are open."""
        self._again: set[int] = set()
        """Those of them that have to be sent once more."""
        self._sent_before: dict[int, list[int]] = {}
        """The number of events that each seat had been sent before each of its answers that stand."""
        self._accepted: set[int] = set()
        """The seats that have answered, and have been sent nothing since."""
        self._scenes: deque[dict[int | None, Shown]] = deque()
        """All that has not been sent yet, in the order in which it happened."""
        self._wish: _Wish | None = None

    def serve(self) -> bool:
        """Until the game is over (yes) or input is at its end (no)."""
        self.begin()
        self.settle()
        while self.game.decision is not None:
            line = self.read()
            if line is None:
                return False
            self.hear_line(line)
            self.settle()
        return True

    def begin(self) -> None:
        """Greet everybody; nothing is shown before `settle`."""
        for seat in self.sitting.persons:
            self._greet(seat)
        # A saved game was played to where it stands: only the last of it is shown.
        del self.game.way.points[:-1]
        self._stand_anew()

    def settle(self) -> None:
        """Send what may be shown, and let bots answer, until a person has to or the game is over."""
        while True:
            while self._scenes:
                self._show_next()
                self._rest()
            if self.game.decision is None:
                return
            self._ask_next()
            self._rest()
            if not self._let_bot():
                return
            self._go_on()

    def hear_line(self, line: str) -> None:
        """Carry out what a line says, or refuse it."""
        try:
            message = protocol.said(line)
        except Refused as refused:
            self._refuse_unknown(str(refused))
            self._go_on()
        else:
            self.hear(message)

    def hear(self, message: Mapping[str, Any]) -> None:
        """Carry out a message, or refuse it."""
        self._take_message(message)
        self._go_on()

    def failed(self, why: str) -> None:
        self._send(None, {"failed": why})

    # ── who sits here ──

    @property
    def seats(self) -> list[int]:
        """The seats that are sent what happens: all persons, and those for whom a bot plays now."""
        return sorted([*self.sitting.persons, *self.sitting.lent])

    def asked(self, seat: int) -> Ask | None:
        """The open question that a seat has been sent, if there is one."""
        return self._asked.get(seat)

    def sent(self, seat: int) -> Sequence[Event]:
        """All events that a seat has been sent."""
        return self._news[seat].events

    @property
    def is_over(self) -> bool:
        """Tell whether the game is over, and everybody has been sent all of it."""
        return self.game.over and not self._scenes

    @property
    def wish(self) -> tuple[int, Sequence[int]] | None:
        """The seat that wants to take back an answer, and those that have still to agree."""
        return None if self._wish is None else (self._wish.seat, self._wish.others)

    def sent_since(self, seat: int, wisher: int) -> Sequence[Event]:
        """The events that a seat has been sent since the last answer that it knows, or was told, another one gave."""
        sent, name, mark = self.sent(seat), self.game.names[wisher], find_open_answer(self.sitting, wisher)
        choices = [at for at, event in enumerate(sent) if event.kind == "chose" and event.facts.get("player") == name]
        begins = [*choices[-1:], *([] if mark is None else [mark.seen[seat]])]
        return sent[min(begins) :] if begins else []

    def lend(self, seat: int) -> None:
        """Let a bot play for a person; what is open is answered when the game is settled."""
        lend(self.sitting, seat)
        self._asked.pop(seat, None)
        self._give_up("The game went on.")

    def regain(self, seat: int) -> None:
        """Let a person play where a bot did, be it for them or from the beginning."""
        if seat in self.sitting.lent:
            self.sitting.lent.remove(seat)
        del self.sitting.bots[seat]
        if seat not in self._news:
            self._greet(seat)
        self._go_on()

    # ── what may be shown ──

    def _stand_anew(self) -> None:
        """The game stands where it was not led by an answer: at its beginning, or back where it was."""
        self._scenes.clear()
        self._accepted.clear()
        self._course.return_to([len(self.game.events(seat)) for seat in range(len(self.game.names))])
        decision, is_quiet = self.game.decision, self.game.is_quiet
        if not is_quiet:
            self.game.way.points.clear()
        if decision is not None and not is_quiet and self._is_hidden(decision):
            self._add_scene()
        self._go_on()

    def _go_on(self) -> None:
        """Find the scenes to which an answer has led."""
        points, self.game.way.points, self.game.way.gone = self.game.way.points, [], []  # no device goes round
        self._scenes.extend(map(self._scene, points))
        decision = self.game.decision
        if decision is None or not (points or self._is_hidden(decision)):
            # The end; or one of several has answered in the open, and everybody sees who is still waited for.
            self._add_scene()
        self._asked = {seat: ask for seat, ask in self._asked.items() if decision and decision.find_ask(seat) == ask}
        self._again &= self._asked.keys()

    def _add_scene(self) -> None:
        """The game as it stands now, if that is news to anybody."""
        game, scene = self.game, dict[int | None, Shown]()
        for seat in self.seats:
            scene[seat] = game.view(seat).facts, list(game.events(seat))
        before = self._scenes[-1] if self._scenes else None
        is_new = any(
            self._is_news(seat, shown) if before is None else before.get(seat) != shown for seat, shown in scene.items()
        )
        # What is still to be shown may end where nobody was asked in public; the end of the game lies behind it.
        if is_new and (before is None or game.over):
            common = views.collect_common_facts(game.program, game.names, game.state)
            scene[None] = common, self._course.up_to([game.events(seat) for seat in range(len(game.names))])
            self._scenes.append(scene)

    def _is_news(self, seat: int | None, shown: Shown) -> bool:
        return seat is None or self._news[seat].is_new(*shown)

    @staticmethod
    def _is_hidden(decision: Decision) -> bool:
        return any(ask.quiet for ask in decision.asks)

    def _scene(self, point: Point) -> dict[int | None, Shown]:
        game, shown = self.game, dict[int | None, Shown]()
        noticed = [game.events(seat)[:count] for seat, count in enumerate(point.noticed)]
        for seat in self.seats:
            shown[seat] = views.collect_facts(game.program, game.names, point.state, seat), noticed[seat]
        shown[None] = views.collect_common_facts(game.program, game.names, point.state), self._course.up_to(noticed)
        if not point.is_veiled:
            return shown
        return {seat: ({**facts, "waiting": "quiet"}, events) for seat, (facts, events) in shown.items()}

    # ── out ──

    def _greet(self, seat: int) -> None:
        self._news[seat] = protocol.News(self.game, seat)
        header = self.game.header
        sealed = {"seal": seal(self.game.seed, header.nonce)} if header.nonce else {}
        self._send(seat, {**protocol.hello(self.game, seat), **sealed})

    def _reveal_seed(self) -> dict[str, str]:
        """The seed, now that nothing is left to be hidden; as text, since most programs round such a number in JSON."""
        header = self.game.header
        return {"seed": str(header.seed), **({"nonce": header.nonce} if header.nonce else {})}

    def _tell_again(self, seat: int) -> None:
        """All that a seat has been sent so far, and no more: it may be that it is not to notice what is asked now."""
        if self._news[seat].view:
            ask = self._asked.get(seat)
            self._send(seat, {**self._news[seat].again(), **({} if ask is None else {"ask": ask.to_json()})})

    def _show_next(self) -> None:
        """Send what the next scene shows; who is asked there is sent it with the question."""
        scene = self._scenes.popleft()
        decision = self.game.decision
        common, before = scene.pop(None), self._common
        self._common = common
        if self._onlooker is not None:
            self._onlooker(*common)
        if _leave_out_whom_it_waits_for(common) != _leave_out_whom_it_waits_for(before):
            self._give_up("The game went on.")
        for seat, (view, events) in scene.items():
            assert seat is not None
            is_person = seat not in self.sitting.bots and not self._scenes and not self.game.is_quiet
            is_asked = is_person and decision is not None and decision.find_ask(seat)
            if self.game.over and not self._scenes:
                scores = self._tell_scores(view, events)
                counted = {} if scores is None else {"scores": scores}
                end = {"over": protocol.over(self.game), **counted, **self._reveal_seed()}
                self._send(seat, {**self._news[seat].message(view, events), **end})
            elif not is_asked and self._news[seat].is_new(view, events):
                self._accepted.discard(seat)
                self._send(seat, self._news[seat].message(view, events))
            elif is_asked:
                self._ask_seat(seat, decision)

    def _tell_scores(self, view: Mapping[str, Any], events: Sequence[Event]) -> Mapping[str, Any] | None:
        """Tell the points of everybody as they stand in what a seat is sent; None where there are none."""
        program = self.game.program
        scores = find_scores(program, view, count_rounds(program, view, events)) if view else None
        return None if scores is None else scores.as_fields()

    def _ask_next(self) -> None:
        for seat in self.sitting.persons:
            self._ask_seat(seat, self.game.decision)

    def _ask_seat(self, seat: int, decision: Decision | None) -> None:
        ask = decision.find_ask(seat) if decision is not None else None
        if ask is not None and (self._asked.get(seat) != ask or seat in self._again):
            self._asked[seat] = ask
            self._again.discard(seat)
            self._accepted.discard(seat)
            self._send(seat, {**self._news[seat].next(), "ask": ask.to_json()})
        elif ask is not None and self._news[seat].is_new(self.game.view(seat).facts, self.game.events(seat)):
            self._send(seat, self._news[seat].next())

    def _let_bot(self) -> bool:
        """Let a bot answer that is asked, if one is."""
        bots, decision = self.sitting.bots, self.game.decision
        ask = next((ask for ask in decision.asks if ask.seat in bots), None) if decision is not None else None
        if ask is None:
            return False
        for left in reversed(range(self._patience + 1)):
            try:
                bots[ask.seat](ask)
                break
            except NotKept:
                if not left:
                    raise
                time.sleep(1)
        return True

    # ── in ──

    def _take_message(self, message: Mapping[str, Any]) -> None:
        """Take what the other program says; what cannot be is refused, and the question comes again."""
        seat = None
        try:
            if "seat" in message or not message.keys() & _OF_ALL:
                (seat,) = self._find_meant(message) if "seat" in message else self._find_only_asked()
            form = protocol.find_form(message)
            if form == "resync":
                seats = self._find_meant(message)
                for other in seats:
                    self._send(other, protocol.hello(self.game, other))
                for other in seats:
                    self._tell_again(other)
                return
            if form == "scores":
                for other in self._find_meant(message):
                    self._send(other, {"scores": self._tell_scores(self._news[other].view, self.sent(other))})
                return
            assert seat is not None
            if form == "agree":
                self._agree(seat, message["agree"])
            elif form == "undo" and message["undo"] == "all":
                self._undo_together(seat)
            elif form == "undo":
                self._take_undo(seat)
            else:
                self._take_answer(seat, message)
        except Refused as refused:
            if seat is None:
                self._refuse_unknown(str(refused))
            else:
                self._refuse(seat, str(refused))

    def _refuse_unknown(self, why: str) -> None:
        """Refuse the words of nobody knows whom."""
        self._send(None, {"refused": why})
        self._again.update(self._asked)

    def _refuse(self, seat: int, why: str) -> None:
        self._send(seat, {"refused": why})
        if seat in self._asked:
            self._again.add(seat)

    def _find_meant(self, message: Mapping[str, Any]) -> list[int]:
        """The seat of which something is said; all persons' if none is named."""
        if "seat" not in message:
            return self.sitting.persons
        seat = message["seat"]
        if type(seat) is not int or seat not in self.sitting.persons:
            persons = ", ".join(f"{person} ({self.game.names[person]})" for person in self.sitting.persons)
            raise Refused(f"Nobody answers here for that seat; the seats are {persons}.")
        return [seat]

    def _find_only_asked(self) -> list[int]:
        """The one seat that is asked, if an answer does not say for which it is."""
        if len(self._asked) != 1:
            raise Refused("Several are asked: say for which `seat` this is.")
        return list(self._asked)

    def _take_answer(self, seat: int, message: Mapping[str, Any]) -> None:
        ask = self._asked.get(seat)
        if ask is None:
            raise Refused(self._why_not(seat))
        keys, number = protocol.answered(message, ask)
        mark = self.sitting.make_mark(seat)
        self.game.answer(seat, keys, number)
        self._sent_before.setdefault(seat, [])[self._count_answers(seat) :] = [len(self.sent(seat))]
        self.sitting.marks.append(mark)
        del self._asked[seat]
        self._again.discard(seat)
        self._accepted.add(seat)
        self._send(seat, {"accepted": ask.number})

    def _why_not(self, seat: int) -> str:
        """Say why a seat may not answer now, from what it has been sent: others may have been asked since."""
        waiting = self._news[seat].view.get("waiting", ())
        others = [name for name in waiting if name != self.game.names[seat]] if isinstance(waiting, list) else []
        start = "You have answered already" if seat in self._accepted else "You are not asked anything now"
        return f"{start}; the game waits for {' and '.join(others) or 'somebody else'}."

    # ── back ──

    def _take_undo(self, seat: int) -> None:
        sitting, game = self.sitting, self.game
        if self._may_have_missed(seat):
            raise Refused(LATER)
        before = len(game.entries)
        if game.may_take_back(seat):
            take_back(sitting, seat)
        else:
            why = undo_answer(sitting, seat)
            if len(game.entries) == before:
                raise Refused(why)
        if self._wish is not None and self._wish.find_mark(sitting) is None:
            self._give_up("Somebody else has taken back an answer.")
        self._stand_anew()

    def may_undo(self, seat: int) -> bool:
        """Tell whether a seat has an answer that it may ask to take back now.

        It goes by what the seat has done and been sent alone, not by who else sits here or where the game stands.
        """
        may_have_missed = asks_quietly(self.game.program) and seat not in self._asked
        return not may_have_missed and any(mark.seat == seat for mark in self.sitting.marks)

    def find_since(self, seat: int) -> tuple[bool, list[str]] | None:
        """Find what has come between a seat and its last answer: something final, and who has answered. None if it may
        not ask to take that back now.

        It goes by what the seat has done and been sent, like `may_undo`. That the game stands elsewhere by now, or that
        what was answered is kept since somebody would be given away, shows only when the wish is refused.
        """
        if not self.may_undo(seat):
            return None
        since = self.sent(seat)[self._find_last_answer(seat) :]
        names = [event.facts["player"] for event in since if event.kind in ("chose", "passed")]
        is_final = any(why_consent(self.game.program, self.game.names, event) for event in since)
        return is_final, [name for name in dict.fromkeys(names) if name != self.game.names[seat]]

    def is_behind_a_round(self, seat: int) -> bool:
        """Tell whether a seat has been shown something since its last answer, and another round has begun since that:
        who has seen it cannot forget it.
        """
        return is_behind_a_round(self.game.program, self.game.names, self.sent(seat), self._find_last_answer(seat))

    def _find_last_answer(self, seat: int) -> int:
        """Find how many events a seat had been sent before its last answer that stands."""
        return self._sent_before[seat][self._count_answers(seat) - 1]

    def _count_answers(self, seat: int) -> int:
        return sum(mark.seat == seat for mark in self.sitting.marks)

    def _may_have_missed(self, seat: int) -> bool:
        """Tell whether somebody may be asked quietly now, as far as this seat knows."""
        return self.sitting.is_shared and asks_quietly(self.game.program) and seat not in self._asked

    def _undo_together(self, seat: int) -> None:
        """Take back whatever has happened since, if all others agree; each of them is asked."""
        sitting, ask = self.sitting, self._asked.get(seat)
        if ask is not None and ask.quiet and sitting.is_shared:
            raise Refused(SECRET)
        why = why_never(sitting, seat)
        if why:
            raise Refused(why)
        others = must_agree(sitting, seat)
        if self._may_have_missed(seat):
            others = [other for other in sitting.persons if other != seat]
        self._give_up("Somebody else wants to take back an answer.")
        own = [mark for mark in sitting.marks if mark.seat == seat]
        self._wish = _Wish(seat, own.index(find_agreed(sitting, seat, others)) + 1, others)
        for other in others:
            self._send(other, {"undo_wanted_by": self.game.names[seat]})
        self._undo_if_agreed()

    def withdraw(self, seat: int) -> None:
        """Let go of this player's wish to take an answer back."""
        if self._wish is not None and self._wish.seat == seat:
            self._wish = None

    def _agree(self, seat: int, is_agreed: bool) -> None:
        if self._wish is None or seat not in self._wish.others:
            raise Refused("You are not asked whether you agree to anything.")
        if is_agreed:
            self._wish.others.remove(seat)
            self._undo_if_agreed()
        else:
            self._give_up(f"{self.game.names[seat]} does not agree.")

    def _undo_if_agreed(self) -> None:
        if self._wish is None or self._wish.others:
            return
        mark = self._wish.find_mark(self.sitting)
        assert mark is not None, "a wish for what has been taken back is given up"
        try:
            undo_agreed(self.sitting, mark)
        except NotKept as why:
            self._give_up(str(why))
            return
        self._wish = None
        self._stand_anew()

    def _give_up(self, why: str) -> None:
        """Nothing is taken back; who wanted it is told why."""
        if self._wish is not None:
            seat, self._wish = self._wish.seat, None
            self._refuse(seat, why)


def _leave_out_whom_it_waits_for(shown: Shown) -> Shown:
    facts, events = shown
    return {name: fact for name, fact in facts.items() if name != "waiting"}, events


@frozen
class _Wish:
    """The player who wants to take an answer back, the number of it among their answers, and who must still agree.

    It stands until everybody sees that something has happened. That somebody answers, be it this player, is not enough:
    it may be a secret that they were asked.
    """

    seat: int
    number: int
    others: list[int]

    def find_mark(self, sitting: Sitting) -> Mark | None:
        """Find the answer; None if it has been taken back meanwhile."""
        return next(islice((mark for mark in sitting.marks if mark.seat == self.seat), self.number - 1, None), None)


class Course:
    """The events that every seat noticed, found piece by piece: what came between two cuts was noticed between them."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._cuts: list[tuple[list[int], int]] = [([], 0)]
        """Count the events that each seat had noticed, and those that all had."""

    def up_to(self, noticed: Sequence[Sequence[Event]]) -> list[Event]:
        """The events that all have noticed, from what each has noticed so far."""
        counts = [len(events) for events in noticed]
        starts = self._cuts[-1][0] or [0] * len(noticed)
        self._events += by_everyone([events[start:] for start, events in zip(starts, noticed, strict=True)])
        self._cuts.append((counts, len(self._events)))
        return self._events[:]

    def return_to(self, counts: Sequence[int]) -> None:
        """Forget what came after each seat had noticed so many events."""
        while any(cut > count for cut, count in zip(self._cuts[-1][0], counts, strict=False)):
            self._cuts.pop()
        del self._events[self._cuts[-1][1] :]
