"""The programs of `bench/`, which take too long for a test: that each begins, and that slips are made and found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench"
NEEDS = {"others.py": "rlcard"}
"""What a program compares with, or plays on, that tests can do without."""
PROGRAMS = sorted(file.name for file in BENCH.glob("*.py") if '__name__ == "__main__"' in file.read_text("utf-8"))


def said(*words: str) -> str:
    """What a program prints.  It finds its neighbours in its own folder, which a safe path would leave out."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    line = [sys.executable, *words]
    done = subprocess.run(line, cwd=BENCH.parent, capture_output=True, text=True, timeout=120, env=environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_begins(name: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    assert "usage:" in said(f"bench/{name}", "--help")


def test_slips_are_made_and_found() -> None:
    assert "found 100.00%" in said("bench/mutations.py", "--sample", "3", "kuhn_poker")
