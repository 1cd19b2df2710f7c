"""Expressions that somebody watches, and mutants: the same rules with something in them left out or otherwise.

They stand only in rulebooks that are made to be played so, in `playtest/ablation`.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.document import At


@frozen
class Other:
    """A value that takes the place of another one in a mutant, or an expression that is worked out only there."""

    value: int | bool | ir.Expr
    mutant: int


@frozen
class Watched(ir.Node):
    """An expression, the number under which its values are noted, and what takes their place in mutants."""

    value: ir.Expr
    site: int
    others: tuple[Other, ...] = ()


@frozen
class Marks:
    """Numbers of what stands in the rules as it is, by its place: of each sentence the mutant that leaves it out, of
    each value within a text the site under which it is noted.
    """

    sentences: Mapping[At | None, int] = field(factory=dict)
    told: Mapping[At | None, int] = field(factory=dict)
