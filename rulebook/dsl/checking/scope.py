"""Lexical scope with flow-sensitive type narrowing: the locals at one spot of a script, what `it` is there, and the
types that conditions before it have narrowed: below `if g is a note`, `g.value` may be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import define, field, fields, has

from rulebook.classes import frozen
from rulebook.dsl import ir, schema
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.walk import children, everything, is_expression, statements
from rulebook.dsl.world import Parameter

Facts = dict[ir.Expr, t.Type]
"""Narrowed types at one spot: by expression, the type that is known there; the keys are `bare`."""

Answered = dict[int, frozenset[ir.Expr]]
"""By the slot of sealed answers, the players, and lists of them, of whom each has surely given one; all are `bare`."""


@define
class Scope:
    """The locals of one script. `facts` grow and shrink with the flow; `reads` collects the slots of one sentence."""

    names: list[str] = field(factory=list)
    types: list[t.Type] = field(factory=list)
    bound: dict[str, int] = field(factory=dict)
    it: int | None = None
    facts: Facts = field(factory=dict)
    absent: set[int] = field(factory=set)
    answered: Answered = field(factory=dict)
    unbounded: dict[int, str] = field(factory=dict)
    """By the slot of what may be nothing, the memory because of which a range of numbers may be empty."""
    counters: set[int] = field(factory=set)
    """Slots that count the rounds of a loop, from 1 on."""
    reads: set[int] = field(factory=set)
    aliases: dict[str, int | None] = field(factory=dict)
    """Names that are being bound: in their own `where`, and in one within it, they mean the thing that it goes through,
    which is in that slot; before there is a `where`, there is none.
    """
    script: s.Block = ()
    """All of the script, for who asks what names it binds further down."""
    own: dict[str, dict[str, int]] = field(factory=dict)
    """The names that variants gave at sentences of the script, by variant: only their own sentences know them."""
    around: list[tuple[dict[str, int], Collection[str]]] = field(factory=list)
    """The names around each variant's sentences at this spot, and those that such sentences give a value to."""
    ended: dict[str, tuple[str, At]] = field(factory=dict)
    """Names of loops and windows that are over: the word that those begin with, and where it made the name."""
    hidden: dict[str, ir.Expr] = field(factory=dict)
    """Names with a fixed meaning instead of a slot: the players of a scenario, and what is printed on a card where its
    `copies` are counted.
    """

    def add_slot(self, name: str, type: t.Type) -> int:
        """Make a new slot that the name now means."""
        slot = len(self.names)
        self.names.append(name)
        self.types.append(type)
        self.bound[name] = slot
        return slot

    def add_unnamed(self, name: str, type: t.Type) -> int:
        """Make a new slot that no word of the script means."""
        self.names.append(name)
        self.types.append(type)
        return len(self.names) - 1

    def bind_slot(self, name: str, type: t.Type) -> int | None:
        """Return the slot for a name that a sentence binds: the same again where the types agree, None where not."""
        slot = self.bound.get(name)
        if slot is None:
            return self.add_slot(name, type)
        known = self.types[slot]
        if t.UNKNOWN in (known, type) or known == t.ListOf(t.UNKNOWN):
            self.types[slot] = type if known in (t.UNKNOWN, t.ListOf(t.UNKNOWN)) else known
        elif t.surely(known) != t.surely(type) and not t.fits(type, known):
            if not t.fits(known, type):
                return None
            self.types[slot] = type
        elif t.may_be_nothing(type):
            self.types[slot] = t.maybe(known)
        self.forget_facts(slot)
        return slot

    def note_counter(self, slots: Iterable[int]) -> int | None:
        """Note which slot, if there is one, counts the rounds of a loop, and return it."""
        slot = next(iter(slots), None)
        if slot is not None:
            self.counters.add(slot)
        return slot

    def read_local(self, slot: int, at: At | None) -> ir.Local:
        """Read a slot."""
        self.reads.add(slot)
        return ir.Local(slot, self.names[slot], type=self.types[slot], at=at)

    @contextmanager
    def among(self, variant: str, gives: Collection[str] = ()) -> Iterator[None]:
        """Let the names of a variant mean something too, as long as its sentences are checked, and give them those that
        they bind: all but those that a sentence of the game gave a value to, in whose place they stand.
        """
        self.around.append((self.bound, gives))
        self.bound = self.bound | self.own.get(variant, {})
        yield
        self._keep_own(variant)
        outer, _ = self.around.pop()
        self.bound = outer | {name: self.bound[name] for name in gives if name in self.bound}

    @contextmanager
    def beneath(self, variant: str) -> Iterator[None]:
        """Let names mean what they mean around the sentences of a variant, as long as those are checked that lie
        beneath them.
        """
        self._keep_own(variant)
        within = self.bound
        self.bound, gives = self.around.pop()
        yield
        self.around.append((self.bound, gives))
        self.bound = within | self.bound | self.own[variant]

    def _keep_own(self, variant: str) -> None:
        outer, gives = self.around[-1]
        new = {name: slot for name, slot in self.bound.items() if outer.get(name) != slot and name not in gives}
        self.own[variant] = self.own.get(variant, {}) | new

    def is_of_the_game(self, name: str) -> bool:
        """Tell whether, among the sentences of a variant, a name is that of the script around them."""
        if not self.around or name not in self.bound:
            return False
        outer, gives = self.around[-1]
        return outer.get(name) == self.bound[name] and name not in gives

    def find_owner(self, name: str) -> str | None:
        """Return the variant whose own name it is."""
        return next((variant for variant, names in self.own.items() if name in names), None)

    def forget_facts(self, slot: int) -> None:
        """Drop what was known of a slot that has just been bound anew."""
        if self.facts:
            self.facts = {known: type for known, type in self.facts.items() if not _mentions(known, slot)}
        self.answered = {
            name: frozenset(player for player in players if not _mentions(player, slot))
            for name, players in self.answered.items()
            if name != slot
        }
        self.absent.discard(slot)
        self.counters.discard(slot)

    @contextmanager
    def element(self, name: str, type: t.Type) -> Iterator[int]:
        """Make a slot for `it` (or a `for` name) that means something only inside one expression."""
        outer_it, outer_slot, facts = self.it, self.bound.get(name), self.facts
        slot = self.add_slot(name, type)
        self.facts = dict(facts)
        aliases = self.aliases
        if name == "it":
            self.it = slot
            del self.bound[name]
            self.aliases = {alias: slot if known is None else known for alias, known in aliases.items()}
        yield slot
        self.it, self.aliases = outer_it, aliases
        self.facts = facts
        if outer_slot is not None:
            self.bound[name] = outer_slot
        else:
            self.bound.pop(name, None)

    @contextmanager
    def binding(self, *names: str) -> Iterator[None]:
        """Let names that are being bound mean, in their own `where`, what it goes through."""
        outer = self.aliases
        known = {alias: slot for alias, slot in outer.items() if slot is not None}
        self.aliases = {**known, **dict.fromkeys(names)}
        yield
        self.aliases = outer

    @contextmanager
    def assuming(self, facts: Facts) -> Iterator[None]:
        """Let these facts hold for a while too."""
        outer, self.facts = self.facts, {**self.facts, **facts}
        yield
        self.facts = outer


