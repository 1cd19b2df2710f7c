"""Scripts become code: a flat tuple of ops with jumps.

In: the tables, the index of each script's code, and an `ir.Script`. Out: a `Code`. Never: changes the tables; runs.

One case for each statement of the language; `stop`, `skip` and `return` are settled here, where it is known which loops
and stages they leave.
"""

from __future__ import annotations

from typing import assert_never

from rulebook.dsl import ir
from rulebook.dsl.walk import nodes
from rulebook.interpreter import ops as p
from rulebook.interpreter.lowering.cards import CardWriter
from rulebook.interpreter.lowering.choices import ChoiceWriter
from rulebook.interpreter.lowering.probes import both, comes_true, of_objects
from rulebook.interpreter.lowering.quietly import gone_round
from rulebook.interpreter.lowering.tables import Tables, holds_cards, sort_of
from rulebook.interpreter.lowering.writer import Guard, Label, Loop
from rulebook.interpreter.program import Code, StageCode


def code(tables: Tables, script: ir.Script, indexes: dict[str, int]) -> Code:
    """The code of one script; `indexes` is where the code of each rule is found."""
    inside = [node for node in nodes(script.body) if isinstance(node, ir.Sentence)]
    tables.absent = frozenset(slot for one in inside for slot in binds(one))
    try:
        return _ScriptWriter(tables, script, indexes).code()
    finally:
        tables.absent = frozenset()


