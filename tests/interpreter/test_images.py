"""Images of programs that are kept: the very same, found only for the very same program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from cores import has_core

from rulebook import cache
from rulebook.dsl.settling.leaving_out import LEFT_OUT
from rulebook.interpreter.core import images
from rulebook.interpreter.core.door import Core, known_ops
from rulebook.interpreter.core.encode import Image, encode
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.library import find_game, find_variant
from rulebook.loading import load, load_cache

pytestmark = pytest.mark.needs(has_core(), "the core")


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "kept"))
    yield tmp_path / "kept"
    load_cache.fingerprint_program.cache_clear()


def program_of(
    game: str, players: int | None = None, variants: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> Program:
    folder = find_game(game)
    rulebook = load(folder, [find_variant(folder, name) for name in variants], use_cache=True).rulebook
    assert rulebook is not None
    return lower(rulebook, players or rulebook.players[0], {LEFT_OUT: without} if without else {})


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[Program]:
    """The programs that were encoded anew."""
    programs: list[Program] = []

    def count(program: Program, ops: Any) -> Image:
        programs.append(program)
        return encode(program, ops)

    monkeypatch.setattr(images, "encode", count)
    return programs


@pytest.mark.parametrize(
    "game", ["kuhn_poker", "hearts", *(pytest.param(name, marks=pytest.mark.slow) for name in ("wallet", "exposed"))]
)
def test_the_second_time_nothing_is_encoded_nor_lowered_for_it(game: str, encoded: list[Program]) -> None:
    first, second = (Core(program_of(game)) for _ in range(2))
    assert encoded == [first.program]
    assert second.image == first.image
    assert second.image == encode(program_of(game), known_ops())
    picks = [[(pick.slot, pick.least, pick.line, len(pick.sources)) for pick in core.picks] for core in (first, second)]
    assert picks[0]
    assert picks[0] == picks[1]
    third = program_of(game)
    Core(third)
    with pytest.raises(AttributeError):  # of a code that nobody has looked at there is nothing yet
        object.__getattribute__(third.codes[third.root], "steps")


def test_whatever_makes_another_program_makes_another_image(encoded: list[Program]) -> None:
    asked: list[Callable[[], Program]] = [
        lambda: program_of("wallet"),
        lambda: program_of("wallet", 4),
        lambda: program_of("wallet", variants=("hard_cash",)),
        lambda: program_of("wallet", without=("note_100",)),
        lambda: program_of("exposed"),
        lambda: program_of("hearts"),
    ]
    for round in range(2):
        for make in asked:
            program = make()
            assert Core(program).image == encode(program, known_ops())
        assert len(encoded) == len(asked), round


def test_what_is_made_of_rules_that_are_kept_is_not_taken_for_them(encoded: list[Program]) -> None:
    program = program_of("kuhn_poker")
    rulebook = program.lowering.tables.rulebook
    assert program.kept_as is not None
    assert attrs.evolve(program).kept_as is None
    assert attrs.evolve(rulebook).kept_as is None
    kept_rules = load(find_game("kuhn_poker"), use_cache=True).rulebook
    assert kept_rules is not None
    assert kept_rules.kept_as is not None
    assert lower(attrs.evolve(kept_rules, cards={}), 2).kept_as is None
    Core(program)
    Core(attrs.evolve(program))
    assert len(encoded) == 2


def test_rules_that_change_are_encoded_again(tmp_path: Path, encoded: list[Program]) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    for gold in (1, 2):
        (folder / "rulebook.yaml").write_text(
            f"format: 1\nname: Small\nplayers: 2..4\nmemory:\n  player: {{gold: {gold}}}\nrules:\n  game: |\n"
            "    each me in players:\n      add 1 to me.gold\nresult: {rank: most gold}\n",
            "utf-8",
        )
        for _ in range(2):
            rulebook = load(folder, use_cache=True).rulebook
            assert rulebook is not None
            program = lower(rulebook, 2)
            assert Core(program).image == encode(program, known_ops())
    assert len(encoded) == 2


@pytest.mark.parametrize(
    "data", [None, [], [[1], ["a"], [], [[1], [1, 2]], []], [["x"], [], [], [[], []], []], {"numbers": 1}]
)
def test_a_file_that_holds_something_else_is_no_image(data: Any, encoded: list[Program], kept: Path) -> None:
    Core(program_of("kuhn_poker"))
    program = program_of("kuhn_poker")
    assert program.kept_as is not None
    [file] = kept.glob("image-*.json")
    cache.write_data(file.name, f"{program.kept_as[1]} {program.kept_as[0]}", data)
    assert Core(program).image == encode(program, known_ops())
    assert len(encoded) == 2
    file.write_bytes(file.read_bytes()[:-1] + b" ")
    assert Core(program_of("kuhn_poker")).image == encode(program, known_ops())
    assert len(encoded) == 3
