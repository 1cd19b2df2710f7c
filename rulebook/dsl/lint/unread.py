"""Lint: names that a script binds and never reads again: what was chosen, a loop's own name.

Bad: `choose friend from others`, then `add 1 to me.gold`. Good: `add 1 to friend.gold`.

Parameters and the numbers of rounds (`as i`) are there for another reason. A loop may only count its rounds: all that
it does is to add to something. One that does more, or speaks of somebody else, was to speak of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.lint.book import Book, Home, words
from rulebook.dsl.walk import everything, statements


def unread_names(book: Book) -> Iterator[Diagnostic]:
    for home in book.homes.values():
        known = _read(home)
        for sentence in home.of(ir.Sentence):
            inside = [pick.slot for pick in sentence.picks] if isinstance(sentence, ir.Offer) else []
            for slot in (*ir.find_bound(sentence), *inside):
                if slot not in known:
                    known.add(slot)
                    yield from book.report("RB512", home, sentence.at, name=home.slots.names[slot])
            if isinstance(sentence, ir.ForEach) and _never_says_its_name(sentence):
                help = f"Speak of it in the block, or write `repeat count({words(sentence.list)}):`."
                yield from book.report("RB512", home, sentence.at, name=home.slots.names[sentence.slot], help=help)


def _never_says_its_name(loop: ir.ForEach) -> bool:
    """Tell whether the block of a loop never says its name or number, though it does more than to count."""
    inside = everything(*loop.body)
    if any(isinstance(node, ir.Local) and node.slot in (loop.slot, loop.index) for node in inside):
        return False
    others = {t.surely(node.type) for node in inside if isinstance(node, ir.Local | ir.TableMemory | ir.PlayerMemory)}
    of = loop.list.type
    counts = all(isinstance(statement, ir.Assign | ir.Let | ir.If) for statement in statements(loop.body))
    return not counts or (isinstance(of, t.ListOf) and of.item in others)


def _read(home: Home) -> set[int]:
    """Find the slots that something asks for; to reckon a name anew from itself is not to ask for it."""
    own: set[int] = set()
    for let in home.of(ir.Let):
        # Identity, because equal expressions may stand elsewhere.
        own |= {id(part) for part in everything(let.value) if isinstance(part, ir.Local) and part.slot == let.slot}
    return {local.slot for local in home.of(ir.Local) if id(local) not in own}
