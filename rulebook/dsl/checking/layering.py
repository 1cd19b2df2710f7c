"""What `original` means in a script that a variant hangs on another.

In: a sentence or question in which `original` stands. Out: the call of what lies beneath, with what the script itself
was given, or a message. Never: checks what lies beneath, or says where a layer may hang.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, field, fields, has

from rulebook.dsl import ir
from rulebook.dsl import syntax as s
from rulebook.dsl import types as t
from rulebook.dsl.checking.scope import Scope
from rulebook.dsl.world import Parameter


def originals(tree: Any) -> Iterator[s.Original | s.OriginalAnswer]:
    """Every `original` that is written in sentences or a question."""
    if isinstance(tree, s.Original | s.OriginalAnswer):
        yield tree
    elif type(tree) is tuple:
        for item in tree:
            yield from originals(item)
    elif has(type(tree)):
        for one in fields(type(tree)):
            yield from originals(getattr(tree, one.name))


@define(eq=False)
class Original:
    """What one script hangs on.

    `name` is that of what lies beneath, `place` how the script hangs on it, `parameters` those of both, with `this`;
    `answer` finds what it answers or gives back, `question` tells which of the two. `given` are the slots of parameters
    that the script uses for something else, with the slot in which they are kept.
    """

    name: str
    place: str
    parameters: tuple[Parameter, ...]
    answer: Callable[[], t.Type]
    question: bool
    given: dict[int, int] = field(factory=dict)
    _used: s.At | None = None

    def call(self, scope: Scope, at: s.At) -> ir.CallValue:
        """The question, asked of what this script is about."""
        return ir.CallValue(self.name, self.arguments(scope, at), type=self.answer(), at=at)

    def arguments(self, scope: Scope, at: s.At) -> tuple[ir.Expr, ...]:
        """What this script was given."""
        return tuple(scope.local(self.given.get(slot, slot), at) for slot in range(len(self.parameters)))

    def twice(self, at: s.At) -> bool:
        """Whether `original` has been used before this place."""
        self._used = self._used or at
        return self._used is not at


def added(at: s.At) -> bool:
    """Whether nobody wrote the sentence: what hangs before or after has its `original` by itself."""
    return at.start == at.end


def misused(original: Original | None, at: s.At, *, question: bool) -> tuple[str, str] | None:
    """Why `original` means nothing at a place, or not in this way, and what to do; None if it is right there."""
    if original is None:
        help = "It stands in what a variant writes below `instead of`, for what lay there before."
        return "stands for nothing here", help
    if question and not original.question:
        return "is done here, not asked", "It is a sentence of its own; `original as paid` names what it gives back."
    if original.question and not question:
        return "is asked here, not done", "It stands for the answer: `return original`."
    if original.place != "instead of" and not added(at):
        which = "The script begins" if original.place == "after" else "The script ends"
        help = f"{which} with it. To say where it stands, hang this `instead of`."
        return f"stands by itself in what hangs `{original.place}`", help
    if original.twice(at):
        help = "Keep its answer: `let usual = original`." if question else "Put before and behind it what differs."
        return "stands here for the second time", help
    return None
