"""Numbers with names: what `--assert` may ask for."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from rulebook.classes import frozen
from rulebook.diagnostics import did_you_mean
from rulebook.interpreter.core.door import TURNS
from rulebook.interpreter.results import find_margin
from rulebook.playtest.series.bulk import Bulk, Told
from rulebook.playtest.series.record import STOPPED, Played

Measure = Callable[[Played], float]


def columns(players: int) -> dict[str, Measure]:
    def share(seat: int) -> Measure:
        return lambda one: one.shares[seat]

    return {
        **{f"seat_{seat + 1}": share(seat) for seat in range(players)},
        "length": lambda one: float(one.length),
        "turns": lambda one: float(one.turns),
        "points": lambda one: sum(one.scores) / players,
        "margin": lambda one: float(find_margin(one.scores, one.teams)),
        "shared": lambda one: float(one.winning > 1),
        **({"ties": lambda one: float(one.is_tied)} if players > 1 else {}),
        "stopped": lambda one: float(one.ending == STOPPED),
    }


def list_answers(name: str, played: Played) -> list[float]:
    """List what a rulebook measured in a game, of each player if it is a number of each; nothing without an answer."""
    return [value for value in played.measures.get(name, ()) if value is not None]


def find_mean(answers: Sequence[float]) -> list[float]:
    """Return the mean of the answers of a game as a list of one; none of none."""
    return [sum(answers) / len(answers)] if answers else []


def asked_for(name: str) -> str:
    """Name a measure of the rulebook as questions do, in one word."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()


def measures(told: Iterable[Told], players: int) -> dict[str, float]:
    """The mean of each measure over the games that count, how far the seats are apart, and how many games crashed. Of
    what a rulebook measures, games without an answer do not count; it is left out if none has one.
    """
    found: dict[str, list[float]] = {}
    good = crashed = 0
    for one in told:
        if isinstance(one, Bulk):
            good += len(one)
            for name, values in list_columns(one).items():
                found.setdefault(name, []).extend(values)
        elif one.counts:
            good += 1
            for name in one.measures:
                found.setdefault(asked_for(name), []).extend(list_answers(name, one))
            for name, of in columns(players).items():
                found.setdefault(name, []).append(of(one))
        else:
            crashed += 1
    means = {name: sum(values) / len(values) for name, values in found.items() if values}
    share = 1 - good / (good + crashed) if good + crashed else 0.0
    return with_gap(means or dict.fromkeys(columns(players), 0.0), players) | {"crashed": share}


def list_columns(many: Bulk) -> dict[str, Iterable[float]]:
    """The same as `columns`, of each of many games."""
    return {
        **{f"seat_{seat + 1}": many.shares(seat) for seat in range(many.players)},
        "length": many.lengths,
        "turns": many.column(TURNS),
        "points": (points / many.players for points in many.points()),
        "margin": many.margins,
        "shared": (winning > 1 for winning in many.winning()),
        **({"ties": many.tell_tied()} if many.players > 1 else {}),
        "stopped": (ending == STOPPED for ending in many.endings()),
    }


def names(players: int, own: Iterable[str]) -> list[str]:
    """List what `measures` will name, before anything is played. `own` are the names of what the rulebook measures."""
    return [*map(asked_for, own), *columns(players), "seat_gap", "crashed"]


def with_gap(found: dict[str, float], players: int) -> dict[str, float]:
    """The same with the distance between the seats that win most and least."""
    shares = [found[f"seat_{seat + 1}"] for seat in range(players)]
    return found | {"seat_gap": max(shares) - min(shares)}


_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_FORM = re.compile(r"\s*([A-Za-z_0-9.]+)\s*(<=|>=|<|>|=)\s*([-+]?[0-9]*\.?[0-9]+)\s*(%?)\s*")


class BadQuestion(ValueError):
    """It cannot be read, or asks for what is not measured; the sentence says what there is."""


@frozen
class Question:
    """A measure, a sign and a number."""

    text: str
    name: str
    sign: str
    number: float

    def holds(self, found: Mapping[str, float]) -> bool:
        """True if it is so. Raises BadQuestion if there is no such measure."""
        if self.name not in found:
            help = did_you_mean(self.name, list(found))
            raise BadQuestion(f"Nothing called `{self.name}` is measured here. {help}".rstrip())
        return _SIGNS[self.sign](found[self.name], self.number)


def question(text: str, names: Sequence[str] = ()) -> Question:
    """The question that a text asks. Raises BadQuestion; also for a name that is none of `names`, if there are some."""
    read = _FORM.fullmatch(text)
    if read is None:
        raise BadQuestion(f"`{text}` is no question about a number; write one like this: seat_gap < 0.04")
    name, sign, number, percent = read.groups()
    found = Question(text.strip(), name, sign, float(number) / (100 if percent else 1))
    if names:
        found.holds(dict.fromkeys(names, 0.0))
    return found
