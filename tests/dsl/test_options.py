"""House rules as people type them: what is understood, and what is said about the rest."""

import pytest
from checking import alone

from rulebook.dsl.ir import OptionDef
from rulebook.dsl.settling.options import Given, Settled, amount_text, setting_text, settle_options
from rulebook.dsl.types import AMOUNT, NOTHING, NUMBER, YES_NO, Symbol, Type, either
from rulebook.examples import of_its_own
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower

UNITS = {"cent": 1, "CU": 100}


def option(
    name: str,
    type: Type,
    default: Settled,
    choices: tuple[int | bool | str | None, ...] | None = None,
    low: int | None = None,
    high: int | None = None,
) -> OptionDef:
    return OptionDef(name, type, default, choices, low, high, "")


OPTIONS = {
    one.name: one
    for one in (
        option("rounds", NUMBER, 3, low=1, high=9),
        option("limit", AMOUNT, 50000),
        option("deck_mode", Symbol("deck_mode"), "whole", ("whole", "by_player_count")),
        option("most", either(NUMBER, NOTHING), None, (None, 1)),
        option("optional", YES_NO, False),
        option("synergy", NUMBER, ((3, 3), (4, 5))),
    )
}


def test_what_is_not_given_keeps_its_default() -> None:
    settled, problems = settle_options(OPTIONS, {}, UNITS)
    assert problems == []
    assert settled == {
        "rounds": 3,
        "limit": 50000,
        "deck_mode": "whole",
        "most": None,
        "optional": False,
        "synergy": ((3, 3), (4, 5)),
    }


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("rounds", "5", 5),
        ("rounds", " 9 ", 9),
        ("rounds", 1, 1),
        ("limit", "700 CU", 70000),
        ("limit", "700CU", 70000),
        ("limit", "7 cent", 7),
        ("limit", "0", 0),
        ("limit", 70000, 70000),
        ("deck_mode", "by_player_count", "by_player_count"),
        ("most", "none", None),
        ("most", "1", 1),
        ("most", 1, 1),
        ("most", None, None),
        ("optional", "yes", True),
        ("optional", "no", False),
        ("optional", True, True),
        ("synergy", "5:10, 3:4", ((3, 4), (5, 10))),
        ("synergy", "none", ()),
    ],
)
def test_values_are_read_as_people_write_them(name: str, given: Given, wanted: Settled) -> None:
    settled, problems = settle_options(OPTIONS, {name: given}, UNITS)
    assert problems == []
    assert settled[name] == wanted
    assert type(settled[name]) is type(wanted)


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("ronds", "5", "There is no option `ronds`. Did you mean `rounds`?"),
        (
            "zzz",
            "5",
            "There is no option `zzz`. Known: `rounds`, `limit`, `deck_mode`, `most`, `optional`, `synergy`.",
        ),
        ("rounds", "12", "`rounds` cannot be `12`: it must be a whole number from 1 to 9."),
        ("rounds", "many", "`rounds` cannot be `many`: it must be a whole number from 1 to 9."),
        ("rounds", True, "`rounds` cannot be `yes`: it must be a whole number from 1 to 9."),
        ("rounds", "9" * 5000, f"`rounds` cannot be `{'9' * 40}…`: it must be a whole number from 1 to 9."),
        (
            "limit",
            "700",
            "`limit` cannot be `700`: it must be an amount like `500 CU`. Say of what: `700 cent`, `700 CU`.",
        ),
        (
            "limit",
            "700 Cu",
            "`limit` cannot be `700 Cu`: it must be an amount like `500 CU`. There is no unit `Cu`. "
            "Did you mean `700 CU`?",
        ),
        ("limit", None, "`limit` cannot be `none`: it must be an amount like `500 CU`."),
        (
            "deck_mode",
            "hole",
            "`deck_mode` cannot be `hole`: it must be `whole` or `by_player_count`. Did you mean `whole`?",
        ),
        ("most", "2", "`most` cannot be `2`: it must be `none` or `1`."),
        ("optional", "true", "`optional` cannot be `true`: it must be `yes` or `no`. Did you mean `yes`?"),
        (
            "synergy",
            "3-3",
            "`synergy` cannot be `3-3`: it must be steps like `3:3,4:5` "
            "(3 from 3 on, 5 from 4 on and for all above, 0 below 3).",
        ),
        (
            "synergy",
            "3:3,3:4",
            "`synergy` cannot be `3:3,3:4`: it must be steps like `3:3,4:5` "
            "(3 from 3 on, 5 from 4 on and for all above, 0 below 3). "
            "`3` is given twice.",
        ),
    ],
)
def test_what_cannot_be_met_is_said_in_a_sentence(name: str, given: Given, sentence: str) -> None:
    settled, problems = settle_options(OPTIONS, {name: given}, UNITS)
    assert problems == [sentence]
    assert settled == settle_options(OPTIONS, {}, UNITS)[0]


