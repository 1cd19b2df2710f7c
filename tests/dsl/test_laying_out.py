"""Numbers in YAML that must be known before the game begins: how many copies, how large a grid, what is printed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulebook.diagnostics import Diagnostic
from rulebook.dsl import ir
from rulebook.examples import of_its_own
from rulebook.interpreter.decisions import BadSetup
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.playtest.hunting.verdicts import play_through

GAME = """
format: 1
name: Laid
players: 2..3
options: {{many: {{type: 0..9, default: 3}}, mode: {{type: [few, lots], default: few}}}}
kinds: {{pawn: {{has: {{rank: number}}}}}}
cards:
  piece: {{kind: pawn, rank: "{rank}", copies: {copies}}}
places: {{table: {{heap: {{holds: pawn, kept: grid, size: ["{size}", 9], seen_by: everyone}}}}}}
memory: {{table: {{total: 0}}}}
rules: {{game: "win nobody"}}
result: {{payoff(p): 0}}
values:
  lying(): count(heap)
  others_lie(): lying() + 1
  scripted(): |
    let found = lying()
    return found
  broken(): 1 / 0
  nowhere(): max([])
  much(): sum(n for n in 1..9000)
  endless(): sum(sum(sum(1..9000) for n in 1..9000) for m in 1..9000)
"""


def checked(
    folder: Path, rank: str = "1", copies: str = "1", size: str = "2"
) -> tuple[ir.Rulebook | None, list[Diagnostic]]:
    text = GAME.format(rank=rank, copies=copies if copies.startswith("{") else f'"{copies}"', size=size)
    (folder / "rulebook.yaml").write_text(text, "utf-8")
    loaded = load(folder, meant=True)
    return loaded.rulebook, loaded.messages


IN_PLAY = (
    "count(heap)",
    "lying()",
    "others_lie()",
    "scripted()",
    "count(cards)",
    "total",
    "count(cards where rank > 0)",
    "sum(rank of cards)",
)


@pytest.mark.parametrize("field", ["rank", "copies", "size"])
@pytest.mark.parametrize("written", IN_PLAY)
def test_what_is_only_known_in_play_cannot_be_asked_for(tmp_path: Path, field: str, written: str) -> None:
    _, found = checked(tmp_path, **{field: written})
    assert [one.code for one in found if one.severity == "error"] == ["RB413"]


IMPOSSIBLE = {
    "copies": ("1 / 0", "5 / (count(players) - 2)", "100000 * 10000 * count(players)", "9000 * count(players)",
               "{few: 99999, lots: 1, by: options.mode}"),
    "size": ("1 / 0", "51 * count(players)", "2 - count(players)", "0 - 1"),
    "rank": ("1 / 0", "7 % (count(players) - 3)", "10000000 * 10000000 * 10000000"),
}  # fmt: skip


@pytest.mark.parametrize(("field", "written"), [(field, one) for field, all in IMPOSSIBLE.items() for one in all])
def test_an_impossible_number_is_said_at_its_place(tmp_path: Path, field: str, written: str) -> None:
    _, found = checked(tmp_path, **{field: written})
    (error,) = [one for one in found if one.severity == "error"]
    assert error.code == "RB411"
    assert error.span is not None


AT_THE_TABLE = {
    "copies": ("nowhere()", "broken()", "much()", "endless()", "max([])", "1 / (4 - options.many)",
        "900 * (options.many - 2)"),
    "size": ("nowhere()", "broken()", "much()", "endless()", "90 * (options.many - 2)"),
    "rank": ("broken()", "endless()", "1 / (options.many - 4)"),
}  # fmt: skip


@pytest.mark.parametrize(("field", "written"), [(field, one) for field, all in AT_THE_TABLE.items() for one in all])
def test_what_no_game_can_be_laid_out_with_is_refused_before_it_begins(
    tmp_path: Path, field: str, written: str
) -> None:
    rulebook, _ = checked(tmp_path, **{field: written})
    assert rulebook is not None
    with pytest.raises(BadSetup, match=r"rulebook\.yaml:\d+"):
        lower(rulebook, 2, {"many": 4, "mode": "few"})
    verdict = play_through(rulebook, None, 1, options={"many": 4, "mode": "few"})
    assert {one.code for one in verdict.found} <= {"RB701", "RB702"}
    assert {Path(one.span.file.name).name for one in verdict.found if one.span is not None} == {"rulebook.yaml"}
    assert (verdict.games, verdict.bugs) == (0, ())


def test_there_are_only_so_many_cards(tmp_path: Path) -> None:
    text = GAME.format(rank="1", copies="1", size="2")
    many = "".join(f"  more_{n}: {{copy: piece, copies: 900}}\n" for n in range(12))
    (tmp_path / "rulebook.yaml").write_text(text.replace("places:", many + "places:", 1), "utf-8")
    found = load(tmp_path, meant=True).messages
    assert [one.code for one in found if one.severity == "error"] == ["RB106"]


@pytest.mark.slow
def test_each_number_is_worked_out_with_a_budget_of_its_own(tmp_path: Path) -> None:
    text = GAME.format(rank="much()", copies="1", size="2")
    many = "".join(f"  more_{n}: {{copy: piece}}\n" for n in range(200))
    (tmp_path / "rulebook.yaml").write_text(text.replace("places:", many + "places:", 1), "utf-8")
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None
    assert lower(rulebook, 2).cards == 201


def test_copies_may_ask_what_is_printed_on_the_card() -> None:
    rulebook, messages = of_its_own(COUNTED)
    assert rulebook is not None and messages == []
    for players, diamonds in ((2, 2), (3, 0)):
        cards = Counter(lower(rulebook, players).definition)
        assert cards["pip.diamonds.2"] == diamonds
        assert (cards["pip.clubs.2"], cards["pip.clubs.4"], cards["two_of_clubs"]) == (2, 4, 1)


@pytest.mark.parametrize("copies", ["rank", "0 + rank", "0 + rank * 1", "rank - 0"])
def test_copies_that_are_an_attribute_differ_from_card_to_card(copies: str) -> None:
    whole = "0 if suit is diamonds and rank is 2 and count(players) is 3 else rank"
    rulebook, found = of_its_own(COUNTED.replace(whole, copies))
    assert rulebook is not None and found == [], found
    cards = Counter(lower(rulebook, 2).definition)
    assert [cards[f"pip.clubs.{rank}"] for rank in (2, 3, 4)] == [2, 3, 4]


COUNTED = """
format: 1
name: Counted
players: 2..3
words: {suit: [clubs, diamonds]}
kinds: {playing: {has: {suit: suit, rank: 2..4, is_odd: {type: yes_no, default: no}}}}
cards:
  pip:
    kind: playing
    each: {suit: every suit, rank: 2..4}
    copies: 0 if suit is diamonds and rank is 2 and count(players) is 3 else rank
  two_of_clubs: {kind: playing, suit: clubs, rank: 2, copies: 2 if is_odd else 1}
places: {player: {hand: {holds: playing, kept: loose, seen_by: owner}}}
rules:
  game: |
    each p in players:
      move first(box, 3) to p.hand
      p chooses shown from p.hand
      reveal shown
result: {rank: most sum(rank of hand)}
"""
