"""Mistakes of meaning: each can be made somewhere, and what nobody could notice is known as such.

`bench/meaning.py` draws many, and says what share is told.
"""

from __future__ import annotations

import random
from pathlib import Path

import meaning_slips
import pytest
from meaning_slips import Slip, Told
from paths import DATA

from rulebook import library
from rulebook.loading import load
from rulebook.loading.frontend import load_texts
from rulebook.validation import find_problems

TEXTS = [file.read_text("utf-8").splitlines() for game in library.find_games() for file in sorted(game.glob("*.yaml"))]
NIM = DATA / "solved" / "nim"


@pytest.mark.parametrize("name", meaning_slips.OPERATORS)
def test_each_mistake_can_be_made_in_the_bundled_games(name: str) -> None:
    operator = meaning_slips.OPERATORS[name]
    edits = [(lines, edit) for lines in TEXTS for edit in operator(lines)]
    assert len(edits) > 1
    for lines, (first, after, new) in random.Random(1).sample(edits, 2):
        assert lines[first:after] != new


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [
        ("set heap", "set heap", True),
        ("if heap is 0:", "if not (heap is not 0):", True),
        ("if heap is 0:", "if heap is 1:", False),
        ("min(3, heap)", "min(2, heap)", False),
    ],
)
def test_what_nobody_could_notice_is_found_by_play(old: str, new: str, alike: bool) -> None:
    rules = load(NIM).rulebook
    text = (NIM / "rulebook.yaml").read_text("utf-8")
    assert old in text
    changed = load_texts("nim", {"rulebook.yaml": text.replace(old, new)}).rulebook
    assert rules is not None and changed is not None
    assert meaning_slips.is_alike(rules, changed) is alike


def test_a_mistake_is_judged_by_where_it_is_told(tmp_path: Path) -> None:
    text = (NIM / "rulebook.yaml").read_text("utf-8").splitlines()
    line = next(number for number, line in enumerate(text) if "heap is 0" in line)
    text[line] = text[line].replace("heap", "heaps")
    (tmp_path / "rulebook.yaml").write_text("\n".join(text), "utf-8")
    messages = [Told.of(message) for message in find_problems(tmp_path)]
    for at, words, verdict in (
        (line, "nothing", "right"), (line + 1, "nothing", "near"), (0, "heaps", "named"), (0, "nothing", "elsewhere"),
    ):  # fmt: skip
        slip = Slip("", "rulebook.yaml", (at, at + 1, [words]), "\n".join(text))
        assert meaning_slips.judge(slip, messages) == {"told": verdict}
