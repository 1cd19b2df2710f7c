"""Names that a script gives to something and never reads again.

In: the book. Out: a message at the sentence that gave the name. Never: speaks of names that are there for another
reason: parameters, the rounds of a loop, a choice with a block, which asks whether and not what.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book, Home
from rulebook.dsl.walk import everything

_LET, _LOCAL = frozenset({ir.Let}), frozenset({ir.Local})
_BINDING = _LET | {ir.Choose, ir.ChooseEach, ir.PickRandom, ir.Draw, ir.DoRule, ir.DoHook}


def unread_names(book: Book) -> Iterator[Diagnostic]:
    """Every name that a sentence binds for nothing."""
    for home in book.homes.values():
        bound = {slot for one in home.among(_BINDING) for slot in _bound(one)}
        if not bound:
            continue
        read = _read(home)
        told: set[int] = set()
        for one in home.of(_BINDING) if bound - read else ():
            for slot in _bound(one):
                if slot not in read and slot not in told:
                    told.add(slot)
                    yield from book.report("RB512", home, one.at, name=home.slots.names[slot])


def _read(home: Home) -> set[int]:
    """The slots that something asks for; to reckon a name anew from itself is not to ask for it."""
    own: set[int] = set()
    for let in home.among(_LET):
        # Identity, because equal expressions may stand elsewhere.
        own |= {id(part) for part in everything(let.value) if isinstance(part, ir.Local) and part.slot == let.slot}
    return {one.slot for one in home.among(_LOCAL) if id(one) not in own}


def _bound(sentence: ir.Sentence) -> tuple[int, ...]:
    match sentence:
        case ir.Let(slot, _):
            return (slot,)
        case ir.Choose(picks=picks, taken=None, otherwise=None) | ir.ChooseEach(picks=picks, otherwise=None):
            return tuple(pick.slot for pick in picks)
        case ir.PickRandom(slots=slots):
            return slots
        case ir.Draw(slot=slot) | ir.DoRule(slot=slot) | ir.DoHook(slot=slot):
            return () if slot is None else (slot,)
    return ()
