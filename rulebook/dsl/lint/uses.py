"""Lint: declared things that nothing reads, nothing writes, or nothing calls.

Bad: an option `tempo` in no script. Good: `repeat options.tempo:`.

A name is used where any sentence or question mentions it, whether or not that is ever reached, so that one mistake
gives one message. Players read too: a text, a card's name, what `each` or the back tells apart, an open place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import attrgetter
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose, nearest
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import Scalar, find_words
from rulebook.dsl.lint.book import Book, Name
from rulebook.dsl.walk import everything, parts
from rulebook.dsl.world import World, part_of_id

_SECTIONS: dict[type[Any], str] = {
    ir.PlaceOf: "places",
    ir.TableMemory: "memory",
    ir.PlayerMemory: "memory",
    ir.State: "state",
    ir.Attribute: "has",
    ir.OptionValue: "options",
    ir.ByOption: "options",
    ir.AskHook: "hooks",
    ir.DoHook: "hooks",
    ir.TheAction: "actions",
}
"""Nodes that stand for a name of a section, which is their first field, and that section."""
_ON_GRIDS = ("beside", "around", "row", "column", "row_number", "column_number")

_TO_THE_BOX = (
    "Ask for it where it should matter, or take it out and move the cards to the `box`, into which nobody looks either."
)


def unused(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """Every declared name that means nothing to the game."""
    yield from _find_unread(book, mentions, "options", book.rulebook.options, "option")
    yield from _memories(book, mentions)
    yield from _fields(book, mentions)
    yield from _places(book, mentions)
    yield from _find_uncalled(book, mentions)
    yield from _find_unused_words(book, mentions)


class Mentions:
    """The names that scripts read and write; `read` and `written` hold `("memory", "score")` and the like."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.read: set[Name] = set()
        self.written: set[Name] = set()
        self._told: set[int] = set()
        """Names that nobody looks at where they stand, because of the sentence around them. Identities, because equal
        expressions may stand elsewhere."""
        self._note_written()
        self._note_read()
        for memory in book.rulebook.memories.values():
            self._value(memory.type, memory.start)
        for state in book.rulebook.states.values():
            self._value(state.type, state.start)
        self.mentioned = {at.name for at in book.all(ir.PlaceOf)} | {at.place for at in book.all(ir.Deal, ir.Pass)}
        """The places that stand somewhere by name."""
        self.counted = bool(book.rulebook.units) and _has_amounts(book)
        """True if anything is an amount."""
        authored = book.world.authored
        self.elsewhere = {word for measure in authored.measures for word in find_words(measure.body)}
        self.elsewhere |= {*authored.display.shown, *(word.text for word in authored.display.scores)}
        for look in book.rulebook.display.looks.values():
            self.elsewhere |= {name for name in (*(look.corner or ()), look.middle) if isinstance(name, str)}
        """Names in sections that are read by people and programs beside the game."""
        for place in book.rulebook.places.values():
            if place.refill is not None and ("places", place.name) in self.read:
                self.read.add(("places", place.refill))

    def reads(self, section: str, name: str) -> bool:
        return (section, name) in self.read or name in self.elsewhere

    def writes(self, section: str, name: str) -> bool:
        return (section, name) in self.written

    # ── sentences ────────────────────────────────────────────────────────────────────────────────────────────────

    def _note_written(self) -> None:
        """Note what sentences set and fill, and what they only speak of for that."""
        for assign in self.book.all(ir.Assign):
            target = assign.target
            self.written.add((_SECTIONS[type(target)], target.name))
            # To reckon a thing from itself is not yet to ask for it.
            same = (part for part in everything(assign.value) if type(part) is type(target))
            self._told |= {id(target), *(id(part) for part in same if part.name == target.name)}
        for move in self.book.all(ir.Moving):
            for goal in ir.find_goals(move):
                if isinstance(goal, ir.PlaceOf):
                    self.written.add(("places", goal.name))
                    self._told |= {id(goal)} - {id(expr) for expr in ir.find_taken(move)}
                elif goal.type == t.CELL:
                    # A position of any grid or row.
                    places = self.book.rulebook.places.values()
                    self.written |= {("places", place.name) for place in places if place.kept in ("grid", "row")}
        for mixing in self.book.all(ir.Mixing):
            # Only mixed, nobody has looked yet, unless somebody does it by choice.
            self._told |= set() if isinstance(mixing, ir.Asking) else {id(ir.find_mixed(mixing))}
        for handing in self.book.all(ir.DoRule, ir.DoHook):
            # Where it is handed over, something may lie afterwards.
            there = [part for part in parts(handing) if isinstance(part, ir.PlaceOf)]
            self.written |= {("places", place.name) for place in there}
        self.written |= {("places", move.place) for move in self.book.all(ir.Deal, ir.Pass)}
        self.read |= {("places", move.place) for move in self.book.all(ir.Pass)}
        for name in {roll.state for roll in self.book.all(ir.Roll)}:
            self.written.add(("state", name))
            state = self.book.rulebook.states[name]
            for value in state.values or ():
                self._value(state.type, value)

    # ── questions ────────────────────────────────────────────────────────────────────────────────────────────────

    def _note_read(self) -> None:
        """Note what is asked for, wherever it stands."""
        for kind, section in _SECTIONS.items():
            named = attrgetter(kind.__match_args__[0])
            names = {named(node) for node in self.book.all(kind) if id(node) not in self._told}
            self.read |= {(section, name) for name in names}
        self.read |= {("values", call.function.removeprefix("values.")) for call in self.book.all(ir.CallValue)}
        if self.book.all(ir.AllActions):
            self.read |= {("actions", id) for id in self.book.rulebook.actions}
        if any(cards.only is None for cards in self.book.all(ir.AllCards)):
            # Wherever they lie.
            self.read |= {("places", name) for name in self.book.rulebook.places}
        for name in {built_in.name for built_in in self.book.all(ir.BuiltIn)}:
            self._built_in(name)
        consts = {(node.type, node.value) for node in self.book.all(ir.Const) if isinstance(node.value, (str, tuple))}
        for of, value in consts:
            self._value(of, value)

    def _built_in(self, name: str) -> None:
        for place in self.book.rulebook.places.values():
            if (name == "holder" and place.owner == "player") or (name in _ON_GRIDS and place.kept in ("grid", "row")):
                self.read.add(("places", place.name))

    def _value(self, of: t.Type, value: object) -> None:
        """A word that stands somewhere."""
        for member in t.members(of):
            inner = member.item if isinstance(member, t.ListOf) else member
            for symbol in t.members(inner):
                if isinstance(symbol, t.Symbol):
                    for word in value if isinstance(value, tuple) else (value,):
                        self.read.add((f"words.{symbol.enumeration}", str(word)))


