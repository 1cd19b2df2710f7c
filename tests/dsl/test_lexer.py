"""Tokens: words become keywords only as a whole and only where a keyword fits; lines, indentation and brackets.

And texts that are not meant well: whatever a text holds, it is read or refused at once.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import scalar, short

from rulebook.dsl.parsing import parser
from rulebook.dsl.parsing.generator import STARTS, generate
from rulebook.dsl.parsing.grammar import grammar, grammar_text
from rulebook.dsl.parsing.lalr import Trail
from rulebook.dsl.parsing.lexer import LayoutError, lex, sentence_at, sentence_end

TABLE = grammar()
"""The table that the states below are numbered by; another test may have it made anew."""
STATES = dict(enumerate(TABLE.actions))
KEYWORDS = TABLE.words


def first_token(text: str, state: int) -> tuple[str, str]:
    """Sort and text of the first token where the parser is in a given state."""
    return next(lex(text, TABLE, [state]))[:2]


def tokens(text: str) -> str:
    """The sorts of all tokens of a script, names and numbers as they are written."""
    found = Trail.from_start(grammar(), "script").lex_next(text)
    return " ".join(one.text if one.sort in ("NAME", "INT", "STRING") else one.sort for one in found)


def tree(text: str) -> str:
    found, mistakes = parser.parse_script(scalar(text))
    assert found is not None, [one.message for one in mistakes]
    return short(found)[1:-1]


def test_the_grammar_has_no_conflict() -> None:
    generate(grammar_text(), strict=True)


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_there_are_many_states_and_every_keyword_fits_somewhere() -> None:
    assert len(STATES) > 300
    assert len(KEYWORDS) > 80
    for text, name in KEYWORDS.items():
        fitting = [state for state, accepts in STATES.items() if name in accepts]
        assert fitting, text
        assert all(first_token(text, state) == (name, text) for state in fitting)


@pytest.mark.parametrize("keyword", sorted(KEYWORDS))
def test_a_word_that_only_begins_with_a_keyword_is_a_name_in_every_state(keyword: str) -> None:
    for state, accepts in STATES.items():
        if KEYWORDS[keyword] not in accepts:
            continue
        for longer in (keyword + "x", keyword + "2", keyword + "_", "x" + keyword, keyword.capitalize()):
            first = longer.split(" ")[0]
            if first != longer and first in KEYWORDS and KEYWORDS[first] in accepts:
                assert first_token(longer, state) == (KEYWORDS[first], first)
            else:
                assert first_token(longer, state) == ("NAME", first)


@pytest.mark.parametrize("keyword", sorted(KEYWORDS))
def test_a_keyword_is_a_name_where_it_does_not_fit(keyword: str) -> None:
    first = keyword.split(" ")[0]
    for state, accepts in STATES.items():
        if KEYWORDS[keyword] not in accepts and KEYWORDS.get(first) not in accepts:
            assert first_token(keyword, state) == ("NAME", first)


VERBS_AS_NAMES = [
    ("choose pick from fund", "Choose(Asking(-, no, no, no), Choice(one, [pick], [fund], -, -), -, -, -)"),
    ("move pick to me.hand", "Move(pick, Destination(Dot(me, 'hand'), '', ''))"),
    ("do move.effect(me)", "Do(Method(move, 'effect', [me]), -, -)"),
    ("do draw(deal)", "Do(Call('draw', [deal]), -, -)"),
    ("move move to turn", "Move(move, Destination(turn, '', ''))"),
    ("draw 1 from draw to me.draw", "Draw(1, draw, Destination(Dot(me, 'draw'), '', ''), -)"),
    ("let show = roll", "Let([show], roll)"),
    ("set shuffle = reveal + 1", "Set(shuffle, Arithmetic('+', reveal, 1), no)"),
    ("each pick in swap:\n  stop", "Each(pick, swap, -, [Leave('stop', -)])"),
    ("stage turn:\n  end turn", "Stage(turn, -, -, no, [Leave('end', turn)])"),
    ("choose deed from actions where it is not flip", "Choose(Asking(-, no, no, no), Choice(one, [deed], "
     "[Where(actions, Compare('is not', it, flip))], -, -), -, -, -)"),
    ("pass each pass left", "Pass(pass, 'left')"),
    ("each p in turn.order:\n  stop", "Each(p, Dot(turn, 'order'), -, [Leave('stop', -)])"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), VERBS_AS_NAMES)
def test_names_may_be_verbs(source: str, expected: str) -> None:
    assert tree(source) == expected


def test_in_turn_is_one_word_only_in_an_offer() -> None:
    assert "IN_TURN" in tokens('offer a in  turn as q:\n  "x"')
    assert "IN_TURN" not in tokens("each p in turn:\n  stop")
    assert "IN_TURN" not in tokens("shuffle a where b in turns")


# ── lines ───────────────────────────────────────────────────────────────────────────────────────────────────────────

ONE = "If(a, [Leave('stop', -)], -) Leave('skip', -)"
SAME = [
    "if a:\n  stop\nskip",
    "if a:\n  stop\nskip\n",
    "if a:\n     stop\nskip",
    "\n\n# first\n   # deeper\nif a:\n  stop\nskip\n\n\n",
    "  if a:\n    stop\n  skip",
    "if a: # why\n  stop # now\n\n# out\n  # in\nskip # then",
    "if a:\n      # deeper than what follows\n  stop\n    # and behind\nskip",
    "if a:\r\n  stop\r\nskip\r\n",
    "if a: # why\r\n\r\n  stop\r\n# out\r\nskip",
    "if\ta :   \n  stop   \nskip\t",
    "if (\n  a\n):\n  stop\nskip",
    "if (a # why\n\n # more\n       ):\n  stop\nskip",
]


@pytest.mark.parametrize("source", SAME)
def test_blank_lines_comments_and_line_breaks_change_nothing(source: str) -> None:
    assert tree(source) == ONE


def test_brackets_go_over_several_lines() -> None:
    assert tree("let x = max(1,\n  [2,\n 3]\n)\nset y = (a\nor b)") == (
        "Let([x], Call('max', [1 Listed([2 3])])) Set(y, Or(a, b), no)"
    )


def test_several_blocks_end_at_once() -> None:
    assert tree("loop:\n  if a:\n    if b:\n      stop\nskip") == (
        "Repeat(-, -, [If(a, [If(b, [Leave('stop', -)], -)], -)]) Leave('skip', -)"
    )


def test_what_stands_in_quotes_is_no_comment_and_no_bracket() -> None:
    assert tree('say "# ( [ \\" a"\nstop') == """Say(Text(['# ( [ " a']), -, no) Leave('stop', -)"""


def test_tokens_know_their_offsets() -> None:
    text = "if a:  # why\r\n  move b to c\r\n"
    for token in Trail.from_start(grammar(), "script").lex_next(text):
        if not token.sort.startswith("_"):
            assert text[token.start : token.end] == token.text


@pytest.mark.parametrize(
    ("source", "problem", "start", "end"),
    [
        ("let x = a ! b", "character", 10, 11),
        ('say "abc', "string", 4, 5),
        ("let x = 1234567890123456", "number", 8, 24),
        ("if a:\n\tstop", "tab", 6, 7),
        ("\tstop", "tab", 0, 1),
        ("if a:\n    stop\n  skip", "dedent", 15, 17),
        ("  stop\nskip", "dedent", 7, 7),
    ],
)
def test_layout_errors_know_their_place(source: str, problem: str, start: int, end: int) -> None:
    with pytest.raises(LayoutError) as found:
        tokens(source)
    assert (found.value.problem, found.value.start, found.value.end) == (problem, start, end)


# ── sentences ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_sentence_around_an_offset() -> None:
    text = "shuffle a # (\nlet x = max(1,\n  (2), [3\n"
    assert text[sentence_at(text, 4).begin :].startswith("shuffle")
    inside = sentence_at(text, text.index("3"))
    assert text[inside.begin :].startswith("let")
    assert text[inside.before :].startswith("shuffle")
    assert [text[at] for at in inside.brackets] == ["(", "["]


def test_where_a_sentence_ends() -> None:
    text = "let x = max(1,\n  2) # why\nshuffle a"
    assert sentence_end(text, 0, parser.VERBS) == (text.index(")") + 1, True)
    text = "let x = max(1, 2\nshuffle a"
    assert sentence_end(text, 0, parser.VERBS) == (text.index("\n"), False)


# ── hostile texts ───────────────────────────────────────────────────────────────────────────────────────────────────

READERS = [getattr(parser, f"parse_{start}") for start in STARTS]
HOSTILE = {
    "brackets": "(" * 100_000,
    "brackets, closed": "let x = " + "(" * 8000 + "1" + ")" * 8000,
    "lists": "let x = " + "[" * 16_000,
    "lists, closed": "let x = " + "[" * 8000 + "]" * 8000,
    "a large script": "shuffle deck\n" * 80_000,
    "many sentences": "stop\n" * 3200,
    "deep not": "let x = " + "not " * 10_000 + "a",
    "less deep not": "let x = " + "not " * 4000 + "a",
    "a long sum": "let x = a" + " + a" * 4000,
    "a long path": "let x = a" + ".a" * 8000,
    "keys": "let x = a" + "[a" * 8000,
    "minus": "let x = " + "-" * 16_000,
    "one or the other": "let x = " + "a if b else " * 1300 + "c",
    "else if": "if a:\n stop\n" + "else if a:\n stop\n" * 800,
    "steps": "\n".join(" " * i + "if a:" for i in range(170)),
    "a large number": "let x = " + "9" * 16_000,
    "braces": 'say "' + "{a}" * 5400 + '"',
    "broken braces": 'say "' + "{a b}" * 3200 + '"',
    "open braces": 'say "' + "{" * 16_001 + '"',
    "backslashes": 'say "' + "\\" * 16_000,
    "open quotes": '"\n' * 8000,
    "commas": "choose x from " + "a," * 8000,
    "mistakes at the end": "stop\n" * 3000 + "drw\n" * 300,
    "comments": "#\n" * 8000,
    "other line breaks": "\r\x0b\x0c\x85\u2028" * 3000,
    "nothing visible": "\0\x7f\ufeff" * 3000,
    "astral": "\U0001f3b2" * 16_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_refused_or_read(source: str, reader: Any) -> None:
    tree, mistakes = reader(scalar(source))
    assert (tree is None) == bool(mistakes)


ODD = [
    "é",
    "!",
    "\t",
    "\r\n",
    "\n",
    "\n  ",
    "\n    ",
    "#",
    '"x"',
    '"{a}"',
    '"{',
    "(",
    ")",
    "[",
    "]",
    ":",
    ",",
    ".",
    "=",
]
WORDS = ["from", "to", "else", "is", "where", "a", "b", "5", "chooses", "may", "one", "..", "<"]


@pytest.mark.slow
@settings(max_examples=300, deadline=None, database=None)
@given(st.lists(st.sampled_from([*parser.VERBS, *ODD, *WORDS]), max_size=25), st.sampled_from(READERS))
def test_no_text_is_too_odd(pieces: list[str], reader: Any) -> None:
    source = " ".join(pieces)
    tree, mistakes = reader(scalar(source))
    assert (tree is None) == bool(mistakes)
    for one in mistakes:
        assert one.span is not None
        assert 0 <= one.span.start <= one.span.end <= len(source)
