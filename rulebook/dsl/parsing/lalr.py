"""The parser: it follows the table, line by line, and has a node made for each rule that it applies.

In: a text, the rule of the grammar that it shall be, and what makes the nodes. Out: what was made of the whole text,
and how deep that is; or an error that knows the token that did not fit, and all that would have. Never: knows a rule,
keeps a tree beside the nodes, or calls itself, so that no text is too deep for it.

What becomes of a line depends on where the parser stands in front of it, and on the kinds of its words; what they say
does not matter. So when a line comes that is like one before, what becomes of all these is worked out, and remembered
as a `Way`. Of such there are at most a few hundred in a game, and each stands on a dozen cards, or on hundreds. A line
that nothing is like yet is read word by word, and so is all that goes over several lines, blocks above all.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol

from attrs import field, frozen

from rulebook.dsl.parsing.grammar import Table
from rulebook.dsl.parsing.lexer import Token, cut, indentation, lex, new_token, sorts
from rulebook.dsl.parsing.ways import Alike, Draft, Make, Rules, Stack, Way

__all__ = ["END", "Make", "Parser", "Sourced", "Trail", "Unexpected"]

END = "$END"
"""The sort of the token behind the last one."""

_MOST_KEPT = 100_000
"""Words of the lines whose ways are remembered."""


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
        self._table = table
        self._makes = makes
        self._place = place
        self._bare = bare
        self._rules = Rules(table)
        self._lines: dict[tuple[int, str], Alike | None] = {}  # by the state in front of them, and their shape
        self._kept = 0

    def parse(self, text: str, start: str, context: Sourced) -> tuple[Any, int]:
        """What a text is, and the depth of its nodes. Raises Unexpected, or a LayoutError."""
        if (read := self._read(text, start, context)) is not None:
            return read
        # What does not fit, and where, is told by one who goes from word to word.
        trail = Trail.from_start(self._table, start)
        trail.words(text)
        trail.takes(END)
        raise Unexpected(Token(END, "", len(text), len(text)), trail)

    def _read(self, text: str, start: str, context: Sourced) -> tuple[Any, int] | None:
        """What a text is, and how deep that is; None if something in it does not fit."""
        makes, bare, place, lines = self._makes, self._bare, self._place, self._lines
        words = cut(text, self._table)
        offsets = words.offsets
        end = offsets[0]  # of the last word
        stack = Stack(self._rules, self._table.starts[start])
        pieces, states, meets = stack.pieces, stack.states, stack.meets
        state = states[-1]
        blanks: str | None = None
        indents: list[int] = []

        def made(name: str, begin: int, given: Sequence[Any]) -> Any:
            if name in bare:
                given = [one.text if type(one) is Token else one for one in given]
            return makes[name](context, place((context.source, begin, end)), *given)

        for begin, line in words.lines():
            spots = offsets[2 * begin : 2 * (begin + len(line)) + 1]
            if blanks != (blanks := text[spots[0] : spots[1]]):
                for sort in indentation(blanks, indents):
                    if not stack.takes(sort, made, end):
                        return None
                state = states[-1]
            alike = lines.get((state, line)) or self._alike(state, line)
            if alike:
                meets(alike.first[0], made)
                way = alike.ways.get(states[-1]) or self._way(states[-1], alike, line)
                values = self._follow(way, text, spots, context)
                if not way.whole:
                    return None
                for one, depth, begin in way.left:
                    pieces += values[one], depth, spots[begin]
                states += way.states
                state, end = way.behind, spots[way.end]
                continue
            for sort, number, behind in sorts(line, self._table, states):
                goal = meets(sort, made)
                if goal is None:
                    return None
                begin, end = spots[2 * number + 1], spots[2 * behind]
                token = new_token(Token, (sort, text[begin:end], begin, end))
                pieces += made(sort, begin, [token]) if sort in makes else token, 0, begin
                states.append(goal)
            if not stack.takes("_NEWLINE", made, end):
                return None
            state = states[-1]
        for _ in indents[1:]:
            if not stack.takes("_DEDENT", made, end):
                return None
        meets(END, made)
        return (pieces[-3], pieces[-2]) if states[-1] == self._table.ends[start] else None

    def _follow(self, way: Way, text: str, spots: list[int], context: Sourced) -> list[Any]:
        """All that is made of a line of a text, with these offsets, on its way."""
        place, source = self._place, context.source
        values: list[Any] = [None]
        for one, two in way.texts:
            values.append(text[spots[one] : spots[two]])
        for sort, one, two in way.words:
            begin, end = spots[one], spots[two]
            values.append(new_token(Token, (sort, text[begin:end], begin, end)))
        for make, one, two in way.leaves:
            begin, end = spots[one], spots[two]
            values.append(make(context, place((source, begin, end)), text[begin:end]))
        for make, one, two, count, first, second, pick in way.nodes:
            at = place((source, spots[one], spots[two]))
            # Most have one or two pieces; to hand on a list of them takes longer.
            if count == 1:
                values.append(make(context, at, values[first]))
            elif count == 2:
                values.append(make(context, at, values[first], values[second]))
            else:
                values.append(make(context, at, *pick(values)))
        return values

    def _alike(self, state: int, shape: str) -> Alike | None:
        """The lines of a shape behind a state; None for the first of them."""
        alike = None
        if (state, shape) in self._lines:
            alike = Alike(next(sorts(shape, self._table, [state])), {})
        else:
            self._make_room(len(shape))
        self._lines[state, shape] = alike
        return alike

    def _way(self, state: int, alike: Alike, shape: str) -> Way:
        """The way of lines that are alike, where the parser takes their first word in a state."""
        self._make_room(len(shape))
        stack = Stack(self._rules, state)
        words = chain([alike.first], sorts(shape, self._table, stack.states, alike.first[2]))
        alike.ways[state] = way = Draft(stack, self._makes, self._bare).way(words)
        return way

    def _make_room(self, words: int) -> None:
        """Lines are not remembered without end: who watches a folder parses all day."""
        self._kept += words
        if self._kept > _MOST_KEPT:
            self._lines.clear()
            self._kept = words
