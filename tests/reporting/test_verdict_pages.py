"""Pages of reports: the answer first, figures only where there is something to draw, nothing from elsewhere.

Words changed on purpose are written anew with `UPDATE_PAGES=1`; then read what became of them.
"""

import ast
import json
import os
import re
from collections.abc import Iterator
from html import unescape
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from attrs import evolve
from click.testing import CliRunner
from learning_little import learn_little
from paths import DATA, ROOT
from simulating import make_line, make_rung

from rulebook import library, reporting
from rulebook.cli import main
from rulebook.commands import series
from rulebook.commands.series import tell_account
from rulebook.comparing.in_english import ChangedRule, list_changed_rules, sum_up_change
from rulebook.loading import load
from rulebook.playtest.series.plan import plan_of
from rulebook.playtest.series.playing import play
from rulebook.playtest.series.table import Table
from rulebook.playtest.series.tally import Tally
from rulebook.playtest.series.worth import Worth
from rulebook.reporting import figures, page
from rulebook.reporting.answering import answer_questions
from rulebook.reporting.course import follow_series
from rulebook.reporting.course_words import list_known_stakes
from rulebook.reporting.described import list_rules_changed
from rulebook.reporting.joining import join_reports
from rulebook.reporting.line_words import word_needed
from rulebook.reporting.records import Decision, Level, Report, Role
from rulebook.reporting.report import report_of
from rulebook.statistics.verdicts import LOOK, OPEN

ODDS = DATA / "series" / "odds"
PAGES = DATA / "pages"
SIMULATE = ("simulate", str(ODDS), "--seed", "1", "--games", "60")

