"""Connections of strangers, over the loopback: half a request, thousands of them, and requests of any form."""

from __future__ import annotations

import asyncio
import json
import random
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

from sockets import connect, hear, host_of

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


_METHODS = (
    b"GET", b"POST", b"HEAD", b"PUT", b"OPTIONS", b"CONNECT", b"TRACE", b"PRI", b"get", b"G\x00T", b"", b"X" * 9000,
)  # fmt: skip
_TARGETS = (
    b"/", b"/seat", b"/socket", b"/socket?token=%ff%00", b"/static/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd",
    b"//", b"*", b"http://[", b"http://127.0.0.1/seat", b"/\xff\xfe", b"/" + b"a" * 70_000, b"", b"/seat#x",
    b"/seat?" + b"&" * 5000,
)  # fmt: skip
_VERSIONS = (b"HTTP/1.1", b"HTTP/1.1", b"HTTP/9", b"", b"X")
_HEADERS = (
    b"Host: 127.0.0.1", b"Host: ", b"Host: [", b"Host: 127.0.0.1\r\nHost: evil", b"Content-Length: -1",
    b"Content-Length: 5\r\nContent-Length: 9", b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: chunked, chunked", b"Origin: http://[", b"Origin: null", b"Cookie: " + b"=;" * 4000,
    b": empty", b"No colon", b" folded: yes", b"X: \x00\x01", b"X: \xff\xfe", b"Expect: 100-continue",
    b"Range: bytes=9-1", b"Accept-Encoding: \xff", b"If-Modified-Since: never", b"Connection: upgrade, close",
    b"Upgrade: h2c",
)  # fmt: skip
_HANDSHAKE = (
    b"GET /socket HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: %s\r\nSec-WebSocket-Key: %s\r\n\r\n"
)


def draw_request(chance: random.Random, link: str) -> tuple[bytes, bytes]:
    """A request of any form, or a handshake, and frames of any form behind it, most of them by whoever has a link."""
    noise = chance.randbytes(chance.choice((0, 1, 9, 200, 70_000)))
    if chance.random() < 0.4:
        host, version = host_of(link).encode(), chance.choice((b"13", b"13", b"13", b"8", b"x", b""))
        key = chance.choice((b"dGhlIHNhbXBsZSBub25jZQ==", b"dGhlIHNhbXBsZSBub25jZQ==", b"short", b""))
        hello = json.dumps({"link": link.partition("#")[2]}).encode()
        frames = [bytes((0x81, 0x80 | len(hello), 0, 0, 0, 0)) + hello] if chance.random() < 0.8 else []
        for _ in range(chance.randrange(4)):
            head = bytes((chance.randrange(256), chance.randrange(256)))
            frames.append(head + chance.randbytes(chance.choice((0, 4, 12, 130))))
        return _HANDSHAKE % (host, host, version, key), b"".join(frames) + noise
    line = b" ".join(map(chance.choice, (_METHODS, _TARGETS, _VERSIONS)))
    headers = chance.choices(_HEADERS, k=chance.randrange(5))
    return b"\r\n".join((line, *headers)) + chance.choice((b"\r\n\r\n", b"\n\n", b"\r\n", b"")) + noise, b""


def test_drawn_requests_are_answered_or_closed_and_harm_nobody(tmp_path: Path) -> None:
    errors, chance, refused, opened = tmp_path / "errors.txt", random.Random(4), 0, 0
    with ExitStack() as stack:
        file = stack.enter_context(errors.open("wb"))
        server = stack.enter_context(served(tmp_path / "t.sqlite3", *WORDS, errors=file.fileno()))
        ana = connect(server.links["Ana"])
        hear(ana, "whole")
        name, _, port = host_of(server.links["Ana"]).partition(":")
        for _ in range(400):
            request, frames = draw_request(chance, server.links["Ben"])
            answer = b""
            with socket.create_connection((name, int(port)), timeout=10) as line, suppress(OSError):
                line.sendall(request)
                if frames:
                    answer += line.recv(1 << 16)
                    line.sendall(frames)
                if b'{"link"' in frames and b" 101 " in answer:
                    answer += line.recv(1 << 16)
                line.shutdown(socket.SHUT_WR)  # it may have been closed already
                while part := line.recv(1 << 16):
                    answer += part
            assert not answer.startswith(b"HTTP/1.1 5"), (request[:300], answer[:300])
            assert b"root:" not in answer
            refused += answer.startswith(b"HTTP/1.1 4")
            opened += b'"whole"' in answer
        hear(connect(server.links["Ben"]), "whole")
        ana.send(json.dumps({"rules": True}))
        hear(ana, "rules")
    assert refused > 100 and opened
    assert errors.read_text("utf-8") == ""


def run_door(door: Door, act: Callable[[str, int], Awaitable[object]]) -> None:
    """Do something at a server that has no tables."""

    class _Hall:
        address = ""

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
    assert "ValueError, test_strange_connections.py:" in told[1]
    assert "token" not in told[1]
