"""Files for virtual tabletops: sheets of cards as pictures, and what the program reads beside them.

Tabletop Simulator reads a saved object: decks with their sheets, and a card for each copy. Tabletop Playground reads a
template for each deck, whose textures lie in a folder of its own. Both take sheets of 10 by 7 at most.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from math import ceil
from typing import Any

from rulebook.classes import frozen
from rulebook.printed.fonts import Typeface
from rulebook.printed.images import Grid, draw_one, draw_sheet, find_cell
from rulebook.printed.pieces import Piece, Set

COLUMNS, ROWS = 10, 7
_FACES = COLUMNS * ROWS - 1
"""The last place of a sheet is what others see of a card in a hand: its back."""
Files = dict[str, bytes]
"""The bytes of each file, by its path in a folder."""


@frozen
class Stack:
    """Pieces of one form with one back, each once, as many as go onto a sheet."""

    name: str
    title: str
    pieces: tuple[Piece, ...]
    size: tuple[float, float]

    @property
    def grid(self) -> Grid:
        """The cells of its sheet: two by two at least, and one more than there are pieces."""
        places = len(self.pieces) + 1
        columns = COLUMNS if places > COLUMNS else max(2, places)
        return Grid(columns, max(2, ceil(places / columns)), *find_cell(self.size))


def list_stacks(pieces: Set, sizes: Mapping[str, tuple[float, float]]) -> list[Stack]:
    """Sort pieces into stacks: those that may lie in one pile have one back."""
    groups = dict[tuple[str, Any], list[Piece]]()
    for piece in pieces.pieces:
        groups.setdefault((piece.form, piece.face.look.back), []).append(piece)
    stacks = list[Stack]()
    for (form, _), group in groups.items():
        kinds = list(dict.fromkeys(piece.face.kind for piece in group))
        title = ", ".join(kinds[:3]) + ("…" if len(kinds) > 3 else "")
        for start in range(0, len(group), _FACES):
            name = _make_name(f"{len(stacks) + 1:02} {group[0].kind}")
            stacks.append(Stack(name, title, tuple(group[start : start + _FACES]), sizes[form]))
    return stacks


def _make_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "cards"


def _draw_stack(pieces: Set, face: Typeface, stack: Stack) -> bytes:
    grid, first = stack.grid, stack.pieces[0]
    sides = [(piece, False) for piece in stack.pieces]
    sides += [(first, True)] * (grid.columns * grid.rows - len(sides))
    return draw_sheet(pieces, face, sides, grid)


def _describe(piece: Piece) -> str:
    """All that a card says but its name."""
    return "\n".join(line for line in (piece.face.text, piece.face.attributes) if line)


# ── Tabletop Simulator ───────────────────────────────────────────────────────────────────────────────────────────────


def make_simulator_files(pieces: Set, face: Typeface, sizes: Mapping[str, tuple[float, float]], address: str) -> Files:
    """Make the sheets and the saved object; `address` is what stands before the names of pictures."""
    files, states = Files(), list[dict[str, Any]]()
    stacks = list_stacks(pieces, sizes)
    for number, stack in enumerate(stacks, 1):
        files[f"{stack.name}.png"] = _draw_stack(pieces, face, stack)
        files[f"{stack.name}_back.png"] = draw_one(pieces, face, stack.pieces[0], back=True, size=stack.size)
        states.append(_make_object(stack, number, address))
    title = pieces.game.rulebook.title
    saved = {"SaveName": title, "GameMode": title, "ObjectStates": states}
    files[f"{pieces.game.id}.json"] = _write_json(saved)
    return files


def _make_object(stack: Stack, number: int, address: str) -> dict[str, Any]:
    grid = stack.grid
    sheet = {
        str(number): {
            "FaceURL": f"{address}{stack.name}.png",
            "BackURL": f"{address}{stack.name}_back.png",
            "NumWidth": grid.columns,
            "NumHeight": grid.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }
    }
    place = {"posX": 3.0 * (number - 1), "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    scale = stack.size[0] / 63.0
    place |= {"scaleX": scale, "scaleY": 1.0, "scaleZ": scale}
    cards = [
        {
            "Name": "Card",
            "Transform": place,
            "Nickname": piece.face.title,
            "Description": _describe(piece),
            "CardID": number * 100 + slot,
            "CustomDeck": sheet,
        }
        for slot, piece in enumerate(stack.pieces)
        for _ in range(piece.copies)
    ]
    if len(cards) == 1:
        # A deck of one card is no deck.
        return {**cards[0], "Name": "CardCustom"}
    return {
        "Name": "DeckCustom",
        "Transform": place,
        "Nickname": stack.title,
        "Description": "",
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": sheet,
        "ContainedObjects": cards,
    }


# ── Tabletop Playground ──────────────────────────────────────────────────────────────────────────────────────────────

_SEPARATE, _AS_BACK = -2, -3
"""The back of a card is in a picture of its own, and others see it of a hand."""


def make_playground_files(pieces: Set, face: Typeface, sizes: Mapping[str, tuple[float, float]]) -> Files:
    """Make the textures and templates of a package."""
    files = Files()
    for stack in list_stacks(pieces, sizes):
        files[f"Textures/{stack.name}.png"] = _draw_stack(pieces, face, stack)
        files[f"Textures/{stack.name}_back.png"] = draw_one(pieces, face, stack.pieces[0], back=True, size=stack.size)
        template = _make_template(pieces.game.id, stack)
        files[f"Templates/{stack.name}.json"] = _write_json(template)
    return files


def _make_template(game: str, stack: Stack) -> dict[str, Any]:
    indices = [slot for slot, piece in enumerate(stack.pieces) for _ in range(piece.copies)]
    shown = [piece for piece in stack.pieces for _ in range(piece.copies)]
    guid = blake2b(f"{game}/{stack.name}".encode(), digest_size=16).hexdigest().upper()
    return {
        "Type": "Card", "GUID": guid, "Name": stack.title, "Metadata": "", "CollisionType": "Regular", "Friction": 0.7,
        "Restitution": 0, "Density": 0.5, "SurfaceType": "Cardboard", "Roughness": 1, "Metallic": 0,
        "PrimaryColor": {"R": 255, "G": 255, "B": 255}, "SecondaryColor": {"R": 0, "G": 0, "B": 0},
        "Flippable": True, "AutoStraighten": False, "ShouldSnap": True, "ScriptName": "", "Blueprint": "",
        "Models": [], "Collision": [], "SnapPointsGlobal": False, "SnapPoints": [],
        "ZoomViewDirection": {"X": 0, "Y": 0, "Z": 0},
        "FrontTexture": f"{stack.name}.png", "BackTexture": f"{stack.name}_back.png", "HiddenTexture": "",
        "BackIndex": _SEPARATE, "HiddenIndex": _AS_BACK,
        "NumHorizontal": stack.grid.columns, "NumVertical": stack.grid.rows,
        "Width": round(stack.size[0] / 10, 2), "Height": round(stack.size[1] / 10, 2), "Thickness": 0.05,
        "HiddenInHand": True, "UsedWithCardHolders": True, "CanStack": True, "UsePrimaryColorForSide": False,
        "FrontTextureOverrideExposed": False, "AllowFlippedInStack": False, "MirrorBack": True,
        "EmissiveFront": False, "Model": "Rounded", "Indices": indices,
        "CardNames": {str(place): piece.face.title for place, piece in enumerate(shown)},
        "CardMetadata": {str(place): _describe(piece) for place, piece in enumerate(shown)},
        "CardTags": {},
    }  # fmt: skip


def _write_json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode()


# ── one picture a card ───────────────────────────────────────────────────────────────────────────────────────────────


def make_images(pieces: Set, face: Typeface, sizes: Mapping[str, tuple[float, float]]) -> Files:
    """Make a PNG of each piece, named by its id, and one of each back."""
    files = Files()
    for piece, name in zip(pieces.pieces, name_images(pieces.pieces), strict=True):
        files[name] = draw_one(pieces, face, piece, back=False, size=sizes[piece.form])
    for stack in list_stacks(pieces, sizes):
        back = draw_one(pieces, face, stack.pieces[0], back=True, size=stack.size)
        files[f"back_{stack.name}.png"] = back
    return files


def name_images(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield the names of the pictures of pieces, as `make_images` writes them."""
    yield from (f"{piece.id}.png" for piece in pieces)
