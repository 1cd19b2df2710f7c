"""Leaks sought by twin games: what turns of a small game give away is told at the sentence, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import planted
import pytest
import yaml
from click.testing import CliRunner
from paths import DATA, ROOT
from shipped import load_game

from rulebook.cli import main
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.settling.options import settle_options
from rulebook.examples import of_its_own
from rulebook.interpreter.events import Event
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.library import find_game, find_games
from rulebook.loading import load
from rulebook.playtest.failures import find_failures
from rulebook.playtest.leaking.listening import Ear
from rulebook.playtest.leaking.messages import Searched, search_leaks
from rulebook.playtest.leaking.twins import find_leaks
from rulebook.playtest.settings import NAMES

FILE = yaml.safe_load((DATA / "leaks" / "turns.yaml").read_text("utf-8"))
TURNS = {turn["about"]: turn["script"] for turn in FILE["turns"]}
GAMES, SEED = 20, 0


def write_game(folder: Path, script: str) -> Path:
    lines = "\n".join(f"    {line}" for line in script.rstrip().split("\n"))
    folder.mkdir(exist_ok=True)
    (folder / "rulebook.yaml").write_text(FILE["base"].replace("    …", lines), "utf-8")
    return folder


def read_game(folder: Path) -> Rulebook:
    loaded = load(folder)
    assert loaded.rulebook is not None, [message.message for message in loaded.messages]
    return loaded.rulebook


def list_lines(rulebook: Rulebook, games: int = GAMES, most: int = 400) -> set[int]:
    """The lines of leaks; those of every turn come out within 300 answers."""
    return {message.span.line for message in search(rulebook, games, most).messages if message.span is not None}


def search(rulebook: Rulebook, games: int, most: int) -> Searched:
    options, _ = settle_options(rulebook.options, {}, rulebook.units)
    return search_leaks(rulebook, None, options, games, most, SEED)


RECIPES = (ROOT / "docs" / "recipes.md").read_text("utf-8")
ANSWERS = dict(re.findall(r"(?ms)^## ([^\n]+)$.*?^```yaml game$(.*?)^```$", RECIPES))


@pytest.mark.slow
@pytest.mark.parametrize("title", ANSWERS)
def test_no_whole_answer_of_the_docs_gives_a_secret_away(title: str) -> None:
    """Seats that have nothing to choose are come by, also a whole round of them: that tells nothing."""
    rulebook, messages = of_its_own(ANSWERS[title])
    assert rulebook is not None, messages
    assert list_lines(rulebook) == set()


def test_a_game_that_hides_nothing_is_soon_left() -> None:
    found = search(load_game(find_game("tic_tac_toe")), 200, 400)
    assert (found.games, found.compared, found.messages) == (10, 0, ())


@pytest.mark.slow
@pytest.mark.parametrize("about", TURNS)
def test_what_a_turn_gives_away_is_told_where_it_does(about: str, tmp_path: Path) -> None:
    script = TURNS[about]
    rulebook = read_game(write_game(tmp_path / "game", script.replace("«", "").replace("»", "")))
    first = FILE["base"].split("\n").index("    …") + 1
    marked = {first + number for number, line in enumerate(script.split("\n")) if "«" in line}
    assert list_lines(rulebook) == marked


ASKED_AGAIN = "Who is asked again in secret is known to nobody else."
TAKEN = "How many cards somebody takes of their own will is seen by all."
FAULTS: dict[planted.Plant, str] = {
    planted.hidden_card_in_a_place: TAKEN,
    planted.hidden_memory: "A memory of who chose it shows it to nobody else.",
    planted.log_line: TAKEN,
    planted.spoken_log_line: "What somebody says of their own will is heard by all.",
    planted.card_in_a_prompt: TAKEN,
    planted.error_text: TAKEN,
    planted.answer_told_at_once: "An answer that all hear once everybody has answered is no secret any more.",
    planted.secret_answer_told: "A memory of who chose it shows it to nobody else.",
    planted.decider_of_a_quiet_choice: ASKED_AGAIN,
    planted.decider_in_a_refusal: ASKED_AGAIN,
    planted.quietly_asked_in_a_refusal: ASKED_AGAIN,
}
"""Faults of the engine, each with a turn that gives nothing away as long as the engine is whole."""


@pytest.mark.slow
@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_a_fault_of_the_engine_is_told(plant: planted.Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "«" not in TURNS[FAULTS[plant]]
    program = lower(read_game(write_game(tmp_path / "game", TURNS[FAULTS[plant]])), 3)
    plant(monkeypatch)
    assert find_leaks([program], NAMES, GAMES, SEED, 600).leaks


def program_of_moles(folder: Path) -> Program:
    """A game whose teams are a hidden role; what each has won says who is ahead of whom in it."""
    text = (DATA / "teams" / "moles.yaml").read_text("utf-8")
    text = text.replace("result: {team: role is mole}", "result: {team: role is mole, rank: most count(won)}")
    (folder / "rulebook.yaml").write_text(text, "utf-8")
    return lower(read_game(folder), 3)


def test_nobody_is_told_of_a_hidden_team_before_the_end(tmp_path: Path) -> None:
    assert not find_leaks([program_of_moles(tmp_path)], NAMES, GAMES, SEED, 600).leaks


@pytest.mark.parametrize(
    "plant",
    [
        planted.teams_in_a_view,
        planted.teams_in_a_log_line,
        planted.team_of_an_option,
        planted.standings_in_a_prompt,
    ],
    ids=lambda plant: plant.__name__,
)
def test_a_hidden_team_that_comes_out_is_told(
    plant: planted.Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_of_moles(tmp_path)
    plant(monkeypatch)
    assert find_leaks([program], NAMES, 6, SEED, 200).leaks


@pytest.mark.slow
@pytest.mark.parametrize("folder", find_games(), ids=lambda folder: folder.name)
def test_a_bundled_game_gives_nothing_away(folder: Path) -> None:
    assert list_lines(load_game(folder), games=2, most=200) == set()


SNATCHING = """
variant: snatching
name: Snatching
about: Few cards but officers and badges, and many that take a card of somebody at random.
extends: wallet
instead of:
  values.in_deck: original and (c is police_officer or c is police_badge or c is cufflinks or c is note_20)
