"""Scenarios: those of the bundled games; and with a small game of their own, what every form means, what
a failure says, and where a mistake is found."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulebook import validation
from rulebook.cli import main
from rulebook.diagnostics import Diagnostic
from rulebook.interpreter import invariants
from rulebook.interpreter.machine import Machine
from rulebook.playtest.scenarios.laying import lay_out
from rulebook.playtest.scenarios.reading import count_scenarios, load_scenarios
from rulebook.playtest.scenarios.referee import Referee
from rulebook.playtest.scenarios.trial import run

# ── the bundled games ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_bundled_game_and_its_scenarios_have_no_mistakes(bundled_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And it is known the next time. That the scenarios pass is seen in `test_coverage.py`, and of a copy with other
    names in `test_renaming.py`.
    """

    def check_again(*_: object) -> list[Diagnostic]:
        raise AssertionError("this was checked again")

    for _ in range(2):
        result = CliRunner().invoke(main, ["validate", str(bundled_game), "--fail-on", "tip"])
        assert (result.exit_code, result.output) == (0, "1 game checked, no problems.\n")
        monkeypatch.setattr(validation, "_check_game", check_again)
    assert count_scenarios(bundled_game), "a game without scenarios is not tested"


# ── a small game, in which there is some of everything ───────────────────────────────────────────────────────────────

SHELLS = """
format: 1
name: Shells
players: 2..3
units: {penny: 1, shilling: 12}
words:
  colour: {red: Red, blue: Blue}
options:
  rounds: {type: 1..3, default: 2, text: Rounds in a game}
  toll: {type: amount, default: 1 shilling, text: What a walk costs}
  fares: {type: steps, default: {1: 2, 3: 5}, text: Stones for so many shells}
kinds:
  shell:
    has: {colour: colour, worth: amount, luck: {type: 0..3, default: 0}}
    state: {polished: no}
    may_do: {find(me): }
  stone: {has: {worth: amount}}
places:
  table:
    sea: {holds: shell, kept: bag, seen_by: nobody}
    beach: {holds: shell, kept: pile, seen_by: top}
    shelf: {holds: shell, kept: grid, size: [2, 2], seen_by: everyone}
    quarry: {holds: stone, kept: pool, seen_by: everyone}
  player:
    hand: {holds: shell, kept: loose, seen_by: owner}
    chest: {holds: shell, kept: slot, seen_by: nobody}
    stones: {holds: stone, kept: pool, seen_by: everyone}
memory:
  table: {leader: player, tide: 0}
  player: {wish: {type: colour, seen_by: owner}}
values:
  riches(p): sum(worth of p.hand)
  poor(p):
    no stones: p.stones is empty
    no pearls: not pearl in p.hand
  broke(p): p.stones is empty
  belongings(p):
    in hand: count(p.hand)
    at home: 3
    put by: count(p.stones)
  fare(p): options.fares(count(p.hand))
  jewels(p):
    base: 12
    chest: p.chest.luck
  jewel(p): p.chest.worth + 1 penny
  lucky(p): p.chest.luck > 2
cards:
  conch: {kind: shell, name: Conch, colour: red, worth: 2 shilling, copies: 2}
  pebble: {kind: stone, worth: 1 penny, copies: 6}
  cowrie: {kind: shell, name: Cowrie, colour: blue, worth: 5 penny, copies: 3}
  pearl:
    kind: shell
    name: Pearl
    colour: blue
    worth: 3 shilling
    find: draw 1 from sea to me.hand
rules:
  game: |
    move cards where it is shell to sea
    set leader = first(players)
    repeat options.rounds as n:
      stage round "Round {n}":
        each p in players:
          do walk(p)
  walk(me): |
    choose deed from actions where possible(me)
    do deed.effect(me)
  gift: |
    each p in players chooses given from p.hand
    each p in players:
      move given[p] to p.left.hand
  pair(me): |
    choose keeping, leaving from me.hand
    move keeping to me.chest
    move leaving to beach
  several(me): |
    choose 2..3 shells from me.hand
    move shells to beach
  guess(me): |
    choose guessed from every colour, [1 shilling, 2 shilling], players "What is it?"
  dig(me): move first(beach) to me.chest
  line(me): |
    choose line from rows(shelf)
    move line to me.hand
  lines(me): |
    choose 1..2 lines from rows(shelf)
    each line in lines:
      move line to me.hand
  pick(me): |
    choose picked from shelf
    move picked to me.hand
  finish(me): |
    choose up to 2 friends from others, [me]
    win friends
  drift: win nobody
  lay(me): |
    choose goal from cells(shelf) where it is empty "Where?"
    move first(beach) to goal
  menu(me): |
    may choose one:
      "Take the tide":
        add 1 to tide
      "Pay {options.toll}":
        add 2 to tide
  wait(me): |
    may "Wait, or swim":
      add 3 to tide
actions:
  collect:
    name: Collect a shell
    possible: sea is not empty
    effect: |
      draw 1 from sea to me.hand as found
      do found.find(me)
  rest:
    name: Rest
    effect: add 1 to tide
result:
  rank: most riches(it)
"""

