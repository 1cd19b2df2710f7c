"""The native tier: the same games as the blind tier, answer by answer, in every bundled game.

`bench/native.py` plays many more games of this kind, at every number of players.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shipped import load_game, lower_game
from tiers import differences, held_against_machine

from rulebook.cache import SWITCH as KEPT
from rulebook.interpreter.compiled.tier import BlindMachine
from rulebook.interpreter.layout import COUNTS, PENDING
from rulebook.interpreter.lower import lower
from rulebook.interpreter.native import compiler
from rulebook.interpreter.native.program import BEFORE, BEHIND, text_of
from rulebook.interpreter.native.tier import CannotPack, Native, Unavailable
from rulebook.interpreter.native.walk import Walk
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import outcome
from rulebook.interpreter.state import State, clone
from rulebook.library import games
from rulebook.loading import load


def why_not() -> str:
    try:
        compiler.command()
    except compiler.NoCompiler as missing:
        return str(missing)
    return ""


SMALL = sorted((Path(__file__).parent / "data" / "tiers").iterdir())
"""Games that do what no bundled game does."""
compiled = pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")


def program_of(folder: Path) -> Program:
    return lower_game(folder, load_game(folder).players[1])


def native_of(program: Program) -> Native:
    native = Native.of(program)
    assert isinstance(native, Native), native.reason
    return native


def trace_of(answers: Iterator[tuple[int, int, list[int]]]) -> int:
    """The hash of a game's answers: who, among how many options, which."""
    trace = 0xCBF29CE484222325
    for seat, options, indexes in answers:
        for number in (seat, options, *indexes):
            trace = (trace ^ (number % 2**64)) * 0x100000001B3 % 2**64
    return trace


def played_by(machine: BlindMachine, state: State, seed: int) -> Iterator[tuple[int, int, list[int]]]:
    """A game to its end, answer by answer, with the random numbers of `bot:random`."""
    bots = [Source(seed, f"bot:{seat}").below for seat in range(machine.program.players)]
    machine.advance(state)
    while state[PENDING][0] == "ask":
        seat = machine.waiting(state)[0]
        found = machine.choices(state, seat)
        value = found.random(bots[seat])
        answer = [value] if not found.pick.many else [*(value or ())]
        options = len(found.values) + found.may_pass
        yield seat, options, [-1] if value is None else [found.values.index(one) for one in answer]
        machine.answer_value(state, seat, value)
        machine.advance(state)


def held_against(program: Program, native: Native, before: State, state: State, seed: int, trace: int) -> None:
    """The last of the native games was the one that ended in this state."""
    whole = before[COUNTS] == (0,) * (program.players + 1) and before[PENDING] is None
    found, *_ = native.games([seed]) if whole else native.rollouts(before, [seed])
    assert found.stopped == ""
    assert [*differences(program, native.last_state(before), state, blind=True)] == []
    assert found.outcome == outcome(program, state)
    assert (found.decisions, found.trace) == (state[COUNTS][: program.players], trace)


@compiled
@pytest.mark.parametrize("folder", games(), ids=lambda folder: folder.name)
def test_games_are_those_of_the_blind_tier(folder: Path) -> None:
    program = program_of(folder)
    native, blind = native_of(program), BlindMachine(program)
    for seed in range(3):
        state = blind.new_state(seed)
        before = clone(state)
        held_against(program, native, before, state, seed, trace_of(played_by(blind, state, seed)))
    assert len(set(native.games(range(3)))) == 3 or folder.name == "kuhn_poker"


