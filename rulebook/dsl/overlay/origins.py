"""Origins of the parts of a resolved game, by variant, and the second places that they give to messages about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from attrs import evolve

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl.document import At, Doing, Layered, Node, Scalar, Seamed, find_words
from rulebook.dsl.overlay.paths import Keys, strip_parameters
from rulebook.dsl.overlay.seams import takes_all
from rulebook.dsl.overlay.variant import Verb
from rulebook.source import Span

_GIVES = r"\b(?:let|as|pick|chooses?)\b[\w ,]*\b{}\b(?! *\()"
"""The part of a sentence that gives a name."""
_DOES: dict[Doing, str] = {
    "before": "does something before this", "after": "does something after this",
    "instead of": "does something instead of this", "change": "replaced this", "change of head": "replaced this",
    "remove": "removed this", "where": "adds a condition to this", "so that": "adds a condition to this",
    "label": "adds a label to this",
}  # fmt: skip


@frozen(eq=False)
class Origin:
    """One thing that was done to a game: at which path, by which variant and verb, and where that is written.

    `before` is what was there (None: nothing), under the key `key`; `now` is what is there since (None: nothing).
    """

    keys: Keys
    variant: str
    verb: Verb
    at: Span
    before: Node | None
    key: Scalar | None
    now: Node | None


Origins: TypeAlias = dict[Keys, tuple[Origin, ...]]
"""All that was done at each path, in the order in which it was done."""


def by_path(done: Iterable[Origin]) -> Origins:
    """The same, to be looked up."""
    origins: Origins = {}
    for origin in done:
        origins[origin.keys] = (*origins.get(origin.keys, ()), origin)
    return origins


def label_messages(messages: Iterable[Diagnostic], done: Collection[Origin]) -> list[Diagnostic]:
    """The messages, each with the line that a variant replaced there, or where it took away what is missing."""
    return [_label_message(message, done) for message in messages] if done else list(messages)


def _label_message(message: Diagnostic, done: Collection[Origin]) -> Diagnostic:
    if message.span is None:
        return message
    labels = [*_label_replaced(message.span, done), *_label_missed(message, done)]
    there = {(label.span.file, label.span.line) for label in message.labels}
    there.add((message.span.file, message.span.line))
    message = evolve(message, help=_advise_on_name(message, done) or message.help)
    new = [label for label in labels if (label.span.file, label.span.line) not in there]
    return evolve(message, labels=(*message.labels, *new)) if new else message


def _advise_on_name(message: Diagnostic, done: Collection[Origin]) -> str:
    """Say where a script belongs that runs before or after another one, and uses a name which that one gives."""
    named = re.search(r"There is no name called `(\w+)`", message.message)
    for origin in done if named is not None and message.span is not None else ():
        if named is None or message.span is None or not isinstance(origin.now, Layered):
            continue
        if not isinstance(origin.before, Scalar) or not _contains(origin.now.span, message.span):
            continue
        given = re.search(_GIVES.format(re.escape(named[1])), origin.before.text)
        if given is not None:
            text = origin.before.text
            sentence = text[text.rfind("\n", 0, given.start()) + 1 : given.end()].strip()
            path = ".".join((*origin.keys[:-1], strip_parameters(origin.keys[-1]), sentence))
            return f"`{named[1]}` is a name of the script itself. Put this at a sentence of that: `{path}`."
    return ""


def _label_replaced(span: Span, done: Collection[Origin]) -> Iterator[Label]:
    """Label the lines that a variant replaced where a message points."""
    for origin in done:
        if isinstance(origin.now, Seamed):
            if _contains(origin.now.span, span):
                yield Label(_find_head(origin.now.at), f"the variant `{origin.variant}` {_DOES[origin.now.doing]}")
            continue
        inside = origin.now is not None and _contains(origin.now.span, span)
        if origin.key is not None and origin.before is not None and (inside or _contains(origin.at, span)):
            did = {"before": "runs something before this", "after": "runs something after this"}
            yield Label(origin.key.span, f"the variant `{origin.variant}` {did.get(origin.verb, 'replaced this')}")


def _label_missed(message: Diagnostic, done: Collection[Origin]) -> Iterator[Label]:
    """Label the removal by a variant, of the thing itself or of all that used it, that a message comes from."""
    if message.span is None:
        return
    words = {*re.findall(r"\w+", message.span.text), *re.findall(r"`([^`]*)`", message.message)}
    for deed in done:
        if (
            deed.before is None
            or deed.key is None
            or (isinstance(deed.now, Layered) and deed.now.place != "instead of")
        ):
            continue
        if isinstance(deed.now, Seamed):
            if takes_all(deed.now) and _named_by(message, deed.now, words):
                yield Label(deed.at, f"the variant `{deed.variant}` took away what named it")
            continue
        if message.severity == "error":
            name = strip_parameters(deed.keys[-1])
            if deed.verb == "remove" and name in words:
                yield Label(deed.at, f"the variant `{deed.variant}` removed `{name}` here")
        elif message.span.text in {*find_words(deed.before)} - {*find_words(deed.now)}:
            is_instead = isinstance(deed.now, Layered) and "original" not in find_words(deed.now)
            how = ": it does without the `original`" if is_instead else ""
            yield Label(deed.at, f"the variant `{deed.variant}` took away what named it{how}")


def _named_by(message: Diagnostic, seam: Seamed, words: set[str]) -> bool:
    """Tell whether a sentence that a variant took away gave the name that is missing, or used what is not used now."""
    assert message.span is not None
    if message.severity == "error":
        return any(re.search(_GIVES.format(re.escape(name)), seam.at.words) for name in words)
    return message.span.text in {*re.findall(r"\w+", seam.at.words)} - {*find_words(seam)}


def _find_head(at: At) -> Span:
    """Return the place of a sentence, without its block."""
    end = at.scalar.text.find("\n", at.start, at.end)
    return at.scalar.locate(at.start, at.end if end < 0 else end)


def _contains(outer: Span, inner: Span) -> bool:
    return outer.file is inner.file and outer.start <= inner.start and inner.end <= outer.end
