"""Cards on paper, read back: sizes, crop marks and backs by their numbers, nothing cut, only what has changed."""

from __future__ import annotations

import random
import shutil
import subprocess
from ctypes import c_float
from io import BytesIO
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from attrs import evolve
from click.testing import CliRunner
from reportlab.pdfgen.canvas import Canvas

import rulebook
from rulebook.cli import main
from rulebook.pictures import BadPicture, inspect_picture
from rulebook.printed import fonts
from rulebook.printed.fonts import NoFont, find_typeface
from rulebook.printed.pen import POINTS, Pen
from rulebook.printed.pieces import choose_pieces, collect_pieces, find_changed
from rulebook.printed.shapes import draw_svg, read_path, round_box
from rulebook.printed.sheets import PAPERS, SIZES, Layout, Wanted, print_sheets

GAME = """\
format: 1
name: Walk
players: 2..3
kinds:
  small: {has: {rank: 1..9}}
  large: {has: {rank: 1..9}}
cards:
  ant: {kind: small, rank: 1, text: Small and strong., copies: 4}
  bee: {kind: small, rank: 2}
  cow: {kind: large, rank: 3, copies: 6}
display:
  card: {small: {back: QA}, large: {back: QB}}
rules:
  game: |
    pick lucky from players at random
    win lucky
"""
BARE = Wanted(rules=False, places=False)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "walk"
    folder.mkdir()
    (folder / "rulebook.yaml").write_text(GAME)
    return folder


def read_boxes(page: pypdfium2.PdfPage) -> list[tuple[float, float, float, float]]:
    """The bounds of all shapes on a page: left, top, right, bottom in millimetres from its upper left corner."""
    boxes = []
    for thing in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=9):
        sides = [c_float() for _ in range(4)]
        pdfium.FPDFPageObj_GetBounds(thing.raw, *sides)
        left, bottom, right, top = (side.value / POINTS for side in sides)
        high = page.get_height() / POINTS
        boxes.append((left, high - top, right, high - bottom))
    return boxes


