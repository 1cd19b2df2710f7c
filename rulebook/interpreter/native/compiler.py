"""C made ready to run, with the compiler of this computer, if it has one.

In: a text of C. Out: a library that is loaded. Never: needed; kept anywhere but in the user's own cache folder;
loaded from there if anybody else may have written it; compiled twice for the same text, compiler and options.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import shlex
import shutil
import subprocess
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from rulebook import cache

OPTIONS = ("-std=gnu11", "-O2", "-fPIC", "-shared", "-w", "-fvisibility=hidden")
INSTRUCTIONS = {"popcnt": "-mpopcnt", "bmi1": "-mbmi", "bmi2": "-mbmi2"}
"""By what Linux says that a processor can do, the option for it: what finds and counts the cards of a set. Others gain
nothing here.
"""
SWITCH = "RULEBOOK_CC"
"""The variable that names the compiler, with options of its own if there are any, or says `off`."""
_LARGEST = 64 * 1024 * 1024  # bytes of a library
SECONDS = 300
"""So long a compiler may take."""


class NoCompiler(Exception):
    """There is nothing to compile with, or it does not compile; the sentence says what."""


def command() -> list[str]:
    """The words with which the compiler is started. Raises NoCompiler."""
    chosen = os.environ.get(SWITCH, "")
    if chosen.lower() in ("off", "no", "0"):
        raise NoCompiler(f"{SWITCH} says that no compiler is to be used.")
    try:
        given = shlex.split(chosen)
    except ValueError:
        raise NoCompiler(f"{SWITCH} has a quote without its end.") from None
    words = given or [name for name in ("cc", "gcc", "clang") if shutil.which(name)][:1]
    if not words:
        raise NoCompiler("This computer has no compiler of C (`cc`, `gcc` or `clang`).")
    if shutil.which(words[0]) is None:
        raise NoCompiler(f"There is no compiler `{words[0]}`, which {SWITCH} names.")
    return [words[0], *OPTIONS, *_instructions(), *words[1:]]


def library(text: str) -> ctypes.CDLL:
    """The text, compiled and loaded. Raises NoCompiler."""
    words = command()
    folder = cache.usable()
    if folder is None:
        return _once(words, text)
    made_from = [*words, _version(words[0]), text]
    key = blake2b("\0".join(made_from).encode(), digest_size=16).hexdigest()
    where = folder / f"native-{key}.so"
    # A library runs as it is loaded: only the very bytes that this user's program wrote are.
    kept = cache.read_private(where, _LARGEST)
    if kept is not None and cache.read(f"native-{key}.json", key) == _digest(kept):
        with suppress(NoCompiler):
            return _loaded(where)
    try:
        with TemporaryDirectory(prefix="native-", suffix=".new", dir=folder) as once:
            made = _compiled(words, text, Path(once) / "rules.so")
            digest = _digest(made.read_bytes())
            os.replace(made, where)
    except OSError:
        return _once(words, text)
    cache.write(f"native-{key}.json", key, digest)
    _thin_out(folder, where)
    return _loaded(where)


def _once(words: list[str], text: str) -> ctypes.CDLL:
    """The text, compiled and loaded, and kept nowhere."""
    with TemporaryDirectory(prefix="rulebook-") as folder:
        return _loaded(_compiled(words, text, Path(folder) / "rules.so"))


def _digest(library: bytes) -> str:
    return blake2b(library, digest_size=16).hexdigest()


def _instructions() -> list[str]:
    """The options for what this processor can do."""
    known = _processor()
    return [option for name, option in INSTRUCTIONS.items() if name in known]


@functools.cache
def _processor() -> list[str]:
    """What Linux says that this processor can do."""
    with suppress(OSError):
        flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
        return flags[1].split() if flags else []
    return []


def _version(compiler: str) -> str:
    """Which compiler it is: where it lies, and when it was written."""
    where = Path(shutil.which(compiler) or compiler).resolve()
    try:
        return f"{where} {where.stat().st_mtime_ns}"
    except OSError as error:
        raise NoCompiler(f"The compiler `{compiler}` cannot be used: {error.strerror}.") from None


def _compiled(words: list[str], text: str, to: Path) -> Path:
    source = to.with_suffix(".c")
    source.write_text(text, "utf-8")
    try:
        done = subprocess.run(
            [*words, "-o", str(to), str(source)], capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoCompiler(f"The compiler `{words[0]}` cannot be used: {error}.") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or [""]
        raise NoCompiler(f"The compiler `{words[0]}` refuses what was printed: {lines[0]}.")
    return to


def _loaded(where: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(where))
    except OSError as error:
        raise NoCompiler(f"What was compiled cannot be loaded: {error}.") from None


MOST = 32
"""So many compiled programs are kept; what was compiled longest ago goes first."""


def _thin_out(folder: Path, newest: Path) -> None:
    with suppress(OSError):
        kept = sorted(folder.glob("native-*.so"), key=lambda path: path.stat().st_mtime_ns)
        for path in kept[:-MOST]:
            if path != newest:
                path.unlink()
