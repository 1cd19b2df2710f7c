"""Questions with a name, printed: each a function of C, and a function for each hook, which asks the right one.

In: an `ir.Function`, a hook, the keys of a result. Out: functions of C. Never: a statement that changes anything.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl.walk import nodes
from rulebook.interpreter.native.built_ins import BuiltIns, is_small
from rulebook.interpreter.native.lists import is_flat
from rulebook.interpreter.native.paper import CannotPrint, Paper
from rulebook.interpreter.native.plan import Asked, Plan
from rulebook.interpreter.program import Program


class Named(BuiltIns):
    """Prints the question whose name it has."""

    def __init__(self, plan: Plan, function: ir.Function, called: str) -> None:
        super().__init__(plan, function.name, "return LACKS;")
        self.function, self.called = function, called
        self.names = {slot: f"v{slot}" for slot in range(len(function.slots.names))}
        given = "".join(f", V v{slot}" for slot in range(function.parameters))
        self.answers = plan.body(function.name)
        self.head = f"static{' inline' if is_small(self.answers) else ''} V {called}(S *s{given})"

    def print(self) -> None:
        """The whole function; one that may come to ask itself counts how deep it is, and one that is asked about nobody
        answers anew only when something has changed.
        """
        deep = self.function.name in _reached(self.plan, self.function)
        kept = not self.function.parameters and is_flat(self.function.type)
        if not deep and not kept:
            with self.paper.inside(self.head):
                self.body()
            return
        given = self.head.partition("(")[2].replace("V ", "")
        with self.paper.inside(self.head.replace("(", "_deep(", 1)):
            self.body()
        with self.paper.inside(self.head):
            if kept:
                at = self.plan.keep()
                self.put(f"if (s->kept[{at}].since == s->changes) return s->kept[{at}].answer;")
            if deep:
                self.put("look(s, 1);")
                self.put("if (++s->depth > DEEPEST) stop(s, ENDLESS);")
            self.put(f"V answer = {self.called}_deep({given.replace('S *s', 's')};")
            if deep:
                self.put("s->depth--;")
            if kept:
                self.put(f"s->kept[{at}] = (Kept){{s->changes, answer}};")
            self.put("return answer;")

    def body(self) -> None:
        match self.answers:
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


class Asking(Plan):
    """A plan whose questions are printed when they are first asked."""

    def __init__(self, program: Program, paper: Paper) -> None:
        super().__init__(program, paper)
        self._asked: dict[tuple[str, int], Asked] = {}

    def question(self, name: str) -> Asked:
        if (name, -1) not in self._asked:
            found = self._asked[name, -1] = Asked(f"f{len(self._asked)}")
            named = Named(self, self.tables.rulebook.functions[name], found.name)
            with self.paper.apart() as lines:
                named.print()
            self._printed(named.head, lines)
            found.lacks = named.lacking > 0
        return self._asked[name, -1]

    def hook(self, hook: str, given: int) -> Asked:
        """Who is asked for nothing it has: a card says no, an action yes."""
        if (hook, given) not in self._asked:
            found = self._asked[hook, given] = Asked(f"a{len(self._asked)}")
            names = self.tables.by_object(hook)
            asked = {name: self.question(name) for name in names if name is not None}
            passed = "".join(f", x{at}" for at in range(1, given))
            head = f"static V {found.name}(S *s, V of{passed.replace('x', 'V x')})"
            with self.paper.apart() as lines, self.paper.inside(head):
                with self.paper.inside("switch (of)"):
                    for name, function in asked.items():
                        cases = " ".join(f"case {one}:" for one, other in enumerate(names) if other == name)
                        self.paper.put(f"{cases} return {function.name}(s, of{passed});")
                self.paper.put("return of >= CARDS;")
            self._printed(head, lines)
            found.lacks = any(function.lacks for function in asked.values())
        return self._asked[hook, given]

    def _printed(self, head: str, lines: list[str]) -> None:
        self.heads.append(f"{head};")
        self.questions += lines


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