def _mentions(expr: ir.Expr, slot: int) -> bool:
    return any(isinstance(node, ir.Local) and node.slot == slot for node in everything(expr))


_FIXED = (ir.Const, ir.OptionValue, ir.Local, ir.Attribute)
_UNMOVED = (*_FIXED, ir.State, ir.TableMemory, ir.PlayerMemory)


@frozen
class Elsewhere:
    """Memories and states that change without a sentence that sets them: `lasting` with a stage, by its name, and
    `triggered` by the scripts of `whenever`, None for all.
    """

    lasting: Mapping[str, frozenset[str]] = field(factory=dict)
    triggered: frozenset[str] | None = frozenset()


def find_lasting(authored: schema.Authored) -> dict[str, frozenset[str]]:
    """Find by each stage the memories and states that return to their start when it ends."""
    names: dict[str, set[str]] = {}
    memory = authored.memory
    for fields_of in (memory.table, memory.player, *(kind.state for kind in authored.kinds.values())):
        for name, entry in fields_of.items():
            if entry.lasts is not None:
                names.setdefault(entry.lasts.text, set()).add(name)
    for kind in authored.kinds.values():
        for name, stage in kind.may_change.lasts.items():
            names.setdefault(stage.text, set()).add(name)
    return {stage: frozenset(lasting) for stage, lasting in names.items()}


