"""Texts of cards and actions as house rules make them: they depend on nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.ir import Expr, Rulebook
from rulebook.dsl.settling.options import value_text
from rulebook.plurals import word_amount


def list_texts(rulebook: Rulebook, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of each card and action, by its id; those without one are left out."""
    texts = {}
    written = [(card.id, card.text) for card in rulebook.cards.values()]
    written += [(action.id, action.text) for action in rulebook.actions.values()]
    for id, text in written:
        words = word_expression(text, options, rulebook.units) if text is not None else ""
        if words:
            texts[id] = words
    return texts


def word_expression(expression: Expr, options: Mapping[str, Any], units: Mapping[str, int] | None = None) -> str:
    """A name or text as these house rules make it; such texts depend on nothing else. `units` are what amounts are
    told in.
    """
    match expression:
        case ir.Const(value=str() as text):
            return text
        case ir.Const(value=None | bool() | int() as value):
            return value_text(value)
        case ir.OptionValue(name=name, type=type) if t.AMOUNT in t.members(type) and isinstance(options[name], int):
            return word_amount(options[name], units or {})
        case ir.OptionValue(name=name):
            return value_text(options[name])
        case ir.ByOption(option=name, cases=cases):
            return next((word_expression(case, options, units) for value, case in cases if value == options[name]), "")
        case ir.Joined(parts=parts):
            return "".join(part if isinstance(part, str) else word_expression(part, options, units) for part in parts)
        case _:
            return ""
