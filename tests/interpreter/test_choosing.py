"""What may be chosen, when nobody is asked, and what an answer may be."""

from typing import Any

import ir_samples as s
import pytest
from cores import play_both

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.examples import of_its_own
from rulebook.interpreter.decisions import Ask, Decision, Refused
from rulebook.interpreter.events import Event
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import COUNTS, STACK
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.op_table import ABSENT
from rulebook.interpreter.random import Source

ANA = ir.Const(0, type=t.PLAYER)
OPEN, BOX = s.cards("open", kept="row"), s.cards("box")
NUMBERS = ir.Span(s.const(1), s.const(4), type=t.ListOf(t.NUMBER))
FACE_DOWN_ROW = s.place("row", kept="row")
ROW = s.cards("row", kept="row")


class Choosing:
    """A game that stops at a choice, then keeps what was chosen in a local and stops again at a menu."""

    def __init__(self, *body: ir.Statement, slots: tuple[t.Type, ...] = (s.CARD, s.CARD), **more: Any) -> None:
        after = s.menu(ANA, s.option("Behind the choice"), s.option("Stay"))
        self.machine = Machine(lower(s.game(*body, after, slots=slots, **more), 3), ("Ana", "Ben", "Cleo"))
        self.state = self.machine.new_state(1)
        self.events: list[list[Event]] = [[], [], []]
        self.advance()

    def advance(self) -> None:
        needed = self.machine.advance(self.state, self.events)
        assert isinstance(needed, Decision)
        self.asks = needed.asks

    @property
    def ask(self) -> Ask:
        return self.asks[0]

    @property
    def asked(self) -> bool:
        """Whether it is the choice that is asked, and not what comes behind it."""
        return "label:Stay" not in self.ask.keys

    def answer(self, *keys: str, seat: int = 0) -> None:
        self.machine.answer(self.state, seat, keys, self.events)
        self.advance()

    def chosen(self, slot: int = 0) -> Any:
        """What stands in a local, cards by their ids."""
        return self.named(self.state[STACK][-1][2 + slot])

    def named(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self.named(one) for one in value)
        return self.machine.program.definition[value] if isinstance(value, int) else value


def choose(*picks: ir.Pick, **more: Any) -> ir.Choose:
    return s.choose(ANA, *picks, **more)


# ── options ──────────────────────────────────────────────────────────────────────────────────────


def test_equal_cards_are_one_option_with_a_count() -> None:
    choosing = Choosing(choose(s.pick(0, BOX)))
    assert [(one.key, one.label, one.count) for one in choosing.ask.options] == [
        ("card:ruby", "Ruby", 3),
        ("card:pearl", "Pearl", 2),
        ("card:jade", "Jade", 4),
    ]
    assert (choosing.ask.at_least, choosing.ask.at_most, choosing.ask.number) == (1, 1, 1)


def test_cards_that_differ_in_state_or_place_are_told_apart() -> None:
    crack = s.assign(ir.State("cracked", s.first(BOX), type=t.YES_NO), s.const(True, t.YES_NO))
    cracked = Choosing(crack, choose(s.pick(0, BOX)), states=(s.state_def("cracked"),))
    assert cracked.ask.keys[:2] == ("card:ruby", "card:ruby[cracked=yes]")
    assert [(one.label, one.count) for one in cracked.ask.options[:2]] == [("Ruby", 2), ("Ruby (cracked)", 1)]
    in_box, in_row = (f"card:ruby@{name}" for name in ("box", "open"))
    placed = Choosing(s.move(s.first(BOX), s.place("open", kept="row")), choose(s.pick(0, BOX, OPEN)))
    assert {in_box, in_row} <= set(placed.ask.keys)


def test_equal_labels_are_told_apart_by_their_place_in_the_menu() -> None:
    """Beside a state, which only cards have, whatever number a label has."""
    for states in ((), (s.state_def("cracked"),)):
        again = Choosing(s.menu(ANA, *(s.option("Again") for _ in range(12))), states=states)
        assert again.ask.keys == ("label:Again", *(f"label:Again#{number}" for number in range(2, 13)))


def test_hidden_cards_are_offered_by_position() -> None:
    two = ir.BuiltIn("first", (BOX, s.const(2)), type=s.CARDS)
    choosing = Choosing(s.move(two, FACE_DOWN_ROW), ir.Shuffle(FACE_DOWN_ROW), choose(s.pick(0, ROW)))
    assert [(one.key, one.label) for one in choosing.ask.options] == [
        ("card:?@row.1", "card 1"),
        ("card:?@row.2", "card 2"),
    ]
    choosing.answer("card:?@row.2")
    assert choosing.chosen() == "ruby"


