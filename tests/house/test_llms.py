"""Pages for programs that read, made from the others: `docs/llms.txt`, and the language on one sheet.

With UPDATE_LLMS=1 they are written anew.
"""

import os
import re
from pathlib import Path

import pytest
from paths import ROOT

from rulebook.authoring.primer import write_primer

DOCS = ROOT / "docs"
INDEX, SHEET = DOCS / "llms.txt", DOCS / "sheet.md"


def list_pages() -> list[Path]:
    """The pages in the order in which README has them, then those that it leaves out."""
    readme = (ROOT / "README.md").read_text("utf-8")
    linked = dict.fromkeys(re.findall(r"\(docs/(\w+\.md)", readme[readme.index("| `docs/` |") :]))
    return [DOCS / name for name in dict.fromkeys([*linked, *sorted(page.name for page in DOCS.glob("*.md"))])]


MOST_HEADINGS = 8


def tell_page(page: Path) -> str:
    """A line on a page: its title and the first of its headings, or else its first sentence."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert title is not None, page
    headings = [heading.rstrip("?.") for heading in re.findall(r"^## (.+)$", text, re.MULTILINE)]
    if not headings:
        headings = [re.findall(r"[A-Z`][^.:]+", text[title.end() :])[0]]
    more = ["…"] if len(headings) > MOST_HEADINGS else []
    return f"- [{title[1]}]({page.name}): {'; '.join([*headings[:MOST_HEADINGS], *more])}"


def write_index() -> str:
    """What https://llmstxt.org asks for: a title, a summary, links with a line on each."""
    summary = re.search(r'^description = "(.*)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert summary is not None
    pages = [tell_page(page) for page in list_pages() if page != SHEET]
    return "\n".join(
        [
            "# rulebook",
            "",
            f"> {summary[1]}",
            "",
            f"To write a game, read [the language on one sheet]({SHEET.name}) first.",
            "",
            "## Pages",
            "",
            *pages,
            "",
            "## Optional",
            "",
            "- [Decisions](decisions/): Why it is as it is.",
            "- [Changes](../CHANGELOG.md): What it can do, and what has changed.",
            "",
        ]
    )


@pytest.mark.parametrize(("file", "write"), [(INDEX, write_index), (SHEET, write_primer)], ids=["llms", "sheet"])
def test_what_programs_read_is_as_the_docs_are(file: Path, write: object) -> None:
    assert callable(write)
    text = write()
    if os.environ.get("UPDATE_LLMS"):
        file.write_text(text, "utf-8")
    assert file.read_text("utf-8") == text, "write it anew: UPDATE_LLMS=1 pytest tests/house/test_llms.py"


def test_every_page_has_a_line_and_every_link_leads_somewhere() -> None:
    text = INDEX.read_text("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert {page.name for page in DOCS.glob("*.md")} <= set(links)
    assert all((DOCS / link).exists() for link in links)
