"""Build the playground: a folder of static files, which any server of files can serve.

In: this checkout, and from the package registries what `package.json` and `pyproject.toml` name. Out: the page, the
engine with its core for WebAssembly, Python for browsers. Never: needs anything from elsewhere once it is built.

    python playground/build.py FOLDER
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PAGE = ("index.html", "page.css", "worker.js")
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NEEDLESS = ("pygments", "markdown_it", "mdurl", "bin")
"""Packages that others name, and that nothing here imports: they colour code and set Markdown in a terminal."""
SOURCES = ("pyproject.toml", "build_core.py", "build_page.py", "README.md", "LICENSE", "rulebook", "cards")
"""All that a wheel is built from."""
TARGET = "wasm32-emscripten"


def build(folder: Path) -> None:
    """Build all of it into a folder, which is made, or made anew if it was built before."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "rulebook.zip").exists():
        sys.exit(f"{folder} holds something else. Name a folder of its own.")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pyodide").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        _bundle_page(work / "page", folder)
        _pack_engine(work / "site", folder / "rulebook.zip")
    for file in PAGE:
        shutil.copy(HERE / file, folder / file)


def _bundle_page(work: Path, folder: Path) -> None:
    """Put the page's script and the editor into one file, and Python beside it."""
    work.mkdir()
    for file in ("package.json", "page.js"):
        shutil.copy(HERE / file, work / file)
    _run(["npm", "install", "--silent", "--no-fund", "--no-audit"], work)
    bundle = ["--bundle", "--format=esm", "--minify", "--target=es2022", f"--outfile={folder / 'page.js'}"]
    _run(["node_modules/.bin/esbuild", "page.js", *bundle, "--log-level=warning"], work)
    for file in PYTHON:
        shutil.copy(work / "node_modules" / "pyodide" / file, folder / "pyodide" / file)


def _pack_engine(site: Path, archive: Path) -> None:
    """Pack rulebook, what it needs, and the bridge; of what it needs only what is Python."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    _run([*pip, "--target", str(site), *needed], ROOT)
    wheels, copy = site.parent / "wheels", site.parent / "copy"
    copy.mkdir()
    for source in SOURCES:  # a copy: a core for browsers is none for this checkout
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, copy / source)
        else:
            shutil.copy(ROOT / source, copy / source)
    hatchling = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
    _run(hatchling, copy, {"RULEBOOK_CORE_TARGET": TARGET})
    [wheel] = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    shutil.copy(HERE / "bridge.py", site / "bridge.py")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(site.rglob("*")):
            name = file.relative_to(site)
            is_foreign = file.suffix in (".so", ".pyd") and "rulebook" not in name.parts
            if file.is_file() and not is_foreign and name.parts[0] not in NEEDLESS and "__pycache__" not in name.parts:
                packed.write(file, name)


def _run(words: list[str], where: Path, environ: dict[str, str] | None = None) -> None:
    """Run a program, and end with its code if it fails."""
    done = subprocess.run(words, cwd=where, env=os.environ | (environ or {}), check=False)
    if done.returncode:
        sys.exit(done.returncode)


def measure(folder: Path) -> dict[str, int]:
    """The size of each part, in bytes."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.stat().st_size for file in files}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    target = Path(sys.argv[1]).resolve()
    build(target)
    print(json.dumps(measure(target), indent=1))
