"""The steps of a code as text, for a person.

Locals are shown as `name#0`, registers behind them as `t0`, constants as they are; `@7` is a piece that begins at step
7 and is run on its own, `or 7` is where the code goes on if the step asks something of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields, frozen

from rulebook.interpreter.layout import MemorySlot, PlaceSlot, StateSlot
from rulebook.interpreter.ops.table import Step
from rulebook.interpreter.program import Choice, Code, Pick, Program, Source, Window

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
    lines = [tuple(shown.step(number, step)) for number, step in enumerate(code.steps)]
    return [
        Listed(number, number in shown.targets, one, at)
        for number, (one, at) in enumerate(zip(lines, code.ats, strict=True))
    ]


class _Shown:
    """Puts the operands of one code into words; `targets` are the steps to which any of them leads."""

    def __init__(self, program: Program, code: Code) -> None:
        self.program, self.code = program, code
        self.targets = {one for stage in code.stage_table for one in (stage.title, stage.until, stage.exit)}

    def step(self, number: int, step: Step) -> Iterator[str]:
        """The line of a step, and those of the choice that it puts."""
        written, read, below = list[str](), list[str](), list[str]()
        for (name, kind), operand in zip(step.op.operands.items(), step.operands, strict=True):
            if isinstance(operand, Choice | Window):
                below += self.record(operand, "  ")
            elif kind.startswith("Out") and operand is not None:
                written.append(self.register(operand))
            elif kind.startswith(("In", "First")) and operand is not None:
                read.append(self.register(operand))
            elif operand not in (None, ""):
                read.append(f"{name}={self.operand(kind, operand)}")
        head = f"{', '.join(written)} = {step.op.name}" if written else step.op.name
        line = f"{head} {', '.join(read)}" if read else head
        trap = self.code.traps[number]
        if trap >= 0:
            line += f"  or {self.target(trap)}"
        yield line
        yield from below

    def register(self, number: int) -> str:
        code, behind = self.code, number - self.code.size - self.code.width
        if behind >= 0:
            return _plain(code.constants[behind])
        if number >= code.size:
            return f"t{number - code.size}"
        return f"{(code.names[number] if number < len(code.names) else '') or 'local'}#{number}"

    def target(self, number: int) -> str:
        self.targets.add(number)
        return str(number)

    def entry(self, number: int) -> str:
        return f"@{self.target(number)}"

    def operand(self, kind: str, operand: Any) -> str:
        """Print an operand that is no register."""
        match kind.removesuffix(" | None"):
            case "Target":
                return self.target(operand)
            case "Targets":
                return _listed(map(self.target, operand))
            case "Entry":
                return self.entry(operand)
            case "Slots":
                return _listed(map(self.register, operand))
            case "CodeIndex":
                return str(self.program.codes[operand].name)
            case "Codes":
                return _listed(dict.fromkeys(self.program.codes[one].name for one in operand if one is not None))
            case "StageIndex":
                return str(self.code.stage_table[operand].name)
            case "Stages":
                return _listed(self.code.stage_table[one].name for one in operand)
            case "Told":
                return self.register(operand)
            case "Places":
                places = [self.program.layout.places[one].name for one in operand if one is not None]
                return _listed(dict.fromkeys(places))
        return _plain(operand)

    def record(self, record: Choice | Window | Pick | Source, indent: str) -> Iterator[str]:
        """A choice, line by line: what is said of it, then what it is made of."""
        said, below = [type(record).__name__], list[str]()
        for one in fields(type(record)):
            value, kind = getattr(record, one.name), str(one.type)
            if one.name in ("picks", "sources"):
                for part in value:
                    below += self.record(part, f"{indent}  ")
            elif one.name in _LOCALS and value is not None and value >= 0:
                said.append(f"{one.name}={self.register(value)}")
            elif value is None or value is False or value in ((), "") or callable(value) or one.name in _LOCALS:
                continue
            elif kind.startswith("tuple[Entry"):
                said.append(f"{one.name}={_listed('none' if part is None else self.entry(part) for part in value)}")
            else:
                said.append(f"{one.name}={self.entry(value) if kind.startswith('Entry') else _plain(value)}")
        yield indent + " ".join(said)
        yield from below


def _listed(words: Any) -> str:
    return _short(f"[{', '.join(words)}]")


def _plain(value: Any) -> str:
    """A value in few words."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case str():
            return _short(f'"{value}"')
        case MemorySlot() | StateSlot() | PlaceSlot() | Code():
            return value.name
        case tuple():
            return _listed(map(_plain, value))
        case frozenset():
            return _listed(map(_plain, sorted(value)))
    return _short(str(value))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
