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
from rulebook.dsl.document import At
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.lint.possible import Possible, has_members
from rulebook.dsl.lint.uses import Mentions
from rulebook.dsl.lint.value_sets import FAR, compare, values
from rulebook.dsl.settling.options import amount_text
from rulebook.dsl.walk import everything, parts
from rulebook.source import Span

_ASKED = (ir.Compare, ir.IsKind, ir.IsCard, ir.Within, ir.BuiltIn, ir.IsEmpty, ir.And, ir.Or, ir.IsNothing)
"""Questions that are worth a message; the rest only pass on what these answer."""


def find_constant_conditions(book: Book, possible: Possible, mentions: Mentions) -> Iterator[Diagnostic]:
    """Every condition, choice and card that is settled before the game begins."""
    for home in book.homes.values():
        if home.name not in book.reached:
            continue
        possible.home = home
        empty = list(_find_empty_choices(possible, home))
        for pick, at in empty:
            yield from book.report("RB501", home, at, name=pick.name)
        told = {id(part) for pick, _ in empty for part in everything(*pick.sources)}
        yield from _find_constant(book, possible, home, told)
        yield from _find_said_empty(book, possible, home)
        yield from _find_none(book, possible, home)
        yield from _find_never_otherwise(book, possible, home)
        yield from _find_stepped_over(book, possible, home)
    in_box = list(_find_cards_in_box(book, possible, mentions))
    yield from in_box
    yield from _find_unplayed(book, possible, {one.span for one in in_box})


def _find_constant(book: Book, possible: Possible, home: Home, told: set[int]) -> Iterator[Diagnostic]:
    """The innermost constant conditions; `told` are records that another message is about already."""
    negated = {id(one.value) for one in home.of(ir.Not) if one.at == one.value.at}  # `is not`, written as one
    kept = {one.slot for one in home.of(ir.Let)}
    for one in reversed(home.records):
        # The innermost first: what stands around it follows from it.
        if not _is_condition(one):
            continue
        if told and (id(one) in told or any(id(part) in told for part in parts(one))):
            told.add(id(one))
        elif (isinstance(one, _ASKED) or (isinstance(one, ir.Local) and one.slot in kept)) and possible.is_constant(
            one
        ):
            told.add(id(one))
            answer = "yes" if possible.truth(one)[0] is not (id(one) in negated) else "no"
            yield from book.report("RB509", home, one.at, answer=answer, why=_explain(book, possible, one))
    yield from _find_opposed(book, possible, home, told)
    yield from _find_own_cause(book, home, told)


def _find_own_cause(book: Book, home: Home, told: set[int]) -> Iterator[Diagnostic]:
    """Conditions about a memory that only what stands below them could make true."""
    for one in home.of(ir.If, ir.Option):
        condition, block = one.condition, one.then if isinstance(one, ir.If) else one.body
        denied = isinstance(condition, ir.Not)
        asked = condition.value if isinstance(condition, ir.Not) else condition
        match asked:
            case ir.IsNothing(ir.TableMemory() | ir.PlayerMemory() as kept):
                operator, other = "==", ir.Const(None, type=t.NOTHING)
            case ir.Compare(operator, ir.TableMemory() | ir.PlayerMemory() as kept, ir.Const() as other):
                pass
            case _:
                continue
        wanted = other.value
        inside = {id(part) for part in everything(*block)}
        written = [part for part in book.all(ir.Assign) if part.target.name == kept.name]
        outside = [ir.as_constant(part.value) for part in written if id(part) not in inside]
        start = book.rulebook.memories[kept.name].start
        if (
            len(outside) == len(written)
            or id(condition) in told
            or isinstance(start, tuple)
            or isinstance(wanted, tuple)
        ):
            continue
        known = [value.value for value in outside if isinstance(value, ir.Const) and not isinstance(value.value, tuple)]
        if len(known) < len(outside):
            continue
        yes, no = compare(operator, values(start, *known), values(wanted))
        if not (no if denied else yes):
            why = f"Only what stands below it sets `{words(kept)}` to anything else."
            yield from book.report("RB509", home, condition.at, answer="no", why=why)


_Asked = tuple[ir.Expr, bool]
"""A question, and how it came out."""


