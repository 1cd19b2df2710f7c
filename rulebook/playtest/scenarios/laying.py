"""Laying out the start of a scenario on a table, as if everything had always lain there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebook.dsl import ir
from rulebook.interpreter import knowledge
from rulebook.interpreter.layout import BOX, WHERE, PlaceSlot
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.moving import carry
from rulebook.interpreter.program import Program
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State
from rulebook.playtest.scenarios.given import Given, Known, Laid, Owner


class Misplaced(Exception):
    """A start that is impossible under the house rules of this scenario; the sentence says why."""


def lay_out(machine: Machine, state: State, given: Given, value: Callable[[ir.Expr], Any]) -> None:
    """Turn a state in which all lies in the box into the given one; `value` answers what is to be remembered."""
    program = machine.program
    run = Run(program, machine.names, state)
    left: dict[str, list[int]] = {}
    for number, definition in enumerate(program.definition):
        left.setdefault(definition, []).append(number)
    wanted = Counter(laid.card for lying in given.lying for laid in lying.cards if laid.card)
    for card, count in wanted.items():
        if count > len(left.get(card, ())):
            raise Misplaced(f"`{card}` is named {count} times, and there are {len(left.get(card, ()))} of it here.")
    first = {card: numbers[0] for card, numbers in left.items()}
    changed: list[tuple[int, Known]] = []
    for lying in given.lying:
        if lying.pieces is None:
            place = _place(program, first, lying.place, lying.owner)
            cards = lying.cards if place.kept == "grid" else [card for card in lying.cards if card.card]
            spots = _spots(place, cards) if place.kept == "grid" else [None for _ in cards]
            named = [(left[at.card].pop(0), at, spot) for at, spot in zip(cards, spots, strict=True) if at.card]
            _lay(run, place, [(number, at.face, spot) for number, at, spot in named])
            changed += [(number, state) for number, at, _ in named for state in at.states]
    for lying in given.lying:
        if lying.pieces is not None:
            _pour(run, _place(program, first, lying.place, lying.owner), lying.pieces)
    for known in given.known:
        _remember(program, first, state, known, value(known.value))
    for number, known in changed:
        _change_state(program, state, number, known.name, value(known.value))


def _place(program: Program, first: Mapping[str, int], name: str, owner: Owner) -> PlaceSlot:
    if owner is None:
        return program.layout.find_place(name)
    return program.layout.find_place_of(name, first[owner] if isinstance(owner, str) else owner)


def _spots(place: PlaceSlot, cards: Sequence[Laid]) -> list[int]:
    """The position of each card on a grid: a row that is shorter than the grid leaves its last positions empty."""
    for card in cards:
        if card.spot is not None and card.spot[1] >= place.columns:
            raise Misplaced(f"A row of `{place.name}` has {place.columns} positions, and more are given.")
    pairs = ((0, index) if card.spot is None else card.spot for index, card in enumerate(cards))
    spots = [row * place.columns + column for row, column in pairs]
    if max(spots, default=-1) >= place.rows * place.columns:
        raise Misplaced(f"`{place.name}` has {place.rows * place.columns} positions, and {max(spots) + 1} are given.")
    return spots


def _lay(run: Run, place: PlaceSlot, cards: Sequence[tuple[int, str, int | None]]) -> None:
    """Cards arrive as the place is kept; who may not look does not know them, though all lay open in the box."""
    # The last card that comes to a pile lies on top, and a list names the top first.
    for card, face, spot in cards[::-1] if place.kept == "pile" else cards:
        carry(run, [card], (place, spot), face=face, tell=False)
    there = [card for card, _, _ in cards]
    knowledge.forget_cards(run.state, there, run.layout.everyone)
    knowledge.see_cards(run.program, run.state, there)


def _pour(run: Run, place: PlaceSlot, pieces: int) -> None:
    """Cards that nobody named become pieces of a pool."""
    program, where = run.program, run.state[WHERE]
    spare = [card for card in range(program.cards) if where[card] == BOX and program.kind[card] in place.holds]
    if len(spare) < pieces:
        raise Misplaced(f"`{place.name}` is given {pieces} pieces, and there are {len(spare)} left for it.")
    if pieces:
        carry(run, spare[:pieces], (place, None), tell=False)


def _remember(program: Program, first: Mapping[str, int], state: State, known: Known, value: Any) -> None:
    layout = program.layout
    if isinstance(known.owner, str):
        _change_state(program, state, first[known.owner], known.name, value)
    elif known.owner is None:
        state[layout.memory[known.name].slot] = value
    else:
        state[layout.player_memory[known.name].slot + known.owner] = value


def _change_state(program: Program, state: State, card: int, name: str, value: Any) -> None:
    slot = program.layout.states[name].slot
    values = list(state[slot])
    values[card] = value
    state[slot] = tuple(values)
