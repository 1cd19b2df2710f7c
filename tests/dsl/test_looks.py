"""What a card looks like: what `display` and `picture` say, what is found where they say nothing, pictures of
strangers."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

import rulebook
from rulebook import pictures
from rulebook.cli import main
from rulebook.diagnostics import Diagnostic
from rulebook.dsl.ir import Sign
from rulebook.glyphs import list_glyphs
from rulebook.interpreter.lowering.tables import rules_hash
from rulebook.library import find_games
from rulebook.loading import load
from rulebook.pictures import MOST_BYTES, MOST_PIXELS, BadPicture, inspect_picture, read_picture, read_pictures
from rulebook.validation import find_problems

GAME = """\
format: 1
name: Lots
players: 2..4
words: {suit: [hearts, cups], tone: {dark: Dark, pale: Pale}}
kinds:
  thing: {has: {tone: {type: tone, default: dark}}}
  playing: {is: thing, has: {suit: suit, rank: 1..13}}
  fox: {is: thing}
cards:
  pip: {kind: playing, name: "{rank} of {suit}", each: {suit: every suit, rank: 2..11}}
  reynard: {kind: fox, picture: art/fox.svg}
  vixen: {kind: fox, name: Vixen}
display:
DISPLAY
rules:
  game: |
    pick lucky from players at random
    win lucky
"""
DISPLAY = """\
  symbols: {cups: cup, rank: {11: J}, pale: P}
  card:
    thing: {back: star}
    playing: {corner: [rank, suit], middle: suit}
    pip.cups.2: {corner: none, middle: "2!"}
    fox: {picture: "art/{card}_{tone}.png"}
"""
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 8"><path d="M0 0h3v3z"/></svg>'


def png(width: int, height: int) -> bytes:
    """Make a grey PNG."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = (b"\0" + b"\x88" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write(folder: Path, display: str = DISPLAY) -> Path:
    (folder / "art").mkdir()
    (folder / "art" / "fox.svg").write_bytes(SVG)
    (folder / "art" / "vixen_dark.png").write_bytes(png(3, 2))
    (folder / "rulebook.yaml").write_text(GAME.replace("DISPLAY\n", display))
    return folder


def problems_of(folder: Path, *, use_cache: bool = False) -> list[Diagnostic]:
    """What is wrong with a game, but for what nothing uses."""
    return [one for one in find_problems(folder, use_cache=use_cache) if not one.code.startswith("RB5")]


def said(*signs: Sign | None) -> list[str]:
    return [f"{sign.form} {sign.said}" if sign else "" for sign in signs]


def test_the_nearest_word_counts(tmp_path: Path) -> None:
    assert problems_of(write(tmp_path)) == []
    cards = {card.id: card.look for card in rulebook.open(tmp_path).cards()}
    assert said(*cards["pip.hearts.11"].corner) == ["letters J", "glyph heart"]
    assert said(cards["pip.hearts.11"].middle, cards["pip.hearts.11"].back) == ["glyph heart", "glyph star"]
    assert said(*cards["pip.cups.7"].corner) == ["letters 7", "glyph cup"]
    assert said(*cards["pip.cups.2"].corner, cards["pip.cups.2"].middle) == ["letters 2!"]
    assert (cards["reynard"].picture, cards["vixen"].picture) == ("art/fox.svg", "art/vixen_dark.png")


def test_a_game_that_says_nothing_has_corners_and_signs(tmp_path: Path) -> None:
    cards = {card.id: card.look for card in rulebook.open(write(tmp_path, "  aim: Win.\n")).cards()}
    assert said(*cards["pip.hearts.11"].corner, cards["pip.hearts.11"].middle) == [
        "letters 11", "glyph heart", "glyph heart",
    ]  # fmt: skip
    assert said(*cards["vixen"].corner, cards["vixen"].middle) == [""]
    assert {card.id: said(*card.look.corner) for card in rulebook.open("kuhn_poker").cards()} == {
        "jack": ["letters J"], "queen": ["letters Q"], "king": ["letters K"],
    }  # fmt: skip


