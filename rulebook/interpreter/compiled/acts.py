"""What is done to cards and to what is written down, printed for players that never look.

In: statements without blocks. Out: text; where everybody looks on, and for what is rare, the machine's own handlers.
Never: flow, choices.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.printer import Printer
from rulebook.interpreter.compiled.settled import is_settled, settled
from rulebook.interpreter.compiled.sources import slots_of
from rulebook.interpreter.compiled.ways import way_to
from rulebook.interpreter.layout import ALIVE, FACES
from rulebook.interpreter.lowering.scripts import binds, looks
from rulebook.interpreter.ops import Op
from rulebook.interpreter.primitives.cards import cards_of

Act = (
    ir.Let | ir.Assign | ir.Move | ir.MovePieces | ir.Draw | ir.Deal | ir.Pass | ir.Shuffle | ir.Roll | ir.Swap
    | ir.PickRandom | ir.Reveal | ir.Cover | ir.Show | ir.Tell | ir.Say | ir.Eliminate
)  # fmt: skip
NOTICED = ir.PickRandom | ir.Reveal | ir.Cover | ir.Swap | ir.Show | ir.Tell
"""What the machine does where it is kept who knows what."""
UP = {"up": True, "down": False, "": None}


class ActPrinter(Printer):
    """Prints what takes one step, or a step and chance."""

    def act(self, statement: Act, op: Any, begin: int) -> None:
        """One statement that has no blocks and waits for nobody."""
        lines = self.lines(statement, op)
        two = isinstance(statement, ir.Draw | ir.Deal | ir.Shuffle | ir.Roll | ir.PickRandom)
        by_machine = partial(self.by_machine, self.code.ops[begin : begin + 1 + two], binds(statement))
        if lines is None:
            by_machine()
        elif self.book.watched and not isinstance(statement, ir.Let):
            with self.paper.inside("if r.events is None:"):
                self.head(op, lines)
            with self.paper.inside("else:"):
                by_machine()
        elif lines:
            self.head(op, lines)

    def settle(self, statement: ir.Statement, ops: tuple[Op, ...]) -> None:
        """What a sentence looks at in a pile gets its order before, if it has none."""
        for number, (pile, _) in enumerate(looks(statement)):
            pair = ops[2 * number : 2 * number + 2]
            known = ""
            if not self.keeps and isinstance(pile, ir.PlaceOf):
                settled, contents = (self.slot_of(pile, which)[1] for which in ("settled", "slot"))
                known = f"if sum(s[{settled}]) < len(s[{contents}]):"
            if known and not self.paper.can_fail(known):
                with self.paper.inside(known):
                    self.by_machine(pair, ())
            else:
                self.by_machine(pair, ())

    def lines(self, statement: Act, op: Any) -> list[str] | None:
        """A statement as lines; none where nobody looks and nothing changes, None where the machine does it."""
        if isinstance(statement, ir.Let):
            return [f"v{statement.slot} = {self.expr(statement.value)}"]
        fits = not self.layout.wide and len(self.layout.places) <= 256
        if self.keeps and isinstance(statement, NOTICED):
            return None
        known = "_known" if self.keeps else ""
        match statement:
            case ir.Assign(target, value):
                return self.assign(target, value, op)
            case ir.Move(cards, goal, end, face) if isinstance(goal.type, t.Place) or isinstance(goal, ir.PlaceOf):
                one = isinstance(t.surely(cards.type), t.Card)
                if one and (way := way_to(self.book, "", goal, end, self.face(goal, face))):
                    return [f"{way}(r, s, {self.expr(cards)}, {self.owner(goal)})"]
                to = f"{self.sure(goal)}, {self.constant(end)}, {self.face(goal, face)}"
                called = ("move" if one else "carry") + known if self.keeps else "move" if one else "move_all"
                several, lacks = self.expr(cards), self.may(cards) or self.book.absence.holds(self.name, cards)
                if called == "move_all" and fits and is_settled(self.book, cards):
                    several = self.constant(bytes(cards_of(settled(self.book, cards))))
                elif called == "move_all" and fits and not lacks:
                    several = f"bytes({self.raw(cards)})"
                return [f"{called}(r, s, {several}, {to})"]
            case ir.Draw(count, ir.PlaceOf() as source, goal, end, face, slot, many) if self.is_drawn(source):
                many_of = f"({self.expr(count)} or 0)" if self.may(count) else self.expr(count)
                where, at = self.sure(goal), f"{self.constant(end)}, {self.face(goal, face)}"
                if many_of == "1" and not (slot is not None and many) and not self.keeps:
                    if way := way_to(self.book, source.name, goal, end, self.face(goal, face)):
                        return [f"{'' if slot is None else f'v{slot} = '}{way}(r, s, {self.owner(goal)})"]
                    drawn = f"draw_one(r, s, {self.expr(source)}, {where}, {at})"
                    return [drawn if slot is None else f"v{slot} = {drawn}"]
                drawn = f"draw{known}(r, s, {self.expr(source)}, ({where},), {many_of}, {at})"
                return [drawn if slot is None else f"v{slot} = {drawn if many else f'first({drawn})'}"]
            case ir.Deal(count, ir.PlaceOf() as source, place) if self.is_drawn(source):
                many_of = f"({self.expr(count)} or 0)" if self.may(count) else self.expr(count)
                goals = self.constant(self.layout.place_of[place])
                goals = f"[{goals}[one] for one in s[{ALIVE}]]" if self.book.eliminates else goals
                total = f"max(0, {many_of}) * len(s[{ALIVE}])"
                return [f"draw{known}(r, s, {self.expr(source)}, {goals}, {total}, {self.constant('')}, None)"]
            case ir.Shuffle(ir.PlaceOf() as place) if self.slot_of(place, "slot")[0] != "pool":
                return [f"shuffle{known}(r, s, {self.expr(place)})"]
            case ir.PickRandom(slots, source, count):
                wanted = len(slots) if count is None else f"{self.expr(count)} or 0"
                picked = f"x = pick(r, s, {self.sure_raw(source)}, {wanted}, {self.code_stream(op)})"
                if count is not None:
                    return [picked, f"v{slots[0]} = x"]
                return [picked, *(f"v{slot} = nth(x, {number})" for number, slot in enumerate(slots))]
            case (ir.Reveal(cards) | ir.Cover(cards)) if isinstance(cards.type, t.Card) and not self.may(cards):
                faces = f"s[{FACES}] if type(s[{FACES}]) is bytearray else r.heat(s, {FACES})"
                return [f"e = {faces}", f"e[{self.expr(cards)}] = {int(isinstance(statement, ir.Reveal))}"]
            case ir.Reveal(cards) | ir.Cover(cards):
                return [f"turn(r, s, {self.expr(cards)}, {int(isinstance(statement, ir.Reveal))})"]
            case ir.MovePieces(count, source, goal):
                pools = f"{self.pool(source)}, {self.pool(goal)}"
                return [f"pour(s, {pools}, {'None' if count is None else self.expr(count)})"]
            case ir.Pass(place, step) if fits:
                places = self.layout.place_of[place]
                kept = next(self.layout.places[one].kept for one in places if one is not None)
                return (
                    [f"pass_{known[1:] or 'each'}(r, s, {self.constant(places)}, {step})"] if kept != "grid" else None
                )
            case ir.Swap(first, second) if op.sort not in ("place", "cell") and fits:
                return [f"swap(r, s, {self.checked(first)}, {self.checked(second)})"]
            case ir.Show() | ir.Tell() | ir.Say():
                return []
        return None

    def owner(self, place: ir.Expr) -> str:
        """Whose place it is; nothing for one of the table."""
        return self.sure(place.owner) if isinstance(place, ir.PlaceOf) and place.owner is not None else "None"

    def face(self, goal: ir.Expr, said: str) -> str:
        """The face with which cards come to a place: 1 if it is up; None where only the place itself says so."""
        if isinstance(goal, ir.PlaceOf) and (places := slots_of(self.book, goal)):
            place = places[0]
            return str(int(place.arrives_up if UP[said] is None else bool(UP[said])))
        return str(None if UP[said] is None else int(bool(UP[said])))

    def pool(self, place: ir.Expr) -> str:
        """The slot of a pool."""
        return self.place(place)[1] if isinstance(place, ir.PlaceOf) else f"r.spots[{self.sure(place)}][0]"

    def code_stream(self, op: Op) -> int:
        """The stream of the op behind one that begins to pick."""
        behind: Any = self.code.ops[self.code.ops.index(op) + 1]
        return int(behind.stream)

    def is_drawn(self, source: ir.PlaceOf) -> bool:
        """Whether cards are drawn from there one by one, and no pieces."""
        return self.slot_of(source, "slot")[0] in ("bag", "loose", "pile", "row")

    def assign(self, target: ir.TableMemory | ir.PlayerMemory | ir.State, value: ir.Expr, op: Any) -> list[str] | None:
        slot = op.state if isinstance(target, ir.State) else op.memory
        lines = [f"x = {self.expr(value)}"]
        if slot.values is not None and slot.sort == "number":
            lines.append(f"if x not in {self.constant(slot.values)}: within({self.constant(slot)}, x)")
        match target:
            case ir.TableMemory():
                return [*lines, f"s[{slot.slot}] = x"]
            case ir.PlayerMemory(_, player):
                return [f"o = {self.sure(player)}", *lines, f"s[{slot.slot} + o] = x"]
            case ir.State(_, card):
                changed = f"s[{slot.slot}] = (*s[{slot.slot}][:o], x, *s[{slot.slot}][o + 1:])"
                return [f"o = {self.sure(card)}", *lines, f"if s[{slot.slot}][o] != x: {changed}"]
