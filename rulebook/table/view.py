"""The table as one player sees it, in words: places with their cards in order, and the names that have a colour.

Made from the facts of a `View` and the public tables of the program alone; a card that nobody sees is on no page, and
so has no colour.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import starmap
from typing import Any

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.interpreter.account import Teller, number_of
from rulebook.interpreter.decisions import PASS, Ask
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import UNKNOWN, name_position, place_key, split_table, word_table, word_value
from rulebook.printing import visible
from rulebook.table import grids
from rulebook.table.blocks import Part, Row, Seen, row
from rulebook.table.grids import Grid, is_sign
from rulebook.table.telling import titled

Facts = Mapping[str, Any]
Content = Mapping[str, Any]
Rows = list[Row]

KNOWN = "known to you"
"""Said of what lies in front of somebody else, not open to all."""
BOX = "box"  # what lies there is not in the game


def headline(program: Program, facts: Facts) -> str:
    """The game and where in it we are: `Harbour · Day 1 · Ana's turn`."""
    stages = [visible(titled(title)) for title in facts.get("stages", ())]
    return " · ".join([visible(program.name), *stages])


def lay_out(program: Program, facts: Facts, laid: Sequence[Grid] | None = None) -> Seen:
    """Lay out the whole view: what is this player's own, what the others have, what lies on the table. `laid` are the
    grids of the same facts, where they have been made already.
    """
    laid = grids.find_grids(program, facts) if laid is None else laid
    me = facts.get("you")  # nobody, where only what all know is shown
    others = [name for name in facts["players"] if name != me]
    shown = _Shown(program, facts, frozenset(grid.key for grid in laid), grids.drawn_places(program, laid))
    return Seen(
        None if me is None else Part("You" if me == "You" else f"You ({visible(me)})", _lay_out_own(shown, me)),
        Part("Players" if me is None else "Others", _lay_out_others(shown, others)),
        Part("Table", _lay_out_table(shown)),
        laid,
    )


@frozen
class _Shown:
    """The facts that are shown, and what of them stands in grids already: whole places, places of cards."""

    program: Program
    facts: Facts
    grids: frozenset[str]
    cells: Set[str]
    inline: Set[str] = field(init=False)
    """The places in whose lines it is said of a card what changed on it. Not so in a pile: where in it a changed card
    lies is not said."""
    states: Mapping[tuple[str, str], list[Facts]] = field(init=False)
    """The changed states of cards, by the place in which they lie and their id."""

    def find_name(self, name: str) -> str:
        """The name of a place or a memory as people read it."""
        return self.program.looks.called(name)

    @inline.default
    def _lists(self) -> set[str]:
        names = self.facts["players"]
        listed = {place_key(self.program, names, place) for place in self.program.layout.places if place.kept != "pile"}
        return listed - self.grids

    @states.default
    def _by_card(self) -> dict[tuple[str, str], list[Facts]]:
        by_card: dict[tuple[str, str], list[Facts]] = {}
        for altered in self.facts["states"]:
            by_card.setdefault((altered["place"], altered["card"]), []).append(altered)
        return by_card


def lay_out_remarks(program: Program, facts: Facts, laid: Sequence[Grid]) -> Rows:
    """Lay out what lies on cards, and what changed on them, where no place or grid shows it."""
    shown = _Shown(program, facts, frozenset(grid.key for grid in laid), grids.drawn_places(program, laid))
    return [*_lay_out_on_cards(shown), *_lay_out_changed(shown)]


def _lay_out_own(shown: _Shown, me: str) -> Rows:
    seat = shown.facts["players"].index(me)
    rows = [
        Row(shown.find_name(place.name), _word_groups(shown, place, key, content))
        for place, key, content in _list_places(shown, seat)
        if not _is_empty(content)
    ]
    rows += lay_out_noted(shown.program, shown.facts, me)
    if me in shown.facts.get("eliminated", ()):
        rows.insert(0, row("out of the game", "you see what everyone sees"))
    return rows or [row("nothing")]


def _lay_out_others(shown: _Shown, names: Sequence[str]) -> Rows:
    facts = shown.facts
    rows: Rows = []
    for name in names:
        seat = facts["players"].index(name)
        parts = [
            f"{shown.find_name(place.name)} {_word_contents(shown, place, key, content, brief=True)}"
            for place, key, content in _list_places(shown, seat)
            if not _is_empty(content)
        ]
        parts += [out_memory.sentence for out_memory in lay_out_noted(shown.program, facts, name)]
        if name in facts.get("eliminated", ()):
            parts.insert(0, "out of the game")
        rows.append(row(visible(name), " · ".join(parts) or "nothing"))
    return rows


def _lay_out_table(shown: _Shown) -> Rows:
    """Lay out the table: what can be seen has a line of its own; what cannot, is noted or empty shares one each."""
    rows: Rows = []
    hidden: list[str] = []
    pieces: Rows = []
    empty: list[str] = []
    for place, key, content in _list_places(shown, None):
        if key == BOX:
            continue
        if _is_empty(content):
            empty.append(shown.find_name(place.name))
        elif "pieces" in content:
            pieces.append(row(shown.find_name(place.name), _word_contents(shown, place, key, content)))
        elif any(content.get("cards", ())) or content.get("among"):
            rows.append(Row(shown.find_name(place.name), _word_groups(shown, place, key, content)))
        else:
            hidden.append(f"{shown.find_name(place.name)} {_word_contents(shown, place, key, content, brief=True)}")
    noted = [out_memory.sentence for out_memory in lay_out_noted(shown.program, shown.facts, None)]
    rows += _lay_out_on_cards(shown)
    rows += _lay_out_changed(shown)
    rows += pieces if len(pieces) < 3 else [row("pieces", " · ".join(f"{item.label} {item.text}" for item in pieces))]
    for label_of_all, texts in (("face down", hidden), ("noted", noted), ("empty", empty)):
        if texts:
            rows.append(row(label_of_all, " · ".join(texts), idle=texts is empty))
    return rows


def _lay_out_on_cards(shown: _Shown) -> Rows:
    """Lay out places that belong to cards, where something lies in them and no grid shows it."""
    program, names = shown.program, shown.facts["players"]
    known = {place_key(program, names, place) for place in program.layout.places if place.owned_by != "card"}
    rows: Rows = []
    for key, content in shown.facts["places"].items():
        owner, _, name = key.rpartition(".")
        if key not in known and key not in shown.cells and not _is_empty(content):
            rows.append(
                row(f"{_name_card(program, owner)}, {shown.find_name(name)}", _word_contents(shown, None, key, content))
            )
    return rows


def _list_places(shown: _Shown, seat: int | None) -> list[tuple[PlaceSlot, str, Content]]:
    """List the places of a seat, or of the table, in the order of the rulebook, and what is known to be in them; those
    that are drawn as grids are left out.
    """
    places = []
    for place in shown.program.layout.places:
        if place.owned_by != ("table" if seat is None else "player") or place.owner != seat:
            continue
        key = place_key(shown.program, shown.facts["players"], place)
        content = shown.facts["places"].get(key)
        if content is not None and key not in shown.grids and place.name not in shown.program.looks.hidden:
            places.append((place, key, content))
    return sorted(places, key=lambda entry: shown.program.looks.place_of(entry[0].name))


def _is_empty(content: Content) -> bool:
    """Tell whether nothing lies there; of a place whose size nobody may know that is never said."""
    if "pieces" in content:
        return bool(content["pieces"] == 0)
    return not any(card != "" for card in content["cards"]) and content.get("unknown", 0) == 0


def _word_contents(shown: _Shown, place: PlaceSlot | None, key: str, content: Content, brief: bool = False) -> str:
    """Word what lies in a place: `John Smith, Diamond ×2 and 3 unknown`, `20 coins`; briefly just `20`."""
    return ", ".join(_word_groups(shown, place, key, content, brief))


def _word_groups(
    shown: _Shown, place: PlaceSlot | None, key: str, content: Content, brief: bool = False
) -> Sequence[str]:
    """Word what lies in a place, the cards of each sort together; `and 3 unknown` stands behind the last of them."""
    if "pieces" in content:
        count: int | None = content["pieces"]
        if count is None:
            return ("some",)
        return (
            str(count) if brief else Teller(shown.program, tuple(shown.facts["players"]), None).name_pieces(count, key),
        )
    cards: Sequence[str | None] = content["cards"]
    unknown: int | None = content.get("unknown", 0)
    ordered = place is not None and place.ordered and place.kept not in ("slot", "grid")
    if None in cards and not any(cards) and not (ordered and shown.states.get((key, UNKNOWN))):
        # Nothing is known of any: where each lies does not matter.
        cards, unknown = (), len(cards)
    if not cards:
        return (_word_hidden(unknown, brief) + _among(shown, content),)
    groups = [_word_in_order(shown, key, cards)] if ordered else _grouped(shown, key, [card for card in cards if card])
    if unknown or unknown is None:
        groups[-1] += f" and {'some' if unknown is None else unknown} unknown"
    elif place is not None and is_known_alone(shown.program, shown.facts, place, content):
        groups[-1] += f" ({KNOWN})"
    groups[-1] += _among(shown, content)
    return groups


def is_known_alone(program: Program, facts: Facts, place: PlaceSlot, content: Content) -> bool:
    """Tell whether who looks knows all that lies there, though it lies open to nobody but its owner."""
    me = facts.get("you")
    if me is None or "over" in facts or place.owned_by != "player" or facts["players"][place.owner or 0] == me:
        return False
    is_open = place.watchers == program.layout.everyone or content.get("face_up")
    return not is_open and content.get("unknown", 0) == 0 and all(content["cards"])


def _word_hidden(count: int | None, brief: bool) -> str:
    if count is None:
        return "some" if brief else "some cards"
    return str(count) if brief else number_of(count, "card")


def _among(shown: _Shown, content: Content) -> str:
    return f" (among them {', '.join(_grouped(shown, '', content['among']))})" if content.get("among") else ""


def _grouped(shown: _Shown, key: str, cards: Sequence[str]) -> list[str]:
    """Group cards by their sort, in the order that is wanted, else in that of the rulebook; equal ones are counted."""
    counts = Counter(sorted(cards, key=ranks(shown.program).__getitem__))
    sorts: dict[Sort, list[str]] = {}
    for card, number in counts.items():
        text = _times(_name_card(shown.program, card), number) + _word_altered(shown, key, card, number)
        sorts.setdefault(sort_of(shown.program, card), []).append(text)
    return [", ".join(texts) for texts in sorts.values()]


def _times(name: str, number: int) -> str:
    return name if number == 1 else f"{name} ×{number}"


def _word_in_order(shown: _Shown, key: str, cards: Sequence[str | None]) -> str:
    """Word cards as they lie, neighbours that look the same counted."""
    parts: list[tuple[str, int]] = []
    for at, card in enumerate(cards, 1):
        changed = _word_altered(shown, key, UNKNOWN if card is None else card, 1, at)
        name = (f"unknown{changed}" if changed else "") if card is None else _name_card(shown.program, card) + changed
        if parts and parts[-1][0] == name:
            parts[-1] = (name, parts[-1][1] + 1)
        else:
            parts.append((name, 1))
    return ", ".join(_times(name, number) if name else f"{number} unknown" for name, number in parts)


def _word_altered(shown: _Shown, key: str, card: str, number: int, position: int | None = None) -> str:
    """Word what changed on so many equal cards of a place, or on the one at a position: ` (face 2 2 4 5 6)`."""
    if key not in shown.inline:
        return ""
    changed = [
        state
        for state in shown.states.get((key, card), ())
        if position is None or state.get("position", position) == position
    ]
    return word_changed(shown.program, card, number, changed)


def word_changed(program: Program, card: str, number: int, changed: Sequence[Facts]) -> str:
    """Word what changed on so many equal cards, of those on which something did: ` (exchanged, currency Yen)`."""
    parts = list_changed(program, card, number, changed)
    return f" ({', '.join(parts)})" if parts else ""


def list_changed(program: Program, card: str, number: int, changed: Sequence[Facts]) -> list[str]:
    """List what changed on so many equal cards: `exchanged`, `currency Yen`."""
    parts = []
    for name, slot in program.layout.states.items():
        if name in program.looks.hidden:
            continue
        values = [state[name] for state in changed if name in state]
        if card != UNKNOWN and slot.is_face(slot.starts[program.definition.index(card)]):
            values.sort(key=lambda value: (value is None, value or 0))
        if values:
            parts.append(_word_state(program, name, values, number))
    return parts


def _word_state(program: Program, name: str, values: Sequence[Any], number: int) -> str:
    """`exposed`, `not ready`, `2 exposed`, `face 2 2 4`."""
    words = program.looks.called(name)
    if all(isinstance(value, bool) for value in values):
        words = program.looks.word_answer(name, values[0]) or (words if values[0] else f"not {words}")
        return words if len(values) == number else f"{len(values)} {words}"
    texts = [word_shown(program, value, program.layout.states[name].sort) for value in values]
    if all(isinstance(value, int) for value in values):
        return f"{words} {(' ' if all(' ' not in text for text in texts) else ' + ').join(texts)}"
    counts = Counter(texts)
    is_all = len(counts) == 1 and len(values) == number
    return f"{words} {texts[0] if is_all else ', '.join(starmap(_times, counts.items()))}"


def _name_card(program: Program, card: str) -> str:
    return visible(program.definitions.get(card, card))


def lay_out_noted(program: Program, facts: Facts, owner: str | None) -> Rows:
    """Lay out what is written down about somebody, or the table, and the values that are shown beside them."""
    return [*_lay_out_memories(program, facts, owner), *_lay_out_values(program, facts, owner)]


def _lay_out_values(program: Program, facts: Facts, owner: str | None) -> Rows:
    values = facts["values"]
    keys = {shown.name if owner is None else f"{owner}.{shown.name}": shown for shown in program.shown}
    return [
        row(visible(shown.title), word_shown(program, values[key], shown.sort))
        for key, shown in keys.items()
        if shown.of_each is (owner is not None) and key in values
    ]


def _lay_out_memories(program: Program, facts: Facts, owner: str | None) -> Rows:
    """Lay out what is written down about somebody, or the table; nothing gets no line, and zero only as a score."""
    slots = program.layout.memory if owner is None else program.layout.player_memory
    rows: Rows = []
    for name, slot in sorted(slots.items(), key=lambda pair: program.looks.place_of(pair[0])):
        if name in program.looks.hidden:
            continue
        value = facts["memory"].get(name if owner is None else f"{owner}.{name}")
        counts = owner is not None and name not in program.looks.scores
        untouched = counts and value in (0, False) and value == slot.start
        if value is None or value == [] or untouched or (isinstance(value, dict) and not any(value.values())):
            continue
        answer = program.looks.word_answer(name, value)
        rows.append(row(answer) if answer else row(program.looks.called(name), word_shown(program, value, slot.sort)))
    return rows


def word_shown(program: Program, value: Any, sort: str) -> str:
    """A value of a view in words: players and cards are names and ids there, never numbers."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        item, keys = split_table(program, [*value], sort)
        return word_table([(keys[of], entry, word_shown(program, entry, item)) for of, entry in value.items()], sort)
    if isinstance(value, list | tuple):
        inner = sort.removeprefix("list of ")
        return ", ".join(word_shown(program, member, inner) for member in value) or "nothing"
    if isinstance(value, int):
        return word_value(program, (), value, "amount" if sort == "amount" else "number")
    if sort in ("card", "object", "action") and value in program.actions:
        return visible(program.names[program.cards + program.actions.index(value)])
    if sort in ("card", "object"):
        return _name_card(program, value)
    return visible(word_value(program, (), value, sort if sort.startswith("word ") else "text"))


