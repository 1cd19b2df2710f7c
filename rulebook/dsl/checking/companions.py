"""Cards that come with other cards: their definitions, and what they cannot have because nobody writes them.

In: the world, and the definitions of their owners. Out: definitions, and messages about kinds that cannot come with
another. Never: names them; `families` did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.world import CardInfo, World

Printed = Callable[[str, str, str], ir.Expr | None]
"""What an attribute of a kind is without a word about it (kind, name, where), or None."""


def companions_of(world: World, info: CardInfo, name: str) -> ir.AllCards:
    """What an attribute of `comes_with` holds: all copies of the companion, of which each copy has the one of its
    number.
    """
    return ir.AllCards(only=f"{info.id}.{name}", type=t.ListOf(world.attributes[name].type))


def companion(world: World, info: CardInfo, owner: ir.CardDef, printed: Printed) -> ir.CardDef:
    """A companion: as many copies as its owner, its name, and those of its attributes that both have."""
    attributes: dict[str, ir.Expr] = {}
    fields = [name for name, field in world.attributes.items() if info.kind in field.kinds]
    copies = tuple(
        (count, {name: differing[name] for name in fields if name in differing}) for count, differing in owner.copies
    )
    for name in fields:
        if name in world.companions.get(info.kind, {}):
            attributes[name] = companions_of(world, info, name)
        elif name in owner.attributes:
            attributes[name] = owner.attributes[name]
        elif not any(name in differing for _, differing in copies):
            own = printed(info.kind, name, f"card {info.family}")
            if own is not None:
                attributes[name] = own
    return ir.CardDef(info.id, info.kind, owner.name, None, attributes, copies, at=owner.at)


def lacking(world: World) -> list[Diagnostic]:
    """What companions need and get from nowhere, shown where their kind is named."""
    found = []
    for kind, entry in world.authored.kinds.items():
        for goal in entry.comes_with.values():
            if goal.text in world.concrete:
                owners = [
                    {name for name, one in world.attributes.items() if owner in one.kinds}
                    for owner in world.concrete[kind]
                ]
                thing = f"{t.with_article(goal.text).capitalize()} that comes with {t.with_article(kind)}"
                for field, help in _needs(world, goal.text, set.intersection(*owners)):
                    found.append(
                        diagnose("RB111", goal.span, where=f"kind {kind}", help=help, thing=thing, field=field)
                    )
    return found


def _needs(world: World, kind: str, given: set[str]) -> Iterator[tuple[str, str]]:
    """The attributes and hooks of a kind that only a card of its own could say, each with what to do."""
    made = world.companions.get(kind, {})
    lines = [world.authored.kinds[one] for one in (kind, *world.ancestors[kind])]
    for name, info in world.attributes.items():
        silent = t.may_be_nothing(info.type) or isinstance(info.type, t.ListOf)
        default = any(line.has[name].start for line in lines if name in line.has)
        if kind in info.kinds and name not in {*made, *given} and not silent and not default:
            yield name, f"No card is written for it. Give `{name}` a default, or its owner a `{name}` of the same type."
    for line in lines:
        for hook in line.asks:
            if hook.default is None:
                name = hook.key.name
                yield name, f"No card is written for it. Give `{name}` a default in the kind {line.key.text}."
        for hook in line.does:
            name = hook.key.name
            yield name, f"No card is written for it. Put `{name}` under `may_do`, or let its owner do it."
