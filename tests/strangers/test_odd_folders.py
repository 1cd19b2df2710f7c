"""Folders with odd things in them: links that lead to themselves, pipes, folders called like files, endless files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hostile_files import rules

from rulebook.cli import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no links and pipes there")

GAME = rules("win nobody").encode()


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10**11)  # bytes, none of them on the disk


def secret(path: Path) -> None:
    path.write_bytes(GAME)
    path.chmod(0)


THINGS: dict[str, Callable[[Path], object]] = {
    "loop": lambda path: path.symlink_to(path.name),
    "astray": lambda path: path.symlink_to("nowhere"),
    "device": lambda path: path.symlink_to("/dev/zero"),
    "around": lambda path: path.symlink_to(path.parent),
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "huge": huge,
    "secret": secret,
}
COMMANDS = ("validate", "validate --fix", "validate --diff", "simulate --games 1", "test", "fmt --check", "show")


def odd_game(folder: Path, things: Iterable[str]) -> Path:
    """A game with these things beside its rules, variants and scenarios."""
    for name in ("", "variants", "scenarios"):
        (folder / name).mkdir(parents=True)
        for thing in things:
            THINGS[thing](folder / name / f"{thing}.yaml")
            if not name:
                THINGS[thing](folder / f"{thing}.yml")
    (folder / "rulebook.yaml").write_bytes(GAME)
    return folder


def said(folder: Path, command: str) -> str:
    done = CliRunner().invoke(main, [*command.split(), str(folder)])
    assert done.exit_code in (0, 1, 2), f"{command}: {done.output}"
    return str(done.output)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_falls_over_what_lies_in_a_folder(tmp_path: Path, command: str) -> None:
    said(odd_game(tmp_path / "odd", THINGS), command)


@pytest.mark.parametrize("thing", THINGS)
def test_what_cannot_be_read_is_said_of_each_file(tmp_path: Path, thing: str) -> None:
    output = said(odd_game(tmp_path / "odd", [thing]), "validate --format concise")
    if thing not in ("folder", "around", "secret"):  # folders are nobody's files, and the superuser may read all
        for place in (f"{thing}.yaml", f"variants/{thing}.yaml", f"scenarios/{thing}.yaml"):
            assert f"odd/{place}:1:1: error" in output


@pytest.mark.slow
@pytest.mark.parametrize("thing", THINGS)
def test_it_is_the_same_in_a_game_of_nothing_but_rules(tmp_path: Path, thing: str) -> None:
    THINGS[thing](tmp_path / f"{thing}.yaml")
    (tmp_path / "rulebook.yaml").write_bytes(GAME)
    said(tmp_path, "validate")


@pytest.mark.parametrize("thing", THINGS)
def test_no_command_falls_over_what_is_called_a_rulebook(tmp_path: Path, thing: str) -> None:
    THINGS[thing](tmp_path / "rulebook.yaml")
    for path in (tmp_path, tmp_path / "rulebook.yaml"):
        said(path, "validate")


@pytest.mark.slow
def test_folders_may_lead_to_themselves(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_bytes(GAME)
    for name in ("variants", "scenarios", "failures"):
        (tmp_path / name).symlink_to(name)
    for command in COMMANDS:
        said(tmp_path, command)
