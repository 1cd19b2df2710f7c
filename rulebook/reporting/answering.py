"""Answers of a series about its game, in sentences: the questions of whoever designs it, each with its answer.

In: a report, of one level of play or of several. Out: answers, in an order that is always the same, so that two series
can be laid side by side; and the headline. "Is" is said only of what is shown, "would fit" of what is open.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil, hypot

from attrs import evolve

from rulebook.classes import frozen
from rulebook.interpreter.wording import join_texts
from rulebook.playtest.bots import ALWAYS, HELPS, NEVER
from rulebook.playtest.series.about import Card
from rulebook.playtest.series.levels import RANDOM, Difference, Gain
from rulebook.playtest.series.naming import UNNAMED
from rulebook.playtest.series.record import RANKED, WON
from rulebook.playtest.series.verdicts import GREY
from rulebook.playtest.small_games.solution import Solution
from rulebook.plurals import count_unit
from rulebook.reporting.course_words import word_decided, word_stakes
from rulebook.reporting.habits import (
    MANY,
    SHUNNED,
    find_crowding,
    find_key,
    find_shunned,
    judge_bindings,
    judge_help,
    pair_options,
    word_bindings,
    word_crowding,
)
from rulebook.reporting.line_words import (
    FEW_GAMES,
    count_needed,
    is_vague,
    word_gains,
    word_needed,
    word_nothing,
    word_rate,
    word_sort,
)
from rulebook.reporting.mends import find_question, judge_mends, word_mends
from rulebook.reporting.merging import (
    ALONE,
    ELSEWHERE,
    GOOD,
    SOME,
    UNSETTLED,
    among,
    find_known_level,
    list_levels,
    name_bot,
    name_players,
    name_rung,
    word_too_few,
)
from rulebook.reporting.records import (
    BestResponse,
    Binding,
    CardAnswer,
    Comparison,
    Decision,
    Details,
    Finding,
    Guess,
    Levels,
    Line,
    Measure,
    Mend,
    Merged,
    Option,
    Order,
    Pair,
    Points,
    Rate,
    Report,
    Role,
    Rung,
    Seat,
    Standing,
    Tie,
    Worth,
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
    word_wins,
)
from rulebook.reporting.together_words import list_wins, word_together
from rulebook.reporting.verdict_words import (
    are_vague,
    find_sizes,
    find_speaker,
    is_course_known,
    judge_choices,
    judge_course,
    judge_fairness,
    judge_skill,
    judge_strength,
    judge_ties,
    strip_ranges,
    word_counts,
    word_goes_with,
    word_usual_length,
)
from rulebook.reporting.worth_words import word_pairs, word_worth
from rulebook.statistics.intervals import TOGETHER, wilson
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

DECIDED, SKILL = "Decided?", "Skill?"
CHANGE = "change"
"""The mark of a difference that another rule is shown to make, which by itself is neither good nor bad."""
_MOST_OPTIONS, _MOST_SELDOM, _MOST_HABITS, _MOST_UNREACHED, _MOST_UNMET = 2, 4, 4, 12, 2
_OFTEN = 0.1
"""The part of times that is hardly ever, where others say yes often."""
_UNKNOWN = 0.35
"""The width of a range of shares that leaves open whether it is most of them."""
_NEARLY = 0.95
"""The part of the rules that is nearly all of them."""
_VAGUE = 6
"""The width of a range that says nothing, in smallest effects of interest."""
_SECONDS_A_DECISION = 10
"""The time of a decision at a table, in seconds: what people take who know the game, and a round number."""
_AT_ONCE, _AT_LAST = "by a rule that says who wins", "in all others who is ahead at the end wins"
_BEST = "Among the best players, "
_UNWATCHED = "Not looked at: --details."
_UNFOLLOWED = "How chances go up and down among random players, and one game move by move: --course."
_TOLD = "One game, move by move:"
_MOST_TIMES = 10
"""The most times the time that is proposed to know something more closely."""
_COMPARED = 2000
"""The number of deals that are played with a card and without it."""
_CAUSE = "Whether a card is the cause shows on the same deals without it"
_APART = "The game without one of them"
_ADDS = "in the table that they print, “it adds” is what the card itself does"
_THE_GAME = "If that is what the game is about, nothing is wrong with it."
_MEND = "To try a rule that makes up for it, such as a better start for who comes later, write a variant and compare"


class Command(str):
    """A line of an answer that is to be typed: it shows what the line before speaks of."""


class NextStep(Command):
    """A command that is worth running next, if its answer is the first that calls for one."""


@frozen
class Answer:
    """A question, its mark, the verdict in a sentence, and what that rests on, line by line. Beside the verdict `more`
    sentences stand, each about something else."""

    mark: str
    question: str
    lines: Sequence[str]
    verdict: str = ""
    more: Sequence[str] = ()

    @property
    def rests_on(self) -> Sequence[str]:
        """The lines, but for a first one that the verdict has whole."""
        return self.lines[1:] if self.lines and self.verdict.startswith(self.lines[0]) else self.lines


@frozen
class Answers:
    """Answers to questions, with the most important of it above them, and what was quiet below their verdicts."""

    headline: str
    answers: Sequence[Answer]
    quiet: str = ""


def answer_questions(report: Report, points: Points) -> Iterator[Answer]:
    """Answer what designers ask: is it fair, how long, ties, too strong, dead, boring, when decided, does skill pay.

    `points` puts points into words. What only random players show of several levels is said as that.
    """
    for answer in _answer_all(report, points):
        verdict = "" if answer.mark == LOOK else _find_verdict(answer.question, report, points)
        verdict = verdict or strip_ranges(_shorten(report, answer.lines[0]))
        if answer.question == DEAD:
            verdict = f"{_strip_counts(verdict).partition(';')[0].removesuffix('.')}."
        beside = [*_word_beside(answer, report, points)]
        if answer.question == STRONG and answer.mark != LOOK and _is_lopsided(report):
            answer = evolve(answer, mark=LOOK)
            alone = verdict.replace("be too strong or too weak", "make anybody win or lose by itself")
            verdict, *others = [*_word_apart_most(report), *_word_truths_known(report)]
            beside = [*others, alone, *beside]
        crowding = [*_word_crowded_out(report, points)] if answer.question == STRONG and answer.mark != LOOK else []
        if crowding:
            answer = evolve(answer, mark=LOOK)
            verdict, beside = crowding[0], [*crowding[1:], _THE_GAME, verdict, *beside]
        said, *more = (_word_shortly(report, one) for one in (verdict, *dict.fromkeys(beside)))
        yield evolve(answer, verdict=said, more=[one for one in more if one != said])


def _word_crowded_out(report: Report, points: Points) -> Iterator[str]:
    """Say what good players nearly always choose, where to leave it certainly costs more than too little to matter."""
    costly = [row for row in _list_bindings(report, STRONG) if row.fair - row.high > row.grey]
    level, speaks = find_speaker(report)
    if level not in (ALONE, RANDOM) and report.details is not None:
        names = {row.habit.name for row in costly} & {row.name for row, _ in find_crowding(speaks, report)}
        if names:
            yield from _word_crowded(report)
            yield from judge_bindings([row for row in costly if row.habit.name in names], report, points)


def _is_lopsided(report: Report) -> bool:
    """Tell whether what cards say of players lies far apart, and those win more of whom it is said."""
    _, speaks = find_speaker(report)
    truths = () if speaks.details is None else speaks.details.truths
    return any(_word_apart_most(report)) and any(row.wins.low > row.others_win.high for row in truths)


def _word_beside(answer: Answer, report: Report, points: Points) -> Iterator[str]:
    """Say what else bears on a question: what goes with winning, what habits come to, what cards say of people."""
    bindings = _list_bindings(report, answer.question)
    if answer.question == FAIR:
        yield from _word_first(report, points)
    if answer.question == LONG and report.play is not None:
        yield from _word_endings_known(report)
        yield from _word_measures(report)
    if answer.question == STRONG:
        _, speaks = find_speaker(report)
        if answer.mark == LOOK:  # beside what is shown, what is quiet is not spoken of
            bindings = [row for row in bindings if row.costs or row.pays]
        elif report.play is None and speaks.details and report.decides and not (report.worth or report.pairs):
            yield from word_goes_with(speaks.details.suspects)
        yield from _word_crowded(report)
    if answer.question == DEAD:
        yield from _word_seldom_known(report)
        yield from _word_boxed(report)
    yield from (judge_help if answer.question == FAIR else judge_bindings)(bindings, report, points)
    yield from judge_mends(_list_mends(report, answer.question), report, points)
    if answer.question == STRONG:
        yield from _word_apart_most(report)
        yield from _word_truths_known(report)


def _word_seldom_known(report: Report) -> Iterator[str]:
    """Say which options the players who speak choose least often, of several levels."""
    level, speaks = find_speaker(report)
    if level != ALONE and speaks.details is not None:
        yield from _word_seldom(level, speaks)


def _word_boxed(report: Report) -> Iterator[str]:
    """Say how many cards were in none of the games of those who speak."""
    _, speaks = find_speaker(report)
    boxed = () if speaks.details is None else speaks.details.in_the_box
    if boxed:
        them = "it is" if len(boxed) == 1 else "they are"
        lay = f"{count_unit(len(boxed), 'card')} never came out of the box with {count_unit(report.players, 'player')}"
        yield f"{lay}, which is as it should be if {them} for other numbers of players."


def _list_bindings(report: Report, question: str) -> Sequence[Binding]:
    """List what is known of habits that bear on a question: never to use what may be too strong or too weak, always to
    use what nobody does, and to help one another where it should be fair."""
    way = {STRONG: NEVER, DEAD: ALWAYS, FAIR: HELPS}.get(question)
    return [] if report.play is None else [row for row in report.play.bindings if row.habit.way == way]


def _word_bound(report: Report, question: str, points: Points) -> Iterator[str]:
    """Say of each of these habits what was played, and how to play it again."""
    for sentence, command in word_bindings(_list_bindings(report, question), report, points):
        yield from (sentence, Command(command))


def _list_mends(report: Report, question: str) -> Sequence[Mend]:
    """List what other values make of what stands out below a question."""
    return [] if report.play is None else [mend for mend in report.play.mends if find_question(mend) == question]


def _word_mended(report: Report, question: str, points: Points) -> Iterator[str]:
    """Say of each what was tried, and how to know more."""
    asked = (FAIR, STRONG, DEAD)
    before = [mend for other in asked[: asked.index(question)] for mend in _list_mends(report, other)]
    for sentence, commands in word_mends(_list_mends(report, question), before, report, points):
        yield sentence
        yield from map(NextStep, commands[:1])
        yield from map(Command, commands[1:])


def _word_shortly(report: Report, said: str) -> str:
    """Shorten what is said of several levels: without about whom it is where the head says that, who are shown to play
    well, and no others are named; and in whole wins of 100, but for a few."""
    if report.play is None or report.play.solution is not None:  # what is solved is known exactly
        return said
    level, _ = find_speaker(report)
    others = [among(name) for name in report.play.results if name != level]
    if level in report.play.worthy and not any(other in said.lower() for other in others):
        said = re.sub(f",?{among(level)}", "", said)
        said = said.removeprefix(_BEST)
        said = f"{said[:1].upper()}{said[1:]}"
    if report.judged_by == "payoff":
        return said
    return _round(said)


def _round(said: str) -> str:
    """Leave out tenths where there are ten and more."""
    return re.sub(r"\b\d{2,3}\.\d\b", lambda found: str(int(float(found[0]) + 0.5)), said)


def _strip_counts(said: str) -> str:
    """Leave out how often each thing was offered, and what else stands in brackets."""
    return re.sub(r" \([^()]*\)", "", said)


def _shorten(report: Report, said: str) -> str:
    """Leave out what holds of weaker players, where better ones show the same thing."""
    merged = [] if report.play is None else report.play.lens
    is_same = any(line.says == said and line.way in (GOOD, SOME) for line in merged)
    return f"{said.partition(';')[0].removesuffix('.')}." if is_same else said


def _find_verdict(question: str, report: Report, points: Points) -> str:
    """Find the words for a question of which nothing is shown; none where the answer begins with them."""
    merged_lines = [] if report.play is None else [line for line in report.play.lens if line.question == question]
    # What only weaker players show is told below.
    is_told = all(not line.says or line.way == ELSEWHERE for line in merged_lines)
    match question:
        case "Fair?" if is_told and _has_sides(report) and report.are_alike:
            return judge_fairness(report, points)
        case "Strong?" if is_told and report.decides and not report.worth and not report.pairs:
            return judge_strength(report, points)
        case "Long?" if report.play is not None:
            level = find_known_level(report.play)
            result = report.play.results[level]
            return f"{word_usual_length(result, level)}.{_word_stages(result)}{_word_minutes(result)}"
        case "Ties?" if is_told and _has_sides(report):
            level, result = find_speaker(report)
            said = f"{judge_ties(result)}{strip_ranges(_word_ties(result))}"
            return f"{said.removesuffix('.')}{',' if level else ''}{among(level)}."
        case "Boring?":
            return judge_choices(report, points)
        case "Decided?":
            return judge_course(report)
        case "Skill?":
            return judge_skill(report, points)
        case _:
            return ""


def _has_sides(report: Report) -> bool:
    """Tell whether anybody could win more than others."""
    is_solved = report.play is not None and report.play.solution is not None
    return report.decides and report.players > 1 and not report.is_together and not is_solved


def _answer_all(report: Report, points: Points) -> Iterator[Answer]:
    details, course, play, watched = report.details, report.course, report.play, _list_watched(report)
    fair = _answer_fair(report, points)
    strong = _answer_strong(report, watched, points)
    next_step = [*_word_mended(report, FAIR, points)]
    if not next_step and fair.mark != FINE:
        next_step = [*(_ask_more(report) if fair.mark == OPEN else _word_mend(report) if fair.mark == LOOK else ())]
    yield evolve(fair, lines=[*fair.lines, *next_step, *_word_bound(report, FAIR, points)])
    yield _with_findings(report, LONG, FACT, [_word_lengths(report), *_word_endings(report)])
    yield _answer_ties(report)
    # One command answers both.
    more = _ask_more(report) if strong.mark == OPEN and fair.mark != OPEN and report.play is not None else ()
    yield evolve(strong, lines=[*strong.lines, *_word_mended(report, STRONG, points), *more])
    dead = _answer_dead(report, watched)
    yield evolve(dead, lines=[*dead.lines, *_word_mended(report, DEAD, points), *_word_bound(report, DEAD, points)])
    guesses = play.guesses if play is not None else ()
    if details is not None or course is not None or guesses:
        shown = [] if course is None or course.shown is None else [_TOLD, Command(course.shown.replay)]
        stakes = _word_guesses(guesses, report, points) if guesses else word_stakes(report)
        boring = _with_findings(report, BORING, FACT, [*stakes, *_describe_choices(report)])
        lines = [*word_decided(course), *([] if play is not None else _leads(ALONE, report))]
        lines = [*(lines or [_word_undecided(report)]), *shown]
        is_known = is_course_known(report) or (course is None and not guesses)
        decided = Answer(FACT if is_known else OPEN, DECIDED, lines)
        if play is not None:
            # A count of what random players do is neither good nor bad.
            mark = OPEN if _is_unknown(report.stakes) or are_vague(guesses) else FACT
            boring = evolve(boring, mark=mark, lines=_of_random(boring.lines, report.stakes))
            level, speaks = find_speaker(report)
            decided = evolve(decided, lines=[*_leads(level, speaks), *_of_random(lines, course)])
        yield from (boring, decided) if details is not None or course is not None else (boring,)
    if play is None:
        if lines := [*_skill(report, points)]:
            yield Answer(FACT, SKILL, lines)
    else:
        skill = answer_skill(play, report, points)
        yield skill


def _word_mend(report: Report) -> Iterator[str]:
    """Say how to try other rules, where a game that is played at several levels is unfair."""
    if report.play is not None and report.play.solution is None:
        game = shlex.split(report.command)[2]
        yield f"{_MEND}:"
        yield NextStep(f"rulebook new variant {game} fairer")
        yield Command(f"rulebook compare {game} --variant fairer --players {report.players} --lens")


def _word_first(report: Report, points: Points) -> Iterator[str]:
    """Say what those win who act first, second and so on, or why nothing is said of that."""
    level, speaks = find_speaker(report)
    orders = [line for line in speaks.lines if isinstance(line.about, Order)]
    if not _has_sides(report) or not report.are_alike or speaks.games < FEW_GAMES:
        return
    if not orders:
        yield "Who acts first is always the same seat, so that it is counted among the seats."
    elif len(orders) == report.players > 2 and any(line.mark == LOOK for line in orders):
        worded, each = word_gains(report, points)
        verb = "get" if report.judged_by == "payoff" else "win"
        shares = join_texts([worded(line.counted) for line in orders])
        yield f"In turn order players {verb} {shares} {each}{among(level)}."
        if not any(line.mark == LOOK for line in speaks.lines if isinstance(line.about, Seat)):
            yield "No seat by itself is shown to be off."


def _of_random(lines: Sequence[str], looked_at: object) -> list[str]:
    """Say of the first of some lines that it is about random players, if anything was looked at."""
    if not looked_at:
        return [*lines]
    return [*(f"Among random players: {line[:1].lower()}{line[1:]}" for line in lines[:1]), *lines[1:]]


def _is_unknown(rows: Sequence[Decision] | None) -> bool:
    """Tell whether so few decisions were looked at that it is not known whether most matter or few do."""
    return rows is not None and any(row.total and row.high - row.low > _UNKNOWN for row in rows)


def find_headline(report: Report, points: Points) -> str:
    """Find what is most worth knowing: what stands out furthest, else what may, else that nothing does."""
    play = report.play
    if play is not None:
        shown = _word_shortly(report, _find_shown_at_levels(report, play, points))
        if shown:
            is_known = play.worthy or play.solution is not None
            return shown if is_known else f"{shown} Nobody was shown to play well here."
        if play.solution is not None:
            return word_solution(report, play.solution, points)
    elif report.stands_out:
        return _sentence(report.stands_out[0])
    if _has_sides(report) and report.are_alike:
        return _word_shortly(report, judge_fairness(report, points))
    if report.is_together and report.decides:
        return strip_ranges(next(word_together(report)))
    where = f"in {count_games(report.games)}" if play is None else "at any level of play"
    return word_nothing([line.about for line in report.lines], where)


def _find_shown_at_levels(report: Report, play: Levels[Report, Line], points: Points) -> str:
    """Find what stands out furthest at some level of good play, else what may; nothing if that is nothing."""
    broken = [finding for each in play.results.values() for finding in each.stands_out if finding.question == LONG]
    if broken:
        return broken[0].says[:1].upper() + broken[0].says[1:]
    shown = min((merged for merged in play.lens if merged.mark == LOOK), key=_sort_key, default=None)
    if shown is not None:
        is_of_seats = isinstance(shown.about, Seat)
        if play.solution and is_of_seats:
            return word_solution(report, play.solution, points)
        return _shorten(report, shown.says)
    # What those never use who played few games is an answer, and no headline.
    known = find_known_level(play)
    apart = [*list(_word_apart_most(report))[:1], *_word_truths_known(report)] if any(_word_apart_most(report)) else []
    apart += _word_crowded_out(report, points)
    dead = _answer_dead(report, {name: each for name, each in _list_watched(report).items() if name in (RANDOM, known)})
    if dead.mark == LOOK:
        apart.append(_strip_counts(dead.lines[0]))
    if apart:
        return " ".join(apart)
    return next((merged.says for merged in play.lens if merged.way == UNSETTLED), "")


def _sort_key(merged: Merged[Line]) -> tuple[bool, float, bool]:
    """Sort what is shown before what is not, then by weight; of what is alike, who wins before who loses."""
    return merged.mark != LOOK, -round(merged.weight or 0.0), _loses(merged)


def _loses(merged: Merged[Line]) -> bool:
    return merged.decisive.value < 0 and merged.question == FAIR


def _list_watched(report: Report) -> dict[str, Report]:
    """List the levels of play at which cards and options were looked at, by name."""
    levels = {ALONE: report} if report.play is None else report.play.results
    return {name: result for name, result in levels.items() if result.details is not None}


def _with_findings(report: Report, question: str, mark: str, otherwise: Sequence[str]) -> Answer:
    """Answer with what stands out, if anything does, before what would be said otherwise."""
    sentences = [_sentence(finding) for finding in report.stands_out if finding.question == question]
    if not sentences:
        return Answer(mark, question, otherwise)
    return Answer(LOOK, question, [*sentences, *(otherwise if mark == FACT else ())])


def _sentence(finding: Finding) -> str:
    between = " " if finding.kind in ("worth", "costs", "together", "instead") else ": "
    sentence = f"{finding.name}{between}{finding.says}" if finding.name else finding.says
    return sentence[:1].upper() + sentence[1:]


# ── is it fair ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _answer_fair(report: Report, points: Points) -> Answer:
    """Say what stands out first, and how far all else may be from fair: of several levels what does at each."""
    if not report.decides:
        return Answer(FACT, FAIR, ["Nothing in the rules says who wins, so nobody can."])
    if report.players == 1:
        return Answer(FACT, FAIR, [f"One plays alone, and wins {list_levels(list_wins(report))}."])
    if report.is_together:
        return Answer(FACT, FAIR, [*word_together(report)])
    play = report.play
    lines = [line for line in report.lines if isinstance(line.about, Seat | Order | Role)]
    merged_lines = [merged for merged in play.lens if merged.question == FAIR] if play is not None else []
    if play is not None and merged_lines:
        quiet = [merged for merged in merged_lines if not merged.says]
        rows = {name: [merged.levels[name] for merged in quiet if name in merged.levels] for name in play.results}
        # Of two players, what one of them gains is what the other loses, but for what one of them begins with.
        shown = [merged for merged in merged_lines if merged.says]
        if report.players == 2:
            shown = [merged for merged in shown if isinstance(merged.about, Role) or not _loses(merged)]
        sentences = [] if play.solution is None else [word_solution(report, play.solution, points)]
        sentences += [merged.says for merged in sorted(shown, key=_sort_key)]
        marks = {merged.mark for merged in merged_lines}
        is_known = play.solution is not None or LOOK in marks
        sentences += _word_quiet(report, rows, play.games, points, is_known=is_known)
        return Answer(next(mark for mark in (LOOK, OPEN, FINE) if mark in {*marks, FINE}), FAIR, sentences)
    mixed = [] if report.are_alike else ["The bots differ, so seats are not compared; --rotate sits each in all."]
    sentences = [*mixed, *_word_quiet(report, {ALONE: lines}, {ALONE: report.games}, points)]
    if not lines and not mixed:
        sentences.append("Too few games to say anything.")
    open_or_fine = OPEN if any(line.mark == OPEN for line in lines) else FINE
    return _with_findings(report, FAIR, open_or_fine if lines else FACT, sentences)


def word_solution(report: Report, solution: Solution, points: Points) -> str:
    """Say what the first seat gets where nobody errs."""
    worded, each = word_gains(report, points)
    verb, halves = ("gets", "") if report.judged_by == "payoff" else ("wins", ", a tie counted as a half")
    size = f"{worded((solution.low + solution.high) / 2)} {each}"
    fair = f"where {worded(solution.fair)} would be fair{halves}"
    return f"This game is solved: if nobody errs seat 1 {verb} {size}, {fair}."


def _word_quiet(
    report: Report,
    levels: Mapping[str, Sequence[Line]],
    games: Mapping[str, int],
    points: Points,
    *,
    is_known: bool = False,
) -> Iterator[str]:
    """Say of each sort of lines how far each level may be from fair, and how many more games are needed where that is
    open: of several levels, games of the best players. Where something `is_known`, none are needed."""
    worded, each = word_gains(report, points)
    best = [*games][-1]

    def say_needed(rows: Sequence[Line]) -> str:
        unsettled = [row for row in rows if row.mark == OPEN]
        whose = "" if best == ALONE else list_levels({best: ""}, "of")
        return word_needed(unsettled, games[best], worded(unsettled[0].grey), whose) if unsettled else ""

    for sort in dict.fromkeys(row.about.sort for rows in levels.values() for row in rows):
        of_sort = {name: [row for row in rows if row.about.sort == sort] for name, rows in levels.items()}
        needed = say_needed(of_sort[best]) if best == ALONE else ""
        yield word_sort(sort, of_sort, games, worded, each) + needed
    needed = "" if best == ALONE or is_known else say_needed(levels[best])
    if needed:
        yield needed.strip()


# ── how long, and who shares ─────────────────────────────────────────────────────────────────────────────────────────


def _word_lengths(report: Report) -> str:
    play = report.play
    reports = play.results if play is not None else {ALONE: report}
    broken = any(each.unfinished or each.endings.get("crashed") for each in reports.values())
    stopped = any(each.unfinished for each in reports.values())
    ends = " Games that were stopped count until then." if stopped else "" if broken else " All came to an end."
    if play is None:
        return f"{word_usual_length(report)}.{ends}"
    level = find_known_level(play)
    low, high = reports[level].nine_of_ten
    medians = list_levels({name: f"{each.length.median:g}" for name, each in reports.items()})
    spread = f"Nine games of ten have {word_counts(low, high)} decisions among {name_players(level)}.{ends}"
    return f"Decisions: {medians}. {spread}"


def _word_endings(report: Report) -> Iterator[str]:
    """Say of each level how often a rule says who wins, where in other games who is ahead at the end does."""
    levels = {ALONE: report} if report.play is None else report.play.results
    if any(map(_ends_in_two_ways, levels.values())):
        shares = {name: _word_count(level.endings.get(WON, 0), level.games) for name, level in levels.items()}
        yield f"Of 100 games {list_levels(shares)} end {_AT_ONCE}{_name_wins(report)}; {_AT_LAST}."


def _word_endings_known(report: Report) -> Iterator[str]:
    """Say the same of the players who speak, without ranges."""
    level, speaks = find_speaker(report)
    if _ends_in_two_ways(speaks):
        share = strip_ranges(_word_count(speaks.endings[WON], speaks.games))
        yield f"Of 100 games {share} end {_AT_ONCE}{among(level)}; {_AT_LAST}."


def _word_measures(report: Report) -> Iterator[str]:
    """Say what the rules measure at the end of a game, on the mean of the players who speak."""
    level, speaks = find_speaker(report)
    texts = []
    for row in speaks.measures:
        is_share = (row.min, row.max) == (0, 1)
        texts.append(f"“{row.name}” {f'in {word_wins(row.mean)} of 100' if is_share else f'{row.mean:.1f}'}")
    if texts:
        yield f"When games are over{among(level)}, on the mean: {join_texts(texts)}."


def _ends_in_two_ways(report: Report) -> bool:
    """Tell whether a rule names the winners of some games, and standings decide in others."""
    ends = report.endings
    return report.decides and not report.is_together and bool(ends.get(WON)) and bool(ends.get(RANKED))


def _name_wins(report: Report) -> str:
    """Name the sentences that did so in the games that were played once more."""
    sample = None if report.details is None else report.details.sample
    sentences = [f"`{row.sentence}`, {row.at}" for row in ([] if sample is None else sample.ends) if row.sentence]
    return f" ({'; '.join(sentences)})" if sentences else ""


def _word_stages(report: Report) -> str:
    """Say how many rounds, turns and the like a game has: stages that begin more than once, by the median."""
    rows = () if report.details is None else report.details.stages
    # Of stages that come equally often, like a round and what is played in it, the first stands for all.
    often = {round(row.times.median): row.name for row in reversed(rows) if row.times.median > 1}
    counts = [count_unit(times, name) for times, name in sorted(often.items())]
    return f" A game has about {join_texts(counts)}." if counts else ""


def _word_minutes(report: Report) -> str:
    """Say how long a game is at a table where everybody takes so many seconds for a decision, or twice as many."""
    half, whole = (max(1, round(report.length.median * times * _SECONDS_A_DECISION / 60)) for times in (1, 2))
    each = f" Each player decides about {count_unit(round(report.length.median / report.players), 'time')}."
    said = f"{each if report.players > 1 else ''} It takes about {count_unit(half, 'minute')}"
    return f"{said} at {_SECONDS_A_DECISION} seconds a decision, and {whole} at {2 * _SECONDS_A_DECISION}."


def _ask_more(report: Report) -> Iterator[str]:
    """Give the command that knows it more closely: four times the games of one level halve a range, and ten times the
    time of several shows what the best players do, or less where that is enough."""
    seconds, times = 0, _find_times(report)
    if report.play is not None:
        seconds = max((times * int(found) for found in re.findall(r"--lens (\d+)", report.command)), default=0)
    yield f"To know it more closely{_word_time(seconds)}:"
    if report.play is None:
        yield NextStep(report.command.replace(f"--games {report.games}", f"--games {4 * report.games}"))
    else:
        asked = re.sub(r"--lens (\d+)( --games \d+)?", lambda found: f"--lens {times * int(found[1])}", report.command)
        yield NextStep(asked)


def _find_times(report: Report) -> int:
    """Find how many times the time is enough for those who speak, half as much again for what else is asked."""
    level, speaks = find_speaker(report)
    rows = [line for line in speaks.lines if line.mark == OPEN]
    if level in (ALONE, RANDOM) or not rows:
        return _MOST_TIMES
    needed = (speaks.games + count_needed(rows, speaks.games)) / speaks.games
    return min(_MOST_TIMES, max(2, ceil(1.5 * needed)))


def _word_time(seconds: float) -> str:
    """` (about 10 minutes)`; of little or no time nothing."""
    minutes = round(seconds / 60)
    return f" (about {minutes} minute{'' if minutes == 1 else 's'})" if minutes else ""


def _answer_ties(report: Report) -> Answer:
    play = report.play
    if not report.decides:
        return _with_findings(report, TIES, FACT, ["None: nobody can win."])
    if report.players == 1 or not (report.games or play):
        return _with_findings(report, TIES, FACT, ["None: there is nobody to share with."])
    if report.is_together:
        return _with_findings(report, TIES, FACT, ["None: all win or lose together."])
    if play is None:
        return _with_findings(report, TIES, FACT, [_word_ties(report)])
    looks = [merged for merged in play.lens if isinstance(merged.about, Tie) and merged.says]
    if looks:
        return Answer(looks[0].mark, TIES, [looks[0].says])
    sentences = []
    for what, counts in (
        ("several win", {level: each.shared for level, each in play.results.items()}),
        ("nobody wins", {level: each.nobody for level, each in play.results.items()}),
    ):
        if any(counts.values()):
            texts = {level: _word_count(counts[level], each.games) for level, each in play.results.items()}
            sentences.append(f"Of 100 games {what} {list_levels(texts)}.")
    return Answer(FACT, TIES, sentences or ["None at any level of play."])


def _word_ties(report: Report) -> str:
    shared, nobody, games = report.shared, report.nobody, report.games
    if not shared and not nobody:
        return "None."
    both = f"; several win {_word_count(shared, games)}, nobody {_word_count(nobody, games)}"
    one = ", where several win; somebody won every game" if shared else ", where nobody wins"
    how = both if shared and nobody else one
    return f"{_word_count(shared + nobody, games)} of 100 games are ties{how}."


def _word_count(count: int, games: int) -> str:
    """`8.6 (5.2 to 13.9)`: so many of a hundred games, with the range."""
    share = wilson(count, games, TOGETHER)
    return f"{word_wins(share.value)} ({word_wins(share.low)} to {word_wins(share.high)})"


# ── too strong ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _answer_strong(report: Report, watched: Mapping[str, Report], points: Points) -> Answer:
    """Answer by cause, where options were forbidden, and by what went with winning, where that was counted; of several
    levels also which dealt cards are too strong at some."""
    counted = Answer(FACT, STRONG, [_UNWATCHED])
    level, speaks = find_speaker(report)
    if speaks.details is not None:
        # Who speaks stands first, then those who play better or worse.
        levels = {level: speaks} | {name: watched[name] for name in [*watched][::-1]}
        counted = _answer_by_counts(speaks, speaks.details, points, levels)
    if report.play is not None:
        return _answer_strong_of_levels(report, report.play, counted, points)
    worth: list[Worth | Pair] = [*(report.worth or ()), *(report.pairs or ())]
    if not worth:
        return counted
    answer = _with_findings(report, STRONG, OPEN if any(row.mark == OPEN for row in worth) else FINE, [])
    lines = [*answer.lines, *word_worth(report, points), *word_pairs(report, points)]
    if report.details is None:
        return Answer(answer.mark, STRONG, lines)
    mark = OPEN if answer.mark == FINE and counted.mark == OPEN else answer.mark
    lines += [line for line in counted.lines if line not in answer.lines]
    return Answer(mark, STRONG, lines)


def _answer_strong_of_levels(
    report: Report, play: Levels[Report, Line], counted: Answer, points: Points
) -> Answer:
    """Say which dealt cards are too strong at several levels, before what was counted at the level that speaks; what
    only random players show is open."""
    shown = sorted((merged for merged in play.lens if merged.question == STRONG and merged.says), key=_sort_key)
    said = {merged.name for merged in shown}
    lines = [merged.says for merged in shown]
    lines += [line for line in counted.lines if line.partition(": ")[0] not in said]
    is_weak = counted.mark == LOOK and find_known_level(play) not in play.worthy
    marks = {OPEN if is_weak else counted.mark, *(merged.mark for merged in shown)}
    mark = next(mark for mark in (LOOK, OPEN, FINE, FACT) if mark in marks)
    return Answer(mark, STRONG, [*lines, *_word_bound(report, STRONG, points), *_word_habits(report, play)])


def _find_best_watched(play: Levels[Report, Line], watched: Collection[str]) -> str:
    """Find the best players who are shown to play well, and of whose games cards and options were counted."""
    return next((name for name in reversed(play.worthy) if name in watched), "")


def _answer_dead(report: Report, watched: Mapping[str, Report]) -> Answer:
    """Say what the best players never use who are shown to play well, then what is never used at any level of play."""
    if report.details is None:
        return Answer(FACT, DEAD, [_UNWATCHED])
    others = [level.details for level in [*watched.values()][1:] if level.details is not None]
    never = [found for found in report.stands_out if not any(_is_used(found, details) for details in others)]
    best = ALONE if report.play is None else _find_best_watched(report.play, watched) or RANDOM
    usual = [f"All that came up often was played, chosen or met{_word_reached(report.details)}."]
    usual += [*_word_seldom(best, watched[best]), *_word_unreached(report, watched)]
    mark = FINE if _is_reached(report.details) else FACT
    answer = _with_findings(evolve(report, stands_out=never), DEAD, mark, usual)
    unused = [] if best in (ALONE, RANDOM) else _find_unused(best, watched, {found.about for found in never})
    if not unused:
        return answer
    tried = {row.habit.option: row for row in _list_bindings(report, DEAD)}
    lines = [*_word_unused(unused, best, watched, tried)]
    # Where using it always is not seen to cost anything, it may be chance that nobody took to it.
    is_chance = all(find_key(each) in tried and not tried[find_key(each)].costs for each in unused)
    if answer.mark == LOOK:
        return Answer(LOOK, DEAD, [*lines, *answer.lines])
    return Answer(FACT if is_chance else LOOK, DEAD, [*lines, *usual[1:]])


def _word_reached(details: Details) -> str:
    """Say how much of the rules ran in the games that were played once more."""
    if details.sample is None:
        return ""
    reached, games = details.sample.coverage, details.sample.games
    missing = reached.of - reached.reached
    if not missing:
        return f"; {count_games(games)} went through all {reached.of:,} places in the rules"
    return f"; {missing:,} of {reached.of:,} places in the rules never ran in {count_games(games)}"


def _is_reached(details: Details) -> bool:
    """Tell whether the games that were played once more went through nearly all of the rules."""
    reached = None if details.sample is None else details.sample.coverage
    return reached is None or reached.reached >= _NEARLY * reached.of


def _word_unreached(report: Report, watched: Mapping[str, Report]) -> Iterator[str]:
    """Say which cards and actions never did anything in the games that were played once more, but for those that were
    in no game; and what lists all that never ran."""
    details = report.details
    sample = None if details is None else details.sample
    if details is None or sample is None or sample.coverage.reached == sample.coverage.of:
        return
    cards = [card for level in watched.values() if level.details is not None for card in level.details.cards]
    used, bots = {card.name for card in cards if card.played}, list(dict.fromkeys(report.bots))
    used.update(details.in_the_box)
    names = [name for name in sample.coverage.unreached if name not in used]
    whom = f" of {name_players(bots[0])}" if bots == [RANDOM] else ""
    if names:
        more = len(names) - _MOST_UNREACHED
        listed = [*names[:_MOST_UNREACHED], *([f"{more} more"] if more > 0 else [])]
        yield f"None of these ever did anything in {count_games(sample.games)}{whom}: {join_texts(listed)}."
    if sample.coverage.command:
        yield "To list what is never reached in the rules, in more games:"
        yield Command(sample.coverage.command)


def _find_unused(best: str, watched: Mapping[str, Report], known: Collection[object]) -> list[Finding]:
    """Find the options and cards that the best players never use, or hardly ever, who were offered them often."""
    found = [each for each in watched[best].stands_out if each.question == DEAD and each.about not in known]
    return [*found, *find_shunned(watched[best], watched[RANDOM])]


def _word_unused(
    unused: Sequence[Finding], best: str, watched: Mapping[str, Report], tried: Collection[str]
) -> Iterator[str]:
    """Say which options and cards the best players never use, and how often others do; of those that were not tried,
    how to try them."""
    texts: dict[str, list[str]] = {"never": [], "hardly ever": []}
    for each in unused:
        listed = texts["hardly ever" if each.kind == SHUNNED else "never"]
        if isinstance(each.about, Option):
            offered, taken = _count_option(watched[best], each.about.key)
            before, chosen = _count_option(watched[RANDOM], each.about.key)
            also = f"; random ones choose it {100 * chosen / before:.0f} of 100 times" if before else ""
            once = f", chosen {taken:,}" if taken else ""
            listed.append(f"{each.name} (offered {offered:,} times{once}{also})")
        elif each.kind == "never_played":
            listed.append(f"{each.name} (came to them {each.times:,} times; others of its kind are used)")
    who = name_players(best)
    parts = [f"{often} use {join_texts(names)}" for often, names in texts.items() if names]
    if parts:
        yield f"{who[:1].upper()}{who[1:]} {', and '.join(parts)}."
    untried = [each for each in unused if each.command is not None and find_key(each) not in tried]
    commands = [Command(str(each.command)) for each in untried]
    if commands:
        yield from ["Whether it is too weak, or not found out, shows where one player always does it:", *commands]


def _count_option(report: Report, key: str) -> tuple[int, int]:
    """Count how often an option was offered, and how often chosen."""
    rows = () if report.details is None else report.details.options
    return next(((row.offered, row.chosen) for row in rows if row.option == key), (0, 0))


def _is_used(finding: Finding, details: Details) -> bool:
    """Tell whether somebody used what others never did."""
    match finding.about:
        case Option(key):
            return any(row.option == key and row.chosen for row in details.options)
        case Card(id) if finding.kind == "never_so":
            said = {} if details.sample is None else details.sample.said
            asked = any(answer.id == id and answer.share for answer in details.answers)
            return asked or any(times for key, times in said.items() if key.rpartition(".")[0] == id)
        case Card(id):
            ran = {} if details.sample is None else details.sample.ran
            return bool(ran.get(id, any(row.id == id and row.played for row in details.cards)))
        case _:
            return False


def _answer_by_counts(
    report: Report, details: Details, points: Points, levels: Mapping[str, Report]
) -> Answer:
    worded, each = word_gains(report, points)
    named = _with_findings(report, STRONG, FINE, [])
    level = next(iter(levels))
    apart = [*_word_without_apart(report, details)]
    if named.mark == LOOK:
        said = {finding.name for finding in report.stands_out if finding.question == STRONG}
        return Answer(LOOK, STRONG, [*named.lines, *apart, *word_suspects(details.suspects, levels, points, said)])
    if not report.decides:
        return Answer(FACT, STRONG, ["Nobody can win, so nothing helps to."])
    sorts = find_sizes(report)
    unseen = "No dealt card and no option came up often enough to say."
    nothing = {"dealt": "No dealt card is shown to be too strong or too weak"}
    nothing |= {"option": "No option is shown to decide most games"}
    of = {"dealt": "a dealt card", "option": "an option"}
    sizes = " or ".join(f"{of[sort]} that is worth {worded(size)} {each}" for sort, size in sorts.items())
    lines = [f"{nothing[sort]}." for sort in sorts] or [unseen]
    # Of several levels the verdict says so.
    is_told = not sorts or len(levels) > 1
    lines += [] if is_told else [f"Nine times of ten {sizes} would have been found, if it came up often."]
    lines += [*word_apart(details, level), *apart, *word_truths(details, level)]
    lines += [*word_suspects(details.suspects, levels, points), *_word_options(report, points, level)]
    is_open = any(line.mark == OPEN for line in report.lines if line.about.sort == "dealt")
    return Answer(OPEN if is_open else FINE if sorts else FACT, STRONG, lines)


def word_suspects(
    suspects: Sequence[Finding], reports: Mapping[str, Report], points: Points, said: Collection[str] = ()
) -> Iterator[str]:
    """Say of cards that go with winning, or with losing, how much those won who had them, at each level of play, and
    what shows whether the card is the cause; of which that is `said` already only what shows it."""
    lines = {level: {line.about: line for line in report.lines} for level, report in reports.items()}
    usual = ""
    for suspect in (suspect for suspect in suspects if suspect.name not in said):
        rows = {level: mine[suspect.about] for level, mine in lines.items() if suspect.about in mine}
        report, row = reports[next(iter(rows))], next(iter(rows.values()))
        worded, each = word_gains(report, points)
        known = {level: row for level, row in rows.items() if not is_vague(row)} or rows
        sizes = list_levels({level: word_rate(row, worded, each) for level, row in known.items()})
        verb = "got" if report.judged_by == "payoff" else "won"
        # The seats of those who had something are nearly the same for all of it.
        was, usual = usual, f"; the same seats {verb} {worded(row.usual)} on average"
        usual = usual if report.judged_by == "payoff" else _round(usual)
        holder = HAVING[suspect.about.sort].replace(" it", f" {suspect.name}")
        yield f"{holder[:1].upper()}{holder[1:]} {verb} {sizes}{'' if usual == was else usual}."
    commands = [NextStep(suspect.command) for suspect in suspects if suspect.command is not None]
    took = _word_time(2 * _COMPARED * next(iter(reports.values())).seconds / max(1, next(iter(reports.values())).games))
    yield from [f"{_CAUSE}{took.replace('minutes', 'minutes each')}; {_ADDS}:", *commands] if commands else ()


def word_apart(details: Details, level: str) -> Iterator[str]:
    """Say of each question that cards answer which one says yes most often, and which least, if that is no chance; and
    on which of its conditions that hangs."""
    for least, *_, most in _list_apart(details):
        said, whom = least.question.replace("_", " "), among(level)
        yield (
            f"{most.name} says “{said}” of {word_wins(most.share)} of 100 players who have it at the end "
            f"({_word_range(most)}), {least.name} of only {word_wins(least.share)} ({_word_range(least)}){whom}."
        )
        wins = [f"{word_wins(row.wins.share)} of 100 ({_word_range(row.wins)})" for row in (most, least)]
        yield f"Who has {most.name} at the end wins {wins[0]}, who has {least.name} {wins[1]}{whom}."
        yield from _word_unmet(least)
        yield f"A player who has several such cards may have another one that says “{said}”."


def _word_without_apart(report: Report, details: Details) -> Iterator[str]:
    """Say how to play without the cards that lie furthest apart."""
    for rows in _list_apart(details):
        took = 2 * _COMPARED * report.seconds / max(1, report.games)
        yield f"{_APART}{_word_time(took).replace('minutes', 'minutes each')}; {_ADDS}:"
        yield from (NextStep(row.command) for row in (rows[-1], rows[0]) if row.command)


def _list_apart(details: Details) -> Iterator[list[CardAnswer]]:
    """List by question the answers of cards, the least first, where the first and the last are no chance apart."""
    for question in dict.fromkeys(answer.question for answer in details.answers):
        rows = sorted((row for row in details.answers if row.question == question), key=lambda row: row.share)
        if rows[-1].low > rows[0].high:
            yield rows


def _word_unmet(answer: CardAnswer) -> Iterator[str]:
    """Say which conditions of a card are met least often, of those that mostly are not."""
    unmet = sorted((one for one in answer.conditions if one.met < answer.asked / 2), key=lambda one: one.met)
    shares = [f"“{one.name}” {word_wins(one.met / answer.asked)} of 100 times" for one in unmet[:_MOST_UNMET]]
    if shares:
        yield f"{answer.name} mostly says no, since these are seldom met: {join_texts(shares)}."


def word_truths(details: Details, level: str) -> Iterator[str]:
    """Say of each question that cards answer whether those win more of whom it is true."""
    for row in details.truths:
        if min(row.seats, row.others) < MANY:
            continue
        share, question = word_wins(row.seats / (row.seats + row.others)), row.question.replace("_", " ")
        said = f"“{question}” holds for {share} of 100 players with a card at the end that can say it{among(level)}"
        size, other = (
            f"{word_wins(rate.share)} of 100 ({_word_range(rate)})"
            for rate in (row.wins, row.others_win)
        )
        if row.wins.low > row.others_win.high or row.wins.high < row.others_win.low:
            yield f"{said}; of these {size} win, and of the others {other}."
        else:
            yield f"{said}; of these {size} win, and of the others {other}, so that it is not shown to change who wins."


def _word_truths_known(report: Report) -> Iterator[str]:
    """Say the same of the players who speak, without ranges."""
    level, speaks = find_speaker(report)
    if speaks.details is not None:
        yield from map(strip_ranges, word_truths(speaks.details, level))


def _word_apart_most(report: Report) -> Iterator[str]:
    """Say of which cards that is most often true at the end, and of which hardly ever, where they lie so far apart."""
    level, speaks = find_speaker(report)
    if speaks.details is None or not speaks.details.answers:
        return
    shares = [row.share for row in speaks.details.answers]
    if max(shares) > 0.5 and min(shares) < _OFTEN:
        yield from map(strip_ranges, word_apart(speaks.details, level))


def _word_crowded(report: Report) -> Iterator[str]:
    """Say of the players who speak which answers they choose nearly always, if better than random ones do."""
    level, speaks = find_speaker(report)
    if level not in (ALONE, RANDOM):
        yield from word_crowding(level, speaks, report)


def _word_range(answer: CardAnswer | Rate) -> str:
    return f"{word_wins(answer.low)} to {word_wins(answer.high)}"


def _word_options(report: Report, points: Points, level: str) -> Iterator[str]:
    """Say which options went with most for who chose them; that is what choices are for."""
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
        whom = among(level if level != ALONE else report.bots[0]).strip()
        yield f"{whom[:1].upper()}{whom[1:]} {', and '.join(texts)} than who chose something else there."


def _word_seldom(level: str, report: Report) -> Iterator[str]:
    """Say which options are chosen least often where they are offered."""
    assert report.details is not None, "levels at which nothing was counted are left out"
    rows = [
        option
        for option in report.details.options
        if option.offered >= MANY and option.option.partition(":")[0] not in UNNAMED
    ]
    # Who is offered many things chooses each seldom: only what is chosen far less than the likes of it is worth a word.
    usual = dict[str, list[int]]()
    for row in rows:
        counts = usual.setdefault(row.option.partition(":")[0], [0, 0])
        counts[0], counts[1] = counts[0] + row.chosen, counts[1] + row.offered
    shares = {sort: chosen / offered for sort, (chosen, offered) in usual.items()}
    rows = [row for row in rows if row.chosen / row.offered < shares[row.option.partition(":")[0]] / 2]
    rows = sorted(rows, key=lambda row: row.chosen / row.offered)[:_MOST_SELDOM]
    texts = ", ".join(f"“{row.name}” {100 * row.chosen / row.offered:.0f}" for row in rows)
    if texts:
        yield f"Chosen least often, of 100 times that it was one of the answers{among(level)}: {texts}."


# ── the course of a game, and skill ──────────────────────────────────────────────────────────────────────────────────


def _describe_choices(report: Report) -> Iterator[str]:
    details = report.details
    if details is None:
        return
    yield f"A decision has {details.options_a_decision:.1f} options on average."
    # Where games were followed, that is counted there.
    sample = None if report.stakes else details.sample
    if sample is not None and sample.decided + sample.forced:
        forced = sample.forced / (sample.decided + sample.forced)
        yield f"In {word_wins(forced)} of 100 choices there was only one thing to choose, so nobody was asked."


def _word_guesses(guesses: Sequence[Guess], report: Report, points: Points) -> Iterator[str]:
    """Say of each question what those win, or get, who answer it at random, and why these were chosen."""
    worded, each = word_gains(report, points)
    verb = "gets" if report.judged_by == "payoff" else "wins"
    rows = [
        f"“{row.prompt}” {worded(row.won)} ({worded(row.low)} to {worded(row.high)}; each is asked {row.asked:.1f} "
        "times a game)"
        for row in guesses
    ]
    who = "Who answers one question at random, and all others as players who learned do"
    games = min(row.games for row in guesses)
    yield f"{who}, {verb} {each} (fair is {worded(guesses[0].fair)}; {count_games(games)} of each): {'; '.join(rows)}."
    others = round(100 * max(0.0, 1 - sum(row.weight for row in guesses)))
    yield (
        "Tried were the questions on which players who learned expect most to hang, and one that everybody is asked "
        f"and on which they expect little to; they expect {others} of 100 of what hangs on answers to hang on all "
        "others."
    )
    yield from ("The first of them again:", Command(guesses[0].command))


def _word_undecided(report: Report) -> str:
    """Say why nothing is said of when games were decided."""
    if report.is_together:
        return "Not by who is ahead: all win or lose together."
    if report.course is not None:
        return "Not seen: nobody won a game alone."
    return _UNFOLLOWED if report.play is not None and report.play.guesses else "Not looked at: --course."


def _leads(level: str, report: Report) -> Iterator[str]:
    details = report.details
    if details is None:
        return
    if report.course is None and not report.is_together and any(one.games for one in details.ahead):
        lead = details.lead_changes
        yield f"The lead changes {lead.min:g} to {lead.max:g} times a game, {lead.mean:.1f} on average{among(level)}."
    leaders, last = [one for one in details.ahead if one.games], details.behind_at_half_time
    if not report.decides:
        return
    if leaders:
        rows = ", ".join(f"after {100 * one.part:.0f} of 100 decisions {_word_standing(one)}" for one in leaders)
        yield f"A player who leads alone, and would win if it ended there, wins of 100{among(level)}: {rows}."
    if last.games:
        yield f"A player who is last half way{among(level)} wins of 100: {_word_standing(last)}."


def _word_standing(standing: Standing) -> str:
    between = f"{word_wins(standing.low)} to {word_wins(standing.high)}"
    return f"{word_wins(standing.share)} ({between}; {count_games(standing.games)})"


def _skill(report: Report, points: Points) -> Iterator[str]:
    worded, each = word_gains(report, points)
    luck = report.luck
    if luck is not None:
        between = f"{luck.low:.0%} to {luck.high:.0%}"
        yield f"Chance decides {luck.share:.0%} ({between}) of who wins; how it is played, the rest."
    bots = list(dict.fromkeys(report.bots))
    if len(bots) == 1:
        yield f"Only {bots[0]} bots played: what holds for them need not hold for people who think; --lens asks others."
    yield from report.learned or ()
    for bot in (report.by_bot or ()) if len(bots) > 1 else ():
        if bot.gets is not None:
            rate = bot.gets
            yield f"{bot.bot} gets {worded(rate.value)} {each} ({worded(rate.low)} to {worded(rate.high)})."
        else:
            between = f"{word_wins(bot.low)} to {word_wins(bot.high)}; fair is {word_wins(report.fair)}"
            yield f"{bot.bot} wins {word_wins(bot.share)} of 100 ({between})."


def _word_habits(report: Report, play: Levels[Report, Line]) -> Iterator[str]:
    """Say which options good players choose far more often than random ones where they are offered, or less."""
    best = _find_best_watched(play, _list_watched(report))
    good = play.results.get(best)
    if good is None or good.details is None or report.details is None or good.games < FEW_GAMES:
        return
    habits = list[tuple[float, str]]()
    for option, other in pair_options(good.details, report.details):
        share, before = option.chosen / option.offered, other.chosen / other.offered
        surely = abs(share - before) - TOGETHER * hypot(option.deviation, other.deviation)
        if surely > GREY and min(option.offered, other.offered) >= MANY:
            habits.append((surely, f"{option.name} {100 * share:.0f} and {100 * before:.0f}"))
    texts = [text for _, text in sorted(habits, reverse=True)[:_MOST_HABITS]]
    if texts:
        listed = "; ".join(texts)
        yield f"Chosen of 100 times that it was offered, by {name_players(best)} and by random ones: {listed}."


# ── how good the players are ─────────────────────────────────────────────────────────────────────────────────────────


def answer_skill(
    play: Levels[Report, Line] | Levels[Comparison, Measure], result: Report | Comparison, points: Points
) -> Answer:
    """Say how good the players are; that is open where there were too few games to tell."""
    nobody = "Nobody but random players was asked."
    if len(play.results) > 1 and not play.ladder:
        nobody = "There is nobody to beat: what skill does is how often each level of play wins."
    lines = [*_word_ladder(play, result, points)] or [nobody]
    rungs = [rung for rung in play.ladder if isinstance(rung, Rung)]
    # Once somebody is shown to win more, skill pays, whatever is not known of others.
    is_open = any(map(is_unsure, rungs)) and not any(rung.beats for rung in rungs)
    return Answer(OPEN if is_open else FACT, SKILL, lines)


def is_unsure(rung: Rung) -> bool:
    """Tell whether more games could still show that a bot plays better."""
    return not rung.beats and rung.low <= rung.fair and rung.high - rung.fair > rung.grey


def _word_ladder(
    play: Levels[Report, Line] | Levels[Comparison, Measure], result: Report | Comparison, points: Points
) -> Iterator[str]:
    """Say how much one bot wins among those of the level below, and what can be got from it at most."""
    worded, each = word_gains(result, points)
    rungs = [rung for rung in play.ladder if isinstance(rung, Rung)]
    known = [best for best in play.ladder if isinstance(best, BestResponse)]
    unbeaten = {best.level for best in known if best.best_response <= best.grey}
    for rung in sorted(rungs, key=lambda rung: rung.fair - rung.low):
        level, _, below = rung.name.partition(" among ")
        who = name_rung(level, below)
        verb = "gets" if rung.unit == "payoff" else "wins"
        if is_unsure(rung) and rung.high - rung.low > _VAGUE * rung.grey:
            yield f"{who}: {word_too_few(count_games(rung.games))} to say who plays better."
            continue
        caveat = ""
        if not rung.beats:
            caveat = f", no better: {name_players(level)} are no evidence of good play"
            if rung.low > rung.fair:
                caveat = ", better, and not surely by enough to notice"
            caveat = ", too few games to show that it plays better" if is_unsure(rung) else caveat
            caveat = ", and little can be gained from it" if rung.level in unbeaten else caveat
        low, high, fair = (worded(end) for end in (rung.low, rung.high, rung.fair))
        changed = ""
        if rung.changed is not None and rung.difference is not None:
            changed = _word_changed(rung.changed, rung.difference, worded)
        rests = f"{low} to {high}; {count_games(rung.games)}; fair is {fair}"
        yield f"{who} {verb} {worded(rung.won)} {each} ({rests}){changed}{caveat}."
    # Of who learned a trial may say what there was no time for.
    missing = [name for name in play.not_played if name not in {rung.name for rung in rungs}]
    if missing:
        who = " or ".join(dict.fromkeys(name_players(name.partition(" ")[0]) for name in missing))
        yield f"There was no time for games enough of {who}: --lens 600 gives ten minutes."
    exact = [best for best in play.ladder if isinstance(best, BestResponse)]
    if exact:
        # What a rounded number would call nothing is more than that.
        gains = {name_bot(best.level, best.bot): worded(best.best_response) for best in exact}
        gains = {bot: "next to nothing" if gain == worded(0) else f"{gain} {each}" for bot, gain in gains.items()}
        sizes = ", ".join(f"{gain} from {bot}" for bot, gain in gains.items())
        yield f"Who knows how they play gains at best {sizes}: exactly, over all that can happen."


def _word_changed(changed: Gain, difference: Difference, worded: Points) -> str:
    """Say how often the same bot wins by the changed rules, and how much more or less that is."""
    size, low, high = (
        f"{'−' if value < 0 else '+'}{worded(abs(value))}"
        for value in (difference.value, difference.low, difference.high)
    )
    return f"; with the change {worded(changed.won)}, {size} ({low} to {high})"
