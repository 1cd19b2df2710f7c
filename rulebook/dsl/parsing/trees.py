"""The syntax nodes: one method for each rule of the grammar that makes one, called like the rule.

In: the pieces of a rule, as `lalr` hands them on: nodes, tokens, and None for what may be left out. Out: `syntax` nodes
with their places; what the grammar cannot forbid is told to `fault`. Never: checks a name or a type.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

from rulebook.dsl import syntax as s
from rulebook.dsl.document import Scalar
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import Make, Parser
from rulebook.dsl.parsing.lexer import Token
from rulebook.dsl.syntax import At

__all__ = ["Builder", "parser"]

Maybe: TypeAlias = Token | None
_Exprs: TypeAlias = tuple[s.Expr, ...]
_Menu: TypeAlias = tuple[s.MenuOption, ...]
_RUN = re.compile(r"[^{}\\]+")
"""What stands in a text as it is meant."""
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

    def _name(self, token: Token) -> s.Name:
        return s.Name(token.text, _place((self.source, token.start, token.end)))

    def _optional_name(self, token: Maybe) -> s.Name | None:
        return None if token is None else self._name(token)

    # ── a whole text ────────────────────────────────────────────────────────────────────────────────────────

    def signature(self, at: At, name: Token, parameters: tuple[s.Parameter, ...] | None) -> s.Signature:
        return s.Signature(name.text, parameters or (), at=at)

    def parameters(self, at: At, *parameters: s.Parameter | None) -> tuple[s.Parameter, ...]:
        return tuple(one for one in parameters if one is not None)

    def parameter(self, at: At, kind: tuple[str, bool] | None, name: Token) -> s.Parameter:
        type, many = kind or (None, False)
        return s.Parameter(self._name(name), type, many=many)

    def type_name(self, at: At, name: str) -> tuple[str, bool]:
        return name, False

    def type_set(self, at: At, name: str) -> tuple[str, bool]:
        return name, True

    def type_range(self, at: At, low: None, high: None) -> tuple[str, bool]:
        return "number", False

    def signed(self, at: At, *digits: Token) -> None:
        return None

    def holds(self, at: At, value: s.Expr) -> s.Expectation:
        return s.Expectation("holds", None, value, at=at)

    def may_choose_up_to(self, at: At, subject: s.Expr, most: Token) -> s.Expectation:
        return s.Expectation("may choose up to", subject, self._integer(most), at=at)

    # ── blocks ──────────────────────────────────────────────────────────────────────────────────────────────

    def else_if(self, at: At, condition: s.Expr, body: s.Block, otherwise: s.Block | None) -> s.Block:
        return (s.If(condition, body, otherwise, at=at),)

    def menu_option(self, at: At, label: s.Text, condition: s.Expr | None, body: s.Block = ()) -> s.MenuOption:
        return s.MenuOption(label, condition, body, at=at)

    def each(self, at: At, name: Token, list: s.Expr, label: Maybe, body: s.Block) -> s.Statement:
        return s.Each(self._name(name), list, self._optional_name(label), body, at=at)

    def repeat(self, at: At, count: s.Expr, label: Maybe, body: s.Block) -> s.Statement:
        return s.Repeat(count, self._optional_name(label), body, at=at)

    def loop(self, at: At, label: Maybe, body: s.Block) -> s.Statement:
        return s.Repeat(None, self._optional_name(label), body, at=at)

    def until(self, at: At, condition: s.Expr, publicly: Maybe) -> tuple[s.Expr, bool]:
        return condition, publicly is not None

    def stage(
        self, at: At, name: Token, title: s.Text | None, until: tuple[s.Expr, bool] | None, body: s.Block
    ) -> s.Statement:
        condition, publicly = until or (None, False)
        return s.Stage(self._name(name), title, condition, publicly, body, at=at)

    # ── choices ─────────────────────────────────────────────────────────────────────────────────────────────

    def i_choose(self, at: At, may: Maybe) -> s.Asking:
        return s.Asking(None, may is not None, False, at=at)

    def they_may_choose(self, at: At, subject: s.Expr, may: Token) -> s.Asking:
        return s.Asking(subject, True, False, at=at)

    def they_choose(self, at: At, subject: s.Expr, secretly: Maybe) -> s.Asking:
        return s.Asking(subject, False, secretly is not None, at=at)

    def each_choose(self, at: At, secretly: Maybe) -> tuple[bool, bool]:
        return False, secretly is not None

    def each_may_choose(self, at: At, may: Token) -> tuple[bool, bool]:
        return True, False

    def names(self, at: At, *names: Token) -> tuple[s.Name, ...]:
        return tuple(map(self._name, names))

    def _integer(self, token: Token) -> s.Number:
        return s.Number(int(token.text), None, at=At(self.source, token.start, token.end))

    def exactly(self, at: At, count: Token) -> s.Count:
        return s.Count("exactly", self._integer(count))

    def exactly_expr(self, at: At, count: s.Expr) -> s.Count:
        return s.Count("exactly", count)

    def range_count(self, at: At, low: Token, high: Token) -> s.Count:
        return s.Count("range", self._integer(low), self._integer(high))

    def range_count_expr(self, at: At, low: Token, high: s.Expr) -> s.Count:
        return s.Count("range", self._integer(low), high)

    def up_to(self, at: At, high: Token) -> s.Count:
        return s.Count("up to", None, self._integer(high))

    def up_to_expr(self, at: At, high: s.Expr) -> s.Count:
        return s.Count("up to", None, high)

    def any_number(self, at: At) -> s.Count:
        return s.Count("any number of")

    def in_order(self, at: At) -> s.Count:
        return s.Count("order")

    def choice(self, at: At, count: s.Count | None, names: tuple[s.Name, ...], *rest: s.Expr | None) -> s.Choice:
        *sources, so_that, prompt = rest
        assert prompt is None or isinstance(prompt, s.Text)
        given = tuple(one for one in sources if one is not None)
        return s.Choice(count or s.Count("one"), names, given, so_that, prompt, at=at)

    def choose(self, at: At, asking: s.Asking, choice: s.Choice, leave: s.Statement | None) -> s.Statement:
        return s.Choose(asking, choice, leave, None, None, at=at)

    def choose_block(
        self, at: At, asking: s.Asking, choice: s.Choice, body: s.Block, otherwise: s.Block | None
    ) -> s.Statement:
        return s.Choose(asking, choice, None, body, otherwise, at=at)

    def each_chooses(
        self, at: At, name: Token, players: s.Expr, how: tuple[bool, bool], choice: s.Choice, leave: s.Statement | None
    ) -> s.Statement:
        return s.EachChooses(self._name(name), players, *how, (choice,), leave, at=at)

    def each_chooses_block(
        self, at: At, name: Token, players: s.Expr, how: tuple[bool, bool], *choices: s.Choice
    ) -> s.Statement:
        return s.EachChooses(self._name(name), players, *how, choices, None, at=at)

    def i_may(self, at: At, may: Token, label: s.Text, body: s.Block, otherwise: s.Block | None) -> s.Statement:
        return s.May(None, label, body, otherwise, at=at)

    def they_may(
        self, at: At, subject: s.Expr, may: Token, label: s.Text, body: s.Block, otherwise: s.Block | None
    ) -> s.Statement:
        return s.May(subject, label, body, otherwise, at=at)

    def asked_how(self, at: At, word: str) -> bool:
        return word == "together"

    def offer(
        self, at: At, players: s.Expr, together: bool, name: Token,
        prompt: s.Text | None, menu: _Menu, otherwise: s.Block | None,
    ) -> s.Statement:  # fmt: skip
        return s.Offer(players, together, self._name(name), prompt, menu, otherwise, at=at)

    # ── sentences ───────────────────────────────────────────────────────────────────────────────────────────

    def destination(self, at: At, place: s.Expr, end: str | None, face: str | None) -> s.Destination:
        return s.Destination(place, end or "", face or "", at=at)

    def move_all(self, at: At, source: s.Expr, goal: s.Destination) -> s.Statement:
        return s.MovePieces(None, source, goal, at=at)

    def draw(self, at: At, count: s.Expr, source: s.Expr, goal: s.Destination, name: Maybe) -> s.Statement:
        return s.Draw(count, source, goal, self._optional_name(name), at=at)

    def deal(self, at: At, count: s.Expr, source: s.Expr, place: Token) -> s.Statement:
        return s.Deal(count, source, self._name(place), at=at)

    def pass_places(self, at: At, place: Token, direction: str) -> s.Statement:
        return s.Pass(self._name(place), direction, at=at)

    def pick_random(
        self, at: At, count: s.Count | None, names: tuple[s.Name, ...], source: s.Expr
    ) -> s.Statement:
        return s.PickRandom(count or s.Count("one"), names, source, at=at)

    def arrange(self, at: At, what: s.Expr) -> s.Statement:
        return s.Arrange(None, what, at=at)

    def say(self, at: At, text: s.Text, to: s.Expr | None, publicly: Maybe) -> s.Statement:
        return s.Say(text, to, publicly is not None, at=at)

    def set(self, at: At, target: s.Expr, value: s.Expr, publicly: Maybe) -> s.Statement:
        return s.Set(target, value, publicly is not None, at=at)

    def add(self, at: At, value: s.Expr, target: s.Expr, publicly: Maybe) -> s.Statement:
        return s.Add(value, target, publicly is not None, at=at)

    def let(self, at: At, name: Token, value: s.Expr) -> s.Statement:
        return s.Let(self._name(name), value, at=at)

    def do(self, at: At, call: s.Expr, stand_in: s.Expr | None, name: Maybe) -> s.Statement:
        return s.Do(call, stand_in, self._optional_name(name), at=at)

    def original(self, at: At, name: Maybe) -> s.Statement:
        return s.Original(self._optional_name(name), at=at)

    def win_nobody(self, at: At) -> s.Statement:
        return s.Win(None, at=at)

    def stop(self, at: At, name: Maybe) -> s.Statement:
        return s.Leave("stop", self._optional_name(name), at=at)

    def skip(self, at: At, name: Maybe) -> s.Statement:
        return s.Leave("skip", self._optional_name(name), at=at)

    def end(self, at: At, name: Token) -> s.Statement:
        return s.Leave("end", self._name(name), at=at)

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

    def number(self, at: At, digits: str, unit: str | None = None) -> s.Expr:
        return s.Number(int(digits), unit, at=at)

    def listed(self, at: At, items: _Exprs | None) -> s.Expr:
        return s.Listed(items or (), at=at)

    def call(self, at: At, name: str, arguments: _Exprs | None) -> s.Expr:
        return s.Call(name, arguments or (), at=at)

    def method(self, at: At, owner: s.Expr, name: str, arguments: _Exprs | None) -> s.Expr:
        return s.Method(owner, name, arguments or (), at=at)

    def arithmetic(self, at: At, left: s.Expr, sign: str, right: s.Expr) -> s.Expr:
        return s.Arithmetic(sign, left, right, at=at)

    def compare(self, at: At, left: s.Expr, sign: str, right: s.Expr) -> s.Expr:
        return s.Compare(sign, left, right, at=at)

    def compare_not(self, at: At, left: s.Expr, right: s.Expr) -> s.Expr:
        return s.Compare("is not", left, right, at=at)

    def not_in(self, at: At, left: s.Expr, right: s.Expr) -> s.Expr:
        return s.Compare("not in", left, right, at=at)

    def is_empty(self, at: At, value: s.Expr) -> s.Expr:
        return s.IsEmpty(value, False, at=at)

    def is_not_empty(self, at: At, value: s.Expr) -> s.Expr:
        return s.IsEmpty(value, True, at=at)

    def is_something(self, at: At, value: s.Expr) -> s.Expr:
        return s.IsSomething(value, False, at=at)

    def is_not_something(self, at: At, value: s.Expr) -> s.Expr:
        return s.IsSomething(value, True, at=at)

    def or_(self, at: At, left: s.Expr, right: s.Expr) -> s.Expr:
        if isinstance(right, s.Word) and right.name in _LEAVES:
            self._fault("leave", right.at.start, right.at.end)
        return s.Or(left, right, at=at)

    def most(self, at: At, word: str) -> bool:
        return word == "most"

    def best_key(self, at: At, most: bool | None, value: s.Expr) -> tuple[bool | None, s.Expr]:
        return most, value

    def best(self, at: At, most: bool, value: s.Expr, *more: tuple[bool | None, s.Expr]) -> tuple[s.Key, ...]:
        """The keys of `most points(it) then count(tokens)`; one that does not say is like the first."""
        return s.Key(most, value), *(s.Key(most if own is None else own, value) for own, value in more)

    def if_else(self, at: At, then: s.Expr, condition: s.Expr, otherwise: s.Expr) -> s.Expr:
        return s.IfElse(condition, then, otherwise, at=at)


def _form(form: str) -> Make:
    return lambda _, at, subject=None, value=None: s.Expectation(form, subject, value, at=at)


def _all(_: Builder, at: At, *pieces: Any) -> Any:
    return pieces


def _only(_: Builder, at: At, piece: Any) -> Any:
    return piece


# Rules whose pieces are just those of a node, in order.
_NODES: dict[str, type[Any]] = {
    "if_": s.If, "menu_block": s.Menu, "move": s.Move, "move_pieces": s.MovePieces, "swap": s.Swap,
    "shuffle": s.Shuffle, "roll": s.Roll, "arranges": s.Arrange, "reveal": s.Reveal, "cover": s.Cover, "show": s.Show,
    "tell": s.Tell, "win": s.Win, "eliminate": s.Eliminate, "return_": s.Return, "nothing": s.Nothing,
    "original_answer": s.OriginalAnswer, "index": s.Index, "range": s.Range, "and_": s.And, "not_": s.Not,
    "word": s.Word, "dot": s.Dot, "of": s.Of, "every": s.Every, "for_": s.For,
    "where": s.Where, "with_": s.With, "sorted": s.Sorted, "negative": s.Negative, "clockwise": s.ClockwiseFrom,
}  # fmt: skip
# Lines of `expect` that begin with somebody, or with nobody.
_FORMS = {
    "may_choose": "may choose", "may_not_choose": "may not choose", "sees": "sees", "sees_nobody": "nobody asked",
    "has": "has", "has_no": "has no", "wins": "wins", "win_together": "win", "nobody_wins": "nobody wins",
}  # fmt: skip
# Of what these are made of, nobody asks where it stands.
_BARE = frozenset((
    "word", "number", "dot", "call", "method", "of", "every", "for_", "arithmetic", "compare", "end_of_pile", "face",
    "direction", "most", "asked_how", "type_name", "type_set",
))  # fmt: skip
_OTHERS: dict[str, Make] = {
    **dict.fromkeys(("script", "body", "menu", "arguments"), _all),
    **dict.fromkeys(("expression", "ranking", "expectation", "else_body", "else_", "text"), _only),
    **dict.fromkeys(("end_of_pile", "face", "direction"), _only),
    "yes": lambda _, at: s.YesNo(True, at=at),
    "no": lambda _, at: s.YesNo(False, at=at),
    "STRING": Builder.string,
}


def _node(kind: Any) -> Make:
    return lambda _, at, *pieces: kind(*pieces, at=at)


@cache
def parser() -> Parser:
    """The parser that makes these nodes, in a Builder."""
    known = {**_OTHERS, **{name: _node(kind) for name, kind in _NODES.items()}}
    known |= {name: _form(form) for name, form in _FORMS.items()}
    names = {rule.name for rule in grammar().rules if rule.name}
    return Parser(grammar(), {**known, **{name: getattr(Builder, name) for name in names - set(known)}}, _place, _BARE)
