"""How many slips of the pen does `rulebook validate` find? One slip at a time, in copies of the bundled games.

    python bench/mutations.py [--sample 300] [--all] [--jobs 2] [--list] [GAME…]

In: names of bundled games, all of them if there is none. In each use of a name, verb, word of the language or key,
one letter is changed, dropped, or swapped with its neighbour; and each key is dropped with all that stands below it.
The own name of a declaration is no use, nor is what only people read. Out: a table; a slip is *found* if there is a
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

from attrs import evolve, frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from renaming import HOLE, LANGUAGE, SCRIPT_FIRST, SCRIPT_LAST, WORD, _is_fixed, _is_text, declared_names

from rulebook import library
from rulebook.diagnostics import Diagnostic
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.document import Sequence as Items
from rulebook.dsl.folder import read_folder
from rulebook.dsl.grammar import grammar
from rulebook.dsl.lalr import Parser, Unexpected
from rulebook.dsl.lexer import LayoutError, Token
from rulebook.dsl.reader import read_file
from rulebook.loading import load

FOUND, MENDED = 0.995, 0.97

BINDERS = (
    "names", "each_chooses", "each_chooses_block", "draw", "do", "let", "each", "repeat", "loop", "stage", "offer",
    "for_", "parameter", "signature",
)  # fmt: skip
"""Rules of the grammar in which a bare name is given a meaning instead of used."""

OPTIONAL = (
    "name", "text", "copies", "each", "copy", "default", "lasts", "seen_by", "seen", "refill", "counted", "recall",
    "opened_at_end", "possible", "back", "zero_sum", "measures", "display", "may_do", "asks", "does", "has", "state",
    "places", "comes_with", "may_change", "units", "words", "options", "memory", "result", "values", "actions",
)  # fmt: skip
"""Keys that may be left out: without them a game is another one, and no worse."""


@frozen
class Slip:
    """`file[start:end]`, which was `old`, becomes `new`; `kind` says what was done."""

    file: str
    start: int
    end: int
    old: str
    new: str
    kind: str
    line: int


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


# ── the slips ──


def slips(game: Path) -> list[Slip]:
    """All slips in the files of a game, scenarios left out."""
    merged, sources, found = read_folder(game)
    assert merged is not None and not found, found
    texts = text_attributes(merged)
    made: list[Slip] = []
    for name in sources:
        read, found = read_file(game / name)
        assert read is not None, found
        for scalar, start, end in uses(read, (), texts):
            span = scalar.locate(start, end)
            if span.text == scalar.text[start:end] and span.start < span.end:
                at = Slip(name, span.start, span.end, span.text, "", "", span.line)
                made += [evolve(at, new=new, kind=kind) for kind, new in slipped(span.text)]
        made += dropped(read, name, ())
    return made


def slipped(word: str) -> Iterator[tuple[str, str]]:
    """One letter changed, dropped, and swapped with the next, at places that depend on the word alone."""
    chance = random.Random(word)
    at = chance.randrange(len(word))
    other = chance.choice([one for one in "abcdefghijklmnopqrstuvwxyz" if one != word[at]])
    yield "changed", word[:at] + other + word[at + 1 :]
    if len(word) > 1:
        yield "dropped", word[:at] + word[at + 1 :]
        pairs = [one for one in range(len(word) - 1) if word[one] != word[one + 1]]
        if pairs:
            at = chance.choice(pairs)
            yield "swapped", word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def text_attributes(merged: Mapping) -> frozenset[str]:
    """Attributes of cards that are texts: what stands there is any words, and only people read it."""
    kinds = merged.get("kinds")
    entries = kinds.values() if isinstance(kinds, Mapping) else ()
    has = [kind.get("has") for kind in entries if isinstance(kind, Mapping)]
    found = set()
    for one in has:
        for name, type in one.items() if isinstance(one, Mapping) else ():
            given = type.get("type") if isinstance(type, Mapping) else type
            if isinstance(given, Scalar) and given.text == "text":
                found.add(name)
    return frozenset(found)


def uses(node: Node, path: tuple[str, ...], texts: frozenset[str]) -> Iterator[tuple[Scalar, int, int]]:
    """Each use of a word in a file: the scalar it stands in, and where."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if is_used(path, key, node):
                scalar = node.keys_at[key]
                yield from ((scalar, one.start(), one.end()) for one in WORD.finditer(scalar.text))
            elif declares_a_signature(path):
                yield from script_words(node.keys_at[key], key, 0, ("signature",))
            yield from uses(value, (*path, key), texts)
    elif isinstance(node, Items):
        for value in node:
            yield from uses(value, (*path, "[]"), texts)
    elif isinstance(node, Scalar):
        if path[0] in ("display", "measures") or (path[0] == "cards" and path[-1] in texts):
            return
        if _is_text(path):
            if path[:1] != ("words",) and path != ("name",):
                for hole in HOLE.finditer(node.text):
                    yield from script_words(node, hole[1], hole.start(1), ("expression",))
        elif _is_fixed(path) or not declares_words(path):
            yield from script_words(node, node.text, 0, SCRIPT_FIRST if path[0] == "rules" else SCRIPT_LAST)


