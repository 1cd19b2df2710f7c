"""Reaction windows and sealed decisions: who may answer, what comes of it, and what nobody learns."""

from __future__ import annotations

from pathlib import Path

import pytest
from leaks import ListenedGame, answer_at_random, look_alike, overheard
from reaction_windows import NAMES, answer, asked, begun, played, program, said, stream, told
from shipped import load_game

from rulebook import library
from rulebook.interpreter.decisions import Refused
from rulebook.interpreter.determinize import determinize
from rulebook.interpreter.game import Game
from rulebook.interpreter.invariants import check_state
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source
from rulebook.interpreter.state import from_json, to_json

IN_TURN = """
offer others in turn as q "Buy?":
  "Buy":
    add 1 to q.points
    say "{q} buys from {me}"
else:
  say "nobody"
say "over"
"""
TOGETHER = IN_TURN.replace("in turn", "together")
FIRST_ONLY = TOGETHER.replace('from {me}"', 'from {me}"\n    stop q')


def test_in_turn_the_first_taker_closes_the_window() -> None:
    game = begun(IN_TURN)
    assert asked(game) == ["Ben"]
    answer(game, "Ben", "pass")
    assert asked(game) == ["Cleo"]
    # Each sees the passes before.
    assert told(game, "Cleo") == told(game, "Dan") == [("Ben", "passed")]
    answer(game, "Cleo", "Buy")
    assert game.over
    assert said(game) == ["Cleo buys from Ana", "over"]
    assert told(game, "Dan") == [("Ben", "passed"), ("Cleo", ["label:Buy"])]


def test_in_turn_goes_in_the_order_of_the_list() -> None:
    game = begun(IN_TURN.replace("others", "clockwise from me.right"))
    assert asked(game) == ["Dan"]
    answer(game, "Dan", "pass")
    assert asked(game) == ["Ana"]


@pytest.mark.parametrize("script", [IN_TURN, TOGETHER])
def test_else_runs_when_nobody_took(script: str) -> None:
    game = played(script, ("Ben", "pass"), ("Cleo", "pass"), ("Dan", "pass"))
    assert said(game) == ["nobody", "over"]


@pytest.mark.parametrize("how", ["in turn", "together"])
def test_else_runs_when_nobody_is_there_to_be_asked_or_able(how: str) -> None:
    nobody = f'offer others where points > 3 {how} as q:\n  "Buy":\n    say "{{q}}"\nelse:\n  say "nobody"'
    assert said(begun(nobody)) == ["nobody"]
    unable = f'offer others {how} as q:\n  "Buy" if q.points > 3:\n    say "{{q}}"\nelse:\n  say "nobody"'
    assert said(begun(unable)) == ["nobody"]


def test_together_asks_all_at_once_and_takers_act_in_the_order_of_the_list() -> None:
    game = begun(TOGETHER)
    assert asked(game) == ["Ben", "Cleo", "Dan"]
    # The order of arrival changes nothing.
    for name, key in (("Dan", "Buy"), ("Cleo", "pass"), ("Ben", "Buy")):
        assert said(game) == []
        answer(game, name, key)
    assert said(game) == ["Ben buys from Ana", "Dan buys from Ana", "over"]
    other = played(TOGETHER, ("Ben", "Buy"), ("Dan", "Buy"), ("Cleo", "pass"))
    assert [other.events(seat) for seat in range(4)] == [game.events(seat) for seat in range(4)]


def test_while_it_is_open_all_see_who_has_answered_and_never_what() -> None:
    game = played(TOGETHER, ("Cleo", "Buy"))
    for seat in range(4):
        assert game.view(seat).facts["waiting"] == ["Ben", "Dan"]
    assert told(game, "Ben") == told(game, "Cleo") == []


def test_the_giver_alone_knows_a_decline() -> None:
    game = played(TOGETHER, ("Ben", "pass"), ("Cleo", "Buy"), ("Dan", "pass"))
    assert told(game, "Ben") == [("Ben", "passed"), ("Cleo", ["label:Buy"])]
    assert told(game, "Ana") == [("Cleo", ["label:Buy"])]


