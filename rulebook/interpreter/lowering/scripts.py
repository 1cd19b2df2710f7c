"""Scripts become code: a flat tuple of ops with jumps.

In: the tables, the index of each script's code, and an `ir.Script`. Out: a `Code`. Never: runs anything; reads an
option of a choice, which `choosing` does when the game runs.

`_Writer.write` has one case for each statement of the language. Where an op must know a place further down it is given
a `Label`, which has its number when the script is complete. A sentence that may meet chance is two ops: the first reads
everything into hidden locals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from attrs import define, evolve, frozen

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.syntax import At
from rulebook.dsl.walk import is_expression, nodes, statements
from rulebook.interpreter import ops as p
from rulebook.interpreter.layout import Layout
from rulebook.interpreter.lowering.expressions import formula, label_of, shown_of
from rulebook.interpreter.lowering.layout import CALLS
from rulebook.interpreter.lowering.probes import Count, both, chosen, comes_true, label_text, of_objects
from rulebook.interpreter.lowering.reasons import Reasons
from rulebook.interpreter.lowering.tables import Tables, holds_cards, sort_of
from rulebook.interpreter.ops import Env, Formula, Op
from rulebook.interpreter.program import Code, StageCode
from rulebook.interpreter.run import Run, there
from rulebook.interpreter.wording import label


def code(tables: Tables, script: ir.Script, indexes: dict[str, int]) -> Code:
    """The code of one script; `indexes` is where the code of each rule is found."""
    inside = [node for node in nodes(script.body) if isinstance(node, ir.Sentence)]
    tables.absent = frozenset(slot for one in inside for slot in binds(one))
    try:
        return _Writer(tables, script, indexes).code()
    finally:
        tables.absent = frozenset()


@define(eq=False)
class Label:
    """A place in the code that is being written."""

    pc: int = -1


@frozen(eq=False)
class Loop:
    """An `each`, `repeat`, `loop` or `offer` around what is being written, and how many stages were open outside it."""

    again: Label
    exit: Label
    stages: int


@frozen(eq=False)
class Guard:
    """What an op needs to know when its sentence is skipped."""

    guards: tuple[int, ...]
    skip: Label
    binds: tuple[int, ...]


_NO_GUARD = Guard((), Label(0), ())
_ALIKE: dict[type[ir.Sentence], type[Op]] = {
    ir.Let: p.Let, ir.Move: p.Move, ir.MovePieces: p.MovePieces, ir.Reveal: p.Reveal, ir.Cover: p.Cover,
    ir.Show: p.Show, ir.EndStage: p.EndStage, ir.Win: p.Win, ir.Eliminate: p.Eliminate,
}  # fmt: skip
"""Statements whose op has the same fields, with a formula for each expression."""


class _Writer:
    """One script that is being written."""

    def __init__(self, tables: Tables, script: ir.Script, indexes: dict[str, int]) -> None:
        self.tables, self.script, self.indexes = tables, script, indexes
        self.layout: Layout = tables.layout
        self.size = len(script.slots.names)
        self.card_slots = [slot for slot, of in enumerate(script.slots.types) if holds_cards(of)]
        self.ops: list[tuple[type[Op], dict[str, Any]]] = []
        self.stages_at: list[tuple[int, ...]] = []
        self.ats: list[Any] = []
        self.begins: dict[int, tuple[int, int]] = {}
        self.stage_table: list[tuple[ir.Stage, Label]] = []
        self.stages: list[int] = []
        self.loops: list[Loop] = []
        self.at: Any = script.at

    def code(self) -> Code:
        script = self.script
        self.tell(self.count("script", script.name, script.body))
        self.block(script.body)
        self.emit(p.Return, value=None, stages=())
        return Code(
            name=script.name,
            parameters=script.parameters,
            size=self.size,
            hook=script.hook,
            ops=tuple(kind(**{name: _resolved(value) for name, value in parts.items()}) for kind, parts in self.ops),
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
        inside = list(nodes(self.script.body))
        used = {node.slot for node in inside if isinstance(node, ir.Through)}
        return tuple(sorted(used - self.tables.absent - set(range(self.script.parameters))))

    def stage_code(self, stage: ir.Stage, exit: Label) -> StageCode:
        title = None if stage.title is None else self.shown(stage.title)
        until = self.maybe(stage.until)
        if stage.until is not None and until is not None:
            until = comes_true(self.tables.probes, until, stage.until.at)
        return StageCode(stage.name, title, until, exit.pc)

    # ── op by op ──

    def emit(self, op: type[Op], guard: Guard = _NO_GUARD, /, **parts: Any) -> None:
        """Write an op; labels among its parts are settled when the script is complete."""
        self.ops.append((op, {"guards": guard.guards, "skip": guard.skip, "binds": guard.binds, **parts}))
        self.stages_at.append(tuple(self.stages))
        self.ats.append(self.at)

    def mark(self, label: Label) -> None:
        label.pc = len(self.ops)

    def here(self) -> Label:
        return Label(len(self.ops))

    def hidden(self, cards: bool = False) -> int:
        """A new local that no script can name."""
        self.size += 1
        if cards:
            self.card_slots.append(self.size - 1)
        return self.size - 1

    def formula(self, expr: ir.Expr) -> Formula:
        return formula(self.tables, expr)

    def maybe(self, expr: ir.Expr | None) -> Formula | None:
        return None if expr is None else self.formula(expr)

    def several(self, exprs: tuple[ir.Expr, ...]) -> tuple[Formula, ...]:
        return tuple(map(self.formula, exprs))

    def shown(self, expr: ir.Expr) -> Formula:
        """What people read beside what happens: a question, the label of an option, the title of a stage."""
        return shown_of(self.tables, expr)

    # ── who looks on ──

    def count(self, what: str, text: str = "", block: ir.Block = (), at: At | None = None) -> Count | None:
        """What to call when this happens at the sentence that is being written, if anybody wants to know."""
        probes = self.tables.probes
        return None if probes is None else probes.point(at or self.at, what, text, block)

    def tell(self, count: Count | None) -> None:
        """Call that, here."""
        if count is not None:
            told = count
            self.emit(p.Probe, look=lambda run, env: told())

    def skipped(self, end: Label) -> None:
        """Tell, aside from what is written, that the sentence was skipped: `end` is where that goes."""
        count, behind = self.count("skipped"), Label()
        if count is not None:
            self.emit(p.Jump, target=behind)
        self.mark(end)
        self.tell(count)
        self.mark(behind)

    # ── statements ──

    def block(self, block: ir.Block) -> None:
        for statement in block:
            self.sentence(statement)

    def sentence(self, statement: ir.Statement) -> None:
        """Write one statement, with its blocks."""
        outside, self.at = self.at, statement.at or self.at
        guard = Guard(statement.guards, Label(), _all_binds(statement))
        self.tell(self.count("sentence"))
        start = len(self.ops)
        self.look(statement, guard)
        self.begins[id(statement)] = start, len(self.ops)
        self.write(statement, guard)
        self.skipped(guard.skip)
        self.at = outside

    def look(self, statement: ir.Statement, guard: Guard) -> None:
        """What a sentence looks at in a pile that has no order yet is put in order before."""
        for place, count in looks(statement):
            pile, number = self.formula(place), self.maybe(count)
            slot, total = self.hidden(), self.hidden()
            before = Guard(guard.guards, Label(0), ())
            self.emit(p.BeginSettle, before, place=pile, count=number, place_slot=slot, total=total)
            self.emit(p.SettleNext, place_slot=slot, total=total)

    def write(self, statement: ir.Statement, guard: Guard) -> None:
        match statement:
            case (
                ir.Let() | ir.Move() | ir.MovePieces() | ir.Reveal() | ir.Cover() | ir.Show() | ir.EndStage() | ir.Win()
                | ir.Eliminate()
            ):  # fmt: skip
                op = _ALIKE[type(statement)]
                given = {name: getattr(statement, name) for name in op.__annotations__}
                parts = {name: self.formula(one) if is_expression(one) else one for name, one in given.items()}
                self.emit(op, guard, **parts)
            case ir.Assign():
                self.assign(statement, guard)
            case ir.Draw() | ir.Deal():
                self.draw(statement, guard)
            case ir.Pass(place, step):
                self.emit(p.PassEach, guard, places=self.layout.place_of[place], step=step)
            case ir.Shuffle(place):
                slots = {"place_slot": self.hidden(), "left": self.hidden(True), "done": self.hidden(True)}
                self.emit(p.BeginShuffle, guard, place=self.formula(place), **slots)
                self.emit(p.ShuffleNext, **slots)
            case ir.Roll(dice):
                slots = {"left": self.hidden(True), "rolled": self.hidden(True)}
                self.emit(p.BeginRoll, guard, dice=self.formula(dice), **slots)
                self.emit(p.RollNext, state=self.layout.states[statement.state], stream=self.stream(), **slots)
            case ir.PickRandom():
                self.pick_random(statement, guard)
            case ir.Swap(first, second):
                parts = {"first": self.formula(first), "second": self.formula(second), "sort": sort_of(first.type)}
                self.emit(p.Swap, guard, **parts)
            case ir.Arrange():
                self.arrange(statement, guard)
            case ir.Tell(to, question):
                words = question.at.span.text if question.at is not None else ""
                self.emit(p.Tell, guard, to=self.formula(to), question=self.formula(question), words=words)
            case ir.Say(text, to):
                # It is left out if it asks something of nothing.
                self.emit(p.Say, guard, text=label_of(self.tables, text), to=self.maybe(to))
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
            case ir.Repeat(count, index):
                slots = {"limit": self.hidden(), "at": self.hidden()}
                self.emit(p.Repeat, guard, count=self.maybe(count), **slots)
                again, exit = self.here(), Label()
                self.emit(p.NextRound, index=index, exit=exit, **slots)
                self.rounds(again, exit, statement.body)
            case ir.Stage():
                self.stage(statement, guard)
            case ir.Leave(skip, depth):
                loop = self.loops[-1 - depth]
                if left := tuple(reversed(self.stages[loop.stages :])):
                    self.emit(p.LeaveStages, stages=left)
                self.emit(p.Jump, target=loop.again if skip else loop.exit)
            case ir.Return(value):
                self.emit(p.Return, value=self.maybe(value), stages=tuple(reversed(self.stages)))
            case ir.DoRule(script, arguments, slot):
                index = self.indexes[script]
                self.emit(p.Call, guard, code=index, arguments=self.several(arguments), slot=slot)
            case ir.DoHook(hook, target, arguments, stand_in, slot):
                asked = of_objects(self.tables.probes, self.formula(target), self.tables.ids, hook)
                codes = tuple(None if name is None else self.indexes[name] for name in self.tables.by_object(hook))
                parts = {"arguments": self.several(arguments), "stand_in": self.maybe(stand_in), "slot": slot}
                self.emit(p.CallHook, guard, hook=hook, codes=codes, target=asked, **parts)
            case _:
                assert_never(statement)

    def assign(self, statement: ir.Assign, guard: Guard) -> None:
        more = {"value": self.formula(statement.value), "explains": statement.explains}
        match statement.target:
            case ir.TableMemory(name):
                self.emit(p.SetMemory, guard, memory=self.layout.memory[name], player=None, **more)
            case ir.PlayerMemory(name, player):
                memory = self.layout.player_memory[name]
                self.emit(p.SetMemory, guard, memory=memory, player=self.formula(player), **more)
            case ir.State(name, card):
                self.emit(p.SetState, guard, state=self.layout.states[name], card=self.formula(card), **more)
            case _:
                assert_never(statement.target)

    # ── chance ──

    def draw(self, statement: ir.Draw | ir.Deal, guard: Guard) -> None:
        if isinstance(statement, ir.Draw):
            goal, each = self.formula(statement.goal), None
            more = {name: getattr(statement, name) for name in ("end", "face", "slot", "many")} | {"how": "draw"}
        else:
            goal, each = None, self.layout.place_of[statement.place]
            more = {"end": "", "face": "", "slot": None, "many": False, "how": "deal"}
        slots = {name: self.hidden() for name in ("source_slot", "goals", "total")} | {"taken": self.hidden(True)}
        count, source = self.formula(statement.count), self.formula(statement.source)
        self.emit(p.BeginDraw, guard, count=count, source=source, goal=goal, each=each, **slots)
        self.emit(p.DrawNext, **more, **slots)

    def stream(self) -> int:
        """The random stream of this script, or the one for scripts that are not the rulebook's own."""
        slots = self.layout.script_stream
        return slots.get(self.script.name, slots[CALLS])

    def pick_random(self, statement: ir.PickRandom, guard: Guard) -> None:
        count, names, of = self.maybe(statement.count), statement.slots, item_of(statement.source.type)
        cards = holds_cards(of)
        slots = {"left": self.hidden(cards), "total": self.hidden(), "picked": self.hidden(cards)}
        self.emit(p.BeginPick, guard, source=self.formula(statement.source), count=count, names=len(names), **slots)
        parts = {"sort": sort_of(of), "stream": self.stream()}
        self.emit(p.PickNext, slots=names, many=statement.count is not None, **parts, **slots)

    # ── flow ──

    def when(self, statement: ir.If, guard: Guard) -> None:
        otherwise, end = Label(), Label()
        blocks, words = (statement.then, statement.otherwise), ("then", "else")
        asked, about = self.formula(statement.condition), statement.condition.at
        condition = both(self.tables.probes, asked, statement.at, blocks, about=about, words=words)
        self.emit(p.Branch, guard, condition=condition, otherwise=otherwise)
        self.block(statement.then)
        if statement.otherwise:
            self.emit(p.Jump, target=end)
        self.mark(otherwise)
        self.block(statement.otherwise)
        self.mark(end)

    def each(self, statement: ir.ForEach, guard: Guard) -> None:
        slots = {"items": self.hidden(holds_cards(statement.list.type)), "at": self.hidden()}
        self.emit(p.Walk, guard, list=self.formula(statement.list), **slots)
        again, exit = self.here(), Label()
        parts = {"slot": statement.slot, "index": statement.index, "players": statement.players}
        self.emit(p.NextItem, exit=exit, among=self.gone_round(statement, slots["items"]), **parts, **slots)
        self.rounds(again, exit, statement.body)

    def gone_round(self, statement: ir.ForEach, items: int) -> Formula | None:
        """For players who share a device, whom it goes to in turn, those too whom a secret keeps out of the list; None
        where nobody is asked quietly. `items` is the local that holds the list while it is gone through.
        """
        if not statement.players or not _asks_quietly(self.tables, statement.body):
            return None
        return self.formula(_unfiltered(statement.list)) if statement.secret else lambda run, env: env[items]

    def rounds(self, again: Label, exit: Label, body: ir.Block) -> None:
        self.loops.append(Loop(again, exit, len(self.stages)))
        self.tell(self.count("round", block=body))
        self.block(body)
        self.loops.pop()
        self.emit(p.Jump, target=again)
        self.mark(exit)

    def stage(self, statement: ir.Stage, guard: Guard) -> None:
        index, exit = len(self.stage_table), Label()
        self.stage_table.append((statement, exit))
        self.emit(p.EnterStage, guard, stage=index)
        self.stages.append(index)
        for inner in statement.body:
            self.sentence(inner)
            if statement.until is not None:
                self.emit(p.AskUntil, stage=index)
        self.emit(p.LeaveStages, stages=(index,))
        self.stages.pop()
        self.mark(exit)

    # ── choices, menus, windows ──

    def choose(self, statement: ir.Choose | ir.ChooseEach, guard: Guard) -> None:
        told = "chooser" if statement.secretly else "everyone"
        picks = tuple(map(self.pick, statement.picks))
        if isinstance(statement, ir.ChooseEach):
            who = self.formula(statement.players)
            parts: dict[str, Any] = {"sealed": True, "decider": statement.slot}
        else:
            who, parts = self.formula(statement.player), {}
        otherwise = self.decide(statement, guard, who, *picks, may=statement.may, told=told, **parts)
        taken = (isinstance(statement, ir.Choose) and statement.taken) or ()
        self.tell(self.count("chosen", block=taken))
        if isinstance(statement, ir.Choose) and self.tables.probes is not None:
            # Whoever wants to know what runs also asks from which list an answer came.
            lists = {pick.slot: tuple(self.formula(source.list) for source in pick.sources) for pick in statement.picks}
            for look in chosen(self.tables.probes, statement, lists):
                self.emit(p.Probe, look=look)
        self.block(taken)
        self.close_choice(otherwise, statement.otherwise, statement.may and isinstance(statement, ir.Choose))

    def decide(
        self, statement: ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange, guard: Guard, deciders: Formula,
        *picks: p.Pick, may: bool = False, sealed: bool = False, decider: int | None = None, told: str = "everyone",
    ) -> Label:  # fmt: skip
        """Write the decision; the label is where it goes when nothing is chosen."""
        asked = None if isinstance(statement, ir.Arrange) else statement.prompt
        prompt, otherwise = None if asked is None else self.shown(asked), Label()
        parts = {"sealed": sealed, "decider": decider, "may": may, "told": told, "prompt": prompt, "picks": picks}
        parts |= {"quiet": statement.quiet, "veiled": statement.veiled}
        self.emit(p.Choose, guard, deciders=deciders, otherwise=otherwise, **parts)
        return otherwise

    def close_choice(self, otherwise: Label, block: ir.Block | None, may: bool) -> None:
        end, count = Label(), self.not_chosen(block, may)
        if block or count is not None:
            self.emit(p.Jump, target=end)
        self.mark(otherwise)
        self.tell(count)
        self.block(block or ())
        self.mark(end)

    def not_chosen(self, block: ir.Block | None, may: bool) -> Count | None:
        """What to call when nothing was chosen, if that is one of the ways that a choice is meant to go."""
        return self.count("not chosen", block=block or ()) if block is not None or may else None

    def pick(self, pick: ir.Pick) -> p.Pick:
        return p.Pick(
            slot=pick.slot,
            name=pick.name,
            many=pick.many,
            least=self.formula(pick.least),
            most=self.maybe(pick.most),
            ordered=pick.ordered,
            sources=tuple(self.source(source) for source in pick.sources),
            so_that=self.maybe(pick.so_that),
        )

    def source(self, source: ir.Source) -> p.Source:
        sort, listed = sort_of(item_of(source.list.type)), source.list
        sort = source.sort if sort == "any" else sort
        more: dict[str, Any] = {}
        if isinstance(listed, ir.Filter):
            reasons = Reasons(self.tables, self.script.slots, self.script.parameters, listed)
            more = {"everything": self.formula(listed.list), "slot": listed.slot, "reasons": reasons}
        return p.Source(list=self.formula(listed), sort=sort, shown=source.shown, label=_label(sort), **more)

    def labels(self, options: tuple[ir.Option, ...], slot: int) -> p.Pick:
        """The pick of a menu: the number of one of its options whose condition holds."""
        texts = tuple(self.shown(option.label) for option in options)
        conditions = tuple(self.open_to(option) for option in options)

        def open_options(run: Run, env: Env) -> tuple[int, ...]:
            return tuple(i for i, asked in enumerate(conditions) if asked is None or asked(run, env))

        source = p.Source(
            list=open_options,
            sort="label",
            label=lambda run, env, index: str(texts[index](run, env)),
            written=tuple(label_text(option.label) for option in options),
        )
        return _pick_from(source, slot)

    def open_to(self, option: ir.Option) -> Formula | None:
        """When an option is offered; None: always."""
        if option.condition is None:
            return None
        asked, text = self.formula(option.condition), label_text(option.label)
        # That it was offered is told when it is chosen.
        return both(self.tables.probes, asked, option.condition.at, text=text, words=("", "no"))

    def menu(self, statement: ir.Menu, guard: Guard) -> None:
        slot, player = self.hidden(), self.formula(statement.player)
        otherwise = self.decide(statement, guard, player, self.labels(statement.options, slot), may=statement.may)
        self.blocks(slot, statement.options)
        self.close_choice(otherwise, statement.otherwise, statement.may)

    def blocks(self, slot: int, options: tuple[ir.Option, ...]) -> None:
        """The block of the option whose number stands in the local; then on behind all of them."""
        end, starts = Label(), tuple(Label() for _ in options)
        self.emit(p.Switch, slot=slot, targets=starts)
        for start, option in zip(starts, options, strict=True):
            self.mark(start)
            self.tell(self.count("option", label_text(option.label), option.body, option.label.at))
            self.block(option.body)
            self.emit(p.Jump, target=end)
        self.mark(end)

    def offer(self, statement: ir.Offer, guard: Guard) -> None:
        """A window: everyone of a list may take an option; `stop` closes it."""
        slots = {"items": self.hidden(), "at": self.hidden()}
        self.emit(p.Walk, guard, list=self.formula(statement.players), **slots)
        slot, taker, options = self.hidden(), statement.slot, statement.options
        following = {"slot": taker, "index": None, "players": True, **slots}
        if statement.together:
            # All are asked, sealed; then the blocks of those who took it run, in the order of the list.
            answers, items = self.hidden(), slots["items"]
            parts: dict[str, Any] = {"sealed": True, "decider": taker, "told": "later"}
            labels = self.labels(options, answers)
            nobody = self.decide(statement, guard, lambda run, env: env[items], labels, may=True, **parts)
            again, end = self.here(), Label()
            self.emit(p.NextItem, exit=end, **following)
            parts = {"labels": tuple(self.shown(option.label) for option in options), "quiet": statement.quiet}
            parts["conditions"] = tuple(self.maybe(option.condition) for option in options)
            self.emit(p.Taken, answers=answers, taker=taker, slot=slot, otherwise=again, **parts)
            self.taken(slot, options, again, end)
            self.emit(p.Jump, target=again)
        else:
            # One after the other is asked; the first who takes closes the window.
            again, nobody, end = self.here(), Label(), Label()
            self.emit(p.NextItem, exit=nobody, **following)
            alone, labels = Guard((), again, ()), self.labels(options, slot)
            passed = self.decide(statement, alone, lambda run, env: env[taker], labels, may=True)
            self.taken(slot, options, again, end)
            self.emit(p.Jump, target=end)
            self.mark(passed)
            self.emit(p.Jump, target=again)
        self.mark(nobody)
        self.tell(self.not_chosen(statement.otherwise, may=True))
        self.block(statement.otherwise or ())
        self.mark(end)

    def taken(self, slot: int, options: tuple[ir.Option, ...], again: Label, end: Label) -> None:
        """The blocks of a window, in which `skip` goes to the next player and `stop` behind it."""
        self.loops.append(Loop(again, end, len(self.stages)))
        self.blocks(slot, options)
        self.loops.pop()

    def arrange(self, statement: ir.Arrange, guard: Guard) -> None:
        cards, player, order = self.formula(statement.cards), self.formula(statement.player), self.hidden(cards=True)
        source = p.Source(list=cards, sort="card", label=_label("card"))
        pick = _pick_from(source, order, least=lambda run, env: len(there(cards(run, env))), most=None, many=True)
        otherwise = self.decide(statement, guard, player, pick)
        self.emit(p.Arrange, cards=cards, order=order)
        self.mark(otherwise)


