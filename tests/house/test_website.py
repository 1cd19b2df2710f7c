"""The documents as a site: every page is there, every link leads somewhere, and scripts are coloured."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag

import pytest
from browsers import CHROMIUM
from paths import ROOT

try:
    import playwright.sync_api as playwright
except ImportError:
    playwright = None

WEBSITE = ROOT / "website"
needs_sphinx = pytest.mark.extra("docs", "sphinx", "myst_parser", "furo")

QUESTIONS = {
    "my friend keeps seeing my card": "language/the-sections",
    "how do I make the starting player random": "language/the-statements",
    "cut sheets of only the cards I changed": "outside",
    "one of us has to go home early": "serving",
    "what happens when the deck is empty": "language/the-sections",
    "I clicked the wrong thing": "playing",
    "whoever goes first wins too often": "playtesting",
    "can I skip my turn": "language/choices",
    "negotiate a deal": "recipes",
    "I got my game working on my laptop and want to send it to my co-designer who has a Mac": "variants",
    "hold at most seven cards at the end of your turn and choose which to throw away": "language/choices",
    "who takes the trick": "recipes",
    "push your luck, stop or bust": "recipes",
    "worker placement": "recipes",
    "compensate the first player": "playtesting",
    "are my rules or the stupid bots to blame": "playtesting",
    "what does each seat see on screen": "playing",
    "go back to the moment before, fix the rule and try again": "playing",
    "can the bots trade": "bots",
    "RB301": "messages/rb301",
}


class Links(HTMLParser):
    """What a page links to, and the places in it that links may name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.places.add(str(given["id"]))
        self.links += [str(given[name]) for name in ("href", "src") if given.get(name)]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, format: str, *said: object) -> None: ...


