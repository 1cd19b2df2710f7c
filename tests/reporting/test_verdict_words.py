"""Each verdict is true where it is printed: a planted game in which it is, and one in which it would not be."""

import pytest
from attrs import evolve
from simulating import make_line, make_rung

import rulebook
from rulebook.playtest.bots import HELPS
from rulebook.playtest.series.about import About, Had, Option, Order, Restricted, Seat
from rulebook.playtest.series.binding import HELPING, Binding
from rulebook.playtest.series.guessing import Guess
from rulebook.playtest.series.levels import BestResponse, Rung
from rulebook.playtest.series.sample import Covered
from rulebook.reporting.answering import Answer, answer_questions, find_headline
from rulebook.reporting.described import list_heads
from rulebook.reporting.habits import choose_habits
from rulebook.reporting.joining import join_reports
from rulebook.reporting.records import (
    CardAnswer,
    CardRow,
    Condition,
    Course,
    Decision,
    Finding,
    Level,
    Line,
    Measured,
    OptionRow,
    Rate,
    Report,
    Spread,
    StageRow,
    Standing,
    Truth,
)
from rulebook.reporting.verdict_words import (
    is_course_known,
    judge_choices,
    judge_course,
    judge_fairness,
    judge_skill,
    judge_strength,
    strip_ranges,
    word_goes_with,
    word_quiet_lines,
)
from rulebook.statistics.intervals import Interval
from rulebook.statistics.verdicts import FACT, FINE, LOOK, OPEN

UNKNOWN = "Not known yet whether it is fair:"


@pytest.fixture(scope="module")
def report() -> Report:
    """A report in which nothing was looked at, of a game that somebody can win."""
    found = rulebook.open("exposed").simulate(2, 60, details=False).record
    return evolve(found, lines=[], stands_out=[], games=400)


def plant(value: float, reach: float, mark: str = OPEN, about: About | None = None) -> Line:
    """Plant a line so far from fair, known so closely."""
    ends = {"sure_low": value - reach, "sure_high": value + reach}
    won = {"won": 0.5 + value, "fair": 0.5}
    return make_line(mark, value, about or Seat(1), name="seat 1", games=400, more=900, **won, **ends)


@pytest.mark.parametrize(
    ("value", "reach", "mark", "said"),
    [
        (0.01, 0.02, FINE, "Fair: no seat gains or loses more than 3 wins in 100."),
        (0.011, 0.02, FINE, "Fair: no seat gains or loses more than 4 wins in 100."),
        (0.03, 0.025, FINE, "Probably fair: no seat is shown to be off by enough to notice, and none can be by more"),
        (0.0, 0.06, OPEN, "Probably fair: no seat is shown to be off, and none can be by more than 6 wins in 100."),
        (-0.02, 0.09, OPEN, f"{UNKNOWN} a seat could be off by up to 11 wins in 100, and that would not show."),
        (0.05, 0.06, OPEN, "Perhaps not fair: seat 1 won 55.0 of 100, where 50.0 would be fair. That may be chance."),
        (0.05, 0.2, OPEN, f"{UNKNOWN} a seat could be off by up to 25 wins in 100, and that would not show."),
    ],
)
def test_how_fair_a_game_is_said_to_be(report: Report, value: float, reach: float, mark: str, said: str) -> None:
    told = judge_fairness(evolve(report, lines=[plant(value, reach, mark)]), str)
    assert told.startswith(said)


def test_what_is_shown_is_never_called_fair(report: Report) -> None:
    shown = evolve(report, lines=[plant(0.1, 0.05, LOOK)])
    says = "won 60.0 of 100 (55.0 to 65.0), where 50.0 would be fair."
    finding = Finding(Seat(1), "seat 1", "wins", 0.9, "Fair?", says)
    shown = evolve(shown, stands_out=[finding])
    first = next(iter(answer_questions(shown, str)))
    assert first.mark == LOOK and first.verdict == "Seat 1: won 60.0 of 100, where 50.0 would be fair."
    assert find_headline(shown, str).startswith("Seat 1: won 60.0 of 100 (55.0 to 65.0)")


def test_all_that_may_be_unfair_is_named(report: Report) -> None:
    lines = [plant(0.0, 0.03, FINE), plant(0.0, 0.03, FINE, Order(1))]
    assert "no seat or first player gains" in judge_fairness(evolve(report, lines=lines), str)
    lines.append(plant(0.0, 0.03, FINE, Order(2)))
    assert "no seat or place in turn order gains" in judge_fairness(evolve(report, lines=lines), str)
    assert "place" not in judge_fairness(evolve(report, lines=lines[:1]), str)


def test_few_games_say_nothing(report: Report) -> None:
    few = evolve(report, games=49, lines=[plant(0.0, 0.03, FINE)])
    assert judge_fairness(few, str) == "Not known yet whether it is fair: 49 games are too few to say."
    assert judge_fairness(evolve(few, games=50), str).startswith("Fair")
    assert "1 game is too few to say." in judge_fairness(evolve(few, games=1), str)


