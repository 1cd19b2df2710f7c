"""Build all that is published of a version, and look whether it is what its name says.

    python release.py FOLDER [TARGET ...]

In: the checkout, `RULEBOOK_ADDRESS` (see `build_page.py`), the targets of `build_core.py` (all but the browser's, if
none is named), and hatchling and ziglang, as in the extras `test` and `targets`. Out: in FOLDER an sdist, a wheel for
each system made from that sdist, and one without the core for any other system; exit code 1 if one of them is not what
it says.
Never: publishes anything.
"""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from build_core import FOLDER, TARGETS
from build_page import ADDRESS

ROOT = Path(__file__).resolve().parent
PURE = "any"
SYSTEMS = [target for target in TARGETS if not target.startswith("wasm32")]
_LIBRARIES = {b"libc.so.6", b"libm.so.6", b"libdl.so.2", b"libpthread.so.0", b"librt.so.1"}
"""What every Linux of a manylinux tag has; `ld-linux` beside them."""
_ELF = {62: "x86_64", 183: "aarch64"}
_PE = {0x8664: "amd64", 0xAA64: "arm64"}
_MACH = {0x01000007: "x86_64", 0x0100000C: "arm64"}


def main(words: list[str]) -> int:
    """Build into a folder, and print each file and what is wrong with it."""
    if not words:
        print(__doc__)
        return 2
    if not os.environ.get(ADDRESS):
        print(f"release.py: {ADDRESS} has to say where the sources can be read, for the page in the index.")
        return 2
    into = Path(words[0]).resolve()
    faults = 0
    for built in build_all(into, words[1:] or [*SYSTEMS, PURE]):
        found = [*find_faults(built), *find_closed_doors(built)] if built.suffix == ".whl" else []
        print(built.name, *(f"\n  {fault}" for fault in found))
        faults += len(found)
    return 1 if faults else 0


def build_all(into: Path, targets: list[str]) -> list[Path]:
    """Build the sdist, and from it a wheel for each target. Returns their paths, the sdist first."""
    sdist = build_one("sdist", ROOT, into)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(sdist) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
            archive.extractall(folder)
        [unpacked] = Path(folder).iterdir()
        return [sdist, *(build_one("wheel", unpacked, into, target) for target in targets)]


def build_one(kind: str, source: Path, into: Path, target: str = "") -> Path:
    """Build an sdist, or a wheel for a target. Returns its path."""
    core = {"RULEBOOK_CORE": "off"} if target in ("", PURE) else {"RULEBOOK_CORE_TARGET": target}
    known = {name: value for name, value in os.environ.items() if not name.startswith("RULEBOOK_CORE")}
    there = set(into.glob("*"))
    words = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run(words, cwd=source, env=known | core, check=True, stdout=subprocess.DEVNULL)
    [built] = set(into.glob("*")) - there
    return built


def find_faults(wheel: Path) -> list[str]:
    """Say in sentences what in a wheel is not as its tag promises."""
    tag = wheel.stem.split("-", 4)[-1]
    with zipfile.ZipFile(wheel) as archive:
        cores = [name for name in archive.namelist() if name.startswith((FOLDER / "_core.").as_posix())]
        parts = [archive.read(name) for name in cores]
        [head] = [name for name in archive.namelist() if name.endswith(".dist-info/WHEEL")]
        described = archive.read(head).decode()
    faults = [] if f"\nTag: py3-none-{tag}" in described else [f"Its name says {tag}, and what lies in it another tag."]
    if tag == PURE:
        return faults + [f"It fits any system, and holds {name}." for name in cores]
    if len(cores) != 1:
        return [*faults, f"It holds {len(cores)} cores, and should hold one."]
    return faults + [f"{cores[0]}: {fault}" for fault in _find_misfits(parts[0], tag)]


def find_closed_doors(wheel: Path) -> list[str]:
    """Say in sentences which functions of the core a wheel does not have, or no other program can call."""
    with zipfile.ZipFile(wheel) as archive:
        cores = [name for name in archive.namelist() if name.startswith((FOLDER / "_core.").as_posix())]
        there = [list_exports(archive.read(name)) for name in cores]
    engine = "".join(file.read_text("utf-8") for file in sorted((ROOT / FOLDER / "engine").glob("*.c")))
    wanted = set(re.findall(r"^DOOR [^(]*?(\w+)\(", engine, re.MULTILINE))
    return [f"Its core has no {name}." for found in there for name in sorted(wanted - found)]


