"""Files that a command writes, and the names of the game that they are about.

In: paths and texts; the folder of a game. Out: files; or one sentence, and exit code 2, if they cannot be written.
Never: replaces what a person wrote: only `overwrite` replaces, and only what the program made itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook import files
from rulebook.commands.failures import BadRequest, RulesFailed
from rulebook.commands.games import show

if TYPE_CHECKING:
    from rulebook.dsl.world import World


def names_of(folder: Path) -> World:
    """The names that a game declares; its scripts may have mistakes.

    A game that cannot be read, or an entry that does not fit, ends the command with all messages.
    """
    from rulebook.dsl.passes import check
    from rulebook.dsl.reading.folder import read_folder
    from rulebook.dsl.structuring.structure import structure

    merged, source, found = read_folder(folder)
    if merged is not None:
        authored, more = structure(merged, folder.resolve().name, source)
        found += more
        if authored is not None:
            return check(authored).world
    show(found)
    raise RulesFailed(f"The names in {folder} cannot be read before this is put right.")


def overwrite(file: Path, text: str) -> None:
    """Write a file that the program makes, anew if it was there."""
    try:
        os.makedirs(file.parent, exist_ok=True)
        files.replace(file, text.encode())
    except OSError as failed:
        raise BadRequest(f"{file} cannot be written: {failed.strerror}.") from None


def begin(texts: Mapping[Path, str]) -> None:
    """Write new files: all of them, or none if one is there already. BadRequest says which."""
    there = [str(file) for file in texts if os.path.lexists(file)]
    if there:
        are = "is" if len(there) == 1 else "are"
        raise BadRequest(f"{' and '.join(there)} {are} there already. Nothing was written.")
    made: list[Path] = []
    for file, text in texts.items():
        try:
            os.makedirs(file.parent, exist_ok=True)
            files.create(file, text.encode())
            made.append(file)
        except OSError as failed:
            for one in made:
                one.unlink()
            raise BadRequest(f"{file} cannot be written: {failed.strerror}.") from None
