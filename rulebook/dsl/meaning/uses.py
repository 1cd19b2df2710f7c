"""Declared things that nothing reads, nothing writes, or nothing calls.

In: the book. Out: one message for each such name, at its declaration. Never: follows the flow. A name is used where any
sentence or question mentions it, whether or not that is ever reached, so that one mistake gives one message.

Players read too: a text, a card's name, what `each` or the back tells apart, an open place. None of these must be read
by a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose, nearest
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.dsl.meaning.book import Book
from rulebook.dsl.walk import parts

_GOALS = ("goal",)
"""The fields in which a place is filled; anywhere else it is looked at."""

_MEMORY = (ir.TableMemory, ir.PlayerMemory)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ON_GRIDS = ("beside", "around", "row", "column")

Name = tuple[str, str]
"""A section and a name of it."""


def unused(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """Every declared name that means nothing to the game."""
    yield from _options(book, mentions)
    yield from _memories(book, mentions)
    yield from _fields(book, mentions)
    yield from _places(book, mentions)
    yield from _called(book, mentions)
    yield from _words(book, mentions)


class Mentions:
    """What the scripts read and write, by name; `read` and `written` hold `("memory", "score")` and the like."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.read: set[Name] = set()
        self.written: set[Name] = set()
        for home in book.homes.values():
            self._visit(home.root, both=False)
        for place in book.rulebook.places.values():
            if place.refill is not None and ("places", place.name) in self.read:
                self.read.add(("places", place.refill))
        for memory in book.rulebook.memories.values():
            self._value(memory.type, memory.start)
        for state in book.rulebook.states.values():
            self._value(state.type, state.start)
        authored = book.world.authored
        self.elsewhere = set(_written(authored.measures)) | set(_written(authored.display))
        """Names in sections that are read by programs beside the game."""

    def reads(self, section: str, name: str) -> bool:
        """Whether anything asks for it."""
        return (section, name) in self.read or name in self.elsewhere

    def writes(self, section: str, name: str) -> bool:
        """Whether anything sets or fills it."""
        return (section, name) in self.written

    def _visit(self, record: Any, *, both: bool, own: Name | None = None) -> None:
        """`both`: a place here may be filled as well as looked at. `own`: what is just being set, from itself."""
        match record:
            case ir.PlaceOf(name):
                self._place(name, read=True, written=both)
            case ir.TableMemory(name) | ir.PlayerMemory(name):
                if own != ("memory", name):
                    self.read.add(("memory", name))
            case ir.State(name):
                if own != ("state", name):
                    self.read.add(("state", name))
            case ir.Attribute(name):
                self.read.add(("has", name))
            case ir.OptionValue(name) | ir.ByOption(name):
                self.read.add(("options", name))
            case ir.CallValue(name):
                self.read.add(("values", name.removeprefix("values.")))
            case ir.AskHook(hook) | ir.DoHook(hook):
                self.read.add(("hooks", hook))
            case ir.TheAction(id):
                self.read.add(("actions", id))
            case ir.AllActions():
                self.read |= {("actions", id) for id in self.book.rulebook.actions}
            case ir.AllCards(None):
                # Wherever they lie.
                self.read |= {("places", name) for name in self.book.rulebook.places}
            case ir.BuiltIn(name):
                self._built_in(name)
            case ir.Const(value):
                self._value(record.type, value)
            case ir.Deal(place=name):
                self._place(name, read=False, written=True)
            case ir.Pass(place=name):
                self._place(name, read=True, written=True)
            case ir.Roll(state=name):
                self.written.add(("state", name))
                state = self.book.rulebook.states[name]
                for one in state.values or ():
                    self._value(state.type, one)
            case ir.Assign(target, value):
                self._assign(target, value)
                return
            case ir.Shuffle(ir.PlaceOf(_, owner)):
                # Only mixed, nobody has looked yet.
                if owner is not None:
                    self._visit(owner, both=False)
                return
            case ir.Move(goal=goal) if goal.type == t.CELL:
                # A position of any grid or row.
                places = self.book.rulebook.places.values()
                self.written |= {("places", place.name) for place in places if place.kept in ("grid", "row")}
        # What is handed over or changes places may lie there afterwards.
        both = isinstance(record, ir.Swap | ir.DoRule | ir.DoHook)
        for field, part in parts(record):
            if field in _GOALS and isinstance(part, ir.PlaceOf):
                self._place(part.name, read=False, written=True)
                if part.owner is not None:
                    self._visit(part.owner, both=False)
            else:
                self._visit(part, both=both or (isinstance(record, ir.Cards | ir.TheCard) and both), own=own)

    def _assign(self, target: ir.Expr, value: ir.Expr) -> None:
        own: Name | None = None
        if isinstance(target, _MEMORY):
            own = "memory", target.name
        elif isinstance(target, ir.State):
            own = "state", target.name
        if own is not None:
            self.written.add(own)
        for _, part in parts(target):
            self._visit(part, both=False)
        # To reckon a thing from itself is not yet to ask for it.
        self._visit(value, both=False, own=own)

    def _place(self, name: str, *, read: bool, written: bool) -> None:
        if read:
            self.read.add(("places", name))
        if written:
            self.written.add(("places", name))

    def _built_in(self, name: str) -> None:
        for place in self.book.rulebook.places.values():
            if (name == "holder" and place.owner == "player") or (name in _ON_GRIDS and place.kept in ("grid", "row")):
                self.read.add(("places", place.name))

    def _value(self, of: t.Type, value: object) -> None:
        """A word that stands somewhere."""
        for one in t.members(of):
            inner = one.item if isinstance(one, t.ListOf) else one
            for symbol in t.members(inner):
                if isinstance(symbol, t.Symbol):
                    for word in value if isinstance(value, tuple) else (value,):
                        self.read.add((f"words.{symbol.enumeration}", str(word)))


