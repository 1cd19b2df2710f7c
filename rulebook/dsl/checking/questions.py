"""The checker of questions: values, what cards answer, when an action is possible, the payoff.

In: the parameters of a question and its body: one expression, named lines, a pure script, or a layer on any of them.
Out: `ir.Function`s and located messages. Never: checks what is done.
"""

from __future__ import annotations

from abc import abstractmethod

from attrs import define, field

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir, schema
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.expressions import BROKEN, Expressions
from rulebook.dsl.checking.layering import Original
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.checking.statements import Statements
from rulebook.dsl.document import Layered, Mapping, Node, Scalar
from rulebook.dsl.naming.layer_names import beneath
from rulebook.dsl.parsing.parser import is_block, parse_expression, parse_script
from rulebook.dsl.structuring.leaves import folded
from rulebook.dsl.syntax import At
from rulebook.dsl.world import Parameter, World

_DEEPEST = 32  # questions that ask one another


@define
class Questions:
    """Checks the questions of one rulebook, values when they are first asked, so that their answers have types."""

    world: World
    found: list[Diagnostic]
    functions: dict[str, ir.Function] = field(factory=dict)
    _bodies: dict[str, schema.Named] = field(factory=dict)
    _answers: dict[str, t.Type] = field(factory=dict)
    _under_way: list[str] = field(factory=list)

    @abstractmethod
    def rule_type(self, name: str) -> t.Type:
        """What a rule gives back."""

    def _expressions(self, scope: Scope, where: str) -> Expressions:
        return Expressions(self.world, scope, where, self.found, self.value_type)

    def value_type(self, name: str) -> t.Type:
        """What a value answers; checks it when nobody has yet."""
        if name in self._answers:
            return self._answers[name]
        if name in self._under_way:
            entry = self._bodies[name]
            chain = " asks ".join([*self._under_way[self._under_way.index(name) :], name])
            self.found.append(
                diagnose(
                    "RB401", entry.key.span, what=f"`{name}`", wanted="a question that ends", got=f"a circle: {chain}"
                )
            )
            return t.UNKNOWN
        if len(self._under_way) == _DEEPEST:
            span, help = self._bodies[name].key.span, "Reckon it in fewer steps."
            problem = f"a question behind {_DEEPEST} others"
            self.found.append(diagnose("RB106", span, problem=problem, help=help))
            return t.UNKNOWN
        self._under_way.append(name)
        signature = self.world.values[name]
        function = self._function(
            f"values.{name}", signature.parameters, self._bodies[name].body, f"value {name}", None
        )
        self._under_way.pop()
        self._answers[name] = function.type
        self.functions[function.name] = function
        return function.type

    def _function(
        self, name: str, parameters: tuple[Parameter, ...], body: Node, where: str, wanted: t.Type | None
    ) -> ir.Function:
        """A pure question, as one expression, named lines, or a pure script, with what that hangs on."""
        scope = Scope()
        for one in parameters:
            scope.add(one.name, one.type)
        e = self._expressions(scope, where)
        if isinstance(body, Layered):
            if body.place == "after":
                self.found.append(diagnose("RB412", body.span, where=where))
                return self._function(name, parameters, body.beneath, where, wanted)
            e.original = self._original(name, parameters, body, where, wanted)
        answer: t.Type = t.UNKNOWN
        made: ir.Body = BROKEN
        at = None
        if isinstance(body, Mapping) and "by" not in body:
            lines = []
            for label, node in body.items():
                if not isinstance(node, Scalar):
                    what, wants, got = f"`{label}`", "a question or a sum", "a map or a list"
                    self.found.append(diagnose("RB112", node.span, where=where, what=what, wanted=wants, got=got))
                    continue
                inner = self._expressions(scope, f"{where}, {label}")
                lines.append((ir.Line(label, self._leaf(inner, node, wanted), at=At(node, 0, len(node.text))), node))
            answer, made = self._lines(e, lines, wanted)
        elif isinstance(body, Scalar):
            at = At(body, 0, len(body.text))
            if body.style == "folded":
                self.found.append(folded(body, where))
            elif (is_block(body.text) and body.style == "literal") or _is_before(e):
                tree, mistakes = parse_script(body, where)
                self.found += _no_script(body, where) or mistakes if mistakes and _is_before(e) else mistakes
                if tree is not None:
                    made, answer = self._script_of(tree, e)
            else:
                made = self._leaf(e, body, wanted)
                answer = made.type
        else:
            wants = "text, or a map of named lines"
            self.found.append(
                diagnose("RB112", body.span, where=where, what="A question", wanted=wants, got="a list")
            )
        if wanted is not None and not t.fits(answer, wanted):
            self.found.append(
                diagnose(
                    "RB402" if wanted == t.YES_NO else "RB401",
                    body.span,
                    where=where,
                    what="This",
                    wanted=self.world.describe(wanted),
                    got=self.world.describe(answer),
                )
            )
        slots = ir.Slots(tuple(scope.names), tuple(scope.types))
        return ir.Function(name, len(parameters), slots, answer, made, at=at)

    def _script_of(self, tree: s.Block, e: Expressions) -> tuple[ir.Block, t.Type]:
        statements = Statements(e, self.rule_type, pure=True)
        made = statements.whole(tree)
        before = _is_before(e)
        if len(statements.returned) > before:  # what hangs before a question returns its answer by itself
            return made, statements.answer(made)
        help = "A question ends with `return` and the answer."
        if before:
            help = "Hung `before` a question, a script may `return` an answer, or leave it to the original."
        e.report("RB401", tree[0].at, help, what="This", wanted="an answer", got="a script without one")
        return made, t.UNKNOWN

    def _original(
        self, name: str, parameters: tuple[Parameter, ...], hung: Layered, where: str, wanted: t.Type | None
    ) -> Original:
        """What a layer hangs on, checked when the layer asks it: else it is no part of the game any more."""
        below = beneath(name)

        def answer() -> t.Type:
            if below not in self.functions:
                self.functions[below] = self._function(below, parameters, hung.beneath, beneath(where), wanted)
            return self.functions[below].type if wanted is None else wanted

        return Original(below, hung.place, parameters, answer, question=True)

    def _leaf(self, e: Expressions, node: Scalar, wanted: t.Type | None) -> ir.Expr:
        tree, mistakes = parse_expression(node, e.where)
        self.found += mistakes
        if tree is None:
            return BROKEN
        return e.question(tree) if wanted == t.YES_NO else e.value(tree, wanted)

    def _lines(
        self, e: Expressions, lines: list[tuple[ir.Line, Scalar]], wanted: t.Type | None
    ) -> tuple[t.Type, ir.Body]:
        """Named conditions if every line is a yes or no, named sums otherwise."""
        made = tuple(line for line, _ in lines)
        if wanted == t.YES_NO or all(t.fits(line.value.type, t.YES_NO) for line in made):
            return t.YES_NO, ir.Conditions(made)
        answer: t.Type = t.NUMBER
        for line, node in lines:
            if line.value.type == t.AMOUNT:
                answer = t.AMOUNT
            elif line.value.type not in (t.NUMBER, t.UNKNOWN):
                e.report(
                    "RB401",
                    At(node, 0, len(node.text)),
                    what=f"`{line.name}`",
                    wanted="a number or an amount",
                    got=e.words(line.value.type),
                )
        return answer, ir.Total(made)


def _is_before(e: Expressions) -> bool:
    """Whether this hangs before a question, and so is a script, be it one of one line."""
    return e.original is not None and e.original.place == "before"


def _no_script(body: Scalar, where: str) -> list[Diagnostic]:
    """The message about an answer where a script was wanted; none if it is no answer either."""
    if parse_expression(body)[0] is None:
        return []
    help = f"Under an `if`, write `return {body.text.strip()}`. To answer anew, hang this `instead of` it."
    what, wanted = "What hangs `before` a question", "a script that may `return` an answer"
    return [diagnose("RB112", body.span, where=where, help=help, what=what, wanted=wanted, got="the answer alone")]
