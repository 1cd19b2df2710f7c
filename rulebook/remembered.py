"""What was wrong with a game the last time it was checked, if nothing has changed since.

In: what `validation.problems` is given. Out: what it would say, from the user's cache folder if the same was checked
before, else by checking. Never: guesses from a time or a size what may have changed: the key is a hash of every byte
that a check could read, this program's own among them, and of the paths by which messages call the files. What changed
while the check ran is not kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rulebook import cache
from rulebook.diagnostics import Diagnostic, Edit, Fix, Label
from rulebook.fingerprints import fingerprint, program_as_written
from rulebook.library import SCENARIOS, VARIANTS
from rulebook.source import SourceFile, Span

__all__ = ["problems"]


def problems(folder: Path, variants: Sequence[Path] = ()) -> list[Diagnostic]:
    """What is wrong with a game, its scenarios and its variants, or with the game under these variants."""
    if cache.folder() is None:
        return _checked(folder, variants)
    # A start that has nothing to keep does not need it.
    from hashlib import blake2b

    asked = [os.getcwd(), str(folder), str(folder.resolve()), *map(str, variants)]
    name = f"checked-{blake2b(repr(asked).encode(errors='surrogateescape'), digest_size=12).hexdigest()}.json"
    key = _key(asked, folder, variants)
    plain = None if key is None else cache.read(name, key)
    if plain is not None:
        return _Told(plain).found()
    found = _checked(folder, variants)
    if key is not None and _key(asked, folder, variants) == key:
        cache.write(name, key, _plain(found))
    return found


def _checked(folder: Path, variants: Sequence[Path]) -> list[Diagnostic]:
    # It reads the whole language, which takes longer than all that is done here.
    from rulebook import validation

    return validation.problems(folder, variants)


def _key(asked: Sequence[str], folder: Path, variants: Sequence[Path]) -> str | None:
    """A hash of all that the answer depends on; None if some of it cannot be read."""
    places = [folder, folder / VARIANTS, folder / SCENARIOS, *(file.parent for file in variants)]
    return fingerprint(asked, places, variants, program_as_written())


# ── messages as plain data ───────────────────────────────────────────────────────────────────────────────────────────


def _plain(found: Iterable[Diagnostic]) -> dict[str, Any]:
    """Messages, and the texts that they point into, each once."""
    files: dict[tuple[str, str], int] = {}

    def place(span: Span | None) -> list[int] | None:
        if span is None:
            return None
        return [files.setdefault((span.file.name, span.file.text), len(files)), span.start, span.end]

    told = [
        {
            "code": one.code,
            "message": one.message,
            "span": place(one.span),
            "help": one.help,
            "labels": [[place(label.span), label.text] for label in one.labels],
            "severity": one.severity,
            "confidence": one.confidence,
            "where": one.where,
            "fix": one.fix and [one.fix.title, [[place(edit.span), edit.text] for edit in one.fix.edits], one.fix.safe],
        }
        for one in found
    ]
    return {"files": list(files), "found": told}


class _Told:
    """Messages from plain data."""

    def __init__(self, plain: Any) -> None:
        self._files = [SourceFile(name, text) for name, text in plain["files"]]
        self._plain = plain["found"]

    def found(self) -> list[Diagnostic]:
        return [self._message(**one) for one in self._plain]

    def _message(self, span: Any, labels: Any, fix: Any, **same: Any) -> Diagnostic:
        labelled = tuple(Label(self._span(at), text) for at, text in labels)
        return Diagnostic(
            span=None if span is None else self._span(span), labels=labelled, fix=fix and self._fix(*fix), **same
        )

    def _fix(self, title: str, edits: Any, safe: bool) -> Fix:
        return Fix(title, tuple(Edit(self._span(at), text) for at, text in edits), safe)

    def _span(self, at: Any) -> Span:
        number, start, end = at
        return Span(self._files[number], start, end)
