"""What nobody saw stays hidden in every place, be it declared or there by itself, as the box is.

The oracle knows nothing of knowledge: a drawn script moves cards that Ben cannot see, and whatever cards they are, Ben
must be sent the same, byte by byte. So the same script is played with several seeds, and all that he gets is compared.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from leaks import ListenedGame, leaks

from rulebook.cli import main
from rulebook.diagnostics.render import render_text
from rulebook.dsl import ir
from rulebook.examples import of_its_own
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_common_facts
from rulebook.playtest.protocol import News, hello
from rulebook.playtest.scenarios.reading import load_scenarios
from rulebook.playtest.scenarios.trial import run

NAMES = ("Ana", "Ben", "Cleo")
ANA, BEN = 0, 1
SEEDS = range(6)

GAME = """format: 1
name: Smugglers
players: 3..3
kinds:
  gem:
    has: {weight: 1..9}
    may_change: [weight]
    state: {worn: no, dyed: {type: yes_no, default: no, seen: with_face}}
  boat: {places: {hold: {holds: gem, kept: loose, seen_by: nobody}}}
places:
  table:
    sack: {holds: gem, kept: bag, seen_by: nobody}
    deck: {holds: gem, kept: pile, seen_by: nobody, refill: heap}
    heap: {holds: gem, kept: pile, seen_by: nobody}
    jar:  {holds: gem, kept: pool, seen_by: nobody}
    quay: {holds: boat, kept: row, seen_by: everyone}
  player:
    hand:   {holds: gem, kept: loose, seen_by: owner}
    pocket: {holds: gem, kept: loose, seen_by: nobody}
    nook:   {holds: gem, kept: row, seen_by: nobody}
    vault:  {holds: gem, kept: slot, seen_by: owner}
memory:
  table: {wind: 0, kept_gem: {type: gem, seen_by: nobody}}
cards:
  skiff: {kind: boat}
  ruby:  {kind: gem, weight: 1, copies: 3}
  pearl: {kind: gem, weight: 2, copies: 3}
  jade:  {kind: gem, weight: 3}
  opal:  {kind: gem, weight: 4}
  onyx:  {kind: gem, weight: 5}
  beryl: {kind: gem, weight: 6}
rules:
  game: |
    move skiff to quay
    pick some 7 from box where it is gem at random
    move some to sack
    draw 4 from sack to first(players).hand
    do act(first(players))
  act(me): |
