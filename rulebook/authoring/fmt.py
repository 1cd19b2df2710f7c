"""The scripts of a game, brought to one spelling; the YAML around them stays as it is.

The game is loaded again from the new texts before anybody gets them, and must be the very same rules, variants and
scenarios.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve, field

from rulebook.authoring.beginnings import copy_sheets
from rulebook.authoring.fmt_scripts import respell
from rulebook.classes import frozen
from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.dsl.document import Scalar
from rulebook.dsl.parsing.parser import noting
from rulebook.dsl.reading.reader import read_file
from rulebook.library import SCENARIOS, VARIANTS, rule_files, scenario_files, variants_of
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.playtest.scenarios.reading import Scenario, scenarios_on
from rulebook.source import show_path


class NotTheSame(Exception):
    """A file, spelled anew, would say something else. That is our mistake, and nothing may be written."""


@frozen
class Spelled:
    """A file: its path, its text, and the text in the one spelling."""

    path: Path
    before: str = field(repr=False)
    now: str = field(repr=False)


@frozen
class Formatted:
    """The files of a game that could be read, those that were left alone, and why: the errors in them."""

    files: tuple[Spelled, ...]
    left: tuple[Path, ...]
    messages: tuple[Diagnostic, ...]


@frozen
class _Meaning:
    """All that a game, its variants and its scenarios say, and where their scripts stand, by the name of the file.

    `variants` has the game under each variant, by the name of the variant's file; None for one with errors.
    """

    rulebook: ir.Rulebook | None
    variants: dict[str, ir.Rulebook | None]
    scenarios: tuple[Scenario, ...]
    scripts: dict[str, dict[tuple[int, int], tuple[Scalar, str]]]
    messages: tuple[Diagnostic, ...]


def respell_game(game: Path) -> Formatted:
    """The files of a game in the one spelling. Raises NotTheSame if that would be something else, which is our bug.

    A game with errors is left alone, since they may hide which of its texts are scripts; so is a variant or a file of
    scenarios with errors.
    """
    meaning = _find_meaning(game)
    errors = tuple(message for message in meaning.messages if message.severity == "error")
    files = [*rule_files(game), *variants_of(game), *scenario_files(game)]
    if meaning.rulebook is None:
        return Formatted((), tuple(files), errors)
    wrong = {error.span.file.name for error in errors if error.span is not None}
    wrong |= {show_path(path) for path in variants_of(game) if meaning.variants[path.name] is None}
    left = tuple(path for path in files if show_path(path) in wrong)
    spelled = tuple(_respell_file(path, meaning) for path in files if path not in left)
    changed = [file for file in spelled if file.now != file.before]
    if changed:
        _assure(game, meaning, changed)
    return Formatted(spelled, left, errors)


def _find_meaning(game: Path) -> _Meaning:
    with noting() as noted:
        # The scenarios of a variant stand on the same ground.
        grounds = Grounds(game, use_cache=False)  # of a kept rulebook, no script would be parsed
        alone = grounds.under()
        laid = {path: grounds.under_one(path) for path in (() if alone is None else variants_of(game))}
        scenarios, more = scenarios_on(grounds) if alone is not None else ([], [])
    scripts: dict[str, dict[tuple[int, int], tuple[Scalar, str]]] = {}
    for scalar, start in noted:
        scripts.setdefault(scalar.span.file.name, {})[scalar.span.start, scalar.span.end] = scalar, start
    variants = {path.name: None if under is None else under.rulebook for path, under in laid.items()}
    rulebook = None if alone is None else alone.rulebook
    return _Meaning(rulebook, variants, tuple(scenarios), scripts, (*grounds.messages, *more))


def _respell_file(path: Path, meaning: _Meaning) -> Spelled:
    top, problems = read_file(path, show_path(path))
    assert top is not None and not problems, "the game was loaded"
    before = top.span.file.text
    parts, at = list[str](), 0
    for (start, end), script in sorted(meaning.scripts.get(top.span.file.name, {}).items()):
        parts += before[at:start], respell(*script)
        at = end
    return Spelled(path, before, "".join([*parts, before[at:]]))


def _assure(game: Path, before: _Meaning, changed: Sequence[Spelled]) -> None:
    """Load the game from the new files: it must say the same, and be spelled as it is."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / game.resolve().name
        copy.mkdir()
        (copy / SCENARIOS).mkdir()
        (copy / VARIANTS).mkdir()
        for path in [*rule_files(game), *variants_of(game), *scenario_files(game)]:
            shutil.copyfile(path, copy / path.relative_to(game))
        for path, data in copy_sheets(game, copy).items():
            path.write_bytes(data)
        for file in changed:
            (copy / file.path.relative_to(game)).write_text(file.now, "utf-8", newline="\n")
        now = _find_meaning(copy)
        if (now.rulebook, now.variants) != (before.rulebook, before.variants) or _drop_shown(now) != _drop_shown(
            before
        ):
            raise NotTheSame(f"{game} would say something else")
        for file in changed:
            if _respell_file(copy / file.path.relative_to(game), now).now != file.now:
                raise NotTheSame(f"{file.path} would be spelled differently each time")


def _drop_shown(meaning: _Meaning) -> list[Scenario]:
    """The scenarios without what is only shown: the words of a question as they are written, and the file."""
    return [
        evolve(test, file="", expect=tuple(evolve(line, text="") for line in test.expect)) for test in meaning.scenarios
    ]