def list_dead_links(folder: Path) -> list[str]:
    pages = {file.resolve(): Links(file.read_text("utf-8")) for file in folder.rglob("*.html")}
    dead, followed = [], set[tuple[Path, str]]()
    for file, page in pages.items():
        for link in page.links:
            # All pages of a folder lead to the same ones from their margins.
            if link[:1] not in ("", "#"):
                if (file.parent, link) in followed:
                    continue
                followed.add((file.parent, link))
            path, place = urldefrag(link)
            if link.partition(":")[0] in ("http", "https", "mailto", "data"):
                continue
            there = (file.parent / unquote(path.partition("?")[0])).resolve() if path else file
            there = there / "index.html" if there.is_dir() else there
            if not there.exists() or (place and there in pages and unquote(place) not in pages[there].places):
                dead.append(f"{file.name}: {link}")
    return dead


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "out"
    built = subprocess.run(
        [sys.executable, WEBSITE / "build_site.py", folder, "--games", "kuhn_poker"],
        env=os.environ | {"RULEBOOK_ADDRESS": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout
    return folder


@pytest.mark.slow
@needs_sphinx
def test_every_document_is_a_page_and_no_link_is_dead(site: Path) -> None:
    assert list_dead_links(site) == []
    for file in (ROOT / "docs").rglob("*.md"):
        assert (site / file.relative_to(ROOT / "docs").with_suffix(".html")).exists(), file
    for page in re.findall(r"\]\(([^)]+)\)", (site / "llms.txt").read_text("utf-8")):
        assert (site / page).is_file(), page
    files = (site / "gallery" / "kuhn_poker_files.html").read_text("utf-8")
    assert "rulebook.yaml" in files and '<span class="nt">kinds</span>' in files
    assert (site / "messages" / "rb203.html").exists() and (site / "language" / "the-statements.html").exists()


@pytest.mark.slow
@needs_sphinx
def test_words_are_found(site: Path) -> None:
    text = (site / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    for word, page in (("arrang", "language/choices"), ("baselin", "validate"), ("rb203", "messages")):
        pages = index["terms"].get(word, [])
        names = {index["docnames"][number] for number in ([pages] if isinstance(pages, int) else pages)}
        assert page in names, (word, names)
        assert not any(name.startswith("decisions") for name in names), (word, names)


@pytest.mark.slow
@needs_sphinx
@pytest.mark.extra("browser", "playwright")
@pytest.mark.needs(CHROMIUM is not None, "there is no Chromium here: on Debian, apt-get install chromium")
def test_questions_of_a_table_find_their_answer(site: Path) -> None:
    """As people ask them: the page that answers is among the first three."""
    handler = functools.partial(Quiet, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, playwright.sync_playwright() as driver:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
        for question, answer in QUESTIONS.items():
            page.goto(f"http://127.0.0.1:{server.server_port}/search.html?q={quote(question)}")
            playwright.expect(page.locator(".search-summary")).to_contain_text("finished", timeout=60_000)
            found = page.locator("ul.search li > a").evaluate_all("all => all.map(one => one.pathname.slice(1))")
            assert f"{answer}.html" in found[:3], (question, found[:5])
        page.goto(f"http://127.0.0.1:{server.server_port}/search.html?q=qwertzuiop")
        playwright.expect(page.locator(".search-summary")).to_contain_text("did not match", timeout=60_000)
        server.shutdown()


@pytest.mark.slow
@needs_sphinx
def test_scripts_are_coloured(site: Path) -> None:
    page = (site / "language" / "the-statements.html").read_text("utf-8")
    assert '<span class="k">move</span>' in page and '<span class="ow">to</span>' in page
    assert 'class="err"' not in page
    # A text for people is one, whatever words stand in it.
    first = (site / "first_card.html").read_text("utf-8")
    assert '<span class="nt">text</span>' in first and re.search(
        r'text</span><span class="p">: </span><span class="s">', first
    )


def test_a_link_to_no_file_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(WEBSITE)
    import staging

    page = staging.Page("docs/a.md", "a.md", "[here](b.md), [the rules](../cards/wallet/rulebook.yaml), `[x](y.md)`\n")
    targets = {("docs/b.md", ""): "b.md"}
    led = staging.lead_links(page, targets, ROOT, "")
    assert led == "[here](b.md), the rules, `[x](y.md)`\n"
    led = staging.lead_links(page, targets, ROOT, "https://example.org/r")
    assert "[the rules](https://example.org/r/blob/main/cards/wallet/rulebook.yaml)" in led
    with pytest.raises(FileNotFoundError, match=r"docs/a\.md links to b\.md"):
        staging.lead_links(page, {}, ROOT, "")


def test_what_the_site_has_is_linked_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(WEBSITE)
    import staging

    targets = {("docs/decisions", ""): "decisions.md", ("docs/decisions/0001-a.md", ""): "decisions/0001-a.md"}
    for source, target, up in (("docs/a.md", "a.md", ""), ("docs/language.md", "language/a.md", "../")):
        page = staging.Page(source, target, "[why](decisions/), [for programs](llms.txt)\n")
        led = staging.lead_links(page, targets, ROOT, "https://example.org/r")
        assert led == f'[why]({up}decisions.md), <a href="{up}llms.txt">for programs</a>\n'


def test_a_long_document_is_cut_at_its_headings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(WEBSITE)
    import staging

    staging.stage_pages(ROOT, tmp_path, "")
    language = (ROOT / "docs" / "language.md").read_text("utf-8")
    headings = [slug for _, level, slug in staging.list_headings(language) if level == 2]
    assert len(headings) > 15
    for slug in headings:
        assert (tmp_path / "language" / f"{slug}.md").read_text("utf-8").startswith("# ")
    # What stood below a heading stands below it still.
    assert "## Moving cards" in (tmp_path / "language" / "the-statements.md").read_text("utf-8")
    # A mistake is said to be one, and what is given to a script is, too.
    staged = "".join(file.read_text("utf-8") for file in (tmp_path / "language").iterdir())
    mistakes = re.findall(r"(?m)^```\w+ [^\n]*(RB\d+)", language)
    assert sorted(re.findall(r":caption: Not like this \((RB\d+)\)", staged)) == sorted(mistakes)
    assert "# given: me, ship boat\n" in staged
    assert not re.search(r"(?m)^```\w+ [^\n]*RB\d+", staged)