def test_looks_make_no_other_rules(tmp_path: Path) -> None:
    file = write(tmp_path) / "rulebook.yaml"
    looks = rules_hash(rulebook.open(tmp_path).rulebook, {})
    file.write_text(file.read_text().replace(", picture: art/fox.svg", "").replace(DISPLAY, "  aim: Win.\n"))
    assert "symbols" not in file.read_text()
    assert rules_hash(rulebook.open(tmp_path).rulebook, {}) == looks


@pytest.mark.parametrize(
    ("line", "code", "where"),
    [
        ("  symbols: {cups: hart}", "RB301", "hart"),
        ("  symbols: {mugs: cup}", "RB301", "mugs"),
        ("  symbols: {suit: {11: J}}\n  card: {fox: {corner: [tone, size]}}", "RB301", "size"),
        ("  symbols: {rank: {J: 11}}", "RB112", "J"),
        ("  symbols: {cups: [cup]}", "RB112", "[cup]"),
        ("  card: {wolf: {middle: star}}", "RB301", "wolf"),
        ("  card: {fox: {middle: moooon}}", "RB301", "moooon"),
        ('  card: {fox: {picture: "art/{card}_{hue}.png"}}', "RB304", '"art/{card}_{hue}.png"'),
        ("  card: {fox: {picture: art/../../vixen.png}}", "RB118", "art/../../vixen.png"),
        ("  card: {fox: {picture: /etc/vixen.png}}", "RB118", "/etc/vixen.png"),
        ("  card: {fox: {picture: vixen.gif}}", "RB118", "vixen.gif"),
        ("  card: {fox: {picture: art/none.png}}", "RB118", "art/none.png"),
        ("  card: {fox: {back: art}}", "RB118", None),
        ("  card: {fox: {front: art}}", "RB110", "front"),
    ],
)
def test_a_slip_is_told_at_its_place(tmp_path: Path, line: str, code: str, where: str | None) -> None:
    found = problems_of(write(tmp_path, f"{line}\n"))
    if where is None:
        assert found == []  # three letters are a sign
        return
    assert (found[0].code, found[0].span and found[0].span.text) == (code, where)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"GIF89a", "by its first bytes"),
        (b"\x89PNG\r\n\x1a\n", "breaks off"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "breaks off"),
        (png(MOST_PIXELS + 1, 1), "sides"),
        (SVG.replace(b"<path", b"<script>alert(1)</script><path"), "<script>"),
        (SVG.replace(b"<path", b"<foreignObject/><path"), "<foreignObject>"),
        (SVG.replace(b"<path", b"<image href='x.png'/><path"), "<image>"),
        (SVG.replace(b"<path", b"<use href='#a'/><path"), "<use>"),
        (SVG.replace(b"<path", b"<style>*{fill:url(http://x)}</style><path"), "<style>"),
        (SVG.replace(b"d=", b"onload='x()' d="), "script"),
        (SVG.replace(b"d=", b"OnClick='x()' d="), "script"),
        (SVG.replace(b"d=", b"style='fill: url( http://x/y#z )' d="), "elsewhere"),
        (SVG.replace(b"d=", b"fill='url(//x/y)' d="), "elsewhere"),
        (SVG.replace(b"<path", b"<linearGradient xmlns:x='http://www.w3.org/1999/xlink' x:href='http://x'/><path"),
         "elsewhere"),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG, "DOCTYPE"),
        (SVG.replace(b"viewBox", b"viewbox"), "viewBox"),
        (SVG.replace(b"0 0 10 8", b"0 0 nan 8"), "sides"),
        (SVG.replace(b"http://www.w3.org/2000/svg", b"http://example.org"), "xmlns"),
        (SVG[:-3], "XML"),
        (SVG.replace(b"<path", b"<g>" * 60 + b"<path").replace(b"</svg>", b"</g>" * 60 + b"</svg>"), "within"),
        (SVG.replace(b"<path", b"<path/>" * 5_000 + b"<path"), "5,000 shapes"),
        (SVG.replace(b"M0", b"M0 " + b"0 " * 300_000), "500 kB"),
        (SVG.decode().encode("utf-16"), "first bytes"),
    ],
)  # fmt: skip
def test_what_is_no_picture_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(BadPicture, match=problem):
        inspect_picture("x.svg", data)


