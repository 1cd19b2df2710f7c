"""A game in the terminal: what is typed, what is shown, and that nothing private stays on the screen."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from shipped import load_game
from terminals import ENTER, LEAVE, PROGRAM, WIPE

from rulebook import printing, widths
from rulebook.cli import main
from rulebook.interpreter.decisions import PASS, Ask, Option
from rulebook.interpreter.events import Event, EventKind
from rulebook.interpreter.game import Game
from rulebook.table import answers, columns, view
from rulebook.table.answers import Unclear
from rulebook.table.renderer import OPEN, TIGHT, Renderer, Way
from rulebook.table.undoing import why_consent


def make_ask(*labels: str, least: int = 1, most: int = 1, counts: dict[str, int] | None = None, **rest: Any) -> Ask:
    options = tuple(
        Option(PASS, "Pass")
        if label == PASS
        else Option(f"card:{label.lower().replace(' ', '_')}", label, (counts or {}).get(label, 1))
        for label in labels
    )
    return Ask(0, 1, "", options, least, most, **rest)


@pytest.fixture(scope="module")
def wallet() -> Game:
    from rulebook import library
    from rulebook.interpreter.lower import lower

    rulebook = load_game(library.find_game("wallet"))
    options = {name: option.default for name, option in rulebook.options.items()}
    return Game(lower(rulebook, 3, options), 1, ("Ana", "Ben", "Cleo"))


@cache
def seed() -> str:
    """A game of two in which the first player begins, may decline something, and then does something else."""
    from rulebook import library
    from rulebook.interpreter.lower import lower

    rulebook = load_game(library.find_game("wallet"))
    program = lower(rulebook, 2)
    for number in range(100):
        game = Game(program, number, ("Ana", "Ben"))
        for name in ("card", "deed"):
            asked = game.decision.find_ask(0) if game.decision is not None else None
            if asked is None or asked.name != name:
                break
            if name == "deed":
                return str(number)
            game.answer(0, [PASS])
    raise AssertionError("there is no such game")


# ── what is typed ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("1", ["card:double_turn"]),
        (" 3 ", ["card:tiara"]),
        ("double turn", ["card:double_turn"]),
        ("DOUBLE  TURN", ["card:double_turn"]),
        ("tu", ["card:double_turn"]),
        ("tia", ["card:tiara"]),
        ("double turn twice", ["card:double_turn_twice"]),
        ("card:tiara", ["card:tiara"]),
        ("turn tw", ["card:double_turn_twice"]),
        ("p", [PASS]),
        ("4", [PASS]),
        ("n", [PASS]),
        ("No", [PASS]),
    ],
)
def test_one_option_by_number_name_or_beginning(typed: str, keys: list[str]) -> None:
    asked = make_ask("Double Turn", "Double Turn Twice", "Tiara", PASS)
    if typed == "tu":
        asked = make_ask("Double Turn", "Tiara", PASS)
    assert answers.parse_answer(asked, typed) == keys


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "Type a number or a name."),
        ("0", "There is no option 0"),
        ("9", "There is no option 9"),
        ("double", "may mean Double Turn or Double Trouble"),
        ("tiera", "Did you mean Tiara?"),
        ("xyzzy", "none of the options"),
        ("n", "You cannot pass here: choose one."),
        ("pass", "You cannot pass here: choose one."),
        ("y", "none of the options"),
        ("1 3", "Only one can be chosen here."),
        ("tiara, double turn", "Only one can be chosen here."),
    ],
)
def test_what_means_no_option_is_explained(typed: str, message: str) -> None:
    with pytest.raises(Unclear, match=re.escape(message)):
        answers.parse_answer(make_ask("Double Turn", "Double Trouble", "Tiara"), typed)


@pytest.mark.parametrize(
    ("labels", "typed", "keys"),
    [
        (("Tiara", PASS), "y", ["card:tiara"]),
        (("Tiara", PASS), "yes", ["card:tiara"]),
        (("Yes", "No"), "n", ["card:no"]),
        (("Yes", PASS), "yes", ["card:yes"]),
    ],
)
def test_yes_and_no_say_what_they_say(labels: Sequence[str], typed: str, keys: list[str]) -> None:
    assert answers.parse_answer(make_ask(*labels), typed) == keys


@pytest.mark.parametrize(
    ("labels", "typed", "message"),
    [
        (("Nutmeg", "Tiara", PASS), "n", "may mean Nutmeg or pass"),
        (("Nutmeg", "Tiara", PASS), "y", "none of the options"),
        (("Tiara", PASS), "", "Type a number or a name, or pass."),
    ],
)
def test_yes_and_no_may_be_unclear(labels: Sequence[str], typed: str, message: str) -> None:
    with pytest.raises(Unclear, match=re.escape(message)):
        answers.parse_answer(make_ask(*labels), typed)


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("1 3", ["card:a", "card:c"]),
        ("1,3", ["card:a", "card:c"]),
        ("3, 1", ["card:c", "card:a"]),
        ("a, c", ["card:a", "card:c"]),
        ("2 2", ["card:b", "card:b"]),
        ("all", ["card:a", "card:b", "card:b", "card:c"]),
        ("none", []),
        ("n", []),
        ("pass", []),
        ("b c", ["card:b", "card:c"]),
        ("c b, b", ["card:c", "card:b", "card:b"]),
    ],
)
def test_several_options(typed: str, keys: list[str]) -> None:
    assert answers.parse_answer(make_ask("A", "B", "C", least=0, most=4, counts={"B": 2}), typed) == keys


def test_names_of_several_words_need_no_commas() -> None:
    asked = make_ask("Gold watch", "Gold ring", "John Smith", least=1, most=3)
    assert answers.parse_answer(asked, "john smith gold wat") == ["card:john_smith", "card:gold_watch"]
    with pytest.raises(Unclear, match="none of the options"):
        answers.parse_answer(asked, "john xyzzy")
    with pytest.raises(Unclear, match="may mean Gold watch or Gold ring"):
        answers.parse_answer(asked, "gold")


@pytest.mark.parametrize(
    ("typed", "message"),
    [("1", "You chose 1; choose 2 to 3 of them"), ("1 1", "only once"), ("2 2 2", "2 times"), ("", "with spaces")],
)
def test_sets_that_cannot_be(typed: str, message: str) -> None:
    with pytest.raises(Unclear, match=message):
        answers.parse_answer(make_ask("A", "B", "C", least=2, most=3, counts={"B": 2}), typed)


def test_numbers_are_typed_as_they_are() -> None:
    asked = make_ask("0", "1", "2", PASS)
    assert answers.make_tags(asked) == ["0", "1", "2", PASS]
    assert answers.parse_answer(asked, "1") == ["card:1"]
    assert answers.parse_answer(asked, "pass") == [PASS]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (make_ask("A", "B"), "Choose a card."),
        (make_ask("A", "B", name="suspect"), "Choose a suspect."),
        (make_ask("A", PASS, name="old_friend"), "Choose an old friend, or pass."),
        (make_ask("A", "B", "C", least=2, most=2, name="gift"), "Choose 2 gifts."),
        (make_ask("A", "B", "C", least=2, most=2, name="gifts"), "Choose 2 gifts."),
        (make_ask("A", "B", "C", least=0, most=3, name="penalty"), "Choose any number of penalties."),
        (make_ask("A", "B", "C", least=1, most=2, name="glass"), "Choose 1 to 2 glasses."),
        (make_ask("A", "B", name="kept"), "Choose a card that is kept."),
        (make_ask("A", "B", name="passed"), "Choose a card that is passed."),
        (make_ask("A", "B", "C", least=2, most=2, name="lost"), "Choose 2 cards that are lost."),
        (make_ask("A", "B", name="deed"), "Choose a deed."),
        (make_ask("A", "B", name="seed"), "Choose a seed."),
        (make_ask("A", PASS), "Choose a card, or pass."),
        (make_ask("A", "B", name="n"), "Choose one."),
        (make_ask("A", PASS, name="n"), "Choose one, or pass."),
        (make_ask("A", "B", "C", least=2, most=2, name="n"), "Choose 2 cards."),
        (make_ask("A", "B", "C", least=2, most=2), "Choose 2 cards."),
        (make_ask("A", "B", least=0, most=2), "Choose any number of cards."),
        (make_ask("A", "B", "C", least=1, most=2), "Choose 1 to 2 cards."),
        (make_ask("A", "B", least=2, most=2, ordered=True), "Choose all cards in the order you want."),
    ],
)
def test_questions_in_words(asked: Ask, words: str) -> None:
    assert answers.word_question(asked) == words


# ── columns ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_wide_characters_are_measured() -> None:
    assert widths.width("骰子") == 4
    assert widths.width("e\u0301") == 1
    assert columns.padded("骰", 4) == "骰  "
    assert columns.shortened("骰子骰子", 5) == "骰子…"
    lines = columns.labelled([("骰子", "one"), ("dice", "two")], 40)
    assert [widths.width(line.partition("  ")[0] or line) for line in lines]
    assert lines == ["  骰子  one", "  dice  two"]


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize(
    "text", ["a few words that go on for a while " * 4, "x" * 200, "骰子" * 90, "", "a " + "y" * 99]
)
def test_wrapped_lines_fit(width: int, text: str) -> None:
    lines = columns.wrapped(text, width, "  ")
    assert all(widths.width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_nothing_invisible_gets_through() -> None:
    assert printing.visible("a\x1b[2Jb\u202ec\n") == "a\ufffd[2Jb\ufffdc "


# ── the view and the account ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("width", [39, 79, 120])
def test_a_view_shows_what_one_player_knows(wallet: Game, width: int) -> None:
    facts = [wallet.view(seat).facts for seat in range(3)]
    text = "\n".join(Renderer().draw_table(view.lay_out(wallet.program, facts[0]), width))
    assert all(widths.width(line) <= width for line in text.splitlines())
    assert "You (Ana)" in text
    flat = " ".join(text.split())
    for card in facts[0]["places"]["Ana.specials"]["cards"]:
        assert wallet.program.definitions[card] in flat
    assert facts[0]["places"]["Ben.specials"]["cards"] == []
    for card in facts[1]["places"]["Ben.specials"]["cards"]:
        assert wallet.program.definitions[card] not in flat
    assert re.search(r"Ben +hand 5 · specials 2", flat)
    assert "hourglasses 6" in flat


@pytest.mark.parametrize("way", [TIGHT, OPEN])
def test_who_is_out_reads_so(way: Way) -> None:
    from rulebook import library
    from rulebook.interpreter.lower import lower

    rulebook = load_game(library.find_game("liars_dice"))
    options = {name: option.default for name, option in rulebook.options.items()}
    game = Game(lower(rulebook, 3, {**options, "dice_each": 1}), 1, ("Ana", "Ben", "Cleo"))
    while not game.view(0).facts["eliminated"]:
        assert game.decision is not None
        ask = game.decision.asks[0]
        game.answer(ask.seat, [ask.keys[-1]], ask.number)
    [out] = game.view(0).facts["eliminated"]
    for seat, name in enumerate(game.names):
        text = "\n".join(Renderer().draw_table(view.lay_out(game.program, game.view(seat).facts), 79, way))
        words = " ".join(text.replace(":", "").split())
        assert ("out of the game you see what everyone sees" in words) == (name == out)
        assert (f"{out} out of the game" in words) == (name != out)


def event(kind: EventKind, **facts: Any) -> Event:
    return Event(kind, facts)


def test_what_was_drawn_or_seen_is_not_taken_back(wallet: Game) -> None:
    def final(found: Event) -> bool:
        return bool(why_consent(wallet.program, wallet.names, found))

    # Who may look where the card lay, and where it lies now, decides; not what one seat noticed of it.
    put = {"from": "Ana.hand", "to": "wallet", "how": "move", "face": "down"}
    assert not final(event("moved", **put, cards=["pearls"]))
    assert not final(event("moved", **put, count=1))
    assert final(event("moved", **{**put, "to": "discards"}, count=1))
    assert final(event("moved", **{**put, "how": "draw"}, count=1))
    assert not final(event("moved", **{**put, "from": "discards"}, cards=["pearls"]))
    assert final(event("revealed", cards=["pearls"], place="Ana.hand"))
    assert not final(event("chose", player="Ana", what=["action:put"]))


# ── without a terminal ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., str]:
    def run(typed: str, seats: str = "Ana,bot") -> str:
        words = ["play", "wallet", "--seats", seats, "--seed", seed()]
        result = CliRunner(env={"XDG_DATA_HOME": str(tmp_path)}).invoke(main, words, input=typed)
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


def test_mistakes_cost_nothing_and_are_explained(play: Callable[..., str]) -> None:
    text = play("nonsense\n\n99\nput a tie on\n?\n? pearls\n? nobody\nl\nv\nu\ns\n")
    assert "\x1b" not in text
    for words in (
        "! “nonsense” is none of the options.",
        "! There is no option 99",
        "The options",
        "There is nothing called “nobody”",
        "The special deck is shuffled.",
        "! There is nothing to take back.",
        "! Saved in",
        "The game is saved.",
    ):
        assert words in text.replace("\n  ", " "), words
    assert text.count("Ana [") == 12


def test_yes_takes_what_was_meant(play: Callable[..., str]) -> None:
    text = play("pasz\ny\nu\nnonsense\ny\n")
    assert "Did you mean pass? y takes it." in text.replace("\n  ", " ")
    assert "! Taken back." in text
    assert "“y” is none of the options." in text.replace("\n  ", " ")


def test_undo_takes_back_the_last_answer(play: Callable[..., str]) -> None:
    text = play("pass\nput\nu\n")
    assert "! Taken back." in text
    assert re.search(r"> put\n(?s:.)*> u\n(?s:.)*Put a card(?s:.)*! Taken back\.", text)


def test_a_draw_is_not_taken_back(play: Callable[..., str]) -> None:
    text = play("pass\ntake\nu\n")
    assert "! It cannot be taken back: cards have been drawn since." in text.replace("\n  ", " ")


def test_between_two_persons_the_page_changes(play: Callable[..., str]) -> None:
    text = play("pass\nput\n1\n", seats="Ana,Ben")
    first, second = text.index("Hand the device to Ana."), text.index("Hand the device to Ben.")
    assert first < text.index("You (Ana)") < second < text.rindex("You (Ben)")


# ── in a real terminal ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    pexpect = pytest.importorskip("pexpect")
    children = []

    def start(*words: str, term: str = "xterm", **environ: str) -> Any:
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        env = {**kept, "TERM": term, "XDG_DATA_HOME": str(tmp_path), "LC_ALL": "C.UTF-8", **environ}
        child = pexpect.spawn(
            sys.executable, ["-c", PROGRAM, *words], env=env, dimensions=(24, 80), encoding="utf-8", timeout=30
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def ends(child: Any) -> int:
    child.wait()
    return int(child.exitstatus)


@pytest.mark.slow
def test_a_person_plays_on_the_alternate_screen_and_leaves_it(terminal: Callable[..., Any]) -> None:
    child = terminal("play", "wallet", "--seats", "Ana,bot", "--seed", seed())
    child.expect_exact(ENTER)
    child.expect_exact("You (Ana)")
    child.expect(r"Ana \[.*\] > ")
    child.sendline("q")
    child.expect_exact(LEAVE)
    child.expect_exact("The game is saved.")
    assert ends(child) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [("sendeof", 0), ("sendintr", 130)])
def test_however_somebody_leaves_the_game_is_saved(terminal: Callable[..., Any], key: str, code: int) -> None:
    child = terminal("play", "wallet", "--seats", "Ana,bot", "--seed", seed())
    child.expect(r"Ana \[.*\] > ")
    getattr(child, key)()
    child.expect_exact(LEAVE)
    child.expect_exact("The game is saved.")
    assert "Traceback" not in child.read()
    assert ends(child) == code


def test_an_answer_is_taken_back_where_the_keyboard_is_handed_on(terminal: Callable[..., Any]) -> None:
    child = terminal("play", "hearts", "--seats", "Ana,Ben,bot,bot", "--seed", "1")
    child.expect_exact(ENTER)
    child.expect_exact("Hand the device to Ana, then press Enter")
    child.sendline("")
    child.expect(r"Ana \[.*\] > ")
    child.sendline("1 2 3")
    child.expect_exact("Ana may still take the answer back: u.")
    child.expect_exact("Hand the device to Ben, then press Enter")
    child.sendline("u")
    # Whoever typed that, nobody sees Ana's page before she has the keyboard.
    child.expect_exact("Hand the device to Ana, then press Enter")
    assert "You (" not in child.before
    child.sendline("")
    child.expect(r"Ana \[.*\] > ")
    child.sendline("4 5 6")
    child.expect_exact("Hand the device to Ben, then press Enter")
    child.sendline("")
    child.expect_exact("You (Ben)")
    child.expect(r"Ben \[.*\] > ")
    child.sendintr()
    assert ends(child) == 130


def test_the_next_person_never_sees_the_page_before(terminal: Callable[..., Any]) -> None:
    child = terminal("play", "wallet", "--seats", "Ana,Ben", "--seed", seed())
    child.expect_exact(ENTER)
    child.expect_exact("Hand the device to Ana, then press Enter")
    assert "You (" not in child.before
    child.sendline("")
    child.expect_exact(WIPE)
    child.expect_exact("You (Ana)")
    for typed in ("pass", "put", "1"):
        child.expect(r"Ana \[.*\] > ")
        child.sendline(typed)
    child.expect_exact("Hand the device to Ben, then press Enter")
    # After the wipe there is nothing but the hand-over.
    assert child.before.rpartition(WIPE)[2].strip() == ""
    child.sendline("")
    child.expect_exact(WIPE)
    child.expect_exact("You (Ben)")
    child.expect(r"Ben \[.*\] > ")
    child.sendintr()
    child.expect_exact(LEAVE)
    assert ends(child) == 130


def test_a_dumb_terminal_gets_no_escapes(terminal: Callable[..., Any]) -> None:
    child = terminal("play", "wallet", "--seats", "Ana,bot", "--seed", seed(), term="dumb")
    child.expect(r"Ana \[.*\] > ")
    assert "\x1b" not in child.before
    child.sendline("q")
    child.expect_exact("The game is saved.")
    assert ends(child) == 0
