"""Games as environments of PettingZoo: its own tests pass, and an agent learns."""

import warnings
from collections import defaultdict
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from cores import has_core

import rulebook
from rulebook import library

with suppress(ImportError):
    from pettingzoo.test import api_test, seed_test
pytestmark = [
    pytest.mark.extra("pettingzoo", "pettingzoo"),
    pytest.mark.needs(has_core(), "there is no core here: build it with `python3 build_core.py`"),
]

GAMES = [folder.name for folder in library.find_games()]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_tests_of_pettingzoo(name: str) -> None:
    game = rulebook.open(name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(rulebook.pettingzoo(game), num_cycles=30)
        seed_test(lambda: rulebook.pettingzoo(game), num_cycles=10)
    said = {str(warning.message) for warning in caught}
    # What any environment with a mask is told, one without pictures, and one agent that waits for its turn.
    allowed = (
        "Observation is not a NumPy array",
        "space for each agent probably",
        "render()",
        "action mask",
        "Action mask",
    )
    assert {text for text in said if not any(part in text for part in allowed)} == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_what_is_seen_lies_in_its_space(name: str) -> None:
    game, random = rulebook.open(name), Random(2)
    env = rulebook.pettingzoo(game, game.players[-1])
    env.reset(seed=3)
    for _ in env.agent_iter(60):
        for agent in env.agents:
            assert env.observation_space(agent).contains(env.observe(agent))
        seen, _, terminated, truncated, _ = env.last()
        legal = seen["action_mask"].nonzero()[0]
        assert terminated or truncated or len(legal)
        env.step(None if terminated or truncated else random.choice(list(legal)))


def test_a_game_is_the_one_of_its_seed() -> None:
    env, play = rulebook.pettingzoo("wallet", 3), rulebook.open("wallet").start(3, seed=8)
    env.reset(seed=8)
    facts = [env.play.view(0)["view"]["places"], play.view(0)["view"]["places"]]
    assert facts[0]["player_0.hand"] == facts[1]["Player 1.hand"]
    env.reset()
    assert env.play.view(0)["view"]["places"] != facts[0]


def test_all_are_paid_at_the_end() -> None:
    env = rulebook.pettingzoo("tic_tac_toe")
    env.reset(seed=1)
    for square in (0, 3, 1, 4, 2):
        assert set(env.rewards.values()) == {0.0}
        env.step(square)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())
    assert [env.last()[1], env.agent_selection] == [1.0, "player_0"]


def test_what_is_not_legal_is_refused() -> None:
    env = rulebook.pettingzoo("tic_tac_toe")
    env.reset(seed=1)
    env.step(4)
    with pytest.raises(rulebook.Refused, match=r"Action 4 \(cell:board.5\) is not legal now"):
        env.step(4)
    assert env.agent_selection == "player_1"


@pytest.mark.slow
def test_an_agent_learns_to_beat_random_in_leduc() -> None:
    env, random = rulebook.pettingzoo("leduc_poker"), Random(5)
    values: defaultdict[tuple[bytes, int], list[float]] = defaultdict(lambda: [0.0, 0])

    def play(seed: int, learner: str, explores: float) -> float:
        """One game against random, from which the learner learns what each answer brought; what it got."""
        env.reset(seed=seed)
        own: list[Any] = []
        paid = 0.0
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            if agent == learner:
                paid += reward
            if terminated or truncated:
                env.step(None)
                continue
            legal = [int(action) for action in seen["action_mask"].nonzero()[0]]
            key = seen["observation"].tobytes()
            action = random.choice(legal)
            if agent == learner:
                if random.random() >= explores:
                    action = max(legal, key=lambda one: values[key, one][0])
                own.append((key, action))
            env.step(action)
        for step in own if explores else ():
            value = values[step]
            value[1] += 1
            value[0] += (paid - value[0]) / value[1]
        return paid

    def measure(first: int, games: int, explores: float = 0.0) -> float:
        return sum(play(seed, env.possible_agents[seed % 2], explores) for seed in range(first, first + games)) / games

    untrained = measure(100_000, 400, explores=1.0)
    values.clear()
    measure(0, 1500, explores=0.3)
    learned = measure(200_000, 400)
    assert abs(untrained) < 0.5
    assert learned > 0.6
