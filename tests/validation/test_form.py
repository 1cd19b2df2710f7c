"""Slips of form, as other programs make them: each is told on its line, with what to write."""

from __future__ import annotations

from collections import Counter

import pytest
from form_slips import draw_slips, judge

from rulebook import library
from rulebook.examples import of_its_own

GAMES = ("cheat", "hearts", "crazy_eights", "liars_dice")


@pytest.mark.slow
def test_drawn_slips_are_told_with_their_mend() -> None:
    texts = {name: (library.find_game(name) / library.RULES).read_text("utf-8") for name in GAMES}
    told = Counter(
        judge(slip, of_its_own(slip.text, file, meant=True)[1]) for file, slip in draw_slips(texts, 70, "test")
    )
    assert told.total() == 70
    assert told["mended"] >= 0.9 * 70, told
