"""A game written out with its variants: the same rules, in files that somebody would like to read."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rulebook
from rulebook.authoring.own_game import write_rules
from rulebook.cli import main
from rulebook.dsl.ir import Rulebook
from rulebook.dsl.overlay.variant import read_variant
from rulebook.dsl.settling.options import settle_options
from rulebook.library import find_games, variants_of
from rulebook.loading import load
from rulebook.loading.frontend import Shared

GAMES = [game for game in find_games() if variants_of(game)]
DRAWN = {game: random.Random(1).sample(variants_of(game), len(variants_of(game))) for game in GAMES}
TOGETHER = [(game, tuple(drawn[at : at + 4])) for game, drawn in DRAWN.items() for at in range(0, len(drawn), 4)]
"""Every variant once, with those that were drawn beside it: what several change is the harder to write."""
SHARED = defaultdict[Path, Shared](Shared)
"""What was read and parsed of each game, for all the variants that are laid over it."""


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(main, list(map(str, words)))


def write(game: Path, variants: tuple[Path, ...], folder: Path) -> Rulebook | None:
    """Write the rules of a game under variants, and return them; None where these cannot be played together."""
    loaded = load(game, variants, shared=SHARED[game]).game
    if loaded is None:
        return None
    folder.mkdir()
    laid = [variant for variant in (read_variant(file)[0] for file in variants) if variant is not None]
    write_rules(game, folder, loaded, laid)
    return loaded.rulebook


def play(rules: Rulebook | None, seed: int) -> list[object]:
    """What everybody at a table of bots has noticed, and how it ended."""
    assert rules is not None
    opened = rulebook.Game(rules, settle_options(rules.options, {}, rules.units)[0], Path(rules.id), ())
    played, chance = opened.start(min(opened.players), seed=seed), random.Random(seed)
    while not played.over:
        played.step(played.sample(chance))
    return [*(played.information(seat) for seat in range(len(played.names))), played.payoffs]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "variants"),
    TOGETHER,
    ids=lambda one: one.name if isinstance(one, Path) else "+".join(v.stem for v in one),
)
def test_every_variant_can_be_written_out_and_plays_the_same(
    game: Path, variants: tuple[Path, ...], tmp_path: Path
) -> None:
    folder = tmp_path / game.name
    under = write(game, variants, folder)
    if under is None:
        assert len(variants) > 1, "each can be played alone"
        half = len(variants) // 2
        for number, some in enumerate((variants[:half], variants[half:])):
            (tmp_path / str(number)).mkdir()
            test_every_variant_can_be_written_out_and_plays_the_same(game, some, tmp_path / str(number))
        return
    own = load(folder, meant=True)
    assert own.messages == []
    assert not list(folder.glob("*/variants"))
    assert play(own.rulebook, 1) == play(under, 1)
    comments = [line for file in game.glob("*.yaml") for line in file.read_text("utf-8").split("\n") if "  # " in line]
    kept = "\n".join(file.read_text("utf-8") for file in folder.glob("*.yaml"))
    assert sum(line in kept for line in comments) >= len(comments) - 2 * len(variants), "the rest stays as it is"


@pytest.mark.slow
def test_the_copy_validates_and_its_scenarios_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "game", "./Meine Gäste", "--from", "exposed", "--variant", "partners")
    assert done.exit_code == 0, done.output
    checked, tested = run("validate", "./Meine Gäste", "--fail-on", "tip"), run("test", "./Meine Gäste")
    assert checked.exit_code == 0 and "no problems" in checked.output, checked.output
    assert tested.exit_code == 0, tested.output
    there = {file.stem for file in Path("Meine Gäste", "variants").glob("*.yaml")}
    assert "partners" not in there
    for file in variants_of(next(one for one in GAMES if one.name == "exposed")):
        assert file.stem in there or file.stem == "partners" or f"    {file.stem}\n" in done.output, file.stem
    assert "variants:" not in Path("Meine Gäste", "scenarios", "partners.yaml").read_text("utf-8")


def test_house_rules_are_written_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "game", "./short", "--from", "craft_fair", "--set", "set_bonus=4")
    assert done.exit_code == 0, done.output
    assert "set_bonus=4" in run("show", "./short", "--options").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--variant", "hard_cash"), "--from"),
        (("--set", "rounds=2"), "--from"),
        (("--from", "wallet", "--variant", "hard_cahs"), "Did you mean hard_cash?"),
        (("--from", "wallet", "--set", "rounds=99"), "rounds"),
        (("--from", "wallet", "--variant", "hard_cash", "--variant", "hard_cash"), "hard_cash"),
    ],
)
def test_what_cannot_be_written_out(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", "game", "./mine", *words)
    assert done.exit_code in (1, 2) and said in done.output, done.output
    assert not Path("mine").exists()


RULES = """\
# A market, and who cries in it.
format: 1
name: Market
players: 2..4

