"""The names of what lies beneath a script or question that a variant hangs on it."""

from __future__ import annotations

import re

_BENEATH = re.compile(r"(.*?)(?: \(original(?: (\d+))?\))?", re.DOTALL)


def name_beneath(name: str) -> str:
    """Name the layer below a script or question: `rules.turn (original)`, and below that `rules.turn (original 2)`."""
    own, depth = _split_name(name)
    return f"{own} (original{f' {depth + 1}' if depth else ''})"


def name_plainly(name: str) -> str:
    """The name that people gave to a script or question, or to what lies above it."""
    return _split_name(name)[0]


def is_beneath(name: str) -> bool:
    """Tell whether it is the name of what lies below a layer."""
    return name_plainly(name) != name


def _split_name(name: str) -> tuple[str, int]:
    match = _BENEATH.fullmatch(name)
    assert match is not None
    return match[1], int(match[2] or 1) if match[1] != name else 0
