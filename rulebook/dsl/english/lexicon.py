"""What the declared names of a game are called: kinds, places, memories, cards, options, words.

In: the rulebook, its house rules. Out: nouns and places. Never: an id as it is written; what is no word comes from
`phrases`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.grammar import EVERYONE, Noun, Spot, Thing, possessed
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.house_rules import CLOSE, OPEN, HouseRules
from rulebook.dsl.english.words import Agreement, article, is_plural, listed, plural, readable, titled
from rulebook.dsl.settling.options import amount_text, value_text

PLAYER = Noun("player", "players", person=True)
CARD = Noun("card", "cards")
ACTION = Noun("action", "actions")
NUMBER = Noun("number", "numbers")
BOX = "box"
_PLAIN = {"Number": NUMBER, "Amount": Noun("amount", "amounts"), "Player": PLAYER, "Action": ACTION}
_PLAIN |= {"Cell": Noun("position", "positions"), "Place": Noun("place", "places"), "Text": Noun("text", "texts")}
_PLAIN |= {"YesNo": Noun("answer", "answers")}


def quoted(text: str) -> str:
    """A name as it stands on the table, in quotes."""
    return f"“{text}”"


class Lexicon:
    """The names of one rulebook."""

    def __init__(self, rulebook: ir.Rulebook, rules: HouseRules) -> None:
        self.rulebook, self.rules = rulebook, rules

    # ── kinds and types ──────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _families(self) -> dict[frozenset[str], list[str]]:
        """Kinds by the concrete kinds that they stand for."""
        concrete = {card.kind for card in self.rulebook.cards.values()} or set(self.rulebook.kinds)
        found: dict[frozenset[str], list[str]] = {}
        for kind in self.rulebook.kinds:
            below = frozenset(one for one in concrete if kind == one or kind in self.rulebook.kinds[one].ancestors)
            found.setdefault(below, []).append(kind)
        return found

    def phrase(self, name: str) -> str | None:
        """What the author says for a name."""
        return self.rulebook.phrases.get(name)

    def kind(self, kinds: frozenset[str], *, all_there: bool = False) -> Noun:
        """A card of these concrete kinds; `all_there`: no others lie where it is, so it need not be told apart."""
        families = self._families.get(kinds, [])
        for name in families:
            if self.phrase(name) is not None:
                return self._noun(name)
        for name in families:
            if kinds == {name}:
                return self._noun(name)
        if families and not all_there:
            return self._noun(families[0])
        if all_there or not kinds or len(kinds) > 3 or not kinds <= set(self.rulebook.kinds):
            return CARD
        nouns = [self._noun(name) for name in sorted(kinds)]
        return Noun(listed([one.one for one in nouns], "or"), listed([one.many for one in nouns]))

    @cached_property
    def anything(self) -> Noun:
        """Any card of the game."""
        return self.kind(frozenset(card.kind for card in self.rulebook.cards.values()), all_there=True)

    def _noun(self, name: str) -> Noun:
        one, _, many = (self.phrase(name) or readable(name)).partition("/")
        return Noun(one.strip(), many.strip() or plural(one.strip()))

    def noun(self, of: t.Type) -> Noun:
        """What a value of a type is called."""
        kinds = frozenset[str]()
        nouns = []
        for one in t.in_order(of):
            match one:
                case t.Card(some):
                    kinds |= some
                case t.Symbol(enumeration):
                    nouns.append(self._noun(enumeration.rpartition(".")[2]))
                case t.Nothing():
                    continue
                case t.ListOf(item) | t.PerPlayer(item):
                    inner = self.noun(item)
                    nouns.append(Noun(f"list of {inner.many}", f"lists of {inner.many}"))
                case other:
                    nouns.append(_PLAIN.get(type(other).__name__, Noun("thing", "things")))
        if kinds:
            nouns.insert(0, self.kind(kinds))
        if len(nouns) == 1:
            return nouns[0]
        return CARD if set(nouns) == {CARD, ACTION} else Noun("thing", "things")

    # ── places and memories ──────────────────────────────────────────────────────────────────────────────────────

    def head(self, name: str) -> str:
        """A place, memory, attribute, value or hook as a noun."""
        return self.phrase(name) or readable(name)

    def spot(self, name: str, owner: Thing | None) -> Spot:
        """A place; on a thing whose place is named after what lies there, that is the thing itself."""
        place = self.rulebook.places.get(name)
        kept = "box" if place is None else place.kept
        head = self.head(name)
        agrees: Agreement = "many" if is_plural(head) else "one"
        if owner is None:
            thing = Thing(f"the {head}", agrees, long=" of " in head)
        elif place is not None and place.owner == "card" and head == self.kind(place.holds).many:
            return Spot(owner, "on", "onto", itself=True)
        else:
            thing = possessed(owner, head, agrees)
        if kept == "grid":
            return Spot(thing, "on", "onto", "on")
        return Spot(thing, "among" if agrees == "many" else "in")

    def spots(self, name: str, owners: Group) -> Spot:
        """The places of several players or cards."""
        head = self.head(name)
        several = head if is_plural(head) else plural(head)
        place = self.rulebook.places.get(name)
        if place is not None and place.owner == "card" and head == self.kind(place.holds).many:
            return Spot(owners.all(), "on", "onto", itself=True)
        inside = "among" if is_plural(head) else "in"
        if owners.whole is EVERYONE and owners.plain:
            return Spot(Thing(f"{EVERYONE.own} {several}", "many"), inside)
        return Spot(Thing(f"the {several} of {owners.all().to}", "many", long=True), inside)

    def lying(self, place: ir.PlaceDef | None, spot: Spot) -> Group:
        """All cards of a place."""
        if place is None:
            return Group(self.anything, spot, whole=spot.thing)
        noun = self.kind(place.holds, all_there=True)
        return Group(noun, spot, whole=None if spot.inside == "on" or place.kept == "pool" else spot.thing)

    def memory(self, name: str, of: t.Type, owner: Thing | None) -> Thing:
        """A memory, state or attribute, as a thing that has a value."""
        head = self.head(name)
        many = is_plural(head)
        person = t.PLAYER in t.members(of)
        if owner is not None:
            owned = possessed(owner, head, "many" if many else "one")
            return Thing(owned.text, owned.agrees, person, whose=owner, head=head, long=owned.long)
        if many and (t.NUMBER in t.members(of)):
            return Thing(f"the number of {head}", long=True)
        return Thing(f"the {head}", "many" if many else "one", person)

    # ── cards, actions, words ────────────────────────────────────────────────────────────────────────────────────

    def name(self, expr: ir.Expr) -> str:
        """The name of a card or action, or a text, under these house rules."""
        known, value = self.rules.constant(expr)
        if known and isinstance(value, str):
            return value
        if isinstance(expr, ir.ByOption):
            return listed(list(dict.fromkeys(self.name(case) for _, case in expr.cases)), "or")
        return readable(expr.at.span.text) if expr.at is not None else ""

    def action(self, id: str) -> str:
        """An action by its name."""
        return quoted(self.name(self.rulebook.actions[id].name))

    def cards(self, definitions: frozenset[str]) -> str:
        """One of these cards, with its article: "a Police Badge", "the Queen of Spades", "a relic"."""
        known = [id for id in self.rulebook.cards if id in definitions]
        for family, members in self.rulebook.families.items():
            if len(members) > 1 and set(members) == set(known):
                return article(readable(family))
        names = []
        for id in known:
            card = self.rulebook.cards[id]
            name = self.name(card.name)
            copies = [self.rules.constant(number) for number, _ in card.copies]
            names.append(f"the {name}" if copies == [(True, 1)] and not name.startswith("The ") else article(name))
        names += [self.action(id) for id in self.rulebook.actions if id in definitions]
        return listed(names, "or")

    def word(self, value: str, of: t.Type) -> str:
        """A word of a list, as players read it; words that only an option or attribute lists are read from their id."""
        for one in t.in_order(of):
            if isinstance(one, t.Symbol):
                shown = self.rulebook.words.get(one.enumeration, {}).get(value)
                if shown is None:
                    return quoted(readable(value))
                return quoted(shown) if any(word[:1].islower() for word in shown.split(" ")[1:]) else shown
        return quoted(value)

    def value(self, value: Any, of: t.Type) -> str:
        """A value as it stands."""
        if value is None:
            return "nothing"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return self.word(value, of)
        if isinstance(value, int) and t.AMOUNT in t.members(of):
            return amount_text(value, self.rulebook.units)
        return str(value)

    # ── house rules ──────────────────────────────────────────────────────────────────────────────────────────────

    def option(self, name: str) -> str:
        """An option, called as a rule of the house."""
        return f"the house rule {quoted(titled(name))}"

    def choice(self, value: Any, of: t.Type) -> str:
        """A choice of an option, as what the house rule says."""
        if isinstance(value, str):
            return quoted(readable(value))
        return value_text(value) if not isinstance(value, int) or isinstance(value, bool) else self.value(value, of)

    def hole(self, name: str) -> str:
        """Where the value of an option that is not settled belongs."""
        return f"{OPEN}{name}{CLOSE}"