class _ScriptWriter(CardWriter, ChoiceWriter):
    def code(self) -> Code:
        self.tell(self.count("script", self.script.name, self.script.body))
        self.block(self.script.body)
        self.emit(lambda: p.Return(value=None, stages=()))
        script = self.script
        return Code(
            name=script.name,
            parameters=script.parameters,
            size=self.size,
            hook=script.hook,
            ops=tuple(op() for op in self.ops),
            stages=tuple(self.stages_at),
            stage_table=tuple(self.stage_code(stage, exit) for stage, exit in self.stage_table),
            names=script.slots.names,
            card_slots=tuple(self.card_slots),
            scratch=self.scratch(),
            ats=tuple(self.ats),
            begins=self.begins,
        )

    def scratch(self) -> tuple[int, ...]:
        """The locals that only formulas use: `it` of each `where`, and the like."""
        through = (ir.Filter, ir.Each, ir.Sorted, ir.Best)
        inside = list(nodes(self.script.body))
        used = {node.slot for node in inside if isinstance(node, through)}
        bound = {slot for node in inside if isinstance(node, ir.Sentence) for slot in binds(node)}
        return tuple(sorted(used - bound - set(range(self.script.parameters))))

    def stage_code(self, stage: ir.Stage, exit: Label) -> StageCode:
        title = None if stage.title is None else self.shown(stage.title)
        until = self.maybe(stage.until)
        if stage.until is not None and until is not None:
            until = comes_true(self.tables.probes, until, stage.until.at)
        return StageCode(stage.name, title, until, exit.pc)

    def sentence(self, statement: ir.Statement) -> None:
        outside, self.at = self.at, statement.at or self.at
        end = Label()
        guard = Guard(statement.guards, end, _all_binds(statement))
        self.tell(self.count("sentence"))
        looks = len(self.ops)
        self.look(statement, guard)
        self.begins[id(statement)] = looks, len(self.ops)
        self.write(statement, guard)
        self.skipped(end)
        self.at = outside

    def write(self, statement: ir.Statement, guard: Guard) -> None:
        match statement:
            case ir.Let(local, value):
                let = self.formula(value)
                self.emit(lambda: p.Let(slot=local, value=let, **guard()))
            case ir.Assign():
                self.assign(statement, guard)
            case ir.Move(cards, goal, end, face):
                moved, to = self.formula(cards), self.formula(goal)
                self.emit(lambda: p.Move(cards=moved, goal=to, end=end, face=face, **guard()))
            case ir.MovePieces(count, source, goal):
                number, out, to = self.maybe(count), self.formula(source), self.formula(goal)
                self.emit(lambda: p.MovePieces(count=number, source=out, goal=to, **guard()))
            case ir.Draw() | ir.Deal():
                self.draw(statement, guard)
            case ir.Pass(place, step):
                places = self.layout.place_of[place]
                self.emit(lambda: p.PassEach(places=places, step=step, **guard()))
            case ir.Shuffle(place):
                self.shuffle(self.formula(place), guard)
            case ir.Roll():
                self.roll(statement, guard)
            case ir.PickRandom():
                self.pick_random(statement, guard)
            case ir.Swap(first, second):
                one, other, sort = self.formula(first), self.formula(second), sort_of(first.type)
                self.emit(lambda: p.Swap(first=one, second=other, sort=sort, **guard()))
            case ir.Arrange():
                self.arrange(statement, guard)
            case ir.Reveal(cards):
                shown = self.formula(cards)
                self.emit(lambda: p.Reveal(cards=shown, **guard()))
            case ir.Cover(cards):
                covered = self.formula(cards)
                self.emit(lambda: p.Cover(cards=covered, **guard()))
            case ir.Show(cards, to):
                shown, viewers = self.formula(cards), self.formula(to)
                self.emit(lambda: p.Show(cards=shown, to=viewers, **guard()))
            case ir.Tell(to, question):
                told, asked = self.formula(to), self.formula(question)
                words = question.at.span.text if question.at is not None else ""
                self.emit(lambda: p.Tell(to=told, question=asked, words=words, **guard()))
            case ir.Say(text, to):
                said, listeners = self.text(text), self.maybe(to)
                self.emit(lambda: p.Say(text=said, to=listeners, **guard()))
            case ir.Choose() | ir.ChooseEach():
                self.choose(statement, guard)
            case ir.Menu():
                self.menu(statement, guard)
            case ir.Offer():
                self.offer(statement, guard)
            case ir.If():
                self.when(statement, guard)
            case ir.ForEach():
                self.each(statement, guard)
            case ir.Repeat():
                self.repeat(statement, guard)
            case ir.Stage():
                self.stage(statement, guard)
            case ir.Leave(skip, depth):
                self.leave_loop(skip, depth)
            case ir.EndStage(name):
                self.emit(lambda: p.EndStage(name=name, **guard()))
            case ir.Return(value):
                answer, left = self.maybe(value), tuple(reversed(self.stages))
                self.emit(lambda: p.Return(value=answer, stages=left))
            case ir.DoRule(script, arguments, slot):
                given, index = self.several(arguments), self.indexes[script]
                self.emit(lambda: p.Call(code=index, arguments=given, slot=slot, **guard()))
            case ir.DoHook():
                self.hook(statement, guard)
            case ir.Win(players):
                winners = self.maybe(players)
                self.emit(lambda: p.Win(players=winners, **guard()))
            case ir.Eliminate(players):
                leaving = self.formula(players)
                self.emit(lambda: p.Eliminate(players=leaving, **guard()))
            case _:
                assert_never(statement)

    # ── flow ──

    def when(self, statement: ir.If, guard: Guard) -> None:
        otherwise, end = Label(), Label()
        blocks, words = (statement.then, statement.otherwise), ("then", "else")
        asked, about = self.formula(statement.condition), statement.condition.at
        condition = both(self.tables.probes, asked, statement.at, blocks, about=about, words=words)
        self.emit(lambda: p.Branch(condition=condition, otherwise=otherwise.pc, **guard()))
        self.block(statement.then)
        if statement.otherwise:
            self.emit(lambda: p.Jump(target=end.pc))
        self.mark(otherwise)
        self.block(statement.otherwise)
        self.mark(end)

    def each(self, statement: ir.ForEach, guard: Guard) -> None:
        several = self.formula(statement.list)
        items, at = self.hidden(holds_cards(statement.list.type)), self.hidden()
        self.emit(lambda: p.Walk(list=several, items=items, at=at, **guard()))
        slot, index, players = statement.slot, statement.index, statement.players
        again, exit, among = self.here(), Label(), gone_round(self.tables, statement, items, self.formula)
        self.emit(
            lambda: p.NextItem(items=items, at=at, slot=slot, index=index, players=players, among=among, exit=exit.pc)
        )
        self.rounds(again, exit, statement.body)

    def rounds(self, again: Label, exit: Label, body: ir.Block) -> None:
        self.loops.append(Loop(again, exit, len(self.stages)))
        self.tell(self.count("round", block=body))
        self.block(body)
        self.loops.pop()
        self.emit(lambda: p.Jump(target=again.pc))
        self.mark(exit)

    def repeat(self, statement: ir.Repeat, guard: Guard) -> None:
        count, limit, at, index = self.maybe(statement.count), self.hidden(), self.hidden(), statement.index
        self.emit(lambda: p.Repeat(count=count, limit=limit, at=at, **guard()))
        again, exit = self.here(), Label()
        self.emit(lambda: p.NextRound(limit=limit, at=at, index=index, exit=exit.pc))
        self.rounds(again, exit, statement.body)

    def leave_loop(self, skip: bool, depth: int) -> None:
        loop = self.loops[-1 - depth]
        left = tuple(reversed(self.stages[loop.stages :]))
        if left:
            self.emit(lambda: p.LeaveStages(stages=left))
        self.emit(lambda: p.Jump(target=(loop.again if skip else loop.exit).pc))

    def stage(self, statement: ir.Stage, guard: Guard) -> None:
        index, exit = len(self.stage_table), Label()
        self.stage_table.append((statement, exit))
        self.emit(lambda: p.EnterStage(stage=index, **guard()))
        self.stages.append(index)
        for inner in statement.body:
            self.sentence(inner)
            if statement.until is not None:
                self.emit(lambda: p.AskUntil(stage=index))
        self.emit(lambda: p.LeaveStages(stages=(index,)))
        self.stages.pop()
        self.mark(exit)

    def hook(self, statement: ir.DoHook, guard: Guard) -> None:
        given, stand_in = self.several(statement.arguments), self.maybe(statement.stand_in)
        slot, hook = statement.slot, statement.hook
        target = of_objects(self.tables.probes, self.formula(statement.target), self.tables.ids, hook)
        codes = tuple(None if name is None else self.indexes[name] for name in self.tables.by_object(hook))
        self.emit(
            lambda: p.CallHook(
                hook=hook, codes=codes, target=target, arguments=given, stand_in=stand_in, slot=slot, **guard()
            )
        )

    def assign(self, statement: ir.Assign, guard: Guard) -> None:
        value, explains = self.formula(statement.value), statement.explains
        match statement.target:
            case ir.TableMemory(name):
                memory = self.layout.memory[name]
                self.emit(lambda: p.SetMemory(memory=memory, player=None, value=value, explains=explains, **guard()))
            case ir.PlayerMemory(name, player):
                own, of = self.layout.player_memory[name], self.formula(player)
                self.emit(lambda: p.SetMemory(memory=own, player=of, value=value, explains=explains, **guard()))
            case ir.State(name, card):
                state, changed = self.layout.states[name], self.formula(card)
                self.emit(lambda: p.SetState(state=state, card=changed, value=value, explains=explains, **guard()))
            case _:
                assert_never(statement.target)


# ── what a statement binds and looks at ──────────────────────────────────────────────────────────


def binds(statement: ir.Sentence) -> tuple[int, ...]:
    """The locals that a statement itself names."""
    match statement:
        case ir.Let(slot) | ir.ForEach(slot) | ir.Offer(slot=slot):
            return (slot,)
        case ir.Draw(slot=int(slot)):
            return (slot,)
        case ir.PickRandom(slots):
            return slots
        case ir.Choose(picks=picks) | ir.ChooseEach(picks=picks):
            return tuple(pick.slot for pick in picks)
        case _:
            return ()


def _all_binds(statement: ir.Sentence) -> tuple[int, ...]:
    """What becomes absent when a statement is skipped: all that it and its blocks name, but no answer of a `do`."""
    inside = (node for node in nodes(statement) if isinstance(node, ir.Sentence))
    return tuple(dict.fromkeys(slot for node in inside for slot in binds(node)))
