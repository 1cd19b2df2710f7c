"""The effect IR: what a rulebook means, resolved and typed. The narrow waist of the project.

Values at run time: a number or amount is an `int` (an amount counts the smallest unit), a yes or no a `bool`, a word
and a text a `str`, a player the seat's `int`, a card its instance's `int`, an action the number of cards plus its
index (so cards and actions are *objects* in one numbering and a hook is one table), a place its ordinal, a cell
`(ordinal, index)`, a list a tuple, a table a tuple in the order of its words or seats, nothing is `None`.

A *slot* of a script is a numbered local: parameters first, then everything the script ever binds, `it` included.
Expressions are pure and always evaluated whole; choice and chance are statements.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Literal

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl.document import At
from rulebook.dsl.types import ACTION, TableOf, Type, kinds_of, may_be_nothing, members
from rulebook.dsl.words import name_with_variants

MOST_LISTED = 10_000
"""The most members of a list that the rules make, and the most rounds of `repeat`."""
MOST_VALUE = 10**15
"""The bound of numbers: every result stays below it, and above its opposite; a script can write as many digits."""

# ── expressions ──────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Node:
    """The base of expressions, with the type and the place (for messages; never part of equality)."""

    type: Type = field(kw_only=True)
    at: At | None = field(kw_only=True, default=None, eq=False, repr=False)


@frozen
class Const(Node):
    """`5`, `500 CU`, `yes`, `nothing`, `euro`, `"Any color"`, `every currency` (a tuple)."""

    value: int | bool | str | tuple[int | str, ...] | None


@frozen
class Local(Node):
    """A parameter, a chosen name, a `let`, `it`, `me`, `this`."""

    slot: int
    name: str


@frozen
class OptionValue(Node):
    """`options.limit`: settled before the game begins; `key` is the argument of a `steps` option, a number."""

    name: str
    key: Expr | None = None


@frozen
class ByOption(Node):
    """A YAML leaf `{by: options.x, a: …, b: …}`; every value of the option is a key."""

    option: str
    cases: tuple[tuple[int | bool | str | None, Expr], ...]


@frozen
class Joined(Node):
    """A text with values in it: `"{p}'s turn"`."""

    parts: tuple[str | Expr, ...]


@frozen
class TableMemory(Node):
    """A memory of the table: `hourglasses`."""

    name: str


@frozen
class PlayerMemory(Node):
    """A memory of a player: `p.cleared`."""

    name: str
    player: Expr


@frozen
class State(Node):
    """The value of a card's state: `g.exposed`; also of an attribute that may change: `exchanged.currency`."""

    name: str
    card: Expr


@frozen
class Attribute(Node):
    """The printed value of an attribute of a card or action: `card.value`, `deed.timing`."""

    name: str
    card: Expr


@frozen
class PlaceOf(Node):
    """A place itself, as goal or source: `deck`, `friend.hand`, `boat.hold`. The type is `Place`.

    `owner` is None for a place of the table, a player for a player's, a card for a card's.
    """

    name: str
    owner: Expr | None


@frozen
class Cards(Node):
    """The cards in a place, as a list (in order, where the place has one). `place` is of type `Place`."""

    place: Expr


@frozen
class TheCard(Node):
    """The card in a slot, or nothing: `p.coin`."""

    place: Expr


@frozen
class Pieces(Node):
    """The number of pieces in a pool: `count(p.stash)`."""

    place: Expr


@frozen
class AllCards(Node):
    """`cards`: every card of the game, wherever it lies; with `only`, one definition: `card.clubs.12`."""

    only: str | None = None


@frozen
class AllActions(Node):
    """`actions`."""


@frozen
class TheAction(Node):
    """An action by its id: `flip.effect(p)`, `deed is flip` compares with `IsCard`."""

    id: str


@frozen
class Seats(Node):
    """`players` (who still plays), or `seats` (everyone who began)."""

    everyone: bool


@frozen
class Clockwise(Node):
    """Players clockwise from a start, who comes first; with `after`, the start is left out: `others` of `me`. The other
    way round if `backwards`.
    """

    start: Expr
    after: bool = False
    backwards: bool = False


@frozen
class Neighbour(Node):
    """`p.left` (1) and `p.right` (-1), among those who still play."""

    player: Expr
    step: int


@frozen
class Listed(Node):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@frozen
class Span(Node):
    """`1..n`, both ends included; empty when the second is smaller."""

    first: Expr
    last: Expr


@frozen
class Chain(Node):
    """`a + b` of lists."""

    first: Expr
    second: Expr


