"""Draw mistakes of meaning, and say how many are told: `python bench/meaning.py [--slips 300] [--seed 1] [--play 200]`.

In: how many, which ones, a file of further operators (`--operators`, with OPERATORS and WORDS as in
`tests/helpers/meaning_slips.py`). Out: by operator how many are told at their line, within two lines, elsewhere at what
the line names, somewhere, or only listed, and how many by no message; first without play, then with it. A mistake that
nobody at a table could notice is thrown out and counted. `--list` writes each of them down as a line of JSON.

A game with a mistake has 150 seconds of the processor; more is a verdict of its own.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import runpy
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

import meaning_slips
from attrs import astuple
from meaning_slips import Slip, Told, judge

from rulebook import library
from rulebook.commands.validate import Hunt
from rulebook.diagnostics import Diagnostic
from rulebook.loading import load
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run
from rulebook.validation import find_problems

MOST_SECONDS = 150
TESTED = Path(__file__).resolve().parent.parent / "tests" / "data"
Key = tuple[str, str, str]


def list_files(skipped: Sequence[str]) -> dict[str, str]:
    """All files of rules of the bundled games and of those of the tests, by path."""
    games = [*library.find_games(), *(file.parent for file in sorted(TESTED.rglob("rulebook.yaml")))]
    kept = [game for game in games if game.name not in skipped and load(game).rulebook is not None]
    return {str(file): file.read_text("utf-8") for game in kept for file in sorted(game.glob("*.yaml"))}


def find_messages(folder: Path, play: int) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """The messages without play, and those that only play gives."""
    here = find_problems(folder)
    if not play:
        return here, []
    with contextlib.redirect_stderr(io.StringIO()):
        return here, Hunt(play, 0, False, 1).problems(folder, [], here, lambda early: None)


@cache
def find_known(folder: Path, play: int) -> Counter[Key]:
    """The messages of a game as it is."""
    with copied(folder, folder / "rulebook.yaml", (folder / "rulebook.yaml").read_text("utf-8")) as copy:
        return Counter(key_of(message) for messages in find_messages(copy, play) for message in messages)


def key_of(message: Diagnostic) -> Key:
    """Tell a message from another whatever its line and its counts."""
    line = message.span.text if message.span is not None else ""
    return message.code, Path(message.span.file.name).name if message.span is not None else "", line


def list_new(messages: Sequence[Diagnostic], known: Counter[Key]) -> list[Diagnostic]:
    """The messages that the game as it is does not have."""
    left = known.copy()
    new = []
    for message in messages:
        if left[key_of(message)]:
            left[key_of(message)] -= 1
        else:
            new.append(message)
    return new


@contextlib.contextmanager
def copied(game: Path, file: Path, text: str) -> Iterator[Path]:
    """A copy of a game with another text of a file, without its scenarios: they are played by another command."""
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept) / game.name
        shutil.copytree(game, folder, ignore=shutil.ignore_patterns("scenarios", "variants"))
        (folder / file.name).write_text(text, "utf-8")
        yield folder


def count_failing(folder: Path, game: Path) -> int:
    """Count the scenarios of a game that do not pass any more, or can no longer be read."""
    if not (game / "scenarios").is_dir():
        return 0
    for beside in ("scenarios", "variants"):
        if (game / beside).is_dir():
            shutil.copytree(game / beside, folder / beside)
    scenarios, messages = load_scenarios(folder)
    lost = sum(message.severity == "error" for message in messages)
    return lost + sum(not run(scenario).passed for scenario in scenarios)


def stop(*_: Any) -> None:
    raise TimeoutError


def try_slip(path: str, slip: Slip, play: int, words: set[str]) -> dict[str, Any]:
    """Make a slip, and say how it is told without and with play; `alike` if nobody could notice it."""
    file = Path(path)
    with copied(file.parent, file, slip.text) as folder:
        begun = time.process_time()
        signal.signal(signal.SIGVTALRM, stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
        try:
            changed, plain = load(folder).rulebook, load(file.parent).rulebook
            assert plain is not None, "a game that is drawn from is sound"
            if changed is not None and slip.operator not in words and meaning_slips.is_alike(plain, changed):
                return {"alike": True}
            here, played = find_messages(folder, play)
            known = find_known(file.parent, play)
        except TimeoutError:
            return {"late": True}
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        new = list_new([*here, *played], known)
        without = [Told.of(message) for message in new if any(message is other for other in here)]
        told = [Told.of(message) for message in new]
        return {
            "loads": changed is not None,
            "plain": judge(slip, without),
            "played": judge(slip, told),
            "messages": [[*astuple(one), message.message] for one, message in zip(told, new, strict=True)],
            "scenarios": count_failing(folder, file.parent) if changed is not None else 0,
            "seconds": round(time.process_time() - begun, 1),
        }


PLACED = ("right", "near", "named", "listed right", "listed near", "listed named")
"""Verdicts by which somebody finds the mistake."""


def sum_up(verdict: dict[str, str]) -> str:
    """The best that is said of a slip: where it is told, or else where it is listed."""
    told = verdict.get("told", "silent")
    listed = verdict.get("listed", "silent")
    return told if told in PLACED or f"listed {listed}" not in PLACED else f"listed {listed}"


def main() -> int:
    """Draw slips and print how they are told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slips", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--play", type=int, default=200)
    parser.add_argument("--operators", type=Path)
    parser.add_argument("--without", nargs="*", default=[], help="names of games that are left out")
    parser.add_argument("--list", type=Path)
    asked = parser.parse_args()
    operators, words = meaning_slips.OPERATORS, meaning_slips.WORDS
    if asked.operators:
        given = runpy.run_path(str(asked.operators))
        operators, words = given["OPERATORS"], given.get("WORDS", set())
    texts = list_files(asked.without)
    told: dict[str, dict[str, Counter[str]]] = {way: defaultdict(Counter) for way in ("plain", "played")}
    alike: Counter[str] = Counter()
    tested: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as kept:
        os.environ["RULEBOOK_CACHE"] = kept
        for path, slip in meaning_slips.draw_slips(texts, asked.slips, asked.seed, operators):
            row = try_slip(path, slip, asked.play, words)
            if asked.list:
                first, after, new = slip.edit
                old = texts[path].splitlines()[first:after]
                place = {"operator": slip.operator, "file": "/".join(path.split("/")[-2:]), "line": first + 1}
                with asked.list.open("a") as out:
                    out.write(json.dumps({**place, "old": old, "new": new, **row}) + "\n")
            if "alike" in row:
                alike[slip.operator] += 1
                continue
            if (Path(path).parent / "scenarios").is_dir():
                best = "late" if "late" in row else sum_up(row["played"])
                tested["told" if best in PLACED else "a scenario fails" if row.get("scenarios") else "neither"] += 1
            for way, counts in told.items():
                counts[slip.operator]["late" if "late" in row else sum_up(row[way])] += 1
    for way, counts in told.items():
        print("validate" if way == "plain" else f"validate --play {asked.play}")
        for name, verdicts in sorted(counts.items()):
            print(f"  {name:30} {dict(verdicts)}")
        total = sum(counts.values(), Counter[str]())
        right = total["right"] + total["near"]
        listed = sum(total[verdict] for verdict in PLACED)
        print(f"  {total.total()} slips: {dict(total.most_common())}")
        parts = [part / max(total.total(), 1) for part in (right, listed)]
        print(f"  at the right place {parts[0]:.0%}, told or listed {parts[1]:.0%}")
    print(f"games with scenarios: {dict(tested)}")
    print(f"thrown out, since nobody could notice: {alike.total()} {dict(alike)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
