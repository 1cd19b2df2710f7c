"""Findings that a designer should see first: the lines that stand out, and options or cards that are never used.

A line weighs more the further it lies beyond the smallest effect of interest; a thing that never happens weighs most,
and is named only where that is significant.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from math import inf, log, prod

from rulebook.interpreter.program import Program
from rulebook.playtest.series.about import Card, Dull, Ended, Had, Option, Order, Seat, Tie, find_subject
from rulebook.playtest.series.naming import conditions_of, grouped, kinds_of, option_name
from rulebook.playtest.series.record import CRASHED, STOPPED
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.verdicts import HALF, find_about, find_counted, find_fair_share, name_line
from rulebook.reporting.records import Finding, Points, Sampled
from rulebook.statistics.lifting import Edge
from rulebook.statistics.verdicts import LOOK, Judged

FAIR, LONG, TIES, STRONG, DEAD, BORING = "Fair?", "Long?", "Ties?", "Strong?", "Dead?", "Boring?"
"""The questions to which something that stands out is an answer."""
_QUESTIONS = {"seat": FAIR, "order": FAIR, "role": FAIR, "tie": TIES, "dull": BORING}


def word_wins(share: float) -> str:
    """`51.0`: so many games of a hundred."""
    return f"{100 * share:.1f}"


def count_games(number: float) -> str:
    """`1 game`, `2 games`."""
    return f"{number:,g} game{'' if number == 1 else 's'}" if number < 1e6 else f"{number:,.0f} games"


def word_more(number: float) -> str:
    return count_games(number).replace(" game", " more game")


def word_settled(more: float, each: str = "") -> str:
    """Say how many games would settle what is open: then it is shown to be there, or to be too small to notice."""
    return f"About {word_more(more)}{each} would show whether a difference as large as this is more than chance."


_RARE = log(1e-4)
"""The logarithm of the error rate at which a card is said to be never played."""
PROPOSED = 300
"""The deals that are proposed to see what an option does that nobody chooses."""
_FEW, _MANY = 20, 100
"""The fewest times that a card was there, and that a question was asked, before anything is said of it."""


def standing_out(
    tally: Tally, program: Program, sample: Sampled | None, judged: Sequence[Judged], worded: Points
) -> list[Finding]:
    """All that stands out, the weightiest first."""
    findings = [*_unfinished(tally)]
    if tally.watched:
        findings += _never_played(tally, program, sample)
        findings += _never_so(tally, program, sample)
        findings += _never_chosen(tally, program)
    findings += [_looked_at(tally, program, line, worded) for line in judged if line.mark == LOOK]
    findings.sort(key=lambda finding: -finding.weight)
    # One line for each thing: its weightiest.
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(find_subject(finding.about), finding)
    return list(first.values())


def _unfinished(tally: Tally) -> Iterator[Finding]:
    for how, words in ((CRASHED, "crashed"), (STOPPED, "came to no end and were stopped")):
        games = tally.endings[how]
        if games:
            share = games / sum(tally.endings.values())
            yield Finding(Ended(how), "", how, 1 + share, LONG, f"{share:.1%} of games {words}.")


# ── cards that nobody can play ───────────────────────────────────────────────────────────────────────────────────────


def _never_played(tally: Tally, program: Program, sample: Sampled | None) -> Iterator[Finding]:
    """Cards that came to players and were never chosen by them, or whose scripts never ran, as those of their kind
    were."""
    kinds = kinds_of(program)
    ran = {} if sample is None else sample.ran
    part = 0.0 if sample is None else sample.games / tally.watched
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
            always = _always(tally, f"card:{id}") if f"card:{id}" in tally.choices else None
            about, name = Card(id), program.definitions[id]
            yield Finding(about, name, "never_played", 1.0, DEAD, sentence, times=came, command=always)


def _surely_not(rate: float, times: float, questions: int) -> bool:
    """True if no success in `times` Bernoulli(`rate`) trials is significant, with Bonferroni for all `questions`."""
    return rate > 0 and times * log(max(1e-9, 1 - min(1.0, rate))) < _RARE - log(questions)


# ── cards that always say no ─────────────────────────────────────────────────────────────────────────────────────────


def _never_so(tally: Tally, program: Program, sample: Sampled | None) -> Iterator[Finding]:
    """Cards that never said yes about whoever held them, where others of the kind do: one of their conditions is never
    met, or all of them never together."""
    kinds = kinds_of(program)
    answered = {} if sample is None else sample.said
    for key, (count, yes, *met) in tally.answers.items():
        id, _, name = key.rpartition(".")
        others = [
            counts
            for other, counts in tally.answers.items()
            if other != key and other.rpartition(".")[2] == name and kinds[other.rpartition(".")[0]] == kinds[id]
        ]
        times, held = sum(other[0] for other in others), sum(other[1] for other in others)
        if count < _MANY or yes or not held or answered.get(key, 0):
            continue
        never = [number for number, times_met in enumerate(met) if not times_met]
        expected = count * prod(times_met / count for times_met in met) if met else count * held / times
        if not (never or expected > -_RARE):
            continue
        names = conditions_of(program, id, name)
        which = f" Never met: {', '.join(names[number] for number in never)}." if never else ""
        what = f"never {name} for whoever held it at the end ({count:,} times); others of its kind {held / times:.1%}."
        yield Finding(Card(id), program.definitions[id], "never_so", 1.0, DEAD, what + which, times=count)


# ── what lines say ───────────────────────────────────────────────────────────────────────────────────────────────────

HAVING = {
    "dealt": "a player dealt it",
    "played": "a player who played it",
    "got": "a player who got it",
    "held": "a player who held it at the end",
}
"""The ways of having a card, in words."""


_MOST_SUSPECTS = 5


def find_suspects(tally: Tally, program: Program, judged: Sequence[Judged], worded: Points) -> list[Finding]:
    """The cards that go with winning or losing more than chance does, each once: those first that stand out, then the
    furthest."""
    suspects: dict[str, Finding] = {}
    likely = [
        line
        for line in judged
        if line.is_sure and isinstance(line.line.about, Had) and line.line.clears != (-inf, inf)
    ]
    for line in sorted(likely, key=lambda line: (line.mark != LOOK, -abs(line.value))):
        finding = _looked_at(tally, program, line, worded)
        suspects.setdefault(find_subject(finding.about), finding)
    return list(suspects.values())[:_MOST_SUSPECTS]


def _looked_at(tally: Tally, program: Program, judged: Judged, worded: Points) -> Finding:
    """Put a line that stands out into a sentence."""
    about = find_about(judged)
    kind = about.sort if isinstance(about, Tie | Dull) else "wins" if judged.value > 0 else "loses"
    weight = min(0.99, HALF + judged.beyond / tally.at_stake / 2)
    question = _QUESTIONS.get(about.sort, STRONG)
    return Finding(about, name_line(about, program), kind, weight, question, _say(tally, judged, worded))


def _say(tally: Tally, judged: Judged, worded: Points) -> str:
    about, of = find_about(judged), judged.line.estimate
    if isinstance(about, Tie):
        between = f"{word_wins(judged.adjusted.low)} to {word_wins(judged.adjusted.high)}"
        return f"{100 * judged.value:.1f} of 100 games are ties ({between})."
    if isinstance(about, Dull):
        between = f"{100 * judged.adjusted.low:.0f} to {100 * judged.adjusted.high:.0f}"
        return f"{100 * judged.value:.0f} of 100 decisions make no difference that could be seen ({between})."
    if isinstance(about, Option):
        side = "more" if judged.value > 0 else "less"
        low, high = sorted((abs(judged.adjusted.low), abs(judged.adjusted.high)))
        size = f"{worded(abs(judged.value))} {_each(tally)} ({worded(low)} to {worded(high)})"
        times = f"{tally.choices[about.key][0]:,}"
        whom = f"than who chose something else there{_name_players(tally)}; offered {times} times"
        return f"who chose it {_verb(tally)} {size} {side} {whom}."
    fair = of.fair if isinstance(of, Edge) else find_fair_share(tally)
    inside = find_counted(judged, tally)
    assert inside is not None, "it is about what a seat won"
    size = f"{_verb(tally)} {worded(inside.value)} {_each(tally)} ({worded(inside.low)} to {worded(inside.high)})"
    if isinstance(about, Seat | Order):
        return f"{size}, where {worded(fair)} would be fair."
    who = HAVING.get(about.sort, "a player who began with it")
    return f"{who} {size}, where the same seats {_verb(tally)} {worded(fair)} on average{_name_players(tally)}."


def _name_players(tally: Tally) -> str:
    """Say among whom it is so: what is strong among those who play badly need not be so among others."""
    bots = set(tally.plan.bots)
    if len(bots) > 1:
        return ""
    [bot] = bots
    return f", among {bot} players" if bot in ("random", "greedy") else f", among players like {bot}"


def _verb(tally: Tally) -> str:
    return "got" if tally.is_paid else "won"


def _each(tally: Tally) -> str:
    return "a game" if tally.is_paid else "of 100"


def _never_chosen(tally: Tally, program: Program) -> Iterator[Finding]:
    """Options that the rules name one by one, and that are no cards, often offered and never chosen."""
    usual = tally.asked / tally.offered if tally.offered else 0.0
    for key, (offered, chosen) in sorted(tally.choices.items()):
        if not chosen and not grouped(program, key)[1] and _surely_not(usual, offered, len(tally.choices)):
            what = f"offered {offered:,} times, and never chosen."
            always = _always(tally, key)
            yield Finding(Option(key), option_name(program, key), "never_chosen", 1.0, DEAD, what, command=always)


def _always(tally: Tally, key: str) -> str:
    """Word the command in which one player always chooses an option."""
    return tally.plan.command(f"--games {PROPOSED}", f"--always {shlex.quote(key)}")
