"""Values that are shown: to whom, and that another table, which looks the same to a seat, shows it the same."""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ir_samples as made
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ir_games import game as drawn_game
from ir_scripts import BLOCKS, GIVEN, NUMBER, NUMBERS, QUESTIONS, SLOTS
from leaks import ListenedGame, answer_at_random, look_alike, twins, twins_differ, with_other_sizes
from shipped import list_some_tables, lower_game

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import rewrite
from rulebook.examples import of_its_own
from rulebook.interpreter.decisions import RuleError
from rulebook.interpreter.determinize import NoTable
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.lowering.expressions import lower_formula
from rulebook.interpreter.lowering.tables import sort_of
from rulebook.interpreter.op_table import OPS
from rulebook.interpreter.program import Program, Shown
from rulebook.interpreter.random import Source
from rulebook.interpreter.run import Look
from rulebook.interpreter.state import State
from rulebook.interpreter.views import collect_common_facts, collect_values
from rulebook.playtest import protocol
from rulebook.table import view
from rulebook.web.projection import make_page

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")


def see(game: Game, seat: int, state: State | None = None) -> dict[str, Any]:
    return collect_values(game.program, game.names, game.state if state is None else state, Look(1 << seat))


FAIR = """
format: 1
name: Fair
players: 3..3
kinds:
  gem: {has: {worth: number}, state: {dusty: no, age: {type: 1..9, default: 4}}}
  stone: {}
places:
  table:
    stock: {holds: gem, kept: pile, seen_by: nobody}
    row: {holds: gem, kept: row, seen_by: everyone}
    grid: {holds: stone, kept: grid, size: [2, 2], seen_by: nobody}
    chest: {holds: gem, kept: loose, seen_by: nobody, opened_at_end: yes}
    dim: {holds: gem, kept: row, seen_by: nobody, recall: no}
    lit: {holds: gem, kept: row, seen_by: nobody}
  player:
    hand: {holds: gem, kept: loose, seen_by: owner}
    purse: {holds: gem, kept: loose, seen_by: owner, counted: owner}
    shelf: {holds: stone, kept: row, seen_by: owner, counted: owner}
    plot: {holds: stone, kept: grid, size: [1, 2], seen_by: owner, counted: owner}
memory:
  table: {turns: 0, secret: {type: number, default: 7, seen_by: nobody}, pet: gem}
  player: {score: 3, own: {type: number, default: 5, seen_by: owner}}
cards:
  ruby: {kind: gem, worth: 5}
  pearl: {kind: gem, worth: 3}
  opal: {kind: gem, worth: 2}
  jade: {kind: gem, worth: 1}
  bead: {kind: gem, worth: 0, copies: 4}
  flint: {kind: stone}
  slate: {kind: stone}
  shard: {kind: stone}
values:
  ana(): first(players)
  wealth(p): sum(worth of p.hand)
VALUES
rules:
  game: |
    move bead to stock
    move ruby to ana().hand
    move jade to ana().purse
    move pearl to row
    move first(row) to lit
    move opal to row
    move first(row) to dim
    draw 1 from stock to chest
    move flint to grid
    move slate to grid
    move shard to ana().shelf
    set pet = ruby
    ana() chooses gift from 0..1:
      add gift to turns
result: {rank: most score}
display: {shown: {SHOWN}}
"""
EVERYONE, ANA, NOBODY = ("Ana", "Ben", "Cleo"), ("Ana",), ()
FITS = {
    "in the hand of somebody": ("sum(worth of ana().hand)", ANA),
    "the same through a value that is asked": ("wealth(ana())", ANA),
    "how many of a sort there are in it": ("count(ana().hand where it is ruby)", ANA),
    "whether one of two lies there": ("any(ana().hand where it is ruby) or turns > 5", ANA),
    "asked only where that is not known before": ("turns is 0 or any(ana().hand where it is ruby)", EVERYONE),
    "how many lie in a hand": ("count(ana().hand)", EVERYONE),
    "whether anything lies in it": ("ana().hand is empty", EVERYONE),
    "how many lie where the owner alone may count": ("count(ana().purse)", ANA),
    "whether anything lies there": ("ana().purse is empty", ANA),
    "what lies there": ("sum(worth of ana().purse)", ANA),
    "who holds a card": ("holder(ruby)", ANA),
    "whether somebody holds it": ("holder(ruby) is ana()", ANA),
    "whether a card lies face up": ("any([ruby] where it is face_up)", ANA),
    "a state of a card": ("ruby.age", ANA),
    "what is printed on a card": ("ruby.worth", EVERYONE),
    "a memory of everybody's": ("turns", EVERYONE),
    "a memory of one": ("ana().own", ANA),
    "a memory of nobody's": ("secret + 1", NOBODY),
    "a card that is remembered": ("pet.worth", ANA),
    "whether that card is somewhere": ("pet in row", ANA),
    "what all have seen": ("sum(worth of lit)", EVERYONE),
    "what nobody is reminded of": ("sum(worth of dim)", NOBODY),
    "how many lie there": ("count(dim)", EVERYONE),
    "what lies beside a hidden card": ("count(beside(flint))", NOBODY),
    "in which row a hidden card lies": ("row_number(flint)", NOBODY),
    "in which column it lies": ("column_number(flint)", NOBODY),
    "whether a grid has a position": ("cell(grid, 1 + turns, 1) is something", EVERYONE),
    "what lies in a row of a grid": ("count(distinct(rows(grid)))", NOBODY),
    "what lies on a line of it": ("count(distinct(lines(grid, 2)))", NOBODY),
    "how many positions a row has that its owner alone may count": ("count(cells(ana().shelf))", ANA),
    "whether a position is free where its owner alone may count": ("first(cells(ana().plot)) is empty", ANA),
    "whether any of some cards lies face up": ("count(cards where it is face_up)", NOBODY),
    "which positions are free": ("first(cells(grid)) is empty", EVERYONE),
    "what lies in a chest until the end": ("sum(worth of chest)", NOBODY),
    "what is divided by nothing": ("3 / turns", NOBODY),
    "what is asked of nothing": ("first(row).worth", NOBODY),
}


