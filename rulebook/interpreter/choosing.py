"""What may be chosen, what was chosen, and what follows from it without asking. No state is changed here.

One pick asks for one value, or for a set (`many`) whose size lies between `least` and `most`; `ordered` keeps the order
in which it was picked. Equal cards are one option with several copies: one answer as far as being asked is concerned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations, permutations
from typing import Any

from rulebook.interpreter import sets
from rulebook.interpreter.decisions import PASS, Ask, Option, Refused, not_met
from rulebook.interpreter.knowledge import likeness, recognises
from rulebook.interpreter.layout import KNOWN, WHERE
from rulebook.interpreter.ops.table import Env
from rulebook.interpreter.program import Choice, Pick, Source
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import cards_in, position
from rulebook.interpreter.wording import make_key, place_key, word_value

NOT_ALLOWED = "That is not allowed."

Picks = tuple[Any, ...]
UNFIT: Any = ("unfit",)
"""What is chosen where no answer fits."""
Entry = tuple[int, int, Picks, bool]
"""A seat's part of a pending decision: seat, number, picks, done."""

Barred = tuple[Option, tuple[str, ...]]
"""What may not be chosen now, and the lines of the rules that forbid it."""


class Choices:
    """The values of one pick for one seat. `env` are the locals with which they were read."""

    def __init__(self, run: Run, pick: Pick, seat: int, env: Env, found: dict[Any, Source], may_pass: bool) -> None:
        self.run, self.pick, self.seat, self.env, self.may_pass = run, pick, seat, env, may_pass
        self.values, self.sources = tuple(found), tuple(found.values())
        self.least = self.most = 1
        if pick.many:
            available = len(found)
            # An order is one of all there is.
            self.least = available if pick.ordered else max(0, min(run.run_piece(pick.least, env), available))
            most = available if pick.most is None else min(run.run_piece(pick.most, env), available)
            self.most = max(self.least, most)

    @cached_property
    def alike(self) -> tuple[Any, ...]:
        """For each value, what it shares with those that are the same option."""
        return tuple(map(self._likeness, self.values, self.sources))

    def _likeness(self, value: Any, source: Source) -> Any:
        """Equal cards in one place are one option (on a grid, every position counts); so are hidden ones in a crowd."""
        if source.sort not in ("card", "object") or value >= self.run.program.cards:
            return source.sort, value
        run = self.run
        place = run.layout.places[run.state[WHERE][value]]
        if not self.is_told(value, source):
            return "hidden", place.ordinal, position(run.state, place, value) if place.ordered else -1
        spot = position(run.state, place, value) if place.kept == "grid" else -1
        return "card", likeness(run.program, run.state, value), place.ordinal, spot

    def is_told(self, card: int, source: Source) -> bool:
        """Tell whether this seat is told which card an option is."""
        run = self.run
        if source.shown:
            return bool(run.state[KNOWN][card] >> self.seat & 1)
        return recognises(run.program, run.state, self.seat, card)

    def _are_alike(self) -> bool:
        """Tell whether all values are one option; most often the first two tell."""
        first = self._likeness(self.values[0], self.sources[0])
        rest = zip(self.values[1:], self.sources[1:], strict=True)
        return all(self._likeness(value, source) == first for value, source in rest)

    # ── answers ──

    def allows(self, chosen: tuple[Any, ...]) -> bool:
        """Tell whether `so that` holds for these values."""
        if self.pick.so_that is None:
            return True
        self.env[self.pick.slot] = chosen if self.pick.many else chosen[0]
        allowed = self.run.holds(self.run.code, self.pick.so_that, self.env)
        self.env[self.pick.slot] = None
        return allowed

    def find_answers(self) -> Iterator[Any]:
        """Every legal answer, equal ones once: a value, a tuple where the pick is of several; last None for a pass."""
        kinds = {like: number for number, like in enumerate(self.alike)}
        met: set[Any] = set()
        for indexes in self._arrangements():
            seen = tuple(kinds[self.alike[index]] for index in indexes)
            seen = seen if self.pick.ordered else tuple(sorted(seen))
            if seen in met:
                continue
            met.add(seen)
            chosen = tuple(self.values[index] for index in indexes)
            if self.allows(chosen):
                yield chosen if self.pick.many else chosen[0]
        if self.may_pass:
            yield None

    def _arrangements(self) -> Iterator[tuple[int, ...]]:
        """The indexes of all answers, legal or not: in every order where the order is chosen too."""
        arrange = permutations if self.pick.ordered else combinations
        for size in range(self.least, self.most + 1):
            yield from arrange(range(len(self.values)), size)

    def find_sets(self) -> Iterator[tuple[Any, ...]]:
        """Legal sets, the largest one first, then from small to large; equal ones once."""
        return sets.legal(self.values, self.alike, self.least, self.most, self.allows)

    def find_only_answer(self) -> tuple[bool, Any]:
        """Return whether exactly one answer is legal, and that answer."""
        if self.may_pass:
            return False, None
        if not self.pick.many:
            return self._are_alike(), self.values[0]
        if self.pick.ordered and self.values and not self._are_alike():
            return False, None
        if self.pick.so_that is None:
            one_size = self.least == self.most
            whole = self.least == len(self.values)
            return one_size and (whole or self.most == 0 or self._are_alike()), self.values[: self.least]
        legal = self.find_sets()
        first = next(legal, None)
        return first is not None and next(legal, None) is None, first

    # ── for people ──

    def make_options(self) -> tuple[Option, ...]:
        """The options, equal cards merged, and `pass` last where it may be."""
        groups = self._group_equal()
        keys = self._make_keys([indexes[0] for indexes in groups.values()])
        options = [
            Option(
                one_key,
                self._make_label(indexes[0]),
                len(indexes),
                tuple(self.values[index] for index in indexes),
            )
            for one_key, indexes in zip(keys, groups.values(), strict=True)
        ]
        if self.may_pass:
            options.append(Option(PASS, "Pass"))
        return tuple(options)

    def key_of(self, value: Any) -> str:
        """The key of the option that a value belongs to."""
        groups = self._group_equal()
        keys = self._make_keys([indexes[0] for indexes in groups.values()])
        return keys[list(groups).index(self.alike[self.values.index(value)])]

    def _group_equal(self) -> dict[Any, list[int]]:
        """The indexes of equal values, by what they share."""
        groups: dict[Any, list[int]] = {}
        for index, like in enumerate(self.alike):
            groups.setdefault(like, []).append(index)
        return groups

    def _make_label(self, index: int) -> str:
        if self._is_hidden(index):
            return "a card"
        return label_of(self.run, self.env, self.sources[index], self.values[index])

    def _is_hidden(self, index: int) -> bool:
        return bool(self.alike[index][0] == "hidden")

    def _make_keys(self, indexes: Sequence[int]) -> list[str]:
        """One key for each option; where the plain ones are the same, states, place and position tell them apart."""
        keys = [self._make_key(index) for index in indexes]
        for detail in (self._describe_states, self._name_spot):
            doubled = {one for one in keys if keys.count(one) > 1}
            if not doubled:
                return keys
            keys = [one + detail(index) if one in doubled else one for one, index in zip(keys, indexes, strict=True)]
        return [one if keys.index(one) == i else f"{one}#{keys[:i].count(one) + 1}" for i, one in enumerate(keys)]

    def _make_key(self, index: int) -> str:
        run, source, value = self.run, self.sources[index], self.values[index]
        if self._is_hidden(index):
            return f"card:?{self._name_spot(index)}"
        if source.sort == "label":
            return f"label:{label_of(run, self.env, source, value)}"
        return make_key(run.program, run.names, value, source.sort)

    def _describe_states(self, index: int) -> str:
        """The states of a card that are not as they began: `[exposed=yes]`."""
        run, value = self.run, self.values[index]
        changed = [
            f"{slot.name}={word_value(run.program, run.names, run.state[slot.slot][value], slot.sort)}"
            for slot in run.program.changing
            if run.state[slot.slot][value] != slot.starts[value]
        ]
        return f"[{','.join(changed)}]" if changed else ""

    def _name_spot(self, index: int) -> str:
        """Name the place of a card: `@Ana.area`, with the position where that tells cards apart."""
        run, value = self.run, self.values[index]
        place = run.layout.places[run.state[WHERE][value]]
        where = f"@{place_key(run.program, run.names, place)}"
        if place.kept == "grid" or (self._is_hidden(index) and place.kept in ("row", "pile")):
            where += f".{position(run.state, place, value) + 1}"
        return where

    # ── reading answers ──

    def read_answer(self, keys: Sequence[str]) -> Any:
        """The value that keys mean: one, a tuple where the pick is of several, nothing for a pass."""
        if list(keys) == [PASS] and self.may_pass:
            return None
        if not self.pick.many and len(keys) != 1:
            raise Refused(f"One answer is wanted, not {len(keys)}.")
        if not self.least <= len(keys) <= self.most:
            wanted = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
            raise Refused(f"{wanted} answers are wanted, not {len(keys)}.")
        left = {option.key: list(option.values) for option in self.make_options() if option.key != PASS}
        chosen = []
        for one in keys:
            if one not in left:
                lines = next((why for option, why in self.barred() if option.key == one), ())
                raise Refused(f"`{one}` is not among the options. {not_met(lines)}".rstrip())
            if not left[one]:
                raise Refused(f"`{one}` cannot be chosen that often.")
            chosen.append(left[one].pop(0))
        values = tuple(chosen)
        if not self.allows(values):
            raise Refused(f"{NOT_ALLOWED} {not_met(self._find_unmet(values))}".rstrip())
        return self._restore_order(values) if self.pick.many else values[0]

    def barred(self) -> list[Barred]:
        """List what a `where` or a question keeps out of the options, with the conditions that are not met, as far as
        this seat knows them.
        """
        found: dict[str, Barred] = {}
        for source in self.pick.sources:
            if source.everything is None or source.reasons is None:
                continue
            everything = self.run.run_piece(source.everything, self.env)
            for value in (*everything, *(self._find_beside() if source.is_asked else ())):
                if value is None or value in self.values or self._is_unknown(source, value):
                    continue
                lines = self._not_met(source, value)
                name = make_key(self.run.program, self.run.names, value, source.sort)
                if lines and name not in found:
                    found[name] = Option(name, label_of(self.run, self.env, source, value)), lines
        return list(found.values())

    def _find_beside(self) -> Iterator[int]:
        """Find the cards of the grids on which options lie."""
        run = self.run
        for ordinal in dict.fromkeys(run.state[WHERE][value] for value in self.values if value < run.program.cards):
            if run.layout.places[ordinal].kept == "grid":
                yield from cards_in(run.layout, run.state, run.layout.places[ordinal])

    def _is_unknown(self, source: Source, value: Any) -> bool:
        """Tell whether it is a card that this seat may not recognise."""
        is_card = source.sort in ("card", "object") and value < self.run.program.cards
        return is_card and not self.is_told(value, source)

    def _not_met(self, source: Source, value: Any) -> tuple[str, ...]:
        assert source.reasons is not None, "only where something is kept out"
        env = self.env.copy()
        env[source.slot] = value
        return source.reasons(self.run, env, self.seat)

    def _find_unmet(self, chosen: tuple[Any, ...]) -> tuple[str, ...]:
        """Find which conditions of `so that` these values do not meet, as far as this seat knows them."""
        if self.pick.reasons is None:
            return ()
        env = self.env.copy()
        env[self.pick.slot] = chosen if self.pick.many else chosen[0]
        return self.pick.reasons(self.run, env, self.seat)

    def _restore_order(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """A set stands in the order of the list it was chosen from, whatever the order in which it was named."""
        return values if self.pick.ordered else tuple(sorted(values, key=self.values.index))

    def _first_copies(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return sets.first_copies(self.values, self.alike, values)

    def random(self, below: Callable[[int], int], fits: Callable[[Any], bool] | None = None) -> Any:
        """One of all legal answers (of those that fit, if that is asked: UNFIT if none does), each as likely as any
        other; equal values count one by one, to pass as one.

        Where 64 sets at random are not allowed, one of those among the first `sets.MOST_TRIED` that are.
        """
        may_pass, allows = self.may_pass, self.allows
        if fits is not None:
            may_pass = may_pass and fits(None)
            allows = partial(self._allows_fitting, fits)
        if not self.pick.many:
            values = self.values if fits is None else [*filter(fits, self.values)]
            if not values and not may_pass:
                return UNFIT
            index = below(len(values) + may_pass)
            return None if index == len(values) else self._first_copies((values[index],))[0]
        chosen = sets.random_one(self.values, self.least, self.most, may_pass, allows, below)
        if chosen is sets.PASSED:
            return None
        if chosen is not None:
            return self._restore_order(self._first_copies(chosen))
        legal = list(sets.legal(self.values, self.alike, self.least, self.most, allows))
        if not legal and not may_pass:
            return UNFIT
        ways = [self.count_ways(one) for one in legal]
        at = below(sum(ways) + may_pass)
        for one, many in zip(legal, ways, strict=True):
            if at < many:
                return one
            at -= many
        return None

    def _allows_fitting(self, fits: Callable[[Any], bool], chosen: Picks) -> bool:
        return fits(chosen) and self.allows(chosen)

    def count_ways(self, value: Any) -> int:
        """In how many ways an answer can be given if equal values are told apart; of an order nobody tells."""
        if value is None or self.pick.ordered:
            return 1
        return sets.count_ways(self.values, self.alike, value if self.pick.many else (value,))


def label_of(run: Run, env: Env, source: Source, value: Any) -> str:
    """Return the words for a value of a list; for a line of a menu, its label."""
    if source.labels:
        return str(run.run_piece(source.labels[value], env))
    return word_value(run.program, run.names, value, source.sort)


# ── a seat's way through a decision ──────────────────────────────────────────────────────────────


def find_choices(run: Run, choice: Choice, seat: int, picks: Picks) -> Choices | None:
    """The next pick of a seat, or None if nothing can be chosen."""
    pick = choice.picks[len(picks)]
    env = run.env.copy()
    if choice.decider is not None:
        env[choice.decider] = seat
    for earlier, value in zip(choice.picks, picks, strict=False):
        env[earlier.slot] = value
    taken = {one for value in picks for one in (value if isinstance(value, tuple) else (value,))}
    found: dict[Any, Source] = {}
    for source in pick.sources:
        for value in run.run_piece(source.list, env):
            # Nothing is no option.
            if value is not None and value not in taken:
                found.setdefault(value, source)
    if any(slot.has_changed(run.state[slot.slot]) for slot in run.program.changing):
        found = _sort_openly(run, found)
    result = Choices(run, pick, seat, env, found, choice.may and not picks)
    if not pick.many:
        if pick.so_that is not None:
            allowed = {value: source for value, source in found.items() if result.allows((value,))}
            result = Choices(run, pick, seat, env, allowed, result.may_pass)
        return result if result.values else None
    if not result.values and (result.may_pass or run.run_piece(pick.least, env) > 0):
        return None  # nothing to choose: who may pass is not asked for that
    return result if pick.so_that is None or next(result.find_sets(), None) is not None else None


def _sort_openly(run: Run, found: dict[Any, Source]) -> dict[Any, Source]:
    """Cards of unordered places are offered by what they are: how they are stored would show their numbers."""
    places, where, program = run.layout.places, run.state[WHERE], run.program
    values = list(found)
    loose = [
        index
        for index, value in enumerate(values)
        if found[value].sort in ("card", "object") and value < program.cards and not places[where[value]].ordered
    ]
    cards = [values[index] for index in loose]

    def make_open_key(card: int) -> tuple[Any, ...]:
        if card in program.singular:
            return program.likeness[card], True, card
        states = [sortable(run.state[slot.slot][card]) for slot in program.changing]
        return program.likeness[card], False, states, where[card]

    cards.sort(key=make_open_key)
    for index, card in zip(loose, cards, strict=True):
        values[index] = card
    return {value: found[value] for value in values}


def sortable(value: Any) -> tuple[Any, ...]:
    """A value as it stands in an order that only serves to have one: nothing, numbers, words, lists."""
    if value is None:
        return (0,)
    if isinstance(value, tuple):
        return 3, [sortable(one) for one in value]
    return (2, value) if isinstance(value, str) else (1, value)


def settle_picks(run: Run, choice: Choice, seat: int, picks: Picks) -> tuple[Picks, bool]:
    """Make every next pick that has only one answer; what was picked then, and whether that was all.

    An exhaustive run makes none: there every pick that has an answer at all is asked.
    """
    while len(picks) < len(choice.picks):
        found = find_choices(run, choice, seat, picks)
        if found is None:
            return picks, True
        if run.exhaustive:
            return picks, False
        forced, value = found.find_only_answer()
        if not forced:
            return picks, False
        picks = (*picks, value)
    return picks, True


def make_ask(run: Run, choice: Choice, entry: Entry) -> Ask:
    """Word a seat's part of a decision: the question, and its options with their keys."""
    seat, number, picks, _ = entry
    found = find_choices(run, choice, seat, picks)
    assert found is not None, "a seat that is asked has something to choose"
    prompt = "" if choice.prompt is None else str(run.run_piece(choice.prompt, found.env))
    return Ask(
        seat,
        number,
        prompt,
        found.make_options(),
        found.least,
        found.most if found.pick.many else 1,
        found.pick.ordered,
        tuple(one for several in picked_keys(run, choice, seat, picks) for one in several),
        choice.quiet or choice.veiled,
        found.pick.name,
    )


def picked_keys(run: Run, choice: Choice, seat: int, picks: Picks) -> Iterator[list[str]]:
    """The keys of what a seat has picked, pick by pick, as it was offered them."""
    for number, value in enumerate(picks):
        found = find_choices(run, choice, seat, picks[:number])
        assert found is not None, "what was picked was among the choices"
        yield [found.key_of(one) for one in (value if found.pick.many else (value,))]