LINE = make_line("look", 0.1, low=0.05, high=0.15, sure_low=0.01, sure_high=0.2)
WORTH = Worth(
    about="",
    name="Buy",
    way="never",
    level="random",
    deals=60,
    offered_deals=40,
    offered=50,
    chosen=20,
    value=0.1,
    low=0.05,
    high=0.15,
    sure_low=0.01,
    sure_high=0.2,
    grey=0.04,
    mark="look",
    seen=0.1,
    more=0,
    beyond=0.1,
    free=0.5,
    restricted=0.4,
    choice="",
    instead=(),
    command="",
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """A page, and the report that it shows."""
    file = tmp_path_factory.mktemp("page") / "odds.html"
    run = CliRunner().invoke(main, [*SIMULATE, "--report", str(file)])
    assert run.exit_code == 0, run.output
    [report] = json.loads(file.with_suffix(".json").read_text("utf-8"))
    return file.read_text("utf-8"), report


@pytest.fixture(scope="module")
def report() -> Report:
    """The same report, before it is written."""
    game = load(ODDS).rulebook
    assert game is not None
    plan = plan_of(game, 2, 1, {name: option.default for name, option in game.options.items()}, watched=True)
    result = play(plan, 60)
    tally, table = Tally.of(plan, result.told()), Table(evolve(plan, watched=False))
    followed = follow_series(tally, table, 1, tell_account)
    return report_of(tally, result.table.program, followed=followed)


def list_titles(html: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", html)


def list_topics(html: str) -> list[str]:
    return re.findall(r'<p class="eyebrow">Figure \d+: (.*?)</p><h2>\w', html)


def check_form(html: str) -> None:
    """Check that nothing comes from elsewhere, links lead somewhere, and drawings are well formed."""
    assert not re.search(r"<script|http|src=|@import|url\(|<link", html)
    ids = re.findall(r' id="(.*?)"', html)
    assert len(set(ids)) == len(ids) and set(re.findall(r'href="#(.*?)"', html)) <= set(ids)
    for drawn in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        ElementTree.fromstring(drawn)
        assert "<text" not in drawn, "it would shrink on a phone"


def test_a_page_says_the_answer_first(written: tuple[str, dict[str, Any]]) -> None:
    html, _ = written
    check_form(html)
    assert html.index("<h1>") < html.index('<ol class="answers">') < html.index("How to read the figures")
    assert html.index("<b>Next</b>") < html.index('<ol class="answers">'), "it stands on the first screen"
    asked = re.findall(r'<p class="question">(.*?)</p>', html)
    assert asked == [*page._QUESTIONS.values()][:8]
    cannot, first, seats, *_, numbers = list_titles(html)
    assert re.fullmatch(r"Seats win [\d.]+ to [\d.]+ of 100", seats)
    assert (first, cannot, numbers) == ("How to read the figures", "What this page cannot say", "All numbers")
    assert html.count(" The data of this page is in the file beside it.</p>") == 1
    # A command stands where it is spoken of, or at the end.
    assert html.count("To know it more closely:</p><code") == html.count("Next</b>: to know it more closely:</p>") == 1
    for spoken in ("One game, move by move:</p><code",):
        assert html.count(spoken) == 1
    # One of them is what to do next.
    assert html.count('class="command"', 0, html.index("Commands, seeds and versions")) == 4


def test_a_figure_stands_where_there_is_something_to_draw(written: tuple[str, dict[str, Any]], report: Report) -> None:
    html, plain = written
    course, order = plain["course"], ["Where decisions matter", "The course of a game"]
    assert [one for one in list_topics(html) if one in order] == order
    assert html.count("<polyline") == report.players and course["shown"]["replay"] in unescape(html)
    assert len(re.findall(r'<circle class="(?:dark|striking)"', html.split("One dot a game")[1])) == len(course["when"])
    more = evolve(report, worth=[evolve(WORTH, about=f"option:{n}") for n in range(20)])
    full = page.write_pages([more], str, "0")
    check_form(full)
    order = ["What options and dealt cards are worth", *order]
    assert [one for one in list_topics(full) if one in order] == order
    assert full.count('<span class="name">Buy</span>') == 12
    bare = evolve(report, course=None, stakes=None)
    assert not {*list_topics(page.write_pages([bare], str, "0"))} & {*order[1:]}


def test_a_number_has_one_range(written: tuple[str, dict[str, Any]]) -> None:
    html, report = written
    lines = {one["about"]: one for one in report["lines"]}
    for seat in report["seats"]:
        line = lines[f"seat:{seat['seat']}"]
        assert [seat[end] for end in ("low", "high")] == pytest.approx(
            [line["fair"] + line[f"sure_{end}"] for end in ("low", "high")]
        )
    assert html.count("at most one page of twenty") == 1 and "95 %" not in html


def test_several_series_stand_on_one_page(report: Report) -> None:
    html = page.write_pages([report, report], str, "0")
    check_form(html)
    assert html.count("<article>") == 2


def test_a_level_of_play_has_a_panel(report: Report) -> None:
    many = [evolve(one, sure_low=0.01, sure_high=0.2) for one in report.lines]
    few = [evolve(one, sure_low=-0.6, sure_high=0.6) for one in report.lines]
    reports = [evolve(report, games=9, lines=lines) for lines in (many, few)]
    levels = [Level(name, name, 9, 0.0, "", one) for name, one in zip(("random", "search"), reports, strict=True)]
    won = 0.5, 0.3, 0.7, 0.5, 0.04
    rung = make_rung("greedy among random", "greedy", "greedy", "random", 9, *won, beats=False)
    several = join_reports(levels, [rung], str)
    drawn = "".join(page._draw_fair(several, str))
    assert list_topics(page.write_pages([several], str, "0"))[-1] == "How good the players are"
    [random] = drawn.split("<h3>")[1:]
    assert random.startswith("Random, 9 games") and "<svg" in random
    assert "Too few to draw: 9 games of players who search." in random


def test_what_one_of_two_players_begins_with_and_loses_by_is_said(report: Report) -> None:
    """What one seat loses the other wins, and that is said once; those who begin with other things win little each."""
    role = make_line(LOOK, -0.2, Role("coat", "red"), name="coat: red", fair=0.5)
    several = join_reports([Level("random", "random", 9, 0.0, "", evolve(report, lines=[role]))], [], str)
    fair = next(answer_questions(several, str))
    said = "a player who begins with coat: red wins too seldom"
    assert fair.mark == OPEN and any(said in line for line in fair.lines)


def test_a_comparison_is_a_page_too(tmp_path: Path) -> None:
    file = tmp_path / "change.html"
    words = ["compare", str(ODDS), "--set", "low=5", "--games", "50", "--report", str(file)]
    assert CliRunner().invoke(main, words).exit_code == 0
    html, found = file.read_text("utf-8"), json.loads(file.with_suffix(".json").read_text("utf-8"))
    check_form(html)
    assert found["changed"]["command"] in html.replace("&#x27;", "'")
    # Whoever reads it learns what was changed, and that a change is no fault.
    assert "With how many numbers of ten the favourite wins. As it is: 6. Changed: 5." in html
    assert 'class="mark look"' not in html and 'class="striking"' not in html
    share = found["changed_winners"]["share"]
    assert list_titles(html)[2] == f"{100 * share:.1f} of 100 deals had other winners"
    titles = ["How much hangs on it", "What each seat wins more, or less", "What else is different"]
    assert [one for one in list_topics(html) if one in titles] == titles
    [dots] = re.findall(r'<div class="hundred".*?</div>', html)
    assert dots.count("<i") == 100 and dots.count('class="on"') == round(100 * share)


def read_page(html: str) -> str:
    """Return the words of a page, a line for each block, without the tables and commands at its end."""
    told, end, more = html.partition("<main>")[2].partition("What this page cannot say")
    body = re.sub(r"<svg.*?</svg>", "", told + end + more.partition("<details>")[0], flags=re.DOTALL)
    body = re.sub(r"</?(?:p|h\d|li|tr|div|summary|figcaption|section|code|article|dl|figure)\b[^>]*>|<br>", "\n", body)
    text = unescape(re.sub(r"<[^>]*>", " ", body)).replace(str(ODDS), "odds")
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines()))) + "\n"


