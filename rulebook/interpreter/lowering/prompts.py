"""Questions in words, as people know them who have often read them.

In: a decision as the rules have it. Out: what is asked, with a word for what is put into it only then, such as `Who
gets [a card]?`; without a prompt the answers that are written there. Never: asks.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t


def word_asked(statement: ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange) -> str:
    """Word what is asked; nothing where neither that nor the answers are written."""
    prompt = None if isinstance(statement, ir.Arrange) else statement.prompt
    if prompt is not None:
        return _word_text(prompt)
    options = statement.options if isinstance(statement, ir.Menu | ir.Offer) else ()
    return " or ".join(_word_text(option.label) for option in options)


def _word_text(text: ir.Expr) -> str:
    match text:
        case ir.Const():
            return str(text.value)
        case ir.Joined():
            return "".join(part if isinstance(part, str) else _name_value(part) for part in text.parts)
        case _:
            return _name_value(text)


def _name_value(value: ir.Expr) -> str:
    """Name a value by its sort, or the text that a card has by what the rules call it."""
    named = f"[{value.name.replace('_', ' ')}]" if isinstance(value, ir.Attribute | ir.State) else "[…]"
    return _name_sort(value.type) or named


def _name_sort(of: t.Type) -> str:
    match t.surely(of):
        case t.Card() | t.Action():
            return "[a card]"
        case t.Player():
            return "[a player]"
        case t.Number() | t.Amount():
            return "[a number]"
        case t.Symbol(enumeration):
            return f"[{enumeration.replace('_', ' ')}]"
        case _:
            return ""
