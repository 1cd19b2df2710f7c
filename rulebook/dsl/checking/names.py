"""The checker of names: bare words, dots, calls, hooks and options.

In: a name and where it stands. Out: what it means there, by the order of the language's rules. Never: shadows: two
readings of one name are a message.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulebook.diagnostics import did_you_mean, near, perhaps
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking import advice, asking
from rulebook.dsl.checking.advice import words_before
from rulebook.dsl.checking.scope import named
from rulebook.dsl.checking.wants import BROKEN, Wants, source, stands_before_a_dot, typed, words_at
from rulebook.dsl.naming.builtins import BUILT_INS, PLACES_ITSELF, Wanted
from rulebook.dsl.structuring.declarations import BANNED
from rulebook.dsl.world import BUILT_IN_NAMES, Signature

_OF_WORDS = (t.Symbol, t.Either)
"""Types of which words may be values."""


class Names(Wants):
    """What words mean."""

    def new_name(self, name: str, at: s.At, *, actor: bool = False) -> None:
        """A name that a sentence binds must have no other meaning in any script; only an `actor` may be `me`."""
        taken = self.world.meaning(name)
        if name in BANNED and not (actor and name == "me"):
            self.report("RB114", at, name=name)
        elif taken:
            help = f"Choose another name here, for example `the_{name}`."
            self.report("RB305", at, help, name=name, one="this new name", two=taken)

    def word(self, name: str, at: s.At, expect: t.Type | None) -> ir.Expr:
        scope = self.scope
        if name == "it":
            if scope.it is None:
                return self.report(
                    "RB306", at, "`it` is one of the things a `where`, `with` or `sorted by` goes through.", name="it"
                )
            return self.narrowed(scope.local(scope.it, at))
        if name in scope.alias and scope.bound_next is not None:
            return self.narrowed(scope.local(scope.bound_next, at))
        if isinstance(expect, _OF_WORDS):
            for word, enumeration in self.world.symbols(expect):
                if word == name:
                    return ir.Const(word, type=t.Symbol(enumeration), at=at)
        local = name in scope.bound
        if local and scope.it is None and not scope.hidden:
            return self.narrowed(scope.local(scope.bound[name], at))
        readings: list[tuple[str, ir.Expr]] = []
        if local:
            readings.append(("the name chosen before", self.narrowed(scope.local(scope.bound[name], at))))
        if name in scope.hidden:
            readings.append(("a player", scope.hidden[name]))
        if scope.it is not None:
            element = self.narrowed(scope.local(scope.it, at))
            found = self.of(element, name, at)
            if found is not None:
                readings.append((f"`it.{name}`", found))
        # That a local has the name of something on the table was said where it got its name.
        table = None if local else self._of_table(name, at)
        if table is not None:
            readings.append((f"`{name}` of the table", table))
        if len(readings) > 1:
            return self.report("RB305", at, name=name, one=readings[0][0], two=readings[1][0])
        if readings:
            return readings[0][1]
        if scope.it is not None and scope.types[scope.it] == t.UNKNOWN:
            return BROKEN  # what the list holds is unknown, and so is what its things have
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
        if name in BUILT_IN_NAMES and (found := self._of_language(name, at)) is not None:
            return found
        place = self.world.places.get(name)
        if place is not None and place.owner == "table":
            return ir.PlaceOf(name, None, type=place.type, at=at)
        memory = self.world.memories.get(name)
        if memory is not None and memory.owner == "table":
            return self.narrowed(ir.TableMemory(name, type=memory.type, at=at))
        return None

    def _of_language(self, name: str, at: s.At) -> ir.Expr | None:
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
        return None

    def of(self, owner: ir.Expr, name: str, at: s.At | None) -> ir.Expr | None:
        """`owner.name`, values of one parameter included."""
        found = asking.of_value(self.world, self.scope, owner, name, at)
        if found is not None:
            if isinstance(found.type, t.Place):
                return found
            return self.narrowed(typed(found, answered(found.type, (owner,))))
        value = self.world.values.get(name)
        if value is not None and len(value.parameters) == 1 and t.fits(t.surely(owner.type), value.parameters[0].type):
            if not t.members(t.surely(owner.type)):
                return None
            return ir.CallValue(f"values.{name}", (owner,), type=answered(self.value_type(name), [owner]), at=at)
        return None

    def _unknown_word(self, name: str, at: s.At, expect: t.Type | None) -> ir.Expr:
        if name in ("me", "this"):
            help = {
                "me": "`me` is who stands between the brackets, `turn(me)`, or behind `each me in …`. Write who it is.",
                "this": "`this` is the card whose script runs, and no card's script runs here.",
            }[name]
            return self.report("RB306", at, help, name=name)
        if name in self.scope.closed:
            help = f"`{name}` is a player only inside the options of its `offer`. Say there what that player does."
            return self.report("RB306", at, help, name=name)
        if name in named(self.scope.script):
            return self._too_early(name, at, expect)
        owner = asking.who_has(self.world, name)
        if owner and self.scope.it is not None:
            return self._no_such(self.scope.local(self.scope.it, at), name, at, "it")
        if owner:
            if "`p." in owner and "me" in self.scope.bound:
                owner = f"each player has one, and `me.{name}` is that of whoever acts"
            return self.report("RB306", at, f"Write whose it is: {owner}.", name=name)
        if name in self.world.values or name in BUILT_INS:
            return self.report("RB308", at, f"`{name}` is a question: write `{name}(…)`.", name=name)
        if name in self.world.concrete:
            return self.report("RB308", at, f"`{name}` is a kind; ask `it is {name}`.", name=name)
        legal = self._legal(expect, at)
        short = [one for one in legal if len(one) <= 2 and (one != "no" or expect == t.YES_NO)]
        help = advice.about_name(self.world, self.scope, name, at, expect, legal)
        help = help or (_there_are(short) if len(name) <= 2 and short else "")
        return self.report("RB301", at, help, wanted=self._wanted(expect), name=name)

    def _too_early(self, name: str, at: s.At, expect: t.Type | None) -> ir.Expr:
        """A name that a line further down binds; or a slip in what this line sets, which it then seems to bind."""
        close = near(name, self._legal(expect, at)) if words_before(at)[-1:] in (["set"], ["to"]) else []
        help: str | None = advice.bound_later(name, at)
        if close:
            help = perhaps(name, close, f" If not, give it a value first: `let {name} = …`.")
        return self.report("RB304", at, help, name=name)

    def _wanted(self, expect: t.Type | None) -> str:
        words = sorted({enumeration for _, enumeration in self.world.symbols(expect)} if expect is not None else ())
        if not words:
            return "name"
        return " or ".join(f"choice of `{one}`" if one.startswith("options.") else one for one in words)

    def _legal(self, expect: t.Type | None, at: s.At) -> list[str]:
        """What could stand there: names of this place first, words of any place last."""
        before = words_before(at)
        names = [*self.scope.bound]
        if self.scope.it is not None:
            it = self.narrowed(self.scope.local(self.scope.it, at)).type
            names += ["it", *asking.legal_names(self.world, it)]
        if expect is not None:
            names += [word for word, _ in self.world.symbols(expect)]
        if before[-1:] == ["is"] or before[-2:] == ["is", "not"]:
            names += ["empty", "something", "face_up", "face_down", *self.world.concrete]
        if before[-1:] == ["win"]:
            names += ["nobody"]
        if stands_before_a_dot(at):
            names += ["options"]
        names += ["players", "others", "cards", "actions", "yes", "no", "nothing", "none", *self.world.families]
        names += [one.name for one in self.world.places.values() if one.owner == "table"]
        names += [one.name for one in self.world.memories.values() if one.owner == "table"]
        names += [*self.world.cards, *self.world.actions, *self.scope.hidden]
        names += [word for words in self.world.words.values() for word in words]
        return list(dict.fromkeys(names))

    def _card(self, name: str, definitions: tuple[str, ...], at: s.At) -> ir.Expr:
        kinds = frozenset(self.world.cards[one].kind for one in definitions)
        lists = [ir.AllCards(only=one, type=t.ListOf(t.Card(kinds)), at=at) for one in definitions]
        cards: ir.Expr = lists[0]
        for more in lists[1:]:
            cards = ir.Chain(cards, more, type=cards.type, at=at)
        return ir.BuiltIn("first", (cards,), type=t.Card(kinds), at=at)

    def definition(self, tree: s.Expr) -> tuple[str, ...]:
        """The card definitions a name or a dotted name means: `tiara`, `note_100.dollar`, `note_100`; else nothing."""
        first = tree
        while isinstance(first, s.Dot):
            first = first.owner
        if not isinstance(first, s.Word) or first.name in self.scope.bound:
            return ()
        return self.world.definitions(_dotted(tree))

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
        if len(family := self.definition(tree.owner)) > 1:
            name = _dotted(tree)
            return self.report("RB301", tree.at, did_you_mean(name, family), wanted="card", name=name)
        return self._no_such(owner, tree.name, tree.at, source(tree.owner))

    def _no_such(self, owner: ir.Expr, name: str, at: s.At | None, source: str) -> ir.Expr:
        kind = t.surely(owner.type)
        if isinstance(kind, t.ListOf):
            help = f"A list has no `{name}` of its own; each of its members may: `{name} of {source}`."
            return self.report("RB303", at, help, owner=self.words(kind).capitalize(), name=name)
        if isinstance(kind, t.PerPlayer):
            return self.report("RB405", at, f"Write `{source}[p].{name}`.", name=source)
        legal = asking.legal_names(self.world, kind)
        help = (
            did_you_mean(name, legal)
            if not asking.who_has(self.world, name)
            else asking.who_has(self.world, name).capitalize() + "."
        )
        who = self.words(kind)
        return self.report("RB303", at, help, owner=who[0].upper() + who[1:], name=name)

    def _option(self, name: str, at: s.At) -> ir.Expr:
        if name not in self.world.options:
            return self.report("RB301", at, advice.about_option(self.world, name), wanted="option", name=name)
        if name in self.world.steps:
            return self.report("RB307", at, name=f"options.{name}", wanted="one number", got="nothing")
        return self.narrowed(ir.OptionValue(name, type=self.world.options[name], at=at))

    def _method(self, owner: s.Expr, name: str, arguments: tuple[s.Expr, ...], at: s.At) -> ir.Expr:
        if isinstance(owner, s.Word) and owner.name == "options" and "options" not in self.scope.bound:
            if name not in self.world.options:
                return self._option(name, at)
            if name not in self.world.steps:
                got = things(len(arguments))
                return self.report("RB307", at, name=f"options.{name}", wanted="nothing", got=got)
            if len(arguments) != 1:
                return self.report("RB307", at, name=f"options.{name}", wanted="one number", got=things(len(arguments)))
            return ir.OptionValue(name, self.number(arguments[0]), type=t.NUMBER, at=at)
        target = self.target(owner)
        if target.type == t.UNKNOWN:
            return BROKEN
        hook = self.world.hooks.get(name)
        if hook is None:
            return self._no_such(target, name, at, source(owner))
        if hook.answer is None:
            return self.report(
                "RB407", at, f"`{name}` is something that is done: `do {source(owner)}.{name}(…)`.", sentence=name
            )
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
            return self._no_such(target, name, at, words_at(target.at))
        given = self.arguments(hook.signature, arguments, at)
        assert hook.answer is not None
        return self.narrowed(ir.AskHook(name, target, given, type=answered(hook.answer, [target, *given]), at=at))

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
            names = " and ".join(f"`{one.name}`" for one in wanted) or "nothing"
            self.report("RB307", at, name=signature.name, wanted=names, got=things(len(given)))
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
        if name in BUILT_INS and (value or hook):
            return BROKEN  # a name taken twice, which was said where it is declared
        it = self.scope.it
        element = self.scope.local(it, at) if it is not None else None
        own_hook = hook is not None and hook.answer is not None and element is not None
        if own_hook and element is not None and not self.has_hook(self.narrowed(element), name):
            own_hook = False
        if value is not None and own_hook:
            return self.report("RB305", at, name=name, one="the value", two=f"`it.{name}`")
        if value is not None:
            given = self.arguments(value, arguments, at)
            answer = answered(self.value_type(name), given)
            return self.narrowed(ir.CallValue(f"values.{name}", given, type=answer, at=at))
        if own_hook and element is not None:
            return self.ask(name, self.narrowed(element), arguments, at)
        if name in BUILT_INS:
            return self._built_in(name, arguments, at)
        if hook is not None and hook.answer is not None:
            help = f"`{name}` is asked of a card or action: `x.{name}(…)`, or bare inside a `where`."
            return self.report("RB308", at, help, name=name)
        if name in self.world.rules:
            return self.report(
                "RB407", at, f"`{name}` is a rule: it is done (`do {name}(…)`), not asked.", sentence=name
            )
        legal = [*self.world.values, *BUILT_INS, *(one for one, info in self.world.hooks.items() if info.answer)]
        return self.report("RB301", at, advice.about_question(name, legal), wanted="question", name=name)

    def _built_in(self, name: str, arguments: tuple[s.Expr, ...], at: s.At) -> ir.Expr:
        built_in = BUILT_INS[name]
        if not built_in.least <= len(arguments) <= built_in.most:
            least, most = built_in.least, built_in.most
            wanted = things(least) if least == most else f"{least} or {things(most)}"
            return self.report("RB307", at, name=name, wanted=wanted, got=things(len(arguments)))
        if name in PLACES_ITSELF:
            given = (self.raw(arguments[0]), *(self.number(one) for one in arguments[1:]))
        else:
            given = tuple([self.value(one) for one in arguments])
        types = tuple([one.type for one in given])
        if t.UNKNOWN in types:
            return BROKEN
        try:
            answer = built_in.answer(types)
        except Wanted as wrong:
            got = given[wrong.argument]
            if t.may_be_nothing(got.type) and not isinstance(got.type, t.ListOf):
                return self.unsure(got, arguments[wrong.argument].at)
            return self.report(
                "RB401",
                arguments[wrong.argument].at,
                what=f"`{name}(…)`",
                wanted=wrong.wanted,
                got=self.words(got.type),
            )
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
            return self.report(
                "RB401", at, help, what="This", wanted="an answer of each player", got=self.words(answers.type)
            )
        return self.narrowed(ir.PerPlayerAnswer(answers, player, type=t.maybe(answers.type.item), at=at))


def answered(answer: t.Type, asked: Iterable[ir.Expr]) -> t.Type:
    """The type of an answer about things that may be nothing: of nothing there is no answer.

    What a player chose is not there only where there was nothing to choose, and then its sentence is skipped.
    """
    for one in asked:
        if t.may_be_nothing(one.type) and not isinstance(one, ir.PerPlayerAnswer):
            return answer if isinstance(answer, t.ListOf) else t.maybe(answer)
    return answer


def things(count: int) -> str:
    """How much stands between brackets."""
    return ("nothing", "one thing")[count] if count < 2 else f"{count} things"


def _there_are(names: list[str]) -> str:
    """What there is, where too few letters were written to tell what was meant."""
    *first, last = (f"`{one}`" for one in names)
    return f"Here there {'are' if first else 'is'} {', '.join(first)}{' and ' if first else ''}{last}."


def _dotted(tree: s.Expr) -> str:
    match tree:
        case s.Word(name):
            return name
        case s.Dot(owner, name):
            above = _dotted(owner)
            return f"{above}.{name}" if above else ""
    return ""
