"""Saves as people meet them: which games can go on, by which rules, what damage does, and what a stop in the middle
of anything leaves behind.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from coins import GAME
from terminals import PROGRAM

from rulebook.cli import main
from rulebook.interpreter import journal
from rulebook.interpreter.game import Game
from rulebook.interpreter.journal import Entry


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "RULEBOOK_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "coins"
    game.mkdir()
    (game / "rulebook.yaml").write_text(GAME, "utf-8")
    return game


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed)


def begun(*words: str, typed: str = "1\n") -> Path:
    """A game that somebody left; its save."""
    before = set(saves())
    result = run("play", "./coins", "--seats", "Ana,Ben", "--seed", "4", *words, typed=typed)
    assert result.exit_code == 0, result.output
    (new,) = set(saves()) - before
    return new


def saves() -> list[Path]:
    return list(Path("data/rulebook/saves").glob("*.jsonl"))


def aged(save: Path, seconds: int) -> None:
    os.utime(save, (1_700_000_000 - seconds, 1_700_000_000 - seconds))


# ── which one ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_unfinished_games_are_listed_the_newest_first() -> None:
    old, new = begun(), begun(typed="2\n3\n")
    aged(old, 100_000)
    aged(new, 10)
    result = run("play", "--resume")
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines() if "·" in line] == [
        ["1", "coins", "Ana,", "Ben", "·", "2", "answers", "·", "2023-11-14", *when(result, 0)],
        ["2", "coins", "Ana,", "Ben", "·", "1", "answer", "·", "2023-11-13", *when(result, 1)],
    ]
    commands = [line.strip() for line in result.stdout.splitlines() if "play --resume" in line]
    assert commands == [f"rulebook play --resume {Path.cwd() / one}" for one in (new, old)]


def when(result: Result, row: int) -> list[str]:
    """The time of day in a row; which one depends on where the computer stands."""
    return re.findall(r"\d\d:\d\d$", [line for line in result.stdout.splitlines() if "·" in line][row])


def test_of_one_game_if_it_is_named() -> None:
    begun()
    assert "coins" in run("play", "./coins", "--resume").stdout
    refused = run("play", "wallet", "--resume")
    assert refused.exit_code == 2 and "There is no unfinished game of wallet" in refused.stderr


def test_what_is_over_is_not_listed() -> None:
    words = ("play", "./coins", "--seats", "Ana,Ben", "--set", "turns=1")
    assert "wins" in run(*words, typed="s\n3\n1\n").stdout
    (save,) = saves()
    assert journal.read_journal(save).over
    assert run("play", "--resume").exit_code == 2
    assert "Ana wins." in run("play", "--resume", str(save)).stdout


def test_a_save_that_cannot_be_read_is_named_beside_the_others() -> None:
    begun()
    broken = Path("data/rulebook/saves/broken.jsonl")
    broken.write_text("nothing\n", "utf-8")
    result = run("play", "--resume")
    assert "1  coins" in result.stdout and "broken" not in result.stdout
    assert f"{Path.cwd() / broken}, line 1: This is not a saved game." in result.stderr


def test_the_bots_are_those_that_played() -> None:
    words = ["play", "./coins", "--seats", "Ana,bot:first,bot:random", "--seed", "4"]
    assert run(*words, typed="1\n").exit_code == 0
    (save,) = saves()
    assert journal.read_journal(save).header.bots == ("", "first", "random")
    assert run("play", "--resume", str(save), typed="1\n1\n").exit_code == 0
    found = journal.read_journal(save).entries
    assert {entry.answer for entry in found if entry.seat == 1} == {("number:1",)}
    assert len({entry.answer for entry in found if entry.seat == 2}) > 1


def test_a_save_starts_no_program() -> None:
    Path("bot.py").write_text("raise SystemExit(3)")
    result = run("play", "./coins", "--seats", f"Ana,exec:{sys.executable} bot.py", typed="1\n")
    assert result.exit_code == 1
    (save,) = saves()
    assert "bot.py" not in save.read_text("utf-8")
    again = run("play", "--resume", str(save), typed="1\n")
    assert again.exit_code == 2
    assert "A program played for Bot 1, and a save starts none." in again.stderr
    assert "--bots 'exec:COMMAND'" in again.stderr and "--as 'Ana,Bot 1'" in again.stderr
    assert run("play", "--resume", str(save), "--bots", "first").stderr == ""
    assert run("play", "--resume", str(save), "--as", "Ana,Bot 1", typed="1\n").exit_code == 0


@pytest.mark.parametrize(
    "more",
    [(), ("--protocol",), ("--as", "Bot 2"), ("--as", "Bot 2", "--protocol"), ("--timeout", "1")],
    ids=" ".join,
)
@pytest.mark.parametrize("spec", ["exec:{}", "exec: {}", "exec:{} --quiet"])
def test_a_command_in_a_save_is_only_words(here: Path, spec: str, more: tuple[str, ...]) -> None:
    program = here / "program"
    program.write_text(f"#!/bin/sh\ntouch {here}/started\n")
    program.chmod(0o755)
    assert run("play", "./coins", "--seats", "Ana,bot:first,bot:first", "--seed", "4", typed="1\n").exit_code == 0
    (save,) = saves()
    first, *rest = save.read_text("utf-8").splitlines()
    header = json.loads(first) | {"bots": ["", "random", spec.format(program)]}
    if "--as" in more:
        header["bots"] = [spec.format(program), *header["bots"][1:]]
    save.write_text("\n".join([json.dumps(header), *rest, ""]), "utf-8")
    result = run("play", "--resume", str(save), *more, typed="1\n1\n")
    assert result.exit_code == 2, result.output
    assert f"`{spec.format(program).removeprefix('exec:').strip()}`" in result.stderr
    assert not (here / "started").exists()
    seated = run("play", "--resume", str(save), "--bots", f"random,exec:{program}", typed="1\n")
    assert (here / "started").exists() and seated.exit_code == 1, "the command line names a program"


@pytest.mark.parametrize("variant", ["", "rich"])
def test_a_path_in_a_save_from_elsewhere_is_not_looked_at(
    here: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    save = begun()
    secret = here.parent / "secret.yaml"
    secret.write_text("password: [", "utf-8")
    first, *rest = save.read_text("utf-8").splitlines()
    header = json.loads(first) | {"at": [str(here), *([str(secret)] if variant else [])]}
    (sent := here.parent / "sent.jsonl").write_text("\n".join([json.dumps(header), *rest, ""]), "utf-8")
    changed(here, "from 1..3", "from 1..6")
    looked: list[str] = []
    isfile = os.path.isfile
    monkeypatch.setattr(os.path, "isfile", lambda path: (looked.append(str(path)), isfile(path))[1])
    result = run("play", "--resume", str(sent), typed="1\n")
    assert result.exit_code == 0 and result.stderr == "", result.stderr
    assert not [path for path in looked if path.startswith((str(here), str(secret)))]
    recorded = run("record", str(sent))
    assert recorded.exit_code == 2 and "no path that it names is looked at. Give --to" in recorded.stderr


# ── damage ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_last_line_that_was_cut_off_is_told_and_stays_until_somebody_answers() -> None:
    save = begun(typed="1\n2\n3\n")
    torn = save.read_bytes()[:-4]
    save.write_bytes(torn)
    result = run("play", "--resume", str(save))
    assert f"{save}, line 4: it was cut off while it was written, and is left out." in result.stderr
    assert save.read_bytes() == torn
    assert run("play", "--resume", str(save), typed="1\n").exit_code == 0
    assert [entry.answer for entry in journal.read_journal(save).entries] == [
        ("number:1",),
        ("number:2",),
        ("number:1",),
    ]
    assert journal.read_journal(save).notice == ""


@pytest.mark.parametrize(
    ("line", "text", "words"),
    [
        (0, '{"format": 99, "rulebook": "8.1"}', "line 1: The save is of format 99"),
        (1, '{"seat": 0, "numb', "line 2: This line is damaged."),
    ],
)
def test_what_is_damaged_is_told_and_left_alone(line: int, text: str, words: str) -> None:
    save = begun(typed="1\n2\n3\n")
    lines = save.read_text("utf-8").splitlines()
    lines[line] = text
    save.write_text("\n".join(lines) + "\n", "utf-8")
    before = save.read_bytes()
    result = run("play", "--resume", str(save), typed="1\n1\n")
    assert result.exit_code == 2 and f"{save}, {words}" in result.stderr
    assert save.read_bytes() == before


def test_a_save_in_which_an_answer_is_missing_goes_on_before_it(here: Path) -> None:
    save = begun(typed="1\n2\n3\n1\n")
    header, *entries = save.read_text("utf-8").splitlines()
    save.write_text("\n".join([header, *entries[:2], entries[3], ""]), "utf-8")
    before = save.read_bytes()
    result = run("play", "--resume", str(save), typed="2\n")
    assert result.exit_code == 0, result.output
    told = " ".join(result.stderr.split())
    assert f"{save}, line 4: The answer in this line is not possible at that point." in told
    assert "The game goes on from there in a save of its own, and this one stays as it is." in told
    assert save.read_bytes() == before
    (other,) = set(saves()) - {save}
    assert [entry.answer[0] for entry in journal.read_journal(other).entries] == ["number:1", "number:2", "number:2"]
    (sent := here.parent / "sent.jsonl").write_bytes(before)
    assert run("play", "--resume", str(sent), typed="2\n").exit_code == 0
    assert sorted(journal.read_journal(one).header.at == () for one in saves()) == [False, False, True]
    for words in (("replay", str(save)), ("record", str(save))):
        read = run(*words)
        assert read.exit_code == 0 and "What stands before it can be played." in read.stderr


def test_rules_that_a_program_reads_otherwise_are_not_those_of_the_save() -> None:
    save = begun()
    save.write_text(re.sub(r'"rules_hash":"\w+"', '"rules_hash":"00"', save.read_text("utf-8")), "utf-8")
    result = run("play", "--resume", str(save))
    assert result.exit_code == 2 and "reads the rules in it otherwise" in result.stderr


BOXED = """\
format: 1
name: Boxed
players: 2..2
kinds: {gem: }
places:
  table:
    box: {seen_by: everyone}
  player: {hand: {holds: gem, kept: loose, seen_by: owner}}
