"""Do reports say what is so? Series of games of which everything is known, drawn instead of played.

    python bench/verdicts.py                    all cases, 2,000 seeds each
    python bench/verdicts.py --seeds 100 fair

`fair` has nothing wrong: how often does an interval of one line hold the truth, how often does a report say LOOK
anywhere, how often of a seat? The others have one fault, as large as reports of this size say they would find in nine
of ten cases; of `worth`, an option, in games that are played, where one player at a time never chooses it. `alike` and
`ties grow` are comparisons. `levels` are reports on three levels of play, of which two have the
fault, or none. `words` count what the first sentences say, and which of them are false. `planted` are games that are
played (`tests/data/planted.yaml`), each with one fault, as large as its own page says it can see, or with a number
that a range of the page must hold.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import comb
from multiprocessing import Pool
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import yaml
from attrs import evolve, frozen
from click.testing import CliRunner

from rulebook.cli import main as main_of_rulebook
from rulebook.loading import load
from rulebook.playtest.series.about import Order, Seat, Tie
from rulebook.playtest.series.levels import NAMES
from rulebook.playtest.series.plan import Plan, plan_of
from rulebook.playtest.series.playing import Result, play
from rulebook.playtest.series.record import PARTS, WON, Played, Seen
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import GREY, find_about, find_visible_sizes, judge_series
from rulebook.playtest.series.worth import Wish, measure_worth
from rulebook.reporting.answering import answer_questions
from rulebook.reporting.comparing import compared
from rulebook.reporting.merging import GOOD, merge_rows
from rulebook.reporting.records import Comparison, Line, Worth
from rulebook.reporting.report import make_histogram, make_line, report_of
from rulebook.reporting.verdict_words import find_apart
from rulebook.statistics.verdicts import LOOK, Judged

CARDS, ACTIONS = 12, ("bake", "dig", "fish")
GAME = f"""
format: 1
name: Drawn
players: 2..6
words:
  job: {{miller: Miller, smith: Smith, tailor: Tailor, baker: Baker}}
memory:
  player: {{job: {{type: job, default: miller, seen_by: everyone}}}}
kinds:
  hat: {{}}
places:
  player: {{pegs: {{holds: hat, kept: loose, seen_by: everyone}}}}
cards:
{"".join(f"  hat_{number}: {{kind: hat}}{chr(10)}" for number in range(CARDS))}
actions:
{"".join(f"  {name}: {{name: {name.title()}, effect: set me.job = tailor}}{chr(10)}" for name in ACTIONS)}
rules:
  game: |
    each me in players:
      move hat_0 to me.pegs
      set me.job = smith
      choose deed from actions
    win first(players)
"""
JOBS = ("miller", "smith", "tailor", "baker")


@frozen
class World:
    """A game, in which nothing matters but what is planted: `edge` is how much more who has it wins than is fair."""

    players: int = 4
    games: int = 400
    drawn: float = 0.1
    """In so many games nobody wins, or, in half of them, two do."""
    fault: str = ""
    edge: float = 0.0

    @property
    def step(self) -> float:
        """What is added to somebody's chance, of which all others lose an equal part."""
        kept = 1 - self.drawn + self.drawn / 4 * (1 - 1 / (self.players - 1))
        return self.edge / kept / (1 - 1 / self.players)


@cache
def make_table(players: int) -> Table:
    with TemporaryDirectory() as folder:
        (Path(folder) / "rulebook.yaml").write_text(GAME, "utf-8")
        loaded = load(Path(folder))
        assert loaded.rulebook is not None, loaded.messages
        return Table(plan_of(loaded.rulebook, players, 1, watched=True))


