"""How long `rulebook validate` takes for a game of very many card files.

    python bench/validate.py [--files 1000] [--scripts 7] [--profile]

In: how many files of cards, and how many scripts, all different, in each. Out: the seconds of
processor time that the command takes for all of them and for one, those of the check alone, and of the check once
more in the same process; with `--profile`, where they go. Never: judges; figures differ from computer to computer.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rulebook.validation import problems

TOP = """\
format: 1
name: Many
players: 2..4
kinds:
  trick: {does: {effect(me): }}
places:
  table:
    deck: {holds: trick, kept: pile, seen_by: nobody}
  player:
    hand: {holds: trick, kept: loose, seen_by: owner}
memory:
  player: {gold: 0}
rules:
  game: |
    move cards to deck
    shuffle deck
    each me in players:
      draw 1 from deck to me.hand
      choose card from me.hand
      do card.effect(me)
      move card to deck
result: {rank: most gold}
"""
CARD = """\
  trick_{number}:
    kind: trick
    effect: |
      if me.gold > {number} and count(me.hand) > 1:
        choose friend from others
        choose given from me.hand
        move given to friend.hand
      else:
        add {more} to me.gold
"""


def written(game: Path, files: int, scripts: int) -> Path:
    """The game in a folder."""
    game.mkdir()
    (game / "rulebook.yaml").write_text(TOP, "utf-8")
    for file in range(files):
        numbers = range(file * scripts + 1, (file + 1) * scripts + 1)
        cards = "".join(CARD.format(number=number, more=number * 2) for number in numbers)
        (game / f"cards_{file:04}.yaml").write_text("cards:\n" + cards, "utf-8")
    return game


def seconds(game: Path) -> float:
    """One check; it must find nothing that is wrong."""
    started = time.process_time()
    errors = [one for one in problems(game) if one.severity == "error"]
    assert not errors, errors[0]
    return time.process_time() - started


def whole_command(game: Path) -> float:
    """The command, in a process of its own."""
    before = os.times()
    words = "import sys; from rulebook.cli import main; main(['validate', *sys.argv[1:], '--format', 'concise'])"
    subprocess.run([sys.executable, "-c", words, str(game)], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Write the games, and measure."""
    arguments = argparse.ArgumentParser(description="Measure the check of a game with many card files.")
    arguments.add_argument("--files", type=int, default=1000, help="how many files of cards (1000)")
    arguments.add_argument("--scripts", type=int, default=7, help="how many scripts in each (7)")
    arguments.add_argument("--profile", action="store_true", help="say where the time goes")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one = written(Path(folder) / "one", 1, given.scripts)
        many = written(Path(folder) / "many", given.files, given.scripts)
        print(f"one file, the command:        {whole_command(one):8.2f} s")
        print(f"{given.files} files, the command:     {whole_command(many):8.2f} s", flush=True)
        profile = cProfile.Profile()
        if given.profile:
            profile.enable()
        first = seconds(many)
        profile.disable()
        print(f"{given.files} files, the check alone: {first:8.2f} s")
        print(f"{given.files} files, once more:       {seconds(many):8.2f} s", flush=True)
        if given.profile:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(35)


if __name__ == "__main__":
    main()
