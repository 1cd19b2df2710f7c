"""Whole trees of the classics, held against their known figures.

    python bench/tree.py [--profile] [NAME…]

In: names of trees, all of them if there is none. Out: a line for each tree with what was counted and how long it
took; exit code 1 if a figure is another one. With `--profile` also where the time went. Never: compares with an earlier
run of itself: the figures are of the literature, or were counted by OpenSpiel.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
from fractions import Fraction
from typing import Any

from attrs import frozen

from rulebook import library
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.small_games.counting import Tree, count_tree


@frozen
class Known:
    """A game with house rules, and what is known of its tree: fields of `Tree` and their values."""

    game: str
    options: dict[str, str]
    figures: dict[str, Any]


def _goofspiel(cards: int, prizes: str, **figures: Any) -> Known:
    return Known("goofspiel", {"cards": str(cards), "prizes": prizes}, {**figures, "values": (0, 0)})


KNOWN = {
    "kuhn_poker": Known(
        "kuhn_poker", {}, {"terminal": 30, "states": (6, 6), "values": (Fraction(1, 8), Fraction(-1, 8))}
    ),
    "leduc_poker": Known("leduc_poker", {}, {"histories": 1939, "terminal": 1116, "states": (144, 144)}),
    # Histories count the last bids, which OpenSpiel plays by itself: two for each finished game.
    "goofspiel_3": _goofspiel(3, "descending", histories=67 + 2 * 36, terminal=36, wins=(13, 13), draws=10),
    "goofspiel_3_random": _goofspiel(3, "random", histories=418 + 2 * 216, terminal=216, wins=(78, 78), draws=60),
    "goofspiel_4": _goofspiel(4, "descending", histories=1077 + 2 * 576, terminal=576, wins=(232, 232), draws=112),
    "goofspiel_4_random": _goofspiel(
        4, "random", histories=26773 + 2 * 13824, terminal=13824, wins=(5568, 5568), draws=2688
    ),
    "tic_tac_toe": Known(
        "tic_tac_toe",
        {},
        # At each decision the whole course so far is known, so there are as many information states as decisions.
        {
            "histories": 549_946,
            "terminal": 255_168,
            "wins": (131_184, 77_904),
            "draws": 46_080,
            "forced": 127_872,
            "states": (1 + 72 + 3_024 + 49_392 + 127_872, 9 + 504 + 13_680 + 100_224),
        },
    ),
}


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(KNOWN))
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(KNOWN))
    if unknown:
        parser.error(f"no figures are known of {', '.join(unknown)}")
    failed = False
    for name in given.names or KNOWN:
        profile = cProfile.Profile()
        tree = profile.runcall(_tree, KNOWN[name]) if given.profile else _tree(KNOWN[name])
        wrong = {
            field: getattr(tree, field) for field, value in KNOWN[name].figures.items() if getattr(tree, field) != value
        }
        failed |= bool(wrong)
        verdict = "; ".join(f"{one}: {found} instead of {KNOWN[name].figures[one]}" for one, found in wrong.items())
        per_history = 1e6 * tree.seconds / tree.histories
        print(
            f"{name:<20} {tree.histories:>8,} histories {tree.terminal:>8,} finished {tree.seconds:>7.1f} s"
            f" {per_history:>5.0f} µs each  {verdict or 'as known'}"
        )
        if given.profile:
            pstats.Stats(profile).sort_stats("tottime").print_stats(20)
    return int(failed)


def _tree(known: Known) -> Tree:
    loaded = load(library.find_game(known.game))
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    options, problems = settle_options(rulebook.options, known.options, rulebook.units)
    assert not problems, problems
    return count_tree(lower(rulebook, 2, options))


if __name__ == "__main__":
    sys.exit(main())
