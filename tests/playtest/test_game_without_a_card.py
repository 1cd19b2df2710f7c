"""A game without a card is the same game with no copy of it, wherever it is played; a comparison says what it did."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from paths import DATA
from shipped import load_game

from rulebook import library
from rulebook.cli import main
from rulebook.dsl.settling.leaving_out import LEFT_OUT, ComesWith, NoSuchCard, cards_called
from rulebook.dsl.settling.options import settle_options
from rulebook.interpreter.lower import lower
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import play

pytestmark = pytest.mark.slow

CHARM = str(DATA / "series" / "planted" / "wallet" / "lucky_charm.yaml")
ODDS = str(DATA / "series" / "odds")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def compared(*words: str) -> dict[str, Any]:
    done = run("compare", *words, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_no_copy_is_left_and_all_others_are() -> None:
    rulebook = load_game(library.find_game("wallet"))
    ids = cards_called(rulebook, ["John Smith", "note_20", "pearls"])
    assert {"john_smith", "pearls"} < set(ids) and len(ids) == 6
    whole, less = lower(rulebook, 3), lower(rulebook, 3, {LEFT_OUT: ids})
    assert [id for id in whole.definition if id not in ids] == list(less.definition)
    assert whole.rules_hash != less.rules_hash and less.options[LEFT_OUT] == ids
    with pytest.raises(NoSuchCard, match="Did you mean `Pearls`"):
        cards_called(rulebook, ["perls"])


@pytest.mark.parametrize("folder", library.find_games(), ids=lambda folder: folder.name)
def test_every_card_of_every_game_is_left_out_or_refused_with_a_reason(folder: Path) -> None:
    rulebook = load_game(folder)
    options, players = settle_options(rulebook.options, {}, rulebook.units)[0], rulebook.players[0]
    here = set(lower(rulebook, players, options).definition)
    for id in rulebook.cards:
        try:
            gone = cards_called(rulebook, [id])
        except ComesWith as refused:
            owner = re.findall(r"leave out `(.+)`", str(refused))
            assert cards_called(rulebook, [*owner, id]) == tuple(owner)
        else:
            left = set(lower(rulebook, players, options | {LEFT_OUT: gone}).definition)
            assert gone == (id,) and id not in left
            # Nothing else goes, but for what comes with it.
            assert all(other.startswith(f"{id}.") for other in here - left - {id})


@pytest.mark.parametrize("command", ["simulate", "play", "compare"])
def test_what_comes_with_a_card_is_not_left_out_alone(command: str) -> None:
    refused = run(command, "exposed", "--players", "3", "--without", "nurse.tile")
    assert refused.exit_code == 2 and refused.stdout == ""
    assert "`nurse.tile` comes with `nurse`" in refused.stderr and "leave out `nurse`" in refused.stderr


def test_a_card_and_what_comes_with_it_are_one_however_they_are_called() -> None:
    rulebook = load_game(library.find_game("exposed"))
    assert cards_called(rulebook, ["Nurse"]) == cards_called(rulebook, ["nurse"]) == ("nurse",)
    assert not {"nurse", "nurse.tile"} & set(lower(rulebook, 3, {LEFT_OUT: ("nurse",)}).definition)
    words = ("simulate", "exposed", "--players", "3", "--games", "2", "--seed", "1", "--json", "--without")
    told = [json.loads(run(*words, name).stdout) for name in ("Nurse", "nurse")]
    assert told[0]["rules"] == told[1]["rules"] and told[0]["without"] == told[1]["without"] == ["Nurse"]


@pytest.mark.parametrize("tier", ["core", "machine"])
def test_all_tiers_play_without_it(tier: str) -> None:
    rulebook = load_game(library.find_game("wallet"))
    options: dict[str, Any] = {name: option.default for name, option in rulebook.options.items()}
    options[LEFT_OUT] = ("john_smith",)
    games = play(plan_of(rulebook, 3, 1, options, watched=True, tier=tier), 3).played()
    for one in games:
        assert one.counts and one.seen is not None and one.seen.cards and "john_smith" not in one.seen.cards


def test_what_a_card_does_for_those_who_have_it() -> None:
    found = compared("wallet", "--variant", CHARM, "--players", "3", "--games", "100", "--without", "lucky_charm")
    rows = {one["way"]: one for one in found["holders"]}
    assert found["base"]["without"] == [] and found["changed"]["without"] == ["Lucky Charm"]
    assert rows["played"]["with"] == 1 and rows["played"]["without"] < 0.6
    for way in ("dealt", "got", "played"):
        assert rows[way]["tells"] and rows[way]["difference"]["low"] > 0.2
        assert rows[way]["deals"] <= rows[way]["seats"] <= 300


def test_what_a_card_does_not_do() -> None:
    found = compared(ODDS, "--games", "400", "--without", "cap")
    [dealt] = [one for one in found["holders"] if one["way"] == "dealt"]
    # Hats change nothing, and the number is drawn from another stream: every deal ends as it did.
    assert dealt["difference"]["value"] == 0 and not dealt["tells"]
    assert found["changed_winners"]["games"] == 0


def test_the_commands_that_are_named_play_that_very_deal() -> None:
    words = ("wallet", "--players", "3", "--games", "30", "--without", "secret_agent")
    example = compared(*words)["changed_winners"]["examples"][0]
    text = run("compare", *words).stdout
    assert "Wallet as it is and without Secret Agent" in text and "who was dealt it wins" in text
    shown = re.findall(r"^ +rulebook (play .*)$", text, re.MULTILINE)
    assert "--without secret_agent" in shown[1] and "--without" not in shown[0]
    for command, seats in zip(shown, (example["base"], example["changed"]), strict=True):
        done = run(*command.split(), "--json")
        assert json.loads(done.stdout)["winners"] == [f"Bot {seat}" for seat in seats]


def test_a_save_goes_on_without_it(tmp_path: Path) -> None:
    out = tmp_path / "games.sqlite"
    words = ("simulate", "wallet", "--players", "2", "--games", "5", "--seed", "1", "--without", "john_smith")
    first = run(*words, "--out", str(out), "--json")
    assert first.exit_code == 0, first.output
    assert json.loads(first.stdout)["without"] == ["John Smith"]
    told = run("replay", str(out), "--game", "2")
    assert told.exit_code == 0 and "John Smith" not in told.stdout
    assert run("replay", str(next((tmp_path / "games.games").iterdir()))).exit_code == 0


def test_a_card_that_is_not_there() -> None:
    refused = run("simulate", "wallet", "--without", "credit_crad")
    assert refused.exit_code == 2 and "Did you mean `credit_card`?" in refused.stderr