@pytest.mark.parametrize(
    ("source", "sort", "keys"),
    [
        (s.players(), "player", ("player:Ana", "player:Ben", "player:Cleo")),
        (NUMBERS, "number", ("number:1", "number:2", "number:3", "number:4")),
        (s.const(("dark", "light"), t.ListOf(t.Symbol("shade"))), "word", ("word:dark", "word:light")),
        (s.const(("big", "small"), t.ListOf(t.TEXT)), "word", ("word:big", "word:small")),
        (
            s.built_in("cells", s.place("board", kept="grid"), of=t.ListOf(t.CELL)),
            "place",
            tuple(f"cell:board.{number}" for number in range(1, 7)),
        ),
    ],
)
def test_keys_by_sort(source: ir.Expr, sort: str, keys: tuple[str, ...]) -> None:
    assert Choosing(choose(s.pick(0, source, sort=sort))).ask.keys == keys


def test_several_sources_are_one_list() -> None:
    choosing = Choosing(choose(s.pick(0, NUMBERS, sort="number"), may=True), slots=(t.NUMBER,))
    assert choosing.ask.keys[-1] == "pass"
    both = s.pick(0, s.const(("dark",), t.ListOf(t.Symbol("shade"))), s.players(), sort="player")
    assert Choosing(choose(both)).ask.keys == ("word:dark", "player:Ana", "player:Ben", "player:Cleo")


# ── not asked ────────────────────────────────────────────────────────────────────────────────────


def test_one_legal_answer_is_not_asked_and_nobody_can_tell() -> None:
    only = s.where(BOX, 1, ir.IsCard(s.local(1), frozenset({"pearl"}), frozenset({"gem"}), type=t.YES_NO))
    choosing = Choosing(choose(s.pick(0, only)))
    assert not choosing.asked
    assert choosing.chosen() == "pearl"
    assert choosing.state[COUNTS] == (1, 0, 0, 0)
    assert choosing.events[0][0].facts == {"player": "Ana", "what": ["card:pearl"], "forced": True}
    assert choosing.events[1][0].facts == {"player": "Ana", "count": 1}  # nobody else looks into the box


def test_the_only_label_of_a_menu_is_pressed() -> None:
    roll = s.option("Roll")
    button = Choosing(s.menu(ANA, roll))
    assert button.ask.keys == ("label:Roll",) and button.ask.number == 1
    button.answer("label:Roll")
    assert button.ask.number == 2 and "label:Stay" in button.ask.keys
    # The same for all, so that nobody reads that only Ana knows.
    told = [events[0].facts for events in button.events]
    assert told == 3 * [{"player": "Ana", "what": ["label:Roll"], "button": True}]
    # What is left of several labels, or of one with a condition, is no button, and goes by itself.
    never = s.const(False, t.YES_NO)
    assert not Choosing(s.menu(ANA, roll, s.option("Stop", condition=never))).asked
    assert not Choosing(s.menu(ANA, s.option("Roll", condition=s.const(True, t.YES_NO)))).asked
    # So it was in games that were begun before.
    before = lower(s.game(s.menu(ANA, roll)), 3, has_buttons=False)
    assert Machine(before).advance(Machine(before).new_state(1)) is None


ALWAYS = """
format: 1
name: Always
players: 2..2
memory: {player: {points: 0}}
rules:
  game: |
    each me in players:
      ALWAYS choose n from [3]
      add n to me.points
    each p in players ALWAYS secretly chooses a, b from [1, 2]
    each p in players:
      set p.points = p.points + a[p] publicly
      p ALWAYS chooses one "Well?":
        "Yes" if p.points > 0:
          add 1 to p.points
        "No" if p.points > 9
      p ALWAYS chooses x from players where points > 99 else skip
result: {rank: most points}
"""


@pytest.mark.parametrize("always", [True, False])
def test_always_asks_though_there_is_one_answer(always: bool) -> None:
    rulebook, messages = of_its_own(ALWAYS.replace("ALWAYS ", "always " if always else ""))
    assert rulebook is not None, messages
    game = Game(program := lower(rulebook, 2), 1, ("Ana", "Ben"))
    asked: list[tuple[int, ...]] = []
    while game.decision is not None:
        (ask, *_) = game.decision.asks
        asked.append((ask.seat, len(ask.options)))
        game.answer(ask.seat, ask.keys[:1])
    # Of two names from one list the second one is what is left; where there is nothing, nobody is asked.
    mine = [(0, 1), (1, 1), (0, 2), (0, 1), (1, 2), (1, 1), (0, 1), (1, 1)]
    assert asked == (mine if always else [(0, 2), (1, 2)])
    chosen = [event.facts for event in game.events(0) if event.kind == "chose"]
    assert all("button" not in facts for facts in chosen) and ("forced" in chosen[0]) is not always
    assert play_both(program, seed=1) == (8 if always else 2)


