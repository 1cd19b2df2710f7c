"""What is known from line to line of a script: the ground on which `rulebook.dsl.secrets.following` stands.

In: names that get a value, blocks of which one runs, what is shown. Out: what is secret and quiet behind them, and
messages. Never: knows a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import define, field

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.secrets.choices import Chooser, Told
from rulebook.dsl.secrets.knowers import NOTHING_HIDDEN, PUBLIC, Held, Kept, Known, Secret, kept, learnt, wholly
from rulebook.dsl.secrets.paths import NOTHING_OPENED, Opened, Path
from rulebook.dsl.secrets.reads import Reads
from rulebook.dsl.secrets.sight import open_to_all, public_target
from rulebook.dsl.structuring.forms import BOX
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import is_expression

_OPEN_THE_BOX = (
    "Take one unseen instead, with `pick … at random`, or `show` the cards first. If in this game everybody may look "
    "into the box, say so among the places of the table: `box: {seen_by: everyone}`."
)

MOST_WAYS = 3
"""From where a script is run, in one message."""


@define
class Entry:
    """What is known when a script begins, over all its callers."""

    quiet: Secret = PUBLIC
    given: Mapping[int, Held] = MappingProxyType({})
    """What its parameters stand for, but for those that hide nothing."""
    answer: Held = NOTHING_HIDDEN
    """What the script gives back."""
    traced: Secret = PUBLIC
    """As `quiet`, but only what no trace in the callers has told yet."""
    opened: Opened = NOTHING_OPENED
    """What all have been shown or told when the script has come to its end."""
    ways: dict[tuple[str, int], At] = field(factory=dict)
    """Where it is called and not everyone can tell that it is, by the script and the place in it."""


@define
class Handing:
    """A call: what it hands over that hides something, and on what it depends that it comes to it.

    Of the many cards that may answer a call most know the same, so that is added up once for all of them.
    """

    given: Mapping[int, Held]
    quiet: Secret
    traced: Secret
    _added: dict[int, tuple[Mapping[int, Held], Mapping[int, Held], bool]] = field(factory=dict)
    """By the identity of what was known: just that, what is known now, and whether that is more."""

    def to(self, entry: Entry) -> bool:
        """It is called, or called again; whether more is known of that."""
        before = entry.given
        if id(before) not in self._added:
            now = {slot: before.get(slot, NOTHING_HIDDEN) | held for slot, held in self.given.items()}
            more = any(before.get(slot) != held for slot, held in now.items())
            self._added[id(before)] = before, {**before, **now}, more
        _, known, more = self._added[id(before)]
        if not more and self.quiet <= entry.quiet and self.traced <= entry.traced:
            return False
        entry.given, entry.quiet, entry.traced = known, entry.quiet | self.quiet, entry.traced | self.traced
        return True


@define
class Flow:
    """What is known at one line of a script."""

    quiet: Secret
    """On what it depends that the line is reached, as long as nobody has noticed."""
    known: Known
    everyone: frozenset[int] = frozenset()
    """The slots of loops that go through all players."""
    path: Path = field(factory=Path)
    """What has led here that a trace would tell."""


class Following:
    """What the sentences of a script do to what is known."""

    def __init__(self, rulebook: ir.Rulebook, reads: Reads) -> None:
        self._hooked: dict[tuple[str, t.Type], tuple[str, ...]] = {}
        self.rulebook, self.reads, self.world = rulebook, reads, reads.world
        self.entries = {name: Entry() for name in rulebook.scripts}
        self.found: dict[str, dict[tuple[str, str, int, int, str], Diagnostic]] = {}
        """By the script that was gone through when it was found."""
        self.kept: set[str] = set()
        """Hidden memories that hold a secret: what all that changes them is made of, not everyone sees."""
        self.stale = set(rulebook.scripts)
        """The scripts of which more is known since they were gone through, or that never were."""
        self.askers: dict[str, set[str]] = {}
        """Which scripts use what a script gives back."""
        self.script = ""

    def scripts_of(self, hook: str, target: t.Type) -> tuple[str, ...]:
        """The scripts here that a hook of a target of this type may be."""
        key = hook, target
        if key not in self._hooked:
            names = self.reads.hooked(hook, target)
            self._hooked[key] = tuple(name for name in self.entries if name in names)
        return self._hooked[key]

    # ── messages ─────────────────────────────────────────────────────────────────────────────────────────────────

    def report(self, code: str, at: At | None, labels: tuple[Label, ...] = (), **values: Any) -> None:
        """A message about the script that is looked at."""
        if at is not None:
            key = (code, at.span.file.name, at.start, at.end, self.script)
            self.found[self.script][key] = diagnose(code, at.span, where=_named(self.script), labels=labels, **values)

    def leak(self, expr: ir.Expr, at: At | None, flow: Flow) -> None:
        """Something hidden in what everybody sees; of a text or a sum, the first part that is hidden."""
        parts: tuple[Any, ...] = ()
        match expr:
            case ir.Joined(parts):
                pass
            case ir.Arithmetic(_, left, right):
                parts = (left, right)
            case ir.IfElse(condition, then, otherwise):
                parts = (then, otherwise, condition)
            case ir.PlayerMemory(_, player) if public_target(self.rulebook, self.world, expr):
                parts = (player,)  # what everyone sees of somebody is hidden only if it is hidden who that is
        for part in parts:
            if is_expression(part) and part.at is not None and self.is_secret(part, flow):
                return self.leak(part, part.at, flow)
        return self.report("RB601", at, name=words(at))

    def may_not_look(self, cards: ir.Expr, at: At | None, flow: Flow) -> None:
        """Somebody would choose from cards that they may not look at."""
        places = {one.name for one in self.reads.cards(cards, flow.known) if isinstance(one, Kept)}
        self.report("RB603", cards.at or at, help=_OPEN_THE_BOX if places == {BOX} else None)

    def tells(self, found: Iterable[Told], by: str, at: At | None) -> None:
        """What tells whoever chooses at this place something that they may not know."""
        for one in found:
            place = one.part.at or at
            if place is None:
                continue
            labels = []
            if one.function and at is not None:
                labels.append(Label(at.span, "it is asked here"))
            elif one.reads is not None:
                labels.append(Label(one.reads.span, "what they may not see is read here"))
            where = _named(one.function or self.script)
            key = ("RB604", place.span.file.name, place.start, place.end, one.function or self.script)
            said = self.found[self.script]
            if key not in said:
                said[key] = diagnose("RB604", place.span, name=words(place), by=by, where=where, labels=labels)

    # ── questions about expressions ──────────────────────────────────────────────────────────────────────────────

    def held(self, expr: ir.Expr, flow: Flow) -> Held:
        """What a name stands for that gets this value."""
        return self.reads.held(expr, flow.known)

    def value(self, expr: ir.Expr | None, flow: Flow) -> Secret:
        """What an expression depends on that not everyone sees."""
        return PUBLIC if expr is None else self.reads.value(expr, flow.known)

    def is_secret(self, expr: ir.Expr | None, flow: Flow) -> bool:
        """Whether it depends on anything that not everyone sees."""
        return bool(self.value(expr, flow))

    def size(self, expr: ir.Expr, flow: Flow) -> Secret:
        """What it depends on how many there are."""
        return self.reads.size(expr, flow.known)

    def chooser(self, player: ir.Expr, flow: Flow) -> Chooser:
        """Somebody who is asked here, and knows who they are."""
        known = flow.known.binding(player.slot, NOTHING_HIDDEN) if isinstance(player, ir.Local) else flow.known
        return Chooser(self.reads, player, known, frozenset(self.kept))

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def bind(self, slot: int | None, held: Held, flow: Flow) -> None:
        """A name gets a value."""
        if slot is not None:
            flow.known = flow.known.binding(slot, held)

    @staticmethod
    def learn(cards: ir.Expr, flow: Flow, change: Callable[[Secret], Secret]) -> None:
        """What a name means once somebody has seen the cards it stands for."""
        if isinstance(cards, ir.PerPlayerAnswer) and isinstance(cards.player, ir.Local):
            # One open answer says nothing of the others.
            cards = cards.answers if cards.player.slot in flow.everyone else cards
        if isinstance(cards, ir.Local):
            flow.known = flow.known.binding(cards.slot, flow.known.of(cards.slot).each(change))

    def seen_by_all(self, cards: ir.Expr, flow: Flow) -> None:
        """Everybody has seen these cards."""
        self.learn(cards, flow, lambda _: PUBLIC)

    def seen_by(self, cards: ir.Expr, to: ir.Expr, flow: Flow) -> None:
        """Some have seen these cards."""
        if isinstance(cards, ir.Local):  # of what several chose, it is not followed who saw which
            self.learn(cards, flow, lambda secret: learnt(secret, to))

    def noticed(self, statement: ir.Statement, flow: Flow) -> None:
        """After a sentence that everybody notices, what follows is no longer quiet."""
        if not statement.guards:
            flow.quiet = PUBLIC

    def keeps(self, target: ir.Expr, secret: Secret, flow: Flow) -> None:
        """A hidden memory is set: unless everybody could follow what it is now, it holds a secret from now on."""
        match target:
            case ir.PlayerMemory(name, player):
                secret |= self.value(player, flow)
            case ir.TableMemory(name):
                pass
            case _:
                return
        followed = self.world.memories.keys() - self.kept
        if name not in self.kept and any(not isinstance(one, Kept) or one.name not in followed for one in secret):
            self.kept.add(name)
            self.stale |= self.entries.keys()

    # ── where cards come to lie ──────────────────────────────────────────────────────────────────────────────────

    def drawn(self, goal: ir.Expr, face: str) -> Held:
        """What a card stands for that nobody has chosen."""
        if open_to_all(self.world, goal, face):
            return NOTHING_HIDDEN
        place = goal.name if isinstance(goal, ir.PlaceOf) else ""
        owner = goal.owner if isinstance(goal, ir.PlaceOf) else None
        drawn = kept(place, owner, owner_knows=bool(place) and self.world.places[place].open_to_owner)
        return wholly(drawn)

    def arrived(self, cards: ir.Expr, goal: ir.Expr, face: str, flow: Flow) -> None:
        """Cards come to lie where everyone sees them, or whoever the place belongs to."""
        if open_to_all(self.world, goal, face):
            self.seen_by_all(cards, flow)
        elif isinstance(goal, ir.PlaceOf) and goal.owner is not None and self.world.places[goal.name].open_to_owner:
            self.seen_by(cards, goal.owner, flow)


def words(at: At | None) -> str:
    """What stands at a place."""
    return at.scalar.text[at.start : at.end].strip() if at else "this"


def _named(script: str) -> str:
    """A script or function as people say it."""
    section, _, rest = script.partition(".")
    return f"{section.removesuffix('s')} {rest.replace('.', ', ', 1)}"
