"""Reasons why something may not be chosen: the conditions that are not met, in words, with the values in them.

In: the condition of a list to choose from and a thing it keeps out, or a `so that` and what was chosen. Out: short
texts. Never: runs unless somebody asks why; tells a seat of a condition that reads what this seat does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.dsl.words import NUMBERS
from rulebook.interpreter.lowering.expressions import lower_formula
from rulebook.interpreter.lowering.tables import Tables, sort_of
from rulebook.interpreter.op_table import Env
from rulebook.interpreter.program import Code, Values
from rulebook.interpreter.run import NotThere, Run, Watch
from rulebook.interpreter.wording import word_value
from rulebook.plurals import ordinal

if TYPE_CHECKING:
    from rulebook.english.context import Context
    from rulebook.english.grammar import Thing
    from rulebook.english.lexicon import Lexicon

_DEEPEST = 5  # conditions that ask conditions
_MOST_VALUES = 3
_NEEDED = {
    ">=": "at least {} needed", ">": "more than {} needed", "==": "exactly {} needed",
    "<=": "at most {} allowed", "<": "less than {} allowed",
}  # fmt: skip
_TOLD = (t.Number, t.Amount, t.YesNo, t.Symbol, t.Player)
"""Types of values that are worth telling; names of cards stand in the sentence already."""


@frozen
class Reasons:
    """Says why a `where` keeps something out, or a `so that` what was chosen, which stands in `slot`. `slots` are those
    of the script in which it stands; `codes` holds what was lowered for whoever asked, by the id of its expression,
    which lives as long as the rules.
    """

    tables: Tables
    slots: ir.Slots
    parameters: int
    condition: ir.Expr
    slot: int
    codes: dict[int, Code] = field(factory=dict, init=False, eq=False, repr=False)

    def __call__(self, run: Run, env: Env, seat: int) -> tuple[str, ...]:
        """The conditions that are not met, as far as this seat knows all that they speak of."""
        about = _About(self.tables, self.codes, run, env, seat, self.slots, self.parameters, self.slot)
        return tuple(dict.fromkeys(about.not_met(self.condition, 0)))


@frozen
class _About:
    """The names of one script or question, with what they stand for now; `it` is what a `where` looks at."""

    tables: Tables
    codes: dict[int, Code]
    run: Run
    env: Env
    seat: int
    slots: ir.Slots
    parameters: int
    it: int = -1

    def not_met(self, condition: ir.Expr, depth: int) -> Iterator[str]:
        """The innermost conditions that are named, or that nothing further can be asked about."""
        if isinstance(condition, ir.And):
            yield from self.not_met(condition.left, depth)
            yield from self.not_met(condition.right, depth)
            return
        so, known = self.look_up(condition)
        if so or not known:
            return
        inner = self.open_question(condition) if depth < _DEEPEST else None
        if inner is None:
            yield self.word_so_far(condition) or self._word_unmet(condition)
            return
        about, body = inner
        if not isinstance(body, ir.Conditions):
            yield from about.not_met(body, depth + 1)
            return
        for line in body.lines:
            so, known = about.look_up(line.value)
            if known and not so:
                so_far = about.word_so_far(line.value)
                yield f"{line.name} ({so_far})" if so_far else line.name + about.word_values(line.value)

    def look_up(self, expr: ir.Expr) -> tuple[Any, bool]:
        """The value of an expression, and whether this seat knows all that was read for it."""
        if id(expr) not in self.codes:
            self.codes[id(expr)] = lower_formula(self.tables, expr, self.slots)
        before, watch = self.run.watch, Watch(self.run.layout.everyone)
        self.run.watch = watch
        try:
            value = self.run.answer_to(self.codes[id(expr)], self.env[: len(self.slots.names)])
        except NotThere:
            value = None
        finally:
            self.run.watch = before
        return value, bool(watch.seats >> self.seat & 1)

    def open_question(self, condition: ir.Expr) -> tuple[_About, ir.Expr | ir.Conditions] | None:
        """Open a question that is asked, if it is conditions or a claim: its body, and its parameters' values."""
        name, arguments = "", list[Any]()
        if isinstance(condition, ir.CallValue):
            name = condition.function
        elif isinstance(condition, ir.AskHook):
            target, _ = self.look_up(condition.target)
            name = "" if target is None else self.tables.by_object(condition.hook)[target] or ""
            arguments = [target]
        function = self.tables.told.functions.get(name)
        if (
            function is None
            or not isinstance(function.body, ir.Conditions | ir.Node)
            or not isinstance(condition, ir.CallValue | ir.AskHook)
        ):
            return None
        arguments += [self.look_up(argument)[0] for argument in condition.arguments]
        size = len(function.slots.names)
        env = [*arguments, *([None] * (size - len(arguments)))]
        about = _About(self.tables, self.codes, self.run, env, self.seat, function.slots, function.parameters)
        return about, function.body

    # ── in words ──

    def word_claim(self, condition: ir.Expr) -> str:
        """Word what would have to be so: what is compared "must be", so that nobody takes it for what is."""
        from rulebook.english.expressions import describe_claim
        from rulebook.english.grammar import Claim, claim_text

        claim = describe_claim(self.begin_context(), condition)
        if isinstance(condition, ir.Compare) and isinstance(claim, Claim) and claim.verb == "be" and not claim.modal:
            claim = Claim(claim.subject, "be", claim.rest, claim.negative, "must")
        return claim_text(claim)

    def word_demand(self, condition: ir.Expr) -> str:
        """Word what would have to be so, in the same way also where nothing is compared: `it must be a guest`."""
        from rulebook.english.expressions import describe_claim
        from rulebook.english.grammar import Claim, claim_text

        claim = describe_claim(self.begin_context(), condition)
        if isinstance(claim, Claim) and not (claim.modal or claim.helps or claim.past):
            return claim_text(evolve(claim, modal="must"))
        return self.word_claim(condition)

    def _word_unmet(self, condition: ir.Expr) -> str:
        claim = self.word_demand(condition)
        return claim + self.word_values(condition, claim)

    def word_so_far(self, condition: ir.Expr) -> str:
        """Word what several things that were chosen come to: `100 CU so far, at least 300 CU needed`; else nothing."""
        if not isinstance(condition, ir.Compare) or condition.operator not in _NEEDED:
            return ""
        if not any(
            isinstance(self.env[part.slot], tuple) for part in nodes(condition.left) if isinstance(part, ir.Local)
        ):
            return ""
        (here, is_known), (there, is_wanted) = self.look_up(condition.left), self.look_up(condition.right)
        if not is_known or not is_wanted or not isinstance(t.surely(condition.left.type), t.Number | t.Amount):
            return ""
        so_far, wanted = self.word_value(here, condition.left), self.word_value(there, condition.right)
        return f"{so_far} so far, {_NEEDED[condition.operator].format(wanted)}"

    def word_measured(self, line: ir.Line) -> str:
        """Word what a named condition finds, and what it needs where the name does not say so: `3`, `270 CU, more than
        500 CU needed`.
        """
        condition = line.value
        if not isinstance(condition, ir.Compare):
            return self.word_values(condition).removeprefix(" (").removesuffix(")")
        left, right, sign = condition.left, condition.right, condition.operator
        if isinstance(left, ir.Const | ir.OptionValue):
            left, right, sign = right, left, ir.TURNED.get(sign, sign)
        here, wanted = self._word_known(left), self._word_known(right)
        if not here or not wanted or sign not in _NEEDED or _says(line.name, wanted):
            return here
        is_number = isinstance(t.surely(left.type), t.Number | t.Amount)
        return f"{here}, {_NEEDED[sign].format(wanted) if is_number else f'{wanted} needed'}"

    def _word_known(self, expr: ir.Expr) -> str:
        """Word a value, if this seat knows it and it is worth telling."""
        value, is_known = self.look_up(expr)
        if not is_known or not isinstance(t.surely(expr.type), _TOLD):
            return ""
        return "nothing" if value is None else self.word_value(value, expr)

    def word_values(self, condition: ir.Expr, claim: str = "") -> str:
        """` (the price is 5, your gold is 3)`: what is compared, as it is; what a claim begins with is called “it”."""
        from rulebook.english.expressions import describe_thing

        parts: list[str] = []
        for expr in _find_compared(condition):
            value, known = self.look_up(expr)
            if known and isinstance(t.surely(expr.type), _TOLD):
                words = describe_thing(self.begin_context(), expr)
                verb = "are" if words.agrees in ("many", "you") else "is"
                shown = "nothing" if value is None else self.word_value(value, expr)
                parts.append(f"it is {shown}" if claim.startswith(f"{words.text} ") else f"{words.text} {verb} {shown}")
        return f" ({', '.join(dict.fromkeys(parts[:_MOST_VALUES]))})" if parts else ""

    def word_value(self, value: Any, expr: ir.Expr) -> str:
        """A value as people read it."""
        of = t.surely(expr.type)
        if of == t.PLAYER and value == self.seat:
            return "you"
        if isinstance(of, t.Symbol):
            return self.make_lexicon().write_word(value, of)
        return word_value(self.run.program, self.run.names, value, sort_of(expr.type))

    def begin_context(self) -> Context:
        """Begin a telling of this script, whose players and cards are known by now."""
        from rulebook.english.sheet import make_context

        context = make_context(self.make_lexicon(), self.slots, self.parameters)
        for slot, of in enumerate(self.slots.types):
            if slot == self.it or slot < self.parameters:
                thing = self.word_thing(slot, of)
                if thing is not None:
                    context.bind_slot(slot, thing)
        return context

    def make_lexicon(self) -> Lexicon:
        from rulebook.english.lexicon import HouseRules, Lexicon

        return Lexicon(self.tables.told, HouseRules(self.tables.told.options, self.tables.options))

    def word_thing(self, slot: int, of: t.Type) -> Thing | None:
        """Word what a name stands for."""
        from rulebook.english.grammar import YOU, Thing

        value, sort = self.env[slot], t.surely(of)
        if isinstance(value, str) and isinstance(sort, t.Symbol):
            return Thing(self.make_lexicon().write_word(value, sort))
        if isinstance(value, int) and sort == t.PLAYER:
            return YOU if value == self.seat else Thing(self.run.names[value], person=True)
        if slot == self.it or (slot == 0 and self.slots.names[0] == "this"):
            return Thing("it", own="its")
        return None


