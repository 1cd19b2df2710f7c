"""The steps of a code as text, for a person.

Locals are shown as `name#0`, registers behind them as `t0`, constants as they are; `@7` is a piece that begins at step
7 and is run on its own, `or 7` is where the code goes on if the step asks something of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields

from rulebook.classes import frozen
from rulebook.interpreter.layout import MemorySlot, PlaceSlot, StateSlot
from rulebook.interpreter.op_table import Step
from rulebook.interpreter.program import Choice, Code, Kept, Pick, Program, Source, Window

_LONGEST = 60
_LOCALS = ("slot", "decider")
"""Fields of choices that are numbers of locals."""


@frozen
class Listed:
    """A step: its number, whether others lead to it, the lines that show it, where its sentence stands."""

    number: int
    is_target: bool
    lines: tuple[str, ...]
    at: Any


def list_steps(program: Program, code: Code) -> list[Listed]:
    shown = _Shown(program, code)
    lines = [tuple(shown.show_step(number, step)) for number, step in enumerate(code.steps)]
    return [
        Listed(number, number in shown.targets, step, at)
        for number, (step, at) in enumerate(zip(lines, code.ats, strict=True))
    ]


class _Shown:
    """Puts the operands of one code into words; `targets` are the steps to which any of them leads."""

    def __init__(self, program: Program, code: Code) -> None:
        self.program, self.code = program, code
        self.targets = {target for stage in code.stage_table for target in (stage.title, stage.until, stage.exit)}

    def show_step(self, number: int, step: Step) -> Iterator[str]:
        """The line of a step, and those of the choice that it puts."""
        written, read, below = list[str](), list[str](), list[str]()
        for (name, kind), operand in zip(step.op.operands.items(), step.operands, strict=True):
            if isinstance(operand, Choice | Window):
                below += self.show_record(operand, "  ")
            elif kind.startswith("Out") and operand is not None:
                written.append(self.show_register(operand))
            elif kind.startswith(("In", "First")) and operand is not None:
                read.append(self.show_register(operand))
            elif operand not in (None, ""):
                read.append(f"{name}={self.show_operand(kind, operand)}")
        head = f"{', '.join(written)} = {step.op.name}" if written else step.op.name
        line = f"{head} {', '.join(read)}" if read else head
        trap = self.code.traps[number]
        if trap >= 0:
            line += f"  or {self.show_target(trap)}"
        yield line
        yield from below

    def show_register(self, number: int) -> str:
        code, behind = self.code, number - self.code.size - self.code.width
        if behind >= 0:
            return _show_value(code.constants[behind])
        if number >= code.size:
            return f"t{number - code.size}"
        return f"{(code.names[number] if number < len(code.names) else '') or 'local'}#{number}"

    def show_target(self, number: int) -> str:
        self.targets.add(number)
        return str(number)

    def show_entry(self, number: int) -> str:
        return f"@{self.show_target(number)}"

    def show_operand(self, kind: str, operand: Any) -> str:
        """Print an operand that is no register."""
        match kind.removesuffix(" | None"):
            case "Target":
                return self.show_target(operand)
            case "Targets":
                return _show_words(map(self.show_target, operand))
            case "Entry":
                return self.show_entry(operand)
            case "Slots":
                return _show_words(map(self.show_register, operand))
            case "CodeIndex":
                return str(self.program.codes[operand].name)
            case "Codes":
                return _show_words(dict.fromkeys(self.program.codes[code].name for code in operand if code is not None))
            case "StageIndex":
                return str(self.code.stage_table[operand].name)
            case "Stages":
                return _show_words(self.code.stage_table[stage].name for stage in operand)
            case "Told":
                return self.show_register(operand)
            case "Places":
                places = [self.program.layout.places[place].name for place in operand if place is not None]
                return _show_words(dict.fromkeys(places))
        return _show_value(operand)

    def show_record(self, record: Choice | Window | Pick | Source, indent: str) -> Iterator[str]:
        """A choice, line by line: what is said of it, then what it is made of."""
        words, below = [type(record).__name__], list[str]()
        for field in fields(type(record)):
            value, kind = getattr(record, field.name), str(field.type)
            if field.name in ("picks", "sources"):
                for part in value:
                    below += self.show_record(part, f"{indent}  ")
            elif field.name in _LOCALS and value is not None and value >= 0:
                words.append(f"{field.name}={self.show_register(value)}")
            elif value is None or value is False or value in ((), "") or callable(value) or field.name in _LOCALS:
                continue
            elif kind.startswith("tuple[Entry"):
                words.append(
                    f"{field.name}={_show_words('none' if part is None else self.show_entry(part) for part in value)}"
                )
            else:
                words.append(
                    f"{field.name}={self.show_entry(value) if kind.startswith('Entry') else _show_value(value)}"
                )
        yield indent + " ".join(words)
        yield from below


def _show_words(words: Any) -> str:
    return _shorten(f"[{', '.join(words)}]")


def _show_value(value: Any) -> str:
    """A value in few words."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case str():
            return _shorten(f'"{value}"')
        case Kept():
            return _show_words(name or "all cards" for name in dict.fromkeys(name for _, name in value.reads))
        case MemorySlot() | StateSlot() | PlaceSlot() | Code():
            return value.name
        case tuple():
            return _show_words(map(_show_value, value))
        case frozenset():
            return _show_words(map(_show_value, sorted(value)))
    return _shorten(str(value))


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
