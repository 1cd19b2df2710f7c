"""Many games at once, played by bots, and what is counted of them.

In: a game, how many players, how many games, a seed, house rules, bots. Out: a `Summary`: the same numbers
for the same seed, however many processes share the work. Never: prints, keeps a game, or goes on after a game
that crashed.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import mean, median
from typing import Any

from attrs import field, frozen

from rulebook.dsl import ir
from rulebook.dsl.options import Settled
from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.decisions import Decision, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import check_zero_sum, outcome
from rulebook.interpreter.state import COUNTS
from rulebook.loading import load
from rulebook.playtest.bots import BadSpec, check_spec, is_command, make_bot
from rulebook.playtest.coverage import Counts, Coverage
from rulebook.playtest.partners import TIMEOUT, seated
from rulebook.playtest.settings import changed
from rulebook.playtest.sharing import Worker, in_pieces

__all__ = ["BrokenGame", "GameCrashed", "Summary", "game_seed", "simulate"]

Progress = Callable[[int, int], None]
"""Called now and then with how many games are played, and how many there will be."""

_SEEDS = 2**53
"""Seeds are exact in JSON, wherever it is read."""


class BrokenGame(Exception):
    """The game cannot be loaded; `rulebook validate` says what is wrong with it."""


class GameCrashed(Exception):
    """A game came to no end; the sentence says which one, why, and how to see it again."""

    def __init__(self, seed: int, reason: str, replay: str) -> None:
        super().__init__(seed, reason, replay)
        self.seed, self.reason, self.replay = seed, reason, replay

    def __str__(self) -> str:
        return f"The game with seed {self.seed} stopped: {self.reason} To see it again: {self.replay}"


@frozen
class Summary:
    """What was counted. `wins` are by seat; players who share the first place share the win. `length` is in decisions.

    `unfinished` games were ended by the limit of decisions; they count as they stood.
    """

    game: str
    variants: tuple[str, ...]
    players: int
    games: int
    seed: int
    decisions: int
    seconds: float
    wins: tuple[float, ...]
    length: dict[str, float]
    unfinished: int = 0
    bots: tuple[str, ...] = ()
    options: dict[str, Settled] = field(factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One plain object; `seconds` is the only number that another run does not give again."""
        return {
            "game": self.game,
            "variants": list(self.variants),
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "wins": list(self.wins),
            "length": self.length,
            "unfinished": self.unfinished,
        }


@frozen
class _Setting:
    """What every game of a simulation has in common."""

    rulebook: ir.Rulebook
    players: int
    seed: int
    options: dict[str, Settled]
    bots: tuple[str, ...]
    timeout: float = TIMEOUT
    covers: bool = False


