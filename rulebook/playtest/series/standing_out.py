"""What a designer should see first: what moves wins, or fails, at least half as much as anything can.

A finding weighs from 0 to 1: how far from what is usual it is on the way to always, or to never, by the end of its
interval that says least. What weighs half or more stands out, unless chance alone shows it in one series of a hundred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log, prod
from statistics import median
from typing import Any

from rulebook.dsl import ir
from rulebook.dsl import types as t
from rulebook.dsl.walk import nodes
from rulebook.interpreter.program import Program
from rulebook.playtest.series.naming import conditions_of, grouped, kinds_of, option_name, role_name
from rulebook.playtest.series.record import CRASHED, STOPPED
from rulebook.playtest.series.tally import Tally
from rulebook.statistics.intervals import Interval, wilson
from rulebook.statistics.lifting import Had, lift
from rulebook.statistics.significance import adjusted

Finding = dict[str, Any]

HALF = 0.5
_RARE = log(1e-4)
"""The logarithm of how seldom chance may say that a card is never played."""
_FEW, _MANY = 20, 100
"""How often a card must have been there before anything is said of it; how often a question must have been asked."""
_SURE, _LIKELY = 0.01, 0.05
_HAVING = (
    ("dealt", "who was dealt it"),
    ("played", "who played it"),
    ("got", "who got it"),
    ("held", "who held it at the end"),
)
"""How a player may have a card, and in words."""
_ENDOGENOUS = ("got", "held")
"""What may follow from how the game goes instead of deciding it: of these, a card is compared with others of its
kind."""


def standing_out(tally: Tally, program: Program, sample: Mapping[str, Any] | None) -> list[Finding]:
    """All that stands out, the weightiest first."""
    found = [*_unfinished(tally)]
    if tally.watched:
        found += _never_played(tally, program, sample)
        found += _never_so(tally, program, sample)
        found += [one for one in _cards(tally, program) if one["weight"] >= HALF and one["q"] < _SURE]
        found += _roles(tally, program)
        found += _never_chosen(tally, program)
    found.sort(key=lambda one: -one["weight"])
    # One line for each thing: its weightiest.
    first: dict[str, Finding] = {}
    for one in found:
        first.setdefault(one["about"], one)
    return list(first.values())


def suspects(tally: Tally, program: Program, most: int = 3) -> list[Finding]:
    """The cards that go with winning or losing more than chance does, the weightiest first, each once."""
    found: dict[str, Finding] = {}
    likely = [one for one in _cards(tally, program) if one["weight"] > 0 and one["q"] < _LIKELY]
    for one in sorted(likely, key=lambda one: -one["weight"]):
        found.setdefault(one["about"], one)
    return list(found.values())[:most]


def _unfinished(tally: Tally) -> Iterator[Finding]:
    for how, words in ((CRASHED, "crashed"), (STOPPED, "came to no end and were stopped")):
        games = tally.endings[how]
        if games:
            share = games / sum(tally.endings.values())
            what = f"{share:.1%} of games {words}."
            yield {"kind": how, "about": how, "name": "", "weight": 1 + share, "what": what}


# ── cards that nobody can play ───────────────────────────────────────────────────────────────────────────────────────


def _never_played(tally: Tally, program: Program, sample: Mapping[str, Any] | None) -> Iterator[Finding]:
    """Cards that came to players and were never chosen by them, or whose scripts never ran, as those of their kind
    were."""
    kinds = kinds_of(program)
    ran = {} if sample is None else sample["ran"]
    part = 0.0 if sample is None else sample["games"] / tally.watched
    for id, kind in kinds.items():
        kin = [other for other in kinds if other != id and kinds[other] == kind]
        came, others_came = tally.drawn[id], sum(tally.drawn[other] for other in kin)
        if came < _FEW or not others_came:
            continue
        played = sum(tally.played[other] for other in kin) / others_came
        did = sum(ran.get(other, 0) for other in kin) / (others_came * part) if part else 0.0
        what = ""
        if not tally.played[id] and _surely_not(played, came, len(kinds)):
            offered = tally.choices.get(f"card:{id}", (0, 0))[0]
            what = "nobody ever played it, " + (f"though offered {offered:,} times" if offered else "and nobody could")
            rate = played
        elif part and id in ran and not ran[id] and _surely_not(did, came * part, len(kinds)):
            what, rate = "nothing on it was ever done", did
        if what:
            usual = f"of others of its kind {min(1.0, rate):.0%} were" if rate else ""
            sentence = f"came to players {came:,} times, and {what}; {usual}."
            yield {**_named(program, id), "kind": "never_played", "weight": 1.0, "came": came, "what": sentence}


def _surely_not(rate: float, times: float, questions: int) -> bool:
    """True if so many times nothing is more than chance, where each time it is something at this rate."""
    return rate > 0 and times * log(max(1e-9, 1 - min(1.0, rate))) < _RARE - log(questions)


# ── cards that always say no ─────────────────────────────────────────────────────────────────────────────────────────


def _never_so(tally: Tally, program: Program, sample: Mapping[str, Any] | None) -> Iterator[Finding]:
    """Cards that never said yes about whoever held them, where others of the kind do: one of their conditions is never
    met, or all of them never together."""
    kinds = kinds_of(program)
    said = {} if sample is None else sample["said"]
    for key, (asked, yes, *met) in tally.answers.items():
        id, _, name = key.rpartition(".")
        others = [
            counts
            for other, counts in tally.answers.items()
            if other != key and other.rpartition(".")[2] == name and kinds[other.rpartition(".")[0]] == kinds[id]
        ]
        times, held = sum(one[0] for one in others), sum(one[1] for one in others)
        if asked < _MANY or yes or not held or said.get(key, 0):
            continue
        never = [number for number, one in enumerate(met) if not one]
        expected = asked * prod(one / asked for one in met) if met else asked * held / times
        if not (never or expected > -_RARE):
            continue
        names = conditions_of(program, id, name)
        which = f" Never met: {', '.join(names[number] for number in never)}." if never else ""
        what = f"never {name} for whoever held it at the end ({asked:,} times); others of its kind {held / times:.1%}."
        yield {**_named(program, id), "kind": "never_so", "weight": 1.0, "asked": asked, "what": what + which}


# ── who has them wins, or loses ──────────────────────────────────────────────────────────────────────────────────────


def _cards(tally: Tally, program: Program) -> list[Finding]:
    """For each card and each way of having it, what it goes with. Who comes to have what the result reads comes to have
    points, so that says nothing; who was dealt it did nothing for it.
    """
    fair, none = 1 / tally.plan.players, Had(tally.plan.players)
    points = _kinds_worth_points(tally.plan.rulebook)
    kinds = kinds_of(program)
    found: list[Finding] = []
    for name, words in _HAVING:
        table = tally.had[name]
        for id, kind in kinds.items():
            mine = {turned: table.get((id, turned), none) for turned in tally.won}
            had, won = sum(sum(one.had) for one in mine.values()), sum(one.own for one in mine.values())
            lifted = lift((tally.won[turned], one) for turned, one in mine.items())
            if (kind in points and name != "dealt") or had < _FEW or lifted is None:
                continue
            share, (more, p) = wilson(won, had), lifted
            weight = min(_weight(more, 0.0, fair), _weight(share, fair, fair), key=abs)
            side = "wins" if more.value > 0 else "loses"
            rest = tally.watched * tally.plan.players - had
            others = (tally.watched - won) / rest if rest else 0.0
            what = f"{words} won {share.value:.1%} ({share.low:.1%} to {share.high:.1%}), all others {others:.1%}."
            found.append(
                {
                    **_named(program, id), "kind": side, "having": name, "weight": abs(weight), "signed": weight,
                    "p": p, "share": share.value, "low": share.low, "high": share.high, "seats": had, "what": what,
                }
            )  # fmt: skip
    for one, q in zip(found, adjusted([one["p"] for one in found]), strict=True):
        one["q"] = q
    for one in found:
        if one["having"] in _ENDOGENOUS and not _is_alone(one, found, kinds):
            one["weight"] = 0.0
    return found


def _weight(interval: Interval, usual: float, fair: float) -> float:
    """Measure how far from what is usual its nearer end is, of all the way to always (1) or never (-1)."""
    if interval.low > usual:
        return (interval.low - usual) / (1 - fair)
    if interval.high < usual:
        return (interval.high - usual) / fair
    return 0.0


def _is_alone(one: Finding, found: list[Finding], kinds: Mapping[str, str]) -> bool:
    """True if it goes much further than others of its kind."""
    kin = [
        other["signed"]
        for other in found
        if other is not one and other["having"] == one["having"] and kinds[other["about"]] == kinds[one["about"]]
    ]
    return len(kin) > 1 and abs(median(kin)) < one["weight"] / 2


def kinds_to_play(rulebook: ir.Rulebook) -> frozenset[str]:
    """Find the kinds of cards that some script lets players choose out of places of their own."""
    found: set[str] = set()
    picks = (one for script in rulebook.scripts.values() for one in nodes(script.body) if isinstance(one, ir.Pick))
    for source in (source for pick in picks for source in pick.sources):
        places = _places_read(rulebook, [source.list], through_hooks=False)
        own = {kind for place in places if place.owner == "player" for kind in place.holds}
        found |= _kinds_in(source.list.type) & own
    return frozenset(found)


def _kinds_in(listed: t.Type) -> set[str]:
    """The kinds of the cards in a list, or in a list of lists."""
    if isinstance(listed, t.ListOf):
        return _kinds_in(listed.item)
    return {kind for one in t.members(listed) if isinstance(one, t.Card) for kind in one.kinds}


def _kinds_worth_points(rulebook: ir.Rulebook) -> frozenset[str]:
    """The kinds of cards that lie in a place which the result reads."""
    asked = [rulebook.result.payoff, *(key.value for key in rulebook.result.rank)]
    places = _places_read(rulebook, asked, through_hooks=True)
    return frozenset(kind for place in places for kind in place.holds)


def _places_read(rulebook: ir.Rulebook, left: list[Any], *, through_hooks: bool) -> list[ir.PlaceDef]:
    """Find the places that these expressions read, also in what they call."""
    places: set[str] = set()
    known: set[str] = set()
    while left:
        for node in nodes(left.pop()):
            called: set[str] = set()
            match node:
                case ir.PlaceOf(name=name):
                    places.add(name)
                case ir.CallValue(function=name):
                    called = {name}
                case ir.AskHook(hook=hook) if through_hooks:
                    called = set(rulebook.hooks[hook].values())
            left += [rulebook.functions[one].body for one in called - known if one in rulebook.functions]
            known |= called
    return [rulebook.places[name] for name in places if name in rulebook.places]


def _roles(tally: Tally, program: Program) -> Iterator[Finding]:
    """Find memories that differed between seats at the start; what lay in slots is among the cards."""
    fair, memories = 1 / tally.plan.players, program.layout.player_memory
    for (name, value), (seats, won) in sorted(tally.roles.items()):
        if name not in memories or seats < _FEW:
            continue
        if not any(slot == name and other != value for slot, other in tally.roles):
            continue
        share = wilson(won, int(seats))
        weight = abs(_weight(share, fair, fair))
        if weight >= HALF:
            what = f"who began with it won {share.value:.1%} ({share.low:.1%} to {share.high:.1%}); fair is {fair:.1%}."
            about = f"{program.looks.called(name)}: {role_name(program, name, value)}"
            side = "wins" if share.value > fair else "loses"
            yield {"about": about, "name": about, "kind": side, "weight": weight, "what": what}


def _never_chosen(tally: Tally, program: Program) -> Iterator[Finding]:
    """Options that the rules name one by one, and that are no cards, often offered and never chosen."""
    usual = tally.asked / tally.offered if tally.offered else 0.0
    for key, (offered, chosen) in sorted(tally.choices.items()):
        if not chosen and not grouped(program, key)[1] and _surely_not(usual, offered, len(tally.choices)):
            what = f"offered {offered:,} times, and never chosen."
            name = option_name(program, key)
            yield {"about": key, "name": name, "kind": "never_chosen", "weight": HALF, "what": what}


def _named(program: Program, id: str) -> dict[str, str]:
    return {"about": id, "name": program.definitions[id]}
