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
from rulebook.dsl.walk import everything
from rulebook.source import Span


def find_unasked(book: Book) -> Iterator[Diagnostic]:
    """Every choice that does what another does, and every card that a word on it keeps from being played."""
    yield from _find_equal_choices(book)
    yield from _find_unasked_words(book)


def _find_equal_choices(book: Book) -> Iterator[Diagnostic]:
    """One choice of an option may be what is left when no other is asked for; of two, nothing tells which it is."""
    asked_for: dict[str, set[Any]] = {}
    compared: set[int] = set()
    everywhere = [*book.all(ir.Node), *everything(*(condition.condition for condition in book.rulebook.forbid))]
    everywhere += everything(*(measure.value for measure in book.rulebook.measures))
    for node in everywhere:
        match node:
            case ir.Compare("==" | "!=", ir.OptionValue(name, key=None) as option, ir.Const(value)):
                asked_for.setdefault(name, set()).add(value)
                compared.add(id(option))
            case ir.IsNothing(ir.OptionValue(name) as option):
                asked_for.setdefault(name, set()).add(None)
                compared.add(id(option))
    unknown = {node.name for node in everywhere if isinstance(node, ir.OptionValue) and id(node) not in compared}
    unknown |= {node.option for node in everywhere if isinstance(node, ir.ByOption)}
    for name, values in asked_for.items():
        declared = book.rulebook.options[name]
        left = [spare for spare in declared.choices or () if spare not in values]
        written = book.world.authored.options[name].type
        if name in unknown or len(left) < 2 or written is None:
            continue
        usual = declared.default if declared.default in left else left[0]
        for spare in left:
            if spare != usual:
                help = f"It does what `{usual}` does: ask for it, or take it out."
                yield diagnose("RB507", _find_word(written.span, str(spare)), help=help, sort="choice", name=str(spare))


def _find_unasked_words(book: Book) -> Iterator[Diagnostic]:
    """Cards with a script and a word, while each question about such words is for another one."""
    words_asked: dict[str, set[Any]] = {}
    compared: set[int] = set()
    unknown: set[str] = set()
    for home in book.homes.values():
        for record in home.records:
            match record:
                case ir.Compare("==", ir.Attribute(name, type=t.Symbol()) as printed, other) | ir.Compare(
                    "==", other, ir.Attribute(name, type=t.Symbol()) as printed
                ):
                    compared.add(id(printed))
                    if isinstance(other, ir.Const):
                        words_asked.setdefault(name, set()).add(other.value)
                    else:
                        unknown.add(name)
                case ir.Not(inner) | ir.IfElse(inner):
                    unknown.update(_find_attributes(inner))
                case ir.If(condition, _, otherwise) if otherwise:
                    unknown.update(_find_attributes(condition))
    unknown |= {attribute.name for attribute in book.all(ir.Attribute) if id(attribute) not in compared}
    acting = {
        id for table in book.rulebook.hooks.values() for id, name in table.items() if name in book.rulebook.scripts
    }
    done: set[tuple[str, Any]] = set()
    for id_, card in book.rulebook.cards.items():
        for name, value in card.attributes.items():
            words = words_asked.get(name, set())
            if name in unknown or len(words) < 2 or id_ not in acting or not isinstance(value, ir.Const):
                continue
            entry = book.world.authored.cards.get(book.world.cards[id_].family)
            node = None if entry is None else entry.fields.get(name)
            if entry is None or node is None:
                continue
            if value.value not in words and (name, value.value) not in done:
                done.add((name, value.value))
                wanted = ", ".join(f"`{word}`" for word in sorted(map(str, words)))
                help = f"All questions about it are for {wanted}, so no card with another one is ever played."
                yield diagnose("RB507", node.span, help=help, sort=name, name=str(value.value))


def _find_attributes(expr: ir.Expr) -> set[str]:
    return {part.name for part in everything(expr) if isinstance(part, ir.Attribute)}


def _find_word(listed: Span, word: str) -> Span:
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", listed.text)
    return listed if match is None else Span(listed.file, listed.start + match.start(), listed.start + match.end())
