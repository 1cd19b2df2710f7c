"""Who plays, and with what: a card that somebody wants to hold, a seat that another played so far, slow bots."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from terminals import PROGRAM, environment

from rulebook.cli import main
from rulebook.commands.console import BadRequest
from rulebook.commands.seats import seat_again


@pytest.fixture(autouse=True)
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "rulebook/saves"


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed)


# ── --with ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("game", "wanted", "held"),
    [
        ("wallet", ["Shared Fund", "john_smith"], ["Shared Fund", "John Smith"]),
        ("wallet", ["Double Turn"], ["Double Turn"]),
        ("exposed", ["magician"], ["Magician"]),
        ("wrong_party", ["Trend Setter"], ["Trend Setter"]),
    ],
)
def test_a_card_is_dealt_to_whoever_wants_it(game: str, wanted: list[str], held: list[str]) -> None:
    said = [word for card in wanted for word in ("--with", card)]
    result = run("play", game, "--seats", "bot,Ana", *said, typed="q\n")
    assert result.exit_code == 0, result.output
    # Read from the deal: before Ana's first turn the bot may have taken a card of hers.
    dealt = re.search("You are dealt .*", result.stdout)
    assert dealt is not None, result.stdout
    for name in held:
        assert name in dealt[0], dealt[0]


def test_two_copies_are_two_cards() -> None:
    result = run("play", "wallet", "--seats", "Ana,bot", "--with", "john_smith", "--with", "john_smith", typed="q\n")
    # The third copy may be dealt with them.
    assert re.search(r"You are dealt .*\b[23] × John Smith", result.stdout), result.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--with", "jon_smith"], "There is no card `jon_smith` in Wallet. Did you mean `john_smith`?"),
        (["--with", "john_smith", "--seed", "1"], "it goes with no --seed"),
        (["--with", "john_smith", "--bots", "random"], "only bots sit here"),
        (["--with", "double_turn", "--without", "double_turn"], "There is no copy of double_turn in this game"),
        (["--with", "double_turn"] * 2, "In 5,000 deals Ana never had double_turn and double_turn"),
    ],
)
def test_what_cannot_be_dealt_is_said(words: list[str], why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "5,000" in why:
        monkeypatch.setattr("rulebook.table.seeds.MOST_DEALS", 20)
    seats = [] if "--bots" in words else ["--seats", "Ana,bot"]
    result = run("play", "wallet", *seats, *words)
    assert (result.exit_code, why in " ".join(result.stderr.split())) == (2, True), result.stderr


# ── --as ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_seats_of_a_saved_game() -> None:
    names, kept = ["Ana", "Bot 1", "Bot 2"], ["", "greedy", "exec"]
    with pytest.raises(BadRequest, match=r"for Bot 2, .*--bots 'greedy,exec:COMMAND'\..*--as 'Ana,Bot 2'"):
        seat_again(names, None, kept)
    with pytest.raises(BadRequest, match=r"for Bot 1 \(`rm -r x`\) and Bot 2, "):
        seat_again(names, None, ["", "exec: rm -r x", "exec"])
    assert [seat.bot for seat in seat_again(names, None, ["", "greedy"])] == [None, "greedy", "random"]
    assert [seat.bot for seat in seat_again(names, None, kept, "bot 2")] == ["random", "greedy", None]
    assert [seat.bot for seat in seat_again(names, "first", kept, "Ana,Bot 1")] == [None, None, "first"]
    for wrong in ("bot", "Cleo", ""):
        with pytest.raises(BadRequest):
            seat_again(names, None, kept, wrong)


@pytest.mark.slow
def test_somebody_takes_the_seat_of_a_bot_and_hands_theirs_to_one(saves: Path) -> None:
    begun = run("play", "wallet", "--seats", "Ana,bot:greedy", "--seed", "3", typed="pass\nq\n")
    assert begun.exit_code == 0, begun.output
    (save,) = saves.iterdir()
    result = run("play", "--resume", str(save), "--as", "Bot 1", typed="v\nq\n")
    assert result.exit_code == 0, result.output
    assert "You (Bot 1)" in result.stdout
    assert "You (Ana)" not in result.stdout
    assert re.search(r"^Bot 1 \[", result.stdout, re.MULTILINE)
    # What is printed goes on as the same player.
    assert result.stdout.endswith(f"play --resume {save} --as 'Bot 1'\n")


@pytest.mark.slow
def test_a_fork_of_a_game_among_bots_is_played_on(saves: Path, tmp_path: Path) -> None:
    games = tmp_path / "games.db"
    run("simulate", "wallet", "--games", "2", "--players", "2", "--bots", "random", "--out", str(games))
    forked = run("replay", str(games), "--game", "0", "--at", "4", "--fork")
    assert forked.exit_code == 0, forked.output
    (save,) = saves.iterdir()
    result = run("play", "--resume", str(save), "--as", "Bot 2", typed="q\n")
    assert "You (Bot 2)" in result.stdout, result.output


def test_whom_one_is_belongs_to_a_saved_game() -> None:
    result = run("play", "wallet", "--as", "Ana")
    assert result.exit_code == 2
    assert "it goes with --resume" in result.stderr


# ── bots that take their time ────────────────────────────────────────────────────────────────────────────────────────

SLOW = """\
import json, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if "ask" in said:
        time.sleep(0.8)
        options = said["ask"]["options"]
        print(json.dumps({"keys": [options[0]["key"]]}), flush=True)
"""
TWO = """\
format: 1
name: Two
players: 2..2
memory: {player: {said: 0}}
rules:
  game: |
    repeat 2:
      each p in clockwise from first(players):
        p chooses n from 1..3
        set p.said = n
result: {rank: most said}
"""


@pytest.mark.slow
@pytest.mark.skipif("sys.platform == 'win32'", reason="SKIPPED: there are no pseudo-terminals here")
def test_bots_that_think_can_be_hurried(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    words = ["play", "wallet", "--seats", "Ana,bot:ismcts:1000000", "--seed", "3"]
    child = pexpect.spawn(
        sys.executable,
        ["-c", PROGRAM, *words],
        env={**environment(tmp_path), "TERM": "xterm"},
        encoding="utf-8",
        timeout=60,
    )
    try:
        child.expect_exact("The bots think … Enter hurries them.")
        child.sendline()
        # A million games for an answer would take hours.
        child.expect_exact("help] > ")
    finally:
        child.close(force=True)


@pytest.mark.slow
def test_it_is_said_that_bots_think(tmp_path: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    (tmp_path / "slow.py").write_text(SLOW, "utf-8")
    (tmp_path / "two").mkdir()
    (tmp_path / "two/rulebook.yaml").write_text(TWO, "utf-8")
    words = ["play", str(tmp_path / "two"), "--seats", f"Ana,exec:{sys.executable} {tmp_path / 'slow.py'}"]
    child = pexpect.spawn(
        sys.executable,
        ["-c", PROGRAM, *words],
        env={**environment(tmp_path), "TERM": "xterm"},
        encoding="utf-8",
        timeout=30,
    )
    try:
        child.expect_exact("help] > ")
        child.sendline("1")
        child.expect_exact("The bots think …")
        child.expect_exact("help] > ")
        assert child.before.count("The bots think") == 0
    finally:
        child.close(force=True)
