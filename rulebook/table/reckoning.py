"""Result pages of a round and of the game, each of which stands until somebody has read it.

A round is a stage with others in it at whose end something is made public about the players: cards of theirs are
revealed, or a memory of theirs is set that everybody sees. Its page is made of one person's own events, and says no
more than that person's log does, but for what a condition compares that was not met, as far as that person knows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from attrs import define, field

from rulebook.classes import frozen
from rulebook.interpreter.account import Teller, find_decisive, is_judged, merge_names, word_sum
from rulebook.interpreter.events import Event
from rulebook.interpreter.game import Game
from rulebook.interpreter.layout import PlaceSlot
from rulebook.interpreter.ops import memory
from rulebook.interpreter.program import Program, Values
from rulebook.interpreter.results import is_one_team, list_team
from rulebook.interpreter.views import Facts
from rulebook.interpreter.wording import join_texts, place_key, word_value
from rulebook.printing import visible
from rulebook.table import story
from rulebook.table.blocks import LIGHT, Block, Part, Row, row
from rulebook.table.columns import labelled
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import DeviceSitting
from rulebook.table.telling import is_untold, tell_doers, titled
from rulebook.table.view import word_changed


@frozen
class Round:
    """A stage that is over, by numbers of events: `ending` is the first of those that say what came of it, `end` the
    first behind the stage."""

    title: str
    ending: int
    end: int


def tell_rounds(sitting: DeviceSitting, seat: int, end: int | None = None) -> None:
    """Show a person each round that ended since the last question, up to the event number `end`."""
    game = sitting.game
    events = game.events(seat)[:end]
    for finished in find_rounds(game.program, game.names, events):
        seen = sitting.seen.get(seat, 0)
        if finished.end <= seen:
            continue
        before = story.told_to(sitting, seat, seen, max(finished.ending, seen))
        if before and before[0].text == finished.title:
            before = before[1:]  # the title of the page says it
        blocks = lay_out_round(game, seat, events, finished)
        title = f"{visible(game.program.name)} · {visible(finished.title)} is over"
        if not sitting.screen.read_through(title, [*before, *blocks], goes_on="Enter goes on"):
            sitting.leave_table()
        sitting.seen[seat] = finished.end


def tell_last_round(sitting: DeviceSitting) -> list[Block]:
    """Say what came of the last round as everybody noticed it, if that is how the game ended."""
    game = sitting.game
    events = story.by_everyone([game.events(seat) for seat in range(len(game.names))])
    rounds = list(find_rounds(game.program, game.names, events))
    # Stages around it may end too, and nothing else comes behind it but who won.
    closing = ("stage_ended", "won", "over", "said")
    if not rounds or any(event.kind not in closing for event in events[rounds[-1].end :]):
        return []
    return lay_out_round(game, None, events, rounds[-1])


# ── which stages are rounds ──────────────────────────────────────────────────────────────────────────────────────────


@define
class _Open:
    """A stage that has not ended: `inner` is the end of the last stage in it, 0 if there was none yet; `judged` the
    event from which on is told what came of it, if anything has come of it."""

    title: str
    start: int
    inner: int = 0
    judged: int | None = None


def find_rounds(program: Program, names: Sequence[str], events: Sequence[Event]) -> Iterator[Round]:
    """Find the rounds that have ended, the first first."""
    places = {place_key(program, names, place): place for place in program.layout.places}
    opened = [_Open("", 0)]  # the game itself is no round
    for number, event in enumerate(events):
        around = opened[-1]
        if event.kind == "stage_began":
            around.judged = None  # it goes on
            opened.append(_Open(titled(str(event.facts["title"])), number))
        elif event.kind == "stage_ended" and len(opened) > 1:
            ended, around = opened.pop(), opened[-1]
            around.inner = number + 1
            if ended.inner and ended.judged is not None:
                yield Round(ended.title, ended.judged, number + 1)
            elif ended.judged is not None:
                around.judged = ended.start
        elif around.judged is None and _is_made_public(program, names, places, event):
            is_explained = str(event.facts.get("what")).rpartition(".")[2] in find_explained(program)
            if around.inner or is_explained:
                around.judged = around.inner or around.start


def _is_made_public(program: Program, names: Sequence[str], places: Mapping[str, PlaceSlot], event: Event) -> bool:
    """Tell whether everybody learns something of a player: cards of a place, or what is written down."""
    if event.kind == "revealed":
        return places[event.facts["place"]].owned_by == "player"
    owner, _, name = str(event.facts.get("what", "")).rpartition(".")
    slot = program.layout.player_memory.get(name)
    return event.kind == "set" and owner in names and slot is not None and slot.seen_by == "everyone"


@lru_cache(maxsize=64)
def find_explained(program: Program) -> frozenset[str]:
    """Find the memories of which the rules tell what they are made of."""
    steps = (step for code in program.codes for step in code.steps)
    return frozenset(step["memory"].name for step in steps if step.does(memory.explain_memory))


# ── what came of it ──────────────────────────────────────────────────────────────────────────────────────────────────


def lay_out_round(game: SharedGame, seat: int | None, events: Sequence[Event], ended: Round) -> list[Block]:
    """Lay out what happened at the end of a round, then for each player what they held, how they were judged and why,
    and what they got or lost; with what conditions compared and what had changed on cards, as far as the seat saw it.
    """
    teller = Teller(game.program, tuple(game.names), seat)
    players = {name: _Told(teller, name) for name in game.names}
    rest: list[Event] = []
    before: Event | None = None
    happened = events[ended.ending : ended.end]
    numbers = {id(event): number for number, event in enumerate(happened, ended.ending)}
    for event in tell_doers(teller, happened):  # who chose what is in the move that came of it
        if is_untold(game.program, before, event):
            continue
        before = event
        owner = _find_owner(teller, event)
        number = numbers.get(id(event), -1)
        compared = game.way.compared.get((seat, number), {}) if seat is not None else {}
        changed = game.way.changed.get((seat, number), ()) if seat is not None else ()
        if owner is None or not players[owner].note_event(event, compared, changed):
            rest.append(event)
    rest = [event for event in rest if not _says_nothing(event)]
    parts = [part for player in players.values() if (part := player.make_part()) is not None]
    return [*story.sentences(game, seat, rest), *(block for part in parts for block in ("", part))]


def _says_nothing(event: Event) -> bool:
    """Tell whether an event says no more than that somebody was asked."""
    return event.kind == "chose" and not event.facts.keys() & {"what", "count"}


def _find_owner(teller: Teller, event: Event) -> str | None:
    """Find the one player of whom an event tells something that belongs on that player's part of the page."""
    facts = event.facts
    match event.kind:
        case "revealed" | "opened":
            return teller.find_owner(facts["place"])
        case "because" | "set":
            owner = str(facts["what"]).rpartition(".")[0]
            return owner if owner in teller.names else None
        case "moved" | "pieces":
            owners = {teller.find_owner(facts["from"]), teller.find_owner(facts["to"])} - {None}
            return owners.pop() if len(owners) == 1 else None
    return None


