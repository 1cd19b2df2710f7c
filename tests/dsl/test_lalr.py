"""The parser follows the table as lark itself does: of every script both apply the same rules, at the same places.

Here lark gets our tokens, and makes trees.
"""

from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from rulebook.dsl.parsing.generator import STARTS
from rulebook.dsl.parsing.grammar import Table, grammar, grammar_text
from rulebook.dsl.parsing.lalr import END, Parser, Trail, Unexpected
from rulebook.dsl.parsing.lexer import LayoutError, lex
from rulebook.dsl.parsing.lexer import Token as OurToken
from rulebook.dsl.parsing.parser import noting
from rulebook.playtest.scenarios.reading import load_scenarios

BLOCKS = 'if a:\n  may "x":\n    set b = 1\nelse:\n  stop\nshuffle deck'
SPOILT = ["move a to", "if a:\nstop", "let x = (a", "choose from a", "a b", "say )", "stop\n  stop", "each x in in y"]


class OurTokens(Lexer):
    """Our lexer, as lark wants it."""

    __future_interface__ = 1

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        for one in lex(str(lexer_state.text.text), their_table(), parser_state.state_stack):
            yield Token(one.sort, one.text, one.start, end_pos=one.end)


@cache
def their_table() -> Table:
    """As much of a table as a lexer asks, with the states that lark counts."""
    frontend: Any = theirs().parser
    return evolve(grammar(), actions=frontend.parser._parse_table.states)


@cache
def theirs() -> Lark:
    options: Any = {"parser": "lalr", "lexer": OurTokens, "start": list(STARTS), "maybe_placeholders": True}
    return Lark(grammar_text(), propagate_positions=True, **options)


class Ours:
    """Makes trees of plain lists."""

    source = None


NAMES = {rule.name for rule in grammar().rules if rule.name}


@cache
def ours() -> Parser:
    return fresh()


def fresh(bare: Container[str] = ()) -> Parser:
    """One that has read nothing yet."""
    return Parser(grammar(), {name: named(name) for name in NAMES}, lambda place: place[1:], bare)


def named(name: str) -> Any:
    return lambda _, at, *pieces: (name, at, *pieces)


def plain(node: Any) -> Any:
    if isinstance(node, Tree):
        return str(node.data), (node.meta.start_pos, node.meta.end_pos), *map(plain, node.children)
    return None if node is None else (node.type, str(node), node.start_pos, node.end_pos)


def depth(node: Any) -> int:
    return 1 + max(map(depth, node.children), default=0) if isinstance(node, Tree) else 0


@pytest.mark.slow
def test_every_script_is_read_as_lark_reads_it(bundled_game: Path) -> None:
    with noting() as noted:
        load_scenarios(bundled_game)
    assert len(noted) > 10
    scripts = {(one.text, start) for one, start in noted if start != "head"}  # a changed head is read as a script
    for text, start in sorted(scripts):
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


# ── what our parser knows beside lark ───────────────────────────────────────────────────────────────────────────────

TEXTS = [
    (BLOCKS, "script"),
    ("  " + BLOCKS.replace("\n", "\r\n\n  "), "script"),
    ('choose one:\n  "x":\n    stop', "script"),
    ("each p in players chooses:\n  1 a from b\n  2 c from d\nmove (a # one\n  + b) to c", "script"),
    ('offer players in  turn as q:\n  "x" if a\n  "y":\n    skip', "script"),
    ("most a then b + 1", "ranking"),
    ("no", "expression"),
    ("no", "signature"),
    ("most (a) then b", "expression"),
    ("", "script"),
    (" a", "expression"),
]


def outcome(parser: Parser, text: str, start: str) -> Any:
    """What a text is read as, or where it stops, and what would have fitted there."""
    try:
        return parser.parse(text, start, Ours())
    except Unexpected as error:
        return error.token, error.accepts
    except LayoutError as error:
        return error.problem, error.start, error.end


@pytest.mark.parametrize("text", [*SPOILT, *(text for text, _ in TEXTS)])
@pytest.mark.parametrize("start", STARTS)
def test_a_text_is_refused_just_if_a_trail_refuses_it(text: str, start: str) -> None:
    def refusal() -> Any:
        trail = Trail.from_start(grammar(), start)
        try:
            trail.lex_next(text)
        except Unexpected as error:
            return error.token, error.accepts
        except LayoutError as error:
            return error.problem, error.start, error.end
        return None if trail.takes(END) else "the end"

    found = outcome(ours(), text, start)
    told = refusal()
    assert (told is None) == isinstance(found[1], int)
    assert told in (None, found, "the end")


def test_bare_rules_get_the_texts_of_their_tokens() -> None:
    def bared(node: Any) -> Any:
        return node.text if isinstance(node, OurToken) else (*map(bared, node),) if isinstance(node, tuple) else node

    for text, start in TEXTS[:8]:
        made, depth = ours().parse(text, start, Ours())
        parser = fresh(NAMES)
        for _ in range(2):
            assert parser.parse(text, start, Ours()) == (bared(made), depth)
