"""Messages to people about mistakes: they are collected, never raised, so that one run shows every mistake.

The sentences themselves are data: one file a code in `codes/`. `render` turns records into text.
"""

import re
from collections.abc import Iterable

from rulebook.classes import frozen
from rulebook.diagnostics import signs
from rulebook.diagnostics.registry import Confidence, Severity, Template, codes, template
from rulebook.diagnostics.spelling import Advice, did_you_mean, near, nearest, perhaps, slips
from rulebook.source import Span

__all__ = [
    "LISTED",
    "Advice",
    "Confidence",
    "Diagnostic",
    "Edit",
    "Fix",
    "Label",
    "Severity",
    "Template",
    "codes",
    "diagnose",
    "did_you_mean",
    "has_errors",
    "near",
    "nearest",
    "perhaps",
    "slips",
    "template",
]

LISTED = "RB738"
"""The code of what may well be meant as it is: for people it is listed, a line each, behind what is told."""


@frozen
class Label:
    """A second place that belongs to a message, with a few words on why: "the first one is here"."""

    span: Span
    text: str


@frozen
class Edit:
    """A replacement for a piece of a file."""

    span: Span
    text: str


@frozen
class Fix:
    """A change of the text that mends a mistake; `title` is the instruction ("write `yes`").

    It is `safe` if nobody could have meant anything else: only such fixes are made without asking. That one name is
    near does not make it the one that was meant.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool


@frozen
class Diagnostic:
    """One message. `message` and `help` are finished sentences; both may hold code between backticks.

    `span` is None only if no place in any file is to blame. `severity` is how bad it is, `confidence` how
    sure we are. `where` names the thing around it for people ("card goblin, effect"), or is empty.
    """

    code: str
    message: str
    span: Span | None
    help: str = ""
    labels: tuple[Label, ...] = ()
    severity: Severity = "error"
    confidence: Confidence = "certain"
    where: str = ""
    fix: Fix | None = None

    @property
    def key(self) -> object:
        """Identity of the message, the same if its file is read twice."""
        span = self.span
        return self.code, self.message, span and (span.file.name, span.start, span.end)


def has_errors(messages: Iterable[Diagnostic], *, certain: bool = False) -> bool:
    """True if there is an error; one that is not `certain` may be hidden by a comment."""
    return any(message.severity == "error" and (not certain or message.confidence == "certain") for message in messages)


def diagnose(
    code: str,
    span: Span | None,
    /,
    *,
    labels: Iterable[Label] = (),
    where: str = "",
    help: str | None = None,
    fix: Fix | None = None,
    **values: object,
) -> Diagnostic:
    """Make the message of a code, its sentences filled with `values` (each shown as one short line).

    `help` replaces the code's own help; None keeps that, an empty text drops it. So a suggestion that may be
    missing is written `help=did_you_mean(word, legal) or None`. If only one word is near, and the place holds the word
    that is wrong, writing it is a fix that is not safe.

    Raises LookupError for a code that does not exist, and TypeError for a value that a sentence needs and was
    not given: both are mistakes of this program, never of an author. Values that no sentence mentions are
    ignored.
    """
    chosen = template(code)
    is_said = help is not None and fix is not None
    if span is not None and not is_said and code in signs.CODES and (odd := signs.find_oddity(code, span)) is not None:
        help = odd.help
        edits = tuple(Edit(place, text) for place, text in odd.edits)
        fix = fix or (Fix(odd.title, edits, safe=True) if edits else None)
    return Diagnostic(
        code=code,
        message=chosen.fill(chosen.message, values),
        span=span,
        help=chosen.fill(chosen.help, values) if help is None else help,
        labels=tuple(labels),
        severity=chosen.severity,
        confidence=chosen.confidence,
        where=where,
        fix=fix or _respelt(span, help),
    )


def _respelt(span: Span | None, help: str | None) -> Fix | None:
    """The word that was perhaps meant, in the place of the one that was written, if that stands there once."""
    if span is None or not isinstance(help, Advice) or help.meant is None:
        return None
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(help.word)}(?!\w)", span.text)]
    if len(places) != 1:
        return None
    start = span.start + places[0]
    edit = Edit(Span(span.file, start, start + len(help.word)), help.meant)
    return Fix(f"Write `{help.meant}` instead of `{help.word}`.", (edit,), safe=False)
