"""What says nothing is found by play: whole games with sentences that say nothing in them, and games that are right.

In the files of `data/ablation/games`, behind each line stand the sorts of what is told about it, and of nothing else;
in `data/ablation/lines.yaml` something is found at each mark.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import get_args

import attrs
import pytest
import yaml
from cores import answer_nobody, play_both
from paths import DATA

from rulebook import diagnostics
from rulebook.diagnostics.registry import unmarked
from rulebook.dsl import ir
from rulebook.examples import of_its_own
from rulebook.interpreter.core.door import AT_RANDOM, Core
from rulebook.interpreter.core.library import NoCore, library
from rulebook.interpreter.core.watching import Watching
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Mutation, Program
from rulebook.library import find_game
from rulebook.loading import load
from rulebook.playtest.ablation.findings import Kind, find_all
from rulebook.playtest.ablation.messages import find_silent
from rulebook.playtest.ablation.playing import Played, ablate
from rulebook.playtest.ablation.wrapping import wrap
from rulebook.playtest.series.counting import Counted, Counting
from rulebook.playtest.series.watching import Lookout

try:
    library()
except NoCore as missing:
    pytest.skip(str(missing), allow_module_level=True)

GAMES = DATA / "ablation" / "games"
PLANTED = sorted(GAMES.glob("*.yaml"))
LINES = yaml.safe_load((DATA / "ablation" / "lines.yaml").read_text("utf-8"))
AROUND = {"turn": "rules:\n  act(me): |\n", "game": "format: 1\nname: Lines\nplayers: 2..4\n"}


def read_game(file: Path, tmp_path: Path, change: tuple[str, str] = ("", "")) -> ir.Rulebook:
    (tmp_path / "rulebook.yaml").write_text(file.read_text("utf-8").replace(*change), "utf-8")
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None
    return rulebook


def play(rulebook: ir.Rulebook, games: int = 200) -> Played:
    played = ablate(rulebook, games)
    assert played is not None
    return played


@pytest.mark.parametrize("file", PLANTED, ids=lambda file: file.stem)
def test_what_is_told(file: Path, tmp_path: Path) -> None:
    rulebook = read_game(file, tmp_path)
    found = [one for one in find_all(rulebook, play(rulebook)) if one.is_told]
    told = sorted((one.at.span.line, one.kind.name) for one in found if one.at is not None)
    lines = file.read_text("utf-8").split("\n")
    written = [(number, line.partition(" # ")[2]) for number, line in enumerate(lines, 1) if not line.startswith("#")]
    assert told == sorted((number, kind) for number, kinds in written for kind in re.findall(r"\b[A-Z_]+\b", kinds))
    assert len(told) == len(found)


@pytest.mark.parametrize("case", LINES.values(), ids=LINES.keys())
def test_a_line_of_which_nothing_is_ever_otherwise(case: dict[str, str], tmp_path: Path) -> None:
    ((kind, marked),) = case.items()
    text, places = unmarked(marked)
    before = AROUND[kind]
    if kind == "turn":
        (tmp_path / "rulebook.yaml").write_text((Path(diagnostics.__file__).parent / "fair.yaml").read_text("utf-8"))
        (tmp_path / "act.yaml").write_text(before + textwrap.indent(text, "    "))
    else:
        (tmp_path / "rulebook.yaml").write_text(before + text)
    rulebook = load(tmp_path).rulebook
    assert rulebook is not None
    spans = [one.at.span for one in find_all(rulebook, play(rulebook)) if one.at is not None]
    name, above = "act.yaml" if kind == "turn" else "rulebook.yaml", before.count("\n")
    found = {span.line - above for span in spans if Path(span.file.name).name == name}
    marks = [(text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1) for start, end in places]
    assert all(found & {*range(first, last + 1)} for first, last in marks), (found, marks)


@pytest.mark.slow
def test_a_choice_without_an_option_is_found_in_a_large_game(tmp_path: Path) -> None:
    """The rules say it of a card that comes up now and then, and leave nothing else to be told."""
    wallet = shutil.copytree(find_game("wallet"), tmp_path / "wallet")
    file, right = wallet / "specials.yaml", "choose hidden from free_cards(me) "
    before = file.read_text("utf-8")
    assert before.count(right) == 1
    file.write_text(before.replace(right, f"{right}where it is token "), "utf-8")
    rulebook = load(wallet).rulebook
    assert rulebook is not None
    (message,) = [message for message in find_silent(rulebook) or () if message.code != diagnostics.LISTED]
    assert (message.code, message.message) == ("RB732", "There was never anything to choose.")
    line = before.count("\n", 0, before.index(right)) + 1
    assert message.span is not None and (Path(message.span.file.name).name, message.span.line) == (file.name, line)


@pytest.mark.slow
@pytest.mark.parametrize("file", [*PLANTED, *sorted((DATA / "tiers").glob("*.yaml"))], ids=lambda file: file.stem)
def test_a_mutant_is_the_same_game_on_the_machine_and_in_the_core(file: Path, tmp_path: Path) -> None:
    wrapped = wrap(read_game(file, tmp_path))
    program = lower(wrapped.rulebook, 3, marks=wrapped.marks)
    core = Core(program)
    watching = Watching(core, len(wrapped.sites), len(wrapped.mutants), 1, 0)
    assert len(wrapped.mutants) > 5
    for mutant in (-1, *range(0, len(wrapped.mutants), 4)):
        watching.try_mutant(mutant)
        play_both(attrs.evolve(program, mutation=Mutation(mutant)), seed=mutant + 1, most=60, core=core)


def test_a_watched_game_is_the_same_game(tmp_path: Path) -> None:
    """Watched, a game asks the same questions with the same options, and comes to the same end."""
    rulebook = read_game(GAMES / "sound.yaml", tmp_path)
    wrapped = wrap(rulebook)
    watched, plain = lower(wrapped.rulebook, 3, marks=wrapped.marks), lower(rulebook, 3)
    for seed in range(5):
        assert count_game(watched, wrapped.rulebook, seed) == count_game(plain, rulebook, seed)


def count_game(program: Program, rulebook: ir.Rulebook, seed: int) -> tuple[Counted, int, tuple[int, ...]]:
    """Count what is in a game at random, as the core plays it, with its turns and the order of its seats."""
    core, lookout = Core(program), Lookout(Machine(program), rulebook)
    counting = Counting(core, lookout.owners, lookout.key)
    log = core.watch_game(seed, bytes([AT_RANDOM] * 3), answer_nobody, counting.plan)
    assert log is not None and log.counts is not None
    return counting.read(log.counts), log.turns, log.order


SMALL = """format: 1
name: Heard
players: 2..2
kinds: {gem: {}}
places:
  table: {heap: {holds: gem, kept: pile, seen_by: nobody}, line: {holds: gem, kept: row}}
  player: {hand: {holds: gem, kept: row, seen_by: nobody}}
