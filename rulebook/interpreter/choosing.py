"""Choices: the options of a pick, answers to it, and answers that follow without asking. No state is changed here.

One pick asks for one value, or for a set (`many`) whose size lies between `least` and `most`; `ordered` keeps the order
in which it was picked. Equal cards are one option with several copies: one answer as far as being asked is concerned.

Whether a set may be chosen is found out by trying a bounded number of them, and where there are more, from the totals
of sets. If that does not tell either, it is *undecided*: who chooses is asked, and may answer that nothing fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property, partial, reduce
from itertools import islice
from typing import Any

from attrs import define

from rulebook.interpreter import sets
from rulebook.interpreter.decisions import PASS, Ask, Option, Refused, RuleError, not_met
from rulebook.interpreter.knowledge import likeness, recognises
from rulebook.interpreter.layout import KNOWN, PENDING, WHERE
from rulebook.interpreter.op_table import MOST_LISTED, Env
from rulebook.interpreter.program import Choice, Pick, Source
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import cards_in, position
from rulebook.interpreter.totals import MEMBERS, MIXED, SAME, SUM, Kind, Taken, Total, Totals, find_totals
from rulebook.interpreter.wording import UNKNOWN, is_of_cards, join_texts, make_key, place_key, word_value

NOT_ALLOWED = "That is not allowed."

Picks = tuple[Any, ...]
UNFIT: Any = ("unfit",)
"""The value chosen where no answer fits."""
NOTHING_FITS = "Nothing fits"
"""The answer offered where it is undecided whether a set may be chosen, and nobody may pass."""
_MOST_BITS, _MOST_MEMBERS = 62, 512
_MANY, _MOST_REMEMBERED = 13, 4  # of fewer values all sets are tried; of so many questions it is known what was found
Entry = tuple[int, int, Picks, bool]
"""A seat's part of a pending decision: seat, number, picks, done."""

Mark = Hashable
"""An answer as it is told apart from others at every table: what the values that are chosen share with equal ones."""
PASSED: Mark = (PASS,)

Barred = tuple[Option, tuple[str, ...]]
"""A thing that may not be chosen now, and the lines of the rules that forbid it."""


class TooManySets(Exception):
    """There are more sets to try than somebody wants to."""


@define
class Searched:
    """A memo about the sets of one question in one state: whether one may be chosen, whether that is undecided, and
    the totals of sets."""

    verdict: tuple[bool, bool] | None = None
    totals: Totals | None = None
    is_added_up: bool = False