PASSING = """
scenarios:
  What has changed on one of several cards:
    given:
      players: [Ana, Ben]
      sea: [{conch: {polished: yes}}, conch]
      beach: [cowrie, {cowrie face down: {polished: yes}}]
      shelf: [[none, {cowrie: {polished: yes}}], [none, none]]
      Ana.chest: {pearl: {polished: yes}}
    expect:
      - count(sea) is 2
      - count(sea where polished) is 1
      - not any(first(beach, 1) where polished)
      - any(last(beach, 1) where polished)
      - count(shelf where polished) is 1
      - Ana.chest is something and Ana.chest.polished
  Everything given:
    given:
      players: [Ana, Ben]
      sea: [conch, cowrie]
      beach: [pearl, cowrie]
      shelf: [[none, conch], [cowrie, none]]
      quarry: 4
      Ben.stones: 2
      Ana.wish: red
      leader: Ben
      tide: 3
      pearl.polished: yes
    expect:
      - count(box) is 0
      - count(sea) is 2
      - beach is [pearl, cowrie]
      - first(beach) is pearl
      - count(shelf) is 2
      - count(quarry) is 4
      - count(Ben.stones) is 2
      - Ana.wish is red
      - Ben.wish is nothing
      - leader is Ben
      - tide is 3
      - any(beach where polished)
      - not any(sea where polished)
      - Ben sees 2 cards in sea
      - Ben sees pearl in beach
      - Ben sees 1 card in beach
      - Ben sees [conch, cowrie] in shelf
      - Ana sees nobody asked
  Who would win:
    given: {players: [Ana, Ben], Ben.hand: [pearl]}
    do: result
    expect: [Ben wins, log of Ana has "Ben"]
  Who would win behind what is done:
    given: {players: [Ana, Ben], sea: [pearl]}
    do: [collect.effect(Ana), result]
    expect: [Ana wins]
  A slot:
    given: {players: [Ana, Ben], Ana.chest: pearl, Ana.hand: [conch]}
    expect:
      - Ana.chest is pearl
      - Ana sees 1 card in Ana.chest
      - Ana sees conch in Ana.hand
      - Ben sees 1 card in Ana.hand
  Cards that do not lie as their place has them:
    given:
      players: [Ana, Ben]
      Ana.chest: pearl face up
      Ben.chest: cowrie
      Ana.hand: [conch, cowrie face up]
      shelf: [[conch], [cowrie face down]]
    expect:
      - Ana.chest is face_up
      - Ben sees pearl in Ana.chest
      - Ana sees 1 card in Ben.chest
      - Ben sees cowrie in Ana.hand
      - Ben sees 1 card in Ana.hand
      - Ben.chest is not face_up
      - count(shelf where it is face_up) is 1
      - any(line is [conch] for line in rows(shelf))
  Picks one after the other:
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie, pearl]}
    do: pair(Ana)
    answers: [{Ana: [pearl, conch]}]
    expect: [Ana.chest is pearl, "beach is [conch]", "Ana.hand is [cowrie]"]
  A set:
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie, cowrie, pearl]}
    do: several(Ana)
    answers: [{Ana: [cowrie, cowrie]}]
    expect: ["Ana.hand is [conch, pearl]"]
  The card below:
    given: {players: [Ana, Ben], beach: [conch, pearl, cowrie]}
    do: dig(Ana)
    expect: [Ben sees pearl in beach, 'log of Ben has "Pearl now lies open on the beach."']
  An option that is a list:
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [cowrie, none]]}
    do: line(Ana)
    answers: [{Ana: [pearl, conch]}]
    expect: ["Ana.hand is [conch, pearl]", "shelf is [cowrie]"]
  The one list of these, not another in another order:
    given: {players: [Ana, Ben], shelf: [[conch, cowrie], [cowrie, conch]]}
    do: line(Ana)
    expect:
      - Ana may choose [[cowrie, conch], [conch, cowrie]]
      - Ana may not choose [[cowrie]]
      - Ana may not choose cowrie
  Several options that are lists:
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [cowrie, none]]}
    do: lines(Ana)
    answers: [{Ana: [[conch, pearl], [cowrie]]}]
    expect: [shelf is empty]
  One of several options that are lists:
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [cowrie, none]]}
    do: lines(Ana)
    answers: [{Ana: [[conch, pearl]]}]
    expect: ["shelf is [cowrie]"]
  Copies by where they lie, as failures name them:
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [cowrie, conch]]}
    do: pick(Ana)
    answers: [{Ana: conch@shelf.4}]
    expect: ["shelf is [[conch, pearl], [cowrie, none]]"]
  A copy by its position as the screen calls it:
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [cowrie, conch]]}
    do: pick(Ana)
    answers: [{Ana: conch@shelf.b2}]
    expect: ["shelf is [[conch, pearl], [cowrie, none]]"]
  Copies that may be chosen:
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [cowrie, conch]]}
    do: pick(Ana)
    expect: ['Ana may choose ["conch@shelf.1", pearl, cowrie, "conch@shelf.4"]']
  A position as the screen calls it:
    given: {players: [Ana, Ben], shelf: [[conch, none], [none, none]], beach: [pearl]}
    do: lay(Ana)
    answers: [{Ana: shelf.b1}]
    expect: [any(shelf where it is pearl and column_number(it) is 2 and row_number(it) is 1)]
  A position by its number:
    given: {players: [Ana, Ben], shelf: [[conch, none], [none, none]], beach: [pearl]}
    do: lay(Ana)
    answers: [{Ana: shelf.3}]
    expect: [any(shelf where it is pearl and column_number(it) is 1 and row_number(it) is 2)]
  Positions that may be chosen:
    given: {players: [Ana, Ben], shelf: [[conch, none], [none, none]], beach: [pearl]}
    do: lay(Ana)
    expect:
      - Ana may choose [shelf.b1, shelf.a2, shelf.4]
      - Ana may not choose shelf.a1
      - Ana may not choose shelf.c1
  A position that is never chosen by the rest:
    given: {players: [Ana, Ben], shelf: [[conch, conch], [none, none]], beach: [pearl]}
    do: lay(Ana)
    rest: {not: [shelf.a2]}
    expect: [any(shelf where it is pearl and column_number(it) is 2)]
  A sealed decision:
    given: {players: [Ana, Ben, Cleo], Ana.hand: [conch, cowrie], Ben.hand: [conch, cowrie], Cleo.hand: [pearl]}
    do: gift
    answers: [{Ana: conch, Ben: cowrie}]
    expect: ["Cleo.hand is [cowrie]", "Ben.hand is [conch, conch]", "Ana.hand is [cowrie, pearl]"]
  Half of a sealed decision:
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie], Ben.hand: [conch, cowrie]}
    do: gift
    answers: [{Ana: conch}]
    expect: [Ben is asked, Ana is not asked, "Ben may choose [conch, cowrie]"]
  Words, amounts, players:
    given: {players: [Ana, Ben]}
    do: guess(Ana)
    expect: ["Ana may choose [red, blue, 1 shilling, 24 penny, Ana, Ben]"]
  Labels with values in them:
    options: {toll: 5 penny}
    given: {players: [Ana, Ben]}
    do: menu(Ana)
    answers: [{Ana: Pay 5 pennies}]
    expect: [tide is 2]
  Steps as the rulebook writes them:
    options: {fares: {1: 3, 2: 7}}
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie], Ben.hand: [conch]}
    expect: [fare(Ana) is 7, fare(Ben) is 3]
  Steps as a text:
    options: {fares: "1:3,2:7"}
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie]}
    expect: [fare(Ana) is 7]
  Labels as options:
    given: {players: [Ana, Ben]}
    do: menu(Ana)
    expect:
      - Ana may choose ["Take the tide", "Pay 1 shilling"]
      - Ana may choose ["Take the tide", "Pay 1 shilling", pass]
      - Ana may not choose red
  Passing:
    given: {players: [Ana, Ben]}
    do: menu(Ana)
    answers: [{Ana: pass}]
    expect: [tide is 0]
  Named outcomes:
    given: {players: [Ana, Ben], sea: [conch, conch, pearl, cowrie]}
    do: [collect.effect(Ana), collect.effect(Ben)]
    chance: [pearl, conch, conch]
    expect: ["Ana.hand is [conch, pearl]", "Ben.hand is [conch]"]
  One outcome is no chance:
    given: {players: [Ana, Ben], sea: [conch, conch]}
    do: collect.effect(Ana)
    expect: ["Ana.hand is [conch]"]
  From the start until the tide comes:
    from: start
    given: {players: [Ana, Ben]}
    rest: {not: [collect]}
    until: tide is 3
    expect: [tide is 3, Ben is asked]
  First:
    from: start
    options: {rounds: 3}
    given: {players: [Ana, Ben, Cleo]}
    do: game
    rest: first
    expect: [tide > 0, count(hand of players) >= 6, Ben sees nobody asked]
  The log:
    given: {players: [Ana, Ben], sea: [pearl]}
    do: collect.effect(Ana)
    expect: ['log of Ana has "Pearl"', 'log of Ben has "Ana"', 'log of Ben has no "Pearl"']
  How many:
    given: {players: [Ana, Ben, Cleo]}
    do: finish(Ana)
    expect: [Ana may choose up to 2, "Ana may choose [Ana, Ben, Cleo]"]
  One wins:
    given: {players: [Ana, Ben, Cleo]}
    do: finish(Ana)
    answers: [{Ana: Ben}]
    expect: [Ben wins, "[Ben] win"]
  Two win:
    given: {players: [Ana, Ben, Cleo]}
    do: finish(Ana)
    answers: [{Ana: [Cleo, Ana]}]
    expect: ["[Ana, Cleo] win", players where it is not Ben win]
  Nobody wins:
    given: {players: [Ana, Ben]}
    do: drift
    expect: [nobody wins]
  Whoever is ahead wins in the end:
    from: start
    options: {rounds: 1}
    given: {players: [Ana, Ben]}
    do: game
    rest: {not: [rest]}
    expect: [players with most riches(it) win]
"""

