"""Determinization: a full state that one player could not tell from the true one, drawn at random.

It has the same facts for that seat (`views.collect_facts`), and everything the seat neither sees nor knows is drawn
anew. What a seat could only conclude from earlier events (where a card *may* be) is not used: that is for those who
follow a game and keep such beliefs.

What is kept of the true state is what the seat sees, knows or is told by the rules of waiting: in a choice that is
open to all, who is asked; in one that is *quiet* or *veiled*, whether it is asked itself, and no more: who else is
asked there follows from the imagined cards. So it is with those who come later in a list that a script goes through
and that hangs on hidden things, and with answers that nobody has heard yet. Where a script remembers anything else
that the seat does not know (`Unknown`, which the analysis of secrets has found), nothing is imagined. Tables at which
the seat would be asked something else are not taken. Where none is found in `MOST_TRIED` tries, there is none, and
never the true one instead.

Where the seat cannot see, a *hole* is a position in which some card lies. The hidden cards are laid into
these holes anew, each into a place that may hold it. What belongs to the hole stays there: faces, who knows
the card, states that lie on top for all to see, the part it plays in a choice or a script. What belongs to
the card goes with it: states on its face. Dice under a cup are rolled again, hidden memory is drawn from
its declared values (or, where these are open and nobody can follow it, holds its start), sealed picks of others are
made again, and all random streams begin anew, so that nobody sees the next shuffle.

The same numbers give the same state, whichever of the states that the seat could not tell apart is the true one:
cards are taken by their numbers, holes by where they are, never by what lies there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from rulebook.interpreter.choosing import Entry, Picks, find_choices, settle_picks, sortable
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import (
    ALIVE,
    CLOCK,
    COUNTS,
    FACES,
    KNOWN,
    PENDING,
    RESULT,
    SEED,
    STACK,
    WHERE,
    MemorySlot,
)
from rulebook.interpreter.matching import Below, Matching
from rulebook.interpreter.ops.chance import roll_next
from rulebook.interpreter.program import Choice, Program, Walk
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State, clone
from rulebook.interpreter.views import sees_memory
from rulebook.interpreter.wording import is_of_cards, is_table

Laying = dict[int, int]
"""A permutation of hidden cards: by the card that lies somewhere, the card that comes to lie there."""

Sort = tuple[str, tuple[bool, ...]]
"""The sort of a card, by which places accept it: its kind, and which states it shows on top."""

MOST_TRIED = 64
"""After so many tables that will not do there is none."""


class NoTable(Exception):
    """No state was found that the seat could not tell from the true one."""


def determinize(program: Program, state: State, seat: int, below: Below) -> State:
    """A random state with the same facts for a seat; `below(n)` gives a number from 0 to n - 1. Raises NoTable."""
    twin = Twins(program, state, seat).draw_state(below)
    if twin is None:
        raise NoTable
    return twin


class Twins:
    """The states that a seat could not tell from one state, which is never changed; for who wants many of them."""

    def __init__(self, program: Program, state: State, seat: int) -> None:
        self.program, self.state, self.seat = program, state[:], seat
        self.hidden = hidden_cards(program, state, seat)
        self.walks = find_walks(program, state, seat)
        self._bare = _make_bare(program, self.state, seat, self.walks or ())
        self._laying = _Hidden(program, self._bare, self.hidden)

    def draw_state(self, below: Below, answered: bool = True) -> State | None:
        """One of them, at random; None if none was found. If not `answered`, nobody else has picked anything in the
        decision that is open.
        """
        program, seat = self.program, self.seat
        for _ in range(MOST_TRIED if self.walks is not None else 0):
            twin = self._bare[:]
            _lay(program, twin, self._laying.laid(below))
            _draw_values(program, twin, seat, self.hidden, below)
            walked = all(_walk_again(program, twin, seat, *walk, below) for walk in self.walks or ())
            followed = walked and _follow_values(program, twin)
            if followed and _ask_again(program, twin, self.state, seat, answered, below):
                return twin
        return None


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


def swap_cards(program: Program, state: State, first: int, second: int) -> State | None:
    """The state in which two cards lie in each other's place; None if they may not lie there, or nothing changes."""
    bound = set(_list_referred_to(program, state))
    for card, hole in ((first, second), (second, first)):
        if not _is_fit(_find_sort(program, card), _find_fit(program, state, hole, hole in bound)):
            return None
    twin = clone(state)
    _lay(program, twin, {first: second, second: first})
    return None if twin == state else twin