def _lay_out_changed(shown: _Shown) -> Rows:
    """Lay out cards on which something is not as printed, where nothing else shows it; equal ones share a line."""
    program, places = shown.program, shown.facts["places"]
    counts: Counter[tuple[str, str]] = Counter()
    for state in shown.facts["states"]:
        in_grid = state["place"] in shown.grids
        named = None if state["card"] == UNKNOWN and "position" in state else state["card"]
        is_listed = state["place"] in shown.inline and named in places[state["place"]]["cards"]
        if is_listed or state["place"] == BOX:
            continue
        values = [
            program.looks.word_answer(name, value)
            or f"{program.looks.called(name)} {word_shown(program, value, program.layout.states[name].sort)}"
            for name, value in state.items()
            if name in program.layout.states and name not in program.looks.hidden and not (in_grid and is_sign(value))
        ]
        where = state["place"].replace("_", " ") + (f" {_word_position(shown, state)}" if "position" in state else "")
        card = "a card" if state["card"] == UNKNOWN else _name_card(program, state["card"])
        if values:
            counts[f"{card} ({where})", ", ".join(values)] += 1
    return [row(_times(card, number), values) for (card, values), number in counts.items()]


def _word_position(shown: _Shown, state: Facts) -> str:
    content = shown.facts["places"][state["place"]]
    return (
        name_position(state["position"] - 1, content["columns"])
        if state["place"] in shown.grids
        else str(state["position"])
    )