@define
class _Told:
    """The part of a page about one player; `judgement` stands beside the name."""

    teller: Teller
    name: str
    judgement: str = ""
    rows: list[Row] = field(factory=list)
    moved: dict[tuple[str, str], tuple[int, dict[str, Any]]] = field(factory=dict)
    """Moves since something else was noted: the row by number and its facts, by the label and the sort."""

    def note_event(self, event: Event, compared: Values, changed: Sequence[Facts]) -> bool:
        """Note an event of this player, unless it is to be told elsewhere."""
        facts, teller = event.facts, self.teller
        if event.kind not in ("moved", "pieces"):
            self.moved.clear()
        match event.kind:
            case "revealed" | "opened":
                slot = teller.find_slot(facts["place"])
                assert slot is not None, "it is a player's place"
                on_these = [state for state in changed if state["place"] == facts["place"]]
                held = self._word_held(facts.get("cards", ()), on_these)
                self.rows.append(row(teller.program.looks.called(slot.name), held))
            case "because":
                self._note_reasons(facts, compared)
            case "set":
                self._note_value(facts)
            case _:
                return self._note_move(event)
        return True

    def _word_held(self, cards: Sequence[str], changed: Sequence[Facts]) -> str:
        """Word cards, with what is not as printed: `2 × John Smith, 50 Euro (exchanged, currency Yen)`."""
        names: list[str] = []
        for card, count in Counter(cards).items():
            on_these = [state for state in changed if state["card"] == card]
            name, words = self.teller.name_card(card), word_changed(self.teller.program, card, count, on_these)
            names += [f"{merge_names([name] * count)[0]}{words}"] if words else [name] * count
        return ", ".join(merge_names(names))

    def _note_value(self, facts: dict[str, Any]) -> None:
        """Note what is written down: beside the name, if there is a word for it."""
        name = str(facts["what"]).rpartition(".")[2]
        answer = self.teller.program.looks.word_answer(name, facts["value"])
        if answer:
            self.judgement = answer
        else:
            sort = self.teller.describe_target(facts["what"])[1]
            self.rows.append(
                row(self.teller.program.looks.called(name), self.teller.describe_value(facts["value"], sort))
            )

    def _note_reasons(self, facts: dict[str, Any], compared: Values) -> None:
        """Note what is written down, and the conditions or sums that it was made of."""
        groups, value = facts["lines"], bool(facts["value"])
        sort = self.teller.describe_target(facts["what"])[1]
        if not all(map(is_judged, groups)):
            self._note_value(facts)
            text = " + ".join(
                word_sum(self.teller, group["lines"], "amount" if sort == "amount" else "any") for group in groups
            )
            last = self.rows[-1]
            self.rows[-1] = row(last.label, f"{last.text} = {text}")
            return
        self._note_value(facts)
        words = [
            self._word_line(part, names, {} if value else compared) for part, names in find_decisive(groups, value)
        ]
        self.rows.append(Row("met" if value else "not met", words))

    def _word_line(self, group: dict[str, Any], lines: Sequence[str], compared: Values) -> str:
        """Word a line: `John Smith: exactly one ID (2); no badge`."""
        card = group["card"]
        whose = "" if card is None else f"{self.teller.name_card(card)}: "
        reasons = [(line, compared.get((card, group["name"], line), "")) for line in lines]
        return whose + "; ".join(f"{line} ({why})" if why else line for line, why in reasons)

    def _note_move(self, event: Event) -> bool:
        """Note what goes to the player or away, all of it that goes one way in one row."""
        teller, facts = self.teller, event.facts
        is_gain = teller.find_owner(facts["to"]) is not None
        if is_gain and teller.find_owner(facts["from"]) is not None:
            return False
        label = f"from {teller.name_place(facts['from'])}" if is_gain else f"to {teller.name_place(facts['to'])}"
        at, before = self.moved.get((label, event.kind), (len(self.rows), {}))
        cards = [*before.get("cards", ()), *facts.get("cards", ())]
        moved = {**facts, "cards": cards, "count": before.get("count", 0) + facts.get("count", 0)}
        what = (
            teller.name_pieces(moved["count"], facts["to"], facts["from"])
            if event.kind == "pieces"
            else teller.name_cards(moved)[0]
        )
        self.rows[at : at + 1] = [row(label, what)]
        self.moved[label, event.kind] = at, moved
        return True

    def make_part(self) -> Part | None:
        """Make the player's part of the page, if there is anything to say."""
        if not self.rows and not self.judgement:
            return None
        is_you = self.teller.is_you(self.name)
        name = f"You ({visible(self.name)})" if is_you else visible(self.name)
        return Part(f"{name} · {self.judgement}" if self.judgement else name, self.rows, is_own=is_you)


