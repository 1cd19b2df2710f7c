"""What people at a table by link have to be told by their own page: what they chose, whose turn it is, what is new."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browsers import Person, Server, needs_browser, play_on, served, sit_down

for needed in ("starlette", "uvicorn", "websockets", "segno"):
    pytest.importorskip(needed, reason="needs the extra `web`")

pytestmark = [needs_browser, pytest.mark.slow]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "reduced_motion": "reduce"}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}


@contextmanager
def dicing(
    path: Path, browser: Any, seats: str = "Ana,Ben", waits: bool = False, **context: Any
) -> Iterator[tuple[Server, list[Person]]]:
    """A table of Liar's Dice, with everybody at a page."""
    words = ("liars_dice", "--seats", seats, "--port", "0", "--seed", "5", "--pace", "0")
    with served(path / "tables.sqlite3", *words, waits=waits) as server:
        persons = sit_down(browser, server.seats, 1, **(context or PHONE))
        for person in persons:
            person.page.set_default_timeout(9000)
        yield server, persons


def press(page: Any, *names: str) -> None:
    """Press buttons of the question, one after the other."""
    for name in names:
        page.wait_for_timeout(300)
        page.locator("#ask .btn", has=page.get_by_text(name, exact=True)).first.click()


def bid(page: Any, many: str, shown: str) -> None:
    """Bid so many dice that show so much; at the beginning of a round nothing else can be said."""
    page.locator("#ask:not(.wait)").wait_for()
    if page.locator("#prompt", has_text="What do you say?").count():
        press(page, "Bid")
    page.locator("#prompt", has_text="How many dice?").wait_for()
    page.wait_for_timeout(300)
    if page.locator(".stepper input").count():
        page.locator(".stepper input").fill(many)
        page.locator("[data-k=send]").click()
    else:
        press(page, many)
    page.locator("#prompt", has_text="Showing what?").wait_for()
    press(page, shown)


def test_a_question_of_several_picks_says_what_was_chosen_before(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser) as (_, (ana, ben)):
        bid(ana.page, "3", "6")
        page = ben.page
        press(page, "Bid")
        page.locator("#prompt", has_text="How many dice?").wait_for()
        page.locator("#ask .hint", has_text="You chose: Bid.").wait_for()
        press(page, "4")
        chosen = page.locator("#ask .hint", has_text="You chose: Bid, 4.")
        chosen.wait_for()
        page.reload()
        chosen.wait_for()
        press(page, "6")
        page.locator("#prompt", has_text="Ana is thinking").wait_for()
        # What is taken back lands in the middle of it.
        page.locator(".undo").click()
        ana.page.locator("[data-k=agree]").click()
        page.locator("#prompt", has_text="Showing what?").wait_for()
        chosen.wait_for()
        assert page.evaluate("document.getElementById('ask').offsetHeight <= .34 * innerHeight")


