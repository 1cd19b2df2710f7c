"""Scripts, expressions and keys, parsed: the only module that drives Lark.

In: a scalar of a YAML file. Out: syntax nodes, or located messages; after a mistake the rest of the script is still
read, sentence by sentence, so that one run shows them all. Never: looks a name up, or fails on anything but the text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from rulebook.diagnostics import Diagnostic, diagnose, nearest
from rulebook.dsl import syntax
from rulebook.dsl.document import Scalar
from rulebook.dsl.lexer import LayoutError, ScriptLexer
from rulebook.dsl.trees import Builder

_Result = TypeVar("_Result")
_LONGEST = 16_384
_DEEPEST = 32  # brackets and blocks; far below what the recursion of the later passes bears
_MOST_MISTAKES = 12
STARTS = ("script", "expression", "ranking", "signature", "expectation")

_VERBS = (
    "add arrange choose deal do draw each eliminate end if let loop may move offer pass pick repeat return reveal roll"
    " say set show shuffle skip stage stop swap tell turn win"
).split()

_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'a text in quotes "…"',
    "_NEWLINE": "the end of the line",
    "_INDENT": "a deeper line",
    "_DEDENT": "the end of the block",
    "$END": "the end",
}


@cache
def grammar() -> Lark:
    """The parser of the language; built on first use."""
    text = (Path(__file__).parent / "effects.lark").read_text("utf-8")
    return Lark(
        text, parser="lalr", lexer=ScriptLexer, start=list(STARTS), propagate_positions=True, maybe_placeholders=True
    )


def parse_script(scalar: Scalar, where: str = "") -> tuple[syntax.Block | None, list[Diagnostic]]:
    """A block of statements."""
    return _parse(scalar, "script", where, Builder.script)


def parse_expression(scalar: Scalar, where: str = "") -> tuple[syntax.Expr | None, list[Diagnostic]]:
    """One expression."""
    return _parse(scalar, "expression", where, Builder.expression)


def parse_ranking(scalar: Scalar, where: str = "") -> tuple[tuple[syntax.Key, ...] | None, list[Diagnostic]]:
    """`most points(it) then count(tokens)`."""
    return _parse(scalar, "ranking", where, Builder.ranking)


def parse_signature(scalar: Scalar, where: str = "") -> tuple[syntax.Signature | None, list[Diagnostic]]:
    """A key like `ability(me, guest mark)` or `turn`."""
    return _parse(scalar, "signature", where, Builder.signature)


def parse_expectation(scalar: Scalar, where: str = "") -> tuple[syntax.Expectation | None, list[Diagnostic]]:
    """A line of a scenario's `expect`."""
    return _parse(scalar, "expectation", where, Builder.expectation)


def is_block(text: str) -> bool:
    """Whether a value's text is a script of statements rather than one expression: it has several lines or says return."""
    return "\n" in text.strip() or text.lstrip().startswith("return")


class _Mistake(Exception):
    """The first thing in a text that does not fit: offsets, and the message it makes."""

    def __init__(self, start: int, end: int, message: Callable[[int, int], Diagnostic]) -> None:
        super().__init__(start, end)
        self.start, self.end, self.message = start, end, message


def _parse(
    scalar: Scalar, start: str, where: str, build: Callable[[Builder, Tree[Token]], _Result]
) -> tuple[_Result | None, list[Diagnostic]]:
    text = scalar.text
    if len(text) > _LONGEST:
        problem = f"a script may have {_LONGEST} characters, this has {len(text)}"
        return None, [diagnose("RB106", scalar.span, where=where, problem=problem)]
    if not _words_of(text):
        return None, [diagnose("RB202", scalar.span, where=where, doing="an empty script", expected="a sentence")]
    builder = Builder(scalar, lambda inner, offset: _inner(scalar, inner, offset, where))
    try:
        return build(builder, _tree(text, start, scalar, where)), []
    except _Mistake as first:
        mistakes = [first.message(first.start, first.end)]
        if start == "script":
            mistakes += _further(text, first, scalar, where)
        return None, mistakes


def _words_of(text: str) -> bool:
    return any(line.strip() and not line.strip().startswith("#") for line in text.split("\n"))


def _inner(scalar: Scalar, text: str, offset: int, where: str) -> syntax.Expr:
    """An expression inside a text. Blanks in front keep its offsets those of the script."""
    padded = " " * offset + text
    if not text.strip():
        raise _located(scalar, where, "RB202", offset - 1, offset + 1, doing="`{…}` in a text", expected="a name")
    builder = Builder(scalar, lambda deeper, at: _inner(scalar, deeper, at, where))
    return builder.expression(_tree(padded, "expression", scalar, where))


def _located(scalar: Scalar, where: str, code: str, start: int, end: int, **values: Any) -> _Mistake:
    help = values.pop("help", None)
    return _Mistake(
        start, end, lambda a, b: diagnose(code, scalar.locate(a, b), where=where, help=help, **values)
    )


def _tree(text: str, start: str, scalar: Scalar, where: str) -> Tree[Token]:
    try:
        tree = grammar().parse(text, start=start)
    except LayoutError as error:
        raise _layout(error, text, scalar, where) from None
    except UnexpectedToken as error:
        raise _unexpected(error, text, scalar, where) from None
    if _depth(tree) > _DEEPEST * 4:
        raise _located(scalar, where, "RB106", 0, len(text), problem="this script nests too deeply")
    return tree


def _depth(tree: Tree[Token]) -> int:
    """How deep the tree is; without recursion, because a hostile text can be deeper than Python's stack."""
    deepest, level = 0, [tree]
    while level:
        deepest += 1
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    return deepest