def join(report: Report, worthy: bool, *levels: tuple[str, Line], games: int = 400) -> Report:
    won = (0.8, 0.7, 0.9) if worthy else (0.5, 0.3, 0.7)
    rung = make_rung("greedy among random", "greedy", "greedy", "random", 90, *won, 0.5, 0.04, beats=worthy)
    played = [Level(name, name, games, 0.0, "", evolve(report, lines=[line])) for name, line in levels]
    return join_reports(played, [rung], str)


def test_the_best_players_of_whom_enough_is_known_speak(report: Report) -> None:
    close, wide = plant(0.0, 0.03, FINE), plant(0.0, 0.3)
    told = judge_fairness(join(report, True, ("random", wide), ("greedy", close)), str)
    assert told == "Fair among greedy players: no seat gains or loses more than 3 wins in 100."
    told = judge_fairness(join(report, True, ("random", close), ("greedy", wide)), str)
    assert told.startswith(f"{UNKNOWN[:-1]} among greedy players: a seat could be off by up to 30 wins")
    assert told.endswith("Among random players none is off by more than 3 wins in 100.")
    told = judge_fairness(join(report, False, ("random", close), ("greedy", wide)), str)
    assert told.startswith("Fair among random players:") and told.endswith("Of better players too little is known.")


@pytest.mark.parametrize(("value", "reach", "much"), [(0.1, 0.03, "too often"), (0.06, 0.03, "a little too often")])
def test_what_is_off_by_little_is_said_to_be_so(report: Report, value: float, reach: float, much: str) -> None:
    """It is a little where it is certainly off, and may be off by less than four wins in a hundred."""
    joined = join(report, True, ("random", plant(value, reach, LOOK)), ("greedy", plant(value, reach, LOOK)))
    assert f"seat 1 wins {much}" in find_answer(joined, "Fair?").lines[0].lower()
    assert find_headline(joined, str).lower().startswith(f"seat 1 wins {much}")


def test_all_questions_rest_on_the_same_players(report: Report) -> None:
    """Who is shown to play well, and of whom there are games enough, answers everything; else random players do."""
    close = plant(0.0, 0.03, FINE)
    for worthy, games, speaks in ((True, 400, "greedy"), (True, 99, "random"), (False, 400, "random")):
        joined = join(report, worthy, ("random", close), ("greedy", close), games=games)
        verdicts = {answer.question: answer.verdict for answer in answer_questions(joined, str)}
        # The head says who speaks if they play well; where they do not, each answer says so.
        named = [f"among {speaks} players" in verdicts[question] for question in ("Fair?", "Long?", "Ties?")]
        assert named == [speaks == "random"] * 3
        assert f"answers are about {speaks} players" in " ".join(list_heads(joined))
        assert (f"among {speaks} players" in find_headline(joined, str)) is named[0]


def test_skill_pays_where_somebody_beats_the_level_below(report: Report) -> None:
    line = plant(0.0, 0.03, FINE)
    paid = join(report, True, ("random", line), ("greedy", line))
    said = "Yes: a greedy player among random ones wins 80.0 of 100, where 50.0 is an even share; "
    said += "by 90 games that is rough."
    assert judge_skill(paid, str) == said
    assert paid.play is not None
    known = [evolve(rung, games=300) for rung in paid.play.ladder if isinstance(rung, Rung)]
    assert judge_skill(evolve(paid, play=evolve(paid.play, ladder=known)), str).endswith("where 50.0 is an even share.")
    unsure = join(report, False, ("random", line), ("greedy", line))
    assert unsure.play is not None
    assert judge_skill(unsure, str) == "Not known yet: too few games to tell who plays better."
    assert find_answer(unsure, "Skill?").mark == OPEN
    # What is not known of others leaves nothing open, once somebody is shown to win more.
    assert paid.play is not None
    vague = make_rung("search among greedy", "search", "", "greedy", 12, 0.9, 0.0, 1.0, 0.5, 0.04, beats=False)
    more = evolve(paid, play=evolve(paid.play, ladder=[*paid.play.ladder, vague]))
    assert find_answer(more, "Skill?").mark == FACT and find_answer(more, "Skill?").verdict == said.replace(".0", "")
    little = [evolve(rung, won=0.58, low=0.51, high=0.65) for rung in unsure.play.ladder if isinstance(rung, Rung)]
    told = find_answer(evolve(unsure, play=evolve(unsure.play, ladder=little)), "Skill?")
    assert told.verdict.startswith("A little at least: a greedy player") and "how much more is open" in told.verdict
    assert "better, and not surely by enough" in told.lines[0]
    # Who beats others may be beaten: only what was reckoned says how little can be gained.
    beaten = evolve(paid, play=evolve(paid.play, ladder=[*paid.play.ladder, *little]))
    assert not any("little can be gained" in line for line in find_answer(beaten, "Skill?").lines)
    least = BestResponse("greedy", "greedy", "", 0.04, "wins", 0.01)
    beaten = evolve(paid, play=evolve(paid.play, ladder=[*paid.play.ladder, *little, least]))
    assert any("little can be gained" in line for line in find_answer(beaten, "Skill?").lines)
    skipped = evolve(paid, play=evolve(paid.play, not_played=["greedy among random", "search"]))
    said = "There was no time for games enough of players who search:"
    assert find_answer(skipped, "Skill?").lines[-1].startswith(said)
    assert unsure.play is not None
    [rung] = unsure.play.ladder
    assert isinstance(rung, Rung)
    even = evolve(unsure, play=evolve(unsure.play, ladder=[evolve(rung, won=0.5, low=0.48, high=0.52)]))
    assert judge_skill(even, str).startswith("Little, between the players that were asked")
    assert judge_skill(report, str) == "Not asked: only random bots played. --lens asks better ones."


