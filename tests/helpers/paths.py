"""Where the checkout, its tests and their data lie."""

from __future__ import annotations

from pathlib import Path

HELPERS = Path(__file__).resolve().parent
TESTS = HELPERS.parent
ROOT = TESTS.parent
DATA = TESTS / "data"
BENCH = ROOT / "bench"
