"""Findings of games and their mutants as messages like those of every other check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rulebook.diagnostics import LISTED, Diagnostic, diagnose, template
from rulebook.diagnostics.render import count_noun
from rulebook.dsl import ir
from rulebook.dsl.document import At
from rulebook.dsl.settling.options import Settled
from rulebook.playtest.ablation.findings import find_all
from rulebook.playtest.ablation.playing import GAMES, Played, ablate


def find_silent(
    rulebook: ir.Rulebook, seed: int = 0, options: Mapping[str, Settled] | None = None,
    on_setting: Callable[[int, int, Sequence[At]], None] | None = None,
) -> list[Diagnostic] | None:  # fmt: skip
    """Play a rulebook, and say what says nothing; None where no core can play it. `on_setting` is told after each
    setting how many are played, of how many, and of which places something would be told if the others changed nothing.
    """

    def tell_places(played: Played, done: int, settings: int) -> None:
        if on_setting is not None:
            findings = [finding for finding in find_all(rulebook, played) if finding.is_told]
            on_setting(done, settings, [finding.at for finding in findings if finding.at is not None])

    played = ablate(rulebook, GAMES, seed, options, on_setting=tell_places)
    return None if played is None else [*_describe(rulebook, played, seed)]


def _describe(rulebook: ir.Rulebook, played: Played, seed: int) -> Iterator[Diagnostic]:
    players = f"{played.least}" if played.least == played.most else f"{played.least} to {played.most}"
    how = f"{played.games:,} random games with {players} players"
    how += ", under each choice of each house rule" if rulebook.options else ""
    how += f", from seed {seed} on."
    untried = [f"{count_noun(len(played.untried), 'change')} of the rules"] if played.untried else []
    untried += [f"{count_noun(played.left_out, 'choice')} of house rules"] if played.left_out else []
    how += f" There was no time for {' and '.join(untried)}." if untried else ""
    for finding in find_all(rulebook, played):
        often = "In " if finding.times == played.games else f"{finding.times:,} times in "
        (code, seen), span = finding.kind.value, None if finding.at is None else finding.at.span
        code, seen = code if finding.is_told else LISTED, seen.format(name=finding.name, detail=finding.detail)
        yield diagnose(code, span, seen=seen, help=f"{template(code).help} {often + how}".lstrip())
