"""A game looked at again: through whose eyes, forward and back, and a new game from the middle of it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from coins import GAME
from leaks import answer_at_random
from shipped import load_game
from terminals import PROGRAM

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter import journal, views
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.table.replaying import Eyes, NoSuchEyes, Replay, parse_eyes

NAMES = ("Ana", "Ben", "Cleo")


@pytest.fixture(autouse=True)
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ana has typed 1, 3 and 2, Ben 2 and 1."""
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "RULEBOOK_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    Path("coins").mkdir()
    Path("coins/rulebook.yaml").write_text(GAME, "utf-8")
    result = run("play", "./coins", "--seats", "Ana,Ben", "--seed", "4", typed="1\n2\n3\n1\n2\n")
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "data/rulebook/saves").iterdir()
    return path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed)


def game_of(name: str, answers: int, seed: int = 3) -> Game:
    rulebook = load_game(library.find_game(name))
    game = Game(lower(rulebook, 3), seed, NAMES)
    below = Source(seed, "test").below
    for _ in range(answers):
        if not game.over:
            answer_at_random(game, below)
    return game


# ── as text ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_terminal_the_story_and_the_table_are_printed(save: Path) -> None:
    before = save.read_bytes()
    assert run("replay", str(save)).stdout.startswith("Coins\n")
    text = run("replay", str(save), "--public").stdout
    assert "· Ana chooses 1." in text
    assert "after 5 of 5 answers · what everyone sees" in text
    assert "Ana  points 6" in text and "Ben  points 3" in text
    assert save.read_bytes() == before


def test_up_to_an_answer(save: Path) -> None:
    text = run("replay", str(save), "--at", "2").stdout
    assert "after 2 of 5 answers" in text and "Ana  points 1" in text
    refused = run("replay", str(save), "--at", "6")
    assert refused.exit_code == 2 and "holds 5 answers, and --at asks for number 6." in refused.stderr


def test_through_somebodys_eyes(save: Path) -> None:
    assert "You choose 1." in run("replay", str(save), "--seat", "ana").stdout
    assert "after 5 of 5 answers · all that anybody saw" in run("replay", str(save), "--at", "5").stdout
    refused = run("replay", str(save), "--seat", "Cleo")
    assert refused.exit_code == 2 and "the players are Ana, Ben." in refused.stderr
    assert run("replay", str(save), "--seat", "Ana", "--public").exit_code == 2


def test_a_game_that_is_over_says_who_won(save: Path) -> None:
    result = run("play", "--resume", str(save), typed="3\n")
    assert result.exit_code == 0, result.output
    assert "Ana and Ben share the victory." in run("replay", str(save)).stdout


@pytest.mark.parametrize("content", ["nothing\n", '{"format": 99}\n'])
def test_what_is_no_save_is_refused(content: str) -> None:
    Path("x.jsonl").write_text(content, "utf-8")
    result = run("replay", "x.jsonl")
    assert result.exit_code == 2 and "x.jsonl, line 1:" in result.stderr


def test_names_may_be_shortened_and_mean_players_first() -> None:
    assert parse_eyes(("Ana", "Ben"), " be ") == Eyes(1)
    assert parse_eyes(("Ana", "Public"), "public") == Eyes(1)
    assert parse_eyes(("Ana", "Ben"), "public") == Eyes()
    assert parse_eyes(("Ana", "Ben"), " ") == Eyes(is_open=True)
    with pytest.raises(NoSuchEyes):
        parse_eyes(("Ana", "Anton"), "an")


# ── forward and back ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["wallet", "exposed", "wrong_party"])
def test_back_and_forward_is_the_same_game(name: str) -> None:
    game = game_of(name, 30)
    replay = Replay(game, 80)
    seen: dict[int, object] = {}
    for at in (30, 0, 7, 29, 8, 30, 3, 7, 0, 30):
        replay.go(at)
        assert replay.at == min(at, len(replay.entries))
        now = [game.state[:], [game.view(seat).to_json() for seat in range(3)]]
        assert seen.setdefault(at, now) == now
        replay.tell_story(Eyes(), max(at - 1, 0))
        assert replay.at == min(at, len(replay.entries))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wallet", "exposed", "wrong_party", "liars_dice", "hearts"])
def test_what_everyone_sees_every_player_sees(name: str) -> None:
    """Nothing of it is more than any one of them is shown."""
    rulebook = load_game(library.find_game(name))
    players = max(3, rulebook.players[0])
    names = ("Ana", "Ben", "Cleo", "Dan")[:players]
    game = Game(lower(rulebook, players), 5, names)
    below = Source(5, "test").below
    for _ in range(60):
        if game.over:
            break
        common = views.collect_common_facts(game.program, game.names, game.state)
        alive = {seat: game.view(seat).facts for seat in range(players) if names[seat] not in common["eliminated"]}
        for key, content in common["places"].items():
            if "#" in key or not any(content.get("cards", ())):
                continue
            for seat, facts in alive.items():
                theirs = facts["places"][key]["cards"]
                if "unknown" in content:
                    assert not [one for one in content["cards"] if one not in theirs], (key, seat)
                else:
                    assert all(one in (None, other) for one, other in zip(content["cards"], theirs, strict=True))
        for key, value in common["memory"].items():
            assert all(facts["memory"][key] == value for facts in alive.values())
        answer_at_random(game, below)


