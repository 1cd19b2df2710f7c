"""A rulebook made ready to be played with things left out: every sentence and value of it that may be, numbered.

In: a checked rulebook. Out: `Wrapped`, the same with `Watched` expressions, and what each number stands for. Never:
another game, as long as no mutant is played.

A number belongs to a place in the files: what a family or a `copy` makes twice is left out everywhere at once, or a
copy that never runs would look like one that says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from functools import cached_property
from typing import Any

from attrs import define, evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.walk import change_fields, is_expression, nodes
from rulebook.dsl.watched import Marks, Other, Watched

Role = Enum(
    "Role",
    "ANSWER CLAIM DECIDES WHERE PART OTHER_PART DENIED UNTIL OFFERED NEEDED LINE KEY SUMMAND FACTOR COUNT ROUNDS "
    "MEMORY NUMBER LIST TOLD",
)
"""The uses that a value has where it stands: a claim is a yes or no of which nothing more is known, parts are those of
an `and`, other parts those of an `or`, what is needed is a named condition, a line is one of a total."""
_ROLES: dict[tuple[type, str], Role] = {
    (ir.If, "condition"): Role.DECIDES,
    (ir.IfElse, "condition"): Role.DECIDES,
    (ir.Filter, "condition"): Role.WHERE,
    (ir.And, "left"): Role.PART,
    (ir.And, "right"): Role.PART,
    (ir.Or, "left"): Role.OTHER_PART,
    (ir.Or, "right"): Role.OTHER_PART,
    (ir.Not, "value"): Role.DENIED,
    (ir.Stage, "until"): Role.UNTIL,
    (ir.Option, "condition"): Role.OFFERED,
    (ir.Key, "value"): Role.KEY,
    (ir.Draw, "count"): Role.COUNT,
    (ir.Deal, "count"): Role.COUNT,
    (ir.MovePieces, "count"): Role.COUNT,
    (ir.Repeat, "count"): Role.ROUNDS,
}
"""By what a value stands in, and as which part of it, its role; of arithmetic `_role_of` says it."""
_AS_WRITTEN = {
    (ir.Say, "text"), (ir.Choose, "prompt"), (ir.ChooseEach, "prompt"), (ir.Menu, "prompt"), (ir.Offer, "prompt"),
    (ir.Stage, "title"), (ir.Option, "label"), (ir.Tell, "question"), (ir.Pick, "so_that"),
}  # fmt: skip
"""Parts that are left as they are: they are only told, or looked for among very many sets."""
_BELOW = {
    (ir.Assign, "target"), (ir.Source, "list"), (ir.Filter, "list"), (ir.Each, "list"), (ir.Sorted, "list"),
    (ir.Best, "list"), (ir.Pick, "least"), (ir.Pick, "most"),
}  # fmt: skip
"""Parts that the record around them looks at as they are written; only the values in them are watched."""
MEMORIES = (ir.TableMemory, ir.PlayerMemory, ir.State)
STYLE = (ir.Let, ir.Leave, ir.Return, ir.EndStage)
"""A name, a loop that is left, an answer, an end: what is said twice there is style."""
_ASKED = (ir.CallValue, ir.AskHook, ir.BuiltIn, ir.Pieces, ir.Arithmetic)


@frozen
class Site:
    """A sentence or value with its place; `owner` is the script or question around it, `around` the site of the
    sentence around it, `name` that of a line, a memory or an order of keys. Of a sentence there is no role.
    """

    number: int
    role: Role | None
    at: At | None
    owner: str
    name: str
    node: ir.Sentence | ir.Node
    around: int | None

    @property
    def words(self) -> str:
        """The author's own words."""
        return "" if self.at is None else self.at.words


@frozen
class Mutant:
    """Something left out or otherwise, by the site at which it is; `instead` says what stands there, None of a sentence
    that is left out.
    """

    number: int
    site: Site
    instead: str | None


@frozen(slots=False)
class Wrapped:
    """A rulebook that is watched, and what its numbers stand for."""

    rulebook: ir.Rulebook
    marks: Marks
    sites: tuple[Site, ...]
    mutants: tuple[Mutant, ...]
    same: dict[int, int]
    """By the mutant that leaves out an `if` without `else`, the one that answers it with no: it is played for both."""
    unwatched: frozenset[str]
    """The memories that are read somewhere where nobody watches."""

    @cached_property
    def mutants_at(self) -> dict[int, list[Mutant]]:
        """The mutants of each site."""
        mutants = defaultdict[int, list[Mutant]](list)
        for mutant in self.mutants:
            mutants[mutant.site.number].append(mutant)
        return mutants


