"""Connections of strangers, over the loopback: half a request, thousands of them, and requests of any form."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from browsers import served

pytest.importorskip("websockets", reason="needs the extra `web`")
pytest.importorskip("starlette", reason="needs the extra `web`")
pytest.importorskip("segno", reason="needs the extra `web`")

from test_web import connect, hear, host_of

from rulebook.web.door import Door
from rulebook.web.server import listen, make_app, serve

pytestmark = pytest.mark.filterwarnings("ignore:connect")

WORDS = ("kuhn_poker", "--seats", "Ana,Ben", "--port", "0", "--pace", "0")
FILES = 96
HALF = b"GET /seat HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


def test_half_requests_shut_nobody_out_and_fill_no_log(tmp_path: Path) -> None:
    errors = tmp_path / "errors.txt"
    with ExitStack() as stack:
        file = stack.enter_context(errors.open("wb"))
        server = stack.enter_context(served(tmp_path / "t.sqlite3", *WORDS, files=FILES, errors=file.fileno()))
        ana = connect(server.links["Ana"])
        hear(ana, "whole")
        name, _, port = host_of(server.links["Ana"]).partition(":")
        for _ in range(3 * FILES):
            half = stack.enter_context(socket.create_connection((name, int(port)), timeout=10))
            with suppress(OSError):  # it may have been closed already
                half.sendall(HALF)
        web = HTTPConnection(name, int(port), timeout=10)
        web.request("GET", "/seat")
        assert web.getresponse().status == 200
        hear(connect(server.links["Ben"]), "whole")
        ana.send(json.dumps({"rules": True}))
        hear(ana, "rules")
    told = errors.read_text("utf-8").splitlines()
    assert told == ["Too many connections are open; those that ask for nothing are closed."]


def run_door(door: Door, act: Callable[[str, int], Awaitable[object]]) -> None:
    """Do something at a server that has no tables."""

    class _Hall:
        def find(self, token: str) -> None:
            return None

        def is_closed(self, token: str) -> bool:
            return False

    async def run() -> None:
        with listen("127.0.0.1", 0) as listening:
            hall: Any = _Hall()
            serving = asyncio.create_task(serve(make_app(hall, ("127.0.0.1",), door), listening, door))
            try:
                await act(*listening.getsockname())
            finally:
                serving.cancel()
                with suppress(asyncio.CancelledError):
                    await serving

    asyncio.run(run())


STALLED = {
    "nothing": b"",
    "half a header": HALF,
    "half a body": b"GET /seat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\nx",
    "half a chunk": b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nx",
    "a socket that names no link": b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
}


@pytest.mark.parametrize("title", STALLED)
def test_what_is_never_whole_is_closed(title: str) -> None:
    """Also what goes on, a little at a time."""
    told: list[str] = []

    async def stall(host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(STALLED[title])

        async def trickle() -> None:
            while True:
                await asyncio.sleep(0.2)
                if title.startswith("half"):
                    writer.write(b"1")

        trickling = asyncio.create_task(trickle())
        try:
            async with asyncio.timeout(10):
                with suppress(ConnectionError):
                    while await reader.read(1000):
                        pass
        finally:
            trickling.cancel()
            writer.close()

    run_door(Door(told.append, 64, patience=1), stall)
    assert told == []


def test_who_asks_again_and_again_stays() -> None:
    async def ask(host: str, port: int) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        for _ in range(6):
            writer.write(b"GET /none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert (await reader.readuntil(b"nothing here.")).startswith(b"HTTP/1.1 404")
            await asyncio.sleep(0.4)
        writer.close()

    run_door(Door(print, 64, patience=1), ask)


def test_a_wrong_is_told_in_one_line_and_once() -> None:
    told: list[str] = []
    door, loop = Door(told.append, 64), asyncio.new_event_loop()
    for _ in range(1000):
        door.tell_wrong(loop, {"message": "no accept", "exception": OSError(24, "Too many open files")})
        try:
            raise ValueError("a token")
        except ValueError as wrong:
            door.tell_wrong(loop, {"message": "Task exception was never retrieved", "exception": wrong})
    loop.close()
    assert told[0] == "A connection could not be served (Too many open files)."
    assert len(told) == 2
    assert "ValueError, test_door.py:" in told[1]
    assert "token" not in told[1]
