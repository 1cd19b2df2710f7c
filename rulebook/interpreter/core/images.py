"""Images that are kept, since a program need not be lowered to the last script only to be encoded as it was before.

In: a program, and the ops that the core knows. Out: its image. Never: keeps one of a program that was made of another,
which has no name to be kept under.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from rulebook import cache
from rulebook.interpreter.core.encode import Image, encode
from rulebook.interpreter.program import Program


def find_image(program: Program, ops: Mapping[str, tuple[int, str]]) -> Image:
    """The image of a program, read from the cache or else encoded and kept there. Raises CannotEncode."""
    if program.kept_as is None:
        return encode(program, ops)
    asked, key = program.kept_as
    name, key = cache.name_file("image", asked), f"{key} {asked}"
    image = _read(cache.read_data(name, key))
    if image is None:
        image = encode(program, ops)
        steps = [[*image.pcs], [*image.pcs.values()]]
        cache.write_data(name, key, [[*image.numbers], image.words, image.offsets, steps, image.choices])
    return image


def _read(data: Any) -> Image | None:
    match data:
        case [[*numbers], [*words], [*offsets], [[*at], [*pcs]], [*choices]]:
            try:
                places = [(code, pc) for code, pc in choices]
                return Image(array("q", numbers), tuple(words), offsets, dict(zip(at, pcs, strict=True)), places)
            except (TypeError, ValueError, OverflowError):
                return None
    return None
