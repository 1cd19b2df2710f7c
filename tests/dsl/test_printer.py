"""Printing: what is printed is read again as the same tree, in the preferred form, with no bracket too many."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import printer
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import ROOT
from strategies import BY_CLASS, EXPECTATIONS, EXPRESSIONS, RANKINGS, SCRIPTS, SIGNATURES, scalar

from rulebook.dsl import syntax
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.parsing import parser
from rulebook.dsl.reading.reader import read_file

WALLET = ROOT / "cards" / "wallet"
quick = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


def script(text: str) -> syntax.Block:
    tree, mistakes = parser.parse_script(scalar(text))
    assert tree is not None, [mistake.message for mistake in mistakes]
    return tree


def expression(text: str) -> syntax.Expr:
    tree, mistakes = parser.parse_expression(scalar(text))
    assert tree is not None, [mistake.message for mistake in mistakes]
    return tree


# ── there and back ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_class_of_node_is_generated() -> None:
    assert set(BY_CLASS) == {*get_args(syntax.Expr), *get_args(syntax.Statement)} - {syntax.Added}  # no text says that


@pytest.mark.parametrize("node", BY_CLASS, ids=lambda node: node.__name__)
def test_each_node_survives_printing(node: type) -> None:
    @settings(quick, max_examples=12)
    @given(BY_CLASS[node])
    def there_and_back(tree: Any) -> None:
        if isinstance(tree, get_args(syntax.Expr)):
            assert expression(printer.format_expression(tree)) == tree
        else:
            assert script(printer.print_script((tree,))) == (tree,)

    there_and_back()


@pytest.mark.slow
@settings(quick, max_examples=200)
@given(EXPRESSIONS)
def test_expressions_survive_printing(tree: syntax.Expr) -> None:
    assert expression(printer.format_expression(tree)) == tree


@pytest.mark.slow
@settings(quick, max_examples=60)
@given(SCRIPTS)
def test_scripts_survive_printing(tree: syntax.Block) -> None:
    text = printer.print_script(tree)
    assert script(text) == tree
    assert printer.print_script(script(text)) == text


@settings(quick, max_examples=40)
@given(st.data())
def test_keys_and_expectations_survive_printing(data: st.DataObject) -> None:
    for strategy, write, read in (
        (SIGNATURES, printer.print_signature, parser.parse_signature),
        (RANKINGS, printer.print_ranking, parser.parse_ranking),
        (EXPECTATIONS, printer.print_expectation, parser.parse_expectation),
    ):
        tree = data.draw(strategy)
        assert read(scalar(write(tree)))[0] == tree


def leaves(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    else:
        # What is only shown is no script, however many lines it has.
        shown = node.get("display") if isinstance(node, Mapping) else None
        for one in node.values() if isinstance(node, Mapping) else node:
            if one is not shown:
                yield from leaves(one)


@pytest.mark.parametrize("file", sorted(WALLET.glob("*.yaml")), ids=lambda file: file.name)
def test_every_script_of_wallet_survives_printing(file: Path) -> None:
    top, _ = read_file(file)
    assert top is not None
    for leaf in leaves(top):
        if parser.is_block(leaf.text):
            tree, mistakes = parser.parse_script(leaf)
            assert tree is not None, [mistake.message for mistake in mistakes]
            assert script(printer.print_script(tree)) == tree
        # Most other leaves are names and numbers, which are expressions too; titles need not be.
        value, _ = parser.parse_expression(leaf)
        if value is not None:
            assert expression(printer.format_expression(value)) == value


def test_the_scripts_of_wallet_are_many() -> None:
    tops = [top for file in WALLET.glob("*.yaml") if (top := read_file(file)[0]) is not None]
    assert sum(parser.is_block(leaf.text) for top in tops for leaf in leaves(top)) > 30


# ── the preferred form ──────────────────────────────────────────────────────────────────────────────────────────────

KEPT = """\
a + b - c
a - (b - c)
(a + b) * c
a * (b + c) / d % 2
-a + b
-(a + b)
a - -b
clockwise from a.left
(clockwise from a).first
1..a + 2
(1..a) + b
(a or b) and c
a or b and c
not a and b
not (a and b)
(not a) is b
a is (not b)
(a < b) is yes
a is (b is c)
S where a or b
S where (T where a) is empty
(S where a) is empty
S where a where b
S where a sorted by least b then c
S with most a then b where c
S sorted by most a then least b
(a if b else c) if d else e
a if b else c if d else e
a if (b if c else d) else e
(S where a) if b else (T where c)
value of S where a
(value of S) where a
value of a + b
(value of S) + a
sum(value of S)
E for x in S where a
(E for x in S) for y in T
[E for x in S, a]
(a if b else c).hand
(a + b).hand
[a, b].hand
5 CU + 1 cent
card.clubs.12
x is (empty)
x is empty
x in (turn)
x is not something
"a {b + 1} {{c}} \\"d\\" \\\\"
"" """


@pytest.mark.parametrize("source", KEPT.splitlines())
def test_what_is_in_the_preferred_form_is_kept(source: str) -> None:
    source = source.strip()
    assert printer.format_expression(expression(source)) == source


CHANGED = [
    ("((a))", "a"),
    ("(a*b)+c", "a * b + c"),
    ("a+(b*c)", "a + b * c"),
    ("(a and b) or c", "a and b or c"),
    ("not (not a)", "not not a"),
    ("(a.b).c", "a.b.c"),
    ("S where (a or b)", "S where a or b"),
    ("(S where a) where b", "S where a where b"),
    ("value of (S where a)", "value of S where a"),
    ("a if b else (c if d else e)", "a if b else c if d else e"),
    ("(E for x in S)", "E for x in S"),
    ("S sorted by most a then most b", "S sorted by most a then b"),
    ("S sorted by most a then least b then c", "S sorted by most a then least b then most c"),
    ("f( a ,b )", "f(a, b)"),
    ("007", "7"),
    ("500CU", "500 CU"),
    ("x  is\tnot   y # why", "x is not y"),
    ('"\\""', '"\\""'),
]


@pytest.mark.parametrize(("source", "printed"), CHANGED)
def test_other_spellings_become_the_preferred_form(source: str, printed: str) -> None:
    assert printer.format_expression(expression(source)) == printed


def test_a_script_is_indented_with_two_spaces() -> None:
    source = (
        "if a:\n      stop\nelse:\n      if b:\n        skip\n      else:\n        choose one:\n"
        '           "x" if c:\n             end x\n           "y"'
    )
    printed = 'if a:\n  stop\nelse if b:\n  skip\nelse:\n  choose one:\n    "x" if c:\n      end x\n    "y"'
    assert printer.print_script(script(source)) == printed


def test_one_choice_of_many_players_goes_on_one_line() -> None:
    assert printer.print_script(script("each p in S chooses:\n  x from a")) == "each p in S chooses x from a"


@pytest.mark.parametrize(
    "source",
    [
        "(move) chooses x from y",
        "(draw.owner) arranges x",
        "win (nobody)",
        "move (all) to x",
        "draw 1 from draw to move",
    ],
)
def test_a_name_that_would_be_a_word_of_the_sentence_keeps_its_brackets(source: str) -> None:
    assert printer.print_script(script(source)) == source


def test_keys() -> None:
    for source in ("turn", "ability(me, guest mark)", "enough(set of valuable paid)"):
        tree, _ = parser.parse_signature(scalar(source))
        assert tree is not None
        assert printer.print_signature(tree) == source
    tree, _ = parser.parse_signature(scalar("f(1..6 n)"))
    assert tree is not None
    assert printer.print_signature(tree) == "f(number n)"
