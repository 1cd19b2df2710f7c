"""Functions that the log explains line by line: those whose answers come from named conditions or sums."""

from __future__ import annotations

from collections import defaultdict

from rulebook.dsl import ir
from rulebook.dsl.walk import everything, reach, statements


def find_explained(rulebook: ir.Rulebook) -> set[str]:
    """Find the functions and hooks whose answers reach named conditions or sums."""
    callers: defaultdict[str, list[str]] = defaultdict(list)
    explained: list[str] = []
    for name, function in rulebook.functions.items():
        match function.body:
            case ir.Conditions() | ir.Total():
                explained.append(name)
                continue
            case tuple() as block:
                called = names_called(*(line for line in statements(block) if isinstance(line, ir.Return)))
            case body:
                called = names_called(body)
        for callee in called:
            callers[callee].append(name)
    for hook, named in rulebook.hooks.items():
        for name in named.values():
            callers[name].append(hook)
    return reach(explained, callers.__getitem__)


def find_told(rulebook: ir.Rulebook) -> set[str]:
    """Find the functions and hooks that are called on the way to an explained value: their lines may be told."""
    values = [
        node.value for node in everything(*rulebook.scripts.values()) if isinstance(node, ir.Assign) and node.explains
    ]

    def find_callees(name: str) -> set[str]:
        function = rulebook.functions.get(name)
        return {*rulebook.hooks.get(name, {}).values()} if function is None else names_called(function)

    return reach(names_called(*values), find_callees)


def names_called(*roots: ir.Expr | ir.Statement | ir.Function) -> set[str]:
    """Find the functions and hooks that some roots call; of these, only functions have a dot in their names."""
    nodes = everything(*roots)
    called = {node.function for node in nodes if isinstance(node, ir.CallValue)}
    return called | {node.hook for node in nodes if isinstance(node, ir.AskHook)}
