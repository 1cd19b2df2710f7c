"""Help below a message of the checker: advice about a name or a value that does not fit."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulebook.cells import SheetFile
from rulebook.diagnostics import Advice, Label, did_you_mean, near, perhaps
from rulebook.dsl import types as t
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.document import At, Node, Scalar, Sequence
from rulebook.dsl.words import NUMBERS
from rulebook.dsl.world import Parameter, World, words_of_type

_WHO_ACTS = frozenset(
    ("player", "you", "i", "my", "your", "self", "myself", "he", "she", "they", "him", "her", "them", "owner")
)
_COUNTED = {word: number for number, word in enumerate(NUMBERS, 1)} | {"once": 1, "twice": 2, "thrice": 3}
_ASKED = {
    "count": ("size", "len", "length", "number", "amount", "how_many"),
    "sum": ("total",),
    "max": ("maximum", "highest", "largest"),
    "min": ("minimum", "lowest", "smallest"),
}
_MOST_LISTED = 8


def about_name(world: World, scope: Scope, name: str, at: At, expect: t.Type | None, legal: list[str]) -> str:
    """Say what to write instead of a name that nothing has; `legal` are the names that could stand there."""
    word = name.lower()
    if word in _COUNTED:
        return Advice(f"Write the number: `{_COUNTED[word]}`.", name, str(_COUNTED[word]))
    if name in world.options:
        return Advice(f"It is an option: write `options.{name}`.", name, f"options.{name}")
    if word in _WHO_ACTS and "me" in scope.bound and words_before(at)[-1:] != ["in"]:
        behind = re.match(r"\.\w+", at.scalar.text[at.end :])
        return Advice(f"Whoever acts is `me`: write `me{behind[0] if behind else ''}`.", name, "me")
    if name == "card":
        return _which_card(scope)
    if not scope.bound and not near(name, scope.hidden) and expect in (t.NUMBER, t.AMOUNT, t.YES_NO):
        return _word_expected(world, expect)
    return did_you_mean(name, legal)


def _which_card(scope: Scope) -> str:
    there = [name for name, slot in scope.bound.items() if name != "this" and _is_card(scope.types[slot])]
    if not there:
        return "It must be clear which card: a line above says it, like `choose card from …`."
    *first, last = (f"`{name}`" for name in there)
    listed = f"are {', '.join(first)} and {last}" if first else f"is {last}"
    return f"It must be clear which card. Chosen before this {listed}."


def _is_card(of: t.Type) -> bool:
    sure = t.surely(of)
    return isinstance(t.surely(sure.item) if isinstance(sure, t.ListOf) else sure, t.Card)


def _word_expected(world: World, expect: t.Type) -> str:
    if expect == t.YES_NO:
        return "Here stands `yes` or `no`."
    if expect == t.NUMBER:
        return "Here stands a number, like `3`."
    return f"Here stands a number with its unit: {' or '.join(f'`5 {unit}`' for unit in world.units)}."


def about_question(world: World, name: str, legal: list[str], given: list[str]) -> str:
    """Say what to write instead of a question that is not there, asked about what is `given`, as it is spelt."""
    declared = world.places.get(name) or world.memories.get(name)
    if declared is not None and declared.owner == "table" and not given:
        return f"It is read without a question: write `{name}`."
    if len(given) == 1 and (declared is not None or name in world.attributes or name in world.states):
        return f"What somebody or something has is read with a dot: write `{given[0]}.{name}`."
    if name in world.options:
        return f"It is an option: write `options.{name}`."
    if name.lower() in ("if", "iif", "when") and len(given) == 3:
        return f"Here it is written `{given[1]} if {given[0]} else {given[2]}`."
    meant = next((word for word, others in _ASKED.items() if name in others), None)
    return Advice(f"Here it is written `{meant}(…)`.", name, meant) if meant else did_you_mean(name, legal)


def about_each(name: str, places: list[str]) -> str:
    """Say what stands behind `each` in `deal 5 from deck to each hand`, for who names players there."""
    if name.rstrip("s") not in ("player", "seat", "person", "opponent", "one") or not places:
        return ""
    return f"Behind `each` stands a place that every player has, like `to each {places[0]}`."


def about_item(source: str, number: str) -> str:
    """Say how one of a list is named, where other languages number it from 0."""
    first = f"first({source})" if number in ("0", "1") else f"last(first({source}, {number}))"
    return f"A list has no numbers in brackets: write `{first}`."


def about_size(of: t.Type, name: str, source: str) -> str:
    """Say how one asks whether there is anything, or how many, where other languages have `market.empty()`."""
    word = name.lower().replace("_", "")
    if word in ("empty", "isempty") and (isinstance(of, t.ListOf | t.Place) or t.may_be_nothing(of)):
        return f"Write `{source} is empty`, or `{source} is not empty`."
    if isinstance(of, t.ListOf | t.Place) and (word == "count" or name in _ASKED["count"]):
        return f"How many there are is `count({source})`."
    return ""


def about_copies(world: World, fields: Mapping[str, t.Type], name: str) -> str:
    """Say what to write instead of a map below `copies` whose keys are no attributes; `name` is the first of them."""
    close = near(name, fields)
    if close:
        return perhaps(name, close)
    for option in world.options:
        if name in world.words.get(f"options.{option}", ()):
            return f"If the number goes by an option, say so first: `{{by: options.{option}, {name}: …}}`."
    for field in fields:
        if name in {str(value) for value in world.attributes[field].values or ()}:
            return f"If these are values of `{field}`, say so: `{{{field}: {{{name}: …}}}}`."
    return did_you_mean(name, fields)


def about_option(world: World, name: str) -> str:
    close = near(name, world.options)
    if close:
        return perhaps(name, close)
    return f"Options stand under `options:`: `{name}: {{type: yes_no, default: no, text: …}}`."


def units_for(world: World, number: str) -> str:
    """Say how a number without a unit is written with one."""
    plain = number.isdigit()
    shown = [f"`{number} {unit}`" if plain else f"`{number} * 1 {unit}`" for unit in list(world.units)[:3]]
    return f"Give it its unit: {' or '.join(shown)}." if shown else ""


def without_unit(world: World, amount: str) -> str:
    """Say how an amount is made a number."""
    number, _, unit = amount.partition(" ")
    if number.isdigit() and unit in world.units:
        return f"Write only the number: `{number}`."
    return " or ".join(f"`{amount} / 1 {unit}` is how many {unit}" for unit in list(world.units)[-1:]) + "."


def about_type(world: World, wanted: t.Type) -> str:
    """Say what to write instead of a value of another type."""
    words = [word for word, _ in world.symbols(wanted)]
    if words and len(words) <= _MOST_LISTED:
        return f"Known: {', '.join(f'`{word}`' for word in words)}"
    if wanted == t.ListOf(t.PLAYER):
        return "Players are `players`, `others`, `me`, and those who were chosen."
    return ""


def about_parameter(world: World, parameter: Parameter, of: str, got: t.Type) -> str:
    """Say how a parameter is declared that takes something else than a player, which it does where nothing is said."""
    words = words_of_type(world, t.surely(got))
    if parameter.type != t.PLAYER or words is None:
        return ""
    name = parameter.name
    return f"`{name}` is a player where `{of}` is declared. If it is something else, say so there: `{words} {name}`."


def about_grids(wanted: t.Type, got: t.Type) -> str:
    """Say how lists of cards, of positions, and of cards that may be missing differ, where one is given for another."""
    if not isinstance(wanted, t.ListOf) or not isinstance(got, t.ListOf):
        return ""
    if wanted.item == t.CELL and t.kinds_of(got.item):
        return "Positions are `cells(G)`, and the `row` or `column` of one. Cards are taken as `set of card`."
    if t.kinds_of(wanted.item) and got.item == t.CELL:
        return "Positions are taken as `set of cell`. The cards of a grid are `rows(G)` and `columns(G)`."
    if t.kinds_of(wanted.item) and t.may_be_nothing(got.item) and t.agree(wanted.item, got.item):
        return "Some may be missing in it. Those that are there are `… where it is something`."
    return ""


OF_A_POSITION = "A position is only where a card lies. Take the cards of the place itself, like `me.garden where …`."
"""Advice where a position stands, and a card is wanted."""


def place_of(world: World, got: t.Type, written: str) -> str:
    """Say which place was meant, where somebody or something that has some was written."""
    if t.surely(got) != t.PLAYER:
        return ""
    places = [f"`{written}.{place.name}`" for place in world.places.values() if place.owner == "player"]
    return f"Say which place: {', '.join(places[:_MOST_LISTED])}." if places else ""


def find_printed_word(world: World, wanted: t.Type, text: str) -> tuple[str, str, str] | None:
    """Find the word that a text of several words stands for: its list, itself, and what to do."""
    if " " not in text:
        return None
    for word, enumeration in world.symbols(wanted):
        if text.casefold() == world.words[enumeration][word].casefold() != word:
            return enumeration, word, f"That is what players read. Here stands its name: `{word}`."
        if text.casefold().replace(" ", "_") == word:
            return enumeration, word, f"Did you mean `{word}`?"
    return None


_LOOSE = re.compile(r"\s*(?:[,;]|\band\b|\s)\s*(?:and\s+)?")


def find_loose_items(world: World, node: Node, item: t.Type) -> list[str]:
    """Find the words of a list that is written without brackets, or with a comma too few in them: `pepper, cumin`."""
    known = {word for word, _ in world.symbols(item)}
    texts = [one.text for one in node if isinstance(one, Scalar)] if isinstance(node, Sequence) else []
    if isinstance(node, Scalar) and not isinstance(node.span.file, SheetFile):
        texts = [node.text]
    items = [word for text in texts for word in _LOOSE.split(text.strip())]
    is_known = set(items) <= known if known else item == t.NUMBER and all(word.isdigit() for word in items)
    is_loose = bool(items) and is_known and (not isinstance(node, Sequence) or len(items) > len(node))
    return items if is_loose else []


def elsewhere(world: World, field: str) -> str:
    """Say which cards have a field that this one has not; empty if none has."""
    for table in (world.hooks, world.attributes, world.states):
        info = table.get(field)
        if info is not None and info.kinds:
            the_field = t.with_article(field).replace(field, f"`{field}`")
            family = world.family_of(info.kinds)
            return f"Only {family} cards have {the_field}: remove it, or give this card another kind."
    return ""


def find_bound_later(name: str, at: At) -> Label | None:
    """Find where a name gets its value, if that is in a line further down."""
    text = at.scalar.text
    gives = re.compile(rf"^.*\b(?:choose|chooses|let|as|each|pick)\b[^\n]*?\b{re.escape(name)}\b", re.MULTILINE)
    line_end = text.find("\n", at.end)
    match = gives.search(text, line_end + 1) if line_end >= 0 else None
    if match is None:
        return None
    return Label(at.scalar.locate(match.end() - len(name), match.end()), "here it gets its value")


def words_before(at: At) -> list[str]:
    """Return the author's last words before a place, on its line."""
    text = at.scalar.text
    return text[max(text.rfind("\n", 0, at.start) + 1, at.start - 40) : at.start].split()[-2:]