def wrap(rulebook: ir.Rulebook) -> Wrapped:
    """Number everything in a rulebook that may be left out."""
    w = _Wrapper()
    scripts = {
        name: evolve(one, body=w.enter(name, one.at, one.body))
        for name, one in rulebook.scripts.items()
        if name != ir.TRIGGERS
    }
    if ir.TRIGGERS in rulebook.scripts:  # it is spelled out when it is lowered: only the calls in it are left out
        scripts[ir.TRIGGERS] = rulebook.scripts[ir.TRIGGERS]
        calls = tuple(node for node in nodes(scripts[ir.TRIGGERS].body) if isinstance(node, ir.DoRule))
        w.enter(ir.TRIGGERS, None, calls)
    functions = {
        name: evolve(one, body=w.enter(name, one.at, one.body, Role.ANSWER)) for name, one in rulebook.functions.items()
    }
    result = w.enter("result", None, rulebook.result)
    marks = Marks(w.sentences, w.told)
    watched = evolve(rulebook, scripts=scripts, functions=functions, result=result)
    unwatched = frozenset(w.unwatched | find_measured(rulebook))
    return Wrapped(watched, marks, (*w.sites,), (*w.mutants,), w.same, unwatched)


@define
class _Wrapper:
    """The parts numbered so far, and the place in the rulebook where it goes on."""

    sites: list[Site] = field(factory=list)
    mutants: list[Mutant] = field(factory=list)
    sentences: dict[At | None, int] = field(factory=dict)
    told: dict[At | None, int] = field(factory=dict)
    same: dict[int, int] = field(factory=dict)
    unwatched: set[str] = field(factory=set)
    _known_sites: dict[tuple[object, ...], Site] = field(factory=dict)
    _known_mutants: dict[tuple[int, str | None], int] = field(factory=dict)
    _owner: str = ""
    _at: At | None = None
    _around: int | None = None

    def enter(self, owner: str, at: At | None, body: Any, role: Role | None = None) -> Any:
        """Wrap the body of a script or question, or the result."""
        self._owner, self._at, self._around = owner, at, None
        return self._wrap(body, role)

    # ── numbers ──

    def _find_site(self, node: ir.Sentence | ir.Node, role: Role | None, name: str = "") -> Site:
        at = node.at or self._at
        key = (at, role, name) if at is not None else (self._owner, role, name, len(self._known_sites))
        if key not in self._known_sites:
            site = Site(len(self.sites), role, at, self._owner, name, node, self._around)
            self.sites.append(site)
            self._known_sites[key] = site
        return self._known_sites[key]

    def _find_mutant(self, site: Site, instead: str | None) -> int:
        key = (site.number, instead)
        if key not in self._known_mutants:
            self._known_mutants[key] = len(self.mutants)
            self.mutants.append(Mutant(len(self.mutants), site, instead))
        return self._known_mutants[key]

    # ── one dispatch ──

    def _wrap(self, value: Any, role: Role | None, name: str = "") -> Any:
        """A record, or several in a tuple, with all in it watched that may be."""
        if isinstance(value, tuple):
            return tuple(self._wrap(one, role, name) for one in value)
        before = self._at, self._around
        self._at = getattr(value, "at", None) or self._at
        match value:
            case ir.Sentence():
                wrapped = self._wrap_sentence(value)
            case ir.Const() | ir.Joined():
                wrapped = value
            case ir.Node():
                wrapped = self._wrap_expression(value, role, name)
            case ir.Conditions(lines) | ir.Total(lines):
                of = Role.NEEDED if isinstance(value, ir.Conditions) else Role.LINE
                wrapped = evolve(
                    value, lines=tuple(evolve(one, value=self._wrap(one.value, of, one.name)) for one in lines)
                )
            case ir.Result(rank, payoff):
                keys = tuple(evolve(one, value=self._wrap(one.value, Role.KEY, f"{at}")) for at, one in enumerate(rank))
                wrapped = evolve(value, rank=keys, payoff=payoff and self._wrap(payoff, Role.NUMBER))
            case ir.Key() | ir.Pick() | ir.Source() | ir.Option():
                wrapped = self._wrap_inside(value)
            case _:
                wrapped = value
        self._at, self._around = before
        return wrapped

    def _wrap_inside(self, value: Any) -> Any:
        """A record with what stands in it watched."""

        def wrap_part(name: str, part: Any) -> Any:
            if (type(value), name) in _AS_WRITTEN:
                self.unwatched |= find_memories(part)
                return part
            if (type(value), name) in _BELOW:
                if isinstance(part, MEMORIES) and not isinstance(value, ir.Assign):
                    self.unwatched.add(part.name)
                return self._wrap_inside(part) if isinstance(part, ir.Node) else part
            if isinstance(value, ir.Ordering) and name == "keys":
                return tuple(evolve(one, value=self._wrap(one.value, Role.KEY, f"{at}")) for at, one in enumerate(part))
            return self._wrap(part, _role_of(value, name))

        return change_fields(value, wrap_part)

    def _wrap_sentence(self, sentence: Any) -> Any:
        # A name that is set, a loop that is left, and an answer are there to be read; what is said twice is style.
        if not isinstance(sentence, ir.Say | ir.Tell) and sentence.at is not None:
            site = self._find_site(sentence, None)
            self.sentences[sentence.at] = self._find_mutant(site, None)
            self._around = site.number
        for name in ("text", "prompt"):
            text = getattr(sentence, name, None)
            for part in text.parts if isinstance(text, ir.Joined) else ():
                if is_expression(part) and not isinstance(part, ir.Const) and part.at is not None:
                    self.told[part.at] = self._find_site(part, Role.TOLD).number
        wrapped = self._wrap_inside(sentence)
        if isinstance(wrapped, ir.If) and not wrapped.otherwise and isinstance(wrapped.condition, Watched):
            for other in wrapped.condition.others:
                if other.value is False:
                    self.same[self.sentences[sentence.at]] = other.mutant
        return wrapped

    def _wrap_expression(self, expr: Any, role: Role | None, name: str) -> Any:
        inner, of = self._wrap_inside(expr), _find_role(expr, role)
        is_flat = role in (Role.PART, Role.OTHER_PART) and isinstance(expr, ir.And if role is Role.PART else ir.Or)
        is_denied = role is Role.DENIED and not isinstance(expr, MEMORIES)
        if of is None or is_flat or is_denied or (isinstance(expr, ir.Local) and role is None):
            return inner
        site = self._find_site(expr, of, name)
        others = tuple(Other(other, self._find_mutant(site, instead)) for instead, other in _find_others(inner, of))
        return Watched(inner, site.number, others, type=expr.type, at=expr.at)


