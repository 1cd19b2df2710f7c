"""Small games walked whole: what is counted, what is one move, and what a player can tell apart."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from simulating import simulate

from rulebook import library
from rulebook.cli import main
from rulebook.commands.tree import tree_command
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.small_games.counting import MOST_HISTORIES, Astray, Tree, count_tree
from rulebook.playtest.small_games.game_tree import TooLarge

START = "format: 1\nname: Small\nplayers: 2..2\n"


def walked(game: Path | str, players: int = 2, limit: int = MOST_HISTORIES, **given: str) -> Tree:
    loaded = load(library.find_game(game) if isinstance(game, str) else game)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    options, problems = settle_options(rulebook.options, given, rulebook.units)
    assert not problems
    return count_tree(lower(rulebook, players, options), limit)


def written(folder: Path, rules: str) -> Path:
    (folder / "rulebook.yaml").write_text(START + rules, encoding="utf-8")
    return folder


# ── games whose figures are known ────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_kuhn_poker() -> None:
    tree = walked("kuhn_poker")
    assert (tree.histories, tree.terminal, tree.chance, tree.forced) == (58, 30, 4, 0)
    assert tree.states == (6, 6)
    assert tree.values == (Fraction(1, 8), Fraction(-1, 8))
    assert (tree.wins, tree.draws) == ((15, 15), 0)
    assert (tree.win_chances, tree.draw_chance) == ((Fraction(9, 16), Fraction(7, 16)), 0)
    assert tree.is_amount


def test_goofspiel_without_chance() -> None:
    tree = walked("goofspiel", cards="3", prizes="descending")
    # 1 + 3 + 9, then two bids each, then the last bids, which nobody has to think about.
    assert tree.histories == 1 + 3 + 9 + 9 * 2 + 9 * 4 + 36 + 36
    assert (tree.terminal, tree.chance, tree.forced, tree.unfinished) == (36, 0, 72, 0)
    assert tree.states == (1 + 9 + 36,) * 2
    assert tree.forced_states == (36, 36)
    assert (tree.wins, tree.draws) == ((13, 13), 10)
    assert tree.values == (0, 0)


def test_tic_tac_toe_from_its_rules_for_a_smaller_board(tmp_path: Path) -> None:
    rules = (library.find_game("tic_tac_toe") / "rulebook.yaml").read_text("utf-8")
    smaller = rules.replace("size: [3, 3]", "size: [2, 2]").replace("lines(board, 3)", "lines(board, 2)")
    (tmp_path / "rulebook.yaml").write_text(smaller.replace(">= 3", ">= 2"), encoding="utf-8")
    tree = walked(tmp_path)
    # Any two of four positions are in line, so the third mark always wins.
    assert (tree.histories, tree.terminal) == (1 + 4 + 12 + 24, 24)
    assert (tree.wins, tree.draws, tree.values) == ((24, 0), 0, (1, -1))
    assert tree.states == (1 + 12, 4)


# ── random play ──────────────────────────────────────────────────────────────────────────────────

TAKING = """
kinds: {stone: {}}
places:
  table:
    heap: {holds: stone, kept: loose, seen_by: everyone}
    out: {holds: stone, kept: loose, seen_by: everyone}
cards: {red: {kind: stone, copies: 3}, blue: {kind: stone, copies: 2}, black: {kind: stone, copies: %d}}
rules:
  game: |
    move cards to heap
    each me in players where it is first(players):
      %s
      move %s to out
      if %s:
        win me
    win nobody
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("black", "choice", "taken", "wins", "share"),
    [
        # Three of seven answers are a red one; to pass is one answer.
        (1, "may choose mine from heap", "heap where it is mine", "count(out where it is red) is 1", Fraction(3, 7)),
        # Of 64 sets 20 have three members; to pass is one answer more.
        (1, "may choose any number of mine from heap", "mine", "count(out) is 3", Fraction(20, 65)),
        (1, "choose up to 3 mine from heap", "mine", "count(out) is 1", Fraction(6, 1 + 6 + 15 + 20)),
        # Few sets are allowed: the three red ones with any of the blue ones, which count one by one.
        (
            6,
            "choose any number of mine from heap so that count(mine where it is red) is 3 and "
            "count(mine where it is black) is 0",
            "mine",
            "count(out) is 4",
            Fraction(2, 4),
        ),
    ],
)
def test_random_play_is_that_of_the_bot(
    black: int, choice: str, taken: str, wins: str, share: Fraction, tmp_path: Path
) -> None:
    """Every legal answer is as likely as any other, of sets too: in the tree, on the core and in the machine."""
    folder = written(tmp_path, TAKING % (black, choice, taken, wins))
    assert walked(folder).win_chances[0] == share
    rulebook = load(folder).rulebook
    assert rulebook is not None
    played = simulate(rulebook, 2, 3000, 1, tier="core")
    assert played["wins"][0] / 3000 == pytest.approx(float(share), abs=0.04)
    both = [simulate(rulebook, 2, 200, 1, tier=tier)["wins"] for tier in ("core", "machine")]
    assert both[0] == both[1]


