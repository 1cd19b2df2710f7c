"""From the parser's raw trees to syntax nodes: one method for each rule of the grammar that makes a node.

In: Lark trees of one script. Out: `syntax` nodes with their places; what the grammar cannot forbid is told to
`fault`. Never: checks a name or a type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from lark import Token, Tree

from rulebook.dsl import syntax as s
from rulebook.dsl.document import Scalar

Branch = Tree[Token]

# Rules whose whole meaning is their one or two expressions.
_OF_ONE: dict[str, Callable[..., s.Statement]] = {
    node.__name__.lower(): node for node in (s.Shuffle, s.Roll, s.Reveal, s.Cover, s.Eliminate, s.Win)
}
_OF_TWO: dict[str, Callable[..., s.Expr]] = {
    "index": s.Index, "range": s.Range, "and_": s.And, "where": s.Where
}  # fmt: skip


class Builder:
    """Builds the nodes of one script.

    `inner` parses an expression that stands inside a text, at an offset. `fault` is told of a problem between
    two offsets: "escape" (an unknown `\\x`), "open" or "close" (a lone brace in a text), "leave" (`or pass`).
    """

    def __init__(
        self, scalar: Scalar, inner: Callable[[str, int], s.Expr], fault: Callable[[str, int, int], None]
    ) -> None:
        self._scalar = scalar
        self._inner = inner
        self._fault = fault

    # ── entries ─────────────────────────────────────────────────────────────────────────────────────────────

    def script(self, tree: Branch) -> s.Block:
        """The statements of a script."""
        return self._body(tree)

    def expression(self, tree: Branch) -> s.Expr:
        """The one expression of a leaf."""
        return self.expr(tree.children[0])

    def ranking(self, tree: Branch) -> tuple[s.Key, ...]:
        """The keys of `most points(it) then count(tokens)`."""
        return self._keys(cast(Branch, tree.children[0]))

    def signature(self, tree: Branch) -> s.Signature:
        """`ability(me, guest mark)`."""
        name, parameters = cast(list[Any], tree.children)
        listed = [] if parameters is None else parameters.children
        known = tuple(self._parameter(one) for one in listed if one is not None)
        return s.Signature(str(name), known, at=self._at(tree))

    def _parameter(self, tree: Branch) -> s.Parameter:
        kind, name = cast(list[Any], tree.children)
        if kind is None:
            return s.Parameter(self._name(name), None, many=False)
        if kind.data == "type_range":
            return s.Parameter(self._name(name), "number", many=False)
        return s.Parameter(self._name(name), str(kind.children[0]), many=kind.data == "type_set")

    def expectation(self, tree: Branch) -> s.Expectation:
        """A line of `expect`."""
        what = cast(Branch, tree.children[0])
        at, form = self._at(what), str(what.data)
        first, last = what.children[0], what.children[-1]
        match form:
            case "holds":
                return s.Expectation("holds", None, self.expr(first), at=at)
            case "may_choose" | "may_not_choose" | "sees":
                return s.Expectation(form.replace("_", " "), self.expr(first), self.expr(last), at=at)
            case "sees_nobody":
                return s.Expectation("nobody asked", self.expr(first), None, at=at)
        return s.Expectation("has", self.expr(first), self._text(last), at=at)

    # ── small things ────────────────────────────────────────────────────────────────────────────────────────

    def _at(self, node: Any) -> s.At:
        if isinstance(node, Token):
            return s.At(self._scalar, cast(int, node.start_pos), cast(int, node.end_pos))
        return s.At(self._scalar, node.meta.start_pos, node.meta.end_pos)

    def _name(self, token: Any) -> s.Name:
        return s.Name(str(token), self._at(token))

    def _optional_name(self, token: Any) -> s.Name | None:
        return None if token is None else self._name(token)

    def _body(self, tree: Any) -> s.Block:
        return tuple(self.statement(child) for child in tree.children)

    def _otherwise(self, tree: Any) -> s.Block | None:
        """Of an optional `else:`, and of the chain `else if … else`."""
        if tree is None:
            return None
        if tree.data == "else_if":
            condition, body, rest = tree.children
            return (s.If(self.expr(condition), self._body(body), self._otherwise(rest), at=self._at(tree)),)
        return self._body(tree.children[0])

    def _text(self, token: Any) -> s.Text:
        """A quoted text; `{…}` inside it is an expression, `{{` and `}}` are braces."""
        raw = str(token)[1:-1]
        base = self._at(token).start + 1
        parts: list[str | s.Expr] = []
        plain = ""
        index = 0
        while index < len(raw):
            pair, step = raw[index : index + 2], 2
            if pair in ("{{", "}}"):
                plain += pair[0]
            elif pair[0] == "\\":
                plain += pair[1]
                if pair[1] not in '"\\':
                    self._fault("escape", base + index, base + index + 2)
            elif pair[0] == "{":
                end = raw.find("}", index)
                if end < 0:
                    self._fault("open", base + index, base + index + 1)
                    break
                if plain:
                    parts.append(plain)
                    plain = ""
                parts.append(self._inner(raw[index + 1 : end], base + index + 1))
                step = end + 1 - index
            else:
                if pair[0] == "}":
                    self._fault("close", base + index, base + index + 1)
                plain += pair[0]
                step = 1
            index += step
        if plain or not parts:
            parts.append(plain)
        return s.Text(tuple(parts), at=self._at(token))

    def _optional_text(self, token: Any) -> s.Text | None:
        return None if token is None else self._text(token)

    def _optional(self, tree: Any) -> s.Expr | None:
        return None if tree is None else self.expr(tree)

    def _keys(self, tree: Branch) -> tuple[s.Key, ...]:
        first, value, *more = tree.children
        keys = [(first, value), *((one.children[0] or first, one.children[1]) for one in cast(Any, more))]
        return tuple(s.Key(self._word(direction) == "most", self.expr(value)) for direction, value in keys)

    @staticmethod
    def _word(tree: Any) -> str:
        """The kept keyword of a `!rule`."""
        return str(tree.children[0])

    def _count(self, tree: Any) -> s.Count:
        if tree is None:
            return s.Count("one")
        match str(tree.data):
            case "exactly":
                return s.Count("exactly", self._integer(tree.children[0]))
            case "exactly_expr":
                return s.Count("exactly", self.expr(tree.children[0]))
            case "range_count":
                low, high = tree.children
                return s.Count("range", self._integer(low), self._integer(high))
            case "range_count_expr":
                low, high = tree.children
                return s.Count("range", self._integer(low), self.expr(high))
            case "up_to":
                return s.Count("up to", None, self._integer(tree.children[0]))
            case "up_to_expr":
                return s.Count("up to", None, self.expr(tree.children[0]))
            case "any_number":
                return s.Count("any number of")
        return s.Count("order")

    def _integer(self, token: Any) -> s.Number:
        return s.Number(int(token), None, at=self._at(token))

    def _names(self, tree: Any) -> tuple[s.Name, ...]:
        return tuple(self._name(token) for token in tree.children)

    def _choice(self, tree: Any) -> s.Choice:
        count, names, *rest = tree.children
        prompt = rest.pop()
        so_that = rest.pop()
        return s.Choice(
            self._count(count),
            self._names(names),
            tuple(self.expr(one) for one in rest),
            self._optional(so_that),
            self._optional_text(prompt),
            at=self._at(tree),
        )

    def _asking(self, tree: Any) -> s.Asking:
        at = self._at(tree)
        match str(tree.data):
            case "i_choose":
                return s.Asking(None, tree.children[0] is not None, secretly=False, at=at)
            case "they_may_choose":
                return s.Asking(self.expr(tree.children[0]), may=True, secretly=False, at=at)
        subject, secretly = tree.children
        return s.Asking(self.expr(subject), may=False, secretly=secretly is not None, at=at)

    def _destination(self, tree: Any) -> s.Destination:
        place, end, face = tree.children
        return s.Destination(
            self.expr(place),
            "" if end is None else self._word(end),
            "" if face is None else self._word(face),
            at=self._at(tree),
        )

    def _menu(self, tree: Any) -> tuple[s.MenuOption, ...]:
        options = []
        for option in tree.children:
            label, condition, *body = option.children
            block = self._body(body[0]) if body else ()
            at = self._at(option)
            options.append(s.MenuOption(self._text(label), self._optional(condition), block, at=at))
        return tuple(options)

    # ── statements ──────────────────────────────────────────────────────────────────────────────────────────

    def statement(self, tree: Any) -> s.Statement:
        """Any statement."""
        at, c = self._at(tree), tree.children
        expr = self.expr
        match str(tree.data):
            case "choose":
                leave = None if c[2] is None else self.statement(c[2])
                return s.Choose(self._asking(c[0]), self._choice(c[1]), leave, None, None, at=at)
            case "choose_block":
                choice, body = self._choice(c[1]), self._body(c[2])
                return s.Choose(self._asking(c[0]), choice, None, body, self._otherwise(c[3]), at=at)
            case "each_chooses":
                may, secretly = self._each_asks(c[2])
                leave = None if c[4] is None else self.statement(c[4])
                alone = (self._choice(c[3]),)
                return s.EachChooses(self._name(c[0]), expr(c[1]), may, secretly, alone, leave, at=at)
            case "each_chooses_block":
                may, secretly = self._each_asks(c[2])
                choices = tuple(self._choice(one) for one in c[3:])
                return s.EachChooses(self._name(c[0]), expr(c[1]), may, secretly, choices, None, at=at)
            case "menu_block":
                prompt = self._optional_text(c[1])
                return s.Menu(self._asking(c[0]), prompt, self._menu(c[2]), self._otherwise(c[3]), at=at)
            case "i_may":
                return s.May(None, self._text(c[1]), self._body(c[2]), self._otherwise(c[3]), at=at)
            case "they_may":
                return s.May(expr(c[0]), self._text(c[2]), self._body(c[3]), self._otherwise(c[4]), at=at)
            case "offer":
                together = self._word(c[1]) == "together"
                name, prompt = self._name(c[2]), self._optional_text(c[3])
                otherwise = self._otherwise(c[5])
                return s.Offer(expr(c[0]), together, name, prompt, self._menu(c[4]), otherwise, at=at)
            case "if_":
                return s.If(expr(c[0]), self._body(c[1]), self._otherwise(c[2]), at=at)
            case "each":
                label, body = self._optional_name(c[2]), self._body(c[3])
                return s.Each(self._name(c[0]), expr(c[1]), label, body, at=at)
            case "repeat":
                return s.Repeat(expr(c[0]), self._optional_name(c[1]), self._body(c[2]), at=at)
            case "loop":
                return s.Repeat(None, self._optional_name(c[0]), self._body(c[1]), at=at)
            case "stage":
                title, body = self._optional_text(c[1]), self._body(c[3])
                until, publicly = (None, None) if c[2] is None else c[2].children
                public = publicly is not None
                return s.Stage(self._name(c[0]), title, self._optional(until), public, body, at=at)
        return self._simple(tree)

    def _each_asks(self, tree: Any) -> tuple[bool, bool]:
        if tree.data == "each_may_choose":
            return True, False
        return False, tree.children[0] is not None

    def _simple(self, tree: Any) -> s.Statement:
        at, c = self._at(tree), tree.children
        expr = self.expr
        match str(tree.data):
            case "move":
                return s.Move(expr(c[0]), self._destination(c[1]), at=at)
            case "move_pieces":
                return s.MovePieces(expr(c[0]), expr(c[1]), self._destination(c[2]), at=at)
            case "move_all":
                return s.MovePieces(None, expr(c[0]), self._destination(c[1]), at=at)
            case "draw":
                goal, name = self._destination(c[2]), self._optional_name(c[3])
                return s.Draw(expr(c[0]), expr(c[1]), goal, name, at=at)
            case "deal":
                return s.Deal(expr(c[0]), expr(c[1]), self._name(c[2]), at=at)
            case "pass_places":
                return s.Pass(self._name(c[0]), self._word(c[1]), at=at)
            case "swap":
                return s.Swap(expr(c[0]), expr(c[1]), at=at)
            case "pick_random":
                return s.PickRandom(self._count(c[0]), self._names(c[1]), expr(c[2]), at=at)
            case "shuffle" | "roll" | "reveal" | "cover" | "eliminate" | "win" as form:
                return _OF_ONE[form](expr(c[0]), at=at)
            case "arrange":
                return s.Arrange(None, expr(c[0]), at=at)
            case "arranges":
                return s.Arrange(expr(c[0]), expr(c[1]), at=at)
            case "show":
                return s.Show(expr(c[0]), expr(c[1]), at=at)
            case "tell":
                return s.Tell(expr(c[0]), expr(c[1]), at=at)
            case "say":
                return s.Say(self._text(c[0]), self._optional(c[1]), c[2] is not None, at=at)
            case "set":
                return s.Set(expr(c[0]), expr(c[1]), c[2] is not None, at=at)
            case "add":
                return s.Add(expr(c[0]), expr(c[1]), c[2] is not None, at=at)
            case "let":
                return s.Let(self._name(c[0]), expr(c[1]), at=at)
            case "do":
                return s.Do(expr(c[0]), self._optional(c[1]), self._optional_name(c[2]), at=at)
            case "win_nobody":
                return s.Win(None, at=at)
            case "original":
                return s.Original(at=at)
            case "return_":
                return s.Return(self._optional(c[0]), at=at)
            case "stop" | "skip" | "end" as how:
                return s.Leave(how, self._optional_name(c[0]), at=at)
        raise AssertionError(f"no statement is built for {tree.data}")

    # ── expressions ─────────────────────────────────────────────────────────────────────────────────────────

    def expr(self, tree: Any) -> s.Expr:
        """Any expression."""
        at, c = self._at(tree), tree.children
        expr = self.expr
        match str(tree.data):
            case "word":
                return s.Word(str(c[0]), at=at)
            case "number":
                return s.Number(int(c[0]), str(c[1]) if len(c) > 1 else None, at=at)
            case "text":
                return self._text(c[0])
            case "yes" | "no" as answer:
                return s.YesNo(answer == "yes", at=at)
            case "nothing":
                return s.Nothing(at=at)
            case "every":
                return s.Every(str(c[0]), at=at)
            case "listed":
                return s.Listed(self._arguments(c[0]), at=at)
            case "call":
                return s.Call(str(c[0]), self._arguments(c[1]), at=at)
            case "dot":
                return s.Dot(expr(c[0]), str(c[1]), at=at)
            case "method":
                return s.Method(expr(c[0]), str(c[1]), self._arguments(c[2]), at=at)
            case "index" | "range" | "and_" | "where" as form:
                return _OF_TWO[form](expr(c[0]), expr(c[1]), at=at)
            case "negative":
                return s.Negative(expr(c[0]), at=at)
            case "clockwise":
                return s.ClockwiseFrom(expr(c[0]), at=at)
            case "arithmetic":
                return s.Arithmetic(str(c[1]), expr(c[0]), expr(c[2]), at=at)
            case "compare":
                return s.Compare(str(c[1]), expr(c[0]), expr(c[2]), at=at)
            case "compare_not" | "not_in" as form:
                return s.Compare("is not" if form == "compare_not" else "not in", expr(c[0]), expr(c[1]), at=at)
            case "is_empty" | "is_not_empty" as form:
                return s.IsEmpty(expr(c[0]), form == "is_not_empty", at=at)
            case "is_something" | "is_not_something" as form:
                return s.IsSomething(expr(c[0]), form == "is_not_something", at=at)
            case "not_":
                return s.Not(expr(c[0]), at=at)
            case "or_":
                if c[1].data == "word" and str(c[1].children[0]) in ("pass", "return", "skip", "stop"):
                    self._fault("leave", c[1].meta.start_pos, c[1].meta.end_pos)
                return s.Or(expr(c[0]), expr(c[1]), at=at)
            case "with_":
                return s.With(expr(c[0]), self._keys(c[1]), at=at)
            case "sorted":
                return s.Sorted(expr(c[0]), self._keys(c[1]), at=at)
            case "of":
                return s.Of(str(c[0]), expr(c[1]), at=at)
            case "if_else":
                return s.IfElse(expr(c[1]), expr(c[0]), expr(c[2]), at=at)
            case "for_":
                return s.For(expr(c[0]), str(c[1]), expr(c[2]), at=at)
        raise AssertionError(f"no expression is built for {tree.data}")

    def _arguments(self, tree: Any) -> tuple[s.Expr, ...]:
        return () if tree is None else tuple(self.expr(one) for one in tree.children)
