"""Names and house rules of one game: what its declared names are called, and what its options come to.

An option that is not settled is asked for (`Undecided`) or left open.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.options import value_text
from rulebook.dsl.settling.reckoning import Reckoning, Unsettled
from rulebook.dsl.words import readable
from rulebook.english.grammar import (
    EVERYONE,
    Agreement,
    Group,
    Noun,
    Spot,
    Thing,
    join_list,
    possessed,
    put_article,
    quoted,
    titled,
)
from rulebook.plurals import is_plural, plural, word_amount

PLAYER = Noun("player", "players", person=True)
CARD = Noun("card", "cards")
ACTION = Noun("action", "actions")
NUMBER = Noun("number", "numbers")
_THING = Noun("thing", "things")
_PLAIN = {"Number": NUMBER, "Amount": Noun("amount", "amounts"), "Player": PLAYER, "Action": ACTION}
_PLAIN |= {"Cell": Noun("position", "positions"), "Place": Noun("place", "places"), "Text": Noun("text", "texts")}
_PLAIN |= {"YesNo": Noun("answer", "answers")}
_SMALL = 12  # values of a number that a text may be told for, one by one
OPEN, CLOSE = "\ue000", "\ue001"
"""Around the name of an option in a text: its value belongs there."""


class Undecided(Exception):
    """Raised where a text depends on an option: it is to be made once for each of these values."""

    def __init__(self, name: str, values: tuple[Any, ...]) -> None:
        super().__init__(name)
        self.name, self.values = name, values


class HouseRules:
    """The settled options. `asking`: an option that has few choices and is not settled is asked for."""

    def __init__(
        self, options: Mapping[str, ir.OptionDef], settled: Mapping[str, Any], *, asking: bool = False
    ) -> None:
        self.defined, self.options, self.asking = options, settled, asking

    def is_settled(self, name: str) -> bool:
        """Tell if an option is settled. Raises `Undecided` where it can be asked for."""
        if self.asking and name not in self.options:
            option = self.defined[name]
            self._raise_undecided(name, (False, True) if option.type == t.YES_NO else option.choices or ())
        return name in self.options

    def ask_number(self, name: str) -> None:
        """Raise `Undecided` for an option of a small range, which counts a noun and is not settled."""
        low, high = self.defined[name].low, self.defined[name].high
        if self.asking and name not in self.options and low is not None and high is not None and high - low < _SMALL:
            self._raise_undecided(name, tuple(range(low, high + 1)))

    def _raise_undecided(self, name: str, values: tuple[Any, ...]) -> None:
        if values:
            raise Undecided(name, values)

    def decided(self, expr: ir.Expr) -> bool | None:
        """Answer a question as far as house rules do; None where play has to. One part may decide the whole."""
        match expr:
            case ir.And() | ir.Or():
                answers = {self.decided(expr.left), self.decided(expr.right)}
                decisive = isinstance(expr, ir.Or)
                return decisive if decisive in answers else None if None in answers else not decisive
            case ir.Not():
                answer = self.decided(expr.value)
                return None if answer is None else not answer
        known, settled = self.constant(expr)
        return settled if known and isinstance(settled, bool) else None

    def constant(self, expr: ir.Expr) -> tuple[bool, Any]:
        """Return if house rules settle a value, and the value."""
        try:
            return True, Reckoning(self.find_settled, None).reckon(expr)
        except Unsettled:
            return False, None

    def find_settled(self, name: str) -> Any:
        """Return what an option is settled to. Raises `Unsettled`."""
        if not self.is_settled(name):
            raise Unsettled
        return self.options[name]


class Lexicon:
    """The names of one rulebook."""

    def __init__(self, rulebook: ir.Rulebook, rules: HouseRules) -> None:
        self.rulebook, self.rules = rulebook, rules

    # ── kinds and types ──────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _families(self) -> dict[frozenset[str], list[str]]:
        """Kinds by the concrete kinds that they stand for."""
        concrete = {card.kind for card in self.rulebook.cards.values()} or set(self.rulebook.kinds)
        families: dict[frozenset[str], list[str]] = {}
        for kind in self.rulebook.kinds:
            below = frozenset(name for name in concrete if kind == name or kind in self.rulebook.kinds[name].ancestors)
            families.setdefault(below, []).append(kind)
        return families

    def phrase(self, name: str) -> str | None:
        return self.rulebook.phrases.get(name)

    def name_kind(self, kinds: frozenset[str], *, all_there: bool = False) -> Noun:
        """Name a card of these concrete kinds; `all_there`: no others lie where it is, so it need not be told apart."""
        families = self._families.get(kinds, [])
        for name in families:
            if self.phrase(name) is not None:
                return self._parse_noun(name)
        for name in families:
            if kinds == {name}:
                return self._parse_noun(name)
        if families and not all_there:
            return self._parse_noun(families[0])
        if all_there or not kinds or len(kinds) > 3 or not kinds <= set(self.rulebook.kinds):
            return CARD
        nouns = [self._parse_noun(name) for name in sorted(kinds)]
        return Noun(join_list([noun.one for noun in nouns], "or"), join_list([noun.many for noun in nouns]))

    @cached_property
    def anything(self) -> Noun:
        """The noun for any card of the game."""
        return self.name_kind(frozenset(card.kind for card in self.rulebook.cards.values()), all_there=True)

    def _parse_noun(self, name: str) -> Noun:
        singular, _, plural_form = self.name_head(name).partition("/")
        return Noun(singular.strip(), plural_form.strip() or plural(singular.strip()))

    def find_noun(self, of: t.Type) -> Noun:
        kinds = frozenset[str]()
        nouns = []
        for sort_alternative in t.sort_alternatives(of):
            match sort_alternative:
                case t.Card(some):
                    kinds |= some
                case t.Symbol(enumeration):
                    nouns.append(self._parse_noun(enumeration.rpartition(".")[2]))
                case t.Nothing():
                    continue
                case t.TableOf(item) if t.has_numbers(sort_alternative):
                    inner = self.find_noun(item)
                    nouns.append(Noun(inner.many, inner.many))
                case t.ListOf(item) | t.TableOf(item):
                    inner = self.find_noun(item)
                    nouns.append(Noun(f"list of {inner.many}", f"lists of {inner.many}"))
                case other:
                    nouns.append(_PLAIN.get(type(other).__name__, _THING))
        if kinds:
            nouns.insert(0, self.name_kind(kinds))
        if len(nouns) == 1:
            return nouns[0]
        return CARD if set(nouns) == {CARD, ACTION} else _THING

    def find_item_noun(self, of: t.Type) -> Noun:
        of = t.surely(of)
        return self.find_noun(of.item if isinstance(of, t.ListOf | t.TableOf) else of)

    # ── places and memories ──────────────────────────────────────────────────────────────────────────────────────

    def name_head(self, name: str) -> str:
        """Write a place, memory, attribute, value or hook as a noun."""
        return self.phrase(name) or readable(name)

    def name_heads(self, name: str) -> str:
        head = self.name_head(name)
        return head if is_plural(head) else plural(head)

    def name_spot(self, name: str, owner: Thing | None) -> Spot:
        """Name a place; on a thing whose place is named after what lies there, that is the thing itself."""
        place, head = self.rulebook.places.get(name), self.name_head(name)
        agrees: Agreement = "many" if is_plural(head) else "one"
        if owner is None:
            thing = Thing(f"the {head}", agrees, long=" of " in head)
        elif self._is_on_card(place):
            return Spot(owner, "on", "onto", itself=True)
        else:
            thing = possessed(owner, head, agrees)
        if place is not None and place.kept == "grid":
            return Spot(thing, "on", "onto", "on")
        return Spot(thing, "among" if agrees == "many" else "in")

    def name_spots(self, name: str, owners: Group) -> Spot:
        """Name the places of several players or cards."""
        if self._is_on_card(self.rulebook.places.get(name)):
            return Spot(owners.name_all(), "on", "onto", itself=True)
        inside = "among" if is_plural(self.name_head(name)) else "in"
        if owners.whole is EVERYONE and owners.plain:
            return Spot(Thing(f"{EVERYONE.own} {self.name_heads(name)}", "many"), inside)
        return Spot(Thing(f"the {self.name_heads(name)} of {owners.name_all().to}", "many", long=True), inside)

    def _is_on_card(self, place: ir.PlaceDef | None) -> bool:
        """Recognize a place of a card that is named after what lies there."""
        return (
            place is not None
            and place.owner == "card"
            and self.name_head(place.name) == self.name_kind(place.holds).many
        )

    def name_lying(self, name: str, spot: Spot) -> Group:
        """Name all cards of a place."""
        place = self.rulebook.places.get(name)
        if place is None:
            return Group(self.anything, spot, whole=spot.thing)
        noun = self.name_kind(place.holds, all_there=True)
        return Group(noun, spot, whole=None if spot.inside == "on" or place.kept == "pool" else spot.thing)

    def is_named_after_card(self, place: ir.PlaceDef) -> bool:
        """Recognize a slot that is called after what lies in it, or is a card by its name."""
        head = self.name_head(place.name).partition(" of ")[0]
        return head.split(" ")[-1] in (self.name_kind(place.holds).one, CARD.one)

    def name_memory(self, name: str, of: t.Type, owner: Thing | None) -> Thing:
        """Name a memory, state or attribute, as a thing that has a value."""
        head = self.name_head(name)
        agrees: Agreement = "many" if is_plural(head) else "one"
        person = t.PLAYER in t.members(of)
        if owner is not None:
            owned = possessed(owner, head, agrees)
            return Thing(owned.text, owned.agrees, person, whose=owner, head=head, long=owned.long)
        if agrees == "many" and t.NUMBER in t.members(of):
            return Thing(f"the number of {head}", long=True)
        return Thing(f"the {head}", agrees, person)

    # ── cards, actions, values ───────────────────────────────────────────────────────────────────────────────────

    def name_expression(self, expr: ir.Expr) -> str:
        """Name a card or action, or write a text, under these house rules."""
        known, value = self.rules.constant(expr)
        if known and isinstance(value, str):
            return value
        if isinstance(expr, ir.ByOption):
            return join_list(list(dict.fromkeys(self.name_expression(case) for _, case in expr.cases)), "or")
        return readable(expr.at.span.text) if expr.at is not None else ""

    def name_action(self, id: str) -> str:
        return quoted(self.name_expression(self.rulebook.actions[id].name))

    def name_cards(self, definitions: frozenset[str]) -> str:
        """Name one of these cards, with its article: "a Police Badge", "the Queen of Spades", "a relic"."""
        known = [id for id in self.rulebook.cards if id in definitions]
        for family, members in self.rulebook.families.items():
            if len(members) > 1 and set(members) == set(known):
                return put_article(readable(family))
        names = []
        for id in known:
            card = self.rulebook.cards[id]
            name = self.name_expression(card.name)
            copies = [self.rules.constant(number) for number, _ in card.copies]
            names.append(f"the {name}" if copies == [(True, 1)] and not name.startswith("The ") else put_article(name))
        names += [self.name_action(id) for id in self.rulebook.actions if id in definitions]
        return join_list(names, "or")

    def write_word(self, value: str, of: t.Type) -> str:
        """Write a word of a list as players read it; words that only an option or attribute lists, from their id."""
        for sort_alternative in t.sort_alternatives(of):
            if isinstance(sort_alternative, t.Symbol):
                shown = self.rulebook.words.get(sort_alternative.enumeration, {}).get(value)
                if shown is None:
                    return quoted(readable(value))
                return quoted(shown) if any(word[:1].islower() for word in shown.split(" ")[1:]) else shown
        return quoted(value)

    def write_value(self, value: Any, of: t.Type) -> str:
        if value is None:
            return "nothing"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return self.write_word(value, of)
        if isinstance(value, int) and t.AMOUNT in t.members(of):
            return word_amount(value, self.rulebook.units)
        return str(value)

    def write_number(self, value: int, of: t.Type) -> Thing:
        """Write a number or amount as a thing; so many of a noun can only be a number."""
        text = self.write_value(value, of)
        return Thing(text) if t.AMOUNT in t.members(of) else Thing(text, number=value, counts=text)

    # ── house rules ──────────────────────────────────────────────────────────────────────────────────────────────

    def name_option(self, name: str) -> str:
        """Name an option as a rule of the house."""
        return f"the house rule {quoted(titled(self.rulebook.display.titles.get(name, name)))}"

    def write_choice(self, value: Any, of: t.Type) -> str:
        """Write a choice of an option, as what the house rule says."""
        if isinstance(value, str):
            return quoted(self.rulebook.display.titles.get(value, readable(value)))
        return (
            value_text(value) if not isinstance(value, int) or isinstance(value, bool) else self.write_value(value, of)
        )

    def mark_hole(self, name: str) -> str:
        """Mark where the value of an option that is not settled belongs."""
        return f"{OPEN}{name}{CLOSE}"


def parse_noun(name: str) -> Noun:
    """Read a card's name with its article as a noun."""
    head, _, noun = name.partition(" ")
    return Noun(noun, noun if head == "the" else plural(noun), name=True, only=head == "the")
