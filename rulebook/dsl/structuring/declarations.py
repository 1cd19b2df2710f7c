"""Names that a rulebook declares, in order, and checks that each can be said and means one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import fields

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.dsl.schema import name_in_key
from rulebook.dsl.structuring.forms import BOX, Printed
from rulebook.source import Span

_EXPRESSIONS = """
    and or not is in if else for where with sorted most least then of every clockwise counterclockwise from empty
    something nothing yes no any order one all up it me this original
"""
BANNED = frozenset(_EXPRESSIONS.split())
"""The words of expressions. Verbs are no such words: an action may be called `move`."""

TYPES = frozenset(
    {"action", "amount", "card", "cell", "conditions", "number", "place", "player", "pool", "steps", "text", "yes_no"}
)
THERE_ALREADY = frozenset({"actions", "box", "cards", "options", "others", "players"})
FIELDS_OF_CARDS = frozenset(field.name for field in fields(Printed))

_SHARED = ("kinds", "places", "memory", "values", "rules", "actions", "cards")
_OF_KINDS = ("has", "state", "places", "comes_with", "asks", "does", "may_do")
_ATTRIBUTES = ("has", "state", "places", "comes_with")
_SIGNATURES = ("values", "rules", "whenever", "asks", "does", "may_do")
_SIDES = ("table", "player")

SNAKE = re.compile(r"[a-z][a-z0-9_]*")
MIXED = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@frozen
class Declared:
    """One name: `section` is one of the rulebook or of a kind, `owner` the kind or list it belongs to.

    `side` is "table" or "player", of a place or memory of the rulebook.
    """

    section: str
    name: str
    key: Scalar
    node: Node
    owner: str = ""
    side: str = ""

    @property
    def is_the_box(self) -> bool:
        """Tell whether this only says who may look into the box, which is there already."""
        return (self.section, self.side, self.name, self.owner) == ("places", "table", BOX, "")

    @property
    def address(self) -> tuple[str, str]:
        """The key of this declaration in `Authored.keys`."""
        if not self.owner:
            return self.section, self.name
        of_words = self.section == "word"
        return f"words.{self.owner}" if of_words else f"kinds.{self.owner}.{self.section}", self.name

    @property
    def span(self) -> Span:
        """The name itself, without parameters."""
        at = self.key.text.find(self.name)
        return self.key.locate(at, at + len(self.name)) if self.name and at >= 0 else self.key.span


def list_declared(merged: Mapping) -> Iterator[Declared]:
    """Yield all declared names, section by section."""
    for section in ("units", "options", "words", "kinds", "values", "rules", "whenever", "actions", "cards"):
        yield from _list_entries(section, merged.get(section))
    for section in ("places", "memory"):
        for side in _SIDES:
            yield from _list_entries(section, _find_inside(merged.get(section), side), side=side)
    for enumeration, words in _list_items(merged.get("words")):
        if isinstance(words, Sequence):
            for word in words:
                if isinstance(word, Scalar):
                    yield Declared("word", word.text, word, word, enumeration)
        else:
            yield from _list_entries("word", words, enumeration)
    for kind, entry in _list_items(merged.get("kinds")):
        for section in _OF_KINDS:
            yield from _list_entries(section, _find_inside(entry, section), kind)


def check_names(merged: Mapping) -> list[Diagnostic]:
    """Check that every name can be said, and means one thing."""
    names = list(list_declared(merged))
    messages = [problem for name in names if (problem := _check_spelling(name)) is not None]
    # In a file the second is the lower one. Files come in the order in which they were merged.
    files: dict[object, int] = {}
    for key in merged.keys_at.values():
        files.setdefault(key.span.file, len(files))
    for entry in names:
        files.setdefault(entry.key.span.file, len(files))
    names.sort(key=lambda name: (files[name.key.span.file], name.key.span.start))
    messages += _find_twice([name for name in names if not name.owner and name.section in _SHARED])
    # Both are the names of types.
    messages += _find_twice([name for name in names if name.section == "words" or (name.section == "kinds")])
    messages += _find_twice([name for name in names if name.section == "word"], apart=True)
    of_kinds = [name for name in names if name.owner and name.section in _OF_KINDS]
    messages += _find_twice(of_kinds, apart=True)
    order = {id(name): number for number, name in enumerate(names)}
    for section, attributes in (("values", _ATTRIBUTES), ("kinds", _ATTRIBUTES)):
        others = {name.name: name for name in names if name.section == section and not name.owner}
        for entry in of_kinds:
            other = others.get(entry.name)
            if other is not None and entry.section in attributes and not _is_holder_of(entry, other):
                later, earlier = (entry, other) if order[id(entry)] > order[id(other)] else (other, entry)
                messages.append(_report_two(later, earlier))
    return messages


def check_word(scalar: Scalar, banned: Iterable[str] = BANNED) -> Diagnostic | None:
    """Check one of several choices: it must be a word, and none of the language."""
    if not MIXED.fullmatch(scalar.text):
        return _unsayable(scalar.text, scalar.span, mixed=True)
    return diagnose("RB114", scalar.span, name=scalar.text) if scalar.text in banned else None


def _check_spelling(declared: Declared) -> Diagnostic | None:
    mixed = declared.section == "units"
    if not (MIXED if mixed else SNAKE).fullmatch(declared.name):
        if declared.section == "whenever":
            help = "Say below `values:` when it is so, `is_so(p): …`, and name that here: `is_so(p): |`."
            return diagnose("RB115", declared.key.span, name=declared.key.text, help=help)
        return _unsayable(declared.name, declared.span, mixed)
    banned = declared.name in BANNED
    if declared.section in ("kinds", "words"):
        banned = banned or declared.name in TYPES
    if not declared.owner and declared.section in _SHARED:
        banned = banned or (declared.name in THERE_ALREADY and not declared.is_the_box)
    if declared.owner and declared.section in _OF_KINDS:
        banned = banned or declared.name in FIELDS_OF_CARDS
    if declared.section not in ("rules", "options", "units", "word"):
        # `x in turn` could not be told from `offer S in turn`.
        banned = banned or declared.name == "turn"
    return diagnose("RB114", declared.span, name=declared.name) if banned else None


def _unsayable(name: str, span: Span, mixed: bool) -> Diagnostic:
    letters = "letters" if mixed else "small letters"
    fixed = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")
    fixed = fixed if mixed else fixed.lower()
    example = fixed if MIXED.fullmatch(fixed) else "my_card"
    rest = "" if mixed else " What players read goes into `name:`."
    help = f"Names are {letters}, digits and `_`, and start with a letter: `{example}`.{rest}"
    return diagnose("RB115", span, name=name, help=help)


def _find_twice(names: list[Declared], apart: bool = False) -> list[Diagnostic]:
    """Report names that come again (with `apart`, for one owner), each compared with the first of its name."""
    twice = []
    first: dict[tuple[str, str], Declared] = {}
    for name in names:
        before = first.setdefault((name.owner if apart else "", name.name), name)
        same_entry = before.section == name.section and before.key is name.key
        if not same_entry and not _is_holder_of(name, before) and not _is_holder_of(before, name):
            twice.append(_report_two(name, before))
    return twice


def _report_two(later: Declared, earlier: Declared) -> Diagnostic:
    label = Label(earlier.span, "the first one is here")
    return diagnose("RB113", later.span, labels=[label], name=later.name)


def _is_holder_of(declared: Declared, other: Declared) -> bool:
    """Tell whether one is a place, memory or field for the kind that the other is: a slot `coin` for a coin."""
    if other.section != "kinds" or declared.section not in (*_ATTRIBUTES, "memory"):
        return False
    node: Node | None = declared.node
    if isinstance(node, Mapping):
        node = node.get("holds", node.get("type"))
    words = node if isinstance(node, Sequence) else [node]
    texts = [word.text.removeprefix("set of ").strip() for word in words if isinstance(word, Scalar)]
    return other.name in texts


def _list_entries(section: str, node: Node | None, owner: str = "", side: str = "") -> Iterator[Declared]:
    for name, value in _list_items(node):
        if isinstance(node, Mapping):
            head = name_in_key(name) if section in _SIGNATURES else name
            yield Declared(section, head, node.keys_at[name], value, owner, side)


def _list_items(node: Node | None) -> list[tuple[str, Node]]:
    return list(node.items()) if isinstance(node, Mapping) else []


def _find_inside(node: Node | None, name: str) -> Node | None:
    return node.get(name) if isinstance(node, Mapping) else None
