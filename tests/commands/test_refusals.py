"""What cannot be done, however it is asked for: one message, exit code 2, and nothing on standard output."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulebook.cli import main

REFUSED = [
    ("plai", "Did you mean play?"),
    ("nonsense", "The commands are: play, serve, simulate"),
    ("--color alwys list", "Did you mean always?"),
    ("list --colour never", "--color"),
    ("play", "Say which game"),
    ("play walet", "Did you mean wallet?"),
    ("play wallet --player 3", "--players"),
    ("play wallet --players 8", "2 to 7 players, not 8"),
    ("play wallet --players 1", "2 to 7 players, not 1"),
    ("play wallet --players two", "is no whole number from 1 on"),
    ("play wallet --seats Ana", "2 to 7 players, not 1"),
    ("play wallet --seats Ana,,Ben", "leaves a seat empty"),
    ("play wallet --seats Ana,Ana", "names that are different"),
    ("play wallet --seats Ana,Bot\t2", "one line"),
    ("play wallet --seats Ana,exec:./mine", "There is no program `./mine`"),
    ("play wallet --seats Ana,bot --timeout 0", "--timeout"),
    ("play wallet --seats Ana,bot:frst", "Did you mean first?"),
    ("play wallet --seats Ana,bo:first", "Did you mean bot?"),
    ("play wallet --seats Ana,Ben --players 3", "Give one of them"),
    ("play wallet --seats Ana,Ben --bots random", "Give one of them"),
    ("play wallet --bots randm", "Did you mean random?"),
    ("play wallet --bots random,first,random --players 2", "3 bots for 2 players"),
    ("play wallet --set rounds", "--set needs NAME=VALUE"),
    ("play wallet --set round=5", "Did you mean `rounds`?"),
    ("play wallet --set rounds=99", "from 1 to 9"),
    ("play wallet --set rounds=", "from 1 to 9"),
    ("play wallet --set end_order=coin_descending", "Did you mean"),
    ("play wallet --set final_tie=shared --set nothing=1", "rulebook show wallet --options lists them"),
    ("play nowhere/rulebook.yaml", "nowhere/rulebook.yaml"),
    ("play nowhere", "nowhere"),
    ("play wallet --seats Ana,robot:random", "robot:random"),
    ("play wallet --seats Ana,Bot\u00a01", "Bot"),
    ("play wallet --seats you,bot", "Choose another name"),
    ("play wallet --bots random --players 1", "2 to 7 players, not 1"),
    ("play wallet --bots random --players 8", "2 to 7 players, not 8"),
    ("play wallet --bots random --players -3", "--players"),
    ("play wallet extra", "extra"),
    ("play wallet --set limit=5", "CU"),
    ("play wallet --seed -1", "--seed"),
    ("play --resume nowhere.jsonl", "nowhere.jsonl"),
    ("play wallet --resume nowhere.jsonl", "--resume goes with"),
    ("simulate walet", "Did you mean wallet?"),
    ("simulate", "GAME"),
    ("simulate wallet --games 0", "--games"),
    ("simulate wallet --games -5", "--games"),
    ("simulate wallet --games many", "--games"),
    ("simulate wallet --players 1", "2 to 7 players, not 1"),
    ("simulate wallet --set rounds=0", "from 1 to 9"),
    ("simulate wallet --bots randm", "Did you mean random?"),
    ("simulate wallet --seed 1.5", "--seed"),
    ("simulate wallet --players 9", "2 to 7 players, not 9"),
    ("simulate wallet --jobs 0", "--jobs"),
    ("validate nowhere", "There is no file or folder nowhere"),
    ("validate --format jsn", "Did you mean json?"),
    ("test nowhere", "There is no file or folder nowhere"),
    ("show walet", "Did you mean wallet?"),
    ("show wallet tiera", "Did you mean tiara?"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[words for words, _ in REFUSED])
def test_what_cannot_be_done_is_said_in_one_message(words: str, message: str) -> None:
    result = CliRunner().invoke(main, words.split(" "))
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""


@pytest.mark.parametrize(
    "words", ["", "play", "play wallet --set final_tie=shared --set nothing=1", "show wallet tieraxyz"]
)
def test_advice_names_the_command_as_it_was_started(words: str) -> None:
    result = CliRunner(env={"RULEBOOK_COMMAND": "python3 run.py"}).invoke(main, words.split() or ["--help"])
    assert "python3 run.py " in result.output
    assert " rulebook " not in result.output


def test_the_command_that_goes_on_stands_on_one_line(tmp_path: Path) -> None:
    folder = tmp_path / ("a_long_name" * 12)
    environ = {"XDG_DATA_HOME": str(folder), "RULEBOOK_COMMAND": "python3 run.py"}
    lines = CliRunner(env=environ).invoke(main, ["play", "wallet", "--seed", "1"], input="s\nq\n").stdout.splitlines()
    [save] = (folder / "rulebook" / "saves").iterdir()
    assert f"  {save}" in lines
    assert lines[-2:] == ["The game is saved. Go on with:", f"python3 run.py play --resume {save}"]
