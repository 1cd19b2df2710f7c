"""What each sentence does, and what the machine promises between them."""

import inspect
from typing import Any

import attrs
import ir_samples as s
import pytest

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter import op_table as table
from rulebook.interpreter.decisions import Chance, Decision, Refused, RuleError
from rulebook.interpreter.events import Event
from rulebook.interpreter.layout import ALIVE, PENDING, RESULT
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.op_table import OPS
from rulebook.interpreter.results import find_outcome
from rulebook.interpreter.run import Run, Watch
from rulebook.interpreter.state import State, cards_in, count_in

NAMES = ("Ana", "Ben", "Cleo")
BAG, DECK, HEAP = (s.place(name, kept=kept) for name, kept in (("bag", "bag"), ("deck", "pile"), ("heap", "pile")))
OPEN, BOARD, BANK = (s.place(name, kept=kept) for name, kept in (("open", "row"), ("board", "grid"), ("bank", "pool")))
ALL = ir.AllCards(type=s.CARDS)
FIRST_PLAYER = ir.BuiltIn("first", (s.players(),), type=t.PLAYER)
TURNS = s.memory("turns")
ONE_MORE = s.assign(TURNS, s.plus(TURNS, s.const(1)))


class Played:
    """A game that was played with these answers, as far as they went."""

    def __init__(self, rulebook: ir.Rulebook, *answers: str, seed: int = 1, players: int = 3) -> None:
        self.program = lower(rulebook, players)
        self.machine = Machine(self.program, NAMES[:players])
        self.state: State = self.machine.new_state(seed)
        self.events: list[list[Event]] = [[] for _ in range(players)]
        self.needed = self.machine.advance(self.state, self.events)
        for answer in answers:
            self.answer(*answer.split("+"))

    def answer(self, *keys: str, seat: int | None = None) -> None:
        asked = self.machine.find_waiting(self.state)[0] if seat is None else seat
        self.machine.answer(self.state, asked, keys, self.events)
        self.needed = self.machine.advance(self.state, self.events)

    def keys(self) -> tuple[str, ...]:
        assert isinstance(self.needed, Decision)
        return self.needed.asks[0].keys

    def ids(self, name: str, owner: int | None = None) -> list[str]:
        layout = self.program.layout
        place = layout.find_place(name) if owner is None else layout.find_place_of(name, owner)
        return [self.program.definition[card] for card in cards_in(layout, self.state, place)]

    def memory(self, name: str = "turns") -> Any:
        return self.state[self.program.layout.memory[name].slot]

    def pieces(self, name: str, owner: int | None = None) -> int:
        layout = self.program.layout
        return count_in(
            layout, self.state, layout.find_place(name) if owner is None else layout.find_place_of(name, owner)
        )

    def kinds(self, seat: int = 0) -> list[str]:
        return [event.kind for event in self.events[seat]]

    def last(self, kind: str, seat: int = 0) -> dict[str, Any]:
        return next(event.facts for event in reversed(self.events[seat]) if event.kind == kind)


def test_every_op_has_a_sentence_and_operands_with_kinds() -> None:
    for op in OPS.values():
        assert op.about
        assert list(op.operands) == list(inspect.signature(op.do).parameters)[2:]


def test_the_checker_and_the_machine_know_the_same_limits() -> None:
    assert (table.MOST_LISTED, table.MOST_VALUE) == (ir.MOST_LISTED, ir.MOST_VALUE)


# ── flow ─────────────────────────────────────────────────────────────────────────────────────────


def test_an_empty_game_is_over_at_once() -> None:
    played = Played(s.game())
    assert played.needed is None
    assert played.state[PENDING] == ("over",)
    assert played.machine.is_over(played.state)
    assert find_outcome(played.program, played.state).places == (1, 1, 1)


def test_repeat_stop_and_skip() -> None:
    number = s.local(0, t.NUMBER)
    odd = s.compare(ir.Arithmetic("%", number, s.const(2), type=t.NUMBER), "==", s.const(1))
    body = (
        s.when(s.compare(number, ">", s.const(6)), s.stop()),
        s.when(odd, ir.Leave(True, 0)),
        s.assign(TURNS, s.plus(TURNS, number)),
    )
    assert Played(s.game(s.repeat(10, *body, index=0), slots=(t.NUMBER,))).memory() == 2 + 4 + 6


def test_stop_leaves_the_loop_it_names() -> None:
    inner = s.each(0, s.players(), ONE_MORE, s.stop(1))
    assert Played(s.game(s.repeat(None, inner), slots=(t.PLAYER,))).memory() == 1


