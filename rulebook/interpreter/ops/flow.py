"""Ops that say what comes next: let, each, repeat, loop, stage, do, return, eliminate, win."""

from __future__ import annotations

from typing import Any

from rulebook.interpreter import knowledge
from rulebook.interpreter.decisions import Endless, RuleError
from rulebook.interpreter.layout import ALIVE, ELIMINATED
from rulebook.interpreter.op_table import (
    CodeIndex,
    Counter,
    Entry,
    Env,
    First,
    In,
    Name,
    Out,
    Slots,
    StageIndex,
    Stages,
    Target,
    Targets,
    Words,
    lacking,
    op,
)
from rulebook.interpreter.results import find_teams, is_one_team, list_team
from rulebook.interpreter.run import NotThere, Run, there

Codes = tuple[int | None, ...]


@op
def let(run: Run, env: Env, to: Out, value: In) -> None:
    """`let x = e`, `set x = e`."""
    if env[to] != env[value]:
        env[to] = env[value]
        run.changes += 1


@op
def name_slots(run: Run, env: Env, slots: Slots, value: In) -> None:
    """Set the names of a sentence that is skipped to nothing, or absent."""
    for slot in slots:
        env[slot] = env[value]


@op
def count_probe(run: Run, env: Env, count: Counter) -> None:
    """Tell somebody that the game comes by: written only where a report of what ran was asked for."""
    count()


@op
def count_answer(run: Run, env: Env, value: In, yes: Counter | None, no: Counter | None) -> None:
    """Tell somebody what the answer is."""
    count = yes if env[value] else no
    if count is not None:
        count()


@op
def count_object(run: Run, env: Env, value: In, counts: tuple[Counter | None, ...]) -> None:
    """Tell somebody which card or action is meant."""
    count = None if env[value] is None else counts[env[value]]
    if count is not None:
        count()


@op
def count_choice(run: Run, env: Env, picked: In, offered: Entry, count: Counter) -> None:
    """Tell somebody that what was picked came from this list."""
    try:
        members = run.run_piece(offered, list(env)) or ()
    except NotThere:
        return
    if any(member in members for member in _flatten(env[picked])):
        count()


@op
def count_word(run: Run, env: Env, picked: In, written: Words, count: Counter) -> None:
    """Tell somebody that this word was picked."""
    if written in _flatten(env[picked]):
        count()


