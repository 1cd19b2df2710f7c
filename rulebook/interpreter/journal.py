"""A game as a file: a first line that says which game it is, then one line for each answer, JSON all of them.

Answers that people gave have a seat's number; an outcome that was asked of whoever draws is an answer of the seat
`chance`. No state is kept: a game is loaded by playing its answers again (`Game.replay`), so a save outlives every
change of how states are laid out, and an answer that its rules do not allow is found.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Protocol

from attrs import asdict, field

from rulebook import files
from rulebook.classes import frozen
from rulebook.interpreter import save_schema
from rulebook.plain_json import NotPlain, holds_too_much, read_object
from rulebook.version import __version__

FORMAT = 3
"""1: everybody could look into the box. Since 2 nobody can, unless the rules say so. Since 3 somebody presses a button,
the only label of a menu, which went by itself before."""
"""The format that this program writes, and the newest it reads."""

_LONGEST_REFUSAL = 200  # letters
_MOST_LINES = 100_000  # a game ends after some thousand answers

CHANCE: Literal["chance"] = "chance"


class BadSave(Exception):
    """A save that cannot be read: which file, which line (0: all of it), why, and what to do about it."""

    def __init__(self, file: str, line: int, reason: str, help: str) -> None:
        super().__init__(f"{file}{f', line {line}' if line else ''}: {reason} {help}".rstrip())
        self.file, self.line, self.reason, self.help = file, line, reason, help


@frozen
class Header:
    """The first line of a save: the game, the players, the rules, and what the game began with.

    `game` is the rulebook's id, `rules` the files it was resolved from (name to text), `given` what lay on
    the table if the game did not begin with its own set-up, and `rulebook` the version of this program. `at` is
    how the game was named, then each variant, so that whatever folder it is called in finds them; it may be empty.
    `bots` is the kind of bot in each seat, empty for a person; it may hold none at all, and holds no command: a save
    that somebody sends must not start a program. `nonce` was sealed with the seed, if the table wanted that.
    """

    game: str
    rules_hash: str
    seats: tuple[str, ...]
    seed: int = field(repr=False)  # whoever knows it knows what is hidden; nothing that is shown by chance tells it
    rules: dict[str, str] = field(factory=dict, repr=False)
    options: dict[str, Any] = field(factory=dict)
    variants: tuple[str, ...] = ()
    given: Any = None
    at: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    nonce: str = ""
    rulebook: str = __version__
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """The header in the order in which people read it."""
        values = asdict(self, recurse=False)
        return {name: values[name] for name in save_schema.HEADER}


@frozen
class Entry:
    """One answer: the seat (or `chance`), the number of its decision, and the keys it answered with."""

    seat: int | Literal["chance"]
    number: int
    answer: tuple[str, ...]

    def to_json(self, over: bool = False) -> dict[str, Any]:
        """One line of a save; `over` says that nobody is asked any more after this answer."""
        line: dict[str, Any] = {"seat": self.seat, "number": self.number, "answer": list(self.answer)}
        return {**line, "over": True} if over else line


@frozen
class Journal:
    """A whole save. `notice` is a sentence about a torn last line that was left out, or empty; `over` is whether the
    save says that the game had come to its end.
    """

    header: Header
    entries: tuple[Entry, ...]
    notice: str = ""
    over: bool = False


# ── writing ────────────────────────────────────────────────────────────────────────────────────────────────


def format_journal(header: Header, entries: Sequence[Entry], over: bool = False) -> list[str]:
    """A save as text, line by line, without line breaks."""
    last = len(entries) - 1 if over else None
    return [
        format_line(header.to_json()),
        *(format_line(entry.to_json(at == last)) for at, entry in enumerate(entries)),
    ]


def write_journal(
    path: Path, header: Header, entries: Sequence[Entry] = (), over: bool = False, is_new: bool = False
) -> None:
    """Write a whole save, so that the path holds either the old file or the new one, never a half of each.

    Nobody but its owner can read it: in the seed and the answers stands all that is hidden. With `is_new` there may be
    no file yet, or else FileExistsError is raised. Nothing is written, and OSError raised, if the header is one that
    could not be read again.
    """
    try:
        first = json.dumps(header.to_json()).encode()
        save_schema.check_fields(read_object(first), save_schema.HEADER)
    except (NotPlain, save_schema.Misfit) as misfit:
        raise OSError(errno.EINVAL, str(misfit).rstrip("."), str(path)) from None
    data = "".join(line + "\n" for line in format_journal(header, entries, over)).encode()
    (files.create if is_new else files.replace)(path, data, mode=0o600)


def append_entry(path: Path, entry: Entry, over: bool = False) -> None:
    """Add one answer at the end of a save, and come back only when it is on the disk.

    A torn last line, left by a computer that stopped in the middle of a write, is cut off first: what follows
    it would be lost with it. Where it cannot be written to its end, what has been written of it is cut off again.
    """
    with os.fdopen(files.open_ordinary(path, os.O_RDWR), "r+b", buffering=0) as file:
        data = file.read()
        sound, handle = data[: _sound_length(data)], file.fileno()
        file.seek(len(sound))
        os.ftruncate(handle, len(sound))
        between = b"" if sound.endswith(b"\n") else b"\n"
        try:
            files.write_all(handle, between + format_line(entry.to_json(over)).encode() + b"\n")
            os.fsync(handle)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(handle, len(sound))
            raise


class Keeper(Protocol):
    """A keeper of a game that goes on. Each method comes back only when what it wrote is safe.

    It raises OSError where that cannot be; then what was there before is there still, as far as that can be done.
    """

    def append(self, entry: Entry, over: bool) -> None:
        """Add one answer at the end."""

    def rewrite(self, header: Header, entries: Sequence[Entry], over: bool) -> None:
        """Put this in the place of all that was there: something was taken back."""


@frozen
class KeptFile:
    """A save in a file. `replaced` is called whenever another file has taken the place of that one."""

    path: Path
    replaced: Callable[[], None] | None = None

    def append(self, entry: Entry, over: bool) -> None:
        append_entry(self.path, entry, over)

    def rewrite(self, header: Header, entries: Sequence[Entry], over: bool) -> None:
        before = files.read_bytes(self.path)
        try:
            self._replace(lambda: write_journal(self.path, header, entries, over))
        except OSError:
            # It may have taken the place of the old one already, and somebody else may have that now.
            with suppress(OSError):
                if files.read_bytes(self.path) != before:
                    self._replace(lambda: files.replace(self.path, before, mode=0o600))
            raise

    def _replace(self, write: Callable[[], None]) -> None:
        write()
        if self.replaced is not None:
            self.replaced()


def format_line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# ── reading ────────────────────────────────────────────────────────────────────────────────────────────────


def read_journal(path: Path) -> Journal:
    """Read a save. Raises `BadSave`, or OSError when there is no such file."""
    return parse_journal(files.read_bytes(path), str(path))


def parse_journal(data: bytes, name: str = "save") -> Journal:
    """Read the bytes of a save; `name` is what messages call it."""
    if len(data) > files.LARGEST or data.count(b"\n") > _MOST_LINES or holds_too_much(data):
        raise BadSave(name, 0, "No saved game is as long as this file.", "Choose another file.")
    sound = data[: _sound_length(data)]
    torn = data[len(sound) :]
    rows = sound.split(b"\n")
    if not rows[-1]:
        rows.pop()
    if not rows:
        reason = "The file is empty." if not torn else "Not even the first line is whole."
        raise BadSave(name, 0, reason, "There is no game in it to go on with; begin a new one.")
    header = _parse_header(rows[0], name)
    seats = len(header.seats)
    entries = [_parse_entry(row, line, seats, name) for line, row in enumerate(rows[1:], 2)]
    notice = ""
    if torn:
        notice = f"{name}, line {len(rows) + 1}: it was cut off while it was written, and is left out."
    return Journal(header, tuple(entry for entry, _ in entries), notice, bool(entries) and entries[-1][1])


def _sound_length(data: bytes) -> int:
    """Count the bytes of whole lines; a last line without its line break counts if it is whole otherwise."""
    end = data.rfind(b"\n") + 1
    try:
        json.loads(data[end:])
    except (ValueError, RecursionError):
        return end
    return len(data)


def _parse_header(row: bytes, name: str) -> Header:
    try:
        value = read_object(row)
    except NotPlain:
        reason = "This is not a saved game."
        raise BadSave(name, 1, reason, "A save begins with a line that names the game.") from None
    version, writer = value.get("format"), value.get("rulebook")
    if not save_schema.is_number(version):
        raise BadSave(name, 1, "This is not a saved game: it says no format.", "Choose another file.")
    if version < 1:
        raise BadSave(name, 1, f"There is no save format {version}.", "Choose another file.")
    if version > FORMAT:
        writer = f"rulebook {writer}" if save_schema.is_text(writer, 40) else "a newer version"
        help = f"It was written by {writer}: install that, or a newer one."
        raise BadSave(name, 1, f"The save is of format {version}, and this program reads formats up to {FORMAT}.", help)
    try:
        save_schema.check_fields(value, save_schema.HEADER)
    except save_schema.Misfit as misfit:
        help = "Without it the game cannot be played again: take the file from a backup."
        if not misfit.field:
            by = f" by rulebook {writer}" if save_schema.is_text(writer, 40) else ""
            help = f"Play it on with the program that wrote it{by}."
        raise BadSave(name, 1, str(misfit), help) from None
    fields = {field: setting if field == "given" else in_tuples(setting) for field, setting in value.items()}
    return Header(**{"rulebook": "", **fields})


def in_tuples(value: Any) -> Any:
    """Lists as tuples, in maps too: JSON knows only lists, and what a game has settled is of tuples."""
    if isinstance(value, dict):
        return {name: in_tuples(item) for name, item in value.items()}
    return tuple(map(in_tuples, value)) if isinstance(value, list) else value


def _parse_entry(row: bytes, line: int, seats: int, name: str) -> tuple[Entry, bool]:
    """An answer, and whether it says that the game was over."""
    try:
        value = read_object(row)
        save_schema.check_fields(value, save_schema.ENTRY)
    except NotPlain:
        raise _report_damage(name, line, "This line is damaged.") from None
    except save_schema.Misfit as misfit:
        raise _report_damage(name, line, str(misfit)) from None
    seat, answer = value["seat"], tuple(value["answer"])
    if seat != CHANCE and seat >= seats:
        raise _report_damage(name, line, f"There is no seat {seat} among {seats}, counted from 0.")
    if seat == CHANCE and len(answer) != 1:
        raise _report_damage(name, line, "Chance has one outcome at a time.")
    return Entry(seat, value["number"], answer), value.get("over", False)


def _report_damage(name: str, line: int, reason: str) -> BadSave:
    return BadSave(name, line, reason, _advise_until(line))


def impossible(name: str, line: int, refused: Exception) -> BadSave:
    """Word the refusal of an answer in a save that the rules do not allow at that point."""
    why = "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(str(refused).split()))
    why = why if len(why) <= _LONGEST_REFUSAL else f"{why[:_LONGEST_REFUSAL]}…"
    return BadSave(name, line, f"The answer in this line is not possible at that point. ({why})", _advise_until(line))


def _advise_until(line: int) -> str:
    return f"Take the file from a backup, or keep only the lines before {line}: the game goes on from there."
