"""The one spelling of a script: blanks between its words, two spaces a step, comments where they stood.

Lines are never joined or split, and what stands in quotes stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulebook.classes import frozen
from rulebook.dsl.document import Scalar
from rulebook.dsl.parsing.grammar import grammar
from rulebook.dsl.parsing.lalr import Trail
from rulebook.dsl.parsing.lexer import Token
from rulebook.dsl.sourcemap import make_source_map

STEP = 2  # spaces for each level
_LAYOUT = ("_NEWLINE", "_INDENT", "_DEDENT")
_TIGHT_BEFORE = {")", "]", ",", ":", ".", ".."}
_TIGHT_BEHIND = {"(", "[", ".", ".."}
_VALUE_ENDS = {"NAME", "INT", "STRING"}  # what a value can end with, besides a closing bracket
_BLANKS = re.compile(r"[ \t]+")
_BREAK = re.compile(r"\r\n|\n|\r")
_HEADER = re.compile(r"\|[+-]?[ \t]*(#[^\r\n]*)?$")
_ESCAPE = re.compile(r'\\[^"\\]')
_QUOTES = {"single": "'", "double": '"'}
_LEAST_GAP = 2  # blanks before a comment


@frozen
class Line:
    """A line of a script: its indentation, its words, and its comment.

    A blank line has no words and no comment. `column` is where the comment began in the line as it was.
    """

    indent: int
    words: str
    comment: str = ""
    column: int = 0


def respell(scalar: Scalar, start: str) -> str:
    """The text of a script in its file, spelled anew; `start` is the grammar's rule for it."""
    return _respell_block(scalar, start) if scalar.style == "literal" else _respell_line(scalar, start)


def _respell_line(scalar: Scalar, start: str) -> str:
    """A script that stands behind its key: one spelling between its words; line breaks and quotes stay."""
    raw = scalar.span.text
    if scalar.style == "double" and _ESCAPE.search(raw):
        return raw  # an escape may be a line break, or a character that can only be written so
    places = make_source_map(raw, scalar.style, scalar.text)
    if places is None:
        return raw
    quote = _QUOTES.get(scalar.style, "")
    parts = [quote]
    before: Token | None = None
    for word, gap in _gaps(_find_tokens(scalar.text, start)):
        begin, end = places.find_raw_range(word.start, word.end)
        if before is not None:
            between = raw[places.find_raw_range(before.start, before.end)[1] : begin]
            parts.append(between if _BREAK.search(between) else gap)
        parts.append(_normalize_blanks(word) if word.text == raw[begin:end] else raw[begin:end])
        before = word
    return "".join([*parts, quote])


def _respell_block(scalar: Scalar, start: str) -> str:
    """A script below a `|`: its lines, in the column of the first one; one with a number behind the `|` stays."""
    raw = scalar.span.text
    whole = raw.rstrip(" \t\r\n")
    head, *rows = _BREAK.split(whole)
    filled = [row for row in rows if row.strip()]
    if _HEADER.fullmatch(head) is None or not filled:
        return raw
    breaks = _BREAK.findall(whole)
    margin = len(filled[0]) - len(filled[0].lstrip(" "))
    pieces = [head]
    for line, newline in zip(_respell_lines("\n".join(row[margin:] for row in rows), start), breaks, strict=True):
        pieces += newline, _write_line(line, margin)
    return "".join(pieces) + raw[len(whole) :]


def _write_line(line: Line, margin: int) -> str:
    """A line of a block, in its column; its comment in the column in which it stood, if there is room."""
    if not line.words:
        return " " * (margin + line.indent) + line.comment if line.comment else ""
    words = " " * line.indent + line.words
    if not line.comment:
        return " " * margin + words
    return " " * margin + words.ljust(max(line.column, len(words) + _LEAST_GAP)) + line.comment


def _find_tokens(text: str, start: str) -> list[Token]:
    """Lex a text; the head of a sentence as if its block came behind it."""
    if start != "head":
        return Trail.from_start(grammar(), start).lex_next(text)
    lexed = Trail.from_start(grammar(), "script").lex_next(f"{text.rstrip()}:")
    return [token for token in lexed if token.end <= len(text.rstrip())]


def _gaps(symbols: Sequence[Token]) -> list[tuple[Token, str]]:
    spelled: list[tuple[Token, str]] = []
    before: Token | None = None
    sign = False  # whether the word before is the minus of a number, not one between two
    for symbol in symbols:
        if symbol.sort in _LAYOUT:
            continue
        spelled.append((symbol, " " if before is not None and not sign and _apart(before, symbol) else ""))
        sign = symbol.text == "-" and (before is None or not _ends_value(before))
        before = symbol
    return spelled


def _normalize_blanks(word: Token) -> str:
    """The word itself; one that is two words has one blank between them."""
    return word.text if word.sort == "STRING" else _BLANKS.sub(" ", word.text)


