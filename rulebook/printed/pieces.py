"""The pieces of a game that are printed: its cards, tiles and tokens, each with its words, its look and how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.settling.texts import list_texts
from rulebook.dsl.walk import nodes
from rulebook.front_door import Game
from rulebook.pictures import BadPicture, Picture, read_pictures
from rulebook.table.faces import Face, make_faces

Form = Literal["card", "tile", "token"]


@frozen
class Piece:
    """A card, tile or token: what it says, and how many equal ones there are."""

    id: str
    kind: str
    face: Face
    copies: int
    form: Form = "card"

    @property
    def texts(self) -> list[str]:
        """All that is written on it."""
        signs = [*self.face.look.corner, self.face.look.middle, self.face.look.back]
        letters = [sign.said for sign in signs if sign is not None and sign.form == "letters"]
        return [self.face.title, self.face.kind, self.face.attributes, self.face.text, *letters]


@frozen
class Set:
    """All that is printed of a game: its pieces in the order of the rules, what is needed and not printed (each with
    how many), and pictures by their paths.
    """

    game: Game
    players: int
    pieces: tuple[Piece, ...]
    needed: Mapping[str, int]
    pictures: dict[str, Picture]
    complaints: tuple[str, ...] = ()
    """Faults of pictures; their cards go without."""
    whole: bool = field(default=True)
    """False if these are only some of the pieces."""


def collect_pieces(game: Game, players: int | None = None) -> Set:
    """Collect the pieces for so many players, or the most. Raises BadSetup."""
    number = game.players[-1] if players is None else players
    program = game.lower(number)
    book = game.rulebook
    faces = make_faces(book, program, list_texts(book, dict(game.options)))
    counts = Counter(program.definition)
    forms = {kind: _find_form(book, kind) for kind in book.kinds}
    cuts: dict[str, Form | None] = {"card": "card", "tile": "tile", "token": "token", "none": None}
    pieces, needed = list[Piece](), dict[str, int]()
    for id, number_of in counts.items():
        kind = book.cards[id].kind
        form = cuts.get(book.display.looks.get(id, ir.Look()).cut, forms[kind])
        if form is None:
            needed[faces[id].title] = needed.get(faces[id].title, 0) + number_of
        else:
            pieces.append(Piece(id, kind, faces[id], number_of, form))
    pictures, complaints = open_pictures(game.folder, [piece.face for piece in pieces])
    return Set(game, number, tuple(pieces), needed, pictures, tuple(complaints))


def _find_form(book: ir.Rulebook, kind: str) -> Form | None:
    """Tell what a kind is cut as: a tile where it lies on grids alone, a token in pools; None of what is rolled and has
    nothing printed on it, like a die.
    """
    rolled = {
        node.state for script in book.scripts.values() for node in nodes(script.body) if isinstance(node, ir.Roll)
    }
    cards = [card for card in book.cards.values() if card.kind == kind]
    is_printed = any(card.attributes or card.text for card in cards)
    if not is_printed and any(kind in book.states[name].kinds for name in rolled if name in book.states):
        return None
    kept = {place.kept for place in book.places.values() if kind in place.holds}
    if kept and kept <= {"grid"}:
        return "tile"
    return "token" if kept and kept <= {"pool"} else "card"


def open_pictures(folder: Path, faces: Collection[Face]) -> tuple[dict[str, Picture], list[str]]:
    """Read the pictures of cards, each once; what is wrong with one is told, and it is left out."""
    pictures, problems = read_pictures(folder, [name for face in faces for name in face.look.list_files()])
    for name, picture in [*pictures.items()]:
        try:
            _decode(picture)
        except BadPicture as bad:
            problems[name] = str(bad)
            del pictures[name]
    return pictures, [f"The picture {name} is left out: {problem}." for name, problem in problems.items()]


def _decode(picture: Picture) -> None:
    """Look into a PNG or JPEG, which may break off anywhere. Raises BadPicture."""
    if picture.format == "svg":
        return
    from io import BytesIO

    from PIL import Image

    try:
        Image.open(BytesIO(picture.data), formats=("PNG", "JPEG")).load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise BadPicture(f"it cannot be drawn ({error})") from None


def choose_pieces(pieces: Set, ids: Collection[str] = (), copies: int | None = None) -> Set:
    """Keep the pieces with these ids, if any are given, and so many of each."""
    kept = [piece for piece in pieces.pieces if not ids or piece.id in ids]
    kept = [piece if copies is None else evolve(piece, copies=copies) for piece in kept]
    return evolve(pieces, pieces=tuple(kept), whole=pieces.whole and not ids)


def find_changed(before: Set, after: Set) -> tuple[Set, list[Piece]]:
    """Find what has to be printed anew: pieces that say or show something else, and copies that are more now; and what
    is to be taken away, with how many.
    """
    old = {_show(before, piece): piece.copies for piece in before.pieces}
    new = {_show(after, piece): piece.copies for piece in after.pieces}
    kept = [evolve(piece, copies=piece.copies - old.get(_show(after, piece), 0)) for piece in after.pieces]
    gone = [evolve(piece, copies=piece.copies - new.get(_show(before, piece), 0)) for piece in before.pieces]
    changed = evolve(after, pieces=tuple(piece for piece in kept if piece.copies > 0), whole=False)
    return changed, [piece for piece in gone if piece.copies > 0]


def _show(pieces: Set, piece: Piece) -> tuple[object, ...]:
    """All that one sees of a piece, whatever it is called in the rules; of pictures what they hold."""
    look = piece.face.look
    signs = [sign for sign in (*look.corner, look.middle, look.back) if sign is not None and sign.form == "file"]
    held = [picture.hash for sign in signs if (picture := pieces.pictures.get(sign.said))]
    picture = pieces.pictures.get(look.picture)
    return piece.form, piece.face, *held, "" if picture is None else picture.hash
