"""From a folder to a checked rulebook: the compile-time half of the pipeline, in order.

In: a path. Out: the rulebook, or None, and everything that is wrong with it. Never: plays, prints, or raises for
what an author wrote.
"""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.folder import merge, read_files, shown
from rulebook.dsl.meaning import MEANT
from rulebook.dsl.passes import check
from rulebook.dsl.salvage import beside_misfits, beside_unreadable
from rulebook.dsl.structure import structure
from rulebook.dsl.world import World
from rulebook.source import SourceFile
from rulebook.suppressions import settle


@frozen
class Loaded:
    """A rulebook that can be played, and the names it declares."""

    rulebook: ir.Rulebook
    world: World


def load(path: Path, *, meant: bool = False) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    """Reads, structures and checks the game in a folder. The rulebook is None when there is any error.

    With `meant`, the messages are also about what can be played and says nothing: what an author wants to know, and a
    player does not.
    """
    loaded, found = load_with_names(path, meant=meant)
    return (None if loaded is None else loaded.rulebook), found


def load_with_names(path: Path, *, meant: bool = False) -> tuple[Loaded | None, list[Diagnostic]]:
    """The same, with the names: for whoever reads more that is written in the words of the game."""
    maps, source, found = read_files(path)
    readable = [one for one in maps if one is not None]
    checked = None
    if not maps or len(readable) < len(maps):
        found += beside_unreadable(readable, source)
    else:
        merged, more = merge(readable)
        found += more
        authored, more = structure(merged, path.resolve().name, source)
        found += more
        if authored is None:
            found += beside_misfits(merged, more, source)
        else:
            checked = check(authored, meant=meant)
            found += checked.found
    files = [SourceFile(shown(path / name), text) for name, text in source.items()]
    rulebook = None if checked is None else checked.rulebook
    found = settle(found, files, complete=rulebook is not None, unlooked=frozenset() if meant else MEANT)
    if checked is None or rulebook is None or any(one.severity == "error" for one in found):
        return None, found
    return Loaded(rulebook, checked.world), found
