"""The checker of expressions: from what was written to what it means, with its type.

A broken expression has type UNKNOWN, and is reported once. `Expressions.check` is the one dispatch, over the table
`_FORMS`; `check_value`, `check_question` and their like call it for whoever wants something of a certain type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Edit, Fix, Label, diagnose, did_you_mean, near, perhaps
from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking import advice
from rulebook.dsl.checking.advice import words_before
from rulebook.dsl.checking.scope import Original, Scope, bare, find_misuse, find_named, when_false, when_true
from rulebook.dsl.document import At, Mapping, Node, Scalar
from rulebook.dsl.naming.builtins import BUILT_INS, PLACES_ITSELF, Wanted
from rulebook.dsl.settling.options import choices_of
from rulebook.dsl.structuring.declarations import BANNED
from rulebook.dsl.walk import everything, rewrite
from rulebook.dsl.world import BUILT_IN_NAMES, Parameter, Signature, Value, World

BROKEN = ir.Const(None, type=t.UNKNOWN)
NUMERIC = (t.NUMBER, t.AMOUNT)
_SORTS: dict[str, type] = {"card": t.Card, "text": t.Text, "number": t.Number, "player": t.Player}
"""Words right of `is` that tell apart the sorts of a mixed answer."""
_PRESENCE = re.compile(r"\bis\s+(not\s+)?(something|nothing|none)$")
"""The end of a question whether a thing is there."""


class Expressions:
    """Checks the expressions of one script; `value_type` finds what a value answers (checking it first if need be)."""

    def __init__(
        self, world: World, scope: Scope, where: str, messages: list[Diagnostic], value_type: Callable[[str], t.Type]
    ) -> None:
        self.world, self.scope, self.where, self.messages = world, scope, where, messages
        self.value_type = value_type
        self.original: Original | None = None

    # ── reporting ────────────────────────────────────────────────────────────────────────────────────────────────

    def report(
        self, code: str, at: At | None, help: str | None = None, fix: Fix | None = None, **values: Any
    ) -> ir.Expr:
        """Report a mistake, and return what agrees with everything."""
        span = at.span if at else None
        self.messages.append(diagnose(code, span, where=self.where, help=help or None, fix=fix, **values))
        return BROKEN

    def report_type(self, at: At | None, what: str, wanted: str, got: t.Type, help: str | None = None) -> ir.Expr:
        return self.report("RB401", at, help, what=what, wanted=wanted, got=self.describe_type(got))

    def report_unsure(self, expr: ir.Expr, at: At | None) -> ir.Expr:
        """Report that this may be nothing: the thing asked about where that is why, else the answer itself."""
        match expr:
            case ir.PlayerMemory(_, inner) | ir.State(_, inner) | ir.Attribute(_, inner) | ir.Neighbour(inner, _):
                about: tuple[ir.Expr, ...] = (inner,)
            case ir.CallValue(_, about):
                pass
            case ir.AskHook():
                about = (expr.target, *expr.arguments)
            case _:
                about = ()
        for value in about:
            if t.may_be_nothing(value.type) and value.at is not None:
                return self.report_unsure(value, value.at)
        name = words_at(at)
        self.report("RB404", at, self._advise_on_bounds(self.find_unbounded(expr), name), name=name)
        if self.world.eliminates and is_never_nothing(expr, evolve(self.world, eliminates=None)):
            label = Label(self.world.eliminates, "from here on, somebody may be out, and nobody left")
            self.messages[-1] = evolve(self.messages[-1], labels=(label,))
        return BROKEN

    def _advise_on_bounds(self, memory: str, name: str) -> str | None:
        """Say how a memory or state gets the bound or the start that it lacks; None if it has both."""
        if not memory:
            return None
        declared = self.world.authored.memory
        known = {**declared.table, **declared.player}.get(memory)
        if known is None or known.start is None:
            sure = f"Or let `{memory}` begin with a number, by a `default:` where it is declared."
        else:
            start = known.start.text if isinstance(known.start, Scalar) else "…"
            bounded = f"{memory}: {{type: 0..99, default: {start}}}"
            sure = f"Or say that `{memory}` is never less than 0, so that there is always a number: `{bounded}`."
        return f"Ask first: `{name} is something and …`. {sure}"

    def find_unbounded(self, expr: ir.Expr) -> str:
        """Find the memory because of which there may be no number in a range, and so in this, as nobody has said that
        it is never less than 0, or the memory or state that is asked and begins with nothing; empty if that is not why.
        """
        if isinstance(expr, ir.PlayerMemory | ir.TableMemory | ir.State) and t.surely(expr.type) in NUMERIC:
            return expr.name
        for part in everything(expr):
            if isinstance(part, ir.Local) and part.slot in self.scope.unbounded:
                return self.scope.unbounded[part.slot]
            if isinstance(part, ir.Span) and is_zero(part.first):
                inside = (one for one in everything(part.last) if isinstance(one, ir.PlayerMemory | ir.TableMemory))
                names = (one.name for one in inside if self.world.memories[one.name].values is None)
                if name := next(names, ""):
                    return name
        return ""

    def report_unit(self, at: At | None, got: t.Type = t.NUMBER) -> ir.Expr:
        """Report that a number should have been an amount, or an amount a number."""
        words, bare = words_at(at), got == t.NUMBER
        help = advice.units_for(self.world, words) if bare else advice.without_unit(self.world, words)
        got_, wanted = ("a bare number", "an amount") if bare else ("an amount", "a bare number")
        return self.report("RB408", at, help, given=words, got=got_, wanted=wanted)

    def find_original(self, at: At, *, question: bool) -> Original | None:
        """Return what `original` stands for at a place; None, with a message, where it stands for nothing."""
        wrong = find_misuse(self.original, at, question=question)
        if wrong is None:
            return self.original
        problem, help = wrong
        self.report("RB309", at, help, problem=problem)
        return None

    def _check_added(self, tree: s.Added) -> ir.Expr:
        """Check a condition that a variant adds to a sentence of the game."""
        with self.scope.among(tree.variant):
            return self.check_question(tree.condition)

    def find_given(self, slot: int) -> str:
        """Return why a parameter cannot be set: what lies beneath this script is given it too; empty if it can."""
        if self.original is None or slot not in self.original.kept_as:
            return ""
        return f"`original` is done with it as it was given. Use another name: `let the_{self.scope.names[slot]} = …`."

    def describe_type(self, of: t.Type) -> str:
        return self.world.describe_type(of)

    # ── what callers ask for ─────────────────────────────────────────────────────────────────────────────────────

    def check(self, tree: s.Expr, expect: t.Type | None = None) -> ir.Expr:
        """Check any form of expression, a place still being the place."""
        return _FORMS[type(tree)](self, tree, expect)

    def check_value(self, tree: s.Expr, expect: t.Type | None = None) -> ir.Expr:
        """Check any value. A place means its cards (a slot its card); a pool stays the place it is."""
        expr = self.check(tree, expect)
        return self.read_place(expr) if isinstance(expr.type, t.Place) else self.narrow_type(expr)

    def read_place(self, expr: ir.Expr) -> ir.Expr:
        kind = expr.type
        if not isinstance(kind, t.Place) or kind.kept == "pool":
            return self.narrow_type(expr)
        if kind.kept == "slot":
            return self.narrow_type(ir.TheCard(expr, type=t.Card(kind.holds), at=expr.at))
        return ir.Cards(expr, type=t.ListOf(t.Card(kind.holds)), at=expr.at)

    def narrow_type(self, expr: ir.Expr) -> ir.Expr:
        """Give an expression the type that has been asked of it before."""
        facts = self.scope.facts
        if not facts or type(expr) not in map(type, facts):
            return expr
        known = facts.get(bare(expr))
        return expr if known is None else typed(expr, known)

    def is_known_filled(self, place: ir.Expr) -> bool:
        """Tell whether it has been asked before that something lies in a place."""
        cards = self.read_place(place)
        return bare(ir.BuiltIn("first", (cards,), type=t.UNKNOWN)) in self.scope.facts

    def check_question(self, tree: s.Expr, beside: s.Expr | None = None) -> ir.Expr:
        """Check a yes or no; `beside` is the question on the other side of an `or` or `and`."""
        expr = self.check_value(tree)
        if t.fits(expr.type, t.YES_NO):
            return expr
        if t.may_be_nothing(expr.type) and t.fits(t.surely(expr.type), t.YES_NO):
            return self.report_unsure(expr, tree.at)
        help = None
        if isinstance(beside, s.Compare):
            help = f"Each side is a whole question: say before `{quote_source(tree)}` again what is compared with it."
        elif isinstance(expr.type, t.ListOf):
            text = quote_source(tree)
            help = f"To ask whether there is any, write `any({text})` or `{text} is not empty`."
        elif t.fits(expr.type, t.NUMBER) or t.fits(expr.type, t.AMOUNT):
            help = f"Compare it, for example `{quote_source(tree)} > 0`."
        return self.report("RB402", tree.at, help, got=self.describe_type(expr.type))

    def check_number(self, tree: s.Expr, what: str = "This") -> ir.Expr:
        """Check a number without a unit."""
        if isinstance(tree, s.Number) and tree.unit is not None and tree.unit not in self.world.units:
            help = f"Write only the number: `{tree.value}`."
            return self.report("RB308", tree.at, help, name=tree.unit)
        return self.expect(self.check_value(tree, t.NUMBER), t.NUMBER, tree.at, what)

    def check_list(self, tree: s.Expr, what: str = "This") -> ir.Expr:
        expr = self.check_value(tree)
        if isinstance(tree, s.Listed) and len(tree.items) == 1 and isinstance(find_item_type(expr.type), t.ListOf):
            help = f"Leave out the square brackets: `{quote_source(tree.items[0])}`."
            return self.report_type(tree.at, what, "one list, and no list in a list", expr.type, help)
        if isinstance(expr.type, t.ListOf) or expr.type == t.UNKNOWN:
            return expr
        if is_answers(expr.type):
            return self.report("RB405", tree.at, name=quote_source(tree))
        if isinstance(t.surely(expr.type), t.ListOf):
            return self.report_unsure(expr, tree.at)
        return self.report_type(tree.at, what, "a list", expr.type, self.advise_on_table(expr.type, quote_source(tree)))

    def check_players(self, tree: s.Expr) -> ir.Expr:
        """Check one player or several, as a list."""
        sides = (tree.left, tree.right) if isinstance(tree, s.And) else ()
        if isinstance(tree, s.And) and all(t.surely(self.check_value(side).type) == t.PLAYER for side in sides):
            help = f"Several players are a list: `[{quote_source(tree.left)}, {quote_source(tree.right)}]`."
            return self.report("RB401", tree.at, help, what="This", wanted="a list of players", got="two of them")
        expr = self.check_value(tree)
        if t.fits(t.surely(expr.type), t.PLAYER):
            return ir.Listed((expr,), type=t.ListOf(t.PLAYER), at=tree.at)
        return self.expect(expr, t.ListOf(t.PLAYER), tree.at, "This")

    def check_place(self, tree: s.Expr, wanted: t.Type | None = None) -> ir.Expr:
        """Check a place: any, or a pool where that is wanted and none where `place` is."""
        expr = self.check(tree)
        if isinstance(expr.type, t.Place) or expr.type == t.UNKNOWN:
            if wanted is None or t.fits(expr.type, wanted):
                return expr
            return self.report_no_fit(tree.at, expr.type, wanted)
        got = self.read_place(expr).type
        help = advice.place_of(self.world, got, quote_source(tree))
        return self.report_type(tree.at, "This", "a place" if wanted is None else self.describe_type(wanted), got, help)

    def report_no_fit(self, at: At, got: t.Type, wanted: t.Type) -> ir.Expr:
        """Report a pool where cards lie, or cards where a pool is."""
        help = "A pool counts pieces, which are no cards: for pools a rule takes `pool p`, for all else `place p`."
        return self.report_type(at, "This", self.describe_type(wanted), got, help)

    def check_spot(self, tree: s.Expr) -> ir.Expr:
        """Check a place or a cell, as the goal of a move."""
        expr = self.check(tree)
        if not isinstance(t.surely(expr.type), t.Cell):
            return self.check_place(tree)
        return self.report_unsure(expr, tree.at) if t.may_be_nothing(expr.type) else expr

    def expect(self, expr: ir.Expr, wanted: t.Type, at: At | None, what: str, otherwise: str = "") -> ir.Expr:
        """Report what does not fit; nothing is told apart from a wrong type. `otherwise` is the help of last resort."""
        if t.fits(expr.type, wanted) or (is_zero(expr) and t.AMOUNT in t.members(wanted)):
            return expr
        if t.may_be_nothing(expr.type) and t.fits(t.surely(expr.type), wanted):
            return self.report_unsure(expr, at)
        sure = t.surely(wanted)
        if {expr.type, sure} == {t.NUMBER, t.AMOUNT}:
            return self.report_unit(at, expr.type)
        help = advice.about_type(self.world, sure) or advice.about_grids(sure, expr.type) or otherwise
        if sure in NUMERIC or isinstance(sure, t.ListOf):
            help = self.advise_on_table(expr.type, words_at(at)) or help
        return self.report_type(at, what, self.describe_type(sure), expr.type, help)

    def advise_on_table(self, of: t.Type, words: str) -> str | None:
        """Say how to make one number of a table that stands where one is wanted; None of anything else."""
        if not isinstance(of, t.TableOf):
            return None
        if not t.has_numbers(of):
            there = f"with `where {words}[p] is something` if one may be missing"
            listed = f"List the answers: `{words}[p] for p in players`, {there}."
            return listed if t.surely(of.item) in NUMERIC else None
        return f"Say which: `{words}[{self._exemplify(of.key)}]`. All together are `sum({words})`."

    def _exemplify(self, key: t.Type) -> str:
        """A key of a table, as an example: its first word, or a player."""
        return next((word for word, _ in self.world.symbols(key)), "p")

    def _expect_numeric(self, expr: ir.Expr, at: At, what: str, help: str | None = None) -> ir.Expr | None:
        """Report what is neither a number nor an amount; None if it is one."""
        if expr.type in NUMERIC:
            return None
        if t.may_be_nothing(expr.type):
            return self.report_unsure(expr, at)
        help = help or self.advise_on_table(expr.type, words_at(at))
        return self.report_type(at, what, "a number or an amount", expr.type, help)

    # ── words ────────────────────────────────────────────────────────────────────────────────────────────────────

    def check_new_name(self, name: str, at: At, *, actor: bool = False) -> None:
        """Check that a new name has no other meaning in any script; only an `actor` may be `me`."""
        taken = self.world.describe_meaning(name)
        if name in BANNED and not (actor and name == "me"):
            self.report("RB114", at, name=name)
        elif taken:
            help = f"Choose another name here, for example `the_{name}`."
            self.report("RB305", at, help, name=name, one="this new name", two=taken)

    def _check_word(self, tree: s.Word, expect: t.Type | None) -> ir.Expr:
        scope, name, at = self.scope, tree.name, tree.at
        if name == "it":
            if scope.it is not None:
                return self.narrow_type(scope.read_local(scope.it, at))
            help = "`it` is one of the things a `where`, `with` or `sorted by` goes through."
            return self.report("RB306", at, help, name="it")
        if (slot := scope.aliases.get(name)) is not None:
            return self.narrow_type(scope.read_local(slot, at))
        if isinstance(expect, t.Symbol | t.Either):  # types of which words may be values
            for word, enumeration in self.world.symbols(expect):
                if word == name:
                    return ir.Const(word, type=t.Symbol(enumeration), at=at)
        local = name in scope.bound
        readings: list[tuple[str, ir.Expr]] = []
        if local:
            readings.append(("the name chosen before", self.narrow_type(scope.read_local(scope.bound[name], at))))
        fixed = scope.hidden.get(name)
        # Within a `where` an attribute is that of what it goes through, and not of the card that is counted.
        if fixed is not None and (scope.it is None or fixed.type == t.PLAYER):
            readings.append(("a player" if fixed.type == t.PLAYER else f"`{name}` of this card", fixed))
        if scope.it is not None:
            behind_dot = self._find_behind_dot(self.narrow_type(scope.read_local(scope.it, at)), name, at)
            if behind_dot is not None:
                readings.append((f"`it.{name}`", behind_dot))
        # That a local has the name of something on the table was said where it got its name.
        table = None if local else self._find_of_table(name, at)
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
        if definitions := self.world.find_definitions(name):
            return self._make_card(definitions, at)
        if name in self.world.actions:
            return ir.TheAction(name, type=t.ACTION, at=at)
        enumerations = [enumeration for enumeration, words in self.world.words.items() if name in words]
        if len(enumerations) == 1:
            return ir.Const(name, type=t.Symbol(enumerations[0]), at=at)
        return self._report_word(name, at, expect)

    def _find_of_table(self, name: str, at: At) -> ir.Expr | None:
        if name in BUILT_IN_NAMES and (of_language := self._find_of_language(name, at)) is not None:
            return of_language
        place = self.world.places.get(name)
        if place is not None and place.owner == "table":
            return ir.PlaceOf(name, None, type=place.type, at=at)
        memory = self.world.memories.get(name)
        if memory is not None and memory.owner == "table":
            return self.narrow_type(ir.TableMemory(name, type=memory.type, at=at))
        return None

    def _find_of_language(self, name: str, at: At) -> ir.Expr | None:
        match name:
            case "players" | "seats":
                return ir.Seats(name == "seats", type=t.ListOf(t.PLAYER), at=at)
            case "others":
                if "me" not in self.scope.bound:
                    help = "`others` are the players except `me`, and nobody is `me` here."
                    return self.report("RB306", at, help, name="others")
                me = self.scope.read_local(self.scope.bound["me"], at)
                return ir.Clockwise(me, after=True, type=t.ListOf(t.PLAYER), at=at)
            case "cards":
                return ir.AllCards(type=t.ListOf(t.Card(self.world.all_kinds)), at=at)
            case "actions":
                return ir.AllActions(type=t.ListOf(t.ACTION), at=at)
        return None

    def _report_word(self, name: str, at: At, expect: t.Type | None) -> ir.Expr:
        """Report a word that means nothing here."""
        if owner := self.scope.find_owner(name):
            help = f"It is a name of the variant `{owner}`, and only sentences of that know it."
            return self.report("RB306", at, help, name=name)
        if name in self.scope.ended:
            word, binding = self.scope.ended[name]
            line = binding.span.line
            help = f"`{name}` is a name of the `{word}` in line {line} and ends with it: say inside what is done."
            return self.report("RB306", at, help, name=name)
        if name == "me":
            help = "`me` is who stands between the brackets, `turn(me)`, or behind `each me in …`. Write who it is."
            return self.report("RB306", at, help, name=name)
        if name == "this":
            help = "`this` is the card whose script runs, and no card's script runs here."
            return self.report("RB306", at, help, name=name)
        if name in find_named(self.scope.script):
            return self._report_early(name, at, expect)
        owner = who_has(self.world, name)
        if owner and self.scope.it is not None:
            return self._report_dot(self.scope.read_local(self.scope.it, at), name, at, "it")
        if owner:
            if "`p." in owner and "me" in self.scope.bound:
                owner = f"each player has one, and `me.{name}` is that of whoever acts"
            return self.report("RB306", at, f"Write whose it is: {owner}.", name=name)
        if name in self.world.values or name in BUILT_INS:
            return self.report("RB308", at, f"`{name}` is a question: write `{name}(…)`.", name=name)
        if name in self.world.concrete:
            return self.report("RB308", at, f"`{name}` is a kind; ask `it is {name}`.", name=name)
        legal = self._list_legal(expect, at)
        short = [f"`{word}`" for word in legal if len(word) <= 2 and (word != "no" or expect == t.YES_NO)]
        help = advice.about_name(self.world, self.scope, name, at, expect, legal)
        if not help and len(name) <= 2 and short:  # too few letters were written to tell what was meant
            *first, last = short
            help = f"Here there {'are' if first else 'is'} {', '.join(first)}{' and ' if first else ''}{last}."
        symbols = self.world.symbols(expect) if expect is not None else ()
        words = sorted({enumeration for _, enumeration in symbols})
        wanted = " or ".join(f"choice of `{word}`" if word.startswith("options.") else word for word in words)
        return self.report("RB301", at, help, wanted=wanted or "name", name=name)

    def _report_early(self, name: str, at: At, expect: t.Type | None) -> ir.Expr:
        """Report a name that a line further down binds; or a slip in what this line sets, which seems to bind it."""
        close = near(name, self._list_legal(expect, at)) if words_before(at)[-1:] in (["set"], ["to"]) else []
        if close:
            help = perhaps(name, close, f" If not, give it a value first: `let {name} = …`.")
            return self.report("RB304", at, help, name=name)
        later = advice.find_bound_later(name, at)
        if later is None:
            return self.report("RB304", at, name=name)
        return self.report("RB304", at, "Move this line below that one.", name=name, labels=[later])

    def _list_legal(self, expect: t.Type | None, at: At) -> list[str]:
        """List what could stand there: names of this place first, words of any place last."""
        before, world = words_before(at), self.world
        names = [*self.scope.bound, *self.scope.hidden]
        if self.scope.it is not None:
            it = self.narrow_type(self.scope.read_local(self.scope.it, at)).type
            names += ["it", *legal_names(world, it)]
        if expect is not None:
            names += [word for word, _ in world.symbols(expect)]
        if before[-1:] == ["is"] or before[-2:] == ["is", "not"]:
            names += ["empty", "something", "face_up", "face_down", *world.concrete]
        if before[-1:] == ["win"]:
            names += ["nobody"]
        if at.scalar.text[at.end : at.end + 1] == ".":
            names += ["options"]
        names += ["players", "others", "cards", "actions", "yes", "no", "nothing", "none", *world.families]
        for table in (world.places, world.memories):
            names += [memory.name for memory in table.values() if memory.owner == "table"]
        names += [*world.cards, *world.actions, *self.scope.hidden]
        names += [word for words in world.words.values() for word in words]
        return list(dict.fromkeys(names))

    def _make_card(self, definitions: tuple[str, ...], at: At) -> ir.Expr:
        kinds = frozenset(self.world.cards[definition].kind for definition in definitions)
        lists = [ir.AllCards(only=definition, type=t.ListOf(t.Card(kinds)), at=at) for definition in definitions]
        cards: ir.Expr = lists[0]
        for more in lists[1:]:
            cards = ir.Chain(cards, more, type=cards.type, at=at)
        return ir.BuiltIn("first", (cards,), type=t.Card(kinds), at=at)

    def find_definitions(self, tree: s.Expr) -> tuple[str, ...]:
        """Return the cards that a name or a dotted name means: `tiara`, `note_100.dollar`, `note_100`; else nothing."""
        first = tree
        while isinstance(first, s.Dot):
            first = first.owner
        if not isinstance(first, s.Word) or first.name in self.scope.bound:
            return ()
        return self.world.find_definitions(_word_dotted(tree))

    # ── dots and calls ───────────────────────────────────────────────────────────────────────────────────────────

    def _find_behind_dot(self, owner: ir.Expr, name: str, at: At | None) -> ir.Expr | None:
        """Find `owner.name`: what a player or card has, or a value of one parameter; None if nothing has that name."""
        attribute = find_attribute(self.world, owner, name, at)
        if attribute is not None:
            if isinstance(attribute.type, t.Place):
                return attribute
            return self.narrow_type(typed(attribute, answered(attribute.type, (owner,))))
        value = self.world.values.get(name)
        if value is not None and len(value.parameters) == 1 and t.fits(t.surely(owner.type), value.parameters[0].type):
            if not t.members(t.surely(owner.type)):
                return None
            return ir.CallValue(f"values.{name}", (owner,), type=answered(self.value_type(name), [owner]), at=at)
        return None

    def _is_options(self, tree: s.Expr) -> bool:
        return isinstance(tree, s.Word) and tree.name == "options" and "options" not in self.scope.bound

    def _check_dot(self, tree: s.Dot) -> ir.Expr:
        if self._is_options(tree.owner):
            return self._check_option(tree.name, tree.at)
        if definitions := self.find_definitions(tree):
            return self._make_card(definitions, tree.at)
        owner = self.check_value(tree.owner)
        if owner.type == t.UNKNOWN:
            return BROKEN
        behind_dot = self._find_behind_dot(owner, tree.name, tree.at)
        if behind_dot is not None:
            return behind_dot
        if len(family := self.find_definitions(tree.owner)) > 1:
            name = _word_dotted(tree)
            return self.report("RB301", tree.at, did_you_mean(name, family), wanted="card", name=name)
        return self._report_dot(owner, tree.name, tree.at, quote_source(tree.owner))

    def _report_dot(self, owner: ir.Expr, name: str, at: At | None, source: str) -> ir.Expr:
        kind = t.surely(owner.type)
        if asked := advice.about_size(owner.type, name, source):
            who = self.describe_type(kind)
            return self.report("RB303", at, asked, owner=who[0].upper() + who[1:], name=name)
        if isinstance(kind, t.ListOf):
            help = f"A list has no `{name}` of its own; each of its members may: `{name} of {source}`."
            return self.report("RB303", at, help, owner=self.describe_type(kind).capitalize(), name=name)
        if is_answers(kind):
            return self.report("RB405", at, f"Write `{source}[p].{name}`.", name=source)
        if isinstance(kind, t.TableOf):
            key = name if any(name == word for word, _ in self.world.symbols(kind.key)) else self._exemplify(kind.key)
            owner_ = self.describe_type(kind)
            return self.report("RB303", at, f"Write `{source}[{key}]`.", owner=owner_.capitalize(), name=name)
        who, others = self.describe_type(kind), who_has(self.world, name)
        help = f"{others.capitalize()}." if others else did_you_mean(name, legal_names(self.world, kind))
        return self.report("RB303", at, help, owner=who[0].upper() + who[1:], name=name)

    def _check_option(self, name: str, at: At) -> ir.Expr:
        if name not in self.world.options:
            return self.report("RB301", at, advice.about_option(self.world, name), wanted="option", name=name)
        if name in self.world.steps:
            return self.report("RB307", at, name=f"options.{name}", wanted="one number", got="nothing")
        return self.narrow_type(ir.OptionValue(name, type=self.world.options[name], at=at))

    def _check_method(self, tree: s.Method) -> ir.Expr:
        name, at, arguments = tree.name, tree.at, tree.arguments
        if self._is_options(tree.owner):
            if name not in self.world.options:
                return self._check_option(name, at)
            if name not in self.world.steps or len(arguments) != 1:
                wanted = "one number" if name in self.world.steps else "nothing"
                return self.report("RB307", at, name=f"options.{name}", wanted=wanted, got=things(len(arguments)))
            return ir.OptionValue(name, self.check_number(arguments[0]), type=self.world.options[name], at=at)
        target = self.check_hook_owner(tree.owner)
        if target.type == t.UNKNOWN:
            return BROKEN
        hook = self.world.hooks.get(name)
        if hook is None:
            return self._report_dot(target, name, at, quote_source(tree.owner))
        if hook.answer is None:
            help = f"`{name}` is something that is done: `do {quote_source(tree.owner)}.{name}(…)`."
            return self.report("RB407", at, help, sentence=name)
        return self._check_ask(name, target, arguments, at)

    def check_hook_owner(self, owner: s.Expr) -> ir.Expr:
        """Check what stands before `.hook(…)`: a card, an action, or their names."""
        if isinstance(owner, s.Word) and owner.name in self.world.actions and owner.name not in self.scope.bound:
            return ir.TheAction(owner.name, type=t.ACTION, at=owner.at)
        return self.check_value(owner)

    def _check_ask(self, name: str, target: ir.Expr, arguments: tuple[s.Expr, ...], at: At) -> ir.Expr:
        """Ask a question that cards or actions answer."""
        hook = self.world.hooks[name]
        if not self.has_hook(target, name):
            return self._report_dot(target, name, at, words_at(target.at))
        values = self.check_arguments(hook.signature, arguments, at)
        assert hook.answer is not None
        return self.narrow_type(ir.AskHook(name, target, values, type=answered(hook.answer, [target, *values]), at=at))

    def has_hook(self, target: ir.Expr, name: str) -> bool:
        """Tell whether every value of the target has this hook."""
        hook = self.world.hooks[name]
        return all(
            name in ("possible", "effect")
            if isinstance(member, t.Action)
            else isinstance(member, t.Card) and member.kinds <= hook.kinds
            for member in t.members(t.surely(target.type))
        )

    def check_arguments(self, signature: Signature, trees: tuple[s.Expr, ...], at: At | None) -> tuple[ir.Expr, ...]:
        """Check the arguments of a value, rule or hook, one for each parameter."""
        wanted = signature.parameters
        if len(trees) != len(wanted):
            names = " and ".join(f"`{parameter.name}`" for parameter in wanted) or "nothing"
            self.report("RB307", at, name=signature.name, wanted=names, got=things(len(trees)))
            return tuple(BROKEN for _ in wanted)
        of = signature.name
        return tuple(self._check_argument(tree, parameter, of) for tree, parameter in zip(trees, wanted, strict=True))

    def _check_argument(self, tree: s.Expr, parameter: Parameter, of: str) -> ir.Expr:
        wanted = parameter.type
        if isinstance(wanted, t.Place):
            return self.check_place(tree, wanted)
        expr = self.check_value(tree, wanted)
        if isinstance(wanted, t.ListOf) and is_answers(expr.type):
            return expr
        help = advice.about_parameter(self.world, parameter, of, expr.type)
        return self.expect(expr, t.maybe(wanted), tree.at, "This", help)

    def _check_call(self, tree: s.Call) -> ir.Expr:
        name, at = tree.name, tree.at
        value, hook = self.world.values.get(name), self.world.hooks.get(name)
        if name in BUILT_INS and (value or hook):
            return BROKEN  # a name taken twice, which was said where it is declared
        it = None if self.scope.it is None else self.narrow_type(self.scope.read_local(self.scope.it, at))
        own = it is not None and hook is not None and hook.answer is not None and self.has_hook(it, name)
        if value is not None and own:
            return self.report("RB305", at, name=name, one="the value", two=f"`it.{name}`")
        if value is not None:
            arguments = self.check_arguments(value, tree.arguments, at)
            answer = answered(self.value_type(name), arguments)
            return self.narrow_type(ir.CallValue(f"values.{name}", arguments, type=answer, at=at))
        if own and it is not None:
            return self._check_ask(name, it, tree.arguments, at)
        if name in BUILT_INS:
            return self._check_built_in(tree)
        if hook is not None and hook.answer is not None:
            help = f"`{name}` is asked of a card or action: `x.{name}(…)`, or bare inside a `where`."
            return self.report("RB308", at, help, name=name)
        if name in self.world.rules:
            return self.report(
                "RB407", at, f"`{name}` is a rule: it is done (`do {name}(…)`), not asked.", sentence=name
            )
        legal = [*self.world.values, *BUILT_INS, *(hook for hook, info in self.world.hooks.items() if info.answer)]
        help = advice.about_question(self.world, name, legal, [quote_source(given) for given in tree.arguments])
        return self.report("RB301", at, help, wanted="question", name=name)

    def _check_built_in(self, tree: s.Call) -> ir.Expr:
        name, arguments, built_in = tree.name, tree.arguments, BUILT_INS[tree.name]
        least, most = built_in.least, built_in.most
        if not least <= len(arguments) <= most:
            wanted = things(least) if least == most else f"{least} or {things(most)}"
            return self.report("RB307", tree.at, name=name, wanted=wanted, got=things(len(arguments)))
        if name in PLACES_ITSELF:
            values = (self.check(arguments[0]), *(self.check_number(argument) for argument in arguments[1:]))
        else:
            values = tuple([self.check_value(argument) for argument in arguments])
        if name in ("min", "max", "sum") and len(values) == 1:
            values = (self._list_answers(values[0]),)
        types = tuple([value.type for value in values])
        if t.UNKNOWN in types:
            return BROKEN
        if isinstance(arguments[0], s.Listed) and isinstance(t.surely(find_item_type(types[0])), t.ListOf):
            inside = quote_source(arguments[0])[1:-1].strip()
            help = f"Leave out the square brackets: `{name}({inside})`."
            if len(arguments[0].items) > 1:
                help = "Lists are joined with `+`."
            return self.report_type(arguments[0].at, f"`{name}(…)`", "one list, and no list of lists", types[0], help)
        try:
            answer = built_in.answer(types)
        except Wanted as wrong:
            got, at = values[wrong.argument], arguments[wrong.argument].at
            if t.may_be_nothing(got.type) and not isinstance(got.type, t.ListOf):
                return self.report_unsure(got, at)
            advised = self.advise_on_table(got.type, words_at(at))
            if name == "count" and t.kinds_of(got.type):
                advised = f"Only several things are counted. Whether there is one: `{words_at(at)} is something`."
            return self.report_type(at, f"`{name}(…)`", wrong.wanted, got.type, advised)
        if is_never_nothing(count_from_one(ir.BuiltIn(name, values, type=answer), self.scope.counters), self.world):
            answer = find_item_type(types[0]) if name in ("first", "last") else t.surely(answer)
        if name == "cell" and _is_on_grid(values, self.world):
            answer = t.CELL
        if name == "count" and isinstance(values[0].type, t.Place):
            return ir.Pieces(values[0], type=t.NUMBER, at=tree.at)
        return self.narrow_type(ir.BuiltIn(name, values, type=answer, at=tree.at))

    def _list_answers(self, table: ir.Expr) -> ir.Expr:
        """List the numbers that all players have surely chosen, as `bid[p] for p in players`; leave all else alone."""
        if not is_answers(table.type) or not isinstance(table, ir.Local):
            return table
        assert isinstance(table.type, t.TableOf)
        seats = next((one for one in self.scope.answered.get(table.slot, ()) if isinstance(one, ir.Seats)), None)
        item = t.surely(table.type.item)
        if seats is None or item not in NUMERIC:
            return table
        with self.scope.element("it", t.PLAYER) as slot:
            chosen = ir.Entry(table, self.scope.read_local(slot, table.at), type=item, at=table.at)
        return ir.Each(typed(seats, t.ListOf(t.PLAYER)), slot, chosen, type=t.ListOf(item), at=table.at)

    def _check_index(self, tree: s.Index) -> ir.Expr:
        return self.check_entry(self.check_value(tree.owner), tree)

    def check_entry(self, table: ir.Expr, tree: s.Index) -> ir.Expr:
        """Check what a table, which is checked, has for the key in brackets."""
        kind = t.surely(table.type)
        if not isinstance(kind, t.TableOf):
            self.check_value(tree.key)
            if kind == t.UNKNOWN:
                return BROKEN
            help = "Brackets ask a table, `me.goods[wood]`, and what every player chose at once: `gift[p]`."
            if isinstance(kind, t.ListOf | t.Place) and isinstance(tree.key, s.Number):
                help = advice.about_item(quote_source(tree.owner), quote_source(tree.key))
            return self.report_type(tree.at, "This", "a table, or an answer of each player", table.type, help)
        key = self.check_value(tree.key, kind.key)
        key = self.expect(key, kind.key, tree.key.at, "What stands in the brackets")
        if t.may_be_nothing(table.type):
            return self.report_unsure(table, tree.at)
        asked = self.scope.answered.get(table.slot, ()) if isinstance(table, ir.Local) else ()
        sure = any(isinstance(players, ir.Seats) for players in asked) or bare(key) in asked
        of = t.surely(kind.item) if sure and not t.may_be_nothing(key.type) else kind.item
        return self.narrow_type(ir.Entry(table, key, type=of, at=tree.at))

    # ── literals ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_literal(self, tree: s.Number) -> ir.Expr:
        value, unit, units = tree.value, tree.unit, self.world.units
        if unit is None:
            return ir.Const(value, type=t.NUMBER, at=tree.at)
        if unit in units:
            if value * units[unit] >= ir.MOST_VALUE:
                wanted = f"less than {ir.MOST_VALUE // units[unit]:,} {unit}"
                return self.report("RB411", tree.at, value=quote_source(tree), wanted=wanted)
            return ir.Const(value * units[unit], type=t.AMOUNT, at=tree.at)
        help = did_you_mean(unit, units) or f"A number stands alone here: `{value}`."
        if unit in ("card", "cards"):
            help = f"A number says how many, not which. Write `draw {value} from …`, or a name chosen before."
        return self.report("RB308", tree.at, help, name=unit)

    def check_text(self, parts: tuple[str | s.Expr, ...], at: At | None) -> ir.Expr:
        """Check a text, with the values that stand in it."""
        if all(isinstance(part, str) for part in parts):
            return ir.Const("".join(part for part in parts if isinstance(part, str)), type=t.TEXT, at=at)
        joined = tuple(part if isinstance(part, str) else self.check_value(part) for part in parts)
        return ir.Joined(joined, type=t.TEXT, at=at)

    def _check_every(self, tree: s.Every) -> ir.Expr:
        name, words = tree.enumeration, self.world.words.get(tree.enumeration)
        if words is None:
            legal = [word for word in self.world.words if not word.startswith("options.")]
            return self.report("RB301", tree.at, did_you_mean(name, legal), wanted="list of words", name=name)
        return ir.Const(tuple(words), type=t.ListOf(t.Symbol(name)), at=tree.at)

    def _check_written_list(self, tree: s.Listed, expect: t.Type | None) -> ir.Expr:
        inner = expect.item if isinstance(expect, t.ListOf) else expect
        values = tuple(self.check_value(item, inner) for item in tree.items)
        member = t.either(*(value.type for value in values)) if values else t.UNKNOWN
        sorts = {type(inner) for inner in t.members(member)}
        if t.Card in sorts and sorts & {t.Number, t.Player}:
            return self.report_type(tree.at, "A list", "things of one sort", member)
        return ir.Listed(values, type=t.ListOf(member), at=tree.at)

    def _check_original(self, tree: s.OriginalAnswer) -> ir.Expr:
        original = self.find_original(tree.at, question=True)
        if original is None:
            return BROKEN
        return ir.CallValue(original.name, original.arguments(self.scope, tree.at), type=original.answer(), at=tree.at)

    # ── operators ────────────────────────────────────────────────────────────────────────────────────────────────

    def check_arithmetic(self, operator: str, left: ir.Expr, right: ir.Expr, at: At) -> ir.Expr:
        """Check an operator between two values that are checked."""
        if t.UNKNOWN in (left.type, right.type):
            return BROKEN
        if operator == "+" and isinstance(left.type, t.ListOf) and isinstance(right.type, t.ListOf):
            known = [item for item in (left.type.item, right.type.item) if item != t.UNKNOWN]
            return ir.Chain(left, right, type=t.ListOf(t.either(*known) if known else t.UNKNOWN), at=at)
        if t.has_numbers(left.type) or t.has_numbers(right.type):
            return self._check_table_arithmetic(operator, left, right, at)
        for listed, item in ((left, right), (right, left)):
            if operator == "+" and isinstance(listed.type, t.ListOf):
                return self._report_unlisted(listed, item, at)
        for item in (left, right):
            help = (
                "Of a list, `sum(value of …)` or `count(…)` is a number." if isinstance(item.type, t.ListOf) else None
            )
            wrong = self._expect_numeric(item, item.at or at, f"What stands beside `{operator}`", help)
            if wrong is not None:
                return wrong
        amounts = (left.type == t.AMOUNT) + (right.type == t.AMOUNT)
        answer: t.Type = t.AMOUNT if amounts else t.NUMBER
        if operator in "+-" and amounts == 1 and not (is_zero(left) or is_zero(right)):
            return self.report_unit((left if left.type == t.NUMBER else right).at or at)
        if operator == "*" and amounts == 2:
            return self.report("RB401", at, what="An amount times", wanted="a number", got="an amount")
        if operator in "/%":
            if amounts == 2:
                answer = t.NUMBER if operator == "/" else t.AMOUNT
            elif amounts and left.type != t.AMOUNT:
                return self.report_unit(left.at or at)
        return ir.Arithmetic(operator, left, right, type=answer, at=at)

    def _report_unlisted(self, listed: ir.Expr, item: ir.Expr, at: At) -> ir.Expr:
        """Report what stands beside `+` and a list, and is none."""
        assert isinstance(listed.type, t.ListOf)
        where, beside = item.at or at, listed.at or at
        if t.may_be_nothing(item.type):
            return self.report_unsure(item, where)
        more = f"`[{words_at(where)}]`"
        if item.type in NUMERIC:
            help = "Of a list, `sum(value of …)` or `count(…)` is a number."
            if listed.type.item == item.type:
                help = f"`sum({words_at(beside)})` is a number; to put one more into the list, write {more}."
            return self.report_type(beside, "What stands beside `+`", "a number or an amount", listed.type, help)
        what, help = f"What is joined with `{words_at(beside)}`", f"One thing becomes a list in brackets: {more}."
        if isinstance(item, ir.TheCard):
            help = f"A slot is one card: write {more}, or a list."
        return self.report_type(where, what, "a list", item.type, None if isinstance(item.type, t.Place) else help)

    def _check_table_arithmetic(self, operator: str, left: ir.Expr, right: ir.Expr, at: At) -> ir.Expr:
        """Check an operator of which one side is a table: two alike, or one times or divided by a number."""
        sides = [(left, right)] if isinstance(left.type, t.TableOf) else []
        sides += [(right, left)] if isinstance(right.type, t.TableOf) and operator != "/" else []
        for table, other in sides:
            assert isinstance(table.type, t.TableOf)
            if operator in "+-" and other.type == table.type:
                return ir.Arithmetic(operator, left, right, type=table.type, at=at)
            if operator in "*/" and other.type == t.NUMBER:
                return ir.Arithmetic(operator, left, right, type=table.type, at=at)
            if operator == "*" and table.type.item == t.NUMBER and other.type == t.AMOUNT:
                return ir.Arithmetic("*", left, right, type=t.TableOf(t.AMOUNT, table.type.key), at=at)
        table, other = (left, right) if t.has_numbers(left.type) else (right, left)
        what = f"What stands beside `{operator}`"
        if operator == "%":
            return self._expect_numeric(table, table.at or at, what) or BROKEN
        if t.may_be_nothing(other.type):
            return self.report_unsure(other, other.at or at)
        if operator in "+-" and table is right:
            return self._expect_numeric(table, table.at or at, what) or BROKEN
        if operator in "+-":
            words = words_at(table.at or at)
            help = None if t.has_numbers(other.type) else self.advise_on_table(table.type, words)
            return self.report_type(other.at or at, what, self.describe_type(table.type), other.type, help)
        return self.report_type((right if operator == "/" else other).at or at, what, "a number", other.type)

    def _check_table_comparison(self, operator: str, first: ir.Expr, two: ir.Expr, tree: s.Compare) -> ir.Expr:
        """Check `<=` or `>=` of two tables: of each entry. By `<` neither of two may be the smaller one."""
        left, other = quote_source(tree.left), quote_source(tree.right)
        for expr, beside in ((first, two), (two, first)):
            if not isinstance(expr.type, t.TableOf):
                if t.may_be_nothing(expr.type):
                    return self.report_unsure(expr, expr.at or tree.at)
                help = self.advise_on_table(beside.type, words_at(beside.at))
                wanted, what = self.describe_type(beside.type), f"What stands beside `{operator}`"
                return self.report_type(expr.at or tree.at, what, wanted, expr.type, help)
        if first.type != two.type:
            what = f"What stands beside `{operator}`"
            return self.report_type(tree.right.at, what, self.describe_type(first.type), two.type)
        if operator in ("<", ">"):
            assert isinstance(first.type, t.TableOf), "both are"
            each = ", ".join(word for word, _ in [*self.world.symbols(first.type.key)][:2]) or "some"
            why = f"of two tables one may have more of one thing and less of another ({each})"
            turned = f"{left} >= {other}" if operator == "<" else f"{left} <= {other}"
            help = f"`{left} {operator}= {other}` asks it of each entry. Not enough of something is `not ({turned})`."
            return self.report("RB403", tree.at, help, left=left, why=why)
        return ir.Compare(operator, first, two, type=t.YES_NO, at=tree.at)

    def _check_negative(self, tree: s.Negative) -> ir.Expr:
        inner = self.check_value(tree.value)
        if t.may_be_nothing(inner.type):
            return self.report_unsure(inner, tree.value.at)
        if t.has_numbers(inner.type):
            return self.check_arithmetic("*", inner, ir.Const(-1, type=t.NUMBER, at=tree.at), tree.at)
        return self.check_arithmetic("-", ir.Const(0, type=inner.type, at=tree.at), inner, tree.at)

    def _check_comparison(self, tree: s.Compare) -> ir.Expr:
        operator, left, right = tree.operator, tree.left, tree.right
        if operator in ("in", "not in"):
            return self._negate(self._check_in(left, right, tree.at), operator == "not in")
        if operator in ("is", "is not"):
            return self._negate(self._check_is(left, right, tree.at), operator == "is not")
        first, two = self.check_value(left), self.check_value(right)
        if t.UNKNOWN in (first.type, two.type):
            return BROKEN
        if t.has_numbers(first.type) or t.has_numbers(two.type):
            return self._check_table_comparison(operator, first, two, tree)
        for expr, side in ((first, left), (two, right)):
            help = f"`count({quote_source(side)})` is a number." if isinstance(expr.type, t.ListOf) else None
            wrong = self._expect_numeric(expr, side.at, f"What stands beside `{operator}`", help)
            if wrong is not None:
                return wrong
        if first.type != two.type and not (is_zero(first) or is_zero(two)):
            return self.report_unit((left if first.type == t.NUMBER else right).at)
        return ir.Compare(operator, first, two, type=t.YES_NO, at=tree.at)

    def _negate(self, expr: ir.Expr, negated: bool) -> ir.Expr:
        return ir.Not(expr, type=t.YES_NO, at=expr.at) if negated and expr.type != t.UNKNOWN else expr

    def _check_is(self, left: s.Expr, right: s.Expr, at: At) -> ir.Expr:
        value = self.check_value(left)
        if value.type == t.UNKNOWN:
            return BROKEN
        kind = t.surely(value.type)
        name = right.name if isinstance(right, s.Word) else ""
        if name not in self.scope.bound and (is_card := self._check_is_card(value, left, right, name, at)) is not None:
            return is_card
        two = self.check_value(right, value.type)
        if t.UNKNOWN in (value.type, two.type):
            return BROKEN
        if two.type == t.NOTHING:
            return self._check_is_nothing(value, at)
        if t.agree(value.type, two.type) or (is_zero(two) and value.type == t.AMOUNT):
            return ir.Compare("==", value, two, type=t.YES_NO, at=at)
        if isinstance(kind, t.ListOf) != isinstance(t.surely(two.type), t.ListOf):
            help = f"Did you mean `{quote_source(right)} in {quote_source(left)}`, or `count({quote_source(left)})`?"
            return self._report_incomparable(at, help, left, right)
        if {kind, t.surely(two.type)} == {t.NUMBER, t.AMOUNT}:
            return self.report_unit((left if kind == t.NUMBER else right).at)
        return self.report_type(
            right.at, f"What `{quote_source(left)}` is compared with", self.describe_type(kind), two.type
        )

    def _check_is_card(self, value: ir.Expr, left: s.Expr, right: s.Expr, name: str, at: At) -> ir.Expr | None:
        """Check `is` with a kind, a card or a face behind it; None if something else stands there."""
        kind = t.surely(value.type)
        # Numbers and players are numbers at run time, as cards are: among these, no kind can be told.
        told_apart = all(isinstance(x, t.Card | t.Action | t.Text | t.Symbol) for x in t.members(kind))
        objects = told_apart and any(isinstance(x, t.Card | t.Action) for x in t.members(kind))
        if name in _SORTS and len(t.members(kind)) > 1:
            return self._check_is_sort(value, left, right, name, at)
        if objects and not any(word == name for word, _ in self.world.symbols(kind)):
            if name in ("face_up", "face_down"):
                return self._negate(ir.IsFaceUp(value, type=t.YES_NO, at=at), name == "face_down")
            if name in self.world.concrete:
                return ir.IsKind(value, self.world.concrete[name], type=t.YES_NO, at=at)
            definitions = self.find_definitions(right) or ((name,) if name in self.world.actions else ())
            if definitions:
                kinds = frozenset(self.world.cards[id].kind for id in definitions if id in self.world.cards)
                return ir.IsCard(value, frozenset(definitions), kinds, type=t.YES_NO, at=at)
        if name in ("face_up", "face_down") and kind == t.CELL:
            return self.report_type(right.at, f"What is `{name}`", "a card", kind, advice.OF_A_POSITION)
        if not told_apart and name in self.world.concrete and any(isinstance(x, t.Card) for x in t.members(kind)):
            help = (
                f"`{quote_source(left)}` may be {self.describe_type(kind)}, and once it is chosen nobody can "
                "tell cards from numbers, players or positions. Choose them one after the other, in choices of "
                "their own."
            )
            return self.report("RB308", right.at, help, name=name)
        if isinstance(kind, t.ListOf) and isinstance(t.surely(kind.item), t.Card):
            if isinstance(right, s.Listed) and all(self.find_definitions(item) for item in right.items):
                wanted = tuple(self.find_definitions(item)[0] for item in right.items)
                place = value.place.type if isinstance(value, ir.Cards) else None
                ordered = isinstance(place, t.Place) and place.kept in ("row", "pile", "grid")
                return ir.SameCards(value, wanted, ordered, type=t.YES_NO, at=at)
            if isinstance(right, s.Listed) and any(isinstance(row, s.Listed) for row in right.items):
                if isinstance(value, ir.Cards) and self._are_rows(value, right.items):
                    return self._compare_rows(value, right, at)
                help = "Of a grid write each row, with `none` where nothing lies: `[[rook, none], [none, king]]`."
                what, rows = f"What `{quote_source(left)}` is", "cards, or the rows of a grid"
                return self.report("RB401", right.at, help, what=what, wanted=rows, got="something else")
            if name in self.world.concrete or self.find_definitions(right):
                help = f"Did you mean `any({quote_source(left)} where it is {quote_source(right)})`?"
                return self._report_incomparable(at, help, left, right)
        return None

    def _are_rows(self, grid: ir.Cards, rows: tuple[s.Expr, ...]) -> bool:
        """Tell whether these are the rows of a grid: of each position, which card lies there, or `none`."""
        is_grid = isinstance(grid.place.type, t.Place) and grid.place.type.kept == "grid"
        return is_grid and all(
            isinstance(row, s.Listed) and all(self._is_none(item) or self.find_definitions(item) for item in row.items)
            for row in rows
        )

    @staticmethod
    def _is_none(item: s.Expr) -> bool:
        return isinstance(item, s.Word) and item.name == "none"

    def _compare_rows(self, grid: ir.Cards, rows: s.Listed, at: At) -> ir.Expr:
        """Ask of each position that is written what lies there, and that nothing lies at any other."""
        asked: list[ir.Expr] = []
        for row, items in enumerate(rows.items, 1):
            for column, item in enumerate(items.items if isinstance(items, s.Listed) else (), 1):
                card = self._find_at(grid, row, column, item.at)
                if self._is_none(item):
                    asked.append(ir.IsNothing(card, type=t.YES_NO, at=item.at))
                else:
                    ids = frozenset(self.find_definitions(item))
                    kinds = frozenset(self.world.cards[id].kind for id in ids)
                    asked.append(ir.IsCard(card, ids, kinds, type=t.YES_NO, at=item.at))
        cards = ir.Const(sum(isinstance(term, ir.IsCard) for term in asked), type=t.NUMBER, at=rows.at)
        count = ir.BuiltIn("count", (grid,), type=t.NUMBER, at=grid.at)
        asked.append(ir.Compare("==", count, cards, type=t.YES_NO, at=rows.at))
        while len(asked) > 1:  # in pairs, as a large grid is not to be asked in as many levels
            pairs = [asked[start : start + 2] for start in range(0, len(asked), 2)]
            asked = [ir.And(*pair, type=t.YES_NO, at=at) if len(pair) > 1 else pair[0] for pair in pairs]
        return asked[0]

    def _find_at(self, grid: ir.Cards, row: int, column: int, at: At) -> ir.Expr:
        """The card at a position of a grid, or nothing."""
        assert isinstance(grid.type, t.ListOf)
        slot = self.scope.add_unnamed("it", grid.type.item)
        this = ir.Local(slot, "it", type=grid.type.item, at=at)
        row_is, column_is = (
            ir.Compare(
                "==", ir.BuiltIn(name, (this,), type=t.NUMBER, at=at), ir.Const(number, type=t.NUMBER, at=at),
                type=t.YES_NO, at=at,
            )
            for name, number in (("row_number", row), ("column_number", column))
        )  # fmt: skip
        there = ir.And(row_is, column_is, type=t.YES_NO, at=at)
        found = ir.Filter(grid, slot, there, type=grid.type, at=at)
        return ir.BuiltIn("first", (found,), type=t.maybe(grid.type.item), at=at)

    def _check_is_sort(self, value: ir.Expr, left: s.Expr, right: s.Expr, name: str, at: At) -> ir.Expr:
        """Check `is card`, `is text`, `is number`, `is player` of what may be one of several sorts."""
        sort, sure = _SORTS[name], t.surely(value.type)
        worded = [member for member in t.members(sure) if isinstance(member, t.Text | t.Symbol)]
        others = [member for member in t.members(sure) if member not in worded]
        meant = [member for member in t.members(sure) if isinstance(member, sort)]
        if name == "card" and meant and all(isinstance(other, t.Card | t.Action) for other in others):
            return ir.IsKind(value, frozenset().union(*(t.kinds_of(card) for card in meant)), type=t.YES_NO, at=at)
        if name == "text" and meant and len(worded) == 1:
            return ir.IsText(value, type=t.YES_NO, at=at)
        if name in ("number", "player") and others == meant and worded:
            is_text = ir.IsText(typed(value, sure), type=t.YES_NO, at=at)
            is_other = ir.Not(is_text, type=t.YES_NO, at=at)
            there = ir.Not(ir.IsNothing(value, type=t.YES_NO, at=at), type=t.YES_NO, at=at)
            return ir.And(there, is_other, type=t.YES_NO, at=at) if t.may_be_nothing(value.type) else is_other
        help = "Compare it with what it may be, or let them be chosen in choices of their own, one after the other."
        why = f"it may be {self.describe_type(sure)}, and the answer alone does not say which"
        return self._report_incomparable(at, help, left, right, why)

    def _report_incomparable(self, at: At, help: str, left: s.Expr, right: s.Expr, why: str = "") -> ir.Expr:
        of, other = quote_source(left), quote_source(right)
        why = why or f"it can hold many, and `{other}` is one"
        return self.report("RB403", at, help, left=of, why=why)

    def _check_in(self, left: s.Expr, right: s.Expr, at: At) -> ir.Expr:
        value = self.check_value(left)
        listed = self.check_value(right, t.ListOf(value.type))
        if t.UNKNOWN in (value.type, listed.type):
            return BROKEN
        if not isinstance(listed.type, t.ListOf):
            return self.report_type(right.at, "What stands after `in`", "a list or a place", listed.type)
        if not t.agree(value.type, listed.type.item):
            wanted = self.describe_type(listed.type.item)
            return self.report_type(left.at, "What may be in that list", wanted, value.type)
        return ir.Within(value, listed, type=t.YES_NO, at=at)

    def _check_is_empty(self, tree: s.IsEmpty) -> ir.Expr:
        at, expr = tree.at, self.check(tree.value)
        if isinstance(expr.type, t.Place) and expr.type.kept == "pool":
            count = ir.Pieces(expr, type=t.NUMBER, at=at)
            return ir.Compare("==", count, ir.Const(0, type=t.NUMBER), type=t.YES_NO, at=at)
        if isinstance(expr.type, t.Place) and expr.type.kept == "slot":
            return ir.IsNothing(self.read_place(expr), type=t.YES_NO, at=at)
        if t.surely(expr.type) == t.CELL:
            return ir.IsEmptyCell(expr, type=t.YES_NO, at=at)
        if t.may_be_nothing(expr.type) and t.CELL not in t.members(expr.type):
            return ir.IsNothing(expr, type=t.YES_NO, at=at)
        expr = self.read_place(expr)
        if expr.type == t.UNKNOWN:
            return BROKEN
        if isinstance(expr.type, t.ListOf):
            return ir.IsEmpty(expr, type=t.YES_NO, at=at)
        help = f"Of one thing, ask `{quote_source(tree.value)} is nothing`."
        return self.report_type(tree.value.at, "What may be empty", "a list or a place", expr.type, help)

    def _check_is_something(self, tree: s.IsSomething) -> ir.Expr:
        expr = self.check_value(tree.value)
        if isinstance(expr.type, t.ListOf):
            left, why = quote_source(tree.value), "it can hold many, or none"
            help = f"Of a list, ask `{left} is not empty`."
            return self.report("RB403", tree.at, help, left=left, why=why)
        return self._negate(self._check_is_nothing(expr, tree.at), negated=True)

    def _check_is_nothing(self, value: ir.Expr, at: At) -> ir.Expr:
        """Check that it is asked of no position that is surely there: there it is a slip for what lies on it."""
        written = _PRESENCE.search(at.words)
        if value.type != t.CELL or written is None:
            return ir.IsNothing(value, type=t.YES_NO, at=at)
        meant = "is empty" if (written[1] is None) == (written[2] != "something") else "is not empty"
        name = at.words[: written.start()].rstrip()
        start = at.scalar.text.index(at.words, at.start) + written.start()
        span = at.scalar.locate(start, start + len(written[0]))
        fix = Fix(f"Write `{meant}`.", (Edit(span, meant),), safe=False)
        return self.report("RB414", at, f"To ask whether a card lies there, write `{name} {meant}`.", fix, name=name)

    def _check_and(self, tree: s.And) -> ir.Expr:
        question = self.check_question(tree.left)
        with self.scope.assuming(when_true(question)):
            return ir.And(question, self.check_question(tree.right, tree.left), type=t.YES_NO, at=tree.at)

    def _check_or(self, tree: s.Or) -> ir.Expr:
        question = self.check_question(tree.left)
        with self.scope.assuming(when_false(question)):
            return ir.Or(question, self.check_question(tree.right, tree.left), type=t.YES_NO, at=tree.at)

    def _check_if_else(self, tree: s.IfElse, expect: t.Type | None) -> ir.Expr:
        condition = self.check_question(tree.condition)
        with self.scope.assuming(when_true(condition)):
            value = self.check_value(tree.then, expect)
        with self.scope.assuming(when_false(condition)):
            two = self.check_value(tree.otherwise, expect if expect is not None else value.type)
        if t.UNKNOWN in (value.type, two.type):
            return BROKEN
        kind = t.either(value.type, two.type)
        if {value.type, two.type} == {t.NUMBER, t.AMOUNT}:
            if not (is_zero(value) or is_zero(two)):
                return self.report_unit((tree.then if value.type == t.NUMBER else tree.otherwise).at)
            kind = t.AMOUNT
        return ir.IfElse(condition, value, two, type=kind, at=tree.at)

    # ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_clockwise(self, tree: s.ClockwiseFrom) -> ir.Expr:
        player = self.expect(self.check_value(tree.start), t.maybe(t.PLAYER), tree.start.at, "The start")
        return ir.Clockwise(player, backwards=tree.backwards, type=t.ListOf(t.PLAYER), at=tree.at)

    def _check_range(self, tree: s.Range) -> ir.Expr:
        low, high = self.check_number(tree.first), self.check_number(tree.last)
        self.messages += check_length(low, high, tree.at, self.where)
        return ir.Span(low, high, type=t.ListOf(t.NUMBER), at=tree.at)

    def _check_where(self, tree: s.Where) -> ir.Expr:
        listed = self.check_list(tree.list, "What stands before `where`")
        with self.scope.element("it", find_item_type(listed.type)) as slot:
            condition = self.check_question(tree.condition)
            here = self.scope.read_local(slot, None)
            narrowed = when_true(condition).get(bare(here), find_item_type(listed.type))
        return ir.Filter(listed, slot, condition, type=t.ListOf(narrowed), at=tree.at)

    def check_keys(self, keys: Iterable[s.Key]) -> tuple[ir.Key, ...]:
        """Check the keys of an order, about `it`."""
        checked = []
        for key in keys:
            value = self.check_value(key.value)
            if value.type != t.UNKNOWN:
                value = self._expect_numeric(value, key.value.at, "What an order goes by") or value
            checked.append(ir.Key(key.most, value))
        return tuple(checked)

    def _check_ordered(self, tree: s.Sorted | s.With) -> ir.Expr:
        listed = self.check_list(tree.list, "What is ordered")
        with self.scope.element("it", find_item_type(listed.type)) as slot:
            keys = self.check_keys(tree.keys)
        node = ir.Best if isinstance(tree, s.With) else ir.Sorted
        return node(listed, slot, keys, type=listed.type, at=tree.at)

    def _check_of(self, tree: s.Of) -> ir.Expr:
        name, at, known = tree.name, tree.at, len(self.messages)
        listed = self.check_list(tree.list, f"What stands after `{name} of`")
        if isinstance(tree.list, s.Where) and len(self.messages) > known:
            self._advise_on_brackets(name, tree.list, known)
        member = find_item_type(listed.type)
        if t.UNKNOWN in (listed.type, member):
            return BROKEN
        with self.scope.element("it", member) as slot:
            body = self._find_behind_dot(self.scope.read_local(slot, at), name, at)
            if body is None:
                return self._report_dot(self.scope.read_local(slot, at), name, at, "it")
            if isinstance(body.type, t.Place) and body.type.kept == "pool":
                wanted, got = "something that can be listed", "a pool of pieces"
                return self.report("RB401", at, what=f"`{name}`", wanted=wanted, got=got)
            if isinstance(body.type, t.Place):
                body = ir.Cards(body, type=t.ListOf(t.Card(body.type.holds)), at=at)
        if isinstance(body.type, t.ListOf):
            return ir.Each(listed, slot, body, flat=True, type=body.type, at=at)
        return ir.Each(listed, slot, body, type=t.ListOf(t.surely(body.type)), at=at)

    def _advise_on_brackets(self, name: str, narrowed: s.Where, known: int) -> None:
        """Say of `value of S where c`, in which the condition is wrong, what mends it if that is meant of the values.

        All messages behind so many that are `known` are about it.
        """
        found = self.messages[known:]
        self._check_where(s.Where(s.Of(name, narrowed.list, at=narrowed.at), narrowed.condition, at=narrowed.at))
        is_right = len(self.messages) == known + len(found)
        del self.messages[known + len(found) :]
        if is_right:
            inner = quote_source(narrowed.list)
            if isinstance(narrowed.list, s.Where | s.Sorted | s.With):
                inner = f"({inner})"
            help = (
                f"This `where` belongs to `{inner}`, so `it` is one of those. "
                f"To ask it of each `{name}`, put brackets around: `({name} of {inner}) where …`."
            )
            self.messages[known:] = [evolve(message, help=help, fix=None) for message in found]

    def _check_for(self, tree: s.For) -> ir.Expr:
        with self.scope.binding(tree.name):
            listed = self.check_list(tree.list)
        text = tree.at.scalar.text
        start = text.index(tree.name, text.index("for", tree.body.at.end) + len("for"))
        self.check_new_name(tree.name, At(tree.at.scalar, start, start + len(tree.name)))
        with self.scope.element(tree.name, find_item_type(listed.type)) as slot:
            inner = self.check_value(tree.body)
        if isinstance(inner, ir.Local) and inner.slot == slot and not t.may_be_nothing(inner.type):
            return listed
        return ir.Each(listed, slot, inner, type=t.ListOf(t.surely(inner.type)), at=tree.at)


_FORMS: dict[type, Callable[[Expressions, Any, t.Type | None], ir.Expr]] = {
    s.Word: Expressions._check_word,
    s.Number: lambda e, tree, _: e._check_literal(tree),
    s.Text: lambda e, tree, _: e.check_text(tree.parts, tree.at),
    s.YesNo: lambda e, tree, _: ir.Const(tree.value, type=t.YES_NO, at=tree.at),
    s.Nothing: lambda e, tree, _: ir.Const(None, type=t.NOTHING, at=tree.at),
    s.OriginalAnswer: lambda e, tree, _: e._check_original(tree),
    s.Added: lambda e, tree, _: e._check_added(tree),
    s.Every: lambda e, tree, _: e._check_every(tree),
    s.Listed: Expressions._check_written_list,
    s.Dot: lambda e, tree, _: e._check_dot(tree),
    s.Method: lambda e, tree, _: e._check_method(tree),
    s.Index: lambda e, tree, _: e._check_index(tree),
    s.Call: lambda e, tree, _: e._check_call(tree),
    s.Negative: lambda e, tree, _: e._check_negative(tree),
    s.ClockwiseFrom: lambda e, tree, _: e._check_clockwise(tree),
    s.Arithmetic: lambda e, tree, _: e.check_arithmetic(
        tree.operator, e.check_value(tree.left), e.check_value(tree.right), tree.at
    ),
    s.Range: lambda e, tree, _: e._check_range(tree),
    s.Compare: lambda e, tree, _: e._check_comparison(tree),
    s.IsEmpty: lambda e, tree, _: e._negate(e._check_is_empty(tree), tree.negated),
    s.IsSomething: lambda e, tree, _: e._negate(e._check_is_something(tree), tree.negated),
    s.Not: lambda e, tree, _: ir.Not(e.check_question(tree.value), type=t.YES_NO, at=tree.at),
    s.And: lambda e, tree, _: e._check_and(tree),
    s.Or: lambda e, tree, _: e._check_or(tree),
    s.Where: lambda e, tree, _: e._check_where(tree),
    s.Sorted: lambda e, tree, _: e._check_ordered(tree),
    s.With: lambda e, tree, _: e._check_ordered(tree),
    s.Of: lambda e, tree, _: e._check_of(tree),
    s.IfElse: Expressions._check_if_else,
    s.For: lambda e, tree, _: e._check_for(tree),
}
"""The method that checks each form of expression."""


def find_attribute(world: World, owner: ir.Expr, name: str, at: At | None) -> ir.Expr | None:
    """Find what stands behind the dot of a player or card: an attribute, state, place or memory."""
    kind = t.surely(owner.type)
    place, memory = world.places.get(name), world.memories.get(name)
    if kind == t.PLAYER:
        if place is not None and place.owner == "player":
            return ir.PlaceOf(name, owner, type=place.type, at=at)
        if memory is not None and memory.owner == "player":
            return ir.PlayerMemory(name, owner, type=memory.type, at=at)
        if name in ("left", "right"):
            return ir.Neighbour(owner, 1 if name == "left" else -1, type=t.PLAYER, at=at)
        return None
    members = t.members(kind)
    if not members or not all(isinstance(member, t.Card) for member in members):
        return None
    kinds = t.kinds_of(kind)
    for table, changes in ((world.attributes, False), (world.states, True)):
        info = table.get(name)
        if info is not None and kinds <= info.kinds:
            node = ir.State if changes or info.changes else ir.Attribute
            return node(name, owner, type=info.type, at=at)
    if place is not None and place.owner == "card" and kinds <= place.of:
        return ir.PlaceOf(name, owner, type=place.type, at=at)
    return None


def who_has(world: World, name: str) -> str:
    """Say which kinds or players have an attribute of that name; empty if none has."""
    field, place = world.attributes.get(name) or world.states.get(name), world.places.get(name)
    if field is not None:
        return f"only {world.family_of(field.kinds)} cards have a `{name}`"
    if place is not None and place.owner == "card":
        return f"only {world.family_of(place.of)} cards have a `{name}`"
    holder = place or world.memories.get(name)
    if holder is None:
        return ""
    if holder.owner == "player":
        return f"each player has one: `p.{name}`"
    return f"`{name}` is a place of the table" if place else f"`{name}` belongs to the table"


def legal_names(world: World, owner: t.Type) -> list[str]:
    """List what may stand behind the dot of this type: first what all of its cards have, then what some have."""
    names: list[str] = []
    partly: list[str] = []
    fields = (*world.attributes.values(), *world.states.values())
    for sort_alternative in t.sort_alternatives(t.surely(owner)):
        values = [value for value in world.values.values() if len(value.parameters) == 1]
        names += [value.name for value in values if t.fits(sort_alternative, value.parameters[0].type)]
        if isinstance(sort_alternative, t.Player):
            for table in (world.places, world.memories):
                names += [has.name for has in table.values() if has.owner == "player"]
            names += ["left", "right"]
        elif isinstance(sort_alternative, t.Card):
            places = [place for place in world.places.values() if place.owner == "card"]
            names += [has.name for has in fields if sort_alternative.kinds <= has.kinds]
            names += [place.name for place in places if sort_alternative.kinds <= place.of]
            names += [name for name, info in world.hooks.items() if sort_alternative.kinds & info.kinds]
            partly += [has.name for has in fields if sort_alternative.kinds & has.kinds]
            partly += [place.name for place in places if sort_alternative.kinds & place.of]
    return names + partly


def answered(answer: t.Type, about: Iterable[ir.Expr]) -> t.Type:
    """Return the type of an answer about things that may be nothing: of nothing there is no answer.

    What a player chose is not there only where there was nothing to choose, and then its sentence is skipped.
    """
    for expr in about:
        if t.may_be_nothing(expr.type) and not isinstance(expr, ir.Entry):
            return answer if isinstance(answer, t.ListOf) else t.maybe(answer)
    return answer


def things(count: int) -> str:
    """Say how much stands between brackets."""
    return ("nothing", "one thing")[count] if count < 2 else f"{count} things"


def _word_dotted(tree: s.Expr) -> str:
    match tree:
        case s.Word(name):
            return name
        case s.Dot(owner, name):
            above = _word_dotted(owner)
            return f"{above}.{name}" if above else ""
    return ""


def is_answers(of: t.Type) -> bool:
    """Tell whether this is what each player has chosen, or a table that can keep that."""
    return isinstance(of, t.TableOf) and of.key == t.PLAYER and not t.has_numbers(of)


def typed(expr: ir.Expr, type: t.Type) -> ir.Expr:
    return expr if expr.type is type else evolve(expr, type=type)


def find_item_type(of: t.Type) -> t.Type:
    """Return what a list is a list of."""
    return of.item if isinstance(of, t.ListOf) else t.UNKNOWN


def is_zero(expr: ir.Expr) -> bool:
    """Tell whether this is the literal 0, which is a number and an amount."""
    return isinstance(expr, ir.Const) and expr.value == 0 and not isinstance(expr.value, bool)


def words_at(at: At | None) -> str:
    """Return the author's own words at a place."""
    return at.words if at else "this"


