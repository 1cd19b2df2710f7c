"""Right rules are not complained of, and leaking ones are: small games, drawn so that it is known which they are.

`bench/drawn_secrets.py` draws many more, and asks twin games about the leaking ones of which nothing was said.
"""

from __future__ import annotations

from typing import get_args

from drawn_secrets import CHANGES, DEEDS, FACTS, HAND_DEEDS, PUBLIC, draw_game, find_codes

from rulebook.dsl import ir
from rulebook.dsl.document import Scalar
from rulebook.dsl.parsing.parser import parse_script
from rulebook.source import SourceFile, Span

RIGHT, LEAKING = range(60), range(60)


def test_right_rules_are_not_complained_of() -> None:
    games = [draw_game(seed, is_right=True) for seed in RIGHT]
    assert [(game.script, codes) for game in games if (codes := find_codes(game))] == []


def test_leaking_rules_are_told() -> None:
    games = [draw_game(seed, is_right=False) for seed in LEAKING]
    assert [game.script for game in games if not find_codes(game) - {"RB404"}] == []


def test_of_both_sorts_all_is_drawn() -> None:
    right, leaking = ({draw_game(seed, is_right=is_right) for seed in range(400)} for is_right in (True, False))
    names = {fact.name for fact in FACTS}
    assert {game.parts[0] for game in leaking} == names
    assert {game.parts[0] for game in right} == names | {fact.name for fact in PUBLIC}
    for games in (right, leaking):
        assert all(any(deed.split("\n")[0] in game.script for game in games) for deed in DEEDS)
        assert {"below a secret", "effect in a rule", "effect in a hook", "in a loop"} <= {
            part for game in games for part in game.parts
        }


def test_each_way_to_move_cards_is_drawn() -> None:
    """Of a move that none of these games does nobody would ask what it gives away."""
    scripts = [Scalar(text, "plain", Span(SourceFile("", ""), 0, 0)) for text in (*CHANGES, *DEEDS, *HAND_DEEDS)]
    written = {type(sentence).__name__ for script in scripts for sentence in parse_script(script)[0] or ()}
    assert written >= {kind.__name__ for kind in get_args(ir.Statement) if issubclass(kind, ir.Moving)}
