"""The question of a `tell` in words that everybody may read.

In: the sentence and the script in which it stands. Out: a clause behind "whether". Never: runs unless somebody reads
what happens; names what not everybody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.settling.filling_in import fill_in
from rulebook.interpreter.lowering.tables import Tables, sort_of
from rulebook.interpreter.op_table import ABSENT, Env
from rulebook.interpreter.run import Run
from rulebook.interpreter.wording import word_value

if TYPE_CHECKING:
    from rulebook.english.grammar import Thing

_NAMED = (t.Number, t.Amount, t.YesNo, t.Symbol, t.Text, t.Player)
"""Types of values that say by themselves what they are."""


@frozen(eq=False)
class Asked:
    """Words the question of a `tell`, and remembers them by what the names in it stand for."""

    tables: Tables
    script: ir.Script
    tell: ir.Tell
    _worded: dict[Any, str] = field(factory=dict)

    def __call__(self, run: Run, env: Env) -> str:
        values = {slot: env[slot] for slot in sorted(self.tell.known)}
        known = run.names, *values.values()
        if known not in self._worded:
            self._worded[known] = self._word_question(run, values)
        return self._worded[known]

    def __str__(self) -> str:
        at = self.tell.question.at
        return "" if at is None else at.span.text

    def _word_question(self, run: Run, values: dict[int, Any]) -> str:
        from rulebook.english.lexicon import HouseRules, Lexicon
        from rulebook.english.sheet import word_question

        rulebook, told = self.tables.told, self.tables.as_told(self.script)
        lexicon = Lexicon(rulebook, HouseRules(rulebook.options, self.tables.options))
        types = {slot: of for slot, value in values.items() if (of := self._find_type(slot, value)) is not None}
        things = {slot: self._word_thing(run, values[slot], of) for slot, of in types.items()}
        known = {slot: ir.Const(values[slot], type=of) for slot, of in types.items() if of != t.PLAYER}
        script = evolve(told, body=fill_in(told.body, known, lexicon.rules.find_settled))
        return word_question(lexicon, script, fill_in(self.tell.question, known, lexicon.rules.find_settled), things)

    def _find_type(self, slot: int, value: Any) -> t.Type | None:
        """Find of what type the value of a name is that may have several; none if it does not say what it is."""
        of = t.members(t.surely(self.script.slots.types[slot]))
        if value is None or value is ABSENT or not all(isinstance(type, _NAMED) for type in of):
            return None
        if not isinstance(value, str):
            fitting = [own for own in of if isinstance(own, t.YesNo) == isinstance(value, bool) and not _is_word(own)]
            return fitting[0] if len(fitting) == 1 else None
        words, symbols = self.tables.rulebook.words, [type for type in of if isinstance(type, t.Symbol)]
        if len(of) == 1:
            return next(iter(of))
        if any(symbol.enumeration not in words for symbol in symbols):
            return None
        meant = [symbol for symbol in symbols if value in words[symbol.enumeration]]
        return meant[0] if len(meant) == 1 else None if meant else t.TEXT

    def _word_thing(self, run: Run, value: Any, of: t.Type) -> Thing:
        """Word what a name stands for."""
        from rulebook.english.grammar import Thing

        return Thing(word_value(run.program, run.names, value, sort_of(of)), person=of == t.PLAYER)


def _is_word(of: t.Type) -> bool:
    """Tell whether values of a type are texts."""
    return isinstance(of, t.Symbol | t.Text)
