"""Slips of the pen: each use of a word in a game and its variants, with one letter wrong, and each key, dropped.

In: the folder of a game. Out: the slips, each an edit of one file. A word is *used* where it stands for something that
is declared elsewhere, or is a word of the language. The own name of a declaration is no use, nor is what only people
read. Never: writes a file.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from attrs import evolve, frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from rulebook import library
from rulebook.dsl.document import Mapping, Node, Scalar
from rulebook.dsl.document import Sequence as Items
from rulebook.dsl.overlay.applying import overlay
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import Parser, Unexpected
from rulebook.dsl.parsing.lexer import LayoutError, Token
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.reading.reader import read_file
from rulebook.lsp.occurrences import (
    HOLE,
    SCRIPT_FIRST,
    SCRIPT_LAST,
    WORD,
    follow_path,
    is_fixed,
    is_text,
    read_sound_variant,
)

__all__ = ["Slip", "of_game", "of_variants"]

BINDERS = (
    "names", "each_chooses", "each_chooses_block", "draw", "do", "let", "each", "repeat", "loop", "stage", "offer",
    "for_", "parameter", "signature",
)  # fmt: skip
"""Rules of the grammar in which a bare name is given a meaning instead of used."""

Use = tuple[Scalar, int, int]
"""A word that is used: the scalar it stands in, and where."""


@frozen
class Slip:
    """`file[start:end]`, which was `old`, becomes `new`; `kind` says what was done.

    `variant` is the file of the variant that it is in, below the game's folder; empty for the game itself.
    """

    file: str
    start: int
    end: int
    old: str
    new: str
    kind: str
    line: int
    variant: str = ""


def of_game(game: Path) -> list[Slip]:
    """All slips in the files of a game, scenarios and variants left out."""
    merged, sources, found = read_folder(game)
    assert merged is not None and not found, found
    texts = text_attributes(merged)
    made: list[Slip] = []
    for name in sources:
        read, found = read_file(game / name)
        assert read is not None, found
        made += in_words(name, uses(read, (), texts))
        made += dropped(read, name, ())
    return made


def of_variants(game: Path) -> list[Slip]:
    """All slips in the variants beside a game."""
    merged, _, _ = read_folder(game)
    assert merged is not None
    made: list[Slip] = []
    for path in library.variants_of(game):
        name = path.relative_to(game).as_posix()
        read, found = read_file(path)
        assert read is not None, found
        inside = [*in_words(name, variant_uses(path, read, merged, game.name)), *dropped(read, name, ())]
        made += [evolve(one, variant=name) for one in inside]
    return made


def in_words(name: str, used: Iterator[Use]) -> Iterator[Slip]:
    """The slips in the words that a file uses."""
    for scalar, start, end in used:
        span = scalar.locate(start, end)
        if span.text == scalar.text[start:end] and span.start < span.end:
            at = Slip(name, span.start, span.end, span.text, "", "", span.line)
            yield from (evolve(at, new=new, kind=kind) for kind, new in slipped(span.text))


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


def uses(node: Node, path: tuple[str, ...], texts: frozenset[str]) -> Iterator[Use]:
    """Each use of a word in a file."""
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
        if is_text(path):
            if path[:1] != ("words",) and path != ("name",):
                for hole in HOLE.finditer(node.text):
                    yield from script_words(node, hole[1], hole.start(1), ("expression",))
        elif is_fixed(path) or not declares_words(path):
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


def script_words(scalar: Scalar, text: str, offset: int, starts: Sequence[str]) -> Iterator[Use]:
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

    source = None
    """Places are those of tokens."""

    def __init__(self) -> None:
        self.bound: set[int] = set()
        self.texts: list[Token] = []

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
    return Parser(grammar(), {**makes, "STRING": Noted.text}, lambda place: None)


# ── the words of a variant ──


def variant_uses(path: Path, read: Mapping, base: Mapping, game: str) -> Iterator[Use]:
    """Each use of a word in a variant: its keys, other variants, paths, and what it puts there."""
    variant = read_sound_variant(path)
    assert variant is not None, path
    below = [read_sound_variant(path.with_stem(one.text)) for one in variant.follows]
    before = [other for other in below if other is not None]
    followed = overlay(base, before, game).merged
    overlaid = overlay(base, [*before, variant], game)
    texts = text_attributes(overlaid.merged)
    for key in read.keys_at.values():
        yield from words(key)
    assert variant.extends is not None
    yield from words(variant.extends)
    for one in [*variant.follows, *(name for name, _ in variant.not_with.values())]:
        yield from words(one)
    done = [one for one in overlaid.done if one.variant == variant.id]
    for deed, origin in zip(variant.deeds, done, strict=True):
        if deed.verb == "set":
            yield from words(deed.path)
        else:
            yield from on_path(deed.path, overlaid.merged if deed.verb == "add" else followed, origin.keys, deed.verb)
        for node in (deed.was, deed.node):
            if node is not None:
                yield from uses(node, origin.keys, texts)


def words(scalar: Scalar) -> Iterator[Use]:
    """All words of a scalar."""
    yield from ((scalar, one.start(), one.end()) for one in WORD.finditer(scalar.text))


def on_path(path: Scalar, root: Mapping, keys: tuple[str, ...], verb: str) -> Iterator[Use]:
    """The words of a path that are used: all of them, but for the own name of what is added."""
    for above, node, key, start, end in follow_path(path, root, keys):
        if verb != "add" or len(above) + 1 < len(keys) or is_used(above, key, node):
            yield from ((path, start + one.start(), start + one.end()) for one in WORD.finditer(path.text[start:end]))


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
