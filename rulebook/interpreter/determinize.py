"""A full state that one player could not tell from the true one, drawn at random.

It has the same facts for that seat (`views.collect_facts`), and everything the seat neither sees nor knows is drawn
anew. What a seat could only conclude from earlier events (where a card *may* be) is not used: that is for those who
follow a game and keep such beliefs.

Where the seat cannot see, a *hole* is a position in which some card lies. The hidden cards are laid into
these holes anew, each into a place that may hold it. What belongs to the hole stays there: faces, who knows
the card, states that lie on top for all to see, the part it plays in a choice or a script. What belongs to
the card goes with it: states on its face. Dice under a cup are rolled again, hidden memory is drawn from
its declared values, sealed picks of others are made again, and all random streams begin anew, so that
nobody sees the next shuffle.

The same numbers give the same state, whichever of the states that the seat could not tell apart is the true one:
cards are taken by their numbers, holes by where they are, never by what lies there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache
from typing import Any

from rulebook.interpreter.choosing import Entry, find_choices, settle_picks, sortable
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import FACES, KNOWN, PENDING, RESULT, SEED, STACK, WHERE, MemorySlot
from rulebook.interpreter.matching import Below, Matching
from rulebook.interpreter.ops.chance import roll_next
from rulebook.interpreter.program import Choice, Program
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State
from rulebook.interpreter.views import sees_memory

Laying = dict[int, int]
"""A permutation of hidden cards: by the card that lies somewhere, the card that comes to lie there."""

Sort = tuple[str, tuple[bool, ...]]
"""The sort of a card, by which places accept it: its kind, and which states it shows on top."""

MOST_TRIED = 12


def determinize(program: Program, state: State, seat: int, below: Below) -> State:
    """A random state with the same facts for a seat; `below(n)` gives a number from 0 to n - 1."""
    return Twins(program, state, seat).draw_state(below)


class Twins:
    """The states that a seat could not tell from one state, which is never changed; for who wants many of them."""

    def __init__(self, program: Program, state: State, seat: int) -> None:
        self.program, self.state, self.seat = program, state[:], seat
        self.hidden = hidden_cards(program, state, seat)
        self._unpicked = _take_back_picks(program, self.state, seat)
        self._all = _Hidden(program, self._unpicked, self.hidden)

    @cached_property
    def _undecided(self) -> _Hidden:
        """Without the cards that others who are asked may be deciding about."""
        kept = _decisive(self.program, self.state, self.seat)
        return _Hidden(self.program, self._unpicked, [card for card in self.hidden if card not in kept])

    def draw_state(self, below: Below, answered: bool = True) -> State:
        """One of them, at random. If not `answered`, nobody else has picked anything in the decision that is open."""
        program, seat = self.program, self.seat
        for attempt in range(MOST_TRIED + 1):
            # If the cards of those who are asked leave them nothing to decide, these stay as they are.
            free = self._all if attempt < MOST_TRIED else self._undecided
            twin = self._unpicked[:]
            _lay(program, twin, free.laid(below))
            _draw_values(program, twin, seat, free.cards, below)
            if _pick_again(program, twin, self.state, seat, answered, below):
                return twin
        twin = self.state[:]
        if not answered and program.choice_at(twin) is not None:
            kept = ((entry, bare) for entry, bare in zip(twin[PENDING][1], self._unpicked[PENDING][1], strict=True))
            twin[PENDING] = ("ask", tuple(bare if entry[1] else entry for entry, bare in kept))
        _refresh_streams(program, twin, below)
        return twin


def hidden_cards(program: Program, state: State, seat: int) -> list[int]:
    """The cards that a seat neither sees nor knows, and that are not among the pieces of a pool."""
    places, where, known = program.layout.places, state[WHERE], state[KNOWN]
    opened = state[RESULT] is not None
    return [
        card
        for card in range(program.cards)
        if not known[card] >> seat & 1
        and places[where[card]].kept != "pool"
        and not (opened and places[where[card]].opened_at_end)
        and not sight(program, state, card) >> seat & 1
    ]


# ── cards ───────────────────────────────────────────────────────────────────────────────────────────────────


class _Hidden:
    """Cards that may change places with each other, and how."""

    def __init__(self, program: Program, state: State, cards: list[int]) -> None:
        self.cards = cards
        bound, parts = set(_referred_to(program, state)), _count_parts(program, state)
        self._holes = sorted(cards, key=lambda card: (*_make_spot_key(program, state, card), parts.get(card, [])))
        sorts = [_find_sort(program, card) for card in cards]
        present = frozenset(sorts)
        fits = {hole: _find_fit(program, state, hole, hole in bound) for hole in self._holes}
        allowed = {fit: frozenset(sort for sort in present if _is_fit(sort, fit)) for fit in set(fits.values())}
        self._matching = Matching(sorts, [allowed[fits[hole]] for hole in self._holes])

    def laid(self, below: Below) -> Laying:
        """A random card for each hole; a hole is called by the card that lies there in truth."""
        drawn = self._matching.draw_matching(below)
        return {hole: self.cards[index] for hole, index in zip(self._holes, drawn, strict=True)}


def _make_spot_key(program: Program, state: State, card: int) -> tuple[Any, ...]:
    """Return the place of a card without a word of which it is: what is equal here can change places unseen."""
    place = program.layout.places[state[WHERE][card]]
    index = -1
    if place.ordered:
        contents = state[place.slot]
        index = contents.index(card)
        if place.settled is not None:
            top, bottom = state[place.settled]
            index = index if index < top or index >= len(contents) - bottom else top
    tops = [sortable(state[slot.slot][card]) for slot in program.layout.states.values() if not slot.with_face]
    return place.ordinal, index, state[FACES][card], state[KNOWN][card], tops


def _count_parts(program: Program, state: State) -> dict[int, list[int]]:
    """Map each card to the parts it plays in scripts, open decisions and memory, counted as they are met."""
    found = list(_referred_to(program, state))
    for memory, owners in _list_memories(program):
        if memory.sort.removeprefix("list of ") in ("card", "object"):
            for index in range(memory.slot, memory.slot + owners):
                found += _find_numbers(state[index])
    parts: dict[int, list[int]] = {}
    for number, card in enumerate(found):
        parts.setdefault(card, []).append(number)
    return parts


def _find_fit(program: Program, state: State, hole: int, bound: bool) -> tuple[frozenset[str], tuple[bool, ...]]:
    """The kinds that may lie in a hole, and which states must be there to be seen on top.

    A card that a script is busy with gives way to its own kind only: the script counts on that much.
    """
    holds = program.layout.places[state[WHERE][hole]].holds
    kinds = frozenset([program.kind[hole]]) if bound or not holds else holds
    return kinds, _find_sort(program, hole)[1]


def _find_sort(program: Program, card: int) -> Sort:
    kind = program.kind[card]
    return kind, tuple(kind in slot.kinds for slot in program.layout.states.values() if not slot.with_face)


def _is_fit(sort: Sort, fit: tuple[frozenset[str], tuple[bool, ...]]) -> bool:
    return sort[0] in fit[0] and sort[1] == fit[1]


def _lay(program: Program, twin: State, laid: Laying) -> None:
    """Put the cards into their holes, everywhere a state speaks of them."""
    moved = {hole: card for hole, card in laid.items() if hole != card}
    if not moved:
        return
    layout = program.layout
    for ordinal in {twin[WHERE][hole] for hole in moved}:
        place = layout.places[ordinal]
        contents = [moved.get(card, card) for card in twin[place.slot]]
        if not place.ordered:
            contents.sort()
        elif place.settled is not None:
            top, bottom = twin[place.settled]
            contents[top : len(contents) - bottom] = sorted(contents[top : len(contents) - bottom])
        twin[place.slot] = layout.pack(contents)
    on_top = [slot.slot for slot in layout.states.values() if not slot.with_face]
    for index in (WHERE, FACES, KNOWN, *on_top):
        before = twin[index]
        after = list(before)
        for hole, card in moved.items():
            after[card] = before[hole]
        twin[index] = bytes(after) if isinstance(before, bytes) else tuple(after)
    for memory, owners in _list_memories(program):
        if memory.sort.removeprefix("list of ") in ("card", "object"):
            for index in range(memory.slot, memory.slot + owners):
                twin[index] = _renamed(twin[index], moved)
    twin[STACK] = twin[STACK] and tuple(_renamed_frame(program, frame, moved) for frame in twin[STACK])
    if twin[PENDING] is not None and twin[PENDING][0] == "ask":
        twin[PENDING] = (
            "ask",
            tuple(_renamed_entry(program, twin, entry, moved) for entry in twin[PENDING][1]),
        )


def _renamed(value: Any, moved: Laying) -> Any:
    if isinstance(value, tuple):
        return tuple(_renamed(one, moved) for one in value)
    return moved.get(value, value) if isinstance(value, int) and not isinstance(value, bool) else value


def _renamed_frame(program: Program, frame: tuple[Any, ...], moved: Laying) -> tuple[Any, ...]:
    index, pc, *env = frame
    for slot in program.codes[index].card_slots:
        env[slot] = _renamed(env[slot], moved)
    return (index, pc, *env)


def _renamed_entry(program: Program, state: State, entry: tuple[Any, ...], moved: Laying) -> tuple[Any, ...]:
    seat, number, picks, done = entry
    choice = program.choice_at(state)
    assert choice is not None, "who is asked is asked by a choice"
    renamed = (
        _renamed(value, moved) if pick.holds_cards else value for pick, value in zip(choice.picks, picks, strict=False)
    )
    return (seat, number, tuple(renamed), done)


def _referred_to(program: Program, state: State) -> list[int]:
    """The cards that some script, or some open decision, is busy with, as often as it is."""
    found: list[int] = []
    for index, _, *env in reversed(state[STACK] or ()):
        for slot in program.codes[index].card_slots:
            found += _find_numbers(env[slot])
    choice = program.choice_at(state)
    if choice is not None:
        for _, _, picks, _ in state[PENDING][1]:
            for pick, value in zip(choice.picks, picks, strict=False):
                found += _find_numbers(value) if pick.holds_cards else ()
    return found


def _find_numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for one in value:
            yield from _find_numbers(one)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


# ── values ──────────────────────────────────────────────────────────────────────────────────────────────────


def _draw_values(program: Program, twin: State, seat: int, hidden: Collection[int], below: Below) -> None:
    """Dice, memory and streams that the seat cannot know."""
    for index in rolled_states(program):
        slot = next(one for one in program.layout.states.values() if one.slot == index)
        if slot.with_face and slot.values:
            values = list(twin[index])
            for card in hidden:
                # Whether it was rolled at all is no secret, and nothing is no face.
                if program.kind[card] in slot.kinds and values[card] is not None:
                    faces = [value for value in slot.values if value is not None]
                    values[card] = faces[below(len(faces))]
            twin[index] = tuple(values)
    for memory, owners in _list_memories(program):
        for owner in range(owners):
            seen = sees_memory(twin, memory, owner if memory.owned_by == "player" else None, seat)
            if not seen and memory.values:
                twin[memory.slot + owner] = memory.values[below(len(memory.values))]
    _refresh_streams(program, twin, below)


def _refresh_streams(program: Program, twin: State, below: Below) -> None:
    """Streams that ran go on as if they had been started again, from a seed that nobody knows."""
    twin[SEED] = below(1 << 63)
    for index in program.layout.streams:
        if twin[index] is not None:
            twin[index] = (twin[index][0], 0)


@lru_cache(maxsize=64)
def rolled_states(program: Program) -> tuple[int, ...]:
    """The states that are rolled: their values say nothing about the die that shows them."""
    found = {step["state"].slot for code in program.codes for step in code.steps if step.does(roll_next)}
    return tuple(sorted(found))


def _list_memories(program: Program) -> Iterator[tuple[MemorySlot, int]]:
    for memory in program.layout.memory.values():
        yield memory, 1
    for memory in program.layout.player_memory.values():
        yield memory, program.players


# ── an open decision ────────────────────────────────────────────────────────────────────────────────────────


def _take_back_picks(program: Program, state: State, seat: int) -> State:
    """Take back what others picked in the decision that is open: none of it is announced before it closes.

    Who had nothing to decide has no number, and is done.
    """
    bare = state[:]
    if program.choice_at(state) is not None:
        entries = (
            entry if entry[0] == seat and entry[1] else (entry[0], entry[1], (), not entry[1])
            for entry in state[PENDING][1]
        )
        bare[PENDING] = ("ask", tuple(entries))
    return bare


def _pick_again(program: Program, twin: State, state: State, seat: int, answered: bool, below: Below) -> bool:
    """Make the picks of an open decision again, as many as there were; without `answered`, only those that follow from
    what is offered. False if the twin will not do: somebody who is asked has nothing to decide there.
    """
    choice = program.choice_at(twin)
    if choice is None:
        return True
    run = Run(program, [str(player) for player in range(program.players)], twin)
    run.load_frame()
    entries: list[Entry] = []
    fits = True
    try:
        for laid, entry in zip(twin[PENDING][1], state[PENDING][1], strict=True):
            again = _entry_again(run, choice, laid, entry, seat, answered, below)
            fits = fits and again is not None
            entries.append(again or laid)
    except (NotThere, RuleError):
        return False  # what is offered in truth asks nothing of nobody, and breaks no rule
    twin[PENDING] = ("ask", tuple(entries))
    return fits


def _entry_again(
    run: Run, choice: Choice, laid: Entry, entry: Entry, seat: int, answered: bool, below: Below
) -> Entry | None:
    player, number, picks, done = laid
    if not number:
        # Who had nothing to decide in truth, and has here, decides at once: others are not asked more than in truth.
        picks, done = settle_picks(run, choice, player, ())
        while not done:
            offered = find_choices(run, choice, player, picks)
            value = None if offered is None else offered.random(below)
            picks, done = (picks, True) if value is None else settle_picks(run, choice, player, (*picks, value))
        return player, 0, picks, True
    if player == seat:
        for index, value in enumerate(picks):
            offered = find_choices(run, choice, player, picks[:index])
            chosen = value if choice.picks[index].many else (value,)
            if offered is None or not set(chosen) <= set(offered.values):
                return None
    elif answered:
        _, _, before, done = entry
        picks = ()
        while len(picks) < (len(choice.picks) if done else len(before)):
            offered = find_choices(run, choice, player, picks)
            if offered is None:
                # Who is done with some picks may have found nothing for the next.
                return (player, number, picks, True) if done and picks else None
            value = offered.random(below)
            if value is not None:
                picks = (*picks, value)
            elif done:
                return player, number, picks, True
            elif offered.is_undecided:
                return None  # this player found something that fits, and here nothing is found
    if not done:
        offered = find_choices(run, choice, player, picks)
        if offered is None or offered.find_only_answer()[0]:
            return None
    return player, number, picks, done


def _decisive(program: Program, state: State, seat: int) -> set[int]:
    """The cards that those who are asked know, and so may decide about."""
    if program.choice_at(state) is None:
        return set()
    asked = [entry[0] for entry in state[PENDING][1] if entry[0] != seat]
    mask = sum(1 << player for player in asked)
    return {card for card in range(program.cards) if state[KNOWN][card] & mask}
