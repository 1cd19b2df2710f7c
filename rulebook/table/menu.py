"""What is asked, as lines: the question, what has been chosen so far, the options and what is typed for each.

In: an `Ask`, and where in a grid its options lie. Out: lines that fit the width. Never: reads a state.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.interpreter.account import Teller, joined
from rulebook.interpreter.decisions import PASS, Ask, Option
from rulebook.table import answers
from rulebook.table.answers import Spots
from rulebook.table.columns import abreast, visible, wrapped
from rulebook.table.grids import Grid
from rulebook.widths import width

_FEW = 8  # so many options are named once more, though they stand in a grid


def label(option: Option) -> str:
    """An option as it stands in the list."""
    name = visible(option.label)
    if option.key == PASS:
        return "pass"
    return f"{name} ×{option.count}" if option.count > 1 else name


def span(ask: Ask, spots: Spots) -> str:
    """What may be typed, for the line on which it is."""
    typed = answers.tags(ask, spots)
    if spots and len(typed) > 1:
        return f"{typed[0]} …, ? help"
    return f"{typed[0]}-{typed[-1]}, ? help" if len(typed) > 1 else f"{typed[0]}, ? help"


def is_brief(ask: Ask, spots: Spots) -> bool:
    """Whether there are so many options in a grid that their names, which stand there, are not said again."""
    return bool(spots) and len(ask.options) > _FEW


def lines(teller: Teller, ask: Ask, columns: int, tight: bool, spots: Spots, grids: Sequence[Grid] = ()) -> list[str]:
    """The question and the options; `grids` are those that stand on the same page as a whole."""
    found = wrapped(visible(answers.question(ask)), columns)
    if ask.picked:
        found += wrapped(visible(f"So far: {joined([teller.key(key) for key in ask.picked])}"), columns)
    if is_brief(ask, spots) and grids:
        return found + _by_spot(ask, columns, spots, grids)
    typed = answers.tags(ask, spots)
    widest = max(map(width, typed))
    cells = [
        " " * (widest - width(tag)) + (tag if tag == label(option) else f"{tag} {label(option)}")
        for tag, option in zip(typed, ask.options, strict=True)
    ]
    if any(width(cell) > columns - 2 for cell in cells):
        return found + [line for cell in cells for line in wrapped(f"  {cell.strip()}", columns, "    ")]
    if len(cells) <= 4 and not tight:
        return found + [f"  {cell}" for cell in cells]
    return found + abreast(cells, columns)


def _by_spot(ask: Ask, columns: int, spots: Spots, grids: Sequence[Grid]) -> list[str]:
    """Where what may be chosen lies; of a whole grid, how to say so."""
    typed = [spots[key][0] for key in ask.keys if key in spots]
    whole = any(set(typed) == set(grid.typed()) for grid in grids)
    text = f"any of {typed[0]} to {typed[-1]}" if whole else " ".join(typed)
    or_pass = ", or pass" if PASS in ask.keys else ""
    return ["  " + line for line in wrapped(f"{text}, or a name{or_pass}", columns - 2)]
