"""A game in which every declared name is nonsense, and everything else as it was.

In: the folder of a game, and where the copy shall lie. Out: the copy, variants and scenarios included, and which name
became which. A word becomes the same nonsense wherever it stands for something: as a key, as a leaf, as a name in a
script, in `{…}` inside a text, on the path of a variant. Words are told from keywords by the parser, as in the game
itself: a stage may be called `turn`. Never: touches what people read, or a name that the language itself gives a
meaning.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, find_layers
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.naming.gathering import ACTION_HOOKS
from rulebook.dsl.overlay.applying import overlay
from rulebook.dsl.overlay.paths import strip_parameters
from rulebook.dsl.overlay.variant import Variant, read_variant
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import END, Trail, Unexpected
from rulebook.dsl.parsing.lexer import LayoutError, split_words
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.reading.reader import read_file
from rulebook.dsl.structuring import declarations
from rulebook.dsl.world import BUILT_IN_NAMES, TYPE_WORDS
from rulebook.library import scenario_files, variants_of
from rulebook.plurals import plural

LANGUAGE = frozenset(
    {*declarations.BANNED, *declarations._TYPES, *declarations._THERE_ALREADY, *declarations._FIELDS_OF_CARDS}
    | {*BUILT_INS, *BUILT_IN_NAMES, *TYPE_WORDS, *ACTION_HOOKS}
    | {"game", "payoff", "left", "right", "face_up", "none", "by", "asked"}
)
"""Names that mean something without being declared."""

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
HOLE = re.compile(r"\{([^{}]*)\}")
FACE = re.compile(r" face (up|down)$")
"""How a card lies, behind its name, where a scenario lays it out."""

TEXTS = ("name", "text", "about")
"""Fields that people read; only what stands in `{…}` is no text there."""
FIXED = (
    "format", "players", "kept", "recall", "seen_by", "seen", "counted", "opened_at_end", "zero_sum", "from", "seed",
)  # fmt: skip
"""Fields whose values are words of the schema."""

SCRIPT_FIRST = ("script", "expression")
SCRIPT_LAST = ("expression", "ranking", "signature", "expectation", "script")
"""How a text may be read. Alone, `skip` is a sentence of a rule, but the name of a choice elsewhere."""

Path_ = tuple[str, ...]
"""The keys above a node, outermost first; `[]` for an item of a list."""


@frozen
class Piece:
    """A part of a scalar that may be a declared name: `text[start:end]`."""

    scalar: Scalar
    start: int
    end: int

    @property
    def word(self) -> str:
        """The name."""
        return self.scalar.text[self.start : self.end]


@frozen
class Renamed:
    """The copy, and what each name became."""

    folder: Path
    names: dict[str, str]
    words: dict[str, str] = field(init=False)
    """The names, and several of each."""

    @words.default
    def _several(self) -> dict[str, str]:
        return {plural(old): plural(new) for old, new in self.names.items()} | self.names

    def word(self, text: str) -> str:
        """A text in which every word is renamed that is a declared name, or several of one (`2 chips`)."""
        return WORD.sub(lambda found: self.words.get(found[0], found[0]), text)

    def same(self, old: Any, new: Any, sorts: bool = True) -> bool:
        """Whether two plain values are the same but for the names.

        With `sorts`, a list that is sorted by names may stand in another order. In texts for people some words
        are names (a unit) and some only look like one, so there both must give the same text when all of them
        are renamed.
        """
        if isinstance(old, dict):
            keys = {self.word(key): value for key, value in old.items()}
            if not isinstance(new, dict):
                return False
            news = {self.word(key): value for key, value in new.items()}
            return keys.keys() == news.keys() and all(self.same(keys[key], news[key], sorts) for key in keys)
        if isinstance(old, list | tuple):
            if not isinstance(new, list | tuple) or len(old) != len(new):
                return False
            if sorts and old and all(isinstance(one, str) for one in old) and list(old) == sorted(old):
                return sorted(self.word(one) for one in old) == sorted(self.word(one) for one in new)
            return all(self.same(one, other, sorts) for one, other in zip(old, new, strict=True))
        if isinstance(old, str):
            return isinstance(new, str) and self.word(old) == self.word(new)
        return bool(old == new)


def rename(game: Path, parent: Path, seed: int = 0) -> Renamed:
    """Write the copy into a folder of the same name below `parent`."""
    merged, sources, found = read_folder(game)
    assert merged is not None, found
    pieces = {game / file: _pieces_of_file(game / file, ()) for file in sources}
    declared = declared_names(merged, [piece for found in pieces.values() for piece in found])
    for path in variants_of(game):
        resolved, pieces[path] = _pieces_of_variant(path, merged, game.name)
        declared |= declared_names(resolved, pieces[path])
    for path in scenario_files(game):
        pieces[path] = _pieces_of_file(path, ("scenarios file",))
    names = _nonsense(declared, seed)
    folder = parent / game.name
    for path, found_there in pieces.items():
        goal = folder / path.relative_to(game)
        goal.parent.mkdir(parents=True, exist_ok=True)
        _write(path, goal, found_there, names)
    return Renamed(folder, names)


def declared_names(merged: Mapping, pieces: Iterable[Piece] = ()) -> set[str]:
    """Every name that a rulebook declares, stages, choices and what varies by `each` included, and no other word."""
    found = {one.name for one in declarations.list_declared(merged)}
    for piece in pieces:
        if re.search(r"\bstage\s+$", piece.scalar.text[: piece.start]):
            found.add(piece.word)
    for path, node in _nodes(merged, ()):
        if isinstance(node, Mapping) and path[0] == "cards" and path[-1] == "each":
            found |= set(node)
        declares_choices = path[0] in ("options", "kinds", "memory") and path[-2:-1] != ("words",)
        if declares_choices and isinstance(node, Sequence):
            found |= {one.text for one in node if isinstance(one, Scalar) and WORD.fullmatch(one.text)}
    return {name for name in found if name not in LANGUAGE}


def _nonsense(names: set[str], seed: int) -> dict[str, str]:
    """Names that say nothing, in an order that has nothing to do with that of the true ones.

    What has a capital letter (`CU`) keeps one: a unit in small letters has a plural.
    """
    numbers = list(range(1, len(names) + 1))
    random.Random(seed).shuffle(numbers)
    return {
        name: f"{'x' if name.islower() else 'X'}{number}" for name, number in zip(sorted(names), numbers, strict=True)
    }


def _write(source: Path, goal: Path, pieces: Iterable[Piece], names: dict[str, str]) -> None:
    text = source.read_bytes().decode("utf-8")
    edits = {}
    for piece in pieces:
        if piece.word in names:
            span = piece.scalar.locate(piece.start, piece.end)
            assert span.text == piece.word, f"{source.name}:{span.line}: {span.text!r} is not {piece.word!r}"
            edits[span.start, span.end] = names[piece.word]
    for (start, end), new in sorted(edits.items(), reverse=True):
        text = text[:start] + new + text[end:]
    goal.write_bytes(text.encode("utf-8"))


# ── where names may stand ──


def _pieces_of_file(file: Path, path: Path_) -> list[Piece]:
    read, found = read_file(file)
    assert read is not None, found
    return list(_pieces(read, path))


def _pieces_of_variant(file: Path, base: Mapping, game: str) -> tuple[Mapping, list[Piece]]:
    """The game under a variant, and what may be a name in its deeds; the names of variants are none."""
    variant = variant_in(file)
    before = [variant_in(file.with_stem(one.text)) for one in variant.follows]
    followed = overlay(base, before, game).merged
    overlaid = overlay(base, [*before, variant], game)
    done = [one for one in overlaid.done if one.variant == variant.id]
    pieces: list[Piece] = []
    for deed, origin in zip(variant.deeds, done, strict=True):
        if deed.verb == "set":
            pieces += _words(deed.path)
        else:
            root = overlaid.merged if deed.verb == "add" else followed
            pieces += _on_path(deed.path, root, origin.keys)
            pieces += _in_sentence(deed.path, root, origin.keys)
        for node in (deed.was, deed.node):
            if node is not None:
                pieces += list(_pieces(node, origin.keys)) or _pieces_of_head(node)
    return overlaid.merged, pieces


def _pieces_of_head(node: Node) -> list[Piece]:
    """The names in the head of a sentence, whose block the game has; none of a text, or of nothing."""
    if not isinstance(node, Scalar) or not node.text:
        return []
    block = ":\n  skip"
    pieces = _names(evolve(node, text=node.text + block), node.text + block, 0, SCRIPT_FIRST)
    return [evolve(piece, scalar=node) for piece in pieces if piece.end <= len(node.text)]


def variant_in(file: Path) -> Variant:
    """The variant in a file without mistakes."""
    variant, found = read_variant(file)
    assert variant is not None, found
    return variant


def _on_path(path: Scalar, root: Mapping, keys: Path_) -> Iterator[Piece]:
    for above, node, key, start, end in along(path, root, keys):
        if _is_name(key, node, above):
            yield from _words(Scalar(path.text[start:end], "plain", path.locate(start, end)))


def _in_sentence(path: Scalar, root: Mapping, keys: Path_) -> Iterator[Piece]:
    """The words of a sentence with which a path goes on into a script: names, where the script has them as such."""
    steps = list(along(path, root, keys))
    end, node = (steps[-1][4], steps[-1][1][steps[-1][2]]) if steps else (len(path.text), root)
    if end < len(path.text) and not isinstance(node, Mapping | Sequence):
        names = {piece.word for layer in find_layers(node) for piece in _pieces(layer, keys)}
        for word, start, after in split_words(path.text, end + 1):
            if word in names:
                yield Piece(path, start, after)


def along(path: Scalar, root: Mapping, keys: Path_) -> Iterator[tuple[Path_, Mapping, str, int, int]]:
    """The keys of a path below a node: those above it, the mapping it is in, the key, and where the path has it.

    The parameters of a key may have been left out, and an action alone means its effect.
    """
    node: Node = root
    start = 0
    for number, key in enumerate(keys):
        if start > len(path.text):
            return
        assert isinstance(node, Mapping)
        end = start + len(key if path.text.startswith(key, start) else strip_parameters(key))
        yield keys[:number], node, key, start, end
        node, start = node[key], end + 1


def _nodes(node: Node, path: Path_) -> Iterator[tuple[Path_, Node]]:
    if path:
        yield path, node
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from _nodes(value, (*path, key))
    elif isinstance(node, Sequence):
        for value in node:
            yield from _nodes(value, (*path, "[]"))


def _pieces(node: Node, path: Path_) -> Iterator[Piece]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if _is_name(key, node, path):
                yield from _words(node.keys_at[key])
            yield from _pieces(value, (*path, key))
    elif isinstance(node, Sequence):
        for value in node:
            yield from _pieces(value, (*path, "[]"))
    elif is_text(path):
        for hole in HOLE.finditer(node.text):
            yield from _names(node, hole[1], hole.start(1), ("expression",))
    elif not is_fixed(path):
        yield from _names(node, node.text, 0, SCRIPT_FIRST if path[0] == "rules" else SCRIPT_LAST)


def _is_name(key: str, node: Mapping, path: Path_) -> bool:
    """Whether a key is no word of the schema and no label that people read."""
    match path:
        case () | ("places" | "memory" | "result" | "display",):
            return False
        case ("scenarios file", *inner):
            # Below the title, `given:` and `options:` speak of names; an answer's key is a player.
            return (len(inner) == 3 and inner[2] in ("given", "options")) or len(inner) > 3
        case (_,) | ("places" | "memory", _) | ("words", _):
            return True
        case ("display", "titles" | "shown" | "sort" | "colours" | "symbols" | "card"):
            return True
        case ("kinds", _, section):
            return section in ("has", "state", "places", "comes_with", "asks", "does", "may_do", "may_change")
        case ("cards", _):
            return True  # `kind` and the like are words of the language anyway
        case ("cards", _, "copies", *_) | ("cards", _, "each"):
            return True
        case ("cards", _, _):
            return True  # of a table, the words that it is kept by; a question by option has `by` and values
    return "by" in node


def is_text(path: Path_) -> bool:
    """Whether people read what stands there."""
    if path[0] == "scenarios file":
        return path[-1] == "about"
    if path[:2] in (("display", "aim"), ("display", "titles"), ("display", "shown")):
        return True
    if path[0] == "phrases" or (path[0] == "words" and len(path) == 3 and path[-1] != "[]"):
        return True
    # Also `name: {by: options.deck, …}`.
    return path[-1] in TEXTS or (path[-2:-1] != () and path[-2] in TEXTS and path[-1] != "by")


def is_fixed(path: Path_) -> bool:
    """Whether a word of the schema stands there."""
    if path[0] == "scenarios file":
        return path[1] == "variants" or (path[-1] in ("from", "seed", "rest") and len(path) == 4)
    if path[0] == "cards":
        return False
    if path[:2] in (("display", "colours"), ("display", "symbols")) or path[-1] in ("back", "picture"):
        return path[0] == "display"
    below = path[-2:] if len(path) > 1 and path[-1] != "by" else path[-1:]
    return any(one in FIXED for one in below)


def _words(scalar: Scalar) -> Iterator[Piece]:
    for found in WORD.finditer(scalar.text):
        yield Piece(scalar, found.start(), found.end())


TABLE = re.compile(r"[a-z_]+ by ([a-z_]+)")
"""A type of tables, which is no question."""


def _names(scalar: Scalar, text: str, offset: int, starts: tuple[str, ...]) -> Iterator[Piece]:
    """The names in a script or question; none in a text that is neither."""
    text = FACE.sub("", text)
    if table := TABLE.fullmatch(text):
        yield Piece(scalar, offset + table.start(1), offset + table.end(1))
        return
    for start in starts:
        try:
            trail = Trail.from_start(grammar(), start)
            found = trail.lex_next(" " * offset + text if offset else text)
            if not trail.takes(END):
                continue
        except (Unexpected, LayoutError):
            continue
        for token in found:
            if token.sort == "NAME":
                yield Piece(scalar, token.start, token.end)
            elif token.sort == "STRING":
                for hole in HOLE.finditer(token.text):
                    yield from _names(scalar, hole[1], token.start + hole.start(1), ("expression",))
        return
