"""Cards from spreadsheets: what is read, what is refused, where messages point, and that exported cards come back."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.authoring.spreadsheet import Unfit, write_sheet
from rulebook.cells import SheetFile
from rulebook.cli import main
from rulebook.diagnostics import Diagnostic
from rulebook.diagnostics.render import render_text
from rulebook.dsl.document import Mapping, Scalar
from rulebook.dsl.reading.folder import read_folder
from rulebook.dsl.reading.reader import read_map
from rulebook.dsl.reading.spreadsheets import Unreadable, decode_text, fetch_file, lay_sheets, name_column
from rulebook.interpreter.lower import lower
from rulebook.library import find_game
from rulebook.loading import load
from rulebook.loading.frontend import load_texts
from rulebook.source import SourceFile

DATA = Path(__file__).parents[1] / "data" / "spreadsheets"
GAME = (DATA / "game.yaml").read_text("utf-8")
SLIPS: list[dict[str, Any]] = yaml.safe_load((DATA / "slips.yaml").read_text("utf-8"))
SMALL = "id;kind;points;cost.wood;built\ninn;building;2;1;add 1 to me.score\nfire;event;;;\n"


def make_game(folder: Path, data: bytes | str, *, rules: str = GAME, name: str = "cards.csv") -> Path:
    """A game in a folder `game` below this one."""
    game = folder / "game"
    game.mkdir(parents=True, exist_ok=True)
    (game / "rulebook.yaml").write_text(rules, "utf-8")
    (game / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return game


def tell(message: Diagnostic) -> str:
    assert message.span is not None
    place = f"{message.code} {message.span.line}:{message.span.column}"
    return " ".join(filter(None, [place, message.help, "; ".join(label.text for label in message.labels)]))


def hash_of(folder: Path, players: int = 2) -> str:
    loaded = load(folder)
    assert loaded.rulebook is not None, render_text(loaded.messages, 100, False)
    return lower(loaded.rulebook, players).rules_hash


def lay(text: str, rest: str = "") -> tuple[Mapping, list[Diagnostic]]:
    top, messages = read_map(SourceFile("rulebook.yaml", f"cards:\n  from: cards.csv\n{rest}"))
    assert top is not None and not messages
    laid = lay_sheets(top, lambda _: text, "")
    cards = top["cards"]
    assert isinstance(cards, Mapping)
    return cards, laid.messages


def plain(node: object) -> object:
    match node:
        case Scalar():
            return node.text
        case Mapping():
            return {name: plain(value) for name, value in node.items()}
    assert isinstance(node, list)
    return [plain(item) for item in node]


@pytest.mark.parametrize("slip", SLIPS, ids=[slip["slip"] for slip in SLIPS])
def test_a_slip_is_told_at_its_row_and_column(slip: dict[str, Any], tmp_path: Path) -> None:
    messages = load(make_game(tmp_path, slip["text"])).messages
    assert [tell(message) for message in messages if message.severity == "error"] == slip["told"]
    assert all(message.span and Path(message.span.file.name).name == "cards.csv" for message in messages)
    assert all(message.fix is None for message in messages), "spreadsheets are changed by their own programs"


def test_fifty_cards_from_libreoffice_are_the_same_as_csv_and_as_a_workbook(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    table = make_game(tmp_path / "csv", (DATA / "fifty.csv").read_bytes())
    rules = GAME.replace("cards.csv", "cards.xlsx")
    book = make_game(tmp_path / "workbook", (DATA / "fifty.xlsx").read_bytes(), rules=rules, name="cards.xlsx")
    rulebook = load(table).rulebook
    assert rulebook is not None and len(rulebook.cards) == 50
    assert hash_of(table) == hash_of(book)


@pytest.mark.parametrize(
    "data",
    [
        SMALL.encode("utf-16"),
        b"\xef\xbb\xbf" + SMALL.replace(";", ",").encode(),
        SMALL.replace(";", "\t").replace("\n", "\r\n").encode(),
        b"sep=;\r\n" + SMALL.encode(),
        (";;;;;;\n" + SMALL.replace("\n", ";;\n") + ";;;;;;\n\n").encode(),
        SMALL.replace("2;1", "2,0;+1,00").replace("building", '"building"').encode(),
    ],
    ids=["utf-16", "bom and commas", "tabs and crlf", "sep", "empty rows and columns", "decimals and quotes"],
)
def test_what_programs_write_is_the_same_game(data: bytes, tmp_path: Path) -> None:
    assert hash_of(make_game(tmp_path / "one", data)) == hash_of(make_game(tmp_path / "other", SMALL))


def test_cells_become_the_nodes_of_yaml_at_their_places() -> None:
    text = 'id;name;cost.wood;tags[];text\n  inn ;"The ""Inn""";2;wood, clay;"a\r\nb"\n'
    cards, messages = lay(text)
    assert not messages
    card = cards["inn"]
    assert plain(card) == {
        "name": 'The "Inn"', "cost": {"wood": "2"}, "tags": ["wood", "clay"], "text": "a\nb",
    }  # fmt: skip
    assert isinstance(card, Mapping)
    name, tags = card["name"], card["tags"]
    assert isinstance(name, Scalar) and name.locate(5, 8).text == "Inn"
    assert isinstance(tags, list) and isinstance(tags[1], Scalar) and tags[1].span.text == "clay"


