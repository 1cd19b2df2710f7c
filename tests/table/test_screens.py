"""Whole pages of bundled games as a person sees them, in a wide and in a narrow terminal, against files that show them.

A page changed on purpose is written anew with `UPDATE_SCREENS=1`; then look at what became of it.
"""

import os
import re
import select
import subprocess
import sys
from collections import Counter
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from paper import NAMES, Paper, no_bot
from paths import DATA
from rich.style import Style
from shipped import load_game

from rulebook import library
from rulebook.commands.console import make_renderer
from rulebook.dsl.schema import COLOURS
from rulebook.dsl.settling.texts import list_texts
from rulebook.interpreter.decisions import PASS, Ask, Option
from rulebook.interpreter.game import Game
from rulebook.interpreter.lower import lower
from rulebook.interpreter.program import Program
from rulebook.loading import load
from rulebook.playtest.bots import make_bot
from rulebook.printing import as_printed
from rulebook.table import answers, asking, grids, keyboard, reckoning, story, terminal, view
from rulebook.table.answers import Unclear
from rulebook.table.blocks import Size
from rulebook.table.renderer import Renderer
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Bot, DeviceSitting
from rulebook.table.view import tints
from rulebook.widths import width

FILES = DATA / "screens"
@cache
def program(game: str, players: int) -> Program:
    rulebook = load_game(library.find_game(game))
    return lower(rulebook, players, {name: option.default for name, option in rulebook.options.items()})


def begun(game: str, players: int, answered: int, asks: str = "") -> SharedGame:
    """A game after so many answers of bots, and then until the first seat is asked (for `asks`, if that is given)."""
    found = SharedGame(program(game, players), 7, NAMES[:players])
    bot = make_bot("random", 7, 0)
    while True:
        decision = found.decision
        assert decision is not None
        ask = min(decision.asks, key=lambda one: one.seat == 0)
        if answered <= 0 and ask.seat == 0 and asks in ask.prompt:
            return found
        found.answer(ask.seat, bot.answer(found.machine, found.state, ask), ask.number)
        answered -= 1


PAGES = {
    "wallet": ("wallet", 3, 30, ""),
    "exposed-2": ("exposed", 2, 40, ""),
    "exposed-4-move": ("exposed", 4, 60, "Which tile moves?"),
    "exposed-6-move": ("exposed", 6, 100, "Which tile moves?"),
    "exposed-6-snitch": ("exposed", 6, 100, "Whom do you expose?"),
    "tic_tac_toe": ("tic_tac_toe", 2, 3, ""),
    "liars_dice": ("liars_dice", 3, 20, "What do you say?"),
    "hearts": ("hearts", 4, 10, "Which card"),
    "wrong_party": ("wrong_party", 4, 30, ""),
}


