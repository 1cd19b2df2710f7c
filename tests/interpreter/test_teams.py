"""Teams: whose answer to `team` is the same stands together, in the machine, in the core, and by the book."""

from __future__ import annotations

import random
import textwrap
from array import array
from typing import Any

import pytest
import yaml
from cores import play_both
from paths import DATA

from rulebook.examples import of_its_own
from rulebook.interpreter.core.door import Core, core_of
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import Outcome, find_outcome
from rulebook.loading import load
from rulebook.playtest.series.bulk import Bulk

TEAMS = DATA / "teams"
CASES = yaml.safe_load((TEAMS / "results.yaml").read_text("utf-8"))

GAME = """\
format: 1
name: Points
players: 1..6
result: RESULT
memory: {player: {points: 0, friend: player}}
rules:
  game: |
SCRIPT
"""


def program_of(points: list[int], result: str, script: str) -> Program:
    lines = ["let s0 = first(players)", *(f"let s{seat} = s{seat - 1}.left" for seat in range(1, len(points)))]
    lines += [f"set s{seat}.points = {number}" for seat, number in enumerate(points)]
    body = textwrap.indent("\n".join([*lines, script]), "    ")
    rulebook, messages = of_its_own(GAME.replace("RESULT", result).replace("SCRIPT", body))
    assert rulebook is not None, [one.message for one in messages]
    return lower(rulebook, len(points))


def end(program: Program) -> Outcome:
    """Play a game without decisions in machine and core, which must say the same."""
    machine = Machine(program)
    state = machine.new_state(1)
    machine.advance(state)
    found = find_outcome(program, state)
    core = core_of(program)
    if isinstance(core, Core):
        play_both(program, 1, core=core)
        seeds = array("Q", [1])
        [ended] = Bulk(program.players, 0, seeds, core.play_games(seeds))
        told = ended.winners, ended.places, ended.scores, ended.teams
        assert told == (found.winners, found.places, found.scores, found.teams)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['result']} {case.get('script', '')}"[:70])
def test_how_teams_stand(case: dict[str, Any]) -> None:
    found = end(program_of(case["points"], case["result"], case.get("script", "")))
    wanted = {name: tuple(case[name]) for name in ("places", "teams", "totals", "payoffs") if name in case}
    assert {name: getattr(found, name) for name in wanted} == wanted
    assert "won" not in case or found.winners == tuple(case["won"])


def stand(teams: list[int], points: list[int], gone: list[list[int]], won: list[list[int]] | None) -> list[int]:
    """Find the place of each seat as people would, team by team."""
    out = [seat for seats in gone for seat in seats]
    ranks: dict[int, tuple[int, ...]] = {}
    for team in set(teams):
        members = [seat for seat, its in enumerate(teams) if its == team]
        named = [number for number, group in enumerate(won or []) if set(group) & set(members)]
        playing = [seat for seat in members if seat not in out]
        if named:
            ranks[team] = (0, min(named))
        elif playing:
            ranks[team] = (1, 0 if won is not None else -sum(points[seat] for seat in playing))
        else:
            ranks[team] = (2, -max(number for number, seats in enumerate(gone) if set(seats) & set(members)))
    return [1 + sum(other < ranks[team] for other in ranks.values()) for team in teams]


def test_drawn_teams_stand_as_people_would_say() -> None:
    chance = random.Random(3)
    for _ in range(150):
        players = chance.randint(2, 6)
        teams = [chance.randrange(1 + chance.randrange(players)) for _ in range(players)]
        points = [chance.randint(0, 3) for _ in range(players)]
        left = chance.sample(range(players), chance.randint(0, players))
        gone = [left[at : at + 2] for at in range(0, len(left), 2)]
        seats = range(players)
        won = [chance.sample(seats, chance.randint(0, 2)) for _ in range(3)] if chance.random() < 0.4 else None
        lists = [f"(seats where seat(it) in {[seat + 1 for seat in group]})" for group in (won or []) if group]
        script = [f"eliminate seats where seat(it) in {[seat + 1 for seat in group]}" for group in gone]
        script += [] if won is None else [f"win {' then '.join(lists) or 'nobody'}"]
        result = "{team: it.friend, rank: most points}"
        friends = [f"set s{seat}.friend = s{teams.index(team)}" for seat, team in enumerate(teams)]
        found = end(program_of(points, result, "\n".join([*friends, *script])))
        assert list(found.places) == stand(teams, points, gone, won), (teams, points, gone, won)
        for seat, team in enumerate(teams):
            shared = {(found.places[one], one in found.winners) for one in seats if teams[one] == team}
            assert len(shared) == 1 and found.teams[seat] == teams.index(team)


@pytest.mark.parametrize("name", ["crew", "pairs", "moles"])
def test_whole_games_of_teams_are_the_same_in_machine_and_core(name: str, tmp_path: Any) -> None:
    (tmp_path / "rulebook.yaml").write_bytes((TEAMS / f"{name}.yaml").read_bytes())
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None
    for players in rulebook.players:
        program = lower(rulebook, players)
        for seed in range(6):
            assert play_both(program, seed) > 0
