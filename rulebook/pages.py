"""The page of a code: what it means, why, an example with the message it gives, and the same put right.

The examples are checked while the page is made, so what it shows is what `rulebook validate` says.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulebook.diagnostics import Severity, codes, template
from rulebook.diagnostics.registry import Confidence, Example
from rulebook.diagnostics.render import folded, render_messages
from rulebook.examples import find_messages

WIDTH = 80
_BEGINNING = """\
# Messages

Every message that `rulebook validate` can give, with an example of it and the same put right. `rulebook explain RB203`
shows one of these pages. This file is made of the messages themselves:
`rulebook explain --markdown > docs/messages.md`.
"""
_SURE: dict[Confidence, str] = {
    "certain": "it is certain",
    "likely": "it is likely, not certain",
    "guess": "it is a guess, and never makes a check fail",
}
_HOW_BAD: dict[Severity, str] = {"error": "an error", "warning": "a warning", "tip": "a tip"}


def make_page(code: str, width: int = WIDTH, colour: bool = False) -> str:
    """One page for a terminal of so many columns; ends with a line break. Raises LookupError for an unknown code."""
    text = template(code)
    lines = [f"{code}: {text.title}", f"({_nature(code)})", "", *folded(text.means, width)]
    lines += ["", *folded(f"Why: {text.why}", width)]
    for example in text.bad:
        lines += ["", *folded(f"What gives it{_word_kind(example)}:", width), "", *_indent_lines(example.text)]
        lines += ["", *_render_messages(example, width, colour)]
    for example in text.good:
        lines += ["", *folded(f"Put right{_word_kind(example)}:", width), "", *_indent_lines(example.text)]
    return "\n".join(lines) + "\n"


def markdown(code: str) -> str:
    """One page as a chapter of a document. Raises LookupError for an unknown code."""
    text = template(code)
    parts = [f"## {code}: {text.title}", f"*{_nature(code).capitalize()}.*", text.means, text.why]
    for example in text.bad:
        parts += [f"What gives it{_word_kind(example)}:", _fence([example.text.rstrip("\n")])]
        parts.append(_fence(_render_messages(example, WIDTH, False)))
    for example in text.good:
        parts += [f"Put right{_word_kind(example)}:", _fence([example.text.rstrip("\n")])]
    return "\n\n".join(parts) + "\n"


def document() -> str:
    """All pages, after a list of them."""
    rows = ["| code | | what it is about |", "| --- | --- | --- |"]
    for code in codes():
        text = template(code)
        rows.append(f"| [{code}](#{_anchor(code)}) | {text.severity} | {text.title} |")
    return "\n".join([_BEGINNING, *rows, "", *(markdown(code) for code in codes())])


def listing() -> list[tuple[str, str]]:
    """Every code, with how bad it is and its title."""
    return [(f"{code}  {template(code).severity:<7}", template(code).title) for code in codes()]


def _nature(code: str) -> str:
    text = template(code)
    return f"{_HOW_BAD[text.severity]}; {_SURE[text.confidence]}"


def _word_kind(example: Example) -> str:
    return {"script": ", in a script", "value": ", in the script of a value"}.get(example.kind, "")


def _render_messages(example: Example, width: int, colour: bool) -> list[str]:
    """The messages that the example gives, as validate shows them."""
    name = "example.yaml" if example.kind in ("yaml", "game", "play", "often", "scenarios") else "script"
    messages = [evolve(message, where="") for message in find_messages(example, name)]
    return render_messages(messages, width, colour).rstrip("\n").split("\n")


def _indent_lines(text: str) -> Iterator[str]:
    for line in text.rstrip("\n").split("\n"):
        yield f"    {line}".rstrip().replace("\t", "→   ")


def _fence(lines: list[str]) -> str:
    return "\n".join(["```text", *lines, "```"])


def _anchor(code: str) -> str:
    """Return the anchor of a page's heading in Markdown: small letters, digits and `-`."""
    heading = f"{code}: {template(code).title}".lower().replace(" ", "-")
    return "".join(letter for letter in heading if letter.isalnum() or letter in "-_")
