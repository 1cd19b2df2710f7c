"""All that a seat is shown at a time, and would be told if it asked: its page, its question, and refusals.

In: a machine and a state of it that waits for somebody. Out: a line for each thing; two states that a seat may not tell
apart have the same lines. Never: gives an answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from rulebook.interpreter import views
from rulebook.interpreter.choosing import Choices
from rulebook.interpreter.decisions import Ask, Refused, not_met
from rulebook.interpreter.game import Game
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.state import State
from rulebook.interpreter.views import is_quiet

_MOST_TRIED = 4
"""The answers of each size of which it is tried whether they would be refused, and the largest size of these."""


def list_page(machine: Machine, state: State, seat: int) -> list[str]:
    """List all that a seat is shown, but for its question."""
    facts = views.collect_facts(machine.program, machine.names, state, seat)
    return [f"{name}: {json.dumps(fact, ensure_ascii=False)}" for name, fact in facts.items()]


def list_question(machine: Machine, state: State, seat: int) -> list[str]:
    """List what a seat is asked, its answers, and what it would be refused; nothing if it is not asked."""
    decision = machine.decision(state) if seat in machine.find_waiting(state) else None
    lines: list[str] = []
    for ask in [] if decision is None else [ask for ask in decision.asks if ask.seat == seat]:
        options = ", ".join(option.label for option in ask.options)
        lines.append(f"{ask.prompt or f'Which {ask.name}?'} {options}")
        lines += _list_refusals(machine.find_choices(state, seat), ask)
    return lines


def list_asked(machine: Machine, state: State, seat: int) -> list[str]:
    """List the lines in which a seat is told who is asked quietly: of its page, and of what refuses its answer."""
    waiting = machine.find_waiting(state)
    if seat in waiting or not is_quiet(machine.program, state):
        return []
    words = views.find_waiting(machine.program, machine.names, state, seat)
    lines = [words if isinstance(words, str) else ", ".join(words), _find_refusal(machine, state, seat)]
    return [line for line in lines if any(machine.names[one] in line for one in waiting)]


def _find_refusal(machine: Machine, state: State, seat: int) -> str:
    """The sentence that refuses the answer of somebody who is not asked."""
    try:
        Game(machine.program, names=machine.names, watch=False, state=state).answer(seat, [""])
    except Refused as refused:
        return str(refused)
    raise AssertionError("nobody asked")


def _list_refusals(choices: Choices, ask: Ask) -> Iterator[str]:
    """Give the sentences that refuse what somebody may not answer who is asked, and why something is not offered."""
    for option, why in choices.barred():
        yield f"{option.label}: {not_met(why)}"
    sizes = range(max(ask.at_least, 1), min(ask.at_most, _MOST_TRIED) + 1)
    tried = [ask.keys[start : start + size] for size in sizes for start in range(_MOST_TRIED)]
    for answer in dict.fromkeys([("",), *tried]):
        try:
            choices.read_answer(answer)
        except Refused as refused:
            yield f"{', '.join(answer)}: {refused}"
