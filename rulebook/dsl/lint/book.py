"""A rulebook as the lints look at it: every script and question with all that stands in it, and who calls whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.naming.layer_names import name_plainly
from rulebook.dsl.walk import everything, reach
from rulebook.dsl.world import World
from rulebook.source import Span

_NO_SLOTS = ir.Slots((), ())


@frozen(eq=False)
class Home:
    """A piece of the rulebook that holds IR: a script, a question, what is printed on a card, the result.

    `records` is all that stands in it, gathered once for all passes; `slots` are its locals.
    """

    name: str
    root: Any
    slots: ir.Slots
    records: Sequence[Any]
    parameters: int = 0

    def of(self, *classes: type[Any]) -> list[Any]:
        """Return the records of these classes, in order."""
        return [record for record in self.records if isinstance(record, classes)]

    @property
    def where(self) -> str:
        """The name in messages: `rule pay`, `card goblin, effect`."""
        section, _, rest = self.name.partition(".")
        return f"{section.removesuffix('s')} {rest.replace('.', ', ', 1)}".strip()


Name = tuple[str, str]
"""A section and a name of it, as `Authored.keys` has them."""


class Book:
    """One rulebook, indexed; `without` the scripts and questions of some names, and without what is set under them."""

    def __init__(self, rulebook: ir.Rulebook, world: World, without: frozenset[Name] = frozenset()) -> None:
        self.rulebook, self.world, self.without = rulebook, world, without
        self._gone = {f"{section}.{name}" for section, name in without}
        self._gone |= {f"actions.{name}.{hook}" for section, name in without for hook in ("effect", "possible")}
        for section, name in without:
            hooked = section.startswith("kinds.") and section.endswith((".asks", ".does", ".may_do"))
            self._gone.update(rulebook.hooks.get(name, {}).values() if hooked else ())
        self._unset = {name for section, name in without if section == "memory" or section.endswith(".state")}
        self.homes: dict[str, Home] = {}
        self._records: defaultdict[type[Any], list[Any]] = defaultdict(list)
        """All records of all homes, by class."""
        for script in rulebook.scripts.values():
            self._add(script.name, script, script.slots, script.parameters)
        for function in rulebook.functions.values():
            self._add(function.name, function, function.slots, function.parameters)
        for card in rulebook.cards.values():
            self._add(f"cards.{card.id}", card, _NO_SLOTS)
        for action in rulebook.actions.values():
            self._add(f"actions.{action.id}", action, _NO_SLOTS)
        for place in (*rulebook.places.values(), rulebook.box):
            self._add(f"places.{place.name}", place, _NO_SLOTS)
        self._add("result", rulebook.result, rulebook.result.slots)

    def _add(self, name: str, root: Any, slots: ir.Slots, parameters: int = 0) -> None:
        if self._is_gone(name):
            return
        records = everything(root)
        if self._unset:
            idle = [record for record in records if isinstance(record, ir.Assign) and record.target.name in self._unset]
            lost = set(map(id, everything(*idle)))
            records = [record for record in records if id(record) not in lost]
        self.homes[name] = Home(name, root, slots, records, parameters)
        for record in self.homes[name].records:
            self._records[type(record)].append(record)

    def _is_gone(self, name: str) -> bool:
        return bool(self._gone) and name_plainly(name) in self._gone

    def all(self, *classes: type[Any]) -> list[Any]:
        """Return the records of these classes in the whole rulebook."""
        return [record for kind, records in self._records.items() if issubclass(kind, classes) for record in records]

    @cached_property
    def calls(self) -> dict[str, frozenset[str]]:
        """The homes that each home may run or ask."""
        return {name: frozenset().union(*map(self.callees, home.records)) for name, home in self.homes.items()}

    def callees(self, record: Any) -> tuple[str, ...]:
        """Return the scripts and questions that a statement or expression runs or asks, without those taken out."""
        match record:
            case ir.DoRule(name) | ir.CallValue(name):
                return () if self._is_gone(name) else (name,)
            case ir.DoHook(hook, target) | ir.AskHook(hook, target):
                return self.hooked(hook, target.type)
        return ()

    def hooked(self, hook: str, target: t.Type) -> tuple[str, ...]:
        """Return the scripts or questions that a hook of a target of this type may run, each once."""
        hooked = ir.find_hooked(self.rulebook, hook, target)
        return tuple(dict.fromkeys(name for name in hooked if name in self.homes))

    @cached_property
    def reached(self) -> frozenset[str]:
        """The homes that a game can reach from its rule `game` and its result."""
        return self.below(ir.GAME, *self._roots)

    @cached_property
    def _roots(self) -> list[str]:
        return [name for name in self.homes if not name.startswith(("rules.", "values.")) and name.count(".") < 2]

    def below(self, *roots: str) -> frozenset[str]:
        """Return these homes, and all that they call, directly or not."""
        return frozenset(reach(self.homes.keys() & {*roots}, self.calls.__getitem__))

    def span(self, section: str, name: str) -> Span:
        """Return the span of a declared name: the name itself, without parameters. A place of cards is declared in
        `kinds.KIND.places`. Raises KeyError where nothing is declared so, lest a message go missing.
        """
        key = self.world.authored.keys[section, name]
        at = key.text.find(name)
        return key.scalar.locate(at, at + len(name)) if at >= 0 else key.span

    def report(self, code: str, home: Home, at: At | None, **values: Any) -> Iterator[Diagnostic]:
        """Yield a message about a piece of a home; nothing where it stands nowhere."""
        if at is not None:
            yield diagnose(code, at.span, where=home.where, **values)


def words(expr: ir.Expr | None) -> str:
    """Return an expression as its author wrote it."""
    at = expr.at if expr is not None else None
    return " ".join(at.words.split()) if at else "this"
