"""The tree of a script as its author wrote it: sugar, order and words kept, names not yet looked up."""

from __future__ import annotations

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl.document import At


@frozen
class Tree:
    """The base of syntax nodes, with the place, which is never part of equality."""

    at: At = field(kw_only=True, eq=False, repr=False)


# ── expressions ──────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Word(Tree):
    """`hand`"""

    name: str


@frozen
class Number(Tree):
    """`5`, `500 CU`"""

    value: int
    unit: str | None


@frozen
class Text(Tree):
    """`"Round {n}"`"""

    parts: tuple[str | Expr, ...]


@frozen
class YesNo(Tree):
    """`yes`, `no`"""

    value: bool


@frozen
class Nothing(Tree):
    """`nothing`"""


@frozen
class OriginalAnswer(Tree):
    """`original`, where a question stands: what the question answers that a variant hangs on"""


@frozen
class Every(Tree):
    """`every currency`"""

    enumeration: str


@frozen
class Listed(Tree):
    """`[a, b]`"""

    items: tuple[Expr, ...]


@frozen
class Dot(Tree):
    """`p.hand`, `card.clubs.12`"""

    owner: Expr
    name: str


@frozen
class Method(Tree):
    """`card.innocent(p)`"""

    owner: Expr
    name: str
    arguments: tuple[Expr, ...]


@frozen
class Index(Tree):
    """`gift[p]`"""

    owner: Expr
    key: Expr


@frozen
class Call(Tree):
    """`money(p)`"""

    name: str
    arguments: tuple[Expr, ...]


@frozen
class Negative(Tree):
    """`-n`"""

    value: Expr


@frozen
class ClockwiseFrom(Tree):
    """`clockwise from p`, `counterclockwise from p`"""

    start: Expr
    backwards: bool = False


@frozen
class Arithmetic(Tree):
    """`a + b`; also `- * / %`"""

    operator: str
    left: Expr
    right: Expr


@frozen
class Range(Tree):
    """`1..n`"""

    first: Expr
    last: Expr


@frozen
class Compare(Tree):
    """`a is b`; also `is not`, `in`, `not in`, `< <= > >=`"""

    operator: str
    left: Expr
    right: Expr


@frozen
class IsEmpty(Tree):
    """`S is empty`, `S is not empty`"""

    value: Expr
    negated: bool


@frozen
class IsSomething(Tree):
    """`x is something`, `x is not something`"""

    value: Expr
    negated: bool


@frozen
class Not(Tree):
    """`not a`"""

    value: Expr


@frozen
class And(Tree):
    """`a and b`"""

    left: Expr
    right: Expr


@frozen
class Or(Tree):
    """`a or b`"""

    left: Expr
    right: Expr


@frozen
class Where(Tree):
    """`S where c`"""

    list: Expr
    condition: Expr


@frozen
class Key:
    """`most K` of `sorted by` and `with`"""

    most: bool
    value: Expr


@frozen
class Sorted(Tree):
    """`S sorted by least K then most K2`"""

    list: Expr
    keys: tuple[Key, ...]


@frozen
class With(Tree):
    """`S with most K then K2`"""

    list: Expr
    keys: tuple[Key, ...]


@frozen
class Of(Tree):
    """`value of S`"""

    name: str
    list: Expr


@frozen
class IfElse(Tree):
    """`a if c else b`"""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class For(Tree):
    """`E for x in S`"""

    body: Expr
    name: str
    list: Expr


@frozen
class Added(Tree):
    """A condition that a variant adds to a sentence of the game"""

    condition: Expr
    variant: str


Expr = (
    Word | Number | Text | YesNo | Nothing | OriginalAnswer | Every | Listed | Dot | Method | Index | Call | Negative
    | ClockwiseFrom | Arithmetic | Range | Compare | IsEmpty | IsSomething | Not | And | Or | Where | Sorted | With | Of
    | IfElse | For | Added
)  # fmt: skip

