"""Scenarios: the tests that designers write, beside their game.

In: the path of a game. Out: what stands in its `scenarios/`, and what is wrong with it. Never: plays one (`trial`
does), or stops at the first that is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import document as d
from rulebook.dsl.reading.folder import shown
from rulebook.dsl.reading.reader import read_file
from rulebook.dsl.settling.options import Given
from rulebook.library import scenario_files
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.source import SourceFile
from rulebook.suppressions import settle

if TYPE_CHECKING:
    from rulebook.playtest.scenarios.reading import Scenario

__all__ = ["load_scenarios", "scenarios_on", "titled"]


def load_scenarios(
    game: Path,
    only: Path | None = None,
    variants: Sequence[Path] = (),
    given: Mapping[str, Given] | None = None,
    *,
    meant: bool = False,
) -> tuple[list[Scenario], list[Diagnostic]]:
    """All scenarios of the game in a folder, or those of one file, and all that is wrong with them.

    If the game itself has mistakes, there are no scenarios: only whether their files can be read is said then. A file
    may name variants that are laid over the game for its scenarios; `variants` are laid over the game for all of them,
    and `given` are the house rules of those that do not say otherwise. With `meant`, the messages are also about what
    the game says for nothing. Raises BadSettings for house rules that the game cannot have.
    """
    grounds = Grounds(game, variants, given, meant=meant)
    scenarios, found = scenarios_on(grounds, only)
    return scenarios, grounds.found + found


def scenarios_on(grounds: Grounds, only: Path | None = None) -> tuple[list[Scenario], list[Diagnostic]]:
    """The same, and only what is wrong with the scenarios; the grounds know what is wrong with the game."""
    alone = grounds.under()
    scenarios: list[Scenario] = []
    found: list[Diagnostic] = []
    for file in scenario_files(grounds.game) if only is None else [only]:
        if alone is None:
            _, problems = read_file(file, shown(file))
        else:
            # Who has no scenarios need not know how they are read.
            from rulebook.playtest.scenarios.reading import read_scenarios

            read, problems = read_scenarios(file, grounds, shown(file))
            scenarios += read
        found += settle(problems, _source(file), complete=alone is not None)
    return scenarios, found


def _source(file: Path) -> list[SourceFile]:
    """The file as a text, unless it cannot be read."""
    top, _ = read_file(file, shown(file))
    return [] if top is None else [top.span.file]


def titled(game: Path, only: Path | None = None) -> int:
    """How many scenarios stand there, with mistakes or without; a file that is no YAML has none."""
    tops = [read_file(file)[0] for file in (scenario_files(game) if only is None else [only])]
    listed = [top.get("scenarios") for top in tops if top is not None]
    return sum(len(one) for one in listed if isinstance(one, d.Mapping))
