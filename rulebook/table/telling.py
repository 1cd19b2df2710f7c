"""Events as sentences: which are worth one, and several of one sort that follow each other as one.

No card is left out that the sentences of single events would name, but where so many go to one place that nobody would
read their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import evolve

from rulebook.classes import frozen
from rulebook.interpreter.account import Teller, describe_event, describe_move, face_words, number_of, spaced
from rulebook.interpreter.events import Event, How
from rulebook.interpreter.program import Program
from rulebook.interpreter.wording import join_texts
from rulebook.plurals import plural

MOST_NAMED = 8  # so many different cards a reader takes in; set-ups move dozens


def tell_event(program: Program, names: Sequence[str], event: Event, you: int | None = None) -> str:
    """An event in words, of several lines if it is explained; empty if it is not worth telling."""
    if event.kind in ("stage_ended", "over"):
        return ""  # what comes next says where we are; after the end, the standings
    if "by" in event.facts or "then" in event.facts:
        return _capitalise(_tell_doing(Teller(program, tuple(names), you), event.facts))
    if event.kind == "stage_began":
        return titled(str(event.facts["title"]))
    if event.kind == "moved":
        if event.facts["from"] == event.facts["to"]:
            return ""
        event = _brief(event)
    return describe_event(program, tuple(names), event, you)


def titled(text: str) -> str:
    """The title of a stage as people read it; of one without a title, that is its name."""
    words = text.replace("_", " ")
    return words[:1].upper() + words[1:]


def is_untold(program: Program, before: Event | None, event: Event) -> bool:
    """Tell whether the event only says again what the one before it has explained, or is of what `display` hides."""
    if event.kind in ("set", "because") and event.facts["what"].rpartition(".")[2] in program.looks.hidden:
        return True
    explained = before is not None and before.kind == "because" and event.kind == "set"
    return explained and before is not None and before.facts["what"] == event.facts["what"]


def _brief(event: Event) -> Event:
    """The move with how many cards, where their names would fill the page."""
    cards = event.facts.get("cards", ())
    if len(set(cards)) <= MOST_NAMED:
        return event
    facts = {name: value for name, value in event.facts.items() if name != "cards"}
    return evolve(event, facts={**facts, "count": len(cards) + event.facts.get("count", 0)})


_NAMED = 4  # so many places are still named one by one


@frozen
class Thing:
    """Something that happened. `event` is what those saw who know most of it, `seats` who they are; None: everyone.

    `noticed` is whether every seat noticed something.
    """

    event: Event
    seats: tuple[int, ...] | None
    noticed: bool

    @property
    def facts(self) -> dict[str, Any]:
        return self.event.facts


Run = tuple[int, str]
"""A run of equal things: their number and their text."""
Things = Sequence[Thing | None]


def marked(teller: Teller, text: str, seats: Sequence[int] | None) -> str:
    """The text, with who alone could say so."""
    return text if seats is None else mark_known(text, [teller.names[seat] for seat in seats])


def mark_known(text: str, names: Sequence[str]) -> str:
    """Say who alone knows: `Ana draws Pearls (only Ana knows).`"""
    end = "." if text.endswith(".") else ""
    return f"{text.removesuffix('.')} (only {join_texts(names)} {'knows' if len(names) == 1 else 'know'}){end}"


def find_runs(teller: Teller, things: Things, is_account: bool = False) -> Iterator[tuple[int, int, str | None]]:
    """Cut what happened into runs that are told as one: from where, to where, the text; None for a single thing.

    An account of what bots played says more in one sentence than a person's log.
    """
    at = 0
    while at < len(things):
        first, runs = things[at], list[Run]()
        if first is not None:
            kind = first.event.kind
            ways = (*(_WAYS.get(kind, ()) if is_account else ()), *_FOLDS.get(kind, ()))
            runs = [run for tell in ways if (run := tell(teller, things[at:])) is not None]
        number, text = max(runs, key=lambda run: run[0], default=(1, None))
        yield at, at + number, text
        at += number


def _alike(things: Things, pattern: Callable[[Thing], Any]) -> list[Thing]:
    """The first things that have the same pattern (None: none of its own), of one kind and seen by the same seats."""
    run: list[Thing] = []
    for thing in things:
        if thing is None or thing.event.kind != (run or [thing])[0].event.kind:
            break
        likeness = pattern(thing)
        if likeness is None or (run and (likeness, thing.seats) != (pattern(run[0]), run[0].seats)):
            break
        run.append(thing)
    return run


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


# ── pieces and cards ─────────────────────────────────────────────────────────────────────────────────────────────────


def _tell_handed_out(teller: Teller, things: Things) -> Run | None:
    """Pieces from one pool to many of one sort: `20 coins go from the bank to 16 huts: 2 each to 4 …`"""

    def pattern(thing: Thing) -> Any:
        goal = teller.find_slot(thing.facts["to"])
        return None if goal is None or goal.owner is None else (thing.facts["from"], goal.name, goal.owned_by)

    run = _alike(things, pattern)
    if len({thing.facts["to"] for thing in run}) != len(run) or len(run) < 2:
        return None
    counts = [thing.facts["count"] for thing in run]
    keys = [thing.facts["to"] for thing in run]
    source = teller.name_place(run[0].facts["from"])
    what = teller.name_pieces(sum(counts), keys[0])
    text = f"{what} go from {source} to {_owners(teller, keys)}"
    if len(set(counts)) == 1:
        text += f", {counts[0]} each"
    elif len(run) <= _NAMED:
        text += (
            f": {join_texts([f'{count} to {teller.name_place(key)}' for count, key in zip(counts, keys, strict=True)])}"
        )
    else:
        shares = sorted(Counter(counts).items(), reverse=True)
        text += f": {join_texts([f'{count} each to {number}' for count, number in shares])}"
    return len(run), marked(teller, _capitalise(f"{text}."), run[0].seats)


def _owners(teller: Teller, keys: Sequence[str]) -> str:
    """Places of one name and of different owners, named by these; of many cards, only what they are."""
    if len(keys) <= _NAMED:
        return join_texts([teller.name_place(key) for key in keys])
    slots = [slot for key in keys if (slot := teller.find_slot(key)) is not None]
    if slots[0].owned_by == "player":
        return f"{len(keys)} players"
    kinds = {teller.program.kind[slot.owner] for slot in slots if slot.owner is not None}
    return f"{len(keys)} {plural(spaced(kinds.pop()) if len(kinds) == 1 else 'card')}"


def _tell_one_way(teller: Teller, things: Things) -> Run | None:
    """Cards that go one after the other from one place to another."""

    def pattern(thing: Thing) -> Any:
        facts = thing.facts
        if "by" in facts:
            return None
        is_told_so = thing.event.how in (How.MOVE, How.DRAW)
        is_simple = is_told_so and facts["from"] != facts["to"] and not teller.find_owner(facts["to"])
        # So many cards are not named in the first place.
        few = len(set(facts.get("cards", ()))) <= MOST_NAMED
        return tuple(facts[name] for name in ("from", "to", "how", "face")) if is_simple and few else None

    run = _alike(things, pattern)
    if len(run) < 2:
        return None
    facts = run[0].facts
    cards = [card for thing in run for card in thing.facts.get("cards", ())]
    what, _ = teller.name_cards({"cards": cards, "count": sum(thing.facts.get("count", 0) for thing in run)})
    verb = "are drawn" if run[0].event.how is How.DRAW else "go"
    way = f"from {teller.name_place(facts['from'])} to {teller.name_place(facts['to'])}{face_words(teller, facts)}"
    return len(run), marked(teller, _capitalise(f"{what} {verb} {way}."), run[0].seats)


def _tell_dealt(teller: Teller, things: Things) -> Run | None:
    """The same from one place to several others than the reader: `Ben and Cleo are dealt 5 cards each.`"""

    def pattern(thing: Thing) -> Any:
        facts, owner = thing.facts, teller.find_owner(thing.facts["to"])
        how = thing.event.how
        if owner is None or teller.is_you(owner) or how is None or not how.is_drawn:
            return None
        goal = facts["to"].removeprefix(f"{owner}.")
        return (goal, facts["from"], how, facts["face"], repr(facts.get("cards")), facts.get("count"))

    run = _alike(things, pattern)
    owners = [owner for thing in run if (owner := teller.find_owner(thing.facts["to"])) is not None]
    if len(run) < 2 or len(set(owners)) != len(owners):
        return None
    facts = run[0].facts
    does = f"{teller.does(owners, 'is')} dealt" if run[0].event.how is How.DEAL else teller.does(owners, "draw")
    text = (
        f"{does} {teller.name_cards(facts)[0]} each from {teller.name_place(facts['from'])}{face_words(teller, facts)}."
    )
    return len(run), marked(teller, _capitalise(text), run[0].seats)


def _tell_dealt_to_you(teller: Teller, things: Things) -> Run | None:
    """Tell at once what the reader is dealt: `You are dealt Pearls from the deck; 2 cents from the purse.`"""

    def pattern(thing: Thing) -> Any:
        owner = teller.find_owner(thing.facts["to"])
        is_yours = owner is not None and teller.is_you(owner) and thing.event.how is How.DEAL
        return "" if is_yours and not face_words(teller, thing.facts) else None

    run = _alike(things, pattern)
    if len(run) < 2:
        return None
    parts = [f"{teller.name_cards(event.facts)[0]} from {teller.name_place(event.facts['from'])}" for event in run]
    return len(run), marked(teller, f"You are dealt {'; '.join(parts)}.", run[0].seats)


def _tell_swapped(teller: Teller, things: Things) -> Run | None:
    """Two cards of one place that take each other's position."""

    def pattern(thing: Thing) -> Any:
        facts = thing.facts
        return facts["from"] if thing.event.how is How.SWAP and facts["from"] == facts["to"] else None

    run = _alike(things[:2], pattern)
    if len(run) < 2:
        return None
    names = [teller.name_cards(thing.facts)[0] for thing in run]
    return 2, marked(teller, _capitalise(f"{join_texts(names)} change places."), run[0].seats)