def test_choices_are_not_scrolled_for_what_they_say(tmp_path: Path, browser: Any) -> None:
    """Where the texts of a menu leave no room for it a phone shows them when they are asked for."""
    words = ("exposed", "--seats", "Ana,bot:random,bot:random", "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, **{**PHONE, "viewport": {"width": 360, "height": 600}})
        page = ana.page
        page.locator("#ask .menu.brief").wait_for()
        fits = "(ask) => ask.scrollHeight <= ask.clientHeight + 1"
        assert page.locator("#ask").evaluate(fits)
        page.locator("[data-k=tells]").click()
        page.locator("#ask .menu:not(.brief)").wait_for()
        assert not page.locator("#ask").evaluate(fits)


def test_a_log_can_always_be_closed_and_opens_at_what_is_new(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser) as (_, (ana, ben)):
        for person, many in ((ana, "1"), (ben, "2"), (ana, "3"), (ben, "4"), (ana, "5"), (ben, "6")):
            bid(person.page, many, "3")
        page = ana.page
        page.locator("#prompt", has_text="What do you say?").wait_for()
        page.locator("#open-log").click()
        for top in (0, 100_000):
            page.locator("#log").evaluate(f"(log) => (log.scrollTop = {top})")
            assert page.evaluate(
                """() => {
                  const place = document.querySelector('#log .shut').getBoundingClientRect();
                  const there = document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
                  return there?.closest('.shut') !== null && place.top >= 0 && place.height >= 44;
                }"""
            )
        page.locator("#log .shut").click()
        assert not page.locator("#log").is_visible()
        # However much came since, its beginning is in view; opened anew the page still knows where that is.
        page.set_viewport_size({"width": 360, "height": 300})
        page.reload()
        page.locator("#prompt", has_text="What do you say?").wait_for()
        page.locator("#open-log").click()
        page.wait_for_timeout(400)
        assert page.evaluate(
            """() => {
              const [log, head, mark] = ['#log', '#log h2', '.mark-since'].map((name) =>
                document.querySelector(name).getBoundingClientRect());
              const seen = mark.top >= head.bottom - 1 && mark.bottom <= log.bottom;
              return seen || [log, head, mark].map((place) => [place.top, place.bottom]);
            }"""
        ) is True


def test_a_log_does_not_say_that_the_only_button_was_pressed(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser) as (_, (ana, ben)):
        bid(ana.page, "4", "6")
        ben.page.locator("#prompt", has_text="What do you say?").wait_for()
        for page in (ana.page, ben.page):
            lines = page.locator("#log li").all_text_contents()
            assert any("Ana bids: 4 × 6." in line for line in lines)
            assert not [line for line in lines if "the only choice" in line]


@pytest.mark.parametrize("context", [PHONE, DESK], ids=["phone", "desk"])
def test_the_ring_round_a_card_goes_with_the_card(context: dict[str, Any], tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser, **context) as (_, (ana, ben)):
        page = ana.page
        ring = page.locator(".read")
        page.locator(".mine .card").first.click()
        page.locator("#reader").wait_for()
        assert ring.count() == 1
        page.locator("#reader .shut").click()
        assert (ring.count(), page.locator("#reader").is_visible()) == (0, False)
        page.locator(".mine .card").first.click()
        bid(page, "4", "6")
        ben.page.locator("#prompt", has_text="What do you say?").wait_for()
        page.locator("#prompt", has_text="Ben is thinking").wait_for()
        assert ring.count() == 0
        page.locator(".mine .card").first.click()
        assert ring.count() == 1
        press(ben.page, "Liar!")
        page.locator("#stages", has_text="Round 2").wait_for()
        ana.look()  # a touch ends what is still being played
        page.wait_for_timeout(500)
        assert ring.count() == 0


def test_a_phone_that_stands_upright_says_that_it_is_my_turn(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser) as (_, (ana, ben)):
        ana.page.locator("#ask:not(.wait)").wait_for()
        marked = ana.page.locator("#stages .mine")
        assert ana.page.locator("#stages li").all_inner_texts() == ["Your turn", "Round 1", "Bidding"]
        assert marked.count() == 1
        assert marked.evaluate("(one) => one.scrollWidth <= one.parentElement.clientWidth")
        assert ben.page.locator("#stages .mine").count() == 0
        assert "Ana's turn" in ben.page.locator("#stages").inner_text()
        ana.page.set_viewport_size({"width": 740, "height": 360})
        ana.page.wait_for_timeout(100)
        assert marked.count() == 0
        assert ana.page.locator("#turn").inner_text() == "Your turn"


def test_a_wish_to_take_back_is_seen_withdrawn_refused_and_granted(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser) as (_, (ana, ben)):
        bid(ana.page, "3", "6")
        ben.page.locator("#prompt", has_text="What do you say?").wait_for()
        waits = ana.page.locator("#ask .hint", has_text="Still to agree: Ben.")
        agree = ben.page.locator("[data-k=agree]")
        ana.page.locator(".undo", has_text="Ask to take back").click()
        waits.wait_for()
        agree.wait_for()
        # It still waits on a page that was opened anew, and can be withdrawn there.
        ana.page.reload()
        waits.wait_for()
        assert ana.page.locator("[data-k=undo]").count() == 0
        ana.page.locator(".undo", has_text="Withdraw").click()
        agree.wait_for(state="detached")
        assert waits.count() == 0
        ana.page.locator(".undo", has_text="Ask to take back").click()
        ben.page.locator("[data-k=no]").click()
        ana.page.locator("#toast", has_text="Your answer is not taken back. Ben does not agree.").wait_for()
        assert waits.count() == 0
        ana.page.locator(".undo", has_text="Ask to take back").click()
        agree.click()
        ana.page.locator("#toast", has_text="All agreed: your answer has been taken back.").wait_for()
        ben.page.locator("#toast", has_text="An answer of Ana has been taken back.").wait_for()
        ana.page.locator("#prompt", has_text="Showing what?").wait_for()


def test_what_was_shown_before_the_next_round_is_not_offered_to_be_taken_back(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser) as (_, (ana, ben)):
        bid(ana.page, "3", "6")
        ana.page.locator(".undo").wait_for()
        press(ben.page, "Liar!")
        for person in (ana, ben):
            person.page.locator("#stages", has_text="Round 2").wait_for()
            person.look()
            person.page.locator("#ask[class]:not(:has([data-k=undo]))").wait_for()


def test_what_lies_over_the_table_says_that_the_game_has_begun_or_that_one_is_asked(
    tmp_path: Path, browser: Any
) -> None:
    with dicing(tmp_path, browser, waits=True) as (_, (ana, ben)):
        called = ben.page.locator(".called")
        ben.page.locator("#open-rules").click()
        ben.page.locator("#rules[open]").wait_for()
        ana.page.get_by_role("button", name="Begin the game").click()
        ben.page.locator("#rules .called", has_text="The game has begun.").wait_for()
        bid(ana.page, "3", "6")
        ben.page.locator("#rules .called", has_text="It is your turn.").wait_for()
        assert called.locator(".btn").evaluate(
            """(back) => {
              const place = back.getBoundingClientRect();
              return place.height >= 44 && back.contains(document.elementFromPoint(place.x + 9, place.y + 9));
            }"""
        )
        called.get_by_role("button", name="To the table").click()
        assert (ben.page.locator("dialog[open]").count(), called.count()) == (0, 0)
        # The list of what has happened covers a phone, too; and nothing is called that is over.
        ana.page.locator("#open-log").click()
        bid(ben.page, "4", "6")
        ana.page.locator("#log .called", has_text="It is your turn.").wait_for()
        ben.page.locator(".undo").click()
        ana.page.locator("#log .shut").click()
        assert ana.page.locator(".called").count() == 0


def test_the_host_copies_the_link_of_who_is_not_here_yet(tmp_path: Path, browser: Any) -> None:
    words = ("liars_dice", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words, waits=True) as server:
        (ana,) = sit_down(browser, {"Ana": server.links["Ana"]}, 1, **PHONE)
        ana.page.locator("#ask .hint", has_text="The host's page has a link for each of them.").wait_for()
        assert ana.page.locator(".folk .st").all_inner_texts() == ["here", "not here yet"]
        assert server.links["Ben"].partition("#")[2] not in ana.page.content()
        host = browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
        host.goto(server.links["For you, the host"])
        host.locator(".person", has_text="Ben").locator(".presence", has_text="not here yet").wait_for()
        copy = host.get_by_role("button", name="Copy the link")
        assert copy.count() == 1, "who is here needs none"
        copy.click()
        host.get_by_role("button", name="Copied").wait_for()
        assert host.evaluate("navigator.clipboard.readText()") == server.links["Ben"]


def test_words_end_once_and_rules_end_with_the_house_rules(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser) as (_, (ana, ben)):
        bid(ana.page, "14", "6") if ana.page.locator(".stepper").count() else bid(ana.page, "5", "6")
        press(ben.page, "Liar!")
        ben.look()
        page = ben.page
        assert page.evaluate(
            """async () => {
              const { phrase } = await import('/files/phrases.js');
              return ['Liar!', '4'].map((what) => phrase('you_chose', { what }));
            }"""
        ) == ["You chose Liar!", "You chose 4."]
        page.locator("#open-rules").click()
        page.locator("#rules h3").first.wait_for()
        assert page.locator("#rules h3").all_inner_texts()[0] == "What it is about"
        assert page.locator("#rules h3").all_inner_texts()[-1] == "House rules"


def test_another_game_waits_for_whoever_is_named_and_takes_nothing_back(tmp_path: Path, browser: Any) -> None:
    words = ("crazy_eights", "--seats", "Ana,Ben", "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        persons = sit_down(browser, server.seats, 1, **PHONE)
        ana, ben = (person.page for person in persons)
        for page in (ana, ben):
            page.set_default_timeout(9000)
        assert play_on(persons)
        ana.get_by_role("button", name="Play again").click()
        ana.locator("#ask .hint", has_text="Still to agree: Ben.").wait_for()
        ben.get_by_role("button", name="I am in").click()
        for page in (ana, ben):
            page.locator("#toast", has_text="A new game has begun.").wait_for()


def test_a_log_follows_what_comes_however_fast_it_grows(tmp_path: Path, browser: Any) -> None:
    with dicing(tmp_path, browser, **DESK) as (_, (ana, _ben)):
        page = ana.page
        page.locator("#log li").first.wait_for()
        stands_at_end = page.evaluate(
            """async () => {
              const rest = () => new Promise((done) => setTimeout(done, 100));
              const log = document.getElementById('log');
              const grow = () => {
                const more = document.createElement('p');
                more.style.height = '3000px';
                log.lastElementChild.append(more);
                log.dispatchEvent(new Event('scroll'));  // of a scrolling before it grew
              };
              grow();
              await rest();
              const isAtEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 80;
              const follows = isAtEnd();
              log.scrollTop -= 1000;
              await rest();
              grow();
              await rest();
              return [follows, isAtEnd()];
            }"""
        )
        assert stands_at_end == [True, False]