def test_cards_that_go_with_winning_are_worth_a_test() -> None:
    seen = rulebook.open("exposed").simulate(2, 60).record
    assert seen.details is not None
    kinds = {"A": "wins", "B": "loses"}
    suspects = [Finding(Had("held", name), name, kind, 0.1, "Strong?", "") for name, kind in kinds.items()]
    seen = evolve(seen, seen={"dealt": 0.118, "option": 0.2})
    told = judge_strength(evolve(seen, details=evolve(seen.details, suspects=suspects)), str)
    assert told == (
        "No dealt card and no option is shown to be too strong or too weak. A dealt card that gains or costs 12 wins "
        "in 100 or an option that gains or costs 20 wins in 100 may have gone unnoticed, and more easily where it is "
        "rare."
    )
    assert [*word_goes_with(suspects)] == [
        "A goes with winning, and B goes with losing; the card need not be the reason."
    ]
    few = judge_strength(evolve(seen, seen={"dealt": 0.118, "option": 0.53}), str)
    assert few.endswith("where it is rare. By so few games an option that is too weak could not be found at all.")
    assert not [*word_goes_with([])] and judge_strength(evolve(seen, details=None), str) == ""


def test_decisions_and_the_course_are_counted(report: Report) -> None:
    all_of_them = Decision("All", 90, 9.0, 0.1, 0.6, 0.0, 0.2, 0.1, 0.6, 0.8, 0.1, 0.1)
    said = "In 30 of 100 decisions the answer was seen to change the chances of who chose."
    assert judge_choices(evolve(report, stakes=[all_of_them]), str) == said
    rows = [evolve(all_of_them, name="Buy?"), evolve(all_of_them, name="Sell?", interesting=0.0, decisive=0.0)]
    told = judge_choices(evolve(report, stakes=[evolve(all_of_them, for_others=0.04), *rows]), str)
    assert told == (
        "In 30 of 100 decisions the answer was seen to change the chances of who chose, and in 4 more only for others; "
        "most often at “Buy?”, 30 of 100."
    )
    rate, mean = Rate(0.3, 0.2, 0.4), Interval(0.0, 0.0, 0.0)
    course = Course(
        40, 200, 20, 1.0, 40, [], rate, rate, Rate(0.5, 0.4, 0.6), mean, mean, mean, mean, 0.0, rate
    )
    told = judge_course(evolve(report, course=course))
    assert told == "Of 100 games 20 to 40 are decided before half way, 40 to 60 only in the last tenth."
    shared = judge_course(evolve(report, course=evolve(course, won_alone=38)))
    assert shared.startswith("Of 100 games with a single winner 20 to 40 are decided")
    told = judge_course(evolve(report, course=evolve(course, crowned=Rate(0.2, 0.084, 0.4))))
    assert told.endswith(" In 8 of 40 games or more somebody who could not win any more decided who did.")
    assert "somebody" not in judge_course(evolve(report, course=evolve(course, crowned=Rate(0.01, 0.001, 0.1))))
    assert judge_course(evolve(report, course=evolve(course, won_alone=0))) == judge_choices(report, str) == ""
    few = evolve(report, course=evolve(course, won_alone=9))
    assert judge_course(few).startswith("Not known yet: 9 games with a single winner are too few")
    assert (is_course_known(few), find_answer(few, "Decided?").mark) == (False, OPEN)


def test_what_good_players_hardly_use_and_what_crowds_out_the_rest_are_said() -> None:
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stands_out=[])
    assert seen.details is not None and seen.details.sample is not None
    assert "Cop" in seen.details.in_the_box

    sample = evolve(seen.details.sample, coverage=Covered(7, 9, ["Mayor", "Lawyer", "Cop"]))

    def count(moves: int, steals: int, played: float) -> Report:
        """Of 9,000 offers so many were taken, and a card that came to people was played so often."""
        taken = {"move": moves, "steal": steals}
        options = [OptionRow(f"action:{id}", id.title(), 9000, chosen, 0.0) for id, chosen in taken.items()]
        card = CardRow("mayor", "Mayor", 10.0, played, 0.0, None, False, None, False)
        details = evolve(seen.details, games=100, options=options, cards=[card], answers=[], sample=sample)
        return evolve(seen, games=100, bots=["random", "random"], details=details)

    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)

    def answer(question: str, *reports: Report) -> str:
        levels = [Level(*pair, 100, 0.0, "", one) for pair, one in zip(PAIRS, reports, strict=True)]
        found = find_answer(join_reports(levels, [rung], str), question)
        return " ".join([found.verdict, *found.more, *found.lines])

    usual, good = count(2600, 2500, 3.0), count(3, 8800, 0.0)
    said = answer("Dead?", usual, good)
    assert "Greedy players hardly ever use Move (offered 9,000 times, chosen 3; random ones choose it 29 of 100" in said
    assert "rulebook simulate exposed --players 2 --bots random --seed 1 --games 300 --always action:move" in said
    assert "hardly ever" not in answer("Dead?", usual, usual)
    steal = "Greedy players choose Steal 98 of 100 times that it is offered, random ones 28."
    assert steal in answer("Strong?", usual, good)
    assert "choose Steal" not in answer("Strong?", good, good)
    # What is played at some level is not said never to have run, nor what was in no game.
    assert f"None of these ever did anything in {sample.games} games of random players: Lawyer." in said
    assert f"in {sample.games} games of random players: Mayor and Lawyer." in answer("Dead?", *2 * [count(0, 0, 0.0)])


