"""Learning: a bot plays games against itself, and fits what the tables in them were worth.

In: a program, and how many games at most. Out: `Knowledge`, the same whenever and wherever this is asked. Never: looks
at a true table, not even while it learns: what it will have to go by are imagined ones.

In the games of the first of four generations all answer at random, later as has been learned so far, but now and then
at random, as some seats do always. Of some answers is kept what table they led to, in features, and how the game ended
for that seat. A linear fit of all that was kept (ridge regression) says what each feature is worth. All sums are whole
numbers, and the rest is done in an order that leaves no room for other digits.

Several learn so, each from games of its own: where answers are worth nearly the same it is luck which of them one takes
to, and for good. In each game it is drawn who of them plays for a seat.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, reduce
from hashlib import blake2b
from itertools import chain
from operator import mul, sub
from typing import TypeVar

from attrs import define, evolve, field

from rulebook import cache
from rulebook.interpreter.core.door import AS_LEARNED, AT_RANDOM, BY_OTHERS, GREEDILY, Core, Table, core_of
from rulebook.interpreter.core.imagining import Ended
from rulebook.interpreter.core.learning import add_products, solve_ridge
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
    Member,
    Scale,
    Standing,
    read_knowledge,
    write_knowledge,
)
from rulebook.playtest.bots.thinking import Imagined, Mark, Think, Thinking, Way, one_at_random
from rulebook.playtest.pieces import Worker
from rulebook.playtest.sharing import in_order

__all__ = ["MEMBERS", "TABLES", "find_knowledge", "forget_all", "learn_game", "take_best", "teach_core"]

TABLES = 2
"""The number of tables that are looked at for one answer."""
VERSION = 3
"""Of how is learned: what was learned otherwise is not read."""
_GENERATIONS = 4
_ANSWERS = 15_000
"""The most answers in all games of a generation."""
_KEPT, _ERRS, _OTHERS = 0.3, 0.2, 0.3
"""The share of answers that are kept, of those at random, and of seats that answer at random always."""
_RIDGE = 100.0
"""The ridge, in games."""
_COLUMNS = 400
"""The most features that weigh anything: those that go most with how games end."""
_JUDGED, _JUDGED_ALONE = 120, 60
"""The number of games that say how well all play among others, and each of those who learn, if it has learned from as
many."""
MEMBERS = 4
"""The number of those who learn."""
_FINE = 1_000_000
P = TypeVar("P", bound=Thinking | None)
_LEARNED: dict[str, Knowledge] = {}
_MOST_LEARNED = 16


def forget_all() -> None:
    """Forget what this process has learned, or read."""
    _LEARNED.clear()


def find_knowledge(
    program: Program, games: int, begins: Callable[[], None] = lambda: None, jobs: int = 1
) -> Knowledge:
    """Return what so many games teach: from the cache, or by playing them with so many processes, which `begins` is
    told. Raises Killed."""
    key = _name_weights(program, games)
    if key not in _LEARNED:
        name = f"learned-{blake2b(key.encode(), digest_size=16).hexdigest()}.json"
        kept = read_knowledge(cache.read_data(name, key), find_features(program).width)
        if kept is None:
            begins()
            kept = learn_game(program, games, jobs)
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


def take_best(imagined: Imagined, knowledge: Knowledge, seed: int, tables: int, seats: Sequence[int]) -> Mark:
    """The answer that leads to the tables, of so many, that are best for these seats together, as who plays in the game
    with that seed has learned; of equal ones one at random."""
    member = knowledge.choose_member(seed, imagined.seat)
    sums: dict[Mark, int] = {}
    times: dict[Mark, int] = {}
    for number in range(tables):
        marks = imagined.legal if number == 0 and imagined.is_drawn else imagined.draw() or ()
        for at, mark in enumerate(marks):
            sums[mark] = sums.get(mark, 0) + imagined.weigh_answer(at, member, seats)
            times[mark] = times.get(mark, 0) + 1
    if not sums:
        return one_at_random(imagined)
    means = {mark: whole // times[mark] for mark, whole in sums.items()}
    most = max(means.values())
    best = [mark for mark, mean in means.items() if mean == most]
    return best[imagined.below(len(best))]


# ── games ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def learn_game(program: Program, games: int, jobs: int = 1) -> Knowledge:
    """Let each of several play so many games at most, and learn from them; keep those who are not certainly worse than
    another, and find out how well they play."""
    pieces = [range(number, number + 1) for number in range(MEMBERS)]
    alone = [*in_order(_make_student, (program, games), pieces, jobs)]
    kept = [one.members for one in alone if not any(one.is_worse_than(other) for other in alone)]
    knowledge = Knowledge(tuple(chain.from_iterable(kept)))
    return evolve(knowledge, standings=tuple(_judge_play(_make_arena(program), knowledge, _JUDGED)))


def _make_student(setting: tuple[Program, int]) -> Worker[Knowledge]:
    """Make the worker that learns, for another process."""
    program, games = setting
    arena = _make_arena(program)
    return lambda numbers: _learn_alone(arena, games, numbers.start)


def _learn_alone(arena: _Arena, games: int, number: int) -> Knowledge:
    """Let the member of that number learn."""
    lessons = _Lessons(find_features(arena.program).width)
    knowledge: Knowledge | None = None
    for generation in range(_GENERATIONS):
        _play_generation(arena, lessons, number * _GENERATIONS + generation, -(-games // _GENERATIONS), knowledge)
        member = Member(lessons.games, lessons.answers, lessons.scale, lessons.fit())
        knowledge = Knowledge((member,))
    assert knowledge is not None
    return evolve(knowledge, standings=tuple(_judge_play(arena, knowledge, _JUDGED_ALONE)))


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


def _make_arena(program: Program) -> _Arena:
    core = core_of(program)
    return _Arena(program, core if isinstance(core, Core) else None)


class _Arena:
    """A place to play games, in the core if there is one. A seat of nobody answers as the bot `random` does."""

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
    weights, scales = zip(*((member.weights, member.scale.packed) for member in knowledge.members), strict=True)
    core.imagining.teach(weights, scales, TABLES)


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
        if errs or self.knowledge is None:
            mark = one_at_random(imagined)
        else:
            mark = take_best(imagined, self.knowledge, self.seed, 1, [self.seat])
        marks = (imagined.draw() or ()) if keeps else ()
        found = imagined.look_on(marks.index(mark)) if mark in marks else None
        if not isinstance(found, Ended):
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
    """All that was kept of games: by row how it ended, and which features there were."""

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
        """The size of the ends."""
        if not self.ends:  # no game came to its end
            return Scale(0, 0)
        leads = sorted(abs(lead) for _, lead in self.ends)
        return Scale(max(abs(payoff) for payoff, _ in self.ends), leads[-(-len(leads) * 9 // 10) - 1])

    def fit(self) -> array[int]:
        """Return the weight of each feature, and of none."""
        scale, used, told = self.scale, set[int](), array("i")
        for end, kept in self.rows:
            used.update(kept[::2])
            told.extend((scale.rate(Ended(*self.ends[end])), len(kept) // 2 + 1, self.width, 1))
            told.extend(kept)
        products, targets = self._add_products(told, [self.width, *sorted(used)])
        features = self._choose_features([self.width, *sorted(used)], products, targets)
        weights, sums = array("q", bytes(8 * (self.width + 1))), self._add_products(told, features)
        if not sums[0][0]:
            return weights
        sizes, solved = solve_ridge(*sums, _RIDGE) or _solve_by_hand(*sums, _RIDGE)
        (products, targets), many, rest = sums, len(features), sums[1][0] / sums[0][0]
        for column in (column for column in range(1, many) if sizes[column - 1] > 0):
            weight = solved[column - 1] * products[0] / sizes[column - 1]
            weights[features[column]] = _round_weight(weight)
            rest -= weight * (products[column * many] / products[0])
        weights[self.width] = _round_weight(rest)
        return weights

    def _choose_features(
        self, features: Sequence[int], products: Sequence[int], targets: Sequence[int]
    ) -> list[int]:
        """Choose those features that weigh anything, after the first, which is always 1."""
        many, rows, bearing = len(features), products[0], dict[int, float]()
        for column in range(1, many):
            size = rows * products[column * many + column] - products[column * many] ** 2
            if size > 0:
                common = rows * targets[column] - products[column * many] * targets[0]
                bearing[column] = -abs(common) / math.sqrt(size)
        most = sorted(bearing, key=lambda column: (bearing[column], column))[:_COLUMNS]
        return [features[column] for column in (0, *sorted(most))]

    def _add_products(self, told: array[int], features: Sequence[int]) -> tuple[array[int], array[int]]:
        columns = {feature: column for column, feature in enumerate(features)}
        return add_products(told, columns, self.width + 1) or _add_by_hand(told, columns)


def _add_by_hand(rows: array[int], columns: dict[int, int]) -> tuple[array[int], array[int]]:
    """The same as the core's `add_products`, where there is none."""
    many, at = len(columns), 0
    products, targets = array("q", bytes(8 * many * many)), array("q", bytes(8 * many))
    while at < len(rows):
        target, size = rows[at], rows[at + 1]
        pairs = rows[at + 2 : at + 2 + 2 * size]
        found = [(columns[one], amount) for one, amount in zip(pairs[::2], pairs[1::2], strict=True) if one in columns]
        for number, (column, amount) in enumerate(found):
            targets[column] += target * amount
            for other, more in found[: number + 1]:
                products[column * many + other] += amount * more
        at += 2 + 2 * size
    return products, targets


