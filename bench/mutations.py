"""How many slips of the pen does `rulebook validate` find? One slip at a time, in copies of the bundled games.

    python bench/mutations.py [--sample 300] [--all] [--jobs 2] [--list] [GAME…]

In: names of bundled games, all of them if there is none. In each use of a name, verb, word of the language or key,
one letter is changed, dropped, or swapped with its neighbour; and each key is dropped with all that stands below it:
in the game, and in its variants, each laid over the game alone. The own name of a declaration is no use, nor is what
only people read. Out: a table; a slip is *found* if there is a
message, *placed* if a message points at its line, *mended* if such a message also gives the true word, *undone* if its
fix writes that word, and *worse* if there are fixes, and none of them does. A slip that nobody could know from a choice
(another name or word that is there, a key that may be left out, a declaration that nothing names) is *legal* and
counted apart; `--list` prints these, and those that were missed. Exit code 1 if less than 99.5 % of the others are
found, less than 97 % of them mended, or one makes the program fall. Never: changes the games.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from slips import Slip, of_game, of_variants

from rulebook import library
from rulebook.diagnostics import Diagnostic
from rulebook.dsl.reading.folder import read_folder
from rulebook.loading import load
from rulebook.lsp.occurrences import LANGUAGE, WORD, collect_declared

FOUND, MENDED = 0.995, 0.97

OPTIONAL = (
    "name", "text", "copies", "each", "copy", "default", "lasts", "seen_by", "seen", "refill", "counted", "recall",
    "opened_at_end", "possible", "back", "zero_sum", "measures", "display", "may_do", "asks", "does", "has", "state",
    "places", "comes_with", "may_change", "units", "words", "options", "memory", "result", "values", "actions",
    "phrases",
)  # fmt: skip
"""Keys that may be left out: without them a game is another one, and no worse."""


@frozen
class Verdict:
    """What the validator said to a slip."""

    slip: Slip
    found: bool = False
    placed: bool = False
    mended: bool = False
    undone: bool = False
    changed: bool = False
    legal: bool = False
    fell: str = ""


# ── what is said to them ──


def judge(game: Path, chosen: Sequence[Slip]) -> list[Verdict]:
    """The verdicts on some slips in one game."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / game.name
        shutil.copytree(game, folder, ignore=shutil.ignore_patterns("scenarios"))
        return [verdict(game, folder, slip) for slip in chosen]


def verdict(game: Path, folder: Path, slip: Slip) -> Verdict:
    """The verdict on one slip."""
    path = folder / slip.file
    original = path.read_bytes()
    text = original.decode("utf-8")
    path.write_bytes((text[: slip.start] + slip.new + text[slip.end :]).encode("utf-8"))
    try:
        found = load(folder, [folder / slip.variant] if slip.variant else [], meant=True).messages
    except Exception as error:
        return Verdict(slip, fell=f"{type(error).__name__}: {error}")
    finally:
        path.write_bytes(original)
    if not found:
        return Verdict(slip, legal=is_legal(game, slip))
    here = [one for one in found if one.span is not None and one.span.file.name.endswith(slip.file)]
    here = [one for one in here if one.span is not None and one.span.line <= slip.line <= one.span.end_line]
    said = [" ".join([one.message, one.help, *(label.text for label in one.labels)]) for one in here]
    written = {edited(text, slip, one) for one in found if one.fix is not None}
    return Verdict(slip, True, bool(here), any(names(one, slip.old) for one in said), text in written, bool(written))


def edited(text: str, slip: Slip, found: Diagnostic) -> str:
    """The file of a slip after the fix of one message."""
    now = text[: slip.start] + slip.new + text[slip.end :]
    for edit in found.fix.edits if found.fix is not None else ():
        if edit.span.file.name.endswith(slip.file):
            now = now[: edit.span.start] + edit.text + now[edit.span.end :]
    return now


def names(message: str, word: str) -> bool:
    """Whether a message gives a word as such, alone or in a path like `jack.diamonds`; not in a quoted sentence."""
    return re.search(rf"`(\w+\.)*{re.escape(word)}(\.\w+)*`", message) is not None


def is_legal(game: Path, slip: Slip) -> bool:
    """Whether a slip without a message could have been meant."""
    if slip.kind != "key dropped":
        return slip.new in words_of(game, slip.variant)
    *above, key = slip.old.split(".")
    if slip.variant and above[:1] != ["add"]:
        return True  # a variant that does less
    above = above[1:] if slip.variant else above
    if key in OPTIONAL or "by" in above or above[:1] == ["phrases"]:
        return True
    return mentions(game, slip.variant)[key.split("(")[0]] == 0 or above[:1] == ["cards"]


