"""Who and what a telling has spoken of: the names of a script, and how each is referred to now.

In: frames of slots. Out: `Thing`s and `Group`s for the names of scripts. Never: a name that is not a word; a thing is
"it" only if it was the last one spoken of, and one of two of its sort is told by which came first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from attrs import define, field, frozen

from rulebook.dsl import ir
from rulebook.dsl.english.grammar import YOU, Noun, Spot, Thing
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.words import Agreement, ordinal


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
    """A name that stands for what is described where it is first spoken of, and then is "that card"."""

    expr: ir.Expr
    frame: Frame
    referent: Referent


@define(eq=False)
class Gathered:
    """A list of all that a choice has chosen so far: "chosen before"."""

    noun: Noun


@define(eq=False)
class Answers:
    """What each player chose in one decision: the noun, and which of several picks."""

    noun: Noun
    which: str = ""
    many: bool = False


@define(eq=False)
class About:
    """`it`, or the name of a list's item: what a condition is about."""

    noun: Noun
    many: bool


_Memory: TypeAlias = "tuple[object, int, set[object], set[Named]]"
Bound: TypeAlias = "Thing | Group | Referent | Given | Named | Gathered | Answers | About"


@define(eq=False)
class Frame:
    """The names of one script or question."""

    slots: ir.Slots
    bound: dict[int, Bound] = field(factory=dict)


class Scene:
    """What is bound, and what was spoken of last."""

    def __init__(self) -> None:
        self.frame = Frame(ir.Slots((), ()))
        self.focus: object = None
        self.known: list[Referent] = []
        self.spoken: set[object] = set()
        self.when: dict[object, int] = {}
        self.told: set[Named] = set()
        self.clock = 0
        self._about: list[About] = []

    @contextmanager
    def within(self, frame: Frame) -> Iterator[None]:
        """Names are those of another frame."""
        before, self.frame = self.frame, frame
        yield
        self.frame = before

    @contextmanager
    def about(self, slot: int, noun: Noun, *, many: bool) -> Iterator[About]:
        """A condition about what is in a slot."""
        it, before = About(noun, many), self.frame.bound.get(slot)
        self.frame.bound[slot] = it
        self._about.append(it)
        yield it
        self._about.pop()
        if before is None:
            del self.frame.bound[slot]
        else:
            self.frame.bound[slot] = before

    def remember(self) -> _Memory:
        """What was spoken of up to now, to go back to."""
        return self.focus, len(self.known), set(self.spoken), set(self.told)

    def forget(self, before: _Memory) -> None:
        """What was said since has not been said after all."""
        self.focus, count, self.spoken, self.told = before[0], before[1], set(before[2]), set(before[3])
        del self.known[count:]

    # ── speaking of what was introduced ──────────────────────────────────────────────────────────────────────────

    def introduce(self, referent: Referent) -> Referent:
        """Something new, which has just been spoken of."""
        self.known.append(referent)
        self.mention(referent)
        if referent.noun.person:
            self.focus = None
        return referent

    def mention(self, referent: object) -> None:
        """Something has just been spoken of; people do not take "it" from things."""
        self.spoken.add(referent)
        self.clock += 1
        self.when[referent] = self.clock
        if not (isinstance(referent, Referent) and referent.noun.person):
            self.focus = referent

    def refer(self, referent: Referent) -> Thing:
        """Something introduced, as a sentence calls it now."""
        noun = referent.noun
        if noun.person:
            thing = self._person(referent)
        elif self._is_it(referent):
            thing = Thing("they", "many", own="their", object="them") if referent.many else Thing("it", own="its")
        elif referent.many:
            thing = Thing(self._apart(referent, f"those {noun.many}", noun.many), "many")
        else:
            thing = Thing(self._apart(referent, f"that {noun.one}", noun.one))
        self.mention(referent)
        return thing

    def _is_it(self, referent: Referent) -> bool:
        """Whether a pronoun says enough: what a loop is about, until something new comes up; else what was spoken of
        last.
        """
        loop = next((one for one in reversed(self.known) if one.they and not one.noun.person), None)
        if loop is None or referent not in self.known:
            return self.focus is referent
        if referent is loop:
            return self.known[-1] is loop or self.focus is loop
        return self.focus is referent and self.known.index(referent) > self.known.index(loop)

    def _person(self, referent: Referent) -> Thing:
        noun = referent.noun
        since = self.known[self.known.index(referent) + 1 :] if referent in self.known else []
        if referent.they and not any(one.noun.person for one in since):
            return Thing("they", "many", person=True, own="their", object="them")
        if referent.many:
            return Thing(self._apart(referent, f"those {noun.many}", noun.many), "many", person=True)
        return Thing(self._apart(referent, f"that {noun.one}", noun.one), person=True)

    def _apart(self, referent: Referent, usual: str, noun: str) -> str:
        """Told apart from others of its noun by which came first."""
        same = [one for one in self.known if one.noun == referent.noun and one.many == referent.many]
        last = max(same, key=lambda one: self.when.get(one, 0), default=referent)
        if referent not in same or (last is referent and same[-1] is referent):
            return usual
        how = [one for one in same if one.how == referent.how]
        which = "" if len(how) < 2 else f"{ordinal(how.index(referent))} "
        return f"the {which}{referent.how} {noun}"

    def it(self, about: About) -> Thing:
        """What a condition is about: "it", or "that card" where another condition inside is about something else."""
        noun = about.noun
        if about is not self._about[-1]:
            return Thing(f"those {noun.many}", "many", noun.person) if about.many else Thing(f"that {noun.one}")
        if about.many or noun.person:
            agrees: Agreement = "many" if about.many else "one"
            return Thing("they", agrees, noun.person, "their", "them", it=True)
        return Thing("it", own="its", it=True)

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def bound(self, slot: int) -> Bound | None:
        """What a name of the script stands for now."""
        return self.frame.bound.get(slot)

    def unbind(self, slot: int, before: Bound | None) -> None:
        """A name stands for what it stood for before."""
        if before is None:
            self.frame.bound.pop(slot, None)
        else:
            self.frame.bound[slot] = before

    def bind(self, slot: int, what: Bound) -> None:
        """A name stands for this from now on."""
        self.frame.bound[slot] = what

    def several(self, referent: Referent) -> Group:
        """A referent as a group: "those cards", or what lies in that row."""
        if referent.items is not None:
            return Group(referent.items, Spot(self.refer(referent)))
        thing = self.refer(referent)
        return Group(referent.noun, whole=thing, only=True)


def is_me(thing: Thing) -> bool:
    """Whether it is who reads."""
    return thing.agrees == YOU.agrees
