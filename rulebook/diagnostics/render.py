"""Diagnostics as text for a terminal, sorted by file, line and column; how many were left out is said."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.printing import cells, paint
from rulebook.source import SourceFile, Span
from rulebook.widths import width as _columns

_MOST_ALIKE = 5  # messages of the same code and words that are shown in full
_MOST_OF_A_CODE = 20
_SEVERITIES = ("error", "warning", "tip")
_COLOURS = {"error": "1;31", "warning": "1;33", "tip": "1;36", "gutter": "34", "bold": "1", "help": "32"}


def sort_messages(diagnostics: Iterable[Diagnostic], newest: Sequence[str] = ()) -> list[Diagnostic]:
    """The messages by file, line and column; those about the files named `newest` first, in that order."""
    first = {name: rank for rank, name in enumerate(newest)}

    def find_place(message: Diagnostic) -> tuple[int, str, int, int, str]:
        if message.span is None:
            return -1, "", 0, 0, message.code
        name = message.span.file.name
        return first.get(name, len(first)), name, message.span.start, message.span.end, message.code

    return sorted(diagnostics, key=find_place)


def render_text(
    diagnostics: Iterable[Diagnostic], width: int = 80, colour: bool = False, newest: Sequence[str] = ()
) -> str:
    """The messages with the lines they are about, then a line that counts them; empty if there are none.

    `width` is in terminal columns and at least 40; `newest` are the names of files whose messages come first. Many
    of one code, or that say the same, are cut short, with the number of those left out. Ends with a line break.
    """
    ordered = sort_messages(diagnostics, newest)
    if not ordered:
        return ""
    chosen = _choose_shown(ordered)
    painter = _Painter(max(width, 40), colour)
    blocks: list[str] = []
    for shown in chosen:
        lines = painter.diagnostic(shown.message)
        if shown.alike:
            lines.append(f"   … and {shown.alike} more like this")
        if shown.others:
            lines.append(f"   … and {shown.others} more of {shown.message.code}")
        blocks.append("\n".join(lines))
    totals = _list_totals(ordered) if len(chosen) < len(ordered) else []
    blocks.append("\n".join([*totals, summary_line(ordered)]))
    return _printable("\n\n".join(blocks) + "\n")


def render_messages(diagnostics: Iterable[Diagnostic], width: int = 80, colour: bool = False) -> str:
    """The messages alone, all of them, without the line that counts them."""
    painter = _Painter(max(width, 40), colour)
    blocks = ["\n".join(painter.diagnostic(sort_message)) for sort_message in sort_messages(diagnostics)]
    return _printable("\n\n".join(blocks) + "\n") if blocks else ""


@frozen
class _Chosen:
    """A message that is shown, and how many are left out behind it: that say the same, and others of its code."""

    message: Diagnostic
    alike: int
    others: int


def _choose_shown(ordered: Sequence[Diagnostic]) -> list[_Chosen]:
    """The messages to show. What is left out is counted behind the last one shown that is like it."""
    shown: list[Diagnostic] = []
    alike: Counter[tuple[str, str]] = Counter()
    of_code: Counter[str] = Counter()
    left_alike: Counter[tuple[str, str]] = Counter()
    left_of_code: Counter[str] = Counter()
    for message in ordered:
        kind = (message.code, message.message)
        if alike[kind] == _MOST_ALIKE or (alike[kind] and of_code[message.code] == _MOST_OF_A_CODE):
            left_alike[kind] += 1
        elif of_code[message.code] == _MOST_OF_A_CODE:
            left_of_code[message.code] += 1
        else:
            alike[kind] += 1
            of_code[message.code] += 1
            shown.append(message)
    chosen: list[_Chosen] = []
    for message in reversed(shown):
        # Popped, so that only the last one shown says it.
        kind = (message.code, message.message)
        chosen.append(_Chosen(message, left_alike.pop(kind, 0), left_of_code.pop(message.code, 0)))
    return chosen[::-1]


def _list_totals(ordered: Sequence[Diagnostic]) -> list[str]:
    """List the numbers of messages of each code, the most first."""
    counts = Counter((message.code, message.severity) for message in ordered)
    by_count = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    digits = max(len(str(count)) for _, count in by_count)
    return [f"{count:>{digits + 1}} × {code} ({severity})" for (code, severity), count in by_count] + [""]


def summary_line(diagnostics: Sequence[Diagnostic]) -> str:
    """ "2 errors, 1 warning in 3 files"."""
    counts: Counter[str] = Counter(diagnostic.severity for diagnostic in diagnostics)
    parts = [count_noun(counts[severity], severity) for severity in _SEVERITIES if counts[severity]]
    files = len({diagnostic.span.file.name for diagnostic in diagnostics if diagnostic.span is not None})
    return (", ".join(parts) or "no problems") + (f" in {count_noun(files, 'file')}" if files else "")


def count_noun(number: int, noun: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


class _Mark:
    """One underlined piece of one line: columns counted from 0, `text` beside it, `sign` under it."""

    __slots__ = ("column", "end", "file", "line", "sign", "text")

    def __init__(self, span: Span, sign: str, text: str) -> None:
        self.file = span.file
        self.line, column = span.file.position(span.start)
        end_line, end_column = span.file.position(span.end)
        self.column = column - 1
        # What goes on over several lines is underlined to the end of the first.
        self.end = end_column - 1 if end_line == self.line else len(span.file.line(self.line))
        self.sign, self.text = sign, text


class _Painter:
    """Lays out messages in a given number of columns."""

    def __init__(self, width: int, colour: bool) -> None:
        self.width = width
        self.colour = colour

    def paint(self, name: str, text: str) -> str:
        return paint(_COLOURS[name], text) if self.colour else text

    def diagnostic(self, message: Diagnostic) -> list[str]:
        head = f"{message.severity}[{message.code}]:"
        wrapped = folded(message.message, self.width - len(head) - 1)
        lines = [f"{self.paint(message.severity, head)} {self.paint('bold', wrapped[0])}"]
        lines += [" " * (len(head) + 1) + self.paint("bold", rest) for rest in wrapped[1:]]
        where = f"  ({_visible(message.where)})" if message.where else ""
        if message.span is None:
            if where:
                lines.append(f"  {self.paint('gutter', '-->')}{where[1:]}")
            return lines + self.help_lines(message.help, 3)
        if not message.span.file.text and not message.labels:
            # It is about a file as a whole, or an empty one: there is no line to show.
            lines.append(f"  {self.paint('gutter', '-->')} {_visible(message.span.file.name)}{where}")
            return lines + self.help_lines(message.help, 3)
        marks = [_Mark(message.span, "^", "")]
        marks += [_Mark(label.span, "-", label.text) for label in message.labels]
        digits = max(2, *(len(str(mark.line)) for mark in marks))
        line, column = message.span.file.position(message.span.start)
        place = f"{_visible(message.span.file.name)}:{line}:{column}{where}"
        lines.append(f"{' ' * digits}{self.paint('gutter', '-->')} {place}")
        lines.append(" " * (digits + 1) + self.paint("gutter", "|"))
        beside = self.fits_beside(message, marks[0], digits)
        if beside:
            marks[0].text = message.help
        lines += self.snippets(marks, digits)
        if not beside:
            lines += self.help_lines(message.help, digits + 1)
        if message.confidence == "guess":
            lines.append(f"{' ' * (digits + 1)}{self.paint('gutter', '=')} this is a guess")
        return lines

    def fits_beside(self, message: Diagnostic, mark: _Mark, digits: int) -> bool:
        """Tell whether the help is short enough to stand beside the carets."""
        if not message.help or "\n" in message.help:
            return False
        text, start, end = _window(mark, self.width - digits - 3)
        used = digits + 3 + max(end, start + 1) + 1 + _columns(message.help)
        return used <= self.width and bool(text.strip())

    def help_lines(self, help: str, indent: int) -> list[str]:
        if not help:
            return []
        head = " " * indent + "= help: "
        wrapped = [line for part in help.split("\n") for line in folded(part, self.width - len(head))]
        first = f"{' ' * indent}{self.paint('gutter', '=')} {self.paint('help', 'help:')} {wrapped[0]}"
        return [first] + [" " * len(head) + line for line in wrapped[1:]]

    def snippets(self, marks: Sequence[_Mark], digits: int) -> list[str]:
        """The marked lines: those of the message's own file first, each file's in order."""
        lines: list[str] = []
        # One file may have been read more than once.
        files: dict[str, SourceFile] = {}
        for mark in marks:
            files.setdefault(mark.file.name, mark.file)
        for number, file in enumerate(files.values()):
            own = sorted((mark for mark in marks if mark.file.name == file.name), key=lambda mark: mark.line)
            if number:
                place = f"{_visible(file.name)}:{own[0].line}:{own[0].column + 1}"
                lines.append(f"{' ' * digits}{self.paint('gutter', ':::')} {place}")
                lines.append(" " * (digits + 1) + self.paint("gutter", "|"))
            before = 0
            for mark in own:
                if before and mark.line > before + 1:
                    lines.append(" " * (digits - 1) + "…")
                lines += self.snippet(mark, digits, again=mark.line == before)
                before = mark.line
        return lines

    def snippet(self, mark: _Mark, digits: int, again: bool) -> list[str]:
        text, start, end = _window(mark, self.width - digits - 3)
        bar = self.paint("gutter", "|")
        number = self.paint("gutter", f"{mark.line:>{digits}}")
        under = mark.sign * max(end - start, 1)
        caret = self.paint("error" if mark.sign == "^" else "gutter", under)
        beside = ""
        extra: list[str] = []
        if mark.text:
            words = _printable(mark.text)
            if digits + 3 + start + len(under) + 1 + _columns(words) <= self.width:
                beside = f" {words}"
            else:
                indent = min(start, self.width // 3)
                wrapped = folded(words, self.width - digits - 3 - indent)
                extra = [f"{' ' * (digits + 1)}{bar} {' ' * indent}{line}" for line in wrapped]
        # Two marks in one line look different if the line was cut around each of them, so it is shown twice
        # then.
        source = [] if again and not text.startswith("…") else [f"{number} {bar} {text}".rstrip()]
        return [*source, f"{' ' * (digits + 1)}{bar} {' ' * start}{caret}{beside}", *extra]


def _window(mark: _Mark, room: int) -> tuple[str, int, int]:
    """A line as it is shown, cut around its mark if it is too long, and the mark's columns in that text."""
    line = mark.file.line(mark.line)
    # A line may have a million characters, and only those near the mark can be shown.
    skipped = max(0, mark.column - 2 * room)
    shown = cells(line[skipped : mark.column + 2 * room])
    widths = [_columns(cell) for cell in shown]
    column, end = mark.column - skipped, mark.end - skipped
    first, last = 0, len(shown)
    if sum(widths) > room:
        # Keep a third of the room before the mark: what comes before says what is being read.
        budget = room - 2
        first = min(column, len(shown))
        before = 0
        while first > 0 and before + widths[first - 1] <= budget // 3:
            first -= 1
            before += widths[first]
        last, used = first, 0
        while last < len(shown) and used + widths[last] <= budget:
            used += widths[last]
            last += 1
        while first > 0 and used + widths[first - 1] <= budget:
            first -= 1
            used += widths[first]
    left = "…" if skipped + first > 0 else ""
    right = "…" if skipped + last < len(line) else ""
    text = left + "".join(shown[first:last]) + right
    return text, len(left) + sum(widths[first:column]), len(left) + sum(widths[first : min(end, last)])


def folded(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` columns, broken at spaces; a longer word has a line to itself."""
    lines: list[str] = []
    line = ""
    for word in _printable(text).replace("\n", " ").split(" "):
        longer = f"{line} {word}" if line else word
        if line and _columns(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def harmless(text: str) -> str:
    """One line of text that a terminal and a file take: no control, no change of direction, no half characters."""
    return _printable(_visible(text))


def _visible(text: str) -> str:
    """Source text made harmless to a terminal, with tabs as spaces."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(cells(text))


def _printable(text: str) -> str:
    """The text without lone surrogates, which no terminal and no file takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
