"""A game as one of OpenSpiel: `rulebook(game=…,players=…)`, with chance nodes, clones and information states.

In: a game of the front door, a number of players. Out: a `pyspiel.Game`; what is imported here is registered, so that
OpenSpiel can load the game by its text, too. Never: puts into information states and observations of a player what
that player may not know.

Players who decide at the same time do so one after the other, in seat order, and know nothing of each other's answers.
A choice with one answer is made, and nobody is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

import numpy
import pyspiel

from rulebook import front_door, library
from rulebook.agents.course import Course, Numbered
from rulebook.agents.numbering import ROOM, CannotNumber
from rulebook.arguments import BadArgument
from rulebook.dsl.settling.options import setting_text
from rulebook.interpreter.core.door import Core
from rulebook.interpreter.ops.asking import MOST_ANSWERS
from rulebook.interpreter.program import Program

__all__ = ["NAME", "SpielGame", "SpielState", "make_spiel"]

NAME = "rulebook"
_PARAMETERS = {"game": "", "players": 0, "variants": "", "options": "", "room": ROOM, "least": 0.0, "most": 0.0}
"""`least` and `most` are bounds of payoffs; where both are nothing, nobody has said any."""
_CHANCE = frozenset({"draw_next", "shuffle_next", "settle_next", "pick_next", "roll_next"})
"""The ops that meet chance."""
_SAFE = "/:. _-"
"""Signs that need no escape in the texts of OpenSpiel."""


def make_spiel(game: front_door.Game, players: int | None, payoffs: tuple[float, float] | None, room: int) -> SpielGame:
    """Make a game of OpenSpiel. `payoffs` are the least and the most that a player may get."""
    name = game.id if game.folder in library.find_games() else str(game.folder)
    own = {
        "game": quote(name, safe=_SAFE),
        "players": game.players[0] if players is None else players,
        "variants": ";".join(quote(str(variant), safe=_SAFE) for variant in game.variants),
        "options": ";".join(f"{name}:{quote(text, safe=_SAFE)}" for name, text in _list_house_rules(game)),
        "room": room,
        "least": 0.0 if payoffs is None else payoffs[0],
        "most": 0.0 if payoffs is None else payoffs[1],
    }
    # Its files may have changed; who has the rules as they were keeps them.
    _find_rules.cache_clear()
    _find_beginning.cache_clear()
    made: SpielGame = pyspiel.load_game(NAME, own)
    return made


def _list_house_rules(game: front_door.Game) -> Iterator[tuple[str, str]]:
    """List the house rules that are not as the rulebook has them, as people write them."""
    for name, option in game.rulebook.options.items():
        if game.options[name] != option.default:
            yield name, setting_text(option, game.options[name], game.rulebook.units)


Key = tuple[str, int, str, str, int]
"""The parameters by which the rules are found: the game, the players, variants, house rules, the room for numbers."""


@lru_cache(maxsize=16)
def _find_rules(text: str, players: int, variants: str, options: str, room: int) -> Numbered:
    """Find the rules that parameters mean. Raises CannotOpen and BadSetup."""
    files = [unquote(variant) for variant in variants.split(";") if variant]
    pairs = [pair.split(":", 1) for pair in options.split(";") if pair]
    game = front_door.open(unquote(text), files, {name: unquote(value) for name, value in pairs})
    return Numbered(game, players or None, room)


class SpielGame(pyspiel.Game):
    """The rules, for so many players."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        key: Key = given["game"], given["players"], given["variants"], given["options"], given["room"]
        self.rules = _find_rules(*key)
        program, players = self.rules.program, self.rules.players
        # Behind minus ahead, if the rules say nothing else; who are one team win or lose 1.
        most = float("inf") if program.payoff else max(1.0, players - 1)
        least, most = self._bound_payoffs(given["least"], given["most"], most)
        is_zero_sum = program.zero_sum is not None or (program.payoff is None and program.team is None and players > 1)
        sizes = (program.cards, players, *(len(state.values or ()) for state in program.layout.states.values()))
        words = (len(words) for words in program.words.values())
        self.most_outcomes = max(2, given["room"], *sizes, *words)
        utility = pyspiel.GameType.Utility
        super().__init__(
            _make_type(
                self.rules.game.title,
                players,
                meets_chance=_meets_chance(program),
                utility=utility.ZERO_SUM if is_zero_sum else utility.GENERAL_SUM,
                is_open=_is_open(program),
                has_tensor=isinstance(self.rules.core, Core),
            ),
            pyspiel.GameInfo(
                num_distinct_actions=len(self.rules.actions),
                max_chance_outcomes=self.most_outcomes if _meets_chance(program) else 0,
                num_players=players,
                min_utility=least,
                max_utility=most,
                utility_sum=0.0 if is_zero_sum else None,
                max_game_length=MOST_ANSWERS * (1 + (program.cards if self.rules.actions.takes_several else 0)),
            ),
            {name: value for name, value in given.items() if value != _PARAMETERS[name]},
        )
        self.beginning = _find_beginning(key)

    def _bound_payoffs(self, least: float, most: float, known: float) -> tuple[float, float]:
        """Bound what a player may get, as it was said, or by what is known. Raises BadArgument."""
        if least == most == 0:
            return -known, known
        if known < float("inf") and not (least <= -known and known <= most):
            raise BadArgument(
                f"`payoffs` are ({least:g}, {most:g}), and in this game a player may get {-known:g} to {known:g}."
            )
        return least, most

    def new_initial_state(self) -> SpielState:
        """The state in which every play begins."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Make an observer of the present, or of all that was noticed where nothing is to be forgotten."""
        if params:
            raise ValueError(f"No parameters of observations are known: {params}")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _meets_chance(program: Program) -> bool:
    return any(step.op.name in _CHANCE for code in program.codes for step in code.steps)


