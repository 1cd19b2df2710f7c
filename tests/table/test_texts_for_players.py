"""What players read of what somebody chose, picked or learned: all that they may know, in words of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulebook.examples import of_its_own
from rulebook.interpreter.account import describe_event
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.table.shared import SharedGame
from rulebook.table.story import Account, sentences

NAMES = ("Ana", "Ben")
GAME = """
format: 1
name: Wares
players: 2..2
words: {good: {fish: Fish, silk: Silk}, trade: {baker: Baker, smuggler: Smuggler}}
kinds: {crate: {has: {good: good}}}
cards: {bale: {kind: crate, each: {good: every good}, name: "Bale of {good}"}}
places: {player: {hand: {holds: crate, kept: loose, seen_by: owner}}}
memory: {player: {score: 0, trade: {type: trade, default: baker, seen_by: owner}}}
rules:
  game: |
    each p in players:
      move first(box) to p.hand
      set p.trade = smuggler
    do play(first(players), first(players).left)
  hide(me): pick lucky_number from 4..4 at random
  spy(me, prey): tell players whether prey.hand is empty
  play(me, friend): |
    BODY
result: {rank: most score}
"""


def told(folder: Path, body: str, seat: int, *answers: tuple[int, str]) -> list[str]:
    """Play a body as the rule `play` of Ana; what a seat reads of it."""
    text = GAME.replace("BODY", body.replace("\n", "\n    "))
    (folder / "rulebook.yaml").write_text(text, "utf-8")
    loaded = load(folder)
    assert loaded.rulebook is not None, loaded.messages
    game = Game(lower(loaded.rulebook, 2), 1, NAMES)
    for asked, key in answers:
        game.answer(asked, [key])
    assert game.over
    events = [event for event in game.events(seat) if event.kind in ("chose", "picked", "told")]
    return [describe_event(game.program, NAMES, event, seat) for event in events]


CHOICES = """each p in players chooses:
  given from p.hand
  wanted from every good"""


def test_a_hidden_card_does_not_hide_the_word_that_is_chosen_with_it(tmp_path: Path) -> None:
    lines = told(tmp_path, CHOICES, 1, (0, "word:silk"), (1, "word:fish"))
    assert lines[0] == "Ana chooses Silk and a card."
    assert lines[1].startswith("You choose Bale of ") and lines[1].endswith(" and Fish.")


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("pick lucky_number from 4..4 at random", "Ana picks 4 at random."),
        ("pick fashion from [silk] at random", "Ana picks Silk at random."),
        ("pick n from 4..4 at random", "Ana picks 4 at random."),
        ("pick loot from me.hand at random", "Ana picks a card at random."),
        ("do hide(me)", "Ana picks 4 at random."),
    ],
)
def test_who_picks_what_for(tmp_path: Path, body: str, line: str) -> None:
    assert told(tmp_path, body, 1) == [line]


HIDDEN = """let prey = first(players where trade is smuggler)
if me.trade is smuggler:
  do {rule}"""


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("hide(prey)", "4 is picked at random."),
        ("spy(me, prey)", "Ana and you learn whether that player's hand is empty: no."),
    ],
)
def test_nobody_is_named_who_may_be_a_secret(tmp_path: Path, rule: str, line: str) -> None:
    assert told(tmp_path, HIDDEN.replace("{rule}", rule), 1) == [line]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("tell players whether friend.hand is empty", "Ana and you learn whether Ben's hand is empty: no."),
        (
            "let matching = friend.hand where good is silk or good is fish\ntell players whether matching is not empty",
            "Ana and you learn whether Ben has a crate in their hand whose good is Silk or whose good is Fish: yes.",
        ),
        (
            "choose asked from [silk]\ntell friend whether any(me.hand where good is asked)",
            "You learn whether Ana has a crate in their hand whose good is Silk: ",
        ),
        (
            "let had = count(me.hand)\nmove me.hand to friend.hand\ntell players whether had > 3",
            "Ana and you learn whether 1 is more than 3: no.",
        ),
        (
            "let has = count(me.hand)\ntell players whether has > 3",
            "Ana and you learn whether the number of crates in Ana's hand is more than 3: no.",
        ),
    ],
)
def test_what_is_told_is_said_in_english(tmp_path: Path, body: str, line: str) -> None:
    assert told(tmp_path, body, 1)[-1].startswith(line)


ASKED = """choose asked from every good, 1..3, ["A bale"]
let matching = (friend.hand where good is asked) + (friend.hand where asked is 2) + (me.hand where asked is "A bale")
tell players whether matching is not empty"""


@pytest.mark.parametrize(
    ("key", "question"),
    [
        ("word:silk", "Ben has a crate in their hand whose good is Silk"),
        ("number:2", "Ben has a crate in their hand"),
        ("word:A bale", "Ana has a crate in their hand"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_what_everybody_knows_stands_as_it_is(tmp_path: Path, key: str, question: str, seat: int) -> None:
    line = told(tmp_path, ASKED, seat, (0, key))[-1]
    assert line.startswith(f"{('You and Ben', 'Ana and you')[seat]} learn whether {question}: ")


SECRETLY = """me secretly chooses asked from [fish, silk]
tell players whether asked is silk or friend.hand is empty"""


def test_what_one_alone_knows_does_not_stand_as_it_is(tmp_path: Path) -> None:
    fish, silk = (told(tmp_path, SECRETLY, 1, (0, f"word:{word}"))[-1] for word in ("fish", "silk"))
    assert fish.removesuffix("no.") == silk.removesuffix("yes.")


VERDICT = """
values:
  fine(p):
    exactly two crates: count(p.hand) is 2
    a third crate: count(p.hand) >= 3
    enough weight: count(p.hand) * 2 > options.wanted
    few crates: 0 >= count(p.hand)
    no crates: count(p.hand) is 0
    more than Ben has: count(p.hand) > count(last(players).hand)
    a crate on the table: table is not empty