# ── who did it ───────────────────────────────────────────────────────────────────────────────────────────────────────


def tell_doers(teller: Teller, events: Sequence[Event]) -> list[Event]:
    """The same events with who moved a card in the move (`by`), instead of the choice before it, and what else was
    chosen for a play or an action behind it (`then`), instead of choices of their own.
    """
    left: list[Event | None] = list(events)
    for at, event in enumerate(events):
        if event.kind == "chose" and (moves := _find_carried_out(teller, left, at)):
            left[at] = None
            for move in moves:
                moved = left[move]
                assert moved is not None, "it is still there"
                left[move] = evolve(moved, facts={**moved.facts, "by": event.facts["player"]})
    kept: list[Event] = []
    for item in (other for other in left if other is not None):
        before = kept[-1] if kept else None
        if before is not None and item.kind == "chose" and _belongs(teller, before, item):
            facts = before.facts
            kept[-1] = evolve(before, facts={**facts, "then": [*facts.get("then", ()), *item.facts["what"]]})
            continue
        if before is not None and before.kind == "chose" and _says_again(teller, before, item):
            kept.pop()
        kept.append(item)
    return kept


def _find_carried_out(teller: Teller, events: Sequence[Event | None], at: int) -> list[int]:
    """The moves right behind a choice of cards that move just these cards, to or from a place of who chose."""
    choice = events[at]
    assert choice is not None, "it was looked at"
    player, ids = choice.facts["player"], _find_cards(choice.facts)
    left = len(ids) or choice.facts.get("count", 0)
    if choice.facts.get("what") and not ids:
        return []
    places: list[int] = []
    for place, event in enumerate(events[at + 1 :], at + 1):
        if event is None or event.kind in ("chose", "passed"):
            continue
        if event.kind != "moved" or not left:
            break
        facts = event.facts
        giver, taker = teller.find_owner(facts["from"]), teller.find_owner(facts["to"])
        is_own = giver == player or (taker == player and (giver is None or bool(ids)))
        cards = list(facts.get("cards", ()))
        is_other = bool(ids) and any(card not in ids for card in cards)
        if "by" in facts or event.how is not How.MOVE or not is_own or is_other or _count_moved(facts) > left:
            continue
        places.append(place)
        left -= _count_moved(facts)
    return [] if left else places


