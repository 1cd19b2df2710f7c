"""Probes: the counters that lowering asks of a report of coverage, one for each point in the rules.

In: places in the source and what may happen there. Out: what is called each time it does. Never:
counts; changes what a script does or a question answers.

Without `Probes` lowering writes nothing of this, so that nobody pays who does not watch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulebook.dsl import ir
from rulebook.dsl.document import At

Count = Callable[[], None]
"""Called each time that something happens."""


Piece = ir.Sentence | ir.Line


class Probes(Protocol):
    """A watcher. The same place and the same `what` are the same point, however often they are lowered."""

    def point(self, at: At | None, what: str, text: str = "", block: Sequence[Piece] = ()) -> Count | None:
        """Return the counter to call when `what` happens at a place; None if nobody wants to know.

        `text` tells apart what happens at one place; `block` is what runs then.
        """

    def hook(self, id: str, hook: str) -> Count | None:
        """Return the counter to call when a card or action, by its id, does or answers what it has for a hook."""


def label_text(label: ir.Expr) -> str:
    """A label as it is written."""
    if isinstance(label, ir.Const):
        return str(label.value)
    return label.at.span.text.strip('"') if label.at is not None else ""


def list_texts(source: ir.Source) -> tuple[str, ...]:
    """The words and texts of a list that is written out; of any other list none."""
    match source.list:
        case ir.Const(tuple(all_of_them)):
            values: tuple[object, ...] = all_of_them
        case ir.Listed(items):
            values = tuple(item.value for item in items if isinstance(item, ir.Const))
        case _:
            values = ()
    return tuple(value for value in values if isinstance(value, str))
