"""A game made ready to run: its scripts as flat code, its questions as formulas, and its tables.

In: lowering builds a `Program` for one game and so many players. Out: the machine runs it; the views and every report
read its tables. Never: changes; knows where a rule stood in a file, except as an opaque `at` to show in messages; knows
the language's own trees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from attrs import field, fields, frozen

from rulebook.interpreter.layout import PENDING, STACK, Layout, MemorySlot, StateSlot
from rulebook.interpreter.ops import Choose, Env, Formula, Op

# ── scripts, questions, the whole ────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class StageCode:
    """A stage as it stands in a script: `exit` is where the script goes on when the stage ends."""

    name: str
    title: Formula | None
    until: Formula | None
    exit: int


@frozen(eq=False)
class Code:
    """A script. `stages` tells for each op which stages it stands in, outermost first, by index into `stage_table`.

    Locals are the parameters, then what the script names, then hidden ones (`size` in all). `card_slots` are the locals
    in which numbers are cards (also inside lists and answers per player); `scratch` are those that only formulas use,
    which are empty between two ops. `ats` is, for each op, where its sentence stands; `begins` is, by the identity of
    each sentence, the op with which it begins to look at piles, and the op with which it itself begins.
    """

    name: str
    parameters: int
    size: int
    hook: bool
    ops: tuple[Op, ...]
    stages: tuple[tuple[int, ...], ...]
    stage_table: tuple[StageCode, ...]
    names: tuple[str, ...]
    card_slots: tuple[int, ...]
    scratch: tuple[int, ...]
    ats: tuple[Any, ...]
    begins: dict[int, tuple[int, int]]


class LateCode(Code):
    """A script that is lowered when somebody first looks at it: most games are begun to see a few of theirs."""

    __slots__ = ("_lowered",)

    def __init__(self, lowered: Callable[[], Code]) -> None:
        object.__setattr__(self, "_lowered", lowered)

    def __getattr__(self, name: str) -> Any:
        # Python asks here only for what is not there, so of a script that was looked at nobody asks again.
        names = [one.name for one in fields(Code)]
        if name not in names:
            raise AttributeError(name)
        code = self._lowered()
        for one in names:
            object.__setattr__(self, one, getattr(code, one))
        return getattr(code, name)


@frozen(eq=False)
class Question:
    """A pure function with a name: `answer` takes the arguments.

    `lines` are its named conditions or sums, if it has any; each reads the locals that `begin` makes of the arguments.
    """

    name: str
    parameters: int
    size: int
    answer: Callable[[Any, tuple[Any, ...]], Any]
    lines: tuple[tuple[str, Formula], ...] = ()

    def begin(self, arguments: tuple[Any, ...]) -> Env:
        """The locals with which a line is read."""
        return [*arguments, *([None] * (self.size - len(arguments)))]


@frozen(eq=False)
class RankKey:
    """One key of the standings: the most, or the least, of a number about a player (local 0)."""

    most: bool
    value: Formula


@frozen(eq=False)
class Measure:
    """A number for statistics: of the game, or of `each` player (local 0). `size` is how many locals it needs."""

    name: str
    each: bool
    value: Formula
    size: int
    sort: str


@frozen(eq=False)
class Lasting:
    """What returns to its start when a stage is left."""

    memories: tuple[MemorySlot, ...]
    states: tuple[StateSlot, ...]


@frozen
class Looks:
    """How a table is to be shown: the aim of the game in words, what places, memories and states are called, which come
    first, by which attributes the cards of a kind are sorted, what is not shown, and in which colour cards stand: of
    some kinds, or on which a word is printed; the first that fits.
    """

    aim: str = ""
    titles: dict[str, str] = field(factory=dict)
    order: tuple[str, ...] = ()
    sort: dict[str, tuple[str, ...]] = field(factory=dict)
    hidden: frozenset[str] = frozenset()
    colours: tuple[tuple[frozenset[str], str], ...] = ()

    def called(self, name: str) -> str:
        """The name of a place, a memory or a state as people read it."""
        return self.titles.get(name) or name.replace("_", " ")

    def sorted_by(self, kind: str) -> tuple[str, ...]:
        """The attributes by which the cards of a kind are sorted."""
        return self.sort.get(kind, ())

    def place_of(self, name: str) -> int:
        """Which comes first; what is not in the order comes last."""
        return self.order.index(name) if name in self.order else len(self.order)


@frozen(eq=False)
class Program:
    """One rulebook, for a number of players and settled options.

    Objects are cards, then actions: `names`, `attributes` and `hooks` are by object, the first two of `codes` and
    `questions` by index. `definition` and `kind` are by card; `likeness` says which cards have the same definition by a
    number. `words` maps an enumeration to its words as people read them.
    """

    id: str
    name: str
    players: int
    options: dict[str, Any]
    layout: Layout
    codes: tuple[Code, ...]
    root: int
    questions: dict[str, Question]
    hooks: dict[str, tuple[int | None, ...]]
    asks: dict[str, tuple[Question | None, ...]]
    cards: int
    definition: tuple[str, ...]
    likeness: tuple[int, ...]
    kind: tuple[str, ...]
    definitions: dict[str, str]
    """The id of each definition, in order, and the name people read."""
    actions: tuple[str, ...]
    names: tuple[str, ...]
    attributes: dict[str, tuple[Any, ...]]
    changing: tuple[StateSlot, ...]
    singular: frozenset[int]
    """The cards that own places, come with others or bring others: no two of them are equal."""
    words: dict[str, dict[str, str]]
    units: dict[str, int]
    stages: tuple[str, ...]
    lasting: dict[str, Lasting]
    rank: tuple[RankKey, ...]
    payoff: Formula | None
    result_size: int
    lowering: Any = field(repr=False, default=None)
    zero_sum: Any = None
    """Where the payoff stands that is meant to add up to nothing over all players; None if none is."""
    measures: tuple[Measure, ...] = ()
    score_sort: str = "number"
    """What sort of value the standings are counted in."""
    looks: Looks = field(factory=Looks)

    def choice_at(self, state: Sequence[Any]) -> Choose | None:
        """The choice at which a state waits for an answer, if it does."""
        if state[STACK] is None or state[PENDING] is None or state[PENDING][0] != "ask":
            return None
        code, pc, *_ = state[STACK]
        op = self.codes[code].ops[pc]
        return op if isinstance(op, Choose) else None

    @cached_property
    def rules_hash(self) -> str:
        """The same for rules that play the same, with the same options; hashed when somebody asks."""
        return str(self.lowering.rules_hash())
