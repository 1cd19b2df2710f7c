"""Comments by which an author suppresses messages: `# rulebook: ignore RB801 reason`, for one that was looked at and is
to be heard no more, and `# rulebook: fail on warnings`.

An error that is certain is never hidden, because then the game could not be played and nothing would say so. A comment
behind something is about its own line; one that stands alone, about the next line that is no comment.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from attrs import define, evolve

from rulebook.diagnostics import Diagnostic, Label, Severity, codes, diagnose, did_you_mean
from rulebook.dsl.document import Scalar, walk_nodes
from rulebook.dsl.reading.reader import read_map
from rulebook.library import RULES
from rulebook.source import SourceFile, Span

_COMMENT = re.compile(r"(?:^|(?<=\s))#\s*rulebook\s*:[ \t]*(?P<said>[^\r\n]*?)[ \t]*(?=[\r\n]|\Z)", re.MULTILINE)
_SAID = re.compile(r"ignore\b[ \t]*(?P<codes>[A-Za-z]{2}\d+\b(?:[ \t]*,[ \t]*[A-Za-z]{2}\d+\b)*)?[ \t]*(?P<reason>.*)")
_FAILS = re.compile(r"fail on (?P<mildest>warning|tip)s?")
_CODE = re.compile(r"[A-Za-z]{2}\d+")
_WORD = re.compile(r"\S+")
_NO_OPINION = "this cannot be ignored"


@define(eq=False)
class _Ignore:
    """One code of one comment: its place, and the line it is about."""

    code: str
    span: Span
    line: int
    used: bool = False


def heed_comments(
    messages: Iterable[Diagnostic],
    files: Iterable[SourceFile],
    complete: bool,
    unlooked: frozenset[str] = frozenset(),
    *,
    labelled: bool = False,
) -> list[Diagnostic]:
    """The messages that no comment in these files ignores, then those about the comments.

    `complete` says that everything was checked, but for the codes `unlooked`: only then is it known that a comment
    ignores nothing. With `labelled`, a comment is also about messages elsewhere that have a label at its line.
    """
    ignores: dict[tuple[str, int], list[_Ignore]] = {}
    about: list[Diagnostic] = []
    for file in files:
        # Nearly all files have none, and then nothing more needs to be known about them.
        for ignore in _read_ignores(file, about) if "rulebook" in file.text else ():
            ignores.setdefault((file.name, ignore.line), []).append(ignore)
    if not ignores:
        return [*messages, *about]
    left = [message for message in (_heed(message, ignores, labelled) for message in messages) if message is not None]
    unused = [ignore for here in ignores.values() for ignore in here if not ignore.used] if complete else []
    about += [diagnose("RB901", ignore.span, code=ignore.code) for ignore in unused if ignore.code not in unlooked]
    return left + about


def read_fail_on(rules: str) -> Severity | None:
    """Return the mildest severity that fails a check, as `# rulebook: fail on warnings` in a game's first file says."""
    file = SourceFile(RULES, rules)
    for comment in _COMMENT.finditer(file.text):
        match = _FAILS.fullmatch(comment["said"])
        if match is not None and not _texts_of(file)(comment.start()):
            return "warning" if match["mildest"] == "warning" else "tip"
    return None


def _heed(message: Diagnostic, ignores: dict[tuple[str, int], list[_Ignore]], labelled: bool) -> Diagnostic | None:
    """Return the message, or None if a comment hides it. What may not be hidden points at the comment that tries to."""
    if message.span is None:
        return message
    spans = [message.span, *(label.span for label in message.labels if labelled)]
    lines = dict.fromkeys((span.file.name, span.line) for span in spans)
    here = [ignore for line in lines for ignore in ignores.get(line, ()) if ignore.code == message.code]
    for ignore in here:
        ignore.used = True
    if not here:
        return message
    if message.severity == "error" and message.confidence == "certain":
        return evolve(message, labels=(*message.labels, Label(here[0].span, _NO_OPINION)))
    return None


def _read_ignores(file: SourceFile, about: list[Diagnostic]) -> Iterator[_Ignore]:
    """The codes that the comments of a file name; what is wrong with the comments goes into `about`."""
    is_text = _texts_of(file)
    for comment in _COMMENT.finditer(file.text):
        if is_text(comment.start()):
            continue
        at = comment.start("said")
        if _FAILS.fullmatch(comment["said"]) and file.name.rpartition("/")[2] == RULES:
            continue
        match = _SAID.fullmatch(comment["said"])
        if match is None or not match["codes"]:
            about.append(_unreadable(comment, file, "`ignore`" if match is None else "a code"))
            continue
        if not match["reason"]:
            about.append(diagnose("RB902", Span(file, comment.start(), comment.end("said"))))
        line = _line_meant(file, comment.start())
        for code in _CODE.finditer(match["codes"]):
            span = Span(file, at + match.start("codes") + code.start(), at + match.start("codes") + code.end())
            name = code[0].upper()
            if name in codes():
                yield _Ignore(name, span, line)
            else:
                help = did_you_mean(name, codes()) or None
                about.append(diagnose("RB903", span, help=help, wanted="a code", word=f"`{code[0]}`"))


def _unreadable(comment: re.Match[str], file: SourceFile, wanted: str) -> Diagnostic:
    """The message about a comment without `ignore`, or without a code behind it."""
    skipped = 0 if wanted == "`ignore`" else len("ignore")
    word = _WORD.search(comment["said"], skipped)
    if word is None:
        span = Span(file, comment.start(), comment.end("said"))
        return diagnose("RB903", span, wanted=wanted, word="nothing")
    at = comment.start("said")
    span = Span(file, at + word.start(), at + word.end())
    return diagnose("RB903", span, wanted=wanted, word=f"`{word[0]}`")


def _line_meant(file: SourceFile, offset: int) -> int:
    line, column = file.position(offset)
    if file.line(line)[: column - 1].strip():
        return line
    line += 1
    while line < file.line_count and (not file.line(line).strip() or file.line(line).lstrip().startswith("#")):
        line += 1
    return line


@lru_cache(maxsize=16)  # variants are checked one after the other, with the game's own files
def _texts_of(file: SourceFile) -> Callable[[int], bool]:
    """Make the test whether an offset lies in a quoted text, in the YAML or in a script, and so in no comment."""
    top, _ = read_map(file)
    written = [node for node in (() if top is None else walk_nodes(top)) if isinstance(node, Scalar)]
    quoted = sorted((scalar.span.start, scalar.span.end) for scalar in written if scalar.style in ("single", "double"))
    starts = [start for start, _ in quoted]

    def is_text(offset: int) -> bool:
        before = bisect_right(starts, offset) - 1
        if before >= 0 and offset < quoted[before][1]:
            return True
        line, column = file.position(offset)
        script = re.sub(r"\\.", "", file.line(line)[: column - 1])
        return script.count('"') % 2 == 1

    return is_text
