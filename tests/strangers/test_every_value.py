"""Sentences with values of every sort in them end in a message or in a game, never in a bug of ours."""

from __future__ import annotations

import random

import pytest
from every_value import list_pairs, try_pair

PLANTED = [
    ("arrange #", "[red,red]"),
    ("arrange #", "cells(here_grid)"),
    ("let y = # for q in deck", '"word"'),
    ("swap # with first(here_row)", "first(cells(here_grid))"),
    ("move all from # to dump", "first(cells(here_grid))"),
]
"""Pairs that once ended as a bug of ours."""


@pytest.mark.parametrize(("sentence", "value"), PLANTED)
def test_pair_that_was_a_bug(sentence: str, value: str) -> None:
    try_pair(sentence, value)


@pytest.mark.slow
def test_drawn_pairs() -> None:
    pairs = random.Random("every value").sample(list(list_pairs()), 100)
    played = [pair for pair in pairs if try_pair(*pair)]
    assert len(played) > 5
