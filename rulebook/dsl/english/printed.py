"""Texts that are printed on cards and actions: told once, for every choice of house rules that they turn out to depend
on.

In: a rulebook, the ids of what has no text of its own. Out: the rulebook with these texts, which depend on options as
texts that somebody wrote do. Never: a text for something that does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.house_rules import CLOSE, OPEN, HouseRules, Undecided
from rulebook.dsl.english.steps import printed
from rulebook.dsl.english.telling import Teller

_MOST = 4  # options that one text goes by; what it asks beyond that stays in words
_VALUE = re.compile(f"{OPEN}([a-z0-9_]*){CLOSE}")


def with_told_texts(rulebook: ir.Rulebook, ids: Sequence[str]) -> tuple[ir.Rulebook, list[str]]:
    """The rulebook in which these cards and actions have a text, and those of them that do nothing."""
    cards, actions = dict(rulebook.cards), dict(rulebook.actions)
    known: dict[tuple[str | None, ...], ir.Expr | None] = {}
    for id in ids:
        scripts = tuple(table.get(id) for table in rulebook.hooks.values())
        if scripts not in known:
            known[scripts] = text_of(rulebook, id, {})
        if id in cards:
            cards[id] = evolve(cards[id], text=known[scripts])
        else:
            actions[id] = evolve(actions[id], text=known[scripts])
    silent = [id for id in ids if (cards if id in cards else actions)[id].text is None]
    return evolve(rulebook, cards=cards, actions=actions), silent


def text_of(rulebook: ir.Rulebook, id: str, settled: dict[str, Any]) -> ir.Expr | None:
    """What a card or action does, as one text; None if it does nothing. `settled`: the options that are already
    chosen.
    """
    rules = HouseRules(rulebook.options, settled, asking=len(settled) < _MOST)
    teller = Teller(rulebook, rules)
    try:
        lines = teller.card(id) if id in rulebook.cards else teller.action(id)
    except Undecided as asked:
        cases = [(value, text_of(rulebook, id, {**settled, asked.name: value})) for value in asked.values]
        texts = tuple((value, text or ir.Const("", type=t.TEXT)) for value, text in cases)
        return texts[0][1] if len({text for _, text in texts}) == 1 else ir.ByOption(asked.name, texts, type=t.TEXT)
    return _with_values(rulebook, printed(lines)) if lines else None


def _with_values(rulebook: ir.Rulebook, text: str) -> ir.Expr:
    """A text with the values of options where they belong."""
    pieces = _VALUE.split(text)
    if len(pieces) == 1:
        return ir.Const(text, type=t.TEXT)
    parts: list[str | ir.Expr] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            parts.append(ir.OptionValue(piece, type=rulebook.options[piece].type))
        elif piece:
            parts.append(piece)
    return ir.Joined(tuple(parts), type=t.TEXT)
