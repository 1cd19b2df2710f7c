"""A place that is refilled names another place of cards, whatever else has a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.loading import load

KEPT = ("bag", "loose", "pile", "row", "slot", "pool", "grid")
TABLE = """\
format: 1
name: Tiles
players: 2..2
options: {night: {type: yes_no, default: no}}
words: {shade: [dark, light]}
kinds: {tile: {state: {worn: {type: yes_no, default: no}}}}
cards: {disc: {kind: tile, copies: 4}}
memory: {table: {tally: 0}, player: {score: 0}}
values: {worth(p): p.score}
places:
  player: {hand: {holds: tile, kept: loose, seen_by: owner}}
  table:
    drawn: {holds: tile, kept: row, seen_by: everyone}
    tested: {holds: tile, kept: TESTED, refill: REFILL}
PLACES
rules:
  game: |
    move cards to from_row
    draw 5 from tested to drawn
    stage evening:
      say "{count(drawn)}"
"""


@pytest.mark.parametrize("kept", KEPT)
def test_only_places_of_cards_are_shuffled_in(kept: str, tmp_path: Path) -> None:
    """Whatever has a name is put behind `refill:`, for a place of each sort."""
    lines = [f"    from_{one}: {{holds: tile, kept: {one}, size: [2, 2]}}" for one in KEPT]
    others = ("hand", "tally", "score", "worth", "worn", "night", "shade", "dark", "tile", "disc", "players", "game",
              "evening", "box", "nobody", "tested", "none")  # fmt: skip
    for refill in (*(f"from_{one}" for one in KEPT), *others):
        text = TABLE.replace("TESTED", f"{kept}, size: [2, 2]").replace("REFILL", refill)
        text = text.replace("PLACES", "\n".join(lines))
        for one in (*KEPT, kept):
            if one != "grid":
                text = text.replace(f"kept: {one}, size: [2, 2]", f"kept: {one}")
        (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
        loaded = load(tmp_path)
        errors = [one for one in loaded.messages if one.severity == "error"]
        is_right = kept in ("pile", "bag") and refill in [f"from_{one}" for one in KEPT if one != "pool"]
        assert (not errors) == is_right, (refill, [one.message for one in errors])
        if not is_right:
            about = [one.span for one in errors if one.span is not None]
            assert any(text[span.start : span.end] == refill for span in about) or kept not in ("pile", "bag")
            continue
        assert loaded.rulebook is not None
        program = lower(loaded.rulebook, 2)
        state = Machine(program).new_state(1)
        assert Machine(program).advance(state) is None
        drawn = len(state[program.layout.find_place("drawn").slot])
        assert drawn == (4 if refill == "from_row" else 0)
