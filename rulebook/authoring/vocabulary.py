"""The names of one game as JSON Schema: what a kind, a card, a place, a stage or a type may be."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from rulebook.authoring.shapes import (
    A_RANGE,
    ANYTHING,
    FORMULA,
    LITERAL,
    NAME,
    NULL,
    NUMBER,
    STEPS,
    TEXT,
    YES_NO,
    Json,
    either,
    one_of,
    several,
    whole,
)
from rulebook.dsl import types as t
from rulebook.dsl.settling.options import choices_of, value_text
from rulebook.dsl.structuring.leaves import NO_VALUE, TYPE
from rulebook.dsl.world import TYPE_WORDS, Value, World

BY = "#/definitions/by_option"


@frozen
class Vocabulary:
    """The names of a game; without a world, whatever could be one."""

    world: World | None = None

    # ── names ──

    def kind(self) -> Json:
        return NAME if self.world is None else one_of(list(self.world.concrete), NAME)

    def attribute(self) -> Json:
        return NAME if self.world is None else one_of(list(self.world.attributes), NAME)

    def table_place(self) -> Json:
        if self.world is None:
            return NAME
        return one_of((one.name for one in self.world.places.values() if one.owner == "table"), NAME)

    def stage(self) -> Json:
        """A stage that some script enters."""
        return NAME if self.world is None else one_of(sorted(self.world.stages), NAME)

    def card(self) -> Json:
        """The entry of a card, which another may copy."""
        return NAME if self.world is None else one_of(list(self.world.authored.cards), NAME)

    def definitions(self, kinds: Iterable[str] | None = None) -> list[str]:
        """The ids of cards as scenarios name them, of these kinds or of all."""
        if self.world is None:
            return []
        wanted = None if kinds is None else set(kinds)
        cards = [one for one in self.world.cards.values() if wanted is None or one.kind in wanted]
        # A family of one is meant by its own name too.
        alone = [one.family for one in cards if len(self.world.families.get(one.family, ())) == 1]
        return list(dict.fromkeys([*(one.id for one in cards), *alone]))

    # ── options ──

    def by(self) -> Json:
        """`options.x`, for `by:`."""
        pattern: Json = {"type": "string", "pattern": r"^options\."}
        return pattern if self.world is None else one_of([f"options.{name}" for name in self.world.options], pattern)

    def by_option(self) -> Json:
        """A map `{by: options.x, …}`, with a value for every choice of that option."""
        made: Json = {"type": "object", "required": ["by"], "properties": {"by": self.by()}}
        cases = []
        for name in self.world.options if self.world is not None else ():
            choices = [value_text(one) for one in self._choices(name)]
            if choices:
                wanted = {"properties": {"by": {"const": f"options.{name}"}}, "required": ["by"]}
                cases.append({"if": wanted, "then": {"required": choices, "propertyNames": {"enum": ["by", *choices]}}})
        return made | ({"allOf": cases} if cases else {})

    def _choices(self, option: str) -> tuple[Value, ...]:
        assert self.world is not None
        type = self.world.authored.options[option].type
        return choices_of(type, self.world.words)

    def switched(self, value: Json) -> Json:
        """A value, or one for every choice of an option."""
        by = {"allOf": [{"$ref": BY}], "type": "object", "properties": {"by": {}}, "additionalProperties": value}
        return either(value, by)

    def setting(self, option: str) -> Json:
        """What a scenario may set a house rule to."""
        assert self.world is not None
        type = self.world.authored.options[option].type
        if type.words == "steps":
            return either(TEXT, STEPS)
        choices = self._choices(option)
        if choices:
            return _among(choices)
        return self.value(self.world.options[option], None, formulas=False)

    # ── types and values ──

    def type(self, *more: str) -> Json:
        """A type: its name, a range, or a list of choices. `more` are words that name one only here."""
        choice = {"type": "array", "items": {"type": ["string", "integer"]}, "minItems": 1}
        if self.world is None:
            word: Json = {"type": "string", "pattern": whole(TYPE.pattern), "not": {"enum": list(NO_VALUE)}}
            return either(one_of([*TYPE_WORDS, *more]), word, A_RANGE, choice)
        names = [*TYPE_WORDS, *self.world.concrete, *self.world.words, *more]
        return either(one_of([*names, *(f"set of {one}" for one in names)]), A_RANGE, choice)

    def value(self, of: t.Type, values: tuple[Value, ...] | None, *, formulas: bool = True) -> Json:
        """A value of a type; `values` are all that it may be, if they are few."""
        formula = (FORMULA,) if formulas else ()
        if values is not None:
            return either(_among(values), *formula)
        none = ({"const": "none"},) if t.may_be_nothing(of) else ()
        match t.surely(of):
            case t.Number():
                return either(NUMBER, *none, *formula)
            case t.Amount():
                units = "|".join(self.world.units) if self.world is not None else ""
                amount = {"type": "string", "pattern": whole(rf"{LITERAL} ?({units})")}
                return either({"const": 0}, amount, *none, *formula)
            case t.YesNo():
                return either(YES_NO, *none, *formula)
            case t.Text():
                return TEXT
            case t.Symbol(enumeration) if self.world is not None:
                return either(one_of(self.world.words.get(enumeration, {})), *none, *formula)
            case t.Card(kinds):
                return either(one_of(self.definitions(kinds)), *none, *formula)
            case t.ListOf(item):
                inner = self.value(item, None, formulas=formulas)
                return either({"type": "array", "items": inner}, {"type": "string"})
        return ANYTHING

    def start(self, *, lists: bool) -> Json:
        """A value to start with, which is its own type: `0`, `500 CU`, `no`, and a list where those may stand."""
        literal: Json = {"type": "string", "pattern": whole(rf"{LITERAL} ?[A-Za-z][A-Za-z0-9_]*|yes|no")}
        listed = ({"type": "array"},) if lists else ()
        return either(NUMBER, literal, *listed)

    def changes(self) -> Json:
        """Attributes that a script may change: one, a list, or a map from each to `{lasts: STAGE}`."""
        lasts = {
            "type": "object",
            "properties": {"lasts": self.stage()},
            "required": ["lasts"],
            "additionalProperties": False,
        }
        inside: Json = {"type": "object", "additionalProperties": either(NULL, lasts)}
        return either(several(self.attribute()), inside | {"propertyNames": self.attribute()})


def _among(values: tuple[Value, ...]) -> Json:
    """One of a few values; of many numbers in a row, the least and the most."""
    numbers = [one for one in values if isinstance(one, int) and not isinstance(one, bool)]
    if len(numbers) == len(values) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return {"type": "integer", "minimum": numbers[0], "maximum": numbers[-1]}
    return {"enum": [one if one in numbers and not isinstance(one, bool) else value_text(one) for one in values]}
