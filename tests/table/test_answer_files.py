"""A file of answers: what is typed first, what comes after it, and what is said when one of them is wrong."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from coins import GAME
from terminals import PROGRAM

from rulebook.cli import main
from rulebook.interpreter import journal


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "RULEBOOK_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    Path("coins").mkdir()
    Path("coins/rulebook.yaml").write_text(GAME, "utf-8")


def played(script: str, *words: str, typed: str = "") -> Result:
    Path("answers.txt").write_text(script, "utf-8")
    said = ["play", "./coins", "--seats", "Ana,Ben", "--set", "turns=1", "--script", "answers.txt", *words]
    return CliRunner().invoke(main, said, input=typed)


@pytest.mark.slow
def test_answers_are_typed_as_at_the_keyboard() -> None:
    result = played("# Ana looks first.\nv\n\n3\n?\n1\n")
    assert result.exit_code == 0, result.output
    assert "Ana [1-3, ? help] > v\n" in result.stdout and "Ben [1-3, ? help] > ?\n" in result.stdout
    assert "Ana wins." in result.stdout
    assert list(Path("data/rulebook/saves").iterdir()) == []


def test_when_it_ends_the_game_is_saved() -> None:
    # What else stands on the input was not typed by a person.
    result = played("3\n", typed="2\n2\n2\n")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-3:-1] == [
        "The answers in answers.txt end here.",
        "The game is saved. Go on with:",
    ]
    (save,) = Path("data/rulebook/saves").iterdir()
    assert [entry.answer for entry in journal.read_journal(save).entries] == [("number:3",)]
    again = CliRunner().invoke(main, ["play", "--resume", str(save), "--script", "answers.txt"])
    assert "Ana and Ben share the victory." in again.stdout


def test_who_leaves_in_it_has_left() -> None:
    result = played("3\nq\n1\n")
    assert result.exit_code == 0 and "end here" not in result.output


WRONG = {
    "none of the options": ("# Ana\n7\n", "answers.txt, line 2, “7”: There is no option 7; type one of 1 to 3."),
    "no name": ("1\ntwo\n", "answers.txt, line 2, “two”: “two” is none of the options."),
    "nobody is asked": ("3\n1\n\n2\n", "answers.txt, line 4, “2”: Nobody is asked for this: the game is over."),
    "ten thousand characters": (f"{'x' * 10_000}\n", "is none of the options."),
    "what moves the cursor": ("\x1b[2J\n", "answers.txt, line 1, “\ufffd[2J”"),
}


@pytest.mark.parametrize(("script", "message"), WRONG.values(), ids=list(WRONG))
def test_a_wrong_answer_is_named_with_its_line(script: str, message: str) -> None:
    result = played(script)
    assert result.exit_code == 1
    assert message in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("content", [None, b"\xff\xfe1"])
def test_a_file_that_cannot_be_read(content: bytes | None) -> None:
    if content is not None:
        Path("broken.txt").write_bytes(content)
    result = CliRunner().invoke(main, ["play", "./coins", "--script", "broken.txt"])
    assert result.exit_code == 2 and "The answers in broken.txt cannot be read" in result.stderr


@pytest.mark.slow
def test_at_a_terminal_the_keyboard_goes_on() -> None:
    pexpect = pytest.importorskip("pexpect")
    Path("answers.txt").write_text("2\n3\n1\n", "utf-8")
    environ = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)}
    words = ["play", "./coins", "--seats", "Ana,Ben", "--set", "turns=2", "--script", "answers.txt"]
    child = pexpect.spawn(sys.executable, ["-c", PROGRAM, *words], env=environ, encoding="utf-8", timeout=30)
    try:
        # Nobody had to press Enter before.
        child.expect_exact("Hand the device to Ben, then press Enter")
        child.sendline("")
        child.expect_exact("Ben [1-3, ? help] > ")
        child.sendline("1")
        child.expect_exact("Ben wins.")
        child.wait()
        assert child.exitstatus == 0
    finally:
        child.close(force=True)
