"""A game of places that hold only some kinds of cards, built by hand."""

from __future__ import annotations

import ir_samples as s
from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t


def kinds_game(holds: dict[str, str]) -> ir.Rulebook:
    """One card of each kind a, b, c … lies face down in each place that may hold it: `{"first": "ab", …}`."""
    kinds = sorted({kind for several in holds.values() for kind in several})
    cards = {kind: ir.CardDef(kind, kind, s.text(kind), None, {}, ((s.const(len(holds)), {}),)) for kind in kinds}
    it = s.local(0, t.Card(frozenset(kinds)))
    moves: list[ir.Statement] = [
        s.move(s.first(s.where(s.cards("box"), 0, ir.IsKind(it, frozenset(kind), type=t.YES_NO))), s.place(place))
        for place, several in holds.items()
        for kind in several
    ]
    numbers = ir.Span(s.const(0), s.const(5), type=t.ListOf(t.NUMBER))
    body = (*moves, s.choose(s.first(s.players()), s.pick(0, numbers, sort="number")))
    base = s.game(*body, slots=(t.Card(frozenset(kinds)),))
    places = (s.place_def(place, seen_by="nobody", holds=frozenset(several)) for place, several in holds.items())
    return evolve(
        base,
        cards=cards,
        kinds={kind: ir.Kind(kind, ()) for kind in kinds},
        places={one.name: one for one in places},
    )
