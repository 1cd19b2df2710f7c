"""The games whose files are open in an editor, as they are written and not as they were saved.

In: texts by their files. Out: messages about the game alone; declared names, and every place where they stand. Never:
writes a file; knows what an editor is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from attrs import define, field

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.reading.folder import merge
from rulebook.dsl.reading.reader import read_file
from rulebook.dsl.reading.unsaved import with_unsaved
from rulebook.dsl.secrets.taint import without_secrets
from rulebook.dsl.structuring.declarations import Declared, list_declared
from rulebook.library import RULES, SCENARIOS, VARIANTS, rule_files, scenario_files, variants_of
from rulebook.loading import load
from rulebook.lsp.occurrences import LANGUAGE, Piece, list_pieces_of_file, list_pieces_of_variant

__all__ = ["ABOVE_SCENARIOS", "Names", "OpenGame", "find_folder"]

ABOVE_SCENARIOS = ("scenarios file",)
"""Stands before all keys of a file of scenarios."""


def find_folder(file: Path) -> Path | None:
    """Find the folder of the game that a file belongs to; None if it belongs to none."""
    folder = file.parent.parent if file.parent.name in (VARIANTS, SCENARIOS) else file.parent
    return folder if (folder / RULES).is_file() or file.name == RULES else None


@frozen
class Names:
    """All that is declared, by its name, and all places of words that may be names, by their files."""

    declared: dict[str, list[Declared]]
    pieces: dict[Path, list[Piece]]

    def is_declared(self, word: str) -> bool:
        """Tell whether the game gives this name: what the language means by it is not its own."""
        return word in self.declared and word not in LANGUAGE

    def find_pieces(self, word: str) -> Iterator[tuple[Path, Piece]]:
        """Yield every place of a word, file by file."""
        for file, pieces in self.pieces.items():
            yield from ((file, piece) for piece in pieces if piece.word == word)

    def find_piece(self, file: Path, offset: int) -> Piece | None:
        """Find the word at an offset of a file, or just before it."""
        for piece in self.pieces.get(file, ()):
            span = piece.scalar.locate(piece.start, piece.end)
            if span.start <= offset <= span.end:
                return piece
        return None


@define(eq=False)
class OpenGame:
    """A game, some of whose files are open; `texts` are these, by resolved paths."""

    folder: Path
    texts: dict[Path, str] = field(factory=dict)
    sound: Rulebook | None = None
    """The game as it was when it last had no mistakes."""
    _names: Names | None = None
    _found: dict[bool, list[Diagnostic]] = field(factory=dict)
    """The messages about the game itself, without its secrets and with them, since one of its own files has changed."""

    def take_text(self, file: Path, text: str | None) -> None:
        """Take the text that a file has in the editor now; None: it is closed, and the file itself counts."""
        if text is None:
            self.texts.pop(file, None)
        else:
            self.texts[file] = text
        self._names = None
        if file.parent.name not in (VARIANTS, SCENARIOS):
            self._found.clear()

    def forget(self) -> None:
        """Read the files again: one that is not open has changed."""
        self._names = None
        self._found.clear()

    @contextmanager
    def _as_written(self) -> Iterator[None]:
        with with_unsaved(self.texts):
            yield

    def check_quickly(self, *, secrets: bool) -> list[Diagnostic]:
        """Find what is certainly wrong with the game itself; the `secrets` that it tells take longer than the rest."""
        if secrets not in self._found:
            with self._as_written(), nullcontext() if secrets else without_secrets():
                loaded = load(self.folder)
            self.sound = loaded.rulebook or self.sound
            self._found[secrets] = loaded.messages
        return self._found[secrets]

    @property
    def own_files(self) -> list[Path]:
        """The files of the game itself, without variants and scenarios."""
        return [file.resolve() for file in rule_files(self.folder)]

    def list_names(self) -> Names:
        """List its names and where they stand; of a file that cannot be read, nothing."""
        if self._names is None:
            with self._as_written():
                self._names = self._read_names()
        return self._names

    def _read_names(self) -> Names:
        maps = {file.resolve(): read_file(file)[0] for file in rule_files(self.folder)}
        whole = [top for top in maps.values() if top is not None]
        if not whole:
            return Names({}, {})
        merged, _ = merge(whole)
        declared: dict[str, list[Declared]] = {}
        for entry in list_declared(merged):
            declared.setdefault(entry.name, []).append(entry)
        pieces = {file: list_pieces_of_file(file, ()) for file in maps}
        for file in variants_of(self.folder):
            overlaid = list_pieces_of_variant(file, merged, self.folder.name)
            pieces[file.resolve()] = [] if overlaid is None else overlaid[1]
        for file in scenario_files(self.folder):
            pieces[file.resolve()] = list_pieces_of_file(file, ABOVE_SCENARIOS)
        return Names(declared, pieces)
