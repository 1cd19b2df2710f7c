"""What may be looked at in a place goes by an option: who sees it, what is recalled, who counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.loading import load

GAME = """
format: 1
name: Drawers
players: 2..2
options: {lenient: {type: yes_no, default: no}}
kinds: {letter: {}}
cards:
  bill: {kind: letter}
  note: {kind: letter}
places:
  table: {sack: {holds: letter, kept: bag, seen_by: nobody}}
  player:
    hand: {holds: letter, kept: loose, seen_by: owner}
    drawer: {holds: letter, kept: row, FIELDS}
rules:
  game: |
    each me in [first(players)]:
      move cards to sack
      shuffle sack
      draw 2 from sack to me.hand
      move me.hand where it is bill to me.drawer
      move me.hand where it is note to me.drawer
      choose answer from 1..2
"""


def drawer(tmp_path: Path, fields: str, *, lenient: bool, seat: int) -> dict[str, Any]:
    """What a seat is shown of the first player's drawer, into which that player has put both letters."""
    (tmp_path / "rulebook.yaml").write_text(GAME.replace("FIELDS", fields), "utf-8")
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, [one.message for one in found]
    game = Game(lower(rulebook, 2, {"lenient": lenient}), 1, ("Ana", "Ben"))
    shown: dict[str, Any] = game.view(seat).facts["places"]["Ana.drawer"]
    return shown


BY = "{{by: options.lenient, yes: {}, no: {}}}"


@pytest.mark.parametrize(
    ("fields", "seat", "lenient", "strict"),
    [
        ("seen_by: " + BY.format("everyone", "owner"), 1, ["bill", "note"], [None, None]),
        ("seen_by: owner, recall: " + BY.format("yes", "no"), 0, ["bill", "note"], ["bill", "note"]),
        ("seen_by: nobody, recall: " + BY.format("yes", "no"), 0, ["bill", "note"], [None, None]),
        ("seen_by: nobody, counted: " + BY.format("everyone", "owner"), 1, [None, None], []),
    ],
)
def test_a_place_is_as_open_as_the_option_says(
    tmp_path: Path, fields: str, seat: int, lenient: list[str | None], strict: list[str | None]
) -> None:
    assert drawer(tmp_path, fields, lenient=True, seat=seat)["cards"] == lenient
    assert drawer(tmp_path, fields, lenient=False, seat=seat)["cards"] == strict


SHOWN = """
format: 1
name: Drawers
players: 2..2
kinds: {letter: {}}
cards:
  bill: {kind: letter}
  note: {kind: letter}
places:
  table: {sack: {holds: letter, kept: bag, seen_by: nobody}}
  player: {drawer: {holds: letter, kept: pile, seen_by: nobody, recall: no}}
rules:
  game: |
    each me in [first(players)]:
      move cards to sack
      draw 2 from sack to me.drawer
      show me.drawer to me
      choose found from me.drawer
"""


def test_who_was_shown_cards_is_told_them_while_choosing_even_without_recall(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(SHOWN, "utf-8")
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, [one.message for one in found]
    game = Game(lower(rulebook, 2), 1, ("Ana", "Ben"))
    view = game.view(0)
    assert view.facts["places"]["Ana.drawer"]["cards"] == [None, None]
    assert view.ask is not None and sorted(view.ask.keys) == ["card:bill", "card:note"]
