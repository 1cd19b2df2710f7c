"""What stands on cards: the text of their kind or their own, filled with what is printed on them."""

from __future__ import annotations

from pathlib import Path

from rulebook.dsl import ir
from rulebook.loading import load

GAME = """
format: 1
name: Coats
players: 1..1
units: {penny: 1, crown: 12}
words: {color: {red: Scarlet, blue: Navy}}
kinds:
  coat:
    has: {value: amount, colors: set of color, warmth: -2..5, lined: no}
    text: "{colors}, {value}, {warmth}, lined: {lined}"
  cloak: {is: coat}
cards:
  parka: {kind: coat, value: 24 penny, colors: [blue, red], warmth: 5, lined: yes}
  cape: {kind: cloak, value: 5 penny, colors: [], warmth: -2}
  shawl: {kind: cloak, value: 5 penny, colors: [], warmth: 0, text: "Worth {value}"}
rules: {game: win players}
"""


def test_a_text_says_what_is_printed_on_the_card(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(GAME, "utf-8")
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, [one.message for one in found]
    texts = {id: card.text.value for id, card in rulebook.cards.items() if isinstance(card.text, ir.Const)}
    assert texts == {
        "parka": "Navy, Scarlet, 2 crowns, 5, lined: yes",
        "cape": "none, 5 pennies, -2, lined: no",
        "shawl": "Worth 5 pennies",
    }
