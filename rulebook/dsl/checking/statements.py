"""The checker of statements: blocks of what happens, from what was written to the IR.

In: a syntax block and a scope. Out: an IR block. Names it binds live to the end of the script; what may be absent is
tracked so that each sentence knows its guards. Never: decides who may learn what (that is the next pass).

The parts: `sentences` (what all share), `choices` (what waits for an answer), `acts` (what is done at once).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebook.diagnostics import did_you_mean
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.acts import Acts
from rulebook.dsl.checking.choices import Choices
from rulebook.dsl.checking.hanging import Hanging
from rulebook.dsl.checking.ranges import out_of_range, too_many
from rulebook.dsl.checking.scope import bare, still_known, when_false, when_true
from rulebook.dsl.checking.sentences import always_leaves
from rulebook.dsl.checking.wants import is_zero, source, typed
from rulebook.dsl.walk import everything
from rulebook.dsl.world import Value
from rulebook.record import evolve

MOST_FOUND = 500  # messages of one game; after so many, the rest is not looked at, and the last one says so
_PURE = (s.Let, s.If, s.Each, s.Return, s.Original)  # of the last, it is said what to write
VERBS = {
    s.Choose: "choose", s.EachChooses: "chooses", s.Menu: "choose one", s.May: "may", s.Offer: "offer", s.Move: "move",
    s.MovePieces: "move", s.Draw: "draw", s.Deal: "deal", s.Pass: "pass", s.Swap: "swap", s.Shuffle: "shuffle",
    s.Roll: "roll", s.PickRandom: "pick", s.Arrange: "arrange", s.Reveal: "reveal", s.Cover: "turn", s.Show: "show",
    s.Tell: "tell", s.Say: "say", s.Set: "set", s.Add: "add", s.Let: "let", s.Do: "do", s.Win: "win",
    s.Eliminate: "eliminate", s.Original: "original", s.Leave: "leave", s.Return: "return", s.If: "if", s.Each: "each",
    s.Repeat: "repeat", s.Stage: "stage",
}  # fmt: skip


class Statements(Choices, Acts, Hanging):
    """Checks the statements of one script."""

    def whole(self, trees: s.Block) -> ir.Block:
        """A script from its first sentence to its last."""
        self.scope.script = trees
        original = self.expressions.original
        made = self.block(trees) if original is None else self.hung(trees, original)
        for slot, at in self.unfilled:
            if self.scope.types[slot] == t.ListOf(t.UNKNOWN):
                name = self.scope.names[slot]
                help = f"Put something into it, like `set {name} = {name} + [me]`, or remove it."
                wanted, got = "a list that gets something", "one that stays empty"
                self.expressions.report("RB401", at, help, what=f"`{name}`", wanted=wanted, got=got)
        return made

    def answer(self, body: ir.Block) -> t.Type:
        """What the script gives back: also nothing, where it may come to its end without a `return`."""
        given = [one for one in self.returned if one is not None]
        # Of nothing there is as much in every unit.
        amounts = any(one.type == t.AMOUNT for one in given)
        types = [t.AMOUNT if amounts and is_zero(one) else one.type for one in given]
        sure = len(given) == len(self.returned) and always_leaves(body)
        return t.either(*types, *(() if sure else (t.NOTHING,)))

    def block(self, trees: s.Block) -> ir.Block:
        """Every sentence in turn; what an `if` that always leaves rules out is known after it."""
        made: list[ir.Statement] = []
        facts = self.scope.facts
        for tree in trees:
            if len(self.expressions.found) >= MOST_FOUND:
                break
            if self.pure:
                self._first_word(tree)
            statement = self.statement(tree)
            if statement is None:
                continue
            made.append(statement)
            leaves = isinstance(statement, ir.If) and not statement.otherwise and always_leaves(statement.then)
            if not leaves:
                self.scope.facts = still_known(self.scope.facts, statement)
            if leaves and isinstance(statement, ir.If):
                self.scope.facts = {**self.scope.facts, **when_false(statement.condition)}
            elif isinstance(statement, ir.Assign):
                target, value = statement.target, statement.value.type
                if t.may_be_nothing(target.type) and not t.may_be_nothing(value):
                    self.scope.facts = {**self.scope.facts, bare(target): value}
        if self.scope.facts is not facts:
            self.scope.facts = {known: type for known, type in self.scope.facts.items() if known in facts}
        return tuple(made)

    def _first_word(self, tree: s.Statement) -> None:
        if not isinstance(tree, _PURE):
            verb = VERBS[type(tree)]
            if isinstance(tree, s.Leave):
                verb = tree.how
            elif isinstance(tree, s.Repeat) and tree.count is None:
                verb = "loop"
            self.expressions.report("RB407", tree.at, sentence=verb)

    # ── dispatch ─────────────────────────────────────────────────────────────────────────────────────────────────

    def statement(self, tree: s.Statement) -> ir.Statement | None:
        # Collects the slots that the sentence's own expressions read.
        outer, self.scope.reads = self.scope.reads, set()
        made = self._sentence(tree)
        self.scope.reads |= outer
        return made

    def _sentence(self, tree: s.Statement) -> ir.Statement | None:
        checked = _SENTENCES.get(type(tree))
        return self.act(tree) if checked is None else checked(self, tree)

    def _may(self, tree: s.May) -> ir.Statement:
        asking = s.Asking(tree.subject, may=True, secretly=False, at=tree.at)
        option = s.MenuOption(tree.label, None, tree.body, at=tree.at)
        return self.menu(s.Menu(asking, None, (option,), tree.otherwise, at=tree.at))

    # ── flow ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _let(self, tree: s.Let) -> ir.Statement:
        known = self.scope.bound.get(tree.name.text)
        expr = self.expressions.value(tree.value, self.scope.types[known] if known is not None else None)
        guards = self.guards()
        slot = self.bind(tree.name, expr.type)
        if expr.type == t.ListOf(t.UNKNOWN):
            self.unfilled.append((slot, tree.name.at))
        return ir.Let(slot, expr, guards=guards, at=tree.at)

    def _set(self, tree: s.Set) -> ir.Statement | None:
        wanted = tree.value
        made = self._assign(
            tree.target, lambda goal: self.expressions.value(wanted, goal.type), wanted.at, tree.at
        )
        return self._public(made, tree.publicly)

    def _return(self, tree: s.Return) -> ir.Statement | None:
        e = self.expressions
        if tree.value is None:
            return self.handed_back(tree.at)
        given = e.value(tree.value)
        others = {one.type for one in self.returned if one is not None and not is_zero(one)}
        if not is_zero(given) and others | {given.type} >= {t.NUMBER, t.AMOUNT}:
            bare = [one for one in (*self.returned, given) if one is not None and one.type == t.NUMBER]
            e.unitless(bare[0].at)
        self.returned.append(given)
        return ir.Return(given, guards=self.guards(), at=tree.at)

    @staticmethod
    def _public(statement: ir.Statement | None, publicly: bool) -> ir.Statement | None:
        return evolve(statement, publicly=True) if publicly and isinstance(statement, ir.Assign) else statement

    def _target(self, tree: s.Expr) -> ir.Expr:
        e = self.expressions
        if isinstance(tree, s.Word) and tree.name in self.scope.bound:
            return self.scope.local(self.scope.bound[tree.name], tree.at)
        goal = e.raw(tree)
        # What is known of its value now does not bind the next one.
        match goal:
            case ir.TableMemory(name) | ir.PlayerMemory(name, _):
                return typed(goal, e.world.memories[name].type)
            case ir.State(name, _):
                return typed(goal, (e.world.states.get(name) or e.world.attributes[name]).type)
        return goal

    def _values(self, goal: ir.TableMemory | ir.PlayerMemory | ir.State) -> tuple[Value, ...] | None:
        """All that a memory or state may hold, where that is declared."""
        world = self.expressions.world
        if isinstance(goal, ir.State):
            return (world.states.get(goal.name) or world.attributes[goal.name]).values
        return world.memories[goal.name].values

    def _assign(
        self, tree: s.Expr, value: Callable[[ir.Expr], ir.Expr], value_at: s.At, at: s.At
    ) -> ir.Statement | None:
        e = self.expressions
        goal = self._target(tree)
        if goal.type == t.UNKNOWN and not isinstance(goal, ir.Local):
            value(goal)
            return None
        match goal:
            case ir.Local(slot, name):
                fixed = "It says who this is about." if name in ("me", "this", "it") else e.given_on(slot)
                if fixed:
                    e.report("RB406", tree.at, fixed, name=name)
                    return None
                expr = value(goal)
                if expr.type == t.ListOf(t.UNKNOWN) and any(part.type == t.UNKNOWN for part in everything(expr)):
                    # It gets something, of which is said elsewhere what is wrong with it.
                    self.unfilled = [one for one in self.unfilled if one[0] != slot]
                known = self.scope.types[slot]
                if known in (t.UNKNOWN, t.ListOf(t.UNKNOWN)) or t.fits(known, expr.type):
                    self.scope.types[slot] = expr.type
                else:
                    expr = e.want(expr, known, value_at, f"`{name}`")
                guards = self.guards()
                self.scope.forget(slot)
                if guards:
                    self.scope.absent.add(slot)
                return ir.Let(slot, expr, guards=tuple(g for g in guards if g != slot or _reads(expr, slot)), at=at)
            case ir.TableMemory() | ir.PlayerMemory() | ir.State():
                wanted = goal.type
                expr = value(goal)
                if not isinstance(wanted, t.ListOf) or wanted.item != t.UNKNOWN:
                    expr = e.want(
                        expr, t.maybe(wanted) if t.may_be_nothing(wanted) else wanted, value_at, f"`{_name(goal)}`"
                    )
                e.found += out_of_range(expr, self._values(goal), value_at, e.where)
                return ir.Assign(goal, expr, guards=self.guards(), at=at)
            case ir.Attribute(name, _):
                e.report(
                    "RB406",
                    tree.at,
                    f"It is printed on the card. To let it change, list it: `may_change: [{name}]`.",
                    name=name,
                )
            case ir.PlaceOf():
                e.report("RB406", tree.at, "Cards come and go with `move`.", name=goal.name)
            case _:
                e.report(
                    "RB406",
                    tree.at,
                    "Only a memory, a card's state and a name of this script can be set.",
                    name=tree.at.scalar.text[tree.at.start : tree.at.end],
                )
        value(goal)
        return None

    def _add(self, tree: s.Add) -> ir.Statement | None:
        def total(goal: ir.Expr) -> ir.Expr:
            more = self.expressions.value(tree.value)
            return self.expressions.arithmetic("+", goal, more, tree.at)

        return self._public(self._assign(tree.target, total, tree.value.at, tree.at), tree.publicly)

    def _leave(self, how: str, name: s.Name | None, at: s.At) -> ir.Statement | None:
        e = self.expressions
        if how == "end":
            assert name is not None
            if name.text not in e.world.stages:
                help = did_you_mean(name.text, sorted(e.world.stages))
                e.report("RB302", name.at, help, wanted=f"stage called `{name.text}`", verb="end")
                return None
            return ir.EndStage(name.text, at=at)
        if not self.rounds:
            help = f"`{how}` stands inside a `loop`, `repeat`, `each` or `offer`. To leave a script, write `return`."
            e.report("RB302", at, help, wanted="loop around this line", verb=how)
            return None
        if name is None:
            inner = self.rounds[-1]
            outer = any(not one.over_list for one in self.rounds[:-1])
            if inner.over_list and outer and how == "stop":
                help = "Give the one you mean a name, like `loop as lap:`, and name it here: `stop lap`."
                one, two = "about the `each` or `offer` around this line", "about the loop around that"
                e.report("RB305", at, help, name=how, one=one, two=two)
            return ir.Leave(how == "skip", 0, at=at)
        for depth, around in enumerate(reversed(self.rounds)):
            if around.label == name.text:
                return ir.Leave(how == "skip", depth, at=at)
        labels = [one.label for one in self.rounds if one.label]
        help = did_you_mean(name.text, labels) or f"Give the loop its name: `loop as {name.text}:`."
        e.report("RB302", name.at, help, wanted=f"loop called `{name.text}` around this line", verb=how)
        return None

    def _do(self, tree: s.Do) -> ir.Statement | None:
        e = self.expressions
        call = tree.call
        if isinstance(call, s.Word):
            call = s.Call(call.name, (), at=call.at)
        if isinstance(call, s.Call):
            rule = e.world.rules.get(call.name)
            if rule is None:
                help = did_you_mean(call.name, e.world.rules)
                if call.name in e.world.values:
                    help = f"`{call.name}` is a question, not something that is done."
                elif call.name in e.world.actions:
                    help = f"An action is done for somebody: `do {call.name}.effect(me)`."
                e.report("RB301", call.at, help, wanted="rule", name=call.name)
                return None
            given = e.arguments(rule, call.arguments, call.at)
            guards = self.guards()
            slot = self.bind(tree.name, self.rule_type(call.name)) if tree.name else None
            return ir.DoRule(f"rules.{call.name}", given, slot, guards=guards, at=tree.at)
        if isinstance(call, s.Method):
            return self._do_hook(tree, call)
        help = "It stands alone, without `do`." if isinstance(call, s.OriginalAnswer) else ""
        if isinstance(call, s.Dot) and (asked := e.world.hooks.get(call.name)):
            names = ", ".join(one.name for one in asked.signature.parameters)
            help = f"What is done needs its brackets: `do {source(call)}({names})`."
        e.report("RB201", call.at, help, doing="`do`", expected="a rule or `card.hook(…)`", found="something else")
        return None

    def _do_hook(self, tree: s.Do, call: s.Method) -> ir.Statement | None:
        e = self.expressions
        target = e.target(call.owner)
        hook = e.world.hooks.get(call.name)
        if target.type == t.UNKNOWN:
            return None
        if hook is None or not e.has_hook(target, call.name):
            kinds = [one.kinds for one in t.members(t.surely(target.type)) if isinstance(one, t.Card)]
            does = [
                name
                for name, info in e.world.hooks.items()
                if info.answer is None and all(k & info.kinds for k in kinds)
            ]
            who = e.words(t.surely(target.type))
            help = did_you_mean(call.name, does)
            if hook is not None and kinds:
                family = e.world.family_of(hook.kinds)
                help = f"Only {family} cards have it: ask `is {family}` first."
            e.report("RB303", call.at, help, owner=who[0].upper() + who[1:], name=call.name)
            return None
        if hook.answer is not None:
            help = "Use it where a question stands, like behind `if`."
            what, wanted = f"`{call.name}`", "something that is done"
            e.report("RB401", call.at, help, what=what, wanted=wanted, got="a question")
            return None
        given = e.arguments(hook.signature, call.arguments, call.at)
        stand_in = e.value(tree.stand_in) if tree.stand_in else None
        guards = self.guards()
        slot = self.bind(tree.name, t.UNKNOWN) if tree.name else None
        return ir.DoHook(call.name, target, given, stand_in, slot, guards=guards, at=tree.at)

    # ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _if(self, tree: s.If) -> ir.Statement:
        condition = self.expressions.question(tree.condition)
        guards = self.guards()
        with self.scope.assuming(when_true(condition)):
            then = self.block(tree.body)
        with self.scope.assuming(when_false(condition)):
            otherwise = self.block(tree.otherwise) if tree.otherwise else ()
        return ir.If(condition, then, otherwise, guards=guards, at=tree.at)

    def _each(self, tree: s.Each) -> ir.Statement:
        e = self.expressions
        self.scope.alias = frozenset([tree.name.text])
        listed = e.listed(tree.list, "What `each` goes through")
        self.scope.alias = frozenset()
        guards = self.guards()
        item = listed.type.item if isinstance(listed.type, t.ListOf) else t.UNKNOWN
        slot = self.bind(tree.name, item, actor=True)
        index = self.bind(tree.label, t.NUMBER) if tree.label else None
        label = tree.label.text if tree.label else ""
        with self.round(label, tree.body, over_list=True):
            body = self.block(tree.body)
        players = item == t.PLAYER
        return ir.ForEach(slot, listed, index, label, body, players, guards=guards, at=tree.at)

    def _repeat(self, tree: s.Repeat) -> ir.Statement:
        count = None if tree.count is None else self.expressions.number(tree.count, "How often")
        if count is not None:
            e = self.expressions
            e.found += too_many(ir.Const(1, type=t.NUMBER), count, count.at, e.where)
        guards = self.guards()
        index = self.bind(tree.label, t.NUMBER) if tree.label else None
        label = tree.label.text if tree.label else ""
        with self.round(label, tree.body, over_list=False):
            body = self.block(tree.body)
        return ir.Repeat(count, index, label, body, guards=guards, at=tree.at)

    def _stage(self, tree: s.Stage) -> ir.Statement:
        e = self.expressions
        title = e.text(tree.title.parts, tree.title.at) if tree.title else None
        until = e.question(tree.until) if tree.until else None
        guards = self.guards()
        body = self.block(tree.body)
        return ir.Stage(tree.name.text, title, until, body, tree.publicly, guards=guards, at=tree.at)


_SENTENCES: dict[type, Callable[[Statements, Any], ir.Statement | None]] = {
    s.If: Statements._if, s.Each: Statements._each, s.Repeat: Statements._repeat, s.Stage: Statements._stage,
    s.Choose: Statements.choose, s.EachChooses: Statements.each_chooses, s.Menu: Statements.menu,
    s.May: Statements._may, s.Offer: Statements.offer, s.Let: Statements._let, s.Set: Statements._set,
    s.Add: Statements._add, s.Do: Statements._do, s.Return: Statements._return, s.Original: Statements.original,
    s.Leave: lambda statements, tree: statements._leave(tree.how, tree.name, tree.at),
}  # fmt: skip
"""What checks each sort of sentence; all others are done at once."""


def _name(goal: ir.TableMemory | ir.PlayerMemory | ir.State) -> str:
    return goal.name


def _reads(expr: ir.Expr, slot: int) -> bool:
    return any(isinstance(one, ir.Local) and one.slot == slot for one in everything(expr))
