"""Does a program, a state or an answer exist, however wrong, with which the core falls or goes round for ever?

    python bench/fuzz.py [--minutes 1] [--sanitize] [--seed 1] [GAME…]
    python bench/fuzz.py --sanitize --seed 1 --only 1234            # one case, again

In: minutes, or a number of cases, and names of bundled games; without names all of them, and the games of
`tests/data/tiers`. A case is a game with the program and the state that it has, or with some of their numbers changed
at random; states are of any moment of a game. What the core takes is played to its end, with right answers and wrong
ones, looked at, copied, judged, played in bulk, and thought about as bots do. With `--sanitize` this is done by a core
that is built here with the sanitizers of addresses and undefined behaviour, else by the one that is installed. Cases
are tried in a process beside this one, so that a crash is a find. Out: how many cases there were, how many programs and
states were taken, how many answers were given and thoughts ended, and each find with the number that brings it again;
exit code 1 if there is one. Never: holds what is played against the machine (`tests/helpers/cores.py` does).
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from attrs import astuple, define

from rulebook import library
from rulebook.interpreter.core import door, encode
from rulebook.interpreter.core.door import Core, Table
from rulebook.interpreter.core.imagining import Imagining, Stopped
from rulebook.interpreter.core.learning import make_plan
from rulebook.interpreter.core.library import open_library
from rulebook.interpreter.features import find_features
from rulebook.interpreter.lower import lower
from rulebook.interpreter.machine import Machine
from rulebook.loading import load
from rulebook.playtest.series.counting import Counting
from rulebook.playtest.series.watching import Lookout

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "rulebook" / "interpreter" / "core" / "engine" / "core.c"
SANITIZE = ("-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
LONGEST = 600
"""Seconds of the processor after which a case goes round for ever; a long game on a large grid may take 200."""
PER_GAME = 50
"""Cases one after the other that are of the same game; the first of them is sound."""
SECTIONS = len(encode.SECTIONS)
MOST_PLAYERS = 8
MOST_ANSWERS = 60
LARGE = (2**15, 2**16, 2**31 - 1, 2**31, 2**59, 2**61, 2**61 + 3, 2**62, 2**63 - 1)
ODD = (-1, 0, 1, 2, 5, *LARGE, *(-one for one in LARGE), -(2**63), -(2**63) + 1, -(2**63) + 2)


def odd_number(chance: random.Random, among: Sequence[int], at: int) -> int:
    """Another number for the one at a place."""
    how = chance.randrange(6)
    if how == 0:
        return chance.choice(ODD)
    if how == 1:
        return chance.randrange(-5, 300)
    if how == 2:
        return chance.randrange(4)
    if how == 3:
        return among[chance.randrange(len(among))]
    if how == 4:
        return among[max(0, min(len(among) - 1, at + chance.randrange(-4, 5)))]
    return max(-(2**63), min(2**63 - 1, among[at] + chance.choice((-2, -1, 1, 2))))


@define
class Counts:
    """What became of the cases of one process."""

    programs: int = 0
    taken_programs: int = 0
    states: int = 0
    taken_states: int = 0
    answers: int = 0
    thoughts: int = 0

    def line(self) -> str:
        return " ".join(map(str, astuple(self)))


class Stock:
    """A game in the core: its program, and rows of states from all its moments."""

    def __init__(self, folder: Path, players: int) -> None:
        rulebook = load(folder, use_cache=True).rulebook
        assert rulebook is not None, folder
        program = lower(rulebook, players)
        self.core = Core(program)
        self.image = self.core.image.numbers
        self.sections = [(self.image[2 * one], self.image[2 * one + 1]) for one in range(SECTIONS)]
        lookout = Lookout(Machine(program), rulebook)
        self.count_plan = Counting(self.core, lookout.owners, lookout.key).plan
        self.feature_plan = make_plan(find_features(program), self.core)
        width = find_features(program).width + 1
        self.weights = array("q", [random.Random(2).randrange(-9, 9) for _ in range(2 * width)])
        self.scale = array("q", (5, 7, 3, 2))
        state = Machine(program).new_state(1)
        self.rows = [self.core.pack(state)]
        table, chance = self.core.load_state(state), random.Random(1)
        table.advance()
        for _ in range(MOST_ANSWERS):
            seats = [seat for seat in range(players) if table.find_offer(seat) is not None]
            if not seats or not answer_rightly(table, seats[0], chance):
                break
            self.rows.append(stored(table))

    def try_out(self, chance: random.Random, counts: Counts, sort: str = "") -> None:
        """One case: a program or a state that is wrong, or both, or a sound one."""
        image, row = self.image, chance.choice(self.rows)
        sort = sort or chance.choices(("sound", "program", "state", "both"), (1, 8, 8, 2))[0]
        if sort in ("program", "both"):
            image = self.changed_image(chance)
        if sort in ("state", "both"):
            row = row[:]
            for _ in range(chance.choice((1, 1, 1, 2, 5))):
                at = chance.randrange(len(row))
                row[at] = odd_number(chance, row, at)
            if chance.random() < 0.05:
                del row[chance.randrange(len(row)) :]
        counts.programs += 1
        core = self.core
        game, size, work = core.game, core.size, core._work
        core.game = core.code.open_game(door._address(image), len(image))
        try:
            if not core.game:
                return
            counts.taken_programs += 1
            core.size = core.code.size_of_state(core.game)
            if core.size < 2**26:
                core._work = Table(core)  # another program may have larger states
                self.play(chance, counts, row, is_right=image is self.image)
        finally:
            core.code.close_game(core.game)
            core.game, core.size, core._work = game, size, work

    def changed_image(self, chance: random.Random) -> array[int]:
        """The program with some numbers changed; mostly so that it may still be one."""
        image = self.image[:]
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            first, many = chance.choice([(at, many) for at, many in self.sections if many])
            at = chance.randrange(many)
            image[first + at] = odd_number(chance, image[first : first + many], at)
        if chance.random() < 0.02:
            at = chance.randrange(2 * SECTIONS)
            image[at] = odd_number(chance, image[: 2 * SECTIONS], at)
        return image

    def play(self, chance: random.Random, counts: Counts, row: array[int], *, is_right: bool) -> None:
        """Load a state, play it with right and wrong answers, and a few games at random; of the right program what is
        in a game is counted, too."""
        core, code = self.core, self.core.code
        table, other = Table(core), Table(core)
        counts.states += 1
        if code.load_state(core.game, table.at, door._address(row), len(row)):
            return
        counts.taken_states += 1
        players = core.program.players
        names, seeds = array("Q", range(MOST_PLAYERS)), array("Q", [chance.randrange(2**64) for _ in range(3)])
        told = array("q", bytes(8 * len(seeds) * (door.SEATS + 3 * MOST_PLAYERS)))
        code.play_games(table.at, other.at, len(seeds), door._address(seeds), door._address(names), door._address(told))
        look_at(other)
        core.play_after(table, seeds, chance.randrange(-1, MOST_PLAYERS + 1), chance.choice((None, [0], [1, 0], [9])))
        counts.thoughts += self.watch_game(table, other, chance, is_right=is_right)
        look_at(other)
        stopped = table.advance()
        for _ in range(chance.choice((1, 5, MOST_ANSWERS))):
            if stopped:
                break
            look_at(table)
            if chance.random() < 0.2:
                counts.thoughts += think(table, chance)
            counts.answers += 1
            seat = chance.randrange(players)
            if chance.random() < 0.3:
                numbers = [chance.choice((*ODD[:8], *range(8))) for _ in range(chance.choice((0, 1, 1, 2, 3, 8)))]
                stopped = max(0, table.answer(chance.randrange(-1, MOST_PLAYERS + 1), chance.choice((numbers, None))))
            elif (offer := counted_offer(table, seat)) is not None:
                stopped = max(0, table.answer(seat, right_answer(offer, chance)))
            if chance.random() < 0.1:
                code.copy_state(other.at, table.at)
                table, other = other, table


    def watch_game(self, table: Table, other: Table, chance: random.Random, *, is_right: bool) -> bool:
        """Play a game from a table on, by bots of all kinds, and count what is in it; tell whether it came to its end.
        Plans of features and of counts are of the right program alone.
        """
        code, at_hand = self.core.code, Imagining(self.core)
        names, course, told = array("Q", range(MOST_PLAYERS)), array("q", bytes(8 * 3)), array("q", bytes(8 * 100))
        streams, way = array("Q", bytes(8 * 3 * MOST_PLAYERS)), chance.randbytes(MOST_PLAYERS)
        addresses = [door._address(one) for one in (course, names, streams, told)]
        way = bytes(one % (4 if is_right else 3) for one in way)
        if is_right:
            plan, weights, scale = map(door._address, (self.feature_plan, self.weights, self.scale))
            code.teach(at_hand.here, plan, weights, scale, 2, 2)
        is_noted = chance.randrange(2)
        if code.begin_game(table.at, other.at, addresses[0], 7, *addresses[1:3], is_noted):
            return False
        stopped = code.play_seated(
            other.at, at_hand.here, addresses[0], way, addresses[2], addresses[3]
        )
        if is_noted and is_right:
            rows = [array("q", bytes(8 * chance.choice((8, 64, 4096)))) for _ in range(2)]
            room, sizes = min(map(len, rows)), array("q", (0, 0))
            code.count_notes(other.at, *map(door._address, (self.count_plan, *rows)), room, door._address(sizes))
        return not stopped


def look_at(table: Table) -> None:
    """All that may be asked of a state."""
    code, row = table.core.code, array("q", bytes(8 * 4096))
    code.store_state(table.at, door._address(row), len(row))
    for seat in range(-1, MOST_PLAYERS + 1):
        code.what_is_offered(table.at, seat, door._address(row), len(row))


def think(table: Table, chance: random.Random) -> bool:
    """Do all that bots may do which think, for one who is asked; whether nothing stopped it."""
    core, seats = table.core, [seat for seat in range(table.core.program.players) if counted_offer(table, seat)]
    if not seats:
        return False
    seat, at = chance.choice(seats), Imagining(core)
    for one in (-1, seat):
        core.code.number_of_state(table.at, one)
    with suppress(Stopped):
        answers = at.begin(table, seat, chance.randrange(2**64), chance.random() < 0.2)
        for number in range(min(len(answers), 3)):
            at.true_answer(number)
        for _ in range(3):
            at.draw_number(chance.randrange(2**64))
            marks = at.draw(chance.randrange(2**64))
            if marks:
                at.rate(chance.randrange(len(marks)))
                at.play(chance.randrange(len(marks)))
        at.play_on(2, chance.choice((1, 40)))
        for _ in range(chance.choice((0, 2, 20))):
            if not marks or (told := at.give_and_look(chance.randrange(len(marks)))) is None:
                return True
            marks = told[2]
        if marks:
            at.give(chance.randrange(len(marks)))
            at.play_on(1, 40)
        return True
    return False


def stored(table: Table) -> array[int]:
    """A state as a row."""
    row = array("q", bytes(8 * 65536))
    return row[: table.core.code.store_state(table.at, door._address(row), len(row))]


def counted_offer(table: Table, seat: int) -> Sequence[int] | None:
    """Whether a seat may pass, the least and the most that are wanted, whether several are, and how many there are."""
    row = array("q", bytes(8 * 65536))
    if table.core.code.what_is_offered(table.at, seat, door._address(row), len(row)) < 6:
        return None
    return row[0], row[1], row[2], row[3], row[5]


def right_answer(offer: Sequence[int], chance: random.Random) -> list[int] | None:
    """An answer to what is offered; it may be one that `so that` forbids."""
    may, least, most, several, count = offer
    if may and chance.random() < 0.2:
        return None
    size = chance.randint(least, most) if several else 1
    return chance.sample(range(count), size) if 0 <= size <= count else [0]


def answer_rightly(table: Table, seat: int, chance: random.Random) -> bool:
    """Answer until one is taken; whether the game goes on."""
    for _ in range(100):
        offer = counted_offer(table, seat)
        if offer is None or (taken := table.answer(seat, right_answer(offer, chance))) > 0:
            return False
        if not taken:
            return True
    return False


def games(names: Sequence[str]) -> list[tuple[Path, int]]:
    """The games that are tried, for many players, then for few."""
    many, few = [], []
    for folder in [library.find_game(name) for name in names] or library.find_games():
        rulebook = load(folder, use_cache=True).rulebook
        assert rulebook is not None, folder
        fewest, most = rulebook.players[0], rulebook.players[-1]
        many.append((folder, min(most, 5)))
        few += [(folder, fewest)] if fewest < many[-1][1] else []
    return many + few


def small_games(scratch: Path) -> list[tuple[Path, int]]:
    """Those of `tests/data/tiers`, which do what no bundled game does."""
    found = []
    for file in sorted((ROOT / "tests" / "data" / "tiers").glob("*.yaml")):
        folder = scratch / file.stem
        folder.mkdir(exist_ok=True)
        shutil.copy(file, folder / "rulebook.yaml")
        found.append((folder, 3))
    return found


def run_cases(given: argparse.Namespace) -> None:
    """Try cases in this process, and say each number before it is tried."""
    if given.core:
        door.library = partial(open_library, Path(given.core))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # nothing else ends a loop in C
    all_games = ([] if given.names else small_games(Path(given.scratch))) + games(given.names)
    counts, number, stock, which = Counts(), given.first, None, -1
    ends = time.monotonic() + given.seconds
    while number < given.last and time.monotonic() < ends:
        if stock is None or number // given.per_game != which:
            which = number // given.per_game
            folder, players = all_games[which % len(all_games)]
            stock = Stock(folder, players)
        print(f"case {number} {folder.name} {players}", flush=True)
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        sort = "" if number % given.per_game else "sound"
        stock.try_out(random.Random(f"{given.seed} case {number}"), counts, sort)
        signal.setitimer(signal.ITIMER_PROF, 0)
        number += 1
        if number % 10 == 0 or number == given.last:
            print(f"counts {counts.line()}", flush=True)
    print(f"counts {counts.line()}\ndone", flush=True)


def build_core(scratch: Path) -> Path:
    """The core with sanitizers; an error of the compiler ends the program."""
    built = scratch / "_core.so"
    line = [os.environ.get("CC", "gcc"), "-std=gnu11", *SANITIZE, "-fPIC", "-shared", "-fvisibility=hidden", "-w"]
    subprocess.run([*line, "-o", str(built), str(ENGINE)], check=True)
    return built


def sanitizing() -> dict[str, str]:
    """The environment in which Python can open a core with sanitizers."""
    compiler, found = os.environ.get("CC", "gcc"), []
    for name in ("libasan.so", "libubsan.so"):
        asked = subprocess.run([compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True)
        found.append(asked.stdout.strip())
    options = "detect_leaks=0:allocator_may_return_null=1:handle_segv=1"
    return os.environ | {"LD_PRELOAD": " ".join(found), "ASAN_OPTIONS": options, "UBSAN_OPTIONS": "print_stacktrace=1"}


def watch(given: argparse.Namespace, scratch: Path) -> int:
    """Have cases tried by other processes, one after the other, and print what was found."""
    environ = sanitizing() if given.sanitize else dict(os.environ)
    ends = time.monotonic() + 60 * given.minutes
    first = 0 if given.only is None else given.only
    last = first + 1 if given.only is not None else given.cases or 2**62
    total, finds = [0] * 6, 0
    while first < last and (left := ends - time.monotonic()) > 0:
        line = [sys.executable, __file__, *given.names, "--child", "--seed", str(given.seed), "--first", str(first)]
        line += ["--last", str(last), "--seconds", str(left), "--scratch", str(scratch)]
        line += ["--per-game", str(given.per_game)]
        line += ["--core", str(scratch / "_core.so")] if given.sanitize else []
        with open(scratch / "said", "w+") as said:
            child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=said, text=True, env=environ)
            number, game, counted, done = first, "", total, False
            assert child.stdout is not None
            for told in child.stdout:
                word, *rest = told.split()
                if word == "case":
                    number, game = int(rest[0]), " ".join(rest[1:])
                elif word == "counts":
                    counted = [one + int(more) for one, more in zip(total, rest, strict=True)]
                done = word == "done"
            code = child.wait()
            said.seek(0)
            errors = said.read().strip()
        total = counted
        first = number + 1
        if not done:
            finds += 1
            why = "it goes round for ever" if code == -signal.SIGPROF else f"ended with {code}"
            print(f"FOUND seed {given.seed} case {number} ({game}): {why}\n{shortened(errors)}\n", flush=True)
    programs, taken, states, taken_states, answers, thoughts = total
    print(f"{first - (given.only or 0)} cases: {programs} programs, of which {taken} were taken; ", end="")
    print(f"{states} states, of which {taken_states} were taken; {answers} answers, {thoughts} thoughts")
    print(f"{finds} found")
    return int(finds > 0)


def shortened(errors: str) -> str:
    """The lines that say what went wrong, and where."""
    lines = errors.split("\n")
    telling = [one for one in lines if "ERROR" in one or "runtime error" in one or "    #" in one]
    return "\n".join(telling[:14] or lines[-8:])


def main() -> int:
    """Try wrong programs, states and answers, and print what was found."""
    arguments = argparse.ArgumentParser(description="What becomes of wrong programs, states and answers in the core?")
    arguments.add_argument("names", nargs="*", metavar="GAME", help="bundled games; all of them if none is named")
    arguments.add_argument("--minutes", type=float, default=1.0, help="how long (1)")
    arguments.add_argument("--cases", type=int, default=0, help="at most so many")
    arguments.add_argument("--per-game", type=int, default=PER_GAME, help=f"how many of a game, in turn ({PER_GAME})")
    arguments.add_argument("--seed", type=int, default=1, help="which ones (1)")
    arguments.add_argument("--only", type=int, help="only the one with this number")
    arguments.add_argument("--sanitize", action="store_true", help="build a core with sanitizers")
    hidden: dict[str, Any] = {"help": argparse.SUPPRESS}
    arguments.add_argument("--child", action="store_true", **hidden)
    arguments.add_argument("--core", default="", **hidden)
    arguments.add_argument("--scratch", default="", **hidden)
    for name, kind in (("--first", int), ("--last", int), ("--seconds", float)):
        arguments.add_argument(name, type=kind, default=0, **hidden)
    given = arguments.parse_args()
    if given.child:
        run_cases(given)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if given.sanitize:
            build_core(Path(folder))
        return watch(given, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
