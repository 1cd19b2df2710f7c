"""Scripts become code: steps with jumps.

In: the tables, the index of each script's code, and an `ir.Script`. Out: a `Code`. Never: runs anything; reads an
option of a choice, which `choosing` does when the game runs.

`_Script.lower_statement` has one case for each statement of the language. A sentence that may meet chance is two
steps: the first reads everything into hidden locals, the second does one thing and runs again until its work is done,
so that the game can stop between any two outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from attrs import evolve

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At
from rulebook.dsl.naming.layer_names import is_beneath, name_plainly
from rulebook.dsl.walk import is_expression, nodes, statements
from rulebook.interpreter.events import How
from rulebook.interpreter.lowering.asked import Asked
from rulebook.interpreter.lowering.expressions import (
    aside,
    count_answers,
    in_a_row,
    lower_expr,
    lower_in_words,
    lower_shown,
)
from rulebook.interpreter.lowering.folds import find_folds
from rulebook.interpreter.lowering.layout import CALLS
from rulebook.interpreter.lowering.probes import Count, label_text, list_texts
from rulebook.interpreter.lowering.prompts import word_asked
from rulebook.interpreter.lowering.reasons import Reasons
from rulebook.interpreter.lowering.tables import Tables, holds_cards, sort_of
from rulebook.interpreter.lowering.writer import Label, Writer
from rulebook.interpreter.op_table import ABSENT
from rulebook.interpreter.ops import asking, cards, chance, flow, lists, memory, values, watching
from rulebook.interpreter.program import Choice, Code, Pick, Source, Unknown, Walk, Window, find_lasting
from rulebook.interpreter.wording import is_of_cards


def lower_script(tables: Tables, script: ir.Script, indexes: dict[str, int], *, begins: bool = False) -> Code:
    """The code of one script; `indexes` is where the code of each rule is found. It `begins` a game, or a scenario."""
    return _Script(tables, script, indexes).lower_whole(begins)


@frozen(eq=False)
class Loop:
    """An `each`, `repeat`, `loop` or `offer` around what is being written, and how many stages were open outside it."""

    again: Label
    exit: Label
    stages: int


_SIMPLE: dict[type[ir.Sentence], tuple[Callable[..., int | None], tuple[str, ...]]] = {
    ir.Let: (flow.let, ("slot", "value")),
    ir.Move: (cards.move, ("cards", "goal", "end", "face")),
    ir.MovePieces: (cards.move_pieces, ("count", "source", "goal")),
    ir.Reveal: (cards.reveal, ("cards",)),
    ir.Cover: (cards.cover, ("cards",)),
    ir.Show: (cards.show, ("cards", "to")),
    ir.EndStage: (flow.end_stage, ("name",)),
    ir.Eliminate: (flow.eliminate, ("players",)),
}
"""Statements that are one step, and the fields that are its operands."""
_LEAVES = (ir.Leave, ir.Return, ir.EndStage, ir.Win)
_CHANGES_NOTHING = (ir.Let, ir.Asking, ir.Loop, ir.If, ir.DoRule, ir.DoHook)
"""Statements after which no `until` needs to be asked: what is done in their blocks and scripts asks by itself."""
_MAY_CHANGE_NOTHING = (ir.Moving, ir.Assign, ir.Reveal, ir.Cover, ir.Show)
"""Statements that may find everything as they would leave it."""
_SWAPS = {"place": cards.swap_places, "cell": cards.swap_cells}


class _Script(Writer):
    """One script that is being written."""

    def __init__(self, tables: Tables, script: ir.Script, indexes: dict[str, int]) -> None:
        inside = (node for node in nodes(script.body) if isinstance(node, ir.Sentence))
        named = frozenset(slot for node in inside for slot in ir.find_bound(node))
        super().__init__(tables, script.slots, script.parameters, named)
        self.script, self.indexes, self.at = script, indexes, script.at
        self.stage_table: list[tuple[str, Label | None, Label | None, Label, tuple[int, ...]]] = []
        self.loops: list[Loop] = []
        self.walks: list[Walk] = []
        """The lists that the loops around what is being written go through, where not everybody knows them."""
        self.counted: list[tuple[int, tuple[int, ...]]] = []
        """The number of rounds, where not everybody knows it, and those who do."""
        self.untils: list[tuple[int, bool]] = []
        """The stages around what is being written that have an `until`, and whether that reads names of the script."""
        self.asks_triggers = name_plainly(script.name) == ir.GAME and ir.TRIGGERS in indexes
        """True of `game`, which asks behind each of its sentences what has become so; each script asks at its end."""
        self.skips: list[Callable[[], None]] = []
        """The steps where sentences are skipped: they stand behind all others, out of the way."""

    def lower_whole(self, begins: bool) -> Code:
        script = self.script
        self.emit_count(self.find_counter("script", script.name, script.body))
        if begins and ir.TRIGGERS in self.indexes:  # what is so from the start does not become so
            self.emit(flow.call, self.indexes[ir.TRIGGERS], 0, 0, None)
        self.lower_block(script.body)
        self.emit(flow.leave, None, ())
        for skip in self.skips:
            skip()
        # What lies beneath another script is only a part of what that does.
        asks = not is_beneath(script.name)
        return self.finish(script.name, asks_stages=asks, stage_table=self.stage_table, scratch=self.scratch())

    def scratch(self) -> tuple[int, ...]:
        """The locals that only expressions use: `it` of each `where`, and the like."""
        used = {node.slot for node in nodes(self.script.body) if isinstance(node, ir.Through)}
        return tuple(sorted(used - self.unsure - set(range(self.script.parameters))))

    # ── what steps are about ──

    def make_piece(self, expr: ir.Expr) -> Any:
        """A piece that works out an expression."""
        return self.add_piece(lambda: lower_expr(self, expr))

    def make_piece_or_none(self, expr: ir.Expr | None) -> Any:
        return None if expr is None else self.make_piece(expr)

    def make_shown_piece(self, expr: ir.Expr | None) -> Any:
        """A piece for what people read beside what happens: a question, a label, the title of a stage."""
        return None if expr is None else self.add_piece(lambda: lower_shown(self, expr))

    def make_label(self, expr: ir.Expr) -> Any:
        return self.add_piece(lambda: lower_shown(self, expr))

    def lower_optional(self, expr: ir.Expr | None) -> int | None:
        """The register of a value, until the sentence ends."""
        return None if expr is None else lower_expr(self, expr)

    # ── who looks on ──

    def find_counter(self, what: str, text: str = "", block: ir.Block = (), at: At | None = None) -> Count | None:
        """Return the counter to call when this happens at the sentence being written, if anybody wants to know."""
        probes = self.tables.probes
        return None if probes is None else probes.point(at or self.at, what, text, block)

    def emit_count(self, count: Count | None) -> None:
        """Call that, here."""
        if count is not None:
            self.emit(flow.count_probe, count)

    # ── statements ──

    def lower_block(self, block: ir.Block) -> None:
        for statement in block:
            self.lower_sentence(statement)

    def lower_sentence(self, statement: ir.Statement) -> None:
        """Write one statement, with its blocks, and behind it where it goes on when it is skipped."""
        outside = self.at, self.is_public, self.trap, self.sure, self.top
        self.at, self.top = statement.at or self.at, 0
        self.is_public = isinstance(statement, ir.Assign | ir.Say | ir.Stage) and statement.publicly
        self.emit_count(self.find_counter("sentence"))
        self.sure |= {*statement.guards}
        absent, lacking, end = Label(), Label(), Label()
        mutant = self.tables.find_mutant(statement)
        if mutant is not None:  # what is skipped anyway has no part in it
            for slot in statement.guards:
                self.emit(values.jump_if_absent, slot, absent)
            self.emit(watching.jump_if_mutant, mutant, not isinstance(statement, _MAY_CHANGE_NOTHING), absent)
        self.emit_settling(statement)
        for slot in statement.guards:
            self.emit(values.jump_if_absent, slot, absent)
        self.trap = lacking
        self.lower_statement(statement)
        if mutant is not None and isinstance(statement, _MAY_CHANGE_NOTHING):
            self.emit(watching.note_effect, mutant)
        self.at, (self.is_public, self.trap, self.sure, self.top) = statement.at or self.at, outside[1:]
        named, count = _find_all_names(statement), self.find_counter("skipped")
        if named or count is not None:
            at, stages = self.at, self.stages
            self.skips.append(lambda: self.emit_skip(at, stages, named, count, absent, lacking, end))
        else:
            self.place_labels(absent, lacking)
        self.place_labels(end)
        if self.asks_triggers and not isinstance(statement, _LEAVES + _CHANGES_NOTHING):
            self.emit(flow.ask_triggers)
            self.note_unknown(statement, len(self.steps), ())
        for stage, reads_names in self.untils:
            if not isinstance(statement, _LEAVES if reads_names else _LEAVES + _CHANGES_NOTHING):
                self.emit(flow.ask_until, stage)
        self.at = outside[0]

    def emit_skip(
        self, at: At | None, stages: tuple[int, ...], named: tuple[int, ...], count: Count | None,
        absent: Label, lacking: Label, end: Label,
    ) -> None:  # fmt: skip
        """Write how a sentence is skipped: its names become absent, or nothing where they may be; then the next one
        follows.
        """
        self.at, self.stages = at, stages
        for label, find_value in ((absent, lambda slot: ABSENT), (lacking, self.find_skipped)):
            self.place_labels(label)
            values_of = {slot: find_value(slot) for slot in named}
            for value in dict.fromkeys(values_of.values()):
                slots = tuple(slot for slot in named if values_of[slot] == value)
                self.emit(flow.name_slots, slots, self.constant(value))
            self.emit_count(count)
            self.emit(values.jump, end)

    def emit_heard(self, text: ir.Expr | None, to: ir.Expr | None = None) -> None:
        """Let who watches notice what is said, with the values in it; what asks something of nothing is not said."""
        if self.tables.marks is None or text is None:
            return
        before, outside, end = self.top, self.trap, Label()
        self.trap = end
        self.emit(watching.hear, self.lower_optional(to))
        for part in text.parts if isinstance(text, ir.Joined) else (text,):
            value = lower_expr(self, part) if is_expression(part) else self.constant(part)
            site = self.tables.marks.told.get(part.at) if is_expression(part) else None
            if site is not None:
                self.emit(watching.note_value, value, site)
            self.emit(watching.hear, value)
        self.top, self.trap = before, outside
        self.place_labels(end)

    def find_skipped(self, slot: int) -> Any:
        """Return the value of a name whose sentence asks something of nothing."""
        of = self.script.slots.types[slot]
        if isinstance(of, t.ListOf):
            return ()
        are_answers = isinstance(of, t.TableOf) and not t.has_numbers(of)
        return None if t.may_be_nothing(of) or are_answers or of == t.UNKNOWN else ABSENT

    def emit_settling(self, statement: ir.Statement) -> None:
        """Put in order what a sentence looks at in a pile that has no order yet."""
        for place, count in self.tables.looks.find_looks(statement):
            slot, total, end, outside = self.add_hidden(), self.add_hidden(), Label(), self.trap
            for guard in statement.guards:
                self.emit(values.jump_if_absent, guard, end)
            self.trap, before = end, self.top
            self.emit(chance.begin_settle, lower_expr(self, place), self.lower_optional(count), slot, total)
            self.emit(chance.settle_next, slot, total)
            self.trap, self.top = outside, before
            self.place_labels(end)

    def lower_statement(self, statement: ir.Statement) -> None:
        match statement:
            case (
                ir.Let() | ir.Move() | ir.MovePieces() | ir.Reveal() | ir.Cover() | ir.Show() | ir.EndStage()
                | ir.Eliminate()
            ):  # fmt: skip
                do, fields = _SIMPLE[type(statement)]
                parts = [getattr(statement, name) for name in fields]
                self.emit(do, *[lower_expr(self, part) if is_expression(part) else part for part in parts])
            case ir.Win(groups):
                self.emit(flow.win, in_a_row(self, groups), len(groups))
            case ir.Assign():
                self.lower_assign(statement)
            case ir.Draw() | ir.Deal():
                self.lower_draw(statement)
            case ir.Pass(place, step):
                self.emit(cards.pass_each, self.layout.place_of[place], step)
            case ir.Shuffle(place):
                slots = self.add_hidden(), self.add_hidden(True), self.add_hidden(True)
                self.emit(chance.begin_shuffle, lower_expr(self, place), *slots)
                self.emit(chance.shuffle_next, *slots)
            case ir.Roll(dice, state):
                left, rolled = self.add_hidden(True), self.add_hidden(True)
                self.emit(chance.begin_roll, lower_expr(self, dice), left, rolled)
                self.emit(chance.roll_next, left, rolled, self.layout.states[state], self.find_stream())
            case ir.PickRandom():
                self.lower_pick_random(statement)
            case ir.Swap(first, second):
                do = _SWAPS.get(sort_of(first.type), cards.swap_cards)
                self.emit(do, lower_expr(self, first), lower_expr(self, second))
            case ir.Arrange():
                self.lower_arrange(statement)
            case ir.Tell(to, question):
                self.emit_heard(question, to)
                self.emit(
                    memory.tell,
                    lower_expr(self, to),
                    lower_expr(self, question),
                    Asked(self.tables, self.script, statement),
                )
            case ir.Say(text, to):
                self.emit_heard(text, to)
                # It is left out if it asks something of nothing.
                self.emit(memory.say, self.add_piece(lambda: lower_in_words(self, text)), self.lower_optional(to))
            case ir.Choose() | ir.ChooseEach():
                self.lower_choose(statement)
            case ir.Menu():
                self.lower_menu(statement)
            case ir.Offer():
                self.lower_offer(statement)
            case ir.If(condition, then, otherwise):
                other, end = Label(), Label()
                count_answers(self, condition, statement.at, other, ("then", "else"), (then, otherwise))
                self.lower_block(then)
                if otherwise:
                    self.emit(values.jump, end)
                self.place_labels(other)
                self.lower_block(otherwise)
                self.place_labels(end)
            case ir.ForEach():
                self.lower_each(statement)
            case ir.Repeat(count, index):
                limit, at = self.add_hidden(), self.add_hidden()
                self.emit(flow.repeat, limit, at, self.lower_optional(count))
                again, exit = self.label_here(), Label()
                self.emit(flow.next_round, limit, at, exit)
                outside = self.counted
                self.counted = [*outside, *((limit, walked) for slot, walked in statement.unknown if slot == ir.WALKED)]
                self.emit_rounds(again, exit, statement.body, at, index)
                self.counted = outside
                self.emit(flow.clear, (limit, at))
            case ir.Iterate():
                self.lower_iterate(statement)
            case ir.Stage():
                self.lower_stage(statement)
            case ir.Leave(skip, depth):
                loop = self.loops[-1 - depth]
                if inside := tuple(reversed(self.stages[loop.stages :])):
                    self.emit(flow.leave_stages, inside)
                self.emit(values.jump, loop.again if skip else loop.exit)
            case ir.Return(value):
                self.emit(flow.leave, self.lower_optional(value), tuple(reversed(self.stages)))
            case ir.DoRule(script, arguments, slot):
                self.emit(flow.call, self.indexes[script], self.lower_given(arguments), len(arguments), slot)
                self.note_unknown(statement, len(self.steps), arguments)
            case ir.DoHook():
                self.lower_do_hook(statement)
            case _:
                assert_never(statement)

    def lower_assign(self, statement: ir.Assign) -> None:
        target = statement.target
        do: Callable[..., int | None]
        match target:
            case ir.TableMemory(name):
                memory_slot, player = self.layout.memory[name], None
            case ir.PlayerMemory(name, owner):
                memory_slot, player = self.layout.player_memory[name], lower_expr(self, owner)
            case ir.State(name, card):
                do = memory.explain_state if statement.explains else memory.set_state
                of = lower_expr(self, card)
                self.emit(do, self.layout.states[name], of, self.lower_assigned(statement))
                return
            case _:
                assert_never(target)
        do = memory.explain_memory if statement.explains else memory.set_memory
        self.emit(do, memory_slot, player, self.lower_assigned(statement))

    def lower_assigned(self, statement: ir.Assign) -> Label | int:
        """The value: a piece where its lines are told, else a register."""
        return self.make_piece(statement.value) if statement.explains else lower_expr(self, statement.value)

    def lower_given(self, arguments: tuple[ir.Expr, ...]) -> int:
        """The first register of what a script is given, all of which must be there: no script runs about nothing."""
        first = in_a_row(self, arguments)
        for register, argument in enumerate(arguments, first):
            if t.may_be_nothing(argument.type):
                self.emit(values.jump_if_nothing, register, self.trap)
        return first

    def lower_do_hook(self, statement: ir.DoHook) -> None:
        codes = tuple(None if name is None else self.indexes[name] for name in self.tables.by_object(statement.hook))
        if statement.stand_in is None:
            target = first = self.lower_given((statement.target, *statement.arguments))
        else:
            target = lower_expr(self, statement.target)
            first = self.lower_given((statement.stand_in, *statement.arguments))
        if self.tables.probes is not None:
            self.emit(flow.count_object, target, self.tables.object_counts(statement.hook))
        self.emit(flow.call_hook, codes, target, first, 1 + len(statement.arguments), statement.slot)
        self.note_unknown(statement, len(self.steps), (statement.stand_in or statement.target, *statement.arguments))

    # ── chance ──

    def lower_draw(self, statement: ir.Draw | ir.Deal) -> None:
        slots = self.add_hidden(), self.add_hidden(), self.add_hidden(), self.add_hidden(True)
        count, source = lower_expr(self, statement.count), lower_expr(self, statement.source)
        if isinstance(statement, ir.Draw):
            self.emit(chance.begin_draw, count, source, lower_expr(self, statement.goal), *slots)
            how = statement.end, statement.face, statement.slot, statement.many, How.DRAW.value
        else:
            self.emit(chance.begin_deal, count, source, self.layout.place_of[statement.place], *slots)
            how = "", "", None, False, How.DEAL.value
        self.emit(chance.draw_next, *slots, *how)

    def find_stream(self) -> int:
        """The random stream of this script, or the one for scripts that are not the rulebook's own."""
        slots = self.layout.script_stream
        return slots.get(self.script.name, slots[CALLS])

    def lower_pick_random(self, statement: ir.PickRandom) -> None:
        count, names, of = statement.count, statement.slots, item_of(statement.source.type)
        with_cards = holds_cards(of)
        slots = self.add_hidden(with_cards), self.add_hidden(), self.add_hidden(with_cards)
        wanted = self.constant(len(names)) if count is None else lower_expr(self, count)
        self.emit(chance.begin_pick, lower_expr(self, statement.source), wanted, *slots)
        called = " and ".join(dict.fromkeys(self.script.slots.names[slot] for slot in names))
        how = names, count is not None, sort_of(of), self.find_stream()
        self.emit(chance.pick_next, *slots, *how, called, statement.picker)

    # ── flow ──

    def lower_each(self, statement: ir.ForEach) -> None:
        items, at = self.add_hidden(holds_cards(statement.list.type)), self.add_hidden()
        self.emit(values.copy, items, lower_expr(self, statement.list))
        self.emit(lists.walk, items, at)
        again, exit = self.label_here(), Label()
        if statement.players:
            among = self.gone_round(statement, items)
            self.emit(lists.next_player, items, at, statement.slot, exit, ir.are_playing(statement.list), among)
        else:
            self.emit(lists.next_member, items, at, statement.slot, exit)
        outside, self.walks = self.walks, [*self.walks, *self.walk(statement, items, at)]
        self.emit_rounds(again, exit, statement.body, at, statement.index)
        self.walks = outside
        self.emit(flow.clear, (items, at))

    def gone_round(self, statement: ir.ForEach, items: int) -> Any:
        """For players who share a device, whom it goes to in turn, those too whom a secret keeps out of the list; None
        where nobody is asked quietly. `items` is the local that holds the list while it is gone through.
        """
        if not _asks_quietly(self.tables, statement.body):
            return None
        self.sure = frozenset()  # it is read again when the block may have made names absent
        return self.make_piece(_strip_filters(statement.list)) if statement.secret else self.add_piece(lambda: items)

    def emit_rounds(self, again: Label, exit: Label, body: ir.Block, at: int, index: int | None) -> None:
        """The rounds of a loop."""
        self.emit_round(Loop(again, exit, len(self.stages)), body, at, index)
        self.emit(values.jump, again)
        self.place_labels(exit)

    def emit_round(self, loop: Loop, body: ir.Block, at: int, index: int | None) -> None:
        """One round of a loop, up to its end."""
        if index is not None:
            self.emit(values.copy, index, at)
        self.loops.append(loop)
        self.emit_count(self.find_counter("round", block=body))
        self.lower_block(body)
        self.loops.pop()

    def lower_iterate(self, statement: ir.Iterate) -> None:
        """A loop whose name moves on: what follows is asked behind each round."""
        limit, at, behind, exit = self.add_hidden(), self.add_hidden(), Label(), Label()
        hidden = [limit, at]
        self.lower_next(statement.slot, statement.first, exit)
        self.emit(flow.repeat, limit, at, None)
        again = self.label_here()
        self.emit(flow.next_round, limit, at, exit)
        self.trap, self.sure = exit, frozenset()  # what follows is asked when the block may have made names absent
        if statement.first.type == t.PLAYER:
            hidden += self.pass_over(statement, exit)
        self.emit_round(Loop(behind, exit, len(self.stages)), statement.body, at, statement.index)
        self.place_labels(behind)
        self.lower_next(statement.slot, statement.next, exit)
        self.emit(values.jump, again)
        self.place_labels(exit)
        self.emit(flow.clear, tuple(hidden))

    def lower_next(self, slot: int, value: ir.Expr, exit: Label) -> None:
        """Give the name of a loop its next value; without one, the loop is over."""
        before, register = self.top, lower_expr(self, value)
        if t.may_be_nothing(value.type):
            self.emit(values.jump_if_nothing, register, exit)
        self.emit(flow.let, slot, register)
        self.top = before

    def pass_over(self, statement: ir.Iterate, exit: Label) -> tuple[int, int]:
        """Move on from players who are out; whoever asks for more than there are seats only comes round again."""
        limit, at, there, before = self.add_hidden(), self.add_hidden(), Label(), self.top
        self.emit(flow.repeat, limit, at, self.constant(self.layout.players))
        again = self.label_here()
        self.emit(flow.next_round, limit, at, exit)
        name = ir.Local(statement.slot, self.names[statement.slot], type=t.PLAYER)
        playing = ir.Within(name, ir.Seats(False, type=t.ListOf(t.PLAYER)), type=t.YES_NO)
        self.emit(values.jump_if, lower_expr(self, playing), there)
        self.top = before
        self.lower_next(statement.slot, statement.next, exit)
        self.emit(values.jump, again)
        self.place_labels(there)
        return limit, at

    def lower_stage(self, statement: ir.Stage) -> None:
        index, exit = len(self.stage_table), Label()
        self.sure = frozenset()  # it is asked again when its block may have made names absent
        title, until = self.make_shown_piece(statement.title), None
        if statement.until is not None:
            until = self.add_piece(lambda: self.lower_until(statement))
        self.stage_table.append((statement.name, title, until, exit, self.add_kept(statement.name)))
        self.emit(flow.enter_stage, index)
        self.stages, outside = (*self.stages, index), self.untils
        if statement.until is not None:
            reads_names = any(isinstance(node, ir.Local) for node in nodes(statement.until))
            self.untils = [*outside, (index, reads_names)]
        self.lower_block(statement.body)
        self.emit(flow.leave_stages, (index,))
        self.stages, self.untils = self.stages[:-1], outside
        self.place_labels(exit)

    def add_kept(self, stage: str) -> tuple[int, ...]:
        """Add the locals that keep what lasts as long as a stage while one of its name stands within it."""
        if stage not in _list_nested_stages(self.tables):
            return ()
        lasting = find_lasting(self.layout, stage)
        kept = [self.add_hidden(is_of_cards(memory.sort)) for memory in lasting.memories]
        for state in lasting.states:
            # What lies on top for all to see belongs to where the card lies, the face to the card.
            kept += [self.add_hidden(not state.with_face), self.add_hidden(is_of_cards(state.sort))]
        return tuple(kept)

    def lower_until(self, statement: ir.Stage) -> int:
        """The condition on which a stage ends, which tells when it is met."""
        assert statement.until is not None
        expr = lower_expr(self, statement.until)
        count = self.find_counter("until", at=statement.until.at)
        if count is not None:
            self.emit(flow.count_answer, expr, count, None)
        return expr

    # ── choices, menus, windows ──

    def lower_choose(self, statement: ir.Choose | ir.ChooseEach) -> None:
        told_to = "chooser" if statement.secretly else "everyone"
        picks = tuple(self.make_pick(pick, statement.always) for pick in statement.picks)
        parts: dict[str, Any] = {"may": statement.may, "told_to": told_to}
        if isinstance(statement, ir.ChooseEach):
            who = self.make_piece(statement.players)
            parts |= {"sealed": True, "decider": statement.slot}
        else:
            who = self.make_piece(statement.player)
        otherwise = self.emit_decision(statement, who, *picks, **parts)
        taken = (isinstance(statement, ir.Choose) and statement.taken) or ()
        self.emit_count(self.find_counter("chosen", block=taken))
        if isinstance(statement, ir.Choose):
            self.count_chosen(statement.picks)
        self.lower_block(taken)
        self.emit_otherwise(otherwise, statement.otherwise, statement.may and isinstance(statement, ir.Choose))

    def count_chosen(self, picks: tuple[ir.Pick, ...]) -> None:
        """Tell, behind a choice, from which of its lists the answer came, and which written word it is."""
        if self.tables.probes is None:
            return
        for pick in picks:
            for source in pick.sources:
                at, words = source.list.at or self.at, list_texts(source)
                if len(pick.sources) > 1 and not words:
                    count = self.find_counter("source", at.span.text if at is not None else "", at=at)
                    if count is not None:
                        self.emit(flow.count_choice, pick.slot, self.make_piece(source.list), count)
                for written in words:
                    count = self.find_counter("word", written, at=at)
                    if count is not None:
                        self.emit(flow.count_word, pick.slot, written, count)

    def emit_decision(
        self, statement: ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange, deciders: Any,
        *picks: Pick, may: bool = False, sealed: bool = False, decider: int | None = None, told_to: str = "everyone",
    ) -> Label:  # fmt: skip
        """Write the decision; the label is where it goes when nothing is chosen."""
        choice = self.make_choice(
            statement, deciders, *picks, may=may, sealed=sealed, decider=decider, told_to=told_to
        )
        return self.emit_choice(statement, choice)

    def make_choice(
        self, statement: ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange, deciders: Any,
        *picks: Pick, may: bool, sealed: bool, decider: int | None, told_to: str,
    ) -> Choice:  # fmt: skip
        prompt = None if isinstance(statement, ir.Arrange) else statement.prompt
        if not isinstance(statement, ir.ChooseEach | ir.Offer):
            self.emit_heard(prompt)
        return Choice(
            deciders=deciders,
            sealed=sealed,
            decider=decider,
            may=may,
            told=told_to,
            quiet=statement.quiet,
            veiled=statement.veiled,
            prompt=self.make_shown_piece(prompt),
            picks=picks,
            asked=word_asked(statement),
        )

    def emit_choice(
        self, statement: ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange, choice: Choice
    ) -> Label:
        otherwise = Label()
        who = (statement.player,) if isinstance(statement, ir.Choose | ir.Menu | ir.Arrange) else ()
        self.note_unknown(statement, len(self.steps), who)
        self.emit(asking.choose, choice, otherwise)
        return otherwise

    def note_unknown(self, statement: ir.Statement, pc: int, named: tuple[ir.Expr, ...]) -> None:
        """Note what not everybody knows while the game waits at a step."""
        slots = tuple(expr.slot if isinstance(expr, ir.Local) else None for expr in named)
        unknown = tuple(local for local in statement.unknown if local[0] != ir.WALKED)
        is_any = unknown or self.counted or self.walks or any(slot is not None for slot in slots)
        if is_any and self.tables.marks is None:  # nobody imagines a game that is only watched
            self.unknown[pc] = Unknown((*unknown, *self.counted), tuple(self.walks), slots)

    def walk(self, statement: ir.ForEach, listed: int, at: int) -> list[Walk]:
        """Note what a loop goes through, if not everybody knows it."""
        return [
            Walk(listed, at, statement.slot, self.make_piece(statement.list), 0, knowers)
            for slot, knowers in statement.unknown
            if slot == ir.WALKED
        ]

    def emit_otherwise(self, otherwise: Label, block: ir.Block | None, may: bool) -> None:
        end, count = Label(), self.find_counter_of_no_choice(block, may)
        if block or count is not None:
            self.emit(values.jump, end)
        self.place_labels(otherwise)
        self.emit_count(count)
        self.lower_block(block or ())
        self.place_labels(end)

    def find_counter_of_no_choice(self, block: ir.Block | None, may: bool) -> Count | None:
        """Return the coverage counter of the branch in which nothing is chosen; None where a choice must be made."""
        return self.find_counter("not chosen", block=block or ()) if block is not None or may else None

    def make_pick(self, pick: ir.Pick, always: bool) -> Pick:
        return Pick(
            slot=pick.slot,
            name=pick.name,
            many=pick.many,
            least=self.make_piece(pick.least),
            most=self.make_piece_or_none(pick.most),
            ordered=pick.ordered,
            sources=tuple(self.make_source(source, pick.slot) for source in pick.sources),
            so_that=self.make_piece_or_none(pick.so_that),
            reasons=None if pick.so_that is None else self.make_reasons(pick.so_that, pick.slot),
            folds=self.make_folds(pick),
            line=pick.line,
            always=always,
        )

    def make_folds(self, pick: ir.Pick) -> tuple[tuple[str, Any], ...] | None:
        """Write the folds of a set's condition, each as a piece; None if it may ask for more than folds."""
        if not pick.many or pick.so_that is None:
            return None
        folds = find_folds(self, pick.so_that, pick.slot)
        return None if folds is None else tuple((fold, self.add_piece(write)) for fold, write in folds)

    def make_reasons(self, condition: ir.Expr, slot: int) -> Reasons:
        condition = self.tables.as_told(condition)
        return Reasons(self.tables, self.script.slots, self.script.parameters, condition, slot)

    def make_source(self, source: ir.Source, slot: int) -> Source:
        """Make a list to choose from. Of what a question lists, too, it is known why something is not in it."""
        sort, listed = sort_of(item_of(source.list.type)), source.list
        sort = source.sort if sort == "any" else sort
        condition: ir.Expr | None = None
        if isinstance(listed, ir.Filter):
            condition, slot, listed = listed.condition, listed.slot, listed.list
        is_asked = isinstance(listed, ir.CallValue | ir.BuiltIn) and sort == "card"
        if is_asked:
            within = ir.Within(ir.Local(slot, "it", type=item_of(listed.type)), listed, type=t.YES_NO)
            condition = within if condition is None else ir.And(within, condition, type=t.YES_NO)
        more: dict[str, Any] = {}
        if condition is not None:
            reasons = self.make_reasons(condition, slot)
            more = {"everything": self.make_piece(listed), "is_asked": is_asked, "slot": slot, "reasons": reasons}
        self.tells_texts_apart |= sort == "text"
        return Source(list=self.make_piece(source.list), sort=sort, shown=source.shown, **more)

    def make_menu_pick(self, options: tuple[ir.Option, ...], slot: int, always: bool = False) -> Pick:
        """The pick of a menu: the number of one of its options whose condition holds."""
        source = Source(
            list=self.add_piece(lambda: self.emit_open_options(options)),
            sort="label",
            labels=tuple(self.make_label(option.label) for option in options),
            written=tuple(label_text(option.label) for option in options),
        )
        return self.pick_from(source, slot, always=always)

    def emit_open_options(self, options: tuple[ir.Option, ...]) -> int:
        """The numbers of the options whose condition holds."""
        if all(option.condition is None for option in options):
            return self.constant(tuple(range(len(options))))
        target, always = self.add_registers(), self.constant(True)
        self.emit(lists.open_list, target)
        for number, option in enumerate(options):
            offered = always
            if option.condition is not None:
                offered = aside(self, option.condition)
                # That it was offered is told when it is chosen.
                count = self.find_counter("no", label_text(option.label), at=option.condition.at)
                if count is not None:
                    self.emit(flow.count_answer, offered, None, count)
            behind = Label()
            self.emit(lists.keep, target, self.constant(number), offered, behind)
            self.place_labels(behind)
        self.emit(lists.close_list, target)
        return target

    def pick_from(
        self, source: Source, slot: int, least: Callable[[], int] | None = None, is_many: bool = False,
        always: bool = False,
    ) -> Pick:  # fmt: skip
        """A pick without a name: of one thing, or of `many` in order."""
        single = self.add_piece(lambda: self.constant(1))
        return Pick(
            slot=slot, name="", many=is_many, least=single if least is None else self.add_piece(least),
            most=None if is_many else single, ordered=is_many, sources=(source,), so_that=None, always=always,
        )  # fmt: skip

    def lower_menu(self, statement: ir.Menu) -> None:
        slot, player = self.add_hidden(), self.make_piece(statement.player)
        always = statement.always or (statement.is_button and self.tables.has_buttons)
        pick = self.make_menu_pick(statement.options, slot, always)
        otherwise = self.emit_decision(statement, player, pick, may=statement.may)
        self.lower_options(slot, statement.options)
        self.emit_otherwise(otherwise, statement.otherwise, statement.may)

    def lower_options(self, slot: int, options: tuple[ir.Option, ...]) -> None:
        """The block of the option whose number stands in the local; then on behind all of them."""
        end, starts = Label(), tuple(Label() for _ in options)
        self.emit(flow.switch, slot, starts)
        for start, option in zip(starts, options, strict=True):
            self.place_labels(start)
            self.emit_count(self.find_counter("option", label_text(option.label), option.body, option.label.at))
            self.lower_block(option.body)
            self.emit(values.jump, end)
        self.place_labels(end)

    def lower_offer(self, statement: ir.Offer) -> None:
        """A window: everyone of a list may take an option; `stop` closes it."""
        items, at = self.add_hidden(), self.add_hidden()
        self.emit(values.copy, items, lower_expr(self, statement.players))
        self.emit(lists.walk, items, at)
        self.sure = frozenset()  # options are read again when the block of one may have made names absent
        taker, pick = statement.slot, self.make_window_pick(statement)
        if statement.together:
            # All are asked, sealed; then the blocks of those who took it run, in the order of the list.
            everyone = self.add_piece(lambda: items)
            choice = self.make_choice(
                statement, everyone, pick, may=True, sealed=True, decider=taker, told_to="later"
            )
            nobody = self.emit_choice(statement, choice)
            answers, chosen = pick.slot, self.add_hidden()
            if statement.picks:
                answers, chosen = self.add_hidden(pick.holds_cards), pick.slot
                self.emit(asking.share_out, answers, pick.slot, items, choice)
                self.emit(flow.clear, (pick.slot,))
            again, end = self.label_here(), Label()
            self.emit(lists.next_player, items, at, taker, end, True, None)
            self.emit_announced(statement, answers, chosen, choice, again)
            # Of each who has answered, nobody else knows it before their turn.
            walks, self.walks = self.walks, [*self.walks, Walk(items, at, answers, None, len(statement.options), ())]
            self.lower_taken(statement, chosen, again, end)
            self.walks = walks
            self.emit(values.jump, again)
        else:
            # One after the other is asked; the first who takes closes the window.
            again, nobody, end = self.label_here(), Label(), Label()
            self.emit(lists.next_player, items, at, taker, nobody, True, None)
            outside, self.trap = self.trap, again
            passed = self.emit_decision(statement, self.add_piece(lambda: taker), pick, may=True)
            self.trap = outside
            self.lower_taken(statement, pick.slot, again, end)
            self.emit(values.jump, end)
            self.place_labels(passed)
            self.emit(values.jump, again)
        self.place_labels(nobody)
        self.emit_count(self.find_counter_of_no_choice(statement.otherwise, may=True))
        self.lower_block(statement.otherwise or ())
        self.place_labels(end)
        self.emit(flow.clear, (items, at))

    def make_window_pick(self, statement: ir.Offer) -> Pick:
        """Make what whoever takes a window picks: a thing, or the number of a label."""
        if statement.picks:
            return self.make_pick(statement.picks[0], always=False)
        return self.make_menu_pick(statement.options, self.add_hidden())

    def emit_announced(self, statement: ir.Offer, answers: int, chosen: int, choice: Choice, again: Label) -> None:
        """Tell what the taker has chosen; go on with the next player if they did not, or may not any more."""
        if statement.picks:
            self.emit(asking.announce_thing, answers, statement.slot, chosen, choice, again)
            return
        window = Window(
            conditions=tuple(self.make_piece_or_none(option.condition) for option in statement.options),
            labels=tuple(self.make_label(option.label) for option in statement.options),
            quiet=statement.quiet,
        )
        self.emit(asking.announce_taken, answers, statement.slot, chosen, window, again)

    def lower_taken(self, statement: ir.Offer, slot: int, again: Label, end: Label) -> None:
        """The blocks of a window, in which `skip` goes to the next player and `stop` behind it."""
        self.loops.append(Loop(again, end, len(self.stages)))
        if statement.picks:
            self.emit_count(self.find_counter("chosen", block=statement.body))
            self.count_chosen(statement.picks)
            self.lower_block(statement.body)
        else:
            self.lower_options(slot, statement.options)
        self.loops.pop()

    def lower_arrange(self, statement: ir.Arrange) -> None:
        order = self.add_hidden(cards=True)
        pick = self.pick_from(
            Source(list=self.make_piece(statement.cards), sort="card"),
            order,
            least=lambda: self.emit_count_of(statement.cards),
            is_many=True,
        )
        otherwise = self.emit_decision(statement, self.make_piece(statement.player), pick)
        self.emit(cards.arrange, lower_expr(self, statement.cards), order)
        self.place_labels(otherwise)

    def emit_count_of(self, expr: ir.Expr) -> int:
        """Write the count of a list; return its register."""
        register = self.add_registers()
        self.emit(lists.count_list, register, aside(self, expr))
        return register


