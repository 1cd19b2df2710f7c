"""Of a list in which there surely is somebody the first is there, and of others it may not be (RB404)."""

from __future__ import annotations

import pytest
from drawn_lists import USES, draw_list
from drawn_secrets import make_game

from rulebook.examples import of_its_own
from rulebook.interpreter.random import Source


@pytest.mark.parametrize("is_sure", [True, False])
def test_who_surely_is_there_need_not_be_asked_for(is_sure: bool) -> None:
    below = Source(is_sure, "lists").below
    for _ in range(30):
        script = USES[below(len(USES))].format(list=draw_list(below, is_sure=is_sure))
        _, messages = of_its_own(make_game(script))
        assert [message.code for message in messages] == ([] if is_sure else ["RB404"]), script