def test_stop_closes_the_window_for_who_comes_later_and_nobody_learns_of_them() -> None:
    game = played(FIRST_ONLY, ("Ben", "pass"), ("Cleo", "Buy"), ("Dan", "Buy"))
    assert said(game) == ["Cleo buys from Ana", "over"]
    assert told(game, "Ana") == [("Cleo", ["label:Buy"])]
    # Dan knows what he answered himself.
    assert told(game, "Dan") == [("Dan", ["label:Buy"]), ("Cleo", ["label:Buy"])]


def test_skip_goes_on_to_the_next_taker() -> None:
    script = TOGETHER.replace('    say "{q}', '    if q is me.left:\n      skip\n    say "{q}')
    game = played(script, ("Ben", "Buy"), ("Cleo", "Buy"), ("Dan", "pass"))
    assert said(game) == ["Cleo buys from Ana", "over"]


def test_each_condition_is_asked_again_when_the_turn_comes() -> None:
    script = """
offer others together as q:
  "Take the last" if turns is 0:
    set turns = 1
    say "{q}"
else:
  say "nobody"
"""
    game = played(script, ("Ben", "Take the last"), ("Cleo", "Take the last"), ("Dan", "Take the last"))
    assert said(game) == ["Ben"]
    # Whose answer came to nothing is not named either.
    assert told(game, "Ana") == [("Ben", ["label:Take the last"])]


def test_q_is_the_taker_and_me_stays_whose_turn_it_is() -> None:
    game = played(IN_TURN.replace("add 1 to q.points", "add 1 to me.points"), ("Ben", "Buy"))
    assert game.outcome.finished
    facts = game.view(1).facts["memory"]
    assert (facts["Ana.points"], facts["Ben.points"]) == (1, 0)


# ── windows of things ────────────────────────────────────────────────────────────────────────────

THROW_IN = """
offer others in turn as q to choose gem from q.hand where it is ruby, pot "Which one?":
  move gem to dark
  say "{q} throws one in"
else:
  say "nobody"
say "over"
""".replace("gem", "stone")
THROW_TOGETHER = THROW_IN.replace("in turn", "together")
RUBIES = {"Ben": "ruby pearl", "Cleo": "ruby", "Dan": "pearl"}


def test_a_thing_in_turn_closes_the_window() -> None:
    game = begun(THROW_IN, **RUBIES)
    assert asked(game) == ["Ben"]
    answer(game, "Ben", "pass")
    assert asked(game) == ["Cleo"]
    answer(game, "Cleo", "card:ruby")
    assert said(game) == ["Cleo throws one in", "over"]
    # That one was chosen is heard, and not which.
    assert told(game, "Ana") == [("Cleo", None)]


def test_things_together_are_used_in_the_order_of_the_list() -> None:
    game = begun(THROW_TOGETHER, **RUBIES)
    assert asked(game) == ["Ben", "Cleo"]  # Dan has none
    answer(game, "Cleo", "card:ruby")
    assert said(game) == told(game, "Ana") == []
    answer(game, "Ben", "card:ruby")
    assert said(game) == ["Ben throws one in", "Cleo throws one in", "over"]
    assert told(game, "Dan") == [("Ben", None), ("Cleo", None)]
    assert told(game, "Cleo") == [("Cleo", ["card:ruby"]), ("Ben", None)]


def test_nobody_throws_one_in() -> None:
    for script in (THROW_IN, THROW_TOGETHER):
        assert said(played(script, ("Ben", "pass"), ("Cleo", "pass"), **RUBIES)) == ["nobody", "over"]
        assert said(begun(script, Ben="pearl")) == ["nobody", "over"]


def test_a_thing_is_looked_for_again_when_the_turn_comes() -> None:
    script = "draw 1 from box to pot" + THROW_TOGETHER.replace("q.hand where it is ruby, ", "")
    game = begun(script, Ben="ruby", Cleo="ruby", Dan="ruby", dark="ruby " * 5 + "pearl " * 7)
    assert asked(game) == ["Ben", "Cleo", "Dan"]
    for name, key in (("Dan", "card:pearl"), ("Ben", "pass"), ("Cleo", "card:pearl")):
        answer(game, name, key)
    assert said(game) == ["Cleo throws one in", "over"]
    # Whose answer came to nothing is not named either.
    assert told(game, "Ana") == [("Cleo", ["card:pearl"])]


