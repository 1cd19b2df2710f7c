"""The parse table of the language: built once from `effects.lark`, then read from the user's cache folder.

Building one takes a third of a second and needs the parser generator; reading it takes some milliseconds, and does not.
The table is kept as JSON, named by a hash of the grammar, so it can never be stale: a pickle in a shared folder could
run code. A file that cannot be read or written is no error: then the table is built.
"""

from __future__ import annotations

import functools
import zlib
from pathlib import Path
from typing import Any

from attrs import field

from rulebook import cache
from rulebook.classes import frozen

_FORM = 1
"""The version of the tables that are kept; with another form, another number."""


@frozen
class Rule:
    """One rule of the grammar, as it is applied: `size` pieces become one.

    `kept` says which of them matter, by number; None stands for an optional one that is not there. A rule with a name
    makes a node of that name. One without a name hands on its one piece; one that is `many`, which no text can begin,
    hands on all of them, to stand among those of the rule around it. `spread` are the numbers of such pieces.
    """

    origin: str
    name: str
    size: int
    kept: tuple[int | None, ...]
    spread: tuple[int, ...] = ()
    many: bool = False


@frozen(eq=False)
class Table:
    """The LALR table of the grammar.


    `actions[state][sort]` of the next token is the state to go to, or, below zero, `~number` of the rule to apply;
    `gotos[state][origin]` is the state behind what that rule made. `words` and `signs` are the texts of all terminals
    that have one.
    """

    rules: tuple[Rule, ...] = field(repr=False)
    actions: tuple[dict[str, int], ...] = field(repr=False)
    gotos: tuple[dict[str, int], ...] = field(repr=False)
    starts: dict[str, int]
    ends: dict[str, int]
    words: dict[str, str]
    signs: dict[str, str]


def grammar_text() -> str:
    return (Path(__file__).parent / "effects.lark").read_text("utf-8")


@functools.cache
def grammar() -> Table:
    text = grammar_text()
    name = f"grammar-{zlib.crc32(text.encode()):08x}.json"
    key = f"{_FORM}\n{text}"
    plain = cache.read_data(name, key)
    if plain is None:
        # Only who has no table needs the generator, which takes as long to import as to read a small rulebook.
        from rulebook.dsl.parsing import generator

        plain = generator.make_table(text)
        cache.write_data(name, key, plain)
    return _load_table(plain)


def _load_table(plain: Any) -> Table:
    """The table from plain data. Many states do the same, so each row stands there once."""
    rules = tuple(
        Rule(origin, name, size, tuple(kept), tuple(spread), repeats)
        for origin, name, size, kept, spread, repeats in plain["rules"]
    )
    actions = tuple(plain["rows"][number] for number in plain["actions"])
    gotos = tuple(plain["rows"][number] for number in plain["gotos"])
    return Table(rules, actions, gotos, plain["starts"], plain["ends"], plain["words"], plain["signs"])