def _find_opposed(book: Book, possible: Possible, home: Home, told: set[int]) -> Iterator[Diagnostic]:
    """Conditions that those before them settle: named lines, and an `if` right behind another one."""
    for named in home.of(ir.Conditions):
        lines = [(line.value, True) for line in named.lines]
        for number in range(2, 1 + len(lines)):
            clash = possible.find_clash(*lines[:number])
            if clash is not None and not told & {id(one) for one, _ in lines}:
                yield from _report_opposed(book, home, lines[:number], clash)
                break
    inner: set[int] = set()
    for one in home.of(ir.If, ir.IfElse):
        left: list[tuple[ir.If | ir.IfElse, list[_Asked]]] = [] if id(one) in inner else [(one, [])]
        while left:
            asking, before = left.pop()
            inner.add(id(asking))
            ways = [(asking.condition, True), (asking.condition, False)]
            if before and not any(id(part) in told for part in everything(asking.condition)):
                clashes = [(way, clash) for way in ways if (clash := possible.find_clash(*before, way)) is not None]
                if clashes:
                    way, clash = clashes[0]
                    yield from _report_opposed(book, home, [*before, way], clash)
                    continue
            for answer, way in zip((asking.otherwise, asking.then), reversed(ways), strict=True):
                next_one = answer[0] if isinstance(answer, tuple) and answer else answer
                if isinstance(next_one, ir.If | ir.IfElse):
                    left.append((next_one, [*before, way]))


def _report_opposed(book: Book, home: Home, asked: list[_Asked], clash: ir.Expr) -> Iterator[Diagnostic]:
    *before, (last, never) = asked
    why = f"What was asked before settles `{words(clash)}`."
    labels = [Label(one.at.span, "asked before") for one, _ in before if one.at is not None]
    yield from book.report("RB509", home, last.at, answer="no" if never else "yes", why=why, labels=labels)


