"""What the page at the end of a round says of a player, in a small game of its own."""

from __future__ import annotations

from pathlib import Path

from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.table.blocks import Part
from rulebook.table.reckoning import find_rounds, lay_out_round
from rulebook.table.shared import SharedGame

GAME = """
format: 1
name: Wares
players: 2..2
kinds:
  crate: {state: {torn: {type: yes_no, default: no, lasts: round, seen: with_face}}}
  seal: {}
cards:
  bale: {kind: crate, name: Bale, copies: 4}
  wax: {kind: seal, name: Wax, copies: 4}
places:
  table: {store: {holds: crate, kept: bag, seen_by: nobody}, pouch: {holds: seal, kept: bag, seen_by: nobody}}
  player:
    hand: {holds: crate, kept: loose, seen_by: owner}
    seals: {holds: seal, kept: loose, seen_by: owner}
memory: {player: {fair: {type: yes_no, lasts: round}}}
rules:
  game: |
    move cards where it is crate to store
    move cards where it is seal to pouch
    stage round "Round 1":
      stage play "The market":
        deal 2 from store to each hand
      each p in players:
        set first(p.hand).torn = yes
        reveal p.hand
        set p.fair = count(p.hand) > 1 publicly
        draw 1 from pouch to p.seals
        draw 1 from pouch to p.seals
phrases: {crate: crate, seal: wax seal}
display: {titles: {fair: fair / unfair}}
result: {rank: most count(seals)}
"""


def test_cards_are_told_as_they_were_and_called_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(GAME, "utf-8")
    loaded = load(tmp_path)
    assert loaded.rulebook is not None, loaded.messages
    game = SharedGame(lower(loaded.rulebook, 2), 1, ("Ana", "Ben"))
    events = game.events(0)
    [ended] = find_rounds(game.program, game.names, events)
    parts = [block for block in lay_out_round(game, 0, events, ended) if isinstance(block, Part)]
    # What changed has gone back by now; two draws are one row, and what Ana may not know has the word for its kind.
    assert [(part.heading, [(row.label, *row.groups) for row in part.rows]) for part in parts] == [
        ("You (Ana) · fair", [("hand", "2 × Bale (1 torn)"), ("from the pouch", "2 × Wax")]),
        ("Ben · fair", [("hand", "2 × Bale (1 torn)"), ("from the pouch", "2 wax seals")]),
    ]