def test_each_reads_its_list_once_and_counts() -> None:
    taken = s.each(0, s.cards("box"), s.move(s.local(0), OPEN), s.assign(TURNS, s.local(1, t.NUMBER)), index=1)
    played = Played(s.game(taken, slots=(s.CARD, t.NUMBER)))
    assert played.memory() == 9
    assert len(played.ids("open")) == 9


def test_a_loop_that_changes_nothing_is_an_error() -> None:
    with pytest.raises(RuleError, match=r"goes round without end.*rules\.game"):
        Played(s.game(s.repeat(None, ir.Let(0, s.const(1))), slots=(t.NUMBER,)))


@pytest.mark.parametrize(
    ("values", "says"),
    [(tuple(range(5)), "goes from 0 to 4"), ((None, 1, 2, 3), "goes from 1 to 3"), ((1, 5), "can be 1 or 5")],
)
def test_a_number_does_not_leave_its_range(values: tuple[int | None, ...], says: str) -> None:
    many = s.memory_def("turns", start=1, values=values)
    with pytest.raises(RuleError, match=rf"^`turns` {says}, and this makes it 8\.") as caught:
        Played(s.game(s.assign(TURNS, s.plus(TURNS, s.const(7))), memories=(many, s.memory_def("points", "player"))))
    assert "rules.game" in str(caught.value)


def test_a_state_does_not_leave_its_range() -> None:
    worn = s.state_def("worn", 1, type=t.NUMBER, values=(1, 2, 3))
    wear = s.assign(ir.State("worn", s.first(s.cards("box")), type=t.NUMBER), s.const(9))
    with pytest.raises(RuleError, match=r"`worn` goes from 1 to 3, and this makes it 9\."):
        Played(s.game(wear, states=(worn,)))


def test_rules_that_run_for_ever_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebook.interpreter.run.MOST_LOOKED_AT", 5000)
    with pytest.raises(RuleError, match=r"without a decision; the rules go round in rules\.game"):
        Played(s.game(s.repeat(None, ONE_MORE)))


@pytest.mark.slow
def test_scripts_that_call_each_other_for_ever_are_an_error() -> None:
    with pytest.raises(RuleError, match=r"; the rules go round in rules\.again.* more up to rules\.game"):
        again = ir.DoRule("rules.again", (), None)
        Played(s.game(again, scripts=[s.script("rules.again", again)]))


def test_a_rule_answers() -> None:
    double = ir.Arithmetic("*", s.local(0, t.NUMBER), s.const(2), type=t.NUMBER)
    rule = s.script("rules.double", ir.Return(double), slots=(t.NUMBER,), parameters=1)
    body = (ir.DoRule("rules.double", (s.const(21),), 0), s.assign(TURNS, s.local(0, t.NUMBER)))
    assert Played(s.game(*body, scripts=[rule], slots=(t.NUMBER,))).memory() == 42


# ── stages ───────────────────────────────────────────────────────────────────────────────────────


def enough(number: int) -> ir.Expr:
    return s.compare(TURNS, ">=", s.const(number))


def test_until_is_asked_on_entry_and_after_each_statement_of_the_block() -> None:
    assert Played(s.game(s.stage("a", ONE_MORE, until=enough(0)))).kinds() == ["over"]
    played = Played(s.game(s.stage("a", ONE_MORE, s.repeat(3, ONE_MORE), ONE_MORE, until=enough(2))))
    assert played.memory() == 2


def test_the_outermost_stage_ends_when_a_hook_or_rule_returns() -> None:
    hook = s.script("cards.ruby.effect", ONE_MORE, slots=(s.CARD,), parameters=1)
    use = ir.DoHook("effect", s.first(s.cards("box")), (), None, None)
    body = s.stage("a", s.repeat(5, s.stage("b", use, ONE_MORE, until=enough(3))), until=enough(3))
    played = Played(s.game(body, scripts=[hook], hooks={"effect": {"ruby": "cards.ruby.effect"}}))
    assert played.memory() == 3
    ended = [event.facts["stage"] for event in played.events[0] if event.kind == "stage_ended"]
    assert ended == ["b", "b", "a"]


def test_end_leaves_calls_and_inner_stages_and_what_lasts_returns() -> None:
    memories = (s.memory_def("turns"), s.memory_def("lasting", lasts="a"), s.memory_def("points", "player", lasts="b"))
    rule = s.script("rules.deep", s.stage("c", ir.EndStage("a"), ONE_MORE))
    points = s.each(0, s.players(), s.assign(s.memory("points", s.player(0)), s.const(5)))
    deep = ir.DoRule("rules.deep", (), None)
    body = s.stage("a", s.assign(s.memory("lasting"), s.const(7)), s.stage("b", points, deep))
    played = Played(s.game(body, ONE_MORE, scripts=[rule], memories=memories, slots=(t.PLAYER,)))
    assert (played.memory(), played.memory("lasting")) == (1, 0)
    assert find_outcome(played.program, played.state).scores == (0, 0, 0)
    assert [event.facts["stage"] for event in played.events[0] if event.kind == "stage_ended"] == ["c", "b", "a"]