def find_set(trees: Iterable[s.Block]) -> frozenset[str] | None:
    """Find the memories and states that scripts set; None where they do more than that, and anything may change."""
    names = set[str]()
    for node in walk_syntax(tuple(trees)):
        match node:
            case s.Set(target=s.Index(owner=target)) | s.Add(target=s.Index(owner=target)):
                names.add(target.name if isinstance(target, s.Word | s.Dot) else "")
            case s.Set(target=s.Word() | s.Dot() as target) | s.Add(target=s.Word() | s.Dot() as target):
                names.add(target.name)
            case _ if isinstance(node, _CHANGING):
                return None
    return frozenset(names)


_CHANGING = (
    s.Move | s.MovePieces | s.Draw | s.Deal | s.Pass | s.Swap | s.Shuffle | s.Roll | s.Arrange | s.Do | s.Eliminate
    | s.Stage | s.Set | s.Add
)  # fmt: skip
_MAY_TRIGGER = (
    ir.Assign | ir.Moving | ir.Mixing | ir.Roll | ir.Reveal | ir.Cover | ir.Eliminate | ir.Stage
)


def still_known(facts: Facts, statement: ir.Statement, elsewhere: Elsewhere) -> Facts:
    """Drop the narrowed types that a sentence, or one in its blocks, may invalidate; return the others."""
    if not facts:
        return facts
    inside = [*statements((statement,))]
    if elsewhere.triggered != frozenset() and any(isinstance(inner, _MAY_TRIGGER) for inner in inside):
        facts = _drop_set(facts, elsewhere.triggered)
    for inner in inside:
        if bound := ir.find_bound(inner):
            facts = {known: type for known, type in facts.items() if not any(_mentions(known, slot) for slot in bound)}
        match inner:
            case ir.Assign(target):
                facts = {known: type for known, type in facts.items() if not _hangs_on(known, (target.name,))}
            case ir.DoRule() | ir.DoHook():
                facts = {known: type for known, type in facts.items() if _consists_of(known, _FIXED)}
            case ir.Moving() | ir.Mixing() | ir.Roll() | ir.Eliminate():
                facts = {known: type for known, type in facts.items() if _consists_of(known, _UNMOVED)}
            case ir.Stage(name) if name in elsewhere.lasting:
                facts = _drop_set(facts, elsewhere.lasting[name])
    return facts


def _drop_set(facts: Facts, names: frozenset[str] | None) -> Facts:
    """Drop what may be otherwise once these memories and states are set; None: anything may change."""
    if names is None:
        return {known: type for known, type in facts.items() if _consists_of(known, _FIXED)}
    return {known: type for known, type in facts.items() if not _hangs_on(known, names)}


def known_in_every_round(facts: Facts, body: s.Block) -> Facts:
    """Return the narrowed types that hold in every round of a loop: of names to which its body gives no value."""
    if not facts:
        return facts
    names = find_named(body)
    return {known: type for known, type in facts.items() if isinstance(known, ir.Local) and known.name not in names}


