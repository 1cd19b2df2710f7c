"""What other repositories use of this one: the pre-commit hook and the action. Their commands are run as they stand."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from paths import ROOT

import rulebook

GOOD = "format: 1\nname: Lots\nplayers: 2..4\nrules:\n  game: |\n    pick lucky from players at random\n    win lucky\n"
BAD = GOOD.replace("win lucky", "win lucki")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with one game, and a `rulebook` on the PATH that is the one under test."""
    game = tmp_path / "repository" / "lots"
    game.mkdir(parents=True)
    (game / "rulebook.yaml").write_text(GOOD, "utf-8")
    # What pip and git keep beside it is nobody's game.
    (game.parent / ".venv" / "old").mkdir(parents=True)
    (game.parent / ".venv" / "old" / "rulebook.yaml").write_text(BAD, "utf-8")
    (game.parent / ".pre-commit-config.yaml").write_text("repos: []\n", "utf-8")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "rulebook"
    words = shlex.join([sys.executable, "-c", "from rulebook.cli import main; main()"])
    command.write_text(f'#!/bin/sh\nexec {words} "$@"\n', "utf-8")
    command.chmod(0o755)
    return game.parent


def move_game(repository: Path, folder: str) -> None:
    """Put the game where a repository that holds much else has it."""
    (repository / folder).parent.mkdir(parents=True, exist_ok=True)
    (repository / "lots").rename(repository / folder)


def surroundings(repository: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join([str(repository.parent / "bin"), os.environ["PATH"]])
    known = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return known | {"PATH": path, "PYTHONPATH": str(Path(rulebook.__file__).parent.parent)} | more


def hook(id: str = "rulebook-validate") -> dict[str, Any]:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (found,) = [one for one in hooks if one["id"] == id]
    return dict(found)


def action() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "action.yml").read_text("utf-8")))


needs_a_shell = pytest.mark.skipif(os.name == "nt" or shutil.which("bash") is None, reason="there is no bash")