def _resolved(value: Any) -> Any:
    """A part of an op; of a label, its place in the code."""
    if isinstance(value, Label):
        return value.pc
    is_labels = isinstance(value, tuple) and bool(value) and isinstance(value[0], Label)
    return tuple(one.pc for one in value) if is_labels else value


def _one(run: Run, env: Env) -> int:
    return 1


def _pick_from(
    source: p.Source, slot: int, least: Formula = _one, most: Formula | None = _one, many: bool = False
) -> p.Pick:
    """A pick without a name: of one thing, or of `many` in order."""
    return p.Pick(
        slot=slot, name="", many=many, least=least, most=most, ordered=many, sources=(source,), so_that=None
    )  # fmt: skip


def _label(sort: str) -> Callable[[Run, Env, Any], str]:
    return lambda run, env, value: label(run.program, run.names, value, sort)


# ── what a statement binds and looks at ──────────────────────────────────────────────────────────


def item_of(of: t.Type) -> t.Type:
    """The type of what stands in a list."""
    of = t.surely(of)
    return of.item if isinstance(of, t.ListOf | t.PerPlayer) else of


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


def looks(statement: ir.Statement) -> list[tuple[ir.Expr, ir.Expr | None]]:
    """The piles of which a sentence reads the top, or all, and how many cards of each (None: all).

    A pile that belongs to whoever a `where` is about cannot be named before it; only its settled cards are read.
    """
    fields = ("value", "cards", "goal", "condition", "list", "question", "arguments", "source", "picks")
    inside = [*nodes(tuple(getattr(statement, name) for name in fields if hasattr(statement, name)))]
    found: list[tuple[ir.Expr, ir.Expr | None]] = []
    for node in inside:
        if isinstance(node, ir.BuiltIn) and node.name in ("first", "last"):
            pile = _pile(node.arguments[0])
            if pile is not None:
                one = ir.Const(1, type=t.NUMBER)
                count = node.arguments[1] if len(node.arguments) > 1 else one
                found.append((pile, count if node.name == "first" else None))
    if isinstance(statement, ir.ForEach | ir.Show | ir.Reveal):
        whole = _pile(statement.list if isinstance(statement, ir.ForEach) else statement.cards)
        found += [] if whole is None else [(whole, None)]
    scratch = {node.slot for node in inside if isinstance(node, ir.Through)}
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


