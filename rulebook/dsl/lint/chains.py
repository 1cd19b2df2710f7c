"""Lint: declarations that become unused once the unused ones are taken out. One mistake gives one message.

Bad: a value `bonus(p)` that only a rule `pay(p)` reads, which nothing calls. Good: `do pay(lucky)` somewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from rulebook.diagnostics import Diagnostic, Label
from rulebook.dsl.lint.book import Book
from rulebook.dsl.lint.reach import uncalled
from rulebook.dsl.lint.uses import Mentions, unused
from rulebook.source import Span

MOST_LINKS = 20
"""The most rounds of taking out unused things, in one game; a longer chain is told link by link."""
MOST_UNUSED = 200
"""The most unused things of which it is told what hangs on each."""
_ALSO = {"RB507": "then nothing uses this either", "RB510": "then nothing asks for this either"}


def with_chains(book: Book, messages: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the messages, those about what nothing uses with the places of all that only this used."""
    messages = list(messages)
    if not 0 < sum(message.code in _ALSO for message in messages) <= MOST_UNUSED:
        yield from messages
        return
    names = {book.span(*name): name for name in book.world.authored.keys}
    seen = {message.span for message in messages}
    links = 0
    for message in messages:
        labels: list[Label] = []
        left: list[Span | None] = [message.span] if message.code in _ALSO else []
        while left and links < MOST_LINKS:
            links += 1
            book = Book(book.rulebook, book.world, book.without | {names[span] for span in left if span in names})
            more = [*uncalled(book), *unused(book, Mentions(book))]
            new = [later for later in more if later.code in _ALSO and later.span is not None and later.span not in seen]
            labels += [Label(later.span, _ALSO[later.code]) for later in new if later.span is not None]
            left = [later.span for later in new]
            seen.update(left)
        yield evolve(message, labels=(*message.labels, *labels)) if labels else message
