"""What is asked: the question, what has been chosen so far, the options and what is typed for each.

In: an `Ask`, and where in a grid its options lie. Out: all of it in words, and options as a list that fits the width.
Never: reads a state.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.interpreter.account import Teller, joined
from rulebook.interpreter.decisions import PASS, Ask, Option
from rulebook.printing import visible
from rulebook.table import answers
from rulebook.table.answers import Spots
from rulebook.table.blocks import Menu
from rulebook.table.grids import Grid

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


def menu(teller: Teller, ask: Ask, spots: Spots, grids: Sequence[Grid] = ()) -> Menu:
    """The question and the options; `grids` are those that are seen meanwhile."""
    picked = f"So far: {joined([teller.key(key) for key in ask.picked])}" if ask.picked else ""
    options = [(tag, label(option)) for tag, option in zip(answers.tags(ask, spots), ask.options, strict=True)]
    where = _where(ask, spots, grids) if is_brief(ask, spots) and grids else ""
    return Menu(visible(answers.question(ask)), visible(picked), options, where)


def _where(ask: Ask, spots: Spots, grids: Sequence[Grid]) -> str:
    """Where what may be chosen lies; of a whole grid, how to say so."""
    typed = [spots[key][0] for key in ask.keys if key in spots]
    whole = any(set(typed) == set(grid.typed()) for grid in grids)
    text = f"any of {typed[0]} to {typed[-1]}" if whole else " ".join(typed)
    or_pass = ", or pass" if PASS in ask.keys else ""
    return f"{text}, or a name{or_pass}"
