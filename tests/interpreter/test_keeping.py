"""Answers that are kept are those that would be found out again: what they read is all that they hang on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cores import has_core, play_both
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ir_games import game
from ir_scripts import BLOCKS
from moments import ALL, lower_whole, recorded, rulebook_of

from rulebook.dsl import ir
from rulebook.interpreter.lower import lower
from rulebook.interpreter.lowering import expressions, keeping
from rulebook.interpreter.program import Program


def find_all_keys(w: Any, expr: ir.Expr) -> tuple[int, ...] | None:
    """Keep whatever may be kept, wherever it stands."""
    if w.kept_in or w.tables.work_out is None or not keeping.is_plain(expr.type):
        return None
    free = keeping.find_free(expr)
    if len(free) > 1 or not all(keeping.is_plain(local.type) for local in free.values()):
        return None
    return tuple(map(w.find_register, free)) if keeping.find_reads(w.tables, expr) else None


def lower_kept_whole(w: Any, expr: ir.Expr, to: int | None, keys: tuple[int, ...]) -> int:
    """Within an answer that is kept, keep none."""
    through, w.through = w.through, (*w.through, (0, 0))
    register = LOWER_KEPT(w, expr, to, keys)
    w.through = through
    return register


LOWER_KEPT, KEEP = expressions._lower_kept, keeping.keep


@pytest.fixture
def keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "_find_keys", find_all_keys)
    monkeypatch.setattr(expressions, "_lower_kept", lower_kept_whole)


def lower_bare(rulebook: ir.Rulebook, players: int) -> Program:
    """The same rules with nothing kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expressions, "_find_keys", lambda w, expr: None)
        return lower_whole(rulebook, players)


def count_kept(program: Program) -> int:
    steps = [step for code in (*program.codes, *program.questions.values()) for step in code.steps]
    return sum(len(step["kept"].answers) for step in steps if step.op.name == "remember")


def differ(rulebook: ir.Rulebook, players: int, seed: int = 3) -> bool:
    """Play the same game with answers that are kept and without, and tell whether it went otherwise."""
    return [*recorded(lower_whole(rulebook, players), seed)] != [*recorded(lower_bare(rulebook, players), seed)]


@pytest.mark.parametrize("name", ALL)
def test_games_go_as_if_nothing_was_kept(name: str, tmp_path: Path, keep_all: None) -> None:
    rulebook = rulebook_of(name, tmp_path)
    players = min(rulebook.players[-1], 4)
    kept = lower_whole(rulebook, players)
    assert [*recorded(kept, 5)] == [*recorded(lower_bare(rulebook, players), 5)]
    assert count_kept(kept) > 0


@pytest.mark.slow
@settings(max_examples=20, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(BLOCKS)
def test_drawn_games_go_as_if_nothing_was_kept(keep_all: None, body: Any) -> None:
    rulebook = game(body)
    assert not differ(rulebook, 3)


@pytest.mark.needs(has_core(), "the core")
@pytest.mark.parametrize("name", ALL)
def test_the_core_keeps_what_the_machine_keeps(name: str, tmp_path: Path, keep_all: None) -> None:
    rulebook = rulebook_of(name, tmp_path)
    assert play_both(lower(rulebook, min(rulebook.players[-1], 4)), seed=6, most=200) > 0


@pytest.mark.slow
@pytest.mark.needs(has_core(), "the core")
@settings(max_examples=20, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(BLOCKS, st.sampled_from([3, 3, 12]))
def test_the_core_keeps_the_same_in_drawn_games(keep_all: None, body: Any, players: int) -> None:
    play_both(lower(game(body), players), seed=1, most=60)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["", "place", "memory", "memory of players", "state"])
def test_what_is_not_known_to_be_read_is_found(
    kind: str, keep_all: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison finds it out if what answers read is left out, whatever it is."""

    def keep_with_less(tables: Any, reads: keeping.Reads) -> Any:
        return KEEP(tables, frozenset(read for read in reads if read[0] != kind))

    monkeypatch.setattr(expressions, "keep", keep_with_less)
    rulebooks = (rulebook_of(name, tmp_path / name) for name in ALL)
    assert any(differ(rulebook, min(rulebook.players[-1], 4)) for rulebook in rulebooks)
