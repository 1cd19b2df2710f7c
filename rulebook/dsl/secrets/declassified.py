"""Everything that all have been shown or told: places that were laid open, questions that were answered, and which
names surely stand for different players.

A question that all heard answered hangs on nothing hidden any more, nor does what lies in a place that was laid open,
until a card comes there, or goes, that not everyone sees.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import and_, or_, sub
from typing import Any, TypeAlias, cast

from attrs import evolve, field, fields, has

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.lattice import CHOSEN, Secret, make_name, normalize_player, same_player, slots_of

ReadsIn: TypeAlias = Callable[[str | None, str], bool]
"""Tells of a value, by its name, whether it may look into a place or memory; None is any place that is passed."""


@frozen
class Answer:
    """A question up to the names that it binds itself (alpha-equivalence), and the free names in it."""

    question: Hashable
    names: frozenset[int]
    expr: ir.Expr | None = field(default=None, eq=False, repr=False)
    """The same as it was asked; None in another script."""

    @staticmethod
    def of(expr: ir.Expr) -> Answer:
        names: set[int] = set()
        return Answer(_question(expr, {}, names), frozenset(names), expr)

    def renamed(self, slots: Mapping[int, int]) -> Answer:
        """Rename a question into the names of another script."""
        return Answer(_rename_question(self.question, slots), frozenset(slots[name] for name in self.names))

    def asks_about(self, place: str, reads_in: ReadsIn) -> bool:
        """Check whether the question looks into a place or memory, or may do so in a value that it asks."""
        return _mentions(self.question, place, reads_in)


Apart: TypeAlias = frozenset[ir.Expr]
"""Two players who surely are not the same one."""


@frozen
class Declassified:
    """Everything that all have been shown or told: places, each with its owner (None: everybody's), and answers."""

    places: frozenset[tuple[str, ir.Expr | None]] = frozenset()
    answers: frozenset[Answer] = frozenset()
    seen: frozenset[Answer] = frozenset()
    """Expressions of cards, and of none but those that all have seen."""
    apart: frozenset[Apart] = frozenset()
    """The pairs of players who surely are not the same one."""
    groups: frozenset[tuple[str, Answer]] = frozenset()
    """Places of all players of a list, by its question."""
    visited: frozenset[tuple[str, int]] = frozenset()
    """Places of all whom a loop has been through so far, by its name."""
    unchanged: frozenset[Answer] = frozenset()
    """Lists of players that are as they were when a loop through them began."""
    all_but: frozenset[str | int] | None = None
    """Behind a script that is missing, and may have shown and told anything: the places, memories and names that have
    become something else since. Elsewhere None.
    """

    def answers_to(self, expr: ir.Expr) -> bool:
        """Check that all have been told the value of this, or may have been."""
        return (bool(self.answers) and Answer.of(expr) in self.answers) or self._may_be_told(expr)

    def shows(self, expr: ir.Expr) -> bool:
        """Check that all have seen the cards that this stands for, or may have."""
        return (bool(self.seen) and Answer.of(expr) in self.seen) or self._may_be_told(expr)

    def covers(self, secret: Secret) -> bool:
        """Check that all have been shown this place, or may have been."""
        if self.all_but is not None and secret.name not in ("", CHOSEN) and secret.name not in self.all_but:
            return True
        return any(
            name == secret.name and (owner is None or (secret.of is not None and same_player(secret.of, owner)))
            for name, owner in self.places
        )

    def _may_be_told(self, expr: ir.Expr) -> bool:
        if self.all_but is None:
            return False
        asked = Answer.of(expr)
        return not any(
            name in asked.names if isinstance(name, int) else asked.asks_about(name, lambda *_: True)
            for name in self.all_but
        )

    def _facts(self) -> tuple[frozenset[Any], ...]:
        return self.places, self.answers, self.seen, self.apart, self.groups, self.visited, self.unchanged

    def __or__(self, other: Declassified) -> Declassified:
        mine, others = self.all_but, other.all_but
        either = mine & others if mine is not None and others is not None else others if mine is None else mine
        both = Declassified(*map(or_, self._facts(), other._facts()))
        return both if either is None else evolve(both, all_but=either)

    def __and__(self, other: Declassified) -> Declassified:
        if self.all_but is None and other.all_but is None:
            both = Declassified(*map(and_, self._facts(), other._facts()))
            is_same = self.places == other.places and self.groups == other.groups
            return both if is_same else both._keep_parts(self, other)
        # On one of both ways nothing is missing, and nothing more is known than there.
        if self.all_but is None or other.all_but is None:
            return self if self.all_but is None else other
        both = Declassified(*map(and_, self._facts(), other._facts()))
        return evolve(both, all_but=self.all_but | other.all_but)

    def _keep_parts(self, first: Declassified, second: Declassified) -> Declassified:
        """Keep also of what was shown on one of two ways the part that was shown on the other: one of many places."""
        places = {place for place in first.places if second.covers_place(*place)}
        places |= {place for place in second.places if first.covers_place(*place)}
        of_all = {name for name, owner in places if owner is None}
        groups = {pair for pair in first.groups if (pair[0], None) in second.places}
        groups |= {pair for pair in second.groups if (pair[0], None) in first.places}
        kept = frozenset(place for place in places if place[1] is None or place[0] not in of_all)
        return evolve(self, places=kept, groups=self.groups | groups)

    def covers_place(self, name: str, owner: ir.Expr | None) -> bool:
        """Check that all have been shown this place of somebody, or of everybody."""
        return (name, owner) in self.places or (name, None) in self.places

    def __sub__(self, other: Declassified) -> Declassified:
        more = None if self.all_but == other.all_but else self.all_but
        return evolve(Declassified(*map(sub, self._facts(), other._facts())), all_but=more)

    def __le__(self, other: Declassified) -> bool:
        if other.all_but is not None:
            return self.all_but is None or self.all_but >= other.all_but
        pairs = zip(self._facts(), other._facts(), strict=True)
        return self.all_but is None and all(mine <= others for mine, others in pairs)

    def closing(self, place: str, reads_in: ReadsIn) -> Declassified:
        """Keep what is still so when cards that not everyone sees have come to a place, or a memory has been set."""
        if self == NOTHING_DECLASSIFIED:
            return self
        return Declassified(
            frozenset(pair for pair in self.places if pair[0] != place),
            frozenset(answer for answer in self.answers if not answer.asks_about(place, reads_in)),
            frozenset(answer for answer in self.seen if not answer.asks_about(place, reads_in)),
            self.apart,
            frozenset(pair for pair in self.groups if pair[0] != place and not pair[1].asks_about(place, reads_in)),
            frozenset(pair for pair in self.visited if pair[0] != place),
            frozenset(answer for answer in self.unchanged if not answer.asks_about(place, reads_in)),
            None if self.all_but is None else self.all_but | {place},
        )

    def without(self, slot: int) -> Declassified:
        """Kill what speaks of a name that gets another value."""
        if self == NOTHING_DECLASSIFIED:
            return self
        return Declassified(
            frozenset((name, owner) for name, owner in self.places if slot not in slots_of(owner)),
            frozenset(answer for answer in self.answers if slot not in answer.names),
            frozenset(answer for answer in self.seen if slot not in answer.names),
            frozenset(pair for pair in self.apart if not any(slot in slots_of(player) for player in pair)),
            frozenset(pair for pair in self.groups if slot not in pair[1].names),
            self.visited,
            frozenset(answer for answer in self.unchanged if slot not in answer.names),
            None if self.all_but is None else self.all_but | {slot},
        )

    def visiting(self, listed: ir.Expr, slot: int, places: Iterable[str]) -> Declassified:
        """Begin a loop through a list of players: of nobody so far has anything been hidden."""
        return evolve(
            self,
            visited=self.visited | {(name, slot) for name in places},
            unchanged=self.unchanged | {Answer.of(listed)},
        )

    def after_visit(self, slot: int) -> Declassified:
        """Keep of all whom a loop has been through what is shown of this one, too."""
        name = make_name(slot)
        shown = {place for place, owner in self.places if owner is None or same_player(owner, name)}
        return evolve(self, visited=frozenset(pair for pair in self.visited if pair[1] != slot or pair[0] in shown))

    def after_visits(self, listed: ir.Expr, slot: int) -> Declassified:
        """Generalize behind a loop through a list of players that nothing has left."""
        places = {place for place, other in self.visited if other == slot}
        known = evolve(self, visited=frozenset(pair for pair in self.visited if pair[1] != slot))
        if isinstance(listed, ir.Seats):
            return evolve(known, places=known.places | {(place, None) for place in places})
        group = Answer.of(listed)
        if group not in known.unchanged:
            return known
        groups = known.groups | {(place, group) for place in places}
        return evolve(known, groups=groups, unchanged=known.unchanged - {group})

    def entering(self, listed: ir.Expr, slot: int) -> Declassified:
        """Add, where a name is each player of a list, the places that are shown of all in it."""
        if not self.groups:
            return self
        lists = {Answer.of(part) for part in _find_supersets(listed)}
        places = {(name, make_name(slot)) for name, group in self.groups if group in lists}
        return evolve(self, places=self.places | places) if places else self

    def summarized(self, parameters: Collection[int]) -> Declassified:
        """Keep the part that callers can speak of: nothing about names of the script but its parameters."""
        return Declassified(
            frozenset((name, owner) for name, owner in self.places if slots_of(owner).issubset(parameters)),
            frozenset(answer for answer in self.answers if answer.names.issubset(parameters)),
            frozenset(answer for answer in self.seen if answer.names.issubset(parameters)),
            groups=frozenset(pair for pair in self.groups if pair[1].names.issubset(parameters)),
            all_but=self._without_names(),
        )

    def _without_names(self) -> frozenset[str | int] | None:
        return None if self.all_but is None else frozenset(name for name in self.all_but if isinstance(name, str))

    def to_caller(self, arguments: Sequence[ir.Expr]) -> Declassified:
        """Rename parameters to arguments, as far as these are names."""
        places: set[tuple[str, ir.Expr | None]] = set()
        for name, owner in self.places:
            if isinstance(owner, ir.Local):
                places.add((name, normalize_player(arguments[owner.slot])))
            elif not slots_of(owner):
                places.add((name, owner))
        for answer in self.seen:
            match answer.question:
                case ("Cards", ("name", int(slot), False)):  # all of a place that was passed
                    places.update(find_whole(ir.Cards(arguments[slot], type=t.UNKNOWN)))
        slots = {slot: argument.slot for slot, argument in enumerate(arguments) if isinstance(argument, ir.Local)}
        given = {Answer.of(make_name(slot)): Answer.of(argument) for slot, argument in enumerate(arguments)}
        return Declassified(
            frozenset(places),
            _rename_answers(self.answers, slots),
            _rename_answers(self.seen, slots),
            groups=_rename_groups(self.groups, slots, given),
            all_but=self._without_names(),
        )

    def to_callee(self, arguments: Sequence[ir.Expr]) -> Declassified:
        """Rename arguments to parameters, as far as these are names."""
        slots = {argument.slot: slot for slot, argument in enumerate(arguments) if isinstance(argument, ir.Local)}
        places: set[tuple[str, ir.Expr | None]] = set()
        for name, owner in self.places:
            if not slots_of(owner):
                places.add((name, owner))
            elif isinstance(owner, ir.Local) and owner.slot in slots:
                places.add((name, normalize_player(evolve(owner, slot=slots[owner.slot]))))
        given = [(normalize_player(argument), make_name(slot)) for slot, argument in enumerate(arguments)]
        apart = frozenset(
            frozenset({name, other})
            for (player, name), (second, other) in combinations(given, 2)
            if self.apart and frozenset({player, second}) in self.apart
        )
        answers, seen = _rename_answers(self.answers, slots), _rename_answers(self.seen, slots)
        groups = {Answer.of(argument): Answer.of(make_name(slot)) for slot, argument in enumerate(arguments)}
        all_but = self._without_names()
        if all_but is not None and self.all_but is not None:
            changed = self.all_but
            all_but |= {slot for slot, argument in enumerate(arguments) if not changed.isdisjoint(slots_of(argument))}
        renamed = _rename_groups(self.groups, slots, groups)
        return Declassified(frozenset(places), answers, seen, apart, renamed, all_but=all_but)


NOTHING_DECLASSIFIED = Declassified()


def may_be_anything(parameters: int = 0) -> Declassified:
    """Return what may be known behind a script that is missing, or where it runs one with so many parameters."""
    pairs = combinations(map(make_name, range(parameters)), 2)
    return Declassified(apart=frozenset(map(frozenset, pairs)), all_but=frozenset())


def _rename_answers(answers: frozenset[Answer], slots: Mapping[int, int]) -> frozenset[Answer]:
    return frozenset(answer.renamed(slots) for answer in answers if slots.keys() >= answer.names)


def _rename_groups(
    groups: frozenset[tuple[str, Answer]], slots: Mapping[int, int], given: Mapping[Answer, Answer]
) -> frozenset[tuple[str, Answer]]:
    """Rename lists of players, those included that were handed over as they are."""
    renamed = {(name, group.renamed(slots)) for name, group in groups if slots.keys() >= group.names}
    return frozenset(renamed | {(name, given[group]) for name, group in groups if group in given})


def find_groups(listed: ir.Expr) -> Iterator[tuple[str, ir.Expr]]:
    """Find the places, one of each player of a list, of which these cards are all, with the list."""
    match listed:
        case ir.Each(players, slot, ir.Cards(ir.PlaceOf(name, ir.Local(owner))), flat=True) if owner == slot:
            yield name, players
        case ir.Each(players, slot, ir.TheCard(ir.PlaceOf(name, ir.Local(owner)))) if owner == slot:
            yield name, players
        case ir.Chain():
            yield from (*find_groups(listed.first), *find_groups(listed.second))


def _find_supersets(listed: ir.Expr) -> Iterator[ir.Expr]:
    """Find lists that hold all that is in a list, itself first."""
    yield listed
    if isinstance(listed, ir.Filter | ir.Sorted | ir.Best):
        yield from _find_supersets(listed.list)


def find_whole(listed: ir.Expr) -> Iterator[tuple[str, ir.Expr | None]]:
    """Find the places of which these cards are all, with whose they are (None: everybody's)."""
    match listed:
        case ir.Each(ir.Seats(), slot, ir.Cards(ir.PlaceOf(name, ir.Local(owner))), flat=True) if owner == slot:
            yield name, None
        case ir.Cards(ir.PlaceOf(name, owner)) | ir.TheCard(ir.PlaceOf(name, owner)):
            yield name, None if owner is None else normalize_player(owner)
        case ir.Chain():
            yield from (*find_whole(listed.first), *find_whole(listed.second))


def _question(value: Any, bound: dict[int, int], names: set[int]) -> Hashable:
    if isinstance(value, tuple):
        return tuple(_question(part, bound, names) for part in value)
    if isinstance(value, ir.Local):
        if value.slot not in bound:
            names.add(value.slot)
        return "name", bound.get(value.slot, value.slot), value.slot in bound
    if not has(type(value)):
        return cast(Hashable, value)
    if isinstance(value, ir.Filter | ir.Each | ir.Sorted | ir.Best):
        # The list is read before the name is bound; a name inside of another has another number all the same.
        bound = {**bound, value.slot: len(bound)}
    inside = [attr.name for attr in fields(cast(Any, type(value))) if attr.name not in ("type", "at", "slot")]
    return type(value).__name__, *(_question(getattr(value, name), bound, names) for name in inside)


def _rename_question(question: Hashable, slots: Mapping[int, int]) -> Hashable:
    match question:
        case ("name", int(slot), False):
            return "name", slots[slot], False
        case tuple():
            return tuple(_rename_question(part, slots) for part in question)
    return question


def _mentions(question: Hashable, name: str, reads_in: ReadsIn) -> bool:
    match question:
        case ("PlaceOf" | "TableMemory" | "PlayerMemory" | "State", str(named), *_) if named == name:
            return True
        case ("AskHook", *_):
            return True
        case ("Cards", ("name", *_)) if reads_in(None, name):
            return True
        case ("CallValue", str(function), *_) if reads_in(function, name):
            return True
        case tuple():
            return any(_mentions(part, name, reads_in) for part in question)
    return False
