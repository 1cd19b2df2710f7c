"""The same three cards on a page, on paper and on a sheet, of the one record that decision 82 speaks of.

Paper and sheet are the same drawing, to a fiftieth of their dots. A page draws for a phone: so it is held that whatever
it shows stands on paper in the same order and colour, and that whatever stands on paper it shows or tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from colorsys import rgb_to_hls
from ctypes import c_float, c_uint
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from attrs import define
from browsers import CHROMIUM, needs_browser, playwright, served
from click.testing import CliRunner
from PIL import Image, ImageChops, ImageDraw

from rulebook.cli import main
from rulebook.printed.pen import POINTS

RULES = """\
format: 1
name: Three
players: 2..2
words: {suit: {hearts: Hearts, spades: Spades}}
kinds:
  pip: {has: {rank: 1..9, suit: suit}}
  note: {has: {worth: 1..9}}
  walker: {has: {number: 1..9}}
cards:
  seven: {kind: pip, rank: 7, suit: hearts, name: 7 of Hearts}
  fine: {kind: note, worth: 4, name: Parking, text: Drivers pay before noon.}
  fox: {kind: walker, number: 3, name: Vixen, text: Walks alone tonight., picture: art/fox.png}
places:
  player:
    hand: {holds: pip, kept: loose, seen_by: owner}
    notes: {holds: note, kept: loose, seen_by: owner}
    path: {holds: walker, kept: loose, seen_by: owner}
memory: {player: {done: 0}, table: {dealer: player}}
rules:
  game: |
    set dealer = first(players)
    move seven to dealer.hand
    move fine to dealer.notes
    move fox to dealer.path
    each me in players:
      choose one "Which?":
        "One":
          add 1 to me.done
        "Two":
          add 2 to me.done
    win players with most done
display:
  colours: {pip: red, note: blue, walker: green}
  card: {walker: {corner: number}}
