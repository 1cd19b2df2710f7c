"""Features: what a table is to a seat, in whole numbers, for bots that learn what tables are worth.

In: a program, a state, a seat. Out: how many cards of each sort it knows where, what it may read of memory, what the
questions of the rules answer, how it stands, who is asked what. Never: anything that its seat neither sees nor knows,
but for what questions and standings reckon with; so they are asked of imagined tables alone.

Which there are follows from what a game declares. `core/engine/learning.c` tells the same numbers in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from rulebook.classes import frozen
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import ALIVE, CLOCK, COUNTS, KNOWN, PENDING, STACK, WHERE, MemorySlot
from rulebook.interpreter.program import Code, Program
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State, count_in
from rulebook.interpreter.views import may_count, sees_memory
from rulebook.interpreter.wording import is_of_cards, is_table

__all__ = ["LARGEST", "MOST_AHEAD", "Features", "find_features"]

MOST_AHEAD = 60
"""The most answers of others that are given at random until a seat is asked again, and its table is looked at."""
LARGEST = 1_000_000
"""No feature is larger."""
_WIDEST = 4_000
"""The most numbers about known cards; where there are more, cards are told by what is printed on them alone."""
_MOST_LOCALS = 8
NUMBER, PLAYER, WORD = range(3)
"""Ways in which a memory of the table is read."""
_PLAIN = ("number", "amount", "yes_no")


@frozen(eq=False)
class Remembered:
    """A memory that is a feature: its number among all, and the words that it may hold."""

    number: int
    slot: MemorySlot
    way: int
    words: tuple[str, ...] = ()


@frozen(eq=False)
class Features:
    """The features of a program, each with a name for people, in the order in which they are told.

    By place, `group` is where its cards are counted; of `owned` ones, the next group counts those of others. By card,
    `signs` are what it is: sorts of cards, and by how much it is that. `of_cards` are questions of cards: the code, the
    card. `spots` are the codes and steps at which somebody may be asked; `local_slots` those of the game's own script.
    """

    program: Program
    names: tuple[str, ...]
    groups: tuple[str, ...]
    group: tuple[int, ...]
    owned: tuple[bool, ...]
    kinds: tuple[str, ...]
    signs: tuple[tuple[tuple[int, int], ...], ...]
    memories: tuple[Remembered, ...]
    of_players: tuple[Code, ...]
    of_table: tuple[Code, ...]
    of_cards: tuple[tuple[Code, int], ...]
    spots: tuple[tuple[int, int], ...]
    local_slots: tuple[int, ...]

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.names)

    def tell(self, state: State, seat: int, stands: tuple[float, float]) -> list[int]:
        """Tell the features of a table at which somebody is asked; `stands` is the seat's payoff and margin."""
        run = Run(self.program, [str(player) for player in range(self.program.players)], state)
        found = [*self._count(state, seat), *self._remember(state, seat), *self._ask(run, seat)]
        found += map(_bound, map(int, stands))
        return [*found, *self._find_course(state, seat)]

    def _count(self, state: State, seat: int) -> Iterator[int]:
        counts = [0] * len(self.groups)
        sums = [[0] * len(self.kinds) for _ in self.groups]
        places = self.program.layout.places
        lying = [
            group + (owned and place.owner != seat)
            for place, group, owned in zip(places, self.group, self.owned, strict=True)
        ]
        for place, group in zip(places, lying, strict=True):
            if may_count(state, seat, place):
                counts[group] += count_in(self.program.layout, state, place)
        for card, (where, known) in enumerate(zip(state[WHERE], state[KNOWN], strict=True)):
            if known >> seat & 1 and places[where].kept != "pool":
                for kind, amount in self.signs[card]:
                    sums[lying[where]][kind] += amount
        yield from counts
        for row in sums:
            yield from row

    def _remember(self, state: State, seat: int) -> Iterator[int]:
        players = range(self.program.players)
        for memory in self.memories:
            slot = memory.slot
            if slot.owned_by == "player":
                read = [state[slot.slot + one] if sees_memory(state, slot, one, seat) else None for one in players]
                yield from _tell_own([_count_value(value) for value in read], seat)
                continue
            held = state[slot.slot] if sees_memory(state, slot, None, seat) else None
            if memory.way == PLAYER:
                yield from (int(held == (seat + later) % len(players)) for later in players)
            elif memory.way == WORD:
                yield from (int(held == word) for word in memory.words)
            else:
                yield _count_value(held)

    def _ask(self, run: Run, seat: int) -> Iterator[int]:
        alive = run.state[ALIVE]
        for code in self.of_players:
            answers = [_ask(run, code, one) if one in alive else 0 for one in range(self.program.players)]
            yield from _tell_own(answers, seat)
        for code in self.of_table:
            yield _ask(run, code)
        for code, card in self.of_cards:
            yield _ask(run, code, card, seat) if seat in alive else 0

    def _find_course(self, state: State, seat: int) -> Iterator[int]:
        program, players = self.program, self.program.players
        waiting = [one for one, _, _, done in state[PENDING][1] if not done]
        asked = waiting[0] if waiting else None
        yield from (int(asked == (seat + later) % players) for later in range(players))
        code, pc, *_ = state[STACK][-1]
        for is_own in (True, False):
            is_here = asked is not None and (asked == seat) == is_own
            yield from (int(is_here and spot == (code, pc)) for spot in self.spots)
        stages = {
            program.codes[code].stage_table[stage].name
            for code, pc, *_ in state[STACK]
            for stage in program.codes[code].stages[pc]
        }
        yield from (int(stage in stages) for stage in program.stages)
        yield from (_count_value(state[STACK][0][2 + slot]) for slot in self.local_slots)
        alive = state[ALIVE]
        yield from (state[CLOCK], state[COUNTS][seat], len(alive), int(seat in alive))


