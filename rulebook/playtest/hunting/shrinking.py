"""The smallest game that shows a mistake: fewer players, plain house rules, another seed, as few answers as it takes.

Answers are cut as in delta debugging: a half of them is left out, then quarters, down to single ones; then the first
option is answered each time. An answer that is not possible when its turn comes is left out too. So much is done, and
the best game is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from attrs import define, field

from rulebook.classes import frozen
from rulebook.dsl.settling.forbidding import allowed
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.game import Game
from rulebook.playtest.hunting.hunt import A_GAME, Programs, Sighting, find_stopped
from rulebook.playtest.hunting.inspection import (
    CheckedGame,
    Course,
    Fault,
    HastyGame,
    Pick,
    at_random,
    by_hand,
    fault_of,
)
from rulebook.playtest.settings import Setting

_WORK = 80_000
"""The work spent on one mistake, a second or two; half of it goes to finding another game with the same mistake."""
_SEEDS, _SHORTEST = 20, 3
"""The number of other seeds that are tried in each setting, and of the shortest of these games that are looked at."""


@frozen
class Shrunk:
    """A game that shows a mistake, and how it goes; `names` are the players in the keys of its entries."""

    fault: Fault
    setting: Setting
    course: Course
    names: tuple[str, ...]


def shrink(programs: Programs, sighting: Sighting) -> Shrunk | None:
    """The smallest that can be found. None if a patient machine finds nothing wrong."""
    return _Shrinking(programs, sighting).result()


@define
class _Shrinking:
    programs: Programs
    sighting: Sighting
    left: int = field(default=_WORK, init=False)

    def result(self) -> Shrunk | None:
        setting, course = self._fewer()
        best = self._cut(setting, course)
        for played in (best, course):
            kind = CheckedGame if self.programs.core_of(setting) is None else HastyGame
            patient = self._by_hand(setting, played.seed, _picks(played), kind)
            if patient.error is not None:
                return Shrunk(fault_of(patient.error), setting, patient, setting.names)
        # What only shows when a game is saved, read back or played again.
        random = at_random(self.programs.of(setting), course.seed, setting.names)
        if random.error is None:
            return None
        return Shrunk(fault_of(random.error), setting, random, setting.names)

    @property
    def _is_ours(self) -> bool:
        """True for a mistake of the machine, which may show only when a game is saved, read back or played again."""
        return self.sighting.fault.code is None

    def _fewer(self) -> tuple[Setting, Course]:
        """The least setting in which the fault shows, and the shortest game there."""
        here = self.sighting.setting
        for setting in [*self._smaller(here), here]:
            courses = [self.sighting.course] if setting is here else []
            first = self.sighting.course.seed + 1
            seeds: Sequence[int] = range(first, first + _SEEDS)
            if not self._is_ours:
                seeds = find_stopped(self.programs, setting, seeds)[:_SHORTEST]
            for seed in seeds:
                if self.left <= _WORK // 2:
                    break
                course = self._seen(setting, seed)
                courses += [] if course is None else [course]
            if courses:
                return setting, min(courses, key=lambda course: course.weight)
        raise AssertionError("the game that was found is one of them")

    def _smaller(self, setting: Setting) -> Iterator[Setting]:
        """Fewer players first, and fewer house rules that are changed."""
        rulebook = self.programs.rulebook
        plain, _ = settle_options(rulebook.options, {}, rulebook.units)
        options = [plain] if plain == setting.options else [plain, setting.options]
        for players, option in product(rulebook.players, options):
            if players <= setting.players:
                smaller = Setting(players, option)
                if smaller != setting and allowed(rulebook, option, players) and not self.programs.find_misfit(smaller):
                    yield smaller

    def _seen(self, setting: Setting, seed: int) -> Course | None:
        """A game at random, if it shows the fault with no more work than the one that is known."""
        program, most = self.programs.of(setting), min(self.sighting.course.work, self.left - _WORK // 2)
        return self._same(at_random(program, seed, setting.names, HastyGame, most=most, is_read_back=self._is_ours))

    def _cut(self, setting: Setting, course: Course) -> Course:
        best = course
        if (none := self._lighter(setting, best, ())) is not None:
            best = none
        size = len(best.entries[: best.by_hand])
        while size:
            start = 0
            while start < best.by_hand and self.left > 0:
                picks = _picks(best)
                lighter = self._lighter(setting, best, picks[:start] + picks[start + size :])
                if lighter is None:
                    start += size
                else:
                    best = lighter
            size //= 2
        return best

    def _lighter(self, setting: Setting, best: Course, picks: tuple[Pick, ...]) -> Course | None:
        """The game with these answers, if it shows the fault and is lighter than the best one."""
        course = self._same(self._by_hand(setting, best.seed, picks, HastyGame, best.weight, self.left))
        return course if course is not None and course.weight < best.weight else None

    def _by_hand(
        self, setting: Setting, seed: int, picks: tuple[Pick, ...], kind: type[Game], *bounds: int
    ) -> Course:
        return by_hand(self.programs.of(setting), seed, setting.names, picks, kind, *bounds)

    def _same(self, course: Course) -> Course | None:
        """The game, if it shows the fault that is looked for."""
        self.left -= course.work + A_GAME
        same = course.error is not None and fault_of(course.error) == self.sighting.fault
        return course if same else None


def _picks(course: Course) -> tuple[Pick, ...]:
    return tuple((entry.seat, entry.answer) for entry in course.entries[: course.by_hand] if entry.seat != "chance")
