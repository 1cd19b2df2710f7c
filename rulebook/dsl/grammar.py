"""The parse table of the language: built once from `effects.lark`, then read from the user's cache folder.

In: the grammar's text. Out: a Lark parser. Building the table takes a third of a second, reading it a thirtieth. The
cached table is JSON, named by a hash of the grammar and of the version of the generator, so it can never be stale.
Never: a pickle (a file in a shared folder must not be able to run code), and never an error for a cache that cannot be
read or written: then the table is built.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import lark
from attrs import frozen
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulebook.dsl.lexer import ScriptLexer

STARTS = ("script", "expression", "ranking", "signature", "expectation")
_TEXT = Path(__file__).parent / "effects.lark"


@cache
def grammar() -> Lark:
    """The parser of the language."""
    text = _TEXT.read_text("utf-8")
    file = _cache_folder() / f"effects-{_hash(text)}.json"
    return _read(file) or _built(text, file)


@frozen
class Word:
    """A token of a script: what it was taken for (a keyword is no `NAME`), and its place in the text.

    `sort` is `NAME`, `INT`, `STRING`, a keyword or sign of the grammar, or one of `_NEWLINE`, `_INDENT`, `_DEDENT`.
    """

    sort: str
    text: str
    start: int
    end: int


def words(text: str, start: str) -> list[Word]:
    """The tokens of a text that can be parsed from `start`, in order; for one that cannot, an error of lark."""
    found: list[Word] = []
    for one in grammar().parse_interactive(text, start=start).exhaust_lexer():
        begin, end = int(one.start_pos or 0), int(one.end_pos or 0)
        found.append(Word(one.type, text[begin:end], begin, end))
    return found


def _hash(text: str) -> str:
    return hashlib.blake2b(f"{lark.__version__}\n{text}".encode(), digest_size=12).hexdigest()


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulebook"


def _read(file: Path) -> Lark | None:
    try:
        data, memo = _numbered(json.loads(file.read_text("utf-8")))
        data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = ScriptLexer
        load: Callable[[Any, Any], Lark] = Lark._load_from_dict
        return load(data, memo)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _built(text: str, file: Path) -> Lark:
    parser = Lark(
        text, parser="lalr", lexer=ScriptLexer, start=list(STARTS), propagate_positions=True, maybe_placeholders=True
    )
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    # The lexer is a class and is put back on reading; nothing else in the table is anything but plain data.
    table = json.dumps([data, memo], default=lambda _: None)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as fresh:
            fresh.write(table)
        os.replace(fresh.name, file)
    except OSError:
        pass  # a home that cannot be written to costs time, nothing else
    return parser


def _numbered(value: Any) -> Any:
    """JSON has only text keys; the table's are numbers."""
    if isinstance(value, dict):
        return {int(key) if key.isdigit() else key: _numbered(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_numbered(one) for one in value]
    return value
