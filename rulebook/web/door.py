"""The door: how many connections may be open at a time, and for how long one may keep us waiting.

A connection is *seated* once its page has shown a link that leads somewhere; until then it is anybody's. Where there is
no room, the one goes that has been let in, or has been answered, longest ago without being seated. So whoever opens
thousands of them and asks for nothing pushes out their own, and a page that is asked for is answered meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from attrs import define
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 30.0
"""Seconds in which a connection has to ask for something whole, and to take the answer."""
MOST = 1000
_QUIET = 60.0  # seconds in which the same thing is not told again
_LOOK = 0.5

Client: TypeAlias = "tuple[str, int]"
"""An address and a port: which connection it is, as long as it is open."""


def count_files() -> int:
    """Count the files and connections that this process may have open; plenty, where nothing says so."""
    try:
        import resource
    except ImportError:
        return 2 * MOST
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2 * MOST if limit < 0 else limit


@define
class _Connection:
    transport: asyncio.Transport
    since: float
    """The time at which it was let in, was answered last, or began to close."""
    is_seated: bool = False

    @property
    def is_open(self) -> bool:
        return bool(self.transport.get_extra_info("socket").fileno() >= 0)


class Door:
    """All connections of a server. `tell` takes a line for whoever runs it."""

    def __init__(self, tell: Callable[[str], None], files: int, patience: float = PATIENCE) -> None:
        self.most = min(MOST, files // 2)
        """Connections at a time; half of them from one address. What else the server does needs files, too."""
        self.backlog = max(1, min(100, files // 16))
        """Connections that are let in at once, before any of them is counted."""
        self._tell, self._patience = tell, patience
        self._connections: dict[Client, _Connection] = {}
        self._told: dict[str, float] = {}

    def let_in(self, transport: asyncio.Transport) -> None:
        """Let a connection in; where there is no room, another one goes, or it goes itself."""
        client = _find_client(transport)
        if client is None:
            transport.abort()  # it has gone already
            return
        self._forget_closed()
        same = [connection for other, connection in self._connections.items() if other[0] == client[0]]
        full = same if len(same) >= self.most // 2 else [*self._connections.values()]
        if full is same or len(full) >= self.most:
            self.tell("Too many connections are open; those that ask for nothing are closed.")
            oldest = min((idle for idle in full if not idle.is_seated), key=lambda link: link.since, default=None)
            if oldest is None:
                transport.abort()
                return
            self._close(oldest)
        self._connections[client] = _Connection(transport, time.monotonic())

    def seat(self, client: Client) -> None:
        """The page of this connection has shown a link that leads somewhere."""
        if client in self._connections:
            self._connections[client].is_seated = True

    def answered(self, transport: asyncio.Transport) -> None:
        """Something whole was asked for and answered: there may be more to ask for."""
        client = _find_client(transport)
        if client in self._connections:
            self._connections[client].since = time.monotonic()

    async def watch(self) -> None:
        """Close again and again what has kept us waiting too long."""
        while True:
            await asyncio.sleep(_LOOK)
            self._forget_closed()
            now = time.monotonic()
            for connection in [*self._connections.values()]:
                if connection.is_seated and connection.transport.is_closing():
                    # Who takes nothing any more could hold it open for ever.
                    connection.is_seated, connection.since = False, now
                if not connection.is_seated and now - connection.since > self._patience:
                    self._close(connection)

    def _forget_closed(self) -> None:
        self._connections = {client: link for client, link in self._connections.items() if link.is_open}

    def _close(self, connection: _Connection) -> None:
        connection.transport.abort()
        self._connections = {client: other for client, other in self._connections.items() if other is not connection}

    def tell(self, line: str) -> None:
        """Tell whoever runs the server something, unless they have just been told it."""
        now = time.monotonic()
        if now - self._told.get(line, -_QUIET) >= _QUIET:
            self._told[line] = now
            self._tell(line)

    def tell_wrong(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell what nobody has caught, in one line: a token may stand in no log."""
        wrong = context.get("exception")
        if isinstance(wrong, OSError):
            self.tell(f"A connection could not be served ({wrong.strerror or type(wrong).__name__}).")
            return
        at = wrong.__traceback__ if wrong is not None else None
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        place = f", {Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno}" if at is not None else ""
        name = type(wrong).__name__ if wrong is not None else context["message"]
        self.tell(f"Something went wrong, and the tables go on: please report it ({name}{place}).")


def _find_client(transport: asyncio.Transport) -> Client | None:
    name = transport.get_extra_info("peername")
    return (str(name[0]), int(name[1])) if name else None


def make_protocol(door: Door) -> type[asyncio.Protocol]:
    """Make what speaks HTTP with those whom a door lets in."""

    class Counted(H11Protocol):
        """Tells the door when a connection begins, and when it has been answered."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as it is there
            super().connection_made(transport)
            door.let_in(transport)

        def on_response_complete(self) -> None:
            door.answered(self.transport)
            super().on_response_complete()

    return Counted
