"""Is every bundled game whole, whatever its options and variants are?

    python bench/options.py [--pairs] [GAME …]

In: the bundled games, or those named. Each is checked alone and with each of its variants. Then each value of each
option is set (of a range both ends), with `--pairs` each two values of two options, and the game is laid out for the
fewest and the most who may play so, up to the first thing that somebody decides. Out: a table of how many settings were
tried, how many of them the game forbids, how many messages there were, and the seconds. Exit code 1 if there was one.
Never: plays a game; that is what `rulebook validate --play 20 --vary` does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from rulebook import library
from rulebook.dsl import ir
from rulebook.dsl.settling.forbidding import BadSettings, list_numbers, with_settings
from rulebook.dsl.settling.options import setting_text
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.lower import lower
from rulebook.loading import CheckedGame, load
from rulebook.loading.shortages import find_shortage
from rulebook.playtest.settings import choices

Settings = dict[str, str]


def values(rulebook: ir.Rulebook, option: ir.OptionDef) -> list[str]:
    """What an option is tried as, in the words of who sets it."""
    tried = list(choices(option)) or [one for one in (option.low, option.high) if one is not None]
    return [setting_text(option, one, rulebook.units) for one in tried if one != option.default]


def settings(rulebook: ir.Rulebook, *, pairs: bool) -> Iterator[Settings]:
    """Everything as it is, each value alone, and each two values of two options if that is asked for."""
    yield {}
    alone = [(name, value) for name, option in rulebook.options.items() for value in values(rulebook, option)]
    yield from ({name: value} for name, value in alone)
    if pairs:
        yield from ({a: x, b: y} for (a, x), (b, y) in combinations(alone, 2) if a != b)


def tried(loaded: CheckedGame, given: Settings) -> list[str] | None:
    """What is wrong with a game under these house rules; None if it forbids them."""
    try:
        rulebook = with_settings(loaded.rulebook, given)
    except BadSettings as bad:
        return None if all(" cannot be played so" in one for one in bad.problems) else bad.problems
    rules = {name: option.default for name, option in rulebook.options.items()}
    found = []
    playing = list_numbers(rulebook, rules)
    for players in sorted({playing[0], playing[-1]}):
        try:
            lower(rulebook, players)
        except BadSetup as bad:
            found.append(str(bad))
        short = find_shortage(rulebook, players, rules)
        if short is not None:
            found.append(f"{players} players: this {short.needs}, and {short.there}")
    return found


def looked_at(game: Path, variant: Path | None, *, pairs: bool) -> list[str]:
    """One line of the table, and the messages."""
    began = time.perf_counter()
    read = load(game, [variant] if variant else [], meant=True)
    loaded, found = read.game, read.messages
    messages = [f"{one.code} {one.message}" for one in found]
    many = forbidden = 0
    if loaded is not None:
        for given in settings(loaded.rulebook, pairs=pairs):
            said = tried(loaded, given)
            many, forbidden = many + 1, forbidden + (said is None)
            messages += [f"{given}: {one}" for one in said or ()]
    name = variant.stem if variant else ""
    seconds = time.perf_counter() - began
    print(f"{game.name:<14}{name:<24}{many:>9}{forbidden:>11}{len(messages):>10}{seconds:>9.1f}", flush=True)
    return messages


def main() -> int:
    """Looks at all of them, and prints what was found."""
    arguments = argparse.ArgumentParser(description="Is every game whole, whatever its options and variants are?")
    arguments.add_argument("--pairs", action="store_true", help="each two options together, too")
    arguments.add_argument("games", nargs="*", metavar="GAME")
    given = arguments.parse_args()
    games = [library.find_game(name) for name in given.games] or library.find_games()
    print(f"{'game':<14}{'variant':<24}{'settings':>9}{'forbidden':>11}{'messages':>10}{'seconds':>9}")
    failed = False
    for game in games:
        for variant in [None, *library.variants_of(game)]:
            messages = looked_at(game, variant, pairs=given.pairs)
            failed |= bool(messages)
            print(*(f"    {one}\n" for one in messages[:5]), sep="", end="")
    return failed


if __name__ == "__main__":
    sys.exit(main())