"""
CARDS = {"seven": "7 of Hearts", "fine": "Parking", "fox": "Vixen"}
WIDE, HIGH, LEFT, TOP = 63, 88, 10.5, 16.5
"""Millimetres of a card, and where the first one lies on its sheet of paper."""
LOOK = """() => Object.fromEntries([...document.querySelectorAll('.mine .card')].map((card) => {
  const box = card.getBoundingClientRect();
  const parts = [...card.querySelectorAll('.corner > *, .title, .text, .attrs, .picture')].map((part) => {
    const place = part.getBoundingClientRect();
    const [x, y] = [(place.x - box.x) / box.width, (place.y - box.y) / box.height];
    const colour = getComputedStyle(part).color.match(/\\d+/g).map(Number);
    return [part.textContent, part.src, colour, x, y, place.width / box.width, place.height];
  });
  const label = card.ariaLabel + card.innerText;
  return [card.dataset.face, { label, parts: parts.filter((part) => part[6] > 0) }];
}))"""


@define
class Part:
    """A text, a sign (no text) or a picture on a card; where its upper left corner is and how wide it is, in parts of
    the card."""

    text: str
    colour: tuple[int, ...]
    x: float
    y: float
    width: float
    picture: bytes = b""

    @property
    def is_in_corner(self) -> bool:
        return self.x < 0.25 and self.y < 0.4 and self.width < 0.5 and not self.picture

    @property
    def hue(self) -> float:
        """In degrees."""
        return 360 * rgb_to_hls(*(value / 255 for value in self.colour))[0]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "three" / "art").mkdir(parents=True)
    (tmp_path / "three" / "rulebook.yaml").write_text(RULES, "utf-8")
    fox = Image.new("RGB", (200, 200), (48, 96, 160))
    ImageDraw.Draw(fox).ellipse((40, 40, 160, 160), fill=(230, 120, 30))
    fox.save(tmp_path / "three" / "art" / "fox.png")
    return tmp_path / "three"


def write(game: Path, purpose: str, to: Path) -> Path:
    chosen = [word for card in CARDS for word in ("--cards", card)]
    result = CliRunner().invoke(main, ["print", str(game), "--for", purpose, "--to", str(to), *chosen])
    assert result.exit_code == 0, result.output
    return to


def read_paper(page: pypdfium2.PdfPage, number: int) -> Iterator[Part]:
    """Read what stands on a card of a sheet of paper; lines of one text, one by one."""
    left, high = LEFT + WIDE * number, page.get_height() / POINTS
    texts = page.get_textpage()
    for thing in page.get_objects(max_depth=9):
        sides, rgba = [c_float() for _ in range(4)], [c_uint() for _ in range(4)]
        pdfium.FPDFPageObj_GetBounds(thing.raw, *sides)
        pdfium.FPDFPageObj_GetFillColor(thing.raw, *rgba)
        x, _, right, up = (side.value / POINTS for side in sides)
        is_frame = thing.type == pdfium.FPDF_PAGEOBJ_PATH and (right - x > WIDE / 2 or right - x < 1)
        if is_frame or not left < x < right < left + WIDE or rgba[0].value == 255:
            continue
        text = texts.get_text_bounded(*(side.value for side in sides)) if thing.type == pdfium.FPDF_PAGEOBJ_TEXT else ""
        picture = thing.get_bitmap().to_pil().convert("RGB").tobytes() if isinstance(thing, pypdfium2.PdfImage) else b""
        colour = tuple(value.value for value in rgba[:3])
        yield Part(text.strip(), colour, (x - left) / WIDE, (high - up - TOP) / HIGH, (right - x) / WIDE, picture)


def list_words(text: str) -> set[str]:
    return {*re.findall(r"\w+", text)}


@needs_browser
@pytest.mark.slow
def test_a_page_and_paper_show_the_same_card(game: Path, tmp_path: Path) -> None:
    paper = pypdfium2.PdfDocument(write(game, "paper", tmp_path / "cards.pdf"))[0]
    drawn = Image.open(game / "art" / "fox.png").convert("RGB").tobytes()
    words = (str(game), "--seats", "Ana,bot:random", "--port", "0")
    with playwright.sync_playwright() as driver, served(tmp_path / "tables", *words) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
        page.goto(server.links["Ana"])
        page.locator(".mine .card").nth(2).wait_for()
        faces: dict[str, Any] = page.evaluate(LOOK)
        assert {*faces} == {*CARDS.values()}
        for number, title in enumerate(CARDS.values()):
            shown = list[Part]()
            for text, address, colour, x, y, width, _ in faces[title]["parts"]:
                data = page.request.get(address).body() if address else b""
                image = Image.open(BytesIO(data)).convert("RGB").tobytes() if data else b""
                shown.append(Part(text, tuple(colour), x, y, width, image))
            compare(title, shown, [*read_paper(paper, number)], faces[title]["label"], drawn)


def compare(title: str, shown: list[Part], printed: list[Part], label: str, drawn: bytes) -> None:
    """Compare the parts of a card as a page shows it with those as it is printed."""
    corner, on_paper = (
        sorted((part for part in parts if part.is_in_corner and "\n" not in part.text), key=lambda part: part.y)
        for parts in (shown, printed)
    )
    signs = [part.text for part in corner if len(part.text) < 3]
    assert signs == [part.text for part in on_paper if len(part.text) < 3], title
    for one, other in zip(corner, on_paper, strict=False):
        assert abs((one.hue - other.hue + 180) % 360 - 180) < 10, title
    # What a page shows stands on paper, in the same order from top to bottom.
    places = dict[str, float]()
    for part in sorted(printed, key=lambda part: part.y):
        for word in list_words(part.text):
            places.setdefault(word, part.y)
    texts = [part.text for part in sorted(shown, key=lambda part: part.y) if part.text]
    first = [places[re.findall(r"\w+", text)[0]] for text in texts]
    assert first and first == sorted(first), title
    assert list_words(" ".join(texts)) <= places.keys(), title
    # What stands on paper a page shows, or says to who listens.
    assert places.keys() <= list_words(label) | {*signs}, title
    pictures = [[part for part in parts if part.picture] for parts in (shown, printed)]
    for found in pictures:
        assert [part.picture for part in found] == [drawn] * (title == "Vixen")
        assert all(part.x < 0.1 and part.y < 0.1 and part.width > 0.9 for part in found)


def test_paper_and_a_sheet_show_the_same_card(game: Path, tmp_path: Path) -> None:
    paper = pypdfium2.PdfDocument(write(game, "paper", tmp_path / "cards.pdf"))[0]
    folder = write(game, "tabletop-simulator", tmp_path / "tts")
    [sheet] = (Image.open(file).convert("L") for file in folder.glob("*.png") if "back" not in file.name)
    dots = 409 / WIDE
    image = paper.render(scale=2 * dots / POINTS).to_pil().convert("L")
    for number, title in enumerate(CARDS.values()):
        x, y = round(2 * dots * (LEFT + WIDE * number)), round(2 * dots * TOP)
        printed = image.crop((x, y, x + 818, y + 1142)).resize((409, 571))
        on_sheet = sheet.crop((409 * number, 0, 409 * (number + 1), 571))
        assert sum(ImageChops.difference(printed, on_sheet).histogram()[64:]) < 409 * 571 / 50, title
        assert sum(printed.histogram()[:128]) > 1000, title
