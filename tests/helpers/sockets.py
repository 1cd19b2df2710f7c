"""A page at a table by link, as a test plays it: over its socket, without a browser."""

from __future__ import annotations

import json
import socket
import sqlite3
from pathlib import Path
from typing import Any

import pytest

websockets = pytest.importorskip("websockets.sync.client", reason="needs the extra `web`")


def host_of(link: str) -> str:
    return link.split("/")[2]


def connect(link: str, token: str = "", origin: str = "", name: str = "") -> Any:
    """Open a page by its link; `name` is another Host than that of the link, as a proxy may ask for."""
    host = host_of(link)
    at, _, port = host.rpartition(":")
    where: dict[str, Any] = {"sock": socket.create_connection((at, int(port)))} if name else {}
    connection = websockets.connect(
        f"ws://{name or host}/socket", origin=origin or f"http://{host}", max_size=None, **where
    )
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
