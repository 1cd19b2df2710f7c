"""Pictures of a game on its pages: which are served, with what around them, and when they are asked for."""

from __future__ import annotations

import zlib
from http.client import HTTPConnection
from pathlib import Path
from struct import pack
from typing import Any

import pytest
from browsers import CHROMIUM, served
from click.testing import CliRunner
from sockets import connect, hear, host_of

from rulebook.cli import main

try:
    import playwright.sync_api as playwright
except ImportError:
    playwright = None
for needed in ("starlette", "uvicorn", "websockets", "segno"):
    pytest.importorskip(needed, reason="needs the extra `web`")
pytestmark = pytest.mark.filterwarnings("ignore:connect")

_WHY = "there is no Chromium or no playwright here: install the extra `browser`, and on Debian chromium"
needs_browser = pytest.mark.needs(playwright is not None and CHROMIUM is not None, _WHY)
RULES = """
format: 1
name: Walk
players: 2..2
kinds:
  walker: {has: {number: 1..6}}
cards:
  fox: {kind: walker, name: Fox, number: 1, picture: art/fox.svg, copies: 4, text: It walks at night.}
  owl: {kind: walker, name: Owl, number: 2, picture: art/owl.png, copies: 4}
  cat: {kind: walker, name: Cat, number: 3, picture: art/evil.svg, copies: 4}
  dog: {kind: walker, name: Dog, number: 4, picture: art/none.png, copies: 4}
places:
  table: {deck: {holds: walker, kept: pile, seen_by: nobody}}
  player:
    hand: {holds: walker, kept: loose, seen_by: owner}
    path: {holds: walker, kept: slot, seen_by: everyone}
rules:
  game: |
    move cards to deck
    shuffle deck
    deal 8 from deck to each hand
    repeat 3:
      each me in players:
        choose laid from me.hand "Who walks?"
        move me.path to deck
        move laid to me.path
display:
  language: pt-BR
  symbols: {walker: art/fox.svg}
  card: {walker: {corner: number, back: art/owl.png}}
"""
FOX = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z" fill="#c40"/></svg>'
EVIL = FOX.replace("</svg>", "<script>fetch('/x')</script></svg>")


def _make_png(side: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + b"\x30\x60\xa0" * side for _ in range(side))
    head = pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _note_pictures(page: Any, paths: list[str]) -> None:
    page.on("request", lambda one: "/art/" in one.url and paths.append(one.url))


@pytest.fixture
def game(tmp_path: Path) -> str:
    folder = tmp_path / "walk"
    (folder / "art").mkdir(parents=True)
    (folder / "rulebook.yaml").write_text(RULES, "utf-8")
    (folder / "art" / "fox.svg").write_text(FOX, "utf-8")
    (folder / "art" / "evil.svg").write_text(EVIL, "utf-8")
    (folder / "art" / "owl.png").write_bytes(_make_png(8))
    return str(folder)