def draw_games(world: World, seed: int) -> Iterator[Played]:
    draw = Random(seed)
    seats, millionth = range(world.players), 1_000_000
    for number in range(world.games):
        cards, jobs = draw.sample(range(CARDS), world.players), draw.sample(JOBS, len(JOBS))
        first = draw.randrange(world.players)
        order = tuple((first + seat) % world.players for seat in seats)
        chosen = [draw.choice(ACTIONS) for _ in seats]
        # Who has which thing that may be planted.
        has = {
            "seat:1": 0,
            "order:1": first,
            "dealt:hat_0": cards.index(0) if 0 in cards else None,
            "role:job:smith": jobs.index("smith"),
        }
        holders = [seat for seat in seats if has.get(world.fault) == seat]
        if world.fault == "option:action:fish":
            holders = [seat for seat in seats if chosen[seat] == "fish"]
        lifts = [world.step * (seat in holders) for seat in seats]
        chances = [1 / world.players + lift - sum(lifts) / world.players for lift in lifts]
        winners = [draw.choices(seats, [max(0.0, one) for one in chances])[0]]
        if draw.random() < world.drawn:
            partner = (winners[0] + draw.randrange(1, world.players)) % world.players
            winners = sorted([*winners, partner]) if draw.random() < 0.5 else []
        length = tuple(draw.randrange(10, 20) for _ in seats)
        beyond = {
            f"action:{name}": tuple(
                round(millionth * one) for deed in chosen for one in ((deed == name) - 1 / 3, 2 / 9)
            )
            for name in ACTIONS
        }
        seen = Seen(
            changes=0,
            ahead=((),) * len(PARTS),
            behind=(),
            roles=tuple({"job": jobs[seat]} for seat in seats),
            cards={
                f"hat_{card}": tuple(one * (cards[seat] == card) for seat in seats for one in (1, 0, 1))
                for card in cards
            },
            options={f"action:{name}": (world.players, chosen.count(name)) for name in ACTIONS},
            offered=3 * world.players,
            dealt=tuple((f"hat_{cards[seat]}",) for seat in seats),
            ends=tuple({} for _ in seats),
            answers={},
            true_of={},
            beyond=beyond,
        )
        places = tuple(1 if seat in winners else 2 for seat in seats)
        scores = tuple(draw.randrange(9) for _ in seats)
        yield Played(number, number, WON, tuple(winners), tuple(seats), places, scores, length, 4, order, seen=seen)


def judge_drawn(world: World, seed: int) -> list[Judged]:
    table = make_table(world.players)
    return judge_series(Tally.of(table.plan, draw_games(world, seed)), table.program)


def find_sizes(world: World) -> dict[str, float]:
    """Find what reports on such games say they would find in nine of ten cases."""
    return find_visible_sizes([one for seed in range(-5, 0) for one in judge_drawn(world, seed)], 1.0)


Counts = Counter[str]


def count_fair(world: World, seed: int) -> Counts:
    """Count one report on games in which nothing is wrong, where the truth is 0 of all but ties."""
    found = Counter(reports=1)
    judged = judge_drawn(world, seed)
    found["LOOK anywhere"] = any(one.mark == LOOK for one in judged)
    found["a seat or who begins called unfair"] = any(
        one.mark == LOOK for one in judged if isinstance(one.line.about, Seat | Order)
    )
    found["a thin line misses"] = any(not one.adjusted.low <= _truth(world, one) <= one.adjusted.high for one in judged)
    for one in judged:
        sort = find_about(one).sort
        found[f"lines {sort}"] += 1
        found[f"{sort} line held"] += one.unadjusted.low <= _truth(world, one) <= one.unadjusted.high
    return found


def _truth(world: World, one: Judged) -> float:
    return world.drawn if isinstance(one.line.about, Tie) else 0.0


def count_fault(world: World, seed: int) -> Counts:
    """Count one report on games with a fault: whether it is found, and held by its interval."""
    [one] = [one for one in judge_drawn(world, seed) if str(one.line.about) == (world.fault or "tie")]
    truth = world.edge if world.fault else world.drawn
    return Counter(reports=1, found=one.mark == LOOK, held=one.unadjusted.low <= truth <= one.unadjusted.high)


GRADES = ("Fair", "Probably fair", "Perhaps not", "Not known yet", "LOOK")