# ── statements ───────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Name:
    """A name that a sentence binds."""

    text: str
    at: At = field(eq=False, repr=False)


@frozen
class Asking(Tree):
    """`choose`, `p may choose`, `p always secretly chooses`; `subject` None: the player called `me`"""

    subject: Expr | None
    may: bool
    secretly: bool
    always: bool = False


@frozen
class Count:
    """The number of a choice: "one", "exactly" n, "range" low..high, "up to" n, "any number of", "order" (all)"""

    how: str
    low: Expr | None = None
    high: Expr | None = None


@frozen
class Choice(Tree):
    """`2 gifts from a, b so that c "Pass two cards"`"""

    count: Count
    names: tuple[Name, ...]
    sources: tuple[Expr, ...]
    so_that: Expr | None
    prompt: Text | None


@frozen
class Choose(Tree):
    """`choose x from S else stop`, or with a block and `else:`"""

    asking: Asking
    choice: Choice
    leave: Statement | None
    body: Block | None
    otherwise: Block | None


@frozen
class EachChooses(Tree):
    """`each p in S secretly chooses x from E`; several choices: the block form"""

    name: Name
    players: Expr
    may: bool
    secretly: bool
    choices: tuple[Choice, ...]
    leave: Statement | None
    always: bool = False


@frozen
class MenuOption(Tree):
    """`"label" if c:` with a block"""

    label: Text
    condition: Expr | None
    body: Block = ()


@frozen
class Menu(Tree):
    """`choose one:` / `may choose one "Prompt":` with labelled blocks"""

    asking: Asking
    prompt: Text | None
    options: tuple[MenuOption, ...]
    otherwise: Block | None


@frozen
class May(Tree):
    """`may "label":` with a block, `else:`"""

    subject: Expr | None
    label: Text
    body: Block
    otherwise: Block | None


@frozen
class Offer(Tree):
    """`offer S in turn as q "…?":` with labelled blocks, `else:`"""

    players: Expr
    together: bool
    name: Name
    prompt: Text | None
    options: tuple[MenuOption, ...]
    otherwise: Block | None


@frozen
class OfferChoice(Tree):
    """`offer S together as q to choose x from E "…?":` with a block, `else:`"""

    players: Expr
    together: bool
    name: Name
    choice: Choice
    body: Block
    otherwise: Block | None


@frozen
class Destination(Tree):
    """`PLACE top face up`"""

    place: Expr
    end: str
    face: str


@frozen
class Move(Tree):
    """`move X to PLACE`"""

    what: Expr
    goal: Destination


@frozen
class MovePieces(Tree):
    """`move 2 from POOL to POOL`, `move all from a to b` (`count` None)"""

    count: Expr | None
    source: Expr
    goal: Destination


@frozen
class Draw(Tree):
    """`draw n from PLACE to PLACE as x`"""

    count: Expr
    source: Expr
    goal: Destination
    name: Name | None


@frozen
class Deal(Tree):
    """`deal n from PLACE to each hand`"""

    count: Expr
    source: Expr
    place: Name


@frozen
class Pass(Tree):
    """`pass each hand left`"""

    place: Name
    direction: str


@frozen
class Swap(Tree):
    """`swap a with b`"""

    first: Expr
    second: Expr


@frozen
class Shuffle(Tree):
    """`shuffle X`"""

    place: Expr


@frozen
class Roll(Tree):
    """`roll X`"""

    dice: Expr


@frozen
class PickRandom(Tree):
    """`pick 2 xs from S at random`"""

    count: Count
    names: tuple[Name, ...]
    source: Expr


@frozen
class Arrange(Tree):
    """`arrange X`, `p arranges X`"""

    subject: Expr | None
    what: Expr


@frozen
class Reveal(Tree):
    """`reveal X`"""

    what: Expr


@frozen
class Cover(Tree):
    """`turn X face down`"""

    what: Expr


