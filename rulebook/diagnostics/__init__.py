"""What went wrong, said to people.

In: a code such as `RB103`, a place, and the values its sentences mention. Out: `Diagnostic` records, which
are collected, never raised, so that one run shows every mistake. The sentences themselves are data: one file
a code in `codes/`. Never prints and never decides what happens next; `render` turns records into text.
"""

from collections.abc import Iterable

from attrs import frozen

from rulebook.diagnostics.registry import Confidence, Severity, Template, codes, template
from rulebook.diagnostics.spelling import did_you_mean, nearest, slips
from rulebook.source import Span

__all__ = [
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
    "nearest",
    "slips",
    "template",
]


@frozen
class Label:
    """A second place that belongs to a message, with a few words on why: "the first one is here"."""

    span: Span
    text: str


@frozen
class Edit:
    """What a piece of a file should be replaced with."""

    span: Span
    text: str


@frozen
class Fix:
    """How a mistake can be mended by changing the text; `title` says what is done ("write `yes`").

    It is `safe` if nobody could have meant anything else: only such fixes are made without asking.
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
    missing is written `help=did_you_mean(word, legal) or None`.

    Raises LookupError for a code that does not exist, and TypeError for a value that a sentence needs and was
    not given: both are mistakes of this program, never of an author. Values that no sentence mentions are
    ignored.
    """
    chosen = template(code)
    return Diagnostic(
        code=code,
        message=chosen.fill(chosen.message, values),
        span=span,
        help=chosen.fill(chosen.help, values) if help is None else help,
        labels=tuple(labels),
        severity=chosen.severity,
        confidence=chosen.confidence,
        where=where,
        fix=fix,
    )