# ── what a statement binds and looks at ──────────────────────────────────────────────────────────


def item_of(of: t.Type) -> t.Type:
    """The type of what stands in a list."""
    of = t.surely(of)
    return of.item if isinstance(of, t.ListOf | t.TableOf) else of


def _find_all_names(statement: ir.Sentence | ir.Block) -> tuple[int, ...]:
    """Return all slots that become absent when statements are skipped: those that they and their blocks bind."""
    inside = (node for node in nodes(statement) if isinstance(node, ir.Sentence))
    return tuple(dict.fromkeys(slot for node in inside for slot in ir.find_bound(node)))


# ── who is asked without the others noticing ─────────────────────────────────────────────────────


def _asks_quietly(tables: Tables, block: ir.Block) -> bool:
    """Tell whether somebody may be asked quietly in a block, or in what it does."""
    if tables.quiet_scripts is None:
        tables.quiet_scripts = _quiet_scripts(tables.rulebook)
    inside = statements(block)
    return any(map(_is_quiet, inside)) or not tables.quiet_scripts.isdisjoint(_list_rules_done(tables.rulebook, inside))


def _quiet_scripts(rulebook: ir.Rulebook) -> frozenset[str]:
    """The scripts in which somebody may be asked quietly, or in those that they do, and so on."""
    inside = {name: statements(script.body) for name, script in rulebook.scripts.items()}
    quiet = {name for name, block in inside.items() if any(map(_is_quiet, block))}
    done = {name: _list_rules_done(rulebook, block) for name, block in inside.items()} if quiet else {}
    while more := {name for name, others in done.items() if name not in quiet and not quiet.isdisjoint(others)}:
        quiet |= more
    return frozenset(quiet)