def quote_source(tree: s.Expr) -> str:
    """Return an expression as its author wrote it."""
    return tree.at.words


def check_range(expr: ir.Expr, values: tuple[Value, ...] | None, at: At | Node, where: str) -> list[Diagnostic]:
    """Check numbers as they are written against the values of their field; `at` is for those without a place."""
    # Words are told apart by their type already, and in Python `yes` would be found among 0 and 1.
    legal = sorted(value for value in values or () if isinstance(value, int) and not isinstance(value, bool))
    if not legal:
        return []
    wanted = " or ".join(map(str, legal))
    if len(legal) > 2 and len(legal) == legal[-1] - legal[0] + 1:
        wanted = f"a number from {legal[0]} to {legal[-1]}"
    return [
        diagnose("RB411", (index.at or at).span, where=where, value=number, wanted=wanted)
        for index, number in _find_numbers(expr)
        if number not in legal
    ]


def check_length(first: ir.Expr, last: ir.Expr, at: At | None, where: str) -> list[Diagnostic]:
    """Check that a range, or the rounds of a `repeat`, are not more than any table waits for."""
    longest = max((high - low + 1 for _, low in _find_numbers(first) for _, high in _find_numbers(last)), default=0)
    if longest <= ir.MOST_LISTED or at is None:
        return []
    wanted = f"at most {ir.MOST_LISTED}"
    return [diagnose("RB411", at.span, where=where, value=at.span.text, wanted=wanted)]