def test_may_is_asked_even_with_one_option() -> None:
    assert Choosing(choose(s.pick(0, ir.Listed((ANA,), type=s.PLAYERS), sort="player"), may=True)).asked


def test_no_option_is_absent_or_nothing_or_otherwise() -> None:
    assert Choosing(choose(s.pick(0, OPEN))).chosen() == ABSENT
    assert Choosing(choose(s.pick(0, OPEN), may=True)).chosen() is None
    other = ir.Let(1, s.const("else", t.TEXT))
    assert Choosing(choose(s.pick(0, OPEN), otherwise=(other,))).chosen(1) == "else"


def test_a_pass_takes_otherwise_and_the_block_is_for_the_chosen() -> None:
    block, other = ir.Let(1, s.const("block", t.TEXT)), ir.Let(1, s.const("else", t.TEXT))
    for key, expected in (("pass", "else"), ("card:jade", "block")):
        choosing = Choosing(choose(s.pick(0, BOX), may=True, taken=(block,), otherwise=(other,)))
        choosing.answer(key)
        assert choosing.chosen(1) == expected


# ── several ──────────────────────────────────────────────────────────────────────────────────────


def many(least: int, most: int | None, source: ir.Expr = BOX, **more: Any) -> ir.Choose:
    return choose(s.pick(0, source, many=True, least=least, most=most, **more))


def test_a_set_is_answered_at_once() -> None:
    choosing = Choosing(many(2, 3))
    assert (choosing.ask.at_least, choosing.ask.at_most) == (2, 3)
    for keys, reason in (
        (["card:ruby"], "2 to 3 answers are wanted, not 1"),
        (["card:pearl"] * 3, "`card:pearl` cannot be chosen that often"),
    ):
        with pytest.raises(Refused, match=reason):
            choosing.answer(*keys)
    choosing.answer("card:jade", "card:ruby", "card:ruby")
    assert choosing.chosen() == ("ruby", "ruby", "jade")


def test_as_many_as_there_are() -> None:
    assert Choosing(many(9, 9)).chosen() == ("ruby",) * 3 + ("pearl",) * 2 + ("jade",) * 4
    assert Choosing(many(12, 12)).chosen() == ("ruby",) * 3 + ("pearl",) * 2 + ("jade",) * 4
    assert Choosing(many(0, None, OPEN)).chosen() == ()
    assert Choosing(many(2, 2, OPEN)).chosen() == ABSENT


def test_an_order_is_a_permutation() -> None:
    choosing = Choosing(many(4, None, NUMBERS, sort="number", ordered=True), slots=(t.ListOf(t.NUMBER),))
    with pytest.raises(Refused, match="4 answers are wanted"):
        choosing.answer("number:1")
    choosing.answer("number:3", "number:1", "number:4", "number:2")
    assert choosing.state[STACK][-1][2] == (3, 1, 4, 2)


def total_is(number: int) -> ir.Expr:
    return s.compare(s.built_in("sum", s.local(0, t.ListOf(t.NUMBER))), "==", s.const(number))


def of_numbers(number: int) -> Choosing:
    sets = many(0, None, NUMBERS, sort="number", so_that=total_is(number))
    return Choosing(sets, slots=(t.ListOf(t.NUMBER),))


def test_so_that_tests_the_set() -> None:
    choosing = of_numbers(5)
    with pytest.raises(Refused, match=r"Not met: 3 so far, exactly 5 needed\."):
        choosing.answer("number:1", "number:2")
    choosing.answer("number:4", "number:1")
    assert choosing.state[STACK][-1][2] == (1, 4)


def test_so_that_with_one_or_no_legal_set_is_not_asked() -> None:
    assert of_numbers(10).state[STACK][-1][2] == (1, 2, 3, 4)
    assert of_numbers(11).state[STACK][-1][2] == ABSENT


def test_so_that_of_one_value_leaves_out_options() -> None:
    small = s.compare(s.local(0, t.NUMBER), "<", s.const(3))
    choosing = Choosing(choose(s.pick(0, NUMBERS, sort="number", so_that=small)), slots=(t.NUMBER,))
    assert choosing.ask.keys == ("number:1", "number:2")


