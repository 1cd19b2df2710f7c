"""Watch a game on its way: cards, options, leads, what players hold and are, what their cards say of them.

States in which somebody is asked are compared, so no events are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from rulebook.classes import frozen
from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.interpreter import wording
from rulebook.interpreter.core.door import Log
from rulebook.interpreter.decisions import PASS, RuleError
from rulebook.interpreter.events import Sink
from rulebook.interpreter.layout import ALIVE, WHERE, MemorySlot
from rulebook.interpreter.machine import Machine
from rulebook.interpreter.program import Code, Pick, Program, Source
from rulebook.interpreter.results import count_teams, find_teams, standing
from rulebook.interpreter.run import NotThere, Run
from rulebook.interpreter.state import State, cards_in
from rulebook.playtest.series.bulk import seats_of
from rulebook.playtest.series.counting import Counted
from rulebook.playtest.series.naming import UNNAMED
from rulebook.playtest.series.record import NOT_ASKED, PARTS, Seen

_CARDS = ("card", "object", "list of card")
_GOT, _PLAYED, _HELD = range(3)

Groups = tuple[tuple[int, ...], tuple[int, ...]]
"""The seats that are first and those that are last; none where all are equal."""


Roles = tuple[dict[str, str], ...]
"""By seat, by the name of a slot or a memory, the id of the card or the word."""
Dealt = tuple[tuple[str, ...], ...]
"""By seat, the ids of the cards there, each once."""
Move = tuple[int, int, int]
"""A card, where it lay, and where it lies now."""


@frozen(eq=False)
class _Asked:
    """A yes-or-no question that a card answers about a player."""

    key: str
    question: Code
    lines: tuple[tuple[str, Code], ...]


class Lookout:
    """The parts of a lookout that are the same in all games of one program."""

    def __init__(self, machine: Machine, rulebook: ir.Rulebook) -> None:
        self.machine = machine
        self.program: Program = machine.program
        layout = self.program.layout
        self.owners = tuple(place.owner if place.owned_by == "player" else None for place in layout.places)
        """By the ordinal of a place, whose it is."""
        places = [place for place in layout.places if place.owned_by == "player" and place.kept != "pool"]
        self._slots = [place for place in places if place.kept == "slot"]
        self._memories = [memory for memory in layout.player_memory.values() if _names_something(memory)]
        self._owner = {place.ordinal: place.owner for place in places}
        """The same of those whose cards are told apart."""
        self._asked = [list(self._asks(rulebook, card)) for card in range(self.program.cards)]
        self._keys: dict[tuple[int, Any], str] = {}

    def groups(self, state: State) -> Groups:
        """Find who leads and who is last now."""
        try:
            run = Run(self.program, self.machine.names, state)
            found = standing(run, find_teams(run))
        except RuleError:
            # A result may be asked for something that there is only at the end.
            return (), ()
        return (tuple(sorted(found[0])), tuple(sorted(found[-1]))) if len(found) > 1 else ((), ())

    def find_teams(self, state: State) -> tuple[int, ...]:
        """Find the team of each seat, when the game is over."""
        return find_teams(Run(self.program, self.machine.names, state))

    def key(self, source: Source, value: Any) -> str:
        """Name an option in a count, in every state alike: a label as it is written."""
        at = id(source), value
        if at not in self._keys:
            self._keys[at] = wording.key_option(self.program, self.machine.names, source, value)
        return self._keys[at]

    # ── what players hold and are, and what their cards say of them ──

    def _asks(self, rulebook: ir.Rulebook, card: int) -> Iterator[_Asked]:
        id = self.program.definition[card]
        for hook, by_object in rulebook.hooks.items():
            function = rulebook.functions.get(by_object.get(id, ""))
            question = self.program.asks[hook][card]
            if function is None or question is None or not _about_a_player(function):
                continue
            # What a kind says of all its cards says nothing of one of them.
            if function.name.startswith("cards."):
                yield _Asked(f"{id}.{hook}", question, self.program.lowering.lower_lines(question.name))

    def roles(self, state: State) -> Roles:
        """Find what lies in each seat's slots, and which word, card, yes or no it remembers."""
        found: list[dict[str, str]] = [{} for _ in range(self.program.players)]
        for place in self._slots:
            for card in cards_in(self.program.layout, state, place):
                assert place.owner is not None
                found[place.owner][place.name] = self.program.definition[card]
        for memory in self._memories:
            for seat, roles in enumerate(found):
                value = state[memory.slot + seat]
                if value is not None:
                    # `card:crown`, `word:yes`: what it is, without what sort of thing it is.
                    key = wording.make_key(self.program, self.machine.names, value, memory.sort)
                    roles[memory.name] = key.partition(":")[2]
        return tuple(found)

    def cards(self, state: State) -> Dealt:
        """The ids of the cards each seat has, each once."""
        found: list[set[str]] = [set() for _ in range(self.program.players)]
        for card, place in enumerate(state[WHERE]):
            owner = self._owner.get(place)
            if owner is not None:
                found[owner].add(self.program.definition[card])
        return tuple(tuple(sorted(ids)) for ids in found)

    def values(self, state: State) -> dict[str, tuple[str, ...]]:
        """Find what each value that the rulebook shows is for each seat: the truth, whoever may see it."""
        found, run = dict[str, tuple[str, ...]](), Run(self.program, self.machine.names, state)
        for shown in self.program.shown:
            cells = []
            for seat in range(self.program.players):
                answer = None
                if not shown.of_each or seat in state[ALIVE]:
                    run.looked_at = 0
                    with suppress(NotThere, RuleError):
                        answer = run.answer_to(shown.question, (seat,) if shown.of_each else ())
                plain = wording.make_plain(self.program, self.machine.names, answer, shown.sort)
                cells.append(_write_cell(plain))
            found[shown.name] = tuple(cells)
        return found

    def ask_cards(self, state: State) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
        """Ask the cards that players have about them: how many were asked, how many said yes, and on how many
        each named condition was met, whether or not the others were; and of which seats one said yes, as `Seen` has
        both."""
        found: dict[str, list[int]] = {}
        true_of: dict[str, list[int]] = {}
        run = Run(self.program, self.machine.names, state)
        for card, place in enumerate(state[WHERE]):
            owner = self._owner.get(place)
            if owner is None:
                continue
            for one in self._asked[card]:
                try:
                    said = bool(run.answer_to(one.question, (card, owner)))
                    lines = [bool(run.ask_question(line, card, owner)) for _, line in one.lines]
                except (RuleError, NotThere):
                    continue
                counted = found.setdefault(one.key, [0] * (2 + len(lines)))
                for at, met in enumerate([True, said, *lines]):
                    counted[at] += met
                seats = true_of.setdefault(one.key.rpartition(".")[2], [NOT_ASKED] * self.program.players)
                seats[owner] = max(seats[owner], int(said))
        answers, of_seats = ({key: tuple(one) for key, one in sorted(both.items())} for both in (found, true_of))
        return answers, of_seats


