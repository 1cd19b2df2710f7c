"""What means harm is refused: with a message at its place, with little memory, and without an end of the program."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hostile_files import AT_PLAY, HARMLESS, HOSTILE, rules

from rulebook.cli import main
from rulebook.interpreter import run
from rulebook.loading import load

MEMORY = 1024 * 1024 * 1024  # bytes of address space: of that the program touches less than a third


def put(folder: Path, data: bytes) -> Path:
    folder.mkdir()
    (folder / "rulebook.yaml").write_bytes(data)
    return folder


@pytest.mark.slow
def test_nothing_takes_the_memory_or_ends_the_program(tmp_path: Path) -> None:
    folders = [put(tmp_path / f"g{number}", data) for number, data in enumerate(HOSTILE.values())]
    command = [sys.executable, "-c", "from rulebook.cli import main; main()", "validate", "--format", "json"]
    done = subprocess.run(
        [*command, *map(str, folders)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert done.returncode == 1, done.stderr[-2000:]
    said = json.dumps(json.loads(done.stdout)["diagnostics"])
    silent = [name for name, folder in zip(HOSTILE, folders, strict=True) if f"{folder.name}/rulebook.yaml" not in said]
    assert silent == []


def test_what_only_looks_odd_is_read(tmp_path: Path) -> None:
    for number, data in enumerate(HARMLESS.values()):
        found = load(put(tmp_path / f"g{number}", data)).messages
        assert not [one for one in found if one.severity == "error"]


@pytest.mark.slow
def test_what_goes_on_or_grows_without_end_is_stopped_at_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, (name, data) in enumerate(AT_PLAY.items()):
        if name == "a rule that does itself":
            # Those above have met the real limits, which take seconds.
            monkeypatch.setattr(run, "MOST_LOOKED_AT", 50_000)
        folder = put(tmp_path / f"g{number}", data.encode())
        done = CliRunner().invoke(main, ["simulate", "--games", "1", "--seed", "1", "--jobs", "1", str(folder)])
        assert done.exit_code == 1, name
        assert f"{folder.name}/rulebook.yaml:" in done.stderr, name


def test_a_loop_may_count_with_a_name(tmp_path: Path) -> None:
    counted = rules("let n = 0\nloop:\n  set n = n + 1\n  if n > 300:\n    stop\nset total = n")
    folder = put(tmp_path / "g", counted.encode())
    done = CliRunner().invoke(main, ["simulate", "--games", "1", "--seed", "1", str(folder)])
    assert done.exit_code == 0, done.stderr