def _is_open(program: Program) -> bool:
    """Tell whether nothing is ever hidden, and one decides after the other."""
    layout, choices = program.layout, (
        step["choice"] for code in program.codes for step in code.steps if "choice" in step.op.operands
    )  # fmt: skip
    return (
        all(memory.seen_by == "everyone" for memory in (*layout.memory.values(), *layout.player_memory.values()))
        and all(place.watchers == layout.everyone for place in layout.places if place.ordinal and place.kept != "pool")
        and all(place.counted == "everyone" for place in layout.places if place.ordinal)
        and not any(one.sealed or one.quiet or one.veiled or one.told != "everyone" for one in choices)
    )


def _make_type(
    title: str,
    players: int,
    *,
    meets_chance: bool = True,
    utility: Any = pyspiel.GameType.Utility.GENERAL_SUM,
    is_open: bool = False,
    has_tensor: bool = True,
) -> Any:
    of = pyspiel.GameType
    return of(
        short_name=NAME,
        long_name=title,
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC if meets_chance else of.ChanceMode.DETERMINISTIC,
        information=of.Information.PERFECT_INFORMATION if is_open else of.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=has_tensor,
        parameter_specification=_PARAMETERS,
        default_loadable=False,
        provides_factored_observation_string=False,
    )


class _Kept:
    """A course that is never changed, so that copies of a state may share it; `before` and `action` led to it. What is
    written of it is how it came about.
    """

    def __init__(self, key: Key, course: Course, before: _Kept | None = None, action: int = -1) -> None:
        self.key, self.course, self.before, self.action = key, course, before, action

    def go_on(self, action: int) -> _Kept:
        """Go on by an action of who is asked, or by an outcome of chance."""
        course = self.course
        if course.play.chance is None:
            return _Kept(self.key, course.act(action, copy=True), self, action)
        return _Kept(self.key, Course(course.rules, course.play.clone().happen(action)), self, action)

    def __deepcopy__(self, memo: Any) -> _Kept:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        actions, kept = list[int](), self
        while kept.before is not None:
            actions.append(kept.action)
            kept = kept.before
        return _come_again, (self.key, actions[::-1])


