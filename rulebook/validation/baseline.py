"""Messages that are known already, kept in a file, so that a check fails only for new ones.

An entry is a code, a path (from the folder of the file), and a fingerprint of the line it is about, and not its number:
so it stays good when other lines come and go.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.plain_json import NotPlain, read_object

_FORMAT = 1


class BadBaseline(ValueError):
    """The file is no baseline; the text says why."""


@frozen(order=True)
class Entry:
    """One known message; `message` is only for people who read the file."""

    path: str
    code: str
    fingerprint: str
    message: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The part that is compared."""
        return self.path, self.code, self.fingerprint


def fingerprint(message: Diagnostic) -> str:
    """Return 16 hexadecimal digits of what the message says, and of which words of which line, without its place."""
    span = message.span
    line, words = ("", "") if span is None else (span.file.line(span.line), span.text)
    text = "\0".join((message.code, message.message, *(" ".join(part.split()) for part in (line, words))))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def format_baseline(reported: Iterable[Diagnostic], folder: Path) -> str:
    """Write the file that makes all these messages known, if it stands in that folder."""
    entries = sorted(_make_entry(message, folder) for message in reported)
    messages = [
        {"path": row.path, "code": row.code, "fingerprint": row.fingerprint, "message": row.message} for row in entries
    ]
    return json.dumps({"baseline": _FORMAT, "messages": messages}, indent=2, ensure_ascii=False) + "\n"


def parse_baseline(data: bytes) -> list[Entry]:
    """Parse the entries of a file. Raises BadBaseline if it is none."""
    try:
        value = read_object(data)
    except NotPlain as error:
        raise BadBaseline(str(error)) from None
    if value.get("baseline") != _FORMAT or not isinstance(value.get("messages"), list):
        raise BadBaseline(f'it does not begin with `"baseline": {_FORMAT}` and a list of messages')
    entries = []
    for row in value["messages"]:
        parts = [row.get(name) for name in ("path", "code", "fingerprint", "message")] if isinstance(row, dict) else []
        texts = [part for part in parts if isinstance(part, str)]
        if len(texts) != 4:
            raise BadBaseline("an entry of it has no path, code, fingerprint and message")
        entries.append(Entry(*texts))
    return entries


def drop_known(
    messages: Sequence[Diagnostic], entries: Iterable[Entry], folder: Path, games: Sequence[Path]
) -> tuple[list[Diagnostic], list[Entry]]:
    """Return the messages that no entry knows, and the entries that no message needed.

    An entry knows one message. Entries about files outside of the games that were checked are left in peace.
    """
    entries = list(entries)
    left = Counter(entry.key for entry in entries)
    new = []
    for message in messages:
        key = _make_entry(message, folder).key
        if left[key]:
            left[key] -= 1
        else:
            new.append(message)
    gone = []
    roots = [os.path.abspath(game) for game in games]
    for entry in entries:
        path = os.path.abspath(folder / entry.path)
        if left[entry.key] and any(path.startswith(root + os.sep) for root in roots):
            left[entry.key] -= 1
            gone.append(entry)
    return new, gone


def _make_entry(message: Diagnostic, folder: Path) -> Entry:
    path = ""
    if message.span is not None:
        full = os.path.abspath(message.span.file.name)
        try:
            path = Path(os.path.relpath(full, os.path.abspath(folder))).as_posix()
        except ValueError:  # on another drive
            path = Path(full).as_posix()
    return Entry(path, message.code, fingerprint(message), message.message)
