"""Values of the rulebook and what cards answer: in place where that is short, else by their names.

In: calls. Out: phrases. Never: a call without its arguments, or words of a question that say something else than it
does.
"""

from __future__ import annotations

import re

from attrs import evolve

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.built_ins import BuiltInTelling
from rulebook.dsl.english.claims import clause_of
from rulebook.dsl.english.grammar import Claim, Claims, Noun, Said, Thing, claim_text, possessed
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.lexicon import quoted
from rulebook.dsl.english.scene import Frame, Given
from rulebook.dsl.english.things import Phrase
from rulebook.dsl.english.words import bare, base_form, is_plural, listed, plural, readable, titled

_SHORT = {Thing: 48, Group: 64, Claim: 90, Claims: 110}
"""How long a value may be, in letters, to be told in place."""
_DEEPEST = 4  # values within values that are told in place
_PREDICATE = ("is", "are", "has", "have", "can", "may", "must", "need", "will")
_PREPOSITIONS = ("of", "for", "above", "below", "at", "in", "on", "from", "with", "to", "by")
_HOLE = re.compile(r"\{([a-z_][a-z0-9_]*)\}('s)?")


class CallTelling(BuiltInTelling):
    """Says what is asked of values and cards."""

    _depth = 0

    def called(self, expr: ir.CallValue, yes: bool = True) -> Phrase:
        function, name = self.lexicon.rulebook.functions[expr.function], bare(expr.function)
        frame = self.given(function.slots, expr.arguments)
        phrase = self.lexicon.phrase(name)
        question = t.members(expr.type) == {t.YES_NO}
        if phrase is not None:
            return self._turn(self._clause(phrase, frame), yes) if question else self._noun(phrase, frame, expr.type)
        if question and self._is_predicate(expr):
            thing = self.thing(expr.arguments[0])
            return self.property(thing, name, yes)
        mine = [one for one in expr.arguments if t.PLAYER in t.members(one.type)]
        if not (len(mine) == 1 and len(expr.arguments) == 1) or isinstance(expr.type, t.ListOf) or question:
            told = self._in_place(function, frame, yes)
            if told is not None:
                return told
        if question:
            name = quoted(titled(name))
            if not expr.arguments:
                return Claim(Thing(name), "hold", "", not yes)
            things = [self.thing(one) for one in expr.arguments]
            subject = next((one for one in things if one.it), things[0])
            held = listed([one.to for one in things if one is not subject])
            return Claim(subject, "meet", name + (f" with {held}" if held else ""), not yes)
        return self._by_name(expr)

    def _is_predicate(self, expr: ir.CallValue) -> bool:
        head, _, rest = bare(expr.function).partition("_")
        return len(expr.arguments) == 1 and bool(rest) and head in _PREDICATE

    def given(self, slots: ir.Slots, arguments: tuple[ir.Expr, ...], first: int = 0) -> Frame:
        """The names of a script that is called: its parameters stand for what it was given."""
        frame = Frame(slots)
        for slot, argument in enumerate(arguments, first):
            frame.bound[slot] = Given(argument, self.frame)
        return frame

    # ── in place ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _in_place(self, function: ir.Function, frame: Frame, yes: bool) -> Phrase | None:
        """What a value says, if that is short."""
        body = self.answer_of(function.body)
        if body is None or self._depth >= _DEEPEST:
            return None
        self._depth += 1
        before = self.remember()
        with self.within(frame):
            said = self._all_lines(body, yes) if isinstance(body, ir.Conditions) else self._told(body, yes)
        self._depth -= 1
        if _length(said) <= _SHORT[type(said)]:
            return said
        self.forget(before)
        return None

    def _told(self, body: ir.Expr, yes: bool) -> Phrase:
        return self.claim(body, yes) if t.members(body.type) == {t.YES_NO} else self.said(body)

    def _all_lines(self, body: ir.Conditions, yes: bool) -> Said:
        lines = [line.value for line in body.lines if self.rules.decided(line.value) is not True]
        claims = tuple(self.claim(line, yes) for line in lines)
        return claims[0] if len(claims) == 1 else Claims(claims, "and" if yes else "or")

    def answer_of(self, body: ir.Body) -> ir.Expr | ir.Conditions | None:
        """The one expression that a question answers with, house rules settled; None if there is more to it."""
        if isinstance(body, ir.Total):
            return None
        if not isinstance(body, tuple):
            return body
        for statement in body:
            match statement:
                case ir.Return(value):
                    return value
                case ir.If(condition, then, otherwise) if (so := self.rules.decided(condition)) is not None:
                    branch = then if so else otherwise
                    if branch:
                        return self.answer_of(branch)
                case _:
                    return None
        return None

    # ── by name ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _by_name(self, expr: ir.CallValue) -> Phrase:
        arguments = list(expr.arguments)
        owner = next((one for one in arguments if t.PLAYER in t.members(one.type)), None)
        if len(arguments) == 1 and isinstance(arguments[0].type, t.Card):
            owner = arguments[0]
        words = readable(bare(expr.function))
        before, _, last = words.rpartition(" ")
        ends = last in _PREPOSITIONS
        if owner is not None:
            arguments.remove(owner)
            words = before if ends else words
            thing = possessed(self.thing(owner), words, "many" if is_plural(words) else "one")
        elif is_plural(words) and not isinstance(t.surely(expr.type), t.ListOf):
            thing = Thing(f"the number of {words}", long=True)
        else:
            thing = Thing(f"the {words}", "many" if is_plural(words) else "one")
        if arguments:
            rest = listed([self.thing(one).to for one in arguments])
            glue = "" if ends and owner is None else " of" if owner is None else " for"
            thing = evolve(thing, text=f"{thing.text}{glue} {rest}", long=True)
        if isinstance(t.surely(expr.type), t.ListOf):
            return Group(self.item(expr.type), whole=thing, only=True)
        return evolve(thing, person=t.PLAYER in t.members(expr.type))

    def fill(self, phrase: str, frame: Frame) -> str:
        """What somebody wrote for a value or rule, with what it is given."""

        def filled(hole: re.Match[str]) -> str:
            thing = self.parameter(hole[1], frame)
            return thing.of if hole[2] else thing.to

        return _HOLE.sub(filled, phrase)

    def parameter(self, name: str, frame: Frame) -> Thing:
        """What a parameter of a script stands for."""
        slot = frame.slots.names.index(name)
        with self.within(frame):
            return self.thing(ir.Local(slot, name, type=frame.slots.types[slot]))

    def _noun(self, phrase: str, frame: Frame, of: t.Type) -> Phrase:
        if isinstance(t.surely(of), t.ListOf):
            if not (hole := _HOLE.match(phrase)) or not hole[2]:
                one, _, many = phrase.partition("/")
                noun = self.item(of)
                words = [self.fill(part.strip(), frame) for part in (one, many or plural(one.strip()))]
                return Group(Noun(words[0], words[1], noun.person, called=noun))
            whole = possessed(self.parameter(hole[1], frame), self.fill(phrase[hole.end() + 1 :], frame), "many")
            return Group(self.item(of), whole=whole, only=True)
        hole = _HOLE.match(phrase)
        if hole is not None and hole[2] and phrase[hole.end() : hole.end() + 1] == " ":
            rest = self.fill(phrase[hole.end() + 1 :], frame)
            thing = possessed(self.parameter(hole[1], frame), rest, "many" if is_plural(rest) else "one")
        else:
            thing = Thing(f"the {self.fill(phrase, frame)}", long=True)
        return evolve(thing, person=t.PLAYER in t.members(of))

    def _clause(self, phrase: str, frame: Frame) -> Claim:
        return self.clause(phrase, frame) or Claim(Thing("it"), "be", f"so that {self.fill(phrase, frame)}")

    def clause(self, phrase: str, frame: Frame) -> Claim | None:
        """A clause that somebody wrote, about who or what stands first in it."""
        hole = _HOLE.match(phrase)
        if hole is None or hole[2]:
            return clause_of(self.fill(phrase, frame))
        verb, _, rest = phrase[hole.end() :].strip().partition(" ")
        subject, rest = self.parameter(hole[1], frame), self.fill(rest, frame)
        if verb in ("can", "may", "must", "will"):
            return Claim(subject, rest, "", modal=verb)
        return Claim(subject, base_form(verb) if verb.endswith("s") or verb == "are" else verb, rest)

    def _turn(self, claim: Claim, yes: bool) -> Claim:
        return claim if yes else evolve(claim, negative=not claim.negative)

    # ── what cards answer ────────────────────────────────────────────────────────────────────────────────────────

    def asked(self, expr: ir.AskHook, yes: bool = True) -> Phrase:
        target = self.thing(expr.target)
        phrase = self.lexicon.phrase(expr.hook)
        words = phrase or readable(expr.hook)
        others = [self.thing(one) for one in expr.arguments]
        held = listed([one.to for one in others if one.agrees != "you"])
        if t.members(expr.type) == {t.YES_NO}:
            claim = self.property(target, expr.hook, yes)
            return evolve(claim, rest=f"{claim.rest} for {held}".strip()) if held else claim
        thing = possessed(target, words, "many" if is_plural(words) else "one")
        thing = evolve(thing, text=f"{thing.text} for {held}", long=True) if held else thing
        if isinstance(t.surely(expr.type), t.ListOf):
            return Group(self.item(expr.type), whole=thing, only=True)
        return thing


def _length(said: Phrase) -> int:
    match said:
        case Thing():
            return len(said.to)
        case Group():
            return len(said.one())
    return len(claim_text(said))