# Scenarios with what each of their failures says, in order.
FAILING = {
    """
    given: {players: [Ana, Ben]}
    expect: [lucky(Ana), not lucky(Ana)]
    """: [
        "lucky(Ana): there is no answer: it asks something of what is not there",
        "not lucky(Ana): there is no answer: it asks something of what is not there",
    ],
    """
    given: {players: [Ana, Ben], Ana.hand: [conch, {conch: {polished: yes}}]}
    expect:
      - 'Ana sees [conch, "conch[polished=yes]"] in Ana.hand'
      - 'Ana sees ["conch[polished=yes]", "conch[polished=yes]"] in Ana.hand'
      - 'Ben sees "conch[polished=yes]" in Ana.hand'
    """: [
        'Ana sees ["conch[polished=yes]", "conch[polished=yes]"] in Ana.hand: '
        'Ana sees "conch[polished=yes]" and conch',
        'Ben sees "conch[polished=yes]" in Ana.hand: Ben sees 2 cards without knowing which',
    ],
    """
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [none, conch]]}
    do: pick(Ana)
    answers: [{Ana: conch#2}]
    expect: [tide is 0]
    """: [
        "answer 1 (Ana: conch#2): `conch#2` is not among the options: "
        '["conch@shelf.1", pearl, "conch@shelf.4"]'
    ],
    """
    given: {players: [Ana, Ben], shelf: [[conch], [none, cowrie]]}
    expect:
      - "shelf is [[conch], [none, cowrie]]"
      - "shelf is [[conch, none], [none, conch]]"
      - "shelf is [[none], [none, cowrie]]"
      - "shelf is [[conch]]"
      - "shelf is not [[conch, none], [none, cowrie]]"
    """: [
        "shelf is [[conch, none], [none, conch]]: not so is `conch`: it is cowrie",
        "shelf is [[none], [none, cowrie]]: not so is `none`: it is conch",
        "shelf is [[conch]]: not so is `[[conch]]`: it is 2",
        "shelf is not [[conch, none], [none, cowrie]]: it is so",
    ],
    """
    given: {players: [Ana, Ben], shelf: [[conch], [none, none, cowrie]]}
    expect: [tide is 0]
    """: ["given: A row of `shelf` has 2 positions, and more are given."],
    """
    given: {players: [Ana, Ben], shelf: [[conch], [none], [cowrie]]}
    expect: [tide is 0]
    """: ["given: `shelf` has 4 positions, and 5 are given."],
    """
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie], Ben.hand: [pearl]}
    expect:
      - riches(Ana) is 5 shilling
      - riches(Ana) > riches(Ben)
      - belongings(Ana) is 6
      - belongings(Ana) < belongings(Ben)
      - jewels(Ana) is 12
      - jewels(Ana) < belongings(Ben)
      - jewel(Ana) > 1 penny
      - Ana.chest.worth + 1 penny is 2 penny
      - Ana.hand is [pearl]
      - Ana.hand is empty
      - Ben.hand is not empty and Ana.chest is pearl
      - not Ana.hand is [conch, cowrie]
      - leader is Ben
      - pearl in Ana.hand
      - any(Ana.hand where polished)
      - not poor(Ana)
      - not broke(Ana)
    """: [
        "riches(Ana) is 5 shilling: it is 2 shillings 5 pennies",
        "riches(Ana) > riches(Ben): `riches(Ana)` is 2 shillings 5 pennies, and `riches(Ben)` is 3 shillings",
        "belongings(Ana) is 6: it is 5 (in hand 2, at home 3)",
        "belongings(Ana) < belongings(Ben): "
        "`belongings(Ana)` is 5 (in hand 2, at home 3), and `belongings(Ben)` is 4 (in hand 1, at home 3)",
        "jewels(Ana) is 12: it is nothing (chest: `p.chest` is nothing)",
        "jewels(Ana) < belongings(Ben): "
        "`jewels(Ana)` is nothing (chest: `p.chest` is nothing), and `belongings(Ben)` is 4 (in hand 1, at home 3)",
        "jewel(Ana) > 1 penny: it is nothing (`p.chest` is nothing)",
        "Ana.chest.worth + 1 penny is 2 penny: it is nothing (`Ana.chest` is nothing)",
        "Ana.hand is [pearl]: it is [conch, cowrie]",
        "Ana.hand is empty: it is [conch, cowrie]",
        "Ben.hand is not empty and Ana.chest is pearl: not so is `Ana.chest is pearl`: it is nothing",
        "not Ana.hand is [conch, cowrie]: it is so",
        "leader is Ben: it is nothing",
        "pearl in Ana.hand: the list is [conch, cowrie]",
        "any(Ana.hand where polished): it is not so",
        "not poor(Ana): so: no stones, no pearls",
        "not broke(Ana): `broke(Ana)` is so",
    ],
    """
    given: {players: [Ana, Ben], sea: [conch, cowrie], Ana.hand: [pearl]}
    do: walk(Ana)
    expect:
      - Ana may choose [rest, pearl]
      - Ana may not choose [rest, pearl]
      - Ben may choose rest
      - Ben may not choose pearl
      - Ben is asked
      - Ana is not asked
      - Ben sees nobody asked
      - Ben sees 2 cards in Ana.hand
      - Ben sees pearl in Ana.hand
      - Ana sees 1 card in Ana.hand
      - log of Ben has "Pearl"
    """: [
        "Ana may choose [rest, pearl]: the options are [collect, rest] (not pearl, also collect)",
        "Ana may not choose [rest, pearl]: rest is among the options: [collect, rest]",
        "Ben may choose rest: Ben is not asked; Ana is asked for one of [collect, rest]",
        "Ben may not choose pearl: Ben is not asked; Ana is asked for one of [collect, rest]",
        "Ben is asked: Ben is not asked; Ana is asked for one of [collect, rest]",
        "Ana is not asked: Ana is asked for one of [collect, rest]",
        "Ben sees nobody asked: Ana is asked",
        "Ben sees 2 cards in Ana.hand: Ben sees 1 card without knowing which",
        "Ben sees pearl in Ana.hand: Ben sees 1 card without knowing which",
        "Ana sees 1 card in Ana.hand: Ana sees pearl",
        'log of Ben has "Pearl": the log is empty',
    ],
    """
    given: {players: [Ana, Ben], sea: [pearl]}
    do: collect.effect(Ana)
    expect: ['log of Ana has no "Pearl"', Ana wins]
    """: [
        'log of Ana has no "Pearl": the log has “Ana draws Pearl from the sea.”',
        "Ana wins: the game is not over",
    ],
    """
    given: {players: [Ana, Ben, Cleo], Ana.hand: [pearl], Cleo.hand: [conch]}
    do: result
    expect: [Cleo wins]
    """: ["Cleo wins: Ana wins"],
    """
    given: {players: [Ana, Ben]}
    do: [finish(Ana), result]
    expect: [Ana wins]
    """: ["Ana wins: the game is not over", "the game waits for Ana: one of [Ben, Ana]"],
    """
    given: {players: [Ana, Ben]}
    do: finish(Ana)
    expect: [Ana may choose up to 1, Ben may choose up to 2]
    """: [
        "Ana may choose up to 1: Ana may choose up to 2",
        "Ben may choose up to 2: Ben is not asked; Ana is asked for one of [Ben, Ana]",
    ],
    """
    given: {players: [Ana, Ben, Cleo]}
    do: finish(Ana)
    answers: [{Ana: [Ana, Ben]}]
    expect: [Ana wins, "[Ana, Ben, Cleo] win", nobody wins]
    """: [
        "Ana wins: Ana and Ben win",
        "[Ana, Ben, Cleo] win: Ana and Ben win",
        "nobody wins: Ana and Ben win",
    ],
    """
    given: {players: [Ana, Ben]}
    do: drift
    expect: [Ana wins]
    """: ["Ana wins: nobody wins"],
    """
    given: {players: [Ana, Ben], sea: [conch]}
    do: walk(Ana)
    answers: [{Ana: rest}, {Ben: rest}]
    expect: [tide is 5]
    """: ["answer 2 (Ben: rest): Ben is not asked; nobody is asked any more"],
    """
    given: {players: [Ana, Ben]}
    do: []
    expect: [tide is 5]
    """: ["tide is 5: it is 0"],
    """
    given: {players: [Ana, Ben], Ana.hand: [conch], Ben.hand: [cowrie]}
    do: gift
    answers: [{Ana: conch}]
    expect: [conch in Ben.hand]
    """: [
        "answer 1 (Ana: conch): Ana is not asked; nobody is asked any more. Ana had only one answer, conch, "
        "so nobody was asked (rulebook.yaml:69)"
    ],
    """
    given: {players: [Ana, Ben]}
    do: several(Ana)
    answers: [{Ana: conch}]
    expect: [beach is empty]
    """: [
        "answer 1 (Ana: conch): Ana is not asked; nobody is asked any more. Ana had nothing to choose, "
        "so nobody was asked (rulebook.yaml:77)"
    ],
    """
    given: {players: [Ana, Ben], sea: [conch]}
    do: walk(Ana)
    answers: [{Ana: Ben}]
    expect: [tide is 5]
    """: ["answer 1 (Ana: Ben): `Ben` is not among the options: [collect, rest]"],
    """
    given: {players: [Ana, Ben], shelf: [[conch, pearl], [cowrie, none]]}
    do: line(Ana)
    answers: [{Ana: [[conch, cowrie]]}]
    expect: [tide is 5]
    """: ["answer 1 (Ana: [conch, cowrie]): `[conch, cowrie]` is not among the options: [[conch, pearl], [cowrie]]"],
    """
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie, pearl]}
    do: pair(Ana)
    answers: [{Ana: conch}]
    expect: [tide is 5]
    """: ["answer 1 (Ana: conch): one more pick is wanted, of [cowrie, pearl]"],
    """
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie, pearl]}
    do: pair(Ana)
    answers: [{Ana: [conch, pearl, cowrie]}]
    expect: [tide is 5]
    """: [
        "answer 1 (Ana: conch, pearl, cowrie): no further pick is wanted for cowrie: "
        "there were enough, or only one was left"
    ],
    """
    given: {players: [Ana, Ben], sea: [conch, pearl]}
    do: collect.effect(Ana)
    chance: [cowrie]
    expect: [tide is 5]
    """: ["chance: cowrie: what can happen is [conch, pearl]"],
    """
    given: {players: [Ana, Ben], sea: [conch]}
    do: collect.effect(Ana)
    chance: [conch]
    expect: [tide is 5]
    """: ["chance: nothing was drawn for conch"],
    """
    from: start
    given: {players: [Ana, Ben]}
    rest: first
    until: tide is 5
    expect: [tide is 5]
    """: ["until: the scenario is over, and it is still not so"],
    """
    given: {players: [Ana, Ben], sea: [conch]}
    do: walk(Ana)
    expect: [tide is 5, tide is 0]
    """: ["tide is 5: it is 0", "the game waits for Ana: one of [collect, rest]"],
    """
    given: {players: [Ana, Ben], Ana.hand: [conch, cowrie], Ben.hand: [conch, cowrie]}
    do: gift
    expect: [tide is 5]
    """: ["tide is 5: it is 0", "the game waits for Ana: one of [conch, cowrie] and for Ben: one of [conch, cowrie]"],
}

