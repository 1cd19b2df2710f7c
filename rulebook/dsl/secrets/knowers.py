"""Who knows what not everyone sees: the small algebra behind the pass that follows secrets.

In: places and memories that are hidden, and players as expressions of one script. Out: sets of what is kept hidden,
each with those who know it, joined where things meet and renamed where one script calls another. Never: says what is
hidden; `reads` finds that in the expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import is_not
from typing import TypeAlias

from attrs import evolve, field, frozen

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import everything

EVERYONE = ir.Seats(everyone=True, type=t.ListOf(t.PLAYER))
"""Somebody who knows it, whoever is asked. That something was shown to all is no reason to say it aloud."""

WHO_ANSWERED = ir.Local(-1, "", type=t.PLAYER)
"""In the answers of a sealed choice: whoever gave the answer."""

_FARTHEST = 3
"""So many seats away a player is still somebody in particular; farther on it is not followed who it is."""


@frozen
class Kept:
    """Something that not everyone sees: the place or memory (or ""), whose it is, and who knows it all the same.

    Players are expressions of the script in which it is spoken of. Two are the same player only if they surely are;
    of somebody's place or memory, `of` is None where it is not known any more whose.
    """

    name: str
    of: ir.Expr | None
    knowers: frozenset[ir.Expr]


@frozen
class Given:
    """What an argument of a function brings along, to be filled in where it is called."""

    index: int
    view: str


Secret: TypeAlias = frozenset[Kept | Given]
"""Everything hidden that something depends on. If it is empty, everyone knows it."""

PUBLIC: Secret = frozenset()

SOMEWHERE: Secret = frozenset({Kept("cards", None, frozenset())})
"""Among the cards that a name stands for: what was named, and not found in a place. Which card it is hides nothing;
where it lies, and what lies on top of it there, may.
"""


def both(one: Secret, other: Secret) -> Secret:
    """All of both. Where one of them adds nothing it is the other itself, and what is one is looked at once."""
    return one | other if one and other else one or other


@frozen
class Held:
    """What a name stands for: what its value depends on, how many there are of it, and which cards they are.

    `holding` makes it. What hides nothing is always the same one, and so is what nothing has changed: most of what a
    script says is no secret, and costs no more than to see that it is not.
    """

    value: Secret = PUBLIC
    size: Secret = PUBLIC
    cards: Secret = PUBLIC
    at: At | None = field(default=None, eq=False)

    def view(self, view: str) -> Secret:
        """One of the three."""
        return self.value if view == "value" else self.size if view == "size" else self.cards

    def each(self, change: Callable[[Secret], Secret]) -> Held:
        """The same with all three changed; there is nothing to change in what hides nothing."""
        if self is NOTHING_HIDDEN:
            return self
        value = change(self.value)
        size = value if self.size is self.value else change(self.size)
        cards = value if self.cards is self.value else change(self.cards)
        same = value is self.value and size is self.size and cards is self.cards
        return self if same else holding(value, size, cards, self.at)

    def __or__(self, other: Held) -> Held:
        if other is NOTHING_HIDDEN or other is self:
            return self
        if self is NOTHING_HIDDEN:
            return other
        at = other.at if other.value and not self.value else self.at or other.at
        return Held(self.value | other.value, self.size | other.size, self.cards | other.cards, at)


NOTHING_HIDDEN = Held()


def holding(value: Secret, size: Secret, cards: Secret, at: At | None = None) -> Held:
    """What hides all this."""
    return Held(value, size, cards, at) if value or size or cards else NOTHING_HIDDEN


Shown: TypeAlias = tuple[tuple[ir.Expr, ir.Expr], ...]
"""Cards, and to whom they were shown."""


@frozen
class Known:
    """What is known at one place of a script: what its names stand for, but for those that hide nothing, and what was
    shown to whom.
    """

    names: Mapping[int, Held] = field(factory=dict)
    shown: Shown = ()

    def of(self, slot: int) -> Held:
        """What a name stands for."""
        return self.names.get(slot, NOTHING_HIDDEN)

    def binding(self, slot: int, held: Held) -> Known:
        """The same with one name that stands for something else now."""
        if self.of(slot) is held:
            return self
        names = {**self.names, slot: held}
        if held is NOTHING_HIDDEN:
            del names[slot]
        return Known(names, self.shown)

    def again(self, slot: int, held: Held) -> Known:
        """The same in the next round of a loop: what was said of the one before is said of nobody in particular now."""
        names = {each: one.each(lambda secret: forget(secret, slot.__eq__)) for each, one in self.names.items()}
        return Known(names, self.shown).binding(slot, held)

    def beside(self, other: Known) -> Known:
        """What is known where two ways meet; what was shown on one of them only is not."""
        if other is self:
            return self
        names = {slot: self.of(slot) | held for slot, held in other.names.items()}
        shown = tuple(one for one in self.shown if one in other.shown) if self.shown else ()
        return Known({**self.names, **names}, shown)

    def after_showing(self, secret: Secret) -> Secret:
        """What is still hidden of it, and from whom, after what was shown."""
        for cards, to in self.shown:
            if isinstance(cards, ir.Cards) and isinstance(cards.place, ir.PlaceOf):
                seen = frozenset(one for one in secret if _is_of(one, cards.place))
                secret = secret - seen | learnt(seen, to)
        return secret


def kept(name: str, of: ir.Expr | None, *, owner_knows: bool) -> Secret:
    """What lies in one hidden place or memory."""
    if isinstance(of, ir.Local):
        return _kept_by(name, of.slot, owner_knows)
    return frozenset({Kept(name, of, frozenset(() if of is None or not owner_knows else (of,)))})


@lru_cache(maxsize=4096)
def _kept_by(name: str, slot: int, owner_knows: bool) -> Secret:
    """What a player keeps who has a name; scripts speak of the same few again and again."""
    of = _named(slot)
    return frozenset({Kept(name, of, frozenset((of,) if owner_knows else ()))})


def known_to(player: ir.Expr) -> Secret:
    """Something that this player knows, and nobody else."""
    return frozenset({Kept("", None, frozenset({plain(player)}))})


@lru_cache(maxsize=256)
def given(parameters: int) -> Known:
    """What is known when a function begins: its parameters stand for whatever they are given."""

    def argument(slot: int) -> Held:
        value, size, cards = (frozenset({Given(slot, view)}) for view in ("value", "size", "cards"))
        return Held(value, size, cards)

    return Known({slot: argument(slot) for slot in range(parameters)})


def wholly(secret: Secret) -> Held:
    """What hides the same in every way."""
    return holding(secret, secret, secret)


# ── players ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def plain(player: ir.Expr) -> ir.Expr:
    """A player without what does not tell them apart: of a name, only which name it is counts."""
    return _named(player.slot) if isinstance(player, ir.Local) else player


@lru_cache(maxsize=256)
def _named(slot: int) -> ir.Expr:
    return ir.Local(slot, "", type=t.PLAYER)


def same_player(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two expressions surely mean one player."""
    return plain(one) == plain(other)


