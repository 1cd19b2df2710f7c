"""The table of ops of the engine, `ops.inc`, as it follows from the ops of the machine."""

from __future__ import annotations

from rulebook.interpreter.core import encode
from rulebook.interpreter.op_table import OPS

_LETTERS = {
    "In": "r", "Out": "w", "In | None": "R", "Out | None": "W", "First": "f", "int": "n",
    "bool": "n", "End": "n", "Face": "n", "Way": "n", "Sign": "n", "Target": "t",
    "Entry": "e", "CodeIndex": "k", "Code": "q", "StageIndex": "g", "Name": "y", "StreamSlot": "u", "Choice": "h",
    "MemorySlot": "m", "StateSlot": "s", "Slots": "Z", "Targets": "T", "Places": "P", "Printed": "O", "Objects": "S",
    "Codes": "K", "Questions": "Q", "Window": "v", "Steps": "L", "Signs": "L", "Stages": "L", "Definitions": "L",
    "ManyWords": "L", "Kept": "L",
}  # fmt: skip
"""The letter of each kind of operand in the engine; `loop.c` has their meanings."""
_IN_PIECES = ("values", "lists", "watching")
"""The modules whose ops stand in questions and pieces too, but for some; and what others may not."""
_NEVER_IN_PIECES = {"jump_if_absent", "next_player"}


def write_ops() -> str:
    """Write the table of ops for the engine, `ops.inc`: names and operands. Ops for scripts alone come last."""
    in_pieces, in_scripts = list[str](), list[str]()
    for op in sorted(OPS.values(), key=lambda op: op.do.__module__):
        name = op.name
        if name in encode._OF_THE_MACHINE:
            continue
        letters = "".join(_LETTERS[kind] for kind in op.operands.values() if kind in encode._OPERANDS)
        letters = letters.replace("fL", "FL")  # the first of as many registers as the list behind it is long
        row = f'X({name}, "{letters}{"w" * (name in encode._LOOPS)}")'
        is_common = op.do.__module__.rpartition(".")[2] in _IN_PIECES and name not in _NEVER_IN_PIECES
        (in_pieces if is_common else in_scripts).append(row)
    rows = " \\\n    ".join(['X(nop, "")', *in_pieces, "/* only in scripts: */", *in_scripts])
    first = in_scripts[0].partition(",")[0].removeprefix("X(")
    about = "/* Written from the table of ops of the machine: UPDATE_OPS=1 pytest tests/interpreter/test_core.py */"
    return f"{about}\n\n#define OPS(X) \\\n    {rows}\n\n#define FIRST_IN_SCRIPTS OP_{first}\n"
