"""What rulebooks mean, and what is wrong with them: names, types, sentences, declarations.

Nearly all of it is data: `data/checker/*.yaml` hold snippets, the place of each mistake between marks, and what the
message must say. A snippet without `gives` is good.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from checking import DATA, SLOTS, cases, checked, placed, question, rule, unmarked

from rulebook.dsl import ir
from rulebook.dsl import types as t

FILES = ["names", "typing", "narrowing", "sentences", "declared"]


@pytest.mark.parametrize(("slot", "snippet", "gives"), cases(*FILES))
def test_snippet(slot: str, snippet: str, gives: list[str]) -> None:
    text, marks = unmarked(placed(snippet, slot))
    done = checked(text)
    assert len(marks) == len(gives), "each message has its mark"
    wanted = [(one.split()[0], *mark) for one, mark in zip(gives, marks, strict=True)]
    assert done.places() == wanted, done.report()
    for one, found in zip(gives, done.in_order(), strict=True):
        piece = one.partition(" ")[2]
        assert piece in f"{found.message} {found.help}", done.report()
