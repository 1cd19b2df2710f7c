"""The parser: it follows the table and has a node made for each rule that it applies.

Lark makes the table (`generator`); this loop is apart from lark because a table that is kept can be followed without
importing it, and because the lexer looks at the parser's state before each word. It never calls itself, so that no text
is too deep for it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl.parsing.grammar import Rule, Table
from rulebook.dsl.parsing.lexer import Token, lex

END = "$END"
"""The sort of the token behind the last one."""

Make: TypeAlias = Callable[..., Any]
"""Makes a node: `make(context, place, *pieces)`. The pieces are what the rule's parts became: nodes, tokens as they
stand, and None for an optional part that is not there.
"""


class Sourced(Protocol):
    """The context in which nodes are made."""

    source: Any
    """The text that is parsed; part of all places in it."""


class Piece(NamedTuple):
    """An entry of the parser's stack: the value of a symbol, the depth of its nodes, and the offset of its begin."""

    value: Any
    depth: int
    begin: int


@frozen
class Unexpected(Exception):
    """A token that does not fit, and where the parser stood."""

    token: Token
    trail: Trail = field(repr=False)

    @property
    def accepts(self) -> frozenset[str]:
        """The sorts of the tokens with which the text could go on."""
        accepted = frozenset(sort for sort in self.trail.expected if self.trail.copy().takes(sort))
        return accepted or self.trail.expected


class Trail:
    """The way of a text through the table, without nodes: it tells what may come next."""

    def __init__(self, table: Table, states: list[int]) -> None:
        self.table, self.states = table, states

    @classmethod
    def from_start(cls, table: Table, start: str) -> Trail:
        return cls(table, [table.starts[start]])

    def copy(self) -> Trail:
        return Trail(self.table, list(self.states))

    @property
    def expected(self) -> frozenset[str]:
        """The sorts of tokens that mean something here, though behind some of them nothing may fit."""
        return frozenset(self.table.actions[self.states[-1]])

    def takes(self, sort: str) -> bool:
        """Try a token; if it fits, the trail goes on behind it, and if not, it stops in front of it."""
        states, table = self.states, self.table
        while (action := table.actions[states[-1]].get(sort)) is not None:
            if action >= 0:
                states.append(action)
                return True
            rule = table.rules[~action]
            del states[-rule.size :]
            states.append(table.gotos[states[-1]][rule.origin])
        return sort == END and states[-1] in table.ends.values()

    def lex_next(self, text: str) -> list[Token]:
        """Lex the tokens of a text that may come next. Raises Unexpected, or a LayoutError, if it may not."""
        lexed = []
        for token in lex(text, self.table, self.states):
            if not self.takes(token.sort):
                raise Unexpected(token, self)
            lexed.append(token)
        return lexed


class Parser:
    """Reads texts into nodes; `makes` has a Make for each name of a rule, and for each sort of token that is a node.

    `place` makes of what is read and two offsets what a node is given to know its place. The Makes of the rules that
    are `bare` get only the texts of their tokens.
    """

    def __init__(
        self,
        table: Table,
        makes: Mapping[str, Make],
        place: Callable[[tuple[Any, int, int]], Any],
        bare: Container[str] = (),
    ) -> None:
        self._table, self._makes, self._place, self._bare = table, makes, place, bare

    def parse(self, text: str, start: str, context: Sourced) -> tuple[Any, int]:
        """Return the node of a text, and its depth. Raises Unexpected, or a LayoutError."""
        table = self._table
        actions, gotos, rules = table.actions, table.gotos, table.rules
        states, pieces = [table.starts[start]], list[Piece]()
        end = 0

        def reduce(sort: str) -> int | None:
            """Apply the rules before a token; return the state behind the token, or None if it does not fit."""
            while (action := actions[states[-1]].get(sort)) is not None and action < 0:
                rule = rules[~action]
                if rule.size > 1 or rule.name or rule.many:  # else it hands on its one piece, as a dozen do in a row
                    pieces[-rule.size :] = [self._apply(rule, pieces[-rule.size :], end, context)]
                del states[-rule.size :]
                states.append(gotos[states[-1]][rule.origin])
            return action

        for token in lex(text, table, states):
            state = reduce(token.sort)
            if state is None:
                raise Unexpected(token, Trail(table, states))
            value: Any = token
            if token.sort in self._makes:
                place = self._place((context.source, token.start, token.end))
                value = self._makes[token.sort](context, place, token)
            pieces.append(Piece(value, 0, token.start))
            states.append(state)
            if token.text:
                end = token.end
        reduce(END)
        if states[-1] != table.ends[start]:
            raise Unexpected(Token(END, "", len(text), len(text)), Trail(table, states))
        return pieces[-1].value, pieces[-1].depth

    def _apply(self, rule: Rule, parts: list[Piece], end: int, context: Sourced) -> Piece:
        """Reduce by a rule: make its value of its parts, the last of which ends at an offset."""
        begin = parts[0].begin
        depth = max(part.depth for part in parts)
        children: list[Any] = []
        for number, kept in enumerate(rule.kept):
            value: Any = None if kept is None else parts[kept].value
            if number in rule.spread:
                children += value
            else:
                children.append(value)
        if rule.many:
            return Piece(children, depth, begin)
        if not rule.name:
            return Piece(children[0], depth, begin)
        if rule.name in self._bare:
            children = [child.text if type(child) is Token else child for child in children]
        place = self._place((context.source, begin, end))
        return Piece(self._makes[rule.name](context, place, *children), depth + 1, begin)
