"""Build the core when rulebook is installed, where there is a compiler of C; without one the wheel has none.

In: `rulebook/interpreter/core/engine/core.c`, and a compiler: what `CC` names, else `cc`, `gcc`, `clang`, else the one
of the package `ziglang`, if that is installed. `RULEBOOK_CORE=off` builds none; a target of zig in
`RULEBOOK_CORE_TARGET`, such as `x86_64-windows-gnu`, builds for another system, `wasm32-emscripten` for a browser.
`CFLAGS` are words more for the compiler.
Out: the library beside the engine, and a wheel for one system and any Python. Never: fails because there is no
compiler, unless a target is named; asks for one on the computer of whoever plays.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path("rulebook", "interpreter", "core")
# Products and sums are rounded each by itself, so that bots reckon alike on every processor, and in Python.
OPTIONS = ("-std=gnu11", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-fvisibility=hidden", "-w")
TARGETS = {
    "x86_64-windows-gnu": ("win_amd64", "_core.dll"),
    "aarch64-windows-gnu": ("win_arm64", "_core.dll"),
    "x86_64-macos.11.0": ("macosx_11_0_x86_64", "_core.dylib"),
    "aarch64-macos.11.0": ("macosx_11_0_arm64", "_core.dylib"),
    "x86_64-linux-gnu.2.17": ("manylinux_2_17_x86_64", "_core.so"),
    "aarch64-linux-gnu.2.17": ("manylinux_2_17_aarch64", "_core.so"),
    "wasm32-emscripten": ("pyemscripten_2026_0_wasm32", "_core.so"),
}
"""By the target of zig, the tag of the wheel and the name of the library."""
SUFFIX = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")


class CoreHook(BuildHookInterface[Any]):
    """Compiles before anything is packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, and say in the wheel's tag for which system it is."""
        root = Path(self.root)
        target = os.environ.get("RULEBOOK_CORE_TARGET", "")
        tag, name = TARGETS[target] if target else (_tag(), f"_core.{SUFFIX}")
        library = root / FOLDER / name
        for old in (root / FOLDER).glob("_core.*"):
            old.unlink()
        if os.environ.get("RULEBOOK_CORE", "").lower() in ("off", "no", "0"):
            return
        compile_core = _compile_for_browsers if target.startswith("wasm32") else _compile
        if not compile_core(_compiler(target), root / FOLDER / "engine" / "core.c", library):
            if target:
                raise RuntimeError(f"The core could not be built for {target}.")
            self.app.display_warning("rulebook: without a compiler of C games are played by Python, more slowly.")
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        build_data["artifacts"].append(str(FOLDER / name))


def _tag() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _compiler(target: str) -> list[str]:
    """The words that start a compiler; none if there is none."""
    zig = [sys.executable, "-m", "ziglang", "cc"] if importlib.util.find_spec("ziglang") else []
    if target:
        return [*zig, "-target", target] if zig else []
    if given := shlex.split(os.environ.get("CC", "")):
        return given
    return next(([name] for name in ("cc", "gcc", "clang") if shutil.which(name)), zig)


def _compile(words: list[str], source: Path, library: Path) -> bool:
    if not words:
        return False
    more = shlex.split(os.environ.get("CFLAGS", ""))
    with tempfile.TemporaryDirectory() as folder:  # for Windows other files are made beside it
        made = Path(folder) / library.name
        return _run([*words, *OPTIONS, *more, "-o", str(made), str(source)]) and _take(made, library)


def _take(made: Path, library: Path) -> bool:
    if not made.exists():
        return False
    shutil.copyfile(made, library)
    return True


def _compile_for_browsers(words: list[str], source: Path, library: Path) -> bool:
    """Build a side module for a Python made by Emscripten: it imports memory, table and the library of C from there, so
    all that is wanted of headers are the declarations. `longjmp` is an exception of WebAssembly, as there.
    """
    if not words:
        return False
    headers = Path(importlib.import_module("ziglang").__file__ or "").parent / "lib" / "libc" / "include"
    within = [f"-isystem{headers / name}" for name in ("wasm-wasi-musl", "generic-musl")]
    jumps = ["-mexception-handling", "-mllvm", "-wasm-enable-sjlj", "-D__wasm_exception_handling__"]
    options = [option for option in OPTIONS if option != "-shared"]
    half = library.with_suffix(".o")
    linker = [*words[: words.index("cc")], "wasm-ld", "-shared", "--experimental-pic", "--allow-undefined"]
    try:
        return (
            _run([*words, *options, *within, *jumps, "-mno-extended-const", "-c", "-o", str(half), str(source)])
            and _run([*linker, "--no-entry", "--strip-debug", "-o", str(library), str(half)])
            and library.exists()
        )
    finally:
        half.unlink(missing_ok=True)


def _run(words: list[str]) -> bool:
    try:
        return subprocess.run(words, check=False, timeout=600).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
