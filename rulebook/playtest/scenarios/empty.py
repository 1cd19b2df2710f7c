"""Scenarios that would pass without what they do: nothing of what they look at has changed, though other things have.

In: a scenario that has passed, with the state in which it began and the one in which it ended. Out: hints. Where
nothing at all has changed, that is what the scenario shows, unless what could have changed it was skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulebook.diagnostics import Diagnostic, Label, diagnose
from rulebook.dsl import ir
from rulebook.dsl.lint.book import Book
from rulebook.dsl.walk import everything
from rulebook.interpreter.layout import STACK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.state import State
from rulebook.interpreter.wording import join_texts, place_key
from rulebook.playtest.coverage import Coverage
from rulebook.playtest.scenarios.expectations import Holds
from rulebook.playtest.scenarios.reading import Scenario

_MOST_NAMES = 4
_NAMED = ir.PlaceOf | ir.TableMemory | ir.PlayerMemory | ir.State


def find_empty(scenario: Scenario, machine: Machine, begun: State, ended: State) -> Iterator[Diagnostic]:
    """Find out if a scenario that has passed would have passed on the state in which it began."""
    questions = [line.form.question for line in scenario.expect if isinstance(line.form, Holds)]
    if scenario.until is not None or len(questions) < len(scenario.expect):
        return  # to be asked, to read a log and to have won come of what was done
    changed = dict(_find_changed(machine, begun, ended))
    if not changed:
        return
    read = _Read(ended)
    for question in questions:
        machine.evaluate(read, machine.program.lowering.lower_formula(question))
    if read.slots is not None and all(begun[slot] == ended[slot] for slot in read.slots - {STACK}):
        names = [f"`{name}`" for name in changed.values()]
        more = [f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES + 1 else []
        texts = join_texts([*names[:_MOST_NAMES], *more] if more else names)
        why = f"What it does changes {texts}, and nothing is expected of {'it' if len(names) == 1 else 'these'}."
        yield diagnose("RB518", scenario.span, where=f"scenario {scenario.title}", why=why)


def find_skipped_aims(
    scenario: Scenario, machine: Machine, begun: State, ended: State, count: Callable[[], Coverage]
) -> Iterator[Diagnostic]:
    """Find lines that were so from the start, while each sentence about the same place or memory was skipped; `count`
    runs the scenario again and counts.
    """
    questions = [(line, line.form.question) for line in scenario.expect if isinstance(line.form, Holds)]
    unchanged = [(line, question) for line, question in questions if _is_as_begun(machine, begun, ended, question)]
    skipped = count().always_skipped() if unchanged else ()
    if not skipped:
        return
    book = scenario.ground.book
    sentences = {statement.at.span: statement for statement in book.all(ir.Sentence) if statement.at is not None}
    for line, question in unchanged:
        names = _name_all(book, question)
        about = [span for span in skipped if names & _name_all(book, sentences[span])]
        labels = [Label(span, "skipped") for span in about]
        if labels:
            where = f"scenario {scenario.title}"
            yield diagnose("RB520", scenario.span, where=where, line=line.text, labels=labels[:_MOST_NAMES])
            return


def _is_as_begun(machine: Machine, begun: State, ended: State, question: ir.Expr) -> bool:
    """Tell whether all that a question reads is as it was."""
    read = _Read(ended)
    machine.evaluate(read, machine.program.lowering.lower_formula(question))
    return read.slots is not None and all(begun[slot] == ended[slot] for slot in read.slots - {STACK})


def _name_all(book: Book, node: ir.Node) -> set[str]:
    """Name the places, memories and states in a sentence or a question, and in all that these come to."""
    records = [*everything(node)]
    roots = [name for record in records for name in book.callees(record)]
    records += [record for name in book.below(*roots) for record in book.homes[name].records]
    return {record.name for record in records if isinstance(record, _NAMED)}


class _Read(list[Any]):
    """A state that notes which slots of it are read; None if more of it is read than single slots."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.slots: set[int] | None = set()

    def __getitem__(self, slot: Any) -> Any:
        if isinstance(slot, slice):
            self.slots = None
        elif self.slots is not None:
            self.slots.add(slot)
        return super().__getitem__(slot)

    def __iter__(self) -> Iterator[Any]:
        self.slots = None
        return super().__iter__()


def _find_changed(machine: Machine, begun: State, ended: State) -> Iterator[tuple[int, str]]:
    """The slots of what a scenario could name and what has changed, each with its name."""
    for slot, name in _name_slots(machine):
        if begun[slot] != ended[slot]:
            yield slot, name


def _name_slots(machine: Machine) -> Iterator[tuple[int, str]]:
    program, names = machine.program, machine.names
    layout = program.layout
    for place in layout.places[1:]:
        yield place.slot, place_key(program, names, place)
    for slot in layout.memory.values():
        yield slot.slot, slot.name
    for slot in layout.player_memory.values():
        yield from ((slot.slot + seat, f"{name}.{slot.name}") for seat, name in enumerate(names))
    for state in layout.states.values():
        yield state.slot, state.name
