"""Pages for the site from the documents of the checkout: long ones cut at their headings, and links led anew.

The documents stay what they are for readers of the sources; what differs on the site is said here. Between the two
functions stand `Page` records: where a page comes from, where it goes, and its text.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from attrs import frozen

CUT = {"docs/language.md": "language", "docs/messages.md": "messages"}
"""Documents that are too long for a page, each with the folder of its parts."""
BEGIN = {
    "begin": ("Begin", "Your first changed card, in five minutes"),
    "first_card": ("A new card",),
    "first_variant": ("A variant",),
}
"""Pages that are sections of README, so that both say the same."""
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md", "bench/README.md")
INDEX = "docs/llms.txt"
"""The page for programs; the site has it as it is."""
UNSEARCHED = ("decisions", "architecture.md", "bench.md", "changelog.md", "contributing.md", "sheet.md", "tests.md")
"""Pages about how it came to be and is made, and the language once more: words are looked for in the others."""
UNLISTED = ("decisions/", "messages/")
"""Pages that are no entries of the margin, which would have them all on every page: a page of their own lists them."""
DECISIONS = "docs/decisions"
_FENCE = re.compile(r"^(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6}) (.+?)\s*$")
_TEXT_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|/)([^)\s]+)\)")
_CODE = re.compile(r"^(`{3,}|~{3,})([^\n]*)\n.*?^\1[ \t]*$|(?<!`)(`+)(?!`).+?(?<!`)\3(?!`)", re.MULTILINE | re.DOTALL)
_WRONG = re.compile(r"^```(effect|expr|yaml)\b[^\n]*\b(?:error|warns) (RB\d+)[^\n]*\n(.*?^```)$", re.M | re.S)
_GIVEN = re.compile(r"^(```(?:effect|expr)[^\n]*\n)# (?=\w)", re.MULTILINE)
_CODE_OF_MESSAGES = re.compile(r"(RB\d{3}):")


@frozen
class Page:
    """A page: the document of the checkout that it is of, where it goes below the site, and its text."""

    source: str
    target: str
    text: str

    @property
    def anchors(self) -> list[str]:
        return [slug for _, _, slug in list_headings(self.text)]


def stage_pages(root: Path, folder: Path, address: str) -> None:
    """Write all pages, their pictures, and the page that leads to them."""
    pages = list(_list_pages(root))
    targets: dict[tuple[str, str], str] = {}
    for page in pages:
        targets.setdefault((page.source, ""), page.target)
        for anchor in page.anchors:
            targets.setdefault((page.source, anchor), page.target)
    for page in pages:
        _write(folder / page.target, _write_head(page.target) + mark_examples(lead_links(page, targets, root, address)))
    shutil.copytree(root / "docs" / "pictures", folder / "pictures", dirs_exist_ok=True)
    for picture in (root / "docs" / "outside").iterdir():
        (folder / "outside").mkdir(exist_ok=True)
        shutil.copy(picture, folder / "outside" / picture.name)
    shutil.copy(Path(__file__).with_name("index.md"), folder / "index.md")


def _write_head(target: str) -> str:
    """Write what Sphinx is to know of a page, above its text."""
    said = {"nosearch": target.startswith(UNSEARCHED), "orphan": target.startswith(UNLISTED)}
    lines = "".join(f"{name}: true\n" for name, holds in said.items() if holds)
    return f"---\n{lines}---\n\n" if lines else ""


def _list_pages(root: Path) -> Iterator[Page]:
    decisions = [(file.name, file.read_text("utf-8")) for file in sorted((root / DECISIONS).glob("*.md"))]
    titles = [f"- [{text[2:].partition(chr(10))[0]}](decisions/{name})" for name, text in decisions]
    yield Page(DECISIONS, "decisions.md", "\n".join(["# Decisions", "", *titles, ""]))
    for file in sorted((root / "docs").rglob("*.md")):
        source = file.relative_to(root).as_posix()
        text = file.read_text("utf-8")
        target = source.removeprefix("docs/")
        if source in CUT:
            yield from _cut_page(source, target, text)
        else:
            yield Page(source, target, text)
    readme = (root / "README.md").read_text("utf-8")
    for name, titles in BEGIN.items():
        yield Page("README.md", f"{name}.md", "\n".join(_find_section(readme, title) for title in titles))
    for source in BESIDE:
        yield Page(source, source.replace("/README", "").lower(), (root / source).read_text("utf-8"))


def _cut_page(source: str, target: str, text: str) -> Iterator[Page]:
    """Cut a document at its headings of the second level: a page each, and one before them that leads to all."""
    home = CUT[source]
    starts = [at for at, level, _ in list_headings(text) if level == 2]
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    names = [_name_part(part) for part in parts]
    entries = "\n".join(f"{home}/{name}" for name in names)
    listed = "" if f"{home}/".startswith(UNLISTED) else f"\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    yield Page(source, target, text[: starts[0]] + listed)
    for name, part in zip(names, parts, strict=True):
        yield Page(source, f"{home}/{name}.md", _raise_headings(part))


def _name_part(part: str) -> str:
    [(_, _, slug), *_] = list_headings(part)
    code = _CODE_OF_MESSAGES.match(part.removeprefix("## "))
    return code[1].lower() if code else slug


def _find_section(text: str, title: str) -> str:
    """The section of a document with this heading, without sections below it, and raised to a page of its own."""
    headings = list(list_headings(text))
    [number] = [number for number, (at, _, _) in enumerate(headings) if _title_at(text, at) == title]
    end = headings[number + 1][0] if number + 1 < len(headings) else len(text)
    return _raise_headings(text[headings[number][0] : end])


def _title_at(text: str, at: int) -> str:
    heading = _HEADING.match(text[at:].split("\n", 1)[0])
    assert heading is not None
    return heading[2]


def _raise_headings(text: str) -> str:
    """Raise all headings so that the first one is of the first level."""
    found = list_headings(text)
    by = found[0][1] - 1
    for at, _, _ in reversed(found):
        text = text[:at] + text[at + by :]
    return text


def list_headings(text: str) -> list[tuple[int, int, str]]:
    """List where each heading begins, its level, and the anchor that readers of Markdown give it."""
    headings: list[tuple[int, int, str]] = []
    at, fence = 0, ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if line.startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif heading := _HEADING.match(line.rstrip("\n")):
            headings.append((at, len(heading[1]), make_anchor(heading[2])))
        at += len(line)
    return headings


def make_anchor(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def lead_links(page: Page, targets: dict[tuple[str, str], str], root: Path, address: str) -> str:
    """Lead the links of a page to other pages, or to the sources."""

    def lead(link: re.Match[str]) -> str:
        is_picture, words, there = link[1], link[2], link[3]
        path, _, anchor = there.partition("#")
        aim = os.path.normpath(PurePosixPath(page.source).parent / path) if path else page.source
        if is_picture:
            return f"![{words}]({_relate(page.target, aim.removeprefix('docs/'))})"
        if aim == INDEX:
            return f'<a href="{_relate(page.target, "llms.txt")}">{words}</a>'
        target = targets.get((aim, anchor)) or targets.get((aim, ""))
        if aim == "README.md" and (aim, anchor) not in targets:
            target = "index.md" if not anchor else None
        if target is not None:
            if target == page.target and anchor:
                return f"[{words}](#{anchor})"
            return f"[{words}]({_relate(page.target, target)}{f'#{anchor}' if anchor else ''})"
        if not (root / aim).exists():
            raise FileNotFoundError(f"{page.source} links to {there}, and there is no such file")
        if not address:
            return words
        kind = "tree" if (root / aim).is_dir() else "blob"
        return f"[{words}]({address}/{kind}/main/{aim}{f'#{anchor}' if anchor else ''})"

    spans = [match.span() for match in _CODE.finditer(page.text)]
    pieces, at = [], 0
    for match in _TEXT_LINK.finditer(page.text):
        if any(start < match.start() < end for start, end in spans):
            continue
        pieces += [page.text[at : match.start()], lead(match)]
        at = match.end()
    return "".join([*pieces, page.text[at:]])


def mark_examples(text: str) -> str:
    """Say of examples that are mistakes what they are, and of the names above others that they are given."""
    given = _GIVEN.sub(r"\1# given: ", text)
    return _WRONG.sub(r"```{code-block} \1\n:caption: Not like this (\2)\n\n\3", given)


def _relate(page: str, target: str) -> str:
    return os.path.relpath(target, os.path.dirname(page) or ".").replace(os.sep, "/")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
