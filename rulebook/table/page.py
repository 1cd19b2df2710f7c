"""The page of somebody who is asked: where the game is, what happened, the table, the question.

In: a sitting, and what one person is asked. Out: what the page says. Never: what another seat may see, or how it looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import Ask
from rulebook.printing import visible
from rulebook.table import answers, grids, menu, story, view
from rulebook.table.blocks import Page
from rulebook.table.order import in_order
from rulebook.table.sitting import Sitting
from rulebook.table.telling import titled


@frozen
class Asked:
    """What one person is asked, in words, with what is seen of the table meanwhile."""

    ask: Ask
    facts: Mapping[str, Any]
    grids: Sequence[grids.Grid]
    spots: answers.Spots


def asked(sitting: Sitting, ask: Ask) -> Asked:
    """The ask in words that people use."""
    facts = sitting.game.view(ask.seat).facts
    laid = grids.seen(sitting.game.program, facts)
    ask = grids.worded(sitting.game.program, facts, laid, in_order(sitting.game.program, ask))
    return Asked(ask, facts, laid, grids.spots(laid, ask))


def page(sitting: Sitting, asked: Asked, notice: str) -> Page:
    """All that one page says."""
    program, ask, facts = sitting.game.program, asked.ask, asked.facts
    happened = story.told(sitting, ask.seat, sitting.seen.get(ask.seat, 0))
    while happened and happened[-1].text in map(titled, facts["stages"]):
        happened.pop()  # the headline says it
    return Page(
        view.headline(program, facts),
        _aim(sitting, ask.seat),
        happened,
        story.private(sitting, ask.seat),
        view.seen(program, facts, asked.grids),
        menu.menu(Teller(program, sitting.game.names, ask.seat), ask, asked.spots, asked.grids),
        notice,
    )


def _aim(sitting: Sitting, seat: int) -> str:
    """What the game is about, for somebody who has not answered anything yet."""
    if any(entry.seat == seat for entry in sitting.game.entries):
        return ""
    return visible(sitting.game.program.looks.aim)