def _role_of(record: Any, name: str) -> Role | None:
    if isinstance(record, ir.Arithmetic):
        is_neutral = record.operator == "*" or (record.operator, name) == ("/", "right")
        return Role.SUMMAND if record.operator in "+-" else Role.FACTOR if is_neutral else None
    return _ROLES.get((type(record), name))


def _find_role(expr: ir.Node, role: Role | None) -> Role | None:
    """Return the role in which an expression is watched, if it is."""
    surely = t.surely(expr.type)
    if expr.type == t.YES_NO:
        return role if role in _YES_OR_NO else Role.MEMORY if isinstance(expr, MEMORIES) else Role.CLAIM
    if surely == t.NUMBER or isinstance(surely, t.Amount):
        if role in (Role.LINE, Role.KEY, Role.SUMMAND, Role.FACTOR, Role.COUNT, Role.ROUNDS):
            return role
        return Role.MEMORY if isinstance(expr, MEMORIES) else Role.NUMBER if isinstance(expr, _ASKED) else None
    if isinstance(expr, ir.BuiltIn) and expr.name == "distinct" and role is None:
        return Role.LIST
    return Role.MEMORY if isinstance(expr, MEMORIES) else Role.KEY if role is Role.KEY else None


_YES_OR_NO = {
    Role.ANSWER, Role.DECIDES, Role.WHERE, Role.PART, Role.OTHER_PART, Role.UNTIL, Role.OFFERED, Role.NEEDED, Role.KEY,
}  # fmt: skip


def _find_others(expr: ir.Node, role: Role) -> list[tuple[str, int | bool | ir.Expr]]:
    """List what may take the place of a value, each with its word."""
    if isinstance(expr, ir.BuiltIn) and expr.name in ("min", "max", "distinct") and role is not Role.KEY:
        # The greater of two numbers may always be the same one, and a list have nothing twice.
        arguments = [(argument.at, argument) for argument in expr.arguments if argument.type == expr.type]
        if len(arguments) == len(expr.arguments):
            return [(f"`{at.words}`", argument) for at, argument in arguments if at is not None]
    if any(isinstance(node, ir.IsText) for node in nodes(expr)):
        return []  # below it, a card is taken for a card: no rule says otherwise
    match role:
        case Role.PART | Role.NEEDED:
            return [("yes", True)]
        case Role.OTHER_PART:
            return [("no", False)]
        case Role.LINE | Role.KEY | Role.SUMMAND:
            return [("0", 0)]
        case Role.FACTOR | Role.ROUNDS:
            return [("1", 1)]
    return [("yes", True), ("no", False)] if expr.type == t.YES_NO else []


def find_memories(value: Any) -> set[str]:
    """Return the memories and states that are named in something."""
    return {one.name for one in nodes(value) if isinstance(one, MEMORIES)}


def find_measured(rulebook: ir.Rulebook) -> set[str]:
    """Return the memories that a measure reads, itself or through a question: they are not for nothing."""
    asked = tuple(measure.value for measure in rulebook.measures)
    names = {call.function for call in nodes(asked) if isinstance(call, ir.CallValue)}
    return find_memories(asked).union(*(find_memories(rulebook.functions[name].body) for name in names))