ENDLESS = """format: 1
name: Endless
players: 2..2
rules:
  game: |
    loop:
      each p in players:
        p chooses said from 1..3
"""
ALONE = """format: 1
name: Alone
players: 1..1
kinds: {stone: {has: {worth: 1..3}}}
places:
  table: {sack: {holds: stone, kept: bag, seen_by: nobody}}
  player: {hand: {holds: stone, kept: loose, seen_by: everyone}}
cards: {pebble: {kind: stone, each: {worth: 1..3}, copies: 2}}
rules:
  game: |
    move box to sack
    repeat 2:
      each p in players:
        draw 2 from sack to p.hand
        p chooses thrown from p.hand
        move thrown to sack
    each p in players where sum(worth of p.hand) > 4:
      win p
    win nobody
"""
TOLD = {
    "simulate": ("simulate", str(ODDS), "--lens", "600", "--games", "60"),
    "compare": ("compare", str(ODDS), "--set", "low=9", "--lens", "600", "--games", "60"),
    "one_level": ("simulate", str(ODDS), "--details", "--games", "60"),
    "endless": ("simulate", "endless", "--games", "1"),
    "mixed": ("simulate", str(ODDS), "--bots", "random,greedy", "--details", "--games", "200"),
    "few": ("simulate", str(ODDS), "--lens", "100", "--details", "--games", "2"),
    "alone": ("simulate", "alone", "--lens", "600", "--details", "--games", "20"),
}
"""By their golden files, commands that write a page: of several levels of play, of one, of no game that ends, of bots
that differ, of hardly a game, of one player."""


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_pages_say_what_they_said(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "solve_game", lambda *_: None)  # it stands for a larger game
    learn_little(monkeypatch, 200)
    monkeypatch.chdir(tmp_path)
    for folder, rules in (("endless", ENDLESS), ("alone", ALONE)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rulebook.yaml").write_text(rules, "utf-8")
    run = CliRunner().invoke(main, [*TOLD[name], "--seed", "1", "--jobs", "1", "--report", "page.html"])
    assert run.exit_code == 0, run.output
    text, golden = read_page((tmp_path / "page.html").read_text("utf-8")), PAGES / f"{name}.txt"
    if os.environ.get("UPDATE_PAGES"):
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


# ── what is said, and by no test ─────────────────────────────────────────────────────────────────────────────────────

UNHEARD = {
    "in the table that they print, “it adds” is what the card itself does",
    ") of who wins; how it is played, the rest.",
    ", a tie counted as a half",
    ", better, and not surely by enough to notice",
    ", where nobody wins",
    ", where several win; somebody won every game",
    "; several win",
    "Chosen least often, of 100 times that it was one of the answers",
    "Nobody but random players was asked.",
    "Nobody was shown to play well here.",
    "Not seen: nobody won a game alone.",
    "Too few games to say anything.",
    "Whether a card is the cause shows on the same deals without it",
    "than who chose something else there.",
    "; the same seats",
}
"""Sentences that no other test has, and no page of these games: there need not be more of them."""


def list_sentences(file: Path) -> Iterator[list[str]]:
    """List the texts of three words and more in a module, each as the pieces between what is filled in."""
    tree = ast.parse(file.read_text("utf-8"))
    inner = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    inner |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner |= {node.msg for node in ast.walk(tree) if isinstance(node, ast.Assert) and node.msg is not None}
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node] if node not in inner else []
        texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if found := [text.strip() for text in texts if text.strip().count(" ") > 1 and "\\" not in text]:
            yield found


