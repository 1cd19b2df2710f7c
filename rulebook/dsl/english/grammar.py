"""What expressions become before they are words: things, where they lie, claims about them.

In: parts of phrases. Out: text, once it is known whether it stands for one or many, and who reads. Never: knows the IR.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from rulebook.dsl.english.words import Agreement, listed, verb


@frozen
class Noun:
    """What one of something is called, and many. `person`: one says who, not that. `name`: it is the name of a card;
    `only`: of a single one, "the". `called`: it is more than a noun ("tile in your reach"), of which this is the noun.
    """

    one: str
    many: str
    person: bool = False
    name: bool = False
    only: bool = False
    called: Noun | None = None

    @property
    def short(self) -> Noun:
        """What one of them is called once it was spoken of."""
        return self.called or self


@frozen
class Thing:
    """One thing, or several as one, as a sentence speaks of it.

    `own` and `object` are its other forms, where they are not made of `text`. `whose` and `head` are there if it is
    called by what it belongs to: "your hand". `it`: what a `where` is about. `long`: words follow its noun, so what
    belongs to it is "of" it. `number`: it is this number; `counts` is what stands before a noun of which there are so
    many.
    """

    text: str
    agrees: Agreement = "one"
    person: bool = False
    own: str = ""
    object: str = ""
    whose: Thing | None = None
    head: str = ""
    it: bool = False
    long: bool = False
    number: int | None = None
    counts: str = ""

    @property
    def to(self) -> str:
        """As the object of a verb."""
        return self.object or self.text

    @property
    def of(self) -> str:
        """As an owner, before what it owns."""
        return self.own or self.text + ("'" if self.text.endswith("s") and self.agrees == "many" else "'s")


YOU = Thing("you", "you", person=True, own="your")
EVERYONE = Thing("all players", "many", person=True, own="all players'")
NOBODY = Thing("nobody", person=True)


def possessed(owner: Thing, head: str, agrees: Agreement = "one") -> Thing:
    """What belongs to something: "your hand", "the hand of the player to your left"."""
    text = f"the {head} of {owner.to}" if owner.long else f"{owner.of} {head}"
    return Thing(text, agrees, whose=owner, head=head, long=owner.long or " of " in head)


@frozen
class Spot:
    """Where something lies: `thing` is what the place is called, before which `inside`, `into` and, of what comes from
    there, `out` stand.

    `itself`: it is no place but a thing on which something lies.
    """

    thing: Thing
    inside: str = "in"
    into: str = "into"
    out: str = "from"
    itself: bool = False

    def at(self) -> str:
        """Where it is."""
        return f"{self.inside} {self.thing.to}"

    def away(self) -> str:
        """Where it comes from."""
        return f"{self.out} {self.thing.to}"

    def to(self) -> str:
        """Where it goes."""
        return f"{self.into} {self.thing.to}"

    @property
    def owner(self) -> Thing | None:
        """The player in whose place it is."""
        whose = self.thing.whose
        return whose if whose is not None and whose.person else None

    def said_by_owner(self) -> str:
        """Where it is, after its owner was named."""
        owner = self.owner
        if owner is None or owner.agrees == "you":
            return self.at()
        return f"{self.inside} their {self.thing.head}"


# ── claims ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Claim:
    """Something that may be so: who or what, a verb, the rest. `modal` stands before the verb ("may"); `helps`: the
    verb only helps the next one, so "not" stands behind it."""

    subject: Thing
    verb: str
    rest: str
    negative: bool = False
    modal: str = ""
    helps: bool = False
    past: bool = False

    def predicate(self, agrees: Agreement) -> str:
        """All but the subject, for who it is about."""
        if self.past:
            words = ["was" if agrees == "one" else "were", "not" if self.negative else ""]
        elif self.modal:
            words = [self.modal, "not" if self.negative else "", self.verb]
        elif not self.negative:
            words = [verb(self.verb, agrees)]
        elif self.verb == "be" or self.helps:
            words = [verb(self.verb, agrees), "not"]
        else:
            words = [verb("do", agrees), "not", self.verb]
        return " ".join(word for word in (*words, self.rest) if word)


@frozen
class Claims:
    """Several of them: all must be so ("and"), or one is enough ("or")."""

    parts: tuple[Said, ...]
    word: Literal["and", "or"]


Said: TypeAlias = Claim | Claims


def claim_text(said: Said) -> str:
    """A claim as a clause: "you have a note in your hand"."""
    if isinstance(said, Claim):
        subject = said.subject
        return f"{subject.text} {said.predicate('many' if subject.text == 'they' else subject.agrees)}"
    return _grouped([(part, claim_text(part)) for part in said.parts], said.word)


def relative(said: Said, person: bool) -> str:
    """A claim about `it` behind the noun that it is about: "that is not exposed", "whose hand is not empty"."""
    if isinstance(said, Claims) and all(isinstance(part, Claim) and part.subject.it for part in said.parts):
        ends = [part.predicate(part.subject.agrees) for part in said.parts if isinstance(part, Claim)]
        return f"{'who' if person else 'that'} {listed(ends, said.word)}"
    if isinstance(said, Claims):
        whom = "for whom" if person else "for which"
        mixed = [isinstance(part, Claims) and part.word != said.word for part in said.parts]
        parts = zip(said.parts, mixed, strict=True)
        return _grouped([(p, f"{whom} {claim_text(p)}" if mix else relative(p, person)) for p, mix in parts], said.word)
    subject = said.subject
    if subject.it:
        return f"{'who' if person else 'that'} {said.predicate(subject.agrees)}"
    if subject.whose is not None and subject.whose.it and not subject.long:
        return f"whose {subject.head} {said.predicate(subject.agrees)}"
    if subject.text == "there" and not said.negative:
        return f"with {said.rest}"
    return f"for {'whom' if person else 'which'} {claim_text(said)}"


def _grouped(parts: list[tuple[Said, str]], word: str) -> str:
    """Parts joined; a part of several is told apart by "either" and by commas."""
    texts = []
    for part, text in parts:
        nested = isinstance(part, Claims) and part.word != word
        texts.append(_with_either(text) if nested and word == "and" else text)
    if any(isinstance(part, Claims) and part.word != word for part, _ in parts):
        return f", {word} ".join(texts)
    return listed(texts, word)


def _with_either(text: str) -> str:
    """A part of which one of several must be so, behind what it begins with."""
    for start in ("for which ", "for whom "):
        if text.startswith(start):
            return f"{start}either {text.removeprefix(start)}"
    return f"either {text}"
