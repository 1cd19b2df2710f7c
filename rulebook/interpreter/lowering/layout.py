"""The builder of a `Layout`: the slots of everything in the states of a rulebook.

In: the tables, and how to settle an expression that stands in YAML. Out: a `Layout`. Never: looks at a script, except
to see whether it needs a random stream of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.naming.layer_names import name_plainly
from rulebook.dsl.settling.laying_out import LONGEST_SIDE
from rulebook.dsl.walk import statements
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import (
    ALIVE,
    BOX,
    CLOCK,
    COUNTS,
    ELIMINATED,
    FACES,
    FIRST_FREE,
    KNOWN,
    WHERE,
    Layout,
    MemorySlot,
    PlaceSlot,
    StateSlot,
)
from rulebook.interpreter.lowering.tables import Tables, sort_of
from rulebook.interpreter.lowering.triggers import list_triggers

Settle = Callable[[ir.Expr], Any]

CALLS = "at:call"
"""The stream of scripts that are not the rulebook's own."""


def make_first_slots(players: int, cards: int) -> list[Any]:
    """Make the slots that every state begins with; where the cards lie comes behind them."""
    start: list[Any] = [None] * FIRST_FREE
    start[COUNTS], start[CLOCK], start[ALIVE] = (0,) * (players + 1), 0, tuple(range(players))
    start[ELIMINATED] = ()
    everybody = ((1 << players) - 1,) * cards
    start[FACES], start[KNOWN] = bytes(cards), bytes(everybody) if players <= 8 else everybody
    return start


def empty(players: int) -> Layout:
    """A layout of nothing, for what must be settled before there are cards."""
    return Layout(players, 0, False, (), {}, {}, {}, {}, {}, {}, tuple(make_first_slots(players, 0)))


def make_layout(tables: Tables, settle: Settle) -> Layout:
    """All slots, and a state before its first step."""
    builder = _Builder(tables, settle)
    builder.add_memories()
    builder.add_card_states()
    builder.add_all_places()
    builder.add_script_streams()
    return builder.finish()