class Watched:
    """One game, looked at from its first decision to its end."""

    def __init__(self, lookout: Lookout, events: Sink | None = None) -> None:
        self._at = lookout
        self._players = lookout.program.players
        self.events: Sink = [[] for _ in range(self._players)] if events is None else events
        """By seat, the events of a game that the machine plays."""
        self._where = list(lookout.program.layout.start[WHERE])
        self._cards: dict[str, list[int]] = {}
        self._options: dict[str, list[int]] = {}
        self._beyond: dict[str, list[float]] = {}
        self._offered = self._asked = 0
        self._start: tuple[Roles, Dealt] | None = None
        self._stands: list[tuple[int, Groups]] = []
        self._counted: Counted | None = None

    def asked(self, state: State, seat: int, value: Any, turn_began: bool) -> None:
        """Somebody is asked, and will answer this; `turn_began` when somebody else was asked before."""
        at = self._at
        self.begins(state)
        choices = at.machine.find_choices(state, seat)
        leaders = at.groups(state) if turn_began else None
        offered = dict(zip(choices.values, choices.sources, strict=True))
        self._decided(seat, leaders, self._moves_to(state), choices.pick, choices.may_pass, offered, value)

    def read(self, log: Log, counted: Counted) -> None:
        """Take the whole game, as the core counted it."""
        self.begins(log.first)
        self._asked, self._offered, self._counted = counted.asked, counted.offered, counted
        self._stands = [(number, (seats_of(first), seats_of(last))) for number, first, last in counted.stands]

    def begins(self, state: State) -> None:
        """Keep what players have and are at the first decision."""
        if self._start is None:
            self._start = self._find_holdings(state)

    def _decided(
        self,
        seat: int,
        leaders: Groups | None,
        moves: Iterable[Move],
        pick: Pick,
        may_pass: bool,
        offered: Mapping[Any, Source],
        value: Any,
    ) -> None:
        if leaders is not None:
            self._stands.append((self._asked, leaders))
        self._asked += 1
        self._move(moves)
        self._offered += len(offered) + may_pass
        if pick.is_button:
            return
        chosen = value if pick.many and value is not None else (value,)
        self._count(seat, offered, may_pass, chosen, is_set=pick.many)
        self._plays(seat, offered, chosen)

    def _find_holdings(self, state: State) -> tuple[Roles, Dealt]:
        return self._at.roles(state), self._at.cards(state)

    def _count(
        self, seat: int, offered: Mapping[Any, Source], may_pass: bool, chosen: Sequence[Any], *, is_set: bool
    ) -> None:
        """Equal cards are one option, which is offered once and chosen once; at random it is chosen as often as there
        are copies."""
        key, options = self._at.key, self._options
        copies: dict[str, int] = {}
        for one, source in offered.items():
            named = key(source, one)
            copies[named] = copies.get(named, 0) + 1
        if may_pass:
            copies[PASS] = 1
        taken = dict.fromkeys(PASS if one is None else key(offered[one], one) for one in chosen)
        for named in copies:
            counted = options.setdefault(named, [0, 0])
            counted[0] += 1
            counted[1] += named in taken
        if is_set:
            return
        total = len(offered) + may_pass
        for named, many in copies.items():
            if named.partition(":")[0] not in UNNAMED:
                beyond = self._beyond.setdefault(named, [0.0] * (2 * self._players))
                chance = many / total
                beyond[2 * seat] += (named in taken) - chance
                beyond[2 * seat + 1] += chance * (1 - chance)

    def _plays(self, seat: int, offered: Mapping[Any, Source], chosen: Sequence[Any]) -> None:
        cards, owners, where = self._at.program.cards, self._at.owners, self._where
        for one in chosen:
            if one is None or offered[one].sort not in _CARDS:
                continue
            for card in one if isinstance(one, tuple) else (one,):
                if card is not None and card < cards and owners[where[card]] == seat:
                    self._counts_of(card)[3 * seat + _PLAYED] += 1

    def _moves_to(self, state: State) -> list[Move]:
        """List the cards that lie elsewhere than when somebody was asked the last time."""
        both = enumerate(zip(self._where, state[WHERE], strict=True))
        return [(card, old, new) for card, (old, new) in both if old != new]

    def _move(self, moves: Iterable[Move]) -> None:
        """Count who got which cards."""
        owners, where = self._at.owners, self._where
        for card, old, new in moves:
            # Whatever left the box has its counts, though they may be nothing.
            owner, counted = owners[new], self._counts_of(card)
            if owner is not None and owners[old] != owner:
                counted[3 * owner + _GOT] += 1
            where[card] = new

    def _counts_of(self, card: int) -> list[int]:
        name = self._at.program.definition[card]
        counted = self._cards.get(name)
        if counted is None:
            counted = self._cards[name] = [0] * (3 * self._players)
        return counted

    def _add_up(self, state: State) -> Counted:
        """Count what was watched, when the game is over."""
        self._move(self._moves_to(state))
        for card, place in enumerate(state[WHERE]):
            owner = self._at.owners[place]
            if owner is not None:
                self._counts_of(card)[3 * owner + _HELD] += 1
        beyond = {name: tuple(round(1e6 * one) for one in numbers) for name, numbers in self._beyond.items()}
        cards = {name: tuple(counted) for name, counted in self._cards.items()}
        begun = Counter(event.facts["stage"] for event in self.events[0] if event.kind == "stage_began")
        stages = {name: begun[name] for name in self._at.program.stages}
        return Counted(self._offered, self._asked, [], stages, cards, self._options, beyond)

    def _find_standing(self, decisions: float) -> Groups:
        """Find who was first and who was last after so many decisions."""
        return next((groups for number, groups in reversed(self._stands) if number <= decisions), ((), ()))

    def over(self, state: State) -> Seen:
        counted = self._add_up(state) if self._counted is None else self._counted
        standings = [self._find_standing(part * self._asked) for part in PARTS]
        behind = standings[PARTS.index(0.5)][1]
        stands = [*(first for _, (first, _) in self._stands), self._at.groups(state)[0]]
        teams = self._at.find_teams(state)
        leaders = [first[0] for first in stands if count_teams(first, teams) == 1]
        roles, dealt = self._find_holdings(state) if self._start is None else self._start
        answers, true_of = self._at.ask_cards(state)
        return Seen(
            changes=sum(one != next_one for one, next_one in pairwise(leaders)),
            ahead=tuple(first for first, _ in standings),
            behind=behind,
            roles=roles,
            cards=dict(sorted(counted.cards.items())),
            options={name: (one[0], one[1]) for name, one in sorted(counted.options.items())},
            offered=self._offered,
            dealt=dealt,
            ends=self._at.roles(state),
            answers=answers,
            true_of=true_of,
            beyond=dict(sorted(counted.beyond.items())),
            values=self._at.values(state),
            stages=counted.stages,
        )


def _names_something(memory: MemorySlot) -> bool:
    return memory.sort in ("yes_no", "card") or memory.sort.startswith("word ")


def _write_cell(plain: Any) -> str:
    """Write a plain value as a cell: a number, a word, yes or no, the entries of a table one after the other."""
    if isinstance(plain, dict):
        return "; ".join(f"{name} {_write_cell(value)}" for name, value in plain.items())
    return "" if plain is None else ("no", "yes")[plain] if isinstance(plain, bool) else str(plain)


def _about_a_player(function: ir.Function) -> bool:
    types = function.slots.types[: function.parameters]
    return function.type == t.YES_NO and len(types) == 2 and t.surely(types[1]) == t.PLAYER
