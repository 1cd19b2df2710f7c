"""Tables of cards as CSV, for programs that lay out cards themselves; each wants to know how many in its own way."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Literal, get_args

from rulebook.classes import frozen
from rulebook.front_door import Game
from rulebook.printed.pieces import Set

Program = Literal["nandeck", "squib", "dextrous", "playingcards"]
PROGRAMS: tuple[Program, ...] = get_args(Program)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@frozen
class Way:
    """The way of one program: the column of how many there are (none: a row for each copy), of the name, of the picture
    of the whole card, and whether the file begins with a byte order mark.
    """

    copies: str
    name: str = "name"
    image: str = "image"
    mark: bool = False


WAYS: dict[Program, Way] = {
    "nandeck": Way("count", mark=True),
    "squib": Way("qty"),
    "dextrous": Way("Copies"),
    "playingcards": Way("", name="label"),
}


def write_table(pieces: Set, game: Game, program: Program) -> str:
    """Write the cards: a column for each attribute, as people read it, beside name, kind, text, signs and pictures."""
    way = WAYS[program]
    shown = {card.id: card.shown for card in game.cards(pieces.players)}
    attributes = list(dict.fromkeys(name for piece in pieces.pieces for name in shown.get(piece.id, ())))
    taken = {way.copies, way.name, way.image, "id", "kind", "text", "picture", "colour", "corner"}
    names = [f"{name}_" if name in taken else name for name in attributes]
    head = [
        way.name,
        *([way.copies] if way.copies else []),
        "id",
        "kind",
        "text",
        "colour",
        "corner",
        "picture",
        way.image,
    ]
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*head, *names])
    for piece in pieces.pieces:
        face = piece.face
        corner = " ".join(sign.said for sign in face.look.corner)
        row = [face.title, *([str(piece.copies)] if way.copies else []), piece.id, face.kind, face.text, face.colour]
        row += [corner, face.look.picture, f"{piece.id}.png"]
        row += [shown.get(piece.id, {}).get(name, "") for name in attributes]
        writer.writerows([[_tame(cell) for cell in row]] * (1 if way.copies else piece.copies))
    return ("\ufeff" if way.mark else "") + out.getvalue()


def _tame(cell: str) -> str:
    """Keep a spreadsheet from reckoning with a text of somebody else; a number stays one."""
    is_number = cell.lstrip("-").replace(".", "", 1).isdigit()
    return f"'{cell}" if cell.startswith(_FORMULA) and not is_number else cell
