"""The sentences that meet chance: draw, deal, shuffle, look at what has no order yet, pick at random, roll.

In: a run and the op. Out: the state after the next outcomes, and events once the sentence is done. Never: more than one
outcome between two stops when outcomes are asked; a random number that is not the stream's next one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

from rulebook.interpreter import knowledge, ops
from rulebook.interpreter.layout import ALIVE, FACES, KNOWN, WHERE, PlaceSlot, StateSlot
from rulebook.interpreter.moving import carry, key, pour, tell_moved, tell_uncovered
from rulebook.interpreter.ops import ABSENT, Op
from rulebook.interpreter.primitives.cards import cards_of, place, there_in
from rulebook.interpreter.run import Run, there
from rulebook.interpreter.state import cards_in, count_in
from rulebook.interpreter.wording import key as value_key


def one_of(
    run: Run, values: Sequence[Any], alike: Callable[[Any], Any], sort: str, stream: int, seen_by: int
) -> int | None:
    """The index of one value at random; None when the machine must wait for the outcome.

    The stream is used even where all values are alike, so that a game meets the same numbers either way.
    """
    if not run.is_asking:
        return run.below(stream, len(values))
    groups: dict[Any, list[int]] = {}
    for index, value in enumerate(values):
        groups.setdefault(alike(value), []).append(index)
    if len(groups) == 1:
        return run.below(stream, len(values))
    outcomes = [value_key(run.program, run.names, values[indexes[0]], sort) for indexes in groups.values()]
    chosen = run.outcome(outcomes, [len(indexes) for indexes in groups.values()], seen_by)
    return None if chosen is None else list(groups.values())[chosen][0]


def one_card(run: Run, cards: Sequence[int], stream: int, seen_by: int) -> int | None:
    """One of several cards at random; cards are one outcome when they are equal and equally known."""
    state = run.state

    def alike(card: int) -> tuple[Any, int]:
        return knowledge.likeness(run.program, state, card), state[KNOWN][card]

    index = one_of(run, cards, alike, "card", stream, seen_by)
    return None if index is None else cards[index]


# ── draw and deal ────────────────────────────────────────────────────────────────────────────────


def begin_draw(run: Run, op: ops.BeginDraw) -> None:
    env = run.env
    if op.each is not None:
        goals = tuple(op.each[seat] for seat in run.state[ALIVE])
    else:
        assert op.goal is not None, "a draw has one goal, a deal one for each player"
        goals = (place(run, op.goal(run, env)).ordinal,)
    source = place(run, op.source(run, env)).ordinal
    total = max(0, op.count(run, env) or 0) * (len(goals) if op.each is not None else 1)
    # Nothing is noted of a sentence that is left out, so all is asked before.
    env[op.source_slot], env[op.total], env[op.goals], env[op.taken] = source, total, goals, ()


def draw_next(run: Run, op: ops.DrawNext) -> None:
    env, places = run.env, run.layout.places
    source, goals = places[env[op.source_slot]], [places[ordinal] for ordinal in env[op.goals]]
    while len(env[op.taken]) < env[op.total]:
        goal = goals[len(env[op.taken]) % len(goals)]
        if source.kept == "pool":
            if not pour(run, 1, source, goal):
                break
            env[op.taken] += (None,)
            continue
        if not count_in(run.layout, run.state, source) and not refill(run, source):
            break
        card = next_card(run, source, goal, op.face)
        if card is None:
            return
        carry(run, (card,), (goal, None), op.end, op.face, op.how, tell=False)
        env[op.taken] += (card,)
    drawn = tuple(there_in(env[op.taken]))
    if op.slot is not None:
        env[op.slot] = drawn if op.many else drawn[0] if drawn else None
    if drawn:
        for index, goal in enumerate(goals):
            tell_moved(run, drawn[index :: len(goals)], source, goal, op.how)
        if source.settled is not None:
            tell_uncovered(run, source, drawn)
    for slot in (op.source_slot, op.goals, op.total, op.taken):
        env[slot] = None


def next_card(run: Run, source: PlaceSlot, goal: PlaceSlot, face: str) -> int | None:
    """The card that is drawn: at random from a bag, the top one of a pile; None when the machine must wait."""
    contents = cards_in(run.layout, run.state, source)
    up = face == "up" or (not face and goal.arrives_up)
    seen_by = run.layout.everyone if up else knowledge.watchers(run.state, goal)
    if not source.ordered:
        return one_card(run, contents, source.stream, seen_by)
    if source.settled is None:
        return contents[0]
    top, bottom = run.state[source.settled]
    if top or bottom == len(contents):
        return contents[0]
    return one_card(run, contents[: len(contents) - bottom], source.stream, seen_by)


def refill(run: Run, source: PlaceSlot) -> bool:
    """Shuffle the refill pile in; whether there is something to draw now."""
    if source.refill is None:
        return False
    cards = cards_in(run.layout, run.state, run.layout.places[source.refill])
    carry(run, cards, (source, None))
    unsettle(run, source)
    return bool(cards)


# ── shuffle and settle ───────────────────────────────────────────────────────────────────────────


def unsettle(run: Run, pile: PlaceSlot) -> None:
    """Shuffle a pile or a bag: nothing is decided yet, and what its stream gave so far no longer matters."""
    state = run.state
    run.restart(pile.stream)
    if pile.settled is not None:
        state[pile.slot] = run.layout.pack(sorted(state[pile.slot]))
        state[pile.settled] = (0, 0)
        knowledge.shuffled(run.program, state, pile)
    run.touch()
    run.emit("shuffled", place=key(run, pile))


def begin_shuffle(run: Run, op: ops.BeginShuffle) -> None:
    found = place(run, op.place(run, run.env))
    if found.kept in ("row", "grid"):
        run.restart(found.stream)
        left = tuple(sorted(cards_in(run.layout, run.state, found)))
        run.env[op.place_slot], run.env[op.left], run.env[op.done] = found.ordinal, left, ()
    elif found.kept != "pool":
        unsettle(run, found)


def shuffle_next(run: Run, op: ops.ShuffleNext) -> None:
    env, state = run.env, run.state
    if env[op.place_slot] is None:
        return
    found = run.layout.places[env[op.place_slot]]
    while env[op.left]:
        card = one_card(run, env[op.left], found.stream, knowledge.watchers(state, found))
        if card is None:
            return
        env[op.left] = tuple(other for other in env[op.left] if other != card)
        env[op.done] += (card,)
    order = iter(env[op.done])
    empty = run.layout.empty
    state[found.slot] = run.layout.pack([card if card == empty else next(order) for card in state[found.slot]])
    knowledge.shuffled(run.program, state, found)
    run.touch()
    run.emit("shuffled", place=key(run, found))
    for slot in (op.place_slot, op.left, op.done):
        env[slot] = None


def begin_settle(run: Run, op: ops.BeginSettle) -> None:
    found = place(run, op.place(run, run.env))
    if found.settled is None:
        return
    count = len(run.state[found.slot]) if op.count is None else op.count(run, run.env) or 0
    run.env[op.place_slot], run.env[op.total] = found.ordinal, count


def settle_next(run: Run, op: ops.SettleNext) -> None:
    env, state = run.env, run.state
    if env[op.place_slot] is None:
        return
    pile = run.layout.places[env[op.place_slot]]
    assert pile.settled is not None
    while True:
        contents, (top, bottom) = state[pile.slot], state[pile.settled]
        block = contents[top : len(contents) - bottom]
        if top >= env[op.total] or not block:
            break
        card = one_card(run, block, pile.stream, knowledge.watchers(state, pile))
        if card is None:
            return
        rest = [other for other in block if other != card]
        state[pile.slot] = run.layout.pack([*contents[:top], card, *rest, *contents[len(contents) - bottom :]])
        state[pile.settled] = (top + 1, bottom)
    if knowledge.uncover(run.program, state, pile):
        tell_uncovered(run, pile)
    env[op.place_slot] = env[op.total] = None


# ── pick and roll ────────────────────────────────────────────────────────────────────────────────


def begin_pick(run: Run, op: ops.BeginPick) -> None:
    values = there(op.source(run, run.env))
    wanted = op.names if op.count is None else op.count(run, run.env) or 0
    values = tuple(there_in(values))
    run.env[op.left], run.env[op.picked] = values, ()
    run.env[op.total] = min(wanted, len(values))


def pick_next(run: Run, op: ops.PickNext) -> None:
    env = run.env
    cards = op.sort in ("card", "object")
    while len(env[op.picked]) < env[op.total]:
        index = one_of(run, env[op.left], _alike(run, cards), op.sort, op.stream, _seers(run, env[op.left], cards))
        if index is None:
            return
        env[op.picked] += (env[op.left][index],)
        env[op.left] = env[op.left][:index] + env[op.left][index + 1 :]
    picked = env[op.picked]
    if op.many:
        env[op.slots[0]] = picked
    else:
        for number, slot in enumerate(op.slots):
            env[slot] = picked[number] if number < len(picked) else ABSENT
    if picked:
        run.changes += 1
        seers = _seers(run, picked, cards)
        keys = [value_key(run.program, run.names, value, op.sort) for value in picked] if run.events else []
        run.emit("picked", seers, aside=seers != run.layout.everyone, what=keys)
        run.emit("picked", ~seers, count=len(picked))
    for slot in (op.left, op.total, op.picked):
        env[slot] = None


def _alike(run: Run, cards: bool) -> Callable[[Any], Any]:
    state = run.state

    def alike(value: Any) -> Any:
        if not cards or value >= run.program.cards:
            return value
        return knowledge.likeness(run.program, state, value), state[WHERE][value], state[KNOWN][value]

    return alike


def _seers(run: Run, values: Sequence[Any], cards: bool) -> int:
    """Who sees all of these values."""
    seers = run.layout.everyone
    if cards:
        for value in values:
            seers &= knowledge.sight(run.program, run.state, value)
    return seers


def begin_roll(run: Run, op: ops.BeginRoll) -> None:
    run.env[op.left], run.env[op.rolled] = cards_of(op.dice(run, run.env)), ()


def roll_next(run: Run, op: ops.RollNext) -> None:
    env, state, slot = run.env, run.state, op.state
    # A die that starts without a face never rolls one away.
    values = tuple(value for value in slot.values or () if value is not None)
    while env[op.left]:
        dice = _together(run, env[op.left], slot) if run.exhaustive else env[op.left][:1]
        seers = knowledge.sight(run.program, state, dice[0])
        rolled = _roll(run, values, len(dice), op, seers if slot.with_face else -1)
        if rolled is None:
            return
        faces = list(state[slot.slot])
        for die, value in zip(dice, rolled, strict=True):
            faces[die] = value
        state[slot.slot] = tuple(faces)
        if slot.with_face:
            knowledge.forget(state, dice, run.layout.everyone)
            knowledge.learn(state, dice, seers)
        env[op.left] = tuple(die for die in env[op.left] if die not in dice)
        env[op.rolled] += dice
        run.touch()
    _tell_rolled(run, env[op.rolled], op)
    env[op.left] = env[op.rolled] = None


def _roll(run: Run, values: Sequence[Any], count: int, op: ops.RollNext, seen_by: int) -> tuple[Any, ...] | None:
    """The new faces of so many dice; None when the machine must wait for the outcome."""
    sort = op.state.sort
    if count == 1:
        index = one_of(run, values, lambda value: value, sort, op.stream, seen_by)
        return None if index is None else (values[index],)
    # Which of the dice shows what does not matter: an outcome is how often each face is up.
    rolls = list(combinations_with_replacement(values, count))
    weights = [factorial(count) // prod(factorial(roll.count(face)) for face in set(roll)) for roll in rolls]
    outcomes = [value_key(run.program, run.names, roll, f"list of {sort}") for roll in rolls]
    chosen = run.outcome(outcomes, weights, seen_by)
    return None if chosen is None else rolls[chosen]


def _together(run: Run, left: Sequence[int], slot: StateSlot) -> tuple[int, ...]:
    """The first die and all that are equal to it but for the face, and lie with it in no order."""
    state, program = run.state, run.program
    first = left[0]
    if run.layout.places[state[WHERE][first]].ordered or first in program.singular or not run.is_asking:
        return (first,)

    def alike(die: int) -> Any:
        rest = tuple(state[other.slot][die] for other in program.changing if other is not slot)
        known = 0 if slot.with_face else state[KNOWN][die]
        return program.likeness[die], rest, state[WHERE][die], state[FACES][die], known

    return tuple(die for die in left if alike(die) == alike(first))


def _tell_rolled(run: Run, dice: Sequence[int], op: ops.RollNext) -> None:
    if run.events is None:
        return
    state, slot = run.state, op.state
    by_place: dict[PlaceSlot, list[int]] = {}
    for die in dice:
        by_place.setdefault(run.layout.places[state[WHERE][die]], []).append(die)
    for at, rolled in by_place.items():
        for seat in range(run.layout.players):
            seen = [die for die in rolled if not slot.with_face or state[KNOWN][die] >> seat & 1]
            shown = [[run.program.definition[die], state[slot.slot][die]] for die in seen]
            run.emit("rolled", 1 << seat, place=key(run, at), dice=shown, count=len(rolled) - len(seen))


HANDLERS: dict[type[Op], Callable[[Run, Any], None]] = {
    ops.BeginDraw: begin_draw,
    ops.DrawNext: draw_next,
    ops.BeginShuffle: begin_shuffle,
    ops.ShuffleNext: shuffle_next,
    ops.BeginSettle: begin_settle,
    ops.SettleNext: settle_next,
    ops.BeginPick: begin_pick,
    ops.PickNext: pick_next,
    ops.BeginRoll: begin_roll,
    ops.RollNext: roll_next,
}