def count_words(world: World, seed: int) -> Counts:
    """Count one report in words: how it says whether the game is fair, and what in its first sentences is false."""
    table = make_table(world.players)
    report = report_of(Tally.of(table.plan, draw_games(world, seed)), table.program, most_sampled=0)
    first, *_ = answers = [*answer_questions(report, str)]
    grade = "LOOK" if first.mark == LOOK else next(one for one in GRADES if first.verdict.startswith(one))
    size = re.search(r"(?:more than|up to) (\d+) wins", first.verdict)
    found = Counter(reports=1, **{grade: 1})
    found["a size that is too small"] = size is not None and int(size[1]) < 100 * abs(world.edge)
    found["fair, though it is not"] = grade == "Fair" and abs(world.edge) > GREY
    found["a card that goes with something"] = any(
        answer.question == "Strong?" and any("need not be the reason" in line for line in answer.more)
        for answer in answers
    )
    return found


# ── levels of play ───────────────────────────────────────────────────────────────────────────────────────────────────


def count_levels(world: World, seed: int) -> Counts:
    """Count one report on three levels of play; what is planted is so only under good play."""
    at_random = evolve(world, fault="", edge=0.0)
    table, rows = make_table(world.players), dict[str, dict[str, Line]]()
    for number, level in enumerate(NAMES):
        games = draw_games(world if number else at_random, len(NAMES) * seed + number)
        tally = Tally.of(table.plan, games)
        for one in judge_series(tally, table.program, len(NAMES)):
            rows.setdefault(str(one.line.about), {})[level] = make_line(one, tally, table.program)
    merged = {about: merge_rows(levels, NAMES[1:]) for about, levels in rows.items()}
    if world.fault:
        found = merged[world.fault]
        return Counter(reports=1, found=found.mark == LOOK, **{"only under good play": found.way == GOOD})
    marks = [row.mark for levels in rows.values() for row in levels.values()]
    answers = any(one.mark == LOOK for one in merged.values())
    return Counter({"reports": 1, "LOOK at some level": LOOK in marks, "LOOK in an answer": answers})


def find_size_at_levels(world: World) -> float:
    """Find what a seat must win more to be found in nine of ten such reports."""
    table = make_table(world.players)
    tally = Tally.of(table.plan, draw_games(world, 0))
    return find_visible_sizes(judge_series(tally, table.program, len(NAMES)), 1.0)["seat"]


# ── comparisons ──────────────────────────────────────────────────────────────────────────────────────────────────────


def compare_drawn(world: World, seed: int, tied: float) -> Comparison:
    """Compare games with the same, of which a third went otherwise; in so many more, two won together."""
    table, draw = make_table(world.players), Random(seed + 0.5)
    base = [evolve(one, seen=None) for one in draw_games(world, seed)]
    other = [evolve(one, seen=None) for one in draw_games(world, seed + 10**6)]
    changed = [new if draw.random() < 1 / 3 else old for old, new in zip(base, other, strict=True)]
    for at, one in enumerate(changed):
        if len(one.winners) == 1 and draw.random() < tied:
            partner = (one.winners[0] + draw.randrange(1, world.players)) % world.players
            changed[at] = evolve(one, winners=tuple(sorted([*one.winners, partner])))
    plan: Plan = evolve(table.plan, watched=False)
    return compared(*(Result(plan, table, len(some), (), False, tuple(some), None) for some in (base, changed)))


def count_alike(world: World, seed: int) -> Counts:
    """Count one comparison in which nothing differs but by chance."""
    found = Counter(reports=1)
    rows = compare_drawn(world, seed, 0.0).measures
    found["a star"] = any(one.tells for one in rows)
    found["LOOK anywhere"] = any(one.mark == LOOK for one in rows)
    found["lines"] = len(rows)
    found["held"] = sum(one.difference.low <= 0 <= one.difference.high for one in rows)
    return found


def count_ties(world: World, seed: int) -> Counts:
    """Count one comparison in which ties alone grow: no seat gains by that."""
    rows = compare_drawn(world, seed, 0.2).measures
    marked = {one.name for one in rows if one.mark == LOOK}
    gains = any(name.startswith("seat") for name in marked)
    return Counter({"reports": 1, "found": "ties" in marked, "a seat said to gain": gains})


