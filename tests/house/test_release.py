"""What is published of a version: wheels that are what their names say, and the page in a package index."""

from __future__ import annotations

import email
import importlib.util
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from paths import ROOT

ADDRESS = "https://code.example/rulebook"


def load(name: str) -> ModuleType:
    """A program that stands beside the package, and is installed nowhere."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


build_core, build_page = load("build_core"), load("build_page")
release = load("release")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """An sdist and a wheel without the core, with a page that knows where it is from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEBOOK_ADDRESS", ADDRESS)
        return list(release.build_all(tmp_path_factory.mktemp("dist"), [release.PURE]))


@pytest.mark.slow
def test_a_wheel_without_the_core_fits_any_system(built: list[Path]) -> None:
    sdist, wheel = built
    assert sdist.name.endswith(".tar.gz") and wheel.name.endswith("-py3-none-any.whl")
    assert release.find_faults(wheel) == []


@pytest.mark.slow
def test_every_link_of_the_page_leads_to_a_file_of_this_version(built: list[Path]) -> None:
    with zipfile.ZipFile(built[1]) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
    page = str(metadata.get_payload())
    links = re.findall(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"', page)
    leads = [one or other for one, other in links]
    assert len(leads) > 20
    for lead in leads:
        match = re.fullmatch(rf"{ADDRESS}/(blob|raw|tree)/v0\.1\.0/([^#]+)(#.*)?", lead)
        if lead.startswith(("#", "http")) and match is None:
            assert not lead.startswith(ADDRESS), lead
            continue
        assert match is not None, lead
        assert (ROOT / match[2]).exists() and (ROOT / match[2]).is_dir() == (match[1] == "tree"), lead
    assert {line.split(",")[0] for line in metadata.get_all("Project-URL", [])} >= {"Source", "Documentation"}


def test_a_page_without_an_address_is_the_readme() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RULEBOOK_ADDRESS", raising=False)
        metadata = {"version": "0.1.0"}
        build_page.PageHook(str(ROOT), {}).update(metadata)
    assert metadata["readme"]["text"] == (ROOT / "README.md").read_text("utf-8")
    assert "urls" not in metadata


def test_links_that_lead_somewhere_stay() -> None:
    text = "[a](https://x.example/y) [b](#c) [d](docs/e.md#f) [g](docs/) <img src=\"p/q.png\">"
    assert build_page.make_absolute(text, "https://h", "v1") == (
        "[a](https://x.example/y) [b](#c) [d](https://h/blob/v1/docs/e.md#f) [g](https://h/tree/v1/docs/)"
        ' <img src="https://h/raw/v1/p/q.png">'
    )


@pytest.mark.slow
@pytest.mark.extra("targets", "ziglang")
def test_a_wheel_for_linux_needs_no_newer_system_than_it_says(tmp_path: Path) -> None:
    _, wheel = release.build_all(tmp_path, ["x86_64-linux-gnu.2.17"])
    assert wheel.name.endswith("-py3-none-manylinux_2_17_x86_64.whl")
    assert release.find_faults(wheel) == []
    older = wheel.with_name(wheel.name.replace("2_17", "2_1"))
    wheel.rename(older)
    assert any("needs glibc 2." in fault for fault in release.find_faults(older))


# The library of C is not built for each system, which takes zig minutes, nor is anything made fast. What the core asks
# of it is there by its names alone: on Windows those of these, without what sets up a thread.
QUICK = "-O0 -fno-sanitize=all -nostdlib"
NAMES = (
    "calloc", "free", "malloc", "realloc", "memcmp", "memcpy", "memmove", "memset", "log", "sqrt",
    "longjmp", "_setjmp", "_setjmpex", "__intrinsic_setjmpex", "__chkstk", "___chkstk_ms",
)  # fmt: skip


def make_quick(target: str, folder: Path) -> str:
    """The words for the compiler with which a core is quickly built for another system."""
    if "windows" not in target:
        return f"{QUICK} -lSystem" if "macos" in target else f"{QUICK} -lc -lm"
    (folder / "names.def").write_text("\n".join(["LIBRARY msvcrt.dll", "EXPORTS", *NAMES]), "utf-8")
    zig = importlib.import_module("ziglang").__path__[0]
    machine = "arm64" if target.startswith("aarch64") else "i386:x86-64"
    words = ["dlltool", "-d", "names.def", "-l", "libnames.a", "-m", machine]
    subprocess.run([sys.executable, "-m", "ziglang", *words], cwd=folder, check=True)
    headers = f"-isystem {zig}/lib/libc/include/any-windows-any"
    return f"{QUICK} -D_Thread_local= {headers} -L{folder} -lnames -Wl,--no-entry"


@pytest.mark.slow
@pytest.mark.extra("targets", "ziglang")
@pytest.mark.parametrize("target", release.SYSTEMS)
def test_each_system_gets_a_wheel_with_all_of_the_core(
    target: str, built: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CFLAGS", make_quick(target, tmp_path))
    for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "zig"))
    with tarfile.open(built[0]) as archive:
        archive.extractall(tmp_path / "sdist", filter="data")
    [unpacked] = (tmp_path / "sdist").iterdir()
    wheel = release.build_one("wheel", unpacked, tmp_path / "dist", target)
    tag, library = build_core.TARGETS[target]
    assert wheel.name.endswith(f"-py3-none-{tag}.whl")
    assert release.find_faults(wheel) == [] and release.find_closed_doors(wheel) == []
    with zipfile.ZipFile(wheel) as archive, zipfile.ZipFile(built[1]) as pure:
        core = f"{build_core.FOLDER.as_posix()}/{library}"
        assert {*archive.namelist()} == {*pure.namelist()} | {core}
        exported = release.list_exports(archive.read(core))
    assert {"open_game", "take_answer", "play_games"} <= exported and "tidy_up" not in exported


