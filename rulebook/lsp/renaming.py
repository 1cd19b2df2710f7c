"""Declarations and places of a name, and another name for all of them.

In: the names of a game, a file and an offset. Out: places. A name that the game does not declare belongs to the script
in which it stands, and is looked for there alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rulebook.dsl.structuring.declarations import BANNED, MIXED
from rulebook.lsp.occurrences import LANGUAGE, Piece
from rulebook.lsp.workspace import Names, OpenGame
from rulebook.source import Span

__all__ = ["CannotRename", "find_definitions", "find_references", "rename"]


class CannotRename(Exception):
    """A name that cannot be given; the text says why."""


def find_references(names: Names, file: Path, offset: int) -> list[tuple[Path, Span]]:
    """Find every place of the name at an offset."""
    piece = names.find_piece(file, offset)
    return [] if piece is None else [(at, _span_of(other)) for at, other in _find_same(names, file, piece)]


def find_definitions(names: Names, file: Path, offset: int) -> list[Span]:
    """Find where the name at an offset is declared; of a script's own name, where it stands first."""
    piece = names.find_piece(file, offset)
    if piece is None:
        return []
    if names.is_declared(piece.word):
        return [entry.span for entry in names.declared[piece.word]]
    return [_span_of(other) for _, other in _find_same(names, file, piece)][:1]


def rename(game: OpenGame, file: Path, offset: int, name: str) -> dict[Path, list[Span]]:
    """Find the places where another name is to be written, by file. Raises CannotRename."""
    names = game.list_names()
    piece = names.find_piece(file, offset)
    if piece is None or piece.word in LANGUAGE or (not names.is_declared(piece.word) and _is_word(piece)):
        raise CannotRename("This is no name that the game gives.")
    if MIXED.fullmatch(name) is None or name in BANNED | LANGUAGE:
        raise CannotRename(f"`{name}` means something in the language, or is no name: small letters, figures and `_`.")
    if name in names.declared:
        raise CannotRename(f"There is a `{name}` in this game already.")
    same = sorted(_find_same(names, file, piece), key=lambda found: (str(found[0]), _span_of(found[1]).start))
    places = {at: [_span_of(other) for _, other in found] for at, found in groupby(same, key=lambda found: found[0])}
    _check_sound(game, places, name)
    return places


def _check_sound(game: OpenGame, places: dict[Path, list[Span]], name: str) -> None:
    """Look at the game under the other name: it must have no more mistakes than before."""
    before = {message.code for message in game.check_quickly(secrets=True)}
    texts = {**game.texts}
    for file, spans in places.items():
        text = spans[0].file.text
        for span in sorted({(span.start, span.end) for span in spans}, reverse=True):
            text = text[: span[0]] + name + text[span[1] :]
        texts[file] = text
    found = OpenGame(game.folder, texts).check_quickly(secrets=True)
    after = [message for message in found if message.code not in before]
    if after:
        raise CannotRename(f"With that name something else would be meant: {after[0].message}")


def _find_same(names: Names, file: Path, piece: Piece) -> Iterator[tuple[Path, Piece]]:
    if names.is_declared(piece.word):
        yield from names.find_pieces(piece.word)
    else:
        inside = names.pieces[file]
        yield from ((file, other) for other in inside if other.scalar is piece.scalar and other.word == piece.word)


def _is_word(piece: Piece) -> bool:
    """Tell whether this is a value by itself, which no script gives: a word of the schema, or a slip."""
    return piece.scalar.text == piece.word


def _span_of(piece: Piece) -> Span:
    return piece.scalar.locate(piece.start, piece.end)
