"""The checker of statements: a script that a variant hangs on another, and `original` in it.

In: the sentences of the layer, and the `Original` that it hangs on. Out: its block, which does what lies beneath where
the layer says, with what the layer was given, and gives back what that gives back. Never: checks what lies beneath.
"""

from __future__ import annotations

from attrs import define

from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.layering import Original, originals
from rulebook.dsl.checking.scope import named
from rulebook.dsl.checking.sentences import Sentences, always_leaves


@define
class Hanging(Sentences):
    """Checks layers. `kept` is the slot of what the original gave back, where the layer gives that back by itself."""

    kept: int | None = None

    def hung(self, trees: s.Block, original: Original) -> ir.Block:
        """The block of a layer: before its first sentence or after its last one stands the original, if it says so."""
        scalar = trees[0].at.scalar
        first, last = s.At(scalar, 0, 0), s.At(scalar, len(scalar.text), len(scalar.text))
        match original.place:
            case "before":
                answer = s.Return(s.OriginalAnswer(at=last), at=last)
                trees = (*trees, answer if self.pure else s.Original(None, at=last))
            case "after":
                trees = (s.Original(None, at=first), *trees)
        given = self._given(trees, original, first)
        if any(isinstance(one, s.Original) and one.name is None for one in originals(trees)):
            self._keep(original.answer())
        made = self.block(trees)
        if original.place == "before" and always_leaves(made[:-1]):
            help = "Hang this `instead of`, and leave `original` out."
            self.expressions.report("RB309", trees[0].at, help, problem="is never reached behind this")
        if self.kept is not None and not always_leaves(made):
            made = (*made, self.handed_back(last))
        return (*given, *made)

    def handed_back(self, at: s.At) -> ir.Return:
        """A `return` of what the original gave back, or of nothing where there is none."""
        slot = self.kept
        value = None if slot is None else ir.Local(slot, self.scope.names[slot], type=self.scope.types[slot], at=at)
        self.returned.append(value)
        return ir.Return(value, at=at)

    def _keep(self, answer: t.Type) -> None:
        if not t.fits(answer, t.NOTHING):
            self.kept = self.scope.unsaid("original", t.maybe(answer))

    def _given(self, trees: s.Block, original: Original, at: s.At) -> list[ir.Statement]:
        """Sentences that keep what the script was given, where it uses the name for something else before it goes on:
        `each me in players`.
        """
        again = set(named(trees)) if original.place != "after" and any(True for _ in originals(trees)) else set()
        made: list[ir.Statement] = []
        for slot, one in enumerate(original.parameters):
            if one.name in again:
                original.given[slot] = self.scope.unsaid(one.name, one.type)
                made.append(ir.Let(original.given[slot], self.scope.local(slot, at), at=at))
        return made

    def original(self, tree: s.Original) -> ir.Statement | None:
        """`original`, `original as paid`."""
        original = self.expressions.original_at(tree.at, question=False)
        if original is None:
            return None
        given = original.arguments(self.expressions.scope, tree.at)
        slot = self.bind(tree.name, original.answer()) if tree.name else self.kept
        return ir.DoRule(original.name, given, slot, guards=self.guards(), at=tree.at)
