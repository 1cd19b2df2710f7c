"""Does every command print the same in another process? Python mixes the order of sets anew in each.

    python bench/hash_seeds.py [--games 20] [--slips 60] [--seeds 2] [--seed 1] [--list] [GAME…]

In: names of bundled games (all of them if there is none), how many small games to draw, how many slips of the pen.
Each command that prints is run on each game, with every bot, on one and on two processes; `validate` also on copies
of the games with two slips each. All of it is done once for each hash seed, in a process with a cache of its own.
Out: how many outputs were compared, and of each that differs the first line that does. Exit code 1 if there is one.
Never: changes the games.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from attrs import frozen

from rulebook import library
from rulebook.playtest.bots import KINDS

BOTS = (*(f"{word}:6" if kind.budget else word for word, kind in KINDS.items()), "greedy:epsilon=0.5")
_COST = re.compile(r'"seconds": [0-9.]+|[0-9.,]+ (?:ms|s|seconds|games a second)\b')
"""How long something took, which is never the same twice."""


@frozen
class Command:
    """The words of a command; what is `as_before` must print what the one before it does."""

    words: tuple[str, ...]
    as_before: bool = False


@frozen
class Difference:
    """A command whose output depends on the process: the first lines that differ."""

    words: tuple[str, ...]
    lines: tuple[str, str]


# ── in each process ──


def run_all(lines: Sequence[Sequence[str]]) -> list[str]:
    """What each command prints, and its exit code."""
    from click.testing import CliRunner

    from rulebook.cli import main

    return [_printed(CliRunner().invoke(main, list(words))) for words in lines]


def _printed(done: Any) -> str:
    said = f"exit code {done.exit_code}\n{done.output}{done.stderr}"
    return _COST.sub("… s", said) + ("" if done.exit_code < 3 else repr(done.exception))


def compare(commands: Sequence[Command], seeds: int = 2) -> list[Difference]:
    """Run all commands once with each hash seed; what is not the same each time, or not like its twin."""
    with ThreadPoolExecutor() as pool:
        outputs = list(pool.map(lambda seed: _started(commands, seed), range(1, seeds + 1)))
    found = []
    for number, command in enumerate(commands):
        first = outputs[0][number - command.as_before]
        for other in (output[number] for output in outputs):
            if other != first:
                found.append(Difference(command.words, _first_difference(first, other)))
                break
    return found


def _started(commands: Sequence[Command], seed: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        environ = os.environ | {
            "PYTHONHASHSEED": str(seed),
            "RULEBOOK_CACHE": f"{folder}/cache",
            "XDG_DATA_HOME": f"{folder}/data",
        }
        line = [sys.executable, __file__, "--child"]
        given = json.dumps([command.words for command in commands])
        done = subprocess.run(line, input=given, capture_output=True, text=True, env=environ)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def _first_difference(one: str, other: str) -> tuple[str, str]:
    left, right = one.splitlines(), other.splitlines()
    for a, b in zip([*left, "(the end)"], [*right, "(the end)"], strict=False):
        if a != b:
            at = next((n for n, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), 0)
            return a[max(at - 60, 0) : at + 100], b[max(at - 60, 0) : at + 100]
    return "(the end)", "(the end)"


# ── what is run ──


def of_game(game: str, variants: Sequence[str] = (), bots: Sequence[str] = BOTS) -> Iterator[Command]:
    """Every command that prints something about a game."""
    yield from (Command(("show", game, *how)) for how in ((), ("--options",), ("--english",), ("--resolved",)))
    yield Command(("schema", game, "--out", "-"))
    yield Command(("dis", game, "game"))
    yield Command(("dis", game, "game", "--watched"))
    yield Command(("leaks", game, "--games", "2"))
    yield Command(("cards", "export", game))
    yield Command(("fmt", game, "--diff"))
    yield Command(("validate", game))
    yield Command(("validate", game, "--play", "6", "--vary"))
    yield Command(("test", game, "--json", "--coverage"))
    for variant in variants:
        yield Command(("diff", game, variant, "--patch"))
        yield Command(("show", game, "--variant", variant, "--resolved"))
        yield Command(("show", game, "--variant", variant, "--english"))
    for bot in bots:
        yield Command(("play", game, "--bots", bot, "--seed", "4"))
    yield Command(("simulate", game, "--games", "6", "--seed", "4", "--bots", bots[-1], "--json", "--details"))


def of_small_game(game: str) -> Iterator[Command]:
    """What takes too long for a large one."""
    yield Command(("tree", game, "--limit", "3000", "--json"))
    yield Command(("compare", game, "--without", "card_0", "--games", "12", "--bots", "greedy", "--json"))


def on_jobs(game: str) -> list[Command]:
    """Games on one process, and the same on two."""
    words = ("simulate", game, "--games", "4", "--seed", "4", "--bots", "greedy", "--json", "--details")
    return [Command((*words, "--jobs", "1")), Command((*words, "--jobs", "2"), as_before=True)]


def drawn_game(draw: random.Random) -> str:
    """A small game in which several kinds of cards lie hidden, each in places of its own and all of them together."""
    kinds, words = draw.sample(_NOUNS, draw.randint(2, 4)), draw.sample(_WORDS, 3)
    lines = ["format: 1", "name: Drawn", "players: 2..3"]
    lines.append(f"words: {{mark: {{{', '.join(f'{word}: {word.title()}' for word in words)}}}}}")
    lines += ["kinds:", *(f"  {kind}: {{has: {{worth: 0..9, mark: mark}}}}" for kind in kinds), "cards:"]
    for number in range(len(kinds) * 2 + draw.randint(0, 2)):
        kind = kinds[number % len(kinds)]
        given = f"worth: {draw.randint(0, 9)}, mark: {draw.choice(words)}, copies: {draw.randint(4, 9)}"
        lines.append(f"  card_{number}: {{kind: {kind}, name: Card {number}, {given}}}")
    lines += ["places:", "  table:"]
    lines += [f"    {kind}s: {{holds: {kind}, kept: pile, seen_by: nobody}}" for kind in kinds]
    heap = draw.choice(["pile", "loose", "row"])
    lines.append(f"    heap: {{holds: [{', '.join(kinds)}], kept: {heap}, seen_by: everyone}}")
    lines += ["  player:"]
    for kind in kinds:
        lines.append(f"    {kind}_hand: {{holds: {kind}, kept: {draw.choice(['loose', 'row'])}, seen_by: owner}}")
    lines += ["memory: {player: {tally: {type: number, default: 0}}}", "rules:", "  game: |"]
    for kind in kinds:
        lines += [f"    move cards where it is {kind} to {kind}s", f"    shuffle {kind}s"]
        lines.append(f"    deal {draw.randint(2, 3)} from {kind}s to each {kind}_hand")
    lines += [f"    repeat {draw.randint(1, 2)}:", "      each me in players:"]
    for kind in draw.sample(kinds, 2):
        lines += [f"        choose {kind}_played from me.{kind}_hand", f"        move {kind}_played to heap face up"]
        lines += [f"        add {kind}_played.worth to me.tally", f"        draw 1 from {kind}s to me.{kind}_hand"]
    if draw.random() < 0.5:
        kind = draw.choice(kinds)
        lines += [f"    each p in players chooses kept from p.{kind}_hand", "    each p in players:"]
        lines += ["      if kept[p] is something:", "        move kept[p] to heap face up", "        add 1 to p.tally"]
    return "\n".join([*lines, "result: {rank: most tally}", ""])


_NOUNS = ("guest", "room", "coin", "tile", "crew", "relic", "spell", "horse")
_WORDS = ("red", "blue", "iron", "silk", "old", "wild", "north")


def drawn_games(folder: Path, many: int, seed: int) -> list[Path]:
    """So many small games, each in a folder of its own."""
    games = []
    for number in range(many):
        game = folder / f"drawn_{number}"
        game.mkdir()
        (game / "rulebook.yaml").write_text(drawn_game(random.Random(seed * 10_000 + number)), "utf-8")
        games.append(game)
    return games


def slipped_games(folder: Path, names: Sequence[Path], many: int, seed: int) -> Iterator[Path]:
    """Copies of games, each with two slips of the pen in one of its files."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    import slips

    draw = random.Random(seed)
    for game in names:
        found = slips.of_game(game)
        for number in range(-(-many // len(names))):
            one = draw.choice(found)
            copy = folder / f"slip_{number}" / game.name
            shutil.copytree(game, copy, ignore=shutil.ignore_patterns("scenarios", "variants"))
            text = (copy / one.file).read_text("utf-8")
            beside = [slip for slip in found if slip.file == one.file and slip.start >= one.end]
            for slip in (*([draw.choice(beside)] if beside else []), one):  # the later one first
                text = text[: slip.start] + slip.new + text[slip.end :]
            (copy / one.file).write_text(text, "utf-8", newline="")
            yield copy


def main() -> int:
    """Run everything and say what differs."""
    arguments = argparse.ArgumentParser(description="Does every command print the same in another process?")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--games", type=int, default=20, help="small games that are drawn (20)")
    arguments.add_argument("--slips", type=int, default=60, help="slips of the pen that `validate` is asked about (60)")
    arguments.add_argument("--seeds", type=int, default=2, help="hash seeds, one process each (2)")
    arguments.add_argument("--seed", type=int, default=1, help="which games and slips (1)")
    arguments.add_argument("--list", action="store_true", help="print the commands, and run none")
    arguments.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.child:
        print("\n" + json.dumps(run_all(json.load(sys.stdin))))
        return 0
    many, found = 0, list[Difference]()
    with tempfile.TemporaryDirectory() as scratch:
        for about, commands in batches(Path(scratch), given):
            many += len(commands)
            if given.list:
                print(*(shlex.join(command.words) for command in commands), sep="\n")
                continue
            found += (different := compare(commands, given.seeds))
            print(f"{about}: {len(commands)} commands, {len(different)} differ", file=sys.stderr, flush=True)
    print(f"{many} commands, each with {given.seeds} hash seeds: {len(found)} print something else")
    for one in found:
        print("", shlex.join(one.words), f"  {one.lines[0]}", f"  {one.lines[1]}", sep="\n")
    return int(bool(found))


def batches(scratch: Path, given: argparse.Namespace) -> Iterator[tuple[str, list[Command]]]:
    """What is run in the same processes, one game after the other, and what it is called."""
    bundled = [library.find_game(name) for name in given.names] or library.find_games()
    for game in drawn_games(scratch, given.games, given.seed):
        yield game.name, [*of_game(str(game)), *of_small_game(str(game)), *on_jobs(str(game))]
    for game in bundled:
        variants = [path.stem for path in library.variants_of(game)]
        bots = ("random", "first", "greedy") if variants else BOTS
        yield game.name, [*of_game(game.name, variants, bots), *on_jobs(game.name)]
    slipped = [Command(("validate", str(game))) for game in slipped_games(scratch, bundled, given.slips, given.seed)]
    for first in range(0, len(slipped), 20):
        yield f"slips from {first}", slipped[first : first + 20]


if __name__ == "__main__":
    sys.exit(main())
