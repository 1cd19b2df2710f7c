"""Games: answers and refusals, taking back, saves, and chance that is asked."""

from pathlib import Path

import ir_samples as s
import pytest
from attrs import evolve
from leaks import answer_at_random
from secret_game import secret_game

from rulebook.dsl import types as t
from rulebook.interpreter import journal
from rulebook.interpreter.decisions import Ask, BadSetup, Refused, RuleError
from rulebook.interpreter.game import Game
from rulebook.interpreter.invariants import check_state
from rulebook.interpreter.journal import BadSave, Entry, Journal
from rulebook.interpreter.lower import lower
from rulebook.interpreter.random import Source

NAMES = ("Ana", "Ben", "Cleo")
SMALL = lower(s.small_game(), 3)
SECRET = lower(secret_game(), 3)


def small(seed: int = 1, **more: object) -> Game:
    return Game(SMALL, seed, NAMES, **more)  # type: ignore[arg-type]


def played(game: Game, answers: int = 1000, seed: int = 5) -> Game:
    """Go on at random, to the end or for so many answers."""
    below = Source(seed, "test").below
    for _ in range(answers):
        if game.chance is not None:
            game.answer_chance(below(len(game.chance.outcomes)))
        elif game.over:
            break
        else:
            answer_at_random(game, below)
    return game


def asks(game: Game) -> tuple[Ask, ...]:
    assert game.decision is not None, "the game waits for somebody"
    return game.decision.asks


def everything(game: Game) -> object:
    """All that a game is, to see whether it changed."""
    views = [game.view(seat).to_json() for seat in range(len(game.names))]
    return game.state[:], views, game.journal, game.decision


# ── playing ──────────────────────────────────────────────────────────────────────────────────────


def test_a_game_is_played_to_its_end() -> None:
    game = played(small())
    assert game.over
    assert game.decision is None
    assert game.outcome.finished
    assert [event.kind for event in game.events(0)][-1] == "over"


def test_states_are_whole_at_every_decision() -> None:
    for seed in range(5):
        game = Game(SECRET, seed, NAMES)
        below = Source(seed, "test").below
        while not game.over:
            check_state(SECRET, game.state, through_json=True)
            answer_at_random(game, below)
        check_state(SECRET, game.state, through_json=True)


def test_players_have_names() -> None:
    assert Game(SMALL).names == ("Player 1", "Player 2", "Player 3")


@pytest.mark.parametrize("names", [("Ana",), ("Ana", "Ben", "Ana"), ("Ana", "", "Cleo"), ("Ana", "B\nen", "Cleo")])
def test_names_must_tell_the_players_apart(names: tuple[str, ...]) -> None:
    with pytest.raises(BadSetup):
        Game(SMALL, 1, names)


def test_the_same_seed_gives_the_same_game() -> None:
    assert everything(played(small(7))) == everything(played(small(7)))
    assert everything(played(small(7))) != everything(played(small(8)))


def test_without_watching_there_are_no_events_and_the_same_game() -> None:
    blind = played(small(watch=False))
    assert list(blind.events(0)) == []
    assert blind.state == played(small()).state


def test_one_key_may_be_given_as_a_text() -> None:
    game = small()
    asked = asks(game)[0]
    game.answer(asked.seat, asked.keys[0], asked.number)
    assert game.journal.entries == (Entry(asked.seat, asked.number, (asked.keys[0],)),)


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


def refusal(game: Game, seat: int, keys: list[str], number: int | None = None) -> str:
    """What is said; and nothing has changed."""
    before = everything(game)
    with pytest.raises(Refused) as caught:
        game.answer(seat, keys, number)
    assert everything(game) == before
    return str(caught.value)


def test_answers_that_may_not_be_given_are_refused_with_the_reason() -> None:
    game = small()
    first = asks(game)[0]
    assert refusal(game, first.seat, ["card:unicorn"]) == "`card:unicorn` is not among the options."
    assert refusal(game, first.seat, []) == "One answer is wanted, not 0."
    assert refusal(game, first.seat, [first.keys[0]], 9) == (
        "That answers your decision 9, but you are asked your decision 1 now."
    )
    assert refusal(game, 3, ["pass"]) == "There is no seat 3; seats are counted from 0 to 2."
    assert refusal(game, -1, ["pass"]).startswith("There is no seat -1")


def test_who_has_answered_hears_whom_the_game_waits_for() -> None:
    game = small()
    seats = [asked.seat for asked in asks(game)]
    assert len(seats) > 1
    game.answer(seats[0], [asks(game)[0].keys[0]])
    rest = " and ".join(NAMES[seat] for seat in seats[1:])
    assert refusal(game, seats[0], ["pass"]) == f"You have answered already; the game waits for {rest}."


def test_who_is_not_asked_hears_whom_the_game_waits_for() -> None:
    game = played(small(), 3)
    [asked] = asks(game)
    other = (asked.seat + 1) % 3
    assert refusal(game, other, ["pass"]) == (
        f"You are not asked anything now; the game waits for {NAMES[asked.seat]}."
    )


def test_a_quiet_decision_is_not_betrayed_by_a_refusal() -> None:
    for seed in range(20):
        game = Game(SECRET, seed, NAMES)
        below = Source(seed, "test").below
        while not game.over:
            asked = asks(game)[0]
            if asked.quiet:
                assert refusal(game, (asked.seat + 1) % 3, ["pass"]) == (
                    "You are not asked anything now; the game waits for somebody else."
                )
                return
            answer_at_random(game, below)
    pytest.fail("no quiet decision came up")


