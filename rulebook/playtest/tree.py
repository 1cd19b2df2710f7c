"""The whole tree of a small game: every answer and every outcome of chance, each walked once.

A *history* is a course of answers and outcomes from the beginning; the empty one is a history. A choice with one answer
is a move like any other (at a table it is not asked). Equal answers are one move and equal outcomes one outcome, which
is as likely as its copies together. Those who are asked in one sealed decision answer in seat order; whoever comes
later knows nothing of the earlier answers.

An *information state* of a player is all that this player has noticed and answered until a decision of theirs, and what
may be answered then: two histories belong to the same one if the player cannot tell them apart.

*Random play* is that of the bot `random`: every answer is as likely as any other, and equal cards count one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Any

from attrs import frozen

from rulebook.interpreter.choosing import Choices, TooManySets, label_of
from rulebook.interpreter.decisions import Chance, RuleError
from rulebook.interpreter.events import Event, Sink
from rulebook.interpreter.layout import PENDING
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Program
from rulebook.interpreter.results import check_zero_sum, find_outcome
from rulebook.interpreter.state import State, clone
from rulebook.interpreter.wording import place_key

MOST_HISTORIES = 1_000_000
"""The default limit of histories that are walked: some minutes."""

Progress = Callable[[int], None]
"""Called now and then with how many histories are walked."""

_TOLD_EVERY = 5_000
_CHANCE = -1


@frozen
class Tree:
    """The counts of a game tree; tuples are by seat.

    `histories` are all, `terminal` those at whose end the game is over, `chance` those at which chance decides; at the
    others a player decides, at `forced` of them with one answer only. `states` are the information states, of which
    `forced_states` have one answer only. `wins` count the terminal histories that this seat alone wins, `draws` those
    that nobody wins alone; `win_chances` and `draw_chance` are their probabilities in random play, and `values`
    what each seat gets then on average, in the smallest unit where it is an `amount`. `unfinished` are the terminal
    histories that the limit of decisions ended.
    """

    players: int
    histories: int
    terminal: int
    chance: int
    forced: int
    unfinished: int
    states: tuple[int, ...]
    forced_states: tuple[int, ...]
    wins: tuple[int, ...]
    draws: int
    win_chances: tuple[Fraction, ...]
    draw_chance: Fraction
    values: tuple[Fraction, ...]
    is_amount: bool
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """One plain object; fractions are texts such as `1/8`, and `seconds` is all that another walk gives anew."""
        seats = [
            {
                "information_states": self.states[seat],
                "forced_information_states": self.forced_states[seat],
                "wins": self.wins[seat],
                "win_probability": str(self.win_chances[seat]),
                "value": str(self.values[seat]),
            }
            for seat in range(self.players)
        ]
        return {
            "players": self.players,
            "histories": self.histories,
            "terminal": self.terminal,
            "chance": self.chance,
            "forced": self.forced,
            "unfinished": self.unfinished,
            "draws": self.draws,
            "draw_probability": str(self.draw_chance),
            "seats": seats,
            "seconds": round(self.seconds, 3),
        }


class TooLarge(Exception):
    """The tree has more histories than were allowed."""


class Astray(Exception):
    """The rules went wrong at the end of one history; `moves` are what was answered and what happened until then."""

    def __init__(self, error: RuleError, moves: Sequence[str]) -> None:
        super().__init__(error, moves)
        self.error, self.moves = error, tuple(moves)

    def __str__(self) -> str:
        return f"{self.error} It went so: {', '.join(self.moves) or 'nothing was asked'}."


def walk(
    program: Program,
    limit: int = MOST_HISTORIES,
    names: Sequence[str] | None = None,
    on_progress: Progress | None = None,
) -> Tree:
    """Walk all histories of a game. Raises `TooLarge` as soon as there must be more of them than `limit`, and `Astray`
    where the rules go wrong, also where payoffs do not add up to nothing although the game is `zero_sum`."""
    started = time.perf_counter()
    walked = _Walk(program, limit, names, on_progress)
    walked.all()
    return walked.tree(time.perf_counter() - started)


Trail = tuple[Any, State, int, Any] | None
"""A history as a linked list: the trail before, the state there, the seat that moved (or chance), and its move."""


class _Walk:
    """A walk on its way. `ahead` are the moves that are yet to be made, the next one last."""

    def __init__(self, program: Program, limit: int, names: Sequence[str] | None, on_progress: Progress | None) -> None:
        self.program, self.limit, self.on_progress = program, limit, on_progress
        self.machine = Machine(program, names, exhaustive=True)
        self.seats = range(program.players)
        places = program.layout.places
        self.crowds = {place_key(program, self.machine.names, place) for place in places if not place.ordered}
        self.ahead: list[tuple[Trail, tuple[bytes, ...], int, int]] = []
        self.histories = self.terminal = self.chance = self.forced = self.unfinished = self.draws = 0
        self.states: list[dict[bytes, bool]] = [{} for _ in self.seats]
        self.wins = [0] * program.players
        self.sums: dict[int, list[int]] = {}
        """Of the terminal histories whose probability has this denominator, the sums of numerators: of those that each
        seat wins, times what each seat gets, and of those that are drawn."""

    def all(self) -> None:
        self._visit(None, self.machine.new_state(0), (b"",) * len(self.seats), self._sink(), 1, 1)
        while self.ahead:
            trail, known, numerator, denominator = self.ahead.pop()
            assert trail is not None, "only the first state comes from nowhere"
            _, before, seat, value = trail
            state, events = clone(before), self._sink()
            if seat == _CHANCE:
                self.machine.answer_chance(state, value)
            else:
                self._guarded(trail, partial(self.machine.answer_value, state, seat, value, events))
            self._visit(trail, state, known, events, numerator, denominator)

    def _sink(self) -> Sink:
        return [[] for _ in self.seats]

    def _guarded(self, trail: Trail, work: Callable[[], Any]) -> Any:
        """Do it; if the rules go wrong, say on which way."""
        try:
            return work()
        except RuleError as error:
            raise Astray(error, self._moves(trail)) from error

    # ── one history ──

    def _visit(
        self, trail: Trail, state: State, known: tuple[bytes, ...], events: Sink, numerator: int, denominator: int
    ) -> None:
        """Count the history at whose end a state stands, and put what may follow before us."""
        needed = self._guarded(trail, lambda: self.machine.advance(state, events, "ask"))
        self.histories += 1
        if self.on_progress is not None and self.histories % _TOLD_EVERY == 0:
            self.on_progress(self.histories)
        if needed is None:
            self._end(trail, state, numerator, denominator)
            return
        known = self._noticed(known, events)
        if isinstance(needed, Chance):
            self.chance += 1
            seat, moves, odds = _CHANCE, list(range(len(needed.outcomes))), needed.weights
        else:
            seat = min(self.machine.find_waiting(state))
            found = self.machine.find_choices(state, seat)
            try:
                moves = list(islice(found.find_answers(self.limit), self.limit + 1))
            except TooManySets as many:
                raise TooLarge(f"{many} A tree cannot list them.") from many
            odds = tuple(map(found.count_ways, moves))
            self.forced += len(moves) == 1
            self.states[seat][self._information(state, seat, known[seat], found)] = len(moves) == 1
        if self.histories + len(self.ahead) + len(moves) > self.limit:
            raise TooLarge(f"The tree has more than {self.limit:,} histories.")
        total = denominator * sum(odds)
        for move, weight in zip(reversed(moves), reversed(odds), strict=True):
            self.ahead.append(((trail, state, seat, move), known, numerator * weight, total))

    def _end(self, trail: Trail, state: State, numerator: int, denominator: int) -> None:
        found = find_outcome(self.program, state, self.machine.names)
        self._guarded(trail, lambda: check_zero_sum(self.program, found))
        self.terminal += 1
        self.unfinished += not found.finished
        sums = self.sums.setdefault(denominator, [0] * (2 * len(self.seats) + 1))
        if len(found.winners) == 1:
            self.wins[found.winners[0]] += 1
            sums[found.winners[0]] += numerator
        else:
            self.draws += 1
            sums[-1] += numerator
        for seat, payoff in enumerate(found.payoffs, len(self.seats)):
            sums[seat] += numerator * payoff

    # ── what a player knows ──

    def _noticed(self, known: tuple[bytes, ...], events: Sink) -> tuple[bytes, ...]:
        """For each seat, the mark of all it has noticed so far. Marks of 128 bits: two that are equal by accident do
        not come up, and no course of play has to be remembered."""
        return tuple(
            _mark(one, "".join(map(self._text, told))) if told else one for one, told in zip(known, events, strict=True)
        )

    def _text(self, event: Event) -> str:
        """An event as one text; cards that go into a crowd together go there in no order."""
        facts = event.facts
        if event.kind == "moved" and len(facts.get("cards", ())) > 1 and facts["to"] in self.crowds:
            facts = {**facts, "cards": sorted(facts["cards"])}
        return f"{event.kind}{facts!r}"

    def _information(self, state: State, seat: int, known: bytes, found: Choices) -> bytes:
        """The mark of an information state: what was noticed, what was picked in this decision, what may be answered.

        Answers are told apart as the player can tell them apart, not by the machine's own numbers.
        """
        options = sorted(
            f"label {label_of(found.run, found.env, source, value)}" if source.sort == "label" else repr(like)
            for value, source, like in zip(found.values, found.sources, found.alike, strict=True)
        )
        picked: tuple[str, ...] = ()
        if any(picks for one, _, picks, _ in state[PENDING][1] if one == seat):
            decision = self.machine.decision(state)
            asked = decision.find_ask(seat) if decision is not None else None
            picked = asked.picked if asked is not None else ()
        return _mark(known, f"{found.pick.name}{picked}{found.may_pass}{options}")

    # ── what is said ──

    def _moves(self, trail: Trail) -> list[str]:
        """Say what was answered and what happened, from the beginning."""
        words: list[str] = []
        while trail is not None:
            trail, state, seat, value = trail
            words.append(self._move(clone(state), seat, value))
        return words[::-1]

    def _move(self, state: State, seat: int, value: Any) -> str:
        if seat == _CHANCE:
            chance = self.machine.advance(state, None, "ask")
            assert isinstance(chance, Chance), "an outcome was asked for here"
            return f"chance: {chance.outcomes[value].partition(':')[2]}"
        found, player = self.machine.find_choices(state, seat), self.machine.names[seat]
        if value is None:
            return f"{player}: pass"
        chosen = value if found.pick.many else (value,)
        options = found.make_options()
        return f"{player}: {' and '.join(next(o.label for o in options if one in o.values) for one in chosen)}"

    def tree(self, seconds: float) -> Tree:
        count = len(self.seats)
        exact = [sum((Fraction(sums[i], d) for d, sums in self.sums.items()), Fraction()) for i in range(2 * count + 1)]
        return Tree(
            players=count,
            histories=self.histories,
            terminal=self.terminal,
            chance=self.chance,
            forced=self.forced,
            unfinished=self.unfinished,
            states=tuple(map(len, self.states)),
            forced_states=tuple(sum(states.values()) for states in self.states),
            wins=tuple(self.wins),
            draws=self.draws,
            win_chances=tuple(exact[:count]),
            draw_chance=exact[-1],
            values=tuple(exact[count:-1]),
            is_amount=self.program.payoff is not None and self.program.score_sort == "amount",
            seconds=seconds,
        )


def _mark(before: bytes, text: str) -> bytes:
    return blake2b(before + text.encode(), digest_size=16).digest()
