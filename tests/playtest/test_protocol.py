"""Programs that play: what they are sent, what they may answer, and how a game ends if they do something else."""

import json
import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from paths import ROOT
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.playtest.bots import BadSpec, make_bot
from rulebook.playtest.partners import MOST_REFUSED, Partner, PartnerFailed, seated

PLAYER = """\
import json, random, sys
log = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
chance = random.Random(1)
for line in sys.stdin:
    message = json.loads(line)
    if log:
        print(line, end="", file=log, flush=True)
    ask = message.get("ask")
    if ask is None:
        continue
    keys = [option["key"] for option in ask["options"] for _ in range(option["count"])]
    number = 1
    if (ask["at_least"], ask["at_most"]) != (1, 1):
        keys = [key for key in keys if key != "pass"]
        number = ask["at_most"]  # a condition of the choice may refuse less
    answer = {"seat": ask["seat"], "number": ask["number"], "keys": chance.sample(keys, number)}
    print(json.dumps(answer), flush=True)
"""
"""A bot that answers at random; it writes down what it is sent."""

SAYS = """\
import json, sys, time
for line in sys.stdin:
    ask = json.loads(line).get("ask")
    if ask:
        {}
        sys.stdout.flush()
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    """Makes a program out of a text; what stands behind `exec:`."""

    def write(text: str, *words: str, name: str = "bot.py") -> str:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return "exec:" + shlex.join([sys.executable, str(path), *words])

    return write


@pytest.fixture
def game() -> Game:
    rulebook = load_game(library.find_game("wallet"))
    options = {name: option.default for name, option in rulebook.options.items()} | {"rounds": 1}
    return Game(lower(rulebook, 3, options), 5, ("Ana", "Bot 1", "Bot 2"))


def to_the_end(game: Game, partners: dict[int, Partner]) -> None:
    others = {seat: make_bot("random", 1, seat) for seat in range(3) if seat not in partners}
    while (decision := game.decision) is not None:
        ask = decision.asks[0]
        if ask.seat in partners:
            partners[ask.seat].answer(ask)
        else:
            game.answer(ask.seat, others[ask.seat].answer(game.machine, game.state, ask), ask.number)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def alive(partner: Partner) -> bool:
    return partner._process.poll() is None


def test_a_program_is_sent_what_its_seat_may_know_and_no_more(
    game: Game, program: Callable[..., str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with seated(game, {1: program(PLAYER, str(log))}) as partners:
        to_the_end(game, partners)
        assert game.over
    assert not alive(partners[1])
    first, *decisions, last = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert first == {"game": "wallet", "you": "Bot 1", "players": ["Ana", "Bot 1", "Bot 2"], "protocol": 1}
    assert decisions
    for message in decisions:
        assert list(message) == ["view", "events", "ask"]
        assert message["view"]["you"] == "Bot 1"
        ask = message["ask"]
        assert list(ask) == [
            "seat", "number", "prompt", "name", "options", "at_least", "at_most", "ordered", "picked",
        ]  # fmt: skip
        assert ask["seat"] == 1
        assert all(list(option) == ["key", "label", "count"] for option in ask["options"])
    assert [message["ask"]["number"] for message in decisions] == list(range(1, len(decisions) + 1))
    assert list(last) == ["view", "events", "over"]
    assert last["over"]["winners"] == [game.names[seat] for seat in game.outcome.winners]
    assert list(last["over"]["scores"].values()) == list(game.outcome.scores)
    # Its own events, each once, and nobody else's.
    told = [event for message in (*decisions, last) for event in message["events"]]
    assert told == [json.loads(json.dumps(event.to_json())) for event in game.events(1)]
    assert json.loads(json.dumps(game.view(1).facts)) == last["view"]


def test_what_was_taken_back_is_said(game: Game, program: Callable[..., str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    seat = game.decision.asks[0].seat if game.decision else 0
    with seated(game, {seat: program(PLAYER, str(log))}) as partners:
        for _ in range(3):
            if (decision := game.decision) is not None and (ask := decision.find_ask(seat)) is not None:
                partners[seat].answer(ask)
        for _ in range(len(game.entries)):
            game.undo()
        assert game.decision is not None
        partners[seat].answer(game.decision.asks[0])
    messages = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    held: list[Any] = []
    for message in messages[1:-1]:
        held = held[: len(held) - message.get("taken_back", 0)] + message["events"]
    again = messages[-1]
    held = held[: len(held) - again.get("taken_back", 0)] + again["events"]
    assert held == messages[1]["events"]
    assert again["ask"] == messages[1]["ask"]


BROKEN = {
    "ends": ("sys.exit(3)", "ended with exit code 3"),
    "crashes": ("raise ValueError('no idea')", "Its last words: ValueError: no idea"),
    "talks": ("print('hello')", "An answer is one JSON object"),
    "no keys": ("print(json.dumps({'keys': 'pass'}))", "has no list of keys"),
    "a list": ("print('[]')", "has no list of keys"),
    "deep": ("print('[' * 90000)", "An answer is one JSON object"),
    "illegal": ("print(json.dumps({'keys': ['card:nonsense']}))", "`card:nonsense` is not among the options."),
    "another seat": ("print(json.dumps({'seat': 7, 'keys': ['pass']}))", "You play for seat"),
    "another decision": ("print(json.dumps({'number': 99, 'keys': ['pass']}))", "your decision 99"),
    "not a number": ("print(json.dumps({'number': 'x', 'keys': ['pass']}))", "The number of an answer"),
    "closes its output": ("import os; os.close(1); time.sleep(99)", "closed its output"),
    "hangs": ("time.sleep(99)", "gave no answer within 1 seconds."),
    "a long line": ("print('x' * 1_100_000)", "An answer is one JSON object on a line of its own of at most 1,000,000"),
    "a long key": ("print(json.dumps({'keys': ['x' * 900_000]}))", "`" + "x" * 30),
    "long last words": ("sys.stderr.write('y' * 900_000); sys.exit(3)", "y" * 200 + "…\n"),
}


@pytest.mark.parametrize(("does", "message"), BROKEN.values(), ids=list(BROKEN))
def test_a_program_that_does_not_play_ends_the_game_with_one_message(
    does: str, message: str, program: Callable[..., str]
) -> None:
    spec = program(SAYS.format(does))
    result = run("play", "wallet", "--seats", f"{spec},bot", "--seed", "3", "--timeout", "1", "--json")
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert f"Bot 1 ({spec})" in result.stderr
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert len(result.stderr) < 1500


FLOODS = {
    "lines": 'while True: sys.stdout.write(\'{"keys": ["pass"]}\\n\' * 1000)',
    "one line": "while True: sys.stdout.write('x' * 100_000)",
    "long lines": "while True: sys.stdout.write('x' * 999_998 + '\\n')",
    "line breaks": "while True: sys.stdout.write('\\n' * 100_000)",
    "standard error": "while True: sys.stderr.write('z' * 100_000)",
    "lines of standard error": "while True: sys.stderr.write('z\\n' * 100_000)",
}


@pytest.mark.slow
@pytest.mark.parametrize("flood", FLOODS.values(), ids=list(FLOODS))
def test_a_program_that_writes_while_nobody_asks_takes_no_memory(
    flood: str, game: Game, program: Callable[..., str]
) -> None:
    assert game.decision is not None
    ask = game.decision.asks[0]
    with seated(game, {ask.seat: program(f"import sys\n{flood}\n")}, timeout=0.5) as partners:
        before, until = resident(), time.monotonic() + 1.5
        while time.monotonic() < until:
            time.sleep(0.05)
            assert resident() - before < 100_000_000
        with pytest.raises(PartnerFailed) as failed:
            partners[ask.seat].answer(ask)
    assert len(str(failed.value)) < 1500
    assert any(
        how in str(failed.value) for how in ("nobody had asked for", "may not be given", "gave no answer within")
    )
    assert not game.entries, "what was written before the question is no answer to it"


def resident() -> int:
    """Bytes of memory that this process has now."""
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * 4096


@pytest.mark.slow
def test_a_program_that_answers_and_reads_nothing_is_given_up(game: Game, program: Callable[..., str]) -> None:
    with seated(game, {0: program("import time\ntime.sleep(99)\n")}) as partners:
        with pytest.raises(PartnerFailed, match="reads nothing of what it is sent"):
            for _ in range(1000):
                partners[0]._send({"much": "x" * 100_000})
        assert not alive(partners[0]) or partners[0]._process.wait(2) is not None


@pytest.mark.slow
def test_a_game_with_people_is_saved_when_a_program_fails(
    program: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    spec = program(SAYS.format("sys.exit(3)"))
    words = ["play", "wallet", "--seats", f"Ana,{spec}", "--seed", "3"]
    result = CliRunner().invoke(main, words, input="pass\n1\n1\n" * 30)
    assert result.exit_code == 1, result.output
    assert "ended with exit code 3" in result.stderr
    assert "The game is saved." in result.stderr
    [save] = (tmp_path / "rulebook" / "saves").iterdir()
    again = CliRunner().invoke(main, ["play", "--resume", str(save), "--bots", program(PLAYER)], input="")
    assert again.exit_code == 0, again.output


def test_a_wrong_answer_is_refused_with_a_reason_and_asked_again(
    game: Game, program: Callable[..., str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    second_thoughts = """\