def test_the_stages_a_game_is_in() -> None:
    ask = s.menu(FIRST_PLAYER, s.option("Go"), s.option("Stay"))
    played = Played(s.game(s.stage("round", s.stage("turn", ask))))
    assert played.machine.list_stages(played.state) == [("round", "Round"), ("turn", "Turn")]


# ── cards ────────────────────────────────────────────────────────────────────────────────────────


def first(number: int) -> ir.Expr:
    return ir.BuiltIn("first", (s.cards("box"), s.const(number)), type=s.CARDS)


def test_cards_are_laid_on_a_pile_one_after_the_other() -> None:
    played = Played(s.game(s.move(first(4), DECK), s.move(s.first(s.cards("box")), DECK, "bottom")))
    assert played.ids("deck") == ["pearl", "ruby", "ruby", "ruby", "pearl"]


def test_moving_nothing_moves_nothing() -> None:
    assert Played(s.game(s.move(s.const(None, t.NOTHING), OPEN))).kinds() == ["over"]


def test_a_slot_holds_one_card() -> None:
    secret = s.place("secret", FIRST_PLAYER, "slot")
    with pytest.raises(RuleError, match=r"Ana\.secret has room for one card only"):
        Played(s.game(s.move(first(2), secret)))


def test_a_grid_is_filled_in_order_and_keeps_its_cells() -> None:
    layout = lower(s.game(), 3).layout
    cell = ir.Const((layout.find_place("board").ordinal, 4), type=t.CELL)
    played = Played(s.game(s.move(first(1), cell), s.move(first(2), BOARD)))
    card_numbers = list(played.state[layout.find_place("board").slot])
    assert [card != layout.empty for card in card_numbers] == [True, True, False, False, True, False]


def test_pieces_are_only_a_number() -> None:
    purse = s.place("purse", FIRST_PLAYER, "pool")
    body = (s.move(ALL, BANK), ir.MovePieces(s.const(4), BANK, purse), ir.MovePieces(s.const(99), BANK, purse))
    played = Played(s.game(*body, ir.MovePieces(s.const(1), purse, BANK)))
    assert (played.pieces("bank"), played.pieces("purse", 0)) == (1, 8)


def test_draw_takes_what_there_is_and_refills() -> None:
    body = (
        s.move(first(3), HEAP),
        s.move(s.first(s.cards("box")), DECK),
        s.draw(9, DECK, OPEN, slot=0, many=True),
        s.assign(TURNS, s.count(s.local(0, s.CARDS))),
    )
    played = Played(s.game(*body, slots=(s.CARDS,)))
    assert played.memory() == 4
    assert played.ids("open")[0] == "pearl"
    assert (played.ids("deck"), played.ids("heap")) == ([], [])


def test_draw_from_nothing_gives_nothing() -> None:
    found = ir.IsNothing(s.local(0), type=t.YES_NO)
    played = Played(s.game(s.draw(1, BAG, OPEN, slot=0), s.when(found, ONE_MORE), slots=(s.CARD,)))
    assert played.memory() == 1


def test_deal_goes_round_by_round() -> None:
    played = Played(s.game(s.move(first(4), DECK), ir.Deal(s.const(2), DECK, "hand")))
    assert [len(played.ids("hand", seat)) for seat in range(3)] == [2, 1, 1]
    assert played.ids("hand", 0) == ["ruby", "pearl"]


