"""A record of what the engine says and plays, to hold a refactoring against.

    python bench/frozen.py write before.json        # before a change
    python bench/frozen.py compare before.json      # after it: prints what differs, exit code 1 if anything does

The record holds, each under a name of its own:

- the messages about every bundled game and variant, every example of every message, every mistake of
  `tests/dsl/test_mistakes.py`, and some slips of the pen in each game (`bench/slips.py`), with places, fixes and
  labels;
- a hash of each of some random games at every table (game, variant, number of players): all answers offered and
  given, what each seat was told and could see, and the last state.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

import slips
from mistakes import MISTAKES

from rulebook import diagnostics, examples, library
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.registry import template
from rulebook.interpreter import views
from rulebook.interpreter.events import Sink
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import to_json
from rulebook.loading import load
from rulebook.source import Span
from rulebook.validation import find_problems

Record = dict[str, Any]


# ── messages ──


def describe(found: Sequence[Diagnostic], root: str = "") -> list[dict[str, Any]]:
    """Messages as plain data, in a fixed order; paths are relative to `root`."""
    described = [
        {
            "code": one.code, "severity": one.severity, "confidence": one.confidence, "message": one.message,
            "help": one.help, "where": one.where, "place": place(one.span, root),
            "labels": [[label.text, place(label.span, root)] for label in one.labels],
            "fix": None if one.fix is None else
            [one.fix.title, one.fix.safe, [[place(edit.span, root), edit.text] for edit in one.fix.edits]],
        }
        for one in found
    ]  # fmt: skip
    return sorted(described, key=lambda one: json.dumps(one, sort_keys=True))


def place(span: Span | None, root: str) -> str:
    """A span as `file:start-end`, in characters; empty if there is none."""
    return "" if span is None else f"{span.file.name.removeprefix(root)}:{span.start}-{span.end}"


def record_games() -> Iterator[tuple[str, Any]]:
    """Messages about the bundled games and each of their variants."""
    for game in library.find_games():
        yield f"game {game.name}", describe(find_problems(game), str(game))
        for variant in library.variants_of(game):
            yield f"variant {game.name}/{variant.stem}", describe(find_problems(game, [variant]), str(game))


def record_examples() -> Iterator[tuple[str, Any]]:
    """Messages about the examples of every code."""
    for code in diagnostics.codes():
        for kind in ("bad", "good"):
            for number, example in enumerate(getattr(template(code), kind)):
                yield f"example {code} {kind} {number}", describe(examples.find_messages(example))


def record_mistakes() -> Iterator[tuple[str, Any]]:
    """Messages about the mistakes that people make, seeded into a game."""
    game = library.find_game("wallet")
    for case in MISTAKES:
        (mistake,) = case.values
        old, new = mistake.old.replace("«", ""), mistake.new.replace("«", "")
        with EditedCopy(game, mistake.file, lambda text, old=old, new=new: text.replace(old, new, 1)) as folder:
            yield f"mistake {case.id}", describe(load(folder).messages, str(folder))


def record_slips(number: int) -> Iterator[tuple[str, Any]]:
    """Messages about some slips in each game and its variants."""
    for game in library.find_games():
        for many in (slips.of_game(game), slips.of_variants(game) if library.variants_of(game) else []):
            chosen = random.Random(game.name).sample(many, min(number, len(many)))
            for slip in chosen:
                with EditedCopy(game, slip.file, partial(apply_slip, slip)) as folder:
                    found = load(folder, [folder / slip.variant] if slip.variant else [], meant=True).messages
                    name = f"slip {game.name} {slip.file}:{slip.start} {slip.old} → {slip.new}"
                    yield name, describe(found, str(folder))


def apply_slip(slip: slips.Slip, text: str) -> str:
    """The text of a file with a slip in it."""
    return text[: slip.start] + slip.new + text[slip.end :]


class EditedCopy:
    """A copy of a game in a temporary folder, in which one file was changed."""

    def __init__(self, game: Path, file: str, change: Any) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name) / game.name
        shutil.copytree(game, self.folder, ignore=shutil.ignore_patterns("scenarios"))
        path = self.folder / file
        path.write_bytes(change(path.read_bytes().decode()).encode())

    def __enter__(self) -> Path:
        return self.folder

    def __exit__(self, *_: object) -> None:
        self.temporary.cleanup()


# ── games ──


def record_play(number: int) -> Iterator[tuple[str, Any]]:
    """Hashes of random games at every table."""
    for game in library.find_games():
        for variant in (None, *library.variants_of(game)):
            rulebook = load(game, [] if variant is None else [variant]).rulebook
            assert rulebook is not None, game
            low, high = rulebook.players[0], rulebook.players[-1]
            for players in range(low, high + 1):
                machine = Machine(lower(rulebook, players))
                name = f"play {game.name}{f'/{variant.stem}' if variant else ''} {players}"
                yield name, [play(machine, seed) for seed in range(number if variant is None else max(1, number // 5))]


def play(machine: Machine, seed: int) -> str:
    """A hash of one random game: answers, events and views of each seat, and the last state."""
    state, players = machine.new_state(seed), machine.program.players
    below = [Source(seed, f"bot:{seat}").below for seat in range(players)]
    hashed = blake2b(digest_size=16)
    decisions = 0

    def add(*things: Any) -> None:
        hashed.update(repr(things).encode())

    while True:
        events: Sink = [[] for _ in range(players)]
        decision = machine.advance(state, events)
        add([[event.to_json() for event in seat] for seat in events])
        if decision is None:
            break
        for ask in decision.asks:
            keys = machine.random_answer(state, ask, below[ask.seat])
            add(ask.seat, [option.key for option in ask.options], keys)
            told: Sink = [[] for _ in range(players)]
            machine.answer(state, ask.seat, keys, told)
            add([[event.to_json() for event in seat] for seat in told])
        decisions += 1
        if decisions % 7 == 0:
            add([views.collect_facts(machine.program, machine.names, state, seat) for seat in range(players)])
    add(to_json(state))
    return f"{decisions} {hashed.hexdigest()}"


# ── the command ──


def record(slip_number: int, game_number: int) -> Record:
    """Everything, by name."""
    found: Record = {}
    parts = [record_games(), record_examples(), record_mistakes(), record_slips(slip_number), record_play(game_number)]
    for part in parts:
        before = len(found)
        for name, value in part:
            found[name] = value
        print(f"{len(found) - before} of {name.split()[0]}", file=sys.stderr)
    return found


def compare(old: Record, new: Record) -> list[str]:
    """Names whose values differ, with both values."""
    names = [name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)]
    return ["\n".join([name, f"  - {as_text(old.get(name))}", f"  + {as_text(new.get(name))}"]) for name in names]


def as_text(value: Any) -> str:
    """A value of a record, on one line."""
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    """Write a record, or compare with one."""
    arguments = argparse.ArgumentParser(description="Record what the engine says and plays, or compare with a record.")
    arguments.add_argument("action", choices=["write", "compare"])
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--slips", type=int, default=60, help="slips in each game, and in its variants (60)")
    arguments.add_argument("--games", type=int, default=10, help="random games at each table (10)")
    given = arguments.parse_args()
    now = record(given.slips, given.games)
    if given.action == "write":
        given.file.write_text(json.dumps(now, indent=0, ensure_ascii=False), "utf-8")
        return 0
    different = compare(json.loads(given.file.read_text("utf-8")), now)
    print("\n".join(different[:200]))
    print(f"{len(different)} of {len(now)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
