"""`display` at a table and in its log: words for both answers, what is hidden, and equal things counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulebook.cli import main
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.loading import load
from rulebook.web.projection import make_page

GAME = """
format: 1
name: Weather
players: 2..2
kinds:
  cube: {state: {owner: player, laid: 0, wet: no}}
  land: {places: {pile: {holds: cube, kept: row, seen_by: everyone}}}
places: {table: {map: {holds: land, kept: row, seen_by: everyone}}}
memory: {player: {cleared: yes}, table: {fine: yes, night: no, n: 0}}
cards: {c: {kind: cube, copies: 4}, north: {kind: land}}
rules:
  game: |
    move north to map
    move cards where it is cube to north.pile
    each p in players:
      each x in first(north.pile where owner is nothing, 2):
        set x.owner = p
        add 1 to n
        set x.laid = n
        set x.wet = yes
    each p in first(players, 1):
      set p.cleared = no
    set fine = no
    set night = yes
    each p in players:
      p may "go":
        if fine and night and any(wet of north.pile) and p.cleared:
          win p
display:
  titles: {cleared: innocent / guilty, fine: fair weather / foul weather, night: night / day, wet: soaked / dry}
  hidden: [laid, n]
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "rulebook.yaml").write_text(GAME, "utf-8")
    played = CliRunner().invoke(main, ["play", str(tmp_path), "--seats", "Ana,Ben", "--seed", "1"], input="")
    assert "What do you do?" in played.output, played.output
    return played.output


def test_both_answers_have_words_wherever_they_are_told(page: str) -> None:
    assert "are guilty" in page or "is guilty" in page
    assert "Foul weather · night." in page
    assert "fine" not in page and "weather: no" not in page and "fair weather" not in page
    assert ": soaked" in page and "soaked: yes" not in page


def test_what_is_hidden_is_hidden_in_the_log_too(page: str) -> None:
    assert "laid" not in page and "n: " not in page.replace("Pan: ", "")


def test_equal_things_on_a_card_are_counted(page: str) -> None:
    assert "C ×4 (owner Ana ×2, Ben ×2, soaked)" in page


@pytest.mark.parametrize(
    "script",
    [
        "players with most score if fine else players",
        "players where score > 1 if fine else players with least score",
        "players sorted by least score if fine else players",
        "score of players if fine else [1]",
    ],
)
def test_a_condition_binds_more_loosely_than_what_chooses_from_a_list(tmp_path: Path, script: str) -> None:
    bracketed = f"({script.split(' if ')[0]}) if fine else ({script.split(' else ')[1]})"
    head = "format: 1\nname: P\nplayers: 2..4\nmemory: {player: {score: 0}, table: {fine: yes}}\nvalues:\n  a(): "
    rest = "\nrules:\n  game: |\n    set fine = no\n    say \"{count(a())}\"\n    win nobody\n"
    trees = []
    for text in (script, bracketed):
        (tmp_path / "rulebook.yaml").write_text(head + text + rest, "utf-8")
        typed = CliRunner().invoke(main, ["dis", str(tmp_path), "a"])
        assert typed.exit_code == 0, typed.output
        trees.append([line for line in typed.output.splitlines()[1:] if "# line" not in line and script not in line])
    assert trees[0] == trees[1] and len(trees[0]) > 5


DICE = """
format: 1
name: Dice
players: 2..2
words: {mood_word: [calm, wild]}
kinds:
  cube:
    state:
      face: {type: 1..6, default: 1}
      mood: {type: mood_word, default: calm}
      lucky: no
      luck: 0
      laid: {type: 1..9, default: 1}
places:
  table:
    board: {holds: cube, kept: grid, size: [2, 2], seen_by: everyone}
    line: {holds: cube, kept: row, seen_by: everyone}
    heap: {holds: cube, kept: loose, seen_by: everyone}
  player: {cup: {holds: cube, kept: loose, seen_by: owner}}
memory: {table: {n: 7}}
cards: {c: {kind: cube, copies: 6}}
rules:
  game: |
    each spot in first(cells(board), 1):
      move first(box) to spot
    move first(box) to line
    move first(box) to heap
    each p in players:
      move first(box) to p.cup
    each x in cards where it is cube:
      set x.laid = 9
    each p in players:
      p may "go":
        roll p.cup
        if any(line where face > 1 or mood is wild or lucky or luck > 1 or laid < n):
          win p
display: {hidden: [laid, n], titles: {lucky: happy / sad}}
"""


@pytest.fixture
def dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "rulebook.yaml").write_text(DICE, "utf-8")
    return tmp_path


def test_a_die_shows_its_face_at_its_start_and_what_is_hidden_stays_hidden(dice: Path) -> None:
    played = CliRunner().invoke(main, ["play", str(dice), "--seats", "Ana,Ben", "--seed", "1"], input="")
    shown = played.output
    assert "What do you do?" in shown, shown
    assert shown.count("C (face 1, mood Calm)") == 4, shown  # in a row, loose, in both cups
    assert "board (F: face)" in shown and "C F1" in shown, shown
    assert "mood Calm" in shown.partition("board")[2], shown
    assert "luck" not in shown and "sad" not in shown, shown
    assert "laid" not in shown and "L9" not in shown and "n: 7" not in shown, shown


def test_the_page_of_a_table_by_link_shows_faces_and_hides_what_is_hidden(dice: Path) -> None:
    rulebook = load(dice).game
    assert rulebook is not None
    program = lower(rulebook.rulebook, 2, {})
    page = make_page(program, {}, Game(program, 1, ("Ana", "Ben")).view(0).facts)
    text = json.dumps(page)
    assert text.count('"changed": "face 1, mood Calm"') == 5, text
    assert "laid" not in text and '"n"' not in text and "luck" not in text and "sad" not in text, text
