"""Whole scripts as steps: blocks, branches, loops, stages, and names for what is looked up.

In: blocks. Out: steps. Never: a statement that is not listed here.
"""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.asking import AskTelling
from rulebook.dsl.english.grammar import Thing, claim_text
from rulebook.dsl.english.in_time import blocks_of, described_in_time, is_slot, slots_read
from rulebook.dsl.english.lexicon import quoted
from rulebook.dsl.english.scene import Gathered, Named, Referent, is_me
from rulebook.dsl.english.steps import Act, Branch, Loop, Points, Step
from rulebook.dsl.english.words import capital, often, readable
from rulebook.dsl.walk import everything


class FlowTelling(AskTelling):
    """Says what scripts do."""

    def __init__(self, lexicon: object) -> None:
        super().__init__(lexicon)
        self.loops: list[str] = []

    def steps(self, block: ir.Block) -> list[Step]:
        found: list[Step] = []
        index = 0
        while index < len(block):
            one = block[index]
            if isinstance(one, ir.Choose) and one.may and one.taken is None and not one.otherwise:
                many = self._guarded(block, index)
                if many:
                    taken = evolve(one, taken=block[index + 1 : index + 1 + many])
                    found += self.choose(taken)
                    index += many + 1
                    continue
            match one:
                case ir.If(condition, (ir.Return(value),), ()) if value is not None:
                    if self.rules.decided(condition) is None:
                        found.append(self._answered_if(one, block[index + 1 :]))
                        break
            found += self._step(one, block[index + 1 :])
            if self._leaves(one):
                break
            index += 1
        return found

    def _answered_if(self, one: ir.If, rest: ir.Block) -> Branch:
        """A question that is answered at once if something is so: what follows is for when it is not."""
        self.focus = None
        claim = claim_text(self.claim(one.condition))
        return Branch(claim, tuple(self.steps(one.then)), self.inner(rest))

    def _leaves(self, one: ir.Statement) -> bool:
        """Whether nothing behind a sentence is ever done under these house rules."""
        match one:
            case ir.Return() | ir.Leave() | ir.EndStage() | ir.Win():
                return True
            case ir.If(condition, then, otherwise) if (so := self.rules.decided(condition)) is not None:
                return any(self._leaves(each) for each in (then if so else otherwise))
        return False

    def _guarded(self, block: ir.Block, index: int) -> int:
        """How many sentences after a choice that may be declined are skipped with it."""
        one = block[index]
        assert isinstance(one, ir.Choose)
        slots = {pick.slot for pick in one.picks}
        many = 0
        for follow in block[index + 1 :]:
            if not slots & slots_read(follow) or isinstance(follow, ir.If):
                break
            many += 1
        return many

    def _step(self, one: ir.Statement, rest: ir.Block) -> list[Step]:
        match one:
            case ir.Let():
                return self._let(one, rest)
            case ir.Choose():
                return self.choose(one)
            case ir.ChooseEach():
                return self.choose_each(one)
            case ir.Menu():
                return self.menu(one)
            case ir.Offer():
                self.loops.append("offer")
                steps = self.offer(one)
                self.loops.pop()
                return steps
            case ir.If():
                return self._if(one)
            case ir.ForEach():
                return self._each_of(one)
            case ir.Repeat():
                return self._repeat(one)
            case ir.Stage():
                return self._stage(one, last=not rest)
            case ir.Leave(skip, depth):
                return [self._leave(skip, depth)]
            case (
                ir.Assign() | ir.Move() | ir.MovePieces() | ir.Draw() | ir.Deal() | ir.Pass() | ir.Shuffle() | ir.Roll()
                | ir.PickRandom() | ir.Swap() | ir.Arrange() | ir.Reveal() | ir.Cover() | ir.Show() | ir.Tell()
                | ir.Say() | ir.EndStage() | ir.Return() | ir.DoRule() | ir.DoHook() | ir.Win() | ir.Eliminate()
            ):  # fmt: skip
                return self.deed(one)
        assert_never(one)

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _let(self, one: ir.Let, rest: ir.Block) -> list[Step]:
        name = self.frame.slots.names[one.slot]
        of = t.surely(one.value.type)
        if isinstance(self.bound(one.slot), Gathered):
            return []
        again = [let for let in everything(*rest) if isinstance(let, ir.Let) and let.slot == one.slot]
        if again and self._gathers(one, rest, again):
            added = [item for let in again for item in everything(let.value) if isinstance(item, ir.Local)]
            self.bind(one.slot, Gathered(self.lexicon.noun(added[-1].type)))
            return []
        known = self.bound(one.slot)
        if not again and known is None:
            many = isinstance(of, t.ListOf)
            noun = self.item(of) if many else self.lexicon.noun(of)
            items = None
            chosen = isinstance(one.value, ir.IfElse) and self.rules.decided(one.value.condition) is None
            if not chosen and described_in_time(one.slot, rest):
                self.bind(one.slot, Named(one.value, self.frame, Referent(noun, "found", many=many, items=items)))
                return []
            act = self.act((one.value,), "note", self.thing(one.value).to)
            self.open(one.slot, Referent(noun, "noted", many=many))
            return [act]
        value = self.argument(one.value)
        words = quoted(readable(name))
        self.bind(one.slot, Thing(words, "one"))
        return [self.act((one.value,), "note", f"{value} as {words}")]

    def _gathers(self, one: ir.Let, rest: ir.Block, again: list[ir.Let]) -> bool:
        """Whether a list begins empty and then takes up what was chosen, and is asked only for what is in it."""
        if one.value != ir.Listed((), type=one.value.type):
            return False
        blocks = list(blocks_of(rest))
        for let in again:
            match let.value:
                case ir.Chain(ir.Local(slot), ir.Listed(items)) if slot == one.slot:
                    block = next(block for block in blocks if let in block)
                    before = block[: block.index(let)]
                    chosen = {pick.slot for each in before if isinstance(each, ir.Choose) for pick in each.picks}
                    if not all(isinstance(item, ir.Local) and item.slot in chosen for item in items):
                        return False
                case _:
                    return False
        reads = [each for each in everything(*rest) if isinstance(each, ir.Local) and each.slot == one.slot]
        tests = [each for each in everything(*rest) if isinstance(each, ir.Within) and is_slot(each.list, one.slot)]
        return len(reads) == len(tests) + len(again)

    # ── which way ────────────────────────────────────────────────────────────────────────────────────────────────

    def _if(self, one: ir.If) -> list[Step]:
        so = self.rules.decided(one.condition)
        if so is not None:
            return self.steps(one.then if so else one.otherwise)
        self.focus = None
        condition = claim_text(self.claim(one.condition))
        then = tuple(self.steps(one.then))
        self.focus = None
        otherwise = self.inner(one.otherwise)
        if not then:
            negative = claim_text(self.claim(one.condition, yes=False))
            return [Branch(negative, otherwise)] if otherwise else []
        return [Branch(condition, then, otherwise)]

    def _each_of(self, one: ir.ForEach) -> list[Step]:
        group = self.group(one.list)
        before = self.remember()
        each = group.each()
        noun = group.noun.short
        known = self.bound(one.slot)
        self.open(one.slot, Referent(noun, "present", they=True))
        if one.index is not None:
            self.bind(one.index, Thing("their place in this order" if group.order else "their number", long=True))
        body = self._round("each", one.body, one.slot if one.players else None)
        self.forget(before)
        self.focus = None
        self.unbind(one.slot, known)
        order = f", {group.order}" if group.order else ""
        return [Loop(f"for {each}{order}", body, each if noun.person else "", group.order)]

    def _round(self, what: str, block: ir.Block, player: int | None = None) -> tuple[Step, ...]:
        self.loops.append(what)
        if player is not None:
            self.around.append(player)
        steps = tuple(self.steps(block))
        if player is not None:
            self.around.pop()
        self.loops.pop()
        self.focus = None
        return steps

    def _repeat(self, one: ir.Repeat) -> list[Step]:
        number = None if one.count is None else self.thing(one.count)
        if one.index is not None:
            self.bind(one.index, Thing("the number of this round", long=True))
        if number is None:
            times = "again and again"
        elif number.number is not None:
            times = often(number.number)
        else:
            times = f"{number.to} times" if number.counts else f"a number of times equal to {number.to}"
        self.focus = None
        body = self._round("repeat", one.body)
        match body:
            case (Act(modal="may") as first, Branch(_, (Act(verb="stop"),), ()), *others) if is_me(first.subject):
                often_so = "do this as often as you like" if number is None else f"do this up to {times}"
                return [Loop(often_so, (evolve(first, modal=""), *others))]
        return [Loop(f"do this {times}", body)]

    def _leave(self, skip: bool, depth: int) -> Act:
        which = self.loops[-1 - depth] if depth < len(self.loops) else "repeat"
        outer = depth > 0 and which in self.loops[len(self.loops) - depth :]
        if which == "offer":
            return Act(Thing("nobody else"), "act", stated=True, modal="may")
        if skip:
            return Act(self.actor(), "go on", "with the next" if which == "each" else "with the next round")
        what = "going round all of it" if outer else "there" if which == "each" else "repeating"
        return Act(self.actor(), "stop", what)

    def _stage(self, one: ir.Stage, *, last: bool) -> list[Step]:
        name = readable(one.name)
        body = self.steps(one.body)
        scripts = self.lexicon.rulebook.scripts.values()
        ends = any(isinstance(each, ir.EndStage) and each.name == one.name for each in everything(*scripts))
        if one.until is not None:
            self.focus = None
            soon = f"as soon as {claim_text(self.claim(one.until))}"
            body.append(Act(Thing("this" if last else f"the {name}"), "end", lead=soon, stated=True))
            if last:
                return body
        return [Loop(capital(name), tuple(body), title=True)] if ends or one.until is not None else body


__all__ = ["FlowTelling", "Points"]