@frozen
class Arithmetic(Node):
    """`a + b`, also `- * / %`; whole numbers, `/` rounds down, `%` has the sign of its right side.

    Of two tables, and of one and a number, `+ - * /` reckon entry by entry.
    """

    operator: str
    left: Expr
    right: Expr


@frozen
class Compare(Node):
    """`a is b` (`==`), `a is not b` (`!=`), `< <= > >=`. Lists are compared in order, nothing equals only nothing;
    of tables `<=` is so if it is so of each entry.
    """

    operator: str
    left: Expr
    right: Expr


TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The sign that says the same of the two sides the other way round."""
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The sign that says the contrary."""


@frozen
class SameCards(Node):
    """`Ben.hand is [tiara]`: a list of cards against definitions; order counts only where the list has one."""

    cards: Expr
    definitions: tuple[str, ...]
    ordered: bool


@frozen
class Within(Node):
    """`x in S`."""

    value: Expr
    list: Expr


@frozen
class IsKind(Node):
    """`it is note`: the object is a card of one of these concrete kinds. Nothing is of no kind."""

    value: Expr
    kinds: frozenset[str]


@frozen
class IsCard(Node):
    """`it is police_badge`, `it is flip`: the object is a copy of one of these definitions, or one of these actions.

    `kinds` are the concrete kinds of the definitions; actions have none.
    """

    value: Expr
    definitions: frozenset[str]
    kinds: frozenset[str]


@frozen
class IsText(Node):
    """`it is text`: a text or word, where it may be something else too. Nothing is no text."""

    value: Expr


@frozen
class IsFaceUp(Node):
    """`card is face_up`."""

    card: Expr


@frozen
class IsNothing(Node):
    """`x is nothing`."""

    value: Expr


@frozen
class IsEmpty(Node):
    """`S is empty`, for lists."""

    list: Expr


@frozen
class IsEmptyCell(Node):
    """`cell is empty`: no card lies at a position, or there is no position."""

    cell: Expr


@frozen
class Not(Node):
    """`not a`."""

    value: Expr


@frozen
class And(Node):
    """`a and b`; b is not asked when a is no."""

    left: Expr
    right: Expr


@frozen
class Or(Node):
    """`a or b`; b is not asked when a is yes."""

    left: Expr
    right: Expr


@frozen
class IfElse(Node):
    """`a if c else b`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Through(Node):
    """The base of expressions that go through a list; each member in turn is in `slot`."""

    list: Expr
    slot: int


@frozen
class Filter(Through):
    """`S where c`; `it` is in `slot`."""

    condition: Expr


@frozen
class Each(Through):
    """`value of S`, `E for x in S`: the body for each, in order; what is nothing is left out.

    With `flat`, lists are joined (`hand of players`).
    """

    body: Expr
    flat: bool = False


@frozen
class Key:
    """One key of an order: the most (or least) of an expression about `it`."""

    most: bool
    value: Expr


@frozen
class Ordering(Through):
    """A list by keys about `it`, which is in `slot`."""

    keys: tuple[Key, ...]


@frozen
class Sorted(Ordering):
    """`S sorted by least K then K2`; equal ones keep their order."""


@frozen
class Best(Ordering):
    """`S with most K then K2`: all that share the best keys, in order."""


@frozen
class Entry(Node):
    """The entry of a table for a word or a player: `goods[wood]`; after a sealed decision `gift[p]`, or nothing."""

    table: Expr
    key: Expr


@frozen
class WithEntry(Node):
    """A table in which one entry is another: what `set t[k] = e` makes of `t`."""

    table: Expr
    key: Expr
    value: Expr


@frozen
class CallValue(Node):
    """`money(p)`: a question, by its full name, `values.money`."""

    function: str
    arguments: tuple[Expr, ...]


@frozen
class AskHook(Node):
    """`card.innocent(p)`: a question that a card's kind (or an action) answers."""

    hook: str
    target: Expr
    arguments: tuple[Expr, ...]


@frozen
class BuiltIn(Node):
    """`sum(S)`, `first(S, n)`, `holder(x)`, `around(c)` …: one of `rulebook.dsl.naming.builtins`."""

    name: str
    arguments: tuple[Expr, ...]


Expr = (
    Const | Local | OptionValue | ByOption | Joined | TableMemory | PlayerMemory | State | Attribute | PlaceOf
    | Cards | TheCard | Pieces | AllCards | AllActions | TheAction | Seats | Clockwise | Neighbour | Listed | Span
    | Chain | Arithmetic | Compare | SameCards | Within | IsKind | IsCard | IsText | IsFaceUp | IsNothing | IsEmpty
    | IsEmptyCell | Not | And | Or | IfElse | Filter | Each | Sorted | Best | Entry | WithEntry | CallValue
    | AskHook | BuiltIn
)  # fmt: skip


