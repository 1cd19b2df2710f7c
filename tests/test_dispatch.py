"""Tables by class, which mypy does not look into, know every sentence of the language."""

from __future__ import annotations

from typing import get_args

from rulebook.dsl import ir, syntax
from rulebook.dsl.checking import statements
from rulebook.dsl.secrets import taint


def test_every_sentence_is_checked_and_followed() -> None:
    assert set(statements._CHECKS) == set(get_args(syntax.Statement))
    assert set(taint._TRANSFER) == set(get_args(ir.Statement))
