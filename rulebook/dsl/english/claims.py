"""Questions as claims: that something is so, or that it is not.

In: expressions of yes or no. Out: claims, already turned round where "not" stands before them. Never: "not" before a
number: fewer than 3 is what is not at least 3.
"""

from __future__ import annotations

from collections.abc import Callable

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.grammar import Claim, Claims, Noun, Said, Thing, claim_text
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.lexicon import quoted
from rulebook.dsl.english.lists import ListTelling
from rulebook.dsl.english.scene import Answers, Gathered, Given, Named, Referent
from rulebook.dsl.english.words import MODAL, VERBS, article, base_form, capital, readable

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MEASURE = {"==": "", "!=": "not ", "<": "less than ", ">=": "at least ", ">": "more than ", "<=": "at most "}
_COUNT = {"==": "exactly ", "!=": "not exactly ", "<": "fewer than ", ">=": "at least ", ">": "more than "}
_COUNT |= {"<=": "at most "}
_THERE = Thing("there")


class ClaimTelling(ListTelling):
    """Says what questions claim."""

    def claim(self, expr: ir.Expr, yes: bool = True) -> Said:
        so = self.rules.decided(expr)
        if so is not None:
            return Claim(Thing("this"), "be", "always so", negative=so != yes)
        match expr:
            case ir.Not(value):
                return self.claim(value, not yes)
            case ir.And(left, right) | ir.Or(left, right):
                return self._several(expr, left, right, yes)
            case ir.Compare(operator, left, right):
                return self._compared(operator if yes else _OPPOSITE[operator], left, right)
            case ir.SameCards(cards, definitions):
                names = self.lexicon.cards(frozenset(definitions)) if definitions else "nothing"
                return Claim(self.thing(cards), "be", f"exactly {names}", not yes)
            case ir.Within(value, several):
                return self._within(value, several, yes)
            case ir.IsKind(value, kinds):
                return Claim(self.thing(value), "be", self._one_of(self.lexicon.kind(kinds), value), not yes)
            case ir.IsCard(value, definitions):
                return Claim(self.thing(value), "be", self.lexicon.cards(definitions), not yes)
            case ir.IsFaceUp(card):
                return Claim(self.thing(card), "be", "face up" if yes else "face down")
            case ir.IsNothing(value):
                return self.presence(value, not yes)
            case ir.IsEmpty(several):
                return self._any(several, not yes)
            case ir.IfElse(condition, then, otherwise):
                first = ir.And(condition, then, type=t.YES_NO)
                second = ir.And(ir.Not(condition, type=t.YES_NO), otherwise, type=t.YES_NO)
                return self.claim(ir.Or(first, second, type=t.YES_NO), yes)
            case ir.BuiltIn("any", (several,)):
                return self._any(several, yes)
            case ir.BuiltIn("all", (several,)):
                return self._all(several, yes)
            case ir.CallValue() | ir.AskHook():
                said = self.called(expr, yes) if isinstance(expr, ir.CallValue) else self.asked(expr, yes)
                return said if isinstance(said, Claim | Claims) else self._is_yes(said, yes)
            case ir.TableMemory(name):
                return self.property(None, name, yes)
            case ir.PlayerMemory(name, owner) | ir.State(name, owner) | ir.Attribute(name, owner):
                return self.property(self.thing(owner), name, yes)
            case ir.OptionValue(name):
                return Claim(Thing(self.lexicon.option(name)), "say", "yes" if yes else "no")
            case ir.Local(slot) if isinstance(given := self.bound(slot), Given):
                with self.within(given.frame):
                    return self.claim(given.expr, yes)
            case ir.Local(slot) if isinstance(named := self.bound(slot), Named) and named not in self.told:
                with self.within(named.frame):
                    return self.claim(named.expr, yes)
        return self._is_yes(self.thing(expr), yes)

    def _is_yes(self, said: Thing | Group, yes: bool) -> Claim:
        return Claim(said.all() if isinstance(said, Group) else said, "be", "yes" if yes else "no")

    def _one_of(self, noun: Noun, value: ir.Expr) -> str:
        return noun.many if self.thing(value).agrees == "many" else Group(noun).one()

    def _several(self, expr: ir.And | ir.Or, left: ir.Expr, right: ir.Expr, yes: bool) -> Said:
        """Both, or one of both; what house rules settle is left out."""
        open_parts = [part for part in (left, right) if self.rules.decided(part) is None]
        if len(open_parts) == 1:
            return self.claim(open_parts[0], yes)
        word = "and" if isinstance(expr, ir.And) == yes else "or"
        parts: list[Said] = []
        for part in open_parts:
            said = self.claim(part, yes)
            parts += said.parts if isinstance(said, Claims) and said.word == word else [said]
        return Claims(tuple(parts), "and" if word == "and" else "or")

    # ── comparing ────────────────────────────────────────────────────────────────────────────────────────────────

    def _compared(self, operator: str, left: ir.Expr, right: ir.Expr) -> Said:
        if operator in ("==", "!=") and isinstance(right, ir.Const) and isinstance(right.value, bool):
            so = self.claim(left, right.value == (operator == "=="))
            unknown = operator == "!=" and t.may_be_nothing(left.type)
            return Claims((so, self._known(left, there=False)), "or") if unknown else so
        if isinstance(left, ir.OptionValue) and left.key is None and isinstance(right, ir.Const):
            choice = self.lexicon.choice(right.value, right.type)
            rest = f"{_MEASURE[operator]}{choice}"
            return Claim(Thing(self.lexicon.option(left.name)), "say", rest.removeprefix("not "), operator == "!=")
        match left:
            case ir.BuiltIn("count", (of,)) if not isinstance(of.type, t.Place):
                counted = self._counted(operator, lambda: self.group(of), right)
            case ir.BuiltIn("count", (place,)) | ir.Pieces(place):
                counted = self._counted(operator, lambda: self._lying(place), right)
            case _:
                counted = None
        if counted is not None:
            return counted
        if operator in ("==", "!="):
            if self._is_other(right) and not self._is_other(left):
                left, right = right, left
            subject = self.thing(left)
            self.focus = None  # "is it" reads as a question
            said = self.said(right)
            rest = said.to if isinstance(said, Thing) else said.bare() if isinstance(said, Group) else "so"
            return Claim(subject, "be", rest, operator == "!=")
        subject = self.thing(left)
        return Claim(subject, "be", f"{_MEASURE[operator]}{self.thing(right).to}")

    def _is_other(self, expr: ir.Expr) -> bool:
        """Whether it is `it`, which a clause begins with."""
        return isinstance(expr, ir.Local) and expr.name == "it"

    def _counted(self, operator: str, counted: Callable[[], Group], right: ir.Expr) -> Said | None:
        """How many there are of something, against a number."""
        number = self.thing(right)
        if not number.counts:
            return None
        group = counted()
        if number.number == 0 and operator in ("==", "<="):
            return group.there("no", many=True)
        if number.number == 0 and operator in ("!=", ">"):
            return group.there("a", many=False)
        return group.there(f"{_COUNT[operator]}{number.to}", many=number.number != 1)

    def _within(self, value: ir.Expr, several: ir.Expr, yes: bool) -> Said:
        match several:
            case ir.Local(slot) if isinstance(self.bound(slot), Gathered):
                return Claim(self.thing(value), "be", "chosen before", not yes, past=True)
        subject = self.thing(value)
        group = self.group(several)
        if group.plain and group.spot is not None:
            return Claim(subject, "be", group.spot.at(), not yes)
        return Claim(subject, "be", group.one(), not yes)

    # ── being there ──────────────────────────────────────────────────────────────────────────────────────────────

    def presence(self, expr: ir.Expr, there: bool) -> Said:
        """That something is there, or is not."""
        match expr:
            case ir.Local(slot) if isinstance(given := self.bound(slot), Given):
                with self.within(given.frame):
                    return self.presence(given.expr, there)
            case ir.Local(slot) if isinstance(named := self.bound(slot), Named) and named not in self.told:
                with self.within(named.frame):
                    said = self.presence(named.expr, there)
                if there:
                    self.told.add(named)
                    self.introduce(named.referent)
                return said
            case ir.PerPlayerAnswer(ir.Local(slot), player) if isinstance(answers := self.bound(slot), Answers):
                noun = f"any {answers.noun.many}" if answers.many else article(answers.which + answers.noun.one)
                return Claim(self.thing(player), "have", f"chosen {noun}", not there, helps=True)
            case ir.PlayerMemory(name, owner) | ir.State(name, owner) | ir.Attribute(name, owner):
                return self._owns(name, expr, self.thing(owner), there)
            case ir.TableMemory(name):
                quantity = "a" if there else "no"
                return Group(Noun(self.lexicon.head(name), self.lexicon.head(name))).there(quantity, many=False)
            case ir.TheCard(ir.PlaceOf(name, owner) as place):
                if not self.is_name_of(self.lexicon.rulebook.places[name]):
                    return self._lying(place).there("a" if there else "no", many=False)
                head = self.lexicon.head(name)
                rest = article(head) if there else f"no {head}"
                return Claim(_THERE, "be", rest) if owner is None else Claim(self.thing(owner), "have", rest)
            case ir.BuiltIn("first" | "last", (several,)):
                return self._any(several, there)
            case ir.OptionValue(name):
                return Claim(Thing(self.lexicon.option(name)), "say", "“none”", negative=there)
        subject = self.thing(expr)
        if t.CELL in t.members(expr.type):
            return Claim(subject, "be", "empty", negative=there)
        if subject.whose is not None and not subject.long:
            return Claim(subject.whose, "have", article(subject.head) if there else f"no {subject.head}")
        if isinstance(expr, ir.Local) and not subject.it:
            referent = self.bound(expr.slot)
            noun = referent.noun.one if isinstance(referent, Referent) else self.lexicon.noun(expr.type).one
            return Claim(_THERE, "be", f"such {article(noun)}" if there else f"no such {noun}")
        return Claim(subject, "be", "there", negative=not there)

    def _owns(self, name: str, expr: ir.Expr, owner: Thing, there: bool) -> Claim:
        head = self.lexicon.head(name)
        if t.YES_NO in t.members(expr.type):
            return self._known(expr, there)
        return Claim(owner, "have", article(head) if there else f"no {head}")

    def _known(self, question: ir.Expr, there: bool) -> Claim:
        """That there is an answer of yes or no, or not yet."""
        return Claim(Thing("it"), "be", f"known whether {claim_text(self.claim(question))}", negative=not there)

    def _any(self, several: ir.Expr, there: bool) -> Said:
        """That there is any of a list, or that one of its answers is yes."""
        match several:
            case ir.Each(of, slot, body) if t.members(body.type) == {t.YES_NO}:
                return self._of_all(of, slot, body, every=not there, yes=there)
            case ir.Cards(place) if (spot := self.spot(place)).thing.agrees != "many" and spot.inside == "in":
                return Claim(spot.thing, "be", "empty", negative=there)
        group = self.group(several)
        if group.only and group.whole is not None and group.plain:
            whole = group.whole
            if whole.whose is None:
                return Claim(whole, "be", "empty", negative=there)
            return Claim(whole.whose, "have", f"{'any' if there else 'no'} {whole.head}")
        return group.there("a" if there else "no", many=not there)

    def _all(self, several: ir.Expr, yes: bool) -> Said:
        match several:
            case ir.Each(of, slot, body):
                return self._of_all(of, slot, body, every=yes, yes=yes)
        every = "all of it" if yes else "not all of it"
        return Claim(Thing(f"{every} in {self.group(several).bare()}"), "be", "yes")

    def _of_all(self, of: ir.Expr, slot: int, body: ir.Expr, *, every: bool, yes: bool) -> Said:
        """A claim about every one of a list, or about at least one."""
        group = self.group(of)
        with self.about(slot, group.noun, many=False):
            said = self.claim(body, yes)
        if isinstance(said, Claim) and said.subject.it:
            if every and said.verb == "have" and said.rest.startswith("no "):
                return Claim(Thing(group.no()), "have", f"any {said.rest.removeprefix('no ')}")
            if every and said.negative and (said.verb == "be" or said.helps or said.modal):
                return Claim(Thing(group.no()), said.verb, said.rest, False, said.modal, said.helps)
            who = group.each().replace("each", "every", 1) if every else group.named("at least 1", many=False)
            return Claim(Thing(who), said.verb, said.rest, said.negative, said.modal, said.helps)
        if every:
            who = group.each().replace("each", "every", 1)
            return Claim(Thing(f"for {who}, this"), "be", f"so: {claim_text(said)}")
        return group.narrowed(said, said).there("a", many=False)

    # ── what something is like ───────────────────────────────────────────────────────────────────────────────────

    def property(self, owner: Thing | None, name: str, yes: bool) -> Claim:
        """A yes or no that somebody or something has, by its name: "you have folded", "it is exposed"."""
        phrase = self.lexicon.phrase(name)
        words = phrase or readable(name)
        if owner is None:
            found = clause_of(words) if phrase else None
            return _negated(found, yes) if found else Claim(Thing(quoted(capital(words))), "be", "so", not yes)
        head, _, rest = words.partition(" ")
        if head in ("is", "are"):
            return Claim(owner, "be", rest, not yes)
        if head in ("has", "have"):
            return Claim(owner, "have", rest, not yes, helps=True)
        if head in MODAL and rest:
            modal, _, more = rest.partition(" ") if head == "need" and rest.startswith("not ") else (head, "", rest)
            return Claim(owner, more or rest, "", not yes, "need not" if modal == "not" else head)
        if head.endswith("s") and not head.endswith("ss"):
            return Claim(owner, base_form(head), rest, not yes)
        return Claim(owner, "be", words, not yes)


def clause_of(text: str) -> Claim | None:
    """A clause that somebody wrote: "hearts are broken", as subject, verb and rest."""
    words = text.split(" ")
    for index, word in enumerate(words[1:], 1):
        if word in VERBS:
            subject = Thing(" ".join(words[:index]), "many" if word in ("are", "have") else "one")
            rest = " ".join(words[index + 1 :])
            if word in MODAL:
                return Claim(subject, rest, "", modal=word)
            return Claim(subject, base_form(word), rest, helps=word in ("has", "have"))
    return None


def _negated(claim: Claim, yes: bool) -> Claim:
    return claim if yes else Claim(claim.subject, claim.verb, claim.rest, not claim.negative, claim.modal, claim.helps)
