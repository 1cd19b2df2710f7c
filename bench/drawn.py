"""Scripts drawn from every construct of the language, on every tier as on the machine.

    python bench/drawn.py [--scripts 1000] [--seed 1] [--native]

In: how many scripts, which ones. Each is everybody's turn in a small game (`tests/ir_games.py`), which the machine, the
watched and the blind tier play side by side, through JSON and to the end in one go; with `--native` also as C, where
there is a compiler, which takes most of the time then. What goes on for ever is stopped sooner than usual. Out: how
many games there were and what became of them; for each kind of difference the shortest script with it. Exit code 1 if
there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from hypothesis import HealthCheck, Phase, given, seed, settings
from ir_games import game
from ir_scripts import BLOCKS
from tiers import held_against_machine

from rulebook.dsl import ir
from rulebook.dsl.disassembly import disassembled
from rulebook.interpreter import run
from rulebook.interpreter.compiled import finish, offers, settled
from rulebook.interpreter.lower import lower
from rulebook.interpreter.native.tier import Native
from rulebook.interpreter.primitives import asking

PLAYERS = 3


class Found:
    """What became of the games; by kind of difference, the shortest script with it and all that was said."""

    def __init__(self, native: bool) -> None:
        self.native, self.became, self.worst = native, Counter[str](), dict[str, tuple[list[str], str]]()

    def look_at(self, body: ir.Block) -> None:
        """One script."""
        rulebook = game(body)
        program = lower(rulebook, PLAYERS)
        native = Native.of(program) if self.native else None
        self.became["scripts that have no C yet"] += self.native and not isinstance(native, Native)
        try:
            wrong = held_against_machine(program, 1, native if isinstance(native, Native) else None)
        except Exception:
            wrong = traceback.format_exc(limit=-4)
        if wrong is None:
            self.became["scripts alike everywhere"] += 1
            return
        lines = disassembled(rulebook.scripts["rules.drawn"])
        *_, last = wrong.strip().splitlines()
        kind = re.sub(r"\d+|b'.*", "#", wrong if "Traceback" not in wrong else last)[:100]
        self.became[f"different: {kind}"] += 1
        if kind not in self.worst or len(lines) < len(self.worst[kind][0]):
            self.worst[kind] = lines, wrong


def main() -> int:
    """Draw, play and print."""
    arguments = argparse.ArgumentParser(description="Hold drawn scripts on every tier against the machine.")
    arguments.add_argument("--scripts", type=int, default=1000, help="how many are drawn (1000)")
    arguments.add_argument("--seed", type=int, default=1, help="which ones (1)")
    arguments.add_argument("--native", action="store_true", help="also as C")
    given_words = arguments.parse_args()
    for module in (run, settled):
        module.MOST_LOOKED_AT = 30_000  # type: ignore[misc]
    for module in (asking, offers, finish):
        module.MOST_ANSWERS = 150  # type: ignore[misc]
    found = Found(given_words.native)

    @seed(given_words.seed)
    @settings(
        max_examples=given_words.scripts,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(BLOCKS)
    def look_at_all(body: Any) -> None:
        found.look_at(body)

    look_at_all()
    for became, many in found.became.most_common():
        print(f"{many:6} {became}")
    for lines, wrong in found.worst.values():
        print("", wrong, *lines, sep="\n")
    return int(bool(found.worst))


if __name__ == "__main__":
    sys.exit(main())
