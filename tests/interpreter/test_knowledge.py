"""Who knows which card: the rules K1 to K6, one by one."""

from typing import Any

import ir_samples as s

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter.events import Sink
from rulebook.interpreter.knowledge import recognises, sight
from rulebook.interpreter.layout import KNOWN, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine

SEATS = [ir.Const(seat, type=t.PLAYER) for seat in range(3)]
ALL, EVERYONE = ir.AllCards(type=s.CARDS), 0b111
BAG, DECK, ROW = (s.place(*one) for one in (("bag", None, "bag"), ("deck", None, "pile"), ("row", None, "row")))
HEAP, OPEN = s.place("heap", kept="pile"), s.place("open", kept="row")
HAND = [s.place("hand", seat) for seat in SEATS]


def card(id: str, number: int = 0) -> ir.Expr:
    """One copy of a definition, wherever it lies."""
    copies = ir.AllCards(only=id, type=s.CARDS)
    return ir.BuiltIn("last", (ir.BuiltIn("first", (copies, s.const(number + 1)), type=s.CARDS),), type=s.CARD)


def cards(**numbers: int) -> ir.Expr:
    """The first so many copies of each definition."""
    chosen = [
        ir.BuiltIn("first", (ir.AllCards(only=id, type=s.CARDS), s.const(n)), type=s.CARDS) for id, n in numbers.items()
    ]
    found: ir.Expr = ir.Listed((), type=s.CARDS)
    for one in chosen:
        found = ir.Chain(found, one, type=s.CARDS)
    return found


def known(*body: ir.Statement, **more: Any) -> dict[str, list[str]]:
    """After these sentences: for each definition, who knows each copy, as `A`, `B`, `C`."""
    program = lower(s.game(*body, **more), 3)
    machine = Machine(program)
    state = machine.new_state(1)
    assert machine.advance(state) is None
    found: dict[str, list[str]] = {}
    for number, definition in enumerate(program.definition):
        mask = state[KNOWN][number]
        assert mask & sight(program, state, number) == sight(program, state, number), "sight sets the bit"
        found.setdefault(definition, []).append("".join("ABC"[seat] for seat in range(3) if mask >> seat & 1))
    return found


def masks(found: dict[str, list[str]]) -> list[str]:
    """Who knows each card, of all definitions."""
    return [mask for copies in found.values() for mask in copies]


def hidden_hand(**numbers: int) -> ir.Move:
    """Cards that go from a bag nobody can tell apart any more into Ana's hand."""
    return s.move(cards(**numbers), HAND[0])


SETUP = s.move(ALL, DECK), ir.Shuffle(DECK)
"""All cards on a pile that was shuffled: nobody knows anything."""


def test_k1_sight_sets_the_bit() -> None:
    assert set(masks(known())) == {"ABC"}
    assert known(*SETUP, s.move(card("ruby"), HAND[1]))["ruby"] == ["B", "", ""]
    assert known(*SETUP, s.move(card("ruby"), HAND[1], face="up"))["ruby"] == ["ABC", "", ""]
    assert known(*SETUP, s.move(card("ruby"), HAND[1]), ir.Reveal(card("ruby")))["ruby"] == ["ABC", "", ""]
    assert known(*SETUP, s.move(card("ruby"), ROW), ir.Show(card("ruby"), SEATS[2]))["ruby"] == ["C", "", ""]


def test_k1_the_new_top_of_a_pile_is_seen_when_it_is_uncovered() -> None:
    covered = (*SETUP, s.move(card("ruby"), HEAP), s.move(card("jade"), HEAP))
    assert known(*covered, s.move(card("jade"), HAND[0]))["ruby"][0] == "ABC"


def uncovered(*body: ir.Statement) -> list[str]:
    """After jade was laid on ruby on a pile of which all see the top: what each sentence uncovers for all to see."""
    covered = (*SETUP, s.move(card("pearl"), HEAP), s.move(card("ruby"), HEAP), s.move(card("jade"), HEAP))
    machine = Machine(lower(s.game(*covered, *body), 3))
    events: Sink = [[], [], []]
    assert machine.advance(machine.new_state(1), events) is None
    told = [[one.facts for one in seat if one.kind == "uncovered"] for seat in events]
    assert told[0] == told[1] == told[2]
    assert all(facts["place"] == "heap" and "count" not in facts for facts in told[0])
    return [id for facts in told[0] for id in facts["cards"]]


def test_everyone_is_told_of_the_card_that_is_uncovered() -> None:
    assert uncovered() == []
    assert uncovered(s.move(card("jade"), HAND[0])) == ["ruby"]
    assert uncovered(s.move(cards(jade=1, ruby=1), HAND[0])) == ["pearl"]
    assert uncovered(s.draw(2, HEAP, HAND[0])) == ["pearl"]
    assert uncovered(s.draw(3, HEAP, HAND[0])) == []
    assert uncovered(s.move(card("jade"), HEAP, "bottom")) == ["ruby"]
    assert uncovered(s.move(card("jade"), s.place("bank", kept="pool"))) == ["ruby"]