def test_picks_differ_and_are_one_decision() -> None:
    choosing = Choosing(choose(s.pick(0, s.players(), sort="player"), s.pick(1, s.players(), sort="player")))
    choosing.answer("player:Ben")
    assert choosing.ask.keys == ("player:Ana", "player:Cleo")
    assert (choosing.ask.number, choosing.ask.picked) == (1, ("player:Ben",))
    choosing.answer("player:Ana")
    assert choosing.state[STACK][-1][2:4] == (1, 0)
    assert [event.facts["what"] for event in choosing.events[2]] == [["player:Ben", "player:Ana"]]


# ── sealed ───────────────────────────────────────────────────────────────────────────────────────


def sealed(**more: Any) -> Choosing:
    hands = s.each(
        0, s.players(), s.move(ir.BuiltIn("first", (BOX, s.const(3)), type=s.CARDS), s.place("hand", s.player(0)))
    )
    gift = s.choose_each(0, s.pick(1, s.cards("hand", s.player(0))), **more)
    return Choosing(hands, gift, slots=(t.PLAYER, t.TableOf(t.maybe(s.CARD), t.PLAYER)))


def test_a_sealed_decision_opens_for_all_and_closes_with_the_last() -> None:
    choosing = sealed()
    # Ana holds three rubies and is not asked; Ben and Cleo may answer in any order.
    assert [one.seat for one in choosing.asks] == [1]
    assert choosing.ask.keys == ("card:pearl", "card:jade")
    before = [len(events) for events in choosing.events]
    choosing.answer("card:jade", seat=1)
    assert choosing.chosen(1) == ("ruby", "jade", "jade")
    told = [event.facts for event in choosing.events[2][before[2] :]]
    assert told == [
        {"player": "Ana", "count": 1},
        {"player": "Ben", "count": 1},
        {"player": "Cleo", "what": ["card:jade"], "forced": True},
    ]


def test_nothing_shows_before_all_have_answered() -> None:
    secret = s.choose_each(1, s.pick(0, NUMBERS, sort="number"), secretly=True)
    choosing = Choosing(secret, slots=(t.TableOf(t.maybe(t.NUMBER), t.PLAYER), t.PLAYER))
    assert [one.seat for one in choosing.asks] == [0, 1, 2]
    choosing.answer("number:2", seat=1)
    assert [one.seat for one in choosing.asks] == [0, 2]
    assert choosing.events == [[], [], []]
    with pytest.raises(Refused, match="Ben is not asked"):
        choosing.answer("number:2", seat=1)
    choosing.answer("number:4", seat=2)
    choosing.answer("number:1", seat=0)
    assert choosing.state[STACK][-1][2] == (1, 2, 4)
    assert [event.facts for event in choosing.events[0]] == [
        {"player": "Ana", "what": ["number:1"]},
        {"player": "Ben"},
        {"player": "Cleo"},
    ]


def test_the_order_of_answers_changes_nothing() -> None:
    secret = s.choose_each(1, s.pick(0, NUMBERS, sort="number"))
    ends = []
    for order in ((0, 1, 2), (2, 0, 1)):
        choosing = Choosing(secret, slots=(t.TableOf(t.maybe(t.NUMBER), t.PLAYER), t.PLAYER))
        for seat in order:
            choosing.answer(f"number:{seat + 1}", seat=seat)
        ends.append((choosing.state, choosing.events))
    assert ends[0] == ends[1]


def test_otherwise_of_a_sealed_decision_is_for_nobody() -> None:
    nobody = s.choose_each(1, s.pick(0, OPEN), otherwise=(ir.Let(1, s.const("nobody", t.TEXT)),))
    choosing = Choosing(nobody, slots=(t.TableOf(t.maybe(s.CARD), t.PLAYER), t.PLAYER))
    assert choosing.state[STACK][-1][2:4] == ((None, None, None), "nobody")


# ── at random ────────────────────────────────────────────────────────────────────────────────────


def test_random_answers_are_uniform_over_copies_and_legal() -> None:
    choosing = Choosing(choose(s.pick(0, BOX), may=True))
    below = Source(1, "bot").below
    answers = [choosing.machine.random_answer(choosing.state, choosing.ask, below)[0] for _ in range(5000)]
    for key, share in (("card:ruby", 3), ("card:pearl", 2), ("card:jade", 4), ("pass", 1)):
        assert abs(answers.count(key) - 500 * share) < 120


def test_random_sets_meet_the_condition() -> None:
    choosing = of_numbers(5)
    below = Source(1, "bot").below
    found = {tuple(choosing.machine.random_answer(choosing.state, choosing.ask, below)) for _ in range(100)}
    assert found == {("number:1", "number:4"), ("number:2", "number:3")}
