"""Very many of one thing that can be declared; `bench/doubling.py` has more of them, and more of each."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from many import MANY

from rulebook.validation import find_problems


def seconds(folder: Path, name: str, many: int) -> float:
    """Of the processor, to check a game with so many: the least of three, as others use the machine, too."""
    for file, text in MANY[name](many).items():
        path = folder / str(many) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    tries = list[float]()
    for _ in range(3):
        begun = time.process_time()
        find_problems(folder / str(many))
        tries.append(time.process_time() - begun)
    return min(tries)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("kinds with companions", 300),
        ("kinds with an attribute", 300),
        ("attributes called like values", 300),
        ("rules that do the next", 100),
        ("rules that do the next twice", 100),
    ],
)
def test_four_times_as_many_take_not_much_more_than_four_times_as_long(tmp_path: Path, name: str, number: int) -> None:
    seconds(tmp_path, name, 10)
    few, many = seconds(tmp_path, name, number), seconds(tmp_path, name, 4 * number)
    assert many < 9 * few + 0.1  # sixteen times as long, if each were held against each