# Scenarios with a mistake: the line (counted from the title), the piece it points at, and what it says.
BROKEN = {
    "optons: {rounds: 1}": (1, "optons", "A scenario has no field `optons`. Did you mean `options`?"),
    "options: {round: 1}": (1, "round", "There is no option called `round`. Did you mean `rounds`?"),
    "options: {fares: {1: many}}": (1, "{1: many}", "`1:many` is not possible here: it must be steps like `1:2,3:5`"),
    "options: {fares: {1: [2]}}": (1, "{1: [2]}", "`fares` must be one value, not a map."),
    "options: {rounds: {1: 2}}": (1, "{1: 2}", "`1:2` is not possible here: it must be a whole number from 1 to 3."),
    "options: {rounds: 7}": (1, "7", "`7` is not possible here: it must be a whole number from 1 to 3."),
    "given: {players: [Ana]}": (1, "[Ana]", "`players` must be 2 to 3 names, not 1."),
    "given: {players: [Ana, pearl]}": (1, "pearl", "`pearl` could be a player or a card of the game here."),
    "given: {players: [Ana, Ben], see: [pearl]}": (1, "see", "Did you mean `sea`?"),
    "given: {players: [Ana, Ben], Ana.hnad: [pearl]}": (1, "hnad", "Did you mean `hand`?"),
    "given: {players: [Ana, Ben], Anna.hand: [pearl]}": (1, "Anna", "Did you mean `Ana`?"),
    "given: {players: [Ana, Ben], sea: [perl]}": (1, "perl", "There is no card called `perl`. Did you mean `pearl`?"),
    "given: {players: [Ana, Ben], Ana.chest: perl face up}": (1, "perl", "Did you mean `pearl`?"),
    "given: {players: [Ana, Ben], Ana.chest: pearl fase up}": (1, "pearl fase up", "no card called `pearl fase up`"),
    "given: {players: [Ana, Ben], sea: [pearl], beach: [pearl]}": (1, "pearl", "must be named once, not 2 times"),
    "given: {players: [Ana, Ben], quarry: [pearl]}": (1, "[pearl]", "must be a number of pieces"),
    "given: {players: [Ana, Ben], Ana.chest: [conch, pearl]}": (1, "[conch, pearl]", "must be one card, not 2 cards"),
    "given: {players: [Ana, Ben], tide: Ana}": (1, "Ana", "`tide` must be a number"),
    "given: {players: [Ana, Ben], conch.polished: yes}": (1, "conch.polished", "must be about one card"),
    "given: {players: [Ana, Ben], sea: [{conch: {shiny: yes}}]}": (1, "shiny", "no state of `conch` called `shiny`"),
    "given: {players: [Ana, Ben], sea: [{conch: {polished: 3}}]}": (1, "3", "must be a yes or no"),
    "given: {players: [Ana, Ben], sea: [{perl: {polished: yes}}]}": (1, "perl", "Did you mean `pearl`?"),
    "given: {players: [Ana, Ben], sea: {conch: 2}}": (1, "{conch: 2}", "must be a list of cards"),
    "given: {players: [Ana, Ben], sea: [{conch: 2}]}": (1, "{conch: 2}", "must be the name of one"),
    "given: {players: [Ana, Ben], sea: [pearl]}\n    from: start": (
        1,
        "sea",
        "`from: start` keeps the game's own set-up.",
    ),
    "from: start\n    do: walk(Ana)": (2, "walk(Ana)", "To run one rule alone, leave `from: start` out."),
    "do: wlk(Ana)": (1, "wlk(Ana)", "Did you mean `walk`?"),
    "do: walk(Anna)": (1, "Anna", "Did you mean `Ana`?"),
    "do: walk()": (1, "walk()", "`walk` needs `me`"),
    "do: conch.find(Ana)\n    answers: [{Anna: rest}]": (2, "Anna", "There is no player called `Anna`."),
    "do: walk(Ana)\n    answers: [{Ana: rset}]": (2, "rset", "There is no option called `rset`. Did you mean `rest`?"),
    "do: walk(Ana)\n    answers: [{Ana: Take, or leave}]": (
        2,
        "or leave",
        'Put quotes around all of it: `"Take, or leave"`.',
    ),
    "do: walk(Ana)\n    answers: [{Ana: Take, or leave, or stay}]": (
        2,
        "or leave",
        "The comma before it cut a text in two.",
    ),
    "do: walk(Ana)\n    answers: [{Ana: [Wait, or swim]}]": (2, "Wait, or swim", "The comma cut a text in two."),
    "do: walk(Ana)\n    answers: [{Ana: 'conch[shiny=yes]'}]": (2, "'conch[shiny=yes]'", "no state of `conch`"),
    "do: walk(Ana)\n    answers: [{Ana: {conch: {polished: yes}}}]": (2, "{conch: {polished: yes}}", '`"die[face=5]"`'),
    "expect: ['Ana sees \"conch[shiny=yes]\" in sea']": (1, '"conch[shiny=yes]"', "no state of `conch` called `shiny`"),
    "do: pick(Ana)\n    answers: [{Ana: conch@shlf.4}]": (2, "conch@shlf.4", "no place called `shlf.4`"),
    "do: pick(Ana)\n    answers: [{Ana: 'conch[shiny=yes]@shelf.4'}]": (
        2,
        "'conch[shiny=yes]@shelf.4'",
        "no state of `conch`",
    ),
    "do: walk(Ana)\n    answers: [{Ana: 3 pennies}]": (2, "3 pennies", "`pennies`"),
    "do: walk(Ana)\n    answers: [{Ana: conch.2}]": (2, "conch.2", "There is no card called `conch.2`."),
    "do: walk(Ana)\n    chance: [perl]": (2, "perl", "There is no option called `perl`. Did you mean `pearl`?"),
    "do: walk(Ana)\n    rest: last": (2, "last", "`rest` must be `first`, `random` or `{not: [option]}`, not `last`."),
    "do: walk(Ana)\n    rest: first\n    until: tide": (3, "tide", "This must be a question"),
    "do: walk(Ana)\n    until: tide is 3": (2, "until", "A scenario with `until` needs a `rest`."),
    "answers: [{Ana: rest}]": (1, "answers", "A scenario with `answers` needs a `do`."),
    "seed: dice": (1, "dice", "`seed` must be a whole number, not `dice`."),
    "expect: [riches(Ana) is 3]": (1, "3", "Give it its unit"),
    "expect: [Ana may choose rset]": (1, "rset", "Did you mean `rest`?"),
    "expect: [pearl wins]": (1, "pearl", "This must be a list of players, but this is a shell."),
    "expect: ['sea has no \"Pearl\"']": (1, 'sea has no "Pearl"', '`log of Ben has no "…"`'),
    "expect: [Ana may choose up to many]": (1, "many", "expected a number"),
    "expect: [Ana sees 5 crads in sea]": (1, "5 crads", "Say which card, or how many: `5 cards`."),
    "expect: [Ana sees perl in sea]": (1, "perl", "Did you mean `pearl`?"),
    "expect: [Ana sees pearl in Ana.hnad]": (1, "Ana.hnad", "Did you mean `hand`?"),
    "do: [result, drift]": (1, "result", "the last line of `do`"),
    "from: start\n    do: result": (2, "result", "which begins with the set-up"),
    "expect: []": (1, "[]", "must be a list with at least one line"),
}


