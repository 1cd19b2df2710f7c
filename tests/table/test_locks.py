"""Two processes never play on from one save: the second one is told, and a process that is gone is in nobody's way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from coins import GAME

from rulebook.cli import main
from rulebook.table.saves import Held, Lock

HOLD = """
import pathlib, sys
from rulebook.table.saves import Lock
held = Lock(pathlib.Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.readline()
held.release()
"""


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in which somebody has answered once."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    Path("coins").mkdir()
    Path("coins/rulebook.yaml").write_text(GAME, "utf-8")
    result = run("play", "./coins", "--seats", "Ana,Ben", "--seed", "4", typed="1\n")
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "data/rulebook/saves").iterdir()
    return path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed)


@pytest.fixture
def other(save: Path) -> subprocess.Popen[bytes]:
    """Another process that plays on from it."""
    found = subprocess.Popen([sys.executable, "-c", HOLD, str(save)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert found.stdout is not None and found.stdout.readline()
    return found


def test_the_second_one_is_told_who_plays(save: Path, other: subprocess.Popen[bytes]) -> None:
    before = save.read_bytes()
    for words in (("play", "--resume", str(save)), ("play", "--resume", str(save), "--protocol")):
        result = run(*words, typed="1\n2\n")
        assert result.exit_code == 2
        assert f"This game is being played already, by process {other.pid} since today " in result.stderr
        assert f"replay {save} --fork" in result.stderr
    assert save.read_bytes() == before
    other.communicate(b"\n")
    assert run("play", "--resume", str(save), typed="2\n").exit_code == 0


def test_who_is_killed_leaves_nothing_to_tidy_up(save: Path, other: subprocess.Popen[bytes]) -> None:
    other.kill()
    other.communicate()
    assert save.with_name(f"{save.name}.lock").exists()
    result = run("play", "--resume", str(save), typed="2\n")
    assert result.exit_code == 0, result.output
    assert [file.name for file in save.parent.iterdir()] == [save.name]


def test_another_game_may_begin_from_where_it_stands(save: Path, other: subprocess.Popen[bytes]) -> None:
    assert run("replay", str(save), "--fork").exit_code == 0
    (fork,) = set(save.parent.glob("*.jsonl")) - {save}
    assert run("play", "--resume", str(fork), typed="2\n").exit_code == 0
    other.communicate(b"\n")


@pytest.mark.parametrize("left", ["", "{", "[]", '{"process": 1, "since": "2030-01-02T03:04:05"}'])
def test_what_stands_in_a_lock_that_nobody_holds_says_nothing(tmp_path: Path, left: str) -> None:
    save = tmp_path / "game.jsonl"
    lock = tmp_path / "game.jsonl.lock"
    lock.write_text(left, "utf-8")
    held = Lock(save)
    with pytest.raises(Held):
        Lock(save)
    # Whoever has it may be about to write who it is.
    lock.write_text(left, "utf-8")
    with pytest.raises(Held):
        Lock(save)
    held.release()
    assert not lock.exists()
    Lock(save).release()


def test_however_a_game_ends_the_save_is_free(save: Path) -> None:
    assert run("play", "--resume", str(save), typed="nonsense\n").exit_code == 0
    assert not list(save.parent.glob("*.lock"))
    save.write_text("nonsense", "utf-8")
    assert run("play", "--resume", str(save)).exit_code == 2
    assert not list(save.parent.glob("*.lock"))


@pytest.mark.skipif(sys.platform == "win32", reason="has other links")
@pytest.mark.parametrize("link", ["hard", "symbolic", "of a folder"])
def test_another_name_of_a_save_is_the_same_save(save: Path, other: subprocess.Popen[bytes], link: str) -> None:
    before, name = save.read_bytes(), Path("other.jsonl")
    if link == "hard":
        name.hardlink_to(save)
    elif link == "symbolic":
        name.symlink_to(save)
    else:
        Path("elsewhere").symlink_to(save.parent)
        name = Path("elsewhere") / save.name
    result = run("play", "--resume", str(name), typed="2\n")
    assert result.exit_code == 2 and "This game is being played already" in result.stderr
    assert save.read_bytes() == before
    other.communicate(b"\n")
    assert run("play", "--resume", str(name), typed="2\nu\n1\n").exit_code == 0
    assert name.is_symlink() is (link == "symbolic")


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be replaced there")
def test_what_takes_the_place_of_a_save_is_locked_too(save: Path) -> None:
    held = Lock(save)
    fresh = save.with_name("fresh")
    fresh.write_bytes(save.read_bytes())
    fresh.replace(save)
    held.follow()
    name = Path("other.jsonl")
    name.hardlink_to(save)
    with pytest.raises(Held):
        Lock(name)
    held.release()
    Lock(name).release()


@pytest.mark.skipif(sys.platform == "win32", reason="has other links")
@pytest.mark.parametrize("link", ["hard", "symbolic"])
def test_a_lock_that_leads_elsewhere_is_not_written_to(save: Path, link: str) -> None:
    victim, lock = Path("victim"), save.with_name(f"{save.name}.lock")
    victim.write_text("precious")
    lock.hardlink_to(victim) if link == "hard" else lock.symlink_to(victim.resolve())
    result = run("play", "--resume", str(save), typed="2\n")
    assert victim.read_text() == "precious"
    assert "cannot be locked" in result.stderr
