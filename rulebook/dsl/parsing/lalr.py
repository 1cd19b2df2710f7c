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
from typing import Any, Protocol

from attrs import field, frozen

from rulebook.dsl.parsing.grammar import Rule, Table
from rulebook.dsl.parsing.lexer import Token, lex

__all__ = ["END", "Make", "Parser", "Sourced", "Trail", "Unexpected"]

END = "$END"
"""The sort of the token behind the last one."""

Make = Callable[..., Any]
"""Makes a node: `make(context, place, *pieces)`. The pieces are what the rule's parts became: nodes, tokens as they
stand, and None for an optional part that is not there.
"""

_Gather = Callable[[list[Any]], list[Any]]
_Step = tuple[int, str, Make | None, int, int, int, _Gather]
"""Where a rule's pieces begin, from the top; where it leads; what it makes; of how many pieces, if these are few: where
they are; and what gathers them.
"""
_Landing = tuple[int, int | None]
"""A state, and what is done there with the next token."""


class Sourced(Protocol):
    """What nodes are made in."""

    source: Any
    """What is read; part of all places in it."""


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
    """Reads texts into nodes; `makes` has a Make for each name of a rule, and for each sort of token that is a node.

    `place` makes of what is read and two offsets what a node is given to know its place.
    """

    def __init__(self, table: Table, makes: Mapping[str, Make], place: Callable[[tuple[Any, int, int]], Any]) -> None:
        self._table = table
        self._makes = makes
        self._place = place
        self._steps = tuple(map(self._step, table.rules))
        self._behind: tuple[defaultdict[str, dict[str, _Landing]], ...] = tuple(defaultdict(dict) for _ in table.gotos)

    def _step(self, rule: Rule) -> _Step:
        """A rule as `parse` applies it to its stack."""
        # Each piece takes four places. At the bottom lies the None that is picked for what is not there.
        spots = [0 if one is None else 4 * (one - rule.size) for one in rule.kept]
        make = self._makes[rule.name] if rule.name else None
        few = len(spots) if len(spots) < 3 and not rule.spread and not rule.many else 0
        one, two = [*spots, 0, 0][:2]
        return -4 * rule.size, rule.origin, make, few, one, two, _gathering(rule, spots)

    def parse(self, text: str, start: str, context: Sourced) -> tuple[Any, int]:
        """What a text is, and the depth of its nodes. Raises Unexpected, or a LayoutError."""
        table, steps, behind, makes = self._table, self._steps, self._behind, self._makes
        place, source = self._place, context.source
        actions = table.actions
        state = table.starts[start]
        # Of each piece four things: what it is, how deep that is, where it begins, and the state behind it. Four lists
        # would take twice as long.
        stack: list[Any] = [None, 0, 0, state]
        end = 0  # of the last token that was taken
        for token in chain(lex(text, table, stack), (Token(END, "", len(text), len(text)),)):
            sort, _, begin, stop = token
            action = actions[state].get(sort)
            while action is None or action < 0:
                if action is None:
                    if sort == END and state == table.ends[start]:
                        return stack[-4], stack[-3]
                    raise Unexpected(token, Trail(table, stack[3::4]))
                first, origin, make, few, one, two, gather = steps[~action]
                # Pieces that do not matter are tokens, which have no depth. To hand on a list of pieces takes longer.
                if make is None:
                    made = stack[one] if few else gather(stack)
                    depth = stack[one + 1] if few else max(stack[first + 1 :: 4])
                else:
                    at = place((source, stack[first + 2], end))
                    if few == 1:
                        made = make(context, at, stack[one])
                        depth = stack[one + 1] + 1
                    elif few == 2:
                        made = make(context, at, stack[one], stack[two])
                        depth, other = stack[one + 1] + 1, stack[two + 1]
                        if other >= depth:
                            depth = other + 1
                    else:
                        made = make(context, at, *gather(stack))
                        depth = max(stack[first + 1 :: 4]) + 1
                landing = behind[stack[first - 1]][origin]
                if sort not in landing:
                    landing[sort] = self._landing(stack[first - 1], origin, sort)
                state, action = landing[sort]
                stack[first:] = (made, depth, stack[first + 2], state)
            state = action
            stack.append(makes[sort](context, place((source, begin, stop)), token) if sort in makes else token)
            stack.append(0)
            stack.append(begin)
            stack.append(state)
            end = stop
        raise AssertionError("behind the end of a text comes nothing")

    def _landing(self, below: int, origin: str, sort: str) -> _Landing:
        """What is behind what a rule made, and behind all that only hand it on until the next token is looked at."""
        table = self._table
        while True:
            state = table.gotos[below][origin]
            action = table.actions[state].get(sort)
            rule = None if action is None or action >= 0 else table.rules[~action]
            if rule is None or rule.size > 1 or rule.name or rule.many:
                return state, action
            origin = rule.origin


def _gathering(rule: Rule, spots: Sequence[int]) -> _Gather:
    """Picks those of a rule's pieces that matter from a stack, where they are at these spots."""
    if not rule.spread:
        return lambda stack: [stack[spot] for spot in spots]

    def spread(stack: list[Any]) -> list[Any]:
        found: list[Any] = []
        for number, spot in enumerate(spots):
            if number in rule.spread:
                found += stack[spot]
            else:
                found.append(stack[spot])
        return found

    return spread