class _Builder:
    def __init__(self, tables: Tables, settle: Settle) -> None:
        self.tables, self.settle = tables, settle
        self.cards = tables.cards
        self.wide = self.cards > 255
        self.start = make_first_slots(tables.players, self.cards)
        self.places: list[PlaceSlot] = []
        self.place_of: dict[str, tuple[int | None, ...]] = {}
        self.memory: dict[str, MemorySlot] = {}
        self.player_memory: dict[str, MemorySlot] = {}
        self.states: dict[str, StateSlot] = {}
        self.streams: dict[int, str] = {}
        self.script_stream: dict[str, int] = {}

    def add_slots(self, start: Any, count: int = 1) -> int:
        """The first of so many new slots that begin with the value."""
        first = len(self.start)
        self.start += [start] * count
        return first

    def add_stream(self, name: str) -> int:
        slot = self.add_slots(None)
        self.streams[slot] = name
        return slot

    def pack(self, cards: list[int]) -> Any:
        return tuple(cards) if self.wide else bytes(cards)

    def add_memories(self) -> None:
        for memory in self.tables.rulebook.memories.values():
            of_player = memory.owner == "player"
            start = self._fill_start(memory)
            slot = self.add_slots(start, self.tables.players if of_player else 1)
            memory_slot = MemorySlot(
                memory.name, memory.owner, slot, start, memory.values, memory.seen_by, memory.lasts,
                sort_of(memory.type), memory.secret,
            )
            (self.player_memory if of_player else self.memory)[memory.name] = memory_slot
        for trigger in list_triggers(self.tables.rulebook):
            of_player, name = trigger.player is not None, trigger.name
            owner, slot = ("player", self.tables.players) if of_player else ("table", 1)
            answer = MemorySlot(
                name, owner, self.add_slots(None, slot), None, None, "nobody", None, "number",
                follows=trigger.value.function,
            )
            (self.player_memory if of_player else self.memory)[name] = answer

    def _fill_start(self, of: ir.MemoryDef | ir.StateDef) -> Any:
        """The start of a memory or state; a table by players has 0 or nothing for each who sits at this table."""
        if isinstance(of.type, t.TableOf) and of.type.key == t.PLAYER and not of.start:
            return (0 if t.has_numbers(of.type) else None,) * self.tables.players
        return of.start

    def add_card_states(self) -> None:
        for state in self.tables.rulebook.states.values():
            start = self._fill_start(state)
            printed = self.tables.attributes.get(state.name) if state.printed else None
            starts = tuple(
                None if kind not in state.kinds else start if printed is None else printed[card]
                for card, kind in enumerate(self.tables.kind)
            )
            slot = self.add_slots(starts)
            sort = sort_of(state.type)
            self.states[state.name] = StateSlot(
                state.name, slot, state.kinds, starts, state.values, state.with_face, state.lasts, sort, state.printed
            )

    def add_all_places(self) -> None:
        self.add_places(self.tables.rulebook.box)
        self.start[self.places[BOX].slot] = self.pack(list(range(self.cards)))
        self.start[FACES] = bytes([self.places[BOX].arrives_up]) * self.cards
        for definition in sorted(self.tables.rulebook.places.values(), key=lambda place: place.refill is not None):
            self.add_places(definition)
        self.places = [evolve(place, refill=self._find_refill(place)) for place in self.places]
        ordinals = len(self.places)
        self.start[WHERE] = bytes(self.cards) if ordinals <= 256 else (BOX,) * self.cards

    def add_places(self, place: ir.PlaceDef) -> None:
        """One place for each owner. Places that are refilled come after all others."""
        owners: list[int | None] = [None]
        if place.owner == "player":
            owners = list(range(self.tables.players))
        elif place.owner == "card":
            owners = [card if kind in place.of else None for card, kind in enumerate(self.tables.kind)]
        ordinals: list[int | None] = []
        for owner in owners:
            if owner is None and place.owner == "card":
                ordinals.append(None)
            else:
                ordinals.append(len(self.places))
                self.places.append(self._make_place(place, owner))
        self.place_of[place.name] = tuple(ordinals)

    def _make_place(self, place: ir.PlaceDef, owner: int | None) -> PlaceSlot:
        rows, columns = (0, 0) if place.size is None else map(self._settle_side, place.size)
        watchers, seen_by = 0, self.settle(place.seen_by)
        if seen_by == "everyone":
            watchers = (1 << self.tables.players) - 1
        elif seen_by == "owner" and place.owner == "player" and owner is not None:
            watchers = 1 << owner
        elif seen_by == "others" and place.owner == "player" and owner is not None:
            watchers = (1 << self.tables.players) - 1 & ~(1 << owner)
        contents: Any = 0 if place.kept == "pool" else self.pack([])
        if place.kept == "grid":
            contents = self.pack([-1 if self.wide else 255] * (rows * columns))
        slot = self.add_slots(contents)
        return PlaceSlot(
            ordinal=len(self.places),
            slot=slot,
            name=place.name,
            owned_by=place.owner,
            owner=owner,
            kept=place.kept,
            holds=place.holds,
            seen_by=seen_by,
            watchers=watchers,
            recall=self.settle(place.recall),
            counted=self.settle(place.counted),
            opened_at_end=self.settle(place.opened_at_end),
            stream=self.add_stream(self._stream_name(place, owner)),
            settled=self.add_slots((0, 0)) if place.kept == "pile" else None,
            rows=rows,
            columns=columns,
            alike_once=place.alike_once,
        )

    def _find_refill(self, place: PlaceSlot) -> int | None:
        """Return the ordinal of the place from which one is refilled: that of the table, or of the same owner."""
        declared = self.tables.rulebook.places.get(place.name)
        if declared is None or declared.refill is None:
            return None
        of_table = self.tables.rulebook.places[declared.refill].owner == "table"
        return self.place_of[declared.refill][0 if of_table or place.owner is None else place.owner]

    def _settle_side(self, expr: ir.Expr) -> int:
        """Reckon the length of a side of a grid."""
        side = self.settle(expr)
        if not isinstance(side, int) or not 0 <= side <= LONGEST_SIDE:
            length = "no number" if side is None else f"{side:,}"
            message = f"A side of a grid would be {length} long; it must be from 0 to {LONGEST_SIDE}."
            raise RuleError(message, at=expr.at)
        return side

    def _stream_name(self, place_def: ir.PlaceDef, owner: int | None) -> str:
        """By number, in the order of declaration: what an author calls a place moves no card."""
        numbered = [place.name for place in self.tables.rulebook.places.values() if place.owner == place_def.owner]
        number = numbered.index(place_def.name) + 1 if place_def.name in numbered else 0
        return f"place:{place_def.owner}:{number}" + ("" if owner is None else f":{owner}")

    def add_script_streams(self) -> None:
        """Number the streams of scripts; layers of a script share one: what hangs on it moves no chance in it."""
        streams: dict[str, int] = {}
        for name, script in self.tables.rulebook.scripts.items():
            if any(isinstance(line, ir.PickRandom | ir.Roll) for line in statements(script.body)):
                if name_plainly(name) not in streams:
                    streams[name_plainly(name)] = self.add_stream(f"at:{len(streams)}")
                self.script_stream[name] = streams[name_plainly(name)]
        self.script_stream[CALLS] = self.add_stream("at:calls")

    def finish(self) -> Layout:
        return Layout(
            self.tables.players,
            self.cards,
            self.wide,
            tuple(self.places),
            self.place_of,
            self.memory,
            self.player_memory,
            self.states,
            self.streams,
            self.script_stream,
            tuple(self.start),
        )
