"""The checker of expressions: from what was written to what it means, with its type.

In: a syntax expression, a scope, the world, and what type is expected where that matters (for a bare word).
Out: an IR expression; a broken one has type UNKNOWN and is reported once. Never: binds a name that outlives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import evolve

from rulebook.diagnostics import Diagnostic, diagnose, did_you_mean
from rulebook.dsl import asking, ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.builtins import BUILT_INS, PLACES_ITSELF, Wanted
from rulebook.dsl.scope import Scope, when_false, when_true
from rulebook.dsl.world import Signature, World

BROKEN = ir.Const(None, type=t.UNKNOWN)
_NUMERIC = (t.NUMBER, t.AMOUNT)


class Expressions:
    """Checks the expressions of one script; `value_type` finds what a value answers (checking it first if need be)."""

    def __init__(
        self, world: World, scope: Scope, where: str, found: list[Diagnostic], value_type: Callable[[str], t.Type]
    ) -> None:
        self.world, self.scope, self.where, self.found = world, scope, where, found
        self.value_type = value_type

    # ── reporting ────────────────────────────────────────────────────────────────────────────────────────────────

    def report(self, code: str, at: s.At | None, help: str | None = None, **values: Any) -> ir.Expr:
        """Says what is wrong, once, and gives back what agrees with everything."""
        self.found.append(diagnose(code, at.span if at else None, where=self.where, help=help or None, **values))
        return BROKEN

    def words(self, of: t.Type) -> str:
        """A type for people."""
        return self.world.describe(of)

    # ── what callers ask for ─────────────────────────────────────────────────────────────────────────────────────

    def value(self, tree: s.Expr, expect: t.Type | None = None) -> ir.Expr:
        """Any value. A place means its cards (a slot its card); a pool stays the place it is."""
        return self.contents(self.raw(tree, expect))

    def contents(self, expr: ir.Expr) -> ir.Expr:
        """A place read as a value."""
        kind = expr.type
        if not isinstance(kind, t.Place) or kind.kept == "pool":
            return self.narrowed(expr)
        if kind.kept == "slot":
            return self.narrowed(ir.TheCard(expr, type=t.Card(kind.holds), at=expr.at))
        return ir.Cards(expr, type=t.ListOf(t.Card(kind.holds)), at=expr.at)

    def narrowed(self, expr: ir.Expr) -> ir.Expr:
        """The expression with what has been asked of it before."""
        known = self.scope.facts.get(expr)
        if known is None:
            return expr
        return evolve(expr, type=known)

    def question(self, tree: s.Expr) -> ir.Expr:
        """A yes or no."""
        expr = self.value(tree)
        if t.fits(expr.type, t.YES_NO):
            return expr
        if t.may_be_nothing(expr.type) and t.fits(t.surely(expr.type), t.YES_NO):
            return self.report("RB404", tree.at, name=_source(tree))
        help = None
        if isinstance(expr.type, t.ListOf):
            help = f"To ask whether there is any, write `any({_source(tree)})` or `{_source(tree)} is not empty`."
        elif t.fits(expr.type, t.NUMBER) or t.fits(expr.type, t.AMOUNT):
            help = f"Compare it, for example `{_source(tree)} > 0`."
        return self.report("RB402", tree.at, help, got=self.words(expr.type))

    def number(self, tree: s.Expr, what: str = "This") -> ir.Expr:
        """A number without a unit."""
        if isinstance(tree, s.Number) and tree.unit is not None and tree.unit not in self.world.units:
            help = f"Write only the number: `{tree.value}`."
            return self.report("RB308", tree.at, help, name=tree.unit)
        return self.want(self.value(tree), t.NUMBER, tree.at, what)

    def listed(self, tree: s.Expr, what: str = "This") -> ir.Expr:
        """A list; one value alone counts as a list of one."""
        expr = self.value(tree)
        if isinstance(expr.type, t.ListOf) or expr.type == t.UNKNOWN:
            return expr
        if isinstance(expr.type, t.PerPlayer):
            return self.report("RB405", tree.at, name=_source(tree))
        return self.report("RB401", tree.at, what=what, wanted="a list", got=self.words(expr.type))

    def players(self, tree: s.Expr) -> ir.Expr:
        """One player or several, as a list."""
        expr = self.value(tree)
        if t.fits(t.surely(expr.type), t.PLAYER):
            return ir.Listed((expr,), type=t.ListOf(t.PLAYER), at=tree.at)
        return self.want(expr, t.ListOf(t.PLAYER), tree.at, "This")

    def place(self, tree: s.Expr) -> ir.Expr:
        """A place or a cell, as the goal or source of a move."""
        expr = self.raw(tree)
        if isinstance(expr.type, t.Place | t.Cell) or expr.type == t.UNKNOWN:
            return expr
        return self.report("RB401", tree.at, what="This", wanted="a place", got=self.words(self.contents(expr).type))

    def want(self, expr: ir.Expr, wanted: t.Type, at: s.At | None, what: str) -> ir.Expr:
        """Reports what does not fit; nothing is told apart from a wrong type."""
        if t.fits(expr.type, wanted) or _zero(expr, wanted):
            return expr
        if t.may_be_nothing(expr.type) and t.fits(t.surely(expr.type), wanted):
            return self.report("RB404", at, name=_text(at))
        if {expr.type, wanted} == {t.NUMBER, t.AMOUNT}:
            return self.report("RB408", at)
        return self.report("RB401", at, what=what, wanted=self.words(wanted), got=self.words(expr.type))

    # ── the forms ────────────────────────────────────────────────────────────────────────────────────────────────

    def raw(self, tree: s.Expr, expect: t.Type | None = None) -> ir.Expr:
        """The meaning of an expression, a place still being the place."""
        match tree:
            case s.Word(name):
                return self._word(name, tree.at, expect)
            case s.Number(value, unit):
                return self._literal(value, unit, tree.at)
            case s.Text(parts):
                return self.text(parts, tree.at)
            case s.YesNo(value):
                return ir.Const(value, type=t.YES_NO, at=tree.at)
            case s.Nothing():
                return ir.Const(None, type=t.NOTHING, at=tree.at)
            case s.Every(enumeration):
                return self._every(enumeration, tree.at)
            case s.Listed(items):
                return self._listed(items, tree.at, expect)
            case s.Dot():
                return self._dot(tree)
            case s.Method(owner, name, arguments):
                return self._method(owner, name, arguments, tree.at)
            case s.Index(owner, key):
                return self._index(owner, key, tree.at)
            case s.Call(name, arguments):
                return self._call(name, arguments, tree.at)
            case s.Negative(value):
                inner = self.value(value)
                zero = ir.Const(0, type=inner.type, at=tree.at)
                return self._arithmetic("-", zero, inner, tree.at)
            case s.ClockwiseFrom(start):
                player = self.want(self.value(start), t.maybe(t.PLAYER), start.at, "The start")
                return ir.Clockwise(player, type=t.ListOf(t.PLAYER), at=tree.at)
            case s.Arithmetic(operator, left, right):
                return self._arithmetic(operator, self.value(left), self.value(right), tree.at)
            case s.Range(first, last):
                low, high = self.number(first), self.number(last)
                return ir.Span(low, high, type=t.ListOf(t.NUMBER), at=tree.at)
            case s.Compare(operator, left, right):
                return self._compare(operator, left, right, tree.at)
            case s.IsEmpty(value, negated):
                return self._negated(self._empty(value, tree.at), negated)
            case s.IsSomething(value, negated):
                return self._negated(self._something(value, tree.at), negated)
            case s.Not(value):
                return ir.Not(self.question(value), type=t.YES_NO, at=tree.at)
            case s.And(left, right):
                one = self.question(left)
                with self.scope.assuming(when_true(one)):
                    return ir.And(one, self.question(right), type=t.YES_NO, at=tree.at)
            case s.Or(left, right):
                one = self.question(left)
                with self.scope.assuming(when_false(one)):
                    return ir.Or(one, self.question(right), type=t.YES_NO, at=tree.at)
            case s.Where(list, condition):
                return self._where(list, condition, tree.at)
            case s.Sorted(list, keys):
                return self._ordered(list, keys, tree.at, best=False)
            case s.With(list, keys):
                return self._ordered(list, keys, tree.at, best=True)
            case s.Of(name, list):
                return self._of(name, list, tree.at)
            case s.IfElse(condition, then, otherwise):
                return self._if_else(condition, then, otherwise, tree.at, expect)
            case s.For(body, name, list):
                listed = self.listed(list)
                with self.scope.element(name, _item(listed.type)) as slot:
                    inner = self.value(body)
                return ir.Each(listed, slot, inner, type=t.ListOf(inner.type), at=tree.at)

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _word(self, name: str, at: s.At, expect: t.Type | None) -> ir.Expr:
        scope = self.scope
        if name == "it":
            if scope.it is None:
                return self.report("RB306", at, "`it` is one of the things a `where`, `with` or `sorted by` goes through.", name="it")
            return self.narrowed(scope.local(scope.it, at))
        if name in scope.alias and scope.it is not None:
            return self.narrowed(scope.local(scope.it, at))
        if expect is not None:
            for word, enumeration in self.world.symbols(expect):
                if word == name:
                    return ir.Const(word, type=t.Symbol(enumeration), at=at)
        readings: list[tuple[str, ir.Expr]] = []
        if name in scope.bound:
            readings.append(("the name chosen before", self.narrowed(scope.local(scope.bound[name], at))))
        if name in scope.hidden:
            readings.append(("a player", scope.hidden[name]))
        if scope.it is not None:
            element = self.narrowed(scope.local(scope.it, at))
            found = self.of(element, name, at)
            if found is not None:
                readings.append((f"`it.{name}`", found))
        table = self._of_table(name, at)
        if table is not None:
            readings.append((f"`{name}` of the table", table))
        if len(readings) > 1:
            return self.report("RB305", at, name=name, one=readings[0][0], two=readings[1][0])
        if readings:
            return readings[0][1]
        if name == "none":
            return ir.Const(None, type=t.NOTHING, at=at)
        definitions = self.world.definitions(name)
        if definitions:
            return self._card(name, definitions, at)
        if name in self.world.actions:
            return ir.TheAction(name, type=t.ACTION, at=at)
        enumerations = [one for one, words in self.world.words.items() if name in words]
        if len(enumerations) == 1:
            return ir.Const(name, type=t.Symbol(enumerations[0]), at=at)
        return self._unknown_word(name, at, expect)

    def _of_table(self, name: str, at: s.At) -> ir.Expr | None:
        match name:
            case "players" | "seats":
                return ir.Seats(name == "seats", type=t.ListOf(t.PLAYER), at=at)
            case "others":
                if "me" not in self.scope.bound:
                    help = "`others` are the players except `me`, and nobody is `me` here."
                    return self.report("RB306", at, help, name="others")
                me = self.scope.local(self.scope.bound["me"], at)
                return ir.Clockwise(me, after=True, type=t.ListOf(t.PLAYER), at=at)
            case "cards":
                return ir.AllCards(type=t.ListOf(t.Card(self.world.all_kinds)), at=at)
            case "actions":
                return ir.AllActions(type=t.ListOf(t.ACTION), at=at)
        place = self.world.places.get(name)
        if place is not None and place.owner == "table":
            return ir.PlaceOf(name, None, type=place.type, at=at)
        memory = self.world.memories.get(name)
        if memory is not None and memory.owner == "table":
            return self.narrowed(ir.TableMemory(name, type=memory.type, at=at))
        return None

    def of(self, owner: ir.Expr, name: str, at: s.At | None) -> ir.Expr | None:
        """`owner.name`, values of one parameter included."""
        found = asking.of_value(self.world, self.scope, owner, name, at)
        if found is not None:
            return self.narrowed(found) if not isinstance(found.type, t.Place) else found
        value = self.world.values.get(name)
        if value is not None and len(value.parameters) == 1 and t.fits(t.surely(owner.type), value.parameters[0].type):
            if not t.members(t.surely(owner.type)):
                return None
            return ir.CallValue(name, (owner,), type=self.value_type(name), at=at)
        return None

    def _unknown_word(self, name: str, at: s.At, expect: t.Type | None) -> ir.Expr:
        if name in ("me", "this"):
            help = {
                "me": "`me` is a parameter called `me`, or `each me in …`. Write who it is.",
                "this": "`this` is the card whose script runs, and no card's script runs here.",
            }[name]
            return self.report("RB306", at, help, name=name)
        owner = asking.who_has(self.world, name)
        if owner:
            return self.report("RB304", at, f"`{name}` needs its owner: {owner}.", name=name)
        if name in self.world.values:
            return self.report("RB308", at, f"`{name}` is a question: write `{name}(…)`.", name=name)
        if name in self.world.concrete:
            return self.report("RB308", at, f"`{name}` is a kind; ask `it is {name}`.", name=name)
        legal = self._legal(expect)
        return self.report("RB301", at, did_you_mean(name, legal), wanted=self._wanted(expect), name=name)

    def _wanted(self, expect: t.Type | None) -> str:
        return "name" if expect is None or expect == t.UNKNOWN else f"name or {self.words(expect).removeprefix('a ')}"

    def _legal(self, expect: t.Type | None) -> list[str]:
        names = list(self.scope.bound) + ["players", "others", "cards", "actions", *self.world.families]
        names += [one.name for one in self.world.places.values() if one.owner == "table"]
        names += [one.name for one in self.world.memories.values() if one.owner == "table"]
        names += [*self.world.cards, *self.world.actions, *self.scope.hidden]
        if self.scope.it is not None:
            names += asking.legal_names(self.world, self.scope.types[self.scope.it])
        if expect is not None:
            names += [word for word, _ in self.world.symbols(expect)]
        return names

    def _card(self, name: str, definitions: tuple[str, ...], at: s.At) -> ir.Expr:
        kinds = frozenset(self.world.cards[one].kind for one in definitions)
        lists = [ir.AllCards(only=one, type=t.ListOf(t.Card(kinds)), at=at) for one in definitions]
        cards: ir.Expr = lists[0]
        for more in lists[1:]:
            cards = ir.Chain(cards, more, union=False, type=cards.type, at=at)
        return ir.BuiltIn("first", (cards,), type=t.Card(kinds), at=at)

    def definition(self, tree: s.Expr) -> tuple[str, ...]:
        """The card definitions a name or a dotted name means: `tiara`, `note_100.dollar`, `note_100`; else nothing."""
        path = _dotted(tree)
        return self.world.definitions(path) if path and path.split(".")[0] not in self.scope.bound else ()

    # ── dots, calls ──────────────────────────────────────────────────────────────────────────────────────────────

    def _dot(self, tree: s.Dot) -> ir.Expr:
        if isinstance(tree.owner, s.Word) and tree.owner.name == "options" and "options" not in self.scope.bound:
            return self._option(tree.name, tree.at)
        definitions = self.definition(tree)
        if definitions:
            return self._card(tree.name, definitions, tree.at)
        owner = self.value(tree.owner)
        if owner.type == t.UNKNOWN:
            return BROKEN
        found = self.of(owner, tree.name, tree.at)
        if found is not None:
            return found
        return self._no_such(owner, tree.name, tree.at, _source(tree.owner))

    def _no_such(self, owner: ir.Expr, name: str, at: s.At | None, source: str) -> ir.Expr:
        kind = t.surely(owner.type)
        if isinstance(kind, t.ListOf):
            help = f"A list has no `{name}` of its own; each of its members may: `{name} of {source}`."
            return self.report("RB303", at, help, owner=self.words(kind).capitalize(), name=name)
        if isinstance(kind, t.PerPlayer):
            return self.report("RB405", at, f"Write `{source}[p].{name}`.", name=source)
        legal = asking.legal_names(self.world, kind)
        help = did_you_mean(name, legal) if not asking.who_has(self.world, name) else asking.who_has(self.world, name).capitalize() + "."
        who = self.words(kind)
        return self.report("RB303", at, help, owner=who[0].upper() + who[1:], name=name)

    def _option(self, name: str, at: s.At) -> ir.Expr:
        if name not in self.world.options:
            return self.report("RB301", at, did_you_mean(name, self.world.options), wanted="option", name=name)
        if name in self.world.steps:
            return self.report("RB307", at, name=f"options.{name}", wanted="a number in brackets", got="none")
        return self.narrowed(ir.OptionValue(name, type=self.world.options[name], at=at))

    def _method(self, owner: s.Expr, name: str, arguments: tuple[s.Expr, ...], at: s.At) -> ir.Expr:
        if isinstance(owner, s.Word) and owner.name == "options" and name in self.world.steps:
            if len(arguments) != 1:
                return self.report("RB307", at, name=f"options.{name}", wanted="one number", got=str(len(arguments)))
            return ir.OptionValue(name, self.number(arguments[0]), type=t.NUMBER, at=at)
        target = self.target(owner)
        if target.type == t.UNKNOWN:
            return BROKEN
        hook = self.world.hooks.get(name)
        if hook is None:
            return self._no_such(target, name, at, _source(owner))
        if hook.answer is None:
            return self.report("RB407", at, f"`{name}` is something that is done: `do {_source(owner)}.{name}(…)`.", sentence=name)
        return self.ask(name, target, arguments, at)

    def target(self, owner: s.Expr) -> ir.Expr:
        """What stands before `.hook(…)`: a card, an action, or their names."""
        if isinstance(owner, s.Word) and owner.name in self.world.actions and owner.name not in self.scope.bound:
            return ir.TheAction(owner.name, type=t.ACTION, at=owner.at)
        return self.value(owner)

    def ask(self, name: str, target: ir.Expr, arguments: tuple[s.Expr, ...], at: s.At) -> ir.Expr:
        """A question that cards or actions answer."""
        hook = self.world.hooks[name]
        if not self.has_hook(target, name):
            return self._no_such(target, name, at, _text(target.at))
        given = self.arguments(hook.signature, arguments, at)
        assert hook.answer is not None
        return ir.AskHook(name, target, given, type=hook.answer, at=at)

    def has_hook(self, target: ir.Expr, name: str) -> bool:
        """Whether every value of the target has this hook."""
        hook = self.world.hooks[name]
        for one in t.members(t.surely(target.type)):
            if isinstance(one, t.Action):
                if name not in ("possible", "effect"):
                    return False
            elif not isinstance(one, t.Card) or not one.kinds <= hook.kinds:
                return False
        return True

    def arguments(self, signature: Signature, given: tuple[s.Expr, ...], at: s.At | None) -> tuple[ir.Expr, ...]:
        """The arguments of a value, rule or hook, one for each parameter."""
        wanted = signature.parameters
        if len(given) != len(wanted):
            names = ", ".join(one.name for one in wanted) or "nothing in the brackets"
            self.report("RB307", at, name=signature.name, wanted=names, got=str(len(given)) if given else "nothing")
            return tuple(BROKEN for _ in wanted)
        return tuple(self._argument(one, parameter.type) for one, parameter in zip(given, wanted, strict=True))

    def _argument(self, tree: s.Expr, wanted: t.Type) -> ir.Expr:
        if isinstance(wanted, t.Place):
            return self.place(tree)
        expr = self.value(tree, wanted)
        if isinstance(wanted, t.ListOf) and isinstance(expr.type, t.PerPlayer):
            return expr
        return self.want(expr, t.maybe(wanted), tree.at, "This")

    def _call(self, name: str, arguments: tuple[s.Expr, ...], at: s.At) -> ir.Expr:
        value = self.world.values.get(name)
        hook = self.world.hooks.get(name)
        it = self.scope.it
        element = self.scope.local(it, at) if it is not None else None
        own_hook = hook is not None and hook.answer is not None and element is not None
        if own_hook and element is not None and not self.has_hook(self.narrowed(element), name):
            own_hook = False
        if value is not None and own_hook:
            return self.report("RB305", at, name=name, one="the value", two=f"`it.{name}`")
        if value is not None:
            given = self.arguments(value, arguments, at)
            return ir.CallValue(name, given, type=self.value_type(name), at=at)
        if own_hook and element is not None:
            return self.ask(name, self.narrowed(element), arguments, at)
        if name in BUILT_INS:
            return self._built_in(name, arguments, at)
        if hook is not None and hook.answer is not None:
            help = f"`{name}` is asked of a card or action: `x.{name}(…)`, or bare inside a `where`."
            return self.report("RB308", at, help, name=name)
        if name in self.world.rules:
            return self.report("RB407", at, f"`{name}` is a rule: it is done (`do {name}(…)`), not asked.", sentence=name)
        legal = [*self.world.values, *BUILT_INS, *(one for one, info in self.world.hooks.items() if info.answer)]
        return self.report("RB301", at, did_you_mean(name, legal), wanted="question", name=name)

    def _built_in(self, name: str, arguments: tuple[s.Expr, ...], at: s.At) -> ir.Expr:
        built_in = BUILT_INS[name]
        if not built_in.least <= len(arguments) <= built_in.most:
            wanted = "one argument" if built_in.most == 1 else f"{built_in.least} or {built_in.most} arguments"
            return self.report("RB307", at, name=name, wanted=wanted, got=str(len(arguments)))
        if name in PLACES_ITSELF:
            given = (self.raw(arguments[0]), *(self.number(one) for one in arguments[1:]))
        else:
            given = tuple(self.value(one) for one in arguments)
        if any(one.type == t.UNKNOWN for one in given):
            return BROKEN
        try:
            answer = built_in.answer(tuple(one.type for one in given))
        except Wanted as wrong:
            got = given[wrong.argument]
            if t.may_be_nothing(got.type) and not isinstance(got.type, t.ListOf):
                return self.report("RB404", arguments[wrong.argument].at, name=_source(arguments[wrong.argument]))
            return self.report("RB401", arguments[wrong.argument].at, what=f"`{name}(…)`", wanted=wrong.wanted, got=self.words(got.type))
        if name == "count" and isinstance(given[0].type, t.Place):
            return ir.Pieces(given[0], type=t.NUMBER, at=at)
        return ir.BuiltIn(name, given, type=answer, at=at)

    def _index(self, owner: s.Expr, key: s.Expr, at: s.At) -> ir.Expr:
        answers = self.value(owner)
        player = self.want(self.value(key), t.PLAYER, key.at, "What stands in the brackets")
        if answers.type == t.UNKNOWN:
            return BROKEN
        if not isinstance(answers.type, t.PerPlayer):
            help = "Only what every player chose at once is asked for with brackets: `gift[p]`."
            return self.report("RB401", at, help, what="This", wanted="an answer of each player", got=self.words(answers.type))
        return self.narrowed(ir.PerPlayerAnswer(answers, player, type=t.maybe(answers.type.item), at=at))

    # ── operators ────────────────────────────────────────────────────────────────────────────────────────────────

    def _literal(self, value: int, unit: str | None, at: s.At) -> ir.Expr:
        if unit is None:
            return ir.Const(value, type=t.NUMBER, at=at)
        if unit not in self.world.units:
            help = did_you_mean(unit, self.world.units) or f"A number stands alone here: `{value}`."
            return self.report("RB308", at, help, name=unit)
        return ir.Const(value * self.world.units[unit], type=t.AMOUNT, at=at)

    def text(self, parts: tuple[str | s.Expr, ...], at: s.At | None) -> ir.Expr:
        """A text, with the values that stand in it."""
        if all(isinstance(part, str) for part in parts):
            return ir.Const("".join(part for part in parts if isinstance(part, str)), type=t.TEXT, at=at)
        joined = tuple(part if isinstance(part, str) else self.value(part) for part in parts)
        return ir.Joined(joined, type=t.TEXT, at=at)

    def _every(self, enumeration: str, at: s.At) -> ir.Expr:
        words = self.world.words.get(enumeration)
        if words is None:
            legal = [name for name in self.world.words if not name.startswith("options.")]
            return self.report("RB301", at, did_you_mean(enumeration, legal), wanted="list of words", name=enumeration)
        return ir.Const(tuple(words), type=t.ListOf(t.Symbol(enumeration)), at=at)

    def _listed(self, items: tuple[s.Expr, ...], at: s.At, expect: t.Type | None) -> ir.Expr:
        inner = expect.item if isinstance(expect, t.ListOf) else expect
        values = tuple(self.value(one, inner) for one in items)
        item = t.either(*(one.type for one in values)) if values else t.UNKNOWN
        sorts = {type(one) for one in t.members(item)}
        if t.Card in sorts and sorts & {t.Number, t.Player}:
            return self.report("RB401", at, what="A list", wanted="things of one sort", got=self.words(item))
        return ir.Listed(values, type=t.ListOf(item), at=at)

    def _arithmetic(self, operator: str, left: ir.Expr, right: ir.Expr, at: s.At) -> ir.Expr:
        if t.UNKNOWN in (left.type, right.type):
            return BROKEN
        if operator == "+" and isinstance(left.type, t.ListOf | t.PerPlayer) and isinstance(right.type, t.ListOf):
            if isinstance(left.type, t.ListOf):
                item = t.either(*(one for one in (left.type.item, right.type.item) if one != t.UNKNOWN)) if left.type != right.type else left.type.item
                return ir.Chain(left, right, union=False, type=t.ListOf(item), at=at)
        for one in (left, right):
            if t.may_be_nothing(one.type):
                return self.report("RB404", one.at or at, name=_text(one.at or at))
            if one.type not in _NUMERIC:
                help = None
                if isinstance(one.type, t.ListOf):
                    help = "Of a list, `sum(value of …)` or `count(…)` is a number."
                return self.report("RB401", one.at or at, help, what=f"What stands beside `{operator}`", wanted="a number or an amount", got=self.words(one.type))
        amounts = (left.type == t.AMOUNT) + (right.type == t.AMOUNT)
        answer: t.Type = t.AMOUNT if amounts else t.NUMBER
        if operator in "+-" and amounts == 1 and not (_is_zero(left) or _is_zero(right)):
            return self.report("RB408", at)
        if operator == "*" and amounts == 2:
            return self.report("RB401", at, what="An amount times", wanted="a number", got="an amount")
        if operator in "/%":
            if amounts == 2:
                answer = t.NUMBER if operator == "/" else t.AMOUNT
            elif amounts and left.type != t.AMOUNT:
                return self.report("RB408", at)
        return ir.Arithmetic(operator, left, right, type=answer, at=at)

    def _compare(self, operator: str, left: s.Expr, right: s.Expr, at: s.At) -> ir.Expr:
        if operator in ("in", "not in"):
            return self._negated(self._within(left, right, at), operator == "not in")
        if operator in ("is", "is not"):
            return self._negated(self._is(left, right, at), operator == "is not")
        one, two = self.value(left), self.value(right)
        if t.UNKNOWN in (one.type, two.type):
            return BROKEN
        for expr, tree in ((one, left), (two, right)):
            if t.may_be_nothing(expr.type):
                return self.report("RB404", tree.at, name=_source(tree))
            if expr.type not in _NUMERIC:
                help = f"`count({_source(tree)})` is a number." if isinstance(expr.type, t.ListOf) else None
                return self.report("RB401", tree.at, help, what=f"What stands beside `{operator}`", wanted="a number or an amount", got=self.words(expr.type))
        if one.type != two.type and not (_is_zero(one) or _is_zero(two)):
            return self.report("RB408", at)
        return ir.Compare(operator, one, two, type=t.YES_NO, at=at)

    def _negated(self, expr: ir.Expr, negated: bool) -> ir.Expr:
        if not negated or expr.type == t.UNKNOWN:
            return expr
        return ir.Not(expr, type=t.YES_NO, at=expr.at)

    def _is(self, left: s.Expr, right: s.Expr, at: s.At) -> ir.Expr:
        one = self.value(left)
        kind = t.surely(one.type)
        objects = bool(t.members(kind)) and all(isinstance(x, t.Card | t.Action) for x in t.members(kind))
        cards = isinstance(kind, t.ListOf) and isinstance(t.surely(kind.item), t.Card)
        name = right.name if isinstance(right, s.Word) else ""
        symbol = any(word == name for word, _ in self.world.symbols(kind))
        known = name in self.scope.bound
        if objects and not symbol and not known:
            if name in ("face_up", "face_down"):
                return self._negated(ir.IsFaceUp(one, type=t.YES_NO, at=at), name == "face_down")
            if name in self.world.concrete:
                return ir.IsKind(one, self.world.concrete[name], type=t.YES_NO, at=at)
            definitions = self.definition(right) or ((name,) if name in self.world.actions else ())
            if definitions:
                return ir.IsCard(one, frozenset(definitions), type=t.YES_NO, at=at)
        if cards and not known:
            if isinstance(right, s.Listed) and all(self.definition(item) for item in right.items):
                wanted = tuple(self.definition(item)[0] for item in right.items)
                ordered = isinstance(one, ir.Cards) and isinstance(one.place.type, t.Place) and one.place.type.kept in ("row", "pile", "grid")
                return ir.SameCards(one, wanted, ordered, type=t.YES_NO, at=at)
            if name in self.world.concrete or self.definition(right):
                help = f"Did you mean `any({_source(left)} where it is {_source(right)})`?"
                return self.report("RB403", at, help, left=_source(left), right=_source(right))
        two = self.value(right, one.type)
        if t.UNKNOWN in (one.type, two.type):
            return BROKEN
        if two.type == t.NOTHING:
            return ir.IsNothing(one, type=t.YES_NO, at=at)
        if _is_zero(two) and one.type == t.AMOUNT:
            return ir.Compare("==", one, two, type=t.YES_NO, at=at)
        if not t.agree(one.type, two.type):
            if isinstance(kind, t.ListOf) != isinstance(t.surely(two.type), t.ListOf):
                help = f"Did you mean `{_source(right)} in {_source(left)}`, or `count({_source(left)})`?"
                return self.report("RB403", at, help, left=_source(left), right=_source(right))
            if {kind, t.surely(two.type)} == {t.NUMBER, t.AMOUNT}:
                return self.report("RB408", at)
            return self.report("RB401", right.at, what=f"What `{_source(left)}` is compared with", wanted=self.words(kind), got=self.words(two.type))
        return ir.Compare("==", one, two, type=t.YES_NO, at=at)

    def _within(self, left: s.Expr, right: s.Expr, at: s.At) -> ir.Expr:
        one = self.value(left)
        listed = self.value(right, t.ListOf(one.type))
        if t.UNKNOWN in (one.type, listed.type):
            return BROKEN
        if not isinstance(listed.type, t.ListOf):
            return self.report("RB401", right.at, what="What stands after `in`", wanted="a list or a place", got=self.words(listed.type))
        if not t.agree(one.type, listed.type.item):
            return self.report("RB401", left.at, what="What may be in that list", wanted=self.words(listed.type.item), got=self.words(one.type))
        return ir.Within(one, listed, type=t.YES_NO, at=at)

    def _empty(self, tree: s.Expr, at: s.At) -> ir.Expr:
        expr = self.raw(tree)
        if isinstance(expr.type, t.Place):
            if expr.type.kept == "pool":
                count = ir.Pieces(expr, type=t.NUMBER, at=at)
                return ir.Compare("==", count, ir.Const(0, type=t.NUMBER), type=t.YES_NO, at=at)
            if expr.type.kept == "slot":
                return ir.IsNothing(self.contents(expr), type=t.YES_NO, at=at)
        if isinstance(expr.type, t.Cell) or (t.may_be_nothing(expr.type) and not isinstance(expr.type, t.ListOf)):
            return ir.IsNothing(expr, type=t.YES_NO, at=at)
        expr = self.contents(expr)
        if expr.type == t.UNKNOWN or isinstance(expr.type, t.ListOf):
            return ir.IsEmpty(expr, type=t.YES_NO, at=at)
        help = f"Of one thing, ask `{_source(tree)} is nothing`."
        return self.report("RB401", tree.at, help, what="What may be empty", wanted="a list or a place", got=self.words(expr.type))

    def _something(self, tree: s.Expr, at: s.At) -> ir.Expr:
        expr = self.value(tree)
        if isinstance(expr.type, t.ListOf):
            return self.report("RB403", at, f"Of a list, ask `{_source(tree)} is not empty`.", left=_source(tree), right="something")
        return ir.Not(ir.IsNothing(expr, type=t.YES_NO, at=at), type=t.YES_NO, at=at)

    # ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _where(self, listed_tree: s.Expr, condition: s.Expr, at: s.At) -> ir.Expr:
        listed = self.listed(listed_tree, "What stands before `where`")
        with self.scope.element("it", _item(listed.type)) as slot:
            asked = self.question(condition)
            here = self.scope.local(slot, None)
            narrowed = when_true(asked).get(here, _item(listed.type))
        return ir.Filter(listed, slot, asked, type=t.ListOf(narrowed), at=at)

    def keys(self, keys: Iterable[s.Key]) -> tuple[ir.Key, ...]:
        """The keys of an order, about `it`."""
        found = []
        for key in keys:
            value = self.value(key.value)
            if value.type != t.UNKNOWN and value.type not in _NUMERIC:
                if t.may_be_nothing(value.type):
                    value = self.report("RB404", key.value.at, name=_source(key.value))
                else:
                    value = self.report("RB401", key.value.at, what="What an order goes by", wanted="a number or an amount", got=self.words(value.type))
            found.append(ir.Key(key.most, value))
        return tuple(found)

    def _ordered(self, listed_tree: s.Expr, keys: tuple[s.Key, ...], at: s.At, *, best: bool) -> ir.Expr:
        listed = self.listed(listed_tree, "What is ordered")
        with self.scope.element("it", _item(listed.type)) as slot:
            found = self.keys(keys)
        node = ir.Best if best else ir.Sorted
        return node(listed, slot, found, type=listed.type, at=at)

    def _of(self, name: str, listed_tree: s.Expr, at: s.At) -> ir.Expr:
        listed = self.listed(listed_tree, f"What stands after `{name} of`")
        item = _item(listed.type)
        if listed.type == t.UNKNOWN or item == t.UNKNOWN:
            return BROKEN
        with self.scope.element("it", item) as slot:
            body = self.of(self.scope.local(slot, at), name, at)
            if body is None:
                return self._no_such(self.scope.local(slot, at), name, at, "it")
            if isinstance(body.type, t.Place) and body.type.kept == "pool":
                return self.report("RB401", at, what=f"`{name}`", wanted="something that can be listed", got="a pool of pieces")
            if isinstance(body.type, t.Place):
                body = ir.Cards(body, type=t.ListOf(t.Card(body.type.holds)), at=at)
        if isinstance(body.type, t.ListOf):
            return ir.Each(listed, slot, body, flat=True, type=body.type, at=at)
        return ir.Each(listed, slot, body, type=t.ListOf(body.type), at=at)

    def _if_else(self, condition: s.Expr, then: s.Expr, otherwise: s.Expr, at: s.At, expect: t.Type | None) -> ir.Expr:
        asked = self.question(condition)
        with self.scope.assuming(when_true(asked)):
            one = self.value(then, expect)
        with self.scope.assuming(when_false(asked)):
            two = self.value(otherwise, expect if expect is not None else one.type)
        if t.UNKNOWN in (one.type, two.type):
            return BROKEN
        kind = t.either(one.type, two.type)
        if {one.type, two.type} == {t.NUMBER, t.AMOUNT}:
            if not (_is_zero(one) or _is_zero(two)):
                return self.report("RB408", at)
            kind = t.AMOUNT
        return ir.IfElse(asked, one, two, type=kind, at=at)


def _item(of: t.Type) -> t.Type:
    return of.item if isinstance(of, t.ListOf) else t.UNKNOWN


def _is_zero(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Const) and expr.value == 0 and not isinstance(expr.value, bool)


def _zero(expr: ir.Expr, wanted: t.Type) -> bool:
    return _is_zero(expr) and t.AMOUNT in t.members(wanted)


def _text(at: s.At | None) -> str:
    return at.scalar.text[at.start : at.end].strip() if at else "this"


def _source(tree: s.Expr) -> str:
    """The expression as its author wrote it."""
    return _text(tree.at)


def _dotted(tree: s.Expr) -> str:
    match tree:
        case s.Word(name):
            return name
        case s.Dot(owner, name):
            above = _dotted(owner)
            return f"{above}.{name}" if above else ""
    return ""