def test_a_shuffle_decides_nothing_until_cards_are_drawn() -> None:
    setup = (s.move(ALL, DECK), ir.Shuffle(DECK))
    one, other = (Played(s.game(*setup), seed=seed) for seed in (1, 2))
    assert one.ids("deck") == other.ids("deck")
    drawn = [Played(s.game(*setup, s.draw(9, DECK, OPEN)), seed=seed).ids("open") for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_shuffle_starts_the_stream_again() -> None:
    again = (s.move(ALL, DECK), ir.Shuffle(DECK), s.draw(4, DECK, OPEN), s.move(ALL, DECK), ir.Shuffle(DECK))
    less = (s.move(ALL, DECK), ir.Shuffle(DECK), s.draw(2, DECK, OPEN), s.move(ALL, DECK), ir.Shuffle(DECK))
    assert Played(s.game(*again, s.draw(9, DECK, OPEN))).ids("open") == Played(
        s.game(*less, s.draw(9, DECK, OPEN))
    ).ids("open")


def test_a_row_is_shuffled_at_once() -> None:
    orders = {tuple(Played(s.game(s.move(ALL, OPEN), ir.Shuffle(OPEN)), seed=seed).ids("open")) for seed in range(20)}
    assert len(orders) > 10
    assert all(sorted(order) == ["jade"] * 4 + ["pearl"] * 2 + ["ruby"] * 3 for order in orders)


def test_looking_at_the_top_settles_it() -> None:
    top = s.first(s.cards("deck", kept="pile"))
    looked = (s.move(ALL, DECK), ir.Shuffle(DECK), ir.Show(top, FIRST_PLAYER), s.draw(1, DECK, OPEN))
    for seed in range(10):
        played = Played(s.game(*looked), seed=seed)
        assert played.last("shown")["cards"] == played.ids("open")
        assert played.last("shown", 1)["count"] == 1


def test_pass_each_hands_whole_places_on() -> None:
    give = s.each(0, s.players(), s.move(s.first(s.cards("box")), s.place("hand", s.player(0))))
    setup = (s.move(first(2), OPEN), give, ir.Pass("hand", 1))
    played = Played(s.game(*setup, slots=(t.PLAYER,)))
    assert [played.ids("hand", seat) for seat in range(3)] == [["pearl"], ["ruby"], ["pearl"]]
    assert played.last("moved", 0)["how"] == "pass"


def test_swap_cards_cells_and_places() -> None:
    last = ir.BuiltIn("last", (s.cards("open", kept="row"),), type=s.CARD)
    top = s.first(s.cards("open", kept="row"))
    played = Played(s.game(s.move(ALL, OPEN), ir.Swap(top, last)))
    assert (played.ids("open")[0], played.ids("open")[-1]) == ("jade", "ruby")
    board = played.program.layout.find_place("board").ordinal
    cells = (ir.Const((board, 0), type=t.CELL), ir.Const((board, 5), type=t.CELL))
    swapped = Played(s.game(s.move(first(1), BOARD), ir.Swap(*cells)))
    assert swapped.state[swapped.program.layout.find_place("board").slot][5] == 0
    areas = tuple(s.place("area", ir.Const(seat, type=t.PLAYER), "row") for seat in (0, 1))
    exchanged = Played(s.game(s.move(first(2), areas[0]), ir.Swap(*areas)))
    assert (exchanged.ids("area", 0), exchanged.ids("area", 1)) == ([], ["ruby", "ruby"])


def test_arrange_is_a_choice_of_an_order() -> None:
    setup = (s.move(s.cards("box"), OPEN), ir.Arrange(FIRST_PLAYER, s.cards("open", kept="row"), False))
    order = "card:jade+card:pearl+card:ruby+card:jade+card:jade+card:jade+card:pearl+card:ruby+card:ruby"
    played = Played(s.game(*setup), order)
    assert [f"card:{id}" for id in played.ids("open")] == order.split("+")


def test_the_box_makes_cards_as_printed() -> None:
    cracked = ir.State("cracked", s.first(s.cards("box")), type=t.YES_NO)
    of_first = ir.State("cracked", s.first(s.cards("open", kept="row")), type=t.YES_NO)
    body = (s.assign(cracked, s.const(True, t.YES_NO)), s.move(ALL, OPEN), s.when(of_first, ONE_MORE))
    back = (s.move(ALL, s.place("box")), s.when(cracked, ONE_MORE))
    assert Played(s.game(*body, *back, states=(s.state_def("cracked"),))).memory() == 1


def test_roll_and_pick_use_the_stream_of_the_script() -> None:
    faces = s.state_def("face", 1, type=t.NUMBER, values=(1, 2, 3, 4, 5, 6))
    body = (ir.Roll(s.cards("box"), "face"), ir.PickRandom((0, 1), s.players(), None))
    rulebook = s.game(*body, states=(faces,), slots=(t.PLAYER, t.PLAYER))
    played = Played(rulebook)
    rolled = played.state[played.program.layout.states["face"].slot]
    assert len(set(rolled)) > 2
    assert played.last("rolled")["dice"][0] == ["ruby", rolled[0]]
    assert len(set(played.last("picked")["what"])) == 2
    assert Played(rulebook).state == played.state


def test_a_die_without_a_face_never_rolls_none() -> None:
    faces = s.state_def("face", None, type=t.maybe(t.NUMBER), values=(None, 1))
    played = Played(s.game(ir.Roll(s.cards("box"), "face"), states=(faces,)))
    assert set(played.state[played.program.layout.states["face"].slot]) == {1}


# ── windows ──────────────────────────────────────────────────────────────────────────────────────


def window(*more: ir.Statement, together: bool) -> ir.Rulebook:
    take = s.option("Take", s.assign(s.memory("points", s.player(0)), s.const(1)), *more)
    return s.game(s.offer(s.players(), 0, take, together=together, otherwise=(ONE_MORE,)), slots=(t.PLAYER,))


def test_offer_in_turn_ends_with_the_first_who_takes() -> None:
    played = Played(window(together=False), "pass", "label:Take")
    assert played.needed is None
    assert find_outcome(played.program, played.state).scores == (0, 1, 0)
    assert Played(window(together=False), "pass", "pass", "pass").memory() == 1


def test_offer_together_runs_every_taker_or_stops() -> None:
    played = Played(window(together=True), "label:Take", "pass", "label:Take")
    assert find_outcome(played.program, played.state).scores == (1, 0, 1)
    assert [event.facts for event in played.events[1] if event.kind in ("chose", "passed")] == [
        {"player": "Ben"},
        {"player": "Ana", "what": ["label:Take"]},
        {"player": "Cleo", "what": ["label:Take"]},
    ]
    stopped = Played(window(s.stop(), together=True), "label:Take", "pass", "label:Take")
    assert find_outcome(stopped.program, stopped.state).scores == (1, 0, 0)
    assert Played(window(together=True), "pass", "pass", "pass").memory() == 1


# ── absence ──────────────────────────────────────────────────────────────────────────────────────


def test_a_sentence_about_an_absent_name_is_skipped_with_its_blocks() -> None:
    absent = s.choose(FIRST_PLAYER, s.pick(0, s.cards("open", kept="row")))
    about_it = ir.If(ir.IsFaceUp(s.local(0), type=t.YES_NO), (ONE_MORE,), (ONE_MORE,), guards=(0,))
    spread = ir.Let(1, s.local(0), guards=(0,))
    about_both = ir.Move(s.local(1), OPEN, "", "", guards=(1,))
    played = Played(s.game(absent, about_it, spread, about_both, slots=(s.CARD, s.CARD)))
    assert played.memory() == 0
    assert played.kinds() == ["over"]


def test_a_sentence_about_somebody_who_is_not_there_is_skipped() -> None:
    nobody = ir.Const(None, type=t.maybe(t.PLAYER))
    played = Played(
        s.game(s.move(ALL, s.place("hand", nobody)), s.assign(s.memory("points", nobody), s.const(3)), ONE_MORE)
    )
    assert played.memory() == 1
    assert len(played.ids("box")) == 9


# ── ends ─────────────────────────────────────────────────────────────────────────────────────────


def test_win_is_first_and_the_eliminated_are_behind() -> None:
    seat = [ir.Const(number, type=t.PLAYER) for number in range(3)]
    played = Played(s.game(ir.Eliminate(seat[2]), ir.Win((seat[1],)), ONE_MORE))
    assert played.state[ALIVE] == (0, 1)
    assert played.memory() == 0
    found = find_outcome(played.program, played.state)
    assert (found.places, found.winners, found.finished) == ((2, 1, 3), (1,), True)
    assert found.payoffs == (0, 2, -2)
    nobody = Played(s.game(ir.Win(())))
    assert find_outcome(nobody.program, nobody.state).winners == ()


def test_an_each_passes_over_who_was_eliminated_since() -> None:
    body = s.each(0, s.players(), ir.Eliminate(s.clockwise(s.player(0), after=True)), ONE_MORE)
    assert Played(s.game(body, slots=(t.PLAYER,))).memory() == 1


def test_equal_ranks_share_a_place() -> None:
    points = s.each(
        0,
        s.players(),
        s.when(s.compare(s.player(0), "!=", s.const(0)), ir.Assign(s.memory("points", s.player(0)), s.const(4))),
    )
    played = Played(s.game(points, slots=(t.PLAYER,)))
    found = find_outcome(played.program, played.state)
    assert (found.places, found.scores, found.payoffs) == ((3, 1, 1), (0, 4, 4), (-2, 1, 1))


def test_too_many_decisions_end_a_game_as_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebook.interpreter.ops.asking.MOST_ANSWERS", 3)
    ask = s.menu(FIRST_PLAYER, s.option("Go"), s.option("Stay"))
    played = Played(s.game(s.repeat(None, ask)), "label:Go", "label:Go", "label:Go")
    assert played.needed is None
    assert played.state[RESULT] == ("unfinished",)
    assert not find_outcome(played.program, played.state).finished


# ── waiting ──────────────────────────────────────────────────────────────────────────────────────


def test_advance_on_a_waiting_state_changes_nothing() -> None:
    played = Played(s.small_game())
    before = list(played.state)
    assert played.machine.advance(played.state) == played.needed
    assert played.state == before


def test_answers_that_may_not_be_given_change_nothing() -> None:
    played = Played(s.small_game())
    machine, state, before = played.machine, played.state, list(played.state)
    for seat, keys, reason in (
        (0, ["card:opal"], "is not among the options"),
        (0, [], "One answer is wanted, not 0"),
        (0, ["pass"], "is not among the options"),
        (7, ["card:ruby"], "Seat 7 is not asked"),
    ):
        with pytest.raises(Refused, match=reason):
            machine.answer(state, seat, keys)
        assert state == before
    played.answer(played.keys()[0])
    with pytest.raises(Refused, match="Ana is not asked anything now"):
        machine.answer(state, 0, ["card:ruby"])
    over = Played(s.game())
    with pytest.raises(Refused, match="The game is over"):
        over.machine.answer(over.state, 0, ["card:ruby"])


def test_stepping_does_what_advancing_does() -> None:
    played = Played(s.small_game())
    state = played.machine.new_state(1)
    steps = []
    while (step := played.machine.step(state)) is not None:
        steps.append(step.op.name)
    assert state == played.state
    assert [name for name in steps if OPS[name].do.__module__.endswith((".cards", ".chance"))][:3] == [
        "move", "begin_shuffle", "shuffle_next",
    ]  # fmt: skip


# ── chance that is asked ─────────────────────────────────────────────────────────────────────────


def chances(rulebook: ir.Rulebook, choose: int = 0) -> tuple[list[Chance], Played]:
    """Every outcome that is asked for, each answered in the same way."""
    played = Played(s.game())
    played.program = lower(rulebook, 2)
    played.machine = Machine(played.program, NAMES[:2])
    played.state = played.machine.new_state(1)
    found = []
    while isinstance(needed := played.machine.advance(played.state, None, "ask"), Chance):
        assert played.machine.advance(played.state, None, "ask") == needed
        found.append(needed)
        played.machine.answer_chance(played.state, choose if choose >= 0 else len(needed.outcomes) - 1)
    return found, played


def test_equal_cards_are_one_outcome() -> None:
    setup = (s.move(ALL, DECK), ir.Shuffle(DECK), s.draw(2, DECK, OPEN))
    found, played = chances(s.game(*setup))
    assert [(one.outcomes, one.weights) for one in found] == [
        (("card:ruby", "card:pearl", "card:jade"), (3, 2, 4)),
        (("card:ruby", "card:pearl", "card:jade"), (2, 2, 4)),
    ]
    assert [one.number for one in found] == [1, 2]
    assert played.ids("open") == ["ruby", "ruby"]
    assert chances(s.game(*setup), -1)[1].ids("open") == ["jade", "jade"]


def test_what_can_only_end_in_one_way_is_not_asked() -> None:
    found, played = chances(s.game(s.move(ALL, BAG), s.draw(2, BAG, OPEN), gems={"ruby": (2, 1)}))
    assert (found, played.ids("open")) == ([], ["ruby", "ruby"])


def test_outcomes_show_who_will_see_them() -> None:
    found, _ = chances(s.game(s.move(ALL, BAG), ir.Deal(s.const(1), BAG, "hand")))
    assert [one.seen_by for one in found] == [(0,), (1,)]


@pytest.mark.parametrize(
    "sentence",
    [
        ir.Shuffle(OPEN),
        ir.PickRandom((0,), s.players(), None),
        ir.PickRandom((1,), s.cards("open", kept="row"), s.const(2)),
    ],
)
def test_every_chance_can_be_asked(sentence: ir.Statement) -> None:
    found, _ = chances(s.game(s.move(first(5), OPEN), sentence, slots=(t.PLAYER, s.CARDS)))
    assert found


def test_only_an_outcome_that_is_asked_for_can_be_given() -> None:
    played = Played(s.small_game())
    with pytest.raises(Refused, match="No outcome is asked for"):
        played.machine.answer_chance(played.state, 0)


# ── what is told ─────────────────────────────────────────────────────────────────────────────────


def test_an_explained_value_is_told_line_by_line_to_who_knows_the_cards() -> None:
    worth = ir.Each(
        s.cards("hand", s.player(0)), 1, ir.Attribute("worth", s.local(1), type=t.NUMBER), type=t.ListOf(t.NUMBER)
    )
    lines = (ir.Line("in hand", s.built_in("sum", worth)), ir.Line("bonus", s.const(2)))
    wealth = ir.Function("values.wealth", 1, ir.Slots(("p", "it"), (t.PLAYER, s.CARD)), t.NUMBER, ir.Total(lines))
    value = ir.CallValue("values.wealth", (FIRST_PLAYER,), type=t.NUMBER)
    body = (s.move(first(4), BAG), s.draw(2, BAG, s.place("hand", FIRST_PLAYER)), ir.Assign(TURNS, value, True))
    played = Played(s.game(*body, functions=(wealth,)))
    told = played.last("because")
    assert told["value"] == played.memory() == played.machine.ask(played.state, "values.wealth", 0)
    told_lines = [["in hand", played.memory() - 2], ["bonus", 2]]
    assert told["lines"] == [{"card": None, "name": "wealth", "lines": told_lines}]
    assert played.last("because", 1)["lines"] == [{"card": None, "name": "wealth", "lines": [["bonus", 2]]}]


def test_an_explained_verdict_names_the_cards_that_were_asked() -> None:
    def fine(id: str, *lines: ir.Line) -> ir.Function:
        return ir.Function(f"cards.{id}.fine", 1, ir.Slots(("this",), (s.CARD,)), t.YES_NO, ir.Conditions(lines))

    def is_fine(name: str) -> ir.Filter:
        asked = ir.AskHook("fine", s.local(1), (), type=t.YES_NO)
        return ir.Filter(s.cards("hand", s.player(0)), 1, asked, type=t.ListOf(s.CARD))

    yes, no = ir.Line("so", s.const(True, t.YES_NO)), ir.Line("not so", s.const(False, t.YES_NO))
    found = s.built_in("count", is_fine("once"))
    # Asked twice, and there are two cards that say the same.
    twice = ir.Compare("==", found, found, type=t.YES_NO)
    verdict = ir.Function(
        "values.verdict", 1, ir.Slots(("p", "it"), (t.PLAYER, s.CARD)), t.YES_NO,
        ir.Conditions((ir.Line("fine ones", twice),)),
    )  # fmt: skip
    functions = (fine("ruby", yes, no), fine("onyx", no), verdict)
    well = s.memory_def("well", type=t.YES_NO, start=None)
    memories = (s.memory_def("turns"), s.memory_def("points", "player"), well)
    value = ir.CallValue("values.verdict", (FIRST_PLAYER,), type=t.YES_NO)
    is_well = ir.TableMemory("well", type=t.YES_NO)
    body = (s.move(ALL, BAG), s.draw(2, BAG, s.place("hand", FIRST_PLAYER)), ir.Assign(is_well, value, True))
    hooks = {"fine": {"ruby": "cards.ruby.fine", "onyx": "cards.onyx.fine"}}
    rules = s.game(*body, functions=functions, hooks=hooks, memories=memories, gems={"ruby": (4, 1), "onyx": (4, 1)})
    said = {"ruby": [["so", True], ["not so", False]], "onyx": [["not so", False]]}
    seen = set()
    for seed in range(9):
        played = Played(rules, seed=seed)
        outer, *asked = played.last("because")["lines"]
        assert outer == {"card": None, "name": "verdict", "lines": [["fine ones", True]]}
        hand = list(dict.fromkeys(played.ids("hand", 0)))
        assert asked == [{"card": id, "name": "fine", "lines": said[id]} for id in hand]
        # Whoever does not know the cards is not told what they were asked, though those lines read no card.
        assert "because" not in played.kinds(1)
        seen.add(len(asked))
    assert seen == {1, 2}


def test_why_a_verdict_is_what_it_is() -> None:
    lines = (ir.Line("is here", s.const(True, t.YES_NO)), ir.Line("is paid", s.const(False, t.YES_NO)))
    question = ir.Function("cards.ruby.fine", 1, ir.Slots(("this",), (s.CARD,)), t.YES_NO, ir.Conditions(lines))
    played = Played(s.game(functions=(question,), hooks={"fine": {"ruby": "cards.ruby.fine"}}))
    assert played.machine.failing(played.state, "fine", 0, ()) == [("is here", True), ("is paid", False)]
    assert played.machine.ask(played.state, "cards.ruby.fine", 0) is False


def test_tell_and_say_reach_those_they_are_for() -> None:
    told = ir.Tell(FIRST_PLAYER, s.const(True, t.YES_NO))
    body = (told, ir.Say(s.text("hello"), FIRST_PLAYER), ir.Say(s.text("all"), None))
    played = Played(s.game(*body))
    assert played.last("told")["answer"] is True
    assert "answer" not in played.last("told", 1)
    assert played.kinds(1) == ["told", "said", "over"]


def test_hidden_memory_is_set_unnoticed() -> None:
    memories = (s.memory_def("turns", seen_by="nobody"), s.memory_def("points", "player", seen_by="owner"))
    body = (ONE_MORE, s.assign(s.memory("points", FIRST_PLAYER), s.const(3)))
    played = Played(s.game(*body, memories=memories))
    assert [played.kinds(seat) for seat in (0, 1)] == [["set", "over"], ["over"]]


# ── additions ────────────────────────────────────────────────────────────────────────────────────


def test_a_script_and_a_question_can_be_added() -> None:
    played = Played(s.game(s.move(ALL, OPEN)))
    added, code = played.program.lowering.with_script(played.program, s.script("scenario", ONE_MORE))
    machine = Machine(added)
    state = machine.new_state(1, code)
    assert machine.advance(state) is None
    question = added.lowering.lower_formula(s.plus(TURNS, s.local(0, t.NUMBER)))
    assert machine.evaluate(state, question, (41,)) == 42


def test_cards_may_own_places_and_come_with_others() -> None:
    chest = s.place_def("chest", "card", "pool", of=frozenset({"gem"}))
    plain = s.game(
        s.move(s.where(ALL, 0, ir.IsCard(s.local(0), frozenset({"jade"}), frozenset({"gem"}), type=t.YES_NO)), BANK),
        ir.MovePieces(s.const(2), BANK, s.place("chest", s.first(ALL), "pool")),
        s.move(ir.Attribute("companion", s.local(1), type=s.CARD), OPEN),
        slots=(s.CARD, s.CARD),
    )
    pair = attrs.evolve(plain.cards["pearl"], attributes={"companion": ir.AllCards("ruby", type=s.CARD)})
    game = plain.scripts["rules.game"]
    second = ir.Let(1, ir.BuiltIn("last", (ir.AllCards("pearl", type=s.CARDS),), type=s.CARD))
    paired = attrs.evolve(
        plain,
        places={**plain.places, "chest": chest},
        cards={**plain.cards, "pearl": pair},
        scripts={"rules.game": attrs.evolve(game, body=(second, *game.body))},
    )
    played = Played(paired)
    assert played.program.attributes["companion"][3:5] == (0, 1)
    assert (played.pieces("chest", 0), played.pieces("bank")) == (2, 2)
    assert played.ids("open") == ["ruby"]


@pytest.mark.parametrize(
    ("name", "numbers", "answer"),
    [
        ("any", (), False),
        ("any", (1, 2), False),
        ("any", (3, 1), True),
        ("any", (1, 3), True),
        ("any", (3, None), True),
        ("any", (1, None), None),
        ("any", (None, 3), None),
        ("all", (), True),
        ("all", (3, 4), True),
        ("all", (3, 1), False),
        ("all", (1, None), False),
        ("all", (3, None), None),
        ("all", (None, 1), None),
    ],
)
@pytest.mark.parametrize("watched", [False, True])
def test_any_and_all_ask_no_further_than_they_must(
    name: str, numbers: tuple[int | None, ...], answer: bool | None, watched: bool
) -> None:
    """About somebody who is not there the answer is nothing, unless it was decided before."""
    played = Played(s.game())
    listed = ir.Listed(tuple(s.const(one) for one in numbers), type=t.ListOf(t.NUMBER))
    more = ir.Compare(">", s.local(0, t.NUMBER), s.const(2), type=t.YES_NO)
    asked = s.built_in(name, ir.Each(listed, 0, more, type=t.ListOf(t.YES_NO)), of=t.YES_NO)
    formula = played.program.lowering.lower_formula(asked)
    run = Run(played.program, played.machine.names, played.state)
    run.watch = Watch(played.program.layout.everyone) if watched else None
    assert run.ask_question(formula) is answer


def test_neighbours_and_lines_of_a_grid() -> None:
    played = Played(s.game(s.move(first(6), BOARD)))
    board, state = played.program.layout.find_place("board"), played.state

    def ask(name: str, *arguments: ir.Expr) -> Any:
        formula = played.program.lowering.lower_formula(s.built_in(name, *arguments))
        return played.machine.evaluate(state, formula)

    middle = ir.Const((board.ordinal, 1), type=t.CELL)
    assert [index for _, index in ask("beside", middle)] == [0, 2, 4]
    assert [index for _, index in ask("around", middle)] == [0, 2, 3, 4, 5]
    assert [index for _, index in ask("column", middle)] == [1, 4]
    card_in_the_middle = ir.Const(1, type=s.CARD)
    assert ask("row", card_in_the_middle) == (0, 1, 2)
    assert ask("rows", BOARD) == ((0, 1, 2), (3, 4, 5))
    assert ask("columns", BOARD) == ((0, 3), (1, 4), (2, 5))
    assert ask("lines", BOARD, s.const(2)) == (
        *((0, 1), (1, 2), (3, 4), (4, 5)),
        *((0, 3), (1, 4), (2, 5)),
        *((0, 4), (1, 5)),
        *((1, 3), (2, 4)),
    )