# ── the game ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@frozen
class Standing:
    """A player or team at the end. `place` is 0 where nobody is first, and of a member of the team above; `score` is
    empty where numbers would not say who won.
    """

    name: str
    place: int
    score: str
    is_member: bool = False


def word_result(game: Game) -> str:
    """Say who won."""
    outcome = game.outcome
    if not outcome.finished:
        return "The game was stopped: it had gone on for too long."
    are_together = len(outcome.teams) > 1 and is_one_team(outcome.teams)
    if not outcome.winners:
        return "You have lost together." if are_together else "Nobody wins."
    won = [team for team in dict.fromkeys(outcome.teams) if team in outcome.winners]
    teams = [_name_team(game, team) for team in won]
    if len(teams) == 1:
        return f"{teams[0]} win together." if len(outcome.winners) > 1 else f"{teams[0]} wins."
    if len(won) == len(outcome.winners):
        return f"{join_texts(teams)} share the victory."
    alone = [team for team, seat in zip(teams, won, strict=True) if len(list_team(outcome.teams, seat)) == 1]
    several = [f"the team of {team}" for team in teams if team not in alone]
    text = join_texts([*alone, *several])
    return f"{text if alone else f'T{text[1:]}'} share the victory."


def _name_team(game: Game, team: int) -> str:
    return join_texts([visible(game.names[seat]) for seat in list_team(game.outcome.teams, team)])


