"""Which choices are plain: their options are one list, and whether two of them are one option is printed on the cards.

In: a choice and its `Book`. Out: whether it is plain. Never: says what the options are.

Plain is a decision with one pick, in no order, and with `so that` only where it is of a set. Cards must come from one
place, which is no grid, and where who chooses sees them as long as both stay as they are: that needs no knowledge. All
else `choosing` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.settled import as_one, is_settled, settled
from rulebook.interpreter.layout import PlaceSlot, StateSlot
from rulebook.interpreter.lowering.scripts import binds, item_of


def is_plain(book: Book, name: str, player: ir.Expr, picks: tuple[ir.Pick, ...]) -> bool:
    """Whether all options of a choice in the script of that name can be listed, and told apart, without `choosing`."""
    if len(picks) != 1 or picks[0].ordered or book.layout.wide:
        return False
    if picks[0].so_that is not None and not picks[0].many:
        return False
    script = book.tables.rulebook.scripts[name]
    sources = picks[0].sources
    with_cards = [source for source in sources if holds_cards(source) and not are_apart(book, script, source)]
    return len(with_cards) < 2 and all(_is_seen(book, script, player, source) for source in with_cards)


def are_apart(book: Book, script: ir.Script, source: ir.Source) -> bool:
    """Whether no two cards of a source are ever the same option, whoever knows them: each has a position of its own, or
    is like no other wherever it may lie hidden.
    """
    places = wherever(book, script, source)
    if all(place.kept in ("grid", "slot") for place in places):
        return True
    cards = book.tables.of_kinds(_kinds(source))
    unlike = {card if card in book.program.singular else ~book.program.likeness[card] for card in cards}
    return all(place.ordered or _is_open(book, place) for place in places) and len(unlike) == len(cards)


def wherever(book: Book, script: ir.Script, source: ir.Source) -> list[PlaceSlot]:
    """All places in which a card of a source may lie."""
    names, kinds = places_read(book, script, source.list, frozenset()), _kinds(source)
    return [one for one in book.layout.places if (one.holds & kinds if names is None else one.name in names)]


def _kinds(source: ir.Source) -> frozenset[str]:
    """What kinds of cards may be among the values of a source."""
    return frozenset().union(*(one.kinds for one in t.members(_item(source)) if isinstance(one, t.Card)))


def _is_open(book: Book, place: PlaceSlot) -> bool:
    """Whether everyone sees every card of a place as long as it lies there."""
    return place.watchers == book.layout.everyone


def places_read(book: Book, script: ir.Script | None, expr: Any, known: frozenset[Any]) -> set[str] | None:
    """The names of all places where a card of a list may lie; None if that is not to be found out."""
    found: set[str] = set()
    for node in nodes(expr):
        parts: Iterable[tuple[ir.Script | None, Any]] = ()
        match node:
            case ir.PlaceOf(name):
                found.add(name)
            case ir.AllCards() | ir.TableMemory() | ir.PlayerMemory() | ir.State() if _cards(node.type):
                return None
            case ir.BuiltIn("held_by" | "under" | "over"):
                return None
            case ir.CallValue(name) if name not in known:
                known |= {name}
                parts = [(None, book.tables.rulebook.functions[name].body)]
            case ir.AskHook(hook) if _cards(node.type) and hook not in known:
                known |= {hook}
                named = dict.fromkeys(book.tables.rulebook.hooks.get(hook, {}).values())
                parts = [(None, book.tables.rulebook.functions[one].body) for one in named]
            case ir.Local(slot) if script is not None and _cards(node.type) and slot not in known:
                known |= {slot}
                if slot < script.parameters:
                    return None
                bound = [one for one in nodes(script.body) if isinstance(one, ir.Sentence) and slot in binds(one)]
                if not all(isinstance(one, ir.Let | ir.Choose | ir.ForEach | ir.PickRandom) for one in bound):
                    return None
                parts = [(script, _heads(one)) for one in bound]
        for where, part in parts:
            more = places_read(book, where, part, known)
            if more is None:
                return None
            found |= more
    return found


def _heads(sentence: ir.Sentence) -> Any:
    """What a sentence takes from that gives names."""
    match sentence:
        case ir.Let(_, value):
            return value
        case ir.Choose(picks=picks):
            return tuple(source.list for pick in picks for source in pick.sources)
        case ir.ForEach(_, list) | ir.PickRandom(_, list):
            return list
    raise TypeError(type(sentence).__name__)


def _cards(of: t.Type) -> bool:
    """Whether a value may be a card, or hold some."""
    members = t.members(t.surely(of))
    inside = [item for one in members if isinstance(one, t.ListOf) for item in t.members(t.surely(one.item))]
    return any(isinstance(one, t.Card | t.ListOf) for one in (*members, *inside)) or not members


def holds_cards(source: ir.Source) -> bool:
    """Whether there may be cards among the values of a source."""
    members = t.members(_item(source))
    return not members or any(isinstance(one, t.Card | t.ListOf) for one in members)


def _item(source: ir.Source) -> t.Type:
    return t.surely(item_of(source.list.type))


def keeps_knowledge(book: Book) -> bool:
    """Whether the text keeps who knows which card: watched, or options depend on what somebody remembers."""
    return book.watched or any(_may_remember(book, script) for script in book.tables.rulebook.scripts.values())


def _may_remember(book: Book, script: ir.Script) -> bool:
    """Whether who chooses in a script may have to remember a card that is among the options."""
    if script.name not in book.remembers:
        book.remembers[script.name] = _needs_knowledge(book, script)
    return book.remembers[script.name]


def _needs_knowledge(book: Book, script: ir.Script) -> bool:
    for node in nodes(script.body):
        match node:
            case ir.Choose(player, picks=picks):
                chooser, sources = player, [source for pick in picks for source in pick.sources]
            case ir.ChooseEach(slot, _, picks=picks):
                chooser = ir.Local(slot, "", type=t.PLAYER)
                sources = [source for pick in picks for source in pick.sources]
            case ir.Arrange(player, cards):
                chooser, sources = player, [ir.Source(cards, "card")]
            case _:
                continue
        for source in sources:
            if holds_cards(source) and not source.shown and not are_apart(book, script, source):
                seen = homes(book, script, source.list)
                if seen is not None and all(_lets_look(book, chooser, place) for place in seen):
                    continue
                # Where a place does not recall, who chooses is told what it sees now, and nothing else.
                if any(place.recall and not _is_open(book, place) for place in wherever(book, script, source)):
                    return True
    return False


def _is_seen(book: Book, script: ir.Script, player: ir.Expr, source: ir.Source) -> bool:
    places = homes(book, script, source.list)
    if not places or any(place.name != places[0].name for place in places):
        return False
    owners = [place.owner for place in places]
    if any(owner != owners[0] and not (owner and same_local(owners[0], owner)) for owner in owners):
        return False
    kept = next((one.kept for one in slots_of(book, places[0])), "")
    return kept in ("loose", "row", "slot", "bag", "pile") and (
        (source.shown and not book.watched)
        or _lets_look(book, player, places[0])
        or (kept != "pile" and _is_face_up(book, source.list))
    )


def _is_face_up(book: Book, several: ir.Expr) -> bool:
    """Whether all cards of a list lie face up, because it leaves out others."""
    match several:
        case ir.Filter(list, slot, condition):
            return _says_face_up(condition, slot) or _is_face_up(book, list)
        case ir.Sorted(list) | ir.Best(list):
            return _is_face_up(book, list)
        case ir.IfElse():
            return all(_is_face_up(book, one) for one in cases(book, several))
        case ir.Listed(()) | ir.Const(()):
            return True
        case ir.CallValue(name):
            body = as_one(book, name)
            return body is not None and _is_face_up(book, body)
    return False


def _says_face_up(condition: ir.Expr, slot: int) -> bool:
    match condition:
        case ir.IsFaceUp(ir.Local(local)):
            return local == slot
        case ir.And(left, right):
            return _says_face_up(left, slot) or _says_face_up(right, slot)
    return False


def are_ordered(book: Book, sources: Sequence[ir.Source]) -> bool:
    """Whether all cards of some sources lie in places with an order, in which they are offered whatever they become."""
    found = [homes(book, None, source.list) for source in sources if holds_cards(source)]
    return all(places and all(one.ordered for place in places for one in slots_of(book, place)) for places in found)


def changes_options(book: Book, sources: Sequence[ir.Source]) -> list[StateSlot]:
    """The states of cards that tell cards of these sources apart, or put them in another order, when they change."""
    with_cards = [source for source in sources if holds_cards(source)]
    kinds = frozenset().union(*map(_kinds, with_cards))
    if with_cards and (len(with_cards) > 1 or not _in_own_order(book, with_cards[0].list)):
        return [*book.program.changing]
    return [one for one in book.program.changing if one.kinds & kinds]


def _in_own_order(book: Book, several: ir.Expr) -> bool:
    """Whether the cards of a list stand in it as they are kept in one place, where equal ones lie together."""
    match several:
        case ir.Cards(ir.PlaceOf()):
            like = book.program.likeness
            return all(one <= other for one, other in pairwise(like))
        case ir.Filter(list):
            return _in_own_order(book, list)
        case ir.CallValue(name):
            body = as_one(book, name)
            return body is not None and _in_own_order(book, body)
    return False


def lie_together(book: Book, sources: Sequence[ir.Source]) -> bool:
    """Whether those cards of some sources that are one option stand in the list of all values one behind the other."""
    with_cards = [source for source in sources if holds_cards(source)]
    if len(with_cards) != 1 or not _in_own_order(book, with_cards[0].list):
        return False
    places = homes(book, None, with_cards[0].list) or []
    return bool(places) and all(one.kept in ("bag", "loose") for place in places for one in slots_of(book, place))


def slots_of(book: Book, place: ir.PlaceOf) -> list[PlaceSlot]:
    """A place, of each of its owners."""
    return [book.layout.places[one] for one in book.layout.place_of[place.name] if one is not None]


def _lets_look(book: Book, player: ir.Expr, place: ir.PlaceOf) -> bool:
    """Whether a player sees every card of a place as long as it lies there."""
    one = slots_of(book, place)[0]
    owned = one.seen_by == "owner" and one.owned_by == "player" and same_local(place.owner, player)
    return owned or _is_open(book, one)


def same_local(one: ir.Expr | None, other: ir.Expr) -> bool:
    """Whether both are what stands in the same local."""
    return isinstance(one, ir.Local) and isinstance(other, ir.Local) and one.slot == other.slot


def homes(book: Book, script: ir.Script | None, several: ir.Expr) -> list[ir.PlaceOf] | None:
    """The places where the cards of a list lie, if it says so; None if it does not."""
    match several:
        case ir.Cards(ir.PlaceOf() as place) | ir.TheCard(ir.PlaceOf() as place):
            return [place]
        case ir.AllActions() | ir.Const() | ir.Listed(()):
            return []
        case ir.Filter(list) | ir.Sorted(list) | ir.Best(list):
            return homes(book, script, list)
        case ir.Chain(first, second):
            return _all_homes(book, script, [first, second])
        case ir.IfElse():
            return _all_homes(book, script, cases(book, several))
        case ir.CallValue(name, arguments):
            body = as_one(book, name)
            found = (homes(book, None, body) if body is not None else None) or []
            return [_of_caller(place, arguments) for place in found] or None
        case ir.Local(slot) if script is not None:
            bound = [node for node in nodes(script.body) if isinstance(node, ir.Sentence) and slot in binds(node)]
            if len(bound) == 1 and isinstance(bound[0], ir.Let):
                return homes(book, script, bound[0].value)
    return None


def _all_homes(book: Book, script: ir.Script | None, lists: Sequence[ir.Expr]) -> list[ir.PlaceOf] | None:
    found = [homes(book, script, one) for one in lists]
    return None if None in found else [place for places in found for place in places or ()]


def cases(book: Book, several: ir.IfElse) -> list[ir.Expr]:
    """What a list may be that depends on a condition: one of two, if that is not known before the game."""
    if is_settled(book, several.condition):
        return [several.then if settled(book, several.condition) else several.otherwise]
    return [several.then, several.otherwise]


def _of_caller(place: ir.PlaceOf, arguments: tuple[ir.Expr, ...]) -> ir.PlaceOf:
    """A place of whoever a question was asked about."""
    owner = place.owner
    return evolve(place, owner=arguments[owner.slot]) if isinstance(owner, ir.Local) else place


def is_distinct(book: Book, several: ir.Expr) -> bool:
    """Whether no value can stand twice in a list."""
    match several:
        case ir.Cards() | ir.AllCards() | ir.AllActions() | ir.Seats() | ir.Clockwise() | ir.Span():
            return True
        case ir.BuiltIn(name) if name == "distinct" or name in SHORT:
            return True
        case ir.Const(tuple(values)):
            return len(set(values)) == len(values)
        case ir.Listed(items):
            return len(items) < 2
        case ir.IfElse():
            return all(is_distinct(book, one) for one in cases(book, several))
        case ir.Filter(list) | ir.Sorted(list) | ir.Best(list):
            return is_distinct(book, list)
        case ir.CallValue(name):
            body = as_one(book, name)
            return body is not None and is_distinct(book, body)
    return False


def are_named_once(book: Book, script: ir.Script | None, several: ir.Expr) -> bool:
    """Whether no card can stand twice in a list, which stands in a script or (None) is the answer of a question."""
    match several:
        case ir.Each(list, slot, ir.Cards(place), True) | ir.Each(list, slot, ir.TheCard(place), False):
            # What lies in the places of different owners.
            owner = place.owner if isinstance(place, ir.PlaceOf) else None
            return isinstance(owner, ir.Local) and owner.slot == slot and is_distinct(book, list)
        case ir.Local(slot):
            if script is None or slot < script.parameters:
                return False
            bound = [one for one in nodes(script.body) if isinstance(one, ir.Sentence) and slot in binds(one)]
            picked = [one.source for one in bound if isinstance(one, ir.PickRandom)]
            chosen = sum(isinstance(one, ir.Choose) for one in bound)
            return len(bound) == len(picked) + chosen and all(are_named_once(book, script, one) for one in picked)
        case ir.Filter(list) | ir.Sorted(list) | ir.Best(list):
            return are_named_once(book, script, list)
        case ir.CallValue(name):
            body = as_one(book, name)
            return body is not None and are_named_once(book, None, body)
    return is_distinct(book, several)


SHORT = frozenset(["beside", "around", "row", "column"])
"""Built-in questions whose answers are cards or positions of one place."""


def is_short(book: Book, several: ir.Expr) -> bool:
    """Whether a list has, whatever happens, fewer members than may be made: those of a place, of a few such lists."""
    match several:
        case ir.Cards() | ir.AllCards() | ir.AllActions() | ir.Seats() | ir.Clockwise() | ir.Listed():
            return not book.layout.wide
        case ir.BuiltIn(name):
            return name in SHORT and not book.layout.wide
        case ir.Const(tuple(values)):
            return len(values) < 256
        case ir.Filter(list) | ir.Sorted(list) | ir.Best(list):
            return is_short(book, list)
        case ir.IfElse(_, then, otherwise):
            return is_short(book, then) and is_short(book, otherwise)
        case ir.Chain(first, second):
            # So few are made that no sentence is long enough to say too many.
            return is_short(book, first) and is_short(book, second)
    return False
