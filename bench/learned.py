"""How well `learned` plays: among random, greedy and searching players, in every shipped game.

    python bench/learned.py --deals 40 --search 5 --kept learned.jsonl
    python bench/learned.py --late 100

In each game one seat is `learned`, all others are of one other bot; each deal is played once from each seat. Printed:
the share of wins (of a shared first place its part) with an interval over deals, as `simulate --rotate` has it, or
where payoffs are judged what it gets; where all win together the share won by players of each kind. Then the even
share, games, and seconds of the processor to learn and to play. `--kept` is a file in which rows are written down when
they are done: the same command goes on from there. `--late` plays a planted game in so many seeds: a card that is
strong only under good play, and in how many of them `simulate --details` says so among greedy players, and among
`learned`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from rulebook import library
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.bots import ready_bots
from rulebook.playtest.series.about import Had
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.tally import Tally
from rulebook.reporting.report import report_of
from rulebook.statistics.intervals import Sample

GAMES = {
    "cheat": 3, "craft_fair": 2, "crazy_eights": 3, "exposed": 3, "fireworks": 2, "fruit_garden": 2, "goofspiel": 2,
    "hearts": 4, "kuhn_poker": 2, "leduc_poker": 2, "liars_dice": 2, "tic_tac_toe": 2, "wallet": 4, "wrong_party": 3,
}  # fmt: skip
"""With so many players."""
LATE = Path(__file__).parent.parent / "tests" / "data" / "learning" / "late"


def play_rotated(rulebook: Any, players: int, other: str, deals: int) -> dict[str, Any]:
    """One `learned` among others, from each seat."""
    bots = ["learned", *[other] * (players - 1)]
    plan = plan_of(rulebook, players, 77, bots=bots, rotate=True)
    result = play(plan, deals * players)
    tally = Tally.of(plan, result.told())
    report = report_of(tally, result.table.program)
    [row] = [row for row in report.by_bot or () if row.bot == "learned"]
    value, low, high = (row.share, row.low, row.high)
    if row.gets is not None:
        value, low, high = row.gets.value, row.gets.low, row.gets.high
    fair = report.fair if row.gets is None else 0.0
    return {"value": value, "low": low, "high": high, "fair": fair, "games": tally.games}


def play_together(rulebook: Any, players: int, bot: str, games: int) -> dict[str, Any]:
    """Players of one kind, who win or lose together."""
    plan = plan_of(rulebook, players, 77, bots=[bot] * players)
    tally = Tally.of(plan, play(plan, games).told())
    won = Sample(0.0, 1.0).add_all(float(share > 0) for share in _list_shares(tally)).interval(1.96)
    return {"value": won.value, "low": won.low, "high": won.high, "fair": 0.0, "games": games}


def _list_shares(tally: Tally) -> list[float]:
    wins = round(tally.seats[0])
    return [1.0] * wins + [0.0] * (tally.games - wins)


def main() -> None:
    """Play what is asked for, and print a row of each."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("games", nargs="*")
    asked.add_argument("--deals", type=int, default=40)
    asked.add_argument("--search", type=int, default=5, help="deals against ismcts:20")
    asked.add_argument("--kept", type=Path)
    asked.add_argument("--late", type=int, default=0, help="seeds of the planted game")
    given = asked.parse_args()
    if given.late:
        plant(given.late)
        return
    there = {}
    if given.kept is not None and given.kept.exists():
        rows = map(json.loads, given.kept.read_text("utf-8").splitlines())
        there = {(row["game"], row["other"]): row for row in rows}
    for name in given.games or GAMES:
        rulebook = load(library.find_game(name)).rulebook
        assert rulebook is not None
        players = GAMES[name]
        began = time.process_time()
        ready_bots(lower(rulebook, players), ["learned"])
        learning = time.process_time() - began
        together = plan_of(rulebook, players, 1, bots=["random"] * players).is_together
        for other in ("learned", "random", "greedy", "ismcts:20") if together else ("random", "greedy", "ismcts:20"):
            deals = given.search if other == "ismcts:20" else given.deals
            row = there.get((name, other))
            if row is None:
                began = time.process_time()
                found = (play_together if together else play_rotated)(rulebook, players, other, deals)
                row = {"game": name, "players": players, "other": other, "together": together, **found}
                row |= {"seconds": time.process_time() - began, "learning": learning}
                if given.kept is not None:
                    with given.kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
            print(
                f"| {name} {players} | {other} | {row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}] "
                f"| {row['fair']:.2f} | {row['games']} | {row['learning']:.1f} | {row['seconds']:.1f} |",
                flush=True,
            )


def plant(seeds: int) -> None:
    """Count in how many seeds the planted card is said to be strong."""
    rulebook = load(LATE).rulebook
    assert rulebook is not None
    for bot in ("greedy", "learned"):
        began, found = time.process_time(), 0
        for seed in range(seeds):
            plan = plan_of(rulebook, 4, seed, bots=[bot] * 4, watched=True)
            found += is_found(plan)
        seconds = (time.process_time() - began) / seeds
        print(f"{bot}: found in {found} of {seeds} seeds, {seconds:.1f} s each", flush=True)


def is_found(plan: Plan) -> bool:
    """Tell whether the card is said to win too often."""
    result = play(plan, 500)
    report = report_of(Tally.of(plan, result.told()), result.table.program)
    about = [line for line in report.lines if isinstance(line.about, Had) and line.about.card == "phoenix"]
    return any(line.mark == "look" and line.value > 0 for line in about)


if __name__ == "__main__":
    main()