def reckon_least(expr: ir.Expr, world: World) -> int | None:
    """Return a number that an expression never falls below; None if what is written does not say one."""
    match ir.as_constant(expr):
        case ir.Const(int(number)):
            return number
        case ir.BuiltIn("count", (listed,)):
            return count_least(listed, world) or int(has_always(listed, world))
        case ir.Pieces():
            return 0
        case ir.IfElse(_, then, otherwise):
            least, other = reckon_least(then, world), reckon_least(otherwise, world)
            return None if least is None or other is None else min(least, other)
        case ir.Attribute(name):
            values = world.attributes[name].values or ()
            numbers = [value for value in values if isinstance(value, int)]
            return min(numbers) if len(numbers) == len(values) and numbers else None
        case ir.Entry(ir.Attribute() | ir.TableMemory() | ir.PlayerMemory() | ir.State() as table, _):
            return reckon_least(table, world) if t.has_numbers(table.type) else None
        case ir.ByOption():
            return min((number for _, number in _find_numbers(expr)), default=None)
        case ir.TableMemory(name) | ir.PlayerMemory(name, _):
            return min((least for least in world.memories[name].values or () if isinstance(least, int)), default=None)
        case ir.State(name, _):
            info = world.states.get(name) or world.attributes[name]
            return min((number for number in info.values or () if isinstance(number, int)), default=None)
        case ir.Arithmetic("+", left, right):
            least, more = reckon_least(left, world), reckon_least(right, world)
            return None if least is None or more is None else least + more
        case ir.BuiltIn("min" | "max" as which, (left, right)) if not isinstance(left.type, t.ListOf):
            both = [least for least in (reckon_least(left, world), reckon_least(right, world)) if least is not None]
            return min(both) if len(both) == 2 else max(both, default=None) if which == "max" else None
    return None