def find_values(tables: Tables, run: Run, watch: Watch, seat: int) -> Values:
    """Put into words what the conditions compare that are not met in what was watched, as far as this seat knows it."""
    values, codes = Values(), dict[int, Code]()
    for (name, card, about), read in watch.groups.items():
        whole = f"values.{name}" if card is None else tables.by_object(name)[card]
        function = tables.told.functions.get(whole or "")
        if function is None or not isinstance(function.body, ir.Conditions):
            continue
        env = [*about, *[None] * (len(function.slots.names) - len(about))]
        about_it = _About(tables, codes, run, env, seat, function.slots, function.parameters)
        failed = {line for line, answer, _ in read if answer is False}
        definition = None if card is None else tables.definition[card]
        values |= {
            (definition, name, line.name): about_it.word_measured(line)
            for line in function.body.lines
            if line.name in failed
        }
    return values


def _says(name: str, wanted: str) -> bool:
    """Tell whether the name of a condition says what it needs: "two currencies at most", "a second ID"."""
    words, ways = re.findall(r"\w+", name.casefold()), {wanted.casefold()}
    if wanted.isdecimal():
        number = int(wanted)
        ways |= {"no", "without"} if number == 0 else {*NUMBERS[number - 1 : number], ordinal(number - 1)}
    return bool(ways & {*words}) or (not wanted.isdecimal() and wanted.casefold() in name.casefold())


def _find_compared(condition: ir.Expr) -> Iterator[ir.Expr]:
    """Yield what a condition compares, but what says itself what it is."""
    match condition:
        case ir.And() | ir.Or():
            yield from _find_compared(condition.left)
            yield from _find_compared(condition.right)
        case ir.Not():
            yield from _find_compared(condition.value)
        case ir.Compare(_, left, right):
            yield from (side for side in (left, right) if not isinstance(side, ir.Const | ir.OptionValue | ir.Local))
