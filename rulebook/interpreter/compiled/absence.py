"""Which values may be nothing: where a type says so, a start is nothing, or what would name it may be skipped.

In: a rulebook that was lowered. Out: whether an expression of one of its scripts may be nothing. Never: misses one that
may, as far as types say the truth; where it does, printed text fails with a `TypeError`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import is_expression, nodes
from rulebook.interpreter.lowering.scripts import binds
from rulebook.interpreter.lowering.tables import Tables

Owner = ir.Script | ir.Function


class Absence:
    """The locals of each script and question that may be nothing, found when it is made."""

    def __init__(self, tables: Tables) -> None:
        self.tables, book = tables, tables.rulebook
        self.slots: dict[str, set[int]] = defaultdict(set)
        self.lacking: set[str] = set()
        """The questions that may ask something of nothing."""
        self.changed = True
        owners: tuple[Owner, ...] = (*book.scripts.values(), *book.functions.values())
        inside = {owner.name: [*nodes(owner.body)] for owner in owners}
        for owner in owners:
            typed = {slot for slot, of in enumerate(owner.slots.types) if t.may_be_nothing(of)}
            self.slots[owner.name] |= typed
        while self.changed:
            self.changed = False
            for owner in owners:
                for node in inside[owner.name]:
                    self._look(owner.name, node)
                    if isinstance(owner, ir.Function) and owner.name not in self.lacking:
                        self._look_for_lack(owner.name, node)

    def _add(self, owner: str, slots: Iterable[int]) -> None:
        new = set(slots) - self.slots[owner]
        if new:
            self.slots[owner] |= new
            self.changed = True

    def _look(self, name: str, node: Any) -> None:
        match node:
            case ir.CallValue(called, arguments) | ir.DoRule(called, arguments):
                self._pass(name, called, arguments, 0)
            case ir.AskHook(hook, _, arguments) | ir.DoHook(hook=hook, arguments=arguments):
                for called in dict.fromkeys(self.tables.rulebook.hooks.get(hook, {}).values()):
                    self._pass(name, called, arguments, 1)
                    if isinstance(node, ir.DoHook) and node.stand_in is not None and self.may(name, node.stand_in):
                        self._add(called, [0])
            case ir.Filter(list, slot) | ir.Each(list, slot) | ir.Sorted(list, slot) | ir.Best(list, slot):
                if self.holds(name, list):
                    self._add(name, [slot])
        if isinstance(node, ir.Sentence):
            if isinstance(node, ir.DoRule | ir.DoHook) and node.slot is not None:
                self._add(name, [node.slot])
            # Of a loop that is skipped nobody asks who it was about.
            named = () if isinstance(node, ir.ForEach | ir.Offer) else binds(node)
            read = tuple(getattr(node, field) for field in HEADS if hasattr(node, field)) if named else ()
            if any(self._may_lack(name, one) for one in nodes(read)):
                self._add(name, named)
            if isinstance(node, ir.ForEach) and self.holds(name, node.list):
                self._add(name, [node.slot])

    def _look_for_lack(self, name: str, node: Any) -> None:
        if self._may_lack(name, node):
            self.lacking.add(name)
            self.changed = True

    def _may_lack(self, name: str, node: Any) -> bool:
        """Whether an expression may be nothing, or asks a question that may ask something of nothing."""
        match node:
            case ir.CallValue(called) if called in self.lacking:
                return True
            case ir.AskHook(hook) if not self.lacking.isdisjoint(self.tables.rulebook.hooks.get(hook, {}).values()):
                return True
        return is_expression(node) and self.may(name, node)

    def _pass(self, name: str, called: str, arguments: tuple[ir.Expr, ...], after: int) -> None:
        """Arguments go to the parameters of what is called."""
        self._add(called, [slot for slot, one in enumerate(arguments, after) if self.may(name, one)])

    def holds(self, name: str, expr: ir.Expr) -> bool:
        """Whether nothing may stand among the members of a list."""
        if isinstance(expr, ir.Listed):
            return any(self.may(name, one) for one in expr.items)
        of = t.surely(expr.type)
        return isinstance(of, t.ListOf) and t.may_be_nothing(of.item)

    def may(self, name: str, expr: ir.Expr) -> bool:
        """Whether an expression that stands in the script or question of that name may be nothing."""
        if t.may_be_nothing(expr.type):
            return True
        match expr:
            case ir.Const(value):
                return value is None
            case ir.Local(slot):
                return slot in self.slots[name]
            case ir.TableMemory(memory):
                return self.tables.layout.memory[memory].start is None
            case ir.PlayerMemory(memory):
                return self.tables.layout.player_memory[memory].start is None
            case ir.State(state, card):
                return self._lacks(card.type, self.tables.layout.states[state].starts)
            case ir.Attribute(attribute, card):
                return self._lacks(card.type, self.tables.attributes[attribute])
            case ir.TheCard() | ir.PerPlayerAnswer():
                return True
            case ir.IfElse(_, then, otherwise):
                return self.may(name, then) or self.may(name, otherwise)
            case ir.BuiltIn(_, arguments):
                return any(self.may(name, one) for one in arguments)
        return False

    def _lacks(self, of: t.Type, values: Iterable[Any]) -> bool:
        """Whether a card of this type may have nothing where these values, by object, stand."""
        kinds: frozenset[str] = frozenset().union(*(m.kinds for m in t.members(of) if isinstance(m, t.Card)))
        kind = self.tables.kind
        return any(
            value is None and (kind[one] in kinds if one < len(kind) else t.ACTION in t.members(of))
            for one, value in enumerate(values)
        )


HEADS = ("value", "count", "source", "goal", "cards", "list", "players", "player", "picks", "target")
"""The fields of statements in which they read something themselves, and not in their blocks."""
