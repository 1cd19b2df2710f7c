"""Mistakes that people make, seeded into a real game: each gives one message, at its place, that says what to do."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from mistakes import MISTAKES, WALLET, Mistake, seeded
from paths import DATA

from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_text, sort_messages
from rulebook.library import bundled, find_games
from rulebook.loading import load


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the game to spoil."""
    return copy_game(WALLET, tmp_path)


def spoil(game: Path, mistake: Mistake) -> tuple[int, int]:
    """Make the edit, and say the line and column of its mark."""
    file = game / mistake.file
    before = file.read_text("utf-8")
    assert before.count(mistake.old) >= 1, f"{mistake.file} has no {mistake.old!r}"
    start = before.index(mistake.old) + mistake.new.index("«")
    after = before.replace(mistake.old, mistake.new.replace("«", ""), 1)
    file.write_text(after, "utf-8")
    return after.count("\n", 0, start) + 1, start - after.rfind("\n", 0, start)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_message_at_its_place_and_enough_to_mend_it(game: Path, mistake: Mistake) -> None:
    line, column = spoil(game, mistake)
    found = load(game).messages
    assert [place(one) for one in found] == [(mistake.code, mistake.file, line, column)], render_text(found)
    words = f"{found[0].message} {found[0].help}"
    assert mistake.piece in words, render_text(found)
    assert found[0].help or " must be " in found[0].message, "every message says what to do"
    assert not FOREIGN & set(words.replace("`", " ").lower().split()), words


def place(one: Diagnostic) -> tuple[str, str, int, int]:
    assert one.span is not None
    return one.code, Path(one.span.file.name).name, one.span.line, one.span.column


FOREIGN = frozenset(
    {"ast", "node", "null", "scalar", "mapping", "sequence", "identifier", "boolean", "integer", "string", "iterable"}
    | {"expression", "argument", "parameter", "exception", "type", "unexpected", "invalid"}
)
"""Words of programmers that no message about a game should need."""


def test_there_are_enough_kinds_of_mistakes() -> None:
    codes = {seeded(one).code for one in MISTAKES}
    assert len(codes) >= 20


BEGINNERS = yaml.safe_load((DATA / "mistakes" / "wallet.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the game, with a file of a beginner's own, which each mistake is written into and taken out of."""
    folder = tmp_path_factory.mktemp("desk") / WALLET.name
    folder.mkdir()
    for file in WALLET.glob("*.yaml"):
        shutil.copyfile(file, folder / file.name)
    (folder / "mine.yaml").write_text(BEGINNERS["mine"], "utf-8")
    assert load(folder, meant=True).messages == []
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(one, id=title) for title, one in BEGINNERS["mistakes"].items()])
def test_a_beginner_reads_what_to_write(case: dict[str, str], desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole of what `validate` says, and that what it brings one to write is right."""
    monkeypatch.chdir(desk.parent)
    file = desk / case["file"]
    before = file.read_text("utf-8")
    assert before.count(case["right"]) == 1

    def said(instead: str) -> str:
        file.write_text(before.replace(case["right"], instead), "utf-8")
        found = load(Path(desk.name), meant=True).messages
        return render_text(sort_messages(found), 80) if found else ""

    try:
        assert said(case["wrong"]) == case["says"]
        if "mended" in case:  # if not, it is what stood there, of which nothing is said
            assert said(case["mended"]) == ""
    finally:
        file.write_text(before, "utf-8")


ALONE = yaml.safe_load((DATA / "mistakes" / "alone.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", [pytest.param(one, id=title) for title, one in ALONE.items()])
def test_a_slip_of_form_is_told_alone(case: dict[str, str], tmp_path: Path) -> None:
    game = copy_game(bundled() / case["game"], tmp_path)
    before = (game / "rulebook.yaml").read_text("utf-8")
    assert case["right"] in before
    (game / "rulebook.yaml").write_text(before.replace(case["right"], case["wrong"], 1), "utf-8")
    found = load(game).messages
    code, help = case["gives"].split(" ", 1)
    assert [one.code for one in found] == [code], render_text(found)
    assert help in found[0].help, render_text(found)


NO_YAML = yaml.safe_load((DATA / "mistakes" / "no_yaml.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", [pytest.param(one, id=title) for title, one in NO_YAML.items()])
def test_nothing_follows_from_a_line_that_is_no_yaml(case: dict[str, Any], tmp_path: Path) -> None:
    game = copy_game(bundled() / case["game"], tmp_path)
    before = (game / "rulebook.yaml").read_text("utf-8")
    assert case["right"] in before
    (game / "rulebook.yaml").write_text(before.replace(case["right"], case["wrong"], 1), "utf-8")
    found = load(game).messages
    assert [one.code for one in found] == ["RB101", *case.get("beside", [])], render_text(found)


@pytest.mark.slow
@pytest.mark.parametrize("folder", find_games(), ids=lambda game: game.name)
def test_nothing_follows_from_any_line_that_is_no_yaml(folder: Path, tmp_path: Path) -> None:
    """Twenty lines of each game, drawn: one blank more, one blank less, or a `: ` between two words."""
    draw = random.Random(folder.name)
    game = copy_game(folder, tmp_path)
    files = sorted(game.glob("*.yaml"))
    for file in files:
        before = file.read_text("utf-8")
        lines = before.splitlines(keepends=True)
        told = [number for number, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
        for number in draw.sample(told, min(-(-20 // len(files)), len(told))):
            line = lines[number]
            slips = [f" {line}", line.removeprefix(" ")]
            slips += [f"{line[: gap.start()]}:{line[gap.start() :]}" for gap in re.finditer(r"(?<=\w) (?=\w)", line)]
            file.write_text("".join([*lines[:number], draw.choice(slips), *lines[number + 1 :]]), "utf-8")
            found = load(game).messages
            assert "RB101" not in {one.code for one in found} or len(found) == 1, render_text(found)
        file.write_text(before, "utf-8")


def copy_game(folder: Path, into: Path) -> Path:
    """Copy the rules of a game, to spoil them."""
    hidden = shutil.ignore_patterns("scenarios", "variants")
    return Path(shutil.copytree(folder, into / folder.name, ignore=hidden))


def test_the_game_itself_has_no_mistake(game: Path) -> None:
    loaded = load(game)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None
    assert found == []


def test_two_mistakes_are_two_messages(game: Path) -> None:
    titles = ("RB203 an unknown verb", "RB302 an unknown stage")
    one, other = (seeded(case) for case in MISTAKES if case.id in titles)
    places = {spoil(game, one), spoil(game, other)}
    found = load(game).messages
    assert {(each.span.line, each.span.column) for each in found if each.span} == places
