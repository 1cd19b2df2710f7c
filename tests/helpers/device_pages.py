"""Does a shared device show the same, whatever a person may not know? Asked of games that go on from states which the
seat cannot tell apart, as `streams` asks it of the line protocol.

In: a program, random numbers. Out: complaints. What a seat sees is every page that is shown while its person has the
device, and every page that all may see: who the device goes to, and pages behind which anybody may sit. As long as the
seat notices the same in two games, it must be shown the same pages in the same order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any

import pytest
from leaks import Below, look_alike
from paper import Paper
from streams import NAMES, Played, Playing, agreed, drawn_state

from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State
from rulebook.table import answers, asking, terminal
from rulebook.table.screen import Screen
from rulebook.table.shared import SharedMachine
from rulebook.table.sitting import Bot, DeviceSitting, lend

MOST_PAGES = 60
ANSWERS = 8
PERSONS, ONE_BOT, ALL_LENT = "persons", "one bot", "all lent"


class Typing(Paper):
    """A screen at which `reply` types, for whoever has the device."""

    def __init__(self, begin: Callable[[], None], reply: Callable[[str], str | None]) -> None:
        super().__init__(80, 40)
        self.begin, self.reply = begin, reply

    @contextmanager
    def opened(self) -> Iterator[Screen]:
        self.begin()
        yield self

    def read_line(self, prompt: str) -> str | None:
        return self.reply(prompt)


class PlayingByPages(Playing):
    """A game at one device. `table` says who sits there; where all lend their seats, the seat itself sits down again
    after so many `pauses`.
    """

    def __init__(
        self, program: Program, state: State, seat: int, below: Below, table: str = PERSONS, pauses: int = 0
    ) -> None:
        super().__init__(program, state, seat, below, ANSWERS)
        self.screen = Typing(self._lend, self._type)
        bots = [(seat + 1) % program.players] if table == ONE_BOT else []
        given: dict[int, Bot] = dict.fromkeys(bots, self._answer_for)
        self.sitting = DeviceSitting(self.game, given, self._stand_in, self.screen, {}, lambda: Path("here"))
        self.lenders = [*range(program.players)] if table == ALL_LENT else []
        self.pauses = pauses
        self.holder: int | None = None
        self.passed: list[tuple[int, str]] = []
        """Where everybody may know that the game came, each behind so many events of the seat."""

    def play(self) -> Played:
        terminal.play_sitting(self.sitting)
        self._notice()
        return self.found

    def _lend(self) -> None:
        for seat in self.lenders:
            lend(self.sitting, seat)

    def _notice(self) -> None:
        for events, where in self.passed:
            self._notice_events(events)
            self.found.noticed.append(where)
        self.passed.clear()
        super()._notice()

    def notice_round(self) -> None:
        """Note that the device goes once around the table, which shows that somebody is asked, though not who."""
        self._notice()
        self.found.noticed.append("somebody is asked in secret")

    def _type(self, prompt: str) -> str | None:
        self._notice()
        everybody = prompt.startswith("Hand the device to") or not self.sitting.persons
        if everybody or self.holder in (None, self.seat):
            self.found.lines.append((self._events, "\n".join([*self.screen.lines, prompt])))
        if len(self.found.lines) > MOST_PAGES or self.answers == 0:
            return None
        if prompt.startswith("Hand the device to"):
            name = prompt.removeprefix("Hand the device to ").partition(",")[0]
            self.holder = self.game.names.index(name)
            return ""
        if prompt.endswith(" > "):
            self.answers -= 1
            return self._typed_answer()
        if not self.sitting.persons:
            self.pauses -= 1
            if self.pauses == 0:
                return f"b {NAMES[self.seat]}"
        return ""

    def _typed_answer(self) -> str:
        decision = self.game.decision
        assert decision is not None
        holder = next(ask.seat for ask in decision.asks if self.holder in (None, ask.seat))
        asked = asking.word_ask(self.sitting, next(ask for ask in decision.asks if ask.seat == holder))
        keys = list(self._keys(asked.ask))
        tags = dict(zip(asked.ask.keys, answers.make_tags(asked.ask, asked.spots), strict=True))
        typed = ", ".join(tags[key] for key in keys) or answers.NONE
        assert answers.parse_answer(asked.ask, typed, asked.spots) == keys, (typed, keys)
        return typed


def differ(one: Played, other: Played) -> str:
    """Find a page that the seat was shown otherwise, though it had noticed the same."""
    same = agreed(one, other)
    shown = [[text for at, text in played.lines] for played in (one, other)]
    sure = [sum(at <= same for at, _ in played.lines) for played in (one, other)]
    for at, (here, there) in enumerate(zip(*shown, strict=False)):
        if here != there:
            # A page that comes after something else was noticed may be another one.
            return f"page {at + 1}:\n{here}\n── or ──\n{there}" if at < max(sure) and at < min(map(len, shown)) else ""
    return ""


def page_complaints(
    program: Program, states: int, seed: int = 0, most: int = 60, tried: Counter[str] | None = None
) -> Iterator[str]:
    """Compare games that go on from drawn states, at tables of each sort; `tried` counts what was compared."""
    below, counted = Source(seed, "pages").below, Counter() if tried is None else tried
    for _ in range(states):
        state = drawn_state(program, below, most)
        counted["states"] += 1
        for seat in range(program.players):
            drawn = (look_alike(program, state, seat, below) for _ in range(100))
            # Everybody at the device sees who has held it.
            twins = [state, *islice((twin for twin in drawn if _list_asked(twin) == _list_asked(state)), 3)]
            counted["twins"] += len(twins) - 1
            for table, pauses in ((PERSONS, 0), (ONE_BOT, 0), (ALL_LENT, 1), (ALL_LENT, 3)):
                first = below(1 << 30)
                runs = list(_played(program, twins, seat, first, table, pauses))
                for at, one in enumerate(runs):
                    for other in runs[:at]:
                        counted["pairs"] += 1
                        counted["pages"] += min(len(one.lines), len(other.lines))
                        found = differ(one, other)
                        if found:
                            counted["found"] += 1
                            yield f"{program.id}, {table}, {NAMES[seat]}: {found}"


def _list_asked(state: State) -> list[tuple[int, bool]]:
    """Who is asked, and who of them has answered."""
    return [(seat, done) for seat, number, _, done in state[PENDING][1] if number]


def _played(
    program: Program, twins: Sequence[State], seat: int, first: int, table: str, pauses: int
) -> Iterator[Played]:
    chosen: dict[Any, Any] = {}
    true, pass_point = terminal.next_seat, SharedMachine._pass
    for number, twin in enumerate(twins):
        playing = PlayingByPages(program, twin, seat, Source(first, f"{number}").below, table, pauses)
        playing.follow = chosen

        def note_round(sitting: DeviceSitting, decision: Any, at: int | None, playing: PlayingByPages = playing) -> int:
            way = playing.game.way
            if way.is_quiet and terminal._first(sitting, decision, at) != at:
                playing.notice_round()
            return true(sitting, decision, at)

        def note_point(self: SharedMachine, run: Run, is_veiled: bool, playing: PlayingByPages = playing) -> None:
            pass_point(self, run, is_veiled)
            where = f"comes to {run.code_index}, {run.pc}" if is_veiled else "waits"
            playing.passed.append((self.points[-1].noticed[playing.seat], where))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(terminal, "next_seat", note_round)
            patch.setattr(SharedMachine, "_pass", note_point)
            played = playing.play()
        chosen = chosen or played.chosen
        yield played


# ── drawn plays ──────────────────────────────────────────────────────────────────────────────────


def draw_play(random: Random) -> str:
    """Draw the play of a small game (`shared_devices.TOP`): what is asked, said, shown and moved, partly in secret."""
    lines = [_draw_sentence(random) for _ in range(random.choice([3, 4, 5]))]
    # A name has one type: each sentence has names of its own.
    numbered = [re.sub(r"\b(n|given|b|p)\b", rf"\1_{at}", line) for at, line in enumerate(lines)]
    return "\n".join([*numbered, "starter chooses n from 1..2", ""])


def _draw_sentence(random: Random, deep: int = 1) -> str:
    who, other = (random.choice(["starter", "starter.left", "starter.left.left"]) for _ in range(2))
    some = random.choice(
        [
            "players",
            f"(players where it is not {who})",
            "(players where any(it.hand where it is badge))",
            f"(players where it is {who} or any(it.hand where it is star))",
        ]
    )
    asked = [
        f"{who} chooses n from 1..2",
        f'{who} may choose given from {who}.hand where it is badge "Give a badge?"',
        f'{who} chooses given from {who}.hand where it is not blank "Which?"',
        'each p in players chooses given from p.hand where it is not blank "Which?"',
        'each p in players may choose given from p.hand where it is badge "Which?"',
        'each p in players:\n  p may choose given from p.hand where it is badge "Give a badge?"',
        "each p in players:\n  if any(p.hand where it is badge):\n"
        '    p may choose one "Hide your badge?":\n      "Hide":\n        set p.hides = yes',
        "each p in players chooses n from 1..2",
    ]
    done = [
        f"draw 1 from deck to {who}.hand",
        f'say "Be ready." to {some}',
        f"show {who}.hand to {some}",
        f"tell {who} whether any({other}.hand where it is badge)",
        f"pick b from {who}.hand at random\nmove b to {other}.hand",
        "pick b from deck at random\nmove b to deck",
        f"set {who}.hides = yes",
        f"move {who}.hand to deck",
        f"reveal {who}.hand",
    ]
    if deep and random.random() < 0.25:
        inner = indent(_draw_sentence(random, 0), "  ")
        return random.choice([f"repeat 2:\n{inner}", f'stage later "Later":\n{inner}'])
    return random.choice(random.choice([asked, asked, done]))
