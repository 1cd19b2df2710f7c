"""Which sentences a scenario skipped, because they speak of somebody or something that is not there.

In: a scenario. Out: the places of those sentences. Never: says that one of them is a mistake; most are skipped because
a rule means it so. Whoever looks for the reason of a failure wants to know of them.
"""

from __future__ import annotations

from attrs import evolve

from rulebook.playtest.scenarios.ground import Ground
from rulebook.playtest.scenarios.reading import Scenario
from rulebook.playtest.scenarios.trial import run
from rulebook.source import Span


class Skips:
    """Knows what scenarios skip. Of each game that they are about, programs that count are made once."""

    def __init__(self) -> None:
        self._counting: dict[Ground, Ground] = {}

    def of(self, scenario: Scenario) -> tuple[Span, ...]:
        """The sentences of the game that were skipped at least once, in the order of the files; it is run again."""
        ground = self._counting.get(scenario.ground)
        if ground is None:
            ground = self._counting[scenario.ground] = Ground(scenario.ground.rulebook, scenario.ground.world)
            ground.cover()
        coverage = ground.coverage
        assert coverage is not None, "it was asked to count"
        coverage.forget()
        run(evolve(scenario, ground=ground))
        return coverage.skipped()
