"""Learning: a bot plays games against itself, and fits what the tables in them were worth.

In: a program, and how many games at most. Out: `Knowledge`, the same whenever and wherever this is asked. Never: looks
at a true table, not even while it learns: what it will have to go by are imagined ones.

In the games of the first of four generations all answer at random, later as has been learned so far, but now and then
at random, as some seats do always. Of some answers is kept what table they led to, in features, and how the game ended
for that seat. A linear fit of all that was kept (ridge regression) says what each feature is worth. All sums are whole
numbers, and the rest is done in an order, and with sums, that leave no room for other digits.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from operator import mul
from typing import TypeVar

from attrs import define, field

from rulebook import cache
from rulebook.interpreter.core.door import AS_LEARNED, AT_RANDOM, BY_OTHERS, GREEDILY, Core, Table, core_of
from rulebook.interpreter.core.imagining import Ended
from rulebook.interpreter.core.learning import add_products
from rulebook.interpreter.decisions import Decision, RuleError
from rulebook.interpreter.features import find_features
from rulebook.interpreter.layout import CLOCK
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.results import Outcome, find_outcome, find_shares, is_one_team
from rulebook.interpreter.state import State
from rulebook.playtest.bots.by_machine import margin
from rulebook.playtest.bots.greedy import Greedy
from rulebook.playtest.bots.knowledge import (
    HEAVIEST,
    SHIFT,
    Knowledge,
    Scale,
    Standing,
    read_knowledge,
    write_knowledge,
)
from rulebook.playtest.bots.thinking import Imagined, Mark, Think, Thinking, Way, one_at_random

__all__ = ["TABLES", "find_knowledge", "forget_all", "learn_game", "take_best", "teach_core"]

TABLES = 2
"""The number of tables that are looked at for one answer."""
VERSION = 2
"""Of how is learned: what was learned otherwise is not read."""
_GENERATIONS = 4
_ANSWERS = 15_000
"""The most answers in all games of a generation."""
_KEPT, _ERRS, _OTHERS = 0.3, 0.2, 0.3
"""The share of answers that are kept, of those at random, and of seats that answer at random always."""
_PENALTY = 100.0
"""The ridge, in games."""
_COLUMNS = 400
"""The most features that weigh anything: those that go most with how games end."""
_JUDGED = 120
"""The number of games that say how well it plays among others, if it has learned from as many."""
_FINE = 1_000_000
P = TypeVar("P", bound=Thinking | None)
_LEARNED: dict[str, Knowledge] = {}
_MOST_LEARNED = 16


def forget_all() -> None:
    """Forget what this process has learned, or read."""
    _LEARNED.clear()


def find_knowledge(program: Program, games: int, begins: Callable[[], None] = lambda: None) -> Knowledge:
    """Return what so many games teach: from the cache, or by playing them, which `begins` is told."""
    key = _name_weights(program, games)
    if key not in _LEARNED:
        name = f"learned-{blake2b(key.encode(), digest_size=16).hexdigest()}.json"
        kept = read_knowledge(cache.read_data(name, key), find_features(program).width)
        if kept is None:
            begins()
            kept = learn_game(program, games)
            cache.write_data(name, key, write_knowledge(kept))
        while len(_LEARNED) >= _MOST_LEARNED:
            del _LEARNED[next(iter(_LEARNED))]
        _LEARNED[key] = kept
    return _LEARNED[key]


@lru_cache(maxsize=8)
def _name_weights(program: Program, games: int) -> str:
    """Make the key of what is kept; of a program once, as every decision asks for it."""
    names = blake2b("\n".join(find_features(program).names).encode(), digest_size=8).hexdigest()
    return f"{VERSION} {program.rules_hash} {program.players} {games} {names}"


def take_best(imagined: Imagined, knowledge: Knowledge, tables: int) -> Mark:
    """The answer that leads to the best tables of so many; of equal ones one at random."""
    sums: dict[Mark, int] = {}
    times: dict[Mark, int] = {}
    for number in range(tables):
        marks = imagined.legal if number == 0 and imagined.is_drawn else imagined.draw() or ()
        for at, mark in enumerate(marks):
            found = imagined.look_on(at, knowledge.weights)
            if isinstance(found, Ended):
                worth = knowledge.scale.rate(found) << SHIFT
            else:
                assert isinstance(found, int), "features are told to those who have no weights"
                worth = found
            sums[mark] = sums.get(mark, 0) + worth
            times[mark] = times.get(mark, 0) + 1
    if not sums:
        return one_at_random(imagined)
    means = {mark: whole // times[mark] for mark, whole in sums.items()}
    most = max(means.values())
    best = [mark for mark, mean in means.items() if mean == most]
    return best[imagined.below(len(best))]


# ── games ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def learn_game(program: Program, games: int) -> Knowledge:
    """Play so many games at most, and learn from them; then find out how well that plays."""
    core = core_of(program)
    arena = _Arena(program, core if isinstance(core, Core) else None)
    lessons = _Lessons(find_features(program).width)
    knowledge: Knowledge | None = None
    for generation in range(_GENERATIONS):
        _play_generation(arena, lessons, generation, -(-games // _GENERATIONS), knowledge)
        knowledge = Knowledge(lessons.games, lessons.answers, lessons.scale, lessons.fit())
    assert knowledge is not None
    return Knowledge(
        knowledge.games, knowledge.answers, knowledge.scale, knowledge.weights, tuple(_judge_play(arena, knowledge))
    )


def _play_generation(
    arena: _Arena, lessons: _Lessons, generation: int, games: int, knowledge: Knowledge | None
) -> None:
    until = lessons.answers + _ANSWERS
    for number in range(games):
        if lessons.answers >= until:
            break
        seed = generation * _FINE + number
        plans = Source(seed, "learning")

        def seat_students(seed: int = seed, plans: Source = plans) -> list[_Student]:
            return [
                _Student(seed, seat, knowledge if plans.below(_FINE) >= _OTHERS * _FINE else None)
                for seat in range(arena.program.players)
            ]

        played = arena.play_game(seed, seat_students)
        if played is not None:
            students, state, outcome = played
            lessons.take_in(arena.program, students, state[CLOCK], outcome)


class _Arena:
    """Where games are played, in the core if there is one. A seat of nobody answers as the bot `random` does."""

    def __init__(self, program: Program, core: Core | None) -> None:
        self.program, self.core, self.machine = program, core, Machine(program)

    def play_game(
        self, seed: int, seat_players: Callable[[], Sequence[P]]
    ) -> tuple[Sequence[P], State, Outcome] | None:
        """Play one game; None if it went wrong."""
        if self.core is not None:
            players = seat_players()
            ways = bytes(_find_way(player) for player in players)
            log = self.core.watch_game(seed, ways, lambda table, _: _give_answer(table, players))
            if log is not None:
                return players, log.last, find_outcome(self.program, log.last)
        players, machine = seat_players(), self.machine
        sources = [Source(seed, f"bot:{seat}") for seat in range(self.program.players)]
        state = machine.new_state(seed)
        try:
            while isinstance(machine.advance(state), Decision):
                seat = machine.find_waiting(state)[0]
                player = players[seat]
                if player is None:
                    value = machine.random_value(state, seat, sources[seat].below)
                else:
                    value = player.value(machine, state, seat)
                machine.answer_value(state, seat, value)
            return players, state, find_outcome(self.program, state)
        except RuleError:
            return None


def teach_core(core: Core, knowledge: Knowledge) -> None:
    """Let the core answer as `learned` does that knows this."""
    core.imagining.teach(knowledge.weights, (knowledge.scale.payoff, knowledge.scale.lead), TABLES)


def _find_way(player: Thinking | None) -> int:
    if player is None:
        return AT_RANDOM
    if isinstance(player, _Judged):
        return AS_LEARNED
    return GREEDILY if isinstance(player, Greedy) else BY_OTHERS


def _give_answer(table: Table, players: Sequence[Thinking | None]) -> int:
    """Answer for who is asked, who thinks; what stopped that, or 0."""
    seat, asked, picked = table.find_asked()
    player = players[seat]
    assert player is not None, "the core answers at random by itself"
    return player.play(table, seat, asked, picked)


class _Student(Thinking):
    """Answers as has been learned so far, or at random, and keeps some of the tables to which its answers lead."""

    def __init__(self, seed: int, seat: int, knowledge: Knowledge | None) -> None:
        super().__init__("student", seed, seat, 0.0, 0, lambda: False)
        self.knowledge, self.kept = knowledge, list[Sequence[int]]()
        self._found: Sequence[int] | None = None

    def think(self, imagined: Imagined) -> Mark:
        """Choose, and look at the table to which that leads."""
        self._found = None  # where the core stopped, the machine thinks again
        below = imagined.below
        keeps, errs = below(_FINE) < _KEPT * _FINE, below(_FINE) < _ERRS * _FINE
        mark = one_at_random(imagined) if errs or self.knowledge is None else take_best(imagined, self.knowledge, 1)
        marks = (imagined.draw() or ()) if keeps else ()
        found = imagined.look_on(marks.index(mark), None) if mark in marks else 0
        if not isinstance(found, int | Ended):
            self._found = found
        return mark

    def _decide(self, times: int, stream: str, think: Think, *ways: Way) -> list[int] | None:
        self._found = None
        numbers = super()._decide(times, stream, think, *ways)
        self._keep_found()
        return numbers

    def _keep_found(self) -> None:
        if self._found is not None:
            self.kept.append(self._found)


# ── the fit ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@define(eq=False)
class _Lessons:
    """What was kept of all games: by row how it ended, and which features there were."""

    width: int
    games: int = 0
    answers: int = 0
    ends: list[tuple[int, int]] = field(factory=list)
    rows: list[tuple[int, Sequence[int]]] = field(factory=list)
    """By row the number of its end, and its features."""

    def take_in(self, program: Program, students: Sequence[_Student], answers: int, outcome: Outcome) -> None:
        """Take in a game that is over, after so many answers."""
        self.games, self.answers = self.games + 1, self.answers + answers
        for student in students:
            end = len(self.ends)
            self.ends.append((int(outcome.payoffs[student.seat]), int(margin(program, outcome, student.seat))))
            self.rows += [(end, array("i", kept)) for kept in student.kept]

    @property
    def scale(self) -> Scale:
        """How large the ends are."""
        leads = sorted(abs(lead) for _, lead in self.ends)
        return Scale(max((abs(payoff) for payoff, _ in self.ends), default=0), leads[-(-len(leads) * 9 // 10) - 1])

    def fit(self) -> array[int]:
        """Return the weight of each feature, and of none."""
        scale, used, told = self.scale, set[int](), array("i")
        for end, kept in self.rows:
            used.update(kept[::2])
            told.extend((scale.rate(Ended(*self.ends[end])), len(kept) // 2 + 1, self.width, 1))
            told.extend(kept)
        columns = {feature: column for column, feature in enumerate((self.width, *sorted(used)))}
        sums = add_products(told, columns, self.width + 1) or _add_by_hand(told, columns)
        return _solve(self.width, [*columns], *sums)


def _add_by_hand(rows: array[int], columns: dict[int, int]) -> tuple[array[int], array[int]]:
    """The same as the core's `add_products`, where there is none."""
    many, at = len(columns), 0
    products, targets = array("q", bytes(8 * many * many)), array("q", bytes(8 * many))
    while at < len(rows):
        target, size = rows[at], rows[at + 1]
        pairs = rows[at + 2 : at + 2 + 2 * size]
        found = [*zip([columns[feature] for feature in pairs[::2]], pairs[1::2], strict=True)]
        for number, (column, amount) in enumerate(found):
            targets[column] += target * amount
            for other, more in found[: number + 1]:
                products[column * many + other] += amount * more
        at += 2 + 2 * size
    return products, targets


