"""Lists as they are written in a rule, gone through, put together and handed over: on the machine and in the core."""

from __future__ import annotations

from pathlib import Path

import pytest
from cores import play_both
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulebook.interpreter.core.library import NoCore
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.loading import load

GAME = """\
format: 1
name: Sums
players: 2..2
memory: {table: {total: 0, rounds: 0}}
rules:
  add_up(set of number ns, number step): |
    each n in ns as at:
      add at * n to total
      add step to rounds
  game: |
"""


def total(tmp_path: Path, script: str) -> tuple[int, int]:
    """The sum, and how many rounds there were, when a script is at its end."""
    (tmp_path / "rulebook.yaml").write_text(GAME + script, "utf-8")
    loaded = load(tmp_path)
    assert loaded.rulebook is not None, [one.message for one in loaded.messages]
    program = lower(loaded.rulebook, 2)
    state = Machine(program).new_state(1)
    assert Machine(program).advance(state) is None
    try:
        find_library()
    except NoCore:
        pass
    else:
        assert play_both(program, 1) == 0
    memory = program.layout.memory
    return state[memory["total"].slot], state[memory["rounds"].slot]


NUMBERS = st.lists(st.integers(0, 9), min_size=1, max_size=5)
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def weigh(numbers: list[int]) -> int:
    return sum(at * number for at, number in enumerate(numbers, 1))


@pytest.mark.slow
@QUICK
@given(NUMBERS, st.sampled_from(["{}", "{} + []", "({} if rounds is 0 else [7])", "distinct({})", "(n for n in {})"]))
def test_a_written_list_is_gone_through(tmp_path: Path, numbers: list[int], form: str) -> None:
    listed = form.format(numbers)
    kept = list(dict.fromkeys(numbers)) if "distinct" in form else numbers
    script = f"    each n in {listed} as at:\n      add at * n to total\n      add 1 to rounds\n"
    assert total(tmp_path, script) == (weigh(kept), len(kept))
    assert total(tmp_path, f"    do add_up({listed}, 1)\n") == (weigh(kept), len(kept))
    assert total(tmp_path, f"    let ns = {listed}\n    do add_up(ns, 1)\n") == (weigh(kept), len(kept))


@pytest.mark.slow
@QUICK
@given(st.lists(NUMBERS, min_size=2, max_size=4))
def test_lists_in_a_list_are_gone_through_one_by_one(tmp_path: Path, lists: list[list[int]]) -> None:
    expected = sum(map(weigh, lists)), sum(map(len, lists))
    for named in (False, True):
        script = f"    let all_of_them = {lists}\n" if named else ""
        script += f"    each ns in {'all_of_them' if named else lists}:\n"
        inside = "      each n in ns as at:\n        add at * n to total\n        add 1 to rounds\n"
        assert total(tmp_path, script + inside) == expected
        assert total(tmp_path, script + "      do add_up(ns, 1)\n") == expected


@pytest.mark.parametrize("listed", ["[]", "[] + []"])
def test_an_empty_list_has_no_round(tmp_path: Path, listed: str) -> None:
    assert total(tmp_path, f"    each n in {listed}:\n      add 1 to rounds\n") == (0, 0)