def test_several_things_are_looked_for_again() -> None:
    script = """
draw 3 from box to pot
offer others together as q to choose 1..2 taken from pot so that sum(worth of taken) < 5:
  move taken to q.hand
  say "{count(taken)}"
"""
    game = begun(script, dark="ruby " * 6 + "pearl " * 7)
    for name, keys in (("Ben", ["card:pearl", "card:ruby"]), ("Cleo", ["card:ruby"]), ("Dan", ["card:ruby"])):
        game.answer(NAMES.index(name), keys)
    assert said(game) == ["2", "1"]
    assert told(game, "Ana") == [("Ben", ["card:pearl", "card:ruby"]), ("Cleo", ["card:ruby"])]


def test_stop_closes_a_window_of_things() -> None:
    script = THROW_TOGETHER.replace("throws one in\"", "throws one in\"\n  stop q")
    game = played(script, ("Ben", "card:ruby"), ("Cleo", "card:ruby"), **RUBIES)
    assert said(game) == ["Ben throws one in", "over"]
    assert told(game, "Ana") == [("Ben", None)]


def test_a_thing_may_be_taken_back_until_all_have_answered() -> None:
    game = played(THROW_TOGETHER, ("Ben", "card:ruby"), **RUBIES)
    assert game.may_take_back(1) and not game.may_take_back(0)
    game.take_back(1)
    assert game.state == begun(THROW_TOGETHER, **RUBIES).state
    again = from_json(to_json(played(THROW_TOGETHER, ("Ben", "card:ruby"), **RUBIES).state))
    assert again == played(THROW_TOGETHER, ("Ben", "card:ruby"), **RUBIES).state


WAITING = THROW_TOGETHER.replace('  say "{q}', '  q chooses n from 1..2\n  say "{q}')


def test_whoever_acts_cannot_imagine_by_what_others_have_answered() -> None:
    """Of those who come later it is not known whether they have chosen something: the same is drawn either way."""
    drawn = []
    for key in ("pass", "card:ruby"):
        game = played(WAITING, ("Ben", "card:ruby"), ("Cleo", key), **RUBIES)
        assert asked(game) == ["Ben"]
        drawn.append(determinize(game.program, game.state, 1, Source(4, "twin").below))
    assert drawn[0] == drawn[1]


def test_until_all_pass() -> None:
    script = """
loop as talk:
  offer others in turn as q:
    "Raise":
      add 1 to turns
  else:
    stop talk
say "{turns}"
"""
    rounds = [("Ben", "Raise"), ("Ben", "pass"), ("Cleo", "Raise")]
    game = played(script, *rounds, ("Ben", "pass"), ("Cleo", "pass"), ("Dan", "pass"))
    assert said(game) == ["2"]


NESTED = """
offer others together as q "Stop {me}?":
  "Block":
    offer players where it is not q in turn as r "Do you doubt {q}?":
      "Doubt":
        say "{r} doubts {q}"
        if r is me:
          stop q
    else:
      say "{q} blocks"
else:
  say "nobody"
say "over"
"""


def test_a_window_within_a_window() -> None:
    blocked = [("Ben", "Block"), ("Cleo", "Block"), ("Dan", "pass")]
    game = played(NESTED, *blocked, ("Ana", "pass"), ("Cleo", "pass"), ("Dan", "pass"))
    assert said(game) == ["Ben blocks"]
    assert asked(game) == ["Ana"]
    answer(game, "Ana", "Doubt")
    assert said(game) == ["Ben blocks", "Ana doubts Cleo", "over"]


def test_stop_names_the_outer_window() -> None:
    game = played(NESTED, ("Ben", "Block"), ("Cleo", "Block"), ("Dan", "pass"), ("Ana", "Doubt"))
    assert said(game) == ["Ana doubts Ben", "over"]
    game = played(NESTED, ("Ben", "Block"), ("Cleo", "Block"), ("Dan", "pass"), ("Ana", "pass"), ("Cleo", "Doubt"))
    assert said(game) == ["Cleo doubts Ben"]
    assert asked(game) == ["Ana"]


