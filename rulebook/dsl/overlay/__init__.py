"""Variants: a game, and files that change it, as one game.

In: the merged map of a folder, and variants as they were read. Out: the map of the resolved game, which is like any
other, and where its parts come from. Never: structures or checks a game.
"""

from rulebook.dsl.overlay.applying import Overlaid, overlay
from rulebook.dsl.overlay.origins import Origin, Origins, by_path, labelled
from rulebook.dsl.overlay.variant import FIELDS, VERBS, Deed, Variant, Verb, read_variant, variant_of

__all__ = [
    "FIELDS",
    "VERBS",
    "Deed",
    "Origin",
    "Origins",
    "Overlaid",
    "Variant",
    "Verb",
    "by_path",
    "labelled",
    "overlay",
    "read_variant",
    "variant_of",
]