def test_yaml_says_more_of_a_card_but_nothing_twice() -> None:
    cards, messages = lay("id,kind\ninn,event\nmill,event\n", "  inn: {name: The inn}\n  fire: {kind: event}\n")
    assert not messages
    assert plain(cards) == {
        "inn": {"kind": "event", "name": "The inn"}, "mill": {"kind": "event"}, "fire": {"kind": "event"},
    }  # fmt: skip
    _, messages = lay("id,kind\ninn,event\n", "  inn: {kind: event}\n")
    assert [tell(message) for message in messages] == ["RB113 3:9 A card says it in one place. the first one is here"]


def test_another_file_says_more_of_a_card(tmp_path: Path) -> None:
    game = make_game(tmp_path, SMALL.replace(";add 1 to me.score", ";"))
    (game / "hooks.yaml").write_text("cards: {inn: {built: add 1 to me.score}}\n", "utf-8")
    assert hash_of(game) == hash_of(make_game(tmp_path / "other", SMALL))


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("../cards.csv", "Name a file that lies beside this one"),
        ("/etc/passwd", "Name a file that lies beside this one"),
        ("art/cards.csv", "Name a file that lies beside this one"),
        ("cards.ods", "Export the table as CSV"),
        ("card.csv", "Did you mean `cards.csv`?"),
        ("linked.csv", "Nothing outside of a game's folder is read"),
        ("[cards.csv, cards.csv]", "Name it once"),
        ("{a: b}", ""),
    ],
)
def test_only_files_beside_are_read(named: str, told: str, tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (tmp_path / "outside.csv").write_text(SMALL)
    os.symlink(tmp_path / "outside.csv", game / "linked.csv")
    loaded = load(make_game(tmp_path, SMALL, rules=GAME.replace("cards.csv", named)))
    assert loaded.rulebook is None
    assert [message for message in loaded.messages if told in message.help and message.span and message.span.line]
    assert not any("outside" in name for name in read_folder(game)[1])


def test_an_unread_spreadsheet_is_told(tmp_path: Path) -> None:
    game = make_game(tmp_path, SMALL)
    (game / "old.csv").write_text("id\n")
    found = [message.message for message in load(game, meant=True).messages if message.code == "RB116"]
    assert found == ["Nobody reads `old.csv`."]


def test_a_save_carries_its_spreadsheets(tmp_path: Path) -> None:
    rulebook = load(make_game(tmp_path, SMALL)).rulebook
    assert rulebook is not None and rulebook.source["cards.csv"] == SMALL
    again = load_texts("game", dict(rulebook.source)).rulebook
    assert again is not None and lower(again, 2).rules_hash == lower(rulebook, 2).rules_hash
    without = {name: text for name, text in rulebook.source.items() if name != "cards.csv"}
    assert load_texts(str(tmp_path / "game"), without).rulebook is None, "no file is read in its place"


def test_a_variant_adds_cards_of_its_own(tmp_path: Path) -> None:
    game = make_game(tmp_path, SMALL)
    (game / "variants").mkdir()
    file = game / "variants" / "more.yaml"
    file.write_text("variant: more\nname: More\nextends: game\nadd: {cards.from: more.csv}\n", "utf-8")
    (game / "variants" / "more.csv").write_text("id,kind,points,built\nmill,building,3,add 2 to me.score\n")
    loaded = load(game, [file])
    assert loaded.rulebook is not None and [*loaded.rulebook.cards] == ["inn", "fire", "mill"]
    again = load_texts("game", dict(loaded.rulebook.source), ["more"]).rulebook
    assert again is not None and [*again.cards] == ["inn", "fire", "mill"]
    (game / "variants" / "more.csv").write_text("id,kind,points,built\nmill,building,many,say\n")
    told = [tell(message) for message in load(game, [file]).messages if message.severity == "error"]
    assert told and all("row 2, column" in message for message in told)


@pytest.mark.parametrize(
    "name",
    [
        "cheat", "craft_fair", "crazy_eights", "exposed", "fireworks", "fruit_garden", "goofspiel", "hearts",
        "kuhn_poker", "leduc_poker", "liars_dice", "tic_tac_toe", "wrong_party",
    ],
)  # fmt: skip
def test_exported_cards_of_a_game_come_back_the_same(name: str, tmp_path: Path) -> None:
    folder = find_game(name)
    merged, sources, _ = read_folder(folder)
    assert merged is not None and isinstance(merged["cards"], Mapping)
    text = write_sheet(merged["cards"])
    is_first = True
    copied = tmp_path / name
    copied.mkdir()
    for file, rules in sources.items():
        if file.endswith(".yaml"):
            new = "cards: {from: cards.csv}\n" if is_first and re.search(r"(?m)^cards:", rules) else ""
            is_first = is_first and not new
            copy = re.sub(r"(?m)^cards:.*\n(?:[ \t#].*\n|\n)*", new, rules)
            (copied / file).write_text(copy, "utf-8")
    (copied / "cards.csv").write_text(text, "utf-8")
    one, other = load(folder).rulebook, load(copied).rulebook
    assert one is not None and other is not None
    players = max(one.players)
    assert lower(one, players).rules_hash == lower(other, players).rules_hash


def test_what_stands_below_a_comment_stays_in_yaml(tmp_path: Path) -> None:
    ignored = "  inn:\n    # rulebook: ignore RB801 it is meant\n    built: add 1 to me.score\n"
    others = '  mill:\n    kind: building\n    points: 3\n    built: say "x"  # rulebook: ignore RB801 so is this\n'
    rules = GAME.replace("cards: {from: cards.csv}\n", f"cards:\n{ignored}    kind: building\n    points: 2\n{others}")
    folder = make_game(tmp_path, "", rules=rules)
    (folder / "cards.csv").unlink()
    before = hash_of(folder)
    result = CliRunner().invoke(main, ["cards", "export", str(folder), str(tmp_path / "cards.csv")])
    assert "Not in it: inn.built, mill.built. Leave that" in result.output, result.output
    left = f'{ignored}  mill: {{built: say "x"}}\n'
    rules = GAME.replace("cards: {from: cards.csv}\n", f"cards:\n  from: cards.csv\n{left}")
    assert hash_of(make_game(tmp_path / "again", (tmp_path / "cards.csv").read_bytes(), rules=rules)) == before


_IDS = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
_TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12) | st.sampled_from(
    ['"', "a;b,c", "a\nb", " x ", "=1", "-3", "sep=;", "#REF!", "", "yes", "2,0", "[]", "\t", "a\n\n  b\n", "Err:502"]
)
_LISTS = st.lists(st.text("abc ,", max_size=3), max_size=3)
_TABLES = st.dictionaries(_IDS, _TEXTS, max_size=3)
_CARDS = st.dictionaries(_IDS, st.dictionaries(_IDS, _TEXTS | _TABLES | _LISTS, max_size=5), min_size=1, max_size=5)


