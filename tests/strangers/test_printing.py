"""What is printed: nothing that a terminal would obey, whoever wrote it, in whatever encoding."""

from __future__ import annotations

import ast
import json
import random
import sys
import unicodedata
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from printed import PIECES, commands, faults, odd, put

from rulebook import printing
from rulebook.cli import COMMANDS, main

PACKAGE = Path(printing.__file__).parent


# ── one text ──


def test_whatever_steers_a_terminal_is_replaced() -> None:
    for number in range(sys.maxunicode + 1):
        char = chr(number)
        is_steering = unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\n\t"
        assert not is_steering or printing.clean(f"a{char}b") == "a\ufffdb", hex(number)


@pytest.mark.parametrize(
    "text",
    [
        "é 骰子", "👩\u200d🚀", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3",
        "می\u200cخواهم", "क\u094d\u200dष", "🏴\U000e0067\U000e007f",
    ],
)  # fmt: skip
def test_what_shapes_a_letter_or_a_sign_stays(text: str) -> None:
    assert printing.clean(text) == text


@pytest.mark.parametrize("joiner", ["\u200b", "\u200c", "\u200d", "\ufe0f", "\u2060", "\U000e0041"])
def test_what_nobody_sees_makes_no_second_name(joiner: str) -> None:
    for text in (f"An{joiner}a", f"{joiner}Ana", f"Ana{joiner}", f"骰{joiner * 2}子"):
        assert "\ufffd" in printing.clean(text), ascii(text)


def test_only_our_own_sequences_pass() -> None:
    painted = printing.paint("31", "Ana\x1b[5m")
    assert printing.as_printed(painted) == "\x1b[31mAna\ufffd[5m\x1b[0m"
    assert printing.unpaint(painted) == "Ana\x1b[5m"
    chance = random.Random(1)
    for _ in range(2000):
        text = "".join(chance.choice(["a", "[31m", *PIECES, odd(chance)]) for _ in range(4))
        around = printing.as_printed(f"{text}{printing.control(chr(27) + '[1m')}{text}")
        assert around.count("\x1b[1m") == 1 and faults(around) == set(), ascii(text)


def test_half_a_sequence_of_ours_is_none() -> None:
    painted = printing.paint("31", "Ana")
    for end in range(len(painted)):
        assert faults(printing.as_printed(painted[:end])) == set()


@pytest.mark.parametrize("charset", ["utf-8", "ascii", "latin-1", "cp1252", "utf-16"])
def test_json_says_the_same_in_every_encoding(charset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"".join(PIECES): [" é 骰 \ud800 \x7f \U000e0041", 1.5]}
    stream = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(stream, encoding=charset))
    with printing.guard():
        print(printing.dump_json(value))
        sys.stdout.flush()
    text = stream.getvalue().decode(charset)
    assert json.loads(text) == value and faults(text) == set()


def test_a_number_without_a_bound_is_null_in_json() -> None:
    text = printing.dump_json({"gets": (5.0, float("-inf")), "not": [float("nan")]}, "utf-8")
    assert text == '{"gets": [5.0, null], "not": [null]}'


# ── every command ──


WAITING = {"serve", "lsp"}
"""Commands that go on until somebody ends them: what they say is asked where they run."""


