"""Files in the user's cache folder: they save time, and never change anything else."""

import json
import os
import random
import shutil
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulebook import cache, library
from rulebook.cli import main
from rulebook.dsl.parsing import grammar
from rulebook.user_folders import find_cache_folder, find_data_folder

POSIX = os.name == "posix"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_what_was_written_is_read(folder: Path) -> None:
    assert cache.read_data("a.json", "made from this") is None
    cache.write_data("a.json", "made from this", {"é": [1, None, "\n"]})
    assert cache.read_data("a.json", "made from this") == {"é": [1, None, "\n"]}
    assert cache.read_data("b.json", "made from this") is None
    assert sorted(file.name for file in folder.iterdir()) == ["a.json", "secret"]


def test_what_was_made_from_something_else_is_not_read(folder: Path) -> None:
    cache.write_data("a.json", "made from this", 1)
    assert cache.read_data("a.json", "made from that") is None
    cache.write_data("a.json", "made from that", 2)
    assert cache.read_data("a.json", "made from that") == 2


def signed(data: bytes, secret: bytes | None = None) -> bytes:
    """A file as the program would have written it, if it had written this."""
    where = cache.usable()
    assert where is not None
    return cache._make_head(data, secret or (where / "secret").read_bytes()) + data


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"",
    "cut off": lambda whole: whole[:-3],
    "one letter": lambda whole: whole.replace(b"4", b"5"),
    "no head": lambda whole: whole.split(b"\n", 1)[1],
    "another head": lambda whole: b"rulebook cache 00000000\n" + whole.split(b"\n", 1)[1],
    "no text": lambda whole: b"\x80\xff" * 40,
    "foreign": lambda whole: b'{"a": 1}\n',
    "another's secret": lambda whole: signed(whole.split(b"\n", 1)[1], bytes(32)),
    "no JSON": lambda whole: signed(b"[[["),
    "deep": lambda whole: signed(b"[" * 200_000),
    "another shape": lambda whole: signed(b"7"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_as_good_as_none_and_written_anew(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    cache.write_data("a.json", "key", [1, 2, 3, 4])
    file = folder / "a.json"
    file.write_bytes(damage(file.read_bytes()))
    assert cache.read_data("a.json", "key") is None
    cache.write_data("a.json", "key", [1, 2, 3, 4])
    assert cache.read_data("a.json", "key") == [1, 2, 3, 4]


def test_a_folder_in_the_place_of_the_file_is_passed_over(folder: Path) -> None:
    (folder / "a.json" / "b").mkdir(parents=True)
    cache.write_data("a.json", "key", 1)
    assert cache.read_data("a.json", "key") is None
    assert sorted(one.name for one in folder.iterdir()) == ["a.json", "secret"], "nothing half written is left"


@pytest.mark.parametrize("word", ["off", "OFF", "no", "0"])
def test_it_can_be_switched_off(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SWITCH, word)
    monkeypatch.chdir(tmp_path)
    assert cache.find_folder() is None
    cache.write_data("a.json", "key", 1)
    assert cache.read_data("a.json", "key") is None
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_there_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "file" / "kept"))
    cache.write_data("a.json", "key", 1)
    assert cache.read_data("a.json", "key") is None


@pytest.mark.parametrize(
    ("system", "data", "kept"),
    [
        ("linux", ".local/share/rulebook", ".cache/rulebook"),
        ("freebsd14", ".local/share/rulebook", ".cache/rulebook"),
        ("darwin", "Library/Application Support/rulebook", "Library/Caches/rulebook"),
        ("win32", "AppData/Local/rulebook", "AppData/Local/rulebook/Cache"),
    ],
)
def test_folders_are_the_systems(
    system: str, data: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (cache.SWITCH, "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("USERPROFILE" if os.name == "nt" else "HOME", str(tmp_path))
    assert (find_data_folder(system), find_cache_folder(system)) == (tmp_path / data, tmp_path / kept)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert find_cache_folder(system) == tmp_path / kept
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert find_cache_folder(system) == cache.find_folder() == tmp_path / "x" / "rulebook"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "y"))
    assert find_data_folder(system) == tmp_path / "y" / "rulebook"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "z"))
    assert find_data_folder("win32") == tmp_path / "z" / "rulebook"


@pytest.mark.skipif(not POSIX, reason="permissions are those of POSIX")
def test_the_files_are_their_owners_alone(folder: Path) -> None:
    cache.write_data("a.json", "key", 1)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "a.json").stat().st_mode) == 0o600


def test_whoever_writes_at_the_same_time_leaves_a_whole_file(folder: Path) -> None:
    def both(number: int) -> bool:
        cache.write_data("a.json", "key", [number] * 5000)
        found = cache.read_data("a.json", "key")
        return found is not None and len(set(found)) == 1 and len(found) == 5000

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(both, range(80)))
    assert sorted(file.name for file in folder.iterdir()) == ["a.json", "secret"]


def test_the_table_is_kept_and_is_the_same(folder: Path) -> None:
    built = grammar.grammar.__wrapped__()
    [file] = folder.glob("*.json")
    kept = grammar.grammar.__wrapped__()
    assert (kept.rules, kept.actions, kept.gotos) == (built.rules, built.actions, built.gotos)
    assert (kept.starts, kept.ends, kept.words, kept.signs) == (built.starts, built.ends, built.words, built.signs)
    assert json.loads(file.read_bytes().split(b"\n", 1)[1])[0].endswith(grammar.grammar_text())


