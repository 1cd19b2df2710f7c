"""A disk that is full, or fails, or a file that another program holds: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from attrs import asdict, evolve
from browsers import served
from failing import OneGame, file_complaints, table_complaints
from shipped import load_game, lower_game
from sockets import answers_in, connect, hear, hear_question, host_of

from rulebook import library
from rulebook.web import store as stores
from rulebook.web.store import Settings, Store, Unwritten

# Each connection ends with its server; the newest websockets would have it said by `with`.
pytestmark = pytest.mark.filterwarnings("ignore:connect")

KUHN = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0", "--seed", "3")


@pytest.mark.parametrize(("name", "players"), [("crazy_eights", 3), ("wrong_party", 3)])
def test_a_disk_that_fails_loses_no_answer_of_a_save(name: str, players: int, tmp_path: Path) -> None:
    program, tried = lower_game(library.find_game(name), players), Counter[str]()
    for seed in range(6):
        assert list(file_complaints(program, tmp_path / "game.jsonl", seed, 30, tried)) == []
    assert tried["refused"] > 1 and tried["done"] > 10


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 2), ("crazy_eights", 3)])
def test_a_disk_that_fails_loses_nothing_of_a_table(name: str, players: int, tmp_path: Path) -> None:
    folder, tried = library.find_game(name), Counter[str]()
    rules = OneGame(load_game(folder), lower_game(folder, players))
    for seed in range(2):
        assert asyncio.run(table_complaints(rules, tmp_path / f"{seed}.sqlite3", seed, 60, tried)) == []
    assert tried["refused"] > 5 and tried["done"] > 20 and tried["reopened"] > 1


@pytest.mark.slow
def test_an_answer_is_refused_while_another_program_holds_the_store(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    with served(store, *KUHN) as server:
        link = server.links["Ana"]
        ana = connect(link)
        answer = {**hear_question(ana), "chosen": [0]}
        other = sqlite3.connect(store, isolation_level=None)
        other.execute("begin immediate")
        for said in (answer, {"note": "Slow."}):
            ana.send(json.dumps(said))
            assert "could not be kept (another program holds the file)" in hear(ana, "accepted", "refused")["refused"]
        other.execute("rollback")
        assert answers_in(store) == 0
        ana.send(json.dumps(answer))
        assert hear(ana, "accepted", "refused")["accepted"] == answer["answer"]
        ana.send(json.dumps({"note": "Quick."}))
        hear(ana, "noted")
        assert answers_in(store) == 1
    with served(store, "--port", "0", "--pace", "0") as again:
        ana = connect(f"http://{host_of(again.links['For you, the host'])}/seat#{link.partition('#')[2]}")
        ana.send(json.dumps(answer))
        assert hear(ana, "accepted", "refused") == {"accepted": answer["answer"], "again": True}


def test_a_store_without_room_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_PATIENCE", 0)
    store = Store(tmp_path / "tables.sqlite3")
    small = Settings("drawn", (), (), (), ())
    table = store.add_table(small)
    (pages,) = store._database.execute("pragma page_count").fetchone()
    store._database.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(Unwritten, match="No space left on device"):
        store.change_settings(table, evolve(small, game="x" * 100_000))
    store._database.execute("pragma max_page_count = 100000")
    with pytest.raises(ZeroDivisionError), store.together():
        store.change_settings(table, evolve(small, paused=True))
        store.add_table(evolve(small, lent=[1 // 0]))
    assert store._read("select settings from tables") == [(json.dumps(asdict(small)),)]
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("is_numbered", [False, True], ids=["numbers go on", "a number is missing"])
def test_a_table_in_which_an_answer_is_missing_goes_on_before_it(
    is_numbered: bool, tmp_path: Path
) -> None:
    store = tmp_path / "tables.sqlite3"
    with served(store, *KUHN) as server:
        pages = [connect(server.links[name]) for name in ("Ana", "Ben")]
        for page in pages:
            page.send(json.dumps({**hear_question(page), "chosen": [0]}))
            hear(page, "accepted")
        host = server.links["For you, the host"]
    with sqlite3.connect(store) as database:
        before = database.execute("select count(*) from lines").fetchone()
        database.execute("delete from lines where number = 1")
        if not is_numbered:
            database.execute("update lines set number = 1 where number = 2")
    with served(store, "--port", "0", "--pace", "0") as again:
        link = f"http://{host_of(again.links['For you, the host'])}/"
        ana = connect(f"{link}seat#{server.links['Ana'].partition('#')[2]}")
        assert hear_question(ana)["answer"] == 1
        seen = hear(connect(f"{link}host#{host.partition('#')[2]}"), "host")["host"]
        assert [game["game"] for game in seen["earlier"]] == [1]
    assert before == (3,)
    with sqlite3.connect(store) as database:
        kept = database.execute("select game, count(*) from lines group by game").fetchall()
    assert kept == [(1, 2), (2, 1)], "nothing that was kept is taken away"
