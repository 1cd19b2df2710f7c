"""The smallest game that shows a mistake, as files that play it again.

In: the folder of a game and a `Shrunk`. Out: two files in its folder `failures`: a save, and, if the rules are to
blame, a scenario that fails until they are mended. A file of the same mistake that lies there is written anew. Never:
writes a scenario that does not fail, or touches what lies elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from rulebook.dsl import ir
from rulebook.interpreter import journal
from rulebook.interpreter.journal import Entry, Header
from rulebook.interpreter.program import Program
from rulebook.playtest.hunting.shrinking import Shrunk
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run
from rulebook.playtest.settings import changed
from rulebook.printing import escape

__all__ = ["FAILURES", "Files", "setting_text", "write"]

FAILURES = "failures"


@frozen
class Files:
    """What was written. There is no scenario if none shows the mistake."""

    save: Path
    scenario: Path | None


def setting_text(rulebook: ir.Rulebook, shrunk: Shrunk) -> str:
    """How it was played, in words: `3 players, rounds=5, seed 17, after 4 decisions`."""
    count = len(shrunk.course.entries)
    rules = [f"{name}={value}" for name, value in changed(rulebook, shrunk.setting.options).items()]
    decided = f"after {count} decision{'' if count == 1 else 's'}" if count else "before anybody decided anything"
    return ", ".join([f"{shrunk.setting.players} players", *rules, f"seed {shrunk.course.seed}", decided])


def write(folder: Path, rulebook: ir.Rulebook, program: Program, shrunk: Shrunk) -> Files:
    """Write both. Raises OSError if that is not possible."""
    into = folder / FAILURES
    into.mkdir(exist_ok=True)
    name = _file_name(shrunk)
    save, scenario = into / f"{name}.jsonl", into / f"{name}.yaml"
    seed, rules, options = shrunk.course.seed, dict(rulebook.source), dict(program.options)
    header = Header(rulebook.id, program.rules_hash, shrunk.names, seed, rules, options, rulebook.variants)
    journal.write(save, header, shrunk.course.entries)
    scenario.unlink(missing_ok=True)
    if shrunk.fault.code is None:
        return Files(save, None)
    # Of a decision that was answered in several picks, a scenario names all of them or none.
    for entries in (_whole(shrunk.course.entries, shrunk.course.by_hand), shrunk.course.entries):
        scenario.write_text(_scenario(rulebook, shrunk, entries), "utf-8")
        if _fails(folder, scenario, shrunk):
            return Files(save, scenario)
    scenario.unlink()
    return Files(save, None)


def _file_name(shrunk: Shrunk) -> str:
    """The same for the same mistake, as long as it stays in its line."""
    file, line = shrunk.fault.place
    return "-".join([shrunk.fault.code or "ours", *([Path(file).stem, str(line)] if file else [])])


def _whole(entries: Sequence[Entry], by_hand: int) -> list[Entry]:
    begun = {(entry.seat, entry.number) for entry in entries[:by_hand]}
    return [entry for entry in entries if (entry.seat, entry.number) in begun]


def _fails(folder: Path, scenario: Path, shrunk: Shrunk) -> bool:
    """Whether the scenario shows the mistake."""
    read, _ = load_scenarios(folder, scenario)
    failures = [failure for one in read for failure in run(one).failures]
    return any(shrunk.fault.message in failure.instead for failure in failures)


# ── the scenario, as text ────────────────────────────────────────────────────────────────────────────────────────────


def _scenario(rulebook: ir.Rulebook, shrunk: Shrunk, entries: Sequence[Entry]) -> str:
    return "\n".join(_lines(rulebook, shrunk, entries)) + "\n"


def _lines(rulebook: ir.Rulebook, shrunk: Shrunk, entries: Sequence[Entry]) -> Iterator[str]:
    file, line = shrunk.fault.place
    at = f" at {Path(file).name}:{line}" if file else ""
    yield f"# Found by `rulebook validate --play`: {setting_text(rulebook, shrunk)}."
    yield f"# {' '.join(shrunk.fault.message.split())}"
    yield "# It fails until the rules are mended; then it may go to the other scenarios, with what is to be expected."
    if rulebook.variants:
        yield f"variants: [{', '.join(rulebook.variants)}]"
    yield "scenarios:"
    yield f"  {_quoted(f'{shrunk.fault.code}{at}')}:"
    yield f"    given: {{players: [{', '.join(shrunk.names)}]}}"
    yield "    from: start"
    yield f"    seed: {shrunk.course.seed}"
    differ = changed(rulebook, shrunk.setting.options)
    if differ:
        yield f"    options: {{{', '.join(f'{name}: {_quoted(value)}' for name, value in differ.items())}}}"
    answers = _answers(shrunk.names, entries)
    if answers:
        yield "    answers:"
        yield from (f"      - {answer}" for answer in answers)
    yield "    rest: first"
    yield "    expect: count(players) > 0"


def _answers(names: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """Each decision of each player with all of its picks."""
    picks: dict[tuple[object, int], list[str]] = {}
    for entry in entries:
        picks.setdefault((entry.seat, entry.number), []).extend(entry.answer)
    return [f"{names[seat]}: {_listed(keys)}" for (seat, _), keys in picks.items() if isinstance(seat, int)]


def _listed(keys: Sequence[str]) -> str:
    quoted = [_quoted(key) for key in keys]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def _quoted(text: str) -> str:
    """A text as YAML reads it back, whatever stands in it."""
    return escape(json.dumps(text, ensure_ascii=False))
