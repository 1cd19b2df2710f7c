"""Scripts inside each other, as deep as they go: a chain that ends is played to its end, one without is stopped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cores import play_both
from paths import HELPERS

from rulebook.examples import of_its_own
from rulebook.interpreter import journal
from rulebook.interpreter.core.door import Core, Table
from rulebook.interpreter.core.imagining import STREAM
from rulebook.interpreter.core.library import NoCore
from rulebook.interpreter.core.library import library as find_library
from rulebook.interpreter.decisions import Endless
from rulebook.interpreter.determinize import Twins, determinize
from rulebook.interpreter.game import Game
from rulebook.interpreter.invariants import check_state
from rulebook.interpreter.layout import RESULT, STACK
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_facts
from rulebook.loading import load

HEAD = """\
format: 1
name: Wells
players: 2..2
kinds:
  stone:
    has: {rank: 1..6}
    may_do:
      sinks(p, number n):
places:
  table: {pit: {holds: stone, kept: pile, seen_by: nobody}, rim: {holds: stone, kept: row, seen_by: everyone}}
  player: {hand: {holds: stone, kept: loose, seen_by: owner}}
cards: {pebble: {kind: stone, each: {rank: 1..6}, sinks: 'do fall(p.left, n - 1)'}}
memory: {table: {depth: 0, drops: 0}, player: {score: 0}}
"""
WELL = """\
rules:
  game: |
    move cards to pit
    shuffle pit
    deal 2 from pit to each hand
    move first(pit) to rim
    do fall(first(players), DEPTH)
  fall(p, number n): |
    let held = [n]
    add 1 to depth
    if n > 1:
      do first(rim).sinks(p, n)
    else:
      let shown = first(p.hand)
      each me in players:
        choose one "Throw":
          "a stone":
            add 1 to drops
            draw 1 from pit to me.hand
          "nothing"
    add sum(held) to p.score
"""
HEIGHTS = """\
rules:
  game: |
    move cards to rim
    each c in rim:
      set depth = c.height(TIMES)
  fall(p, number n): |
    add 1 to drops
"""
STOPPED_AS_ENDLESS = 3
"""The reason that the core gives."""
ENDLESS = {
    "one rule": """\
rules:
  game: |
    do fall(first(players), 1)
  fall(p, number n): |
    do fall(first(players), n + 1)
""",
    "rules and cards in turn": """\
rules:
  game: |
    move cards to rim
    do fall(first(players), 0)
  fall(p, number n): |
    add 1 to depth
    do first(rim).sinks(p, n)
""",
    "very many names": """\
rules:
  game: |
    do fall(first(players), 1)
  fall(p, number n): |
    NAMES
    do fall(first(players), x39 - 38)
""".replace("NAMES", "\n    ".join(f"let x{i} = n + {i}" for i in range(40))),
    "long lists": """\
rules:
  game: |
    do fall(first(players), 2000)
  fall(p, number n): |
    let ns = 1..n
    let more = ns + [n]
    let longer = more + more
    do fall(first(players), n)
""",
    "lists made of those before": """\
rules:
  game: |
    do fall(first(players), 2000)
  fall(p, number n): |
    let ns = [p.score for p in players]
    each p in players:
      let some = ns + ns
    do fall(first(players), n)
""",
    "stages within stages": """\
rules:
  game: |
    do fall(first(players), 1)
  fall(p, number n): |
    stage dive until depth > 999999:
      if n < 20000:
        do fall(first(players), n + 1)
      add 1 to depth
