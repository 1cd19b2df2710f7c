"""What an expression reads that not everyone sees: the questions behind `rulebook.dsl.secrets`.

In: IR expressions, and what their names stand for. Out: everything hidden that they depend on, each with who knows it.
Three questions are kept apart: what a *value* depends on, what the *number* of things in a list does (everyone may
count a hand they cannot see), and which hidden *cards* stand in a list. Never: follows statements that do something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import TypeAlias

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secret_knowers import (
    NOTHING_HIDDEN,
    PUBLIC,
    Given,
    Held,
    Known,
    Secret,
    answer_of,
    forget,
    given,
    kept,
    outside,
)
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
        self._asked: dict[tuple[str, t.Type], _Asked] = {}

    def held(self, expr: ir.Expr, known: Known) -> Held:
        """All three of an expression that gets a name."""
        return Held(self.value(expr, known), self.size(expr, known), self.cards(expr, known), at=expr.at)

    def view(self, view: str) -> Callable[[ir.Expr, Known], Secret]:
        """One of the three questions, by its name."""
        return self.value if view == "value" else self.size if view == "size" else self.cards

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def value(self, expr: ir.Expr, known: Known) -> Secret:
        """What the value depends on that not everyone sees."""
        match expr:
            case ir.Local(slot, _):
                return known.of(slot).value
            case ir.Const():
                return PUBLIC
            case ir.Compare(_, left, right) | ir.Arithmetic(_, left, right) | ir.And(left, right) | ir.Or(left, right):
                return self.value(left, known) | self.value(right, known)
            case ir.TableMemory(name):
                return (
                    PUBLIC if self.world.memories[name].seen_by == "everyone" else kept(name, None, owner_knows=False)
                )
            case ir.PlayerMemory(name, player):
                seen_by = self.world.memories[name].seen_by
                own = PUBLIC if seen_by == "everyone" else kept(name, player, owner_knows=seen_by == "owner")
                return own | self.value(player, known)
            case ir.State(name, card):
                state = self.rulebook.states.get(name)
                face = state is None or state.with_face
                return self.value(card, known) if face else self._where(card, known)
            case ir.Cards(place) | ir.TheCard(place):
                return self._lying(place, known) | self._owner(place, known)
            case ir.Pieces(place):
                return self._owner(place, known)
            case ir.IsEmpty(inner) | ir.IsNothing(inner):
                return self.size(inner, known)
            case ir.IsFaceUp(card):
                return self._where(card, known)
            case ir.BuiltIn("count" | "any", (inner,)) if not isinstance(inner, ir.Each) or inner.flat:
                return self.size(inner, known)
            case ir.BuiltIn("holder", (inner,)):
                return self.value(inner, known) if isinstance(inner, ir.Local) else kept("", None, owner_knows=False)
            case ir.Filter(listed, slot, condition):
                within, open_faces = self.within(expr, known)
                told = self.size(listed, known) if open_faces else self.value(listed, known)
                return told | forget(self.value(condition, within), slot.__eq__)
            case ir.Each(listed, slot, body, _):
                within = known.binding(slot, self.one_of(listed, known))
                return self.size(listed, known) | forget(self.value(body, within), slot.__eq__)
            case ir.Sorted(listed, slot, keys) | ir.Best(listed, slot, keys):
                return self.value(listed, known) | self._keys(listed, slot, keys, known)
            case ir.CallValue() | ir.AskHook():
                return self._called(expr, known, "value")
            case ir.PerPlayerAnswer(answers, player):
                return answer_of(self.value(answers, known), player) | self.value(player, known)
            case _:
                found = PUBLIC
                for one in children(expr):
                    if secret := self.value(one, known):
                        found |= secret
                return found

    # ── how many ─────────────────────────────────────────────────────────────────────────────────────────────────

    def size(self, expr: ir.Expr, known: Known) -> Secret:
        """What it depends on how many there are, and whether there is any."""
        match expr:
            case ir.Local(slot, _):
                return known.of(slot).size
            case ir.Cards(place) | ir.TheCard(place):
                return self._uncounted(place, known) | self._owner(place, known)
            case ir.Listed(items):
                return PUBLIC.union(*(self.size(one, known) for one in items if isinstance(one, ir.TheCard)))
            case ir.Filter(listed, slot, condition):
                within, _ = self.within(expr, known)
                return self.size(listed, known) | forget(self.value(condition, within), slot.__eq__)
            case ir.IfElse(condition, then, otherwise):
                return self.value(condition, known) | self.size(then, known) | self.size(otherwise, known)
            case ir.Chain(first, second):
                return self.size(first, known) | self.size(second, known)
            case ir.Each(listed, slot, body, flat):
                within = known.binding(slot, self.one_of(listed, known))
                inner = self.size(body, within) if flat or t.may_be_nothing(body.type) else PUBLIC
                return self.size(listed, known) | forget(inner, slot.__eq__)
            case ir.Sorted(listed, _, _):
                return self.size(listed, known)
            case ir.BuiltIn("first" | "last", (listed, *number)):
                return PUBLIC.union(self.size(listed, known), *(self.value(one, known) for one in number))
            case ir.CallValue():
                return self._called(expr, known, "size")
            case _:
                return self.value(expr, known)

    # ── which cards ──────────────────────────────────────────────────────────────────────────────────────────────

    def cards(self, expr: ir.Expr, known: Known) -> Secret:
        """In which hidden places the cards of a list lie: whoever knows them all may look at every one of them."""
        match expr:
            case ir.Local(slot, _):
                return known.of(slot).cards
            case ir.Cards(place) | ir.TheCard(place):
                return self._lying(place, known)
            case ir.Filter(listed, _, _):
                return PUBLIC if self.within(expr, known)[1] else self.cards(listed, known)
            case ir.Sorted(listed, _, _) | ir.Best(listed, _, _):
                return self.cards(listed, known)
            case ir.Chain(first, second) | ir.IfElse(_, first, second):
                return self.cards(first, known) | self.cards(second, known)
            case ir.Listed(items):
                return PUBLIC.union(*(self.cards(one, known) for one in items))
            case ir.Each(listed, slot, body, _):
                within = known.binding(slot, self.one_of(listed, known))
                return forget(self.cards(body, within), slot.__eq__)
            case ir.BuiltIn("first" | "last" | "distinct", (listed, *_)):
                return self.cards(listed, known)
            case ir.CallValue():
                return self._called(expr, known, "cards")
            case ir.PerPlayerAnswer(answers, player):
                return answer_of(self.cards(answers, known), player)
            case _:
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
            names = hooks_of(self.rulebook, *key)
            self._asked[key] = tuple(sorted(names & self.rulebook.functions.keys()))
        return self._asked[key]

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
        return Held(value, size, cards)

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
        open_faces = asks_face_up(listed.condition, listed.slot) and self._shows_faces(listed.list)
        held = self.one_of(listed.list, known)
        return known.binding(listed.slot, Held() if open_faces else held), open_faces

    def one_of(self, listed: ir.Expr, known: Known) -> Held:
        """What one thing of a list stands for."""
        secret = self.value(listed, known)
        return Held(secret, secret, self.cards(listed, known))

    def _keys(self, listed: ir.Expr, slot: int, keys: tuple[ir.Key, ...], known: Known) -> Secret:
        within = known.binding(slot, self.one_of(listed, known))
        return forget(PUBLIC.union(*(self.value(key.value, within) for key in keys)), slot.__eq__)

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

    def _shows_faces(self, listed: ir.Expr) -> bool:
        """Whether of each card in a list everyone can tell that it lies face up, and then sees it: not in a pile."""
        match listed:
            case ir.Cards(ir.PlaceOf(name, _)):
                return self.world.places[name].kept != "pile"
            case ir.BuiltIn("first", (ir.Cards(ir.PlaceOf()),)):
                return True  # of a pile, everyone sees the top one
            case ir.Filter(inner, _, _) | ir.Sorted(inner, _, _) | ir.Each(_, _, inner):
                return self._shows_faces(inner)
            case ir.Chain(first, second):
                return self._shows_faces(first) and self._shows_faces(second)
        return False

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


def asks_face_up(condition: ir.Expr, slot: int) -> bool:
    """Whether only what lies face up can meet a condition."""
    match condition:
        case ir.And(left, right):
            return asks_face_up(left, slot) or asks_face_up(right, slot)
        case ir.IsFaceUp(ir.Local(asked, _)):
            return asked == slot
    return False


def hooks_of(rulebook: ir.Rulebook, hook: str, target: t.Type) -> set[str]:
    """The scripts or functions that a hook of a target of this type may be."""
    kinds: frozenset[str] = frozenset()
    for one in t.members(target):
        kinds |= one.kinds if isinstance(one, t.Card) else frozenset()
    actions = t.ACTION in t.members(target)
    return {
        name
        for id, name in rulebook.hooks.get(hook, {}).items()
        if (id in rulebook.cards and rulebook.cards[id].kind in kinds) or (actions and id not in rulebook.cards)
    }
