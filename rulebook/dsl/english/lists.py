"""Lists that are narrowed, ordered, or asked for something each.

In: `where`, `of`, `sorted by`, `with most`. Out: groups. Never: a condition in a clause that a noun or an adjective
says: "exposed tile".
"""

from __future__ import annotations

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl.english.grammar import YOU, Claim, Noun, Said, Spot, Thing, claim_text
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.lexicon import PLAYER
from rulebook.dsl.english.things import Things
from rulebook.dsl.english.words import bare, is_plural, plural
from rulebook.dsl.walk import everything


class ListTelling(Things):
    """Says what lists are."""

    def filtered(self, expr: ir.Filter) -> Group:
        so = self.rules.decided(expr.condition)
        group = self.group(expr.list)
        if so is not None:
            return group if so else Group(group.noun, whole=Thing("nothing"), only=True)
        condition = expr.condition
        self.focus = None  # "it" would be one of them
        conjuncts = _conjuncts(condition)
        for part in sorted(conjuncts, key=lambda one: not isinstance(one, ir.IsKind | ir.IsCard)):
            if self.rules.decided(part) is None:
                group = self._narrowed(group, part, expr.slot)
        return group

    def _narrowed(self, group: Group, condition: ir.Expr, slot: int) -> Group:
        """Those for which one condition is so."""
        if not any(isinstance(one, ir.Local) and one.slot == slot for one in everything(condition)):
            return group.with_words(f"if {claim_text(self.claim(condition))}")
        match condition:
            case ir.IsKind(ir.Local(it), kinds) if it == slot and not group.before:
                return self._called(group, self.lexicon.kind(kinds))
            case ir.IsCard(ir.Local(it), definitions, kinds) if it == slot and kinds and not group.before:
                name = self.lexicon.cards(definitions)
                if " or " not in name:
                    return self._called(group, self.noun_of(name))
        if group.noun == PLAYER and group.plain and self._others(condition, slot):
            return Group(PLAYER, before="other")
        before = self.remember()
        with self.about(slot, group.noun, many=False):
            one = self.claim(condition)
        if (word := _adjective(one)) and not (group.only or group.single):
            return group.described(word)
        self.forget(before)
        with self.about(slot, group.noun, many=True):
            many = self.claim(condition)
        return group.narrowed(one, many)

    def _called(self, group: Group, noun: Noun) -> Group:
        """Those of a kind or name, by that instead of a clause."""
        if group.parts:
            return evolve(group, noun=noun, parts=tuple(self._called(part, noun) for part in group.parts))
        if group.only or group.single:
            is_one = Claim(Thing("it", it=True), "be", Group(noun).one())
            are = Claim(Thing("they", "many", it=True), "be", noun.many)
            return group.narrowed(is_one, are)
        return evolve(group, noun=noun, whole=None)

    def _others(self, condition: ir.Expr, slot: int) -> bool:
        match condition:
            case ir.Not(ir.Compare("==", ir.Local(it), other)) | ir.Compare("!=", ir.Local(it), other):
                return it == slot and self.said(other) == YOU
        return False

    def each_of(self, expr: ir.Each) -> Group:
        group = self.group(expr.list)
        match expr.body:
            case ir.Attribute(name, ir.Local(slot)) | ir.State(name, ir.Local(slot)) if slot == expr.slot:
                return self._all_of(name, group)
            case ir.PlayerMemory(name, ir.Local(slot)) if slot == expr.slot:
                return self._all_of(name, group)
            case ir.CallValue(function, (ir.Local(slot),)) if slot == expr.slot:
                if "{" not in self.lexicon.head(bare(function)):
                    return self._all_of(bare(function), group)
            case ir.Cards(ir.PlaceOf(name, ir.Local(slot))) | ir.TheCard(ir.PlaceOf(name, ir.Local(slot))) if (
                slot == expr.slot
            ):
                spot, place = self.lexicon.spots(name, group), self.lexicon.rulebook.places[name]
                return evolve(self.lexicon.lying(place, spot), whole=spot.thing)
        return self._body_of_each(expr, group)

    def _body_of_each(self, expr: ir.Each, group: Group) -> Group:
        one, each = group.one().partition(" ")[2], group.each()
        person = group.noun.person
        texts = []
        before = self.remember()
        for who in (f"any {one}", each):
            self.forget(before)
            self.bind(expr.slot, Thing(who, person=person, long=group.that is not None or bool(group.after)))
            body = self.said(expr.body)
            words = body.bare() if isinstance(body, Group) else body.to if isinstance(body, Thing) else claim_text(body)
            texts.append(words)
        return Group(self.item(expr.type), whole=Thing(texts[1], "many", long=True), only=True, any_one=texts[0])

    def _all_of(self, name: str, group: Group) -> Group:
        head = self.lexicon.head(name)
        many = head if is_plural(head) else plural(head)
        return Group(Noun(head, many), Spot(Thing(group.the()), "of", "of", "of"))

    def _keys(self, of: ir.Sorted | ir.Best) -> list[tuple[bool, Thing]]:
        """What an order goes by, told of many: whether the most comes first."""
        found = []
        for key in of.keys:
            if not self.rules.constant(key.value)[0]:
                with self.about(of.slot, self.item(of.list.type), many=True):
                    found.append((key.most, self.thing(key.value)))
        return found

    def in_order(self, expr: ir.Sorted) -> Group:
        keys = [(thing, "highest first" if most else "lowest first") for most, thing in self._keys(expr)]
        if len(keys) == 1 and keys[0][0].it:
            return evolve(self.group(expr.list), order=keys[0][1])
        texts = [f"{thing.text}, {which}" for thing, which in keys]
        return evolve(self.group(expr.list), order=f"in order of {', then '.join(texts)}" if texts else "")

    def best_of(self, expr: ir.Best) -> Group:
        """Those who have most of something: "with the most points, then the lowest score"."""
        group = self.group(expr.list)
        texts = []
        for most, thing in self._keys(expr):
            if thing.whose is not None and thing.whose.it and not thing.long:
                more, less = ("most", "fewest") if is_plural(thing.head) else ("highest", "lowest")
                texts.append(f"the {more if most else less} {thing.head}")
            else:
                texts.append(f"{thing.text} {'highest' if most else 'lowest'}")
        among = "" if group.plain else " among them"
        ends = "," if len(texts) > 1 else ""
        return group.with_words(f"with {', then '.join(texts)}{among}{ends}") if texts else group

def _conjuncts(condition: ir.Expr) -> list[ir.Expr]:
    """The conditions that all must be so."""
    if isinstance(condition, ir.And):
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [condition]


def _adjective(said: Said) -> str:
    """A claim that is one word, which stands before the noun as well: "exposed"; empty if it is more."""
    if not isinstance(said, Claim) or not said.subject.it or said.verb != "be" or said.negative or said.past:
        return ""
    word = {"face up": "face-up", "face down": "face-down"}.get(said.rest, said.rest)
    return word if word.replace("-", "").isalpha() and word.islower() else ""