@pytest.mark.slow
@given(cards=_CARDS, separator=st.sampled_from(",;\t"))
@settings(max_examples=100, deadline=None)
def test_drawn_cards_come_back_unchanged_or_are_refused(cards: dict[str, Any], separator: str) -> None:
    top, _ = read_map(SourceFile("cards.yaml", yaml.safe_dump({"cards": cards}, allow_unicode=True, sort_keys=False)))
    written = None if top is None else top["cards"]
    if not isinstance(written, Mapping):
        return
    try:
        text = write_sheet(written, separator)
    except Unfit:
        return
    back, messages = lay(text)
    assert not messages
    assert plain(back) == plain(written)


_BYTES = st.binary(max_size=60) | st.text('id,;\t"\n\r=#.[]a1', max_size=60).map(str.encode)


@pytest.mark.slow
@given(data=_BYTES | _BYTES.map(lambda more: b"id,kind\n" + more))
@settings(max_examples=300, deadline=None)
def test_random_bytes_never_crash(data: bytes) -> None:
    try:
        text = decode_text(data)
    except Unreadable as refused:
        assert refused.problem
        return
    cards, messages = lay(text)
    for message in messages:
        assert message.span is not None and isinstance(message.span.file, SheetFile | SourceFile)
    render_text(messages, 80, False)
    assert all(isinstance(card, Mapping) for card in cards.values())


