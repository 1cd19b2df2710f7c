"""A new card of a kind, with a value for everything that such a card must say."""

from __future__ import annotations

from rulebook.authoring.cards import lacking, needed_hooks
from rulebook.dsl import types as t
from rulebook.dsl.settling.options import value_text
from rulebook.dsl.world import World


class NoValue(Exception):
    """The game has no value of this type yet; the sentence says what is missing."""


def entry(world: World, kind: str, id: str) -> str:
    """The lines of a card below `cards:`, indented by two; NoValue if something that it needs cannot be made up."""
    name = id.replace("_", " ").capitalize()
    lines = [f"{id}:", f"  kind: {kind}", f"  name: {name}"]
    for attribute in lacking(world, kind):
        info = world.attributes[attribute]
        value = value_text(info.values[0]) if info.values else _value(world, info.type, f"`{attribute}`")
        lines.append(f"  {attribute}: {value}")
    for hook, declared in needed_hooks(world, kind):
        answer = world.hooks[hook].answer
        if answer is None:
            lines += [f"  {hook}: |", f'    say "{name} does nothing yet."']
        elif declared.type is not None and declared.type.words == "conditions":
            lines += [f"  {hook}:", "    to be written: yes"]
        else:
            lines.append(f"  {hook}: {_value(world, answer, f'`{hook}`')}")
    return "".join(f"  {line}\n" for line in lines)


def _value(world: World, of: t.Type, what: str) -> str:
    if t.may_be_nothing(of):
        return "none"
    match of:
        case t.Number():
            return "0"
        case t.Amount():
            smallest = min(world.units, key=world.units.__getitem__, default=None)
            return "0" if smallest is None else f"0 {smallest}"
        case t.YesNo():
            return "yes"
        case t.Text():
            return "To be written"
        case t.Symbol(enumeration):
            return next(iter(world.words[enumeration]))
        case t.ListOf():
            return "[]"
        case t.Player():
            return "first(players)"
        case t.Card(kinds):
            card = next((one.id for one in world.cards.values() if one.kind in kinds), None)
            if card is not None:
                return card
    raise NoValue(f"{what} wants {world.describe(of)}, and there is none in the game yet.")
