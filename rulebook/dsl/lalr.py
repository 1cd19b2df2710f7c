"""The parser: it follows the table, token by token, and has a node made for each rule that it applies.

In: a text, the rule of the grammar that it shall be, and what makes the nodes. Out: what was made of the whole text,
and how deep that is; or an error that knows the token that did not fit, and all that would have. Never: knows a rule,
keeps a tree beside the nodes, or calls itself, so that no text is too deep for it.

Between two operators stand a dozen rules that only hand on what they got. All these steps, up to the next one that does
something, are taken at once: where they lead depends on two states and the next token, and is remembered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, Protocol

from attrs import field, frozen

from rulebook.dsl.grammar import Rule, Table
from rulebook.dsl.lexer import Token, lex

__all__ = ["END", "Make", "Parser", "Places", "Trail", "Unexpected"]

END = "$END"
"""The sort of the token behind the last one."""

Make = Callable[..., Any]
"""Makes a node: `make(context, place, *pieces)`. The pieces are what the rule's parts became: nodes, tokens as they
stand, and None for an optional part that is not there.
"""


class Places(Protocol):
    """What nodes are made in: it knows places."""

    def at(self, start: int, end: int) -> Any:
        """What a node is given to know its place, from one offset to another."""


@frozen
class Unexpected(Exception):
    """A token that does not fit, and where the parser stood."""

    token: Token
    trail: Trail = field(repr=False)

    @property
    def accepts(self) -> frozenset[str]:
        """The sorts of the tokens with which the text could go on."""
        found = frozenset(sort for sort in self.trail.expected if self.trail.copy().takes(sort))
        return found or self.trail.expected


class Trail:
    """The way of a text through the table, without nodes: it tells what may come next."""

    def __init__(self, table: Table, states: list[int]) -> None:
        self.table, self.states = table, states

    @classmethod
    def from_start(cls, table: Table, start: str) -> Trail:
        """Where every text of a rule begins."""
        return cls(table, [table.starts[start]])

    def copy(self) -> Trail:
        """Another one at the same place."""
        return Trail(self.table, list(self.states))

    @property
    def expected(self) -> frozenset[str]:
        """The sorts of tokens that mean something here, though behind some of them nothing may fit."""
        return frozenset(self.table.actions[self.states[-1]])

    def takes(self, sort: str) -> bool:
        """Whether a token fits; if it does, the trail goes on behind it, and if not, it stops in front of it."""
        states, table = self.states, self.table
        while (action := table.actions[states[-1]].get(sort)) is not None:
            if action >= 0:
                states.append(action)
                return True
            rule = table.rules[~action]
            del states[-rule.size :]
            states.append(table.gotos[states[-1]][rule.origin])
        return sort == END and states[-1] in table.ends.values()

    def words(self, text: str) -> list[Token]:
        """The tokens of a text that may come next. Raises Unexpected, or a LayoutError, if it may not."""
        found = []
        for token in lex(text, self.table, self.states):
            if not self.takes(token.sort):
                raise Unexpected(token, self)
            found.append(token)
        return found


class Parser:
    """Reads texts into nodes; `makes` has a Make for each name of a rule, and for each sort of token that is a node."""

    def __init__(self, table: Table, makes: Mapping[str, Make]) -> None:
        self._table = table
        self._makes = makes
        self._steps = tuple(
            (rule.size, rule.origin, _gathering(rule), makes[rule.name] if rule.name else None, rule.many)
            for rule in table.rules
        )
        self._behind: tuple[defaultdict[str, dict[str, int]], ...] = tuple(defaultdict(dict) for _ in table.gotos)

    def parse(self, text: str, start: str, context: Places) -> tuple[Any, int]:
        """What a text is, and the depth of its nodes. Raises Unexpected, or a LayoutError."""
        table, steps, behind, place = self._table, self._steps, self._behind, context.at
        makes = self._makes
        actions, last = table.actions, table.ends[start]
        state = table.starts[start]
        states = [state]
        values: list[Any] = []
        begins: list[int] = []
        depths: list[int] = []
        end = 0  # of the last token that was taken
        for token in chain(lex(text, table, states), (Token(END, "", len(text), len(text)),)):
            sort = token[0]
            while (action := actions[state].get(sort)) is None or action < 0:
                if action is None:
                    raise Unexpected(token, Trail(table, states))
                size, origin, gather, make, many = steps[~action]
                if size == 1:
                    pieces = values[-1:] if gather is None else gather(values[-1:])
                    if make is not None:
                        values[-1] = make(context, place(begins[-1], end), *pieces)
                        depths[-1] += 1
                    else:
                        values[-1] = pieces if many else pieces[0]
                    del states[-1]
                else:
                    pieces = values[-size:] if gather is None else gather(values[-size:])
                    depth = max(depths[-size:])
                    del states[-size:], values[1 - size :], begins[1 - size :], depths[1 - size :]
                    if make is not None:
                        values[-1] = make(context, place(begins[-1], end), *pieces)
                        depths[-1] = depth + 1
                    else:
                        values[-1] = pieces if many else pieces[0]
                        depths[-1] = depth
                below = states[-1]
                landing = behind[below][origin]
                if sort not in landing:
                    landing[sort] = self._landing(below, origin, sort)
                state = landing[sort]
                states.append(state)
                if state == last and sort == END:
                    return values[-1], depths[-1]
            state = action
            states.append(action)
            values.append(makes[sort](context, place(token[2], token[3]), token) if sort in makes else token)
            begins.append(token[2])
            depths.append(0)
            end = token[3]
        raise AssertionError("behind the end of a text comes nothing")

    def _landing(self, below: int, origin: str, sort: str) -> int:
        """The state behind what a rule made, and behind all that only hand it on until the next token is looked at."""
        table = self._table
        while True:
            state = table.gotos[below][origin]
            action = table.actions[state].get(sort)
            rule = None if action is None or action >= 0 else table.rules[~action]
            if rule is None or rule.size > 1 or rule.name or rule.many:
                return state
            origin = rule.origin


def _gathering(rule: Rule) -> Callable[[list[Any]], Sequence[Any]] | None:
    """Picks those of a rule's pieces that matter; None if all of them do."""
    # Behind the pieces comes a None, for all that are not there.
    spots = [rule.size if one is None else one for one in rule.kept]
    if rule.spread:

        def spread(pieces: list[Any]) -> list[Any]:
            found: list[Any] = []
            for number, spot in enumerate(spots):
                if number in rule.spread:
                    found += pieces[spot]
                else:
                    found.append(pieces[spot] if spot < rule.size else None)
            return found

        return spread
    if None in rule.kept:
        return lambda pieces: [(*pieces, None)[spot] for spot in spots]
    if spots == list(range(rule.size)):
        return None
    return itemgetter(*spots) if len(spots) > 1 else itemgetter(slice(spots[0], spots[0] + 1) if spots else slice(0))