def count_from_one(expr: ir.Expr, counters: Collection[int]) -> ir.Expr:
    """Put 1 in the place of each slot that counts rounds, for what asks how small a number may be."""
    if not counters:
        return expr
    one = ir.Const(1, type=t.NUMBER)
    counted: ir.Expr = rewrite(
        expr, lambda _, part: one if isinstance(part, ir.Local) and part.slot in counters else part
    )
    return counted


def is_never_nothing(expr: ir.Expr, world: World) -> bool:
    """Tell whether this is one of a list in which there is always something."""
    match expr:
        case ir.BuiltIn("first" | "last" | "min" | "max", (listed,)):
            return has_always(listed, world)
    return False


def has_always(listed: ir.Expr, world: World) -> bool:
    """Tell whether there is always something in a list, from what is written: `0..count(me.hand)`, `others`."""
    match listed:
        case ir.Const(tuple(many)):
            return bool(many)
        case ir.Listed(items):
            return any(not t.may_be_nothing(item.type) and item.type != t.UNKNOWN for item in items)
        case ir.Span():
            if listed.last.type == t.UNKNOWN:
                return True  # what is wrong with it was said
            low, least = ir.as_constant(listed.first), reckon_least(listed.last, world)
            return isinstance(low, ir.Const) and isinstance(low.value, int) and least is not None and least >= low.value
        case ir.Seats() | ir.Clockwise():
            return count_least(listed, world) > 0
        case ir.Chain():
            return has_always(listed.first, world) or has_always(listed.second, world)
        case ir.IfElse():
            return has_always(listed.then, world) and has_always(listed.otherwise, world)
        case ir.Sorted(inner) | ir.Best(inner) | ir.BuiltIn("distinct", (inner,)):
            return has_always(inner, world)
        case ir.BuiltIn("first" | "last", (inner, number)):
            return (reckon_least(number, world) or 0) > 0 and has_always(inner, world)
        case ir.Each():
            each_has = has_always(listed.body, world) if listed.flat else not t.may_be_nothing(listed.body.type)
            return each_has and has_always(listed.list, world)
    return False