@pytest.mark.slow
@needs_a_shell
@pytest.mark.parametrize("folder", ["lots", "packages/games/shelf/lots"])
@pytest.mark.parametrize(("rules", "code"), [(GOOD, 0), (BAD, 1)])
def test_the_hook_checks_the_games_of_a_repository(rules: str, code: int, folder: str, repository: Path) -> None:
    move_game(repository, folder)
    (repository / folder / "rulebook.yaml").write_text(rules, "utf-8")
    one = hook()
    words = [*shlex.split(one["entry"]), *one["args"]]
    done = subprocess.run(words, cwd=repository, env=surroundings(repository), capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("lucki" in done.stdout) == (code == 1)
    assert one["pass_filenames"] is False and one["types"] == ["yaml"] and one["language"] == "python"


@pytest.mark.slow
@needs_a_shell
@pytest.mark.parametrize("folder", ["lots", "packages/games/shelf/lots"])
@pytest.mark.parametrize(("rules", "shown"), [(GOOD, ""), (GOOD.replace("win lucky", "win   lucky"), "formatted ")])
def test_the_other_hook_spells_them(rules: str, shown: str, folder: str, repository: Path) -> None:
    move_game(repository, folder)
    game = repository / folder / "rulebook.yaml"
    game.write_text(rules, "utf-8")
    one = hook("rulebook-fmt")
    words = [*shlex.split(one["entry"]), *one["args"]]
    done = subprocess.run(words, cwd=repository, env=surroundings(repository), capture_output=True, text=True)
    assert done.returncode == 0 and bool(done.stdout) == bool(shown), done.stderr
    assert done.stdout.startswith(shown and shown + folder)
    assert game.read_text("utf-8") == GOOD
    assert one["pass_filenames"] is False and one["types"] == ["yaml"] and one["language"] == "python"


@needs_a_shell
@pytest.mark.extra("hooks", "pre_commit")
@pytest.mark.parametrize(("rules", "code"), [(GOOD, 0), (BAD, 1)])
def test_pre_commit_runs_the_hook(rules: str, code: int, repository: Path) -> None:
    """With the command under test, so that nothing is installed: all but `language` is as the hook says."""
    (repository / "lots" / "rulebook.yaml").write_text(rules, "utf-8")
    local = {"repo": "local", "hooks": [hook() | {"language": "system"}]}
    (repository / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [local]}), "utf-8")
    home = surroundings(repository, PRE_COMMIT_HOME=str(repository.parent / "home"))
    for words in (["git", "init", "-q"], ["git", "add", "-A"]):
        subprocess.run(words, cwd=repository, env=home, check=True)
    words = [sys.executable, "-m", "pre_commit", "run", "-a"]
    done = subprocess.run(words, cwd=repository, env=home, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert "rulebook validate" in done.stdout and ("lucki" in done.stdout) == (code == 1)


def test_the_action_uses_only_inputs_that_it_has() -> None:
    made = action()
    assert made["runs"]["using"] == "composite"
    for name, one in made["inputs"].items():
        assert one["description"] and isinstance(one["default"], str), name
    text = (ROOT / "action.yml").read_text("utf-8")
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(made["inputs"])
    for step in made["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        # What is put into a script could be more than a word.
        assert "${{" not in step.get("run", "") and (step.get("shell") == "bash" or "uses" in step)


def perform(step: dict[str, Any], given: dict[str, str], where: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A step of the action, with these inputs and its own defaults."""
    inputs = {name: str(one["default"]) for name, one in action()["inputs"].items()} | given
    filled = {
        name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: inputs[found[1]], value)
        for name, value in step.get("env", {}).items()
    }
    # As the runner starts bash.
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    env = surroundings(where, **filled, **more)
    return subprocess.run(words, cwd=where, env=env, capture_output=True, text=True)


def step(name: str) -> dict[str, Any]:
    (found,) = [one for one in action()["runs"]["steps"] if one.get("name") == name]
    return dict(found)


@pytest.mark.slow
@needs_a_shell
def test_the_action_finds_a_game_three_folders_deep(repository: Path) -> None:
    move_game(repository, "packages/games/shelf/lots")
    (repository / "packages/games/shelf/lots/rulebook.yaml").write_text(BAD, "utf-8")
    done = perform(step("Validate"), {}, repository)
    assert done.returncode == 1 and "packages/games/shelf/lots/rulebook.yaml" in done.stdout
    assert ".venv" not in done.stdout


@pytest.mark.slow
@needs_a_shell
def test_the_action_shows_mistakes(repository: Path) -> None:
    assert perform(step("Validate"), {}, repository).returncode == 0
    (repository / "lots" / "rulebook.yaml").write_text(BAD, "utf-8")
    done = perform(step("Validate"), {"paths": "lots\n\n"}, repository)
    assert done.returncode == 1 and done.stdout.startswith("::error ") and "lots/rulebook.yaml" in done.stdout
    assert perform(step("Validate"), {"paths": "lots/nowhere"}, repository).returncode == 2
    assert perform(step("Validate"), {"paths": "lots; true"}, repository).returncode == 2
    assert perform(step("Validate"), {"fail-on": "nothing"}, repository).returncode == 2


@pytest.mark.slow
@needs_a_shell
@pytest.mark.parametrize(("rules", "results"), [(GOOD, 0), (BAD, 1)])
def test_the_action_writes_sarif(rules: str, results: int, repository: Path) -> None:
    (repository / "lots" / "rulebook.yaml").write_text(rules, "utf-8")
    assert perform(step("SARIF"), {"sarif": "found.sarif"}, repository).returncode == 0
    log = json.loads((repository / "found.sarif").read_text("utf-8"))
    assert len(log["runs"][0]["results"]) == results
    assert perform(step("SARIF"), {"sarif": "found.sarif", "paths": "nowhere"}, repository).returncode != 0


@needs_a_shell
def test_the_action_installs_itself(repository: Path) -> None:
    """A `python` that says what it was asked to do stands in for the real one: nothing is installed here."""
    stand_in = repository.parent / "bin" / "python"
    stand_in.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', "utf-8")
    stand_in.chmod(0o755)
    done = perform(step("Install"), {}, repository, GITHUB_ACTION_PATH="/a path")
    assert done.stdout.splitlines() == ["-m", "pip", "install", "--quiet", "/a path"]
