"""Random games of a wrapped rulebook, in many settings, and each mutant of them until somebody would notice.

In: a rulebook, house rules, a number of games. Out: `Played`, all that was noted, of all settings together. Never: says
what any of it means; plays on where most games come to no end.

The settings are the least, the middle and the most players under the house rules that are given, and the middle number
under each other choice of each house rule; of a range both ends. All of it has an end: work is counted, not time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import add
from typing import Any

from attrs import define, field

from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.options import Settled, settle_options
from rulebook.interpreter.core.door import RESULTS, Core, core_of
from rulebook.interpreter.core.watching import Lay, Values, Watching
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.lower import lower
from rulebook.interpreter.ops import asking
from rulebook.interpreter.program import Program
from rulebook.playtest.ablation.wrapping import STYLE, Mutant, Role, Wrapped, wrap
from rulebook.playtest.settings import Setting, others

GAMES = 200
"""The games of a setting below which nothing is said: of fewer, what is rare looks as if it were not there."""
_SCOUTS = 20
"""The first games of a setting: where most of them come to no end, no more are played."""
_TRIED, _TRIED_OTHERWISE = 100, 30
"""The games of a setting that are played again with one mutant, of those in which it matters; under other house rules
than are given fewer."""
_PART_FOR_THE_LIST = 3
"""The part of these games, one of so many, that is enough for a mutant that would only be listed."""
_MOST_OF_GAMES, _MOST_OF_A_MUTANT, _MOST_WORK = 100_000_000, 100_000_000, 1_000_000_000
"""Bounds of the work of the games of one setting as they are, of one mutant of them, and of all together."""
_LEAST_OF_GAMES = 5_000_000
"""The bound of the work of games under other house rules, where those of the first setting were less."""
_UNFINISHED, _RANKED = RESULTS.index("unfinished"), RESULTS.index("rank")


@define
class Noted:
    """The values that something had, in all settings together; `varied` if they differed in one of them."""

    times: int = 0
    differs: int = 0
    none: int = 0
    yes: int = 0
    least: int | None = None
    most: int | None = None
    varied: bool = False
    sequences: tuple[int, ...] = ()
    first: int = 0

    @property
    def is_one(self) -> bool:
        """True if it was always the same."""
        return bool(self.times) and not self.differs

    def include_setting(self, row: Values) -> None:
        """Add what was noted in another setting."""
        if not row.times:
            return
        if not self.times:
            self.first = row.first
        self.differs += row.differs if row.first == self.first else row.times
        self.times += row.times
        self.none += row.none
        self.yes += row.yes
        self.varied = self.varied or bool(row.differs)
        self.sequences = (*self.sequences, row.sequence)
        if row.least <= row.most:
            self.least = row.least if self.least is None else min(self.least, row.least)
            self.most = row.most if self.most is None else max(self.most, row.most)


@define
class Asked:
    """A name that somebody chooses: how often something could be chosen, how often nothing, how often somebody was
    asked for it, how often there was another answer, and whether that was ever noticed.
    """

    open: int = 0
    shut: int = 0
    asked: int = 0
    otherwise: int = 0
    is_noticed: bool = False
    is_tried: bool = True


@define
class Played:
    """All that was noted. `least` and `most` are players; `unfinished` games came to no end, `stopped` ones went wrong,
    those that were `ranked`, `won` by nobody, and won by all at once for all were equal, are of those that are `over`;
    `untried` are mutants for which there was too much work, `work_of_first` is that of the first setting as it is.
    """

    wrapped: Wrapped
    games: int = 0
    least: int = 0
    most: int = 0
    unfinished: int = 0
    stopped: int = 0
    over: int = 0
    ranked: int = 0
    won_by_nobody: int = 0
    won_by_all: int = 0
    left_out: int = 0
    reached: list[int] = field(factory=list)
    mattered: list[int] = field(factory=list)
    empty: list[int] = field(factory=list)
    noticed: set[int] = field(factory=set)
    untried: set[int] = field(factory=set)
    values: list[Noted] = field(factory=list)
    choices: dict[tuple[At | None, str], Asked] = field(factory=dict)
    piles: dict[str, Lay] = field(factory=dict)
    filled: set[str] = field(factory=set)
    used: set[str] = field(factory=set)
    alike: dict[tuple[str, Settled], int] = field(factory=dict)
    """The games in which nobody could notice that a house rule had another choice."""
    work: int = 0
    work_of_first: int = 0

    @property
    def is_sound(self) -> bool:
        """True if games came to their end: of others nothing is said."""
        return bool(self.games) and 2 * (self.unfinished + self.stopped) <= self.games


def ablate(
    rulebook: ir.Rulebook, games: int = GAMES, seed: int = 0, options: Mapping[str, Settled] | None = None,
    most_work: int = _MOST_WORK, on_setting: Callable[[Played, int, int], None] = lambda played, done, settings: None,
) -> Played | None:  # fmt: skip
    """Play a rulebook and its mutants. `on_setting` is told after each setting how many are played, and of how many.
    None where there is no core that can.
    """
    plain = settle_options(rulebook.options, {}, rulebook.units)[0] if options is None else dict(options)
    wrapped = wrap(rulebook)
    played = Played(wrapped)
    played.reached, played.mattered, played.empty = ([0] * len(wrapped.mutants) for _ in range(3))
    played.values = [Noted() for _ in wrapped.sites]
    settings, first, alike = [*list_settings(rulebook, plain)], None, dict[int, Program]()
    for done, setting in enumerate(settings, 1):
        if played.work > most_work:
            played.left_out += 1
            continue
        try:
            like = alike.get(setting.players)
            program = lower(wrapped.rulebook, setting.players, setting.options, marks=wrapped.marks, like=like)
        except BadSetup:
            continue
        alike.setdefault(setting.players, program)
        core = core_of(program)
        if isinstance(core, str):
            return None
        is_plain = setting.options == plain
        sample = _TRIED if is_plain else _TRIED_OTHERWISE
        most_of_games = _MOST_OF_GAMES if is_plain else max(_LEAST_OF_GAMES, played.work_of_first)
        many = games if is_plain else games // 2
        watching = _play_setting(played, core, many, sample, seed, most_of_games, most_work)
        if not played.is_sound:
            break
        first = first or watching
        if not is_plain and first.core.program.players == setting.players and first.is_like(watching):
            ((name, value),) = setting.options.items() - plain.items()
            played.alike[name, value] = watching.games
        on_setting(played, done, len(settings))
    return played


def list_settings(rulebook: ir.Rulebook, options: Mapping[str, Settled]) -> Iterator[Setting]:
    """List the settings, those first that say most."""
    players = list_numbers(rulebook, options)
    few = dict.fromkeys((players[len(players) // 2], players[0], players[-1])) if players else ()
    yield from (Setting(number, dict(options)) for number in few)
    for other in (*others(rulebook, options), *_list_extremes(rulebook, options)):
        if players := list_numbers(rulebook, other):
            yield Setting(players[len(players) // 2], other)


def _list_extremes(rulebook: ir.Rulebook, options: Mapping[str, Settled]) -> Iterator[dict[str, Settled]]:
    for name, option in rulebook.options.items():
        ends = (option.low, option.high) if option.choices is None and isinstance(options[name], int) else ()
        yield from ({**options, name: end} for end in ends if end is not None and end != options[name])


def _play_setting(
    played: Played, core: Core, games: int, sample: int, seed: int, most_of_games: int, most_work: int
) -> Watching:
    """Play the games of one setting, and those mutants that nobody has noticed yet."""
    program, wrapped = core.program, played.wrapped
    watching = _watch(core, wrapped, games if played.games else min(games, _SCOUTS), seed, most_of_games)
    lost = sum(result in (0, _UNFINISHED) for result, _ in watching.endings)
    if watching.games == _SCOUTS < games and 2 * lost < _SCOUTS:
        watching = _watch(core, wrapped, games, seed, most_of_games)
    played.work += watching.work
    played.work_of_first = played.work_of_first or watching.work
    _add_games(played, program, watching)
    # Where a no was noticed already, a yes is only listed; it seldom is the other way round.
    for mutant in sorted(wrapped.mutants, key=lambda mutant: mutant.instead == "yes"):
        number = mutant.number
        played.reached[number] += watching.reached[number]
        played.mattered[number] += watching.mattered[number]
        played.empty[number] += watching.empty[number]
        if watching.mattered[number] and number not in played.noticed and number not in wrapped.same:
            most_games = sample if _may_be_told(played, mutant) else sample // _PART_FOR_THE_LIST
            game = _try(played, watching, number, most_games, most_work)
            if game is None:
                played.untried.add(number)
            elif game < watching.games:
                played.noticed.add(number)
    for settled in (played.noticed, played.untried):
        settled.update(number for number, same in wrapped.same.items() if same in settled)
    for pick, name in _find_picks(core).items():
        row, asked = watching.find_offers(pick), played.choices.setdefault(name, Asked())
        asked.open, asked.shut, asked.asked = asked.open + row.open, asked.shut + row.shut, asked.asked + row.asked
        number = watching.mutants + pick
        asked.otherwise += watching.mattered[number]
        if watching.mattered[number] and not asked.is_noticed:
            game = _try(played, watching, number, sample, most_work)
            asked.is_tried = asked.is_tried and game is not None
            asked.is_noticed = game is not None and game < watching.games
    return watching


def _may_be_told(played: Played, mutant: Mutant) -> bool:
    """Tell whether a mutant that nobody notices may be told, and not only listed."""
    site, both = mutant.site, played.wrapped.mutants_at[mutant.site.number]
    if site.role is None:
        return not isinstance(site.node, STYLE)
    return site.role is Role.KEY or (len(both) == 2 and not any(other.number in played.noticed for other in both))


def _watch(core: Core, wrapped: Wrapped, games: int, seed: int, most: int) -> Watching:
    watching = Watching(core, len(wrapped.sites), len(wrapped.mutants), games, seed)
    watching.follow_games(most)
    return watching


def _try(played: Played, watching: Watching, mutant: int, sample: int, most_work: int) -> int | None:
    game = watching.find_notice(mutant, sample, min(_MOST_OF_A_MUTANT, most_work - played.work))
    played.work += watching.work
    return game


def _add_games(played: Played, program: Program, watching: Watching) -> None:
    """Add what was noted of the games of one setting."""
    everyone = (1 << program.players) - 1
    played.games += watching.games
    played.least = min(played.least or program.players, program.players)
    played.most = max(played.most, program.players)
    for result, winners in watching.endings:
        played.unfinished += result == _UNFINISHED
        played.stopped += result == 0
        if result not in (0, _UNFINISHED):
            played.over += 1
            played.ranked += result == _RANKED
            played.won_by_nobody += winners == 0
            played.won_by_all += result == _RANKED and winners == everyone
    for site, noted in enumerate(played.values):
        noted.include_setting(watching.find_values(site))
    for number, place in enumerate(program.layout.places):
        if watching.filled[number]:
            played.filled.add(place.name)
        lay = watching.find_lay(number)
        played.piles[place.name] = Lay(*map(add, lay, played.piles.get(place.name, (0,) * len(lay))))
    for card, id in enumerate(program.definition):
        if watching.used[card]:
            played.used.add(id)


def _find_picks(core: Core) -> dict[int, tuple[At | None, str]]:
    """Find the place and name of each pick of a core."""
    numbers_of, names = {id(pick): number for number, pick in enumerate(core.picks)}, dict[int, Any]()
    for code in core.program.codes:
        for pc, step in enumerate(code.steps):
            for pick in step["choice"].picks if step.does(asking.choose) else ():
                if id(pick) in numbers_of:
                    names[numbers_of[id(pick)]] = code.ats[pc], pick.name
    return names
