"""What can be left out of the rules, and no scenario notices."""

from __future__ import annotations

import json
import shutil
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from shipped import load_game

from rulebook.cli import main
from rulebook.dsl.walk import unwatch
from rulebook.library import find_game
from rulebook.playtest.ablation.wrapping import wrap
from rulebook.playtest.scenarios import rejoining
from rulebook.playtest.scenarios.ground import Grounds
from rulebook.playtest.scenarios.mutants import Tried, describe_mutant, try_mutants
from rulebook.playtest.scenarios.reading import Scenario, load_scenarios, scenarios_on
from rulebook.playtest.scenarios.rejoining import BoundedMachine, Trail
from rulebook.playtest.scenarios.trial import Course, passes

GAME = """\
format: 1
name: Wells
players: 2..2
memory:
  table: {dry: 0}
  player: {water: 0, thirst: 0}
values:
  full(p): p.water > 0 and p.water > p.thirst
rules:
  draw(p, number n): |
    add n to p.water
    add 1 to p.thirst
    tell players whether full(p) or p.water > 9
    loop:
      if dry > 3:
        stop
      add 1 to dry
  rest(p): set p.thirst = 0
  game: |
    repeat 3:
      each me in players:
        choose n from 1..3
        do draw(me, n)
    do rest(first(players))
result:
  rank: most water
"""
SCENARIOS = """\
scenarios:
  Ana draws:
    given: {players: [Ana, Ben]}
    do: draw(Ana, 2)
    expect: [Ana.water is 2]
"""
WHOLE = """\
  A whole game:
    from: start
    given: {players: [Ana, Ben]}
    do: game
    rest: first
    expect: ["[Ana, Ben] win", Ana.thirst is 0]
"""
NOTICED = """\
format: 1
name: Wells
players: 2..2
memory:
  player: {water: 0}
rules:
  draw(p, number n): set p.water = n
  game: do draw(first(players), 2)
result:
  rank: most water
"""
FISH = """\
format: 1
name: Fish
players: 1..2
kinds:
  fish: {}
cards:
  carp: {kind: fish}
actions:
  wait: {name: Wait, effect: set waited = yes}
places:
  table:
    well: {holds: fish, kept: row, seen_by: everyone}
    pan: {holds: fish, kept: row, seen_by: everyone}
memory:
  table: {waited: no}
rules:
  catch(me): |
    choose pick from actions, well
    if pick is fish:
      move pick to pan
    else:
      do pick.effect(me)
  game: |
    move box to well
    each me in players:
      do catch(me)
result:
  rank: most count(pan)
"""
WAITING = """\
scenarios:
  Ana waits:
    given: {players: [Ana], well: carp}
    do: catch(Ana)
    answers: [{Ana: wait}]
    expect: [pan is empty, waited]
"""
WHOLE_GAME = "from: start, given: {players: [Ana, Ben]}, seed: 3, do: game, rest: random, expect: count(players) < 9"
MOST = 20_000


@pytest.fixture
def wells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", "RULEBOOK_DEBUG", "RULEBOOK_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    folder = Path("wells")
    (folder / "scenarios").mkdir(parents=True)
    (folder / "rulebook.yaml").write_text(GAME, "utf-8")
    (folder / "scenarios" / "wells.yaml").write_text(SCENARIOS, "utf-8")
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ("test", *words))


def list_lost(tried: Tried) -> tuple[list[str], list[str]]:
    """The words of what is not noticed, and of what is in no scenario."""
    unnoticed, unmet = (
        [describe_mutant(mutant) for mutant in mutants] for mutants in (tried.unnoticed, tried.unmet)
    )
    return unnoticed, unmet


def try_scenarios(folder: Path) -> Tried:
    scenarios, messages = load_scenarios(folder)
    assert not messages
    return try_mutants(scenarios)


def test_what_no_scenario_notices_and_what_is_in_none(wells: Path) -> None:
    unnoticed, unmet = list_lost(try_scenarios(wells))
    assert "`add 1 to p.thirst` left out" in unnoticed
    assert {"`set p.thirst = 0` left out", "`do draw(me, n)` left out"} <= {*unmet}
    # A loop that nobody leaves is noticed, and not waited for.
    assert not {"`add n to p.water` left out", "`stop` left out", "`dry > 3` always no"} & {*unnoticed, *unmet}


def test_more_scenarios_notice_more(wells: Path) -> None:
    (wells / "scenarios" / "wells.yaml").write_text(SCENARIOS + WHOLE, "utf-8")
    unnoticed, unmet = list_lost(try_scenarios(wells))
    assert unmet == []
    assert "`set p.thirst = 0` left out" not in unnoticed
    # Both draw alike, and nobody looks how often.
    assert "`repeat 3: …` left out" in unnoticed


def test_the_command_lists_it_and_stays_clean(wells: Path) -> None:
    result = run("wells", "--mutants")
    assert result.exit_code == 0, result.output
    assert "Wells: " in result.stdout and "can be made, and no scenario notices." in result.stdout
    assert "  wells/rulebook.yaml:12: `add 1 to p.thirst` left out\n" in result.stdout
    assert result.stdout.index("Not noticed:") < result.stdout.index("In no scenario:")
    assert result.stdout.endswith("1 scenario: 1 passed, 0 failed.\n")
    mutants = json.loads(run("wells", "--mutants", "--json").stdout)["mutants"]["wells"]
    assert mutants["tried"] > len(mutants["unnoticed"]) + len(mutants["unmet"])
    thirst = {"file": "wells/rulebook.yaml", "line": 12, "column": 5, "words": "add 1 to p.thirst", "instead": None}
    assert thirst in mutants["unnoticed"]
    assert "mutants" not in json.loads(run("wells", "--json").stdout)


