"""`display`: hints for whoever shows a game.

In: the section as written, and what it may speak of. Out: the hints, and messages about those that speak of nothing.
Never: changes a rule, or how a game is played.
"""

from __future__ import annotations

from collections.abc import Collection

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import ir
from rulebook.dsl.document import Scalar
from rulebook.dsl.schema import COLOURS
from rulebook.dsl.world import World
from rulebook.source import Span

_COLOURS_KNOWN = "Known: " + ", ".join(f"`{colour}`" for colour in COLOURS)


def display_of(world: World, found: list[Diagnostic]) -> ir.Display:
    """The hints of a rulebook, and what is wrong with any."""
    written = world.authored.display
    kinds = world.authored.kinds
    lying = [*world.places, *world.memories]

    def known(name: str, span: Span, names: Collection[str], wanted: str, otherwise: str = "") -> bool:
        if name in names:
            return True
        help = did_you_mean(name, names) or otherwise
        found.append(diagnose("RB301", span, wanted=wanted, name=name, help=help))
        return False

    def listed(several: tuple[Scalar, ...], names: Collection[str], wanted: str) -> tuple[str, ...]:
        return tuple(one.text for one in several if known(one.text, one.span, names, wanted))

    titles = {
        name: " ".join(title.text.text.split())
        for name, title in written.titles.items()
        if known(name, title.key.span, [*lying, *world.states], "place, memory or state")
    }
    sort = {}
    for kind, attributes in written.sort.items():
        span = attributes[0].span if attributes else None
        if span is not None and known(kind, span, kinds, "kind"):
            sort[kind] = listed(attributes, world.attributes, "attribute")
    words = [word for words in world.words.values() for word in words]
    colours = {}
    for name, colour in written.colours.items():
        is_known = known(name, colour.key.span, [*kinds, *words], "kind or word")
        if known(colour.text.text, colour.text.span, COLOURS, "colour", _COLOURS_KNOWN) and is_known:
            colours[name] = colour.text.text
    return ir.Display(
        aim="" if written.aim is None else " ".join(written.aim.text.split()),
        titles=titles,
        order=listed(written.order, [*lying, *kinds], "place, memory or kind"),
        sort=sort,
        hidden=listed(written.hidden, [*lying, *world.states], "place, memory or state"),
        colours=colours,
    )
