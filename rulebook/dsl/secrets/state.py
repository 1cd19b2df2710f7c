"""The abstract state at one point of a script: values, implicit flows, and what has been declassified.

*Implicit flow*: that a line runs at all tells how the conditions before it came out. Two taints follow it, for what a
person may infer (`quiet`) and for what the program shows by what it does (`hidden`, decision 30).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from attrs import define, evolve, field, fields, frozen, has

from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.secrets.lattice import PUBLIC, Environment, Secret, Taint, normalize_player, same_player, slots_of
from rulebook.dsl.walk import blocks

Key: TypeAlias = tuple[str, str, int, int, str]
"""The identity of a message: code, file, start, end, script."""


@frozen
class Answer:
    """A question up to the names that it binds itself (alpha-equivalence), and the free names in it."""

    question: Hashable
    names: frozenset[int]

    @staticmethod
    def of(expr: ir.Expr) -> Answer:
        names: set[int] = set()
        return Answer(_question(expr, {}, names), frozenset(names))

    def renamed(self, slots: Mapping[int, int]) -> Answer:
        """Rename a question into the names of another script."""
        return Answer(_rename_question(self.question, slots), frozenset(slots[name] for name in self.names))

    def asks_about(self, place: str) -> bool:
        """Check whether the question itself looks into a place."""
        return _mentions_place(self.question, place)


@frozen
class Declassified:
    """Everything that all have been shown or told: places, each with its owner (None: everybody's), and answers."""

    places: frozenset[tuple[str, ir.Expr | None]] = frozenset()
    answers: frozenset[Answer] = frozenset()

    def answers_to(self, expr: ir.Expr) -> bool:
        """Check that all have been told the value of this."""
        return bool(self.answers) and Answer.of(expr) in self.answers

    def covers(self, secret: Secret) -> bool:
        """Check that all have been shown this place."""
        return any(
            name == secret.name and (owner is None or (secret.of is not None and same_player(secret.of, owner)))
            for name, owner in self.places
        )

    def __or__(self, other: Declassified) -> Declassified:
        return Declassified(self.places | other.places, self.answers | other.answers)

    def __and__(self, other: Declassified) -> Declassified:
        return Declassified(self.places & other.places, self.answers & other.answers)

    def __le__(self, other: Declassified) -> bool:
        return self.places <= other.places and self.answers <= other.answers

    def closing(self, place: str) -> Declassified:
        """Keep what is still so when cards that not everyone sees have come to a place."""
        if not self.places and not self.answers:
            return self
        return Declassified(
            frozenset(pair for pair in self.places if pair[0] != place),
            frozenset(answer for answer in self.answers if not answer.asks_about(place)),
        )

    def without(self, slot: int) -> Declassified:
        """Kill what speaks of a name that gets another value."""
        if not self.places and not self.answers:
            return self
        return Declassified(
            frozenset((name, owner) for name, owner in self.places if slot not in slots_of(owner)),
            frozenset(answer for answer in self.answers if slot not in answer.names),
        )

    def after_all(self, slot: int) -> Declassified:
        """Generalize behind a loop in which this name was each of the players."""
        places = {(name, None if slots_of(owner) == {slot} else owner) for name, owner in self.places}
        return Declassified(frozenset(places), self.answers).without(slot)

    def summarized(self, parameters: Collection[int]) -> Declassified:
        """Keep the part that callers can speak of: nothing about names of the script but its parameters."""
        return Declassified(
            frozenset((name, owner) for name, owner in self.places if slots_of(owner).issubset(parameters)),
            frozenset(answer for answer in self.answers if answer.names.issubset(parameters)),
        )

    def to_caller(self, arguments: Sequence[ir.Expr]) -> Declassified:
        """Rename parameters to arguments, as far as these are names."""
        places: set[tuple[str, ir.Expr | None]] = set()
        for name, owner in self.places:
            if isinstance(owner, ir.Local):
                places.add((name, normalize_player(arguments[owner.slot])))
            elif not slots_of(owner):
                places.add((name, owner))
        slots = {slot: argument.slot for slot, argument in enumerate(arguments) if isinstance(argument, ir.Local)}
        return Declassified(frozenset(places), self._rename_answers(slots))

    def to_callee(self, arguments: Sequence[ir.Expr]) -> Declassified:
        """Rename arguments to parameters, as far as these are names."""
        slots = {argument.slot: slot for slot, argument in enumerate(arguments) if isinstance(argument, ir.Local)}
        places: set[tuple[str, ir.Expr | None]] = set()
        for name, owner in self.places:
            if not slots_of(owner):
                places.add((name, owner))
            elif isinstance(owner, ir.Local) and owner.slot in slots:
                places.add((name, normalize_player(evolve(owner, slot=slots[owner.slot]))))
        return Declassified(frozenset(places), self._rename_answers(slots))

    def _rename_answers(self, slots: Mapping[int, int]) -> frozenset[Answer]:
        return frozenset(answer.renamed(slots) for answer in self.answers if slots.keys() >= answer.names)


NOTHING_DECLASSIFIED = Declassified()


@define
class State:
    """The abstract state at one line."""

    env: Environment
    quiet: Taint = PUBLIC
    """Implicit flow: what it depends on that this line is reached, until everybody notices something."""
    hidden: Taint = PUBLIC
    """The same, without what has been declassified."""
    hidden_by: At | None = None
    """The last condition that is in `hidden`."""
    declassified: Declassified = NOTHING_DECLASSIFIED
    announced: frozenset[int] = frozenset()
    """Names of which all have heard whether they stand for anything, and of which sort."""
    opened: frozenset[int] = frozenset()
    """Names of which all have seen what they stand for."""
    everyone: frozenset[int] = frozenset()
    """The slots of loops that go through all players."""
    provisional: list[tuple[Key, Taint]] = field(factory=list)
    """Messages in this block that go if what they are about is laid open before anybody is asked."""

    def fork(self, quiet: Taint = PUBLIC, hidden: Taint = PUBLIC, at: At | None = None) -> State:
        """Return the state at the start of a block, where these decide whether it runs."""
        return State(
            self.env, self.quiet | quiet, self.hidden | hidden, at if hidden else self.hidden_by,
            self.declassified, self.announced, self.opened, self.everyone,
        )  # fmt: skip

    def join(self, run: Sequence[ir.Block], ends: Sequence[State], begun: State) -> None:
        """Go on behind blocks of which one has run, begun in one state and ended in these."""
        quiet, hidden = PUBLIC, self.hidden - begun.hidden
        escaping = [escapes(block) for block in run]
        for escaped, end in zip(escaping, ends, strict=True):
            # Whoever sees nothing of a block that comes to its end cannot tell whether it ran.
            hidden |= end.hidden if escaped else end.hidden & self.hidden
            if self.quiet or escaped:
                quiet |= end.quiet
        self.quiet, self.hidden = quiet, hidden
        self.env = ends[0].env
        for end in ends[1:]:
            self.env = self.env.join(end.env)
        # After an escape, what would lay it open may not be reached.
        behind = [message for end in (self, *ends) for message in end.provisional]
        self.provisional = [] if any(escaping) else behind
        through = [end for block, end in zip(run, ends, strict=True) if not always_leaves(block)]
        for end in through[:1]:
            self.declassified, self.announced, self.opened = end.declassified, end.announced, end.opened
        for end in through[1:]:
            self.declassified &= end.declassified
            self.announced &= end.announced
            self.opened &= end.opened


def escapes(block: ir.Block, loops: int = 0, *, skips: bool = True) -> bool:
    """Find a jump out of what stands around a block: what follows is control-dependent on it.

    `loops` stand between the block and what it would jump out of. Without `skips`, going on with the next round of that
    loop is no such jump. The end of a game or of a stage is none: all see it.
    """
    for line in block:
        match line:
            case ir.Leave(skip, depth) if depth > loops or (depth == loops and (skips or not skip)):
                return True
            case ir.Return():
                return True
        inside = loops + isinstance(line, ir.ForEach | ir.Repeat | ir.Offer)
        behind = line.otherwise if isinstance(line, ir.Offer) else None  # what stands behind a window is out of it
        for inner in blocks(line):
            if escapes(inner, loops if inner is behind else inside, skips=skips):
                return True
    return False


def always_leaves(block: ir.Block) -> bool:
    """Check that nobody comes to the end of a block."""
    return bool(block) and isinstance(block[-1], ir.Leave | ir.Return | ir.EndStage | ir.Win)


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


def _mentions_place(question: Hashable, place: str) -> bool:
    match question:
        case ("PlaceOf", str(name), *_):
            return name == place
        case tuple():
            return any(_mentions_place(part, place) for part in question)
    return False
