"""Seek what gives a secret away in every bundled game with each of its variants: `python bench/twins.py`.

Prints a line for each form of a game, with every leak; returns 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
import time

from rulebook import library
from rulebook.diagnostics.render import render_text
from rulebook.dsl.settling.options import settle_options
from rulebook.loading import load
from rulebook.playtest.leaking.messages import search_leaks


def main() -> int:
    """Search all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="games of each form, for each of two numbers of players")
    parser.add_argument("--limit", type=int, default=5_000, help="answers of each form that are compared")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first game")
    args = parser.parse_args()
    forms = compared = leaks = 0
    for folder in library.find_games():
        for variant in (None, *sorted((folder / "variants").glob("*.yaml"))):
            began = time.perf_counter()
            rulebook = load(folder, [] if variant is None else [variant]).rulebook
            assert rulebook is not None, (folder, variant)
            options, _ = settle_options(rulebook.options, {}, rulebook.units)
            searched = search_leaks(rulebook, None, options, args.games, args.limit, args.seed)
            forms, compared, leaks = forms + 1, compared + searched.compared, leaks + len(searched.messages)
            took = f"{searched.games} games, {searched.compared:,} compared, {time.perf_counter() - began:.0f} s"
            print(f"{rulebook.title}: {took}, {len(searched.messages)} leaks", flush=True)
            print(render_text(searched.messages), end="", flush=True)
    print(f"{forms} forms, {compared:,} answers compared, {leaks} leaks.")
    return int(leaks > 0)


if __name__ == "__main__":
    sys.exit(main())