def _flatten(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


@op
def switch(run: Run, env: Env, chosen: In, targets: Targets) -> int:
    """The block of the option that was chosen from a menu."""
    to = targets[env[chosen]]
    env[chosen] = None
    return to


@lacking
def repeat(run: Run, env: Env, limit: Out, at: Out, count: In | None) -> None:
    """`repeat n:` or `loop:` (`count` None) begins; `limit` holds how often, `at` counts the rounds."""
    env[limit], env[at] = None if count is None else there(env[count]), 0
    run.rounds.pop((run.code_index, run.pc, len(run.callers)), None)


@op
def next_round(run: Run, env: Env, limit: In, at: Out, exit: Target) -> int | None:
    """The next round of a `repeat` or `loop`, or its end. A `loop` whose last round changed nothing is an error."""
    run.look_at(1)
    if env[limit] is None:
        _must_have_changed(run)
    elif env[at] >= env[limit]:
        return exit
    env[at] += 1
    return None


def _must_have_changed(run: Run) -> None:
    """A `loop` whose whole round made no decision, no move and no change goes round for ever.

    A decision ends the run, so what this run remembers of the last round is enough.
    """
    here = (run.code_index, run.pc - 1, len(run.callers))
    if run.rounds.get(here) == run.changes:
        raise Endless("This `loop` goes round without end: in a whole pass nobody decided, nothing moved or changed.")
    run.rounds[here] = run.changes


@op
def clear(run: Run, env: Env, slots: Slots) -> None:
    """Hidden locals hold nothing any more."""
    for slot in slots:
        env[slot] = None


# ── stages ───────────────────────────────────────────────────────────────────────────────────────


@op
def enter_stage(run: Run, env: Env, stage: StageIndex) -> int | None:
    """`stage name "Title" until C:` begins, unless C is true already."""
    entered = run.code.stage_table[stage]
    run.keep_outer(entered)
    if entered.until is not None and run.holds(run.code, entered.until, env):
        run.put_back(entered)
        return entered.exit
    if run.events is not None:
        title = entered.name if entered.title is None else run.run_piece(entered.title, env)
        run.emit("stage_began", stage=entered.name, title=title)
    return None


@op
def ask_until(run: Run, env: Env, stage: StageIndex) -> None:
    """The `until` of a stage is asked after a sentence of its block, or of a block within."""
    until = run.code.stage_table[stage].until
    if until is not None and run.holds(run.code, until, env):
        run.end_stage(0, stage)


@op
def leave_stages(run: Run, env: Env, stages: Stages) -> None:
    """The end of a stage's block, or a `stop` or `skip` out of one: these stages are left, innermost first."""
    run.leave_stages(stages)


@op
def end_stage(run: Run, env: Env, name: Name) -> None:
    """`end name`: the innermost stage of that name is left, with everything that it called."""
    for up, frame, stage in run.open_stages():
        if run.program.codes[frame[0]].stage_table[stage].name == name:
            run.end_stage(up, stage)
            return
    raise RuleError(f"The stage `{name}` cannot end here: the game is not in it.")


@op
def ask_triggers(run: Run, env: Env) -> None:
    """Let happen what has become so since it was asked last: the step behind a sentence of `game`."""
    run.ask_triggers()


# ── calls ────────────────────────────────────────────────────────────────────────────────────────


@op
def leave(run: Run, env: Env, value: In | None, stages: Stages) -> None:
    """`return e`, and the end of each script: back to the caller, out of these stages."""
    returned = None if value is None else env[value]
    run.leave_stages(stages)
    run.leave_script(returned)


@op
def call(run: Run, env: Env, code: CodeIndex, first: First, count: int, to: Out | None) -> None:
    """`do rule(args) as x`."""
    run.call_script(code, env[first : first + count])


@lacking
def call_hook(run: Run, env: Env, codes: Codes, target: In, first: First, count: int, to: Out | None) -> None:
    """`do card.effect(p) for this as x`: `codes` holds the script of each object, None where it has no such hook.

    What is given begins with `this`: the card itself, or who stands in for it.
    """
    code = codes[there(env[target])]
    if code is not None:
        run.call_script(code, env[first : first + count])
    elif to is not None:
        env[to] = None


@op
def eliminate(run: Run, env: Env, players: In) -> None:
    """`eliminate p`."""
    seats = run.alive(env[players])
    if not seats:
        return
    state = run.state
    state[ALIVE] = tuple(seat for seat in state[ALIVE] if seat not in seats)
    state[ELIMINATED] += (seats,)
    knowledge.leave_game(run.program, state, sum(1 << seat for seat in seats))
    run.touch()
    run.emit("eliminated", players=run.names_of(seats))


@lacking
def win(run: Run, env: Env, first: First, count: int) -> None:
    """`win S then T`: the game is over. Of each group, whole teams are placed that are not yet."""
    named = [there(players) for players in env[first : first + count]]
    teams = find_teams(run)
    groups: list[tuple[int, ...]] = []
    placed: set[int] = set()
    for players in named:
        seats = (players,) if isinstance(players, int) else players
        whole = [one for seat in seats for one in (seat, *list_team(teams, seat)) if one not in placed]
        groups.append(tuple(dict.fromkeys(whole)))
        placed.update(whole)
    won = tuple(group for group in groups if group)
    behind = [run.names_of(group) for group in won[1:]]
    facts: dict[str, Any] = {"behind": behind} if behind else {}
    if len(teams) > 1 and is_one_team(teams):
        facts["together"] = True
    run.emit("won", players=run.names_of(won[0]) if won else [], **facts)
    run.finish(("win", won))