def _is_on_grid(values: tuple[ir.Expr, ...], world: World) -> bool:
    """Tell whether a grid always has the row and the column that are asked for, by what is written and printed."""
    place, authored = values[0], world.authored
    owners = [authored.table_places, authored.places.player, *(kind.places for kind in authored.kinds.values())]
    sizes = [own[place.name].size for own in owners if place.name in own] if isinstance(place, ir.PlaceOf) else []
    for number, side in zip(values[1:], sizes[0] if len(sizes) == 1 and sizes[0] else (), strict=False):
        asked, there = _find_bounds(number, world), _find_written([side], world)
        if not asked or not there or min(asked) < 1 or max(asked) > min(there):
            return False
    return len(sizes) == 1 and sizes[0] is not None


def _find_bounds(expr: ir.Expr, world: World) -> list[int]:
    """Find numbers that hold the least and the greatest that an expression may be; none if that is not said."""
    match ir.as_constant(expr):
        case ir.Const() | ir.ByOption():
            return [number for _, number in _find_numbers(expr)]
        case ir.OptionValue(name, None):
            return _read_choices(f"options.{name}", world)
        case ir.Attribute(name):
            # Not by its declared values: a card may print what is worked out.
            kinds = [kind.has[name].start for kind in world.authored.kinds.values() if name in kind.has]
            cards = [card.fields[name] for card in world.authored.cards.values() if name in card.fields]
            each = [value for card in world.cards.values() for field, value in card.each if field == name]
            numbers = [value for value in each if isinstance(value, int)]
            printed = [node for node in (*kinds, *cards) if node is not None]
            written = _find_written(printed, world)
            return numbers + written if len(numbers) == len(each) and (written or not printed) else []
        case ir.IfElse(_, then, otherwise):
            one, other = _find_bounds(then, world), _find_bounds(otherwise, world)
            return one + other if one and other else []
        case ir.Arithmetic("+" | "-" as sign, left, right):
            one, other = _find_bounds(left, world), _find_bounds(right, world)
            return [a + b if sign == "+" else a - b for a in one for b in other] if one and other else []
    return []


