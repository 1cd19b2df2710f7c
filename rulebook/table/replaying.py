"""A game that was played, looked at again: forward and back, through anybody's eyes.

The eyes are a seat's, everyone's, or nobody's, who knows all that anybody saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulebook.classes import frozen
from rulebook.interpreter import views
from rulebook.interpreter.events import Event
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import Entry
from rulebook.printing import visible
from rulebook.table import story, view
from rulebook.table.blocks import Page, Part, Seen, Told, row
from rulebook.table.screen import Screen
from rulebook.table.story import Account, by_everyone
from rulebook.table.view import tints

_KEYS = (
    ("n, or Enter", "the next answer"),
    ("p", "the one before"),
    ("12", "the game after 12 answers"),
    ("first, last", "before the first answer, after the last"),
    ("s Ana", "as Ana sees it; s public: as everyone does; s alone: all that anybody saw"),
    ("l", "the log: all that happened up to here"),
    ("v", "the whole table"),
    ("f", "a new game that goes on from here: same rules, same deal"),
    ("q", "leave; Ctrl-D does the same"),
)


@frozen
class Eyes:
    """The point of view: a seat, or everyone (None), or with `is_open` nobody, from whom nothing is hidden."""

    seat: int | None = None
    is_open: bool = False

    def name_eyes(self, names: Sequence[str]) -> str:
        if self.is_open:
            return "all that anybody saw"
        return "what everyone sees" if self.seat is None else f"what {visible(names[self.seat])} sees"


class NoSuchEyes(ValueError):
    """There is no player of that name; the sentence says who there is."""


def parse_eyes(names: Sequence[str], typed: str) -> Eyes:
    """Read the value of `s`: `Ana`, `public`, or nothing. Raises NoSuchEyes."""
    word = " ".join(typed.split()).casefold()
    if not word:
        return Eyes(is_open=True)
    seats = [seat for seat, name in enumerate(names) if name.casefold() == word]
    # A player may be called Public.
    if not seats and word == "public":
        return Eyes()
    seats = seats or [seat for seat, name in enumerate(names) if name.casefold().startswith(word)]
    if len(seats) != 1:
        raise NoSuchEyes(f"Nobody is called “{visible(typed)}”: the players are {', '.join(map(visible, names))}.")
    return Eyes(seats[0])


class Replay:
    """A game that stands after some of its answers."""

    def __init__(self, game: Game, columns: int) -> None:
        self.game, self.columns = game, columns
        self.entries: tuple[Entry, ...] = tuple(game.entries)

    @property
    def at(self) -> int:
        return len(self.game.entries)

    def go(self, at: int) -> None:
        """To this number of answers, or as far as there are any."""
        at = min(max(at, 0), len(self.entries))
        if at < self.at:
            self.game.undo(self.at - at)
        for entry in self.entries[self.at : at]:
            self.game.repeat(entry)

    def headline(self, eyes: Eyes) -> str:
        after = f"after {self.at} of {len(self.entries)} answers"
        return f"{after} · {eyes.name_eyes(self.game.names)}"

    def collect_table(self, eyes: Eyes) -> Seen:
        return view.lay_out(self.game.program, self.collect_facts(eyes))

    def collect_facts(self, eyes: Eyes) -> views.Facts:
        """Return what is known of the table; eyes that see everything get of each player's all that this one knows."""
        game = self.game
        if eyes.seat is not None:
            return game.view(eyes.seat).facts
        common_facts = views.collect_common_facts(game.program, game.names, game.state)
        for seat, name in enumerate(game.names) if eyes.is_open else ():
            own = game.view(seat).facts
            for part in ("places", "memory", "values"):
                common_facts[part] |= {key: what for key, what in own[part].items() if key.startswith(f"{name}.")}
        return common_facts

    def tell_story(self, eyes: Eyes, since: int) -> list[Told]:
        """Tell what happened since there had been so many answers."""
        game, at = self.game, self.at
        self.go(since)
        seen = [len(game.events(seat)) for seat in range(len(game.names))]
        account = Account(game, self.columns)
        if since > 0 or at == 0:
            account.word_news()
        self.go(at)
        if eyes.is_open:
            # The lines have their width and indentation already.
            return [Told(line, is_title=True) for line in account.word_news()]
        if since == 0:
            seen = [0] * len(seen)
        lists: list[Sequence[Event]] = [game.events(seat)[start:] for seat, start in enumerate(seen)]
        events = by_everyone(lists) if eyes.seat is None else lists[eyes.seat]
        return story.sentences(game, eyes.seat, events)


