"""A rulebook as the passes look at it: every script and question with all that stands in it, and who calls whom.

In: the IR, of all cards or of a share. Out: `Home`s, the call graph, the places of names. Never: judges anything.

In a share, what the cards of the others do is known as far as anything else depends on it: which hook of which kind
runs what. Of all scripts that agree in that, one stands for all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.sharing.share import Callee, Hooked, Share, answering
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import by_class, everything
from rulebook.dsl.world import World
from rulebook.record import Record, record
from rulebook.source import Span

_NO_SLOTS = ir.Slots((), ())
_CALLS = frozenset({ir.DoRule, ir.CallValue, ir.DoHook, ir.AskHook})


@record
class Does(Record):
    """What a script may do, with all that it calls: whether it wins, which stages it ends, asks anybody, changes."""

    wins: bool
    ends: frozenset[str]
    hooks: bool
    asks: bool
    changes: frozenset[str]


@record
class Afar(Record):
    """What some scripts in other shares have in common: their hook, the kind of their cards, what they run and do."""

    hook: str
    kind: str
    calls: tuple[Callee, ...]
    does: Does


@record(eq=False)
class Home(Record):
    """A piece of the rulebook that holds IR: a script, a question, what is printed on a card, the result.

    `records` is all that stands in it, gathered once for all passes, and `sorts` the same by class; `slots` are its
    locals.
    """

    name: str
    root: Any
    slots: ir.Slots
    records: Sequence[Any]
    sorts: Mapping[type[Any], list[Any]]
    parameters: int = 0

    def of(self, classes: frozenset[type[Any]]) -> list[Any]:
        """The records of these classes, in order."""
        there = classes.intersection(self.sorts)
        if len(there) < 2:
            return [one for kind in there for one in self.sorts[kind]]
        return [one for one in self.records if type(one) in there]

    def among(self, classes: frozenset[type[Any]]) -> list[Any]:
        """The records of these classes, where their order does not matter."""
        return [one for kind in classes.intersection(self.sorts) for one in self.sorts[kind]]

    def has(self, classes: frozenset[type[Any]]) -> bool:
        """Whether there are any records of these classes."""
        return not classes.isdisjoint(self.sorts)

    @property
    def where(self) -> str:
        """What it is called in messages: `rule pay`, `card goblin, effect`."""
        section, _, rest = self.name.partition(".")
        return f"{section.removesuffix('s')} {rest.replace('.', ', ', 1)}".strip()


class Book:
    """One rulebook, indexed; `share` says that only some of its cards are looked at here."""

    def __init__(
        self,
        rulebook: ir.Rulebook,
        world: World,
        share: Share | None = None,
        common: Book | None = None,
        whole: Callable[[], Book] | None = None,
    ) -> None:
        """Of a share, `common` is the book of what belongs to no share, and `whole` gives that of all cards."""
        self.rulebook, self.world, self.share, self._common, self._whole = rulebook, world, share, common, whole
        self.looked_beyond = False
        """Whether anything here depends on just what the cards of other shares do."""
        self.afar: dict[str, Afar] = {}
        """Scripts in other shares, under names of our own."""
        self.asks_for_ends = False
        """Whether any stage ends when a question says so."""
        self.roots: set[Callee] = set()
        """What is printed on cards in other shares asks this."""
        self.homes: dict[str, Home] = {}
        self._records: defaultdict[type[Any], list[Any]] = defaultdict(list)
        """All records of all homes, by class."""
        self._hooked: dict[tuple[str, t.Type], tuple[str, ...]] = {}
        if common is not None:
            self.homes |= common.homes
            self._records.update((kind, list(some)) for kind, some in common._records.items())
        for script in rulebook.scripts.values():
            self._add(script.name, script, script.slots, script.parameters)
        for asked in rulebook.functions.values():
            self._add(asked.name, asked, asked.slots, asked.parameters)
        for card in rulebook.cards.values():
            if share is None or card.id in share.definitions:
                self._add(f"cards.{card.id}", card, _NO_SLOTS)
        for action in rulebook.actions.values():
            self._add(f"actions.{action.id}", action, _NO_SLOTS)
        for place in rulebook.places.values():
            self._add(f"places.{place.name}", place, _NO_SLOTS)
        self._add("result", rulebook.result, rulebook.result.slots)
        self.asks_for_ends = any(one.until for one in self.all(ir.Stage))

    def _add(self, name: str, root: Any, slots: ir.Slots, parameters: int = 0) -> None:
        if name in self.homes and self.homes[name].root is root:
            return
        records = everything(root)
        sorts = by_class(records)
        self.homes[name] = Home(name, root, slots, records, sorts, parameters)
        for kind, some in sorts.items():
            self._records[kind] += some

    @cached_property
    def own(self) -> list[Home]:
        """The homes about which messages are made here."""
        share = self.share
        if share is None:
            return list(self.homes.values())
        return [home for name, home in self.homes.items() if (share.first if share.is_common(name) else True)]

    @property
    def first(self) -> bool:
        """Whether messages are made here that are about the game and no card."""
        return self.share is None or self.share.first

    # ── records ──────────────────────────────────────────────────────────────────────────────────────────────────

    def all(self, *classes: type[Any]) -> list[Any]:
        """The records of these classes in the whole rulebook."""
        return [one for kind in classes for one in self._records.get(kind, ())]

    def with_field(self, name: str) -> Iterator[Any]:
        """The records of all classes that have a field of this name."""
        return (one for kind, records in self._records.items() if hasattr(kind, name) for one in records)

    # ── calls ────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def calls(self) -> dict[str, frozenset[str]]:
        """The homes that each home may run or ask."""
        known: dict[frozenset[tuple[str, ...]], frozenset[str]] = {}
        found: dict[str, frozenset[str]] = {}
        if self._common is not None:
            # Questions ask questions alone, and all of these belong to no share.
            found |= {name: self._common.calls[name] for name in self.rulebook.functions}
        for name, home in self.homes.items():
            if name in found:
                continue
            # Many cards that ask all cards the same ask the same ones.
            groups = frozenset(map(self.callees, home.among(_CALLS)))
            if groups not in known:
                known[groups] = frozenset().union(*groups)
            found[name] = known[groups]
        return found | {name: frozenset(self._callees(one.calls)) for name, one in self.afar.items()}

    def _callees(self, called: Iterable[Callee]) -> Iterator[str]:
        for one in called:
            yield from (one,) if isinstance(one, str) else self.answer(one)

    def callees(self, record: Any) -> tuple[str, ...]:
        """The scripts and questions that one sentence or expression runs or asks itself."""
        match record:
            case ir.DoRule(name) | ir.CallValue(name):
                return (name,)
            case ir.DoHook(hook, target) | ir.AskHook(hook, target):
                return self.hooked(hook, target.type)
        return ()

    def called_by(self, home: Home) -> list[Callee]:
        """What a home runs and asks itself, without the names of those who answer."""
        found: set[Callee] = set()
        for one in home.among(_CALLS):
            match one:
                case ir.DoRule(name) | ir.CallValue(name):
                    found.add(name)
                case ir.DoHook(hook, target) | ir.AskHook(hook, target):
                    found.add(answering(hook, target.type))
        return sorted(found, key=repr)

    def hear(self, scripts: Iterable[Afar], roots: Iterable[Callee], asks_for_ends: bool) -> None:
        """What there is in other shares."""
        assert "calls" not in vars(self), "who calls whom was asked too early"
        self._hooked.clear()
        self.asks_for_ends = self.asks_for_ends or asks_for_ends
        self.afar = {f"afar.{number}.{one.hook}": one for number, one in enumerate(scripts)}
        self.roots = set(roots)

    def beyond(self) -> Book:
        """The book of all cards."""
        assert self._whole is not None, "this is the book of all cards"
        self.looked_beyond = True
        return self._whole()

    def printed_calls(self) -> set[Callee]:
        """What all that is printed on cards here asks."""
        return {one for name in self._roots if name in self.homes for one in self.called_by(self.homes[name])}

    def hooked(self, hook: str, target: t.Type) -> tuple[str, ...]:
        """What a hook of a target of this type may be: scripts or questions, each once."""
        if (hook, target) not in self._hooked:
            self._hooked[hook, target] = self._of_hook(hook, target)
        return self._hooked[hook, target]

    def _of_hook(self, hook: str, target: t.Type) -> tuple[str, ...]:
        return self.answer(answering(hook, target))

    def answer(self, asked: Hooked) -> tuple[str, ...]:
        """What a hook of some kinds of cards, or of actions, may be, each once."""
        hook, kinds, actions = asked
        cards, homes = self.rulebook.cards, self.homes
        found = [
            name
            for id, name in self.rulebook.hooks.get(hook, {}).items()
            if name in homes and (cards[id].kind in kinds if id in cards else actions)
        ]
        found += [name for name, one in self.afar.items() if one.hook == hook and one.kind in kinds]
        return tuple(dict.fromkeys(found))

    @cached_property
    def reached(self) -> frozenset[str]:
        """Every home that a game can come to from its rule `game` and its result."""
        return self.below(ir.GAME, *self._roots, *self._callees(self.roots))

    @property
    def players(self) -> tuple[float, float]:
        """The least and the most who play, as whoever wrote a question meant it.

        Under a variant that is not known: it may be for four, and the game it is laid over for two to six.
        """
        under_a_variant = any(name.startswith("variants/") for name in self.rulebook.source)
        return (0, float("inf")) if under_a_variant else self.rulebook.players

    @property
    def all_stay(self) -> bool:
        """Whether nobody is eliminated, whatever happens."""
        afar = any("players" in one.does.changes for one in self.afar.values())
        return not afar and not self.all(ir.Eliminate)

    @cached_property
    def _roots(self) -> list[str]:
        return [name for name in self.homes if not name.startswith(("rules.", "values.")) and name.count(".") < 2]

    def below(self, *roots: str) -> frozenset[str]:
        """These homes, and all that they come to."""
        found: set[str] = set()
        left = [name for name in roots if name in self.homes or name in self.afar]
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.calls[name] - found
        return frozenset(found)

    # ── messages ─────────────────────────────────────────────────────────────────────────────────────────────────

    def span(self, section: str, name: str) -> Span | None:
        """Where a name is declared: the name itself, without parameters."""
        key = self.world.authored.keys.get((section, name))
        if key is None:
            return None
        at = key.text.find(name)
        return key.scalar.locate(at, at + len(name)) if at >= 0 else key.span

    def report(self, code: str, home: Home, at: At | None, **values: Any) -> Iterator[Diagnostic]:
        """A message about a piece of a home; nothing where it stands nowhere."""
        if at is not None:
            yield diagnose(code, at.span, where=home.where, **values)


def words(expr: ir.Expr | None) -> str:
    """An expression as its author wrote it."""
    at = expr.at if expr is not None else None
    return " ".join(at.scalar.text[at.start : at.end].split()) if at else "this"
