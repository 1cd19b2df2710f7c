"""`rulebook show … --english`: what the scripts of a game, or of one thing in it, do, in English.

In: a rulebook, and a name. Out: lines that fit. Never: a script; plain `show` quotes those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulebook.dsl.ir import Rulebook
    from rulebook.english.prose import Line
    from rulebook.english.sheet import Entry

Title = Callable[[str], str]


def sheet(rulebook: Rulebook, columns: int, title: Title) -> list[str]:
    """The whole game, like a rules sheet."""
    from rulebook.english.sheet import CARDS, Sheet

    found: list[str] = []
    whole, section = Sheet(rulebook), ""
    for entry in whole.entries():
        told = whole.lines(entry)
        if not told:
            continue
        heading = f"{entry.sort}: {entry.kind}" if entry.sort == CARDS else entry.sort
        if heading != section:
            section = heading
            found += [title(heading), ""]
        found += [f"{entry.name} ({entry.id})", *_indented(told, columns), ""]
    return found[:-1] if found else ["Nothing in this game does anything."]


def one(rulebook: Rulebook, about: str, columns: int, title: Title) -> list[str] | None:
    """One card, family, action, rule or value; None if nothing has this name."""
    from rulebook.english.sheet import Sheet

    whole = Sheet(rulebook)
    wanted = about.casefold()
    entries = [entry for entry in whole.entries() if _is_meant(entry, wanted, rulebook)]
    found: list[str] = []
    for entry in entries:
        told = whole.lines(entry)
        words = _indented(told, columns) if told else ["  It does nothing of its own."]
        found += [*([""] if found else []), title(entry.name) + f" ({entry.id})", *words]
    return found or None


def _is_meant(entry: Entry, wanted: str, rulebook: Rulebook) -> bool:
    ids = (entry.id, entry.name, f"{entry.sort.lower()}.{entry.id}", *rulebook.families.get(entry.id, ()))
    return wanted in {id.casefold() for id in ids}


def _indented(told: Sequence[Line], columns: int) -> list[str]:
    """Told lines in so many columns: points stand below what they belong to."""
    from rulebook.english.prose import SIGNS
    from rulebook.table.columns import wrapped

    found = []
    for line in told:
        sign = f"{SIGNS[min(line.depth, len(SIGNS)) - 1]} " if line.depth else ""
        start = "  " + "  " * line.depth + sign
        first, *rest = wrapped(line.text, max(columns - len(start), 20))
        found += [start + first, *(" " * len(start) + more for more in rest)]
    return found
