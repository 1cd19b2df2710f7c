"""The way that a script has come to one of its lines, and what would give it away.

In: conditions on something hidden, what all are shown or told. Out: what a line hangs on that nobody has told yet.
Never: knows a sentence, or says anything; `traces` does.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias, cast

from attrs import define, field, fields, frozen, has

from rulebook.dsl import ir
from rulebook.dsl.secrets.knowers import PUBLIC, Kept, Secret, plain, same_player
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import everything

Key: TypeAlias = tuple[str, str, int, int, str]
"""By which a message is known."""


@frozen
class Answer:
    """A question as it is told apart from others, whatever it calls the cards that it goes through itself; and the
    names that it speaks of.
    """

    question: Hashable
    names: frozenset[int]

    @staticmethod
    def of(expr: ir.Expr) -> Answer:
        """The answer to this question."""
        names: set[int] = set()
        return Answer(_question(expr, {}, names), frozenset(names))


@frozen
class Opened:
    """What all have been shown or told: places, each with whose it is (None: everybody's), and answers."""

    places: frozenset[tuple[str, ir.Expr | None]] = frozenset()
    answers: frozenset[Answer] = frozenset()

    def answers_to(self, expr: ir.Expr) -> bool:
        """Whether all have been told the value of this."""
        return bool(self.answers) and Answer.of(expr) in self.answers

    def __or__(self, other: Opened) -> Opened:
        return Opened(self.places | other.places, self.answers | other.answers)

    def __and__(self, other: Opened) -> Opened:
        return Opened(self.places & other.places, self.answers & other.answers)

    def covers(self, one: Kept) -> bool:
        """Whether all have been shown this place."""
        return any(
            name == one.name and (whose is None or (one.of is not None and same_player(one.of, whose)))
            for name, whose in self.places
        )

    def handed_back(self, parameters: int) -> Opened:
        """The part that a caller can speak of: nothing about names of the script but its parameters."""
        return Opened(
            frozenset((name, whose) for name, whose in self.places if all(n < parameters for n in _slots(whose))),
            frozenset(one for one in self.answers if not one.names),
        )

    def called_with(self, arguments: Sequence[ir.Expr]) -> Opened:
        """The same in the words of the caller, as far as these are names."""
        places: set[tuple[str, ir.Expr | None]] = set()
        for name, whose in self.places:
            if isinstance(whose, ir.Local):
                places.add((name, plain(arguments[whose.slot])))
            elif not _slots(whose):
                places.add((name, whose))
        return Opened(frozenset(places), self.answers)

    def without(self, slot: int) -> Opened:
        """The same after a name has got another value."""
        if not self.places and not self.answers:
            return self
        return Opened(
            frozenset((name, whose) for name, whose in self.places if slot not in _slots(whose)),
            frozenset(one for one in self.answers if slot not in one.names),
        )

    def after_all(self, slot: int) -> Opened:
        """The same behind a loop in which this name was each of the players."""
        places = {(name, None if _slots(whose) == {slot} else whose) for name, whose in self.places}
        return Opened(frozenset(places), self.answers).without(slot)


NOTHING_OPENED = Opened()


@define
class Path:
    """The way to one line."""

    hidden: Secret = PUBLIC
    """What it depends on whether the line is reached, as far as nothing has told it."""
    asked: At | None = None
    """The last condition on something hidden."""
    opened: Opened = NOTHING_OPENED
    announced: frozenset[int] = frozenset()
    """Names of which all have heard whether they stand for anything, and of which sort."""
    found: list[tuple[Key, Secret]] = field(factory=list)
    """Messages in this block that go if what they are about is laid open before anybody is asked."""
    begun: Secret = PUBLIC
    """What was hidden when somebody was asked, on the way without an answer."""

    def below(self, hidden: Secret = PUBLIC, asked: At | None = None) -> Path:
        """The way into a block, where this decides whether it runs."""
        return Path(self.hidden | hidden, asked if hidden else self.asked, self.opened, self.announced)

    def meet(self, ways: Sequence[tuple[ir.Block, Path]], begun: Path | None) -> None:
        """Go on behind blocks of which one has run, each begun so: with what was told in all of them."""
        hidden = PUBLIC if begun is None else self.hidden - begun.hidden
        through = [way for block, way in ways if not _always_leaves(block)]
        for block, way in ways:
            # Whoever sees nothing of a block that comes to its end cannot tell whether it ran.
            hidden |= way.hidden if escapes(block) else way.hidden & self.hidden
            self.found += way.found
        if any(escapes(block) for block, _ in ways):
            self.found = []  # what lays it open may not be reached
        self.hidden = hidden
        for way in through[:1]:
            self.opened, self.announced = way.opened, way.announced
        for way in through[1:]:
            self.opened &= way.opened
            self.announced &= way.announced


def escapes(block: ir.Block, loops: int = 0, *, skips: bool = True) -> bool:
    """Find a jump out of what stands around a block: what follows depends on it.

    `loops` stand between the block and what it would jump out of. Without `skips`, going on with the next round of that
    loop is no such jump. The end of a game or of a stage is none: all see it.
    """
    for one in block:
        match one:
            case ir.Leave(skip, depth) if depth > loops or (depth == loops and (skips or not skip)):
                return True
            case ir.Return():
                return True
        inner = loops + isinstance(one, ir.ForEach | ir.Repeat | ir.Offer)
        if any(escapes(each, inner, skips=skips) for each in _list_blocks(one)):
            return True
        # What stands behind a window is out of it.
        if isinstance(one, ir.Offer) and escapes(one.otherwise or (), loops, skips=skips):
            return True
    return False


def _list_blocks(one: ir.Statement) -> list[ir.Block]:
    """List the blocks inside a sentence, but for the one that stands behind a window."""
    match one:
        case ir.If(_, then, otherwise):
            return [then, otherwise]
        case ir.ForEach() | ir.Repeat() | ir.Stage():
            return [one.body]
        case ir.Choose():
            return [one.taken or (), one.otherwise or ()]
        case ir.ChooseEach():
            return [one.otherwise or ()]
        case ir.Menu():
            return [*(option.body for option in one.options), one.otherwise or ()]
        case ir.Offer():
            return [option.body for option in one.options]
    return []


def _always_leaves(block: ir.Block) -> bool:
    return bool(block) and isinstance(block[-1], ir.Leave | ir.Return | ir.EndStage | ir.Win)


def _question(value: Any, bound: dict[int, int], names: set[int]) -> Hashable:
    if isinstance(value, tuple):
        return tuple(_question(one, bound, names) for one in value)
    if isinstance(value, ir.Local):
        if value.slot not in bound:
            names.add(value.slot)
        return "name", bound.get(value.slot, value.slot), value.slot in bound
    if not has(type(value)):
        return cast(Hashable, value)
    if isinstance(value, ir.Filter | ir.Each | ir.Sorted | ir.Best):
        # The list is read before the name is bound; a name inside of another has another number all the same.
        bound = {**bound, value.slot: len(bound)}
    inside = [one.name for one in fields(cast(Any, type(value))) if one.name not in ("type", "at", "slot")]
    return type(value).__name__, *(_question(getattr(value, name), bound, names) for name in inside)


def _slots(expr: ir.Expr | None) -> frozenset[int]:
    if expr is None:
        return frozenset()
    return frozenset(one.slot for one in everything(expr) if isinstance(one, ir.Local))
