"""Tables by class, which mypy does not look into, know every sentence of the language."""

from __future__ import annotations

from typing import Any, get_args

import ir_samples as s
import pytest
from attrs import evolve, fields, frozen

from rulebook.dsl import ir, syntax
from rulebook.dsl import types as t
from rulebook.dsl.checking import scope, statements
from rulebook.dsl.checking.statements import UNFIT
from rulebook.dsl.lint import reach, texts
from rulebook.dsl.lint.facts import Facts
from rulebook.dsl.parsing import parser
from rulebook.dsl.secrets import taint


def test_every_sentence_is_checked_and_followed() -> None:
    assert set(statements._CHECKS) == set(get_args(syntax.Statement))
    assert set(taint._TRANSFER) == set(get_args(ir.Statement))


HOLDS = {"slot", "slots", "index", "picks", "body", "then", "otherwise", "taken", "options"}
"""Fields by which a sentence binds a name or holds a block."""
SKIPPED_OTHERWISE = {ir.Assign, ir.Leave, ir.EndStage, ir.Return}
"""Sentences without such a field that are never skipped, or look themselves for what is not there."""


def test_a_plain_sentence_binds_no_name_and_holds_no_block() -> None:
    for kind in get_args(ir.Statement):
        holds = bool({one.name for one in fields(kind)} & HOLDS)
        assert kind.is_plain is not (holds or kind in SKIPPED_OTHERWISE), kind


SAID: dict[str, Any] = {
    "noticed": ir.NEVER, "may_be_idle": ir.NEVER, "is_plain": True, "reads_order": False, "verb": "draw",
    "is_called_draw": False,
}  # fmt: skip


@pytest.mark.parametrize("left_out", SAID)
def test_a_sentence_that_forgets_to_say_what_it_is_cannot_be_made(left_out: str) -> None:
    said = {word: value for word, value in SAID.items() if word != left_out}
    with pytest.raises(TypeError, match=f"Discard does not say of itself: {left_out}"):

        @frozen
        class Discard(ir.Drawing, **said):
            goal: ir.Expr


@pytest.mark.parametrize("is_draw", [True, False])
def test_only_what_is_called_a_draw_says_how_many_cards_are_drawn(is_draw: bool) -> None:
    @frozen
    class Discard(ir.Drawing, **{**SAID, "is_called_draw": is_draw}):
        pass

    discard: Any = Discard(ir.Const(2, type=t.NUMBER), EXPR)
    assert Facts(s.small_game(), [discard], []).drawn == ((2, None) if is_draw else None)


def test_what_a_base_says_is_not_said_by_those_above_it() -> None:
    with pytest.raises(TypeError, match="noticed, may_be_idle, is_plain, reads_order"):

        class Reshuffle(ir.Shuffle):
            pass


EXPR = ir.Const(1, type=t.NUMBER)
NOT_WHERE = {"count"}
"""Fields of a move with an expression that is no card and no place."""


def _make(kind: type[Any]) -> tuple[Any, dict[str, ir.Expr]]:
    """A statement with an expression of its own in each field that may hold one."""
    holding = [one.name for one in fields(kind) if one.type in ("Expr", "Expr | None")]
    values: dict[str, ir.Expr] = {name: evolve(EXPR, value=at) for at, name in enumerate(holding)}
    rest = {one.name: 7 if "int" in str(one.type) else "" for one in fields(kind) if one.init and not one.kw_only}
    return kind(**{**rest, **values}), values


@pytest.mark.parametrize("kind", [one for one in get_args(ir.Statement) if issubclass(one, ir.Moving)])
def test_where_cards_come_from_and_go_to_is_said_of_every_move(kind: type[Any]) -> None:
    move, values = _make(kind)
    places = {*ir.find_taken(move), *ir.find_goals(move)}
    assert places == {value for name, value in values.items() if name not in NOT_WHERE}


def test_what_is_laid_in_another_order_is_said_of_every_sentence_that_does_so() -> None:
    for kind in (one for one in get_args(ir.Statement) if issubclass(one, ir.Mixing)):
        move, values = _make(kind)
        cards = values.get("cards", EXPR)
        mixing = evolve(move, cards=ir.Cards(cards, type=cards.type)) if "cards" in values else move
        assert ir.find_mixed(mixing) in values.values(), kind


