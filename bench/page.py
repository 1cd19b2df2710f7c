"""Is the page of a table as it has to be?

    python bench/page.py [PART …] [--games hearts,exposed] [--tricks 10]

In: which parts: looks, plain, hearts, hidden, slow, keys, room, questions, undo, end, tests; all of them unless some
are named. `plain` are all games without their `display`, and `undo` plays `--rounds` games without a browser. Out: a
line for each thing that a page has to be, with its figure, and `ok` or `NOT`. Exit code 1 if one is not. It needs
Chromium and the extra `browser`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from browsers import CHROMIUM, play_on, served, sit_down
from keys import find_nameless, play_by_keys
from looking import SIZES, look
from paths import ROOT

SEATS = {"hearts": 4, "exposed": 4, "liars_dice": 4, "wallet": 4, "wrong_party": 4, "cheat": 4, "fireworks": 3}
PARTS = ("looks", "plain", "hearts", "hidden", "slow", "keys", "room", "questions", "undo", "end", "tests")
PHONE = {"width": 360, "height": 740}
MOST_OF_DOCK = 0.34
LONGEST_FRAME = 20  # milliseconds, of 95 in 100
_WATCH = """
window.seen = []; window.frames = [];
let last = performance.now(), count = -1;
const look = (now) => {
  frames.push(now - last);
  last = now;
  const found = document.querySelectorAll('.trick .played').length;
  if (found !== count) seen.push([now, (count = found)]);
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
_COUNT_MOVES = """
window.most = 0;
const isMove = (one) => !(one instanceof CSSTransition);  // a shadow that fades is no move
setInterval(() => (most = Math.max(most, document.getAnimations().filter(isMove).length)), 10);
"""
TESTS = {
    "6 other seats are sent the same, at the same paces": ["tests/secrets/test_streams.py", "-k", "socket"],
    "7 a secret question calls nobody": ["tests/web/test_signals.py"],
    "12 pictures of strangers": ["tests/web/test_pictures.py", "tests/dsl/test_looks.py"],
    "13 cards on paper and elsewhere": ["tests/printed"],
}
"""What tests hold, by the point that they are for."""

Line = tuple[str, str, bool]
"""What has to be, its figure, and whether it is so."""


def main() -> int:
    """Measure, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", default=PARTS)
    parser.add_argument("--games", default=",".join(SEATS))
    parser.add_argument("--tricks", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=2000, help="Games of `undo`.")
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright  # `--help` needs none

    is_sound = True
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        folder = Path(name)
        parts: dict[str, Any] = {
            "looks": lambda: measure_looks(browser, folder, {game: SEATS[game] for game in asked.games.split(",")}),
            "plain": lambda: measure_plain(browser, folder),
            "hearts": lambda: measure_tricks(browser, folder, asked.tricks),
            "hidden": lambda: measure_hidden(browser, folder),
            "keys": lambda: measure_keys(browser, folder),
            "undo": lambda: count_undone(asked.rounds),
            "slow": lambda: measure_frames(browser, folder),
            "room": lambda: measure_room(browser, folder),
            "questions": count_causes,
            "end": lambda: measure_end(browser, folder),
            "tests": run_tests,
        }
        for part in asked.parts:
            for what, figure, is_met in parts[part]():
                print(f"{'ok ' if is_met else 'NOT'} {what}: {figure}", flush=True)
                is_sound &= is_met
    return 0 if is_sound else 1


def _sit_alone(browser: Any, server: Any, **context: Any) -> Any:
    (ana,) = sit_down(browser, {"Ana": server.links["Ana"]}, 1, **{"viewport": PHONE, **context})
    return ana


def _words(game: str, seats: int, *more: str) -> list[str]:
    bots = ["bot:random"] * (seats - 1)
    return [game, "--seats", ",".join(["Ana", *bots]), "--port", "0", "--seed", "5", "--pace", "0", *more]


MOMENTS = {"begun": 0, "middle": 20, "end": 100_000}
"""When games are looked at, and how many touches lead there."""


def measure_looks(
    browser: Any, folder: Path, games: dict[str, int], moments: Sequence[str] = tuple(MOMENTS), point: str = ""
) -> Iterator[Line]:
    """Look at games at their beginning, in their middle and at their end, in all windows, light and dark. `games` are
    names, or folders, with how many sit there.
    """
    faults, docks, contrast, count = list[str](), list[tuple[float, str]](), 99.0, 0
    for words, seats in games.items():
        game = Path(words).name
        with served(folder / f"{game}{point[:2]}", *_words(words, seats)) as server:
            ana = _sit_alone(browser, server, reduced_motion="reduce")
            for moment in moments:
                touches = MOMENTS[moment]
                is_over = play_on([ana], touches) if touches else False
                if is_over and ana.page.get_by_role("button", name="Go on").count():
                    ana.page.get_by_role("button", name="Go on").click()
                if not is_over:
                    ana.page.locator("#ask:not(.wait)").wait_for()
                elif moment != "end":
                    break
                ana.page.evaluate("document.querySelector('.tells[aria-expanded=true]')?.click()")
                for width, height in SIZES:
                    for theme in ("light", "dark"):
                        seen = look(ana.page, width, height, theme)
                        at = f"{game}, {moment}, {width} × {height} {theme}"
                        faults += [f"{at}: {fault}" for fault in seen.complain()]
                        contrast, count = min(contrast, seen.facts["contrast"]), count + 1
                        if (width, height) == (360, 740):
                            docks.append((seen.share, at))
                if moment == "begun" and game in ("hearts", "exposed"):
                    yield measure_sight(ana, game, point)
                ana.page.set_viewport_size(PHONE)
            ana.page.context.close()
    figure = f"{len(faults)} in {count} looks {faults[:5] or ''}"
    yield f"{point}1 faults of size, contrast, width and cutting", figure, not faults
    yield f"{point}1 least contrast", f"{contrast:.2f}", contrast >= 4.5
    share, at = max(docks)
    yield f"{point}2 most of 740 px that a dock takes", f"{share:.0%} ({at})", share <= MOST_OF_DOCK


def measure_plain(browser: Any, folder: Path) -> Iterator[Line]:
    """Look at all games of the box as if their authors had said nothing of how they look."""
    from shipped import load_game

    from rulebook import library

    games = {}
    for found in library.find_games():
        plain = folder / "plain" / found.name
        shutil.copytree(found, plain)
        for file in plain.glob("*.yaml"):
            text = file.read_text("utf-8")
            file.write_text(re.sub(r"^display:.*\n(?:(?:[ \t#].*)?\n)*", "", text, flags=re.MULTILINE), "utf-8")
        games[str(plain)] = min(max(load_game(plain).players), 4)
    yield from measure_looks(browser, folder, games, ("begun", "middle"), "14 without a display: ")


def measure_sight(ana: Any, game: str, point: str) -> Line:
    """Look whether all that belongs together stands in sight on a phone."""
    ana.page.set_viewport_size(PHONE)
    ana.page.wait_for_timeout(100)
    parts = ".mine .card, .trick .spot" if game == "hearts" else ".board .tile"
    out = ana.page.evaluate(
        """(parts) => {
          const [table, all] = [document.querySelector('main'), [...document.querySelectorAll(parts)]];
          table.scrollTop = 0;
          const bottom = table.getBoundingClientRect().bottom;
          return [all.length, all.filter((one) => one.getBoundingClientRect().bottom > bottom + 1).length];
        }""",
        parts,
    )
    figure = f"{out[0] - out[1]} of {out[0]}"
    return f"{point}3 {game}: in sight on a phone without scrolling", figure, out[1] == 0 and out[0] > 16


def measure_tricks(browser: Any, folder: Path, tricks: int) -> Iterator[Line]:
    """Play tricks, and time how long the last card of each is seen; then how soon a touch leads to the question."""
    with served(folder / "tricks", *_words("hearts", 4)) as server:
        ana = _sit_alone(browser, server)
        ana.page.evaluate(_WATCH)
        whole, seen = list[float](), list[list[float]]()
        while len(whole) < tricks:
            if ana.page.locator("#ask:not(.wait)").count():
                ana.act()
            ana.page.wait_for_timeout(60)
            seen = ana.page.evaluate("seen")
            whole = [later[0] - here[0] for here, later in pairwise(seen) if here[1] == 4]
        least = min(whole)
        yield "4 the least time that a last card is seen", f"{least:.0f} ms in {len(whole)} tricks", least >= 1000
        ana.page.locator("#ask:not(.wait)").wait_for()
        left = ana.page.evaluate("document.getElementById('air').children.length")
        yield "5 left in the air", str(left), left == 0
        touched = ana.page.evaluate(
            """async () => {
              const { makePlayer } = await import('/files/motion.js');
              const [a, b] = [['a', 9], ['b', 0]].map(([key, count]) => ({ key, cards: [], hidden: count, count }));
              const page = { mine: [], table: [a, b], others: [] };
              const cards = [{ title: 'x', times: 1 }];
              let shown = null;
              const player = makePlayer((now) => (shown = now));
              const beats = [
                { from: 'a', to: 'b', how: 'move', cards, count: 0 },
                { from: 'b', to: 'a', how: 'deal', cards, count: 0 },
              ];
              player.add(page, { ...page, ask: {} }, beats);
              await new Promise((done) => setTimeout(done, 50));
              const began = performance.now();
              player.skip();
              while (!shown.ask) await new Promise((done) => setTimeout(done, 1));
              return performance.now() - began;
            }"""
        )
        yield "4 from a touch to the question", f"{touched:.0f} ms", touched <= 100
        ana.page.context.close()


def measure_hidden(browser: Any, folder: Path) -> Iterator[Line]:
    """Hide a page for 30 seconds while a game goes on, and come back to it."""
    hide = """(is) => {
      Object.defineProperty(document, 'hidden', { value: is, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }"""
    words = _words("hearts", 4, "--pace", "0.5", "--answer-within", "10s")
    with served(folder / "hidden", *words) as server:
        ana = _sit_alone(browser, server)
        ana.page.locator("#ask:not(.wait)").wait_for()
        ana.page.evaluate(_COUNT_MOVES)
        ana.page.evaluate(hide, True)
        ana.page.wait_for_timeout(500)
        ana.page.evaluate("window.most = 0")
        ana.page.wait_for_timeout(30_000)
        ana.page.evaluate(hide, False)
        ana.page.wait_for_timeout(100)
        again = ana.page.get_by_role("button", name="Look again")
        for _ in range(20):
            if not again.count():
                ana.page.wait_for_timeout(100)
        most = ana.page.evaluate("most")
        yield "5 animations while a page is hidden for 30 s, and when it is back", str(most), most == 0
        found = again.inner_text() if again.count() else "nothing"
        yield "5 then the dock says", found, "Look again" in found and int(found.split()[0]) > 1
        if again.count():
            again.click()
            ana.page.wait_for_timeout(1000)
            most = ana.page.evaluate("most")
            yield "5 animations when it is looked at again", str(most), most > 0
        ana.page.context.close()


def measure_keys(browser: Any, folder: Path) -> Iterator[Line]:
    """Play by keys alone, and read what the tree for screen readers says."""
    for game in ("hearts", "exposed", "wallet", "liars_dice", "kuhn_poker"):
        with served(folder / f"keys {game}", *_words(game, SEATS.get(game, 2))) as server:
            ana = _sit_alone(browser, server, reduced_motion="reduce")
            nameless, answers = set[str](), 0
            while answers < 12 and not ana.look()["over"]:
                if not ana.look()["asked"]:
                    ana.page.wait_for_timeout(50)
                    continue
                nameless |= {*find_nameless(ana.page)}
                answers += play_by_keys(ana)
            figure = f"{answers} answers, {len(nameless)} without words {sorted(nameless)[:3] or ''}"
            yield f"11 {game} by keys alone, and signs and controls without words", figure, answers > 0 and not nameless
            ana.page.context.close()


def measure_frames(browser: Any, folder: Path) -> Iterator[Line]:
    """Play with a processor that is four times slower, and without motion."""
    with served(folder / "slow", *_words("hearts", 4)) as server:
        ana = _sit_alone(browser, server)
        ana.page.context.new_cdp_session(ana.page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        ana.page.evaluate(_WATCH)
        for _ in range(40):
            if ana.page.locator("#ask:not(.wait)").count():
                ana.act()
            ana.page.wait_for_timeout(100)
        frames = sorted(ana.page.evaluate("frames"))
        slowest = frames[len(frames) * 95 // 100]
        yield "5 frames, 95 of 100 within", f"{slowest:.1f} ms of {len(frames)}", slowest <= LONGEST_FRAME
        ana.page.context.close()
        calm = _sit_alone(browser, server, reduced_motion="reduce")
        most = 0
        for _ in range(20):
            if calm.page.locator("#ask:not(.wait)").count():
                calm.act()
            most = max(most, calm.page.evaluate("document.getAnimations().length"))
            calm.page.wait_for_timeout(50)
        yield "5 animations where motion is turned off", str(most), most == 0
        calm.page.context.close()


def measure_room(browser: Any, folder: Path) -> Iterator[Line]:
    """Look that nothing is dealt before somebody begins."""
    import sqlite3

    store = folder / "room"
    with served(store, *_words("hearts", 4), waits=True) as server:
        ana = _sit_alone(browser, server)
        begin = ana.page.get_by_role("button", name="Begin the game")
        begin.wait_for()
        with sqlite3.connect(store) as database:
            ((kept,),) = database.execute("select count(*) from lines")
        yield "8 kept before somebody begins", f"{kept} lines", kept == 0
        begin.click()
        ana.page.locator(".mine .card").first.wait_for()
        yield "8 touches until a game begins when all are there", "1", True
        ana.page.context.close()


def measure_end(browser: Any, folder: Path) -> Iterator[Line]:
    """Play to the end; somebody has won, it is said why, and all can play again."""
    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0", "--seed", "2")
    with served(folder / "end", *words) as server:
        persons = sit_down(browser, server.seats, 1, viewport=PHONE, reduced_motion="reduce")
        play_on(persons)
        for person in persons:
            go_on = person.page.get_by_role("button", name="Go on")
            if go_on.count():
                go_on.click()
        heads = [person.page.locator(".crowned h2").inner_text() for person in persons]
        whys = [person.page.locator(".crowned p").inner_text() for person in persons]
        is_said = "You win" in heads and all(any(letter.isdigit() for letter in why) for why in whys)
        yield "10 who has won, and why", f"{heads} {whys[0]!r}", is_said
        for person in persons:
            person.page.locator("#ask .main").click()
        for person in persons:
            person.page.locator(".crowned").wait_for(state="detached")
        yield "10 the next game begins when both want it, without a reload", "yes", True


def count_causes() -> Iterator[Line]:
    """Play the games of the box at random, and look what stands before each question."""
    from shipped import load_game, lower_game

    from rulebook import library
    from rulebook.table.causes import Causes
    from rulebook.table.shared import SharedGame

    questions = nameless = engines = causes = 0
    for name, seats in SEATS.items():
        found = library.find_game(name)
        rulebook, program = load_game(found), lower_game(found, seats)
        game, known, random = SharedGame(program, 5, tuple("ABCDEFG"[:seats])), Causes(rulebook), Random(name)
        for _ in range(150):
            if game.decision is None:
                break
            for ask in game.decision.asks:
                questions += 1
                engines += not ask.prompt and not any(option.key.startswith("label:") for option in ask.options)
                has_cause = known.word_cause(game, ask, game.events(ask.seat)) != ""
                causes += has_cause
                nameless += not has_cause and not game.view(ask.seat).facts["stages"]
            ask = game.decision.asks[0]
            keys = game.machine.random_answer(game.state, ask, random.randrange)
            game.answer(ask.seat, list(keys), ask.number)
    figure = f"{nameless} of {questions}, {causes} with a cause"
    yield "9 questions without a cause and without a stage", figure, not nameless
    yield "9 questions that the engine had to word", str(engines), not engines


def count_undone(games: int) -> Iterator[Line]:
    """Play games at random in which people take back what their pages offer."""
    from shipped import load_game, lower_game
    from taking_back import take_back

    from rulebook import library

    found, tried, refused, wrong = library.find_games(), 0, 0, list[str]()
    for number in range(games):
        folder = found[number % len(found)]
        seats = sorted(load_game(folder).players)
        players = min(seats[number // len(found) % len(seats)], 5)
        game = take_back(lower_game(folder, max(players, seats[0])), 1 + number % 3 if players > 2 else 1, number, 25)
        tried, refused = tried + game.tried, refused + len(game.refused)
        wrong += [f"{folder.name} {number}: {why}" for why in game.is_wrong]
    # That somebody has answered may be a secret until it is asked for: then the page asks the others.
    asked = sum("If everybody agrees" in why for why in wrong)
    figure = f"{len(wrong) - asked} of {tried} in {games} games, {asked} led to asking the others, "
    figure += f"{refused - len(wrong)} for a secret {wrong[:2] or ''}"
    yield "9 offered to be taken back and then refused", figure, len(wrong) == asked <= tried / 100


def run_tests() -> Iterator[Line]:
    """Run the tests that hold the rest."""
    for what, words in TESTS.items():
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *words]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        yield what, ran.stdout.strip().rpartition("\n")[2] or "no tests", ran.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
