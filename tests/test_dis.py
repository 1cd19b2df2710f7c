"""`rulebook dis`: what it shows of small games, word by word, and what it says where there is nothing of that name.

A listing changed on purpose, or by another way to print scripts, is written anew with `UPDATE_DIS=1`; then read what
became of it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from shipped import load_game, lower_game

from rulebook.cli import main
from rulebook.dsl.disassembly import disassembled
from rulebook.interpreter.compiled.listing import listed
from rulebook.interpreter.compiled.tier import printed
from rulebook.library import games

DATA = Path(__file__).parent / "data" / "dis"


def run(*words: str) -> str:
    result = CliRunner(env={"COLUMNS": "100", "RULEBOOK_COMMAND": "rulebook"}).invoke(main, ["dis", *words])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("rule", ["kuhn_poker", "reply"]),
        ("stage", ["kuhn_poker", "betting"]),
        ("sums", ["kuhn_poker", "values.winnings"]),
        ("watched", ["kuhn_poker", "reply", "--watched"]),
    ],
)
def test_listing(file: str, words: list[str]) -> None:
    # Wherever the bundled games lie.
    now, kept = re.sub(r"\S+/cards/", "cards/", run(*words)), DATA / f"{file}.txt"
    if os.environ.get("UPDATE_DIS"):
        kept.write_text(now, "utf-8")
    assert now == kept.read_text("utf-8")


def test_a_hook_is_found_by_its_card() -> None:
    effect = run("wallet", "cards.inspection.effect")
    assert run("wallet", "Inspection.effect") == effect
    assert run("wallet", "inspection").startswith(effect)


def test_a_name_that_is_none() -> None:
    result = CliRunner().invoke(main, ["dis", "kuhn_poker", "reqly"])
    assert result.exit_code == 2
    assert "There is no rule, value, hook or stage 'reqly' in Kuhn Poker. Did you mean reply?" in result.output


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_what_is_shown_is_what_runs(game: Path) -> None:
    """Each script and question of each game can be shown; the places are those at which the tier can be resumed."""
    rulebook = load_game(game)
    program = lower_game(game, rulebook.players[0])
    whole = printed(program, watched=False)
    for index, (name, script) in enumerate(rulebook.scripts.items()):
        assert disassembled(script)
        if index % 7 == 0:
            found = listed(program, name, watched=False)
            places = [place.function for place in found.places]
            assert places == [f"g{index}_{op}" for op in sorted(whole.resumes[index] - {0})]
            lists = [f"l{index}_{op}" for op in sorted(whole.lists[index])]
            assert [one for one in found.text if one.startswith("l")] == lists
            begins = f"c{index}", f"q{index}", f"g{index}_0", *lists
            assert [one for one in found.text if one not in begins] == places
            assert all(line in whole.paper.lines for lines in found.text.values() for line in lines)
    for function in rulebook.functions.values():
        assert disassembled(function)
