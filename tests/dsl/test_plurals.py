"""Plurals of names: what is one already stays, and a changed rule never reads as it did before."""

import pytest

from rulebook.comparing.in_english import ChangedRule
from rulebook.dsl.words import add_s, plural
from rulebook.library import find_games
from rulebook.loading import load
from rulebook.reporting.described import list_rules_changed


@pytest.mark.parametrize("words", ["gem", "gems", "die", "dice", "person", "piece of silver", "box", "boss", "bus"])
def test_a_plural_has_no_other(words: str) -> None:
    assert plural(plural(words)) == plural(words)


@pytest.mark.slow
def test_no_name_of_a_game_gets_two_endings() -> None:
    names = {name for folder in find_games() if (game := load(folder).rulebook) is not None for name in game.kinds}
    assert len(names) > 10
    for name in names:
        assert plural(plural(name)) == plural(name) != add_s(add_s(name))


@pytest.mark.parametrize(
    ("base", "changed"), [("• Draw a card.", "Draw a card."), ("Draw. Pay.", "Pay. Draw."), ("Pay.", "Pay. Pay.")]
)
def test_was_and_now_are_never_the_same(base: str, changed: str) -> None:
    [lines] = list_rules_changed([ChangedRule("Turn", base, changed)])
    assert lines == ["Turn.", "The same sentences, in another order or below other conditions."]