PAIRS = (("random", "random"), ("greedy", "greedy"))


@pytest.mark.slow
def test_who_is_ahead_half_way_says_when_games_are_decided() -> None:
    """Of several levels of play that of the best players does, also where few games were followed."""
    seen = rulebook.open("wallet").simulate(2, 60).record
    assert seen.details is not None
    rate, mean = Rate(0.3, 0.2, 0.4), Interval(0.0, 0.0, 0.0)
    course = Course(9, 200, 10, 1.0, 9, [], rate, rate, rate, mean, mean, mean, mean, 0.0, rate, Rate(0.0, 0.0, 0.3))
    half, last = Standing(0.5, 300, 0.62, 0.55, 0.68), Standing(0.5, 300, 0.41, 0.35, 0.47)
    late = [Standing(part, 300, 0.7, 0.65, 0.75) for part in (0.75, 0.9)]
    ahead = [Standing(0.25, 9, 0.5, 0.2, 0.8), half, *late]
    good = evolve(seen, games=400, details=evolve(seen.details, ahead=ahead, behind_at_half_time=last))
    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)
    usual = evolve(good, course=course)
    levels = [Level(name, name, 400, 0.0, "", one) for name, one in (("random", usual), ("greedy", good))]
    joined = join_reports(levels, [rung], str)
    answer = find_answer(joined, "Decided?")
    assert answer.mark == FACT and answer.verdict == (
        "A player who leads half way through wins 62 of 100, where 50 is an even share; a leader three quarters "
        "through 70 and near the end 70. A player who is last half way still wins 41, so it is worth playing on."
    )
    hopeless = evolve(last, share=0.03, low=0.01, high=0.05)
    early = [evolve(one, share=0.85, low=0.8, high=0.9) for one in (half, *late)]
    for leaders, behind, words in (
        (early, last, ("Decided early: a player who leads half way through wins 85", "worth playing on.")),
        ([evolve(half, high=0.6), *early[1:]], last, ("Decided late: a player who", "41, so it is worth playing on.")),
        ([half, evolve(late[1], high=0.74)], hopeless, ("Open to the end: a player", "is little to play on for.")),
        ([half], evolve(last, share=0.1, low=0.08, high=0.12), ("A player who leads", "there is a little hope left.")),
        ([half], evolve(last, share=0.1, low=0.04, high=0.12), ("A player who leads", "still wins 10.")),
    ):
        found = evolve(good, details=evolve(seen.details, ahead=leaders, behind_at_half_time=behind))
        both = join_reports([evolve(level, result=found) for level in levels], [rung], str)
        told = find_answer(both, "Decided?").verdict
        assert told.startswith(words[0]) and told.endswith(words[-1])

    assert good.details is not None
    vague = evolve(good.details, ahead=[evolve(half, low=0.4, high=0.8), ahead[-1]])
    levels[1] = evolve(levels[1], result=evolve(good, details=vague))
    assert find_answer(join_reports(levels, [rung], str), "Decided?").mark == OPEN


