"""What every check of a statement shares: the script's locals, guards, loops, who is asked.

In: sentences as the other parts check them. Out: slots, guards and the loops around a line. Never: makes a statement.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field

from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.expressions import Expressions
from rulebook.dsl.checking.scope import Scope, known_in_every_round


@define
class Round:
    """A loop around the current line: its name for `stop` and `skip`, and whether it goes through a list."""

    label: str
    over_list: bool


@define
class Sentences:
    """Checks the statements of one script. `returned` is what it gives back, `unfilled` its lists without items."""

    expressions: Expressions
    rule_type: Callable[[str], t.Type]
    pure: bool
    returned: list[ir.Expr | None] = field(factory=list)
    unfilled: list[tuple[int, s.At]] = field(factory=list)
    rounds: list[Round] = field(factory=list)
    scope: Scope = field(init=False)
    """The script's locals."""

    def __attrs_post_init__(self) -> None:
        self.scope = self.expressions.scope

    @abstractmethod
    def block(self, trees: s.Block) -> ir.Block:
        """Every sentence in turn."""

    @abstractmethod
    def statement(self, tree: s.Statement) -> ir.Statement | None:
        """One sentence; None when it is broken."""

    def guards(self) -> tuple[int, ...]:
        return tuple(sorted(self.scope.reads & self.scope.absent)) if self.scope.absent else ()

    def bind(self, name: s.Name, type: t.Type, *, actor: bool = False) -> int:
        """The slot of a name that this sentence binds. It has no other meaning, and only an `actor` may be `me`."""
        self.expressions.new_name(name.text, name.at, actor=actor)
        guarded = bool(self.guards())
        slot = self.scope.bind(name.text, type)
        if slot is None:
            known = self.expressions.words(self.scope.types[self.scope.bound[name.text]])
            help = f"`{name.text}` was {known} before. A name has one type: choose another name."
            self.expressions.report(
                "RB401", name.at, help, what=f"`{name.text}`", wanted=known, got=self.expressions.words(type)
            )
            return self.scope.bound[name.text]
        if guarded:
            self.scope.absent.add(slot)
        return slot

    @contextmanager
    def inside(self, name: s.Name, type: t.Type) -> Iterator[int]:
        """The slot of a name that has this meaning only inside a sentence; behind it, it means what it meant before."""
        outer = self.scope.bound.pop(name.text, None)
        yield self.bind(name, type)
        del self.scope.bound[name.text]
        if outer is None:
            self.scope.closed.add(name.text)
        else:
            self.scope.bound[name.text] = outer

    @contextmanager
    def round(self, label: str, body: s.Block, *, over_list: bool) -> Iterator[None]:
        self.rounds.append(Round(label, over_list))
        facts = self.scope.facts
        self.scope.facts = known_in_every_round(facts, body)
        yield
        self.scope.facts = facts
        self.rounds.pop()

    def asked(self, asking: s.Asking) -> ir.Expr:
        e = self.expressions
        if asking.subject is not None:
            return e.want(e.value(asking.subject), t.PLAYER, asking.subject.at, "Who chooses")
        if "me" not in self.scope.bound:
            return e.report("RB306", asking.at, "Nobody is `me` here: say who chooses (`p chooses …`).", name="me")
        return self.scope.local(self.scope.bound["me"], asking.at)


def written(tree: s.Expr) -> str:
    """The expression as its author wrote it."""
    return tree.at.scalar.text[tree.at.start : tree.at.end].strip()


def always_leaves(block: ir.Block) -> bool:
    """Whether a block never comes to its end."""
    if not block:
        return False
    match block[-1]:
        case ir.Leave() | ir.Return() | ir.EndStage() | ir.Win():
            return True
        case ir.If(_, then, otherwise):
            return always_leaves(then) and always_leaves(otherwise)
    return False


def stages(block: s.Block) -> list[str]:
    """The names of all stages that a script enters."""
    names: list[str] = []
    for tree in block:
        match tree:
            case s.Stage(name, _, _, _, body):
                names += [name.text, *stages(body)]
            case s.If(_, body, otherwise) | s.May(_, _, body, otherwise):
                names += [*stages(body), *stages(otherwise or ())]
            case s.Each(_, _, _, body) | s.Repeat(_, _, body):
                names += stages(body)
            case s.Choose(_, _, _, taken, otherwise):
                names += [*stages(taken or ()), *stages(otherwise or ())]
            case s.Menu(_, _, options, otherwise) | s.Offer(_, _, _, _, options, otherwise):
                for option in options:
                    names += stages(option.body)
                names += stages(otherwise or ())
    return names
