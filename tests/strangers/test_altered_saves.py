"""Saves as nobody writes them: whoever is sent one is told in a sentence, and nothing else happens."""

from __future__ import annotations

import json
import os
import random
import stat
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from altered_saves import (
    COMMANDS,
    PEOPLE,
    STORE_COMMANDS,
    VALUES,
    WITH_BOT,
    Altered,
    Sandbox,
    altered_stores,
    drawn,
    every_encoding,
    every_field,
    joined,
)
from click.testing import CliRunner, Result

from rulebook.cli import main
from rulebook.interpreter import journal
from rulebook.table import saves

SEED = 20
FIELDS = 60  # of some thousand
DRAWN = 40
STORES = 24


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    found = Sandbox(tmp_path_factory.mktemp("altered"))
    before = os.getcwd()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in found.environment().items():
            patch.setenv(name, value)
        patch.setattr("tempfile.tempdir", None)
        os.chdir(found.here)
        yield found
        os.chdir(before)


@pytest.fixture(scope="module")
def sound(sandbox: Sandbox) -> list[bytes]:
    return [sandbox.begun(PEOPLE), sandbox.begun(WITH_BOT)]


def run(*words: str | Path, typed: str = "") -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=typed)


def with_header(data: bytes, **fields: object) -> bytes:
    first, *rest = data.splitlines()
    return joined([{**json.loads(first), **fields}, *rest])


# ── what anybody could send ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("game", ["..", "../..", "a/..", ".", "", "/", "a\0b"])
def test_a_game_is_no_path(sandbox: Sandbox, sound: list[bytes], game: str, command: str) -> None:
    altered = Altered(f"game is {game!r}", with_header(sound[0], game=game))
    assert sandbox.tries(altered, command) == []


def test_rules_are_never_files(sandbox: Sandbox, sound: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file is made")

    sandbox.save.write_bytes(sound[0])
    for name in ("mkdir", "mkdtemp", "write_text"):
        for module in (Path, os, __import__("tempfile")):
            monkeypatch.setattr(module, name, refuse, raising=False)
    assert run("replay", sandbox.save).exit_code == 0


def test_altered_saves_are_refused_in_a_sentence(sandbox: Sandbox, sound: list[bytes]) -> None:
    chance = random.Random(SEED)
    fields = [one for data in sound for one in every_field(data)]
    altered = [*chance.sample(fields, FIELDS), *every_encoding(sound[0])]
    altered += [drawn(chance.choice(sound), chance) for _ in range(DRAWN)]
    commands = [*COMMANDS]
    found = [wrong for number, one in enumerate(altered) for wrong in sandbox.tries(one, commands[number % 8])]
    assert found == []


@pytest.mark.slow
def test_every_odd_value_of_every_field_is_read_or_refused(sound: list[bytes]) -> None:
    """Without a command, which is so quick that none of them is left out. What is read can be written again."""
    count = 0
    for data in sound:
        for altered in every_field(data):
            count += 1
            try:
                found = journal.parse_journal(altered.data)
            except journal.BadSave as bad:
                assert str(bad).isprintable() and len(str(bad)) < 400, altered.what
                continue
            journal.parse_journal(
                "".join(f"{line}\n" for line in journal.format_journal(found.header, found.entries)).encode()
            )
    assert count > len(VALUES) * 30


def test_altered_files_of_games_are_refused_in_a_sentence(sandbox: Sandbox, tmp_path: Path) -> None:
    chance, commands = random.Random(SEED), [*STORE_COMMANDS]
    altered = list(altered_stores(sandbox.series(), tmp_path, chance, STORES))
    found = [wrong for number, one in enumerate(altered) for wrong in sandbox.tries(one, commands[number % 3])]
    assert found == []


def test_a_file_of_games_that_cannot_be_filled_goes_again(sandbox: Sandbox, tmp_path: Path) -> None:
    words = ("simulate", "./coins", "--games", "1", "--out", tmp_path / "a.sqlite", "--bots", "first:3")
    assert run(*words).exit_code == 2
    assert not [*tmp_path.iterdir()]


def test_rules_that_are_damaged_are_told_without_a_folder(sandbox: Sandbox, sound: list[bytes]) -> None:
    sandbox.save.write_bytes(with_header(sound[0], rules={"rulebook.yaml": "nothing"}, variants=[]))
    for command in ("replay", "record"):
        result = run(command, sandbox.save)
        assert result.exit_code == 1
        assert f"The rules that {sandbox.save} carries cannot be played." in result.stderr
        assert (
            "coins/rulebook.yaml:1:1" in result.stderr.replace(" ", "")
            and str(sandbox.here / "tmp") not in result.stderr
        )


@pytest.mark.slow
def test_variants_may_speak_of_others_that_were_not_played(sandbox: Sandbox) -> None:
    for game, variant, seats in (("wallet", "last_call", "Ana,Ben,Cleo"), ("wallet", "cryptozoic_2018_pdf", "Ana,Ben")):
        data = sandbox.begun(("play", game, "--variant", variant, "--seats", seats, "--seed", "3"), typed="q\n")
        sandbox.save.write_bytes(data)
        result = run("replay", sandbox.save)
        assert result.exit_code == 0, result.output


def test_house_rules_that_no_game_has_are_refused(sandbox: Sandbox, sound: list[bytes]) -> None:
    options = json.loads(sound[0].splitlines()[0])["options"]
    for name, value in [("turns", 99), ("turns", "3"), ("turns", True), ("more", 1), ("limit", ["a", "b", "c"])]:
        sandbox.save.write_bytes(with_header(sound[0], options={**options, name: value}))
        result = run("replay", sandbox.save)
        assert result.exit_code == 2 and f"{sandbox.save}, line 1: " in result.stderr


# ── what is no file ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(os.name != "posix", reason="has no such files")
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "nothing", "loop", "long"])
def test_what_is_no_file_is_refused_and_not_waited_for(sandbox: Sandbox, kind: str, tmp_path: Path) -> None:
    path = tmp_path / ("x" * 300 if kind == "long" else "odd.jsonl")
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "loop":
            path.symlink_to(path)
    commands: list[tuple[str | Path, ...]] = [
        ("replay", path),
        ("play", "--resume", path),
        ("record", path),
        ("play", "./coins", "--seats", "Ana,Ben", "--script", path),
    ]
    if kind != "nothing":
        commands += [("simulate", "./coins", "--games", "1", "--out", path)]
        commands += [("validate", "./coins", "--write-baseline", path)]
    commands += [("validate", "./coins", "--baseline", path)] if kind != "device" else []
    began = time.monotonic()
    for words in commands:
        result = run(*words)
        assert result.exit_code == 2, (words, result.output)
        assert len(result.stderr.strip().splitlines()) <= 4, result.stderr
    assert time.monotonic() - began < 5
    if kind == "pipe":
        assert stat.S_ISFIFO(os.lstat(path).st_mode)


