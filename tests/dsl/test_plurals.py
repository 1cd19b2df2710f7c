"""Plurals of names: what is one already stays, and a changed rule never reads as it did before."""

import pytest

from rulebook.comparing.in_english import ChangedRule
from rulebook.library import find_games
from rulebook.loading import load
from rulebook.plurals import add_s, plural, singular, word_amount
from rulebook.reporting.described import list_rules_changed


@pytest.mark.parametrize("words", ["gem", "gems", "die", "dice", "person", "piece of silver", "box", "boss", "bus"])
def test_a_plural_has_no_other(words: str) -> None:
    assert plural(plural(words)) == plural(words)


@pytest.mark.parametrize("words", ["gem", "box", "berry", "die", "person", "gold piece", "glass", "pie"])
def test_the_singular_of_a_plural_is_the_word_itself(words: str) -> None:
    assert singular(plural(words)) == singular(words) == words


@pytest.mark.parametrize(
    ("units", "one", "two"),
    [
        ({"coin": 1}, "1 coin", "2 coins"),
        ({"coins": 1}, "1 coin", "2 coins"),
        ({"gold_piece": 1}, "1 gold piece", "2 gold pieces"),
        ({"penny": 1, "crown": 12}, "1 penny", "2 pennies"),
        ({"pennies": 1, "crowns": 12}, "1 penny", "2 pennies"),
        ({"CU": 1}, "1 CU", "2 CU"),
        ({"Yen": 1}, "1 Yen", "2 Yen"),
    ],
)
def test_one_of_a_unit_is_one(units: dict[str, int], one: str, two: str) -> None:
    assert (word_amount(1, units), word_amount(2, units)) == (one, two)


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
