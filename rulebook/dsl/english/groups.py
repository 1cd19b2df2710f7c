"""Several things, before it is known whether a sentence speaks of one, of some or of all of them.

In: a noun, where they lie, what is so of them. Out: "a card in your hand", "3 cards", "each other player", "no props".
Never: knows the IR.
"""

from __future__ import annotations

from attrs import evolve, field, frozen

from rulebook.dsl.english.grammar import Claim, Claims, Noun, Said, Spot, Thing, relative
from rulebook.dsl.english.words import article, listed


@frozen
class Group:
    """Several things, which a sentence may speak of one by one or together.

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

    def narrowed(self, one: Said, many: Said) -> Group:
        """Those for which a claim is so."""
        if self.parts:
            return evolve(self, parts=tuple(part.narrowed(one, many) for part in self.parts))
        if self.that is not None:
            one, many = Claims((self.that[0], one), "and"), Claims((self.that[1], many), "and")
        return evolve(self, that=(one, many))

    def with_words(self, words: str) -> Group:
        """The same, narrowed by words that stand behind it."""
        if self.parts:
            whole = Thing(listed([part.bare() for part in self.parts]), "many", long=True)
            return Group(self.noun, whole=whole, only=True, after=words)
        return evolve(self, after=f"{self.after} {words}".strip())

    def described(self, word: str) -> Group:
        """Those of which an adjective is true."""
        if self.parts:
            return evolve(self, parts=tuple(part.described(word) for part in self.parts))
        return evolve(self, before=f"{self.before} {word}".strip())

    @property
    def plain(self) -> bool:
        """Whether nothing narrows it."""
        return self.that is None and not self.before and not self.after and not self.parts

    def one(self, *, away: bool = False) -> str:
        """Any one of them: "a card in your hand"."""
        if self.parts:
            return self._or([part.one(away=away) for part in self.parts])
        if self.single and self.whole is not None:
            return self._narrow(self.whole.to, many=False)
        if self.only and self.whole is not None:
            return self._narrow(self.any_one or f"one of {self.whole.to}", many=False)
        if away and (those := self._those()):
            return self._narrow(f"one of {those}", many=False)
        return self._article(self._words(many=False, away=away))

    def _those(self) -> str:
        """A place that is called after what lies there, so that one need not say both: "your cards set aside"."""
        spot = self.spot
        if spot is None or self.before or spot.thing.agrees != "many" or self.noun.many not in spot.thing.to:
            return ""
        return spot.thing.to

    def _article(self, words: str) -> str:
        if self.noun.only:
            return f"the {words}"
        return f"an{words}" if self.before.startswith("other") else article(words)

    def some(self, number: str, many: bool, *, away: bool = False) -> str:
        """So many of them: "2 cards in your hand"."""
        if self.parts or (self.only and self.whole is not None):
            return f"{number.removesuffix(' of')} of {self.bare()}"
        if away and (those := self._those()):
            return self._narrow(f"{number.removesuffix(' of')} of {those}", many=many)
        return f"{number} {self._words(many=many, away=away)}"

    def no(self) -> str:
        """Not one of them."""
        if self.parts:
            return listed([part.no() for part in self.parts], "and")
        if self.only and self.whole is not None:
            return f"none of {self.bare()}"
        return f"no {self._words(many=False)}"

    def each(self) -> str:
        """Every one of them for itself: "each other player"."""
        if self.parts:
            return listed([part.each() for part in self.parts], "and")
        if self.single and self.whole is not None:
            return self._narrow(self.whole.to, many=False)
        if self.only and self.whole is not None:
            return self._narrow(f"each of {self.whole.to}", many=False)
        return f"each {self._words(many=False)}"

    def all(self, *, away: bool = False) -> Thing:
        """All of them together, in their order."""
        thing = self._all(away)
        return evolve(thing, text=f"{thing.text}, {self.order},", long=True) if self.order else thing

    def _all(self, away: bool) -> Thing:
        if self.parts:
            return Thing(listed([part.all(away=away).to for part in self.parts]), "many", long=True)
        if self.whole is not None and self.plain:
            return self.whole
        person = self.noun.person
        if self.only or self.single:
            return Thing(self.bare(), "many", person, long=True)
        text = f"all {self._words(many=True, away=away)}"
        return Thing(text, "many", person, long=self.that is not None or self.spot is not None)

    def bare(self) -> str:
        """Many of them, without a word that says how many: "notes in your hand"."""
        if self.parts:
            return listed([part.bare() for part in self.parts])
        if self.whole is not None and (self.only or self.single):
            return self._narrow(self.whole.to, many=not self.single)
        return self._words(many=True)

    def there(self, quantity: str, many: bool) -> Claim:
        """That there are so many of them: "you have 2 notes in your hand", "there is no coin on that tile".

        `quantity` is "no", "a", "at least 2" …
        """
        owner = self.owner
        if self.spot is not None and self.spot.itself and not self.parts:
            return Claim(self.spot.thing, "have", evolve(self, spot=None).named(quantity, many))
        words = self.named(quantity, many, owner is not None)
        if owner is None:
            return Claim(Thing("there", "many" if many else "one"), "be", words)
        return Claim(owner, "have", words)

    def _or(self, texts: list[str]) -> str:
        """Any of the parts; commas tell apart those that are told with more than a word."""
        if any(part.that is not None or part.after for part in self.parts):
            return ", or ".join(texts)
        return listed(texts, "or")

    @property
    def owner(self) -> Thing | None:
        """The player in whose place they all lie."""
        if self.parts:
            owners = [part.owner for part in self.parts]
            return owners[0] if all(one == owners[0] for one in owners) else None
        return self.spot.owner if self.spot is not None else None

    def the(self) -> str:
        """All of them, as what was spoken of: "the notes in your hand"."""
        if self.parts:
            return listed([part.the() for part in self.parts])
        if (self.plain and self.spot is None and self.noun.called is None) or self.whole is not None:
            return self.all().to
        return f"the {self.bare()}"

    def items(self) -> str:
        """What lies there, one by one: "the cards in your hand"."""
        return self.the() if self.parts or self.only or self.single else f"the {self.bare()}"

    def named(self, quantity: str, many: bool, after_owner: bool = False) -> str:
        """So many of them, where their owner may just have been named."""
        if self.parts:
            return self._or([part.named(quantity, many, after_owner) for part in self.parts])
        if quantity == "no" and self.noun.name:
            many = False
        if (self.only or self.single) and self.whole is not None:
            if quantity == "a" and self.any_one:
                return self._narrow(self.any_one, many=False)
            some = {"a": "one", "no": "none"}.get(quantity, quantity)
            return f"{some} of {self.bare()}"
        spot = self.spot
        where = "" if spot is None else spot.said_by_owner() if after_owner else spot.at()
        where = "" if after_owner and self._those() else where
        words = self._words(many=many, where=where)
        if quantity == "a":
            return self._article(words)
        return f"{quantity} {words}"

    def _words(self, *, many: bool, away: bool = False, where: str | None = None) -> str:
        if where is None:
            where = "" if self.spot is None else self.spot.away() if away else self.spot.at()
        noun = self.noun.many if many else self.noun.one
        head = " ".join(word for word in (self.before, noun, where) if word)
        return self._narrow(head, many=many)

    def _narrow(self, head: str, *, many: bool) -> str:
        that = "" if self.that is None else relative(self.that[many], self.noun.person)
        if that and self.only and self.whole is not None and "," in head:
            that = f"but only {'those' if many else 'one'} {that}"
            head = head.removesuffix(",") + ","
        return " ".join(word for word in (head, that, self.after) if word)