# ── sections ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _report(book: Book, section: str, name: str, sort: str, others: Any = (), help: str | None = None) -> Diagnostic:
    # A book without something is looked at for places alone.
    near = None if book.without else nearest(name, others)
    if near is not None:
        help = f"`{near}` is used: did you mean this one there?"
    return diagnose("RB507", book.span(section, name), sort=sort, name=name, help=help)


def _find_unread(book: Book, mentions: Mentions, section: str, names: Collection[str], sort: str) -> list[Diagnostic]:
    used = dict.fromkeys(name for name in names if mentions.reads(section, name))
    return [_report(book, section, name, sort, used) for name in names if name not in used]


def _memories(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    names = book.rulebook.memories
    used = [name for name in names if mentions.reads("memory", name)]
    for name, memory in names.items():
        yield from _check_kept(book, mentions, ("memory", name), "memory", "memory", memory.start, used)


def _check_kept(
    book: Book, mentions: Mentions, name: Name, section: str, sort: str, start: object, others: list[str]
) -> Iterator[Diagnostic]:
    """Check a memory or state, which should be both set and asked for. One with a start may be a constant with a name.
    """
    read, written = mentions.reads(*name), mentions.writes(*name)
    if written and not read and _informs(book, name):
        return
    rest = [one for one in others if one != name[1]]
    if not read and not written:
        yield _report(book, section, name[1], sort, rest)
    elif not read:
        near = nearest(name[1], rest)
        help = f"`{near}` is asked for: did you mean this one there?" if near else None
        yield diagnose("RB510", book.span(section, name[1]), name=name[1], done="set", help=help)
    elif not written and start is None:
        yield diagnose("RB511", book.span(section, name[1]), name=name[1], missing="nothing ever sets it")


def _fields(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """States and attributes, kind by kind."""
    rulebook, world = book.rulebook, book.world
    printed = _list_printed(rulebook) | _list_counted(world)
    there = {card.kind for card in rulebook.cards.values()}
    for kind, entry in world.authored.kinds.items():
        if not world.concrete[kind] & there:
            help = "No card is of this kind. Make one, or take the kind out."
            yield _report(book, "kinds", kind, "kind", help=help)
            continue
        for name in entry.state:
            used = [state for state in rulebook.states if mentions.reads("state", state)]
            if mentions.writes("state", name) and _tells_of_hidden(book, rulebook.states[name]):
                continue
            yield from _check_kept(
                book, mentions, ("state", name), f"kinds.{kind}.state", "state", rulebook.states[name].start, used
            )
        changes = {scalar.text for scalar in entry.may_change.names}
        used = [name for name in world.attributes if mentions.reads("has", name) or mentions.reads("state", name)]
        for name in (*entry.has, *entry.comes_with):
            section = f"kinds.{kind}.{'has' if name in entry.has else 'comes_with'}"
            text = t.surely(world.attributes[name].type) == t.TEXT
            if name not in used and name not in printed and not text:
                yield _report(book, section, name, "attribute", used)
        for name in sorted(changes):
            if not mentions.writes("state", name):
                span = next(scalar.span for scalar in entry.may_change.names if scalar.text == name)
                yield diagnose("RB511", span, name=name, missing="nothing ever changes it")
        for hook in (*entry.asks, *entry.does, *entry.may_do):
            name = hook.key.name
            section = f"kinds.{kind}.{_part(entry, hook)}"
            if not mentions.reads("hooks", name):
                yield _report(
                    book, section, name, "hook", [hook for hook in world.hooks if mentions.reads("hooks", hook)]
                )
            elif hook in entry.may_do and not _has_hook(book, name):
                yield diagnose("RB511", book.span(section, name), name=name, missing="no card has it")


def _part(entry: Any, hook: Any) -> str:
    return next(name for name in ("asks", "does", "may_do") if hook in getattr(entry, name))


def _has_hook(book: Book, name: str) -> bool:
    return any(id in book.rulebook.cards for id in book.rulebook.hooks.get(name, {}))


def _list_printed(rulebook: ir.Rulebook) -> set[str]:
    """List the attributes that are a part of a card's identity: those below `each`."""
    names: set[str] = set()
    for card in rulebook.cards.values():
        parts_of_id = card.id.split(".")[1:]
        for name, value in card.attributes.items() if parts_of_id else ():
            if (
                isinstance(value, ir.Const)
                and not isinstance(value.value, tuple)
                and part_of_id(value.value) in parts_of_id
            ):
                names.add(name)
    return names


def _tells_of_hidden(book: Book, state: ir.StateDef) -> bool:
    """Tell whether a state that all see may lie on a card that its own player does not know: then it is information,
    and people ask for it.
    """
    places = book.world.places.values()
    kept = (place for place in places if place.kept in ("row", "grid", "slot") and place.holds & state.kinds)
    return not state.with_face and any(
        place.owner == "player" and place.open_to != "owner" and not place.open for place in kept
    )


def _informs(book: Book, name: Name) -> bool:
    """Tell whether a memory or state is a note that people read on the page, and so ask for: what only some see, or
    words, people, cards and lists. A number or a yes or no that lies open to all should matter to the rules, or have a
    title for people.
    """
    section, key = name
    display = book.world.authored.display
    if key in {scalar.text for scalar in display.hidden}:
        return False
    seen_by = book.rulebook.memories[key].seen_by if section == "memory" else "everyone"
    of = book.rulebook.memories[key].type if section == "memory" else book.rulebook.states[key].type
    plain = set() if key in display.titles else {t.NUMBER, t.AMOUNT, t.YES_NO, t.NOTHING}
    return seen_by in ("owner", "others") or (seen_by != "nobody" and not {*t.members(of)} <= plain)


def _list_counted(world: World) -> set[str]:
    """List the words by which copies of cards are counted, the names of attributes among them."""
    counted = (card.fields.get("copies") for card in world.authored.cards.values())
    return {word for node in counted if isinstance(node, Scalar) for word in find_words(node)}


def _places(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    used = [name for name in book.rulebook.places if mentions.writes("places", name)]
    refills = {place.refill for place in book.rulebook.places.values() if place.refill}
    for name, place in book.rulebook.places.items():
        section = "places" if place.owner != "card" else _kind_with(book, name)
        read = mentions.reads("places", name) or name in refills
        written = mentions.writes("places", name)
        if not written and name not in mentions.mentioned | refills:
            yield _report(book, section, name, "place", used)
        elif not written:
            yield diagnose("RB511", book.span(section, name), name=name, missing="no card ever comes there")
        elif not read and _never_seen(book, place):
            yield diagnose("RB510", book.span(section, name), name=name, done="filled", help=_TO_THE_BOX)


def _never_seen(book: Book, place: ir.PlaceDef) -> bool:
    """Tell whether players cannot look there either, under no house rule, and the box would hide the cards as well."""
    return all(
        isinstance(place.opened_at_end, ir.Const)
        and place.opened_at_end.value is False
        and book.world.places[place.name].seen_by == {"nobody"}
        for place in (place, book.rulebook.box)
    )


def _kind_with(book: Book, place: str) -> str:
    kinds = book.world.authored.kinds
    return next((f"kinds.{name}.places" for name, entry in kinds.items() if place in entry.places), "places")


def _find_uncalled(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    """Find values, actions and units that nothing uses. Rules are a matter of who comes to them."""
    rulebook, world = book.rulebook, book.world
    yield from _find_unread(book, mentions, "values", world.values, "value")
    for name in rulebook.actions:
        if not mentions.reads("actions", name):
            help = "Offer it: `choose deed from actions where possible(me)`, then `do deed.effect(me)`."
            yield _report(book, "actions", name, "action", help=help)
    possible = [action for action in world.authored.actions.values() if action.possible is not None]
    if possible and not mentions.reads("hooks", "possible"):
        span = possible[0].possible.span if possible[0].possible is not None else None
        help = "Ask it where actions are offered: `choose deed from actions where possible(me)`."
        yield diagnose("RB507", span, sort="question", name="possible", help=help)
    if rulebook.units and not mentions.counted:
        for name in rulebook.units:
            yield _report(book, "units", name, "unit")


def _has_amounts(book: Book) -> bool:
    return any(t.AMOUNT in t.members(record.type) for record in book.all(ir.Node, ir.Function))


def _find_unused_words(book: Book, mentions: Mentions) -> Iterator[Diagnostic]:
    world = book.world
    types = [*(info.type for info in world.attributes.values()), *(info.type for info in world.memories.values())]
    keys = [of.key for of in types if isinstance(of, t.TableOf)]
    counted = {key.enumeration for key in keys if isinstance(key, t.Symbol)}
    for enumeration, words in book.world.authored.words.items():
        if enumeration in counted:
            continue  # tables are paid and compared whole, each word of them
        unread = _find_unread(book, mentions, f"words.{enumeration}", words, "word")
        yield from unread if len(unread) < len(words) else [_report(book, "words", enumeration, "list of words")]
