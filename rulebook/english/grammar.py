"""English grammar: forms of words, nouns, things, places, claims and groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl.words import MODAL, VERBS, readable
from rulebook.plurals import add_s

Agreement: TypeAlias = Literal["you", "one", "many"]
"""The subject that a verb agrees with: you draw, that player draws, all players draw."""

_VOWEL_SOUND = ("hour", "honest", "honour", "heir")
_CONSONANT_SOUND = ("uni", "use", "usu", "eu", "one", "once")
_OF_BE = {"you": "are", "one": "is", "many": "are"}
_THIRD_PERSON = {"have": "has", "do": "does", "go": "goes"}
_BASE_FORMS = {"is": "be", "are": "be"} | {form: base for base, form in _THIRD_PERSON.items()}
_ADVERBS = frozenset(("also", "always", "each", "both", "all", "never", "now", "often", "only", "still", "then", "too"))

# ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def strip_section(name: str) -> str:
    """Drop the section from the name of a script or question: `values.money` is `money`."""
    return name.partition(".")[2]


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    return text[:1].lower() + text[1:]


def titled(id: str) -> str:
    """Write an id as a name: `end_of_round` is "End of round"."""
    return capitalise(readable(id))


def quoted(text: str) -> str:
    return f"“{text}”"


def put_article(words: str) -> str:
    """Put the indefinite article before words: `a card`, `an event`, `a unicorn`, `an hour`."""
    low = words.lower()
    vowel = low[:1] in "aeiou" and not low.startswith(_CONSONANT_SOUND)
    spelt = words[:1] in "FHLMNRSX" and words[:2].isupper()
    eight = low.startswith(("8", "11 ", "18 "))
    return f"an {words}" if vowel or spelt or eight or low.startswith(_VOWEL_SOUND) else f"a {words}"


def conjugate(base: str, agrees: Agreement) -> str:
    """Form a verb for its subject; further words stay: "put back", "puts back"."""
    head, blank, rest = base.partition(" ")
    if is_adverb(head) and rest:
        return f"{head} {conjugate(rest, agrees)}"
    if head == "be":
        return _OF_BE[agrees] + blank + rest
    return base if agrees != "one" else (_THIRD_PERSON.get(head) or add_s(head)) + blank + rest


def is_adverb(word: str) -> bool:
    """Tell whether a word may stand between a subject and its verb: `also`, `never`, `secretly`."""
    return word in _ADVERBS or (word.endswith("ly") and len(word) > len("rally"))


def base_form(form: str) -> str:
    """Find the verb that `draws`, `is`, `carries` are forms of; words before it stay: `also draws`."""
    head, _, rest = form.partition(" ")
    if is_adverb(head) and rest:
        return f"{head} {base_form(rest)}"
    if form in _BASE_FORMS:
        return _BASE_FORMS[form]
    if form.endswith("ies"):
        return form[:-1] if len(form) <= len("dies") else form[:-3] + "y"
    if form.endswith(("sses", "xes", "zzes", "ches", "shes", "oes")):
        return form[:-2]
    return form[:-1] if form.endswith("s") and not form.endswith("ss") else form


def join_list(items: Sequence[str], word: str = "and") -> str:
    """Join clauses: `a`, `a and b`, `a, b, and c`; without the last comma long ones would run together."""
    if len(items) < 3:
        return f" {word} ".join(items)
    return f"{', '.join(items[:-1])}, {word} {items[-1]}"


def often(number: int) -> str:
    """Say how often: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _join_spaced(*words: str) -> str:
    return " ".join(word for word in words if word)


# ── nouns, things, places ────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Noun:
    """The singular and plural of what something is called.

    `person`: "who", not "that". `name`: it is the name of a card; `only`: of a single one, so "the". `called`: the
    plain noun, where this is more than a noun ("tile in your reach").
    """

    one: str
    many: str
    person: bool = False
    name: bool = False
    only: bool = False
    called: Noun | None = None

    @property
    def short(self) -> Noun:
        """The noun for what has been spoken of before."""
        return self.called or self


