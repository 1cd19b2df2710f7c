"""The sentences about cards that need no chance: move, pass, swap, arrange, reveal, cover, show.

In: a run and the op. Out: the state after the sentence, and its events. Never: waits for anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rulebook.interpreter import knowledge, ops
from rulebook.interpreter.layout import ALIVE, FACES, KNOWN, WHERE, PlaceSlot
from rulebook.interpreter.moving import (
    Spot,
    as_kept,
    carry,
    exchange,
    exchange_places,
    key,
    pour,
    relocate,
    replace_contents,
    tell_uncovered,
)
from rulebook.interpreter.ops import Op
from rulebook.interpreter.run import Run, there
from rulebook.interpreter.state import cards_in


def cards_of(value: Any) -> tuple[int, ...]:
    """The cards of an operand, each once: one, several, or none where it is nothing."""
    if value is None:
        return ()
    if isinstance(value, int):
        return (value,)
    each = {*value}
    return tuple(value) if len(each) == len(value) and None not in each else tuple(dict.fromkeys(there_in(value)))


def there_in(several: Iterable[Any]) -> Iterator[Any]:
    """What is there of a list in which something may be nothing."""
    return (one for one in several if one is not None)


def spot(run: Run, value: Any) -> Spot:
    """A goal: a place, or a cell of one."""
    ordinal, index = value if isinstance(there(value), tuple) else (value, None)
    return run.layout.places[ordinal], index


def place(run: Run, value: Any) -> PlaceSlot:
    """A place that a sentence names."""
    return spot(run, value)[0]


def by_place(run: Run, cards: Sequence[int]) -> dict[PlaceSlot, list[int]]:
    """Cards by the place they lie in."""
    found: dict[PlaceSlot, list[int]] = {}
    for card in cards:
        found.setdefault(run.layout.places[run.state[WHERE][card]], []).append(card)
    return found


def move(run: Run, op: ops.Move) -> None:
    goal = spot(run, op.goal(run, run.env))
    carry(run, cards_of(op.cards(run, run.env)), goal, op.end, op.face)


def move_pieces(run: Run, op: ops.MovePieces) -> None:
    source, goal = place(run, op.source(run, run.env)), place(run, op.goal(run, run.env))
    count = run.state[source.slot] if op.count is None else op.count(run, run.env)
    pour(run, count or 0, source, goal)


def pass_each(run: Run, op: ops.PassEach) -> None:
    alive, places = run.state[ALIVE], run.layout.places
    goals = {}
    for index, seat in enumerate(alive):
        ordinal, goal = op.places[seat], op.places[alive[(index + op.step) % len(alive)]]
        assert ordinal is not None and goal is not None, "every player has the place"
        goals[places[ordinal]] = places[goal]
    replace_contents(run, goals, "pass")


def swap(run: Run, op: ops.Swap) -> None:
    first, second = there(op.first(run, run.env)), there(op.second(run, run.env))
    if op.sort == "place":
        exchange_places(run, place(run, first), place(run, second))
        return
    if op.sort == "cell":
        _swap_cells(run, first, second)
        return
    exchange(run, first, second)


def _swap_cells(run: Run, first: tuple[int, int], second: tuple[int, int]) -> None:
    one, other = _card_at(run, first), _card_at(run, second)
    if one is not None and other is not None:
        exchange(run, one, other)
    elif one is not None:
        carry(run, (one,), spot(run, second), how="swap")
    elif other is not None:
        carry(run, (other,), spot(run, first), how="swap")


def _card_at(run: Run, cell: tuple[int, int]) -> int | None:
    ordinal, index = cell
    contents = run.state[run.layout.places[ordinal].slot]
    return contents[index] if index < len(contents) and contents[index] != run.layout.empty else None


def arrange(run: Run, op: ops.Arrange) -> None:
    """Cards of one or several places are laid out anew, on the positions they had."""
    cards, order = cards_of(op.cards(run, run.env)), run.env[op.order] or ()
    state = run.state
    taking = dict(zip(cards, order, strict=True))
    ordinals = {other: state[WHERE][card] for card, other in taking.items()}
    places = list(by_place(run, cards))
    tops = {at: state[at.slot][0] for at in places if at.settled is not None}
    for at in places:
        contents = [taking.get(card, card) for card in state[at.slot]]
        state[at.slot] = run.layout.pack(as_kept(state, at, contents))
    relocate(run, ordinals)
    if tuple(cards) != tuple(order):
        for at, moved in by_place(run, cards).items():
            knowledge.mixed(run.program, state, moved, ~knowledge.watchers(state, at))
            knowledge.see(run.program, state, moved)
        for pile, top in tops.items():
            if state[pile.slot][0] != top:
                tell_uncovered(run, pile)
        run.touch()


def reveal(run: Run, op: ops.Reveal) -> None:
    for at, cards in by_place(run, cards_of(op.cards(run, run.env))).items():
        open_cards(run, at, cards)


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
    knowledge.learn(state, closed, run.layout.everyone)
    run.touch()
    run.emit_cards("revealed", closed, place=key(run, at))


def cover(run: Run, op: ops.Cover) -> None:
    state, faces = run.state, bytearray(run.state[FACES])
    for at, cards in by_place(run, cards_of(op.cards(run, run.env))).items():
        opened = [card for card in cards if faces[card]]
        for card in opened:
            faces[card] = 0
        if opened:
            state[FACES] = bytes(faces)
            run.touch()
            run.emit_cards("covered", opened, place=key(run, at))


def show(run: Run, op: ops.Show) -> None:
    seats = run.alive(op.to(run, run.env))
    mask = sum(1 << seat for seat in seats)
    for at, cards in by_place(run, cards_of(op.cards(run, run.env))).items():
        _single_out(run, at, cards, mask)
        seers = [mask | knowledge.sight(run.program, run.state, card) for card in cards]
        if any(mask & ~run.state[KNOWN][card] for card in cards):
            run.touch()
        knowledge.learn(run.state, cards, mask)
        run.emit_cards("shown", cards, seers, to=run.names_of(seats), place=key(run, at))


def _single_out(run: Run, at: PlaceSlot, cards: Sequence[int], seats: int) -> None:
    """Copies: who is shown a card of a crowd cannot tell it from an equal one that it knew there."""
    if not at.ordered and at.kept != "pool":
        faces = run.state[FACES]
        others = [card for card in cards_in(run.layout, run.state, at) if card not in cards and not faces[card]]
        knowledge.identified(run.program, run.state, cards, others, seats & ~knowledge.watchers(run.state, at))


HANDLERS: dict[type[Op], Callable[[Run, Any], None]] = {
    ops.Move: move,
    ops.MovePieces: move_pieces,
    ops.PassEach: pass_each,
    ops.Swap: swap,
    ops.Arrange: arrange,
    ops.Reveal: reveal,
    ops.Cover: cover,
    ops.Show: show,
}
