"""A game as it was loaded the last time: the same to the last place, and only while nothing has changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import attrs
import pytest

from rulebook import cache
from rulebook.dsl import ir
from rulebook.dsl.document import At, Scalar
from rulebook.dsl.flat import flatten, unflatten
from rulebook.interpreter.listing import list_steps
from rulebook.interpreter.lower import lower
from rulebook.library import find_game, find_variant, variants_of
from rulebook.loading import Loaded, frontend, load_cache
from rulebook.loading import load as load_anew


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
  player: {gold: 0, iron: 0}
rules:
  game: |
    each me in players:
      add 1 to me.gold
      stage evening "Evening":
        add 1 to me.iron
result: {rank: most gold}
"""
MORE = "values:\n  wealth(p): p.gold + p.iron\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(RULES, "utf-8")
    (folder / "more.yaml").write_text(MORE, "utf-8")
    return folder


def load(path: Path, variants: Sequence[Path] = ()) -> Loaded:
    return load_anew(path, variants, use_cache=True)


def forbidden(*words: object, **more: object) -> NoReturn:
    raise AssertionError("this was loaded again")


def apart(one: Any, other: Any, path: str = "rulebook") -> Iterator[str]:
    """Where two values differ, places in files among what is compared."""
    if type(one) is not type(other):
        yield f"{path}: {type(one)} against {type(other)}"
    elif isinstance(one, dict | tuple | list):
        if [*one] != [*other] if isinstance(one, dict) else len(one) != len(other):
            yield f"{path}: {one!r} against {other!r}"
        pairs = [(key, one[key], other[key]) for key in one] if isinstance(one, dict) else enumerate_both(one, other)
        for key, mine, yours in pairs:
            yield from apart(mine, yours, f"{path}[{key}]")
    elif attrs.has(type(one)):
        for field in attrs.fields(type(one)):
            yield from apart(getattr(one, field.name), getattr(other, field.name), f"{path}.{field.name}")
    elif one != other:
        yield f"{path}: {one!r} against {other!r}"


def enumerate_both(one: Any, other: Any) -> list[tuple[int, Any, Any]]:
    return [(number, *pair) for number, pair in enumerate(zip(one, other, strict=True))]


@pytest.mark.slow
def test_a_rulebook_comes_back_to_the_last_place(bundled_game: Path) -> None:
    for variants in ([], *([one] for one in variants_of(bundled_game)[::5])):
        rulebook = load_anew(bundled_game, variants).rulebook
        assert rulebook is not None
        again = unflatten(json.loads(json.dumps(flatten(rulebook))))
        if not variants:  # a layer comes back as the text that it is
            assert [*apart(rulebook, again)] == []
        assert again == rulebook
        one, other = (lower(each, each.players[-1]) for each in (rulebook, again))
        assert one.rules_hash == other.rules_hash
        codes = [(*program.codes, *program.questions.values()) for program in (one, other)]
        for mine, yours in zip(*codes, strict=True):
            steps = [[step.lines for step in list_steps(*pair)] for pair in ((one, mine), (other, yours))]
            assert (mine.name, steps[0]) == (yours.name, steps[1])


def test_what_is_no_rulebook_makes_none() -> None:
    rulebook = load_anew(find_game("kuhn_poker")).rulebook
    assert rulebook is not None
    plain, rows = flatten(rulebook)
    broken: list[Any] = [[], [plain, []], [plain, rows[:-1]], [plain, [[99999]]], [plain, [[-1]]], [[], rows]]
    broken += [[plain, [7]], 5]
    for data in broken:
        with pytest.raises(ValueError, match="not the rows"):
            unflatten(data)


def test_what_has_no_row_is_refused() -> None:
    with pytest.raises(TypeError, match="object is no part of a rulebook"):
        flatten(cast(Any, object()))


