"""One table: a game, and what the page of each seat shows of it. Nothing here knows of sockets.

What comes in is carried out by the front that also serves the line protocol (`table.front`), so a page is sent what a
line would be sent, and nothing else. Pages go out in batches: a batch is what everybody may be shown at one point of
the game, and the next one may wait, so that how fast something came tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field

from rulebook.interpreter import views
from rulebook.interpreter.account import Teller, merge_names
from rulebook.interpreter.choosing import NOT_ALLOWED
from rulebook.interpreter.decisions import PASS, Ask, NotKept, Option, Refused, RuleError
from rulebook.interpreter.events import Event
from rulebook.interpreter.layout import WHERE
from rulebook.interpreter.wording import join_texts, place_key
from rulebook.playtest.partners import PartnerFailed
from rulebook.table import story
from rulebook.table.blocks import Part, Told
from rulebook.table.causes import Causes
from rulebook.table.faces import Faces
from rulebook.table.front import Front
from rulebook.table.handbook import Handbook
from rulebook.table.reckoning import find_rounds, find_standings, lay_out_round, word_result, word_why
from rulebook.table.scores import Tally, count_rounds, find_scores
from rulebook.table.sitting import Sitting
from rulebook.table.undoing import BY_ALL
from rulebook.table.view import Facts
from rulebook.web.beats import make_beats
from rulebook.web.messages import MOST_CHOSEN
from rulebook.web.projection import Asked, Json, make_page
from rulebook.web.words import find_words

Push = Callable[["int | None", Json, "int | None"], None]
"""Takes a message, for whom it is (None: whoever watches), and the number of its batch (None: it goes at once)."""


@define
class Log:
    """The log of one seat in pieces: how many events each tells of, in how many lines; the last round that ended, and
    the points after each."""

    pieces: list[tuple[int, int]] = field(factory=list)
    doers: list[tuple[int, str]] = field(factory=list)
    """The names of those who answered, each behind so many events."""
    round: Json = field(factory=dict)
    tallies: Sequence[Tally] = ()

    @property
    def events(self) -> int:
        return sum(events for events, _ in self.pieces)

    @property
    def lines(self) -> int:
        return sum(lines for _, lines in self.pieces)

    def cut(self, events: int) -> None:
        """Forget what tells of more than so many events."""
        while self.events > events:
            self.pieces.pop()
        self.doers = [(at, name) for at, name in self.doers if at < self.events]

    def find_doer(self, start: int) -> str | None:
        """Find who gave the first answer that is told from this event on."""
        return next((name for at, name in self.doers if at >= start), None)


class Table:
    """A game and its pages. No two methods may run at the same time."""

    def __init__(
        self,
        sitting: Sitting,
        faces: Faces,
        push: Push,
        handbook: Handbook | None = None,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        self.sitting, self.game, self.faces, self._push, self._handbook = sitting, sitting.game, faces, push, handbook
        self._causes = None if handbook is None else Causes(handbook.rulebook)
        self._done = done
        """Says that a batch is whole, before a bot thinks about what comes next."""
        self.front = Front(
            sitting, lambda: None, self._send, onlooker=self._show_onlookers, patience=0, rest=self._end_batch
        )
        self._told: dict[int | None, Log] = {}
        self._batch = 0
        self._wisher: int | None = None
        """The seat that wanted to take back an answer when everything was last said."""
        self.failed = ""
        """The reason why the game cannot go on, if it cannot."""
        self.unkept = ""
        """The reason why the game waits until a bot's answer can be kept, if it does."""

    def begin(self) -> None:
        self._do_and_settle(self.front.begin)

    def hear(self, seat: int, message: Mapping[str, Any]) -> None:
        """Carry out what a page sends; what cannot be is refused, and nothing has changed."""
        if self.failed:
            return self._push(seat, {"failed": self.failed}, None)
        try:
            if "answer" in message:
                self._give_answer(seat, message)
            elif "try" in message:
                self._try(seat, message)
            elif message.get("undo") in (True, "all"):
                self._pass_on({"seat": seat, "undo": message["undo"]})
            elif "withdraw" in message:
                self._do_and_settle(lambda: self.front.withdraw(seat))
            elif "agree" in message:
                self._pass_on({"seat": seat, "agree": message["agree"] is True})
        except Refused as refused:
            self._push(seat, {"refused": str(refused)}, None)
        return None

    def go_on(self) -> None:
        """Try again what could not be kept."""
        self._do_and_settle(lambda: None)

    def lend(self, seat: int) -> None:
        """Let a bot play for somebody."""
        self._push(seat, {"asked": False}, self._batch)
        self._do_and_settle(lambda: self.front.lend(seat))

    def regain(self, seat: int) -> None:
        """Let somebody play where a bot did."""
        self._do_and_settle(lambda: self.front.regain(seat))

    def answer_for(self, seat: int, question: tuple[int, int], choose: Callable[[Ask], Sequence[str]]) -> bool:
        """Answer once for somebody who is late, if the question still stands: the number of the decision, and how many
        picks it has had. False if that could not be kept.
        """
        ask, before = self.front.asked(seat), len(self.game.entries)
        if self.failed or ask is None or (ask.number, len(ask.picked)) != question:
            return True
        self._pass_on({"seat": seat, "number": ask.number, "keys": [*choose(ask)]})
        is_answered = len(self.game.entries) > before
        if is_answered:
            self._push(seat, {"late": True}, None)
        return is_answered

    def tell_all(self) -> list[str]:
        """Everything that happened in a game that is over, with what was hidden."""
        return story.Account(self.game, 100).word_news() if self.game.over else []

    @property
    def answers(self) -> int:
        """The number of answers given so far: a moment of the game, as `replay --at` counts them."""
        return len(self.game.entries)

    # ── in ──

    def _do_and_settle(self, act: Callable[[], object]) -> None:
        """Do something, and go on as far as nobody has to answer."""
        try:
            act()
            self.front.settle()
            self.unkept = ""
        except NotKept as why:
            self.unkept = find_words("unkept", why=why.reason)
        except (RuleError, PartnerFailed) as wrong:
            self.failed = find_words("went_wrong", why=wrong)
            for seat in self._told:
                self._push(seat, {"failed": self.failed}, self._batch)
        finally:
            self._end_batch()

    def _end_batch(self) -> None:
        self._wisher = None if self.front.wish is None else self.front.wish[0]
        self._batch += 1
        self._done()

    def _pass_on(self, message: Json) -> None:
        self._do_and_settle(lambda: self.front.hear(message))

    def _give_answer(self, seat: int, message: Mapping[str, Any]) -> None:
        number, picked, ask = message["answer"], message.get("picked", 0), self.front.asked(seat)
        if type(number) is not int or type(picked) is not int or picked < 0:
            raise Refused(find_words("no_answer"))
        now = (ask.number, len(ask.picked)) if ask is not None else None
        if now != (number, picked) and self._was_answered(seat, number, picked, now):
            # Sent twice: the connection broke in between, or somebody touched twice. Another question may be open.
            self._push(seat, {"accepted": number, "again": True}, None)
        elif ask is None or now != (number, picked):
            raise Refused(find_words("question_changed"))
        else:
            keys = [option.key for option in _find_options(ask, message.get("chosen"))]
            self._pass_on({"seat": seat, "number": number, "keys": keys})

    def _was_answered(self, seat: int, number: int, picked: int, now: tuple[int, int] | None) -> bool:
        """Return True if this pick of this decision has been answered and not been taken back."""
        answers = sum(entry.seat == seat and entry.number == number for entry in self.game.entries)
        return answers > picked and (now is None or now > (number, picked))

    def _try(self, seat: int, message: Mapping[str, Any]) -> None:
        """Say whether an answer could be given, without giving it."""
        ask = self.front.asked(seat)
        if ask is None:
            return
        why = ""
        try:
            keys = [option.key for option in _find_options(ask, message["try"])]
            self.game.machine.find_choices(self.game.state, seat).read_answer(keys)
        except Refused as refused:
            # The button says that it is not possible yet.
            why = str(refused).removeprefix(NOT_ALLOWED).lstrip() or str(refused)
        self._push(seat, {"tried": message["try"], "why": why}, None)

    # ── out ──

    def _send(self, seat: int | None, message: Mapping[str, Any]) -> None:
        """Turn a message of the front into what a page shows."""
        if seat is None:
            return
        if "view" in message:
            ask = self.front.asked(seat)  # it stays open while something else is shown
            question = None if ask is None else self._describe_question(ask)
            page = make_page(self.game.program, self.faces, message["view"], question)
            page["undo"] = self._word_undo(seat)
            if question is not None:
                self._say_whose_turn(page, seat)
                page["ask"]["before"] = self._list_chosen(seat)
            self._show(seat, page, message["view"], self.front.sent(seat), message.get("taken_back", 0))
        elif "accepted" in message:
            self._push(seat, {"accepted": message["accepted"], "undo": self._word_undo(seat)}, None)
        elif "undo_wanted_by" in message:
            wisher = self.game.names.index(message["undo_wanted_by"])
            since = story.sentences(self.game, seat, self.front.sent_since(seat, wisher))
            self._push(seat, {"wished": [line.text for line in since if not line.is_title]}, None)
        elif "refused" in message:
            why = message["refused"]
            by_all = {"may_ask_all": True} if f": {BY_ALL}" in why else {}
            # A wish has come to an end, which is told to whoever had it.
            of_wish = {"of_wish": True} if self._wisher == seat and self.front.wish is None else {}
            self._push(seat, {"refused": why.replace(f": {BY_ALL}", ""), **by_all, **of_wish}, None)

    def _say_whose_turn(self, page: Json, seat: int) -> None:
        """Call the stage of who sits here theirs, where they are asked in it."""
        teller = Teller(self.game.program, self.game.names, seat)
        for at, title in enumerate(page["stages"]):
            if (told := story.tell_stage(teller, title)) != title:
                page["stages"][at], page["own_stage"] = told, at

    def _list_chosen(self, seat: int) -> list[str]:
        """List what this seat has chosen of which nothing has come yet: the picks before a question."""
        name, chosen = self.game.names[seat], list[str]()
        for event in reversed(self.front.sent(seat)):
            if event.kind != "chose" or event.facts["player"] != name or "what" not in event.facts:
                break
            if not _is_only_button(event):
                chosen.append(self._word_keys(event.facts["what"]))
        return [*filter(None, reversed(chosen))]

    def _word_keys(self, keys: Sequence[str]) -> str:
        """Word what somebody has chosen, by its keys."""
        teller = Teller(self.game.program, self.game.names, None)
        words = ["pass" if key == PASS else teller.describe_key(key).strip("“”") for key in keys]
        return join_texts(merge_names(words))

    def _describe_question(self, ask: Ask) -> Asked:
        cause = ""
        if self._causes is not None:
            cause = self._causes.word_cause(self.game, ask, self.front.sent(ask.seat))
        return Asked(ask, self.game.barred(ask.seat), self._find_places, cause, self._is_public())

    def _is_public(self) -> bool:
        """Tell whether everybody may know who is asked now."""
        return not views.is_quiet(self.game.program, self.game.state)

    def _word_undo(self, seat: int) -> Json | None:
        """Word the answer of this seat that it may ask to take back, and what has come since; None if it may not."""
        mark = next((mark for mark in reversed(self.sitting.marks) if mark.seat == seat), None)
        since = self.front.find_since(seat) if mark is not None else None
        if mark is None or since is None:
            return None
        what = self._word_keys(self.game.entries[mark.answers].answer) or "choosing nothing"
        behind = {"behind": True} if self.front.is_behind_a_round(seat) else {}
        return {"what": what, "final": since[0], "answered": since[1], **behind}

    def _show_onlookers(self, view: Mapping[str, Any], events: Sequence[Event]) -> None:
        """Show what all may know; with it a batch begins."""
        log = self._told.setdefault(None, Log())
        page = make_page(self.game.program, self.faces, view)
        self._show(None, page, view, events, max(log.events - len(events), 0))

    def _show(self, seat: int | None, page: Json, facts: Facts, events: Sequence[Event], taken_back: int) -> None:
        log = self._told.setdefault(seat, Log())
        if self.front.is_over:
            page["over"] = self._word_end(seat, events)
        whose = log.find_doer(log.events - taken_back) if taken_back else None
        log.cut(log.events - taken_back)
        start, new = log.lines, events[log.events :]
        if taken_back or any(event.kind == "stage_ended" for event in new):
            log.round = self._word_round(seat, events)
            log.tallies = count_rounds(self.game.program, facts, events)
        page |= log.round
        scores = find_scores(self.game.program, facts, log.tallies)
        if scores is not None and (scores.says_more or not self.front.is_over):
            page["scores"] = scores.as_fields()
        sentences = story.sentences(self.game, seat, leave_out_buttons(new))
        answers = [(at, event) for at, event in enumerate(new, log.events) if event.kind in ("chose", "passed")]
        log.doers += [(at, event.facts["player"]) for at, event in answers]
        log.pieces.append((len(new), len(sentences)))
        lines = [
            {"text": line.text, "title": line.is_title, "weight": line.weight, "yours": self._names(seat, line.text)}
            for line in sentences
        ]
        beats = [] if taken_back or not start else make_beats(self.game.program, self.faces, new)
        played: Json = {"beats": beats} if beats else {}
        if taken_back:
            played |= {"taken_back": True} | ({"whose": whose} if whose is not None else {})
        elif seat is not None and start and "ask" not in page and (forced := self._word_forced(seat, new)):
            played["forced"] = forced
        self._push(seat, {"page": page, "log_from": start, "log": lines, **played}, self._batch)

    def _word_forced(self, seat: int, events: Sequence[Event]) -> str:
        """Word what was chosen for a seat because there was nothing else: a turn that went by without a question."""
        forced = [event.facts for event in events if event.kind == "chose" and "forced" in event.facts]
        mine = [facts for facts in forced if facts["player"] == self.game.names[seat]]
        return self._word_keys([key for facts in mine for key in facts.get("what", ())])

    def _names(self, seat: int | None, text: str) -> bool:
        """Tell whether a sentence speaks of who sits here, whom it calls you."""
        called = f"you|your|{re.escape(self.game.names[seat])}" if seat is not None else ""
        return bool(called and re.search(rf"(?<!\w)({called})(?!\w)", text, re.IGNORECASE))

    def _word_round(self, seat: int | None, events: Sequence[Event]) -> Json:
        """Say what came of the last round that is over, if there is one: for everybody, who reads it first."""
        game = self.game
        rounds = [*find_rounds(game.program, game.names, events)]
        if not rounds:
            return {}
        blocks = lay_out_round(game, seat, events, rounds[-1])
        parts = sorted((block for block in blocks if isinstance(block, Part)), key=lambda part: not part.is_own)
        facts = {
            "number": len(rounds),
            "title": rounds[-1].title,
            "besides": [block.text for block in blocks if isinstance(block, Told)],
            "parts": [[part.heading, [[row.label, [*row.groups]] for row in part.rows]] for part in parts],
        }
        return {"round": facts}

    def _word_end(self, seat: int | None, events: Sequence[Event]) -> Json:
        header = self.game.header
        return {
            "result": word_result(self.game),
            "winners": [self.game.names[winner] for winner in self.game.outcome.winners],
            "why": word_why(self.game, seat, events, self._handbook.best if self._handbook is not None else ""),
            "standings": [
                [standing.place, standing.name, standing.score, standing.is_member]
                for standing in find_standings(self.game)
            ],
            "seed": str(header.seed),
            **({"nonce": header.nonce} if header.nonce else {}),
        }

    def _find_places(self, option: Option) -> set[str]:
        """Find where the copies of an option lie that somebody sees."""
        game, places = self.game, self.game.program.layout.places
        cards = [value for value in option.values if isinstance(value, int) and value < game.program.cards]
        return {place_key(game.program, game.names, places[game.state[WHERE][card]]) for card in cards}


def leave_out_buttons(events: Sequence[Event]) -> list[Event]:
    """Leave out that somebody pressed the only button there was, unless a turn ends with it."""
    kinds = [*(event.kind for event in events[1:]), ""]
    pairs = zip(events, kinds, strict=False)
    return [event for event, then in pairs if then == "stage_ended" or not _is_only_button(event)]


def _is_only_button(event: Event) -> bool:
    """Tell whether somebody has chosen a label that was the only choice."""
    keys = event.facts.get("what", ())
    is_label = bool(keys) and all(key.startswith("label:") for key in keys)
    return event.kind == "chose" and is_label and event.facts.get("forced") is True


def _find_options(ask: Ask, numbers: Any) -> list[Option]:
    """Find the options with these numbers. Raises Refused."""
    if not isinstance(numbers, list) or len(numbers) > MOST_CHOSEN:
        raise Refused(find_words("no_answer"))
    if not all(type(number) is int and 0 <= number < len(ask.options) for number in numbers):
        raise Refused(find_words("not_an_option"))
    return [ask.options[number] for number in numbers]