def elf(machine: int, *words: bytes) -> bytes:
    return b"\x7fELF" + bytes(14) + struct.pack("<H", machine) + bytes(12) + b"\0" + b"\0".join(words) + b"\0"


def pe(machine: int) -> bytes:
    return b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<H", machine)


def mach(processor: int, least: tuple[int, int]) -> bytes:
    head = b"\xcf\xfa\xed\xfe" + struct.pack("<IIIIIII", processor, 0, 6, 1, 24, 0, 0)
    return head + struct.pack("<IIIIII", 0x32, 24, 1, least[0] << 16 | least[1] << 8, 0, 0)


@pytest.mark.parametrize(
    ("core", "tag", "fault"),
    [
        (elf(62, b"libc.so.6", b"GLIBC_2.14"), "manylinux_2_17_x86_64", ""),
        (elf(62, b"libc.so.6", b"GLIBC_2.34"), "manylinux_2_17_x86_64", "needs glibc 2.34"),
        (elf(62, b"libgomp.so.1"), "manylinux_2_17_x86_64", "needs libgomp.so.1"),
        (elf(183, b"libc.so.6"), "manylinux_2_17_x86_64", "is for Linux on aarch64"),
        (elf(62, b"libc.so.6"), "win_amd64", "is for Linux on x86_64"),
        (pe(0x8664), "win_amd64", ""),
        (pe(0x8664), "win_arm64", "is for Windows on amd64"),
        (mach(0x0100000C, (11, 0)), "macosx_11_0_arm64", ""),
        (mach(0x0100000C, (13, 0)), "macosx_11_0_arm64", "is for macOS 13.0"),
        (mach(0x01000007, (11, 0)), "macosx_11_0_arm64", "on x86_64, and not"),
        (b"#!/bin/sh\n", "win_amd64", "no library of"),
    ],
)
def test_a_core_that_is_not_what_the_tag_says_is_found(core: bytes, tag: str, fault: str, tmp_path: Path) -> None:
    wheel = tmp_path / f"tabletop_rulebook-0.1.0-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("rulebook/interpreter/core/_core.so", core)
        archive.writestr("tabletop_rulebook-0.1.0.dist-info/WHEEL", f"Wheel-Version: 1.0\nTag: py3-none-{tag}\n")
    found = release.find_faults(wheel)
    assert len(found) == bool(fault) and all(fault in one for one in found), found
