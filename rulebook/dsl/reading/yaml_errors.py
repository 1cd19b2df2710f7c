"""Errors of the YAML parser, in words for people who do not know YAML's, at the place where they can be mended."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from attrs import evolve

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Edit, Fix, Label, diagnose
from rulebook.dsl.parsing.parser import VERBS
from rulebook.source import SourceFile, Span

_MOST_TABS = 20
_TAB_INDENT = re.compile(r"^ *\t[ \t]*(?=[^\s#])", re.MULTILINE)
_WHITE = re.compile(r"[ \t]*")
_OPENS_BLOCK = re.compile(r"[:|>]\s*(?:#.*)?$")
_SPACES = re.compile(r"^ +[^\s#]", re.MULTILINE)
_USUAL_STEP = 2
_LONGEST_SHOWN = 60
_SENTENCE = re.compile(rf"\s*(?:(?:{'|'.join(VERBS)}) +\w|else:|else +if )")
_OPENS = re.compile(r"\s*([^\s#:][^:#]*):(?!\s*[|>])")
_HAS_SCRIPT = re.compile(r"\s*([^\s#:][^:#]*): *[|>]\s*$")
_FIELD = re.compile(r"\s*([a-z][a-z0-9_]*)(:?)\s*([^\s:].*?)\s*$")
_COMMENT_IN_BRACKETS = re.compile(r"[ \t](#\w[^\r\n]*)")
_ENTRY = re.compile(r"(\s*(?:- +)*)([^\s#:][^:#]*): +(.*?)\s*$")


@frozen
class _Complaint:
    """An error of the parser: its words (`problem`), its place (`at`), and the place where the thing it read `began`.

    `bracket` is the innermost `[` or `{` still open there.
    """

    file: SourceFile
    problem: str
    at: int
    began: int | None
    bracket: int | None

    def make_span(self, start: int, end: int | None = None) -> Span:
        end = start + 1 if end is None else end
        return Span(self.file, start, min(end, len(self.file.text)))

    def line_at(self, offset: int) -> str:
        return self.file.line(self.file.position(offset)[0])

    def line_span(self, offset: int) -> Span:
        """The line around an offset, without its indentation."""
        number, column = self.file.position(offset)
        line = self.file.line(number)
        start = offset - column + 1
        return Span(self.file, start + len(line) - len(line.lstrip()), start + len(line.rstrip()))

    def began_label(self, text: str) -> list[Label]:
        return [] if self.began is None or self.began == self.at else [Label(self.make_span(self.began), text)]


def explain(file: SourceFile, problem: str, at: int, began: int | None, bracket: int | None) -> list[Diagnostic]:
    """The messages for a complaint: one, or one for each line indented with a tab if a tab is to blame.

    The rest are offsets into the file: where the parser stopped, where what it was reading starts, and the
    innermost bracket still open there.
    """
    complaint = _Complaint(file, problem, min(at, len(file.text)), began, bracket)
    tabs = list(_tabs(complaint))
    if tabs:
        return tabs
    for pattern, answer in _ANSWERS:
        if re.search(pattern, problem):
            message = answer(complaint)
            bar = _advise_bar(complaint, message.span) if answer in _AMONG_LINES else None
            return [evolve(message, help=bar) if bar else message]
    return [diagnose("RB101", complaint.make_span(complaint.at), problem=problem)]


def _advise_bar(complaint: _Complaint, span: Span | None) -> str | None:
    """Return advice about a line that is a sentence of a script, below a key (or behind it) that lacks its `|`."""
    number = span.line if span else 0
    line = complaint.file.line(number)
    behind = _ENTRY.match(line)
    key = behind[2] if behind and _SENTENCE.match(behind[3]) else ""
    while not key and number > 1 and _SENTENCE.match(line):
        depth = len(line) - len(line.lstrip())
        if above := _too_far_left(complaint.file, number, depth):
            return f"If this is a line of the script below `{above}: |`, it stands two spaces deeper than `{above}`."
        while number > 1 and (not line.strip() or len(line) - len(line.lstrip()) >= depth):
            number -= 1
            line = complaint.file.line(number)
        opened = _OPENS.match(line)
        if opened and not _SENTENCE.match(line):
            key = opened[1]
    return f"If this is a script of several lines, it stands below a `|`: write `{key.strip()}: |`." if key else None


def _too_far_left(file: SourceFile, number: int, depth: int) -> str:
    """The key above a line and in its column that has a script below it; empty if there is none."""
    while number > 1:
        number -= 1
        line = file.line(number)
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < depth:
            return ""
        if indent == depth and (opened := _HAS_SCRIPT.match(line)):
            return opened[1].strip()
    return ""


def _tabs(complaint: _Complaint) -> Iterator[Diagnostic]:
    """All lines indented with a tab, if the one that could not be read is."""
    file = complaint.file
    broken = file.position(complaint.at)[0]
    spans = [Span(file, match.start(), match.end()) for match in _TAB_INDENT.finditer(file.text)]
    if any(span.line == broken for span in spans):
        depths = _meant_depths(file)
        for span in spans[:_MOST_TABS]:
            edit = Edit(span, " " * depths[span.line])
            yield diagnose("RB102", span, fix=Fix("Write spaces instead of tabs.", (edit,), safe=True))


def _meant_depths(file: SourceFile) -> dict[int, int]:
    """Guess the depth of each line that is indented with a tab, by its number: as its neighbours stand."""
    step = _guess_step(file.text)
    numbered = ((number, file.line(number)) for number in range(1, file.line_count + 1))
    lines = [(number, line) for number, line in numbered if line.strip() and not line.lstrip().startswith("#")]
    depths: dict[int, int] = {}
    around, before, width, opened = [0], 0, None, True  # `width` is that of the tabs of the line before
    for (number, line), (_, following) in zip(lines, [*lines[1:], (0, "")], strict=True):
        indent, below = _WHITE.match(line), _WHITE.match(following)
        assert indent is not None and below is not None
        deeper = 0 if "\t" in below[0] else len(below[0])
        opens = bool(_OPENS_BLOCK.search(line))
        if "\t" not in indent[0]:
            depth, width = len(indent[0]), None
        else:
            wide = len(indent[0].expandtabs(step))
            if opened:
                depth = deeper if deeper > before and not opens else before + step
            elif opens and deeper:
                depth = max(column for column in around if column < deeper)
            else:
                depth = before if width is None else max(before + wide - width, 0)
            depths[number], width = depth, wide
        around = [*(inner for inner in around if inner < depth), depth]
        before, opened = depth, opens
    return depths


def _guess_step(text: str) -> int:
    """By how many spaces this file indents: by as many as the line that is indented least."""
    return min((len(spaces) - 1 for spaces in _SPACES.findall(text)), default=_USUAL_STEP)


def _second_colon(complaint: _Complaint) -> Diagnostic:
    line = complaint.line_at(complaint.at)
    entry = _ENTRY.match(line)
    column = complaint.file.position(complaint.at)[1]
    if entry and entry.end(2) + 1 < column:
        problem = "there is a second `: ` on this line"
        key, value = entry[2].strip(), entry[3]
        help = f"Text with `: ` in it needs quotes: {_quote_entry(key, value)}"
        return diagnose("RB101", complaint.make_span(complaint.at), problem=problem, help=help)
    above = complaint.file.line(complaint.file.position(complaint.at)[0] - 1)
    if above.strip() and ":" not in above:
        problem = "this line has no `:` at its end, and others stand below it"
        number = complaint.file.position(complaint.at)[0] - 1
        end = complaint.at - complaint.file.position(complaint.at)[1]
        span = complaint.line_span(end - 1 if end else 0)
        assert span.line == number
        return diagnose("RB101", span, problem=problem, help=f"Write `{above.strip()}:`.")
    problem = "this line is indented deeper than the one above it, which has its value already"
    help = "Lines of one map start in the same column."
    return diagnose("RB101", complaint.line_span(complaint.at), problem=problem, help=help)


def _quote_entry(key: str, value: str) -> str:
    quoted = f'"{value}"' if '"' not in value and "\\" not in value else "'" + value.replace("'", "''") + "'"
    shown = f"{key}: {quoted}"
    return f"`{shown}`" if len(shown) <= _LONGEST_SHOWN else f'`{key}: "…"`'


def _bad_start(complaint: _Complaint) -> Diagnostic:
    sign = complaint.file.text[complaint.at : complaint.at + 1]
    if sign == "\t":
        help = "Write spaces instead."
        return diagnose("RB101", complaint.make_span(complaint.at), problem="a tab stands here", help=help)
    problem = f"a text may not start with `{sign}`"
    help = _quote_all(complaint, complaint.at)
    return diagnose("RB101", complaint.make_span(complaint.at), problem=problem, help=help)


def _reference_sign(complaint: _Complaint) -> Diagnostic:
    start = complaint.at if complaint.began is None else complaint.began
    problem = f"a text may not start with `{complaint.file.text[start : start + 1]}`"
    return diagnose("RB101", complaint.make_span(start), problem=problem, help=_quote_all(complaint, start))


def _quote_all(complaint: _Complaint, start: int) -> str:
    """Return the line with quotes around its value, if the value starts at this place."""
    line = complaint.line_at(start)
    entry = _ENTRY.match(line)
    if entry and entry.start(3) == complaint.file.position(start)[1] - 1:
        return f"Put quotes around the text: {_quote_entry(entry[2].strip(), entry[3])}"
    return "Put quotes around the text."


def _no_colon(complaint: _Complaint) -> Diagnostic:
    start = complaint.at if complaint.began is None else complaint.began
    problem = "this line is neither `key: value` nor part of the text above it"
    help = "Is a `:` missing, with a space behind it? Or should the line be indented deeper?"
    field = _FIELD.match(complaint.line_at(start))
    if field:
        missing = "a space is missing behind the `:`" if field[2] else "a `:` is missing"
        shown = f"{field[1]}: {field[3]}"
        shown = shown if len(shown) <= _LONGEST_SHOWN else f"{field[1]}: …"
        help = f"If `{field[1]}` is a key, {missing}: `{shown}`. If this goes on with the text above, indent it deeper."
    return diagnose("RB101", complaint.line_span(start), problem=problem, help=help)


def _open_quote(complaint: _Complaint) -> Diagnostic:
    start = complaint.at if complaint.began is None else complaint.began
    help = "Close it at the end of the text. An apostrophe within single quotes is written twice: `'it''s'`."
    return diagnose("RB101", complaint.make_span(start), problem="this quote is never closed", help=help)


def _open_bracket(complaint: _Complaint) -> Diagnostic:
    start = complaint.at if complaint.began is None else complaint.began
    sign = complaint.file.text[start : start + 1]
    closing = {"[": "]", "{": "}"}.get(sign, "closing bracket")
    problem = f"a `,` or the `{closing}` of this `{sign}` is missing before this place"
    help = "If the bracket belongs to a text or a script, put quotes around all of it."
    if comment := _COMMENT_IN_BRACKETS.search(complaint.file.text, start, complaint.at):
        help = f"A comment begins at `{comment[1]}`. If it belongs to a text, put quotes around all of that."
    if complaint.at >= len(complaint.file.text.rstrip()):
        return diagnose("RB101", complaint.make_span(start), problem=f"this `{sign}` is never closed", help=help)
    labels = complaint.began_label("it opens here")
    return diagnose("RB101", complaint.make_span(complaint.at), labels=labels, problem=problem, help=help)


def _not_in_line(complaint: _Complaint) -> Diagnostic:
    number, column = complaint.file.position(complaint.at)
    before = complaint.file.line(number)[: column - 1].rstrip()
    if before.endswith(("'", '"', "]", "}")):
        problem = "something stands behind the end of this value"
        line = complaint.file.line(number)
        entry = _ENTRY.match(line)
        help = "Put quotes around all of it."
        if entry:
            key, value = entry[2].strip(), entry[3]
            if value[:1] in ("'", '"') and value[:1] == value[-1:] and len(value) > 1:
                value = value[1:-1]
            help = f"Put other quotes around all of it: {_quote_entry(key, value)}"
        return diagnose("RB101", complaint.make_span(complaint.at), problem=problem, help=help)
    if complaint.file.line(number).lstrip().startswith(":"):
        return diagnose("RB101", complaint.make_span(complaint.at), problem="there is no key before this `:`")
    if complaint.began is not None and complaint.file.position(complaint.began)[1] == column:
        problem = "lines like `key: value` and items like `- value` cannot be mixed"
        labels = complaint.began_label("this is of the other sort")
        help = "Indent this line deeper if it belongs to the line above."
        return diagnose("RB101", complaint.line_span(complaint.at), labels=labels, problem=problem, help=help)
    problem = "this line is not indented like those it belongs to"
    labels = complaint.began_label("what it should line up with starts here")
    help = "Lines of one map or list start in the same column."
    return diagnose("RB101", complaint.line_span(complaint.at), labels=labels, problem=problem, help=help)


def _item_here(complaint: _Complaint) -> Diagnostic:
    problem = "a list that is written with `- ` starts on a line of its own"
    help = "Or write it in brackets, like `[haste, trample]`. If the `-` belongs to a text, quote it."
    return diagnose("RB101", complaint.make_span(complaint.at), problem=problem, help=help)


def _escape(complaint: _Complaint) -> Diagnostic:
    at = complaint.file.text.rfind("\\", 0, complaint.at + 1)
    at = complaint.at if at < 0 else at
    sign = complaint.file.text[at : at + 2]
    problem = f"`{sign}` means nothing within double quotes"
    if sign[1:] in ("x", "u", "U"):
        problem = f"what follows this `{sign}` is not the number of a character"
    help = "Write the backslash twice, or put the text in single quotes."
    return diagnose("RB101", complaint.make_span(at, at + 2), problem=problem, help=help)


def _block_header(complaint: _Complaint) -> Diagnostic:
    problem = "behind `|` or `>` nothing may stand: the text starts on the next line"
    help = "Start a new line here, indented deeper, or put quotes around the whole text."
    return diagnose("RB101", complaint.make_span(complaint.at), problem=problem, help=help)


def _tag(complaint: _Complaint) -> Diagnostic:
    start = complaint.at if complaint.began is None else complaint.began
    help = f"If the `!` belongs to a text: {_quote_all(complaint, start)}"
    return diagnose("RB106", complaint.make_span(start), problem="a `!` before a value", help=help)


def _behind_the_map(complaint: _Complaint) -> Diagnostic:
    problem = "this does not belong to what stands before it"
    help = "A file is one map: lines like `name: My game`, all starting in the first column."
    return diagnose("RB101", complaint.line_span(complaint.at), problem=problem, help=help)


def _nothing_here(complaint: _Complaint) -> Diagnostic:
    if complaint.bracket is not None and complaint.at >= len(complaint.file.text.rstrip()):
        sign = complaint.file.text[complaint.bracket]
        return diagnose("RB101", complaint.make_span(complaint.bracket), problem=f"this `{sign}` is never closed")
    sign = complaint.file.text[complaint.at : complaint.at + 1].strip()
    problem = f"a value is missing before this `{sign}`" if sign else "a value is missing here"
    return diagnose("RB101", complaint.make_span(complaint.at), problem=problem)


# Where the parser stumbles over lines, and not over a sign: there a script may have been read as a map.
_AMONG_LINES = (_second_colon, _no_colon, _not_in_line)
_Answer: TypeAlias = Callable[[_Complaint], Diagnostic]
# Patterns for both parsers: libyaml is used alone where a file is too long to be read twice.
_ANSWERS: tuple[tuple[str, _Answer], ...] = (
    (r"mapping values are not allowed", _second_colon),
    (r"cannot start any token", _bad_start),
    (r"expected alphabetic or numeric|expected alphabetical", _reference_sign),
    (r"could not find expected ':'", _no_colon),
    (r"unexpected end of stream|unexpected document (separator|indicator)", _open_quote),
    (r"expected ',' or", _open_bracket),
    (r"expected <block end>|expected key|expected '-' indicator", _not_in_line),
    (r"sequence entries are not allowed", _item_here),
    (r"expected chomping|expected a comment or a line break|indentation indicator", _block_header),
    (r"tag|URI|expected '!'", _tag),
    (r"escape", _escape),
    (r"document start", _behind_the_map),
    (r"node content", _nothing_here),
)