def test_nobody_answers_when_the_game_is_over() -> None:
    assert refusal(played(small()), 0, ["pass"]) == "The game is over."


def test_rules_that_go_wrong_leave_the_game_as_it_was() -> None:
    """A slot has room for one card: the second card is a mistake of these rules."""
    me, card = 0, 1
    slot = s.place("secret", s.player(me))
    move = s.move(s.local(card), slot)
    rules = s.game(
        s.each(me, s.players(), s.move(s.first(s.cards("box")), slot)),
        # Asked although nobody can tell the cards in the box apart: one may pass.
        s.each(me, s.players(), s.choose(s.player(me), s.pick(card, s.cards("box")), may=True), move),
        slots=(t.PLAYER, s.CARD),
    )
    game = Game(lower(rules, 2), 1, NAMES[:2])
    asked = asks(game)[0]
    before = everything(game)
    with pytest.raises(RuleError, match="room for one card"):
        game.answer(asked.seat, [asked.keys[0]])
    assert everything(game) == before


# ── taking back ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("program", [SMALL, SECRET], ids=["small", "secret"])
def test_every_answer_can_be_taken_back(program: object) -> None:
    game = Game(program, 3, NAMES)  # type: ignore[arg-type]
    below = Source(1, "test").below
    moments = [everything(game)]
    while not game.over:
        answer_at_random(game, below)
        moments.append(everything(game))
    while len(moments) > 1:
        assert everything(game) == moments.pop()
        game.undo()
    assert everything(game) == moments.pop()
    with pytest.raises(Refused, match="no answer to take back"):
        game.undo()


def test_after_taking_back_the_same_answer_gives_the_same_game() -> None:
    game = played(small(), 6)
    after, last = everything(game), game.journal.entries[-1]
    game.undo()
    assert isinstance(last.seat, int)
    game.answer(last.seat, last.answer, last.number)
    assert everything(game) == after


# ── saves ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("chance", ["sample", "ask"])
@pytest.mark.parametrize("answers", [0, 4, 1000])
def test_a_replayed_game_is_the_same(chance: str, answers: int) -> None:
    game = played(Game(SECRET, 11, NAMES, chance=chance), answers)  # type: ignore[arg-type]
    again = Game.replay(SECRET, game.journal, chance=chance)  # type: ignore[arg-type]
    assert everything(again) == everything(game)


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = played(small(), 4)
    game.save(path)
    again = Game.load(path, lambda header: SMALL)
    assert everything(again) == everything(game)
    assert everything(played(again)) == everything(played(game))


def test_a_kept_game_is_in_its_file_after_every_answer(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = small()
    game.save(path, keep=True)
    for _ in range(4):
        played(game, 1)
        assert journal.read_journal(path) == game.journal
    game.undo()
    assert journal.read_journal(path) == game.journal
    game = Game.load(path, lambda header: SMALL, keep=True)
    played(game, 1)
    assert journal.read_journal(path) == game.journal


def test_a_save_of_other_rules_is_refused() -> None:
    saved = played(small(), 2).journal
    with pytest.raises(BadSave, match="other rules"):
        Game.replay(SECRET, saved)
    with pytest.raises(BadSave, match="another number of players"):
        Game.replay(lower(s.small_game(), 2), saved)


def test_a_game_that_began_in_the_middle_needs_its_beginning() -> None:
    start = played(small(), 3).state
    header = evolve(small().header, given={"open": ["ruby"]})
    game = played(Game(SMALL, 1, NAMES, state=start, header=header), 2)
    assert everything(Game.replay(SMALL, game.journal, state=start)) == everything(game)
    with pytest.raises(ValueError, match="laid by hand"):
        Game.replay(SMALL, game.journal)


def test_an_impossible_answer_is_said_with_its_line() -> None:
    saved = played(small(), 3).journal
    first, second, third = saved.entries
    for wrong in (
        Entry(second.seat, 7, second.answer),
        Entry(2, 1, ("card:unicorn",)),
        Entry("chance", 1, ("x",)),
    ):
        with pytest.raises(BadSave) as caught:
            Game.replay(SMALL, Journal(saved.header, (first, wrong, third)), chance="sample", name="x.jsonl")
        assert caught.value.line == 3
        assert str(caught.value).startswith("x.jsonl, line 3: ")


# ── chance ───────────────────────────────────────────────────────────────────────────────────────


def test_chance_that_is_asked_is_an_answer() -> None:
    game = Game(SMALL, 1, NAMES, chance="ask")
    assert game.chance is not None
    assert game.decision is None
    assert refusal(game, 0, ["pass"]) == "First an outcome of chance has to be told."
    assert game.view(0).facts["waiting"] == "chance"
    key = game.chance.outcomes[-1]
    game.answer_chance(key)
    assert game.journal.entries == (Entry("chance", 1, (key,)),)
    with pytest.raises(Refused, match="cannot happen now"):
        game.answer_chance("card:unicorn")
    with pytest.raises(Refused, match="cannot happen now"):
        game.answer_chance(99)
    game.undo()
    assert not game.journal.entries


def test_no_outcome_is_told_when_none_is_asked() -> None:
    with pytest.raises(Refused, match="No outcome is asked"):
        small().answer_chance(0)


def test_a_fork_goes_its_own_way() -> None:
    game = played(small(), 3)
    before = everything(game)
    fork = game.fork()
    played(fork)
    assert everything(game) == before
    assert fork.state == played(game).state
