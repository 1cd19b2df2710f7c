"""Numbers worked out, and the questions that are built into the language.

In: arithmetic and calls of built-ins. Out: things and groups: "the total value of the notes in your hand", "the top
card of the deck". Never: a built-in without words (a test asks for each).
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.claims import ClaimTelling
from rulebook.dsl.english.grammar import Noun, Spot, Thing
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.things import Phrase
from rulebook.dsl.english.words import bare, is_plural

_SIGN = {"+": "plus", "-": "minus", "*": "times", "/": "divided by", "%": "modulo"}
_NAME = {"+": "the sum of", "-": "the difference of", "*": "the product of"}


class BuiltInTelling(ClaimTelling):
    """Says what is worked out."""

    def counted(self, expr: ir.Expr, group: Group, *, away: bool = False) -> str:
        """So many of a group: "1 card from the deck", "a number of coins equal to …"."""
        if isinstance(expr, ir.OptionValue) and expr.key is None:
            self.rules.countable(expr.name)
        number = self.thing(expr)
        if number.number is not None:
            return group.some(number.text, number.number != 1, away=away)
        if number.counts:
            return group.some(number.counts, many=True, away=away)
        return group.some("a number of", many=True, away=away) + f" equal to {number.to},"

    def reckoned(self, expr: ir.Arithmetic) -> Thing:
        known, value = self.rules.constant(expr)
        if known and isinstance(value, int):
            number = None if t.AMOUNT in t.members(expr.type) else value
            text = self.lexicon.value(value, expr.type)
            return Thing(text, number=number, counts=text if number is not None else "")
        if expr.left == ir.Const(0, type=expr.left.type) and expr.operator == "-":
            return Thing(f"minus {self._operand(expr.right)}", long=True)
        match expr:
            case ir.Arithmetic("*", left, ir.Const(2)) | ir.Arithmetic("*", ir.Const(2), left):
                return Thing(f"twice {self._operand(left)}", long=True)
            case ir.Arithmetic("/", left, ir.Const(2)):
                return Thing(f"half of {self._operand(left)}, rounded down,", long=True)
            case ir.Arithmetic("-", left, ir.Const(int(number))):
                return Thing(f"{number} less than {self._operand(left)}", long=True)
            case ir.Arithmetic("%", left, right):
                divided = f"{self._operand(left)} divided by {self._operand(right)}"
                return Thing(f"the remainder of {divided}", long=True)
            case ir.Arithmetic("/", left, right):
                return Thing(f"{self._operand(left)} divided by {self._operand(right)}, rounded down,", long=True)
        left = expr.left
        first = self.thing(left).to if self._goes_on(left, expr.operator) else self._operand(left)
        first += "," if self._is_complex(left) and not first.endswith(",") else ""
        return Thing(f"{first} {_SIGN[expr.operator]} {self._operand(expr.right)}", long=True)

    def _is_complex(self, expr: ir.Expr) -> bool:
        """Whether what follows could be taken for a part of it."""
        if self.rules.constant(expr)[0]:
            return False
        if isinstance(expr, ir.Arithmetic):
            return expr.operator in "*/%" or self._is_complex(expr.left) or self._is_complex(expr.right)
        return isinstance(expr, ir.IfElse) or (isinstance(expr, ir.BuiltIn) and expr.name in ("min", "max"))

    def _goes_on(self, left: ir.Expr, operator: str) -> bool:
        """Whether a sum goes on with another summand."""
        return operator in "+-" and isinstance(left, ir.Arithmetic) and left.operator in "+-"

    def _operand(self, expr: ir.Expr) -> str:
        """A part of something worked out, told so that it cannot be taken apart."""
        if isinstance(expr, ir.Arithmetic) and not self.rules.constant(expr)[0] and expr.operator in _NAME:
            return f"{_NAME[expr.operator]} {self.thing(expr.left).to} and {self.thing(expr.right).to}"
        if isinstance(expr, ir.BuiltIn) and expr.name in ("min", "max") and not self.rules.constant(expr)[0]:
            return self._extreme(expr, inside=True).to
        return self.thing(expr).to

    # ── built-ins ────────────────────────────────────────────────────────────────────────────────────────────────

    def built_in(self, expr: ir.BuiltIn) -> Phrase:
        told: dict[str, Callable[[ir.BuiltIn], Phrase]] = {
            "sum": self._sum,
            "count": self._count,
            "min": self._extreme,
            "max": self._extreme,
            "any": self.claim,
            "all": self.claim,
            "distinct": self._distinct,
            "first": self._end,
            "last": self._end,
            "holder": lambda one: Thing(f"the player who has {self._argument(one)}", person=True, long=True),
            "beside": lambda one: self._near(one, "beside"),
            "around": lambda one: self._near(one, "around"),
            "row": lambda one: self._near(one, "in the same row as"),
            "column": lambda one: self._near(one, "in the same column as"),
            "rows": lambda one: self._lines(one, Noun("row", "rows")),
            "columns": lambda one: self._lines(one, Noun("column", "columns")),
            "lines": lambda one: self._lines(one, Noun("line", "lines")),
            "cells": lambda one: Group(self.item(one.type), self.spot(one.arguments[0])),
        }
        return told[expr.name](expr)

    def _argument(self, expr: ir.BuiltIn) -> str:
        return self.thing(expr.arguments[0]).to

    def _sum(self, expr: ir.BuiltIn) -> Thing:
        match expr.arguments[0]:
            case ir.Each(several, slot, body) if (head := self._head(body, slot)) is not None:
                group = self.group(several)
                many = head if is_plural(head) else f"total {head}"
                return Thing(f"the {many} of {group.the()}", "many" if is_plural(head) else "one", long=True)
            case ir.Each(several, slot, body):
                group = self.group(several)
                with self.about(slot, group.noun, many=False):
                    inner = self.thing(body).to
                return Thing(f"the total, for {group.each()}, of {inner}", long=True)
        return Thing(f"the total of {self._argument(expr)}", long=True)

    def _head(self, body: ir.Expr, slot: int) -> str | None:
        """What each of a list is asked for, if it is one word: its value."""
        match body:
            case (
                ir.Attribute(name, ir.Local(it)) | ir.State(name, ir.Local(it)) | ir.PlayerMemory(name, ir.Local(it))
            ) if it == slot:  # fmt: skip
                return self.lexicon.head(name)
            case ir.CallValue(function, (ir.Local(it),)) if it == slot and "{" not in self.lexicon.head(bare(function)):
                return self.lexicon.head(bare(function))
        return None

    def _count(self, expr: ir.BuiltIn) -> Thing:
        of = expr.arguments[0]
        if isinstance(of.type, t.Place):
            return Thing(f"the number of {self._lying(of).bare()}", long=True)
        return Thing(f"the number of {self.group(of).bare()}", long=True)

    def _extreme(self, expr: ir.BuiltIn, *, inside: bool = False) -> Thing:
        least = expr.name == "min"
        if isinstance(t.surely(expr.arguments[0].type), t.ListOf):
            word = "smallest" if least else "largest"
            found = f"the {word} of {self._argument(expr)}"
            match expr.arguments[0]:
                case ir.Each(several, slot, body) if (head := self._head(body, slot)) is not None:
                    found = f"the {'lowest' if least else 'highest'} {head} of {self.group(several).the()}"
            if len(expr.arguments) > 1 and self.rules.constant(expr.arguments[1]) != (True, 0):
                found += f", or {self.thing(expr.arguments[1]).to} if there is none"
            return Thing(found, long=True)
        one, other = (self.thing(argument) for argument in expr.arguments)
        if one.number is not None:
            one, other = other, one
        if other.number is not None and inside:
            return Thing(f"the {'smaller' if least else 'larger'} of {other.text} and {one.to}", long=True)
        if other.number is not None:
            return Thing(f"{one.to}, but at {'most' if least else 'least'} {other.text}", long=True)
        return Thing(f"the {'smaller' if least else 'larger'} of {one.to} and {other.to}", long=True)

    def _distinct(self, expr: ir.BuiltIn) -> Group:
        group = self.group(expr.arguments[0])
        if group.only or group.single or group.parts:
            return group
        spot = group.spot
        if spot is not None and spot.inside == "of":
            spot = Spot(spot.thing, "among", "among", "among")
        return evolve(group, before=f"different {group.before}".strip(), spot=spot, whole=None)

    def _end(self, expr: ir.BuiltIn) -> Phrase:
        several = expr.arguments[0]
        group = self.group(several)
        kept = several.place.type if isinstance(several, ir.Cards) else None
        if isinstance(several, ir.Filter) and isinstance(several.list, ir.Cards):
            kept = several.list.place.type
        pile = isinstance(kept, t.Place) and kept.kept == "pile"
        which = ("top" if pile else "first") if expr.name == "first" else "bottom" if pile else "last"
        if len(expr.arguments) > 1:
            number = self.thing(expr.arguments[1])
            if number.number == 1:
                number = Thing("", number=1, counts=" ")
            top = evolve(group, before=" ".join(f"{which} {number.counts} {group.before}".split()), whole=None)
            if number.counts and not (group.only or group.parts):
                noun = group.noun if number.number != 1 else Noun(group.noun.one, group.noun.one)
                return Group(noun, whole=Thing(f"the {evolve(top, noun=noun).bare()}", "many"), only=True)
            words = f"the {which} of {group.items()}, as many as {number.to},"
            return Group(group.noun, whole=Thing(words, "many", long=True), only=True)
        if group.only or group.parts:
            return Thing(f"the {which} of {group.bare()}", person=group.noun.person, long=True)
        narrowed = evolve(group, noun=Noun(group.noun.one, group.noun.one, group.noun.person), whole=None)
        one = evolve(narrowed, before=f"{which} {group.before}".strip()).one().partition(" ")[2]
        return Thing(f"the {one}", person=group.noun.person, long=True)

    def _near(self, expr: ir.BuiltIn, where: str) -> Group:
        noun = self.item(expr.type)
        return Group(noun, Spot(self.thing(expr.arguments[0]), where, where, where))

    def _lines(self, expr: ir.BuiltIn, noun: Noun) -> Group:
        spot = self.spot(expr.arguments[0])
        if len(expr.arguments) > 1:
            length = self.thing(expr.arguments[1]).to
            noun = Noun(f"{noun.one} of {length}", f"{noun.many} of {length}")
        return Group(noun, Spot(spot.thing, "of", "of", "of"))