def read_text(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def find_words(page: pypdfium2.PdfPage, word: str) -> list[tuple[float, float]]:
    """The middle of each place where a word stands, in millimetres from the upper left corner."""
    text, found = page.get_textpage(), []
    searcher = text.search(word, match_case=True)
    while (place := searcher.get_next()) is not None:
        boxes = [text.get_charbox(place[0] + number) for number in range(place[1])]
        x = (min(box[0] for box in boxes) + max(box[2] for box in boxes)) / 2
        y = (min(box[1] for box in boxes) + max(box[3] for box in boxes)) / 2
        found.append((x / POINTS, (page.get_height() - y) / POINTS))
    return found


@pytest.mark.parametrize(
    ("paper", "size", "columns", "rows"),
    [("a4", "poker", 3, 3), ("letter", "poker", 3, 3), ("a4", "mini", 4, 4), ("letter", "tarot", 2, 2)],
)
def test_crop_marks_stand_at_the_edges_of_cards(game: Path, paper: str, size: str, columns: int, rows: int) -> None:
    width, height = SIZES[size]
    pieces = choose_pieces(collect_pieces(rulebook.open(game)), copies=columns * rows)
    made = print_sheets(pieces, Wanted(paper, SIZES[size], rules=False, places=False))
    page = pypdfium2.PdfDocument(made.data)[0]
    assert page.get_width() / POINTS == pytest.approx(PAPERS[paper][0], abs=0.01)
    thin = [box for box in read_boxes(page) if min(box[2] - box[0], box[3] - box[1]) < 0.3]
    standing = {round((box[0] + box[2]) / 2, 2) for box in thin if box[3] - box[1] > 3}
    lying = {round((box[1] + box[3]) / 2, 2) for box in thin if box[2] - box[0] > 3}
    left, top = (PAPERS[paper][0] - columns * width) / 2, (PAPERS[paper][1] - rows * height) / 2
    assert sorted(standing) == pytest.approx([left + number * width for number in range(columns + 1)], abs=0.02)
    assert sorted(lying) == pytest.approx([top + number * height for number in range(rows + 1)], abs=0.02)
    # None of them lies on a card, and all are on the paper.
    for box in thin:
        outside = box[2] <= left or box[0] >= left + columns * width or box[3] <= top or box[1] >= top + rows * height
        assert outside and min(box) > 0.5 and box[2] < PAPERS[paper][0] - 0.5 and box[3] < PAPERS[paper][1] - 0.5
    cards = [
        box
        for box in read_boxes(page)
        if (box[2] - box[0], box[3] - box[1]) == pytest.approx((width, height), abs=0.02)
    ]
    assert len(cards) == columns * rows


def test_a_back_lies_behind_its_card(game: Path) -> None:
    made = print_sheets(collect_pieces(rulebook.open(game)), BARE)
    document, layout = pypdfium2.PdfDocument(made.data), Layout(PAPERS["a4"], *SIZES["poker"])
    assert (len(document), made.pieces) == (4, 11)
    fronts = [layout.find_box(number) for number in range(11 - 9)]
    for sheet, order in ((0, ["QA"] * 5 + ["QB"] * 4), (2, ["QB"] * 2)):
        behind = {word: find_words(document[sheet + 1], word) for word in ("QA", "QB")}
        wanted: dict[str, list[tuple[float, float]]] = {"QA": [], "QB": []}
        for number, word in enumerate(order):
            row, column = divmod(number, 3)
            # The paper is turned over its long edge: what lay left lies right.
            middle = (210 - 3 * 63) / 2 + column * 63 + 31.5
            wanted[word].append((210 - middle, (297 - 3 * 88) / 2 + row * 88 + 44))
        for word, places in wanted.items():
            assert len(behind[word]) == len(places)
            for (x, y), (to_x, to_y) in zip(sorted(behind[word]), sorted(places), strict=True):
                assert x == pytest.approx(to_x, abs=0.5) and y == pytest.approx(to_y, abs=1.0)
    assert fronts[0].x == pytest.approx(10.5)


def test_a_front_is_never_on_the_back_of_another_sheet(game: Path) -> None:
    document = pypdfium2.PdfDocument(print_sheets(collect_pieces(rulebook.open(game)), Wanted()).data)
    fronts = [number for number, page in enumerate(document) if "Ant" in page.get_textpage().get_text_range()]
    assert fronts and all(number % 2 == 0 for number in fronts)


def test_the_same_game_gives_the_same_bytes(game: Path) -> None:
    pieces = collect_pieces(rulebook.open(game))
    assert print_sheets(pieces, Wanted()).data == print_sheets(collect_pieces(rulebook.open(game)), Wanted()).data


@pytest.mark.slow
@pytest.mark.parametrize("size", ["poker", "square"])
@pytest.mark.parametrize("name", ["wallet", "exposed", "wrong_party", "fruit_garden", "fireworks", "craft_fair"])
def test_no_word_of_a_shipped_game_is_cut(name: str, size: str) -> None:
    pieces = choose_pieces(collect_pieces(rulebook.open(name)), copies=1)
    made = print_sheets(pieces, evolve(BARE, size=SIZES[size]))
    text = " ".join(read_text(made.data).split())
    assert made.crowded == ()
    for piece in pieces.pieces:
        for words in (piece.face.title, piece.face.text, piece.face.attributes if piece.form == "card" else ""):
            for word in words.split():
                assert word in text, (piece.id, word)


def read_lines(page: pypdfium2.PdfPage) -> list[tuple[tuple[float, float, float, float], float]]:
    """The bounds of each run of letters on a page, as `read_boxes` has them, and their size in points."""
    runs = []
    for thing in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=9):
        size, sides = c_float(), [c_float() for _ in range(4)]
        pdfium.FPDFTextObj_GetFontSize(thing.raw, size)
        pdfium.FPDFPageObj_GetBounds(thing.raw, *sides)
        left, bottom, right, top = (side.value / POINTS for side in sides)
        high = page.get_height() / POINTS
        runs.append(((left, high - top, right, high - bottom), size.value))
    return runs


def holds(outer: tuple[float, ...], inner: tuple[float, ...]) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def find_faults(page: pypdfium2.PdfPage, least: float) -> list[str]:
    """Letters that are too small, stand over the edge of the frame around them, or over other letters."""
    faults, runs = [], read_lines(page)
    frames = [box for box in read_boxes(page) if min(box[2] - box[0], box[3] - box[1]) > 8]
    paper = (8.0, 8.0, page.get_width() / POINTS - 8, page.get_height() / POINTS - 8)
    for number, (box, size) in enumerate(runs):
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) * 2
        around = min((frame for frame in frames if holds(frame, middle)), key=lambda it: it[2] - it[0], default=paper)
        faults += [f"{size} points at {box}"] if size < least else []
        faults += [f"{box} is not within {around}"] if not holds(around, box) else []
        for other, _ in runs[:number]:
            wide, high = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
            faults += [f"{box} stands over {other}"] if wide > 0.2 and high > 0.2 else []
    return faults


