"""Files and folders almost in the right place: nothing reads them, and nobody would notice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from attrs import fields

from rulebook.diagnostics import Diagnostic, diagnose, nearest
from rulebook.library import RULES, SCENARIOS, VARIANTS
from rulebook.source import SourceFile, Span, show_path

_FOLDERS = (VARIANTS, SCENARIOS)
_ENDINGS = (".yml", ".yaml.txt", ".yml.txt", ".ymal", ".yalm", ".yam")
"""Endings of files that were to end in `.yaml`. Of copies that editors make, nobody expects that they are read."""


def find_misplaced_in(game: Path) -> list[Diagnostic]:
    """The messages about the files in a game's folder and in the folders below it."""
    names = []
    for folder, below, files in os.walk(game):
        path = Path(folder).relative_to(game)
        names += [(path / name).as_posix() for name in sorted(files)]
        deepest = len(path.parts) == 2 or not (path == Path() or path.parts[0] in _FOLDERS)
        below[:] = [] if deepest else sorted(folder for folder in below if not folder.startswith("."))
    return list(find_misplaced(names, f"{show_path(game / RULES).removesuffix(RULES)}"))


def find_misplaced(names: Sequence[str], before: str = "") -> Iterator[Diagnostic]:
    """The messages about files of these names in a game's folder; in messages, `before` stands before them."""
    paths = [PurePosixPath(name) for name in names if not PurePosixPath(name).name.startswith(".")]
    for folder in dict.fromkeys(path.parent for path in paths):
        inside = [path for path in paths if path.parent == folder]
        help = _find_place(folder, inside)
        if help:
            yield _report_file(f"{before}{folder}", help)
        elif str(folder) in (".", *_FOLDERS):
            yield from _report_misnamed(inside, before)


def _report_misnamed(files: Iterable[PurePosixPath], before: str) -> Iterator[Diagnostic]:
    for path in files:
        ending = next((ending for ending in _ENDINGS if path.name.lower().endswith(ending)), None)
        if ending is None and path.suffix.lower() == ".yaml" != path.suffix:
            ending = path.suffix
        # Beside the rules, `.yml` is an error of its own.
        if ending is not None and (path.parts[:-1] or path.suffix.lower() not in (".yaml", ".yml")):
            yield _report_file(f"{before}{path}", f"Rename it to `{path.name[: -len(ending)]}.yaml`.")


def _find_place(folder: PurePosixPath, inside: Sequence[PurePosixPath]) -> str:
    """Return the folder where the files of a folder belong; empty if nobody is mistaken."""
    if not any(path.suffix in (".yaml", ".yml") for path in inside) or any(path.name == RULES for path in inside):
        return ""
    match folder.parts:
        case [above, _] if above in _FOLDERS:
            return f"Its files belong into `{above}` itself."
        case [name] if name not in _FOLDERS:
            if name in _sections():
                return f"Its files belong beside `{RULES}`."
            if near := nearest(name, _FOLDERS):
                return f"Rename it to `{near}`."
    return ""


def _sections() -> set[str]:
    # Every check looks for such files, and hardly any finds one.
    from rulebook.dsl.schema import Document

    return {field.name for field in fields(Document)}


def _report_file(name: str, help: str) -> Diagnostic:
    return diagnose("RB116", Span(SourceFile(name, ""), 0, 0), name=name.rpartition("/")[2], help=help)
