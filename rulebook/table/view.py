"""What one player sees of the table, as lines of text.

In: the facts of a `View`, which hold what this player may know and nothing else, and the public tables of the
program (names of cards, which places there are). Out: lines that fit the width. Never: reads a state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import label, place_key
from rulebook.table.columns import labelled, shortened, visible, wrapped
from rulebook.table.telling import titled

Facts = Mapping[str, Any]
Content = Mapping[str, Any]
Rows = list[tuple[str, str]]


def in_words(name: str) -> str:
    """The name of a place or a memory as people read it."""
    return name.replace("_", " ")


def headline(program: Program, facts: Facts, columns: int) -> str:
    """The game and where in it we are: `Wallet · Round 1 · Ana's turn`."""
    stages = [visible(titled(title)) for title in facts.get("stages", ())]
    return shortened(" · ".join([visible(program.name), *stages]), columns)


def table(program: Program, facts: Facts, columns: int, tight: bool = False) -> list[str]:
    """The whole view: what is this player's own, what the others have, what lies on the table.

    A `tight` one leaves out what goes without saying: the headings, and which places are empty.
    """
    me = facts["you"]
    others = [name for name in facts["players"] if name != me]
    parts = [
        ("You" if me == "You" else f"You ({visible(me)})", _own(program, facts, me)),
        ("Others", _others(program, facts, others)),
        ("Table", _table_rows(program, facts, tight)),
    ]
    if tight:
        return [parts[0][0], *labelled([row for _, rows in parts for row in rows], columns)]
    return [line for heading, rows in parts if rows for line in (heading, *labelled(rows, columns))]


def _own(program: Program, facts: Facts, me: str) -> Rows:
    seat = facts["players"].index(me)
    rows = [
        (in_words(place.name), _contents(program, place, content))
        for place, content in _places(program, facts, seat)
        if not _is_empty(content)
    ]
    return [*rows, *_memories(program, facts, me)] or [("nothing", "")]


def _others(program: Program, facts: Facts, names: Sequence[str]) -> Rows:
    rows: Rows = []
    for name in names:
        seat = facts["players"].index(name)
        parts = [
            f"{in_words(place.name)} {_contents(program, place, content, brief=True)}"
            for place, content in _places(program, facts, seat)
            if not _is_empty(content)
        ]
        parts += [f"{memory} {text}" for memory, text in _memories(program, facts, name)]
        if name in facts.get("eliminated", ()):
            parts.insert(0, "out of the game")
        rows.append((visible(name), " · ".join(parts) or "nothing"))
    return rows


def _table_rows(program: Program, facts: Facts, tight: bool) -> Rows:
    """What can be seen has a line of its own; what cannot, what is noted and what is empty share one each."""
    rows: Rows = []
    hidden: list[str] = []
    empty: list[str] = []
    for place, content in _places(program, facts, None):
        if place.ordinal == 0:
            continue  # the box: what is not in the game
        if _is_empty(content):
            empty.append(in_words(place.name))
        elif any(content.get("cards", ())) or content.get("among"):
            rows.append((in_words(place.name), _contents(program, place, content)))
        else:
            hidden.append(f"{in_words(place.name)} {_contents(program, place, content, brief=True)}")
    noted = [f"{memory} {text}" for memory, text in _memories(program, facts, None)]
    rows += _on_cards(program, facts)
    rows += _changed(program, facts)
    for label_of_all, texts in (("face down", hidden), ("noted", noted), ("empty", [] if tight else empty)):
        if texts:
            rows.append((label_of_all, " · ".join(texts)))
    return rows


def _on_cards(program: Program, facts: Facts) -> Rows:
    """Places that belong to cards, where something lies in them."""
    names, places = facts["players"], program.layout.places
    known = {place_key(program, names, place) for place in places if place.owned_by != "card"}
    rows: Rows = []
    for key, content in facts["places"].items():
        owner, _, name = key.rpartition(".")
        if key not in known and not _is_empty(content):
            label = f"{_card(program, owner)}, {in_words(name)}"
            rows.append((label, _contents(program, None, content)))
    return rows


def _places(program: Program, facts: Facts, seat: int | None) -> list[tuple[PlaceSlot, Content]]:
    """The places of a seat, or of the table, in the order of the rulebook, and what is known to be in them."""
    found = []
    for place in program.layout.places:
        if place.owned_by != ("table" if seat is None else "player") or place.owner != seat:
            continue
        content = facts["places"].get(place_key(program, facts["players"], place))
        if content is not None:
            found.append((place, content))
    return found


def _is_empty(content: Content) -> bool:
    """Whether nothing lies there; of a place whose size nobody may know that is never said."""
    if "pieces" in content:
        return bool(content["pieces"] == 0)
    return not any(card != "" for card in content["cards"]) and content.get("unknown", 0) == 0


def _contents(program: Program, place: PlaceSlot | None, content: Content, brief: bool = False) -> str:
    """What lies in a place: `John Smith, Diamond ×2 and 3 unknown`, `20 cards`; briefly just `20`."""
    if "pieces" in content:
        count: int | None = content["pieces"]
        if count is None:
            return "some pieces"
        return str(count) if brief else _counted(count, "piece")
    cards: Sequence[str | None] = content["cards"]
    if "rows" in content:
        return _grid(program, content)
    unknown: int | None = content.get("unknown", 0)
    if None in cards and not any(cards):
        # Nothing is known of any: where each lies does not matter.
        cards, unknown = (), len(cards)
    if not cards:
        return _hidden(unknown, brief) + _among(program, content)
    ordered = place is not None and place.ordered and place.kept != "slot"
    text = _in_order(program, cards) if ordered else _grouped(program, [card for card in cards if card])
    if unknown or unknown is None:
        text += f" and {'some' if unknown is None else unknown} unknown"
    return text + _among(program, content)


def _hidden(count: int | None, brief: bool) -> str:
    if count is None:
        return "some" if brief else "some cards"
    return str(count) if brief else _counted(count, "card")


def _among(program: Program, content: Content) -> str:
    return f" (among them {_grouped(program, content['among'])})" if content.get("among") else ""


def _grouped(program: Program, cards: Sequence[str]) -> str:
    counts = Counter(_card(program, card) for card in cards)
    return ", ".join(_times(name, number) for name, number in counts.items())


def _times(name: str, number: int) -> str:
    return name if number == 1 else f"{name} ×{number}"


def _in_order(program: Program, cards: Sequence[str | None]) -> str:
    """Cards as they lie, neighbours that look the same counted."""
    parts: list[tuple[str, int]] = []
    for card in cards:
        name = "" if card is None else _card(program, card)
        if parts and parts[-1][0] == name:
            parts[-1] = (name, parts[-1][1] + 1)
        else:
            parts.append((name, 1))
    return ", ".join(_times(name, number) if name else f"{number} unknown" for name, number in parts)


def _grid(program: Program, content: Content) -> str:
    """Every position at which something lies, by its number; how many there are is said first."""
    rows, columns = content["rows"], content["columns"]
    named = [
        f"{number} {'unknown' if card is None else _card(program, card)}"
        for number, card in enumerate(content["cards"], 1)
        if card != ""
    ]
    return f"{rows} by {columns}: {', '.join(named)}"


def _card(program: Program, card: str) -> str:
    return visible(program.definitions.get(card, card))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _memories(program: Program, facts: Facts, owner: str | None) -> Rows:
    """What is written down about somebody, or the table; nothing, and what is still zero, are not worth a
    line.
    """
    slots = program.layout.memory if owner is None else program.layout.player_memory
    rows: Rows = []
    for name, slot in slots.items():
        value = facts["memory"].get(name if owner is None else f"{owner}.{name}")
        untouched = owner is not None and value in (0, False) and value == slot.start
        if value is None or value == [] or untouched:
            continue
        rows.append((in_words(name), said(program, value, slot.sort)))
    return rows


def said(program: Program, value: Any, sort: str) -> str:
    """A value of a view in words: players and cards are names and ids there, never numbers."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        inner = sort.removeprefix("list of ")
        return ", ".join(said(program, one, inner) for one in value) or "nothing"
    if isinstance(value, int):
        return label(program, (), value, "amount" if sort == "amount" else "number")
    if sort in ("card", "object", "action") and value in program.actions:
        return visible(program.names[program.cards + program.actions.index(value)])
    if sort in ("card", "object"):
        return _card(program, value)
    return visible(label(program, (), value, sort if sort.startswith("word ") else "text"))


def _changed(program: Program, facts: Facts) -> Rows:
    """Cards on which something is not as printed."""
    rows: Rows = []
    for one in facts["states"]:
        spot = in_words(one["place"]) + (f" {one['position']}" if "position" in one else "")
        card = "a card" if one["card"] == "?" else _card(program, one["card"])
        values = [
            f"{in_words(name)} {said(program, value, program.layout.states[name].sort)}"
            for name, value in one.items()
            if name in program.layout.states
        ]
        rows.append((f"{card} ({spot})", ", ".join(values)))
    return rows


def sentences(texts: Sequence[str], columns: int) -> list[str]:
    """Sentences about what happened, wrapped, with a dash before each."""
    return [line for text in texts for line in wrapped(f"- {visible(text)}", columns, "  ")]
