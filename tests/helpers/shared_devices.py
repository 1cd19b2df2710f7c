"""Small games for people who share one device, in which who is asked hangs on what only some of them know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from paths import DATA
from shipped import lower_game

from rulebook import library
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.loading import load

CASES: dict[str, dict[str, Any]] = yaml.safe_load((DATA / "sharing.yaml").read_text("utf-8"))
NAMES = ("Ana", "Ben", "Cleo")
TOP = """
format: 1
name: Sharing
players: 3..3
kinds: {paper: {}}
cards:
  badge: {kind: paper, copies: 3}
  star: {kind: paper, copies: 2}
  blank: {kind: paper, copies: 4}
places:
  table: {deck: {holds: paper, kept: pile, seen_by: nobody}}
  player: {hand: {holds: paper, kept: loose, seen_by: owner}}
memory:
  table: {starter: player}
  player: {rank: 0, hides: {type: yes_no, default: no, seen_by: owner}}
"""
SETUP = """
move cards to deck
shuffle deck
deal 2 from deck to each hand
each p in players as n:
  set p.rank = n
set starter = first(players sorted by least rank)
"""
SHIPPED = {"crazy_eights": 3, "hearts": 4, "goofspiel": 3, "kuhn_poker": 2, "wallet": 3}
"""Bundled games, and how many play them."""
QUIET = """
starter chooses n from 1..2
if any(starter.left.hand where it is badge):
  starter.left may choose one "Hide your badge?":
    "Hide":
      set starter.left.hides = yes
starter chooses m from 1..2
"""
"""A choice of which nobody else may learn that there is one, between two that all see."""


def program(title: str, folder: Path, top: str = TOP) -> Program:
    play = "".join(f"  {line}\n" for line in CASES[title]["play"].splitlines())
    script = f"{SETUP}if starter is something:\n{play}"
    lines = "\n".join(f"    {line}" for line in script.strip().splitlines())
    more = "".join(f"  {line}\n" for line in CASES[title].get("rules", "").splitlines())
    (folder / "rulebook.yaml").write_text(f"{top}rules:\n  game: |\n{lines}\n{more}", "utf-8")
    loaded = load(folder)
    rulebook, problems = loaded.rulebook, loaded.messages
    assert rulebook is not None, problems
    return lower(rulebook, 3)


def written(play: str, folder: Path, top: str = TOP) -> Program:
    CASES["drawn"] = {"play": play}
    try:
        return program("drawn", folder, top)
    finally:
        del CASES["drawn"]


def shipped(name: str) -> Program:
    return lower_game(library.find_game(name), SHIPPED[name])