def look(replay: Replay, screen: Screen, eyes: Eyes, at_end: str = "") -> int | None:
    """Step through a game at a terminal. After how many answers a new game is to begin, or None. `at_end` is what is
    to be said after the last one.
    """
    screen.looks.tint(tints(replay.game.program))
    with screen.opened():
        return _Looking(replay, screen, eyes, at_end or "This is the end of it.").step_through()


class _Looking:
    """Somebody at a terminal."""

    def __init__(self, replay: Replay, screen: Screen, eyes: Eyes, at_end: str) -> None:
        self.replay, self.screen, self.eyes, self.at_end = replay, screen, eyes, at_end
        self.since = max(replay.at - 1, 0)

    def step_through(self) -> int | None:
        notice = ""
        while True:
            self.screen.draw(partial(self._draw_moment, notice))
            typed = self.screen.read_line(f"[{self.replay.at} of {len(self.replay.entries)}, ? help] > ")
            if typed is None:
                return None
            word, _, rest = typed.strip().partition(" ")
            match word.casefold():
                case "q" | "quit":
                    return None
                case "f" | "fork":
                    return self.replay.at
                case other:
                    notice = self._obey(other, rest, typed)

    def _obey(self, word: str, rest: str, typed: str) -> str:
        """Do what was typed; what is to be said about it."""
        goal = self._goal(word)
        if goal is not None:
            at = self.replay.at
            self.replay.go(goal)
            # Of a leap forward all is told; of a step back what led there.
            self.since = at if self.replay.at > at else max(self.replay.at - 1, 0)
            there = self.at_end if goal > at else "This is the beginning."
            return there if self.replay.at == at and goal != at else ""
        match word:
            case "s" | "seat":
                try:
                    self.eyes = parse_eyes(self.replay.game.names, rest)
                except NoSuchEyes as nobody:
                    return str(nobody)
            case "l" | "log":
                happened = self.replay.tell_story(self.eyes, 0) or [Told("Nobody has answered yet.", is_title=True)]
                self.screen.read_through("Log", happened, newest_first=True)
            case "v" | "view":
                self.screen.read_through(self.replay.headline(self.eyes), [self.replay.collect_table(self.eyes)])
            case "?" | "help":
                self.screen.read_through("Keys", [Part("", [row(*pair) for pair in _KEYS])])
            case _:
                return f"“{visible(typed[:40])}” is no key here; ? lists them."
        return ""

    def _goal(self, word: str) -> int | None:
        """After how many answers somebody wants to look."""
        at, last = self.replay.at, len(self.replay.entries)
        goals = {"": at + 1, "n": at + 1, "next": at + 1, "p": at - 1, "previous": at - 1, "first": 0, "last": last}
        return int(word[:9]) if word.isdecimal() else goals.get(word)

    def _draw_moment(self, notice: str) -> list[str]:
        replay, program = self.replay, self.replay.game.program
        replay.columns = self.screen.columns
        head = " · ".join([view.headline(program, replay.collect_facts(self.eyes)), replay.headline(self.eyes)])
        # All of it is news to whoever looks, and worth more than the end of a long table.
        happened = [line for line in replay.tell_story(self.eyes, self.since) if line.text]
        page = Page(head, "", happened, happened, replay.collect_table(self.eyes), None, notice)
        return self.screen.looks.draw_page(page, self.screen.size)
