"""What becomes of a line, worked out without knowing what its words say.

In: of which kind the words of a line are, and the state in which the parser takes the first. Out: a `Way`, by which
what all such lines become is made without looking at the table again. For that the rules are applied to pieces that
stand for nodes. Never: sees a text, or makes a node.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from rulebook.dsl.parsing.grammar import Rule, Table
from rulebook.record import Record, record

__all__ = ["Alike", "Draft", "Made", "Make", "Rules", "Stack", "Step", "Way", "Word"]

Make = Callable[..., Any]
"""Makes a node: `make(context, place, *pieces)`. The pieces are what the rule's parts became: nodes, tokens as they
stand, and None for an optional part that is not there.
"""
Made = Callable[[str, int, Sequence[Any]], Any]
"""What the rule of a name makes, from where on, and of which pieces."""
Word = tuple[str, int, int]
"""What a word is taken for, its number in its line, and that of the next."""
_Pick = Callable[[list[Any]], Sequence[Any]]
Step = tuple[int, int, str, str, bool, _Pick | None]
"""A rule as it is applied to a stack: how many pieces it takes, where these begin from the top, where it leads, what it
makes, whether it is many, and what picks the pieces that matter. Nothing does if it only hands on the one it takes.
"""
_Value = tuple[int, int]
"""In a draft, of which sort something is, and its number among these."""
_TEXT, _TOKEN, _LEAF, _NODE = range(4)
_MANY = "many"


@record
class Way(Record):
    """What becomes of a line and of the line break behind it, where the parser takes its first word in one state.

    First come the tokens that matter: of some the `texts`, where they begin and end, of others, the `words`, also what
    they are taken for. Then what makes nodes, and where these begin and end: `leaves` of the text at just that place,
    and `nodes` of so many pieces, the first two, and what picks them all. Pieces are numbers of what there is by then,
    counted in this order from 1; 0 is what is not there. Places are numbers of offsets, counted from where the blanks
    in front of the line begin.

    `left` is what the line leaves to others: pieces, how deep each is, and where it begins; `states` are those behind
    them. The next word is looked at in the state `behind`, and the last one ends at `end`. A line that does not fit is
    not `whole`: its way leads up to what does not.
    """

    texts: list[tuple[int, int]]
    words: list[tuple[str, int, int]]
    leaves: list[tuple[Make, int, int]]
    nodes: list[tuple[Make, int, int, int, int, int, _Pick]]
    left: list[tuple[int, int, int]]
    states: list[int]
    behind: int
    end: int
    whole: bool


@record
class Alike(Record):
    """Lines of one shape behind one state: what the first word of them is taken for, and by the state in which the
    parser takes it, behind all rules that it applies before, their way.
    """

    first: Word
    ways: dict[int, Way]


class Rules:
    """The rules of a table, as they are applied to a stack.

    Between two operators stand a dozen rules that only hand on what they got. All these steps, up to the next one that
    does something, are taken at once: where they lead depends on two states and the next token, and is remembered.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.actions = table, table.actions
        self.steps = tuple(map(_step, table.rules))
        self.landings: tuple[dict[tuple[str, str], tuple[int, int | None]], ...] = tuple({} for _ in table.gotos)

    def landing(self, below: int, origin: str, sort: str) -> tuple[int, int | None]:
        """The state behind what a rule made, and behind all that only hand it on until the next token is looked at; and
        what is done there with that.
        """
        table, origin_made = self.table, origin
        while True:
            state = table.gotos[below][origin]
            action = table.actions[state].get(sort)
            if action is None or action >= 0 or self.steps[~action][-1]:
                break
            origin = self.steps[~action][2]
        self.landings[below][origin_made, sort] = state, action
        return state, action


class Stack:
    """What was read so far: pieces, and the states behind them.

    Of each piece there are three things: what it is, how deep that is, and where it begins. At the bottom lies the None
    that is picked for what is not there.
    """

    __slots__ = ("_rules", "pieces", "states")

    def __init__(self, rules: Rules, state: int) -> None:
        self.pieces: list[Any] = [None]
        self.states = [state]
        self._rules = rules

    def meets(self, sort: str, made: Made) -> int | None:
        """Applies the rules that are applied when a token is seen; the state behind it, or None if it does not fit."""
        states, rules = self.states, self._rules
        action = rules.actions[states[-1]].get(sort)
        if action is None or action >= 0:
            return action
        steps, landings = rules.steps, rules.landings
        while action is not None and action < 0:
            origin = self._apply(steps[~action], made)
            below = states[-1]
            state, action = landings[below].get((origin, sort)) or rules.landing(below, origin, sort)
            states.append(state)
        return action

    def takes(self, sort: str, made: Made, begin: int) -> bool:
        """Whether a token fits that is no piece of anything; if it does, it is taken."""
        state = self.meets(sort, made)
        if state is not None:
            self.pieces += None, 0, begin
            self.states.append(state)
        return state is not None

    def settles(self, made: Made) -> None:
        """Applies the rules that are applied whatever comes next, up to one that needs more than there is."""
        table, steps, states = self._rules.table, self._rules.steps, self.states
        while len(todo := {*table.actions[states[-1]].values()}) == 1 and (number := ~todo.pop()) >= 0:
            if steps[number][0] >= len(states):
                break
            origin = self._apply(steps[number], made)
            states.append(table.gotos[states[-1]][origin])

    def _apply(self, step: Step, made: Made) -> str:
        """Has what a rule makes take the place of its pieces; where that leads."""
        size, first, origin, name, many, pick = step
        if pick is not None:
            pieces = self.pieces
            begin = pieces[first + 2]
            # What does not matter are tokens, which have no depth.
            depth = pieces[-2] if size == 1 else max(pieces[first + 1 :: 3])
            if name:
                pieces[first:] = made(name, begin, pick(pieces)), depth + 1, begin
            else:
                picked = pick(pieces)
                pieces[first:] = list(picked) if many else picked[0], depth, begin
        del self.states[-size:]
        return origin


