"""One game after the other, by the rules as they are then; and nonsense at every prompt between games."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from coins import GAME
from terminals import NONSENSE, PROGRAM

from rulebook.cli import main

RULES = Path("coins/rulebook.yaml")
PROMPT = "Enter plays it, q leaves > "


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "RULEBOOK_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    Path("coins").mkdir()
    RULES.write_text(GAME, "utf-8")


@pytest.fixture
def terminal() -> Iterator[Callable[..., Any]]:
    pexpect = pytest.importorskip("pexpect")
    children = []

    def start(*words: str) -> Any:
        environ = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)}
        child = pexpect.spawn(
            sys.executable, ["-c", PROGRAM, *words], env=environ, encoding="utf-8", codec_errors="replace", timeout=30
        )
        child.delaybeforesend = None
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", "./coins", *words, "--watch"], input=typed)


def changed(old: str, new: str) -> None:
    text = RULES.read_text("utf-8")
    assert old in text
    RULES.write_text(text.replace(old, new), "utf-8")


def test_games_follow_each_other_until_somebody_leaves() -> None:
    result = run("--bots", "first", typed="\nwhat?\n\nq\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("share the victory.") == 3 and result.stdout.count(PROMPT) == 4
    assert run("--bots", "first").stdout.count("share the victory.") == 1


def test_a_seed_is_the_same_deal_each_time() -> None:
    assert run("--bots", "random", "--seed", "7", typed="\nq\n").stdout.count("\nseed 7\n") == 2


@pytest.mark.slow
def test_the_rules_are_those_of_the_moment(terminal: Callable[..., Any]) -> None:
    child = terminal("play", "./coins", "--bots", "first", "--watch")
    child.expect_exact(PROMPT)
    changed("add n to", "ad n to")
    # Nobody has typed anything: that they are broken is told as soon as the file is written.
    child.expect_exact("rulebook.yaml:13:9")
    child.expect_exact(PROMPT)
    child.sendline("")
    child.expect_exact("The rules in coins cannot be played before this is put right.")
    child.expect_exact(PROMPT)
    changed("ad n to", "add n + 4 to")
    child.expect_exact("The rules have changed, and can be played.")
    child.expect_exact(PROMPT)
    child.sendline("")
    child.expect(r"Bot 1 +15")
    child.expect_exact(PROMPT)
    child.sendline("q")
    child.wait()
    assert child.exitstatus == 0


def test_a_game_that_cannot_begin_waits_for_better_rules() -> None:
    changed("add n to", "ad n to")
    result = run("--bots", "first", typed="\nq\n")
    assert result.exit_code == 1
    assert result.stderr.count("rulebook.yaml:13:9") == 2 and result.stdout.count(PROMPT) == 2


@pytest.mark.parametrize("words", [["--resume"], ["--script", "x"], ["--protocol"], ["--json"]])
def test_what_does_not_go_together(words: list[str]) -> None:
    result = run(*words)
    assert result.exit_code == 2 and "--watch is for people" in result.stderr


# ── every prompt outside a game ──────────────────────────────────────────────────────────────────────────────────────


def saved() -> Path:
    words = ["play", "./coins", "--seats", "Ana,Ben", "--seed", "4"]
    result = CliRunner().invoke(main, words, input="1\n2\n")
    assert result.exit_code == 0, result.output
    return next(Path("data/rulebook/saves").iterdir())


def resumed() -> list[str]:
    save = saved()
    save.with_name("another.jsonl").write_bytes(save.read_bytes())
    return ["play", "--resume"]


def outdated() -> list[str]:
    save = saved()
    changed("from 1..3", "from 1..6")
    return ["play", "--resume", str(save)]


def torn() -> list[str]:
    save = saved()
    save.write_bytes(save.read_bytes()[:-4])
    return ["play", "--resume", str(save)]


PROMPTS: dict[str, tuple[Callable[[], list[str]], str]] = {
    "which game goes on": (resumed, r"Which one goes on\? .*> $"),
    "by which rules": (outdated, r"\[1-3, q leaves\] > $"),
    "a line that was cut off": (torn, "Enter goes on, q leaves > $"),
    "another game": (lambda: ["play", "./coins", "--bots", "first", "--watch"], "Enter plays it, q leaves > $"),
    "a replay": (lambda: ["replay", str(saved()), "--public"], r"(help\] > |── )$"),
}


@pytest.mark.slow
@pytest.mark.parametrize("end", ["sendeof", "sendintr"])
@pytest.mark.parametrize(("words", "prompt"), PROMPTS.values(), ids=list(PROMPTS))
def test_nothing_that_is_typed_breaks_it(
    words: Callable[[], list[str]], prompt: str, end: str, terminal: Callable[..., Any]
) -> None:
    child = terminal(*words())
    child.expect(prompt)
    # What goes on from here is no nonsense there.
    goes_on = ("", "   ", "1 1 1 1 1 1")
    for number, typed in enumerate(one for one in NONSENSE if end == "sendintr" and one not in goes_on):
        if "cut off" in child.before:
            break  # anything but q goes on
        child.setwinsize(*((8, 20), (60, 200), (24, 80))[number % 3])
        child.sendline(typed)
        child.expect(prompt)
        assert "Traceback" not in child.before, child.before
    getattr(child, end)()
    assert "Traceback" not in child.read()
    child.wait()
    assert child.exitstatus == (0 if end == "sendeof" else 130)