def test_a_scenario_goes_where_nothing_is(sandbox: Sandbox, sound: list[bytes], tmp_path: Path) -> None:
    sandbox.save.write_bytes(sound[0])
    there = sandbox.here / "coins" / "scenarios"
    there.mkdir(exist_ok=True)
    (tmp_path / "target").write_text("mine")
    (there / "link.yaml").symlink_to(tmp_path / "target")
    (there / "loose.yaml").symlink_to(tmp_path / "not there")
    for name in ("link.yaml", "loose.yaml", "x" * 300 + ".yaml"):
        assert run("record", sandbox.save, "--to", there / name).exit_code == 2
    assert (tmp_path / "target").read_text() == "mine" and not (tmp_path / "not there").exists()
    for file in there.iterdir():
        file.unlink()
    there.rmdir()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"baseline": 1}',
        '{"baseline": 1, "baseline": 1, "messages": []}',
        "\ufeff{}",
        "\ud800",
    ],
)
def test_a_baseline_is_read_with_the_same_care(sandbox: Sandbox, tmp_path: Path, text: str) -> None:
    (tmp_path / "known.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    result = run("validate", "./coins", "--baseline", tmp_path / "known.json")
    assert result.exit_code == 2 and "is no baseline" in result.stderr, result.output


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_games_that_begin_in_the_same_second_have_saves_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    now, ready, made = datetime(2030, 1, 2, 3, 4, 5), threading.Barrier(30), {}

    def begin(number: int) -> None:
        header = journal.Header("coins", f"{number}", ("Ana", "Ben"), number)
        ready.wait()
        made[number] = saves.create("coins", now, lambda path: journal.write_journal(path, header, is_new=True))

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*made.values()}) == 30
    assert {number: journal.read_journal(path).header.seed for number, path in made.items()} == {
        n: n for n in range(30)
    }
    assert {*(tmp_path / "rulebook/saves").iterdir()} == {*made.values()}


@pytest.mark.parametrize("game", ["..", "a/../../b", "-x", "é" * 200, "x y", "\x1b[2J", "***"])
def test_the_name_of_a_save_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = saves.create(game, datetime(2030, 1, 2, 3, 4, 5), Path.touch)
    assert path.parent == tmp_path / "rulebook/saves" and path.name.isprintable()
    assert path.name.endswith("-2030-01-02-030405.jsonl") and not path.name.startswith(("-", "."))


@pytest.mark.slow
def test_a_first_save_that_fails_leaves_nothing_behind(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(os, "fsync", full)
    result = run("play", "./coins", "--seats", "Ana,Ben")
    assert result.exit_code == 2 and "No space left on device" in result.stderr
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_folder_that_no_save_can_name_is_told_before_the_game(sandbox: Sandbox, tmp_path: Path) -> None:
    folder = tmp_path / "odd\x07name"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text((sandbox.here / "coins/rulebook.yaml").read_text())
    result = run("play", folder, "--seats", "Ana,Ben")
    assert result.exit_code == 2 and "`game` is missing or damaged: it is what the folder" in result.stderr