def test_questions_are_sorted_by_what_guessing_costs() -> None:
    """Of what certainly costs something that is said; of all else what it may cost at worst."""
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stakes=None)
    ends = {"won": 0.12, "low": 0.08, "high": 0.19, "fair": 0.5, "grey": 0.04}
    again = "rulebook simulate exposed"
    costly = Guess(prompt="Pay?", asked=7.74, weight=0.4, games=300, unit="wins", command=again, **ends)
    also, idle = evolve(costly, prompt="Buy?", won=0.4, high=0.47), evolve(costly, prompt="Coat?", low=0.411, high=0.58)
    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)
    levels = [Level(name, name, 100, 0.0, "", seen) for name in ("random", "greedy")]

    def answer(*guesses: Guess) -> Answer:
        return find_answer(join_reports(levels, [rung], str, guesses=guesses), "Boring?")

    assert answer(costly, also, idle).verdict == (
        "Most hangs on “Pay?”: a player who answers only that at random wins 12 of 100, where 50 is an even share. "
        "Much hangs also on “Buy?” (40 of 100). It is not known whether more than 4 wins in 100 hang on “Coat?” "
        "(9 wins in 100 at worst)."
    )
    boring = evolve(idle, prompt="Hat?", low=0.47, high=0.51)
    said = "Perhaps boring, as answering at random costs 4 wins in 100 at most: “Hat?”."
    assert answer(boring).verdict == said
    assert f" {said} It is not known whether more than 4 wins in" in answer(costly, boring, idle).verdict
    assert answer(costly, also).verdict.endswith(" on “Buy?” (40 of 100). No question that was tried looks boring.")
    little = evolve(also, prompt="Hat?", won=0.47, high=0.49)
    said = " Little hangs on “Hat?” (47 of 100). No question that was tried looks boring."
    assert said in answer(costly, also, little).verdict
    first, chosen, *more = answer(costly, idle).lines
    assert first == (
        "Who answers one question at random, and all others as players who learned do, wins of 100 (fair is 50.0; 300 "
        "games of each): “Pay?” 12.0 (8.0 to 19.0; each is asked 7.7 times a game); “Coat?” 12.0 (41.1 to 58.0; each "
        "is asked 7.7 times a game)."
    )
    assert chosen == (
        "Tried were the questions on which players who learned expect most to hang, and one that everybody is asked "
        "and on which they expect little to; they expect 20 of 100 of what hangs on answers to hang on all others."
    )
    assert more[:2] == ["The first of them again:", "rulebook simulate exposed"]
    untried = " About 60 of 100 of what hangs on answers hangs on questions that were not tried."
    assert answer(costly).verdict.endswith(untried) and untried not in answer(costly, idle).verdict
    assert answer(idle).verdict == (
        "Answering at random may cost nothing among players who learned: at “Coat?” (9 wins in 100 at worst)."
    )
    vague = answer(evolve(idle, low=0.3))
    said = "Not known yet: too few games to say on which questions much hangs."
    assert (vague.mark, vague.verdict) == (OPEN, said) and answer(idle).mark == FACT
    # Who learned says when games are decided, so that random players are not asked.
    lines = [plant(0.0, 0.03, FINE, Order(1))]
    assert seen.details is not None
    led = evolve(seen.details, ahead=[Standing(0.9, 70, 0.9, 0.8, 0.95)], behind_at_half_time=Standing(0.5, 0, 0, 0, 0))
    watched = evolve(seen, course=None, details=led, players=3, are_alike=True, lines=lines, games=100)
    levels = [Level(name, name, 100, 0.0, "", watched) for name in ("random", "greedy")]
    undecided = join_reports(levels, [rung], str, guesses=[costly])
    assert find_answer(undecided, "Decided?").lines[1:] == [
        "A player who leads alone, and would win if it ended there, wins of 100 among greedy players: after 90 of 100 "
        "decisions 90.0 (80.0 to 95.0; 70 games).",
        "How chances go up and down among random players, and one game move by move: --course.",
    ]


def test_places_in_turn_order_are_told_where_one_stands_out(report: Report) -> None:
    rows = [plant(0.1, 0.03, LOOK, Order(1)), *(plant(-0.05, 0.03, FINE, Order(place)) for place in (2, 3))]
    rows = [evolve(row, won=1 / 3 + row.value, fair=1 / 3) for row in rows]
    three = evolve(report, players=3, games=400, are_alike=True, lines=rows)
    assert find_answer(three, "Fair?").more == [
        "In turn order players win 43.3, 28.3 and 28.3 of 100.",
        "No seat by itself is shown to be off.",
    ]
    quiet = evolve(three, lines=[evolve(row, mark=FINE) for row in rows])
    assert not find_answer(quiet, "Fair?").more


def test_how_often_a_rule_names_who_wins_is_said_where_standings_decide_other_games(report: Report) -> None:
    levels = [Level(name, name, 100, 0.0, "", evolve(report, endings={"ranked": 400})) for name in ("random", "greedy")]
    measures = [Measured("enough wallets", 400, 0.2, 0, 1), Measured("exposed players", 400, 1.25, 0, 3)]
    levels[1] = evolve(levels[1], result=evolve(report, endings={"ranked": 380, "won": 20}, measures=measures))
    said = (
        "Of 100 games 0.0 (0.0 to 2.6) among random players, 5.0 (2.5 to 9.9) among greedy ones end by a rule that "
        "says who wins; in all others who is ahead at the end wins."
    )
    assert said in find_answer(join_reports(levels, [], str), "Long?").lines
    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)
    told = find_answer(join_reports(levels, [rung], str), "Long?").more
    assert told[0] == "Of 100 games 5.0 end by a rule that says who wins; in all others who is ahead at the end wins."
    assert told[1] == (
        "When games are over, on the mean: “enough wallets” in 20 of 100 and “exposed players” 1.2."
    )
    assert not any("says who wins" in line for line in find_answer(join_reports(levels[:1], [], str), "Long?").lines)


def test_stages_that_begin_more_than_once_say_how_long_a_game_is() -> None:
    seen = rulebook.open("exposed").simulate(2, 4).record
    assert seen.details is not None
    rows = [("play", 1, 1), ("turn", 56.5, 61), ("extra_round", 14, 14)]
    stages = [StageRow(name, Spread(1, median, median, most)) for name, median, most in rows]
    found = evolve(seen, details=evolve(seen.details, stages=stages))
    levels = [Level(name, name, 100, 0.0, "", found) for name in ("random", "greedy")]
    said = find_answer(join_reports(levels, [], str), "Long?").verdict
    assert " A game has about 14 extra rounds and 56 turns. Each" in said
    assert [row.name for row in seen.details.stages if row.times.median > 1] == ["turn"]


