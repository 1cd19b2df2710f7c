"""The signs of our own drawing, by name; each is one SVG path in a square of `SIDE`, filled by the even-odd rule."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

SIDE = 24


@cache
def list_glyphs() -> dict[str, str]:
    """Return the path of each glyph by its name, sorted."""
    return tomllib.loads(Path(__file__).with_name("glyphs.toml").read_text("utf-8"))