@given(data=st.binary(max_size=200) | st.binary(max_size=200).map(lambda more: b"PK\x03\x04" + more))
@settings(max_examples=50, deadline=None)
def test_random_bytes_are_no_workbook(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("openpyxl")
    folder = tmp_path_factory.mktemp("book")
    (folder / "cards.xlsx").write_bytes(data)
    with pytest.raises(Unreadable, match="workbook"):
        fetch_file(folder)("cards.xlsx")


def test_a_workbook_says_what_it_cannot_mean(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    import datetime

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["id", "kind", "points", "open", "built"])
    sheet.append(["inn", "building", datetime.date(2026, 2, 1), True, "add 1 to me.score"])
    sheet.append(["mill", "building", 0.05, False, "add 1 to me.score"])
    sheet["C3"].number_format = "0%"
    book.save(tmp_path / "cards.xlsx")
    (tmp_path / "rulebook.yaml").write_text(GAME.replace("cards.csv", "cards.xlsx"), "utf-8")
    told = [tell(message) for message in load(tmp_path).messages if message.severity == "error"]
    assert [message.rpartition(" row ")[2] for message in told] == ["2, column C: `points`", "3, column C: `points`"]
    assert "Format the column as text" in told[0] and "per cents" in told[1]
    book.create_sheet("prices").append(["a"])
    book.save(tmp_path / "cards.xlsx")
    with pytest.raises(Unreadable, match="several sheets"):
        fetch_file(tmp_path)("cards.xlsx")
    sheet.title = "Cards"
    book.save(tmp_path / "cards.xlsx")
    assert fetch_file(tmp_path)("cards.xlsx").startswith("id,kind")
    sheet["C2"] = "=1+1"
    book.save(tmp_path / "cards.xlsx")
    with pytest.raises(Unreadable, match="never worked out"):
        fetch_file(tmp_path)("cards.xlsx")
    sheet["C2"] = 1
    sheet.merge_cells("A2:A3")
    book.save(tmp_path / "cards.xlsx")
    with pytest.raises(Unreadable, match="merged"):
        fetch_file(tmp_path)("cards.xlsx")


@pytest.mark.parametrize(("number", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")])
def test_columns_are_named_as_spreadsheets_do(number: int, name: str) -> None:
    assert name_column(number) == name