ORDERS_ANEW = {
    ir.Shuffle, ir.Arrange, ir.Move, ir.MovePieces, ir.Draw, ir.Deal, ir.Pass, ir.Swap,
}  # fmt: skip
"""Sentences about cards in a place which decide themselves how these lie, or take them as chance has it."""


def test_what_does_not_read_an_order_is_known() -> None:
    """Whatever else moves or mixes cards goes by how they lay; unless it says so, that is the same in every game."""
    about = {kind for kind in get_args(ir.Statement) if issubclass(kind, ir.Moving | ir.Mixing)}
    assert {kind for kind in about if not kind.reads_order} == ORDERS_ANEW


def test_a_place_that_is_handed_over_is_held_against_all_that_is_done_with_it() -> None:
    verbs = {kind.verb for kind in get_args(ir.Statement) if issubclass(kind, ir.Drawing | ir.Mixing)}
    assert verbs | {"top", "bottom"} == set(UNFIT)


def test_what_a_sentence_binds_behind_it_is_said_of_every_sentence() -> None:
    for kind in get_args(ir.Statement):
        names = {one.name for one in fields(kind)} & {"slot", "slots", "picks"}
        if names and not issubclass(kind, ir.Loop):
            pick = ir.Pick(7, "x", False, EXPR, None, False, (), None)
            bound = {"slot": 7, "slots": (7,), "picks": (pick,)}
            rest = {one.name: None for one in fields(kind) if one.init and not one.kw_only}
            assert ir.find_bound(kind(**rest | {name: bound[name] for name in names})) == (7,), kind


KEEPS_ALL = {
    syntax.Choose, syntax.EachChooses, syntax.Menu, syntax.May, syntax.Offer, syntax.OfferChoice, syntax.PickRandom,
    syntax.Reveal, syntax.Cover, syntax.Show, syntax.Tell, syntax.Say, syntax.Let, syntax.Win, syntax.Original,
    syntax.Leave, syntax.Return, syntax.If, syntax.Each, syntax.Repeat, syntax.Iterate,
}  # fmt: skip
"""Sentences, as they are written, that leave by themselves where cards lie and what is remembered as it is."""
TRIGGERS_NOTHING = {
    ir.Let, ir.PickRandom, ir.Show, ir.Tell, ir.Say, ir.Choose, ir.ChooseEach, ir.Menu, ir.Offer, ir.If, ir.ForEach,
    ir.Repeat, ir.Iterate, ir.Leave, ir.EndStage, ir.Return, ir.DoRule, ir.DoHook, ir.Win,
}  # fmt: skip
"""Sentences after which, what is in their blocks and rules left aside, no value can have become another one."""
LIES_STILL = {ir.Assign, ir.Roll, ir.Stage}
"""Of the others, those that leave every card where it lies, and as it lies."""


def test_what_a_sentence_leaves_as_it_is_is_known_of_every_sentence() -> None:
    """A table that forgets one would believe behind it what held before it."""
    kinds, trees = {*get_args(ir.Statement)}, {*get_args(syntax.Statement)}
    assert {tree for tree in trees if not issubclass(tree, scope._CHANGING)} == KEEPS_ALL
    assert {kind for kind in kinds if not issubclass(kind, scope._MAY_TRIGGER)} == TRIGGERS_NOTHING
    assert {kind for kind in kinds - TRIGGERS_NOTHING if not issubclass(kind, reach._LYING)} == LIES_STILL


NOT_ON_CARDS = {
    ir.Let, ir.If, ir.ForEach, ir.Repeat, ir.Iterate, ir.Stage, ir.Leave, ir.EndStage, ir.Return, ir.DoRule, ir.Cover,
    ir.Win, ir.Eliminate,
}  # fmt: skip
"""Sentences which no single word on a card asks for."""


def test_a_word_on_a_card_knows_every_sentence_that_may_do_it() -> None:
    meant = tuple({kind for kinds in texts._DEEDS.values() for kind in kinds})
    assert {kind for kind in get_args(ir.Statement) if not issubclass(kind, meant)} == NOT_ON_CARDS


def test_a_word_that_begins_a_sentence_is_not_told_to_be_written_otherwise() -> None:
    assert not set(parser.VERBS) & set(parser.OTHER_WORDS)
