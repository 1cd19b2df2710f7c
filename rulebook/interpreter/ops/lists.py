"""Ops that make lists and go through them, and the questions that are built into the language.

A loop is `walk`, then `next_member` at the head of each round. A list that is being made is one of Python's own until
it is closed; it never outlives the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import ALIVE, FACES, WHERE, PlaceSlot
from rulebook.interpreter.op_table import (
    MOST_LISTED,
    Entry,
    Env,
    First,
    In,
    Objects,
    Out,
    Places,
    Printed,
    Signs,
    Target,
    Way,
    lacking,
    op,
)
from rulebook.interpreter.ops.values import bounded, card_at, cards_seen, watch, watch_size
from rulebook.interpreter.run import NotThere, Run, there
from rulebook.interpreter.state import cards_in, position


def check_length(members: tuple[Any, ...] | range) -> tuple[Any, ...]:
    """A list, if it is not too long."""
    if len(members) > MOST_LISTED:
        raise RuleError(f"This makes a list of more than {MOST_LISTED:,} things.")
    return tuple(members)


# ── loops ────────────────────────────────────────────────────────────────────────────────────────


@lacking
def walk(run: Run, env: Env, listed: In, at: Out) -> None:
    """Begin to go through a list; `at` counts the rounds."""
    run.look_at(len(there(env[listed])))
    env[at] = 0


@op
def next_member(run: Run, env: Env, listed: In, at: Out, member: Out, exit: Target) -> int | None:
    """The next member of a list, or its end."""
    members, index = env[listed], env[at]
    if index == len(members):
        return exit
    env[member], env[at] = members[index], index + 1
    return None


@op
def next_player(
    run: Run, env: Env, listed: In, at: Out, member: Out, exit: Target, playing: bool, among: Entry | None
) -> int | None:
    """The next player of a list, or its end; where only those who still play are meant, others are passed over.

    `among` finds, where somebody may be asked quietly in a round, all to whom a shared device then goes in turn.
    """
    members, index, alive = env[listed], env[at], run.state[ALIVE]
    while playing and index < len(members) and members[index] not in alive:
        index += 1
    if index == len(members):
        return exit
    env[member], env[at] = members[index], index + 1
    return None


@op
def open_list(run: Run, env: Env, to: Out) -> None:
    """A list begins, which is empty."""
    env[to] = []


@op
def keep(run: Run, env: Env, to: Out, member: In, condition: In, again: Target) -> int:
    """`S where c`: one more member if the condition is met; on to the next."""
    if env[condition]:
        env[to].append(env[member])
    return again


@op
def gather(run: Run, env: Env, to: Out, value: In, again: Target) -> int:
    """`E for x in S`: one more member, unless it is nothing; on to the next."""
    if env[value] is not None:
        env[to].append(env[value])
    return again


@op
def gather_all(run: Run, env: Env, to: Out, value: In, again: Target) -> int:
    """The same where lists are joined."""
    value_ = env[value]
    if isinstance(value_, tuple):
        env[to] += value_
    elif value_ is not None:
        env[to].append(value_)
    if len(env[to]) > MOST_LISTED:
        check_length(tuple(env[to]))
    return again


@op
def gather_cards(run: Run, env: Env, to: Out, place: In, again: Target) -> int:
    """`hand of players`: the cards in one more place; on to the next."""
    env[to] += cards_seen(run, env[place])
    if len(env[to]) > MOST_LISTED:
        check_length(tuple(env[to]))
    return again


@op
def select_cards(run: Run, env: Env, to: Out, place: In, objects: Objects) -> None:
    """`p.hand where it is note`: those of the cards in a place that are among these."""
    cards = cards_seen(run, env[place])
    run.look_at(len(cards))
    env[to] = tuple([card for card in cards if card in objects])


@op
def select_from_players(run: Run, env: Env, to: Out, places: Places, objects: Objects) -> None:
    """`hand of players where it is note`: those of the cards in a place of everybody who plays that are among these."""
    cards = [card for seat in run.state[ALIVE] for card in cards_seen(run, there(places[seat]))]
    run.look_at(len(cards))
    env[to] = check_length(tuple([card for card in cards if card in objects]))


@lacking
def select(run: Run, env: Env, to: Out, listed: In, objects: Objects) -> None:
    """`S where it is note`: those cards and actions of a list that are among these."""
    members = there(env[listed])
    run.look_at(len(members))
    if run.watch is not None:
        watch(run, *members)
    env[to] = tuple([member for member in members if member in objects])


@op
def list_facing(run: Run, env: Env, to: Out, place: In) -> None:
    """`place where it is face up`: those cards of a place that lie so; of the others a watch notes nothing, since
    everybody sees how they lie, but in a pile.
    """
    slot, faces = run.layout.places[env[place]], run.state[FACES]
    cards = cards_in(run.layout, run.state, slot)
    run.look_at(len(cards))
    up = tuple([card for card in cards if faces[card] == 1])
    if run.watch is not None:
        watch_size(run, slot)
        watch(run, *(cards if slot.kept == "pile" else up))
    env[to] = up


@lacking
def select_facing(run: Run, env: Env, to: Out, listed: In, is_up: bool) -> None:
    """`S where it is face up`: those cards of a list that lie so, or those that do not."""
    members, faces = there(env[listed]), run.state[FACES]
    run.look_at(len(members))
    if run.watch is not None:
        watch(run, *members)
    env[to] = tuple([member for member in members if (faces[member] == 1) is is_up])


@lacking
def read_each(run: Run, env: Env, to: Out, listed: In, printed: Printed) -> None:
    """`worth of S`: what is printed on each card or action of a list, but for nothing."""
    members = there(env[listed])
    run.look_at(len(members))
    if run.watch is not None:
        watch(run, *members)
    env[to] = tuple([printed[member] for member in members if printed[member] is not None])


@op
def close_list(run: Run, env: Env, to: Out) -> None:
    """A list is complete."""
    env[to] = tuple(env[to])


@lacking
def rank(run: Run, env: Env, to: Out, member: In, first: First, signs: Signs, again: Target) -> int:
    """Note the keys of a member, 1 of those of which the most comes first and -1 of the others; on to the next."""
    keys = env[first : first + len(signs)]
    env[to].append((tuple([sign * there(key) for sign, key in zip(signs, keys, strict=True)]), env[member]))
    return again


@op
def sort(run: Run, env: Env, to: Out) -> None:
    """`S sorted by K`: the most first; equal ones keep their order."""
    env[to] = tuple(member for _, member in sorted(env[to], key=lambda pair: pair[0], reverse=True))


@op
def best(run: Run, env: Env, to: Out) -> None:
    """`S with most K`: all that share the most."""
    top = max((key for key, _ in env[to]), default=None)
    env[to] = tuple(member for key, member in env[to] if key == top)


@op
def any_member(run: Run, env: Env, to: Out, value: In, again: Target, exit: Target) -> int:
    """`any(… for x in S)`: yes as soon as one is; on to the next.

    Who may be told must not depend on which member comes first, so while somebody watches all are asked.
    """
    if not env[to] and env[value]:
        env[to] = True
    return exit if env[to] and run.watch is None else again


@op
def all_members(run: Run, env: Env, to: Out, value: In, again: Target, exit: Target) -> int:
    """`all(… for x in S)`: no as soon as one was answered with no; on to the next."""
    if env[to] and env[value] is not None and not env[value]:
        env[to] = False
    return exit if not env[to] and run.watch is None else again


@lacking
def hush(run: Run, env: Env, to: In, decided: bool, again: Target) -> int:
    """Pass over a member that asks something of nothing, once `any` or `all` is decided."""
    if env[to] is not decided:
        raise NotThere
    return again


# ── lists ────────────────────────────────────────────────────────────────────────────────────────


@op
def make_list(run: Run, env: Env, to: Out, first: First, count: int) -> None:
    """`[a, b]`."""
    env[to] = tuple(env[first : first + count])


@lacking
def count_up(run: Run, env: Env, to: Out, first: In, last: In) -> None:
    """`1..n`, both ends included."""
    numbers = check_length(range(there(env[first]), there(env[last]) + 1))
    run.look_at(len(numbers))
    env[to] = numbers


@lacking
def chain(run: Run, env: Env, to: Out, first: In, second: In) -> None:
    """`a + b` of lists."""
    members = check_length((*there(env[first]), *there(env[second])))
    run.look_at(len(members))
    env[to] = members


@lacking
def sum_list(run: Run, env: Env, to: Out, listed: In) -> None:
    """`sum(S)`, where all are there."""
    numbers = there(env[listed])
    if None in numbers:
        raise NotThere
    env[to] = bounded(sum(numbers))


@lacking
def count_list(run: Run, env: Env, to: Out, listed: In) -> None:
    """`count(S)`."""
    env[to] = len(there(env[listed]))


@lacking
def count_answers(run: Run, env: Env, to: Out, answers: In) -> None:
    """`count(gift)`: how many chose something in a sealed decision."""
    env[to] = sum(answer is not None for answer in there(env[answers]))


@lacking
def least_in(run: Run, env: Env, to: Out, listed: In, otherwise: In) -> None:
    """`min(S, n)`: the least of those that are there."""
    env[to] = min(_drop_nothing(env[listed]), default=env[otherwise])


@lacking
def most_in(run: Run, env: Env, to: Out, listed: In, otherwise: In) -> None:
    """`max(S, n)`: the most of those that are there."""
    env[to] = max(_drop_nothing(env[listed]), default=env[otherwise])


def _drop_nothing(members: Iterable[Any] | None) -> Iterable[Any]:
    return [member for member in there(members) if member is not None]


@lacking
def least_of(run: Run, env: Env, to: Out, first: First, count: int) -> None:
    """`min(a, b)`; nothing where one is nothing."""
    env[to] = _extreme(min, env[first : first + count])


@lacking
def most_of(run: Run, env: Env, to: Out, first: First, count: int) -> None:
    """`max(a, b)`; nothing where one is nothing."""
    env[to] = _extreme(max, env[first : first + count])


def _extreme(of: Callable[[Iterable[Any]], Any], numbers: list[Any]) -> Any:
    there(numbers[0])
    return None if None in numbers else of(numbers)


@lacking
def is_any(run: Run, env: Env, to: Out, listed: In) -> None:
    """`any(S)` of answers: whether one is yes."""
    env[to] = any(there(env[listed]))


@lacking
def are_all(run: Run, env: Env, to: Out, listed: In) -> None:
    """`all(S)` of answers: whether each is yes."""
    env[to] = all(there(env[listed]))


@lacking
def is_anything(run: Run, env: Env, to: Out, listed: In) -> None:
    """`any(S)` of things: whether there is one."""
    env[to] = bool(there(env[listed]))


@lacking
def drop_doubles(run: Run, env: Env, to: Out, listed: In) -> None:
    """`distinct(S)`."""
    members = there(env[listed])
    run.look_at(len(members))
    env[to] = tuple(dict.fromkeys(members))


@lacking
def find_first(run: Run, env: Env, to: Out, listed: In) -> None:
    """`first(S)`, or nothing."""
    members = there(env[listed])
    env[to] = members[0] if members else None


@lacking
def find_last(run: Run, env: Env, to: Out, listed: In) -> None:
    """`last(S)`, or nothing."""
    members = there(env[listed])
    env[to] = members[-1] if members else None


@lacking
def take_first(run: Run, env: Env, to: Out, listed: In, count: In) -> None:
    """`first(S, n)`."""
    taken = there(env[listed])[: max(there(env[count]), 0)]
    run.look_at(len(taken))
    env[to] = taken


@lacking
def take_last(run: Run, env: Env, to: Out, listed: In, count: In) -> None:
    """`last(S, n)`."""
    members = there(env[listed])
    taken = members[max(len(members) - max(there(env[count]), 0), 0) :]
    run.look_at(len(taken))
    env[to] = taken


@lacking
def find_holder(run: Run, env: Env, to: Out, card: In) -> None:
    """`holder(card)`: the player in whose place it lies, or nothing."""
    of = there(env[card])
    if run.watch is not None:
        watch(run, of)
    place = run.layout.places[run.state[WHERE][of]]
    env[to] = place.owner if place.owned_by == "player" else None


@lacking
def number_seat(run: Run, env: Env, to: Out, player: In) -> None:
    """`seat(p)`: its number, from 1."""
    env[to] = there(env[player]) + 1


# ── rows and grids ───────────────────────────────────────────────────────────────────────────────

Position = tuple[int, int]
"""Row and column, from 0."""


def _measure_grid(run: Run, place: PlaceSlot) -> Position:
    """Rows and columns; a row is a grid of one row."""
    return (place.rows, place.columns) if place.kept == "grid" else (1, len(run.state[place.slot]))


def _find_index(run: Run, thing: Any) -> tuple[PlaceSlot, int]:
    """The place and the index in it of a card or a cell."""
    if isinstance(thing, tuple):
        return run.layout.places[thing[0]], thing[1]
    place = run.layout.places[run.state[WHERE][thing]]
    if place.kept not in ("grid", "row"):
        raise NotThere
    return place, position(run.state, place, thing)


@lru_cache(maxsize=1024)
def _map_near(way: str, place: PlaceSlot, contents: bytes | tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """Map each card of a grid to what is near it, as far as somebody asked, while the cards lie like this."""
    return {}


@lacking
def find_near(run: Run, env: Env, to: Out, card: In, way: Way) -> None:
    """`beside(x)`, `around(x)`, `row(x)`, `column(x)`: cards for a card, cells for a cell."""
    value, state = there(env[card]), run.state
    if run.watch is not None:
        _watch_near(run, value)
    if isinstance(value, int) and (place := run.layout.places[state[WHERE][value]]).kept == "grid":
        # What is asked most often, in one step.
        contents = state[place.slot]
        known = _map_near(way, place, contents)
        if value not in known:
            known[value] = _find_at(run, place, _find_near(way, place.rows, place.columns, contents.index(value)))
        env[to] = known[value]
        if run.watch is not None:
            watch(run, *known[value])
        return
    place, index = _find_index(run, value)
    rows, columns = _measure_grid(run, place)
    indexes = _find_near(way, rows, columns, index) if columns else ()
    if isinstance(value, tuple):
        env[to] = tuple([(place.ordinal, at) for at in indexes])
    else:
        env[to] = _find_at(run, place, indexes)
        if run.watch is not None:
            watch(run, *env[to])


def _watch_near(run: Run, thing: Any) -> None:
    """Note who knows where a card lies, and what positions there are around it or a cell."""
    if isinstance(thing, tuple):
        watch_size(run, run.layout.places[thing[0]])
    else:
        watch(run, thing)
        watch_size(run, run.layout.places[run.state[WHERE][thing]])


def _find_at(run: Run, place: PlaceSlot, indexes: Iterable[int]) -> tuple[int, ...]:
    """The cards at some positions of a grid or row, which has these; where nothing lies, none."""
    contents, empty = run.state[place.slot], run.layout.empty
    if place.kept == "grid":
        return tuple([contents[at] for at in indexes if contents[at] != empty])
    return tuple([contents[at] for at in indexes])


_AWAY: dict[str, tuple[Position, ...]] = {
    "beside": ((-1, 0), (0, -1), (0, 1), (1, 0)),
    "around": tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right),
}


@cache
def _find_near(way: str, rows: int, columns: int, index: int) -> tuple[int, ...]:
    """The positions that are near one."""
    row, column = divmod(index, columns)
    if way == "row":
        return tuple(range(row * columns, (row + 1) * columns)) if row < rows else ()
    if way == "column":
        return tuple(range(column, rows * columns, columns))
    near = [(row + down, column + right) for down, right in _AWAY[way]]
    return tuple([r * columns + c for r, c in near if 0 <= r < rows and 0 <= c < columns])


@lacking
def find_number(run: Run, env: Env, to: Out, thing: In, way: Way) -> None:
    """`row_number(x)`, `column_number(x)`: of a card or cell, from 1."""
    of = there(env[thing])
    if run.watch is not None:
        _watch_near(run, of)
    place, index = _find_index(run, of)
    columns = _measure_grid(run, place)[1]
    if not columns:
        raise NotThere
    env[to] = 1 + (index // columns if way == "row" else index % columns)


@lacking
def find_cell(run: Run, env: Env, to: Out, place: In, row: In, column: In) -> None:
    """`cell(grid, row, column)`: a position, or nothing outside."""
    at = run.layout.places[there(env[place])]
    if run.watch is not None:
        watch_size(run, at)
    (rows, columns), down, right = _measure_grid(run, at), there(env[row]), there(env[column])
    is_inside = 1 <= down <= rows and 1 <= right <= columns
    env[to] = (at.ordinal, (down - 1) * columns + right - 1) if is_inside else None


@lacking
def list_lines(run: Run, env: Env, to: Out, place: In, way: Way) -> None:
    """`rows(grid)`, `columns(grid)`: the cards of each."""
    at = run.layout.places[there(env[place])]
    if run.watch is not None:
        cards_seen(run, at.ordinal)
    rows, columns = _measure_grid(run, at)
    starts = [row * columns for row in range(rows)] if way == "row" else range(columns)
    env[to] = tuple([_find_at(run, at, _find_near(way, rows, columns, start) if columns else ()) for start in starts])


@lacking
def list_straight(run: Run, env: Env, to: Out, place: In, length: In) -> None:
    """`lines(grid, n)`: what lies on the positions of each straight line of a length."""
    at = run.layout.places[there(env[place])]
    if run.watch is not None:
        cards_seen(run, at.ordinal)
    lines = check_length(_straight(*_measure_grid(run, at), env[length]))
    cards = [card_at(run, (at.ordinal, spot)) for spot in range(at.rows * at.columns)]
    env[to] = tuple([tuple([cards[spot] for spot in spots]) for spots in lines])


@cache
def _straight(rows: int, columns: int, length: int) -> tuple[tuple[int, ...], ...]:
    """The positions of all straight lines on a grid of this size."""
    lines = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for column in range(columns):
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if 0 <= last_row < rows and 0 <= last_column < columns:
                    lines.append(tuple((row + down * n) * columns + column + right * n for n in range(length)))
    return tuple(lines)


@lacking
def list_cells(run: Run, env: Env, to: Out, place: In) -> None:
    """`cells(grid)`: every position."""
    at = run.layout.places[there(env[place])]
    if run.watch is not None:
        watch_size(run, at)
    rows, columns = _measure_grid(run, at)
    env[to] = tuple((at.ordinal, index) for index in range(rows * columns))
