"""How far a long piece of work is, for whoever sits in front of it.

In: how many games are played, of how many. Out: one line on stderr, where that is a terminal. Never: leaves it there.
"""

import sys
import time

import click

from rulebook.printing import control

_SOON = 2.0  # seconds after which somebody asks how long it will take


class Progress:
    """How far it is, in one line that goes away again (0 of 0), and how long it will take if it goes on like that."""

    def __init__(self) -> None:
        self._since: tuple[float, int] | None = None

    def __call__(self, done: int, games: int) -> None:
        """So many are played."""
        if not sys.stderr.isatty():
            return
        text = f"{done} of {games} games{self._left(done, games)}" if games else ""
        start = control("\r")
        click.echo(f"{start}{text:<60}" + ("" if games else start), nl=False, err=True)

    def _left(self, done: int, games: int) -> str:
        now = time.monotonic()
        if self._since is None or done < self._since[1]:
            self._since = now, done
        since, before = self._since
        if now - since < _SOON or done == before:
            return ""
        seconds = round((games - done) * (now - since) / (done - before))
        hours, minutes = seconds // 3600, seconds // 60 % 60
        left = f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
        return f", {left} left"
