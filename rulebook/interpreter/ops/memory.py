"""Ops that keep and tell: set, add, tell, say. A number that leaves the range declared for it is refused."""

from __future__ import annotations

from typing import Any

from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.knowledge import readers, recognisers, recognises
from rulebook.interpreter.layout import WHERE, MemorySlot, StateSlot
from rulebook.interpreter.moving import make_place_key
from rulebook.interpreter.op_table import Entry, Env, In, Wording, lacking, op
from rulebook.interpreter.run import Run, Watch, there
from rulebook.interpreter.state import position
from rulebook.interpreter.views import value_for
from rulebook.interpreter.wording import has_range, make_plain


@lacking
def set_memory(run: Run, env: Env, memory: MemorySlot, player: In | None, value: In) -> None:
    """`set a = e`, `set p.a = e`."""
    _set_memory(run, memory, None if player is None else there(env[player]), env[value], None)


@lacking
def explain_memory(run: Run, env: Env, memory: MemorySlot, player: In | None, value: Entry) -> None:
    """The same, and the lines are told that the value was made of."""
    seat = None if player is None else there(env[player])
    _set_memory(run, memory, seat, *watch_value(run, value, env))


def _set_memory(run: Run, memory: MemorySlot, seat: int | None, value: Any, watch: Watch | None) -> None:
    if memory.values is not None and has_range(memory.sort):
        check_range(memory.name, memory.values, value)
    what = memory.name if seat is None else f"{run.names[seat]}.{memory.name}"
    _explain(run, seers(run, memory, seat), what, value, memory.sort, watch)
    slot = memory.slot + (seat or 0)
    if run.state[slot] != value:
        run.state[slot] = value
        run.touch()
        tell_set(run, seers(run, memory, seat), what, value, memory.sort)


def seers(run: Run, memory: MemorySlot, seat: int | None) -> int:
    """The mask of seats that may see a memory."""
    return readers(run.state, memory, seat) & run.layout.everyone


@lacking
def set_state(run: Run, env: Env, state: StateSlot, card: In, value: In) -> None:
    """`set card.a = e`."""
    _set_state(run, state, there(env[card]), env[value], None)


@lacking
def explain_state(run: Run, env: Env, state: StateSlot, card: In, value: Entry) -> None:
    """The same, and the lines are told that the value was made of."""
    of = there(env[card])
    _set_state(run, state, of, *watch_value(run, value, env))


def _set_state(run: Run, slot: StateSlot, card: int, value: Any, watch: Watch | None) -> None:
    state = run.state
    if slot.values is not None and has_range(slot.sort):
        check_range(slot.name, slot.values, value)
    knowing = recognisers(run.program, state, card) if run.events is not None else 0
    named = f"{run.program.definition[card]}.{slot.name}"
    _explain(run, knowing, named, value, slot.sort, watch)
    if state[slot.slot][card] == value:
        return
    values = list(state[slot.slot])
    values[card] = value
    state[slot.slot] = tuple(values)
    run.touch()
    if run.events is not None:
        tell_set(run, knowing, named, value, slot.sort)
        if not slot.with_face:
            tell_set(run, ~knowing, f"?@{_make_spot_key(run, card)}.{slot.name}", value, slot.sort)


def _make_spot_key(run: Run, card: int) -> str:
    """The key of where a card lies, with its position where everybody can see that."""
    place = run.layout.places[run.state[WHERE][card]]
    key = make_place_key(run, place)
    return f"{key}.{position(run.state, place, card) + 1}" if place.kept in ("row", "grid") else key


def check_range(name: str, values: tuple[Any, ...], value: Any) -> None:
    """Check a value against its declared range, which bots, views and guesses about what is hidden all count on; of a
    table, each entry.
    """
    if isinstance(value, tuple):
        for entry in value:
            check_range(name, values, entry)
        return
    if value in values:
        return
    legal = sorted(value for value in values if value is not None)
    if len(legal) > 2 and len(legal) == legal[-1] - legal[0] + 1:
        span = f"goes from {legal[0]} to {legal[-1]}"
    else:
        span = f"can be {' or '.join(str(value) for value in legal)}"
    raise RuleError(f"`{name}` {span}, and this makes it {'nothing' if value is None else value}.")


def tell_set(run: Run, seats: int, what: str, value: Any, sort: str) -> None:
    """These seats notice a new value; where it is a card, by name only if they know it."""
    if run.events is not None:
        for seat in run.seats_of(seats):
            run.emit("set", 1 << seat, what=what, value=value_for(run.program, run.names, run.state, seat, value, sort))


def watch_value(run: Run, value: Entry, env: Env) -> tuple[Any, Watch | None]:
    """Return the value, and what it was made of, if anybody is told what happens."""
    if run.events is None:
        return run.run_piece(value, env), None
    watch = run.watch = Watch(run.layout.everyone)
    try:
        return run.run_piece(value, env), watch
    finally:
        run.watch = None


def _explain(run: Run, seats: int, what: str, value: Any, sort: str, watch: Watch | None) -> None:
    """Tell each of these seats, which may know the value, the named lines of which it recognises every card that they
    read, question by question."""
    if watch is None or not watch.groups:
        return
    for seat in run.seats_of(seats):
        groups = _list_known_lines(run, watch, seat)
        if groups:
            seen = value_for(run.program, run.names, run.state, seat, value, sort)
            run.emit("because", 1 << seat, what=what, value=seen, lines=groups)


def _list_known_lines(run: Run, watch: Watch, seat: int) -> list[dict[str, Any]]:
    """List the lines for one seat, as its event holds them; what two equal cards say is said once."""
    groups: list[dict[str, Any]] = []
    for (name, card, _), read in watch.groups.items():
        if card is not None and not recognises(run.program, run.state, seat, card):
            continue  # the names of its lines may tell which card it is
        lines = [
            [line, make_plain(run.program, run.names, answer, "any")]
            for line, answer, knowing in read
            if knowing >> seat & 1
        ]
        group = {"card": None if card is None else run.program.definition[card], "name": name, "lines": lines}
        if lines and group not in groups:
            groups.append(group)
    return groups


@op
def tell(run: Run, env: Env, to: In, question: In, wording: Wording) -> None:
    """`tell S whether E`."""
    seats, answer = run.alive(env[to]), bool(env[question])
    words = "" if run.events is None else wording(run, env)
    listeners = sum(1 << seat for seat in seats)
    names = run.names_of(seats)
    run.emit("told", listeners, to=names, question=words, answer=answer)
    run.emit("told", ~listeners, to=names, question=words)
    run.changes += 1


@lacking
def say(run: Run, env: Env, text: Entry, to: In | None) -> None:
    """`say "…" to S`; `to` None is everyone."""
    seats = None if to is None else run.alive(env[to])
    piece = run.run_piece(text, env)
    mask = -1 if seats is None else sum(1 << seat for seat in seats)
    run.emit("said", mask, aside=seats is not None, text=piece)
