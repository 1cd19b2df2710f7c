"""Verdicts: of each question of a designer one sentence, without ranges, that stands before all numbers.

In: a report, of one level of play or of several, and the answer with its mark. Out: a sentence that is true whenever it
is printed: what it calls known lies inside the ranges of the answer, and what it calls open does not. Sizes are rounded
away from nothing, so that no sentence promises more than its range does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil

from rulebook.interpreter.wording import join_texts
from rulebook.playtest.series.about import Restricted, find_subject
from rulebook.playtest.series.guessing import Guess
from rulebook.playtest.series.levels import LEARNED, RANDOM, Rung
from rulebook.plurals import count_unit
from rulebook.reporting.course_words import list_known_stakes, word_single
from rulebook.reporting.line_words import FEW_GAMES, count_needed, find_edge, name_holder, word_gains
from rulebook.reporting.merging import ALONE, among, find_known_level, name_players, name_rung, word_too_few
from rulebook.reporting.records import Course, Finding, Line, Order, Points, Report, Role, Seat
from rulebook.reporting.standing_out import count_games, word_more, word_wins
from rulebook.statistics.intervals import TOGETHER, wilson
from rulebook.statistics.verdicts import LOOK, OPEN

_SORTS = {"seat": "seat", "order": "place in turn order", "role": "role"}
_FIRST = "first player"
_LOOKED_AT = {
    "seat": "seat, seats",
    "order": "place in turn order, places in turn order",
    "role": "role, roles",
    "dealt": "dealt card, dealt cards",
    "option": "option, options",
}
"""Names for the subjects of lines that are counted where they say nothing, one and several."""
_FAR = 0.75
"""So much of the way to being shown makes something doubtful, which chance alone seldom does."""
_APART, _SORT, _BETWEEN = 0.4, 0.1, 0.02
"""The part of all lengths that lies between two sorts of games, the least part of games that is a sort, and the most
that may lie between."""
_WIDE, _FARTHEST = 2, 3
"""The reach, in smallest effects of interest, beyond which it is not known if something is fair."""
_FOLLOWED = 30
"""The fewest games with a single winner of which shares say when games are decided."""
_HALF = 0.5
_PARTS = {0.75: "three quarters through", 0.9: "near the end"}
"""Parts of a game after half of it, in words."""
_RARE, _COMMON = 0.05, 0.2
"""The parts of games up to which ties are rare, and from which on they are common."""
_MOSTLY, _BARELY = 0.75, 0.6
"""The part of games that a leader wins where it is decided who does, and the most where that is open."""
_HOPE, _HOPELESS = 1 / 3, 1 / 10
"""The parts of an even share with which it is worth playing on, and with which it is not."""
_UNTRIED = 0.25
"""The part of what is expected to hang on answers that is worth a word, if it hangs on questions not tried."""
_ROUGH = 300
"""The fewest games by which it is well known how much somebody wins."""
_VAGUE = 0.3
"""The width of a range of shares that says nothing."""


def strip_ranges(text: str) -> str:
    """Leave out how sure a sentence is: `(22.2 to 28.1)`, `(0.6 to 10.7; random)`."""
    return re.sub(r" \([^()]* to [^()]*\)", "", text)


# ── is it fair ───────────────────────────────────────────────────────────────────────────────────────────────────────


def judge_fairness(report: Report, points: Points) -> str:
    """Say how far any seat, place or role may be from fair, among the best players of whom that is known; or that it is
    not known yet, and how many games would tell."""
    level, result = find_speaker(report)
    games, lines = result.games, _list_fair(result)
    if not lines or games < FEW_GAMES:
        return f"Not known yet whether it is fair: {word_too_few(count_games(games))} to say."
    whom, edge, others = among(level), find_edge(lines), ""
    if report.play is not None and level == RANDOM and len(report.play.levels) > 1:
        others = " Of better players too little is known."
    size, needed = _word_size(edge, report, points), _word_games(count_needed(lines, games))
    sorts = {line.about.sort: _FIRST if line.about == Order(1) else _SORTS[line.about.sort] for line in lines}
    named = " or ".join(sorts[sort] for sort in _SORTS if sort in sorts)
    aside = [line for line in lines if abs(line.value) > max(line.grey, _FAR * (line.sure_high - line.sure_low) / 2)]
    if aside and _is_known(lines, _FARTHEST):
        first = max(aside, key=lambda line: abs(line.value) / (line.sure_high - line.sure_low))
        worded, each = word_gains(report, points)
        verb = "got" if report.judged_by == "payoff" else "won"
        won = f"{name_holder(first.about, first.name)} {verb} {worded(first.counted)} {each}"
        fair = f"where {worded(first.usual)} would be fair. That may be chance."
        return f"Perhaps not fair{whom}: {won}, {fair}{_word_games(first.more)}"
    if not _is_known(lines, _WIDE):
        unseen = f"a {named} could be off by up to {size}, and that would not show"
        return f"Not known yet whether it is fair{whom}: {unseen}.{needed}{_add_random(level, report, points)}"
    if any(line.mark == OPEN for line in lines):
        return f"Probably fair{whom}: no {named} is shown to be off, and none can be by more than {size}.{others}"
    if not _is_known(lines, 1):
        # Somebody is off for certain, by what is too small to notice as it was counted.
        shown = f"no {named} is shown to be off by enough to notice"
        return f"Probably fair{whom}: {shown}, and none can be by more than {size}.{others}"
    return f"Fair{whom}: no {named} gains or loses more than {size}.{others}"


def find_speaker(report: Report) -> tuple[str, Report]:
    """Find the level whose report answers all questions, and that report: of one level that one."""
    if report.play is None:
        return ALONE, report
    level = find_known_level(report.play)
    return level, report.play.results[level]


def _list_fair(report: Report) -> list[Line]:
    return [line for line in report.lines if isinstance(line.about, Seat | Order | Role)]


def _add_random(level: str, report: Report, points: Points) -> str:
    """Say how fair it is among random players, where better ones leave it open and that is known."""
    lines = _list_fair(report)
    if level in (ALONE, RANDOM) or not _is_known(lines, _WIDE) or any(line.mark == LOOK for line in lines):
        return ""
    return f" Among random players none is off by more than {_word_size(find_edge(lines), report, points)}."


def _is_known(lines: Sequence[Line], most: int) -> bool:
    """Tell whether no line may be farther off than so many smallest effects of interest."""
    return bool(lines) and find_edge(lines) <= most * lines[0].grey


def _word_size(size: float, report: Report, points: Points) -> str:
    """`6 wins in 100`, rounded up from the tenths that stand elsewhere; or points a game."""
    if report.judged_by == "payoff":
        return f"{points(size)} a game"
    wins = ceil(round(100 * size, 1))
    return f"{wins} win{'' if wins == 1 else 's'} in 100"


def _word_games(more: int) -> str:
    return f" About {word_more(more)} would tell." if more else ""


# ── too strong ───────────────────────────────────────────────────────────────────────────────────────────────────────


def find_sizes(report: Report) -> dict[str, float]:
    """Find how strong a dealt card, or an option, must be to be found, where that can be."""
    return {sort: report.seen[sort] for sort in ("dealt", "option") if sort in report.seen}


def judge_strength(report: Report, points: Points) -> str:
    """Say that nothing is shown to be too strong, and what may have been missed."""
    level, result = find_speaker(report)
    details, sizes = result.details, find_sizes(result)
    if details is None or not (sizes or details.suspects):
        return ""
    of = {"dealt": "a dealt card", "option": "an option"}
    worded = {of[sort]: _word_size(size, report, points) for sort, size in sizes.items()}
    would = " or ".join(f"{what} that gains or costs {size}" for what, size in worded.items())
    looked = " and no ".join(what.partition(" ")[2] for what in worded)
    nothing = f"No {looked} is shown to be too strong or too weak{among(level)}."
    nothing += f" {would[:1].upper()}{would[1:]} may have gone unnoticed, and more easily where it is rare."
    # Nobody can lose more than the share that they would have had.
    hidden = [of[sort] for sort, size in sizes.items() if report.judged_by != "payoff" and size >= report.fair]
    if hidden:
        nothing += f" By so few games {' or '.join(hidden)} that is too weak could not be found at all."
    if not sizes:
        nothing = f"No dealt card and no option came up often enough to say{among(level)}."
    return nothing


def word_goes_with(suspects: Sequence[Finding]) -> Iterator[str]:
    """Say which cards go with winning, and which with losing."""
    ways = {kind: [suspect.name for suspect in suspects if suspect.kind == kind] for kind in ("wins", "loses")}
    said = ", and ".join(
        f"{join_texts(names)} {'goes' if len(names) == 1 else 'go'} with {'winning' if kind == 'wins' else 'losing'}"
        for kind, names in ways.items()
        if names
    )
    if said:
        yield f"{said[:1].upper()}{said[1:]}; the card need not be the reason."


# ── how long ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def word_usual_length(report: Report, level: str = ALONE) -> str:
    """Say how long games are: the length in the middle, or both sorts of games where hardly one is of such a length;
    and between which lengths nine of ten lie."""
    whom, apart = among(level).replace(" among", ", among"), find_apart(report.histogram)
    said = f"{count_unit(report.length.median, 'decision')}, all players together{whom}"
    if apart is not None:
        short, long = (f"{100 * share:.0f} of 100 take {word_counts(*ends)}" for share, ends in apart)
        said = f"Two sorts of games{whom}: {short}, and {long}, in decisions of all players together"
    return f"{said}; nine games of ten take {word_counts(*report.nine_of_ten)}"


def word_counts(low: float, high: float) -> str:
    """`43 to 147`, or `43`."""
    return f"{low:.0f}" if f"{low:.0f}" == f"{high:.0f}" else f"{low:.0f} to {high:.0f}"


def find_apart(histogram: Sequence[tuple[int, int, int]]) -> Sequence[tuple[float, tuple[int, int]]] | None:
    """Find two sorts of games, each with its part of all games and its lengths; None where games of all lengths come.
    Between the two lie two fifths of all lengths, and hardly a game."""
    games, wide = sum(count for _, _, count in histogram), ceil(_APART * len(histogram))
    for begin in range(1, len(histogram) - wide if games >= FEW_GAMES else 0):
        sorts = [[one for one in part if one[2]] for part in (histogram[:begin], histogram[begin + wide :])]
        parts = [sum(count for _, _, count in part) / games for part in sorts]
        if min(parts) >= _SORT and sum(parts) >= 1 - _BETWEEN:
            return [(share, (part[0][0], part[-1][1])) for share, part in zip(parts, sorts, strict=True)]
    return None


def judge_ties(report: Report) -> str:
    """Say in a word whether ties are rare or common; nothing where they are neither, or that is not known."""
    share = wilson(report.shared + report.nobody, report.games, TOGETHER)
    return "Rare: " if share.value > 0 and share.high <= _RARE else "Common: " if share.low >= _COMMON else ""


# ── the course of a game, and skill ──────────────────────────────────────────────────────────────────────────────────


def judge_choices(report: Report, points: Points) -> str:
    """Say on which questions most hangs among players who learned, and on which nothing that was seen; else, of random
    players, how many decisions make no difference, and which least."""
    if report.play is not None and report.play.guesses:
        return _judge_prompts(report.play.guesses, report, points)
    rows = report.stakes
    if not rows:
        return ""
    whom, known, total = among(RANDOM) if report.play is not None else "", list_known_stakes(rows), rows[0]
    others = f", and in {100 * total.for_others:.0f} more only for others" if round(100 * total.for_others) else ""
    matters = f"{100 * total.matters:.0f} of 100"
    said = f"In {matters} decisions the answer was seen to change the chances of who chose{others}"
    said += f", {whom.strip()}" if whom else ""
    if len(known) > 1 and known[0].matters > known[-1].matters:
        return f"{said}; most often at “{known[0].name}”, {100 * known[0].matters:.0f} of 100."
    return f"{said}."


def are_vague(guesses: Sequence[Guess]) -> bool:
    """Tell whether guessing is not shown to cost anything anywhere, and may cost much."""
    may = [guess.fair - guess.low > _FARTHEST * guess.grey for guess in guesses]
    return any(may) and not any(guess.costs for guess in guesses)


def _judge_prompts(guesses: Sequence[Guess], report: Report, points: Points) -> str:
    """Say at which questions guessing costs most, and at which it is not shown to cost anything."""
    worded, each = word_gains(report, points)
    verb = "gets" if report.judged_by == "payoff" else "wins"
    costly, others = ([one for one in guesses if one.costs is costs] for costs in (True, False))
    # What guessing costs at most says of which of them enough is known.
    least = _word_size(guesses[0].grey, report, points)
    sizes = [(one, f"“{one.prompt}” ({_word_size(one.fair - one.low, report, points)} at worst)") for one in others]
    names = [f"“{one.prompt}”" for one in others if one.fair - one.low <= one.grey]
    boring = f"Perhaps boring, as answering at random costs {least} at most: {join_texts(names)}." if names else ""
    quiet = [size for one, size in sizes if one.fair - one.low > one.grey]
    if are_vague(guesses):
        return "Not known yet: too few games to say on which questions much hangs."
    if not costly:
        unknown = f"Answering at random may cost nothing{among(LEARNED)}: at {join_texts(quiet)}." if quiet else ""
        return f"{boring} {unknown}".strip()
    first, *rest = costly
    more, little = ([one for one in rest if (one.fair - one.won >= one.grey) is much] for much in (True, False))
    whom = f"a player who answers only that at random {verb} {worded(first.won)} {each}"
    said = f"Most hangs on “{first.prompt}”: {whom}, where {worded(first.fair)} is an even share."
    if more:
        said += f" Much hangs also on {join_texts([f'“{one.prompt}” ({worded(one.won)} {each})' for one in more])}."
    if little:
        said += f" Little hangs on {join_texts([f'“{one.prompt}” ({worded(one.won)} {each})' for one in little])}."
    said += f" {boring}" if boring else ""
    said += f" It is not known whether more than {least} hang on {join_texts(quiet)}." if quiet else ""
    said += "" if others else " No question that was tried looks boring."
    untried = 1 - sum(one.weight for one in guesses)
    hangs = "of 100 of what hangs on answers hangs on questions that were not tried"
    elsewhere = f"About {round(10 * untried) * 10} {hangs}."
    return f"{said} {elsewhere}" if untried > _UNTRIED else said


def judge_course(report: Report) -> str:
    """Say how often who leads after each part of a game wins, and who is last half way, among the best players of whom
    that is known; else in how many of the games that were followed the winner is settled early, and in how many late;
    and whether others settle it."""
    course, (level, speaks) = report.course, find_speaker(report)
    said = _word_leaders(level, speaks) if report.play is not None else ""
    if course is None or not course.won_alone:
        return said
    whom = among(RANDOM) if report.play is not None else ""
    if not said and _is_followed(course):
        both = course.before_half, course.in_last_tenth
        half, last = (f"{100 * rate.low:.0f} to {100 * rate.high:.0f}" for rate in both)
        said = f"Of 100 games{word_single(course)} {half} are decided before half way, {last} only in the last tenth"
        said += f"{whom.replace(' among', ', among')}."
    if not said:
        games = count_games(course.won_alone)
        return f"Not known yet: {word_too_few(f'{games}{word_single(course)}')} to say when they are decided."
    crowned = course.crowned
    if crowned is None or (report.play is not None and round(100 * crowned.low) < 1):
        return said
    players = f"Among {name_players(RANDOM)}, " if report.play is not None else ""
    if round(100 * crowned.low) < 1:
        return f"{said} Nobody who could not win any more was shown to decide who did."
    seen = f"{'in' if players else 'In'} {round(crowned.share * course.games)} of {count_games(course.games)}"
    return f"{said} {players}{seen} or more somebody who could not win any more decided who did."


def is_course_known(report: Report) -> bool:
    """Tell whether enough is known of when games are decided."""
    course, leaders = report.course, _word_leaders(*find_speaker(report)) if report.play is not None else ""
    return leaders != "" or (course is not None and _is_followed(course))


def _is_followed(course: Course) -> bool:
    """Tell whether so many games were followed that their shares say something."""
    return course.won_alone >= _FOLLOWED


def _word_leaders(level: str, report: Report) -> str:
    """Say how often who leads after each part of a game wins, and who is last half way; nothing where that is not known
    of half of the game."""
    details = report.details
    if details is None or not report.decides:
        return ""
    leaders = [one for one in details.ahead if one.games >= FEW_GAMES and one.high - one.low <= _VAGUE]
    half, last = next((one for one in leaders if one.part == _HALF), None), details.behind_at_half_time
    if half is None or last.games < FEW_GAMES:
        return ""
    even = f", where {word_wins(report.fair)} is an even share" if report.fair else ""
    ends = next((one for one in leaders if one.part == max(_PARTS)), None)
    when = "Decided early: " if half.low >= _MOSTLY else "Decided late: " if half.high <= _BARELY else ""
    when = "Open to the end: " if ends is not None and ends.high < _MOSTLY else when
    who = f"{'a' if when else 'A'} player who leads half way through{among(level)}"
    said = f"{when}{who} wins {word_wins(half.share)} of 100{even}"
    texts = [f"{_PARTS[one.part]} {100 * one.share:.0f}" for one in leaders if one.part in _PARTS]
    said += f"; a leader {' and '.join(texts)}" if texts else ""
    hope = ", so there is a little hope left" if last.low > report.fair * _HOPELESS else ""
    hope = ", so it is worth playing on" if last.low >= report.fair * _HOPE else hope
    hope = ", so there is little to play on for" if last.high <= report.fair * _HOPELESS else hope
    return f"{said}. A player who is last half way still wins {word_wins(last.share)}{hope if report.fair else ''}."


def judge_skill(report: Report, points: Points) -> str:
    """Say whether better players win more; that is known of those whom the level below does not hold."""
    play = report.play
    if play is None:
        bots = list(dict.fromkeys(report.bots))
        if report.luck is not None:
            return f"Chance decides {report.luck.share:.0%} of who wins; how it is played, the rest."
        return f"Not asked: only {bots[0]} bots played. --lens asks better ones." if len(bots) == 1 else ""
    rungs = [rung for rung in play.ladder if isinstance(rung, Rung)]
    worded, each = word_gains(report, points)
    better = [rung for rung in rungs if rung.low > rung.fair]
    if better:
        # The players that speak for all else are asked here, too, if they beat anybody.
        speakers = [rung for rung in better if rung.level == find_speaker(report)[0]]
        most = max(speakers or better, key=lambda rung: rung.low - rung.fair)
        verb = "gets" if most.unit == "payoff" else "wins"
        _, _, below = most.name.partition(" among ")
        who = name_rung(most.level, below)
        yes, more = ("Yes", "") if most.beats else ("A little at least", "; how much more is open")
        others = [rung for rung in better if rung.level == most.level and rung.unit == most.unit and rung is not most]
        beside = {rung.name.partition(" among ")[2]: worded(rung.won) for rung in others}
        also = "".join(f", and {won}{among(name)}" for name, won in beside.items())
        won = f"{who[:1].lower()}{who[1:]} {verb} {worded(most.won)} {each}{also}"
        games = min(rung.games for rung in (most, *others))
        rough = f"; by {count_games(games)} that is rough" if games < _ROUGH and not more else ""
        return f"{yes}: {won}, where {worded(most.fair)} is an even share{more}{rough}."
    known = [rung for rung in rungs if rung.high - rung.fair <= rung.grey]
    if known and len(known) == len(rungs):
        return "Little, between the players that were asked: none wins more than its share by enough to notice."
    return "Not known yet: too few games to tell who plays better." if rungs else ""


# ── what was quiet ───────────────────────────────────────────────────────────────────────────────────────────────────


def word_quiet_lines(report: Report) -> str:
    """Say of how much that was looked at nothing stands out, at any level of play."""
    levels = [report] if report.play is None else [*report.play.results.values()]
    quiet, loud = dict[str, set[str]](), set[str]()
    found = [finding.about for level in levels for finding in level.stands_out]
    named = {about.option if isinstance(about, Restricted) else find_subject(about) for about in found}
    _, speaks = find_speaker(report)
    # Later turn order may be judged of other players, and of those who speak not.
    judged = [(line, level) for level in levels for line in level.lines if line.about.sort in _LOOKED_AT]
    # Of places of which some stand out nothing is quiet.
    is_even = not any(isinstance(line.about, Order) and line.mark == LOOK for line in speaks.lines)
    for line in (line for line, level in judged if not isinstance(line.about, Order) or (level is speaks and is_even)):
        quiet.setdefault(line.about.sort, set()).add(str(line.about))
        if line.mark == LOOK or find_subject(line.about) in named:
            loud.add(str(line.about))
    counts = {sort: len(quiet.get(sort, set()) - loud) for sort in _LOOKED_AT}
    names = [f"{count} {_LOOKED_AT[sort].split(', ')[count > 1]}" for sort, count in counts.items() if count]
    return f"Also checked, and nothing else was found: {join_texts(names)}." if names else ""