def test_a_sentence_of_an_answer_stands_in_a_test() -> None:
    """In a golden page, or where else it is asked for: a sentence that none has is not known to be said."""
    asked = [*PAGES.glob("*.txt"), *(DATA / "output").glob("*.txt"), *(ROOT / "tests").rglob("*.py")]
    texts = [re.sub(r'"?\s*\n\s*f?"?', " ", file.read_text("utf-8")) for file in asked if file != Path(__file__)]
    heard = " ".join(" ".join(texts).split())
    sentences = list_sentences(ROOT / "rulebook" / "reporting" / "answering.py")
    unheard = {max(pieces, key=len) for pieces in sentences if not any(piece in heard for piece in pieces)}
    assert unheard == UNHEARD


def test_commands_are_as_they_are_typed_here(tmp_path: Path) -> None:
    file = tmp_path / "odds.html"
    run = CliRunner(env={"RULEBOOK_COMMAND": "python3 run.py"}).invoke(main, [*SIMULATE, "--report", str(file)])
    assert run.exit_code == 0
    found = re.findall(r'<code class="command">(.*?)</code>', file.read_text("utf-8"))
    assert found and all(one.startswith("python3 run.py ") and "&amp;&amp; rulebook" not in one for one in found)


def test_a_hundred_dots_are_a_hundred() -> None:
    for counts in ([1], [1, 1, 1], [7, 0, 3, 90, 1], [1] * 24):
        histogram = [(10 * n, 10 * n + 9, count) for n, count in enumerate(counts)]
        assert figures.draw_lengths(histogram, [0, 9], 5).count("<circle") == 100
    assert figures.draw_lengths([], [0, 0], 0) == ""


def test_a_bar_that_says_nothing_is_not_drawn() -> None:
    sure, unsure = figures.Bar("a", LINE, "1"), figures.Bar("b", evolve(LINE, sure_low=-0.2, sure_high=0.3), "2")
    scale = figures.scale_bars([sure, unsure], -0.25, 0.75, 0.25)
    drawn = figures.draw_bars([sure, unsure], scale, "{:g}".format)
    assert drawn.count("<svg") == 1 and "too few games" in drawn
    # Ticks are round where they are read, not where they are measured from.
    assert [value for _, value in scale.ticks] == pytest.approx([0.1, 0.2, 0.3, 0.4])


def test_of_a_family_all_bars_are_drawn_or_none(report: Report) -> None:
    """A range is widest in the middle, so left out one by one the seats that win most would be missing."""
    narrow, wide = (evolve(report.lines[0], sure_low=-end, sure_high=end) for end in (0.02, 0.3))
    shown = "".join(page._draw_fair(evolve(report, lines=[narrow, wide]), str))
    assert shown.count("<svg") == 2 and "too few games" not in shown
    hidden = "".join(page._draw_fair(evolve(report, lines=[wide, wide]), str))
    assert hidden.count("<svg") == 0 and "Too few to draw: 60 games." in hidden


def test_four_times_the_games_halve_a_range() -> None:
    wide = evolve(LINE, sure_low=-0.08, sure_high=0.08)
    assert word_needed([wide, wide], 500, "4.0") == " With about 1,500 more games this would be known to ±4.0."
    aside = evolve(wide, sure_low=0.005, sure_high=0.065, more=700)
    told = " About 700 more games would show whether a difference as large as this is more than chance."
    assert word_needed([aside], 2000, "4.0") == told
    assert word_needed([wide], 49, "4.0") == "", "so few games do not even say how many it takes"


