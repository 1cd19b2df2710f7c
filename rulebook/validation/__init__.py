"""A game with its variants and scenarios, checked: what `rulebook validate` is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.library import RULES, picture_files, scenario_files, sheet_files, variants_of
from rulebook.loading.load_cache import LoadCache
from rulebook.source import SourceFile
from rulebook.validation.messages import flatten_messages, restore_messages

__all__ = ["UNREADABLE", "Wanted", "files_of", "find_problems"]

UNREADABLE = ("RB101", "RB102")
"""Codes of what keeps a file from being read at all: they are said whatever else was asked for."""


@frozen
class Wanted:
    """A filter of messages by the beginning of their codes: `select` keeps (all if empty), `ignore` takes out."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def has(self, code: str) -> bool:
        if code in UNREADABLE:
            return True
        return (not self.select or code.startswith(self.select)) and not code.startswith(self.ignore or ("-",))

    def pick_selected(self, messages: Sequence[Diagnostic]) -> list[Diagnostic]:
        return [message for message in messages if self.has(message.code)]


def find_problems(folder: Path, variants: Sequence[Path] = (), *, use_cache: bool = False) -> list[Diagnostic]:
    """Everything that is wrong with a game, its scenarios, and each of its variants, on top of those it follows.

    With `variants`, what is wrong with the game under these, in this order; its scenarios are about others. With
    `use_cache`, messages are kept, and found again if nothing has changed.
    """
    # A listing costs less than to keep what came of it.
    from rulebook.loading.misplaced import find_misplaced_in

    return [*find_misplaced_in(folder), *_check_unless_known(folder, variants, use_cache)]


def _check_unless_known(folder: Path, variants: Sequence[Path], use_cache: bool) -> list[Diagnostic]:
    if not use_cache:
        return _check_game(folder, variants)
    kept = LoadCache("checked", folder, variants)
    plain = kept.recall()
    if plain is not None:
        return restore_messages(plain["found"], [SourceFile(name, text) for name, text in plain["files"]])
    game = _check_game(folder, variants)
    messages, files = flatten_messages(game)
    kept.keep({"files": [(file.name, file.text) for file in files], "found": messages})
    return game


def _check_game(folder: Path, variants: Sequence[Path]) -> list[Diagnostic]:
    # Who knows from the last time what is wrong needs nothing of the language.
    from rulebook.playtest.scenarios.ground import Grounds
    from rulebook.playtest.scenarios.reading import scenarios_on

    grounds = Grounds(folder, variants, meant=True)
    scenarios = scenario_files(folder)
    grounds.under()
    if variants:
        return grounds.messages
    for variant in variants_of(folder):
        grounds.under_one(variant)
    if not scenarios:
        return grounds.messages
    _, problems = scenarios_on(grounds)
    return grounds.messages + problems


def files_of(folder: Path) -> Iterator[Path]:
    """The files that a check of this game reads, or would complain about."""
    yield folder / RULES
    yield from (file for file in sorted(folder.glob("*.y*ml")) if file.name != RULES)
    yield from variants_of(folder)
    yield from scenario_files(folder)
    yield from sheet_files(folder)
    yield from picture_files(folder)
