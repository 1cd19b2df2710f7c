"""Parsing: every form of the language gives its node at its place, and every mistake a message one can act on."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, get_args

import attrs
import pytest
from strategies import scalar, short

from rulebook.dsl import syntax
from rulebook.dsl.document import At
from rulebook.dsl.parsing import parser
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import Trail

EXPRESSIONS = [
    ("a", "a"),
    ("500 CU", "500CU"),
    ('"a {b} c"', "Text(['a ' b ' c'])"),
    ('""', "Text([''])"),
    ("yes", "YesNo(yes)"),
    ("no", "YesNo(no)"),
    ("nothing", "Nothing()"),
    ("original", "OriginalAnswer()"),
    ("original + 5", "Arithmetic('+', OriginalAnswer(), 5)"),
    ("worth(p) if original else 0", "IfElse(OriginalAnswer(), Call('worth', [p]), 0)"),
    ("every currency", "Every('currency')"),
    ("[]", "Listed([])"),
    ("[a, b]", "Listed([a b])"),
    ("p.hand", "Dot(p, 'hand')"),
    ("card.clubs.12", "Dot(Dot(card, 'clubs'), '12')"),
    ("card.innocent(p)", "Method(card, 'innocent', [p])"),
    ("f()", "Call('f', [])"),
    ("money(p, 2)", "Call('money', [p 2])"),
    ("gift[p].hand", "Dot(Index(gift, p), 'hand')"),
    ("-a", "Negative(a)"),
    ("clockwise from p.left", "ClockwiseFrom(Dot(p, 'left'), no)"),
    ("a + b - c", "Arithmetic('-', Arithmetic('+', a, b), c)"),
    ("a * b / c % d", "Arithmetic('%', Arithmetic('/', Arithmetic('*', a, b), c), d)"),
    ("1..n", "Range(1, n)"),
    ("a is b", "Compare('is', a, b)"),
    ("a is not b", "Compare('is not', a, b)"),
    ("a in b", "Compare('in', a, b)"),
    ("a not in b", "Compare('not in', a, b)"),
    ("a < b", "Compare('<', a, b)"),
    ("a <= b", "Compare('<=', a, b)"),
    ("a > b", "Compare('>', a, b)"),
    ("a >= b", "Compare('>=', a, b)"),
    ("a is empty", "IsEmpty(a, no)"),
    ("a is not empty", "IsEmpty(a, yes)"),
    ("a is something", "IsSomething(a, no)"),
    ("a is not something", "IsSomething(a, yes)"),
    ("not a and b or c", "Or(And(Not(a), b), c)"),
    ("S where a and b", "Where(S, And(a, b))"),
    ("S where a where b", "Where(Where(S, a), b)"),
    ("S with most a then least b then c", "With(S, [Key(yes, a) Key(no, b) Key(yes, c)])"),
    ("S sorted by least a", "Sorted(S, [Key(no, a)])"),
    ("value of S where a", "Of('value', Where(S, a))"),
    ("a if b else c if d else e", "IfElse(b, a, IfElse(d, c, e))"),
    ("sum(a for x in S)", "Call('sum', [For(a, 'x', S)])"),
    ("a for x in S where b", "For(a, 'x', Where(S, b))"),
]  # fmt: skip

SENTENCES = [
    ("choose x from S", "Choose(ASK, X, -, -, -)"),
    ('choose 2 x, y from S, T so that a "Which?"',
     "Choose(ASK, Choice(exactly 2, [x y], [S T], a, Text(['Which?'])), -, -, -)"),
    ("choose 1..3 xs from S", "Choose(ASK, Choice(range 1 3, [xs], [S], -, -), -, -, -)"),
    ("choose up to 3 xs from S", "Choose(ASK, Choice(up to 3, [xs], [S], -, -), -, -, -)"),
    ("choose 1..(n + 2) xs from S", "Choose(ASK, Choice(range 1 Arithmetic('+', n, 2), [xs], [S], -, -), -, -, -)"),
    ("choose up to (n) xs from S", "Choose(ASK, Choice(up to n, [xs], [S], -, -), -, -, -)"),
    ("choose (n) xs from S", "Choose(ASK, Choice(exactly n, [xs], [S], -, -), -, -, -)"),
    ("choose any number of xs from S", "Choose(ASK, Choice(any number of, [xs], [S], -, -), -, -, -)"),
    ("choose order xs from S", "Choose(ASK, Choice(order, [xs], [S], -, -), -, -, -)"),
    ("may choose x from S else stop", "Choose(Asking(-, yes, no, no), X, STOP, -, -)"),
    ("p may choose x from S else return a", "Choose(Asking(p, yes, no, no), X, Return(a), -, -)"),
    ("p chooses x from S", "Choose(Asking(p, no, no, no), X, -, -, -)"),
    ("p secretly chooses x from S", "Choose(Asking(p, no, yes, no), X, -, -, -)"),
    ("always choose x from S", "Choose(Asking(-, no, no, yes), X, -, -, -)"),
    ("p always secretly chooses x from S", "Choose(Asking(p, no, yes, yes), X, -, -, -)"),
    ("each p in S always chooses x from E", "EachChooses(p, S, no, no, [Y], -, yes)"),
    ("choose x from S:\n  stop\nelse:\n  skip", "Choose(ASK, X, -, [STOP], [SKIP])"),
    ("each p in S chooses x from E", "EachChooses(p, S, no, no, [Y], -, no)"),
    ("each p in S may choose x from E else skip", "EachChooses(p, S, yes, no, [Y], SKIP, no)"),
    ("each p in S secretly chooses x, y from E", "EachChooses(p, S, no, yes, [Choice(one, [x y], [E], -, -)], -, no)"),
    ('each p in S chooses:\n  x from E\n  2 y from F "G"',
     "EachChooses(p, S, no, no, [Y Choice(exactly 2, [y], [F], -, Text(['G']))], -, no)"),
    ('choose one:\n  "x" if a:\n    stop\n  "y"\nelse:\n  skip',
     "Menu(ASK, -, [MenuOption(Text(['x']), a, [STOP]) MenuOption(Text(['y']), -, [])], [SKIP])"),
    ('p may choose one "Q":\n  "x"', "Menu(Asking(p, yes, no, no), Text(['Q']), [MenuOption(Text(['x']), -, [])], -)"),
    ('may "x":\n  stop', "May(-, Text(['x']), [STOP], -)"),
    ('p may "x":\n  stop\nelse:\n  skip', "May(p, Text(['x']), [STOP], [SKIP])"),
    ('offer S in turn as q "Q":\n  "x" if a:\n    stop',
     "Offer(S, no, q, Text(['Q']), [MenuOption(Text(['x']), a, [STOP])], -)"),
    ('offer S together as q:\n  "x"\nelse:\n  skip', "Offer(S, yes, q, -, [MenuOption(Text(['x']), -, [])], [SKIP])"),
    ('offer S in turn as q to choose x from E "Q":\n  stop',
     "OfferChoice(S, no, q, Choice(one, [x], [E], -, Text(['Q'])), [STOP], -)"),
    ("offer S together as q to choose x from E:\n  stop\nelse:\n  skip", "OfferChoice(S, yes, q, Y, [STOP], [SKIP])"),
    ("arrange a", "Arrange(-, a)"),
    ("p arranges a", "Arrange(p, a)"),
    ("roll a", "Roll(a)"),
    ("shuffle a", "Shuffle(a)"),
    ("pick x from S at random", "PickRandom(one, [x], S)"),
    ("pick 2 x, y from S at random", "PickRandom(exactly 2, [x y], S)"),
    ("move a to b", "Move(a, Destination(b, '', ''))"),
    ("move a to b.c top face up", "Move(a, Destination(Dot(b, 'c'), 'top', 'up'))"),
    ("move a to b bottom", "Move(a, Destination(b, 'bottom', ''))"),
    ("move a to b face down", "Move(a, Destination(b, '', 'down'))"),
    ("move 2 from a to b", "MovePieces(2, a, Destination(b, '', ''))"),
    ("move all from a to b top", "MovePieces(-, a, Destination(b, 'top', ''))"),
    ("swap a with b.c", "Swap(a, Dot(b, 'c'))"),
    ("draw 1 from a to b", "Draw(1, a, Destination(b, '', ''), -)"),
    ("draw n + 1 from a to b face up as x", "Draw(Arithmetic('+', n, 1), a, Destination(b, '', 'up'), x)"),
    ("deal 2 from a to each hand", "Deal(2, a, hand)"),
    ("pass each hand left", "Pass(hand, 'left')"),
    ("reveal a", "Reveal(a)"),
    ("turn a face down", "Cover(a)"),
    ("show a to b", "Show(a, b)"),
    ("tell S whether a", "Tell(S, a)"),
    ('say "x"', "Say(Text(['x']), -, no)"),
    ('say "{p}" to S publicly', "Say(Text([p]), S, yes)"),
    ("set a.b = c", "Set(Dot(a, 'b'), c, no)"),
    ("set a[p] = c publicly", "Set(Index(a, p), c, yes)"),
    ("add -1 to a", "Add(Negative(1), a, no)"),
    ("add 1 to a publicly", "Add(1, a, yes)"),
    ("let x = a", "Let([x], a)"),
    ("let x, y = S", "Let([x y], S)"),
    ("do f(a)", "Do(Call('f', [a]), -, -)"),
    ("do a.effect(p) for this as x", "Do(Method(a, 'effect', [p]), this, x)"),
    ("win S", "Win([S])"),
    ("win nobody", "Win([])"),
    ("win S then T then [p]", "Win([S T Listed([p])])"),
    ("win S with most a then b", "Win([With(S, [Key(yes, a) Key(yes, b)])])"),
    ("win (S with most a) then b", "Win([With(S, [Key(yes, a)]) b])"),
    ("eliminate p", "Eliminate(p)"),
    ("original", "Original(-)"),
    ("original as paid", "Original(paid)"),
    ("original chooses x from S", "Choose(Asking(OriginalAnswer(), no, no, no), X, -, -, -)"),
    ("originals chooses x from S", "Choose(Asking(originals, no, no, no), X, -, -, -)"),
    ("stop", "STOP"),
    ("skip lap", "Leave('skip', lap)"),
    ("end round", "Leave('end', round)"),
    ("return", "Return(-)"),
    ("return a", "Return(a)"),
    ("if a:\n  stop", "If(a, [STOP], -)"),
    ("if a:\n  stop\nelse if b:\n  skip\nelse:\n  return", "If(a, [STOP], [If(b, [SKIP], [Return(-)])])"),
    ("each x in S:\n  stop", "Each(x, S, -, [STOP])"),
    ("each x in S as i:\n  stop", "Each(x, S, i, [STOP])"),
    ("repeat 3:\n  stop", "Repeat(3, -, [STOP])"),
    ("repeat n as i:\n  stop", "Repeat(n, i, [STOP])"),
    ("loop:\n  stop", "Repeat(-, -, [STOP])"),
    ("loop as lap:\n  stop lap", "Repeat(-, lap, [Leave('stop', lap)])"),
    ("loop x from a, then b:\n  stop", "Iterate(x, a, b, -, [STOP])"),
    ("loop x from S with most a then b, then c if d else e as i:\n  stop x",
     "Iterate(x, With(S, [Key(yes, a) Key(yes, b)]), IfElse(d, c, e), i, [Leave('stop', x)])"),
    ("stage s:\n  stop", "Stage(s, -, -, no, [STOP])"),
    ('stage s "T {n}" until a publicly:\n  stop', "Stage(s, Text(['T ' n]), a, yes, [STOP])"),
]  # fmt: skip

# What many of the sentences above have in common.
PIECES = {
    "ASK": "Asking(-, no, no, no)", "STOP": "Leave('stop', -)", "SKIP": "Leave('skip', -)",
    "X": "Choice(one, [x], [S], -, -)", "Y": "Choice(one, [x], [E], -, -)",
}  # fmt: skip

SIGNATURES = [
    ("turn", "Signature('turn', [])"),
    ("prices()", "Signature('prices', [])"),
    ("f(me, guest mark)", "Signature('f', [Parameter(me, -, no) Parameter(mark, 'guest', no)])"),
    ("f(set of card paid, number n)", "Signature('f', [Parameter(paid, 'card', yes) Parameter(n, 'number', no)])"),
    ("f(-1..6 n)", "Signature('f', [Parameter(n, 'number', no)])"),
]
RANKINGS = [("most points(it) then count(S)", "[Key(yes, Call('points', [it])) Key(yes, Call('count', [S]))]")]
EXPECTATIONS = [
    ("a is b", "Expectation('holds', -, Compare('is', a, b))"),
    ("Ana may choose [a, b]", "Expectation('may choose', Ana, Listed([a b]))"),
    ("Ana may not choose a", "Expectation('may not choose', Ana, a)"),
    ("Ana sees 5 cards in b", "Expectation('sees', Ana, Compare('in', 5cards, b))"),
    ("Ana sees nobody asked", "Expectation('nobody asked', Ana, -)"),
    ('log of Ben has "a"', "Expectation('has', Of('log', Ben), Text(['a']))"),
    ('log of Ben has no "a"', "Expectation('has no', Of('log', Ben), Text(['a']))"),
    ("Ana may choose up to 2", "Expectation('may choose up to', Ana, 2)"),
    ("Ana wins", "Expectation('wins', Ana, -)"),
    ("[Ana, Ben] win", "Expectation('win', Listed([Ana Ben]), -)"),
    ("nobody wins", "Expectation('nobody wins', -, -)"),
]
READERS: dict[str, Any] = {
    "script": parser.parse_script,
    "expression": parser.parse_expression,
    "signature": parser.parse_signature,
    "ranking": parser.parse_ranking,
    "expectation": parser.parse_expectation,
}


def messages(source: str, kind: str = "script") -> list[tuple[str, int, int, str, str]]:
    """Code, line, column, message and help of each."""
    tree, mistakes = READERS[kind](scalar(source))
    assert (tree is None) == bool(mistakes)
    places = [(one.code, one.span.line, one.span.column) for one in mistakes]
    return [(*place, one.message, one.help) for place, one in zip(places, mistakes, strict=True)]


def nodes(tree: Any) -> Iterator[Any]:
    """All nodes of a tree."""
    if isinstance(tree, tuple):
        for one in tree:
            yield from nodes(one)
    elif attrs.has(type(tree)) and not isinstance(tree, At):
        yield tree
        for field in attrs.fields(type(tree)):
            yield from nodes(getattr(tree, field.name))


# ── forms ───────────────────────────────────────────────────────────────────────────────────────────────────────────


OPERATORS = (
    ("A for x in B",), ("A if x else B",), ("A of B",), ("A where B", "A with most B", "A sorted by B"), ("A or B",),
    ("A and B",), ("not B",), ("A is B", "A in B"), ("A < B",), ("A..B",), ("A + B",), ("A * B",),
    ("-B", "clockwise from B"), ("A.b",),
)  # fmt: skip
"""The table of the reference, from what binds loosest to what binds closest."""
_NO_SENSE = re.compile(r"(\.\.|-)not |clockwise from (-|clock)|\.\..*\.\.")


def test_every_two_operators_are_read_as_the_table_says_or_told_where_brackets_go() -> None:
    tried = read = refused = 0
    levels = [(level, form) for level, forms in enumerate(OPERATORS) for form in forms]
    for (outer, around), (level, within), side in product(levels, levels, "AB"):
        if side not in around:
            continue
        inner = within.replace("A", "c").replace("B", "d").replace("x", "y")
        bare, bracketed = (
            around.replace(side, one).replace("A", "a").replace("B", "b") for one in (inner, f"({inner})")
        )
        tried += 1
        if _NO_SENSE.search(bare) or messages(bracketed, "expression"):
            continue
        if mistakes := messages(bare, "expression"):
            refused += 1
            assert any(words in mistakes[0][4] for words in ("rackets", "at a time")), (bare, mistakes)
            continue
        read += 1
        trees = [short(READERS["expression"](scalar(one))[0]) for one in (bare, bracketed)]
        if level > outer:
            assert trees[0] == trees[1], (bare, bracketed)
    assert tried > 500 and read > 300 and refused > 50, (tried, read, refused)


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        *(("expression", *one) for one in EXPRESSIONS),
        *(("signature", *one) for one in SIGNATURES),
        *(("ranking", *one) for one in RANKINGS),
        *(("expectation", *one) for one in EXPECTATIONS),
    ],
)
def test_each_form_of_a_value_or_key(kind: str, source: str, expected: str) -> None:
    tree, mistakes = READERS[kind](scalar(source))
    assert (short(tree), mistakes) == (expected, [])


@pytest.mark.parametrize(("source", "expected"), SENTENCES)
def test_each_form_of_a_sentence(source: str, expected: str) -> None:
    tree, mistakes = parser.parse_script(scalar(source))
    for short_form, piece in PIECES.items():
        expected = re.sub(rf"\b{short_form}\b", piece, expected)
    assert (short(tree), mistakes) == (f"[{expected}]", [])


def test_no_form_is_missing() -> None:
    seen = {type(node) for source, _ in EXPRESSIONS for node in nodes(parser.parse_expression(scalar(source))[0])}
    seen |= {type(node) for source, _ in SENTENCES for node in nodes(parser.parse_script(scalar(source))[0])}
    assert seen >= {*get_args(syntax.Expr), *get_args(syntax.Statement)} - {syntax.Added}  # no text says that


def test_the_verbs_are_those_of_the_grammar() -> None:
    begins = Trail.from_start(grammar(), "script").expected
    words = {word for word, sort in grammar().words.items() if sort in begins}
    assert {one for one in words if one.isalpha()} - {"yes", "no", "nothing", "every"} == set(parser.VERBS)


@pytest.mark.parametrize("source", [source for source, _ in EXPRESSIONS])
def test_every_expression_knows_its_place(source: str) -> None:
    tree, _ = parser.parse_expression(scalar("# why\n  " + source))
    for node in nodes(tree):
        if isinstance(node, get_args(syntax.Expr)):
            found, _ = parser.parse_expression(scalar(node.at.span.text))
            assert found == node


@pytest.mark.parametrize("source", [source for source, _ in SENTENCES])
def test_every_sentence_knows_its_place(source: str) -> None:
    tree, _ = parser.parse_script(scalar("# why\n" + source))
    assert tree is not None
    assert tree[0].at.span.text == source


def test_keywords_that_grow_are_never_taken_for_themselves() -> None:
    for source, _ in SENTENCES:
        tree, _ = parser.parse_script(scalar(source))
        for word in re.finditer(r"\b[a-z]+\b", source):
            changed = source[: word.end()] + "x" + source[word.end() :]
            assert parser.parse_script(scalar(changed))[0] != tree


def test_a_text_that_is_no_block_is_one_expression() -> None:
    assert parser.is_block("stop\nskip")
    assert parser.is_block("return a\n")
    assert not parser.is_block("a is b\n")


# ── mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # source, code, line, column, a piece of the message, a piece of the help
    ("drw 1 from deck to me.hand", "RB203", 1, 1, "`drw`", "Did you mean `draw`?"),
    ("Move card to deck", "RB203", 1, 1, "`Move`", "Did you mean `move`?"),
    ("discard card", "RB203", 1, 1, "`discard`", "`move … to …`"),
    ("for p in players:\n  stop", "RB203", 1, 1, "`for`", "`each x in …:`"),
    ("flip_a_card(me)", "RB203", 1, 1, "`flip_a_card`", "`do flip_a_card(…)`"),
    ("me.gold = me.gold + 1", "RB203", 1, 1, "`me`", "`set me.gold = …`"),
    ("me draw 1 from deck to me.hand", "RB201", 1, 1, "found `me`", "`draw …`"),
    ("p choose x from deck", "RB201", 1, 3, "expected `chooses`, but found `choose`", "Did you mean `chooses`?"),
    ("move card too me.hand", "RB201", 1, 11, "reading `move card` and expected `to`", "Did you mean `to`?"),
    ("deal 2 form deck to each hand", "RB201", 1, 8, "reading `deal 2` and expected `from`", "Did you mean `from`?"),
    ("choose x from S wher a", "RB201", 1, 17, "found `wher`", "Did you mean `where`?"),
    ("choose from deck", "RB201", 1, 13, "found `deck`", "`choose x from …`"),
    ("swap a and b", "RB201", 1, 8, "expected `with`, but found `and`", ""),
    ("move card to me.hand now", "RB201", 1, 22, "`bottom`, `face`, `top` or the end of the line", ""),
    ("draw 1 from deck", "RB202", 1, 16, "middle of `draw 1 from deck`: I expected `to` next", "Finish"),
    ("reveal", "RB202", 1, 6, "I expected a name, a number or another value next", ""),
    ("let x = a if b", "RB202", 1, 14, "I expected `else` next", ""),
    ("let 5 = 3", "RB201", 1, 5, "expected a name, but found `5`", ""),
    ("let x = a == b", "RB201", 1, 9, "found `a == b`", "write `a is b`"),
    ("let x = a < b < c", "RB201", 1, 15, "found `<`", "`a < b and b < c`"),
    ("if a = b:\n  stop", "RB201", 1, 4, "expected `a is b`, but found `a = b`", "write `a is b`"),
    ("let x = a != b", "RB201", 1, 9, "found `a != b`", "`a is not b`"),
    ("shuffle größe", "RB201", 1, 11, "found `ö`", "letters a to z"),
    ("say “hi”", "RB201", 1, 5, "found `“`", "straight quotes"),
    ("say hi", "RB201", 1, 5, "expected a text in quotes, but found `hi`", "stands in quotes"),
    ("stop\nsay \"abc\nstop", "RB201", 2, 5, "found the end of the line", "begins and ends with"),
    ('say "a {p"', "RB201", 1, 8, "expected a `}` for this `{`", "`{{`"),
    ('say "a } b"', "RB201", 1, 8, "expected a `{` before it", "`}}`"),
    ('say "a {} b"', "RB201", 1, 8, "found nothing", ""),
    ('say "a {b c}"', "RB201", 1, 11, "expected `}`, but found `c`", ""),
    ('say "a {b +}"', "RB202", 1, 11, "middle of `b +`", ""),
    ('say "a\\nb"', "RB201", 1, 7, "found `\\n`", "`\\\\`"),
    ("let x = max(1, 2\nshuffle deck", "RB201", 1, 12, "`let x = max(` and expected a `)`", "never closed"),
    ("let x = [1, 2", "RB201", 1, 9, "expected a `]`, but found the end of the sentence", "never closed"),
    ("let x = f(\n  a b\n)", "RB201", 2, 5, "reading `let x = f( a` and expected `)`", ""),
    ("draw (1 from deck to x", "RB201", 1, 9, "expected `)`, but found `from`", ""),
    ("shuffle deck)", "RB201", 1, 13, "found `)`", "nothing open"),
    ("may choose x from S where a or pass", "RB201", 1, 32, "found `pass`", "`may choose … else stop`"),
    ("may choose x from S or stop", "RB201", 1, 24, "found `stop`", "`may choose … else stop`"),
    ("if a\n  stop", "RB202", 1, 4, "I expected `:` next", "two spaces deeper"),
    ("each p in players\n  stop", "RB202", 1, 17, "I expected `:` next", "two spaces deeper"),
    ("if a: stop", "RB201", 1, 7, "expected the end of the line, but found `stop`", "on the next line"),
    ("if a:\nstop", "RB204", 2, 1, "do not line up", "What belongs to `if a:` stands below it"),
    ("if a:\n", "RB202", 1, 5, "expected a deeper line that says what happens", ""),
    ("shuffle a\n  shuffle b", "RB204", 2, 3, "do not line up", "If this belongs to `shuffle a`"),
    ("if a:\n    shuffle x\n  shuffle y", "RB204", 3, 1, "do not line up", "same column"),
    ("if a:\n\tshuffle x", "RB102", 2, 1, "indented with a tab", "two for each step"),
    ("stop\nelse:\n  stop", "RB201", 2, 1, "an `else` that belongs to nothing", "same column as its `if`"),
    ("choose one:\n  move x to y", "RB201", 2, 3, "expected a text in quotes, but found `move`", "its label"),
    ('"a":\n  stop', "RB201", 1, 1, "expected a word that begins a sentence", "below `choose one:`"),
    ("let x = 1234567890123456", "RB201", 1, 9, "a number of up to 15 digits", ""),
    ("", "RB201", 1, 1, "expected a sentence, but found nothing", "remove the key"),
    ("# only a comment\n", "RB201", 1, 1, "expected a sentence, but found nothing", ""),
]  # fmt: skip

MISTAKES_OF_VALUES = [
    ("expression", "count(a", "RB201", 1, 6, "expected a `)`", "never closed"),
    ("expression", "a and", "RB202", 1, 5, "middle of `a and`", ""),
    ("expression", "a = b", "RB201", 1, 1, "found `a = b`", "write `a is b`"),
    ("expression", "a\nb", "RB201", 2, 1, "nothing more, but found `b`", "Only a script has several lines"),
    ("expression", "draw 1 from a to b", "RB201", 1, 6, "found `1`", "`draw` begins a sentence"),
    ("expression", "value of S is 3", "RB201", 1, 12, "expected the end of the line", "`(value of S) is …`"),
    ("expression", "", "RB201", 1, 1, "expected a value, but found nothing", ""),
    ("signature", "f(a,", "RB201", 1, 2, "expected a `)`", "never closed"),
    ("signature", "f(1)", "RB201", 1, 4, "expected `..`, but found `)`", ""),
    ("ranking", "points(it)", "RB201", 1, 1, "expected `least` or `most`, but found `points`", ""),
    ("expectation", "Ana may chose x", "RB201", 1, 9, "found `chose`", "Did you mean `choose`?"),
]


@pytest.mark.parametrize(
    ("kind", "source", "code", "line", "column", "message", "help"),
    [*(("script", *one) for one in MISTAKES), *MISTAKES_OF_VALUES],
)
def test_a_mistake_is_told_where_it_is(
    kind: str, source: str, code: str, line: int, column: int, message: str, help: str
) -> None:
    found = messages(source, kind)
    assert [one[:3] for one in found] == [(code, line, column)]
    assert message in found[0][3]
    assert help in found[0][4]


def test_messages_are_plain_words() -> None:
    """No names of the grammar's terminals, and no long lists."""
    table = grammar()
    terminals = {*table.words.values(), *table.signs.values()} | {"NAME", "INT", "STRING", "_NEWLINE", "_INDENT"}
    for kind, source, *_ in [*(("script", *one) for one in MISTAKES), *MISTAKES_OF_VALUES]:
        for *_, message, help in messages(source, kind):
            said = message + help
            assert not set(re.findall(r"\w+", said)) & terminals, said
            assert said.count(" or ") < 4
            assert message.count("`, `") < 4
            assert len(message) < 160