def test_a_picture_is_served_in_a_sandbox_and_a_bad_one_not_at_all(game: str, tmp_path: Path) -> None:
    words = (game, "--seats", "Ana,bot:random", "--port", "0", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        ana = connect(server.links["Ana"])
        said = hear(ana, "whole")
        pictures = said["pictures"]
        assert len(pictures) == 2, "neither the one with a script nor the one that is not there"
        hand = next(place for place in said["page"]["mine"] if place["key"] == "Ana.hand")
        faces = {card["title"]: card for card in hand["cards"]}
        assert {title: card.get("picture", "") in pictures for title, card in faces.items()} == {
            title: title in ("Fox", "Owl") for title in faces
        }
        assert said["page"]["language"] == "pt-BR"
        # A back says nothing of the card: all that may lie there have it.
        deck = next(place for place in said["page"]["table"] if place["key"] == "deck")
        assert deck["looks"]["file"] in pictures
        web = HTTPConnection(host_of(server.links["Ana"]))
        kinds = set()
        for path in pictures:
            web.request("GET", path)
            answered = web.getresponse()
            assert answered.status == 200
            answered.read()
            kinds.add(answered.getheader("content-type"))
            assert "sandbox" in (answered.getheader("content-security-policy") or "")
            assert "script-src" not in (answered.getheader("content-security-policy") or "")
            assert answered.getheader("x-content-type-options") == "nosniff"
            assert "immutable" in (answered.getheader("cache-control") or "")
        assert kinds == {"image/png", "image/svg+xml"}
        for path in ("/art/fox.svg", "/art/..%2frulebook.yaml", f"{pictures[0]}0"):
            web.request("GET", path)
            answered = web.getresponse()
            assert answered.status == 404, path
            answered.read()


WHEN_SEEN = "for (const address of message.pictures) new Image().src = address;"
"""The line of a page by which it asks for all pictures."""


def find_requests(game: str, store: Path, is_leaking: bool = False) -> dict[str, list[str]]:
    """The pictures that each seat's page asks for, in their order; a leaking page asks for what is seen alone."""
    words = (game, "--seats", "Ana,Ben", "--port", "0", "--pace", "0", "--seed", "17")
    asked: dict[str, list[str]] = {}
    with playwright.sync_playwright() as driver, served(store, *words) as server:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, link in server.seats.items():
            page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
            paths = asked.setdefault(name, [])
            _note_pictures(page, paths)
            if is_leaking:
                page.route("**/files/table.js", _forget_pictures)
            page.goto(link)
            page.wait_for_selector(".mine .card")
            page.wait_for_timeout(300)
            assert page.evaluate("[...document.querySelectorAll('.mine .picture')].every((one) => one.complete)")
    return asked


def _forget_pictures(route: Any) -> None:
    script = route.fetch().text()
    assert WHEN_SEEN in script
    route.fulfill(body=script.replace(WHEN_SEEN, ""), content_type="text/javascript")


def find_leak(asked: dict[str, list[str]]) -> str:
    """Say what requests tell of what somebody holds; nothing, if they tell nothing."""
    if {*asked["Ana"]} != {*asked["Ben"]}:
        return "another seat asks for other pictures"
    return "" if asked["Ana"][:2] == asked["Ben"][:2] else "in another order"


@pytest.mark.slow
@needs_browser
def test_all_pictures_are_asked_for_before_a_card_is_seen(game: str, tmp_path: Path) -> None:
    """Whoever reads what passes by, or the log of a proxy, learns nothing of what a seat sees."""
    asked = find_requests(game, tmp_path / "tables.sqlite3")
    assert find_leak(asked) == ""
    assert len({*asked["Ana"]}) == 2


@pytest.mark.slow
@needs_browser
def test_pictures_that_are_asked_for_when_they_are_seen_are_found(game: str, tmp_path: Path) -> None:
    """Ana holds no fox by this seed, and nothing else on the page shows one."""
    Path(game, "rulebook.yaml").write_text(RULES.partition("display:")[0], "utf-8")
    assert find_leak(find_requests(game, tmp_path / "tables.sqlite3", is_leaking=True))


@pytest.mark.slow
def test_a_game_with_too_many_and_too_large_pictures_is_told_and_played(tmp_path: Path) -> None:
    """One picture has 5 MB, and beside it there are 401: each is told at its line, and the game goes on in words."""
    folder = tmp_path / "walk"
    (folder / "art").mkdir(parents=True)
    cards = "".join(
        f"  c{number}: {{kind: walker, name: Card {number}, number: 1, picture: art/{number}.png}}\n"
        for number in range(402)
    )
    for number in range(402):
        (folder / "art" / f"{number}.png").write_bytes(_make_png(1 + number % 7))
    (folder / "art" / "7.png").write_bytes(_make_png(8) + bytes(5_000_000))
    head, rest = RULES.split("cards:\n")
    (folder / "rulebook.yaml").write_text(
        f"{head}cards:\n{cards}places:{rest.partition('places:')[2].partition('display:')[0]}"
    )
    said = CliRunner().invoke(main, ["validate", str(folder)]).output
    assert said.count("RB118") == 2
    assert "rulebook.yaml:15:" in said and "2 MB" in said
    assert "rulebook.yaml:107:" in said and "400 pictures" in said  # art/99.png is the last by its name
    words = (str(folder), "--seats", "Ana,bot:random", "--port", "0", "--pace", "0", "--seed", "3")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        told_whole = hear(connect(server.links["Ana"]), "whole")
        assert len(told_whole["page"]["mine"][0]["cards"]) == 8
        assert len(told_whole["pictures"]) <= 400