# ── cards ───────────────────────────────────────────────────────────────────────────────────────────────────


class _Hidden:
    """Cards that may change places with each other, and how."""

    def __init__(self, program: Program, state: State, cards: list[int]) -> None:
        self.cards = cards
        bound, parts = set(_list_referred_to(program, state)), _count_parts(program, state)
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
    cards = list(_list_referred_to(program, state))
    for memory, owners in _list_memories(program):
        if is_of_cards(memory.sort):
            for index in range(memory.slot, memory.slot + owners):
                cards += _find_numbers(state[index])
    parts: dict[int, list[int]] = {}
    for number, card in enumerate(cards):
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
        if is_of_cards(memory.sort):
            for index in range(memory.slot, memory.slot + owners):
                twin[index] = _relabel(twin[index], moved)
    twin[STACK] = twin[STACK] and tuple(_rename_frame(program, frame, moved) for frame in twin[STACK])
    if twin[PENDING] is not None and twin[PENDING][0] == "ask":
        twin[PENDING] = (
            "ask",
            tuple(_rename_entry(program, twin, entry, moved) for entry in twin[PENDING][1]),
        )


def _relabel(value: Any, moved: Laying) -> Any:
    if isinstance(value, tuple):
        return tuple(_relabel(member, moved) for member in value)
    return moved.get(value, value) if isinstance(value, int) and not isinstance(value, bool) else value


def _rename_frame(program: Program, frame: tuple[Any, ...], moved: Laying) -> tuple[Any, ...]:
    index, pc, *env = frame
    for slot in program.codes[index].card_slots:
        env[slot] = _relabel(env[slot], moved)
    return (index, pc, *env)


def _rename_entry(program: Program, state: State, entry: tuple[Any, ...], moved: Laying) -> tuple[Any, ...]:
    seat, number, picks, done = entry
    choice = program.choice_at(state)
    assert choice is not None, "who is asked is asked by a choice"
    renamed = (
        _relabel(value, moved) if pick.holds_cards else value for pick, value in zip(choice.picks, picks, strict=False)
    )
    return (seat, number, tuple(renamed), done)


def _list_referred_to(program: Program, state: State) -> list[int]:
    """List the cards that some script, or some open decision, is busy with, as often as it is."""
    numbers: list[int] = []
    for index, _, *env in reversed(state[STACK] or ()):
        for slot in program.codes[index].card_slots:
            numbers += _find_numbers(env[slot])
    choice = program.choice_at(state)
    if choice is not None:
        for _, _, picks, _ in state[PENDING][1]:
            for pick, value in zip(choice.picks, picks, strict=False):
                numbers += _find_numbers(value) if pick.holds_cards else ()
    return numbers


def _find_numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for member in value:
            yield from _find_numbers(member)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


# ── values ──────────────────────────────────────────────────────────────────────────────────────────────────


def _draw_values(program: Program, twin: State, seat: int, hidden: Collection[int], below: Below) -> None:
    """Dice, memory and streams that the seat cannot know."""
    for index in rolled_states(program):
        slot = next(state for state in program.layout.states.values() if state.slot == index)
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
                twin[memory.slot + owner] = _draw_value(memory, below)
    _refresh_streams(program, twin, below)


def _draw_value(memory: MemorySlot, below: Below) -> Any:
    """A value that a memory may have, of a table one for each entry."""
    values = memory.values or ()
    if is_table(memory.sort):
        return tuple([values[below(len(values))] for _ in memory.start])
    return values[below(len(values))]


def _follow_values(program: Program, twin: State) -> bool:
    """Let what a watched value was be what it is here; nothing where it was not asked yet. False if that breaks a rule.
    """
    followed = [(memory, owners) for memory, owners in _list_memories(program) if memory.follows is not None]
    run = Run(program, [str(player) for player in range(program.players)], twin) if followed else None
    for memory, owners in followed:
        for owner in range(owners):
            is_owned = memory.owned_by == "player"
            if run is None or twin[memory.slot + owner] is None or (is_owned and owner not in twin[ALIVE]):
                continue
            run.looked_at = 0
            try:
                now = run.answer_to(program.questions[memory.follows or ""], (owner,) if is_owned else ())
            except NotThere:
                continue
            except RuleError:
                return False
            twin[memory.slot + owner] = int(now)
    return True


