"""Which scripts may wait, and so need frames.

In: a checked rulebook, and whether choices are waited for. Out: the names of the scripts that may stop before their
end: somebody is asked, a stage ends early, the game is won. Never: more than the least such set.
"""

from __future__ import annotations

from typing import Any

from rulebook.dsl import ir
from rulebook.dsl.walk import nodes

Asks = ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange


class Waiting:
    """The scripts that may wait, by name, found when it is made."""

    def __init__(self, rulebook: ir.Rulebook, asks: bool) -> None:
        self.rulebook, self.asks = rulebook, asks
        self.scripts: set[str] = set()
        inside = {name: [*nodes(script.body)] for name, script in rulebook.scripts.items()}
        self.untils = [
            node.until
            for found in inside.values()
            for node in found
            if isinstance(node, ir.Stage) and node.until is not None
        ]
        """The conditions under which stages end; they are asked whenever a hook comes back."""
        while new := {name for name, found in inside.items() if any(map(self.at, found))} - self.scripts:
            # All that one hook may call is called in one way.
            tables = (set(table.values()) for table in rulebook.hooks.values())
            self.scripts |= new.union(*(table for table in tables if table & new))

    def at(self, node: Any) -> bool:
        """Whether a script may stop at this statement."""
        match node:
            case ir.Stage():
                return node.until is not None
            case ir.Leave(_, depth):
                return depth > 0  # out of several loops at once there is no way but through a frame
            case ir.DoRule(script):
                return script in self.scripts
            case ir.DoHook(hook):
                called = set(self.rulebook.hooks.get(hook, {}).values())
                return bool(self.untils) or not called.isdisjoint(self.scripts)
            case ir.EndStage() | ir.Win():
                return True
        return self.asks and isinstance(node, Asks)

    def within(self, block: Any) -> bool:
        """Whether a script may stop somewhere in a block."""
        return any(self.at(node) for node in nodes(block))
