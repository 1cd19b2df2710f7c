"""The surroundings in which expressions are evaluated: values by name, and all that people were shown or told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.declassified import NOTHING_DECLASSIFIED, Answer, Declassified, ReadsIn, find_whole
from rulebook.dsl.secrets.lattice import (
    EVERYONE,
    UNTAINTED,
    Argument,
    Secret,
    Taint,
    Value,
    add_apart,
    add_knowers,
    forget,
    make_name,
    slots_of,
)


@frozen
class Environment:
    """Abstract values by slot, but for those that are untainted; cards with those whom they were shown to; and
    everything that all have been shown or told.
    """

    values: Mapping[int, Value] = field(factory=dict)
    script: str = ""
    """The script or question whose names these are."""
    shown: tuple[tuple[ir.Expr, ir.Expr], ...] = ()
    lists_shown: frozenset[tuple[Answer, ir.Expr]] = frozenset()
    """Lists that are no whole places, and whose a card is, by their questions: each with those whom it was shown to, as
    it is still.
    """
    lies_in: frozenset[tuple[Answer, int, Value]] = frozenset()
    """Questions whether a card that was chosen openly lies in a place that all see: with the name of the card, and with
    its value if it does, as long as nothing has changed.
    """
    declassified: Declassified = NOTHING_DECLASSIFIED
    walked: frozenset[int] = frozenset()
    """Names of what an expression goes through, where these are cards of a row, grid or slot: all see at which position
    each of them lies.
    """
    evaluated: dict[int, tuple[ir.Expr, Value]] = field(factory=dict, init=False, eq=False, repr=False)
    """A memo of expressions and their values here, by the identity of the expression."""

    @property
    def has_shown(self) -> bool:
        """True if cards were shown to somebody."""
        known = self.declassified
        return bool(self.shown or self.lists_shown or known.places or known.seen or known.all_but is not None)

    def of(self, slot: int) -> Value:
        return self.values.get(slot, UNTAINTED)

    def bind(self, slot: int, value: Value) -> Environment:
        if self.of(slot) is value:
            return self
        values = {**self.values, slot: value}
        if value is UNTAINTED:
            del values[slot]
        return evolve(self, values=values)

    def next_round(self, slot: int, value: Value) -> Environment:
        """Bind the name of a loop anew: what was said of the one before is said of nobody in particular now."""
        values = {number: old.map(lambda taint: forget(taint, slot.__eq__)) for number, old in self.values.items()}
        return evolve(self, values=values).without(slot).bind(slot, value)

    def without(self, slot: int) -> Environment:
        """Kill what was shown or told about a name that gets another value."""
        if self.declassified is NOTHING_DECLASSIFIED and not (self.shown or self.lists_shown or self.lies_in):
            return self
        shown = tuple(show for show in self.shown if not any(slot in slots_of(part) for part in show))
        lists = frozenset(pair for pair in self.lists_shown if slot not in pair[0].names | slots_of(pair[1]))
        lies_in = frozenset(fact for fact in self.lies_in if slot not in fact[0].names)
        known = self.declassified.without(slot)
        return evolve(self, shown=shown, lists_shown=lists, lies_in=lies_in, declassified=known)

    def join(self, other: Environment) -> Environment:
        """The environment where two ways meet; what was shown or told on one of them only is not."""
        if other is self:
            return self
        values = {slot: self.of(slot) | value for slot, value in other.values.items()}
        shown = tuple(show for show in self.shown if show in other.shown) if self.shown else ()
        declassified, lists = self.declassified & other.declassified, self.lists_shown & other.lists_shown
        lies_in = self.lies_in & other.lies_in
        return Environment({**self.values, **values}, self.script, shown, lists, lies_in, declassified)

    def show(self, cards: ir.Expr, to: ir.Expr) -> Environment:
        """Note that cards were shown to somebody: whole places until others come there, any other list as it is now."""
        lists = self.lists_shown if any(find_whole(cards)) else self.lists_shown | {(Answer.of(cards), to)}
        return evolve(self, shown=(*self.shown, (cards, to)), lists_shown=lists)

    def show_where(self, card: ir.Expr) -> Environment:
        """Note that all see a card where it lies: they know whose it is, as long as nothing has changed."""
        holder = ir.BuiltIn("holder", (card,), type=t.UNKNOWN)
        return evolve(self, lists_shown=self.lists_shown | {(Answer.of(holder), EVERYONE)})

    def change(self) -> Environment:
        """Note that something has changed in the game: a list that was shown may be another one now."""
        is_plain = not self.lists_shown and not self.lies_in
        return self if is_plain else evolve(self, lists_shown=frozenset(), lies_in=frozenset())

    def tell_where(self, card: int, values: Mapping[ir.Expr, Value]) -> Environment:
        """Note of a card that was chosen that all see whether it lies in these places, and its value if it does."""
        facts = {(_ask_where(card, place), card, value) for place, value in values.items()}
        return evolve(self, lies_in=self.lies_in | facts) if facts else self

    def find_lying(self, expr: ir.Expr) -> tuple[int, Value] | None:
        """Find the card that was chosen openly and is asked whether it lies there, and its value if it does."""
        match expr:
            case ir.Within(ir.Local(slot), ir.Cards(place)) if self.lies_in:
                question = _ask_where(slot, place)
                return next(((card, value) for asked, card, value in self.lies_in if asked == question), None)
        return None

    def find_shown_to(self, cards: ir.Expr) -> list[ir.Expr]:
        """Find those whom the same list was shown to."""
        if not self.lists_shown:
            return []
        question = Answer.of(cards)
        return [to for shown, to in self.lists_shown if shown == question]

    def close(self, place: str, reads_in: ReadsIn) -> Environment:
        """Note that what lies in a place has not been shown to anybody any more: others have come there."""
        shown = tuple(show for show in self.shown if all(name != place for name, _ in find_whole(show[0])))
        left = self if len(shown) == len(self.shown) else evolve(self, shown=shown)
        return left.know(self.declassified.closing(place, reads_in))

    def tell_apart(self, slot: int, players: Iterable[ir.Expr]) -> Environment:
        """Note that a name stands for none of these players."""
        pairs = frozenset(frozenset({make_name(slot), player}) for player in players)
        return self.know(self.declassified | Declassified(apart=pairs)) if pairs else self

    def know(self, declassified: Declassified) -> Environment:
        """The same values, where all have been shown and told this."""
        return self if declassified == self.declassified else evolve(self, declassified=declassified)

    def close_places(self, places: Collection[str]) -> Environment:
        """Note that cards left some places unseen: what was named before may not be there when it is laid open."""
        if not places:
            return self

        def move_taint(taint: Taint) -> Taint:
            left = {tag for tag in taint if isinstance(tag, Secret) and tag.name in places}
            return taint - left | {Secret("", None, tag.knowers) for tag in left} if left else taint

        return evolve(self, values={slot: value.map(move_taint) for slot, value in self.values.items()})

    def declassify(self, taint: Taint) -> Taint:
        """Add the knowers: of what was shown, and who surely is among those others who may look."""
        if taint and (self.declassified.places or self.declassified.all_but is not None):
            seen = frozenset(tag for tag in taint if isinstance(tag, Secret) and self.declassified.covers(tag))
            taint = taint - seen | add_knowers(seen, EVERYONE)
        for cards, to in self.shown:
            whole = Declassified(frozenset(find_whole(cards)))
            seen = frozenset(tag for tag in taint if isinstance(tag, Secret) and whole.covers(tag))
            taint = taint - seen | add_knowers(seen, to)
        return add_apart(taint, self.declassified.apart) if taint and self.declassified.apart else taint


def _ask_where(card: int, place: ir.Expr) -> Answer:
    """The question whether a card lies in a place."""
    return Answer.of(ir.Listed((make_name(card), place), type=t.UNKNOWN))


def symbolic_arguments(function: ir.Function) -> Environment:
    """The environment in which a function is summarized: each parameter is whatever it is given."""

    def argument(slot: int) -> Value:
        value, size, cards = (frozenset({Argument(slot, view)}) for view in ("value", "size", "cards"))
        return Value(value, size, cards)

    return Environment({slot: argument(slot) for slot in range(function.parameters)}, function.name)