def test_no_more_time_is_proposed_than_it_takes(report: Report) -> None:
    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)
    for reach, time in ((0.05, "--lens 180"), (0.09, "--lens 480"), (0.2, "--lens 600")):
        line = plant(0.0, reach, OPEN, Seat(0))
        again = "rulebook simulate x --lens 60"
        found = evolve(report, lines=[line], games=400, are_alike=True, players=3, command=again)
        levels = [Level(name, name, 400, 0.0, "", found) for name in ("random", "greedy")]
        fair = find_answer(join_reports(levels, [rung], str), "Fair?")
        assert [one for one in fair.lines if one.startswith("rulebook")] == [f"rulebook simulate x {time}"]


def test_habits_are_tried_and_said() -> None:
    """What is hardly ever used is tried always, what crowds out the rest, or goes with winning, never."""
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stands_out=[], lines=[])
    assert seen.details is not None
    rows = [("action:move", "Move", 1, 260), ("action:steal", "Steal", 990, 260), ("card:cop", "Cop", 500, 500)]
    good, usual = (
        [OptionRow(key, name, 1000, chosen[at], 0.0) for key, name, *chosen in rows] for at in range(2)
    )
    suspects = [Finding(Had(way, "cop"), "Cop", "wins", 0.5, "Strong?", "") for way in ("held", "played")]
    learned = evolve(seen, details=evolve(seen.details, options=good, suspects=suspects, games=60))
    weak = evolve(seen, details=evolve(seen.details, options=usual, suspects=[]))
    habits = choose_habits(learned, weak)
    assert [habit.way for habit in habits] == ["always", "never", "never"]
    assert [habit.option for habit in habits] == ["action:move", "action:steal", "card:cop"]
    assert choose_habits(learned, evolve(weak, details=None)) == habits[2:]
    assert choose_habits(evolve(learned, details=None), weak) == []

    ends = {"won": 0.12, "low": 0.08, "high": 0.19, "fair": 0.5, "grey": 0.04}
    worst, lost, idle = (Binding(habit=habit, games=300, unit="wins", command="again", **ends) for habit in habits)
    pays = evolve(lost, habit=habits[2], won=0.7, low=0.6, high=0.8)
    idle = evolve(idle, won=0.49, low=0.45, high=0.53)
    rung = make_rung("learned among random", "learned", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)
    levels = [Level(name, name, 60, 0.0, "", one) for name, one in (("random", weak), ("learned", learned))]

    def answer(question: str, *bindings: Binding) -> Answer:
        return find_answer(join_reports(levels, [rung], str, bindings=bindings), question)

    dead = answer("Dead?", worst, lost, idle)
    assert dead.verdict == "Players who learned hardly ever use Move."
    assert dead.more == [
        "20 cards never came out of the box with 2 players, which is as it should be if they are for other numbers of "
        "players.",
        "A player who always chooses Move wins 12 of 100, where 50 is an even share.",
    ]
    assert dead.lines[-2:] == [
        "One player who always chooses Move where it is offered, and else plays as learned, wins 12.0 of 100 (8.0 to "
        "19.0; fair is 50.0; 300 games):",
        "again",
    ]
    assert not any("--always" in line for line in dead.lines), "it was tried"
    assert any("--always" in line for line in answer("Dead?").lines)
    assert answer("Strong?", worst, lost, pays).more == [
        "A player who never chooses Steal wins 12 of 100 and one who never chooses Cop wins 70 of 100, where 50 is an "
        "even share."
    ]
    said = "Never choosing Cop made no clear difference: 45 to 53 of 100, where 50 is an even share."
    assert answer("Strong?", worst, idle).more == [said]

    # It may be chance that nobody took to what costs nothing; what nobody can leave out stands out.
    assert learned.details is not None
    alike = evolve(learned, details=evolve(learned.details, suspects=[]))
    many = [Level(name, name, 400, 0.0, "", one) for name, one in (("random", weak), ("learned", alike))]
    quiet = evolve(worst, won=0.49, low=0.45, high=0.53)
    marks = {find_answer(join_reports(many, [rung], str, bindings=[row]), "Dead?").mark: row for row in (worst, quiet)}
    assert marks == {LOOK: worst, FACT: quiet}
    crowded = find_answer(join_reports(many, [rung], str, bindings=[lost]), "Strong?")
    assert crowded.mark == LOOK and crowded.more[0].startswith("A player who never chooses Steal wins 12 of 100")
    assert crowded.more[1] == "If that is what the game is about, nothing is wrong with it."
    assert crowded.verdict == "Players who learned choose Steal 99 of 100 times that it is offered, random ones 26."
    cheap = evolve(lost, won=0.47, high=0.49)
    assert find_answer(join_reports(many, [rung], str, bindings=[cheap]), "Strong?").mark != LOOK


