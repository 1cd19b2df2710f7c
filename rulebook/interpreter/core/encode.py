"""A program as whole numbers, as the core loads it.

In: a program, and the ops that the core knows. Out: an `Image`: the numbers, and how values and steps of the machine
are numbered in it. Never: decides what a step means.

What only tells people something, or only Python needs, is left out: pieces for labels and titles, the steps between the
lines of questions. Where a frame may stand a `nop` stands for it, so that it stands at the same step in both.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from typing import Any

from attrs import define, field

from rulebook.interpreter import random
from rulebook.interpreter.determinize import rolled_states
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.lowering.keeping import FACES_OF_CARDS, PLACES_OF_CARDS, PLAYERS
from rulebook.interpreter.op_table import ABSENT, Op, Step
from rulebook.interpreter.ops import asking, flow, memory, values
from rulebook.interpreter.program import Choice, Code, Kept, Pick, Program, Unknown, Window
from rulebook.interpreter.totals import FOLDS
from rulebook.interpreter.wording import has_range, is_of_cards, is_table

NOTHING = -(2**62)
WORD, LIST = 1 << 59, 1 << 61
MOST_KEYS = 8
MOST_PICKS = 8
MOST_KINDS = 64

_CELLS = (PLAYERS, FACES_OF_CARDS, PLACES_OF_CARDS)
_KEPT = ("bag", "loose", "pile", "row", "slot", "pool", "grid")
_SEEN_BY = ("nobody", "owner", "everyone", "top", "others")
_OWNED_BY = ("table", "player", "card")
_OF_THE_MACHINE = {
    "word", "join", "open_lines", "open_line", "close_line", "say", "count_probe", "count_answer", "count_object",
    "count_choice", "count_word", "close_list",
}  # fmt: skip
"""Ops that the core does not need: they only tell, but for `close_list`."""
_ENDS = {"": 0, "top": 1, "bottom": 2}
_FACES = {"": -1, "down": 0, "up": 1}
_SIGNS = {"+": 0, "-": 1, "*": 2, "/": 3, "min": 4, "max": 5}
_WAYS = {"row": 0, "column": 1, "around": 2, "beside": 3}
_CARDS = ("card", "object")
SECTIONS = (
    "sizes", "places", "likeness", "singular", "changing", "memory", "streams", "codes", "steps", "traps", "stage_at",
    "stages", "lasting", "choices", "picks", "sources", "data", "lists", "rank", "kinds", "tops", "unknown_at",
)  # fmt: skip
_BY_STEP = ("steps", "traps", "stage_at", "unknown_at")
_LOOPS = {"repeat", "next_round"}
"""Ops that remember something in a register behind all others."""
_ENDINGS = (
    values.jump, values.answer, flow.leave, flow.switch,
)  # fmt: skip


class CannotEncode(Exception):
    """A program that the core cannot run; the sentence says why."""


@define
class Image:
    """The numbers of a program. `words` are the texts by their numbers; `offsets` says by script where each of its
    steps begins, `pcs` which step of its script begins there; `choices` are the scripts and steps of the choices whose
    picks are numbered, in that order.
    """

    numbers: array[int]
    words: tuple[str, ...]
    offsets: list[list[int]]
    pcs: dict[int, int]
    choices: list[tuple[int, int]]

    def list_picks(self, program: Program) -> list[Pick]:
        """List all that is chosen in the program, by number."""
        return [pick for code, pc in self.choices for pick in program.codes[code].steps[pc]["choice"].picks]


@define
class _Encoder:
    program: Program
    ops: Mapping[str, tuple[int, str]]
    sections: dict[str, list[int]] = field(init=False)
    words: dict[str, int] = field(init=False)
    lists: dict[Any, int] = field(factory=dict)
    codes: dict[int, int] = field(factory=dict)
    all_codes: list[Code] = field(factory=list)
    memories: dict[int, int] = field(factory=dict)
    kinds: dict[str, int] = field(factory=dict)
    sorts: dict[str, int] = field(factory=dict)
    first_stage: list[int] = field(factory=list)
    offsets: list[list[int]] = field(factory=list)
    pcs: dict[int, int] = field(factory=dict)
    picks: int = 0
    """The number of picks that are numbered so far."""
    places: list[tuple[int, int]] = field(factory=list)
    """The scripts and steps of their choices."""
    choices: dict[int, int] = field(factory=dict)
    kept: dict[int, int] = field(factory=dict)
    cells: dict[tuple[str, str], int] = field(factory=dict)
    """The numbers of what kept answers may read, by kind and name."""
    here: tuple[int, int] = (0, 0)
    """The code and step that is being encoded."""
    stage_base: int = 0
    """The number of the first stage of the code that is being encoded."""

    def encode(self) -> Image:
        program = self.program
        self.sections = {name: [] for name in SECTIONS}
        result = [program.payoff] if program.payoff is not None else [key.value for key in program.rank]
        if len(result) > MOST_KEYS:
            raise CannotEncode(f"Its result has more than {MOST_KEYS} keys.")
        team = [] if program.team is None else [program.team]
        self.all_codes = [*program.codes, *program.questions.values(), *result, *team]
        self.codes = {id(code): number for number, code in enumerate(self.all_codes)}
        self.words = {word: number for number, word in enumerate(sorted(self._collect_texts()))}
        self._number_cells()
        self._encode_cards()
        self._encode_slots()
        self.first_stage = [0, *accumulate(len(code.stage_table) for code in self.all_codes)]
        for number, code in enumerate(self.all_codes):
            self._encode_code(number, code)
        slots = [*self._list_memories(), *program.layout.states.values()]
        remembers = any(slot.values is None and slot.sort.removeprefix("list of ") == "text" for slot in slots)
        tells_apart = remembers or any(code.tells_texts_apart for code in self.all_codes)
        if tells_apart and any(code.makes_texts for code in self.all_codes):
            # The core puts no texts together, and so cannot say which of them are the same.
            raise CannotEncode("Its rules make texts, and ask which of them are the same.")
        most = [True] if program.payoff is not None else [key.most for key in program.rank]
        for code, is_most in zip(result, most, strict=True):
            self._append("rank", self.codes[id(code)], int(is_most))
        self._encode_stages()
        memories = sum(self._count_owners(one) for one in self._list_memories())
        objects, scripts = program.cards + len(program.actions), len(program.codes)
        self._append(
            "sizes", program.players, program.cards, objects, memories, scripts, program.root, len(program.stages),
            int(program.payoff is not None), 0 if program.triggers is None else program.triggers + 1,
            self.codes[id(program.team)] if team else 0, len(_CELLS) + len(program.layout.place_of),
        )  # fmt: skip
        return Image(self._join_sections(), tuple(self.words), self.offsets, self.pcs, self.places)

    def _join_sections(self) -> array[int]:
        at, header, body = 2 * len(SECTIONS), array("q"), array("q")
        for name in SECTIONS:
            numbers = self.sections[name]
            header.extend((at + len(body), len(numbers)))
            body.extend(numbers)
        return header + body

    def _append(self, section: str, *numbers: int) -> int:
        """Numbers at the end of a section; where the first one stands."""
        at = len(self.sections[section])
        self.sections[section] += numbers
        return at

    def _append_list(self, numbers: Iterable[int]) -> int:
        """A counted list among the data."""
        counted = [*numbers]
        return self._append("data", len(counted), *counted)

    # ── values ──

    def _collect_texts(self) -> set[str]:
        """Every text that may be a value."""
        program, found = self.program, set[str]()

        def note(value: Any) -> None:
            if isinstance(value, str) and value != ABSENT:
                found.add(value)
            elif isinstance(value, tuple):
                for one in value:
                    if isinstance(one, str | tuple):  # most are numbers
                        note(one)

        for code in self.all_codes:
            note(code.constants)
            for step in code.steps:
                for at in _list_places(step.op, _WORDED):
                    note(step.operands[at])
        for printed in program.attributes.values():
            note(printed)
        for slot in (*self._list_memories(), *program.changing):
            note(slot.values or ())
            note(slot.starts if hasattr(slot, "starts") else slot.start)
        note(tuple(program.options.values()))
        return found

    def encode_value(self, value: Any) -> int:
        """The number of a value that is settled before the game."""
        if value is None:
            return NOTHING
        if isinstance(value, str):
            return NOTHING + 1 if value == ABSENT else WORD + self.words[value]
        if isinstance(value, tuple):
            if value not in self.lists:  # yes and no are 1 and 0 here, so equal lists are the same
                members = [self.encode_value(one) for one in value]
                self.lists[value] = self._append("lists", len(members), *members)
            return LIST + self.lists[value]
        return int(value)

    # ── tables ──

    def _list_memories(self) -> tuple[Any, ...]:
        layout = self.program.layout
        return (*layout.memory.values(), *layout.player_memory.values())

    def _count_owners(self, one: Any) -> int:
        return self.program.players if one.owned_by == "player" else 1

    def _encode_cards(self) -> None:
        program = self.program
        kinds = sorted(set(program.kind))
        if len(kinds) > MOST_KINDS:
            raise CannotEncode(f"It has more than {MOST_KINDS} kinds of cards.")
        self.kinds = {kind: number for number, kind in enumerate(kinds)}
        self._append("kinds", *(self.kinds[kind] for kind in program.kind))
        on_top = [slot for slot in program.changing if not slot.with_face]
        tops = [[kind in slot.kinds for slot in on_top] for kind in kinds]
        self._append(
            "tops",
            *(
                self._encode_kinds(kind for kind, other in zip(kinds, tops, strict=True) if other == top)
                for top in tops
            ),
        )
        for place in program.layout.places:
            self._append("places", *self._encode_place(place))
        self._append("likeness", *program.likeness)
        self._append("singular", *(int(card in program.singular) for card in range(program.cards)))
        self._append("streams", *(_signed(random.name_hash(name)) for name in program.layout.streams.values()))

    def _number_cells(self) -> None:
        """Number what answers that are kept may read, in the order of `keeping.c`."""
        layout = self.program.layout
        cells = [*_CELLS, *(("place", name) for name in layout.place_of), *(("memory", name) for name in layout.memory)]
        cells += [("memory of players", name) for name in layout.player_memory]
        cells += [("state", state.name) for state in self.program.changing]
        self.cells = {cell: number for number, cell in enumerate(cells)}

    def _encode_kept(self, kept: Kept) -> int:
        """The number of what is kept, then the cells that it reads."""
        number = self.kept.setdefault(id(kept), len(self.kept))
        return self._append_list([number, *(self.cells[cell] for cell in kept.reads)])

    def _encode_place(self, place: PlaceSlot) -> Iterator[int]:
        room = {"slot": 1, "grid": place.rows * place.columns, "pool": 0}.get(place.kept, self.program.cards)
        yield from (_KEPT.index(place.kept), _SEEN_BY.index(place.seen_by), _OWNED_BY.index(place.owned_by))
        yield -1 if place.owner is None else place.owner
        yield from (place.watchers, int(place.recall), self._encode_stream(place.stream))
        yield -1 if place.refill is None else place.refill
        yield from (place.rows, place.columns, room, self._encode_kinds(place.holds), _SEEN_BY.index(place.counted))
        yield from (int(place.alike_once), self.cells["place", place.name])

    def _encode_kinds(self, kinds: Iterable[str]) -> int:
        return _signed(sum(1 << self.kinds[kind] for kind in kinds if kind in self.kinds))

    def _encode_stream(self, slot: int) -> int:
        return list(self.program.layout.streams).index(slot)

    def _encode_slots(self) -> None:
        first = 0
        for number, memory_slot in enumerate(self._list_memories()):
            self.memories[memory_slot.slot] = number
            owners = self._count_owners(memory_slot)
            legal = self._append_list(map(self.encode_value, memory_slot.values)) if memory_slot.values else -1
            self._append(
                "memory", owners, first, self.encode_value(memory_slot.start), self._encode_range(memory_slot),
                _SEEN_BY.index(memory_slot.seen_by), legal, int(is_of_cards(memory_slot.sort)),
                int(memory_slot.owned_by == "player"), int(memory_slot.secret),
                -1 if memory_slot.follows is None else self.codes[id(self.program.questions[memory_slot.follows])],
                len(memory_slot.start) if is_table(memory_slot.sort) else 0,
            )  # fmt: skip
            first += owners
        for state in self.program.changing:
            rolled = [self.encode_value(one) for one in state.values or () if one is not None]
            starts = self._append("data", *map(self.encode_value, state.starts))
            values = self._append_list(rolled) if rolled else -1
            is_rolled = state.slot in rolled_states(self.program)
            self._append(
                "changing", int(state.with_face), values, starts, self._encode_range(state), int(is_rolled),
                int(is_of_cards(state.sort)),
            )  # fmt: skip

    def _encode_range(self, slot: Any) -> int:
        if slot.values is None or not has_range(slot.sort):
            return -1
        return self._append_list(map(self.encode_value, slot.values))

    def _encode_stages(self) -> None:
        program = self.program
        for name in program.stages:
            lasting = program.lasting.get(name)
            memories = [] if lasting is None else [self.memories[one.slot] for one in lasting.memories]
            states = [] if lasting is None else [program.changing.index(state) for state in lasting.states]
            at = self._append_list(memories)
            self._append_list(states)
            self._append("lasting", at)

    # ── codes ──

    def _encode_code(self, number: int, code: Code) -> None:
        self.stage_base = self.first_stage[number]
        is_script, begin = number < len(self.program.codes), len(self.sections["steps"])
        wanted, entries = _find_reachable(code)
        offsets, at, nop = [], begin, self.ops["nop"]
        waits = min(entries, default=len(code.steps)) if is_script else 0  # a game may wait at the steps before
        written = {pc for pc in wanted if pc < waits or code.steps[pc].op.name in self.ops}
        for pc, step in enumerate(code.steps):
            offsets.append(at)
            if pc in written:
                at += 1 + len(self.ops.get(step.op.name, nop)[1])
        loops = [pc for pc in sorted(wanted) if code.steps[pc].does(flow.next_round)]
        behind = code.size + code.width + len(code.constants)
        steps, traps, stage_at, unknown_at = map(self.sections.__getitem__, _BY_STEP)
        for pc in sorted(written):
            step = code.steps[pc]
            assert offsets[pc] == len(steps)
            if is_script:
                self.pcs[offsets[pc]] = pc
            op, kinds = self.ops.get(step.op.name, nop)
            self.here = number, pc
            operands = self._encode_operands(step, offsets) if kinds else []
            if step.op.name in _LOOPS:
                following = next(loop for loop in loops if loop >= pc)
                operands.append(behind + loops.index(following))
            if len(operands) != len(kinds):
                raise CannotEncode(f"`{step.op.name}` is another op in the core that is installed.")
            trap, stages, blank = code.traps[pc], code.stages[pc], [-1] * len(operands)
            steps += (op, *operands)
            traps += (-1 if trap < 0 else offsets[trap], *blank)
            stage_at += (self.stage_base + stages[-1] if stages else -1, *blank)
            unknown_at += (self._encode_unknown(code.unknown.get(pc), offsets), *blank)
        end = len(self.sections["steps"])
        pieces = min((offsets[pc] for pc in entries), default=end) if is_script else begin
        constants = self._append("data", *map(self.encode_value, code.constants))
        self._append(
            "codes", begin, code.size, code.width, len(code.constants), constants, int(code.asks_stages),
            code.parameters, len(loops), int(any(stage.until is not None for stage in code.stage_table)), pieces,
            self._append_list(card_slot for card_slot in code.card_slots if card_slot not in code.scratch),
            self._append_list(code.scratch),
        )  # fmt: skip
        outer = {stages[-1]: stages[-2] if len(stages) > 1 else -1 for stages in code.stages if stages}
        for index, stage in enumerate(code.stage_table):
            over = outer.get(index, -1)
            self._append(
                "stages", -1 if over < 0 else self.stage_base + over, offsets[stage.exit],
                self.program.stages.index(stage.name), -1 if stage.until is None else offsets[stage.until], number,
                self._append_list(stage.kept),
            )  # fmt: skip
        if is_script:
            self.offsets.append(offsets)

    def _encode_operands(self, step: Step, offsets: list[int]) -> list[int]:
        kinds = [*step.op.operands.values()]
        places = _list_places(step.op, _ENCODED)
        return [_OPERANDS[kinds[at]](self, step.operands[at], offsets) for at in places]

    def _encode_unknown(self, unknown: Unknown | None, offsets: list[int]) -> int:
        """Encode what scripts remember, and return where it begins, or -1: who is named, then how many locals and how
        many lists that are gone through, each as a counted list with those who know it last.
        """
        if unknown is None:
            return -1
        at = self._append_list(-1 if slot is None else slot for slot in unknown.named)
        self._append("data", len(unknown.locals))
        for slot, knowers in unknown.locals:
            self._append_list((slot, *knowers))
        self._append("data", len(unknown.walks))
        for walk in unknown.walks:
            anew = _index(offsets, walk.anew)
            self._append_list((walk.several, walk.at, walk.member, anew, walk.options, *walk.knowers))
        return at

    def _encode_choice(self, choice: Choice, offsets: list[int]) -> int:
        if id(choice) not in self.choices:
            self.choices[id(choice)] = self._append_choice(choice, offsets)
        return self.choices[id(choice)]

    def _append_choice(self, choice: Choice, offsets: list[int]) -> int:
        def encode_entry(of: int | None) -> int:
            return _index(offsets, of)

        if len(choice.picks) > MOST_PICKS:
            raise CannotEncode(f"More than {MOST_PICKS} names are chosen in one sentence.")
        first = self.picks
        self.picks += len(choice.picks)
        self.places.append(self.here)
        for pick in choice.picks:
            sources = len(self.sections["sources"]) // 4
            for source in pick.sources:
                sort = self.sorts.setdefault(source.sort, len(self.sorts))
                self._append("sources", offsets[source.list], int(source.sort in _CARDS), int(source.shown), sort)
            folds = [number for fold, entry in pick.folds or () for number in (FOLDS.index(fold), offsets[entry])]
            self._append(
                "picks", pick.slot, int(pick.many), int(pick.ordered), encode_entry(pick.least),
                encode_entry(pick.most), encode_entry(pick.so_that), sources, len(pick.sources), int(pick.holds_cards),
                -1 if pick.folds is None else self._append_list(folds),
                pick.line, int(pick.always),
            )  # fmt: skip
        decider = -1 if choice.decider is None else choice.decider
        deciders, number = offsets[choice.deciders], len(self.sections["choices"]) // 7
        self._append(
            "choices", deciders, int(choice.sealed), decider, int(choice.may), first, len(choice.picks),
            int(choice.quiet or choice.veiled),
        )  # fmt: skip
        return number

    def _encode_window(self, window: Window, offsets: list[int]) -> int:
        return self._append_list(_index(offsets, condition) for condition in window.conditions)

    def _encode_definitions(self, definitions: tuple[str, ...]) -> int:
        numbers = {id: number for number, id in enumerate(self.program.definitions)}
        return self._append_list(numbers[id] for id in definitions)

    def _encode_objects(self, objects: frozenset[int]) -> int:
        parts = [0] * ((self.program.cards + len(self.program.actions) + 63) // 64)
        for one in objects:
            parts[one // 64] |= 1 << one % 64
        return self._append_list(map(_signed, parts))


def _find_reachable(code: Code) -> tuple[set[int], set[int]]:
    """The steps that may run, but for those that only make a text for people, and where pieces among them begin."""
    entries = {stage.until for stage in code.stage_table if stage.until is not None}
    entries |= {walk.anew for one in code.unknown.values() for walk in one.walks if walk.anew is not None}
    left, found = [0, *entries, *(stage.exit for stage in code.stage_table)], set[int]()
    while left:
        pc = left.pop()
        if pc in found:
            continue
        found.add(pc)
        step, inside = code.steps[pc], list[int]()
        do = step.op.do
        left += [step.operands[at] for at in _list_places(step.op, _LEADING)]
        if do is flow.switch:
            left += step["targets"]
        elif do is asking.choose:
            inside = _entries_of(step["choice"])
        elif do is asking.announce_taken:
            inside = [condition for condition in step["window"].conditions if condition is not None]
        elif do is memory.explain_memory or do is memory.explain_state:
            inside = [step["value"]]
        entries.update(inside)
        left += inside
        if code.traps[pc] >= 0:
            left.append(code.traps[pc])
        if do not in _ENDINGS:
            left.append(pc + 1)
    return {pc for pc in found if pc < len(code.steps)}, entries


def _entries_of(choice: Choice) -> list[int]:
    found: list[int | None] = [choice.deciders]
    for pick in choice.picks:
        found += [pick.least, pick.most, pick.so_that, *(source.list for source in pick.sources)]
        found += [entry for _, entry in pick.folds or ()]
    return [one for one in found if one is not None]


def _encode_number(encoder: _Encoder, operand: Any, offsets: list[int]) -> int:
    return -1 if operand is None else int(operand)


def _index(offsets: list[int], pc: int | None) -> int:
    return -1 if pc is None else offsets[pc]


_OPERANDS: dict[str, Callable[[_Encoder, Any, list[int]], int]] = {
    "In": _encode_number,
    "Out": _encode_number,
    "In | None": _encode_number,
    "Out | None": _encode_number,
    "First": _encode_number,
    "int": _encode_number,
    "bool": _encode_number,
    "CodeIndex": _encode_number,
    "Target": lambda e, one, offsets: offsets[one],
    "Entry": lambda e, one, offsets: offsets[one],
    "StageIndex": lambda e, one, offsets: e.stage_base + one,
    "Name": lambda e, one, offsets: e.program.stages.index(one),
    "StreamSlot": lambda e, one, offsets: e._encode_stream(one),
    "Kept": lambda e, one, offsets: e._encode_kept(one),
    "MemorySlot": lambda e, one, offsets: e.memories[one.slot],
    "StateSlot": lambda e, one, offsets: e.program.changing.index(one),
    "Code": lambda e, one, offsets: e.codes[id(one)],
    "Questions": lambda e, several, offsets: e._append_list(-1 if one is None else e.codes[id(one)] for one in several),
    "Codes": lambda e, several, offsets: e._append_list(-1 if one is None else one for one in several),
    "Slots": lambda e, several, offsets: e._append_list(several),
    "Signs": lambda e, several, offsets: e._append_list(several),
    "Stages": lambda e, several, offsets: e._append_list(e.stage_base + one for one in several),
    "Targets": lambda e, several, offsets: e._append_list(offsets[one] for one in several),
    "Places": lambda e, several, offsets: e._append_list(-1 if one is None else one for one in several),
    "Printed": lambda e, several, offsets: e._append("data", *map(e.encode_value, several)),
    "Steps": lambda e, several, offsets: e._append_list(
        number for pair in several for number in map(e.encode_value, pair)
    ),
    "Definitions": lambda e, several, offsets: e._encode_definitions(several),
    "Objects": lambda e, several, offsets: e._encode_objects(several),
    "Choice": lambda e, one, offsets: e._encode_choice(one, offsets),
    "Window": lambda e, one, offsets: e._encode_window(one, offsets),
    "End": lambda e, one, offsets: _ENDS[one],
    "Face": lambda e, one, offsets: _FACES[one],
    "Way": lambda e, one, offsets: _WAYS[one],
    "Sign": lambda e, one, offsets: _SIGNS[one],
    "ManyWords": lambda e, several, offsets: e._append_list(map(e.encode_value, several)),
}
"""By the kind of an operand, its number; those that are only for people have none."""
_ENCODED, _WORDED, _LEADING = frozenset(_OPERANDS), frozenset({"Printed", "Steps", "ManyWords"}), frozenset({"Target"})
"""Kinds of operands that have a number, that hold texts, and that lead to another step."""


@cache
def _list_places(op: Op, kinds: frozenset[str]) -> tuple[int, ...]:
    """The places of the operands of some kinds among those of an op."""
    return tuple(at for at, kind in enumerate(op.operands.values()) if kind in kinds)


def encode(program: Program, ops: Mapping[str, tuple[int, str]]) -> Image:
    """The image of a program; `ops` has the number and the kinds of each op of the core. Raises CannotEncode."""
    return _Encoder(program, ops).encode()


def _signed(number: int) -> int:
    """The lower 64 bits of a number, as the sign of C has them."""
    number %= 2**64
    return number - 2**64 if number >= 2**63 else number
