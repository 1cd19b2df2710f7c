"""A variant is checked with what was read and parsed for others as if it were alone."""

import random
from pathlib import Path

import pytest

from rulebook.diagnostics import Diagnostic
from rulebook.library import find_game, variants_of
from rulebook.loading import load
from rulebook.loading.frontend import Shared

DRAWN = 40
GAME = """\
format: 1
name: Small
players: 2..4
options:
  rounds: {type: 1..5, default: 2}
memory:
  player: {gold: 0, iron: 0}
values:
  wealth(p): p.gold + p.iron
rules:
  game: |
    repeat options.rounds:
      do round
  round: |
    each me in players:
      add 1 to me.gold
      if wealth(me) > 3:
        add 1 to me.iron
result: {rank: most wealth(it)}
"""
VARIANTS = {
    "long": "set: {rounds: 4}\n",
    "rich": "change:\n  rules.round: |\n    each me in players:\n      add 2 to me.gold\n",
    "kind": "after:\n  rules.round: |\n    each me in players:\n      add 1 to me.iron\n",
    "more": "add:\n  memory.player.wood: 0\ninstead of:\n  values.wealth: original + p.wood\n",
}


def describe(found: list[Diagnostic]) -> list[str]:
    spans = [[one.span, *(label.span for label in one.labels)] for one in found]
    places = [[(at.file.name, at.start, at.end) for at in some if at is not None] for some in spans]
    return [repr((one.code, one.message, one.help, one.where, at)) for one, at in zip(found, places, strict=True)]


def spoil(text: str, chance: random.Random) -> str:
    """The text with a word taken out, doubled, or put in the place of another."""
    words = text.split(" ")
    at = chance.randrange(len(words))
    words[at : at + 1] = chance.choice([[], [words[at]] * 2, [chance.choice(words)]])
    return " ".join(words)


@pytest.mark.slow
def test_messages_are_the_same_with_what_is_shared(tmp_path: Path) -> None:
    chance = random.Random(25)
    game = tmp_path / "small"
    (game / "variants").mkdir(parents=True)
    own = game / "rulebook.yaml"
    own.write_text(GAME, "utf-8")
    for name, text in VARIANTS.items():
        head = f"variant: {name}\nname: {name.title()}\nabout: It is {name}.\nextends: small\n"
        (game / "variants" / f"{name}.yaml").write_text(head + text, "utf-8")
    files = variants_of(game)
    assert [one.message for file in files for one in load(game, [file]).messages] == []
    whole, found = own.read_text("utf-8"), 0
    for number in range(DRAWN):
        texts = {file: file.read_text("utf-8") for file in files}
        spoilt = chance.choice(files)
        spoilt.write_text(spoil(texts[spoilt], chance), "utf-8")
        own.write_text(spoil(whole, chance) if number % 3 == 0 else whole, "utf-8")
        shared = Shared()
        load(game, meant=True, shared=shared)
        for file in chance.sample(files, len(files)):
            alone = load(game, [file], meant=True)
            beside = load(game, [file], meant=True, shared=shared)
            assert describe(beside.messages) == describe(alone.messages)
            assert beside.rulebook == alone.rulebook
            found += len(alone.messages)
        spoilt.write_text(texts[spoilt], "utf-8")
    assert found, "nothing was spoilt"


def test_each_text_is_parsed_once(tmp_path: Path) -> None:
    game = find_game("wallet")
    variant = next(one for one in variants_of(game) if one.stem == "balanced_deck")
    shared = Shared()
    load(game, shared=shared)
    known = len(shared.parses)
    load(game, [variant], shared=shared)
    assert len(shared.parses) - known <= 1  # the default of an option that the variant sets
