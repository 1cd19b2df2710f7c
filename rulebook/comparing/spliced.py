"""A script and what variants do at its sentences, as one text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent, indent
from typing import Any

from rulebook.dsl import syntax as s
from rulebook.dsl.document import IN_A_SENTENCE, At, Scalar, Seamed
from rulebook.dsl.parsing.parser import parse_expression, parse_script, strip_colon
from rulebook.dsl.parsing.weaving import SOURCES
from rulebook.source import SourceFile, Span

_ORIGINAL = re.compile(r"^( *)original *$", re.MULTILINE)
_EMPTIED = re.compile(r"^( *)if .*:\n(?!\1 |\1else)", re.MULTILINE)
"""An `if` of which nothing is left."""
_OPENED = re.compile(r"(?<=[\s(])\(\s*\Z")
_CLOSED = re.compile(r"\s*\)")
_STEP = "  "


def name_sentence(seam: Seamed, most: int = 60) -> str:
    """Quote the sentence at which a variant does something: its first line, or the beginning of that."""
    head = seam.at.words.partition("\n")[0].rstrip(" :")
    return f"`{head if len(head) <= most else head[:most].rpartition(' ')[0] + ' …'}`"


def splice_script(scalar: Scalar, seams: Sequence[Seamed]) -> str:
    """Return the text of a script with all that variants do at sentences of it."""
    at = [seam.at for seam in seams if seam.at.scalar is scalar]
    if not at:
        return scalar.text.rstrip("\n")
    text = _splice(At(scalar, 0, len(scalar.text)), set(at), seams)
    text = "".join(f"{line.rstrip()}\n" for line in text.split("\n") if line.strip())
    while any(seam.doing == "remove" for seam in seams) and (less := _EMPTIED.sub("", text)) != text:
        text = less
    return text.rstrip("\n")


def _splice(whole: At, places: set[At], seams: Sequence[Seamed]) -> str:
    """Return a part of a text with what is done at places inside it."""
    scalar, position, end = whole
    inside = [at for at in places if whole.start <= at.start and at.end <= end]
    pieces: list[str] = []
    for at in sorted(inside, key=lambda at: (at.start, -at.end)):
        if at.start < position:
            continue  # it stands within the one before, and is spliced there
        pieces.append(scalar.text[position : at.start])
        column = at.start - scalar.text.rfind("\n", 0, at.start) - 1
        margin = "\n" + " " * column
        sentence = _splice(at, places - {at}, seams).replace(margin, "\n")
        done = [seam for seam in seams if seam.at == at]
        for seam in sorted(done, key=lambda seam: seam.doing not in IN_A_SENTENCE):
            sentence = _apply(sentence, seam, splice_script(seam, seams))
        sentence = sentence.replace("\n", margin)
        pieces.append(sentence)
        position = at.end
    return "".join((*pieces, scalar.text[position:end]))


def _apply(sentence: str, seam: Seamed, own: str) -> str:
    """Do what a seam does to a sentence; both stand at the margin."""
    head, colon, body = sentence.partition(":\n")
    if sentence.startswith('"') and seam.doing not in ("remove", "change of head"):
        return f"{head}:\n{indent(_apply(dedent(body), seam, own), _STEP)}"
    match seam.doing:
        case "before":
            return f"{own}\n{sentence}"
        case "after":
            return f"{sentence}\n{own}"
        case "instead of":
            return _ORIGINAL.sub(lambda match: indent(sentence, match[1]), own)
        case "change":
            return own
        case "remove":
            return ""
        case "where" | "so that":
            return _add_condition(sentence, seam, " ".join(own.split()))
        case "change of head":
            return f"{strip_colon(own)}{colon}{body}"
    assert seam.label is not None, "nothing else is done at a sentence"
    menu, otherwise, rest = sentence.partition("\nelse:")
    return f"{menu}\n{_STEP}{seam.label.words}:\n{indent(own, _STEP * 2)}{otherwise}{rest}"


def _add_condition(sentence: str, seam: Seamed, own: str) -> str:
    """Add a condition to those of a sentence, or of one line of a choice; it stands alone in its text."""
    before = "" if _parse_one(sentence)[1] else "choose "
    text, node = _parse_one(before + sentence)
    for there, is_condition in reversed(_find_narrowed(node, seam.doing)):
        start, end = _find_whole(text, there.at)
        both = (
            f"{_enclose(text[start:end])} and {_enclose(own)}"
            if is_condition
            else f"{text[start:end]} {seam.doing} {own}"
        )
        text = text[:start] + both + text[end:]
    return text.removeprefix(before)


def _parse_one(sentence: str) -> tuple[str, Any]:
    """Parse the text of one sentence; None in the place of the tree if it is none."""
    tree, _ = parse_script(_make_scalar(sentence))
    return sentence, tree[0] if tree else None


def _make_scalar(text: str) -> Scalar:
    return Scalar(text, "literal", Span(SourceFile("", text), 0, len(text)))


def _find_narrowed(node: Any, doing: str) -> list[tuple[s.Expr, bool]]:
    """Find where a condition is added to a sentence: to a condition (True), or right behind a list or a choice."""
    choice: Any = node.choices[0] if isinstance(node, s.EachChooses) else getattr(node, "choice", None)
    if doing == "so that":
        return [(choice.so_that, True) if choice.so_that is not None else (choice.sources[-1], False)]
    lists = node.choice.sources if isinstance(node, s.Choose) else [getattr(node, SOURCES[type(node)])]
    return [_find_condition(items) for items in lists]


def _find_condition(items: s.Expr) -> tuple[s.Expr, bool]:
    """Find the condition of a list, as `parse_woven` does; else the list itself."""
    match items:
        case s.Sorted() | s.With():
            return _find_condition(items.list)
        case s.Where():
            return items.condition, True
    return items, False


def _find_whole(text: str, at: At) -> tuple[int, int]:
    """Find where an expression begins and ends with the brackets around it alone."""
    start, end = at.start, at.end
    while (before := _OPENED.search(text, 0, start)) and (behind := _CLOSED.match(text, end)):
        start, end = before.start(), behind.end()
    return start, end


def _enclose(condition: str) -> str:
    """Put a condition into brackets if `and` would bind another part of it."""
    tree, _ = parse_expression(_make_scalar(condition))
    return f"({condition})" if isinstance(tree, s.Or | s.IfElse | s.For) else condition