cards: {ruby: {kind: gem, copies: 9}}
rules:
  game: |
    move cards to heap
    shuffle heap
    draw 2 from heap to line
    deal 2 from heap to each hand
"""
HEARD: dict[type[ir.Sentence], str] = {
    ir.Move: "move last(line) to line",
    ir.Draw: "draw 1 from heap to line",
    ir.Deal: "deal 1 from heap to each hand",
    ir.Pass: "pass each hand left",
    ir.Swap: "swap first(line) with last(line)",
    ir.Reveal: "reveal first(first(players).hand)",
    ir.Show: "show first(players).hand to last(players)",
    ir.Say: 'say "Well"',
}
NOT_HEARD = {ir.Assign, ir.DoRule, ir.Stage}
"""Sentences that somebody may notice by what they set, or by their title."""


@pytest.mark.slow
def test_who_watches_hears_each_sentence_that_all_notice() -> None:
    """So a mutant that leaves one out is noticed, though all came to lie as it would have."""
    noticed = {kind for kind in get_args(ir.Statement) if kind.noticed is not ir.NEVER}
    assert noticed == {*HEARD, *NOT_HEARD}
    heard = {listen(""): "nothing"}
    for kind, sentence in HEARD.items():
        assert heard.setdefault(listen(sentence), sentence) == sentence, kind


def listen(sentence: str) -> int:
    """Play the small game with one more sentence, watched, and return what was heard."""
    book, found = of_its_own(SMALL + f"    {sentence}\n" * bool(sentence))
    assert book is not None, found
    wrapped = wrap(book)
    core = Core(lower(wrapped.rulebook, 2, marks=wrapped.marks))
    watching = Watching(core, len(wrapped.sites), len(wrapped.mutants), 1, 0)
    watching.try_mutant(-1)
    table = core.load_state(Machine(core.program).new_state(1))
    assert table.advance() == 0
    return int(core.code.what_is_heard(table.at))


def read_terminal(end: int) -> Iterator[str]:
    """Read what is shown at a terminal, until nobody has it any more."""
    with suppress(OSError):
        while shown := os.read(end, 4096):
            yield shown.decode()
    os.close(end)


@pytest.mark.slow
def test_what_is_known_is_shown_at_a_terminal_before_all_is_played(tmp_path: Path) -> None:
    text = (GAMES / "alike.yaml").read_text("utf-8").replace("memory:\n", "memory:\n  table: {idle: 0}\n")
    (tmp_path / "rulebook.yaml").write_text(text, "utf-8")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from rulebook.cli import main; main()", "validate", "--play", "200", "."]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, text=True) as playing:
        os.close(theirs)
        shown = "".join(read_terminal(ours))
        printed, _ = playing.communicate()
    order = [
        "RB507 Nothing uses the memory `idle`.", "games played",
        "what says nothing: 1 of 3 settings, so far rulebook.yaml:", "3 of 3 settings",
    ]  # fmt: skip
    places = [shown.find(words) for words in order]
    assert -1 not in places and places == sorted(places), shown
    piped = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, text=True)
    assert piped.stdout == printed, "what is for a terminal alone changes nothing of the rest"
    assert piped.stderr == "Alike: 600 games played, 2 to 4 players.\n"


LUCKY = """
format: 1
name: Lucky
players: 2..4
kinds:
  die: {state: {face: {type: 1..6, default: 1, seen: with_face}}}
