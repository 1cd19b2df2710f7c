"""Every option of every command with values that it cannot use: one sentence at once, and nothing is played first."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from paths import DATA

from rulebook.cli import main
from rulebook.commands.console import NewFile
from rulebook.library import find_game
from rulebook.version import __version__

UNFIT = ("two words?", "", "x" * 10_000, "9" * 400, "-7", "a folder", "a file/x.html", "nan", "a\x1b[31mb\nc")
BARE = {
    "play": ("game", "--bots", "random"),
    "serve": ("game", "--seats", "Ana,bot"),
    "simulate": ("game", "--games", "2"),
    "compare": ("game", "--without", "jack", "--games", "2"),
    "tune": ("game", "--vary", "copies(jack)=1..2", "--until", "length > 1", "--games", "200", "--levels", "random"),
    "replay": ("save.jsonl",),
    "record": ("save.jsonl",),
    "tree": ("game",),
    "cards export": ("game",),
    "leaks": ("game", "--games", "2"),
    "validate": ("game",),
    "fmt": ("--check", "game"),
    "explain": ("RB203",),
    "new game": ("begun",),
    "new card": ("game", "card"),
    "new scenario": ("game", "title"),
    "new variant": ("game", "variant"),
    "schema": ("game",),
    "lsp": (),
    "test": ("game",),
    "diff": ("game", "variant"),
    "dis": ("game", "rules.none"),
    "print": ("game", "--to", "cards.pdf"),
    "list": (),
    "show": ("game",),
}
"""What each command is given beside the value."""


def list_commands(command: click.Command = main, words: Sequence[str] = ()) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from list_commands(inner, [*words, name])


COMMANDS = dict(list_commands())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    shutil.copytree(find_game("kuhn_poker"), "game")
    Path("a folder").mkdir()
    Path("a file").touch()
    run("play", "game", "--seats", "Ana,bot", "--seed", "1")
    [save] = Path("data").rglob("*.jsonl")
    save.rename("save.jsonl")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, input="")


def check_refused(result: Result, words: Sequence[str]) -> None:
    """Hold a refusal to one sentence or two that somebody can read."""
    _, found, message = result.stderr.rpartition("Error: ")
    assert (result.exit_code, bool(found)) == (2, True), (words, result.output)
    assert len(message) < 700 and message.count("\n") <= 2, words
    assert not {"integer", "float", "Errno", "Traceback"} & set(message.split()), (words, message)


NOT_TOLD = {
    "list": "tells what is shipped", "play": "is a talk", "serve": "waits", "lsp": "waits",
    "print": "writes a file of another program",
}  # fmt: skip
"""Commands of which no golden output is kept, and why."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in NOT_TOLD])
def test_a_command_says_what_it_said(name: str, here: Path) -> None:
    """The numbers of a small game too. `UPDATE_OUTPUT=1` writes it anew; then read what became of it."""
    options = {word for option in COMMANDS[name].params for word in option.opts}
    seed = ("--seed", "1") if "--seed" in options and name != "validate" else ()
    said = ""
    for more in ((), ("--json",)) if "--json" in options else ((),):
        words = [*name.split(), *BARE[name], *seed, *more]
        if more and name.startswith("new "):
            words[len(name.split()) + len(BARE[name]) - 1] += "_again"
        result = run(*words)
        said += f"$ rulebook {' '.join(words)}\n{result.output}({result.exit_code})\n\n"
    said = said.replace(str(here), "HERE").replace(__version__, "VERSION")
    said = re.sub(r'[\d.]+ seconds(?:, [\d,]+ decisions)?|"seconds": [\d.]+', "SPEED", said)
    golden = DATA / "output" / f"{name.replace(' ', '_')}.txt"
    if os.environ.get("UPDATE_OUTPUT"):
        golden.write_text(said, "utf-8")
    assert said == golden.read_text("utf-8")


def test_every_command_is_asked() -> None:
    assert set(COMMANDS) == set(BARE)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_no_value_is_our_bug(name: str, here: Path) -> None:
    for option in COMMANDS[name].params:
        if not isinstance(option, click.Option) or option.is_flag or "--color" in option.opts:
            continue
        is_number = isinstance(option.type, click.IntRange | click.FloatRange)
        if name == "serve" and not is_number:
            continue  # it would serve
        for value in UNFIT:
            words = [*name.split(), *BARE[name], f"{option.opts[-1]}={value}"]
            result = run(*words)
            must = is_number or (isinstance(option.type, NewFile) and value in ("", "a folder", "a file/x.html"))
            if must or result.exit_code not in (0, 1):
                check_refused(result, words)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
@pytest.mark.parametrize("value", ["", "x" * 10_000, "a file/x.html", "a\x1b[31mb\nc"])
def test_no_argument_is_our_bug(name: str, value: str, here: Path) -> None:
    arguments = [one for one in COMMANDS[name].params if isinstance(one, click.Argument)]
    for place in range(len(arguments)):
        words = [*name.split(), *BARE[name][:place], value, *BARE[name][place + 1 :]]
        result = run(*words)
        if result.exit_code not in (0, 1):
            check_refused(result, words)


@pytest.mark.parametrize("before", ["simulate game", "simulate game --lens 1", "compare game --without jack"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--report none/page.html", "none/page.html cannot be written: No such file or directory."),
        ("--report game", "should end in .html or .htm"),
        ("--report page.json", "page.json should end in .html or .htm."),
        ("--report taken.html", "taken.json cannot be written: It is a folder."),
        ("--out none/games.sqlite", "none/games.sqlite cannot be written: No such file or directory."),
        ("--out page.html --report page.html", "page.html cannot be two things at once: give each file a name"),
        ("--out page.json --report page.html", "page.json cannot be two things at once: give each file a name"),
    ],
)
def test_what_cannot_be_written_is_noticed_before_the_first_game(
    here: Path, monkeypatch: pytest.MonkeyPatch, before: str, options: str, message: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a game was played")

    Path("taken.json").mkdir()
    monkeypatch.setattr("rulebook.commands.series.play", refuse)
    monkeypatch.setattr("rulebook.commands.series.play_parts", refuse)
    result = run(*before.split(), *options.split())
    if "--lens" in before and "--out" in options:
        assert result.exit_code == 2
        return
    check_refused(result, options)
    assert message in result.stderr
    assert not list(here.glob("page*"))


@pytest.mark.parametrize(
    "options",
    ["--write-baseline none/known.json", "--write-baseline game", "--baseline none", "--baseline game/rulebook.yaml"],
)
def test_a_baseline_is_looked_at_before_anything_is_played(
    here: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr("rulebook.commands.validate.find_problems", refuse)
    check_refused(run("validate", "game", "--play", "50", *options.split()), options)
