"""A script with mistakes in it, read again: every faulty sentence in turn is replaced by one that does no harm.

What a sentence that is gone could have meant nobody knows: who looks at the rest asks `Reread.holds`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from itertools import accumulate
from typing import Any

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic, Edit, Fix, diagnose
from rulebook.dsl.document import Scalar
from rulebook.dsl.parsing.lexer import WORD, sentence_at, sentence_end
from rulebook.source import Span

MOST_MISTAKES = 10
_MOST_REREAD = 40_000  # characters read again to find further mistakes; a hostile script must not take seconds

_BINDS = frozenset({"choose", "chooses", "pick", "let", "as"})
"""Words of sentences that give something a name."""
_TYPOGRAPHIC = re.compile(r"[“”„«»‘’‚][^\n\"“”„«»]*[“”«»‘’]")
_OF_A_SENTENCE = frozenset(f"RB{n}" for n in (301, 303, 307, 401, 402, 406, 408, 409, 410))
"""Codes of what is wrong in a sentence by itself, if all its names are known."""


@frozen(eq=False)
class Mistake(Exception):
    """Something in a text that does not fit: its code, its place, and the words of its message.

    `blame` is an offset in the sentence that must be put out of the way before the rest can be read; None if
    the rest makes no sense without it.
    """

    code: str
    start: int
    end: int
    values: dict[str, str]
    help: str | None = None
    blame: int | None = -1

    def message(self, scalar: Scalar, where: str) -> Diagnostic:
        values: dict[str, Any] = {**self.values, "where": where, "help": self.help}
        return diagnose(self.code, scalar.locate(self.start, self.end), fix=_fix_quotes(scalar, self.start), **values)


def _fix_quotes(scalar: Scalar, start: int) -> Fix | None:
    """Offer plain quotes for pasted ones; between YAML's own quotes that is not plain."""
    quoted = _TYPOGRAPHIC.match(scalar.text, start)
    if quoted is None or scalar.style in ("single", "double"):
        return None
    ends = (start, start + 1), (quoted.end() - 1, quoted.end())
    return Fix("Write straight quotes.", tuple(Edit(scalar.locate(*end), '"') for end in ends), safe=True)


@frozen(eq=False)
class Reread(Scalar):
    """A script without its faulty sentences: line by line the `original`, but for the lines in `harmed`."""

    original: Scalar = field(kw_only=True, repr=False)
    harmed: frozenset[int] = field(kw_only=True)

    def locate(self, start: int, end: int) -> Span:
        """The place in the file; of a sentence that was replaced, the place where it began."""
        return self.original.locate(self._own(start), self._own(end))

    def _own(self, offset: int) -> int:
        line = self.text.count("\n", 0, offset)
        before = self.original.text.split("\n")[:line]
        column = 0 if line in self.harmed else offset - (self.text.rfind("\n", 0, offset) + 1)
        return sum(len(line) + 1 for line in before) + column

    def holds(self, message: Diagnostic) -> bool:
        """Tell whether a message about the rest is right whatever the faulty sentences were meant to say."""
        lines = self.original.text.split("\n")
        gone = {word for line in self.harmed for word in WORD.findall(lines[line])}
        if message.span is None or message.code not in _OF_A_SENTENCE:
            return False
        if message.code == "RB301" and "Did you mean" not in message.help and _BINDS & gone:
            return False  # it may be what the faulty sentence was to choose
        return not gone & set(WORD.findall(message.span.text))


def reread(
    scalar: Scalar, mistake: Mistake, read: Callable[[str], object], verbs: Container[str]
) -> tuple[list[Mistake], Reread | None]:
    """The other mistakes, in lines that are still the author's own, and what is left when all of them are gone.

    `read` raises a Mistake for a text that it cannot read.
    """
    lines = scalar.text.split("\n")
    own = list(accumulate((len(line) + 1 for line in lines), initial=0))
    harmed: set[int] = set()
    mistakes: list[Mistake] = []
    starts = {mistake.start}
    characters = 0
    while len(mistakes) < MOST_MISTAKES and mistake.blame is not None and characters < _MOST_REREAD:
        characters += mistake.start
        current = "\n".join(lines)
        begin = sentence_at(current, mistake.start if mistake.blame < 0 else mistake.blame).begin
        first = current.count("\n", 0, begin)
        last = current.count("\n", 0, sentence_end(current, begin, verbs)[0])
        harmed.update(range(first, last + 1))
        lines[first : last + 1] = [_harmless(lines, first, last), *[""] * (last - first)]
        try:
            read("\n".join(lines))
        except Mistake as another:
            mistake = another
        else:
            text = "\n".join(lines)
            return mistakes, Reread(text, scalar.style, scalar.span, original=scalar, harmed=frozenset(harmed))
        line = "\n".join(lines).count("\n", 0, mistake.start)
        if line in harmed:
            break
        shift = own[line] - sum(len(earlier) + 1 for earlier in lines[:line])
        if mistake.start + shift in starts:
            break  # the harmless sentence did not put it out of the way
        starts.add(mistake.start + shift)
        mistakes.append(evolve(mistake, start=mistake.start + shift, end=mistake.end + shift))
    return mistakes, None


def _harmless(lines: list[str], first: int, last: int) -> str:
    """A correct line in the place of a faulty sentence: it opens a block if there is one below it."""

    depth = [len(line) - len(line.lstrip()) for line in lines]
    below = [i for i in range(last + 1, len(lines)) if lines[i].strip() and not lines[i].strip().startswith("#")][:1]
    above = [i for i in range(first) if lines[i].strip() and depth[i] < depth[first]][-1:]
    old, blank = lines[first].strip(), " " * depth[first]
    opens = bool(below) and depth[below[0]] > depth[first]
    if old.startswith('"'):
        return blank + ('"":' if opens else '""')
    if opens and lines[below[0]].strip().startswith('"'):
        return blank + "choose one:"
    if opens:
        return blank + ("each x in y chooses:" if old.endswith(("chooses:", "choose:")) else "if yes:")
    return blank + ("x from y" if above and lines[above[0]].rstrip().endswith(("chooses:", "choose:")) else "stop")
