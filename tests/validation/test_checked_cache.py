"""What was wrong the last time: told again if nothing has changed, and only then."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from rulebook import cache, library, validation
from rulebook.diagnostics import Diagnostic
from rulebook.loading import load_cache
from rulebook.reports import Report, write_json
from rulebook.validation import find_problems


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "kept"))
    yield tmp_path / "kept"
    load_cache.fingerprint_program.cache_clear()


RULES = """\
format: 1
name: Small
players: 2..4
memory:
  player: {gold: 0, silver: 0}
rules:
  game: |
    each me in players:
      ad 1 to me.gold
result: {rank: most gold}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game with a mistake that can be mended, and one that stands in two files."""
    folder = tmp_path / "small"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "rulebook.yaml").write_text(RULES, "utf-8")
    (folder / "more.yaml").write_text("memory:\n  player: {gold: 0}\n", "utf-8")
    (folder / "scenarios" / "more.yaml").write_text("scenarios: {odd: {playrs: 2}}\n", "utf-8")
    return folder


def told(found: list[Diagnostic]) -> str:
    return write_json(Report(tuple(found), (), "error"))


def again(folder: Path, variants: Sequence[Path] = ()) -> list[Diagnostic]:
    return find_problems(folder, variants, use_cache=True)


def forbidden(folder: Path, variants: object = ()) -> list[Diagnostic]:
    raise AssertionError("this was checked again")


def test_messages_come_back_whole(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = again(game)
    assert any(one.fix for one in first) and any(one.labels for one in first)
    monkeypatch.setattr(validation, "_check_game", forbidden)
    assert told(again(game)) == told(first)


def _same_size_and_time(game: Path) -> None:
    file = game / "more.yaml"
    before = file.stat()
    file.write_text(file.read_text("utf-8").replace("gold", "golf"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size and file.stat().st_mtime_ns == before.st_mtime_ns


CHANGES: dict[str, Callable[[Path], object]] = {
    "a word, and neither size nor time": _same_size_and_time,
    "a file less": lambda game: (game / "more.yaml").unlink(),
    "a file more": lambda game: (game / "again.yaml").write_text("memory: {table: {other: 0}}\n", "utf-8"),
    "an empty file": lambda game: (game / "again.yaml").touch(),
    "a file that is called otherwise": lambda game: (game / "more.yaml").rename(game / "most.yaml"),
    "a file with the wrong ending": lambda game: (game / "more.YML").touch(),
    "no rulebook": lambda game: (game / "rulebook.yaml").unlink(),
    "a scenario": lambda game: (game / "scenarios" / "more.yaml").write_text("scenarios: {}\n", "utf-8"),
    "a scenario less": lambda game: (game / "scenarios" / "more.yaml").unlink(),
    "a scenario that is a folder": lambda game: (game / "scenarios" / "most.yaml").mkdir(),
    "a variant": lambda game: [(game / "variants").mkdir(), (game / "variants" / "odd.yaml").write_text("a: b\n")],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_changes_is_checked_again(game: Path, change: Callable[[Path], object]) -> None:
    before = again(game)
    change(game)
    assert told(again(game)) == told(find_problems(game))
    assert told(again(game)) == told(find_problems(game))
    assert before


def test_another_folder_to_stand_in_has_other_names_for_the_files(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = again(game)
    monkeypatch.chdir(game)
    there = again(game)
    assert told(there) == told(find_problems(game)) != told(here)


def test_what_changes_while_it_is_checked_is_not_kept(game: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = validation._check_game

    def slow(folder: Path, variants: tuple[Path, ...] = ()) -> list[Diagnostic]:
        found = checked(folder, variants)
        (folder / "more.yaml").unlink()
        return found

    monkeypatch.setattr(validation, "_check_game", slow)
    again(game)
    assert not list(kept.glob("checked-*"))


@pytest.mark.parametrize("harm", [b"", b"rulebook cache 00000000\n[]", b"\xff" * 100], ids=["empty", "odd", "binary"])
def test_a_broken_file_is_written_anew(game: Path, kept: Path, harm: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    first = again(game)
    (file,) = kept.glob("checked-*")
    whole = file.read_bytes()
    file.write_bytes(harm)
    assert told(again(game)) == told(first)
    assert file.read_bytes() == whole
    monkeypatch.setattr(validation, "_check_game", forbidden)
    assert told(again(game)) == told(first)


def test_without_a_cache_it_is_checked(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SWITCH, "off")
    assert told(again(game)) == told(find_problems(game))
    assert not list(game.parent.glob("kept/*"))


@pytest.mark.slow
def test_the_answer_under_a_variant_is_another(tmp_path: Path) -> None:
    game = library.find_game("wallet")
    (variant,) = library.variants_of(game)[:1]
    copy = tmp_path / "odd.yaml"
    copy.write_text(variant.read_text("utf-8").replace("variant: ", "variant: x"), "utf-8")
    first = again(game, [copy])
    copy.write_text("nothing\n", "utf-8")
    assert told(again(game, [copy])) == told(find_problems(game, [copy])) != told(first)


def test_a_program_that_cannot_be_read_remembers_nothing(
    game: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_cache.fingerprint_program.cache_clear()
    monkeypatch.setattr(load_cache, "_stamps", lambda package: [])
    assert told(again(game)) == told(find_problems(game))
    assert not list(kept.glob("checked-*"))
