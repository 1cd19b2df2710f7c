"""What is told, step by step, and how it becomes sentences and points.

In: steps: acts, branches, loops, points. Out: lines, or one text for a card. Never: knows the IR.

What is short is a sentence; what has more inside becomes points below it, so that one sees where it ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from attrs import evolve, field, frozen

from rulebook.dsl.english.grammar import YOU, Claim, Thing
from rulebook.dsl.english.words import capital

_LOOSE = re.compile(r"(?:,\s*)+([,.:])")
"""A comma that closes something, before another sign."""
SIGNS = ("•", "–", "·")
_MOST = 3  # acts in one sentence
_LONGEST = 230  # letters of a sentence that holds others


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
        """Whether it tells the reader to do something."""
        return self.subject.agrees == "you" and not self.modal and not self.stated

    def predicate(self, *, modal: bool = True) -> str:
        """What is done, in the form that its subject wants."""
        rest = self.rest
        if self.subject.person and self.subject.agrees == "one":
            rest = rest.replace(f"{self.subject.of} ", "their ")
        said = Claim(self.subject, self.verb, rest, modal=self.modal if modal else "")
        bare = self.orders or (self.modal and not modal)
        text = f"{self.verb} {rest}".strip() if bare else said.predicate(self.subject.agrees)
        if not self.adverb:
            return text
        if self.modal and modal:
            return text.replace(self.modal, f"{self.modal} {self.adverb}", 1)
        return f"{self.adverb} {text}"

    def clause(self) -> str:
        """All of it: "draw 1 card", "that player may draw 1 card"."""
        text = self.predicate() if self.orders else f"{self.subject.text} {self.predicate()}"
        return f"{self.lead}, {text}" if self.lead else text


@frozen
class Branch:
    """If something is so, these steps; otherwise those. `close`: it is about the step before, and stays with it."""

    condition: str
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()
    close: bool = False


@frozen
class Loop:
    """Steps that are done several times. `head` says how often, or for whom; with `each`, those who do them, a body of
    their acts alone is one sentence about `each`; `order` says in what order.
    `title`: it is no loop but a stage that has a name."""

    head: str
    body: tuple[Step, ...]
    each: str = ""
    order: str = ""
    title: bool = False


@frozen
class Point:
    """One of several possibilities: what it is called, when it is there, what it does."""

    label: str
    condition: str
    body: tuple[Step, ...]


@frozen
class Points:
    """One of them is done."""

    head: str
    points: tuple[Point, ...]


Step: TypeAlias = "Act | Branch | Loop | Points"


@frozen
class Line:
    """A paragraph (depth 0), or a point."""

    text: str
    depth: int = 0


# ── sentences ────────────────────────────────────────────────────────────────────────────────────────────────────────


def sentence(text: str) -> str:
    """A clause as a sentence."""
    text = _LOOSE.sub(r"\1", text).rstrip(",")
    return capital(text) + ("" if text.endswith((".", "!", "?", ".”", "!”", "?”")) else ".")


def joined(acts: Sequence[Act]) -> str:
    """Acts in one sentence: who does them is said once, and "then" where one does not follow from the other."""
    text, before = acts[0].clause(), acts[0]
    for index, act in enumerate(acts[1:], 1):
        same = before.subject.text == act.subject.text
        same = same or (act.subject.text == "they" and before.subject.agrees == "one")
        same = same and before.orders == act.orders and not act.lead and before.stated == act.stated
        said = act.clause()
        if same and before.modal == act.modal:
            about = act if act.subject.text == before.subject.text else evolve(act, subject=before.subject)
            said = about.predicate(modal=not act.modal)
            act = about
        before = act
        if text.endswith((".”", "!”")):
            text = text[:-2] + "”"
        glue = " and " if act.goes_on and index == len(acts) - 1 and " and " not in text[-60:] else ", then "
        text += glue + said
    return text


def _flat(steps: Sequence[Step]) -> list[Act] | None:
    """The acts, if there is nothing else and they are few."""
    acts = [step for step in steps if isinstance(step, Act)]
    return acts if len(acts) == len(steps) and 0 < len(acts) <= _MOST else None


def _inline(step: Step) -> str | None:
    """A step as the sentences that say it all; None if it has too much inside."""
    match step:
        case Act():
            return sentence(step.clause())
        case Branch(condition, then, otherwise):
            acts = _flat(then)
            if acts is None:
                return None
            text = sentence(f"if {condition}, {joined(acts)}")
            if not otherwise:
                return text
            rest = " ".join(sentence(one) for one in _sentences(otherwise))
            if len(otherwise) == 1 and isinstance(otherwise[0], Branch) and (inner := _inline(otherwise[0])):
                return f"{text} Otherwise, {inner[:1].lower()}{inner[1:]}"
            acts = _flat(otherwise)
            return None if acts is None or not rest else f"{text} {sentence(f'otherwise, {joined(acts)}')}"
        case Loop(head, body, each):
            acts = _flat(body)
            if acts is None:
                return None
            if each and all(act.subject.text == "they" for act in acts):
                who = Thing(each, person=True)
                return sentence(joined([evolve(acts[0], subject=who, lead=step.order), *acts[1:]]))
            acts = [evolve(act, subject=YOU) if act.inferred and act.subject.text == "they" else act for act in acts]
            text = sentence(f"{head}{':' if step.title or head.startswith('do ') else ','} {joined(acts)}")
            return text if len(text) <= _LONGEST else None
    return None


def _sentences(steps: Sequence[Step]) -> list[str]:
    return [text for step in steps if (text := _inline(step)) is not None]


# ── paragraphs ───────────────────────────────────────────────────────────────────────────────────────────────────────


def lines(steps: Sequence[Step], depth: int = 0) -> list[Line]:
    """Steps as paragraphs and points; at a depth, each step is a point."""
    found: list[Line] = []
    rest = list(steps)
    while rest:
        taken = [rest.pop(0)]
        while rest and _belongs(taken[-1], rest[0]):
            taken.append(rest.pop(0))
        acts = [one for one in taken if isinstance(one, Act)]
        if len(acts) == len(taken):
            text: str | None = sentence(joined(acts))
        else:
            text = _inline(taken[0])
        while text is not None and rest and (more := _close(rest[0])):
            text, rest = f"{text} {more}", rest[1:]
        if text is not None:
            if found and found[-1].depth == depth == 0:
                found[-1] = Line(f"{found[-1].text} {text}")
            else:
                found.append(Line(text, depth))
        else:
            found += _deep(taken[0], depth)
    return found


def _close(step: Step) -> str | None:
    """A branch that stays with what is before it."""
    return _inline(step) if isinstance(step, Branch) and step.close else None


def _belongs(act: Step, next_one: Step) -> bool:
    """Whether an act stands in one sentence with the next: it brings up what that is about."""
    if not isinstance(act, Act) or not isinstance(next_one, Act) or not act.opens or not next_one.goes_on:
        return False
    same = act.subject.text == next_one.subject.text and act.orders == next_one.orders and act.modal == next_one.modal
    return same and len(act.clause()) + len(next_one.clause()) < 160


def _deep(step: Step, depth: int) -> list[Line]:
    match step:
        case Branch(condition, then, otherwise):
            acts = _flat(then)
            if acts is None:
                found = [Line(f"{capital(f'if {condition}')}:", depth), *lines(then, depth + 1)]
            else:
                found = [Line(sentence(f"if {condition}, {joined(acts)}"), depth)]
            if otherwise and (text := _alone(otherwise)):
                return [*found, Line(f"Otherwise, {text[:1].lower()}{text[1:]}", depth)]
            return [*found, *([Line("Otherwise:", depth), *lines(otherwise, depth + 1)] if otherwise else [])]
        case Loop(head, body):
            return [Line(f"{capital(head)}:", depth), *lines(body, depth + 1)]
        case Points(head, points):
            return [Line(f"{capital(head)}:", depth), *(line for point in points for line in _point(point, depth + 1))]
        case Act():
            return [Line(sentence(step.clause()), depth)]


def _alone(steps: Sequence[Step]) -> str | None:
    return _inline(steps[0]) if len(steps) == 1 and not isinstance(steps[0], Points) else None


def _point(point: Point, depth: int) -> list[Line]:
    head = point.label + (f", if {point.condition}" if point.condition else "")
    inner = lines(point.body)
    if not inner:
        return [Line(sentence(head), depth)]
    head = f"{head}:"
    if len(inner) == 1:
        return [Line(f"{head} {inner[0].text}", depth)]
    return [Line(head, depth), *lines(point.body, depth + 1)]


def printed(found: Sequence[Line]) -> str:
    """Lines as one text, as it is printed on a card: points are told by their signs."""
    text = ""
    for before, line in zip([None, *found], found, strict=False):
        if line.depth:
            text += f" {SIGNS[min(line.depth, len(SIGNS)) - 1]} {line.text}"
        elif before is not None and before.depth:
            text += f" After that, {line.text[:1].lower()}{line.text[1:]}"
        else:
            text += f" {line.text}"
    return text.strip()


@frozen
class Headed:
    """Steps under a heading of their own: a hook that is not what the card mainly does."""

    head: str
    steps: tuple[Step, ...] = field(converter=tuple)
