"""A table by link, over its sockets: who gets in, what is refused, and that nothing is lost or counted twice."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import shutil
import socket
import sqlite3
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from browsers import served
from click.testing import CliRunner
from paper import no_bot
from shipped import load_game, lower_game
from sockets import answers_in, connect, hear, hear_question, host_of
from taking_back import take_back

from rulebook import library
from rulebook.cli import main
from rulebook.dsl.settling.texts import list_texts
from rulebook.interpreter.decisions import Refused
from rulebook.interpreter.events import Event
from rulebook.interpreter.random import Source
from rulebook.interpreter.views import collect_common_facts
from rulebook.interpreter.wording import join_texts
from rulebook.table.asking import make_part_about, why_barred, word_ask
from rulebook.table.faces import Face, make_faces
from rulebook.table.handbook import Handbook
from rulebook.table.screen import Screen
from rulebook.table.shared import SharedGame
from rulebook.table.sitting import DeviceSitting, Sitting
from rulebook.table.story import sentences
from rulebook.web.messages import HOST, WATCH, find_form, list_forms
from rulebook.web.projection import Asked, make_page
from rulebook.web.store import Settings, Store
from rulebook.web.table import Table, leave_out_buttons

pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")

# Each connection ends with its server; the newest websockets would have it said by `with`.
pytestmark = pytest.mark.filterwarnings("ignore:connect")

WORDS = ("hearts", "--seats", "Ana,<b>Ben</b>,bot:random,bot:random", "--port", "0", "--seed", "5", "--pace", "0")


@pytest.mark.slow
def test_an_answer_is_kept_when_the_server_is_killed_and_never_counted_twice(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    with served(store, *WORDS) as server:
        link = server.links["Ana"]
        ana = connect(link)
        answer = hear_question(ana)
        ana.send(json.dumps(answer))
        hear(ana, "accepted")
        before = answers_in(store)
        ana.send(json.dumps(answer))
        assert hear(ana, "accepted", "refused") == {"accepted": answer["answer"], "again": True}
        assert answers_in(store) == before
    # The server was killed; another one opens its table again, and the same link leads there.
    with served(store, "--port", "0", "--pace", "0") as again:
        ana = connect(f"http://{host_of(again.links['For you, the host'])}/seat#{link.partition('#')[2]}")
        hear(ana, "whole")
        ana.send(json.dumps(answer))
        assert hear(ana, "accepted", "refused") == {"accepted": answer["answer"], "again": True}
        assert answers_in(store) == before
        # So do the link that the host had and the one that is shown now.
        old = server.links["For you, the host"].partition("#")[2]
        for token in (old, ""):
            hear(connect(again.links["For you, the host"], token), "host")


def test_who_has_to_agree_reads_what_would_be_taken_back(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        ana, ben = (connect(server.links[name]) for name in ("Ana", "Ben"))
        for page in (ana, ben):
            while "ask" not in (shown := hear(page, "page")["page"]):
                pass
            ask = shown["ask"]
            page.send(json.dumps({"answer": ask["number"], "picked": 0, "chosen": [0], "deal": 1}))
            hear(page, "accepted")
        ana.send(json.dumps({"undo": "all"}))
        wished = hear(ben, "wished")["wished"]
        assert [line.split()[0] for line in wished][:2] == ["Ana", "You"]
        assert hear(connect(server.links["Ben"]), "whole")["wished"] == wished, "who comes back reads it, too"
        ben.send(json.dumps({"agree": True}))
        while hear(ana, "page")["page"].get("ask", {}).get("number") != 1:
            pass


ATTACKS: dict[str, tuple[str | bytes, str]] = {
    "bytes": (b"\x00\xff", "That is no message."),
    "no object": ("[]", "That is no message."),
    "brackets without end": ("[" * 15_000, "That is no message."),
    "a number of 5,000 digits": ('{"answer": ' + "9" * 5_000 + "}", "That is no message."),
    "half a letter": ('{"note": "\\ud800"}', "That is no message."),
    "30,000 letters": ("x" * 30_000, "That is too much at once."),
    "a note of 3,000 letters": (json.dumps({"note": "x" * 3_000}), "A note has 1 to 2000 letters."),
    "a question of nobody": (json.dumps({"note": "x", "question": "Why?"}), "A note has 1 to 2000 letters."),
    "a decision that is none": (
        '{"answer": 99, "picked": 0, "chosen": [0], "deal": 1}',
        "The question has changed meanwhile.",
    ),
    "a pick that is none": ('{"answer": 1, "picked": -1, "chosen": [0], "deal": 1}', "That is no answer."),
    "another game": ('{"answer": 1, "picked": 0, "chosen": [0], "deal": 99}', "That was asked in another game."),
}


def test_what_means_harm_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    with served(store, *WORDS) as server:
        ana, ben = connect(server.links["Ana"]), connect(server.links["<b>Ben</b>"])
        hear_question(ana)
        before = answers_in(store)
        for title, (said, got) in ATTACKS.items():
            ana.send(said)
            assert (title, hear(ana, "refused", "noted")) == (title, {"refused": got})
        ana.send(json.dumps({"pause": True, "rematch": True, "close": True}))  # the host's alone
        hear_question(ben)
        with pytest.raises(Exception, match=r"1009|too big"):
            ben.send("x" * 300_000)
            hear(ben, "refused")
        ben = connect(server.links["<b>Ben</b>"])
        hear_question(ben)
        with pytest.raises(Exception, match=r"1008|policy"):
            for _ in range(200):
                ben.send('{"try": []}')
            hear(ben, "nothing")
        hear_question(connect(server.links["<b>Ben</b>"]))
        assert answers_in(store) == before


def test_who_may_not_gets_nothing(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    with served(store, *WORDS) as server:
        link, watch = server.links["Ana"], server.links["For watchers"]
        assert json.loads(connect(link, token="x" * 22).recv(timeout=20)) == {"gone": True}
        with pytest.raises(Exception, match=r"403|rejected"):
            connect(link, origin="http://elsewhere.example")
        ana, ben = connect(link), connect(server.links["<b>Ben</b>"])
        answer = hear_question(ana)
        hear_question(ben)
        before = answers_in(store)
        for wrong in ({**answer, "answer": 99}, {**answer, "deal": 99}, {**answer, "chosen": [0, 0, 999]}):
            ben.send(json.dumps(wrong))
            hear(ben, "refused")
        watching = connect(watch)
        hear(watching, "whole")
        watching.send(json.dumps(answer))
        watching.send(json.dumps({"bot": True, "seat": 0}))
        assert answers_in(store) == before
        web = HTTPConnection(host_of(link))
        for path in ("/files/../store.py", "/files/%2e%2e%2fstore.py", "/files/hall.py", "/../../etc/passwd"):
            web.request("GET", path)
            answered = web.getresponse()
            assert answered.status == 404, path
            answered.read()
        web.request("GET", "/seat", headers={"Host": "elsewhere.example"})
        refused = web.getresponse()
        assert refused.status == 421
        refused.read()
        # What people write is never a part of a page: pages are the same for everybody, and take data as text.
        web.request("GET", "/seat")
        page = web.getresponse()
        assert b"Ben" not in page.read() and "script-src 'self'" in (page.getheader("content-security-policy") or "")
    with sqlite3.connect(store) as database:
        kept = "".join(map(str, database.iterdump()))
    assert link.partition("#")[2] not in kept


def test_an_address_lets_in_its_own_name_alone_whatever_a_proxy_makes_of_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = (*WORDS, "--port", str(port), "--address", "https://Table.example:443/")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        link, here = server.links["Ana"], f"127.0.0.1:{port}"
        assert link.startswith("https://Table.example:443/seat#")
        token = link.partition("#")[2]
        for host, origin, may in (
            (here, f"http://{here}", True),
            ("table.example", "https://table.example", True),
            (here, "https://table.example", True),
            (here, "https://elsewhere.example", False),
            ("elsewhere.example", "https://elsewhere.example", False),
        ):
            web = HTTPConnection(here)
            web.request("GET", "/files/as/asked", headers={"Host": host})
            answered = web.getresponse()
            is_known = not host.startswith("elsewhere")
            assert (answered.status, answered.read().decode() == host) == (200 if is_known else 421, is_known)
            if may:
                assert hear(connect(f"http://{here}/seat", token, origin, host), "whole")
            else:
                with pytest.raises(Exception, match=r"403|rejected"):
                    connect(f"http://{here}/seat", token, origin, host)


def test_the_host_hands_a_seat_to_a_bot_and_begins_again_with_the_same_links(tmp_path: Path) -> None:
    with served(tmp_path / "tables.sqlite3", *WORDS) as server:
        ana, host = connect(server.links["Ana"]), connect(server.links["For you, the host"])
        first = hear_question(ana)
        assert "cards" not in json.dumps(hear(host, "host"))
        host.send(json.dumps({"seat": 0, "bot": True}))
        while not hear(host, "host")["host"]["seats"][0]["bot"]:
            pass
        host.send(json.dumps({"seat": 0, "bot": False}))
        while hear(host, "host")["host"]["seats"][0]["bot"]:
            pass
        # Who comes back by their link takes the seat back; nobody else can.
        host.send(json.dumps({"seat": 0, "bot": True}))
        while not (seats := hear(ana, "status")["status"]["seats"])[0]["bot"]:
            pass
        assert [seat["lent"] for seat in seats] == [True, False, False, False]
        for name in ("<b>Ben</b>", "For watchers"):
            other = connect(server.links[name])
            other.send(json.dumps({"back": True, "seat": 0}))
            other.send(json.dumps({"rules": True}))
            hear(other, "rules")
        assert hear(connect(server.links["For you, the host"]), "host")["host"]["seats"][0]["bot"]
        ana.send(json.dumps({"back": True}))
        while (seats := hear(ana, "status")["status"]["seats"])[0]["bot"]:
            pass
        assert [seat["lent"] for seat in seats] == [False] * 4
        ana.send(json.dumps({"note": "<script>slow</script>"}))
        hear(ana, "noted")
        host.send(json.dumps({"export": "noted"}))
        assert "- Ana, Match / Hand 1: <script>slow</script>" in hear(host, "file")["text"]
        host.send(json.dumps({"rematch": True}))
        again = hear(ana, "whole")
        assert again["deal"] != first["deal"]
        ana.send(json.dumps(first))
        assert hear(ana, "refused") == {"refused": "That was asked in another game."}
        host.send(json.dumps({"close": True}))
        with pytest.raises(Exception, match="1001"):
            hear(ana, "nothing")
        for name in ("Ana", "For you, the host"):
            late = connect(server.links[name])
            assert json.loads(late.recv(timeout=20)) == {"gone": True, "closed": True}


@pytest.mark.slow
def test_who_is_given_the_seat_of_a_bot_brings_a_name(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--seats", "bot:first,Ben", "--port", "0", "--seed", "5", "--pace", "0")
    store = tmp_path / "tables.sqlite3"
    with served(store, *words) as server:
        ben, host = connect(server.links["Ben"]), connect(server.links["For you, the host"])
        while "Bot 1" not in str(hear(ben, "page")["log"]):
            pass
        for name, why in (("", "1 to 30 letters"), ("ben", "Two players"), ("Bot 7", "what bots are called")):
            host.send(json.dumps({"seat": 0, "bot": False, "name": name}))
            assert why in hear(host, "refused")["refused"]
        host.send(json.dumps({"seat": 0, "bot": False, "name": " Cleo "}))
        # His page comes with what is shown anew, or behind it.
        said = hear(ben, "whole")
        while "page" not in said:
            said = hear(ben, "page")
        assert "Cleo" in str(said["log"])
        assert "Bot 1" not in str(said)
        while (seat := hear(host, "host")["host"]["seats"][0])["name"] != "Cleo" or "link" not in seat:
            pass
        cleo = connect(seat["link"])
        assert hear(cleo, "page")["page"]["you"] == "Cleo"
        page = ben
        while "over" not in said["page"]:
            if ask := said["page"].get("ask"):
                page.send(json.dumps({"answer": ask["number"], "picked": 0, "chosen": [0], "deal": 1}))
                hear(page, "accepted")
            page = cleo if page is ben else ben
            said = hear(page, "page")
        host.send(json.dumps({"export": True}))
        saved = hear(host, "file")
    (tmp_path / saved["file"]).write_text(saved["text"], "utf-8")
    told = CliRunner().invoke(main, ["replay", str(tmp_path / saved["file"])]).stdout
    assert "Cleo" in told
    assert "Bot 1" not in told
    with served(store, "--port", "0", "--pace", "0") as again:
        host_now = again.links["For you, the host"]
        cleo = connect(host_now, seat["link"].partition("#")[2])
        assert hear(cleo, "page")["page"]["you"] == "Cleo"


def test_the_host_reads_house_rules_in_words(tmp_path: Path) -> None:
    changed = ("--variant", "hard_cash", "--set", "hand_size=4", "--set", "payment_to=wallet")
    words = ("wallet", "--seats", "Ana,bot", "--port", "0", "--pace", "0", *changed)
    with served(tmp_path / "tables.sqlite3", *words) as server:
        host = hear(connect(server.links["For you, the host"]), "host")["host"]
    assert host["rules"] == ["Hard cash", "cards in a hand: 4", "payments go to: wallet"]


def test_a_table_is_of_one_server(tmp_path: Path) -> None:
    first, second = Store(tmp_path / "tables.sqlite3"), Store(tmp_path / "tables.sqlite3")
    table = first.add_table(Settings("drawn", (), (), (), ()))
    assert first.hold(table)
    assert not second.hold(table)
    first.close()
    assert second.hold(table)
    second.close()


def test_a_new_game_goes_by_the_rules_as_they_are_now(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(library.find_game("kuhn_poker"), folder)
    rules = folder / "rulebook.yaml"
    text = rules.read_text("utf-8")
    with served(tmp_path / "tables.sqlite3", str(folder), "--seats", "Ana,Ben", "--port", "0", "--pace", "0") as server:
        ana, host = connect(server.links["Ana"]), connect(server.links["For you, the host"])
        name = hear(ana, "page")["page"]["game"]

        def checked() -> str:
            while not (found := hear(host, "host")["host"]["checked"]):
                pass
            return str(found)

        rules.write_text(text.replace("players: 2", "players: two"), "utf-8")
        assert "error" in checked()
        host.send(json.dumps({"rematch": True}))
        assert "error" in checked()
        rules.write_text(text.replace(f"name: {name}", "name: My own"), "utf-8")
        assert checked() == "The rules have changed. “Play again” plays by the new ones."
        # The game that is played keeps its rules.
        assert hear(connect(server.links["Ana"]), "page")["page"]["game"] == name
        host.send(json.dumps({"rematch": True}))
        # Her page comes with what begins anew, or behind it.
        said = hear(ana, "whole")
        while said.get("page", {}).get("game") != "My own":
            said = hear(ana, "page")


def test_a_note_says_where_to_look_again(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0", "--ask", "What was boring?")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        pages = [connect(server.links[name]) for name in ("Ana", "Ben")]
        host = connect(server.links["For you, the host"])
        noted, given = False, 0
        for page in itertools.cycle(pages):
            said = hear(page, "page")
            if "over" in said["page"]:
                break
            if ask := said["page"].get("ask"):
                if given == 1 and not noted:
                    page.send(json.dumps({"note": "This felt wrong."}))
                    hear(page, "noted")
                    noted = True
                answer = {"answer": ask["number"], "picked": ask["picked"], "chosen": [0], "deal": 1}
                page.send(json.dumps(answer))
                hear(page, "accepted")
                given += 1
        pages[0].send(json.dumps({"note": "Nothing.", "question": "What was boring?"}))
        hear(pages[0], "noted")
        host.send(json.dumps({"export": True}))
        saved = hear(host, "file")
        file = tmp_path / saved["file"]
        file.write_text(saved["text"], "utf-8")
        # What comes when another game has begun stands with the one that it is about; twice said it is one note.
        host.send(json.dumps({"rematch": True}))
        hear(pages[1], "whole")
        for _ in range(2):
            pages[1].send(json.dumps({"note": "The end.", "question": "What was boring?", "deal": 1}))
            assert hear(pages[1], "noted")["deal"] == 1
        host.send(json.dumps({"export": 1}))
        assert hear(host, "file") == saved
        host.send(json.dumps({"export": True}))
        assert hear(host, "file")["file"] == "kuhn_poker-2.jsonl", "the one that is played"
        host.send(json.dumps({"export": "noted"}))
        notes, of_the_new_game = hear(host, "file")["text"].split("\n## Game 2\n")
        seen = hear(connect(server.links["For you, the host"]), "host")["host"]
        assert [game["noted"] for game in seen["earlier"]] == [3]
    assert of_the_new_game.strip() == ""
    assert "Ana: What was boring? Nothing." in notes
    assert notes.count("Ben: What was boring? The end.") == 1
    found = re.search(r"\(rulebook replay (\S+) --at (\d+)\): This felt wrong\.", notes)
    assert found is not None
    assert found.groups() == (file.name, "1")
    assert f"after {found[2]}" in CliRunner().invoke(main, ["replay", str(file), "--at", found[2]]).stdout


def test_the_page_says_what_came_of_a_round() -> None:
    game = SharedGame(lower_game(library.find_game("wrong_party"), 2), 1, ("Ana", "Ben"))
    pages: dict[int | None, dict[str, Any]] = {}
    sitting = Sitting(game, {}, lambda seat: pytest.fail("nobody lends a seat"))
    faces = {id: Face(id, "", "", "", "") for id in (*game.program.definitions, *game.program.actions)}
    table = Table(
        sitting, faces, lambda seat, message, batch: pages.update({seat: message.get("page", pages.get(seat))})
    )
    table.begin()
    below = Source(1, "pages").below
    while "round" not in pages[0]:
        assert game.decision is not None
        ask = game.decision.asks[0]
        keys = game.machine.random_answer(game.state, ask, below)
        chosen = [ask.keys.index(key) for key in keys]
        table.hear(ask.seat, {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen})
    for seat, first in ((0, "You (Ana)"), (1, "You (Ben)"), (None, "Ana")):
        told = pages[seat]["round"]
        assert (told["number"], told["title"]) == (1, "Round 1")
        assert told["parts"][0][0].startswith(first)


def test_a_page_says_which_answer_would_be_taken_back() -> None:
    game = SharedGame(lower_game(library.find_game("hearts"), 4), 1, ("Ana", "Ben", "Cleo", "Dora"))
    sitting = Sitting(game, {}, lambda seat: pytest.fail("nobody lends a seat"))
    told: dict[int | None, Any] = {}

    def push(seat: int | None, message: dict[str, Any], batch: int | None) -> None:
        told.update({seat: page["undo"]} if "undo" in (page := message.get("page", message)) else {})

    table = Table(sitting, {}, push)
    table.begin()
    assert [told[seat] for seat in range(4)] == [None] * 4
    passed: dict[int | None, Any] = {}
    for seat in (0, 1):
        ask = table.front.asked(seat)
        assert ask is not None
        table.hear(seat, {"answer": ask.number, "picked": 0, "chosen": [0, 1, 2]})
        what = join_texts([option.label for option in ask.options[:3]])
        passed[seat] = {"what": what, "final": False, "answered": []}
    assert told == {**passed, 2: None, 3: None}
    # Hers is gone, and his stands now where hers stood.
    table.hear(0, {"undo": True})
    assert told == {**passed, 0: None, 2: None, 3: None}


def test_a_button_that_was_the_only_choice_is_told_only_where_it_is_all_that_somebody_did() -> None:
    game = SharedGame(lower_game(library.find_game("liars_dice"), 2), 1, ("Ana", "Ben"))
    table = Table(Sitting(game, {}, lambda seat: pytest.fail("nobody lends a seat")), {}, lambda *_: None)
    began = Event("stage_began", {"stage": "turn", "title": "Ana's turn"})
    ended = Event("stage_ended", {"stage": "turn"})
    pressed = Event("chose", {"player": "Ana", "what": ["label:Bid"], "forced": True})
    bid = Event("chose", {"player": "Ana", "what": ["number:4"]})
    said = Event("said", {"text": "Ana bids."})
    for events, texts in [
        ([], []),
        ([pressed], []),
        ([pressed, bid], ["Ana chooses 4."]),
        ([began, pressed, said, ended], ["Ana's turn: Ana bids."]),
        ([began, pressed, ended], ["Ana's turn: Ana chooses “Bid”, the only choice."]),
    ]:
        told = sentences(table.game, None, leave_out_buttons(events))
        assert [line.text for line in told] == texts


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wallet", "exposed", "hearts", "cheat", "wrong_party"])
@pytest.mark.parametrize("people", [1, 3])
def test_what_can_be_taken_back_by_a_page_is_refused_only_for_a_secret(name: str, people: int) -> None:
    found = take_back(lower_game(library.find_game(name), 4), people, 3)
    # What a seat may not know beforehand it hears only when it asks.
    assert found.is_wrong == []
    assert found.tried or name == "wrong_party"


def test_a_page_marks_on_a_grid_what_stands_for_its_own_seat() -> None:
    game = SharedGame(lower_game(library.find_game("exposed"), 3), 2, ("Ana", "Ben", "Cleo"))
    faces = {id: Face(name, "", "", "", "") for id, name in game.program.definitions.items()}
    for seat in range(3):
        page = make_page(game.program, faces, game.view(seat).facts)
        (grid,), (slot, *_) = page["grids"], page["mine"]
        assert [cell["title"] for cell in grid["cells"] if cell.get("own")] == [slot["cards"][0]["title"]]
        marked = {cell["title"] for cell in grid["cells"] if "M" in cell["signs"]}
        assert marked == {card["title"] for row in page["table"] if row["title"] == "marks" for card in row["cards"]}
        assert grid["legend"] == ["number: wallets", "M: marks", "*: yours"]


def test_a_tile_that_may_not_be_chosen_says_the_reason_that_the_terminal_says() -> None:
    game = SharedGame(lower_game(library.find_game("exposed"), 3), 2, ("Ana", "Ben", "Cleo"))
    faces = {id: Face(name, "", "", "", "") for id, name in game.program.definitions.items()}
    sitting = DeviceSitting(game, {}, lambda seat: pytest.fail("nobody lends a seat"), Screen(), {}, Path)
    below = Source(2, "pages").below
    said: dict[str, set[str]] = {}
    for _ in range(60):
        assert game.decision is not None
        ask = game.decision.asks[0]
        page = make_page(
            game.program, faces, game.view(ask.seat).facts, Asked(ask, game.barred(ask.seat), lambda _: set())
        )
        for cell in page["grids"][0]["cells"]:
            assert not ("option" in cell and "why" in cell)
            if why := cell.get("why"):
                typed = why_barred(sitting, ask, cell["title"])
                assert typed == f"{cell['title']} may not be chosen. {why}"
                said.setdefault(ask.prompt, set()).add(why)
        keys = game.machine.random_answer(game.state, ask, below)
        game.answer(ask.seat, list(keys), ask.number)
    assert said["From whom do you steal?"] == {"Not met: it must be a tile in your reach."}
    assert "Not met: it must be a tile in line with your own guest." in said["Whom do you expose?"]


def test_a_tile_and_an_option_say_what_the_terminal_says_of_them() -> None:
    program = lower_game(library.find_game("exposed"), 3)
    rulebook = load_game(library.find_game("exposed"))
    book = Handbook(rulebook, program, list_texts(rulebook, program.options))
    game = SharedGame(program, 1, ("Ana", "Ben", "Cleo"))
    lend = partial(pytest.fail, "nobody lends a seat")
    sitting = DeviceSitting(game, {}, lend, Screen(), book.texts, Path, handbook=book)
    below = Source(1, "pages").below
    used = 0
    while game.decision is not None:
        ask = game.decision.asks[0]
        asked = word_ask(sitting, ask)
        page = make_page(program, book.faces, game.view(ask.seat).facts, Asked(ask, (), lambda _: set()))
        for option in page["ask"]["options"]:
            if option["label"].startswith("Use the"):
                used += 1
                told = make_part_about(sitting, asked, option["label"])
                assert told is not None
                assert option["text"] in told.rows[0].groups
        if len(game.entries) == 1:
            for cell in page["grids"][0]["cells"]:
                assert any(one.text.endswith(cell["text"]) for one in book.find_entries(cell["title"]))
        game.answer(ask.seat, list(game.machine.random_answer(game.state, ask, below)), ask.number)
    assert used > 0


def test_several_amounts_on_a_card_are_told_apart() -> None:
    folder = library.find_game("fruit_garden")
    faces = make_faces(load_game(folder), lower_game(folder, 2), {})
    assert faces["plums"].attributes == "price 3 coins · sells for 2 coins"
    assert faces["helper"].attributes == "4 coins"


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("Tea pot", "Warm for 3 years.", "cost 3 · Red"),  # these 3 are no cost
        ("Tea pot", "Counts 2 more for each cost 3.", "Red"),
        ("Three of Tea, 3", "", "Red"),
        ("Red pot", "", "cost 3"),
        ("Tea pot", "Worth more beside red things.", "cost 3"),
        ("Tea pot", "Scored by many.", "cost 3 · Red"),
    ],
)
def test_a_card_says_all_that_its_name_and_text_do_not(name: str, text: str, shown: str, tmp_path: Path) -> None:
    (tmp_path / "rulebook.yaml").write_text(
        "format: 1\nname: Tea\nplayers: 2..2\nwords: {colour: [red, blue]}\n"
        "kinds: {pot: {has: {cost: 0..9, colour: colour}}}\nplaces: {table: {deck: {holds: pot, kept: pile}}}\n"
        f"cards: {{tea: {{kind: pot, name: '{name}', text: '{text}', cost: 3, colour: red}}}}\n"
        "rules:\n  game: |\n    win nobody\n",
        "utf-8",
    )
    faces = make_faces(load_game(tmp_path), lower_game(tmp_path, 2), {"tea": text})
    assert faces["tea"].attributes == shown


@pytest.mark.parametrize(
    ("has", "printed", "name", "text", "shown"),
    [
        ("-9..9", "light: -3", "Moths", "", "light -3"),
        ("-9..9", "light: -3", "Gate 3", "", "light -3"),
        ("-9..9", "light: 3", "Cold -3", "", "light 3"),
        ("-9..9", "light: -3", "Cold -3", "", ""),
        ("number by good", "cost: {wood: 2, stone: 1}", "Stone", "", "cost: 2 Wood, 1 Stone"),
        ("number by good", "cost: {wood: -2}", "Moths", "", "cost: -2 Wood"),
        ("amount", "worth: 4 coin", "Coins", "", "4 coins"),
        ("amount", "worth: 4 coin", "Moths", "Take 4 coins.", "4 coins"),
        ("amount", "worth: -4 coin", "4 coins", "", "-4 coins"),
        ("time", "played: instead_of_turn", "Double Turn", "", "Instead of your turn"),
        ("time", "played: instead_of_turn", "Double", "Instead of your turn.", ""),
        ("set of good", "goods: [wood, stone]", "Stone", "", "goods: Wood, Stone"),
        ("set of good", "goods: [wood, stone]", "Stone and Wood", "", ""),
    ],
)
def test_what_is_printed_on_a_card_is_left_out_only_where_all_of_it_is_said(
    has: str, printed: str, name: str, text: str, shown: str, tmp_path: Path
) -> None:
    (tmp_path / "rulebook.yaml").write_text(
        "format: 1\nname: Moths\nplayers: 2..2\nunits: {coin: 1}\n"
        "words: {good: [wood, stone], time: {instead_of_turn: Instead of your turn, later: Later}}\n"
        f"kinds: {{insect: {{has: {{{printed.partition(':')[0]}: {has}}}}}}}\n"
        "places: {table: {deck: {holds: insect, kept: pile}}}\n"
        f"cards: {{moth: {{kind: insect, name: '{name}', text: '{text}', {printed}}}}}\n"
        "rules:\n  game: |\n    win nobody\n",
        "utf-8",
    )
    faces = make_faces(load_game(tmp_path), lower_game(tmp_path, 2), {"moth": text})
    assert faces["moth"].attributes == shown


def test_a_hand_that_only_others_see_can_be_touched_card_by_card() -> None:
    game = SharedGame(lower_game(library.find_game("fireworks"), 3), 3, ("Ana", "Ben", "Cleo"))
    below = Source(3, "pages").below
    chosen, told = 0, set[str]()
    while game.decision is not None:
        ask = game.decision.asks[0]
        page = make_page(game.program, {}, game.view(ask.seat).facts, Asked(ask, (), lambda _: set()))
        hand = next(place for place in page["mine"] if place["title"] == "hand")["cards"]
        told |= {card["changed"] for card in hand if "changed" in card}
        if ask.options[0].key.startswith("card:"):
            chosen += 1
            assert [card.get("option") for card in hand] == [*range(len(ask.options))]
            assert all(option["placed"] for option in page["ask"]["options"])
        game.answer(ask.seat, list(game.machine.random_answer(game.state, ask, below)), ask.number)
    assert chosen
    assert "told 1" in told
    assert any(", told " in words for words in told)


def test_what_one_seat_was_shown_is_told_from_what_lies_open() -> None:
    game = SharedGame(lower_game(library.find_game("exposed"), 3), 3, ("Ana", "Ben", "Cleo"))
    below = Source(3, "pages").below
    met = set()
    while game.decision is not None:
        for seat, public in itertools.product(range(3), (False, True)):
            facts = game.view(seat).facts
            shown = collect_common_facts(game.program, game.names, game.state) if public else facts
            for other in make_page(game.program, {}, shown)["others"]:
                identity = next(place for place in other["places"] if place["title"] == "identity")
                is_open = "face_up" in facts["places"][f"{other['name']}.identity"]
                is_seen = bool(identity["cards"])
                assert ("told" in identity) == (is_seen and not is_open and not public)
                met.add((is_seen, is_open, public))
        ask = game.decision.asks[0]
        game.answer(ask.seat, list(game.machine.random_answer(game.state, ask, below)), ask.number)
    assert met >= {(True, True, False), (True, False, False), (False, False, False)}


def test_the_page_at_the_end_shows_all_that_happened_and_the_last_round() -> None:
    # Here the last card that is given up is chosen in public, and the round ends behind it.
    game = SharedGame(lower_game(library.find_game("wallet"), 3), 4, ("Ana", "Ben", "Cleo"))
    pages: dict[int | None, list[dict[str, Any]]] = {}

    def push(seat: int | None, message: dict[str, Any], batch: int | None) -> None:
        if "page" in message:
            pages.setdefault(seat, []).append(message["page"])

    sitting = Sitting(game, {}, lambda seat: pytest.fail("nobody lends a seat"))
    faces = {id: Face(id, "", "", "", "") for id in (*game.program.definitions, *game.program.actions)}
    table = Table(sitting, faces, push)
    table.begin()
    below = Source(4, "pages").below
    while game.decision is not None:
        ask = game.decision.asks[0]
        keys = game.machine.random_answer(game.state, ask, below)
        chosen = [ask.keys.index(key) for key in keys]
        table.hear(ask.seat, {"answer": ask.number, "picked": len(ask.picked), "chosen": chosen})
    for seat, shown in pages.items():
        assert ["over" in page for page in shown[-2:]] == [False, True]
        assert shown[-1]["round"]["title"] == "Round 3"
        if seat is not None:
            assert table.front.sent(seat) == game.events(seat)


def _draw_value(random: Random) -> Any:
    texts = ("", "all", "noted", "0", "watch")
    return random.choice([True, False, None, 0, 1, -1, 1.5, *texts, [], [0], ["0"], {}, {"a": 1}])


@pytest.mark.parametrize("role", ["0", WATCH, HOST])
def test_a_message_is_one_of_the_known_forms_and_nothing_beside(role: str) -> None:
    random, forms = Random(role), list_forms(role)
    fits: dict[str, dict[str, Any]] = {
        "answer": {"answer": 1, "picked": 0, "chosen": [0], "deal": 1},
        "try": {"try": [0]},
        "undo": {"undo": "all"},
        "withdraw": {"withdraw": True},
        "agree": {"agree": False},
        "note": {"note": "x", "question": "", "deal": 1},
        "back": {"back": True},
        "begin": {"begin": True},
        "name": {"name": "Cleo"},
        "say": {"say": "Hello"},
        "again": {"again": False},
        "rules": {"rules": True},
        "story": {"story": True},
        "bot": {"bot": False, "seat": 1, "name": "Cleo"},
        "link": {"link": "0"},
        "pause": {"pause": True},
        "code": {"code": "0"},
        "export": {"export": 1},
        "rematch": {"rematch": True},
        "games": {"games": True},
        "other": {"other": "hearts"},
        "close": {"close": True},
    }
    fields = {name for said in fits.values() for name in said} | {"other"}
    for name in forms:
        said = fits[name]
        assert find_form(role, said) == name
        for other in fields - said.keys() - forms[name].more.keys():
            with pytest.raises(Refused):
                find_form(role, {**said, other: fits.get(other, {}).get(other, 1)})
        for missing in forms[name].needed:
            with pytest.raises(Refused):
                find_form(role, {field: value for field, value in said.items() if field != missing})
    for name in fits.keys() - forms.keys():
        with pytest.raises(Refused):
            find_form(role, fits[name])
    for _ in range(3000):
        said = {field: _draw_value(random) for field in random.sample(sorted(fields), random.randrange(1, 5))}
        try:
            form = forms[find_form(role, said)]
        except Refused:
            continue
        assert form.needed.keys() <= said.keys() <= {**form.needed, **form.more}.keys()
        assert not any(said[field] is None or isinstance(said[field], float | dict) for field in said)


def test_nothing_is_answered_in_a_paused_game(tmp_path: Path) -> None:
    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        ana, host = connect(server.links["Ana"]), connect(server.links["For you, the host"])
        answer = {**hear_question(ana), "chosen": [0]}
        host.send(json.dumps({"pause": True}))
        while not hear(ana, "status")["status"]["paused"]:
            pass
        for said, why in ((answer, "The host has paused"), ({**answer, "try": [0]}, "That is no message.")):
            ana.send(json.dumps(said))
            assert why in hear(ana, "refused", "accepted")["refused"]
        host.send(json.dumps({"pause": False}))
        while hear(ana, "status")["status"]["paused"]:
            pass
        ana.send(json.dumps(answer))
        hear(ana, "accepted")


def test_whoever_opens_a_link_too_often_shuts_out_nobody_else(tmp_path: Path) -> None:
    from rulebook.web.server import MOST_OF_SEAT

    words = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
    with served(tmp_path / "tables.sqlite3", *words) as server:
        opened = [connect(server.links["Ana"]) for _ in range(MOST_OF_SEAT)]
        for one in opened:
            hear(one, "whole")
        assert json.loads(connect(server.links["Ana"]).recv(timeout=20)) == {"full": True}
        for name in ("Ben", "For watchers", "For you, the host"):
            hear(connect(server.links[name]), "whole", "host")
        opened[0].close()
        while "full" in (said := hear(connect(server.links["Ana"]), "full", "whole")):
            pass
        assert said["whole"]


def test_a_malformed_header_is_refused() -> None:
    """Asked of the door alone, so that every header can be drawn in any form."""
    from rulebook.web.server import _Guard

    async def app(scope: Any, receive: Any, send: Any) -> None:
        heard.append("let in")

    async def send(message: Any) -> None:
        heard.append(message.get("code") or message.get("status"))

    random, heard = Random(1), list[Any]()
    pieces = [*"[].:@/%?# a\x00\xff", "http://", "ws:", "::1", "8000", "//"]
    for place in ("", "a:8000"):
        guard = _Guard(cast(Any, app), frozenset(["a", "::1"]), place)
        for number in range(4000):
            names = random.choices(["host", "origin", "cookie", "content-length", "sec-websocket-key"], k=3)
            values = ["".join(random.choices(pieces, k=random.randrange(6))) for _ in names]
            headers = [(name.encode(), value.encode("latin-1")) for name, value in zip(names, values, strict=True)]
            scope = {"type": ("http", "websocket")[number % 2], "headers": headers, "method": "GET", "path": "/"}
            heard.clear()
            asyncio.run(_ask(guard, scope, send))
            assert heard and heard[0] in ("let in", 1008, 421), (headers, heard)
            if heard[0] == "let in" and scope["type"] == "websocket":
                found = dict(headers)
                origin = found[b"origin"].partition(b"//")[2]
                assert found[b"host"] and origin.startswith((found[b"host"], place.encode() or found[b"host"]))


async def _ask(guard: Any, scope: Any, send: Any) -> None:
    async def receive() -> Any:
        raise AssertionError("nothing is read before somebody is let in")

    await guard(scope, receive, send)


@pytest.mark.parametrize(("name", "play"), [("liars_dice", 2), ("hearts", 0)])
def test_a_question_has_its_verb_and_its_signs(name: str, play: int) -> None:
    folder = library.find_game(name)
    program = lower_game(folder, 4)
    game, pages = SharedGame(program, 1, ("Ana", "Ben", "Cleo", "Dan")), dict[int | None, dict[str, Any]]()

    def push(seat: int | None, message: dict[str, Any], batch: object) -> None:
        if "page" in message:
            pages[seat] = message["page"]

    table = Table(Sitting(game, {}, no_bot), Handbook(load_game(folder), program, {}).faces, push)
    table.begin()
    for _ in range(play):
        assert game.decision is not None
        ask = game.decision.asks[0]
        table.hear(ask.seat, {"answer": ask.number, "picked": 0, "chosen": [0]})
        if "dots" in str(pages[0].get("ask")):
            break
    ask_json, mine = pages[0]["ask"], pages[0]["mine"][0]["cards"]
    if name == "hearts":
        assert ask_json["verb"] == "Pass"
    else:
        dots = [option["look"]["dots"] for option in ask_json["options"]]
        assert dots == [[{"glyph": f"die_{number}"}] for number in range(1, 7)]
        # A die that lies there shows what was rolled.
        assert all(f"face {card['dots'][0]['glyph'][-1]}" == card["changed"] for card in mine)