def _belongs(teller: Teller, before: Event, choice: Event) -> bool:
    """Return True if a choice says more of what the same player has just done."""
    facts, keys = choice.facts, choice.facts.get("what", ())
    if not keys:
        return False
    if before.kind == "moved":
        is_more = all(key.partition(":")[0] not in ("card", "action") for key in keys)
        return before.facts.get("by") == facts["player"] and is_more and _is_play(teller, before.facts)
    is_action = before.kind == "chose" and any(key.startswith("action:") for key in before.facts.get("what", ()))
    return is_action and before.facts["player"] == facts["player"] and not keys[0].startswith("action:")


def _says_again(teller: Teller, choice: Event, event: Event) -> bool:
    """Return True if all that was chosen is named in what came of it: who gets a card, which cards change places."""
    keys = [*choice.facts.get("what", ()), *choice.facts.get("then", ())]
    if not keys or any(key.partition(":")[0] not in ("card", "player", "place", "cell") for key in keys):
        return False
    if event.kind == "moved" and event.facts["from"] == event.facts["to"]:
        return True
    text = tell_event(teller.program, teller.names, event, teller.you)
    return all(re.search(rf"(?i)\b{re.escape(teller.describe_key(key))}\b", text) for key in keys)


def _is_play(teller: Teller, facts: dict[str, Any]) -> bool:
    """Return True if somebody lays open a card that nobody else saw."""
    source, goal, by = teller.find_slot(facts["from"]), teller.find_slot(facts["to"]), facts.get("by")
    if source is None or goal is None or teller.find_owner(facts["from"]) != by or facts.get("count"):
        return False
    everyone = teller.program.layout.everyone
    is_there = teller.find_owner(facts["to"]) in (None, by)
    return is_there and facts["face"] == "up" and goal.watchers == everyone and source.watchers != everyone


