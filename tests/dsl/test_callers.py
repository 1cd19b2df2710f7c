"""Rules, questions, cards and actions that call one another, or that nobody calls: no lint falls at any."""

from __future__ import annotations

import random
import textwrap
from pathlib import Path

import pytest

from rulebook.loading import load

MANY = 40
RULES, VALUES, CARDS = 5, 3, 2


def sentences(chance: random.Random, depth: int = 0, inside: bool = False) -> str:
    """Some calls, perhaps in blocks of all sorts."""
    calls = [
        *(f"do r{number}(me)" for number in range(RULES)),
        "do first(me.hand).act(me)",
        "do first(me.hand).rest(me)",
        "do first(actions).effect(me)",
        *(f"add v{number}(me) to me.score" for number in range(VALUES)),
        "add sum(c.worth(me) for c in me.hand) to me.score",
        "add 1 to me.score",
        "return",
        *(["end round"] if inside else []),
        "win me",
    ]
    blocks = (
        "if v0(me) > 1:", "loop:", "stage round:", "stage round until v1(me) > 0:", "repeat 2:",
        "me may choose c from me.hand:", "offer others in turn as p:", "choose deed from actions where possible(me):",
    )  # fmt: skip
    found = []
    for _ in range(chance.choice((0, 1, 1, 2))):
        if depth < 2 and chance.random() < 0.3:
            block = chance.choice(blocks)
            inner = sentences(chance, depth + 1, inside or block.startswith("stage"))
            if block.startswith("offer"):
                inner = f'"Take":\n{textwrap.indent(inner, "  ")}'
            found.append(f"{block}\n{textwrap.indent(inner, '  ')}")
        else:
            found.append(chance.choice(calls))
    return "\n".join(found or ["shuffle heap"])


def question(chance: random.Random, below: int) -> str:
    """A number, of the values with a lower number: those that ask each other in a circle have no type."""
    asked = [*(f"v{number}(p)" for number in range(below)), "p.score", "count(p.hand)", "1"]
    if chance.random() < 0.3:
        asked.append("sum(c.worth(p) for c in p.hand)")
    return " + ".join(chance.choice(asked) for _ in range(chance.choice((1, 2))))


def script(text: str, indent: int) -> str:
    return "|\n" + textwrap.indent(text, " " * indent)


def game(chance: random.Random) -> str:
    """A game of which anything may lack a caller."""
    rules = [f"  r{number}(me): {script(sentences(chance), 4)}" for number in range(RULES)]
    values = [f"  v{number}(p): {question(chance, number)}" for number in range(VALUES)]
    cards = []
    for number in range(CARDS):
        hooks = [f"    {hook}: {script(sentences(chance), 6)}" for hook in ("act", "rest")]
        hooks.append(f"    worth: {chance.choice(('v0(me) + 1', '1'))}")
        cards += [f"  c{number}:", "    kind: k", "    copies: 3", *hooks]
    rules[chance.randrange(RULES)] += chance.choice(("", "", "", "\n    gibberish"))
    begins = chance.choice(("each me in players:\n  do r0(me)", "deal 1 from box to each hand", of_everybody(chance)))
    return "\n".join((
        "format: 1", "name: Callers", "players: 2..3",
        "kinds: {k: {does: {act(me): , rest(me): }, asks: {worth(me): number}}}",
        "places:",
        "  table: {heap: {holds: k, kept: pile, seen_by: nobody}}",
        "  player: {hand: {holds: k, kept: loose, seen_by: owner}}",
        "memory: {player: {score: 0}}",
        "cards:", *cards,
        "actions:",
        "  x:", "    name: X", "    possible: v2(me) > 0", f"    effect: {script(sentences(chance), 6)}",
        "values:", *values,
        "rules:", f"  game: {script(begins, 4)}", *rules,
        "result: {rank: most score}" if chance.random() < 0.5 else "result: {rank: most v2}",
    )) + "\n"  # fmt: skip


def of_everybody(chance: random.Random) -> str:
    return f"each me in players:\n{textwrap.indent(sentences(chance), '  ')}"


def variant(chance: random.Random, number: int) -> str:
    """A layer over some of it."""
    said = [f"variant: w{number}", f"name: W{number}", "about: Another way.", "extends: callers"]
    rules = chance.sample(range(RULES), 3)
    for how, rule in zip(("before", "after", "instead of"), rules, strict=True):
        if chance.random() < 0.7:
            text = ("original\n" if how == "instead of" and chance.random() < 0.5 else "") + sentences(chance)
            said += [f"{how}:", f"  rules.r{rule}: {script(text, 4)}"]
            if how == "instead of" and chance.random() < 0.5:
                said.append(f"  values.v{chance.randrange(VALUES)}: original + 1")
            if how == "after" and chance.random() < 0.3:
                said.append(f"  actions.x.effect: {script(sentences(chance), 4)}")
    if len(said) == 4:
        said += ["set: {}", "remove: [actions.x.name]"]
    return "\n".join(said) + "\n"


@pytest.mark.slow
def test_whatever_calls_whatever_the_lints_find_words_for_it(tmp_path: Path) -> None:
    chance = random.Random(11)
    unused = 0
    for number in range(MANY):
        folder = tmp_path / str(number) / "callers"
        (folder / "variants").mkdir(parents=True)
        (folder / "rulebook.yaml").write_text(game(chance), "utf-8")
        layers = []
        for layer in range(chance.choice((0, 0, 1, 2))):
            layers.append(folder / "variants" / f"w{layer}.yaml")
            layers[-1].write_text(variant(chance, layer), "utf-8")
        loaded = load(folder, layers, meant=True)
        unused += sum(one.code == "RB507" for one in loaded.messages)
        assert all(one.span is not None for one in loaded.messages), (number, loaded.messages)
    assert unused > MANY


def test_what_was_taken_out_calls_nobody(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(
        """
format: 1
name: Fairground
players: 2..2
kinds: {ride: {does: {effect(me): }}}
places: {player: {hand: {holds: ride, kept: loose, seen_by: everyone}}}
cards: {wheel: {kind: ride, copies: 4, effect: do leave(me)}}
rules:
  game: deal 1 from box to each hand
  turn(me): do board(me)
  board(me): do first(me.hand).effect(me)
  leave(p): move p.hand to box
  late(me): do board(me)
""",
        "utf-8",
    )
    found = load(tmp_path, meant=True).messages
    assert {one.span and one.span.text: [label.span.text for label in one.labels] for one in found} == {
        "turn": [],
        "late": ["board", "leave", "effect"],
    }