import json, sys
wrong = 0
for line in sys.stdin:
    message = json.loads(line)
    print(line, end="", file=open(sys.argv[1], "a"))
    if "refused" in message:
        wrong += 1
    if "ask" in message:
        right = message["ask"]["options"][0]["key"]
        print(json.dumps({"keys": [right if wrong == 3 else "card:nonsense"]}), flush=True)
"""
    assert game.decision is not None
    ask = game.decision.asks[0]
    with seated(game, {ask.seat: program(second_thoughts, str(log))}) as partners:
        partners[ask.seat].answer(ask)
        assert len(game.entries) == 1
    _, *messages = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert MOST_REFUSED == 3
    assert ["refused" in message for message in messages] == [False, True] * 3 + [False]
    assert messages[1]["refused"] == "`card:nonsense` is not among the options."
    asked = [message["ask"] for message in messages if "ask" in message]
    assert all(one == asked[0] for one in asked)
    # The events are not told again.
    assert [bool(message.get("events")) for message in messages] == [True] + [False] * 6


def test_a_program_that_reads_nothing_does_not_stop_the_game(game: Game, program: Callable[..., str]) -> None:
    spec = program("import time\ntime.sleep(99)\n")
    assert game.decision is not None
    ask = game.decision.asks[0]
    with seated(game, {ask.seat: spec}, timeout=0.5) as partners:
        for _ in range(2000):
            partners[ask.seat]._send({"much": "x" * 100})
        with pytest.raises(PartnerFailed, match=r"within 0\.5 seconds"):
            partners[ask.seat].answer(ask)
    assert not alive(partners[ask.seat])


@pytest.mark.skipif(os.name != "posix", reason="needs process groups")
def test_nothing_that_was_started_is_left_behind(game: Game, program: Callable[..., str], tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    spec = program(
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(99)\n"
    )
    with seated(game, {0: spec}):
        for _ in range(100):
            if pid.exists() and pid.read_text():
                break
            time.sleep(0.05)
    for _ in range(100):
        try:
            os.kill(int(pid.read_text()), 0)
        except ProcessLookupError:
            return
        # Nobody may have read its exit code yet.
        if Path(f"/proc/{pid.read_text()}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("the program's own child lives on")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_programs_play_in_simulations(jobs: str, program: Callable[..., str]) -> None:
    spec = program(PLAYER)
    words = ["simulate", "wallet", "--games", "4", "--seed", "3", "--set", "rounds=1", "--jobs", jobs, "--json"]
    found = json.loads(run(*words, "--bots", f"{spec},random").stdout)
    assert found["games"] == 4
    assert sum(found["wins"]) == pytest.approx(4)
    assert found == {**json.loads(run(*words, "--bots", f"{spec},random").stdout), "seconds": found["seconds"]}
    broken = program(SAYS.format("sys.exit(3)"), name="broken.py")
    result = run(*words, "--bots", f"random,{broken}")
    assert result.exit_code == 1
    assert "ended with exit code 3" in result.stderr
    assert "To see it again: rulebook play wallet --players 2 --bots 'random,exec:" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.slow
def test_a_simulation_plays_the_game_that_can_be_watched(program: Callable[..., str]) -> None:
    from rulebook.playtest.series.plan import game_seed

    bots = f"{program(PLAYER)},first"
    counted = json.loads(run("simulate", "wallet", "--games", "1", "--seed", "4", "--bots", bots, "--json").stdout)
    watched = run("play", "wallet", "--seed", str(game_seed(4, 0)), "--bots", bots, "--json")
    assert counted["decisions"] == json.loads(watched.stdout)["decisions"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "has no command"),
        ("exec:'", "cannot be read"),
        ("exec:no-such-program-anywhere", "There is no program `no-such-program-anywhere`"),
        ("exec:./nowhere.py", "There is no program `./nowhere.py`"),
        ("exc:./mine", "Did you mean exec?"),
    ],
)
@pytest.mark.parametrize("command", ["play", "simulate"])
def test_a_command_that_is_not_there_is_refused_at_once(command: str, spec: str, message: str) -> None:
    words = [command, "wallet", "--seats" if command == "play" else "--bots", f"{spec},bot"]
    result = run(*words if command == "play" else [word.replace(",bot", ",random") for word in words])
    assert result.exit_code == 2
    assert message in result.stderr or (command, spec) == ("simulate", "exc:./mine")
    assert result.stdout == ""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs files that cannot be executed")
def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("\0")
    path.chmod(0o755)
    result = run("play", "wallet", "--seats", f"exec:{path},bot")
    assert result.exit_code == 2
    assert "cannot be started" in result.stderr


def test_the_program_of_the_document_plays(program: Callable[..., str]) -> None:
    document = ROOT / "docs" / "protocol.md"
    if not document.is_file():
        pytest.skip("the documents are not here")
    text = document.read_text("utf-8")
    spec = program(text.partition("```python\n")[2].partition("```")[0])
    result = run("play", "wallet", "--players", "2", "--bots", f"{spec},random", "--seed", "3", "--json")
    assert result.exit_code == 0, result.output
    for block in text.split("```json\n")[1:]:
        assert isinstance(json.loads(block.partition("```")[0]), dict)


def test_a_program_is_no_bot_without_a_game() -> None:
    with pytest.raises(BadSpec):
        make_bot("exec:true", 1, 0)