def test_what_is_a_picture_is_read(tmp_path: Path) -> None:
    write(tmp_path)
    assert read_picture(tmp_path, "art/fox.svg").format == "svg"
    # By its bytes, not by its name.
    (tmp_path / "art" / "odd.jpg").write_bytes(png(30, 20))
    picture = read_picture(tmp_path, "art/odd.jpg")
    assert (picture.format, picture.width, picture.height, len(picture.hash)) == ("png", 30, 20, 32)


def test_nothing_outside_of_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "outside").mkdir()
    game = write(tmp_path / "game")
    (tmp_path / "outside" / "x.png").write_bytes(png(1, 1))
    (game / "linked").symlink_to(tmp_path / "outside")
    (game / "x.png").symlink_to(tmp_path / "outside" / "x.png")
    for name in ("linked/x.png", "x.png"):
        with pytest.raises(BadPicture, match="leads out"):
            read_picture(game, name)
    for name in ("../outside/x.png", "./x.png", "art//x.png", ".hidden/x.png", "C:/x.png", "art\\x.png", "~/x.png"):
        with pytest.raises(BadPicture, match="folder"):
            read_picture(game, name)
    (game / "large.png").write_bytes(png(1, 1) + b"\0" * MOST_BYTES)
    with pytest.raises(BadPicture, match="2 MB"):
        read_picture(game, "large.png")
    with pytest.raises(BadPicture, match="no such file"):
        read_picture(game, "none.png")


def test_a_game_has_so_many_pictures_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (tmp_path / f"{number}.png").write_bytes(png(30, 30))
    names = [f"{number}.png" for number in range(5)]
    monkeypatch.setattr(pictures, "MOST_PICTURES", 3)
    assert [*read_pictures(tmp_path, names)[1]] == ["3.png", "4.png"]
    monkeypatch.setattr(pictures, "MOST_PICTURES", 400)
    monkeypatch.setattr(pictures, "MOST_TOGETHER", 2 * len(png(30, 30)))
    assert [*read_pictures(tmp_path, names)[1]] == ["2.png", "3.png", "4.png"]


def test_a_check_that_was_kept_notices_another_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "game").mkdir()
    game = write(tmp_path / "game")
    assert problems_of(game, use_cache=True) == []
    (game / "art" / "fox.svg").write_bytes(SVG.replace(b"path", b"text"))
    assert [problem.code for problem in problems_of(game, use_cache=True)] == ["RB118"]


def test_a_game_with_a_bad_picture_can_be_played(tmp_path: Path) -> None:
    loaded = load(write(tmp_path, "  card: {fox: {picture: ../x.png}}\n"))
    assert loaded.rulebook is not None


def test_glyphs_are_paths() -> None:
    assert len(list_glyphs()) >= 60
    assert all(path.startswith("M") for path in list_glyphs().values())


def test_pictures_of_shipped_games_are_there() -> None:
    for game in find_games():
        book = load(game).rulebook
        assert book is not None
        for sign in book.display.signs:
            if sign.form == "file":
                read_picture(game, sign.said)


def test_a_copy_of_a_game_has_its_pictures(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    game = write(tmp_path / "game")
    (game / "art" / "evil.svg").write_bytes(SVG.replace(b"<path", b"<script/><path"))
    result = CliRunner().invoke(main, ["new", "game", str(tmp_path / "mine"), "--from", str(game)])
    assert result.exit_code == 0, result.output
    names = {file.name for file in (tmp_path / "mine" / "art").iterdir()}
    assert names == {"fox.svg", "vixen_dark.png"} and problems_of(tmp_path / "mine") == []
