"""Sentences of scripts as acts: moving, drawing, showing, remembering, ending.

In: statements. Out: steps. Never: choices and what holds blocks; `asking` and `flow` tell those.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.calls import CallTelling
from rulebook.dsl.english.grammar import NOBODY, YOU, Thing, claim_text, possessed
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.in_time import described_in_time, slots_read
from rulebook.dsl.english.lexicon import BOX, CARD, quoted
from rulebook.dsl.english.scene import Frame, Given, Named, Referent
from rulebook.dsl.english.steps import Act, Branch, Step
from rulebook.dsl.english.words import bare, capital, listed, plural, readable, titled
from rulebook.dsl.walk import everything


class DeedTelling(CallTelling):
    """Says what single sentences do."""

    def __init__(self, lexicon: Any) -> None:
        super().__init__(lexicon)
        self.around: list[int] = []
        """The slots of the players whom loops go through, the innermost last."""

    @abstractmethod
    def steps(self, block: ir.Block) -> list[Step]:
        """A block, told."""

    # ── who acts ─────────────────────────────────────────────────────────────────────────────────────────────────

    def actor(self, *about: Any) -> Thing:
        """Who does what these records say: whom a loop is about, `me`, the player a rule was called with; else who
        reads.
        """
        slots = slots_read(*(one for one in about if one is not None))
        names = self.frame.slots.names
        mine = [slot for slot, name in enumerate(names) if name == "me" and self.bound(slot) is not None]
        players = [slot for slot in self.frame.bound if self._goes_round(slot)]
        for slot in [*reversed(self.around), *mine, *players]:
            if slot in slots:
                return self.thing(ir.Local(slot, names[slot], type=t.PLAYER))
        return self.thing(ir.Local(mine[0], "me", type=t.PLAYER)) if mine else YOU

    def _goes_round(self, slot: int) -> bool:
        """Whether a rule was called with the player whom a loop is about."""
        match self.bound(slot):
            case Given(ir.Local(other), frame):
                outer = frame.bound.get(other)
                return isinstance(outer, Referent) and outer.they and outer.noun.person
        return False

    def act(self, about: tuple[Any, ...], verb: str, rest: str, *, opens: bool = False, goes_on: bool = False) -> Act:
        return Act(self.actor(*about), verb, rest, opens=opens, goes_on=goes_on, inferred=True)

    def open(self, slot: int | None, referent: Referent) -> None:
        """A name for what was just brought up."""
        if slot is not None:
            self.bind(slot, referent)
            self.introduce(referent)

    # ── every simple sentence ────────────────────────────────────────────────────────────────────────────────────

    def deed(self, one: ir.Statement) -> list[Step]:
        """A sentence without blocks."""
        last, self.spoken = self.focus, set()
        found = self._deed(one)
        goes_on = last is not None and last in self.spoken
        return [evolve(act, goes_on=goes_on) if isinstance(act, Act) else act for act in found]

    def _deed(self, one: ir.Statement) -> list[Step]:
        match one:
            case ir.Move():
                return [self._move(one)]
            case ir.MovePieces():
                return [self._pieces(one)]
            case ir.Draw():
                return [self._draw(one)]
            case ir.Deal(count, source, place):
                found = self.lexicon.rulebook.places[place]
                group = self._in(source)
                if isinstance(source, ir.PlaceOf) and source.name == BOX:
                    group = evolve(group, noun=self.lexicon.kind(found.holds, all_there=True))
                words = self.counted(count, group, away=True)
                each = possessed(Thing("each player"), self.lexicon.head(place)).to
                to = "to each player" if found.kept == "slot" else f"into {each}"
                return [Act(YOU, "deal", f"{words} {to}")]
            case ir.Pass(place, step):
                side = "left" if step == 1 else "right"
                everyone = Thing("each player", person=True)
                passed = Act(everyone, "pass", f"their {self.lexicon.head(place)} to the player to their {side}")
                return [Act(passed.subject, passed.verb, passed.rest, lead="at the same time")]
            case ir.Shuffle(place):
                return [self.act((place,), "shuffle", self.spot(place).thing.to)]
            case ir.Roll(dice):
                several = isinstance(dice.type, t.ListOf)
                return [self.act((dice,), "roll", self.group(dice).items() if several else self.thing(dice).to)]
            case ir.PickRandom():
                return [self._pick(one)]
            case ir.Swap(first, second):
                return [self.act((first, second), "swap", self._swap(first, second))]
            case ir.Arrange(player, cards):
                return [Act(self.thing(player), "put", f"{self.thing(cards).to} in any order")]
            case ir.Reveal(cards):
                return [self.act((cards,), "reveal", self.thing(cards).to)]
            case ir.Cover(cards):
                return [self.act((cards,), "turn", f"{self.thing(cards).to} face down")]
            case ir.Show(cards, to):
                return [self._show(cards, to)]
            case ir.Tell(to, question):
                rest = f"{self.thing(to).to} whether {claim_text(self.claim(question))}"
                return [self.act((question,), "tell", rest)]
            case ir.Say(text, to):
                words = quoted(self.filled(text))
                return [Act(YOU, "announce", words) if to is None else Act(YOU, "tell", f"{self.thing(to).to} {words}")]
            case ir.Assign(value=ir.IfElse() as value):
                return self._either(one, value)
            case ir.Assign():
                return [self._assign(one)]
            case ir.Win(players):
                if players is None:
                    return [Act(NOBODY, "win", "the game", stated=True)]
                return [Act(self.thing(players), "win", "the game", stated=True)]
            case ir.Eliminate(players):
                return [Act(self.thing(players), "be", "out of the game", stated=True)]
            case ir.EndStage(name):
                return [Act(Thing(f"the {readable(name)}"), "end", stated=True)]
            case ir.Return(None):
                return [Act(Thing("this"), "end", "here", stated=True)]
            case ir.Return(value) if value is not None:
                return [Act(Thing("the answer"), "be", self._answered(value), stated=True)]
            case ir.DoRule():
                return self._rule(one)
            case ir.DoHook():
                return self._hook(one)
        raise TypeError(f"{type(one).__name__} holds blocks or names")

    def _answered(self, value: ir.Expr) -> str:
        said = self.said(value)
        if isinstance(said, Thing):
            return said.to
        return said.all().to if isinstance(said, Group) else f"yes if {claim_text(said)}, otherwise no"

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _in(self, place: ir.Expr) -> Group:
        """The cards of a place, for what takes some of them away."""
        match place:
            case ir.Local(slot) if isinstance(given := self.bound(slot), Given):
                with self.within(given.frame):
                    return self._in(given.expr)
            case ir.PlaceOf(name):
                spot = self.spot(place)
                found = self.lexicon.rulebook.places.get(name)
                if found is not None:
                    return Group(self.lexicon.kind(found.holds, all_there=True), spot)
        return Group(self.lexicon.anything, self.spot(place))

    def _goal(self, goal: ir.Expr, end: str = "", face: str = "") -> str:
        spot = self.spot(goal)
        kept = goal.type.kept if isinstance(goal.type, t.Place) else ""
        if end:
            where = f"{'on top' if end == 'top' else 'at the bottom'} of {spot.thing.to}"
        elif kept == "pile":
            where = f"onto {spot.thing.to}"
        else:
            where = spot.to()
        return f"{where}{f' face {face}' if face else ''}"

    def _move(self, one: ir.Move) -> Act:
        what = self.thing(one.cards)
        if (slot := self._becomes(one.goal)) is not None:
            return self.act((one.cards, one.goal), "make", f"{what.to} {slot.to}")
        goal = self._goal(one.goal, one.end, one.face)
        return self.act((one.cards, one.goal), "put", f"{what.to} {goal}")

    def _becomes(self, goal: ir.Expr) -> Thing | None:
        """A slot that has the name of what lies in it: a card becomes that."""
        match goal:
            case ir.PlaceOf(name) if (place := self.lexicon.rulebook.places.get(name)) and place.kept == "slot":
                return self.spot(goal).thing if self.is_name_of(place) else None
        return None

    def _pieces(self, one: ir.MovePieces) -> Act:
        source = self._in(one.source)
        about = (one.count, one.source, one.goal)
        match one.count:
            case ir.Arithmetic("-", ir.BuiltIn("count", (place,)) | ir.Pieces(place), ir.Const(left)):
                if place == one.source:
                    words = f"all {source.noun.many} but {left} {self.spot(place).away()}"
                    return self.act(about, "move", f"{words} {self._goal(one.goal)}")
        if one.count is not None:
            words = self.counted(one.count, source, away=True)
            return self.act(about, "move", f"{words} {self._goal(one.goal)}")
        return self.act(about, "move", f"{source.some('all', many=True, away=True)} {self._goal(one.goal)}")

    def _draw(self, one: ir.Draw) -> Act:
        group = self._in(one.source)
        words = self.counted(one.count, group, away=True)
        goal = self._becomes(one.goal)
        where = f"as {goal.to}" if goal is not None else self._goal(one.goal, one.end, one.face)
        act = self.act((one.source, one.goal, one.count), "draw", f"{words} {where}", opens=one.slot is not None)
        self.open(one.slot, Referent(group.noun.short, "drawn", many=one.many))
        return act

    def _pick(self, one: ir.PickRandom) -> Act:
        group = self.group(one.source)
        if one.count is not None:
            words = self.counted(one.count, group, away=True)
        elif len(one.slots) > 1:
            words = group.some(str(len(one.slots)), many=True, away=True)
        else:
            words = group.one(away=True)
        rest = f"at random {words}" if words.endswith(",") else f"{words} at random"
        act = self.act((one.source,), "pick", rest, opens=True)
        for slot in one.slots:
            self.open(slot, Referent(group.noun.short, "picked", many=one.count is not None))
        return act

    def _swap(self, first: ir.Expr, second: ir.Expr) -> str:
        two = [self._owner_or_self(one) for one in (first, second)]
        last = self.known[-2:]
        if len(last) == 2 and last[0].noun == last[1].noun and all(one in last for one in two) and two[0] is not two[1]:
            if isinstance(first, ir.Local):
                return "the two"
            if isinstance(first, ir.TheCard | ir.PlaceOf):
                place = first.place if isinstance(first, ir.TheCard) else first
                if isinstance(place, ir.PlaceOf):
                    return f"the {plural(self.lexicon.head(place.name))} of the two"
        return f"{self._swapped(first)} with {self._swapped(second)}"

    def _owner_or_self(self, expr: ir.Expr) -> object:
        """What was brought up and is meant, itself or by what it owns."""
        match expr:
            case ir.TheCard(ir.PlaceOf(_, ir.Local(slot))) | ir.PlaceOf(_, ir.Local(slot)) | ir.Local(slot):
                return self.bound(slot)
        return None

    def _swapped(self, expr: ir.Expr) -> str:
        return self.spot(expr).thing.to if isinstance(expr.type, t.Place) else self.thing(expr).to

    def _show(self, cards: ir.Expr, to: ir.Expr) -> Act:
        what, seers = self.thing(cards), self.thing(to)
        actor = self.actor(cards)
        if seers in (actor, YOU):
            return Act(seers, "look", f"at {what.to}")
        return Act(actor, "show", f"{what.to} to {seers.to}")

    # ── remembering ──────────────────────────────────────────────────────────────────────────────────────────────

    def _assign(self, one: ir.Assign) -> Act:
        target, value = one.target, one.value
        if t.YES_NO in t.members(target.type) and not self._is_nothing(value):
            return self._settle(target, value, self._until(target))
        what = self.thing(target)
        match value:
            case ir.BuiltIn("distinct", (ir.Chain(left, ir.Listed((added,))),)) if left == target:
                return self.act((target, added), "add", f"{self.thing(added).to} to {what.to}{self._until(target)}")
            case ir.Chain(ir.Filter(left, slot, ir.Not(ir.Compare("==", ir.Local(it), old))), ir.Listed((new,))) if (
                left == target and it == slot
            ):
                rest = f"{self.thing(old).to} with {self.thing(new).to} in {what.to}{self._until(target)}"
                return self.act((target, old, new), "replace", rest)
            case ir.Arithmetic("+", left, ir.Arithmetic("-", ir.Const(0), less)) if left == target:
                return self.act((target, less), "reduce", f"{what.to} by {self.thing(less).to}")
            case ir.Arithmetic("+", left, more) if left == target:
                return self.act((target, more), "add", f"{self.thing(more).to} to {what.to}")
            case ir.Chain(left, ir.Listed((added,))) if left == target:
                return self.act((target, added), "add", f"{self.thing(added).to} to {what.to}")
        if self._is_nothing(value) or value == ir.Listed((), type=value.type):
            return self.act((target,), "clear", what.to)
        if t.PLAYER in t.members(target.type):
            return Act(self.thing(value), "become", f"{what.to}{self._until(target)}", stated=True)
        self.focus = None
        return Act(what, "become", f"{self.thing(value).to}{self._until(target)}", stated=True)

    def _either(self, one: ir.Assign, value: ir.IfElse) -> list[Step]:
        """One value or another; of players, who becomes something is said first."""
        so = self.rules.decided(value.condition)
        then, otherwise = (evolve(one, value=part) for part in (value.then, value.otherwise))
        if so is not None:
            return self._deed(then if so else otherwise)
        if t.PLAYER not in t.members(one.target.type):
            return [self._assign(one)]
        condition = claim_text(self.claim(value.condition))
        return [Branch(condition, (self._assign(then),), (self._assign(otherwise),))]

    def _is_nothing(self, value: ir.Expr) -> bool:
        return isinstance(value, ir.Const) and value.value is None

    def _until(self, target: ir.TableMemory | ir.PlayerMemory | ir.State) -> str:
        book = self.lexicon.rulebook
        found = book.states.get(target.name) if isinstance(target, ir.State) else book.memories.get(target.name)
        return f" until the end of the {readable(found.lasts)}" if found is not None and found.lasts else ""

    def _settle(self, target: ir.TableMemory | ir.PlayerMemory | ir.State, value: ir.Expr, until: str) -> Act:
        """A yes or no: "it becomes exposed", "you are no longer ready"."""
        owner = {ir.PlayerMemory: "player", ir.State: "card"}.get(type(target))
        subject = None if owner is None else self.thing(getattr(target, owner))
        so = self.property(subject, target.name, yes=True)
        known, answer = self.rules.constant(value)
        if known and answer is True:
            verb, rest = ("become", so.rest) if so.verb == "be" else (so.verb, so.rest)
            return Act(so.subject, verb, f"{rest}{until}", so.modal, stated=True)
        if known:
            return Act(so.subject, "be", f"no longer {so.rest}{until}", stated=True)
        if value == ir.Not(target, type=value.type):
            return Act(so.subject, "become", f"the opposite of what it was{until}", stated=True)
        claim = claim_text(self.claim(value))
        verb, rest = ("become", so.rest) if so.verb == "be" else (so.verb, so.rest)
        return Act(so.subject, verb, f"{rest}{until} if {claim}, and otherwise not", so.modal, stated=True)

    # ── doing ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _rule(self, one: ir.DoRule) -> list[Step]:
        script = self.lexicon.rulebook.scripts[one.script]
        frame = self.given(script.slots, one.arguments)
        phrase = self.lexicon.phrase(bare(one.script))
        if phrase is not None:
            claim = self.clause(phrase, frame)
            acts = Act(YOU, self.fill(phrase, frame))
            steps: list[Step] = [Act(claim.subject, claim.verb, claim.rest, claim.modal) if claim else acts]
        else:
            steps = self._in_place_of(one, script) or [self._carried_out(one, script)]
        self.open(one.slot, Referent(self.lexicon.noun(self._given_back(one)), "found"))
        return steps

    def _given_back(self, one: ir.DoRule) -> t.Type:
        return t.NUMBER if one.slot is None else t.surely(self.frame.slots.types[one.slot])

    def _in_place_of(self, one: ir.DoRule, script: ir.Script) -> list[Step] | None:
        """What a rule does, if that is only an act or two."""
        leaves = any(isinstance(each, ir.Return | ir.Leave) for each in everything(*script.body))
        if leaves or len(script.body) > 3 or self._depth >= 3 or one.slot is not None:
            return None
        before = self.remember()
        self._depth += 1
        around, self.around = self.around, []
        frame = self.given(script.slots, one.arguments)
        in_time = all(self._handed_on(slot, frame, script.body) for slot in range(len(one.arguments)))
        with self.within(frame):
            steps = self.steps(script.body) if in_time else []
        self.around = around
        self._depth -= 1
        if steps and all(isinstance(step, Act) for step in steps) and len(steps) <= 3:
            return steps
        self.forget(before)
        return None

    def _handed_on(self, slot: int, frame: Frame, body: ir.Block) -> bool:
        """Makes a parameter stand for what it was when the rule began; no, if that cannot be told in time."""
        given = frame.bound[slot]
        assert isinstance(given, Given)
        expr = given.expr
        if isinstance(expr.type, t.Place) or isinstance(expr, ir.Local | ir.Const | ir.OptionValue | ir.TheAction):
            return True
        many = isinstance(t.surely(expr.type), t.ListOf)
        noun = self.item(expr.type) if many else self.lexicon.noun(expr.type)
        frame.bound[slot] = Named(expr, given.frame, Referent(noun, "given", many=many))
        return described_in_time(slot, body)

    def _carried_out(self, one: ir.DoRule, script: ir.Script) -> Act:
        names = script.slots.names[: script.parameters]
        who = next((argument for name, argument in zip(names, one.arguments, strict=True) if name == "me"), None)
        rest = [argument for name, argument in zip(names, one.arguments, strict=True) if name != "me"]
        words_for = ["for" if t.PLAYER in t.members(argument.type) else "with" for argument in rest]
        told = list(zip(words_for, map(self.argument, rest), strict=True))
        words = quoted(titled(bare(one.script)))
        for word in ("for", "with"):
            held = [text for how, text in told if how == word]
            words += f" {word} {listed(held)}" if held else ""
        return Act(YOU if who is None else self.thing(who), "carry out", words)

    def argument(self, expr: ir.Expr) -> str:
        """What a rule is given."""
        if isinstance(expr.type, t.Place):
            return self.spot(expr).thing.to
        said = self.said(expr)
        if isinstance(said, Thing):
            return said.to
        return said.all().to if isinstance(said, Group) else f"whether {claim_text(said)}"

    def _hook(self, one: ir.DoHook) -> list[Step]:
        me = next((argument for argument in one.arguments if t.PLAYER in t.members(argument.type)), None)
        others = [self.argument(each) for each in one.arguments if each is not me]
        held = f" with {listed(others)}" if others else ""
        stand_in = f" as if it were on {self.thing(one.stand_in).to}" if one.stand_in is not None else ""
        if isinstance(one.target, ir.TheAction):
            act = Act(YOU, "take", f"{self.thing(one.target).to}{held}")
        elif t.ACTION in t.members(one.target.type):
            target = self.thing(one.target).to
            verb, what = ("carry", f"{target} out") if target in ("it", "them") else ("carry out", target)
            act = Act(YOU, verb, f"{what}{held}")
        else:
            phrase = self.lexicon.phrase(one.hook)
            what = (
                possessed(self.thing(one.target), readable(one.hook)).to
                if phrase is None
                else f"{quoted(capital(phrase))} of {self.thing(one.target).to}"
            )
            act = Act(YOU, "carry out", f"{what}{held}{stand_in}")
        who = self.actor(*one.arguments) if me is None else self.thing(me)
        self.open(one.slot, Referent(CARD, "found"))
        return [Act(who, act.verb, act.rest)]
