"""Expressions as things and groups: what a sentence speaks of.

In: expressions of the IR. Out: `Thing`s, `Group`s, `Spot`s; a claim where the expression is a question. Never: a
construct that is not listed here.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeAlias, assert_never

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.grammar import EVERYONE, Claim, Claims, Noun, Said, Spot, Thing, claim_text, possessed
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.lexicon import ACTION, CARD, NUMBER, PLAYER, Lexicon, quoted
from rulebook.dsl.english.scene import About, Answers, Gathered, Given, Named, Referent, Scene, is_me
from rulebook.dsl.english.words import plural

Phrase: TypeAlias = "Thing | Group | Claim | Claims"
"""What an expression becomes."""


class Things(Scene):
    """Says what expressions are."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self.lexicon, self.rules = lexicon, lexicon.rules

    # ── as what a sentence needs ─────────────────────────────────────────────────────────────────────────────────

    def thing(self, expr: ir.Expr) -> Thing:
        """An expression as one thing."""
        said = self.said(expr)
        match said:
            case Thing():
                return said
            case Group():
                return said.all()
        return Thing(f"whether {claim_text(said)}", long=True)

    def group(self, expr: ir.Expr) -> Group:
        """A list as a group."""
        said = self.said(expr)
        if isinstance(said, Group):
            return said
        return Group(self.item(expr.type), whole=self.thing(expr), only=True)

    def spot(self, expr: ir.Expr) -> Spot:
        """A place, or a position of one, as where something lies or goes."""
        match expr:
            case ir.PlaceOf(name, owner):
                return self.lexicon.spot(name, None if owner is None else self.thing(owner))
            case ir.Local(slot) if isinstance(given := self.bound(slot), Given):
                with self.within(given.frame):
                    return self.spot(given.expr)
        return Spot(self.thing(expr), "on", "onto") if t.CELL in t.members(expr.type) else Spot(self.thing(expr))

    @abstractmethod
    def claim(self, expr: ir.Expr, yes: bool = True) -> Said:
        """A question as a claim: that it is so, or not."""

    @abstractmethod
    def called(self, expr: ir.CallValue, yes: bool = True) -> Phrase:
        """A value of the rulebook."""

    @abstractmethod
    def asked(self, expr: ir.AskHook, yes: bool = True) -> Phrase:
        """A question that a card answers."""

    @abstractmethod
    def built_in(self, expr: ir.BuiltIn) -> Phrase:
        """A question of the language."""

    @abstractmethod
    def filtered(self, expr: ir.Filter) -> Group:
        """Those of a list for which a condition is so."""

    @abstractmethod
    def each_of(self, expr: ir.Each) -> Group:
        """What is made of each of a list."""

    @abstractmethod
    def in_order(self, expr: ir.Sorted) -> Group:
        """A list in an order."""

    @abstractmethod
    def best_of(self, expr: ir.Best) -> Group:
        """Those who have most of something."""

    @abstractmethod
    def reckoned(self, expr: ir.Arithmetic) -> Thing:
        """Something worked out."""

    def item(self, of: t.Type) -> Noun:
        """What one thing of a list is called."""
        of = t.surely(of)
        return self.lexicon.noun(of.item if isinstance(of, t.ListOf | t.PerPlayer) else of)

    # ── every construct ──────────────────────────────────────────────────────────────────────────────────────────

    def said(self, expr: ir.Expr) -> Phrase:
        """What an expression is, whatever it is."""
        match expr:
            case ir.Const():
                return self._constant(expr)
            case ir.Local():
                return self._local(expr)
            case ir.OptionValue():
                return self._option(expr)
            case ir.ByOption(option, cases):
                if self.rules.known(option):
                    return self.said(dict(cases)[self.rules.options[option]])
                return Thing(f"what {self.lexicon.option(option)} says", long=True)
            case ir.Joined():
                return Thing(quoted(self.filled(expr)))
            case ir.TableMemory(name):
                return self._owned(name, expr, None)
            case ir.PlayerMemory(name, player):
                return self._owned(name, expr, self.thing(player))
            case ir.State(name, card) | ir.Attribute(name, card):
                return self._owned(name, expr, self.thing(card))
            case ir.PlaceOf():
                return self.spot(expr).thing
            case ir.Cards(place):
                return self._lying(place)
            case ir.TheCard(place):
                return self._the_card(place)
            case ir.Pieces(place):
                return Thing(f"the number of {self._lying(place).bare()}", long=True)
            case ir.AllCards(only):
                return Group(self.lexicon.anything) if only is None else self._named(only)
            case ir.AllActions():
                return Group(ACTION)
            case ir.TheAction(id):
                return Thing(f"the action {self.lexicon.action(id)}")
            case ir.Seats(everyone):
                return Group(PLAYER, after="who began the game") if everyone else Group(PLAYER, whole=EVERYONE)
            case ir.Clockwise(start, after):
                return self._clockwise(self.thing(start), after)
            case ir.Neighbour(player, step):
                return self._neighbour(self.thing(player), step)
            case ir.Listed(items):
                singles = [self.thing(item) for item in items]
                parts = tuple(Group(self.item(expr.type), whole=one, single=True) for one in singles)
                nothing = Thing("nothing")
                return parts[0] if len(parts) == 1 else Group(self.item(expr.type), whole=nothing, parts=parts)
            case ir.Span(first, last):
                ends = Thing(f"{self.thing(first).to} to {self.thing(last).to}")
                return Group(NUMBER, Spot(ends, "from", "from"))
            case ir.Chain(first, second):
                parts = (self.group(first), self.group(second))
                return Group(self._common(parts, expr.type), parts=parts)
            case ir.Arithmetic():
                return self.reckoned(expr)
            case ir.IfElse(condition, then, otherwise):
                return self._choice(expr, condition, then, otherwise)
            case ir.Filter():
                return self.filtered(expr)
            case ir.Each():
                return self.each_of(expr)
            case ir.Sorted():
                return self.in_order(expr)
            case ir.Best():
                return self.best_of(expr)
            case ir.PerPlayerAnswer():
                return self._answer(expr)
            case ir.CallValue():
                return self.called(expr)
            case ir.AskHook():
                return self.asked(expr)
            case ir.BuiltIn():
                return self.built_in(expr)
            case (
                ir.Compare() | ir.SameCards() | ir.Within() | ir.IsKind() | ir.IsCard() | ir.IsFaceUp()
                | ir.IsNothing() | ir.IsEmpty() | ir.Not() | ir.And() | ir.Or()
            ):  # fmt: skip
                return self.claim(expr)
        assert_never(expr)

    # ── constants, names, options ────────────────────────────────────────────────────────────────────────────────

    def _constant(self, expr: ir.Const) -> Phrase:
        value = expr.value
        if isinstance(value, tuple):
            return Group(self.item(expr.type))
        text = self.lexicon.value(value, expr.type)
        if isinstance(value, int) and not isinstance(value, bool) and t.AMOUNT not in t.members(expr.type):
            return Thing(text, number=value, counts=text)
        return Thing(text)

    def _local(self, expr: ir.Local) -> Phrase:
        match self.bound(expr.slot):
            case Thing() | Group() as said:
                return said
            case Referent() as referent:
                return self.several(referent) if referent.many or referent.items else self.refer(referent)
            case Given(inner, frame):
                with self.within(frame):
                    return self.said(inner)
            case Named() as named:
                return self._described(named)
            case Gathered(noun):
                return Group(noun, whole=Thing(f"the {noun.many} chosen before", "many"), only=True)
            case Answers(noun, which):
                return Thing(f"the {which}{noun.many} that were chosen", "many")
            case About() as about:
                it = self.it(about)
                return Group(self.item(expr.type), Spot(it)) if isinstance(t.surely(expr.type), t.ListOf) else it
        return Thing(f"the {self.lexicon.noun(expr.type).one}")

    def _described(self, named: Named) -> Phrase:
        """A name that stands for something: first what it is, then that it is the same."""
        referent = named.referent
        if named in self.told:
            return self.several(referent) if referent.many or referent.items else self.refer(referent)
        with self.within(named.frame):
            said = self.said(named.expr)
        if isinstance(said, Thing) and (said.number is not None or is_me(said)):
            return said
        self.known.append(referent)
        self.mention(referent)
        self.told.add(named)
        return said

    def _option(self, expr: ir.OptionValue) -> Thing:
        known, value = self.rules.constant(expr)
        if known:
            made = self._constant(ir.Const(value, type=expr.type))
            return made if isinstance(made, Thing) else made.all() if isinstance(made, Group) else Thing("it")
        if expr.key is not None:
            gives = f"what {self.lexicon.option(expr.name)} gives"
            return Thing(f"{gives} for {self.thing(expr.key).to}", long=True)
        return Thing(self.lexicon.hole(expr.name), counts=self.lexicon.hole(expr.name))

    def filled(self, expr: ir.Expr) -> str:
        """A text with what stands in it, as it is said to whoever reads; what play fills in is in brackets."""
        if not isinstance(expr, ir.Joined):
            return self.lexicon.name(expr)
        texts = [part if isinstance(part, str) else f"({self._spoken(part)})" for part in expr.parts]
        return "".join(texts)

    def _spoken(self, expr: ir.Expr) -> str:
        """What is put into a text; of a player, the name."""
        said = self.said(expr)
        if isinstance(said, Group):
            return said.the()
        thing = said if isinstance(said, Thing) else self.thing(expr)
        return possessed(thing, "name").to if expr.type == t.PLAYER or thing.to == "it" else thing.to

    # ── what belongs to somebody ─────────────────────────────────────────────────────────────────────────────────

    def _owned(self, name: str, expr: ir.Expr, owner: Thing | None) -> Phrase:
        if t.members(expr.type) == {t.YES_NO}:
            return self.claim(expr)
        thing = self.lexicon.memory(name, expr.type, owner)
        if isinstance(t.surely(expr.type), t.ListOf):
            return Group(self.item(expr.type), whole=thing, only=True)
        return thing

    def _lying(self, place: ir.Expr) -> Group:
        """The cards that lie somewhere."""
        match place:
            case ir.PlaceOf(name):
                return self.lexicon.lying(self.lexicon.rulebook.places.get(name), self.spot(place))
            case ir.Local(slot) if isinstance(given := self.bound(slot), Given):
                with self.within(given.frame):
                    return self._lying(given.expr)
        spot = self.spot(place)
        return Group(CARD, spot, whole=spot.thing)

    def _the_card(self, place: ir.Expr) -> Thing:
        """What lies in a slot: "your coin", "the card in your hand"."""
        spot = self.spot(place)
        match place:
            case ir.PlaceOf(name) if (found := self.lexicon.rulebook.places.get(name)) and not self.is_name_of(found):
                return Thing(f"the {self.lexicon.kind(found.holds, all_there=True).one} {spot.at()}", long=True)
        return spot.thing

    def is_name_of(self, place: ir.PlaceDef) -> bool:
        """Whether a slot is called after what lies in it, or is a card by its name."""
        head = self.lexicon.head(place.name).partition(" of ")[0]
        return head.split(" ")[-1] in (self.lexicon.kind(place.holds).one, CARD.one)

    def _named(self, definition: str) -> Group:
        words = self.lexicon.cards(frozenset([definition]))
        noun = self.noun_of(words)
        return Group(noun, whole=Thing(words), single=True) if noun.only else Group(noun)

    # ── players ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _clockwise(self, start: Thing, after: bool) -> Group:
        if after and is_me(start):
            return Group(PLAYER, before="other")
        if after:
            return Group(PLAYER, after=f"other than {start.to}")
        return Group(PLAYER, whole=EVERYONE, order=f"clockwise from {start.to}")

    def _neighbour(self, player: Thing, step: int) -> Thing:
        side = "left" if step == 1 else "right"
        if player.long:
            return Thing(f"the player to the {side} of {player.to}", person=True, long=True)
        return Thing(f"the player to {player.of} {side}", person=True, long=True)

    def _answer(self, expr: ir.PerPlayerAnswer) -> Thing:
        player = self.thing(expr.player)
        match expr.answers:
            case ir.Local(slot) if isinstance(answers := self.bound(slot), Answers):
                noun = answers.noun.many if answers.many else answers.noun.one
                text = f"the {answers.which}{noun} {player.text} chose"
                return Thing(text, "many" if answers.many else "one", answers.noun.person, long=True)
        return Thing(f"what {player.text} chose", long=True)

    def _choice(self, expr: ir.IfElse, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> Phrase:
        so = self.rules.decided(condition)
        if so is not None:
            return self.said(then if so else otherwise)
        if t.members(expr.type) == {t.YES_NO}:
            return self.claim(expr)
        one, other, when = self.thing(then), self.thing(otherwise), claim_text(self.claim(condition))
        made = Thing(f"{one.to} if {when}, otherwise {other.to},", one.agrees, one.person, long=True)
        return Group(self.item(expr.type), whole=made, only=True) if isinstance(expr.type, t.ListOf) else made

    def _common(self, parts: tuple[Group, ...], of: t.Type) -> Noun:
        nouns = list(dict.fromkeys(part.noun for part in parts))
        if len(nouns) == 1:
            return nouns[0]
        if len(nouns) == 2 and isinstance(self._item_type(of), t.ListOf):
            one, other = nouns
            return Noun(f"{one.one} or {other.one}", f"{one.many} and {other.many}")
        return self.item(of)

    def _item_type(self, of: t.Type) -> t.Type:
        of = t.surely(of)
        return t.surely(of.item) if isinstance(of, t.ListOf) else of

    def noun_of(self, name: str) -> Noun:
        """A card's name as a noun, from the name with its article."""
        head, _, noun = name.partition(" ")
        return Noun(noun, noun if head == "the" else plural(noun), name=True, only=head == "the")
