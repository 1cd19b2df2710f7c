"""Bots know no more than their seat: what they imagine, and what they answer, hangs on nothing that it was not told.

`bench/guesses.py` draws many more games.
"""

from __future__ import annotations

from collections import Counter

import pytest
from bot_kinds import list_bots, list_thinkers
from drawn_guesses import BOTS, Compared, Comparison, answer_all, compare_guesses, draw_game

from rulebook.examples import of_its_own
from rulebook.interpreter.core.library import NoCore, library
from rulebook.interpreter.decisions import Endless
from rulebook.interpreter.determinize import Twins
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.playtest.bots import make_bot

try:
    library()
except NoCore as missing:
    pytest.skip(str(missing), allow_module_level=True)

HELD = """\
format: 1
name: Who has it
players: 3..3
kinds: {stone: {has: {gem: yes_no}}}
places:
  table: {sack: {holds: stone, kept: bag, seen_by: nobody}}
  player: {hand: {holds: stone, kept: loose, seen_by: owner}}
memory: {player: {score: 0}}
result: {rank: most score}
cards:
  ruby: {kind: stone, gem: yes}
  coal: {kind: stone, gem: no, copies: 3}
rules:
  game: |
    move cards to sack
    deal 1 from sack to each hand
    SENTENCES
"""
"""Only who has the ruby is asked beside the first player, who guesses who that is."""

SEALED = """\
each p in players may choose who from players where it is not p and (p is first(players) or any(p.hand where gem))
    each p in players where it is first(players):
      each q in players:
        if who[p] is q and any(q.hand where gem):
          add 5 to p.score
        if who[p] is q and not any(q.hand where gem):
          add -5 to p.score"""

CHOSEN_BEFORE = """\
each p in players secretly chooses number from 1..3
    each q in players where it is first(players):
      q chooses guess from 1..3
      if number[q.left] is guess:
        add 5 to q.score"""


def program_of(sentences: str) -> Program:
    rulebook, found = of_its_own(HELD.replace("SENTENCES", sentences))
    assert rulebook is not None, found
    return lower(rulebook, 3)


def test_who_is_asked_in_secret_is_imagined() -> None:
    program = program_of(SEALED)
    asked: Counter[tuple[int, int]] = Counter()
    for seed in range(24):
        game = Game(program, seed, watch=False)
        assert game.decision is not None
        true = [ask.seat for ask in game.decision.asks]
        if len(true) != 2:
            continue
        twins, below = Twins(program, game.state, 0), Source(seed, "twin").below
        for _ in range(20):
            twin = twins.draw_state(below, answered=False)
            assert twin is not None
            others = [seat for seat, _, _, done in twin[PENDING][1] if seat and not done]
            asked.update((true[1], seat) for seat in others)
    for holder in (1, 2):
        both = asked[holder, 1] + asked[holder, 2]
        assert both > 30 and 0.3 < asked[holder, holder] / both < 0.7


@pytest.mark.slow
@pytest.mark.parametrize("sentences", [SEALED, CHOSEN_BEFORE], ids=["who is asked", "what was chosen before"])
def test_a_bot_does_not_guess_right_more_often_than_chance(sentences: str) -> None:
    """Where the same was seen, the same is answered."""
    program = program_of(sentences)
    counted = Compared()
    comparison = Comparison(program, 0, list_thinkers(8), counted)
    for hidden in range(12):
        assert comparison.play(3, hidden, 1) is None
    assert counted.alike > 5


@pytest.mark.slow
def test_drawn_games_are_imagined_alike_from_states_that_look_alike() -> None:
    counted = Compared()
    for number in range(3000, 3016):
        script, rulebook, _ = draw_game(number)
        if rulebook is not None:
            assert compare_guesses(lower(rulebook, 3), number, counted, games=5) is None, script
    assert counted.alike > 100
    assert counted.imagined > counted.alike // 2


@pytest.mark.slow
def test_drawn_games_are_answered_alike_from_states_that_look_alike() -> None:
    counted = Compared()
    for number in range(3100, 3103):
        script, rulebook, _ = draw_game(number)
        if rulebook is not None:
            assert compare_guesses(lower(rulebook, 3), number, counted, BOTS, games=3) is None, script
    assert counted.alike > 5


@pytest.mark.slow
def test_the_core_and_the_machine_answer_alike_where_something_is_unknown() -> None:
    thinkers = list_thinkers(6)
    for number in range(3200, 3206):
        script, rulebook, _ = draw_game(number)
        if rulebook is None:
            continue
        game, below = Game(lower(rulebook, 3), number), Source(number, "answers").below
        for _ in range(8):
            if game.decision is None:
                break
            ask = game.decision.asks[-1]
            answers = answer_all(game, ask, thinkers)
            assert answers[: len(thinkers)] == answers[len(thinkers) :], script
            game.answer(ask.seat, game.machine.random_answer(game.state, ask, below), ask.number)


STRAIGHTS = """\
format: 1
name: Runs of five
players: 2..2
kinds: {playing: {has: {r: 1..12}}}
places:
  player:
    hand: {holds: playing, kept: loose, seen_by: owner}
    laid: {holds: playing, kept: row, seen_by: everyone}
cards: {c: {kind: playing, name: "{r}", each: {r: 1..12}}}
rules:
  game: |
    each me in players:
      move box to me.hand
      choose any number of meld from me.hand so that RUN else return
      move meld to me.laid
result: {rank: most count(laid)}
"""


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*list_bots(20), "greedy:never=card:c.1"])
def test_looking_about_never_stops_a_game(spec: str) -> None:
    """Of many sets few are legal: what a bot looks at is no step of the game."""
    run = "count(meld) >= 5 and max(r of meld, 0) - min(r of meld, 0) is count(meld) - 1"
    rulebook, found = of_its_own(STRAIGHTS.replace("RUN", run))
    assert rulebook is not None, found
    game = Game(lower(rulebook, 2), 1, watch=False)
    assert game.decision is not None
    ask = game.decision.asks[0]
    try:
        answers = [make_bot(spec, seed, 0).answer(game.machine, game.state, ask) for seed in range(2)]
    except Endless as stopped:
        pytest.fail(str(stopped))
    for answer in answers:
        game.fork().answer(0, answer)


ROUND = """each p in players where it is first(players):
      p chooses n from 1..2
      if n is 2:
        do go_round(p)
      add n to p.score
  go_round(me): |
    if any(me.left.hand where gem):
      do go_round(me)"""
"""Who chooses 2 goes round without an end if the ruby lies with the next player."""


@pytest.mark.slow
@pytest.mark.parametrize("spec", list_thinkers(6))
def test_what_would_stop_an_imagined_game_stops_no_other(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebook.interpreter.run.MOST_LOOKED_AT", 5_000)  # far more than the game takes that ends
    game = Game(program_of(ROUND), 1, watch=False)
    assert game.decision is not None
    ask = game.decision.find_ask(0)
    assert ask is not None
    first, second = answer_all(game, ask, (spec,))
    assert first == second
