"""Many games on the machine and on every other tier, held against each other at every decision.

    python bench/tiers.py --variants --options --games 1000 --jobs 2 --kept tiers.jsonl      # everything
    python bench/tiers.py [--games 100] [--ends 0] [--rounds 20,100] [--carried 30] [--players N] [GAME…]
    python bench/tiers.py --variant long_night --set rounds=5 --players 7 --seed 12 --games 1 wallet

In: names of bundled games, all of them if there is none. A *table* is a game at one number of players; with
`--variants` also under each of its variants, with `--options` also with each other value of each option. At each table
so many `--games` are played by the machine, the watched and the blind tier side by side, and from some decision on to
the end by `finish` and the native tier, as `tests/tiers.py` says; in the first `--carried` of them states of the tiers
go through JSON at each decision. `--ends` games are played by `finish` and the native tier alone: how often each seat
was asked and the last state must be the same. Rounds go over all tables, each up to the next number of games, so that
whoever stops has played about as many of each. With `--kept` what was played is written to a file, line by line, and
the same command goes on from there; lines of another version of the rules or of the program are left out. Without a
compiler of C nothing is native.

Out: a line for each piece of work, with the first difference if there is one, and how to play that game again; then a
table by game and variant. Exit code 1 if anything differed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from tiers import bots, compare, differences

from rulebook import library
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.forbidding import BadSettings, with_settings
from rulebook.dsl.settling.options import setting_text
from rulebook.interpreter.compiled.tier import TIERS, BlindMachine
from rulebook.interpreter.layout import COUNTS
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.native.compiler import NoCompiler, command
from rulebook.interpreter.native.tier import Native, Unavailable
from rulebook.interpreter.random import Source
from rulebook.loading import load
from rulebook.playtest.settings import choices, numbers

PIECE = {"steps": 50, "ends": 500}
"""How many games are played at once, and so lost if the run is cut."""


class Table(NamedTuple):
    """What is played: `variant` and `option` are empty if there is none."""

    game: str
    variant: str
    option: str
    players: int

    @property
    def words(self) -> str:
        """How to name it on the command line."""
        parts = [f"--variant {self.variant}"] * bool(self.variant) + [f"--set {self.option}"] * bool(self.option)
        return " ".join([*parts, f"--players {self.players}", self.game])


class Piece(NamedTuple):
    """Some games at a table. `way` is `steps`, with the machine beside all tiers, or `ends`."""

    table: Table
    way: str
    first: int
    behind: int
    carried: int


class Tiers:
    """All tiers of one table."""

    def __init__(self, table: Table) -> None:
        self.program = lower(rules(table.game, table.variant, table.option), table.players)
        self.machine, self.compiled = Machine(self.program), [kind(self.program) for kind in TIERS]
        self.native = Native.of(self.program) if has_compiler() else None

    def steps(self, seed: int, carried: bool) -> tuple[int, str | None]:
        """One game on all of them."""
        fork = Source(seed, "fork").below(2 ** (seed // 2 % 9)) if seed % 2 == 0 else None
        native = self.native if isinstance(self.native, Native) else None
        return compare(self.machine, self.compiled, seed, carried, fork, native, told=bool(seed % 3))

    def ends(self, seed: int) -> tuple[int, str | None]:
        """One game from its beginning to its end, in Python and in C."""
        assert isinstance(self.native, Native)
        blind = self.compiled[-1]
        assert isinstance(blind, BlindMachine)
        state = blind.new_state(seed)
        before = state[:]
        blind.play(state, bots(self.program, seed))
        decisions = state[COUNTS][: self.program.players]
        played, *_ = self.native.games([seed])
        if played.stopped or played.decisions != decisions:
            return sum(decisions), played.stopped or f"{decisions} against {played.decisions}"
        found = [*differences(self.program, state, self.native.last_state(before), blind=True)]
        return sum(decisions), "\n  ".join(["native, at the end:", *found]) if found else None


@cache
def has_compiler() -> bool:
    """Whether anything can be native here."""
    try:
        command()
    except NoCompiler:
        return False
    return True


@lru_cache(4)
def rules(game: str, variant: str, option: str) -> Rulebook:
    """A game under a variant, with an option set."""
    folder = library.find(game)
    loaded = load(folder, [library.find_variant(folder, variant)] if variant else [])
    rulebook, found = loaded.rulebook, loaded.messages
    if rulebook is None:
        raise SystemExit("\n".join(f"{one.code}: {one.message}" for one in found))
    name, _, value = option.partition("=")
    return with_settings(rulebook, {name: value} if option else {})


@lru_cache(2)
def tiers_of(table: Table) -> Tiers:
    """The tiers of a table; each process makes them once for pieces that follow each other."""
    return Tiers(table)


def options(rulebook: Rulebook, alone: Rulebook | None) -> Iterator[str]:
    """Each value of each option but what it is anyway; under a variant, only of options that the game alone has not."""
    for name, option in rulebook.options.items():
        if alone is None or alone.options.get(name) != option:
            tried = choices(option) or [one for one in (option.low, option.high) if one is not None]
            yield from (f"{name}={setting_text(option, one, rulebook.units)}" for one in tried if one != option.default)


def tables(given: argparse.Namespace) -> Iterator[Table]:
    """All tables that are asked for."""
    for game in given.names or [folder.name for folder in library.games()]:
        beside = [one.stem for one in library.variants_of(library.find(game))] if given.variants else []
        variants = given.variant or ["", *beside]
        for variant in variants:
            every = given.set or [""]
            if given.options:
                every = ["", *options(rules(game, variant, ""), rules(game, "", "") if variant else None)]
            for option in every:
                try:
                    rulebook = rules(game, variant, option)
                except BadSettings:
                    continue  # The game forbids it.
                for players in numbers(rulebook, {name: one.default for name, one in rulebook.options.items()}):
                    if given.players in (None, players):
                        yield Table(game, variant, option, players)


def pieces(given: argparse.Namespace) -> Iterator[Piece]:
    """All that is to be played, round by round; of several rounds the cheap way goes first."""
    there, begun = [*tables(given)], {"steps": 0, "ends": 0}
    rounds = sorted({*map(int, given.rounds.split(",")), given.games, given.ends})
    for up_to in rounds:
        for table in there:
            for way, most in (("steps", given.games), ("ends", given.ends)):
                for first in range(begun[way], min(up_to, most), PIECE[way]):
                    last = min(first + PIECE[way], up_to, most)
                    yield Piece(table, way, given.seed + first, given.seed + last, given.seed + given.carried)
        begun = {way: max(begun[way], min(up_to, most)) for way, most in (("steps", given.games), ("ends", given.ends))}


def played(piece: Piece) -> dict[str, Any]:
    """What came of a piece of work, up to the first difference."""
    tiers, begun, decisions, wrong = tiers_of(piece.table), time.process_time(), 0, None
    for seed in range(piece.first, piece.behind):
        try:
            many, wrong = tiers.steps(seed, seed < piece.carried) if piece.way == "steps" else tiers.ends(seed)
        except Exception:
            many, wrong = 0, traceback.format_exc()
        decisions += many
        if wrong:
            wrong = f"{piece.table.words} --seed {seed} --games 1\n  {wrong}"
            break
    native = tiers.native.reason if isinstance(tiers.native, Unavailable) else "yes" if tiers.native else "no compiler"
    seconds = round(time.process_time() - begun, 2)
    return {"piece": piece, "native": native, "decisions": decisions, "seconds": seconds, "wrong": wrong}


@cache
def version() -> str:
    """A hash of the program, of the games, and of what says whether tiers agree."""
    hashed, beside = blake2b(digest_size=8), Path(__file__).resolve().parent.parent / "tests" / "tiers.py"
    for folder in (Path(library.__file__).parent, *library.games()):
        for path in sorted(one for one in folder.rglob("*") if one.is_file() and "__pycache__" not in one.parts):
            hashed.update(path.read_bytes())
    hashed.update(beside.read_bytes())
    return hashed.hexdigest()


def known(kept: Path | None) -> dict[Piece, dict[str, Any]]:
    """What was played before, by this version."""
    found = {}
    for line in kept.read_text("utf-8").splitlines() if kept is not None and kept.exists() else ():
        one = json.loads(line)
        if one["version"] == version():
            table, *rest = one["piece"]
            one["piece"] = Piece(Table(*table), *rest)
            found[one["piece"]] = one
    return found


def summary(done: list[dict[str, Any]]) -> None:
    """By game and variant: at how many tables how many games were played each way, and how many decisions they had."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in done:
        rows.setdefault(one["piece"].table[:2], []).append(one)
    print(f"\n{'game, variant':<40}{'tables':>7}{'games':>9}{'at each':>13}", end="")
    print(f"{'ends':>9}{'decisions':>12}{'differ':>7}{'seconds':>9}")
    for (game, variant), some in [*rows.items(), (("all", ""), done)]:
        at: dict[Table, dict[str, int]] = {}
        for one in some:
            counted = at.setdefault(one["piece"].table, {"steps": 0, "ends": 0})
            counted[one["piece"].way] += one["piece"].behind - one["piece"].first
        steps, ends = ([one[way] for one in at.values()] for way in ("steps", "ends"))
        decisions, wrong = sum(one["decisions"] for one in some), sum(bool(one["wrong"]) for one in some)
        least = f"{min(steps)} to {max(steps)}"
        line = f"{' '.join([game, variant]):<40}{len(at):>7}{sum(steps):>9}{least:>13}{sum(ends):>9}{decisions:>12}"
        print(line + f"{wrong:>7}{sum(one['seconds'] for one in some):>9.0f}")


