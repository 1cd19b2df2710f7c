"""The places that are passed to scripts and questions: which of them each `place p` between brackets may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import everything, reach

Parameter = tuple[str, int]
"""A parameter: the name of its script or function, and its slot."""


def find_passed(rulebook: ir.Rulebook) -> Mapping[Parameter, frozenset[str]]:
    """Find the names of all places that each parameter may be; of what nobody runs, there are none."""
    named: defaultdict[str, set[Parameter]] = defaultdict(set)
    handed_on: defaultdict[Parameter, set[Parameter]] = defaultdict(set)
    for caller, root in [*rulebook.scripts.items(), *rulebook.functions.items()]:
        for node in everything(root):
            for callee, slot, argument in _find_arguments(rulebook, node):
                match argument:
                    case ir.PlaceOf(name):
                        named[name].add((callee, slot))
                    case ir.Local(given) if isinstance(argument.type, t.Place):
                        handed_on[caller, given].add((callee, slot))
    passed: defaultdict[Parameter, set[str]] = defaultdict(set)
    for name, parameters in named.items():
        for parameter in reach(parameters, lambda parameter: handed_on.get(parameter, ())):
            passed[parameter].add(name)
    return {parameter: frozenset(names) for parameter, names in passed.items()}


def _find_arguments(rulebook: ir.Rulebook, node: object) -> Iterator[tuple[str, int, ir.Expr]]:
    """Yield what a node hands to scripts or functions: to which, for which slot."""
    callees: list[str] = []
    arguments: tuple[ir.Expr, ...] = ()
    match node:
        case ir.DoRule(name, arguments) | ir.CallValue(name, arguments):
            callees = [name]
        case ir.DoHook(hook, target, arguments, stand_in):
            callees, arguments = ir.find_hooked(rulebook, hook, target.type), (stand_in or target, *arguments)
        case ir.AskHook(hook, target, arguments):
            callees, arguments = ir.find_hooked(rulebook, hook, target.type), (target, *arguments)
    if any(isinstance(argument.type, t.Place) for argument in arguments):
        for callee in callees:
            yield from ((callee, slot, argument) for slot, argument in enumerate(arguments))