SHIPPED = [
    "wallet", "exposed", "wrong_party", "cheat", "craft_fair", "crazy_eights", "fireworks", "fruit_garden",
    "goofspiel", "hearts", "kuhn_poker", "leduc_poker", "liars_dice", "tic_tac_toe",
]  # fmt: skip
"""The sizes of paper take turns: cards are the same on each."""


@pytest.mark.slow
@pytest.mark.parametrize(("number", "game"), [*enumerate(SHIPPED)])
def test_letters_of_shipped_games_are_large_and_stand_in_their_frames(number: int, game: str) -> None:
    pieces = collect_pieces(rulebook.open(game))
    few = evolve(pieces, pieces=tuple(evolve(piece, copies=min(piece.copies, 2)) for piece in pieces.pieces))
    made = print_sheets(few, Wanted([*PAPERS][number % len(PAPERS)]))
    for number, page in enumerate(pypdfium2.PdfDocument(made.data)):
        assert not (faults := find_faults(page, 5.5)), (number + 1, faults)


FULL = """\
format: 1
name: A game with quite a long name of its own
players: 2..3
words: {suit: {ash: Ash, oak: Oak, elm: Elm, yew: Yew}}
kinds:
  guest: {has: {rank: 1..99999, suits: set of suit, wealth: 0..99999, house: suit}}
  tile: {has: {rank: 1..9}}
places:
  table:
    board: {holds: tile, kept: grid, size: [5, 5], seen_by: everyone}
    deck: {holds: guest, kept: pile, seen_by: nobody}
cards:
  whole:
    kind: guest
    name: The extraordinary Ambassador of Constantinople
    rank: 99999
    suits: [ash, oak, elm, yew]
    wealth: 99999
    house: ash
    text: TEXT
  bare: {kind: guest, name: Ticketing, rank: 10, suits: [ash, oak], wealth: 4, house: oak}
  meadow: {kind: tile, rank: 3, text: Whoever stands here at the end of a round takes two coins from the bank.}
display:
  symbols: {ash: leaf, oak: house, elm: shield, yew: crown}
  card: {guest: {corner: [rank, suits, house], middle: house, back: crown}}
rules:
  game: |
    move cards where it is guest to deck
    pick lucky from players at random
    win lucky
"""


