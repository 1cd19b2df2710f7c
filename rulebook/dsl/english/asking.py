"""Choices as steps: who chooses, how many, of what, and what follows.

In: `choose`, menus, windows. Out: steps. Never: a prompt, which is what the screen says; "may" where one must.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.deeds import DeedTelling
from rulebook.dsl.english.grammar import Noun, Thing, claim_text
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.lexicon import PLAYER, quoted
from rulebook.dsl.english.scene import Answers, Referent
from rulebook.dsl.english.steps import Act, Branch, Point, Points, Step
from rulebook.dsl.english.words import ordinal

_ANSWER = Noun("answer", "answers")


class AskTelling(DeedTelling):
    """Says what players are asked."""

    # ── one chooses ──────────────────────────────────────────────────────────────────────────────────────────────

    def choose(self, one: ir.Choose) -> list[Step]:
        """A choice of one player, with its own blocks."""
        who = self.thing(one.player)
        rest = self._picked(one.picks)
        act = Act(who, "choose", rest, "may" if one.may else "", "secretly" if one.secretly else "", opens=True)
        for pick in one.picks:
            self._bind(pick)
        if one.taken is None and not one.otherwise:
            return [act]
        subject = "you" if who.agrees == "you" else "they"
        if one.taken is not None:
            then = self.inner(one.taken)
            otherwise = () if one.otherwise is None else self.inner(one.otherwise)
            if not otherwise and (merged := self.under(act, then)):
                return merged
            return [act, Branch(f"{subject} do", then, otherwise, close=True)]
        focus = self.focus
        otherwise = self.inner(one.otherwise or ())
        self.focus = focus
        return [act, Branch(f"{subject} do not" if one.may else "there is none", otherwise, close=True)]

    def under(self, act: Act, then: Sequence[Step]) -> list[Step] | None:
        """What follows a choice that may be declined, in its sentence: "you may choose X and do Y"."""
        follow = [step for step in then if isinstance(step, Act)]
        same = all(step.subject.text == act.subject.text and not step.stated and not step.modal for step in follow)
        if not follow or len(follow) != len(then) or len(follow) > 1 or not same:
            return None
        return [act, *(evolve(step, modal=act.modal, goes_on=True, opens=True) for step in follow)]

    def inner(self, block: ir.Block) -> tuple[Step, ...]:
        """A block inside another: what it brings up is not spoken of outside."""
        steps = tuple(self.steps(block))
        self.focus = None
        return steps

    def _picked(self, picks: tuple[ir.Pick, ...]) -> str:
        texts: list[str] = []
        for index, pick in enumerate(picks):
            group = self.options(pick)
            if index and pick.sources == picks[index - 1].sources and not pick.many:
                texts.append("another one")
            else:
                texts.append(self._number(pick, group))
        return " and ".join(texts) + self._so_that(picks[-1])

    def options(self, pick: ir.Pick) -> Group:
        """What there is to choose from."""
        groups = tuple(self.group(source.list) for source in pick.sources)
        if len(groups) == 1:
            return groups[0]
        nouns = {group.noun for group in groups}
        return Group(nouns.pop() if len(nouns) == 1 else _ANSWER, parts=groups)

    def _number(self, pick: ir.Pick, group: Group) -> str:
        if not pick.many:
            return group.one(away=True)
        least = self.thing(pick.least)
        if pick.ordered and pick.most is None:
            return f"an order for {group.all(away=True).to}"
        if pick.most is None:
            return group.some("any number of", many=True, away=True)
        most = self.thing(pick.most)
        if least == most:
            return self.counted(pick.most, group, away=True)
        if least.number == 0:
            if most.counts:
                return group.some(f"up to {most.to}", most.number != 1, away=True)
            return group.some("any number of", many=True, away=True) + f", up to {most.to}"
        return group.some(f"{least.to} to {most.to}", many=True, away=True)

    def _so_that(self, pick: ir.Pick) -> str:
        if pick.so_that is None:
            return ""
        before = self.remember()
        noun = self.options(pick).noun.short
        chosen = Thing(f"the chosen {noun.many}", "many") if pick.many else Thing(f"the chosen {noun.one}")
        self.bind(pick.slot, chosen)
        said = claim_text(self.claim(pick.so_that))
        self.forget(before)
        return f" so that {said}"

    def _bind(self, pick: ir.Pick) -> None:
        group = self.options(pick)
        item = t.surely(pick.sources[0].list.type)
        inner = t.surely(item.item) if isinstance(item, t.ListOf) else item
        items = self.item(inner) if isinstance(inner, t.ListOf) else None
        self.open(pick.slot, Referent(group.noun.short, "chosen", many=pick.many, items=items))

    # ── all choose ───────────────────────────────────────────────────────────────────────────────────────────────

    def choose_each(self, one: ir.ChooseEach) -> list[Step]:
        """One sealed decision of several players."""
        players = self.group(one.players)
        decider = Referent(PLAYER, they=True)
        before = self.remember()
        self.open(one.slot, decider)
        rest = self._picked(one.picks)
        several = len({self.options(pick).noun for pick in one.picks}) < len(one.picks)
        self.forget(before)
        who = Thing(players.all().to, "many", person=True) if players.parts else Thing(players.each(), person=True)
        adverbs = ["each"] * bool(players.parts) + ["secretly"] * one.secretly
        act = Act(who, "choose", rest, "may" if one.may else "", " ".join(adverbs), "at the same time")
        for index, pick in enumerate(one.picks):
            noun = self.options(pick).noun.short
            self.bind(pick.slot, Answers(noun, f"{ordinal(index)} " if several else "", pick.many))
        otherwise = self.inner(one.otherwise or ())
        return [act, Branch("nobody chooses anything", otherwise)] if otherwise else [act]

    # ── menus and windows ────────────────────────────────────────────────────────────────────────────────────────

    def menu(self, one: ir.Menu) -> list[Step]:
        """One of several labels, or a label that may be taken."""
        who = self.thing(one.player)
        modal = "may" if one.may else ""
        options = [option for option in one.options if self._open(option)]
        if one.may and len(options) == 1:
            return self._single(who, options[0], one.otherwise or ())
        head = Act(who, "choose", "one", modal).clause()
        steps: list[Step] = [Points(head, tuple(self._point(option) for option in options))]
        subject = "you" if who.agrees == "you" else "they"
        otherwise = self.inner(one.otherwise or ())
        return [*steps, Branch(f"{subject} choose none", otherwise)] if otherwise else steps

    def _open(self, option: ir.Option) -> bool:
        return option.condition is None or self.rules.decided(option.condition) is not False

    def _condition(self, option: ir.Option) -> str:
        if option.condition is None or self.rules.decided(option.condition) is True:
            return ""
        return claim_text(self.claim(option.condition))

    def _single(self, who: Thing, option: ir.Option, declined: ir.Block) -> list[Step]:
        condition = self._condition(option)
        body = self.inner(option.body)
        otherwise = self.inner(declined)
        follow = [step for step in body if isinstance(step, Act)]
        same = all(step.subject.text == who.text and not step.stated and not step.modal for step in follow)
        if follow and len(follow) == len(body) and len(follow) < 3 and same:
            may: list[Step] = [evolve(step, modal="may") for step in follow]
        else:
            may = [Act(who, "choose", f"“{self.filled(option.label)}”", "may")]
            may.append(Branch(f"{'you' if who.agrees == 'you' else 'they'} do", body, otherwise, close=True))
            otherwise = ()
        if otherwise:
            may.append(Branch(f"{'you' if who.agrees == 'you' else 'they'} do not", otherwise, close=True))
        return [Branch(condition, tuple(may))] if condition else may

    def _point(self, option: ir.Option) -> Point:
        return Point(quoted(self.filled(option.label)), self._condition(option), self.inner(option.body))

    def offer(self, one: ir.Offer) -> list[Step]:
        """A window in which players may step in."""
        players = self.group(one.players)
        options = [option for option in one.options if self._open(option)]
        before = self.remember()
        self.open(one.slot, Referent(PLAYER, "stepping in"))
        self.around.append(one.slot)
        points = tuple(self._point(option) for option in options)
        self.around.pop()
        self.forget(before)
        what = "this" if len(options) == 1 else "one of these"
        if one.together:
            head = f"{players.all().to} decide at the same time whether to choose {what}, and those who do act in turn"
        else:
            head = f"ask {players.all().to} in turn until one of them chooses {what}"
        otherwise = self.inner(one.otherwise or ())
        steps: list[Step] = [Points(head, points)]
        return [*steps, Branch("nobody does", otherwise)] if otherwise else steps