# ── moves ────────────────────────────────────────────────────────────────────────────────────────

DICE = """
kinds: {die: {state: {face: {type: 1..6, seen: with_face}}}}
places: {table: {tray: {holds: die, kept: %s, seen_by: everyone}}}
cards: {cube: {kind: die, copies: %d}}
values: {fives(): count(tray where face is 5)}
rules:
  game: |
    move cards to tray
    roll tray
    if fives() is count(tray):
      win first(players)
    win last(players)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kept", "dice", "histories", "terminal"),
    [
        ("loose", 2, 1 + 21, 21),
        ("loose", 3, 1 + 56, 56),
        ("loose", 5, 1 + 252, 252),
        ("row", 2, 1 + 6 + 36, 36),
        ("row", 3, 1 + 6 + 36 + 216, 216),
    ],
)
def test_equal_dice_in_no_order_are_rolled_as_one_outcome(
    tmp_path: Path, kept: str, dice: int, histories: int, terminal: int
) -> None:
    tree = walked(written(tmp_path, DICE % (kept, dice)))
    assert (tree.histories, tree.terminal) == (histories, terminal)
    assert tree.win_chances == (Fraction(1, 6**dice), 1 - Fraction(1, 6**dice))


def test_an_outcome_is_as_likely_as_its_copies(tmp_path: Path) -> None:
    rules = """
kinds: {ball: {}}
places: {table: {urn: {holds: ball, kept: bag, seen_by: nobody}, out: {holds: ball, kept: slot, seen_by: everyone}}}
cards: {red: {kind: ball, copies: 3}, blue: {kind: ball}}
rules:
  game: |
    move cards to urn
    draw 1 from urn to out
    if out is red:
      win first(players)
    win last(players)
"""
    tree = walked(written(tmp_path, rules))
    assert (tree.histories, tree.terminal, tree.wins) == (3, 2, (1, 1))
    assert tree.win_chances == (Fraction(3, 4), Fraction(1, 4))


@pytest.mark.parametrize(
    ("choice", "answers"),
    [
        ("choose card from me.hand", 2),
        ("may choose card from me.hand", 3),
        ("choose 2 card from me.hand", 2),
        ("choose 0..3 card from me.hand", 6),
        ("choose order card from me.hand", 3),
        ("choose any number of card from me.hand so that count(card) is not 1", 4),
    ],
)
def test_equal_answers_are_one_move(tmp_path: Path, choice: str, answers: int) -> None:
    # In hand are two equal cards and another one.
    rules = f"""
kinds: {{coin: {{}}}}
places: {{player: {{hand: {{holds: coin, kept: loose, seen_by: owner}}}}}}
cards: {{gold: {{kind: coin, copies: 2}}, silver: {{kind: coin}}}}
rules:
  game: |
    move cards to first(players).hand
    do turn(first(players))
  turn(me): {choice}
"""
    tree = walked(written(tmp_path, rules))
    assert (tree.histories, tree.terminal) == (1 + answers, answers)
    assert tree.states == (1, 0)


# ── what a player knows ──────────────────────────────────────────────────────────────────────────

GUESS = """
kinds: {hat: {}}
places:
  table: {heap: {holds: hat, kept: bag, seen_by: nobody}}
  player: {head: {holds: hat, kept: slot, seen_by: %s}}
cards: {black: {kind: hat}, white: {kind: hat}}
rules:
  game: |
    move cards to heap
    draw 1 from heap to first(players).head
    do guess(last(players))
  guess(me): |
    choose one "What is it?":
      "Black"
      "White"
"""


@pytest.mark.parametrize(("seen_by", "states"), [("owner", 1), ("nobody", 1), ("everyone", 2)])
def test_what_is_hidden_makes_no_other_information_state(tmp_path: Path, seen_by: str, states: int) -> None:
    assert walked(written(tmp_path, GUESS % seen_by)).states == (0, states)


@pytest.mark.parametrize(("verb", "states"), [("chooses", 4), ("secretly chooses", 1)])
def test_what_was_answered_openly_is_remembered(tmp_path: Path, verb: str, states: int) -> None:
    rules = f"""
rules:
  game: |
    do turns(first(players), last(players))
  turns(me, friend): |
    me {verb} height from 1..4
    friend chooses depth from 1..2
    me chooses width from 1..2
"""
    tree = walked(written(tmp_path, rules))
    assert tree.terminal == 16
    # The first player knows their own answer, whoever else was told of it.
    assert tree.states == (1 + 8, states)


def test_in_a_sealed_decision_nobody_knows_the_earlier_answers(tmp_path: Path) -> None:
    rules = """
rules:
  game: |
    each p in players chooses height, depth from 1..3
"""
    tree = walked(written(tmp_path, rules))
    assert tree.terminal == 36
    # The first pick, and for each of its answers the second.
    assert tree.states == (1 + 3, 1 + 3)


def test_cards_come_into_a_hand_in_no_order(tmp_path: Path) -> None:
    rules = """
kinds: {ware: {}}
places:
  table: {deck: {holds: ware, kept: pile, seen_by: nobody}}
  player: {hand: {holds: ware, kept: %s, seen_by: owner}}
