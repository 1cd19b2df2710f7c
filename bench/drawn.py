"""Scripts drawn from every construct of the language, each played by the machine.

    python bench/drawn.py [--scripts 1000] [--seed 1]

In: how many scripts, which ones. Each is everybody's turn in a small game (`tests/helpers/ir_games.py`), which is
played twice, untold, and told and through JSON at each decision; every state must be sound. What goes on for ever is
stopped sooner than usual. Out: how many games there were and what became of them; for each kind of fault the shortest
script with it. Exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from hypothesis import HealthCheck, Phase, given, seed, settings
from ir_games import game
from ir_scripts import BLOCKS
from sound import play_soundly

from rulebook.dsl import ir
from rulebook.dsl.disassembly import disassembled
from rulebook.interpreter import run
from rulebook.interpreter.lower import lower
from rulebook.interpreter.ops import asking

PLAYERS = 3


class Found:
    """What became of the games; by kind of fault, the shortest script with it and all that was said."""

    def __init__(self) -> None:
        self.became, self.worst = Counter[str](), dict[str, tuple[list[str], str]]()

    def look_at(self, body: ir.Block) -> None:
        """One script."""
        rulebook = game(body)
        try:
            _, error = play_soundly(lower(rulebook, PLAYERS), 1)
            self.became["scripts that end" if error is None else "scripts that are stopped"] += 1
            return
        except Exception:
            wrong = traceback.format_exc(limit=-4)
        lines = disassembled(rulebook.scripts["rules.drawn"])
        *_, last = wrong.strip().splitlines()
        kind = re.sub(r"\d+|b'.*", "#", last)[:100]
        self.became[f"wrong: {kind}"] += 1
        if kind not in self.worst or len(lines) < len(self.worst[kind][0]):
            self.worst[kind] = lines, wrong


def main() -> int:
    """Draw, play and print."""
    arguments = argparse.ArgumentParser(description="Play drawn scripts.")
    arguments.add_argument("--scripts", type=int, default=1000, help="how many are drawn (1000)")
    arguments.add_argument("--seed", type=int, default=1, help="which ones (1)")
    given_words = arguments.parse_args()
    run.MOST_LOOKED_AT, asking.MOST_ANSWERS = 30_000, 150
    found = Found()

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