@pytest.mark.parametrize("size", [*SIZES])
def test_a_card_that_is_full_holds_all_of_its_words(size: str, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Draw two cards, then give one of them to a neighbour who has none. " * 6
    (game / "rulebook.yaml").write_text(FULL.replace("TEXT", words))
    pieces, wanted = collect_pieces(rulebook.open(game)), evolve(BARE, size=SIZES[size])
    made = print_sheets(pieces, wanted)
    assert not [fault for page in pypdfium2.PdfDocument(made.data) for fault in find_faults(page, 3.5)]
    text = " ".join(read_text(made.data).split())
    assert text.count("neighbour") == 6 and "from the bank." in text
    # Letters that nobody fits into their room are found.
    monkeypatch.setattr(Pen, "fit", lambda pen, text, width, height, size, *rest, **more: (size * 1.2, [text]))
    assert [
        fault for page in pypdfium2.PdfDocument(print_sheets(pieces, wanted).data) for fault in find_faults(page, 3)
    ]


def test_cards_that_say_what_lies_where_fill_the_last_sheet() -> None:
    document = pypdfium2.PdfDocument(
        print_sheets(collect_pieces(rulebook.open("kuhn_poker")), Wanted(rules=False)).data
    )
    front, back = (page.get_textpage().get_text_range() for page in document)
    assert front.count("Jack") == front.count("Deck") == 1 and front.count("Your places") == 2
    assert back.count("Kuhn Poker") == 3, "what lies where needs no back"


def test_the_rules_and_what_is_needed_are_told() -> None:
    text = read_text(print_sheets(collect_pieces(rulebook.open("liars_dice")), Wanted()).data)
    assert "Liar's Dice" in text and "× Die (not printed)" in text and "House rules" in text
    assert "At the beginning" not in text
    text = read_text(print_sheets(collect_pieces(rulebook.open("leduc_poker")), Wanted()).data)
    assert "At the beginning" in text and "paid: 1 chip, for each player" in text and "stake: 1 chip" in text


def test_a_board_has_cells_of_the_size_of_its_tiles() -> None:
    document = pypdfium2.PdfDocument(print_sheets(collect_pieces(rulebook.open("exposed")), Wanted()).data)
    sizes = [
        sorted(
            {
                round(box[2] - box[0], 1)
                for box in read_boxes(page)
                if 25 < box[2] - box[0] == pytest.approx(box[3] - box[1], abs=0.1)
            }
        )
        for page in document
    ]
    tiles = next(
        size
        for page, size in zip(document, sizes, strict=True)
        if size and "Accountant" in page.get_textpage().get_text_range()
    )
    board = next(
        size
        for page, size in zip(document, sizes, strict=True)
        if "Board" in page.get_textpage().get_text_range() and size
    )
    assert tiles[-1] == pytest.approx(board[0], abs=0.5)


def run(*words: str) -> str:
    result = CliRunner().invoke(main, ["print", *words])
    assert result.exit_code == 0, result.output
    return result.output


def test_only_what_a_variant_changes_is_printed(game: Path, tmp_path: Path) -> None:
    (game / "variants").mkdir()
    (game / "variants" / "more.yaml").write_text(
        "variant: more\nname: More\nextends: walk\nchange:\n  cards.ant.text: Smaller.\n  cards.cow.copies: 8\n"
        "remove: [cards.bee]\n"
    )
    said = run(str(game), "--only-changed", "more", "--to", str(tmp_path / "new.pdf"))
    text = read_text((tmp_path / "new.pdf").read_bytes())
    assert (text.count("Ant"), text.count("Smaller."), text.count("Cow"), text.count("Bee")) == (4, 4, 2, 0)
    assert "6 cards" in said and "Take away: 4 × Ant, 1 × Bee." in said
    again = run(str(game), "--variant", "more", "--only-changed", "more", "--to", str(tmp_path / "again.pdf"))
    assert again.replace("again.pdf", "new.pdf") == said
    assert "House rules" not in text and "Your places" not in text


@pytest.mark.needs(shutil.which("git") is not None, "there is no git here")
def test_only_what_has_changed_since_a_revision_is_printed(game: Path, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        own = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", "-C", str(game), *own, *words], check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "walk")
    (game / "rulebook.yaml").write_text(GAME.replace("kind: large, rank: 3", "kind: large, rank: 4"))
    assert "6 cards" in run(str(game), "--only-changed", "HEAD", "--to", str(tmp_path / "new.pdf"))
    text = read_text((tmp_path / "new.pdf").read_bytes())
    assert (text.count("Cow"), text.count("Ant")) == (6, 0)
    (game / "rulebook.yaml").write_text(GAME)
    assert "nothing was written" in run(str(game), "--only-changed", "HEAD", "--to", str(tmp_path / "none.pdf"))
    shutil.copytree(game, tmp_path / "older", ignore=shutil.ignore_patterns(".git"))
    (game / "rulebook.yaml").write_text(GAME.replace("kind: large, rank: 3", "kind: large, rank: 4"))
    since = ("--only-changed", str(tmp_path / "older"))
    assert "6 cards" in run(str(game), *since, "--to", str(tmp_path / "newer.pdf"))
    assert read_text((tmp_path / "newer.pdf").read_bytes()) == text
    refused = CliRunner().invoke(
        main, ["print", str(game), "--only-changed", "--output=x", "--to", str(tmp_path / "x.pdf")]
    )
    assert refused.exit_code == 2 and "git knows no revision" in refused.output


def test_a_picture_that_holds_something_else_is_changed(game: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h{}v9z"/></svg>'
    (game / "rulebook.yaml").write_text(GAME.replace("rank: 2}", "rank: 2, picture: bee.svg}"))
    (game / "bee.svg").write_text(svg.format(5))
    before = collect_pieces(rulebook.open(game))
    (game / "bee.svg").write_text(svg.format(6))
    changed, gone = find_changed(before, collect_pieces(rulebook.open(game)))
    assert [piece.id for piece in changed.pieces] == [piece.id for piece in gone] == ["bee"]


def test_a_card_goes_without_a_picture_that_is_none(game: Path, tmp_path: Path) -> None:
    (game / "rulebook.yaml").write_text(GAME.replace("rank: 2}", "rank: 2, picture: bee.png}"))
    (game / "bee.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x05\0\0\0\x05\x08\0\0\0\0aaaaaaaa")
    said = run(str(game), "--to", str(tmp_path / "new.pdf"))
    assert "The picture bee.png is left out" in said
    assert "Bee" in read_text((tmp_path / "new.pdf").read_bytes())


def test_letters_that_no_font_has_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_list_system_fonts", list)
    assert find_typeface(["Straße, 5 €"]).measure("Straße", 10) > 20
    with pytest.raises(NoFont, match=r"Ж \(U\+0416\).*--font"):
        find_typeface(["Жук"])


def test_a_word_longer_than_a_card_is_broken(game: Path, tmp_path: Path) -> None:
    long = "W" * 400
    (game / "rulebook.yaml").write_text(GAME.replace("rank: 2}", f"rank: 2, name: {long}, text: {long}}}"))
    run(str(game), "--to", str(tmp_path / "new.pdf"), "--cards", "bee", "--no-backs")
    assert read_text((tmp_path / "new.pdf").read_bytes()).count("W") == 801  # one in its corner


def test_what_is_missing_is_named(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "reportlab", None)
    result = CliRunner().invoke(main, ["print", str(game), "--to", str(tmp_path / "new.pdf")])
    assert result.exit_code == 2 and "pip install 'tabletop-rulebook[print]'" in result.output


def test_a_card_larger_than_the_paper_is_refused(game: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["print", str(game), "--size", "200x280", "--to", str(tmp_path / "new.pdf")])
    assert result.exit_code == 2 and "does not fit onto A4 paper" in result.output


NUMBERS = ("0", "1", "-5", ".5", "1e999", "-1e308", "1e-320", "nan", "", "50%", "7px", "1,2", "#")
WORDS = ("none", "red", "url(#a)", "url(#b)", "currentColor", "#12", "#abc", "rgb(1,2)", "rgb(10%,20%,30%)", "inherit")


def draw_svg_text(chance: random.Random) -> str:
    """Draw an SVG of shapes whose attributes are anything."""

    def number() -> str:
        return chance.choice(NUMBERS)

    def attributes() -> str:
        names = (
            "x",
            "y",
            "width",
            "height",
            "rx",
            "ry",
            "r",
            "cx",
            "cy",
            "x1",
            "y2",
            "stroke-width",
            "opacity",
            "offset",
        )
        said = [f'{name}="{number()}"' for name in chance.sample(names, 6)]
        said += [f'{name}="{chance.choice(WORDS)}"' for name in ("fill", "stroke", "stop-color", "fill-rule")]
        steps = " ".join(chance.choice("MmLlHhVvCcSsQqTtAaZz") + " ".join(number() for _ in range(7)) for _ in range(6))
        verb = chance.choice(("matrix", "translate", "scale", "rotate", "skewX", "skewY"))
        inside = ",".join(number() for _ in range(6))
        said += [f'd="{steps}"', f'points="{inside}"', f'transform="{verb}({inside})"', 'gradientTransform="scale(0)"']
        return " ".join(chance.sample(said, 9))

    shapes = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "g")
    inner = "".join(f"<{chance.choice(shapes)} {attributes()}/>" for _ in range(8))
    stops = f"<stop {attributes()}/>" * chance.randrange(3)
    gradients = f'<linearGradient id="a" href="#b" {attributes()}>{stops}</linearGradient>'
    gradients += f'<radialGradient id="b" href="#a">{stops}</radialGradient>'
    box = f"0 0 {chance.choice(('1', '90', '99999'))} 70"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><defs>{gradients}</defs><g>{inner}</g></svg>'


@pytest.mark.slow
def test_whatever_shapes_a_stranger_draws_there_is_a_page() -> None:
    chance, drawn = random.Random(7), 0
    for _ in range(300):
        text = draw_svg_text(chance)
        try:
            picture = inspect_picture("x.svg", text.encode())
        except BadPicture:
            continue
        out = BytesIO()
        canvas = Canvas(out, invariant=1)
        draw_svg(canvas, picture)
        canvas.showPage()
        canvas.save()
        document = pypdfium2.PdfDocument(out.getvalue())
        document[0].render(scale=0.1)
        drawn += 1
    assert drawn > 200


def test_paths_are_read_as_browsers_do() -> None:
    assert read_path("M1 2l3,4-1-1zm1 1h2V9") == (
        ("M", (1, 2)), ("L", (4, 6)), ("L", (3, 5)), ("Z", ()), ("M", (2, 3)), ("L", (4, 3)), ("L", (4, 9)),
    )  # fmt: skip
    # Flags of an arc need no blanks, and half a circle ends where it should.
    arc = read_path("M0 0a5 5 0 0110 0")
    assert arc[-1][1][-2:] == pytest.approx((10, 0)) and len(arc) == 3
    assert arc[1][1][-2:] == pytest.approx((5, -5))
    assert read_path("M0 0L5") == (("M", (0, 0)),) and read_path("bad") == ()
    assert round_box(0, 0, 0, 5, 1, 1) == ()
