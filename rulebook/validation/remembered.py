"""What was wrong with a game the last time it was checked, if nothing has changed since.

In: what `validation.problems` is given. Out: what it would say, from the user's cache folder if the same was checked
before, else by checking. Never: guesses from a time or a size what may have changed: the key is a hash of every byte
that a check could read, this program's own among them, and of the paths by which messages call the files. What changed
while the check ran is not kept.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rulebook import cache
from rulebook.diagnostics import Diagnostic
from rulebook.fingerprints import fingerprint, program_as_written
from rulebook.library import SCENARIOS, VARIANTS
from rulebook.source import SourceFile
from rulebook.validation.messages import plain_messages, told_messages

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
        return told_messages(plain["found"], [SourceFile(name, text) for name, text in plain["files"]])
    found = _checked(folder, variants)
    if key is not None and _key(asked, folder, variants) == key:
        told, files = plain_messages(found)
        cache.write(name, key, {"files": [(file.name, file.text) for file in files], "found": told})
    return found


def _checked(folder: Path, variants: Sequence[Path]) -> list[Diagnostic]:
    # It reads the whole language, which takes longer than all that is done here.
    from rulebook import validation

    return validation.problems(folder, variants)


def _key(asked: Sequence[str], folder: Path, variants: Sequence[Path]) -> str | None:
    """A hash of all that the answer depends on; None if some of it cannot be read."""
    places = [folder, folder / VARIANTS, folder / SCENARIOS, *(file.parent for file in variants)]
    return fingerprint(asked, places, variants, program_as_written())