def as_constant(expr: Expr) -> Expr:
    """Read `-5`, which is `0 - 5`, as one constant; return all else as it stands."""
    match expr:
        case Arithmetic("-", Const(0), Const(int(value))):
            return Const(-value, type=expr.type, at=expr.at)
    return expr


def plain_constant(expr: Expr) -> int | str | None:
    """The number or word that an expression is, such as a printed one; None for yes and no, and for what is neither."""
    match as_constant(expr):
        case Const(value=bool() | None):
            return None
        case Const(value=int() | str() as plain):
            return plain
    return None


# ── statements ───────────────────────────────────────────────────────────────────────────────────────────────────────


WALKED = -1
"""In `Sentence.unknown`, what a loop goes through."""


class When(Enum):
    """The certainty of something about a statement: always, never, or by what stands in it."""

    ALWAYS = "always"
    NEVER = "never"
    DEPENDS = "depends"


ALWAYS, NEVER, DEPENDS = When


@frozen
class Sentence:
    """The base of statements.

    `guards` are the slots of names that this sentence reads and that may be *absent* (a `choose` with no option): when
    one is, the sentence is skipped with its blocks, and what it would bind becomes absent too.

    `unknown` are the names of which not everybody knows what they stand for while the game waits in this sentence, each
    with those names whose players do know; of a loop, `WALKED` stands for what it goes through.
    """

    noticed: ClassVar[When]
    """Everybody notices when it is done: see `dsl.secrets.taint`."""
    may_be_idle: ClassVar[When]
    """There may be nothing for it to do; then nobody notices anything."""
    is_plain: ClassVar[bool]
    """It binds no name and holds no block: its guards are all names that it reads."""
    reads_order: ClassVar[bool]
    """It matters to it in which order the cards lie of a list, or of a place, that it names."""

    guards: tuple[int, ...] = field(kw_only=True, default=())
    unknown: tuple[tuple[int, tuple[int, ...]], ...] = field(kw_only=True, default=(), eq=False, repr=False)
    at: At | None = field(kw_only=True, default=None, eq=False, repr=False)

    def __init_subclass__(cls, *, is_base: bool = False, **flags: When | bool | str) -> None:
        """Take what a statement says of itself, so that nothing about it is a default that nobody chose."""
        # Classes with slots are made a second time, without these words but with what they set.
        for name, value in {**flags, **({"_is_base": True} if is_base else {})}.items():
            setattr(cls, name, value)
        above = (base for base in reversed(cls.__mro__) if issubclass(base, Sentence))
        asked = [name for base in above for name, kind in base.__annotations__.items() if kind.startswith("ClassVar")]
        missing = [name for name in dict.fromkeys(asked) if name not in vars(cls)]
        if missing and "_is_base" not in vars(cls):
            raise TypeError(f"The statement {cls.__name__} does not say of itself: {', '.join(missing)}.")


@frozen
class Moving(Sentence, is_base=True):
    """The base of statements that move cards or pieces."""


@frozen
class Drawing(Moving, is_base=True):
    """The base of moves that take a number of cards as the source is kept: at random from a bag, from the top of a
    pile, pieces of a pool."""

    verb: ClassVar[str]
    """The verb that it is for its source, as `checking.statements.UNFIT` has it."""
    is_called_draw: ClassVar[bool]
    """The text of a card may say of it that cards are drawn."""

    count: Expr
    source: Expr


@frozen
class Placing(Moving, is_base=True):
    """The base of moves that say how cards come to lie: each has a `goal`, an `end` and a `face`."""


@frozen
class Mixing(Sentence, is_base=True):
    """The base of statements that lay the cards of a place in another order, and move none elsewhere."""

    verb: ClassVar[str]
    """The verb that it is for that place, as `checking.statements.UNFIT` has it."""


@frozen
class Asking(Sentence, is_base=True):
    """The base of statements that ask somebody. Each may be `quiet` or `veiled`, as a `Choose` has it."""


@frozen
class Loop(Sentence, is_base=True):
    """The base of loops, which `stop` and `skip` leave."""


@frozen
class Let(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=True):
    """`let x = e`."""

    slot: int
    value: Expr


@frozen
class Assign(Sentence, noticed=DEPENDS, may_be_idle=NEVER, is_plain=False, reads_order=True):
    """`set a = e publicly`, `add n to a`. `explains`: the value reaches named lines, which are told one by one."""

    target: TableMemory | PlayerMemory | State
    value: Expr
    explains: bool = False
    publicly: bool = False