def _bound(number: int) -> int:
    return max(-LARGEST, min(LARGEST, number))


def _count_value(value: Any) -> int:
    """Make a number of a value: of a list how many it holds, 0 of a word and of nothing."""
    if isinstance(value, tuple | list | bytes):
        return len(value)
    return _bound(int(value)) if isinstance(value, int) else 0


def _ask(run: Run, code: Code, *given: int) -> int:
    run.looked_at = 0
    try:
        return _count_value(run.answer_to(code, given))
    except (NotThere, RuleError):
        return 0


def _tell_own(by_seat: Sequence[int], seat: int) -> tuple[int, int, int]:
    """Tell one's own, what the others have together, and the most that one of them has."""
    others = [*by_seat[:seat], *by_seat[seat + 1 :]]
    return by_seat[seat], _bound(sum(others)), max(others, default=0)


@lru_cache(maxsize=8)
def find_features(program: Program) -> Features:
    """The features of a program."""
    groups, group, owned = _list_groups(program)
    kinds, signs = _list_kinds(program, len(groups))
    memories = tuple(_list_memories(program))
    questions = {name: program.lowering.find_sorts(name) for name in program.questions}
    plain = {
        name: sorts
        for name, (sorts, answer) in questions.items()
        if answer in _PLAIN or answer.startswith("list ")
    }
    of_players = [name for name, sorts in plain.items() if sorts == ("player",)]
    of_table = [name for name, sorts in plain.items() if sorts == ()]
    of_cards = [
        (name, program.definition.index(card))
        for name, sorts in plain.items()
        if len(sorts) == 2 and sorts[1] == "player" and questions[name][1] in _PLAIN and name.startswith("cards.")
        and (card := name.split(".")[1]) in program.definition
    ]  # fmt: skip
    spots = tuple(
        (number, pc)
        for number, code in enumerate(program.codes)
        for pc, step in enumerate(code.steps)
        if "choice" in step.op.operands
    )
    root = program.codes[program.root]
    unlike = {*root.card_slots, *root.scratch}
    local_slots = tuple(slot for slot in range(root.size) if slot not in unlike)[:_MOST_LOCALS]
    names = [f"cards in {one}" for one in groups] + [f"{kind} in {one}" for one in groups for kind in kinds]
    for memory in memories:
        names += _name_memory(memory, program.players)
    names += [f"{whose} {name}" for name in of_players for whose in _WHOSE]
    names += [*of_table, *(name for name, _ in of_cards), "payoff", "ahead by"]
    names += [f"asked: {later} seats on" for later in range(program.players)]
    names += [f"{who} asked in {program.codes[code].name}" for who in ("I am", "others are") for code, _ in spots]
    names += [f"during {stage}" for stage in program.stages]
    names += [f"{root.names[slot] if slot < len(root.names) else slot} of the game" for slot in local_slots]
    names += ["answers so far", "own decisions so far", "players left", "still playing"]
    return Features(
        program=program,
        names=tuple(names),
        groups=groups,
        group=group,
        owned=owned,
        kinds=kinds,
        signs=signs,
        memories=memories,
        of_players=tuple(program.questions[name] for name in of_players),
        of_table=tuple(program.questions[name] for name in of_table),
        of_cards=tuple((program.questions[name], card) for name, card in of_cards),
        spots=spots,
        local_slots=local_slots,
    )


