"""Conversations of several shares, carried on by one process or by several.

In: conversations as `rulebook.dsl.sharing.telling` has them, begun where they are carried on, or what one was the last
time; how many processes there may be. Out: what was made of what each returns, in order. Never: anything that depends
on how many processes there are; a process that is left behind; or a thread.

A process is a copy of this one, so it has all that was read so far and is told nothing but what others say. Where the
system has no such copies, or a copy is lost, everything is carried on here.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import IO, Any, Generic, NoReturn, TypeAlias, TypeVar

from attrs import define, field

from rulebook.dsl.sharing.telling import Conversation, Said, joined

__all__ = ["Diverged", "Repeated", "Told", "carried_on", "processors"]

_T = TypeVar("_T")
Told: TypeAlias = list[tuple[str, Said | None]]
"""What was said, each time with a hash of all that had been heard before; None for the end."""


class Diverged(Exception):
    """A share that is remembered hears something else than it did."""


class _Lost(Exception):
    """A process has ended without a word."""


def processors() -> int:
    """How many copies of this process can work at once; 1 where there can be none."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" and _may_be_copied() else 1


def _may_be_copied() -> bool:
    """Whether there can be copies, and this process has no threads: a copy would wait for ever for what they hold."""
    return hasattr(os, "fork") and threading.active_count() == 1


@define
class Repeated(Generic[_T]):
    """A share that need not be looked at as long as it hears what it heard before."""

    told: Told
    result: _T
    ends_early: Callable[[int, Said], _T | None]
    """What it would have found by a step if it had heard this and nothing else; None if it would have gone on."""

    def say(self, step: int, chain: str, heard: Said | None) -> Said | None:
        """What it said at this step; None if it had come to an end there. Raises Diverged."""
        if step < len(self.told) and self.told[step][0] == chain:
            return self.told[step][1]
        early = None if heard is None else self.ends_early(step, heard)
        if early is None:
            raise Diverged
        self.result = early
        return None


@define
class _Here(Generic[_T]):
    """Conversations that this process carries on, in turn."""

    conversations: Sequence[Conversation[_T]]
    results: list[_T] = field(factory=list)
    told: list[Told] = field(init=False)
    _heard: str = ""

    def __attrs_post_init__(self) -> None:
        self.told = [[] for _ in self.conversations]

    def say(self, heard: Said | None) -> Said | None:
        """What all of them say now; None if they have come to their end."""
        self._heard = _chained(self._heard, heard)
        said: list[Said] = []
        for conversation, told in zip(self.conversations, self.told, strict=True):
            try:
                one = next(conversation) if heard is None else conversation.send(heard)
            except StopIteration as end:
                self.results.append(end.value)
                told.append((self._heard, None))
            else:
                told.append((self._heard, one))
                said.append(one)
        assert not (said and self.results), "some have come to an end, and others go on"
        return joined(said) if said else None


def _chained(before: str, heard: Said | None) -> str:
    """A hash of all that was heard so far."""
    if heard is None:
        return ""
    return blake2b((before + json.dumps(heard, sort_keys=True)).encode(), digest_size=16).hexdigest()


# ── processes ────────────────────────────────────────────────────────────────────────────────────────────────────────


@define(eq=False)
class _There:
    """A copy of this process that carries on some conversations."""

    pid: int
    reading: IO[bytes]
    writing: IO[bytes]

    def tell(self, value: Any) -> None:
        """Say something to it."""
        try:
            _write(self.writing, value)
        except OSError:
            raise _Lost from None

    def hear(self) -> Any:
        """What it says next."""
        line = self.reading.readline()
        if not line.endswith(b"\n"):
            raise _Lost
        return json.loads(line)

    def end(self) -> None:
        """No word more."""
        for stream in (self.reading, self.writing):
            with suppress(OSError):
                stream.close()
        os.waitpid(self.pid, 0)


def _write(stream: IO[bytes], value: Any) -> None:
    stream.write(json.dumps(value).encode() + b"\n")
    stream.flush()


