"""The game tree (extensive form) of a small game: every answer and every outcome of chance, each walked once.

In: a program, and states to begin with. Out: histories, depth first (`GameTree.walk` keeps none, so that a tree far
larger than memory can be walked), or nodes that are kept (`grow_tree`). Never: catches a `RuleError`.

A *history* is a course of answers and outcomes from the beginning, or a node of the tree; the empty one is the root.
Equal answers are one move and equal outcomes one outcome, which is as likely as its copies together. Those who are
asked in one sealed decision answer in seat order; whoever comes later knows nothing of the earlier answers.

An *information set* of a player (also: information state) holds the decisions that this player cannot tell apart, who
remembers everything: equal are what the player knew at the root, all that it noticed and answered since, and what may
be answered now.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

from attrs import define, field

from rulebook.interpreter.choosing import Choices, Mark, TooManySets, label_of
from rulebook.interpreter.decisions import Chance
from rulebook.interpreter.events import Sink
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import Outcome, find_outcome
from rulebook.interpreter.state import State, clone
from rulebook.playtest.knowing import find_crowds, known_to, recall_event

_WIDE = 16
"""A course of play whose answers and outcomes multiply to so many times the limit is one of too many."""
_MOST_SETS = 64
"""The most sets to choose from; among more, too many games are needed to learn which is best."""


class TooLarge(Exception):
    """The tree has more histories than were allowed."""


@define(eq=False)
class History:
    """A history: the one before it, the number of the move that led here, the state at its end, and the moves there.

    `known` marks, by seat, all that is noticed and answered until here. `width` is the number of such histories if all
    had as many moves on their way. `needs` says who moves, or how the game ended. Whoever is given a history may put
    its moves into another order before the next one is walked.
    """

    parent: History | None
    number: int
    state: State
    known: tuple[bytes, ...]
    width: int
    needs: Outcome | Chance | Choices
    moves: Sequence[Any]


class GameTree:
    """The tree of a program, of so many histories at most.

    An `exhaustive` one also has the decisions with one answer, which at a table nobody is asked (but for a button).
    """

    def __init__(
        self, program: Program, limit: int, names: Sequence[str] | None = None, exhaustive: bool = False
    ) -> None:
        self.program, self.limit = program, limit
        self.machine = Machine(program, names, exhaustive)
        self.at: tuple[History | None, int] = None, 0
        """The way to the history that is being walked: the node before it, and the number of the move."""
        self._crowds = find_crowds(program, self.machine.names)

    def walk(self, states: Sequence[State]) -> Iterator[History]:
        """Visit all histories from some states on, depth first. Raises `TooLarge` as soon as there must be more of
        them than the limit, and `RuleError` where the rules go wrong.
        """
        ahead: list[tuple[History | None, int]] = [(None, number) for number in reversed(range(len(states)))]
        met = len(states)
        while ahead:
            self.at = parent, number = ahead.pop()
            history = self._visit_root(states, number) if parent is None else self._follow(parent, number)
            yield history
            count = len(history.moves)
            met += count
            if met > self.limit:
                raise TooLarge(f"The tree has more than {self.limit:,} histories.")
            ahead += [(history, move) for move in reversed(range(count))]

    def _visit_root(self, states: Sequence[State], number: int) -> History:
        state = clone(states[number])
        known = tuple(mark_known(self.program, state, seat) for seat in range(self.program.players))
        return self._visit(None, number, state, known, [[] for _ in known], len(states))

    def _follow(self, parent: History, number: int) -> History:
        state, known, move = clone(parent.state), parent.known, parent.moves[number]
        events: Sink = [[] for _ in known]
        if isinstance(parent.needs, Choices):
            seat = parent.needs.seat
            self.machine.answer_value(state, seat, move, events)
            known = (*known[:seat], _mark(known[seat], repr(parent.needs.mark_answer(move))), *known[seat + 1 :])
        else:
            self.machine.answer_chance(state, move)
        return self._visit(parent, number, state, known, events, parent.width * len(parent.moves))

    def _visit(
        self, parent: History | None, number: int, state: State, known: tuple[bytes, ...], events: Sink, width: int
    ) -> History:
        needed = self.machine.advance(state, events, "ask")
        if needed is None:
            needs: Outcome | Chance | Choices = find_outcome(self.program, state, self.machine.names)
            return History(parent, number, state, known, width, needs, ())
        # Marks of 128 bits: no two are equal by accident, and no course of play has to be remembered.
        known = tuple(
            _mark(before, repr([recall_event(event, self._crowds) for event in noticed])) if noticed else before
            for before, noticed in zip(known, events, strict=True)
        )
        if isinstance(needed, Chance):
            return History(parent, number, state, known, width, needed, range(len(needed.outcomes)))
        needs = self.machine.find_choices(state, min(self.machine.find_waiting(state)))
        try:
            moves = list(islice(needs.find_answers(self.limit), self.limit + 1))
        except TooManySets as error:
            raise TooLarge(f"{error} A tree cannot list them.") from error
        return History(parent, number, state, known, width, needs, moves)

    def word_history(self) -> list[str]:
        """Say what was answered and what happened on the way to the history that is being walked."""
        words: list[str] = []
        history, number = self.at
        while history is not None:
            words.append(self._word_move(history.needs, history.moves[number]))
            number, history = history.number, history.parent
        return words[::-1]

    def _word_move(self, needs: Outcome | Chance | Choices, move: Any) -> str:
        if isinstance(needs, Chance):
            return f"chance: {needs.outcomes[move].partition(':')[2]}"
        assert isinstance(needs, Choices), "nothing follows when the game is over"
        player = self.machine.names[needs.seat]
        if move is None:
            return f"{player}: pass"
        options = needs.make_options()
        chosen = move if needs.pick.many else (move,)
        return f"{player}: {' and '.join(next(o.label for o in options if value in o.values) for value in chosen)}"


def mark_information(known: bytes, choices: Choices) -> bytes:
    """Mark the information set of a decision: all that its seat knows, and what it may answer.

    Answers are told apart as the player can tell them apart, not by the machine's own numbers.
    """
    options = sorted(
        f"label {label_of(choices.run, choices.env, source, value)}" if source.sort == "label" else repr(like)
        for value, source, like in zip(choices.values, choices.sources, choices.alike, strict=True)
    )
    return _mark(known, f"{choices.pick.name}{choices.may_pass}{options}")


def mark_known(program: Program, state: State, seat: int) -> bytes:
    """Mark what a seat knows of a state by itself, whatever came before."""
    return _mark(b"", repr(known_to(program, state, seat)))


def _mark(before: bytes, text: str) -> bytes:
    return blake2b(before + text.encode(), digest_size=16).digest()


@define(eq=False)
class InformationSet:
    """An information set: its seat, what that knows, the answers, and the state of the first history in it."""

    seat: int
    known: bytes
    answers: tuple[Mark, ...]
    state: State


@define(eq=False)
class Terminal:
    """The game is over: the payoff of each seat."""

    payoffs: tuple[float, ...]


@define(eq=False)
class ChanceNode:
    """Chance decides: the probability of each outcome."""

    chances: list[float]
    children: list[Node] = field(factory=list)


@define(eq=False)
class DecisionNode:
    """A seat decides. A button, which is asked though it has one answer, has one child."""

    information: InformationSet
    children: list[Node] = field(factory=list)


Node = Terminal | ChanceNode | DecisionNode


def grow_tree(
    program: Program, states: Sequence[State], most: int
) -> tuple[list[Node], list[InformationSet], int]:
    """Grow the tree from some states on, to go through it many times: its roots, its information sets, and how many
    histories are in it. Raises `TooLarge` if there are more than `most`, if a course of play may be one of too many, or
    if somebody chooses among too many sets; and `RuleError`.
    """
    roots, histories, growing = list[Node](), 0, dict[History, ChanceNode | DecisionNode]()
    sets: dict[Hashable, InformationSet] = {}
    for history in GameTree(program, most).walk(states):
        histories += 1
        if history.width > _WIDE * most:
            raise TooLarge(f"Courses of play are more than {_WIDE * most:,} if all are as wide as the widest.")
        node = _make_node(history, sets)
        siblings = roots if history.parent is None else growing[history.parent].children
        siblings.append(node)
        if history.parent is not None and len(siblings) == len(history.parent.moves):
            del growing[history.parent]
        if not isinstance(node, Terminal):
            growing[history] = node
    return roots, list(sets.values()), histories


def _make_node(history: History, sets: dict[Hashable, InformationSet]) -> Node:
    needs = history.needs
    if isinstance(needs, Outcome):
        return Terminal(tuple(map(float, needs.payoffs)))
    if isinstance(needs, Chance):
        total = sum(needs.weights)
        return ChanceNode([weight / total for weight in needs.weights])
    if needs.pick.many and len(history.moves) >= _MOST_SETS:
        raise TooLarge(f"Somebody chooses among {_MOST_SETS} sets or more.")
    moves = {needs.mark_answer(move): move for move in history.moves}
    known = history.known[needs.seat]
    name = needs.seat, mark_information(known, needs), frozenset(moves)
    information = sets.setdefault(name, InformationSet(needs.seat, known, tuple(moves), history.state))
    history.moves = [moves[answer] for answer in information.answers]
    return DecisionNode(information)