def fair(values: dict[str, str], shown: str = "") -> Program:
    """The fair, with more values, all of which are shown."""
    text = FAIR.replace("VALUES", "\n".join(f"  {name}: '{asked}'" for name, asked in values.items()))
    names = shown or ", ".join(f"{name.partition('(')[0]}: " for name in values)
    rulebook, messages = of_its_own(text.replace("SHOWN", names))
    assert rulebook is not None, [message.message for message in messages]
    return lower(rulebook, 3)


@pytest.fixture(scope="module")
def market() -> Game:
    return Game(fair({f"v{number}()": asked for number, (asked, _) in enumerate(FITS.values())}), 1, NAMES[:3])


@pytest.mark.parametrize("what", FITS)
def test_a_value_is_shown_to_who_knows_all_that_it_reads(market: Game, what: str) -> None:
    name = f"v{[*FITS].index(what)}"
    assert tuple(NAMES[seat] for seat in range(3) if name in market.view(seat).facts["values"]) == FITS[what][1]


def test_what_everybody_knows_is_shown_to_who_only_looks_on(market: Game) -> None:
    facts = collect_common_facts(market.program, market.names, market.state)
    known_to_all = {f"v{number}" for number, (_, seats) in enumerate(FITS.values()) if seats == EVERYONE}
    assert facts["values"].keys() == known_to_all


def test_what_is_opened_at_the_end_is_shown_then(market: Game) -> None:
    game = market.fork()
    game.answer(0, ["number:1"])
    name = f"v{[*FITS].index('what lies in a chest until the end')}"
    assert [game.view(seat).facts["values"].get(name) for seat in range(3)] == [0, 0, 0]


def test_who_plays_alone_keeps_secrets_from_onlookers() -> None:
    rulebook, messages = of_its_own(
        FAIR.replace("players: 3..3", "players: 1..3").replace("VALUES", "  mine(p): p.own").replace("SHOWN", "mine: ")
    )
    assert rulebook is not None, messages
    game = Game(lower(rulebook, 1), 1, NAMES[:1])
    assert game.view(0).facts["values"] == {"Ana.mine": 5}
    assert collect_common_facts(game.program, game.names, game.state)["values"] == {}