@frozen
class _Played:
    """One game: its decisions, who shares the first place, whether it came to an end."""

    decisions: int
    first: tuple[int, ...]
    finished: bool


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of a simulation; games are counted from 0."""
    return Source(seed, f"game:{number}").below(_SEEDS)


def simulate(
    game: ir.Rulebook | Path,
    players: int,
    games: int,
    seed: int,
    options: Mapping[str, Settled] | None = None,
    bots: Sequence[str] = ("random",),
    jobs: int = 1,
    on_progress: Progress | None = None,
    timeout: float = TIMEOUT,
    coverage: Coverage | None = None,
) -> Summary:
    """Play the games and count. `options` are settled; fewer bots than players are repeated in turn. `timeout` is for
    programs that play: the seconds for one answer. `coverage`, of the same rulebook, is told what ran.

    Raises BadSpec, BadSetup or BrokenGame before the first game, GameCrashed if one stops.
    """
    rulebook = _loaded(game) if isinstance(game, Path) else game
    for spec in bots:
        check_spec(spec)
    specs = tuple(bots[seat % len(bots)] for seat in range(players))
    setting = _Setting(rulebook, players, seed, dict(options or {}), specs, timeout, coverage is not None)
    started = time.perf_counter()
    table = _Table(setting, coverage)
    if coverage is not None:
        coverage.played(table.program.options)
    played: list[_Played] = []
    ready = _ready if jobs > 1 else lambda _: table.here
    for some, counts in in_pieces(ready, setting, games, max(1, jobs)):
        played += some
        if coverage is not None:
            coverage.add(counts)
        if on_progress is not None:
            on_progress(len(played), games)
    return _count(setting, played, time.perf_counter() - started)


def _loaded(path: Path) -> ir.Rulebook:
    rulebook, found = load(path)
    if rulebook is None:
        raise BrokenGame(f"{path} has {sum(one.severity == 'error' for one in found)} mistakes.")
    return rulebook


def _count(setting: _Setting, played: Sequence[_Played], seconds: float) -> Summary:
    wins = [Fraction()] * setting.players
    for one in played:
        for seat in one.first:
            wins[seat] += Fraction(1, len(one.first))
    lengths = [one.decisions for one in played] or [0]
    return Summary(
        game=setting.rulebook.id,
        variants=setting.rulebook.variants,
        players=setting.players,
        games=len(played),
        seed=setting.seed,
        decisions=sum(one.decisions for one in played),
        seconds=seconds,
        wins=tuple(float(won) for won in wins),
        length={
            "min": min(lengths),
            "median": median(lengths),
            "mean": float(mean(lengths)),
            "max": max(lengths),
        },
        unfinished=sum(not one.finished for one in played),
        bots=setting.bots,
        options=setting.options,
    )


def _ready(setting: _Setting) -> Worker[tuple[list[_Played], Counts]]:
    """A table of its own, for another process."""
    return _Table(setting, Coverage(setting.rulebook) if setting.covers else None).apart


class _Table:
    """Where one process plays its games."""

    def __init__(self, setting: _Setting, coverage: Coverage | None) -> None:
        self.setting, self.coverage = setting, coverage
        self.program: Program = lower(setting.rulebook, setting.players, setting.options, coverage)
        # Who plays at random looks at nothing, so that nothing need be told.
        self.machine: Machine = BlindMachine(self.program) if coverage is None else Machine(self.program)

    def here(self, numbers: range) -> tuple[list[_Played], Counts]:
        """The games with these numbers, in order; what ran is told to the coverage as it runs."""
        return [self._game(game_seed(self.setting.seed, number)) for number in numbers], {}

    def apart(self, numbers: range) -> tuple[list[_Played], Counts]:
        """The same, and what ran in these games alone."""
        if self.coverage is None:
            return self.here(numbers)
        self.coverage.forget()
        played, _ = self.here(numbers)
        return played, self.coverage.counts()

    def _game(self, seed: int) -> _Played:
        try:
            if any(map(is_command, self.setting.bots)):
                return self._with_programs(seed)
            try:
                return self._to_the_end(seed, self.machine)
            except (RuleError, RecursionError):
                # Printed rules say what went wrong, and the machine also where. If it finds nothing, they are wrong.
                self._to_the_end(seed, Machine(self.program))
                raise
        except BadSpec:
            raise
        except Exception as error:
            raise GameCrashed(seed, _sentence(error), self._replay(seed)) from error

    def _to_the_end(self, seed: int, machine: Machine) -> _Played:
        bots = [make_bot(spec, seed, seat) for seat, spec in enumerate(self.setting.bots)]
        state = machine.new_state(seed)
        while isinstance(machine.advance(state), Decision):
            for seat in machine.waiting(state)[:1]:
                machine.answer_value(state, seat, bots[seat].value(machine, state, seat))
        standing = outcome(self.program, state, machine.names)
        check_zero_sum(self.program, standing)
        return _Played(sum(state[COUNTS][: self.setting.players]), standing.winners, standing.finished)

    def _with_programs(self, seed: int) -> _Played:
        """The same, where programs play that must be told what happens; every game starts its own."""
        names = [f"Bot {seat + 1}" for seat in range(self.setting.players)]
        game = Game(self.program, seed, names)
        specs = dict(enumerate(self.setting.bots))
        bots = {seat: make_bot(spec, seed, seat) for seat, spec in specs.items() if not is_command(spec)}
        programs = {seat: spec for seat, spec in specs.items() if is_command(spec)}
        with seated(game, programs, self.setting.timeout) as partners:
            while (decision := game.decision) is not None:
                ask = decision.asks[0]
                if ask.seat in partners:
                    partners[ask.seat].answer(ask)
                else:
                    game.answer(ask.seat, bots[ask.seat].answer(game.machine, game.state, ask), ask.number)
        standing = game.outcome
        check_zero_sum(self.program, standing)
        return _Played(sum(game.state[COUNTS][: self.setting.players]), standing.winners, standing.finished)

    def _replay(self, seed: int) -> str:
        setting = self.setting
        bots = shlex.quote(",".join(setting.bots))
        words = [f"rulebook play {setting.rulebook.id} --players {setting.players} --bots {bots}"]
        words += [f"--variant {id}" for id in setting.rulebook.variants]
        rules = changed(setting.rulebook, setting.options)
        words += [f"--set {shlex.quote(f'{name}={value}')}" for name, value in rules.items()]
        return " ".join([*words, f"--seed {seed}"])


def _sentence(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text if text.endswith((".", "!", "?")) else f"{text}."
