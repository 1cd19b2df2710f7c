"""The server: pages, one socket a page, and what is let in. Nothing here knows what is in a message."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulebook.glyphs import list_glyphs
from rulebook.interpreter.decisions import Refused
from rulebook.web.door import Door, make_protocol
from rulebook.web.hall import Hall, Open
from rulebook.web.messages import HOST, WATCH
from rulebook.web.store import Unwritten
from rulebook.web.words import fill_words, find_words, list_words

LARGEST = 20_000
"""Bytes that a message may have which a page sends."""
RATE, BURST = 10.0, 40.0
"""Messages a second that a page may send in the long run, and at once."""
MOST_LINES = {WATCH: 150, HOST: 20}
"""Pages that may be open by the link of a role at a time; whoever opens one more is told to try again."""
MOST_OF_SEAT = 20
_THREADS = 32
_WAITING = 400  # connections that may wait to be let in
_GREETING = 10  # seconds in which a page has to say which link it was opened by
_BACKLOG = 400  # messages that wait for a slow connection before it is dropped; it comes back and is told all

_PAGES = {"": "welcome.html", "seat": "table.html", "watch": "table.html", "host": "host.html"}
_SCRIPTS = ("table", "motion", "room", "scores", "signals", "talk", "sw", "faces", "host", "link", "phrases")
_FILES = {"page.css": "text/css", **{f"{name}.js": "text/javascript" for name in _SCRIPTS}}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PICTURES = {"png": "image/png", "jpeg": "image/jpeg", "svg": "image/svg+xml"}
_OF_PICTURES = {
    # A picture that is opened by itself starts and loads nothing.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cache-control": "public, max-age=31536000, immutable",
}
_HEADERS = {
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


def make_app(hall: Hall, hosts: Sequence[str], door: Door) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """Make the application. `hosts` are the names under which it may be asked for, beside that of the hall."""

    async def page(request: Request) -> Response:
        name = request.path_params.get("page", "")
        if name not in _PAGES:
            return Response(find_words("nothing_here"), 404, media_type="text/plain")
        return Response(fill_words(_read(_PAGES[name]).decode()), media_type="text/html")

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _FILES:
            return Response(find_words("nothing_here"), 404, media_type="text/plain")
        return Response(_read(name), media_type=_FILES[name])

    async def art(request: Request) -> Response:
        picture = hall.find_picture(request.path_params["hash"])
        if picture is None:
            return Response(find_words("nothing_here"), 404, media_type="text/plain")
        return Response(picture.data, media_type=_PICTURES[picture.format])

    async def glyphs(request: Request) -> Response:
        return Response(f"export const GLYPHS = {json.dumps(list_glyphs())};", media_type="text/javascript")

    async def words(request: Request) -> Response:
        return Response(f"export const WORDS = {json.dumps(list_words())};", media_type="text/javascript")

    async def host(request: Request) -> Response:
        return Response(request.headers.get("host", ""), media_type="text/plain")

    async def speak(connection: WebSocket) -> None:
        await _speak(hall, door, connection)

    routes = [
        Route("/", page),
        Route("/{page}", page),
        Route("/files/glyphs.js", glyphs),
        Route("/files/words.js", words),
        Route("/files/{name}", file),
        Route("/art/{hash}", art),
        # A page that gets no connection asks whether a proxy has changed the name by which the server was asked for.
        Route("/files/as/asked", host),
        WebSocketRoute("/socket", speak),
    ]
    place = _place_of(hall.address)
    return _Guard(Starlette(routes=routes), frozenset([*hosts, _name_of(place)]), place)


class _Guard:
    """Lets in only who asked for a name of ours, from a page of ours, and puts the same headers before every page."""

    def __init__(self, app: Starlette, hosts: frozenset[str], place: str) -> None:
        self._app, self._hosts, self._place = app, hosts, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        is_known = _name_of(host) in self._hosts
        if scope["type"] == "websocket":
            # A proxy may ask for us by another name than people do; the pages that it gives them are ours all the same.
            origin = _place_of(headers.get("origin", ""))
            if not is_known or not host or not origin or origin not in (host, self._place):
                await send({"type": "websocket.close", "code": 1008})
                return
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].decode("latin-1").lower() not in _HEADERS]
                more = _OF_PICTURES if scope["path"].startswith("/art/") and message["status"] == 200 else {}
                added = [(name.encode(), value.encode()) for name, value in {**_HEADERS, **more}.items()]
                message = {**message, "headers": [*kept, *added]}
            await send(message)

        if not is_known:
            answer = Response(find_words("other_name"), 421, media_type="text/plain")
            await answer(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


def _place_of(origin: str) -> str:
    """The host and port in an address or an Origin header, as browsers write them; nothing if it is malformed."""
    try:
        parts = urlsplit(origin)
        is_usual = parts.port == {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return ""
    place = parts.netloc.lower()
    return place.rpartition(":")[0] if is_usual else place


def _name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _read(name: str) -> bytes:
    return resources.files("rulebook.web").joinpath("static", name).read_bytes()


class _Connection:
    """One page that is open: what is sent waits here until the network takes it."""

    def __init__(self, connection: WebSocket) -> None:
        self._connection = connection
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue(_BACKLOG)

    def send(self, text: str) -> None:
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            self.drop()

    def drop(self) -> None:
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    async def write_all(self) -> None:
        while (text := await self._waiting.get()) is not None:
            await self._connection.send_text(text)
        await self._connection.close(1001)


async def _speak(hall: Hall, door: Door, connection: WebSocket) -> None:
    await connection.accept()
    try:
        first = await asyncio.wait_for(_receive(connection), _GREETING)
        token = first.get("link")
        known = hall.find(token) if isinstance(token, str) else None
        if known is not None and _is_full(*known):
            await _turn_away(connection)
            return
        if known is None:
            await asyncio.sleep(0.5)  # who guesses has to wait
            is_closed = isinstance(token, str) and hall.is_closed(token)
            await connection.send_text(json.dumps({"gone": True, **({"closed": True} if is_closed else {})}))
            await connection.close(1008)
            return
    except Unwritten:
        await _turn_away(connection)
        return
    except (TimeoutError, Refused):
        await connection.close(1008)
        return
    except WebSocketDisconnect:
        return
    opened, role = known
    if connection.client is not None:
        door.seat((connection.client.host, connection.client.port))
    line = _Connection(connection)
    writing = asyncio.create_task(line.write_all())
    opened.enter(role, line)
    try:
        await _listen(opened.hear, role, connection, line)
    finally:
        opened.leave(role, line)
        writing.cancel()


def _is_full(opened: Open, role: str) -> bool:
    return len(opened.lines.get(role, ())) >= MOST_LINES.get(role, MOST_OF_SEAT)


async def _turn_away(connection: WebSocket) -> None:
    """There is no room now, and there may be in a moment."""
    await connection.send_text(json.dumps({"full": True}))
    await connection.close(1013)


async def _listen(
    hear: Callable[[str, dict[str, Any]], Awaitable[None]], role: str, connection: WebSocket, line: _Connection
) -> None:
    credit, last = BURST, time.monotonic()
    while True:
        try:
            message = await _receive(connection)
        except Refused as refused:
            line.send(json.dumps({"refused": str(refused)}))
            continue
        except (WebSocketDisconnect, RuntimeError):
            return
        now = time.monotonic()
        credit, last = min(BURST, credit + (now - last) * RATE), now
        if credit < 1:
            await connection.close(1008)
            return
        credit -= 1
        await hear(role, message)


async def _receive(connection: WebSocket) -> dict[str, Any]:
    """Receive an object. Raises Refused, WebSocketDisconnect."""
    try:
        text = await connection.receive_text()
        if len(text) > LARGEST:
            raise Refused(find_words("too_much"))
        message = json.loads(text)
        json.dumps(message, ensure_ascii=False).encode()  # half a letter can be written as an escape, and kept nowhere
    except (KeyError, ValueError, RecursionError):
        message = None  # bytes, or no JSON
    if not isinstance(message, dict):
        raise Refused(find_words("no_message"))
    return message


def listen(host: str, port: int) -> socket.socket:
    """Open the port; the next free one of a few where it is taken. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for offset in range(10):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port + offset if port else 0))
            listening.listen(_WAITING)  # whoever follows a link that has just been printed is let in
        except OSError:
            listening.close()
            if offset == 9 or port == 0:
                raise
            continue
        return listening
    raise AssertionError("counting comes to an end before")


class _Server(uvicorn.Server):
    """Lets more connections wait than it takes at once."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_WAITING)


async def serve(app: Any, listening: socket.socket, door: Door) -> None:
    """Serve until somebody ends it. Nothing is logged: a token may stand in no log."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(door.tell_wrong)
    # Threads wait for the disk: the more of them, the more answers are written at once.
    loop.set_default_executor(ThreadPoolExecutor(_THREADS))
    config = uvicorn.Config(
        app,
        http=make_protocol(door),
        ws_max_size=LARGEST * 4,
        backlog=door.backlog,
        proxy_headers=False,  # nobody asks for addresses but the door, which counts connections
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
    )
    watching = asyncio.create_task(door.watch())
    try:
        await _Server(config).serve([listening])
    finally:
        watching.cancel()
