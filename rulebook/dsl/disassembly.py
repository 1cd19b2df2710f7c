"""The IR of a script or question as text: each sentence with the line that its author wrote, below it its fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import fields

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.document import At

_SLOTS = ("slot", "slots", "index")
"""Fields that hold numbers of locals."""
_LONGEST = 90


def disassembled(root: ir.Script | ir.Function, stage: ir.Stage | None = None) -> list[str]:
    """A script or a question, or one stage of a script."""
    names = root.slots.names
    if stage is not None:
        return _print_sentence(stage, "", names)
    parameters = ", ".join(_print_local(slot, names) for slot in range(root.parameters)) or "nothing"
    lines = [f"given {parameters}"]
    lines += [
        f"local {_print_local(slot, names)}: {t.word_type(root.slots.types[slot])}"
        for slot in range(root.parameters, len(names))
    ]
    if isinstance(root, ir.Function):
        lines.append(f"answers {t.word_type(root.type)}")
    return [*lines, *_print_field("body", root.body, "", names)]


def first_line(at: At | None) -> str:
    """Return the first line of a sentence, as its author wrote it."""
    if at is None:
        return "what nobody wrote"
    line = at.words.partition("\n")[0].strip()
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def format_expression(value: Any, names: tuple[str, ...] = ()) -> str:
    """An expression in one line: its class, and its fields in order."""
    match value:
        case ir.Const(value=constant, type=of):
            return f'"{constant}"' if of == t.TEXT else _print_plain(constant)
        case ir.Local(slot, name):
            return f"{name or 'local'}#{slot}"
        case ir.Node() | ir.Key():
            own = [(field.name, getattr(value, field.name)) for field in _find_own_fields(value)]
            shown = [_print_part(name, part, names) for name, part in own if part is not None]
            return f"{type(value).__name__}({', '.join(shown)})" if shown else type(value).__name__
        case tuple():
            inside = (f'"{item}"' if isinstance(item, str) else format_expression(item, names) for item in value)
            return f"[{', '.join(inside)}]"
    return _print_plain(value)


def _print_part(name: str, value: Any, names: tuple[str, ...]) -> str:
    return _print_local(value, names) if name in _SLOTS and isinstance(value, int) else format_expression(value, names)


def _print_plain(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case tuple() | frozenset():
            inside = sorted(map(_print_plain, value)) if isinstance(value, frozenset) else map(_print_plain, value)
            return f"[{', '.join(inside)}]"
    return str(value)


def _print_local(slot: int, names: tuple[str, ...]) -> str:
    return f"{names[slot] if slot < len(names) and names[slot] else 'local'}#{slot}"


def _find_own_fields(record: Any) -> list[Any]:
    """The fields that a sentence is: not its place, not its type, which is shown behind it, no notes of the checks."""
    return [field for field in fields(type(record)) if field.repr and field.name not in ("type", "guards")]


def _print_sentence(sentence: ir.Sentence, indent: str, names: tuple[str, ...]) -> list[str]:
    """Print a sentence: its source, then the class and what is plain in one line, then expressions and blocks."""
    lines = [f"{indent}{first_line(sentence.at)}"] if sentence.at is not None else []
    return lines + _print_record(sentence, f"{indent}    ", names)


def _print_record(record: Any, indent: str, names: tuple[str, ...]) -> list[str]:
    head, below = [type(record).__name__], []
    for field in _find_own_fields(record):
        value = getattr(record, field.name)
        if field.name in _SLOTS and value is not None:
            slots = value if isinstance(value, tuple) else (value,)
            head.append(f"{field.name}={','.join(_print_local(slot, names) for slot in slots)}")
        elif value is None or isinstance(value, str | bool | int):
            if value != field.default and value not in ("", None):
                head.append(f"{field.name}={_print_plain(value)}")
        else:
            below += _print_field(field.name, value, f"{indent}  ", names)
    guards = getattr(record, "guards", ())
    if guards:
        head.append(f"unless absent: {', '.join(_print_local(slot, names) for slot in guards)}")
    return [f"{indent}{' '.join(head)}", *below]


def _print_field(name: str, value: Any, indent: str, names: tuple[str, ...]) -> list[str]:
    """A field of a sentence: an expression with its type, a block, or several records."""
    if isinstance(value, ir.Node):
        return [f"{indent}{name}: {format_expression(value, names)} : {t.word_type(value.type)}"]
    if isinstance(value, ir.Conditions | ir.Total):
        return [f"{indent}{name}: {type(value).__name__}", *_print_named(value.lines, f"{indent}  ", names)]
    items: Iterable[Any] = value if isinstance(value, tuple) else ()
    lines: list[str] = []
    for item in items:
        if isinstance(item, ir.Sentence):
            lines += _print_sentence(item, f"{indent}  ", names)
        elif isinstance(item, ir.Node):
            lines.append(f"{indent}  {format_expression(item, names)} : {t.word_type(item.type)}")
        else:
            lines += _print_record(item, f"{indent}  ", names)
    return [f"{indent}{name}:", *lines] if lines else []


def _print_named(lines: Iterable[Any], indent: str, names: tuple[str, ...]) -> list[str]:
    return [
        f"{indent}{row.name}: {format_expression(row.value, names)} : {t.word_type(row.value.type)}" for row in lines
    ]