def test_what_most_and_least_hang_on_is_drawn() -> None:
    kinds = [("A", 9, 1.0), *((f"Kind {number}", 10 + number, number / 20) for number in range(16)), ("Z", 40, 0.9)]
    rows = [
        Decision(name, seen, 1.0, 0.0, 1 - share, 0.0, share, 0.0, 0.0, 1.0, 0.1, 0.1) for name, seen, share in kinds
    ]
    total = evolve(rows[-1], name="All", decisions=sum(row.decisions for row in rows))
    known = list_known_stakes([total, *rows])
    assert (known[0].name, known[-1].name) == ("Z", "Kind 0"), "of A too few were looked at"
    drawn = figures.draw_stakes([total, *rows])
    names = re.findall(r'class="name">(.*?)<', drawn)
    assert (names[0], names[1], names[-1], len(names)) == ("All", "Z", "Kind 0", 13)
    seen = [int(number) for number in re.findall(r"<small>(\d+) looked at", drawn)]
    assert f"{seen[0] - sum(seen[1:])} decisions of other kinds are left out" in drawn


@pytest.mark.slow
def test_a_change_is_told_rule_by_rule() -> None:
    wallet = library.find_game("wallet")
    before, after = (load(wallet, files).game for files in ((), (wallet / "variants" / "hard_cash.yaml",)))
    assert before is not None and after is not None
    assert [*sum_up_change(before, after, {"rounds": 3}, {"rounds": 2})] == [
        "With Hard cash: No tokens. The innocent save what they carry, the guilty lose 100 CU of their savings, and "
        "the most savings win.",
        "Rounds in a game. As it is: 3. Changed: 2.",
    ]
    wins, set_up, fines, pay_out, gone = list_rules_changed([*list_changed_rules(before, after)])
    assert wins == [
        "Who wins.",
        "Was: Whoever has the most points, then the most tokens, then the highest tie break wins.",
        "Now: Whoever has the most savings, then the highest tie break wins.",
    ]
    assert set_up == [
        "Set up game.",
        "No longer: Put all tokens into the pocket. Each player puts the first token in the pocket whose worth is 1 "
        "into their tokens.",
        "The rest of the rule stays.",
    ]
    assert fines[-1] == (
        "Now: Each player who is not found innocent reduces their savings by 100 CU, but never below nothing."
    )
    assert pay_out[-2:] == ["Now: They add their last wealth to their savings.", "The rest of the rule stays."]
    assert gone == ["Gone:", "1 point, 2 points, 3 points, Points, Award."]


def test_changed_rules_are_folded_on_the_page() -> None:
    opened, told, _ = page._write_rules([["Fines.", "Was: <a>", "Now: b"]])
    assert opened.startswith("<details><summary>")
    assert told == '<p class="note"><b>Fines</b><br>Was: &lt;a&gt;<br>Now: b</p>'


def test_what_is_put_around_a_rule_does_not_tell_the_rule_again() -> None:
    around = ChangedRule("Draw", "Draw a card. Look at it.", "Carry out “Draw as it was”. Draw a card.")
    kept = ChangedRule("Draw as it was", None, around.base)
    assert [*list_rules_changed([around, kept])] == [["Draw.", f"Now: {around.changed}"]]


def test_colours_can_be_read_in_both_schemes() -> None:
    style = (files(reporting) / "page.css").read_text("utf-8")
    light, dark, paper = (dict(re.findall(r"--(\w+): (#\w+)", part)) for part in style.split(":root {")[1:4])
    for scheme in (light, dark, paper):
        for text, ground in product(("ink", "soft", "look", "open"), ("paper", "code")):
            assert contrast(scheme[text], scheme[ground]) >= 4.5, (text, ground)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it."""

    def shine(colour: str) -> float:
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dim, bright = sorted((shine(one), shine(other)))
    return (bright + 0.05) / (dim + 0.05)


def test_pages_and_docs_say_the_same_of_marks() -> None:
    rows = [line for line in (ROOT / "docs" / "playtesting.md").read_text("utf-8").splitlines() if line[:3] == "| `"]
    for mark, text in page._MARKS.items():
        shown = mark if mark in ("fine", "fact") else mark.upper()
        assert f"| `{shown}` | {text} |" in rows
