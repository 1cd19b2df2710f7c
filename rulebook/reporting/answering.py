"""Answers of a series about its game, in sentences: the questions of whoever designs it, each with its answer.

In: a report. Out: answers, in an order that is always the same, so that two series can be laid side by side; and the
headline. "Is" is said only of what is shown, "would fit" of what is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil

from attrs import field, frozen

from rulebook.playtest.series.naming import UNNAMED
from rulebook.reporting.merging import ALONE, TOO_FEW, among, list_levels, word_edges
from rulebook.reporting.records import (
    About,
    CardAnswer,
    Course,
    Decision,
    Details,
    Effect,
    Finding,
    Had,
    Line,
    Mean,
    Option,
    Order,
    Points,
    Rate,
    Report,
    Role,
    Seat,
    Shown,
    Unit,
)
from rulebook.reporting.standing_out import (
    BORING,
    DEAD,
    FAIR,
    HAVING,
    LONG,
    STRONG,
    TIES,
    count_games,
    word_more,
    word_settled,
    word_wins,
)
from rulebook.reporting.worth_words import word_worth
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

DECIDED, SKILL = "Decided?", "Skill?"
CHANGE = "change"
"""The mark of a difference that another rule is shown to make, which by itself is neither good nor bad."""
_FAR = 3
"""The widest half-interval that still says something, in smallest effects of interest."""
FEW_GAMES = 50
"""The fewest games that say something."""
_MOST_OPTIONS, _MOST_LEADERS, _MOST_SELDOM = 2, 4, 4
_OFTEN = 100
"""The fewest offers of an option before it is said to be chosen seldom."""
_FEW_DECISIONS = 10
"""The fewest decisions of a kind that were looked at before anything is said of it."""
_UNWATCHED = "Not looked at: --details."
_CAUSE = "Whether a card is the cause shows on the same deals without it; the commands are given."


@frozen
class Answer:
    """A question, its mark, and sentences, of which the first is the answer; commands that show it."""

    mark: str
    question: str
    lines: Sequence[str]
    commands: Sequence[str] = field(factory=tuple)


def answer_questions(
    report: Report, points: Points, levels: Mapping[str, Report] | None = None
) -> Iterator[Answer]:
    """Answer what designers ask: is it fair, how long, ties, too strong, dead, boring, when decided, does skill pay.

    `points` puts points into words. Where the report is that of one of several `levels`, it is the first of them.
    """
    details = report.details
    yield _answer_fair(report, points)
    yield _with_findings(report, LONG, FACT, [*_lengths(report)])
    yield _with_findings(report, TIES, FACT, [_ties(report)])
    yield _answer_strong(report, details, points, levels or {ALONE: report})
    if details is None:
        yield Answer(FACT, DEAD, [_UNWATCHED])
    else:
        nothing = "All that came up often was played, chosen or met."
        yield _with_findings(report, DEAD, FINE, [nothing, *_word_seldom(levels or {ALONE: report})])
    if details is not None or report.course is not None:
        yield _with_findings(report, BORING, FACT, [*_word_stakes(report), *_choices(report)])
        course = report.course
        shown = [] if course is None or course.shown is None else [course.shown.replay]
        yield Answer(FACT, DECIDED, [*_word_decided(course), *_leads(report)], shown)
    yield Answer(FACT, SKILL, [*_skill(report, points)])


def find_headline(report: Report, points: Points) -> str:
    """Find what is most worth knowing: what stands out furthest, else what may, else that nothing does."""
    if report.stands_out:
        return _sentence(report.stands_out[0])
    nearest = report.nearest_open
    nothing = word_nothing([line.about for line in report.lines], f"in {count_games(report.games)}")
    if nearest is None or not nearest.more:
        return nothing
    worded, each = word_gains(report, points)
    side = "more" if nearest.value > 0 else "less"
    size = f"{worded(abs(nearest.value))} {each} {side} than fair, which may be chance"
    whose = name_holder(nearest.about, nearest.name)
    known = [line for line in report.lines if line.mark == OPEN and not is_vague(line)]
    room = f"but up to {worded(find_edge(known))} {each} off its share would still fit" if known else ""
    nothing = f"{nothing.removesuffix('.')}, {room or 'which are too few to say'}."
    return f"{nothing} Furthest off is {whose}: {size}. {word_settled(nearest.more)}"


def name_holder(about: About, name: str) -> str:
    """Return what people call those of whom a line speaks."""
    match about:
        case Role():
            return f"who begins with {name}"
        case Had("dealt"):
            return f"who is dealt {name}"
        case _:
            return name


def word_nothing(looked_at: Iterable[About], where: str) -> str:
    """Say that nothing stands out, of what was looked at."""
    sorts = {about.sort for about in looked_at}
    *first, last = [name for sort, name in _SORTS.items() if sort in sorts] or ["thing"]
    return f"No {', '.join(first)}{' or ' if first else ''}{last} stands out {where}."


def _with_findings(report: Report, question: str, mark: str, otherwise: Sequence[str]) -> Answer:
    """Answer with what stands out, if anything does, before what would be said otherwise."""
    sentences = [_sentence(finding) for finding in report.stands_out if finding.question == question]
    if not sentences:
        return Answer(mark, question, otherwise)
    return Answer(LOOK, question, [*sentences, *(otherwise if mark == FACT else ())])


def _sentence(finding: Finding) -> str:
    between = " " if finding.kind in ("worth", "costs") else ": "
    sentence = f"{finding.name}{between}{finding.says}" if finding.name else finding.says
    return sentence[:1].upper() + sentence[1:]


def word_gains(report: Report, points: Points) -> tuple[Points, str]:
    """Return what puts gains into words, and of how much they are."""
    return word_unit(report.judged_by, points)


def word_unit(judged_by: Unit, points: Points) -> tuple[Points, str]:
    """Return the same for gains of a kind."""
    return (points, "a game") if judged_by == "payoff" else (word_wins, "of 100")


def is_vague(row: Effect) -> bool:
    """Tell whether so little is known of a line that whatever is said of it, or drawn, would mislead."""
    holds_mark = row.sure_low <= 0 <= row.sure_high
    return holds_mark and row.sure_high - row.sure_low > 2 * _FAR * row.grey > 0


def find_edge(rows: Sequence[Effect]) -> float:
    """Find how far off the furthest of several lines may be."""
    return max(max(-row.sure_low, row.sure_high) for row in rows)


def word_needed(rows: Sequence[Effect], games: int, size: str, whose: str = "") -> str:
    """Say how many games more would narrow lines to what is too small to matter, which is of that size: four times as
    many halve a range. A few games do not even say that. `whose` games they are may be added."""
    if games < FEW_GAMES:
        return ""
    widest = max(rows, key=lambda row: row.sure_high - row.sure_low)
    more = games * (((widest.sure_high - widest.sure_low) / 2 / widest.grey) ** 2 - 1) if widest.grey else 0
    if more <= 0:  # it is narrow enough, and lies to one side
        return f" {word_settled(max(row.more for row in rows), whose)}"
    digits = 10 ** max(2, len(str(int(more))) - 2)
    return f" With about {word_more(digits * ceil(more / digits))}{whose} this would be known to ±{size}."


# ── is it fair ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _answer_fair(report: Report, points: Points) -> Answer:
    if not report.decides:
        return Answer(FACT, FAIR, ["Nothing in the rules says who wins, so nobody can."])
    if report.players == 1:
        won = report.seats[0]
        between = f"{word_wins(won.low)} to {word_wins(won.high)}"
        return Answer(FACT, FAIR, [f"One plays alone, and wins {word_wins(won.share)} of 100 games ({between})."])
    mixed = [] if report.are_alike else ["The bots differ, so seats are not compared; --rotate sits each in all."]
    lines = [line for line in report.lines if isinstance(line.about, Seat | Order | Role)]
    sentences = [*mixed, *_word_lines(report, lines, points)]
    if not lines and not mixed:
        sentences.append("Too few games to say anything.")
    open_or_fine = OPEN if any(line.mark == OPEN for line in lines) else FINE
    return _with_findings(report, FAIR, open_or_fine if lines else FACT, sentences)


_SORTS = {"seat": "seat", "order": "place in the order of acting", "role": "role", "dealt": "dealt card"}
NAMED = {"seat": "seat", "order": "place in the order of acting (first, second, …)", "role": "role"}
"""Sorts of lines that say who wins, by what they are about, as a noun."""


def _word_lines(report: Report, lines: Sequence[Line], points: Points) -> Iterator[str]:
    """Say of each sort of lines how far it may be from fair, and how many more games are needed where that is open."""
    worded, each = word_gains(report, points)
    for sort in dict.fromkeys(line.about.sort for line in lines):
        rows = [line for line in lines if line.about.sort == sort]
        unsettled = [row for row in rows if row.mark == OPEN]
        needed = word_needed(unsettled, report.games, worded(unsettled[0].grey)) if unsettled else ""
        yield word_sort(sort, {ALONE: rows}, {ALONE: report.games}, worded, each) + needed


def word_sort(
    sort: str, rows: Mapping[str, Sequence[Effect]], games: Mapping[str, int], worded: Points, each: str
) -> str:
    """Say how far lines of one sort may be from fair at each level of play."""
    few = {level: count_games(games[level]) for level, some in rows.items() if any(map(is_vague, some))}
    edges = {level: worded(find_edge(some)) for level, some in rows.items() if some and level not in few}
    claim = f"No {NAMED[sort]} stands out: each may still be off its share by up to"
    return word_edges(claim, NAMED[sort], edges, each, few)


# ── how long, and who shares ─────────────────────────────────────────────────────────────────────────────────────────


def _lengths(report: Report) -> Iterator[str]:
    length, (low, high) = report.length, report.nine_of_ten
    ends = "" if report.unfinished or report.endings.get("crashed") else " All came to an end."
    yield f"{length.median:g} decisions; nine games of ten {low:.0f} to {high:.0f}.{ends}"


def _ties(report: Report) -> str:
    if report.players == 1 or not report.games or not report.decides:
        return "None: there is nobody to share with."
    shared, nobody = report.shared / report.games, report.nobody / report.games
    if not shared and not nobody:
        return "None."
    both = f" (several won {word_wins(shared)}, nobody {word_wins(nobody)})" if shared and nobody else ""
    how = "" if both else ": several won" if shared else ": nobody won"
    return f"{word_wins(shared + nobody)} of 100 games are ties{both or how}."


# ── too strong ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _answer_strong(
    report: Report, details: Details | None, points: Points, levels: Mapping[str, Report]
) -> Answer:
    """Answer by cause, where options were forbidden, and by what went with winning, where that was counted."""
    counted = Answer(FACT, STRONG, [_UNWATCHED])
    if details is not None:
        counted = _answer_by_counts(report, details, points, levels)
    worth = report.worth
    if not worth:
        return counted
    answer = _with_findings(report, STRONG, OPEN if any(row.mark == OPEN for row in worth) else FINE, [])
    lines = [*answer.lines, *word_worth(report, points)]
    if details is None:
        return Answer(answer.mark, STRONG, lines)
    mark = OPEN if answer.mark == FINE and counted.mark == OPEN else answer.mark
    lines += [line for line in counted.lines if line not in answer.lines]
    return Answer(mark, STRONG, lines, counted.commands)


def _answer_by_counts(
    report: Report, details: Details, points: Points, levels: Mapping[str, Report]
) -> Answer:
    worded, each = word_gains(report, points)
    commands = [suspect.command for suspect in details.suspects if suspect.command is not None]
    named = _with_findings(report, STRONG, FINE, [])
    if named.mark == LOOK:
        return Answer(LOOK, STRONG, [*named.lines, *([_CAUSE] if commands else ())], commands)
    if not report.decides:
        return Answer(FACT, STRONG, ["Nobody can win, so nothing helps to."])
    sorts = {sort: size for sort, size in report.seen.items() if sort in ("dealt", "option")}
    if not sorts:
        return Answer(FACT, STRONG, ["Nothing was seen often enough to say."])
    nothing = {"dealt": "No dealt card is shown to be too strong or too weak"}
    nothing |= {"option": "No option is shown to decide most games"}
    of = {"dealt": "a dealt card", "option": "an option"}
    sizes = " or ".join(f"{of[sort]} that is worth {worded(size)} {each}" for sort, size in sorts.items())
    lines = [*(f"{nothing[sort]}." for sort in sorts), f"Nine times of ten {sizes} would have been found."]
    lines += [*word_apart(details, next(iter(levels))), *word_suspects(details.suspects, levels, points)]
    lines += [*_word_options(report, points)]
    is_open = any(line.mark == OPEN for line in report.lines if line.about.sort == "dealt")
    return Answer(OPEN if is_open else FINE, STRONG, lines, commands)


def word_suspects(
    suspects: Sequence[Finding], reports: Mapping[str, Report], points: Points
) -> Iterator[str]:
    """Say of cards that go with winning, or with losing, how much those won who had them, at each level of play."""
    lines = {level: {line.about: line for line in report.lines} for level, report in reports.items()}
    usual = ""
    for suspect in suspects:
        rows = {level: mine[suspect.about] for level, mine in lines.items() if suspect.about in mine}
        report, row = reports[next(iter(rows))], next(iter(rows.values()))
        worded, each = word_gains(report, points)
        sizes = list_levels({level: word_rate(row, row.usual, worded, each) for level, row in rows.items()})
        verb = "got" if report.judged_by == "payoff" else "won"
        was, usual = usual, f"where the same seats {verb} {worded(row.usual)} {each} on average, "
        share = "" if usual == was else usual
        share += f"{HAVING[suspect.about.sort].replace(' it', ' ' + suspect.name)} {verb} {sizes}."
        yield f"{share[:1].upper()}{share[1:]}"
    if suspects:
        yield _CAUSE


def word_rate(row: Effect, fair: float, worded: Points, each: str = "of 100") -> str:
    """`28.0 of 100 (22.1 to 34.8)`: what is won, with its range."""
    if is_vague(row):
        return TOO_FEW
    value, low, high = (worded(end + fair) for end in (row.value, row.sure_low, row.sure_high))
    return f"{value} {each} ({low} to {high})"


def word_apart(details: Details, level: str) -> Iterator[str]:
    """Say of each question that cards answer which one says yes most often, and which least, if that is no chance."""
    answers = details.answers
    for question in dict.fromkeys(answer.question for answer in answers):
        rows = sorted((answer for answer in answers if answer.question == question), key=lambda answer: answer.share)
        if rows[-1].low > rows[0].high:
            least, most = (
                f"{word_wins(row.share)} of 100 who held {row.name} ({_word_range(row)})"
                for row in (rows[0], rows[-1])
            )
            usual = sum(row.share * row.asked for row in rows) / sum(row.asked for row in rows)
            about = f"{question.replace('_', ' ')} at the end{among(level)}"
            yield f"{about[:1].upper()}{about[1:]}: {most}, {least}, {word_wins(usual)} of all."


def _word_range(answer: CardAnswer) -> str:
    return f"{word_wins(answer.low)} to {word_wins(answer.high)}"


def _word_options(report: Report, points: Points) -> Iterator[str]:
    """Say which options did most to who chose them at random; that is what choices are for."""
    worded, each = word_gains(report, points)
    sure = [
        line for line in report.lines if isinstance(line.about, Option) and line.sure_low * line.sure_high > 0
    ]
    texts, verb = list[str](), "got" if report.judged_by == "payoff" else "won"
    for line in sorted(sure, key=lambda line: -abs(line.value))[:_MOST_OPTIONS]:
        low, high = sorted((abs(line.sure_low), abs(line.sure_high)))
        size = f"{worded(abs(line.value))} {each} {'more' if line.value > 0 else 'less'}"
        texts.append(f"who chose {line.name} {verb} {size} ({worded(low)} to {worded(high)})")
    if texts:
        yield f"Among random players {', and '.join(texts)} than who chose something else there."


def _word_seldom(levels: Mapping[str, Report]) -> Iterator[str]:
    """Say which options are chosen least often where they are offered, among the best players of whom that is known."""
    level, report = [*levels.items()][-1]
    assert report.details is not None, "levels at which nothing was counted are left out"
    rows = [
        option
        for option in report.details.options
        if option.offered >= _OFTEN and option.option.partition(":")[0] not in UNNAMED
    ]
    rows = sorted(rows, key=lambda row: row.chosen / row.offered)[:_MOST_SELDOM]
    texts = ", ".join(f"{row.name} {100 * row.chosen / row.offered:.0f}" for row in rows)
    if texts:
        yield f"Chosen least often of 100 times that it was offered{among(level)}: {texts}."


# ── the course of a game, and skill ──────────────────────────────────────────────────────────────────────────────────


_FOLLOW = "How much hangs on decisions, and when games are decided: --course."


def _word_stakes(report: Report) -> Iterator[str]:
    """Say how many decisions matter, if that was looked at, and on what is asked most and least hangs."""
    rows = report.stakes
    if not rows:
        yield _FOLLOW
        return
    total = rows[0]
    if not any(finding.kind == "dull" for finding in report.stands_out):
        between = f"{word_whole(total.low)} to {word_whole(total.high)}"
        yield f"{word_whole(total.dull)} of 100 decisions make no difference that could be seen ({between})."
    seen = f"{word_whole(total.seen)} games of 100"
    yield f"A difference of {seen} between two answers would have been seen nine times of ten."
    # Rounded so that they add up.
    dull, forced, decisive = (
        round(100 * share) for share in (total.dull, total.forced, total.decisive)
    )
    kinds = f"forced {forced}, indifferent {dull - forced}, interesting {100 - dull - decisive}, decisive {decisive}"
    yield f"Of 100 decisions: {kinds}. Decisive: best and worst answer lie 25 games of 100 apart, or more."
    known = list_known_stakes(rows)
    if len(known) > 1 and known[0].matters > known[-1].matters:
        yield f"Most hangs on “{known[0].name}”: {word_whole(known[0].matters)} of 100 matter."
        yield f"Least hangs on “{known[-1].name}”: {word_whole(known[-1].matters)} of 100 matter."
    yield (
        f"Seen in {total.decisions} decisions of {count_games(total.games or 0)}: after each answer the game was "
        f"finished {total.tries} times by players who answer at random. They lose what a good answer gains, so good "
        "players see more differences."
    )


def list_known_stakes(rows: Sequence[Decision]) -> list[Decision]:
    """List the kinds of decisions of which enough were looked at, those first that matter most often."""
    known = [row for row in rows[1:] if row.decisions >= _FEW_DECISIONS]
    return sorted(known, key=lambda row: -row.matters)


def _choices(report: Report) -> Iterator[str]:
    details = report.details
    if details is None:
        return
    yield f"A decision has {details.options_a_decision:.1f} options on average."
    # Where games were followed, that is counted there.
    sample = None if report.stakes else details.sample
    if sample is not None and sample.decided + sample.forced:
        forced = sample.forced / (sample.decided + sample.forced)
        yield f"In {word_wins(forced)} of 100 choices there was only one thing to choose, so nobody was asked."


def _word_decided(course: Course | None) -> Iterator[str]:
    """Say when games were decided."""
    if course is None or not course.won_alone:
        return
    half, last, never = (_word_share(rate) for rate in (course.before_half, course.in_last_tenth, course.never))
    yield (
        f"In {half} games of 100 the winner is the favourite from before half way to the end, in {last} only in the "
        f"last tenth; in {never} the winner is never clearly behind."
    )
    changes = course.lead_changes
    yield f"The favourite changes {changes.value:.1f} times a game ({changes.low:.1f} to {changes.high:.1f})."
    yield (
        f"Seen in {count_games(course.games)}, {course.won_alone} of them with a single winner: at each of "
        f"{course.moments} moments the game was finished {course.playouts} times by players who answer at random."
    )


def word_course(course: Course) -> Iterator[str]:
    """Say what games were like, and what the one that is shown tells."""
    drama, largest = course.drama, course.killer_move
    yield (
        f"At worst the later winner is {_word_mean(drama)} of 100 behind; the largest step is "
        f"{_word_mean(largest)}. {_word_share(course.came_back)} of 100 winners once had less than half of the chance "
        "that all have alike."
    )
    yield f"How open games are, from 0 to 1: {course.uncertainty.value:.2f}."
    shown = course.shown
    assert shown is not None, "somebody won alone"
    yield f"The game with seed {shown.seed}: {word_leaders(shown)}. Why this one: {shown.why}."
    for step in shown.told:
        yield f"Decision {step.at} of {shown.decisions}: {step.text}"


def word_leaders(shown: Shown) -> str:
    """Say who was ahead of all others, one after the other, and who won."""
    leaders, [winner] = [f"Bot {seat}" for seat in shown.leaders], [f"Bot {seat}" for seat in shown.winner]
    if len(leaders) > _MOST_LEADERS:
        return f"{leaders[0]} is ahead first, then the lead changes {len(leaders) - 1} times, and {winner} wins"
    ahead = (
        f"{leaders[0]} is ahead{', then '.join([' first' if len(leaders) > 1 else '', *leaders[1:]])}"
        if leaders
        else ""
    )
    if not ahead:
        return f"nobody is clearly ahead, and {winner} wins"
    who = "who" if len(leaders) > 1 else "and"
    return f"{ahead}, {who} wins" if leaders[-1] == winner else f"{ahead}, and {winner} wins"


def _word_share(rate: Rate) -> str:
    return f"{word_whole(rate.share)} ({word_whole(rate.low)} to {word_whole(rate.high)})"


def _word_mean(mean: Mean) -> str:
    return f"{word_whole(mean.value)} ({word_whole(mean.low)} to {word_whole(mean.high)})"


def word_whole(share: float) -> str:
    """`51`: so many of a hundred, where more would be too exact."""
    return f"{100 * share:.0f}"


def _leads(report: Report) -> Iterator[str]:
    details = report.details
    if details is None:
        return
    if report.course is None:
        lead = details.lead_changes
        yield f"The lead changes {lead.min:g} to {lead.max:g} times a game, {lead.mean:.1f} on average."
    for rate, what in ((details.ahead_at_half_time, "first"), (details.behind_at_half_time, "last")):
        if rate.games and report.decides:
            between = f"{word_wins(rate.low)} to {word_wins(rate.high)}; {count_games(rate.games)}"
            yield f"Who would be {what} if it ended half way wins {word_wins(rate.share)} of 100 ({between})."


def _skill(report: Report, points: Points) -> Iterator[str]:
    worded, each = word_gains(report, points)
    luck = report.luck
    if luck is not None:
        between = f"{luck.low:.0%} to {luck.high:.0%}"
        yield f"The deal decides {luck.share:.0%} ({between}) of who wins; the rest is how it is played."
    bots = list(dict.fromkeys(report.bots))
    if len(bots) == 1:
        yield f"Only {bots[0]} bots played: what holds for them need not hold for people who think; --lens asks others."
    for bot in (report.by_bot or ()) if len(bots) > 1 else ():
        if bot.gets is not None:
            rate = bot.gets
            yield f"{bot.bot} gets {worded(rate.value)} {each} ({worded(rate.low)} to {worded(rate.high)})."
        else:
            between = f"{word_wins(bot.low)} to {word_wins(bot.high)}; fair is {word_wins(report.fair)}"
            yield f"{bot.bot} wins {word_wins(bot.share)} of 100 ({between})."