def test_all_files_together_take_only_so_much(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    theirs = folder / "checked-0123.json"
    theirs.write_text("what somebody else wrote under such a name\n", "utf-8")
    (folder / "notes.json").write_text("x" * 5000, "utf-8")
    os.utime(theirs, (0, 0))
    monkeypatch.setattr(cache, "_MOST", 3000)
    for number in range(1, 9):
        cache.write_data(f"checked-{number}.json", "key", "x" * 800)
        os.utime(folder / f"checked-{number}.json", (number, number))
    assert {path.name for path in folder.iterdir()} == {
        "checked-0123.json", "notes.json", "secret", "checked-6.json", "checked-7.json", "checked-8.json",
    }  # fmt: skip


def test_what_is_too_large_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_LARGEST", 100)
    cache.write_data("checked-1.json", "key", "x" * 200)
    assert cache.read_data("checked-1.json", "key") is None


# ── whose it is ──


@pytest.mark.skipif(not POSIX, reason="links, owners and permissions are those of POSIX")
@pytest.mark.parametrize("name", ["a.json", "secret"])
def test_nothing_but_a_private_file_is_read(name: str, folder: Path, tmp_path: Path) -> None:
    cache.write_data("a.json", "key", 1)
    whole, file = (folder / name).read_bytes(), folder / name
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(whole)

    def linked() -> None:
        file.symlink_to(elsewhere)

    def open_to_others() -> None:
        file.write_bytes(whole)
        file.chmod(0o666)

    for put in (linked, open_to_others, lambda: os.mkfifo(file), lambda: file.symlink_to(file)):
        file.unlink()
        put()
        assert cache.read_data("a.json", "key") is None, put
        cache.write_data("a.json", "key", 1)
        assert cache.read_data("a.json", "key") == 1, put
        assert elsewhere.read_bytes() == whole, "what a link leads to is not written"
        whole = file.read_bytes()
        elsewhere.write_bytes(whole)


@pytest.mark.skipif(not POSIX or os.geteuid() != 0, reason="only root gives files away")
def test_what_belongs_to_another_user_is_not_read(folder: Path) -> None:
    cache.write_data("a.json", "key", 1)
    os.chown(folder / "a.json", 12345, -1)
    assert cache.read_data("a.json", "key") is None
    cache.write_data("a.json", "key", 2)
    assert cache.read_data("a.json", "key") == 2
    os.chown(folder, 12345, -1)
    assert cache.usable() is None and cache.read_data("a.json", "key") is None


@pytest.mark.skipif(not POSIX, reason="links and permissions are those of POSIX")
def test_nobody_else_may_write_in_the_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    cache.write_data("a.json", "key", 1)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    (tmp_path / "link").symlink_to(folder)
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "link"))
    assert cache.usable() is None and cache.read_data("a.json", "key") is None


COMMANDS = (
    ["show", "{}"], ["show", "{}", "--english"], ["dis", "{}", "game"], ["test", "{}"], ["validate", "{}"],
    ["play", "{}", "--bots", "random", "--seed", "1"],
)  # fmt: skip


@pytest.mark.slow
def test_whoever_tampers_with_the_folder_changes_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes and structure of every file, with a checksum that is right for whoever does not know the secret."""
    game = tmp_path / "poker"
    shutil.copytree(library.find_game("kuhn_poker"), game)

    def outputs() -> list[tuple[int, str]]:
        grammar.grammar.cache_clear()
        done = [CliRunner().invoke(main, [word.format(game) for word in words]) for words in COMMANDS]
        return [(one.exit_code, one.output) for one in done]

    monkeypatch.setenv(cache.SWITCH, "off")
    expected = outputs()
    monkeypatch.setenv(cache.SWITCH, str(folder))
    assert outputs() == expected
    files = {file: file.read_bytes() for file in sorted(folder.iterdir())}
    assert len(files) >= 4
    chance = random.Random(int(os.environ.get("DRAWS_FROM", "1")))
    for _ in range(int(os.environ.get("DRAWS", "5"))):
        for file, whole in files.items():
            file.write_bytes(tampered(whole, chance))
        assert outputs() == expected
    grammar.grammar.cache_clear()


def tampered(whole: bytes, chance: random.Random) -> bytes:
    head, _, data = whole.partition(b"\n")
    if not whole.startswith(cache._HEAD.encode()) or chance.random() < 0.3:  # the secret is any bytes
        flipped = bytearray(whole)
        for _ in range(chance.randint(1, 20)):
            flipped[chance.randrange(len(flipped))] = chance.randrange(256)
        return bytes(flipped[: chance.choice([len(flipped), chance.randrange(len(flipped))])])
    value = json.loads(data)
    at = value
    while isinstance(at, list | dict) and at:
        key = chance.randrange(len(at)) if isinstance(at, list) else chance.choice(sorted(at))
        if not isinstance(at[key], list | dict) or chance.random() < 0.1:
            at[key] = chance.choice([None, -1, 10**9, "", "x", [], {}, True, at[key]])
            break
        at = at[key]
    changed = json.dumps(value, separators=(",", ":")).encode()
    secret = chance.choice([b"", bytes(32), data[:32]])
    return chance.choice([head + b"\n", cache._make_head(changed, secret)]) + changed