def compared(name: str, lines: list[str]) -> None:
    """A page against the file that shows it."""
    file, text = FILES / f"{name}.txt", "\n".join(lines) + "\n"
    if os.environ.get("UPDATE_SCREENS"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


def asked_at(paper: Paper, name: str) -> list[str]:
    """The page at which the first player is asked."""
    game = begun(*PAGES[name])
    bots = {seat: lambda ask: None for seat in range(1, len(game.names))}
    terminal.play_sitting(DeviceSitting(game, bots, no_bot, paper, {}, Path))
    return paper.lines


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_readable(name: str, columns: int) -> None:
    lines = asked_at(Paper(columns, 24), name)
    assert all(width(line) < columns for line in lines)
    assert len(lines) <= 24
    compared(f"{name}-{columns}", lines)


# ── with boxes ───────────────────────────────────────────────────────────────────────────────────────────────────────

SIZES = [(80, 24), (120, 40)]
BORDERS = re.compile("[─│╭╮╰╯]")


def boxed(columns: int, rows: int, colour: bool = False) -> Paper:
    """A screen on which boxes are drawn."""
    paper = Paper(columns, rows)
    paper.looks = Renderer(colour, is_boxed=True)
    return paper


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_with_boxes_is_readable(name: str, columns: int, rows: int) -> None:
    lines = asked_at(boxed(columns, rows), name)
    assert all(width(line) < columns for line in lines)
    assert len(lines) <= rows
    compared(f"{name}-boxes-{columns}", lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_box_is_never_cut(name: str) -> None:
    game = begun(*PAGES[name])
    sitting = DeviceSitting(game, {}, no_bot, Paper(80, 24), {}, Path)
    ask = game.decision.find_ask(0) if game.decision is not None else None
    assert ask is not None
    made = asking.make_page(sitting, asking.word_ask(sitting, ask), "")
    for rows in range(12, 60):
        private = made.happened if rows % 3 else ()
        lines = "".join(Renderer(is_boxed=True).draw_page(evolve(made, private=private), Size(79, rows)))
        assert lines.count("╭") == lines.count("╰") and ("╭" not in lines or "v shows the whole" not in lines)


@pytest.mark.parametrize("name", PAGES)
def test_a_narrow_page_has_no_boxes(name: str) -> None:
    assert asked_at(boxed(40, 24), name) == asked_at(Paper(40, 24), name)


@pytest.mark.parametrize("name", PAGES)
def test_boxes_say_neither_more_nor_less(name: str) -> None:
    # Where there is room for all that ever happened.
    said = [
        Counter(re.findall(r"\b\w+", BORDERS.sub(" ", "\n".join(asked_at(paper, name)))))
        for paper in (boxed(200, 2000), Paper(200, 2000))
    ]
    assert said[0] == said[1]


@pytest.mark.parametrize("name", PAGES)
def test_colours_change_no_word(name: str) -> None:
    coloured = [*map(as_printed, asked_at(boxed(80, 24, colour=True), name))]
    without = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in coloured]
    assert any("\x1b[" in line for line in coloured)
    assert without == [line.strip() for line in asked_at(boxed(80, 24), name)]


def test_what_is_printed_on_a_card_is_said_when_it_has_changed() -> None:
    game = begun("wallet", 3, 30)
    program, currency = game.program, game.program.layout.states["currency"].slot
    hand = game.state[next(one.slot for one in program.layout.places if one.name == "hand" and one.owner == 0)]
    note = next(card for card in hand if program.definition[card] == "note_100.yen")
    game.state[currency] = tuple(
        "dollar" if card == note else printed for card, printed in enumerate(game.state[currency])
    )
    page = Renderer().draw_table(view.lay_out(program, game.view(0).facts), 79)
    assert "100 Yen (currency Dollar), 500 Yen" in " ".join(" ".join(page).split())
    assert "currency Yen" not in " ".join(page)


# ── what is typed ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def tiles() -> tuple[Ask, answers.Spots, grids.Grid]:
    """Somebody is asked for a tile of a whole grid."""
    game = begun("exposed", 2, 40, "Which tile moves?")
    facts = game.view(0).facts
    laid = grids.find_grids(game.program, facts)
    asked = game.decision.find_ask(0) if game.decision is not None else None
    assert asked is not None
    return asked, grids.map_options(laid, asked), laid[0]


@pytest.mark.parametrize("typed", ["b3", "B3", "10", "name", "key"])
def test_what_lies_in_a_grid_is_said_in_several_ways(tiles: tuple[Ask, answers.Spots, grids.Grid], typed: str) -> None:
    asked, spots, grid = tiles
    at = 9  # the tenth position of a grid of four columns
    typed = {"name": grid.cells[at].name, "key": f"card:{grid.ids[at]}"}.get(typed, typed)
    assert answers.parse_answer(asked, typed, spots) == [f"card:{grid.ids[at]}"]


def test_a_position_that_is_no_option_is_said_so(tiles: tuple[Ask, answers.Spots, grids.Grid]) -> None:
    asked, spots, _ = tiles
    some = Ask(0, 1, "", asked.options[:2])
    with pytest.raises(Unclear, match="Type a position or a name"):
        answers.parse_answer(asked, "", spots)
    with pytest.raises(Unclear, match=r"d4 is none of the options\. Type one of a1 and b1\."):
        answers.parse_answer(some, "d4", {key: spots[key] for key in some.keys})


def test_the_letter_of_a_column_names_no_tile_of_it(tiles: tuple[Ask, answers.Spots, grids.Grid]) -> None:
    asked, spots, _ = tiles
    in_column_a = [option for option in asked.options if spots[option.key][0].startswith("a")]
    named = Option("card:9", "Architect")
    with pytest.raises(Unclear, match=r"“a” may mean Architect or .*Type more of the name"):
        answers.parse_answer(Ask(0, 1, "", (named, in_column_a[0])), "a", {**spots, named.key: ("c3", "11")})


def test_options_of_one_name_are_chosen_by_number() -> None:
    labels = ("Pebble", "Gem", "Pebble", "Pebble")
    ask = Ask(0, 1, "", tuple(Option(f"card:{number}", label) for number, label in enumerate(labels)))
    with pytest.raises(Unclear, match=r"3 options are called Pebble\. Type the number of one: 1, 3 and 4\."):
        answers.parse_answer(ask, "pebble")
    assert answers.parse_answer(ask, "3") == ["card:2"]


def test_several_positions_need_no_commas(tiles: tuple[Ask, answers.Spots, grids.Grid]) -> None:
    asked, spots, grid = tiles
    some = Ask(0, 1, "", asked.options, 2, 2)
    wanted = [f"card:{grid.ids[0]}", f"card:{grid.ids[5]}"]
    assert answers.parse_answer(some, "a1 b2", spots) == answers.parse_answer(some, "a1, b2", spots) == wanted


def test_whole_rows_and_columns_have_names(tiles: tuple[Ask, answers.Spots, grids.Grid]) -> None:
    _, _, grid = tiles
    game = begun("exposed", 2, 40, "Which tile moves?")
    facts = game.view(0).facts
    lists = [grid.ids[4:8], grid.ids[2::4], grid.ids[1:4]]
    keys = ["list:" + "+".join(map(str, ids)) for ids in lists]
    asked = Ask(0, 1, "", (*(Option(key, "") for key in keys), Option(PASS, "Pass")))
    row, column, others, passed = grids.word_positions(game.program, facts, [grid], asked).options
    assert (row.label, column.label, passed.label) == ("row 2", "column c", "Pass")
    assert others.label == "{}, {} and {}".format(*(grid.cells[at].name for at in (1, 2, 3)))
    assert [one.key for one in (row, column, others)] == keys


# ── what is told together ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "exposed-6-snitch",
            [
                "· 40 wallets go from the lost and found to 36 guests: 2 each to 4 and 1 each to",
                "  32.",
                "· Pilot, Senator, Mayor and Nurse are drawn from the deck to the marks.",
                "· You are dealt Veterinarian from the deck.",
                "· Ben, Cleo, Dora, Eli and Finn are dealt a card each from the deck.",
            ],
        ),
        ("exposed-6-snitch", ["· Nanny and Surgeon change places."]),
        ("wallet", ["· Standing hourglasses: 5 · last flip: Ben.", "· Standing hourglasses: 3 · last flip: you."]),
    ],
)
def test_the_log_says_in_one_line_what_belongs_together(name: str, lines: list[str]) -> None:
    game = begun(*PAGES[name])
    found = story.sentences(game, 0, game.events(0))
    told = [line for one in found for line in one.wrap_lines(79)]
    whole = " ".join(" ".join(told).split())
    assert [line for line in lines if line.strip(" ·") not in whole] == []


