"""Views: all that one player may know of a game, as plain JSON. `collect_facts` gives the table as a seat knows it, and
`View` adds the seat's own events and the question that it is asked.

Everything shown comes from sight and knowledge (`knowledge.recognises`); who was eliminated has no more of either than
everyone. Nothing is shown that another state, which this seat could not tell from this one, would show otherwise.

A place is shown under its key. Without order: `{"cards": [ids], "unknown": n}`, ids sorted, then how many
others. With an order: `{"cards": [id or null, …]}`, null for a card that this seat does not know; in a
grid, `""` where nothing lies; in a pile, `among` lists cards that are known to lie in it, but not where.
`face_up` lists what lies face up: ids where there is no order, else positions counted from 1. A pool:
`{"pieces": n}`. Of a place whose size this seat may not know, the number is null and a list holds only what
is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.classes import frozen
from rulebook.interpreter.decisions import Ask, Endless, RuleError
from rulebook.interpreter.events import Event
from rulebook.interpreter.knowledge import keep_known, knowers, open_known, readers, recognises
from rulebook.interpreter.layout import (
    ALIVE,
    ELIMINATED,
    FACES,
    PENDING,
    RESULT,
    STACK,
    WHERE,
    MemorySlot,
    PlaceSlot,
    StateSlot,
)
from rulebook.interpreter.program import Program
from rulebook.interpreter.run import Look, NotKnown, NotThere, Run
from rulebook.interpreter.state import State, cards_in, count_in, position
from rulebook.interpreter.wording import UNKNOWN, Names, is_of_cards, is_table, make_plain, place_key

Facts = dict[str, Any]


@frozen
class View:
    """Everything that one seat is sent: the table, what happened, and what it is asked (None: nothing)."""

    seat: int
    facts: Facts
    events: tuple[Event, ...]
    ask: Ask | None

    def to_json(self) -> dict[str, Any]:
        return {
            "view": self.facts,
            "events": [event.to_json() for event in self.events],
            "ask": self.ask.to_json() if self.ask is not None else None,
        }


def collect_facts(program: Program, names: Names, state: State, seat: int) -> Facts:
    """The table as a seat knows it now."""
    gone = {player for group in state[ELIMINATED] for player in group}
    facts: Facts = {
        "you": names[seat],
        "players": list(names),
        "eliminated": [names[player] for player in sorted(gone)],
        "stages": list_stages(program, names, state),
        "waiting": find_waiting(program, names, state, seat),
        "places": collect_places(program, names, state, seat),
        "memory": collect_memory(program, names, state, seat),
        "states": collect_states(program, names, state, seat),
        "values": collect_values(program, names, state, Look(1 << seat)),
    }
    if state[RESULT] is not None:
        facts["over"] = describe_end(names, state)
    return facts


def collect_common_facts(program: Program, names: Names, state: State) -> Facts:
    """The table as every player knows it who has not been eliminated, one like the other; nobody is `you`."""
    alive = tuple(state[ALIVE]) or tuple(range(len(names)))
    # Somebody who owns nothing, and recognises what all of them do.
    seat, onlooker = alive[0], state[:]
    known = open_known(state)
    for card in range(program.cards):
        if not all(recognises(program, state, player, card) for player in alive):
            known[card] &= ~(1 << seat)
    keep_known(onlooker, known)
    onlooker[ALIVE] = tuple(player for player in alive if player != seat)
    facts = collect_facts(program, names, onlooker, seat)
    facts["stages"] = list_stages(program, names, state)
    facts["values"] = collect_values(program, names, state, Look(sum(1 << player for player in alive), True))
    if is_quiet(program, state):
        facts["waiting"] = "quiet"
    del facts["you"]
    return facts


# ── where the game stands ───────────────────────────────────────────────────────────────────────────────────


def list_stages(program: Program, names: Names, state: State) -> list[str]:
    """The titles of the stages the game is in, outermost first."""
    if state[STACK] is None:
        return []
    run = Run(program, names, state)
    run.load_frame()
    return [title for _, title in run.titled_stages()]


def is_quiet(program: Program, state: State) -> bool:
    """Tell whether the others may not learn who is being asked."""
    op = program.choice_at(state)
    return op is not None and (op.quiet or op.veiled)


def find_waiting(program: Program, names: Names, state: State, seat: int) -> list[str] | str:
    """Return who has still to answer, as far as this seat may know: names, `quiet`, or `chance`."""
    pending = state[PENDING]
    if pending is None or pending[0] == "over":
        return []
    if pending[0] == "chance":
        return "chance"
    players = [player for player, _, _, done in pending[1] if not done]
    if not is_quiet(program, state):
        return [names[player] for player in players]
    return [names[seat]] if seat in players else "quiet"


def describe_end(names: Names, state: State) -> Facts:
    """Return how the game ended; standings are the machine's to find (`Game.outcome`)."""
    how, *placed = state[RESULT]
    end: Facts = {"how": how}
    if placed:
        end["winners"] = [names[player] for group in placed[0][:1] for player in group]
    return end