def _come_again(key: Key, actions: Sequence[int]) -> _Kept:
    kept = _find_beginning(key)
    for action in actions:
        kept = kept.go_on(action)
    return kept


@lru_cache(maxsize=16)
def _find_beginning(key: Key) -> _Kept:
    return _Kept(key, _find_rules(*key).start(0, chance=True))


class SpielState(pyspiel.State):
    """One state of a play; `course` is the whole truth of it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._kept = game.beginning

    @property
    def course(self) -> Course:
        """The play, of which nothing may be changed."""
        return self._kept.course

    def current_player(self) -> int:
        """Return the number of who moves: a seat, chance, or nobody any more."""
        play = self.course.play
        if play.chance is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if play.seat is None else play.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.course.list_legal(player) if player == self.course.play.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the outcomes by number, each with its probability."""
        chance = self.course.play.chance
        assert chance is not None, "chance decides here"
        if len(chance.outcomes) > self.get_game().most_outcomes:
            raise CannotNumber(
                f"Chance has {len(chance.outcomes)} outcomes here, and there is room for "
                f"{self.get_game().most_outcomes}. Open the game with a larger `room`."
            )
        total = sum(chance.weights)
        return [(number, weight / total) for number, weight in enumerate(chance.weights)]

    def _apply_action(self, action: int) -> None:
        self._kept = self._kept.go_on(action)

    def _action_to_string(self, player: int, action: int) -> str:
        chance = self.course.play.chance
        if player != int(pyspiel.PlayerId.CHANCE):
            return self.course.rules.actions.names[action]
        if chance is None or action >= len(chance.outcomes):
            return str(action)
        outcome = chance.outcomes[action]
        # Of cards that are the same some may be known, and others not.
        before = chance.outcomes[:action].count(outcome)
        return f"{outcome}#{before + 1}" if before else outcome

    def is_terminal(self) -> bool:
        """True if the game is over."""
        return self.course.play.over

    def returns(self) -> list[float]:
        """The payoff of each seat; nothing before the end. Raises BadArgument where that is beyond the bounds."""
        play, game = self.course.play, self.get_game()
        got = [*map(float, play.payoffs)] if play.over else [0.0] * self.course.rules.players
        least, most = game.min_utility(), game.max_utility()
        if play.over and not (least <= min(got) and max(got) <= most):
            raise BadArgument(
                f"A game ended with the payoffs {', '.join(f'{one:g}' for one in got)}, and `payoffs` says that "
                f"they are {least:g} to {most:g}."
            )
        return got

    def __str__(self) -> str:
        """All that has happened, as every seat knows it."""
        return "\n".join(self.history_str().split(", ")) if self.history() else "the beginning"


class Observer:
    """The view of a player: with perfect recall, all that it noticed and answered; else the table as it knows
    it now, as text and, where there is a core, as numbers.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self.recalls = kind.perfect_recall
        has_tensor = isinstance(game.rules.core, Core) and not self.recalls
        width = len(game.rules.bounds[0]) if has_tensor else 0
        self.tensor: Any = numpy.zeros(width, numpy.float32)
        self.dict = {"observation": self.tensor} if has_tensor else {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the numbers of a state."""
        if self.dict:
            self.tensor[:] = state.course.observe(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Write the text of a state."""
        course = state.course
        if self.recalls:
            text = course.play.information(player)
        else:
            view = course.play._game.view(player)
            ask = None if view.ask is None else view.ask.to_json()
            text = json.dumps({"view": view.facts, "ask": ask}, ensure_ascii=False)
        taken: Sequence[int] = course.taken if player == course.play.seat else ()
        names = [course.rules.actions.names[action] for action in taken]
        return "\n".join([text, json.dumps({"taking": names})]) if names else text


pyspiel.register_game(_make_type("A game of rulebook", 12), SpielGame)
