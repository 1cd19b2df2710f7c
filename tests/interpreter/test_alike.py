"""A program that is lowered like another one, but for a house rule, is the same as one that is lowered for itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cores import has_core

from rulebook.dsl import ir
from rulebook.dsl.settling.leaving_out import LEFT_OUT
from rulebook.interpreter.core.door import known_ops
from rulebook.interpreter.core.encode import encode
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.library import find_game
from rulebook.loading import load
from rulebook.playtest.ablation.playing import list_settings
from rulebook.playtest.ablation.wrapping import wrap

pytestmark = pytest.mark.needs(has_core(), "the core")

GAME = """
format: 1
name: Lanterns
players: 2..2
options:
  again: {type: 1..3, default: 2, text: How often each does something}
  dim: {type: yes_no, default: no, text: Lamps do not glow}
  gold: {type: yes_no, default: yes, text: All is of gold}
  last: {type: yes_no, default: no, text: Lights count twice}
  late: {type: 1..9, default: 5, text: When it is dusk}
  many: {type: 1..4, default: 2, text: How many lamps there are}
  open: {type: yes_no, default: no, text: All see what somebody holds}
kinds:
  lantern:
    asks: {glows(me): {type: yes_no, default: yes}}
    does: {lit(me): }
cards:
  lamp: {kind: lantern, copies: options.many, glows: not options.dim, lit: do count_one(me)}
  candle: {kind: lantern, copies: 3, lit: do count_one(me)}
places:
  player: {hand: {holds: lantern, kept: loose, seen_by: {by: options.open, yes: everyone, no: owner}}}
memory:
  table: {dusk: {type: 0..99, default: 0}}
  player: {lights: {type: 0..99, default: 0}}
values:
  is_gold(): options.gold
  is_late(): dusk >= options.late
  worth(p): p.lights + (1 if is_gold() else 0)
actions:
  light: {possible: any(me.hand where glows(me)), effect: do count_one(me)}
  wait: {effect: set dusk = dusk + 1}
whenever:
  is_late(): do go_dark
rules:
  game: |
    deal 1 from box to each hand
    repeat options.again:
      each me in players:
        choose deed from actions where possible(me) "What do you do?"
        do deed.effect(me)
        each mine in me.hand:
          do mine.lit(me)
  count_one(me): set me.lights = me.lights + 1
  go_dark: set dusk = 0
result: {rank: most worth(it) then (lights if options.last else 0)}
"""

ASKING_WHAT_IS_POSSIBLE = {"rules.game", "actions.light.possible"}
LOWERED_AGAIN = {
    "again": {"rules.game"},
    "dim": {"cards.lamp.glows", *ASKING_WHAT_IS_POSSIBLE},
    "gold": {"values.is_gold", "values.worth"},
    "last": set[str](),
    "late": {"values.is_late", "whenever"},
}
"""By a house rule, the scripts and questions that read it, themselves or through others; what lies there reads `many`
and `open`, and then all is lowered again.
"""


def read_game(tmp_path: Path) -> ir.Rulebook:
    (tmp_path / "rulebook.yaml").write_text(GAME, "utf-8")
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None
    return rulebook


def find_shared(program: Program, other: Program) -> set[str]:
    """The names of the scripts and questions whose codes are the very same."""
    names = program.lowering.indexes
    shared = {name for name, number in names.items() if program.codes[number] is other.codes[number]}
    return shared | {name for name, code in program.questions.items() if code is other.questions[name]}


def assert_same(program: Program, alone: Program) -> None:
    assert encode(program, known_ops()) == encode(alone, known_ops())
    assert (program.definition, program.layout.start) == (alone.definition, alone.layout.start)


@pytest.mark.parametrize("option", LOWERED_AGAIN)
def test_what_reads_no_house_rule_that_differs_is_shared(option: str, tmp_path: Path) -> None:
    rulebook = read_game(tmp_path)
    plain = lower(rulebook, 2)
    for setting in list_settings(rulebook, plain.options):
        if setting.options[option] != plain.options[option]:
            program = lower(rulebook, 2, setting.options, like=plain)
            everything = rulebook.scripts.keys() | rulebook.functions.keys()
            assert find_shared(program, plain) == everything - LOWERED_AGAIN[option]
            assert_same(program, lower(rulebook, 2, setting.options))


@pytest.mark.parametrize("options", [{"many": 4}, {"open": True}, {LEFT_OUT: ("candle",)}])
def test_where_what_lies_there_differs_nothing_is_shared(options: dict[str, Any], tmp_path: Path) -> None:
    rulebook = read_game(tmp_path)
    plain = lower(rulebook, 2)
    program = lower(rulebook, 2, options, like=plain)
    assert find_shared(program, plain) == set()
    assert_same(program, lower(rulebook, 2, options))


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("wallet", "exposed", "wrong_party")]


@pytest.mark.parametrize("game", ["liars_dice", *SLOW])
def test_every_setting_is_the_same_as_lowered_for_itself(game: str) -> None:
    rulebook = load(find_game(game), use_cache=True).rulebook
    assert rulebook is not None
    wrapped, plain = wrap(rulebook), {name: option.default for name, option in rulebook.options.items()}
    first: dict[int, Program] = {}
    for setting in list_settings(rulebook, plain):
        alone = lower(wrapped.rulebook, setting.players, setting.options, marks=wrapped.marks)
        like = first.setdefault(setting.players, alone)
        program = lower(wrapped.rulebook, setting.players, setting.options, marks=wrapped.marks, like=like)
        assert_same(program, alone)
