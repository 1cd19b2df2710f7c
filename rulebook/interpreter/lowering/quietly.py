"""Who is gone round where somebody may be asked without the others noticing.

In: an `each` over players as IR. Out: for a table whose players share one device, whom it goes to in turn, whatever
anybody holds. Never: changes what runs.
"""

from __future__ import annotations

from collections.abc import Callable

from rulebook.dsl import ir
from rulebook.dsl.walk import statements
from rulebook.interpreter.lowering.tables import Tables
from rulebook.interpreter.ops import Formula

_Asking = ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange


def gone_round(tables: Tables, one: ir.ForEach, items: int, formula: Callable[[ir.Expr], Formula]) -> Formula | None:
    """The players of a list in its order, those too whom a secret keeps out of it; None where nobody is asked quietly.

    `items` is the local that holds the list while it is gone through.
    """
    if not one.players or not _asks(tables, one.body):
        return None
    if one.secret:
        return formula(_unfiltered(one.list))
    return lambda run, env: env[items]


def _asks(tables: Tables, block: ir.Block) -> bool:
    """Whether somebody may be asked quietly in a block, or in what it does."""
    if tables.quiet_scripts is None:
        tables.quiet_scripts = _quiet_scripts(tables.rulebook)
    found = statements(block)
    return any(map(_is_quiet, found)) or not tables.quiet_scripts.isdisjoint(_done(tables.rulebook, found))


def _quiet_scripts(rulebook: ir.Rulebook) -> frozenset[str]:
    """The scripts in which somebody may be asked quietly, or in those that they do, and so on."""
    inside = {name: statements(script.body) for name, script in rulebook.scripts.items()}
    quiet = {name for name, found in inside.items() if any(map(_is_quiet, found))}
    done = {name: _done(rulebook, found) for name, found in inside.items()} if quiet else {}
    while more := {name for name, others in done.items() if name not in quiet and not quiet.isdisjoint(others)}:
        quiet |= more
    return frozenset(quiet)


def _is_quiet(one: ir.Statement) -> bool:
    return isinstance(one, _Asking) and one.quiet


def _done(rulebook: ir.Rulebook, found: list[ir.Statement]) -> set[str]:
    """The scripts that these statements do."""
    names: set[str] = set()
    for one in found:
        match one:
            case ir.DoRule(script):
                names.add(script)
            case ir.DoHook(hook):
                names.update(rulebook.hooks.get(hook, {}).values())
    return names


def _unfiltered(list: ir.Expr) -> ir.Expr:
    """Everybody of whom some are kept out, in the same order."""
    match list:
        case ir.Filter(inner) | ir.Best(inner):
            return _unfiltered(inner)
        case ir.Sorted(inner, slot, keys):
            return ir.Sorted(_unfiltered(inner), slot, keys, type=list.type, at=list.at)
    return list
