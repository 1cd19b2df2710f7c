"""Reading YAML: the bytes of a file in, nodes with places out.

Nodes are composed here from YAML's events, with a stack of our own and a limit on everything, so no file can crash the
program, take its memory or keep it busy. All leaves stay text, and no alias is followed.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from rulebook.diagnostics import Diagnostic, Edit, Fix, Label, diagnose
from rulebook.dsl import commas
from rulebook.dsl.document import Mapping, Node, Scalar, Sequence, is_nothing, kind_of
from rulebook.dsl.reading import yaml_errors
from rulebook.dsl.reading.unsaved import find_unsaved
from rulebook.dsl.sourcemap import Style
from rulebook.files import open_ordinary
from rulebook.library import leads_out
from rulebook.source import LARGEST_FILE, SourceFile, Span

DEEPEST = 64  # levels of nesting
MOST_NODES = 200_000  # keys, values, maps and lists of one file
LONGEST_SCALAR = 16 * 1024  # code points
_MOST_PROBLEMS = 100  # of one file; more than that is one mistake made everywhere
_MOST_ODD_CHARACTERS = 10
_LONGEST_SHOWN = 40  # of an anchor, alias or tag within a sentence
_FARTHEST_RERUN = 100_000  # the pure loader says more, but is ten times slower
_MOST_RERUN_EVENTS = 10_000
_TOO_LARGE = "a file of more than 1 MiB"
_SPLIT_FILE = "Split it into several files."
LEADS_OUT = "this is a link that leads out of the game's folder"
NOTHING_OUTSIDE = "Nothing outside of a game's folder is read. Put what the link leads to into the folder itself."

WITH_LIBYAML = bool(yaml.__with_libyaml__)
_LOADER: Any = yaml.CSafeLoader if WITH_LIBYAML else yaml.SafeLoader
_STYLES: dict[str | None, Style] = {
    None: "plain", "": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded",
}  # fmt: skip

# What YAML cannot read; U+2028 and U+2029, which are line breaks for YAML but for no editor; and a byte order
# mark in the middle, which somebody pasted without seeing it.
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|[\u2028\u2029]|[\ufffe\uffff]|[\ud800-\udfff]|\ufeff")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_STAYS_EMPTY = re.compile(
    r"(?:(?:add|change)\.)?kinds\.\w+(?:\.(?:does|may_do)\.[^.]*)?"
    r"|(?:units|words|options|kinds|places|memory|cards|values|actions|phrases|measures)|(?:places|memory)\.(?:table|player)"
    r"|(?:add\.)?display\.shown(?:\.\w+)?"
)
"""Paths to what may be left empty, so that nothing is lost to the comment behind it: a section, a kind, a hook, a value
that is shown."""
_ONLY_COMMENT = re.compile(r"[ \t]*:[ \t]+#")
_ODD_INDENT = re.compile(r"^ *(?P<odd>[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000][^\S\t\r\n]*)(?=\S)", re.MULTILINE)
_CUTTING = re.compile(r"[ \t]+(?P<sign>#)(\w)[^\r\n]*?(?=[ \t]*(?:[\r\n]|\Z))")
_READ_BY_PEOPLE = ("name", "text", "about")
_TYPOGRAPHIC = re.compile(r"“[^“”\n]+”|„[^„“”\n]+[“”]|«[^«»\n]+»|‘[^‘’\n]+’")
_PROPERTIES = re.compile(r"(?:(?:&\S*|!<[^>]*>|![^\s,\[\]{}]*)(?:\s|(?<=\s)#[^\r\n]*)*)+")
_YES_NO = {"true": "yes", "on": "yes", "yes": "yes", "false": "no", "off": "no", "no": "no"}


def read_file(path: Path, shown: str | None = None) -> tuple[Mapping | None, list[Diagnostic]]:
    """Read a file from disk; `shown` is the name that messages use, if not the path itself.

    A file that is missing, too large or not UTF-8 gives no map and a message, as any other mistake does.
    """
    name = str(path) if shown is None else shown
    try:
        if not path.is_file():
            is_there = os.path.lexists(path)
            problem = "this is no file, or a link to none" if is_there else "there is no such file"
            return _refuse(name, "RB101", problem=problem)
        if leads_out(path):
            return _refuse(name, "RB101", problem=LEADS_OUT, help=NOTHING_OUTSIDE)
        if (unsaved := find_unsaved(path)) is not None:
            return read_map(SourceFile(name, unsaved))
        # All of it at once: a buffer would only be copied.
        with os.fdopen(open_ordinary(path), "rb", buffering=0) as stream:
            data = stream.read(LARGEST_FILE + 4) if os.fstat(stream.fileno()).st_size > LARGEST_FILE else stream.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        return _refuse(name, "RB101", problem=f"it cannot be opened ({reason})")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if len(data) > LARGEST_FILE:
        return _refuse(name, "RB106", problem=_TOO_LARGE, help=_SPLIT_FILE)
    try:
        return read_map(SourceFile(name, data.decode("utf-8")))
    except UnicodeDecodeError as error:
        file = SourceFile(name, data.decode("utf-8", "replace"))
        at = len(data[: error.start].decode("utf-8"))
        utf_16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        fault = "it is UTF-16" if utf_16 else f"the byte {data[error.start]:#04x} here is something else"
        problem = f"a rulebook is written in UTF-8, and {fault}"
        help = "Save the file as UTF-8: most editors ask for the encoding in `Save as`."
        return None, [diagnose("RB101", Span(file, at, at + 1), problem=problem, help=help)]


def read_map(file: SourceFile, text: str | None = None) -> tuple[Mapping | None, list[Diagnostic]]:
    """Compose the map that a file holds; no map if the file cannot be read to its end.

    An empty file is an empty map. Messages come in the order in which they were found. `text` is the file's, in which
    something was made blank.
    """
    if len(file.text) > LARGEST_FILE:
        return _refuse(file.name, "RB106", problem=_TOO_LARGE, help=_SPLIT_FILE)
    text = file.text if text is None else text
    if odd := find_odd_characters(file, text):
        return None, odd
    composer = _Composer(file)
    top = composer.compose(text)
    if composer.nodes > MOST_NODES:
        return _refuse(file.name, "RB106", problem=f"more than {MOST_NODES:,} entries in one file", help=_SPLIT_FILE)
    if composer.problems and _ODD_INDENT.search(text):
        # What is no space for YAML may be all that is wrong: it is one for people.
        composer = _Composer(file)
        top = composer.compose(_ODD_INDENT.sub(lambda indent: " " * len(indent[0]), text))
        composer.report_odd_spaces(text)
    return top, composer.problems


class _GaveUp(Exception):
    """The file goes beyond a limit; the message is with the others already."""


def _refuse(name: str, code: str, help: str = "", **values: Any) -> tuple[None, list[Diagnostic]]:
    """A message about a file as a whole, whose text is not kept."""
    return None, [diagnose(code, Span(SourceFile(name, ""), 0, 0), help=help, **values)]


def find_odd_characters(file: SourceFile, text: str) -> list[Diagnostic]:
    """Characters that no rulebook may hold, each at its place."""
    messages: list[Diagnostic] = []
    for match in _ODD.finditer(text):
        name = unicodedata.name(match[0], "").lower()
        problem = f"here is an invisible character, U+{ord(match[0]):04X}" + (f" ({name})" if name else "")
        help = "Delete it. Such characters come along when text is copied from elsewhere."
        messages.append(diagnose("RB101", Span(file, match.start(), match.end()), problem=problem, help=help))
        if len(messages) == _MOST_ODD_CHARACTERS:
            break
    return messages


def _events(text: str, loader: Any) -> Iterator[Any]:
    """YAML's events. Both parsers keep their stack on the heap, so no nesting can overflow ours."""
    parser = loader(text)
    try:
        yield from iter(parser.get_event, None)
    finally:
        parser.dispose()


