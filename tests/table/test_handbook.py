"""What can be looked up at the table: the rules to read, and everything that has a name."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from paths import DATA

from rulebook import library
from rulebook.cli import main
from rulebook.dsl.settling.texts import list_texts
from rulebook.interpreter.lower import lower
from rulebook.library import find_games
from rulebook.loading import load
from rulebook.table.handbook import Handbook

GAMES = [folder.name for folder in find_games()]
WORDLESS = str(DATA / "requests" / "herb_garden")
"""A game that tells no rules of its own."""


@cache
def handbook(game: str, **settings: object) -> Handbook:
    rulebook = load(library.find_game(game), use_cache=True).rulebook
    assert rulebook is not None
    program = lower(rulebook, rulebook.players[-1], settings)
    return Handbook(rulebook, program, list_texts(rulebook, program.options))


@pytest.mark.parametrize("game", GAMES)
def test_everything_is_found_by_its_name_and_by_a_slip_of_it(game: str) -> None:
    book = handbook(game)
    assert book.entries
    for entry in book.entries:
        assert entry.text, entry
        for name in (entry.name, *entry.ids):
            assert entry in book.find_entries(name.upper()), name


def test_rules_without_words_of_their_own_say_who_wins_before_the_house_rules() -> None:
    chapters = dict(handbook(WORDLESS).list_rules(whole=False))
    assert list(chapters)[-2:] == ["Who wins", "House rules"]
    assert chapters["Who wins"] == [("", "Whoever has the most points, then the most last points wins.")]
    assert "Who wins" not in dict(handbook("wallet").list_rules())  # its author has said it


@pytest.mark.parametrize(
    ("game", "wanted", "found"),
    [
        ("wallet", "limit", ["limit: 500 CU"]),
        ("wallet", "tie pin", ["Tie pin"]),
        ("wallet", "pin", ["Tie pin"]),
        ("wallet", "compartment", ["compartment"]),
        ("wallet", "currency", ["currency", "currency"]),
        ("wallet", "hourgl", ["standing hourglasses", "Flip an hourglass"]),
        ("wallet", "police b", ["Police Badge"]),
        ("wallet", "cu", ["CU"]),
        ("exposed", "corner", ["corner"]),
        ("exposed", "cornerstone", ["Architect"]),
        ("exposed", "dental", ["Dentist"]),
        ("wallet", "", []),
        ("wallet", "fop", []),
        ("hearts", "hearts", ["Hearts"]),
    ],
)
def test_a_word_that_begins_so_is_enough(game: str, wanted: str, found: list[str]) -> None:
    assert sorted(one.name for one in handbook(game).find_entries(wanted)) == sorted(found)


@pytest.mark.parametrize(
    ("slip", "meant"), [("hapy", "Happy Birthday"), ("compartmnet", "compartment"), ("pund", "Pound")]
)
def test_a_slip_is_forgiven(slip: str, meant: str) -> None:
    book = handbook("wallet")
    assert book.find_entries(slip) == []
    assert meant in {one.name for one in book.find_nearly(slip)}
    assert book.find_nearly("xyzzy") == []


def test_the_own_words_of_a_game_stand_before_its_house_rules_and_instead_of_its_scripts() -> None:
    book = handbook("wallet")
    headings = [heading for heading, _ in book.list_rules(whole=False)]
    assert headings == ["What it is about", *book.rulebook.display.about, "House rules"]
    whole = [heading for heading, _ in book.list_rules()]
    assert whole[: len(headings)] == headings
    assert "Cards: special" in whole
    assert "Rules" not in whole


def test_where_a_game_has_no_words_its_scripts_are_told() -> None:
    book = handbook(WORDLESS)
    assert not book.rulebook.display.about
    rules = dict(book.list_rules(whole=False))["Rules"]
    assert any("cards" in text for _, text in rules)


@pytest.mark.parametrize("game", GAMES)
def test_each_bundled_game_says_how_one_wins_and_tells_its_rules_in_words(game: str) -> None:
    display = handbook(game).rulebook.display
    assert display.aim
    assert len(display.about) in range(3, 7)
    assert len(" ".join(display.about.values()).split()) in range(80, 301)


def book_text(option: str) -> str:
    return handbook("wallet").rulebook.options[option].text


@pytest.mark.parametrize("game", GAMES)
def test_rules_name_no_key_of_a_terminal(game: str) -> None:
    told = [text for _, lines in handbook(game).list_rules() for line in lines for text in line]
    assert not [text for text in told if re.search(r"(?<!\S)[\"'“`(]?\? ?\w", text)]


def test_house_rules_are_told_as_they_are_in_force() -> None:
    rules = dict(handbook("wallet", limit=30000).list_rules())["House rules"]
    assert ("limit: 300 CU", "What an innocent may carry in notes, jewelry, and the coin where it counts") in rules
    assert ("order at the end: from the lowest coin up", book_text("end_order")) in rules
    assert ("specials in a turn: any number", book_text("max_specials_per_turn")) in rules
    (entry,) = handbook("wallet", limit=30000).find_entries("limit")
    assert entry.name == "limit: 300 CU"


def test_a_player_asks_at_the_table(tmp_path: Path) -> None:
    typed = "help\n? rules\nhelp limit\n? tie pin\n? compartmnet\n? xyzzy\nq\n"
    words = ["play", "wallet", "--seats", "Ana,bot", "--seed", "3", "--set", "limit=300 CU"]
    result = CliRunner(env={"XDG_DATA_HOME": str(tmp_path)}).invoke(main, words, input=typed)
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    for told in (
        "choose it; the beginning of a word is enough",
        "The rules What it is about: Money and one ID",
        "The verdict: When the time is up",
        "limit: 300 CU (house rule) What an innocent may carry in notes, jewelry, and the coin where it counts",
        "Tie pin (card) piece of jewelry · corner 4 · 50 CU",
        "compartment (place) of the table: cards in no order, for IDs; nobody may look at it, and what one knows",
        "There is nothing called “xyzzy” here",
    ):
        assert told in text, told


def test_a_player_asks_what_stands_on_a_grid(tmp_path: Path) -> None:
    typed = "? M\n? cornerstone\n? yours\n? e5\n? wallets\n? b9\n1\n? b3\nq\n"
    words = ["play", "exposed", "--seats", "Ana,bot,bot", "--seed", "5"]
    result = CliRunner(env={"XDG_DATA_HOME": str(tmp_path)}).invoke(main, words, input=typed)
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    for told in (
        "M (board) marks: c1 Server, e2 Astronaut and c5 Architect Move Twice, swap two tiles",
        "Architect (card) identity · corner 2 · Cornerstone. Each tile in a corner gets a wallet.",
        "* (board) yours: e5 Teacher",
        "e5 (board) Teacher · wallets: 2 · yours Teacher (card) identity · corner 2",
        "number (board) how many wallets lie on it wallets (place) of each card",
        "There is nothing called “b9” here",
        "b3 (board) Undertaker · wallets: 1 Undertaker Up to three tiles get a wallet each.",
    ):
        assert told in text, told


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("john", "John Smith (john_smith)"),
        ("limit", "limit: 500 CU (house rule)\n  What an innocent may carry in notes, jewelry, and the coin where"),
        ("compartment", "compartment (place)\n  of the table: cards"),
    ],
)
def test_show_finds_the_same(wanted: str, told: str) -> None:
    result = CliRunner().invoke(main, ["show", "wallet", wanted])
    assert result.exit_code == 0
    assert told in result.stdout


def test_show_asks_whether_a_slip_was_meant() -> None:
    result = CliRunner().invoke(main, ["show", "wallet", "compartmnet"])
    assert result.exit_code == 2
    assert "There is nothing called 'compartmnet' in Wallet. Did you mean compartment?" in result.stderr


def test_places_what_is_printed_and_units_say_what_they_are() -> None:
    (corner,) = handbook("exposed").find_entries("corner")
    marks = handbook("exposed").find_entries("marks")[0].text
    assert marks.startswith(
        "of the table: a row of cards, for identities; everybody may look at it. Some guests are marks:"
    )
    assert corner.text == "on identities and tiles: 2, 3 and 5"
    assert [one.text for one in handbook("wallet").find_entries("CU")] == ["100 cents"]
