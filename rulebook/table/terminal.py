"""A game in the terminal, for one person against bots or for several who share the keyboard.

In: a `Game`, who of the seats is a bot, a `Screen`, texts of cards to look up, and where to save. Out:
answers, until the game is over or somebody leaves. Never: shows one person what another may know: between two
persons the screen is wiped before the next view is even made, and a line of the log comes from that person's
own events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from attrs import field, frozen

from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import Ask, Decision, Refused, not_met
from rulebook.interpreter.events import Event
from rulebook.table import answers, grids, menu, news, view
from rulebook.table.columns import labelled, visible, wrapped
from rulebook.table.folds import Thing, folded
from rulebook.table.reveals import why_final
from rulebook.table.screen import Screen
from rulebook.table.telling import hung, repeats, sentence, titled
from rulebook.widths import width

if TYPE_CHECKING:
    from rulebook.interpreter.game import Game

Bot: TypeAlias = "Callable[[Ask], None]"
"""Gives the game an answer to what its seat is asked."""

_KEYS = (
    ("1 … or a name", "choose it; the beginning of a name is enough"),
    ("1 3 3", "where several are wanted: their numbers, or names with commas; also all, none"),
    ("?", "this help, and what the options say; ? 2 or ? name for one of them"),
    ("l", "the log: all that you have seen happen"),
    ("v", "the table again, as you see it"),
    ("u", "undo your last answer, if nothing has been drawn or revealed since"),
    ("s", "save, and play on"),
    ("q", "save and leave; Ctrl-D does the same"),
)
_COMMANDS = {"l": "log", "v": "view", "u": "undo", "s": "save", "q": "quit", "?": "help"}
_NO_TEXT = "nothing more than its name"
_RECENT = 5  # so many lines of what happened are worth more than headings in the table


class _Left(Exception):
    """Somebody left the keyboard; the game is saved."""


@frozen
class _Mark:
    """Before an answer: who gave it, how many there had been, how much each seat had seen."""

    seat: int
    answers: int
    seen: tuple[int, ...]


@frozen
class _Asked:
    """What one person is asked, in words, with what is seen of the table meanwhile."""

    ask: Ask
    facts: Mapping[str, Any]
    grids: Sequence[grids.Grid]
    spots: answers.Spots


@frozen
class Terminal:
    """One sitting. `texts` maps a card's or action's id to what it says; `save` writes the game and says
    where.
    """

    game: Game
    bots: Mapping[int, Bot]
    screen: Screen
    texts: Mapping[str, str]
    save: Callable[[], Path]
    _seen: dict[int, int] = field(factory=dict, init=False)
    _marks: list[_Mark] = field(factory=list, init=False)

    @property
    def persons(self) -> list[int]:
        """The seats of those who sit at the keyboard."""
        return [seat for seat in range(len(self.game.names)) if seat not in self.bots]

    def play(self) -> bool:
        """Ask whoever is to decide, until the game is over (yes) or somebody leaves (no)."""
        at_keyboard: int | None = None if len(self.persons) > 1 else self.persons[0]
        try:
            with self.screen.opened():
                while (decision := self.game.decision) is not None:
                    ask = self._next(decision, at_keyboard)
                    if ask.seat in self.bots:
                        self.bots[ask.seat](ask)
                        continue
                    if ask.seat != at_keyboard:
                        self._part(at_keyboard)
                        at_keyboard = self._hand_over(ask.seat, at_keyboard)
                        if at_keyboard != ask.seat:
                            continue
                    self._turn(ask.seat)
                self._last_page(at_keyboard)
        except _Left:
            return False
        return True

    def _next(self, decision: Decision, at_keyboard: int | None) -> Ask:
        """Bots first, they take no time; then whoever has the keyboard already."""
        return min(decision.asks, key=lambda ask: (ask.seat not in self.bots, ask.seat != at_keyboard, ask.seat))

    def _answer(self, ask: Ask, keys: Sequence[str]) -> None:
        """Answer; Refused if that may not be."""
        self.game.answer(ask.seat, keys, ask.number)

    def _part(self, seat: int | None) -> None:
        """What came of this person's answer and is for nobody else, before somebody else has the keyboard."""
        found = [] if seat is None else self._news(seat)
        if seat is not None and found:
            title = f"{visible(self.game.names[seat])}, before you hand on"
            if not self.screen.read_through(title, found, goes_on="Press Enter to hand on"):
                self._leave()

    def _hand_over(self, seat: int, giver: int | None = None) -> int:
        """A page on which there is nothing private, until the next person has the keyboard; who has it then.

        While the decision is open, whoever has just answered may take it back, and gets the keyboard again.
        """
        name = visible(self.game.names[seat])
        self.screen.page()
        if not self.screen.is_terminal:
            self.screen.show([f"Hand the device to {name}."])
            return seat
        if giver is None or not self.game.may_take_back(giver):
            if self.screen.ask(f"Hand the device to {name}, then press Enter ") is None:
                self._leave()
            return seat
        whose = visible(self.game.names[giver])
        self.screen.show([f"Until all have answered, {whose} may still take the answer back: u."])
        typed = self.screen.ask(f"Hand the device to {name}, then press Enter ")
        if typed is None:
            self._leave()
        if typed.strip().casefold() != "u":
            return seat
        self.game.take_back(giver)
        while self._marks and self._marks[-1].seat == giver and self._marks[-1].answers >= len(self.game.entries):
            self._marks.pop()
        return self._hand_over(giver)

    # ── one answer ──

    def _turn(self, seat: int) -> None:
        """Ask this person until there is an answer that the game takes, or a step back."""
        fresh, notice = True, ""
        while True:
            decision = self.game.decision
            ask = decision.of(seat) if decision is not None else None
            if ask is None:
                return  # after an undo somebody else may be asked
            facts = self.game.view(seat).facts
            laid = grids.seen(self.game.program, facts)
            ask = grids.worded(self.game.program, facts, laid, ask)
            asked = _Asked(ask, facts, laid, grids.spots(laid, ask))
            if fresh or self.screen.is_capable:
                self.screen.page()
                self._paint(asked, notice)
            elif notice:
                self.screen.show(self._noted(notice))
            fresh, notice = False, ""
            typed = self.screen.ask(f"{visible(self.game.names[seat])} [{menu.span(ask, asked.spots)}] > ")
            if typed is None:
                self._leave()
            command = _command(ask, typed)
            if command:
                notice, fresh = self._obey(command, typed, asked)
                continue
            try:
                keys = answers.parse(ask, typed, asked.spots)
                mark = self._mark(seat)
                self._answer(ask, keys)
            except (answers.Unclear, Refused) as refused:
                notice = self._why_barred(ask, typed) or str(refused)
                continue
            self._marks.append(mark)
            self._seen[seat] = mark.seen[seat]
            return

    def _why_barred(self, ask: Ask, typed: str) -> str:
        """Which rule forbids what somebody typed, if it is one thing that is there and may not be chosen."""
        barred = dict(self.game.barred(ask.seat))
        meant = answers.named(tuple(barred), typed)
        return f"{meant[0].label} may not be chosen. {not_met(barred[meant[0]])}" if len(meant) == 1 else ""

    def _mark(self, seat: int) -> _Mark:
        seen = tuple(len(self.game.events(other)) for other in range(len(self.game.names)))
        return _Mark(seat, len(self.game.entries), seen)

    def _obey(self, command: str, typed: str, asked: _Asked) -> tuple[str, bool]:
        """Do what is no answer; what to say about it, and whether the page has to be made again."""
        match command:
            case "help":
                return self._help(asked, typed.strip().removeprefix("?").strip())
            case "log":
                lines = self._told(asked.ask.seat, 0) or ["Nothing has happened yet."]
                self._leaf("Log", lines, newest_first=True)
            case "view":
                self._leaf("The table", self._table(asked.ask.seat))
            case "undo":
                return self._undo(asked.ask.seat), True
            case "save":
                return f"Saved in\n{self.save()}", False
            case _:
                self._leave()
        return "", True

    def _leaf(self, title: str, lines: Sequence[str], newest_first: bool = False) -> None:
        """Something to read before going on."""
        if not self.screen.read_through(title, lines, newest_first):
            self._leave()

    def _leave(self) -> NoReturn:
        self.save()
        raise _Left

    # ── undo ──

    def _undo(self, seat: int) -> str:
        """Take back this person's last answer and what bots did after it; what to say."""
        if not self._marks:
            return "There is nothing to take back."
        mark = self._marks[-1]
        if mark.seat != seat:
            return f"It cannot be taken back: {self.game.names[mark.seat]} has answered since."
        # Own events first: of what only others noticed, no more is said than that it happened.
        for other in sorted(range(len(self.game.names)), key=lambda other: other != seat):
            for event in self.game.events(other)[mark.seen[other] :]:
                reason = why_final(self.game.program, self.game.names, event, is_own=other == seat)
                if reason:
                    reason = reason if other == seat else "somebody has learned something since."
                    return f"It cannot be taken back: {reason}"
        while len(self.game.entries) > mark.answers:
            self.game.undo()
        self._marks.pop()
        self._seen[seat] = min(self._seen.get(seat, 0), mark.seen[seat])
        return "Taken back."

    # ── what is shown ──

    def _paint(self, asked: _Asked, notice: str) -> None:
        """One page: where we are, what happened, the table, the question."""
        program, columns = self.game.program, self.screen.columns
        ask, facts, teller = asked.ask, asked.facts, Teller(program, self.game.names, asked.ask.seat)
        head = [self.screen.paint("title", view.headline(program, facts, columns))]
        notes = self._noted(notice) if notice else []
        happened = self._told(ask.seat, self._seen.get(ask.seat, 0))
        while happened and happened[-1] in map(titled, facts["stages"]):
            happened.pop()  # the headline says it
        private = self._news(ask.seat)
        least = min(len(happened), 2 + min(len(private), _RECENT))
        whole = sum(len(grid.lines(columns)) for grid in asked.grids)
        # Of a grid that has to be cut nobody can tell what lies where: then all options are named.
        for tight, laid in ((False, asked.grids), (True, asked.grids), (True, ())):
            question = menu.lines(teller, ask, columns, tight, asked.spots, laid) + notes
            table = view.table(program, facts, columns, tight, asked.grids)
            # Two rules, and the line on which is typed. A line with a path may go on in the next row.
            room = self.screen.rows - len(head) - sum(max(1, -(-width(line) // columns)) for line in question) - 3
            if min(len(happened), _RECENT) + len(table) <= room or (tight and least + whole + 1 <= room):
                break
        table = _cut(table, max(room - least, 1), "… v shows the whole table")
        happened = news.latest(happened, room - len(table), private)
        self.screen.show([*head, *happened, self.screen.rule(), *table, self.screen.rule(), *question])

    def _noted(self, notice: str) -> list[str]:
        """What is said, wrapped; what stands below it is to be copied, and so never broken."""
        said, *below = map(visible, notice.split("\n"))
        lines = [*wrapped(f"! {said}", self.screen.columns, "  "), *(f"  {line}" for line in below)]
        return [self.screen.paint("note", line) for line in lines]

    def _table(self, seat: int) -> list[str]:
        facts = self.game.view(seat).facts
        head = view.headline(self.game.program, facts, self.screen.columns)
        return [head, *view.table(self.game.program, facts, self.screen.columns)]

    def _news(self, seat: int) -> list[str]:
        """What this person alone has learned since the last answer."""
        answered = [mark for mark in self._marks if mark.seat == seat]
        if not answered:
            return []
        since = answered[-1].seen
        noticed = [self.game.events(other)[start:] for other, start in enumerate(since)]
        return self._sentences(seat, news.private(self.game.program, self.game.names, seat, noticed))

    def _told(self, seat: int, start: int) -> list[str]:
        """What this seat saw happen from its event number `start` on."""
        return self._sentences(seat, self.game.events(seat)[start:])

    def _sentences(self, seat: int, events: Sequence[Event]) -> list[str]:
        lines: list[str] = []
        teller = Teller(self.game.program, tuple(self.game.names), seat)
        worth = [event for before, event in zip((None, *events), events, strict=False) if not repeats(before, event)]
        things = [Thing(event, None, noticed=True) for event in worth]
        at = 0
        while at < len(worth):
            event = worth[at]
            run = folded(teller, things[at:])
            text = sentence(self.game.program, self.game.names, event, seat) if run is None else run[1]
            at += 1 if run is None else run[0]
            bullet = "" if event.kind == "stage_began" else "· "
            lines += hung(text, self.screen.columns, "", bullet)
        return lines

    def _help(self, asked: _Asked, about: str) -> tuple[str, bool]:
        ask, columns = asked.ask, self.screen.columns
        if about:
            found = self._look_up(asked, about)
            if not found:
                return f"There is no card or option “{about}” here to say anything about.", False
            self._leaf("What it says", found)
            return "", True
        rows = [(menu.label(option), visible(self._text(option.key))) for option in ask.options]
        texts = list(dict.fromkeys(row for row in rows if row[1]))
        lines = labelled(_KEYS, columns)
        barred = [(visible(option.label), not_met(why)) for option, why in self.game.barred(ask.seat)]
        if barred:
            lines += ["", "What may not be chosen now", *labelled(barred, columns)]
        if texts:
            lines += ["", "The options", *labelled(texts, columns)]
        self._leaf("Keys", lines)
        return "", True

    def _look_up(self, asked: _Asked, about: str) -> list[str]:
        """The text of an option, or of any card of the game by its name."""
        meant = answers.matching(asked.ask, about, asked.spots)
        if meant:
            rows = [(menu.label(option), visible(self._text(option.key) or _NO_TEXT)) for option in meant]
            return labelled(dict.fromkeys(rows), self.screen.columns)
        if about.isdecimal() and len(about) < 3:
            return []  # the number of an option that is not there, and not the beginning of names
        wanted, program = about.casefold(), self.game.program
        actions = zip(program.actions, program.names[program.cards :], strict=True)
        named = {**program.definitions, **dict(actions)}
        found = [
            (visible(name), visible(self.texts.get(one) or _NO_TEXT))
            for one, name in named.items()
            if name.casefold().startswith(wanted) or one == wanted
        ]
        return labelled(dict.fromkeys(found), self.screen.columns)

    def _text(self, key: str) -> str:
        """What the card or action of an option says; its key may be longer than its id, to tell copies apart."""
        sort, _, id = key.partition(":")
        if sort not in ("card", "action"):
            return ""
        return self.texts.get(id.partition("[")[0].partition("@")[0].partition("#")[0], "")

    def _last_page(self, at_keyboard: int | None) -> None:
        """What happened since the last question; only to a person who sat there alone, since it may be
        private.
        """
        if at_keyboard is None or len(self.persons) > 1 or not self.screen.is_terminal:
            return
        lines = self._told(at_keyboard, self._seen.get(at_keyboard, 0))
        self.screen.read_through("The game is over.", lines)


def _command(ask: Ask, typed: str) -> str:
    """The command that was typed, or nothing. The whole name of an option goes before a command."""
    word = typed.strip().casefold()
    if word in {option.label.casefold() for option in ask.options}:
        return ""
    if word.startswith("?"):
        return "help"
    if word in _COMMANDS:
        return _COMMANDS[word]
    return word if word in _COMMANDS.values() and not _begins(ask, word) else ""


def _begins(ask: Ask, word: str) -> bool:
    return any(option.label.casefold().startswith(word) for option in ask.options)


def _cut(lines: list[str], room: int, more: str) -> list[str]:
    return lines if len(lines) <= room else [*lines[: room - 1], more]