# ── restricted play ──────────────────────────────────────────────────────────────────────────────────────────────────

BETS = """
format: 1
name: Bets
players: 2..2
actions:
  sound: {{name: Sound, effect: "do bet(me, 500)"}}
  fair: {{name: Fair, effect: "do bet(me, 500)"}}
  fish: {{name: Fish, effect: "do dare(me, {odds})"}}
memory:
  table: {{won: no}}
rules:
  game: |
    pick bettor from players at random
    bettor chooses deed from actions
    do deed.effect(bettor)
    if won:
      win bettor
    each other in players:
      if other is not bettor:
        win other
  bet(me, number thousandths): |
    pick rolled from 1..1000 at random
    set won = rolled <= thousandths
  dare(me, number thousandths): |
    pick rolled from 1..1000 at random
    set won = rolled > 1000 - thousandths
"""
"""One of two players bets on even odds, but for one option, which wins with other numbers. Of three options two are
left without it: who is free to choose it wins a third of the difference more, in half of the games that a seat plays.
"""


@cache
def plan_bets(odds: int) -> Plan:
    with TemporaryDirectory() as folder:
        (Path(folder) / "rulebook.yaml").write_text(BETS.format(odds=odds), "utf-8")
        loaded = load(Path(folder))
        assert loaded.rulebook is not None, loaded.messages
        return plan_of(loaded.rulebook, 2, 1)


def measure_bets(world: World, seed: int) -> list[Worth]:
    """Play the bets, in which an option is worth the edge, and measure what each of them is worth."""
    plan = evolve(plan_bets(round(500 + 6000 * world.edge)), seed=seed)
    played = play(plan, world.games)
    return measure_worth(Tally.of(plan, played.told()), played.table.program, world.games, Wish(each=True))


def find_worth_seen(world: World) -> float:
    """Find what such pages say they would find of an option in nine of ten cases, as whole odds make it."""
    rows = [row for seed in range(5) for row in measure_bets(world, seed)]
    seen = [row.seen for row in rows if row.about == "action:fish"]
    return round(6000 * sum(seen) / len(seen)) / 6000


def count_worth(world: World, seed: int) -> Counts:
    """Count one page on what options are worth, one of which may be."""
    found = Counter(reports=1)
    for row in measure_bets(world, seed):
        found["LOOK anywhere"] |= row.mark == LOOK
        if row.way == "always":  # a plan, asked for where something is worth much already, and worth another number
            continue
        # Without one that does nothing, the planted one is chosen half of the time instead of a third.
        truth = world.edge if row.about == "action:fish" else -world.edge / 2
        found["lines worth"] += 1
        found["worth line held"] += row.low <= truth <= row.high
        if row.about == "action:fish":
            found["found"] = row.mark == LOOK
            found["said to be no choice"] = row.choice == "always"
            found["said never to be worth choosing"] = row.choice == "never"
    return found


# ── planted games ────────────────────────────────────────────────────────────────────────────────────────────────────

PLANTED = Path(__file__).parents[1] / "tests" / "data" / "planted.yaml"
Said = dict[str, Any]


@frozen
class Plant:
    """A fault of a planted game: how its page is asked for, what a size of it is worth, where the page has that."""

    game: str
    words: str
    truth: Callable[[float], float]
    find: Callable[[Said], Said]
    """The row of a page that is about it, with its mark and what would be seen, or with a range."""


def _pick(family: str, about: str) -> Callable[[Said], Said]:
    return lambda said: next(row for row in said[family] if row.get("about", about) == about)


def of_100(size: float) -> float:
    return size / 100


def win_by_luck(size: float) -> float:
    """Reckon how much more than a quarter one of four wins who wins so many games of 100 at once, and else by lot."""
    return 0.75 * of_100(size)


