"""Whoever knows the seed knows what is hidden: it cannot be searched for, and is shown when the game is over."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulebook.cli import main
from rulebook.interpreter import journal
from rulebook.table import saves, seeds

SEED = "12345678901234567890"
RULES = """\
format: 1
name: Coins
players: 2..3
memory: {player: {points: {type: number, default: 0}}}
rules:
  game: |
    repeat 2:
      each me in players:
        choose n from 1..3 "How many?"
        add n to me.points
result: {rank: most points}
"""
WRONG = RULES.replace("add n to me.points", "add n / (n - 2) to me.points")
"""Rules that go wrong as soon as somebody chooses 2."""
LISTENER = """\
import json, sys
heard = open(sys.argv[1], "a")
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    if "ask" in json.loads(line):
        print(json.dumps({"keys": [json.loads(line)["ask"]["options"][0]["key"]]}), flush=True)
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two games, in which commands are typed, and saves of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    for name, rules in (("coins", RULES), ("wrong", WRONG)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rulebook.yaml").write_text(rules, "utf-8")
    (tmp_path / "listener.py").write_text(LISTENER, "utf-8")
    return tmp_path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, list(words), input=typed)


def saved() -> Path:
    [path] = saves.folder().glob("*.jsonl")
    return path


# ── it cannot be searched for ────────────────────────────────────────────────────────────────────────────────────────


def test_a_drawn_seed_has_sixty_four_bits() -> None:
    drawn = [seeds.draw_seed() for _ in range(200)]
    assert len(set(drawn)) == 200 and max(drawn) < 2**64
    for bit in range(64):
        assert 50 < sum(one >> bit & 1 for one in drawn) < 150


def test_a_game_draws_its_seed_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "draw_seed", lambda: 2**64 - 1)
    assert json.loads(run("play", "./coins", "--bots", "random", "--json").stdout)["seed"] == str(2**64 - 1)


def test_every_bit_of_a_seed_counts() -> None:
    """Also the highest: another bit is another game."""
    played = {run("play", "goofspiel", "--bots", "random", "--seed", str(1 << bit)).stdout for bit in range(0, 64, 9)}
    assert len(played) == 8


def test_the_largest_seed_is_saved_resumed_and_recorded(here: Path) -> None:
    run("play", "./coins", "--seats", "Ana,Ben", "--seed", str(2**64 - 1), typed="1\n")
    assert journal.read_journal(saved()).header.seed == 2**64 - 1
    assert run("play", "--resume", str(saved()), typed="1\n").exit_code == 0
    done = run("record", str(saved()), "--title", "It is so", "--to", "coins/scenarios/so.yaml")
    assert done.exit_code == 0, done.output
    assert run("test", "./coins").exit_code == 0


# ── nobody who plays is shown it ─────────────────────────────────────────────────────────────────────────────────────

SITTINGS = [
    ("coins", "Ana,bot:random", "", "1\n?\nl\nv\ns\nu\nh\n"),
    ("coins", "Ana,Ben,bot:first", "--seal", "1\n?\n3\ns\nq\n"),
    ("coins", "Ana,Ben", "--protocol", '{"keys": ["number:1"]}\n{"keys": 1}\n{"resync": true}\nnothing\n'),
    ("coins", "Ana,Ben", "--protocol --seal", '{"keys": ["number:1"]}\n'),
    ("wrong", "Ana,Ben", "", "1\n2\n2\n"),
    ("wrong", "Ana,Ben", "--protocol", '{"keys": ["number:2"]}\n'),
]


@pytest.mark.parametrize(("game", "seats", "more", "typed"), SITTINGS)
def test_who_plays_is_not_shown_the_seed(game: str, seats: str, more: str, typed: str) -> None:
    """Whatever is printed until somebody leaves, or the rules go wrong; and when the game is gone on with."""
    words = ("play", f"./{game}", "--seats", seats, "--seed", SEED, *more.split())
    for done in (run(*words, typed=typed), run("play", "--resume", str(saved()), *more.replace("--seal", "").split())):
        assert done.exit_code in (0, 1)
        assert_untold(done.output + done.stderr)
    assert SEED not in saved().name
    for eyes in ((), ("--public",), ("--seat", "Ana"), ("--at", "1")):
        assert_untold(run("replay", str(saved()), *eyes).output)
    assert SEED not in repr(journal.read_journal(saved()))


def assert_untold(text: str) -> None:
    assert text
    for number in (SEED, f"{int(SEED):x}", f"{int(SEED):_}", f"{int(SEED):,}", str(float(SEED))):
        assert number not in text


def test_a_game_whose_rules_have_changed_does_not_show_its_seed(here: Path) -> None:
    """It can go on by the old rules, and then what is hidden is hidden still."""
    run("play", "./coins", "--seats", "Ana,Ben", "--seed", SEED, typed="1\n")
    (here / "coins" / "rulebook.yaml").write_text(RULES.replace("1..3", "1..6"), "utf-8")
    done = run("play", "--resume", str(saved()))
    assert "changed since this game began" in " ".join(done.stderr.split())
    assert_untold(done.output + done.stderr)


