"""Files for virtual tabletops and programs that lay out cards, held against the fields that these document."""

from __future__ import annotations

import csv
import json
import struct
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from click.testing import CliRunner
from PIL import Image, ImageChops

import rulebook
from rulebook.cli import main
from rulebook.printed.images import PIXELS


def write(game: str, purpose: str, to: Path, *more: str) -> Path:
    result = CliRunner().invoke(main, ["print", game, "--for", purpose, "--to", str(to), *more])
    assert result.exit_code == 0, result.output
    return to


def measure(file: Path) -> tuple[int, int]:
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    return width, height


@pytest.mark.slow
def test_tabletop_simulator_gets_its_fields(tmp_path: Path) -> None:
    folder = write("wallet", "tabletop-simulator", tmp_path / "tts", "--address", "https://example.org/cards")
    saved = json.loads((folder / "wallet.json").read_text())
    assert set(saved) == {"SaveName", "GameMode", "ObjectStates"}
    titles: dict[str, int] = {}
    for deck in saved["ObjectStates"]:
        assert deck["Name"] == "DeckCustom" and {"posX", "rotZ", "scaleX"} <= set(deck["Transform"])
        [(key, sheet)] = deck["CustomDeck"].items()
        assert set(sheet) == {"FaceURL", "BackURL", "NumWidth", "NumHeight", "BackIsHidden", "UniqueBack", "Type"}
        assert 2 <= sheet["NumWidth"] <= 10 and 2 <= sheet["NumHeight"] <= 7 and sheet["BackIsHidden"] is True
        assert deck["DeckIDs"] == [card["CardID"] for card in deck["ContainedObjects"]]
        for card in deck["ContainedObjects"]:
            assert card["Name"] == "Card" and card["CustomDeck"] == deck["CustomDeck"]
            number, slot = divmod(card["CardID"], 100)
            # The last place is the back.
            assert str(number) == key and 0 <= slot < sheet["NumWidth"] * sheet["NumHeight"] - 1
            titles[card["Nickname"]] = titles.get(card["Nickname"], 0) + 1
        name = sheet["FaceURL"].removeprefix("https://example.org/cards/")
        wide, high = measure(folder / name)
        assert wide == sheet["NumWidth"] * PIXELS <= 4096 and high % sheet["NumHeight"] == 0
        assert (folder / sheet["BackURL"].rpartition("/")[2]).is_file()
    cards = rulebook.open("wallet").cards()
    assert sum(titles.values()) == sum(card.copies for card in cards)
    assert titles["John Smith"] == sum(card.copies for card in cards if card.name == "John Smith")
    described = {
        card["Nickname"]: card["Description"] for deck in saved["ObjectStates"] for card in deck["ContainedObjects"]
    }
    assert described["John Smith"].startswith("Innocent within the limit")


def test_a_sheet_has_seventy_places_at_most(tmp_path: Path) -> None:
    folder = write("hearts", "tabletop-simulator", tmp_path / "tts")
    [deck] = json.loads((folder / "hearts.json").read_text())["ObjectStates"]
    [sheet] = deck["CustomDeck"].values()
    assert (sheet["NumWidth"], sheet["NumHeight"]) == (10, 6)
    assert sheet["FaceURL"] == (tmp_path.resolve() / "tts" / "01_playing.png").as_uri()


@pytest.mark.slow
def test_a_large_deck_takes_several_sheets(tmp_path: Path) -> None:
    folder = write("wrong_party", "tabletop-simulator", tmp_path / "tts")
    states = json.loads((folder / "wrong_party.json").read_text())["ObjectStates"]
    sheets = [next(iter(deck["CustomDeck"].values())) for deck in states]
    assert max(sheet["NumWidth"] * sheet["NumHeight"] for sheet in sheets) == 70
    assert len(states) >= 3