def _find_written(nodes: Iterable[Node], world: World) -> list[int]:
    """Read numbers as they stand, each choice of an option included; none if anything else stands there."""
    found: list[int] = []
    for node in nodes:
        for leaf in [value for key, value in node.items() if key != "by"] if isinstance(node, Mapping) else [node]:
            numbers = _read_choices(leaf.text, world) if isinstance(leaf, Scalar) else []
            if not numbers:
                return []
            found += numbers
    return found


def _read_choices(text: str, world: World) -> list[int]:
    """Read a number, or `options.rows` as all that it may be; none if it is neither."""
    option = world.authored.options.get(text.removeprefix("options."))
    if option is not None and text.startswith("options."):
        return [choice for choice in choices_of(option.type) if isinstance(choice, int)]
    return [int(text)] if re.fullmatch(r"\d+", text, re.ASCII) else []


def count_least(players: ir.Expr, world: World) -> int:
    """Return how many players there are at least in a list of them; who is out may be missing, but for `seats`."""
    least = min(world.authored.players)
    match players:
        case ir.Seats(everyone):
            return least if everyone or world.eliminates is None else 0
        case ir.Clockwise() if world.eliminates is None and not t.may_be_nothing(players.start.type):
            return least - players.after
    return 0


def _find_numbers(expr: ir.Expr) -> Iterator[tuple[ir.Expr, int]]:
    """Yield the numbers that an expression may be as it stands: itself, or one for each choice of an option."""
    match ir.as_constant(expr):
        case ir.Const(int(number)) if not isinstance(number, bool):
            yield expr, number
        case ir.ByOption(_, cases):
            for _, value in cases:
                yield from _find_numbers(value)
        case ir.Listed(items, type=t.TableOf()):
            for item in items:
                yield from _find_numbers(item)
