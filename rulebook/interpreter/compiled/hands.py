"""Cards that move while nobody looks: contents of places, faces, and where each card lies; no knowledge, no events.

In: a `BlindRun`, a state, cards by number and places by ordinal. Out: the state as the machine's `carry` and draws
leave it, but for KNOWN. Never: another number of a stream, or in another order, than the machine takes.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from typing import Any

from rulebook.interpreter import moving, primitives_chance, random
from rulebook.interpreter.compiled.blind import OTHER, PILE, SLOT, SORTED, BlindRun
from rulebook.interpreter.layout import ALIVE, BOX, FACES, SEED, WHERE, PlaceSlot
from rulebook.interpreter.ops import ABSENT
from rulebook.interpreter.primitives_cards import cards_of
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State, cards_in

ONE = [bytes([number]) for number in range(256)]


def below(r: Run, s: State, stream: int, bound: int) -> int:
    """The next number of a stream, below the bound."""
    times, number = s[stream] or (1, 0)
    if not number:
        number = random.start(s[SEED], r.layout.streams[stream], times)
    number = number * random.MULTIPLIER & random.MASK
    s[stream] = times, number
    return (number >> 64) * bound >> 64


def move(r: BlindRun, s: State, card: int | None, goal: int, end: str, up: bool | None) -> None:
    """One card, from wherever it lies."""
    if card is None:
        return
    where, spots = s[WHERE], r.spots
    slot, kind, *_ = spots[where[card]]
    to, how, *_ = spots[goal]
    if kind > SLOT or how == OTHER or (goal == BOX and r.restores):
        carry(r, s, (card,), (goal, None), end, up)
        return
    if how == SLOT and s[to]:
        carry(r, s, (card,), (goal, None), end, up)  # which says that there is no room
        return
    s[slot] = s[slot].replace(ONE[card], b"")
    lay(r, s, card, goal, end, up)


def lay(r: BlindRun, s: State, card: int, goal: int, end: str, up: bool | None) -> None:
    """Lay one card, which was just taken, into a place that has room."""
    to, how, top, _, face_there = r.spots[goal]
    contents, where, faces = s[to], s[WHERE], s[FACES]
    if how == SORTED:
        at = bisect(contents, card)
        s[to] = contents[:at] + ONE[card] + contents[at:]
    elif how < PILE:
        s[to] = ONE[card] + contents if end == "top" else contents + ONE[card]
    elif end == "bottom":
        s[to], (first, last) = contents + ONE[card], s[top]
        s[top] = first, last + 1
    else:
        s[to], (first, last) = ONE[card] + contents, s[top]
        s[top] = first + 1, last
    s[WHERE] = where[:card] + ONE[goal] + where[card + 1 :]
    face = face_there if up is None else up and goal != BOX
    if faces[card] != face:
        s[FACES] = faces[:card] + ONE[face] + faces[card + 1 :]


def move_all(r: BlindRun, s: State, cards: Any, goal: int, end: str, up: bool | None) -> None:
    """Cards, one after the other."""
    several, where = cards_of(cards), s[WHERE]
    to, how, *_ = r.spots[goal]
    sources = [r.spots[ordinal] for ordinal in {*map(where.__getitem__, several)}]
    # What goes into no order may come in any.
    easy = how == SORTED and len(several) > 1 and not (goal == BOX and r.restores)
    if not easy or any(kept == OTHER or (kept == PILE and sum(s[settled])) for _, kept, settled, *_ in sources):
        carry(r, s, several, (goal, None), end, up)
        return
    gone = bytes(several)
    for slot, *_ in sources:
        s[slot] = s[slot].translate(None, gone)
    s[to] = bytes(sorted(s[to] + gone))
    rest(r, s, ((goal, several),), up)


def rest(r: BlindRun, s: State, lying: Iterable[tuple[int, Sequence[int]]], up: bool | None) -> None:
    """Cards lie in these places from now on, each with its face as it comes there."""
    where, faces = bytearray(s[WHERE]), s[FACES]
    for goal, cards in lying:
        face = r.spots[goal][4] if up is None else up and goal != BOX
        for card in cards:
            where[card] = goal
        if faces.count(1 - face):
            faces = bytearray(faces)
            for card in cards:
                faces[card] = face
    s[WHERE], s[FACES] = bytes(where), bytes(faces)


def carry(r: BlindRun, s: State, cards: Sequence[int], goal: tuple[int, int | None], end: str, up: bool | None) -> None:
    """Any cards, to a place or a position of it."""
    places, where, (ordinal, index) = r.layout.places, s[WHERE], goal
    place = places[ordinal]
    sources: dict[int, list[int]] = {}
    for card in cards:
        if where[card] in sources:
            sources[where[card]].append(card)
        elif places[where[card]].kept != "pool":
            sources[where[card]] = [card]
    if not sources:
        return
    if place.kept == "pool":
        moving.carry(r, [card for leaving in sources.values() for card in leaving], (place, index))
        return
    whole = moving.whole_pile(r, sources, place)
    for one, leaving in sources.items():
        source = places[one]
        if place.ordered and source.settled is not None and whole is None:
            moving.settle_leaving(r, source, leaving)
        if len(leaving) == len(s[source.slot]) and r.spots[one][1] < OTHER:
            s[source.slot] = b""
            if source.settled is not None:
                s[source.settled] = (0, 0)
        else:
            moving.take(r, source, leaving)
    moved = [card for leaving in sources.values() for card in leaving]
    moving.put(r, place, moved, end, index)
    if whole is not None and place.settled is not None:
        s[place.slot], s[place.settled] = whole
    face = ordinal != BOX and (place.arrives_up if up is None else up)
    if s[FACES].count(1 - face):
        moving.set_faces(r, moved, face)
    if ordinal == BOX:
        moving.restore(r, moved)


def draw(
    r: BlindRun, s: State, source: int, goals: Sequence[int], total: int, end: str, up: bool | None
) -> tuple[int, ...]:
    """So many cards of a bag or pile, to one place after the other, while there are any."""
    slot, kind, settled, stream, _ = r.spots[source]
    spots, contents = r.spots, s[slot]
    if kind == SORTED and len(contents) >= total > 1 and all(spots[one][1] == SORTED for one in goals):
        return draw_many(r, s, source, goals, total, up)
    place = r.layout.places[source]
    taken: list[int] = []
    many = len(goals)
    while len(taken) < total:
        contents = s[slot]
        if not contents:
            if not refill(r, s, place):
                break
            contents = s[slot]
        goal = goals[len(taken) % many]
        how = spots[goal][1]
        if how > PILE or kind > PILE or kind == how == PILE or (how == SLOT and s[spots[goal][0]]):
            seen = primitives_chance.next_card(r, place, r.layout.places[goal], "")
            assert seen is not None, "nobody asks for outcomes of chance here"
            carry(r, s, (seen,), (goal, None), end, up)
            taken.append(seen)
            continue
        if kind == SORTED:
            card = contents[below(r, s, stream, len(contents))]
        elif kind == PILE:
            first, last = s[settled]
            if first or last == len(contents):
                card = contents[0]
                s[settled] = (first - 1, last) if first else (0, last - 1)
            else:
                card = contents[below(r, s, stream, len(contents) - last)]
                if how != SORTED:
                    below(r, s, stream, 1)  # what goes into an order gets one, even if it is alone
        else:
            card = contents[0]
        s[slot] = contents.replace(ONE[card], b"")
        lay(r, s, card, goal, end, up)
        taken.append(card)
    return tuple(taken)


def draw_many(r: BlindRun, s: State, source: int, goals: Sequence[int], total: int, up: bool | None) -> tuple[int, ...]:
    """So many cards that are there, from no order to places without one."""
    slot, _, _, stream, _ = r.spots[source]
    times, number = s[stream] or (1, 0)
    number = number or random.start(s[SEED], r.layout.streams[stream], times)
    left, taken = [*s[slot]], []
    for _ in range(total):
        number = number * random.MULTIPLIER & random.MASK
        taken.append(left.pop((number >> 64) * len(left) >> 64))
    s[stream] = times, number
    s[slot] = bytes(left)
    many = len(goals)
    dealt = [(goal, taken[at::many]) for at, goal in enumerate(goals)]
    for goal, cards in dealt:
        to = r.spots[goal][0]
        s[to] = bytes(sorted([*s[to], *cards]))
    rest(r, s, dealt, up)
    return tuple(taken)


def refill(r: BlindRun, s: State, place: PlaceSlot) -> bool:
    """Shuffle the refill pile in; whether there is something to draw now."""
    if place.refill is None:
        return False
    cards = cards_in(r.layout, s, r.layout.places[place.refill])
    carry(r, s, cards, (place.ordinal, None), "", None)
    shuffle(r, s, place.ordinal)
    return bool(cards)


def shuffle(r: BlindRun, s: State, ordinal: int) -> None:
    """A bag or a pile has no order any more, and its stream begins anew."""
    place = r.layout.places[ordinal]
    r.restart(place.stream)
    if place.settled is not None:
        s[place.slot] = r.layout.pack(sorted(s[place.slot]))
        s[place.settled] = (0, 0)


def pour(s: State, source: int, goal: int, count: int | None) -> None:
    """Pieces from one pool to another, by their slots; None: all."""
    there = s[source]
    moved = there if count is None else max(0, min(count, there))
    s[source] -= moved
    s[goal] += moved


def pass_each(r: BlindRun, s: State, places: Sequence[int], step: int) -> None:
    """Everybody's place goes to a neighbour as a whole."""
    alive, spots, where = s[ALIVE], r.spots, bytearray(s[WHERE])
    before = []
    for seat in alive:
        slot, _, settled, *_ = spots[places[seat]]
        before.append((s[slot], settled and s[settled]))
    for index, (contents, order) in enumerate(before):
        ordinal = places[alive[(index + step) % len(alive)]]
        slot, _, settled, *_ = spots[ordinal]
        s[slot] = contents
        if settled:
            s[settled] = order
        for card in contents:
            where[card] = ordinal
    s[WHERE] = bytes(where)


