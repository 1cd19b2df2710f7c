"""Where messages point, in files as editors write them: wide characters, tabs, other line breaks, no last line break.

Each file of `data/carets` is a rulebook; beside it stands what is said of it at 80 and at 40 columns.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from paths import DATA

from rulebook.diagnostics.render import render_text
from rulebook.loading import load

FILES = DATA / "carets"
CASES = sorted(FILES.glob("*.yaml"))


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_message_points_at_its_place(case: Path, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copyfile(case, tmp_path / "rulebook.yaml")
    monkeypatch.chdir(tmp_path)
    found = load(Path()).messages
    assert render_text(found, width) == case.with_name(f"{case.stem}-{width}.txt").read_text("utf-8")