def test_two_who_help_one_another_are_told_of_where_it_pays() -> None:
    seen = evolve(rulebook.open("exposed").simulate(3, 60).record, stands_out=[], lines=[])
    assert [habit.way for habit in choose_habits(seen, seen)] == [HELPS]
    assert choose_habits(evolve(seen, has_teams=True), seen) == choose_habits(evolve(seen, players=2), seen) == []
    ends = {"won": 0.4, "low": 0.36, "high": 0.45, "fair": 1 / 3, "grey": 0.04}
    pays = Binding(habit=HELPING, games=300, unit="wins", command="again", **ends)
    levels = [Level("random", "random", 60, 0.0, "", seen)]
    rows = {
        "pays": pays,
        "is not shown to pay": evolve(pays, won=0.34, low=0.3, high=0.37),
        "does not pay": evolve(pays, won=0.3, low=0.28, high=0.32),
    }
    for does, row in rows.items():
        fair = find_answer(join_reports(levels, [], str, bindings=[row]), "Fair?")
        assert fair.lines[-2].startswith(f"To help one another {does}: each of two") and fair.lines[-1] == "again"
        said = "Two players who play for one another, without a word, win 40 of 100 each, where 33 is an even share: "
        assert list(fair.more[1:]) == ([f"{said}the others pay for it."] if row is pays else [])


def test_who_wins_of_whom_something_is_true_is_said() -> None:
    """Only where it is asked of so many that it says something."""
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stands_out=[], lines=[])
    assert seen.details is not None
    truth = Truth("stays_free", 300, Rate(0.4, 0.35, 0.45), 100, Rate(0.1, 0.05, 0.2))

    def say(*truths: Truth) -> str:
        assert seen.details is not None
        report = evolve(seen, details=evolve(seen.details, truths=truths, suspects=[], answers=[]))
        strong = find_answer(report, "Strong?")
        spoken = [line for line in strong.lines if "stays free" in line]
        assert len([line for line in strong.more if "stays free" in line]) == len(spoken)
        return next((line for line in strong.lines if "stays free" in line), "")

    said = "“stays free” holds for 75.0 of 100 players with a card at the end that can say it"
    sizes = "of these 40.0 of 100 (35.0 to 45.0) win, and of the others"
    assert say(truth) == f"{said}; {sizes} 10.0 of 100 (5.0 to 20.0)."
    alike = evolve(truth, others_win=Rate(0.3, 0.25, 0.36))
    assert say(alike) == f"{said}; {sizes} 30.0 of 100 (25.0 to 36.0), so that it is not shown to change who wins."
    assert say(evolve(truth, others=99)) == say() == ""


def test_cards_that_clear_people_far_more_often_than_others_stand_out() -> None:
    """Where those win more of whom that is said; else it need not be a fault."""
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stands_out=[], lines=[])
    assert seen.details is not None
    free = CardAnswer("spy", "Spy", "stays_free", 300, 0.8, 0.7, 0.9, [], Rate(0.4, 0.3, 0.5))
    seldom = [Condition("no badge", 290), Condition("one ID", 30), Condition("a jewel", 12), Condition("rich", 100)]
    caught = evolve(free, id="baron", name="Baron", share=0.02, low=0.0, high=0.05, conditions=seldom)
    truth = Truth("stays_free", 300, Rate(0.4, 0.35, 0.45), 300, Rate(0.1, 0.05, 0.2))
    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)

    def answer(truth: Truth, *answers: CardAnswer) -> Answer:
        assert seen.details is not None
        details = evolve(seen.details, truths=[truth], suspects=[], answers=answers)
        good = evolve(seen, details=details, seen={"dealt": 0.1})
        levels = [Level(name, name, 400, 0.0, "", good) for name in ("random", "greedy")]
        return find_answer(join_reports(levels, [rung], str), "Strong?")

    shown = answer(truth, free, caught)
    assert shown.mark == LOOK and shown.verdict == (
        "Spy says “stays free” of 80 of 100 players who have it at the end, Baron of only 2.0."
    )
    said = "Baron mostly says no, since these are seldom met: “a jewel” 4.0 of 100 times and “one ID” 10 of 100 times."
    assert len(shown.more) == 5 and shown.more[1] == said
    assert shown.more[0] == "Who has Spy at the end wins 40 of 100, who has Baron 40 of 100."
    alone = "A player who has several such cards may have another one that says “stays free”."
    assert shown.more[2] == alone
    assert shown.more[3].startswith("“stays free” holds for 50 of 100 players with a card at the end that can say it;")
    assert shown.more[4].startswith("No dealt card is shown to make anybody win or lose by itself. A dealt card")
    ranges = "Spy says “stays free” of 80.0 of 100 players who have it at the end (70.0 to 90.0), Baron of only 2.0 ("
    assert any(line.startswith(ranges) for line in shown.lines)
    without = [f"rulebook compare exposed --without {id}" for id in ("spy", "baron")]
    rows = [evolve(row, command=command) for row, command in zip((free, caught), without, strict=True)]
    at = [*answer(truth, *rows).lines]
    assert [line for line in at if line.startswith("The game without one of them")] != []
    assert at[at.index(without[0]) + 1] == without[1]
    alike = answer(evolve(truth, others_win=Rate(0.38, 0.33, 0.44)), free, caught)
    assert alike.mark != LOOK and alike.verdict.startswith("No dealt card is shown to be too strong or too weak.")
    assert answer(truth, evolve(free, share=0.4), caught).mark != LOOK


def find_answer(report: Report, question: str) -> Answer:
    return next(answer for answer in answer_questions(report, str) if answer.question == question)


