"""Does a game tell a seat what it may not know? Asked of a game at any moment, for one seat.

In: a `ListenedGame` (a game that notes what each seat knew when an event reached it), a seat, random
numbers. Out: sentences, one for each leak; none is what one wants to see. Five questions:

1. Other states, which this seat cannot tell from the true one, must send it the same bytes: a determinized
state, one in which equal copies have changed numbers, and one in which the other seats have been asked more
often. 2. A card named in an event must be one that the seat recognises when the event reaches it, or did before
the sentence that tells of it, or that it is shown; a claim is no fact about a card, so a sentence is excused that
says the same whatever lies hidden. 3. What is sent must
look right by itself: no numbers of cards, no unordered place out of order, nobody named in a decision that
the others may not learn of, no line to a program without news in it. 4. Who was eliminated is shown nothing that
is not shown to all who still play. 5. After the same answer, states that look the same must send the same, up to
the first thing by which the game means to tell: what hands do with cards, and sentences with `publicly`. A bot of
that seat must answer the same in both.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import zip_longest
from typing import Any

from attrs import frozen

from rulebook.interpreter import determinize as determinizing
from rulebook.interpreter.decisions import Refused
from rulebook.interpreter.determinize import NoTable, Twins
from rulebook.interpreter.events import Event, EventKind, Sink
from rulebook.interpreter.game import Game
from rulebook.interpreter.knowledge import sight
from rulebook.interpreter.layout import ALIVE, CLOCK, COUNTS, KNOWN, PENDING, RESULT, SEED, STACK, WHERE, PlaceSlot
from rulebook.interpreter.ops.memory import say
from rulebook.interpreter.program import Program
from rulebook.interpreter.random import Source
from rulebook.interpreter.run import Run
from rulebook.interpreter.state import State
from rulebook.interpreter.views import is_quiet
from rulebook.interpreter.wording import place_key
from rulebook.playtest import protocol
from rulebook.playtest.bots import make_bot
from rulebook.playtest.bots.thinking import Thinking
from rulebook.playtest.leaking.listening import ListeningMachine

Below = Callable[[int], int]


def leaks(game: "ListenedGame", seat: int, below: Below) -> list[str]:
    """Everything that this seat is told and may not know, now or in events since this was last asked."""
    return [
        *twins_differ(game, seat, below),
        *overheard(game, seat),
        *looks_wrong(game, seat),
        *not_public(game, seat),
        *goes_on(game, seat, below),
        *bots_differ(game, seat, below),
    ]


def answer_at_random(game: Game, below: Below) -> None:
    """One seat of those that are asked answers something."""
    assert game.decision is not None, "the game waits for somebody"
    asked = game.decision.asks[below(len(game.decision.asks))]
    game.answer(asked.seat, game.machine.random_answer(game.state, asked, below), asked.number)


# ── the same bytes from states that look the same ────────────────────────────────────────────────


def twins_differ(game: Game, seat: int, below: Below) -> Iterator[str]:
    """Question 1."""
    here = sent(game, seat)
    for what, state in twins(game, seat, below):
        there = sent(elsewhere(game, state, below), seat)
        if there != here:
            yield f"{what} shows {game.names[seat]} something else: {_difference(here, there)}"


def twins(game: Game, seat: int, below: Below) -> Iterator[tuple[str, State]]:
    """States that this seat must not be able to tell from the true one, and what is different in each."""
    program, state = game.program, game.state
    yield "a state with other hidden cards", look_alike(program, state, seat, below)
    yield "a state in which equal cards have other numbers", with_other_numbers(program, state, below)
    yield "a state in which others were asked more often", with_other_counts(state, seat, below)
    yield "a state in which uncounted places hold more or less", with_other_sizes(program, state, seat, below)


def look_alike(program: Program, state: State, seat: int, below: Below) -> State:
    """A state that this seat could not tell from the true one. Where nobody could imagine what scripts remember, they
    remember what they do in truth; and who is asked in both has been asked as often.
    """
    twins = Twins(program, state, seat)
    twins.walks = twins.walks or ()
    twin = twins.draw_state(below)
    if twin is None:
        raise NoTable
    return _counted_as(program, twin, state)


def _counted_as(program: Program, twin: State, state: State) -> State:
    """A state in which everybody was asked as often as in another, and those who are asked in it alone once more."""
    counts = list(state[COUNTS])
    if program.choice_at(twin) is not None:
        entries = []
        for (seat, number, picks, done), true in zip(twin[PENDING][1], state[PENDING][1], strict=True):
            counts[seat] += bool(number) - bool(true[1])
            entries.append((seat, counts[seat] if number else 0, picks, done))
        twin[PENDING] = ("ask", tuple(entries))
    twin[COUNTS], twin[CLOCK] = tuple(counts), state[CLOCK]
    return twin


def elsewhere(game: Game, state: State, below: Below) -> Game:
    """A game at another state, that was begun with another seed: nobody at the table knows the seed."""
    twin = game.fork(state)
    twin.seed = below(1 << 62)
    return twin


def with_other_numbers(program: Program, state: State, below: Below) -> State:
    """Cards that are printed alike change their numbers among each other."""
    printed: dict[Any, list[int]] = {}
    for card in range(program.cards):
        in_a_pool = program.layout.places[state[WHERE][card]].kept == "pool"  # where cards have no numbers any more
        if card not in program.singular and not in_a_pool:
            attributes = [repr(values[card]) for values in program.attributes.values()]
            starts = [repr(slot.starts[card]) for slot in program.layout.states.values()]
            printed.setdefault((program.definition[card], *attributes, *starts), []).append(card)
    laid: dict[int, int] = {}
    for alike in printed.values():
        left = list(alike)
        for hole in alike:
            laid[hole] = left.pop(below(len(left)))
    twin = state[:]
    determinizing._lay(program, twin, laid)
    for slot in program.layout.states.values():
        if slot.with_face:
            values = list(state[slot.slot])
            for hole, card in laid.items():
                values[card] = state[slot.slot][hole]
            twin[slot.slot] = tuple(values)
    return twin


def with_other_counts(state: State, seat: int, below: Below) -> State:
    """Only its own decisions are counted for a seat."""
    twin = state[:]
    more = 1 + below(1000)
    twin[CLOCK] += more
    twin[COUNTS] = tuple(count if one == seat else count + more for one, count in enumerate(twin[COUNTS]))
    if twin[PENDING] is not None and twin[PENDING][0] == "ask":
        entries = (
            (one, number + more if number and one != seat else number, picks, done)
            for one, number, picks, done in twin[PENDING][1]
        )
        twin[PENDING] = ("ask", tuple(entries))
    return twin


def with_other_sizes(program: Program, state: State, seat: int, below: Below) -> State:
    """A hidden card lies in another place of which this seat sees neither the cards nor how many there are."""
    twin = state[:]
    places = [one for one in program.layout.places if one.kept in ("bag", "loose") and is_uncounted(state, one, seat)]
    hidden = set(determinizing.hidden_cards(program, state, seat))
    ways = [
        (card, here, there)
        for here in places
        for there in places
        for card in state[here.slot]
        if here is not there and here.holds == there.holds and card in hidden
    ]
    if ways:
        card, here, there = ways[below(len(ways))]
        twin[here.slot] = program.layout.pack([one for one in state[here.slot] if one != card])
        twin[there.slot] = program.layout.pack(sorted((*state[there.slot], card)))
        where = list(state[WHERE])
        where[card] = there.ordinal
        twin[WHERE] = bytes(where) if isinstance(state[WHERE], bytes) else tuple(where)
    return twin


def is_uncounted(state: State, place: PlaceSlot, seat: int) -> bool:
    """Whether only somebody else may count what lies here; asked of the place, not of the views."""
    is_own = place.owned_by == "player" and place.owner == seat and seat in state[ALIVE]
    return place.counted == "owner" and not is_own


def sent(game: Game, seat: int) -> str:
    """Every byte that a seat can get out of a game now, but for events: its view, and what it is refused."""
    view = game.view(seat).to_json()
    del view["events"]
    said = {**view, "refusals": refusals(game, seat), "hello": protocol.hello(game, seat)}
    return json.dumps(said, ensure_ascii=False, indent=1)


def refusals(game: Game, seat: int) -> dict[str, str]:
    """What a seat hears to answers it may not give: by the answer, the text."""
    view = game.view(seat)
    wrong: list[tuple[list[str], int | None]] = [([], None), (["nonsense"], None)]
    legal: tuple[str, ...] = ()
    if view.ask is not None:
        if view.ask.at_least <= 1 <= view.ask.at_most:
            legal = view.ask.keys
        wrong += [(list(view.ask.keys) * 9, None), (list(legal[:1]), view.ask.number + 1)]
        wrong += [([f"player:{name}"], None) for name in game.names]
        wrong += [([f"card:{definition}"], None) for definition in game.program.definitions]
        wrong += [(["pass"], None), (["number:1"], None)]
    heard = {}
    trial = game.fork()
    for keys, number in wrong:
        if len(keys) == 1 and keys[0] in legal and number is None:
            continue
        try:
            trial.answer(seat, keys, number)
        except Refused as refused:
            heard[f"{keys} {number}"] = str(refused)
        else:
            heard[f"{keys} {number}"] = "taken"
            trial = game.fork()
    return heard


def _difference(here: str, there: str) -> str:
    for one, other in zip(here.splitlines(), there.splitlines(), strict=False):
        if one != other:
            return f"`{one.strip()}` became `{other.strip()}`"
    return f"{len(here)} characters became {len(there)}"


# ── cards named in events ────────────────────────────────────────────────────────────────────────


class Noticed(list[Event]):
    """The events of one seat, each looked at when it arrives."""

    def __init__(self, game: "ListenedGame", seat: int) -> None:
        super().__init__()
        self.game, self.seat = game, seat
        self.complaints: list[str] = []

    def append(self, event: Event) -> None:
        named = named_definitions(self.game.program, event)
        if named and not (event.kind == "said" and is_claim(self.game, self.seat, event.facts["text"])):
            name, known = self.game.names[self.seat], recognised_definitions(self.game, self.seat, event)
            for word in sorted(word for word, meant in named.items() if not meant & known):
                self.complaints.append(f"{name} does not know {word}, but was sent {event.to_json()}")
        if event.kind == "rolled" and too_many_faces(self.game, self.seat, event):
            self.complaints.append(f"{self.game.names[self.seat]} may not see all these dice: {event.to_json()}")
        super().append(event)


def too_many_faces(game: "ListenedGame", seat: int, event: Event) -> bool:
    """Whether more faces are told of dice than this seat may look at where they lie now."""
    assert isinstance(game.machine, ListeningMachine) and game.machine.at_work is not None
    program, state = game.program, game.machine.at_work.state
    if not all(slot.with_face for slot in program.layout.states.values()):
        return False  # dice that show what they are on any side
    lying = [one for one in program.layout.places if place_key(program, game.names, one) == event.facts["place"]]
    seen = [card for one in lying for card in state[one.slot] if sight(program, state, card) >> seat & 1]
    return len(event.facts["dice"]) > len(seen)


def is_claim(game: "ListenedGame", seat: int, text: str) -> bool:
    """Whether what was said is said only, and no fact: in states that this seat could not tell from the true one, the
    same sentence says the same.
    """
    assert isinstance(game.machine, ListeningMachine)
    run = game.machine.at_work
    assert run is not None, "somebody is at work when something is said"
    step = run.code.steps[run.pc - 1]
    if not step.does(say) or run.run_piece(step["text"], run.env) != text:
        return False
    here = [*run.state]
    here[STACK] = (*run.callers, (run.code_index, run.pc, *run.env[: run.code.size]))
    below = Source(len(text), "claims").below
    for _ in range(6):
        other = Run(run.program, run.names, look_alike(run.program, here, seat, below))
        other.load_frame()
        if other.run_piece(step["text"], other.env) != text:
            return False
    return True


class ListenedGame(Game):
    """A game that notes, for each event, what its seat knew when it came."""

    machine_kind = ListeningMachine

    def _make_sink(self) -> Sink:
        return [Noticed(self, seat) for seat in range(len(self.names))]


def overheard(game: ListenedGame, seat: int) -> Iterator[str]:
    """Question 2, for events that came since it was last asked."""
    noticed = game.events(seat)
    assert isinstance(noticed, Noticed), "a game that is watched from its beginning is needed"
    yield from noticed.complaints
    noticed.complaints.clear()


def recognised_definitions(game: ListenedGame, seat: int, event: Event) -> set[str]:
    """The definitions of which this seat may be told where at least one card lies: it sees it or is reminded of it, now
    or before the sentence that tells of it. Of what it is shown, also to choose from, it is told wherever that lies.
    """
    program, machine = game.program, game.machine
    assert isinstance(machine, ListeningMachine)
    places, is_shown = program.layout.places, event.kind in ("shown", "revealed")
    is_shown |= event.kind == "chose" and event.facts["player"] == game.names[seat]
    states = [game.state] if machine.before is None else [machine.before, game.state]
    return {
        program.definition[card]
        for state in states
        for card in range(program.cards)
        if sight(program, state, card) >> seat & 1
        or (state[KNOWN][card] >> seat & 1 and (is_shown or places[state[WHERE][card]].recall))
        or (state[RESULT] is not None and places[state[WHERE][card]].opened_at_end)
    }


def named_definitions(program: Program, event: Event) -> dict[str, frozenset[str]]:
    """The ids and words by which an event names cards, and the definitions each may mean: two may share a name.

    Where a card lies is no naming of it, nor is a question: its answer is what is told.
    """
    no_naming = ("from", "to", "place", "question")
    texts = list(_texts({key: value for key, value in event.facts.items() if key not in no_naming}))
    means = meanings(program)
    if means.pattern is None:
        return {}
    return {word: means.definitions[word] for word in means.pattern.findall("\n".join(texts))}


@frozen
class Meanings:
    """The words that name cards: a pattern that finds them, longest first, and what each may mean."""

    pattern: re.Pattern[str] | None
    definitions: dict[str, frozenset[str]]


@cache
def meanings(program: Program) -> Meanings:
    definitions: dict[str, frozenset[str]] = {}
    for definition, name in program.definitions.items():
        for word in {definition, name} if len(name) > 2 and re.search(r"[^\W\d]", name) else {definition}:
            definitions[word] = definitions.get(word, frozenset()) | {definition}
    # A longer name is found inside of which a shorter one would be, so that "Big ruby" does not name the ruby.
    words = "|".join(re.escape(word) for word in sorted(definitions, key=len, reverse=True))
    return Meanings(re.compile(rf"(?<![\w.])(?:{words})(?!\w)") if words else None, definitions)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, str):
        yield value


# ── what looks wrong by itself ───────────────────────────────────────────────────────────────────

CARD_KEY = re.compile(r"card:(\?|[^\[@#]+)(\[[^\]]*\])?(@[^#]+)?(#\d+)?")


def looks_wrong(game: Game, seat: int) -> Iterator[str]:
    """Question 3."""
    view = game.view(seat)
    yield from _places_look_wrong(game, view.facts["places"])
    if view.ask is not None:
        yield from _options_look_wrong(game.program, view.ask.keys)
        if view.ask.number != game.state[COUNTS][seat]:
            yield f"the number {view.ask.number} is not how often {game.names[seat]} was asked"
    for event in game.events(seat):
        for one in _card_numbers(event.facts):
            yield f"an event holds the number of a card: {one!r} in {event.to_json()}"
    waiting = game.machine.find_waiting(game.state)
    if is_quiet_for(game, seat):
        if view.facts["waiting"] != "quiet":
            yield f"{game.names[seat]} may not learn that {view.facts['waiting']} is asked"
        for text in refusals(game, seat).values():
            for other in waiting:
                if game.names[other] in text:
                    yield f"a refusal names who is quietly asked: {text}"


def is_quiet_for(game: Game, seat: int) -> bool:
    """Whether a decision is open that this seat may not notice; asked of the state, not of what is shown."""
    return quiet(game.program, game.state) and seat not in game.machine.find_waiting(game.state)


quiet = is_quiet
"""Bound here, so that a leak planted in the views does not blind the checker."""


def _places_look_wrong(game: Game, shown: dict[str, Any]) -> Iterator[str]:
    for place in game.program.layout.places:
        key = place_key(game.program, game.names, place)
        contents = shown[key]
        cards = contents.get("cards", [])
        if not all(one is None or isinstance(one, str) for one in cards):
            yield f"{key} shows what is no id of a card: {cards}"
        elif place.kept in ("bag", "loose") and cards != sorted(cards):
            yield f"{key} has no order, but shows one: {cards}"


def _options_look_wrong(program: Program, keys: tuple[str, ...]) -> Iterator[str]:
    if len(set(keys)) < len(keys):
        yield f"two options have one key: {keys}"
    for key in keys:
        if key.startswith("card:"):
            read = CARD_KEY.fullmatch(key)
            if read is None or (read[1] != "?" and read[1] not in program.definitions):
                yield f"an option has a key that is no card's: {key}"
            elif read[4] and int(read[4][1:]) > len(keys):
                yield f"an option counts further than there are options: {key}"


def _card_numbers(facts: dict[str, Any]) -> Iterator[Any]:
    for key, value in facts.items():
        if key in ("cards", "what", "dice", "card"):
            listed = value if isinstance(value, list) else [value]
            yield from (one for one in listed if isinstance(one, int) and not isinstance(one, bool))


# ── what only some may see ───────────────────────────────────────────────────────────────────────


def not_public(game: Game, seat: int) -> Iterator[str]:
    """Question 4."""
    alive = game.state[ALIVE]
    if seat in alive:
        return
    mine = game.view(seat).facts
    for other in alive:
        theirs = game.view(other).facts
        whom = f"{game.names[seat]}, who left, is shown what {game.names[other]} is not"
        for key in mine["memory"].keys() - theirs["memory"].keys():
            yield f"{whom}: the memory {key}"
        for key, contents in mine["places"].items():
            if _ids(contents) - _ids(theirs["places"][key]):
                yield f"{whom}: in {key} {contents}"
            if None not in contents.values() and None in theirs["places"][key].values():
                yield f"{whom}: how much lies in {key}"


def _ids(contents: dict[str, Any]) -> Counter[str]:
    return Counter(one for one in [*contents.get("cards", ()), *contents.get("among", ())] if one)


# ── what happens next ────────────────────────────────────────────────────────────────────────────

HANDS: frozenset[EventKind] = frozenset(
    ("moved", "picked", "revealed", "covered", "uncovered", "shown", "told", "opened", "shuffled", "chose", "passed")
) | {"won", "over"}
"""What hands do with cards, and what somebody answers: there a game means to tell. So it does where a game ends."""


class Traced(list[Event]):
    """The events of one seat, and how many of them came before a sentence that is meant to tell something."""

    def __init__(self, game: "TracedGame") -> None:
        super().__init__()
        self.game = game
        self.meant: list[bool] = []

    def append(self, event: Event) -> None:
        assert isinstance(self.game.machine, ListeningMachine)
        self.meant.append(self.game.machine.means_to_tell or event.kind in HANDS)
        super().append(event)


class TracedGame(Game):
    """A game that notes which events are meant to tell something."""

    machine_kind = ListeningMachine

    def _make_sink(self) -> Sink:
        return [Traced(self) for _ in range(len(self.names))]

    def traced(self, seat: int) -> list[tuple[dict[str, Any], bool]]:
        """What a seat noticed, and whether that was meant."""
        events = self.events(seat)
        assert isinstance(events, Traced)
        return [(one.to_json(), meant) for one, meant in zip(events, events.meant, strict=True)]


def goes_on(game: Game, seat: int, below: Below) -> Iterator[str]:
    """Question 5."""
    if game.decision is None:
        return
    twin = look_alike(game.program, game.state, seat, below)
    for index in (SEED, *game.program.layout.streams):
        twin[index] = game.state[index]  # chance is no secret: the same dice fall for both
    asked = game.decision.asks[below(len(game.decision.asks))]
    here = TracedGame(game.program, game.seed, game.names, state=game.state, header=game.header)
    there = TracedGame(game.program, game.seed, game.names, state=twin, header=game.header)
    shared = _answers_in_both(here, there, asked.seat)
    if shared is None:
        return
    for table in (here, there):
        table.answer(asked.seat, [shared])
    for one, other in zip_longest(here.traced(seat), there.traced(seat), fillvalue=(None, False)):
        if (one[0] is None and is_quiet_for(here, seat)) or (other[0] is None and is_quiet_for(there, seat)):
            return  # there it waits for others, and this seat cannot tell that it does
        if one != other:  # also where one of them is meant, and looks like something else that happens anyway
            if not one[1] and not other[1]:
                yield f"{game.names[seat]} sees what hangs on hidden cards: {one[0]} could be {other[0]}"
            return


def _answers_in_both(here: Game, there: Game, seat: int) -> str | None:
    """An answer that this seat may give in both, and that names no card of which only it knows."""
    keys = []
    for game in (here, there):
        asked = game.decision.find_ask(seat) if game.decision is not None else None
        if asked is None or not asked.at_least <= 1 <= asked.at_most:
            return None
        keys.append([key for key in asked.keys if not key.startswith("card:")])
    return next((key for key in keys[0] if key in keys[1]), None)


def bots_differ(game: Game, seat: int, below: Below) -> Iterator[str]:
    """A bot in this seat knows no more than its seat."""
    asked = game.decision.find_ask(seat) if game.decision is not None else None
    if asked is None or game.program.cards > 30 or below(4):
        return  # small games, and some of their moments, tell what a bot does
    bot = make_bot("greedy", 1, seat)
    assert isinstance(bot, Thinking)
    true = bot.answer(game.machine, game.state, asked)
    for _ in range(3):
        twin = game.fork(look_alike(game.program, game.state, seat, below))
        asked = twin.decision.find_ask(seat) if twin.decision is not None else None
        if asked is None or (other := bot.answer(twin.machine, twin.state, asked)) == true:
            continue
        yield f"a bot in the seat of {game.names[seat]} answers {true}, and {other} if hidden cards are others"
