"""The plan of a series: the rules, seed, house rules and bots by seat, from which each game follows by its number.

The length of the series is not part of it: a longer series begins with a shorter.
"""

from __future__ import annotations

import json
import shlex
from array import array
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.settling.leaving_out import comes_with, left_out
from rulebook.dsl.settling.options import Settled
from rulebook.interpreter.random import Source, hash_name
from rulebook.playtest.bots import is_command, restrict
from rulebook.playtest.settings import changed
from rulebook.version import __version__

FORMAT = 10
"""The version of a record; another number is another series, so that two meanings never stand in one table."""

SEEDS = 2**53
"""Seeds are exact in JSON, wherever it is read."""


def game_seed(seed: int, number: int) -> int:
    """The seed of one deal of a series; deals are counted from 0."""
    return Source(seed, _stream(number)).below(SEEDS)


def _stream(deal: int) -> str:
    return f"game:{deal}"


@frozen
class Plan:
    """A plan: all that the games of a series have in common. `bots` are by seat in games that are not rotated.

    `watched` series count cards, options and leads; `timeout` is for programs that play: the seconds for one answer.
    """

    rulebook: ir.Rulebook
    players: int
    seed: int
    options: dict[str, Settled]
    bots: tuple[str, ...]
    rotate: bool = False
    watched: bool = False
    timeout: float = 60.0
    called: str = field(default="", eq=False)
    """The word for the game in commands: its folder, where it is not a bundled one."""
    laid: tuple[str, ...] = field(default=(), eq=False)
    """The words for its variants in commands, as they were given: names, or paths of files; their ids if empty."""
    tier: str = field(default="core", eq=False)
    """The interpreter that plays, core or machine; the games are the same."""

    @property
    def rotations(self) -> int:
        """The number of games of each deal: every bot sits once wherever a different table comes of it."""
        if not self.rotate:
            return 1
        turns = range(1, self.players)
        return next((by for by in turns if self.bots[by:] + self.bots[:by] == self.bots), self.players)

    @property
    def can_be_repeated(self) -> bool:
        """True if games come again from their numbers alone; programs of somebody else may answer otherwise."""
        return not any(map(is_command, self.bots))

    @property
    def is_paid(self) -> bool:
        """True if players play for a payoff: then who wins more games need not play better."""
        return self.rulebook.result.payoff is not None and self.players > 1

    @property
    def is_together(self) -> bool:
        """True if all players are one team, and nobody can win more than another."""
        return self.players > 1 and isinstance(self.rulebook.result.team, ir.Const)

    @property
    def is_random(self) -> bool:
        """True if every bot answers at random."""
        return set(self.bots) == {"random"}

    def deal(self, number: int) -> int:
        """The deal that is played in the game of that number."""
        return number // self.rotations

    def seed_of(self, number: int) -> int:
        """Return the seed of a game; the same in all games on one deal."""
        return game_seed(self.seed, self.deal(number))

    def names_of(self, numbers: range) -> array[int]:
        """The hashes of the names of the streams from which `seed_of` takes its number, of many games."""
        return array("Q", [hash_name(_stream(self.deal(number))) for number in numbers])

    def turned(self, number: int) -> int:
        """By how many seats the bots have moved on: who sits at 0 sits at 1 when it is 1."""
        return number % self.rotations

    def seated(self, number: int) -> tuple[str, ...]:
        by = self.turned(number)
        return self.bots[-by:] + self.bots[:-by] if by else self.bots

    def bot_at(self, number: int, seat: int) -> int:
        """Find which bot sits there, by its place among `bots`."""
        return (seat - self.turned(number)) % self.players

    def described(self, rules_hash: str) -> dict[str, object]:
        """All that decides how the games go. Two series with equal identities have equal games."""
        return {
            "format": FORMAT,
            "rulebook": __version__,
            "game": self.rulebook.id,
            "rules": rules_hash,
            "variants": list(self.rulebook.variants),
            "options": changed(self.rulebook, self.options),
            "without": list(left_out(self.options)),
            "players": self.players,
            "bots": list(self.bots),
            "rotate": self.rotations > 1,
            "watched": self.watched,
            "seed": self.seed,
        }

    def key(self, rules_hash: str) -> str:
        """The same, in short."""
        text = json.dumps(self.described(rules_hash), sort_keys=True)
        return blake2b(text.encode(), digest_size=12).hexdigest()

    def replay(self, number: int) -> str:
        """The command that shows one of the games."""
        return f"{self._words('play', self.seated(number))} --seed {self.seed_of(number)}"

    def replay_otherwise(self, number: int, seat: int, way: str, option: str) -> str:
        """The command that shows one of the games, in which a seat never, or always, does something."""
        bots = [restrict(spec, way, option) if at == seat else spec for at, spec in enumerate(self.seated(number))]
        return f"{self._words('play', bots)} --seed {self.seed_of(number)}"

    def command(self, *more: str) -> str:
        """The command that plays the series."""
        rotate = ["--rotate"] if self.rotate else []
        return " ".join([self._words("simulate", self.bots), *rotate, f"--seed {self.seed}", *more])

    def ask_levels(self, verb: str, seconds: float) -> str:
        """The command that asks all levels of play, for so many seconds."""
        return f"{self._words(verb, ())} --seed {self.seed} --lens {seconds:g}"

    def _words(self, verb: str, bots: Sequence[str]) -> str:
        game = shlex.quote(self.called or self.rulebook.id)
        words = [f"rulebook {verb} {game} --players {self.players}"]
        named = bots[:1] if len({*bots}) == 1 else bots
        words += [f"--bots {shlex.quote(','.join(named))}"] if bots else []
        if self.rulebook.variants:
            words += [f"--variant {shlex.quote(name)}" for name in self.laid or self.rulebook.variants]
        rules = changed(self.rulebook, self.options)
        words += [f"--set {shlex.quote(f'{name}={value}')}" for name, value in rules.items()]
        words += [f"--without {shlex.quote(id)}" for id in left_out(self.options)]
        return " ".join(words)

    def to_compare(self, id: str, games: int) -> str:
        """The command that plays these deals with a card and without it, and what comes with it."""
        rotate = ["--rotate"] if self.rotate else []
        without = f"--without {shlex.quote(comes_with(self.rulebook, id))}"
        words = [self._words("compare", self.bots), *rotate, without, f"--seed {self.seed}"]
        return " ".join([*words, f"--games {games}"])


def plan_of(
    rulebook: ir.Rulebook,
    players: int,
    seed: int,
    options: Mapping[str, Settled] | None = None,
    bots: Sequence[str] = ("random",),
    rotate: bool = False,
    watched: bool = False,
    timeout: float = 60.0,
    called: str = "",
    tier: str = "core",
    laid: Sequence[str] = (),
) -> Plan:
    """A plan; fewer bots than players are repeated in turn."""
    seated = tuple(bots[seat % len(bots)] for seat in range(players))
    settled = dict(options or {})
    return Plan(
        rulebook, players, seed, settled, seated, rotate, watched, timeout, called, tier=tier, laid=tuple(laid)
    )
