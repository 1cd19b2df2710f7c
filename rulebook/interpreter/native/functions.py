"""Questions with a name, printed: each a function of C, and a function for each hook, which asks the right one.

In: an `ir.Function`, a hook, the keys of a result. Out: functions of C. Never: a statement that changes anything.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl.walk import nodes
from rulebook.interpreter.native.built_ins import BuiltIns
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.plan import Plan
from rulebook.interpreter.native.questions import is_flat


class Named(BuiltIns):
    """Prints the question whose name it has."""

    def __init__(self, plan: Plan, function: ir.Function) -> None:
        super().__init__(plan, function.name, "return LACKS;")
        self.function = function
        self.names = {slot: f"v{slot}" for slot in range(len(function.slots.names))}

    def head(self) -> str:
        """How the function is declared."""
        given = "".join(f", V v{slot}" for slot in range(self.function.parameters))
        return f"static V f{self.plan.function(self.function.name)}(S *s{given})"

    def print(self) -> None:
        """The whole function; one that may come to ask itself counts how deep it is, and one that is asked about nobody
        answers anew only when something has changed.
        """
        deep = self.function.name in _reached(self.plan, self.function)
        kept = not self.function.parameters and is_flat(self.function.type)
        if not deep and not kept:
            with self.paper.inside(self.head()):
                self.body()
            return
        number, given = self.plan.function(self.function.name), self.head().partition("(")[2].replace("V ", "")
        with self.paper.inside(self.head().replace("(", "_deep(", 1)):
            self.body()
        with self.paper.inside(self.head()):
            if kept:
                at = self.plan.keep()
                self.put(f"if (s->kept[{at}].since == s->changes) return s->kept[{at}].answer;")
            if deep:
                self.put("if (++s->depth > DEEPEST) stop(s, ENDLESS);")
            self.put(f"V answer = f{number}_deep({given.replace('S *s', 's')};")
            if deep:
                self.put("s->depth--;")
            if kept:
                self.put(f"s->kept[{at}] = (Kept){{s->changes, answer}};")
            self.put("return answer;")

    def body(self) -> None:
        self.put("look(s, 1);")
        match self.function.body:
            case ir.Conditions(lines):
                for line in lines:
                    self.put(f"if (!{self.truth(line.value)}) return 0;")
                self.put("return 1;")
            case ir.Total(lines):
                total = self.kept("0")
                for line in lines:
                    self.put(f"{total} += {self.sure(line.value)};")
                self.put(f"return bounded(s, {total});")
            case tuple(block):
                for slot in range(self.function.parameters, len(self.function.slots.names)):
                    self.put(f"V v{slot} = NOTHING;")
                self.thoughts(block)
                self.put("return NOTHING;")
            case value:
                self.put(f"return {self.expr(value)};")

    def thoughts(self, block: ir.Block) -> None:
        """A body that only thinks."""
        for statement in block:
            match statement:
                case ir.Let(slot, value):
                    self.put(f"v{slot} = {self.expr(value)};")
                case ir.If(condition, then, otherwise):
                    self.branch(self.truth(condition), then, otherwise)
                case ir.ForEach(slot, list, index, _, body, _):
                    self.each(slot, list, index, body)
                case ir.Return(value):
                    self.put(f"return {'NOTHING' if value is None else self.expr(value)};")
                case _:
                    raise CannotPrint(f"`{type(statement).__name__}` in a question", statement.at)

    def branch(self, asked: str, then: ir.Block, otherwise: ir.Block) -> None:
        if asked in ("0", "1"):
            with self.paper.inside(""):
                self.thoughts(then if asked == "1" else otherwise)
            return
        with self.paper.inside(f"if ({asked})"):
            self.thoughts(then)
        if otherwise:
            with self.paper.inside("else"):
                self.thoughts(otherwise)

    def each(self, slot: int, several: ir.Expr, index: int | None, body: ir.Block) -> None:
        list = self.simple(self.expr(several))
        with self.paper.inside(f"if ({list} != NOTHING)" if self.may(several) else ""):
            number = self.paper.fresh()
            if index is not None:
                self.put(f"V i{number} = 0;")

            def member(one: str) -> None:
                self.put(f"v{slot} = {one};")
                if index is not None:
                    self.put(f"v{index} = ++i{number};")
                self.thoughts(body)

            self.members(list, member)


def _reached(plan: Plan, function: ir.Function) -> set[str]:
    """The questions that one may come to ask."""
    book, found, left = plan.tables.rulebook, set[str](), [function]
    while left:
        for node in nodes(left.pop().body):
            names: set[str] = set()
            if isinstance(node, ir.CallValue):
                names = {node.function}
            elif isinstance(node, ir.AskHook):
                names = set(book.hooks.get(node.hook, {}).values())
            for name in names - found:
                found.add(name)
                left.append(book.functions[name])
    return found


def print_asked(plan: Plan) -> list[str]:
    """All questions and hooks that anything asks; what asks them needs their heads, which come back."""
    book, heads, functions, hooks = plan.tables.rulebook, list[str](), 0, 0
    while functions < len(plan.functions) or hooks < len(plan.hooks):
        for name in list(plan.functions)[functions:]:
            named = Named(plan, book.functions[name])
            named.print()
            heads.append(f"{named.head()};")
            functions += 1
        for hook, given in list(plan.hooks)[hooks:]:
            heads.append(_print_hook(plan, hook, given))
            hooks += 1
    return heads


def _print_hook(plan: Plan, hook: str, given: int) -> str:
    """Who is asked for nothing it has: a card says no, an action yes."""
    number, names = plan.hooks[hook, given], plan.tables.by_object(hook)
    arguments = "".join(f", V x{at}" for at in range(1, given))
    head = f"static V a{number}(S *s, V of{arguments})"
    with plan.paper.inside(head):
        plan.paper.put("look(s, 1);")
        with plan.paper.inside("switch (of)"):
            for name in sorted({name for name in names if name in plan.tables.rulebook.functions}):
                cases = " ".join(f"case {one}:" for one, other in enumerate(names) if other == name)
                passed = "".join(f", x{at}" for at in range(1, given))
                plan.paper.put(f"{cases} return f{plan.function(name)}(s, of{passed});")
        plan.paper.put("return of >= CARDS;")
    return f"{head};"


def print_result(plan: Plan) -> None:
    """What decides who stands where, key by key, for a seat."""
    result, paper = plan.tables.rulebook.result, plan.paper
    keys = (ir.Key(True, result.payoff),) if result.payoff is not None else result.rank
    for number, key in enumerate(keys):
        asks = BuiltIns(plan, "result", "return LACKS;")
        asks.names = {0: "seat"}
        with paper.inside(f"static V k{number}(S *s, V seat)"):
            paper.put(f"return {asks.expr(key.value)};")
    with paper.inside("static V result_key(S *s, int which, V seat)"):
        for number, _ in enumerate(keys):
            paper.put(f"if (which == {number}) return k{number}(s, seat);")
        paper.put("return NOTHING;")
    paper.define("KEYS", len(keys))
    paper.rows.append(("uint8_t", "KEY_IS_MOST", [int(key.most) for key in keys]))