def _solve(width: int, features: Sequence[int], products: array[int], targets: array[int]) -> array[int]:
    """Solve for the weights; the first of the columns is always 1."""
    weights, many, rows = array("q", bytes(8 * (width + 1))), len(features), products[0]
    if not rows:
        return weights

    def spread(one: int, other: int) -> int:
        # The features of a row rise, but for the first, which is of the first column.
        low, high = min(one, other), max(one, other)
        return rows * products[high * many + low] - products[one * many] * products[other * many]

    common = {column: rows * targets[column] - products[column * many] * targets[0] for column in range(1, many)}
    sizes = {column: math.sqrt(size) for column in range(1, many) if (size := spread(column, column)) > 0}
    bearing = {column: abs(common[column]) / size for column, size in sizes.items()}
    kept = sorted(sorted(sizes, key=lambda column: (-bearing[column], column))[:_COLUMNS])
    square = [
        [rows * (spread(one, other) / (sizes[one] * sizes[other])) for other in kept[: number + 1]]
        for number, one in enumerate(kept)
    ]
    for number, row in enumerate(square):
        row[number] += _PENALTY
    found = _solve_positive(square, [common[column] / sizes[column] for column in kept])
    rest = targets[0] / rows
    for column, each in zip(kept, found, strict=True):
        weight = each * rows / sizes[column]
        weights[features[column]] = _round_weight(weight)
        rest -= weight * (products[column * many] / rows)
    weights[width] = _round_weight(rest)
    return weights