def test_nobody_is_told_of_a_card_that_was_no_secret_or_still_is_one() -> None:
    assert uncovered(s.move(card("ruby"), HAND[0])) == []
    assert uncovered(s.move(card("ruby"), HEAP)) == []
    assert uncovered(ir.Shuffle(HEAP), s.draw(1, HEAP, HAND[0])) == []


def test_k1_of_cards_that_come_onto_a_pile_together_the_top_one_is_seen() -> None:
    pair = cards(ruby=1, jade=1)
    laid = known(*SETUP, s.move(pair, HEAP))
    assert (laid["ruby"][0], laid["jade"][0]) == ("", "ABC")
    laid = known(*SETUP, s.move(pair, HAND[0]), s.move(pair, HEAP))
    assert (laid["ruby"][0], laid["jade"][0]) == ("A", "ABC")
    laid = known(*SETUP, s.move(pair, OPEN), s.move(pair, HEAP))
    assert (laid["ruby"][0], laid["jade"][0]) == ("ABC", "ABC")


def test_k1_what_comes_under_a_pile_is_not_seen() -> None:
    under = s.move(card("jade"), HEAP, end="bottom")
    assert known(*SETUP, s.move(card("ruby"), HEAP), under)["jade"][0] == ""
    assert known(*SETUP, under)["jade"][0] == "ABC"


def test_k2_the_bit_follows_from_a_position() -> None:
    row = (*SETUP, s.move(cards(ruby=1, jade=1), ROW), ir.Show(card("ruby"), SEATS[2]))
    assert known(*row, s.move(card("ruby"), HAND[0]))["ruby"] == ["AC", "", ""]
    assert known(*row, s.move(card("ruby"), DECK, "bottom"))["ruby"] == ["C", "", ""]


def test_k2_the_bit_follows_a_whole_place() -> None:
    passed = (*SETUP, hidden_hand(ruby=1, jade=1), ir.Pass("hand", 1))
    found = known(*passed)
    assert (found["ruby"][0], found["jade"][0]) == ("AB", "AB")


def test_k3_a_hidden_card_leaves_a_crowd() -> None:
    crowd = (*SETUP, hidden_hand(ruby=1, jade=1, pearl=1), ir.Show(card("ruby"), SEATS[2]))
    found = known(*crowd, s.move(card("jade"), HAND[1]))
    assert (found["ruby"][0], found["jade"][0], found["pearl"][0]) == ("A", "AB", "A")


def test_k3_not_when_all_leave_or_when_one_knows_that_all_are_equal() -> None:
    crowd = (*SETUP, hidden_hand(ruby=1, jade=1), ir.Show(card("ruby"), SEATS[2]))
    assert known(*crowd, s.move(cards(ruby=1, jade=1), HAND[1]))["ruby"][0] == "ABC"
    rubies = (*SETUP, hidden_hand(ruby=2), ir.Show(cards(ruby=2), SEATS[2]))
    assert known(*rubies, s.move(card("ruby"), HAND[1]))["ruby"] == ["ABC", "AC", ""]
    unsure = (*SETUP, hidden_hand(ruby=2), ir.Show(card("ruby"), SEATS[2]))
    assert known(*unsure, s.move(card("ruby", 1), HAND[1]))["ruby"] == ["A", "AB", ""]


def test_k3_a_face_up_card_stands_out_of_the_crowd() -> None:
    crowd = (*SETUP, hidden_hand(ruby=1, jade=1, pearl=1), ir.Reveal(card("ruby")))
    assert known(*crowd, s.move(card("jade"), HAND[1]))["ruby"][0] == "ABC"


def test_k3_cards_of_a_crowd_laid_side_by_side() -> None:
    crowd = (*SETUP, hidden_hand(ruby=1, jade=1), ir.Show(cards(ruby=1, jade=1), SEATS[2]))
    found = known(*crowd, s.move(cards(ruby=1, jade=1), ROW))
    assert (found["ruby"][0], found["jade"][0]) == ("A", "A")


def test_k4_a_shuffle_clears_the_pile() -> None:
    looked = (s.move(ALL, OPEN), s.move(ALL, DECK), ir.Show(ir.Cards(DECK, type=s.CARDS), SEATS[0]))
    assert set(masks(known(*looked))) == {"ABC"}
    assert set(masks(known(*looked, ir.Shuffle(DECK)))) == {""}


def test_k5_a_copy_that_visibly_leaves_may_be_the_one_that_was_known() -> None:
    crowd = (*SETUP, hidden_hand(ruby=2, jade=1), ir.Show(card("ruby"), SEATS[2]))
    found = known(*crowd, s.move(card("ruby", 1), OPEN))
    assert found["ruby"] == ["A", "ABC", ""]
    assert known(*crowd, s.move(card("ruby"), OPEN))["ruby"] == ["ABC", "A", ""]
    assert known(*crowd, s.move(card("jade"), OPEN))["ruby"] == ["AC", "A", ""]


