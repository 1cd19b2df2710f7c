"""`rulebook dis`: what it shows of small games, word by word, and what it says where there is nothing of that name.

A listing changed on purpose, or by another way to lower scripts, is written anew with `UPDATE_DIS=1`; then read what
became of it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from paths import DATA
from shipped import load_game, lower_game

from rulebook.cli import main
from rulebook.dsl import ir
from rulebook.dsl.disassembly import disassembled
from rulebook.interpreter.listing import list_steps
from rulebook.library import find_games

FILES = DATA / "dis"


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
    ],
)
def test_listing(file: str, words: list[str]) -> None:
    # Wherever the bundled games lie.
    now, kept = re.sub(r"\S+/cards/", "cards/", run(*words)), FILES / f"{file}.txt"
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


@pytest.mark.slow
@pytest.mark.parametrize("game", find_games(), ids=lambda game: game.name)
def test_what_is_shown_is_what_runs(game: Path) -> None:
    """Each script and question of each game can be shown, step by step, with all to which others lead."""
    rulebook = load_game(game)
    program = lower_game(game, rulebook.players[0])
    roots: list[ir.Script | ir.Function] = [*rulebook.scripts.values(), *rulebook.functions.values()]
    for root in roots:
        assert disassembled(root)
    for code in (*program.codes, *program.questions.values()):
        steps = list_steps(program, code)
        assert [step.number for step in steps] == [*range(len(code.steps))]
        for step, shown in zip(code.steps, steps, strict=True):
            assert re.search(rf"(?:^|= ){step.op.name}(?: |$)", shown.lines[0])
        text = "\n".join(line for step in steps for line in step.lines)
        named = {int(one) for one in re.findall(r"(?:@|(?:to|exit|again|otherwise)=|  or )(\d+)", text)}
        assert named <= {step.number for step in steps if step.is_target}
        for local in re.findall(r"#(\d+)", re.sub('"[^"]*"', "", text)):
            assert int(local) < code.size