# ── who is asked without the others noticing ─────────────────────────────────────────────────────


def _asks_quietly(tables: Tables, block: ir.Block) -> bool:
    """Whether somebody may be asked quietly in a block, or in what it does."""
    if tables.quiet_scripts is None:
        tables.quiet_scripts = _quiet_scripts(tables.rulebook)
    found = statements(block)
    return any(map(_is_quiet, found)) or not tables.quiet_scripts.isdisjoint(_done(tables.rulebook, found))


def _quiet_scripts(rulebook: ir.Rulebook) -> frozenset[str]:
    """The scripts in which somebody may be asked quietly, or in those that they do, and so on."""
    inside = {name: statements(script.body) for name, script in rulebook.scripts.items()}
    quiet = {name for name, found in inside.items() if any(map(_is_quiet, found))}
    done = {name: _done(rulebook, found) for name, found in inside.items()} if quiet else {}
    while more := {name for name, others in done.items() if name not in quiet and not quiet.isdisjoint(others)}:
        quiet |= more
    return frozenset(quiet)


def _is_quiet(one: ir.Statement) -> bool:
    return isinstance(one, ir.Asking) and one.quiet


def _done(rulebook: ir.Rulebook, found: list[ir.Statement]) -> set[str]:
    """The scripts that these statements do."""
    names: set[str] = set()
    for one in found:
        match one:
            case ir.DoRule(script):
                names.add(script)
            case ir.DoHook(hook):
                names.update(rulebook.hooks.get(hook, {}).values())
    return names


def _unfiltered(list: ir.Expr) -> ir.Expr:
    """Everybody of whom some are kept out, in the same order."""
    match list:
        case ir.Filter(inner) | ir.Best(inner):
            return _unfiltered(inner)
        case ir.Ordering(inner):
            return evolve(list, list=_unfiltered(inner))
    return list
