"""Decisions: asked, answered, closed. No answer shows before all have answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebook.interpreter import choosing, knowledge
from rulebook.interpreter.choosing import Entry, Picks, may_choose, picked_keys, settle_picks
from rulebook.interpreter.layout import CLOCK, COUNTS, PENDING
from rulebook.interpreter.op_table import ABSENT, Env, In, Out, Target, lacking, op
from rulebook.interpreter.program import Choice, Pick, Window
from rulebook.interpreter.run import NotThere, Run

MOST_ANSWERS = 5_000
"""The most answers of a game before it ends as unfinished."""


@lacking
def choose(run: Run, env: Env, choice: Choice, otherwise: Target) -> None:
    """Ask whoever has more than one legal answer, or is always asked; if nobody has, the decision closes at once."""
    seats = run.alive(run.run_piece(choice.deciders, env))
    if not seats and not choice.sealed:
        raise NotThere
    counts = list(run.state[COUNTS])
    entries: list[Entry] = []
    for seat in seats:
        picks, done = settle_picks(run, choice, seat, ())
        counts[seat] += not done
        entries.append((seat, 0 if done else counts[seat], picks, done))
    if all(done for *_, done in entries):
        close_choice(run, choice, entries)
    elif run.state[CLOCK] >= MOST_ANSWERS:
        run.finish(("unfinished",))
    else:
        run.state[COUNTS] = tuple(counts)
        run.wait(("ask", tuple(entries)))


def take_answer(run: Run, choice: Choice, seat: int, value: Any) -> None:
    """Take one answer of one seat (None: it passes, or nothing more fits); when all have answered, go on."""
    entries = []
    for entry in run.state[PENDING][1]:
        if entry[0] == seat:
            _, number, picks, _ = entry
            try:
                picks, done = (picks, True) if value is None else settle_picks(run, choice, seat, (*picks, value))
            except NotThere:
                # What comes after this pick is asked of somebody who is not there: the sentence is left out.
                run.state[PENDING], run.pc = None, run.pc + 1
                run.leave_out()
                return
            entry = (seat, number, picks, done)
        entries.append(entry)
    run.state[CLOCK] += 1
    if all(done for *_, done in entries):
        run.state[PENDING] = None
        run.pc += 1
        close_choice(run, choice, entries)
    else:
        run.state[PENDING] = ("ask", tuple(entries))


def close_choice(run: Run, choice: Choice, entries: Sequence[Entry]) -> None:
    """Bind what was chosen, tell it, and go on."""
    if run.events is not None:
        for entry in entries:
            _tell_picks(run, choice, entry)
    for index, pick in enumerate(choice.picks):
        chosen = {seat: picks[index] for seat, _, picks, _ in entries if len(picks) > index}
        if choice.sealed:
            run.env[pick.slot] = tuple(chosen.get(seat) for seat in range(run.layout.players))
        else:
            run.env[pick.slot] = next(iter(chosen.values()), None if choice.may else ABSENT)
    if not any(picks for _, _, picks, _ in entries):
        run.pc = run.code.steps[run.pc - 1]["otherwise"]


def _tell_picks(run: Run, choice: Choice, entry: Entry) -> None:
    seat, number, picks, _ = entry
    player, chooser = run.names[seat], 1 << seat
    others = run.layout.everyone & ~chooser if choice.told != "later" and not choice.quiet else 0
    if not picks:
        if number:
            run.emit("passed", chooser if choice.veiled else chooser | others, player=player)
        return
    keys = list(picked_keys(run, choice, seat, picks))
    button: dict[str, Any] = {"button": True} if choice.picks[0].is_button else {}
    only = button if number else {"forced": True}
    run.emit("chose", chooser, player=player, what=[part for key in keys for part in key], **only)
    if choice.told == "chooser":
        run.emit("chose", others, player=player)
        return
    _tell_others(run, choice, seat, picks, keys, others, button)


def _tell_others(
    run: Run, choice: Choice, seat: int, picks: Picks, keys: Sequence[list[str]], others: int, button: dict[str, Any]
) -> None:
    """Tell others what a player has chosen; of cards that they do not see, how many."""
    player = run.names[seat]
    seers = [_find_seers(run, pick, value) for pick, value in zip(choice.picks, picks, strict=False)]
    for other in range(run.layout.players):
        seen = [bool(mask >> other & 1) for mask in seers]
        what = [part for parts, is_seen in zip(keys, seen, strict=True) if is_seen for part in parts]
        hidden = sum(len(parts) for parts, is_seen in zip(keys, seen, strict=True) if not is_seen)
        facts: dict[str, Any] = {"what": what} if what or not hidden else {}
        facts |= {"count": hidden} if hidden else button
        run.emit("chose", others & 1 << other, player=player, **facts)


def _find_seers(run: Run, pick: Pick, value: Any) -> int:
    """Return the seats that see every card of a pick, as bits; whatever is no card is public."""
    seers = run.layout.everyone
    for card in _flat(value) if pick.holds_cards else ():
        if card < run.program.cards:
            seers &= knowledge.sight(run.program, run.state, card)
    return seers


def _flat(value: Any) -> list[int]:
    """The cards in a value, however deep."""
    if isinstance(value, tuple):
        return [card for member in value for card in _flat(member)]
    return [value] if isinstance(value, int) else []


@op
def announce_taken(
    run: Run, env: Env, answers: In, taker: In, chosen: Out, window: Window, otherwise: Target
) -> int | None:
    """An `offer together` is carried out for the taker, whose sealed answer is now announced.

    The number of the option is put into `chosen`; where it may not be carried out any more, goes on elsewhere.
    """
    seat = env[taker]
    index = env[answers][seat]
    condition = None if index is None else window.conditions[index]
    if index is None or (condition is not None and not run.holds(run.code, condition, env)):
        return otherwise
    env[chosen] = index
    if not window.quiet:
        run.emit(
            "chose", ~(1 << seat), player=run.names[seat], what=[f"label:{run.run_piece(window.labels[index], env)}"]
        )
    return None


@op
def share_out(run: Run, env: Env, to: Out, answers: In, several: In, choice: Choice) -> None:
    """Share out what everybody has chosen in an `offer together`: of things that are alike, each has another one, if
    there are enough.
    """
    env[to] = choosing.share_out(run, choice, env[answers], env[several])


@op
def announce_thing(
    run: Run, env: Env, answers: In, taker: In, chosen: Out, choice: Choice, otherwise: Target
) -> int | None:
    """An `offer together` is carried out for the taker, of whom all hear now that they chose something.

    What it is, is put into `chosen`; where they may not choose it any more, goes on elsewhere.
    """
    seat = env[taker]
    value = env[answers][seat]
    if value is None or not may_choose(run, choice, seat, value):
        return otherwise
    if not choice.quiet:
        keys = list(picked_keys(run, choice, seat, (value,)))
        _tell_others(run, choice, seat, (value,), keys, run.layout.everyone & ~(1 << seat), {})
    env[chosen] = value
    return None
