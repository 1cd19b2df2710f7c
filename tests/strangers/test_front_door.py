"""The front door for programs, as its page tells it: games are opened, read, played, and nothing else is raised."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from paths import ROOT

import rulebook
from rulebook import library
from rulebook.cli import main

GAMES = [folder.name for folder in library.find_games()]


def test_every_public_name_is_on_the_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    for name in rulebook.__all__:
        assert name == "__version__" or f"`{name}" in page or f"rulebook.{name}(" in page, name
        assert getattr(rulebook, name) is not None


def test_every_method_on_the_page_is_there_and_no_other() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    made = rulebook.open("tic_tac_toe")
    there = {"## A game": made, "## A play": made.start(), "## A question": made.start().ask()}
    for heading, one in there.items():
        part = page.partition(heading)[2].partition("\n## ")[0]
        told = {
            name
            for line in part.splitlines()
            if line[:3] == "| `"
            for name in re.findall(r"`(\w+)", line.split("|")[1])
        }
        public = {name for name in dir(type(one)) if not name.startswith("_")}
        assert public - {"lower", "to_dict", "to_json", "keys"} <= told, public - told
        assert all(hasattr(one, name) for name in told)


@pytest.mark.slow
def test_what_the_page_prints_runs() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) >= 2
    for example in examples:
        done = subprocess.run(
            [sys.executable, "-c", example], capture_output=True, text=True, check=False, cwd=ROOT, env=_environment()
        )
        assert done.returncode == 0 and done.stdout, done.stderr


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_through_the_door(name: str) -> None:
    game = rulebook.open(name)
    random = Random(3)
    play = game.start(game.players[0], seed=5)
    for _ in range(400):
        if play.over:
            break
        for seat in play.seats:
            legal = set(islice(play.legal(seat), 50))
            assert legal and all(set(answer) <= {*play.ask(seat).keys, "pass"} for answer in legal)
        play.step(play.sample(random))
    if play.over:
        assert play.seat is None and len(play.payoffs) == len(play.names)
        with pytest.raises(rulebook.Refused):
            play.step("pass")


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_all_there_with_their_words(name: str) -> None:
    game = rulebook.open(name)
    for players in {game.players[0], game.players[-1]}:
        cards = game.cards(players)
        assert sum(card.copies for card in cards) == game.lower(players).cards
        for card in cards:
            assert card.name and set(card.attributes) == set(card.shown)
            assert json.loads(json.dumps(card.to_dict())) == card.to_dict() | {
                "attributes": json.loads(json.dumps(dict(card.attributes)))
            }
        told = [(card.id, tuple(card.shown.items())) for card in cards]
        assert len(told) == len(set(told))


def test_a_clone_goes_on_alone_and_what_is_saved_comes_again(tmp_path: Path) -> None:
    play = rulebook.open("wallet").start(["Ana", "Ben"], seed=1)
    for _ in range(6):
        play.step(play.advise("greedy"))
    other, before = play.clone(), play.view(0)
    other.step(other.sample(Random(1)))
    assert play.view(0) == before != other.view(0)
    other.undo()
    assert other.view(0) == before
    other.undo(3)
    play.save(tmp_path / "kept.jsonl")
    other.save(tmp_path / "less.jsonl")
    told = [CliRunner().invoke(main, ["replay", str(tmp_path / name)]) for name in ("kept.jsonl", "less.jsonl")]
    assert all(one.exit_code == 0 for one in told), told[0].output
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 7
    assert len((tmp_path / "less.jsonl").read_text().splitlines()) == 4


def test_all_that_is_wrong_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text("format: 1\nname: Broken\nplayers: 2..2\nrules: {game: win nobdy}\n")
    with pytest.raises(rulebook.CannotOpen) as broken:
        rulebook.open(tmp_path)
    assert [one.code for one in broken.value.diagnostics] and "nobdy" in str(broken.value)
    for words in (
        ("no_such_game",),
        ("wallet", ["no_such"]),
        ("wallet", [], {"rounds": "many"}),
        ("wallet", [], {"x": 1}),
    ):
        with pytest.raises(rulebook.CannotOpen):
            rulebook.open(*words)
    game = rulebook.open("kuhn_poker")
    with pytest.raises(rulebook.BadSetup):
        game.start(7)
    play = game.start(seed=2)
    with pytest.raises(rulebook.Refused):
        play.step("no such key")
    with pytest.raises(rulebook.Refused):
        play.undo()
    with pytest.raises(rulebook.BadSpec):
        play.advise("nobody")


ANY: Any = rulebook
"""The package as a program sees it that no checker of types reads."""


def _start(**given: Any) -> Any:
    return rulebook.open("wallet").start(**{"players": 2, **given})


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "a name": (lambda: ANY.open(5), "`name` is a name or a path, and not 5."),
    "a variant alone": (
        lambda: ANY.open("wallet", variants="hard_cash"),
        "`variants` is a list, ['hard_cash'], and not 'hard_cash'.",
    ),
    "house rules": (lambda: ANY.open("wallet", options="rounds=2"), "`options` has values by names"),
    "a person alone": (lambda: _start(players="Ana"), "`players` is a list, ['Ana'], and not 'Ana'."),
    "persons": (lambda: _start(players=["Ana", 2]), "`players` is a list of texts, and 2 is none."),
    "a seed below": (lambda: _start(seed=-1), "`seed` is a whole number from 0 to"),
    "a seed in words": (lambda: _start(seed="x"), "`seed` is a whole number from 0 to"),
    "a seed that is true": (lambda: _start(seed=True), "`seed` is a whole number from 0 to"),
    "chance": (lambda: _start(chance="foo"), "`chance` is 'sample' or 'ask', and not 'foo'."),
    "chance in a list": (lambda: _start(chance=[]), "`chance` is 'sample' or 'ask', and not []."),
    "no games": (lambda: ANY.open("wallet").simulate(2, games=0), "`games` is a whole number, 1 or more, and"),
    "players": (lambda: ANY.open("wallet").simulate([2]), "`players` is a whole number, 1 or more, and not [2]."),
    "half a player": (lambda: ANY.open("wallet").cards(2.5), "`players` is a whole number, 0 or more, and"),
    "bots": (lambda: ANY.open("wallet").simulate(2, bots=5), "`bots` is a text or a list of texts, and not 5."),
    "no answer": (lambda: _start().step(None), "`answer` is a text or a list of texts, and not None."),
    "a number": (lambda: _start().step(5), "`answer` is a text or a list of texts, and not 5."),
    "numbers": (lambda: _start().step([5]), "`answer` is a list of texts, and 5 is none."),
    "a seat that is not there": (lambda: _start().view(7), "`seat` is a whole number from 0 to 1, and not 7."),
    "a seat by its name": (lambda: _start().ask("Ana"), "`seat` is a whole number from 0 to 1, and not 'Ana'."),
    "what it knows": (lambda: _start().information(-1), "`seat` is a whole number from 0 to 1, and not -1."),
    "a list of bots": (lambda: _start().advise(["random"]), "`bot` is a text, and not ['random']."),
    "nothing to take back": (lambda: _start().undo(0), "`answers` is a whole number, 1 or more, and not 0."),
    "a source": (lambda: _start().sample(5), "`random` is a `random.Random`, and not 5."),
    "a file": (lambda: _start().save(5), "`path` is a name or a path, and not 5."),
    "a file to read": (lambda: ANY.resume(5), "`path` is a name or a path, and not 5."),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_told_by_its_name(case: str) -> None:
    do, said = BAD[case]
    with pytest.raises(rulebook.BadArgument) as refused:
        do()
    assert str(refused.value).startswith(said)


class Number:
    """A whole number of another library."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_numbers_of_others_are_numbers() -> None:
    play = _start(seed=Number(3), players=Number(2))
    assert play.view(Number(1))["view"]["you"] == "Player 2"