@frozen
class Show(Tree):
    """`show X to S`"""

    what: Expr
    to: Expr


@frozen
class Tell(Tree):
    """`tell S whether E`"""

    to: Expr
    question: Expr


@frozen
class Say(Tree):
    """`say "…" to S publicly`"""

    text: Text
    to: Expr | None
    publicly: bool


@frozen
class Set(Tree):
    """`set a = e publicly`"""

    target: Expr
    value: Expr
    publicly: bool


@frozen
class Add(Tree):
    """`add n to a publicly`"""

    value: Expr
    target: Expr
    publicly: bool


@frozen
class Let(Tree):
    """`let x = e`; of several names, `let a, b = S`, each is a member of the list."""

    names: tuple[Name, ...]
    value: Expr


@frozen
class Do(Tree):
    """`do rule(args) as x`, `do card.effect(p) for this`"""

    call: Expr
    stand_in: Expr | None
    name: Name | None


@frozen
class Win(Tree):
    """`win S then T`; without a group it is `win nobody`"""

    groups: tuple[Expr, ...]


@frozen
class Eliminate(Tree):
    """`eliminate p`"""

    players: Expr


@frozen
class Original(Tree):
    """`original`, `original as paid`: what a variant's script hangs on is done"""

    name: Name | None


@frozen
class Leave(Tree):
    """`stop lap`, `skip`, `end round`"""

    how: str
    name: Name | None


@frozen
class Return(Tree):
    """`return e`"""

    value: Expr | None


@frozen
class If(Tree):
    """`if c:` … `else:` (an `else if` is an If alone in `otherwise`)"""

    condition: Expr
    body: Block
    otherwise: Block | None


@frozen
class Each(Tree):
    """`each x in S as i:`"""

    name: Name
    list: Expr
    label: Name | None
    body: Block


@frozen
class Repeat(Tree):
    """`repeat n as i:`; `count` None is `loop`"""

    count: Expr | None
    label: Name | None
    body: Block


@frozen
class Iterate(Tree):
    """`loop x from A, then B as i:`"""

    name: Name
    first: Expr
    next: Expr
    label: Name | None
    body: Block


@frozen
class Stage(Tree):
    """`stage name "Title" until C publicly:`"""

    name: Name
    title: Text | None
    until: Expr | None
    publicly: bool
    body: Block


@frozen
class Seam(Tree):
    """The sentences that a variant puts into a script. `gives` are the names of the game that they give a value to;
    `reads` are those of the sentence that they stand instead of: they are skipped where that would be.
    """

    body: Block
    variant: str
    gives: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()


@frozen
class Beneath(Tree):
    """The script's own sentences, within those of a variant that says `original`"""

    body: Block


Statement = (
    Choose | EachChooses | Menu | May | Offer | OfferChoice | Move | MovePieces | Draw | Deal | Pass | Swap | Shuffle
    | Roll | PickRandom | Arrange | Reveal | Cover | Show | Tell | Say | Set | Add | Let | Do | Win | Eliminate
    | Original | Leave | Return | If | Each | Repeat | Iterate | Stage
)  # fmt: skip
Block = tuple[Statement | Seam | Beneath, ...]

# ── keys and leaves ──────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Parameter:
    """`guest mark`: a name and its type words; no type is a player"""

    name: Name
    type: str | None
    many: bool


@frozen
class Signature(Tree):
    """`ability(me, guest mark)`"""

    name: str
    parameters: tuple[Parameter, ...]


@frozen
class Expectation(Tree):
    """A line of a scenario's `expect`: a question, or a form about players.

    `form`: "holds" (value), "may choose" / "may not choose" (subject, value), "may choose up to" (subject, value a
    number), "sees" (subject, value), "nobody asked" (subject), "has" / "has no" (subject a log, value a text), "wins" /
    "win" (subject), "nobody wins".
    """

    form: str
    subject: Expr | None = None
    value: Expr | None = None
