"""Scripts drawn from the whole language run on the compiled tiers as on the machine, to the last slot and message.

`bench/drawn.py` draws many more, also for the native tier.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from ir_games import game
from ir_scripts import BLOCKS
from tiers import held_against_machine

from rulebook.interpreter import run
from rulebook.interpreter.compiled import finish, offers, settled
from rulebook.interpreter.lower import lower
from rulebook.interpreter.primitives import asking


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes on for ever is stopped sooner."""
    for module in (run, settled):
        monkeypatch.setattr(module, "MOST_LOOKED_AT", 30_000)
    for module in (asking, offers, finish):
        monkeypatch.setattr(module, "MOST_ANSWERS", 150)


@settings(max_examples=50, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(BLOCKS)
def test_a_drawn_script_runs_alike_everywhere(body: Any) -> None:
    assert held_against_machine(lower(game(body), 3), seed=1) is None