kinds:
  ware: {has: {price: 1..9}}    # what is sold
  cheap: {is: ware}

places:
  table:
    stall:   {holds: ware, kept: pile, seen_by: nobody}      # face down
    counter: {holds: ware, kept: row, seen_by: everyone}
  player:
    hand: {holds: ware, kept: loose, seen_by: owner}

cards:
  apple: {kind: ware, name: Apple, price: 2, copies: 8}     # sour

  # Nobody likes these.
  turnip: {kind: ware, name: Turnip, price: 1, copies: 6}

  pear: {kind: ware, name: Pear, price: 3, copies: 6}

values:
  is_rich(p): count(p.hand) > 3 or any(p.hand where price is 3)
  wealth(p): sum(price of p.hand)

rules:
  game: |
    move cards to stall
    shuffle stall
    deal 3 from stall to each hand
    repeat 4:
      each p in players:
        do turn(p)
  turn(me): |
    # Wares come and go.
    draw 1 from stall to me.hand
    choose one "What do you do?":
      "Sell" if me.hand is not empty:
        choose sold from me.hand where price > 1 or it is turnip "What?"
        move sold to counter
      "Wait":
        say "{me} waits."
    if count(me.hand) > 5:
      say "{me} has much."
  cry(p): |
    if is_rich(p):
      return
    say "{p} cries."

result: {rank: most wealth}
"""
CHANGED = {
    "a condition beside `or`": (
        "add: {rules.turn.choose sold.where: price < 9 or it is pear}",
        'where (price > 1 or it is turnip) and (price < 9 or it is pear) "What?"',
    ),
    "a condition for all of a choice": (
        "add: {rules.turn.choose sold.so that: sold.price > 0}",
        'where price > 1 or it is turnip so that sold.price > 0 "What?"',
    ),
    "a label": (
        'add:\n  rules.turn.choose one."Cry": do cry(me)',
        '      "Cry":\n        do cry(me)\n    if count(me.hand) > 5:',
    ),
    "the only sentence of a block": (
        "remove: ['rules.turn.say \"{me} has much.\"']",
        'waits."\n  cry(p)',
    ),
    "a script that returns": (
        "after: {rules.cry: 'say \"It is over.\"'}",
        '  cry(p): |\n    do cry_original(p)\n    say "It is over."',
    ),
    "an answer": (
        "instead of: {values.is_rich: original and wealth(p) > 4}",
        "(count(p.hand) > 3 or any(p.hand where price is 3)) and wealth(p) > 4",
    ),
    "a card of a paragraph of its own": (
        "remove: [cards.turnip]\nchange: {rules.turn.choose sold: choose sold from me.hand}",
        "# sour\n\n  pear:",
    ),
    "a copy of a card": (
        "add: {cards.plum: {copy: pear, name: Plum, price: 4}}",
        "\n\n  plum: {copy: pear, name: Plum, price: 4}",
    ),
    "a section that was not there": (
        "add: {memory.player.cries: 0, options.loud: {type: yes_no, default: no, text: Loud}}",
        "options:\n  loud: {type: yes_no, default: no, text: Loud}\n\nkinds:",
    ),
    "an entry in brackets, with its column and its comment": (
        "change: {places.table.stall.kept: bag, kinds.ware.has.price: 1..10}",
        "    stall:   {holds: ware, kept: bag, seen_by: nobody}      # face down",
    ),
    "a text with a comma": (
        "change:\n  cards.apple.name: Apple, sour",
        '{kind: ware, name: "Apple, sour", price: 2, copies: 8}     # sour',
    ),
}


def begin(tmp_path: Path, change: str, rules: str = RULES) -> tuple[Path, Path]:
    """A small game, and a file of a variant of it."""
    game = tmp_path / "market"
    (game / "variants").mkdir(parents=True)
    (game / "rulebook.yaml").write_text(rules, "utf-8")
    file = game / "variants" / "one.yaml"
    file.write_text(f"variant: one\nname: One\nextends: market\n{change}\n", "utf-8")
    return game, file


@pytest.mark.parametrize("title", CHANGED)
def test_what_a_variant_does_stands_where_its_author_would_put_it(title: str, tmp_path: Path) -> None:
    change, wanted = CHANGED[title]
    game, file = begin(tmp_path, change)
    assert write(game, (file,), tmp_path / "own"), load(game, [file]).messages
    text = (tmp_path / "own" / "rulebook.yaml").read_text("utf-8")
    assert wanted in text, text


SHEET = 'id,kind,name,price,copies\nfig,ware,Fig,2,4\n"nut",ware,"Nut, hard",3,4\nleek,ware,Leek,1,4\n'


def begin_with_sheet(tmp_path: Path, change: str) -> tuple[Path, Path]:
    rules = RULES.replace("cards:\n", "cards:\n  from: wares.csv   # more of them\n")
    game, file = begin(tmp_path, change, rules)
    (game / "wares.csv").write_text(SHEET, "utf-8")
    return game, file


def test_cells_of_a_spreadsheet_are_changed_where_they_stand(tmp_path: Path) -> None:
    change = """\
