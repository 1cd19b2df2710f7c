"""Texts of files as they stand in an editor, and not yet on the disk: what reads the file reads these instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

__all__ = ["find_unsaved", "with_unsaved"]

_unsaved: ContextVar[Mapping[Path, str]] = ContextVar("unsaved")


@contextmanager
def with_unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Read these texts, by the resolved paths of their files, as long as this lasts."""
    before = _unsaved.set(texts)
    try:
        yield
    finally:
        _unsaved.reset(before)


def find_unsaved(path: Path) -> str | None:
    """Return the text that stands for a file now; None if the file itself counts."""
    texts = _unsaved.get(None)
    return texts.get(path.resolve()) if texts else None