def test_a_window_in_a_rule_that_a_window_calls() -> None:
    script = """
offer others in turn as q:
  "Go":
    do nest(q)
    say "back with {q} and {me}"
nest(me):
offer others together as q:
  "Join":
    say "{q} joins {me}"
    stop q
"""
    game = played(script, ("Ben", "pass"), ("Cleo", "Go"))
    assert asked(game) == ["Dan", "Ana", "Ben"]
    for name, key in (("Ben", "Join"), ("Ana", "Join"), ("Dan", "pass")):
        answer(game, name, key)
    assert said(game) == ["Ana joins Cleo", "back with Cleo and Ana"]


SEALED = """
each p in players chooses first_one, second_one from p.hand
each p in players:
  move first_one[p] to pot
  move second_one[p] to dark
say "over"
"""
PAIRS = {"Ana": "ruby pearl", "Ben": "ruby pearl pearl", "Cleo": "ruby ruby pearl"}


def test_a_sealed_decision_is_answered_in_any_order_and_pick_by_pick() -> None:
    one = [
        ("Cleo", "card:ruby"),
        ("Ben", "card:pearl"),
        ("Ana", "card:ruby"),
        ("Ben", "card:ruby"),
        ("Cleo", "card:pearl"),
    ]
    two = [
        ("Ana", "card:ruby"),
        ("Ben", "card:pearl"),
        ("Ben", "card:ruby"),
        ("Cleo", "card:ruby"),
        ("Cleo", "card:pearl"),
    ]
    games = [played(SEALED, *answers, **PAIRS) for answers in (one, two)]
    assert games[0].over
    assert games[0].view(3) == games[1].view(3)
    assert games[0].view(0).facts["places"]["pot"]["cards"] == ["ruby", "pearl", "ruby"]


def test_who_has_nothing_to_choose_answers_nothing_and_moves_nothing() -> None:
    game = begun(SEALED, **PAIRS)
    assert "Dan" not in asked(game)
    for name, key in (("Ana", "card:ruby"), ("Ben", "card:pearl"), ("Ben", "card:ruby"), ("Cleo", "card:ruby")):
        answer(game, name, key)
    answer(game, "Cleo", "card:pearl")
    assert len(game.view(3).facts["places"]["pot"]["cards"]) == 3


def test_an_open_decision_is_saved_whole(tmp_path: Path) -> None:
    game = played(SEALED, ("Cleo", "card:ruby"), ("Ben", "card:pearl"), **PAIRS)
    state = from_json(to_json(game.state))
    assert state == game.state
    other = game.fork(state)
    for one in (game, other):
        for name, key in (("Ben", "card:ruby"), ("Cleo", "card:pearl"), ("Ana", "card:pearl")):
            answer(one, name, key)
        check_state(one.program, one.state)
    assert other.state == game.state


# ── taking back ──────────────────────────────────────────────────────────────────────────────────


def test_a_decider_may_take_back_until_it_closes(tmp_path: Path) -> None:
    game = begun(TOGETHER)
    game.save(tmp_path / "game", keep=True)
    answer(game, "Cleo", "Buy")
    answer(game, "Ben", "Buy")
    before = asked(game)
    assert not game.may_take_back(0) and game.may_take_back(2) and not game.may_take_back(3)
    game.take_back(2)
    assert (before, asked(game)) == (["Dan"], ["Cleo", "Dan"])
    answer(game, "Cleo", "pass")
    answer(game, "Dan", "pass")
    assert said(game) == ["Ben buys from Ana", "over"]
    assert not game.may_take_back(2)
    again = Game.load(tmp_path / "game", lambda header: program(TOGETHER))
    assert again.state == game.state


def test_all_picks_of_an_open_decision_are_taken_back_and_those_of_others_stay() -> None:
    first = [("Ben", "card:pearl"), ("Cleo", "card:ruby"), ("Ben", "card:ruby")]
    game = played(SEALED, *first, **PAIRS)
    game.take_back(1)
    ask = game.view(1).ask
    assert ask is not None and ask.picked == ()
    assert game.state == played(SEALED, ("Cleo", "card:ruby"), **PAIRS).state
    with pytest.raises(Refused, match="There is no answer of yours to take back"):
        game.take_back(1)


@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_is_taken_back_of_what_has_happened(seat: int) -> None:
    game = played(FIRST_ONLY + "choose n from 1..2", ("Ben", "Buy"), ("Cleo", "pass"), ("Dan", "pass"))
    assert asked(game) == ["Ana"]
    with pytest.raises(Refused):
        game.take_back(seat)


