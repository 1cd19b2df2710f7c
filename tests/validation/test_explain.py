"""`rulebook explain`, and docs/messages.md, which is made of the same pages."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result
from paths import ROOT

from rulebook import pages
from rulebook.cli import main
from rulebook.diagnostics import codes, template
from rulebook.widths import width

MESSAGES = ROOT / "docs" / "messages.md"


def explain(*words: str) -> Result:
    return CliRunner().invoke(main, ["explain", *words], env={"COLUMNS": "80"})


def test_links_of_the_document_lead_somewhere() -> None:
    text = MESSAGES.read_text("utf-8")
    links = re.findall(r"\]\(#([^)]+)\)", text)
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    anchors = ["".join(c for c in one.lower().replace(" ", "-") if c.isalnum() or c in "-_") for one in headings]
    assert links == anchors and len(links) == len(codes())


@pytest.mark.slow
@pytest.mark.parametrize("code", codes())
def test_a_page_says_it_all_in_eighty_columns(code: str) -> None:
    found, page = template(code), pages.make_page(code)
    assert page.startswith(f"{code}: {found.title}\n")
    assert page.count("What gives it") == len(found.bad) and page.count("Put right") == len(found.good)
    assert page.count(f"{found.severity}[{code}]: ") == sum(len(one.places) for one in found.bad)
    assert page.count("Why: ") == 1
    assert all(width(line) <= 80 for line in page.splitlines())
    words = " ".join(page.split())
    assert all(" ".join(text.split()) in words for text in (found.means, found.why))


def test_explain_prints_the_page() -> None:
    result = explain("RB203")
    assert (result.exit_code, result.stdout) == (0, pages.make_page("RB203"))
    assert explain("rb203").stdout == result.stdout
    assert explain("RB203", "RB101").stdout == pages.make_page("RB203") + "\n" + pages.make_page("RB101")


def test_explain_lists_all_codes() -> None:
    result = explain()
    assert result.exit_code == 0
    assert [line[:5] for line in result.stdout.splitlines() if line.startswith("RB")] == list(codes())


@pytest.mark.slow
def test_explain_prints_the_document() -> None:
    assert explain("--markdown").stdout == MESSAGES.read_text("utf-8"), "rulebook explain --markdown > docs/messages.md"
    assert explain("--markdown", "RB203").stdout == pages.markdown("RB203")


@pytest.mark.parametrize(("word", "advice"), [("RB230", "Did you mean RB203?"), ("zzz", "lists all codes")])
def test_a_code_that_does_not_exist(word: str, advice: str) -> None:
    result = explain(word)
    assert result.exit_code == 2
    assert f"There is no code {word}." in result.stderr and advice in result.stderr
