"""Many random games, to find what goes wrong in play; the same games however many processes there are.

Every number of players gets its games under the rules as they are if nobody says otherwise; every other choice of a
house rule gets as many, in which the numbers of players take turns.

The core plays them. The machine plays the first game of each number of players under each choice, to hold its promises,
and again whatever stopped in the core, to say what went wrong and where; all of them where there is no core.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled, settle_options
from rulebook.interpreter.core.door import ENDING, RESULTS, SEATS, WHY, Core, core_of
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.playtest.coverage import Counts, Coverage
from rulebook.playtest.hunting.inspection import Fault, HastyGame, at_random, fault_of
from rulebook.playtest.settings import changed, numbers, others
from rulebook.playtest.sharing import Worker, in_pieces

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo")
"""Who plays. A rulebook declares small letters only, so in a scenario they mean nobody else."""

UNFINISHED = RESULTS.index("unfinished")


@frozen
class Setting:
    """How many play, under which house rules."""

    players: int
    options: dict[str, Settled]

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.players]

    @property
    def key(self) -> tuple[object, ...]:
        return self.players, *self.options.items()


@frozen
class Sighting:
    """A game that showed a mistake: it comes again from its seed, with everybody answering at random."""

    fault: Fault
    setting: Setting
    seed: int
    decisions: int


@frozen
class Lost:
    """Games in one setting, those of them that came to no end, and the seed of the first of these."""

    setting: Setting
    games: int
    unfinished: int
    seed: int


@frozen
class Hunted:
    """What came of a hunt: how many games were played, how many of them were stopped by the limit of decisions, and the
    mistakes, each with the smallest game that showed it, in the order in which they were found; what ran, and for how
    many players under which house rules. `endless` are the numbers of the games that were stopped.
    """

    games: int
    endless: tuple[int, ...]
    sightings: tuple[Sighting, ...]
    counts: Counts = field(factory=dict)
    settings: tuple[Setting, ...] = ()
    lost: tuple[Lost, ...] = ()


@frozen
class _Round:
    """Games under the same house rules."""

    options: dict[str, Settled]
    players: tuple[int, ...]
    games: int


@frozen
class _Game:
    """A game to play; `is_first` if none before it has its setting."""

    number: int
    setting: Setting
    seed: int
    is_first: bool


@frozen
class _Hunt:
    """What every process knows."""

    rulebook: ir.Rulebook
    seed: int
    rounds: tuple[_Round, ...]

    @property
    def games(self) -> int:
        return sum(one.games for one in self.rounds)

    def game(self, number: int) -> _Game:
        """Find what is played by the number of the game."""
        left = number
        for one in self.rounds:
            if left < one.games:
                players = one.players[left % len(one.players)]
                return _Game(number, Setting(players, one.options), self.seed + left, left < len(one.players))
            left -= one.games
        raise IndexError(f"there are {self.games} games, and no number {number}")


@frozen(eq=False)
class Programs:
    """The programs of a game, each made when first asked for."""

    rulebook: ir.Rulebook
    coverage: Coverage | None = None
    _made: dict[tuple[object, ...], Program] = field(factory=dict, init=False, repr=False)
    _cores: dict[tuple[object, ...], Core | None] = field(factory=dict, init=False, repr=False)

    def of(self, setting: Setting) -> Program:
        if setting.key not in self._made:
            self._made[setting.key] = lower(self.rulebook, setting.players, setting.options, self.coverage)
        return self._made[setting.key]

    def core_of(self, setting: Setting) -> Core | None:
        """The core with that program, if there is one that can play it."""
        if setting.key not in self._cores:
            found = core_of(self.of(setting))
            self._cores[setting.key] = found if isinstance(found, Core) else None
        return self._cores[setting.key]


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
    found = Hunted(0, (), ())
    for piece in in_pieces(_ready, setting, setting.games, max(1, jobs)):
        sightings = _keep_smallest(rulebook, [*found.sightings, *piece.sightings])
        counts = {key: found.counts.get(key, 0) + times for key, times in piece.counts.items()}
        games, endless = found.games + piece.games, found.endless + piece.endless
        found = Hunted(games, endless, sightings, found.counts | counts)
        if on_progress is not None:
            on_progress(found.games, setting.games)
    settings = tuple(Setting(number, one.options) for one in setting.rounds for number in one.players)
    return evolve(found, settings=settings, lost=tuple(_count_lost(setting, found.endless)))


def _count_lost(hunted: _Hunt, endless: Sequence[int]) -> Iterator[Lost]:
    """Count by setting the games that came to no end."""
    played = Counter(hunted.game(number).setting.key for number in range(hunted.games)) if endless else Counter()
    for key, stopped in _by_setting(map(hunted.game, endless)).items():
        yield Lost(stopped[0].setting, played[key], len(stopped), stopped[0].seed)


def _by_setting(games: Iterable[_Game]) -> dict[tuple[object, ...], list[_Game]]:
    """Sort games by what is played in them."""
    found: dict[tuple[object, ...], list[_Game]] = {}
    for one in games:
        found.setdefault(one.setting.key, []).append(one)
    return found


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
        watched, endless = list[_Game](), set[int]()
        for several in _by_setting(map(setting.game, games)).values():
            core = programs.core_of(several[0].setting)
            if core is None:
                watched += several
                continue
            again, stopped = _play_in_core(core, several)
            coverage.add_counted(core.take_counts())
            endless |= stopped
            watched += [one for one in several if one.is_first or one.number in again]
        found = []
        for one in sorted(watched, key=lambda one: one.number):
            course = at_random(programs.of(one.setting), one.seed, one.setting.names, HastyGame)
            if course.error is not None:
                found.append(Sighting(fault_of(course.error), one.setting, one.seed, len(course.entries)))
            elif not course.finished:
                endless.add(one.number)
        sightings = _keep_smallest(setting.rulebook, found)
        return Hunted(len(games), tuple(sorted(endless)), sightings, coverage.counts())

    return play


def _play_in_core(core: Core, games: Sequence[_Game]) -> tuple[set[int], set[int]]:
    """Play games of one setting; find those, by number, for the machine to play again, and those without an end."""
    told, players = core.play_games(array("Q", [one.seed % 2**64 for one in games])), core.program.players
    again, endless = set[int](), set[int]()
    for at, one in enumerate(games):
        row = told[at * (SEATS + 3 * players) :][: SEATS + 3 * players]
        if row[WHY] or (core.program.zero_sum is not None and row[ENDING] != UNFINISHED and sum(row[-players:])):
            again.add(one.number)
        elif row[ENDING] == UNFINISHED:
            endless.add(one.number)
    return again, endless
