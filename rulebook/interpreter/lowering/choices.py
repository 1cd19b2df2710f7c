"""Choices, menus and windows, written as ops.

In: statements of a script, by way of its `Writer`. Out: one `Choose` for each decision, and jumps to the block that
follows from it. Never: reads an option at run time; `choosing` does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulebook.dsl import ir
from rulebook.interpreter import ops as p
from rulebook.interpreter.lowering.probes import Count, both, chosen, label_text
from rulebook.interpreter.lowering.reasons import Reasons
from rulebook.interpreter.lowering.tables import sort_of
from rulebook.interpreter.lowering.writer import Guard, Label, Loop, Writer, item_of
from rulebook.interpreter.ops import Env, Formula
from rulebook.interpreter.run import Run
from rulebook.interpreter.wording import label

Asking = ir.Choose | ir.ChooseEach | ir.Menu | ir.Offer | ir.Arrange


class ChoiceWriter(Writer):
    """Writes what players decide."""

    def choose(self, statement: ir.Choose | ir.ChooseEach, guard: Guard) -> None:
        sealed = isinstance(statement, ir.ChooseEach)
        who = statement.players if isinstance(statement, ir.ChooseEach) else statement.player
        otherwise = self.decide(
            statement,
            guard,
            self.formula(who),
            *(self.pick(pick) for pick in statement.picks),
            may=statement.may,
            sealed=sealed,
            decider=statement.slot if isinstance(statement, ir.ChooseEach) else None,
            told="chooser" if statement.secretly else "everyone",
            quiet=statement.quiet,
            veiled=statement.veiled,
        )
        self.tell(self.count("chosen", block=(isinstance(statement, ir.Choose) and statement.taken) or ()))
        if isinstance(statement, ir.Choose):
            self.look_at_answer(statement)
            self.block(statement.taken or ())
        self.close_choice(otherwise, statement.otherwise, statement.may and not sealed)

    def look_at_answer(self, statement: ir.Choose) -> None:
        """Whoever wants to know what runs also asks from which list an answer came."""
        if self.tables.probes is not None:
            lists = {pick.slot: tuple(self.formula(source.list) for source in pick.sources) for pick in statement.picks}
            for look in chosen(self.tables.probes, statement, lists):
                self.emit(partial(p.Probe, look=look))

    def decide(
        self,
        statement: Asking,
        guard: Guard,
        deciders: Formula,
        *picks: p.Pick,
        may: bool = False,
        sealed: bool = False,
        decider: int | None = None,
        told: str = "everyone",
        quiet: bool = False,
        veiled: bool = False,
    ) -> Label:
        """Write the decision; the label is where it goes when nothing is chosen."""
        asked = None if isinstance(statement, ir.Arrange) else statement.prompt
        prompt, otherwise = None if asked is None else self.shown(asked), Label()
        self.emit(
            lambda: p.Choose(
                deciders=deciders,
                sealed=sealed,
                decider=decider,
                may=may,
                told=told,
                quiet=quiet,
                veiled=veiled,
                prompt=prompt,
                picks=picks,
                otherwise=otherwise.pc,
                **guard(),
            )
        )
        return otherwise

    def close_choice(self, otherwise: Label, block: ir.Block | None, may: bool) -> None:
        end, count = Label(), self.not_chosen(block, may)
        if block or count is not None:
            self.emit(lambda: p.Jump(target=end.pc))
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
        sort = sort_of(item_of(source.list.type))
        sort = source.sort if sort == "any" else sort
        listed, shown = source.list, source.shown
        if not isinstance(listed, ir.Filter):
            return p.Source(list=self.formula(listed), sort=sort, shown=shown, label=_label(sort))
        return p.Source(
            list=self.formula(listed),
            sort=sort,
            shown=shown,
            label=_label(sort),
            everything=self.formula(listed.list),
            slot=listed.slot,
            reasons=Reasons(self.tables, self.script.slots, self.script.parameters, listed),
        )

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
        return p.Pick(
            slot=slot,
            name="",
            many=False,
            least=_one,
            most=_one,
            ordered=False,
            sources=(source,),
            so_that=None,
        )

    def open_to(self, option: ir.Option) -> Formula | None:
        """When an option is offered; None: always."""
        if option.condition is None:
            return None
        asked, text = self.formula(option.condition), label_text(option.label)
        # That it was offered is told when it is chosen.
        return both(self.tables.probes, asked, option.condition.at, text=text, words=("", "no"))

    def menu(self, statement: ir.Menu, guard: Guard) -> None:
        slot, player = self.hidden(), self.formula(statement.player)
        labels = self.labels(statement.options, slot)
        may, quiet, veiled = statement.may, statement.quiet, statement.veiled
        otherwise = self.decide(statement, guard, player, labels, may=may, quiet=quiet, veiled=veiled)
        self.blocks(slot, statement.options)
        self.close_choice(otherwise, statement.otherwise, may)

    def blocks(self, slot: int, options: tuple[ir.Option, ...]) -> None:
        """The block of the option whose number stands in the local; then on behind all of them."""
        end, starts = Label(), [Label() for _ in options]
        self.emit(lambda: p.Switch(slot=slot, targets=tuple(start.pc for start in starts)))
        for start, option in zip(starts, options, strict=True):
            self.mark(start)
            text = label_text(option.label)
            self.tell(self.count("option", text, option.body, option.label.at))
            self.block(option.body)
            self.emit(lambda: p.Jump(target=end.pc))
        self.mark(end)

    def offer(self, statement: ir.Offer, guard: Guard) -> None:
        """A window: everyone of a list may take an option; `stop` closes it."""
        several, items, at = self.formula(statement.players), self.hidden(), self.hidden()
        self.emit(lambda: p.Walk(list=several, items=items, at=at, **guard()))
        if statement.together:
            self.offer_together(statement, guard, items, at)
        else:
            self.offer_in_turn(statement, items, at)

    def offer_in_turn(self, statement: ir.Offer, items: int, at: int) -> None:
        """One after the other is asked; the first who takes closes the window."""
        slot, taker = self.hidden(), statement.slot
        again, nobody, end = self.here(), Label(), Label()
        self.emit(lambda: p.NextItem(items=items, at=at, slot=taker, index=None, players=True, exit=nobody.pc))
        labels = self.labels(statement.options, slot)
        passed = self.decide(
            statement,
            Guard((), again, ()),
            lambda run, env: env[taker],
            labels,
            may=True,
            quiet=statement.quiet,
            veiled=statement.veiled,
        )
        self.taken(slot, statement.options, again, end)
        self.emit(lambda: p.Jump(target=end.pc))
        self.mark(passed)
        self.emit(lambda: p.Jump(target=again.pc))
        self.mark(nobody)
        self.tell(self.not_chosen(statement.otherwise, may=True))
        self.block(statement.otherwise or ())
        self.mark(end)

    def offer_together(self, statement: ir.Offer, guard: Guard, items: int, at: int) -> None:
        """All are asked, sealed; then the blocks of those who took it run, in the order of the list."""
        slot, answers, taker = self.hidden(), self.hidden(), statement.slot
        nobody = self.decide(
            statement,
            guard,
            lambda run, env: env[items],
            self.labels(statement.options, answers),
            may=True,
            sealed=True,
            decider=taker,
            told="later",
            quiet=statement.quiet,
            veiled=statement.veiled,
        )
        again, end = self.here(), Label()
        labels = tuple(self.shown(option.label) for option in statement.options)
        conditions = tuple(self.maybe(option.condition) for option in statement.options)
        self.emit(lambda: p.NextItem(items=items, at=at, slot=taker, index=None, players=True, exit=end.pc))
        self.emit(
            lambda: p.Taken(
                answers=answers,
                taker=taker,
                slot=slot,
                conditions=conditions,
                labels=labels,
                quiet=statement.quiet,
                otherwise=again.pc,
            )
        )
        self.taken(slot, statement.options, again, end)
        self.emit(lambda: p.Jump(target=again.pc))
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
        pick = p.Pick(
            slot=order,
            name="",
            many=True,
            least=lambda run, env: len(cards(run, env)),
            most=None,
            ordered=True,
            sources=(p.Source(list=cards, sort="card", label=_label("card")),),
            so_that=None,
        )
        otherwise = self.decide(statement, guard, player, pick, quiet=statement.quiet, veiled=statement.veiled)
        self.emit(lambda: p.Arrange(cards=cards, order=order))
        self.mark(otherwise)


def _one(run: Run, env: Env) -> int:
    return 1


def _label(sort: str) -> Callable[[Run, Env, Any], str]:
    return lambda run, env, value: label(run.program, run.names, value, sort)
