"""Moves of cards and pieces from one place to another, with faces, knowledge and events."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from rulebook.interpreter import knowledge
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.events import How
from rulebook.interpreter.layout import BOX, FACES, KNOWN, WHERE, PlaceSlot
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State, cards_in
from rulebook.interpreter.wording import place_key

Spot = tuple[PlaceSlot, int | None]
"""A place, or one position of it."""


def carry(
    run: Run, cards: Sequence[int], goal: Spot, end: str = "", face: str = "", how: How = How.MOVE, tell: bool = True
) -> None:
    """Move cards, in this order, from wherever they lie. Cards that lie in a pool have become pieces and stay."""
    state, places, (place, index) = run.state, run.layout.places, goal
    sources: dict[int, list[int]] = {}
    for card in cards:
        ordinal = state[WHERE][card]
        if places[ordinal].kept != "pool":
            sources.setdefault(ordinal, []).append(card)
    if not sources:
        return
    if place.kept == "pool":
        _pour_cards(run, sources, place)
        return
    up = face == "up" or (not face and place.arrives_up)
    seers = run.layout.everyone if up and not covers(place, sources, end) else knowledge.watchers(state, place)
    whole, before = whole_pile(run, sources, place), find_recognisers(run, cards)
    bared = [places[ordinal] for ordinal, leaving in sources.items() if is_bared(run, places[ordinal], leaving)]
    for ordinal, leaving in sources.items():
        source = places[ordinal]
        if not source.ordered:
            knowledge.departs(run.program, state, source, leaving, seers)
            if place.ordered:
                blind = run.layout.everyone & ~(knowledge.watchers(state, source) | seers)
                knowledge.mixed(run.program, state, _face_down(run, leaving), blind)
        elif place.ordered and source.settled is not None and whole is None:
            settle_leaving(run, source, leaving)
        take_cards(run, source, leaving)
    moved = [card for leaving in sources.values() for card in leaving]
    put_cards(run, place, moved, end, index)
    if whole is not None and place.settled is not None:
        state[place.slot], state[place.settled] = whole
    set_faces(run, moved, up)
    if place.ordinal == BOX:
        restore(run, moved)
    if seers:
        knowledge.learn_cards(state, moved, seers)
    for ordinal in (*sources, place.ordinal):
        knowledge.uncover(run.program, state, places[ordinal])
    run.touch()
    if tell:
        for ordinal, leaving in sources.items():
            tell_moved(run, leaving, places[ordinal], place, how, before)
        for source in bared:
            tell_uncovered(run, source, moved)


def is_bared(run: Run, place: PlaceSlot, leaving: Sequence[int]) -> bool:
    """Tell whether the card at the top of a pile is among those that leave it."""
    return place.settled is not None and run.state[place.slot][0] in leaving


def tell_uncovered(run: Run, pile: PlaceSlot, moved: Sequence[int] = ()) -> None:
    """Everyone notices which card lies open on a pile now; not if it is one of which they have just been told."""
    top = run.state[pile.slot][:1]
    everyone = run.layout.everyone
    if top and top[0] not in moved and pile.watchers != everyone == knowledge.sight(run.program, run.state, top[0]):
        run.emit_cards("uncovered", top, place=make_place_key(run, pile))


def find_recognisers(run: Run, cards: Iterable[int]) -> dict[int, int]:
    """By card the mask of seats that recognise it where it lies; none where nobody is told what happens."""
    return {} if run.events is None else {card: knowledge.recognisers(run.program, run.state, card) for card in cards}


def tell_moved(
    run: Run, cards: Sequence[int], source: PlaceSlot, goal: PlaceSlot, how: How, before: Mapping[int, int]
) -> None:
    """Everyone notices that cards moved, and which, as far as they know them now and recognise them where they lie, or
    did `before`.
    """
    if run.events is not None and cards:
        face = "up" if run.state[FACES][cards[0]] else "down"
        facts: dict[str, Any] = {
            "from": make_place_key(run, source),
            "to": make_place_key(run, goal),
            "how": how.value,
            "face": face,
        }
        now, known = find_recognisers(run, cards), run.state[KNOWN]
        run.emit_cards("moved", cards, [known[card] & (now[card] | before.get(card, 0)) for card in cards], **facts)


def pour(run: Run, count: int, source: PlaceSlot, goal: PlaceSlot) -> int:
    """Move pieces between pools, as many as there are; how many that was."""
    state = run.state
    count = max(0, min(count, state[source.slot]))
    if count and source is not goal:
        state[source.slot] -= count
        state[goal.slot] += count
        run.touch()
        _tell_pieces(run, count, source, goal)
    return count


def make_place_key(run: Run, place: PlaceSlot) -> str:
    return place_key(run.program, run.names, place)


# ── contents ─────────────────────────────────────────────────────────────────────────────────────


def take_cards(run: Run, place: PlaceSlot, cards: Sequence[int]) -> None:
    """Take cards out of a place; a pile stays settled where it was."""
    state, layout = run.state, run.layout
    contents = state[place.slot]
    if place.kept == "grid":
        gone = set(cards)
        state[place.slot] = layout.pack([layout.empty if card in gone else card for card in contents])
        return
    if place.settled is not None:
        top, bottom = state[place.settled]
        for card in cards:
            index = contents.index(card)
            if index < top:
                top -= 1
            elif index >= len(contents) - bottom:
                bottom -= 1
            contents = contents[:index] + contents[index + 1 :]
        state[place.settled] = (top, bottom)
    elif len(cards) == 1:
        index = contents.index(cards[0])
        contents = contents[:index] + contents[index + 1 :]
    else:
        gone = set(cards)
        contents = layout.pack([card for card in contents if card not in gone])
    state[place.slot] = contents


def put_cards(run: Run, place: PlaceSlot, cards: Sequence[int], end: str = "", index: int | None = None) -> None:
    """Lay cards into a place, one after the other: on a pile, the last one comes to lie on top."""
    state, layout = run.state, run.layout
    contents = state[place.slot]
    relocate(run, dict.fromkeys(cards, place.ordinal))
    if place.kept == "grid":
        state[place.slot] = _on_grid(run, place, cards, index)
    elif not place.ordered:
        if len(cards) == 1:
            at = bisect(contents, cards[0])
            state[place.slot] = contents[:at] + layout.pack(cards) + contents[at:]
        else:
            state[place.slot] = layout.pack(sorted((*contents, *cards)))
    elif place.settled is not None:
        top, bottom = state[place.settled]
        if end == "bottom":
            state[place.slot], state[place.settled] = contents + layout.pack(cards), (top, bottom + len(cards))
        else:
            state[place.slot], state[place.settled] = layout.pack(cards[::-1]) + contents, (top + len(cards), bottom)
    elif place.kept == "slot" and len(contents) + len(cards) > 1:
        raise RuleError(f"{make_place_key(run, place)} has room for one card only.")
    elif end == "top":
        state[place.slot] = layout.pack(cards) + contents
    else:
        state[place.slot] = contents + layout.pack(cards)


def relocate(run: Run, ordinals: dict[int, int]) -> None:
    """Cards lie in these places from now on."""
    where = run.state[WHERE]
    wide = isinstance(where, tuple)
    changed = list(where) if wide else bytearray(where)
    for card, ordinal in ordinals.items():
        changed[card] = ordinal
    run.state[WHERE] = tuple(changed) if wide else bytes(changed)


def _on_grid(run: Run, place: PlaceSlot, cards: Sequence[int], index: int | None) -> Sequence[int]:
    contents, empty = list(run.state[place.slot]), run.layout.empty
    free = [at for at, card in enumerate(contents) if card == empty] if index is None else [index]
    if len(free) < len(cards):
        raise RuleError(f"There is no room for so many cards in {make_place_key(run, place)}.")
    for at, card in zip(free, cards, strict=False):
        if contents[at] != empty:
            raise RuleError(f"Position {at + 1} of {make_place_key(run, place)} is taken.")
        contents[at] = card
    return run.layout.pack(contents)


def restore(run: Run, cards: Sequence[int]) -> None:
    """Cards in the box are as printed again."""
    for slot in run.program.changing:
        before = run.state[slot.slot]
        changed = [card for card in cards if before[card] != slot.starts[card]]
        if changed:
            values = list(before)
            for card in changed:
                values[card] = slot.starts[card]
            run.state[slot.slot] = slot.starts if tuple(values) == slot.starts else tuple(values)


def settle_leaving(run: Run, pile: PlaceSlot, leaving: list[int]) -> None:
    """Cards that leave a pile before they had an order, for a place that has one, get theirs now."""
    state = run.state
    assert pile.settled is not None
    top, bottom = state[pile.settled]
    contents = state[pile.slot]
    loose = set(contents[top : len(contents) - bottom])
    spots = [at for at, card in enumerate(leaving) if card in loose]
    left = sorted(leaving[at] for at in spots)
    for at in spots:
        leaving[at] = left.pop(run.draw_below(pile.stream, len(left)))


def whole_pile(run: Run, sources: dict[int, list[int]], goal: PlaceSlot) -> tuple[Sequence[int], Any] | None:
    """Contents and order of a pile that moves as a whole onto an empty one: it stays as it is, settled or not."""
    if goal.settled is None or len(sources) > 1 or run.state[goal.slot]:
        return None
    [(ordinal, leaving)] = sources.items()
    source = run.layout.places[ordinal]
    if source.settled is None or tuple(leaving) != tuple(run.state[source.slot]):
        return None
    return run.state[source.slot], run.state[source.settled]


def covers(goal: PlaceSlot, sources: dict[int, list[int]], end: str) -> bool:
    """Tell whether cards that come face up lie under others of a pile at once, where only its top card can be seen."""
    return goal.kept == "pile" and (end == "bottom" or sum(map(len, sources.values())) > 1)


def set_faces(run: Run, cards: Iterable[int], up: bool) -> None:
    faces = bytearray(run.state[FACES])
    for card in cards:
        faces[card] = up
    run.state[FACES] = bytes(faces)


def _face_down(run: Run, cards: Sequence[int]) -> list[int]:
    faces = run.state[FACES]
    return [card for card in cards if not faces[card]]


def _pour_cards(run: Run, sources: dict[int, list[int]], goal: PlaceSlot) -> None:
    """Cards become pieces of a pool: from now on they are only a number."""
    state = run.state
    for ordinal, leaving in sources.items():
        source = run.layout.places[ordinal]
        bared = is_bared(run, source, leaving)
        take_cards(run, source, leaving)
        relocate(run, dict.fromkeys(leaving, goal.ordinal))
        state[goal.slot] += len(leaving)
        knowledge.uncover(run.program, state, source)
        run.touch()
        _tell_pieces(run, len(leaving), source, goal)
        if bared:
            tell_uncovered(run, source)


def _tell_pieces(run: Run, count: int, source: PlaceSlot, goal: PlaceSlot) -> None:
    if run.events is not None:
        facts: dict[str, Any] = {"count": count, "from": make_place_key(run, source), "to": make_place_key(run, goal)}
        run.emit("pieces", **facts)


# ── exchanges ────────────────────────────────────────────────────────────────────────────────────


def exchange_places(run: Run, first: PlaceSlot, second: PlaceSlot) -> None:
    """Two places change their whole contents."""
    replace_contents(run, {first: second, second: first}, How.SWAP)


def replace_contents(run: Run, goals: dict[PlaceSlot, PlaceSlot], how: How) -> None:
    """Whole places change hands at once, each into its goal; what was known about their cards goes with them."""
    state = run.state
    before = {place: (state[place.slot], place.settled and state[place.settled]) for place in goals}
    moved = {place: cards_in(run.layout, state, place) for place in goals}
    recognised = find_recognisers(run, chain.from_iterable(moved.values()))
    for place, goal in goals.items():
        state[goal.slot], settled = before[place]
        if goal.settled is not None:
            state[goal.settled] = settled
        relocate(run, dict.fromkeys(moved[place], goal.ordinal))
    for place, goal in goals.items():
        if place.seen_by != goal.seen_by:
            set_faces(run, moved[place], goal.arrives_up)
        knowledge.see_cards(run.program, state, moved[place])
    if any(contents for contents, _ in before.values()):
        run.touch()
    for place, goal in goals.items():
        tell_moved(run, moved[place], place, goal, how, recognised)


def as_kept(state: State, place: PlaceSlot, contents: list[int]) -> list[int]:
    """Cards that stand where others stood: where there is no order, or none yet, they lie as if they had always been
    there.
    """
    top, bottom = (0, 0) if place.settled is None else state[place.settled]
    if place.ordered and place.settled is None:
        return contents
    end = len(contents) - bottom
    return [*contents[:top], *sorted(contents[top:end]), *contents[end:]]


def exchange(run: Run, first: int, second: int) -> None:
    """Two cards change places; each takes the other's position where there is one."""
    state, places = run.state, run.layout.places
    from_place, other = places[state[WHERE][first]], places[state[WHERE][second]]
    if first == second:
        return
    before = find_recognisers(run, (first, second))
    for card, place, goal in ((first, from_place, other), (second, other, from_place)):
        if not place.ordered and place is not goal:
            up = state[FACES][card] if place.seen_by == goal.seen_by else goal.arrives_up
            seers = run.layout.everyone if up else knowledge.watchers(state, goal)
            knowledge.departs(run.program, state, place, [card], seers)
    contents = {place: list(state[place.slot]) for place in (from_place, other)}
    at, there = contents[from_place].index(first), contents[other].index(second)
    contents[from_place][at], contents[other][there] = second, first
    for place, cards in contents.items():
        state[place.slot] = run.layout.pack(as_kept(state, place, cards))
    relocate(run, {first: other.ordinal, second: from_place.ordinal})
    if from_place.seen_by != other.seen_by:
        set_faces(run, [first], other.arrives_up)
        set_faces(run, [second], from_place.arrives_up)
    knowledge.see_cards(run.program, state, (first, second))
    run.touch()
    tell_moved(run, [first], from_place, other, How.SWAP, before)
    tell_moved(run, [second], other, from_place, How.SWAP, before)