def _layout(error: LayoutError, text: str, scalar: Scalar, where: str) -> _Mistake:
    if error.problem == "tab":
        return _located(scalar, where, "RB102", error.start, error.end)
    if error.problem == "dedent":
        return _located(scalar, where, "RB204", error.start, max(error.end, error.start + 1))
    if error.problem == "string":
        line_end = text.find("\n", error.start)
        return _located(
            scalar, where, "RB201", error.start, len(text) if line_end < 0 else line_end,
            doing="a text in quotes", expected='another `"` on this line', found="the end of the line",
        )  # fmt: skip
    found = text[error.start : error.end]
    doing = f"`{_sentence(text, error.start)}`" if _sentence(text, error.start) else "a sentence"
    return _located(
        scalar, where, "RB201", error.start, error.end, doing=doing, expected="a word or a sign", found=f"`{found}`"
    )


def _unexpected(error: UnexpectedToken, text: str, scalar: Scalar, where: str) -> _Mistake:
    token = error.token
    start = int(token.start_pos or 0)
    end = max(int(token.end_pos or start), start)
    accepts = set(error.accepts or error.expected or ())
    sentence = _sentence(text, start)
    if token.type == "_INDENT":
        return _located(scalar, where, "RB204", start, start + 1)
    first_word, first_start = _first_word(text, start)
    second = _second_position(text, first_start + len(first_word))
    unknown = first_word and first_word not in _VERBS and "chooses" in _literals(accepts)
    if unknown and start <= second and token.type != "_NEWLINE":
        close = nearest(first_word, _VERBS)
        help = {"help": f"Did you mean `{close}`?"} if close else {}
        return _located(
            scalar, where, "RB203", first_start, first_start + len(first_word), word=first_word, **help
        )
    expected = _expected(accepts)
    doing = f"`{sentence}`" if sentence else "a script"
    if token.type in ("$END", "_NEWLINE", "_DEDENT"):
        if unknown:
            return _located(scalar, where, "RB203", first_start, first_start + len(first_word), word=first_word)
        return _located(scalar, where, "RB202", max(0, start - 1), max(start, 1), doing=doing, expected=expected)
    found = f"`{token}`"
    help = {}
    word = text[start:end]
    close = nearest(word, _literals(accepts)) if token.type == "NAME" else None
    if close:
        help = {"help": f"Did you mean `{close}`?"}
    elif "where" in sentence and word in ("pass", "or"):
        help = {"help": "Write `else stop` (or `skip`, `return`) behind a `may choose`."}
    return _located(scalar, where, "RB201", start, end, doing=doing, expected=expected, found=found, **help)


def _literals(accepts: set[str]) -> list[str]:
    names = {terminal.name: terminal.pattern.value for terminal in grammar().terminals}
    return sorted(names[one] for one in accepts if one in names)


def _expected(accepts: set[str]) -> str:
    """What could stand here, said in at most a handful of words; operators that may always follow are left out."""
    names = [_WORDS[one] for one in ("NAME", "INT", "STRING", "_NEWLINE") if one in accepts]
    signs = [f"`{word}`" for word in _literals(accepts) if word[0].isalpha() or word in ("=", ":", ")", "]")]
    if "NAME" in accepts and len(signs) > 6:
        return "a name, a number or another value"
    shown = names + signs
    if len(shown) > 6:
        shown = [*names, *(one for one in signs if one.strip("`") in ("to", "from", "with", ":", "=", "in", "else"))][:6]
    return " or ".join(shown) if shown else "nothing more"


def _sentence(text: str, position: int) -> str:
    """The first two words of the line, to remind of what is being read."""
    line = text[text.rfind("\n", 0, position) + 1 :].split("\n", 1)[0].strip()
    return line.split(" ", 1)[0].rstrip(":") if line else ""


def _first_word(text: str, position: int) -> tuple[str, int]:
    start = text.rfind("\n", 0, max(position, 1)) + 1
    while start < len(text) and text[start] in " \t":
        start += 1
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end], start


def _second_position(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t":
        position += 1
    return position


def _further(text: str, first: _Mistake, scalar: Scalar, where: str) -> list[Diagnostic]:
    """The other mistakes of a script: each faulty line is replaced by a harmless one of the same shape and the rest read
    again. Positions are mapped back by line, so only lines that are still the author's own are ever reported."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    harmed: set[int] = set()
    found: list[Diagnostic] = []
    mistake: _Mistake | None = first
    while mistake is not None and len(found) < _MOST_MISTAKES:
        current = "\n".join(lines)
        number = current.count("\n", 0, min(mistake.start, len(current)))
        number = min(number, len(lines) - 1)
        if number in harmed:
            return found
        harmed.add(number)
        line = lines[number]
        blank = line[: len(line) - len(line.lstrip())]
        label = line.strip().startswith('"')
        neutral = '"label"' if label else "if yes" if line.rstrip().endswith(":") else "stop"
        lines[number] = blank + neutral + (":" if line.rstrip().endswith(":") else "")
        mistake = None
        try:
            _tree("\n".join(lines), "script", scalar, where)
        except _Mistake as next_one:
            mistake = next_one
            changed = "\n".join(lines)
            at = min(changed.count("\n", 0, min(mistake.start, len(changed))), len(lines) - 1)
            if at in harmed:
                return found
            shift = starts[at] - (sum(len(one) + 1 for one in lines[:at]))
            found.append(mistake.message(mistake.start + shift, mistake.end + shift))
    return found
