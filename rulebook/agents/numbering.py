"""A number for every answer that may ever be given in a game, the same in every play of the same rules.

In: a program, a state. Out: `Actions` (all numbers, with names) and, of a seat that is asked, those that are legal now.

A number means one thing wherever it is chosen: a player, a card by what it is, a position of a grid, a line of a menu,
a word. Of equal things that are not one option, the second has a number of its own, `card:coin#2`. Several things are
taken one after the other, a set in the order of their numbers, and `done` ends it where more might be taken. Never:
anything by which a seat could tell two states apart that look the same to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice
from typing import Any

from rulebook.interpreter.choosing import Choices, TooManySets
from rulebook.interpreter.decisions import PASS
from rulebook.interpreter.layout import COUNTS, WHERE
from rulebook.interpreter.ops import lists
from rulebook.interpreter.program import Code, Pick, Program, Source
from rulebook.interpreter.random import Source as Numbers
from rulebook.interpreter.state import position
from rulebook.interpreter.wording import cell_key, make_key, place_key

__all__ = ["DONE", "ROOM", "Actions", "CannotNumber", "Offer"]

ROOM = 64
"""The default room for numbers, and for places in lists, that no rule fixes."""
DONE = "done"
"""The name of the action that ends a set."""
_CARDS = ("card", "object")
_BY_KEY = ("number", "player", "cell", "place", "label", "card", "object", "action")
"""Sorts of which a number means the value, whatever else is offered."""
_MOST_SETS, _DRAWN = 1024, 64
"""The most sets that are tried; the number of legal ones that are drawn where there are more."""
_STREAM = "answers"

Taken = tuple[int, ...]
"""The actions by which a part of a set was taken."""


class CannotNumber(ValueError):
    """An answer that has no number; the sentence says what to do."""


class Actions:
    """All actions of a program, by number. `names` say what each is; `questions` are all that may be asked."""

    def __init__(self, program: Program, seats: Sequence[str], room: int = ROOM) -> None:
        self.program, self.seats, self.room = program, tuple(seats), room
        choices = [
            (code, step["choice"]) for code in program.codes for step in code.steps if "choice" in step.op.operands
        ]
        picks = dict.fromkeys(pick for _, choice in choices for pick in choice.picks)
        self.questions: Mapping[Pick, int] = {pick: number for number, pick in enumerate(picks)}
        self.takes_several = any(pick.many for pick in picks) or any(len(choice.picks) > 1 for _, choice in choices)
        self._fixed: dict[Source, bool] = {}
        is_of_sets = any(pick.many for pick in picks)
        ends = {PASS: is_of_sets or any(choice.may for _, choice in choices), DONE: is_of_sets}
        sizes = Counter({end: 1 for end, is_there in ends.items() if is_there})
        for code, choice in choices:
            for pick in choice.picks:
                for base, size in self._list_bases(code, pick).items():
                    sizes[base] = max(sizes[base], size)
        firsts = accumulate(sizes.values(), initial=0)
        self._bases = {base: (first, size) for (base, size), first in zip(sizes.items(), firsts, strict=False)}
        self.names: tuple[str, ...] = tuple(
            base if number == 0 else f"{base}#{number + 1}" for base, size in sizes.items() for number in range(size)
        )

    def __len__(self) -> int:
        return len(self.names)

    def _list_bases(self, code: Code, pick: Pick) -> Counter[str]:
        """List the names that a question may need, each with how often at once."""
        bases = Counter[str]()
        for source in pick.sources:
            if source.sort == "label":
                bases += Counter(f"label:{words}" for words in source.written)
                continue
            own = Counter(dict.fromkeys(self._name_sort(code, source), 1))
            if source.sort in _CARDS:
                own += Counter(f"card:{id}" for id in self.program.definition)
                own["card:?"] = self.program.cards
            elif not self._fixed[source] and source.sort not in _BY_KEY:
                own[source.sort] = self.room
            bases |= own
        return bases

    def _name_sort(self, code: Code, source: Source) -> Iterator[str]:
        """Yield the names of all values of a list, as far as they are told apart by what they are."""
        program, sort = self.program, source.sort
        places = program.layout.places
        fixed = _find_constants(code, source)
        self._fixed[source] = fixed is not None or sort == "yes_no" or sort.startswith("word ")
        if fixed is not None:
            yield from (make_key(program, self.seats, value, sort) for value in fixed)
        elif sort == "player":
            yield from (f"player:{name}" for name in self.seats)
        elif sort == "place":
            yield from (f"place:{place_key(program, self.seats, place)}" for place in places)
        elif sort == "yes_no":
            yield from ("word:no", "word:yes")
        elif sort.startswith("word "):
            yield from (f"word:{word}" for word in program.words[sort.removeprefix("word ")])
        elif sort == "number":
            most = _find_most(code, source)
            yield from (f"number:{number}" for number in range(self.room if most is None else most + 1))
        if sort in ("action", "object"):
            yield from (f"action:{action}" for action in program.actions)
        if sort in (*_CARDS, "cell"):
            grids = [place for place in places if place.kept == "grid"]
            cells = ((place.ordinal, at) for place in grids for at in range(place.rows * place.columns))
            yield from (f"cell:{cell_key(program, self.seats, cell)}" for cell in cells)

    def offer(self, choices: Choices, taken: Taken = ()) -> Offer:
        """Return the legal actions of a seat, of which it has taken these of a set. Raises CannotNumber."""
        return Offer(self, choices, taken)

    def number_options(self, choices: Choices) -> dict[int, list[Any]]:
        """Map the action of each option to its values. Raises CannotNumber."""
        groups: dict[Any, list[int]] = {}
        for index, like in enumerate(choices.alike):
            groups.setdefault(like, []).append(index)
        before, numbered = Counter[str](), dict[int, list[Any]]()
        for indexes in groups.values():
            base = self._name_option(choices, indexes[0])
            first, size = self._bases.get(base, (0, 0))
            if before[base] >= size:
                raise CannotNumber(
                    f"`{choices.pick.name or base}` may be answered with `{base}`"
                    + (f" in more than {size} ways" if size else "")
                    + f", for which there is no number: there is room for {self.room} of what is neither "
                    "written out nor bounded by the type of a memory. Open the game with a larger `room`."
                )
            numbered[first + before[base]] = [choices.values[index] for index in indexes]
            before[base] += 1
        return numbered

    def _name_option(self, choices: Choices, index: int) -> str:
        source, value, run = choices.sources[index], choices.values[index], choices.run
        if source.sort in _CARDS and value < self.program.cards:
            place = self.program.layout.places[run.state[WHERE][value]]
            if place.kept == "grid":
                cell = place.ordinal, position(run.state, place, value)
                return f"cell:{cell_key(self.program, self.seats, cell)}"
            return f"card:{self.program.definition[value]}" if choices.is_told(value, source) else "card:?"
        if source.sort == "label":
            return f"label:{source.written[value]}"
        if source.sort in _BY_KEY or self._fixed.get(source):
            return make_key(self.program, self.seats, value, source.sort)
        return source.sort


class Offer:
    """The next actions of a seat: `legal` maps each to what has been taken of a set behind it, and to the value
    that is answered (the machine's own), if that ends the question.
    """

    def __init__(self, actions: Actions, choices: Choices, taken: Taken) -> None:
        self.actions, self.choices = actions, choices
        self.values = actions.number_options(choices)
        self.legal: dict[int, tuple[Taken, bool, Any]] = {}
        if not choices.pick.many:
            self.legal = {action: ((), True, values[0]) for action, values in self.values.items()}
        else:
            ends, goes_on = self._find_next(taken)
            for action in goes_on:
                further = (*taken, action)
                is_whole = not self._find_next(further)[1]
                self.legal[action] = further, is_whole, self._make_set(further) if is_whole else None
            if ends:
                self.legal[actions.names.index(DONE)] = taken, True, self._make_set(taken)
        if choices.may_pass and not taken:
            self.legal[actions.names.index(PASS)] = (), True, None
        self.legal = dict(sorted(self.legal.items()))

    def _find_next(self, taken: Taken) -> tuple[bool, list[int]]:
        """Tell whether what is taken is a legal set, and find the actions by which it goes on to one."""
        choices, size = self.choices, len(taken)
        if choices.pick.so_that is not None:
            longer = {legal[size] for legal in self._sets if len(legal) > size and legal[:size] == taken}
            return taken in self._sets, sorted(longer)
        left = {action: len(values) - taken.count(action) for action, values in self.values.items()}
        ends = choices.least <= size <= choices.most
        if size >= choices.most:
            return ends, []
        if choices.pick.ordered:
            return ends, [action for action, count in left.items() if count]
        ahead = {action: count for action, count in left.items() if count and action >= (taken or (0,))[-1]}
        wanted = choices.least - size
        return ends, [one for one in ahead if sum(ahead[other] for other in ahead if other >= one) >= wanted]

    @cached_property
    def _sets(self) -> frozenset[Taken]:
        """The legal sets, or some of them where there are very many, as the actions that take them."""
        choices = self.choices
        action_of = {value: action for action, values in self.values.items() for value in values}
        try:
            sets = [*islice(choices.find_answers(_MOST_SETS), _MOST_SETS)]
        except TooManySets:
            # The seed is what the seat knows: how often it was asked.
            below = Numbers(choices.run.state[COUNTS][choices.seat], _STREAM).below
            sets = [choices.random(below) for _ in range(_DRAWN)]
        taken = ([action_of[value] for value in chosen] for chosen in sets if chosen is not None)
        return frozenset(tuple(one if choices.pick.ordered else sorted(one)) for one in taken)

    def _make_set(self, taken: Taken) -> tuple[Any, ...]:
        before, values = Counter[int](), list[Any]()
        for action in taken:
            values.append(self.values[action][before[action]])
            before[action] += 1
        return tuple(values if self.choices.pick.ordered else sorted(values, key=self.choices.values.index))


def _find_constants(code: Code, source: Source) -> tuple[Any, ...] | None:
    """Find the values of a list that is written out in the rules; None if it is worked out."""
    entry = source.list if source.everything is None else source.everything
    step, first = code.steps[entry], code.size + code.width
    if step.op.name != "answer" or step.operands[0] < first:
        return None
    value = code.constants[step.operands[0] - first]
    return value if isinstance(value, tuple) else None


def _find_most(code: Code, source: Source) -> int | None:
    """Find the highest number of a list that ends with what a memory holds, if its type says how much that may be."""
    ends = dict[int, int]()
    for step in code.steps[source.list if source.everything is None else source.everything :]:
        if step.op.name in ("read_memory", "read_player_memory"):
            memory = step["memory"]
            ends.pop(step["to"], None)
            if memory.sort == "number" and memory.values:
                ends[step["to"]] = max(value for value in memory.values if value is not None)
        elif step.op.do is not lists.count_up:
            return None
        else:
            return ends.get(step["last"])
    return None
