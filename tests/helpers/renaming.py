"""A game in which every declared name is nonsense, and everything else as it was.

In: the folder of a game, and where the copy shall lie. Out: the copy, variants and scenarios included, and which name
became which. A word becomes the same nonsense wherever it stands for something: as a key, as a leaf, as a name in a
script, in `{…}` inside a text, on the path of a variant. Words are told from keywords by the parser, as in the game
itself: a stage may be called `turn`. Never: touches what people read, or a name that the language itself gives a
meaning.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rulebook.cells import SheetFile
from rulebook.dsl.reading.folder import read_folder
from rulebook.library import SHEETS, scenario_files, variants_of
from rulebook.lsp.occurrences import WORD, Piece, collect_declared, list_pieces_of_file, list_pieces_of_variant
from rulebook.plurals import plural


@frozen
class Renamed:
    """The copy, and what each name became."""

    folder: Path
    names: dict[str, str]
    words: dict[str, str] = field(init=False)
    """The names, and several of each."""

    @words.default
    def _several(self) -> dict[str, str]:
        return {plural(old): plural(new) for old, new in self.names.items()} | self.names

    def word(self, text: str) -> str:
        """A text in which every word is renamed that is a declared name, or several of one (`2 chips`)."""
        return WORD.sub(lambda found: self.words.get(found[0], found[0]), text)

    def same(self, old: Any, new: Any, sorts: bool = True) -> bool:
        """Whether two plain values are the same but for the names.

        With `sorts`, a list that is sorted by names may stand in another order. In texts for people some words
        are names (a unit) and some only look like one, so there both must give the same text when all of them
        are renamed.
        """
        if isinstance(old, dict):
            keys = {self.word(key): value for key, value in old.items()}
            if not isinstance(new, dict):
                return False
            news = {self.word(key): value for key, value in new.items()}
            return keys.keys() == news.keys() and all(self.same(keys[key], news[key], sorts) for key in keys)
        if isinstance(old, list | tuple):
            if not isinstance(new, list | tuple) or len(old) != len(new):
                return False
            if sorts and old and all(isinstance(one, str) for one in old) and list(old) == sorted(old):
                return sorted(self.word(one) for one in old) == sorted(self.word(one) for one in new)
            return all(self.same(one, other, sorts) for one, other in zip(old, new, strict=True))
        if isinstance(old, str):
            return isinstance(new, str) and self.word(old) == self.word(new)
        return bool(old == new)


def rename(game: Path, parent: Path, seed: int = 0) -> Renamed:
    """Write the copy into a folder of the same name below `parent`."""
    merged, sources, found = read_folder(game)
    assert merged is not None, found
    sheets = {game / file: text for file, text in sources.items() if file.endswith(SHEETS)}
    pieces = {game / file: list_pieces_of_file(game / file, ()) for file in sources if game / file not in sheets}
    declared = collect_declared(merged, [piece for found in pieces.values() for piece in found])
    for path in variants_of(game):
        overlaid = list_pieces_of_variant(path, merged, game.name)
        assert overlaid is not None, path
        resolved, pieces[path] = overlaid
        declared |= collect_declared(resolved, pieces[path])
    for path in scenario_files(game):
        pieces[path] = list_pieces_of_file(path, ("scenarios file",))
    names = _nonsense(declared, seed)
    folder = parent / game.name
    for path, found_there in pieces.items():
        goal = folder / path.relative_to(game)
        goal.parent.mkdir(parents=True, exist_ok=True)
        _write(path, goal, found_there, names)
    for path, text in sheets.items():
        (folder / path.relative_to(game)).write_text(_rename_cells(SheetFile(path.name, text), names), "utf-8")
    return Renamed(folder, names)


def _rename_cells(sheet: SheetFile, names: dict[str, str]) -> str:
    """The text of a spreadsheet of plain cells, of which those below `name` and `text` are for people."""
    heads, edits = [cell.text for cell in sheet.rows[0]], []
    for number, row in enumerate(sheet.rows):
        for head, cell in zip(heads, row, strict=True):
            if not number or head not in ("name", "text"):
                found = [(word.span(), word[0]) for word in WORD.finditer(cell.text)]
                edits += [(cell.start + at, cell.start + end, names.get(word, word)) for (at, end), word in found]
    text = sheet.text
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _nonsense(names: set[str], seed: int) -> dict[str, str]:
    """Names that say nothing, in an order that has nothing to do with that of the true ones.

    What has a capital letter (`CU`) keeps one: a unit in small letters has a plural.
    """
    numbers = list(range(1, len(names) + 1))
    random.Random(seed).shuffle(numbers)
    return {
        name: f"{'x' if name.islower() else 'X'}{number}" for name, number in zip(sorted(names), numbers, strict=True)
    }


def _write(source: Path, goal: Path, pieces: Iterable[Piece], names: dict[str, str]) -> None:
    text = source.read_bytes().decode("utf-8")
    edits = {}
    for piece in pieces:
        if piece.word in names:
            span = piece.scalar.locate(piece.start, piece.end)
            assert span.text == piece.word, f"{source.name}:{span.line}: {span.text!r} is not {piece.word!r}"
            edits[span.start, span.end] = names[piece.word]
    for (start, end), new in sorted(edits.items(), reverse=True):
        text = text[:start] + new + text[end:]
    goal.write_bytes(text.encode("utf-8"))