FACES = """
format: 1
name: Faces
players: 2..2
kinds: {gem: {has: {worth: 1..9}}}
cards: {ruby: {kind: gem, each: {worth: 1..9}}}
places:
  table: {deck: {holds: gem, kept: pile, seen_by: nobody}}
  player:
    lawn: {holds: gem, kept: grid, size: [1, 2], seen_by: nobody}
    well: {holds: gem, kept: pile, seen_by: nobody}
values:
  open_worth(p): sum(worth of p.lawn where it is face_up)
  high_worth(p): sum(worth of (p.lawn where it is face_up and worth > 3))
  whole_worth(p): sum(worth of p.lawn)
  deep_worth(p): sum(worth of p.well where it is face_up)
rules:
  game: |
    move cards to deck
    each p in players:
      each c in cells(p.lawn):
        move first(deck) to c face down
      reveal first(p.lawn)
      move first(deck) to p.well face up
      move first(deck) to p.well face down
      p chooses way from 0..1
result: {rank: most open_worth}
display: {shown: {open_worth: , high_worth: , whole_worth: , deep_worth: }}
"""


def test_what_lies_face_up_is_counted_though_other_cards_are_hidden() -> None:
    """Not so in a pile: what lies up below a card that is down, nobody sees."""
    rulebook, messages = of_its_own(FACES)
    assert rulebook is not None, messages
    game = Game(lower(rulebook, 2), 1, NAMES[:2])
    [card] = [card for card in game.view(1).facts["places"]["Ana.lawn"]["cards"] if card]
    worth = int(card.removeprefix("ruby."))
    shown = {"Ana.open_worth": worth, "Ana.high_worth": worth if worth > 3 else 0}
    values = game.view(1).facts["values"]
    assert {key: value for key, value in values.items() if key.startswith("Ana")} == shown


LAST = """
format: 1
name: Last
players: 3..3
memory: {player: {score: 3}}
values: {mine(p): p.score}
rules:
  game: |
    each p in players:
      p chooses way from 0..1:
        if way is 1:
          eliminate p
result: {rank: most score}
display: {shown: {mine: }}
"""


def test_of_those_who_are_out_nothing_is_shown() -> None:
    rulebook, messages = of_its_own(LAST)
    assert rulebook is not None, messages
    game = Game(lower(rulebook, 3), 1, NAMES[:3])
    game.answer(0, ["number:1"])
    assert all(game.view(seat).facts["values"] == {"Ben.mine": 3, "Cleo.mine": 3} for seat in range(3))


# ── the same in every twin ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("table", [*list_some_tables()])
def test_no_value_of_a_bundled_game_tells_more_than_its_seat_knows(table: tuple[Path, int]) -> None:
    """Every value of the game that could be shown, whether the rulebook shows it or not."""
    program = show_all(lower_game(*table))
    game, below = ListenedGame(program, 5, NAMES[: program.players]), Source(5, "shown").below
    noted = 0
    for number in range(10_000):
        if game.over or below(1 + number // 2) == 0:
            for seat in range(program.players):
                here = see(game, seat)
                noted += len(here)
                for what, twin in twins(game, seat, below):
                    assert see(game, seat, twin) == here, what
        if game.over:
            break
        answer_at_random(game, below)
    assert noted


def show_all(program: Program) -> Program:
    """The same game, in which everything is shown that asks for nothing but a player."""
    asked = {
        name.removeprefix("values."): function
        for name, function in program.lowering.tables.rulebook.functions.items()
        if name.startswith("values.") and function.slots.types[: function.parameters] in ((), (t.PLAYER,))
    }
    return evolve(
        program,
        shown=tuple(
            Shown(name, bool(of.parameters), program.questions[of.name], sort_of(of.type), name)
            for name, of in asked.items()
        ),
    )


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[*HealthCheck], derandomize=True)
@given(BLOCKS, st.lists(NUMBERS | QUESTIONS, min_size=20, max_size=20), st.integers(0, 1 << 20))
def test_no_drawn_value_tells_more_than_its_seat_knows(body: ir.Block, asked: list[ir.Expr], seed: int) -> None:
    """Whatever is asked, in games where some places are counted by their owner alone, or not recalled."""
    below = Source(seed, "shown").below
    program = show_drawn(veil(lower(drawn_game(body), 3), below), asked)
    game = ListenedGame(program, seed, NAMES[:3])
    try:
        for _ in range(6):
            for seat in range(3):
                here = see(game, seat)
                for twin in list_twins(game, seat, below):
                    assert see(game, seat, twin) == here
            if game.over:
                break
            answer_at_random(game, below)
    except RuleError:
        return  # a drawn script may go wrong


def list_twins(game: ListenedGame, seat: int, below: Any) -> Iterator[State]:
    """States that look the same to a seat. Which of equal cards comes first in a hand is left out."""
    try:
        yield look_alike(game.program, game.state, seat, below)
        yield with_other_sizes(game.program, game.state, seat, below)
    except NoTable:
        return


