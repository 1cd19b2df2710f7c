"""Ten mistakes at once: how many of them one run names, and how many messages only follow from another.

In: a game, a number of draws. Out: for each draw, the mistakes that were not named, and the messages that no mistake
gives alone. The mistakes are those of `tests/dsl/test_mistakes.py` and slips of the pen (`slips`), in three files, at
most one in a line. Never: writes into the game.

    python bench/ten_mistakes.py                  # twenty draws of ten
    python bench/ten_mistakes.py --draws 3 --seed 7
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from mistakes import MISTAKES, WALLET, seeded
from slips import of_game

from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_text
from rulebook.loading import load

__all__ = ["Drawn", "Edit", "draw", "try_out"]

MOST = 10
FILES = 3
FROM_SLIPS = 5
Place = tuple[str, str, int]
"""A code, a file, an offset into it."""


@frozen
class Edit:
    """`file[start:end]` becomes `new`."""

    file: str
    start: int
    end: int
    new: str


@frozen
class Drawn:
    """Mistakes, and what one run said of them: those not named, and messages that are no mistake's own."""

    edits: tuple[Edit, ...]
    missed: tuple[Place, ...]
    followed: tuple[Diagnostic, ...]

    @property
    def named(self) -> int:
        """How many mistakes were named."""
        return len(self.edits) - len(self.missed)


def mistakes() -> list[Edit]:
    """The seeded mistakes as edits of the game's files."""
    made = []
    for case in MISTAKES:
        one = seeded(case)
        start = (WALLET / one.file).read_text("utf-8").index(one.old)
        made.append(Edit(one.file, start, start + len(one.old), one.new.replace("«", "")))
    return made


def spoilt(desk: Path, edits: Sequence[Edit]) -> list[Diagnostic]:
    """What is said about the game with these edits."""
    for file in sorted(WALLET.glob("*.yaml")):
        text = file.read_text("utf-8")
        for one in sorted(edits, key=lambda one: -one.start):
            if one.file == file.name:
                text = text[: one.start] + one.new + text[one.end :]
        (desk / file.name).write_text(text, "utf-8")
    return load(desk).messages


def place(found: Diagnostic) -> Place:
    assert found.span is not None
    return found.code, Path(found.span.file.name).name, found.span.start


def shifted(place: Place, others: Sequence[Edit]) -> Place:
    """A place, when other edits have changed the file before it."""
    code, file, at = place
    moved = sum(len(one.new) - (one.end - one.start) for one in others if one.file == file and one.end <= at)
    return code, file, at + moved


def draw(chance: random.Random, desk: Path) -> list[tuple[Edit, Place]]:
    """Ten edits of three files, at most one in a line, each of which alone gives one message; and its place."""
    files = set(chance.sample(["rulebook.yaml", "playing_cards.yaml", "specials.yaml", "pieces.yaml"], FILES))
    slips = [Edit(one.file, one.start, one.end, one.new) for one in of_game(WALLET) if one.kind != "key dropped"]
    seeded_ones = mistakes()
    chosen: list[tuple[Edit, Place]] = []
    lines: set[tuple[str, int]] = set()
    while len(chosen) < MOST:
        one = chance.choice(slips if len(chosen) < FROM_SLIPS else seeded_ones)
        text = (WALLET / one.file).read_text("utf-8")
        first, last = text.count("\n", 0, one.start), text.count("\n", 0, one.end)
        mine = {(one.file, line) for line in range(first, last + 1)}
        if one.file not in files or mine & lines:
            continue
        found = spoilt(desk, [one])
        if len(found) == 1:
            chosen.append((one, place(found[0])))
            lines |= mine
    return chosen


def try_out(chosen: Sequence[tuple[Edit, Place]], desk: Path) -> Drawn:
    """Make all of the edits at once, and compare what is said with what each gives alone."""
    edits = [one for one, _ in chosen]
    expected = {shifted(at, [other for other in edits if other is not one]) for one, at in chosen}
    found = spoilt(desk, edits)
    given = {place(one) for one in found}
    followed = tuple(one for one in found if place(one) not in expected)
    return Drawn(tuple(edits), tuple(sorted(expected - given)), followed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="show the messages that only follow")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        desk = Path(folder) / "wallet"
        desk.mkdir()
        for number in range(asked.seed, asked.seed + asked.draws):
            drawn = try_out(draw(random.Random(number), desk), desk)
            print(f"{number}: {drawn.named} of {len(drawn.edits)} named, {len(drawn.followed)} follow")
            for code, file, at in drawn.missed:
                print(f"    not {code} {file}:{at}")
            if asked.show and drawn.followed:
                print(render_text(drawn.followed, 100))


if __name__ == "__main__":
    main()
