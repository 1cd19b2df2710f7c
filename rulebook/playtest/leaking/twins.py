"""Leaks, sought by twin games: what a seat is sent hangs on something that it may not know.

In: a program, and seeds of random games. At the decisions of a game *twins* of its state are made for a seat, the
*watcher*: two cards that are hidden from it change places, or a secret answer, or hidden chance, is another. Game and
twin go on with the same answers. Out: a `Leak` for each sentence behind which the watcher was sent something else in
both. Never: changes a game, or tells a seat anything.

A twin is left as soon as its watcher may know the difference, or is told something on purpose: it recognises one of
the cards, a card that changed places moves, the answer or the outcome is announced, the sentence says `publicly` or
speaks to somebody, the game is over. So it is where one of both waits earlier, since somebody has but one answer in the
other.

    me secretly chooses number from 0..3
    move first(me.hand, number) to deck bottom     told: the others count the cards
    pick number from 0..3 at random; say "Go!"     not told
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from attrs import define, field

from rulebook.classes import frozen
from rulebook.dsl.document import At
from rulebook.interpreter.account import Teller, describe_event
from rulebook.interpreter.choosing import Choices, find_choices
from rulebook.interpreter.decisions import Refused, RuleError
from rulebook.interpreter.determinize import find_walks, hidden_cards, swap_cards
from rulebook.interpreter.events import Event, EventKind, Sink
from rulebook.interpreter.journal import Entry
from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import KNOWN, PENDING, RESULT, STACK, WHERE
from rulebook.interpreter.matching import Below
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State, clone
from rulebook.interpreter.views import is_quiet
from rulebook.interpreter.wording import join_texts, place_key
from rulebook.playtest.leaking.listening import Ear, Heard, ListeningMachine
from rulebook.playtest.leaking.pages import list_asked, list_page, list_question

_AN_ANSWER = 40
"""The events that count as one answer: in games that go round, thousands come behind each."""
_MOST_DECISIONS = 400
"""The decisions of one game after which it is left."""
_FOLLOWED, _FOLLOWED_SWAP = 12, 4
"""The decisions for which a twin is played on, and one in which cards have changed places."""
_SWAPPED = 3
"""The twins of swapped cards made at each decision."""
_TRIED = 8
"""The pairs drawn to find one that makes a difference."""
_A_WRONG_STEP = 100
"""The answers that a step counts as in which the rules go wrong: they may have gone round until they were stopped."""
MOST_WORK = 5_000
"""The answers in all games of a search and their twins after which no more are given."""
_BEGUN = 10
"""The games of a program after which it is left if no answer could be compared in them: it seems to hide nothing."""
_ANNOUNCED: frozenset[EventKind] = frozenset({"chose", "passed", "picked", "rolled", "told", "opened", "won", "over"})
"""Events by which an answer, an outcome or the end is told, whatever hangs on it."""


@frozen
class Leak:
    """A sentence from which a seat can tell what it may not know: in words the secret in both tables and what was sent
    there; the program, and the seed and the answers of a game in which it shows.
    """

    at: At | None
    watcher: int
    secret: tuple[str, ...]
    sent: tuple[str, ...]
    program: Program
    seed: int
    entries: tuple[Entry, ...]


@frozen
class Search:
    """The result of a search: the games played, the answers compared, and the leaks, one for each sentence."""

    games: int
    compared: int
    leaks: tuple[Leak, ...]


@frozen(eq=False)
class _Step:
    """A step of a game, from one decision to the next: the states at both, and between them by seat what was heard, and
    the choices that rules have come by; `pages` holds what a seat is shown then, once somebody has asked.
    """

    before: State
    after: State
    heard: tuple[list[Heard], ...]
    come_by: Mapping[tuple[int, int], int]
    pages: dict[int, tuple[list[str], list[str]]] = field(factory=dict)


@define(eq=False)
class _Twin:
    """A state that is the game's but for a secret, in words as it is there and here. `cards` are those that it is
    about: two that have changed places if `is_swapped`, else those of an answer. `displaced` are those that chance has
    put elsewhere.
    """

    state: State
    watchers: list[int]
    secret: tuple[str, ...]
    cards: tuple[int, ...] = ()
    is_swapped: bool = False
    displaced: tuple[int, ...] = ()
    left: int = _FOLLOWED

    def translate(self, value: Any, holds_cards: bool) -> Any:
        """An answer of the game as it is here, where the swapped cards lie in each other's place."""
        if isinstance(value, tuple):
            return tuple(self.translate(one, holds_cards) for one in value)
        if not self.is_swapped or not holds_cards or value not in self.cards:
            return value
        first, second = self.cards
        return second if value == first else first


