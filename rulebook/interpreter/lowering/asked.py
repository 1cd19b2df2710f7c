"""What a `tell` says that somebody learns, in words that everybody may read.

In: the sentence and the script in which it stands. Out: a clause behind "whether". Never: runs unless somebody reads
what happens; names what not everybody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.lowering.tables import Tables, sort_of
from rulebook.interpreter.ops.table import ABSENT, Env
from rulebook.interpreter.run import Run
from rulebook.interpreter.wording import word_value

if TYPE_CHECKING:
    from rulebook.english.grammar import Thing

_NAMED = (t.Number, t.Amount, t.YesNo, t.Symbol, t.Text, t.Player)
"""Of what sorts values are that say by themselves what they are."""


@frozen(eq=False)
class Asked:
    """Words the question of a `tell`, and remembers them by what the names in it stand for."""

    tables: Tables
    script: ir.Script
    told: ir.Tell
    _worded: dict[Any, str] = field(factory=dict)

    def __call__(self, run: Run, env: Env) -> str:
        values = {slot: env[slot] for slot in sorted(self.told.known)}
        known = run.names, *values.values()
        if known not in self._worded:
            self._worded[known] = self._word_question(run, values)
        return self._worded[known]

    def __str__(self) -> str:
        at = self.told.question.at
        return "" if at is None else at.span.text

    def _word_question(self, run: Run, values: dict[int, Any]) -> str:
        from rulebook.english.lexicon import HouseRules, Lexicon
        from rulebook.english.sheet import word_question

        rulebook = self.tables.rulebook
        lexicon = Lexicon(rulebook, HouseRules(rulebook.options, self.tables.options))
        things = {
            slot: thing for slot, value in values.items() if (thing := self._word_thing(run, slot, value)) is not None
        }
        return word_question(lexicon, self.script, self.told.question, things)

    def _word_thing(self, run: Run, slot: int, value: Any) -> Thing | None:
        """Word what a name stands for; none if it must be described."""
        from rulebook.english.grammar import Thing

        of = t.surely(self.script.slots.types[slot])
        if value is None or value is ABSENT or not all(isinstance(one, _NAMED) for one in t.members(of)):
            return None
        if isinstance(of, t.Either) and not isinstance(value, str):
            return None  # a number of which nobody can say what it counts
        return Thing(word_value(run.program, run.names, value, sort_of(of)), person=of == t.PLAYER)
