"""Tables by class, which mypy does not look into, know every sentence of the language."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from attrs import fields, frozen

from rulebook.dsl import ir, syntax
from rulebook.dsl.checking import statements
from rulebook.dsl.secrets import taint


def test_every_sentence_is_checked_and_followed() -> None:
    assert set(statements._CHECKS) == set(get_args(syntax.Statement))
    assert set(taint._TRANSFER) == set(get_args(ir.Statement))


HOLDS = {"slot", "slots", "index", "picks", "body", "then", "otherwise", "taken", "options"}
"""Fields by which a sentence binds a name or holds a block."""
SKIPPED_OTHERWISE = {ir.Assign, ir.Leave, ir.EndStage, ir.Return}
"""Sentences without such a field that are never skipped, or look themselves for what is not there."""


def test_a_plain_sentence_binds_no_name_and_holds_no_block() -> None:
    for kind in get_args(ir.Statement):
        holds = bool({one.name for one in fields(kind)} & HOLDS)
        assert kind.is_plain is not (holds or kind in SKIPPED_OTHERWISE), kind


@pytest.mark.parametrize("left_out", ["noticed", "may_be_idle", "is_plain"])
def test_a_sentence_that_forgets_to_say_what_it_is_cannot_be_made(left_out: str) -> None:
    said: dict[str, Any] = {"noticed": ir.NEVER, "may_be_idle": ir.NEVER, "is_plain": True}
    del said[left_out]
    with pytest.raises(TypeError, match=f"Discard does not say of itself: {left_out}"):

        @frozen
        class Discard(ir.Drawing, **said):
            goal: ir.Expr


def test_what_a_base_says_is_not_said_by_those_above_it() -> None:
    with pytest.raises(TypeError, match="noticed, may_be_idle, is_plain"):

        class Reshuffle(ir.Shuffle):
            pass
