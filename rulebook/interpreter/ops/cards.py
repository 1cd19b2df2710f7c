"""Ops about cards that need no chance: move, pass, swap, arrange, reveal, cover, show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulebook.interpreter import knowledge
from rulebook.interpreter.events import How
from rulebook.interpreter.layout import ALIVE, FACES, KNOWN, WHERE, PlaceSlot
from rulebook.interpreter.moving import (
    Spot,
    as_kept,
    carry,
    exchange,
    exchange_places,
    find_recognisers,
    make_place_key,
    pour,
    relocate,
    replace_contents,
    tell_uncovered,
)
from rulebook.interpreter.op_table import End, Env, Face, In, Places, lacking, op
from rulebook.interpreter.ops.values import card_at
from rulebook.interpreter.run import Run, there
from rulebook.interpreter.state import cards_in
from rulebook.interpreter.wording import make_plain


def cards_of(value: Any) -> tuple[int, ...]:
    """The cards of an operand, each once: one, several, or none where it is nothing."""
    if value is None:
        return ()
    if isinstance(value, int):
        return (value,)
    cards = {*value}
    return tuple(value) if len(cards) == len(value) and None not in cards else tuple(dict.fromkeys(there_in(value)))


def there_in(members: Iterable[Any]) -> Iterator[Any]:
    """Yield the members of a list that are not nothing."""
    return (member for member in members if member is not None)


def resolve_goal(run: Run, value: Any) -> Spot:
    """A goal: a place, or a cell of one."""
    ordinal, index = value if isinstance(there(value), tuple) else (value, None)
    return run.layout.places[ordinal], index


def resolve_place(run: Run, value: Any) -> PlaceSlot:
    """A place that a sentence names."""
    return resolve_goal(run, value)[0]


def by_place(run: Run, cards: Sequence[int]) -> dict[PlaceSlot, list[int]]:
    """Cards by the place they lie in."""
    lying: dict[PlaceSlot, list[int]] = {}
    for card in cards:
        lying.setdefault(run.layout.places[run.state[WHERE][card]], []).append(card)
    return lying


@lacking
def move(run: Run, env: Env, cards: In, goal: In, end: End, face: Face) -> None:
    """`move X to PLACE top face up`; the goal is a place or a cell."""
    carry(run, cards_of(env[cards]), resolve_goal(run, env[goal]), end, face)


@lacking
def move_pieces(run: Run, env: Env, count: In | None, source: In, goal: In) -> None:
    """`move n from POOL to POOL`: as many as there are; `count` None is all."""
    pool = resolve_place(run, env[source])
    pour(run, (run.state[pool.slot] if count is None else env[count]) or 0, pool, resolve_place(run, env[goal]))


@op
def pass_each(run: Run, env: Env, places: Places, step: int) -> None:
    """`pass each hand left`: the whole place to the neighbour, all at once."""
    alive = run.state[ALIVE]
    goals = {}
    for index, seat in enumerate(alive):
        ordinal, goal = places[seat], places[alive[(index + step) % len(alive)]]
        assert ordinal is not None and goal is not None, "every player has the place"
        goals[run.layout.places[ordinal]] = run.layout.places[goal]
    replace_contents(run, goals, How.PASS)


@lacking
def swap_cards(run: Run, env: Env, first: In, second: In) -> None:
    """`swap a with b` of cards."""
    exchange(run, there(env[first]), there(env[second]))


@lacking
def swap_places(run: Run, env: Env, first: In, second: In) -> None:
    """`swap a with b` of places, which change contents."""
    exchange_places(run, resolve_place(run, env[first]), resolve_place(run, env[second]))


@lacking
def swap_cells(run: Run, env: Env, first: In, second: In) -> None:
    """`swap a with b` of cells."""
    card, other = card_at(run, there(env[first])), card_at(run, there(env[second]))
    if card is not None and other is not None:
        exchange(run, card, other)
    elif card is not None:
        carry(run, (card,), resolve_goal(run, env[second]), how=How.SWAP)
    elif other is not None:
        carry(run, (other,), resolve_goal(run, env[first]), how=How.SWAP)


@op
def arrange(run: Run, env: Env, cards: In, order: In) -> None:
    """`arrange X`: cards are laid out anew, on the positions they had, in the order that was chosen."""
    state, lying, wanted = run.state, cards_of(env[cards]), env[order] or ()
    taking = dict(zip(lying, wanted, strict=True))
    ordinals = {other: state[WHERE][card] for card, other in taking.items()}
    places = list(by_place(run, lying))
    tops = {at: state[at.slot][0] for at in places if at.settled is not None}
    for at in places:
        contents = [taking.get(card, card) for card in state[at.slot]]
        state[at.slot] = run.layout.pack(as_kept(state, at, contents))
    relocate(run, ordinals)
    if tuple(lying) != tuple(wanted):
        for at, moved in by_place(run, lying).items():
            knowledge.mixed(run.program, state, moved, ~knowledge.watchers(state, at))
            knowledge.see_cards(run.program, state, moved)
        for pile, top in tops.items():
            if state[pile.slot][0] != top:
                tell_uncovered(run, pile)
        run.touch()


@op
def reveal(run: Run, env: Env, cards: In) -> None:
    """`reveal X`: face up where they lie."""
    for at, lying in by_place(run, cards_of(env[cards])).items():
        open_cards(run, at, lying)


def open_cards(run: Run, at: PlaceSlot, cards: Sequence[int]) -> None:
    """Turn cards of one place face up: from now on everyone knows them."""
    state, faces = run.state, bytearray(run.state[FACES])
    closed = [card for card in cards if not faces[card]]
    if not closed:
        return
    _single_out(run, at, closed, run.layout.everyone)
    for card in closed:
        faces[card] = 1
    state[FACES] = bytes(faces)
    knowledge.learn_cards(state, closed, run.layout.everyone)
    run.touch()
    faces_seen = {"faces": seen} if any(seen := [_find_faces(run, card) for card in closed]) else {}
    run.emit_cards("revealed", closed, [run.layout.everyone] * len(closed), place=make_place_key(run, at), **faces_seen)


def _find_faces(run: Run, card: int) -> dict[str, Any]:
    """Find what all see on a card that lies open, beyond what is printed on it: `{face: 5}`."""
    return {
        slot.name: make_plain(run.program, run.names, value, slot.sort)
        for slot in run.program.changing
        if (value := run.state[slot.slot][card]) != slot.find_expected(card, shown=True)
    }


@op
def cover(run: Run, env: Env, cards: In) -> None:
    """`turn X face down`."""
    state, faces = run.state, bytearray(run.state[FACES])
    for at, lying in by_place(run, cards_of(env[cards])).items():
        opened = [card for card in lying if faces[card]]
        before = find_recognisers(run, opened)
        for card in opened:
            faces[card] = 0
        if opened:
            state[FACES] = bytes(faces)
            run.touch()
            run.emit_cards("covered", opened, [before.get(card, 0) for card in opened], place=make_place_key(run, at))


@op
def show(run: Run, env: Env, cards: In, to: In) -> None:
    """`show X to S`."""
    seats = run.alive(env[to])
    mask = sum(1 << seat for seat in seats)
    for at, shown in by_place(run, cards_of(env[cards])).items():
        _single_out(run, at, shown, mask)
        seers = [mask | knowledge.sight(run.program, run.state, card) for card in shown]
        if any(mask & ~run.state[KNOWN][card] for card in shown):
            run.touch()
        knowledge.learn_cards(run.state, shown, mask)
        run.emit_cards("shown", shown, seers, to=run.names_of(seats), place=make_place_key(run, at))


def _single_out(run: Run, at: PlaceSlot, cards: Sequence[int], seats: int) -> None:
    """Copies: who is shown a card of a crowd cannot tell it from an equal one that it knew there."""
    if not at.ordered and at.kept != "pool":
        faces = run.state[FACES]
        others = [card for card in cards_in(run.layout, run.state, at) if card not in cards and not faces[card]]
        knowledge.identified(run.program, run.state, cards, others, seats & ~knowledge.watchers(run.state, at))
