"""The load cache: a game's rulebook, or what `validate` said about it, kept in the user's cache folder.

What is kept lies under a hash of every byte that was read, of the paths by which messages call the files, and of this
program; what changed while the data was made is not kept. Of this program the hash takes the name, size and time of
each file, as Python itself does before it runs what it translated earlier: where these deceive, another program runs
already.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rulebook import cache as files
from rulebook.library import SCENARIOS, SHEETS, VARIANTS, leads_out, picture_files

if TYPE_CHECKING:
    from rulebook.dsl.ir import Rulebook

_PROGRAM = os.path.dirname(os.path.dirname(__file__))
_READER = "yaml"
"""The one library that has a say in what is found."""

_NO_PROGRAM = ("__pycache__", "cards")
"""Folders of the program in which none of it lies."""

_LARGEST = 16 * 1024 * 1024  # bytes; a check would refuse such a file for its size

Kind = Literal["loaded", "checked"]


class LoadCache:
    """The kept file of one game under some variants, as asked for from one folder.

    A `loaded` game depends on its own files and those beside its variants (messages name what could have been meant),
    a `checked` one also on its scenarios and all its variants.
    """

    def __init__(self, kind: Kind, game: Path, variants: Sequence[Path]) -> None:
        self._asked = [os.getcwd(), str(game), str(game.resolve()), *map(str, variants)]
        self._variants = variants
        self._pictured = game if kind == "checked" else None
        self._folders = [game, *(file.parent for file in variants)]
        if variants or kind == "checked":
            self._folders.append(game / VARIANTS)
        if kind == "checked":
            self._folders.append(game / SCENARIOS)
        # One file for whoever asks the same, however often the game changes.
        self._name = files.name_file(kind, repr(self._asked))
        self._key = None if files.find_folder() is None else self._fingerprint()

    def recall(self) -> Any:
        """The data that was kept, or None."""
        return None if self._key is None else files.read_data(self._name, self._key)

    def keep(self, data: Any) -> bool:
        """Keep plain data, unless a file has changed since this cache was made; tell whether it was so."""
        if self._key is None or self._fingerprint() != self._key:
            return False
        files.write_data(self._name, self._key, data)
        return True

    def mark(self, rulebook: Rulebook) -> None:
        """Let what is made of this rulebook, which was kept, be kept too."""
        if self._key is not None:
            object.__setattr__(rulebook, "kept_as", (repr(self._asked), self._key))

    def _fingerprint(self) -> str | None:
        """Hash everything that a load or check can read; None if some of it cannot be read."""
        program = fingerprint_program()
        if program is None:
            return None
        hashed = _hash(repr([sys.version, program, *self._asked]))
        try:
            listed = (path for folder in dict.fromkeys(self._folders) for path in _list_names(folder))
            for path in (*listed, *map(str, self._variants)):
                if not os.path.isfile(path) or leads_out(Path(path)):
                    hashed.update(f"{path!r} is no file\n".encode(errors="surrogateescape"))
                    continue
                if os.path.getsize(path) > _LARGEST:
                    return None
                # All of a file is wanted at once: a buffer would only be copied.
                with open(path, "rb", buffering=0) as file:
                    data = file.read()
                hashed.update(f"{path!r} {len(data)}\n".encode(errors="surrogateescape") + data)
            for picture in () if self._pictured is None else picture_files(self._pictured):
                hashed.update(f"{_stamp(str(picture), picture.stat())!r}\n".encode(errors="surrogateescape"))
        except OSError:
            return None
        return str(hashed.hexdigest())


@cache
def fingerprint_program() -> str | None:
    """Hash the stamps of this program's files; None if it does not lie in a folder, so nobody knows which it is."""
    reader = find_spec(_READER)
    try:
        stamps = sorted(_stamps(_PROGRAM))
        if reader is not None and reader.origin is not None:
            # The file that tells the library's version stands for all of it.
            stamps.append(_stamp(reader.origin, os.stat(reader.origin)))
    except OSError:
        return None
    if not any(path == __file__ for path, *_ in stamps):
        return None
    return str(_hash(repr(stamps)).hexdigest())


def _stamps(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                yield _stamp(entry.path, entry.stat())
            elif entry.name not in _NO_PROGRAM:
                yield from _stamps(entry.path)


def _stamp(path: str, of: os.stat_result) -> tuple[str, int, int]:
    return path, of.st_size, of.st_mtime_ns


def _list_names(folder: Path) -> Iterator[str]:
    """The folder, and whatever in it a check could take for a file of a game; it does not look into other files."""
    if folder.is_dir() and not leads_out(folder):
        yield str(folder)
        for name in sorted(os.listdir(folder)):
            if name.lower().endswith((".yaml", ".yml", *SHEETS)):
                yield os.path.join(folder, name)


def _hash(text: str) -> Any:
    # A start that has nothing to keep does not need it.
    from hashlib import blake2b

    return blake2b(text.encode(errors="surrogateescape"), digest_size=32)