change:
  cards.fig.price: original + 3
  cards.fig.name: Fig, sweet
  cards.nut.name: Nut, "soft"
  cards.apple.price: 5
remove: [cards.leek]
add:
  cards.kale: {copy: fig, name: Kale}"""
    game, _ = begin_with_sheet(tmp_path, change)
    assert (done := run("new", "game", tmp_path / "own", "--from", game, "--variant", "one")).exit_code == 0, (
        done.output
    )
    assert (tmp_path / "own" / "wares.csv").read_text("utf-8") == (
        'id,kind,name,price,copies\nfig,ware,"Fig, sweet",5,4\n"nut",ware,"Nut, ""soft""",3,4\n'
    )
    text = (tmp_path / "own" / "rulebook.yaml").read_text("utf-8")
    assert "  from: wares.csv   # more of them\n" in text and "apple: {kind: ware, name: Apple, price: 5" in text
    assert list(rulebook.open(tmp_path / "own").cards(2)) and "kale" in text


def test_what_no_column_is_for_is_not_left_out(tmp_path: Path) -> None:
    game, _ = begin_with_sheet(tmp_path, "add: {cards.fig.text: 'It is sweet.'}")
    done = run("new", "game", tmp_path / "own", "--from", game, "--variant", "one")
    assert done.exit_code == 1 and "Nothing was written." in done.output
    assert not (tmp_path / "own").exists()


BESIDE = {
    "apart": "not_with: {one: Both change the price.}\nchange: {cards.pear.price: 4}",
    "unfit": "change: {cards.turnip.price: 2}",
    "fit": "change: {cards.pear.name: Nashi}",
}
HELD = """\
scenarios:
  A pear is dear: {given: {players: [Ana, Ben]}, expect: [pear.price is 3]}
  A turnip is cheap: {given: {players: [Ana, Ben]}, expect: [turnip.price is 1]}
"""
HELD_UNDER = """\
variants: [one]
scenarios:
  An apple is dear: {given: {players: [Ana, Ben]}, expect: [apple.price is 7]}
"""


@pytest.mark.parametrize("name", ["market", "true"])
def test_what_does_not_go_with_the_copy_is_left_and_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = "remove: [cards.turnip]\nchange: {rules.turn.choose sold: choose sold from me.hand, cards.apple.price: 7}"
    game, _ = begin(tmp_path / "source", change)
    for id, text in BESIDE.items():
        (game / "variants" / f"{id}.yaml").write_text(f"variant: {id}\nname: X\nextends: market\n{text}\n", "utf-8")
    (game / "scenarios").mkdir()
    for id, text in (("held", HELD), ("one", HELD_UNDER)):
        (game / "scenarios" / f"{id}.yaml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    done = run("new", "game", f"./{name}", "--from", game, "--variant", "one")
    assert done.exit_code == 0, done.output
    checked, tested = run("validate", f"./{name}", "--fail-on", "error"), run("test", f"./{name}")
    assert checked.exit_code == 0 and tested.exit_code == 0, checked.output + tested.output
    assert "2 scenarios: 2 passed" in tested.output
    assert [file.stem for file in Path(name, "variants").glob("*.yaml")] == ["fit"], done.output
    assert all(f"    {left}" in done.output for left in ("apart", "unfit", "A turnip is cheap")), done.output
    assert "  It cannot be played with one.\n    apart\n" in done.output
    assert "variants:" not in Path(name, "scenarios", "one.yaml").read_text("utf-8")
