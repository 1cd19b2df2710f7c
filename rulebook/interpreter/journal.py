"""A game as a file: a first line that says which game it is, then one line for each answer.

In: a `Header` and `Entry` records, or the path of a file that holds them. Out: the same, as JSON, one object
a line; what is wrong with a file is said as `BadSave`, with file, line and what to do. Answers that people
gave have a seat's number; an outcome that was asked of whoever draws is an answer of the seat `chance`.

Never: a state. A game is loaded by playing its answers again (`Game.replay`), so a save outlives every change
of how states are laid out, and an answer that its rules do not allow is found.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeGuard

from attrs import asdict, field, frozen

from rulebook.version import __version__

FORMAT = 1
"""What this program writes, and the newest it reads."""

CHANCE: Literal["chance"] = "chance"


class BadSave(Exception):
    """A save that cannot be read: which file, which line (0: all of it), why, and what to do about it."""

    def __init__(self, file: str, line: int, reason: str, help: str) -> None:
        super().__init__(f"{file}{f', line {line}' if line else ''}: {reason} {help}".rstrip())
        self.file, self.line, self.reason, self.help = file, line, reason, help


@frozen
class Header:
    """Which game was played, by whom, under which rules, and what it began with.

    `game` is the rulebook's id, `rules` the files it was resolved from (name to text), `given` what lay on
    the table if the game did not begin with its own set-up, and `rulebook` the version of this program. `at` is
    how the game was named, then each variant, so that whatever folder it is called in finds them; it may be empty.
    `bots` is the kind of bot in each seat, empty for a person; it may hold none at all, and holds no command: a save
    that somebody sends must not start a program.
    """

    game: str
    rules_hash: str
    seats: tuple[str, ...]
    seed: int
    rules: dict[str, str] = field(factory=dict, repr=False)
    options: dict[str, Any] = field(factory=dict)
    variants: tuple[str, ...] = ()
    given: Any = None
    at: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    rulebook: str = __version__
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """The header in the order in which people read it."""
        order = "format rulebook game at rules_hash rules seats bots options variants seed given"
        values = asdict(self, recurse=False)
        return {name: values[name] for name in order.split()}


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


def lines(header: Header, entries: Sequence[Entry], over: bool = False) -> list[str]:
    """A save as text, line by line, without line breaks."""
    last = len(entries) - 1 if over else None
    return [_line(header.to_json()), *(_line(entry.to_json(at == last)) for at, entry in enumerate(entries))]


def write(path: Path, header: Header, entries: Sequence[Entry] = (), over: bool = False) -> None:
    """Write a whole save, so that the path holds either the old file or the new one, never a half of each."""
    text = "".join(line + "\n" for line in lines(header, entries, over))
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _settle(path.parent)


def append(path: Path, entry: Entry, over: bool = False) -> None:
    """Add one answer at the end of a save, and come back only when it is on the disk.

    A torn last line, left by a computer that stopped in the middle of a write, is cut off first: what follows
    it would be lost with it.
    """
    with path.open("r+b") as file:
        data = file.read()
        sound = data[: _sound_length(data)]
        file.seek(len(sound))
        file.truncate()
        between = b"" if sound.endswith(b"\n") else b"\n"
        file.write(between + _line(entry.to_json(over)).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _settle(folder: Path) -> None:
    """Make a rename last: on some systems the folder is written later than the file in it."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# ── reading ────────────────────────────────────────────────────────────────────────────────────────────────


def read(path: Path) -> Journal:
    """Read a save. Raises `BadSave`, or OSError when there is no such file."""
    return parse(path.read_bytes(), str(path))


def parse(data: bytes, name: str = "save") -> Journal:
    """Read the bytes of a save; `name` is what messages call it."""
    sound = data[: _sound_length(data)]
    torn = data[len(sound) :]
    rows = sound.split(b"\n")
    if not rows[-1]:
        rows.pop()
    if not rows:
        reason = "The file is empty." if not torn else "Not even the first line is whole."
        raise BadSave(name, 0, reason, "There is no game in it to go on with; begin a new one.")
    header = _header(rows[0], name)
    entries = tuple(_entry(row, number, len(header.seats), name) for number, row in enumerate(rows[1:], 2))
    notice = ""
    if torn:
        notice = f"{name}, line {len(rows) + 1}: it was cut off while it was written, and is left out."
    over = len(rows) > 1 and _object(rows[-1], len(rows), name).get("over") is True
    return Journal(header, entries, notice, over)