@frozen
class Move(Placing, noticed=ALWAYS, may_be_idle=DEPENDS, is_plain=True, reads_order=False):
    """`move X to PLACE top face up`: one card, a list, or nothing. `goal` is a place or a cell.

    `end` is "top", "bottom" or "" (the place's own way: a pile takes cards on top); `face` is "up", "down" or ""
    (up where everyone may look, else down).
    """

    cards: Expr
    goal: Expr
    end: str
    face: str


@frozen
class MovePieces(Moving, noticed=NEVER, may_be_idle=NEVER, is_plain=True, reads_order=False):
    """`move 2 from lost to me.stash`, `move all from a to b`: what there is of a pool; `count` None is all."""

    count: Expr | None
    source: Expr
    goal: Expr


@frozen
class Draw(
    Drawing, Placing, verb="draw", noticed=ALWAYS, may_be_idle=NEVER, is_plain=False, reads_order=False,
    is_called_draw=True,
):  # fmt: skip
    """`draw n from PLACE to PLACE as x`: `slot` receives the list when `many`, else the card (or nothing)."""

    goal: Expr
    end: str
    face: str
    slot: int | None
    many: bool


@frozen
class Deal(
    Drawing, verb="deal", noticed=ALWAYS, may_be_idle=NEVER, is_plain=True, reads_order=False, is_called_draw=True
):
    """`deal n from PLACE to each hand`: one at a time, round by round, in seat order, while there is any."""

    place: str


@frozen
class Pass(Moving, noticed=ALWAYS, may_be_idle=ALWAYS, is_plain=True, reads_order=False):
    """`pass each hand left`: the whole place, all at once; step 1 is left, -1 right."""

    place: str
    step: int


@frozen
class Shuffle(Mixing, verb="shuffle", noticed=NEVER, may_be_idle=ALWAYS, is_plain=True, reads_order=False):
    """`shuffle X`: a pile or bag is unsettled, a row or grid is put in a random order at once."""

    place: Expr


@frozen
class Roll(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=True, reads_order=False):
    """`roll X`: each die of the list gets a random value of its first `state` that is a range or an enumeration."""

    dice: Expr
    state: str


