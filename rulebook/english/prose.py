"""Prose: steps become sentences, paragraphs and points.

What is short is a sentence; what has more inside becomes points below it, so that one sees where it ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from attrs import evolve

from rulebook.classes import frozen
from rulebook.english.grammar import YOU, Claim, Thing, capitalise, small

SIGNS = ("•", "–", "·")
_LOOSE = re.compile(r"(?:,\s*)+([,.:])")
"""A comma that closes something, before another sign."""
_MOST_ACTS = 3  # in one sentence
_LONGEST = 230  # letters of a sentence that holds others
_LONGEST_PAIR = 160  # letters of two acts in one sentence


@frozen
class Act:
    """Somebody does something. `modal`: "may"; `adverb` stands before the verb, `lead` before it all. `opens`: it
    brings up something new; `goes_on`: it is about what the act before brought up. `stated`: it is said with its
    subject even of who reads. `inferred`: no script says who does it, it is only whose turn it is.
    """

    subject: Thing
    verb: str
    rest: str = ""
    modal: str = ""
    adverb: str = ""
    lead: str = ""
    opens: bool = False
    goes_on: bool = False
    stated: bool = False
    inferred: bool = False

    @property
    def orders(self) -> bool:
        """True if it tells the reader to do something."""
        return self.subject.is_reader and not self.modal and not self.stated

    def predicate(self, *, modal: bool = True) -> str:
        """Write what is done, in the form that its subject wants."""
        rest = self.rest
        if self.subject.person and self.subject.agrees == "one":
            rest = rest.replace(f"{self.subject.of} ", "their ")
        if self.orders or (self.modal and not modal):
            text = f"{self.verb} {rest}".strip()
        else:
            text = Claim(self.subject, self.verb, rest, modal=self.modal).predicate(self.subject.agrees)
        if not self.adverb:
            return text
        if self.modal and modal:
            return text.replace(self.modal, f"{self.modal} {self.adverb}", 1)
        return f"{self.adverb} {text}"

    def clause(self) -> str:
        """Write all of it: "draw 1 card", "that player may draw 1 card"."""
        text = self.predicate() if self.orders else f"{self.subject.text} {self.predicate()}"
        return f"{self.lead}, {text}" if self.lead else text


@frozen
class Branch:
    """A condition, with steps for both cases. `close`: it is about the step before, and stays with it."""

    condition: str
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()
    close: bool = False


@frozen
class Loop:
    """Steps that are done several times. `head` says how often, or for whom; with `each`, those who do them, a body of
    their acts alone is one sentence about `each`; `order` says in what order. `title`: it is no loop but a stage that
    has a name.
    """

    head: str
    body: tuple[Step, ...]
    each: str = ""
    order: str = ""
    title: bool = False


@frozen
class Point:
    """One of several possibilities: its name, when it is there, what it does."""

    label: str
    condition: str
    body: tuple[Step, ...]


@frozen
class Points:
    """One of several possibilities is done."""

    head: str
    points: tuple[Point, ...]


Step: TypeAlias = "Act | Branch | Loop | Points"


@frozen
class Line:
    """A paragraph (depth 0), or a point."""

    text: str
    depth: int = 0


# ── sentences ────────────────────────────────────────────────────────────────────────────────────────────────────────


def make_sentence(text: str) -> str:
    text = _LOOSE.sub(r"\1", text).rstrip(",")
    return capitalise(text) + ("" if text.endswith((".", "!", "?", ".”", "!”", "?”")) else ".")


def _join_acts(acts: Sequence[Act]) -> str:
    """Join acts in one sentence: who does them is said once, and "then" where one does not follow from the other."""
    text, before = acts[0].clause(), acts[0]
    for index, act in enumerate(acts[1:], 1):
        same = before.subject.text == act.subject.text
        same = same or (act.subject.text == "they" and before.subject.agrees == "one")
        same = same and before.orders == act.orders and not act.lead and before.stated == act.stated
        clause = act.clause()
        if same and before.modal == act.modal:
            act = act if act.subject.text == before.subject.text else evolve(act, subject=before.subject)
            clause = act.predicate(modal=not act.modal)
        before = act
        if text.endswith((".”", "!”")):
            text = text[:-2] + "”"
        is_end = act.goes_on and index == len(acts) - 1 and " and " not in text[-60:]
        text += (" and " if is_end else ", then ") + clause
    return text


def _list_acts(steps: Sequence[Step]) -> list[Act] | None:
    """Return the acts, if there is nothing else and they are few."""
    acts = [step for step in steps if isinstance(step, Act)]
    return acts if len(acts) == len(steps) and 0 < len(acts) <= _MOST_ACTS else None


def _inline(step: Step) -> str | None:
    """Write a step as the sentences that say it all; None if it has too much inside."""
    match step:
        case Act():
            return make_sentence(step.clause())
        case Branch(condition, then, otherwise):
            acts = _list_acts(then)
            if acts is None:
                return None
            text = make_sentence(f"if {condition}, {_join_acts(acts)}")
            if not otherwise:
                return text
            if len(otherwise) == 1 and isinstance(otherwise[0], Branch) and (inner := _inline(otherwise[0])):
                return f"{text} Otherwise, {small(inner)}"
            acts = _list_acts(otherwise)
            return None if acts is None else f"{text} {make_sentence(f'otherwise, {_join_acts(acts)}')}"
        case Loop(head, body, each):
            acts = _list_acts(body)
            if acts is None:
                return None
            if each and all(act.subject.text == "they" for act in acts):
                who = Thing(each, person=True)
                return make_sentence(_join_acts([evolve(acts[0], subject=who, lead=step.order), *acts[1:]]))
            acts = [evolve(act, subject=YOU) if act.inferred and act.subject.text == "they" else act for act in acts]
            sign = ":" if step.title or head.startswith("do ") else ","
            text = make_sentence(f"{head}{sign} {_join_acts(acts)}")
            return text if len(text) <= _LONGEST else None
        case Points():
            return None


# ── paragraphs ───────────────────────────────────────────────────────────────────────────────────────────────────────


def make_lines(steps: Sequence[Step], depth: int = 0) -> list[Line]:
    """Make paragraphs and points of steps; at a depth, each step is a point."""
    lines: list[Line] = []
    rest = list(steps)
    while rest:
        first = rest.pop(0)
        acts = [first] if isinstance(first, Act) else []
        while acts and rest and (more := _belongs(acts[-1], rest[0])):
            acts.append(more)
            rest.pop(0)
        text = make_sentence(_join_acts(acts)) if acts else _inline(first)
        while text is not None and rest and (close := _inline_close(rest[0])):
            text, rest = f"{text} {close}", rest[1:]
        if text is None:
            lines += _make_points(first, depth)
        elif lines and lines[-1].depth == depth == 0:
            lines[-1] = Line(f"{lines[-1].text} {text}")
        else:
            lines.append(Line(text, depth))
    return lines


def _inline_close(step: Step) -> str | None:
    """Write a branch that stays with what is before it."""
    return _inline(step) if isinstance(step, Branch) and step.close else None


def _belongs(act: Act, after: Step) -> Act | None:
    """Return the next step if it stands in one sentence with an act, which brings up what it is about."""
    if not isinstance(after, Act) or not act.opens or not after.goes_on:
        return None
    same = act.subject.text == after.subject.text and act.orders == after.orders and act.modal == after.modal
    return after if same and len(act.clause()) + len(after.clause()) < _LONGEST_PAIR else None


def _make_points(step: Step, depth: int) -> list[Line]:
    """Make a line of a step's head, and points of what is inside."""
    match step:
        case Branch(condition, then, otherwise):
            acts = _list_acts(then)
            if acts is None:
                written = [Line(f"If {condition}:", depth), *make_lines(then, depth + 1)]
            else:
                written = [Line(make_sentence(f"if {condition}, {_join_acts(acts)}"), depth)]
            if len(otherwise) == 1 and (text := _inline(otherwise[0])):
                return [*written, Line(f"Otherwise, {small(text)}", depth)]
            return [*written, *([Line("Otherwise:", depth), *make_lines(otherwise, depth + 1)] if otherwise else [])]
        case Loop(head, body):
            return [Line(f"{capitalise(head)}:", depth), *make_lines(body, depth + 1)]
        case Points(head, points):
            return [
                Line(f"{capitalise(head)}:", depth),
                *(line for point in points for line in _make_point(point, depth + 1)),
            ]
        case Act():
            return [Line(make_sentence(step.clause()), depth)]


def _make_point(point: Point, depth: int) -> list[Line]:
    head = point.label + (f", if {point.condition}" if point.condition else "")
    inner = make_lines(point.body)
    if not inner:
        return [Line(make_sentence(head), depth)]
    if len(inner) == 1:
        return [Line(f"{head}: {inner[0].text}", depth)]
    return [Line(f"{head}:", depth), *make_lines(point.body, depth + 1)]


def print_lines(lines: Sequence[Line]) -> str:
    text = ""
    for before, line in zip([None, *lines], lines, strict=False):
        if line.depth:
            text += f" {SIGNS[min(line.depth, len(SIGNS)) - 1]} {line.text}"
        elif before is not None and before.depth:
            text += f" After that, {small(line.text)}"
        else:
            text += f" {line.text}"
    return text.strip()
