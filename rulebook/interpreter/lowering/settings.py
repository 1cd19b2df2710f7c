"""The house rules that each script and question reads, so that what reads none that differs need not be lowered again.

In: a rulebook. Out: names of house rules by names of scripts and questions. Never: looks at how they are settled.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from attrs import fields

from rulebook.dsl import ir
from rulebook.dsl.settling.leaving_out import LEFT_OUT
from rulebook.dsl.walk import nodes, reach
from rulebook.interpreter.lowering.triggers import spell_out

AROUND = ""
"""The name of what stands around scripts and questions, such as cards and places."""
_OF_ITS_OWN = ("functions", "scripts", "result", "measures", "forbid")
"""Fields of a rulebook that stand for themselves, or are lowered anew for each setting."""


def find_house_rules(rulebook: ir.Rulebook) -> dict[str, frozenset[str]]:
    """Find the house rules that each script and question reads, itself or through questions."""
    whole: dict[str, Any] = {**rulebook.functions, **rulebook.scripts}
    if ir.TRIGGERS in whole:
        whole[ir.TRIGGERS] = spell_out(rulebook)
    kind: Any = ir.Rulebook
    names = [field.name for field in fields(kind) if field.name not in _OF_ITS_OWN]
    whole[AROUND] = tuple(getattr(rulebook, name) for name in names)
    read, asked = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for name, part in whole.items():
        for node in nodes(part):
            match node:
                case ir.OptionValue():
                    read[name].add(node.name)
                case ir.ByOption():
                    read[name].add(node.option)
                case ir.CallValue():
                    asked[name].add(node.function)
                case ir.AskHook():
                    asked[name].update(rulebook.hooks.get(node.hook, {}).values())
    read[AROUND].add(LEFT_OUT)
    return {name: frozenset().union(*(read[one] for one in reach([name], asked.__getitem__))) for name in whole}