@compiled
@pytest.mark.parametrize("folder", games(), ids=lambda folder: folder.name)
def test_a_game_is_played_on_from_wherever_it_waits(folder: Path) -> None:
    program = program_of(folder)
    native, blind = native_of(program), BlindMachine(program)
    state, waits = blind.new_state(7), []
    for _ in played_by(blind, state, 7):
        waits.append(clone(state))
    for before in waits[:: max(1, len(waits) // 6)]:
        state = clone(before)
        held_against(program, native, before, state, 9, trace_of(played_by(blind, state, 9)))


@compiled
@pytest.mark.parametrize("folder", games(), ids=lambda folder: folder.name)
def test_a_walk_goes_where_the_blind_tier_goes(folder: Path) -> None:
    program = program_of(folder)
    native, blind, below = native_of(program), BlindMachine(program), Source(4, "walk").below
    state = blind.new_state(4)
    walk = Walk.begun(native, clone(state))
    blind.advance(state)
    for _ in range(60):
        assert [*differences(program, walk.state(), state, blind=True)] == []
        if state[PENDING][0] != "ask":
            break
        seat = blind.waiting(state)[0]
        found, offered = blind.choices(state, seat), walk.offered
        assert offered is not None
        assert (offered.seat, offered.values, offered.may_pass) == (seat, found.values, found.may_pass)
        assert (offered.least, offered.most, offered.is_set) == (found.least, found.most, found.pick.many)
        value = found.random(below)
        blind.answer_value(state, seat, value)
        blind.advance(state)
        other, answer = walk.copy(), [value] if not found.pick.many else [*(value or ())]
        for either in (walk, other):
            either.answer(None if value is None else [found.values.index(one) for one in answer])
        assert walk.playouts([5])[0] == other.playouts([5])[0]


@compiled
def test_an_answer_that_may_not_be_given_changes_nothing() -> None:
    program = program_of(next(one for one in games() if one.name == "wallet"))
    walk = Walk.begun(native_of(program), BlindMachine(program).new_state(0))
    before, offered = walk.state(), walk.offered
    assert offered is not None
    for numbers in ([len(offered.values)], [0, 0], [-1], *([] if offered.may_pass else [None])):
        with pytest.raises(ValueError, match="may not be given"):
            walk.answer(numbers)
    assert [*differences(program, walk.state(), before)] == []


@compiled
def test_a_state_that_waits_for_chance_is_refused() -> None:
    program = program_of(games()[0])
    state = BlindMachine(program).new_state(0)
    state[PENDING] = ("chance",)
    with pytest.raises(CannotPack, match="an outcome of chance"):
        native_of(program).rollouts(state, [0])


TALKATIVE = """
format: 1
name: Talkative
players: 2..2
kinds:
  ball: {has: {worth: number}}
places:
  table: {urn: {holds: ball, kept: loose, seen_by: nobody}}
  player: {hand: {holds: ball, kept: loose, seen_by: owner}}
cards:
  white: {kind: ball, name: White, worth: 1, copies: 4}
rules:
  game: |
    move cards where it is ball to urn
    let words = "There are {count(urn)}."
    say "{words}"
result: {rank: most sum(worth of it.hand)}
"""


def test_what_has_no_c_yet_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(TALKATIVE, encoding="utf-8")
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    refused = Native.of(lower(rulebook, 2))
    assert isinstance(refused, Unavailable)
    assert re.fullmatch(
        r"There is no C yet for a text with values in it, as a value \(.*rulebook\.yaml:15\)\.", refused.reason
    )


LACKING = """
format: 1
name: Lacking
players: 2..3
words: {mark: {sun: Sun, moon: Moon, star: Star}}
kinds:
  tile: {has: {worth: number, marks: {type: set of mark, default: []}}}
places:
  table:
    bag: {holds: tile, kept: bag, seen_by: nobody}
    line: {holds: tile, kept: row, seen_by: everyone}
  player:
    hand: {holds: tile, kept: loose, seen_by: owner}
    shown: {holds: tile, kept: slot, seen_by: everyone}
memory:
  table: {seen: {type: set of mark}}
  player: {points: 0}
cards:
  single: {kind: tile, name: One, worth: 1, marks: [sun], copies: 5}
  double: {kind: tile, name: Two, worth: 2, marks: [moon, sun], copies: 5}
  triple: {kind: tile, name: Three, worth: 3, copies: 5}
  quadruple: {kind: tile, name: Four, worth: 4, marks: [star], copies: 3}
values:
  dear(p): any((line where worth > 2) + (line where worth > p.shown.worth) where worth > 1)
  dearer(p): "first((line where worth > 2) + (line where worth > p.shown.worth))"
  sought(p): seen if p.points % 2 is 1 else p.shown.marks
  common(p): count(distinct(seen + p.shown.marks) where it in sought(p))
  new(p, tile c): any(c.marks where it not in sought(p))
rules:
  game: |
    move cards where it is tile to bag
    draw 2 from bag to line
    each p in players:
      draw 4 from bag to p.hand
    repeat 4 as n:
      each p in players chooses:
        kept from p.hand "Which do you keep?"
        given from p.hand "Which do you lay down?"
      each p in players:
        move given[p] to line
        add common(p) to p.points
        if dear(p):
          add 10 to p.points
        if dearer(p) is nothing:
          add 100 to p.points
        if new(p, kept[p]):
          add 500 * count(players where points >= 0) to p.points
        set seen = distinct(seen + given[p].marks)
        if p.shown is empty and n > 1:
          move kept[p] to p.shown
result: {rank: most points}
"""


@compiled
def test_what_is_asked_of_nothing_leaves_out_the_same_sentences(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(LACKING, encoding="utf-8")
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    program = lower(rulebook, 3)
    native, blind = native_of(program), BlindMachine(program)
    for seed in range(50):
        state = blind.new_state(seed)
        before = clone(state)
        held_against(program, native, before, state, seed, trace_of(played_by(blind, state, seed)))
    scores = {score for one in native.games(range(50)) for score in one.outcome.scores}
    # Nobody shows a card in the first two of four rounds, so `dear` is asked in vain there.
    assert {score // 10 % 10 for score in scores} == {2} and len({score % 10 for score in scores}) > 1


@compiled
@pytest.mark.parametrize("file", SMALL, ids=lambda file: file.stem)
def test_what_no_bundled_game_does_is_done_alike(file: Path, tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_bytes(file.read_bytes())
    loaded = load(tmp_path)
    rulebook, found = loaded.rulebook, loaded.messages
    assert rulebook is not None, found
    program = lower(rulebook, 3)
    for seed in range(5):
        assert held_against_machine(program, seed, native_of(program)) is None


@compiled
def test_what_the_compiler_makes_better_changes_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Optimized, as for everybody but these tests; and without what only some processors can do."""
    program = program_of(next(folder for folder in games() if folder.name == "exposed"))
    quick = os.environ[compiler.SWITCH]
    played = [*native_of(program).games(range(20))]
    monkeypatch.setenv(compiler.SWITCH, quick.split()[0])
    assert "-O2" in compiler.command()
    assert [*native_of(program).games(range(20))] == played
    monkeypatch.setenv(compiler.SWITCH, quick)
    monkeypatch.setattr(compiler, "INSTRUCTIONS", {})
    assert [*native_of(program).games(range(20))] == played


def test_without_a_compiler_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of(games()[0])
    monkeypatch.setenv(compiler.SWITCH, "off")
    assert Native.of(program) == Unavailable("RULEBOOK_CC says that no compiler is to be used.")
    monkeypatch.setenv(compiler.SWITCH, "no-such-compiler")
    found = Native.of(program)
    assert isinstance(found, Unavailable) and "no-such-compiler" in found.reason


@pytest.mark.parametrize("folder", games(), ids=lambda folder: folder.name)
def test_no_word_of_a_game_stands_in_printed_text(folder: Path) -> None:
    engine = Path(compiler.__file__).parent / "engine"
    printed = text_of(program_of(folder)).text
    known = set(OURS)
    for name in (*BEFORE, *BEHIND):
        part = (engine / name).read_text("utf-8")
        assert part in printed
        printed = printed.replace(part, "")
        known |= words(re.sub(r"/\*.*?\*/", "", part, flags=re.DOTALL))
    assert not re.search(r"[\"'\\]|/[/*]", printed)
    assert [one for one in words(printed) - known if not re.fullmatch(r"[a-zA-Z]\d+(_\d+|_deep)?", one)] == []


OURS = {
    *("char", "switch", "case", "default", "goto", "stdint", "define", "include", "h", "u", "INT64_C"),
    *("seat", "items", "became", "index", "answer", "of"),
}
"""Words that only printed text has: of C, and names of locals."""


def words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


@compiled
def test_only_a_library_that_was_written_here_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library runs as soon as it is loaded, so another one in its place must not be."""
    monkeypatch.setenv(KEPT, str(tmp_path / "kept"))
    text = '__attribute__((visibility("default"))) int answer(void) { return 42; }\n'
    assert compiler.library(text).answer() == 42
    [file] = (tmp_path / "kept").glob("native-*.so")
    whole = file.read_bytes()
    made: list[Path] = []
    compiled = compiler._compiled
    monkeypatch.setattr(compiler, "_compiled", lambda words, text, to: (made.append(to), compiled(words, text, to))[1])
    assert compiler.library(text).answer() == 42 and not made, "it was kept"
    elsewhere = tmp_path / "elsewhere.so"
    elsewhere.write_bytes(whole)
    mends: list[Callable[[], object]] = [
        lambda: file.write_bytes(whole[:-100]),
        lambda: file.write_bytes(b"no library"),
        lambda: file.symlink_to(elsewhere),
        lambda: (file.write_bytes(whole), file.chmod(0o777)),
        lambda: file.mkdir(),
    ]
    for number, put in enumerate(mends, 1):
        file.unlink()  # what is loaded stays as it was
        put()
        assert compiler.library(text).answer() == 42
        assert len(made) >= number


def test_a_compiler_that_cannot_be_named_so_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiler.SWITCH, "cc 'half")
    with pytest.raises(compiler.NoCompiler, match="a quote without its end"):
        compiler.command()
