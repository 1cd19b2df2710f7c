"""The one spelling of a single text of a YAML file: quotes only where they are needed, and which.

In: a scalar as it was read, and what it is. Out: how it is written. Never: changes what YAML reads there, but for the
blanks of a script; joins or splits its lines.
"""

from __future__ import annotations

import re
from typing import Literal

from rulebook.authoring.fmt_scripts import gaps, said
from rulebook.dsl.document import Mapping, Scalar
from rulebook.dsl.parsing.lexer import Token
from rulebook.dsl.reading.reader import read
from rulebook.dsl.sourcemap import source_map
from rulebook.source import SourceFile

__all__ = ["Where", "is_bare", "one_line", "respelled"]

Where = Literal["value", "key", "value in brackets", "key in brackets"]

_SAMPLES: dict[Where, tuple[str, ...]] = {
    "value": ("k: {}\n",),
    "key": ("{}: v\n",),
    "value in brackets": ("{{k: {}}}\n", "{{k: [{}, v]}}\n"),
    "key in brackets": ("{{{}: v}}\n",),
}
_QUOTES = {"single": "'", "double": '"'}
_ESCAPE = re.compile(r'\\[^"\\]')
_WORD = re.compile(r"[a-z0-9_]*")
_NO_TEXT = {"yes", "no", "none", "null", "nothing", "true", "false", "on", "off"}


def is_bare(text: str, where: Where) -> bool:
    """Whether YAML reads these very words, if they stand there without quotes."""
    if not text or "\n" in text or text != text.strip():
        return False
    for sample in _SAMPLES[where]:
        top, problems = read(SourceFile("", sample.format(text)))
        if problems or top is None or len(top) != 1:
            return False
        ((key, value),) = top.items()
        found = top.keys_at[key] if where.startswith("key") else value
        if not isinstance(found, Scalar):
            found = found[0] if not isinstance(found, Mapping) and len(found) == 2 else found
        if not isinstance(found, Scalar) or found.style != "plain" or found.text != text:
            return False
    return True


def respelled(scalar: Scalar, start: str) -> str:
    """A script, as it stands in the file, with one spelling between its words; line breaks stay."""
    raw = scalar.span.text
    found = source_map(raw, scalar.style, scalar.text)
    if found is None:
        return raw
    quote = _QUOTES.get(scalar.style, "")
    parts = [quote]
    before: Token | None = None
    for word, gap in gaps(scalar.text, start):
        here, end = found.range(word.start, word.end)
        if before is not None:
            between = raw[found.range(before.start, before.end)[1] : here]
            parts.append("\n" if re.search(r"[\r\n]", between) else gap)
        parts.append(said(word) if word.text == raw[here:end] else raw[here:end])
        before = word
    return "".join([*parts, quote])


def one_line(raw: str, scalar: Scalar, where: Where, *, script: bool, text: bool) -> str:
    """The same text, with or without quotes. `raw` is it as it stands, or as `respelled`; it has one line.

    Without them only a script of more than one word, or what is a `text` anyway: elsewhere they may mean something.
    """
    if scalar.style not in _QUOTES:
        return raw
    inside = raw[1:-1]
    if scalar.style == "single":
        inside = inside.replace("''", "'")
    elif _ESCAPE.search(inside):
        return raw
    else:
        inside = re.sub(r"\\(.)", r"\1", inside)
    is_script = script and not _WORD.fullmatch(inside)
    is_text = text and inside[:1].isalpha() and inside.lower() not in _NO_TEXT
    if (is_script or is_text) and is_bare(inside, where):
        return inside
    if '"' not in inside and "\\" not in inside:
        return f'"{inside}"'
    return f"'{inside}'" if "'" not in inside else raw