Rank = tuple[int, list[tuple[int, Any]], int]
Sort = tuple[str, str]
"""A kind, and the word by which its cards are sorted first; empty where that is no word."""


def sort_options(program: Program, ask: Ask) -> Ask:
    """Sort the options of an ask in the order in which they are shown, where it is of cards alone."""
    cards = {option.key: option.key.removeprefix("card:") for option in ask.options if option.key != PASS}
    ids = {key: re.split(r"[\[@#]", rest)[0] for key, rest in cards.items()}
    known = ranks(program)
    if not program.looks.sort or not all(id in known for id in ids.values()):
        return ask
    last: Rank = (len(program.looks.order) + 1, [], 0)
    return evolve(ask, options=tuple(sorted(ask.options, key=lambda option: known.get(ids.get(option.key, ""), last))))


@lru_cache(maxsize=8)
def ranks(program: Program) -> dict[str, Rank]:
    """Rank each definition: by kind, then by what is printed on it, then as in the rulebook."""
    looks = program.looks
    places: dict[str, Rank] = {}
    for at, definition in enumerate(program.definitions):
        copy = program.definition.index(definition) if definition in program.definition else None
        kind = "" if copy is None else program.kind[copy]
        by = [] if copy is None else [program.attributes[name][copy] for name in looks.sorted_by(kind)]
        places[definition] = looks.place_of(kind), [_sortable(program, value) for value in by], at
    return places


