"""Type in an editor, and ask whether it says what `validate` says: `python bench/editor.py [--game GAME] [--edits 50]`.

In: a game, how many edits, drawn by which seed; each is made in one of its files, and taken back. Out: in how many the
messages were the same, those in which they were not, how long the first messages and the whole check took, and how long
the server's processor worked for the first (on Linux, which tells).
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from editor_client import Editor, draw_edit, facts_of, problems_of

from rulebook.library import find_game, rule_files, scenario_files, variants_of


def main() -> int:
    """Draw edits, and print how the server did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="wallet", help="a bundled game")
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance, first, worked, whole, same = random.Random(asked.seed), [], [], [], 0
    with tempfile.TemporaryDirectory() as kept:
        game = Path(shutil.copytree(find_game(asked.game), Path(kept).resolve() / asked.game))
        files = [*rule_files(game), *variants_of(game), *scenario_files(game)]
        editor = Editor(game)
        texts = {file: editor.open(file) for file in files}
        for number in range(asked.edits):
            file = chance.choice(files)
            changed = draw_edit(texts[file], chance)
            began, before = time.perf_counter(), editor.count_work()
            editor.type(file, changed)
            first.append(time.perf_counter() - began)
            worked.append(editor.count_work() - before)
            said = facts_of(editor.wait_for_all(file))
            whole.append(time.perf_counter() - began)
            file.write_text(changed, "utf-8")
            wanted = problems_of(game, file)
            file.write_text(texts[file], "utf-8")
            editor.type(file, texts[file])
            same += said == wanted
            if said != wanted:
                print(f"edit {number}, {file.name}:\n  said   {said}\n  wanted {wanted}")
        editor.close()
    print(f"{same} of {asked.edits} edits of {asked.game}: the same messages")
    for name, took in (
        ("the first messages", first),
        ("the processor's part of these", worked),
        ("the whole check", whole),
    ):
        print(f"{name}: median {statistics.median(took):.2f} s, slowest {max(took):.2f} s")
    return int(same < asked.edits)


if __name__ == "__main__":
    sys.exit(main())