def _apart(before: Token, token: Token) -> bool:
    if token.text in _TIGHT_BEFORE or before.text in _TIGHT_BEHIND:
        return False
    if token.text == "(":
        return before.sort != "NAME"  # a call
    if token.text == "[":
        return not (before.sort == "NAME" or before.text in (")", "]"))  # an answer of a player
    return True


def _ends_value(word: Token) -> bool:
    return word.sort in _VALUE_ENDS or word.text in (")", "]")


def _respell_lines(text: str, start: str) -> list[Line]:
    """The lines of a script, spelled anew, as many as the text has."""
    lexed = _find_tokens(text, start)
    spelling = _Spelling(_begins(lexed))
    rows = text.split("\n")
    spelled = _gaps(lexed)
    lines: list[Line | None] = []  # None is a comment alone, which waits for the lines around it
    at = offset = 0
    for row in rows:
        begin = at
        while at < len(spelled) and spelled[at][0].start < offset + len(row):
            at += 1
        comment, column = _comment(row, spelled[at - 1][0].end - offset if at > begin else 0)
        if at > begin:
            lines.append(spelling.make_line(spelled[begin:at], offset, comment, column))
        else:
            lines.append(None if comment else Line(0, ""))
        offset += len(row) + 1
    return _with_comments(rows, lines)


class _Spelling:
    """Spells the lines of a script that have words, in order."""

    def __init__(self, begins: dict[int, int]) -> None:
        self.begins = begins
        self.sentence = (0, 0)  # the column at which the sentence that goes on began, and where it does now
        self.brackets: list[tuple[int, int]] = []  # the same of those that are open

    def make_line(self, here: Sequence[tuple[Token, str]], offset: int, comment: str, column: int) -> Line:
        """A line that begins at an offset of the text."""
        begin = here[0][0].start
        was = begin - offset
        if begin in self.begins:
            self.sentence = (was, STEP * self.begins[begin])
            indent = self.sentence[1]
        else:
            # Within brackets lines are the author's; they move with the bracket that they stand below.
            old, now = [self.sentence, *(bracket for bracket in self.brackets if bracket[0] < was)][-1]
            indent = max(was + now - old, self.sentence[1])
        spelled = ""
        for word, gap in here:
            spelled += (gap if spelled else "") + _normalize_blanks(word)
            if word.text in ("(", "["):
                self.brackets.append((word.start - offset, indent + len(spelled) - 1))
            elif word.text in (")", "]"):
                self.brackets.pop()
        return Line(indent, spelled, comment, column)


def _begins(symbols: Sequence[Token]) -> dict[int, int]:
    """The offsets at which sentences begin on a line of their own, each with how deep the sentence stands."""
    begins: dict[int, int] = {}
    depth, fresh = 0, True
    for symbol in symbols:
        if symbol.sort == "_NEWLINE":
            fresh = True
        elif symbol.sort == "_INDENT":
            depth += 1
        elif symbol.sort == "_DEDENT":
            depth -= 1
        elif fresh:
            begins[symbol.start] = depth
            fresh = False
    return begins


def _comment(row: str, behind: int) -> tuple[str, int]:
    """The comment of a line behind its words, and its column."""
    at = row.find("#", behind)
    return ("", 0) if at < 0 else (row[at:].rstrip(), at)


def _with_comments(rows: Sequence[str], lines: Sequence[Line | None]) -> list[Line]:
    """Put the comments that have a line of their own into the column of the sentences among which they stand."""
    now: list[Line] = []
    for number, spelt in enumerate(lines):
        if spelt is not None:
            now.append(spelt)
            continue
        was = len(rows[number]) - len(rows[number].lstrip())
        known = dict(_open_before(rows, lines, number))
        below = next((at for at in range(number + 1, len(lines)) if _has_words(lines[at])), None)
        if below is not None:
            line = lines[below]
            assert line is not None
            known[len(rows[below]) - len(rows[below].lstrip())] = line.indent
        now.append(Line(_nearest_column(was, known), "", rows[number].strip(), was))
    return now


def _has_words(line: Line | None) -> bool:
    return line is not None and bool(line.words)


def _open_before(rows: Sequence[str], lines: Sequence[Line | None], number: int) -> Iterator[tuple[int, int]]:
    """The columns of the line above and of those around it: where they were, and are now."""
    least = -1
    for at in range(number - 1, -1, -1):
        line = lines[at]
        if line is None or not line.words or (least >= 0 and line.indent >= least):
            continue
        least = line.indent
        yield len(rows[at]) - len(rows[at].lstrip()), line.indent
        if not least:
            return


def _nearest_column(was: int, known: dict[int, int]) -> int:
    """Return the column for a comment that stood in column `was`, if the columns around it went where `known` says."""
    lower = [column for column in known if column <= was]
    return known[max(lower)] if lower else known[min(known)] if known else 0
