"""YAML leaves with a meaning: attribute values, starts, defaults and names, read as the type their field has.

In: a node and the type it must have. Out: an IR expression without locals, or a plain value. `{by: options.x, …}`
may stand wherever a leaf stands and needs a value for every choice. Never: a script; those are the checker's.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Map

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean, nearest
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.advice import printed
from rulebook.dsl.checking.expressions import BROKEN, Expressions
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.document import Layered, Mapping, Node, Scalar, Sequence, kind_of
from rulebook.dsl.parsing.parser import parse_expression
from rulebook.dsl.schema import TypeName
from rulebook.dsl.structuring.leaves import quoted
from rulebook.dsl.syntax import At
from rulebook.dsl.world import Value, World
from rulebook.source import Span

Plain = int | bool | str | None | tuple[int | str, ...]


class Readings:
    """Reads the leaves of one rulebook."""

    def __init__(self, world: World, found: list[Diagnostic], value_type: Callable[[str], t.Type]) -> None:
        self.world, self.found = world, found
        self._value_type = value_type
        self._words: dict[tuple[str, t.Type], ir.Const] = {}
        """What a word or number alone is where a type is wanted: much of what is printed is printed on many cards."""

    def leaf(self, node: Node, wanted: t.Type, where: str) -> ir.Expr:
        """A leaf of a type, perhaps by option."""
        if isinstance(node, Mapping):
            return self._by_option(node, wanted, where)
        if isinstance(node, Sequence):
            return self._list(node, wanted, where)
        if isinstance(node, Layered):
            words, got = self.world.describe(wanted), quoted(node)
            self.found.append(diagnose("RB112", node.span, where=where, what="This", wanted=words, got=got))
            return BROKEN
        at = At(node, 0, len(node.text))
        if known := self._words.get((node.text, wanted)):
            return ir.Const(known.value, type=known.type, at=at)
        if wanted == t.TEXT:
            return ir.Const(node.text, type=t.TEXT, at=at)
        if node.text == "none" and t.may_be_nothing(wanted):
            return ir.Const(None, type=t.NOTHING, at=at)
        if (meant := printed(self.world, wanted, node.text)) is not None:
            self.found.append(diagnose("RB301", node.span, where=where, wanted=meant[0], name=node.text, help=meant[2]))
            return BROKEN
        tree, mistakes = parse_expression(node, where)
        self.found += mistakes
        if tree is None:
            return BROKEN
        alone = isinstance(tree, s.Word | s.Number)
        many = len(self.found)
        checker = Expressions(self.world, Scope(), where, self.found, self._value_type)
        expr = checker.number(tree) if wanted == t.NUMBER else checker.value(tree, wanted)
        expr = checker.want(expr, wanted, tree.at, "This")
        if alone and isinstance(expr, ir.Const) and len(self.found) == many:
            self._words[node.text, wanted] = expr
        return expr

    def plain(self, node: Node, wanted: t.Type, where: str) -> Plain:
        """A value that must be known as it stands: a start, a default."""
        return self._constant(self.leaf(node, wanted, where), node.span, where)

    def _constant(self, expr: ir.Expr, span: Span, where: str) -> Plain:
        match expr:
            case ir.Const(value):
                return value
            case ir.Arithmetic("-", ir.Const(0), ir.Const(int(value))):
                return -value
            case ir.Listed(items):
                made = [self._constant(item, span, where) for item in items]
                return tuple(one for one in made if isinstance(one, int | str))
        if expr.type != t.UNKNOWN:
            wanted, got = "a value as it stands", "something to be worked out"
            self.found.append(diagnose("RB401", span, where=where, what="This", wanted=wanted, got=got))
        return None

    def _list(self, node: Sequence, wanted: t.Type, where: str) -> ir.Expr:
        if not isinstance(wanted, t.ListOf):
            words = self.world.describe(wanted)
            self.found.append(diagnose("RB401", node.span, where=where, what="This", wanted=words, got="a list"))
            return BROKEN
        return ir.Listed(tuple(self.leaf(one, wanted.item, where) for one in node), type=wanted)

    def _by_option(self, node: Mapping, wanted: t.Type, where: str) -> ir.Expr:
        by = node.get("by")
        if not isinstance(by, Scalar):
            words = self.world.describe(wanted)
            self.found.append(diagnose("RB112", node.span, where=where, what="This", wanted=words, got=kind_of(node)))
            return BROKEN
        option = by.text.removeprefix("options.")
        declared = self.world.authored.options.get(option)
        if declared is None or not by.text.startswith("options."):
            help = did_you_mean(by.text, [f"options.{one}" for one in self.world.options])
            help = help if help.startswith("Did") else "Write `by: options.NAME`."
            self.found.append(diagnose("RB301", by.span, where=where, wanted="option", name=by.text, help=help))
            return BROKEN
        choices = choices_of(declared.type, self.world.words)
        named = {shown(choice): choice for choice in choices}
        cases: list[tuple[Value, ir.Expr]] = []
        for key, value in node.items():
            if key == "by":
                continue
            if key in named:
                cases.append((named[key], self.leaf(value, wanted, where)))
                continue
            span = node.keys_at[key].span
            suggestion = did_you_mean(key, named) or None
            self.found.append(
                diagnose("RB411", span, where=where, value=key, wanted=f"a choice of `{option}`", help=suggestion)
            )
        slips = {nearest(key, named) for key in node if key != "by" and key not in named}
        missing = [name for name in named if name not in node and name not in slips]
        if missing:
            self.found.append(
                diagnose("RB111", by.span, where=where, thing=f"What goes by `{option}`", field=missing[0])
            )
        return ir.ByOption(option, tuple(cases), type=wanted)


def choices_of(option: TypeName, words: Map[str, Map[str, str]]) -> tuple[Value, ...]:
    """All values of a closed option type; none for an open one. `words` are the lists of words of the game."""
    if option.choices is not None:
        return option.choices
    if option.words == "yes_no":
        return (False, True)
    if option.low is not None and option.high is not None:
        return tuple(range(option.low, option.high + 1))
    return tuple(words.get(option.words, ()))


def shown(value: Value) -> str:
    """A choice as it is written in YAML."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
