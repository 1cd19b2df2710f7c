"""Sight and knowledge of cards: who may look at one now, and who knows which one it is (the state's KNOWN slot).

Where a card *may* be is folded from a player's own events by those who need it.

*Sight* is derived: a card is seen by everyone when it lies face up (in a pile only as the top one), and by those whom
its place lets look. Who was eliminated looks only where everyone does. *Knowledge* is one bit for each card and seat:

K1  sight sets the bit.
K2  it follows a card that one can follow: from a position of a row, grid, slot or end of a pile, or with the whole
    contents of a place.
K3  crowd: a face-down card leaves an unordered place and a seat cannot see which. The bit is cleared on every card
    that lay there unseen, unless this seat knows them all and they are all equal, or all of them leave together.
K4  a shuffle clears it on the whole pile.
K5  copies: a seat sees which kind of card leaves a crowd (or is shown in it), but not which of several equal ones. If
    it was not one that the seat had known, one of those it had known is known no longer.
K6  elimination clears it on every card but those that everyone sees: what this seat knows later, a stranger who came
    to the table at that moment would know too.
K7  instance numbers and the order in which unordered places are stored never leave the machine.

Equal cards have the same definition and the same changing states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from rulebook.interpreter.layout import ALIVE, ELIMINATED, FACES, KNOWN, RESULT, WHERE, MemorySlot, PlaceSlot
from rulebook.interpreter.program import Program
from rulebook.interpreter.state import State, cards_in, is_top


def watchers(state: State, place: PlaceSlot) -> int:
    """The mask of seats that may look at face-down cards of a place now."""
    if state[ELIMINATED] and place.seen_by in ("owner", "others"):
        return place.watchers & mask_of(state[ALIVE])
    return place.watchers


def mask_of(seats: Iterable[int]) -> int:
    """The mask of some seats."""
    return sum(1 << seat for seat in seats)


def readers(state: State, memory: MemorySlot, owner: int | None) -> int:
    """The mask of seats that may read a memory of an owner (None: the table) now; of everybody, all bits."""
    if memory.seen_by == "everyone":
        return -1
    if owner is None or memory.seen_by == "nobody":
        return 0
    return mask_of(state[ALIVE]) & (1 << owner if memory.seen_by == "owner" else ~(1 << owner))


def sight(program: Program, state: State, card: int) -> int:
    """The mask of seats that may look at a card where it lies now."""
    layout = program.layout
    place = layout.places[state[WHERE][card]]
    if place.kept == "pile" and place.seen_by != "everyone":
        open_now = (state[FACES][card] or place.seen_by == "top") and is_top(state, place, card)
        return layout.everyone if open_now else watchers(state, place)
    return layout.everyone if state[FACES][card] else watchers(state, place)


def recognises(program: Program, state: State, seat: int, card: int) -> bool:
    """Tell whether the machine may tell a seat which card this is."""
    return bool(recognisers(program, state, card) >> seat & 1)


def recognisers(program: Program, state: State, card: int) -> int:
    """The mask of seats that may be told which card this is: they see it, or they know it and its place recalls."""
    known: int = state[KNOWN][card]
    if not known or program.layout.places[state[WHERE][card]].recall:
        return known
    return known & sight(program, state, card)


def knowers(program: Program, state: State, card: int) -> int:
    """The mask of seats that know which card this is: the same, and everybody where all is opened at the end."""
    if state[RESULT] is not None and program.layout.places[state[WHERE][card]].opened_at_end:
        return program.layout.everyone
    return recognisers(program, state, card)


def likeness(program: Program, state: State, card: int) -> Any:
    """Return a key that equal cards share."""
    if card in program.singular:
        return ~card
    if not program.changing:
        return program.likeness[card]
    return (program.likeness[card], *(state[slot.slot][card] for slot in program.changing))


def open_known(state: State) -> bytearray | list[int]:
    """Return who knows each card, as masks that may be changed: a byte each for up to eight seats."""
    known = state[KNOWN]
    return bytearray(known) if isinstance(known, bytes) else list(known)


def keep_known(state: State, known: bytearray | list[int]) -> None:
    """Put changed masks into a state."""
    state[KNOWN] = bytes(known) if isinstance(known, bytearray) else tuple(known)


def learn_cards(state: State, cards: Iterable[int], seats: int) -> None:
    """These seats know these cards from now on."""
    known = open_known(state)
    for card in cards:
        known[card] |= seats
    keep_known(state, known)


def see_cards(program: Program, state: State, cards: Iterable[int]) -> None:
    """K1, after something changed where these cards lie."""
    known = open_known(state)
    for card in cards:
        known[card] |= sight(program, state, card)
    keep_known(state, known)


def uncover(program: Program, state: State, place: PlaceSlot) -> bool:
    """K1 for the card that is now the top one of a pile; whether anybody learned which it is."""
    if place.settled is None or not state[place.slot]:
        return False
    before = state[KNOWN]
    see_cards(program, state, state[place.slot][:1])
    return bool(state[KNOWN] != before)


def shuffled(program: Program, state: State, place: PlaceSlot) -> None:
    """K4: nobody knows any longer which card lies where, except those who may look."""
    cards = cards_in(program.layout, state, place)
    forget_cards(state, cards, program.layout.everyone)
    see_cards(program, state, cards)


def forget_cards(state: State, cards: Iterable[int], seats: int) -> None:
    """These seats no longer know these cards."""
    known = open_known(state)
    for card in cards:
        known[card] &= ~seats
    keep_known(state, known)


def leave_game(program: Program, state: State, seats: int) -> None:
    """K6, once these seats are no longer among those that play."""
    known = open_known(state)
    for card in range(program.cards):
        known[card] = known[card] & ~seats | sight(program, state, card) & seats
    keep_known(state, known)


def departs(program: Program, state: State, place: PlaceSlot, leaving: Collection[int], seers: int) -> None:
    """K3 and K5, before cards leave an unordered place; `seers` see what they are when they arrive."""
    faces, known = state[FACES], state[KNOWN]
    outside = program.layout.everyone & ~watchers(state, place)
    if not outside:
        return
    contents, bits = state[place.slot], 0
    for mask in {known[card] for card in contents}:
        bits |= mask
    if not bits & outside:
        return
    crowd = contents
    if 1 in faces:
        crowd, bits = [card for card in contents if not faces[card]], 0
        for card in crowd:
            bits |= known[card]
        if not bits & outside:
            return
    hidden = [card for card in leaving if not faces[card]]
    if not hidden or len(hidden) == len(crowd):
        return
    staying = [card for card in crowd if card not in leaving]
    if bits & outside & seers:
        identified(program, state, hidden, staying, outside & seers)
    blind = bits & outside & ~seers
    if blind:
        forget_cards(state, crowd, blind & ~_find_sure(program, state, crowd, blind))


def identified(program: Program, state: State, shown: Iterable[int], others: Sequence[int], seats: int) -> None:
    """K5: these seats see what some cards of a crowd are; `others` stay hidden in it."""
    known = open_known(state)
    for card in shown:
        unknown = seats & ~known[card]
        if not unknown:
            continue
        like = likeness(program, state, card)
        for other in others:
            mistaken = unknown & known[other]
            if mistaken and likeness(program, state, other) == like:
                known[other] &= ~mistaken
                unknown &= ~mistaken
    keep_known(state, known)


def mixed(program: Program, state: State, cards: Sequence[int], seats: int) -> None:
    """Cards of a crowd are laid side by side in an order these seats cannot see: which is which is lost to them."""
    if len(cards) > 1 and seats:
        forget_cards(state, cards, seats & ~_find_sure(program, state, cards, seats))


def _find_sure(program: Program, state: State, crowd: Sequence[int], seats: int) -> int:
    """Return those of the seats (a mask) that know every card of a crowd, if all of them are equal; else none."""
    known = state[KNOWN]
    for card in crowd:
        seats &= known[card]
    if not seats:
        return 0
    first = likeness(program, state, crowd[0])
    return seats if all(likeness(program, state, card) == first for card in crowd) else 0