def can_read(text: str) -> bool:
    """Tell whether YAML reads a text up to its end, without a word on what is wrong."""
    try:
        return all(True for _ in _events(text, _LOADER))
    except (yaml.YAMLError, ValueError, OverflowError):
        return False


def _better_error(text: str, error: Exception) -> Exception:
    """The error in the words of the pure loader, which says more, where that is quick enough."""
    mark = getattr(error, "problem_mark", None)
    if not WITH_LIBYAML or mark is None or mark.index > _FARTHEST_RERUN:
        return error
    depth = 0
    try:
        for count, event in enumerate(_events(text, yaml.SafeLoader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            # It looks at all that is open for each token.
            if count > _MOST_RERUN_EVENTS or depth > DEEPEST:
                return error
    except yaml.MarkedYAMLError as better:
        return better
    except (yaml.YAMLError, ValueError, OverflowError):
        return error
    return error


def _shorten(written: str) -> str:
    return written if len(written) <= _LONGEST_SHOWN else written[: _LONGEST_SHOWN - 1] + "…"


class _Frame:
    """A map or a list that is still open."""

    __slots__ = ("cut", "entries", "flow", "key", "node", "start")

    def __init__(self, node: Mapping | Sequence, start: int, flow: bool) -> None:
        self.node = node
        self.start = start
        self.flow = flow
        self.key: Scalar | None = None  # of the entry whose value comes next
        self.entries: list[commas.Entry] = []
        self.cut = False  # whether a comma may have cut a bracket open in two


class _Composer:
    """Builds nodes from events, one at a time."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.problems: list[Diagnostic] = []
        self.texts: list[tuple[int, int]] = []  # in quotes, as places
        self.root: Node | None = None
        self.stack: list[_Frame] = []
        self.nodes = 0
        self.documents = 0
        self.end = 0  # of the last piece that was not white space
        self.no_key = Scalar("", "plain", Span(file, 0, 0))  # stands for a key that was refused

    def compose(self, text: str) -> Mapping | None:
        """Read the file from a text; no map if it cannot be read to its end."""
        try:
            for event in _events(text, _LOADER):
                self.take_event(event)
                if self.documents > 1:
                    break
        except _GaveUp:
            return None
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self.abandon(error, text)
            return None
        return self.top()

    def report_odd_spaces(self, text: str) -> None:
        """Report lines that are indented with spaces which are none for YAML, but for those in the middle of a text."""
        for match in _ODD_INDENT.finditer(text):
            start, end = match.span("odd")
            if any(first < start < last for first, last in self.texts):
                continue
            problem = f"this line is indented with a space that is not an ordinary one (U+{ord(match['odd'][0]):04X})"
            help = "Delete the white space at the start of the line and type it again."
            edit = Edit(Span(self.file, start, end), " " * (end - start))
            fix = Fix("Write ordinary spaces.", (edit,), safe=True)
            self.report("RB101", start, end, problem=problem, help=help, fix=fix)

    # Events

    def take_event(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self.attach(self.scalar(event))
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            start = self.start_of(event)
            span = Span(self.file, start, start)
            self.open_node(Mapping(span) if kind is yaml.MappingStartEvent else Sequence(span), event, start)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self.close_node(event.end_mark.index)
        elif kind is yaml.AliasEvent:
            self.refuse_alias(event)
        elif kind is yaml.DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                problem = "`---` starts a second document in this file"
                self.report(
                    "RB106", event.start_mark.index, event.end_mark.index, problem=problem,
                    help="Put what follows into a file of its own, or remove the `---`.",
                )  # fmt: skip

    def scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        if event.anchor is not None or event.tag is not None:
            start = self.start_of(event)
        self.count_node()
        text: str = event.value
        style = _STYLES[event.style]
        if len(text) > LONGEST_SCALAR:
            problem = f"a text of {len(text)} characters; {LONGEST_SCALAR} are the most"
            self.report("RB106", start, start + 1, problem=problem, help="Split it up.")
            text = ""
        if style == "double" and _SURROGATE.search(text):
            problem = "this text has half of a character in it (an escape from `\\ud800` to `\\udfff`)"
            self.report("RB101", start, end, problem=problem, help="Write the character itself.")
            text = _SURROGATE.sub("\ufffd", text)
        if end > start:
            self.end = end
        if style in ("single", "double"):
            self.texts.append((start, end))
        elif style == "plain" and _TYPOGRAPHIC.fullmatch(text):
            edits = (Edit(Span(self.file, start, start + 1), '"'), Edit(Span(self.file, end - 1, end), '"'))
            straight = Fix("Write straight quotes.", edits, safe='"' not in text and "\\" not in text)
            self.report("RB117", start, end, text=f"`{_shorten(text)}`", fix=straight)
        return Scalar(text, style, Span(self.file, start, end))

    def start_of(self, event: Any) -> int:
        """Return the offset where a node starts, behind the anchor and the tag that it should not have."""
        start: int = event.start_mark.index
        if event.anchor is None and event.tag is None:
            return start
        match = _PROPERTIES.match(self.file.text, start)
        end = match.end() if match else start + 1
        written = self.file.text[start:end].strip()
        if event.anchor is not None:
            problem = f"`{_shorten(written)}` marks something so that it can be repeated"
            help = None
        else:
            problem = f"`{_shorten(written)}` tells YAML what type this has"
            help = "Quote it if it is text, else remove it."
        self.report("RB106", start, start + max(len(written), 1), problem=problem, help=help)
        return min(end, event.end_mark.index) if event.end_mark.index > start else start

    def refuse_alias(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        problem = f"`{_shorten(self.file.text[start:end])}` repeats something marked elsewhere"
        help = "To use a card twice, write `copy: goblin`. If the `*` belongs to a text, quote it."
        self.report("RB106", start, end, problem=problem, help=help)
        self.end = end
        self.count_node()
        self.attach(Scalar("", "plain", Span(self.file, start, end)))

    # Nodes

    def attach(self, node: Node) -> None:
        """Give a node its place in the map or list around it."""
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        if frame.flow and isinstance(node, Scalar) and node.style == "plain":
            frame.cut = frame.cut or commas.opens(node.text)
        if isinstance(frame.node, Sequence):
            frame.entries.append((None, node))
        elif frame.key is not None:
            frame.entries.append((frame.key, node))
            frame.key = None
        else:
            frame.key = self.checked_key(node)

    def checked_key(self, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            at = node.span.start
            help = "If the brackets belong to a text, put quotes around all of it."
            self.report("RB112", at, at + 1, what="A key", wanted="a name", got=kind_of(node), help=help)
            return self.no_key
        text = node.text
        if node.style != "plain" or (text and text != "<<" and text == text.strip()):
            return node
        at, end = node.span.start, node.span.end
        if not text:
            self.report("RB101", at, at + 1, problem="there is no key before this `:`")
            return self.no_key
        if text == "<<":
            self.report("RB106", at, end, problem="`<<` mixes another map into this one")
            return self.no_key
        problem = "this line is indented with a space that is not an ordinary one"
        help = "Delete the white space at the start of the line and type it again."
        self.report("RB101", at, end, problem=problem, help=help)
        return node

    def open_node(self, node: Mapping | Sequence, event: Any, start: int) -> None:
        self.count_node()
        self.attach(node)
        if len(self.stack) >= DEEPEST:
            problem = f"nesting deeper than {DEEPEST} levels"
            self.report("RB106", start, start + 1, problem=problem, help="Is a closing bracket missing?")
            raise _GaveUp
        self.stack.append(_Frame(node, start, bool(event.flow_style)))
        self.end = max(self.end, start)

    def close_node(self, end: int) -> None:
        """Finish the innermost map or list: only now is it known whether commas have cut entries in two."""
        frame = self.stack.pop()
        if frame.flow:
            self.end = end
        if frame.cut:
            self.mend(frame)
        node = frame.node
        # The end of a block is the start of what follows it, which is of no use to anybody.
        node.span = Span(self.file, frame.start, max(self.end, frame.start))
        if isinstance(node, Sequence):
            node.extend(self.checked_value(None, value) for _, value in frame.entries)
            return
        for key, value in frame.entries:
            if key is None or key is self.no_key:
                continue
            value = self.checked_value(key, value)
            self.look_for_cut(key, value, frame.flow)
            first = node.keys_at.get(key.text)
            if first is None:
                node.put(key, value)
            else:
                label = Label(first.span, "it is given here first")
                self.report("RB103", key.span.start, key.span.end, labels=[label], key=key.text)

    def checked_value(self, key: Scalar | None, value: Node) -> Node:
        if not isinstance(value, Scalar) or value.style != "plain":
            return value
        meant = _YES_NO.get(value.text.lower())
        if value.text and (meant is None or value.text in ("yes", "no")):
            return value
        at, end = value.span.start, value.span.end
        if meant is not None:
            close = " (or `no`, if two letters changed places)" if value.text == "on" else ""
            help = f'Write `{meant}`{close}. If you mean the word itself, put it in quotes: `"{value.text}"`.'
            # Only these two are nobody's name: `No` and `On` may be meant as they stand.
            fix = self.replaced(at, end, meant, safe=value.text in ("true", "false"))
            self.report("RB104", at, end, raw=value.text, help=help, fix=fix)
            return Scalar(meant, "plain", value.span)  # so that the schema has nothing to add
        commented = key is not None and at == end and _ONLY_COMMENT.match(self.file.text, key.span.end)
        if key is not None and commented and not _STAYS_EMPTY.fullmatch(self.path_of(key)):
            self.report("RB105", key.span.start, key.span.end, key=key.text)
        return value

    def path_of(self, key: Scalar) -> str:
        """Return the keys that lead to one of the innermost map, which has just been closed."""
        above = (frame.entries[-1][0] for frame in self.stack if frame.entries)
        return ".".join([*(key.text for key in above if key is not None), key.text])

    def look_for_cut(self, key: Scalar, value: Node, flow: bool) -> None:
        """Report a text that goes on behind a `#`, as far as that can be told: a number, or words that people read."""
        if not isinstance(value, Scalar) or value.style != "plain" or not value.text:
            return
        comment = _CUTTING.match(self.file.text, value.span.end)
        if comment is None or not (comment[2].isdigit() or key.text in _READ_BY_PEOPLE):
            return
        if flow and set(",]}") & set(comment[0]):
            return  # the bracket is missed where YAML stops
        whole = self.file.text[value.span.start : comment.end()]
        plain = not {'"', "\\"} & set(whole)
        fix = self.replaced(value.span.start, comment.end(), f'"{whole}"', safe=False) if plain else None
        self.report("RB109", comment.start("sign"), comment.end(), key=key.text, said=value.text, fix=fix)

    def mend(self, frame: _Frame) -> None:
        frame.entries, cuts = commas.mend(frame.entries)
        for cut in cuts:
            label = Label(cut.bracket, "this bracket is still open")
            help = f"Put quotes around all of it: `{cut.quoted}`." if cut.quoted else None
            self.report("RB108", cut.comma.start, cut.comma.end, labels=[label], help=help)

    # The end

    def top(self) -> Mapping | None:
        """The map that the file holds, once every event was taken."""
        root = self.root
        if root is None or is_nothing(root):
            return Mapping(Span(self.file, 0, 0))
        if isinstance(root, Mapping):
            return root
        self.report(
            "RB112", root.span.start, min(root.span.end, root.span.start + 1), what="A rulebook file",
            wanted="a map, lines like `name: My game`", got=kind_of(root),
        )  # fmt: skip
        return None

    def abandon(self, error: Exception, text: str) -> None:
        """Report why YAML could not go on, after what is wrong before that place."""
        bracket = self.stack[-1].start if self.stack and self.stack[-1].flow else None
        try:
            while self.stack:
                self.close_node(self.end)
        except _GaveUp:
            return
        error = _better_error(text, error)
        mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
        at = mark.index if mark is not None else getattr(error, "position", self.end)
        complaint = getattr(error, "problem", None) or getattr(error, "reason", None) or "this is not YAML"
        causes = yaml_errors.explain(
            self.file, str(complaint), at, context.index if context is not None else None, bracket
        )
        # `*bold* move` is an alias with something behind it: the first message has said it all.
        lines = {problem.span.line for problem in self.problems if problem.span and problem.code == "RB106"}
        self.problems.extend(item for item in causes if item.span is None or item.span.line not in lines)

    def replaced(self, start: int, end: int, text: str, safe: bool) -> Fix:
        return Fix(f"Write `{text}`.", (Edit(Span(self.file, start, end), text),), safe)

    def count_node(self) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise _GaveUp

    def report(self, code: str, start: int, end: int, **about: Any) -> None:
        self.problems.append(diagnose(code, Span(self.file, start, min(end, len(self.file.text))), **about))
        if len(self.problems) == _MOST_PROBLEMS:
            help = "Correct those above, then look again."
            problem = f"{_MOST_PROBLEMS} problems in one file; the rest of it was not looked at"
            self.problems.append(diagnose("RB106", self.problems[-1].span, problem=problem, help=help))
            raise _GaveUp
