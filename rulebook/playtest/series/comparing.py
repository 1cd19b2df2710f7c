"""The same deals by two rules, and what became different.

Both play the same seeds. Every place and every script draws from a stream of its own, so a rule that rolls once more
does not change what is dealt later: most of what is chance is the same on both sides and falls out of the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import pvariance
from typing import Any

from attrs import frozen

from rulebook.dsl.settling.leaving_out import left_out
from rulebook.playtest.series.measured import columns, measures, of_rulebook
from rulebook.playtest.series.plan import Plan
from rulebook.playtest.series.playing import Result
from rulebook.playtest.series.record import CRASHED, WAYS, Played
from rulebook.playtest.settings import changed as house_rules
from rulebook.statistics.intervals import Interval, bootstrap, games_needed
from rulebook.statistics.significance import adjusted, discordant

CLOSE = 0.01
"""How closely a difference in wins should be known, when it is said how many games that takes."""
_MOST_EXAMPLES = 5


@frozen
class _Pair:
    """One game by both rules."""

    base: Played
    changed: Played

    @property
    def moved(self) -> bool:
        return self.base.winners != self.changed.winners


def compared(base: Result, changed: Result) -> dict[str, Any]:
    """One plain object: what the terminal shows, and what `--json` prints."""
    plan, other = base.plan, changed.plan
    first, second = list(base.played()), list(changed.played())
    pairs = [_Pair(*both) for both in zip(first, second, strict=False) if both[0].counts and both[1].counts]
    before, after = measures(first, plan.players), measures(second, plan.players)
    moved = [pair for pair in pairs if pair.moved]
    found: dict[str, Any] = {
        "game": plan.rulebook.id,
        "title": plan.rulebook.title,
        "players": plan.players,
        "games": len(pairs),
        "seed": plan.seed,
        "bots": list(plan.bots),
        "rotations": plan.rotations,
        "base": _rules(plan, base, first),
        "changed": _rules(other, changed, second),
        "measures": list(_differences(plan, pairs)),
        "seats": _seats(plan, pairs),
        "changed_winners": {
            "games": len(moved),
            "share": len(moved) / len(pairs) if pairs else 0.0,
            "examples": [_example(plan, other, pair) for pair in moved[:_MOST_EXAMPLES]],
            "seeds": [pair.base.seed for pair in moved],
        },
        "measured": {
            **after,
            **{f"base.{name}": value for name, value in before.items()},
            **{f"difference.{name}": after[name] - value for name, value in before.items() if name in after},
            "changed_winners": len(moved) / len(pairs) if pairs else 0.0,
        },
    }
    gone = [id for id in left_out(other.options) if id not in left_out(plan.options)]
    if gone and plan.watched:
        found["holders"] = _compare_holders(plan, [(pair.base, pair.changed) for pair in pairs], gone)
    return found


def _rules(plan: Plan, result: Result, played: Sequence[Played]) -> dict[str, Any]:
    return {
        "variants": list(plan.rulebook.variants),
        "options": house_rules(plan.rulebook, plan.options),
        "without": list(dict.fromkeys(result.table.program.definitions[id] for id in left_out(plan.options))),
        "rules": result.table.program.rules_hash,
        "crashed": sum(one.ending == CRASHED for one in played),
        "command": plan.command(),
    }


def _differences(plan: Plan, pairs: Sequence[_Pair]) -> Iterator[dict[str, Any]]:
    """Every measure on both sides. Games on one deal are one observation."""
    deals: dict[int, list[_Pair]] = {}
    for pair in pairs:
        deals.setdefault(plan.deal(pair.base.number), []).append(pair)
    own = [name for pair in pairs[:1] for name in pair.base.measures if name in pair.changed.measures]
    named = columns(plan.players) | {name: of_rulebook(name) for name in own}
    sides: list[tuple[list[float], list[float]]] = []
    for of in named.values():
        before = [sum(of(pair.base) for pair in some) / len(some) for some in deals.values()]
        after = [sum(of(pair.changed) for pair in some) / len(some) for some in deals.values()]
        sides.append((before, after))
    gaps = [[new - old for old, new in zip(*both, strict=True)] for both in sides]
    for name, (before, after), gap, interval in zip(named, sides, gaps, bootstrap(gaps), strict=True):
        found = {
            "name": name,
            "base": sum(before) / max(len(before), 1),
            "changed": sum(after) / max(len(after), 1),
            "difference": {"value": interval.value, "low": interval.low, "high": interval.high},
            "tells": interval.tells,
        }
        if name in columns(plan.players) and name.startswith("seat_") and len(gap) > 1:
            found |= _needed(plan, before, after, gap, interval)
        yield found


def _needed(
    plan: Plan, before: list[float], after: list[float], gap: list[float], interval: Interval
) -> dict[str, Any]:
    """Estimate how many games it takes, and how many it would take with other deals on the two sides."""
    spread = pvariance(gap) ** 0.5
    apart = (pvariance(before) + pvariance(after)) ** 0.5
    return {
        "known_to": interval.half_width,
        "games_needed": games_needed(spread, CLOSE) * plan.rotations,
        "games_needed_unpaired": games_needed(apart, CLOSE) * plan.rotations,
    }


def _seats(plan: Plan, pairs: Sequence[_Pair]) -> list[dict[str, Any]]:
    """On how many deals each seat won more than before, and less; and how often chance does as much."""
    found = []
    for seat in range(plan.players):
        steps = [pair.changed.share(seat) - pair.base.share(seat) for pair in pairs]
        gained, lost = sum(step > 1e-9 for step in steps), sum(step < -1e-9 for step in steps)
        found.append({"seat": seat + 1, "gained": gained, "lost": lost, "p": discordant(gained, lost)})
    for one, q in zip(found, adjusted([float(one["p"]) for one in found]), strict=True):
        one["q"] = q
    return found


def _example(base: Plan, changed: Plan, pair: _Pair) -> dict[str, Any]:
    number = pair.base.number
    return {
        "number": number,
        "seed": pair.base.seed,
        "base": [seat + 1 for seat in pair.base.winners],
        "changed": [seat + 1 for seat in pair.changed.winners],
        "replay_base": base.replay(number),
        "replay_changed": changed.replay(number),
    }


def _compare_holders(plan: Plan, pairs: Sequence[tuple[Played, Played]], ids: Sequence[str]) -> list[dict[str, Any]]:
    """Compare the same seats on the same deals with these cards and without, for each way of having one.

    Who is dealt a card did nothing for it, so that difference is what the card does. Who got, played or held it may
    have done so because the game went well, or long; without the card the same luck does not come again. Games on one
    deal are one observation.
    """
    found = []
    for way in WAYS:
        deals: dict[int, list[tuple[float, float]]] = {}
        for base, without in pairs:
            assert base.seen is not None, "games with the card are watched"
            for seat in sorted({seat for id in ids for seat in base.seen.seats_having(way, id)}):
                deals.setdefault(plan.deal(base.number), []).append((base.share(seat), without.share(seat)))
        if deals:
            steps = [sum(before - after for before, after in shares) / len(shares) for shares in deals.values()]
            [interval] = bootstrap([steps])
            shares = [one for several in deals.values() for one in several]
            found.append(
                {
                    "way": way,
                    "deals": len(deals),
                    "seats": len(shares),
                    "with": sum(before for before, _ in shares) / len(shares),
                    "without": sum(after for _, after in shares) / len(shares),
                    "difference": {"value": interval.value, "low": interval.low, "high": interval.high},
                    "tells": interval.tells,
                }
            )
    return found