# ── a first game, page by page ───────────────────────────────────────────────────────────────────────────────────────

FIRST = FILES / "wallet-first-game.txt"
_BETWEEN = "\n" + "═" * 79 + "\n"


class Read(Paper):
    """A screen at which what somebody typed is typed again, page by page; it keeps every page with what was typed."""

    def __init__(self, typed: list[str]) -> None:
        super().__init__(80, 24)
        self.typed, self.pages = typed, list[str]()

    def read_line(self, prompt: str) -> str | None:
        is_read = "── Enter" in prompt and "Enter leaves" not in prompt
        if not is_read and not self.typed:
            return None
        line = "" if is_read else self.typed.pop(0)
        assert len(self.lines) < 24
        self.pages.append("\n".join([*self.lines, f"{prompt}{line}".rstrip()]))
        self.lines = []
        return line


def test_a_first_game_needs_nothing_but_the_screen() -> None:
    text = FIRST.read_text("utf-8")
    # What was typed stands behind the last sign of each page's last line.
    lasts = [page.rstrip("\n").splitlines()[-1] for page in text.split(_BETWEEN)]
    typed = [re.split(r"> ", last, maxsplit=1)[1].strip() for last in lasts if "> " in last]
    rulebook = load_game(library.find_game("wallet"))
    options = {name: option.default for name, option in rulebook.options.items()}
    game = SharedGame(lower(rulebook, 3, {**options, "rounds": 1}), 21, ("Ana", "Bot 1", "Bot 2"))
    bots = {seat: answering(game, make_bot("random", 21, seat)) for seat in (1, 2)}
    screen, texts = Read([*typed, ""]), list_texts(rulebook, options)
    terminal.play_sitting(DeviceSitting(game, bots, no_bot, screen, texts, Path))
    assert game.over
    found = _BETWEEN.join(screen.pages) + "\n"
    if os.environ.get("UPDATE_SCREENS"):
        FIRST.write_text(found, "utf-8")
    assert found == text