def win_by_plan(size: float) -> float:
    """Reckon how often, of 1, who saves six times beats who does it every other time, beyond a half."""
    luck = Counter(one - other for one in range(1, 7) for other in range(1, 7))
    won = 0.0
    for saved in range(7):
        lead = size - 2 * (6 - saved) - (size if saved == 6 else 0)
        even = sum(many * ((lead + more > 0) + (lead + more == 0) / 2) for more, many in luck.items()) / 36
        won += comb(6, saved) / 2**6 * even
    return won - 0.5


PLANTS = {
    "a dealt card": Plant("strong card", "--details", win_by_luck, _pick("lines", "dealt:crown")),
    "a role that is rare": Plant("rare role", "--details", win_by_luck, _pick("lines", "role:job:thief")),
    "a plan": Plant("plan that pays", "--always save", win_by_plan, _pick("worth", "action:save")),
    "a pair": Plant("two that go together", "--pair hammer,nail", lambda size: size / 1600, _pick("pairs", "")),
    "instead of each other": Plant(
        "two that stand in for each other", "--pair sword,shield", lambda size: -size / 1600, _pick("pairs", "")
    ),
    "all together": Plant("together", "", of_100, lambda said: said["seats"][0]),
    "decided at the deal": Plant("decided at the deal", "--course", of_100, lambda said: said["course"]["before_half"]),
    "decided at the deal or nobody wins": Plant(
        "decided at the deal", "--course --set tied=40", of_100, lambda said: said["course"]["before_half"]
    ),
    "kingmaker": Plant("kingmaker", "--course", of_100, lambda said: said["course"]["crowned"]),
}


@cache
def lay_out(game: str) -> str:
    text = yaml.safe_load(PLANTED.read_text("utf-8"))["games"][game]["text"]
    folder = Path(mkdtemp())
    (folder / "rulebook.yaml").write_text(f"format: 1\nname: Planted\n{text}", "utf-8")
    return str(folder)


def ask_page(plant: Plant, size: int, games: int, seed: int) -> Said:
    words = ["--seed", str(seed), "--games", str(games), "--set", f"size={size}", *plant.words.split()]
    done = CliRunner().invoke(main_of_rulebook, ["simulate", lay_out(plant.game), *words, "--json"])
    return plant.find(json.loads(done.stdout))


def find_planted_size(plant: Plant, games: int) -> int:
    """Find the least size that the pages say they would see, nine times of ten; of what has but a range, 30."""
    size = 30
    for _ in range(4):
        rows = [ask_page(plant, size, games, seed) for seed in range(1000, 1003)]
        if "seen" not in rows[0]:
            return size
        wanted = sum(row["seen"] for row in rows) / len(rows)
        # Something small may do the opposite.
        side = 1 if plant.truth(100) > 0 else -1
        size = next((size for size in range(100) if side * plant.truth(size) >= wanted), 100)
    return size


def count_planted(world: World, seed: int) -> Counts:
    """Count one page on a planted game: what is found, and what its range holds."""
    plant, size = PLANTS[world.fault], round(world.edge)
    row, truth = ask_page(plant, size, world.games, seed), plant.truth(size)
    low, high = row.get("sure_low", row["low"]), row.get("sure_high", row["high"])
    # In how many games somebody is a kingmaker is said as "at least".
    return Counter(reports=1, found=row.get("mark") == LOOK, held=low <= truth <= (1 if "king" in plant.game else high))


def count_lengths(world: World, seed: int) -> Counts:
    """Count one series of two sorts of games, one `edge` of all: are they told, and no two sorts where there is one?"""
    draw = Random(seed)
    lengths = Counter(
        round(draw.gauss(60 if draw.random() < world.edge else 20, 4) if world.fault else draw.expovariate(0.02))
        for _ in range(world.games)
    )
    apart = find_apart(make_histogram(lengths))
    held = apart is not None and apart[0][1][1] < 40 < apart[1][1][0]
    return Counter(reports=1, **{"found": apart is not None, "both ends": held})


# ── the program ──────────────────────────────────────────────────────────────────────────────────────────────────────