@pytest.fixture
def shells(tmp_path: Path) -> Path:
    folder = tmp_path / "shells"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "rulebook.yaml").write_text(SHELLS, encoding="utf-8")
    return folder


def write(game: Path, text: str) -> None:
    (game / "scenarios/all.yaml").write_text(text, encoding="utf-8")


def test_every_form_does_what_it_says(shells: Path) -> None:
    write(shells, PASSING)
    scenarios, found = load_scenarios(shells)
    assert not found
    assert len(scenarios) == PASSING.count("    expect:")
    assert {one.title: [str(failure) for failure in run(one).failures] for one in scenarios} == {
        one.title: [] for one in scenarios
    }


def test_what_is_given_is_a_state_that_a_game_can_be_in(shells: Path) -> None:
    write(shells, PASSING)
    for one in load_scenarios(shells)[0]:
        program = one.ground.program(len(one.seats), one.options)
        machine = Machine(program, one.seats)
        state = machine.new_state(one.seed)
        lay_out(machine, state, one.given, Referee(machine, state).value)
        invariants.check_state(program, state, through_json=True)


@pytest.mark.parametrize("text", FAILING)
def test_a_failure_says_what_came_instead(shells: Path, text: str) -> None:
    write(shells, f"scenarios:\n  It fails:{text}")
    [scenario], found = load_scenarios(shells)
    assert not found
    result = run(scenario)
    assert [str(one).replace(f"{shells}/", "") for one in result.failures] == FAILING[text]
    assert not result.passed
    assert all(one.span is not None and one.span.text for one in result.failures)


