"""Files of which there is too much of one thing: each is refused in a sentence, or read, soon and in little memory."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hostile_files import END, HEAD, chain, other, rules

from rulebook import files
from rulebook.interpreter import journal
from rulebook.interpreter.journal import BadSave
from rulebook.loading import load
from rulebook.plain_json import NotPlain, read_object

SECONDS, MEGABYTES = 12, 300
"""Of the processor, more than twice what each takes, and of memory beyond that of the tests."""
MANY = 2_500


def check(work: Callable[[], object]) -> None:
    """Do something in a process of its own, which is ended where it takes too long, and look at what it took."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    child = os.fork()
    if child == 0:
        code = 3
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            code = 0 if work() else 1
        finally:
            os._exit(code)
    _, status, used = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, f"after {used.ru_utime:.1f} s"
    assert used.ru_maxrss / 1024 - before < MEGABYTES


GAMES = {
    "dashes": "- " * 200_000,
    "dashes in lines": "-\n" * 200_000,
    "copies of copies": other("kinds: {a: }\n" + chain("cards", "c{}: {{copy: c{}}}", MANY)),
    "copies of copies, from their end": other("kinds: {a: }\ncards:\n" + chain("", "c{1}: {{copy: c{0}}}", MANY)[2:]),
    "values that ask values": other(chain("values", "v{}(): v{}()", MANY)),
    "values that ask values, from their end": other("values:\n  v0(): 1\n" + chain("", "v{1}(): v{0}()", MANY)[2:]),
    "rules that do rules": rules(*(f"do rule_{n}" for n in range(1, MANY + 1)), "stop"),
    "units that are none": other(chain("units", "k{}: x", MANY)),
    "memories that nothing uses": other("memory:\n  table:\n" + chain("", "  m{}: 0", MANY)[2:]),
    "names that are near many": rules("\n".join(f"set totl{n} = tota{n}" for n in range(700)))
    + chain("values", "total{}(): 1", MANY),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", GAMES.values(), ids=list(GAMES))
def test_a_game_of_too_much_is_told_soon(text: str, tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
    check(lambda: load(tmp_path, meant=True, use_cache=False).messages)


@pytest.mark.slow
def test_very_many_entries_are_read(tmp_path: Path) -> None:
    """A large game is no fault: only its words are asked of nothing here."""
    words = "".join(f"  w{number}: [a{number}]\n" for number in range(15_000))
    (tmp_path / "rulebook.yaml").write_text(f"{HEAD}rules: {{game: win nobody}}\n{END}words:\n{words}", "utf-8")
    check(lambda: {one.code for one in load(tmp_path, meant=True, use_cache=False).messages} == {"RB507"})


_MILLION = 1_000_000
RUNS = {"0,\n": _MILLION, "[],": _MILLION, '{"a":1},': _MILLION, **dict.fromkeys((" ", "[", '"'), files.LARGEST)}


@pytest.mark.slow
def test_long_runs_in_json() -> None:
    for piece, length in RUNS.items():
        run = piece.encode() * ((length - 10) // len(piece.encode()))
        check(partial(_read_all, [run, b'{"a":[' + run + b"0]}"]))


def _read_all(texts: list[bytes]) -> bool:
    for data in texts:
        with pytest.raises(BadSave):
            journal.parse_journal(data)
        with suppress(NotPlain):
            read_object(data)
    return True


@pytest.mark.parametrize("text", ['{"a":"' + "\U0001f600" * 4_000_000 + '"}', '{"a":[' + "{}," * 499_000 + "0]}"])
def test_as_much_as_is_read(text: str) -> None:
    check(lambda: read_object(text.encode()))


def test_a_save_of_blanks_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "blank.jsonl"
    path.write_bytes(b" " * 50_000_000)

    def work() -> bool:
        with pytest.raises(OSError, match="more than 16 MB"):
            journal.read_journal(path)
        return True

    check(work)
