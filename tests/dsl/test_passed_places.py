"""Every sentence about a place, with each way a place is kept: named, passed to a rule or a hook, and as a cell.

What is refused by name is refused where it is passed; what is not refused, machine and core play alike.
"""

from __future__ import annotations

import re

import pytest
from cores import play_both

from rulebook.examples import of_its_own
from rulebook.interpreter.lower import lower

SENTENCES = (
    "draw 1 from p to dump", "draw 1 from p to lost", "draw 1 from deck to p", "draw 1 from deck to p top",
    "draw 1 from lost to p", "draw 1 from p to p", "deal 1 from p to each hand", "deal 1 from p to each purse",
    "move first(p) to dump", "move p to dump", "move p to lost", "move first(deck) to p", "move deck to p bottom",
    "move first(deck) to p face up", "move all from p to dump", "move all from p to lost", "move all from deck to p",
    "move all from lost to p", "move 1 from p to lost", "move 1 from lost to p", "move 1 from p to p", "shuffle p",
    "me arranges p", "swap p with spot", "swap spot with p", "swap p with p", "swap first(deck) with p", "reveal p",
    'say "{count(p)}"', "let x = p", "me chooses x from p", "pick x from p at random", "show p to me",
)  # fmt: skip

GAME = """
format: 1
name: Places
players: 2..2
kinds: {note: , owl: {does: {"use(SORT p, player me)": }}}
places:
  table:
    deck: {holds: [note, owl], kept: pile, seen_by: everyone}
    dump: {holds: [note, owl], kept: loose, seen_by: everyone}
    spot: {holds: [note, owl], kept: slot, seen_by: everyone}
    lost: {holds: [note, owl], kept: pool, seen_by: everyone}
    here: {holds: [note, owl], kept: KEPT, seen_by: everyone}
  player:
    hand: {holds: [note, owl], kept: loose, seen_by: everyone}
    purse: {holds: [note, owl], kept: pool, seen_by: everyone}
cards: {paper: {kind: note, copies: 9}, barn_owl: {kind: owl, use: 'BY_HOOK'}}
rules:
  act(SORT p, player me): BY_RULE
  game: |
    move first(box where it is note, 4) to deck
    move first(box where it is note, 2) to lost
    move first(box where it is note) to here
    DO
    win nobody
"""
KEPT = ("bag", "loose", "pile", "row", "slot", "pool", "grid")
DO_NOTHING = 'say "Nothing."'


@pytest.mark.parametrize("sentence", SENTENCES)
def test_place(sentence: str) -> None:
    for kept in KEPT:
        refused = check(sentence, kept, "named") & {"RB409", "RB410"}
        for way in ("passed", "by hook"):
            assert not refused or check(sentence, kept, way) & {"RB401", "RB409", "RB410"}, (kept, way)
        assert "RB401" in check(sentence, kept, "wrong"), kept
        if kept in ("row", "grid"):
            check(sentence, kept, "cell")


def check(sentence: str, kept: str, way: str) -> set[str]:
    """Check a game that does the sentence with `here`, and play it where it may be; the codes of its errors."""
    sort = "cell" if way == "cell" else "pool" if (kept == "pool") == (way != "wrong") else "place"
    rule = re.sub(r"\bp\b", "here", sentence) if way == "named" else DO_NOTHING if way == "by hook" else sentence
    do = "do barn_owl.use(here, first(seats))" if way == "by hook" else "do act(here, first(seats))"
    if way == "cell":
        do = "each me in seats:\n      me chooses c from cells(here)\n      do act(c, me)"
    text = GAME.replace("KEPT", "grid, size: [2, 2]" if kept == "grid" else kept)
    text = text.replace("BY_RULE", rule).replace("BY_HOOK", sentence if way == "by hook" else DO_NOTHING)
    rulebook, messages = of_its_own(text.replace("SORT", sort).replace("DO", do))
    if rulebook is not None:
        for seed in range(3):
            play_both(lower(rulebook, 2), seed)
    codes = {message.code for message in messages if message.severity == "error"}
    # Who is passed a place may be passed one that cannot be looked through.
    assert codes <= {"RB401", "RB409", "RB410", "RB603"}
    return codes
