"""Reading a file past what YAML cannot read: the file again, with a line mended, or with such entries made comments.

Blanked text keeps its length, so that all places stay those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.dsl.document import Mapping
from rulebook.dsl.reading.mending import read_mended
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.structuring.forms import FIELDS
from rulebook.source import SourceFile, Span

_MOST_BLANK = 20  # entries of one file; behind more of them stands one mistake made everywhere
_MOST_READ_AGAIN = 1_000_000  # letters, of one file
_IN_TWO = re.compile(r"(?:memory|places)\s*:")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_HEAD = re.compile(r"([ \t]*)[^\s#]")
_KEY = re.compile(r"([A-Za-z_]\w*)\s*(?:\([^()]*\))?\s*:")
_ITEMS = re.compile(r"\[([^\[\]]*)\]")
STAGE = re.compile(r"\bstage\s+(\w+)")
"""The declaration of a stage in a script, which other scripts may name."""
OF_ONE_NAME = ("actions", "cards", "rules", "values")
"""Sections whose entries declare their own names and no others."""


@frozen
class Rest:
    """The map of a file without some entries, what is wrong beside them, and the names that these may have declared.

    `mended` is the place of a line that was read as it was perhaps meant: what is said of that line is not sure.
    """

    top: Mapping
    messages: list[Diagnostic]
    lost: set[str]
    mended: Span | None = None


def list_rests(file: SourceFile, problems: Sequence[Diagnostic]) -> list[Rest]:
    """Read what stands around the entries that these problems are about, in every way that leads to the end of the
    file, the likeliest first; none if too little can be read.
    """
    keys = {problem.key for problem in problems}
    messages: list[Diagnostic] = []
    lost: set[str] = set()
    rests: list[Rest] = []
    text = file.text
    for number in range(_MOST_BLANK):
        if number * len(text) > _MOST_READ_AGAIN:
            break
        stopped = problems[-1].span if problems[-1].code == "RB101" else None
        if not rests and stopped is not None and stopped.file is file:
            for mended in read_mended(file, text, stopped):
                more = [*messages, *(problem for problem in mended.messages if problem.key not in keys)]
                names = _blank_entries(text, {mended.line.line})[1]
                rests.append(Rest(mended.top, more, lost | names, mended.line))
        blanks = [copy for lines in _list_blamed(file, problems) if (copy := _blank_entries(text, lines))[0] != text]
        if not blanks:
            break
        tried = [(*read_map(file, blank), blank, names) for blank, names in blanks]
        top, problems, text, names = max(tried, key=_progress)
        lost = lost | names
        messages = [*messages, *(problem for problem in problems if problem.key not in keys)]
        keys |= {problem.key for problem in problems}
        if top is not None:
            rests.append(Rest(top, messages, lost))
            break
    return rests


def _list_blamed(file: SourceFile, problems: Sequence[Diagnostic]) -> Iterator[set[int]]:
    """Yield the lines at which the reader stopped, and those that its message points at: a bracket left open."""
    stopped = [problem for problem in problems if problem.code == problems[-1].code and problem.span is not None]
    yield {problem.span.line for problem in stopped if problem.span is not None and problem.span.file is file}
    yield {label.span.line for label in problems[-1].labels if label.span.file is file}


def _progress(tried: tuple[Mapping | None, Sequence[Diagnostic], str, set[str]]) -> tuple[bool, int]:
    """Rank a reading by how far it came."""
    top, problems, *_ = tried
    last = problems[-1].span if problems else None
    return top is not None, last.start if last is not None else 0


def _blank_entries(text: str, lines: Collection[int]) -> tuple[str, set[str]]:
    """Blank the entries in which these lines stand; return the text, and the names that they may have declared."""
    raw = _LINE.findall(text)
    # A line that is indented oddly may begin an entry of its own.
    names = {name for number in lines if number <= len(raw) for name in _KEY.findall(raw[number - 1])[:1]} - FIELDS
    odd = {number - 1 for number in lines}
    for section, first, last in {_find_entry(raw, number, odd) for number in odd if number < len(raw)}:
        names |= _find_declared(raw[section].partition(":")[0] if section < first else "", "".join(raw[first:last]))
        for number in range(first, last):
            # A comment, since blanks would still belong to a script above them.
            raw[number] = re.sub(r"^ ", "#", re.sub(r"[^\r\n]", " ", raw[number]))
    return "".join(raw), names


def _find_entry(raw: Sequence[str], number: int, odd: Collection[int]) -> tuple[int, int, int]:
    """Find the first line of the section around a line, that of the entry there, and the one behind its last; the
    section itself may be all that can be told from its lines. Those that are `odd` do not say where entries begin.
    """
    section = next((line for line in range(number, -1, -1) if _indent(raw[line]) == 0), 0)
    end = next((line for line in range(section + 1, len(raw)) if _indent(raw[line]) == 0), len(raw))
    start = section
    for _ in range(0 if section == number else 2 if _IN_TWO.match(raw[section]) else 1):
        depths = [(line, depth) for line in range(start + 1, end) if (depth := _indent(raw[line]))]
        even = [depth for line, depth in depths if line not in odd]
        even = even if any(line < number for line, _ in depths) else []
        least = min(even or [depth for _, depth in depths], default=0)
        heads = [line for line in range(start + 1, end) if _indent(raw[line]) == least]
        start = max((head for head in heads if head <= number), default=number)
        end = min((head for head in heads if head > start), default=end)
    return section, start, end


def _indent(line: str) -> int | None:
    """Return the indentation of a line; None of one that is empty, a comment, or indented with anything but spaces."""
    head = _HEAD.match(line)
    return None if head is None or "\t" in head[1] else len(head[1])


def _find_declared(section: str, written: str) -> set[str]:
    """Find the names that may be declared in an entry that cannot be read."""
    keys, stages = _KEY.findall(written), set(STAGE.findall(written))
    if section in OF_ONE_NAME:
        return {*keys[:1]} | stages
    items = re.findall(r"\w+", " ".join(_ITEMS.findall(written)))
    return ({*keys, *items} - FIELDS) | stages