@cache
def words_of(game: Path, variant: str) -> frozenset[str]:
    """Every word that means something in a game, or in a game and its variant."""
    merged, _, _ = read_folder(game)
    assert merged is not None
    return frozenset(collect_declared(merged) | LANGUAGE | set(written_in(game, variant)))


@cache
def mentions(game: Path, variant: str) -> Counter[str]:
    """How often each word stands there, beyond where it is declared."""
    return Counter({word: number - 1 for word, number in Counter(written_in(game, variant)).items()})


def written_in(game: Path, variant: str) -> list[str]:
    """The words of all files of a game, and of its variant."""
    _, sources, _ = read_folder(game)
    texts = [*sources.values(), *([(game / variant).read_text("utf-8")] if variant else [])]
    return [word for text in texts for word in WORD.findall(text)]


# ── the work ──


def main() -> int:
    """Slip, and print what came of it."""
    arguments = argparse.ArgumentParser(description="How many slips of the pen does `rulebook validate` find?")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--sample", type=int, default=300, help="slips in each game (300)")
    arguments.add_argument("--all", action="store_true", help="every slip")
    arguments.add_argument("--jobs", type=int, default=2, help="processes (2)")
    arguments.add_argument("--list", action="store_true", help="print what was legal, missed, or not mended")
    given = arguments.parse_args()
    print(f"{'game':<20} {'slips':>7} {'legal':>7} {'found':>7} {'missed':>7} {'placed':>8} {'mended':>8}", end=" ")
    print(f"{'undone':>8} {'worse':>7} {'fell':>6}")
    everything: list[Verdict] = []
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        asked = [library.find_game(name) for name in given.names] or library.find_games()
        for name, game, chosen in rows(asked):
            if not given.all and len(chosen) > given.sample:
                chosen = random.Random(name).sample(chosen, given.sample)
            pieces = [chosen[start : start + 25] for start in range(0, len(chosen), 25)]
            verdicts = [one for piece in pool.map(judge, [game] * len(pieces), pieces) for one in piece]
            everything += verdicts
            print(row(name, verdicts), flush=True)
            if given.list:
                for one in verdicts:
                    if one.fell or not one.mended:
                        print(f"  {word_for(one):<10} {one.slip.file}:{one.slip.line} {described(one)}", flush=True)
    print(row("all", everything))
    judged = [one for one in everything if not one.legal]
    found = sum(one.found for one in judged) / max(1, len(judged))
    words = [one for one in judged if one.slip.kind != "key dropped"]
    mended = sum(one.placed and one.mended for one in words) / max(1, len(words))
    print(f"found {found:.2%} (at least {FOUND:.1%})")
    print(f"in its line, with the true word: {mended:.2%} (at least {MENDED:.0%})")
    return 0 if found >= FOUND and mended >= MENDED and not any(one.fell for one in everything) else 1


def rows(games: Sequence[Path]) -> Iterator[tuple[str, Path, list[Slip]]]:
    """The lines of the table: their names, the games, and the slips in them."""
    for game in games:
        yield game.name, game, of_game(game)
        if library.variants_of(game):
            yield f"{game.name} variants", game, of_variants(game)


def row(name: str, verdicts: Sequence[Verdict]) -> str:
    """One line of the table."""
    words = [one for one in verdicts if not one.legal and one.slip.kind != "key dropped"]

    def share(those: Iterable[bool]) -> str:
        return f"{sum(those) / max(1, len(words)):.1%}"

    placed, mended, undone = (share(getattr(one, what) for one in words) for what in ("placed", "mended", "undone"))
    worse = share(one.changed and not one.undone for one in words)
    legal, found = sum(one.legal for one in verdicts), sum(one.found for one in verdicts)
    fell = sum(bool(one.fell) for one in verdicts)
    missed = len(verdicts) - legal - found - fell
    counts = f"{len(verdicts):>7} {legal:>7} {found:>7} {missed:>7}"
    return f"{name:<20} {counts} {placed:>8} {mended:>8} {undone:>8} {worse:>7} {fell:>6}"


def word_for(one: Verdict) -> str:
    """What became of a slip, in a word."""
    if one.fell:
        return "FELL"
    if one.legal:
        return "legal"
    if not one.found:
        return "MISSED"
    return "elsewhere" if not one.placed else "not mended"


def described(one: Verdict) -> str:
    """A slip in words."""
    what = one.slip.old if one.slip.kind == "key dropped" else f"{one.slip.old} → {one.slip.new}"
    return f"{what} ({one.slip.kind}) {one.fell}"


if __name__ == "__main__":
    sys.exit(main())
