"""A script and what variants do at its sentences, as one text for people to read.

A condition that a variant adds stands above its sentence, as a comment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent, indent

from rulebook.dsl.document import IN_A_SENTENCE, At, Scalar, Seamed
from rulebook.dsl.parsing.parser import strip_colon

_ORIGINAL = re.compile(r"^( *)original *$", re.MULTILINE)
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
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip())


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
        case "change of head":
            return f"{strip_colon(own)}{colon}{body}"
        case "label":
            assert seam.label is not None
            return f"{sentence}\n{_STEP}{seam.label.words}:\n{indent(own, _STEP * 2)}"
    return f"# {seam.doing} also: {own.strip()}\n{sentence}"