def test_all_is_noticed(wells: Path) -> None:
    (wells / "rulebook.yaml").write_text(NOTICED, "utf-8")
    whole = "{from: start, given: {players: [Ana, Ben]}, do: game, expect: [Ana wins]}"
    (wells / "scenarios" / "wells.yaml").write_text(f"scenarios: {{A game: {whole}}}", "utf-8")
    result = run("wells", "--mutants")
    assert result.stdout == (
        "Wells: scenarios notice each of 3 changes of the rules.\n\n1 scenario: 1 passed, 0 failed.\n"
    )


def test_nothing_is_left_out_while_a_scenario_fails(wells: Path) -> None:
    (wells / "scenarios" / "wells.yaml").write_text(SCENARIOS.replace("water is 2", "water is 3"), "utf-8")
    result = run("wells", "--mutants")
    assert result.exit_code == 1
    assert "can be made" not in result.output
    assert result.stderr == "Nothing was left out of the rules: all scenarios must pass first.\n"


def test_a_mutant_without_what_the_checks_rest_upon_is_noticed(wells: Path) -> None:
    """Without `it is a fish` what is no card is moved."""
    (wells / "rulebook.yaml").write_text(FISH, "utf-8")
    (wells / "scenarios" / "wells.yaml").write_text(WAITING, "utf-8")
    unnoticed, _ = list_lost(try_scenarios(wells))
    assert "`do catch(me)` left out" not in unnoticed
    assert "`pick is fish` always yes" not in unnoticed


@pytest.mark.parametrize("game", ["goofspiel", "kuhn_poker"])
def test_a_mutant_comes_to_the_same_end_where_only_what_matters_is_played(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "whole.yaml"
    file.write_text(f"scenarios: {{Whole: {{{WHOLE_GAME}}}}}", "utf-8")
    scenarios, messages = scenarios_on(Grounds(find_game(game)), file)
    assert not messages
    courses, compared, joined = list[Course](), 0, 0

    def play(scenario: Scenario, make_machine: Any, make_course: Any) -> bool:
        def make(*given: Any) -> Course:
            courses.append(make_course(*given))
            return courses[-1]

        return passes(scenario, make_machine, make)

    def compare(trail: Trail, mutant: int) -> bool:
        nonlocal compared, joined
        is_passed = passes_in(trail, mutant)
        rejoined = courses[-1]
        assert is_passed == play(trail.scenario, partial(BoundedMachine, MOST), Course)
        if is_passed:
            assert (rejoined.state, rejoined.events) == (courses[-1].state, courses[-1].events)
            compared += 1
            joined += min(trail.matters[mutant]) >= 0
        return is_passed

    passes_in = Trail.passes_in
    monkeypatch.setattr(rejoining, "passes", play)
    monkeypatch.setattr(rejoining, "BoundedMachine", lambda most, *given: BoundedMachine(MOST, *given))
    monkeypatch.setattr(Trail, "passes_in", compare)
    try_mutants(scenarios)
    assert compared > joined > 0


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "tic_tac_toe"])
def test_a_scenario_to_begin_with_fails_without_what_it_is_called_after(game: str, tmp_path: Path) -> None:
    folder = shutil.copytree(find_game(game), tmp_path / game)
    file = folder / "scenarios" / "begun.yaml"
    lost = find_lost(game, folder, "--begin")
    for mutant in filter(itemgetter("begin"), lost):
        file.write_text(mutant["begin"], "utf-8")
        assert run(str(file)).exit_code == 0
        if mutant["instead"] is None:
            rules = Path(mutant["file"])
            before = rules.read_text("utf-8").split("\n")
            line = before[mutant["line"] - 1]
            assert line.count(mutant["words"]) == 1
            without = line.replace(mutant["words"], "let nobody_looks = 0")
            rules.write_text("\n".join([*before[: mutant["line"] - 1], without, *before[mutant["line"] :]]), "utf-8")
            assert run(str(file)).exit_code == 1, mutant
            rules.write_text("\n".join(before), "utf-8")
    file.unlink(missing_ok=True)
    printed = run(str(folder), "--begin").stdout
    for mutant in lost:
        assert (f"#   {mutant['file']}:{mutant['line']}: `{mutant['words']}" in printed) == (mutant["begin"] is None)
    scenarios = printed.partition("# Scenarios to begin with.")[2].rpartition("\n\n")[0]
    if scenarios:
        file.write_text(f"#{scenarios}\n", "utf-8")
    # All in one file, as they are printed, they notice what they are for.
    assert find_lost(game, folder) == [
        {key: value for key, value in mutant.items() if key != "begin"} for mutant in lost if mutant["begin"] is None
    ]


def find_lost(game: str, folder: Path, *words: str) -> list[dict[str, Any]]:
    mutants = json.loads(run(str(folder), "--mutants", "--json", *words).stdout)["mutants"][game]
    return [*mutants["unnoticed"], *mutants["unmet"]]


def test_a_watched_rulebook_is_told_as_it_is_written(bundled_game: Path) -> None:
    rulebook = load_game(bundled_game)
    watched = wrap(rulebook).rulebook
    assert watched != rulebook
    for name in ("scripts", "functions"):
        before, after = getattr(rulebook, name), getattr(watched, name)
        assert {key: unwatch(one) for key, one in after.items()} == before
    assert unwatch(watched.result) == rulebook.result