_WHOSE = ("my", "the others'", "the most of another's")


def _list_groups(program: Program) -> tuple[tuple[str, ...], tuple[int, ...], tuple[bool, ...]]:
    groups: dict[str, int] = {}
    group: list[int] = []
    for place in program.layout.places:
        if place.owned_by == "player" and place.name not in groups:
            groups[place.name] = len(groups)
            groups[f"the others' {place.name}"] = len(groups)
        group.append(groups.setdefault(place.name, len(groups)))
    owned = tuple(place.owned_by == "player" for place in program.layout.places)
    return tuple(groups), tuple(group), owned


def _list_kinds(program: Program, groups: int) -> tuple[tuple[str, ...], tuple[tuple[tuple[int, int], ...], ...]]:
    """List the sorts of cards, and by card those that it is."""
    kinds: dict[str, int] = {}
    signs: list[list[tuple[int, int]]] = [[] for _ in range(program.cards)]

    def note(card: int, name: str, amount: int = 1) -> None:
        signs[card].append((kinds.setdefault(name, len(kinds)), amount))

    for card in range(program.cards):
        note(card, program.kind[card])
        for name, values in program.attributes.items():
            value = values[card]
            if isinstance(value, str):
                note(card, f"{name} {value}")
            elif isinstance(value, int) and value:
                note(card, name, _bound(value))
    if (len(kinds) + len({*program.definition})) * groups <= _WIDEST:
        for card in range(program.cards):
            note(card, f"card {program.definition[card]}")
    if len(kinds) * groups > _WIDEST:
        return (), ((),) * program.cards
    return tuple(kinds), tuple(map(tuple, signs))


def _list_memories(program: Program) -> Iterator[Remembered]:
    layout = program.layout
    for number, slot in enumerate((*layout.memory.values(), *layout.player_memory.values())):
        if is_table(slot.sort) or (is_of_cards(slot.sort) and not slot.sort.startswith("list ")):
            continue
        if slot.sort == "player" and slot.owned_by != "player":
            yield Remembered(number, slot, PLAYER)
        elif slot.sort.startswith("word ") and slot.owned_by != "player":
            yield Remembered(number, slot, WORD, tuple(value for value in slot.values or () if isinstance(value, str)))
        elif slot.sort in _PLAIN or slot.sort.startswith("list "):
            yield Remembered(number, slot, NUMBER)


def _name_memory(memory: Remembered, players: int) -> list[str]:
    name = memory.slot.name
    if memory.slot.owned_by == "player":
        return [f"{whose} {name}" for whose in _WHOSE]
    if memory.way == PLAYER:
        return [f"{name}: {later} seats on" for later in range(players)]
    return [f"{name}: {word}" for word in memory.words] if memory.way == WORD else [name]