def list_exports(core: bytes) -> set[str]:
    """List the functions that a library of Linux, Windows or macOS lets others call."""
    read = struct.unpack_from
    starts: list[int] = []
    if core[:4] == b"\x7fELF":
        (at,) = read("<Q", core, 40)
        size, count = read("<HH", core, 58)
        sections = [read("<IIQQQQII", core, at + number * size) for number in range(count)]
        for _, _, _, _, offset, length, link, _ in (one for one in sections if one[1] == 11):  # SHT_DYNSYM
            symbols = [read("<IBBH", core, offset + place) for place in range(0, length, 24)]
            starts += [sections[link][4] + name for name, _, _, section in symbols if section]
    elif core[:2] == b"MZ":
        (head,) = read("<I", core, 60)
        (count,), (size,) = read("<H", core, head + 6), read("<H", core, head + 20)
        sections = [read("<IIII", core, head + 24 + size + 40 * number + 8) for number in range(count)]

        def place(address: int) -> int:
            [found] = [raw + address - at for length, at, _, raw in sections if at <= address < at + length]
            return found

        table = place(read("<I", core, head + 24 + 112)[0])
        (count,), (names,) = read("<I", core, table + 24), read("<I", core, table + 32)
        starts = [place(address) for address in read(f"<{count}I", core, place(names))]
    else:
        (commands,) = read("<I", core, 16)
        at = 32
        for _ in range(commands):
            command, size = read("<II", core, at)
            if command == 2:  # LC_SYMTAB
                symbols_at, count, texts, _ = read("<IIII", core, at + 8)
                symbols = [read("<IB", core, symbols_at + 16 * number) for number in range(count)]
                # Defined in a section, for all to see; C names have a `_` in front here.
                starts += [texts + name + 1 for name, kind in symbols if kind & 0x1F == 0x0F]
            at += size
    return {core[start : core.index(b"\0", start)].decode() for start in starts}


def _find_misfits(core: bytes, tag: str) -> list[str]:
    if core[:4] == b"\x7fELF":
        return _find_elf_misfits(core, tag)
    if core[:2] == b"MZ":
        (start,) = struct.unpack_from("<I", core, 60)
        machine = _PE.get(struct.unpack_from("<H", core, start + 4)[0], "another processor")
        return [] if tag == f"win_{machine}" else [f"It is for Windows on {machine}, and not for {tag}."]
    if core[:4] == b"\xcf\xfa\xed\xfe":
        machine = _MACH.get(struct.unpack_from("<I", core, 4)[0], "another processor")
        major, minor = _read_least_macos(core)
        wanted = re.fullmatch(rf"macosx_(\d+)_(\d+)_{machine}", tag)
        fits = wanted is not None and (major, minor) <= (int(wanted[1]), int(wanted[2]))
        return [] if fits else [f"It is for macOS {major}.{minor} on {machine}, and not for {tag}."]
    return ["It is no library of Linux, macOS or Windows."]


def _find_elf_misfits(core: bytes, tag: str) -> list[str]:
    machine = _ELF.get(struct.unpack_from("<H", core, 18)[0], "another processor")
    wanted = re.fullmatch(rf"manylinux_(\d+)_(\d+)_{machine}", tag)
    if wanted is None:
        return [f"It is for Linux on {machine}, and not for {tag}."]
    allowed = int(wanted[1]), int(wanted[2])
    asked = {(int(major), int(minor)) for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", core)}
    needed = set(re.findall(rb"\0(lib[\w+-]+\.so[.\d]*)(?=\0)", core)) - _LIBRARIES
    newer = [f"It needs glibc {major}.{minor}." for major, minor in sorted(asked) if (major, minor) > allowed]
    return newer + [f"It needs {name.decode()}, which not every Linux has." for name in sorted(needed)]


def _read_least_macos(core: bytes) -> tuple[int, int]:
    """Read from which macOS on a library loads; (99, 0) if it does not say."""
    (commands,) = struct.unpack_from("<I", core, 16)
    at = 32
    for _ in range(commands):
        command, size = struct.unpack_from("<II", core, at)
        if command in (0x32, 0x24):  # LC_BUILD_VERSION has the platform before it, LC_VERSION_MIN_MACOSX has not
            (version,) = struct.unpack_from("<I", core, at + (12 if command == 0x32 else 8))
            return version >> 16, (version >> 8) & 0xFF
        at += size
    return 99, 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
