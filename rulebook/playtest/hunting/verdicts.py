"""What random games found, as messages like those of every other check.

In: a checked game and where it lies, how many games. Out: a message for each mistake of the rules, and a sentence for
each of ours. Never: prints; writes a file where no folder is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled
from rulebook.playtest.hunting import evidence
from rulebook.playtest.hunting.hunt import Programs, hunt
from rulebook.playtest.hunting.shrinking import Shrunk, shrink

__all__ = ["Verdict", "play_through"]


@frozen
class Verdict:
    """What came of the games. `bugs` are mistakes of ours, each with the file that shows it."""

    games: int
    unfinished: int
    found: tuple[Diagnostic, ...]
    bugs: tuple[str, ...]


def play_through(
    rulebook: ir.Rulebook,
    folder: Path | None,
    games: int,
    seed: int = 0,
    vary: bool = False,
    jobs: int = 1,
    command: str = "rulebook",
    on_progress: Callable[[int, int], None] | None = None,
    options: Mapping[str, Settled] | None = None,
) -> Verdict:
    """Play random games, shrink what went wrong, and keep it in the game's folder. `command` is what is called to play
    the files again; `options` as `hunt` has them.
    """
    hunted = hunt(rulebook, games, seed, vary, jobs, on_progress, options)
    programs = Programs(rulebook)
    found: list[Diagnostic] = []
    bugs: list[str] = []
    for sighting in hunted.sightings:
        shrunk = shrink(programs, sighting)
        if shrunk is None:
            continue
        again = "" if folder is None else _kept(folder, rulebook, programs, shrunk, command)
        fault, game = shrunk.fault, evidence.setting_text(rulebook, shrunk)
        if fault.code is None:
            bugs.append(f"{rulebook.name}, {game}: {fault.message} {again}".rstrip())
        else:
            help = f"It was with {game}. {again}".rstrip()
            found.append(diagnose(fault.code, fault.span, where=fault.script, help=help, problem=fault.message))
    return Verdict(hunted.games, hunted.unfinished, tuple(found), tuple(bugs))


def _kept(folder: Path, rulebook: ir.Rulebook, programs: Programs, shrunk: Shrunk, command: str) -> str:
    """How to see it again, once it is written."""
    try:
        files = evidence.write(folder, rulebook, programs.of(shrunk.setting), shrunk)
    except OSError as error:
        return f"It could not be written to {folder / evidence.FAILURES}: {error.strerror}."
    if files.scenario is None:
        return f"`{command} play --resume {files.save}` shows it again."
    return f"`{command} test {files.scenario}` shows it again."
