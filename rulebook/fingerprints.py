"""What an answer was made from, as one short text: whoever kept an answer under it finds it only if all is the same.

In: words, folders and files. Out: a hash of the words, of the version of Python, of this program, and of the name and
every byte of each file that a game could have there. Never: guesses from a time or a size whether a file of a game is
the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["fingerprint", "program_as_translated", "program_as_written"]

_READER = "yaml"
"""The one library that has a say in what is found."""

_NO_PROGRAM = ("__pycache__", "cards")
"""Folders of the program in which none of it lies."""

_LARGEST = 16 * 1024 * 1024  # bytes; a check would refuse such a file for its size


def fingerprint(
    words: Sequence[str], places: Iterable[Path], files: Iterable[Path], program: bytes | None
) -> str | None:
    """Of these words, of all files that a game could have in these folders, of these files, and of a program.

    None if something cannot be read, or if nobody knows which program it is.
    """
    # A start that has nothing to keep does not need it.
    from hashlib import blake2b

    if program is None:
        return None
    hashed = blake2b(repr([sys.version, *words]).encode(errors="surrogateescape"), digest_size=32)
    hashed.update(program)
    try:
        for path in (*(path for place in dict.fromkeys(places) for path in _written(place)), *map(str, files)):
            if not os.path.isfile(path):
                hashed.update(f"{path!r} is no file\n".encode(errors="surrogateescape"))
                continue
            if os.path.getsize(path) > _LARGEST:
                return None
            _add(hashed, path)
    except OSError:
        return None
    return hashed.hexdigest()


@cache
def program_as_written() -> bytes | None:
    """A hash of this program, byte for byte, as it was when it was first asked for: what runs is read from its files
    once. None if it does not lie in a folder, so that nobody knows whether it is the same.
    """
    from hashlib import blake2b

    hashed = blake2b(digest_size=32)
    try:
        program = list(_program(os.path.dirname(__file__)))
        for path in program:
            _add(hashed, path)
    except OSError:
        return None
    return hashed.digest() if __file__ in program else None


@cache
def program_as_translated() -> bytes | None:
    """The same in a quarter of the time: of each file its size and when it was written, which is all that Python itself
    looks at before it runs what it translated earlier. Where these are wrong, another program runs already.
    """
    from hashlib import blake2b

    reader = find_spec(_READER)
    try:
        stamps = sorted(_stamps(os.path.dirname(__file__)))
        if reader is not None and reader.origin is not None:
            stamps.append(_stamp(reader.origin, os.stat(reader.origin)))
    except OSError:
        return None
    if not any(path == __file__ for path, *_ in stamps):
        return None
    return blake2b(repr(stamps).encode(errors="surrogateescape"), digest_size=32).digest()


def _stamps(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                yield _stamp(entry.path, entry.stat())
            elif entry.name not in _NO_PROGRAM:
                yield from _stamps(entry.path)


def _stamp(path: str, of: os.stat_result) -> tuple[str, int, int]:
    return path, of.st_size, of.st_mtime_ns


def _add(hashed: Any, path: str) -> None:
    # All of a file is wanted at once: a buffer would only be copied.
    with open(path, "rb", buffering=0) as file:
        data = file.read()
    hashed.update(f"{path!r} {len(data)}\n".encode(errors="surrogateescape") + data)


def _written(folder: Path) -> Iterator[str]:
    """Whatever a check could take for a file of a game; it does not look into other files."""
    if folder.is_dir():
        yield str(folder)
        for name in sorted(os.listdir(folder)):
            if name.lower().endswith((".yaml", ".yml")):
                yield os.path.join(folder, name)


def _program(package: str) -> Iterable[str]:
    """This program, and the library that reads YAML, of which the file that tells its version stands for all."""
    reader = find_spec(_READER)
    if reader is not None and reader.origin is not None:
        yield reader.origin
    for here, folders, files in os.walk(package):
        folders[:] = sorted(one for one in folders if one not in _NO_PROGRAM)
        yield from (os.path.join(here, file) for file in sorted(files))
