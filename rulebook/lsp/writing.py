"""Suggestions for a place of a script: names, and words of the language that fit there.

In: the text of a file, an offset in it, the names of the game. Out: suggestions. It is the parser that knows: the
script up to the offset is read, and what could come next is what its table would take. Never: suggests keys of YAML,
which the JSON Schema does.

`draw 1 from ` suggests places and other names, and not `to`; `me.` what players have. What fits best comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebook.classes import frozen
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import Trail
from rulebook.dsl.parsing.lexer import LayoutError, lex
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.structuring.declarations import Declared
from rulebook.dsl.structuring.forms import SEEN_BY
from rulebook.dsl.world import BUILT_IN_NAMES
from rulebook.lsp.occurrences import HOLE, SCRIPT_FIRST, SCRIPT_LAST, Keys, is_fixed, is_text
from rulebook.lsp.workspace import Names
from rulebook.source import SourceFile

__all__ = ["Suggestion", "name_section", "suggest"]

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
_WORDS = re.compile(r"[a-z_][a-z0-9_]*")
_GIVEN = re.compile(r"\b(?:let|each|as|for|chooses?)\s+([a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)")
"""The words before which a script gives a name of its own."""
_PLAYERS = ("me", "players", "others")
_GOAL = re.compile(r"\bto\s+$")
"""The word behind which a place is most likely."""
_SECTIONS = {
    "units": "unit",
    "options": "house rule",
    "words": "list of words",
    "word": "word",
    "kinds": "kind of cards",
    "values": "value",
    "rules": "rule",
    "whenever": "trigger",
    "actions": "action",
    "cards": "card",
    "places": "place",
    "memory": "memory",
    "has": "attribute",
    "state": "state",
    "comes_with": "companion",
    "asks": "question of cards",
    "does": "deed of cards",
    "may_do": "choice of cards",
}
_OF_SOMETHING = ("has", "state", "comes_with", "asks", "does", "may_do")
"""Sections of names that stand behind a dot alone."""
_CALLED = ("values", "asks")


@frozen
class Suggestion:
    """Something that may be written: a name, with what it is, or a word of the language."""

    word: str
    what: str
    is_name: bool = True


def name_section(entry: Declared) -> str:
    """Say what sort of thing a declared name is."""
    what = _SECTIONS[entry.section]
    owner = f" of {entry.owner}" if entry.owner else " of each player" if entry.side == "player" else ""
    return f"{what}{owner}"


def suggest(text: str, offset: int, names: Names, above: Keys = ()) -> list[Suggestion]:
    """List what may be written at an offset of a file's text; `above` stands before all its keys."""
    begun = _WORD.search(text, 0, offset)
    start = offset if begun is None else begun.start()
    # What is not finished yet may keep the file from being read: a name stands for it.
    whole = text[:start] + "x" + text[offset:]
    top, _ = read_map(SourceFile("unsaved", whole))
    found = None if top is None else _find_scalar(top, above, start)
    if found is None:
        return []
    keys, scalar, at = found
    if keys[-1] == "seen_by":
        return [Suggestion(word, what, is_name=False) for word, what in SEEN_BY.items()]
    if keys[-1] == "kind":
        kinds = ((word, entry) for word, entries in names.declared.items() for entry in entries)
        return [Suggestion(word, name_section(entry)) for word, entry in kinds if entry.section == "kinds"]
    script = _find_script(scalar, keys, at)
    if script is None:
        return []
    written, starts = script
    if written.endswith("."):
        return list(_list_behind_dot(names, is_player=_ends_with_player(written[:-1])))
    places = [entry for entry in names.declared if names.declared[entry][0].section == "places"]
    found_here = _list_next(written, starts, names)
    return sorted(found_here, key=lambda one: one.word not in places) if _GOAL.search(written) else [*found_here]


def _ends_with_player(written: str) -> bool:
    """Tell whether a script ends with `me`, or with a name that it has given to a player, or to several."""
    word = _WORD.search(written)
    if word is None or word[0] in _PLAYERS:
        return word is not None
    given = re.findall(rf"\b(?:each|for|chooses?)\s+{word[0]}\s+(?:in|from)\s+(\w+)(?![\w.(])", written)
    return bool(given) and given[-1] in _PLAYERS


def _find_scalar(node: Node, path: Keys, offset: int) -> tuple[Keys, Scalar, int] | None:
    """Find the value that an offset of a file lies in, and where in its text."""
    if isinstance(node, Mapping):
        inner = ((value, (*path, key)) for key, value in node.items())
    elif isinstance(node, Sequence):
        inner = ((value, (*path, "[]")) for value in node)
    else:
        if not node.span.start <= offset <= node.span.end:
            return None
        low, high = 0, len(node.text)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if node.locate(middle, middle).start < offset else (low, middle)
        return path, node, low
    return next((found for value, keys in inner if (found := _find_scalar(value, keys, offset)) is not None), None)


def _find_script(scalar: Scalar, keys: Keys, at: int) -> tuple[str, tuple[str, ...]] | None:
    """Return the script up to a place in a value, and how it may be read; None if there is no script."""
    if is_text(keys):
        hole = next((hole for hole in HOLE.finditer(scalar.text) if hole.start(1) <= at <= hole.end(1)), None)
        return None if hole is None else (scalar.text[hole.start(1) : at], ("expression",))
    if is_fixed(keys):
        return None
    return scalar.text[:at], SCRIPT_FIRST if keys[:1] == ("rules",) else (*SCRIPT_LAST, *SCRIPT_FIRST)


def _list_behind_dot(names: Names, *, is_player: bool) -> Iterator[Suggestion]:
    for word, entries in names.declared.items():
        for entry in entries:
            if entry.side == "player" or (entry.section in _OF_SOMETHING and not is_player):
                yield Suggestion(word, name_section(entry))
                break
    yield from (Suggestion(word, "of a player", is_name=False) for word in ("left", "right"))


def _list_next(written: str, starts: tuple[str, ...], names: Names) -> Iterator[Suggestion]:
    """List what the parser would take behind a script that was begun."""
    accepted = {sort for start in starts for sort in _find_accepted(written, start)}
    table = grammar()
    if "NAME" in accepted:
        for word, entries in names.declared.items():
            entry = entries[0]
            if any(other.section not in _OF_SOMETHING and other.side != "player" for other in entries):
                called = "(…)" if entry.section in _CALLED else ""
                yield Suggestion(word, f"{name_section(entry)}{called}")
        local = {word for given in _GIVEN.finditer(written) for word in _WORDS.findall(given.group(1))}
        yield from (Suggestion(word, "a name of this script") for word in sorted(local - names.declared.keys()))
        yield from (Suggestion(word, "of the language") for word in sorted({*BUILT_INS, *BUILT_IN_NAMES}))
    words = sorted(text for text, sort in table.words.items() if sort in accepted and text.isidentifier())
    yield from (Suggestion(word, "a word of the language", is_name=False) for word in words)


def _find_accepted(written: str, start: str) -> frozenset[str]:
    """Find the sorts of tokens that may stand behind a script that was begun; none if it cannot be read so far."""
    trail, is_in_line = Trail.from_start(grammar(), start), bool(written.rpartition("\n")[2].strip())
    try:
        for token in lex(written, trail.table, trail.states):
            if is_in_line and not token.text.strip() and token.start >= len(written.rstrip()):
                break  # the line goes on
            if not trail.takes(token.sort):
                return frozenset()
    except LayoutError:
        return frozenset()
    return frozenset(sort for sort in trail.expected if trail.copy().takes(sort))