def main() -> int:
    """Play, print, and say whether all tiers agree."""
    arguments = argparse.ArgumentParser(description="Hold all tiers against the machine.")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--games", type=int, default=100, help="games at each table, with the machine (100)")
    arguments.add_argument("--ends", type=int, default=0, help="games at each table without the machine (0)")
    arguments.add_argument("--rounds", default="20,100,300", help="so many at each table first (20,100,300)")
    arguments.add_argument("--carried", type=int, default=30, help="games whose states go through JSON (30)")
    arguments.add_argument("--variants", action="store_true", help="each variant, too")
    arguments.add_argument("--options", action="store_true", help="each value of each option, too")
    arguments.add_argument("--variant", action="append", metavar="NAME", help="only under this variant")
    arguments.add_argument("--set", action="append", metavar="NAME=VALUE", help="only with this option")
    arguments.add_argument("--players", type=int, help="only this number of players")
    arguments.add_argument("--seed", type=int, default=0, help="the seed of the first game (0)")
    arguments.add_argument("--jobs", type=int, default=1, help="processes (1)")
    arguments.add_argument("--kept", type=Path, metavar="FILE", help="what was played; the same command goes on there")
    given = arguments.parse_args()
    if given.ends and not has_compiler():
        arguments.error("--ends needs a compiler of C: it holds the native tier against `finish`")
    before = known(given.kept)
    every = [*pieces(given)]
    done = [before[one] for one in every if one in before]
    left = [one for one in every if one not in before]
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        for one in pool.map(played, left):
            done.append(one)
            piece: Piece = one["piece"]
            line = f"{piece.table.words:<72} {piece.way} {piece.first:>4}..{piece.behind - 1:<4}"
            native = "" if one["native"] == "yes" else f"  native: {one['native']}"
            print(f"{line}{one['decisions']:>8} {one['seconds']:>7.1f} s{native}", flush=True)
            if one["wrong"]:
                print(f"  DIFFERS: {one['wrong']}", flush=True)
            if given.kept is not None:
                with given.kept.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps({"version": version(), **one}) + "\n")
    summary(done)
    return 1 if any(one["wrong"] for one in done) else 0


if __name__ == "__main__":
    sys.exit(main())
