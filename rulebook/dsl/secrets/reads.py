"""What an expression reads that not everyone sees: the questions behind `rulebook.dsl.secrets.following`.

In: IR expressions, and what their names stand for. Out: everything hidden that they depend on, each with who knows it.
Three questions are kept apart: what a *value* depends on, what the *number* of things in a list does (everyone may
count a hand they cannot see), and which hidden *cards* stand in a list. Never: follows statements that do something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any, TypeAlias

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.knowers import (
    NOTHING_HIDDEN,
    PUBLIC,
    SOMEWHERE,
    Given,
    Held,
    Known,
    Secret,
    answer_of,
    both,
    forget,
    given,
    holding,
    kept,
    outside,
)
from rulebook.dsl.secrets.sight import asks_face_up, is_on_the_table, lies_open, shows_faces
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.walk import children, everything
from rulebook.dsl.world import World

_Asked: TypeAlias = tuple[str, ...]
"""The names of functions of which one answers."""

Part = tuple[ir.Expr, Secret, Known]
"""A part of a function, what the answer depends on because of it, and what is known there."""


class Reads:
    """Answers for one rulebook; what functions read is worked out once, whatever they are given."""

    def __init__(self, rulebook: ir.Rulebook, world: World) -> None:
        self.rulebook, self.world = rulebook, world
        self._answers: dict[_Asked, Held] = {}
        self._hooked: dict[tuple[str, t.Type], frozenset[str]] = {}
        self._asked: dict[tuple[str, t.Type], _Asked] = {}
        self._open: dict[t.Type, bool] = {}
        self._copied: dict[t.Type, bool] = {}

    def held(self, expr: ir.Expr, known: Known) -> Held:
        """All three of an expression that gets a name."""
        return holding(self.value(expr, known), self.size(expr, known), self.cards(expr, known), expr.at)

    def view(self, view: str) -> Callable[[ir.Expr, Known], Secret]:
        """One of the questions, by its name."""
        views = {"value": self.value, "size": self.size, "cards": self.cards, "spot": self.spot}
        return views[view]

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def value(self, expr: ir.Expr, known: Known) -> Secret:
        """What the value depends on that not everyone sees: what its parts do, unless `_VALUE` knows better."""
        asked = _VALUE.get(type(expr))
        if asked is not None:
            return asked(self, expr, known)
        found = PUBLIC
        left: list[Any] = [*children(expr)]
        for one in left:
            asked = _VALUE.get(type(one))
            if asked is None:
                left += children(one)
            elif secret := asked(self, one, known):
                found = both(found, secret)
        return found

    def _of_parts(self, expr: ir.Expr, known: Known) -> Secret:
        return PUBLIC.union(*(self.value(one, known) for one in children(expr)))

    def _of_table_memory(self, expr: ir.TableMemory, known: Known) -> Secret:
        seen_by = self.world.memories[expr.name].seen_by
        return PUBLIC if seen_by == "everyone" else kept(expr.name, None, owner_knows=False)

    def _of_player_memory(self, expr: ir.PlayerMemory, known: Known) -> Secret:
        seen_by = self.world.memories[expr.name].seen_by
        own = PUBLIC if seen_by == "everyone" else kept(expr.name, expr.player, owner_knows=seen_by == "owner")
        return both(own, self.value(expr.player, known))

    def _of_state(self, expr: ir.State, known: Known) -> Secret:
        state = self.rulebook.states.get(expr.name)
        face = state is None or state.with_face
        if face:
            return self.value(expr.card, known)
        return both(self._where(expr.card, known), self.spot(expr.card, known))

    def _of_cards(self, expr: ir.Cards | ir.TheCard, known: Known) -> Secret:
        return both(self._lying(expr.place, known), self._owner(expr.place, known))

    def _of_built_in(self, expr: ir.BuiltIn, known: Known) -> Secret:
        match expr:
            case ir.BuiltIn("count" | "any", (inner,)) if not isinstance(inner, ir.Each) or inner.flat:
                return self.size(inner, known)
            case ir.BuiltIn("holder", (inner,)):
                if isinstance(inner, ir.Local):
                    return both(self.value(inner, known), self.spot(inner, known))
                return kept("", None, owner_knows=False)
        return self._of_parts(expr, known)

    def _of_filter(self, expr: ir.Filter, known: Known) -> Secret:
        within, open_faces = self.within(expr, known)
        told = self.size(expr.list, known) if open_faces else self.value(expr.list, known)
        return both(told, forget(self.value(expr.condition, within), expr.slot.__eq__))

    def _of_each(self, expr: ir.Each, known: Known) -> Secret:
        within = known.binding(expr.slot, self.one_of(expr.list, known))
        return both(self.size(expr.list, known), forget(self.value(expr.body, within), expr.slot.__eq__))

    def _of_sorted(self, expr: ir.Sorted | ir.Best, known: Known) -> Secret:
        within = known.binding(expr.slot, self.one_of(expr.list, known))
        keys = PUBLIC.union(*(self.value(key.value, within) for key in expr.keys))
        return both(self.value(expr.list, known), forget(keys, expr.slot.__eq__))

    def _of_answer(self, expr: ir.PerPlayerAnswer, known: Known) -> Secret:
        return answer_of(self.value(expr.answers, known), expr.player) | self.value(expr.player, known)

    # ── how many ─────────────────────────────────────────────────────────────────────────────────────────────────

    def size(self, expr: ir.Expr, known: Known) -> Secret:
        """What it depends on how many there are, and whether there is any: what the value does, if not in `_SIZE`."""
        kind = type(expr)
        return _SIZE[kind](self, expr, known) if kind in _SIZE else self.value(expr, known)

    def _many_cards(self, expr: ir.Cards | ir.TheCard, known: Known) -> Secret:
        return both(self._uncounted(expr.place, known), self._owner(expr.place, known))

    def _many_listed(self, expr: ir.Listed, known: Known) -> Secret:
        return PUBLIC.union(*(self.size(one, known) for one in expr.items if isinstance(one, ir.TheCard)))

    def _many_filtered(self, expr: ir.Filter, known: Known) -> Secret:
        within, _ = self.within(expr, known)
        return both(self.size(expr.list, known), forget(self.value(expr.condition, within), expr.slot.__eq__))

    def _many_of_either(self, expr: ir.IfElse, known: Known) -> Secret:
        return self.value(expr.condition, known) | self.size(expr.then, known) | self.size(expr.otherwise, known)

    def _many_of_each(self, expr: ir.Each, known: Known) -> Secret:
        within = known.binding(expr.slot, self.one_of(expr.list, known))
        inner = self.size(expr.body, within) if expr.flat or t.may_be_nothing(expr.body.type) else PUBLIC
        return self.size(expr.list, known) | forget(inner, expr.slot.__eq__)

    def _many_built_in(self, expr: ir.BuiltIn, known: Known) -> Secret:
        match expr:
            case ir.BuiltIn("first" | "last", (listed, *number)):
                return PUBLIC.union(self.size(listed, known), *(self.value(one, known) for one in number))
        return self.value(expr, known)

    def count_options(self, sources: Iterable[ir.Source], known: Known) -> Secret:
        """Find what the number of different options in some lists depends on.

        How many cards lie somewhere may be known where the cards are not. Numbers, players and words may stand twice in
        a list, and so may a card where several lists meet that are more than places.
        """
        found, parts = PUBLIC, []
        for source in sources:
            found |= (self.size if source.sort == "card" else self.value)(source.list, known)
            parts += _split(source.list)
        if len(parts) > 1 and not all(isinstance(one, _WHOLE) for one in parts):
            found |= PUBLIC.union(*(self.value(one, known) for one in parts))
        return found

    def find_copies(self, listed: ir.Expr, known: Known) -> Secret:
        """Find what it depends on which cards of a list are copies of one another."""
        if listed.type not in self._copied:
            of = t.surely(listed.type)
            cards = [one for one in t.members(of.item if isinstance(of, t.ListOf) else of) if isinstance(one, t.Card)]
            kinds = frozenset[str]().union(*(one.kinds for one in cards))
            copied = (_has_copies(one) for one in self.rulebook.cards.values() if one.kind in kinds)
            self._copied[listed.type] = any(copied)
        return self.cards(listed, known) if self._copied[listed.type] else PUBLIC

    # ── which cards ──────────────────────────────────────────────────────────────────────────────────────────────

    def cards(self, expr: ir.Expr, known: Known) -> Secret:
        """In which hidden places the cards of a list lie: whoever knows them all may look at every one of them.

        What is not in `_CARDS` is in no place in particular.
        """
        kind = type(expr)
        if kind in _CARDS:
            return _CARDS[kind](self, expr, known)
        item = expr.type.item if isinstance(expr.type, t.ListOf) else expr.type
        return SOMEWHERE if any(isinstance(one, t.Card) for one in t.members(item)) else PUBLIC

    def spot(self, expr: ir.Expr, known: Known) -> Secret:
        """What it depends on where the cards of a list lie: they may have been named, and not found in a place."""
        listed = expr.type if isinstance(expr.type, t.ListOf) else t.ListOf(expr.type)
        if self._lies_open(listed):
            return PUBLIC  # and of what lies in the box, nobody is the holder, and it is as printed
        cards = self.cards(expr, known)
        named = kept("", None, owner_knows=False) if cards & SOMEWHERE else PUBLIC
        return both(named, frozenset(Given(one.index, "spot") for one in cards if isinstance(one, Given)))

    def _cards_filtered(self, expr: ir.Filter, known: Known) -> Secret:
        return PUBLIC if self.within(expr, known)[1] else self.cards(expr.list, known)

    def _cards_of_each(self, expr: ir.Each, known: Known) -> Secret:
        within = known.binding(expr.slot, self.one_of(expr.list, known))
        return forget(self.cards(expr.body, within), expr.slot.__eq__)

    def _cards_built_in(self, expr: ir.BuiltIn, known: Known) -> Secret:
        match expr:
            case ir.BuiltIn("first" | "last" | "distinct", (listed, *_)):
                return self.cards(listed, known)
        return PUBLIC

    # ── functions ────────────────────────────────────────────────────────────────────────────────────────────────

    def functions(self, asked: ir.CallValue | ir.AskHook) -> Iterator[ir.Function]:
        """The functions that may answer: one for a value, one for each card that may be asked."""
        yield from (self.rulebook.functions[name] for name in self._asks(asked))

    def _asks(self, asked: ir.CallValue | ir.AskHook) -> _Asked:
        """Their names, in order."""
        if isinstance(asked, ir.CallValue):
            return (asked.function,) if asked.function in self.rulebook.functions else ()
        key = asked.hook, asked.target.type
        if key not in self._asked:
            self._asked[key] = tuple(sorted(self.hooked(*key) & self.rulebook.functions.keys()))
        return self._asked[key]

    def hooked(self, hook: str, target: t.Type) -> frozenset[str]:
        """The names of the scripts or functions that a hook of a target of this type may be."""
        key = hook, target
        if key not in self._hooked:
            members, cards = t.members(target), self.rulebook.cards
            kinds = frozenset().union(*(one.kinds for one in members if isinstance(one, t.Card)))
            actions = t.ACTION in members
            self._hooked[key] = frozenset(
                name
                for id, name in self.rulebook.hooks.get(hook, {}).items()
                if (cards[id].kind in kinds if id in cards else actions)
            )
        return self._hooked[key]

    def _called(self, asked: ir.CallValue | ir.AskHook, known: Known, view: str) -> Secret:
        found = PUBLIC
        if isinstance(asked, ir.AskHook):
            found = self.value(asked.target, known)  # which card it is says which of them answers
        return found | self.filled_in(self.answer(self._asks(asked)).view(view), asked, known)

    def filled_in(self, secret: Secret, asked: ir.CallValue | ir.AskHook, known: Known) -> Secret:
        """What a function depends on, in the words of who asks it."""
        arguments = (asked.target, *asked.arguments) if isinstance(asked, ir.AskHook) else asked.arguments
        found = known.after_showing(outside(frozenset(one for one in secret if not isinstance(one, Given)), arguments))
        for one in secret:
            if isinstance(one, Given) and one.index < len(arguments):
                found |= self.view(one.view)(arguments[one.index], known)
        return found

    def answer(self, asked: _Asked) -> Held:
        """What the answer of some functions depends on, in their own words, whatever they are given."""
        if asked not in self._answers:
            self._settle(asked)
        return self._answers[asked]

    def _settle(self, asked: _Asked) -> None:
        """Works out these functions and all that they ask: first what asks nothing, or nothing that is open.

        Cards may ask each other in a circle: then it takes several rounds to find all that one of them depends on.
        """
        order, in_circles = self._in_order(asked)
        self._answers |= dict.fromkeys(order, NOTHING_HIDDEN)
        while True:
            grown = False
            for one in order:
                found = self._answers[one] | self._worked_out(one)
                grown = grown or found != self._answers[one]
                self._answers[one] = found
            if not (grown and in_circles):
                return

    def _worked_out(self, asked: _Asked) -> Held:
        if len(asked) != 1:
            return reduce(Held.__or__, (self._answers[name,] for name in asked), NOTHING_HIDDEN)
        function = self.rulebook.functions[asked[0]]
        made = []
        for view in ("value", "size", "cards"):
            parts = self.parts(function, view, given(function.parameters))
            found = PUBLIC.union(*(secret for _, secret, _ in parts))
            made.append(forget(found, lambda slot: slot >= function.parameters))
        value, size, cards = made
        return holding(value, size, cards)

    def _in_order(self, asked: _Asked) -> tuple[list[_Asked], bool]:
        """All that has to be worked out, each behind what it asks, and whether some of it asks in a circle."""
        order: list[_Asked] = []
        met, above, in_circles = {asked}, {asked}, False
        left = [(asked, iter(self._asked_by(asked)))]
        while left:
            here, below = left[-1]
            for one in below:
                in_circles = in_circles or one in above
                if one not in met and one not in self._answers:
                    met.add(one)
                    above.add(one)
                    left.append((one, iter(self._asked_by(one))))
                    break
            else:
                left.pop()
                above.remove(here)
                order.append(here)
        return order, in_circles

    def _asked_by(self, asked: _Asked) -> list[_Asked]:
        """What some functions ask: each of them by itself, or what one asks."""
        if len(asked) != 1:
            return [(name,) for name in asked]
        body = self.rulebook.functions[asked[0]].body
        inside = everything(*body) if isinstance(body, tuple) else everything(body)
        return [self._asks(one) for one in inside if isinstance(one, ir.CallValue | ir.AskHook)]

    def parts(self, function: ir.Function, view: str, known: Known) -> list[Part]:
        """What a function's answer is made of, in its own words."""
        match function.body:
            case ir.Conditions(lines) | ir.Total(lines):
                return [(line.value, self.value(line.value, known), known) for line in lines]
            case tuple() as block:
                found: list[Part] = []
                self._look_through(block, known, view, found)
                return found
            case body:
                return [(body, self.view(view)(body, known), known)]

    def _look_through(self, block: ir.Block, known: Known, view: str, found: list[Part]) -> Known:
        """Everything that the answer of a script depends on, and what is known behind a block of it."""
        for one in block:
            match one:
                case ir.Let(slot, value):
                    known = known.binding(slot, self.held(value, known))
                case ir.Return(value) if value is not None:
                    found.append((value, self.view(view)(value, known), known))
                case ir.If(condition, then, otherwise):
                    found.append((condition, self.value(condition, known), known))
                    yes = self._look_through(then, known, view, found)
                    known = yes.beside(self._look_through(otherwise, known, view, found))
                case ir.ForEach(slot, listed, _, _, body, _):
                    found.append((listed, self.size(listed, known), known))
                    held, before = self.one_of(listed, known), None
                    while known != before:
                        before = known
                        known = known.beside(self._look_through(body, known.again(slot, held), view, found))
        return known

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────

    def within(self, listed: ir.Filter, known: Known) -> tuple[Known, bool]:
        """What is known where a condition is asked of each card, and whether it is asked only of what lies open."""
        open_faces = asks_face_up(listed.condition, listed.slot) and shows_faces(self.world, listed.list)
        held = NOTHING_HIDDEN if open_faces else self.one_of(listed.list, known)
        return known.binding(listed.slot, held), open_faces

    def lies_open(self, listed: ir.Expr) -> bool:
        """Whether the cards of a list are such that everyone sees them wherever they may lie, whoever lists them."""
        return self._lies_open(listed.type) and (self.world.places[BOX].open or self._is_on_the_table(listed))

    def _lies_open(self, listed: t.Type) -> bool:
        if listed not in self._open:
            self._open[listed] = lies_open(self.world, listed)
        return self._open[listed]

    def _is_on_the_table(self, listed: ir.Expr) -> bool:
        if isinstance(listed, ir.CallValue):
            bodies = [function.body for function in self.functions(listed)]
            return bool(bodies) and all(isinstance(one, ir.Node) and is_on_the_table(one) for one in bodies)
        return is_on_the_table(listed)

    def one_of(self, listed: ir.Expr, known: Known) -> Held:
        """What one thing of a list stands for."""
        secret = self.value(listed, known)
        return holding(secret, secret, self.cards(listed, known))

    def _lying(self, place: ir.Expr, known: Known) -> Secret:
        """Which cards lie in a place."""
        if not isinstance(place, ir.PlaceOf):
            return kept("", None, owner_knows=False)
        info = self.world.places[place.name]
        if info.open:
            return PUBLIC
        return known.after_showing(kept(place.name, place.owner, owner_knows=info.open_to_owner))

    def _uncounted(self, place: ir.Expr, known: Known) -> Secret:
        if not isinstance(place, ir.PlaceOf) or self.world.places[place.name].count_open:
            return PUBLIC
        return known.after_showing(kept(place.name, place.owner, owner_knows=True))

    def _owner(self, place: ir.Expr, known: Known) -> Secret:
        if isinstance(place, ir.PlaceOf):
            return PUBLIC if place.owner is None else self.value(place.owner, known)
        return self.value(place, known)

    def _where(self, card: ir.Expr, known: Known) -> Secret:
        """What *which position* is meant depends on; what lies on top of a card everyone sees."""
        match card:
            case ir.TheCard(place) | ir.Cards(place):
                return self._owner(place, known)
            case ir.Local():
                return PUBLIC
        return self.value(card, known)

    def _of_face(self, expr: ir.IsFaceUp, known: Known) -> Secret:
        """What lies face up everyone sees, but for what other cards cover in a pile."""
        kinds = frozenset().union(*(one.kinds for one in t.members(expr.card.type) if isinstance(one, t.Card)))
        covers = any(place.kept == "pile" and place.holds & kinds for place in self.world.places.values())
        return both(self._where(expr.card, known), self.spot(expr.card, known) if covers else PUBLIC)