""".replace("pick some 7", "pick 7 some")

LOOSE = ("me.hand", "me.pocket", "box", "skiff.hold", "sack")
"""Places in no order: which card of them a sentence means is drawn, or for somebody to say who may look there."""

GOALS = (*LOOSE, "deck", "heap", "me.nook", "jar")

goals = st.sampled_from(GOALS)
sources = st.sampled_from(LOOSE)
of_gems = sources.map(lambda place: f"{place} where it is gem" if place == "box" else place)


def _sentences(shape: str, **drawn: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.fixed_dictionaries(drawn).map(lambda found: shape.format(**found))


SENTENCES = st.one_of(
    _sentences("pick @ from {source} at random\nmove @ to {goal}", source=of_gems, goal=goals),
    _sentences("pick 2 @ from {source} at random\nmove @ to {goal}", source=of_gems, goal=goals),
    _sentences("choose @ from me.hand else return\nmove @ to {goal}", goal=goals),
    _sentences("choose 2 @ from me.hand else return\nmove @ to {goal}", goal=goals),
    _sentences("draw 1 from {source} to {goal} as @", source=st.sampled_from(["sack", "deck"]), goal=goals),
    _sentences("draw 2 from {source} to {goal}", source=st.sampled_from(["sack", "deck", "heap"]), goal=goals),
    _sentences("move {source} to {goal}", source=of_gems, goal=goals),
    _sentences("move first({source}) to {goal}", source=of_gems, goal=goals),
    _sentences("move first({source}, 2) to {goal}", source=of_gems, goal=goals),
    _sentences("move first({place}) to {goal}", place=st.sampled_from(["deck", "heap", "me.nook"]), goal=goals),
    _sentences("swap first({one}) with first({other})", one=of_gems, other=of_gems),
    _sentences("pick @ from {source} at random\nswap @ with first(me.nook)", source=of_gems),
    _sentences("if me.vault is empty:\n  move first({source}) to me.vault", source=of_gems),
    _sentences("move me.vault to {goal}", goal=goals),
    _sentences("set kept_gem = first({source})", source=of_gems),
    _sentences("move kept_gem to {goal}", goal=goals),
    _sentences("set first({source}).dyed = yes", source=of_gems),
    _sentences("set first({source}).weight = 9", source=of_gems),
    _sentences("show {source} to me", source=sources),
    _sentences('say "{{first({source})}}" to me', source=of_gems),
    _sentences("turn {source} face down", source=sources),
    _sentences("shuffle {source}", source=st.sampled_from(["sack", "deck", "heap", "me.nook"])),
    st.just('say "{count(box)} and {count(me.hand)}"'),
    st.just("set wind = count(box)"),
    st.just("eliminate first(players)"),
)  # fmt: skip
SCRIPTS = st.lists(SENTENCES, min_size=1, max_size=6).map(
    lambda drawn: "\n".join(one.replace("@", f"x{number}") for number, one in enumerate(drawn))
)


def checked(script: str) -> tuple[ir.Rulebook | None, list[str]]:
    text = GAME + "".join(f"    {line}\n" for line in script.splitlines())
    if "choose" in script:
        # Whoever has nothing but equal cards to choose from is not asked, and everybody notices that.
        text = text.replace(", weight: 1, copies: 3", ", each: {weight: 1..3}")
        text = text.replace(", weight: 2, copies: 3", ", each: {weight: 4..6}")
    rulebook, found = of_its_own(text, "smugglers.yaml")
    return rulebook, [one.code for one in found]


@cache
def program(script: str) -> Program:
    rulebook, found = checked(script)
    assert rulebook is not None and not found, (script, found)
    return lower(rulebook, len(NAMES))


def played(script: str, seed: int) -> tuple[str, list[str]]:
    """All that Ben is sent while the script runs, and what is wrong with it by itself."""
    game = ListenedGame(program(script), seed, NAMES)
    news, below = News(game, BEN), Source(seed, "looking").below
    sent: list[Any] = [hello(game, BEN), news.next()]
    wrong = leaks(game, BEN, below)
    while game.decision is not None:
        (ask,) = game.decision.asks
        assert ask.seat == ANA
        keys = game.machine.random_answer(game.state, ask, below)
        game.answer(ANA, keys, ask.number)
        sent += [news.next(), collect_common_facts(game.program, NAMES, game.state)]
        wrong += leaks(game, BEN, below)
    sent.append(game.view(BEN).to_json())
    return json.dumps(sent, indent=1), wrong


@pytest.mark.slow
@settings(max_examples=60, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(SCRIPTS)
def test_what_ben_cannot_see_changes_nothing_that_he_is_sent(script: str) -> None:
    first, wrong = played(script, SEEDS[0])
    assert not wrong, script
    for seed in SEEDS[1:]:
        assert played(script, seed)[0] == first, script


HIDDEN = ("box", "sack", "deck", "skiff.hold", "me.nook", "me.pocket")


MOVED = (
    "let x = first(me.hand)\nmove x to {}",
    "draw 1 from sack to {} as x",
    "pick x from sack at random\nmove x to {}",
)


@pytest.mark.parametrize("goal", HIDDEN)
@pytest.mark.parametrize("moved", MOVED)
def test_what_goes_to_a_hidden_place_is_not_to_be_said(moved: str, goal: str) -> None:
    script = moved.format(goal) + '\nsay "{x}"'
    assert checked(script)[1] == ["RB601"], script
    shown = (
        f"{moved.format(goal)} face up" if "as x" not in moved else moved.format(f"{goal} face up")
    ) + '\nsay "{x}"'
    assert checked(shown)[1] == [], shown


@pytest.mark.parametrize(
    ("script", "codes"),
    [
        ('say "{count(box)}"', []),
        ('say "{count(box where it is ruby)}"', ["RB601"]),
        ("set wind = 1 if ruby in box else 0", ["RB601"]),
        ("choose x from box where it is gem\nmove x to me.hand", ["RB603"]),
        ("show box to me\nchoose x from box where it is gem\nmove x to me.hand", []),
        ("choose x from me.hand where it is jade or any(b is ruby for b in box)\nmove x to sack", ["RB604"]),
        ("if any(box where it is ruby):\n  me may choose x from me.hand\n  move x to sack", []),
        # Which cards there are everybody knows, where they lie may be a secret; so is what lies on top of them there.
        ("choose x from cards where it is gem\nset wind = x.weight", []),
        ('let x = first(cards where it is ruby)\nsay "{holder(x)}"', ["RB601"]),
        ('each x in cards where it is gem:\n  say "{holder(x)}"', ["RB601"]),
        ('say "{opal.worn}"', ["RB601"]),
        ("set wind = count(cards where it is gem and it.worn)", ["RB601"]),
        ("set wind = count(me.nook where worn)", []),
        ('each x in me.hand:\n  say "{holder(x)}"', ["RB601"]),
        ('reveal opal\nlet x = opal\nreveal x\nsay "{holder(x)}"', []),
    ],
)
def test_what_the_box_and_the_names_of_cards_tell(script: str, codes: list[str]) -> None:
    assert checked(script)[1] == codes


def played_open(script: str, declared: str = "seen_by: everyone") -> ListenedGame:
    """The same game with a box that says who looks into it, where the script runs to its end."""
    text = GAME.replace("  table:\n    sack", f"  table:\n    box: {{{declared}}}\n    sack")
    rulebook, found = of_its_own(text + "".join(f"    {line}\n" for line in script.splitlines()), "smugglers.yaml")
    assert rulebook is not None and not found, [one.message for one in found]
    return ListenedGame(lower(rulebook, len(NAMES)), 1, NAMES)


def box(game: ListenedGame, seat: int = BEN) -> dict[str, Any]:
    shown: dict[str, Any] = game.view(seat).facts["places"]["box"]
    return shown


def test_an_open_box_is_seen_by_everyone() -> None:
    shown = box(played_open('move first(me.hand) to box\nsay "{first(box)}"'))
    assert shown["unknown"] == 0 and shown["face_up"] == shown["cards"] and len(shown["cards"]) == 4


def test_a_declared_box_says_only_what_is_declared() -> None:
    assert box(played_open("shuffle sack", "counted: owner")) == {"cards": [], "unknown": None}
    assert box(played_open("shuffle sack", "opened_at_end: yes"))["unknown"] == 0  # the game is over
    assert box(played_open("shuffle sack", "recall: yes")) == {"cards": [], "unknown": 3}


def test_what_everyone_saw_on_its_way_to_the_box_is_known_there() -> None:
    seen = box(played_open("let x = first(me.hand)\nreveal x\nmove x to box", "recall: yes"))
    assert len(seen["cards"]) == 1 and seen["unknown"] == 3
    assert box(played_open("move first(me.hand) to box face up", "recall: yes"))["face_up"] == seen["cards"]
    forgotten = box(played_open("let x = first(me.hand)\nreveal x\nmove x to box", "recall: no"))
    assert forgotten == {"cards": [], "unknown": 4}


def test_at_the_beginning_everybody_knows_what_lies_in_the_box() -> None:
    rulebook, found = of_its_own(GAME[: GAME.index("    move skiff")] + '    say "Nothing."\n', "smugglers.yaml")
    assert rulebook is not None and not found, [one.message for one in found]
    assert box(ListenedGame(lower(rulebook, len(NAMES)), 1, NAMES))["unknown"] == 0


PAIRS = """\
format: 1
name: Pairs
players: 2..2
kinds: {gem: }
places: {player: {hand: {holds: gem, kept: loose, seen_by: owner}}}
cards: {ruby: {kind: gem, copies: 2}, jade: {kind: gem, copies: 2}}
rules:
  game: |
    each me in players:
      draw 1 from box to me.hand
  lose(me, gem lost): move lost to box
