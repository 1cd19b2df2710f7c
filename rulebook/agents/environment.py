"""A game as an environment of PettingZoo: agents that act one after the other (AEC).

In: a game of the front door, a number of players. Out: `Environment`. Never: shows an agent more than its seat may
know; `play` is the whole truth, for who runs the environment.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from rulebook.agents.course import Course, Numbered
from rulebook.agents.numbering import ROOM
from rulebook.interpreter.core.library import NoCore

if TYPE_CHECKING:
    from rulebook.front_door import Game, Play

__all__ = ["Environment"]

_SEEDS = 62
"""The bits of a seed that is drawn."""


class Environment(AECEnv):
    """A game of so many players; agents are `player_0`, `player_1`, … by seat.

    `actions` are the names of all actions, by number. An agent is rewarded when the game is over. Raises NoCore where
    there is no core, and BadSetup where so many cannot play.
    """

    def __init__(self, game: Game, players: int | None = None, room: int = ROOM) -> None:
        super().__init__()
        self.rules = Numbered(game, players, room)
        if isinstance(self.rules.core, str):
            raise NoCore(self.rules.core)
        self.metadata = {"name": f"rulebook_{game.id}_v0", "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.actions = self.rules.actions.names
        self.possible_agents = list(self.rules.seats)
        self.agents: list[str] = []
        least, most = (numpy.array(row, dtype=numpy.int64) for row in self.rules.bounds)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(least, most, dtype=numpy.int64),
                    "action_mask": spaces.Box(0, 1, (len(self.actions),), dtype=numpy.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}
        self._random = Random()
        self._course: Course
        self.play: Play
        """The play itself: the whole truth."""

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of what an agent does."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the one of that seed, else the next one at random. No options are known."""
        if seed is not None:
            self._random = Random(seed)
        self._course = self.rules.start(self._random.getrandbits(_SEEDS) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._find_next()

    def step(self, action: int | None) -> None:
        """Act for the agent that is selected. Raises Refused for an action that is not legal: nothing has happened."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        course = self._course.act(-1 if action is None else int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._course = course
        self._find_next()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent, and a mask of what it may do now."""
        seat = self.possible_agents.index(agent)
        mask: Any = numpy.zeros(len(self.actions), dtype=numpy.int8)
        mask[self._course.list_legal(seat)] = 1
        return {"observation": numpy.array(self._course.observe(seat), dtype=numpy.int64), "action_mask": mask}

    def _find_next(self) -> None:
        """Select who is asked now, or end the game."""
        play = self.play = self._course.play
        if play.seat is not None:
            self.agent_selection = self.possible_agents[play.seat]
            return
        self.rewards = dict(zip(self.agents, map(float, play.payoffs), strict=True))
        ended = self.terminations if play.finished else self.truncations
        ended.update(dict.fromkeys(self.agents, True))
        self.agent_selection = self.agents[0]