def _tell_doing(teller: Teller, facts: dict[str, Any]) -> str:
    """Tell what somebody did: `Bot 2 plays Card Request on you: 20 CU.`, `Bot 1 gives you a card.`"""
    then = facts.get("then", ())
    people = [teller.describe_key(key) for key in then if key.startswith("player:")]
    others = [teller.describe_key(key).strip("“”") for key in then if not key.startswith("player:")]
    more = (f" on {join_texts(people)}" if people else "") + (f": {join_texts(others)}" if others else "")
    if "by" not in facts:
        what = join_texts([teller.describe_key(key).strip("“”") for key in facts["what"]])
        return f"{teller.does([facts['player']], 'choose')} {what}{more}."
    by, what = facts["by"], teller.name_cards(facts)[0]
    giver, taker = teller.find_owner(facts["from"]), teller.find_owner(facts["to"])
    if _is_play(teller, facts):
        return f"{teller.does([by], 'play')} {what}{more}."
    if giver == by and taker is not None and taker != by:
        return f"{teller.does([by], 'give')} {teller.name_person(taker)} {what}."
    if taker == by and giver != by:
        return f"{teller.does([by], 'take')} {what} from {teller.name_place(facts['from'])}."
    return describe_move(teller, facts)


# ── memories and states ──────────────────────────────────────────────────────────────────────────────────────────────


def _tell_set_on(teller: Teller, things: Things) -> Run | None:
    """The same change on several cards, as one is told: `Judge, Actor and Pilot: exposed.`"""

    def pattern(thing: Thing) -> Any:
        owner, _, name = thing.facts["what"].rpartition(".")
        states = teller.program.layout.states
        known = owner in teller.program.definitions and name in states
        return (name, repr(thing.facts["value"])) if known else None

    run = _alike(things, pattern)
    if len(run) < 2:
        return None
    cards = [teller.name_card(thing.facts["what"].rpartition(".")[0]) for thing in run]
    words = teller.word_change(run[0].facts["what"], run[0].facts["value"])
    return len(run), marked(teller, f"{join_texts(cards)}{words}.", run[0].seats)


def _tell_noted(teller: Teller, things: Things) -> Run | None:
    """Word what is written down for the table: `Quantity: 5 · pips: 4 · bidder: Ben.`"""
    run = _alike(things, lambda thing: "" if thing.facts["what"] in teller.program.layout.memory else None)
    if len(run) < 2:
        return None
    parts = []
    for thing in run:
        name, value = thing.facts["what"], thing.facts["value"]
        what, sort = teller.describe_target(name)
        answer = teller.program.looks.word_answer(name, value)
        parts.append(answer or f"{what}: {teller.describe_value(value, sort)}")
    return len(run), marked(teller, _capitalise(f"{' · '.join(parts)}."), run[0].seats)