# ── asking reveals nothing that the rules hide ───────────────────────────────────────────────────

COULD_IN_TURN = """
offer others in turn as q "Show it?":
  "Show" if able(q):
    say "{q} shows"
else:
  say "nobody"
choose n from 1..2
"""
COULD_TOGETHER = COULD_IN_TURN.replace("in turn", "together")
COULD_NESTED = """
offer others in turn as q:
  "Ask around":
    offer players where it is not q together as r:
      "Help" if able(r):
        say "{r} helps"
        stop r
    else:
      say "no help"
else:
  say "nobody"
choose n from 1..2
"""
IF_ABLE = """
if able(me.left):
  offer others together as q:
    "Join":
      add 1 to turns
choose n from 1..2
"""
COULD_THROW = """
offer others in turn as q to choose stone from q.hand where it is ruby "Show it?":
  reveal stone
  say "{q} shows"
else:
  say "nobody"
choose n from 1..2
"""
COULD_THROW_TOGETHER = COULD_THROW.replace("in turn", "together")
HANDS = {"Ana": "pearl pearl", "Cleo": "pearl pearl", "Dan": "pearl pearl"}
ABLE = {**HANDS, "Ben": "ruby pearl", "dark": "pearl"}
UNABLE = {**HANDS, "Ben": "pearl pearl", "dark": "ruby"}


@pytest.mark.parametrize("script", [COULD_IN_TURN, COULD_TOGETHER, COULD_THROW, COULD_THROW_TOGETHER])
@pytest.mark.parametrize("name", ["Ana", "Cleo", "Dan"])
def test_could_not_looks_like_would_not(script: str, name: str) -> None:
    seat = NAMES.index(name)
    would_not = stream(script, seat, ("Ben", "pass"), ("Ana", "number:1"), **ABLE)
    could_not = stream(script, seat, ("Ana", "number:1"), **UNABLE)
    assert would_not == could_not


def test_others_are_not_told_who_is_asked_by_a_condition_on_a_secret() -> None:
    game = begun(COULD_TOGETHER, **{**ABLE, "Dan": "ruby"})
    assert asked(game) == ["Ben", "Dan"]
    assert [game.view(seat).facts["waiting"] for seat in range(4)] == ["quiet", ["Ben"], "quiet", ["Dan"]]
    answer(game, "Ben", "pass")
    assert [game.view(seat).facts["waiting"] for seat in range(4)] == ["quiet", "quiet", "quiet", ["Dan"]]


@pytest.mark.parametrize("script", [COULD_IN_TURN, COULD_TOGETHER], ids=["in turn", "together"])
def test_who_takes_is_announced_to_all(script: str) -> None:
    game = played(script, ("Ben", "Show"), **ABLE)
    assert said(game) == ["Ben shows"]
    assert told(game, "Dan") == [("Ben", ["label:Show"])]


@pytest.mark.parametrize("name", ["Ana", "Dan"])
def test_could_not_looks_like_would_not_within_another_window(name: str) -> None:
    seat, begin = NAMES.index(name), (("Ben", "pass"), ("Cleo", "Ask around"))
    would_not = stream(COULD_NESTED, seat, *begin, ("Ben", "pass"), ("Ana", "number:1"), **ABLE)
    could_not = stream(COULD_NESTED, seat, *begin, ("Ana", "number:1"), **UNABLE)
    assert would_not == could_not


def test_who_is_asked_knows_that_the_window_was_reached_and_nobody_else() -> None:
    game = begun(IF_ABLE, **ABLE)
    assert asked(game) == ["Ben", "Cleo", "Dan"]
    answers = (("Ben", "pass"), ("Cleo", "pass"), ("Dan", "pass"), ("Ana", "number:1"))
    assert stream(IF_ABLE, 0, *answers, **ABLE) == stream(IF_ABLE, 0, ("Ana", "number:1"), **UNABLE)


def test_the_names_of_others_are_not_in_refusals() -> None:
    game = begun(COULD_TOGETHER, **ABLE)
    with pytest.raises(Refused, match="waits for somebody else"):
        game.answer(0, ["pass"])