def _refresh_streams(program: Program, twin: State, below: Below) -> None:
    """Streams begin as in a new game, from a seed that nobody knows."""
    twin[SEED] = below(1 << 63)
    for index in program.layout.streams:
        twin[index] = None


@lru_cache(maxsize=64)
def rolled_states(program: Program) -> tuple[int, ...]:
    """The states that are rolled: their values say nothing about the die that shows them."""
    slots = {step["state"].slot for code in program.codes for step in code.steps if step.does(roll_next)}
    return tuple(sorted(slots))


def _list_memories(program: Program) -> Iterator[tuple[MemorySlot, int]]:
    for memory in program.layout.memory.values():
        yield memory, 1
    for memory in program.layout.player_memory.values():
        yield memory, program.players


# ── what scripts remember ───────────────────────────────────────────────────────────────────────────────────


def find_walks(program: Program, state: State, seat: int) -> tuple[tuple[int, Walk], ...] | None:
    """The lists that scripts go through of which a seat does not know who comes later, outermost first, each with how
    many frames lie above it. None if they remember anything else that the seat does not know: then it can imagine
    nothing.
    """
    walks: list[tuple[int, Walk]] = []
    askers = set[int | None]()
    entries = state[PENDING][1] if program.choice_at(state) is not None else ()
    for depth, (index, pc, *env) in enumerate(reversed(state[STACK] or ())):
        unknown = program.codes[index].unknown.get(pc)
        named = () if unknown is None else unknown.named
        # Who is asked knows who that is, whatever scripts above call them.
        if depth == 0:
            askers = {*named} if any(player == seat and number for player, number, *_ in entries) else set()
        else:
            askers = {named[slot] for slot in askers if slot is not None and slot < len(named)}
        for slot, knowers in () if unknown is None else unknown.locals:
            if slot not in askers and not any(env[knower] == seat for knower in knowers):
                return None
        for walk in () if unknown is None else unknown.walks:
            if walk.anew is not None and any(env[knower] == seat for knower in walk.knowers):
                continue
            if walk.anew is not None and walk.member not in askers:
                return None
            walks.append((depth, walk))
    return tuple(reversed(walks))


def _walk_again(program: Program, twin: State, seat: int, depth: int, walk: Walk, below: Below) -> bool:
    """Make anew who comes later in a list that is gone through; False if who is meant now is not in it here."""
    frames = list(twin[STACK])
    index, pc, *env = frames[-1 - depth]
    if walk.anew is None:
        answers = list(env[walk.member])
        for later in env[walk.several][env[walk.at] :] if walk.options else ():
            if later != seat:
                answer = below(walk.options + 1)
                answers[later] = None if answer == walk.options else answer
        env[walk.member] = tuple(answers)
    else:
        run = Run(program, [str(player) for player in range(program.players)], twin)
        run.load_frame()
        code = program.codes[index]
        try:
            members = run.evaluate(code, walk.anew, code.window(env))
        except (NotThere, RuleError):
            return False
        if env[walk.member] not in members:
            return False
        env[walk.several], env[walk.at] = members[members.index(env[walk.member]) :], 1
    frames[-1 - depth] = (index, pc, *env)
    twin[STACK] = tuple(frames)
    return True


# ── an open decision ────────────────────────────────────────────────────────────────────────────────────────


