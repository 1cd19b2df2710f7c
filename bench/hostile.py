"""How long, and with how much memory, does `rulebook validate` refuse what means harm?

    python bench/hostile.py [--slow 0.5]

In: the files of `tests/helpers/hostile_files.py`, each in a folder and a process of its own. Out: a table of the
slowest: seconds of the processor without those that an empty folder takes, and the most memory the process had (Linux).
Exit code 1 if one took more than a second or 300 MB, fell, was taken for good, or got no message with a place; also if
one that is harmless was refused.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from hostile_files import HARMLESS, HOSTILE

SECONDS, MEGABYTES = 1.0, 300.0
_CODE = """
import atexit, sys
from rulebook.cli import main
atexit.register(lambda: print([one for one in open("/proc/self/status") if "VmHWM" in one][0], file=sys.stderr))
main()
"""
_COMMAND = [sys.executable, "-c", _CODE, "validate", "--format", "json"]


@frozen
class Run:
    """One file, checked: the process's exit code, its seconds and megabytes, and its messages that have a place."""

    exit: int
    seconds: float
    megabytes: float
    placed: int


def checked(folder: Path) -> Run:
    """What came of a folder."""
    process = subprocess.Popen([*_COMMAND, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    said, told = process.stdout.read(), process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    placed = sum('"line"' in json.dumps(one) for one in json.loads(said)["diagnostics"]) if said else 0
    peak = int(told.split("VmHWM:")[1].split()[0]) / 1024 if "VmHWM:" in told else 0.0
    return Run(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, peak, placed)


def main() -> int:
    """Checks all of them, and prints what took long."""
    arguments = argparse.ArgumentParser(description="How soon is refused what means harm?")
    arguments.add_argument("--slow", type=float, default=0.0, help="print those that took so many seconds (0)")
    given = arguments.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        idle = checked(Path(scratch)).seconds
        print(f"{'':<44} {'seconds':>8} {'MB':>6} {'exit':>5} {'messages':>9}")
        for number, (name, data) in enumerate([*HOSTILE.items(), *HARMLESS.items()]):
            folder = Path(scratch) / f"g{number}"
            folder.mkdir()
            (folder / "rulebook.yaml").write_bytes(data)
            run = checked(folder)
            seconds = max(run.seconds - idle, 0.0)
            good = seconds <= SECONDS and run.megabytes <= MEGABYTES
            good &= run.exit == 0 if name in HARMLESS else run.exit == 1 and run.placed > 0
            failed |= not good
            if seconds >= given.slow or not good:
                row = f"{name:<44} {seconds:>8.2f} {run.megabytes:>6.0f} {run.exit:>5} {run.placed:>9}"
                print(row + ("" if good else "  <--"), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