"""


def test_a_verdict_says_what_is_there_and_what_its_name_does_not_say_is_needed(tmp_path: Path) -> None:
    text = GAME.replace("BODY", "set me.cleared = fine(me)")
    text = text.replace("score: 0,", "score: 0, cleared: {type: yes_no},").replace(
        "places: {", "places: {table: {table: {holds: crate, kept: loose}}, "
    )
    (tmp_path / "rulebook.yaml").write_text(f"{text}options: {{wanted: {{type: 1..9, default: 6}}}}{VERDICT}", "utf-8")
    loaded = load(tmp_path)
    assert loaded.rulebook is not None, loaded.messages
    game = SharedGame(lower(loaded.rulebook, 2), 1, NAMES)
    [found] = [found for (seat, _), found in game.way.compared.items() if seat == 0]
    assert {line: text for (_, _, line), text in found.items()} == {
        "exactly two crates": "1",
        "a third crate": "1",
        "enough weight": "2, more than 6 needed",
        "few crates": "1, at most 0 allowed",
        "no crates": "1",
        "more than Ben has": "1, more than 1 needed",
        "a crate on the table": "",
    }


VERDICTS = """
format: 1
name: Verdicts
players: 3..3
kinds: {gem: {state: {cracked: no}}}
places: {player: {hand: {holds: gem, kept: loose, seen_by: owner}}}
memory: {player: {score: 0, cleared: yes, hopes: {type: yes_no, default: no, seen_by: owner}}}
cards: {ruby: {kind: gem}, opal: {kind: gem}, jade: {kind: gem}}
values:
  weak(p):
    poor: p.score < 3
    plain: p.score < 5
rules:
  game: |
    each p in players:
      draw 1 from box to p.hand
    repeat 2:
      each p in players:
        set first(p.hand).cracked = weak(p)
        set p.cleared = weak(p)
        set p.hopes = weak(p)
      each p in players:
        add 4 to p.score
    reveal hand of players
    each p in players:
      set first(p.hand).cracked = no
    each p in players:
      set first(p.hand).cracked = yes
display: {titles: {cleared: innocent / guilty, cracked: broken / whole}}
"""


def test_a_verdict_is_told_once_and_to_those_alone_who_may_know_it() -> None:
    read, found = of_its_own(VERDICTS)
    assert read is not None, found
    game = Game(lower(read, 3), 1, ["Ana", "Ben", "Cleo"])
    told = "\n".join(Account(game, 200).word_news())
    assert "Ana is innocent. Met: poor and plain.\n" in told and told.count("Ana is innocent") == 1, told
    assert re.search(r"\w+, \w+ and \w+: broken\b", told) and ": yes\n" not in told, told
    for seat, name in enumerate(game.names):
        lines = [one.text for one in sentences(game, seat, game.events(seat))]
        news = lines[: next(at for at, line in enumerate(lines) if "turned face up" in line)]
        assert sum("broken" in line for line in news) == sum("whole" in line for line in news) == 3, (name, news)
        assert sum("Met:" in line and "broken" in line for line in news) == 1, (name, news)
        assert sum("hopes" in line for line in news) == 2, (name, news)