def test_k5_a_copy_that_is_shown_may_be_the_one_that_was_known() -> None:
    crowd = (*SETUP, hidden_hand(ruby=2, jade=1), ir.Show(card("ruby"), SEATS[2]))
    assert known(*crowd, ir.Show(card("ruby", 1), SEATS[2]))["ruby"] == ["A", "AC", ""]
    assert known(*crowd, ir.Reveal(card("ruby", 1)))["ruby"] == ["A", "ABC", ""]


OUT = ir.Eliminate(SEATS[0])


def test_k6_who_is_eliminated_knows_what_everyone_sees() -> None:
    held = (*SETUP, hidden_hand(ruby=1), s.move(card("jade"), ROW), ir.Show(card("jade"), SEATS[0]))
    found = known(*held, s.move(card("pearl"), OPEN), OUT)
    assert (found["ruby"][0], found["jade"][0], found["pearl"][0]) == ("", "", "ABC")
    covered = known(*held, ir.Reveal(card("jade")), ir.Cover(card("jade")), OUT)
    assert covered["jade"][0] == "BC", "nothing is remembered"
    assert known(*held, s.move(card("ruby"), HEAP), OUT)["ruby"][0] == "ABC"


def test_k6_a_place_of_who_was_eliminated_is_as_closed_as_any() -> None:
    assert known(*SETUP, OUT, hidden_hand(ruby=1))["ruby"][0] == ""
    assert known(*SETUP, OUT, s.move(ALL, BAG), s.draw(1, BAG, HAND[0]))["ruby"] == ["", "", ""]
    held = (*SETUP, OUT, s.move(card("ruby"), HAND[1]))
    assert known(*held, ir.Swap(HAND[0], HAND[1]))["ruby"][0] == "B"
    pair = (*SETUP, OUT, hidden_hand(ruby=1, jade=1), ir.Reveal(card("ruby")), ir.Cover(card("ruby")))
    assert known(*pair)["ruby"][0] == "ABC"
    assert known(*pair, s.move(card("jade"), ROW))["ruby"][0] == "", "it may have been the other one"


def test_k6_who_was_eliminated_sees_on_what_everyone_sees() -> None:
    assert known(*SETUP, OUT, s.move(card("ruby"), OPEN))["ruby"][0] == "ABC"
    row = (*SETUP, s.move(card("ruby"), ROW), OUT)
    assert known(*row, ir.Reveal(card("ruby")), ir.Cover(card("ruby")))["ruby"][0] == "ABC"
    assert known(*row, ir.Show(card("ruby"), ir.Seats(True, type=s.PLAYERS)))["ruby"][0] == "BC"


def test_a_drawn_card_is_known_to_who_may_look_where_it_comes() -> None:
    drawn = s.draw(2, BAG, HAND[1])
    assert sorted(masks(known(*SETUP, s.move(ALL, BAG), drawn))) == [""] * 7 + ["B", "B"]
    # Who knew all that was in the bag, and sees what leaves it, knows what is left.
    assert set(masks(known(s.move(ALL, BAG), drawn))) == {"B"}


def test_who_may_look_at_the_dice_learns_the_new_faces() -> None:
    faces = s.state_def("face", 1, type=t.NUMBER, values=(1, 2, 3, 4, 5, 6), with_face=True)
    rolled = (
        *SETUP,
        hidden_hand(ruby=1),
        ir.Reveal(card("ruby")),
        ir.Cover(card("ruby")),
        ir.Roll(card("ruby"), "face"),
    )
    assert known(*rolled, states=(faces,))["ruby"] == ["A", "", ""]


def test_what_is_known_is_not_repeated_where_the_place_does_not_recall() -> None:
    program = lower(s.game(s.move(card("ruby"), HAND[0]), s.move(card("ruby"), ROW)), 3)
    machine = Machine(program)
    state = machine.new_state(1)
    machine.advance(state)
    assert recognises(program, state, 0, 0)
    row = program.layout.places[state[WHERE][0]]
    object.__setattr__(row, "recall", False)
    assert not recognises(program, state, 0, 0)


def test_equal_in_everything_but_a_state_is_not_equal() -> None:
    crack = s.assign(ir.State("cracked", card("ruby"), type=t.YES_NO), s.const(True, t.YES_NO))
    crowd = (*SETUP, hidden_hand(ruby=2, jade=1), crack, ir.Show(card("ruby"), SEATS[2]))
    found = known(*crowd, s.move(card("ruby", 1), OPEN), states=(s.state_def("cracked"),))
    assert found["ruby"] == ["AC", "ABC", ""]