def still_answered(answered: Answered, statement: ir.Statement) -> Answered:
    """Drop who has another name, or the answers under one, behind a sentence; return the others."""
    if not answered or isinstance(statement, ir.ChooseEach):
        return answered
    bound = {slot for inner in statements((statement,)) for slot in ir.find_bound(inner)}
    return {
        name: frozenset(player for player in players if not any(_mentions(player, slot) for slot in bound))
        for name, players in answered.items()
        if name not in bound
    }


def answered_in_every_round(answered: Answered, body: s.Block) -> Answered:
    """Return who has surely given sealed answers in every round of a loop: not who gets another name in it."""
    names = find_named(body) if answered else set()

    def stays(player: ir.Expr) -> bool:
        return not any(isinstance(node, ir.Local) and node.name in names for node in everything(player))

    return {slot: frozenset(filter(stays, players)) for slot, players in answered.items()}


def find_answered(scope: Scope, listed: ir.Expr, slot: int) -> Answered:
    """Return who has surely given sealed answers in a loop through a list, whose name is in a slot."""
    while isinstance(listed, ir.Filter | ir.Sorted | ir.Best):
        listed = listed.list
    this = bare(ir.Local(slot, scope.names[slot], type=t.PLAYER))
    whole = bare(listed)
    return {name: players | {this} if whole in players else players for name, players in scope.answered.items()}


def find_named(tree: Any) -> set[str]:
    """Return every name that sentences of a script bind or set. Those of loops, stages and places are no such names."""
    match tree:
        case tuple():
            return set[str]().union(*map(find_named, tree))
        case s.Name(text):
            return {text}
        case s.Set(s.Word(name)) | s.Add(_, s.Word(name)):
            return {name}
        case s.Stage():
            return find_named(tree.body)
        case s.Tree() if not isinstance(tree, s.Leave | s.Pass | s.Deal):
            return set[str]().union(*(find_named(getattr(tree, name)) for name in _fields_of(tree)))
    return set()


def walk_syntax(tree: Any) -> Iterator[Any]:
    """Yield every node of sentences or a question, each before its parts."""
    if type(tree) is tuple:
        for item in tree:
            yield from walk_syntax(item)
    elif has(type(tree)):
        yield tree
        for name in _fields_of(tree):
            yield from walk_syntax(getattr(tree, name))


def _fields_of(tree: Any) -> list[str]:
    return [attribute.name for attribute in fields(type(tree)) if attribute.name != "at"]


def find_originals(tree: Any) -> list[s.Original | s.OriginalAnswer]:
    """Return every `original` that is written in sentences or a question."""
    return [node for node in walk_syntax(tree) if isinstance(node, s.Original | s.OriginalAnswer)]


def find_stages(block: s.Block) -> list[str]:
    """Return the names of all stages that a script enters."""
    return [node.name.text for node in walk_syntax(block) if isinstance(node, s.Stage)]


def find_ended_stages(block: s.Block) -> list[str]:
    """Return the names of all stages that a script ends."""
    return [end.name.text for end in walk_syntax(block) if isinstance(end, s.Leave) and end.how == "end" and end.name]


def _consists_of(expr: ir.Expr, classes: tuple[type, ...]) -> bool:
    return isinstance(expr, classes) and all(_consists_of(child, classes) for child in children(expr))


def _hangs_on(expr: ir.Expr, names: Collection[str]) -> bool:
    """Tell whether setting one of these memories and states may change the value."""
    if isinstance(expr, ir.CallValue | ir.AskHook):
        return True
    same = isinstance(expr, ir.TableMemory | ir.PlayerMemory | ir.State) and expr.name in names
    return same or any(_hangs_on(child, names) for child in children(expr))


def bare(expr: ir.Expr) -> ir.Expr:
    """Return an expression without its types, as facts know it: what is known already is no part of it."""
    parts: dict[str, Any] = {}
    for attribute in fields(type(expr)):
        value = getattr(expr, attribute.name)
        if is_expression(value):
            value = bare(value)
        elif isinstance(value, tuple):
            value = tuple(bare(item) if is_expression(item) else item for item in value)
        parts[attribute.name] = value
    return type(expr)(**parts | {"type": t.UNKNOWN, "at": None})