def veil(program: Program, below: Any) -> Program:
    """The same program, in which some places are not recalled, and some not counted by all."""
    kept = {name: below(3) for name in sorted({place.name for place in program.layout.places})}
    counted = {0: "everyone", 1: "owner", 2: "everyone"}
    places = tuple(
        evolve(place, recall=place.recall and kept[place.name] < 2, counted=counted[kept[place.name]])
        for place in program.layout.places
    )
    return evolve(program, layout=evolve(program.layout, places=places))


def show_drawn(program: Program, asked: list[ir.Expr]) -> Program:
    """The same program, which shows what is drawn, of each player."""
    slots = ir.Slots(("",) * len(SLOTS), SLOTS)
    given: dict[int, ir.Expr] = {GIVEN: made.first(ir.AllCards("jade", type=made.CARDS)), NUMBER: made.const(2)}
    codes = [lower_formula(program.lowering.tables, put_in(expr, given), slots, 1) for expr in asked]
    return evolve(program, shown=tuple(Shown(f"v{n}", True, code, "any", "") for n, code in enumerate(codes)))


def put_in(value: Any, given: dict[int, ir.Expr]) -> Any:
    """An expression with these in the place of what a script would have been given."""
    return rewrite(value, lambda _, part: given.get(part.slot, part) if isinstance(part, ir.Local) else part)


def test_a_number_that_everybody_would_get_is_a_leak_between_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    """What compares twins looks at shown values: the leak tests, and `rulebook leaks`, which has the same facts."""
    program, below = fair({"left()": "count(stock)"}, shown="wealth: "), Source(1, "shown").below
    game = ListenedGame(program, 1, NAMES[:3])
    assert not [*twins_differ(game, 1, below)]
    monkeypatch.setattr(Look, "note", lambda look, seats: None)
    assert any("wealth" in line for _ in range(9) for line in twins_differ(game, 1, below))


def test_no_line_to_a_program_holds_what_its_seat_does_not_know() -> None:
    game = Game(fair({"left()": "count(stock)"}, shown="wealth: "), 1, NAMES[:3])
    lines = [json.dumps(protocol.News(game, seat).next()) for seat in range(3)]
    assert ["Ana.wealth" in line for line in lines] == [True, False, False]


# ── where it stands ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seat", range(3))
def test_it_stands_beside_its_player_at_a_terminal_and_on_a_page(seat: int) -> None:
    """Ana holds a ruby, of which nobody else can know; the others hold nothing, which all can see."""
    game = Game(fair({"left()": "count(stock)"}, shown="wealth: riches, left: beads left"), 1, NAMES[:3])
    facts = game.view(seat).facts
    ana = {"Ana.wealth": 5} if seat == 0 else {}
    assert facts["values"] == {**ana, "Ben.wealth": 0, "Cleo.wealth": 0, "left": 0}
    seen = view.lay_out(game.program, facts)
    assert seen.own is not None
    assert f"riches {5 if seat == 0 else 0}" in [line.sentence for line in seen.own.rows]
    riches = {line.label: "riches" in line.text for line in seen.others.rows}
    assert riches == {name: name != "Ana" for name in NAMES[:3] if name != NAMES[seat]}
    assert any("beads left 0" in line.text for line in seen.table.rows)
    page = make_page(game.program, {}, facts)
    assert ["riches", "5" if seat == 0 else "0"] in page["noted"]
    assert {other["name"]: "riches" in dict(other["noted"]) for other in page["others"]} == riches
    assert ["beads left", "0"] in page["table_noted"]


WHO_PLAYS = {"count_living", "list_living", "list_clockwise", "find_neighbour", "next_player"}
"""Ops that only read who still plays, which everybody knows."""
READS = r"run\.state|\bstate\[|layout\.places|_find_index\(|_measure_grid\("


def test_whatever_reads_the_state_notes_who_knows_it() -> None:
    """Else a shown value, or a line that explains one, would tell it to everybody."""
    sources = {
        op.name: inspect.getsource(op.do)
        for op in OPS.values()
        if op.do.__module__.rpartition(".")[2] in ("values", "lists")
    }
    reading = {name for name, source in sources.items() if re.search(READS, source)}
    silent = {name for name in reading if not re.search(r"watch|cards_seen", sources[name])}
    assert len(reading) > 15 and silent == WHO_PLAYS