def _solve_by_hand(products: array[int], targets: array[int], ridge: float) -> tuple[list[float], list[float]]:
    """The same as the core's `solve_ridge`, where there is none, by Cholesky's factors."""
    columns, rows = len(targets), products[0]
    many, sums = columns - 1, products[::columns]
    sizes, weights, lower = list[float](), list[float](), list[list[float]]()
    for i in range(many):
        own = _find_spread(rows, products[(i + 1) * columns + i + 1], sums[i + 1], sums[i + 1])
        sizes.append(math.sqrt(own) if own > 0 else 0.0)
        weights.append(_find_spread(rows, targets[i + 1], sums[i + 1], targets[0]) / sizes[i] if own > 0 else 0.0)
        lower.append([])
        for j in range(i + 1):
            spread = _find_spread(rows, products[(i + 1) * columns + j + 1], sums[i + 1], sums[j + 1])
            left = rows * (spread / (sizes[i] * sizes[j])) if sizes[i] > 0 and sizes[j] > 0 else 0.0
            left = reduce(sub, map(mul, lower[i], lower[j]), left + ridge if i == j else left)
            lower[i].append(math.sqrt(left) if i == j else left / lower[j][j])
    for i in range(many):
        weights[i] = reduce(sub, map(mul, lower[i], weights[:i]), weights[i]) / lower[i][i]
    for i in reversed(range(many)):
        further = [lower[k][i] for k in range(i + 1, many)]
        weights[i] = reduce(sub, map(mul, further, weights[i + 1 :]), weights[i]) / lower[i][i]
    return sizes, weights