def test_nothing_is_hidden_of_what_a_player_holds() -> None:
    game = game_of("wallet", 25)
    shown = Replay(game, 80).collect_facts(Eyes(is_open=True))
    for seat, name in enumerate(NAMES):
        assert shown["places"][f"{name}.hand"] == game.view(seat).facts["places"][f"{name}.hand"]
        assert shown["places"][f"{name}.hand"]["unknown"] == 0
    assert views.collect_common_facts(game.program, NAMES, game.state)["places"]["Ana.hand"]["unknown"] > 0


# ── a new game ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("at", [0, 3, 5])
def test_a_new_game_goes_on_from_anywhere(save: Path, at: int) -> None:
    before = save.read_bytes()
    result = run("replay", str(save), "--fork", "--at", str(at))
    assert result.exit_code == 0, result.output
    new = Path(re.findall(r"play --resume (\S+)", result.stdout)[0])
    assert new != save and save.read_bytes() == before
    assert journal.read_journal(new).header == journal.read_journal(save).header
    assert journal.read_journal(new).entries == journal.read_journal(save).entries[:at]
    assert run("play", "--resume", str(new), typed="1\n").exit_code == 0
    assert len(journal.read_journal(new).entries) == at + 1


# ── at a terminal ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def terminal() -> Iterator[Callable[..., Any]]:
    pexpect = pytest.importorskip("pexpect")
    children = []

    def start(*words: str) -> Any:
        environ = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)}
        child = pexpect.spawn(sys.executable, ["-c", PROGRAM, *words], env=environ, encoding="utf-8", timeout=30)
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


@pytest.mark.slow
def test_somebody_steps_through_it(save: Path, terminal: Callable[..., Any]) -> None:
    child = terminal("replay", str(save), "--public")
    steps = [
        ("n", "[0 of 5", "after 0 of 5 answers · what everyone sees"),
        ("", "[1 of 5", "· Ana chooses 1."),
        ("p", "[2 of 5", "· Ben chooses 2."),
        ("p", "[1 of 5", "· Ana chooses 1."),
        ("p", "[0 of 5", "after 0 of 5"),
        ("4", "[0 of 5", "! This is the beginning."),
        ("s Ben", "[4 of 5", "· Ben chooses 1."),
        ("last", "[4 of 5", "You choose 1."),
        ("n", "[5 of 5", "what Ben sees"),
        ("s", "[5 of 5", "! This is the end of it."),
        ("s Nobody", "[5 of 5", "all that anybody saw"),
        ("s public", "[5 of 5", "! Nobody is called “Nobody”"),
        ("99999999999999999999", "[5 of 5", "what everyone sees"),
        ("x" * 2000, "[5 of 5", "This is the end"),
        ("first", "[5 of 5", "is no key here; ? lists them."),
        ("3", "[0 of 5", "after 0 of 5"),
        ("f", "[3 of 5", "· Ana chooses 3."),
    ]
    for typed, prompt, shown in steps:
        child.expect_exact(f"{prompt}, ? help] > ")
        assert shown in child.before.rpartition("\x1b[2J")[2], (typed, shown)
        child.sendline(typed)
    child.expect_exact("A new game begins after 3 answers. Play it with:")
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.parametrize(
    ("typed", "eyes"), [("", "what everyone sees"), ("n", "what everyone sees"), ("Y", "all that")]
)
def test_who_looks_at_an_unfinished_game_is_asked_first(
    save: Path, terminal: Callable[..., Any], typed: str, eyes: str
) -> None:
    child = terminal("replay", str(save), "--at", "2")
    child.expect_exact("Shall all that is hidden be shown")
    child.expect_exact("y shows it, Enter shows what everybody saw > ")
    child.sendline(typed)
    child.expect_exact("[2 of 5, ? help] > ")
    assert eyes in child.before.rpartition("\x1b[2J")[2]


def test_the_log_goes_up_to_the_answer_at_which_somebody_looks(save: Path, terminal: Callable[..., Any]) -> None:
    child = terminal("replay", str(save), "--at", "2")
    child.expect_exact("y shows it, Enter shows what everybody saw > ")
    child.sendline("y")
    child.expect_exact("[2 of 5, ? help] > ")
    child.sendline("l")
    child.expect_exact("── Enter goes back ── ")
    page = child.before.rpartition("\x1b[2J")[2]
    assert "Log" in page and "Ben chooses 2." in page and "Ana chooses 3." not in page
    child.sendline("")
    child.expect_exact("[2 of 5, ? help] > ")
    child.sendline("?")
    child.expect_exact("the log: all that happened up to here")
    child.expect_exact("── Enter goes back ── ")


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("sendeof", 0), ("sendintr", 130)])
def test_somebody_leaves(save: Path, terminal: Callable[..., Any], key: str, code: int) -> None:
    child = terminal("replay", str(save), "--at", "2", "--public")
    child.expect_exact("[2 of 5, ? help] > ")
    getattr(child, key)()
    child.expect_exact("\x1b[?1049l")
    assert "Traceback" not in child.read()
    child.wait()
    assert child.exitstatus == code


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("sendeof", 0), ("sendintr", 130)])
def test_somebody_leaves_before_anything_is_shown(
    save: Path, terminal: Callable[..., Any], key: str, code: int
) -> None:
    child = terminal("replay", str(save))
    child.expect_exact("y shows it, Enter shows what everybody saw > ")
    getattr(child, key)()
    assert "chooses" not in child.read()
    child.wait()
    assert child.exitstatus == code
