"""Small games with a reaction window, written as designers write them, and what each player is sent of one.

In: a script, what lies in whose hand, what is answered. Out: the `Game`, and for one seat all that it was sent, step by
step. Never: shows a seat's stream what `Game.view` does not.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rulebook.interpreter import knowledge
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import KNOWN, WHERE
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.loading import load

NAMES = ("Ana", "Ben", "Cleo", "Dan")

TABLE = """
format: 1
name: Windows
players: 4..4
words: {tint: {pale: Pale as snow, red: Red as blood}}
kinds:
  gem: {has: {worth: number, tint: tint}}
places:
  table:
    pot:  {holds: gem, kept: row, seen_by: everyone}
    dark: {holds: gem, kept: loose, seen_by: nobody}
  player:
    hand: {holds: gem, kept: loose, seen_by: owner}
memory:
  table: {turns: 0, taker: player, closed: no}
  player: {points: 0}
cards:
  ruby:  {kind: gem, worth: 3, tint: red, copies: 8}
  pearl: {kind: gem, worth: 1, tint: pale, copies: 8}
values:
  able(p): any(p.hand where it is ruby)
  pays(p, gem g):
    It is worth something: g.worth > 0
    It is a pearl: g is pearl
  unready(p):
    They hold no ruby: not able(p)
rules:
  game: |
    do act(first(players))
  act(me): |
"""


@cache
def program(script: str) -> Program:
    """The small game with this script of Ana's turn; a line `other(me):` in it begins another rule."""
    lines = ""
    for line in script.strip("\n").split("\n"):
        lines += f"  {line} |\n" if line.endswith("(me):") else f"    {line}\n"
    with TemporaryDirectory() as folder:
        (Path(folder) / "rulebook.yaml").write_text(TABLE.strip() + "\n" + lines, "utf-8")
        loaded = load(Path(folder))
        rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    return lower(rulebook, len(NAMES))


def begun(script: str, sort: type[Game] = Game, /, **hands: str) -> Game:
    """The game at its first decision; `Ana="ruby pearl"` deals her these, `dark="ruby"` lays one where nobody looks."""
    made = program(script)
    state = Machine(made, NAMES).new_state(1)
    layout = made.layout
    box = list(state[layout.places[0].slot])
    where = list(state[WHERE])
    for name, cards in hands.items():
        hand = layout.find_place_of("hand", NAMES.index(name)) if name in NAMES else layout.find_place(name)
        held = []
        for id in cards.split():
            card = next(card for card in box if made.definition[card] == id)
            box.remove(card)
            held.append(card)
            where[card] = hand.ordinal
        state[hand.slot] = layout.pack(sorted(held))
    state[layout.places[0].slot] = layout.pack(box)
    state[WHERE] = bytes(where) if isinstance(state[WHERE], bytes) else tuple(where)
    if hands:
        state[KNOWN] = bytes(made.cards)  # nobody saw it being laid
        knowledge.see_cards(made, state, range(made.cards))
    return sort(made, 1, NAMES, state=state)


def answer(game: Game, name: str, key: str) -> None:
    """One answer, as its key or as its label."""
    seat = NAMES.index(name)
    asked = game.view(seat).ask
    assert asked is not None, f"{name} is not asked"
    found = [option.key for option in asked.options if key in (option.key, option.label, option.key.partition(":")[2])]
    assert found, f"{name} may answer {asked.keys}, not {key}"
    game.answer(seat, found[:1], asked.number)


def played(script: str, *answers: tuple[str, str], **hands: str) -> Game:
    """The game after these answers."""
    game = begun(script, **hands)
    for name, key in answers:
        answer(game, name, key)
    return game


def asked(game: Game) -> list[str]:
    """Who is asked now, in the order in which they are."""
    return [NAMES[ask.seat] for ask in game.decision.asks] if game.decision is not None else []


def told(game: Game, name: str) -> list[tuple[str, Any]]:
    """What somebody heard of answers: who passed, who chose what."""
    return [
        (event.facts["player"], "passed" if event.kind == "passed" else event.facts.get("what"))
        for event in game.events(NAMES.index(name))
        if event.kind in ("passed", "chose")
    ]


def said(game: Game, name: str = "Ana") -> list[str]:
    """What was said in somebody's hearing."""
    return [event.facts["text"] for event in game.events(NAMES.index(name)) if event.kind == "said"]


def stream(script: str, seat: int, *answers: tuple[str, str], **hands: str) -> list[str]:
    """Everything that one seat is sent, each time that it changes.

    A pause in which this seat knows no more than that somebody thinks is left out: that a pause is there at all is
    all that it says, and that nothing was to be answered is a pause of no length.
    """
    game = begun(script, **hands)
    sent = [_sent(game, seat)]
    for name, key in answers:
        answer(game, name, key)
        sent.append(_sent(game, seat))
    heard = [one for one in sent if one is not None]
    return [one for at, one in enumerate(heard) if at == 0 or heard[at - 1] != one]


def _sent(game: Game, seat: int) -> str | None:
    view = game.view(seat).to_json()
    return None if view["view"]["waiting"] == "quiet" else json.dumps(view, indent=1)
