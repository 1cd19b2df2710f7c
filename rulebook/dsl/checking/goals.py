"""Check that each place passed to a rule accepts the cards that the rule moves into it.

A move to a place with a name is checked where it stands; this is about parameters, `do draw_a_note(me, me.bonus)`.
"""

from __future__ import annotations

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.checking.statements import find_kinds
from rulebook.dsl.walk import statements
from rulebook.dsl.world import World

_Parameter = tuple[str, int]
"""A script's name and a slot of it."""


def check_goals(rulebook: ir.Rulebook, world: World) -> list[Diagnostic]:
    """Find what each place parameter must hold, as a fixed point over all calls; then check every place passed."""
    needs: dict[_Parameter, frozenset[str]] = {}
    handed: list[tuple[_Parameter, str, ir.Expr]] = []
    for name, script in rulebook.scripts.items():
        for statement in statements(script.body):
            match statement:
                case ir.Moving():
                    kinds = frozenset[str]().union(*(find_kinds(taken.type) for taken in ir.find_taken(statement)))
                    for place in ir.find_goals(statement):
                        if isinstance(place, ir.Local):
                            needs[name, place.slot] = needs.get((name, place.slot), frozenset()) | kinds
                case ir.DoRule(called, arguments, _):
                    handed += [((called, slot), name, argument) for slot, argument in enumerate(arguments)]
    _spread_needs(needs, handed)
    goals = []
    for goal, _, argument in handed:
        if isinstance(argument, ir.PlaceOf) and argument.at is not None:
            holds = world.places[argument.name].holds
            missing = needs.get(goal, frozenset()) - holds
            if missing:
                got = f"{t.with_article(world.family_of(missing))} card"
                rule = goal[0].removeprefix("rules.")
                help = f"It holds {world.family_of(holds)} cards, and the rule `{rule}` moves more than that there."
                goals.append(diagnose("RB410", argument.at.span, place=argument.name, got=got, help=help))
    return goals


def _spread_needs(needs: dict[_Parameter, frozenset[str]], handed: list[tuple[_Parameter, str, ir.Expr]]) -> None:
    """Add to each parameter what is moved into the parameters that it is handed to, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for goal, caller, argument in handed:
            if isinstance(argument, ir.Local):
                before = needs.get((caller, argument.slot), frozenset())
                after = before | needs.get(goal, frozenset())
                if after != before:
                    needs[caller, argument.slot] = after
                    changed = True