def _make_bare(program: Program, state: State, seat: int, walks: Collection[tuple[int, Walk]]) -> State:
    """Make a state without what others picked in the decision that is open, or in a window of which they have not been
    announced yet, and without how often they were asked.

    Who has nothing to decide has no number, and is done; in a choice of which others may not learn who is asked, all
    others are as if they were asked, until it is found out whether they are.
    """
    bare = state[:]
    own = state[COUNTS][seat]
    bare[COUNTS], bare[CLOCK] = (own,) * program.players + state[COUNTS][program.players :], own
    for memory, owners in _list_memories(program):
        for owner in range(owners if memory.secret and not memory.values else 0):
            if not sees_memory(bare, memory, owner if memory.owned_by == "player" else None, seat):
                bare[memory.slot + owner] = memory.start  # it may hold anything
    frames = list(state[STACK] or ())
    for depth, walk in walks:
        if walk.anew is None and not walk.options:
            index, pc, *env = frames[-1 - depth]
            env[walk.member] = tuple(value if at == seat else None for at, value in enumerate(env[walk.member]))
            frames[-1 - depth] = (index, pc, *env)
            bare[STACK] = tuple(frames)
    choice = program.choice_at(state)
    if choice is not None:
        entries = []
        for entry in state[PENDING][1]:
            player, number, *_ = entry
            if player == seat and number:
                entries.append(entry)
                continue
            number = max(own, 1) if player != seat and (number or choice.quiet or choice.veiled) else 0
            entries.append((player, number, (), not number))
        bare[PENDING] = ("ask", tuple(entries))
    return bare


def _ask_again(program: Program, twin: State, state: State, seat: int, answered: bool, below: Below) -> bool:
    """Ask again in the decision that is open, and make the picks of others again; without `answered`, only those that
    follow from what is offered. False if the twin will not do: this seat, or others of whom everybody knows that they
    are asked, have nothing to decide there; or somebody else is asked than may be.
    """
    choice = program.choice_at(twin)
    if choice is None:
        return True
    run = Run(program, [str(player) for player in range(program.players)], twin)
    run.load_frame()
    is_veiled = choice.quiet or choice.veiled
    entries: list[Entry] = []
    try:
        seats = tuple(seat for seat, *_ in twin[PENDING][1])
        if is_veiled and run.alive(run.run_piece(choice.deciders, run.env)) != seats:
            return False
        for bare, true in zip(twin[PENDING][1], state[PENDING][1], strict=True):
            entry = _own_entry(run, choice, bare) if bare[0] == seat else None
            if bare[0] != seat:
                entry = _draw_entry(run, choice, bare, None if is_veiled else true, answered, below)
            if entry is None:
                return False
            entries.append(entry)
    except (NotThere, RuleError):
        return False  # what is offered in truth asks nothing of nobody, and breaks no rule
    twin[PENDING] = ("ask", tuple(entries))
    # It is known that the decision is open.
    return not all(done for *_, done in entries)


def _own_entry(run: Run, choice: Choice, bare: Entry) -> Entry | None:
    """Return the picks of this seat, if they may be made here, and if it is asked as in truth."""
    player, number, picks, done = bare
    if not number:
        picks, is_all = settle_picks(run, choice, player, ())
        return (player, 0, picks, True) if is_all else None
    for index, value in enumerate(picks):
        offered = find_choices(run, choice, player, picks[:index])
        chosen = value if choice.picks[index].many else (value,)
        if offered is None or not set(chosen) <= set(offered.values):
            return None
    if not done:
        offered = find_choices(run, choice, player, picks)
        if offered is None or offered.find_only_answer()[0]:
            return None
    return bare


def _draw_entry(
    run: Run, choice: Choice, bare: Entry, true: Entry | None, answered: bool, below: Below
) -> Entry | None:
    """Draw the picks of another seat. Where nobody may learn whether they are asked, nothing `true` is gone by."""
    player, number, _, _ = bare
    if not number:
        # Who had nothing to decide in truth, and has here, decides at once: others are not asked more than in truth.
        return player, 0, _pick_all(run, choice, player, below), True
    picks, done = settle_picks(run, choice, player, ())
    if done:
        return (player, 0, picks, True) if true is None else None
    if not answered:
        return player, number, (), False
    if true is None:
        if below(2):
            return player, number, (), False
        return player, number, _pick_all(run, choice, player, below), True
    _, _, before, done = true
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


def _pick_all(run: Run, choice: Choice, player: int, below: Below) -> Picks:
    """Pick at random until there is nothing left to pick."""
    picks, done = settle_picks(run, choice, player, ())
    while not done:
        offered = find_choices(run, choice, player, picks)
        value = None if offered is None else offered.random(below)
        if value is None:
            return picks
        picks, done = settle_picks(run, choice, player, (*picks, value))
    return picks