@frozen
class PickRandom(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`pick x from S at random`; each of `slots` gets one, all different; with `count` one slot gets a list.

    `picker` is the slot of whoever is `me`, where everybody may know who that is.
    """

    slots: tuple[int, ...]
    source: Expr
    count: Expr | None
    picker: int | None = None


@frozen
class Swap(Moving, noticed=ALWAYS, may_be_idle=NEVER, is_plain=True, reads_order=False):
    """`swap a with b`: two cards change places, or two places of one card change contents, or two cells."""

    first: Expr
    second: Expr


@frozen
class Arrange(Asking, Mixing, verb="arrange", noticed=NEVER, may_be_idle=NEVER, is_plain=True, reads_order=False):
    """`arrange X`, `p arranges X`: the player puts the cards of a row, pile or line in an order of choice."""

    player: Expr
    cards: Expr
    quiet: bool
    veiled: bool = False


@frozen
class Reveal(Sentence, noticed=ALWAYS, may_be_idle=NEVER, is_plain=True, reads_order=True):
    """`reveal X`: turned face up where they lie."""

    cards: Expr


@frozen
class Cover(Sentence, noticed=NEVER, may_be_idle=ALWAYS, is_plain=True, reads_order=False):
    """`turn X face down`."""

    cards: Expr


@frozen
class Show(Sentence, noticed=ALWAYS, may_be_idle=NEVER, is_plain=True, reads_order=True):
    """`show X to S`: S look; the cards stay as they are."""

    cards: Expr
    to: Expr


@frozen
class Tell(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=True, reads_order=True):
    """`tell S whether E`; `known` are the names in the question of which everybody knows what they stand for."""

    to: Expr
    question: Expr
    known: frozenset[int] = frozenset()


@frozen
class Say(Sentence, noticed=DEPENDS, may_be_idle=NEVER, is_plain=True, reads_order=True):
    """`say "…" to S`; `to` None is everyone."""

    text: Expr
    to: Expr | None
    publicly: bool = False


@frozen
class Source:
    """One source of a choice: a list, and how its options are called: card, player, word, number, action, place,
    label. `shown`: its cards have been shown to who chooses, who is told them even where a place does not recall.
    """

    list: Expr
    sort: str
    shown: bool = False


@frozen
class Pick:
    """One name to choose.

    `slot` receives one value, or a tuple when `many`. `least` and `most` bound how many (`most` None: as many as there
    are; an empty set is an answer where `least` is 0). `ordered` keeps the order in which they were picked; `so_that`
    tests a set once it stands in `slot`. `line`: on which line of a block it stands, from 0; names of one line are
    different things.
    """

    slot: int
    name: str
    many: bool
    least: Expr
    most: Expr | None
    ordered: bool
    sources: tuple[Source, ...]
    so_that: Expr | None
    line: int = 0


@frozen
class Choose(Asking, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`p may choose x from S …`: one player decides, pick by pick (`choose a, b from S`: later picks differ from
    earlier).

    `taken` runs when chosen (block form). `otherwise` runs when there is no option, or with `may` on a pass; without
    it the names are nothing (`may`) or absent (must).

    `quiet`: others may not learn that this line was reached. `veiled`: they may, and they learn the answer as the
    language says, but not whether there was anything to ask or to pass (that would tell what the chooser holds).

    `always`: it is asked though there is only one answer.
    """

    player: Expr
    may: bool
    secretly: bool
    quiet: bool
    prompt: Expr | None
    picks: tuple[Pick, ...]
    taken: Block | None
    otherwise: Block | None
    veiled: bool = False
    always: bool = False


@frozen
class ChooseEach(Asking, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`each p in S chooses x, y from E`: one sealed decision of several. `slot` holds the decider while E is read.

    Afterwards each pick's slot holds a tuple by seat (None for who had no option, passed, or was not asked).
    `otherwise` runs when nobody chose anything.
    """

    slot: int
    players: Expr
    may: bool
    secretly: bool
    quiet: bool
    prompt: Expr | None
    picks: tuple[Pick, ...]
    otherwise: Block | None
    veiled: bool = False
    always: bool = False


@frozen
class Option:
    """One labelled block of a menu or window; `condition` None: always."""

    label: Expr
    condition: Expr | None
    body: Block


@frozen
class Menu(Asking, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`choose one:` with labelled blocks, `may "label":` (one option, may be declined)."""

    player: Expr
    may: bool
    quiet: bool
    prompt: Expr | None
    options: tuple[Option, ...]
    otherwise: Block | None
    veiled: bool = False
    always: bool = False

    @property
    def is_button(self) -> bool:
        """True of one label that is always there and cannot be passed: somebody presses it."""
        return len(self.options) == 1 and self.options[0].condition is None and not self.may


@frozen
class Offer(Asking, Loop, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`offer S in turn|together as q "…?":` a reaction window; `slot` is q, `label` its name for `stop`.

    Whoever takes it chooses one of the options; or, where there are none but one of `picks`, what `body` is done with.

    `quiet`: only who is asked may learn that there was a window. `veiled`: the others may not learn who had something
    to answer; whoever takes an option is announced all the same.
    """

    players: Expr
    together: bool
    slot: int
    label: str
    prompt: Expr | None
    options: tuple[Option, ...]
    picks: tuple[Pick, ...]
    body: Block
    otherwise: Block | None
    quiet: bool = False
    veiled: bool = False


@frozen
class If(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`if c:` … `else:` …"""

    condition: Expr
    then: Block
    otherwise: Block


@frozen
class ForEach(Loop, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=True):
    """`each x in S as i:`; S is read once, and all of it is gone through. Where S says who plays (`are_playing`), one
    who has been eliminated since is passed over. `players`: they are players. `secret`: who is in S depends on what
    not everyone sees.
    """

    slot: int
    list: Expr
    index: int | None
    label: str
    body: Block
    players: bool
    secret: bool = False


@frozen
class Repeat(Loop, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`repeat n as i:`; `count` None is a `loop`. `index` counts from 1."""

    count: Expr | None
    index: int | None
    label: str
    body: Block


@frozen
class Iterate(Loop, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`loop x from A, then B as i:`; before each further round B is asked, with x as it was. Where it is nothing, the
    loop is over. Of players, those who are out are passed over.
    """

    slot: int
    first: Expr
    next: Expr
    index: int | None
    label: str
    body: Block


@frozen
class Stage(Sentence, noticed=ALWAYS, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`stage name "Title" until C:`."""

    name: str
    title: Expr | None
    until: Expr | None
    body: Block
    publicly: bool = False


@frozen
class Leave(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`stop lap` / `skip lap`: out of, or to the next round of, the `depth`-th loop from inside (0 is the innermost).

    Only loops count (`each`, `repeat`, `loop`, `offer`); the loop stands in the same script.
    """

    skip: bool
    depth: int


@frozen
class EndStage(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=False):
    """`end round`: leaves the innermost stage of that name, from any depth of calls."""

    name: str


@frozen
class Return(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=True):
    """`return e`; `value` None returns nothing."""

    value: Expr | None


@frozen
class DoRule(Sentence, noticed=DEPENDS, may_be_idle=NEVER, is_plain=False, reads_order=True):
    """`do pay(me, 3) as x`: a script, by its full name, `rules.pay`. `guards` covers arguments that may be absent."""

    script: str
    arguments: tuple[Expr, ...]
    slot: int | None


@frozen
class DoHook(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=False, reads_order=True):
    """`do card.effect(p) for this as x`; a card without the hook does nothing. `this` is the target, or `stand_in`."""

    hook: str
    target: Expr
    arguments: tuple[Expr, ...]
    stand_in: Expr | None
    slot: int | None


@frozen
class Win(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=True, reads_order=False):
    """`win S then T`: each group of players is a place; none is `win nobody`. The game is over."""

    groups: tuple[Expr, ...]


@frozen
class Eliminate(Sentence, noticed=NEVER, may_be_idle=NEVER, is_plain=True, reads_order=False):
    """`eliminate p`."""

    players: Expr


Statement = (
    Let | Assign | Move | MovePieces | Draw | Deal | Pass | Shuffle | Roll | PickRandom | Swap | Arrange | Reveal
    | Cover | Show | Tell | Say | Choose | ChooseEach | Menu | Offer | If | ForEach | Repeat | Iterate | Stage
    | Leave | EndStage | Return | DoRule | DoHook | Win | Eliminate
)  # fmt: skip
Block = tuple[Statement, ...]


def are_same(one: Node, other: Node) -> bool:
    """Tell whether two expressions are equal. Where both may be of any class, mypy takes a second for each `==`."""
    return one == other


def find_change(target: Expr, value: Expr) -> tuple[Expr, Expr]:
    """Return what gets another value, and which; of a table in which one entry becomes another, that entry."""
    match value:
        case WithEntry(table, key, entry) if are_same(table, target) and isinstance(table.type, TableOf):
            return Entry(table, key, type=table.type.item), entry
    return target, value


def goes_on(sentence: Sentence) -> bool:
    """True for a `loop` that ends only when something in it ends it."""
    match sentence:
        case Repeat(count):
            return count is None
        case Iterate(_, first, following):
            return not may_be_nothing(first.type) and not may_be_nothing(following.type)
    return False


def find_bound(sentence: Sentence) -> tuple[int, ...]:
    """Return the slots that a sentence gives a value for those behind it; a loop's are only for its own block."""
    match sentence:
        case Let(slot) | Draw(slot=int(slot)) | DoRule(slot=int(slot)) | DoHook(slot=int(slot)):
            return (slot,)
        case PickRandom(slots):
            return slots
        case Choose(picks=picks) | ChooseEach(picks=picks):
            return tuple(pick.slot for pick in picks)
    return ()


def find_taken(moving: Moving) -> tuple[Expr, ...]:
    """Return the cards that leave where they lie, or the places that they leave, as far as expressions say so."""
    match moving:
        case Drawing(_, place) | MovePieces(_, place) | Move(place):
            return (place,)
        case Swap(first, second):
            return first, second
    return ()


def find_goals(moving: Moving) -> tuple[Expr, ...]:
    """Return where cards or pieces come to lie, as far as expressions say so."""
    match moving:
        case Move(goal=goal) | MovePieces(goal=goal) | Draw(goal=goal):
            return (goal,)
        case Swap(first, second):
            return first, second
    return ()


def find_mixed(mixing: Mixing) -> Expr | None:
    """Return the place whose cards come to lie in another order, as far as an expression says so."""
    match mixing:
        case Shuffle(place) | Arrange(cards=Cards(place)):
            return place
    return None


GAME = "rules.game"
"""The script with which a game begins."""
TRIGGERS = "whenever"
"""The script that asks each value of `whenever`, in order, and does what belongs to those that are so: an `if` around a
call, for a value about players in an `each p in players`. It runs behind each sentence of `game` and behind each
script, and does what has become so since it ran last.
"""

# ── scripts ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Line:
    """One named condition or one named sum, with the name people read."""

    name: str
    value: Expr
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Conditions:
    """Named conditions: yes when all are."""

    lines: tuple[Line, ...]


@frozen
class Total:
    """Named sums: their total."""

    lines: tuple[Line, ...]


Body = Expr | Conditions | Total | Block
"""The body of a function: one expression, named lines, or a pure block of `let`, `if`, `each`, `repeat`, `return`."""


@frozen
class Slots:
    """The locals of a script: their names (for people) and types, parameters first."""

    names: tuple[str, ...]
    types: tuple[Type, ...]


@frozen
class Function:
    """A pure question: a value, an `asks` hook of one card, an action's `possible`. Names like `values.money`.

    A hook's first slot is `this`; its parameters follow.
    """

    name: str
    parameters: int
    slots: Slots
    type: Type
    body: Body
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Script:
    """A script of statements: a rule, a `does` or `may_do` hook, an action's `effect`. Names like
    `cards.inspection.effect`.

    A hook's first slot is `this`; its parameters follow.
    """

    name: str
    parameters: int
    slots: Slots
    body: Block
    at: At | None = field(default=None, eq=False, repr=False)


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class OptionDef:
    """A house-rule switch. `choices` lists the legal values, or None for a range `low..high` or an open amount."""

    name: str
    type: Type
    default: int | bool | str | tuple[tuple[int, int], ...] | None
    choices: tuple[int | bool | str | None, ...] | None
    low: int | None
    high: int | None
    text: str
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Forbidden:
    """House rules that cannot be played together: why, as people read it, and a question about options and how many
    play; its answer is yes where they are forbidden.
    """

    reason: str
    condition: Expr
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Kind:
    """A family of cards, with its ancestors (nearest first, itself not included)."""

    name: str
    ancestors: tuple[str, ...]


@frozen
class StateDef:
    """A state of cards. `values` are all it may take (for what cannot be known), `start` the one that it begins with.

    `with_face`: only who knows the card knows the value. `lasts`: the stage whose end brings the start back.
    `printed`: an attribute that may change; it starts as printed.
    """

    name: str
    type: Type
    kinds: frozenset[str]
    start: int | bool | str | tuple[int | str, ...] | None
    values: tuple[int | bool | str | None, ...] | None
    with_face: bool
    lasts: str | None
    printed: bool


@frozen
class CardDef:
    """One definition. `attributes` hold an expression each, without locals; `copies` are groups of equal instances:
    how many, and the attributes in which the group differs."""

    id: str
    kind: str
    name: Expr
    text: Expr | None
    attributes: dict[str, Expr]
    copies: tuple[tuple[Expr, dict[str, Expr]], ...]
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class PlaceDef:
    """A place. `owner` is "table", "player" or "card" (`of` are then the kinds that have it).

    `kept`: bag, pile, row, loose, slot, pool or grid. `holds`: concrete kinds. `seen_by`: nobody, owner, everyone or
    top. `size`: rows and columns of a grid. `refill`: the pile to shuffle in when this one is empty. `counted`: owner
    or everyone. `recall` and `opened_at_end` are a yes or no. An expression here is a constant, or one by option.
    `alike_once`: of cards there that are alike one is offered.
    """

    name: str
    owner: str
    of: frozenset[str]
    kept: str
    holds: frozenset[str]
    seen_by: Expr
    size: tuple[Expr, Expr] | None
    refill: str | None
    recall: Expr
    counted: Expr
    opened_at_end: Expr
    alike_once: bool = False
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class MemoryDef:
    """A memory of the table or of each player. `values`: all it may take, or None where that is open. `secret`: not
    everybody can follow what it holds.
    """

    name: str
    owner: str
    type: Type
    start: int | bool | str | tuple[int | str, ...] | None
    values: tuple[int | bool | str | None, ...] | None
    seen_by: str
    lasts: str | None
    secret: bool = field(default=False, eq=False, repr=False)


@frozen
class ActionDef:
    """An action for players to choose. Its scripts hang in the tables under `actions.NAME.possible` and `.effect`."""

    id: str
    name: Expr
    text: Expr | None
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Result:
    """The rule for standings: keys about `it` (slot 0), or a number for each player (slot 0).

    Players of whom `team` (slot 0 too) answers the same win together; a constant if all do, None if nobody does.
    With `zero_sum` the payoffs of all players are meant to add up to nothing, which is seen when a game is over.
    """

    rank: tuple[Key, ...]
    payoff: Expr | None
    zero_sum: bool
    slots: Slots
    team: Expr | None = None


@frozen
class Measure:
    """A number for statistics, asked when a game is over: of each player (slot 0), or of the game."""

    name: str
    value: Expr
    each: bool
    slots: Slots
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Shown:
    """A value that stands beside the table, or `of_each` player beside that one, for whoever knows all that it asks."""

    title: str
    of_each: bool
    type: Type
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Sign:
    """A sign: the name of a glyph, a few letters, or the path of a picture in the game's folder, as `form` says."""

    form: Literal["glyph", "letters", "file"]
    said: str
    at: At | None = field(default=None, eq=False, repr=False)


@frozen
class Look:
    """A card's own look, where its rulebook says one: the attributes in its corner (none, if the tuple is empty), what
    stands in the middle (an attribute, or a sign), its picture, its back, and what is cut out of paper for it.
    """

    corner: tuple[str, ...] | None = None
    middle: str | Sign | None = None
    picture: Sign | None = None
    back: Sign | None = None
    cut: str = ""


@frozen
class Display:
    """Hints for whoever shows the game: the aim in a few words, the rules by headings as people read them, what things
    are called there, which values are shown, in which order they stand, by which attributes the cards of a kind are
    sorted, what is not worth showing, in which colour cards of a kind and with a word on them stand, how cards look.
    """

    aim: str = ""
    language: str = ""
    """The language of all that the author worded, as browsers know it; empty where the rulebook does not say."""
    about: dict[str, str] = field(factory=dict)
    titles: dict[str, str] = field(factory=dict)
    shown: dict[str, Shown] = field(factory=dict)
    scores: tuple[str, ...] = ()
    """Memories and shown values of players that are their points; empty where the rulebook says none."""
    order: tuple[str, ...] = ()
    sort: dict[str, tuple[str, ...]] = field(factory=dict)
    hidden: tuple[str, ...] = ()
    colours: dict[str, str] = field(factory=dict)
    symbols: dict[str, Sign] = field(factory=dict)
    """Signs of words, kinds, cards and attributes."""
    numerals: dict[str, dict[int, Sign]] = field(factory=dict)
    """Signs of the numbers of an attribute, a state or a memory, or of those that can be chosen."""
    looks: dict[str, Look] = field(factory=dict)
    """By the id of a card, what the rulebook says of its look."""
    verbs: dict[str, str] = field(factory=dict)
    """The word on the button that sends what is chosen, by its name."""

    @property
    def signs(self) -> list[Sign]:
        """Every sign and picture that the rulebook names, in its order."""
        of_numbers = [sign for signs in self.numerals.values() for sign in signs.values()]
        looks = [sign for look in self.looks.values() for sign in (look.middle, look.picture, look.back)]
        return [*self.symbols.values(), *of_numbers, *(sign for sign in looks if isinstance(sign, Sign))]


@frozen
class Rulebook:
    """A whole game, checked.

    `hooks` maps a hook's name to what each card id or action id has for it: the name of a Script or Function. `places`
    are those that were declared; the `box`, in which all cards begin, is there in every game.
    """

    id: str
    name: str
    players: tuple[int, ...]
    units: dict[str, int]
    words: dict[str, dict[str, str]]
    options: dict[str, OptionDef]
    kinds: dict[str, Kind]
    states: dict[str, StateDef]
    cards: dict[str, CardDef]
    actions: dict[str, ActionDef]
    places: dict[str, PlaceDef]
    box: PlaceDef
    memories: dict[str, MemoryDef]
    functions: dict[str, Function]
    scripts: dict[str, Script]
    hooks: dict[str, dict[str, str]]
    result: Result
    forbid: tuple[Forbidden, ...] = ()
    measures: tuple[Measure, ...] = ()
    families: dict[str, tuple[str, ...]] = field(factory=dict)
    """By the name of a family, the ids of its cards: those that one entry makes with `each`."""
    phrases: dict[str, str] = field(factory=dict)
    display: Display = field(factory=Display)
    """The words of people for a name, where they differ from the name itself: `id` is "ID"."""
    source: dict[str, str] = field(factory=dict, eq=False, repr=False)
    """The files it was read from, name to text: what a save carries."""
    variants: dict[str, str] = field(factory=dict, eq=False)
    """The variants that were laid over the game, in order: by their ids, the names that players read."""
    kept_as: tuple[str, str] | None = field(default=None, init=False, eq=False, repr=False)
    """The question that was loaded, and the cache's key for all that is made of exactly these rules. A rulebook that is
    made of another one, with any change, has none.
    """

    @property
    def title(self) -> str:
        """The name that players read, with the variants it is played with: `Market with Thieves`."""
        return name_with_variants(" ".join(self.name.split()), [*self.variants.values()])


def are_playing(expr: Expr) -> bool:
    """Tell whether a list is those who play, as written: `players`, `others`, `clockwise from P`, some of them."""
    match expr:
        case Seats(everyone):
            return not everyone
        case Clockwise():
            return True
        case Filter(inner) | Ordering(inner):
            return are_playing(inner)
        case IfElse(_, then, otherwise):
            return are_playing(then) and are_playing(otherwise)
    return False


def find_hooked(rulebook: Rulebook, hook: str, target: Type) -> list[str]:
    """Return the scripts or functions that a hook of a target of this type may be, card by card, action by action."""
    kinds, actions, cards = kinds_of(target), ACTION in members(target), rulebook.cards
    table = rulebook.hooks.get(hook, {}).items()
    return [name for id, name in table if (cards[id].kind in kinds if id in cards else actions)]