def _find_spread(rows: int, product: int, one: int, other: int) -> float:
    """Find how far two columns vary together: exactly, where the core's whole numbers hold it."""
    whole, common = rows * product, one * other
    if all(-(1 << 63) <= number < 1 << 63 for number in (whole, common, whole - common)):
        return float(whole - common)
    return float(rows) * float(product) - float(one) * float(other)


def _round_weight(weight: float) -> int:
    return max(-HEAVIEST, min(HEAVIEST, round(weight * (1 << SHIFT))))


# ── how well it plays ────────────────────────────────────────────────────────────────────────────────────────────────


class _Judged(Thinking):
    """Plays by what was learned just now."""

    def __init__(self, seed: int, seat: int, knowledge: Knowledge) -> None:
        super().__init__("judged", seed, seat, 0.0, 0, lambda: False)
        self.knowledge = knowledge

    def think(self, imagined: Imagined) -> Mark:
        """As `learned` thinks."""
        return take_best(imagined, self.knowledge, self.seed, TABLES, [self.seat])


def _judge_play(arena: _Arena, knowledge: Knowledge, most: int) -> Iterator[Standing]:
    """Play so many games at most on fresh deals, each seat in turn among others of each kind; where all win together,
    all of one kind."""
    program, players = arena.program, arena.program.players
    if arena.core is not None:
        teach_core(arena.core, knowledge)
    first = arena.play_game(_JUDGED_FROM, lambda: [None] * players)
    together = players == 1 or (first is not None and is_one_team(first[2].teams))
    is_paid = program.payoff is not None and not together
    for bot, against in _MATCHES_TOGETHER if together else _MATCHES:
        games = total = fair = squares = 0
        for number in range(min(most, knowledge.games)):
            seed, own = _JUDGED_FROM + most * _FINE + number // players, number % players

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


_JUDGED_FROM = MEMBERS * _GENERATIONS * _FINE
_MATCHES = (("learned", "random"), ("learned", "greedy"))
_MATCHES_TOGETHER = (("learned", ""), ("greedy", ""), ("random", ""))
