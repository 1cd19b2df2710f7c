"""Formulas made from formulas: what a question does with the answers of its parts.

In: formulas. Out: a `Formula`. Never: sees the language's trees or the tables of a game.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.layout import FACES, KNOWN
from rulebook.interpreter.lowering import builtins
from rulebook.interpreter.lowering.bounds import bounded, listed
from rulebook.interpreter.ops import ABSENT, Env, Formula
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import count_in


def there(value: Any) -> Any:
    """The value of something that must be there; a question about nothing is about somebody who is not there."""
    if value is None:
        raise NotThere
    return value


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


def reckon(reckoned: Callable[[Any, Any], Any], left: Formula, right: Formula) -> Formula:
    """`a + b`: of two numbers that are there."""
    def sum_of(run: Run, env: Env) -> Any:
        one, other = left(run, env), right(run, env)
        if one is None or other is None:
            raise NotThere
        return bounded(reckoned(one, other))

    return sum_of


def calculate(calculate: Callable[[Any, Any], Any], left: Formula, right: Formula) -> Formula:
    """`a < b`: of two numbers that are there."""
    def calculated(run: Run, env: Env) -> Any:
        one, other = left(run, env), right(run, env)
        if one is None or other is None:
            raise NotThere
        return calculate(one, other)

    return calculated


def equality(same: Callable[[Any, Any], Any], left: Formula, right: Formula) -> Formula:
    """`a is b`."""
    return lambda run, env: same(left(run, env), right(run, env))


def span(first: Formula, last: Formula) -> Formula:
    """`a..b`."""
    def numbers(run: Run, env: Env) -> Any:
        found = listed(range(there(first(run, env)), there(last(run, env)) + 1))
        run.look_at(len(found))
        return found

    return numbers


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


def face_up(card: Formula) -> Formula:
    """`card is face_up`."""
    def face_up(run: Run, env: Env) -> Any:
        return run.state[FACES][there(card(run, env))] == 1

    return face_up


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


def answer_of(answers: Formula, player: Formula) -> Formula:
    """`gift[p]`."""
    def answer(run: Run, env: Env) -> Any:
        return there(answers(run, env))[there(player(run, env))]

    return answer


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
