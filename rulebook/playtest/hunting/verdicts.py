"""Findings of random games, as messages like those of every other check, and as files that play them again.

Of each mistake two files lie in the game's folder `failures`: a save, and, if the rules are to blame, a scenario that
fails until they are mended. A file of the same mistake that lies there is written anew. Of a bundled game there is the
save alone, below the current folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled
from rulebook.interpreter.journal import Entry
from rulebook.interpreter.program import Program
from rulebook.library import is_below
from rulebook.playtest.failures import make_header, name_failure, word_unwritten, write_failure
from rulebook.playtest.hunting.endless import find_lost
from rulebook.playtest.hunting.hunt import Hunted, Programs, hunt
from rulebook.playtest.hunting.inspection import HastyMachine
from rulebook.playtest.hunting.shrinking import Shrunk, shrink
from rulebook.playtest.scenarios.writing import quote, write_answers, write_lines, write_options
from rulebook.playtest.settings import Setting, changed


@frozen
class Verdict:
    """The result of random games: the numbers of those played, without an end, too long to be played to their end, and
    not played at all; the messages. `bugs` are mistakes of ours, each with the file that shows it.
    """

    games: int
    unfinished: int
    too_long: int
    left_out: int
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
    programs = Programs(rulebook)
    hunted = hunt(programs, games, seed, vary, jobs, on_progress, options)
    found: list[Diagnostic] = []
    bugs: list[str] = []
    for sighting in hunted.sightings:
        shrunk = shrink(programs, sighting)
        if shrunk is None:
            continue
        again = "" if folder is None else _keep(folder, rulebook, programs, shrunk, command)
        fault, game = shrunk.fault, _describe(rulebook, shrunk)
        if fault.code is None:
            bugs.append(f"{rulebook.name}, {game}: {fault.message} {again}".rstrip())
        else:
            help = f"It was with {game}. {again}".rstrip()
            found.append(diagnose(fault.code, fault.span, where=fault.script, help=help, problem=fault.message))
    found += _find_misfits(rulebook, hunted)
    found += find_lost(programs, hunted.lost)
    return Verdict(
        hunted.games, len(hunted.endless), len(hunted.too_long), hunted.left_out, tuple(found), tuple(bugs)
    )


def _find_misfits(rulebook: ir.Rulebook, hunted: Hunted) -> Iterator[Diagnostic]:
    """Report each mistake for which a game cannot be laid out, of the first setting in which it shows."""
    first = {misfit.fault: misfit.setting for misfit in reversed(hunted.misfits)}
    for fault, setting in first.items():
        help = f"It was with {_describe_setting(rulebook, setting)}."
        yield diagnose(fault.code or "RB701", fault.span, where=fault.script, help=help, problem=fault.message)


def _keep(folder: Path, rulebook: ir.Rulebook, programs: Programs, shrunk: Shrunk, command: str) -> str:
    """Write it, and say how to see it again."""
    try:
        save, scenario = _write(folder, rulebook, programs.of(shrunk.setting), shrunk)
    except OSError as error:
        return word_unwritten(folder, error)
    if scenario is None:
        return f"`{command} play --resume {save}` shows it again."
    return f"`{command} test {scenario}` shows it again."


def _describe(rulebook: ir.Rulebook, shrunk: Shrunk) -> str:
    """Say how it was played: `3 players, rounds=5, seed 17, after 4 decisions`."""
    count = len(shrunk.course.entries)
    decided = f"after {count} decision{'' if count == 1 else 's'}" if count else "before anybody decided anything"
    return ", ".join([_describe_setting(rulebook, shrunk.setting), f"seed {shrunk.course.seed}", decided])


def _describe_setting(rulebook: ir.Rulebook, setting: Setting) -> str:
    rules = [f"{name}={value}" for name, value in changed(rulebook, setting.options).items()]
    return ", ".join([f"{setting.players} players", *rules])


def _write(folder: Path, rulebook: ir.Rulebook, program: Program, shrunk: Shrunk) -> tuple[Path, Path | None]:
    """Write a save, and a scenario if one shows the mistake."""
    header = make_header(rulebook, program, shrunk.names, shrunk.course.seed)
    name = name_failure(shrunk.fault.code or "ours", *shrunk.fault.place)
    save = write_failure(folder, name, header, shrunk.course.entries)
    scenario = save.with_suffix(".yaml")
    scenario.unlink(missing_ok=True)
    if shrunk.fault.code is None or not is_below(save, folder):
        return save, None  # a scenario is one of the game that it lies in
    # Of a decision that was answered in several picks, a scenario names all of them or none.
    for entries in (_whole(shrunk.course.entries, shrunk.course.by_hand), shrunk.course.entries):
        scenario.write_text("\n".join(_write_scenario(rulebook, shrunk, entries)) + "\n", "utf-8")
        if _fails(folder, scenario, shrunk):
            return save, scenario
    scenario.unlink()
    return save, None


def _whole(entries: Sequence[Entry], by_hand: int) -> list[Entry]:
    begun = {(entry.seat, entry.number) for entry in entries[:by_hand]}
    return [entry for entry in entries if (entry.seat, entry.number) in begun]


def _fails(folder: Path, scenario: Path, shrunk: Shrunk) -> bool:
    """Run the scenario; True if it shows the mistake."""
    # Most games go right, and to check rules takes longer to import than to play.
    from rulebook.playtest.scenarios.reading import load_scenarios
    from rulebook.playtest.scenarios.trial import run

    read, _ = load_scenarios(folder, scenario, use_cache=True)
    failures = [failure for one in read for failure in run(one, HastyMachine).failures]
    return any(shrunk.fault.message in failure.instead for failure in failures)


def _write_scenario(rulebook: ir.Rulebook, shrunk: Shrunk, entries: Sequence[Entry]) -> list[str]:
    file, line = shrunk.fault.place
    picks: dict[tuple[int, int], list[str]] = {}
    for entry in entries:
        if isinstance(entry.seat, int):
            picks.setdefault((entry.seat, entry.number), []).extend(map(quote, entry.answer))
    fields = {
        "given": f"{{players: [{', '.join(shrunk.names)}]}}",
        "from": "start",
        "seed": str(shrunk.course.seed),
        "options": write_options(rulebook, shrunk.setting.options),
        "answers": write_answers(shrunk.names, picks),
        "rest": "first",
        "expect": "count(players) > 0",
    }
    remarks = [
        f"Found by `rulebook validate --play`: {_describe(rulebook, shrunk)}.",
        " ".join(shrunk.fault.message.split()),
        "It fails until the rules are mended; then it may go to the other scenarios, with what is to be expected.",
    ]
    title = f"{shrunk.fault.code} at {Path(file).name}:{line}" if file else f"{shrunk.fault.code}"
    return list(write_lines(title, fields, remarks, [*rulebook.variants]))