def _find_said_empty(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    """Lists that the `if` or the option around says are empty, at the beginning of its block."""
    for one in home.of(ir.If):
        for block, holds in ((one.then, True), (one.otherwise, False)):
            if block:
                yield from _find_members_of(book, possible, home, (one.condition, holds), block)
    for one in home.of(ir.Option):
        if one.condition is not None:
            yield from _find_members_of(book, possible, home, (one.condition, True), one.body)
    gate = book.find_gate(home)
    if gate is not None:
        yield from _find_members_of(book, possible, home, (gate, True), home.root.body)


def _find_stepped_over(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    """Stages until a counter is what it begins with, set to something else first, and never comes to again."""
    for one in home.of(ir.Stage):
        match one.until:
            case ir.Compare("==", ir.TableMemory(name), ir.Const(int(wanted))) as until:
                pass
            case _:
                continue
        starts, step = possible.progressions.get(name, ([], 0))
        others = [start for start in starts[1:] if start != wanted]
        if step and others == starts[1:] != [] and all((wanted - start) % step for start in others):
            first, each = _word(book, until.left, others[0]), _word(book, until.left, step)
            why = f"`{name}` goes from {first} in steps of {each}, and never comes to it."
            if starts[0] == wanted:
                yield from book.report("RB509", home, until.at, answer="no", why=why)


def _find_never_otherwise(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    """Blocks for when somebody is not there who always is. That one asks is no mistake: a type may ask for it."""
    for one in home.of(ir.If):
        match one.condition:
            case ir.Not(ir.IsNothing(value)):
                block = one.otherwise
            case ir.IsNothing(value):
                block = one.then
            case _:
                continue
        if block and possible.is_surely_there(value):
            answer, why = "yes" if block is one.otherwise else "no", f"There is always somebody in `{words(value)}`."
            yield from book.report("RB509", home, one.condition.at, answer=answer, why=why)


def _find_none(book: Book, possible: Possible, home: Home) -> Iterator[Diagnostic]:
    """Sentences that are always about so many as none."""
    for one in home.of(ir.Drawing, ir.MovePieces, ir.Repeat):
        count = one.count
        if count is not None and not isinstance(count, ir.Const) and one.at is not None:
            found = possible.values(count)
            if found is not None and found.low <= found.high <= 0:
                done = "It is done no times" if isinstance(one, ir.Repeat) else "It moves no cards"
                yield from book.report(
                    "RB508", home, one.at, why=f"{done}: `{words(count)}` is at most {found.high:.0f}."
                )


def _find_members_of(
    book: Book, possible: Possible, home: Home, asked: _Asked, block: ir.Block
) -> Iterator[Diagnostic]:
    # By their words, because equal lists may number their members otherwise.
    empty = [words(one) for one in possible.find_empty(*asked) if one.at is not None]
    labels = [Label(asked[0].at.span, "this asks for it")] if asked[0].at is not None else []
    for sentence in block:
        said = {}
        match sentence:
            case ir.ForEach(list=listed) | ir.Win(ir.Node() as listed) | ir.Eliminate(listed):
                said[id(sentence)] = listed
        heads = [one for one in parts(sentence) if not isinstance(one, ir.Sentence | ir.Option)]
        for part in everything(*heads):
            match part:
                case ir.Through(listed) | ir.Source(listed):
                    said[id(part)] = listed
        found = next((listed for listed in said.values() if listed.at is not None and words(listed) in empty), None)
        if found is not None:
            yield from book.report("RB516", home, found.at, list=words(found), labels=labels)
        if not isinstance(sentence, ir.Say | ir.Tell | ir.Let) or found is not None:
            break


def _is_condition(one: Any) -> bool:
    asked = isinstance(one, ir.Node) and not isinstance(one, ir.Const | ir.OptionValue)
    return asked and one.type == t.YES_NO and one.at is not None


def _explain(book: Book, possible: Possible, one: ir.Expr) -> str:
    match one:
        case ir.Compare(_, left, right):
            for side, other in ((left, right), (right, left)):
                if isinstance(side, ir.TableMemory | ir.PlayerMemory) and possible.steps_over(side, other):
                    starts, step = possible.progressions[side.name]
                    first, each = _word(book, side, starts[0]), _word(book, side, step)
                    return f"`{words(side)}` goes from {first} in steps of {each}, and never comes to it."
                found = possible.values(side)
                if found is not None and not isinstance(side, ir.Const):
                    only = "is" if FAR in (found.high, -found.low) else "can only be"
                    return f"`{words(side)}` {only} {found.words(partial(_word, book, side))}."
        case ir.Or() if possible.is_any_card(one):
            return "No card is all of these: write `and`."
        case ir.And() | ir.Or():
            both = possible.find_clash((one, isinstance(one, ir.And)))
            if both is not None:
                this = "all of this" if isinstance(one, ir.And) else "none of this"
                return f"`{words(both)}` cannot be {this} at once."
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
            return f"Nothing else is ever given to `{words(one)}`."
        case ir.IsEmpty() | ir.BuiltIn():
            return "No card that can be there is like that."
    return ""


def _word(book: Book, of: ir.Expr, number: int) -> str:
    """Write a number that this expression can be, an amount as the game has it."""
    return amount_text(number, book.rulebook.units) if t.AMOUNT in t.members(of.type) else str(number)


def _find_empty_choices(possible: Possible, home: Home) -> Iterator[tuple[ir.Pick, At | None]]:
    for one in home.of(ir.Asking):
        for pick in getattr(one, "picks", ()):
            if pick.sources and all(possible.is_never_any(source.list) for source in pick.sources):
                yield pick, pick.sources[0].list.at or one.at


def _find_cards_in_box(book: Book, possible: Possible, mentions: Mentions) -> Iterator[Diagnostic]:
    """Cards that no sentence can take out of the box; of each declared card one message."""
    taken = 0
    for home in book.homes.values():
        possible.home = home
        for place in (place for one in home.of(ir.Moving) for place in ir.find_taken(one)):
            taken |= possible.cards_from_box(place)
    if not taken:
        return
    told: set[str] = set()
    for id, card in book.rulebook.cards.items():
        family = id.split(".")[0]
        # What is asked for by name has a part in the game while it lies in the box.
        if possible.bits[id] & taken or family in told or id in mentions.named:
            continue
        told.add(family)
        if card.at is not None:
            yield diagnose("RB503", book.span("cards", family) or card.at.span, name=family)


def _find_unplayed(book: Book, possible: Possible, told: set[Span | None]) -> Iterator[Diagnostic]:
    """Find what a card says that it does or answers, and no sentence does or asks; `told` are cards with a message."""
    meant: dict[str, int] = {}
    for home in book.homes.values():
        possible.home = home
        for one in home.of(ir.DoHook, ir.AskHook):
            meant[one.hook] = meant.get(one.hook, 0) | possible.cards(one.target)
    for family, entry in book.world.authored.cards.items():
        cards = sum(possible.bits[id] for id in book.world.families.get(family, (family,)) if id in possible.bits)
        for hook, key in entry.fields.keys_at.items():
            if hook in meant and not meant[hook] & cards and book.span("cards", family) not in told:
                yield diagnose("RB514", key.span, hook=hook, name=family)
