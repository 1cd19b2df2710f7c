"""What is printed of one script, for a person: its functions, and what each place at which it is resumed leaves to do.

In: a program, the name of a script or question. Out: `Listed`. Never: prints anything that the tier does not run; the
text is taken from what is printed for the tier, and the places are found by the same printer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulebook.dsl import ir
from rulebook.dsl.syntax import At
from rulebook.interpreter import layout as lay
from rulebook.interpreter import ops as p
from rulebook.interpreter.compiled.book import Book
from rulebook.interpreter.compiled.paper import Paper
from rulebook.interpreter.compiled.printer import Print, Spot
from rulebook.interpreter.compiled.scripts import ScriptPrinter
from rulebook.interpreter.compiled.tier import Printed, printed
from rulebook.interpreter.program import Program

_FIXED = {number: name.lower() for name, number in vars(lay).items() if name.isupper() and isinstance(number, int)}
_LONGEST = 60
_SHORT = {
    "r": "the registers", "s": "the state", "p": "the frame of whoever called", "f": "the frame that is resumed",
    "A": "absent", "N": "no answer", "W": "somebody is waited for",
}  # fmt: skip
"""What is called the same in all printed text."""


@define
class Place:
    """A place at which a script is resumed: `function` goes on there.

    `why` is "answer", "call", "round" or "behind"; `at` is where the sentence stands that waited, or that is gone on
    with. `remains` are the places of what is left to do, in order; `then` is the function that goes on behind them.
    """

    function: str
    why: str
    at: At | None
    remains: list[At | None] = field(factory=list)
    then: str = ""


@define
class Listed:
    """`places` are empty for what never waits; `text` has one list of lines for each function, by its name.

    `names` say what each short name in the text stands for.
    """

    places: list[Place]
    text: dict[str, list[str]]
    names: dict[str, str]


class _Following(ScriptPrinter):
    """Prints a script once more, and notes what each of its functions begins with and leaves to do."""

    places: dict[int, Place]
    _now: Place | None = None
    _depth = 0

    def handed(self, pc: int) -> None:
        before: Any = self.code.ops[pc - 1]
        called = "call" if isinstance(before, p.Call | p.CallHook) else "behind"
        why = "answer" if isinstance(before, p.Choose) else called
        self._now = self.places[pc] = Place(f"g{self.index}_{pc}", why, self.code.ats[pc - 1])
        super().handed(pc)

    def _note(self, at: At | None, print: Print) -> None:
        if self._now is not None and self._depth == 0:
            self._now.remains.append(at)
        self._depth += 1
        print()
        self._depth -= 1

    def sentence(self, spot: Spot) -> None:
        self._note(spot.statement.at, lambda: super(_Following, self).sentence(spot))

    def around(self, spot: Spot, resumed: bool = True) -> None:
        if resumed and self._now is not None and self._depth == 0:
            self._now.why, self._now.at = "round", spot.statement.at
        super().around(spot, resumed)

    def loop(self, spot: Spot, statement: ir.ForEach | ir.Repeat) -> None:
        self._note(statement.at, lambda: super(_Following, self).loop(spot, statement))

    def go_on(self, pc: int, build: Print) -> None:
        if self._now is not None and self._depth == 0:
            self._now.then = f"g{self.index}_{pc}"
        super().go_on(pc, build)


def listed(program: Program, name: str, watched: bool) -> Listed:
    """What is printed of a script or question of the program."""
    rulebook = program.lowering.tables.rulebook
    whole = printed(program, watched)
    functions: dict[str, list[str]] = {}
    for line in whole.paper.lines:
        if line.startswith("def "):
            lines = functions[line[4 : line.index("(")]] = []
        elif not line.startswith(" "):
            continue
        lines.append(line)
    places: list[Place] = []
    if name in rulebook.scripts:
        index, locals = list(rulebook.scripts).index(name), rulebook.scripts[name].slots.names
        places = _places(program, rulebook, index, watched)
        mine = re.compile(rf"[cq]{index}|[gl]{index}_\d+")
    else:
        locals = rulebook.functions[name].slots.names
        mine = re.compile(f"f{list(rulebook.functions).index(name)}")
    own = [called for called in functions if mine.fullmatch(called)]
    text = {called: functions[called] for called in sorted(own, key=_number)}
    return Listed(places, text, _names(program, whole, locals, text))


def _number(function: str) -> int:
    """The op at which it begins: `g3_12` at 12; the beginning of a script before all."""
    head, _, op = function.rpartition("_")
    return int(op) if head else -1


def _places(program: Program, rulebook: ir.Rulebook, index: int, watched: bool) -> list[Place]:
    paper, script = Paper(), [*rulebook.scripts.values()][index]
    following = _Following(Book(program, paper, watched), script, index, program.codes[index])
    following.places = {}
    following.functions()
    return [following.places[pc] for pc in sorted(following.places)]


def _names(program: Program, whole: Printed, locals: tuple[str, ...], text: dict[str, list[str]]) -> dict[str, str]:
    """What short names in some functions stand for, in the order in which they come."""
    rulebook = program.lowering.tables.rulebook
    scripts, functions, slots = [*rulebook.scripts], [*rulebook.functions], _slots(program)
    named: dict[str, Callable[[str], str]] = {
        rf"(?P<n>[{''.join(_SHORT)}])\b": _SHORT.__getitem__,
        r"[cq](?P<n>\d+)(?=\()": lambda number: scripts[int(number)],
        r"f(?P<n>\d+)(?=\()": lambda number: functions[int(number)],
        r"(?P<n>[ah]\d+)(?=\[)": lambda name: f"who answers or does `{whole.hooks[name]}`",
        r"(?P<n>k\d+)": lambda name: _constant(whole.paper.names[name]),
        r"s\[(?P<n>\d+)(?=[\] ])": lambda number: slots.get(int(number), "a stream of chance"),
        r"v(?P<n>\d+)": lambda number: locals[int(number)] if int(number) < len(locals) else "",
    }
    found: dict[str, str] = {}
    for pattern, told in named.items():
        for lines in text.values():
            for match in re.finditer(rf"(?<![\w.]){pattern}", "\n".join(lines)):
                words = told(match["n"])
                if words:
                    found.setdefault(match[0] + ("]" if "[" in match[0] else ""), words)
    return found


def _slots(program: Program) -> dict[int, str]:
    """What stands in each slot of a state."""
    layout = program.layout
    found = {number: name for number, name in _FIXED.items() if number < lay.FIRST_FREE}
    for place in reversed(layout.places):
        owner = "" if place.owner is None else f" of {'seat' if place.owned_by == 'player' else 'card'} {place.owner}"
        found[place.slot] = place.name + owner
        found.setdefault(place.settled or place.slot, f"what is settled of {place.name}{owner}")
    for memory in (*layout.memory.values(), *layout.player_memory.values()):
        found[memory.slot] = memory.name if memory.owned_by == "table" else f"{memory.name}, by seat"
        if memory.owned_by == "player":
            found.update({memory.slot + seat: f"{memory.name} of seat {seat}" for seat in range(1, layout.players)})
    for state in layout.states.values():
        found[state.slot] = f"{state.name} by card"
    return found


def _constant(value: Any) -> str:
    """What a constant is. What runs is named by its class: its text would be another one each time."""
    if isinstance(value, p.Op):
        return f"the step {type(value).__name__}"
    if callable(value):
        return "a question, as the machine asks it"
    if isinstance(value, str | bytes | int | None):
        return repr(value)
    if isinstance(value, frozenset):
        value = tuple(sorted(value, key=repr))
    if isinstance(value, tuple):
        said = ", ".join(map(repr, value))
        if "0x" not in said:
            return f"({said if len(said) <= _LONGEST else said[: _LONGEST - 1] + '…'})"
    name = getattr(value, "name", "")
    return f"{type(value).__name__} {name}".strip()