@pytest.mark.parametrize("text", BROKEN)
def test_a_mistake_is_found_where_it_stands(shells: Path, text: str) -> None:
    line, piece, said = BROKEN[text]
    given = "" if "given:" in text else "    given: {players: [Ana, Ben]}\n"
    expect = "" if "expect:" in text else "    expect: [tide is 0]\n"
    write(shells, f"scenarios:\n  It is broken:\n    {text}\n{given}{expect}")
    scenarios, found = load_scenarios(shells)
    assert not scenarios
    [message] = found
    assert message.span is not None
    assert (message.span.line - 2, message.span.text) == (line, piece)
    assert said in f"{message.message} {message.help}"
    assert message.where == "scenario It is broken"


def test_one_mistake_leaves_the_other_scenarios(shells: Path) -> None:
    write(shells, "scenarios:\n  One: {expect: [yes]}\n  Two: {given: {players: [Ana, Ben]}, expect: [tide is 0]}\n")
    scenarios, found = load_scenarios(shells)
    assert [one.title for one in scenarios] == ["Two"]
    assert [one.message for one in found] == ["A scenario needs a `given`."]


def test_a_scenario_that_yaml_could_not_read_as_written_is_not_run(shells: Path) -> None:
    cut = "{given: {players: [Ana, Ben]}, do: [buy(Ana, 2)], expect: [tide is 0]}"
    fine = "{given: {players: [Ana, Ben]}, expect: [tide is 0]}"
    write(shells, f"scenarios:\n  One: {fine}\n  Two: {cut}\n  Three: {fine}\n")
    scenarios, found = load_scenarios(shells)
    assert [one.title for one in scenarios] == ["One", "Three"]
    assert found[0].code == "RB108"


