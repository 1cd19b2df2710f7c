"""Build the documents as a site: a folder of static files, with search, which any server of files can serve.

In: the Markdown of this checkout, the pictures that `gallery.py` lets the product make, and `RULEBOOK_ADDRESS`, where
the sources can be read (such as `https://github.com/OWNER/rulebook`). Out: the site; with `--playground` the playground
below it. Never: a warning that does not fail, or a link that leads nowhere: a file that is no page is linked to where
the sources can be read, and without an address it is named and not linked.

With the extra `docs` installed:

    python website/build_site.py FOLDER [--playground] [--games GAME ...]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from gallery import REPORTS, draw_gallery
from staging import stage_pages

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ADDRESS = "RULEBOOK_ADDRESS"
OPEN_PLAYGROUND = '<a href="playground/index.html">Open it</a>: it is a page of this site.'


def build(folder: Path, games: Sequence[str] = (), *, with_playground: bool = False) -> None:
    """Build all of it into a folder, which is made, or made anew if it was built before; the gallery of all games, or
    of those that are named.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "searchindex.js").exists():
        sys.exit(f"{folder} holds something else. Name a folder of its own.")
    with tempfile.TemporaryDirectory() as name:
        staged, made, reports = (Path(name) / part for part in ("staged", "made", REPORTS))
        stage_pages(ROOT, staged, os.environ.get(ADDRESS, "").rstrip("/"))
        draw_gallery(staged, reports, games, is_beside_playground=with_playground)
        if with_playground:
            page = staged / "playground.md"
            page.write_text(page.read_text("utf-8").replace("\n", f"\n\n{OPEN_PLAYGROUND}\n", 1), "utf-8")
        words = ["-W", "--keep-going", "-q", "-j", "auto", "-c", str(HERE), str(staged), str(made)]
        done = subprocess.run([sys.executable, "-m", "sphinx", "-b", "html", *words], cwd=ROOT, check=False)
        if done.returncode:
            sys.exit(done.returncode)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder, ignore=shutil.ignore_patterns(".doctrees", ".buildinfo", "_sources"))
        shutil.copytree(reports, folder / REPORTS)
    index = (ROOT / "docs" / "llms.txt").read_text("utf-8")
    for lead, there in (("(decisions/)", "(decisions.md)"), ("(../CHANGELOG.md)", "(changelog.md)")):
        index = index.replace(lead, there)
    # Servers hand it out as plain text of no encoding: the mark at its beginning says which one it is.
    (folder / "llms.txt").write_text(index.replace(".md)", ".html)"), "utf-8-sig")
    if with_playground:
        done = subprocess.run([sys.executable, ROOT / "playground" / "build.py", folder / "playground"], check=False)
        if done.returncode:
            sys.exit(done.returncode)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the site goes")
    parser.add_argument("--playground", action="store_true", help="build the playground below it as well")
    parser.add_argument("--games", nargs="+", default=[], metavar="GAME", help="show only these in the gallery")
    asked = parser.parse_args()
    build(asked.folder.resolve(), asked.games, with_playground=asked.playground)
