"""Mistakes that mend themselves: what is changed, that nothing else is, and that twice is once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulebook.validation import find_problems, fixes

TOP = "format: 1\nname: Mended\nplayers: 2..4\n"
RULES = 'rules:\n  game: say "…"\n'

MENDED = [
    pytest.param(
        "memory: {table: {laps: {type: [1-6]}}}\n", "memory: {table: {laps: {type: 1..6}}}\n", id="a range with a dash"
    ),
    pytest.param("memory:\n\ttable:\n\t\tlaps: 0\n", "memory:\n  table:\n    laps: 0\n", id="tabs"),
    pytest.param(
        "memory:\n    table:\n\t\tlaps: 0\n", "memory:\n    table:\n        laps: 0\n", id="tabs as the file indents"
    ),
    pytest.param(
        "rules:\n  first_one: |\n    each p in players:\n\twin p\n  two: win nobody\n",
        "rules:\n  first_one: |\n    each p in players:\n      win p\n  two: win nobody\n",
        id="a tab in a block of its own",
    ),
    pytest.param(
        'rules:\n  once: |\n    repeat 2:\n      say "a"\n\tsay "b"\n      say "c"\n',
        'rules:\n  once: |\n    repeat 2:\n      say "a"\n      say "b"\n      say "c"\n',
        id="a tab between lines of a script",
    ),
    pytest.param(
        "rules:\n  first_one: |\n    win nobody\n\ttwo(me): |\n    win me\n",
        "rules:\n  first_one: |\n    win nobody\n  two(me): |\n    win me\n",
        id="a tab before what has a block",
    ),
    pytest.param(
        "rules:\n  first_one: say “Hello” publicly\n  two: say «Hello there»\n",
        'rules:\n  first_one: say "Hello" publicly\n  two: say "Hello there"\n',
        id="typographic quotes",
    ),
    pytest.param(
        "rules:\n\u00a0 once: |\n   \u00a0repeat\u00a02:\n      win nobody\n",
        "rules:\n  once: |\n    repeat 2:\n      win nobody\n",
        id="spaces that are not ordinary ones",
    ),
    pytest.param("memory: {table: {on_top: true}}  # true\n", "memory: {table: {on_top: yes}}  # true\n", id="true"),
    pytest.param("memory:\n\ttable: {wet: false}\n", "memory:\n  table: {wet: no}\n", id="behind another mistake"),
    pytest.param(
        "values:\n  first_one: >  # why\n    let x = 1\n    return x\n",
        "values:\n  first_one: |  # why\n    let x = 1\n    return x\n",
        id="folded",
    ),
    pytest.param("memory: {table: {wet: false}}\r\n", "memory: {table: {wet: no}}\r\n", id="line breaks stay"),
]
LEFT = [
    pytest.param("memory: {table: {wet: On}}\n", id="perhaps a name"),
    pytest.param("rules:\n  other: drw 2\n", id="did you mean"),
    pytest.param("memory: {table: {laps: 0, laps: 1}}\n", id="nothing to mend it with"),
]


GRID = """\
kinds: {{tile: {{}}}}
places: {{table: {{board: {{holds: tile, kept: grid, size: [2, 2], seen_by: everyone}}}}}}
rules:
  other(cell goal): |
    if goal is {}:
      say "a"
    if (goal) is {}:
      say "b"
    if any(cells(board) where it is {}) and not (goal is {}):
      say "c"