Case = tuple[World, Callable[[World, int], Counts]]


def find_planted(games: int) -> Iterator[tuple[str, Case]]:
    """Find the planted games, each with a fault as large as its page says it can see."""
    for name, plant in PLANTS.items():
        size = find_planted_size(plant, games)
        yield f"planted, {name}, {size} of 100", (World(games=games, fault=name, edge=size), count_planted)
    for share in (0.15, 0.5, 0.85):
        named = f"planted, two sorts of lengths, {100 * share:.0f} of 100 long"
        yield named, (World(games=games, fault="lengths", edge=share), count_lengths)
    yield "planted, one sort of lengths", (World(games=games), count_lengths)


CHANCES = {"seat": "seat:1", "order": "order:1", "card": "dealt:hat_0", "role": "role:job:smith"}


def find_cases(games: int) -> Iterator[tuple[str, Case]]:
    """Find all cases; faults are as large as reports say they can see."""
    four, two = World(games=games), World(players=2, games=games)
    yield "fair", (four, count_fair)
    yield "fair, two players", (evolve(two, drawn=0.4), count_fair)
    sizes, halves = find_sizes(four), find_sizes(two)
    for name, about in CHANCES.items():
        edge = sizes[about.partition(":")[0]]
        yield name, (evolve(four, fault=about, edge=edge), count_fault)
    for name, sign in (("deciding option", 1), ("dominated option", -1)):
        yield name, (evolve(two, fault="option:action:fish", edge=sign * halves["option"]), count_fault)
    yield "draws", (evolve(four, drawn=sizes["tie"]), count_fault)
    yield "levels, fair", (four, count_levels)
    yield "levels, a seat", (evolve(four, fault="seat:1", edge=find_size_at_levels(four)), count_levels)
    bets = find_worth_seen(two)
    for name, sign in (("worth, nothing", 0), ("worth, dominated option", -1), ("worth, deciding option", 1)):
        yield name, (evolve(two, edge=sign * bets), count_worth)
    for edge in (0.0, 0.03, 0.06, 0.1):
        yield f"words, a seat {100 * edge:.0f} of 100 ahead", (evolve(four, fault="seat:1", edge=edge), count_words)
    long = evolve(four, games=8 * games)
    yield "words, fair, eight times the games", (long, count_words)
    yield "words, 6 of 100 ahead, eight times the games", (evolve(long, fault="seat:1", edge=0.06), count_words)
    yield "alike", (four, count_alike)
    yield "ties grow", (four, count_ties)


def count_case(case: Case, seeds: int, jobs: int = 1) -> Counts:
    """Count what becomes of so many series."""
    world, count = case
    if jobs == 1:
        return sum((count(world, seed) for seed in range(seeds)), Counts())
    with Pool(jobs) as pool:
        return sum(pool.imap_unordered(partial(count, world), range(seeds), 20), Counts())


def word_counts(counts: Counts) -> str:
    """Put counts into parts: of lines what held, of reports all else."""
    reports, told = counts["reports"], []
    for name in counts:
        if name.startswith("lines"):
            continue
        if name.endswith("held"):
            lines = counts["lines" if name == "held" else f"lines {name.partition(' ')[0]}"] or reports
            told.append(f"{name} {counts[name] / lines:.1%}")
        elif name != "reports":
            told.append(f"{name} {counts[name] / reports:.1%}")
    return ", ".join(told) or "nothing"


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help="those whose names begin so")
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--games", type=int, default=400, help="of each series")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(words)
    is_planted = any("planted".startswith(name[:7]) for name in asked.cases)
    for name, case in (find_planted if is_planted else find_cases)(asked.games):
        if not asked.cases or name.startswith(tuple(asked.cases)):
            edge = f" of {abs(case[0].edge) or case[0].drawn:.3f}" if case[1] in (count_fault, count_worth) else ""
            counts = count_case(case, asked.seeds, asked.jobs)
            print(f"{name}{edge}, {asked.seeds} series of {asked.games}: {word_counts(counts)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
