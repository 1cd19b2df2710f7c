"""A YAML file in the one spelling: every token of it again, with other blanks between them.

In: a file that was read, its map, and which of its texts are scripts. Out: the text of the file as it should be. Never:
leaves a token out, changes their order, or breaks or joins lines, but for a script of one line that stood below a `|`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as Map
from typing import TypeAlias

from rulebook.authoring.fmt_columns import Row, aligned, flushed
from rulebook.authoring.fmt_scalars import Where, is_bare, one_line, respelled
from rulebook.authoring.fmt_scripts import STEP, lines, nearest_column
from rulebook.authoring.fmt_tokens import Token, split
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence
from rulebook.source import SourceFile

__all__ = ["Scripts", "layout"]

Scripts: TypeAlias = Map[tuple[int, int], str]
"""Where scripts stand (the offsets of their spans), and what each was parsed as."""

_HEADER = re.compile(r"\|([0-9+-]*)[ \t]*(#[^\r\n]*)?")
_BREAK = re.compile(r"\r\n|\n|\r")
_TEXTS = (("name",), ("about",), ("cards", "*", "name"), ("cards", "*", "text"),
          ("actions", "*", "name"), ("actions", "*", "text"), ("options", "*", "text"), ("kinds", "*", "text"),
          ("scenarios", "*", "about"))  # fmt: skip
_Path: TypeAlias = tuple[str, ...]


def layout(file: SourceFile, top: Mapping, scripts: Scripts) -> str:
    """The text of the file, spelled as it should be. The file was read without a message."""
    writer = _Writer(file, split(file, top), scripts)
    writer.node(top, (), 0)
    writer.finish()
    return flushed(writer.rows)


class _Writer:
    """Goes through the nodes and the tokens of a file side by side, and puts every token into rows."""

    def __init__(self, file: SourceFile, found: list[Token], scripts: Scripts) -> None:
        self.file, self.found, self.scripts = file, found, scripts
        self.at = 0  # the next token
        self.rows: list[Row] = []
        self.row = Row()
        self.levels: list[tuple[int, int]] = []  # columns of the maps and lists that are open: in the file, and now
        self.before: list[tuple[int, int]] = []  # the same, where the token before stood
        self.brackets: list[tuple[int, int]] = []  # those that are open: their columns in the file, and now

    # ── tokens ──

    def column(self, offset: int) -> int:
        return self.file.position(offset)[1] - 1

    def comes(self) -> Token | None:
        """The next token that is neither a comment nor a line break."""
        return next((one for one in self.found[self.at :] if one.sort not in ("comment", "break")), None)

    def put(self, wanted: str | None = None, space: str = "", indent: int = 0, said: str | None = None) -> Token:
        """Write the next token, and before it the comments and line breaks up to it.

        `space` is what stands before it in a line, `indent` its column at the beginning of one.
        """
        broken = self.skip(indent)
        token = self.found[self.at]
        assert wanted is None or token.text == wanted, f"{token.text!r} stands where {wanted!r} should"
        self.at += 1
        if broken or not self.row.words:
            self.row.words = " " * self.inside(token, indent)
        else:
            self.row.words += space
        self.row.end = self.column(token.end)
        self.row.words += token.text if said is None else said
        self.before = list(self.levels)
        return token

    def inside(self, token: Token, indent: int) -> int:
        """The column of a token that begins a line. Within brackets it moves with the line that opened them."""
        if not self.brackets:
            return indent
        least = self.levels[-1][1] if self.levels else 0
        return max(self.moved(self.column(token.start)), least if token.text in ("]", "}") else least + STEP)

    def moved(self, was: int) -> int:
        """Where something within brackets goes: with the bracket that it stands below, or with the line."""
        around = [self.levels[-1] if self.levels else (0, 0), *(one for one in self.brackets if one[0] < was)]
        old, now = around[-1]
        return max(was + now - old, 0)

    def skip(self, indent: int) -> bool:
        """Write comments and line breaks; whether there was a line break."""
        broken = False
        while self.at < len(self.found) and (token := self.found[self.at]).sort in ("comment", "break"):
            self.at += 1
            if token.sort == "break":
                self.end_row()
                broken = True
            else:
                if not self.row.words:
                    self.row.words = " " * self.comment_column(self.column(token.start), indent)
                    self.row.alone = True
                self.row.remark(token.text.rstrip(), self.column(token.start))
        return broken

    def comment_column(self, was: int, indent: int) -> int:
        """Where a comment stands that has a line of its own: with the map or list in whose column it was."""
        coming = self.comes()
        if self.brackets:
            return self.moved(was)
        known = dict([*self.before, *self.levels])
        if coming is not None and self.levels:
            known.setdefault(self.column(coming.start), indent)
        return nearest_column(was, known)

    def end_row(self) -> None:
        self.rows.append(self.row)
        self.row = Row()

    def finish(self) -> None:
        """What follows the last text."""
        while (one := self.comes()) is not None:
            self.put(one.text)
        self.levels = []
        self.skip(0)
        self.end_row()

    # ── nodes ──

    def node(self, node: Node, path: _Path, indent: int, space: str = "") -> None:
        """Anything. `indent` is the column of a map or list that stands in no brackets, or of a text in a new line."""
        while (one := self.comes()) is not None and one.sort == "line":
            self.put(one.text, " ", 0)
        if isinstance(node, Scalar):
            if node.span.end > node.span.start:
                self.scalar(node, path, "value in brackets" if self.brackets else "value", indent, space)
        elif self.file.text[node.span.start : node.span.start + 1] in ("{", "["):
            self.flow(node, path, indent, space)
        elif self.brackets and isinstance(node, Mapping):
            self.entries(node, path, indent, space)  # `[a: b]`
        elif isinstance(node, Mapping):
            self.mapping(node, path, indent, space)
        else:
            self.sequence(node, path, indent, space)

    def mapping(self, node: Mapping, path: _Path, indent: int, space: str) -> None:
        coming = self.comes()
        if coming is None:
            return
        self.levels.append((self.column(coming.start), indent))
        said = {name: self.spelled(key, (), "key") for name, key in node.keys_at.items()}
        spaces = aligned(node, said)
        for number, (name, value) in enumerate(node.items()):
            first = space if not number else ""
            if self.is_next("?"):
                self.put("?", first, indent)
                first = " "
            self.put(None, first, indent, said[name])
            self.put(":", "", indent)
            self.node(value, (*path, name), indent + STEP, spaces.get(name, " "))
        self.levels.pop()

    def sequence(self, node: Sequence, path: _Path, indent: int, space: str) -> None:
        coming = self.comes()
        assert coming is not None
        self.levels.append((self.column(coming.start), indent))
        for number, value in enumerate(node):
            self.put("-", "" if number else space, indent)
            self.node(value, (*path, "*"), indent + STEP, " ")
        self.levels.pop()

    def flow(self, node: Mapping | Sequence, path: _Path, indent: int, space: str) -> None:
        opening = self.put(None, space, indent)
        self.brackets.append((self.column(opening.start), len(self.row.words) - 1))
        if isinstance(node, Mapping):
            self.entries(node, path, indent, "")
        else:
            for number, value in enumerate(node):
                self.node(value, (*path, "*"), indent, " " if number else "")
                self.comma()
        self.put("}" if isinstance(node, Mapping) else "]", self.behind_colon(), indent)
        self.brackets.pop()

    def entries(self, node: Mapping, path: _Path, indent: int, space: str) -> None:
        """The entries of a map in brackets."""
        for number, (name, value) in enumerate(node.items()):
            before = " " if number else space
            if self.is_next("?"):
                self.put("?", before, indent)
                before = " "
            self.put(None, before, indent, self.spelled(node.keys_at[name], (), "key in brackets"))
            if self.is_next(":"):
                self.put(":", "", indent)
            self.node(value, (*path, name), indent, " ")
            self.comma()

    def comma(self) -> None:
        """The comma behind an entry, if there is one."""
        if self.is_next(","):
            self.put(",", self.behind_colon())

    def is_next(self, sign: str) -> bool:
        coming = self.comes()
        return coming is not None and coming.sort == "sign" and coming.text == sign

    def behind_colon(self) -> str:
        """What stands before a sign: a blank if nothing is given behind a colon, as in `{effect(me): }`."""
        return " " if self.row.words.endswith(":") else ""

    # ── texts ──

    def spelled(self, scalar: Scalar, path: _Path, where: Where) -> str:
        """A text that stands in quotes or bare, as it should be written."""
        start = self.scripts.get((scalar.span.start, scalar.span.end))
        raw = scalar.span.text if start is None else respelled(scalar, start)
        if _BREAK.search(raw):
            return raw
        text = where.startswith("key") or any(_matches(path, one) for one in _TEXTS)
        # Among others in brackets a comma more would ask for quotes again.
        script = start is not None and where != "value in brackets"
        return one_line(raw, scalar, where, script=script, text=text)

    def scalar(self, scalar: Scalar, path: _Path, where: Where, indent: int, space: str) -> None:
        if scalar.style == "literal":
            self.literal(scalar, indent, space)
            return
        written = self.spelled(scalar, path, where)
        first, *more = _BREAK.split(written)
        self.put(None, space, indent, self.trimmed(first, scalar) if more else first)
        starts = [found.end() for found in _BREAK.finditer(self.file.text, scalar.span.start, scalar.span.end)]
        for line, start in zip(more, starts[len(starts) - len(more) :], strict=True):
            self.end_row()
            self.row.kept = True
            if line.strip(" \t"):
                blank = len(self.file.text[start:]) - len(self.file.text[start:].lstrip(" \t"))
                column = max(self.moved(blank), indent) if self.brackets else indent
                self.row.words = " " * column + self.trimmed(line.lstrip(" \t"), scalar)
        if more:
            self.row.kept = False
            self.row.end = self.column(scalar.span.end)

    @staticmethod
    def trimmed(line: str, scalar: Scalar) -> str:
        """A line of a text that goes on below, without the blanks at its end, which YAML leaves out too."""
        short = line.rstrip(" \t")
        return line if scalar.style == "double" and short.endswith("\\") else short

    def literal(self, scalar: Scalar, indent: int, space: str) -> None:
        head, *body = _BREAK.split(self.raw(scalar))
        header = _HEADER.match(head)
        assert header is not None
        start = self.scripts.get((scalar.span.start, scalar.span.end))
        if start is None:
            self.put(None, space, indent, f"|{header[1]}")
            self.remarked(header, scalar)
            self.body(scalar, header, body, indent)
            return
        spelled = lines("\n".join(body), start)
        said = [line for line in spelled if line.words or line.comment]
        bare = len(said) == 1 and not said[0].comment and is_bare(said[0].words, "value")
        self.put(None, space, indent, said[0].words if bare else "|")
        self.remarked(header, scalar)
        if bare:
            return
        for line in spelled:
            self.end_row()
            if not line.words and not line.comment:
                continue
            self.row.words = " " * (indent + line.indent) + line.words
            self.row.alone = not line.words
            if line.comment:
                self.row.end = line.end
                self.row.remark(line.comment, line.column)

    def raw(self, scalar: Scalar) -> str:
        return scalar.span.text.rstrip(" \t\r\n")

    def remarked(self, header: re.Match[str], scalar: Scalar) -> None:
        """The comment behind a `|`."""
        if header[2]:
            self.row.end = self.column(scalar.span.start + header.end(1))
            self.row.remark(header[2].rstrip(), self.column(scalar.span.start + header.start(2)))

    def body(self, scalar: Scalar, header: re.Match[str], body: list[str], indent: int) -> None:
        """The lines of a text that is no script: they move together."""
        filled = [len(line) - len(line.lstrip(" ")) for line in body if line.strip()]
        if re.search("[0-9]", header[1]):
            was, now = self.levels[-1]
        else:
            was, now = (filled[0] if filled else 0), indent
        for line in body:
            self.end_row()
            if line.strip(" ") or len(line) > was:
                self.row.words = " " * (now - was) + line if now >= was else line[was - now :]
                self.row.kept = True


def _matches(path: _Path, pattern: _Path) -> bool:
    return len(path) == len(pattern) and all(one in ("*", word) for word, one in zip(path, pattern, strict=True))
