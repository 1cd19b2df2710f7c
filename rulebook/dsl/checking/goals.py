"""Check that each place passed to a rule or hook fits what is done there: what comes in, and `draw`, `shuffle`, `top`.

A sentence about a place with a name is checked where it stands; this is about parameters, `do draw_note(me, me.bonus)`.

```effect
# give(valuable c, place goal): move c to goal top
do give(card, me.hand)     # an error where the hand is loose: it has no top
do give(card, deck)
```
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.checking.statements import UNFIT, find_kinds
from rulebook.dsl.naming.layer_names import name_plainly
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.walk import statements
from rulebook.dsl.world import World

_Name = tuple[str, int]
"""A script's name and a slot of it: a parameter, or what a `let` names."""


@frozen
class Uses:
    """The uses of a place: the kinds of cards that come there, the verbs it is named with, and ends of piles."""

    kinds: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()

    def __or__(self, other: Uses) -> Uses:
        return Uses(self.kinds | other.kinds, self.verbs | other.verbs)


def check_goals(rulebook: ir.Rulebook, world: World) -> list[Diagnostic]:
    """Find how each place parameter is used, as a fixed point over all calls; then check every place passed."""
    uses: defaultdict[_Name, Uses] = defaultdict(Uses)
    passed: list[tuple[_Name, str, ir.Expr]] = []
    for name, script in rulebook.scripts.items():
        for statement in statements(script.body):
            for place, use in _find_uses(statement):
                if isinstance(place, ir.Local):
                    uses[name, place.slot] |= use
            passed += [(to, name, argument) for to, argument in _find_passed(rulebook, name, statement)]
    _spread_uses(uses, passed)
    messages: list[Diagnostic] = []
    for (called, slot), _, argument in passed:
        if isinstance(argument, ir.PlaceOf) and argument.at is not None:
            messages += _check_passed(world, argument, uses[called, slot], name_plainly(called))
    return messages


def _check_passed(world: World, place: ir.PlaceOf, use: Uses, called: str) -> Iterator[Diagnostic]:
    assert place.at is not None
    section, _, name = called.partition(".")
    done, span = f"the rule `{name}`" if section == "rules" else f"`{called}`", place.at.span
    info = world.places[place.name]
    if missing := use.kinds - info.holds:
        got = f"{t.with_article(world.family_of(missing))} card"
        help = f"It holds {world.family_of(info.holds)} cards, and {done} moves more than that there."
        yield diagnose("RB410", span, place=place.name, got=got, help=help)
    for verb in sorted(use.verbs):
        if info.kept in UNFIT[verb] and place.name != BOX:
            help = f"That is what {done} does with the place that it is given."
            yield diagnose("RB409", span, place=place.name, kept=info.kept, verb=verb, help=help)


def _find_uses(statement: ir.Statement) -> Iterator[tuple[ir.Expr, Uses]]:
    """Yield each place that a sentence names, with what comes there or is done there."""
    if isinstance(statement, ir.Moving):
        kinds = frozenset[str]().union(*(find_kinds(taken.type) for taken in ir.find_taken(statement)))
        for goal in ir.find_goals(statement):
            yield goal, Uses(kinds)
    match statement:
        case ir.Move(_, goal, end) | ir.Draw(goal=goal, end=end) if end:
            yield goal, Uses(verbs=frozenset([end]))
    if isinstance(statement, ir.Drawing):
        yield statement.source, Uses(verbs=frozenset([statement.verb]))
    if isinstance(statement, ir.Mixing) and (place := ir.find_mixed(statement)) is not None:
        yield place, Uses(verbs=frozenset([statement.verb]))


def _find_passed(rulebook: ir.Rulebook, name: str, statement: ir.Statement) -> Iterator[tuple[_Name, ir.Expr]]:
    """Yield what a sentence passes on, and under which names it is known there."""
    match statement:
        case ir.Let(slot, value):
            yield (name, slot), value
        case ir.DoRule(called, arguments):
            for slot, argument in enumerate(arguments):
                yield (called, slot), argument
        case ir.DoHook(hook, target, arguments):
            for called in dict.fromkeys(ir.find_hooked(rulebook, hook, target.type)):
                # The first slot is what the hook belongs to.
                for slot, argument in enumerate(arguments, 1):
                    yield (called, slot), argument


def _spread_uses(uses: dict[_Name, Uses], passed: list[tuple[_Name, str, ir.Expr]]) -> None:
    """Add to each name what is done under the names by which it is passed on, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for to, caller, argument in passed:
            if isinstance(argument, ir.Local):
                before = uses[caller, argument.slot]
                after = before | uses[to]
                if after != before:
                    uses[caller, argument.slot] = after
                    changed = True
