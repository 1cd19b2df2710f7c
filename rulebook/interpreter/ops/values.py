"""Ops that find values: of options, memory, cards and places, and what is reckoned from them.

One that asks something of nothing raises `NotThere`. Where cards, states or memories are read, a `Watch` that is set on
the run notes who knows them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.knowledge import knowers, readers
from rulebook.interpreter.layout import ALIVE, FACES, MemorySlot, PlaceSlot, StateSlot
from rulebook.interpreter.op_table import (
    ABSENT,
    MOST_VALUE,
    Definitions,
    Env,
    First,
    In,
    ManyWords,
    Objects,
    Out,
    Places,
    Printed,
    Sign,
    Sort,
    Steps,
    Target,
    Words,
    lacking,
    op,
)
from rulebook.interpreter.program import Code, Kept
from rulebook.interpreter.run import NotThere, Run, there
from rulebook.interpreter.state import cards_in, count_in
from rulebook.interpreter.wording import is_of_cards, word_value

MOST_ANSWERS_KEPT = 256
"""The most answers of one expression that are kept."""
Questions = tuple[Code | None, ...]


def bounded(number: Any) -> Any:
    """Return a number that was reckoned, if it is not too large."""
    if not -MOST_VALUE < number < MOST_VALUE:
        raise RuleError("This makes a number of more than 15 digits.")
    return number


def watch(run: Run, *cards: int) -> None:
    """Note who knows these cards where they lie."""
    assert run.watch is not None
    for card in cards:
        if card < run.program.cards:
            run.watch.note(knowers(run.program, run.state, card))


def watch_size(run: Run, place: PlaceSlot) -> None:
    """Note who may count what lies in a place."""
    assert run.watch is not None
    if place.counted == "owner" and place.owned_by == "player" and place.owner is not None:
        run.watch.note_own(place.owner, place.owner in run.state[ALIVE])
    elif place.counted != "everyone":
        run.watch.note(0)


# ── flow ─────────────────────────────────────────────────────────────────────────────────────────


@op
def jump(run: Run, env: Env, to: Target) -> int:
    """Go on elsewhere."""
    return to


@op
def jump_if(run: Run, env: Env, condition: In, to: Target) -> int | None:
    """Go on elsewhere if a condition is met."""
    return to if env[condition] else None


@op
def jump_unless(run: Run, env: Env, condition: In, to: Target) -> int | None:
    """Go on elsewhere unless a condition is met."""
    return None if env[condition] else to


@op
def jump_if_absent(run: Run, env: Env, local: In, to: Target) -> int | None:
    """Go on elsewhere if a local is absent: the sentence that reads it is skipped."""
    return to if env[local] == ABSENT else None


@op
def jump_if_nothing(run: Run, env: Env, value: In, to: Target) -> int | None:
    """Go on elsewhere if there is nothing."""
    return to if env[value] is None else None


@op
def jump_if_something(run: Run, env: Env, value: In, to: Target) -> int | None:
    """Go on elsewhere unless there is nothing."""
    return None if env[value] is None else to


@op
def jump_if_equal(run: Run, env: Env, left: In, right: In, to: Target) -> int | None:
    """Go on elsewhere if two values are equal."""
    return to if env[left] == env[right] else None


@op
def jump_unless_equal(run: Run, env: Env, left: In, right: In, to: Target) -> int | None:
    """Go on elsewhere unless two values are equal."""
    return to if env[left] != env[right] else None


@op
def jump_if_one_of(run: Run, env: Env, value: In, objects: Objects, to: Target) -> int | None:
    """Go on elsewhere if a card or action is one of these."""
    return to if _is_one_of(run, env[value], objects) else None


@op
def jump_unless_one_of(run: Run, env: Env, value: In, objects: Objects, to: Target) -> int | None:
    """Go on elsewhere unless a card or action is one of these."""
    return None if _is_one_of(run, env[value], objects) else to


@op
def answer(run: Run, env: Env, value: In) -> int:
    """End a piece of code that is run on its own, with its value."""
    return ~value


@op
def recall(run: Run, env: Env, to: Out, begun: Out, key: In | None, kept: Kept, end: Target) -> int | None:
    """Go on elsewhere with an answer that is kept, if nothing has changed that it reads."""
    found = kept.answers.get(None if key is None else env[key]) if run.watch is None else None
    if found is None or not all(map(operator.is_, map(run.state.__getitem__, kept.slots), found[0])):
        env[begun] = run.looked_at
        return None
    _, env[to], looked_at = found
    run.look_at(looked_at)
    return end


@op
def remember(run: Run, env: Env, value: In, begun: In, key: In | None, kept: Kept) -> None:
    """Keep an answer, by what it hangs on; who watches wants to see how all are found out."""
    if run.watch is not None:
        return
    if len(kept.answers) >= MOST_ANSWERS_KEPT:
        kept.answers.clear()
    contents = tuple(map(run.state.__getitem__, kept.slots))
    kept.answers[None if key is None else env[key]] = contents, env[value], run.looked_at - env[begun]


@op
def copy(run: Run, env: Env, to: Out, value: In) -> None:
    """The same value in another register."""
    env[to] = env[value]


@lacking
def present(run: Run, env: Env, local: In) -> None:
    """A local that may be absent: what is asked of it then is asked of somebody who is not there."""
    if env[local] == ABSENT:
        raise NotThere


@op
def truth(run: Run, env: Env, to: Out, value: In) -> None:
    """Yes or no: nothing is no."""
    env[to] = bool(env[value])


# ── memory, options, cards ───────────────────────────────────────────────────────────────────────


@op
def read_memory(run: Run, env: Env, to: Out, memory: MemorySlot) -> None:
    """A memory of the table."""
    env[to] = run.state[memory.slot]
    if run.watch is not None:
        _watch_memory(run, memory, None, env[to])


@lacking
def read_player_memory(run: Run, env: Env, to: Out, memory: MemorySlot, player: In) -> None:
    """A memory of a player."""
    seat = there(env[player])
    env[to] = run.state[memory.slot + seat]
    if run.watch is not None:
        _watch_memory(run, memory, seat, env[to])


def _watch_memory(run: Run, memory: MemorySlot, seat: int | None, value: Any) -> None:
    assert run.watch is not None
    if memory.seen_by == "owner" and seat is not None:
        run.watch.note_own(seat, seat in run.state[ALIVE])
    else:
        run.watch.note(readers(run.state, memory, seat))
    if value is not None and is_of_cards(memory.sort):
        watch(run, *(card for card in (value if isinstance(value, tuple) else (value,)) if card is not None))


@lacking
def read_state(run: Run, env: Env, to: Out, state: StateSlot, card: In) -> None:
    """Read a state of a card."""
    of = there(env[card])
    if run.watch is not None:
        watch(run, of)
    env[to] = run.state[state.slot][of]


@lacking
def read_attribute(run: Run, env: Env, to: Out, printed: Printed, card: In) -> None:
    """Read what is printed on a card or action; `printed` holds it for each."""
    of = there(env[card])
    if run.watch is not None:
        watch(run, of)
    env[to] = printed[of]


@lacking
def read_step(run: Run, env: Env, to: Out, steps: Steps, key: In) -> None:
    """An option that goes by steps: the value of the last step that is reached, else 0."""
    reached = there(env[key])
    env[to] = next((value for least, value in reversed(steps) if least <= reached), 0)


@lacking
def find_place(run: Run, env: Env, to: Out, places: Places, owner: In) -> None:
    """The place of a player or a card."""
    env[to] = place_of(places, env[owner])


def place_of(places: Places, owner: int | None) -> int:
    """The place that somebody has."""
    place: int = there(None if owner is None else places[owner])
    return place


@op
def list_cards(run: Run, env: Env, to: Out, place: In) -> None:
    """The cards in a place, in its order."""
    env[to] = cards_seen(run, env[place])


@op
def find_card(run: Run, env: Env, to: Out, place: In) -> None:
    """The card in a slot, or nothing."""
    cards = cards_seen(run, env[place])
    env[to] = cards[0] if cards else None


@lacking
def find_card_of(run: Run, env: Env, to: Out, places: Places, owner: In) -> None:
    """The card in the slot of a player or a card, or nothing."""
    cards = cards_seen(run, place_of(places, env[owner]))
    env[to] = cards[0] if cards else None


def cards_seen(run: Run, ordinal: int) -> tuple[int, ...]:
    """The cards in a place; a watch notes who knows them all."""
    place = run.layout.places[ordinal]
    cards = cards_in(run.layout, run.state, place)
    if run.watch is not None:
        watch_size(run, place)
        watch(run, *cards)
    return cards


@lacking
def count_place(run: Run, env: Env, to: Out, place: In) -> None:
    """Count the cards or pieces in a place."""
    env[to] = _count(run, there(env[place]))


@lacking
def count_place_of(run: Run, env: Env, to: Out, places: Places, owner: In) -> None:
    """Count the cards or pieces in the place of a player or a card."""
    env[to] = _count(run, place_of(places, env[owner]))


def _count(run: Run, ordinal: int) -> int:
    place = run.layout.places[ordinal]
    if run.watch is not None:
        watch_size(run, place)
    return count_in(run.layout, run.state, place)


@op
def count_cards(run: Run, env: Env, to: Out, place: In) -> None:
    """Count the cards that a list of those in a place would have."""
    env[to] = _count(run, env[place])


@op
def count_living(run: Run, env: Env, to: Out) -> None:
    """Count the players who still play."""
    env[to] = len(run.state[ALIVE])


@op
def list_living(run: Run, env: Env, to: Out) -> None:
    """List the players who still play, in seat order."""
    env[to] = run.state[ALIVE]


@lacking
def list_clockwise(run: Run, env: Env, to: Out, start: In, after: bool, backwards: bool) -> None:
    """List the players who still play, clockwise or the other way round, from a player, or from the next one."""
    first, alive = there(env[start]), run.state[ALIVE]
    later = tuple(seat for seat in alive if seat > first)
    earlier = tuple(seat for seat in alive if seat < first)
    rest = (later + earlier)[::-1] if backwards else later + earlier
    env[to] = rest if after or first not in alive else (first, *rest)


@lacking
def find_neighbour(run: Run, env: Env, to: Out, player: In, step: int) -> None:
    """The next one to the left (1) or right (-1) who still plays."""
    seat, alive = there(env[player]), run.state[ALIVE]
    others = sorted(alive, key=lambda other: ((other - seat) * step - 1) % run.layout.players)
    env[to] = others[0] if others else seat


@lacking
def is_face_up(run: Run, env: Env, to: Out, card: In) -> None:
    """Tell whether a card lies face up."""
    of = there(env[card])
    if run.watch is not None:
        watch(run, of)
    env[to] = run.state[FACES][of] == 1


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────


@lacking
def add(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a + b`."""
    env[to] = bounded(there(env[left]) + there(env[right]))


