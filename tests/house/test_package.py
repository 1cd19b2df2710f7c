"""What is in the wheel and in the sdist, and that `run.py test` tests the wheel and not the checkout.

Under `run.py test` RULEBOOK_WHEEL names the installed wheel; in a plain pytest run one is built.
"""

import email
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from paths import ROOT

import rulebook
from rulebook.version import DISTRIBUTION

STEM = f"{DISTRIBUTION.replace('-', '_')}-0.1.0"
INSTALLED = os.environ.get("RULEBOOK_WHEEL")


def build(target: str, source: Path, into: Path) -> Path:
    words = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(words, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    [built] = into.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(INSTALLED) if INSTALLED else build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_the_only_top_level_entry_is_the_package(wheel: Path) -> None:
    assert {name.split("/")[0] for name in names_in(wheel)} == {"rulebook", f"{STEM}.dist-info"}


def test_the_whole_package_is_in_the_wheel(wheel: Path) -> None:
    """Everything counts, not only Python: grammars and messages are data files of the package."""
    files = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "rulebook").rglob("*")
        if path.is_file() and path.suffix in {".c", ".lark", ".py", ".toml", ".typed", ".yaml"}
    }
    assert files
    assert files <= names_in(wheel)


def test_every_game_is_in_the_wheel(wheel: Path) -> None:
    games = list((ROOT / "cards").rglob("rulebook.yaml"))
    assert games
    for rules in games:
        assert f"rulebook/{rules.relative_to(ROOT).as_posix()}" in names_in(wheel)


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    for name in names_in(wheel):
        assert "__pycache__" not in name
        assert not re.search(r"/\.|~$|\.py[co]$", name), name


def test_core_dependencies_are_six(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(archive.read(f"{STEM}.dist-info/METADATA"))
    requirements = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    names = {re.split(r"[^\w.-]", line)[0].lower() for line in requirements}
    assert names == {"attrs", "cattrs", "click", "lark", "pyyaml", "rich"}
    assert metadata["Requires-Python"] == ">=3.11"


def test_what_pip_is_told_is_what_is_built(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(archive.read(f"{STEM}.dist-info/METADATA"))
    assert metadata["Name"] == DISTRIBUTION


STRANGER = re.compile(
    r"(?<![-\w])rulebook(?:\[|[=~<>]=)|\bpip\b[^\n`#]*\binstall [^\n`#]*?(?<![-\w./])rulebook(?![-\w./ ])"
)
"""Words that name the distribution `rulebook` of the public index, which is not this one."""


@pytest.mark.slow
def test_no_text_sends_anybody_to_the_stranger_of_this_name() -> None:
    assert STRANGER.search("pip install --user 'rulebook'") and STRANGER.search("the extra rulebook" + "[web]")
    assert not STRANGER.search("pip install tabletop-rulebook") and not STRANGER.search("pip install -e ./rulebook/")
    texts = [*ROOT.glob("*.*"), *ROOT.glob(".*.yaml"), ROOT / ".ci" / "run"]
    read = {".c", ".js", ".md", ".py", ".toml", ".yaml"}
    for folder in ("bench", "cards", "docs", "rulebook", "tests"):
        texts += (path for path in (ROOT / folder).rglob("*") if path.suffix in read)
    assert len(texts) > 500
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in texts
        if path.is_file() and path != Path(__file__).resolve()
        for match in STRANGER.finditer(path.read_text(encoding="utf-8"))
    }
    assert found == set()


@pytest.mark.slow
def test_the_sdist_holds_all_that_the_wheel_needs(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sdist = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        # The first releases of Python 3.11 have no filters yet.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(tmp_path)
    unpacked = tmp_path / STEM
    monkeypatch.setenv("CFLAGS", "-O0")  # nobody plays with this core; one in the checkout, tests play with
    again = build("wheel", unpacked, tmp_path / "wheel")
    assert names_in(again) == names_in(wheel)
    assert (unpacked / "run.py").is_file()
    assert (unpacked / "tests" / "house" / Path(__file__).name).is_file()


@pytest.mark.skipif(not INSTALLED, reason="only `run.py test` installs the wheel")
def test_the_wheel_is_what_is_tested() -> None:
    package = Path(rulebook.__file__).resolve().parent
    assert package.parent.name == "site-packages"
    assert package.is_relative_to(Path(sys.prefix).resolve())
    assert package != ROOT / "rulebook"
    assert str(ROOT) not in sys.path


@pytest.mark.skipif(not INSTALLED, reason="only `run.py test` installs the wheel")
def test_a_python_started_in_the_checkout_has_the_wheel_too() -> None:
    """Tests start Pythons of their own, from the root of the checkout as well."""
    words = [sys.executable, "-c", "import rulebook; print(rulebook.__file__)"]
    printed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    assert Path(printed).resolve() == Path(rulebook.__file__).resolve()
