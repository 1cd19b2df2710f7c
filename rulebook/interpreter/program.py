"""A game made ready to run: its scripts and questions as flat code, and its tables.

Where a rule stood in a file is known only as an opaque `at`, to be shown in messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from attrs import define, evolve, field, fields

from rulebook.classes import frozen
from rulebook.interpreter.layout import PENDING, STACK, Layout, MemorySlot, StateSlot
from rulebook.interpreter.op_table import Entry, Env, Step
from rulebook.seats import is_of_a_seat, name_seats

# ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False, kw_only=True)
class Source:
    """A list to choose from, which begins at the entry `list`. `sort` says what its values are and makes the keys; of
    a menu, `labels` are the entries of their names, by number, and `written` their words in the rules.

    `shown`: who chooses is told what they know of its cards, whether or not the place where they lie recalls.

    Of a list with a `where`, `everything` is the list before it, `slot` the local in which its condition finds the
    thing to test; `reasons` then says to a seat which conditions are not met. `is_asked`: the list is the answer of a
    question, as in `choose c from around(corner)`; then reasons are given for other cards of these grids, too.
    """

    list: Entry
    sort: str
    shown: bool = False
    labels: tuple[Entry, ...] = ()
    written: tuple[str, ...] = ()
    everything: Entry | None = None
    is_asked: bool = False
    slot: int = -1
    reasons: Callable[[Any, Env, int], tuple[str, ...]] | None = None


@frozen(eq=False, kw_only=True)
class Pick:
    """One name to choose: see `choosing` for how many of what; `reasons` say to a seat why `so_that` does not hold.

    `folds` are all that `so_that` asks a set for, each with how it is put together and the entry of what it is for the
    set in the slot; None if that may be more (`lowering/folds`). Names of one `line` of a block are different things.
    `always`: it is asked for though there is only one answer; a button is such a menu of one label.
    """

    slot: int
    name: str
    many: bool
    least: Entry
    most: Entry | None
    ordered: bool
    sources: tuple[Source, ...]
    so_that: Entry | None
    reasons: Callable[[Any, Env, int], tuple[str, ...]] | None = None
    folds: tuple[tuple[str, Entry], ...] | None = None
    line: int = 0
    always: bool = False

    @property
    def is_button(self) -> bool:
        """True of a menu of one label that is always there: somebody presses it."""
        return self.always and len(self.sources) == 1 and len(self.sources[0].labels or ()) == 1

    @property
    def holds_cards(self) -> bool:
        """True if what is picked are card numbers (or lists of them)."""
        return any(source.sort in ("card", "object", "list of card") for source in self.sources)


@frozen(eq=False, kw_only=True)
class Choice:
    """One decision, of one player, or of several at once if it is `sealed`: `deciders` is the entry of a seat, or of
    several.

    `decider` is the local in which each finds itself while the options are read. Afterwards the picks' locals hold the
    values, or a tuple of them by seat if `sealed`. `told` says who learns what was chosen: "everyone", "chooser"
    (`secretly`), or "later" (an offer, whose takers are announced when their turn comes).

    While it is open the others may not learn who is asked if it is `quiet` or `veiled`; once it is closed they learn
    the answer if it was only `veiled`, but nothing of who had none to give.
    """

    deciders: Entry
    sealed: bool
    decider: int | None
    may: bool
    told: str
    quiet: bool
    veiled: bool
    prompt: Entry | None
    picks: tuple[Pick, ...]
    asked: str = ""
    """The question in words; see `lowering/prompts`."""


@frozen(eq=False, kw_only=True)
class Window:
    """The options of an `offer together`: for each the entry of its condition and of its label. Of a `quiet` one nobody
    hears anything.
    """

    conditions: tuple[Entry | None, ...]
    labels: tuple[Entry, ...]
    quiet: bool


@frozen(eq=False)
class Kept:
    """The answers of an expression that were found out, by what it hangs on, each with the contents that the `slots` of
    a state had then and with how much was looked at. `reads` are the names of these slots, with their kinds.
    """

    reads: tuple[tuple[str, str], ...]
    slots: tuple[int, ...]
    answers: dict[Any, tuple[tuple[Any, ...], Any, int]] = field(init=False, factory=dict, repr=False)


# ── scripts, questions, the whole ────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class StageCode:
    """A stage as it stands in a script: `exit` is where the script goes on when the stage ends.

    Of one that may stand within another of its name, `kept` are the locals for what lasts as long as that: for each
    memory its values by owner, for each state the cards on which it has changed, and its values there.
    """

    name: str
    title: Entry | None
    until: Entry | None
    exit: int
    kept: tuple[int, ...] = ()


@frozen(eq=False)
class Walk:
    """A list that is gone through, of which not everybody knows who comes later: the locals that hold it, how far it is
    gone through, and the member that is meant now. `anew` is the entry that reads the list again; in a window it is
    None, and `member` holds what each seat answered by the number of one of so many `options`; with 0 of these, things,
    and others are taken to have passed.
    """

    several: int
    at: int
    member: int
    anew: Entry | None
    options: int
    knowers: tuple[int, ...]


@frozen(eq=False)
class Unknown:
    """The locals of a script that waits which not everybody knows: locals that are read later, each with those whose
    players know it, and lists that are gone through. `named` are the locals of who is asked, or of what is handed to
    the script that is called, None for what stands in none.
    """

    locals: tuple[tuple[int, tuple[int, ...]], ...]
    walks: tuple[Walk, ...]
    named: tuple[int | None, ...]


@frozen(eq=False)
class Code:
    """A script, a question, or a formula: steps, one after the other.

    Registers are its locals (parameters, then what it names, then hidden ones: `size` in all), then `width` that are
    worked out on the way, then its constants. Only the locals are part of a state. `card_slots` are the locals in which
    numbers are cards (also inside lists and answers per player); `scratch` are those that hold nothing between two
    sentences.

    By step: `traps` is where it goes on if something is asked of nothing (-1: whoever asked must know), `stages` are
    those in which it stands, outermost first, by index into `stage_table`, `ats` where its sentence stands, `public`
    whether that says `publicly`.
    """

    name: str
    parameters: int
    size: int
    width: int
    constants: tuple[Any, ...]
    asks_stages: bool
    steps: tuple[Step, ...]
    traps: tuple[int, ...]
    stages: tuple[tuple[int, ...], ...]
    stage_table: tuple[StageCode, ...]
    names: tuple[str, ...]
    card_slots: tuple[int, ...]
    scratch: tuple[int, ...]
    ats: tuple[Any, ...]
    public: tuple[bool, ...]
    makes_texts: bool
    """True if a text is put together that is more than said."""
    tells_texts_apart: bool
    """True if it counts which texts are the same: they are compared or chosen from."""
    calls: tuple[tuple[Callable[..., int | None], tuple[Any, ...]], ...] = field(init=False)
    """The steps as the machine runs them."""
    unknown: dict[int, Unknown] = field(init=False, factory=dict)
    """By the step at which a game may wait, what not everybody knows of the locals."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "calls", tuple([(step.op.do, step.operands) for step in self.steps]))

    def window(self, values: Sequence[Any]) -> Env:
        """Registers, of which the first hold what is given."""
        return [*values, *([None] * (self.size + self.width - len(values))), *self.constants]


