"""Ops that meet chance: draw, deal, shuffle, look at what has no order yet, pick at random, roll.

Where outcomes are asked, there is at most one between two stops; events come once the sentence is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

from rulebook.interpreter import knowledge
from rulebook.interpreter.events import How
from rulebook.interpreter.layout import ALIVE, FACES, KNOWN, WHERE, PlaceSlot, StateSlot
from rulebook.interpreter.moving import carry, find_recognisers, make_place_key, pour, tell_moved, tell_uncovered
from rulebook.interpreter.op_table import (
    ABSENT,
    End,
    Env,
    Face,
    In,
    Out,
    Places,
    Slots,
    Sort,
    StreamSlot,
    Told,
    Words,
    lacking,
    op,
)
from rulebook.interpreter.ops.cards import cards_of, resolve_place, there_in
from rulebook.interpreter.run import Run, there
from rulebook.interpreter.state import cards_in, count_in
from rulebook.interpreter.wording import make_key as value_key


def pick_one(
    run: Run, values: Sequence[Any], alike: Callable[[Any], Any], sort: str, stream: int, seen_by: int
) -> int | None:
    """The index of one value at random; None when the machine must wait for the outcome.

    The stream is used even where all values are alike, so that a game meets the same numbers either way.
    """
    if not run.is_asking:
        return run.draw_below(stream, len(values))
    groups: dict[Any, list[int]] = {}
    for index, value in enumerate(values):
        groups.setdefault(alike(value), []).append(index)
    if len(groups) == 1:
        return run.draw_below(stream, len(values))
    outcomes = [value_key(run.program, run.names, values[indexes[0]], sort) for indexes in groups.values()]
    chosen = run.draw_outcome(outcomes, [len(indexes) for indexes in groups.values()], seen_by)
    return None if chosen is None else list(groups.values())[chosen][0]


def one_card(run: Run, cards: Sequence[int], stream: int, seen_by: int) -> int | None:
    """One of several cards at random; cards are one outcome when they are equal and equally known."""
    state = run.state

    def alike(card: int) -> tuple[Any, int]:
        return knowledge.likeness(run.program, state, card), state[KNOWN][card]

    index = pick_one(run, cards, alike, "card", stream, seen_by)
    return None if index is None else cards[index]


# ── draw and deal ────────────────────────────────────────────────────────────────────────────────


@lacking
def begin_draw(
    run: Run, env: Env, count: In, source: In, goal: In, from_slot: Out, goals: Out, total: Out, taken: Out
) -> None:
    """`draw n from PLACE to PLACE` begins."""
    goal_place, from_place = resolve_place(run, env[goal]).ordinal, resolve_place(run, env[source]).ordinal
    # Nothing is noted of a sentence that is left out, so all is asked before.
    env[from_slot], env[total], env[goals], env[taken] = from_place, max(0, env[count] or 0), (goal_place,), ()


@lacking
def begin_deal(
    run: Run, env: Env, count: In, source: In, places: Places, from_slot: Out, goals: Out, total: Out, taken: Out
) -> None:
    """`deal n from PLACE to each place` begins: so many for each who still plays."""
    hands = tuple(places[seat] for seat in run.state[ALIVE])
    from_place = resolve_place(run, env[source]).ordinal
    env[from_slot], env[total], env[goals], env[taken] = from_place, max(0, env[count] or 0) * len(hands), hands, ()


@op
def draw_next(
    run: Run, env: Env, from_slot: In, goals: In, total: In, taken: In,
    end: End, face: Face, to: Out | None, is_many: bool, how: Words,
) -> None:  # fmt: skip
    """Draw until so many cards are taken or there are none left; `to` gets the card, or all if `many`."""
    places = run.layout.places
    source, goal_places = places[env[from_slot]], [places[ordinal] for ordinal in env[goals]]
    # Of cards that were drawn before chance was asked about this one, whoever knew them was reminded of them there.
    before = dict.fromkeys(there_in(env[taken]), run.layout.everyone if source.recall else 0)
    cards = list(env[taken])
    while len(cards) < env[total]:
        run.look_at(1)
        goal = goal_places[len(cards) % len(goal_places)]
        if source.kept == "pool":
            if not pour(run, 1, source, goal):
                break
            cards.append(None)
            continue
        if not count_in(run.layout, run.state, source) and not refill(run, source):
            break
        card = next_card(run, source, goal, face)
        if card is None:
            env[taken] = tuple(cards)
            return
        before |= find_recognisers(run, (card,))
        carry(run, (card,), (goal, None), end, face, tell=False)
        cards.append(card)
    drawn = tuple(there_in(cards))
    if to is not None:
        env[to] = drawn if is_many else drawn[0] if drawn else None
    if drawn:
        for index, goal in enumerate(goal_places):
            tell_moved(run, drawn[index :: len(goal_places)], source, goal, How(how), before)
        if source.settled is not None:
            tell_uncovered(run, source, drawn)
    for slot in (from_slot, goals, total, taken):
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
    if len(cards_in(run.layout, state, pile)) > 1:  # a round that only shuffles nothing comes again for ever
        run.touch()
    run.emit("shuffled", place=make_place_key(run, pile))


@lacking
def begin_shuffle(run: Run, env: Env, shuffled: In, place_slot: Out, left: Out, done: Out) -> None:
    """`shuffle X`: a pile or bag is done at once; a row or grid is laid out card by card, from `left` into `done`."""
    place = resolve_place(run, env[shuffled])
    if place.kept in ("row", "grid"):
        run.restart(place.stream)
        cards = tuple(sorted(cards_in(run.layout, run.state, place)))
        env[place_slot], env[left], env[done] = place.ordinal, cards, ()
    elif place.kept != "pool":
        unsettle(run, place)


@op
def shuffle_next(run: Run, env: Env, place_slot: In, left: In, done: In) -> None:
    """Decide which card lies at the next position."""
    state = run.state
    if env[place_slot] is None:
        return
    place = run.layout.places[env[place_slot]]
    while env[left]:
        card = one_card(run, env[left], place.stream, knowledge.watchers(state, place))
        if card is None:
            return
        env[left] = tuple(other for other in env[left] if other != card)
        env[done] += (card,)
    if len(env[done]) > 1:
        run.touch()
    order = iter(env[done])
    empty = run.layout.empty
    state[place.slot] = run.layout.pack([card if card == empty else next(order) for card in state[place.slot]])
    knowledge.shuffled(run.program, state, place)
    run.emit("shuffled", place=make_place_key(run, place))
    for slot in (place_slot, left, done):
        env[slot] = None


@lacking
def begin_settle(run: Run, env: Env, looked_at: In, count: In | None, place_slot: Out, total: Out) -> None:
    """Put in order what is about to be looked at; `count` None is all of a pile."""
    place = resolve_place(run, env[looked_at])
    if place.settled is None:
        return
    env[place_slot], env[total] = place.ordinal, len(run.state[place.slot]) if count is None else env[count] or 0


@op
def settle_next(run: Run, env: Env, place_slot: In, total: In) -> None:
    """Decide which card lies below those that are settled."""
    state = run.state
    if env[place_slot] is None:
        return
    pile = run.layout.places[env[place_slot]]
    assert pile.settled is not None
    while True:
        contents, (top, bottom) = state[pile.slot], state[pile.settled]
        block = contents[top : len(contents) - bottom]
        if top >= env[total] or not block:
            break
        card = one_card(run, block, pile.stream, knowledge.watchers(state, pile))
        if card is None:
            return
        rest = [other for other in block if other != card]
        state[pile.slot] = run.layout.pack([*contents[:top], card, *rest, *contents[len(contents) - bottom :]])
        state[pile.settled] = (top + 1, bottom)
    if knowledge.uncover(run.program, state, pile):
        tell_uncovered(run, pile)
    env[place_slot] = env[total] = None


# ── pick and roll ────────────────────────────────────────────────────────────────────────────────


@lacking
def begin_pick(run: Run, env: Env, source: In, count: In, left: Out, total: Out, picked: Out) -> None:
    """`pick x from S at random` begins: the values are read into `left`."""
    values = tuple(there_in(there(env[source])))
    env[left], env[picked], env[total] = values, (), min(env[count] or 0, len(values))


@op
def pick_next(
    run: Run, env: Env, left: In, total: In, picked: In, slots: Slots, is_many: bool, sort: Sort, stream: StreamSlot,
    name: Words, picker: Told | None,
) -> None:  # fmt: skip
    """Pick the next one; at the end `slots` get one each, or the only one gets all if `many`.

    `name` is what the rules call it, `picker` whoever does it, if all know that.
    """
    cards = sort in ("card", "object")
    while len(env[picked]) < env[total]:
        index = pick_one(run, env[left], _alike(run, cards), sort, stream, _find_seers(run, env[left], cards))
        if index is None:
            return
        env[picked] += (env[left][index],)
        env[left] = env[left][:index] + env[left][index + 1 :]
    chosen = env[picked]
    if is_many:
        env[slots[0]] = chosen
    else:
        for number, slot in enumerate(slots):
            env[slot] = chosen[number] if number < len(chosen) else ABSENT
    if chosen:
        run.changes += 1
        seers = _find_seers(run, chosen, cards)
        keys = [value_key(run.program, run.names, value, sort) for value in chosen] if run.events else []
        seat = None if picker is None else env[picker]
        who: dict[str, Any] = {"player": run.names[seat]} if isinstance(seat, int) and run.events else {}
        run.emit("picked", seers, aside=seers != run.layout.everyone, name=name, **who, what=keys)
        run.emit("picked", ~seers, name=name, **who, count=len(chosen))
    for slot in (left, total, picked):
        env[slot] = None


def _alike(run: Run, cards: bool) -> Callable[[Any], Any]:
    state = run.state

    def alike(value: Any) -> Any:
        if not cards or value >= run.program.cards:
            return value
        return knowledge.likeness(run.program, state, value), state[WHERE][value], state[KNOWN][value]

    return alike


def _find_seers(run: Run, values: Sequence[Any], cards: bool) -> int:
    """Return the seats that see all of these values, as bits."""
    seers = run.layout.everyone
    if cards:
        for value in values:
            seers &= knowledge.sight(run.program, run.state, value)
    return seers


@op
def begin_roll(run: Run, env: Env, dice: In, left: Out, rolled: Out) -> None:
    """`roll X`: the dice are read into `left`."""
    env[left], env[rolled] = cards_of(env[dice]), ()


@op
def roll_next(run: Run, env: Env, left: In, rolled: In, state: StateSlot, stream: StreamSlot) -> None:
    """Roll the next die."""
    # A die that starts without a face never rolls one away.
    values = tuple(value for value in state.values or () if value is not None)
    while env[left]:
        dice = _find_equal_dice(run, env[left], state) if run.exhaustive else env[left][:1]
        seers = knowledge.sight(run.program, run.state, dice[0])
        faces = _roll(run, values, len(dice), state.sort, stream, seers if state.with_face else -1)
        if faces is None:
            return
        shown = list(run.state[state.slot])
        for die, value in zip(dice, faces, strict=True):
            shown[die] = value
        run.state[state.slot] = tuple(shown)
        if state.with_face:
            knowledge.forget_cards(run.state, dice, run.layout.everyone)
            knowledge.learn_cards(run.state, dice, seers)
        env[left] = _drop_rolled(env[left], dice)
        env[rolled] += dice
        run.touch()
    _tell_rolled(run, env[rolled], state)
    env[left] = env[rolled] = None


def _drop_rolled(dice: tuple[int, ...], rolled: tuple[int, ...]) -> tuple[int, ...]:
    """The dice without those that are rolled, the first of them at least."""
    if len(rolled) == 1:
        return dice[1:]
    gone = frozenset(rolled)
    return tuple(die for die in dice if die not in gone)


def _roll(run: Run, values: Sequence[Any], count: int, sort: str, stream: int, seen_by: int) -> tuple[Any, ...] | None:
    """The new faces of so many dice; None when the machine must wait for the outcome."""
    if count == 1:
        index = pick_one(run, values, lambda value: value, sort, stream, seen_by)
        return None if index is None else (values[index],)
    # Which of the dice shows what does not matter: an outcome is how often each face is up.
    rolls = list(combinations_with_replacement(values, count))
    weights = [factorial(count) // prod(factorial(roll.count(face)) for face in set(roll)) for roll in rolls]
    outcomes = [value_key(run.program, run.names, roll, f"list of {sort}") for roll in rolls]
    chosen = run.draw_outcome(outcomes, weights, seen_by)
    return None if chosen is None else rolls[chosen]


def _find_equal_dice(run: Run, left: Sequence[int], slot: StateSlot) -> tuple[int, ...]:
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


def _tell_rolled(run: Run, dice: Sequence[int], slot: StateSlot) -> None:
    if run.events is None:
        return
    state = run.state
    by_place: dict[PlaceSlot, list[int]] = {}
    for die in dice:
        by_place.setdefault(run.layout.places[state[WHERE][die]], []).append(die)
    for at, rolled in by_place.items():
        for seat in range(run.layout.players):
            seen = [die for die in rolled if not slot.with_face or knowledge.recognises(run.program, state, seat, die)]
            shown = [[run.program.definition[die], state[slot.slot][die]] for die in seen]
            run.emit("rolled", 1 << seat, place=make_place_key(run, at), dice=shown, count=len(rolled) - len(seen))
