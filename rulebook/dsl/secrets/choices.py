"""What being asked tells whoever chooses: a question and its options may depend only on what the chooser may know.

In: what one player is asked, in the words of a script. Out: the smallest parts that read what this player may not see,
wherever they stand: a card's own question may be the one that tells. Never: follows statements, or speaks of the cards
that are chosen from, but to say whether they may be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, field, frozen

from rulebook.dsl import ir
from rulebook.dsl.naming.layer_names import is_beneath
from rulebook.dsl.secrets.knowers import (
    EVERYONE,
    NOTHING_HIDDEN,
    SOMEWHERE,
    Given,
    Held,
    Kept,
    Known,
    Secret,
    inside,
    plain,
    same_player,
)
from rulebook.dsl.secrets.reads import Reads
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import everything

_POSITIONS = ("row", "grid", "slot")
"""Where one can point at a card without looking at it."""

_DEEPEST = 20  # functions that ask each other are gone into, to find which of them is to blame
_UNNAMED = -2  # the slot of a player whom a function does not know


@frozen
class Told:
    """A part that tells something, and the script that it stands in ("" for that of the choice).

    `reads` is where the secret comes from, if that is elsewhere.
    """

    part: ir.Expr
    function: str = ""
    reads: At | None = None


@frozen
class Chooser:
    """One player who is asked, at one place of a script.

    `kept` are the memories that are as hidden as they say, `within` the functions that are gone into, `met` all that
    were gone into to find what tells.
    """

    reads: Reads
    player: ir.Expr
    known: Known
    kept: frozenset[str]
    within: frozenset[str] = frozenset()
    met: set[str] = field(factory=set)

    # ── what a player may know ───────────────────────────────────────────────────────────────────────────────────

    def may_not_know(self, secret: Secret) -> bool:
        """Whether anything of it is hidden from this player."""
        return bool(secret) and any(not self._knows(one) for one in secret)

    def may_look(self, listed: ir.Expr) -> bool:
        """Whether this player may look at every card of a list, or can point at its position."""
        places = self.reads.world.places
        return all(
            self._knows(one) or (isinstance(one, Kept) and one.name in places and places[one.name].kept in _POSITIONS)
            for one in self.reads.cards(listed, self.known)
        )

    def was_shown(self, source: ir.Source) -> bool:
        """Whether this player may look at the cards, and may do so only because they were shown."""
        if source.sort != "card" or not self.known.shown or not self.may_look(source.list):
            return False
        return not evolve(self, known=evolve(self.known, shown=())).may_look(source.list)

    def _knows(self, one: Kept | Given) -> bool:
        if isinstance(one, Given):
            return True
        if one in SOMEWHERE:
            return True  # to name a card is not to look at it
        # A memory that everyone can keep in mind, since all that changes it is seen by all, is no secret.
        followed = one.name in self.reads.world.memories and one.name not in self.kept
        return followed or EVERYONE in one.knowers or plain(self.player) in one.knowers

    def having(self, slot: int, held: Held) -> Chooser:
        """The same player, who has chosen something."""
        return evolve(self, known=self.known.binding(slot, held))

    # ── what tells ───────────────────────────────────────────────────────────────────────────────────────────────

    def offered(self, source: ir.Source) -> Iterator[Told]:
        """What a list of options tells by what stands in it and what does not."""
        yield from self._offered(source.list, "size" if source.sort == "card" else "value")

    def _offered(self, options: ir.Expr, view: str) -> Iterator[Told]:
        match options:
            case ir.Filter(listed, slot, condition):
                yield from self._offered(listed, view)
                yield from self.told(condition, self.reads.within(options, self.known)[0])
            case ir.Sorted(listed, slot, keys) | ir.Best(listed, slot, keys):
                yield from self._offered(listed, view)
                within = self.known.binding(slot, self.reads.one_of(listed, self.known))
                for key in keys:
                    yield from self.told(key.value, within)
            case ir.Chain(first, second):
                yield from self._offered(first, view)
                yield from self._offered(second, view)
            case ir.IfElse(condition, then, otherwise):
                yield from self.told(condition)
                yield from self._offered(then, view)
                yield from self._offered(otherwise, view)
            case _:
                if self.may_not_know(self.reads.view(view)(options, self.known)):
                    yield Told(options, reads=self._source(options, self.known))

    def told(self, expr: ir.Expr, known: Known | None = None) -> Iterator[Told]:
        """What of an expression tells something."""
        known = known or self.known
        if not self.may_not_know(self.reads.value(expr, known)):
            return
        match expr:
            case ir.And(left, right) | ir.Or(left, right):
                yield from self.told(left, known)
                yield from self.told(right, known)
            case ir.Not(value):
                yield from self.told(value, known)
            case ir.Joined(parts):
                for part in parts:
                    if isinstance(part, ir.Node):
                        yield from self.told(part, known)
            case _:
                answers = [self._answers(one, known) for one in everything(expr)]
                yield from (told for found in answers for told in found or ())
                if all(found is None for found in answers):
                    yield Told(expr, reads=self._source(expr, known))

    def _answers(self, asked: object, known: Known) -> list[Told] | None:
        """What tells something in what cards and actions answer about themselves, be it `original` of a variant.

        None if they tell nothing. What was found before is not found again.
        """
        beneath = isinstance(asked, ir.CallValue) and is_beneath(asked.function)
        if not isinstance(asked, ir.AskHook | ir.CallValue) or not (beneath or isinstance(asked, ir.AskHook)):
            return None
        telling = [
            function
            for function in self.reads.functions(asked)
            if self.may_not_know(self.reads.filled_in(self.reads.answer((function.name,)).value, asked, known))
        ]
        if not telling or len(self.within) == _DEEPEST:
            return None
        found = []
        for function in telling:
            if function.name not in self.met:
                self.met.add(function.name)
                inside = self._inside(function, asked, known)
                found += [told if told.function else Told(told.part, function.name) for told in inside]
        return found

    def _inside(self, function: ir.Function, asked: ir.CallValue | ir.AskHook, known: Known) -> Iterator[Told]:
        """What tells something inside a function, where the player has the name of a parameter, or none."""
        if function.name in self.within or len(self.within) == _DEEPEST:
            return
        arguments = (asked.target, *asked.arguments) if isinstance(asked, ir.AskHook) else asked.arguments
        slot = next((at for at, one in enumerate(arguments) if same_player(one, self.player)), _UNNAMED)
        player = ir.Local(slot, "", type=self.player.type)
        held = [self.reads.held(one, known).each(lambda each: inside(each, arguments)) for one in arguments]
        names = Known({slot: one for slot, one in enumerate(held) if one is not NOTHING_HIDDEN})
        there = Chooser(self.reads, player, names, self.kept, self.within | {function.name}, self.met)
        for part, secret, known in self.reads.parts(function, "value", names):
            if there.may_not_know(secret):
                yield from there.told(part, known)

    def _source(self, expr: ir.Expr, known: Known) -> At | None:
        """Where the secret of an expression comes from: the value that is called, or what a name was given."""
        for one in everything(expr):
            if isinstance(one, ir.CallValue) and self.may_not_know(self.reads.value(one, known)):
                for function in self.reads.functions(one):
                    found = next(self._inside(function, one, known), None)
                    if found is not None:
                        return found.reads or found.part.at
            if isinstance(one, ir.Local) and self.may_not_know(self.reads.value(one, known)):
                return known.of(one.slot).at
        return None