class LateCode(Code):
    """A code that is lowered when somebody first looks at it: most games are begun to see a few of theirs."""

    __slots__ = ("_lowered",)

    def __init__(self, lowered: Callable[[], Code]) -> None:
        object.__setattr__(self, "_lowered", lowered)

    def __getattr__(self, name: str) -> Any:
        # Python asks here only for what is not there, so of a code that was looked at nobody asks again.
        names = [attribute.name for attribute in fields(Code)]
        if name not in names:
            raise AttributeError(name)
        code = self._lowered()
        for attribute in names:
            object.__setattr__(self, attribute, getattr(code, attribute))
        return getattr(code, name)


Values = dict[tuple[str | None, str, str], str]
"""The comparisons of conditions that are not met, in words, by the card whose question it is (None: a value), the
question and the line."""


@frozen(eq=False)
class RankKey:
    """One key of the standings: the most, or the least, of a number about a player (local 0)."""

    most: bool
    value: Code


@frozen(eq=False)
class Measure:
    """A number for statistics: of the game, or of `each` player (local 0)."""

    name: str
    each: bool
    value: Code
    sort: str


@frozen(eq=False)
class Shown:
    """A value that stands beside the table, or beside `of_each` player: the question, and its title."""

    name: str
    of_each: bool
    question: Code
    sort: str
    title: str


@frozen(eq=False)
class Lasting:
    """The memories and states that return to their start when a stage is left."""

    memories: tuple[MemorySlot, ...]
    states: tuple[StateSlot, ...]


def find_lasting(layout: Layout, stage: str) -> Lasting:
    """Find the memories and states that last as long as a stage."""
    memories = (*layout.memory.values(), *layout.player_memory.values())
    return Lasting(
        tuple(memory for memory in memories if memory.lasts == stage),
        tuple(state for state in layout.states.values() if state.lasts == stage),
    )


@define
class Mutation:
    """The mutant that is played, of a program that has some; `met` are those that a game came by, if that is asked for,
    with the moments in which something would have been otherwise; `moment` is the one that it is in.
    """

    mutant: int | None = None
    met: dict[int, set[int]] | None = None
    moment: int = 0