def _copied(here: _Here[_T], finished: Callable[[_Here[_T]], Any], others: Sequence[_There]) -> _There:
    """A copy of this process, which carries on these conversations and in the end tells what was made of them."""
    to_read, from_there = os.pipe()
    from_here, to_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(to_read)
        os.close(to_write)
        for other in others:
            os.close(other.reading.fileno())
            os.close(other.writing.fileno())
        _carry_on(here, finished, os.fdopen(from_here, "rb"), os.fdopen(from_there, "wb"))
    os.close(from_there)
    os.close(from_here)
    return _There(pid, os.fdopen(to_read, "rb"), os.fdopen(to_write, "wb"))


def _carry_on(
    here: _Here[_T], finished: Callable[[_Here[_T]], Any], reading: IO[bytes], writing: IO[bytes]
) -> NoReturn:
    """All that a copy does. It ends at once: what it has of the process that it was made from is not its own."""
    code = 1
    try:
        said = here.say(None)
        while said is not None:
            _write(writing, said)
            line = reading.readline()
            if not line:
                break
            said = here.say(json.loads(line))
        else:
            _write(writing, {"finished": finished(here)})
            code = 0
    except (Exception, KeyboardInterrupt):
        # Whoever made the copy does everything by itself then, and says what is wrong.
        pass
    finally:
        os._exit(code)


def carried_on(
    conversations: Sequence[Callable[[], Conversation[_T]] | Repeated[Any]],
    finished: Callable[[int, _T, Told], Any],
    processes: int,
) -> list[Any]:
    """What `finished` makes of what each conversation returns and of all that it said, as plain data.

    It is called where the conversation was carried on. Of one that is repeated, its result. Raises Diverged.
    """
    live = {number: one for number, one in enumerate(conversations) if not isinstance(one, Repeated)}
    repeated = {number: one for number, one in enumerate(conversations) if isinstance(one, Repeated)}
    if processes > 1 and len(live) > 1 and _may_be_copied():
        try:
            return _by_copies(live, repeated, finished, min(processes, len(live)))
        except _Lost:
            pass
    return _by_one(live, repeated, finished)


def _by_one(
    live: dict[int, Callable[[], Conversation[_T]]],
    repeated: dict[int, Repeated[Any]],
    finished: Callable[[int, _T, Told], Any],
) -> list[Any]:
    here = _Here([begin() for begin in live.values()])
    made = _conversed([here.say] if live else [], [], repeated)
    results = zip(live, here.results, here.told, strict=True)
    made |= {number: finished(number, result, told) for number, result, told in results}
    return [made[number] for number in sorted(made)]


def _by_copies(
    live: dict[int, Callable[[], Conversation[_T]]],
    repeated: dict[int, Repeated[Any]],
    finished: Callable[[int, _T, Told], Any],
    processes: int,
) -> list[Any]:
    """Neighbours go to different processes: they are often alike, and so take equally long."""
    groups = [list(live)[first::processes] for first in range(processes)]
    copies: list[_There] = []
    try:
        for group in groups:

            def made_of(here: _Here[_T], group: list[int] = group) -> Any:
                results = zip(group, here.results, here.told, strict=True)
                return [[number, finished(number, result, told)] for number, result, told in results]

            here = _Here([live[number]() for number in group])
            copies.append(_copied(here, made_of, copies))
        made = _conversed([], copies, repeated)
    finally:
        for copy in copies:
            copy.end()
    return [made[number] for number in sorted(made)]


def _conversed(
    here: Sequence[Callable[[Said | None], Said | None]],
    copies: Sequence[_There],
    repeated: dict[int, Repeated[Any]],
) -> dict[int, Any]:
    """Passes on what each says, until all have come to their end: the results of those that are not here."""
    heard: Said | None = None
    chain, step = "", 0
    while True:
        chain = _chained(chain, heard)
        old = [one.say(step, chain, heard) for one in repeated.values()]
        told: list[Any] = [say(heard) for say in here]
        if step:
            for copy in copies:
                copy.tell(heard)
        told += [copy.hear() for copy in copies]
        ended = {number: made for one in told if one and "finished" in one for number, made in one["finished"]}
        said = [one for one in (*old, *told) if one and "finished" not in one]
        if not said:
            return ended | {number: one.result for number, one in repeated.items()}
        if len(said) < len(repeated) + len(here) + len(copies):
            raise Diverged
        heard, step = joined(said), step + 1
