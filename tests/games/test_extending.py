"""A new card or action is one more file of YAML: it is loaded, tested, played and shown like all others."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen
from click.testing import CliRunner, Result

from rulebook import library
from rulebook.cli import main
from rulebook.interpreter import invariants
from rulebook.interpreter.game import Game
from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import KNOWN
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.loading import load
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run

PLAYERS = 3
GAMES = range(40)


@frozen
class Extension:
    """Something new: its id and name, the file it stands in, scenarios, and what it does in a game, as events say."""

    id: str
    name: str
    rules: str
    scenarios: str
    traces: tuple[str, ...]


IDENTITY = Extension(
    "envoy",
    "Envoy",
    """
cards:
  envoy:
    kind: id
    name: Envoy
    text: Innocent with three currencies at least, whatever he carries.
    copies: {corner: {2: 1}}
    innocent:
      exactly one ID: count(ids(me)) is 1
      three currencies at least: count(currencies(me)) >= 3
""",
    """
scenarios:
  Three currencies are enough:
    about: And the limit is none for a envoy
    given: {players: [Ana, Ben], Ana.hand: [envoy, note_500.dollar, note_500.euro, note_20.yen], Ana.coin: coin_1}
    expect:
      - verdict(Ana)
      - money(Ana) > options.limit
  Two currencies are too few:
    about: Any number of notes of two currencies
    given: {players: [Ana, Ben], Ana.hand: [envoy, note_20.dollar, note_50.dollar, note_20.euro]}
    do: judge(Ana)
    expect:
      - Ana.cleared is no
      - Ben sees envoy in Ana.hand
""",
    ('"kind": "revealed"', '"envoy"'),
)

SPECIAL = Extension(
    "second_hand",
    "Second Hand",
    """
cards:
  second_hand:
    kind: special
    name: Second Hand
    timing: before_turn
    text: Give a card away, and perhaps take another in return. Or draw one from the wallet.
    playable: me.hand is not empty or wallet is not empty
    effect: |
      choose one:
        "Give a card away" if me.hand is not empty:
          choose gift from me.hand
          choose friend from others
          move gift to friend.hand
          friend may choose thanks from friend.hand where it is not gift:
            may "Accept {friend}'s present":
              move thanks to me.hand
        "Draw from the wallet" if wallet is not empty:
          draw 1 from wallet to me.hand
""",
    """