_FOLDS: dict[str, tuple[Callable[[Teller, Things], Run | None], ...]] = {
    "pieces": (_tell_handed_out,),
    "moved": (_tell_one_way, _tell_dealt, _tell_dealt_to_you, _tell_swapped),
    "set": (_tell_set_on, _tell_noted),
}


_FEW = 8  # so many cards that go to one place are still named one by one
_SAID = ("card", "action", "label")  # “Ana: Take a card”; but “Ana chooses Ben”


# ── moves ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell_player_by_player(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """The same move for one player after the other."""
    rows: list[tuple[str, Thing]] = []
    pattern = None
    for thing in things:
        owner = _find_owner(teller, thing)
        if thing is None or owner is None or owner in [name for name, _ in rows]:
            break
        pattern = pattern or _make_pattern(teller, thing, owner)
        if pattern != _make_pattern(teller, thing, owner):
            break
        rows.append((owner, thing))
    if len(rows) < 2:
        return None
    facts, owners = rows[0][1].facts, [name for name, _ in rows]
    contents = [teller.name_cards(thing.facts)[0] for _, thing in rows]
    alone = all(thing.seats == (teller.names.index(name),) for name, thing in rows)
    public = all(thing.seats is None for _, thing in rows)
    way = _way(teller, facts, owners) + face_words(teller, facts)
    secret = ", seen by each alone" if alone else ""
    if len(set(contents)) == 1 and (alone or public):
        return len(rows), f"{contents[0]} each{way if way.startswith(',') else f', {way}'}{secret}."
    lines = [
        "  " + marked(teller, f"{name}: {what}", None if alone else thing.seats)
        for what, (name, thing) in zip(contents, rows, strict=True)
    ]
    return len(rows), "\n".join([f"{way[:1].upper()}{way[1:]}{secret}:", *lines])


def _find_owner(teller: Teller, thing: Thing | None) -> str | None:
    """The one player to or from whose place something moves."""
    if thing is None or thing.event.kind != "moved":
        return None
    owners = [teller.find_owner(thing.facts[end]) for end in ("from", "to")]
    first, other = owners
    return None if first and other else first or other


def _make_pattern(teller: Teller, thing: Thing, owner: str) -> tuple[Any, ...]:
    """Return a key that is the same for all players."""
    ends = (thing.facts[end] for end in ("from", "to"))
    return (thing.event.how, thing.facts["face"], *(end.removeprefix(f"{owner}.") for end in ends))


def _way(teller: Teller, facts: dict[str, Any], owners: Sequence[str]) -> str:
    """`dealt from the deck`, `from the pocket to everyone's tokens`."""
    how = How(facts["how"])
    if teller.find_owner(facts["to"]) and how.is_drawn:
        done, to = ("dealt", "to") if how is How.DEAL else ("drawn", "by")
        whom = "" if len(owners) == len(teller.names) else f" {to} {join_texts(owners)}"
        return f"{done} from {teller.name_place(facts['from'])}{whom}"
    source, goal = (_describe_end(teller, facts[end], owners) for end in ("from", "to"))
    return f"from {source} to {goal}"


def _describe_end(teller: Teller, key: str, owners: Sequence[str]) -> str:
    slot = teller.find_slot(key)
    if slot is None or teller.find_owner(key) is None:
        return teller.name_place(key)
    if len(owners) == len(teller.names):
        return f"everyone's {spaced(slot.name)}"
    return f"the {spaced(slot.name)} of {join_texts(owners)}"