def test_the_last_page_shows_the_table_and_keeps_the_game() -> None:
    game, bot = SharedGame(program("tic_tac_toe", 2), 7, NAMES[:2]), make_bot("random", 7, 0)
    while game.decision is not None:
        answering(game, bot)(game.decision.asks[0])
    screen, kept = Read(["s", ""]), list[str]()

    def save() -> Path:
        kept.append("kept")
        return Path("there.jsonl")

    terminal.play_sitting(DeviceSitting(game, {1: lambda ask: None}, no_bot, screen, {}, save))
    assert kept == ["kept"]
    compared("tic_tac_toe-over-80", screen.pages)


ROUNDS = {"wallet": 3, "wrong_party": 3, "exposed": 3}


class Reader(Paper):
    """A screen at which every page is read to its end; it keeps those that end a round or the game."""

    def __init__(self, columns: int) -> None:
        super().__init__(columns, 24)
        self.pages = list[str]()

    def read_line(self, prompt: str) -> str | None:
        assert len(self.lines) < 24
        self.pages.append("\n".join([*self.lines, prompt.rstrip()]))
        return ""


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("name", ROUNDS)
def test_what_came_of_each_round_stands_until_it_is_read(name: str, columns: int) -> None:
    game, bot = SharedGame(program(name, ROUNDS[name]), 7, ("Ana", "Bot 1", "Bot 2")), make_bot("random", 7, 0)
    while game.decision is not None:
        answering(game, bot)(game.decision.asks[0])
    screen = Reader(columns)
    sitting = DeviceSitting(game, {1: lambda ask: None, 2: lambda ask: None}, no_bot, screen, {}, Path)
    sitting.seen[0] = next(iter(reckoning.find_rounds(game.program, game.names, game.events(0))), LAST).ending
    terminal.play_sitting(sitting)
    assert all(width(line) < columns for page in screen.pages for line in page.splitlines()[:-1])
    compared(f"{name}-rounds-{columns}", ["\n".join(screen.pages)])


LAST = reckoning.Round("", 0, 0)


def answering(game: Game, bot: Any) -> Bot:
    return lambda ask: game.answer(ask.seat, bot.answer(game.machine, game.state, ask), ask.number)


# ── boxes or lines ─────────────────────────────────────────────────────────────────────────────────────────────────


class Tty(StringIO):
    """A stream with a terminal at its other end."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("what", "is_boxed"),
    [("all is there", True), ("--plain", False), ("TERM", False), ("a pipe", False)],
)
def test_boxes_are_drawn_where_they_can_be(what: str, is_boxed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Tty())
    monkeypatch.setattr("sys.stdout", StringIO() if what == "a pipe" else Tty())
    monkeypatch.setenv("TERM", "dumb" if what == "TERM" else "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    found = make_renderer(what == "--plain")
    assert found.is_boxed == is_boxed
    assert not found.colour


@pytest.mark.slow
def test_plain_lines_are_drawn_without_rich() -> None:
    """Whoever plays in a pipe does not wait until it is loaded."""
    play = "CliRunner().invoke(main, ['play', 'tic_tac_toe', '--seats', 'Ana,bot'], input='a1').output"
    code = f"import sys\nfrom click.testing import CliRunner\nfrom rulebook.cli import main\nassert 'Ana [' in {play}\n"
    subprocess.run([sys.executable, "-c", f"{code}assert 'rich' not in sys.modules"], check=True)


@pytest.mark.skipif(not keyboard.IS_THERE, reason="there are no such terminals here")
@pytest.mark.parametrize("is_terminal", [True, False])
def test_what_is_typed_while_a_bot_thinks_is_no_answer(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    import pty

    typing, typed = pty.openpty()
    game = begun("tic_tac_toe", 2, 0)
    ask = game.decision.find_ask(0) if game.decision is not None else None
    assert ask is not None
    screen = Paper(80, 24)
    screen.is_terminal = is_terminal
    said: list[list[str]] = []

    def advice(_: Ask) -> tuple[str, ...]:
        said.append(list(screen.lines))
        os.write(typing, b"a1\n")
        assert select.select([typed], [], [], 10)[0] == [typed]
        return ask.keys[:1]

    with os.fdopen(typed) as stdin, os.fdopen(typing, "wb"):
        monkeypatch.setattr("sys.stdin", stdin)
        sitting = DeviceSitting(game, {}, no_bot, screen, {}, Path, advice)
        assert asking.find_hint(sitting, asking.word_ask(sitting, ask)).startswith("A bot would choose: ")
        is_left = select.select([typed], [], [], 0)[0] == [typed]
    assert said == [["A bot thinks …"] if is_terminal else []]
    assert is_left == (not is_terminal)


# ── names in colours ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["wallet", "hearts"])
def test_names_have_the_colours_of_the_rulebook(name: str) -> None:
    """As data: every escape is written `{31}`."""
    lines = [*map(as_printed, asked_at(boxed(80, 24, True), name))]
    compared(f"{name}-colours-80", [re.sub(r"\x1b\[([0-9;]*)m", r"{\1}", line) for line in lines])


COLOURED = """
format: 1
name: Colours
players: 2..2
words: {hue: {warm: Warm, cold: Cold}}
kinds:
  thing: {}
  tile: {is: thing, has: {hue: hue}}
  chip: {is: thing, has: {hues: {type: set of hue, default: []}}}
