"""The sentences about cards and chance, written as ops.

In: statements of a script, by way of its `Writer`. Out: ops; a sentence that may meet chance is two, the first reads
everything into hidden locals. Never: flow, choices.
"""

from __future__ import annotations

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter import ops as p
from rulebook.interpreter.lowering.layout import CALLS
from rulebook.interpreter.lowering.tables import holds_cards, sort_of
from rulebook.interpreter.lowering.writer import Guard, Writer, item_of
from rulebook.interpreter.ops import Formula


class CardWriter(Writer):
    """Writes what is done to cards."""

    def draw(self, statement: ir.Draw | ir.Deal, guard: Guard) -> None:
        count, source = self.formula(statement.count), self.formula(statement.source)
        goal, each = None, None
        end, face, slot, many, how = "", "", None, False, "deal"
        if isinstance(statement, ir.Draw):
            goal, how = self.formula(statement.goal), "draw"
            end, face, slot, many = statement.end, statement.face, statement.slot, statement.many
        else:
            each = self.layout.place_of[statement.place]
        source_slot, goals, total, taken = (
            self.hidden(),
            self.hidden(),
            self.hidden(),
            self.hidden(cards=True),
        )
        self.emit(
            lambda: p.BeginDraw(
                count=count,
                source=source,
                goal=goal,
                each=each,
                source_slot=source_slot,
                goals=goals,
                total=total,
                taken=taken,
                **guard(),
            )
        )
        self.emit(
            lambda: p.DrawNext(
                source_slot=source_slot,
                goals=goals,
                total=total,
                taken=taken,
                end=end,
                face=face,
                slot=slot,
                many=many,
                how=how,
            )
        )

    def shuffle(self, place: Formula, guard: Guard) -> None:
        slot, left, done = self.hidden(), self.hidden(cards=True), self.hidden(cards=True)
        self.emit(lambda: p.BeginShuffle(place=place, place_slot=slot, left=left, done=done, **guard()))
        self.emit(lambda: p.ShuffleNext(place_slot=slot, left=left, done=done))

    def stream(self) -> int:
        """The random stream of this script, or the one for scripts that are not the rulebook's own."""
        slots = self.layout.script_stream
        return slots.get(self.script.name, slots[CALLS])

    def roll(self, statement: ir.Roll, guard: Guard) -> None:
        dice, state, stream = self.formula(statement.dice), self.layout.states[statement.state], self.stream()
        left, rolled = self.hidden(cards=True), self.hidden(cards=True)
        self.emit(lambda: p.BeginRoll(dice=dice, left=left, rolled=rolled, **guard()))
        self.emit(lambda: p.RollNext(left=left, rolled=rolled, state=state, stream=stream))

    def pick_random(self, statement: ir.PickRandom, guard: Guard) -> None:
        source, count, slots = self.formula(statement.source), self.maybe(statement.count), statement.slots
        of = item_of(statement.source.type)
        cards, sort, stream, many = holds_cards(of), sort_of(of), self.stream(), statement.count is not None
        left, total, picked = self.hidden(cards), self.hidden(), self.hidden(cards)
        self.emit(
            lambda: p.BeginPick(
                source=source,
                count=count,
                names=len(slots),
                left=left,
                total=total,
                picked=picked,
                **guard(),
            )
        )
        self.emit(
            lambda: p.PickNext(left=left, total=total, picked=picked, slots=slots, many=many, sort=sort, stream=stream)
        )

    def look(self, statement: ir.Statement, guard: Guard) -> None:
        """What a sentence looks at in a pile that has no order yet is put in order before."""
        for place, count in looks(statement):
            pile, number = self.formula(place), self.maybe(count)
            slot, total = self.hidden(), self.hidden()
            self.emit_settle(pile, number, slot, total, guard)

    def emit_settle(self, pile: Formula, number: Formula | None, slot: int, total: int, guard: Guard) -> None:
        self.emit(lambda: p.BeginSettle(place=pile, count=number, place_slot=slot, total=total, guards=guard.slots))
        self.emit(lambda: p.SettleNext(place_slot=slot, total=total))


def looks(statement: ir.Statement) -> list[tuple[ir.Expr, ir.Expr | None]]:
    """The piles of which a sentence reads the top, or all, and how many cards of each (None: all).

    A pile that belongs to whoever a `where` is about cannot be named before it; only its settled cards are read.
    """
    head = [
        getattr(statement, name)
        for name in ("value", "cards", "goal", "condition", "list", "question", "arguments", "source", "picks")
        if hasattr(statement, name)
    ]
    if isinstance(statement, ir.ForEach | ir.Show | ir.Reveal):
        whole = statement.list if isinstance(statement, ir.ForEach) else statement.cards
    else:
        whole = None
    found: list[tuple[ir.Expr, ir.Expr | None]] = []
    for node in nodes(tuple(head)):
        if isinstance(node, ir.BuiltIn) and node.name in ("first", "last"):
            pile = _pile(node.arguments[0])
            if pile is not None:
                one = ir.Const(1, type=t.NUMBER)
                count = node.arguments[1] if len(node.arguments) > 1 else one
                found.append((pile, count if node.name == "first" else None))
    if whole is not None and (pile := _pile(whole)) is not None:
        found.append((pile, None))
    scratch = {node.slot for node in nodes(tuple(head)) if isinstance(node, ir.Filter | ir.Each | ir.Sorted | ir.Best)}
    return [
        (pile, count)
        for pile, count in found
        if not any(isinstance(node, ir.Local) and node.slot in scratch for node in nodes((pile, count)))
    ]


def _pile(list: ir.Expr) -> ir.Expr | None:
    """The pile whose cards a list is, or None."""
    if isinstance(list, ir.Cards) and isinstance(list.place.type, t.Place) and list.place.type.kept == "pile":
        return list.place
    return None