class Draft:
    """A way that is being worked out, on a stack that has nothing but a state.

    What is made gets its final number only when it is known which tokens matter.
    """

    def __init__(self, stack: Stack, makes: Mapping[str, Make], bare: Container[str]) -> None:
        self._stack, self._makes, self._bare = stack, makes, bare
        self._tokens: list[tuple[str, int, int]] = []
        self._leaves: list[tuple[Make, int, int]] = []
        self._nodes: list[tuple[Make, int, int, Sequence[_Value | None]]] = []
        self._end = 0

    def way(self, words: Iterator[Word]) -> Way:
        """The way of a line of these words, which are asked for one by one."""
        whole = all(map(self._takes, words)) and self._stack.takes("_NEWLINE", self._made, self._end)
        behind = self._stack.states[-1]
        left = self._left() if whole else []
        mattering = {one for *_, given in self._nodes for one in given} | {one for one, _, _ in left}
        texts, whole_words = ([one for one in mattering if one and one[0] == sort] for sort in (_TEXT, _TOKEN))
        leaves = ((_LEAF, one) for one in range(len(self._leaves)))
        nodes = ((_NODE, one) for one in range(len(self._nodes)))
        values = {one: number for number, one in enumerate((None, *texts, *whole_words, *leaves, *nodes))}
        return Way(
            texts=[self._tokens[one][1:] for _, one in texts],
            words=[self._tokens[one] for _, one in whole_words],
            leaves=self._leaves,
            nodes=[_node(make, begin, end, [values[one] for one in given]) for make, begin, end, given in self._nodes],
            left=[(values[one], depth, begin) for one, depth, begin in left],
            states=self._stack.states[1:],
            behind=behind,
            end=self._end,
            whole=whole,
        )

    def _takes(self, word: Word) -> bool:
        sort, number, behind = word
        state = self._stack.meets(sort, self._made)
        if state is not None:
            begin, self._end = 2 * number + 1, 2 * behind
            token = _TOKEN, len(self._tokens)
            self._tokens.append((sort, begin, self._end))
            self._stack.pieces += self._made(sort, begin, [token]) if sort in self._makes else token, 0, begin
            self._stack.states.append(state)
        return state is not None

    def _left(self) -> list[tuple[_Value | None, int, int]]:
        self._stack.settles(self._made)
        of_three = zip(*[iter(self._stack.pieces[1:])] * 3, strict=True)
        return [
            (self._made(_MANY, begin, one) if isinstance(one, list) else one, depth, begin)
            for one, depth, begin in of_three
        ]

    def _made(self, name: str, begin: int, given: Sequence[_Value | None]) -> _Value:
        make = _many if name == _MANY else self._makes[name]
        if name in self._bare:
            given = [(_TEXT, one[1]) if one and one[0] == _TOKEN else one for one in given]
            texts = [self._tokens[number][1:] for sort, number in filter(None, given) if sort == _TEXT]
            if len(given) == 1 and texts == [(begin, self._end)]:
                self._leaves.append((make, begin, self._end))
                return _LEAF, len(self._leaves) - 1
        self._nodes.append((make, begin, self._end, given))
        return _NODE, len(self._nodes) - 1


def _step(rule: Rule) -> Step:
    """A rule, as it is applied to a stack."""
    spots = [0 if one is None else 3 * (one - rule.size) for one in rule.kept]
    hands_on = rule.size == 1 and not rule.name and not rule.many
    pick = None if hands_on else _picking(spots, rule.spread)
    return rule.size, -3 * rule.size, rule.origin, rule.name, rule.many, pick


def _node(make: Make, begin: int, end: int, given: Sequence[int]) -> tuple[Make, int, int, int, int, int, _Pick]:
    one, two, *_ = *given, 0, 0
    return make, begin, end, len(given), one, two, _picking(given, ())


def _many(context: Any, place: Any, *pieces: Any) -> Sequence[Any]:
    """Makes one of many pieces, to be spread later."""
    return pieces


def _picking(spots: Sequence[int], spread: Sequence[int]) -> _Pick:
    """Picks what is at these spots of a list; of the numbers of spots to `spread`, all that is in the lists there."""
    if not spread:
        return itemgetter(*spots) if len(spots) > 1 else lambda found: [found[spot] for spot in spots]
    if spread == (0,) and len(spots) == 2:  # one more of many
        return lambda found: [*found[spots[0]], found[spots[1]]]

    def pick(found: list[Any]) -> list[Any]:
        picked: list[Any] = []
        for number, spot in enumerate(spots):
            picked += found[spot] if number in spread else (found[spot],)
        return picked

    return pick