def test_scenarios_that_could_not_be_run_are_counted(shells: Path) -> None:
    fine = "{given: {players: [Ana, Ben]}, expect: [tide is 0]}"
    wrong = fine.replace("is 0", "is 1")
    write(shells, f"scenarios:\n  One: {{expect: [yes]}}\n  Two: {fine}\n  Three: {wrong}\n")
    result = CliRunner().invoke(main, ["test", str(shells)])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "3 scenarios: 1 passed, 1 failed, 1 not run."
    (shells / "rulebook.yaml").write_text("", encoding="utf-8")
    result = CliRunner().invoke(main, ["test", str(shells / "scenarios/all.yaml")])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "3 scenarios: 0 passed, 0 failed, 3 not run."


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ("[Ana.hand is empty, riches(Ana) is 0 penny]", "What it does changes `tide`, and nothing is expected of it."),
        ("[Ana.hand is empty, tide is 3]", ""),
        ("[Ana.hand is empty, Ana is not asked]", ""),
        ("[Ana.hand is empty, 'log of Ana has no \"pearl\"']", ""),
        ("[Ana.hand is empty]  # rulebook: ignore RB518 how a comment is heeded", ""),
    ],
)
@pytest.mark.parametrize("answer", ["Wait, or swim", "pass"])
def test_a_scenario_that_would_pass_without_its_do(shells: Path, expect: str, said: str, answer: str) -> None:
    expect, _, comment = expect.partition("  ")
    if answer == "pass":  # nothing at all happens, and that is what it shows
        expect, said = expect.replace("tide is 3", "tide is 0"), ""
    answers = f'answers: [{{Ana: "{answer}"}}]'
    head = f"scenarios:\n  One:  {comment}\n    given: {{players: [Ana, Ben]}}\n    do: wait(Ana)\n    {answers}\n"
    write(shells, f"{head}    expect: {expect}\n")
    result = CliRunner().invoke(main, ["test", str(shells)])
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == "1 scenario: 1 passed, 0 failed."
    assert ("RB518" in result.output, said in " ".join(result.output.split())) == (said != "", True)