"""
MEANT = [
    pytest.param("rules:\n  other: elminate players\n", "rules:\n  other: eliminate players\n", id="a verb"),
    pytest.param(
        'rules:\n  other: |\n    each p in playrs:\n      say "{p.gol}"\nmemory: {player: {gold: 0}}\n',
        'rules:\n  other: |\n    each p in players:\n      say "{p.gold}"\nmemory: {player: {gold: 0}}\n',
        id="names, one of them in a text",
    ),
    pytest.param(
        "optoins: {fast: {type: yes_no, default: no}}\n", "options: {fast: {type: yes_no, default: no}}\n", id="a key"
    ),
    pytest.param(
        "kinds: {note: {}}\ncards: {ten: {kind: 'noet'}}\n",
        "kinds: {note: {}}\ncards: {ten: {kind: 'note'}}\n",
        id="a quoted name",
    ),
    pytest.param("memory: {table: {wet: On}}\n", "memory: {table: {wet: yes}}\n", id="another word for yes"),
    pytest.param(
        GRID.format(*("something", "not nothing", "nothing", "not  something")),
        GRID.format(*("not empty", "not empty", "empty", "empty")),
        id="whether a card lies on a position",
    ),
    pytest.param(
        "memory: {table: {wet: true, dry: {tpye: yes_no}}}\n",
        "memory: {table: {wet: yes, dry: {type: yes_no}}}\n",
        id="with what is safe",
    ),
]
OPEN = [
    pytest.param('memory: {table: {pot_a: 0, pot_b: 0}}\nvalues: {"all_of()": pot_c + 1}\n', id="two names are near"),
    pytest.param('values: {"all_of()": nothing_near + 1}\n', id="none is near"),
]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "mended"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(TOP + RULES, "utf-8")
    return folder


def errors(game: Path) -> list[str]:
    """What keeps a game from being played; that nothing uses what stands here is no matter of spelling."""
    return [one.code for one in find_problems(game) if one.severity == "error"]


def put(game: Path, text: str) -> Path:
    part = game / "part.yaml"
    part.write_bytes(text.encode())
    return part


@pytest.mark.parametrize(("before", "after"), MENDED)
def test_it_is_mended_and_stays_so(game: Path, before: str, after: str) -> None:
    part = put(game, before)
    (changed,) = fixes.apply_fixes(game, find_problems)
    assert part.read_bytes().decode() == after
    assert (changed.before, changed.now) == (before, after) and changed.done
    assert errors(game) == []
    assert fixes.apply_fixes(game, find_problems) == []


@pytest.mark.parametrize("text", LEFT)
def test_what_is_not_safe_is_left_alone(game: Path, text: str) -> None:
    part = put(game, text)
    assert errors(game)
    assert fixes.apply_fixes(game, find_problems) == []
    assert part.read_text("utf-8") == text


@pytest.mark.parametrize(("before", "after"), MEANT)
def test_what_was_perhaps_meant_is_written_if_that_is_asked_for(game: Path, before: str, after: str) -> None:
    part = put(game, before)
    (changed,) = fixes.fixed_copy(game, find_problems, unsafe=True)
    assert changed.now == after and part.read_text("utf-8") == before
    fixes.apply_fixes(game, find_problems)
    assert part.read_text("utf-8") != after
    fixes.apply_fixes(game, find_problems, unsafe=True)
    assert part.read_text("utf-8") == after
    assert errors(game) == [] and fixes.apply_fixes(game, find_problems, unsafe=True) == []


@pytest.mark.parametrize("text", OPEN)
def test_nothing_is_written_where_it_is_anybodys_guess(game: Path, text: str) -> None:
    part = put(game, text)
    assert errors(game)
    assert fixes.apply_fixes(game, find_problems, unsafe=True) == []
    assert part.read_text("utf-8") == text


def test_a_scenario_too(game: Path) -> None:
    (game / "scenarios").mkdir()
    scenario = game / "scenarios" / "one.yaml"
    given = "    from: start\n    given: {playrs: [Ana, Ben]}\n    do: game\n"
    text = f"scenarios:\n  It ends:\n{given}    expect: [Anna is not asked]\n"
    scenario.write_text(text, "utf-8")
    fixes.apply_fixes(game, find_problems, unsafe=True)
    assert scenario.read_text("utf-8") == text.replace("playrs", "players").replace("Anna", "Ana")


def test_a_copy_shows_the_same_and_changes_nothing(game: Path) -> None:
    before = "memory:\n\ttable: {wet: false}\n"
    part = put(game, before)
    changed = fixes.fixed_copy(game, find_problems)
    assert part.read_text("utf-8") == before
    name = part.as_posix()
    assert fixes.as_diff(changed) == (
        f"--- {name}\n+++ {name}\n@@ -1,2 +1,2 @@\n memory:\n-\ttable: {{wet: false}}\n+  table: {{wet: no}}\n"
    )
    assert [one.done for one in fixes.apply_fixes(game, find_problems)] == [one.done for one in changed]


def test_a_diff_of_a_file_without_a_last_line_break(game: Path) -> None:
    put(game, "memory: {table: {wet: false}}")
    assert fixes.as_diff(fixes.fixed_copy(game, find_problems)).endswith(
        "-memory: {table: {wet: false}}\n\\ No newline at end of file\n"
        "+memory: {table: {wet: no}}\n\\ No newline at end of file\n"
    )


def test_mark_rights_and_links_of_a_file_stay(game: Path, tmp_path: Path) -> None:
    elsewhere = game / "parts" / "elsewhere.yaml"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(b"\xef\xbb\xbfmemory: {table: {wet: true}}\n")
    elsewhere.chmod(0o640)
    (game / "part.yaml").symlink_to(elsewhere)
    assert fixes.apply_fixes(game, find_problems)
    assert elsewhere.read_bytes() == b"\xef\xbb\xbfmemory: {table: {wet: yes}}\n"
    assert (game / "part.yaml").is_symlink() and elsewhere.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["mended"] and os.listdir(elsewhere.parent) == ["elsewhere.yaml"]


def test_a_file_is_never_half_written(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = put(game, "memory: {table: {wet: true}}\n")

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="full"):
        fixes.apply_fixes(game, find_problems)
    assert part.read_text("utf-8") == "memory: {table: {wet: true}}\n"
    assert sorted(os.listdir(game)) == ["part.yaml", "rulebook.yaml"]
