"""From a folder to a checked rulebook: the compile-time half of the pipeline, in order.

In: a path. Out: the rulebook, or None, and everything that is wrong with it. Never: plays, prints, or raises for
what an author wrote.
"""

from __future__ import annotations

from pathlib import Path

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.checker import check
from rulebook.dsl.folder import read_folder
from rulebook.dsl.structure import structure


def load(path: Path) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    """Reads, structures and checks the game in a folder. The rulebook is None when there is any error."""
    merged, source, found = read_folder(path)
    if merged is None:
        return None, found
    authored, more = structure(merged, path.resolve().name, source)
    found += more
    if authored is None:
        return None, found
    rulebook, more = check(authored)
    found += more
    broken = any(one.severity == "error" for one in found)
    return (None if broken else rulebook), found