@frozen
class Looks:
    """The looks of a table: the aim of the game in words, titles of places, memories and states, which of them come
    first, the attributes by which cards of a kind are sorted, what is hidden, and colours of cards: of some kinds, or
    on which a word is printed; the first that fits.
    """

    aim: str = ""
    titles: dict[str, str] = field(factory=dict)
    order: tuple[str, ...] = ()
    sort: dict[str, tuple[str, ...]] = field(factory=dict)
    hidden: frozenset[str] = frozenset()
    colours: tuple[tuple[frozenset[str], str], ...] = ()
    denials: dict[str, str] = field(factory=dict)
    """The word for a memory or state of yes or no that is not so: `guilty`, where `innocent` is its title."""
    kinds: dict[str, tuple[str, str]] = field(factory=dict)
    """Words for one card of a kind, and for several, where the rulebook has some."""
    language: str = ""
    """The language of the rulebook's own words, as browsers know it; empty where it says none."""
    scores: tuple[str, ...] = ()
    """The memories and shown values of players that are their points: memories among them are shown at 0, too."""
    verbs: dict[str, str] = field(factory=dict)
    """The words on buttons that send what is chosen, by its name."""
    numerals: dict[str, dict[int, tuple[str, str]]] = field(factory=dict)
    """The signs of numbers of what has a name, such as a state or a choice: in which form, and which."""

    def word_answer(self, name: str, value: Any) -> str:
        """Word a yes or no for both answers of which there is a word, `innocent` or `guilty`; else nothing."""
        if name not in self.denials or not isinstance(value, bool):
            return ""
        return self.called(name) if value else self.denials[name]

    def word_state(self, name: str, value: Any, words: str) -> str:
        """Word a state of a card: `exposed`, `not ready`, `currency Yen`; `words` is its value in words."""
        if isinstance(value, bool):
            return self.word_answer(name, value) or (self.called(name) if value else f"not {self.called(name)}")
        return f"{self.called(name)} {words}"

    def called(self, name: str) -> str:
        """The name of a place, a memory, a state, an option or a choice as people read it."""
        return self.titles.get(name) or name.replace("_", " ")

    def sorted_by(self, kind: str) -> tuple[str, ...]:
        """The attributes by which the cards of a kind are sorted."""
        return self.sort.get(kind, ())

    def place_of(self, name: str) -> int:
        """Rank a name in the order of display; what is not in the order comes last."""
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
    questions: dict[str, Code]
    hooks: dict[str, tuple[int | None, ...]]
    asks: dict[str, tuple[Code | None, ...]]
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
    payoff: Code | None
    triggers: int | None = None
    """The script that asks what has become so, if there is anything to ask."""
    team: Code | None = None
    """The question whose answer players of one team share; None where everybody plays alone."""
    lowering: Any = field(repr=False, default=None)
    searched: dict[Any, Any] = field(factory=dict, repr=False)
    """A cache of findings about sets, by question and state: while people think, the same is asked often
    (`choosing`).
    """
    zero_sum: Any = None
    """The place of the payoff that is meant to add up to nothing over all players; None if none is."""
    measures: tuple[Measure, ...] = ()
    shown: tuple[Shown, ...] = ()
    score_sort: str = "number"
    """The sort of value in which the standings are counted."""
    looks: Looks = field(factory=Looks)
    mutation: Mutation = field(factory=Mutation, repr=False)
    seats: tuple[str, ...] = ()
    """The names of the players, if names of cards say whose they are."""
    kept_as: tuple[str, str] | None = field(default=None, init=False, repr=False)
    """The question that was loaded, and the cache's key for all that is made of exactly this program; a program that is
    made of another has none.
    """
    at_tables: dict[tuple[str, ...], Program] = field(init=False, factory=dict, repr=False)
    """A cache of the same program, by who sits at the table."""

    def call_seats(self, seats: tuple[str, ...]) -> Program:
        """The same program with cards that are called after those who sit there."""
        if not any(map(is_of_a_seat, self.definitions.values())):
            return self
        if seats not in self.at_tables:
            self.at_tables[seats] = evolve(
                self,
                names=tuple(name_seats(name, seats) for name in self.names),
                definitions={id: name_seats(name, seats) for id, name in self.definitions.items()},
                seats=seats,
            )
        return self.at_tables[seats]

    @cached_property
    def spots_unknown(self) -> frozenset[tuple[int, int]]:
        """The codes and steps at which scripts may wait while not everybody knows what their locals hold."""
        return frozenset(
            (index, pc)
            for index, code in enumerate(self.codes)
            for pc, unknown in code.unknown.items()
            if unknown.locals or unknown.walks
        )

    def choice_at(self, state: Sequence[Any]) -> Choice | None:
        """The choice at which a state waits for an answer, if it does."""
        if state[STACK] is None or state[PENDING] is None or state[PENDING][0] != "ask":
            return None
        code, pc, *_ = state[STACK][-1]
        choice: Choice = self.codes[code].steps[pc]["choice"]
        return choice

    @cached_property
    def rules_hash(self) -> str:
        """The same for rules that play the same, with the same options; hashed when somebody asks."""
        return str(self.lowering.rules_hash())
