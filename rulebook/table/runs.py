"""Several events told as one: what happens to one player after the other, a choice and what comes of it.

In: things that happened, in order, each as the seats saw it that know most of it. Out: one text for the first few
of them, and how many these are. Never: leaves out a card that a reader could not find elsewhere in the text, but
where so many go to one place that nobody would read their names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulebook.interpreter.account import Teller, face_words, joined, number_of, spaced
from rulebook.table.folds import FOLDS, Run, Thing, marked

_FEW = 8  # so many cards that go to one place are still named one by one
_SAID = ("card", "action", "label")  # “Ana: Take a card”; but “Ana chooses Ben”


def told_as_one(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """The longest run with which these begin, if there is one; of a thing that is None nobody knows most."""
    first = things[0]
    if first is None:
        return None
    ways = (*_WAYS.get(first.event.kind, ()), *FOLDS.get(first.event.kind, ()))
    found = [run for tell in ways if (run := tell(teller, things)) is not None]
    return max(found, key=lambda run: run[0], default=None)


# ── moves ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _player_by_player(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """The same move for one player after the other."""
    rows: list[tuple[str, Thing]] = []
    pattern = None
    for thing in things:
        owner = _owner(teller, thing)
        if thing is None or owner is None or owner in [name for name, _ in rows]:
            break
        pattern = pattern or _pattern(teller, thing, owner)
        if pattern != _pattern(teller, thing, owner):
            break
        rows.append((owner, thing))
    if len(rows) < 2:
        return None
    facts, owners = rows[0][1].facts, [name for name, _ in rows]
    contents = [teller.cards(thing.facts)[0] for _, thing in rows]
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


def _owner(teller: Teller, thing: Thing | None) -> str | None:
    """The one player to or from whose place something moves."""
    if thing is None or thing.event.kind != "moved":
        return None
    owners = [teller.owner(thing.facts[end]) for end in ("from", "to")]
    one, other = owners
    return None if one and other else one or other


def _pattern(teller: Teller, thing: Thing, owner: str) -> tuple[Any, ...]:
    """What is the same for all players."""
    ends = (thing.facts[end] for end in ("from", "to"))
    return (thing.facts["how"], thing.facts["face"], *(end.removeprefix(f"{owner}.") for end in ends))


def _way(teller: Teller, facts: dict[str, Any], owners: Sequence[str]) -> str:
    """`dealt from the deck`, `from the pocket to everyone's tokens`."""
    if teller.owner(facts["to"]) and facts["how"] in ("deal", "draw"):
        done, to = ("dealt", "to") if facts["how"] == "deal" else ("drawn", "by")
        whom = "" if len(owners) == len(teller.names) else f" {to} {joined(owners)}"
        return f"{done} from {teller.place(facts['from'])}{whom}"
    source, goal = (_end(teller, facts[end], owners) for end in ("from", "to"))
    return f"from {source} to {goal}"


def _end(teller: Teller, key: str, owners: Sequence[str]) -> str:
    slot = teller.slot(key)
    if slot is None or teller.owner(key) is None:
        return teller.place(key)
    if len(owners) == len(teller.names):
        return f"everyone's {spaced(slot.name)}"
    return f"the {spaced(slot.name)} of {joined(owners)}"


def _from_everywhere(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """Many cards go to one place from all over the table: only how many, and from where."""
    run: list[Thing] = []
    for thing in things:
        if thing is None or thing.event.kind != "moved" or not thing.noticed:
            break
        goal, how = thing.facts["to"], thing.facts["how"]
        if how != "move" or teller.owner(goal) or (run and goal != run[0].facts["to"]):
            break
        run.append(thing)
    counts = [_count(thing.facts) for thing in run]
    if len(run) < 3 or sum(counts) <= _FEW:
        return None
    sources = [f"{count} from {teller.place(thing.facts['from'])}" for count, thing in zip(counts, run, strict=True)]
    return len(run), f"{number_of(sum(counts), 'card')} go to {teller.place(run[0].facts['to'])}: {joined(sources)}."


def _count(facts: dict[str, Any]) -> int:
    count: int = len(facts.get("cards", ())) + facts.get("count", 0)
    return count


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _values(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """The same memory of one player after the other."""
    values: dict[str, str] = {}
    memory = ""
    for thing in things:
        if thing is None or thing.event.kind != "set" or thing.seats is not None:
            break
        owner, _, name = thing.facts["what"].rpartition(".")
        slot = teller.program.layout.player_memory.get(name)
        if slot is None or owner not in teller.names or owner in values or (memory and name != memory):
            break
        memory = name
        values[owner] = teller.value(thing.facts["value"], slot.sort)
    if len(values) < 2:
        return None
    if len(values) == len(teller.names) and len(set(values.values())) == 1:
        return len(values), f"{spaced(memory)} of everyone: {next(iter(values.values()))}."
    return len(values), f"{spaced(memory)}: {', '.join(f'{name} {value}' for name, value in values.items())}."


# ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _carried_out(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """Choices of cards, and then the moves of just these cards: `Ana: Pearls → the discards`."""
    chosen: list[tuple[str, list[str]]] = []
    for thing in things:
        if thing is None or thing.event.kind != "chose" or not (cards := _cards(thing.facts)):
            break
        chosen.append((thing.facts["player"], cards))
    moves = [thing for thing in things[len(chosen) : 2 * len(chosen)] if thing and thing.event.kind == "moved"]
    moved = [(teller.owner(thing.facts["from"]), sorted(thing.facts.get("cards", ()))) for thing in moves]
    if not chosen or len(moves) < len(chosen) or sorted(map(repr, moved)) != sorted(map(repr, chosen)):
        return None
    lines = [
        marked(
            teller,
            f"{owner}: {teller.cards(thing.facts)[0]} → {teller.place(thing.facts['to'])}"
            + face_words(teller, thing.facts),
            thing.seats,
        )
        for (owner, _), thing in zip(moved, moves, strict=True)
    ]
    return 2 * len(chosen), "\n".join(lines)


def _cards(facts: dict[str, Any]) -> list[str]:
    """The cards that were chosen, by id, if they are known and nothing else was chosen."""
    keys = facts.get("what", ())
    ids = [one for key in keys if (one := _id(key))]
    return sorted(ids) if len(ids) == len(keys) else []


def _id(key: str) -> str:
    sort, _, rest = key.partition(":")
    for sign in "[@#":
        rest = rest.partition(sign)[0]
    return rest if sort == "card" and rest != "?" else ""


def _chose(teller: Teller, things: Sequence[Thing | None]) -> Run | None:
    """One choice, in as few words as it needs."""
    thing = things[0]
    assert thing is not None
    keys = thing.facts.get("what", ())
    if not keys or any(key.partition(":")[0] not in _SAID for key in keys):
        return None
    what = joined([teller.key(key).strip("“”") for key in keys])
    only = " (the only choice)" if thing.facts.get("forced") else ""
    return 1, marked(teller, f"{thing.facts['player']}: {what}{only}", thing.seats)


_WAYS: dict[str, tuple[Callable[[Teller, Sequence[Thing | None]], Run | None], ...]] = {
    "moved": (_player_by_player, _from_everywhere),
    "set": (_values,),
    "chose": (_carried_out, _chose),
}