add:
  cards.snatch_a_card.copies: 40
"""


def test_what_chance_took_is_known_once_it_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose hand is opened first hangs on who has the card, and by then all see who has it."""
    monkeypatch.chdir(tmp_path)
    Path("snatching.yaml").write_text(SNATCHING, "utf-8")
    words = "leaks wallet --variant ./snatching.yaml --players 3 --games 1 --seed 71 --set rounds=1 --set hand_size=3"
    done = CliRunner().invoke(main, words.split())
    assert done.exit_code == 0 and "no leak" in done.output, done.output


@pytest.mark.slow
def test_the_command_shows_a_leak_with_a_save(tmp_path: Path) -> None:
    script = next(iter(TURNS.values())).replace("«", "").replace("»", "")
    folder = write_game(tmp_path / "game", script)
    result = CliRunner().invoke(main, ["leaks", str(folder)])
    assert result.exit_code == 1 and "RB606" in result.output and "1 leak." in result.output
    (save,) = (folder / "failures").iterdir()
    assert CliRunner().invoke(main, ["replay", str(save)]).exit_code == 0


@pytest.mark.slow
def test_a_save_of_a_bundled_game_is_written_below_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = next(iter(TURNS.values())).replace("«", "").replace("»", "")
    folder = write_game(tmp_path / "game", script)
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.setattr("rulebook.playtest.failures.find_games", lambda: [folder])
    result = CliRunner().invoke(main, ["leaks", str(folder)])
    (save,) = Path("failures/game").iterdir()
    assert result.exit_code == 1 and f"replay {save}" in " ".join(result.output.split())
    assert not (folder / "failures").exists()
    monkeypatch.chdir(folder)
    assert find_failures(Path()).resolve() == folder / "failures"


def test_a_game_without_a_leak_ends_with_0(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["leaks", str(write_game(tmp_path / "game", "me chooses wish from 0..1"))])
    assert result.exit_code == 0 and "no leak." in result.output


def test_a_game_in_which_nothing_is_hidden_is_not_said_to_keep_secrets() -> None:
    result = CliRunner().invoke(main, ["leaks", "tic_tac_toe"])
    assert result.exit_code == 0 and "nothing was hidden" in result.output and "no leak" not in result.output


def test_a_leak_of_which_the_check_tells_already_is_not_told_twice(tmp_path: Path) -> None:
    script = "me secretly chooses wish from 0..1\nif wish is 1:\n  add 1 to me.points"
    folder = write_game(tmp_path / "game", script)
    result = CliRunner().invoke(main, ["validate", "--play", "3", str(folder)])
    assert "RB605" in result.output and "RB606" not in result.output


ENDLESS = """
format: 1
name: Echo
players: 2..2
memory: {table: {rounds: 0}, player: {plan: {type: 1..2, default: 1, seen_by: owner}}}
rules:
  game: |
    each me in players:
      me secretly chooses n from 1..2 "Which?"
      set me.plan = n
    if any(players where plan is 2):
      loop:
        add 1 to rounds
        say "Round {rounds}."
    win nobody
"""


def test_rules_that_go_round_in_a_twin_are_left_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = 0
    add = Ear.append

    def count(ear: Ear, event: Event) -> None:
        nonlocal heard
        heard += 1
        add(ear, event)

    monkeypatch.setattr(Ear, "append", count)
    rulebook, messages = of_its_own(ENDLESS)
    assert rulebook is not None, messages
    find_leaks([lower(rulebook, 2)], ("Ann", "Ben"), 5)
    assert 5_000 < heard < 200_000
