"""The abstract state at one point of a script: values, implicit flows, and what has been declassified.

*Implicit flow*: that a line runs at all tells how the conditions before it came out. Two taints follow it, for what a
person may infer (`quiet`) and for what the program shows by what it does (`hidden`, decision 30).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from attrs import define, field

from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.secrets.declassified import Declassified
from rulebook.dsl.secrets.environment import Environment
from rulebook.dsl.secrets.lattice import PUBLIC, Taint
from rulebook.dsl.walk import blocks

Key: TypeAlias = tuple[str, str, int, int, str]
"""The identity of a message: code, file, start, end, script."""


@define
class State:
    """The abstract state at one line."""

    env: Environment
    quiet: Taint = PUBLIC
    """Implicit flow: what it depends on that this line is reached, until everybody notices something."""
    hidden: Taint = PUBLIC
    """The same, without what has been declassified."""
    hidden_by: At | None = None
    """The last condition that is in `hidden`."""
    announced: frozenset[int] = frozenset()
    """Names of which all may hear whether they stand for anything, and of which sort."""
    heard: frozenset[int] = frozenset()
    """The announced names of which all have heard: nothing hid that somebody chose."""
    opened: frozenset[int] = frozenset()
    """Names of which all have seen what they stand for."""
    everyone: frozenset[int] = frozenset()
    """The slots of loops that go through all players."""
    provisional: list[tuple[Key, Taint]] = field(factory=list)
    """Messages in this block that go if what they are about is laid open before anybody is asked."""

    @property
    def declassified(self) -> Declassified:
        """Everything that all have been shown or told."""
        return self.env.declassified

    def declassify(self, more: Declassified) -> None:
        """Let all be shown or told this."""
        self.env = self.env.know(self.declassified | more)

    def fork(self, quiet: Taint = PUBLIC, hidden: Taint = PUBLIC, at: At | None = None) -> State:
        """Return the state at the start of a block, where these decide whether it runs."""
        return State(
            self.env, self.quiet | quiet, self.hidden | hidden, at if hidden else self.hidden_by,
            self.announced, self.heard, self.opened, self.everyone,
        )  # fmt: skip

    def join(self, run: Sequence[ir.Block], ends: Sequence[State], begun: State) -> None:
        """Go on behind blocks of which one has run, begun in one state and ended in these."""
        quiet, hidden = PUBLIC, self.hidden - begun.hidden
        escaping = [escapes(block) for block in run]
        for escaped, end in zip(escaping, ends, strict=True):
            # Whoever sees nothing of a block that comes to its end cannot tell whether it ran.
            hidden |= end.hidden if escaped else end.hidden & self.hidden
            if self.quiet or escaped:
                quiet |= end.quiet
        self.quiet, self.hidden = quiet, hidden
        declassified = self.declassified
        self.env = ends[0].env
        for end in ends[1:]:
            self.env = self.env.join(end.env)
        # After an escape, what would lay it open may not be reached.
        behind = [message for end in (self, *ends) for message in end.provisional]
        self.provisional = [] if any(escaping) else behind
        through = [end for block, end in zip(run, ends, strict=True) if not always_leaves(block)]
        for end in through[:1]:
            declassified, self.opened = end.declassified, end.opened
            self.announced, self.heard = end.announced, end.heard
        for end in through[1:]:
            declassified &= end.declassified
            self.announced &= end.announced
            self.heard &= end.heard
            self.opened &= end.opened
        self.env = self.env.know(declassified)


def escapes(block: ir.Block, loops: int = 0, *, skips: bool = True) -> bool:
    """Find a jump out of what stands around a block: what follows is control-dependent on it.

    `loops` stand between the block and what it would jump out of. Without `skips`, going on with the next round of that
    loop is no such jump. The end of a game or of a stage is none: all see it.
    """
    for line in block:
        match line:
            case ir.Leave(skip, depth) if depth > loops or (depth == loops and (skips or not skip)):
                return True
            case ir.Return():
                return True
        inside = loops + isinstance(line, ir.Loop)
        behind = line.otherwise if isinstance(line, ir.Offer) else None  # what stands behind a window is out of it
        for inner in blocks(line):
            if escapes(inner, loops if inner is behind else inside, skips=skips):
                return True
    return False


def always_leaves(block: ir.Block) -> bool:
    """Check that nobody comes to the end of a block."""
    return bool(block) and isinstance(block[-1], ir.Leave | ir.Return | ir.EndStage | ir.Win)
