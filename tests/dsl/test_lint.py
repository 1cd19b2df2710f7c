"""What is right in every word and says nothing: each mistake is found where it is, and near misses are let be.

Nearly all of it is data: `data/lint/*.yaml` hold turns of the fair game and whole games, the place of each mistake
between marks, and a piece of its message. What has no `gives` is good, and gives nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from paths import DATA

from rulebook.diagnostics.registry import Example, unmarked
from rulebook.diagnostics.render import render_text
from rulebook.examples import find_messages, of_its_own
from rulebook.library import find_games
from rulebook.loading import load

FILES = DATA / "lint"


def cases() -> list[Any]:
    found = []
    for file in sorted(FILES.glob("*.yaml")):
        for title, case in yaml.safe_load(file.read_text("utf-8")).items():
            (kind,) = set(case) - {"gives"}
            gives = case.get("gives", [])
            listed = gives if isinstance(gives, list) else [gives]
            found.append(pytest.param(kind, case[kind], listed, id=f"{file.stem}: {title}"))
    return found


@pytest.mark.parametrize(("kind", "text", "gives"), cases())
def test_snippet(kind: Any, text: str, gives: list[str]) -> None:
    example = Example(kind, *unmarked(text))
    found = find_messages(example)
    report = "\n" + render_text(found)
    places = [(one.code, one.span.start, one.span.end) if one.span else (one.code, -1, -1) for one in found]
    wanted = [(code.split()[0], *place) for code, place in zip(gives, example.places, strict=True)]
    assert places == wanted, report
    for one, message in zip(gives, found, strict=True):
        assert one.partition(" ")[2] in f"{message.message} {message.help}", report


@pytest.mark.slow
@pytest.mark.parametrize("game", find_games(), ids=lambda game: game.name)
def test_no_bundled_game_says_anything_for_nothing(game: Path) -> None:
    found = load(game, meant=True).messages
    assert found == [], "\n" + render_text(found)


CHAINS = """
format: 1
name: Chains
players: 2..3
memory: {table: {stones: 0, trees: 0, birds: 0}, player: {score: 0}}
options: {deep: {type: yes_no, default: no}}
values:
  wealth(p): depth() + p.score
  depth(): stones if options.deep else 1
rules:
  game: |
    set trees = 3
    set birds = trees
    win nobody
  feast: do dance
  dance: |
    each p in players:
      add 1 to p.score
"""


def test_what_only_the_unused_uses_is_said_with_it() -> None:
    _, found = of_its_own(CHAINS, meant=True)
    assert {one.span and one.span.text: [label.span.text for label in one.labels] for one in found} == {
        "wealth": ["score", "depth", "deep", "stones"],
        "birds": ["trees"],
        "feast": ["dance"],
    }


def test_who_plays_is_not_told_what_an_author_should_know(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(
        "format: 1\nname: Idle\nplayers: 2..2\noptions: {x: {type: yes_no, default: no}}\nrules: {game: win nobody}\n"
    )
    assert load(tmp_path).messages == []
    assert [one.code for one in load(tmp_path, meant=True).messages] == ["RB507"]


PLANTED = yaml.safe_load((DATA / "planted_texts.yaml").read_text("utf-8"))


def said_otherwise(card: dict[str, str]) -> list[str]:
    """What is said about the text of a card with this script, in a game around it."""
    effect = card["effect"].replace("\n", "\n        ")
    rulebook = f"""
format: 1
name: Planted
players: 2..4
options: {{limit: {{type: 2..4, default: 3}}}}
kinds: {{note: , trick: {{does: {{effect(me): }}}}}}
places:
  table:
    deck:     {{holds: note, kept: pile, seen_by: nobody, refill: discards}}
    discards: {{holds: note, kept: pile, seen_by: everyone}}
  player: {{hand: {{holds: note, kept: loose, seen_by: owner}}}}
memory: {{player: {{gold: 0}}}}
cards:
  paper: {{kind: note, copies: 40}}
  planted:
    kind: trick
    text: "{card["text"]}"
    effect: |
        {effect}
rules:
  game: |
    move cards where it is note to deck
    each p in players:
      do first(box where it is trick).effect(p)
"""
    made, found = of_its_own(rulebook, meant=True)
    assert made is not None, render_text(found)
    return [one.message for one in found if one.code == "RB801"]


@pytest.mark.parametrize("card", PLANTED["disagree"], ids=lambda card: f"{card['text']} {card['effect']}")
def test_a_text_against_its_script(card: dict[str, str]) -> None:
    found = said_otherwise(card)
    assert ["said" in card] * len(found) == [True] * ("said" in card)
    assert all(f"`{card['said']}`" in one for one in found)


@pytest.mark.parametrize("card", PLANTED["agree"], ids=lambda card: f"{card['text']} {card['effect']}")
def test_a_text_like_its_script(card: dict[str, str]) -> None:
    assert said_otherwise(card) == []
