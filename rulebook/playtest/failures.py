"""Saves of games that went wrong, in the folder `failures` of their game. One of the same mistake is written anew.

Bundled games are not the author's to fill: saves of those come below the current folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulebook.dsl import ir
from rulebook.interpreter.journal import Entry, Header, write_journal
from rulebook.interpreter.program import Program
from rulebook.library import find_games, is_below

FAILURES = "failures"


def find_failures(folder: Path) -> Path:
    """Find the folder for what goes wrong in the game in a folder; it need not be there yet."""
    bundled = any(folder.resolve() == game.resolve() for game in find_games())
    return Path(FAILURES) / folder.resolve().name if bundled and not is_below(Path(), folder) else folder / FAILURES


def make_header(rulebook: ir.Rulebook, program: Program, names: Sequence[str], seed: int) -> Header:
    """Make what the save of a game by nobody in particular begins with."""
    rules, options, variants = dict(rulebook.source), dict(program.options), (*rulebook.variants,)
    return Header(rulebook.id, program.rules_hash, tuple(names), seed, rules, options, variants)


def name_failure(code: str, file: str, line: int) -> str:
    """Return the name of its files, the same for the same mistake as long as it stays in its line."""
    return "-".join([code, *([Path(file).stem, str(line)] if file else [])])


def write_failure(folder: Path, name: str, header: Header, entries: Sequence[Entry]) -> Path:
    """Write the save of a game that went wrong. Raises OSError."""
    into = find_failures(folder)
    into.mkdir(parents=True, exist_ok=True)
    save = into / f"{name}.jsonl"
    write_journal(save, header, entries)
    return save


def word_unwritten(folder: Path, error: OSError) -> str:
    """Say that there is no save, and why."""
    return f"It could not be written to {find_failures(folder)}: {error.strerror}."
