"""The context of a telling: what the names of a script stand for, and what was spoken of last.

A thing is "it" only if it was the last one spoken of, and one of two of its sort is told by which came first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from attrs import define, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.english.grammar import Agreement, Group, Noun, Spot, Thing
from rulebook.english.lexicon import Lexicon
from rulebook.plurals import ordinal


@define(eq=False)
class Referent:
    """Something that a sentence has introduced: a chosen card, a drawn one, whoever a loop is about.

    `many`: it is several. `lists`: it is one list of things (a row of a grid), whose items are `items`. `how` it came
    about stands before its noun where two are told apart. `they`: a loop is about it, so it has a pronoun.
    """

    noun: Noun
    how: str = "chosen"
    many: bool = False
    items: Noun | None = None
    they: bool = False


@frozen
class Given:
    """A parameter or a name that stands for an expression of another frame."""

    expr: ir.Expr
    frame: Frame


@define(eq=False)
class Named:
    """A name that is described where it is first spoken of, and then is "that card"."""

    expr: ir.Expr
    frame: Frame
    referent: Referent


@define(eq=False)
class Gathered:
    """A list of all that a choice has chosen so far: "chosen before"."""

    noun: Noun


@define(eq=False)
class Answers:
    """The answers of several players in one decision: the noun, and which of several picks."""

    noun: Noun
    which: str = ""
    many: bool = False


@define(eq=False)
class About:
    """The subject of a condition: `it`, or the name of a list's item."""

    noun: Noun
    many: bool


Bound: TypeAlias = "Thing | Group | Referent | Given | Named | Gathered | Answers | About"
_Memory: TypeAlias = "tuple[object, int, set[object], set[Named]]"


@define(eq=False)
class Frame:
    """The names of one script or question."""

    slots: ir.Slots
    bound: dict[int, Bound] = field(factory=dict)


@define(eq=False)
class Context:
    """The bound names, the things spoken of, and the blocks around what is told now.

    `focus` was spoken of last; `introduced` are all referents, in order; `spoken`: what this sentence has mentioned;
    `described`: the names that need no description any more. `depth` counts what is told in place inside another.
    `loops` are the blocks around, `players` the slots of whom loops go through, the innermost last.
    """

    lexicon: Lexicon
    frame: Frame
    focus: object = None
    introduced: list[Referent] = field(factory=list)
    spoken: set[object] = field(factory=set)
    described: set[Named] = field(factory=set)
    depth: int = 0
    loops: list[str] = field(factory=list)
    players: list[int] = field(factory=list)
    _clock: int = 0
    _when: dict[object, int] = field(factory=dict)
    _about: list[About] = field(factory=list)

    @contextmanager
    def enter_frame(self, frame: Frame) -> Iterator[None]:
        before, self.frame = self.frame, frame
        yield
        self.frame = before

    @contextmanager
    def bind_it(self, slot: int, noun: Noun, *, many: bool) -> Iterator[None]:
        """Bind a slot to `it`, for a condition about it."""
        it, before = About(noun, many), self.bound(slot)
        self.bind_slot(slot, it)
        self._about.append(it)
        yield
        self._about.pop()
        self.restore(slot, before)

    def remember(self) -> _Memory:
        """Note what was spoken of up to now, to go back to."""
        return self.focus, len(self.introduced), set(self.spoken), set(self.described)

    def go_back_to(self, before: _Memory) -> None:
        """Take back what was said since."""
        self.focus, count, self.spoken, self.described = before[0], before[1], set(before[2]), set(before[3])
        del self.introduced[count:]

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def bound(self, slot: int) -> Bound | None:
        """Return what a name of the script stands for now."""
        return self.frame.bound.get(slot)

    def bind_slot(self, slot: int, what: Bound) -> None:
        self.frame.bound[slot] = what

    def restore(self, slot: int, before: Bound | None) -> None:
        if before is None:
            self.frame.bound.pop(slot, None)
        else:
            self.bind_slot(slot, before)

    # ── speaking of what was introduced ──────────────────────────────────────────────────────────────────────────

    def bring_up(self, slot: int | None, referent: Referent) -> None:
        """Name and introduce what was just brought up."""
        if slot is not None:
            self.bind_slot(slot, referent)
            self.introduce(referent)

    def introduce(self, referent: Referent) -> None:
        self.introduced.append(referent)
        self.mention(referent)
        if referent.noun.person:
            self.focus = None

    def mention(self, referent: object) -> None:
        """Note that something was spoken of; people do not take "it" from things."""
        self.spoken.add(referent)
        self._clock += 1
        self._when[referent] = self._clock
        if not (isinstance(referent, Referent) and referent.noun.person):
            self.focus = referent

    def refer(self, referent: Referent) -> Thing | Group:
        """Speak of something introduced, as a sentence calls it now; several are a group."""
        if not referent.many and referent.items is None:
            return self._make_name(referent)
        if referent.items is not None:
            return Group(referent.items, Spot(self._make_name(referent)))
        return Group(referent.noun, whole=self._make_name(referent), only=True)

    def _make_name(self, referent: Referent) -> Thing:
        noun, person = referent.noun, referent.noun.person
        if self._is_they(referent) if person else self._is_it(referent):
            they = person or referent.many
            thing = Thing("they", "many", person, "their", "them") if they else Thing("it", own="its")
        elif referent.many:
            thing = Thing(self._tell_apart(referent, f"those {noun.many}", noun.many), "many", person)
        else:
            thing = Thing(self._tell_apart(referent, f"that {noun.one}", noun.one), person=person)
        self.mention(referent)
        return thing

    def _is_it(self, referent: Referent) -> bool:
        """Tell if a pronoun is enough: for what a loop is about, until something new comes up; else for the focus."""
        loop = next((about for about in reversed(self.introduced) if about.they and not about.noun.person), None)
        if loop is None or referent not in self.introduced:
            return self.focus is referent
        if referent is loop:
            return self.introduced[-1] is loop or self.focus is loop
        return self.focus is referent and self.introduced.index(referent) > self.introduced.index(loop)

    def _is_they(self, referent: Referent) -> bool:
        """Tell if a pronoun is enough for a person: whom a loop is about, until another comes up."""
        since = self.introduced[self.introduced.index(referent) + 1 :] if referent in self.introduced else []
        around = any(about.noun.person for about in self._about)
        return referent.they and not around and not any(other.noun.person for other in since)

    def _tell_apart(self, referent: Referent, usual: str, noun: str) -> str:
        """Tell a referent from others of its noun by which came first."""
        same = [other for other in self.introduced if other.noun == referent.noun and other.many == referent.many]
        around = [other for other in same if other.they]
        if referent.they and len(around) == 2:
            return f"the {'outer' if referent is around[0] else 'inner'} {noun}"
        last = max(same, key=lambda other: self._when.get(other, 0), default=referent)
        if referent not in same or (last is referent and same[-1] is referent):
            return usual
        how = [other for other in same if other.how == referent.how]
        which = "" if len(how) < 2 else f"{ordinal(how.index(referent))} "
        return f"the {which}{referent.how} {noun}"

    def it(self, about: About) -> Thing:
        """Speak of a condition's subject: "it", or "that card" where a condition inside is about something else."""
        noun = about.noun
        if about is not self._about[-1]:
            return Thing(f"those {noun.many}", "many", noun.person) if about.many else Thing(f"that {noun.one}")
        if about.many or noun.person:
            agrees: Agreement = "many" if about.many else "one"
            return Thing("they", agrees, noun.person, "their", "them", it=True)
        return Thing("it", own="its", it=True)
