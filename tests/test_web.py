"""A table by link, over its sockets: who gets in, what is refused, and that nothing is lost or counted twice."""

from __future__ import annotations

import json
import sqlite3
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from browsers import served

websockets = pytest.importorskip("websockets.sync.client", reason="needs the extra `web`")
pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")

# Each connection ends with its server; the newest websockets would have it said by `with`.
pytestmark = pytest.mark.filterwarnings("ignore:connect")

WORDS = ("hearts", "--seats", "Ana,<b>Ben</b>,bot:random,bot:random", "--port", "0", "--seed", "5", "--pace", "0")


def host_of(link: str) -> str:
    return link.split("/")[2]


def connect(link: str, token: str = "", origin: str = "") -> Any:
    host = host_of(link)
    connection = websockets.connect(f"ws://{host}/socket", origin=origin or f"http://{host}", max_size=None)
    connection.send(json.dumps({"link": token or link.partition("#")[2]}))
    return connection


def hear(connection: Any, *wanted: str) -> dict[str, Any]:
    """Hear what is said until something of it is wanted."""
    while True:
        said = json.loads(connection.recv(timeout=20))
        if any(name in said for name in wanted):
            return dict(said)


def hear_question(connection: Any) -> dict[str, Any]:
    """Hear the first question; the answer to it is three cards to pass."""
    deal = None
    while True:
        said = hear(connection, "page", "whole")
        deal = said.get("deal", deal)
        if "ask" in said.get("page", ()):
            ask = said["page"]["ask"]
            return {"answer": ask["number"], "picked": ask["picked"], "chosen": [0, 1, 2], "deal": deal}


def answers_in(store: Path) -> int:
    with sqlite3.connect(store) as database:
        return int(database.execute("select count(*) from lines where number > 0").fetchone()[0])


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
        ben.send("x" * 30_000)
        assert hear(ben, "refused") == {"refused": "That is too much at once."}
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
        ana.send(json.dumps({"note": "<script>slow</script>"}))
        hear(ana, "noted")
        host.send(json.dumps({"export": "noted"}))
        assert "Ana: <script>slow</script>" in hear(host, "file")["text"]
        host.send(json.dumps({"rematch": True}))
        again = hear(ana, "whole")
        assert again["deal"] != first["deal"]
        ana.send(json.dumps(first))
        assert hear(ana, "refused") == {"refused": "That was asked in another game."}