_WHOLE = (ir.Cards, ir.TheCard, ir.AllCards)
"""Lists that have a card in common only where they are the same place."""


def _split(listed: ir.Expr) -> list[ir.Expr]:
    """Take a list apart into those that it is put together of."""
    match listed:
        case ir.Filter(inner) | ir.Sorted(inner):
            return _split(inner)
        case ir.Chain(first, second) | ir.IfElse(_, first, second):
            return [*_split(first), *_split(second)]
        case ir.Listed(items):
            return [*items]
    return [listed]


def _has_copies(card: ir.CardDef) -> bool:
    """Tell a card of which there may be several from one that is alone."""
    match card.copies:
        case ((ir.Const(1), _),):
            return False
    return True


_Asks: TypeAlias = dict[type[Any], Callable[[Reads, Any, Known], Secret]]

_VALUE: _Asks = {
    ir.Local: lambda reads, one, known: known.of(one.slot).value,
    ir.TableMemory: Reads._of_table_memory,
    ir.PlayerMemory: Reads._of_player_memory,
    ir.State: Reads._of_state,
    ir.Cards: Reads._of_cards,
    ir.TheCard: Reads._of_cards,
    ir.Pieces: lambda reads, one, known: reads._owner(one.place, known),
    ir.IsEmpty: lambda reads, one, known: reads.size(one.list, known),
    ir.IsNothing: lambda reads, one, known: reads.size(one.value, known),
    ir.IsFaceUp: Reads._of_face,
    ir.BuiltIn: Reads._of_built_in,
    ir.Filter: Reads._of_filter,
    ir.Each: Reads._of_each,
    ir.Sorted: Reads._of_sorted,
    ir.Best: Reads._of_sorted,
    ir.CallValue: lambda reads, one, known: reads._called(one, known, "value"),
    ir.AskHook: lambda reads, one, known: reads._called(one, known, "value"),
    ir.PerPlayerAnswer: Reads._of_answer,
}
"""Expressions of which the value depends on something else than just what the values of their parts do."""
_SIZE: _Asks = {
    ir.Local: lambda reads, one, known: known.of(one.slot).size,
    ir.Cards: Reads._many_cards,
    ir.TheCard: Reads._many_cards,
    ir.Listed: Reads._many_listed,
    ir.Filter: Reads._many_filtered,
    ir.IfElse: Reads._many_of_either,
    ir.Chain: lambda reads, one, known: reads.size(one.first, known) | reads.size(one.second, known),
    ir.Each: Reads._many_of_each,
    ir.Sorted: lambda reads, one, known: reads.size(one.list, known),
    ir.BuiltIn: Reads._many_built_in,
    ir.CallValue: lambda reads, one, known: reads._called(one, known, "size"),
}
"""Lists of which not everything has to be known to count them."""
_CARDS: _Asks = {
    ir.Local: lambda reads, one, known: known.of(one.slot).cards,
    ir.Cards: lambda reads, one, known: reads._lying(one.place, known),
    ir.TheCard: lambda reads, one, known: reads._lying(one.place, known),
    ir.Filter: Reads._cards_filtered,
    ir.Sorted: lambda reads, one, known: reads.cards(one.list, known),
    ir.Best: lambda reads, one, known: reads.cards(one.list, known),
    ir.Chain: lambda reads, one, known: reads.cards(one.first, known) | reads.cards(one.second, known),
    ir.IfElse: lambda reads, one, known: reads.cards(one.then, known) | reads.cards(one.otherwise, known),
    ir.Listed: lambda reads, one, known: PUBLIC.union(*(reads.cards(item, known) for item in one.items)),
    ir.Each: Reads._cards_of_each,
    ir.BuiltIn: Reads._cards_built_in,
    ir.CallValue: lambda reads, one, known: reads._called(one, known, "cards"),
    ir.PerPlayerAnswer: lambda reads, one, known: answer_of(reads.cards(one.answers, known), one.player),
}
"""What cards come from."""
