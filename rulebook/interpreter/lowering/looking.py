"""The piles that a sentence reads in order, itself or through the questions that it asks: they are put in order before.

In: a sentence of a rulebook. Out: piles, each with how many cards from its top are read. What a question reads is found
once, with its parameters in it; where it is asked, what it is asked about is put in their places. Never: deeper than
`_ROUNDS` into questions that ask themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes, parts, rewrite, statements
from rulebook.dsl.watched import Watched

Look: TypeAlias = tuple[ir.Expr, ir.Expr | None]
"""A pile, or in a question also a list that it is given, and how many from its top or front; None is all of them."""

_ROUNDS = 3
"""The rounds in which it is found what questions read that ask each other."""
_MOST = 100
"""More looks of one question are left out."""
_ONE = ir.Const(1, type=t.NUMBER)


class Looks:
    """The looks of the questions of a rulebook, each found when it is first asked for."""

    def __init__(self, rulebook: ir.Rulebook) -> None:
        self._rulebook = rulebook
        self._known: dict[tuple[str, bool], Sequence[Look]] = {}

    def find_looks(self, sentence: ir.Sentence) -> list[Look]:
        """Find the piles of which a sentence reads the order, itself or through questions, and how deep.

        A pile that belongs to whoever a `where` is about cannot be named before it; only its settled cards are read.
        """
        looks = [look for look in dict.fromkeys(self._look_at(sentence, True)) if _is_pile(look[0])]
        inside = {node.slot for look in looks for node in nodes(look) if isinstance(node, ir.Local)}
        within = {node.slot for node in nodes(sentence) if isinstance(node, ir.Through)} if inside else set[int]()
        return [look for look in looks if not _names_any(look, within)]

    def _look_at(self, part: Any, in_order: bool) -> Iterator[Look]:
        """Yield the looks of a record and what stands in it, but for the sentences in a sentence. Of a list that is
        read `in_order`, it matters in which order its cards lie.
        """
        below: list[tuple[Any, bool]] = []
        match part:
            case ir.Return(ir.Node() as value):
                below.append((value, in_order))
            case ir.Sentence():
                mixed = ir.find_mixed(part) if isinstance(part, ir.Mixing) and part.reads_order else None
                if mixed is not None and _is_pile(mixed):
                    yield mixed, None
                for one in parts(part):
                    if isinstance(one, ir.Option):
                        below += [(of, False) for of in (one.label, one.condition) if of is not None]
                    elif not isinstance(one, ir.Sentence):
                        below.append((one, part.reads_order))
            case ir.BuiltIn("first" | "last" as name, (list, *count)):
                yield from self._look_at_list(list, None if name == "last" else count[0] if count else _ONE)
                below += [(one, False) for one in count]
            case ir.Cards() | ir.Local():
                if in_order:
                    yield from self._look_at_list(part, None)
                below += [(one, False) for one in parts(part)]
            case ir.Each():
                below += [(one, in_order) for one in parts(part)]
            case ir.Through(list):
                below += [(list, in_order), *((one, False) for one in parts(part)[1:])]
            case ir.IfElse():
                below += [(part.condition, False), (part.then, in_order), (part.otherwise, in_order)]
            case ir.SameCards():
                below.append((part.cards, part.ordered))
            case ir.CallValue(name, arguments):
                yield from self._look_into(name, arguments, in_order)
                below += [(one, False) for one in arguments]
            case ir.AskHook(hook, target, arguments):
                for name in dict.fromkeys(ir.find_hooked(self._rulebook, hook, target.type)):
                    yield from self._look_into(name, (target, *arguments), in_order)
                below += [(one, False) for one in (target, *arguments)]
            case ir.Chain() | ir.Listed() | ir.Joined() | ir.BuiltIn("distinct") | ir.Compare("==" | "!=") | Watched():
                below += [(one, in_order or isinstance(part, ir.Compare)) for one in parts(part)]
            case _:
                below += [(one, False) for one in parts(part)]
        for one, is_ordered in below:
            yield from self._look_at(one, is_ordered)

    def _look_at_list(self, list: ir.Expr, count: ir.Expr | None) -> Iterator[Look]:
        """Yield the looks of so many from the front of a list; of all, if it is worked out."""
        match list:
            case ir.Cards(place):
                if _is_pile(place):
                    yield place, count
                yield from self._look_at(place, False)
            case ir.Local():
                if isinstance(t.surely(list.type), t.ListOf):
                    yield list, count
            case _:
                yield from self._look_at(list, True)

    # ── questions ────────────────────────────────────────────────────────────────────────────────────────────────

    def _look_into(self, name: str, arguments: Sequence[ir.Expr], in_order: bool) -> Iterator[Look]:
        """Yield what a question reads that is asked about these. Its own names are slots below 0."""
        if (name, in_order) not in self._known:
            self._find_all(name)
        parameters = self._rulebook.functions[name].parameters

        def put_in(_: Any, part: Any) -> Any:
            if not isinstance(part, ir.Local):
                return part
            return arguments[part.slot] if 0 <= part.slot < parameters else evolve(part, slot=-1)

        for read, count in self._known[name, in_order]:
            here: ir.Expr = rewrite(read, put_in)
            depth = None if count is None else rewrite(count, put_in)
            yield from [(here, depth)] if _is_pile(here) else self._look_at_list(here, depth)

    def _find_all(self, name: str) -> None:
        """Find what a question reads, and all that it asks: first what others ask, and again where they ask each other.
        """
        names = self._list_callees_first(name)
        self._known |= {(name, in_order): () for name in names for in_order in (False, True)}
        for _ in range(_ROUNDS):
            before = dict(self._known)
            for name in names:
                body = self._rulebook.functions[name].body
                inside = statements(body) if isinstance(body, tuple) else [body]
                for in_order in (False, True):
                    looks = dict.fromkeys(look for part in inside for look in self._look_at(part, in_order))
                    self._known[name, in_order] = [*looks][:_MOST]
            if self._known == before:
                break

    def _list_callees_first(self, name: str) -> list[str]:
        """List the questions that a question may ask, and itself, that are not known: each behind those it asks."""
        order, seen, ways = list[str](), {name}, [(name, iter(self._list_callees(name)))]
        while ways:
            caller, callees = ways[-1]
            new = next((one for one in callees if one not in seen and (one, True) not in self._known), None)
            if new is None:
                order.append(caller)
                ways.pop()
            else:
                seen.add(new)
                ways.append((new, iter(self._list_callees(new))))
        return order

    def _list_callees(self, name: str) -> list[str]:
        callees = dict[str, None]()
        for node in nodes(self._rulebook.functions[name].body):
            if isinstance(node, ir.CallValue):
                callees[node.function] = None
            elif isinstance(node, ir.AskHook):
                callees |= dict.fromkeys(ir.find_hooked(self._rulebook, node.hook, node.target.type))
        return [*callees]


def _is_pile(place: ir.Expr) -> bool:
    return isinstance(place.type, t.Place) and place.type.kept == "pile"


def _names_any(look: Look, slots: set[int]) -> bool:
    return any(isinstance(node, ir.Local) and (node.slot < 0 or node.slot in slots) for node in nodes(look))