"""
OPEN = "add: {places.table.box: {seen_by: everyone}}\n"
SCENARIOS = """\
scenarios:
  A hidden gem stays hidden:
    given: {players: [Ana, Ben], Ana.hand: [ruby], Ben.hand: [ruby, jade]}
    do: lose(Ana, ruby)
    expect: [count(box) is 2, count(box where it is ruby) is 1, Ben sees 2 cards in box]
"""
OPENED = """\
variants: [open_box]
scenarios:
  A hidden gem is seen:
    given: {players: [Ana, Ben], Ana.hand: [ruby], Ben.hand: [ruby, jade]}
    do: lose(Ana, ruby)
    expect: [count(box) is 2, Ben sees ruby in box]
"""


def test_variants_and_scenarios_name_the_box(tmp_path: Path) -> None:
    game = tmp_path / "pairs"
    for name, text in (
        ("rulebook.yaml", PAIRS),
        ("variants/open_box.yaml", f"variant: open_box\nname: Open box\nextends: pairs\n{OPEN}"),
        ("scenarios/box.yaml", SCENARIOS),
        ("scenarios/open_box.yaml", OPENED),
    ):
        (game / name).parent.mkdir(parents=True, exist_ok=True)
        (game / name).write_text(text, "utf-8")
    scenarios, found = load_scenarios(game)
    assert not found, render_text(found)
    assert len(scenarios) == 2
    assert [str(failure) for one in scenarios for failure in run(one).failures] == []


def test_an_open_box_is_shown_among_the_places(tmp_path: Path) -> None:
    for text, lines in ((PAIRS, 0), (PAIRS.replace("places: {", "places: {table: {box: {seen_by: everyone}}, "), 1)):
        (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
        result = CliRunner().invoke(main, ["show", str(tmp_path)])
        assert result.exit_code == 0, result.output
        assert result.output.count("  box ") == lines and result.output.count("seen by everyone") == lines
