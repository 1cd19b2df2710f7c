"""Which values can be explained line by line in the log: those that reach named conditions or sums."""

from __future__ import annotations

from collections import defaultdict

from rulebook.dsl import ir
from rulebook.dsl.walk import everything, statements


def find_explained(rulebook: ir.Rulebook) -> set[str]:
    """Find the functions whose answers reach named conditions or sums, through values and hooks too."""
    callers: defaultdict[str, list[str]] = defaultdict(list)
    left: list[str] = []
    for name, function in rulebook.functions.items():
        match function.body:
            case ir.Conditions() | ir.Total():
                left.append(name)
                continue
            case tuple() as block:
                called = functions_in(rulebook, *(one for one in statements(block) if isinstance(one, ir.Return)))
            case body:
                called = functions_in(rulebook, body)
        for callee in called:
            callers[callee].append(name)
    found: set[str] = set()
    while left:
        callee = left.pop()
        if callee not in found:
            found.add(callee)
            left += callers[callee]
    return found


def functions_in(rulebook: ir.Rulebook, *roots: ir.Expr | ir.Statement) -> set[str]:
    """Find the functions that are called inside."""
    found: set[str] = set()
    for one in everything(*roots):
        match one:
            case ir.CallValue(name, _):
                found.add(name)
            case ir.AskHook(hook, _, _):
                found.update(rulebook.hooks.get(hook, {}).values())
    return found