def test_a_play_says_where_it_stands() -> None:
    play = rulebook.open("kuhn_poker").start(seed=1)
    assert repr(play) == "<rulebook.Play kuhn_poker: seat 0 is asked, 0 answers>"
    play.step(play.sample(Random(1)))
    assert repr(play) == "<rulebook.Play kuhn_poker: seat 1 is asked, 1 answer>"
    with pytest.raises(rulebook.Refused, match="There is 1 answer to take back, and not 3"):
        play.undo(3)
    while not play.over:
        play.step(play.sample(Random(1)))
    assert repr(play).startswith("<rulebook.Play kuhn_poker: over, ")
    dealt = rulebook.open("kuhn_poker").start(chance="ask")
    assert repr(dealt) == "<rulebook.Play kuhn_poker: chance is asked, 0 answers>"


def test_a_view_is_called_as_in_the_protocol() -> None:
    assert {*_start().view(0)} == {"view", "events", "ask"}


def test_a_play_that_was_saved_goes_on(tmp_path: Path) -> None:
    play = rulebook.open("wallet", ["hard_cash"], {"rounds": 2}).start(["Ana", "Ben"], seed=4)
    for _ in range(5):
        play.step(play.sample(Random(2)))
    play.save(tmp_path / "kept.jsonl")
    again = rulebook.resume(str(tmp_path / "kept.jsonl"))
    assert (again.names, again.seats, repr(again)) == (play.names, play.seats, repr(play))
    assert [again.information(seat) for seat in (0, 1)] == [play.information(seat) for seat in (0, 1)]
    while not play.over:
        play.step(answer := play.sample(Random(3)))
        again.step(answer)
    assert again.payoffs == play.payoffs
    again.undo(3).save(tmp_path / "kept.jsonl")
    assert rulebook.resume(tmp_path / "kept.jsonl").names == ("Ana", "Ben")