""",
}


def make_program(tmp_path: Path, rules: str, head: str = HEAD) -> Program:
    (tmp_path / "rulebook.yaml").write_text(head + rules, "utf-8")
    loaded = load(tmp_path)
    assert loaded.rulebook is not None, [one.message for one in loaded.messages]
    return lower(loaded.rulebook, 2)


def has_core() -> bool:
    try:
        find_library()
    except NoCore:
        return False
    return True


def answer(game: Game) -> None:
    assert game.decision is not None
    ask = game.decision.asks[0]
    game.answer(ask.seat, [ask.options[0].key], ask.number)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 200, 20_000])
def test_a_chain_ends_where_it_ends(tmp_path: Path, depth: int) -> None:
    program = make_program(tmp_path, WELL.replace("DEPTH", str(depth)))
    game = Game(program, 3)
    answer(game)
    answer(game)
    layout = program.layout
    score = layout.player_memory["score"].slot
    assert game.state[RESULT] == ("rank",)
    assert game.state[layout.memory["depth"].slot] == depth
    assert sum(game.state[score : score + 2]) == depth * (depth + 1) // 2
    if has_core():
        assert play_both(program, seed=3) == 2


@pytest.mark.slow
def test_a_game_waits_and_goes_on_deep_inside(tmp_path: Path) -> None:
    program = make_program(tmp_path, WELL.replace("DEPTH", "5000"))
    game, other = Game(program, 3), Game(program, 3)
    begun, names = game.state[:], game.machine.names
    assert len(begun[STACK]) == 2 * 5000
    assert begun == other.state
    assert hash(tuple(begun)) == hash(tuple(other.state))
    check_state(program, begun, through_json=True)
    for seat in range(2):
        twin = determinize(program, begun, seat, Source(1, "deep").below)
        assert twin != begun
        assert collect_facts(program, names, twin, seat) == collect_facts(program, names, begun, seat)
    answer(game)
    answer(game)
    ended = game.state[:]
    assert game.over
    game.undo()
    game.undo()
    assert game.state == begun
    answer(game)
    game.save(tmp_path / "game.save")
    again = Game.replay(program, journal.read_journal(tmp_path / "game.save"))
    assert again.state == game.state
    answer(again)
    assert again.state == ended


@pytest.mark.skipif(not has_core(), reason="there is no core here")
def test_tables_are_imagined_alike_deep_inside(tmp_path: Path) -> None:
    program = make_program(tmp_path, WELL.replace("DEPTH", "3000"))
    state, core = Game(program, 3).state, Core(program)
    table, truth = Table(core), core.load_state(state)
    for seed in (5, 6):
        core.imagining.begin(truth, 0, seed, at_random=False)
        core.imagining.copy_to(table)
        twin = Twins(program, state, 0).draw_state(Source(seed, STREAM).below, answered=False)
        assert twin != state
        assert table.state(state) == twin


@pytest.mark.slow
@pytest.mark.parametrize("rules", ENDLESS)
def test_a_chain_without_an_end_is_stopped(tmp_path: Path, rules: str) -> None:
    program = make_program(tmp_path, ENDLESS[rules])
    machine = Machine(program)
    with pytest.raises(Endless, match=r"; the rules go round in rules\.") as caught:
        machine.advance(machine.new_state(1))
    assert str(caught.value).endswith("more up to rules.game)")
    assert len(str(caught.value)) < 400
    if has_core():
        assert Core(program).new_table(1).advance() == STOPPED_AS_ENDLESS


MEASURED = """
import resource, sys
sys.path[:0] = {tests!r}
from pathlib import Path
from test_nested_scripts import ENDLESS, Endless, Core, Machine, has_core, make_program
most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
program, before = make_program(Path({folder!r}), ENDLESS[{rules!r}]), most()
try:
    Machine(program).advance(Machine(program).new_state(1))
except Endless:
    if has_core():
        Core(program).new_table(1).advance()
    print(most() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as Linux counts it")
@pytest.mark.parametrize("rules", ["rules and cards in turn", "very many names", "long lists"])
def test_what_never_ends_takes_little_memory(tmp_path: Path, rules: str) -> None:
    text = MEASURED.format(tests=[str(Path(__file__).parent), str(HELPERS)], folder=str(tmp_path), rules=rules)
    told = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=300)
    assert int(told.stdout) < 200


@pytest.mark.parametrize(("times", "ends"), [(199, True), (200, False)])
def test_questions_wait_for_each_other_so_deep(tmp_path: Path, times: int, ends: bool) -> None:
    """Each that waits takes a piece of Python's own stack."""
    asked = HEAD.replace("    may_do:", "    asks:\n      height(number n): {type: number, default: 0}\n    may_do:")
    asked = asked.replace("sinks: 'do", "height: 'this.height(n - 1) + 1 if n > 0 else 0', sinks: 'do")
    program = make_program(tmp_path, HEIGHTS.replace("TIMES", str(times)), asked)
    machine, state = Machine(program), Machine(program).new_state(1)
    if ends:
        assert machine.advance(state) is None
        assert state[program.layout.memory["depth"].slot] == times
    else:
        with pytest.raises(Endless, match=r"^More than 200 questions wait for each other's answers\."):
            machine.advance(state)
    if has_core():
        assert Core(program).new_table(1).advance() == (0 if ends else STOPPED_AS_ENDLESS)


GIVING_BACK = """\
format: 1
name: Back and forth
players: 2..2
rules:
  game: |
    do hold(DEPTH) as held
    if held:
      win first(players)
    win last(players)
  hold(number n): |
    if n > 0:
      do strike(n) as struck
      if struck is something and not struck:
        return yes
      return no
    return yes
  strike(number n): |
    do hold(n - 1) as held
    if held is something and held:
      return yes
    return no
"""


@pytest.mark.parametrize("depth", range(5))
def test_what_rules_give_back_to_each_other_has_its_type(depth: int) -> None:
    """Each holds where the other does not: so it goes by turns, and `is something and …` asks the answer itself."""
    rulebook, found = of_its_own(GIVING_BACK.replace("DEPTH", str(depth)))
    assert rulebook is not None and found == [], found
    machine = Machine(lower(rulebook, 2))
    state = machine.new_state(1)
    machine.advance(state)
    assert state[RESULT] == ("win", ((depth % 2,),))
