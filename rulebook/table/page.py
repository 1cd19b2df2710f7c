"""The page of somebody who is asked: where the game is, what happened, the table, the question.

In: a sitting, and what one person is asked. Out: lines that fit the screen. Never: what another seat may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from rulebook.interpreter.account import Teller
from rulebook.interpreter.decisions import Ask
from rulebook.table import answers, grids, menu, news, story, view
from rulebook.table.columns import visible, wrapped
from rulebook.table.order import in_order
from rulebook.table.screen import Screen
from rulebook.table.sitting import Sitting
from rulebook.table.telling import titled
from rulebook.widths import width

_RECENT = 5  # so many lines of what happened are worth more than headings in the table


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


def paint(sitting: Sitting, asked: Asked, notice: str) -> list[str]:
    """The lines of one page."""
    screen, program, columns = sitting.screen, sitting.game.program, sitting.screen.columns
    ask, facts, teller = asked.ask, asked.facts, Teller(program, sitting.game.names, asked.ask.seat)
    head = [screen.paint("title", view.headline(program, facts, columns))]
    notes = noted(screen, notice) if notice else []
    happened = story.told(sitting, ask.seat, sitting.seen.get(ask.seat, 0))
    while happened and happened[-1] in map(titled, facts["stages"]):
        happened.pop()  # the headline says it
    private = story.private(sitting, ask.seat)
    least = min(len(happened), 2 + min(len(private), _RECENT))
    whole = sum(len(grid.lines(columns)) for grid in asked.grids)
    # Of a grid that has to be cut nobody can tell what lies where: then all options are named.
    for tight, laid in ((False, asked.grids), (True, asked.grids), (True, ())):
        question = menu.lines(teller, ask, columns, tight, asked.spots, laid) + notes
        table = view.table(program, facts, columns, tight, asked.grids)
        # Two rules, and the line on which is typed. A line with a path may go on in the next row.
        room = screen.rows - len(head) - sum(max(1, -(-width(line) // columns)) for line in question) - 3
        if min(len(happened), _RECENT) + len(table) <= room or (tight and least + whole + 1 <= room):
            break
    table = _cut(table, max(room - least, 1), "… v shows the whole table")
    aim = _aim(sitting, ask.seat)
    if len(table) + len(aim) <= room:
        # Who has just sat down wants to know that first; of what was laid out, the last lines do.
        head, room = [*head, *aim], room - len(aim)
    happened = news.latest(happened, room - len(table), private)
    return [*head, *happened, screen.rule(), *table, screen.rule(), *question]


def _aim(sitting: Sitting, seat: int) -> list[str]:
    """What the game is about, for somebody who has not answered anything yet."""
    aim = sitting.game.program.looks.aim
    if not aim or any(entry.seat == seat for entry in sitting.game.entries):
        return []
    return wrapped(visible(aim), sitting.screen.columns)


def noted(screen: Screen, notice: str) -> list[str]:
    """What is said, wrapped; what stands below it is to be copied, and so never broken."""
    said, *below = map(visible, notice.split("\n"))
    lines = [*wrapped(f"! {said}", screen.columns, "  "), *(f"  {line}" for line in below)]
    return [screen.paint("note", line) for line in lines]


def whole_table(sitting: Sitting, seat: int) -> list[str]:
    """The table as this person sees it, however long that is."""
    facts, columns = sitting.game.view(seat).facts, sitting.screen.columns
    program = sitting.game.program
    return [view.headline(program, facts, columns), *view.table(program, facts, columns)]


def _cut(lines: list[str], room: int, more: str) -> list[str]:
    return lines if len(lines) <= room else [*lines[: room - 1], more]
