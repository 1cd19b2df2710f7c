"""Numbers in YAML that are worked out before the game begins: copies of cards, sides of grids, what is printed.

They are checked for each number of players with the house rules that hold if nobody says otherwise; what other house
rules come to is refused when somebody wants to play by them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.reckoning import KNOWN, Reckoning, Unsettled
from rulebook.dsl.walk import everything, reach

MOST_COPIES = 1_000  # of one card
MOST_CARDS = 10_000  # of a game
LONGEST_SIDE = 100  # of a grid

_ONLY_IN_PLAY = (
    *(ir.TableMemory, ir.PlayerMemory, ir.State, ir.Attribute, ir.PlaceOf, ir.Cards, ir.TheCard, ir.Pieces),
    *(ir.AllCards, ir.AllActions, ir.TheAction, ir.IsFaceUp, ir.Entry, ir.AskHook),
)
"""Expressions that speak of a table, which is not there yet."""


def check_laying_out(rulebook: ir.Rulebook) -> list[Diagnostic]:
    """Find numbers that are not known before the game begins, or that no game can be laid out with."""
    messages: list[Diagnostic] = []
    games = rulebook.players
    totals = dict.fromkeys(games, 0)
    for card in rulebook.cards.values():
        where = f"card {card.id}"
        for copies, differing in card.copies:
            for players, number in _reckon_numbers(rulebook, copies, f"{where}, copies", MOST_COPIES, games, messages):
                totals[players] += max(number, 0)  # fewer than none are none
            for name, value in differing.items():
                _look_at(rulebook, value, f"{where}, {name}", games, messages)
        for name, value in card.attributes.items():
            if not isinstance(value, ir.AllCards):  # what comes with a card
                _look_at(rulebook, value, f"{where}, {name}", games, messages)
        if max(totals.values()) > MOST_CARDS:
            span = None if card.at is None else card.at.span
            problem = f"with this card, a game of more than {MOST_CARDS:,} cards"
            messages.append(diagnose("RB106", span, problem=problem, help="Pieces that are all alike can be fewer."))
            break
    for place in rulebook.places.values():
        for side in place.size or ():
            list(_reckon_numbers(rulebook, side, f"place {place.name}", LONGEST_SIDE, games, messages, least=0))
    return messages


def _look_at(
    rulebook: ir.Rulebook, expr: ir.Expr, where: str, games: tuple[int, ...], messages: list[Diagnostic]
) -> None:
    """Check something that is printed, of which only a number can be impossible."""
    if expr.type == t.NUMBER:
        list(_reckon_numbers(rulebook, expr, where, None, games, messages))
    elif not isinstance(expr, ir.Const):
        messages += _too_early(rulebook, expr, where)


def _reckon_numbers(
    rulebook: ir.Rulebook,
    expr: ir.Expr,
    where: str,
    most: int | None,
    games: tuple[int, ...],
    messages: list[Diagnostic],
    least: int | None = None,
) -> Iterator[tuple[int, int]]:
    """Reckon a number for each number of players in `games`, as far as it is known; mistakes are noted in `found`."""
    if isinstance(expr, ir.Const):
        # What stands there as a number was looked at when it was read.
        yield from ((players, expr.value) for players in games if isinstance(expr.value, int))
        return
    early = _too_early(rulebook, expr, where)
    messages += early
    inside = [node for node in everything(expr) if isinstance(node, ir.Node)]
    if early or not all(isinstance(node, KNOWN) and node.type != t.UNKNOWN for node in inside):
        return
    for players in games:
        try:
            number = Reckoning(lambda name: rulebook.options[name].default, players).reckon(expr)
        except Unsettled:
            number = None
        right = isinstance(number, int)
        right = right and (most is None or number <= most) and (least is None or number >= least)
        if not right and isinstance(expr, ir.ByOption) and all(isinstance(case, ir.Const) for _, case in expr.cases):
            return  # each of these was looked at when it was read, too
        if not right:
            legal = "" if most is None else f" up to {most:,}" if least is None else f" from {least} to {most}"
            result = "no number" if number is None else f"{number:,}"
            span = None if expr.at is None else expr.at.span
            wanted = f"a number{legal}, and with {players} players it is {result}"
            value = "this" if span is None else " ".join(span.text.split())
            messages.append(diagnose("RB411", span, where=where, value=value, wanted=wanted))
            return
        yield players, number


def _too_early(rulebook: ir.Rulebook, expr: ir.Expr, where: str) -> list[Diagnostic]:
    """Say which part of an expression, or of a value that it asks, is only known in play."""
    for node in everything(expr):
        called = _list_asked_by(rulebook, node.function) if isinstance(node, ir.CallValue) else ()
        if any(isinstance(record, _ONLY_IN_PLAY) for record in (node, *called)):
            at = next((record.at for record in (node, expr) if record.at is not None), None)
            span = None if at is None else at.span
            what = "This" if span is None else " ".join(span.text.split())
            return [diagnose("RB413", span, where=where, what=what)]
    return []


def _list_asked_by(rulebook: ir.Rulebook, name: str) -> list[object]:
    """List all that a value is made of, and those that it asks."""
    functions = rulebook.functions

    def find_called(name: str) -> set[str]:
        calls = (node for node in everything(functions[name]) if isinstance(node, ir.CallValue))
        return functions.keys() & {call.function for call in calls}

    return [node for callee in reach(functions.keys() & {name}, find_called) for node in everything(functions[callee])]