def is_used(path: tuple[str, ...], key: str, node: Mapping) -> bool:
    """Whether a key is a word of the language, or a name that is declared elsewhere."""
    match path:
        case ("display" | "measures", *_):
            return False
        case () | ("kinds" | "options" | "actions" | "cards", _) | ("kinds", _, "may_change"):
            return True
        case ("cards", _, "copies", *_) | ("cards", _, "each"):
            return True
        case ("result",):
            return "(" not in key
        case ("places" | "memory",):
            return True
        case ("places", _, _) | ("memory", _, _) | ("kinds", _, "has" | "state" | "places" | "asks", _):
            return True
    return "by" in node


def declares_a_signature(path: tuple[str, ...]) -> bool:
    """Whether keys here may say in brackets what something needs to know."""
    match path:
        case ("values" | "rules",) | ("kinds", _, "asks" | "does" | "may_do"):
            return True
    return False


def declares_words(path: tuple[str, ...]) -> bool:
    """Whether the items of a list here are words that are declared by standing there."""
    match path:
        case ("words", *_) | ("options", _, "type", "[]") | ("kinds", _, "has" | "state", *_, "[]"):
            return True
    return False


def script_words(scalar: Scalar, text: str, offset: int, starts: Sequence[str]) -> Iterator[tuple[Scalar, int, int]]:
    """The words of a script or question that are used in it."""
    for start in starts:
        noted = Noted()
        try:
            noting().parse(" " * offset + text if offset else text, start, noted)
        except (Unexpected, LayoutError):
            continue
        inside = [(one.start, one.end) for one in noted.texts]
        covered = [*inside, *((offset + one.start(), offset + one.end()) for one in COMMENT.finditer(text))]
        for word in WORD.finditer(text):
            at = offset + word.start()
            if at not in noted.bound and not any(low <= at < high for low, high in covered):
                yield scalar, at, offset + word.end()
        for one in noted.texts:
            for hole in HOLE.finditer(one.text):
                yield from script_words(scalar, hole[1], one.start + hole.start(1), ("expression",))
        return


COMMENT = re.compile(r"#[^\n]*")


class Noted:
    """Where a script gives names a meaning, and its texts in quotes."""

    def __init__(self) -> None:
        self.bound: set[int] = set()
        self.texts: list[Token] = []

    def at(self, start: int, end: int) -> None:
        """Places are those of tokens."""

    def binds(self, at: None, *pieces: object) -> None:
        """A rule that gives its bare names a meaning."""
        self.bound |= {one.start for one in pieces if isinstance(one, Token) and one.sort == "NAME"}

    def uses(self, at: None, *pieces: object) -> None:
        """Any other rule."""

    def text(self, at: None, token: Token) -> None:
        """A text in quotes."""
        self.texts.append(token)


@cache
def noting() -> Parser:
    """A parser that makes nothing, and notes that."""
    names = {rule.name for rule in grammar().rules if rule.name}
    makes = {name: Noted.binds if name in BINDERS else Noted.uses for name in names}
    return Parser(grammar(), {**makes, "STRING": Noted.text})


