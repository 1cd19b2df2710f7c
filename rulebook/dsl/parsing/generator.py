"""The grammar, turned into a table by the parser generator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lark import Lark
from lark.lexer import Lexer, PatternStr

STARTS = ("script", "expression", "ranking", "signature", "expectation")
"""The start rules of the grammar, one for each use of a text."""


class _NoLexer(Lexer):
    """Lark wants to know who finds the words; that is `lexer`, and lark never reads anything."""

    __future_interface__ = 1

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        raise AssertionError("a table reads nothing")


def generate(text: str, **options: Any) -> Lark:
    """Build the lark parser of a grammar; an error of lark if there is a conflict in it."""
    return Lark(text, parser="lalr", lexer=_NoLexer, start=list(STARTS), maybe_placeholders=True, **options)


def make_table(text: str) -> dict[str, Any]:
    """The table of a grammar, as JSON can hold it: `grammar._load_table` says what is in it."""
    table = generate(text)
    frontend: Any = table.parser
    parsed = frontend.parser._parse_table
    numbers = {old: new for new, old in enumerate(parsed.states)}
    rules: dict[Any, int] = {}
    rows: dict[tuple[tuple[str, int], ...], int] = {}
    actions, gotos = [], []
    for state in parsed.states.values():
        todo: dict[str, int] = {}
        behind: dict[str, int] = {}
        for symbol, (_, what) in state.items():
            if not isinstance(what, int):
                todo[symbol] = ~rules.setdefault(what, len(rules))
            elif symbol.isupper():
                todo[symbol] = numbers[what]
            else:
                behind[symbol] = numbers[what]
        actions.append(rows.setdefault(tuple(todo.items()), len(rows)))
        gotos.append(rows.setdefault(tuple(behind.items()), len(rows)))
    fixed = {str(term.pattern.value): term.name for term in table.terminals if isinstance(term.pattern, PatternStr)}
    return {
        "rules": [_make_rule_row(rule) for rule in rules],
        "rows": [dict(row) for row in rows],
        "actions": actions,
        "gotos": gotos,
        "starts": {start: numbers[state] for start, state in parsed.start_states.items()},
        "ends": {start: numbers[state] for start, state in parsed.end_states.items()},
        "words": {word: sort for word, sort in fixed.items() if word[0].isalpha()},
        "signs": {sign: sort for sign, sort in fixed.items() if not sign[0].isalpha()},
    }


def _make_rule_row(rule: Any) -> list[Any]:
    """The fields of `grammar.Rule`. Which pieces matter is said by lark's options: see its `ChildFilter`."""
    kept: list[int | None] = []
    spread = []
    absent = iter(rule.options.empty_indices or [False] * len(rule.expansion))
    for number, symbol in enumerate(rule.expansion):
        while next(absent):
            kept.append(None)
        if symbol.is_term and symbol.filter_out and not rule.options.keep_all_tokens:
            continue
        if not symbol.is_term and symbol.name.startswith("_"):
            spread.append(len(kept))
        kept.append(number)
    kept += [None for _ in absent]
    origin = str(rule.origin.name)
    repeats = origin.startswith("_")
    handed_on = rule.options.expand1 and not rule.alias and len(kept) == 1
    name = "" if repeats or handed_on else str(rule.alias or origin)
    return [origin, name, len(rule.expansion), kept, spread, repeats]
