"""Mistakes that mend themselves: the safe fixes of messages, made in the files.

After each round the game is checked again, since one mistake may have hidden another; what is mended once gives no
message again, so a second run changes nothing.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from attrs import Factory, define

from rulebook.diagnostics import Diagnostic, Edit
from rulebook.files import replace
from rulebook.library import leads_out
from rulebook.source import LARGEST_FILE, SourceFile
from rulebook.validation import files_of

_MOST_ROUNDS = 50  # a file can hide its next mistakes that often before somebody should look at it
_MARK = b"\xef\xbb\xbf"
Check = Callable[[Path], list[Diagnostic]]


@define
class Changed:
    """A file that was changed: its path, its text before and now, and what was done, each with how often."""

    path: Path
    before: str
    now: str
    done: dict[str, int] = Factory(dict)


def apply_fixes(game: Path, check: Check, *, unsafe: bool = False) -> list[Changed]:
    """Make all safe fixes in the files of a game, with `unsafe` the others, too, and say which files changed."""
    changed: dict[Path, Changed] = {}
    for _ in range(_MOST_ROUNDS):
        edits = _edits(check(game), unsafe)
        if not edits:
            break
        for file, mine in edits.items():
            path = Path(os.path.abspath(file.name))
            fixed = changed.setdefault(path, Changed(Path(file.name), file.text, file.text))
            fixed.now = _edit_text(file.text, [edit for _, edit in mine])
            for title, _ in mine:
                fixed.done[title] = fixed.done.get(title, 0) + 1
            write_text(path, fixed.now)
    return list(changed.values())


def fixed_copy(game: Path, check: Check, *, unsafe: bool = False) -> list[Changed]:
    """Return what `apply_fixes` would do; the files stay as they are."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / game.resolve().name
        # What is no file, like a pipe, is left where it is: to copy it may never end.
        for path in (file for file in files_of(game) if file.is_file() and not leads_out(file)):
            (copy / path.relative_to(game)).parent.mkdir(parents=True, exist_ok=True)
            with path.open("rb") as file:
                (copy / path.relative_to(game)).write_bytes(file.read(LARGEST_FILE + 4))  # too large is too large
        changed = apply_fixes(copy, check, unsafe=unsafe)
        root = copy.resolve()
        for changed_file in changed:
            changed_file.path = game / changed_file.path.resolve().relative_to(root)
        return changed


def as_diff(changed: Iterable[Changed]) -> str:
    parts: list[str] = []
    for file in changed:
        name = file.path.as_posix()
        before, now = file.before.splitlines(keepends=True), file.now.splitlines(keepends=True)
        for line in difflib.unified_diff(before, now, name, name):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _edits(messages: Iterable[Diagnostic], unsafe: bool) -> dict[SourceFile, list[tuple[str, Edit]]]:
    """The edits of all fixes to be made, each with its title, by file. Of two that overlap, the second waits."""
    edits: dict[SourceFile, list[tuple[str, Edit]]] = {}
    files: dict[str, SourceFile] = {}
    for message in messages:
        if message.fix is None or not (message.fix.safe or unsafe):
            continue
        for edit in message.fix.edits:
            # A file that was read twice is two objects with one name.
            file = files.setdefault(edit.span.file.name, edit.span.file)
            mine = edits.setdefault(file, [])
            free = all(edit.span.end <= other.span.start or other.span.end <= edit.span.start for _, other in mine)
            if free and edit.span.text != edit.text:
                mine.append((message.fix.title, edit))
    return {file: mine for file, mine in edits.items() if mine}


def _edit_text(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def write_text(path: Path, text: str) -> None:
    """Put a new text into a file in one step, behind the byte order mark that may stand there."""
    mark = _MARK if path.read_bytes().startswith(_MARK) else b""
    replace(path, mark + text.encode("utf-8"))