scenarios:
  A gift and its thanks:
    about: Three choices of two players within one choice
    given:
      players: [Ana, Ben, Cleo]
      Ana.specials: [second_hand]
      Ana.hand: [tiara, brooch]
      Ben.hand: [pearls, pendant]
      wallet: [note_20.dollar]
    do: play(Ana, second_hand)
    answers: [{Ana: Give a card away}, {Ana: tiara}, {Ana: Ben}, {Ben: pearls}, {Ana: Accept Ben's present}]
    expect:
      - Ana.hand is [brooch, pearls]
      - Ben.hand is [pendant, tiara]
      - Ben sees pearls in Ana.hand
      - discards is [second_hand]
  A gift and no thanks:
    about: Who was given something may keep it all
    given: {players: [Ana, Ben], Ana.specials: [second_hand], Ana.hand: [tiara, brooch], Ben.hand: [pearls]}
    do: play(Ana, second_hand)
    answers: [{Ana: tiara}, {Ben: pass}]
    expect:
      - Ana.hand is [brooch]
      - Ben.hand is [pearls, tiara]
""",
    ('"kind": "moved"', '"second_hand"', '"to": "discards"'),
)

ACTION = Extension(
    "search",
    "Search the discards",
    """
actions:
  search:
    name: Search the discards
    text: Take one of the specials that were played.
    possible: discards is not empty
    effect: |
      choose found from discards
      move found to me.specials
""",
    """
scenarios:
  A special comes back:
    about: Any of the discards may be taken, not only the top one
    given: {players: [Ana, Ben], Ana.hand: [tiara], discards: [atm, emergency], hourglasses: 3}
    do: turn(Ana)
    answers: [{Ana: search}, {Ana: emergency}]
    expect:
      - Ana.specials is [emergency]
      - discards is [atm]
  Nothing to search:
    about: Without discards it is not offered
    given: {players: [Ana, Ben], Ana.hand: [tiara], hourglasses: 3}
    do: turn(Ana)
    expect: [Ana may not choose search]
""",
    ('"kind": "moved"', '"from": "discards"', '.specials"'),
)

EXTENSIONS = [IDENTITY, SPECIAL, ACTION]


@pytest.fixture(params=EXTENSIONS, ids=lambda one: one.id)
def extension(request: pytest.FixtureRequest) -> Extension:
    one: Extension = request.param
    return one


@pytest.fixture
def folder(extension: Extension, tmp_path: Path) -> Path:
    return copy_with(tmp_path, extension)


def copy_with(parent: Path, *extensions: Extension) -> Path:
    """A copy of the game with the new things: for each one more file of rules and one of scenarios, nothing else."""
    copy = parent / "wallet"
    shutil.copytree(library.find_game("wallet"), copy)
    for one in extensions:
        (copy / f"{one.id}.yaml").write_text(one.rules, "utf-8")
        (copy / "scenarios" / f"{one.id}.yaml").write_text(one.scenarios, "utf-8")
    return copy


def program_at(folder: Path) -> Program:
    loaded = load(folder)
    rulebook, found = loaded.rulebook, loaded.messages
    assert found == []
    assert rulebook is not None
    return lower(rulebook, PLAYERS)


def command(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def moments(program: Program, seeds: range = GAMES) -> Iterator[Game]:
    """Games between players who do anything they may, as they stand at each decision and at the end."""
    for seed in seeds:
        game, source = Game(program, seed, ("Ana", "Ben", "Cleo")), Source(seed, "extending")
        while game.decision is not None:
            yield game
            asks = game.decision.asks
            asked = asks[source.below(len(asks))]
            game.answer(asked.seat, game.machine.random_answer(game.state, asked, source.below), asked.number)
            invariants.check_state(program, game.state)
        yield game


def test_its_scenarios_pass(extension: Extension, folder: Path) -> None:
    scenarios, found = load_scenarios(folder, folder / "scenarios" / f"{extension.id}.yaml")
    assert found == []
    assert len(scenarios) == 2
    for scenario in scenarios:
        assert run(scenario).failures == ()


@pytest.mark.slow
def test_only_the_check_sums_change_with_new_cards(tmp_path: Path) -> None:
    scenarios, _ = load_scenarios(copy_with(tmp_path, IDENTITY, SPECIAL))
    failed = {one.title for one in scenarios if not run(one).passed}
    # Whole games deal from the deck as it is published.
    whole = {"Partners - points together", "Partners - the tokens of both break a tie"}
    assert failed == {"The check sums of the game as it is published", *whole}


@pytest.mark.slow
def test_no_prompt_is_missing_or_too_long_for_a_line() -> None:
    for game in moments(program_at(library.find_game("wallet")), range(15)):
        for asked in game.decision.asks if game.decision is not None else ():
            assert 0 < len(asked.prompt) <= 60, asked


def test_those_who_play_at_random_come_upon_it(extension: Extension, folder: Path) -> None:
    # Everybody sees what it did: a reveal, a special on the discards, a special taken from them.
    for game in moments(program_at(folder)):
        if game.over:
            told = [json.dumps(event.to_json()) for event in game.events(0)]
            if any(all(trace in event for trace in extension.traces) for event in told):
                return
    pytest.fail(f"nobody used {extension.id}")


def test_it_is_offered_by_its_name_to_who_has_it(extension: Extension, folder: Path) -> None:
    for game in moments(program_at(folder)):
        for asked in game.decision.asks if game.decision is not None else ():
            offered = [one for one in asked.options if one.key.partition(":")[2] == extension.id]
            if not offered:
                continue
            assert [one.label for one in offered] == [extension.name]
            assert extension.id in json.dumps(game.view(asked.seat).to_json()["ask"])
            for other in {0, 1, 2} - {asked.seat}:
                ask = game.view(other).ask
                assert ask is None or extension.id not in json.dumps(ask.to_json())
            return
    pytest.fail(f"{extension.id} was offered to nobody")


@pytest.mark.parametrize("extension", [IDENTITY, SPECIAL], ids=lambda one: one.id, indirect=True)
def test_only_its_owner_sees_it(extension: Extension, folder: Path) -> None:
    program = program_at(folder)
    card = next(card for card in range(program.cards) if program.definition[card] == extension.id)
    for game in moments(program):
        knowing = game.state[KNOWN][card] | sight(program, game.state, card)
        owner = next((seat for seat in range(PLAYERS) if knowing == 1 << seat), None)
        if owner is None:
            continue
        for seat in range(PLAYERS):
            shown = json.dumps(game.view(seat).facts["places"])
            assert (extension.id in shown) == (seat == owner)
        return
    pytest.fail(f"nobody had {extension.id} for himself")


@pytest.mark.slow
def test_the_commands_take_them(tmp_path: Path) -> None:
    """With none of the variants, which do not speak of them."""
    folder = copy_with(tmp_path, *EXTENSIONS)
    shutil.rmtree(folder / "variants")
    own = {f"{one.id}.yaml" for one in EXTENSIONS}
    for file in (folder / "scenarios").iterdir():
        if file.name not in own:
            file.unlink()
    for name, *options in (("validate",), ("simulate", "--games", "10", "--seed", "1")):
        result = command(name, str(folder), *options)
        assert result.exit_code == 0, result.output


def test_a_new_file_is_all_that_was_added(extension: Extension, folder: Path) -> None:
    def files(game: Path) -> dict[str, bytes]:
        return {one.relative_to(game).as_posix(): one.read_bytes() for one in game.rglob("*") if one.is_file()}

    before, after = files(library.find_game("wallet")), files(folder)
    assert {name for name in after if after[name] != before.get(name)} == {
        f"{extension.id}.yaml",
        f"scenarios/{extension.id}.yaml",
    }