def test_the_second_time_nothing_is_loaded(bundled_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(bundled_game)
    assert first.rulebook is not None and first.messages == []
    monkeypatch.setattr(frontend, "load_files", forbidden)
    again = load(bundled_game)
    assert (again.rulebook, again.messages) == (first.rulebook, [])


def test_names_come_back_too(bundled_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variants in ([], variants_of(bundled_game)[:1]):
        first = load(bundled_game, variants).game
        with monkeypatch.context() as changed:
            changed.setattr(frontend, "load_files", forbidden)
            again = load(bundled_game, variants).game
            assert first is not None and again is not None
            assert again.merged.keys() == first.merged.keys() and again.origins.keys() == first.origins.keys()
            assert [one.id for one in again.variants] == [one.id for one in first.variants]
        one, other = (attrs.asdict(each.world, recurse=False) for each in (first, again))
        assert one.pop("authored").id == other.pop("authored").id
        spans = [world.pop("eliminates") for world in (one, other)]
        assert len({None if span is None else (span.file.name, span.start, span.end) for span in spans}) == 1
        assert one == other


@pytest.mark.slow
def test_each_variant_is_a_game_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("wallet")
    asked = [[], [find_variant(game, "long_night")], [find_variant(game, "rummage")]]
    first = [load(game, variants).rulebook for variants in asked]
    monkeypatch.setattr(frontend, "load_files", forbidden)
    again = [load(game, variants).rulebook for variants in asked]
    assert first == again
    assert [tuple(one.variants) for one in again if one is not None] == [(), ("long_night",), ("rummage",)]


def _same_size_and_time(game: Path) -> None:
    file = game / "more.yaml"
    before = file.stat()
    file.write_text(file.read_text("utf-8").replace("+", "-"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size and file.stat().st_mtime_ns == before.st_mtime_ns


CHANGES: dict[str, Callable[[Path], object]] = {
    "a sign, and neither size nor time": _same_size_and_time,
    "a file less": lambda game: (game / "more.yaml").unlink(),
    "a file more": lambda game: (game / "again.yaml").write_text("memory: {table: {other: 0}}\n", "utf-8"),
    "a file that is called otherwise": lambda game: (game / "more.yaml").rename(game / "most.yaml"),
    "a file with the wrong ending": lambda game: (game / "more.YML").touch(),
    "a mistake": lambda game: (game / "more.yaml").write_text(MORE.replace("p.iron", "p.irn"), "utf-8"),
    "no rulebook": lambda game: (game / "rulebook.yaml").unlink(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_changes_is_loaded_again(game: Path, change: Callable[[Path], object]) -> None:
    before = load(game).rulebook
    assert before is not None
    change(game)
    for _ in range(2):
        now, wanted = load(game), load_anew(game)
        rulebook, found = now.rulebook, now.messages
        assert rulebook == wanted.rulebook
        assert [one.message for one in found] == [one.message for one in wanted.messages]
        assert (rulebook is None) == bool(found) and (rulebook is None or rulebook.source != before.source)


def test_another_version_of_this_program_loads_again(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(game)
    stamps = list(load_cache._stamps(str(Path(load_cache.__file__).parent.parent)))
    assert any(path == load_cache.__file__ for path, *_ in stamps)
    assert any(path.endswith("effects.lark") for path, *_ in stamps)
    load_cache.fingerprint_program.cache_clear()
    monkeypatch.setattr(load_cache, "_stamps", lambda folder: [*stamps[1:], (stamps[0][0], *stamps[0][1:2], 1)])
    monkeypatch.setattr(frontend, "load_files", forbidden)
    with pytest.raises(AssertionError, match="loaded again"):
        load(game)


def test_another_folder_to_stand_in_has_other_names_for_the_files(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def place() -> str:
        rulebook = load(game).rulebook
        assert rulebook is not None
        at = rulebook.scripts[ir.GAME].at
        assert isinstance(at, At) and isinstance(at.scalar, Scalar)
        return at.span.file.name

    here = place()
    monkeypatch.chdir(game)
    assert place() == place() == "rulebook.yaml" != here


def test_what_changes_while_it_is_loaded_is_not_kept(game: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_files = frontend.load_files

    def slow(path: Path, variants: Any = (), **more: Any) -> Any:
        found = load_files(path, variants, **more)
        (path / "more.yaml").unlink()
        return found

    monkeypatch.setattr(frontend, "load_files", slow)
    load(game)
    assert not list(kept.glob("loaded-*"))


def test_a_game_about_which_something_is_said_is_not_kept(game: Path, kept: Path) -> None:
    (game / "more.yaml").write_text(MORE.replace("p.iron", "p.irn"), "utf-8")
    assert load(game).rulebook is None
    assert not list(kept.glob("loaded-*"))


@pytest.mark.parametrize("harm", [b"", b"rulebook cache 00000000\n[]", b"\xff" * 100], ids=["empty", "odd", "binary"])
def test_a_broken_file_is_written_anew(game: Path, kept: Path, harm: bytes) -> None:
    first = load(game).rulebook
    (file,) = kept.glob("loaded-*")
    whole = file.read_bytes()
    file.write_bytes(harm)
    assert load(game).rulebook == first
    assert file.read_bytes() == whole


@pytest.mark.parametrize("data", [{}, [], {"rulebook": [[], []], "stages": []}, {"rulebook": 5, "stages": []}])
def test_a_file_that_holds_something_else_is_no_game(
    game: Path, data: object, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "read_data", lambda name, key: data)
    assert load(game).rulebook == load_anew(game).rulebook is not None


def test_without_a_cache_it_is_loaded(game: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SWITCH, "off")
    assert load(game).rulebook == load_anew(game).rulebook is not None
    assert not kept.exists()


def test_a_script_is_lowered_when_somebody_looks_at_it() -> None:
    rulebook = load(find_game("wallet")).rulebook
    assert rulebook is not None
    program = lower(rulebook, 3)
    code = program.codes[program.root]
    with pytest.raises(AttributeError):
        object.__getattribute__(code, "steps")
    assert code.name == ir.GAME and object.__getattribute__(code, "steps")
    with pytest.raises(AttributeError, match="opps"):
        _ = cast(Any, code).opps
