"""The words of the pages, by name: all that they say themselves stands in `words.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from html import escape
from pathlib import Path

_NAMED = re.compile(r"\{\{(\w+)\}\}")


@cache
def list_words() -> dict[str, str | dict[str, str]]:
    """Return each sentence by its name; by the plural where a number decides."""
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


def find_words(name: str, **values: object) -> str:
    """Find a sentence that is the same for all numbers, and put its values in."""
    words = list_words()[name]
    assert isinstance(words, str)
    return words.format(**values)


def fill_words(page: str) -> str:
    """Put the sentences into a page that names them: `{{name}}`."""
    return _NAMED.sub(lambda named: escape(find_words(named[1])), page)
