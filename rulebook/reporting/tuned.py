"""The result of a search for an aim: as a record, in words, and as the beginning of a page."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from rulebook.classes import frozen
from rulebook.playtest.tuning.aims import Aim
from rulebook.playtest.tuning.searching import DEEP, SEARCHING, Asked, Found, Values, Verdict
from rulebook.reporting.described import Lines, Table

_STANDINGS = {"met": "yes", "missed": "no", "open": "open"}
_MOST_NEEDED = 10_000_000
"""Nobody asks for more games of one setting."""


@frozen
class Figure:
    """A figure of a setting: its mean, between which numbers the truth lies, and whether that meets the aim."""

    aim: str
    value: float
    low: float
    high: float
    standing: str


@frozen
class Outcome:
    """A setting that was asked deeply: its values by name, and its figures."""

    values: dict[str, str]
    games: int
    seed: int
    figures: list[Figure]


@frozen
class Weight:
    """The mean of a figure for each value of one number, among all settings of the first round."""

    name: str
    aim: str
    means: dict[str, float]

    @property
    def range(self) -> float:
        return max(self.means.values()) - min(self.means.values()) if self.means else 0.0


@frozen
class Cost:
    """The setting of the first round that is nearest to one aim alone, and what all figures are there."""

    aim: str
    values: dict[str, str]
    figures: list[float]


@frozen
class Needed:
    """About how many games of the nearest would tell whether it meets the aim, 0 if that is told or others are to be
    asked; how many seconds of one processor they take; and the --games and --seconds that ask for as many.
    """

    games: int
    seconds: float
    most: int
    within: int


@frozen
class Tuned:
    """The answer: its verdict (found, open, none), the few settings that were asked deeply, the best of them first."""

    title: str
    headline: str
    verdict: Verdict
    aims: list[str]
    bots: list[str]
    players: int
    few: list[Outcome]
    weights: list[Weight]
    costs: list[Cost]
    settings: int
    judged: int
    possible: int
    unplayable: int
    open: int
    games: int
    seconds: float
    is_late: bool
    needed: Needed
    command: str


def name_values(knobs: Sequence[tuple[str, Sequence[str]]], values: Values) -> dict[str, str]:
    """The values of a setting by the names of what is varied."""
    return {name: written[at] for (name, written), at in zip(knobs, values, strict=True)}


def word_values(values: dict[str, str]) -> str:
    """Put the values of a setting into words. A path may hold signs itself, and so stands before a colon."""
    return ", ".join(f"{name}{': ' if ' ' in name else ' = '}{value}" for name, value in values.items())


def write_outcome(asked: Asked, knobs: Sequence[tuple[str, Sequence[str]]], aims: Sequence[Aim]) -> Outcome:
    """The record of a setting."""
    figures = [
        Figure(aim.key, found.value, found.low, found.high, standing)
        for aim, found, standing in zip(aims, asked.found, asked.standings, strict=True)
    ]
    return Outcome(name_values(knobs, asked.values), asked.games, asked.plan.seed, figures)


def weigh(found: Found, knobs: Sequence[tuple[str, Sequence[str]]], aims: Sequence[Aim]) -> list[Weight]:
    """Find what mattered: what changes most first, by aim."""
    weights = []
    for at, (name, written) in enumerate(knobs):
        for number, aim in enumerate(aims):
            groups = {
                text: [figures[number] for values, figures in found.first.items() if values[at] == value]
                for value, text in enumerate(written)
            }
            means = {text: sum(group) / len(group) for text, group in groups.items() if group}
            weights.append(Weight(name, aim.key, means))
    keys = [aim.key for aim in aims]
    return sorted(weights, key=lambda weight: (keys.index(weight.aim), -weight.range))


def list_costs(found: Found, knobs: Sequence[tuple[str, Sequence[str]]], aims: Sequence[Aim]) -> list[Cost]:
    """List what each aim alone would have, where there are several."""
    if len(aims) < 2 or not found.first:
        return []
    costs = []
    for number, aim in enumerate(aims):
        best = min(found.first, key=lambda values: (aim.measure_miss(found.first[values][number]), values))
        costs.append(Cost(aim.key, name_values(knobs, best), [*found.first[best]]))
    return costs


def word_headline(found: Found, outcomes: Sequence[Outcome], aims: Sequence[Aim], possible: int) -> str:
    """Say the answer in plain words: which values, which figures with their ranges, how sure."""
    wanted = " and ".join(aim.described for aim in aims)
    if not outcomes and found.is_late:
        return f"Nothing can be said yet of {wanted}."
    if not outcomes:
        return f"No setting of these can be played to its end. So none was found for {wanted}."
    best = outcomes[0]
    values = word_values(best.values)
    figures = "; ".join(
        f"{shown.aim} {aim.word(shown.value)} ({aim.word(shown.low)} to {aim.word(shown.high)})"
        for aim, shown in zip(aims, best.figures, strict=True)
    )
    of = f" of the {found.asked} that were asked" if found.asked < possible else " of these"
    if found.verdict == "found":
        sure = f"Sure to 95 of 100, on {best.games} deals on which nothing was chosen."
        return f"{values} meets {wanted}. It has {figures}. {sure}"
    if found.verdict == "none":
        return f"No setting{of} meets {wanted}. The nearest is {values}, with {figures}."
    return f"No setting{of} is shown to meet {wanted}. The nearest is {values}, with {figures}."


def word_rest(tuned: Tuned) -> str:
    """Say what a search left open, and what would be needed to tell."""
    said = []
    if tuned.is_late:
        unasked = tuned.settings - tuned.judged
        were, whom = "was" if unasked == 1 else "were", f"{tuned.bots[-1]} players"
        left = f": {unasked} of {tuned.settings} settings {were} not asked by {whom}" if unasked else ""
        said.append(f"The time was over after {tuned.seconds:.0f} seconds{left}.")
    if tuned.verdict == "open":
        are = "is" if tuned.open == 1 else "are"
        said.append(f"{tuned.open} of {tuned.settings} settings {are} not ruled out.")
        if tuned.needed.games >= _MOST_NEEDED:
            said.append("The nearest is so near to the bounds of the aim that hardly any number of games would tell.")
        elif tuned.needed.games:
            games, took = _round_up(tuned.needed.games), _round_up(tuned.needed.seconds)
            asked = f"--games {tuned.needed.most} --seconds {tuned.needed.within}"
            said.append(
                f"About {games} games of the nearest would tell, some {took} seconds of one processor: {asked}."
            )
        else:
            said.append(f"More {'--seconds' if tuned.is_late else '--games'} ask further.")
    return " ".join(said)


def find_needed(found: Found, most: int, seconds: float) -> Needed:
    """Find what would be needed, beside what was asked for."""
    games = min(ceil(min(found.needed, _MOST_NEEDED)), _MOST_NEEDED)
    took = games * found.pace
    within = max(ceil(seconds), _round_up(took / (1 - SEARCHING)))
    return Needed(games, round(took, 1), max(most, _round_up(games / DEEP[-1])), within)


def _round_up(number: float) -> int:
    """Round to two digits, and not below."""
    size: int = 10 ** max(0, len(str(ceil(number))) - 2)
    return ceil(number / size) * size


def describe_tuned(tuned: Tuned, aims: Sequence[Aim]) -> list[Table | Lines]:
    """Tables for a terminal and for a page."""
    by_key = {aim.key: aim for aim in aims}
    heads = ["", *(aim.key for aim in aims), "meets"]
    rows = []
    for number, one in enumerate(tuned.few):
        cells = [
            f"{by_key[f.aim].word(f.value)} ({by_key[f.aim].word(f.low)} to {by_key[f.aim].word(f.high)})"
            for f in one.figures
        ]
        meets = ", ".join(dict.fromkeys(_STANDINGS[shown.standing] for shown in one.figures))
        name = word_values(one.values)
        rows.append([f"{'best' if number == 0 else 'near'}: {name}", *cells, meets])
    shares = " Shares are of 100." if any(aim.is_share for aim in aims) else ""
    items: list[Table | Lines] = [
        Table(
            "The few that were asked deeply",
            heads,
            rows,
            remarks=[
                f"In brackets: between which numbers the truth lies, all of them at once 95 times in 100.{shares}"
            ],
        )
    ]
    rows = [
        [weight.name, weight.aim, by_key[weight.aim].word(weight.range), *_word_ends(weight, by_key[weight.aim])]
        for weight in tuned.weights
    ]
    items.append(
        Table(
            "What mattered",
            ["", "of", "moves by", "lowest", "highest"],
            rows,
            remarks=[
                f"Means over the first round: {tuned.bots[0]} players, 200 games of each setting, the same deals."
            ],
        )
    )
    if tuned.costs:
        rows = [
            [
                f"{alone.aim} alone: " + word_values(alone.values),
                *(aim.word(value) for aim, value in zip(aims, alone.figures, strict=True)),
            ]
            for alone in tuned.costs
        ]
        items.append(Table("What the aims take from each other", ["", *(aim.key for aim in aims)], rows))
    return items


def _word_ends(weight: Weight, aim: Aim) -> list[str]:
    if not weight.means:
        return ["", ""]
    low, high = min(weight.means, key=weight.means.__getitem__), max(weight.means, key=weight.means.__getitem__)
    return [f"{aim.word(weight.means[low])} at {low}", f"{aim.word(weight.means[high])} at {high}"]
