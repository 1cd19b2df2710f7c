"""Draw slips of form, and say how many are told with their mend: `python bench/form.py [--slips 400] [--seed 1]`.

In: how many, which ones, and a file of further operators (`--operators`, with a dict OPERATORS as in
`tests/helpers/form_slips.py`). Out: by operator how many are mended (the message names what is wrong or what to write),
placed (it points at the line), told elsewhere, or silent; `--list` shows those that are not mended.
"""

from __future__ import annotations

import argparse
import runpy
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

import form_slips

from rulebook import library
from rulebook.validation import find_problems


def main() -> int:
    """Draw slips and print how they are told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slips", type=int, default=400)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--operators", type=Path)
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.operators:
        form_slips.OPERATORS.clear()
        form_slips.OPERATORS.update(runpy.run_path(str(asked.operators))["OPERATORS"])
    texts = {str(file): file.read_text("utf-8") for game in library.find_games() for file in library.rule_files(game)}
    told: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as kept:
        for file, slip in form_slips.draw_slips(texts, asked.slips, asked.seed):
            folder = Path(kept) / "game"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for beside in Path(file).parent.glob("*.yaml"):
                (folder / beside.name).write_text(texts[str(beside)], "utf-8")
            for sheet in library.sheet_files(Path(file).parent):
                shutil.copy(sheet, folder)
            (folder / Path(file).name).write_text(slip.text, "utf-8")
            messages = find_problems(folder)
            verdict = form_slips.judge(slip, messages)
            told[slip.operator][verdict] += 1
            if asked.list and verdict != "mended":
                line = slip.text.splitlines()[slip.line - 1].strip()
                heard = messages[0].message if messages else "nothing"
                print(f"{slip.operator}, {verdict}: {line!r}: {heard}")
    for name, verdicts in sorted(told.items()):
        print(f"{name:40} {dict(verdicts)}")
    total = sum(told.values(), Counter[str]())
    print(f"{total.total()} slips: " + ", ".join(f"{verdict} {count}" for verdict, count in total.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
