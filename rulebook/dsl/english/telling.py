"""What a card, an action, a rule or a value says, in English.

In: the rulebook, house rules. Out: lines. Never: plays; where house rules are not settled, it raises `Undecided` or
keeps them in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.english.flow import FlowTelling
from rulebook.dsl.english.grammar import YOU, Claim, Claims, Noun, Said, Thing, claim_text
from rulebook.dsl.english.groups import Group
from rulebook.dsl.english.house_rules import HouseRules
from rulebook.dsl.english.lexicon import NUMBER, Lexicon
from rulebook.dsl.english.scene import Frame
from rulebook.dsl.english.steps import Line, lines, sentence
from rulebook.dsl.english.words import capital, ordinal, readable

_LONGEST = 260  # letters of conditions in one sentence
_CARD, _ACTION = Thing("this card"), Thing("this action")


class Teller:
    """Tells one rulebook under some house rules."""

    def __init__(self, rulebook: ir.Rulebook, rules: HouseRules) -> None:
        self.rulebook, self.lexicon = rulebook, Lexicon(rulebook, rules)

    # ── what is told ─────────────────────────────────────────────────────────────────────────────────────────────

    def card(self, id: str) -> list[Line]:
        """All that a card does and answers itself; nothing of what its kind answers for it."""
        return self._hooks(id, "")

    def action(self, id: str) -> list[Line]:
        """When an action is possible, and what it does."""
        return self._hooks(id, "effect")

    def rule(self, name: str) -> list[Line]:
        """What a rule does."""
        return self.script(self.rulebook.scripts[f"rules.{name}"])

    def value(self, name: str) -> list[Line]:
        """What a value answers."""
        return self.question(self.rulebook.functions[f"values.{name}"], capital(readable(name)))

    def _hooks(self, id: str, main: str) -> list[Line]:
        table = self.rulebook.hooks
        names = {hook: cards[id] for hook, cards in table.items() if id in cards}
        scripts = {hook: name for hook, name in names.items() if name in self.rulebook.scripts}
        main = main or next((hook for hook in scripts if self._is_main(hook, id)), "")
        found: list[Line] = []
        for hook, name in names.items():
            if name in self.rulebook.functions and not name.startswith("kinds."):
                found += self.question(self.rulebook.functions[name], capital(self.lexicon.head(hook)))
        for hook in sorted(scripts, key=lambda one: one != main):
            told = self.script(self.rulebook.scripts[scripts[hook]])
            found = _appended(found, told if hook == main else _headed(capital(self.lexicon.head(hook)), told))
        return found

    def _is_main(self, hook: str, id: str) -> bool:
        """Whether each card of the kind does this: then it need not be said what it is."""
        kind = self.rulebook.cards[id].kind
        return all(one in self.rulebook.hooks[hook] for one, card in self.rulebook.cards.items() if card.kind == kind)

    # ── one script, one question ─────────────────────────────────────────────────────────────────────────────────

    def script(self, script: ir.Script) -> list[Line]:
        """What a script does."""
        teller = self.begun(script.slots, script.parameters)
        return lines(teller.steps(script.body))

    def question(self, function: ir.Function, title: str) -> list[Line]:
        """What a question answers: "Playable if …", "Bonus: the number of …"."""
        if function.body == ir.Const(True, type=t.YES_NO):
            return []
        teller = self.begun(function.slots, function.parameters)
        body = teller.answer_of(function.body)
        if isinstance(function.body, ir.Total):
            return [Line(f"{title}, added up:"), *self._lines(teller, function.body.lines)]
        if isinstance(body, ir.Conditions):
            so = [line for line in body.lines if teller.rules.decided(line.value) is not True]
            said = [(line.name, teller.claim(line.value)) for line in so]
            if len(said) == 1:
                return _answers(title, said[0][1])
            text = claim_text(Claims(tuple(one for _, one in said), "and"))
            if len(text) <= _LONGEST and not any(isinstance(one, Claims) for _, one in said):
                return [Line(sentence(f"{title} if {text}"))]
            points = [Line(sentence(f"{name}: {claim_text(one)}"), 1) for name, one in said]
            return [Line(f"{title} if all of this is so:"), *points]
        if body is None:
            assert isinstance(function.body, tuple)
            return _headed(title, lines(teller.steps(function.body)))
        if t.members(function.type) == {t.YES_NO}:
            so_far = teller.rules.decided(body)
            if so_far is not None:
                return [] if so_far else [Line(f"Never {title[:1].lower()}{title[1:]}.")]
            return _answers(title, teller.claim(body))
        return [Line(sentence(f"{title}: {teller.thing(body).to}"))]

    def _lines(self, teller: FlowTelling, named: Sequence[ir.Line]) -> list[Line]:
        found = []
        for line in named:
            if teller.rules.constant(line.value) != (True, 0):
                teller.focus = None
                found.append(Line(sentence(f"{line.name}: {teller.thing(line.value).to}"), 1))
        return found

    def begun(self, slots: ir.Slots, parameters: int) -> FlowTelling:
        """A telling of one script, with words for what it is given."""
        teller = FlowTelling(self.lexicon)
        teller.frame = Frame(slots)
        nouns = [self._parameter(teller, slots, slot) for slot in range(parameters)]
        for slot, noun in enumerate(nouns):
            same = [other for other in range(parameters) if nouns[other] == noun]
            which = f"{ordinal(same.index(slot))} " if len(same) > 1 else ""
            many = isinstance(slots.types[slot], t.ListOf)
            if slots.names[slot] == "this":
                teller.bind(slot, _ACTION if slots.types[slot] == t.ACTION else _CARD)
            elif slots.names[slot] == "me":
                teller.bind(slot, YOU)
            elif many:
                whole = Thing(f"the {which}{noun.many} given", "many", noun.person)
                teller.bind(slot, Group(noun, whole=whole, only=True))
            elif noun == NUMBER and not which:
                teller.bind(slot, Thing("that number", counts="that many"))
            elif noun == NUMBER:
                teller.bind(slot, Thing(f"the {readable(slots.names[slot])}"))
            else:
                teller.bind(slot, Thing(f"the {which}{noun.one}", person=noun.person))
        return teller

    def _parameter(self, teller: FlowTelling, slots: ir.Slots, slot: int) -> Noun:
        of = slots.types[slot]
        if slots.names[slot] in ("this", "me"):
            return Noun(slots.names[slot], "")
        return teller.item(of) if isinstance(of, t.ListOf) else self.lexicon.noun(of)


def _answers(title: str, said: Said) -> list[Line]:
    text = claim_text(said)
    return [Line(sentence(f"{title} if {text}"))]


def _deeper(found: list[Line]) -> list[Line]:
    return [Line(line.text, line.depth + 1) for line in found]


def _headed(title: str, told: list[Line]) -> list[Line]:
    if len(told) == 1:
        return [Line(f"{title}: {told[0].text}")]
    return [Line(f"{title}:"), *_deeper(told)]


def _appended(found: list[Line], told: list[Line]) -> list[Line]:
    return [*found, *told]


__all__ = ["Claim", "Teller"]