cards: {ruby: {kind: gem, copies: 3}, jade: {kind: gem, copies: 3}}
rules:
  game: |
    repeat 2:
      each me in players:
        choose found from box
        move found to me.hand
"""


def test_a_save_from_when_every_box_was_open_goes_on_with_an_open_box(here: Path) -> None:
    (here / "rulebook.yaml").write_text(BOXED, "utf-8")
    save = begun()
    written = save.read_text("utf-8").replace('"format":3', '"format":1')
    save.write_text(written.replace("  table:\\n    box: {seen_by: everyone}\\n", ""), "utf-8")
    resumed = run("play", "--resume", str(save), typed="2\n")
    assert resumed.exit_code == 0, resumed.output
    assert "Ana [1-2" in resumed.output and len(save.read_text("utf-8").splitlines()) == 3


ROLLING = """\
format: 1
name: Rolling
players: 2..2
memory: {player: {points: 0}}
rules:
  game: |
    repeat 2:
      each me in players:
        choose one "Your turn":
          "Roll":
            pick n from 1..6 at random
            add n to me.points
        choose bonus from 1..2
        add bonus to me.points
result: {rank: most points}
"""


def test_a_game_of_pressing_roll_is_played_and_an_older_one_goes_on_as_it_began(here: Path) -> None:
    (here / "rulebook.yaml").write_text(ROLLING, "utf-8")
    save = begun(typed="1\nRoll\n")
    assert [json.loads(line)["answer"] for line in save.read_text("utf-8").splitlines()[1:]] == [["label:Roll"]]
    result = run("play", "--resume", str(save), typed="2\n1\n2\n1\n2\n1\n2\n")
    assert result.exit_code == 0 and "wins" in result.output, result.output
    assert result.output.count("1 Roll") == 3 and "the only choice" not in result.output
    # Before there were buttons, "Roll" went by itself: such a save has no answer for it.
    save = begun(typed="1\n1\n1\n")
    first, _, bonus, *_ = save.read_text("utf-8").splitlines()
    older = bonus.replace('"number":2', '"number":1')
    save.write_text(first.replace('"format":3', '"format":2') + f"\n{older}\n", "utf-8")
    result = run("play", "--resume", str(save), typed="1\n1\n1\n")
    assert result.exit_code == 0 and "wins" in result.output, result.output
    assert "1 Roll" not in result.output and json.loads(save.read_text("utf-8").splitlines()[0])["format"] == 2


def test_a_full_disk_refuses_an_answer_until_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    append, times = journal.append_entry, iter([True, False, False])

    def full(*words: Any) -> None:
        if next(times):
            raise OSError(errno.ENOSPC, "No space left on device")
        append(*words)

    monkeypatch.setattr(journal, "append_entry", full)
    result = run("play", "./coins", "--seats", "Ana,Ben", typed="1\n2\n3\n")
    assert "! That could not be kept (No space left on device), and so is not done. Try again." in result.output
    (save,) = saves()
    assert [entry.answer for entry in journal.read_journal(save).entries] == [("number:2",), ("number:3",)]


def test_a_full_disk_ends_a_game_in_which_nobody_can_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    append = journal.append_entry

    def full(path: Path, entry: Entry, over: bool = False) -> None:
        if entry.seat == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(path, entry, over)

    monkeypatch.setattr(journal, "append_entry", full)
    result = run("play", "./coins", "--seats", "Ana,bot:first", typed="1\n")
    assert result.exit_code == 1
    assert "The game is saved." in result.stderr
    assert "The game cannot go on. That could not be kept (No space left on device), and" in result.stderr
    (save,) = saves()
    assert [entry.seat for entry in journal.read_journal(save).entries] == [0]


# ── taking back ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_answers_that_are_taken_back_leave_the_save_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulebook.interpreter.lower import lower
    from rulebook.loading import load

    rulebook = load(Path("coins")).rulebook
    assert rulebook is not None
    game, path = Game(lower(rulebook, 2), 1, ("Ana", "Ben")), Path("game.jsonl")
    game.save(path, keep=True)
    for seat in (0, 1, 0):
        game.answer(seat, ["number:1"])
    found = []
    replace = Path.replace
    monkeypatch.setattr(
        Path, "replace", lambda self, to: (found.append(journal.read_journal(to).entries), replace(self, to))[1]
    )
    game.undo(2)
    assert [len(entries) for entries in found] == [3]
    assert len(journal.read_journal(path).entries) == 1 and journal.read_journal(path) == game.journal


# ── rules that have changed ──────────────────────────────────────────────────────────────────────────────────────────


def changed(here: Path, old: str = "1..3", new: str = "1..6") -> None:
    text = (here / "rulebook.yaml").read_text("utf-8")
    assert old in text
    (here / "rulebook.yaml").write_text(text.replace(old, new), "utf-8")


def test_a_game_goes_on_by_the_rules_it_carries_and_says_so(here: Path) -> None:
    save = begun("--set", "turns=2")
    assert json.loads(save.read_text("utf-8").splitlines()[0])["at"] == [str(here)]
    changed(here, "from 1..3", "from 1..6")
    result = run("play", "--resume", str(save))
    assert f"The rules in {here} have changed since this game began (rulebook.yaml)." in result.stderr
    assert "Ben [1-3, ? help]" in result.stdout
    command = result.stderr.splitlines()[-1]
    assert command == f"rulebook play {here} --set turns=2 --seats Ana,Ben"
    assert "Ana [1-6, ? help]" in run(*shlex.split(command)[1:]).stdout


@pytest.mark.parametrize(("old", "new"), [("format: 1", "# A remark.\nformat: 1"), ("name: Coins", "name: More coins")])
def test_what_changes_no_rule_is_not_worth_a_word(here: Path, old: str, new: str) -> None:
    save = begun()
    changed(here, old, new)
    assert run("play", "--resume", str(save)).stderr == ""


def test_new_rules_that_cannot_be_played_are_told(here: Path) -> None:
    save = begun()
    changed(here, "choose n", "choos n")
    result = run("play", "--resume", str(save), typed="1\n")
    assert result.exit_code == 0 and "Ben [1-3, ? help]" in result.stdout
    assert f"As they are now they cannot be played: rulebook validate {here} says why." in result.stderr


def test_rules_that_are_gone_are_not_waited_for(here: Path) -> None:
    save = begun()
    (here / "rulebook.yaml").unlink()
    assert run("play", "--resume", str(save)).stderr == ""


# ── in a real terminal ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def terminal() -> Iterator[Callable[..., Any]]:
    pexpect = pytest.importorskip("pexpect")
    children = []

    def start(*words: str) -> Any:
        environ = {**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
        environ["XDG_DATA_HOME"] = str(Path("data").resolve())
        environ["PYTHONPATH"] = os.pathsep.join(sys.path)
        child = pexpect.spawn(sys.executable, ["-c", PROGRAM, *words], env=environ, encoding="utf-8", timeout=30)
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


@pytest.mark.slow
def test_the_one_that_is_chosen_goes_on(terminal: Callable[..., Any]) -> None:
    old, new = begun(), begun(typed="2\n3\n")
    aged(old, 100)
    aged(new, 10)
    child = terminal("play", "--resume")
    for typed in ("", "0", "3", "x" * 300, "²"):
        child.expect_exact("Which one goes on? [1-2, q leaves] > ")
        child.sendline(typed)
    child.expect_exact("Which one goes on? [1-2, q leaves] > ")
    child.sendline("2")
    child.expect_exact("Hand the device to Ben")
    child.sendeof()
    child.expect_exact(old.name)
    child.wait()


@pytest.mark.slow
def test_the_only_one_goes_on_at_once(terminal: Callable[..., Any]) -> None:
    begun(typed="2\n3\n")
    child = terminal("play", "--resume")
    child.expect_exact("The unfinished game")
    child.expect_exact("1  coins")
    child.expect_exact("Hand the device to")
    child.sendeof()
    child.wait()


@pytest.mark.slow
def test_many_are_shown_page_by_page(terminal: Callable[..., Any]) -> None:
    save = begun()
    for number in range(29):
        copy = save.with_name(f"copy-{number}.jsonl")
        copy.write_bytes(save.read_bytes())
        aged(copy, 100 + number)
    child = terminal("play", "--resume")
    child.setwinsize(24, 80)
    for left in (20, 10):
        child.expect_exact(f"Which one goes on? [1-30, Enter shows {left} more, q leaves] > ")
        child.sendline("")
    child.expect(r"30  coins.*Which one goes on\? \[1-30, q leaves\] > ")
    child.sendline("30")
    child.expect_exact("Hand the device to Ben")
    child.sendeof()
    child.expect_exact("copy-28.jsonl")
    child.wait()


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "seats"), [("2", "Ana"), ("1", "Ben")])
def test_a_game_begins_again_by_the_new_rules(here: Path, terminal: Callable[..., Any], typed: str, seats: str) -> None:
    save = begun("--set", "turns=2")
    changed(here, "from 1..3", "from 1..6")
    child = terminal("play", "--resume", str(save))
    child.expect_exact("[1-3, q leaves] > ")
    child.sendline("what?")
    child.expect_exact("[1-3, q leaves] > ")
    child.sendline(typed)
    child.expect_exact(f"Hand the device to {seats}")
    child.sendline("")
    child.expect_exact(f"{seats} [1-{6 if typed == '2' else 3}, ? help] > ")
    child.sendline("q")
    child.expect_exact("The game is saved.")
    child.wait()
    headers = [journal.read_journal(one).header for one in saves()]
    assert len(headers) == (2 if typed == "2" else 1)
    assert {(one.seed, one.options["turns"], one.seats) for one in headers} == {(4, 2, ("Ana", "Ben"))}


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_no_answer_that_was_taken(tmp_path: Path) -> None:
    pytest.importorskip("pexpect")
    from killing import Sitting

    sitting = Sitting(tmp_path / "killed", seed=2)
    assert [lost for _ in range(3) for lost in sitting.kill()] == []
    assert sitting.answers > 0