def learnt(secret: Iterable[Kept | Given], to: ir.Expr) -> Secret:
    """The same after somebody has learnt it: one player, a list of them, or everyone."""
    players = to.items if isinstance(to, ir.Listed) else (to,)
    more = {EVERYONE if isinstance(one, ir.Seats) else plain(one) for one in players}
    return frozenset(
        Kept(one.name, one.of, one.knowers | more) if isinstance(one, Kept) else one for one in secret
    )


def _is_of(one: Kept | Given, place: ir.PlaceOf) -> bool:
    if not isinstance(one, Kept) or one.name != place.name or (one.of is None) is not (place.owner is None):
        return False
    return one.of is None or place.owner is None or same_player(one.of, place.owner)


# ── from one script to another ───────────────────────────────────────────────────────────────────────────────────────


def forget(secret: Secret, is_gone: Callable[[int], bool]) -> Secret:
    """The same where some names mean nobody in particular any more."""
    if not secret or not any(map(is_gone, _slots_in(secret))):
        return secret
    return _renamed(secret, lambda player: None if any(map(is_gone, _slots(player))) else player)


def inside(secret: Secret, arguments: Sequence[ir.Expr]) -> Secret:
    """In the words of whom is called, where the arguments are the first names."""

    def rename(player: ir.Expr) -> ir.Expr | None:
        for slot, one in enumerate(arguments):
            if same_player(one, player):
                return _named(slot)
        if isinstance(player, ir.Neighbour):
            whose = rename(player.player)
            return None if whose is None else evolve(player, player=whose)
        return None if any(True for _ in _slots(player)) else player

    return _renamed(secret, rename)


def outside(secret: Secret, arguments: Sequence[ir.Expr]) -> Secret:
    """In the words of who calls: what the first names stand for there."""

    def rename(player: ir.Expr) -> ir.Expr | None:
        match player:
            case ir.Local(slot, _):
                return plain(arguments[slot]) if 0 <= slot < len(arguments) else None
            case ir.Neighbour(of, _):
                whose = rename(of)
                return None if whose is None or _is_far(whose) else evolve(player, player=whose)
        return None if any(True for _ in _slots(player)) else player

    return _renamed(secret, rename)


def answered_by(secret: Secret, decider: int) -> Secret:
    """What each of several chose, after all have: the decider is whoever answered."""
    return _renamed(secret, lambda player: WHO_ANSWERED if _is_slot(player, decider) else player)


def answer_of(secret: Secret, player: ir.Expr) -> Secret:
    """The answer of one player, of what each of several chose."""
    return _renamed(secret, lambda one: plain(player) if one == WHO_ANSWERED else one)


def _is_far(player: ir.Expr) -> bool:
    """Whether it is far round the table: where questions ask each other about the next player, this ends the circle."""
    for _ in range(_FARTHEST):
        if not isinstance(player, ir.Neighbour):
            return False
        player = player.player
    return True


def _is_slot(player: ir.Expr, slot: int) -> bool:
    return isinstance(player, ir.Local) and player.slot == slot


def _slots(player: ir.Expr) -> Iterable[int]:
    if isinstance(player, ir.Local):
        return (player.slot,)
    return (one.slot for one in everything(player) if isinstance(one, ir.Local))


@lru_cache(maxsize=4096)
def _slots_in(secret: Secret) -> frozenset[int]:
    """The names that are spoken of."""
    kept_here = [one for one in secret if isinstance(one, Kept)]
    players = [player for one in kept_here for player in (*one.knowers, *(() if one.of is None else (one.of,)))]
    return frozenset(slot for player in players for slot in _slots(player))


def _renamed(secret: Secret, rename: Callable[[ir.Expr], ir.Expr | None]) -> Secret:
    """Other names for the players; whoever has none knows nothing any more."""
    if not secret:
        return PUBLIC
    same = True
    made: set[Kept | Given] = set()
    for one in secret:
        if isinstance(one, Kept):
            of = None if one.of is None else rename(one.of)
            knowers = [rename(player) for player in one.knowers]
            if of is not one.of or any(map(is_not, knowers, one.knowers)):
                one, same = Kept(one.name, of, frozenset(player for player in knowers if player is not None)), False
        made.add(one)
    return secret if same else frozenset(made)
