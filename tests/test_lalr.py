"""The parser follows the table as lark itself does: of every script both apply the same rules, at the same places.

Here lark gets our tokens, and makes trees.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from rulebook.dsl.parsing.generator import STARTS
from rulebook.dsl.parsing.grammar import grammar, grammar_text
from rulebook.dsl.parsing.lalr import Parser, Unexpected
from rulebook.dsl.parsing.lexer import lex
from rulebook.dsl.parsing.parser import noting
from rulebook.playtest.scenarios.folder import load_scenarios

SPOILT = ["move a to", "if a:\nstop", "let x = (a", "choose from a", "a b", "say )", "stop\n  stop", "each x in in y"]


class OurTokens(Lexer):
    """Our lexer, as lark wants it."""

    __future_interface__ = 1

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        states = parser_state.parse_conf.parse_table.states
        table: Any = SimpleNamespace(actions=states, words=grammar().words, signs=grammar().signs)
        for one in lex(str(lexer_state.text.text), table, parser_state.state_stack):
            yield Token(one.sort, one.text, one.start, end_pos=one.end)


@cache
def theirs() -> Lark:
    options: Any = {"parser": "lalr", "lexer": OurTokens, "start": list(STARTS), "maybe_placeholders": True}
    return Lark(grammar_text(), propagate_positions=True, **options)


class Ours:
    """Makes trees of plain lists."""

    source = None


@cache
def ours() -> Parser:
    table = grammar()
    names = {rule.name for rule in table.rules if rule.name}
    return Parser(table, {name: named(name) for name in names}, lambda place: place[1:])


def named(name: str) -> Any:
    return lambda _, at, *pieces: (name, at, *pieces)


def plain(node: Any) -> Any:
    if isinstance(node, Tree):
        return str(node.data), (node.meta.start_pos, node.meta.end_pos), *map(plain, node.children)
    return None if node is None else (node.type, str(node), node.start_pos, node.end_pos)


def depth(node: Any) -> int:
    return 1 + max(map(depth, node.children), default=0) if isinstance(node, Tree) else 0


def test_every_script_is_read_as_lark_reads_it(bundled_game: Path) -> None:
    with noting() as noted:
        load_scenarios(bundled_game)
    assert len(noted) > 10
    for text, start in sorted({(one.text, start) for one, start in noted}):
        tree = theirs().parse(text, start=start)
        assert ours().parse(text, start, Ours()) == (plain(tree), depth(tree)), text


@pytest.mark.parametrize("text", SPOILT)
@pytest.mark.parametrize("start", STARTS)
def test_what_cannot_be_read_stops_where_lark_stops(text: str, start: str) -> None:
    def lark_stops() -> tuple[str, set[str]]:
        with pytest.raises(UnexpectedToken) as found:
            theirs().parse(text, start=start)
        return str(found.value.token.type), set(found.value.accepts or found.value.expected)

    with pytest.raises(Unexpected) as found:
        ours().parse(text, start, Ours())
    assert (found.value.token.sort, set(found.value.accepts)) == lark_stops()
