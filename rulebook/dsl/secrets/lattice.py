"""The lattice of who may know: a taint is a set of secrets, each with its knowers; fewer knowers is higher.

`PUBLIC`, the empty set, is its bottom, union its join. Players are expressions of the script that speaks of them, so a
taint is renamed where one script calls another. What is a secret in the first place, `reads` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from operator import is_not
from typing import TypeAlias

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.walk import everything

EVERYONE = ir.Seats(everyone=True, type=t.ListOf(t.PLAYER))
"""A knower: whoever is asked. That something was shown to all is no reason to say it aloud."""

WHO_ANSWERED = ir.Local(-1, "", type=t.PLAYER)
"""In the answers of a sealed choice: whoever gave the answer."""

_FARTHEST = 3
"""The most seats away at which a player is still somebody in particular: this bounds the height of the lattice."""


@frozen
class Secret:
    """A source of taint: a place or memory (or "", or `CHOSEN`) that not everyone sees, whose it is, and who knows it.

    Two players are the same only if they surely are; of somebody's place or memory, `of` is None where it is not known
    any more whose.
    """

    name: str
    of: ir.Expr | None
    knowers: frozenset[ir.Expr]


@frozen
class Argument:
    """A symbolic source in the summary of a function: one view of an argument, to be filled in at each call."""

    index: int
    view: str


Taint: TypeAlias = frozenset[Secret | Argument]
"""Everything hidden that something depends on. If it is empty, everyone knows it."""

PUBLIC: Taint = frozenset()

SOMEWHERE: Taint = frozenset({Secret("cards", None, frozenset())})
"""Among the cards that a name stands for: what was named, and not found in a place. Which card it is hides nothing;
where it lies, and what lies on top of it there, may.
"""


def join(*taints: Taint) -> Taint:
    """The least upper bound; where one alone says anything it is that one itself, so that it is renamed only once."""
    joined = PUBLIC
    for taint in taints:
        if taint:
            joined = joined | taint if joined else taint
    return joined


@lru_cache(maxsize=4096)
def taint_of(name: str, of: ir.Expr | None, open_to: str) -> Taint:
    """The taint of one hidden place or memory, into which its `owner`, all `others` or `nobody` may look."""
    owner = None if of is None else normalize_player(of)
    if owner is None or open_to == "nobody":
        return frozenset({Secret(name, owner, frozenset())})
    return frozenset({Secret(name, owner, frozenset({owner if open_to == "owner" else others_of(owner)}))})


CHOSEN = "secret choice"
"""The name of the source of what was chosen unseen."""


def known_to(player: ir.Expr) -> Taint:
    """Something that this player has chosen, and nobody else knows."""
    return frozenset({Secret(CHOSEN, None, frozenset({normalize_player(player)}))})


# ── values and environments ──────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Value:
    """An abstract value: the taints of a value, of how many things there are in it, and of which cards these are.

    Make it with `abstract`: what is public is always `UNTAINTED` itself, so that most of a script costs nothing.
    """

    value: Taint = PUBLIC
    size: Taint = PUBLIC
    cards: Taint = PUBLIC
    at: At | None = field(default=None, eq=False)

    def view(self, view: str) -> Taint:
        return self.value if view == "value" else self.size if view == "size" else self.cards

    def map(self, change: Callable[[Taint], Taint]) -> Value:
        if self is UNTAINTED:
            return self
        value = change(self.value)
        size = value if self.size is self.value else change(self.size)
        cards = value if self.cards is self.value else change(self.cards)
        same = value is self.value and size is self.size and cards is self.cards
        return self if same else abstract(value, size, cards, self.at)

    def single_out(self, chooser: ir.Expr | None = None) -> Value:
        """One of these cards: who may look at all of them does not know which it is, but for who has chosen it."""
        if not self.value:
            return self
        who = frozenset(() if chooser is None else (normalize_player(chooser),))

        def change(tag: Secret | Argument) -> Secret | Argument:
            if isinstance(tag, Argument) or tag in SOMEWHERE:
                return tag
            if chooser is None:
                return Secret("", None, tag.knowers - {EVERYONE})
            return Secret("", None, who if who & tag.knowers or EVERYONE in tag.knowers else frozenset())

        value = frozenset(map(change, self.value))
        return abstract(value, value, self.cards, self.at)

    def __or__(self, other: Value) -> Value:
        if other is UNTAINTED or other is self:
            return self
        if self is UNTAINTED:
            return other
        at = other.at if other.value and not self.value else self.at or other.at
        return Value(self.value | other.value, self.size | other.size, self.cards | other.cards, at)


UNTAINTED = Value()


def abstract(value: Taint, size: Taint, cards: Taint, at: At | None = None) -> Value:
    return Value(value, size, cards, at) if value or size or cards else UNTAINTED


def uniform(taint: Taint) -> Value:
    """The abstract value with one taint in every view."""
    return abstract(taint, taint, taint)


# ── players ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def normalize_player(player: ir.Expr) -> ir.Expr:
    """A player without what does not tell them apart: of a name, only which name it is counts."""
    match player:
        case ir.Local(slot):
            return make_name(slot)
        case ir.Clockwise(start, after=True):
            return others_of(normalize_player(start))
    return player


def others_of(player: ir.Expr) -> ir.Expr:
    """All players but one, as one knower."""
    return ir.Clockwise(player, after=True, type=t.ListOf(t.PLAYER))


@lru_cache(maxsize=256)
def make_name(slot: int) -> ir.Expr:
    """A player by the number of their name in a script."""
    return ir.Local(slot, "", type=t.PLAYER)


def same_player(expr: ir.Expr, other: ir.Expr) -> bool:
    """Check that two expressions surely mean one player."""
    return normalize_player(expr) == normalize_player(other)


def slots_of(expr: ir.Expr | None) -> frozenset[int]:
    """The names in an expression."""
    if expr is None or isinstance(expr, ir.Local):
        return frozenset(() if expr is None else (expr.slot,))
    return frozenset(node.slot for node in everything(expr) if isinstance(node, ir.Local))


def add_knowers(taint: Iterable[Secret | Argument], to: ir.Expr) -> Taint:
    """Let somebody know it: one player, a list of them, or everyone."""
    players = to.items if isinstance(to, ir.Listed) else (to,)
    more = {EVERYONE if isinstance(player, ir.Seats) else normalize_player(player) for player in players}
    return frozenset(
        Secret(tag.name, tag.of, _complete(tag.knowers | more)) if isinstance(tag, Secret) else tag for tag in taint
    )


def _complete(knowers: frozenset[ir.Expr]) -> frozenset[ir.Expr]:
    """Add that everyone knows it where somebody and all others do."""
    is_all = any(isinstance(knower, ir.Clockwise) and knower.start in knowers for knower in knowers)
    return knowers | {EVERYONE} if is_all else knowers


def add_apart(taint: Taint, apart: Collection[frozenset[ir.Expr]]) -> Taint:
    """Name, where all others of a player know it, those of whom it is certain that they are not this player."""
    changed = set()
    for tag in taint:
        if isinstance(tag, Secret):
            for knower in tag.knowers:
                if isinstance(knower, ir.Clockwise) and (more := _list_apart(knower.start, apart) - tag.knowers):
                    tag = Secret(tag.name, tag.of, tag.knowers | more)
        changed.add(tag)
    return frozenset(changed)


def _list_apart(player: ir.Expr, apart: Collection[frozenset[ir.Expr]]) -> frozenset[ir.Expr]:
    """List the players of whom it is certain that they are not this one."""
    return frozenset[ir.Expr]().union(*(pair - {player} for pair in apart if player in pair))


def without_known(taint: Taint) -> Taint:
    """Drop what everybody knows."""
    return frozenset(tag for tag in taint if isinstance(tag, Argument) or EVERYONE not in tag.knowers)


def to_everyone(taint: Taint) -> Taint:
    """Let everybody know it."""
    return add_knowers(taint, EVERYONE)


# ── renaming, from one script to another ─────────────────────────────────────────────────────────────────────────────


def forget(taint: Taint, is_gone: Callable[[int], bool]) -> Taint:
    """Take some names out: they mean nobody in particular any more."""
    if not taint or not any(map(is_gone, _slots_in(taint))):
        return taint
    return _rename(taint, lambda player: None if any(map(is_gone, slots_of(player))) else player)


def to_callee(taint: Taint, arguments: Sequence[ir.Expr]) -> Taint:
    def rename(player: ir.Expr) -> ir.Expr | None:
        for slot, argument in enumerate(arguments):
            if same_player(argument, player):
                return make_name(slot)
        if isinstance(player, ir.Neighbour):
            whose = rename(player.player)
            return None if whose is None else evolve(player, player=whose)
        if isinstance(player, ir.Clockwise):
            start = rename(player.start)
            return None if start is None else evolve(player, start=start)
        return None if slots_of(player) else player

    return _rename(taint, rename)


def to_caller(taint: Taint, arguments: Sequence[ir.Expr]) -> Taint:
    def rename(player: ir.Expr) -> ir.Expr | None:
        match player:
            case ir.Local(slot, _):
                return normalize_player(arguments[slot]) if 0 <= slot < len(arguments) else None
            case ir.Neighbour():
                whose = rename(player.player)
                return None if whose is None or _is_far(whose) else evolve(player, player=whose)
            case ir.Clockwise():
                start = rename(player.start)
                return None if start is None else evolve(player, start=start)
        return None if slots_of(player) else player

    return _rename(taint, rename)


def answered_by(taint: Taint, decider: int) -> Taint:
    """Rename the decider of a sealed choice to whoever answered."""

    def rename(player: ir.Expr) -> ir.Expr | None:
        if player == make_name(decider):
            return WHO_ANSWERED
        return None if decider in slots_of(player) else player

    return _rename(taint, rename)


def answer_of(taint: Taint, player: ir.Expr) -> Taint:
    """Rename whoever answered to one player, of whose answer is spoken."""
    return _rename(taint, lambda who: normalize_player(player) if who == WHO_ANSWERED else who)


def _is_far(player: ir.Expr) -> bool:
    """Check whether it is far round the table: where questions ask about the next player, this ends the circle."""
    for _ in range(_FARTHEST):
        if not isinstance(player, ir.Neighbour):
            return False
        player = player.player
    return True


@lru_cache(maxsize=4096)
def _slots_in(taint: Taint) -> frozenset[int]:
    secrets = [tag for tag in taint if isinstance(tag, Secret)]
    return frozenset[int]().union(*(slots_of(player) for secret in secrets for player in (secret.of, *secret.knowers)))


def _rename(taint: Taint, rename: Callable[[ir.Expr], ir.Expr | None]) -> Taint:
    """Give players other names; whoever has none knows nothing any more."""
    if not taint:
        return PUBLIC
    same = True
    renamed: set[Secret | Argument] = set()
    for tag in taint:
        if isinstance(tag, Secret):
            of = None if tag.of is None else rename(tag.of)
            knowers = [rename(player) for player in tag.knowers]
            if of is not tag.of or any(map(is_not, knowers, tag.knowers)):
                tag, same = Secret(tag.name, of, frozenset(player for player in knowers if player is not None)), False
        renamed.add(tag)
    return taint if same else frozenset(renamed)