def _tell_from_everywhere(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """Many cards go to one place from all over the table: only how many, and from where."""
    run: list[Thing] = []
    for thing in things:
        if thing is None or thing.event.kind != "moved" or not thing.noticed:
            break
        goal = thing.facts["to"]
        if thing.event.how is not How.MOVE or teller.find_owner(goal) or (run and goal != run[0].facts["to"]):
            break
        run.append(thing)
    counts = [_count_moved(thing.facts) for thing in run]
    if len(run) < 3 or sum(counts) <= _FEW:
        return None
    sources = [
        f"{count} from {teller.name_place(thing.facts['from'])}" for count, thing in zip(counts, run, strict=True)
    ]
    return len(
        run
    ), f"{number_of(sum(counts), 'card')} go to {teller.name_place(run[0].facts['to'])}: {join_texts(sources)}."


def _count_moved(facts: dict[str, Any]) -> int:
    count: int = len(facts.get("cards", ())) + facts.get("count", 0)
    return count


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell_values(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """The same memory of one player after the other."""
    values: dict[str, str] = {}
    words: list[str] = []
    memory, looks = "", teller.program.looks
    for thing in things:
        if thing is None or thing.event.kind != "set" or thing.seats is not None:
            break
        owner, _, name = thing.facts["what"].rpartition(".")
        slot = teller.program.layout.player_memory.get(name)
        if slot is None or owner not in teller.names or owner in values or (memory and name != memory):
            break
        memory = name
        values[owner] = teller.describe_value(thing.facts["value"], slot.sort)
        words.append(looks.word_answer(name, thing.facts["value"]))
    if len(values) < 2:
        return None
    if all(words):
        judged: dict[str, list[str]] = {}
        for name, phrase in zip(values, words, strict=True):
            judged.setdefault(phrase, []).append(name)
        parts = [f"{teller.does(who, 'is')} {phrase}" for phrase, who in judged.items()]
        return len(values), f"{', '.join(parts)}."
    if len(values) == len(teller.names) and len(set(values.values())) == 1:
        return len(values), f"{looks.called(memory)} of everyone: {next(iter(values.values()))}."
    return len(values), f"{looks.called(memory)}: {', '.join(f'{name} {value}' for name, value in values.items())}."


# ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell_carried_out(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """Choices of cards, and then the moves of just these cards: `Ana: Pearls → the discards`."""
    chosen: list[tuple[str, list[str]]] = []
    for thing in things:
        if thing is None or thing.event.kind != "chose" or not (cards := _find_cards(thing.facts)):
            break
        chosen.append((thing.facts["player"], cards))
    moves = [thing for thing in things[len(chosen) : 2 * len(chosen)] if thing and thing.event.kind == "moved"]
    moved = [(teller.find_owner(thing.facts["from"]), sorted(thing.facts.get("cards", ()))) for thing in moves]
    if not chosen or len(moves) < len(chosen) or sorted(map(repr, moved)) != sorted(map(repr, chosen)):
        return None
    lines = [
        marked(
            teller,
            f"{owner}: {teller.name_cards(thing.facts)[0]} → {teller.name_place(thing.facts['to'])}"
            + face_words(teller, thing.facts),
            thing.seats,
        )
        for (owner, _), thing in zip(moved, moves, strict=True)
    ]
    return 2 * len(chosen), "\n".join(lines)


def _find_cards(facts: dict[str, Any]) -> list[str]:
    """The cards that were chosen, by id, if they are known and nothing else was chosen."""
    keys = facts.get("what", ())
    ids = [id for key in keys if (id := _id(key))]
    return sorted(ids) if len(ids) == len(keys) else []


def _id(key: str) -> str:
    sort, _, rest = key.partition(":")
    for sign in "[@#":
        rest = rest.partition(sign)[0]
    return rest if sort == "card" and rest != "?" else ""


def _tell_chose(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """One choice, in as few words as it needs."""
    thing = things[0]
    assert thing is not None
    keys = thing.facts.get("what", ())
    if not keys or any(key.partition(":")[0] not in _SAID for key in keys):
        return None
    what = join_texts([teller.describe_key(key).strip("“”") for key in keys])
    only = " (the only choice)" if thing.facts.get("forced") else ""
    return 1, marked(teller, f"{thing.facts['player']}: {what}{only}", thing.seats)


_WAYS: dict[str, tuple[Callable[[Teller, Sequence[Thing | None]], Run | None], ...]] = {
    "moved": (_tell_player_by_player, _tell_from_everywhere),
    "set": (_tell_values,),
    "chose": (_tell_carried_out, _tell_chose),
}