# ── what lies where ─────────────────────────────────────────────────────────────────────────────────────────


def collect_places(program: Program, names: Names, state: State, seat: int) -> Facts:
    """Every place under its key."""
    shown = [
        (place_key(program, names, place), _collect_place(program, state, seat, place))
        for place in program.layout.places
    ]
    taken: dict[str, list[Facts]] = {}
    for key, contents in shown:
        taken.setdefault(key, []).append(contents)
    places: Facts = {}
    for key, alike in taken.items():
        # Equal cards with places of their own: which copy is which must not show, so they go by contents.
        if len(alike) > 1:
            alike.sort(key=lambda lying: json.dumps(lying, sort_keys=True))
        for number, contents in enumerate(alike, 1):
            places[key if number == 1 else f"{key}#{number}"] = contents
    return places


def _collect_place(program: Program, state: State, seat: int, place: PlaceSlot) -> Facts:
    counted = may_count(state, seat, place)
    if place.kept == "pool":
        return {"pieces": count_in(program.layout, state, place) if counted else None}
    if place.ordered:
        return _collect_in_order(program, state, seat, place, counted)
    cards = cards_in(program.layout, state, place)
    known = [card for card in cards if _shows(program, state, seat, card)]
    facts: Facts = {"cards": _ids(program, known), "unknown": len(cards) - len(known) if counted else None}
    return _with_faces(facts, _ids(program, [card for card in cards if state[FACES][card]]))


def _collect_in_order(program: Program, state: State, seat: int, place: PlaceSlot, counted: bool) -> Facts:
    contents = list(state[place.slot])
    top, bottom = state[place.settled] if place.settled is not None else (len(contents), 0)
    settled = [index < top or index >= len(contents) - bottom for index in range(len(contents))]
    empty = program.layout.empty if place.kept == "grid" else None
    listed: list[str | None] = []
    among: list[int] = []
    for card, is_settled in zip(contents, settled, strict=True):
        if card == empty:
            listed.append("")
        elif not _shows(program, state, seat, card):
            listed.append(None)
        elif is_settled:
            listed.append(program.definition[card])
        else:
            listed.append(None)
            among.append(card)
    facts: Facts = {"cards": listed if counted else [id for id in listed if id]}
    if among:
        facts["among"] = _ids(program, among)
    if place.kept == "grid":
        facts["rows"], facts["columns"] = place.rows, place.columns
    # Only the top of a pile shows its face; and of a pile in no order nobody can say which card that is.
    open_to_sight = [0] if place.kept == "pile" and contents and settled[0] else range(len(contents))
    if place.kept == "pile" and not (contents and settled[0]):
        open_to_sight = []
    faces = state[FACES]
    up = [index + 1 for index in open_to_sight if contents[index] != empty and faces[contents[index]]]
    return _with_faces(facts, up)


def _with_faces(facts: Facts, up: Sequence[Any]) -> Facts:
    if up:
        facts["face_up"] = list(up)
    return facts


def _ids(program: Program, cards: Iterable[int]) -> list[str]:
    """Sorted by id: the order of the numbers is the machine's own."""
    return sorted(program.definition[card] for card in cards)


def may_count(state: State, seat: int, place: PlaceSlot) -> bool:
    """Tell whether a seat may count the cards of a place."""
    if place.counted == "owner":
        return place.owned_by == "player" and place.owner == seat and seat in state[ALIVE]
    return place.counted != "nobody"


def _shows(program: Program, state: State, seat: int, card: int) -> bool:
    """Tell whether this card is shown to a seat by its id."""
    return bool(knowers(program, state, card) >> seat & 1)


