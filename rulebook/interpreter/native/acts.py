"""What is done to cards and to what is written down, printed.

In: statements without blocks. Out: lines of C. Never: flow, choices; a sentence that only tells something, for nobody
listens here.
"""

from __future__ import annotations

from typing import Any, assert_never

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.compiled.sources import are_named_once
from rulebook.interpreter.layout import MemorySlot, StateSlot
from rulebook.interpreter.lowering.tables import sort_of
from rulebook.interpreter.native.built_ins import BuiltIns
from rulebook.interpreter.native.paper import CannotPrint
from rulebook.interpreter.native.sets import UNORDERED, set_of

Act = (
    ir.Let | ir.Assign | ir.Move | ir.MovePieces | ir.Draw | ir.Deal | ir.Pass | ir.Shuffle | ir.Roll | ir.Swap
    | ir.PickRandom | ir.Reveal | ir.Cover | ir.Show | ir.Tell | ir.Say | ir.Eliminate
)  # fmt: skip
ENDS = {"": "ANY_END", "top": "TOP_END", "bottom": "BOTTOM_END"}
FACES = {"": "ANY_FACE", "up": "FACE_UP", "down": "FACE_DOWN"}


class Acts(BuiltIns):
    """Prints what takes one step, or a step and chance."""

    def act(self, statement: Act, behind: Any) -> None:
        """One statement; `behind` is the op behind its first, if it has two."""
        match statement:
            case ir.Let(slot, value):
                self.put(f"v[{slot}] = {self.expr(value)};")
            case ir.Assign(target, value):
                self.assign(target, value)
            case ir.Move(cards, goal, end, face):
                several = isinstance(t.surely(cards.type), t.ListOf) and not self.may(cards)
                if several and isinstance(goal, ir.PlaceOf) and self.kept_as(goal) in UNORDERED:
                    self.put(f"gather(s, {set_of(self, cards)}, {self.place(goal)}, {FACES[face]});")
                    return
                to = self.place(goal) if isinstance(goal, ir.PlaceOf) else self.simple(self.sure(goal))
                how = f"{ENDS[end]}, {FACES[face]}"
                if several and isinstance(cards, ir.Cards) and t.CELL not in t.members(goal.type):
                    self.put(f"carry_all(s, {self.place(cards.place)}, {to}, {how});")
                elif isinstance(t.surely(cards.type), t.Card) and isinstance(goal, ir.PlaceOf):
                    self.put(f"move_card(s, {self.simple(self.expr(cards))}, {to}, {how});")
                else:
                    self.put(f"move(s, {self.each_once(cards)}, {to}, {how});")
            case ir.MovePieces(count, source, goal):
                out, to = self.simple(self.place(source)), self.simple(self.place(goal))
                many = f"s->n[{out}]" if count is None else self.or_none(count)
                self.put(f"pour(s, {many}, {out}, {to});")
            case ir.Draw():
                self.draw(statement)
            case ir.Deal(count, source, place):
                ordinals = [-1 if one is None else one for one in self.layout.place_of[place]]
                many, out = self.simple(self.or_none(count)), self.simple(self.place(source))
                table, number = self.paper.table("int16_t", ordinals), self.paper.fresh()
                self.put(f"int g{number}[PLAYERS];")
                self.put(f"for (int i = 0; i < s->playing; i++) g{number}[i] = {table}[s->alive[i]];")
                total = f"({many} > 0 ? {many} : 0) * s->playing"
                self.put(f"draw(s, {out}, g{number}, s->playing, {total}, ANY_END, ANY_FACE, NULL);")
            case ir.Pass(place, step):
                ordinals = [-1 if one is None else one for one in self.layout.place_of[place]]
                self.put(f"pass_each(s, {self.paper.table('int16_t', ordinals)}, {step});")
            case ir.Shuffle(place):
                self.put(f"shuffle(s, {self.place(place)});")
            case ir.Roll(dice):
                values = tuple(value for value in behind.state.values or () if value is not None)
                rolled = f"{self.plan.states[behind.state.name]}, {self.constant(values)}"
                self.put(f"roll(s, {self.each_once(dice)}, {rolled}, {self.plan.streams[behind.stream]});")
            case ir.PickRandom(slots, source, many_of):
                wanted = str(len(slots)) if many_of is None else self.or_none(many_of)
                picked = f"pick(s, {self.sure(source)}, {wanted}, {self.plan.streams[behind.stream]})"
                self.picked(self.kept(picked), slots, many_of is not None)
            case ir.Swap(first, second):
                how = {"place": "swap_places", "cell": "swap_cells"}.get(sort_of(first.type), "swap_cards")
                self.put(f"{how}(s, {self.sure(first)}, {self.sure(second)});")
            case ir.Reveal(cards) | ir.Cover(cards):
                self.turn(cards, int(isinstance(statement, ir.Reveal)))
            case ir.Show() | ir.Tell() | ir.Say():
                pass
            case ir.Eliminate(players):
                self.put(f"eliminate(s, {self.expr(players)});")
            case _:
                assert_never(statement)

    def turn(self, cards: ir.Expr, face: int) -> None:
        value = self.each_once(cards)
        if isinstance(cards.type, t.Card) and not self.may(cards):
            self.put(f"s->face[{value}] = {face};")
        else:
            self.put(f"turn(s, {value}, {face});")

    def each_once(self, cards: ir.Expr) -> str:
        """The cards of a sentence, each once."""
        script = self.tables.rulebook.scripts[self.name]
        if isinstance(cards.type, t.ListOf) and not are_named_once(self.plan.book, script, cards):
            cards = ir.BuiltIn("distinct", (cards,), type=cards.type)
        return self.expr(cards)

    def or_none(self, count: ir.Expr) -> str:
        """A number, which is 0 where it is nothing."""
        text = self.expr(count)
        if not self.may(count):
            return text
        text = self.simple(text)
        return f"({text} == NOTHING ? 0 : {text})"

    def draw(self, statement: ir.Draw) -> None:
        many, number = self.simple(self.or_none(statement.count)), self.paper.fresh()
        out, to = self.simple(self.place(statement.source)), self.place(statement.goal)
        self.put(f"int g{number} = (int){to};")
        how = f"{ENDS[statement.end]}, {FACES[statement.face]}"
        one = statement.slot is not None and not statement.many and many == "1"
        if one and self.kept_as(statement.source) != "pool":
            self.put(f"v[{statement.slot}] = draw_one(s, {out}, g{number}, {how});")
            return
        drawn = "NULL" if statement.slot is None else f"&{self.new_list()}"
        self.put(f"draw(s, {out}, &g{number}, 1, {many}, {how}, {drawn});")
        if statement.slot is not None:
            found = f"handle(s, {drawn[1:]})" if statement.many else f"{drawn[1:]}[0] ? {drawn[1:]}[1] : NOTHING"
            self.put(f"v[{statement.slot}] = {found};")

    def picked(self, picked: str, slots: tuple[int, ...], many: bool) -> None:
        if many:
            self.put(f"v[{slots[0]}] = {picked};")
            return
        for number, slot in enumerate(slots):
            there = f"length(s, {picked}) > {number}"
            self.put(f"v[{slot}] = {there} ? list_at(s, {picked})[{1 + number}] : ABSENT;")

    def assign(self, target: ir.TableMemory | ir.PlayerMemory | ir.State, value: ir.Expr) -> None:
        match target:
            case ir.TableMemory(name):
                slot: MemorySlot | StateSlot = self.layout.memory[name]
                goal = self.expr(target)
            case ir.PlayerMemory(name, player):
                slot = self.layout.player_memory[name]
                goal = f"s->memory[{self.plan.memory[slot.slot]} + {self.simple(self.sure(player))}]"
            case ir.State(name, card):
                slot = self.layout.states[name]
                goal = f"set_state(s, {self.plan.states[name]}, {self.simple(self.sure(card))}, "
            case _:
                assert_never(target)
        new = self.simple(self.expr(value))
        if slot.values is not None and slot.sort == "number":
            self.put(f"if (!({_among(new, slot.values, self.constant)})) stop(s, OUTSIDE);")
        self.put(f"{goal}{new});" if isinstance(target, ir.State) else f"{goal} = {new};")


def _among(text: str, values: tuple[Any, ...], constant: Any) -> str:
    """Whether a number is one of those that are declared."""
    numbers = sorted(value for value in values if value is not None)
    nothing = [f"{text} == NOTHING"] if None in values else []
    if numbers and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return " || ".join([f"({text} >= {constant(numbers[0])} && {text} <= {constant(numbers[-1])})", *nothing])
    if len(numbers) > 64:
        raise CannotPrint("a number with more than 64 values that are no range")
    return " || ".join([*(f"{text} == {constant(one)}" for one in numbers), *nothing])