def test_a_save_that_cannot_go_on_is_refused(tmp_path: Path) -> None:
    play, file = _start(), tmp_path / "kept.jsonl"
    for _ in range(3):
        play.step(play.sample(Random(2)))
    play.save(file)
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join([lines[0], lines[2]]), "utf-8")
    with pytest.warns(UserWarning, match="line 2"):
        assert "0 answers" in repr(rulebook.resume(file))
    file.write_text("".join(lines)[:-5], "utf-8")
    with pytest.warns(UserWarning):
        assert "2 answers" in repr(rulebook.resume(file))
    header = json.loads(lines[0])
    rules = {**header["rules"], "rulebook.yaml": header["rules"]["rulebook.yaml"].replace("players: ", "plyrs: ")}
    for first in ({**header, "rules": rules}, {**header, "rules": {}}, {**header, "rules_hash": "0" * 64}, {}):
        file.write_text(json.dumps(first) + "\n", "utf-8")
        with pytest.raises(rulebook.CannotOpen, match=re.escape(str(file))) as refused:
            rulebook.resume(file)
        assert bool(refused.value.diagnostics) == (first.get("rules") is rules)
    with pytest.raises(FileNotFoundError):
        rulebook.resume(tmp_path / "none.jsonl")


def test_who_cannot_save_is_told_of_the_file_that_was_named(tmp_path: Path) -> None:
    for there in (tmp_path / "nowhere" / "kept.jsonl", tmp_path):
        with pytest.raises(OSError) as failed:
            _start().save(there)
        assert failed.value.filename == str(there) and ".new" not in str(failed.value)
    assert [*tmp_path.iterdir()] == []


def test_commands_tell_the_same_as_the_door() -> None:
    listed = json.loads(CliRunner().invoke(main, ["list", "--json"]).stdout)
    assert [one["id"] for one in listed] == GAMES
    shown = json.loads(CliRunner().invoke(main, ["show", "wallet", "--json", "--set", "rounds=2"]).stdout)
    game = rulebook.open("wallet", options={"rounds": 2})
    assert shown["options"]["rounds"] == 2
    assert [card["id"] for card in shown["cards"]] == [card.id for card in game.cards()]


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulebook", "--version"], capture_output=True, text=True, check=False, env=_environment()
    )
    assert done.returncode == 0 and rulebook.__version__ in done.stdout