def test_tabletop_playground_gets_its_fields(tmp_path: Path) -> None:
    folder = write("kuhn_poker", "tabletop-playground", tmp_path / "ttp")
    [file] = (folder / "Templates").iterdir()
    template: dict[str, Any] = json.loads(file.read_text())
    assert (template["Type"], len(template["GUID"]), template["Model"]) == ("Card", 32, "Rounded")
    assert (template["Width"], template["Height"]) == (6.3, 8.8)
    assert (template["BackIndex"], template["HiddenIndex"]) == (-2, -3)
    assert sorted(template["CardNames"].values()) == ["Jack", "King", "Queen"]
    assert template["Indices"] == [0, 1, 2] and [*template["CardNames"]] == ["0", "1", "2"]
    for side in ("FrontTexture", "BackTexture"):
        assert (folder / "Textures" / template[side]).is_file()
    assert measure(folder / "Textures" / template["FrontTexture"])[0] == template["NumHorizontal"] * PIXELS


def test_there_is_one_picture_a_card(tmp_path: Path) -> None:
    folder = write("kuhn_poker", "png", tmp_path / "png")
    names = {file.name for file in folder.iterdir()}
    assert {"jack.png", "queen.png", "king.png"} < names and len(names) == 4
    assert measure(folder / "jack.png") == (818, 1143)


def test_pictures_are_the_same_every_time(tmp_path: Path) -> None:
    one, two = (write("kuhn_poker", "png", tmp_path / name) / "jack.png" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("program", "name", "copies"),
    [
        ("nandeck", "name", "count"),
        ("squib", "name", "qty"),
        ("dextrous", "name", "Copies"),
        ("playingcards", "label", ""),
    ],
)
def test_each_program_is_told_how_many(tmp_path: Path, program: str, name: str, copies: str) -> None:
    file = write("leduc_poker", program, tmp_path / "cards.csv")
    with file.open(newline="", encoding="utf-8-sig") as opened:
        rows = list(csv.DictReader(opened))
    assert file.read_bytes().startswith(b"\xef\xbb\xbf") == (program == "nandeck")
    if copies:
        assert [(row[name], row[copies], row["rank"]) for row in rows] == [
            ("Jack", "2", "1"), ("Queen", "2", "2"), ("King", "2", "3"),
        ]  # fmt: skip
    else:
        assert [row[name] for row in rows] == ["Jack", "Jack", "Queen", "Queen", "King", "King"]
    assert rows[0]["image"] == "jack.png"


def test_a_table_needs_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("reportlab", "PIL", "pypdfium2"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    assert write("leduc_poker", "squib", tmp_path / "cards.csv").is_file()


def test_a_formula_is_no_formula(tmp_path: Path) -> None:
    game = tmp_path / "sums"
    game.mkdir()
    rules = (
        "format: 1\nname: Sums\nplayers: 2..2\nkinds: {sum: {has: {worth: -5..5}}}\nrules: {game: win first(players)}\n"
    )
    (game / "rulebook.yaml").write_text(rules + "cards: {evil: {kind: sum, worth: -3, name: '=1+1'}}\n")
    text = write(str(game), "squib", tmp_path / "cards.csv").read_text()
    assert "'=1+1" in text and ",-3\n" in text.replace("\r\n", "\n")


def test_paper_picture_and_sheet_show_the_same_card(tmp_path: Path) -> None:
    write("hearts", "png", tmp_path / "png", "--cards", "pip.hearts.7")
    write("hearts", "tabletop-simulator", tmp_path / "tts", "--cards", "pip.hearts.7")
    write("hearts", "paper", tmp_path / "cards.pdf", "--cards", "pip.hearts.7")
    alone = Image.open(tmp_path / "png" / "pip.hearts.7.png").convert("L").resize((409, 571))
    [sheet] = (file for file in (tmp_path / "tts").glob("*.png") if "back" not in file.name)
    on_sheet = Image.open(sheet).convert("L").crop((0, 0, 409, 571))
    page = pypdfium2.PdfDocument(tmp_path / "cards.pdf")[0].render(scale=818 / (63 * 72 / 25.4)).to_pil()
    dots = 818 / 63
    corner = (round(10.5 * dots), round(16.5 * dots))
    on_paper = page.crop((*corner, corner[0] + 818, corner[1] + 1143)).convert("L").resize((409, 571))
    for other in (on_sheet, on_paper):
        histogram = ImageChops.difference(alone, other).histogram()
        assert sum(histogram[64:]) < 409 * 571 / 50
    assert sum(alone.histogram()[:128]) > 1000  # there is something on it
