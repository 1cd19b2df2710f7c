"""Builders of syntax nodes: a method of `Builder` or a class of `syntax` for each rule of the grammar, by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

from attrs import fields

from rulebook.dsl import syntax as s
from rulebook.dsl.document import At, Scalar
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import Make, Parser
from rulebook.dsl.parsing.lexer import Token

Maybe: TypeAlias = Token | None
How: TypeAlias = tuple[bool, bool, bool]
"""The words before a choice: `may`, `secretly`, `always`, each there or not."""
_RUN = re.compile(r"[^{}\\]+")
"""A run of a text without braces or backslashes, which stands for itself."""
_LEAVES = ("pass", "return", "skip", "stop")


# Without the call that a class adds: a script has as many of these as it has nodes.
_place: Callable[[tuple[Scalar, int, int]], At] = partial(tuple.__new__, At)


class Builder:
    """Builds the nodes of one script.

    `inner` parses an expression that stands inside a text, at an offset. `fault` is told of a problem between
    two offsets: "escape" (an unknown `\\x`), "open" or "close" (a lone brace in a text), "leave" (`or pass`).
    """

    def __init__(
        self, scalar: Scalar, inner: Callable[[str, int], s.Expr], fault: Callable[[str, int, int], None]
    ) -> None:
        self.source = scalar
        self._inner = inner
        self._fault = fault

    def piece(self, child: Any) -> Any:
        """Make a token a name or a number; of any other word it counts only that it is there."""
        if type(child) is not Token:
            return child
        at = _place((self.source, child.start, child.end))
        if child.sort == "NAME":
            return s.Name(child.text, at)
        return s.Number(int(child.text), None, at=at) if child.sort == "INT" else True

    # ── a whole text ────────────────────────────────────────────────────────────────────────────────────────

    def signature(self, at: At, name: Token, parameters: tuple[s.Parameter, ...] | None) -> s.Signature:
        return s.Signature(name.text, parameters or (), at=at)

    def parameters(self, at: At, *parameters: s.Parameter | None) -> tuple[s.Parameter, ...]:
        return tuple(parameter for parameter in parameters if parameter is not None)

    def parameter(self, at: At, kind: tuple[str, bool] | None, name: Token) -> s.Parameter:
        type, is_list = kind or (None, False)
        return s.Parameter(self.piece(name), type, many=is_list)

    # ── blocks ──────────────────────────────────────────────────────────────────────────────────────────────

    def else_if(self, at: At, condition: s.Expr, body: s.Block, otherwise: s.Block | None) -> s.Block:
        return (s.If(condition, body, otherwise, at=at),)

    def stage(
        self, at: At, name: Token, title: s.Text | None, until: s.Expr | None, publicly: Maybe, body: s.Block
    ) -> s.Statement:
        return s.Stage(self.piece(name), title, until, publicly is not None, body, at=at)

    # ── choices ─────────────────────────────────────────────────────────────────────────────────────────────

    def choice(self, at: At, count: s.Count | None, names: tuple[s.Name, ...], *rest: s.Expr | None) -> s.Choice:
        *sources, so_that, prompt = rest
        assert prompt is None or isinstance(prompt, s.Text)
        given = tuple(source for source in sources if source is not None)
        return s.Choice(count or s.Count("one"), names, given, so_that, prompt, at=at)

    def each_chooses(
        self, at: At, name: Token, players: s.Expr, how: How, choice: s.Choice, leave: s.Statement | None
    ) -> s.Statement:
        return s.EachChooses(self.piece(name), players, how[0], how[1], (choice,), leave, how[2], at=at)

    def each_chooses_block(
        self, at: At, name: Token, players: s.Expr, how: How, *choices: s.Choice
    ) -> s.Statement:
        return s.EachChooses(self.piece(name), players, how[0], how[1], choices, None, how[2], at=at)

    # ── sentences ───────────────────────────────────────────────────────────────────────────────────────────

    def pick_random(self, at: At, count: s.Count | None, names: tuple[s.Name, ...], source: s.Expr) -> s.Statement:
        return s.PickRandom(count or s.Count("one"), names, source, at=at)

    # ── expressions ─────────────────────────────────────────────────────────────────────────────────────────

    def string(self, at: At, token: Token) -> s.Text:
        """A quoted text; `{…}` inside it is an expression, `{{` and `}}` are braces."""
        raw = token.text[1:-1]
        if _RUN.fullmatch(raw):
            return s.Text((raw,), at=at)
        base = token.start + 1
        parts: list[str | s.Expr] = []
        plain = ""
        index = 0
        while index < len(raw):
            pair, step = raw[index : index + 2], 2
            if run := _RUN.match(raw, index):
                plain += run[0]
                step = run.end() - index
            elif pair in ("{{", "}}"):
                plain += pair[0]
            elif pair[0] == "\\":
                plain += pair[1]
                if pair[1] not in '"\\':
                    self._fault("escape", base + index, base + index + 2)
            elif pair[0] == "{":
                end = raw.find("}", index)
                if end < 0:
                    self._fault("open", base + index, base + index + 1)
                    break
                if plain:
                    parts.append(plain)
                    plain = ""
                parts.append(self._inner(raw[index + 1 : end], base + index + 1))
                step = end + 1 - index
            else:
                self._fault("close", base + index, base + index + 1)
                plain += pair[0]
                step = 1
            index += step
        if plain or not parts:
            parts.append(plain)
        return s.Text(tuple(parts), at=at)

    def or_(self, at: At, left: s.Expr, right: s.Expr) -> s.Expr:
        if isinstance(right, s.Word) and right.name in _LEAVES:
            self._fault("leave", right.at.start, right.at.end)
        return s.Or(left, right, at=at)

    def best(self, at: At, most: bool, value: s.Expr, *more: tuple[bool | None, s.Expr]) -> tuple[s.Key, ...]:
        """The keys of `most points(it) then count(tokens)`; one that does not say is like the first."""
        return s.Key(most, value), *(s.Key(most if own is None else own, value) for own, value in more)


def _make_tuple(builder: Builder, at: At, *pieces: Any) -> Any:
    return tuple(map(builder.piece, pieces))


def _pass_piece(_: Builder, at: At, piece: Any) -> Any:
    return piece


def _make_node(kind: Any, *first: Any, **named: Any) -> Make:
    """Make a node of the pieces of a rule, in order, behind those that are `first`."""
    own = [field for field in fields(kind) if not field.kw_only]
    flags = [number for number, field in enumerate(own) if field.type == "bool" and field.name not in named]

    def make(builder: Builder, at: At, *pieces: Any) -> Any:
        values = [*first, *map(builder.piece, pieces)]
        for number in flags:
            if number < len(values):
                values[number] = bool(values[number])
        return kind(*values, at=at, **named)

    return make


def _make_count(how: str, *first: None) -> Make:
    return lambda builder, at, *pieces: s.Count(how, *first, *map(builder.piece, pieces))


_MAKES: dict[str, Make] = {
    # Rules whose pieces are just those of a node, in order.
    **{name: _make_node(kind) for name, kind in {
        "if_": s.If, "each": s.Each, "repeat": s.Repeat, "iterate": s.Iterate, "menu_block": s.Menu,
        "menu_option": s.MenuOption, "offer": s.Offer, "offer_choice": s.OfferChoice, "move": s.Move,
        "move_pieces": s.MovePieces, "draw": s.Draw,
        "deal": s.Deal, "pass_places": s.Pass, "swap": s.Swap, "shuffle": s.Shuffle, "roll": s.Roll,
        "arranges": s.Arrange, "reveal": s.Reveal, "cover": s.Cover, "show": s.Show, "tell": s.Tell, "say": s.Say,
        "set": s.Set, "add": s.Add, "let": s.Let, "do": s.Do, "original": s.Original,
        "eliminate": s.Eliminate, "return_": s.Return, "nothing": s.Nothing, "original_answer": s.OriginalAnswer,
        "index": s.Index, "range": s.Range, "and_": s.And, "not_": s.Not, "word": s.Word, "dot": s.Dot, "of": s.Of,
        "every": s.Every, "for_": s.For, "where": s.Where, "with_": s.With, "sorted": s.Sorted, "negative": s.Negative,
        "clockwise": s.ClockwiseFrom,
    }.items()},
    # Those in which something goes without saying.
    "loop": _make_node(s.Repeat, None), "move_all": _make_node(s.MovePieces, None),
    "arrange": _make_node(s.Arrange, None), "counterclockwise": _make_node(s.ClockwiseFrom, backwards=True),
    "win": lambda _, at, *groups: s.Win(groups, at=at), "win_nobody": lambda _, at: s.Win((), at=at),
    "choose": _make_node(s.Choose, body=None, otherwise=None),
    "i_choose": _make_node(s.Asking, None, secretly=False), "they_may_choose": _make_node(s.Asking, secretly=False),
    "i_always_choose": lambda _, at: s.Asking(None, False, False, always=True, at=at),
    "they_choose": lambda _, at, subject, always, secretly: s.Asking(
        subject, False, secretly is not None, always is not None, at=at
    ),
    "each_choose": lambda _, at, always, secretly: (False, secretly is not None, always is not None),
    "each_may_choose": lambda _, at, may: (True, False, False),
    "i_may": lambda _, at, may, *rest: s.May(None, *rest, at=at),
    "they_may": lambda _, at, subject, may, *rest: s.May(subject, *rest, at=at),
    "choose_block": lambda _, at, asking, choice, *rest: s.Choose(asking, choice, None, *rest, at=at),
    **{how: _make_node(s.Leave, how) for how in ("stop", "skip", "end")},
    **dict.fromkeys(("exactly", "exactly_expr"), _make_count("exactly")),
    **dict.fromkeys(("range_count", "range_count_expr"), _make_count("range")),
    **dict.fromkeys(("up_to", "up_to_expr"), _make_count("up to", None)),
    "any_number": _make_count("any number of"), "in_order": _make_count("order"),
    "compare_not": _make_node(s.Compare, "is not"), "not_in": _make_node(s.Compare, "not in"),
    "is_empty": _make_node(s.IsEmpty, negated=False), "is_not_empty": _make_node(s.IsEmpty, negated=True),
    "is_something": _make_node(s.IsSomething, negated=False),
    "is_not_something": _make_node(s.IsSomething, negated=True),
    "yes": _make_node(s.YesNo, True), "no": _make_node(s.YesNo, False),
    # Those that say it in another order, or leave something out.
    "destination": lambda _, at, place, end, face: s.Destination(place, end or "", face or "", at=at),
    "number": lambda _, at, digits, unit=None: s.Number(int(digits), unit, at=at),
    "listed": lambda _, at, items: s.Listed(items or (), at=at),
    "call": lambda _, at, name, arguments: s.Call(name, arguments or (), at=at),
    "method": lambda _, at, owner, name, arguments: s.Method(owner, name, arguments or (), at=at),
    "arithmetic": lambda _, at, left, sign, right: s.Arithmetic(sign, left, right, at=at),
    "compare": lambda _, at, left, sign, right: s.Compare(sign, left, right, at=at),
    "if_else": lambda _, at, then, condition, otherwise: s.IfElse(condition, then, otherwise, at=at),
    # Pieces of others.
    **dict.fromkeys(("script", "body", "menu", "arguments", "names", "best_key"), _make_tuple),
    **dict.fromkeys(("expression", "ranking", "expectation", "else_body", "else_", "text"), _pass_piece),
    **dict.fromkeys(("end_of_pile", "face", "direction"), _pass_piece),
    "most": lambda _, at, word: word == "most", "asked_how": lambda _, at, word: word == "together",
    "type_name": lambda _, at, name: (name, False), "type_set": lambda _, at, name: (name, True),
    "type_table": lambda _, at, item, key: (f"{item} by {key}", False),
    "type_range": lambda _, at, low, high: ("number", False), "signed": lambda _, at, *digits: None,
    "STRING": Builder.string,
    # Lines of `expect`.
    "holds": _make_node(s.Expectation, "holds", None),
    **{name: _make_node(s.Expectation, form) for name, form in {
        "may_choose": "may choose", "may_choose_up_to": "may choose up to", "may_not_choose": "may not choose",
        "sees": "sees", "sees_nobody": "nobody asked", "has": "has", "has_no": "has no", "wins": "wins",
        "win_together": "win", "nobody_wins": "nobody wins",
    }.items()},
}  # fmt: skip
"""The makers of nodes by rule of the grammar; those that are not here are methods of `Builder`."""

# Of what these are made of, nobody asks where it stands.
_BARE = frozenset((
    "word", "number", "dot", "call", "method", "of", "every", "for_", "arithmetic", "compare", "end_of_pile", "face",
    "direction", "most", "asked_how", "type_name", "type_set", "type_table",
))  # fmt: skip


@cache
def parser() -> Parser:
    """The parser that makes these nodes, in a Builder."""
    names = {rule.name for rule in grammar().rules if rule.name} - set(_MAKES)
    return Parser(grammar(), {**_MAKES, **{name: getattr(Builder, name) for name in names}}, _place, _BARE)