@lacking
def subtract(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a - b`."""
    env[to] = bounded(there(env[left]) - there(env[right]))


@lacking
def multiply(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a * b`."""
    env[to] = bounded(there(env[left]) * there(env[right]))


@lacking
def divide(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a / b`, rounded down."""
    env[to] = bounded(there(env[left]) // _divisor(env[right]))


@lacking
def remainder(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a % b`, with the sign of b."""
    env[to] = bounded(there(env[left]) % _divisor(env[right]))


def _divisor(number: int | None) -> int:
    if there(number) == 0:
        raise RuleError("A number cannot be divided by 0.")
    assert number is not None
    return number


@lacking
def less(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a < b`; `a > b` is `b < a`."""
    env[to] = there(env[left]) < there(env[right])


@lacking
def less_or_equal(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a <= b`; `a >= b` is `b <= a`."""
    env[to] = there(env[left]) <= there(env[right])


@op
def equal(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a is b`: nothing equals only nothing."""
    env[to] = env[left] == env[right]


@op
def unequal(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`a is not b`."""
    env[to] = env[left] != env[right]


@op
def negate(run: Run, env: Env, to: Out, value: In) -> None:
    """`not a`; of a list, whether it is empty."""
    env[to] = not env[value]


# ── what something is ────────────────────────────────────────────────────────────────────────────


@op
def is_one_of(run: Run, env: Env, to: Out, value: In, objects: Objects) -> None:
    """`it is note`: whether a card or action is one of these."""
    env[to] = _is_one_of(run, env[value], objects)


def _is_one_of(run: Run, value: Any, objects: Objects) -> bool:
    if run.watch is not None and value is not None:
        watch(run, value)
    return value in objects


@lacking
def is_within(run: Run, env: Env, to: Out, value: In, listed: In) -> None:
    """`x in S`."""
    env[to] = env[value] in there(env[listed])


@op
def is_nothing(run: Run, env: Env, to: Out, value: In) -> None:
    """`x is nothing`."""
    env[to] = env[value] is None


@op
def is_text(run: Run, env: Env, to: Out, value: In) -> None:
    """`x is text`: a text or word, where it may be something else."""
    env[to] = isinstance(env[value], str)


@op
def is_empty_cell(run: Run, env: Env, to: Out, value: In) -> None:
    """`cell is empty`: no card lies there, or there is no cell."""
    if run.watch is not None and env[value] is not None:
        watch_size(run, run.layout.places[env[value][0]])
    env[to] = env[value] is None or card_at(run, env[value]) is None


@op
def are_same_cards(run: Run, env: Env, to: Out, cards: In, definitions: Definitions, ordered: bool) -> None:
    """`Ben.hand is [tiara]`: cards against definitions, which are sorted if they are not ordered."""
    value = env[cards]
    listed = (value,) if isinstance(value, int) else value or ()
    ids = [run.program.definition[card] for card in listed]
    env[to] = tuple(ids if ordered else sorted(ids)) == definitions


def card_at(run: Run, cell: tuple[int, int]) -> int | None:
    """The card at a position, or nothing."""
    contents = run.state[run.layout.places[cell[0]].slot]
    if cell[1] >= len(contents) or contents[cell[1]] == run.layout.empty:
        return None
    card: int = contents[cell[1]]
    return card


# ── questions ────────────────────────────────────────────────────────────────────────────────────


@lacking
def ask(run: Run, env: Env, to: Out, question: Code, first: First, count: int) -> None:
    """The answer to a named question."""
    run.look_at(1)
    env[to] = run.answer_to(question, env[first : first + count])


@lacking
def ask_hook(run: Run, env: Env, to: Out, questions: Questions, first: First, count: int) -> None:
    """The answer of a card or action, which stands first among what is given."""
    arguments = env[first : first + count]
    of = there(arguments[0])
    run.look_at(1)
    question = questions[of]
    # A card must be able to answer; an action that says nothing about itself is free to all.
    env[to] = of >= run.program.cards if question is None else run.answer_to(question, arguments)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


@lacking
def number_word(run: Run, env: Env, to: Out, words: ManyWords, word: In) -> None:
    """The place of a word in its list, from 0: there its entry stands in a table."""
    env[to] = words.index(there(env[word]))


@lacking
def read_entry(run: Run, env: Env, to: Out, table: In, key: In) -> None:
    """`goods[wood]`, `gift[p]`: an entry of a table, by its number or a seat."""
    env[to] = there(env[table])[there(env[key])]


@lacking
def change_entry(run: Run, env: Env, to: Out, table: In, key: In, value: In) -> None:
    """A table in which one entry is another."""
    before, number = there(env[table]), there(env[key])
    env[to] = (*before[:number], env[value], *before[number + 1 :])


@lacking
def reckon_tables(run: Run, env: Env, to: Out, sign: Sign, left: In, right: In) -> None:
    """`t + u`, `t * n`, `max(t, u)`, entry by entry; a number is meant for each."""
    reckon = _RECKONINGS[sign]
    run.look_at(len(env[left] if isinstance(env[left], tuple) else there(env[right])))
    env[to] = tuple([bounded(reckon(one, other)) for one, other in _pair_entries(env[left], env[right])])


@lacking
def covers(run: Run, env: Env, to: Out, left: In, right: In) -> None:
    """`t >= u`: whether there is as much in each entry; `t <= u` is `u >= t`."""
    env[to] = all(one >= other for one, other in _pair_entries(env[left], env[right]))


def _pair_entries(left: Any, right: Any) -> list[tuple[int, int]]:
    """The entries of two tables side by side, all of which must be there."""
    one, other = there(left), there(right)
    first = one if isinstance(one, tuple) else (one,) * len(other)
    second = other if isinstance(other, tuple) else (other,) * len(one)
    if None in first or None in second:
        raise NotThere
    return list(zip(first, second, strict=True))


_RECKONINGS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda one, other: one // _divisor(other),
    "min": min,
    "max": max,
}


# ── named lines, told to who may know them ───────────────────────────────────────────────────────


@op
def open_lines(run: Run, env: Env, name: Words, of_object: bool, count: int) -> None:
    """The named lines of a question begin, asked about so many of the first locals."""
    if run.watch is not None:
        about = tuple(env[:count])
        run.watch.open_group(name, about[0] if of_object and about[0] < run.program.cards else None, about)


@op
def open_line(run: Run, env: Env) -> None:
    """A named line begins."""
    if run.watch is not None:
        run.watch.open_line()


@op
def close_line(run: Run, env: Env, name: Words, value: In) -> None:
    """A named line has its value."""
    if run.watch is not None:
        run.watch.close_line(name, env[value])


@op
def require(run: Run, env: Env, to: Out, value: In, exit: Target) -> int | None:
    """A condition of several, all of which must be met; who is told line by line is told of all."""
    if env[value]:
        return None
    env[to] = False
    return exit if run.watch is None else None


@op
def add_line(run: Run, env: Env, to: Out, value: In) -> None:
    """A number of a total, which is nothing if one of them is."""
    if env[to] is not None:
        env[to] = None if env[value] is None else env[to] + env[value]


@lacking
def total(run: Run, env: Env, to: Out) -> None:
    """The total of named numbers, all of which must be there."""
    env[to] = bounded(there(env[to]))


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


@op
def word(run: Run, env: Env, to: Out, value: In, sort: Sort) -> None:
    """A value in words."""
    env[to] = word_value(run.program, run.names, env[value], sort)


@op
def join(run: Run, env: Env, to: Out, first: First, count: int) -> None:
    """A text of several."""
    run.look_at(count)
    env[to] = "".join(env[first : first + count])
