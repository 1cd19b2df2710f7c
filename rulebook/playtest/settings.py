"""Settings of a game, listed one by one: numbers of players and values of house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled, setting_text
from rulebook.dsl.types import YES_NO

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim", "Lea")
"""The players by seat. A rulebook declares small letters only, so in a scenario they mean nobody else."""


@frozen
class Setting:
    """A number of players and values of house rules under which games are played."""

    players: int
    options: dict[str, Settled]

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.players]

    @property
    def key(self) -> tuple[object, ...]:
        return self.players, *self.options.items()


def choices(option: ir.OptionDef) -> tuple[Settled, ...]:
    """The values of a house rule that are few enough to be played one by one."""
    return (True, False) if option.type == YES_NO else option.choices or ()


def others(rulebook: ir.Rulebook, options: Mapping[str, Settled]) -> Iterator[dict[str, Settled]]:
    """These house rules with one of them changed, for each other choice of each.

    Some may be forbidden: `forbidding.list_numbers` says with how many players each can be played.
    """
    for name, option in rulebook.options.items():
        for value in choices(option):
            if value != options[name]:
                yield {**options, name: value}


def changed(rulebook: ir.Rulebook, options: Mapping[str, Settled]) -> dict[str, str]:
    """The house rules that are not as they are if nobody says otherwise, as people write them; which cards are left out
    is none of them."""
    return {
        name: setting_text(rulebook.options[name], value, rulebook.units)
        for name, value in options.items()
        if name in rulebook.options and value != rulebook.options[name].default
    }
