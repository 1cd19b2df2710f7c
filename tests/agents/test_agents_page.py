"""What docs/agents.md prints runs: environments, games, and a seat of a language model, with a stand-in for it."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner, Result
from cores import has_core
from paths import ROOT

from rulebook import library
from rulebook.cli import main

PAGE = (ROOT / "docs" / "agents.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
MODEL = EXAMPLES[-1]


def run(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    import os

    environ = {**os.environ, "PYTHONPATH": str(ROOT), **more.pop("environ", {})}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, env=environ, timeout=100, **more
    )


@pytest.mark.slow
@pytest.mark.extra("pettingzoo", "pettingzoo")
@pytest.mark.needs(has_core(), "there is no core here: build it with `python3 build_core.py`")
def test_the_environment_of_the_page() -> None:
    done = run("-c", EXAMPLES[0])
    assert done.returncode == 0, done.stderr
    *steps, payoffs = done.stdout.splitlines()
    assert all(re.fullmatch(r"player_[01] label:(Fold|Check|Call|Raise)", step) for step in steps)
    assert sum(json.loads(payoffs.replace("(", "[").replace(")", "]"))) == 0


@pytest.mark.slow
@pytest.mark.extra("openspiel", "pyspiel")
def test_the_game_of_openspiel_of_the_page() -> None:
    done = run("-c", EXAMPLES[1])
    assert done.returncode == 0, done.stderr
    assert 0 < float(done.stdout.splitlines()[-1]) < 0.1


class StandIn(BaseHTTPRequestHandler):
    """A model that chooses the last option, or says what a test wants it to."""

    says: ClassVar[str | None] = None
    heard: ClassVar[list[list[dict[str, str]]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.heard.append(body["messages"])
        last = [line for line in body["messages"][-1]["content"].splitlines() if re.match(r"\d+ ", line)][-1]
        said = f"I have 3 chips and 1 card.\n{last.split()[0]}" if self.says is None else self.says
        reply = json.dumps({"choices": [{"message": {"role": "assistant", "content": said}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *words: object) -> None:
        pass


@pytest.fixture
def model(tmp_path: Path) -> Iterator[dict[str, str]]:
    (tmp_path / "model.py").write_text(MODEL, "utf-8")
    StandIn.says, StandIn.heard = None, []
    server = HTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield {"MODEL_URL": f"http://127.0.0.1:{server.server_port}/v1/chat/completions", "NO_PROXY": "*"}
    server.shutdown()
    server.server_close()


def play(game: str, tmp_path: Path, model: dict[str, str]) -> Result:
    """Type the commands of the page; the model runs in a process of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for name, value in model.items():
            patch.setenv(name, value)
        rules = CliRunner().invoke(main, ["show", game, "--english"])
        (tmp_path / "rules.txt").write_text(rules.stdout, "utf-8")
        seats = f"exec:{sys.executable} model.py rules.txt,random"
        words = ("simulate", game, "--bots", seats, "--games", "1", "--seed", "3", "--players", "2")
        return CliRunner().invoke(main, words)


def test_it_is_about_forty_lines() -> None:
    assert len(MODEL.splitlines()) <= 45


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn_poker", "wallet", "goofspiel"])
def test_a_model_plays_a_seat(game: str, tmp_path: Path, model: dict[str, str]) -> None:
    done = play(game, tmp_path, model)
    assert done.exit_code == 0, done.output
    assert StandIn.heard
    first = StandIn.heard[0]
    assert first[0]["role"] == "system"
    assert first[0]["content"].startswith("You are Bot 1 in this game. You want to win.")
    assert len(first[0]["content"]) > 500


@pytest.mark.slow
@pytest.mark.parametrize("says", ["", "I do not know.", "9999", "1 1 1 1 1 1 1"])
def test_whatever_it_says_the_game_goes_on(says: str, tmp_path: Path, model: dict[str, str]) -> None:
    StandIn.says = says
    done = play("goofspiel", tmp_path, model)
    assert done.exit_code == 0, done.output
    assert StandIn.heard


@pytest.mark.slow
def test_a_model_is_sent_nothing_that_its_seat_may_not_know(tmp_path: Path, model: dict[str, str]) -> None:
    assert play("kuhn_poker", tmp_path, model).exit_code == 0
    asked = " ".join(
        message["content"] for messages in StandIn.heard for message in messages if message["role"] == "user"
    )
    views = [json.loads(messages[-1]["content"].splitlines()[0])[1] for messages in StandIn.heard]
    assert all(view["places"]["Bot 2.hand"] == {"cards": [None]} for view in views)
    assert "seed" not in asked


def test_every_game_of_the_page_is_there() -> None:
    games = {folder.name for folder in library.find_games()}
    assert set(re.findall(r'rulebook\.(?:pettingzoo|openspiel|open)\("(\w+)"', PAGE)) <= games