@pytest.mark.slow
@pytest.mark.parametrize(("charset", "wild", "seed"), [("utf-8", 0.0, 1), ("ascii", 0.004, 2)])
def test_no_command_prints_what_a_terminal_obeys(charset: str, wild: float, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    played, ran = 0, set[str]()
    for done in commands(put(tmp_path / "table", chance, wild), chance, charset):
        ran.add(done.words[0])
        assert faults(done.data) == set(), done
        assert done.code in (0, 1, 2), done
        if done.code == 0 and "--json" in done.words:
            json.loads(done.data)
        played += done.words[0] in ("play", "simulate", "replay") and done.code == 0
    assert played >= 5 or wild, "the game can be played"
    assert set(COMMANDS) - ran == WAITING, "a command that is not run is not known to print nothing odd"


@pytest.mark.slow
def test_no_name_begins_a_line_of_its_own(tmp_path: Path) -> None:
    """A build server obeys lines that begin with `::`, and a person believes what stands there alone."""

    class Lines(random.Random):
        def choice(self, seq: Any) -> Any:
            return "\n::error::forged " if seq is PIECES else super().choice(seq)

        def random(self) -> float:
            return 0.1

    chance = Lines(1)
    for done in commands(put(tmp_path / "table", chance, 0.0), chance):
        # What somebody types as a word of the command is their own, and a table holds texts as they are.
        if not any("\n" in word for word in done.words) and done.words[0] != "cards":
            assert not [line for line in done.data.split("\n") if line.startswith("::error::forged")], done


@pytest.mark.slow
@pytest.mark.parametrize("charset", ["latin-1", "cp1252", "cp437"])
def test_a_pipe_may_have_any_encoding(charset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    runner = CliRunner(charset=charset)
    for words in (
        ["play", "kuhn_poker", "--seats", "Änne,骰子", "--seed", "1"],
        ["play", "hearts", "--bots", "random", "--seed", "1"],
        ["explain", "RB203"],
        ["show", "wallet"],
    ):
        done = runner.invoke(main, words, input=b"1\n?\n\xff\nq\n")
        assert done.exit_code == 0, (words, done.output)


def test_junit_is_whole_in_every_encoding(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text('name: "骰\\e\\x9b\\x7f"\nplayers: ä\n', "utf-8")
    done = CliRunner(charset="latin-1").invoke(main, ["validate", str(tmp_path), "--format", "junit"])
    assert done.exit_code == 1
    assert "ä" in "".join(ElementTree.fromstring(done.stdout_bytes).itertext())


# ── the sources ──

_AROUND = {
    "sys.__stdout__", "sys.__stderr__", "os.write", "os.writev", "sys.stdout.buffer", "sys.stderr.buffer",
    "sys.displayhook", "faulthandler.enable", "logging.basicConfig", "logging.StreamHandler", "os.system", "os.popen",
    "os.posix_spawn", "os.execv", "os.execvp", "pty.spawn",
}  # fmt: skip
_ALLOWED = {
    ("commands/lsp.py", "sys.__stdout__"),  # an editor reads it: messages in JSON, framed by bytes
    ("files.py", "os.write"),  # to a file
    ("lsp/checking.py", "sys.stdout.buffer"),  # the editor's server reads it: one object in JSON
    ("table/saves.py", "os.write"),  # to a file
}


@pytest.mark.slow
def test_nothing_prints_around_the_door() -> None:
    found = set()
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in _AROUND:
                found.add((name, ast.unparse(node)))
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("subprocess.run", "subprocess.Popen"):
                given = {word.arg for word in node.keywords}
                assert "capture_output" in given or {"stdout", "stderr"} <= given, f"{name}: {ast.unparse(node)}"
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Console":
                assert any(word.arg == "file" for word in node.keywords), f"{name}: {ast.unparse(node)}"
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "open" and name.startswith(("table", "comm")):
                assert "/dev/" not in ast.unparse(node), name
    assert found == _ALLOWED


def test_an_escape_is_written_at_the_door_alone() -> None:
    """A sequence of our own goes through `control` or `paint`; elsewhere it would be replaced."""
    allowed = {"printing.py", "dsl/sourcemap.py"}  # what YAML writes for it
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        text = file.read_text("utf-8")
        if "\\x1b" in text and name not in allowed:
            assert "from rulebook.printing import control" in text, name
        assert "click.style" not in text and "click.secho" not in text, name


def test_the_way_out_is_guarded_for_each_start() -> None:
    seen: list[object] = []

    def look() -> None:
        seen.extend((sys.stdout, sys.stderr))

    before = sys.stdout, sys.stderr
    with printing.guard():
        look()
        with printing.guard():
            look()
    assert seen[:2] == seen[2:] and not {*map(id, seen)} & {*map(id, before)}
    assert (sys.stdout, sys.stderr) == before
    with printing.guard(), pytest.raises(AttributeError):
        sys.stdout.buffer.write(b"")


# ── what is read ──


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
@pytest.mark.parametrize("words", [["play", "kuhn_poker", "--script"], ["validate", "kuhn_poker", "--baseline"]])
def test_a_file_without_an_end_is_refused(words: list[str]) -> None:
    done = CliRunner().invoke(main, [*words, "/dev/zero"])
    assert done.exit_code == 2 and "a pipe or a device" in done.stderr, done.output


def test_a_line_that_nobody_would_type_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = ["play", "kuhn_poker", "--seats", "Ana,bot", "--seed", "1"]
    done = CliRunner().invoke(main, words, input="x" * 50_000 + "\nq\n")
    assert done.exit_code == 0 and "That was too long; type it again" in done.stdout
    assert len(done.stdout) < 5000
