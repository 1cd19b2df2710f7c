"""The first hour of a designer who has only pip: what README prints, typed word by word after the wheel was installed
into an environment of its own, with no compiler on the PATH.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

INSTALLED = os.environ.get("RULEBOOK_WHEEL")
README = (ROOT / "README.md").read_text("utf-8")
pexpect = pytest.importorskip("pexpect") if sys.platform != "win32" else None
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not INSTALLED, reason="only `run.py test` has a wheel"),
    pytest.mark.skipif(pexpect is None, reason="there are no such terminals on Windows"),
]


def find_block(start: str) -> str:
    """The block of README with a line that begins so."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    [found] = [block for block in blocks if re.search(rf"^{re.escape(start)}", block, re.MULTILINE)]
    return str(found)


def list_lowest() -> list[str]:
    """The lowest versions that are allowed, as `run.py` knows them."""
    spec = importlib.util.spec_from_file_location("run_py", ROOT / "run.py")
    assert spec is not None and spec.loader is not None
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    return list(run.list_lowest_versions())


class Desk:
    """A folder of somebody's own, and the program as they have it."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.bin = folder, home / "venv" / "bin"
        self.environ = {"PATH": str(self.bin), "HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "90"}

    def do(self, line: str) -> str:
        """Type a line, and return what it prints."""
        words = shlex.split(line)
        done = subprocess.run(
            [self.bin / words[0], *words[1:]], cwd=self.folder, env=self.environ, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self, line: str) -> Any:
        """Type a line that goes on until somebody ends it."""
        words = shlex.split(line)
        return pexpect.spawn(
            str(self.bin / words[0]), words[1:], cwd=str(self.folder), env=self.environ, encoding="utf-8", timeout=120
        )


@pytest.fixture(params=["newest", "lowest"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    """The wheel with what README names, `web`, and what it says of paper, `print`."""
    if request.param == "lowest" and sys.version_info >= (3, 12):
        pytest.skip("what is so old was never built for a Python that is so new")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    limits = tmp_path / "limits.txt"
    limits.write_text("\n".join(list_lowest() if request.param == "lowest" else []), "utf-8")
    words = ["-m", "pip", "install", "--quiet", "--constraint", str(limits), f"{INSTALLED}[web,print]"]
    done = subprocess.run([tmp_path / "venv" / "bin" / "python", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "games").mkdir()
    return Desk(tmp_path / "games", tmp_path)


def test_what_readme_prints_can_be_typed(desk: Desk) -> None:
    assert 'pip install "tabletop-rulebook[web]"\nrulebook play wallet\n' in README
    [copy] = find_block("rulebook new game ./mine").splitlines()
    desk.do(copy)
    changed = find_block("  double_turn:")
    cards = desk.folder / "mine" / "specials.yaml"
    before = cards.read_text("utf-8")
    [old] = re.findall(r"^  double_turn:\n(?:    .*\n)+", before, re.MULTILINE)
    cards.write_text(before.replace(old, changed), "utf-8")

    check, play, serve, simulate = find_block("rulebook validate ./mine").splitlines()
    assert "no problems" in desk.do(check)
    table = desk.start(play)
    table.expect("Triple Turn")
    while table.expect(["> $", "Enter goes on"]):  # others may be first
        table.sendline()
    table.sendline("quit")
    table.close()
    assert "1000 games" in desk.do(simulate)
    host = desk.start(serve)
    host.expect(r"(http://\S+)/seat#")
    with urllib.request.urlopen(host.match[1], timeout=60) as page:
        assert b"<html" in page.read()
    host.sendintr()
    host.close()

    (desk.folder / "mine" / "mine.yaml").write_text(find_block("  pickpocket:"), "utf-8")
    assert "Pickpocket" in desk.do("rulebook show ./mine pickpocket")
    desk.do("rulebook validate ./mine")
    [printed] = re.findall(r"`(rulebook print wallet --to \S+)`", README)
    desk.do(printed)
    assert (desk.folder / "wallet.pdf").read_bytes().startswith(b"%PDF")

    assert desk.do("rulebook new game ./my_game")
    assert "no problems" in desk.do("rulebook validate ./my_game")
    desk.do("rulebook simulate ./my_game --games 100")
