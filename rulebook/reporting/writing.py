"""Reports and comparisons as plain values for `--json`: the names of fields are the keys, in the order of the records.

What is none is left out, but for fields that are null where there is nothing. A few keys are words that Python keeps
for itself, or were chosen for readers of the output, and differ from the names of the records.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args, get_origin

from attrs import fields, has
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from rulebook.comparing.in_english import ChangedRule
from rulebook.playtest.series.about import find_subject
from rulebook.reporting.records import (
    NULL,
    About,
    BestResponse,
    Comparison,
    Finding,
    Had,
    Holder,
    Level,
    Levels,
    Measure,
    Merged,
    Report,
    Rung,
)

_KEYS = {Rung: {"unit": "in"}, BestResponse: {"unit": "in"}, Holder: {"with_it": "with"}, Finding: {"says": "what"}}
"""The keys of fields that have another name."""
_UNSHOWN = ("group", "about", "name", "games", "seen")
"""Fields of a line that are left out at each level."""
_ORDERS = {
    "crashed": ("kind", "about", "name", "weight", "question", "what"),
    "stopped": ("kind", "about", "name", "weight", "question", "what"),
    "never_played": ("about", "name", "weight", "question", "kind", "came", "what"),
    "never_so": ("about", "name", "weight", "question", "kind", "asked", "what"),
}
"""The keys of findings of a kind, in their order, where it is not that of all others."""


def write_json(record: Report | Comparison) -> dict[str, Any]:
    """Write a report or a comparison as plain values."""
    plain: dict[str, Any] = _converter.unstructure(record)
    return plain


def _write_plainly(converter: Converter, cls: Any) -> Callable[[Any], dict[str, Any]]:
    """Make what writes a record field by field."""
    renamed: dict[str, Any] = {name: override(rename=key) for name, key in _KEYS.get(cls, {}).items()}
    write = make_dict_unstructure_fn(cls, converter, **renamed)
    kept = {field.name for field in fields(cls) if field.metadata == NULL or cls is ChangedRule}

    def write_record(record: Any) -> dict[str, Any]:
        return {key: value for key, value in write(record).items() if value is not None or key in kept}

    return write_record


def _write_report(converter: Converter, cls: Any) -> Callable[[Any], dict[str, Any]]:
    write = _write_plainly(converter, cls)

    def write_report(report: Report) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for key, value in write(report).items():
            if key == "play":
                plain |= value
                continue
            plain[key] = value
            # The luck of deals that are played several times may not be known, which is said.
            if key == "by_bot" and report.luck is None:
                plain["luck"] = None
        return plain

    return write_report


def _write_comparison(converter: Converter, cls: Any) -> Callable[[Any], dict[str, Any]]:
    write = _write_plainly(converter, cls)

    def write_comparison(comparison: Comparison) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for key, value in write(comparison).items():
            if key == "play":
                plain |= value
            elif key != "command" or value:
                plain[key] = value
        return plain

    return write_comparison


def _write_level(converter: Converter, level: Level[Any]) -> dict[str, Any]:
    plain = {"name": level.name, "bots": level.bots}
    result = converter.unstructure(level.result)
    if isinstance(level.result, Report):
        return plain | {"games": level.games, "seconds": level.seconds, "report": result}
    return plain | {"pairs": level.games, "command": level.command, "seconds": level.seconds, "compared": result}


def _write_levels(converter: Converter, levels: Levels[Any, Any]) -> dict[str, Any]:
    lens = [*levels.lens, *([levels.lengths] if levels.lengths is not None else ())]
    plain = {
        "levels": [converter.unstructure(level) for level in levels.levels],
        "ladder": [converter.unstructure(rung) for rung in levels.ladder],
        "worthy": list(levels.worthy),
        "lens": [converter.unstructure(merged) for merged in lens],
    }
    if levels.guesses:
        plain["guesses"] = [converter.unstructure(guess) for guess in levels.guesses]
    if levels.bindings:
        plain["bindings"] = [converter.unstructure(binding) for binding in levels.bindings]
    if levels.mends:
        plain["mends"] = [converter.unstructure(mend) for mend in levels.mends]
    if levels.solution is not None:
        plain["solution"] = converter.unstructure(levels.solution)
    return plain | ({"not_played": list(levels.not_played)} if levels.not_played else {})


def _write_finding(converter: Converter, cls: Any) -> Callable[[Any], dict[str, Any]]:
    write = _write_plainly(converter, cls)

    def write_finding(finding: Finding) -> dict[str, Any]:
        plain = write(finding) | {"about": find_subject(finding.about)}
        times = plain.pop("times", None)
        if order := _ORDERS.get(finding.kind):
            plain = {key: plain.get(key, times) for key in order}
        elif isinstance(finding.about, Had):
            command = {key: plain.pop(key) for key in ("command",) if key in plain}
            plain |= {"having": finding.about.way, **command}
        return plain

    return write_finding


def _write_merged(converter: Converter, cls: Any) -> Callable[[Any], dict[str, Any]]:
    write = _write_plainly(converter, cls)

    def write_row(row: Any) -> dict[str, Any]:
        if isinstance(row, Measure):
            return _write_measure(row)
        return {key: value for key, value in converter.unstructure(row).items() if key not in _UNSHOWN}

    def write_merged(merged: Merged[Any]) -> dict[str, Any]:
        return write(merged) | {"levels": {level: write_row(row) for level, row in merged.levels.items()}}

    return write_merged


def _write_measure(measure: Measure) -> dict[str, Any]:
    """Write a measure of one level as a line: first the difference, then what it is about."""
    difference = measure.difference
    return {
        "value": difference.value,
        "low": difference.low,
        "high": difference.high,
        "sure_low": measure.sure_low,
        "sure_high": measure.sure_high,
        "grey": measure.grey,
        "mark": measure.mark,
        "more": measure.more,
        "base": measure.base,
        "changed": measure.changed,
        "is_rate": measure.is_rate,
        "group": measure.group,
        "name": measure.name,
        "tells": measure.tells,
    }


def _make_converter() -> Converter:
    converter = Converter()
    converter.register_unstructure_hook_factory(has, partial(_write_plainly, converter))
    for cls, make in (
        (Finding, _write_finding),
        (Merged, _write_merged),
        (Report, _write_report),
        (Comparison, _write_comparison),
    ):
        converter.register_unstructure_hook_factory(partial(_is_class, cls), partial(make, converter))
    for about in get_args(About):
        converter.register_unstructure_hook(about, str)
    converter.register_unstructure_hook_func(partial(_is_class, Level), partial(_write_level, converter))
    converter.register_unstructure_hook_func(partial(_is_class, Levels), partial(_write_levels, converter))
    return converter


def _is_class(cls: type, other: Any) -> bool:
    return cls in (other, get_origin(other))


_converter = _make_converter()
