"""Mutants of a game against its scenarios: what can be left out of the rules, and no scenario notices.

In: scenarios that pass, all of one game. Out: `Tried`: the mutants that no scenario comes by, and those that every
scenario passes with. A mutant is played in the scenarios in which it matters, those with little work first, until one
fails. Never: says whether that is bad; a sentence that says nothing no scenario can notice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import attrs
from attrs import define, evolve, field

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl.settling.options import Settled
from rulebook.dsl.watched import Marks
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Mutation, Program
from rulebook.playtest.ablation.wrapping import Mutant, Wrapped, wrap
from rulebook.playtest.scenarios.ground import Ground
from rulebook.playtest.scenarios.reading import Scenario
from rulebook.playtest.scenarios.rejoining import Trail, follow


@frozen
class Tried:
    """The mutants of a game: how many there are, those that no scenario comes by, those that none notices; the game
    with all of them in it, as it was wrapped.
    """

    rulebook: ir.Rulebook = field(repr=False)
    wrapped: Wrapped = field(repr=False)
    ground: MutantGround = field(repr=False)
    mutants: int
    unmet: tuple[Mutant, ...]
    unnoticed: tuple[Mutant, ...]

    def to_json(self, beginnings: Mapping[int, str] | None = None) -> dict[str, object]:
        """The same for machines, with scenarios to begin with, if they were looked for."""
        listed = {"unmet": self.unmet, "unnoticed": self.unnoticed}
        rows = {name: [_to_json(one, beginnings) for one in mutants] for name, mutants in listed.items()}
        return {"tried": self.mutants, **rows}


def _to_json(mutant: Mutant, beginnings: Mapping[int, str] | None) -> dict[str, object]:
    span = None if mutant.site.at is None else mutant.site.at.span
    place = {} if span is None else {"file": span.file.name, "line": span.line, "column": span.column}
    begin = {} if beginnings is None else {"begin": beginnings.get(mutant.number)}
    return place | {"words": mutant.site.words, "instead": mutant.instead} | begin


def _answers(mutant: Mutant) -> bool:
    """Tell whether something is the answer of a question: left out, the question would have none."""
    return isinstance(mutant.site.node, ir.Return) and mutant.site.node.value is not None


def describe_mutant(mutant: Mutant) -> str:
    """Describe a mutant for people: the author's own words, and what becomes of them."""
    first, *more = mutant.site.words.split("\n")
    words = f"`{first.strip()}{' …' if more else ''}`"
    return f"{words} {_BECOMES.get(mutant.instead, f'as {mutant.instead}')}"


def place_mutant(mutant: Mutant) -> str:
    """Say where a mutant stands: `my_game/rulebook.yaml:84`."""
    at = mutant.site.at
    return f"{at.span.file.name}:{at.span.line}" if at is not None else ""


_BECOMES = {None: "left out", "yes": "always yes", "no": "always no", "0": "counted as nothing", "1": "taken as 1"}
"""Words for a mutant, by the value that stands instead."""


@define(eq=False)
class MutantGround(Ground):
    """A game of which one mutant may be played, in all its programs at once."""

    marks: Marks = field(factory=Marks, kw_only=True)
    mutation: Mutation = field(factory=Mutation)
    _lowered: dict[tuple[object, ...], Program] = field(factory=dict, repr=False, init=False)

    def program(self, players: int, options: Mapping[str, Settled]) -> Program:
        key = (players, *options.items())
        if key not in self._lowered:
            program = lower(self.rulebook, players, dict(options), marks=self.marks)
            self._lowered[key] = attrs.evolve(program, mutation=self.mutation)
        return self._lowered[key]

    def try_mutant(self, mutant: int | None) -> None:
        """Play a mutant from now on, or none."""
        self.mutation.mutant = mutant
        for program in self._lowered.values():
            program.searched.clear()  # what was found about sets holds for one mutant alone


def try_mutants(
    scenarios: Sequence[Scenario], on_mutant: Callable[[int, int], None] = lambda done, mutants: None
) -> Tried:
    """Play each mutant of the game of some scenarios. `on_mutant` is told how many are done, and of how many."""
    ground = scenarios[0].ground
    wrapped = wrap(ground.rulebook)
    twin = MutantGround(wrapped.rulebook, ground.world, marks=wrapped.marks)
    trails = list[Trail]()
    for scenario in scenarios:
        twin.try_mutant(None)
        trails.append(follow(evolve(scenario, ground=twin), twin.mutation))
    trails.sort(key=lambda trail: trail.work)
    met = {mutant for trail in trails for mutant in trail.matters}
    mutants = [mutant for mutant in wrapped.mutants if mutant.number not in wrapped.same and not _answers(mutant)]
    unmet, unnoticed = list[Mutant](), list[Mutant]()
    for done, mutant in enumerate(mutants):
        on_mutant(done, len(mutants))
        twin.try_mutant(mutant.number)
        near = (trail for trail in trails if trail.matters.get(mutant.number))
        if mutant.number not in met:
            unmet.append(mutant)
        elif all(trail.passes_in(mutant.number) for trail in near):
            unnoticed.append(mutant)
    return Tried(ground.rulebook, wrapped, twin, len(mutants), tuple(unmet), tuple(unnoticed))
