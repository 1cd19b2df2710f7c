"""Many random games, to find what goes wrong in play; the same games however many processes there are.

Every number of players gets its games under the rules as they are if nobody says otherwise; every other choice of a
house rule gets as many, in which the numbers of players take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import evolve, field, frozen

from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled, settle_options
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.playtest.coverage import Counts, Coverage
from rulebook.playtest.hunting.inspection import Fault, HastyGame, at_random, fault_of
from rulebook.playtest.settings import changed, numbers, others
from rulebook.playtest.sharing import Worker, in_pieces

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo")
"""Who plays. A rulebook declares small letters only, so in a scenario they mean nobody else."""


@frozen
class Setting:
    """How many play, under which house rules."""

    players: int
    options: dict[str, Settled]

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.players]


@frozen
class Sighting:
    """A game that showed a mistake: it comes again from its seed, with everybody answering at random."""

    fault: Fault
    setting: Setting
    seed: int
    decisions: int


@frozen
class Hunted:
    """What came of a hunt: how many games were played, how many of them were stopped by the limit of decisions, and the
    mistakes, each with the smallest game that showed it, in the order in which they were found; what ran, and for how
    many players under which house rules.
    """

    games: int
    unfinished: int
    sightings: tuple[Sighting, ...]
    counts: Counts = field(factory=dict)
    settings: tuple[Setting, ...] = ()


@frozen
class _Round:
    """Games under the same house rules."""

    options: dict[str, Settled]
    players: tuple[int, ...]
    games: int


@frozen
class _Hunt:
    """What every process knows."""

    rulebook: ir.Rulebook
    seed: int
    rounds: tuple[_Round, ...]

    @property
    def games(self) -> int:
        return sum(one.games for one in self.rounds)

    def setting(self, number: int) -> tuple[Setting, int]:
        """Find the setting and the seed of a game by its number."""
        left = number
        for one in self.rounds:
            if left < one.games:
                return Setting(one.players[left % len(one.players)], one.options), self.seed + left
            left -= one.games
        raise IndexError(f"there are {self.games} games, and no number {number}")


@frozen(eq=False)
class Programs:
    """The programs of a game, each made when first asked for."""

    rulebook: ir.Rulebook
    coverage: Coverage | None = None
    _made: dict[tuple[object, ...], Program] = field(factory=dict, init=False, repr=False)

    def of(self, setting: Setting) -> Program:
        key = setting.players, *setting.options.items()
        if key not in self._made:
            self._made[key] = lower(self.rulebook, setting.players, setting.options, self.coverage)
        return self._made[key]


def planned(rulebook: ir.Rulebook, games: int, vary: bool, options: Mapping[str, Settled] | None = None) -> int:
    return sum(one.games for one in _rounds(rulebook, games, vary, options))


def hunt(
    rulebook: ir.Rulebook,
    games: int,
    seed: int = 0,
    vary: bool = False,
    jobs: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    options: Mapping[str, Settled] | None = None,
) -> Hunted:
    """Play, and say what went wrong. `on_progress` is told now and then how many games are played, and of how many.

    `options` are the house rules from which others vary; without them those that hold if nobody says otherwise.
    """
    setting = _Hunt(rulebook, seed, tuple(_rounds(rulebook, games, vary, options)))
    found = Hunted(0, 0, ())
    for piece in in_pieces(_ready, setting, setting.games, max(1, jobs)):
        sightings = _keep_smallest(rulebook, [*found.sightings, *piece.sightings])
        counts = {key: found.counts.get(key, 0) + times for key, times in piece.counts.items()}
        games, unfinished = found.games + piece.games, found.unfinished + piece.unfinished
        found = Hunted(games, unfinished, sightings, found.counts | counts)
        if on_progress is not None:
            on_progress(found.games, setting.games)
    return evolve(
        found, settings=tuple(Setting(number, one.options) for one in setting.rounds for number in one.players)
    )


def _rounds(rulebook: ir.Rulebook, games: int, vary: bool, options: Mapping[str, Settled] | None) -> Iterator[_Round]:
    plain = settle_options(rulebook.options, {}, rulebook.units)[0] if options is None else dict(options)
    for players in numbers(rulebook, plain):
        yield _Round(plain, (players,), games)
    for other in others(rulebook, plain) if vary else ():
        if can_play := numbers(rulebook, other):
            yield _Round(other, can_play, max(games, len(can_play)))


def _keep_smallest(rulebook: ir.Rulebook, sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
    """Keep the smallest game that shows each mistake, and of equal ones the first."""
    found: dict[Fault, Sighting] = {}
    for one in sightings:
        found[one.fault] = min(found.get(one.fault, one), one, key=lambda one: _size(rulebook, one))
    return tuple(found.values())


def _size(rulebook: ir.Rulebook, one: Sighting) -> tuple[int, int, int]:
    return one.setting.players, len(changed(rulebook, one.setting.options)), one.decisions


def _ready(setting: _Hunt) -> Worker[Hunted]:
    coverage = Coverage(setting.rulebook)
    programs = Programs(setting.rulebook, coverage)

    def play(games: range) -> Hunted:
        coverage.forget()
        unfinished = 0
        found = []
        for number in games:
            how, seed = setting.setting(number)
            course = at_random(programs.of(how), seed, how.names, HastyGame)
            unfinished += not course.finished and course.error is None
            if course.error is not None:
                found.append(Sighting(fault_of(course.error), how, seed, len(course.entries)))
        return Hunted(len(games), unfinished, _keep_smallest(setting.rulebook, found), coverage.counts())

    return play