def in_either(facts: Facts, other: Facts) -> Facts:
    """Return what is known where one of two things holds, and nobody knows which."""
    return {known: t.either(type, other[known]) for known, type in facts.items() if known in other}


def when_true(condition: ir.Expr) -> Facts:
    """Return what is known where the condition is yes."""
    known = _WHEN_TRUE.get(type(condition))
    return {} if known is None else known(condition)


def when_false(condition: ir.Expr) -> Facts:
    """Return what is known where the condition is no."""
    known = _WHEN_FALSE.get(type(condition))
    return {} if known is None else known(condition)


def _is_filled(items: ir.Expr) -> Facts:
    """Return what is known of the ends of a list that is not empty."""
    of = t.surely(items.type)
    if not isinstance(of, t.ListOf) or t.may_be_nothing(of.item):
        return {}
    return {bare(ir.BuiltIn(name, (items,), type=of.item)): of.item for name in ("first", "last")}


def _is_more(condition: ir.Compare) -> Facts:
    """Return what is known of a list of which there are more than some: `count(S) > 0`."""
    match condition:
        case ir.Compare(">", ir.BuiltIn("count", (items,)), ir.Const(int(number))) if number >= 0:
            return _is_filled(items)
        case ir.Compare(">=", ir.BuiltIn("count", (items,)), ir.Const(int(number))) if number > 0:
            return _is_filled(items)
    return {}


def _is_not_less(condition: ir.Compare) -> Facts:
    """Return what is known of a list of which there are not less than some: `not count(S) < 2`, `count(S) is not 0`."""
    match condition:
        case ir.Compare("<=", ir.BuiltIn("count", (items,)), ir.Const(int(number))) if number >= 0:
            return _is_filled(items)
        case ir.Compare("<", ir.BuiltIn("count", (items,)), ir.Const(int(number))) if number > 0:
            return _is_filled(items)
        case ir.Compare("==", ir.BuiltIn("count", (items,)), ir.Const(0)):
            return _is_filled(items)
    return {}


def _is_equal(condition: ir.Compare) -> Facts:
    left, right = condition.left, condition.right
    if condition.operator != "==":
        return _is_more(condition)
    return {
        bare(this): _narrow_mixed(this.type, other.type)
        for this, other in ((left, right), (right, left))
        if not isinstance(this, ir.Const) and not t.may_be_nothing(other.type)
    }


def _is_within(condition: ir.Within) -> Facts:
    listed = condition.list.type
    if not isinstance(listed, t.ListOf) or t.may_be_nothing(listed.item) or isinstance(condition.value, ir.Const):
        return {}
    return {bare(condition.value): _narrow_mixed(condition.value.type, listed.item)}


def _narrow_mixed(of: t.Type, equal: t.Type) -> t.Type:
    """Narrow what may be a text or word or something else to what may be equal to a thing of the other type. Nothing
    else is told apart by being equal: at run time numbers, players, cards and positions are numbers all of them.
    """
    worded = {member for member in t.members(t.surely(of)) if isinstance(member, t.Text | t.Symbol)}
    rest = t.members(t.surely(of)) - worded
    others = t.members(t.surely(equal))
    if worded and rest and not any(isinstance(type, t.Text | t.Symbol) for type in others):
        return t.either(*rest)
    if worded and rest and all(isinstance(type, t.Text | t.Symbol) for type in others):
        return t.either(*worded)
    return t.surely(of)


def _split_mixed(value: ir.Expr, *, worded: bool) -> Facts:
    """Return what is known of what is a text or word, or is none."""
    members = [member for member in t.members(value.type) if isinstance(member, t.Text | t.Symbol) is worded]
    return {bare(value): t.either(*members)} if members else {}


