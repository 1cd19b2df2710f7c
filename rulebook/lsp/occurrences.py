"""Every place at which a declared name may stand: as a key, as a leaf, in a script, in `{…}` inside a text, on the path
of a variant.

In: the files of a game, its variants and scenarios. Out: words and their places; names are told from keywords by the
parser, as in the game itself: a stage may be called `turn`. Never: takes what people read for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import evolve

from rulebook.classes import frozen
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, find_layers
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.naming.gathering import ACTION_HOOKS
from rulebook.dsl.overlay.applying import overlay
from rulebook.dsl.overlay.paths import strip_parameters
from rulebook.dsl.overlay.variant import Variant, read_variant
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import END, Trail, Unexpected
from rulebook.dsl.parsing.lexer import LayoutError, split_words
from rulebook.dsl.reading.reader import read_file
from rulebook.dsl.structuring import declarations
from rulebook.dsl.world import BUILT_IN_NAMES, TYPE_WORDS

LANGUAGE = frozenset(
    {*declarations.BANNED, *declarations.TYPES, *declarations.THERE_ALREADY, *declarations.FIELDS_OF_CARDS}
    | {*BUILT_INS, *BUILT_IN_NAMES, *TYPE_WORDS, *ACTION_HOOKS}
    | {"game", "payoff", "left", "right", "face_up", "none", "by", "asked"}
)
"""Names that mean something without being declared."""

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
HOLE = re.compile(r"\{([^{}]*)\}")
FACE = re.compile(r" face (up|down)$")
"""The side on which a card lies, behind its name, where a scenario lays it out."""

TEXTS = ("name", "text", "about")
"""Fields that people read; only what stands in `{…}` is no text there."""
FIXED = (
    "format", "players", "kept", "recall", "seen_by", "seen", "counted", "opened_at_end", "zero_sum", "from", "seed",
)  # fmt: skip
"""Fields whose values are words of the schema."""

SCRIPT_FIRST = ("script", "expression")
SCRIPT_LAST = ("expression", "ranking", "signature", "expectation", "script")
"""The ways in which a text may be read. Alone, `skip` is a sentence of a rule, but the name of a choice elsewhere."""

Keys = tuple[str, ...]
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


def collect_declared(merged: Mapping, pieces: Iterable[Piece] = ()) -> set[str]:
    """Every name that a rulebook declares, stages, choices and what varies by `each` included, and no other word."""
    found = {one.name for one in declarations.list_declared(merged)}
    for piece in pieces:
        if re.search(r"\bstage\s+$", piece.scalar.text[: piece.start]):
            found.add(piece.word)
    for path, node in _walk_nodes(merged, ()):
        if isinstance(node, Mapping) and path[0] == "cards" and path[-1] == "each":
            found |= set(node)
        declares_choices = path[0] in ("options", "kinds", "memory") and path[-2:-1] != ("words",)
        if declares_choices and isinstance(node, Sequence):
            found |= {one.text for one in node if isinstance(one, Scalar) and WORD.fullmatch(one.text)}
    return {name for name in found if name not in LANGUAGE}


# ── where names may stand ──


def list_pieces_of_file(file: Path, path: Keys) -> list[Piece]:
    read, _ = read_file(file)
    return [] if read is None else list(_list_pieces(read, path))


def list_pieces_of_variant(file: Path, base: Mapping, game: str) -> tuple[Mapping, list[Piece]] | None:
    """The game under a variant, and what may be a name in its deeds; the names of variants are none. None where it has
    mistakes.
    """
    variant = read_sound_variant(file)
    before = [] if variant is None else [read_sound_variant(file.with_stem(one.text)) for one in variant.follows]
    below = [other for other in before if other is not None]
    if variant is None or len(below) < len(before):
        return None
    followed = overlay(base, below, game, None).merged
    overlaid = overlay(base, [*below, variant], game, None)
    if overlaid.messages:
        return None
    done = [one for one in overlaid.done if one.variant == variant.id]
    pieces: list[Piece] = []
    for deed, origin in zip(variant.deeds, done, strict=True):
        if deed.verb == "set":
            pieces += _split_words(deed.path)
        else:
            root = overlaid.merged if deed.verb == "add" else followed
            pieces += _list_on_path(deed.path, root, origin.keys)
            pieces += _list_in_sentence(deed.path, root, origin.keys)
        for node in (deed.was, deed.node):
            if node is not None:
                pieces += list(_list_pieces(node, origin.keys)) or _list_in_head(node)
    return overlaid.merged, pieces


def _list_in_head(node: Node) -> list[Piece]:
    """The names in the head of a sentence, whose block the game has; none of a text, or of nothing."""
    if not isinstance(node, Scalar) or not node.text:
        return []
    block = ":\n  skip"
    pieces = _lex_names(evolve(node, text=node.text + block), node.text + block, 0, SCRIPT_FIRST)
    return [evolve(piece, scalar=node) for piece in pieces if piece.end <= len(node.text)]


def read_sound_variant(file: Path) -> Variant | None:
    """The variant in a file; None where it has mistakes."""
    variant, mistakes = read_variant(file)
    return None if mistakes else variant


def _list_on_path(path: Scalar, root: Mapping, keys: Keys) -> Iterator[Piece]:
    for above, node, key, start, end in follow_path(path, root, keys):
        if _is_name(key, node, above):
            yield from _split_words(Scalar(path.text[start:end], "plain", path.locate(start, end)))


def _list_in_sentence(path: Scalar, root: Mapping, keys: Keys) -> Iterator[Piece]:
    """The words of a sentence with which a path goes on into a script: names, where the script has them as such."""
    steps = list(follow_path(path, root, keys))
    end, node = (steps[-1][4], steps[-1][1][steps[-1][2]]) if steps else (len(path.text), root)
    if end < len(path.text) and not isinstance(node, Mapping | Sequence):
        names = {piece.word for layer in find_layers(node) for piece in _list_pieces(layer, keys)}
        for word, start, after in split_words(path.text, end + 1):
            if word in names:
                yield Piece(path, start, after)


def follow_path(path: Scalar, root: Mapping, keys: Keys) -> Iterator[tuple[Keys, Mapping, str, int, int]]:
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


def _walk_nodes(node: Node, path: Keys) -> Iterator[tuple[Keys, Node]]:
    if path:
        yield path, node
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield from _walk_nodes(value, (*path, key))
    elif isinstance(node, Sequence):
        for value in node:
            yield from _walk_nodes(value, (*path, "[]"))


def _list_pieces(node: Node, path: Keys) -> Iterator[Piece]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if _is_name(key, node, path):
                yield from _split_words(node.keys_at[key])
            yield from _list_pieces(value, (*path, key))
    elif isinstance(node, Sequence):
        for value in node:
            yield from _list_pieces(value, (*path, "[]"))
    elif is_text(path):
        for hole in HOLE.finditer(node.text):
            yield from _lex_names(node, hole[1], hole.start(1), ("expression",))
    elif not is_fixed(path):
        yield from _lex_names(node, node.text, 0, SCRIPT_FIRST if path[0] == "rules" else SCRIPT_LAST)


def _is_name(key: str, node: Mapping, path: Keys) -> bool:
    """Tell whether a key is no word of the schema and no label that people read."""
    match path:
        case () | ("places" | "memory" | "result" | "display",):
            return False
        case ("scenarios file", *inner):
            # Below the title, `given:` and `options:` speak of names; an answer's key is a player.
            return (len(inner) == 3 and inner[2] in ("given", "options")) or len(inner) > 3
        case (_,) | ("places" | "memory", _) | ("words", _):
            return True
        case ("display", "titles" | "shown" | "verbs" | "sort" | "colours" | "symbols" | "card"):
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


def is_text(path: Keys) -> bool:
    """Tell whether people read what stands there."""
    if path[0] == "scenarios file":
        return path[-1] == "about"
    if path[:2] in {("display", key) for key in ("aim", "titles", "shown", "verbs")}:
        return True
    if path[0] == "phrases" or (path[0] == "words" and len(path) == 3 and path[-1] != "[]"):
        return True
    # Also `name: {by: options.deck, …}`.
    return path[-1] in TEXTS or (path[-2:-1] != () and path[-2] in TEXTS and path[-1] != "by")


def is_fixed(path: Keys) -> bool:
    """Tell whether a word of the schema stands there."""
    if path[0] == "scenarios file":
        return path[1] == "variants" or (path[-1] in ("from", "seed", "rest") and len(path) == 4)
    if path[0] == "cards":
        return False
    if path[:2] in (("display", "colours"), ("display", "symbols")) or path[-1] in ("back", "cut", "picture"):
        return path[0] == "display"
    below = path[-2:] if len(path) > 1 and path[-1] != "by" else path[-1:]
    return any(one in FIXED for one in below)


def _split_words(scalar: Scalar) -> Iterator[Piece]:
    for found in WORD.finditer(scalar.text):
        yield Piece(scalar, found.start(), found.end())


TABLE = re.compile(r"[a-z_]+ by ([a-z_]+)")
"""A type of tables, which is no question."""


def _lex_names(scalar: Scalar, text: str, offset: int, starts: tuple[str, ...]) -> Iterator[Piece]:
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
                    yield from _lex_names(scalar, hole[1], token.start + hole.start(1), ("expression",))
        return
