"""The moves that lead to a page: what a seat is sent of them, and how a browser plays them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser, served, sit_down
from shipped import lower_game

from rulebook import library
from rulebook.interpreter.random import Source
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import Sitting
from rulebook.table.story import sentences
from rulebook.web.table import Table

for needed in ("starlette", "uvicorn", "websockets", "segno"):
    pytest.importorskip(needed, reason="needs the extra `web`")

APPLY = """async ([page, beats]) => {
  const { apply, group } = await import('/files/motion.js');
  const groups = group(beats).map((part) => part.length);
  beats.forEach((beat) => apply(page, beat));
  return { groups, places: [...page.mine, ...page.table, ...page.others.flatMap((other) => other.places)] };
}"""
WATCH_TRICKS = """() => {
  window.seen = [];
  setInterval(() => {
    const cards = [...document.querySelectorAll('[data-place$=".trick"] [data-face]')]
      .filter((one) => one.getClientRects().length);
    if (seen.at(-1)?.[1] !== cards.length) seen.push([performance.now(), cards.length]);
  }, 16);
}"""


@contextmanager
def open_files(tmp_path: Path, browser: Any, **context: Any) -> Iterator[Any]:
    """Open a page that has the files of a table by link, and no table."""
    with served(tmp_path / "s", "hearts", "--seats", "Ana,bot,bot,bot", "--port", "0") as server:
        page = browser.new_context(**context).new_page()
        page.goto(server.links["Ana"].partition("seat#")[0])
        yield page


def test_a_seat_is_sent_the_moves_that_it_noticed_and_no_card_that_it_does_not_know() -> None:
    game = SharedGame(lower_game(library.find_game("hearts"), 4), 1, ("Ana", "Ben", "Cleo", "Dora"))
    sent: dict[int | None, list[Any]] = {}

    def push(seat: int | None, message: dict[str, Any], batch: int | None) -> None:
        sent.setdefault(seat, []).extend(message.get("beats", ()))

    table, below = (
        Table(Sitting(game, {}, lambda seat: pytest.fail("nobody lends a seat")), {}, push),
        Source(1, "b").below,
    )
    table.begin()
    for _ in range(4 + 4 * 13):
        assert game.decision is not None
        ask = game.decision.asks[0]
        chosen = [ask.keys.index(key) for key in game.machine.random_answer(game.state, ask, below)]
        table.hear(ask.seat, {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen})
    played = [beat for beat in sent[None] if beat.get("to", "").endswith(".trick") and beat["from"].endswith(".hand")]
    assert len(played) >= 52
    assert all(len(beat["cards"]) == 1 and not beat["count"] for beat in played)
    # Of what others pass on she knows how many, and of her own which.
    for seat, name in enumerate(game.names):
        passed = [beat for beat in sent[seat] if beat.get("to", "").endswith(".incoming")]
        assert {beat["from"] == f"{name}.hand" for beat in passed} == {True, False}
        assert all((beat["from"] == f"{name}.hand") == bool(beat["cards"]) for beat in passed)


def test_opened_dice_are_sent_with_their_faces_and_with_what_is_said_of_them() -> None:
    game = SharedGame(lower_game(library.find_game("liars_dice"), 3), 4, ("Ana", "Ben", "Cleo"))
    sent: list[Any] = []

    def push(seat: int | None, message: dict[str, Any], batch: int | None) -> None:
        sent.extend(message.get("beats", ()) if seat == 0 else ())

    table = Table(Sitting(game, {}, lambda seat: pytest.fail("nobody lends a seat")), {}, push)
    table.begin()
    for wanted in (None, None, "label:Liar!"):  # to bid is the only choice at first
        assert game.decision is not None
        ask = game.decision.asks[0]
        chosen = [0 if wanted is None else ask.keys.index(wanted)]
        table.hear(ask.seat, {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen})
    opened = {beat["shown"]: beat for beat in sent if "shown" in beat}
    assert [*opened] == ["Ana.cup", "Ben.cup", "Cleo.cup"]
    dice = [card for beat in opened.values() for card in beat["cards"]]
    assert sum(card["times"] for card in dice) == 15
    assert all(card["changed"].startswith("face ") and card["dots"] for card in dice)
    # All cups are opened in one go, with the call before it and the count behind it.
    call, count = opened["Cleo.cup"]["said"]
    assert call == "Ben calls Ana a liar." and count.startswith("There are ")
    log = " ".join(line.text for line in sentences(game, 0, game.events(0)))
    assert len(re.findall(r"turned face up: (?:\d × )?face \d", log)) == 3


def test_a_turn_without_a_choice_is_told_to_whose_it_was() -> None:
    game = SharedGame(lower_game(library.find_game("crazy_eights"), 2), 3, ("Ana", "Ben"))
    told: list[tuple[int, dict[str, Any]]] = []

    def push(seat: int | None, message: dict[str, Any], batch: int | None) -> None:
        if seat is not None:
            told.append((seat, message))

    table = Table(Sitting(game, {}, lambda seat: pytest.fail("nobody lends a seat")), {}, push)
    table.begin()
    below = Source(2, "b").below
    for _ in range(40):
        assert game.decision is not None
        ask = game.decision.asks[0]
        chosen = [ask.keys.index(key) for key in game.machine.random_answer(game.state, ask, below)]
        table.hear(ask.seat, {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen})
    forced = [(seat, message) for seat, message in told if "forced" in message]
    assert forced and {message["forced"] for _, message in forced} <= {"Draw a card", "Pass", "Draw a card and Pass"}
    for seat, message in forced:
        assert "ask" not in message["page"]
        lines = [line["text"] for line in message["log"]]
        assert any(line.startswith("You choose") and line.endswith("the only choice.") for line in lines), (seat, lines)
    assert not any("taken_back" in message for _, message in told)


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_last_card_of_a_trick_is_seen_before_it_goes(motion: Any, tmp_path: Path, browser: Any) -> None:
    words = ("hearts", "--seats", "Ana,bot:random,bot:random,bot:random", "--port", "0", "--seed", "5", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        (ana,) = sit_down(browser, server.seats, 1, viewport={"width": 360, "height": 740}, reduced_motion=motion)
        page = ana.page
        page.evaluate(WATCH_TRICKS)
        seen: list[list[float]] = []
        while sum(cards == 4 for _, cards in seen) < 2 or seen[-1][1] == 4:
            if page.locator("#ask:not(.wait)").count():
                ana.act()
            if motion == "reduce":
                assert page.evaluate("document.getAnimations().length") == 0
            page.wait_for_timeout(100)
            seen = page.evaluate("seen")
        whole = [later[0] - here[0] for here, later in pairwise(seen) if here[1] == 4]
        assert min(whole) >= 1000, whole
        # The dock lies on nothing, and nothing that flew is left.
        assert page.evaluate("document.querySelector('main').getBoundingClientRect().bottom") <= page.evaluate(
            "document.getElementById('ask').getBoundingClientRect().top"
        )
        page.locator("#ask:not(.wait)").wait_for()
        assert page.evaluate("document.getElementById('air').children.length") == 0
        assert ana.troubles == []


@needs_browser
def test_moves_go_from_place_to_place(tmp_path: Path, browser: Any) -> None:
    with open_files(tmp_path, browser) as page:
        places = [
            {"key": "deck", "cards": [], "hidden": 5, "count": 5},
            {"key": "Ana.hand", "cards": [{"title": "Two", "times": 2}], "hidden": 0, "count": 2},
            {"key": "Ben.hand", "cards": [], "hidden": 1, "count": 1},
        ]
        shown = {"table": places[:1], "mine": places[1:2], "others": [{"name": "Ben", "places": places[2:]}]}
        beats = [
            {"from": "deck", "to": "Ana.hand", "how": "deal", "cards": [{"title": "Six", "times": 1}], "count": 0},
            {"from": "deck", "to": "Ben.hand", "how": "deal", "cards": [], "count": 2},
            {"from": "Ana.hand", "to": "Ben.hand", "how": "move", "cards": [{"title": "Two", "times": 1}], "count": 0},
            {"shown": "Ben.hand", "cards": [{"title": "Ace", "times": 1}]},
            # Ana's own cards are turned up as well: she sees them as before.
            {"shown": "Ana.hand", "cards": [{"title": "Six", "times": 1}, {"title": "Two", "times": 1}]},
            {"from": "nowhere", "to": "Ana.hand", "how": "move", "cards": [], "count": 1},
        ]
        found = page.evaluate(APPLY, [shown, beats])
        assert found["groups"] == [2, 1, 2, 1]
        mine, deck, theirs = found["places"]
        assert (deck["hidden"], deck["count"]) == (2, 2)
        assert [(card["title"], card["times"]) for card in mine["cards"]] == [("Two", 1), ("Six", 1)]
        assert (mine["hidden"], mine["count"]) == (1, 3)
        assert [(card["title"], card["times"]) for card in theirs["cards"]] == [("Two", 1), ("Ace", 1)]
        assert (theirs["hidden"], theirs["count"]) == (2, 4)


@needs_browser
@pytest.mark.slow
def test_what_came_while_nobody_looked_can_be_looked_at_again(tmp_path: Path, browser: Any) -> None:
    """A hidden page shows what there is at once; later all that came is one thing, and ends with the truth."""
    with open_files(tmp_path, browser) as page:
        found = page.evaluate(HIDE)
        assert found["hidden"] == {"last": 12, "missed": 12, "busy": False}
        assert found["back"] == {"last": 12, "missed": 12}
        # Looked at again, the page that came behind the break is the last one.
        assert found["again"] == [13]
        assert found["later"] == {"last": 21, "missed": 0}
        # What was taken back while it was played is not drawn again.
        assert found["stopped"] == 21


@needs_browser
@pytest.mark.slow
def test_a_card_is_held_as_long_in_a_long_batch(tmp_path: Path, browser: Any) -> None:
    with open_files(tmp_path, browser, reduced_motion="reduce") as page:
        held, lasted = page.evaluate(HOLD)
        assert held >= 1000
        # The moves before and after it went faster: sixteen gaps of 90.
        assert lasted - held < 16 * 75


@needs_browser
def test_what_is_turned_face_up_stands_until_it_can_be_read(tmp_path: Path, browser: Any) -> None:
    with open_files(tmp_path, browser, reduced_motion="reduce") as page:
        shown, said = page.evaluate(READ)
        assert shown >= 4900
        assert said == ["There are 2."]


@needs_browser
def test_how_a_game_ended_is_seen_before_who_won(tmp_path: Path, browser: Any) -> None:
    """A touch goes on. The board is that of the end; what is turned up on it is seen there."""
    with open_files(tmp_path, browser, reduced_motion="reduce") as page:
        shown, waited, skipped = page.evaluate(END)
        assert shown == [["old", None, False], ["new", None, False], ["new", True, False], ["new", None, True]]
        assert waited >= 4900 and skipped < 1000


READ = """async () => {
  const { makePlayer } = await import('/files/motion.js');
  const place = (key) => ({ key, cards: [], hidden: 1, count: 1 });
  const page = { mine: [], others: [], ask: {}, table: ['a', 'b'].map(place) };
  const dice = [{ title: 'Die', changed: 'face 2', times: 1 }];
  const beats = [{ shown: 'a', cards: dice }, { shown: 'b', cards: dice, said: ['There are 2.'] }];
  let [came, said] = [0, null];
  const lasted = await new Promise((done) => {
    const player = makePlayer((now) => {
      if (now.ask) return done(performance.now() - came);
      if (now.table.every((one) => one.cards.length)) [came, said] = [performance.now(), now.said];
    });
    player.add(page, { ...page, ask: {} }, beats);
  });
  return [lasted, said];
}"""
END = """async () => {
  const { makePlayer } = await import('/files/motion.js');
  const board = (name) => [{ key: name }];
  const before = { mine: [], others: [], table: [{ key: 'a', cards: [], hidden: 1, count: 1 }], grids: board('old') };
  const page = { ...before, grids: board('new'), over: {} };
  const move = { from: 'a', to: 'b', how: 'move', cards: [], count: 1 };
  const play = (isTouched) => new Promise((done) => {
    const [shown, began] = [[], performance.now()];
    const player = makePlayer((now) => {
      shown.push([now.grids[0].key, now.ending ?? null, Boolean(now.over)]);
      if (now.ending && isTouched) player.skip();
      if (now.over) done([shown, performance.now() - began]);
    });
    player.add(before, page, isTouched ? [] : [move, { shown: 'b', cards: [] }], []);
  });
  const [shown, waited] = await play(false);
  return [shown, waited, (await play(true))[1]];
}"""
HOLD = """async () => {
  const { makePlayer } = await import('/files/motion.js');
  const place = (key) => ({ key, cards: [], hidden: 9, count: 9 });
  const page = { mine: [], others: [], ask: {}, table: ['a', 'b', 'trick'].map(place) };
  document.body.innerHTML = '<div data-place="trick"><b data-face="Six">6</b></div>';
  const others = { a: 'b', b: 'a' };
  const hidden = [...'ababababababab'].map((from) => ({ from, to: others[from], how: 'move', cards: [], count: 1 }));
  const open = (from, to) => ({ from, to, how: 'move', cards: [{ title: 'Six', times: 1 }], count: 0 });
  const began = performance.now();
  let [came, left] = [0, 0];
  await new Promise((done) => {
    const player = makePlayer((shown) => {
      if (shown.ask) return done();
      if (shown.table.at(-1).cards.length) came ||= performance.now();
      else if (came) left ||= performance.now();
    });
    const beats = [...hidden.slice(7), open('a', 'trick'), open('trick', 'b'), ...hidden.slice(0, 7)];
    player.add(page, { ...page, ask: {} }, beats);
  });
  return [left - came, performance.now() - began];
}"""
HIDE = """async () => {
  const { makePlayer } = await import('/files/motion.js');
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const table = [{ key: 'a', cards: [], hidden: 9, count: 9 }, { key: 'b', cards: [], hidden: 0, count: 0 }];
  const make = (number) => ({ number, mine: [], others: [], ask: {}, table });
  const beats = [{ from: 'a', to: 'b', how: 'move', cards: [], count: 1 }];
  const hide = (is) => Object.defineProperty(document, 'hidden', { value: is, configurable: true });
  const shown = [];
  const player = makePlayer((now) => now.ask && shown.push(now.number));
  hide(true);
  for (let number = 1; number < 13; number += 1) {
    player.add(make(number - 1), make(number), beats);
    await rest(5);
  }
  const hidden = { last: shown.at(-1), missed: player.missed(), busy: player.isBusy() };
  hide(false);
  player.comeBack(make(13));
  const back = { last: shown.at(-1), missed: player.missed() };
  const old = shown.length;
  player.again();
  await rest(3500);
  const again = shown.slice(old);
  player.add(make(20), make(21), beats);
  await rest(600);
  const later = { last: shown.at(-1), missed: player.missed() };
  player.add(make(21), make(22), beats);
  player.stop();
  await rest(600);
  return { hidden, back, again, later, stopped: shown.at(-1) };
}"""
