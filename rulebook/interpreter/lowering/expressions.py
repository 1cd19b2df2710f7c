"""Expressions become formulas: closures `f(run, env)` that answer with a value and change only scratch locals.

In: the tables and an `ir.Expr`. Out: a `Formula`. Never: a statement, chance, a choice.

A formula that asks something of nothing raises `NotThere`, and the sentence it stands in is skipped. Where cards,
states or memories are read, a `Watch` that is set on the run notes who knows them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any, assert_never

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import ALIVE, FACES, KNOWN, MemorySlot
from rulebook.interpreter.lowering import builtins
from rulebook.interpreter.lowering.builtins import bounded, listed
from rulebook.interpreter.lowering.probes import both
from rulebook.interpreter.lowering.tables import Tables, sort_of
from rulebook.interpreter.ops import ABSENT, Env, Formula
from rulebook.interpreter.run import NotThere, Run, there
from rulebook.interpreter.state import cards_in, count_in
from rulebook.interpreter.wording import NOTHING, label


def formula(tables: Tables, expr: ir.Expr) -> Formula:
    """The closure of one expression."""
    match expr:
        case ir.Const(value):
            return lambda run, env: value
        case ir.Local(slot):
            return present(slot) if slot in tables.absent else lambda run, env: env[slot]
        case ir.OptionValue() | ir.ByOption():
            return _option(tables, expr)
        case ir.Joined(parts):
            return joined([part if isinstance(part, str) else label_of(tables, part) for part in parts])
        case ir.TableMemory() | ir.PlayerMemory():
            return _memory(tables, expr)
        case ir.State() | ir.Attribute():
            return _of_card(tables, expr)
        case ir.PlaceOf(name, owner):
            return _place(tables, name, owner)
        case ir.Cards() | ir.TheCard() | ir.Pieces():
            return _contents(tables, expr)
        case ir.AllCards(only):
            every = tuple(range(tables.cards) if only is None else sorted(tables.called(frozenset([only]))))
            return lambda run, env: every
        case ir.AllActions():
            actions = tuple(range(tables.cards, tables.objects))
            return lambda run, env: actions
        case ir.TheAction(id):
            action = tables.action(id)
            return lambda run, env: action
        case ir.Seats(everyone):
            all_seats = tuple(range(tables.players))
            return (lambda run, env: all_seats) if everyone else (lambda run, env: run.state[ALIVE])
        case ir.Clockwise() | ir.Neighbour():
            return _around_the_table(tables, expr)
        case ir.Listed() | ir.Span() | ir.Chain():
            return _list(tables, expr)
        case ir.Arithmetic(sign, left, right):
            reckoned = calculate(ARITHMETIC[sign], formula(tables, left), formula(tables, right))
            return lambda run, env: bounded(reckoned(run, env))
        case ir.Compare(sign, left, right):
            first, second = formula(tables, left), formula(tables, right)
            if sign in EQUALITY:
                same = EQUALITY[sign]
                return lambda run, env: same(first(run, env), second(run, env))
            return calculate(ORDER[sign], first, second)
        case ir.SameCards(cards, definitions, ordered):
            return _same_cards(tables, formula(tables, cards), definitions, ordered)
        case ir.Within(value, list):
            one, several = formula(tables, value), formula(tables, list)
            return lambda run, env: one(run, env) in several(run, env)
        case ir.IsKind(value, kinds):
            return member(formula(tables, value), tables.of_kinds(kinds))
        case ir.IsCard(value, definitions):
            return member(formula(tables, value), tables.called(definitions))
        case ir.IsFaceUp(card):
            turned = formula(tables, card)
            return lambda run, env: run.state[FACES][there(turned(run, env))] == 1
        case ir.IsNothing(value):
            return nothing(formula(tables, value), t.CELL in t.members(value.type))
        case ir.IsEmpty(list):
            return empty(formula(tables, list))
        case ir.Not(value):
            denied = formula(tables, value)
            return lambda run, env: not denied(run, env)
        case ir.And(left, right):
            first, second = formula(tables, left), formula(tables, right)
            return lambda run, env: bool(first(run, env) and second(run, env))
        case ir.Or(left, right):
            first, second = formula(tables, left), formula(tables, right)
            return lambda run, env: bool(first(run, env) or second(run, env))
        case ir.IfElse(condition, then, otherwise):
            asked = both(tables.probes, formula(tables, condition), expr.at, about=condition.at, words=("then", "else"))
            good, bad = formula(tables, then), formula(tables, otherwise)
            return lambda run, env: good(run, env) if asked(run, env) else bad(run, env)
        case ir.Through():
            return _through(tables, expr)
        case ir.PerPlayerAnswer(answers, player):
            given, seat = formula(tables, answers), formula(tables, player)
            return lambda run, env: there(given(run, env))[there(seat(run, env))]
        case ir.CallValue() | ir.AskHook() | ir.BuiltIn():
            return _call(tables, expr)
        case _:
            assert_never(expr)


def label_of(tables: Tables, expr: ir.Expr) -> Callable[[Run, Env], str]:
    """The value of an expression in words."""
    value, sort = formula(tables, expr), sort_of(expr.type)
    return lambda run, env: label(run.program, run.names, value(run, env), sort)


def shown_of(tables: Tables, expr: ir.Expr) -> Callable[[Run, Env], str]:
    """The value of an expression in words, by which nothing is decided: what is not there is `nothing` in it."""
    if isinstance(expr, ir.Joined):
        return joined([part if isinstance(part, str) else shown_of(tables, part) for part in expr.parts])
    written = label_of(tables, expr)

    def shown(run: Run, env: Env) -> str:
        try:
            return written(run, env)
        except NotThere:
            return NOTHING

    return shown


# ── options, texts, memory ───────────────────────────────────────────────────────────────────────


def _option(tables: Tables, expr: ir.OptionValue | ir.ByOption) -> Formula:
    if isinstance(expr, ir.ByOption):
        chosen = tables.options[expr.option]
        return formula(tables, next(case for value, case in expr.cases if value == chosen))
    setting = tables.options[expr.name]
    if expr.key is None:
        return lambda run, env: setting
    key, steps = formula(tables, expr.key), sorted(dict(setting).items())

    def at_step(run: Run, env: Env) -> Any:
        reached = key(run, env)
        return next((value for least, value in reversed(steps) if least <= reached), 0)

    return at_step


def _memory(tables: Tables, expr: ir.TableMemory | ir.PlayerMemory) -> Formula:
    if isinstance(expr, ir.TableMemory):
        memory = tables.layout.memory[expr.name]
        slot = memory.slot
        if memory.seen_by == "everyone":
            return lambda run, env: run.state[slot]
        return _watched_memory(memory, lambda run, env: 0)
    memory, player = tables.layout.player_memory[expr.name], formula(tables, expr.player)
    if memory.seen_by == "everyone":
        base = memory.slot

        def of_player(run: Run, env: Env) -> Any:
            seat = there(player(run, env))
            return run.state[base + seat]

        return of_player
    return _watched_memory(memory, player)


def _watched_memory(memory: MemorySlot, player: Formula) -> Formula:
    def hidden(run: Run, env: Env) -> Any:
        seat = there(player(run, env))
        if run.watch is not None:
            may_see = memory.seen_by == "owner" and seat in run.state[ALIVE]
            run.watch.seats &= 1 << seat if may_see else 0
        return run.state[memory.slot + seat]

    return hidden


# ── cards and places ─────────────────────────────────────────────────────────────────────────────


def _of_card(tables: Tables, expr: ir.State | ir.Attribute) -> Formula:
    card = formula(tables, expr.card)
    printed = tables.attributes[expr.name] if isinstance(expr, ir.Attribute) else None
    slot = tables.layout.states[expr.name].slot if isinstance(expr, ir.State) else -1

    def of_card(run: Run, env: Env) -> Any:
        of = there(card(run, env))
        if run.watch is not None:
            watch(run, of)
        return printed[of] if printed is not None else run.state[slot][of]

    return of_card


def _place(tables: Tables, name: str, owner: ir.Expr | None) -> Formula:
    ordinals = tables.layout.place_of[name]
    if owner is None:
        only = ordinals[0]
        return lambda run, env: only
    of = formula(tables, owner)

    def owned(run: Run, env: Env) -> Any:
        one = of(run, env)
        if one is None or ordinals[one] is None:
            raise NotThere
        return ordinals[one]

    return owned


def _contents(tables: Tables, expr: ir.Cards | ir.TheCard | ir.Pieces) -> Formula:
    place, places = formula(tables, expr.place), tables.layout.places

    def cards(run: Run, env: Env) -> Any:
        found = cards_in(run.layout, run.state, places[place(run, env)])
        if run.watch is not None:
            watch(run, *found)
        return found

    def the_card(run: Run, env: Env) -> Any:
        found = cards(run, env)
        return found[0] if found else None

    def pieces(run: Run, env: Env) -> Any:
        return count_in(run.layout, run.state, places[place(run, env)])

    match expr:
        case ir.Cards():
            return cards
        case ir.TheCard():
            return the_card
        case ir.Pieces():
            return pieces
        case _:
            assert_never(expr)


def _around_the_table(tables: Tables, expr: ir.Clockwise | ir.Neighbour) -> Formula:
    if isinstance(expr, ir.Clockwise):
        start, after = formula(tables, expr.start), expr.after

        def clockwise(run: Run, env: Env) -> Any:
            first = there(start(run, env))
            alive = run.state[ALIVE]
            later = tuple(seat for seat in alive if seat > first)
            earlier = tuple(seat for seat in alive if seat < first)
            return later + earlier if after or first not in alive else (first, *later, *earlier)

        return clockwise
    player, step = formula(tables, expr.player), expr.step

    def neighbour(run: Run, env: Env) -> Any:
        seat = there(player(run, env))
        alive = run.state[ALIVE]
        others = sorted(alive, key=lambda other: ((other - seat) * step - 1) % tables.players)
        return others[0] if others else seat

    return neighbour


# ── lists and calculation ────────────────────────────────────────────────────────────────────────


def _list(tables: Tables, expr: ir.Listed | ir.Span | ir.Chain) -> Formula:
    match expr:
        case ir.Listed(items):
            each = tuple(formula(tables, item) for item in items)
            return lambda run, env: tuple([item(run, env) for item in each])
        case ir.Span(first, last):
            lowest, highest = formula(tables, first), formula(tables, last)

            def numbers(run: Run, env: Env) -> Any:
                found = listed(range(there(lowest(run, env)), there(highest(run, env)) + 1))
                run.look_at(len(found))
                return found

            return numbers
        case ir.Chain(first, second):
            one, other = formula(tables, first), formula(tables, second)
            return lambda run, env: listed((*one(run, env), *other(run, env)))
        case _:
            assert_never(expr)


def _same_cards(tables: Tables, cards: Formula, definitions: tuple[str, ...], ordered: bool) -> Formula:
    wanted = list(definitions) if ordered else sorted(definitions)

    def same(run: Run, env: Env) -> Any:
        value = cards(run, env)
        listed = (value,) if isinstance(value, int) else value or ()
        found = [tables.definition[card] for card in listed]
        return (found if ordered else sorted(found)) == wanted

    return same


def _through(tables: Tables, expr: ir.Filter | ir.Each | ir.Sorted | ir.Best) -> Formula:
    several, slot = formula(tables, expr.list), expr.slot
    match expr:
        case ir.Filter():
            condition = formula(tables, expr.condition)

            def filtered(run: Run, env: Env) -> Any:
                kept, members = [], there(several(run, env))
                run.look_at(len(members))
                for one in members:
                    env[slot] = one
                    if condition(run, env):
                        kept.append(one)
                return tuple(kept)

            return filtered
        case ir.Each():
            body, flat = formula(tables, expr.body), expr.flat

            def each(run: Run, env: Env) -> Any:
                found: list[Any] = []
                members = there(several(run, env))
                run.look_at(len(members))
                for one in members:
                    env[slot] = one
                    value = body(run, env)
                    if value is not None:
                        found.append(value)
                return tuple(found)

            def each_of_each(run: Run, env: Env) -> Any:
                found: list[Any] = []
                for value in each(run, env):
                    found += value if isinstance(value, tuple) else (value,)
                    if len(found) > ir.MOST_LISTED:
                        break
                return listed(tuple(found))

            return each_of_each if flat else each
        case ir.Ordering():
            keys = [(formula(tables, key.value), 1 if key.most else -1) for key in expr.keys]

            def keyed(run: Run, env: Env) -> list[tuple[tuple[int, ...], Any]]:
                found, members = [], there(several(run, env))
                run.look_at(len(members))
                for one in members:
                    env[slot] = one
                    found.append((tuple([sign * there(key(run, env)) for key, sign in keys]), one))
                return found

            def sorted_by(run: Run, env: Env) -> Any:
                return tuple(one for _, one in sorted(keyed(run, env), key=lambda pair: pair[0], reverse=True))

            def best(run: Run, env: Env) -> Any:
                found = keyed(run, env)
                top = max((key for key, _ in found), default=None)
                return tuple(one for key, one in found if key == top)

            return sorted_by if isinstance(expr, ir.Sorted) else best
        case _:
            assert_never(expr)


# ── answers and calls ────────────────────────────────────────────────────────────────────────────


def _call(tables: Tables, expr: ir.CallValue | ir.AskHook | ir.BuiltIn) -> Formula:
    match expr:
        case ir.BuiltIn("any", (ir.Each(list, slot, body, False),)) if body.type == t.YES_NO:
            return until(formula(tables, list), slot, formula(tables, body), True, bool)
        case ir.BuiltIn("all", (ir.Each(list, slot, body, False),)) if body.type == t.YES_NO:
            return until(formula(tables, list), slot, formula(tables, body), False, no)
        case ir.BuiltIn("any", (ir.Filter(list, slot, condition),)) if condition.type == t.YES_NO:
            return until(formula(tables, list), slot, formula(tables, condition), True, bool)
    arguments = tuple(formula(tables, argument) for argument in expr.arguments)
    match expr:
        case ir.CallValue():
            answers, name = tables.answers, expr.function

            def answered(run: Run, env: Env) -> Any:
                run.look_at(1)
                return answers[name](run, tuple([argument(run, env) for argument in arguments]))

            return answered
        case ir.AskHook():
            target, asks = formula(tables, expr.target), tables.asks.setdefault(expr.hook, [])

            def asked(run: Run, env: Env) -> Any:
                of = there(target(run, env))
                given = (of, *[argument(run, env) for argument in arguments])
                run.look_at(1)
                answer = asks[of]
                if answer is None:
                    # A card must be able to answer; an action that says nothing about itself is free to all.
                    return of >= run.program.cards
                return answer(run, given)

            return asked
        case ir.BuiltIn():
            return builtins.built_in(expr.name, arguments, tuple(one.type for one in expr.arguments))
        case _:
            assert_never(expr)


# ── formulas made from formulas ──────────────────────────────────────────────────────────────────


def present(slot: int) -> Formula:
    """A local that may be absent: what is asked of it then is asked of somebody who is not there."""

    def present(run: Run, env: Env) -> Any:
        value = env[slot]
        if value == ABSENT:
            raise NotThere
        return value

    return present


def watch(run: Run, *cards: int) -> None:
    """Note who knows these cards."""
    assert run.watch is not None
    for card in cards:
        if card < run.program.cards:
            run.watch.seats &= run.state[KNOWN][card]


def _divided_by_nothing() -> int:
    raise RuleError("A number cannot be divided by 0.")


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: left // right if right else _divided_by_nothing(),
    "%": lambda left, right: left % right if right else _divided_by_nothing(),
}
ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
EQUALITY: dict[str, Callable[[Any, Any], Any]] = {"==": operator.eq, "!=": operator.ne}


def calculate(combined: Callable[[Any, Any], Any], left: Formula, right: Formula) -> Formula:
    """`a + b`, `a < b`: of two numbers that are there."""

    def calculated(run: Run, env: Env) -> Any:
        one, other = left(run, env), right(run, env)
        if one is None or other is None:
            raise NotThere
        return combined(one, other)

    return calculated


def joined(parts: list[str | Callable[[Run, Env], str]]) -> Formula:
    """A text with questions in it."""

    def joined(run: Run, env: Env) -> Any:
        run.look_at(len(parts))
        return "".join(part if isinstance(part, str) else part(run, env) for part in parts)

    return joined


def member(value: Formula, objects: frozenset[int]) -> Formula:
    """`it is note`: the object is one of these."""

    def member(run: Run, env: Env) -> Any:
        one = value(run, env)
        if run.watch is not None and one is not None:
            watch(run, one)
        return one in objects

    return member


def nothing(value: Formula, cell: bool) -> Formula:
    """`x is nothing`; a cell is when no card lies on it."""
    if not cell:
        return lambda run, env: value(run, env) is None

    def nothing(run: Run, env: Env) -> Any:
        one = value(run, env)
        return one is None or builtins.card_at(run, one) is None

    return nothing


def empty(list: Formula) -> Formula:
    """`S is empty`: a list, or a pool by its place."""

    def empty(run: Run, env: Env) -> Any:
        value = list(run, env)
        if isinstance(value, int):
            return count_in(run.layout, run.state, run.layout.places[value]) == 0
        return not value

    return empty


def no(value: Any) -> bool:
    """Whether a question was answered, and with no."""
    return value is not None and not value


def until(several: Formula, slot: int, body: Formula, decisive: bool, counts: Callable[[Any], bool]) -> Formula:
    """`any(… for x in S)` and `all(…)`: as with `or` and `and`, what comes behind the deciding member is not asked.

    `counts` says of a member's value whether it decides; then the answer is `decisive`, else the other one.
    """

    def asked(run: Run, env: Env) -> Any:
        decided = False
        members = there(several(run, env))
        run.look_at(len(members))
        for one in members:
            env[slot] = one
            if not decided:
                decided = counts(body(run, env))
                if decided and run.watch is None:
                    break
            else:
                # Who may be told must not depend on which member comes first: in a crowd that is nobody's business.
                with suppress(NotThere):
                    body(run, env)
        return decided is decisive

    return asked
