"""Variants that get into each other's way, or into their own.

In: variants, and what was done so far. Out: messages about those that touch one thing, or cannot be played together.
Never: applies anything, or lets one of two win.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from rulebook.diagnostics import Diagnostic, Label, diagnose, did_you_mean
from rulebook.dsl.overlay.origins import Origin
from rulebook.dsl.overlay.paths import Keys
from rulebook.dsl.overlay.variant import Deed, Variant

__all__ = ["Pair", "Touched", "against", "clash", "together"]

Pair = frozenset[str]
"""The names of two variants."""

_BESIDE = ("before", "after")


def together(
    variants: Sequence[Variant], game: str, known: Collection[str] | None
) -> tuple[frozenset[Pair], list[Diagnostic]]:
    """Whether these variants are of this game, and can be played together in this order; and those that cannot.

    Where it is not `known` which others there are, they may say what they like about those.
    """
    found: list[Diagnostic] = []
    refused: set[Pair] = set()
    by_id: dict[str, Variant] = {}
    for number, one in enumerate(variants):
        if one.extends is not None and one.extends.text != game:
            said, fact = one.extends.text, f"this game is `{game}`"
            found.append(diagnose("RB714", one.extends.span, key="extends", said=said, fact=fact))
        first = by_id.setdefault(one.id, one)
        if first is not one:
            label = Label(first.named, "the first one is here")
            help = "Name each variant once."
            found.append(diagnose("RB113", one.named, labels=[label], help=help, name=one.id))
            continue
        if known is not None:
            found += _unknown(one, {*known, *(other.id for other in variants)})
        for other in variants[:number]:
            if more := _apart(one, other):
                refused.add(frozenset({one.id, other.id}))
                found += more
    return frozenset(refused), found


def _unknown(one: Variant, known: Iterable[str]) -> list[Diagnostic]:
    """Names of variants that there are not."""
    names = [name for name in sorted(known) if name != one.id]
    said = [*one.follows, *(key for key, _ in one.not_with.values())]
    return [
        diagnose("RB301", key.span, help=did_you_mean(key.text, names) or None, wanted="variant", name=key.text)
        for key in said
        if key.text not in names
    ]


def _apart(later: Variant, earlier: Variant) -> list[Diagnostic]:
    """What keeps two variants from being played one after the other."""
    found = []
    for one, other in ((later, earlier), (earlier, later)):
        if other.id in one.not_with:
            key, reason = one.not_with[other.id]
            label = Label(other.named, f"`{other.id}` is named too")
            found.append(diagnose("RB716", key.span, labels=[label], one=one.id, other=other.id, reason=reason))
            break
    follows = next((key for key in earlier.follows if key.text == later.id), None)
    if follows is not None:
        label = Label(later.named, "it is named after that")
        found.append(diagnose("RB717", follows.span, labels=[label], one=earlier.id, other=later.id))
    return found


class Touched:
    """All that was done, by its path, and by each path around that."""

    def __init__(self) -> None:
        self._at: dict[Keys, list[Origin]] = {}
        self._within: dict[Keys, list[Origin]] = {}

    def add(self, one: Origin) -> None:
        """One thing more."""
        self._at.setdefault(one.keys, []).append(one)
        for end in range(1, len(one.keys) + 1):
            self._within.setdefault(one.keys[:end], []).append(one)

    def near(self, keys: Keys) -> Iterator[Origin]:
        """What was done at a path, around it, or inside of it."""
        for end in range(1, len(keys)):
            yield from self._at.get(keys[:end], ())
        yield from self._within.get(keys, ())


def against(variant: Variant, deed: Deed, keys: Keys, touched: Touched) -> Iterator[Origin]:
    """What touched a path already, by another variant or by the same, and leaves no room for this deed."""
    for one in touched.near(keys):
        mine = one.variant == variant.id
        if mine and one.verb == "add" and deed.verb == "add" and len(one.keys) < len(keys):
            continue
        if one.verb in _BESIDE and deed.verb in _BESIDE and not (mine and one.verb == deed.verb):
            continue
        if one.variant not in variant.behind:
            yield one


def clash(variant: Variant, deed: Deed, keys: Keys, one: Origin) -> Diagnostic:
    """The message about a deed and what leaves no room for it."""
    mine = one.variant == variant.id
    label = Label(one.at, "it is touched here" if mine else f"the variant `{one.variant}` touches it here")
    help = "Say all of it in one place." if mine else None
    shorter = keys if len(keys) < len(one.keys) else one.keys
    # Of a house rule that is settled, only its name was written.
    path = ".".join(shorter[:2] if shorter == ("options", *shorter[1:2], "default") else shorter)
    return diagnose(
        "RB715", deed.path.span, labels=[label], help=help, path=path, earlier=one.variant, later=variant.id
    )