cards:
  fire: {kind: tile, hue: warm, name: Fire}
  ice: {kind: tile, hue: cold, name: Ice}
  first: {kind: chip, hues: [cold, warm], name: One}
  second: {kind: chip, name: Two}
  twin: {kind: chip, hues: [cold], name: Twin}
  other: {kind: tile, hue: warm, name: Twin}
places: {table: {heap: {holds: thing, kept: pile, seen_by: everyone}}}
display: {colours: {warm: red, thing: cyan}}
rules: {game: "move cards to heap"}
"""


def test_the_first_colour_that_fits_is_the_colour(tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(COLOURED, "utf-8")
    loaded = load(tmp_path)
    rulebook, problems = loaded.rulebook, loaded.messages
    assert rulebook is not None, problems
    # Of two things of one name that differ in it, none has a colour.
    assert tints(lower(rulebook, 2)) == {"Fire": "red", "Ice": "cyan", "One": "red", "Two": "cyan", "Warm": "red"}


def test_every_colour_is_one_of_a_terminal() -> None:
    assert {Style.parse(colour).color.number for colour in COLOURS} == {*range(1, 7), *range(9, 15)}


# ── the first pages of a first game ──────────────────────────────────────────────────────────────────────────────────


class Beginner(Paper):
    """A screen at which somebody looks at the help, then takes what comes first; it keeps every page."""

    def __init__(self, paper: Paper, most: int = 7) -> None:
        super().__init__(*paper.fits)
        self.looks, self.most, self.pages = paper.looks, most, list[str]()

    def read_line(self, prompt: str) -> str | None:
        if len(self.pages) == self.most:
            return None
        tag = re.search(r"\[([^ \]-]+)", prompt)
        line = "?" if not self.pages else "" if tag is None else tag[1].rstrip(",")
        assert len(self.lines) < self.rows
        assert all(width(line) < self.columns + 1 for line in self.lines)
        self.pages.append("\n".join([*self.lines, f"{prompt}{line}".rstrip()]))
        self.lines = []
        return line


@pytest.mark.parametrize(("columns", "is_boxed"), [(80, False), (80, True), (40, False)])
@pytest.mark.parametrize("name", ["wallet", "exposed", "wrong_party"])
def test_the_first_pages_can_be_read(name: str, columns: int, is_boxed: bool) -> None:
    game = SharedGame(program(name, 3), 5, ("Ana", "Bot 1", "Bot 2"))
    bots = {seat: answering(game, make_bot("random", 5, seat)) for seat in (1, 2)}
    rulebook = load_game(library.find_game(name))
    texts = list_texts(rulebook, {id: option.default for id, option in rulebook.options.items()})
    screen = Beginner(boxed(columns, 24) if is_boxed else Paper(columns, 24))
    terminal.play_sitting(DeviceSitting(game, bots, no_bot, screen, texts, Path))
    between = "\n" + "═" * (columns - 1) + "\n"
    compared(f"{name}-begins{'-boxes' * is_boxed}-{columns}", [between.join(screen.pages)])


@pytest.mark.slow
@pytest.mark.parametrize("typed", [["? limit", "1"], ["l", "? 2", "v", "1"], ["?", "nobody", "? limit", "", "1"]])
def test_what_is_typed_over_a_page_to_read_is_done(typed: list[str]) -> None:
    game = begun(*PAGES["wallet"])
    decision = game.decision
    assert decision is not None
    [ask], before = decision.asks, len(game.entries)
    screen = Typing(typed)
    asking.ask_person(DeviceSitting(game, {}, no_bot, screen, {}, Path), ask.seat)
    assert not screen.typed and len(game.entries) == before + 1
    assert list(game.entries[-1].answer) == [ask.keys[0]]


class Typing(Paper):
    """A screen at which lines are typed one by one, whatever stands there."""

    def __init__(self, typed: list[str]) -> None:
        super().__init__(80, 24)
        self.typed = [*typed]

    def read_line(self, prompt: str) -> str | None:
        return self.typed.pop(0)