@pytest.mark.parametrize("answer", ["shelf.c", "shelf.first", "shelf.b1x"])
def test_no_position_of_a_grid(shells: Path, answer: str) -> None:
    given, expect = "given: {players: [Ana, Ben]}", "expect: [tide is 0]"
    write(shells, f"scenarios:\n  One: {{{given}, do: lay(Ana), answers: [{{Ana: {answer}}}], {expect}}}\n")
    (message,) = load_scenarios(shells)[1]
    assert (message.code, message.span and message.span.text) == ("RB301", answer)
    assert "`shelf.1`" in message.help and "`shelf.a1`" in message.help


def test_files_are_read_in_order_and_one_alone_if_wanted(shells: Path) -> None:
    text = "scenarios:\n  {}: {{given: {{players: [Ana, Ben]}}, expect: [tide is 0]}}\n"
    for name in "ba":
        (shells / f"scenarios/{name}.yaml").write_text(text.format(name.upper()), encoding="utf-8")
    assert [one.title for one in load_scenarios(shells)[0]] == ["A", "B"]
    assert [one.title for one in load_scenarios(shells, shells / "scenarios/b.yaml")[0]] == ["B"]


def test_the_mistakes_of_a_game_come_before_its_scenarios(shells: Path) -> None:
    (shells / "rulebook.yaml").write_text(SHELLS.replace("first(players)", "first(playres)"), encoding="utf-8")
    write(shells, PASSING)
    scenarios, found = load_scenarios(shells)
    assert not scenarios
    assert [one.code for one in found] == ["RB301"]


def test_rules_that_go_wrong_fail_the_scenario(shells: Path) -> None:
    (shells / "rulebook.yaml").write_text(
        SHELLS.replace("  menu(me): |", "  round(me): |\n    loop:\n      set tide = tide\n  menu(me): |"),
        encoding="utf-8",
    )
    write(shells, "scenarios:\n  Round: {given: {players: [Ana, Ben]}, do: round(Ana), expect: [tide is 0]}\n")
    [scenario], found = load_scenarios(shells)
    assert not found
    [failure] = run(scenario).failures
    assert failure.line == "the rules went wrong"
    assert "rules.round" in failure.instead
