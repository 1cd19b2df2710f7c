"""Lint: conditions that always have the same answer, choices without an option, cards that stay in the box.

Bad: `if options.rounds > 3` where `rounds` is 1..3. Good: `if options.rounds > 2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.lint.possible import Possible, has_members
from rulebook.dsl.lint.uses import Mentions
from rulebook.dsl.lint.value_sets import FAR
from rulebook.dsl.settling.options import amount_text
from rulebook.dsl.walk import everything, parts
from rulebook.source import Span

_ASKED = (ir.Compare, ir.IsKind, ir.IsCard, ir.Within, ir.BuiltIn, ir.IsEmpty, ir.And, ir.Or)
"""Questions that are worth a message; the rest only pass on what these answer."""


def find_constant_conditions(book: Book, possible: Possible, mentions: Mentions) -> Iterator[Diagnostic]:
    """Every condition, choice and card that is settled before the game begins."""
    for home in book.homes.values():
        if home.name not in book.reached:
            continue
        possible.home = home
        picks = [
            pick
            for asking in home.of(ir.Asking)
            for pick in getattr(asking, "picks", ())
            if pick.sources and all(possible.is_never_any(source.list) for source in pick.sources)
        ]
        for pick in picks:
            yield from book.report("RB501", home, pick.sources[0].list.at, name=pick.name)
        explained = {id(part) for pick in picks for part in everything(*pick.sources)}
        yield from _find_constant(book, possible, home, explained)
        yield from _find_said_empty(book, possible, home)
        yield from _find_none(book, possible, home)
    in_box = list(_find_cards_in_box(book, possible, mentions))
    yield from in_box
    yield from _find_unplayed(book, possible, {message.span for message in in_box})


def _find_constant(book: Book, possible: Possible, home: Home, explained: set[int]) -> Iterator[Diagnostic]:
    """The innermost constant conditions; `explained` are records that another message is about already."""
    negated = {id(denial.value) for denial in home.of(ir.Not) if denial.at == denial.value.at}  # `is not`, one word
    kept = {let.slot for let in home.of(ir.Let)}
    for record in reversed(home.records):
        # The innermost first: what stands around it follows from it.
        if not _is_condition(record):
            continue
        if explained and (id(record) in explained or any(id(part) in explained for part in parts(record))):
            explained.add(id(record))
        elif not isinstance(record, _ASKED) and not (isinstance(record, ir.Local) and record.slot in kept):
            continue
        elif possible.is_constant(record):
            explained.add(id(record))
            answer = "yes" if possible.truth(record)[0] is not (id(record) in negated) else "no"
            yield from book.report("RB509", home, record.at, answer=answer, why=_explain(book, possible, record))


def _is_condition(record: Any) -> bool:
    worked_out = isinstance(record, ir.Node) and not isinstance(record, ir.Const | ir.OptionValue)
    return worked_out and record.type == t.YES_NO and record.at is not None


def _explain(book: Book, possible: Possible, expr: ir.Expr) -> str:
    match expr:
        case ir.Compare(_, left, right):
            for side in (left, right):
                limits = possible.values(side)
                if limits is not None and not isinstance(side, ir.Const):
                    only = "is" if FAR in (limits.high, -limits.low) else "can only be"
                    return f"`{words(side)}` {only} {limits.words(partial(_word, book, side))}."
        case ir.Or(ir.Not(), ir.Not()):
            return "Nothing is all of these: write `and`."
        case ir.IsKind(value, _) | ir.IsCard(value, _):
            cards = possible.cards(value)
            kinds = sorted({card.kind for id, card in book.rulebook.cards.items() if possible.bits[id] & cards})
            if kinds:
                return f"`{words(value)}` can only be {' or '.join(kinds)}."
        case ir.IsEmpty(ir.Listed((item,))) if isinstance(item.type, t.ListOf):
            return f"`[{words(item)}]` is a list of one list, and that is something: leave out the brackets."
        case ir.IsEmpty(listed) if has_members(listed):
            return f"`{words(listed)}` has something in it that is written there."
        case ir.Local():
            return f"Nothing else is ever given to `{words(expr)}`."
        case ir.IsEmpty() | ir.BuiltIn():
            return "No card that can be there is like that."
    return ""


def _word(book: Book, of: ir.Expr, number: int) -> str:
    """Write a number that this expression can be, an amount as the game has it."""
    return amount_text(number, book.rulebook.units) if t.AMOUNT in t.members(of.type) else str(number)


def _find_said_empty(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    """Lists that the `if` or the option around says are empty, at the beginning of its block."""
    conditions: list[tuple[ir.Expr | None, bool, ir.Block]] = []
    for branch in home.of(ir.If):
        conditions += [(branch.condition, True, branch.then), (branch.condition, False, branch.otherwise)]
    conditions += [(option.condition, True, option.body) for option in home.of(ir.Option)]
    if (gate := book.find_gate(home)) is not None:
        conditions.append((gate, True, home.root.body))
    for condition, holds, block in conditions:
        if condition is None:
            continue
        # By their words, because equal lists may number their members otherwise.
        empty = [words(listed) for listed in possible.find_empty(condition, holds) if listed.at is not None]
        listed = _find_first_used(block, empty) if empty else None
        if listed is not None:
            labels = [Label(condition.at.span, "this asks for it")] if condition.at is not None else []
            yield from book.report("RB516", home, listed.at, list=words(listed), labels=labels)


def _find_first_used(block: ir.Block, empty: list[str]) -> ir.Expr | None:
    """Find the first of these lists that a block goes through or chooses from, before anything can have changed it."""
    for sentence in block:
        used: list[ir.Expr] = []
        match sentence:
            case ir.ForEach(list=listed) | ir.Win(ir.Node() as listed) | ir.Eliminate(listed):
                used.append(listed)
        heads = [part for part in parts(sentence) if not isinstance(part, ir.Sentence | ir.Option)]
        used += [part.list for part in everything(*heads) if isinstance(part, ir.Through | ir.Source)]
        for listed in used:
            if listed.at is not None and words(listed) in empty:
                return listed
        if not isinstance(sentence, ir.Say | ir.Tell | ir.Let):
            break
    return None


def _find_none(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    """Sentences that are always about so many as none."""
    for sentence in home.of(ir.Drawing, ir.MovePieces, ir.Repeat):
        count = sentence.count
        if count is not None and not isinstance(count, ir.Const):
            numbers = possible.values(count)
            if numbers is not None and numbers.low <= numbers.high <= 0:
                done = "It is done no times" if isinstance(sentence, ir.Repeat) else "It moves no cards"
                why = f"{done}: `{words(count)}` is at most {numbers.high:.0f}."
                yield from book.report("RB508", home, sentence.at, why=why)


def _find_cards_in_box(book: Book, possible: Possible, mentions: Mentions) -> Iterator[Diagnostic]:
    """Cards that no sentence can take out of the box; of each declared card one message."""
    taken = 0
    for home in book.homes.values():
        possible.home = home
        for place in (place for moving in home.of(ir.Moving) for place in ir.find_taken(moving)):
            taken |= possible.cards_from_box(place)
    families: set[str] = set()
    for id, card in book.rulebook.cards.items() if taken else ():
        family = id.split(".")[0]
        # What is asked for by name has a part in the game while it lies in the box.
        if possible.bits[id] & taken or family in families or id in mentions.named:
            continue
        families.add(family)
        if card.at is not None:
            yield diagnose("RB503", book.span("cards", family) or card.at.span, name=family)


def _find_unplayed(book: Book, possible: Possible, in_box: set[Span | None]) -> Iterator[Diagnostic]:
    """Find what a card says that it does or answers, and no sentence does or asks; nothing of cards `in_box`."""
    meant: dict[str, int] = {}
    for home in book.homes.values():
        possible.home = home
        for hooked in home.of(ir.DoHook, ir.AskHook):
            meant[hooked.hook] = meant.get(hooked.hook, 0) | possible.cards(hooked.target)
    for family, entry in book.world.authored.cards.items():
        cards = sum(possible.bits[id] for id in book.world.families.get(family, (family,)) if id in possible.bits)
        for hook, key in entry.fields.keys_at.items():
            if hook in meant and not meant[hook] & cards and book.span("cards", family) not in in_box:
                yield diagnose("RB514", key.span, hook=hook, name=family)
