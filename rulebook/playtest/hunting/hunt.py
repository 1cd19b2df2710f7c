"""Many random games, to find what goes wrong in play; the same games however many processes there are.

Every number of players gets its games under the rules as they are if nobody says otherwise; every other choice of a
house rule gets as many, in which the numbers of players take turns.

The core plays them. The machine plays the first game of each number of players under each choice, to hold its promises,
and again what stopped in the core, to say what went wrong and where; all of them where there is no core.

All of it has an end: work is counted, not time, so that the same is found on every computer.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.options import Settled, settle_options
from rulebook.interpreter.core.door import ENDING, RESULTS, SEATS, WHY, WORK, Core
from rulebook.interpreter.decisions import BadSetup, Endless, RuleError
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.playtest.hunting.inspection import Course, Fault, HastyGame, at_random, fault_of, find_core
from rulebook.playtest.pieces import Worker
from rulebook.playtest.settings import Setting, changed, others
from rulebook.playtest.sharing import in_pieces

RUNNING, UNFINISHED = RESULTS.index(""), RESULTS.index("unfinished")

_SCOUTS = 5
"""The first games of each setting, which tell whether others are worth playing."""
_MOST_WORK, _LEAST_WORK = 10_000_000, 1_000_000
"""Bounds of the work of one game: the most is a quarter of a second of the core, a thousand times a bundled game."""
_MOST_BY_MACHINE, _SLOWER = 200_000, 100
"""The same where there is no core: two seconds of the machine, in which a unit of work takes so much longer."""
_TIMES_THE_LONGEST = 20
"""The work that a game may do, as a multiple of the longest of the first ones that came to their end."""
_IN_VAIN = 15_000_000
"""The work spent on games of a setting that come to no end before no more of them are played."""
_LOST = 2
"""The settings in which no game comes to its end, before no others are tried."""
_LOOKED_AT, _LOOKED_AT_IN_VAIN = 12_000, 5_000
"""The work of a game that the machine checks step by step; less of the first without an end, none of others such."""
_MOST_LOOKED_AT_AGAIN, A_GAME = 50_000, 500
"""The work spent on replaying games that stopped, to say why; and the fixed cost of each of them."""


@frozen
class Sighting:
    """A game that showed a mistake, with everybody answering at random."""

    fault: Fault
    setting: Setting
    course: Course


@frozen
class Misfit:
    """A setting for which the game cannot be laid out, and the mistake that shows in it."""

    fault: Fault
    setting: Setting


@frozen
class Lost:
    """Games of one setting that came to no end, of all its `games`, with the seed of the first; `too_long` of them were
    left before the limit of decisions.
    """

    setting: Setting
    games: int
    unfinished: int
    seed: int
    too_long: int = 0


@frozen
class Hunted:
    """The result of a hunt: the number of games played, and the mistakes, each with the smallest game that showed it,
    in the order in which they were found. `endless` are the numbers of the games that were stopped by the limit of
    decisions, `too_long` of those left in the middle because of all that is done in them; `left_out` is how many were
    not played, since those before came to no end; `misfits` are the settings for which the game cannot be laid out.
    """

    games: int
    endless: tuple[int, ...]
    sightings: tuple[Sighting, ...]
    lost: tuple[Lost, ...] = ()
    too_long: tuple[int, ...] = ()
    left_out: int = 0
    misfits: tuple[Misfit, ...] = ()


@frozen
class _Round:
    """Games under the same house rules."""

    options: dict[str, Settled]
    players: tuple[int, ...]
    games: int


@frozen
class _Game:
    """A game to play; `rank` is how many before it have its setting."""

    number: int
    setting: Setting
    seed: int
    rank: int


@frozen
class _Played:
    """Games that were played by whoever counts: those without an end, those too long, those that went wrong."""

    numbers: tuple[int, ...] = ()
    endless: tuple[int, ...] = ()
    too_long: tuple[int, ...] = ()
    stopped: tuple[tuple[int, int], ...] = ()
    """Each with its number of decisions."""
    most: int = 0
    """The most work of a game that came to its end."""
    in_vain: int = 0
    """The work of all games that came to no end, added up."""

    def __add__(self, more: _Played) -> _Played:
        return _Played(
            self.numbers + more.numbers,
            self.endless + more.endless,
            self.too_long + more.too_long,
            self.stopped + more.stopped,
            max(self.most, more.most),
            self.in_vain + more.in_vain,
        )


@frozen
class _Hunt:
    """The job that every process is given. `chosen` are the numbers of the games to play now, `bounds` the most work
    of one game, by setting.
    """

    programs: Programs
    seed: int
    rounds: tuple[_Round, ...]
    chosen: tuple[int, ...] = ()
    bounds: Mapping[tuple[object, ...], int] = field(factory=dict)

    @property
    def games(self) -> int:
        return sum(one.games for one in self.rounds)

    def game(self, number: int) -> _Game:
        """Find what is played by the number of the game."""
        left = number
        for one in self.rounds:
            if left < one.games:
                players = one.players[left % len(one.players)]
                return _Game(number, Setting(players, one.options), self.seed + left, left // len(one.players))
            left -= one.games
        raise IndexError(f"there are {self.games} games, and no number {number}")


@frozen(eq=False)
class Programs:
    """The programs of a game, each made when first asked for; another process makes its own."""

    rulebook: ir.Rulebook
    _made: dict[tuple[object, ...], Program] = field(factory=dict, init=False, repr=False)

    def __reduce__(self) -> tuple[type[Programs], tuple[ir.Rulebook]]:
        return Programs, (self.rulebook,)

    def of(self, setting: Setting) -> Program:
        if setting.key not in self._made:
            self._made[setting.key] = lower(self.rulebook, setting.players, setting.options)
        return self._made[setting.key]

    def find_misfit(self, setting: Setting) -> Fault | None:
        """The mistake for which the game cannot be laid out in a setting that is not forbidden."""
        try:
            self.of(setting)
        except BadSetup as misfit:
            assert isinstance(misfit.__cause__, RuleError), "a setting that is not forbidden"
            return fault_of(misfit.__cause__)
        return None

    def core_of(self, setting: Setting) -> Core | None:
        """The core with that program, if there is one that can play it."""
        return find_core(self.of(setting))


def planned(rulebook: ir.Rulebook, games: int, vary: bool, options: Mapping[str, Settled] | None = None) -> int:
    return sum(one.games for one in _rounds(rulebook, games, vary, options))


def hunt(
    programs: Programs,
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
    rulebook = programs.rulebook
    rounds, misfits = _lay_out(programs, _rounds(rulebook, games, vary, options))
    plan = _Hunt(programs, seed, rounds)
    every, progress = [plan.game(number) for number in range(plan.games)], on_progress or (lambda done, games: None)
    played, rest = _scout(plan, every, progress)
    for piece in in_pieces(_ready, rest, len(rest.chosen), max(1, jobs)):
        played += piece
        progress(len(played.numbers), plan.games)
    endless = tuple(sorted(played.endless))
    return Hunted(
        len(played.numbers),
        endless,
        _keep_smallest(rulebook, _look(programs, rest, every, played)),
        tuple(_count_lost(every, played)),
        tuple(sorted(played.too_long)),
        plan.games - len(played.numbers),
        misfits,
    )


def _lay_out(programs: Programs, rounds: Iterable[_Round]) -> tuple[tuple[_Round, ...], tuple[Misfit, ...]]:
    """Leave out of the rounds those numbers of players for which the game cannot be laid out."""
    fitting, misfits = list[_Round](), list[Misfit]()
    for one in rounds:
        players = list[int]()
        for number in one.players:
            setting = Setting(number, one.options)
            fault = programs.find_misfit(setting)
            if fault is None:
                players.append(number)
            else:
                misfits.append(Misfit(fault, setting))
        if players:
            fitting.append(evolve(one, players=tuple(players)))
    return tuple(fitting), tuple(misfits)


def _scout(plan: _Hunt, every: Sequence[_Game], progress: Callable[[int, int], None]) -> tuple[_Played, _Hunt]:
    """Play the first games of each setting; where none comes to its end, the others of it are not played, and where too
    much was done in vain, or several settings are so, no more at all. Give what came of it, and what is left to play.
    """
    play, played, bounds = _make_player(plan.programs), _Played(), dict[tuple[object, ...], int]()
    for tried, (key, several) in enumerate(_by_setting(every).items()):
        if played.in_vain > _IN_VAIN or tried - len(bounds) == _LOST:
            break
        here = _Played()
        for one in several[:_SCOUTS]:
            if played.in_vain + here.in_vain > _IN_VAIN:
                break
            here += play([one], _MOST_WORK)
        played += here
        progress(len(played.numbers), plan.games)
        if len(here.numbers) > len(here.endless) + len(here.too_long):
            bounds[key] = min(_MOST_WORK, max(_LEAST_WORK, _TIMES_THE_LONGEST * here.most))
    left = [one.number for one in every if one.rank >= _SCOUTS and one.setting.key in bounds]
    return played, evolve(plan, chosen=tuple(left), bounds=bounds)


def _look(programs: Programs, plan: _Hunt, every: Sequence[_Game], played: _Played) -> Iterator[Sighting]:
    """Let the machine play the first game of each setting, and games that stopped, to say what went wrong; of these at
    least one of each setting, the shortest first.
    """
    left, stopped = _MOST_LOOKED_AT_AGAIN, dict(played.stopped)
    lost = [key for key in _by_setting(every) if key not in plan.bounds]
    for key, games in _by_setting(every).items():
        first = games[0]
        # Of games in which more is done than that, one alone would take the machine many seconds.
        is_heavy = plan.bounds.get(key, 0) > _LEAST_WORK
        is_new = first.number not in stopped and key not in lost[1:] and not is_heavy
        if is_new and programs.core_of(first.setting) is not None:
            most = _LOOKED_AT_IN_VAIN if key in lost else _LOOKED_AT
            course = _watch(programs, first, most)
            # One that the core has played to its end goes round nowhere.
            yield from () if isinstance(course.error, Endless) else _sight(first, course)
        again = [game for game in games if game.number in stopped]
        again.sort(key=lambda one: (stopped[one.number], one.number))
        for rank, one in enumerate(again):
            if rank and left <= 0:
                break
            course = _watch(programs, one)
            left -= course.work + A_GAME
            yield from _sight(one, course)


def _watch(programs: Programs, one: _Game, most: int | None = None) -> Course:
    return at_random(programs.of(one.setting), one.seed, one.setting.names, HastyGame, most=most)


def _sight(one: _Game, course: Course) -> Iterator[Sighting]:
    if course.error is not None:
        yield Sighting(fault_of(course.error), one.setting, course)


def _count_lost(every: Sequence[_Game], played: _Played) -> Iterator[Lost]:
    """Count by setting the games that came to no end."""
    lost, games = sorted((*played.endless, *played.too_long)), Counter(every[one].setting.key for one in played.numbers)
    for key, stopped in _by_setting(every[number] for number in lost).items():
        too_long = sum(one.number in played.too_long for one in stopped)
        yield Lost(stopped[0].setting, games[key], len(stopped), stopped[0].seed, too_long)


def _by_setting(games: Iterable[_Game]) -> dict[tuple[object, ...], list[_Game]]:
    """Sort games by what is played in them."""
    found: dict[tuple[object, ...], list[_Game]] = {}
    for game in games:
        found.setdefault(game.setting.key, []).append(game)
    return found


def _rounds(rulebook: ir.Rulebook, games: int, vary: bool, options: Mapping[str, Settled] | None) -> Iterator[_Round]:
    plain = settle_options(rulebook.options, {}, rulebook.units)[0] if options is None else dict(options)
    for players in list_numbers(rulebook, plain):
        yield _Round(plain, (players,), games)
    for other in others(rulebook, plain) if vary else ():
        if can_play := list_numbers(rulebook, other):
            yield _Round(other, can_play, max(games, len(can_play)))


def _keep_smallest(rulebook: ir.Rulebook, sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
    """Keep the smallest game that shows each mistake, and of equal ones the first."""
    found: dict[Fault, Sighting] = {}
    for sighting in sightings:
        found[sighting.fault] = min(found.get(sighting.fault, sighting), sighting, key=lambda one: _size(rulebook, one))
    return tuple(found.values())


def _size(rulebook: ir.Rulebook, sighting: Sighting) -> tuple[int, int, int]:
    return sighting.setting.players, len(changed(rulebook, sighting.setting.options)), len(sighting.course.entries)


def _ready(plan: _Hunt) -> Worker[_Played]:
    play = _make_player(plan.programs)

    def play_some(places: range) -> _Played:
        played = _Played()
        for key, several in _by_setting(plan.game(plan.chosen[place]) for place in places).items():
            played += play(several, plan.bounds[key])
        return played

    return play_some


def _make_player(programs: Programs) -> Callable[[Sequence[_Game], int], _Played]:
    """Make who plays games of one setting, so much of each; by the machine where there is no core."""

    def play(games: Sequence[_Game], bound: int) -> _Played:
        core = programs.core_of(games[0].setting)
        if core is None:
            return reduce(add, (_play_by_machine(programs, game, min(bound, _MOST_BY_MACHINE)) for game in games))
        core.bound_work(bound)
        return _play_in_core(core, games)

    return play


def _play_by_machine(programs: Programs, one: _Game, bound: int) -> _Played:
    course = at_random(programs.of(one.setting), one.seed, one.setting.names, HastyGame, most=bound)
    number, work = (one.number,), course.work
    if course.error is not None:
        return _Played(number, stopped=((one.number, len(course.entries)),))
    if course.finished:
        return _Played(number, most=work)
    if course.is_cut:
        return _Played(number, too_long=number, in_vain=_SLOWER * work)
    return _Played(number, endless=number, in_vain=_SLOWER * work)


def find_stopped(programs: Programs, setting: Setting, seeds: Sequence[int]) -> Sequence[int]:
    """The seeds of random games that stop in the core, the shortest game first; all of them where there is none."""
    core = programs.core_of(setting)
    if core is None:
        return seeds
    core.bound_work(_MOST_WORK)
    played = _play_in_core(core, [_Game(at, setting, seed, at) for at, seed in enumerate(seeds)])
    return [seeds[number] for number, _ in sorted(played.stopped, key=lambda game: game[1])]


def _play_in_core(core: Core, games: Sequence[_Game]) -> _Played:
    told, players = core.play_games(array("Q", [game.seed % 2**64 for game in games])), core.program.players
    endless, too_long, stopped, works, in_vain = list[int](), list[int](), list[tuple[int, int]](), [0], 0
    for at, one in enumerate(games):
        row = told[at * (SEATS + 3 * players) :][: SEATS + 3 * players]
        is_whole = row[ENDING] not in (RUNNING, UNFINISHED)
        if row[WHY] or (core.program.zero_sum is not None and is_whole and sum(row[-players:])):
            stopped.append((one.number, sum(row[SEATS : SEATS + players])))
        elif is_whole:
            works.append(row[WORK])
        else:
            (endless if row[ENDING] == UNFINISHED else too_long).append(one.number)
            in_vain += row[WORK]
    numbers = tuple(game.number for game in games)
    return _Played(numbers, tuple(endless), tuple(too_long), tuple(stopped), max(works), in_vain)