places:
  player: {cup: {holds: die, kept: loose, seen_by: everyone}}
memory: {player: {stars: 0}}
cards:
  bone_die: {kind: die, name: Die, copies: 2 * count(players)}
rules:
  game: |
    deal 2 from box to each cup
    loop:
      each me in players:
        choose one "What do you roll?":
          "Both dice":
            roll me.cup
          "One die":
            roll first(me.cup)
        if any(me.cup where face > 6):
          add -1 to me.stars
        if sum(face of me.cup) > 12:
          add 1 to me.stars
          if me.stars is 3:
            win me
"""
"""Two dice never show more than 12."""


def test_of_games_without_an_end_only_what_should_have_ended_them_is_listed(tmp_path: Path) -> None:
    (game := tmp_path / "game").mkdir()
    for text in ((GAMES / "sound.yaml").read_text("utf-8").replace("repeat 4:", "loop:"), LUCKY):
        (tmp_path / "endless.yaml").write_text(text, "utf-8")
        endless = read_game(tmp_path / "endless.yaml", game)
        played = play(endless)
        assert played.games and not played.is_sound
        findings = find_all(endless, played)
        assert findings and {(finding.kind, finding.is_told) for finding in findings} == {(Kind.NEVER_YES, False)}
    assert [finding.at.words for finding in findings if finding.at is not None] == ["sum(face of me.cup) > 12"]


@pytest.mark.slow
def test_a_script_that_a_variant_brings_and_nothing_runs_is_told(tmp_path: Path) -> None:
    """Those of the game itself a variant may have no use for."""
    shutil.copytree(find_game("wallet"), tmp_path / "wallet")
    variant = tmp_path / "wallet" / "variants" / "afterparty.yaml"
    variant.write_text(AFTERPARTY, "utf-8")
    rulebook = load(tmp_path / "wallet", [variant]).rulebook
    assert rulebook is not None
    found = [finding for finding in find_all(rulebook, play(rulebook, 50)) if finding.kind is Kind.SCRIPT]
    assert [finding.name for finding in found if finding.is_told] == ["cards.afterparty.effect"]


AFTERPARTY = """
variant: afterparty
name: Afterparty
about: A special for the end of a turn.
extends: wallet
add:
  words.timing.after_turn: At the end of your turn
  cards.afterparty:
    kind: special
    name: Afterparty
    timing: after_turn
    text: Take one more card from the wallet.
    effect: draw 1 from wallet to me.hand
"""


def test_work_has_an_end(tmp_path: Path) -> None:
    """Where there was no time for some settings nothing is told."""
    rulebook = read_game(GAMES / "planted.yaml", tmp_path)
    played = ablate(rulebook, most_work=200_000)
    assert played is not None
    assert played.left_out and played.untried
    assert not [one for one in find_all(rulebook, played) if one.is_told]


def test_the_same_run_finds_the_same(tmp_path: Path) -> None:
    rulebook = read_game(GAMES / "planted.yaml", tmp_path)
    assert find_all(rulebook, play(rulebook)) == find_all(rulebook, play(rulebook))
