"""Leaks as messages like those of every other check, each with a save of the game that showed it.

In: a game's rules, its settings, and how many answers may be compared. Out: a message for each sentence at which
somebody could tell a secret (RB606). The save lies in the game's folder `failures`, as those of games that go wrong do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.settling.forbidding import list_numbers
from rulebook.dsl.settling.options import Settled
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.lower import lower
from rulebook.playtest.failures import make_header, name_failure, word_unwritten, write_failure
from rulebook.playtest.leaking.twins import NOTHING, Leak, find_leaks
from rulebook.playtest.settings import NAMES


@frozen
class Searched:
    """The result of a search: the games played, the answers compared, the messages."""

    games: int
    compared: int
    messages: tuple[Diagnostic, ...]


def search_leaks(
    rulebook: ir.Rulebook,
    folder: Path | None,
    options: Mapping[str, Settled],
    games: int,
    most: int,
    seed: int = 0,
    players: int | None = None,
    command: str = "rulebook",
) -> Searched:
    """Seek leaks with so many players, else with the fewest and with half as many as may play."""
    possible = list_numbers(rulebook, options) if players is None else (players,)
    chosen = sorted({possible[0], possible[len(possible) // 2]}) if possible else ()
    programs = []
    for number in chosen:
        try:
            programs.append(lower(rulebook, number, dict(options)))
        except BadSetup:
            continue  # `validate --play` says why it cannot be laid out
    if not programs:
        return Searched(0, 0, ())
    search = find_leaks(programs, NAMES, games, seed, most)
    messages = tuple(_report(rulebook, folder, leak, command) for leak in search.leaks)
    return Searched(search.games, search.compared, messages)


def _report(rulebook: ir.Rulebook, folder: Path | None, leak: Leak, command: str) -> Diagnostic:
    watcher, count = NAMES[leak.watcher], len(leak.entries)
    told = [f"where {secret}, {_word_sent(watcher, sent)}" for secret, sent in zip(leak.secret, leak.sent, strict=True)]
    course = f"{leak.program.players} players, seed {leak.seed}, after {count} decision{'' if count == 1 else 's'}"
    again = "" if folder is None else _keep(folder, rulebook, leak, command)
    help = f"It was with {course}: {told[0]}; {told[1]}. {again}".rstrip()
    return diagnose("RB606", None if leak.at is None else leak.at.span, help=help)


def _word_sent(watcher: str, sent: str) -> str:
    return f"{watcher} is told nothing" if sent == NOTHING else f"{watcher} is told “{sent}”"


def _keep(folder: Path, rulebook: ir.Rulebook, leak: Leak, command: str) -> str:
    """Write a save of the game up to the leak, and say how to see it."""
    file, line = ("", 0) if leak.at is None else (leak.at.span.file.name, leak.at.span.line)
    header = make_header(rulebook, leak.program, NAMES[: leak.program.players], leak.seed)
    try:
        save = write_failure(folder, name_failure("RB606", file, line), header, leak.entries)
    except OSError as error:
        return word_unwritten(folder, error)
    return f"`{command} replay {save}` shows the game."


def without_known(messages: Sequence[Diagnostic], leaks: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the leaks of which no message about secrets tells already, in the same line."""
    lines = {(one.span.file.name, one.span.line) for one in messages if one.code.startswith("RB6") and one.span}
    for leak in leaks:
        if leak.span is None or (leak.span.file.name, leak.span.line) not in lines:
            yield leak
