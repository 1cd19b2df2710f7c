"""The diff of two forms of a game as a unified diff of the YAML of each entry, and as records.

No program can apply the diff: what hangs on a script stands there as a comment says.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

from rulebook.comparing.changes import Change, Entry, differences
from rulebook.comparing.counts import totals
from rulebook.comparing.yaml_text import in_words, yaml_lines
from rulebook.dsl.document import Mapping, Node, find_node
from rulebook.dsl.overlay.paths import Keys
from rulebook.loading import CheckedGame
from rulebook.source import Span


def patch(before: CheckedGame, after: CheckedGame) -> Iterator[str]:
    """A unified diff, one piece for each entry; where each stands is in the lines above it."""
    for entry in differences(before.merged, after.merged):
        old, new = _lines(before.merged, entry.keys), _lines(after.merged, entry.keys)
        path = ".".join(entry.keys)
        one, other = (f"{path}  {_place(game, entry.keys)}".rstrip() for game in (before, after))
        yield from unified_diff(old, new, one, other, lineterm="")


def objects(before: CheckedGame, after: CheckedGame) -> dict[str, Any]:
    old, new = totals(before.rulebook), totals(after.rulebook)
    return {
        "game": after.rulebook.id,
        "from": list(before.rulebook.variants),
        "variants": list(after.rulebook.variants),
        "changes": [
            _object(change, entry, before, after)
            for entry in differences(before.merged, after.merged)
            for change in entry.changes
        ],
        "cards": {
            str(players): {"before": old.get(players), "after": new.get(players)} for players in sorted({*old, *new})
        },
    }


def _object(change: Change, entry: Entry, before: CheckedGame, after: CheckedGame) -> dict[str, Any]:
    known = {variant.id for variant in before.variants}
    return {
        "section": entry.section,
        "path": ".".join(change.keys),
        "what": change.what,
        "before": None if change.before is None else "\n".join(in_words(change.before)),
        "after": None if change.after is None else "\n".join(in_words(change.after)),
        "was": _at(before.merged, change.keys),
        "by": [
            {"variant": origin.variant, "verb": origin.verb, "file": origin.at.file.name, "line": origin.at.line}
            for path, origins in after.origins.items()
            for origin in origins
            if origin.variant not in known and (_within(path, change.keys) or _within(change.keys, path))
        ],
    }


def _within(outer: Keys, inner: Keys) -> bool:
    return inner[: len(outer)] == outer


def _lines(root: Mapping, keys: Keys) -> list[str]:
    """An entry as YAML, at the depth at which it stands."""
    entry = _entry(root, keys)
    if entry is None:
        return []
    node, _ = entry
    indent = "  " * (len(keys) - 1)
    return [f"{indent}{line}" for line in yaml_lines(keys[-1], node)]


def _entry(root: Mapping, keys: Keys) -> tuple[Node, Span] | None:
    """Find the node at a path, and the span of its key."""
    node, above = find_node(root, keys), find_node(root, keys[:-1])
    if node is None:
        return None
    return node, above.keys_at[keys[-1]].span if keys and isinstance(above, Mapping) else root.span


def _place(game: CheckedGame, keys: Keys) -> str:
    """Name the place of an entry, or the first line of a variant that is about it, as where it is taken away."""
    entry = _entry(game.merged, keys)
    of_variants = (origin.at for path, done in game.origins.items() for origin in done if _within(keys, path))
    span = next(of_variants, None if entry is None else entry[1])
    return "" if span is None else f"{span.file.name}:{span.line}"


def _at(root: Mapping, keys: Keys) -> dict[str, Any] | None:
    entry = _entry(root, keys)
    return None if entry is None else {"file": entry[1].file.name, "line": entry[1].line}
