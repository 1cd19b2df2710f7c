"""What rulebooks mean, and what is wrong with them: names, types, sentences, declarations.

Nearly all of it is data: `data/checker/*.yaml` hold snippets, the place of each mistake between marks, and what the
message must say. A snippet without `gives` is good.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from attrs import fields
from checking import SLOTS, alone, cases, checked, placed, question, rule, told

from rulebook.dsl import ir, syntax
from rulebook.dsl import types as t
from rulebook.dsl.checking import expressions
from rulebook.dsl.naming.builtins import BUILT_INS, PLACES_ITSELF

FILES = ["names", "typing", "narrowing", "sentences", "declared", "slips", "tables"]


@pytest.mark.parametrize(("slot", "snippet", "gives"), cases(*FILES))
def test_snippet(slot: str, snippet: str, gives: list[str]) -> None:
    told(slot, snippet, gives)


@pytest.mark.parametrize("name", sorted(BUILT_INS))
def test_no_question_about_a_list_takes_a_list_of_lists(name: str) -> None:
    """`any([… for …])` would always be yes, and `count([…])` always 1."""
    if BUILT_INS[name].least > 1 or name in PLACES_ITSELF:
        return
    found = checked(placed(f"let x = {name}([p.gold for p in players])", "script")).found
    assert [one.code for one in found] == ["RB401"]


def test_every_form_of_expression_has_a_meaning() -> None:
    assert set(expressions._FORMS) == set(get_args(syntax.Expr))


@pytest.mark.parametrize(
    ("above", "having"),
    [
        (ir.Placing, {"goal", "end", "face"}),
        (ir.Drawing, {"count", "source", "guards"}),
        (ir.Asking, {"quiet", "veiled"}),
        (ir.Loop, {"label"}),
        (ir.Through, {"list", "slot", "type"}),
        (ir.Ordering, {"list", "slot", "keys"}),
    ],
)
def test_what_has_the_same_fields_stands_below_one_class(above: type, having: set[str]) -> None:
    kinds = [*get_args(ir.Statement), *get_args(ir.Expr)]
    alike = {kind for kind in kinds if having <= {one.name for one in fields(kind)}}
    if above is ir.Drawing:
        # Pieces of a pool may be all there are, and what is picked at random stays where it lies.
        alike -= {ir.MovePieces, ir.PickRandom}
    assert alike == {kind for kind in kinds if issubclass(kind, above)}


def test_whatever_has_a_goal_moves_something_there() -> None:
    for kind in get_args(ir.Statement):
        given = {one.name: ir.Const(one.name, type=t.TEXT) for one in fields(kind) if one.name not in ("at", "guards")}
        one = kind(**given)
        if "goal" in given:
            assert isinstance(one, ir.Moving)
            assert ir.find_goals(one) == (given["goal"],)
        if isinstance(one, ir.Moving) and not isinstance(one, ir.Pass):
            assert ir.find_taken(one)


# What the passes can report at all

PASSES = ("naming", "checking", "secrets")
ELSEWHERE = {
    "RB106": "of what is too much, in `hostile.py`",
    "RB412": "of variants, in `overlay/original.yaml`",
    "RB107": "a folded script is a `bad` example of its code",
}


def test_every_code_of_the_passes_has_a_snippet() -> None:
    folder = Path(ir.__file__).parent
    texts = [file.read_text("utf-8") for name in PASSES for file in (folder / name).glob("*.py")]
    reported = {code for text in texts for code in re.findall(r'"(RB\d+)"', text)}
    files = [*FILES, "secrets", "traces"]
    given = {one.split()[0] for case in cases(*files) for one in case.values[2]}
    assert len(reported) > 20
    assert reported - given - set(ELSEWHERE) == set()


@pytest.mark.parametrize("slot", sorted(SLOTS))
def test_snippets_are_good_without_their_mistake(slot: str) -> None:
    # So that what a snippet gives is its own, and no mistake of the game around it.
    harmless = {"ask": "yes", "pure": "let x = 3\nreturn x", "more": "memory: {table: {x: 0}}"}
    assert checked(placed(harmless.get(slot, 'say "…"'), slot)).found == []


# What good snippets mean


def compiled(script: str) -> tuple[Any, list[str]]:
    """The sentences of a rule, and the names of its slots."""
    made = rule(script)
    return made.body, list(made.slots.names)


def test_a_name_that_may_be_absent_guards_the_sentences_that_read_it() -> None:
    sentences, names = compiled("choose gift from me.hand\nmove gift to bag\nadd 1 to me.gold")
    _, move, add = sentences
    slot = names.index("gift")
    assert (move.guards, add.guards) == ((slot,), ())


def test_a_block_is_guarded_by_its_head_and_not_by_its_body() -> None:
    sentences, names = compiled(
        "choose gift from me.hand\nif turns > 3:\n  move gift to bag\nif gift is note:\n  add 1 to me.gold publicly"
    )
    _, one, two = sentences
    slot = names.index("gift")
    assert (one.guards, one.then[0].guards) == ((), (slot,))
    assert (two.guards, two.then[0].guards) == ((slot,), ())


@pytest.mark.parametrize("choice", ["may choose gift from me.hand", "draw 1 from deck to me.hand as gift"])
def test_what_may_be_nothing_is_no_guard(choice: str) -> None:
    sentences, _ = compiled(f"{choice}\nif gift is nothing:\n  add 1 to me.gold")
    assert sentences[-1].guards == ()


def test_what_was_picked_at_random_may_be_absent() -> None:
    sentences, names = compiled("pick loot from first(others).hand at random\nmove loot to me.hand")
    assert sentences[-1].guards == (names.index("loot"),)


def test_a_way_out_makes_sure_of_the_name() -> None:
    sentences, _ = compiled("repeat 2:\n  choose gift from me.hand else stop\n  move gift to bag")
    (loop,) = sentences
    assert loop.body[1].guards == ()


def test_in_the_block_of_a_choice_its_name_is_there() -> None:
    sentences, names = compiled('choose gift from me.hand:\n  move gift to bag\nelse:\n  say "…"\nmove gift to bag')
    chosen, after = sentences
    assert chosen.taken[0].guards == ()
    assert after.guards == (names.index("gift"),)


def test_a_name_set_from_itself_is_guarded_by_itself() -> None:
    sentences, names = compiled("choose n from (0..3 where it > turns)\nset n = n + 1\nset n = 1")
    slot = names.index("n")
    assert [one.guards for one in sentences[1:]] == [(slot,), ()]


def test_what_is_worked_out_from_an_absent_name_is_absent_too() -> None:
    sentences, names = compiled(
        "choose gift from notes(me)\nlet worth_it = gift.value\nadd worth_it to me.debt publicly"
    )
    assert sentences[2].guards == (names.index("worth_it"),)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("first(me.hand)", "a card (id or jewelry or note) or nothing"),
        ("first(notes(me)).value", "an amount or nothing"),
        ("me.coin.worth", "an amount"),
        ("starter.left", "a player or nothing"),
        ("notes(starter)", "a list of cards (note)"),
        ("value of notes(me)", "a list of amounts"),
        ("hand of players", "a list of cards (id or jewelry or note)"),
        ("me.hand where it is note or it is jewelry", "a list of cards (jewelry or note)"),
        ("me.hand where it is not note and it is not id", "a list of cards (jewelry)"),
        ("max(gold of players, 0)", "a number"),
        ("max(gold of players)", "a number"),
        ("max(gold of players where gold > 2)", "a number or nothing"),
        ("0 if trusted(me) else me.debt", "an amount"),
        ("me.debt / 1 CU", "a number"),
        ("(1..2) + [3]", "a list of numbers"),
        ("every currency", "a list of currencies"),
        ("options.bonus(3)", "a number"),
        ("let x = 3\nif x > me.gold:\n  return x\nreturn 0", "a number"),
        ("let x = me.debt\nif x > 1 CU:\n  return x\nreturn 0", "an amount"),
        ("let x = 3\nif x > me.gold:\n  return x", "a number or nothing"),
        ("holder(tiara)", "a player or nothing"),
        ("badge.honest(me)", "a yes or no"),
        ("goblin.price(3)", "an amount"),
        ("closing_order()", "a list of players"),
    ],
)
def test_the_type_of_an_answer(text: str, wanted: str) -> None:
    assert t.word_type(question(text).type) == wanted


def test_a_word_is_a_place_or_a_choice_by_what_is_expected() -> None:
    asked = question("options.mode is deck").body
    assert isinstance(asked, ir.Compare) and asked.right == ir.Const("deck", type=t.Symbol("options.mode"))
    (moved,), _ = compiled("move tiara to deck")
    assert isinstance(moved.goal, ir.PlaceOf)


def test_others_are_clockwise_from_the_left_of_me() -> None:
    found = question("others").body
    assert isinstance(found, ir.Clockwise) and found.after


def test_a_name_being_bound_is_the_thing_of_the_outer_where() -> None:
    sentences, _ = compiled("choose friend from others where count(line where value > friend.debt) > 1")
    listed = sentences[0].picks[0].sources[0].list
    inner = listed.condition.left.arguments[0]
    assert inner.condition.right.player.slot == listed.slot


def test_depth_of_a_stop_counts_the_loops_between() -> None:
    sentences, _ = compiled("loop as lap:\n  each p in players:\n    if p.gold > 3:\n      stop lap\n    skip")
    inner = sentences[0].body[0].body
    assert inner[0].then[0] == ir.Leave(False, 1)
    assert inner[1] == ir.Leave(True, 0)


def test_a_hook_of_no_script_has_the_default_of_its_kind() -> None:
    done = checked(placed('say "…"', "effect"))
    assert done.rulebook is not None
    assert done.rulebook.hooks["playable"]["imp"] == "kinds.trick.playable"
    assert done.rulebook.hooks["effect"]["imp"] == "cards.imp.effect"
    assert "imp" not in done.rulebook.hooks.get("payday", {})


def test_a_game_has_a_beginning() -> None:
    rules = 'rules:\n  other: say "…"\n'
    (found,) = alone(rules).found
    assert (found.code, found.message) == ("RB111", "`rules` needs a `game`.")
    assert found.span is not None and found.span.text == "other"


@pytest.mark.parametrize(
    ("rules", "place", "help"),
    [
        ('rules: {other: say "…", gmae: say "…"}\n', "gmae", "Did you mean `game`?"),
        ("rules:\n", "rules", "write `game: |`"),
        ("", "format", "write `game: |`"),
    ],
)
def test_a_missing_beginning_is_shown_among_the_rules(rules: str, place: str, help: str) -> None:
    (found,) = alone(rules).found
    assert found.span is not None and found.span.text == place
    assert help in found.help


def test_cards_are_no_list() -> None:
    (found,) = alone("cards:\n  - name: Dime\n").found
    assert found.code == "RB112"
    assert "`goblin: {" in found.help


def test_numbers_of_a_list_under_each_are_numbers() -> None:
    done = checked("cards: {x: {kind: jewelry, value: 1 CU, each: {shine: [1, 3]}}}")
    assert done.rulebook is not None
    assert done.rulebook.cards["x.3"].attributes["shine"] == ir.Const(3, type=t.NUMBER)