# ── what is written down, what changed on cards ─────────────────────────────────────────────────────────────


def collect_memory(program: Program, names: Names, state: State, seat: int) -> Facts:
    """Every memory that a seat sees; a player's under `Ana.name`."""
    memory: Facts = {}
    for name, slot in program.layout.memory.items():
        if sees_memory(state, slot, None, seat):
            memory[name] = value_for(program, names, state, seat, state[slot.slot], slot.sort)
    for name, slot in program.layout.player_memory.items():
        for owner, owner_name in enumerate(names):
            if sees_memory(state, slot, owner, seat):
                value = state[slot.slot + owner]
                memory[f"{owner_name}.{name}"] = value_for(program, names, state, seat, value, slot.sort)
    return memory


def sees_memory(state: State, slot: MemorySlot, owner: int | None, seat: int) -> bool:
    """Tell whether a seat may read a memory of an owner (None: the table)."""
    return bool(readers(state, slot, owner) >> seat & 1)


def value_for(program: Program, names: Names, state: State, seat: int, value: Any, sort: str) -> Any:
    """A value as one seat may read it: cards that it does not know are `?`, and no list shows how cards are stored."""
    if value is None or not is_of_cards(sort):
        return make_plain(program, names, value, sort)
    if is_table(sort):
        item = sort.rpartition(" by ")[0]
        shown = [value_for(program, names, state, seat, entry, item) for entry in value]
        return dict(zip(names, shown, strict=True))
    if not isinstance(value, tuple):
        return _object(program, names, state, seat, value)
    # Sorted, because a list made from an unordered place stands in the order of the numbers.
    return sorted(_object(program, names, state, seat, member) for member in value)


def _object(program: Program, names: Names, state: State, seat: int, value: int) -> str:
    if value < program.cards and not _shows(program, state, seat, value):
        return UNKNOWN
    return str(make_plain(program, names, value, "object"))


def collect_states(program: Program, names: Names, state: State, seat: int) -> list[Facts]:
    """The cards on which something is not as it began, or is a face, as far as a seat can see that, in the order of the
    rulebook."""
    states: list[tuple[int, str, Facts]] = []
    slots = list(program.layout.states.values())
    for card in range(program.cards) if slots else ():
        shown = _shows(program, state, seat, card)
        values = {
            slot.name: value_for(program, names, state, seat, state[slot.slot][card], slot.sort)
            for slot in slots
            if is_visible(slot, shown) and state[slot.slot][card] != slot.find_expected(card, shown)
        }
        if values:
            facts = {**_collect_spot(program, names, state, card, shown), **values}
            states.append((program.likeness[card] if shown else -1, json.dumps(facts, sort_keys=True), facts))
    return [facts for _, _, facts in sorted(states, key=lambda entry: entry[:2])]


# ── what the rules answer ───────────────────────────────────────────────────────────────────────────────────


def collect_values(program: Program, names: Names, state: State, look: Look) -> Facts:
    """The values that are shown beside players (under `Ana.name`) and the table, as far as whoever looks knows all that
    their answers come from. Which one stops for want of that, or for another reason, must not show; it is left out.
    """
    values: Facts = {}
    run = Run(program, names, state)
    run.watch = look
    for shown in program.shown:
        for owner in state[ALIVE] if shown.of_each else (None,):
            run.looked_at = 0
            try:
                answer = run.answer_to(shown.question, () if owner is None else (owner,))
            except (NotKnown, NotThere, RuleError, Endless):
                continue
            if answer is not None:
                key = shown.name if owner is None else f"{names[owner]}.{shown.name}"
                values[key] = make_plain(program, names, answer, shown.sort)
    return values


def is_visible(slot: StateSlot, shown: bool) -> bool:
    """Tell whether a state of a card can be seen by who does (or does not) know the card."""
    return shown or not slot.with_face


def _collect_spot(program: Program, names: Names, state: State, card: int, shown: bool) -> Facts:
    place = program.layout.places[state[WHERE][card]]
    spot: Facts = {
        "card": program.definition[card] if shown else UNKNOWN,
        "place": place_key(program, names, place),
    }
    if place.kept in ("row", "grid"):
        spot["position"] = position(state, place, card) + 1
    return spot
