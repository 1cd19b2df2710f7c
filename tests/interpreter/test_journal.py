"""Saves: what is written is read again, and all damage is said with its file, its line and a way out."""

import json
from pathlib import Path

import pytest

from rulebook.interpreter import journal
from rulebook.interpreter.journal import BadSave, Entry, Header

HEADER = Header(
    game="coins",
    rules_hash="0123abcd",
    seats=("Ana", "Ben"),
    seed=7,
    rules={"rulebook.yaml": "format: 1\nname: Münzen\n"},
    options={"rounds": 3, "limit": None, "prizes": ((3, 3), (4, 5))},
    variants=("long",),
    given={"Ana.hand": ["coin_1"]},
    rulebook="1.2.3",
)
ENTRIES = (
    Entry(0, 1, ("card:coin_1",)),
    Entry("chance", 1, ("card:coin_2",)),
    Entry(1, 1, ("label:Cheat, Ö!", "pass")),
)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    journal.write_journal(path, HEADER, ENTRIES)
    return path


def test_what_is_written_is_read(save: Path) -> None:
    found = journal.read_journal(save)
    assert found.header == HEADER
    assert found.entries == ENTRIES
    assert found.notice == ""


def test_a_save_is_one_object_a_line_and_says_what_it_is(save: Path) -> None:
    first, *rest = (json.loads(line) for line in save.read_text(encoding="utf-8").splitlines())
    assert list(first) == [
        *("format", "rulebook", "game", "at", "rules_hash", "rules", "seats"),
        *("bots", "options", "variants", "seed", "nonce", "given"),
    ]
    assert [list(one) for one in rest] == [["seat", "number", "answer"]] * 3


def test_answers_are_appended(save: Path) -> None:
    more = Entry(1, 2, ("pass",))
    journal.append_entry(save, more)
    assert journal.read_journal(save).entries == (*ENTRIES, more)


def test_writing_again_replaces_the_whole_file_and_leaves_nothing_beside_it(save: Path) -> None:
    journal.write_journal(save, HEADER, ENTRIES[:1])
    assert journal.read_journal(save).entries == ENTRIES[:1]
    assert [path.name for path in save.parent.iterdir()] == [save.name]


def test_a_torn_end_is_dropped_wherever_it_was_torn(save: Path) -> None:
    """Every length that a write could have stopped at, in the middle of a letter too."""
    whole = save.read_bytes()
    start = whole.rstrip(b"\n").rfind(b"\n") + 1
    for length in range(start + 1, len(whole) - 1):
        found = journal.parse_journal(whole[:length], "game.jsonl")
        assert found.entries == ENTRIES[:2]
        assert "game.jsonl, line 4" in found.notice
        assert "left out" in found.notice
    assert journal.parse_journal(whole[:start]).notice == ""


def test_a_last_line_without_its_line_break_is_whole(save: Path) -> None:
    found = journal.parse_journal(save.read_bytes()[:-1])
    assert found.entries == ENTRIES
    assert found.notice == ""


def test_appending_to_a_torn_save_goes_on_where_it_was_sound(save: Path) -> None:
    whole = save.read_bytes()
    for cut in (1, 2, 9):
        save.write_bytes(whole[:-cut])
        kept = journal.read_journal(save).entries
        journal.append_entry(save, Entry(0, 2, ("pass",)))
        assert journal.read_journal(save).entries == (*kept, Entry(0, 2, ("pass",)))


def test_line_breaks_of_other_systems_are_read(save: Path) -> None:
    assert journal.parse_journal(save.read_bytes().replace(b"\n", b"\r\n")).entries == ENTRIES


def damaged(save: Path, line: int, text: str) -> BadSave:
    rows = save.read_text(encoding="utf-8").splitlines()
    rows[line - 1] = text
    save.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(BadSave) as caught:
        journal.read_journal(save)
    return caught.value


@pytest.mark.parametrize(
    ("line", "text", "words"),
    [
        (1, "{}", "says no format"),
        (1, "shopping list", "not a saved game"),
        (1, "[1]", "not a saved game"),
        (1, '{"format": "1"}', "says no format"),
        (1, '{"format": 0}', "no save format 0"),
        (1, '{"format": 1}', "`game` is missing"),
        (1, '{"format":1,"game":"x","rules_hash":"","seats":[],"seed":1}', "`seats` is missing"),
        (1, '{"format":1,"game":"x","rules_hash":"","seats":["A"],"seed":true}', "`seed` is missing"),
        (2, '{"seat":0,"number":1,', "line is damaged"),
        (2, "", "line is damaged"),
        (2, "[" * 100_000, "line is damaged"),
        (2, '{"seat":2,"number":1,"answer":[]}', "no seat 2 among 2"),
        (2, '{"seat":true,"number":1,"answer":[]}', "`seat` is missing"),
        (2, '{"seat":"Ana","number":1,"answer":[]}', "`seat` is missing"),
        (3, '{"seat":0,"number":-1,"answer":[]}', "number of the decision"),
        (3, '{"seat":0,"number":1,"answer":"pass"}', "list of keys"),
        (3, '{"seat":0,"number":1,"answer":[1]}', "list of keys"),
    ],
)
def test_damage_is_said_with_its_line_and_what_to_do(save: Path, line: int, text: str, words: str) -> None:
    error = damaged(save, line, text)
    assert error.line == line
    assert words in error.reason
    assert error.reason[0].isupper() or error.reason[0] == "`"
    assert error.help.endswith(".")
    assert str(error).startswith(f"{save}, line {line}: ")


def test_bytes_that_are_no_text_are_damage(save: Path) -> None:
    save.write_bytes(save.read_bytes().replace(b"pass", b"p\xffss"))
    with pytest.raises(BadSave, match="line 4: This line is damaged"):
        journal.read_journal(save)


def test_a_newer_format_says_which_program_reads_it(save: Path) -> None:
    error = damaged(save, 1, '{"format": 99, "rulebook": "8.1"}')
    assert "format 99" in error.reason
    assert "up to 3" in error.reason
    assert "rulebook 8.1" in error.help


@pytest.mark.parametrize("text", ["", '{"format": 1, "ga'])
def test_a_save_without_a_whole_first_line_holds_no_game(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSave, match="no game in it") as caught:
        journal.read_journal(path)
    assert caught.value.line == 0