@pytest.mark.parametrize(("worthy", "mark"), [(True, LOOK), (False, FACT)])
def test_what_good_players_never_use_is_found(worthy: bool, mark: str) -> None:
    """It is found though weak players use it; what only players use less who are not shown to play well is not."""
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stands_out=[])
    assert seen.details is not None
    never = OptionRow("action:move", "Move", 900, 0, 0.0)
    details = evolve(seen.details, options=[never])
    usual = evolve(seen, details=evolve(details, options=[evolve(never, offered=1000, chosen=260)]))
    says = "offered 900 times, and never chosen."
    finding = Finding(Option("action:move"), "Move", "never_chosen", 1.0, "Dead?", says, command="always")
    good = evolve(seen, details=details, stands_out=[finding])
    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=worthy)
    levels = [Level(name, name, 60, 0.0, "", one) for name, one in (("random", usual), ("greedy", good))]
    answer = find_answer(join_reports(levels, [rung], str), "Dead?")
    said = "Greedy players never use Move (offered 900 times; random ones choose it 26 of 100 times)"
    assert answer.mark == mark and any(line.startswith(said) for line in answer.lines) is worthy
    test = ["Whether it is too weak, or not found out, shows where one player always does it:", "always"]
    assert (answer.lines[1:3] == test) is worthy


def test_what_was_quiet_is_counted_in_a_sentence(report: Report) -> None:
    lines = [plant(0.0, 0.03, FINE), plant(0.0, 0.03, OPEN, Seat(2)), plant(0.0, 0.03, FINE, Order(1))]
    quiet = evolve(report, lines=lines)
    said = "Also checked, and nothing else was found:"
    assert word_quiet_lines(quiet) == f"{said} 2 seats and 1 place in turn order."
    loud = evolve(report, lines=[*lines, plant(0.2, 0.03, LOOK, Had("dealt", "a"))])
    assert word_quiet_lines(loud) == word_quiet_lines(quiet), "what is shown is not quiet"
    assert word_quiet_lines(report) == ""
    # What an option is shown to be worth is no quiet option.
    buy, sell = (plant(0.0, 0.03, FINE, Option(f"action:{name}")) for name in ("buy", "sell"))
    finding = Finding(Restricted("never", "action:buy"), "Buy", "worth", 0.9, "Strong?", "is worth 9.0 games of 100.")
    worth = evolve(report, lines=[buy, sell], stands_out=[finding])
    assert word_quiet_lines(worth) == f"{said} 1 option."


def test_ranges_are_left_to_what_verdicts_rest_on() -> None:
    told = "Buy is worth 5.6 games of 100 (0.6 to 10.7; random). (So) 3.0 (2.0 to 4.0) of 100 games are ties."
    assert strip_ranges(told) == "Buy is worth 5.6 games of 100. (So) 3.0 of 100 games are ties."


def test_of_one_game_between_two_bots_there_is_an_answer() -> None:
    found = rulebook.open("kuhn_poker").simulate(2, 1, bots=["first", "random"], details=False).record
    answers = list(answer_questions(found, str))
    assert answers and all(answer.lines and answer.verdict for answer in answers)


def test_few_games_of_search_have_no_say_beside_many_of_those_who_learned() -> None:
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stands_out=[], lines=[])
    how = "greedy", 9, 0.9, 0.8, 1.0, 0.5, 0.04
    ladder = [make_rung(f"{bot} among greedy", bot, "", *how, beats=True) for bot in ("learned", "search")]

    def list_worthy(search: int) -> list[str]:
        games = {"random": 4000, "greedy": 400, "learned": 2500, "search": search}
        levels = [Level(name, name, many, 0.0, "", evolve(seen, games=many)) for name, many in games.items()]
        play = join_reports(levels, ladder, str).play
        assert play is not None
        return [*play.worthy]

    assert list_worthy(150) == ["learned"]
    assert list_worthy(700) == ["learned", "search"]


def test_what_only_weaker_players_show_is_no_verdict() -> None:
    """It stands among what the verdict rests on."""
    seen = evolve(rulebook.open("exposed").simulate(2, 60).record, stands_out=[])
    seat = next(line for line in seen.lines if isinstance(line.about, Seat))
    fine = evolve(seat, value=0.0, sure_low=-0.01, sure_high=0.01, mark=FINE)
    lines = {"random": evolve(seat, value=0.2, sure_low=0.15, sure_high=0.25, mark=LOOK), "greedy": fine}
    rung = make_rung("greedy among random", "greedy", "", "random", 9, 0.9, 0.8, 1.0, 0.5, 0.04, beats=True)
    levels = [Level(name, name, 400, 0.0, "", evolve(seen, lines=[line])) for name, line in lines.items()]
    shown = join_reports([evolve(level, result=evolve(seen, lines=[lines["random"]])) for level in levels], [rung], str)
    told = find_answer(shown, "Fair?")
    assert told.mark == LOOK and list(told.lines[-3:]) == [
        "To try a rule that makes up for it, such as a better start for who comes later, write a variant and compare:",
        "rulebook new variant exposed fairer",
        "rulebook compare exposed --variant fairer --players 2 --lens",
    ]
    fair = find_answer(join_reports(levels, [rung], str), "Fair?")
    assert fair.mark == FINE and fair.verdict.startswith("Fair: no seat")
    assert any(line.startswith("Only among random players seat 1 wins too often") for line in fair.lines)