def test_every_problem_is_told_at_once() -> None:
    settled, problems = settle_options(OPTIONS, {"rounds": "0", "x": "1", "limit": "1 CU", "most": "9"}, UNITS)
    assert len(problems) == 3
    assert settled["limit"] == 100


def test_bounds_of_amounts_are_told_in_units() -> None:
    options = {"fee": option("fee", AMOUNT, 300, low=100, high=550)}
    assert settle_options(options, {"fee": "6 CU"}, UNITS)[1] == [
        "`fee` cannot be `6 CU`: it must be an amount like `3 CU` from 1 CU to 550 cent."
    ]


def test_a_game_without_options_says_so() -> None:
    assert settle_options({}, {"x": "1"}, {})[1] == ["There is no option `x`. This game has no options."]


def test_an_amount_is_written_in_its_largest_unit() -> None:
    assert [amount_text(one, UNITS) for one in (50000, 150, 0)] == ["500 CU", "150 cent", "0 CU"]
    assert amount_text(7, {}) == "7"


def test_an_option_of_a_list_of_words_takes_these_words() -> None:
    text = """
words: {good: {fish: Fish, spice: Spices}}
options: {cargo: {type: good, default: fish}}
rules: {game: 'say "{options.cargo}"'}
"""
    rulebook = alone(text).rulebook
    assert rulebook is not None
    assert rulebook.options["cargo"].choices == ("fish", "spice")
    sentence = "`cargo` cannot be `spic`: it must be `fish` or `spice`. Did you mean `spice`?"
    assert settle_options(rulebook.options, {"cargo": "spic"}, {}) == ({"cargo": "fish"}, [sentence])


STALLS = """
format: 1
name: Stalls
players: 2..2
units: {cent: 1, CU: 100}
options: {prices: {type: steps, default: {1: 2 CU, 3: 50 cent}, text: What a stall costs}}
memory: {player: {money: 0 cent}}
rules:
  game: |
    repeat 4 as n:
      each p in players:
        p always chooses one "Well?":
          "Buy for {options.prices(n)}":
            add options.prices(n) to p.money
result: {rank: most money}
"""


def test_steps_may_hold_amounts() -> None:
    rulebook, messages = of_its_own(STALLS)
    assert rulebook is not None and messages == []
    prices = rulebook.options["prices"]
    tables: list[tuple[str, Settled, str]] = [
        ("1:3 CU,2: 40cent", ((1, 300), (2, 40)), "1:3 CU,2:40 cent"),
        ("none", (), "none"),
        ("2:0", ((2, 0),), "2:0 CU"),
    ]
    for given, read, written in tables:
        settled, problems = settle_options(rulebook.options, {"prices": given}, rulebook.units)
        assert (settled["prices"], problems) == (read, [])
        assert setting_text(prices, read, rulebook.units) == written
    _, (problem,) = settle_options(rulebook.options, {"prices": "1:3"}, rulebook.units)
    assert "steps like `1:2 CU,3:50 cent` (2 CU from 1 on" in problem and "`3 cent`, `3 CU`" in problem
    game = Game(lower(rulebook, 2), 1)
    while game.decision is not None:
        (ask,) = game.decision.asks
        game.answer(ask.seat, ask.keys[:1])
    assert game.outcome.scores == (500, 500)


def test_steps_of_a_number_and_an_amount_are_one_or_the_other() -> None:
    _, messages = of_its_own(STALLS.replace("50 cent}", "50}"))
    assert [message.code for message in messages] == ["RB408"]