def find_leaks(
    programs: Sequence[Program], names: Sequence[str], games: int, seed: int = 0, most: int = MOST_WORK
) -> Search:
    """Play so many random games of each program by turns, with no more than `most` answers in all."""
    searches = [_Searching(program, names[: program.players], most // len(programs)) for program in programs]
    leaks: dict[Any, Leak] = {}
    played = 0
    for number in range(games):
        for searching in searches:
            if searching.work < searching.most and (searching.compared or number < _BEGUN):
                played += 1
                for leak in searching.search_game(seed + number):
                    leaks.setdefault(leak.at and leak.at.span, leak)
    return Search(played, sum(one.compared for one in searches), tuple(leaks.values()))


class _Searching:
    """The search in games of one program."""

    def __init__(self, program: Program, names: Sequence[str], most: int) -> None:
        self.program, self.names = program, tuple(names)
        self.machine = ListeningMachine(program, names)
        self._streams = {*program.layout.script_stream.values()}
        self.most, self.compared, self.work = most, 0, 0

    def search_game(self, seed: int) -> Iterator[Leak]:
        """Play a game at random, with twins at its side."""
        state = self.machine.new_state(seed)
        below, entries = Source(seed, "leaks").below, list[Entry]()
        twins: list[_Twin] = []
        try:
            self.machine.advance(state)
            while state[RESULT] is None and len(entries) < _MOST_DECISIONS and self.work < self.most:
                seat = self.machine.find_waiting(state)[0]
                value = self.machine.random_value(state, seat, below)
                twins += (twin for _ in range(_SWAPPED) for twin in self._swap_hidden(state, below))
                entries.append(self._enter(state, seat, value))
                step = self._take_step(state, seat, value)
                others = [*self._answer_otherwise(state, seat, value, below)]
                others += self._fall_otherwise(state, step, seat, value, below)
                followed = [*self._follow(twins, step, seat, value), *others]
                twins = []
                for twin, there in followed:
                    watchers, twin.watchers = twin.watchers, []
                    for watcher in watchers:
                        difference = self._compare(twin, watcher, step, there)
                        if difference is None:
                            twin.watchers.append(watcher)
                        elif difference.sent:
                            sent, answers = difference.sent, tuple(entries)
                            yield Leak(difference.at, watcher, twin.secret, sent, self.program, seed, answers)
                    twin.state, twin.left = there.after, twin.left - 1
                    twins += [twin] if twin.left and twin.watchers else []
                state = step.after
        except RuleError:
            return  # `validate --play` says what is wrong

    def _enter(self, state: State, seat: int, value: Any) -> Entry:
        """The answer as a save has it."""
        choices = self.machine.find_choices(state, seat)
        chosen = () if value is None else value if choices.pick.many else (value,)
        keys = ("pass",) if value is None else tuple(map(choices.key_of, chosen))
        number = next(number for one, number, *_ in state[PENDING][1] if one == seat)
        return Entry(seat, number, keys)

    def _take_step(self, state: State, seat: int, value: Any) -> _Step:
        ears = [Ear(self.machine, seat) for seat in range(len(self.names))]
        after = clone(state)
        sink: Sink = [*ears]
        self.machine.come_by = {}
        self.machine.answer_value(after, seat, value, sink)
        self.machine.advance(after, sink)
        self.work += max(1, sum(map(len, ears)) // _AN_ANSWER)
        return _Step(state, after, tuple(ear.heard for ear in ears), self.machine.come_by)

    # ── twins ──

    def _swap_hidden(self, state: State, below: Below) -> Iterator[_Twin]:
        """A twin in which two cards that somebody does not know have changed places."""
        seats = range(len(self.names))
        watching = [seat for seat in seats if find_walks(self.program, state, seat) is not None]
        hidden = {seat: hidden_cards(self.program, state, seat) for seat in watching}
        cards = sorted({*chain.from_iterable(hidden.values())})
        for _ in range(_TRIED if len(cards) > 1 else 0):
            first, second = cards[below(len(cards))], cards[below(len(cards))]
            watchers = [seat for seat in watching if first in hidden[seat] and second in hidden[seat]]
            if not watchers or self.program.definition[first] == self.program.definition[second]:
                continue
            twin = swap_cards(self.program, state, first, second)
            if twin is not None and self._can_be_asked(twin):
                secret = self._say_lying(state, first, second), self._say_lying(twin, first, second)
                yield _Twin(twin, watchers, secret, (first, second), True, left=_FOLLOWED_SWAP)
                return

    def _can_be_asked(self, state: State) -> bool:
        """Tell whether all who are asked have something to choose, and may have chosen what they have."""
        run, choice = Run(self.program, self.names, state), self.machine.choosing(state)
        run.load_frame()
        for seat, _, picks, is_done in state[PENDING][1]:
            for number in range(len(picks) + (not is_done)):
                choices = find_choices(run, choice, seat, picks[:number])
                if choices is None:
                    return False
                chosen = picks[number : number + 1]
                if not {*(chosen[0] if chosen and choices.pick.many else chosen)} <= {*choices.values}:
                    return False
        return True

    def _answer_otherwise(
        self, state: State, seat: int, value: Any, below: Below
    ) -> Iterator[tuple[_Twin, _Step]]:
        """Yield a twin in which an answer that the others may not know is another."""
        choice = self.machine.choosing(state)
        if choice.told != "chooser" and not choice.sealed:
            return
        other = self.machine.random_value(state, seat, below)
        if other == value:
            return
        there = self._try_step(state, seat, other)
        if there is None:
            return
        choices = self.machine.find_choices(state, seat)
        if choices.pick.holds_cards and choice.told == "chooser" and {*_list_values(value)} == {*_list_values(other)}:
            return
        secret = self._say_answer(choices, value), self._say_answer(choices, other)
        sorts = dict(zip(choices.values, (source.sort for source in choices.sources), strict=True))
        chosen = (*_list_values(value), *_list_values(other))
        cards = tuple(one for one in chosen if sorts.get(one) == "card")
        yield _Twin(there.after, [one for one in range(len(self.names)) if one != seat], secret, cards), there

    def _fall_otherwise(
        self, state: State, step: _Step, seat: int, value: Any, below: Below
    ) -> Iterator[tuple[_Twin, _Step]]:
        """Yield a twin in which what scripts pick or roll falls otherwise, if they do before the next decision."""
        used = [stream for stream in self._streams if state[stream] != step.after[stream]]
        if not used:
            return
        twin = clone(state)
        for stream in used:
            times, _ = twin[stream] or (1, 0)
            twin[stream] = (times + 1 + below(1 << 30), 0)
        there = self._try_step(twin, seat, value)
        if there is not None:
            secret = "what chance keeps hidden falls so", "it falls otherwise"
            lying = zip(step.after[WHERE], there.after[WHERE], strict=True)
            displaced = tuple(card for card, (one, other) in enumerate(lying) if one != other)
            yield _Twin(there.after, [*range(len(self.names))], secret, displaced=displaced), there

    def _follow(
        self, twins: Sequence[_Twin], step: _Step, seat: int, value: Any
    ) -> Iterator[tuple[_Twin, _Step]]:
        """Each twin with the same step in it, where the same answer can be given there."""
        for twin in twins:
            holds_cards = self.machine.find_choices(step.before, seat).pick.holds_cards
            there = self._try_step(twin.state, seat, twin.translate(value, holds_cards))
            if there is not None:
                yield twin, there

    def _try_step(self, state: State, seat: int, value: Any) -> _Step | None:
        """Give an answer if it is legal; None if it is not, or the rules go wrong."""
        try:
            if seat not in self.machine.find_waiting(state):
                return None
            choices = self.machine.find_choices(state, seat)
            if value is None:
                if not choices.may_pass:
                    return None
            else:
                chosen = value if choices.pick.many else (value,)
                fits = choices.least <= len(chosen) <= choices.most
                if not fits or not {*chosen} <= {*choices.values} or not choices.allows(chosen):
                    return None
            self.compared += 1
            return self._take_step(state, seat, value)
        except RuleError:
            self.work += _A_WRONG_STEP
            return None
        except (Refused, NotThere):
            return None

    # ── comparing ──

    def _compare(self, twin: _Twin, watcher: int, here: _Step, there: _Step) -> _Difference | None:
        """The first thing that the watcher is sent in one of both alone; None if there is none."""
        if twin.is_swapped and self._draws_near(twin, here):
            return _NO_LEAK
        heard, others = here.heard[watcher], there.heard[watcher]
        is_over = here.after[RESULT] is not None or there.after[RESULT] is not None
        for at, (one, other) in enumerate(zip(heard, others, strict=False)):
            if one.event != other.event:
                words = tuple(describe_event(self.program, self.names, each.event, watcher) for each in (one, other))
                if any(each.is_untimely or each.is_named_unseen(self.program, watcher) for each in (one, other)):
                    return _Difference(one.at, words)
                more_here, more_there = _is_heard_later(other, heard[at:]), _is_heard_later(one, others[at:])
                if more_here is not more_there:
                    return self._tell_apart(twin, watcher, here, there, at, is_here=more_here)
                is_meant = _is_meant(one) or _is_meant(other) or is_over or _differ_in_cards(one.event, other.event)
                is_known = self._is_known(twin, watcher, here, there, at + 1)
                if is_meant or is_known or _has_moved(twin, here, one) or _has_moved(twin, there, other):
                    return _NO_LEAK
                return _Difference(one.at, words)
        if is_over or self._is_known(twin, watcher, here, there, min(len(heard), len(others))):
            return _NO_LEAK
        stands = [(*step.after[STACK][-1][:2], self.machine.find_waiting(step.after)) for step in (here, there)]
        # The same question a round later is another one: what was heard meanwhile is no news of the earlier one.
        is_alike = stands[0] == stands[1] and here.come_by.get(stands[0][:2]) == there.come_by.get(stands[0][:2])
        if len(heard) != len(others) and is_alike:
            shorter = min(len(heard), len(others))
            return self._tell_apart(twin, watcher, here, there, shorter, is_here=len(heard) > shorter)
        if not is_alike and not self._must_notice(twin, watcher, here, there):
            asked = [list_asked(self.machine, step.after, watcher) for step in (here, there)]
            if asked[0] == asked[1]:
                return _NO_LEAK
            code, pc, _ = stands[not asked[0]]
            sent = tuple("; ".join(lines) or NOTHING for lines in asked)
            return _Difference(self.program.codes[code].ats[pc], sent)
        pages = [self._lay_out_page(watcher, step) for step in (here, there)]
        if pages[0] == pages[1]:
            return None if is_alike else _NO_LEAK
        is_asked = pages[0][0] == pages[1][0]
        # Where both wait for the same, what differs on their pages was changed behind the question before.
        is_earlier = is_alike and not is_asked
        code, pc = here.before[STACK][-1][:2] if is_earlier else stands[len(heard) > len(others)][:2]
        parts = (page[is_asked] for page in pages)
        rows = next(pair for pair in zip_longest(*parts, fillvalue=NOTHING) if pair[0] != pair[1])
        return _Difference(self.program.codes[code].ats[pc], rows)

    def _must_notice(self, twin: _Twin, watcher: int, here: _Step, there: _Step) -> bool:
        """Tell whether a seat can tell where both wait for something else: not where one came by the question of the
        other and somebody had one answer only, nor where somebody is asked quietly.
        """
        if twin.is_swapped and any(
            step.after[STACK][-1][:2] in other.come_by for step, other in ((here, there), (there, here))
        ):
            return False
        is_asked = all(watcher in self.machine.find_waiting(step.after) for step in (here, there))
        return is_asked or not any(is_quiet(self.program, step.after) for step in (here, there))

    def _tell_apart(
        self, twin: _Twin, watcher: int, here: _Step, there: _Step, number: int, *, is_here: bool
    ) -> _Difference:
        """Judge the first event that only one of both has, by its number among all."""
        step = here if is_here else there
        more = step.heard[watcher][number]
        if _is_meant(more) or self._is_known(twin, watcher, here, there, number + 1) or _has_moved(twin, step, more):
            return _NO_LEAK
        words = describe_event(self.program, self.names, more.event, watcher)
        return _Difference(more.at, (words, NOTHING) if is_here else (NOTHING, words))

    def _draws_near(self, twin: _Twin, step: _Step) -> bool:
        """Tell whether chance drew where one of two swapped cards lies: of other cards it draws others."""
        places = [self.program.layout.places[step.before[WHERE][card]] for card in twin.cards]
        streams = {*self._streams, *(place.stream for place in places)}
        return any(step.before[stream] != step.after[stream] for stream in streams)

    def _lay_out_page(self, watcher: int, step: _Step) -> tuple[list[str], list[str]]:
        """List what a seat sees, and what it is asked."""
        if watcher not in step.pages:
            step.pages[watcher] = (
                list_page(self.machine, step.after, watcher), list_question(self.machine, step.after, watcher)
            )
        return step.pages[watcher]

    def _is_known(self, twin: _Twin, watcher: int, here: _Step, there: _Step, heard: int) -> bool:
        """Tell whether the watcher has recognised one of the cards, at any time from one decision to the next."""
        for step in (here, there):
            states = [step.before, *(one.state for one in step.heard[watcher][:heard]), step.after]
            for state in states:
                for card in (*twin.cards, *twin.displaced):
                    if (state[KNOWN][card] | sight(self.program, state, card)) >> watcher & 1:
                        return True
        return False

    # ── words ──

    def _say_lying(self, state: State, first: int, second: int) -> str:
        """Say where two cards lie: `the crown lies in Ana's hand, and the ring in the deck`."""
        names = [self.program.names[card] for card in (first, second)]
        slots = [self.program.layout.places[state[WHERE][card]] for card in (first, second)]
        words = Teller(self.program, self.names, None)
        places = [words.name_place(place_key(self.program, self.names, slot)) for slot in slots]
        if slots[0] is not slots[1]:
            return f"{names[0]} lies in {places[0]}, and {names[1]} in {places[1]}"
        contents = state[slots[0].slot]
        is_first = contents.index(first) < contents.index(second)
        return f"{names[not is_first]} lies before {names[is_first]} in {places[0]}"

    def _say_answer(self, choices: Choices, value: Any) -> str:
        words = Teller(self.program, self.names, None)
        chosen = () if value is None else value if choices.pick.many else (value,)
        answer = join_texts([words.describe_key(choices.key_of(one)) for one in chosen]) or "nothing"
        return f"{self.names[choices.seat]} has chosen {answer}"


@frozen
class _Difference:
    """The place at which two tables differ for a watcher, with what was sent in each; without these it is no leak."""

    at: At | None
    sent: tuple[str, ...] = ()


_NO_LEAK = _Difference(None)
NOTHING = "nothing"
"""In `Leak.sent`, that nothing was sent."""


def _is_meant(heard: Heard) -> bool:
    return heard.is_meant or heard.event.kind in _ANNOUNCED


def _is_heard_later(heard: Heard, behind: Sequence[Heard]) -> bool:
    return any(heard.event == other.event for other in behind)


def _has_moved(twin: _Twin, step: _Step, heard: Heard) -> bool:
    """Tell whether one of the cards itself has just moved: then all see that it does."""
    return heard.event.kind == "moved" and any(
        step.before[WHERE][card] != heard.state[WHERE][card] for card in twin.cards
    )


def _differ_in_cards(event: Event, other: Event) -> bool:
    """Tell whether both say the same of other cards, or of cards that look otherwise: only who sees these is told."""
    seen = "cards", "faces"
    facts = [{name: fact for name, fact in each.facts.items() if name not in seen} for each in (event, other)]
    return event.kind == other.kind and facts[0] == facts[1]


def _list_values(value: Any) -> Sequence[Any]:
    return () if value is None else value if isinstance(value, tuple) else (value,)
