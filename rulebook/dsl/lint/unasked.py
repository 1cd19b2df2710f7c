"""Lint: words that nothing tells apart from others: a choice of a house rule, the word on a card that is to be played.

Bad: choices `short`, `long` and `longer` where only `options.length is short` is asked. Good: asking for `longer`, too.

All questions about them have to be comparisons with words that are known; where one is not, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book
from rulebook.dsl.lint.possible import Possible
from rulebook.dsl.walk import everything
from rulebook.source import Span


def find_unasked(book: Book, possible: Possible, told: set[Span | None]) -> Iterator[Diagnostic]:
    """Every choice that does what another does, and every card that a word on it keeps from being played; nothing of
    cards of which something is `told` that is never done."""
    yield from _find_equal_choices(book)
    yield from _find_unasked_words(book, possible, told)


def _find_equal_choices(book: Book) -> Iterator[Diagnostic]:
    """One choice of an option may be what is left when no other is asked for; of two, nothing tells which it is."""
    asked: dict[str, set[Any]] = {}
    told: set[int] = set()
    everywhere = [*book.all(ir.Node), *everything(*(one.condition for one in book.rulebook.forbid))]
    everywhere += everything(*(one.value for one in book.rulebook.measures))
    for one in everywhere:
        match one:
            case ir.Compare("==" | "!=", ir.OptionValue(name, key=None) as option, ir.Const(value)):
                asked.setdefault(name, set()).add(value)
                told.add(id(option))
            case ir.IsNothing(ir.OptionValue(name) as option):
                asked.setdefault(name, set()).add(None)
                told.add(id(option))
    unknown = {one.name for one in everywhere if isinstance(one, ir.OptionValue) and id(one) not in told}
    unknown |= {one.option for one in everywhere if isinstance(one, ir.ByOption)}
    for name, values in asked.items():
        declared = book.rulebook.options[name]
        left = [one for one in declared.choices or () if one not in values]
        written = book.world.authored.options[name].type
        if name in unknown or len(left) < 2 or written is None:
            continue
        usual = declared.default if declared.default in left else left[0]
        for one in left:
            if one != usual:
                help = f"It does what `{usual}` does: ask for it, or take it out."
                yield diagnose("RB507", _locate(written.span, str(one)), help=help, sort="choice", name=str(one))


def _find_unasked_words(book: Book, possible: Possible, told: set[Span | None]) -> Iterator[Diagnostic]:
    """Cards with a script and a word, while each question about such words is for another one."""
    asked: dict[str, set[Any]] = {}
    compared: set[int] = set()
    unknown: set[str] = set()
    for home in book.homes.values():
        possible.home = home
        for one in home.records:
            match one:
                case ir.Compare("==", ir.Attribute(name, type=t.Symbol()) as printed, other) | ir.Compare(
                    "==", other, ir.Attribute(name, type=t.Symbol()) as printed
                ):
                    found = possible.values(other)
                    compared.add(id(printed))
                    if found is None:
                        unknown.add(name)
                    else:
                        asked.setdefault(name, set()).update(found.others)
                case ir.Not(inner) | ir.IfElse(inner):
                    unknown.update(_find_attributes(inner))
                case ir.If(condition, _, otherwise) if otherwise:
                    unknown.update(_find_attributes(condition))
    unknown |= {one.name for one in book.all(ir.Attribute) if id(one) not in compared}
    acting = {
        id for table in book.rulebook.hooks.values() for id, name in table.items() if name in book.rulebook.scripts
    }
    done: set[tuple[str, Any]] = set()
    for id_, card in book.rulebook.cards.items():
        for name, value in card.attributes.items():
            words = asked.get(name, set())
            if name in unknown or len(words) < 2 or id_ not in acting or not isinstance(value, ir.Const):
                continue
            entry = book.world.authored.cards.get(book.world.cards[id_].family)
            node = None if entry is None else entry.fields.get(name)
            if entry is None or node is None or any(key.span in told for key in entry.fields.keys_at.values()):
                continue
            if value.value not in words and (name, value.value) not in done:
                done.add((name, value.value))
                wanted = ", ".join(f"`{one}`" for one in sorted(map(str, words)))
                help = f"All questions about it are for {wanted}, so no card with another one is ever played."
                yield diagnose("RB507", node.span, help=help, sort=name, name=str(value.value))


def _find_attributes(expr: ir.Expr) -> set[str]:
    return {one.name for one in everything(expr) if isinstance(one, ir.Attribute)}


def _locate(listed: Span, word: str) -> Span:
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", listed.text)
    return listed if found is None else Span(listed.file, listed.start + found.start(), listed.start + found.end())