SEVERAL = '''
# set-up
drw 1 from deck to me.hand
if a > :
  mov card to deck
  shuffle deck
else if b
  choose one:
    "take":
      stop
    "put" iff c:
      end
let x = max(1,
  2 3)
each p in players chooses:
  x frm hand
  y from deck
say "{a} {b +} {c"
move card to
'''  # fmt: skip


def test_one_run_shows_all_mistakes_of_a_script() -> None:
    found = [one[:3] for one in messages(SEVERAL)]
    assert found == [
        ("RB203", 3, 1),
        ("RB201", 4, 8),
        ("RB203", 5, 3),
        ("RB202", 7, 9),
        ("RB201", 11, 11),
        ("RB202", 12, 9),
        ("RB201", 14, 5),
        ("RB201", 16, 5),
        ("RB202", 19, 12),
    ]


def test_one_run_shows_all_mistakes_of_the_texts() -> None:
    found = [one[:3] for one in messages('say "{a} {b +} {c"\nsay "{}" to p\nsay "}"')]
    assert found == [("RB202", 1, 13), ("RB201", 1, 16), ("RB201", 2, 6), ("RB201", 3, 6)]


def test_a_script_full_of_mistakes_shows_the_first_ten() -> None:
    assert [one[:3] for one in messages("drw\n" * 3000)] == [("RB203", line, 1) for line in range(1, 11)]