def test_a_program_that_plays_is_never_sent_the_seed(here: Path) -> None:
    """Not even at the end: of a simulation, the next games follow from the same one."""
    heard, listener = here / "heard", f"exec:{shlex.quote(sys.executable)} listener.py heard"
    run("play", "./coins", "--seats", f"Ana,{listener}", "--seed", SEED, typed="1\n1\n")
    assert '"over"' in heard.read_text()
    assert_untold(heard.read_text())
    heard.unlink()
    done = run("simulate", "./coins", "--bots", f"{listener},random", "--games", "2", "--seed", "987654321")
    assert done.exit_code == 0, done.output
    assert '"over"' in heard.read_text() and "987654321" not in heard.read_text()
    assert "seed" not in heard.read_text()


def test_bots_alone_show_it_when_they_are_done() -> None:
    shown = run("play", "./coins", "--bots", "random", "--seed", SEED).stdout
    assert shown.endswith(f"\nseed {SEED}\n") and shown.count(SEED) == 1


# ── it can be checked ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_sealed_seed_can_be_checked_at_the_end() -> None:
    """Also by those who went on from a save."""
    begun = run("play", "./coins", "--seats", "Ana,Ben", "--seal", typed="1\n").stdout
    rest = run("play", "--resume", str(saved()), typed="1\n1\n1\n").stdout
    [[first], [again]] = (re.findall(r"The seed is sealed: ([0-9a-f]{64})\n", text) for text in (begun, rest))
    shown = re.search(r"\nseed ([0-9]+)\nnonce ([0-9a-f]{32})\n", rest)
    assert shown is not None
    assert first == again == sha256(f"{shown[1]} {shown[2]}".encode()).hexdigest()
    assert shown[0].strip() in run("replay", str(saved())).stdout


def test_a_front_end_is_sent_the_seal_and_then_the_seed() -> None:
    """As text: in JavaScript numbers of this size are rounded."""
    typed = '{"keys": ["number:1"]}\n' * 4
    lines = run("play", "./coins", "--seats", "Ana,Ben", "--protocol", "--seal", typed=typed).stdout.splitlines()
    sent = [json.loads(line) for line in lines]
    last = [one for one in sent if "over" in one]
    assert len(last) == 2 and len({one["seal"] for one in sent if "protocol" in one}) == 1
    assert last[0]["seed"] == last[1]["seed"] and isinstance(last[0]["seed"], str)
    assert sent[0]["seal"] == sha256(f"{last[0]['seed']} {last[0]['nonce']}".encode()).hexdigest()
    assert not any("seed" in one or "nonce" in one for one in sent if one not in last)


def test_the_same_seed_never_has_the_same_seal() -> None:
    """So nobody can try seeds until one has it."""
    texts = [run("play", "./coins", "--bots", "first", "--seed", "1", "--seal").stdout for _ in range(2)]
    assert len({text.splitlines()[0] for text in texts}) == 2


def test_what_is_not_sealed_has_no_nonce() -> None:
    assert "nonce" not in run("play", "./coins", "--bots", "first").stdout
    assert "nonce" not in json.loads(run("play", "./coins", "--bots", "first", "--json").stdout)
    assert "nonce" in json.loads(run("play", "./coins", "--bots", "first", "--json", "--seal").stdout)


def test_a_saved_game_cannot_be_sealed_any_more() -> None:
    run("play", "./coins", "--seats", "Ana,Ben", typed="1\n")
    assert run("play", "--resume", str(saved()), "--seal").exit_code == 2


# ── nobody else can read it ──────────────────────────────────────────────────────────────────────────────────────────


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="the modes of files are those of POSIX")
def test_a_save_is_its_owner_s_alone(here: Path) -> None:
    before = os.umask(0)
    try:
        run("play", "./coins", "--seats", "Ana,Ben", typed="1\n")
        assert (mode(saved()), mode(saves.folder())) == (0o600, 0o700)
        run("play", "--resume", str(saved()), typed="1\nu\n")
        assert mode(saved()) == 0o600
        run("replay", str(saved()), "--fork")
        assert {mode(path) for path in saves.folder().iterdir()} == {0o600}
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="the modes of files are those of POSIX")
def test_what_an_earlier_version_left_open_is_closed(here: Path) -> None:
    run("play", "./coins", "--seats", "Ana,Ben", typed="1\n")
    save = saved()
    save.chmod(0o644)
    saves.folder().chmod(0o755)
    save.with_name(save.name + ".new").write_text("torn")
    run("play", "--resume", str(save), typed="1\n")
    assert mode(save) == 0o600
    journal.write_journal(save, journal.read_journal(save).header)
    assert mode(save) == 0o600
    run("play", "./coins", "--seats", "Ana,Ben", typed="1\n")
    assert mode(saves.folder()) == 0o700
