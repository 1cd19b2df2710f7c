"""The sheet for assistants is what the program knows of its language, and what it tells them to do can be done."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulebook.authoring.primer import SHEET, write_primer
from rulebook.cli import COMMANDS, main
from rulebook.dsl.naming.builtins import BUILT_INS
from rulebook.dsl.parsing import parser
from rulebook.dsl.parsing.parser import VERBS

PRIMER = write_primer()
FORMS = [line[10:] for block in re.findall(r"```text\n(.*?)```", PRIMER, re.DOTALL) for line in block.splitlines()]


def test_it_is_a_sheet_and_no_book() -> None:
    assert 1_800 < len(PRIMER.split()) < 2_400


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_form(verb: str) -> None:
    assert any(re.search(rf"\b{verb}\b", form) for form in FORMS), verb


def test_every_question_is_told() -> None:
    assert all(f"- `{name}`: " in PRIMER for name in BUILT_INS)


def test_no_sign_of_the_grammar_is_left() -> None:
    assert FORMS
    assert not [
        form for form in FORMS if re.search(r"->|_NEWLINE|_INDENT|[?!]\w|\bexpr\b|\b[a-z]+_[a-z_]+\b|^\|", form)
    ]
    names = {name for form in FORMS for name in re.findall(r"\b[A-Z][A-Z_]+\b", form)}
    assert names <= {line.partition(":")[0] for line in PRIMER.splitlines() if re.match(r"[A-Z_]+:", line)}


@pytest.mark.slow
def test_its_commands_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(main, ["new", "game", "gems"]).exit_code == 0
    assert (tmp_path / "gems" / SHEET).read_text("utf-8") == PRIMER
    assert runner.invoke(main, ["explain", "language"]).output == PRIMER
    monkeypatch.chdir(tmp_path / "gems")
    head = PRIMER.partition("\n## ")[0]
    commands = re.findall(r"`rulebook ([^`]+)`", head)
    assert len(commands) >= 10 and {command.split()[0] for command in commands} <= set(COMMANDS)
    for command in commands:
        words = [word.strip('"') for word in command.split()]
        if "--play" not in words and "--games" not in words:
            done = runner.invoke(main, words)
            assert done.exit_code == 0, (command, done.output)


def test_a_new_form_of_a_sentence_is_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulebook.authoring import primer
    from rulebook.dsl.parsing.grammar import grammar_text

    text = grammar_text().replace(
        '| "reveal" expr ', '| "conceal" expr "under" destination -> hide\n       | "reveal" expr '
    )
    monkeypatch.setattr(primer, "grammar_text", lambda: text)
    assert "          conceal VALUE under PLACE\n" in primer.write_primer()
    monkeypatch.setitem(parser.OTHER_WORDS, "fling", "move … to …")
    assert ", fling" in primer.write_primer()