def dropped(node: Node, file: str, path: tuple[str, ...]) -> Iterator[Slip]:
    """Each key, dropped with all that stands below it."""
    if isinstance(node, Items):
        for value in node:
            yield from dropped(value, file, (*path, "[]"))
    if not isinstance(node, Mapping):
        return
    keys = list(node)
    for number, key in enumerate(keys):
        yield from dropped(node[key], file, (*path, key))
        if path[:1] in (("display",), ("measures",)) or is_line_for_people(path):
            continue
        start = node.keys_at[key].span.start
        text = node.span.file.text
        if number + 1 < len(keys):
            end = node.keys_at[keys[number + 1]].span.start
        else:
            end = node.span.end
            if number and text[node.span.start] == "{":
                end -= 1
                start = text.rindex(",", 0, start)
        if len(keys) > 1:
            yield Slip(file, start, end, ".".join((*path, key)), "", "key dropped", node.keys_at[key].span.line)


def is_line_for_people(path: tuple[str, ...]) -> bool:
    """Whether the keys here are names of conditions or of parts of a sum: without one there are fewer."""
    return (
        len(path) in (2, 3)
        and path[0] in ("values", "cards")
        and path[-1] not in ("copies", "each")
        and (path[0] == "values" or len(path) == 3)
    )


# ── what is said to them ──


def judge(game: Path, chosen: Sequence[Slip]) -> list[Verdict]:
    """The verdicts on some slips in one game."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / game.name
        shutil.copytree(game, folder, ignore=shutil.ignore_patterns("scenarios", "variants"))
        return [verdict(game, folder, slip) for slip in chosen]


def verdict(game: Path, folder: Path, slip: Slip) -> Verdict:
    """The verdict on one slip."""
    path = folder / slip.file
    original = path.read_bytes()
    text = original.decode("utf-8")
    path.write_bytes((text[: slip.start] + slip.new + text[slip.end :]).encode("utf-8"))
    try:
        _, found = load(folder, meant=True)
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
        return slip.new in words_of(game)
    *above, key = slip.old.split(".")
    if key in OPTIONAL or "by" in above:
        return True
    return mentions(game)[key.split("(")[0]] == 0 or above[:1] == ["cards"]


@cache
def words_of(game: Path) -> frozenset[str]:
    """Every word that means something in a game."""
    merged, sources, _ = read_folder(game)
    assert merged is not None
    bound = {word for text in sources.values() for word in WORD.findall(text)}
    return frozenset(declared_names(merged) | LANGUAGE | bound)


@cache
def mentions(game: Path) -> Counter[str]:
    """How often each word stands in a game, beyond where it is declared."""
    _, sources, _ = read_folder(game)
    counted = Counter(word for text in sources.values() for word in WORD.findall(text))
    return Counter({word: number - 1 for word, number in counted.items()})


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
    print(f"{'game':<16} {'slips':>7} {'legal':>7} {'found':>7} {'missed':>7} {'placed':>8} {'mended':>8}", end=" ")
    print(f"{'undone':>8} {'worse':>7} {'fell':>6}")
    everything: list[Verdict] = []
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        for game in [library.find(name) for name in given.names] or library.games():
            chosen = slips(game)
            if not given.all and len(chosen) > given.sample:
                chosen = random.Random(game.name).sample(chosen, given.sample)
            pieces = [chosen[start : start + 25] for start in range(0, len(chosen), 25)]
            verdicts = [one for piece in pool.map(judge, [game] * len(pieces), pieces) for one in piece]
            everything += verdicts
            print(row(game.name, verdicts), flush=True)
            if given.list:
                for one in verdicts:
                    if one.fell or not one.mended:
                        print(f"  {word_for(one):<10} {one.slip.file}:{one.slip.line} {described(one)}")
    print(row("all", everything))
    asked = [one for one in everything if not one.legal]
    found = sum(one.found for one in asked) / max(1, len(asked))
    words = [one for one in asked if one.slip.kind != "key dropped"]
    mended = sum(one.placed and one.mended for one in words) / max(1, len(words))
    print(f"found {found:.2%} (at least {FOUND:.1%})")
    print(f"in its line, with the true word: {mended:.2%} (at least {MENDED:.0%})")
    return 0 if found >= FOUND and mended >= MENDED and not any(one.fell for one in everything) else 1


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
    return f"{name:<16} {counts} {placed:>8} {mended:>8} {undone:>8} {worse:>7} {fell:>6}"


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
