"""Numbers of actions mean the same in every play, and lead to every answer that is legal and to no other."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

import rulebook
from rulebook import library
from rulebook.agents import numbering
from rulebook.agents.course import Course, Numbered
from rulebook.playtest.bots.by_machine import keys_of

GAMES = [folder.name for folder in library.find_games()]

SETS = """
format: 1
name: Sets
players: 2..2
kinds: {gem: {has: {carat: 0..9}}}
cards:
  ruby: {kind: gem, carat: 3, copies: 3}
  opal: {kind: gem, carat: 2, copies: 2}
  jade: {kind: gem, carat: 1}
places:
  player:
    hand: {holds: gem, kept: loose, seen_by: owner}
    chain: {holds: gem, kept: row, seen_by: owner}
rules:
  game: |
    each me in players:
      move cards to me.hand
      CHOICE
      move x to me.chain
      move me.hand to box
      move me.chain to box
result:
  rank: most count(chain)
"""


def follow(course: Course) -> set[tuple[str, ...]]:
    """Every answer that the actions of who is asked lead to, as keys."""
    answers, ahead = set(), [course]
    while ahead:
        here = ahead.pop()
        for action, (taken, is_whole, value) in here.offer.legal.items():
            if is_whole:
                answers.add(keys_of(here.offer.choices, value))
            else:
                ahead.append(Course(here.rules, here.play, taken))
            assert 0 <= action < len(here.rules.actions)
    return answers


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_actions_lead_to_every_answer_and_to_no_other(name: str) -> None:
    rules, random, compared = Numbered(rulebook.open(name)), Random(3), 0
    assert len(set(rules.actions.names)) == len(rules.actions)
    for seed in (1, 2):
        course = rules.start(seed)
        for _ in range(60):
            if course.play.over:
                break
            legal = set(islice(course.play.legal(), 300))
            if len(legal) < 300 and not course.taken:
                assert follow(course) == legal
                compared += 1
            course = course.act(random.choice(list(course.offer.legal)))
    assert compared > 3


@pytest.mark.parametrize("name", ["kuhn_poker", "wallet", "exposed"])
def test_names_are_the_same_whatever_is_played(name: str) -> None:
    before = Numbered(rulebook.open(name), 2).actions.names
    rules, random = Numbered(rulebook.open(name), 2), Random(4)
    course = rules.start(9)
    for _ in range(40):
        if course.play.over:
            break
        course = course.act(random.choice(course.list_legal(course.play.seat or 0)))
    assert rules.actions.names == before


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    course = Numbered(rulebook.open("tic_tac_toe")).start(1).act(4)
    for wrong in (4, 9, -1):
        with pytest.raises(rulebook.Refused, match=f"Action {wrong}"):
            course.act(wrong)
    assert course.list_legal(1) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert course.list_legal(0) == []


def test_a_copy_leaves_the_course_as_it_was() -> None:
    course = Numbered(rulebook.open("tic_tac_toe")).start(1)
    further = course.act(0, copy=True)
    assert (len(course.list_legal(0)), len(further.list_legal(1))) == (9, 8)


NUMBERS = """
format: 1
name: Bids
players: 2..2
memory: {player: {bid: 0}}
rules:
  game: |
    each me in players:
      choose n from 1..100 "How much?"
      set me.bid = n
result: {rank: most bid}
"""


def test_numbers_that_the_rules_write_out_have_numbers(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(NUMBERS, "utf-8")
    actions = Numbered(rulebook.open(tmp_path)).actions
    assert list(actions.names) == [f"number:{number}" for number in range(1, 101)]


def test_numbers_that_a_type_bounds_need_no_room(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(BIDS, "utf-8")
    game = rulebook.open(tmp_path)
    course = Numbered(game).start(1)
    names = course.rules.actions.names
    assert [name for name in names if name.startswith("number:")] == [f"number:{number}" for number in range(100)]
    assert [names[action] for action in course.list_legal(0)] == [f"number:{number}" for number in range(71)]


BIDS = """
format: 1
name: Bids
players: 2..2
memory: {player: {coins: {type: 0..99, default: 70}}}
rules:
  game: |
    each p in players:
      p chooses bid from 0..p.coins "How much?"
      set p.coins = bid
result: {rank: most coins}
"""


def test_numbers_that_no_rule_bounds_need_room(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(NUMBERS.replace("1..100", "1..(100 + me.bid)"), "utf-8")
    game = rulebook.open(tmp_path)
    with pytest.raises(rulebook.CannotNumber, match=r"`n` may be answered with `number:64`.*larger `room`"):
        Numbered(game).start(1).list_legal(0)
    course = Numbered(game, room=101).start(1)
    assert len(course.list_legal(0)) == 100


@pytest.mark.parametrize(
    "choice",
    [
        "choose any number of x from me.hand",
        "choose 1..2 x from me.hand",
        "choose 5 x from me.hand",
        "me may choose up to 3 x from me.hand",
        "choose any number of x from me.hand so that sum(carat of x) > 3",
        "choose 2..4 x from me.hand so that count(distinct(carat of x)) is count(x)",
        "choose order x from me.hand",
    ],
)
def test_sets_are_taken_one_by_one(choice: str, tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(SETS.replace("CHOICE", choice), "utf-8")
    course = Numbered(rulebook.open(tmp_path)).start(1)
    legal = set(course.play.legal())
    assert len(legal) >= 3
    assert follow(course) == legal


def test_of_very_many_sets_some_are_drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numbering, "_MOST_SETS", 3)
    choice = "choose any number of x from me.hand so that sum(carat of x) > 3"
    (tmp_path / "rulebook.yaml").write_text(SETS.replace("CHOICE", choice), "utf-8")
    course = Numbered(rulebook.open(tmp_path)).start(1)
    drawn = follow(course)
    assert len(drawn) > 3
    assert drawn <= set(course.play.legal())
    assert drawn == follow(Course(course.rules, course.play))