def find_standings(game: Game) -> list[Standing]:
    """Find how everybody stands, the first first."""
    outcome, program = game.outcome, game.program
    order = sorted(sorted(set(outcome.teams)), key=lambda team: outcome.places[team])
    # Where nobody wins nobody is first.
    is_ranked = bool(outcome.winners) or not outcome.finished
    # Where the rules count nothing, a 0 says nothing; where something else decided, a number would say who won.
    is_counted = program.payoff is not None or bool(program.rank)
    says_so = is_counted and _tell_same_order([(outcome.places[team], outcome.totals[team]) for team in order])
    scores, totals = (
        [visible(word_value(program, (), number, program.score_sort)) if says_so else "" for number in numbers]
        for numbers in (outcome.scores, outcome.totals)
    )
    standings: list[Standing] = []
    for team in order:
        seats, place = list_team(outcome.teams, team), outcome.places[team] if is_ranked else 0
        if len(order) == 1 and len(seats) > 1:
            # That they have won or lost is said; nobody is ahead of anybody.
            standings += [Standing("Together", 0, totals[team])] if says_so else []
        else:
            standings.append(Standing(_name_team(game, team), place, totals[team]))
        if len(seats) > 1 and (says_so or len(order) == 1):
            standings += [Standing(visible(game.names[seat]), 0, scores[seat], is_member=says_so) for seat in seats]
    return standings


_LATELY = 12  # events before the last one, of which the last sentence says how it came to that


def word_why(game: SharedGame, seat: int | None, events: Sequence[Event], best: str) -> str:
    """Say why a game ended as it did, from what this seat noticed: what decides (`best`, as the rules say it) with the
    first one's number and the round with which it ended; where somebody won at once, or is paid, what came before, with
    that number if there is one.
    """
    if not game.outcome.finished:
        return ""
    first = next((standing for standing in find_standings(game) if standing.place == 1), None)
    end = next((at for at, event in enumerate(events) if event.kind in ("won", "over")), len(events))
    is_won = end < len(events) and events[end].kind == "won"
    if is_won or first is None or not (first.score and best):
        before = story.sentences(game, seat, events[max(0, end - _LATELY) : end])
        why = next((line.text for line in reversed(before) if not line.is_title and line.weight > LIGHT), "")
        return f"{why} {first.name}: {first.score}.".lstrip() if first is not None and first.score else why
    rounds = [*find_rounds(game.program, game.names, events)]
    last = f" It ended with {visible(rounds[-1].title)}." if rounds else ""
    return f"{best[0].upper()}{best[1:]}: {first.score}.{last}"


def tell_standings(game: Game, columns: int, paint: Callable[[str, str], str]) -> list[str]:
    """Tell who won, and how everybody stands."""
    standings = find_standings(game)
    rows = [(_word_standing(standing), standing.score) for standing in standings]
    has_scores = any(standing.score for standing in standings)
    return [
        paint("title", word_result(game)),
        *(labelled(rows, columns) if has_scores else [f"  {who}" for who, _ in rows]),
    ]


def _word_standing(standing: Standing) -> str:
    if standing.place:
        return f"{standing.place}. {standing.name}"
    return f"   {standing.name}" if standing.is_member else standing.name


def _tell_same_order(standing: Sequence[tuple[int, int]]) -> bool:
    """Tell whether numbers and places tell of the same order, the first place first, and of those who share one."""
    steps = [(after - before, place == other) for (place, before), (other, after) in pairwise(standing)]
    share = all(step == 0 for step, is_shared in steps if is_shared)
    return share and (all(step >= 0 for step, _ in steps) or all(step <= 0 for step, _ in steps))