def _sound_length(data: bytes) -> int:
    """How many bytes are whole lines; a last line without its line break counts if it is whole otherwise."""
    end = data.rfind(b"\n") + 1
    try:
        json.loads(data[end:])
    except (ValueError, RecursionError):
        return end
    return len(data)


def _object(row: bytes, line: int, name: str) -> dict[str, Any]:
    try:
        value = json.loads(row)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    if line == 1:
        raise BadSave(name, 1, "This is not a saved game.", "A save begins with a line that names the game.")
    raise _damaged(name, line, "this line is damaged.")


def _damaged(name: str, line: int, reason: str) -> BadSave:
    help = f"Take the file from a backup, or keep only the lines before {line}: the game goes on from there."
    return BadSave(name, line, reason[0].upper() + reason[1:], help)


def _header(row: bytes, name: str) -> Header:
    value = _object(row, 1, name)
    found = value.get("format")
    if not _is_whole(found):
        raise BadSave(name, 1, "This is not a saved game: it says no format.", "Choose another file.")
    if found > FORMAT:
        reason = f"The save is of format {found}, and this program reads formats up to {FORMAT}."
        writer = value.get("rulebook", "a newer version")
        raise BadSave(name, 1, reason, f"It was written by rulebook {writer}: install that, or a newer one.")
    if found < 1:
        raise BadSave(name, 1, f"There is no save format {found}.", "Choose another file.")
    rules = value.get("rules", {})
    checks = {
        "game": isinstance(value.get("game"), str),
        "rules_hash": isinstance(value.get("rules_hash"), str),
        "seats": _are_texts(value.get("seats")) and value["seats"] != [],
        "seed": _is_whole(value.get("seed")),
        "rules": isinstance(rules, dict) and _are_texts(list(rules.values())),
        "options": isinstance(value.get("options", {}), dict),
        "variants": _are_texts(value.get("variants", [])),
        "at": _are_texts(value.get("at", [])),
        "bots": _are_texts(value.get("bots", [])),
        "rulebook": isinstance(value.get("rulebook", ""), str),
    }
    for key, good in checks.items():
        if not good:
            help = "Without it the game cannot be played again: take the file from a backup."
            raise BadSave(name, 1, f"`{key}` is missing or damaged.", help)
    return Header(
        game=value["game"],
        rules_hash=value["rules_hash"],
        seats=tuple(value["seats"]),
        seed=value["seed"],
        rules=rules,
        options={name: _in_tuples(one) for name, one in value.get("options", {}).items()},
        variants=tuple(value.get("variants", [])),
        given=value.get("given"),
        at=tuple(value.get("at", [])),
        bots=tuple(value.get("bots", [])),
        rulebook=value.get("rulebook", ""),
        format=found,
    )


def _in_tuples(value: Any) -> Any:
    """JSON knows only lists; the table of an option is of tuples, as when the save was written."""
    return tuple(map(_in_tuples, value)) if isinstance(value, list) else value


def _entry(row: bytes, line: int, seats: int, name: str) -> Entry:
    value = _object(row, line, name)
    seat, number, answer = value.get("seat"), value.get("number"), value.get("answer")
    if not (seat == CHANCE or (_is_whole(seat) and 0 <= seat < seats)):
        raise _damaged(name, line, f"there is no seat {json.dumps(seat)} among {seats}, counted from 0.")
    if not _is_whole(number) or number < 0:
        raise _damaged(name, line, "the number of the decision is missing or damaged.")
    if not _are_texts(answer):
        raise _damaged(name, line, "the answer is missing or damaged; it is a list of keys.")
    return Entry(seat, number, tuple(answer))


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