# ── which rule forbids it ────────────────────────────────────────────────────────────────────────


def test_what_may_not_be_chosen_says_which_line_forbids_it() -> None:
    either = "may choose x from me.hand where pays(me, it) or turns is 1"
    assert [(option.label, why) for option, why in begun(PAYS, Ana="ruby pearl").barred(0)] == [
        ("Ruby", ("It is a pearl",))
    ]
    # Where another way would do, no line alone forbids it.
    assert [why for _, why in begun(either, Ana="ruby pearl").barred(0)] == [
        ("its worth is more than 0 and it is a Pearl, or the number of turns is 1 (the number of turns is 0)",)
    ]
    # What has to be is told apart from what is, also where nothing is compared.
    assert [why for _, why in begun("may choose x from me.hand where it is pearl", Ana="ruby pearl").barred(0)] == [
        ("it must be a Pearl",)
    ]
    compared = "may choose x from me.hand where tint is pale and worth < 2"
    assert [why for _, why in begun(compared, Ana="ruby pearl").barred(0)] == [
        ("its tint must be “Pale as snow” (it is “Red as blood”)", "its worth must be less than 2 (it is 3)"),
    ]
    with pytest.raises(Refused, match=r"`card:ruby` is not among the options\. Not met: It is a pearl\.$"):
        begun(PAYS, Ana="ruby pearl").answer(0, ["card:ruby"])


def test_no_line_is_told_that_speaks_of_what_one_does_not_see() -> None:
    script = "may choose p from others where unready(p)  # rulebook: ignore RB604 this is what must not come out"
    game = begun(script, Ana="pearl", Ben="ruby", Cleo="pearl")
    assert game.barred(0) == []


PAYS = "may choose x from me.hand where pays(me, it)"


# ── claims ───────────────────────────────────────────────────────────────────────────────────────

BLUFF = """
choose one:
  "Speak":
    say "{me} claims: Ruby"
  "Be silent"
"""
TRUTH = BLUFF.replace('"{me} claims: Ruby"', '"{me} has {first(me.hand)}" publicly')
KNOWN_BY_NAME = BLUFF.replace('    say "{me} claims', '    let held = first(me.hand)\n    say "{held} of {me}').replace(
    ': Ruby"', '" publicly'
)
HIDDEN_RUBIES = {"Ana": "ruby", "Ben": "pearl", "dark": "ruby " * 7 + "pearl " * 7}


@pytest.mark.parametrize(("script", "wanted"), [(BLUFF, 0), (TRUTH, 3), (KNOWN_BY_NAME, 3)])
def test_a_claim_is_no_leak_and_a_fact_is(script: str, wanted: int) -> None:
    game = begun(script, ListenedGame, **HIDDEN_RUBIES)
    assert isinstance(game, ListenedGame)
    answer(game, "Ana", "Speak")
    found = [one for seat in range(4) for one in overheard(game, seat)]
    assert len(found) == wanted, found


# ── a whole game ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_that_look_the_same_to_a_player_send_the_same(seed: int) -> None:
    """Cheat, from two states that one player cannot tell apart, with the same public answers."""
    rulebook = load_game(library.find_game("cheat"))
    cheat, below = lower(rulebook, 4), Source(seed, "answers").below
    game = Game(cheat, seed, NAMES)
    for _ in range(10 + 12 * seed):
        answer_at_random(game, below)
    while any(number and done for _, number, _, done in game.state[PENDING][1]):
        answer_at_random(game, below)  # what was answered under seal is answered otherwise in the other state
    seat = below(4)
    pair = [game.fork(state, watch=True) for state in (game.state, look_alike(cheat, game.state, seat, below))]
    for _ in range(30):
        assert pair[0].view(seat).to_json() == pair[1].view(seat).to_json()
        asks = [one.view(one.machine.find_waiting(one.state)[0]).ask for one in pair]
        # Nobody calls, for what is turned up would be another card.
        number = 1 + below(2)
        for one, ask in zip(pair, asks, strict=True):
            assert ask is not None
            copies = [option.key for option in ask.options for _ in range(option.count)]
            one.answer(ask.seat, ["pass"] if "pass" in ask.keys else copies[: min(number, ask.at_most)], ask.number)
