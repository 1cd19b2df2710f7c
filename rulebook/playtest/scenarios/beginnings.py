"""Scenarios to begin with, for what no scenario notices: recorded from random games in which somebody would.

In: a game, and mutants of it that no scenario notices. Out: by mutant a file of one scenario, which passes by the rules
as they are and fails with the mutant; the deal and the answers are those of the game until then, and it expects what
is otherwise. Never: one that was not run both ways.

The core finds a game (`ablation` has said how); the machine plays it again beside the mutant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import PurePath

from attrs import evolve

from rulebook.classes import frozen
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.core.door import core_of
from rulebook.interpreter.core.watching import Watching
from rulebook.interpreter.decisions import BadSetup, Refused, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.playtest.ablation.playing import list_settings
from rulebook.playtest.ablation.wrapping import Mutant
from rulebook.playtest.bots import make_bot
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.playtest.scenarios.mutants import Tried, describe_mutant, place_mutant
from rulebook.playtest.scenarios.recording import CannotRecord, describe_table, read_recorded, record, word_answer
from rulebook.playtest.scenarios.rejoining import OF_ANOTHER_SORT, BoundedMachine, follow
from rulebook.playtest.settings import Setting

_GAMES, _TRIED = 60, 30
"""The games of a setting among which one is looked for, and the most in which a mutant matters that are tried."""
_MOST_OF_GAMES, _MOST_OF_A_MUTANT, _MOST_OF_A_GAME = 20_000_000, 10_000_000, 400_000
"""Bounds of the work of the games of one setting, of one mutant of them, and of one game in the machine."""
_MOST_RECORDED = 3
"""The most moments of a game of which a scenario is made, until one fails with the mutant."""
_COMPARED = 12
"""The moments of a game that are compared in which something is otherwise, beside its end: each takes a while."""
_MOST_GAMES = 2
"""The most games that are played beside a mutant."""
_MOST_EXPECTED, _MOST_NAMED = 6, 8
"""The most lines that a scenario expects, and the most options that one of them names."""


class _PatientMachine(BoundedMachine):
    """A machine that goes wrong in a mutant without an end."""

    def __init__(self, program: Program, names: Sequence[str]) -> None:
        super().__init__(_MOST_OF_A_GAME, program, names)


class _PatientGame(Game):
    """A game that may go on without an end."""

    machine_kind = _PatientMachine


@frozen
class Beginnings:
    """A search for scenarios to begin with, of a game beside which they pass."""

    tried: Tried
    grounds: Grounds

    def record_all(self, on_setting: Callable[[int, int], None] = lambda done, settings: None) -> dict[int, str]:
        """Find a scenario for each mutant that no scenario notices, by its number, if there is one. `on_setting` is
        told how many settings were played, and of how many.
        """
        texts, played, mutants = dict[int, str](), Counter[int](), (*self.tried.unnoticed, *self.tried.unmet)
        rulebook = self.tried.ground.rulebook
        settings = [*list_settings(rulebook, settle_options(rulebook.options, {}, rulebook.units)[0])]
        for done, setting in enumerate(settings):
            on_setting(done, len(settings))
            left = [one for one in mutants if one.number not in texts and played[one.number] < _MOST_GAMES]
            with suppress(BadSetup):
                for mutant, seed in self._find_games(setting, left):
                    played[mutant.number] += 1
                    text = self._record(setting, seed, mutant)
                    texts |= {} if text is None else {mutant.number: text}
        return texts

    def _find_games(self, setting: Setting, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, int]]:
        """Yield the mutants that somebody would notice in a game of this setting, each with the seed of the first."""
        core = core_of(self.tried.ground.program(setting.players, setting.options)) if mutants else ""
        if isinstance(core, str):
            return
        watching = Watching(core, len(self.tried.wrapped.sites), len(self.tried.wrapped.mutants), _GAMES, 1)
        watching.follow_games(_MOST_OF_GAMES)
        for mutant in mutants:
            if watching.mattered[mutant.number]:
                game = watching.find_notice(mutant.number, _TRIED, _MOST_OF_A_MUTANT)
                if game is not None and game < watching.games:
                    yield mutant, 1 + game

    def _record(self, setting: Setting, seed: int, mutant: Mutant) -> str | None:
        """Play a game until it is otherwise with the mutant, and make a scenario of it that fails with the mutant."""
        rulebook = self.tried.rulebook
        program = lower(rulebook, setting.players, setting.options)
        for answers, expected in islice(self._play_beside(program, setting, seed, mutant), _MOST_RECORDED):
            game = Game(program, seed, setting.names)
            for seat, keys in answers:
                game.answer(seat, keys)
            with suppress(CannotRecord):
                text = record(self.grounds, rulebook, game, _title_mutant(mutant), expected=expected)
                if self._fails(text, mutant):
                    return text
        return None

    def _fails(self, text: str, mutant: Mutant) -> bool:
        """Tell whether a scenario fails with a mutant."""
        ground, (scenarios, _) = self.tried.ground, read_recorded(self.grounds, text)
        ground.try_mutant(None)
        trails = [follow(evolve(scenario, ground=ground), ground.mutation) for scenario in scenarios]
        ground.try_mutant(mutant.number)
        return any(trail.matters.get(mutant.number) and not trail.passes_in(mutant.number) for trail in trails)

    def _play_beside(
        self, program: Program, setting: Setting, seed: int, mutant: Mutant
    ) -> Iterator[tuple[list[tuple[int, list[str]]], list[str]]]:
        """Yield the answers until somebody would notice the mutant, and what is so only without it; nothing of it where
        the game cannot go on with the mutant.
        """
        ground, answers = self.tried.ground, list[tuple[int, list[str]]]()
        game = Game(program, seed, setting.names)
        bots = [make_bot("random", seed, seat) for seat in range(program.players)]
        ground.try_mutant(mutant.number)
        compared = 0
        try:
            other = _PatientGame(ground.program(setting.players, setting.options), seed, setting.names)
            while True:
                if game.state != other.state or _list_keys(game) != _list_keys(other):
                    compared += 1
                    expected = self._compare_games(game, other) if compared <= _COMPARED or game.over else []
                    if expected:
                        yield answers, expected
                if game.decision is None:
                    return
                ask = game.decision.asks[0]
                keys = bots[ask.seat].answer(game.machine, game.state, ask)
                game.answer(ask.seat, keys)
                answers.append((ask.seat, keys))
                other.answer(ask.seat, keys)
        except (Refused, RuleError, *OF_ANOTHER_SORT):
            yield answers, []

    def _compare_games(self, game: Game, other: Game) -> list[str]:
        """List what is so in a game, and not in the other one."""
        here, there = (dict.fromkeys(self._describe(one)) for one in (game, other))
        counted = {line.partition(" is ")[0] for line in here}
        gone = (line.partition(" is ")[0] for line in there if line.startswith("count("))
        differing = [*(line for line in here if line not in there), *(f"{of} is 0" for of in gone if of not in counted)]
        return differing[:_MOST_EXPECTED]

    def _describe(self, game: Game) -> Iterator[str]:
        """Describe the table, what may be chosen, and what is seen."""
        yield from describe_table(self.tried.rulebook, game)
        for ask in game.decision.asks if game.decision is not None else ():
            words = [word_answer(key, ask, self.tried.rulebook.units) for key in ask.keys]
            if len(words) <= _MOST_NAMED:
                yield f"{game.names[ask.seat]} may choose [{', '.join(words)}]"
        for seat, name in enumerate(game.names):
            for key, content in game.view(seat).facts["places"].items():
                for card in dict.fromkeys(content.get("cards", ())) if "#" not in key else ():
                    yield from [f"{name} sees {card} in {key}"] if card else []


def _title_mutant(mutant: Mutant) -> str:
    return f"{PurePath(place_mutant(mutant)).name}: {describe_mutant(mutant)}"


def _list_keys(game: Game) -> list[tuple[int, Sequence[str]]]:
    return [(ask.seat, ask.keys) for ask in game.decision.asks] if game.decision is not None else []