def _is_card(condition: ir.IsKind | ir.IsCard) -> Facts:
    value, kinds = condition.value, condition.kinds
    if not kinds:
        return {bare(value): t.surely(value.type)} if isinstance(condition, ir.IsCard) else {}
    cards = [member.kinds & kinds for member in t.members(value.type) if isinstance(member, t.Card)]
    ids = frozenset().union(*cards) if cards else frozenset()
    return {bare(value): t.Card(ids)} if ids else {}


def _is_no_card(condition: ir.IsKind) -> Facts:
    value, kinds = condition.value, condition.kinds
    rest: list[t.Type] = []
    for member in t.members(value.type):
        if not isinstance(member, t.Card):
            rest.append(member)
        elif not member.kinds <= kinds:
            rest.append(t.Card(member.kinds - kinds))
    return {bare(value): t.either(*rest)} if rest else {}


_WHEN_TRUE: dict[type, Callable[[Any], Facts]] = {
    ir.And: lambda both: {**when_true(both.left), **when_true(both.right)},
    ir.Or: lambda either: in_either(when_true(either.left), when_true(either.right)),
    ir.Not: lambda opposite: when_false(opposite.value),
    ir.Compare: _is_equal,
    ir.Within: _is_within,
    ir.IsKind: _is_card,
    ir.IsCard: _is_card,
    ir.IsText: lambda condition: _split_mixed(condition.value, worded=True),
}
_WHEN_FALSE: dict[type, Callable[[Any], Facts]] = {
    ir.Or: lambda neither: {**when_false(neither.left), **when_false(neither.right)},
    ir.And: lambda both: in_either(when_false(both.left), when_false(both.right)),
    ir.Not: lambda opposite: when_true(opposite.value),
    ir.Compare: _is_not_less,
    ir.IsEmpty: lambda condition: _is_filled(condition.list),
    ir.IsNothing: lambda condition: {bare(condition.value): t.surely(condition.value.type)},
    ir.IsEmptyCell: lambda condition: {bare(condition.cell): t.surely(condition.cell.type)},
    ir.IsKind: _is_no_card,
    ir.IsText: lambda condition: _split_mixed(condition.value, worded=False),
}


@define(eq=False)
class Original:
    """The script that another one hangs on.

    `name` is that of what lies beneath, `place` how the script hangs on it, `parameters` those of both, with `this`;
    `answer` finds what it answers or gives back, `question` tells which of the two. `kept_as`: the slots of parameters
    that the script uses for something else, with the slot in which they are kept; `used` is where it used `original`.
    """

    name: str
    place: str
    parameters: tuple[Parameter, ...]
    answer: Callable[[], t.Type]
    question: bool
    kept_as: dict[int, int] = field(factory=dict)
    used: At | None = None

    def arguments(self, scope: Scope, at: At) -> tuple[ir.Expr, ...]:
        """Return what this script was given."""
        return tuple(scope.read_local(self.kept_as.get(slot, slot), at) for slot in range(len(self.parameters)))


def find_misuse(original: Original | None, at: At, *, question: bool) -> tuple[str, str] | None:
    """Return why `original` means nothing at a place, or not in this way, and what to do; None if it is right there."""
    if original is None:
        help = "It stands in what a variant writes below `instead of`, for what lay there before."
        return "stands for nothing here", help
    if question and not original.question:
        return "is done here, not asked", "It is a sentence of its own; `original as paid` names what it gives back."
    if original.question and not question:
        return "is asked here, not done", "It stands for the answer: `return original`."
    # What hangs before or after has its `original` by itself: nobody wrote it, and it has no length.
    if original.place != "instead of" and at.start != at.end:
        which = "The script begins" if original.place == "after" else "The script ends"
        help = f"{which} with it. To say where it stands, hang this `instead of`."
        return f"stands by itself in what hangs `{original.place}`", help
    original.used = original.used or at
    if original.used is not at:
        help = "Keep its answer: `let usual = original`." if question else "Put before and behind it what differs."
        return "stands here for the second time", help
    return None