def _sortable(program: Program, value: Any) -> tuple[int, Any]:
    """Make a key to sort printed values by: words in the order in which the rulebook lists them; nothing is last."""
    if isinstance(value, str):
        at = next((list(words).index(value) for words in program.words.values() if value in words), len(value))
        return 0, at
    return (0, value) if isinstance(value, int) else (1, 0)


def sort_of(program: Program, definition: str) -> Sort:
    """Return what a card stands together with: its kind, and its suit or the like."""
    if definition not in program.definition:
        return "", ""
    copy = program.definition.index(definition)
    kind = program.kind[copy]
    by = program.looks.sorted_by(kind)[:1]
    value = program.attributes[by[0]][copy] if by else None
    return kind, value if isinstance(value, str) else ""


def tints(program: Program) -> dict[str, str]:
    """Find the colour of each card and word that has one, by its name; none where things of one name differ in it."""
    by_name: dict[str, set[str]] = {}
    cards = ((program.definitions[id], colour) for id, colour in find_colours(program).items())
    for name, colour in (*cards, *_list_words(program)):
        by_name.setdefault(visible(name), set()).add(colour)
    return {name: colours.pop() for name, colours in by_name.items() if len(colours) == 1 and "" not in colours}


def find_colours(program: Program) -> dict[str, str]:
    """Find the colour of each card that is in the game, by its id; empty if it has none."""
    colours = {}
    for id in program.definitions:
        if id in program.definition:
            copy = program.definition.index(id)
            printed = {attribute: values[copy] for attribute, values in program.attributes.items()}
            colours[id] = _colour(program, program.kind[copy], printed)
    return colours


def _list_words(program: Program) -> Iterator[tuple[str, str]]:
    for words in program.words.values():
        for word, name in words.items():
            yield name, _colour(program, word, {})


def _colour(program: Program, name: str, printed: Mapping[str, Any]) -> str:
    words = {name}
    for value in printed.values():
        words |= {word for word in (value if isinstance(value, tuple) else (value,)) if isinstance(word, str)}
    return next((colour for names, colour in program.looks.colours if names & words), "")