cards: {egg: {kind: ware}, milk: {kind: ware}, salt: {kind: ware}}
rules:
  game: |
    move cards to deck
    shuffle deck
    draw 2 from deck to first(players).hand
    do turn(first(players))
  turn(me): |
    choose kept from me.hand
"""
    assert walked(written(tmp_path, rules % "loose")).states == (3, 0)
    assert walked(written(tmp_path, rules % "row")).states == (6, 0)


def test_what_is_uncovered_on_a_pile_is_seen(tmp_path: Path) -> None:
    rules = """
kinds: {ware: {}}
places:
  table: {deck: {holds: ware, kept: pile, seen_by: top}, away: {holds: ware, kept: pile, seen_by: nobody}}
cards: {egg: {kind: ware}, milk: {kind: ware}, salt: {kind: ware}}
rules:
  game: |
    move cards to deck
    shuffle deck
    let top_one = first(deck)
    do turn(first(players))
  turn(me): |
    may "Take it":
      move first(deck) to away
"""
    assert walked(written(tmp_path, rules)).states == (3, 0)


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


def test_a_tree_has_a_limit() -> None:
    assert walked("kuhn_poker", limit=58).histories == 58
    with pytest.raises(TooLarge, match="more than 57 histories"):
        walked("kuhn_poker", limit=57)
    assert next(one for one in tree_command.params if one.name == "limit").default == MOST_HISTORIES


def test_a_large_game_ends_with_advice() -> None:
    result = CliRunner().invoke(main, ["tree", "wallet", "--limit", "500"])
    assert result.exit_code == 2
    assert "Wallet is too large to be walked whole. The tree has more than 500 histories." in result.output
    assert "--limit 5000" in result.output


CHIPS = """
units: {chip: 1}
memory: {player: {paid: 1 chip}}
rules:
  game: |
    each me in players:
      choose one:
        "Stay"
        "Pay":
          add 1 chip to me.paid
result:
  payoff(p): %s
  zero_sum: yes
"""


def test_payoffs_that_should_add_up_to_nothing_do(tmp_path: Path) -> None:
    tree = walked(written(tmp_path, CHIPS % "p.left.paid - p.paid"))
    assert (tree.values, tree.wins, tree.draws) == ((0, 0), (1, 1), 2)


def test_payoffs_that_do_not_add_up_are_told_with_their_way_and_place(tmp_path: Path) -> None:
    game = written(tmp_path, CHIPS % "2 chip - p.paid")
    with pytest.raises(Astray) as caught:
        walked(game)
    # With one chip of each all is well once too few: 1 + 1 chips are left.
    assert caught.value.moves == ("Player 1: Stay", "Player 2: Stay")
    result = CliRunner().invoke(main, ["tree", str(game)])
    assert result.exit_code == 1
    assert "the payoffs 1 chip, 1 chip add up to 2 chips" in result.output
    assert "It went so: Player 1: Stay, Player 2: Stay." in result.output
    assert "rulebook.yaml:15:14: 2 chip - p.paid" in result.output


@pytest.mark.parametrize("words", [["simulate", "--games", "5"], ["test"]])
def test_payoffs_are_added_up_after_games_and_scenarios_too(tmp_path: Path, words: list[str]) -> None:
    game = written(tmp_path, CHIPS % "2 chip")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "all.yaml").write_text(
        "scenarios:\n  Nobody pays:\n    from: start\n    given: {players: [Ana, Ben]}\n    do: game\n"
        "    answers: [{Ana: Stay}, {Ben: Stay}]\n    expect: [Ana.paid is 1 chip]\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(main, [words[0], str(game), *words[1:]])
    assert result.exit_code == 1
    assert "add up to 4 chip" in " ".join(result.output.split())
    assert "rulebook.yaml:15" in "".join(result.output.split())


# ── the command ──────────────────────────────────────────────────────────────────────────────────


def test_the_table() -> None:
    result = CliRunner().invoke(main, ["tree", "kuhn_poker"])
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.output.splitlines()]
    assert lines[0] == "Kuhn Poker, 2 players"
    assert "58 histories, the empty one counted" in lines
    assert "1 6 15 56.25% 1/8 = 0.1250 chips" in lines
    assert "nobody alone 0 0.00%" in lines


def test_the_object() -> None:
    result = CliRunner().invoke(main, ["tree", "goofspiel", "--set", "cards=2", "--set", "prizes=descending", "--json"])
    assert result.exit_code == 0
    told = json.loads(result.output)
    assert told.pop("seconds") >= 0
    seat = {
        "information_states": 5,
        "forced_information_states": 4,
        "wins": 1,
        "win_probability": "1/4",
        "value": "0",
    }
    assert told == {
        "game": "goofspiel",
        "variants": [],
        "options": {"cards": 2, "prizes": "descending"},
        "players": 2,
        "histories": 15,
        "terminal": 4,
        "chance": 0,
        "forced": 8,
        "unfinished": 0,
        "draws": 2,
        "draw_probability": "1/2",
        "seats": [seat, seat],
    }
