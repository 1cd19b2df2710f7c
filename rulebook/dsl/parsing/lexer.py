"""Words, lines and indentation of a script, as the parser's tokens.

In: the text of one script. Out: its words, cut and counted at once: what kind each is, and where it stands; and from
these the lines, and tokens with exact offsets, asked for one by one, because whether a word is a keyword depends on
what the parser can take next: `move` begins a sentence, and after `choose` it is a name.
For messages also: where the sentence around an offset begins and ends.
Never: looks at grammar rules, recovers from errors, or knows what a sentence means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain
from string import ascii_letters, digits
from typing import NamedTuple

from attrs import frozen

from rulebook.dsl.parsing.grammar import Table
from rulebook.record import Record, record

_WORDS = re.compile(
    r"""( [A-Za-z_][A-Za-z0-9_]*
      | \.\.|<=|>=|[-+*/%<>=.,:()\[\]]
      | \r?\n
      | [0-9]+
      | "(?:[^"\\\n]|\\.)*"
      | \#[^\n]*
      | [^ \t])""",
    re.VERBOSE | re.DOTALL,
)
"""Whatever is not blank. To find all words of a text at once takes half as long as one after the other."""
_NAME, _NUMBER, _STRING, _LINE, _COMMENT, _CHARACTER, _OPEN, _LONG = "a0\"\n#!'9"
"""The kinds of words that the grammar does not have one by one; the last three cannot be read."""
_SORTS = {
    _NAME: "NAME", _NUMBER: "INT", _STRING: "STRING", _CHARACTER: "character", _OPEN: "string", _LONG: "number",
}  # fmt: skip
_KINDS = {
    **dict.fromkeys(ascii_letters + "_", _NAME), **dict.fromkeys(digits, _NUMBER),
    '"': _STRING, "#": _COMMENT,
}  # fmt: skip
"""By its first character, of which kind a word is that the grammar does not have."""
_LINES = ("\n", "\r\n")
_NO_TOKENS = frozenset(_LINE + _COMMENT)
_OPENING = "(["
_BRACKETS = re.compile(r"[][()\n]")
_FIRST_KIND = 0xE000  # of keywords and longer signs: characters that nobody has given a meaning
_READABLE = frozenset(ascii_letters + digits + '_"<>=+-*/%.,:()[]\r\n')
PROBLEMS = ("character", "string", "number", "tab", "dedent")
"""What can be wrong with a word, or with the blanks in front of a line."""
_LONGEST_NUMBER = 15  # digits; more is a slip, and thousands would be slow
_MOST_KEPT, _LONGEST_KEPT = 10_000, 40  # words, and characters of one


@frozen
class LayoutError(Exception):
    """Something no token can begin with, or lines that do not stand under one another.

    `problem` is one of PROBLEMS; start and end are offsets.
    """

    problem: str
    start: int
    end: int


@record
class Sentence(Record):
    """Offsets of its first token, of the sentence before it, and of the brackets that are open within it."""

    begin: int
    before: int
    brackets: tuple[int, ...]


def sentence_at(text: str, position: int) -> Sentence:
    """The sentence in which an offset stands; its brackets are those open just before the offset."""
    begin = before = 0
    brackets: list[int] = []
    fresh = True
    for word, start, _ in _words(text, 0):
        if start > position:
            break
        if word in _LINES:
            fresh = fresh or not brackets
            continue
        if fresh:
            begin, before, fresh = start, begin, False
        if start == position:
            break
        if word in ("(", "["):
            brackets.append(start)
        elif word in (")", "]") and brackets:
            brackets.pop()
    return Sentence(begin, before, tuple(brackets))


def sentence_end(text: str, begin: int, openers: Container[str]) -> tuple[int, bool]:
    """Where the sentence that begins there ends, and whether its brackets are closed by then.

    A line inside open brackets that starts with one of the `openers` is taken for the next sentence.
    """
    depth = 0
    end = begin
    fresh = False
    for word, _, after in _words(text, begin):
        if word in _LINES:
            if depth == 0:
                return end, True
            fresh = True
            continue
        if fresh and word in openers:
            return end, False
        fresh = False
        depth = max(0, depth + (word in ("(", "[")) - (word in (")", "]")))
        end = after
    return end, depth == 0


def _words(text: str, begin: int) -> Iterator[tuple[str, int, int]]:
    """The words and line breaks of a text, each with its start and end; without comments, and what cannot be read."""
    for found in _WORDS.finditer(text, begin):
        word = found[0]
        if word[0] in _READABLE and word not in ('"', "\r"):
            yield word, found.start(), found.end()


class Token(NamedTuple):
    """A word of a script: what it was taken for (a keyword is no `NAME`), and its place in the text.

    `sort` is `NAME`, `INT`, `STRING`, a keyword or sign of the grammar, or one of `_NEWLINE`, `_INDENT`, `_DEDENT`.
    """

    sort: str
    text: str
    start: int
    end: int


# Without the call that a class adds: a script has as many of these as it has words.
new_token: Callable[[type[Token], tuple[str, str, int, int]], Token] = tuple.__new__


class Kinds(dict[str, str]):
    """For each word its kind, which is one character, and all that the parser knows of a word that it has not read.

    Each keyword and each sign is a kind of its own. `sorts` says what a kind is for the parser; `keywords` may be names
    as well, and `pairs` are those of two words. The words of a game are remembered, as most of them come again; but not
    without end.
    """

    def __init__(self, words: Mapping[str, str], signs: Mapping[str, str]) -> None:
        super().__init__({one: chr(_FIRST_KIND + number) for number, one in enumerate(chain(words, signs))})
        self.update({one: one for one in signs if len(one) == 1})
        self.sorts = {**_SORTS, **{self[one]: sort for one, sort in chain(words.items(), signs.items())}}
        self.keywords = frozenset(self[one] for one in words)
        self.pairs = {"".join(map(self.__getitem__, one.split())): sort for one, sort in words.items() if " " in one}
        self.update(dict.fromkeys(_LINES, _LINE))
        self._fixed = dict(self)

    def __missing__(self, word: str) -> str:
        kind = _KINDS.get(word[0], _CHARACTER)
        if kind == _STRING:
            return kind if len(word) > 1 else _OPEN
        if kind == _NUMBER and len(word) > _LONGEST_NUMBER:
            return _LONG
        if kind in (_NAME, _NUMBER) and len(word) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
                self.update(self._fixed)
            self[word] = kind
        return kind


@cache
def kinds(table: Table) -> Kinds:
    """Of which kind words are for the parser that follows a table."""
    return Kinds(table.words, table.signs)


class Cut(NamedTuple):
    """A text, cut into words.

    `shape` has the kind of each word, and a line break behind the last. Word number n stands from `offsets[2 * n + 1]`
    to `offsets[2 * n + 2]`; the blanks in front of it begin at `offsets[2 * n]`.
    """

    offsets: list[int]
    shape: str

    def lines(self) -> Iterator[tuple[int, str]]:
        """Of each line that has a word, the number of the first, and its shape. Line breaks in brackets end none."""
        shape = self.shape
        begin = 0
        while (stop := shape.find(_LINE, begin)) >= 0:
            line = shape[begin:stop]
            if ("(" in line or "[" in line) and _is_open(line):
                stop = _closed(shape, begin) % len(shape)  # the last line break ends all
                line = shape[begin:stop]
            if line and line[0] != _COMMENT:
                yield begin, line
            begin = stop + 1


@lru_cache(maxsize=512)
def _is_open(line: str) -> bool:
    """Whether a line break behind it is in brackets."""
    return _closed(line + _LINE, 0) < 0


def _closed(shape: str, begin: int) -> int:
    """The first line break from there on that is in no brackets; -1 if there is none."""
    depth = 0
    for found in _BRACKETS.finditer(shape, begin):
        if found[0] != _LINE:
            depth = depth + 1 if found[0] in _OPENING else max(0, depth - 1)
        elif depth == 0:
            return found.start()
    return -1


def cut(text: str, table: Table) -> Cut:
    """All words of a text, from the first line on that has one."""
    first = _first_line(text)
    # Blanks and words in turn. A loop over these would take five times as long.
    pieces = _WORDS.split(text[first:])
    shape = "".join(map(kinds(table).__getitem__, pieces[1::2]))
    return Cut(list(accumulate(map(len, pieces), initial=first)), shape + _LINE)


def sorts(shape: str, table: Table, states: Sequence[int], first: int = 0) -> Iterator[tuple[str, int, int]]:
    """What each word of a line is taken for, its number, and that of the word behind it.

    The parser's state, the last of `states`, decides between keyword and name. What cannot be read is "taken" for what
    is wrong with it, as LayoutError calls it.
    """
    actions, known = table.actions, kinds(table)
    behind = first
    for number in range(first, len(shape)):
        kind = shape[number]
        if number < behind or kind in _NO_TOKENS:
            continue
        sort, behind = known.sorts[kind], number + 1
        if kind in known.keywords:
            accepts = actions[states[-1]]
            pair = known.pairs.get(shape[number : number + 2])
            if pair in accepts:
                sort, behind = pair, number + 2
            elif sort not in accepts:
                sort = "NAME"
        yield sort, number, behind


def lex(text: str, table: Table, states: Sequence[int]) -> Iterator[Token]:
    """Yield the tokens of one script; the parser's state, the last of `states`, says what each is taken for."""
    known = kinds(table).sorts
    words = cut(text, table)
    offsets, shape = words
    last_end = offsets[0]
    indents: list[int] = []
    for begin, line in words.lines():
        start, end = offsets[2 * begin + 1 : 2 * begin + 3]
        if indents:
            # Of what nothing begins with one hears before anything else is said of the line above it.
            if (problem := known[shape[begin]]) in ("character", "string"):
                raise LayoutError(problem, start, end)
            yield Token("_NEWLINE", "", last_end, last_end)
        above = offsets[2 * begin]
        for sort in indentation(text[above:start], indents):
            if sort in PROBLEMS:
                raise LayoutError(sort, above, start)
            at = start if sort == "_INDENT" else last_end
            yield Token(sort, "", at, at)
        for sort, number, behind in sorts(line, table, states):
            start, end = offsets[2 * (begin + number) + 1], offsets[2 * (begin + behind)]
            if sort in PROBLEMS:
                raise LayoutError(sort, start, end)
            last_end = end
            yield Token(sort, text[start:end], start, end)
    yield Token("_NEWLINE", "", last_end, last_end)
    for _ in indents[1:]:
        yield Token("_DEDENT", "", last_end, last_end)


def indentation(blanks: str, indents: list[int]) -> list[str]:
    """The sorts of the tokens in front of a line, which begins with these blanks; `indents` are those of the blocks in
    which it stands. The last may be "tab" or "dedent", if that is wrong with the line.
    """
    if "\t" in blanks:
        return ["tab"]
    indent = len(blanks)
    if not indents:
        indents.append(indent)
    elif indent > indents[-1]:
        indents.append(indent)
        return ["_INDENT"]
    found: list[str] = []
    while indent < indents[-1]:
        indents.pop()
        if not indents or indent > indents[-1]:
            return [*found, "dedent"]
        found.append("_DEDENT")
    return found


def _first_line(text: str) -> int:
    """The offset of the first line that holds anything but blanks and comments."""
    position = 0
    while True:
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)].strip()
        if (line and not line.startswith("#")) or end < 0:
            return position
        position = end + 1
