"""The table of ops, `OPS`: a function for each, marked with `op` or `lacking`, whose parameters are its operands.

An op gets the run, its registers (`env`) and its operands. It returns where to go on, or None for the next op. The
annotation of an operand is its kind: `In` and `Out` are registers that are read and written, `First` is the first of
several registers in a row, `Target` an op of the same code, `Entry` where a piece of the same code begins that is run
on its own; all others are numbers, words, and tables that lowering has made.

Registers hold plain values, as `ir` describes them; an object is a card or an action.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define

ABSENT = "\0absent"
"""The value of a local whose `choose` had no option: sentences that read it are skipped."""

MOST_LISTED, MOST_VALUE = 10_000, 10**15
"""So long may lists be and so large numbers while a game runs; the checker holds what is written to the same."""
Env = list[Any]
"""The registers of a code: its locals, then what is worked out on the way, then its constants."""
In = int
Out = int
First = int
Target = int
Entry = int
CodeIndex = int
StageIndex = int
StreamSlot = int
Slots = tuple[int, ...]
Targets = tuple[int, ...]
Stages = tuple[int, ...]
Signs = tuple[int, ...]
Places = tuple["int | None", ...]
"""The ordinals of a place by its owner: one for the table, one for each seat, or by card."""
Objects = frozenset[int]
Printed = tuple[Any, ...]
Definitions = tuple[str, ...]
Steps = tuple[tuple[int, Any], ...]
End = str
Face = str
Way = str
Sign = str
"""A way to put two tables together: `+`, `-`, `*`, `/`, `min` or `max`."""
ManyWords = tuple[str, ...]
Name = str
Words = str
Sort = str
Told = int
"""A register that is only read to tell of it."""
Wording = Callable[..., str]
"""A function that makes the words of a question from a run and its registers."""
Counter = Callable[[], None]
"""Somebody who wants to know that the game came by."""
Does = TypeVar("Does", bound=Callable[..., "int | None"])


@define(eq=False)
class Op:
    """An op: its name, its operands with their kinds, and the function that does it."""

    name: str
    operands: dict[str, str]
    do: Callable[..., int | None]
    lacks: bool
    """True if it may ask something of nothing; then the code says where it goes on."""

    @property
    def about(self) -> str:
        """The sentence that says what it does."""
        return (inspect.getdoc(self.do) or "").partition("\n\n")[0]


OPS: dict[str, Op] = {}
"""Every op by its name."""


def op(do: Does) -> Does:
    """Enter a function into the table of ops."""
    return _enter(do, lacks=False)


def lacking(do: Does) -> Does:
    """Enter one that may ask something of nothing."""
    return _enter(do, lacks=True)


def _enter(do: Does, lacks: bool) -> Does:
    kinds = dict(list(do.__annotations__.items())[2:])
    kinds.pop("return", None)
    OPS[do.__name__] = Op(do.__name__, kinds, do, lacks)
    return do


@define(eq=False)
class Step:
    """An op with its operands, as it stands in a code."""

    op: Op
    operands: tuple[Any, ...]

    def __getitem__(self, name: str) -> Any:
        """An operand by its name."""
        return self.operands[list(self.op.operands).index(name)]

    def does(self, *functions: Callable[..., int | None]) -> bool:
        """Tell whether it is one of these ops."""
        return self.op.do in functions
