"""Files that a command writes, and the names of the game that they are about.

In: paths and texts; the folder of a game. Out: files; or one sentence, and exit code 2, if they cannot be written.
Never: replaces what a person wrote: only `overwrite` replaces, and only what the program made itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

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
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    except OSError as failed:
        raise BadRequest(f"{file} cannot be written: {failed.strerror}.") from None


def begin(files: Mapping[Path, str]) -> None:
    """Write new files: all of them, or none if one is there already. BadRequest says which."""
    there = [str(file) for file in files if file.exists()]
    if there:
        are = "is" if len(there) == 1 else "are"
        raise BadRequest(f"{' and '.join(there)} {are} there already. Nothing was written.")
    for file, text in files.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8", newline="\n") as made:
                made.write(text)
        except OSError as failed:
            raise BadRequest(f"{file} cannot be written: {failed.strerror}.") from None
