"""The rules that a save carries: the rulebook and the program by which it goes on.

In: the header of a save. Out: its rules as they were when it began. Never: reads any other file, or takes house rules
that the rules do not have.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulebook.diagnostics import Diagnostic
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.leaving_out import LEFT_OUT, ComesWith, NoSuchCard, cards_called
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.journal import BadSave, Header, Journal, read_journal
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.library import RULES, VARIANTS
from rulebook.version import __version__

__all__ = ["CannotPlay", "read_carried", "read_playable"]


class CannotPlay(ValueError):
    """The rules in a save have mistakes, which are `messages`."""

    def __init__(self, said: str, messages: Sequence[Diagnostic]) -> None:
        super().__init__(said)
        self.messages = tuple(messages)


def read_playable(path: Path) -> Journal:
    """Read a save that has its rules in it. Raises OSError and BadSave."""
    saved = read_journal(path)
    if RULES not in saved.header.rules:
        raise BadSave(str(path), 1, "The rules are not in it.", "Without them the game cannot be played again.")
    return saved


def read_carried(header: Header, path: Path) -> tuple[Rulebook, Program]:
    """Read the rules that a save carries, where they are: nothing of a save is ever a file. `path` is what messages
    call it. Raises BadSave, CannotPlay, and BadSetup where so many cannot play.
    """
    if header.given is not None:
        reason = "The game began with a table that somebody laid."
        raise BadSave(str(path), 1, reason, "Only a scenario can lay it again.")
    missing = next((id for id in header.variants if f"{VARIANTS}/{id}.yaml" not in header.rules), None)
    if missing is not None:
        reason = f"The variant `{missing}` was played, and its text is not there."
        raise BadSave(str(path), 1, reason, "Take the file from a backup.")
    rules = dict(header.rules)
    if header.format < 2:
        # The game goes on as it began: with a box that everybody could look into.
        names = (f"open_box{'_' * number}.yaml" for number in itertools.count())
        rules[next(name for name in names if name not in rules)] = "places: {table: {box: {seen_by: everyone}}}\n"
    # Who begins a game that was kept needs no part of the language.
    from rulebook.loading.frontend import load_texts

    loaded = load_texts(header.game, rules, header.variants)
    rulebook = loaded.rulebook
    if rulebook is None:
        raise CannotPlay(f"The rules that {path} carries cannot be played.", loaded.messages)
    problem = _find_unsettled(rulebook, header.options)
    if problem:
        raise BadSave(str(path), 1, problem, "Take the file from a backup.")
    program = lower(rulebook, len(header.seats), dict(header.options), has_buttons=header.format >= 3)
    if program.rules_hash != header.rules_hash:
        reason = f"This program ({__version__}) reads the rules in it otherwise than the one that wrote it did."
        raise BadSave(str(path), 1, reason, f"It was written by rulebook {header.rulebook}: play it on with that.")
    return rulebook, program


def _find_unsettled(rulebook: Rulebook, options: Mapping[str, Any]) -> str:
    """Find a house rule in a save that its rules do not have or allow; a sentence, or an empty text."""
    settings = {name: value for name, value in options.items() if name != LEFT_OUT}
    if any(isinstance(step, str) for value in settings.values() if isinstance(value, tuple) for step in value):
        return "A house rule is settled to words where it has steps."
    settled, problems = settle_options(rulebook.options, settings, rulebook.units)
    if problems:
        return problems[0]
    for name, value in settings.items():
        if settled[name] != value or type(settled[name]) is not type(value):
            return f"The house rule `{name}` is not settled to what a game can have."
    left_out = options.get(LEFT_OUT, ())
    try:
        if left_out != cards_called(rulebook, left_out if isinstance(left_out, tuple) else ()):
            return "It does not say which cards are left out."
    except (NoSuchCard, ComesWith) as refused:
        return str(refused)
    return ""
