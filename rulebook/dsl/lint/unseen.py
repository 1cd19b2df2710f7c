"""Lint: values that are to be shown, and that nobody may ever know.

Bad: `shown: {debt: }` beside `debt(p): p.owed`, where `owed` is `seen_by: nobody`. Good: a value of what somebody sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book


def find_unseen(book: Book) -> Iterator[Diagnostic]:
    """Shown values all of whose reading is of memories that nobody sees."""
    memories = book.rulebook.memories
    for name, shown in book.rulebook.display.shown.items():
        read = [record for home in book.below(f"values.{name}") for record in book.homes[home].records]
        hidden = {
            record.name
            for record in read
            if isinstance(record, ir.TableMemory | ir.PlayerMemory) and memories[record.name].seen_by == "nobody"
        }
        others = ir.TableMemory | ir.PlayerMemory | ir.PlaceOf | ir.AllCards | ir.State
        is_all = all(getattr(record, "name", None) in hidden for record in read if isinstance(record, others))
        if hidden and is_all and shown.at is not None:
            yield diagnose("RB524", shown.at.span, name=name, memory=min(hidden))
