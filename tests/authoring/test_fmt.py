"""One spelling of scripts: what changes, that nothing else does, that it means the same, and that twice is once."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from paths import DATA, ROOT

from rulebook.authoring import beginnings
from rulebook.authoring import fmt as fmt_module
from rulebook.authoring.fmt import NotTheSame, respell_game
from rulebook.cells import SheetFile
from rulebook.cli import main
from rulebook.commands.games import load_game
from rulebook.dsl.parsing.parser import noting
from rulebook.library import find_games, variants_of
from rulebook.loading import load
from rulebook.playtest.scenarios.reading import load_scenarios

FILES = DATA / "fmt"
BASE = """\
format: 1
name: Harbour
players: 2..4
kinds:
  ware: {has: {value: {type: number, default: 0}}}
  coin: {}
places:
  table:
    sack: {holds: ware, kept: bag}
  player:
    hand: {holds: ware, kept: loose, seen_by: everyone}
memory:
  table: {wind: 0}
cards:
  pebble: {kind: ware}
rules:
  game: set wind = 1
  drop(me, set of ware wares): |
    move wares to sack
    add 1 to wind
    say "a  b"
  pick_one(me): |
    choose one:
      "Yes:  it is":
        add 1 to wind
      "No":
        add 2 to wind
"""
# Only to have an opal, where a script asks for it.
OPAL = "cards: {opal: {kind: ware}}\n"
CASES = [
    pytest.param(file.stem, one["before"], one.get("after", one["before"]), id=f"{file.stem}: {title}")
    for file in sorted(FILES.glob("*.yaml"))
    for title, one in yaml.safe_load(file.read_text("utf-8")).items()
]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "rulebook.yaml").write_text(BASE, "utf-8")
    return folder


def part_of(game: Path, kind: str) -> Path:
    folder = game / kind if kind in ("scenarios", "variants") else game
    folder.mkdir(exist_ok=True)
    return folder / "part.yaml"


@pytest.mark.parametrize(("kind", "before", "after"), CASES)
def test_before_and_after(kind: str, before: str, after: str, game: Path) -> None:
    if "opal" in before and "opal:" not in before:
        (game / "opal.yaml").write_text(OPAL, "utf-8")
    part = part_of(game, kind)
    part.write_bytes(before.encode())
    made = respell_game(game)
    assert made.messages == (), [one.message for one in made.messages]
    texts = {one.path: one.now for one in made.files}
    assert texts[part] == after
    assert all(one.now == one.before for one in made.files if one.path != part)


def test_what_the_documents_show(game: Path) -> None:
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    section = page.partition("## One spelling\n")[2].partition("\n## ")[0]
    before, after = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    part_of(game, "rules").write_text(before, "utf-8")
    assert {one.path.name: one.now for one in respell_game(game).files}["part.yaml"] == after


# All bundled games


@pytest.mark.slow
@pytest.mark.parametrize("folder", find_games(), ids=lambda folder: folder.name)
def test_bundled_games_are_in_the_one_spelling(folder: Path) -> None:
    made = respell_game(folder)
    assert made.left == () and len(made.files) > 1
    assert [one.path for one in made.files if one.now != one.before] == [], "run `rulebook fmt cards`"


def test_new_files_are_in_the_one_spelling(tmp_path: Path) -> None:
    for path, text in beginnings.begin_game(tmp_path / "begun").items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert [one.path for one in respell_game(tmp_path / "begun").files if one.now != one.before] == []


@pytest.mark.slow
@pytest.mark.parametrize("folder", find_games(), ids=lambda folder: folder.name)
def test_scripts_come_back_from_any_spelling(folder: Path, tmp_path: Path) -> None:
    """The game in another legal spelling becomes what it was; `formatted` itself compares what both mean.

    For each variant that takes as long again: one is enough, and then no scenarios, which may name others.
    """
    mangled = tmp_path / folder.name
    shutil.copytree(folder, mangled)
    if more := variants_of(mangled)[1:]:
        shutil.rmtree(mangled / "scenarios")
        for file in more:
            file.unlink()
    scripts = scripts_of(mangled)
    chance = random.Random(folder.name)
    texts = {}
    for path in files_of(mangled):
        before = path.read_text("utf-8")
        changed = before
        for start, end in sorted(scripts[path.name, before], reverse=True):
            changed = changed[:start] + mangle(changed[start:end], chance) + changed[end:]
        newline = chance.choice(["\n", "\r\n"])
        path.write_text(changed, "utf-8", newline=newline)
        texts[path] = before.replace("\n", newline)
    made = respell_game(mangled)
    assert made.messages == () and made.left == () and len(made.files) == len(texts)
    assert any(one.now != one.before for one in made.files)
    for one in made.files:
        assert without_columns(one.now) == without_columns(texts[one.path])


def files_of(folder: Path) -> list[Path]:
    return [*folder.glob("*.yaml"), *variants_of(folder), *(folder / "scenarios").glob("*.yaml")]


def scripts_of(folder: Path) -> dict[tuple[str, str], set[tuple[int, int]]]:
    """Where the scripts of each file stand."""
    with noting() as noted:
        load(folder)
        for file in variants_of(folder):
            load(folder, [file])
        load_scenarios(folder)
    found: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for path in files_of(folder):
        found[path.name, path.read_text("utf-8")] = set()
    for scalar, _ in noted:
        if isinstance(scalar.span.file, SheetFile):
            continue  # those of spreadsheets are left to their own programs
        name = Path(scalar.span.file.name).name
        found[name, scalar.span.file.text].add((scalar.span.start, scalar.span.end))
    return found


def mangle(script: str, chance: random.Random) -> str:
    """A script with other blanks outside its texts and comments, and twice the steps below a `|`."""
    pieces = re.split(r'("(?:[^"\\\n]|\\.)*"|\\"(?:[^"\\\n]|\\[^"])*\\"|#[^\n]*|\n *)', script)
    spaced = "".join(piece if number % 2 else respaced(piece, chance) for number, piece in enumerate(pieces))
    head, *rows = spaced.split("\n")
    if not head.startswith("|"):
        return spaced
    margin = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    return "\n".join([head, *(re.sub(rf"^( {{{margin}}})( *)", r"\1\2\2", row) for row in rows)])


def respaced(words: str, chance: random.Random) -> str:
    words = re.sub(r" ([-+*/%<>=]+) ", lambda found: chance.choice([found[0], f"  {found[1]}   ", found[1]]), words)
    words = re.sub(r", ", lambda _: chance.choice([",", " , ", ",  "]), words)
    words = re.sub(r"([(\[])(?=\w)", lambda found: found[1] + " " * chance.randrange(2), words)
    # In a start value, a unit stands one blank behind its number.
    return re.sub(r"(?<=[a-z_]) (?=\w)", lambda _: " " * chance.randrange(1, 4), words)


def without_columns(text: str) -> str:
    """A text without what depends on columns: comments stay where they were as far as they can."""
    return re.sub(r" {2,}(?=#)", "  ", text)


# What is left alone


def test_a_game_with_errors_is_left_alone(game: Path) -> None:
    part = part_of(game, "rules")
    part.write_text("rules:\n    broken:   mov sack\n", "utf-8")
    made = respell_game(game)
    assert made.files == () and set(made.left) == {game / "rulebook.yaml", part}
    assert [one.code for one in made.messages] == ["RB203"]


def test_a_file_of_scenarios_with_errors_is_left_alone(game: Path) -> None:
    part = part_of(game, "scenarios")
    part.write_text("scenarios:\n    One: {given: {players: [Ana, Ben]}, expect: [winds is 1]}\n", "utf-8")
    made = respell_game(game)
    assert made.left == (part,) and [one.path.name for one in made.files] == ["rulebook.yaml"]


@pytest.mark.parametrize(
    ("found", "put"), [("set wind = 1", "set wind = 2"), ("wind = ", "wind =  ")], ids=["another game", "not at once"]
)
def test_a_mistake_of_ours_writes_nothing(found: str, put: str, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fmt_module, "respell", lambda scalar, _: scalar.span.text.replace(found, put))
    with pytest.raises(NotTheSame):
        respell_game(game)
    done = CliRunner().invoke(main, ["fmt", str(game)])
    assert done.exit_code == 3 and "our bug" in done.stderr
    assert (game / "rulebook.yaml").read_text("utf-8") == BASE


# The command

UNTIDY = "rules:\n    lap: |\n        add 1  to wind\n"
TIDY = "rules:\n    lap: |\n        add 1 to wind\n"


def run(*words: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["fmt", *map(str, words)])
    return done.exit_code, done.stdout, done.stderr


def test_it_writes_and_says_so(game: Path) -> None:
    part = part_of(game, "rules")
    part.write_bytes(b"\xef\xbb\xbf" + UNTIDY.replace("\n", "\r\n").encode())
    assert run(game) == (0, f"formatted {part}\n", "2 files looked at, 1 changed.\n")
    assert part.read_bytes() == b"\xef\xbb\xbf" + TIDY.replace("\n", "\r\n").encode()
    assert run(game) == (0, "", "2 files looked at, none changed.\n")
    assert run(game, "--check") == (0, "", "2 files looked at, none would change.\n")


def test_a_game_that_was_played_before_is_spelled_all_the_same(game: Path) -> None:
    (game / "rulebook.yaml").write_text(BASE.replace("a  b", "a"), "utf-8")
    part = part_of(game, "rules")
    part.write_text(UNTIDY, "utf-8")
    assert load_game(game).rulebook.name == "Harbour"
    assert run(game, "--check")[0] == 1


def test_check_and_diff_change_nothing(game: Path) -> None:
    part = part_of(game, "rules")
    part.write_text(UNTIDY, "utf-8")
    assert run(game, "--check") == (1, f"would change {part}\n", "2 files looked at, 1 would change.\n")
    code, shown, _ = run(game, "--diff")
    assert code == 1 and "-        add 1  to wind\n+        add 1 to wind\n" in shown
    assert part.read_text("utf-8") == UNTIDY


def test_one_file_alone(game: Path) -> None:
    part, other = part_of(game, "rules"), game / "other.yaml"
    part.write_text(UNTIDY, "utf-8")
    other.write_text("rules: {tidy: set wind=1}\n", "utf-8")
    assert run(part) == (0, f"formatted {part}\n", "1 file looked at, 1 changed.\n")
    assert "wind=1" in other.read_text("utf-8")


def test_what_is_left_alone_is_said(game: Path) -> None:
    part = part_of(game, "rules")
    part.write_text("rules:\n    broken: mov sack\n", "utf-8")
    code, shown, said = run(game)
    assert (code, shown) == (1, "")
    assert said.startswith(f"left alone {part}, because there are errors: {part}:2:")


def test_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, said = run()
    assert code == 2 and "Name a game" in said
    assert run("nowhere")[0] == 2


def test_a_script_with_escapes_is_left_as_it_is(tmp_path: Path) -> None:
    """Its line breaks are escapes, so what stands between two words is no blank."""
    game = tmp_path / "odd"
    game.mkdir()
    rules = 'rules:\n  game: "let x = 1\\nif x > 0:\\n  say \\"\\e\\"\\n"\n'
    text = f"format: 1\nname: Odd\nplayers: 2..2\n{rules}result: {{rank: most 1}}\n"
    (game / "rulebook.yaml").write_text(text, "utf-8")
    done = CliRunner().invoke(main, ["fmt", "--diff", str(game)])
    assert done.exit_code in (0, 1), done.output
    assert 'say \\"' not in "".join(line for line in done.stdout.splitlines() if line[:1] in "+-")