def _written(node: Node | None) -> Iterator[str]:
    """Every word in a piece of YAML."""
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            yield from _WORD.findall(key)
            yield from _written(value)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _written(item)


# ── sections ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _unused(book: Book, section: str, name: str, sort: str, others: Any = (), help: str | None = None) -> Diagnostic:
    near = nearest(name, others)
    if near is not None:
        help = f"`{near}` is used: did you mean this one there?"
    return diagnose("RB507", book.span(section, name), sort=sort, name=name, help=help)


def _options(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    read = [name for name in book.rulebook.options if mentions.reads("options", name)]
    for name in book.rulebook.options:
        if name not in read:
            yield _unused(book, "options", name, "option", read)


def _memories(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    names = book.rulebook.memories
    used = [name for name in names if mentions.reads("memory", name)]
    for name, memory in names.items():
        yield from _kept(book, mentions, ("memory", name), "memory", "memory", memory.start, used)


def _kept(
    book: Book, mentions: Mentions, name: Name, section: str, sort: str, start: object, others: list[str]
) -> Iterator[Diagnostic]:
    """A memory or state: it should be both set and asked for. One with a start may be a constant with a name."""
    read, written = mentions.reads(*name), mentions.writes(*name)
    rest = [one for one in others if one != name[1]]
    if not read and not written:
        yield _unused(book, section, name[1], sort, rest)
    elif not read:
        near = nearest(name[1], rest)
        help = f"`{near}` is asked for: did you mean this one there?" if near else None
        yield diagnose("RB510", book.span(section, name[1]), name=name[1], done="set", help=help)
    elif not written and start is None:
        yield diagnose("RB511", book.span(section, name[1]), name=name[1], missing="nothing ever sets it")


def _fields(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """States and attributes, kind by kind."""
    rulebook, world = book.rulebook, book.world
    printed = _printed(rulebook)
    there = {card.kind for card in rulebook.cards.values()}
    for kind, entry in world.authored.kinds.items():
        if not world.concrete[kind] & there:
            help = "No card is of this kind. Make one, or take the kind out."
            yield _unused(book, "kinds", kind, "kind", help=help)
            continue
        for name in entry.state:
            used = [one for one in rulebook.states if mentions.reads("state", one)]
            yield from _kept(
                book, mentions, ("state", name), f"kinds.{kind}.state", "state", rulebook.states[name].start, used
            )
        seen = {scalar.text for scalar in entry.back} | printed
        changes = {scalar.text for scalar in entry.may_change.names}
        used = [one for one in world.attributes if mentions.reads("has", one) or mentions.reads("state", one)]
        for name in (*entry.has, *entry.comes_with):
            section = f"kinds.{kind}.{'has' if name in entry.has else 'comes_with'}"
            text = t.surely(world.attributes[name].type) == t.TEXT
            if name not in used and name not in seen and not text:
                yield _unused(book, section, name, "attribute", used)
        for name in sorted(changes):
            if not mentions.writes("state", name):
                span = next(one.span for one in entry.may_change.names if one.text == name)
                yield diagnose("RB511", span, name=name, missing="nothing ever changes it")
        for hook in (*entry.asks, *entry.does, *entry.may_do):
            name = hook.key.text.partition("(")[0].strip()
            section = f"kinds.{kind}.{_part(entry, hook)}"
            if not mentions.reads("hooks", name):
                yield _unused(book, section, name, "hook", [one for one in world.hooks if mentions.reads("hooks", one)])
            elif hook in entry.may_do and not _has_hook(book, name):
                yield diagnose("RB511", book.span(section, name), name=name, missing="no card has it")


def _part(entry: Any, hook: Any) -> str:
    return next(name for name in ("asks", "does", "may_do") if hook in getattr(entry, name))


def _has_hook(book: Book, name: str) -> bool:
    return any(id in book.rulebook.cards for id in book.rulebook.hooks.get(name, {}))


def _printed(rulebook: ir.Rulebook) -> set[str]:
    """The attributes that are a part of a card's identity: those below `each`."""
    found: set[str] = set()
    for card in rulebook.cards.values():
        parts_of_id = card.id.split(".")[1:]
        for name, value in card.attributes.items() if parts_of_id else ():
            if isinstance(value, ir.Const) and str(value.value) in parts_of_id:
                found.add(name)
    return found


def _places(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    used = [name for name in book.rulebook.places if mentions.writes("places", name)]
    mentioned = _mentioned(book)
    refills = {place.refill for place in book.rulebook.places.values()}
    for name, place in book.rulebook.places.items():
        section = "places" if place.owner != "card" else _kind_with(book, name)
        read = mentions.reads("places", name) or name in refills
        written = mentions.writes("places", name)
        if not written and ("places", name) not in mentioned:
            yield _unused(book, section, name, "place", used)
        elif not written:
            yield diagnose("RB511", book.span(section, name), name=name, missing="no card ever comes there")
        elif not read and _never_seen(book, place):
            yield diagnose("RB510", book.span(section, name), name=name, done="filled")


def _never_seen(book: Book, place: ir.PlaceDef) -> bool:
    """Whether players cannot look there either, under no house rule."""
    closed = isinstance(place.opened_at_end, ir.Const) and place.opened_at_end.value is False
    return closed and book.world.places[place.name].seen_by == {"nobody"}


def _mentioned(book: Book) -> set[Name]:
    """Places that stand somewhere by name."""
    found: set[Name] = {("places", one.refill) for one in book.rulebook.places.values() if one.refill}
    for home in book.homes.values():
        for one in home.records:
            if isinstance(one, ir.PlaceOf):
                found.add(("places", one.name))
            elif isinstance(one, ir.Deal | ir.Pass):
                found.add(("places", one.place))
    return found


def _kind_with(book: Book, place: str) -> str:
    kinds = book.world.authored.kinds
    return next((f"kinds.{name}.places" for name, entry in kinds.items() if place in entry.places), "places")


def _called(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """Values, actions, and units. Rules are a matter of who comes to them."""
    rulebook, world = book.rulebook, book.world
    asked = [name for name in world.values if mentions.reads("values", name)]
    for name in world.values:
        if name not in asked:
            yield _unused(book, "values", name, "value", asked)
    for name in rulebook.actions:
        if not mentions.reads("actions", name):
            help = "Offer it: `choose deed from actions where possible(me)`, then `do deed.effect(me)`."
            yield _unused(book, "actions", name, "action", help=help)
    possible = [one for one in world.authored.actions.values() if one.possible is not None]
    if possible and not mentions.reads("hooks", "possible"):
        span = possible[0].possible.span if possible[0].possible is not None else None
        help = "Ask it where actions are offered: `choose deed from actions where possible(me)`."
        yield diagnose("RB507", span, sort="question", name="possible", help=help)
    if rulebook.units and not any(_counted(home.records) for home in book.homes.values()):
        for name in rulebook.units:
            yield _unused(book, "units", name, "unit")


def _counted(records: tuple[Any, ...]) -> bool:
    return any(isinstance(one, ir.Node) and t.AMOUNT in t.members(one.type) for one in records)


def _words(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    for enumeration, words in book.world.authored.words.items():
        section = f"words.{enumeration}"
        used = [word for word in words if mentions.reads(section, word)]
        if not used:
            yield _unused(book, "words", enumeration, "list of words")
            continue
        for word in words:
            if word not in used:
                yield _unused(book, section, word, "word", used)
