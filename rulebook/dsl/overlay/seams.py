"""Seams: the sentences of a script, each with the words by which a path names it.

A path into a script is made of steps, with dots between them: the words with which a sentence begins, the label of a
menu, or `else`. A step leads to any sentence inside the one before it; `then` leads to the next one beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl import syntax as s
from rulebook.dsl.document import At, Layered, Scalar, Seamed
from rulebook.dsl.parsing.lexer import QUOTED, plain_words, split_words
from rulebook.dsl.parsing.parser import BLOCKS
from rulebook.dsl.parsing.weaving import parse_woven

Word: TypeAlias = tuple[str, int, int]
"""A word or sign, with its start and end."""
_NEAR = 3  # sentences that a message names
_FIRST_WORDS = 2  # of a path that is shown: one alone would often fit the next sentence that is added
_ENDS = re.compile(r"[\w\")\]]")
"""The last sign of words that can be read as such."""


@frozen(eq=False)
class Sentence:
    """A sentence of a script, a label of a menu, a line of a choice, or an `else`, with what stands around it."""

    node: Any
    at: At
    words: tuple[str, ...]
    head: int
    """The number of its words that stand before its block."""
    around: Sentence | None = field(repr=False)
    next: list[Sentence] = field(factory=list, repr=False)
    """The sentence right behind it, if there is one."""
    inner: list[Sentence] = field(factory=list, repr=False)
    """All that stands in its block, in order."""

    @property
    def is_else(self) -> bool:
        return self.node is None

    @property
    def is_label(self) -> bool:
        return isinstance(self.node, s.MenuOption)

    @property
    def is_line(self) -> bool:
        return isinstance(self.node, s.Choice)

    @property
    def is_menu(self) -> bool:
        return isinstance(self.node, s.Menu | s.Offer)

    @property
    def has_block(self) -> bool:
        return self.head < len(self.words)

    @property
    def depth(self) -> int:
        return 0 if self.around is None else self.around.depth + 1

    def quote(self, words: int | None = None) -> str:
        """Spell its first words as the script does; all of its head by default."""
        if self.is_else:
            return "else"
        wanted = self.head if words is None else words
        pieces: list[str] = []
        text, end = self.at.scalar.text, None
        for word, start, after in _list_words(text, self.at.start, self.at.end):
            if len(pieces) == wanted:
                break
            pieces.append(word if end in (None, start) else f" {word}")
            end = after
        return "".join(pieces)


def find_sentences(scalars: Sequence[Scalar], seams: Sequence[Seamed]) -> list[Sentence]:
    """List the sentences of a script in order, each before those inside it; none if it cannot be read.

    `scalars` are its texts; `seams` are what variants did there whose sentences count too.
    """
    sentences: list[Sentence] = []
    for scalar in scalars:
        tree, _ = parse_woven(scalar, seams)
        sentences += _list_block(tree or (), None)
    return sentences


def _list_block(block: Any, around: Sentence | None) -> Iterator[Sentence]:
    before: Sentence | None = None
    for node in _flatten(block):
        sentence = _make_sentence(node, around)
        if before is not None:
            before.next.append(sentence)
        before = sentence
        for name in BLOCKS:
            inner = getattr(node, name, None)
            if not inner or (name == "choices" and len(inner) == 1):
                continue
            holder = sentence
            if name == "otherwise":
                first = inner[0].at
                holder = Sentence(None, At(first.scalar, first.start, first.start), ("else",), 1, sentence)
                sentence.inner.append(holder)
            within = list(_list_block(inner, holder))
            holder.inner.extend(within)
            if holder is not sentence:
                sentence.inner.extend(within)
        yield sentence
        yield from sentence.inner


def _flatten(block: Any) -> Iterator[Any]:
    for node in block:
        if isinstance(node, s.Seam | s.Beneath):
            yield from _flatten(node.body)
        else:
            yield node


def _make_sentence(node: Any, around: Sentence | None) -> Sentence:
    text = node.at.scalar.text
    words = [word for word, _, _ in _list_words(text, node.at.start, node.at.end)]
    starts = [
        inner.at.start for name in BLOCKS for inner in getattr(node, name, None) or ()
        if inner.at.scalar is node.at.scalar and not (name == "choices" and len(node.choices) == 1)
    ]  # fmt: skip
    end = min((start for start in starts if start > node.at.start), default=node.at.end)
    head = len(list(_list_words(text, node.at.start, end)))
    return Sentence(node, node.at, tuple(words), head, around)


def _list_words(text: str, start: int, end: int) -> Iterator[Word]:
    """The words of a part of a script. The colons of blocks are none."""
    for word, begin, after in split_words(text, start):
        if begin >= end:
            return
        if word not in (":", "\n", "\r\n"):
            yield word, begin, after


# ── from words to sentences ──────────────────────────────────────────────────────────────────────────────────────────


def read_words(path: str, start: int = 0) -> tuple[str, ...]:
    """Split the rest of a path into words."""
    return tuple(word for word, _, _ in _list_words(path, start, len(path)))


def split_label(path: str, start: int) -> tuple[int, int] | None:
    """Find the label that a path names last, with its `if`: where the words before it end, and where it begins."""
    words = list(_list_words(path, start, len(path)))
    for number in range(len(words) - 1, 0, -1):
        word, begin, _ = words[number]
        behind = words[number + 1 : number + 2]
        if word[0] == '"' and words[number - 1][0] == "." and (not behind or behind[0][0] != "."):
            return words[number - 1][1], begin
    return None


def find_fitting(sentences: Sequence[Sentence], words: tuple[str, ...]) -> list[Sentence]:
    """Return every sentence that these words lead to, in order."""
    fitting: dict[int, Sentence] = {}
    for sentence in sentences:
        if sentence.words[:1] == words[:1]:
            _follow_words(sentence, words, fitting)
    return sorted(fitting.values(), key=lambda sentence: _find_number(sentences, sentence))


def _find_number(sentences: Sequence[Sentence], sentence: Sentence) -> int:
    return next(number for number, other in enumerate(sentences) if other is sentence)


def _follow_words(sentence: Sentence, words: tuple[str, ...], fitting: dict[int, Sentence]) -> None:
    """Add where words lead that begin with those of a sentence."""
    common = 0
    while common < min(len(words), len(sentence.words)) and words[common] == sentence.words[common]:
        common += 1
    if common == len(words):
        fitting[id(sentence)] = sentence
    for number in range(1, min(common + 1, len(words) - 1)):
        ahead = {".": sentence.inner, "then": sentence.next}.get(words[number], [])
        for other in ahead:
            _follow_words(other, words[number + 1 :], fitting)


# ── from sentences to words ──────────────────────────────────────────────────────────────────────────────────────────


def name_sentence(sentence: Sentence, sentences: Sequence[Sentence]) -> str | None:
    """Return the shortest words that lead to a sentence and to no other; None if there are none."""
    own = _name_among(sentence, sentences, sentence.head)
    if own is not None:
        return own
    around = sentence.around
    while around is not None:
        outer, inner = name_sentence(around, sentences), _name_among(sentence, around.inner, sentence.head)
        if outer is not None and inner is not None:
            return f"{outer}.{inner}"
        around = around.around
    own = _name_among(sentence, sentences, len(sentence.words))
    if own is not None:
        return own
    for before in sentences:
        if sentence in before.next and (outer := name_sentence(before, sentences)) is not None:
            return f"{outer} then {sentence.quote(min(_FIRST_WORDS, sentence.head))}"
    return None


def _name_among(sentence: Sentence, sentences: Sequence[Sentence], most: int) -> str | None:
    """Return the first words that no other one of these begins with."""
    others = [other.words for other in sentences if other is not sentence]
    for number in range(min(_FIRST_WORDS, sentence.head), most + 1):
        begins = sentence.words[:number]
        if number < most and not _ENDS.fullmatch(begins[-1][-1]):
            continue
        if begins.count("(") != begins.count(")") and number < most:
            continue
        if not any(other[:number] == begins for other in others):
            return sentence.quote(number)
    return None


def suggest_words(sentences: Sequence[Sentence], words: tuple[str, ...]) -> list[str]:
    """Return the words of the sentences that are most like those that lead nowhere."""
    named = {" ".join(sentence.words[: sentence.head]): sentence for sentence in reversed(sentences)}
    near = get_close_matches(" ".join(words), named, n=_NEAR, cutoff=0.3)
    if words and not near:
        near = [text for text, sentence in named.items() if sentence.words[0] == words[0]][:_NEAR]
    return [named[text].quote() for text in near]


# ── what goes together ───────────────────────────────────────────────────────────────────────────────────────────────


def says_original(text: Scalar) -> bool:
    """Tell whether a script or answer asks for what lies beneath it."""
    return any(word[0] == "original" for word in plain_words(text.text, 0, len(text.text)))


def leave_room(one: Seamed | Layered, other: Seamed | Layered, *, same_variant: bool) -> bool:
    """Tell whether two things can be done to one script, whichever is done first."""
    if isinstance(one, Seamed) and isinstance(other, Seamed):
        apart = one.at.end <= other.at.start or other.at.end <= one.at.start
        return apart or one.at.scalar is not other.at.scalar or _share_sentence(one, other, same_variant)
    layers = [layer for layer in (one, other) if isinstance(layer, Layered)]
    if any(layer.place == "instead of" and not says_original(layer) for layer in layers):
        return False
    if isinstance(one, Layered) and isinstance(other, Layered):
        return one.place != other.place or (one.place != "instead of" and not same_variant)
    return True


def _share_sentence(one: Seamed, other: Seamed, same_variant: bool) -> bool:
    """Tell whether two things can be done at one sentence, or at one and another inside it."""
    if one.at != other.at:
        return not takes_all(max(one, other, key=lambda seam: seam.at.end - seam.at.start))
    labels = {one.doing, other.doing} == {"label"}
    if labels:
        return _quote_label(one) != _quote_label(other)
    if "label" in (one.doing, other.doing) and "change of head" in (one.doing, other.doing):
        return True
    alone = [seam for seam in (one, other) if takes_all(seam) or seam.doing == "change of head"]
    return not alone and not (one.doing == other.doing and (same_variant or one.doing == "instead of"))


def takes_all(seam: Seamed) -> bool:
    """Tell whether neither the sentence nor anything inside it is left."""
    return seam.doing in ("change", "remove") or (seam.doing == "instead of" and not says_original(seam))


def _quote_label(seam: Seamed) -> str:
    assert seam.label is not None
    match = QUOTED.match(seam.label.scalar.text, seam.label.start)
    assert match is not None
    return match[0]