class Choices:
    """The values of one pick for one seat. `env` are the locals with which they were read. `may` says that this seat
    may pass, by the rules; `may_pass` also that it may answer that nothing fits.
    """

    def __init__(self, run: Run, pick: Pick, seat: int, env: Env, sources: dict[Any, Source], may: bool) -> None:
        self.run, self.pick, self.seat, self.env, self.may = run, pick, seat, env, may
        self.searched = Searched()
        self.values, self.sources = tuple(sources), tuple(sources.values())
        self.least = self.most = 1
        if pick.many:
            available = len(sources)
            # An order is one of all there is.
            self.least = available if pick.ordered else max(0, min(run.run_piece(pick.least, env), available))
            most = available if pick.most is None else min(run.run_piece(pick.most, env), available)
            self.most = max(self.least, most)

    @cached_property
    def alike(self) -> tuple[Any, ...]:
        """By value, the mark that it shares with those that are the same option."""
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

    @property
    def may_pass(self) -> bool:
        """True if it is an answer to choose nothing: to pass, or that nothing fits."""
        return self.may or self.is_undecided

    def find_answers(self, most: int | None = None) -> Iterator[Any]:
        """Yield every legal answer, equal ones once: a value, a tuple where the pick is of several; last None for a
        pass. Raises TooManySets if more sets than so many may be there to choose from.
        """
        sizes = range(self.least, self.most + 1)
        kinds = {like: number for number, like in enumerate(self.alike)}
        alike = [kinds[like] for like in self.alike]
        search = sets.Search(
            self.values, alike, sizes, self.allows, is_ordered=self.pick.ordered, most=-1 if most is None else most
        )
        is_any = False
        for chosen in search:
            is_any = True
            yield chosen if self.pick.many else chosen[0]
        if search.ran_out:
            raise TooManySets(f"More than {most:,} sets have to be tried to find those that may be chosen.")
        if self.may or not is_any:
            yield None

    def _search(
        self, most: int | None, fits: Callable[[Any], bool] | None = None
    ) -> tuple[list[tuple[Any, ...]], bool]:
        """Find the first legal sets (and fitting ones, if that is asked), so many at most: the largest ones, then from
        small to large, equal ones once; and whether there are sets that were not tried.
        """
        allows = self.allows if fits is None else partial(self._allows_fitting, fits)
        sizes = (self.most, *range(self.least, self.most))
        search = sets.Search(self.values, self.alike, sizes, allows, is_ordered=self.pick.ordered)
        with self.run.searching():
            return [*islice(search, most)], search.ran_out

    @cached_property
    def _verdict(self) -> tuple[bool, bool]:
        """True if a set may be chosen, as far as is known; true if that is not known."""
        if not self.pick.many or self.pick.so_that is None:
            return True, False
        if self.searched.verdict is None:
            self.searched.verdict = self._judge()
        return self.searched.verdict

    def _judge(self) -> tuple[bool, bool]:
        allowed, ran_out = self._search(1)
        if allowed or not ran_out:
            return bool(allowed), False
        if self._totals is None:
            return True, True
        return self._survey()[0] > 0, False

    @property
    def is_open(self) -> bool:
        """True if something may be chosen, or nobody knows."""
        return self._verdict[0]

    @property
    def is_undecided(self) -> bool:
        """True if nobody knows whether a set may be chosen."""
        return self._verdict[1]

    def find_only_answer(self) -> tuple[bool, Any]:
        """Return whether exactly one answer is legal, so that nobody is asked, and that answer."""
        if self.may_pass or self.pick.always:
            return False, None
        if not self.pick.many:
            return self._are_alike(), self.values[0]
        if self.pick.ordered and self.values and not self._are_alike():
            return False, None
        if self.pick.so_that is None:
            one_size = self.least == self.most
            whole = self.least == len(self.values)
            return one_size and (whole or self.most == 0 or self._are_alike()), self.values[: self.least]
        allowed, ran_out = self._search(2)
        if len(allowed) == 2 or not ran_out:
            return len(allowed) == 1, allowed[0]
        if self._totals is None:
            return False, None  # one was found, and there may be more
        number, only = self._survey()
        return number == 1, only

    # ── what sets can come to ──

    @cached_property
    def _kinds(self) -> list[list[int]]:
        """The indexes of equal values."""
        return list(self._group_equal().values())

    @property
    def _totals(self) -> Totals | None:
        """The totals of all sets; None if the condition asks for more than totals, or there are too many."""
        if not self.searched.is_added_up:
            self.searched.totals, self.searched.is_added_up = self._add_up(), True
        return self.searched.totals

    def _add_up(self) -> Totals | None:
        folds = self.pick.folds
        if folds is None:
            return None
        members: dict[Any, int] = {}
        kinds = []
        with self.run.searching():
            for indexes in self._kinds:
                adds = [self._find_adds(self.values[index], members) for index in indexes]
                if adds[0] is None or any(other != adds[0] for other in adds):
                    return None
                kinds.append(Kind(len(indexes), adds[0]))
        return find_totals(kinds, [fold for fold, _ in folds], self.least, self.most)

    def _find_adds(self, value: Any, members: dict[Any, int]) -> tuple[Total, ...] | None:
        """Return what one value adds to each total; None if something is asked of nothing. Members are numbered as they
        come."""
        adds: list[Total] = []
        self.env[self.pick.slot] = (value,)
        try:
            for fold, entry in self.pick.folds or ():
                values = self.run.run_piece(entry, self.env)
                if fold in (MEMBERS, SAME):
                    numbers = [members.setdefault(value, len(members)) for value in values or ()]
                    limit = _MOST_BITS if fold == MEMBERS else _MOST_MEMBERS
                    if any(isinstance(value, tuple) for value in values or ()) or max(numbers, default=0) >= limit:
                        return None
                    values = _unite(numbers) if fold == MEMBERS else _find_same(numbers)
                elif values is None and fold == SUM:
                    return None
                adds.append(None if values is None else int(values))
        except NotThere:
            return None
        finally:
            self.env[self.pick.slot] = None
        return tuple(adds)

    def _set_of(self, taken: Taken) -> tuple[Any, ...]:
        """Make the set of the first values of each kind, in their order."""
        indexes = sorted(index for kind, number in zip(self._kinds, taken, strict=True) for index in kind[:number])
        return tuple([self.values[index] for index in indexes])

    def _survey(self) -> tuple[int, tuple[Any, ...]]:
        """Count the sets that may be chosen, of all there are (2 stands for more), and return one of them, too."""
        assert self._totals is not None
        with self.run.searching():
            number, taken = self._totals.survey(lambda taken: self.allows(self._set_of(taken)))
        return number, self._set_of(taken) if number else ()

    def mark_answer(self, value: Any) -> Mark:
        """Mark an answer by what its values share with equal ones."""
        if value is None:
            return PASSED
        if not self.pick.many:
            return (self.alike[self.values.index(value)],)
        alike = dict(zip(self.values, self.alike, strict=True))
        numbers = [alike[member] for member in value]
        return tuple(numbers if self.pick.ordered else sorted(numbers, key=repr))

    # ── for people ──

    def make_options(self) -> tuple[Option, ...]:
        """Make the options, equal cards merged, and `pass` last where it may be."""
        groups = self._group_equal()
        firsts = [indexes[0] for indexes in groups.values()]
        options = [
            Option(one_key, label, len(indexes), tuple(self.values[index] for index in indexes))
            for one_key, label, indexes in zip(
                self._make_keys(firsts), self._make_labels(firsts), groups.values(), strict=True
            )
        ]
        if self.may_pass:
            options.append(Option(PASS, "Pass" if self.may else NOTHING_FITS))
        return tuple(options)

    def key_of(self, value: Any) -> str:
        """Return the key of the option that a value belongs to."""
        groups = self._group_equal()
        keys = self._make_keys([indexes[0] for indexes in groups.values()])
        return keys[list(groups).index(self.alike[self.values.index(value)])]

    def _group_equal(self) -> dict[Any, list[int]]:
        """Group the indexes of equal values, by what they share."""
        groups: dict[Any, list[int]] = {}
        for index, like in enumerate(self.alike):
            groups.setdefault(like, []).append(index)
        return groups

    def _make_labels(self, indexes: Sequence[int]) -> list[str]:
        """Make the words for each option; copies that are called the same are told apart by what is seen on them."""
        labels = [self._make_label(index) for index in indexes]
        if not self.run.program.changing or len({*labels}) == len(labels):
            return labels
        alike: dict[str, list[int]] = {}
        for at, (label, index) in enumerate(zip(labels, indexes, strict=True)):
            if self._is_card(index) and not self._is_hidden(index):
                alike.setdefault(label, []).append(at)
        for label, group in alike.items():
            for at, detail in zip(group, self._tell_apart([self.values[indexes[at]] for at in group]), strict=True):
                labels[at] = f"{label} ({detail})" if detail else label
        return labels

    def _tell_apart(self, cards: Sequence[int]) -> Iterator[str]:
        """Word the states in which these cards differ, of each: `face 5`. A mark that is not there needs no word."""
        run = self.run
        looks = run.program.looks
        slots = [
            (slot, run.state[slot.slot])
            for slot in run.program.changing
            if slot.name not in looks.hidden and len({run.state[slot.slot][card] for card in cards}) > 1
        ]
        for card in cards:
            yield ", ".join(
                looks.word_state(slot.name, values[card], self._word_seen(values[card], slot.sort))
                for slot, values in slots
                if values[card] != slot.find_expected(card, shown=True)
            )

    def _make_label(self, index: int) -> str:
        if self._is_hidden(index):
            return self._name_hidden(index)
        return label_of(self.run, self.env, self.sources[index], self.values[index])

    def _is_hidden(self, index: int) -> bool:
        return bool(self.alike[index][0] == "hidden")

    def _make_keys(self, indexes: Sequence[int]) -> list[str]:
        """Make a key for each option; where plain ones are the same, states, place and position tell them apart."""
        keys = [self._make_key(index) for index in indexes]
        for detail in (self._describe_states, self._name_spot):
            doubled = {key for key, times in Counter(keys).items() if times > 1}
            if not doubled:
                return keys
            pairs = zip(keys, indexes, strict=True)
            keys = [key + detail(i) if key in doubled and self._is_card(i) else key for key, i in pairs]
        before = Counter[str]()
        numbered = []
        for key in keys:
            before[key] += 1
            numbered.append(key if before[key] == 1 else f"{key}#{before[key]}")
        return numbered

    def _make_key(self, index: int) -> str:
        run, source, value = self.run, self.sources[index], self.values[index]
        if self._is_hidden(index):
            return f"card:?{self._name_spot(index)}"
        if source.sort == "label":
            return f"label:{label_of(run, self.env, source, value)}"
        return make_key(run.program, run.names, value, source.sort)

    def _is_card(self, index: int) -> bool:
        return self._holds_card(self.sources[index], self.values[index])

    def _holds_card(self, source: Source, value: Any) -> bool:
        return source.sort in ("card", "object") and bool(value < self.run.program.cards)

    def _describe_states(self, index: int) -> str:
        """Describe the states of a card that are faces or not as they began: `[face=5,exposed=yes]`."""
        run, value = self.run, self.values[index]
        changed = [
            f"{slot.name}={self._word_seen(run.state[slot.slot][value], slot.sort)}"
            for slot in run.program.changing
            if run.state[slot.slot][value] != slot.find_expected(value, shown=True)
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

    def _name_hidden(self, index: int) -> str:
        """Name a card that the chooser does not know by where it lies, and by what all see on it: `card 2, told colour
        Red`.
        """
        run, card = self.run, self.values[index]
        place = run.layout.places[run.state[WHERE][card]]
        where = f"card {position(run.state, place, card) + 1}" if place.kept == "row" else "a card"
        seen = [slot for slot in run.layout.states.values() if not slot.with_face]
        values = ((slot, run.state[slot.slot][card]) for slot in seen)
        words = [
            run.program.looks.word_state(slot.name, value, self._word_seen(value, slot.sort))
            for slot, value in values
            if value != slot.find_expected(card, shown=False)
        ]
        return ", ".join([where, *words])

    def _word_seen(self, value: Any, sort: str) -> str:
        """Word a value that is kept on a card for who is asked: cards that they do not know are `?`."""
        run = self.run
        if value is None or not is_of_cards(sort):
            return word_value(run.program, run.names, value, sort)
        members = value if isinstance(value, tuple) else (value,)
        known = [
            card is None or card >= run.program.cards or recognises(run.program, run.state, self.seat, card)
            for card in members
        ]
        if all(known):
            return word_value(run.program, run.names, value, sort)
        words = (
            word_value(run.program, run.names, card, "object") if is_known else UNKNOWN
            for card, is_known in zip(members, known, strict=True)
        )
        return join_texts(sorted(words))

    # ── reading answers ──

    def read_answer(self, keys: Sequence[str]) -> Any:
        """Read the value that keys mean: one, a tuple where the pick is of several, nothing for a pass."""
        if list(keys) == [PASS] and self.may_pass:
            return None
        if not self.pick.many and len(keys) != 1:
            raise Refused(f"One answer is wanted, not {len(keys)}.")
        if not self.least <= len(keys) <= self.most:
            wanted = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
            raise Refused(f"{wanted} answers are wanted, not {len(keys)}.")
        left = {option.key: list(option.values) for option in self.make_options() if option.key != PASS}
        chosen = []
        for key in keys:
            if key not in left:
                lines = next((why for _, why in self.barred(key)), ())
                raise Refused(f"`{key}` is not among the options. {not_met(lines)}".rstrip())
            if not left[key]:
                raise Refused(f"`{key}` cannot be chosen that often.")
            chosen.append(left[key].pop(0))
        values = self._restore_order(tuple(chosen))
        if not self.allows(values):
            raise Refused(f"{NOT_ALLOWED} {not_met(self._find_unmet(values))}".rstrip())
        return values if self.pick.many else values[0]

    def barred(self, key: str | None = None) -> list[Barred]:
        """List what a `where` or a question keeps out of the options, with the conditions that are not met, as far as
        this seat knows them; with a key, only what has that one.
        """
        options: dict[str, Barred] = {}
        for source in self.pick.sources:
            if source.everything is None or source.reasons is None:
                continue
            everything = self.run.run_piece(source.everything, self.env)
            for value in (*everything, *(self._find_beside() if source.is_asked else ())):
                if value is None or value in self.values or self._is_unknown(source, value):
                    continue
                name = make_key(self.run.program, self.run.names, value, source.sort)
                if name in options or key not in (None, name):
                    continue
                lines = self._not_met(source, value)
                if lines:
                    options[name] = Option(name, label_of(self.run, self.env, source, value)), lines
        return list(options.values())

    def _find_beside(self) -> Iterator[int]:
        """Find the cards of the grids on which options lie."""
        run = self.run
        for ordinal in dict.fromkeys(run.state[WHERE][value] for value in self.values if value < run.program.cards):
            if run.layout.places[ordinal].kept == "grid":
                yield from cards_in(run.layout, run.state, run.layout.places[ordinal])

    def _is_unknown(self, source: Source, value: Any) -> bool:
        """Tell whether it is a card that this seat may not recognise."""
        return self._holds_card(source, value) and not self.is_told(value, source)

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
        """Put a set into the order of the list it was chosen from, whatever the order in which it was named."""
        return values if self.pick.ordered else tuple(sorted(values, key=self.values.index))

    def _first_copies(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return sets.first_copies(self.values, self.alike, values)

    def random(self, below: Callable[[int], int], fits: Callable[[Any], bool] | None = None) -> Any:
        """Draw one of all legal answers (of those that fit, if that is asked: UNFIT if none does), each as likely as
        any other; equal values count one by one, to pass as one.

        Where 64 sets at random are not allowed, one of those among the first `sets.MOST_TRIED` that are; of more sets
        one of all, if what sets can come to tells. If nothing is found and nobody knows better, nothing fits.
        """
        may_pass = self.may
        allows: Callable[[Picks], bool] = self.allows
        if fits is not None:
            may_pass = may_pass and fits(None)
            allows = partial(self._allows_fitting, fits)
        if not self.pick.many:
            values = self.values if fits is None else [*filter(fits, self.values)]
            if not values and not may_pass:
                return UNFIT
            index = below(len(values) + may_pass)
            return None if index == len(values) else self._first_copies((values[index],))[0]
        if self.pick.folds is None and self.pick.so_that is not None:
            allows = self._allows_in_order(allows)  # it may hang on the order
        with self.run.searching():
            chosen = sets.random_one(self.values, self.least, self.most, may_pass, allows, below)
        if chosen is sets.PASSED:
            return None
        if chosen is not None:
            return self._restore_order(self._first_copies(chosen))
        legal, ran_out = self._search(None, fits)
        if ran_out and fits is None and not self.pick.ordered and self._totals is not None:
            with self.run.searching():
                taken = self._totals.draw(lambda taken: self.allows(self._set_of(taken)), may_pass, below)
            return None if taken is None else self._set_of(taken)
        if not legal and not may_pass:
            return None if self.is_undecided and (fits is None or fits(None)) else UNFIT
        ways = [self.count_ways(answer) for answer in legal]
        at = below(sum(ways) + may_pass)
        for answer, number in zip(legal, ways, strict=True):
            if at < number:
                return answer
            at -= number
        return None

    def _allows_in_order(self, allows: Callable[[Picks], bool]) -> Callable[[Picks], bool]:
        return lambda chosen: allows(self._restore_order(self._first_copies(chosen)))

    def _allows_fitting(self, fits: Callable[[Any], bool], chosen: Picks) -> bool:
        return fits(chosen) and self.allows(chosen)

    def count_ways(self, value: Any) -> int:
        """Count the ways in which an answer can be given if equal values are told apart, and its order is not."""
        if value is None or self.pick.ordered:
            return 1
        return sets.count_ways(self.values, self.alike, value if self.pick.many else (value,))


def _unite(numbers: Sequence[int]) -> int:
    """Write members as bits of one number."""
    return reduce(lambda bits, number: bits | 1 << number, numbers, 0)


def _find_same(numbers: Sequence[int]) -> Total:
    """Return the number of the only member; None if there is none."""
    return None if not numbers else numbers[0] if len(set(numbers)) == 1 else MIXED


def label_of(run: Run, env: Env, source: Source, value: Any) -> str:
    """Return the words for a value of a list; for a line of a menu, its label."""
    if source.labels:
        return str(run.run_piece(source.labels[value], env))
    return word_value(run.program, run.names, value, source.sort)


# ── a seat's way through a decision ──────────────────────────────────────────────────────────────


def find_choices(run: Run, choice: Choice, seat: int, picks: Picks, *, each: bool = False) -> Choices | None:
    """Find the choices of the next pick of a seat, `each` of those too that are alike; None if there are none."""
    pick = choice.picks[len(picks)]
    env = run.env.copy()
    if choice.decider is not None:
        env[choice.decider] = seat
    for earlier, value in zip(choice.picks, picks, strict=False):
        env[earlier.slot] = value
    taken: set[Any] = set()
    for earlier, value in zip(choice.picks, picks, strict=False):
        if earlier.line == pick.line:
            taken |= {*value} if isinstance(value, tuple) else {value}
    sources: dict[Any, Source] = {}
    for source in pick.sources:
        for value in run.run_piece(source.list, env):
            # Nothing is no option.
            if value is not None and value not in taken:
                sources.setdefault(value, source)
    if len(sources) > MOST_LISTED:
        raise RuleError(f"There are more than {MOST_LISTED:,} things to choose from.")
    if any(slot.has_changed(run.state[slot.slot]) for slot in run.program.changing):
        sources = _sort_openly(run, sources)
    result = Choices(run, pick, seat, env, sources, choice.may and not picks)
    if not pick.many:
        if pick.so_that is not None:
            allowed = {value: source for value, source in sources.items() if result.allows((value,))}
            result = Choices(run, pick, seat, env, allowed, result.may)
        if run.layout.has_supplies and not each:
            result = Choices(run, pick, seat, env, _offer_once(result), result.may)
        return result if result.values else None
    if not result.values and (result.may or run.run_piece(pick.least, env) > 0):
        return None  # nothing to choose: who may pass is not asked for that
    if pick.so_that is not None and run.state[PENDING] is not None and len(result.values) >= _MANY:
        if len(run.program.searched) >= _MOST_REMEMBERED:
            run.program.searched.clear()
        result.searched = run.program.searched.setdefault((id(pick), seat, picks, tuple(run.state)), Searched())
    return result if result.is_open else None


def may_choose(run: Run, choice: Choice, seat: int, value: Any) -> bool:
    """Tell whether somebody who has chosen this by the first pick may choose it still."""
    choices = _find_of_each(run, choice, seat)
    if choices is None:
        return False
    chosen = value if choices.pick.many else (value,)
    if not choices.least <= len(chosen) <= choices.most or not set(chosen) <= set(choices.values):
        return False
    return not choices.pick.many or choices.allows(chosen)


def share_out(run: Run, choice: Choice, answers: Sequence[Any], several: Sequence[int]) -> tuple[Any, ...]:
    """Give to those who have chosen the same by the first pick others that are like it, as far as there are any, in the
    order of a list.
    """
    given: list[Any] = [None] * len(answers)
    taken = set[Any]()
    for seat in several:
        value = answers[seat]
        choices = None if value is None else _find_of_each(run, choice, seat)
        if choices is None:
            continue
        own: list[Any] = []
        for chosen in value if choices.pick.many else (value,):
            own.append(_find_free_like(choices, chosen, taken.union(own)))
        taken.update(own)
        given[seat] = tuple(own) if choices.pick.many else own[0]
    return tuple(given)


def _find_of_each(run: Run, choice: Choice, seat: int) -> Choices | None:
    try:
        return find_choices(run, choice, seat, (), each=True)
    except NotThere:
        return None


def _find_free_like(choices: Choices, value: Any, taken: Collection[Any]) -> Any:
    """Find a value, or one that is like it, which nobody has taken; the value itself, if there is none."""
    index = choices.values.index(value)
    like = choices.alike[index]
    behind = (*range(index, len(choices.values)), *range(index))
    free = (choices.values[at] for at in behind if choices.alike[at] == like and choices.values[at] not in taken)
    return next(free, value)


def _offer_once(choices: Choices) -> dict[Any, Source]:
    """Leave of cards that are alike the first, where they lie in a place that offers these once."""
    run, offered, met = choices.run, dict[Any, Source](), set[Any]()
    for value, source, like in zip(choices.values, choices.sources, choices.alike, strict=True):
        is_card = source.sort in ("card", "object") and value < run.program.cards
        if not (is_card and run.layout.places[run.state[WHERE][value]].alike_once and like in met):
            offered[value] = source
        met.add(like)
    return offered


def _sort_openly(run: Run, sources: dict[Any, Source]) -> dict[Any, Source]:
    """Sort cards of unordered places by what they are: the order in which they are stored would show their numbers."""
    places, where, program = run.layout.places, run.state[WHERE], run.program
    values = list(sources)
    loose = [
        index
        for index, value in enumerate(values)
        if sources[value].sort in ("card", "object") and value < program.cards and not places[where[value]].ordered
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
    return {value: sources[value] for value in values}


def sortable(value: Any) -> tuple[Any, ...]:
    """Make a key for an order that only serves to have one: nothing, numbers, words, lists."""
    if value is None:
        return (0,)
    if isinstance(value, tuple):
        return 3, [sortable(member) for member in value]
    return (2, value) if isinstance(value, str) else (1, value)


def settle_picks(run: Run, choice: Choice, seat: int, picks: Picks) -> tuple[Picks, bool]:
    """Make every next pick that has only one answer; return what was picked then, and whether that was all.

    An exhaustive run makes none: there every pick that has an answer at all is asked.
    """
    while len(picks) < len(choice.picks):
        choices = find_choices(run, choice, seat, picks)
        if choices is None:
            return picks, True
        if run.exhaustive:
            return picks, False
        forced, value = choices.find_only_answer()
        if not forced:
            return picks, False
        picks = (*picks, value)
    return picks, True


def make_ask(run: Run, choice: Choice, entry: Entry) -> Ask:
    """Word a seat's part of a decision: the question, and its options with their keys."""
    seat, number, picks, _ = entry
    choices = find_choices(run, choice, seat, picks)
    assert choices is not None, "a seat that is asked has something to choose"
    prompt = "" if choice.prompt is None else str(run.run_piece(choice.prompt, choices.env))
    return Ask(
        seat,
        number,
        prompt,
        choices.make_options(),
        choices.least,
        choices.most if choices.pick.many else 1,
        choices.pick.ordered,
        tuple(key for keys in picked_keys(run, choice, seat, picks) for key in keys),
        choice.quiet or choice.veiled,
        choices.pick.name,
    )


def picked_keys(run: Run, choice: Choice, seat: int, picks: Picks) -> Iterator[list[str]]:
    """Yield the keys of what a seat has picked, pick by pick, as it was offered them."""
    for number, value in enumerate(picks):
        choices = find_choices(run, choice, seat, picks[:number])
        assert choices is not None, "what was picked was among the choices"
        yield [choices.key_of(member) for member in (value if choices.pick.many else (value,))]
