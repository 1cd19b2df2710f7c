"""Trees of scripts: hypothesis strategies for every class of node, and a short form of a tree for tables of tests.

In: nothing. Out: trees that the parser could have made, with places that mean nothing. Never: a tree that no source
has, such as a text inside a text, or two plain pieces of a text side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy as Strategy

from rulebook.dsl import syntax as s
from rulebook.dsl.document import At, Scalar
from rulebook.source import SourceFile, Span

NOWHERE = At(Scalar("", "plain", Span(SourceFile("nowhere", ""), 0, 0)), 0, 0)

# Among them are verbs, and words that only begin like a word of the language.
_PLAIN_NAMES = ("a", "b", "hand", "me", "it", "card_2", "X", "_", "drawx", "draw2", "island", "format", "nota", "mayor")
NAMES = st.sampled_from([*_PLAIN_NAMES, "move", "draw", "pick", "reveal", "turns"])
COMPARISONS = ("is", "is not", "in", "not in", "<", "<=", ">", ">=")


def scalar(text: str) -> Scalar:
    """A text as if it were a whole file."""
    return Scalar(text, "plain", Span(SourceFile("test.yaml", text), 0, len(text)))


def build(node: type, *fields: Any) -> Strategy[Any]:
    """Nodes of a class, each field drawn from a strategy or given as it is."""
    values = (one if isinstance(one, Strategy) else st.just(one) for one in fields)
    return st.tuples(*values).map(lambda drawn: node(*drawn, at=NOWHERE))


def maybe(strategy: Strategy[Any]) -> Strategy[Any]:
    return st.none() | strategy


def some(strategy: Strategy[Any], most: int = 3) -> Strategy[tuple[Any, ...]]:
    return st.lists(strategy, min_size=1, max_size=most).map(tuple)


def any_number(strategy: Strategy[Any]) -> Strategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=3).map(tuple)


# ── expressions ─────────────────────────────────────────────────────────────────────────────────────────────────────

_numbers = st.integers(0, 10**15 - 1)
_plain = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=8)


def texts(inner: Strategy[Any]) -> Strategy[s.Text]:
    """Texts of plain pieces and expressions, no two plain pieces side by side."""

    def joined(pieces: list[Any]) -> s.Text:
        parts: list[Any] = []
        for piece in pieces:
            if isinstance(piece, str) and parts and isinstance(parts[-1], str):
                parts[-1] += piece
            elif piece != "":
                parts.append(piece)
        return s.Text(tuple(parts) or ("",), at=NOWHERE)

    return st.lists(_plain | inner, max_size=3).map(joined)


_LEAVES: dict[type, Strategy[Any]] = {
    s.Word: build(s.Word, NAMES),
    s.Number: build(s.Number, _numbers, maybe(st.sampled_from(["CU", "cent"]))),
    s.YesNo: build(s.YesNo, st.booleans()),
    s.Nothing: build(s.Nothing),
    s.OriginalAnswer: build(s.OriginalAnswer),
    s.Every: build(s.Every, NAMES),
}


def _keys(inner: Strategy[Any]) -> Strategy[Any]:
    return some(st.builds(s.Key, st.booleans(), inner))


# From the strategy of the expressions inside it to that of the node.
_COMPOUNDS: dict[type, Callable[[Strategy[Any]], Strategy[Any]]] = {
    s.Listed: lambda e: build(s.Listed, any_number(e)),
    s.Dot: lambda e: build(s.Dot, e, NAMES | st.integers(0, 99).map(str)),
    s.Method: lambda e: build(s.Method, e, NAMES, any_number(e)),
    s.Index: lambda e: build(s.Index, e, e),
    s.Call: lambda e: build(s.Call, NAMES, any_number(e)),
    s.Negative: lambda e: build(s.Negative, e),
    s.ClockwiseFrom: lambda e: build(s.ClockwiseFrom, e, st.booleans()),
    s.Arithmetic: lambda e: build(s.Arithmetic, st.sampled_from("+-*/%"), e, e),
    s.Range: lambda e: build(s.Range, e, e),
    s.Compare: lambda e: build(s.Compare, st.sampled_from(COMPARISONS), e, e),
    s.IsEmpty: lambda e: build(s.IsEmpty, e, st.booleans()),
    s.IsSomething: lambda e: build(s.IsSomething, e, st.booleans()),
    s.Not: lambda e: build(s.Not, e),
    s.And: lambda e: build(s.And, e, e),
    s.Or: lambda e: build(s.Or, e, e),
    s.Where: lambda e: build(s.Where, e, e),
    s.Sorted: lambda e: build(s.Sorted, e, _keys(e)),
    s.With: lambda e: build(s.With, e, _keys(e)),
    s.Of: lambda e: build(s.Of, NAMES, e),
    s.IfElse: lambda e: build(s.IfElse, e, e, e),
    s.For: lambda e: build(s.For, e, NAMES, e),
}


def _grown(leaves: Strategy[Any], size: int) -> Strategy[Any]:
    return st.recursive(leaves, lambda e: st.one_of(*(make(e) for make in _COMPOUNDS.values())), max_leaves=size)


# A text inside a text cannot be written, so what stands in a text has none.
TEXTS = texts(_grown(st.one_of(*_LEAVES.values()), 3))
EXPRESSIONS = _grown(st.one_of(*_LEAVES.values(), TEXTS), 8)
_SMALL = _grown(st.one_of(*_LEAVES.values(), TEXTS), 2)

BY_CLASS: dict[type, Strategy[Any]] = {
    **_LEAVES,
    s.Text: TEXTS,
    **{node: make(_SMALL) for node, make in _COMPOUNDS.items()},
}

# ── statements ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _number(value: int) -> s.Number:
    return s.Number(value, None, at=NOWHERE)


_names = NAMES.map(lambda text: s.Name(text, NOWHERE))
_count_numbers = st.integers(0, 99).map(_number)
_counts = st.one_of(
    st.sampled_from([s.Count("one"), s.Count("any number of"), s.Count("order")]),
    st.builds(s.Count, st.just("exactly"), _SMALL),
    st.builds(s.Count, st.just("range"), _count_numbers, _SMALL),
    st.builds(s.Count, st.just("up to"), st.none(), _SMALL),
)
_choices = build(s.Choice, _counts, some(_names), some(_SMALL), maybe(_SMALL), maybe(TEXTS))
_askings = st.one_of(
    build(s.Asking, None, st.booleans(), False),
    build(s.Asking, _SMALL, True, False),
    build(s.Asking, _SMALL, False, st.booleans(), st.booleans()),
    build(s.Asking, None, False, False, True),
)
_goals = build(s.Destination, _SMALL, st.sampled_from(["", "top", "bottom"]), st.sampled_from(["", "up", "down"]))
_leaves = st.one_of(build(s.Leave, st.sampled_from(["stop", "skip"]), maybe(_names)), build(s.Leave, "end", _names))
_returns = build(s.Return, maybe(_SMALL))

SIMPLE: dict[type, Strategy[Any]] = {
    s.Move: build(s.Move, _SMALL, _goals),
    s.MovePieces: build(s.MovePieces, maybe(_SMALL), _SMALL, _goals),
    s.Draw: build(s.Draw, _SMALL, _SMALL, _goals, maybe(_names)),
    s.Deal: build(s.Deal, _SMALL, _SMALL, _names),
    s.Pass: build(s.Pass, _names, st.sampled_from(["left", "right"])),
    s.Swap: build(s.Swap, _SMALL, _SMALL),
    s.Shuffle: build(s.Shuffle, _SMALL),
    s.Roll: build(s.Roll, _SMALL),
    s.PickRandom: build(s.PickRandom, _counts, some(_names), _SMALL),
    s.Arrange: build(s.Arrange, maybe(_SMALL), _SMALL),
    s.Reveal: build(s.Reveal, _SMALL),
    s.Cover: build(s.Cover, _SMALL),
    s.Show: build(s.Show, _SMALL, _SMALL),
    s.Tell: build(s.Tell, _SMALL, _SMALL),
    s.Say: build(s.Say, TEXTS, maybe(_SMALL), st.booleans()),
    s.Set: build(s.Set, _SMALL, _SMALL, st.booleans()),
    s.Add: build(s.Add, _SMALL, _SMALL, st.booleans()),
    s.Let: build(s.Let, some(_names, 2), _SMALL),
    s.Do: build(s.Do, _SMALL, maybe(_SMALL), maybe(_names)),
    s.Win: build(s.Win, st.lists(_SMALL, max_size=3).map(tuple)),
    s.Eliminate: build(s.Eliminate, _SMALL),
    s.Original: build(s.Original, maybe(_names)),
    s.Leave: _leaves,
    s.Return: _returns,
}
_ways = st.one_of(st.just((True, False, False)), st.tuples(st.just(False), st.booleans(), st.booleans()))
"""`may`, `secretly`, `always`."""


def _options(block: Strategy[Any]) -> Strategy[Any]:
    return some(build(s.MenuOption, TEXTS, maybe(_SMALL), st.just(()) | block), 2)


# From the strategy of the blocks inside it to that of the statement.
BLOCKS: dict[type, Callable[[Strategy[Any]], Strategy[Any]]] = {
    s.Choose: lambda b: st.one_of(
        build(s.Choose, _askings, _choices, maybe(_leaves | _returns), None, None),
        build(s.Choose, _askings, _choices, None, b, maybe(b)),
    ),
    s.EachChooses: lambda b: st.one_of(
        st.tuples(_names, _SMALL, _ways, some(_choices), st.none()),
        st.tuples(_names, _SMALL, _ways, st.tuples(_choices), _leaves | _returns),
    ).map(lambda f: s.EachChooses(f[0], f[1], f[2][0], f[2][1], f[3], f[4], f[2][2], at=NOWHERE)),
    s.Menu: lambda b: build(s.Menu, _askings, maybe(TEXTS), _options(b), maybe(b)),
    s.May: lambda b: build(s.May, maybe(_SMALL), TEXTS, b, maybe(b)),
    s.Offer: lambda b: build(s.Offer, _SMALL, st.booleans(), _names, maybe(TEXTS), _options(b), maybe(b)),
    s.OfferChoice: lambda b: build(s.OfferChoice, _SMALL, st.booleans(), _names, _choices, b, maybe(b)),
    s.If: lambda b: build(s.If, _SMALL, b, maybe(b)),
    s.Each: lambda b: build(s.Each, _names, _SMALL, maybe(_names), b),
    s.Repeat: lambda b: build(s.Repeat, maybe(_SMALL), maybe(_names), b),
    s.Iterate: lambda b: build(s.Iterate, _names, _SMALL, _SMALL, maybe(_names), b),
    s.Stage: lambda b: build(s.Stage, _names, maybe(TEXTS), maybe(_SMALL), st.booleans(), b),
}
_one_line = st.one_of(*SIMPLE.values())
_statements = st.recursive(
    _one_line, lambda one: st.one_of(*(make(some(one, 2)) for make in BLOCKS.values())), max_leaves=6
)
SCRIPTS = some(_statements)

BY_CLASS.update(SIMPLE)
BY_CLASS.update({node: make(some(_one_line, 2)) for node, make in BLOCKS.items()})

# ── keys and leaves ─────────────────────────────────────────────────────────────────────────────────────────────────

_parameters = st.builds(s.Parameter, _names, st.none(), st.just(False)) | st.builds(
    s.Parameter, _names, NAMES, st.booleans()
)
SIGNATURES = build(s.Signature, NAMES, any_number(_parameters))
RANKINGS = _keys(_SMALL)
EXPECTATIONS = st.one_of(
    build(s.Expectation, "holds", None, EXPRESSIONS),
    build(s.Expectation, st.sampled_from(["may choose", "may not choose", "sees"]), _SMALL, _SMALL),
    build(s.Expectation, "nobody asked", _SMALL, None),
    build(s.Expectation, st.sampled_from(["has", "has no"]), _SMALL, TEXTS),
    build(s.Expectation, "may choose up to", _SMALL, build(s.Number, st.integers(0, 99), st.none())),
    build(s.Expectation, st.sampled_from(["wins", "win"]), _SMALL, None),
    build(s.Expectation, "nobody wins", None, None),
)


# ── the short form ──────────────────────────────────────────────────────────────────────────────────────────────────


def short(node: Any) -> str:
    """A tree in a few letters: names and numbers as they are, `Class(…)` for the rest, `-` for what is not there.

    Texts are their pieces in quotes; a list is in square brackets.
    """
    match node:
        case None:
            return "-"
        case s.Word(name=text) | s.Name(text=text):
            return text
        case s.Number(value=value, unit=unit):
            return f"{value}{unit or ''}"
        case bool():
            return "yes" if node else "no"
        case str():
            return f"'{node}'"
        case tuple():
            return f"[{' '.join(short(one) for one in node)}]"
        case s.Count(how=how, low=low, high=high):
            return " ".join([how, *(short(one) for one in (low, high) if one is not None)])
    fields = [getattr(node, one.name) for one in attrs.fields(type(node)) if one.name != "at"]
    return f"{type(node).__name__}({', '.join(short(one) for one in fields)})"
