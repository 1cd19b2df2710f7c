"""Write a scenario as the text of a file that reads back as it was meant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled
from rulebook.playtest.settings import changed
from rulebook.printing import escape

Fields = Mapping[str, str | Sequence[str]]
"""By the name of a field its YAML, or the YAML of each of its entries; what is empty is left out."""


def write_lines(title: str, fields: Fields, remarks: Sequence[str], variants: Sequence[str]) -> Iterator[str]:
    yield from (f"# {remark}" for remark in remarks)
    if variants:
        yield f"variants: [{', '.join(variants)}]"
    yield "scenarios:"
    yield f"  {quote(title)}:"
    for name, value in fields.items():
        if isinstance(value, str):
            yield from [f"    {name}: {value}"] if value else []
        elif value:
            yield f"    {name}:"
            yield from (f"      - {item}" for item in value)


def write_options(rulebook: ir.Rulebook, options: Mapping[str, Settled]) -> str:
    """Write the house rules that are not as they are if nobody says otherwise."""
    differ = [f"{name}: {quote(value)}" for name, value in changed(rulebook, options).items()]
    return f"{{{', '.join(differ)}}}" if differ else ""


def write_answers(names: Sequence[str], picks: Mapping[tuple[int, int], Sequence[str]]) -> list[str]:
    """Write each decision of each player, by seat and number, with all of its picks."""
    return [
        f"{names[seat]}: {keys[0] if len(keys) == 1 else '[' + ', '.join(keys) + ']'}"
        for (seat, _), keys in picks.items()
    ]


def quote(text: str) -> str:
    """Quote a text so that YAML reads it back, whatever stands in it."""
    return escape(json.dumps(text, ensure_ascii=False))