def swap(r: BlindRun, s: State, first: int, second: int) -> None:
    """Two cards change places, each to the other's position where there is one."""
    if first == second:
        return
    where, places = bytearray(s[WHERE]), r.layout.places
    one, other = places[where[first]], places[where[second]]
    contents = {place: bytearray(s[place.slot]) for place in (one, other)}
    at, there = contents[one].index(first), contents[other].index(second)
    contents[one][at], contents[other][there] = second, first
    for place, cards in contents.items():
        s[place.slot] = bytes(cards if place.ordered else sorted(cards))
    if one is other:
        return
    where[first], where[second] = other.ordinal, one.ordinal
    s[WHERE] = bytes(where)
    if one.seen_by != other.seen_by:
        faces = bytearray(s[FACES])
        faces[first], faces[second] = other.arrives_up, one.arrives_up
        s[FACES] = bytes(faces)


def pick(r: Run, s: State, several: Iterable[Any], wanted: int, stream: int) -> tuple[Any, ...]:
    """So many of a list at random."""
    left, picked = list(several), []
    for _ in range(min(wanted, len(left))):
        picked.append(left.pop(below(r, s, stream, len(left))))
    return tuple(picked)


def nth(picked: Sequence[Any], number: int) -> Any:
    """One of those that were picked, or nobody."""
    return picked[number] if number < len(picked) else ABSENT


def turn(s: State, cards: Any, face: int) -> None:
    """Cards lie face up, or face down."""
    faces = bytearray(s[FACES])
    for card in cards_of(cards):
        faces[card] = face
    s[FACES] = bytes(faces)


NAMES: dict[str, Any] = {
    "move": move,
    "move_all": move_all,
    "draw": draw,
    "shuffle": shuffle,
    "pick": pick,
    "nth": nth,
    "turn": turn,
    "pour": pour,
    "pass_each": pass_each,
    "swap": swap,
}
"""What printed text may call."""
