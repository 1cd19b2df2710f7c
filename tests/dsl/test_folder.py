"""Folders of rulebooks, made up of small files: what is merged, what is refused, and where messages point."""

from pathlib import Path

import pytest

from rulebook.diagnostics import Diagnostic
from rulebook.dsl.document import Mapping, Scalar
from rulebook.dsl.reading.folder import read_folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory, with a folder `game` in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game").mkdir()
    return tmp_path


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def places(found: list[Diagnostic]) -> list[str]:
    out = []
    for one in found:
        assert one.span is not None
        out.append(f"{one.code} {one.span.file.name}:{one.span.line}:{one.span.column}")
    return out


def at(node: object, *keys: str) -> str:
    for key in keys:
        assert isinstance(node, Mapping)
        node = node[key]
    assert isinstance(node, Scalar)
    return node.text


def test_files_flow_together_into_one_map(here: Path) -> None:
    write(
        here / "game",
        rulebook="name: Game\ncards:\n  a: {kind: x}\n",
        b="cards:\n  b: {kind: y}\nvalues:\n  one(): 1\n",
    )
    merged, sources, found = read_folder(here / "game")
    assert found == []
    assert merged is not None
    assert list(merged) == ["name", "cards", "values"]
    assert at(merged, "cards", "b", "kind") == "y"
    assert list(sources) == ["rulebook.yaml", "b.yaml"]
    assert sources["b.yaml"].startswith("cards:\n  b:")


def test_the_rulebook_comes_first_and_the_others_by_name(here: Path) -> None:
    write(here / "game", zoo="c: 3\n", rulebook="a: 1\n", alpha="b: 2\n")
    merged, sources, _ = read_folder(here / "game")
    assert merged is not None
    assert list(merged) == ["a", "b", "c"]
    assert list(sources) == ["rulebook.yaml", "alpha.yaml", "zoo.yaml"]


def test_keys_keep_the_files_they_stand_in(here: Path) -> None:
    write(here / "game", rulebook="cards:\n  a: 1\n", b="\ncards:\n  b: 2\n")
    merged, _, _ = read_folder(Path("game"))
    assert merged is not None
    cards = merged["cards"]
    assert isinstance(cards, Mapping)
    span = cards.keys_at["b"].span
    assert (span.file.name, span.line, span.column) == ("game/b.yaml", 3, 3)


def test_places_and_memory_are_merged_side_by_side(here: Path) -> None:
    write(
        here / "game",
        rulebook="places: {table: {deck: 1}, player: {hand: 1}}\nmemory: {table: {a: 0}}\n",
        more="places: {table: {heap: 1}}\nmemory: {table: {b: 0}, player: {c: 0}}\n",
    )
    merged, _, found = read_folder(here / "game")
    assert found == []
    assert at(merged, "places", "table", "deck") == at(merged, "places", "table", "heap") == "1"
    assert at(merged, "memory", "player", "c") == "0"


def test_a_name_in_two_files_is_shown_at_both(here: Path) -> None:
    write(
        here / "game",
        rulebook="name: Game\ncards:\n  a: {kind: x}\n",
        b="name: Game\ncards:\n  b: {kind: x}\n  a: {kind: y}\n",
    )
    merged, _, found = read_folder(here / "game")
    assert places(found) == ["RB113 game/b.yaml:1:1", "RB113 game/b.yaml:4:3"]
    assert [one.labels[0].span.file.name for one in found] == ["game/rulebook.yaml"] * 2
    assert [one.labels[0].span.line for one in found] == [1, 3]
    assert at(merged, "cards", "a", "kind") == "x"


def test_two_sides_of_the_same_place_are_not_confused(here: Path) -> None:
    write(
        here / "game",
        rulebook="places: {table: {deck: 1}}\n",
        b="places: {table: {deck: 1}, player: {deck: 1}}\n",
    )
    assert places(read_folder(here / "game")[2]) == ["RB113 game/b.yaml:1:18"]


def test_a_section_is_a_map_in_every_file(here: Path) -> None:
    write(here / "game", rulebook="cards: {a: 1}\n", b="cards: many\n")
    assert places(read_folder(here / "game")[2]) == ["RB112 game/b.yaml:1:8"]


@pytest.mark.parametrize(("one", "other"), [("cards:\n", "cards: {a: 1}\n"), ("cards: {a: 1}\n", "cards:\n")])
def test_an_empty_section_is_an_empty_map(here: Path, one: str, other: str) -> None:
    write(here / "game", rulebook=one, b=other)
    merged, _, found = read_folder(here / "game")
    assert found == []
    assert at(merged, "cards", "a") == "1"


def test_variants_and_scenarios_are_apart(here: Path) -> None:
    for name in ("variants", "scenarios"):
        (here / "game" / name).mkdir()
        write(here / "game" / name, x="name: Other\n")
    write(here / "game", rulebook="name: Game\n")
    (here / "game/NOTES.md").write_text("notes", encoding="utf-8")
    (here / "game/.hidden.yaml").write_text("name: Other\n", encoding="utf-8")
    _, sources, found = read_folder(here / "game")
    assert (list(sources), found) == (["rulebook.yaml"], [])


def test_a_missing_rulebook_is_named(here: Path) -> None:
    write(here / "game", cards="cards: {}\n")
    merged, sources, found = read_folder(here / "game")
    assert (merged, sources) == (None, {})
    assert places(found) == ["RB101 game/rulebook.yaml:1:1"]
    assert "there is no `rulebook.yaml` in this folder" in found[0].message
    assert "there is no such folder" in read_folder(here / "gmae")[2][0].message


def test_other_endings_are_not_passed_over_in_silence(here: Path) -> None:
    write(here / "game", rulebook="name: Game\n")
    (here / "game/cards.yml").write_text("cards: {}\n", encoding="utf-8")
    merged, _, found = read_folder(here / "game")
    assert merged is not None
    assert places(found) == ["RB101 game/cards.yml:1:1"]
    assert found[0].help == "Rename it to `cards.yaml`."


def test_every_file_is_read_even_if_the_first_is_broken(here: Path) -> None:
    write(here / "game", rulebook="name: [\n", b="cards:\n  a: 1\n  a: 2\n", c="x: y: z\n")
    merged, sources, found = read_folder(here / "game")
    assert merged is None
    assert list(sources) == ["b.yaml"]
    assert {one.span.file.name for one in found if one.span} == {
        "game/rulebook.yaml",
        "game/b.yaml",
        "game/c.yaml",
    }


def test_files_elsewhere_are_shown_with_their_whole_path(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here / "game", rulebook="a: 1\na: 2\n")
    (here / "work").mkdir()
    monkeypatch.chdir(here / "work")
    found = read_folder(here / "game")[2]
    assert found[0].span is not None
    assert found[0].span.file.name == str(here / "game/rulebook.yaml")


def test_a_copy_of_a_file_is_told_once(here: Path) -> None:
    text = "name: Game\nplayers: 2\nvalues:\n" + "".join(f"  {name}(): 1\n" for name in "abcdef")
    write(here / "game", rulebook=text, copied=text)
    _, _, found = read_folder(here / "game")
    assert places(found) == ["RB113 game/copied.yaml:1:1"]
    assert "7 more names" in found[0].help