@frozen
class Thing:
    """One thing, or several as one, as a sentence speaks of it.

    `own` and `object` are its other forms, where they are not made of `text`. `whose` and `head` are there if it is
    called by what it belongs to: "your hand". `it`: what a `where` is about. `long`: words follow its noun, so what
    belongs to it is "of" it. `number`: it is this number; `counts` stands before a noun of which there are so many.
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
        return self.object or self.text

    @property
    def of(self) -> str:
        """The possessive, before what it owns."""
        return self.own or self.text + ("'" if self.text.endswith("s") and self.agrees == "many" else "'s")

    @property
    def is_reader(self) -> bool:
        """True of "you"."""
        return self.agrees == "you"

    @property
    def pronoun(self) -> str:
        """The pronoun for who acts, in the next clause."""
        return "you" if self.is_reader else "they"


YOU = Thing("you", "you", person=True, own="your")
EVERYONE = Thing("all players", "many", person=True, own="all players'")
NOBODY = Thing("nobody", person=True)


def possessed(owner: Thing, head: str, agrees: Agreement = "one") -> Thing:
    """Name what belongs to something: "your hand", "the hand of the player to your left"."""
    text = f"the {head} of {owner.to}" if owner.long else f"{owner.of} {head}"
    return Thing(text, agrees, whose=owner, head=head, long=owner.long or " of " in head)


@frozen
class Spot:
    """A place where something lies: before its name stand `inside`, `into` and, of what comes from there, `out`.

    `itself`: it is no place but a thing on which something lies.
    """

    thing: Thing
    inside: str = "in"
    into: str = "into"
    out: str = "from"
    itself: bool = False

    def say_at(self) -> str:
        return f"{self.inside} {self.thing.to}"

    def say_away(self) -> str:
        return f"{self.out} {self.thing.to}"

    def to(self) -> str:
        return f"{self.into} {self.thing.to}"

    @property
    def owner(self) -> Thing | None:
        whose = self.thing.whose
        return whose if whose is not None and whose.person else None

    def after_owner(self) -> str:
        """Say where something is, after the owner was named."""
        if self.owner is None or self.owner.is_reader:
            return self.say_at()
        return f"{self.inside} their {self.thing.head}"


# ── claims ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Claim:
    """Something that may be so: subject, verb, rest. `modal` stands before the verb ("may"); `helps`: the verb only
    helps the next one, so "not" stands behind it.
    """

    subject: Thing
    verb: str
    rest: str
    negative: bool = False
    modal: str = ""
    helps: bool = False
    past: bool = False

    def turned(self, yes: bool) -> Claim:
        """Return the claim, or the opposite unless `yes`."""
        return self if yes else evolve(self, negative=not self.negative)

    def predicate(self, agrees: Agreement) -> str:
        """Make all but the subject, for a subject of this number."""
        no = "not" if self.negative else ""
        if self.past:
            return _join_spaced("was" if agrees == "one" else "were", no, self.rest)
        if self.modal:
            return _join_spaced(self.modal, no, self.verb, self.rest)
        if no and self.verb != "be" and not self.helps:
            return _join_spaced(conjugate("do", agrees), no, self.verb, self.rest)
        return _join_spaced(conjugate(self.verb, agrees), no, self.rest)


@frozen
class Claims:
    """Several claims: all must be so ("and"), or one is enough ("or")."""

    parts: tuple[Said, ...]
    word: Literal["and", "or"]


Said: TypeAlias = Claim | Claims


def claim_text(claim: Said) -> str:
    """Write a claim as a clause: "you have a note in your hand"."""
    if isinstance(claim, Claim):
        subject = claim.subject
        return f"{subject.text} {claim.predicate('many' if subject.text == 'they' else subject.agrees)}"
    return _join_parts([(part, claim_text(part)) for part in claim.parts], claim.word)


def relative(claim: Said, person: bool) -> str:
    """Write a claim about `it` as a relative clause: "that is not exposed", "whose hand is not empty"."""
    who, for_whom = ("who", "for whom") if person else ("that", "for which")
    if isinstance(claim, Claims):
        if all(isinstance(part, Claim) and part.subject.it for part in claim.parts):
            ends = [part.predicate(part.subject.agrees) for part in claim.parts if isinstance(part, Claim)]
            return f"{who} {join_list(ends, claim.word)}"
        parts = [(part, isinstance(part, Claims) and part.word != claim.word) for part in claim.parts]
        texts = [(part, f"{for_whom} {claim_text(part)}" if mixed else relative(part, person)) for part, mixed in parts]
        return _join_parts(texts, claim.word)
    subject = claim.subject
    if subject.it:
        return f"{who} {claim.predicate(subject.agrees)}"
    if subject.whose is not None and subject.whose.it and not subject.long:
        return f"whose {subject.head} {claim.predicate(subject.agrees)}"
    if subject.text == "there" and not claim.negative:
        return f"with {claim.rest}"
    return f"{for_whom} {claim_text(claim)}"


def _join_parts(parts: list[tuple[Said, str]], word: str) -> str:
    """Join the parts of a claim; a part of several is told apart by "either" and by commas."""
    nested = [isinstance(part, Claims) and part.word != word for part, _ in parts]
    texts = [
        _with_either(text) if own and word == "and" else text for (_, text), own in zip(parts, nested, strict=True)
    ]
    return f", {word} ".join(texts) if any(nested) else join_list(texts, word)


def _with_either(text: str) -> str:
    """Put "either" before a part, behind what a relative clause begins with."""
    for start in ("for which ", "for whom "):
        if text.startswith(start):
            return f"{start}either {text.removeprefix(start)}"
    return f"either {text}"


def parse_clause(text: str) -> Claim | None:
    """Read a clause that somebody wrote, "hearts are broken", as subject, verb and rest."""
    words = text.split(" ")
    for index, word in enumerate(words[1:], 1):
        if word in VERBS:
            subject = Thing(" ".join(words[:index]), "many" if word in ("are", "have") else "one")
            rest = " ".join(words[index + 1 :])
            if word in MODAL:
                return Claim(subject, rest, "", modal=word)
            return Claim(subject, base_form(word), rest, helps=word in ("has", "have"))
    return None


# ── groups ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Group:
    """Several things, before a sentence speaks of one, of some or of all of them.

    `that` is what must be so for each, told of one and of many. `whole` is what they are called together where nothing
    narrows them ("your hand"); with `only` there is no word for one of them but "one of". `single`: it is only one.
    `order` says in what order they come. `any_one` is what one of them is called where that is not made of the whole.
    `parts`: it is these groups together.
    """

    noun: Noun
    spot: Spot | None = None
    before: str = ""
    that: tuple[Said, Said] | None = None
    after: str = ""
    order: str = ""
    whole: Thing | None = None
    only: bool = False
    single: bool = False
    any_one: str = ""
    parts: tuple[Group, ...] = field(default=(), kw_only=True)

    def narrowed(self, if_one: Said, if_many: Said) -> Group:
        """Keep those for which a claim is so, told of one and of many."""
        if self.parts:
            return evolve(self, parts=tuple(part.narrowed(if_one, if_many) for part in self.parts))
        if self.that is not None:
            if_one, if_many = Claims((self.that[0], if_one), "and"), Claims((self.that[1], if_many), "and")
        return evolve(self, that=(if_one, if_many))

    def with_words(self, words: str) -> Group:
        """Narrow the group by words that stand behind it."""
        if self.parts:
            whole = Thing(join_list([part.name_bare() for part in self.parts]), "many", long=True)
            return Group(self.noun, whole=whole, only=True, after=words)
        return evolve(self, after=_join_spaced(self.after, words))

    def described(self, word: str) -> Group:
        """Keep those of which an adjective is true."""
        if self.parts:
            return evolve(self, parts=tuple(part.described(word) for part in self.parts))
        return evolve(self, before=_join_spaced(self.before, word))

    @property
    def plain(self) -> bool:
        """True if nothing narrows it."""
        return self.that is None and not self.before and not self.after and not self.parts

    @property
    def _named(self) -> Thing | None:
        """The whole, if one of them is called by it alone."""
        return self.whole if self.only or self.single else None

    @property
    def owner(self) -> Thing | None:
        if self.parts:
            owners = [part.owner for part in self.parts]
            return owners[0] if all(owner == owners[0] for owner in owners) else None
        return self.spot.owner if self.spot is not None else None

    def name_one(self, *, away: bool = False) -> str:
        """Name any one of them: "a card in your hand"."""
        if self.parts:
            return self._join_or([part.name_one(away=away) for part in self.parts])
        if self._named is not None:
            words = self._named.to if self.single else self.any_one or f"one of {self._named.to}"
            return self._add_clauses(words, many=False)
        if away and (wider := self._those()):
            return self._add_clauses(f"one of {wider}", many=False)
        return self._article(self._spell_head(many=False, away=away))

    def name_some(self, number: str, many: bool, *, away: bool = False) -> str:
        """Name so many of them: "2 cards in your hand"."""
        if self.parts or (self.only and self.whole is not None):
            return f"{number.removesuffix(' of')} of {self.name_bare()}"
        if away and (wider := self._those()):
            return self._add_clauses(f"{number.removesuffix(' of')} of {wider}", many=many)
        return f"{number} {self._spell_head(many=many, away=away)}"

    def name_none(self) -> str:
        """Name not one of them."""
        if self.parts:
            return join_list([part.name_none() for part in self.parts])
        if self.only and self.whole is not None:
            return f"none of {self.name_bare()}"
        return f"no {self._spell_head(many=False)}"

    def name_each(self) -> str:
        """Name every one of them for itself: "each other player"."""
        if self.parts:
            return join_list([part.name_each() for part in self.parts])
        if self._named is not None:
            return self._add_clauses(self._named.to if self.single else f"each of {self._named.to}", many=False)
        return f"each {self._spell_head(many=False)}"

    def name_all(self, *, away: bool = False) -> Thing:
        """Name all of them together, in their order."""
        thing = self._name_all_unowned(away)
        return evolve(thing, text=f"{thing.text}, {self.order},", long=True) if self.order else thing

    def _name_all_unowned(self, away: bool) -> Thing:
        if self.parts:
            return Thing(join_list([part.name_all(away=away).to for part in self.parts]), "many", long=True)
        if self.whole is not None and self.plain:
            return self.whole
        if self.only or self.single:
            return Thing(self.name_bare(), "many", self.noun.person, long=True)
        text = f"all {self._spell_head(many=True, away=away)}"
        return Thing(text, "many", self.noun.person, long=self.that is not None or self.spot is not None)

    def name_bare(self) -> str:
        """Name many of them, without a word that says how many: "notes in your hand"."""
        if self.parts:
            return join_list([part.name_bare() for part in self.parts])
        if self._named is not None:
            return self._add_clauses(self._named.to, many=not self.single)
        return self._spell_head(many=True)

    def name_known(self) -> str:
        """Name all of them, as what was spoken of: "the notes in your hand"."""
        if self.parts:
            return join_list([part.name_known() for part in self.parts])
        if (self.plain and self.spot is None and self.noun.called is None) or self.whole is not None:
            return self.name_all().to
        return f"the {self.name_bare()}"

    def name_items(self) -> str:
        """Name what lies there, one by one: "the cards in your hand"."""
        return self.name_known() if self.parts or self.only or self.single else f"the {self.name_bare()}"

    def claim_there(self, quantity: str, many: bool) -> Claim:
        """Claim that there are so many of them: "you have 2 notes in your hand", "there is no coin on that tile".

        `quantity` is "no", "a", "at least 2" …
        """
        owner = self.owner
        if self.spot is not None and self.spot.itself and not self.parts:
            return Claim(self.spot.thing, "have", evolve(self, spot=None).name_quantity(quantity, many))
        words = self.name_quantity(quantity, many, owner is not None)
        if owner is None:
            return Claim(Thing("there", "many" if many else "one"), "be", words)
        return Claim(owner, "have", words)

    def name_quantity(self, quantity: str, many: bool, after_owner: bool = False) -> str:
        """Name so many of them, where their owner may just have been named."""
        if self.parts:
            return self._join_or([part.name_quantity(quantity, many, after_owner) for part in self.parts])
        if quantity == "no" and self.noun.name:
            many = False
        if self._named is not None:
            if quantity == "a" and self.any_one:
                return self._add_clauses(self.any_one, many=False)
            return f"{ {'a': 'one', 'no': 'none'}.get(quantity, quantity) } of {self.name_bare()}"
        where = "" if self.spot is None else self.spot.after_owner() if after_owner else self.spot.say_at()
        where = "" if after_owner and self._those() else where
        words = self._spell_head(many=many, where=where)
        return self._article(words) if quantity == "a" else f"{quantity} {words}"

    def _those(self) -> str:
        """Name a place that is called after what lies there, so that one need not say both: "your cards set aside"."""
        spot = self.spot
        if spot is None or self.before or spot.thing.agrees != "many" or self.noun.many not in spot.thing.to:
            return ""
        return spot.thing.to

    def _article(self, words: str) -> str:
        if self.noun.only:
            return f"the {words}"
        return f"an{words}" if self.before.startswith("other") else put_article(words)

    def _join_or(self, texts: list[str]) -> str:
        """Join the parts with "or"; commas tell apart those that have clauses."""
        if any(part.that is not None or part.after for part in self.parts):
            return ", or ".join(texts)
        return join_list(texts, "or")

    def _spell_head(self, *, many: bool, away: bool = False, where: str | None = None) -> str:
        if where is None:
            where = "" if self.spot is None else self.spot.say_away() if away else self.spot.say_at()
        return self._add_clauses(_join_spaced(self.before, self.noun.many if many else self.noun.one, where), many=many)

    def _add_clauses(self, head: str, *, many: bool) -> str:
        that = "" if self.that is None else relative(self.that[many], self.noun.person)
        if that and self.only and self.whole is not None and "," in head:
            that = f"but only {'those' if many else 'one'} {that}"
            head = head.removesuffix(",") + ","
        return _join_spaced(head, that, self.after)