def _round_weight(weight: float) -> int:
    return max(-HEAVIEST, min(HEAVIEST, round(weight * (1 << SHIFT))))


def _solve_positive(square: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of equations by Cholesky's factors; `square` has the lower half of a positive definite matrix."""
    lower: list[list[float]] = []
    for row in square:
        made: list[float] = []
        for column, entry in enumerate(row):
            before = lower[column] if column < len(lower) else made
            left = entry - math.fsum(map(mul, made, before))
            made.append(math.sqrt(left) if column == len(row) - 1 else left / before[column])
        lower.append(made)
    forth: list[float] = []
    for row, value in zip(lower, right, strict=True):
        forth.append((value - math.fsum(map(mul, row, forth))) / row[-1])
    back = [0.0] * len(forth)
    for at in range(len(forth) - 1, -1, -1):
        later = math.fsum(lower[further][at] * back[further] for further in range(at + 1, len(forth)))
        back[at] = (forth[at] - later) / lower[at][at]
    return back


# ── how well it plays ────────────────────────────────────────────────────────────────────────────────────────────────


class _Judged(Thinking):
    """Plays by what was learned just now."""

    def __init__(self, seed: int, seat: int, knowledge: Knowledge) -> None:
        super().__init__("judged", seed, seat, 0.0, 0, lambda: False)
        self.knowledge = knowledge

    def think(self, imagined: Imagined) -> Mark:
        """As `learned` thinks."""
        return take_best(imagined, self.knowledge, TABLES)


def _judge_play(arena: _Arena, knowledge: Knowledge) -> Iterator[Standing]:
    """Play on fresh deals, each seat in turn among others of each kind; where all win together, all of one kind."""
    program, players = arena.program, arena.program.players
    if arena.core is not None:
        teach_core(arena.core, knowledge)
    first = arena.play_game(_JUDGED_FROM, lambda: [None] * players)
    together = players == 1 or (first is not None and is_one_team(first[2].teams))
    is_paid = program.payoff is not None and not together
    for bot, against in _MATCHES_TOGETHER if together else _MATCHES:
        games = total = fair = squares = 0
        for number in range(min(_JUDGED, knowledge.games)):
            seed, own = _JUDGED_FROM + 1 + number // players, number % players

            def seat_bots(
                seed: int = seed, own: int = own, bot: str = bot, against: str = against
            ) -> list[Thinking | None]:
                kinds = [bot if seat == own or together else against for seat in range(players)]
                return [_seat_player(kind, seed, seat, knowledge) for seat, kind in enumerate(kinds)]

            played = arena.play_game(seed, seat_bots)
            if played is None:
                continue
            outcome = played[2]
            if is_paid:
                payoffs = outcome.payoffs
                got = round(1000 * (payoffs[own] * players - sum(payoffs)) / (players - 1))
            else:
                shares = find_shares(outcome.winners, outcome.teams)
                got = round(1000 * shares[own])
                fair += round(1000 * sum(shares) / players)
            games, total, squares = games + 1, total + got, squares + got * got
        if games:
            yield Standing(bot, against, games, total, fair, squares, is_paid)


def _seat_player(kind: str, seed: int, seat: int, knowledge: Knowledge) -> Thinking | None:
    if kind == "learned":
        return _Judged(seed, seat, knowledge)
    return None if kind == "random" else Greedy("greedy", seed, seat, 0.0, 0, lambda: False)


_JUDGED_FROM = _GENERATIONS * _FINE
_MATCHES = (("learned", "random"), ("learned", "greedy"))
_MATCHES_TOGETHER = (("learned", ""), ("greedy", ""), ("random", ""))
