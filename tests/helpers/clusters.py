"""A scheduler and workers on this computer alone, each a process of its own.

In: a folder, and how many workers. Out: their address, and what somebody did there. Never: a process that outlives its
test, or the scheduler that it belongs to. In a file of its own, since a scheduler must be able to import what it is to
tell of itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

_HOST = "127.0.0.1"
_WITHOUT = """
import sys
class Blind:
    def find_spec(self, name, path=None, target=None):
        if name == "rulebook":
            raise ModuleNotFoundError("No module named 'rulebook'", name=name)
sys.meta_path.insert(0, Blind())
"""


class Machines:
    """Processes that play. All of them end with `close`; if nobody gets that far, because nobody talks to them."""

    def __init__(self, folder: Path, workers: int = 0) -> None:
        self._file, self._log = folder / "scheduler.json", (folder / "processes.log").open("wb")
        self._folder = folder
        self._all: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        words = ["--port", "0", "--no-dashboard", "--idle-timeout", "120", "--scheduler-file", str(self._file)]
        self.scheduler = self._started("scheduler", words)
        for _ in range(workers):
            self.worker()

    def worker(self, prelude: str = "", path: str | None = None) -> subprocess.Popen[bytes]:
        """One more. It begins with a prelude, and may find what it imports somewhere else."""
        words = [self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--death-timeout", "30"]
        self.workers.append(self._started("worker", words, prelude, path))
        return self.workers[-1]

    def blind_worker(self) -> subprocess.Popen[bytes]:
        """One in whose Python there is no rulebook."""
        return self.worker(_WITHOUT)

    @property
    def address(self) -> str:
        """Where the scheduler is, as soon as it is there."""
        while True:
            assert self.scheduler.poll() is None, "the scheduler ended"
            try:
                return str(json.loads(self._file.read_text("utf-8"))["address"])
            except (OSError, ValueError):
                time.sleep(0.02)

    def _started(
        self, what: str, words: list[str], prelude: str = "", path: str | None = None
    ) -> subprocess.Popen[bytes]:
        here = os.pathsep.join(map(os.path.abspath, sys.path))
        environ = {**os.environ, "PYTHONPATH": here if path is None else os.pathsep.join([path, here])}
        program = f"{prelude}\nfrom distributed.cli.dask_{what} import main\nmain()"
        words = [sys.executable, "-c", program, *words, "--host", _HOST]
        # Where there is nothing that could be imported by mistake.
        begun = subprocess.Popen(words, env=environ, cwd=self._folder, stdout=self._log, stderr=self._log)
        self._all.append(begun)
        return begun

    def close(self) -> None:
        """Kill all of them."""
        for one in reversed(self._all):
            one.kill()
            one.wait()
        self._log.close()