# ── stages within stages of the same name ────────────────────────────────────────────────────────


def _list_nested_stages(tables: Tables) -> frozenset[str]:
    """Return the names of stages that may stand within one of their own name."""
    if tables.nested_stages is None:
        tables.nested_stages = _find_nested_stages(tables.rulebook)
    return tables.nested_stages


def _find_nested_stages(rulebook: ir.Rulebook) -> frozenset[str]:
    inside = {name: statements(script.body) for name, script in rulebook.scripts.items()}
    begun = {name: {inner.name for inner in block if isinstance(inner, ir.Stage)} for name, block in inside.items()}
    lasting = {slot.lasts for slot in rulebook.memories.values()} | {state.lasts for state in rulebook.states.values()}
    if not lasting & set().union(*begun.values()):
        return frozenset()
    done = {name: _list_rules_done(rulebook, block) for name, block in inside.items()}
    more = True
    while more:
        more = False
        for name, others in done.items():
            through = set[str]().union(*(begun.get(other, set()) for other in others))
            more = more or not through <= begun[name]
            begun[name] |= through
    nested = set[str]()
    for block in inside.values():
        for stage in block:
            if isinstance(stage, ir.Stage) and stage.name in lasting:
                within = statements(stage.body)
                names = {inner.name for inner in within if isinstance(inner, ir.Stage)}
                names = names.union(*(begun.get(other, set()) for other in _list_rules_done(rulebook, within)))
                nested |= names & {stage.name}
    return frozenset(nested)


def _is_quiet(sentence: ir.Statement) -> bool:
    return isinstance(sentence, ir.Asking) and sentence.quiet


def _list_rules_done(rulebook: ir.Rulebook, block: list[ir.Statement]) -> set[str]:
    """List the scripts that these statements do."""
    names: set[str] = set()
    for statement in block:
        match statement:
            case ir.DoRule(script):
                names.add(script)
            case ir.DoHook(hook):
                names.update(rulebook.hooks.get(hook, {}).values())
    return names


def _strip_filters(list: ir.Expr) -> ir.Expr:
    """Strip a list of its filters: everybody of whom some are kept out, in the same order."""
    match list:
        case ir.Filter() | ir.Best():
            return _strip_filters(list.list)
        case ir.Ordering():
            return evolve(list, list=_strip_filters(list.list))
    return list
